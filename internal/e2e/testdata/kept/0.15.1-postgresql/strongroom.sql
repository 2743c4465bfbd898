--
-- PostgreSQL database dump
--

\restrict ZnEQji9sgMDuldgSs5QUdcTrsWhhNbq6gOXCtPXWAaqbjAMPOHVccoe3tAC4ITJ

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
default	abw6z4vg72hznwfqqnewj4tu4m	device		phone	1795802819088995
default	n6ptxzmfvtxrx6ytl4hrzuspci	device		tablet	1795802819475431
\.


--
-- Data for Name: attempts; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.attempts (tenant, account_id, type, id, version, failures, locked_until, permanent, recent, pending, mac, verified_at, verified_by, devices, locked_to) FROM stdin;
default	abw6z4vg72hznwfqqnewj4tu4m	TRANSACTION_PIN	2n53h5rfk7rqd5ij55u2f2wel4	2	0	0	f	[]	[]	\\x015fa9ece6680cb2033c0e4af796bc21ac0836fb15786eb58cf9b1994251590759721f6040	1795802819324781		[]	0
default	n6ptxzmfvtxrx6ytl4hrzuspci	TRANSACTION_PIN	2fsyyb4wichfl2ka6tnj6kob5e	8	4	0	f	[1795802819503629,1795802819517229,1795802819538491,1795802819593111]	[]	\\x015fa9ece63cd3ef6ed48090cd05fc780ba0fceb2c629d2eceda3c96854e19f30424689add	0		[]	0
\.


--
-- Data for Name: audit_chain; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.audit_chain (tenant, name, number, form) FROM stdin;
default	2iy3da74vt4dnuwfes2bo5dbqu	337641472	2
default	4cqtgocve2detcofoq7udu7keq/0	337641473	2
default	4cqtgocve2detcofoq7udu7keq/1	337641474	2
default	4cqtgocve2detcofoq7udu7keq/2	337641475	2
default	4cqtgocve2detcofoq7udu7keq/3	337641476	2
default	4cqtgocve2detcofoq7udu7keq/4	337641477	2
default	4cqtgocve2detcofoq7udu7keq/5	337641478	2
default	4cqtgocve2detcofoq7udu7keq/6	337641479	2
default	4cqtgocve2detcofoq7udu7keq/7	337641480	2
default	4cqtgocve2detcofoq7udu7keq/8	337641481	2
default	4cqtgocve2detcofoq7udu7keq/9	337641482	2
default	4cqtgocve2detcofoq7udu7keq/10	337641483	2
default	4cqtgocve2detcofoq7udu7keq/11	337641484	2
\.


--
-- Data for Name: audit_log; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.audit_log (tenant, chain, seq, "time", request_id, actor, event, outcome, operation, failed, count, duration, key_id, account, device, record, version, before, digest, reason, prev, hash) FROM stdin;
default	2iy3da74vt4dnuwfes2bo5dbqu	1	1795802818916577		system	store.initialised	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x015fa9ece6a6461c4a6c55685c19ff9fc3a2b283f26d6ef1ceb4b5ca20218eb2fa5186016e
default	4cqtgocve2detcofoq7udu7keq/0	1	1795802818962795		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x015fa9ece6022fdfe7d3d6b21da84d5b72fde3d74c27a88a5a05f220250bf434a6eb11b080
default	4cqtgocve2detcofoq7udu7keq/1	1	1795802818962795		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x015fa9ece68f0e416abd3f118d5856ba97b88a4896c74fd8d97b0ff4e146847300dbc9ff08
default	4cqtgocve2detcofoq7udu7keq/2	1	1795802818962795		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x015fa9ece64db43f9f0e07aef48c28fc5296f23692d9b71f2e4f5bf01de7fcf16665544735
default	4cqtgocve2detcofoq7udu7keq/3	1	1795802818962795		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x015fa9ece65344ee9c407b6d3f8d85129880d482b0ede15ecf494a1480a2e75366ee872f8a
default	4cqtgocve2detcofoq7udu7keq/4	1	1795802818962795		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x015fa9ece63b1add7f8be61616e05adddb49f89d25944df27c62ec249cc8fa82760ce4cf63
default	4cqtgocve2detcofoq7udu7keq/5	1	1795802818962795		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x015fa9ece6aef04eb4a4977bafcb01782ca6c2295ec75f86c24d55d30a969fdae38e2f0a90
default	4cqtgocve2detcofoq7udu7keq/6	1	1795802818962795		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x015fa9ece6e6c6d3fea9383f6418af7f711e07cd1615bec019b8a2ceb4cab2dfcb30d23333
default	4cqtgocve2detcofoq7udu7keq/7	1	1795802818962795		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x015fa9ece678b29bc2fb5273c6c63fd78b0f7f22cc5c7f6722f6c95b082efb42f365e1105d
default	4cqtgocve2detcofoq7udu7keq/8	1	1795802818962795		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x015fa9ece6fa06908a7506fb7de6c21048b8fa4153388321bd6838cc95178a9d933f906168
default	4cqtgocve2detcofoq7udu7keq/9	1	1795802818962795		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x015fa9ece68265b2a6afba92bc79764968113aa5bec43f98761f4023f56867932eac262610
default	4cqtgocve2detcofoq7udu7keq/10	1	1795802818962795		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x015fa9ece6e3bb62b096b9035bafd9731f159f0ec3c7a2db3b8693920420b975a8cb643c06
default	4cqtgocve2detcofoq7udu7keq/11	1	1795802818962795		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x015fa9ece64c8716d88f0497d8df53afc59aa5fb722623de9ac7ae03c68dcdf13ff321fc52
default	4cqtgocve2detcofoq7udu7keq/0	2	1795802818971050		system	witness.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x	vm:/tmp/TestDatabasesOfEarlierVersionsOpen2706076991/002/data.witness	\\x015fa9ece6022fdfe7d3d6b21da84d5b72fde3d74c27a88a5a05f220250bf434a6eb11b080	\\x015fa9ece639a71294adb6015eea18d6c3b1cc584795d1273fddaf32da3abf7aaff8a08c55
default	4cqtgocve2detcofoq7udu7keq/0	3	1795802818981532		system	signing_key.created	ok		f	1	0		\\x	\\x	signing-key/1	0	\\x	\\x	kid THax1ez3-yAb5_ORbah1goLAN3VWPt7_MGnRaBKv0PA	\\x015fa9ece639a71294adb6015eea18d6c3b1cc584795d1273fddaf32da3abf7aaff8a08c55	\\x015fa9ece61bc1dfcb5588061d6352277c42220982f93234b833d811e508354bbdd320a8c6
default	4cqtgocve2detcofoq7udu7keq/0	4	1795802819088995	agrb4mdj4nea3x5mqtiqlwlcgy	caller	key.issued	ok	generateClientEncryptionKey	f	1	47157	kozzjso22fvy3jsrj2ntsidvpu	\\x492f8f65406e08517d2193704ffd72cd	\\x995e5fb138c2e0f5f3a33fc3305b75a0	key/kozzjso22fvy3jsrj2ntsidvpu	1	\\x	\\x716cd65c906f6cc9bfe9209b4ea3039a772c30adc2f07e9e29bf00a2bff6679c		\\x015fa9ece61bc1dfcb5588061d6352277c42220982f93234b833d811e508354bbdd320a8c6	\\x015fa9ece65927feaece4f316fddb4141d414ef0552a6409a3c151847e6e1e013ed27f2a1d
default	4cqtgocve2detcofoq7udu7keq/0	5	1795802819116814	agrb4mdkdwebot4rln4thrrjce	caller	credential.set	ok	setUserPasscode	f	1	16606	kozzjso22fvy3jsrj2ntsidvpu	\\x492f8f65406e08517d2193704ffd72cd	\\x995e5fb138c2e0f5f3a33fc3305b75a0	credential/o3ndkssawkuby7lmpwlfm3gx2m	1	\\x	\\x67d0ed3a30fb759bdd7721d8e5fec7a7b76c5b7ef1c8ac9a8257c7dc44371b39		\\x015fa9ece65927feaece4f316fddb4141d414ef0552a6409a3c151847e6e1e013ed27f2a1d	\\x015fa9ece66023e4f7e8aea101f5a712916aa4d4644e5a7b423256441a369af2fc991daa28
default	4cqtgocve2detcofoq7udu7keq/0	6	1795802819131347	agrb4mdkglldvob3psghrotys4	caller	credential.set	ok	setTransactionPin	f	1	9379	kozzjso22fvy3jsrj2ntsidvpu	\\x492f8f65406e08517d2193704ffd72cd	\\x995e5fb138c2e0f5f3a33fc3305b75a0	credential/nemf744rushanluu2ixmwc5soi	1	\\x	\\x8c0fd0d46736aa40057b6473f524990d338bed610ce129be4279a173109729d0		\\x015fa9ece66023e4f7e8aea101f5a712916aa4d4644e5a7b423256441a369af2fc991daa28	\\x015fa9ece66befff0c6ac131a0c2e1caa1aba096dac9f06ae4e860095d3d2a063a311d309a
default	4cqtgocve2detcofoq7udu7keq/0	7	1795802819301767	agrb4mdkiqrefzzkiqlredlpbm	caller	key.rotated	ok		f	1	0	kozzjso22fvy3jsrj2ntsidvpu	\\x492f8f65406e08517d2193704ffd72cd	\\x995e5fb138c2e0f5f3a33fc3305b75a0	key/kozzjso22fvy3jsrj2ntsidvpu	2	\\x716cd65c906f6cc9bfe9209b4ea3039a772c30adc2f07e9e29bf00a2bff6679c	\\x6c01570fd0f83bf9938db0457ca483a6ca51b8940374169c6c74b58632babd0d		\\x015fa9ece66befff0c6ac131a0c2e1caa1aba096dac9f06ae4e860095d3d2a063a311d309a	\\x015fa9ece6e6cbc02a4ccd185af674aa7bbcb2fcd5b0ac84ea12e7303580240284286b15e7
default	4cqtgocve2detcofoq7udu7keq/0	8	1795802819301767	agrb4mdkiqrefzzkiqlredlpbm	caller	key.issued	ok	rotateClientEncryptionKey	f	1	162092	5bqbcsh2ihqm7vd6d73ithaogu	\\x492f8f65406e08517d2193704ffd72cd	\\x995e5fb138c2e0f5f3a33fc3305b75a0	key/5bqbcsh2ihqm7vd6d73ithaogu	1	\\x	\\x72788244ab5967b49cecb13a494d5e8b699aa2db99c5d2abaef19320515a99a1		\\x015fa9ece6e6cbc02a4ccd185af674aa7bbcb2fcd5b0ac84ea12e7303580240284286b15e7	\\x015fa9ece6273a3bca3134db6abfff20a1afa9399270c5a3879973a934a4b4c3fddcb9900e
default	4cqtgocve2detcofoq7udu7keq/0	10	1795802819475431	agrb4mdladwsouwslir7eu3k4e	caller	key.issued	ok	generateClientEncryptionKey	f	1	147390	7hqvwtwyhdaec3klxcec6gwfku	\\xed4f057503e53a862dfa335aa3f2f2dc	\\x709fc05d03e80f9518217b85410fdbd5	key/7hqvwtwyhdaec3klxcec6gwfku	1	\\x	\\xec5f9678d04a137cde06a9fcae978fecc5c9a2c08a7a6d71be0c58a2a9468fb0		\\x015fa9ece6efacd6148e384395181fdfa1cbc9cd41	\\x015fa9ece619c0c1a9746aa0539697fe9b8dea33c3ca71ea0bf485d4fbd00f5a53ede65918
default	4cqtgocve2detcofoq7udu7keq/0	11	1795802819489186	agrb4mdltczorvcmeppfscwoou	caller	credential.set	ok	setTransactionPin	f	1	8847	7hqvwtwyhdaec3klxcec6gwfku	\\xed4f057503e53a862dfa335aa3f2f2dc	\\x709fc05d03e80f9518217b85410fdbd5	credential/6mzoisojkbj2kjabjsi6gjrjjm	1	\\x	\\x08d66fabbf36a4c9b58caf3616c469e2bf8ca4dd43c6277846d9986787f6453c		\\x015fa9ece619c0c1a9746aa0539697fe9b8dea33c3ca71ea0bf485d4fbd00f5a53ede65918	\\x015fa9ece6de18110c5616e962d7949b8b13dcf0db41f3be5f68e19242cf2661acabaa8189
default	4cqtgocve2detcofoq7udu7keq/1	2	1795802819572972		system	operations.counted	CREDENTIAL_REJECTED		f	1	3571		\\x	\\x		0	\\x	\\x	setTransactionPin	\\x015fa9ece68f0e416abd3f118d5856ba97b88a4896c74fd8d97b0ff4e146847300dbc9ff08	\\x015fa9ece60065be09568da563cee086c30bf6d7a4fb16db77bebbd4226af961c5240b3b06
\.


--
-- Data for Name: audit_verdict_2026_11; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.audit_verdict_2026_11 (chain, seq, second, micros, account, data, hash) FROM stdin;
337641473	9	849118019	324781	1227853669	\\x01a21e306aeb0a85902aab69957508b6e8601148fa41e0cfd47e1ff6899c0e35406e08517d2193704ffd72cd995e5fb138c2e0f5f3a33fc3305b75a0d37bb3f62557e301f509ef69a2eac45f0202e488010000089d06a1167106605aa9e121a822642f79	\\x015fa9ece6efacd6148e384395181fdfa1cbc9cd41
337641473	12	849118019	503629	-313588363	\\x01a21e306ba55f01b798e6ecabe61d7ef9e15b4ed838c0416d4bb8882f1ac55503e53a862dfa335aa3f2f2dc709fc05d03e80f9518217b85410fdbd5d1658c0796408e55e940f4da9f29c1e91202e45200000874f85a2188b1f21c51665a3430c3d8db	\\x015fa9ece6ac89c68819015377df1f0bc91c18b5b0
337641473	13	849118019	517229	-313588363	\\x01a21e306bb39440fc03f075cc92cb66f9e15b4ed838c0416d4bb8882f1ac55503e53a862dfa335aa3f2f2dc709fc05d03e80f9518217b85410fdbd5d1658c0796408e55e940f4da9f29c1e91204b04e00000851665a3430c3d8db5112999acd681f38	\\x015fa9ece68b554e1b458568c2895165ab5c36f118
337641473	14	849118019	538491	-313588363	\\x01a21e306bc005933f33a2475313e329f9e15b4ed838c0416d4bb8882f1ac55503e53a862dfa335aa3f2f2dc709fc05d03e80f9518217b85410fdbd5d1658c0796408e55e940f4da9f29c1e91206bc92010000085112999acd681f3892fbdd2121e4a132	\\x015fa9ece6a9dbea5c9e2be77b537600ad0e20ca63
337641473	15	849118019	593111	-313588363	\\x01a21e306bf04b9844a3d283e7240d3ef9e15b4ed838c0416d4bb8882f1ac55503e53a862dfa335aa3f2f2dc709fc05d03e80f9518217b85410fdbd5d1658c0796408e55e940f4da9f29c1e91208b5d20100000892fbdd2121e4a132d9c7ccf398f6e2a8	\\x015fa9ece652814746a11f43136a225a5783e1e35d
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
default	3600000000	1795802400000000	4cqtgocve2detcofoq7udu7keq	12	1	478859	\\x01709fc05d03e80f95995e5fb138c2e0f5	\\x015f0109010001000205020001030106010c010001
default	86400000000	1795737600000000	4cqtgocve2detcofoq7udu7keq	12	1	478859	\\x01709fc05d03e80f95995e5fb138c2e0f5	\\x015f0109010001000205020001030106010c010001
default	2419200000000	1795046400000000	4cqtgocve2detcofoq7udu7keq	12	1	478859	\\x01709fc05d03e80f95995e5fb138c2e0f5	\\x015f0109010001000205020001030106010c010001
default	60000000	1795802760000000	4cqtgocve2detcofoq7udu7keq	12	1	478859	\\x01709fc05d03e80f95995e5fb138c2e0f5	\\x015f0109010001000205020001030106010c010001
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
default	abw6z4vg72hznwfqqnewj4tu4m	PASSCODE	o3ndkssawkuby7lmpwlfm3gx2m	1	1795802819116814	1795802819116814	\\x0101277e761ab459633dd837444f4f252a7222e974412bfb88a78054a99be5a34e4bdab64f144074977c60fc4d1cedf50b33572599ba5dd3b44c3b9974726a07942de07dee76a2c0c71664aa126d9265d7f956e5995ac740f16aeeb0e84d2437f01bcf0b925a6768
default	abw6z4vg72hznwfqqnewj4tu4m	TRANSACTION_PIN	nemf744rushanluu2ixmwc5soi	1	1795802819131347	1795802819131347	\\x0101277e761afef39e9fd0d31ed2d7443e21572f9a5bab6748666572791592396022aed0cf1d34ca69c9af74785adb9360ec5d50d6f2bc2b95f14139264185dad42ab263077960d694e88ec02ec0890e97d28e239fbae71b680c8113dc36d1ac2cf7465c9ddd3c61
default	n6ptxzmfvtxrx6ytl4hrzuspci	TRANSACTION_PIN	6mzoisojkbj2kjabjsi6gjrjjm	1	1795802819489186	1795802819489186	\\x0101277e761af1f47a429287b6574a0a09e6d7ba0cca3290961edf3f0c9a008049043f76fc269c9211bcb9ba4d798e8600d2402cf96b1ddc9125eb71d725490030028726d237c640cd1976f12aa007a340290732feda557753594728a6afefbf70c4cd1efb0af5e7
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
default	abw6z4vg72hznwfqqnewj4tu4m	kozzjso22fvy3jsrj2ntsidvpu	phone	invalidated	2	RSA-OAEP-256	3072		1795802819088995	0	1795802819301767	0	\\x015fa9ece640326741d94d80fc9b553ffb888feaf31c9ca214be11b55d8833a15d0306f454	\\x308201a2300d06092a864886f70d01010105000382018f003082018a0282018100e0bc7a4d2ddeb81ebad335819dba66cc24113bb32516867bb41ec32d5d13d51e4f4d4d994f90f90aec9ed0a2bd164534bf1b5ea332c5449f227d0b36b385c631778c55a1695ea58caebb885acf48cf551da5ae3989a067c6b4cac8be97a9e5da66c2d0680bf8712a08a1bba6fe6d46735db7f8d42d14c90d80c03b07b9bfc4bd86bd60e5235e5bf3cbdedbec7a391e9363b62e2b4a09e3a5e91f66187a1e322e63d76d2687c61ab65ebae7a3bdf3c78ac1ba59fe034cd9a43bc6185da392ed54fdf82a314985e4d5c99db42118d0334b02c622f46524b000bf7dc15c038b42f9df030bf67cdef6c24d2550fb95f6891741bc1410ccfaab1ca1fb75d202fe3721f4dc2e5acac14610b2dce71d2afc602ae8c671c2302a46ec8e5d4bf843bb6165ec28cb1d37e54d8135617349be1905e9c6092a706e11bc43649b6c522299e15f68430084f84766abb7f79e47dcc6970e5086a535eb6a60f172bea2643965e5331cd1c76e9026af5a9aa615f38aa98ca707ac111210f3889ebb94d7aa135bebe50203010001	\\x	
default	abw6z4vg72hznwfqqnewj4tu4m	5bqbcsh2ihqm7vd6d73ithaogu	phone	active	1	RSA-OAEP-256	3072		1795802819301767	0	0	0	\\x015fa9ece648b06d6f567263e2c017f85efc817e77b0f21d33f78c29e01b5d32efe139b4a8	\\x308201a2300d06092a864886f70d01010105000382018f003082018a0282018100a4395dc5e2e218bb2beb1af47dcd7ec5eba48bdf135c2e43c8320d6a0d61396986f8b8f125efc8f78ee26a8e23eea54c7db829673f1431bc6c61929c70a93c610b9c063d4bc94c799dcf3133152dea2ca14e4f3e30b2b120d19e4f6eb6ab34f9f524253864032cc8157e97522dbc417f827ec256410635806d53573dfc462f432e084893b418e6b30a469fd2415d0790e7134c5fa647602db600b929adaa54c826228dbeddedb36d5ecb73ba150c0573b90c48cb725468931a86650cd3e96de0b9594c1a5e12e3b59d6e2853bb2844094952ed6e4337f1c5ad02ae431f70fe84639ebf155e8486a23b5cf759a20a69f66c5d491d7a77a5a0cfba59c5106d52dbb3797f3c757c2e78b2b7c9b24bf6f2c6df24ce4f0a82445901f2a58487a03a06fd8c94a0c87617c5eeaf613e6aee11efa0e77f932257ded5179fe8e37711c1f4ef11fe3bc1794ea9877c8fcceac94585d4083b7163cc77a61014d3edde970eac455681d23cd6b11ffccf020983c9900687772fc9904c91fa031371d6b171badd0203010001	\\x0101277e761a7488abc20a05bea3aa3838bbac6d3b6e3beef06c6b20de65fb147071287e763fa91ee4eb411794d9b68ca702f141b566abeca6a22495c3408b32a385a478e2da87e6d09681014330cad35aaa92da9d777ad671c054007377256d7ef761d58645a3a211bb5b9c85e794af849d3dc5df6e3829a2cfd88faebe71e4d5ee9e847623979636c3a685a423592ba723d2ba3660bbee928a71f8cda18d99921ba3ca337021d40f7e61b9e111b8adee5ed37effeacae2b8cdd72c111f9db5801b5128f6c6ac8ede80553e774d9373d426a78375ec70b7f1b25f315f226044a40d0c6474407ffe707729fc97dc3f56125a1c113b2d9936a67ffa5e1920e52a445e7fdf55f9891f94085849d7d23dd9cd1d48f6b809025b982c317823c380a750235a8848fa3a1023265157cb2b6b0f63095a437f94915401493fefc71748f0f6ed7b10386a0ef27e4a54c04404f58d56b0b5a6a08d465f1b0a296d41a8e7329000e2bd592052963ef8049a6b7bb8300159925eee68af9f4a0147b76ac96ef602318269eb7df0d28fdebf119d57f2c9918fae7948f7a1ed736f8bbdfb977ea3a966ac5f1438886f71d79e9347e4ea	
default	n6ptxzmfvtxrx6ytl4hrzuspci	7hqvwtwyhdaec3klxcec6gwfku	tablet	active	1	RSA-OAEP-256	3072		1795802819475431	0	0	0	\\x015fa9ece6bd2449a930b10744d7a645a63cf3a0bad799e6e6124c99d68c29da612e6a07d6	\\x308201a2300d06092a864886f70d01010105000382018f003082018a0282018100c435a8779cdc5f392135873a9d668d97700c471d674b1aa05152fecc93e34fdd5cf113ba4dce94a33f8b6410828ea0edf723f9e5258746e1628a767c37adc298203c71d24fea5c4ec6720a950c5ab49365dbca4af5a839af131a8d3f6a1872e17460cf0dd662c5eaf58d812b4fa3878e2218a99a5c1cc4e2b7a547c81c449f010a92ebd11fc7d68df9dfb5dfc0c939e1464793a9824a7933e55a3a5d83503759557ef3f998e3b3030256423f3a0b51a0e9081d9fba647a0313568bece502ea1e42bd6ced5c0a37f19d60e22056a765dde0004576e9f3e64cacca410dd7357b35326612d214d79e3c5e514604a9c038cd80fa66dbf1cb1ad8946f7e8bae5a623065528acf704904c54b90f22360cd9ad3b7670fee64abb8b571fcd892197ca7ea65ed667d1c42c72dc69ba184dd9b5eca0ce939f9c0a36d001557eba83e6e11695fae1256cd46dcf4bf499119c31c78529d94114d3d5358ccdfdd1f2dda99646aa9ff9f2faaa3c1581f2b94d74523a395b76cb8a19cdb505c584fa86d86effa930203010001	\\x0101277e761affa195ad67dd4208f141b2a02a42e40c68f4d5e133de26aa081de8737cf4def13236ebd5c56f865a59d98448300063beea87527df72cc52d397620ee65ea64c1ccf77f20dbf66a118ec112f342ce9176ed718006cbf48f7bd35f7fed63b64df901a026f42ef82b1eeace4fe15afca4a5540c301c888373713a7ee9686fccf3002ea5bf720d708799ae96a1fc758368632be7cd20d45af4ed6ea2e424fbedb4c5aaff2e11f0d6acb737ef1b7353b25d04aec7f464d3c8e4e0211ae423e31494139b23e07f2136fa623d2119215a8428d9dba76168b33f7ed95456ffeb038772d15b20215dc817d65e3b072f3903ae6585ff996c7bcf74c2abc08a6952895e61ff1e964e133632090b159a10d4a35448648897139802a792dce4e04a11f3155c2adff37493499069004a25c091d7c23fc6beea6bce1ce34540f491085cdb569247bd6cc3e3fbd6381564381cf55cc7374b00e546df66d25375997edb4453914b96132a0629a1e1344940f79e3b0e33e45cf7316063e64e5701d78b37d6fd0d4cd4ff0dc39ac5129f2e8b2b7f74fb4fb56442b1b3ae1d90bf3fd0074a8efd4a397897808206136942d2a4	
\.


--
-- Data for Name: key_account; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.key_account (tenant, key_id, account_id) FROM stdin;
default	kozzjso22fvy3jsrj2ntsidvpu	abw6z4vg72hznwfqqnewj4tu4m
default	5bqbcsh2ihqm7vd6d73ithaogu	abw6z4vg72hznwfqqnewj4tu4m
default	7hqvwtwyhdaec3klxcec6gwfku	n6ptxzmfvtxrx6ytl4hrzuspci
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
default	abw6z4vg72hznwfqqnewj4tu4m	kozzjso22fvy3jsrj2ntsidvpu	1795802400000000
default	abw6z4vg72hznwfqqnewj4tu4m	5bqbcsh2ihqm7vd6d73ithaogu	1795802400000000
default	n6ptxzmfvtxrx6ytl4hrzuspci	7hqvwtwyhdaec3klxcec6gwfku	1795802400000000
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
4097083626	f	\N	\N	\N	2026-11-27 18:06:58.895067+00
\.


--
-- Data for Name: schema_version; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.schema_version (id, version_id, is_applied, tstamp) FROM stdin;
1	0	t	2026-11-27 18:06:58.743385
2	1	t	2026-11-27 18:06:58.786943
3	2	t	2026-11-27 18:06:58.823819
4	3	t	2026-11-27 18:06:58.848583
5	4	t	2026-11-27 18:06:58.849152
6	5	t	2026-11-27 18:06:58.861921
7	6	t	2026-11-27 18:06:58.863208
8	7	t	2026-11-27 18:06:58.867369
9	8	t	2026-11-27 18:06:58.8685
10	9	t	2026-11-27 18:06:58.871586
11	10	t	2026-11-27 18:06:58.875434
12	11	t	2026-11-27 18:06:58.884866
13	12	t	2026-11-27 18:06:58.887322
14	13	t	2026-11-27 18:06:58.888
15	14	t	2026-11-27 18:06:58.893035
\.


--
-- Data for Name: setting; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.setting (tenant, name, value) FROM stdin;
default	epoch	\\x31
default	audit_chain	\\x3269793364613734767434646e757766657332626f3564627175
default	keyset	\\x7b226b6579736574223a7b2267656e65726174696f6e223a312c22646174614b657973223a5b7b226964223a3636323539393139342c226d6163223a313630343937313735302c227072696d617279223a747275657d5d2c227772617073223a5b7b22726f6f744b6579223a2234343130353665353364656336306532222c2275726c223a2266696c653a2f746d702f546573744461746162617365734f664561726c69657256657273696f6e734f70656e323730363037363939312f3030322f646174612f726f6f742e6b6579222c2261646465644174223a22323032362d31312d32375431383a30363a35382e3931363537375a222c226b6579223a22755873596a42776f5538725341634f30494f6f2b5154334c636f2b476b42635578695454774949376a57786f533654797569754b6e4375436d442b334b6b4b31324d3332576e4d504d614e56327175646a616a522f596c615878754b79426a67222c226b6579736574223a226765785236755436692f447148594d5959714532654937566a3067714f44362f5878513331536f6f345a6d68704b49654979304f4e5842777177535463564f7a4133466275456137324e34414a6464774d6a5a78317a69652b627a454a344c4f74416e70786563637773434850555556414b396b69306b4842665444547569497757664a4d374761516c4b303833725557474953533158677046396646374c51615771556e514b343543356d44516c7932426d426c686951673473676968426a593050326b76766946795330654b56386f4946506672426d78796777654a79705a6968594335455178496643582b59787a5868456776342b76534e6147612f657a50313048424b696270616b623130336b614f36585a413671575a6c6c644743304a764947694348634d42476850546f3543694a51545a30434f7853795661616951655934354d4b71333841617377495748616e63476b63395945704241494c375435526b336a50227d5d7d2c226d6163223a2241562b70374f614d67497643396e5158414d356c673843685462464b5a514d43394639466874745942644566787363654a513d3d227d
default	account_mode	\\x646576696365
default	witness/28967a487ae4076948d6c5af3e853949	\\x00066145ed1c85aa
default	metrics.folded/4cqtgocve2detcofoq7udu7keq/1	\\x0000000000000002
default	metrics.folded/4cqtgocve2detcofoq7udu7keq/2	\\x0000000000000001
default	metrics.folded/4cqtgocve2detcofoq7udu7keq/3	\\x0000000000000001
default	metrics.folded/4cqtgocve2detcofoq7udu7keq/4	\\x0000000000000001
default	metrics.folded/4cqtgocve2detcofoq7udu7keq/5	\\x0000000000000001
default	metrics.folded/4cqtgocve2detcofoq7udu7keq/6	\\x0000000000000001
default	metrics.folded/4cqtgocve2detcofoq7udu7keq/7	\\x0000000000000001
default	metrics.folded/4cqtgocve2detcofoq7udu7keq/8	\\x0000000000000001
default	metrics.folded/4cqtgocve2detcofoq7udu7keq/9	\\x0000000000000001
default	metrics.folded/4cqtgocve2detcofoq7udu7keq/10	\\x0000000000000001
default	metrics.folded/4cqtgocve2detcofoq7udu7keq/11	\\x0000000000000001
default	metrics.folded/4cqtgocve2detcofoq7udu7keq/0	\\x000000000000000f
default	beat/4cqtgocve2detcofoq7udu7keq	\\x25015fa9ece6c83a1d8adf180e869e98d656a971cb8f83b29b5ff60248298b009eac27c117c17b22696e7374616e6365223a2234637174676f63766532646574636f666f7137756475376b6571222c226e756d626572223a322c226174223a313739353830323831393630363739332c22636f6e646974696f6e223a22656e646564222c226865616473223a7b2230223a31352c2231223a322c223130223a312c223131223a312c2232223a312c2233223a312c2234223a312c2235223a312c2236223a312c2237223a312c2238223a312c2239223a317d2c2272656164223a6e756c6c7d
\.


--
-- Data for Name: signing_key; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.signing_key (tenant, number, id, algorithm, version, created_at, active_from, erased_at, mac, public_key, sealed) FROM stdin;
default	1	THax1ez3-yAb5_ORbah1goLAN3VWPt7_MGnRaBKv0PA	ES256	1	1795802818981532	1795802818981532	0	\\x015fa9ece668d9064f6c30b60cb1f56745e3aee5d15fc7f6f0c7cba31aadc14994d1def392	\\x3059301306072a8648ce3d020106082a8648ce3d030107034200045d43a13f4e601a020bafb4a3439a781b01772882d79e26b6711993a669bf6dff9f449cca9fd96b06c82385ec92a396763480591ef8f90b4cc81bc5f24dc35b58	\\x0101277e761a29cce27f277d9297d772a0181c4c1961c1dc3de8306b2ae06ba9cccc8244bd1b8b798438dc1f5c50e778a4df92c0f923a0a6b310b464505fb0103fe558878fc8cb4196e3b343d9b9bd4ae004201bfc3ff4cba3b4748d5573e9be59c42cab080583e78035dd3198dbafa0eaee8f3488ecd36008932c5040c3b500117e89794578f3d55f317e4fd5e4fcecbb4a1c83b53ec959558052f53b8ff14e92e43864f419181ac23e08520a1ca91648ce23b9446e42d8
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

\unrestrict ZnEQji9sgMDuldgSs5QUdcTrsWhhNbq6gOXCtPXWAaqbjAMPOHVccoe3tAC4ITJ

