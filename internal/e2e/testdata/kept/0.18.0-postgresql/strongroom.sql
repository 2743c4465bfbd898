--
-- PostgreSQL database dump
--

\restrict p32owWuZaOgIpgJkKvYihc2phDMWcmyp3pjEtKbLWxNbgAwazISLqkSCiTiLPWb

-- Dumped from database version 15.18 (Debian 15.18-0+deb12u1)
-- Dumped by pg_dump version 15.18 (Debian 15.18-0+deb12u1)

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
default	q6myeg3h2z7ghnmz2kq25mdl6q	device		phone	1795973865644530
default	3v2ufirtb2v6llxpnozyt4ndae	device		tablet	1795973866117996
\.


--
-- Data for Name: attempts; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.attempts (tenant, account_id, type, id, version, failures, locked_until, permanent, recent, pending, mac, verified_at, verified_by, devices, locked_to) FROM stdin;
default	q6myeg3h2z7ghnmz2kq25mdl6q	TRANSACTION_PIN	zaqeqrpwjmarz5qtjlq5fu2o5y	2	0	0	f	[]	[]	\\x016d5ed253bc245985c200d8a098f27f04317044cd4faab5ecad7c50b289122bc3622d6ade	1795973865876897		[]	0
default	3v2ufirtb2v6llxpnozyt4ndae	TRANSACTION_PIN	74hij3kjqfvrcewdraz6taadj4	8	4	0	f	[1795973866172925,1795973866203171,1795973866229776,1795973866257390]	[]	\\x016d5ed25333044d33890bcd68beaa04cadf309b2fcf8900e66e2a5e3fdc936db4c818ec11	0		[]	0
\.


--
-- Data for Name: audit_chain; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.audit_chain (tenant, name, number, form) FROM stdin;
default	uj6kit5wiirng4zin3xlr65bja	337641472	2
default	amj5ripeezfj3oqcd24o5kzjre/0	337641473	2
default	amj5ripeezfj3oqcd24o5kzjre/1	337641474	2
default	amj5ripeezfj3oqcd24o5kzjre/2	337641475	2
default	amj5ripeezfj3oqcd24o5kzjre/3	337641476	2
default	amj5ripeezfj3oqcd24o5kzjre/4	337641477	2
default	amj5ripeezfj3oqcd24o5kzjre/5	337641478	2
default	amj5ripeezfj3oqcd24o5kzjre/6	337641479	2
default	amj5ripeezfj3oqcd24o5kzjre/7	337641480	2
default	amj5ripeezfj3oqcd24o5kzjre/8	337641481	2
default	amj5ripeezfj3oqcd24o5kzjre/9	337641482	2
default	amj5ripeezfj3oqcd24o5kzjre/10	337641483	2
default	amj5ripeezfj3oqcd24o5kzjre/11	337641484	2
\.


--
-- Data for Name: audit_log; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.audit_log (tenant, chain, seq, "time", request_id, actor, event, outcome, operation, failed, count, duration, key_id, account, device, record, version, before, digest, reason, prev, hash) FROM stdin;
default	uj6kit5wiirng4zin3xlr65bja	1	1795973865358582		system	store.initialised	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x016d5ed25308bbbd2b04311327d6a3b644845dfef976868a5ef13db61b2f11958a3002f29b
default	amj5ripeezfj3oqcd24o5kzjre/0	1	1795973865436699		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x016d5ed253b90a74308b66fc4ed5954a0c19f04007f0f7b042025c88e18ea86ea72ce517c1
default	amj5ripeezfj3oqcd24o5kzjre/1	1	1795973865436699		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x016d5ed25343170f3255bca31d75068d4a0ed0bb821b6f8baf887fa4336ea45ab44038c40e
default	amj5ripeezfj3oqcd24o5kzjre/2	1	1795973865436699		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x016d5ed253045d9946d1f2299e819ffddfc72657d22b40a4dc5c5895856511b59bd7816629
default	amj5ripeezfj3oqcd24o5kzjre/3	1	1795973865436699		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x016d5ed253a890b89e7c5add4ad96fe7690e79763430c07088c00f61b2af9ccdf4e7e197ee
default	amj5ripeezfj3oqcd24o5kzjre/4	1	1795973865436699		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x016d5ed25304217f44507d7b098224452d9841ada8138ef0bc23a62ba1e0f5f0e1a4f67fcb
default	amj5ripeezfj3oqcd24o5kzjre/5	1	1795973865436699		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x016d5ed253a680cb3eb229bcf664a6f244ea7a15e25c4646f301cbce1c5176811d5e09a98d
default	amj5ripeezfj3oqcd24o5kzjre/6	1	1795973865436699		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x016d5ed25320eac0bb87c3a949fd445c142d75b85bbd2eadbfeae1f820e42eeb70d56e2d9c
default	amj5ripeezfj3oqcd24o5kzjre/7	1	1795973865436699		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x016d5ed253b22a0a4087e3fb2fff5132104acd1ddb1391ae4313e9e9f1f6b2dd9895e779ee
default	amj5ripeezfj3oqcd24o5kzjre/8	1	1795973865436699		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x016d5ed25319b2e5637215c56976b61788f4121f313f4482a49667241dc9e1690f16eced73
default	amj5ripeezfj3oqcd24o5kzjre/9	1	1795973865436699		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x016d5ed253b0fba4372b2a7b3b6f87cf335715dc1c97eeb28e75752ba57af85901020885a3
default	amj5ripeezfj3oqcd24o5kzjre/10	1	1795973865436699		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x016d5ed2531254e10b6daf3f07284d9c19ab3b3af4d82b32dcf3fd47b87d4a777d123cb702
default	amj5ripeezfj3oqcd24o5kzjre/11	1	1795973865436699		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x016d5ed253a46f39888c54f1e402f88f33c8f2361b75bbc822abe8ce75be745bc4ba6b289f
default	amj5ripeezfj3oqcd24o5kzjre/0	2	1795973865448613		system	witness.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x	vm:/tmp/TestDatabasesOfEarlierVersionsOpen1862053936/002/data.witness	\\x016d5ed253b90a74308b66fc4ed5954a0c19f04007f0f7b042025c88e18ea86ea72ce517c1	\\x016d5ed2534d423bfbdbdf2b834fc0ae7135e8146c0bf97c36c78007a6f3a93308e229064c
default	amj5ripeezfj3oqcd24o5kzjre/0	3	1795973865457249		system	signing_key.created	ok		f	1	0		\\x	\\x	signing-key/1	0	\\x	\\x	kid bw4dvvQpFOfrlzv0F3dwQ81k_uGLivyilEo0g6GN-V0	\\x016d5ed2534d423bfbdbdf2b834fc0ae7135e8146c0bf97c36c78007a6f3a93308e229064c	\\x016d5ed253ba4222692a39cbcf066e034485d644f7de5883f2e5cc01434812dd36fcbdbeb6
default	amj5ripeezfj3oqcd24o5kzjre/0	4	1795973865644530	agrcqytamtxpnwbindskzptcoq	caller	key.issued	ok	generateClientEncryptionKey	f	1	73430	4a6k3twdcse3vbsvssbiploeku	\\x5a00026118fe45ca4167fb21e002b2e3	\\x538bcfe224289b1eb3b9058682307406	key/4a6k3twdcse3vbsvssbiploeku	1	\\x	\\x70ce7c62d545ddfa826ffb3f262f45d15352aaf29e92738a7ec619196ca9a80f		\\x016d5ed253ba4222692a39cbcf066e034485d644f7de5883f2e5cc01434812dd36fcbdbeb6	\\x016d5ed253077747f9e5cb16bff4152dd789944f3e7fe0ebbb174b5c004783997bc8722c9a
default	amj5ripeezfj3oqcd24o5kzjre/0	5	1795973865668039	agrcqytawl3fuovgtcfj75txj4	caller	credential.set	ok	setUserPasscode	f	1	20487	4a6k3twdcse3vbsvssbiploeku	\\x5a00026118fe45ca4167fb21e002b2e3	\\x538bcfe224289b1eb3b9058682307406	credential/wcm7yu2erryx6imqtq6fgjtk4q	1	\\x	\\x24fec1f59e54f73794a25d62bed1674a536b66a99905d3f9956a6abc98f5c812		\\x016d5ed253077747f9e5cb16bff4152dd789944f3e7fe0ebbb174b5c004783997bc8722c9a	\\x016d5ed25342e7d5b3a952c7d1404bbb7989da2f88a110a33c6b7b821136a6f31cc5280e75
default	amj5ripeezfj3oqcd24o5kzjre/0	6	1795973865698836	agrcqytaztaqghlcoq5yfrs3rq	caller	credential.set	ok	setTransactionPin	f	1	23429	4a6k3twdcse3vbsvssbiploeku	\\x5a00026118fe45ca4167fb21e002b2e3	\\x538bcfe224289b1eb3b9058682307406	credential/mmtof37zekfunnzn5mfinr6wbi	1	\\x	\\x1bc99b182bd91cd2a9f8dbd7c1a411dc2191921f0005f2a78d56f103edc7d390		\\x016d5ed25342e7d5b3a952c7d1404bbb7989da2f88a110a33c6b7b821136a6f31cc5280e75	\\x016d5ed25380875fd3b8ebd3b364abc4c72298969c75207d263d5111be8ee11337b2f55e81
default	amj5ripeezfj3oqcd24o5kzjre/0	7	1795973865830508	agrcqyta5fniig3xj4spahrj4q	caller	key.rotated	ok		f	1	0	4a6k3twdcse3vbsvssbiploeku	\\x5a00026118fe45ca4167fb21e002b2e3	\\x538bcfe224289b1eb3b9058682307406	key/4a6k3twdcse3vbsvssbiploeku	2	\\x70ce7c62d545ddfa826ffb3f262f45d15352aaf29e92738a7ec619196ca9a80f	\\x8ff1e9309539ac3a0b0aa7b7c255701af2cbb7d4adda656a0774a1b71ce1bc3f		\\x016d5ed25380875fd3b8ebd3b364abc4c72298969c75207d263d5111be8ee11337b2f55e81	\\x016d5ed253b468789eaa642aeb60fd574b3b25f2d1f132b18e00d15de4b785b733b70db21b
default	amj5ripeezfj3oqcd24o5kzjre/0	8	1795973865830508	agrcqyta5fniig3xj4spahrj4q	caller	key.issued	ok	rotateClientEncryptionKey	f	1	125886	qaqzp44mhni5ohiqredsagdw7q	\\x5a00026118fe45ca4167fb21e002b2e3	\\x538bcfe224289b1eb3b9058682307406	key/qaqzp44mhni5ohiqredsagdw7q	1	\\x	\\x6e3c01e873f2c1e979863e0dad7cbc687db53e7cbd93f295b4a2e5f73e98ad9d		\\x016d5ed253b468789eaa642aeb60fd574b3b25f2d1f132b18e00d15de4b785b733b70db21b	\\x016d5ed253d4242aef4854346bcf90b69eb603e64887ffd2f833368d0fe7080bcab24674c9
default	amj5ripeezfj3oqcd24o5kzjre/0	10	1795973865979244		system	operations.counted	CREDENTIAL_REJECTED		f	1	3082		\\x	\\x		0	\\x	\\x	setTransactionPin	\\x016d5ed253368a563cef330b17ffeeef9a17a34547	\\x016d5ed253a49487373509aafbc17150897a3a4f34a5c14e409c423bf5555495774ee6d7ca
default	amj5ripeezfj3oqcd24o5kzjre/0	11	1795973866009079		system	chain.tied	ok		f	1	0		\\x	\\x	chain/amj5ripeezfj3oqcd24o5kzjre/1	1	\\x	\\x016d5ed25343170f3255bca31d75068d4a0ed0bb821b6f8baf887fa4336ea45ab44038c40e		\\x016d5ed253a49487373509aafbc17150897a3a4f34a5c14e409c423bf5555495774ee6d7ca	\\x016d5ed253b4f86952d5543d1df597559a5e0c461f7edcfa96d28d989196e3bbe82e37c741
default	amj5ripeezfj3oqcd24o5kzjre/0	12	1795973866009079		system	chain.tied	ok		f	1	0		\\x	\\x	chain/amj5ripeezfj3oqcd24o5kzjre/10	1	\\x	\\x016d5ed2531254e10b6daf3f07284d9c19ab3b3af4d82b32dcf3fd47b87d4a777d123cb702		\\x016d5ed253b4f86952d5543d1df597559a5e0c461f7edcfa96d28d989196e3bbe82e37c741	\\x016d5ed253f549e2434a0d3e443d503b6dd6c08b2b4f6a6dd03e1a95090c3d883a014078c6
default	amj5ripeezfj3oqcd24o5kzjre/0	13	1795973866009079		system	chain.tied	ok		f	1	0		\\x	\\x	chain/amj5ripeezfj3oqcd24o5kzjre/11	1	\\x	\\x016d5ed253a46f39888c54f1e402f88f33c8f2361b75bbc822abe8ce75be745bc4ba6b289f		\\x016d5ed253f549e2434a0d3e443d503b6dd6c08b2b4f6a6dd03e1a95090c3d883a014078c6	\\x016d5ed253c936f8940fde31918140b89ff7b8d05d85dd5c51f930cf376a450837de991c3f
default	amj5ripeezfj3oqcd24o5kzjre/0	14	1795973866009079		system	chain.tied	ok		f	1	0		\\x	\\x	chain/amj5ripeezfj3oqcd24o5kzjre/2	1	\\x	\\x016d5ed253045d9946d1f2299e819ffddfc72657d22b40a4dc5c5895856511b59bd7816629		\\x016d5ed253c936f8940fde31918140b89ff7b8d05d85dd5c51f930cf376a450837de991c3f	\\x016d5ed25385943a6cb794cb4e9a186bc5ca1da89e88539c240859c46228dc0544e8834bfb
default	amj5ripeezfj3oqcd24o5kzjre/0	15	1795973866009079		system	chain.tied	ok		f	1	0		\\x	\\x	chain/amj5ripeezfj3oqcd24o5kzjre/3	1	\\x	\\x016d5ed253a890b89e7c5add4ad96fe7690e79763430c07088c00f61b2af9ccdf4e7e197ee		\\x016d5ed25385943a6cb794cb4e9a186bc5ca1da89e88539c240859c46228dc0544e8834bfb	\\x016d5ed253862c83d0210dd60ed263abba6e1de1725121b88bdf47788a6c7dc7a37ff6e07b
default	amj5ripeezfj3oqcd24o5kzjre/0	16	1795973866009079		system	chain.tied	ok		f	1	0		\\x	\\x	chain/amj5ripeezfj3oqcd24o5kzjre/4	1	\\x	\\x016d5ed25304217f44507d7b098224452d9841ada8138ef0bc23a62ba1e0f5f0e1a4f67fcb		\\x016d5ed253862c83d0210dd60ed263abba6e1de1725121b88bdf47788a6c7dc7a37ff6e07b	\\x016d5ed253afea908296b43a9a3a0bea12a6fc4b982c39a09e24db6467ab5e0e7954baf248
default	amj5ripeezfj3oqcd24o5kzjre/0	17	1795973866009079		system	chain.tied	ok		f	1	0		\\x	\\x	chain/amj5ripeezfj3oqcd24o5kzjre/5	1	\\x	\\x016d5ed253a680cb3eb229bcf664a6f244ea7a15e25c4646f301cbce1c5176811d5e09a98d		\\x016d5ed253afea908296b43a9a3a0bea12a6fc4b982c39a09e24db6467ab5e0e7954baf248	\\x016d5ed253d65b3a704c10ef0c48f33dbe7ffacded4d220d102e5db72cf2d4a6c780db8599
default	amj5ripeezfj3oqcd24o5kzjre/0	18	1795973866009079		system	chain.tied	ok		f	1	0		\\x	\\x	chain/amj5ripeezfj3oqcd24o5kzjre/6	1	\\x	\\x016d5ed25320eac0bb87c3a949fd445c142d75b85bbd2eadbfeae1f820e42eeb70d56e2d9c		\\x016d5ed253d65b3a704c10ef0c48f33dbe7ffacded4d220d102e5db72cf2d4a6c780db8599	\\x016d5ed253396b21a85b0212bcad5cb4e04279d0155034b2d16a7222d40991dadd13f2ae89
default	amj5ripeezfj3oqcd24o5kzjre/0	19	1795973866009079		system	chain.tied	ok		f	1	0		\\x	\\x	chain/amj5ripeezfj3oqcd24o5kzjre/7	1	\\x	\\x016d5ed253b22a0a4087e3fb2fff5132104acd1ddb1391ae4313e9e9f1f6b2dd9895e779ee		\\x016d5ed253396b21a85b0212bcad5cb4e04279d0155034b2d16a7222d40991dadd13f2ae89	\\x016d5ed2533288607101ff2a340a0f6e8a7c665342711b30d8704ef8da126ad56451122142
default	amj5ripeezfj3oqcd24o5kzjre/0	20	1795973866009079		system	chain.tied	ok		f	1	0		\\x	\\x	chain/amj5ripeezfj3oqcd24o5kzjre/8	1	\\x	\\x016d5ed25319b2e5637215c56976b61788f4121f313f4482a49667241dc9e1690f16eced73		\\x016d5ed2533288607101ff2a340a0f6e8a7c665342711b30d8704ef8da126ad56451122142	\\x016d5ed2535f65d340d708583c8981a1735eff3e353053fb8d9dedeb0735686fe445110721
default	amj5ripeezfj3oqcd24o5kzjre/0	21	1795973866009079		system	chain.tied	ok		f	1	0		\\x	\\x	chain/amj5ripeezfj3oqcd24o5kzjre/9	1	\\x	\\x016d5ed253b0fba4372b2a7b3b6f87cf335715dc1c97eeb28e75752ba57af85901020885a3		\\x016d5ed2535f65d340d708583c8981a1735eff3e353053fb8d9dedeb0735686fe445110721	\\x016d5ed253772fabe89329e69c24d3b4ab0c9fef7ef90744b0f344b0511ecdb02f7cf76eeb
default	amj5ripeezfj3oqcd24o5kzjre/0	22	1795973866009079		system	chain.tied	ok		f	1	0		\\x	\\x	chain/uj6kit5wiirng4zin3xlr65bja	1	\\x	\\x016d5ed25308bbbd2b04311327d6a3b644845dfef976868a5ef13db61b2f11958a3002f29b		\\x016d5ed253772fabe89329e69c24d3b4ab0c9fef7ef90744b0f344b0511ecdb02f7cf76eeb	\\x016d5ed2531a92f29961b2c809a9e32b14c9b6b1f24d22780d4a05901b09509a682e32d5f4
default	amj5ripeezfj3oqcd24o5kzjre/0	23	1795973866117996	agrcqytbs43nx73ruwswhq4gjy	caller	key.issued	ok	generateClientEncryptionKey	f	1	240004	nxk7gkkdbol4nnrjx2yolcjspm	\\xe8cc53b8f56a44bb0970ce870e57cf8b	\\xb95d3bf6270461a74bf28e9d35ec1207	key/nxk7gkkdbol4nnrjx2yolcjspm	1	\\x	\\xe21e7639c54d0c1bf2950f8693885461ec88994f113c8be8372ec3a323ca6858		\\x016d5ed2531a92f29961b2c809a9e32b14c9b6b1f24d22780d4a05901b09509a682e32d5f4	\\x016d5ed253f4d48673ae4cdc6d4435f8c23236dc111161ab3b3a6b905eb1a55d8de81296dc
default	amj5ripeezfj3oqcd24o5kzjre/0	24	1795973866146199	agrcqytcrms2jkvhawvyicznf4	caller	credential.set	ok	setTransactionPin	f	1	23409	nxk7gkkdbol4nnrjx2yolcjspm	\\xe8cc53b8f56a44bb0970ce870e57cf8b	\\xb95d3bf6270461a74bf28e9d35ec1207	credential/3gxurfzx77fx4towf6wz24g7ie	1	\\x	\\x58f8771c98a60353bba34a3f3dff30d2c5d9b025adaa15bc396d22b4bf7c8df8		\\x016d5ed253f4d48673ae4cdc6d4435f8c23236dc111161ab3b3a6b905eb1a55d8de81296dc	\\x016d5ed2533c9b860af26bca428091d13c69d2a4c0d6d449c1702fd53d6a2f397f84140ee4
\.


--
-- Data for Name: audit_verdict_2026_11; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.audit_verdict_2026_11 (chain, seq, second, micros, account, data, hash) FROM stdin;
337641473	9	849289065	876897	1509950049	\\x01a22862616c65b8670b5c2896f26656802197f38c3b51d71d108907201876fc18fe45ca4167fb21e002b2e3538bcfe224289b1eb3b9058682307406c8204845f64b011cf6134ae1d2d34eee0202e3bd0200000853265c5f4caed91cf84b25f4c1a801b2	\\x016d5ed253368a563cef330b17ffeeef9a17a34547
337641473	25	849289066	172925	-389262408	\\x01a2286262a68fa2c57c2e24bdb7b6cf6dd5f329430b97c6b629beb0e589327bf56a44bb0970ce870e57cf8bb95d3bf6270461a74bf28e9d35ec1207ff0e84ed49816b1112c38833e980034f1202fcb501000008b911c6a2b4a0ec503166042f2f5adb4a	\\x016d5ed25335a1871680b204a702bf0d921746c52d
337641473	26	849289066	203171	-389262408	\\x01a2286262c036fe842db8ba390f8e936dd5f329430b97c6b629beb0e589327bf56a44bb0970ce870e57cf8bb95d3bf6270461a74bf28e9d35ec1207ff0e84ed49816b1112c38833e980034f1204c8d2010000083166042f2f5adb4a01272b2e2cd875bb	\\x016d5ed253d4f1383254b5ecaadc8f947de6760224
337641473	27	849289066	229776	-389262408	\\x01a2286262dea9902fba59a92a63813d6dd5f329430b97c6b629beb0e589327bf56a44bb0970ce870e57cf8bb95d3bf6270461a74bf28e9d35ec1207ff0e84ed49816b1112c38833e980034f12069bbb0100000801272b2e2cd875bbdb102f8a85e79439	\\x016d5ed253a2b936b76fcda82b126648be39fa9b5b
337641473	28	849289066	257390	-389262408	\\x01a2286262fa6361110fe6efdbf4a3d46dd5f329430b97c6b629beb0e589327bf56a44bb0970ce870e57cf8bb95d3bf6270461a74bf28e9d35ec1207ff0e84ed49816b1112c38833e980034f1208ceba01000008db102f8a85e79439a45d52a08929a315	\\x016d5ed2531a3d20e2ba5811c5cfa34d98ccf633c0
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
default	60000000	1795973820000000	amj5ripeezfj3oqcd24o5kzjre	12	1	648495	\\x01538bcfe224289b1eb95d3bf6270461a7	\\x015d011501010500010401060105010601
default	3600000000	1795971600000000	amj5ripeezfj3oqcd24o5kzjre	12	1	648495	\\x01538bcfe224289b1eb95d3bf6270461a7	\\x015d011501010500010401060105010601
default	86400000000	1795910400000000	amj5ripeezfj3oqcd24o5kzjre	12	1	648495	\\x01538bcfe224289b1eb95d3bf6270461a7	\\x015d011501010500010401060105010601
default	2419200000000	1795046400000000	amj5ripeezfj3oqcd24o5kzjre	12	1	648495	\\x01538bcfe224289b1eb95d3bf6270461a7	\\x015d011501010500010401060105010601
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
default	q6myeg3h2z7ghnmz2kq25mdl6q	PASSCODE	wcm7yu2erryx6imqtq6fgjtk4q	1	1795973865668039	1795973865668039	\\x0101edd499a3c2ef8d08d624c8e88c5ec983bd814df7cf0c99ecc3e13f30291b90b2897c3c94f03f8f1389e63d4774626d09c289e2ae1408e55ddcc02010724ac8430a01c6bbc0540629b911a0f08ad17d3c5f29037f23cce5c420425bed905e6a04d0a194a41c5c
default	q6myeg3h2z7ghnmz2kq25mdl6q	TRANSACTION_PIN	mmtof37zekfunnzn5mfinr6wbi	1	1795973865698836	1795973865698836	\\x0101edd499a3607eb86dac6d3c6e544c026fa168b959332c1ae4a8f1a3fb5c2e1a87fd8187626579d1c66bbb55be90aaffb1d5fc33b10d77139713d91135b0b0230ada0a58b4fe7b245077dfa99762e9c838c5930ead98540a4d02caa274647f6c49475dfe97c44d
default	3v2ufirtb2v6llxpnozyt4ndae	TRANSACTION_PIN	3gxurfzx77fx4towf6wz24g7ie	1	1795973866146199	1795973866146199	\\x0101edd499a3cbdd7b29c04c72635dc7eb6e5454826e39ee832fa0ef4cfee291c36791ec1421bda5fb3162a28615f1f93ca5b0b1dd730d9e258b887b79432de1394018e0b7166e58a0667558b0e8e307e12703539fcab82c30155a5a53c5583bab799bfe7817db24
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
default	q6myeg3h2z7ghnmz2kq25mdl6q	4a6k3twdcse3vbsvssbiploeku	phone	invalidated	2	RSA-OAEP-256	2048		1795973865644530	0	1795973865830508	0	\\x016d5ed253509337e8edffa866b6b2923645af6b8caa5f079af4d8168c4be811d79b7fe416	\\x30820122300d06092a864886f70d01010105000382010f003082010a0282010100e39f4b377bc84160b36f1b4a05047fce10c0ffaef060ea84fcd0f416bb282fc1f8e2d3166ef934702c41e647cbae5bc1dbbfcbf8a865fff40ca3936fff9654ba03c3a3ffa147ef440e0d2b62bf44807a2f7c728bc4f1b8ab64f2547a4d7d3fe8db13c45f7b26f1b6746703c169434d9aa219f6ce3801f22397e5ec6a2a7cf64a358d4e6ede02932f7c0a3be34837ade5fbff123aa98dbe9779a7b5a386fa36b75750fcba576cc4cbdddc8bd91607a5584391787d79c97a32954288dacf72b352fb5672d18786e4a92176eb65f27d7150162543ae72664fc3ef73de9c14b1675bacd4881ea3f295dc37bae41df23dc3297f5529ea8215fd1f40dc219bfd42fc930203010001	\\x	
default	q6myeg3h2z7ghnmz2kq25mdl6q	qaqzp44mhni5ohiqredsagdw7q	phone	active	1	RSA-OAEP-256	2048		1795973865830508	0	0	0	\\x016d5ed253e1d8af77f8c3ff8e87387458ba6a9824ba8bbb16c79bd090161ac8d5044e0327	\\x30820122300d06092a864886f70d01010105000382010f003082010a0282010100af12916ae6e307925a7c46c75fac481e69a4abdd617d7b97bdb7423bbffb4a238cdc9d0195b8af0b116e9a36abdbb694760cd695529fdeb39068e2baf8b8e79903a3d224cf0db3e0efd2172457c769645e6a150faaa85d63d6f2a4a5ccd43a5e2798e1d1dc4c81fb74d7fcf156a69ff2f420b4e3e0b05154a03261480045e30326068a744857b0a5f0900f74239e4c008c53cbcd4acbb43e9d683173c2203e48952e1b93d3e040aea4aa1aa94d7177dfb358c5d8354b1fceeaca8d3c4530999b602364738d0e10fc89452991a4b3b230f4eaad6bb21ddf6f281fc50b0702573ff4759ab9693dee92016e4cd726a5ca414676e199f88e87fedfd87d01d317f90b0203010001	\\x0101edd499a30938e3fa378287b2f7a9230e0763c97e093e6e0c73ba9b29346c193180c5495f6bf1035e2915fb42e00ae4db6da28d6abb23aed4691b9bc60bf7dad1a27917535428f8c6807c030eaf3382258b30ed850e3ef8e012f2466511d9417a320d6f830e9207122ba4db4e443c7af587e9dbed8bcf5e0ebc4735069b572e1539d83a4db0232e8c1c997b8ea0088f47ce70b34789e480061d54f8ce357c06c7e051cc7623a526285c220d67e47f47618ef2efcba0544d232eb2839e724868991a653d569d2e1ca2e3971fa778827df38aa7169be82b84a1e25c470bfb70837314af0dfc3584901e46f1fa410f600a54dbc2bf17b102b18471ca13bec1b8055bce84c1121cd09e7f83cb2a5d22e6241c15699782ba99f815e1f08c78ece6fd7742f2ac7f27a3cd3c1580878790	
default	3v2ufirtb2v6llxpnozyt4ndae	nxk7gkkdbol4nnrjx2yolcjspm	tablet	active	1	RSA-OAEP-256	2048		1795973866117996	0	0	0	\\x016d5ed253e054343f2fdad2a695e191ee1987f9697ee2b62c8161b084a3c73a2a673ffd0a	\\x30820122300d06092a864886f70d01010105000382010f003082010a0282010100ab6b5941e0e0ae7ae95660dc9fd751ace966c6db6d0b98b008303bef7ca926996c31b5968227fd558ebcd1a420b42954f637a9e2b1bc68ba9cd7e96fe67f54e7f00b0456bc8f1bb91a6c03eed32f6e5a1d7d0c9e0fe8e0ec823c6be4cd54ab20d5da3ae1c2c9c618f2c955bf599558cbfdaf8647d542b1af756f9a6bbf0431bb79f58a59339811b58afde27be8e3a33c86ab8fc451c02a239cd468d1f0c39c542eea99c46054a75cbd61c4faff2291134c330e2d77072c6c4944437cfdbe201528fefe090401fc7a00f0a0d506d48004fb32c38b476dbe5569434da332e3f86ad64ea83a3f77acc86c0fd42a65aaadd3bfb1053f59b554f1184d77cb71b501090203010001	\\x0101edd499a3df6f97afc0d1af96b235c303a111770293ce005451d0653556ac428218878c9408a3e89eef0483c0edb6889cec1ed4ba35816b2e162f43e0029ea3a98182d4caee48320cc3eadd5d87f90781208cd419b073cabdfcec791266cf95f8bbe079ccfbf3e9b2bd2cfa19e41bd0f92b091c086a670f3013a9924b38ea7a70c1d389404a9c31c7ad80aad05382fb92f3717ccaebb9d2b8e1d80c270e4885699673ae076605428d49227360f2547c606b0232a8d120075321e1bdd700c8fe79af9e7428b31ccc45d4ff536f751085dee494dfd1eeaeea17a043ff1729034bdff9c6eb4950f8b31028e443fc59029e4bbbabd02c9ed116ba8c96b64508bcfa57c4a3272af11bed9567c4e3fa614ecd699c8fa9c564048b8ebb7a8f94435b8062a309d2358a0cb519807a437971	
\.


--
-- Data for Name: key_account; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.key_account (tenant, key_id, account_id) FROM stdin;
default	4a6k3twdcse3vbsvssbiploeku	q6myeg3h2z7ghnmz2kq25mdl6q
default	qaqzp44mhni5ohiqredsagdw7q	q6myeg3h2z7ghnmz2kq25mdl6q
default	nxk7gkkdbol4nnrjx2yolcjspm	3v2ufirtb2v6llxpnozyt4ndae
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
default	q6myeg3h2z7ghnmz2kq25mdl6q	4a6k3twdcse3vbsvssbiploeku	1795971600000000
default	q6myeg3h2z7ghnmz2kq25mdl6q	qaqzp44mhni5ohiqredsagdw7q	1795971600000000
default	3v2ufirtb2v6llxpnozyt4ndae	nxk7gkkdbol4nnrjx2yolcjspm	1795971600000000
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
4097083626	f	\N	\N	\N	2026-11-29 17:37:45.344441+00
\.


--
-- Data for Name: schema_version; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.schema_version (id, version_id, is_applied, tstamp) FROM stdin;
1	0	t	2026-11-29 17:37:45.276525
2	1	t	2026-11-29 17:37:45.294197
3	2	t	2026-11-29 17:37:45.309005
4	3	t	2026-11-29 17:37:45.320487
5	4	t	2026-11-29 17:37:45.320825
6	5	t	2026-11-29 17:37:45.325789
7	6	t	2026-11-29 17:37:45.326939
8	7	t	2026-11-29 17:37:45.32873
9	8	t	2026-11-29 17:37:45.329446
10	9	t	2026-11-29 17:37:45.33096
11	10	t	2026-11-29 17:37:45.332784
12	11	t	2026-11-29 17:37:45.336465
13	12	t	2026-11-29 17:37:45.337795
14	13	t	2026-11-29 17:37:45.337999
15	14	t	2026-11-29 17:37:45.343018
\.


--
-- Data for Name: setting; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.setting (tenant, name, value) FROM stdin;
default	epoch	\\x31
default	keyset	\\x7b226b6579736574223a7b2267656e65726174696f6e223a312c22646174614b657973223a5b7b226964223a333939303133333135352c226d6163223a313833343933303737312c227072696d617279223a747275657d5d2c227772617073223a5b7b22726f6f744b6579223a2266386334353033353662343162663438222c2275726c223a2266696c653a2f746d702f546573744461746162617365734f664561726c69657256657273696f6e734f70656e313836323035333933362f3030322f646174612f726f6f742e6b6579222c2261646465644174223a22323032362d31312d32395431373a33373a34352e3335383538325a222c226b6579223a2236494a784b414a776767727770642b7777625838384978786d63733867394e4e78617465384c7878466d444e464673527058487864462f6c3075564a49483168336a687875542f5858656d7047566b62456453774869446b6978434d4d424b79222c226b6579736574223a223862767649434e32474e73452f626e546f43787a6c486a4c35475a37333858685a4b466551633733696950476869585943666d67445831337863307069364b723576376e785a75515a643831494c6f4d594b67514a504870387045684f377342694175776d4b3241656a4156725855756d436b333950564f566c6b6161754a2b436d327056422b445753574c4c374a536433423261504c3170517a504d426f2b644a5152584d303578654b3759643150584c44506d3645546a6766537057483767346e326a52747365792f4f756a63373377576e3161396459384a6231576b6b6e55504137565548763061587957712f31615a4d634576416f537433594b764639416a2f3842686a776d79626377333154304d442b374e355436437a37536a6f6c446d42696c79596953755737395058635569496c30784a376439576d6d79684668613244726b326d335143525a3237663152736b68484b43686b6f35616c336f6f6554394c3638227d5d7d2c226d6163223a2241573165306c50762f4d76566f7533577162736c415a68684e3934386c545335685333386349366643584e6c7352337448773d3d227d
default	account_mode	\\x646576696365
default	audit_chain	\\x756a366b697435776969726e67347a696e33786c723635626a61
default	witness/b46cac9747125e81b89880440a494ebe	\\x0006616dc046a4a5
default	metrics.folded/amj5ripeezfj3oqcd24o5kzjre/1	\\x0000000000000001
default	metrics.folded/amj5ripeezfj3oqcd24o5kzjre/2	\\x0000000000000001
default	metrics.folded/amj5ripeezfj3oqcd24o5kzjre/3	\\x0000000000000001
default	metrics.folded/amj5ripeezfj3oqcd24o5kzjre/4	\\x0000000000000001
default	metrics.folded/amj5ripeezfj3oqcd24o5kzjre/5	\\x0000000000000001
default	metrics.folded/amj5ripeezfj3oqcd24o5kzjre/6	\\x0000000000000001
default	metrics.folded/amj5ripeezfj3oqcd24o5kzjre/7	\\x0000000000000001
default	metrics.folded/amj5ripeezfj3oqcd24o5kzjre/8	\\x0000000000000001
default	metrics.folded/amj5ripeezfj3oqcd24o5kzjre/9	\\x0000000000000001
default	metrics.folded/amj5ripeezfj3oqcd24o5kzjre/10	\\x0000000000000001
default	metrics.folded/amj5ripeezfj3oqcd24o5kzjre/11	\\x0000000000000001
default	audit_tied	\\x0006616dc04f31f7016d5ed2533814ad35706f55e2f378625250e78767d0d9b2f191ed5547fb3d2da39d2fd853
default	metrics.folded/amj5ripeezfj3oqcd24o5kzjre/0	\\x000000000000001c
default	beat/amj5ripeezfj3oqcd24o5kzjre	\\x25016d5ed253bcac2f5e55377938e38b0148b5ad3ae9ecef24b620ff1972e1f003d9f3e8fd407b22696e7374616e6365223a22616d6a3572697065657a666a336f71636432346f356b7a6a7265222c226e756d626572223a322c226174223a313739353937333836363236393332372c22636f6e646974696f6e223a22656e646564222c226865616473223a7b2230223a32382c2231223a312c223130223a312c223131223a312c2232223a312c2233223a312c2234223a312c2235223a312c2236223a312c2237223a312c2238223a312c2239223a317d2c2272656164223a6e756c6c7d
\.


--
-- Data for Name: signing_key; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.signing_key (tenant, number, id, algorithm, version, created_at, active_from, erased_at, mac, public_key, sealed) FROM stdin;
default	1	bw4dvvQpFOfrlzv0F3dwQ81k_uGLivyilEo0g6GN-V0	ES256	1	1795973865457249	1795973865457249	0	\\x016d5ed253182671122152749c7a8866cc977c5b3a062938da2730d0342e7b573dd39dd3ce	\\x3059301306072a8648ce3d020106082a8648ce3d030107034200046538438ad0f2ac4a1a2cd509e86a78979a75edb852a6d5a7254ef13ee76343c2f86c3c581dbd9bb071f146eb509aec5b24b709d90aeb391f5c8664edc974b9cf	\\x0101edd499a3d06ca2e85943c139ea6779a29b93c98d2e435778006dd64d71e753fb3ca4a99f800da2f2619a8caef7ceb3ec1ed3876d411fc270184f06b06197d77a7b228faf45ff7744ed9d0e1bc0fd05be2e9d979d662655b9e011b7a2272e927223bd06c5dfc72c00a4836a48e3fbc353af70f4ac3b0d6710d1db2924b6d89f6d15f93b9b456626ee593d46cea73a28d292226d1fc8f3845dcbda8c87804d5a18bae6a9643261776c9d714632c80aff9604b16512d664
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

\unrestrict p32owWuZaOgIpgJkKvYihc2phDMWcmyp3pjEtKbLWxNbgAwazISLqkSCiTiLPWb

