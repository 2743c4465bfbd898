--
-- PostgreSQL database dump
--

\restrict naSNGrmuJpKV0lWQ4oCj7cejh33NuA27XtZyRU9aZdDrX71HUXOcMzIlEucL1p0

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
default	dx6uey47noqs353m54mxkdbzjq	device		phone	1795747214847081
default	urqtpgqrteroiwtbdh2jjpndiu	device		tablet	1795747215541115
\.


--
-- Data for Name: attempts; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.attempts (tenant, account_id, type, id, version, failures, locked_until, permanent, recent, pending, mac, verified_at, verified_by, devices, locked_to) FROM stdin;
default	dx6uey47noqs353m54mxkdbzjq	TRANSACTION_PIN	axnfszrpi7z52bksfgf6iuihui	2	0	0	f	[]	[]	\\x01d841a50f6ea84303168055494a2e458761f8ed0b0c9a2759dad27c7c4e9eb46d2eb0484c	1795747215081996		[]	0
default	urqtpgqrteroiwtbdh2jjpndiu	TRANSACTION_PIN	jsr6v7yibzw7x7mlihri2mqnra	8	4	0	f	[1795747215578403,1795747215645781,1795747215671918,1795747215729264]	[]	\\x01d841a50f4dccdae297b4c7ec974100b9580326bceab0981b45cf7910f43e6e8ebf057908	0		[]	0
\.


--
-- Data for Name: audit_chain; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.audit_chain (tenant, name, number, form) FROM stdin;
default	e3swbtlm3xcdou2w7nedayvaae	337641472	2
default	gtk3dprbmkxn5m7e73yixl4oxy/0	337641473	2
default	gtk3dprbmkxn5m7e73yixl4oxy/1	337641474	2
default	gtk3dprbmkxn5m7e73yixl4oxy/2	337641475	2
default	gtk3dprbmkxn5m7e73yixl4oxy/3	337641476	2
default	gtk3dprbmkxn5m7e73yixl4oxy/4	337641477	2
default	gtk3dprbmkxn5m7e73yixl4oxy/5	337641478	2
default	gtk3dprbmkxn5m7e73yixl4oxy/6	337641479	2
default	gtk3dprbmkxn5m7e73yixl4oxy/7	337641480	2
default	gtk3dprbmkxn5m7e73yixl4oxy/8	337641481	2
default	gtk3dprbmkxn5m7e73yixl4oxy/9	337641482	2
default	gtk3dprbmkxn5m7e73yixl4oxy/10	337641483	2
default	gtk3dprbmkxn5m7e73yixl4oxy/11	337641484	2
\.


--
-- Data for Name: audit_log; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.audit_log (tenant, chain, seq, "time", request_id, actor, event, outcome, operation, failed, count, duration, key_id, account, device, record, version, before, digest, reason, prev, hash) FROM stdin;
default	e3swbtlm3xcdou2w7nedayvaae	1	1795747214652225		system	store.initialised	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01d841a50fb0e54687946b8d37bd8f50c7eeb8946ecaf8e167cb07c8e6e362613bfa763f38
default	gtk3dprbmkxn5m7e73yixl4oxy/0	1	1795747214681648		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01d841a50f3ef4e66b545a90f717cd6b540fd77a0e6995ec5cacea3fe848126bc4ea2977ec
default	gtk3dprbmkxn5m7e73yixl4oxy/1	1	1795747214681648		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01d841a50fd78a8743ba7d6810ae66141d4c62e2ba4db09708990c0b8bdb8475c3eb6be091
default	gtk3dprbmkxn5m7e73yixl4oxy/2	1	1795747214681648		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01d841a50f70e8d2fdb423e52824952989e9d7247bfef16372d21ba48ec06112b3f60b98f3
default	gtk3dprbmkxn5m7e73yixl4oxy/3	1	1795747214681648		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01d841a50f398966c03ac89dcc70db185e4f7216de7a20afdc6c7e7cd0a4cee8b3a515a250
default	gtk3dprbmkxn5m7e73yixl4oxy/4	1	1795747214681648		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01d841a50fad73cbf7e276ff1ea30272d91e41dc387a8552a4881af94e03467d7c3e4345dd
default	gtk3dprbmkxn5m7e73yixl4oxy/5	1	1795747214681648		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01d841a50ffe23598bf108364ae850b45c336ba57208fb81180031e79d6f2cd108cb4b8210
default	gtk3dprbmkxn5m7e73yixl4oxy/6	1	1795747214681648		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01d841a50f8fe4ba90a022e38a7e796b11eda3d56c211a4d6a8d4299cd862a3e19ce497916
default	gtk3dprbmkxn5m7e73yixl4oxy/7	1	1795747214681648		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01d841a50f272c0bd8f65c1ab726ac34bb6debeb5e40936b68cac796be6aa14355c4b4aec6
default	gtk3dprbmkxn5m7e73yixl4oxy/8	1	1795747214681648		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01d841a50f7d1f91bba3f073cf886aceba95ab86326193c3bac756fc5733f6c150fd6db94b
default	gtk3dprbmkxn5m7e73yixl4oxy/9	1	1795747214681648		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01d841a50ff28282271c2d1c208bfebee8afc7deeecc99823607dbb5969fc6d6943c00b25c
default	gtk3dprbmkxn5m7e73yixl4oxy/10	1	1795747214681648		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01d841a50ffb91594006e9fa193e091c5c44423a6b28fe0863649d9b37562f52af70d3a45f
default	gtk3dprbmkxn5m7e73yixl4oxy/11	1	1795747214681648		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01d841a50f6d3dc31eac6cb5f20cc78a2e4a47d9769ea21877d37bee5f6e99d68c1201dabc
default	gtk3dprbmkxn5m7e73yixl4oxy/0	2	1795747214689627		system	witness.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x	vm:/tmp/TestDatabasesOfEarlierVersionsOpen1592027974/002/data.witness	\\x01d841a50f3ef4e66b545a90f717cd6b540fd77a0e6995ec5cacea3fe848126bc4ea2977ec	\\x01d841a50f2b68384e078a00682d40cda909a837a1f84e935592603dc96c7f760eb28c4aa8
default	gtk3dprbmkxn5m7e73yixl4oxy/0	3	1795747214695949		system	signing_key.created	ok		f	1	0		\\x	\\x	signing-key/1	0	\\x	\\x	kid LZsyL36GRDUXm-ZqvrWmNrC2lyoLXNIit6ns8aN4mqs	\\x01d841a50f2b68384e078a00682d40cda909a837a1f84e935592603dc96c7f760eb28c4aa8	\\x01d841a50f49e970022613d15a3c6636faca7062601d28f27fb22e64f39e81d84ed3dc3fbd
default	gtk3dprbmkxn5m7e73yixl4oxy/0	4	1795747214847081	agrbvx7vvxymp3uec3pczzujxy	caller	key.issued	ok	generateClientEncryptionKey	f	1	82867	faau6p5nxmmnjbepzrc4lfnwoe	\\x5e5a8dc4631c1a46240dd8afc703cdaa	\\x08b41f6bcbef114b9e90a6bb00d3d2d4	key/faau6p5nxmmnjbepzrc4lfnwoe	1	\\x	\\xe84d18f42fe2dc89b6d5ad8bd1c8b3a281e7ee5bef65ed9a7b50a635fa222a80		\\x01d841a50f49e970022613d15a3c6636faca7062601d28f27fb22e64f39e81d84ed3dc3fbd	\\x01d841a50f317e247ab691a1dc1001261930c0e7195829d12fcdfc7dac197554b81b9e93aa
default	gtk3dprbmkxn5m7e73yixl4oxy/0	5	1795747214900127	agrbvx7wapqh5yi3n3qh3hi35y	caller	credential.set	ok	setUserPasscode	f	1	49595	faau6p5nxmmnjbepzrc4lfnwoe	\\x5e5a8dc4631c1a46240dd8afc703cdaa	\\x08b41f6bcbef114b9e90a6bb00d3d2d4	credential/bykgktxkav3ohcmqlnprg6ax4q	1	\\x	\\x188f0e07e5fcd73a58fdbaf8adb1490f2453dc867f128e9513802b5d316a27d3		\\x01d841a50f317e247ab691a1dc1001261930c0e7195829d12fcdfc7dac197554b81b9e93aa	\\x01d841a50f83940e644bbd1eb7a021aed52988b5f39d5a4c35c207b09aa08d283467d69bf9
default	gtk3dprbmkxn5m7e73yixl4oxy/0	6	1795747214912829	agrbvx7wg46lkaf2g3d6mefr6m	caller	credential.set	ok	setTransactionPin	f	1	10007	faau6p5nxmmnjbepzrc4lfnwoe	\\x5e5a8dc4631c1a46240dd8afc703cdaa	\\x08b41f6bcbef114b9e90a6bb00d3d2d4	credential/dioephask6jhxx5pkurrffhlmq	1	\\x	\\x127cdbfb18bad15941484fd41eecb4e808dea97fc14cc20fa3be04f5747001c2		\\x01d841a50f83940e644bbd1eb7a021aed52988b5f39d5a4c35c207b09aa08d283467d69bf9	\\x01d841a50f6d281f2046aed14eebeee7e01d4c362ff3eae07055f2a8f57230a993fefea350
default	gtk3dprbmkxn5m7e73yixl4oxy/0	7	1795747215066632	agrbvx7wiybh4aafl7ey6pcgpa	caller	key.rotated	ok		f	1	0	faau6p5nxmmnjbepzrc4lfnwoe	\\x5e5a8dc4631c1a46240dd8afc703cdaa	\\x08b41f6bcbef114b9e90a6bb00d3d2d4	key/faau6p5nxmmnjbepzrc4lfnwoe	2	\\xe84d18f42fe2dc89b6d5ad8bd1c8b3a281e7ee5bef65ed9a7b50a635fa222a80	\\x5c1a7aea48dd58d970dcd54ada1f18911fb5240cdc3e1f982d66e0e34101f0ea		\\x01d841a50f6d281f2046aed14eebeee7e01d4c362ff3eae07055f2a8f57230a993fefea350	\\x01d841a50f49df61a94df3cf7055d9bb94174b8efd1ff5f75f2e2285d251f57accca76c263
default	gtk3dprbmkxn5m7e73yixl4oxy/0	8	1795747215066632	agrbvx7wiybh4aafl7ey6pcgpa	caller	key.issued	ok	rotateClientEncryptionKey	f	1	148238	mlnmcxpmebuvjabeaunfm2zcue	\\x5e5a8dc4631c1a46240dd8afc703cdaa	\\x08b41f6bcbef114b9e90a6bb00d3d2d4	key/mlnmcxpmebuvjabeaunfm2zcue	1	\\x	\\xe50d7931ab9a73fc4b797e270b8ac18a897eb53805953f0d0536dfe42a1b6b34		\\x01d841a50f49df61a94df3cf7055d9bb94174b8efd1ff5f75f2e2285d251f57accca76c263	\\x01d841a50fedc516d2cfd6f101c7804843a6e6dca827e142063fee69a0f3c142292a6d38da
default	gtk3dprbmkxn5m7e73yixl4oxy/0	10	1795747215279802		system	operations.counted	CREDENTIAL_REJECTED		f	1	3308		\\x	\\x		0	\\x	\\x	setTransactionPin	\\x01d841a50fe01ea02a716428645f031609d60bbad4	\\x01d841a50fb98008984fc16034fc2c335b39e03ee1367abf3eb4b60afc4911b6208d0743e4
default	gtk3dprbmkxn5m7e73yixl4oxy/0	11	1795747215330670		system	chain.tied	ok		f	1	0		\\x	\\x	chain/e3swbtlm3xcdou2w7nedayvaae	1	\\x	\\x01d841a50fb0e54687946b8d37bd8f50c7eeb8946ecaf8e167cb07c8e6e362613bfa763f38		\\x01d841a50fb98008984fc16034fc2c335b39e03ee1367abf3eb4b60afc4911b6208d0743e4	\\x01d841a50fed4f0ba266fac868dd0dcd6c42624aa65f1467b9349e2c3cc8690188ab3108d0
default	gtk3dprbmkxn5m7e73yixl4oxy/0	12	1795747215330670		system	chain.tied	ok		f	1	0		\\x	\\x	chain/gtk3dprbmkxn5m7e73yixl4oxy/1	1	\\x	\\x01d841a50fd78a8743ba7d6810ae66141d4c62e2ba4db09708990c0b8bdb8475c3eb6be091		\\x01d841a50fed4f0ba266fac868dd0dcd6c42624aa65f1467b9349e2c3cc8690188ab3108d0	\\x01d841a50f37ea94f48f4c0e6a1cbb02f749c7a4f9ef7c8cd3cc26b50b547ff1e79948289d
default	gtk3dprbmkxn5m7e73yixl4oxy/0	13	1795747215330670		system	chain.tied	ok		f	1	0		\\x	\\x	chain/gtk3dprbmkxn5m7e73yixl4oxy/10	1	\\x	\\x01d841a50ffb91594006e9fa193e091c5c44423a6b28fe0863649d9b37562f52af70d3a45f		\\x01d841a50f37ea94f48f4c0e6a1cbb02f749c7a4f9ef7c8cd3cc26b50b547ff1e79948289d	\\x01d841a50f8a51e351f5b047bf8d3e7269e85e07db674f854270a6e85df1bbab483c0461e5
default	gtk3dprbmkxn5m7e73yixl4oxy/0	14	1795747215330670		system	chain.tied	ok		f	1	0		\\x	\\x	chain/gtk3dprbmkxn5m7e73yixl4oxy/11	1	\\x	\\x01d841a50f6d3dc31eac6cb5f20cc78a2e4a47d9769ea21877d37bee5f6e99d68c1201dabc		\\x01d841a50f8a51e351f5b047bf8d3e7269e85e07db674f854270a6e85df1bbab483c0461e5	\\x01d841a50f3fe21a34d9eb1387f723e11ba6c99de4f7776f90f1dc42f5ede5e91852164e12
default	gtk3dprbmkxn5m7e73yixl4oxy/0	15	1795747215330670		system	chain.tied	ok		f	1	0		\\x	\\x	chain/gtk3dprbmkxn5m7e73yixl4oxy/2	1	\\x	\\x01d841a50f70e8d2fdb423e52824952989e9d7247bfef16372d21ba48ec06112b3f60b98f3		\\x01d841a50f3fe21a34d9eb1387f723e11ba6c99de4f7776f90f1dc42f5ede5e91852164e12	\\x01d841a50fb67ee40e33704f4ea02a42818f8e22c04d6578661f9b804f7532bd559e749ca0
default	gtk3dprbmkxn5m7e73yixl4oxy/0	16	1795747215330670		system	chain.tied	ok		f	1	0		\\x	\\x	chain/gtk3dprbmkxn5m7e73yixl4oxy/3	1	\\x	\\x01d841a50f398966c03ac89dcc70db185e4f7216de7a20afdc6c7e7cd0a4cee8b3a515a250		\\x01d841a50fb67ee40e33704f4ea02a42818f8e22c04d6578661f9b804f7532bd559e749ca0	\\x01d841a50f9aca18c9de6d056dfb150e777ffac34e8501073f01c6eb03f61fba52ed0b18cf
default	gtk3dprbmkxn5m7e73yixl4oxy/0	17	1795747215330670		system	chain.tied	ok		f	1	0		\\x	\\x	chain/gtk3dprbmkxn5m7e73yixl4oxy/4	1	\\x	\\x01d841a50fad73cbf7e276ff1ea30272d91e41dc387a8552a4881af94e03467d7c3e4345dd		\\x01d841a50f9aca18c9de6d056dfb150e777ffac34e8501073f01c6eb03f61fba52ed0b18cf	\\x01d841a50f87cb4ef62b13618f9ae82c695d55c7d4483f2082751e72094523b48d6be259b1
default	gtk3dprbmkxn5m7e73yixl4oxy/0	18	1795747215330670		system	chain.tied	ok		f	1	0		\\x	\\x	chain/gtk3dprbmkxn5m7e73yixl4oxy/5	1	\\x	\\x01d841a50ffe23598bf108364ae850b45c336ba57208fb81180031e79d6f2cd108cb4b8210		\\x01d841a50f87cb4ef62b13618f9ae82c695d55c7d4483f2082751e72094523b48d6be259b1	\\x01d841a50fdb92508daf82fc3d2f8e59d186407b5fb0d65eb0e4a1eef3b6287bb8a018cbb9
default	gtk3dprbmkxn5m7e73yixl4oxy/0	19	1795747215330670		system	chain.tied	ok		f	1	0		\\x	\\x	chain/gtk3dprbmkxn5m7e73yixl4oxy/6	1	\\x	\\x01d841a50f8fe4ba90a022e38a7e796b11eda3d56c211a4d6a8d4299cd862a3e19ce497916		\\x01d841a50fdb92508daf82fc3d2f8e59d186407b5fb0d65eb0e4a1eef3b6287bb8a018cbb9	\\x01d841a50f0533752ceba99790acbb064e68723fd0638e904562fea01e795aa4a05c4075b7
default	gtk3dprbmkxn5m7e73yixl4oxy/0	20	1795747215330670		system	chain.tied	ok		f	1	0		\\x	\\x	chain/gtk3dprbmkxn5m7e73yixl4oxy/7	1	\\x	\\x01d841a50f272c0bd8f65c1ab726ac34bb6debeb5e40936b68cac796be6aa14355c4b4aec6		\\x01d841a50f0533752ceba99790acbb064e68723fd0638e904562fea01e795aa4a05c4075b7	\\x01d841a50f3b85b4d6b09ee90938540497f8423d7c8368a56a4b25132a33bfa5cb8d8f9054
default	gtk3dprbmkxn5m7e73yixl4oxy/0	21	1795747215330670		system	chain.tied	ok		f	1	0		\\x	\\x	chain/gtk3dprbmkxn5m7e73yixl4oxy/8	1	\\x	\\x01d841a50f7d1f91bba3f073cf886aceba95ab86326193c3bac756fc5733f6c150fd6db94b		\\x01d841a50f3b85b4d6b09ee90938540497f8423d7c8368a56a4b25132a33bfa5cb8d8f9054	\\x01d841a50ff43a331a664b0785c7d97214a7ce6d87c4978a2e2949e31d36fcd032cb1f0e82
default	gtk3dprbmkxn5m7e73yixl4oxy/0	22	1795747215330670		system	chain.tied	ok		f	1	0		\\x	\\x	chain/gtk3dprbmkxn5m7e73yixl4oxy/9	1	\\x	\\x01d841a50ff28282271c2d1c208bfebee8afc7deeecc99823607dbb5969fc6d6943c00b25c		\\x01d841a50ff43a331a664b0785c7d97214a7ce6d87c4978a2e2949e31d36fcd032cb1f0e82	\\x01d841a50ff9514a2e0d6847b19f8528b5b6211db407cbdc3bb3ce8edbc81e4b304be9717e
default	gtk3dprbmkxn5m7e73yixl4oxy/0	23	1795747215541115	agrbvx7w5q3gxnqyxy6lppwlzy	caller	key.issued	ok	generateClientEncryptionKey	f	1	457255	6ibbsiap7mwmnk4clhcznh2awe	\\xeb5de2d24b5418a382f20e192125f404	\\x974fc2e514eb210209d932bdcd7fa48f	key/6ibbsiap7mwmnk4clhcznh2awe	1	\\x	\\x309ed8523507b22a557d7bc41298c148e4580b49cc96c5732c44380491369e33		\\x01d841a50ff9514a2e0d6847b19f8528b5b6211db407cbdc3bb3ce8edbc81e4b304be9717e	\\x01d841a50f45e30c07b7817a67bdd75924d2a38fe04fd87fd262d29d6cec350cdfd58a646a
default	gtk3dprbmkxn5m7e73yixl4oxy/0	24	1795747215554519	agrbvx7yxd3mxbjeb5fy4ybyeq	caller	credential.set	ok	setTransactionPin	f	1	10663	6ibbsiap7mwmnk4clhcznh2awe	\\xeb5de2d24b5418a382f20e192125f404	\\x974fc2e514eb210209d932bdcd7fa48f	credential/t4tb2quzb2ha3pf4u7243iv4qq	1	\\x	\\x1d5026929c192bdf5936a8240b2af446d40c9797c1d2178dab8297ea9c244d3c		\\x01d841a50f45e30c07b7817a67bdd75924d2a38fe04fd87fd262d29d6cec350cdfd58a646a	\\x01d841a50f6cb64c564dc52522a64daa2916fe444dfaeb368c4b978c268888ae3be0d875ad
\.


--
-- Data for Name: audit_verdict_2026_11; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.audit_verdict_2026_11 (chain, seq, second, micros, account, data, hash) FROM stdin;
337641473	9	849062415	81996	1582992836	\\x01a21adff6de951aafa90ed1ee16c11d62dac15dec2069548024051a566b22a1631c1a46240dd8afc703cdaa08b41f6bcbef114b9e90a6bb00d3d2d405da59662f47f3dd0552298be45107a20202e95c000008714271e25ca6f394777d2e76e62c28a2	\\x01d841a50fe01ea02a716428645f031609d60bbad4
337641473	25	849062415	578403	-346168622	\\x01a21adff8cabe38a69e5621837f1443f20219200ffb2cc6ab8259c5969f40b14b5418a382f20e192125f404974fc2e514eb210209d932bdcd7fa48f4ca3eaff080e6dfbfd8b41e28d320d881202a77e0000085a39885b75b5654ae99aebc6ddcb508d	\\x01d841a50f635850343828b8b192b3eaffbdd4be34
337641473	26	849062415	645781	-346168622	\\x01a21adff900096f4ab7aab37fe2206af20219200ffb2cc6ab8259c5969f40b14b5418a382f20e192125f404974fc2e514eb210209d932bdcd7fa48f4ca3eaff080e6dfbfd8b41e28d320d881204d7e701000008e99aebc6ddcb508d6c4623b6932cdcb6	\\x01d841a50fe2da06f6a79559b2c0d125e87c411310
337641473	27	849062415	671918	-346168622	\\x01a21adff9254d07c1cf07c0206a7f81f20219200ffb2cc6ab8259c5969f40b14b5418a382f20e192125f404974fc2e514eb210209d932bdcd7fa48f4ca3eaff080e6dfbfd8b41e28d320d881206e390010000086c4623b6932cdcb6fe1f894706632db9	\\x01d841a50fc05f703bc1ab18f0a2fb38a5717e7130
337641473	28	849062415	729264	-346168622	\\x01a21adff93ef4f6f8e3ae7c25fd40fdf20219200ffb2cc6ab8259c5969f40b14b5418a382f20e192125f404974fc2e514eb210209d932bdcd7fa48f4ca3eaff080e6dfbfd8b41e28d320d881208998c03000008fe1f894706632db9fdea258d4184ff15	\\x01d841a50f1e69a4d6d4556d1e02ea2f8b9851a1a5
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
default	86400000000	1795737600000000	gtk3dprbmkxn5m7e73yixl4oxy	12	1	888880	\\x0108b41f6bcbef114b974fc2e514eb2102	\\x015e010c010001000102010101040105010001040106010c01
default	2419200000000	1795046400000000	gtk3dprbmkxn5m7e73yixl4oxy	12	1	888880	\\x0108b41f6bcbef114b974fc2e514eb2102	\\x015e010c010001000102010101040105010001040106010c01
default	60000000	1795747200000000	gtk3dprbmkxn5m7e73yixl4oxy	12	1	888880	\\x0108b41f6bcbef114b974fc2e514eb2102	\\x015e010c010001000102010101040105010001040106010c01
default	3600000000	1795744800000000	gtk3dprbmkxn5m7e73yixl4oxy	12	1	888880	\\x0108b41f6bcbef114b974fc2e514eb2102	\\x015e010c010001000102010101040105010001040106010c01
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
default	dx6uey47noqs353m54mxkdbzjq	PASSCODE	bykgktxkav3ohcmqlnprg6ax4q	1	1795747214900127	1795747214900127	\\x01013f44214676f9a6cf68d2086a95b2d2fb2646dd7b145df284badbe8f8ec6813b05442b5e340040a00d7014a0f3cce306526b9f4edd99d991b021463d4abe77f47e73b94fbcd2bda1b4e03a2a672627002a9d41235de14cc9357d90061e6535b6c278a7c3e0a9a
default	dx6uey47noqs353m54mxkdbzjq	TRANSACTION_PIN	dioephask6jhxx5pkurrffhlmq	1	1795747214912829	1795747214912829	\\x01013f4421463dd2e3b8926bbc53d024b3dbd3ec13adf2bf2f67df5937e42a2a746121564aa5e91f68805431d90af6fc33128607f51597d150912044fb38a6e104e84e6f466119d38d5a7613be054d7ba263d5bb7089dd35f14220d6e07924f707b508c66f8ca5fe
default	urqtpgqrteroiwtbdh2jjpndiu	TRANSACTION_PIN	t4tb2quzb2ha3pf4u7243iv4qq	1	1795747215554519	1795747215554519	\\x01013f4421468d14782da7ce7942f4393e2ceba46fab729cf37d6327868ceed7c6287ed2ca80e54d064aeb0088859de46613c839ec9d12a64a83f0718e82f4beede936357a31a2bdd0f9207145f24a8076d5575e7d6b3398d4d5b39526917d3bc149fe5c83d0275e
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
default	dx6uey47noqs353m54mxkdbzjq	faau6p5nxmmnjbepzrc4lfnwoe	phone	invalidated	2	RSA-OAEP-256	3072		1795747214847081	0	1795747215066632	0	\\x01d841a50f7792a7633d7dbdf777f3af0e79f21d14698641565c0c8b25458993ca1f360677	\\x308201a2300d06092a864886f70d01010105000382018f003082018a0282018100be2aa549325b382f7b389014b472d73e9712c92a19a41d413f2d02a84ab84cebfcb2860e4bba175d3526cc8f0195abe7e74e444ae06f4833fa3c6a821ffac48a5074011e290aab5623238d570fa0ae82e2d6c54605a0ccf1275886ba8febeda30b70a7890e679d0ed635e31d19edb6c387d968bdbfe8306c919c9b6d9c8661df14e25c558b22bd9ad5e0d8d4f2b45f24c74c9e5a176ac9d17a9299b43178575a353f3c76529b5b083b990fa4dca49f941864f4e455f0e65e0721ec8ffa59f0702eecc47592e896218259b90a6bbda370e31737504e5d4301f2b1df366d65c2cf58ef23bc8428e9aee7509db8f266d3e2b751e709214694c1128f2312dd1487220791e603d65836abcf9652293ab6f73809c2adb04e7a39809e4047c286fa1e9c63effab958784113a26fb282699ce82aa58a5ba7308e8a1fc45dc319bbe42ac89601a6b3007fd7522813e2c8ff96e059bd7abe6a5af6f39fd25ad6260aa2b7574c217e1d25cf064f39054a0574d9382f79c4ae19c8df66f7e0488f03bbc0a57b0203010001	\\x	
default	dx6uey47noqs353m54mxkdbzjq	mlnmcxpmebuvjabeaunfm2zcue	phone	active	1	RSA-OAEP-256	3072		1795747215066632	0	0	0	\\x01d841a50f90b7dcd22630607df228f25c7261d74e07aee0026b9808b1b26918336fcb57e0	\\x308201a2300d06092a864886f70d01010105000382018f003082018a0282018100fb8ba300013f784177b4fb9412766164895a4b23c81124a92317a22ef90da683060b7275a8b8eb2fcfa1f948e34f3bb188eadd0890c9cc8b80851bcc4f1b560c9bba0a0306bac80c105573181400c84c54b27fa9032fbdf491e0a7a367898884a3bdc7eac5c63f2855657109209d04cca7f3812cd8c1aff4603075b465da900577051b24037c96f3cda3e9b0728af785330fe8910f9b70c67c65afb4ab86ea3fbee83f10e93e55f580f59f7779966e86976926d9fae77102d93107a765f741c5d81a26fd77faad9eb231a5169b5d18c2cc885f797054dd2ad5e97c968a2a830c155d9d109a6391a686b92cd54dcfba91bc11678753cd034d3fcc91e9b3b5db898898872038b501187be535bf93eded1807fbe51a900174607d73029f7662436d53f81dc5f839839312681f6e601527702ff25e3df15f559ea1a7abc3621daf9f4504df96cebc37c402c041e226aa5f74640c3773c5ca31064dcae262d16bd293a575451bdde6d181d19c4159150739647f2b5a505360cf0813e623c798d67d890203010001	\\x01013f442146d05316316ba8a5de3aaf9858ab9ffa837d2da860a4352a6edf1f12fda72880563abaa5c1557c86e2c8fe7d20f9aefea51abce8decbc73006f0aaa214c7cc62fff49b4f87bb167931f6dcc7717ec2d95e5e56c8ef09583e9c427e2ec97cd9ac3b33624450a4e18b54304cb87347174695d8b0ffc7c9398c15daad10a35ed6b362aa86b4fe57b406283f2063ca41b3452ec464c52f2d13cea52aa072f3d48fe0f97ed72f22d895960bbe7e5237da0cc01d2642a5b199d52f3103f03861cc22a5dbdae5ccb2090ed57205ed4fdf07cca608ce557124fb84564269d19363b6e6a67c412d53724eaa2b3694c1f77dcae7fcc1606e8a60d8bde7b2ccfe303b4c256be0e38290fbe7a7abd7d5488eb64f1a95c7646b6e57037b05c107f1e284fb9d199972753e90cd702c06781c6e433b0d2138f10138a00d79527e80a337c86e2e5621733544143631f8cb80285ef2e1f86ae6a3ffb36b664c5beb3c3ef2449b0bcfccf8b2d65e7f84d0d3f488fc5ff7573ee579d15b4abc5d9836e9d3d6bd6c872d929252525f998abbee4f6e077af2785b51358af6008607d8c3b0551f359a213b5deed7cf7a0a72cc4561	
default	urqtpgqrteroiwtbdh2jjpndiu	6ibbsiap7mwmnk4clhcznh2awe	tablet	active	1	RSA-OAEP-256	3072		1795747215541115	0	0	0	\\x01d841a50f2acd1a3d715c5656139cc9206d6d512d483bedd5fbf4d5c881d7060c93ad4db5	\\x308201a2300d06092a864886f70d01010105000382018f003082018a0282018100b4906cdf5d4dbd4b88963b450c774c44d398c731da192259af3695efdffd1bc60e8aa05c5c97668f13a17b6a1d7dd063ecec649df4f24c574af19616879cc9551becf3f70e87dccaa9f04b7ebc258a7a2e4a1c8bc97dfb7c664e633fe2c1d8686a3a18dc034e7d013c9f136a2a5660b65c80b3324f898d091ba336f497e17a0a07bd42ccd504f83c1fff81797b8f1955c4d75e78873a3586636e3d0798871da275d87991b756b46f04c776e59ad22fc7863377cbc0b5e103ae5761c11b681df1252825150eed2e829f0b0988616aab3925d18b547e0a9a46f6848a8f86c246bf2b95040d16f12f5117d21bc8b497b88cfaa365ea7a2e46f8b32c03609a5256b08d5bf439aabef3b5c6acf1aed47789a533a0a933c8892f40a06d98455b7b3fd940df57bcb814f63a15474ce9999202ad49e9f1fb626d639c53cdf27b4af18dd0cc3be6aa5bcb0f8a13b914179c5f1ee014bd0e25beb955aed3a11a85a275ef8b03e0953ce98e4165ff8584623446174ff5a7d674f8de582ceccf7830b3f5a07f0203010001	\\x01013f442146c9dd14c4826072a96ed14f1502f92c60e680efe87c342d274c7b23e2d3b33459f710bb273d0e086772a011a3d74b1f4503b454501f14e2972fdd8fd1b72c07644b801a988adf1eb182d23e2b9e4e3b8db30dc0071e4fa8b6c5a238cad8fd35a2543af4bb832f2f29e70ad049ef016a3502ee0a62dbe64283fdc08501a3ff2955ae59956bed66cabd64aa32c2a24b2985b5369c57c6cda1395592334f9c1c7f5322ae8292808f8ba51b74666503f678fbc8f8c8a8e0e4963cfe487f6dea8e21e82f34237f3ff779479e194d6a9f877362035d9279252b14dbfae22557794616a82ab5ae9cfe73384e817eed4e7acbd14be4ca5dfef3454e34c2ed149ddd7aa589ba375f4001e02f118295927cafa8cc14c98561ce96eddec12365753c09f24705a0a275a0cc6320a2132598656b2bb984e9e91a8a39aa04fb4b74f85a9f7dfa718277574a63d2116d7baff87e0a7717e24a013a04d0df88bec59584ad21fd0feeff976ac3019f3b73163384531d7ff91b5df5d5c9d7192a19209b379f336ea6d5d1ff7a66056d3ac4ab0b19c74e56494211ecd799194e838a199296d3e413a30f5134009ed6f19a8c82	
\.


--
-- Data for Name: key_account; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.key_account (tenant, key_id, account_id) FROM stdin;
default	faau6p5nxmmnjbepzrc4lfnwoe	dx6uey47noqs353m54mxkdbzjq
default	mlnmcxpmebuvjabeaunfm2zcue	dx6uey47noqs353m54mxkdbzjq
default	6ibbsiap7mwmnk4clhcznh2awe	urqtpgqrteroiwtbdh2jjpndiu
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
default	dx6uey47noqs353m54mxkdbzjq	faau6p5nxmmnjbepzrc4lfnwoe	1795744800000000
default	dx6uey47noqs353m54mxkdbzjq	mlnmcxpmebuvjabeaunfm2zcue	1795744800000000
default	urqtpgqrteroiwtbdh2jjpndiu	6ibbsiap7mwmnk4clhcznh2awe	1795744800000000
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
4097083626	f	\N	\N	\N	2026-11-27 02:40:14.637771+00
\.


--
-- Data for Name: schema_version; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.schema_version (id, version_id, is_applied, tstamp) FROM stdin;
1	0	t	2026-11-27 02:40:14.547672
2	1	t	2026-11-27 02:40:14.564523
3	2	t	2026-11-27 02:40:14.587558
4	3	t	2026-11-27 02:40:14.605802
5	4	t	2026-11-27 02:40:14.606132
6	5	t	2026-11-27 02:40:14.61531
7	6	t	2026-11-27 02:40:14.616741
8	7	t	2026-11-27 02:40:14.619099
9	8	t	2026-11-27 02:40:14.619783
10	9	t	2026-11-27 02:40:14.6221
11	10	t	2026-11-27 02:40:14.62609
12	11	t	2026-11-27 02:40:14.632336
13	12	t	2026-11-27 02:40:14.633513
14	13	t	2026-11-27 02:40:14.633816
15	14	t	2026-11-27 02:40:14.636566
\.


--
-- Data for Name: setting; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.setting (tenant, name, value) FROM stdin;
default	epoch	\\x31
default	keyset	\\x7b226b6579736574223a7b2267656e65726174696f6e223a312c22646174614b657973223a5b7b226964223a313036313432393537342c226d6163223a333632383138303735312c227072696d617279223a747275657d5d2c227772617073223a5b7b22726f6f744b6579223a2230643632333433333035623231353161222c2275726c223a2266696c653a2f746d702f546573744461746162617365734f664561726c69657256657273696f6e734f70656e313539323032373937342f3030322f646174612f726f6f742e6b6579222c2261646465644174223a22323032362d31312d32375430323a34303a31342e3635323232355a222c226b6579223a224f58504d674d51536c446d49366b476834314b4547754e636e6e7736426d322b75453931466d6a314874396136566d7a326f68734b43627a61594e64716f7667434e497366516c614778625273303657656e716b6b3849382f76516155724643222c226b6579736574223a227638506c4e396e6441637a7a6b6b61414b753062355866415778666f4766695a2b4b494450524a6530483259536e59626d314c6f6651537243306a6977482b5747316c34475044793546524f414777736c626a516d564f6b68586461525763354b333155567a47347554393779326b6841557241387661735465444a7261584e4a62365074364c67424d48495a6569315559554a6b42735974373170357066587659706d344d417035734a71714533777454676c7661767744354b497749417568486977582b674a49466b48647953434c32394a32614b7555564a59447751536d6e577876433659447879784a7949454c776e674f59695035754c706c377175526c654a5a464d2f436d56414a50624a446879684344523638354171756b5a376179543247326b4148474536454764556d61784d6947554976425959413575692f685a6471664a4f654a7a35394c42516b7351716379777a32696261424c70356365627568693254227d5d7d2c226d6163223a224164684270512f504f727642413173707432656a4b5a4c72616a75426543777255464e456c4c5162694e42636d4c323467773d3d227d
default	account_mode	\\x646576696365
default	audit_chain	\\x6533737762746c6d337863646f753277376e6564617976616165
default	witness/562c88e37335dd2ef74f643d6d4423aa	\\x00066138fad6855b
default	metrics.folded/gtk3dprbmkxn5m7e73yixl4oxy/1	\\x0000000000000001
default	metrics.folded/gtk3dprbmkxn5m7e73yixl4oxy/2	\\x0000000000000001
default	metrics.folded/gtk3dprbmkxn5m7e73yixl4oxy/3	\\x0000000000000001
default	metrics.folded/gtk3dprbmkxn5m7e73yixl4oxy/4	\\x0000000000000001
default	metrics.folded/gtk3dprbmkxn5m7e73yixl4oxy/5	\\x0000000000000001
default	metrics.folded/gtk3dprbmkxn5m7e73yixl4oxy/6	\\x0000000000000001
default	metrics.folded/gtk3dprbmkxn5m7e73yixl4oxy/7	\\x0000000000000001
default	metrics.folded/gtk3dprbmkxn5m7e73yixl4oxy/8	\\x0000000000000001
default	metrics.folded/gtk3dprbmkxn5m7e73yixl4oxy/9	\\x0000000000000001
default	metrics.folded/gtk3dprbmkxn5m7e73yixl4oxy/10	\\x0000000000000001
default	metrics.folded/gtk3dprbmkxn5m7e73yixl4oxy/11	\\x0000000000000001
default	audit_tied	\\x00066138fae04d6e
default	metrics.folded/gtk3dprbmkxn5m7e73yixl4oxy/0	\\x000000000000001c
default	beat/gtk3dprbmkxn5m7e73yixl4oxy	\\x2501d841a50f49aba32795eb47897e8cf5babba385f6f8d84376d8d89dd895622b261b79afc27b22696e7374616e6365223a2267746b33647072626d6b786e356d376537337969786c346f7879222c226e756d626572223a322c226174223a313739353734373231353736363034392c22636f6e646974696f6e223a22656e646564222c226865616473223a7b2230223a32382c2231223a312c223130223a312c223131223a312c2232223a312c2233223a312c2234223a312c2235223a312c2236223a312c2237223a312c2238223a312c2239223a317d2c2272656164223a6e756c6c7d
\.


--
-- Data for Name: signing_key; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.signing_key (tenant, number, id, algorithm, version, created_at, active_from, erased_at, mac, public_key, sealed) FROM stdin;
default	1	LZsyL36GRDUXm-ZqvrWmNrC2lyoLXNIit6ns8aN4mqs	ES256	1	1795747214695949	1795747214695949	0	\\x01d841a50ff386d505fc718e46c41e706f932c339c5c3fb4bc031bafa679c346c025c7a71a	\\x3059301306072a8648ce3d020106082a8648ce3d030107034200042d73b96b5d24007c3b50b945470283ff5d2f6d819d0885d3712d553ce4e9615d5b03a93ec03fd9162d0d6ef4569e1335e830cf80f90285563c700f38e90d6cbc	\\x01013f44214664768b0fef058adeb7e0ded34ba39c1c392e91c64a07e8a6008c650da4625ff4ce853633214195eadc61dfc4489c68a07a1a864efb133edb9dbc4c82139c6d15b17eb12d44d4420d12ef945658cc94ceb76127298ac6e752d87e3553b2c4a773830b394e7b58a125953df4432214236eeadfa19586e37e7f84af126e1f31044f951a99f2e0adb057c9a5069b5f2f1c9d6eaa88f90c482dcbbf9a9241dd510333fe11bd639cf88cd0e7ff4db1bd0d2543c4fa
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

\unrestrict naSNGrmuJpKV0lWQ4oCj7cejh33NuA27XtZyRU9aZdDrX71HUXOcMzIlEucL1p0

