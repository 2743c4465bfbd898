--
-- PostgreSQL database dump
--

\restrict 6rqbi540cokxGKip8kKfryfmIwdHa21drEZUAh0tBbEUoVvpNUHoAem0Tr3dEXa

-- Dumped from database version 15.20 (Debian 15.20-0+deb12u1)
-- Dumped by pg_dump version 15.20 (Debian 15.20-0+deb12u1)

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

SET default_tablespace = '';

SET default_table_access_method = heap;

--
-- Name: account; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.account (
    tenant text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    mode text NOT NULL COLLATE pg_catalog."C",
    issuer text NOT NULL COLLATE pg_catalog."C",
    subject text NOT NULL COLLATE pg_catalog."C",
    created_at bigint NOT NULL
);


--
-- Name: attempts; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.attempts (
    tenant text NOT NULL COLLATE pg_catalog."C",
    account_id text NOT NULL COLLATE pg_catalog."C",
    type text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    version bigint NOT NULL,
    failures bigint NOT NULL,
    locked_until bigint NOT NULL,
    permanent boolean NOT NULL,
    recent text NOT NULL COLLATE pg_catalog."C",
    pending text NOT NULL COLLATE pg_catalog."C",
    mac bytea NOT NULL,
    verified_at bigint NOT NULL,
    verified_by text NOT NULL COLLATE pg_catalog."C",
    devices text NOT NULL COLLATE pg_catalog."C",
    locked_to bigint DEFAULT 0 NOT NULL
);


--
-- Name: audit_chain; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.audit_chain (
    tenant text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    number integer NOT NULL,
    form integer DEFAULT 1 NOT NULL
);


--
-- Name: audit_log; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.audit_log (
    tenant text NOT NULL COLLATE pg_catalog."C",
    chain text NOT NULL COLLATE pg_catalog."C",
    seq bigint NOT NULL,
    "time" bigint NOT NULL,
    request_id text NOT NULL COLLATE pg_catalog."C",
    actor text NOT NULL COLLATE pg_catalog."C",
    event text NOT NULL COLLATE pg_catalog."C",
    outcome text NOT NULL COLLATE pg_catalog."C",
    operation text NOT NULL COLLATE pg_catalog."C",
    failed boolean NOT NULL,
    count bigint NOT NULL,
    duration bigint NOT NULL,
    key_id text NOT NULL COLLATE pg_catalog."C",
    account bytea NOT NULL,
    device bytea NOT NULL,
    record text NOT NULL COLLATE pg_catalog."C",
    version bigint NOT NULL,
    before bytea NOT NULL,
    digest bytea NOT NULL,
    reason text NOT NULL COLLATE pg_catalog."C",
    prev bytea NOT NULL,
    hash bytea NOT NULL
);


--
-- Name: audit_verdict; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.audit_verdict (
    chain integer NOT NULL,
    seq integer NOT NULL,
    second integer NOT NULL,
    micros integer NOT NULL,
    account integer NOT NULL,
    data bytea NOT NULL,
    hash bytea NOT NULL
)
PARTITION BY RANGE (chain);


--
-- Name: audit_verdict_2026_11; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.audit_verdict_2026_11 (
    chain integer NOT NULL,
    seq integer NOT NULL,
    second integer NOT NULL,
    micros integer NOT NULL,
    account integer NOT NULL,
    data bytea NOT NULL,
    hash bytea NOT NULL
);


--
-- Name: audit_verdict_before; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.audit_verdict_before (
    chain integer NOT NULL,
    seq integer NOT NULL,
    second integer NOT NULL,
    micros integer NOT NULL,
    account integer NOT NULL,
    data bytea NOT NULL,
    hash bytea NOT NULL
);


--
-- Name: bucket; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.bucket (
    tenant text NOT NULL COLLATE pg_catalog."C",
    width bigint NOT NULL,
    start bigint NOT NULL,
    instance text NOT NULL COLLATE pg_catalog."C",
    operations bigint NOT NULL,
    failures bigint NOT NULL,
    duration bigint NOT NULL,
    devices bytea NOT NULL,
    durations bytea DEFAULT '\x'::bytea NOT NULL
);


--
-- Name: ciphertext; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.ciphertext (
    tenant text NOT NULL COLLATE pg_catalog."C",
    account_id text NOT NULL COLLATE pg_catalog."C",
    key_id text NOT NULL COLLATE pg_catalog."C",
    digest bytea NOT NULL
);


--
-- Name: ciphertext_chunk; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.ciphertext_chunk (
    tenant text NOT NULL COLLATE pg_catalog."C",
    account_id text NOT NULL COLLATE pg_catalog."C",
    key_id text NOT NULL COLLATE pg_catalog."C",
    chunk bigint NOT NULL,
    digests bytea NOT NULL
);


--
-- Name: credential; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.credential (
    tenant text NOT NULL COLLATE pg_catalog."C",
    account_id text NOT NULL COLLATE pg_catalog."C",
    type text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    version bigint NOT NULL,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL,
    sealed bytea NOT NULL
);


--
-- Name: credential_previous; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.credential_previous (
    tenant text NOT NULL COLLATE pg_catalog."C",
    account_id text NOT NULL COLLATE pg_catalog."C",
    type text NOT NULL COLLATE pg_catalog."C",
    version bigint NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C",
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL,
    sealed bytea NOT NULL
);


--
-- Name: device_key; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.device_key (
    tenant text NOT NULL COLLATE pg_catalog."C",
    account_id text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    device_id text NOT NULL COLLATE pg_catalog."C",
    state text NOT NULL COLLATE pg_catalog."C",
    version bigint NOT NULL,
    algorithm text NOT NULL COLLATE pg_catalog."C",
    bits bigint NOT NULL,
    app_version text NOT NULL COLLATE pg_catalog."C",
    created_at bigint NOT NULL,
    expires_at bigint NOT NULL,
    ended_at bigint NOT NULL,
    grace_until bigint NOT NULL,
    mac bytea NOT NULL,
    public_key bytea NOT NULL,
    sealed bytea NOT NULL,
    jkt text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C"
);


--
-- Name: key_account; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.key_account (
    tenant text NOT NULL COLLATE pg_catalog."C",
    key_id text NOT NULL COLLATE pg_catalog."C",
    account_id text NOT NULL COLLATE pg_catalog."C"
);


--
-- Name: key_generation; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.key_generation (
    tenant text NOT NULL COLLATE pg_catalog."C",
    device bytea NOT NULL,
    count bigint NOT NULL,
    reset_at bigint NOT NULL
);


--
-- Name: key_use; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.key_use (
    tenant text NOT NULL COLLATE pg_catalog."C",
    account_id text NOT NULL COLLATE pg_catalog."C",
    key_id text NOT NULL COLLATE pg_catalog."C",
    used_at bigint NOT NULL
);


--
-- Name: outbox; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.outbox (
    tenant text NOT NULL COLLATE pg_catalog."C",
    account_id text NOT NULL COLLATE pg_catalog."C",
    seq bigint NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C",
    event text NOT NULL COLLATE pg_catalog."C",
    "time" bigint NOT NULL,
    data bytea NOT NULL,
    mac bytea NOT NULL
);


--
-- Name: outbox_dead; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.outbox_dead (
    tenant text NOT NULL COLLATE pg_catalog."C",
    account_id text NOT NULL COLLATE pg_catalog."C",
    seq bigint NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C",
    event text NOT NULL COLLATE pg_catalog."C",
    "time" bigint NOT NULL,
    data bytea NOT NULL,
    mac bytea NOT NULL,
    reason text NOT NULL COLLATE pg_catalog."C",
    dead_at bigint NOT NULL
);


--
-- Name: outbox_lane; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.outbox_lane (
    tenant text NOT NULL COLLATE pg_catalog."C",
    account_id text NOT NULL COLLATE pg_catalog."C",
    last_seq bigint NOT NULL
);


--
-- Name: receipt; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.receipt (
    tenant text NOT NULL COLLATE pg_catalog."C",
    key bytea NOT NULL,
    digest bytea NOT NULL,
    request_id text NOT NULL COLLATE pg_catalog."C",
    done_at bigint NOT NULL
);


--
-- Name: redemption; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.redemption (
    tenant text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    expires_at bigint NOT NULL
);


--
-- Name: schema_lock; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.schema_lock (
    lock_id bigint NOT NULL,
    locked boolean DEFAULT false NOT NULL,
    locked_at timestamp with time zone,
    locked_by text,
    lease_expires_at timestamp with time zone,
    updated_at timestamp with time zone
);


--
-- Name: schema_version; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.schema_version (
    id integer NOT NULL,
    version_id bigint NOT NULL,
    is_applied boolean NOT NULL,
    tstamp timestamp without time zone DEFAULT now() NOT NULL
);


--
-- Name: schema_version_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.schema_version ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.schema_version_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: setting; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.setting (
    tenant text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    value bytea NOT NULL
);


--
-- Name: signing_key; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.signing_key (
    tenant text NOT NULL COLLATE pg_catalog."C",
    number bigint NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C",
    algorithm text NOT NULL COLLATE pg_catalog."C",
    version bigint NOT NULL,
    created_at bigint NOT NULL,
    active_from bigint NOT NULL,
    erased_at bigint NOT NULL,
    mac bytea NOT NULL,
    public_key bytea NOT NULL,
    sealed bytea NOT NULL
);


--
-- Name: audit_verdict_2026_11; Type: TABLE ATTACH; Schema: public; Owner: -
--

ALTER TABLE ONLY public.audit_verdict ATTACH PARTITION public.audit_verdict_2026_11 FOR VALUES FROM (337641472) TO (338690048);


--
-- Name: audit_verdict_before; Type: TABLE ATTACH; Schema: public; Owner: -
--

ALTER TABLE ONLY public.audit_verdict ATTACH PARTITION public.audit_verdict_before FOR VALUES FROM (MINVALUE) TO (314572800);


--
-- Data for Name: account; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.account (tenant, id, mode, issuer, subject, created_at) FROM stdin;
default	at6jrk5h5s44fhyqlkqsu644oi	device		phone	1796008795506622
default	wvc67fzqxi6hi3lfrm4mgnfq3a	device		tablet	1796008795927814
\.


--
-- Data for Name: attempts; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.attempts (tenant, account_id, type, id, version, failures, locked_until, permanent, recent, pending, mac, verified_at, verified_by, devices, locked_to) FROM stdin;
default	at6jrk5h5s44fhyqlkqsu644oi	TRANSACTION_PIN	c6zsfg5vhpudvfmnsh6olv7kfq	2	0	0	f	[]	[]	\\x0184cc4756b213b20d6a0dde8e44d7ea0f837d6b45647b1838052ad81d0b77d4887cbdf20f	1796008795717137		[]	0
default	wvc67fzqxi6hi3lfrm4mgnfq3a	TRANSACTION_PIN	6bvqw6uy5l2544ofklwhy7qrmq	8	4	0	f	[1796008795979787,1796008796011184,1796008796035013,1796008796062893]	[]	\\x0184cc4756b3d2f850badc13e09a7f1412455405a69a7cc512ca03497278ab5a79a67adbe1	0		[]	0
\.


--
-- Data for Name: audit_chain; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.audit_chain (tenant, name, number, form) FROM stdin;
default	6pwylyvq5yljrexmy6yqw347zq	337641472	2
default	d4jph2ohe6tmedbsb3kxjnx3ue/0	337641473	2
default	d4jph2ohe6tmedbsb3kxjnx3ue/1	337641474	2
default	d4jph2ohe6tmedbsb3kxjnx3ue/2	337641475	2
default	d4jph2ohe6tmedbsb3kxjnx3ue/3	337641476	2
default	d4jph2ohe6tmedbsb3kxjnx3ue/4	337641477	2
default	d4jph2ohe6tmedbsb3kxjnx3ue/5	337641478	2
default	d4jph2ohe6tmedbsb3kxjnx3ue/6	337641479	2
default	d4jph2ohe6tmedbsb3kxjnx3ue/7	337641480	2
default	d4jph2ohe6tmedbsb3kxjnx3ue/8	337641481	2
default	d4jph2ohe6tmedbsb3kxjnx3ue/9	337641482	2
default	d4jph2ohe6tmedbsb3kxjnx3ue/10	337641483	2
default	d4jph2ohe6tmedbsb3kxjnx3ue/11	337641484	2
\.


--
-- Data for Name: audit_log; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.audit_log (tenant, chain, seq, "time", request_id, actor, event, outcome, operation, failed, count, duration, key_id, account, device, record, version, before, digest, reason, prev, hash) FROM stdin;
default	6pwylyvq5yljrexmy6yqw347zq	1	1796008795319258		system	store.initialised	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x0184cc475632d0156d2beee1f828fb0110ccc7d11884a01db49e32c80f8ce5a2842bd20fd9
default	d4jph2ohe6tmedbsb3kxjnx3ue/0	1	1796008795351753		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x0184cc4756c12de59946ca926c233f6b5aa187cec029398a3a1cc71e64e3e4c399fcfa597c
default	d4jph2ohe6tmedbsb3kxjnx3ue/1	1	1796008795351753		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x0184cc4756e0b081d4aac67883cb24de66774725b790ad68bf36a19d587d7a5ef677704d48
default	d4jph2ohe6tmedbsb3kxjnx3ue/2	1	1796008795351753		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x0184cc47565de042cf436de1fe365319855021c363d4c36da6cff2aedec8895c02203b3cae
default	d4jph2ohe6tmedbsb3kxjnx3ue/3	1	1796008795351753		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x0184cc475644728ea27346e4d6296e62b706859f073b3ddb01ecded45532c6acbbf2053663
default	d4jph2ohe6tmedbsb3kxjnx3ue/4	1	1796008795351753		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x0184cc4756f0670e81c73071826011ddbb205c4b179183b6147ee3771a3b3166dbf5085e2b
default	d4jph2ohe6tmedbsb3kxjnx3ue/5	1	1796008795351753		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x0184cc4756e1f0248f21b88635112f8ced2e5c0cf357f17826ad86b8620bc3c78afeedd751
default	d4jph2ohe6tmedbsb3kxjnx3ue/6	1	1796008795351753		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x0184cc47568d84052c72e447533192bf1983f8091094aedeccacb31b0a2139aaebad958504
default	d4jph2ohe6tmedbsb3kxjnx3ue/7	1	1796008795351753		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x0184cc475644d1c094779238eed6bb436e0c420154377dba672011cef539a5784f1457fd28
default	d4jph2ohe6tmedbsb3kxjnx3ue/8	1	1796008795351753		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x0184cc4756f887b4dbe4f5a064e7cab7257beef12241193e2b17688a7a4c2b972eaebe6306
default	d4jph2ohe6tmedbsb3kxjnx3ue/9	1	1796008795351753		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x0184cc4756919d04a730f6e4313bc60e6950921b93e18a284f4e8bac7796f4fa9b7d8f9bdb
default	d4jph2ohe6tmedbsb3kxjnx3ue/10	1	1796008795351753		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x0184cc47563760b8039b86a2c088dc042f1ba842d18a34ab7aac40cf81454c4c77e1cc47d7
default	d4jph2ohe6tmedbsb3kxjnx3ue/11	1	1796008795351753		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x0184cc47563f5ac70ba34eafd7703b91260b1d40ee84c0aa4b9aec93c13309a9dccea7fc7e
default	d4jph2ohe6tmedbsb3kxjnx3ue/0	2	1796008795372271		system	witness.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x	vm:/tmp/TestDatabasesOfEarlierVersionsOpen3788626712/002/data.witness	\\x0184cc4756c12de59946ca926c233f6b5aa187cec029398a3a1cc71e64e3e4c399fcfa597c	\\x0184cc475622f7f0f6d140c9f3a979ede840964915570c912aaab1418362c085ab0202c002
default	d4jph2ohe6tmedbsb3kxjnx3ue/0	3	1796008795380722		system	signing_key.created	ok		f	1	0		\\x	\\x	signing-key/1	0	\\x	\\x	kid nKyz5CrD4RiLl23OfoaSnua3JumcipP6LAbIkr7C2LA	\\x0184cc475622f7f0f6d140c9f3a979ede840964915570c912aaab1418362c085ab0202c002	\\x0184cc4756d65e1b94c96615d33dda792a3472c2c7676aef81f5447f680997d618d0f4e8a2
default	d4jph2ohe6tmedbsb3kxjnx3ue/0	4	1796008795506622	agrcu525lf5ycv5u2v3omwebnm	caller	key.issued	ok	generateClientEncryptionKey	f	1	26545	qqbzj3xhj7qtpxg72nfbahabse	\\xb21564d3a3dc111bbfe9c81b0ffe5260	\\x22d7769fbdadb242667fa97653e648ef	key/qqbzj3xhj7qtpxg72nfbahabse	1	\\x	\\x3b71368a493f1ad7554e5ae6467da82a74e09c5e1ca16da118d1365c7140bb62		\\x0184cc4756d65e1b94c96615d33dda792a3472c2c7676aef81f5447f680997d618d0f4e8a2	\\x0184cc4756dd7ec8ea15cd62d66e95b1fac8831a903108ac3da30776c6e84bf3778037f3d4
default	d4jph2ohe6tmedbsb3kxjnx3ue/0	5	1796008795556712	agrcu525pbne3i3lfwe52ieohm	caller	credential.set	ok	setUserPasscode	f	1	45067	qqbzj3xhj7qtpxg72nfbahabse	\\xb21564d3a3dc111bbfe9c81b0ffe5260	\\x22d7769fbdadb242667fa97653e648ef	credential/dze6u76gpzdlde3easff5k2bgm	1	\\x	\\xc15e63181a9f9939feee505911a9c92beeb29f1c0bb43691624acba041da5a44		\\x0184cc4756dd7ec8ea15cd62d66e95b1fac8831a903108ac3da30776c6e84bf3778037f3d4	\\x0184cc475615bb9974a90909cf152b51dd217599c3cb84e3087d8f325b4ed885a809b060d1
default	d4jph2ohe6tmedbsb3kxjnx3ue/0	6	1796008795578296	agrcu525va3zxmlj44xctwahxq	caller	credential.set	ok	setTransactionPin	f	1	18867	qqbzj3xhj7qtpxg72nfbahabse	\\xb21564d3a3dc111bbfe9c81b0ffe5260	\\x22d7769fbdadb242667fa97653e648ef	credential/bfywphrw2pyvprejyorj6swiwa	1	\\x	\\x0cb1bcaca8cb73de296f06b288cdcd9582659187691228c72a20e36d7e19bb34		\\x0184cc475615bb9974a90909cf152b51dd217599c3cb84e3087d8f325b4ed885a809b060d1	\\x0184cc4756a6be2c2c8a49134d81510966d6c0c10f9dd2e9842e6f689b214727cd03794168
default	d4jph2ohe6tmedbsb3kxjnx3ue/0	7	1796008795693196	agrcu525ynd44qec5uzqtwbbmq	caller	key.rotated	ok		f	1	0	qqbzj3xhj7qtpxg72nfbahabse	\\xb21564d3a3dc111bbfe9c81b0ffe5260	\\x22d7769fbdadb242667fa97653e648ef	key/qqbzj3xhj7qtpxg72nfbahabse	2	\\x3b71368a493f1ad7554e5ae6467da82a74e09c5e1ca16da118d1365c7140bb62	\\x2fd1753bd4a6c7e443482cb18be045b396b19f41f7969f618ddc1b05a5c84e18		\\x0184cc4756a6be2c2c8a49134d81510966d6c0c10f9dd2e9842e6f689b214727cd03794168	\\x0184cc475658c88613fd86ef6cf1f572c908162b7891a8602a00370ccb8ac5460a1d681761
default	d4jph2ohe6tmedbsb3kxjnx3ue/0	8	1796008795693196	agrcu525ynd44qec5uzqtwbbmq	caller	key.issued	ok	rotateClientEncryptionKey	f	1	106811	fx5uxjbwnhdftir4ugmr2772a4	\\xb21564d3a3dc111bbfe9c81b0ffe5260	\\x22d7769fbdadb242667fa97653e648ef	key/fx5uxjbwnhdftir4ugmr2772a4	1	\\x	\\xd59689044acd85f832d8e8f2b30aa4f29106af12d63c0cf9b7e312165300e36f		\\x0184cc475658c88613fd86ef6cf1f572c908162b7891a8602a00370ccb8ac5460a1d681761	\\x0184cc47565dc83fa0202b160cc019a88fba5f235005a488f07e873329b25e46a1b5fdd98b
default	d4jph2ohe6tmedbsb3kxjnx3ue/0	10	1796008795895621		system	operations.counted	CREDENTIAL_REJECTED		f	1	3116		\\x	\\x		0	\\x	\\x	setTransactionPin	\\x0184cc475662f6b8fad19e01afa0c58539edb98eba	\\x0184cc4756dc8ee445c308d79035797b4f7901ab503c55ac81750a5de49db60d4f0dd18542
default	d4jph2ohe6tmedbsb3kxjnx3ue/1	2	1796008795927814	agrcu526jhfm5of5wz7m673yvm	caller	key.issued	ok	generateClientEncryptionKey	f	1	209295	2qvo5vrx37d3ydz3e7ijyerndi	\\x1c91469e00a27ad3226bb8ca916b624a	\\x63ec9a89be0cadf0d102bd390139d9e8	key/2qvo5vrx37d3ydz3e7ijyerndi	1	\\x	\\xe70598e200abc0386e1a402b30b083ad1823f3c38138e65655bfccd71ba0a863		\\x0184cc4756e0b081d4aac67883cb24de66774725b790ad68bf36a19d587d7a5ef677704d48	\\x0184cc47569f38e60a71796fd0a88d5accf8ef345309b2475409b4a26604c793c73f4eb5f8
default	d4jph2ohe6tmedbsb3kxjnx3ue/0	11	1796008795937452		system	chain.tied	ok		f	1	0		\\x	\\x	chain/6pwylyvq5yljrexmy6yqw347zq	1	\\x	\\x0184cc475632d0156d2beee1f828fb0110ccc7d11884a01db49e32c80f8ce5a2842bd20fd9		\\x0184cc4756dc8ee445c308d79035797b4f7901ab503c55ac81750a5de49db60d4f0dd18542	\\x0184cc4756de5cb10a24310674344df6888f8b57a60a00070c89cc23b940a2678f07ed9e2c
default	d4jph2ohe6tmedbsb3kxjnx3ue/0	12	1796008795937452		system	chain.tied	ok		f	1	0		\\x	\\x	chain/d4jph2ohe6tmedbsb3kxjnx3ue/1	1	\\x	\\x0184cc4756e0b081d4aac67883cb24de66774725b790ad68bf36a19d587d7a5ef677704d48		\\x0184cc4756de5cb10a24310674344df6888f8b57a60a00070c89cc23b940a2678f07ed9e2c	\\x0184cc475618b372ecf2e094ee99afd9c87b0a8600e53007319f3cca6568b7af94e8c9c851
default	d4jph2ohe6tmedbsb3kxjnx3ue/0	13	1796008795937452		system	chain.tied	ok		f	1	0		\\x	\\x	chain/d4jph2ohe6tmedbsb3kxjnx3ue/10	1	\\x	\\x0184cc47563760b8039b86a2c088dc042f1ba842d18a34ab7aac40cf81454c4c77e1cc47d7		\\x0184cc475618b372ecf2e094ee99afd9c87b0a8600e53007319f3cca6568b7af94e8c9c851	\\x0184cc4756d1d92fa5df2e1fe3a50e3ef54cf3ebfe758a06b9999cfae20d297ab6397bba79
default	d4jph2ohe6tmedbsb3kxjnx3ue/0	14	1796008795937452		system	chain.tied	ok		f	1	0		\\x	\\x	chain/d4jph2ohe6tmedbsb3kxjnx3ue/11	1	\\x	\\x0184cc47563f5ac70ba34eafd7703b91260b1d40ee84c0aa4b9aec93c13309a9dccea7fc7e		\\x0184cc4756d1d92fa5df2e1fe3a50e3ef54cf3ebfe758a06b9999cfae20d297ab6397bba79	\\x0184cc4756deb88d824daec6738ef84c47176150f1709c9c772c105741032011d18eeda4cd
default	d4jph2ohe6tmedbsb3kxjnx3ue/0	15	1796008795937452		system	chain.tied	ok		f	1	0		\\x	\\x	chain/d4jph2ohe6tmedbsb3kxjnx3ue/2	1	\\x	\\x0184cc47565de042cf436de1fe365319855021c363d4c36da6cff2aedec8895c02203b3cae		\\x0184cc4756deb88d824daec6738ef84c47176150f1709c9c772c105741032011d18eeda4cd	\\x0184cc4756c0f4e357e04cb06b578366e41d55fdb978ab14815f420cae0da482c45c219efb
default	d4jph2ohe6tmedbsb3kxjnx3ue/0	16	1796008795937452		system	chain.tied	ok		f	1	0		\\x	\\x	chain/d4jph2ohe6tmedbsb3kxjnx3ue/3	1	\\x	\\x0184cc475644728ea27346e4d6296e62b706859f073b3ddb01ecded45532c6acbbf2053663		\\x0184cc4756c0f4e357e04cb06b578366e41d55fdb978ab14815f420cae0da482c45c219efb	\\x0184cc47567641cad313df62a2b0c193911608657eb17a367acdad7b2ce13cc166b06283e1
default	d4jph2ohe6tmedbsb3kxjnx3ue/0	17	1796008795937452		system	chain.tied	ok		f	1	0		\\x	\\x	chain/d4jph2ohe6tmedbsb3kxjnx3ue/4	1	\\x	\\x0184cc4756f0670e81c73071826011ddbb205c4b179183b6147ee3771a3b3166dbf5085e2b		\\x0184cc47567641cad313df62a2b0c193911608657eb17a367acdad7b2ce13cc166b06283e1	\\x0184cc4756b5a43ab700b30cdf3580e8c7ef7db3c1da36da5ede565436bfecba3df8b6a645
default	d4jph2ohe6tmedbsb3kxjnx3ue/0	18	1796008795937452		system	chain.tied	ok		f	1	0		\\x	\\x	chain/d4jph2ohe6tmedbsb3kxjnx3ue/5	1	\\x	\\x0184cc4756e1f0248f21b88635112f8ced2e5c0cf357f17826ad86b8620bc3c78afeedd751		\\x0184cc4756b5a43ab700b30cdf3580e8c7ef7db3c1da36da5ede565436bfecba3df8b6a645	\\x0184cc475607b2fa9e48bf9d7ef76d486036c3c288c081ae801195c0649b5716ddebb19d27
default	d4jph2ohe6tmedbsb3kxjnx3ue/0	19	1796008795937452		system	chain.tied	ok		f	1	0		\\x	\\x	chain/d4jph2ohe6tmedbsb3kxjnx3ue/6	1	\\x	\\x0184cc47568d84052c72e447533192bf1983f8091094aedeccacb31b0a2139aaebad958504		\\x0184cc475607b2fa9e48bf9d7ef76d486036c3c288c081ae801195c0649b5716ddebb19d27	\\x0184cc47564739027bcda73747d3a3cf78c1a4a793058ee1dae8d21a00c38fc9f7c2b4b936
default	d4jph2ohe6tmedbsb3kxjnx3ue/0	20	1796008795937452		system	chain.tied	ok		f	1	0		\\x	\\x	chain/d4jph2ohe6tmedbsb3kxjnx3ue/7	1	\\x	\\x0184cc475644d1c094779238eed6bb436e0c420154377dba672011cef539a5784f1457fd28		\\x0184cc47564739027bcda73747d3a3cf78c1a4a793058ee1dae8d21a00c38fc9f7c2b4b936	\\x0184cc4756b9c1f8229dcaa733f18ae699f4e4ee08f2e6efce3cdd0d8a2ea5f1827658f77d
default	d4jph2ohe6tmedbsb3kxjnx3ue/0	21	1796008795937452		system	chain.tied	ok		f	1	0		\\x	\\x	chain/d4jph2ohe6tmedbsb3kxjnx3ue/8	1	\\x	\\x0184cc4756f887b4dbe4f5a064e7cab7257beef12241193e2b17688a7a4c2b972eaebe6306		\\x0184cc4756b9c1f8229dcaa733f18ae699f4e4ee08f2e6efce3cdd0d8a2ea5f1827658f77d	\\x0184cc4756280e150d44c710dd3d35f25d44e5c5272bb26efaf877245653e7d9375a081b4b
default	d4jph2ohe6tmedbsb3kxjnx3ue/0	22	1796008795937452		system	chain.tied	ok		f	1	0		\\x	\\x	chain/d4jph2ohe6tmedbsb3kxjnx3ue/9	1	\\x	\\x0184cc4756919d04a730f6e4313bc60e6950921b93e18a284f4e8bac7796f4fa9b7d8f9bdb		\\x0184cc4756280e150d44c710dd3d35f25d44e5c5272bb26efaf877245653e7d9375a081b4b	\\x0184cc47565ee6fbdea18c4e5d22697746208eb3f452e30aefda2b52153ef22c82293e61ef
default	d4jph2ohe6tmedbsb3kxjnx3ue/0	23	1796008795956887	agrcu527eisgplsy6ga226ulmm	caller	credential.set	ok	setTransactionPin	f	1	18876	2qvo5vrx37d3ydz3e7ijyerndi	\\x1c91469e00a27ad3226bb8ca916b624a	\\x63ec9a89be0cadf0d102bd390139d9e8	credential/jw6hhky3ie7cxs2pdh4wj4mhn4	1	\\x	\\x116ff56501f0990440c014762d0e4da1e892a5c1e480545932008affe7777b92		\\x0184cc47565ee6fbdea18c4e5d22697746208eb3f452e30aefda2b52153ef22c82293e61ef	\\x0184cc4756dfe2e0ed439f8865608495e09be75d6edf62f08d45d8b47c018be9f28a29e45a
\.


--
-- Data for Name: audit_verdict_2026_11; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.audit_verdict_2026_11 (chain, seq, second, micros, account, data, hash) FROM stdin;
337641473	9	849323995	717137	-1307220781	\\x01a22a775e31b325d7e258e4b64292aa2dfb4ba43669c659a23ca1991d7ffa07a3dc111bbfe9c81b0ffe526022d7769fbdadb242667fa97653e648ef17b3229bb53be83a958d91fce5d7ea2c0202d69e010000086f9f980b1fd2c2406970e85e9dfb011d	\\x0184cc475662f6b8fad19e01afa0c58539edb98eba
337641473	24	849323995	979787	479282846	\\x01a22a775f3741c0564eed19715d4b09d42aeed637dfc7bc0f3b27d09c122d1a00a27ad3226bb8ca916b624a63ec9a89be0cadf0d102bd390139d9e8f06b0b7a98eaf5de71c552ec7c7e11641202dfa2010000083ef97ac8a863559f68b4bb668ef7efc8	\\x0184cc47566681dae438439584b0b561dac1adbf08
337641473	25	849323996	11184	479282846	\\x01a22a775f4ffe14b7038870ba7b7e98d42aeed637dfc7bc0f3b27d09c122d1a00a27ad3226bb8ca916b624a63ec9a89be0cadf0d102bd390139d9e8f06b0b7a98eaf5de71c552ec7c7e1164120480dc0100000868b4bb668ef7efc82659e3819317b5e0	\\x0184cc4756d1b6153a9859cf0fcf4ab2fa3b5acb18
337641473	26	849323996	35013	479282846	\\x01a22a775f6ea55d4c827802c6b30eb0d42aeed637dfc7bc0f3b27d09c122d1a00a27ad3226bb8ca916b624a63ec9a89be0cadf0d102bd390139d9e8f06b0b7a98eaf5de71c552ec7c7e11641206e3a5010000082659e3819317b5e0eb5df01bb8bd74c8	\\x0184cc47565a6af9b288fa5ad3eb22a29b0908611d
337641473	27	849323996	62893	479282846	\\x01a22a775f89f9a15d63c5a9d73ac6d3d42aeed637dfc7bc0f3b27d09c122d1a00a27ad3226bb8ca916b624a63ec9a89be0cadf0d102bd390139d9e8f06b0b7a98eaf5de71c552ec7c7e116412089ca801000008eb5df01bb8bd74c80727613d2e469645	\\x0184cc4756a6fd519fe7602cd18dea38639ff7f06e
\.


--
-- Data for Name: audit_verdict_before; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.audit_verdict_before (chain, seq, second, micros, account, data, hash) FROM stdin;
\.


--
-- Data for Name: bucket; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.bucket (tenant, width, start, instance, operations, failures, duration, devices, durations) FROM stdin;
default	60000000	1796008740000000	d4jph2ohe6tmedbsb3kxjnx3ue	12	1	540629	\\x0122d7769fbdadb24263ec9a89be0cadf0	\\x015d0114020003000101010001040109010701
default	3600000000	1796007600000000	d4jph2ohe6tmedbsb3kxjnx3ue	12	1	540629	\\x0122d7769fbdadb24263ec9a89be0cadf0	\\x015d0114020003000101010001040109010701
default	86400000000	1795996800000000	d4jph2ohe6tmedbsb3kxjnx3ue	12	1	540629	\\x0122d7769fbdadb24263ec9a89be0cadf0	\\x015d0114020003000101010001040109010701
default	2419200000000	1795046400000000	d4jph2ohe6tmedbsb3kxjnx3ue	12	1	540629	\\x0122d7769fbdadb24263ec9a89be0cadf0	\\x015d0114020003000101010001040109010701
\.


--
-- Data for Name: ciphertext; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.ciphertext (tenant, account_id, key_id, digest) FROM stdin;
\.


--
-- Data for Name: ciphertext_chunk; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.ciphertext_chunk (tenant, account_id, key_id, chunk, digests) FROM stdin;
\.


--
-- Data for Name: credential; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.credential (tenant, account_id, type, id, version, created_at, updated_at, sealed) FROM stdin;
default	at6jrk5h5s44fhyqlkqsu644oi	PASSCODE	dze6u76gpzdlde3easff5k2bgm	1	1796008795556712	1796008795556712	\\x0101cd38d20ca7aed8eddfea80bab5c6988825bd0d2fccb9f50883c76380b721d9f8e82d6a2510a70bff4b23f709f8c696cc61fade4a64bcc7017e317de95b07e06c9938de88fe875c9ce29e185f3cc1e65c686c370e1dc61248e0cf31d9c936747f4b4f02d1188e
default	at6jrk5h5s44fhyqlkqsu644oi	TRANSACTION_PIN	bfywphrw2pyvprejyorj6swiwa	1	1796008795578296	1796008795578296	\\x0101cd38d20cfa66f67b09920ebce14c38b0b50ee7124823d420b8b491abe8d37f2be7ff37f2aa7c798965f96635d740c1e8bb489e4a73664c41d03a93e86e703a60d3769c1edd64c03bb0808f447c733206840260f8ef42bf73e5e1689b6c5c4d69a80eb9e9d68c
default	wvc67fzqxi6hi3lfrm4mgnfq3a	TRANSACTION_PIN	jw6hhky3ie7cxs2pdh4wj4mhn4	1	1796008795956887	1796008795956887	\\x0101cd38d20cb7fcb0387673bda5954678ed5b6a64cc7c274f60122f8e425c628c116807d7036274bbf0f5baa69974c232d9ac2788719af842b0488f0f878b1c9ee9c9f55d7613aac62eb4557a8dbfd5ad6b76e7d4016217a4132969573c4535080d49817e58b4b2
\.


--
-- Data for Name: credential_previous; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.credential_previous (tenant, account_id, type, version, id, created_at, updated_at, sealed) FROM stdin;
\.


--
-- Data for Name: device_key; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.device_key (tenant, account_id, id, device_id, state, version, algorithm, bits, app_version, created_at, expires_at, ended_at, grace_until, mac, public_key, sealed, jkt) FROM stdin;
default	at6jrk5h5s44fhyqlkqsu644oi	qqbzj3xhj7qtpxg72nfbahabse	phone	invalidated	2	RSA-OAEP-256	2048		1796008795506622	0	1796008795693196	0	\\x0184cc47567ad7a7ac0819a76e07665afdc20e634faad042a4a01924a97cf1cec23a6abe17	\\x30820122300d06092a864886f70d01010105000382010f003082010a0282010100c6de39c0108a3f222ffdccbf37d9eb1ee60ff9f3cfc638057d52860c7e47773e871b7a0a319f0ea4920b879f55c94176cb9ca619c6f5dded8dcc9efbbc36dc331fcb54b052b05e083251fc2428989507d1f243268fd68caa788981883cfbaee09f5ef162f493d78bc932a980d0a2e58c3cb30133825d9d677d402e46b773555c993da6f57b18d80ebd264b6f687914c461e180f0a4a0fb089947ca3a09b88e32fb0df5341ab645c007d15dc70408e2bbaac3aead21999f2d9036ae67760c83bd188c175ab8148396ac2ca5065f8a8b7bcd2eb650de36631cddad9616c421db745adadef0ac9a80d849ebb4450b5f4d4031a46477561490c336d8926b7bea54510203010001	\\x	
default	at6jrk5h5s44fhyqlkqsu644oi	fx5uxjbwnhdftir4ugmr2772a4	phone	active	1	RSA-OAEP-256	2048		1796008795693196	0	0	0	\\x0184cc475604ab17db7d6b24feb7a904d6bdb0ca17e387a3d953a814353812b01ad4019c6e	\\x30820122300d06092a864886f70d01010105000382010f003082010a0282010100ba470d1050da496cd2dca877aeda6fc163db88dd9a65917c7bc788aa5fa3301b1ced6dea774865b42dd34166a62a324b98a4f6537114e1748ec18bbb2c39491d3142b74316df69e66fca0317a59539523ee61433be158183615d4fa926f2dca66f594a7189ff3c6d05b5c25c9aaa72a055ab6e86ff0b3ef3854f11aa3a57ec27cf00aa3f5bea243a0cd78ffdfd89d428e5313bc6ce95adbcf09a90a5528657ce9e1b4367292b89a99abaedefed03586626d248c9126494679c658dce47ae333177f25fe8f1b8b60702cb36033352ad1786aec94dc46db1287079e013caff994b01c0b171a4a31654f6c20e888dc0ca037b172cb0aecaed972cae5135b01731bd0203010001	\\x0101cd38d20c4375c1b1768bf73e865a5b4945371a6d12ad3379bb48c902365b3fc1e521a5cf0102e5b2b283a92ae9f92567d9ca89c279263fbbdf3f859d617d8c47db7800f58c1981b7460e158f4d6fa3065bdcd3446f1b66ecce8f2c29ef17c236ace2c38bcc0d2c2a30885f10088572521564e3c53ca0247039a03f3060dac00e5917cf79d086cfbe15cb3bdae9159327b32b65d394ad2c0c8b66f080738d301892912c8e6e36503228b12996e65624b5fdcd4805e22f5224b8c34dc46406887ba9896a7421fe9cc98a9748b1a395be292a11242dac7d85ef230e07d3a073aeb7ccd10a439096fc79bc144fee60cbbc91bff080a6f835686916b276213f161ade11b010ae85ee8a12f55ff652d894e138e68a98362b382e66b1c3ddb79fa94f6a8597a1e29913272123391d2aa8	
default	wvc67fzqxi6hi3lfrm4mgnfq3a	2qvo5vrx37d3ydz3e7ijyerndi	tablet	active	1	RSA-OAEP-256	2048		1796008795927814	0	0	0	\\x0184cc47566d972de785d6e035ba4728271c8ef192db4e6d1e94b5ed61b4917b7d5d251d02	\\x30820122300d06092a864886f70d01010105000382010f003082010a0282010100c6bfe610b46dd916edd831ba1b1d2019d3a0fa1f4133f59eeed0b41407dea749746fecc2721e4ddd3bf8a25376a97f243edcf658a766e6661f6bbdd18e33ae0b8a67cf3d5dfe8fc0e4c3de2ca67db44ff0d777539722ca63bc3b84fda772c117c7393c7b7f918bb17452084b6e2c7ca0469050292a75fa39ee957f9fac6b371ed55047bfebf95000be14f41d983f45d0ed1f611f6014b8db8fc34d865c7407e81ea89b51f4603a67bb2aadb8427d965c3b0499a6e4f20e901ca995f36574b8cb2feb28eaffc478a228ccd9cc3a57e12a7990998275d9a540dfc69773282783cf2e692469258ff69b21c004f17c615b4314f53f4156f68ba08fef2f47e2a69b910203010001	\\x0101cd38d20cbc9b648c8c4d5573cafae81104472fcb03c58a5928cc4428ef98bf2924fe20eaedf8021b65fd26ff3f20b8fddc696143dd12a2f7b839f4ee9d7674169a79fce6fc64ad4974db5f6159846ed0852bcd5bbb2895a6d6cff61d3c795e23a617d578ec365101c808c0d77ef2b43abe238f0c3adf9e276a98c54fcf6eff523b7d798eaabdf354b875920c7a86990b08798a2edd78d8a160540c4e6c43614cc35e4ab88be24425371bf669bad85d7f4700ffd0e01415e8a164e3e2d15ea8053f9779ae3fed0b522f2cd1cd050cbef8b0372cfd8be045568849848db5cefb29f8a737fc381cd663aa7418dae36d5b2fc8c1f3780089ca05160792c8dab48fa8900d38066fdca7ba6418312688924c0eeb60bb4acfdaa0cef5b807e71a2628ee17a6ba86d3025aa7cd0f26e6c8	
\.


--
-- Data for Name: key_account; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.key_account (tenant, key_id, account_id) FROM stdin;
default	qqbzj3xhj7qtpxg72nfbahabse	at6jrk5h5s44fhyqlkqsu644oi
default	fx5uxjbwnhdftir4ugmr2772a4	at6jrk5h5s44fhyqlkqsu644oi
default	2qvo5vrx37d3ydz3e7ijyerndi	wvc67fzqxi6hi3lfrm4mgnfq3a
\.


--
-- Data for Name: key_generation; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.key_generation (tenant, device, count, reset_at) FROM stdin;
\.


--
-- Data for Name: key_use; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.key_use (tenant, account_id, key_id, used_at) FROM stdin;
default	at6jrk5h5s44fhyqlkqsu644oi	qqbzj3xhj7qtpxg72nfbahabse	1796007600000000
default	at6jrk5h5s44fhyqlkqsu644oi	fx5uxjbwnhdftir4ugmr2772a4	1796007600000000
default	wvc67fzqxi6hi3lfrm4mgnfq3a	2qvo5vrx37d3ydz3e7ijyerndi	1796007600000000
\.


--
-- Data for Name: outbox; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.outbox (tenant, account_id, seq, id, event, "time", data, mac) FROM stdin;
\.


--
-- Data for Name: outbox_dead; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.outbox_dead (tenant, account_id, seq, id, event, "time", data, mac, reason, dead_at) FROM stdin;
\.


--
-- Data for Name: outbox_lane; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.outbox_lane (tenant, account_id, last_seq) FROM stdin;
\.


--
-- Data for Name: receipt; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.receipt (tenant, key, digest, request_id, done_at) FROM stdin;
\.


--
-- Data for Name: redemption; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.redemption (tenant, id, expires_at) FROM stdin;
\.


--
-- Data for Name: schema_lock; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.schema_lock (lock_id, locked, locked_at, locked_by, lease_expires_at, updated_at) FROM stdin;
4097083626	f	\N	\N	\N	2026-11-30 03:19:55.299488+00
\.


--
-- Data for Name: schema_version; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.schema_version (id, version_id, is_applied, tstamp) FROM stdin;
1	0	t	2026-11-30 03:19:55.196768
2	1	t	2026-11-30 03:19:55.220256
3	2	t	2026-11-30 03:19:55.239085
4	3	t	2026-11-30 03:19:55.253298
5	4	t	2026-11-30 03:19:55.254079
6	5	t	2026-11-30 03:19:55.269147
7	6	t	2026-11-30 03:19:55.270729
8	7	t	2026-11-30 03:19:55.272869
9	8	t	2026-11-30 03:19:55.273682
10	9	t	2026-11-30 03:19:55.27836
11	10	t	2026-11-30 03:19:55.282073
12	11	t	2026-11-30 03:19:55.286813
13	12	t	2026-11-30 03:19:55.288012
14	13	t	2026-11-30 03:19:55.288202
15	14	t	2026-11-30 03:19:55.293977
\.


--
-- Data for Name: setting; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.setting (tenant, name, value) FROM stdin;
default	epoch	\\x31
default	keyset	\\x7b226b6579736574223a7b2267656e65726174696f6e223a312c22646174614b657973223a5b7b226964223a333434333035333036382c226d6163223a323232373938303131382c227072696d617279223a747275657d5d2c227772617073223a5b7b22726f6f744b6579223a2262373931343436353639616634326330222c2275726c223a2266696c653a2f746d702f546573744461746162617365734f664561726c69657256657273696f6e734f70656e333738383632363731322f3030322f646174612f726f6f742e6b6579222c2261646465644174223a22323032362d31312d33305430333a31393a35352e3331393235385a222c226b6579223a227179416464462f2f46596e482b356c6b49636635423935495373534968364f7330714541417a687444622b73464a6233307a4d675752423778395a465a2b732f365237427850753479762b474c6b664e523145556455357473755749304b5668222c226b6579736574223a22474b55384345716e6a496778786c4a634f716a344734346e37763266566a6e527677545a6254322b6c4c65576f63597a4d5a655244332f4772696177417245346b30344979585663616644785a70665047426b44586a316d3237356a427373574175635a446335332b6456516864444c756a6268705a396f6859775944384556627373684c2b50306d4d4d583647546c364d7a3231527767466349594c5179714b4b4f585244527854627748423130537a6f4c384b5537657845376a417a7957304762516144674930304672344c686a6a393946456b4c4642306d37426e6a426c3030566e725a754b736e6c45584f3543473956744d2f31666d726771566a585743504b38686d704358425344464f4450425263396b53445436377632526f6546384a504e506f6662484c553176786f77484d585a693068466173596e444c56756f2f376742333833716544442f554a3572586d4f2b417a56474c6374465663385a437466414257227d5d7d2c226d6163223a224159544d523162665270516a6c7179755a2b626f38644d6235466b624e496e4b45395234445233454949356c5270725648413d3d227d
default	account_mode	\\x646576696365
default	audit_chain	\\x367077796c79767135796c6a7265786d79367971773334377a71
default	witness/9dddb818c54d6ee35301b4a8f41cd035	\\x00066175e242faef
default	metrics.folded/d4jph2ohe6tmedbsb3kxjnx3ue/2	\\x0000000000000001
default	metrics.folded/d4jph2ohe6tmedbsb3kxjnx3ue/3	\\x0000000000000001
default	metrics.folded/d4jph2ohe6tmedbsb3kxjnx3ue/4	\\x0000000000000001
default	metrics.folded/d4jph2ohe6tmedbsb3kxjnx3ue/5	\\x0000000000000001
default	metrics.folded/d4jph2ohe6tmedbsb3kxjnx3ue/6	\\x0000000000000001
default	metrics.folded/d4jph2ohe6tmedbsb3kxjnx3ue/7	\\x0000000000000001
default	metrics.folded/d4jph2ohe6tmedbsb3kxjnx3ue/8	\\x0000000000000001
default	metrics.folded/d4jph2ohe6tmedbsb3kxjnx3ue/9	\\x0000000000000001
default	metrics.folded/d4jph2ohe6tmedbsb3kxjnx3ue/10	\\x0000000000000001
default	metrics.folded/d4jph2ohe6tmedbsb3kxjnx3ue/11	\\x0000000000000001
default	audit_tied	\\x00066175e24b9aac0184cc47562583045005ac1cdf9eb92aa6527db5ac1ae813437eed35cdf704845225af0bc2
default	metrics.folded/d4jph2ohe6tmedbsb3kxjnx3ue/0	\\x000000000000001b
default	metrics.folded/d4jph2ohe6tmedbsb3kxjnx3ue/1	\\x0000000000000002
default	beat/d4jph2ohe6tmedbsb3kxjnx3ue	\\x250184cc475614da2412c15ade8029f9aaa51a46b6d47fac1b3afe604be3e87e151b1a4c13ef7b22696e7374616e6365223a2264346a7068326f686536746d6564627362336b786a6e78337565222c226e756d626572223a322c226174223a313739363030383739363037313937372c22636f6e646974696f6e223a22656e646564222c226865616473223a7b2230223a32372c2231223a322c223130223a312c223131223a312c2232223a312c2233223a312c2234223a312c2235223a312c2236223a312c2237223a312c2238223a312c2239223a317d2c2272656164223a6e756c6c7d
\.


--
-- Data for Name: signing_key; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.signing_key (tenant, number, id, algorithm, version, created_at, active_from, erased_at, mac, public_key, sealed) FROM stdin;
default	1	nKyz5CrD4RiLl23OfoaSnua3JumcipP6LAbIkr7C2LA	ES256	1	1796008795380722	1796008795380722	0	\\x0184cc4756bbc021b125d68676733c1491e3ca2059ac6661a48a8c2d43961c5d3d6233516a	\\x3059301306072a8648ce3d020106082a8648ce3d0301070342000475f57e6604951cce6fc1fbf38bd143857d8195f38611ac24aad3ee9c37fe95d30871284cc1b2301f6f989473723031546328a5c6f62328878d8680895a244146	\\x0101cd38d20ce7c043bfb5d18187b894326c19ee3d1b261e84cf765a897c03566fa3a12ccc4423121acf76909eee39b2457b1a4c5000556c840e35050d432b6e84ec33bca267027e34a351967dcab9d3d03bd942d38894685f4d1e2078ca5f2dd03c9229787a669674c033b9a6968c09185e1053135d3f76ccb9d5bf083e539251fdc65048b723973c0435f412d248192708b01c87be0a2d06cf3eaa33c3f7f26c807895db1379fbd1df23e19de88234775586e6d3954663
\.


--
-- Name: schema_version_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.schema_version_id_seq', 15, true);


--
-- Name: account account_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.account
    ADD CONSTRAINT account_pkey PRIMARY KEY (tenant, id);


--
-- Name: attempts attempts_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.attempts
    ADD CONSTRAINT attempts_pkey PRIMARY KEY (tenant, account_id, type);


--
-- Name: audit_chain audit_chain_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.audit_chain
    ADD CONSTRAINT audit_chain_pkey PRIMARY KEY (tenant, name);


--
-- Name: audit_log audit_log_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.audit_log
    ADD CONSTRAINT audit_log_pkey PRIMARY KEY (tenant, chain, seq);


--
-- Name: audit_verdict audit_verdict_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.audit_verdict
    ADD CONSTRAINT audit_verdict_pkey PRIMARY KEY (chain, seq);


--
-- Name: audit_verdict_2026_11 audit_verdict_2026_11_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.audit_verdict_2026_11
    ADD CONSTRAINT audit_verdict_2026_11_pkey PRIMARY KEY (chain, seq);


--
-- Name: audit_verdict_before audit_verdict_before_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.audit_verdict_before
    ADD CONSTRAINT audit_verdict_before_pkey PRIMARY KEY (chain, seq);


--
-- Name: bucket bucket_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.bucket
    ADD CONSTRAINT bucket_pkey PRIMARY KEY (tenant, width, start, instance);


--
-- Name: ciphertext_chunk ciphertext_chunk_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ciphertext_chunk
    ADD CONSTRAINT ciphertext_chunk_pkey PRIMARY KEY (tenant, account_id, key_id, chunk);


--
-- Name: ciphertext ciphertext_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ciphertext
    ADD CONSTRAINT ciphertext_pkey PRIMARY KEY (tenant, account_id, key_id, digest);


--
-- Name: credential credential_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.credential
    ADD CONSTRAINT credential_pkey PRIMARY KEY (tenant, account_id, type);


--
-- Name: credential_previous credential_previous_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.credential_previous
    ADD CONSTRAINT credential_previous_pkey PRIMARY KEY (tenant, account_id, type, version);


--
-- Name: device_key device_key_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.device_key
    ADD CONSTRAINT device_key_pkey PRIMARY KEY (tenant, account_id, id);


--
-- Name: key_account key_account_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.key_account
    ADD CONSTRAINT key_account_pkey PRIMARY KEY (tenant, key_id);


--
-- Name: key_generation key_generation_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.key_generation
    ADD CONSTRAINT key_generation_pkey PRIMARY KEY (tenant, device);


--
-- Name: key_use key_use_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.key_use
    ADD CONSTRAINT key_use_pkey PRIMARY KEY (tenant, account_id, key_id);


--
-- Name: outbox_dead outbox_dead_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.outbox_dead
    ADD CONSTRAINT outbox_dead_pkey PRIMARY KEY (tenant, account_id, seq);


--
-- Name: outbox_lane outbox_lane_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.outbox_lane
    ADD CONSTRAINT outbox_lane_pkey PRIMARY KEY (tenant, account_id);


--
-- Name: outbox outbox_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.outbox
    ADD CONSTRAINT outbox_pkey PRIMARY KEY (tenant, account_id, seq);


--
-- Name: receipt receipt_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.receipt
    ADD CONSTRAINT receipt_pkey PRIMARY KEY (tenant, key);


--
-- Name: redemption redemption_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.redemption
    ADD CONSTRAINT redemption_pkey PRIMARY KEY (tenant, id);


--
-- Name: schema_lock schema_lock_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.schema_lock
    ADD CONSTRAINT schema_lock_pkey PRIMARY KEY (lock_id);


--
-- Name: schema_version schema_version_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.schema_version
    ADD CONSTRAINT schema_version_pkey PRIMARY KEY (id);


--
-- Name: setting setting_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.setting
    ADD CONSTRAINT setting_pkey PRIMARY KEY (tenant, name);


--
-- Name: signing_key signing_key_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.signing_key
    ADD CONSTRAINT signing_key_pkey PRIMARY KEY (tenant, number);


--
-- Name: account_name; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX account_name ON public.account USING btree (tenant, mode, issuer, subject);


--
-- Name: attempts_locked; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX attempts_locked ON public.attempts USING btree (tenant, locked_to, account_id, type) WHERE (locked_to > 0);


--
-- Name: audit_chain_number; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX audit_chain_number ON public.audit_chain USING btree (tenant, number);


--
-- Name: audit_log_account; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX audit_log_account ON public.audit_log USING btree (tenant, account, "time", chain, seq) WHERE (length(account) > 0);


--
-- Name: audit_log_event; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX audit_log_event ON public.audit_log USING btree (tenant, event, "time", chain, seq) WHERE (event <> ALL (ARRAY['credential.verified'::text, 'credential.mismatch'::text, 'operations.counted'::text, 'refusals.counted'::text, 'key.issued'::text, 'key.app_version'::text, 'credential.set'::text, 'chain.tied'::text, 'audit.checkpoint'::text, 'record.carried'::text]));


--
-- Name: audit_log_time; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX audit_log_time ON public.audit_log USING btree (tenant, "time", chain, seq);


--
-- Name: audit_verdict_account; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX audit_verdict_account ON ONLY public.audit_verdict USING btree (account, second);


--
-- Name: audit_verdict_2026_11_account_second_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX audit_verdict_2026_11_account_second_idx ON public.audit_verdict_2026_11 USING btree (account, second);


--
-- Name: audit_verdict_time; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX audit_verdict_time ON ONLY public.audit_verdict USING btree (second);


--
-- Name: audit_verdict_2026_11_second_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX audit_verdict_2026_11_second_idx ON public.audit_verdict_2026_11 USING btree (second);


--
-- Name: audit_verdict_before_account; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX audit_verdict_before_account ON public.audit_verdict_before USING btree (account, second);


--
-- Name: audit_verdict_before_time; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX audit_verdict_before_time ON public.audit_verdict_before USING btree (second);


--
-- Name: device_key_active; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX device_key_active ON public.device_key USING btree (tenant, account_id, device_id) WHERE (state = 'active'::text);


--
-- Name: device_key_age; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX device_key_age ON public.device_key USING btree (tenant, bits, created_at) WHERE ((state = 'active'::text) AND (created_at > 0));


--
-- Name: device_key_device; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX device_key_device ON public.device_key USING btree (tenant, device_id, account_id) WHERE (length(device_id) > 0);


--
-- Name: device_key_erasable; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX device_key_erasable ON public.device_key USING btree (tenant, grace_until) WHERE ((state <> 'active'::text) AND (length(sealed) > 0));


--
-- Name: device_key_expiring; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX device_key_expiring ON public.device_key USING btree (tenant, expires_at) WHERE ((state = 'active'::text) AND (expires_at > 0));


--
-- Name: device_key_grace; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX device_key_grace ON public.device_key USING btree (tenant, account_id, device_id) WHERE ((state <> 'active'::text) AND (length(sealed) > 0));


--
-- Name: device_key_of_account; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX device_key_of_account ON public.device_key USING btree (tenant, account_id, device_id, created_at) WHERE (length(device_id) > 0);


--
-- Name: key_generation_reset; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX key_generation_reset ON public.key_generation USING btree (tenant, reset_at);


--
-- Name: outbox_dead_at; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX outbox_dead_at ON public.outbox_dead USING btree (tenant, dead_at, id) WHERE (dead_at > 0);


--
-- Name: outbox_dead_id; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX outbox_dead_id ON public.outbox_dead USING btree (tenant, id) WHERE (length(id) > 0);


--
-- Name: outbox_time; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX outbox_time ON public.outbox USING btree (tenant, "time");


--
-- Name: receipt_done; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX receipt_done ON public.receipt USING btree (tenant, done_at);


--
-- Name: redemption_expiry; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX redemption_expiry ON public.redemption USING btree (tenant, expires_at);


--
-- Name: audit_verdict_2026_11_account_second_idx; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.audit_verdict_account ATTACH PARTITION public.audit_verdict_2026_11_account_second_idx;


--
-- Name: audit_verdict_2026_11_pkey; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.audit_verdict_pkey ATTACH PARTITION public.audit_verdict_2026_11_pkey;


--
-- Name: audit_verdict_2026_11_second_idx; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.audit_verdict_time ATTACH PARTITION public.audit_verdict_2026_11_second_idx;


--
-- Name: audit_verdict_before_account; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.audit_verdict_account ATTACH PARTITION public.audit_verdict_before_account;


--
-- Name: audit_verdict_before_pkey; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.audit_verdict_pkey ATTACH PARTITION public.audit_verdict_before_pkey;


--
-- Name: audit_verdict_before_time; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.audit_verdict_time ATTACH PARTITION public.audit_verdict_before_time;


--
-- PostgreSQL database dump complete
--

\unrestrict 6rqbi540cokxGKip8kKfryfmIwdHa21drEZUAh0tBbEUoVvpNUHoAem0Tr3dEXa

