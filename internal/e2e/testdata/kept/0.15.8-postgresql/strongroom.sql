--
-- PostgreSQL database dump
--

\restrict lghhoB4soBVzoSZXsBOm8aCXyYfgIVEjKYjLeJhlxTcYeILLwcLCKNSvC6veyGO

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
default	bnxhnfxayqbsxokznvgxwj7kgq	device		phone	1795913695386472
default	llga7hy5yipxh5gkhgf2kxygoa	device		tablet	1795913695956438
\.


--
-- Data for Name: attempts; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.attempts (tenant, account_id, type, id, version, failures, locked_until, permanent, recent, pending, mac, verified_at, verified_by, devices, locked_to) FROM stdin;
default	bnxhnfxayqbsxokznvgxwj7kgq	TRANSACTION_PIN	ktookhj2u36yxni4rorkgi2j44	2	0	0	f	[]	[]	\\x01ef60fcdb50cb5edc39e7a76763e331181ecafdcba644780bbd800e7159709d999aca8065	1795913695691494		[]	0
default	llga7hy5yipxh5gkhgf2kxygoa	TRANSACTION_PIN	3ryi23pogtefapmvitkni2qbty	8	4	0	f	[1795913695987533,1795913696001155,1795913696014711,1795913696026664]	[]	\\x01ef60fcdb9a8059802b4a828dd14e7e7afc50f46b5b12224821c2b9f2bb7f51e6a7b8c3d6	0		[]	0
\.


--
-- Data for Name: audit_chain; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.audit_chain (tenant, name, number, form) FROM stdin;
default	dbicpkwlrurwg6x5hwimlv2niq	337641472	2
default	qzldrtyxabbk5bqfcg6hbesmgm/0	337641473	2
default	qzldrtyxabbk5bqfcg6hbesmgm/1	337641474	2
default	qzldrtyxabbk5bqfcg6hbesmgm/2	337641475	2
default	qzldrtyxabbk5bqfcg6hbesmgm/3	337641476	2
default	qzldrtyxabbk5bqfcg6hbesmgm/4	337641477	2
default	qzldrtyxabbk5bqfcg6hbesmgm/5	337641478	2
default	qzldrtyxabbk5bqfcg6hbesmgm/6	337641479	2
default	qzldrtyxabbk5bqfcg6hbesmgm/7	337641480	2
default	qzldrtyxabbk5bqfcg6hbesmgm/8	337641481	2
default	qzldrtyxabbk5bqfcg6hbesmgm/9	337641482	2
default	qzldrtyxabbk5bqfcg6hbesmgm/10	337641483	2
default	qzldrtyxabbk5bqfcg6hbesmgm/11	337641484	2
\.


--
-- Data for Name: audit_log; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.audit_log (tenant, chain, seq, "time", request_id, actor, event, outcome, operation, failed, count, duration, key_id, account, device, record, version, before, digest, reason, prev, hash) FROM stdin;
default	dbicpkwlrurwg6x5hwimlv2niq	1	1795913694861623		system	store.initialised	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01ef60fcdb7de17ef2392b789efe9534bd7d585f3abebb3f37b529c080be3700ad0daef401
default	qzldrtyxabbk5bqfcg6hbesmgm/0	1	1795913694895544		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01ef60fcdb08873d11e9175a4b4369a41fc78db58ab2747b9cdcc8f1c90cc44146218352b1
default	qzldrtyxabbk5bqfcg6hbesmgm/1	1	1795913694895544		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01ef60fcdb33f2d99a68441ea22507d31a57cc391e144c1185065c198857110e7317e0abf8
default	qzldrtyxabbk5bqfcg6hbesmgm/2	1	1795913694895544		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01ef60fcdb21c2606a4f652483732ea75d23e646f6403983d7a3f4cf9f2dced6e7bf0dfb55
default	qzldrtyxabbk5bqfcg6hbesmgm/3	1	1795913694895544		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01ef60fcdbf20905e9199e010627f0d68a571ab6247af3330f6363cce25760eed8287a523d
default	qzldrtyxabbk5bqfcg6hbesmgm/4	1	1795913694895544		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01ef60fcdb2232aef32755afddad1ebf717d83c8d1aab34d55fc6acef9a9f89bb017dba2aa
default	qzldrtyxabbk5bqfcg6hbesmgm/5	1	1795913694895544		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01ef60fcdb2dda33ead43796cea1300ca9433136b4b08f42e0baa905dd09e070f562b6e84b
default	qzldrtyxabbk5bqfcg6hbesmgm/6	1	1795913694895544		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01ef60fcdb28601064900e07c94d3424928dea2b5f434371221f16e4f087aad884a756e419
default	qzldrtyxabbk5bqfcg6hbesmgm/7	1	1795913694895544		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01ef60fcdb732586a7ae7f475c40d9a6a210665a804c4a025bdd155c03d8b69de2b14b0afa
default	qzldrtyxabbk5bqfcg6hbesmgm/8	1	1795913694895544		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01ef60fcdba028a5f9a199121b199c71221e3fbc58b97696d45f3c743610f82493b9ebbdef
default	qzldrtyxabbk5bqfcg6hbesmgm/9	1	1795913694895544		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01ef60fcdba0a19da5150954f64ee77a1e8dc51ea3a3fb6a5eb9272c2f244bc807b911f9c4
default	qzldrtyxabbk5bqfcg6hbesmgm/10	1	1795913694895544		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01ef60fcdba582e17b280c36325248ffbf26a9b1d1876e4e4a0f25a1899dde2443f8a390bb
default	qzldrtyxabbk5bqfcg6hbesmgm/11	1	1795913694895544		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01ef60fcdbc8da0ea3fe0a8abf6918b71d3bba9dabc01a46594134256ceb8af31f757ddc34
default	qzldrtyxabbk5bqfcg6hbesmgm/0	2	1795913694902231		system	witness.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x	vm:/tmp/TestDatabasesOfEarlierVersionsOpen2997141198/002/data.witness	\\x01ef60fcdb08873d11e9175a4b4369a41fc78db58ab2747b9cdcc8f1c90cc44146218352b1	\\x01ef60fcdb47f44660067c079e490b5b9d1196d6952c5ccfd08485d8d8ab4188a3d6379480
default	qzldrtyxabbk5bqfcg6hbesmgm/0	3	1795913694911269		system	signing_key.created	ok		f	1	0		\\x	\\x	signing-key/1	0	\\x	\\x	kid ASTbTzyOoQvq0rHdsQ3X59-roMcBVfaBJPAmj_wgH6Y	\\x01ef60fcdb47f44660067c079e490b5b9d1196d6952c5ccfd08485d8d8ab4188a3d6379480	\\x01ef60fcdb1e9bd377c2df4a589d96324133f3f24caf3933a4f7c8098ebff55caea33e73a4
default	qzldrtyxabbk5bqfcg6hbesmgm/0	4	1795913695386472	agrcjtb7tvhjhmhgsuzgkmgidq	caller	key.issued	ok	generateClientEncryptionKey	f	1	252110	2jfgmf2hqnddkjmxafumxzwa44	\\x2bbb8ab64dae7d2b3335c1d2c413efe6	\\xcbc61d5b6cf143b0fb52dedc1b0fe403	key/2jfgmf2hqnddkjmxafumxzwa44	1	\\x	\\xe7002c29cadb1df8f49cf50d1bcebd367144545a0f9104ba791745b814593586		\\x01ef60fcdb1e9bd377c2df4a589d96324133f3f24caf3933a4f7c8098ebff55caea33e73a4	\\x01ef60fcdb6fafe2ec957547166e1f40ab81c2aded743e23fb0ec5aec752308c141e22b029
default	qzldrtyxabbk5bqfcg6hbesmgm/0	5	1795913695407861	agrcjtcaum4tmoj66kjsg5udkq	caller	credential.set	ok	setUserPasscode	f	1	12897	2jfgmf2hqnddkjmxafumxzwa44	\\x2bbb8ab64dae7d2b3335c1d2c413efe6	\\xcbc61d5b6cf143b0fb52dedc1b0fe403	credential/nqxvpk7twzezqgeupf6qdyajuy	1	\\x	\\x483a0cefa89fcaced5647d991efcb348c61d04f985f8b32750578832aa983b01		\\x01ef60fcdb6fafe2ec957547166e1f40ab81c2aded743e23fb0ec5aec752308c141e22b029	\\x01ef60fcdbda8bb0a95029e5732f2dc33b4fe752c36fe0293ec5872dd95ce7bdd40f6951a6
default	qzldrtyxabbk5bqfcg6hbesmgm/0	6	1795913695423906	agrcjtcawrz2k7sidqsb2jcenm	caller	credential.set	ok	setTransactionPin	f	1	12152	2jfgmf2hqnddkjmxafumxzwa44	\\x2bbb8ab64dae7d2b3335c1d2c413efe6	\\xcbc61d5b6cf143b0fb52dedc1b0fe403	credential/e4aguhpdcxnpuvq7w4gwj6lyti	1	\\x	\\x3497756a1301319c0f941d93d3f45f8ca289977e58c5eef8987c7a9f749c7198		\\x01ef60fcdbda8bb0a95029e5732f2dc33b4fe752c36fe0293ec5872dd95ce7bdd40f6951a6	\\x01ef60fcdbd01bf5b2181c376373114cbadd714a3b26ebf02f092f3db08972757e709caef9
default	qzldrtyxabbk5bqfcg6hbesmgm/0	7	1795913695457458		system	chain.tied	ok		f	1	0		\\x	\\x	chain/dbicpkwlrurwg6x5hwimlv2niq	1	\\x	\\x01ef60fcdb7de17ef2392b789efe9534bd7d585f3abebb3f37b529c080be3700ad0daef401		\\x01ef60fcdbd01bf5b2181c376373114cbadd714a3b26ebf02f092f3db08972757e709caef9	\\x01ef60fcdb534036a4c62660fcc2b6173043d95b6dabf06e126bdb57d3ced21fd7aa9853fc
default	qzldrtyxabbk5bqfcg6hbesmgm/0	8	1795913695457458		system	chain.tied	ok		f	1	0		\\x	\\x	chain/qzldrtyxabbk5bqfcg6hbesmgm/1	1	\\x	\\x01ef60fcdb33f2d99a68441ea22507d31a57cc391e144c1185065c198857110e7317e0abf8		\\x01ef60fcdb534036a4c62660fcc2b6173043d95b6dabf06e126bdb57d3ced21fd7aa9853fc	\\x01ef60fcdbd174cee8458c3c4f9832a5b9aeeccc94a27d11e715580d874c06f06d458ab0a4
default	qzldrtyxabbk5bqfcg6hbesmgm/0	9	1795913695457458		system	chain.tied	ok		f	1	0		\\x	\\x	chain/qzldrtyxabbk5bqfcg6hbesmgm/10	1	\\x	\\x01ef60fcdba582e17b280c36325248ffbf26a9b1d1876e4e4a0f25a1899dde2443f8a390bb		\\x01ef60fcdbd174cee8458c3c4f9832a5b9aeeccc94a27d11e715580d874c06f06d458ab0a4	\\x01ef60fcdb768cb923a5011403252cdda4bcfa9469b0e847c7e2e1c54718f229d2eb53d3c8
default	qzldrtyxabbk5bqfcg6hbesmgm/0	10	1795913695457458		system	chain.tied	ok		f	1	0		\\x	\\x	chain/qzldrtyxabbk5bqfcg6hbesmgm/11	1	\\x	\\x01ef60fcdbc8da0ea3fe0a8abf6918b71d3bba9dabc01a46594134256ceb8af31f757ddc34		\\x01ef60fcdb768cb923a5011403252cdda4bcfa9469b0e847c7e2e1c54718f229d2eb53d3c8	\\x01ef60fcdb4c2d28e3d1ef3f371b40e2bb9397f875d8b28a426c398324716031975ca07d61
default	qzldrtyxabbk5bqfcg6hbesmgm/0	11	1795913695457458		system	chain.tied	ok		f	1	0		\\x	\\x	chain/qzldrtyxabbk5bqfcg6hbesmgm/2	1	\\x	\\x01ef60fcdb21c2606a4f652483732ea75d23e646f6403983d7a3f4cf9f2dced6e7bf0dfb55		\\x01ef60fcdb4c2d28e3d1ef3f371b40e2bb9397f875d8b28a426c398324716031975ca07d61	\\x01ef60fcdb9bf44895aa81025b5bd669912e283591753c7fe9866f9b1bf9121393d4d594d1
default	qzldrtyxabbk5bqfcg6hbesmgm/0	12	1795913695457458		system	chain.tied	ok		f	1	0		\\x	\\x	chain/qzldrtyxabbk5bqfcg6hbesmgm/3	1	\\x	\\x01ef60fcdbf20905e9199e010627f0d68a571ab6247af3330f6363cce25760eed8287a523d		\\x01ef60fcdb9bf44895aa81025b5bd669912e283591753c7fe9866f9b1bf9121393d4d594d1	\\x01ef60fcdb39bbee4cc428f128c5404682c23b0950ae0bf094859d4effb034e6a25d1e1429
default	qzldrtyxabbk5bqfcg6hbesmgm/0	13	1795913695457458		system	chain.tied	ok		f	1	0		\\x	\\x	chain/qzldrtyxabbk5bqfcg6hbesmgm/4	1	\\x	\\x01ef60fcdb2232aef32755afddad1ebf717d83c8d1aab34d55fc6acef9a9f89bb017dba2aa		\\x01ef60fcdb39bbee4cc428f128c5404682c23b0950ae0bf094859d4effb034e6a25d1e1429	\\x01ef60fcdba3a822fe64c5261aa3ad6e1e4c009f6f5ca810aace7cf13ebad410d450b7511e
default	qzldrtyxabbk5bqfcg6hbesmgm/0	14	1795913695457458		system	chain.tied	ok		f	1	0		\\x	\\x	chain/qzldrtyxabbk5bqfcg6hbesmgm/5	1	\\x	\\x01ef60fcdb2dda33ead43796cea1300ca9433136b4b08f42e0baa905dd09e070f562b6e84b		\\x01ef60fcdba3a822fe64c5261aa3ad6e1e4c009f6f5ca810aace7cf13ebad410d450b7511e	\\x01ef60fcdb27573df7d55c1a3748ef3e599b59146c1608b648f77df9ecb2ce5c51fa754081
default	qzldrtyxabbk5bqfcg6hbesmgm/0	15	1795913695457458		system	chain.tied	ok		f	1	0		\\x	\\x	chain/qzldrtyxabbk5bqfcg6hbesmgm/6	1	\\x	\\x01ef60fcdb28601064900e07c94d3424928dea2b5f434371221f16e4f087aad884a756e419		\\x01ef60fcdb27573df7d55c1a3748ef3e599b59146c1608b648f77df9ecb2ce5c51fa754081	\\x01ef60fcdbf811aa826315e09d02549f43ed5e9e573b7e8a794f4940be59682197c97e7542
default	qzldrtyxabbk5bqfcg6hbesmgm/0	16	1795913695457458		system	chain.tied	ok		f	1	0		\\x	\\x	chain/qzldrtyxabbk5bqfcg6hbesmgm/7	1	\\x	\\x01ef60fcdb732586a7ae7f475c40d9a6a210665a804c4a025bdd155c03d8b69de2b14b0afa		\\x01ef60fcdbf811aa826315e09d02549f43ed5e9e573b7e8a794f4940be59682197c97e7542	\\x01ef60fcdbc8f13ea778cec15bf2232290c0eccff3c5ae317773b29e69fd868e78f6b4cd4b
default	qzldrtyxabbk5bqfcg6hbesmgm/0	17	1795913695457458		system	chain.tied	ok		f	1	0		\\x	\\x	chain/qzldrtyxabbk5bqfcg6hbesmgm/8	1	\\x	\\x01ef60fcdba028a5f9a199121b199c71221e3fbc58b97696d45f3c743610f82493b9ebbdef		\\x01ef60fcdbc8f13ea778cec15bf2232290c0eccff3c5ae317773b29e69fd868e78f6b4cd4b	\\x01ef60fcdbb121efe0c2aa2e19dbda20e0e206640dde2c83bb36fd28ec2195bcb7fc1a1d57
default	qzldrtyxabbk5bqfcg6hbesmgm/0	18	1795913695457458		system	chain.tied	ok		f	1	0		\\x	\\x	chain/qzldrtyxabbk5bqfcg6hbesmgm/9	1	\\x	\\x01ef60fcdba0a19da5150954f64ee77a1e8dc51ea3a3fb6a5eb9272c2f244bc807b911f9c4		\\x01ef60fcdbb121efe0c2aa2e19dbda20e0e206640dde2c83bb36fd28ec2195bcb7fc1a1d57	\\x01ef60fcdbd13eb789d9f57253f4fcb46adabb4c407dbf6740fa49c366500f582d07f1c2cf
default	qzldrtyxabbk5bqfcg6hbesmgm/0	22	1795913695945681		system	operations.counted	CREDENTIAL_REJECTED		f	1	7583		\\x	\\x		0	\\x	\\x	setTransactionPin	\\x01ef60fcdb972e885cc45416687bbd6516cc134737	\\x01ef60fcdb7cb4b4aa856867e3c053093c77e143e2434073fe0c7b18c4999293d7ce1e5536
default	qzldrtyxabbk5bqfcg6hbesmgm/0	19	1795913695673695	agrcjtcaz5usggppfmiz2oryj4	caller	key.rotated	ok		f	1	0	2jfgmf2hqnddkjmxafumxzwa44	\\x2bbb8ab64dae7d2b3335c1d2c413efe6	\\xcbc61d5b6cf143b0fb52dedc1b0fe403	key/2jfgmf2hqnddkjmxafumxzwa44	2	\\xe7002c29cadb1df8f49cf50d1bcebd367144545a0f9104ba791745b814593586	\\x192c1882f5078a23262016e489785117822a9b46323033b73c91a963e5738b12		\\x01ef60fcdbd13eb789d9f57253f4fcb46adabb4c407dbf6740fa49c366500f582d07f1c2cf	\\x01ef60fcdb065eb76cd3b442a73c653c840614f5e6876382c5151596a94544e5b059fdd35b
default	qzldrtyxabbk5bqfcg6hbesmgm/0	20	1795913695673695	agrcjtcaz5usggppfmiz2oryj4	caller	key.issued	ok	rotateClientEncryptionKey	f	1	235678	le42aipztvotjvrn6oqnplggjy	\\x2bbb8ab64dae7d2b3335c1d2c413efe6	\\xcbc61d5b6cf143b0fb52dedc1b0fe403	key/le42aipztvotjvrn6oqnplggjy	1	\\x	\\x4d61aab1fc6a0ca425abce672b674b12c1a706ced355fdb13fb19154d7b5ecbb		\\x01ef60fcdb065eb76cd3b442a73c653c840614f5e6876382c5151596a94544e5b059fdd35b	\\x01ef60fcdbf600a964f85eecf6a7fb057580874fd94d25068ad105cee17d81d9da8f70f366
default	qzldrtyxabbk5bqfcg6hbesmgm/0	23	1795913695956438	agrcjtcbzzpyym2ulu2cdgqoiu	caller	key.issued	ok	generateClientEncryptionKey	f	1	262893	7oexxfw7djsqxh3oozsxzw3xoe	\\xcd1043ad671be2148255879be4540e2a	\\x0469320d6a5ec4d625acbf2c4b5ea73c	key/7oexxfw7djsqxh3oozsxzw3xoe	1	\\x	\\xbd374324265fad977059865b512f430c12712e777f766d92ba9babf162474fb1		\\x01ef60fcdb7cb4b4aa856867e3c053093c77e143e2434073fe0c7b18c4999293d7ce1e5536	\\x01ef60fcdb741a450b0c2ca351640d7c7c6e732fbc8a012d53527b79b2c719106faef87590
default	qzldrtyxabbk5bqfcg6hbesmgm/0	24	1795913695973891	agrcjtcc3cjdf73evuat5xa42i	caller	credential.set	ok	setTransactionPin	f	1	13436	7oexxfw7djsqxh3oozsxzw3xoe	\\xcd1043ad671be2148255879be4540e2a	\\x0469320d6a5ec4d625acbf2c4b5ea73c	credential/u5d2xqqz5665qlq73ejvackhxi	1	\\x	\\xd586ffe50c5cdff1ce395ef50bcb787bb855c1c0c7e8bd75f3cfbffd72de4d9f		\\x01ef60fcdb741a450b0c2ca351640d7c7c6e732fbc8a012d53527b79b2c719106faef87590	\\x01ef60fcdbb64d7ba8af09dc3177819a817836abd48f5c8e35057fa75a0d0328d11830e4fa
\.


--
-- Data for Name: audit_verdict_2026_11; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.audit_verdict_2026_11 (chain, seq, second, micros, account, data, hash) FROM stdin;
337641473	21	849228895	691494	733711030	\\x01a224cc41bf1b0550b6b8d9c3579ec95939a021f99d5d34d62df3a0d7acc64e4dae7d2b3335c1d2c413efe6cbc61d5b6cf143b0fb52dedc1b0fe40354dce51d3aa6fd8bb51c8ba2a32349e70202fb5f000008faa82f53015538094e08462b54d6ca7c	\\x01ef60fcdb972e885cc45416687bbd6516cc134737
337641473	25	849228895	987533	-854572115	\\x01a224cc42e80ad99545ed0a9d1fbf73fb897b96df1a650b9f6e76657cdb7771671be2148255879be4540e2a0469320d6a5ec4d625acbf2c4b5ea73cdc708d6dee34c8503d9544d4d46a019e1202e656000008145927e61471345ed75cd5d3f3b0c503	\\x01ef60fcdb3de6cb6abe97767cc38e923eb97896e5
337641473	26	849228896	1155	-854572115	\\x01a224cc42f6efa3048dbf3614a35d82fb897b96df1a650b9f6e76657cdb7771671be2148255879be4540e2a0469320d6a5ec4d625acbf2c4b5ea73cdc708d6dee34c8503d9544d4d46a019e1204a252000008d75cd5d3f3b0c503e961fcc408d4bcc0	\\x01ef60fcdbf36651e647b66110928e1d9a920f15af
337641473	27	849228896	14711	-854572115	\\x01a224cc4303e66a1a39fde5222cc903fb897b96df1a650b9f6e76657cdb7771671be2148255879be4540e2a0469320d6a5ec4d625acbf2c4b5ea73cdc708d6dee34c8503d9544d4d46a019e1206c054000008e961fcc408d4bcc0037e9b5eecadc6bd	\\x01ef60fcdbe95188c8eb1c9344ce779a4abf168e7b
337641473	28	849228896	26664	-854572115	\\x01a224cc4310f818c99c8d26f7e4c606fb897b96df1a650b9f6e76657cdb7771671be2148255879be4540e2a0469320d6a5ec4d625acbf2c4b5ea73cdc708d6dee34c8503d9544d4d46a019e1208a74e000008037e9b5eecadc6bd9fb37cbe27c7331b	\\x01ef60fcdb91ac52f34692796a1a7dfd7770d5e212
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
default	60000000	1795913640000000	qzldrtyxabbk5bqfcg6hbesmgm	12	1	851511	\\x010469320d6a5ec4d6cbc61d5b6cf143b0	\\x0168010202000200020002200100010001
default	3600000000	1795910400000000	qzldrtyxabbk5bqfcg6hbesmgm	12	1	851511	\\x010469320d6a5ec4d6cbc61d5b6cf143b0	\\x0168010202000200020002200100010001
default	86400000000	1795910400000000	qzldrtyxabbk5bqfcg6hbesmgm	12	1	851511	\\x010469320d6a5ec4d6cbc61d5b6cf143b0	\\x0168010202000200020002200100010001
default	2419200000000	1795046400000000	qzldrtyxabbk5bqfcg6hbesmgm	12	1	851511	\\x010469320d6a5ec4d6cbc61d5b6cf143b0	\\x0168010202000200020002200100010001
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
default	bnxhnfxayqbsxokznvgxwj7kgq	PASSCODE	nqxvpk7twzezqgeupf6qdyajuy	1	1795913695407861	1795913695407861	\\x0101e01841a4eb4597a9b7caec012c2ef82ddcd265d500b3985e60249604cc4e7f7111a371334a6eeca5fe887612864bb81496111882f8a88a9ce6cf04f59fa5bfbe9834c1ca6b2f0fee128b48451801d1e475d04a2eeb1c9f219e78f5fcb73b95b0c201112cd6a7
default	bnxhnfxayqbsxokznvgxwj7kgq	TRANSACTION_PIN	e4aguhpdcxnpuvq7w4gwj6lyti	1	1795913695423906	1795913695423906	\\x0101e01841a46a9ff0a3cfdbba6e4886dbcb6e30ce70f1501c22094c7cff26e8e0e869da09bf5a3665105bafd3b03a26335649c52340efd1ae06c0a98af5db38b2f14edbddf1f1f56e85410ca2b1c94f211583640a94142dc0471dd33b92226574913d2657aad49e
default	llga7hy5yipxh5gkhgf2kxygoa	TRANSACTION_PIN	u5d2xqqz5665qlq73ejvackhxi	1	1795913695973891	1795913695973891	\\x0101e01841a4cf2eb5996d2e4b4a1ec10121c2611e8c9a358591d6353952bf2870b3fa991ca9b9b9833162d8601be785b1511b9f912d945fd1dbef2e22035bae39727f20ceaad8b73dc48454c17bd2609283ff08d997fb8a6aecfa480a31896d0649fc39cd1b71ca
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
default	bnxhnfxayqbsxokznvgxwj7kgq	2jfgmf2hqnddkjmxafumxzwa44	phone	invalidated	2	RSA-OAEP-256	3072		1795913695386472	0	1795913695673695	0	\\x01ef60fcdbc5a79dc4c5502a6c26e973b1dfd0346bedf08147ab7a1fd257cdc50e08f66ac9	\\x308201a2300d06092a864886f70d01010105000382018f003082018a0282018100c730e5ea5f43148892138259b7fb55d3093ea421b71ab4bb33972d9f89f7133f784a0835daece3ba273ef9a8b2ee38e66cb5760c8973d52ad265ccfad6694a2d58f9ad6ff7bf2ba9876fd1742b539a01b2f612ac8609975d0816a6f2eb96d862f9181462cd03d1bbd055261f7750725d2a8d5e8cd047f29eb5ca576c505379367151ec885760667c7e12b96d8cc181099971ad6b5949edfeb75881a936d72c8869f5ff14c45f4e9053a412adca1bcfc63a90088d00a45c98efdc30b4f540baac56c51208b668a162818fb6faf9751a52ca79a6cb29cf6398a007d0f8257d5e6f9ed8108ff16b5f9c47d9c16d4d2e130bee9ed1d2d9ed81c2c4e5242d97d58fd91866efecff009c069cb408b3a3b9c83bef3a077b7d537175027d2d6757f52c5f6f93082cbfd65f905d0db48d5fb17ff34095d8c2eeaa08b08da7a7ba2f43213277e0b558255ccd72f2d9d80efbdbb976c4d75a6c45bc18d02d693aa48214cf742f17466137981064a1ce1c5d752377139807f0ebab8b6b5961c9b0f404e3f1d30203010001	\\x	
default	bnxhnfxayqbsxokznvgxwj7kgq	le42aipztvotjvrn6oqnplggjy	phone	active	1	RSA-OAEP-256	3072		1795913695673695	0	0	0	\\x01ef60fcdb03eba1d1be9bffa6e37ab906cf11f577e1c368d869fdf16bbab3a80be55469e5	\\x308201a2300d06092a864886f70d01010105000382018f003082018a02820181009b44ab87d275ff2cd61e96928874c2c4795d54f7caffee25d49d7d095e37b7d755be5071284166e23fffd0221ccca32aab3e278bac88600f1ea8193885ed9cfce650cceebc8a82e7748be52b0197034ef966a1d500ef82f5c6aabd4e0e9ed40265dfdefc538d4304b0905bfc5e10cd1ed4ce8b65ef37d31143ca14e5ea5c193d7237eba9e1ca1e8298ed5743f8a88908a82522e5d7741af36a146bed59d4ca7548e2b851b6dbc8ae332502fb3973c1483074eec45fa3e63677b8ad68fd41667c5394646d01debb51485f84a29dd7641b06ac295787cfadc76316cbd3037757d230d20a437dcd403ddd1a6b4b8c5247f09b5f815280368a50f00cc47cb6aadff8d0b6d64375d68f5aa3529294f782674d65b95f9cec1393cc454f5de415755eda5c495d1550d1084087851db162353b0378463a8cdc72754719f597163db1082fc4a7d944222192796d58f58e1ce0135322f2b927a1d6b26689f137aea721bd52b6599f074c0ecd59668e3f6c75aa44f6ed6fa6caa31b78ff1ecef8e6fa21754f0203010001	\\x0101e01841a49ab160541f3ff3a2c8676a4bf072d48f6c1741833a02a6a8af26b9c9d2c2c387e27081f0f023590954e5dcdb989270532e3282422e022ba3d6dd83faa477f26dc3088d0cbf3f56f5ba3c211892b0a2f9d330b1b86ea79d67157d4fbf1524bc90cbd5aecca1391855819f93e38067a8898e785097cb0b8b5553e1370257e914da04f3cfb53aa8ed603820130663014a67cd4a9dbf0ae92013ae304e732c6d81e1b91d30024735889996ce310fe83043e7600e6f63eea63451eaad6721e404969bac01e47165f4e350fc7ab0b55cbdd95fa6c96c194aa3cfdb75a0925d8246f10152f225eb189256f06c95da4b4952f325c59daac07bad70f92f239da0808e1b6a6749d5e5820d4e5bd6adb9cd6d0d46968c54284209d4ab12b80a095240a13b589dd1215f75033565b680be19df45bb13c7a20ef3d25f510cc51ca4aabd7de3c471cddd76cf17335db78c2a089852939b514986037e4863133cb9af78543cbe2c4af3acadc0bfc2a5252b12f09a82f250c96c459d4295edb353c914b7dc4e6073efe34f80ec6872f7b4e64b56b6801d635ce504a98eae758bcd23f4f0e9f68a1f172b27a49076378cf8	
default	llga7hy5yipxh5gkhgf2kxygoa	7oexxfw7djsqxh3oozsxzw3xoe	tablet	active	1	RSA-OAEP-256	3072		1795913695956438	0	0	0	\\x01ef60fcdb19df0a29a5c1aa5f2a6d96586d1295edb2b031d898594f1eefcad7fae028b3bf	\\x308201a2300d06092a864886f70d01010105000382018f003082018a0282018100ceccfb156e5862d82ca18e513c619bafb56523611f0ccdcea2ff1159be5cfce3a4bce766cec99c2a5d4fdec5b2e7c87e12cf94969350d7a42208758fdd1877be42fa142aeb45c6890f4056cc6625175ebf4653e215566bc90093412b23129efde124f4ee75c3deb2d34f7b11f8ef4523874a8949cee4e82483a42ec014bb9e2c95c8ca2c99a1be2f28178a011bb3860cf0ed098e0ce1cba3934b9044ae1bb87f2dd94fa305e0fe93ed03b28d82a0398b5a7d87812ba3ccd06bb20f6c02f162c4e5bfc70da3805829b53f9f25547e137a9133b941487f83b2aa8fec51f09a0d0c781bf7c9bbf177bd9c6e1e4c4ef86b247db4dac5938d1f10e961db029fdc5460355eaff9a3ec51b21cdb537000ea9ff6761375de7206c57a081a383003bd6cb2d8c532b59e3f7820c7a088a8e9918425ed06cb3acd83c03d207ee00a2580b2142f0b8e8edd02b0440c91c67434c37ad6871e2b0cf6d6b1da4f64e41c8680c9a94c85ba553322d378129ee9bbb1e14a911facd80b19ce10b8545d89f39cac6d770203010001	\\x0101e01841a4c37bf71c7539d0bb35965d174c8df256d2deb7e6a3c6f8a36f936a5a1bdb244093949240f4bb5a598d4045c6f5825251b6a04e43cfbc01891984c6d6e5cd2aa02ac6d884267a449ab5fe1b63a7a71b0e0f01adc6379a3749f99873b930ae7e7a99470479e2317c2824efd79727b98dbe790b37ddc7210b5ef7919044e43134b4c627ceb026a14400b7ab0a5ea9f61a2452d274816ea1ddd571527d4367dbbda2cd7d3bf5d2fe53bdcdd83f5e85809c58aab3496aeb96fa6f38039b00198b7ab14890df474bda032ad10dd2bbf945fed48f587dcacbb5c8d3d5de01d85dd158eac41721fd008a3e797c8dba9f0dd7cf16c7d397bbd0e94d284b6e04773105573d9271b254fac468bb9d9e19fc244cf74d3ded3f1ec47274085e0ed4458efa4e39247997e372aa40d3c826bdbb61c9ece2de43544313378d16fcb17ba4c314870541ff2ee64c6817921dc44077f5480246e97a64462679d43e231d21912744bb335e3c9e9358fe9e08b0390867d4814d4184cbc6e1d683427f4202e7cc64911e6c019830ba642ec382b191d58b48de2e6b1c870cd2740cafa19b10f872dab26aabe2dda9b208bdbeb18d	
\.


--
-- Data for Name: key_account; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.key_account (tenant, key_id, account_id) FROM stdin;
default	2jfgmf2hqnddkjmxafumxzwa44	bnxhnfxayqbsxokznvgxwj7kgq
default	le42aipztvotjvrn6oqnplggjy	bnxhnfxayqbsxokznvgxwj7kgq
default	7oexxfw7djsqxh3oozsxzw3xoe	llga7hy5yipxh5gkhgf2kxygoa
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
default	bnxhnfxayqbsxokznvgxwj7kgq	2jfgmf2hqnddkjmxafumxzwa44	1795910400000000
default	bnxhnfxayqbsxokznvgxwj7kgq	le42aipztvotjvrn6oqnplggjy	1795910400000000
default	llga7hy5yipxh5gkhgf2kxygoa	7oexxfw7djsqxh3oozsxzw3xoe	1795910400000000
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
4097083626	f	\N	\N	\N	2026-11-29 00:54:54.84099+00
\.


--
-- Data for Name: schema_version; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.schema_version (id, version_id, is_applied, tstamp) FROM stdin;
1	0	t	2026-11-29 00:54:54.766946
2	1	t	2026-11-29 00:54:54.799248
3	2	t	2026-11-29 00:54:54.815256
4	3	t	2026-11-29 00:54:54.824564
5	4	t	2026-11-29 00:54:54.824821
6	5	t	2026-11-29 00:54:54.828423
7	6	t	2026-11-29 00:54:54.830262
8	7	t	2026-11-29 00:54:54.831284
9	8	t	2026-11-29 00:54:54.831691
10	9	t	2026-11-29 00:54:54.833107
11	10	t	2026-11-29 00:54:54.834298
12	11	t	2026-11-29 00:54:54.836693
13	12	t	2026-11-29 00:54:54.837541
14	13	t	2026-11-29 00:54:54.837665
15	14	t	2026-11-29 00:54:54.840013
\.


--
-- Data for Name: setting; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.setting (tenant, name, value) FROM stdin;
default	epoch	\\x31
default	keyset	\\x7b226b6579736574223a7b2267656e65726174696f6e223a312c22646174614b657973223a5b7b226964223a333735393638363035322c226d6163223a343031363131303831312c227072696d617279223a747275657d5d2c227772617073223a5b7b22726f6f744b6579223a2230613333616138653132626338386633222c2275726c223a2266696c653a2f746d702f546573744461746162617365734f664561726c69657256657273696f6e734f70656e323939373134313139382f3030322f646174612f726f6f742e6b6579222c2261646465644174223a22323032362d31312d32395430303a35343a35342e3836313632335a222c226b6579223a223067434d6651456f4477535a3765785164767445585154776c44515a6b6a746b58304a44366861642b3865466d7764686e435139687446546e475a7a77582f363764444261633633572f774d62792b307a4472726b61736f73367943786b522f222c226b6579736574223a22324641725071346e727a6e747741506e663771665359325651694f764763716f6433704c51475a626751434a6d5664737777396a65382b31585047573633656c394f31446c7379566e303856376c616930614976416158624645594d396b757476686f6d7748493935432b68386e6543544637395555625154644275724946694d754e394a6b38336c4e2f385a6c36536e4b543552643231366b6855473173616e454b63514b4148687865644c4e596d702f43462b3454685a494b394678774d474a6d776846484a7a6331666d4c4779374c5a6253625a3377626f62796f6e4947376c52766d68646471304466466b774f6236514a794e35634f57572b614d7362656133325142585837522f786d52646566344a386438567a43394c4b7a63597a786d6872336c7439636b65634a4d51684a50524c775545545a6a52446d6935494b5762476458715251496874754833696e65364c63645972437743337069794b47507534505766227d5d7d2c226d6163223a22416539672f4e76394e32716a4f6131735a32454b6373484c4c3258387077736f576371346f597536334b7878422b367159413d3d227d
default	account_mode	\\x646576696365
default	audit_chain	\\x64626963706b776c72757277673678356877696d6c76326e6971
default	witness/510d7a5156a26a9a7d7e68fe00c920a8	\\x0006615fbdd4f7d7
default	metrics.folded/qzldrtyxabbk5bqfcg6hbesmgm/1	\\x0000000000000001
default	metrics.folded/qzldrtyxabbk5bqfcg6hbesmgm/2	\\x0000000000000001
default	metrics.folded/qzldrtyxabbk5bqfcg6hbesmgm/3	\\x0000000000000001
default	metrics.folded/qzldrtyxabbk5bqfcg6hbesmgm/4	\\x0000000000000001
default	metrics.folded/qzldrtyxabbk5bqfcg6hbesmgm/5	\\x0000000000000001
default	metrics.folded/qzldrtyxabbk5bqfcg6hbesmgm/6	\\x0000000000000001
default	metrics.folded/qzldrtyxabbk5bqfcg6hbesmgm/7	\\x0000000000000001
default	metrics.folded/qzldrtyxabbk5bqfcg6hbesmgm/8	\\x0000000000000001
default	metrics.folded/qzldrtyxabbk5bqfcg6hbesmgm/9	\\x0000000000000001
default	metrics.folded/qzldrtyxabbk5bqfcg6hbesmgm/10	\\x0000000000000001
default	metrics.folded/qzldrtyxabbk5bqfcg6hbesmgm/11	\\x0000000000000001
default	audit_tied	\\x0006615fbddd70b201ef60fcdba565dfef35930161638b563bca6a028becd5c234191412be6ee7c81bd73d2df4
default	metrics.folded/qzldrtyxabbk5bqfcg6hbesmgm/0	\\x000000000000001c
default	beat/qzldrtyxabbk5bqfcg6hbesmgm	\\x2501ef60fcdb40d88e0e0c81f68ce29a333e0888df747a5a94d60856408a6ac9aab2ed5cc5087b22696e7374616e6365223a22717a6c64727479786162626b35627166636736686265736d676d222c226e756d626572223a322c226174223a313739353931333639363033313733372c22636f6e646974696f6e223a22656e646564222c226865616473223a7b2230223a32382c2231223a312c223130223a312c223131223a312c2232223a312c2233223a312c2234223a312c2235223a312c2236223a312c2237223a312c2238223a312c2239223a317d2c2272656164223a6e756c6c7d
\.


--
-- Data for Name: signing_key; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.signing_key (tenant, number, id, algorithm, version, created_at, active_from, erased_at, mac, public_key, sealed) FROM stdin;
default	1	ASTbTzyOoQvq0rHdsQ3X59-roMcBVfaBJPAmj_wgH6Y	ES256	1	1795913694911269	1795913694911269	0	\\x01ef60fcdb1d45679909f680f7501772c73e8b3c443e7d7c7d5c1cc96275ae2669dee61263	\\x3059301306072a8648ce3d020106082a8648ce3d03010703420004ea747a9bb67716374c2ac52c8a74c9da6572371ee66a181c782512abc1650746e4b80d8232aa3bd675840d0faf0ee669f35325570a55ba94670d7a56999650a2	\\x0101e01841a4f632e824818aa6595160fa7eba718c352da621364d55f0c27b57ec46a466f599488373fa6cd3037147a294efe6009c753f562a90d3d4ecb9dddcdbaa8b14cc05443c6cdaa866a1e2e68701309b7de1384031f466f29315b56185f50a5edd0993b7d8c5dfe5633c164b76ba2ee386860fca744d54c2b06dfc332e6ed70a63cc00beb03d57ef7e5a5154e30aa609e96ae8daac3cf0107e1f2450286df33b4a0fc48ee4cd181f1d928e70ef02ba8635446b3b05
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

\unrestrict lghhoB4soBVzoSZXsBOm8aCXyYfgIVEjKYjLeJhlxTcYeILLwcLCKNSvC6veyGO

