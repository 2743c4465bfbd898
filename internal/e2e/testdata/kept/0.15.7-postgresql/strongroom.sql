--
-- PostgreSQL database dump
--

\restrict KJv6qzmNhqeMlNq6BMEYwm0QrpxWsQxCXCbEmKodbJYp4TdskDnuzhGMBh2E22k

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
default	7bfz2x6kdmskalaqg7msoij4ym	device		phone	1795903461439721
default	qexvg2k4ep2a3gydwedu5qa2ue	device		tablet	1795903462192444
\.


--
-- Data for Name: attempts; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.attempts (tenant, account_id, type, id, version, failures, locked_until, permanent, recent, pending, mac, verified_at, verified_by, devices, locked_to) FROM stdin;
default	7bfz2x6kdmskalaqg7msoij4ym	TRANSACTION_PIN	mqw7ayoia2zthycn6ejsekdruq	2	0	0	f	[]	[]	\\x012ac55f0d27c87ba73b843dc72df941526080a645c6f403afcc6c5fdd6f7becd506750fa9	1795903461846776		[]	0
default	qexvg2k4ep2a3gydwedu5qa2ue	TRANSACTION_PIN	fa2li4x6znkpx4hvq6ovk2infi	8	4	0	f	[1795903462232107,1795903462246802,1795903462258297,1795903462269693]	[]	\\x012ac55f0d994386ea6b64f071616d580dae3094ffbb87530463a6fd512718f7061526c219	0		[]	0
\.


--
-- Data for Name: audit_chain; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.audit_chain (tenant, name, number, form) FROM stdin;
default	m2daihgaxibvqxz4kfoqw6mtnq	337641472	2
default	wkubkla6bsbeuu42xrbfgwg5bm/0	337641473	2
default	wkubkla6bsbeuu42xrbfgwg5bm/1	337641474	2
default	wkubkla6bsbeuu42xrbfgwg5bm/2	337641475	2
default	wkubkla6bsbeuu42xrbfgwg5bm/3	337641476	2
default	wkubkla6bsbeuu42xrbfgwg5bm/4	337641477	2
default	wkubkla6bsbeuu42xrbfgwg5bm/5	337641478	2
default	wkubkla6bsbeuu42xrbfgwg5bm/6	337641479	2
default	wkubkla6bsbeuu42xrbfgwg5bm/7	337641480	2
default	wkubkla6bsbeuu42xrbfgwg5bm/8	337641481	2
default	wkubkla6bsbeuu42xrbfgwg5bm/9	337641482	2
default	wkubkla6bsbeuu42xrbfgwg5bm/10	337641483	2
default	wkubkla6bsbeuu42xrbfgwg5bm/11	337641484	2
\.


--
-- Data for Name: audit_log; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.audit_log (tenant, chain, seq, "time", request_id, actor, event, outcome, operation, failed, count, duration, key_id, account, device, record, version, before, digest, reason, prev, hash) FROM stdin;
default	m2daihgaxibvqxz4kfoqw6mtnq	1	1795903460907373		system	store.initialised	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x012ac55f0dcd7bd461095651d390ad68e4a1918524677872500fa68f229423697e19c0154b
default	wkubkla6bsbeuu42xrbfgwg5bm/0	1	1795903460934803		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x012ac55f0df77d6f57eb16a705bd59c5eb47127cdca6be45033ab3ef36ddc35185e390df0c
default	wkubkla6bsbeuu42xrbfgwg5bm/1	1	1795903460934803		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x012ac55f0da6d4afd1b35c1dd0e55fccb3d73e689aef608d3f9f965522595b3db1c3d10268
default	wkubkla6bsbeuu42xrbfgwg5bm/2	1	1795903460934803		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x012ac55f0df9d91b6b2311a70d4d8be45ca1f973a8ae6b1f38afc43d143211447c9435c15d
default	wkubkla6bsbeuu42xrbfgwg5bm/3	1	1795903460934803		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x012ac55f0d87203e9b57da486d80db800e1d8295750d38d07b7bb283e9a1b07b3b6d630ba6
default	wkubkla6bsbeuu42xrbfgwg5bm/4	1	1795903460934803		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x012ac55f0dae7b67c6d1b34c4693d2767ffc93720a50c3e83a94485534fef3d32288bb313f
default	wkubkla6bsbeuu42xrbfgwg5bm/5	1	1795903460934803		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x012ac55f0d3046f01944e4845adf6b70cfb7210f8b46c67d5b9e94aa98e6e6db920f8cfe82
default	wkubkla6bsbeuu42xrbfgwg5bm/6	1	1795903460934803		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x012ac55f0dcb3f0167dec59fa893b19041e0a769c5d3369026da3ac56d9721c55157e33d70
default	wkubkla6bsbeuu42xrbfgwg5bm/7	1	1795903460934803		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x012ac55f0d22bd6d6c512e1a86503f3cf4e3c4be729f4186f3af0ed6019696670d1be8266f
default	wkubkla6bsbeuu42xrbfgwg5bm/8	1	1795903460934803		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x012ac55f0db35592690ffb773c5fd0ee269724a3dcb8766beb3ce68648778df0bd5b71db7f
default	wkubkla6bsbeuu42xrbfgwg5bm/9	1	1795903460934803		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x012ac55f0d1065204010c4998523c8271f05eba313f2a00ca061197c2351ca20a25efdfb93
default	wkubkla6bsbeuu42xrbfgwg5bm/10	1	1795903460934803		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x012ac55f0d0a3e66fc69924b62774cf4810d163a72639797db2a40907c93de0fb4ca05333d
default	wkubkla6bsbeuu42xrbfgwg5bm/11	1	1795903460934803		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x012ac55f0d906b7b1ba9dfd61ac3d9e8f3b54a08037d891fa20b34ac4fa6ed8ab46f4cdbb2
default	wkubkla6bsbeuu42xrbfgwg5bm/0	2	1795903460942474		system	witness.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x	vm:/tmp/TestDatabasesOfEarlierVersionsOpen438436953/002/data.witness	\\x012ac55f0df77d6f57eb16a705bd59c5eb47127cdca6be45033ab3ef36ddc35185e390df0c	\\x012ac55f0de1349c86c43b5adf53a0b0dc954f54d2cc78837c6ca6329fca98dc403ac9d283
default	wkubkla6bsbeuu42xrbfgwg5bm/0	3	1795903460952487		system	signing_key.created	ok		f	1	0		\\x	\\x	signing-key/1	0	\\x	\\x	kid vq8C9o2lptZlCDPTkyQQkxAAWnYwzSGjaK_Mr3V8q3o	\\x012ac55f0de1349c86c43b5adf53a0b0dc954f54d2cc78837c6ca6329fca98dc403ac9d283	\\x012ac55f0d1e80b050bf2b0df828516188bc85c5a248c6212dc653ba6883726891182da138
default	wkubkla6bsbeuu42xrbfgwg5bm/0	4	1795903461439721	agrcimaxcerypindn6jrsyvozy	caller	key.issued	ok	generateClientEncryptionKey	f	1	302987	jni6c4pqot5xtzm7a2jyf37jne	\\x0cacd8ac826d4f6b31b04a18c6fec87f	\\x2758d5d944fc641825865fd247d9c4a7	key/jni6c4pqot5xtzm7a2jyf37jne	1	\\x	\\xa0e67dd9f4d25602efccb4b4b6e3b38660cb44ff2cdfb97d281243e700316761		\\x012ac55f0d1e80b050bf2b0df828516188bc85c5a248c6212dc653ba6883726891182da138	\\x012ac55f0d6339bf39679c91ef708cefea8716453271215a07b90791c6eef2636c498e4646
default	wkubkla6bsbeuu42xrbfgwg5bm/0	5	1795903461459305	agrcimayi2qestx3cj3f4waqsy	caller	credential.set	ok	setUserPasscode	f	1	13857	jni6c4pqot5xtzm7a2jyf37jne	\\x0cacd8ac826d4f6b31b04a18c6fec87f	\\x2758d5d944fc641825865fd247d9c4a7	credential/zjmpo6y2lcxtasvhnuchem3iju	1	\\x	\\xb591767ff66b3ee94596702b270b1b2d31d3d5c8d29e30fee4c1c5b425509589		\\x012ac55f0d6339bf39679c91ef708cefea8716453271215a07b90791c6eef2636c498e4646	\\x012ac55f0d300963fe1e65e6c22f3fd6e29d000ece294779955a248ae43ff3e9af419a20b1
default	wkubkla6bsbeuu42xrbfgwg5bm/0	6	1795903461486046	agrcimayl3qby3tv3uchp65lje	caller	credential.set	ok	setTransactionPin	f	1	15861	jni6c4pqot5xtzm7a2jyf37jne	\\x0cacd8ac826d4f6b31b04a18c6fec87f	\\x2758d5d944fc641825865fd247d9c4a7	credential/uzb3u4aai5t2rogekjzzhxtuwa	1	\\x	\\x5539e9a04ad21ba2830986982eeb1f74afe6325f103a4b91ad80476d05d186c0		\\x012ac55f0d300963fe1e65e6c22f3fd6e29d000ece294779955a248ae43ff3e9af419a20b1	\\x012ac55f0dda57dcc919048927d7480734281e22baff76e91acce69f41072174f2e778095b
default	wkubkla6bsbeuu42xrbfgwg5bm/0	7	1795903461530718		system	chain.tied	ok		f	1	0		\\x	\\x	chain/m2daihgaxibvqxz4kfoqw6mtnq	1	\\x	\\x012ac55f0dcd7bd461095651d390ad68e4a1918524677872500fa68f229423697e19c0154b		\\x012ac55f0dda57dcc919048927d7480734281e22baff76e91acce69f41072174f2e778095b	\\x012ac55f0d4d66b1ddc0a7a728b997405a7936c81c6de8efdca6e1e8a2980b6ad90e6781ce
default	wkubkla6bsbeuu42xrbfgwg5bm/0	8	1795903461530718		system	chain.tied	ok		f	1	0		\\x	\\x	chain/wkubkla6bsbeuu42xrbfgwg5bm/1	1	\\x	\\x012ac55f0da6d4afd1b35c1dd0e55fccb3d73e689aef608d3f9f965522595b3db1c3d10268		\\x012ac55f0d4d66b1ddc0a7a728b997405a7936c81c6de8efdca6e1e8a2980b6ad90e6781ce	\\x012ac55f0df3ea15aef4de5fbdd5bb4503eca00cce4177577dc61c24837fa41c1828394c4a
default	wkubkla6bsbeuu42xrbfgwg5bm/0	9	1795903461530718		system	chain.tied	ok		f	1	0		\\x	\\x	chain/wkubkla6bsbeuu42xrbfgwg5bm/10	1	\\x	\\x012ac55f0d0a3e66fc69924b62774cf4810d163a72639797db2a40907c93de0fb4ca05333d		\\x012ac55f0df3ea15aef4de5fbdd5bb4503eca00cce4177577dc61c24837fa41c1828394c4a	\\x012ac55f0dfd1c7bf327e7ac6c00caf18c408c2605127958a52f246c92e693fa401a881c9e
default	wkubkla6bsbeuu42xrbfgwg5bm/0	10	1795903461530718		system	chain.tied	ok		f	1	0		\\x	\\x	chain/wkubkla6bsbeuu42xrbfgwg5bm/11	1	\\x	\\x012ac55f0d906b7b1ba9dfd61ac3d9e8f3b54a08037d891fa20b34ac4fa6ed8ab46f4cdbb2		\\x012ac55f0dfd1c7bf327e7ac6c00caf18c408c2605127958a52f246c92e693fa401a881c9e	\\x012ac55f0d681381fb289b955169aca3a9ec6ba6eb5c63d565cc2e88de14c3d4f76827aca0
default	wkubkla6bsbeuu42xrbfgwg5bm/0	11	1795903461530718		system	chain.tied	ok		f	1	0		\\x	\\x	chain/wkubkla6bsbeuu42xrbfgwg5bm/2	1	\\x	\\x012ac55f0df9d91b6b2311a70d4d8be45ca1f973a8ae6b1f38afc43d143211447c9435c15d		\\x012ac55f0d681381fb289b955169aca3a9ec6ba6eb5c63d565cc2e88de14c3d4f76827aca0	\\x012ac55f0d6ab463450eec01361b3dfdbf93570720962afe653cb9849964771d6e3915c4a5
default	wkubkla6bsbeuu42xrbfgwg5bm/0	12	1795903461530718		system	chain.tied	ok		f	1	0		\\x	\\x	chain/wkubkla6bsbeuu42xrbfgwg5bm/3	1	\\x	\\x012ac55f0d87203e9b57da486d80db800e1d8295750d38d07b7bb283e9a1b07b3b6d630ba6		\\x012ac55f0d6ab463450eec01361b3dfdbf93570720962afe653cb9849964771d6e3915c4a5	\\x012ac55f0dcd9b248b3a3313b0ae9e147895292896bb7840d92c83ffdae4ee0cf3e025510d
default	wkubkla6bsbeuu42xrbfgwg5bm/0	13	1795903461530718		system	chain.tied	ok		f	1	0		\\x	\\x	chain/wkubkla6bsbeuu42xrbfgwg5bm/4	1	\\x	\\x012ac55f0dae7b67c6d1b34c4693d2767ffc93720a50c3e83a94485534fef3d32288bb313f		\\x012ac55f0dcd9b248b3a3313b0ae9e147895292896bb7840d92c83ffdae4ee0cf3e025510d	\\x012ac55f0dfb5b503322f53e278969af51e1a8930a0b08b7dcbf16d4bb960186cad13bf601
default	wkubkla6bsbeuu42xrbfgwg5bm/0	14	1795903461530718		system	chain.tied	ok		f	1	0		\\x	\\x	chain/wkubkla6bsbeuu42xrbfgwg5bm/5	1	\\x	\\x012ac55f0d3046f01944e4845adf6b70cfb7210f8b46c67d5b9e94aa98e6e6db920f8cfe82		\\x012ac55f0dfb5b503322f53e278969af51e1a8930a0b08b7dcbf16d4bb960186cad13bf601	\\x012ac55f0d36f80f0fdbe7f2b558d0f78011d5213304a9e9093d9b3066a2edc548f818d76f
default	wkubkla6bsbeuu42xrbfgwg5bm/0	15	1795903461530718		system	chain.tied	ok		f	1	0		\\x	\\x	chain/wkubkla6bsbeuu42xrbfgwg5bm/6	1	\\x	\\x012ac55f0dcb3f0167dec59fa893b19041e0a769c5d3369026da3ac56d9721c55157e33d70		\\x012ac55f0d36f80f0fdbe7f2b558d0f78011d5213304a9e9093d9b3066a2edc548f818d76f	\\x012ac55f0d25e245efc6662b9aa1012f39a2a87cc31446daa89c4a9c4ea7708b0bfdb13aeb
default	wkubkla6bsbeuu42xrbfgwg5bm/0	16	1795903461530718		system	chain.tied	ok		f	1	0		\\x	\\x	chain/wkubkla6bsbeuu42xrbfgwg5bm/7	1	\\x	\\x012ac55f0d22bd6d6c512e1a86503f3cf4e3c4be729f4186f3af0ed6019696670d1be8266f		\\x012ac55f0d25e245efc6662b9aa1012f39a2a87cc31446daa89c4a9c4ea7708b0bfdb13aeb	\\x012ac55f0dac073b99b9bb7b4a608913c8a51a76d946f97b206d383d75307ad7915f8a6af8
default	wkubkla6bsbeuu42xrbfgwg5bm/0	17	1795903461530718		system	chain.tied	ok		f	1	0		\\x	\\x	chain/wkubkla6bsbeuu42xrbfgwg5bm/8	1	\\x	\\x012ac55f0db35592690ffb773c5fd0ee269724a3dcb8766beb3ce68648778df0bd5b71db7f		\\x012ac55f0dac073b99b9bb7b4a608913c8a51a76d946f97b206d383d75307ad7915f8a6af8	\\x012ac55f0daefc1beba75c0fd8b8346efb345a829b6aff18529a5bdb3fd4958083f2c670da
default	wkubkla6bsbeuu42xrbfgwg5bm/0	18	1795903461530718		system	chain.tied	ok		f	1	0		\\x	\\x	chain/wkubkla6bsbeuu42xrbfgwg5bm/9	1	\\x	\\x012ac55f0d1065204010c4998523c8271f05eba313f2a00ca061197c2351ca20a25efdfb93		\\x012ac55f0daefc1beba75c0fd8b8346efb345a829b6aff18529a5bdb3fd4958083f2c670da	\\x012ac55f0d693ae8ec9ee8c3700df6987a546138b2a5713e6d2045ad944ac73b1c5ec54108
default	wkubkla6bsbeuu42xrbfgwg5bm/0	19	1795903461824978	agrcimaypixw576vyuxmbk7e4u	caller	key.rotated	ok		f	1	0	jni6c4pqot5xtzm7a2jyf37jne	\\x0cacd8ac826d4f6b31b04a18c6fec87f	\\x2758d5d944fc641825865fd247d9c4a7	key/jni6c4pqot5xtzm7a2jyf37jne	2	\\xa0e67dd9f4d25602efccb4b4b6e3b38660cb44ff2cdfb97d281243e700316761	\\xac9cbc53cefff510a8b61869a428fc78b5f040e86a985194cc9a34d4bce60394		\\x012ac55f0d693ae8ec9ee8c3700df6987a546138b2a5713e6d2045ad944ac73b1c5ec54108	\\x012ac55f0dea8efe0fbd58b3c3bcb746de3521ff71eb1b51c6628ac58ad4f5d3e71c059dbf
default	wkubkla6bsbeuu42xrbfgwg5bm/0	20	1795903461824978	agrcimaypixw576vyuxmbk7e4u	caller	key.issued	ok	rotateClientEncryptionKey	f	1	328465	576mh3z3pugfccoptkq7tcmvci	\\x0cacd8ac826d4f6b31b04a18c6fec87f	\\x2758d5d944fc641825865fd247d9c4a7	key/576mh3z3pugfccoptkq7tcmvci	1	\\x	\\x4306c61bce8852fcbd62fc3039b04a22f71b96d24ce71b58b39cd9026745a4ed		\\x012ac55f0dea8efe0fbd58b3c3bcb746de3521ff71eb1b51c6628ac58ad4f5d3e71c059dbf	\\x012ac55f0dc9add48efc5807d44197737b9d815f8ba36c9eb9e56fae85ee0e623459ce58be
default	wkubkla6bsbeuu42xrbfgwg5bm/0	22	1795903461984835		system	operations.counted	CREDENTIAL_REJECTED		f	1	4100		\\x	\\x		0	\\x	\\x	setTransactionPin	\\x012ac55f0d5440655de15571c2d88ab38d2e3f4bb1	\\x012ac55f0d58327689794b1689f31457ad040014c687960d1281daf77b79e3a9160925935a
default	wkubkla6bsbeuu42xrbfgwg5bm/0	23	1795903462192444	agrcimaz3wy3lq4sz4lu3tyvme	caller	key.issued	ok	generateClientEncryptionKey	f	1	343876	tykrvfxk5r2phcundqxqcxu42e	\\x4177ddc086d09eb6b87f2a49b2328ee2	\\x73baee5fb75f506c19da770345ed1744	key/tykrvfxk5r2phcundqxqcxu42e	1	\\x	\\xfc4d3d788f23f7dccb57dea7cd2741ccdcbdb442a451117299675d89a30ad575		\\x012ac55f0d58327689794b1689f31457ad040014c687960d1281daf77b79e3a9160925935a	\\x012ac55f0daf9ae79d1a1d94b79a7793fa2e3a0a172ad8b1111803257fce5198a0bb634e4e
default	wkubkla6bsbeuu42xrbfgwg5bm/0	24	1795903462214816	agrcima3hatftln4d4rth35fmi	caller	credential.set	ok	setTransactionPin	f	1	10336	tykrvfxk5r2phcundqxqcxu42e	\\x4177ddc086d09eb6b87f2a49b2328ee2	\\x73baee5fb75f506c19da770345ed1744	credential/zf2hzywuumfm43zk6hbwbzbr54	1	\\x	\\x706a5c32790eb08dd35dc01488eb24658bcb088fd009e6a971a7bbb73b8f5934		\\x012ac55f0daf9ae79d1a1d94b79a7793fa2e3a0a172ad8b1111803257fce5198a0bb634e4e	\\x012ac55f0d7899a57d5ce2bf205bc0035adc4fcf060cd2b5b5fc5ab29f2fc91bd102f1d671
\.


--
-- Data for Name: audit_verdict_2026_11; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.audit_verdict_2026_11 (chain, seq, second, micros, account, data, hash) FROM stdin;
337641473	21	849218661	846776	212654252	\\x01a2243019c8f41482db98952aac3516effcc3ef3b7d0c5109cf9aa1f9899512826d4f6b31b04a18c6fec87f2758d5d944fc641825865fd247d9c4a7642df061c806b333e04df113222871a40202966f0000080388fa3d66ec645156e9af08911d6247	\\x012ac55f0d5440655de15571c2d88ab38d2e3f4bb1
337641473	25	849218662	232107	1098374592	\\x01a224301b499cfa9c4f4ca8e0f008719e151a96eaec74f38a8d1c2f015e9cd186d09eb6b87f2a49b2328ee273baee5fb75f506c19da770345ed17442834b472fecb54fbf0f5879d55690d2a12029b73000008b4ea08e794f138351f23f22f49b95b2b	\\x012ac55f0d0325b6e3419d7a90988e4bb418c1ba4c
337641473	26	849218662	246802	1098374592	\\x01a224301b5a2f8af9282fad0eca43259e151a96eaec74f38a8d1c2f015e9cd186d09eb6b87f2a49b2328ee273baee5fb75f506c19da770345ed17442834b472fecb54fbf0f5879d55690d2a1204c0600000081f23f22f49b95b2b04137df60a9dea76	\\x012ac55f0d8869ba77b3961365df291cfe11ac8177
337641473	27	849218662	258297	1098374592	\\x01a224301b6961a9f3910024940267b39e151a96eaec74f38a8d1c2f015e9cd186d09eb6b87f2a49b2328ee273baee5fb75f506c19da770345ed17442834b472fecb54fbf0f5879d55690d2a1206b84900000804137df60a9dea76be5f7cddc8efefe9	\\x012ac55f0df2e7c73963399268bab8ddf61acf70ec
337641473	28	849218662	269693	1098374592	\\x01a224301b74d7e24b1a318909f69e149e151a96eaec74f38a8d1c2f015e9cd186d09eb6b87f2a49b2328ee273baee5fb75f506c19da770345ed17442834b472fecb54fbf0f5879d55690d2a1208984b000008be5f7cddc8efefe912702c7a9e4d00b1	\\x012ac55f0de21c70400b791b887824163d72b2797a
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
default	60000000	1795903440000000	wkubkla6bsbeuu42xrbfgwg5bm	12	1	1079835	\\x012758d5d944fc641873baee5fb75f506c	\\x01610108020001010101030001210100010001
default	3600000000	1795903200000000	wkubkla6bsbeuu42xrbfgwg5bm	12	1	1079835	\\x012758d5d944fc641873baee5fb75f506c	\\x01610108020001010101030001210100010001
default	86400000000	1795824000000000	wkubkla6bsbeuu42xrbfgwg5bm	12	1	1079835	\\x012758d5d944fc641873baee5fb75f506c	\\x01610108020001010101030001210100010001
default	2419200000000	1795046400000000	wkubkla6bsbeuu42xrbfgwg5bm	12	1	1079835	\\x012758d5d944fc641873baee5fb75f506c	\\x01610108020001010101030001210100010001
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
default	7bfz2x6kdmskalaqg7msoij4ym	PASSCODE	zjmpo6y2lcxtasvhnuchem3iju	1	1795903461459305	1795903461459305	\\x01011387b5add24151272227c49bbc7d5c5de93fbeaa77a924b41af39fc378245be7702689b5f5d23f2ab8bed3de0de16dd62556cb2b3b54b723d3f4a8c4fb116b0d2f3f6c323826820815034efa98ce2d3e0046c5dd8e5f8ed9a290ce95dad11507c681f00f6700
default	7bfz2x6kdmskalaqg7msoij4ym	TRANSACTION_PIN	uzb3u4aai5t2rogekjzzhxtuwa	1	1795903461486046	1795903461486046	\\x01011387b5adb99e4a13b665bb2b193181bd1ca369c42dab866460d8ed04e1eeb25278ef997016f62c9e8a8956d794a3ec535199ca117bcfbe45a419af09093e55f2a805c6d3efc60b97c8332bd02dcdc4fb6d30b0021f4c115ea1a41a59a985c60e1dba6d168685
default	qexvg2k4ep2a3gydwedu5qa2ue	TRANSACTION_PIN	zf2hzywuumfm43zk6hbwbzbr54	1	1795903462214816	1795903462214816	\\x01011387b5ad2e38e6d93da409ee508bf051f118ae890e85994a561b42a9d9e5a73b10a5ce015c39385255e519110ebe397a5e5ad28787f97c82eda3c05389079c12f57d3fe7fa125062ed4a14a7e72f76500c2d2f64548094c923ac1a64a2d13aa0e7059ea6bfad
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
default	7bfz2x6kdmskalaqg7msoij4ym	jni6c4pqot5xtzm7a2jyf37jne	phone	invalidated	2	RSA-OAEP-256	3072		1795903461439721	0	1795903461824978	0	\\x012ac55f0dbde64fb185225fb6d6579ffa9b30c3f2c7ed96c5df61136afaed6054e6559dde	\\x308201a2300d06092a864886f70d01010105000382018f003082018a0282018100e49999374f332490eedeace56cb240f7240e08adb77d0d14b831344271342206b17527693a26f8adfed7c254676b6670d656f62a4cb511632b5266eab72e55a8a7c1dca53d3124b5c19fcbeb719be2e779b3f4579cffb306c284d631b03adc24f42d45f7b5716feec9cff88d0443d85b08911f91d95c2b0c8ca24c79fca5b811fb173d4b78dd082fbfae7b8f9e4cdfcf3935079f5d790e6669d09ab22cf1dc956275c87acefefcc214a524c48801132a0a745bd969929816b03580d45d2120c3ab1239d3bbee42ec981ca6dfb9be9242e429edd5b1b5cf2baefccb4a8c851ace51acf651ae58babc2514f2527f0d1363b86f58d01cac9875b5f0f1884bb561769c7ada6ffed39b66131b827f72cc7b9397eb20cc65bc2b6f0a1128fb5808f131244c17c9ed052c077e2a130ab5a523958d21b385f3d9ec314c2d6441a84145d1b60a56dd3f533801160cd1f66c39ae70658388bd048f76caa66de39454d85854448cd254ccd6baea7eecaafc130f7473d54d99913c429c57cd64ed18f7ba24570203010001	\\x	
default	7bfz2x6kdmskalaqg7msoij4ym	576mh3z3pugfccoptkq7tcmvci	phone	active	1	RSA-OAEP-256	3072		1795903461824978	0	0	0	\\x012ac55f0de640cc6904af025a180b68c50af6bb6bebfc4ee3164edf5bcda460bd376af0a6	\\x308201a2300d06092a864886f70d01010105000382018f003082018a0282018100e64594fbb4bc5c7328163e88c564bfe229495ddf5472728e9cf01d0aa705dea1d83c78e6a998dc6e7c51ae1028c870a776ba9b55dfe46960d41f3440e0cb1c661b08aa7d40d34bf4908c56babac53a8ca33f37e22986e5cc04cc84a16a1751994fabdc8406279b2813631117a3095d5df24af2e4a9ac0a50a2f6d1f023eef1d7d0e9c5540d95cc44e11f0b2a284ab368db2001c5b325763c9be221aff5718eef66136cab6592b47ef0c443078570a81427cc6db9248a0539accd86dcdf776be7474ad0c4d5589954d2c8154956a6245b87ab0d1781741297e74d1d8ddd989f426f86e9e0e1916c00ce56d3fac7e78a1ea55987df6b9bf416dd8345480b5122957e5b8915b47137252cb7adf49c62634f3f66d3f912c002c6dd104660a15fb1fcee1b9fbfc798661a90b923a370812e324605071b12d106c7bf96e226181d155f2ff3ab10cc9b81f70b424348c9f5c3042300f4e9b4bae2972f00b18114c0012a3cbfd1959f3b7085401631398d9d08e15ff8fd631c3e3cc4d455ba21b6d1dfa50203010001	\\x01011387b5ad9c8532697cfc099771b00e0fbd3ebebf9cea711e388fd6332ad10af27031319354d712eb3a215883e79e8b4e132783c6e82089a2cbf74f4f3ef06c32c675480c7e55feefb2044a7b9121a44e41ddce8941893f39ecd48123607531e9a4b6a49b5e6e3ccef2a236319c85f34ebe093eb066c171399bb99ead187cedb897ad98cef71de71380367bc3711ac4c48aa08481f48cbeabfcb6e8598107dfb70ceb69e7fed5cd205733e2a2dc9bda482d193933f9a03121106ab2e839f73816d7228411c79f3727f9eb892a1075957384f2d37c354749ab0e141c714261ca1fcbaf9b9b2aa9296690be361b0222c3e3bd6a9c1444f0ceceb1f90fb087ff30d2c633b388cda04f8960c7436ff2397ac2b4192caeb0f1b4d162a65aff82f4bf126b8b43b2472bff95c124c6637a97f50338a21f96ecfb3be651dae0572f20062bbe00d6b4a6e14d10da8ff629a99bdf57e9c6ce3964282e5bfa907ee513a778a2f9325e274b341f4be58878eb4323e1739ef4519de8817b257fb7f4a2f0629493e5af4cecf20fe7b3da00913bb2211fe4771100dffe2c28ca4e17526974b96e75a930769c7af6102fc760d587f6	
default	qexvg2k4ep2a3gydwedu5qa2ue	tykrvfxk5r2phcundqxqcxu42e	tablet	active	1	RSA-OAEP-256	3072		1795903462192444	0	0	0	\\x012ac55f0dcd095e161f5f8655640cf7edf7e46bc3817bc991074928eb3080b4c891b59d44	\\x308201a2300d06092a864886f70d01010105000382018f003082018a0282018100c25d2607cb91fd98e6b3c1ac23451c3f0656209e4f1c942eaa5e5edd9617059aa20636eb4cd8b113c9a4a7f28c5efed17199d2723a97518713d9e1a55cef86e6179b4d49674b78ed7493f183b27249bb76a6eb4bc67d417093c3c15d9827f112aa382e96e18bd1a9a9c54bfc29afbf733c075172de957bffad3c5cf9f674ecef3f200b79e0bb6d92756181ea6dd7b743bf0fe03bd6bfa58c1ba7cfb00f569c54f75804a41ee2a0d93d8bb753058c167f134db60209c12a208707baa484b5db9399aa15eb2b2412bf25ac8e8b27b83f4f442dc57216f418fd8d5e24676ffee6306323ad34d7c72fc7b539e63f130d077b9518951f1b56d76f80330826327dcc5b6ca1ddbd8c936da130d3cc8b6c4f4d6a7013b2889dc9abb5781857c3790331f58eaab11eb1bb62cc8e34a7cf9597d24fc8b7982f20250a9ac41cf779c050f841505ce142cc6ffaf1e814a27e3d99c45a42d0b0e1ace5d58738f513d5cbc055115f6e0908798b7bd9db9ac373b700dba2ee7af8ff011edfd08015363c5ed67c150203010001	\\x01011387b5ad1177e444ae46b19afcda25366c4963882f85fd4d2d8eac9e428d8da2966a085539354f750768fadb88d885e9718d52a2876b3df805afd0f161fccac0854721114feb7e1fd608557e693ad0677a3d39a76e894c0a81ec76c094d4425b09b99e340dfbcfb66237a0784960cf9c62f52aad97599d86bce6733e853450cc0338688014399685fcd26abf38d56bf6a5b657218c2172d3b2ee67b9eb13f33c3b43c2231985e210c1b59a8e310a9821a8b0e403746c32c7758486410e7132baea412784a7408f96cb46d98354f1c385d2abf40a4d2f8269e3587434c7ea231976ee7a49c10b5ff960bfc095785709d68d19f2fbeb363847201abebfb6e79a9b8d66a77086f91b2641ece10d8f2e662aab575cb1d475f095c16efa970d4c5b360e5671408ca344568a5707674f4cce5a2debbe7d84f893dad70076fbf0dc8f4c674d4fa2f7095a9c3ec7f1e15f231210f6436df11e5eb041f5ee912b7c6b906b3395310336d05cdb8b4bd76df9f995f61fe4e1c5fc1d626fc63abef38acf82eabda49865d8e50aa989a7708e7ae098514755a551ed74be58adc3639ac5451805373e8767b0b6944f674fac3947	
\.


--
-- Data for Name: key_account; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.key_account (tenant, key_id, account_id) FROM stdin;
default	jni6c4pqot5xtzm7a2jyf37jne	7bfz2x6kdmskalaqg7msoij4ym
default	576mh3z3pugfccoptkq7tcmvci	7bfz2x6kdmskalaqg7msoij4ym
default	tykrvfxk5r2phcundqxqcxu42e	qexvg2k4ep2a3gydwedu5qa2ue
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
default	7bfz2x6kdmskalaqg7msoij4ym	jni6c4pqot5xtzm7a2jyf37jne	1795903200000000
default	7bfz2x6kdmskalaqg7msoij4ym	576mh3z3pugfccoptkq7tcmvci	1795903200000000
default	qexvg2k4ep2a3gydwedu5qa2ue	tykrvfxk5r2phcundqxqcxu42e	1795903200000000
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
4097083626	f	\N	\N	\N	2026-11-28 22:04:20.886734+00
\.


--
-- Data for Name: schema_version; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.schema_version (id, version_id, is_applied, tstamp) FROM stdin;
1	0	t	2026-11-28 22:04:20.790075
2	1	t	2026-11-28 22:04:20.833387
3	2	t	2026-11-28 22:04:20.84979
4	3	t	2026-11-28 22:04:20.86168
5	4	t	2026-11-28 22:04:20.861972
6	5	t	2026-11-28 22:04:20.866562
7	6	t	2026-11-28 22:04:20.868026
8	7	t	2026-11-28 22:04:20.869641
9	8	t	2026-11-28 22:04:20.870463
10	9	t	2026-11-28 22:04:20.871989
11	10	t	2026-11-28 22:04:20.873438
12	11	t	2026-11-28 22:04:20.875716
13	12	t	2026-11-28 22:04:20.880798
14	13	t	2026-11-28 22:04:20.881601
15	14	t	2026-11-28 22:04:20.88559
\.


--
-- Data for Name: setting; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.setting (tenant, name, value) FROM stdin;
default	epoch	\\x31
default	audit_chain	\\x6d326461696867617869627671787a346b666f7177366d746e71
default	keyset	\\x7b226b6579736574223a7b2267656e65726174696f6e223a312c22646174614b657973223a5b7b226964223a3332373636303937332c226d6163223a3731373537373939372c227072696d617279223a747275657d5d2c227772617073223a5b7b22726f6f744b6579223a2235666131623262623066663338373566222c2275726c223a2266696c653a2f746d702f546573744461746162617365734f664561726c69657256657273696f6e734f70656e3433383433363935332f3030322f646174612f726f6f742e6b6579222c2261646465644174223a22323032362d31312d32385432323a30343a32302e3930373337335a222c226b6579223a22383539767a346353635262626f734b465464514e386b326372796a4e464b394c7a6570494e594856325a624c4c573872703048616b79736c343152397148714145536750567059672f437266637635794d44764b2f777268315859474f4e5068222c226b6579736574223a225069364d72786a69453945372b53634c45344f31494f386f493546756e3444444236696136625a55416858366b6f6d39507a766138764b6b4176665275477654564872684e697a377855533035356730333870736e73686f7275326f76476c764876385a464c42424930763170577349564270667765666b2b776248566341706567664c65336362796470436f47452b54684853462f757136744c4f6d3032335875334d523530676a47473566316f313276765261677a4b7a7044303364484b4b6373754865486e456255656a554f59424c334b6a457872715346755665694c6d7056315568684b5774364d4e6f75677a6a5747526e764547726378424d7941597942636a367976327a31794143794c67593466314d7254782f50667472664573494f7857736f4e486931676e4a4e3864734d357a69416c503537453867557a7442304e687842724d5a434b50462b763571734c513579592f7650676e41397252304c6b416d4237227d5d7d2c226d6163223a22415372465877306a44686f572f7a5336645a737359304c374f58314c4f4d685365682f3375327a624a70324f37736d5370773d3d227d
default	account_mode	\\x646576696365
default	witness/1d8f056fdcbeb8608bb299385de9053c	\\x0006615d5bd7228a
default	metrics.folded/wkubkla6bsbeuu42xrbfgwg5bm/1	\\x0000000000000001
default	metrics.folded/wkubkla6bsbeuu42xrbfgwg5bm/2	\\x0000000000000001
default	metrics.folded/wkubkla6bsbeuu42xrbfgwg5bm/3	\\x0000000000000001
default	metrics.folded/wkubkla6bsbeuu42xrbfgwg5bm/4	\\x0000000000000001
default	metrics.folded/wkubkla6bsbeuu42xrbfgwg5bm/5	\\x0000000000000001
default	metrics.folded/wkubkla6bsbeuu42xrbfgwg5bm/6	\\x0000000000000001
default	metrics.folded/wkubkla6bsbeuu42xrbfgwg5bm/7	\\x0000000000000001
default	metrics.folded/wkubkla6bsbeuu42xrbfgwg5bm/8	\\x0000000000000001
default	metrics.folded/wkubkla6bsbeuu42xrbfgwg5bm/9	\\x0000000000000001
default	metrics.folded/wkubkla6bsbeuu42xrbfgwg5bm/10	\\x0000000000000001
default	metrics.folded/wkubkla6bsbeuu42xrbfgwg5bm/11	\\x0000000000000001
default	audit_tied	\\x0006615d5be01c5e012ac55f0d93832421cd7a5f1f1e046022f42276393a03b493c570c0acebe554e64b8d5505
default	metrics.folded/wkubkla6bsbeuu42xrbfgwg5bm/0	\\x000000000000001c
default	beat/wkubkla6bsbeuu42xrbfgwg5bm	\\x25012ac55f0d79a71c49cb692d44ce8a53d6152ac1c631c014c58fc21c946e96093f9cb1b99c7b22696e7374616e6365223a22776b75626b6c613662736265757534327872626667776735626d222c226e756d626572223a322c226174223a313739353930333436323237343234312c22636f6e646974696f6e223a22656e646564222c226865616473223a7b2230223a32382c2231223a312c223130223a312c223131223a312c2232223a312c2233223a312c2234223a312c2235223a312c2236223a312c2237223a312c2238223a312c2239223a317d2c2272656164223a6e756c6c7d
\.


--
-- Data for Name: signing_key; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.signing_key (tenant, number, id, algorithm, version, created_at, active_from, erased_at, mac, public_key, sealed) FROM stdin;
default	1	vq8C9o2lptZlCDPTkyQQkxAAWnYwzSGjaK_Mr3V8q3o	ES256	1	1795903460952487	1795903460952487	0	\\x012ac55f0d484810f79129f3f9698cc6c666ac3f22de2b3368e39c017acab19ed176313782	\\x3059301306072a8648ce3d020106082a8648ce3d03010703420004bdec69654874872e0cee77ebdf5d03daf104a82309b3bc2fd525b83c321c2e4883f6283c448f9c40ae9ea5d3e3b4573cc06f33e62b5e5741c83b16878d6d3638	\\x01011387b5ad148e08c8b6cb6914918e8bfc315931dfc3845f8763bb8324bd222e97b4eadb0536b8d1c6bc956a09dc44f0df95d07aa3d39f01e8d3b2be8bffc3e9616372cb27396036db70cc2312e4e0f77b2e34f9f71d3428c94067f3d010bbe5c1782117d179975ef2dd817695b5d5583ec8edd39513954cda3f7509b4b34d4b4e16b15e7328c6a28cbbf26374d16010b1a7186ef4c9b2a41d5fa724aefd7b9ac9797b9c0eb1fd1d040a9401a7c6cef6a0d6fe7852a867
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

\unrestrict KJv6qzmNhqeMlNq6BMEYwm0QrpxWsQxCXCbEmKodbJYp4TdskDnuzhGMBh2E22k

