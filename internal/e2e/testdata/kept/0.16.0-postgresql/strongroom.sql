--
-- PostgreSQL database dump
--

\restrict VxSOCsJH5tNZGuiUE0Szkl1U3SckZqd0aVhBGW7p2HEGPceaeEoGFMeWneXbgFd

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
default	mkh37cg33yi2ifhby3p7fesuhm	device		phone	1795950662930816
default	jplsldrhhihx5w7et5sgphif4m	device		tablet	1795950663153067
\.


--
-- Data for Name: attempts; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.attempts (tenant, account_id, type, id, version, failures, locked_until, permanent, recent, pending, mac, verified_at, verified_by, devices, locked_to) FROM stdin;
default	mkh37cg33yi2ifhby3p7fesuhm	TRANSACTION_PIN	hla22c3ryjqqppfrq5pfkhysoq	2	0	0	f	[]	[]	\\x0111dbe67c869755e6d7961eabb5b3e0c62ff29e5d27f577a9b33aa1464e4701575d3ccb11	1795950663098536		[]	0
default	jplsldrhhihx5w7et5sgphif4m	TRANSACTION_PIN	27xlfaarfy7jxug65rcmspvdka	8	4	0	f	[1795950663202739,1795950663239508,1795950663270485,1795950663299304]	[]	\\x0111dbe67c229d7dcc9a15dfb67fbea9e39f762e3b866ef7c3d97b5c9e93a35fd6e6bc56e6	0		[]	0
\.


--
-- Data for Name: audit_chain; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.audit_chain (tenant, name, number, form) FROM stdin;
default	22aomjsyhorcwwicqjreosmlom	337641472	2
default	sl4wc35xkikapr7xppysjzdddq/0	337641473	2
default	sl4wc35xkikapr7xppysjzdddq/1	337641474	2
default	sl4wc35xkikapr7xppysjzdddq/2	337641475	2
default	sl4wc35xkikapr7xppysjzdddq/3	337641476	2
default	sl4wc35xkikapr7xppysjzdddq/4	337641477	2
default	sl4wc35xkikapr7xppysjzdddq/5	337641478	2
default	sl4wc35xkikapr7xppysjzdddq/6	337641479	2
default	sl4wc35xkikapr7xppysjzdddq/7	337641480	2
default	sl4wc35xkikapr7xppysjzdddq/8	337641481	2
default	sl4wc35xkikapr7xppysjzdddq/9	337641482	2
default	sl4wc35xkikapr7xppysjzdddq/10	337641483	2
default	sl4wc35xkikapr7xppysjzdddq/11	337641484	2
\.


--
-- Data for Name: audit_log; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.audit_log (tenant, chain, seq, "time", request_id, actor, event, outcome, operation, failed, count, duration, key_id, account, device, record, version, before, digest, reason, prev, hash) FROM stdin;
default	22aomjsyhorcwwicqjreosmlom	1	1795950662641070		system	store.initialised	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x0111dbe67cf4061cbb39a0a27319c3182f312cf6395e8bc59dc474f6fdd730e7b7c6206d7b
default	sl4wc35xkikapr7xppysjzdddq/0	1	1795950662673905		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x0111dbe67c8eece25fd21fdefacd22e05d809f1d54b02192be403a38fbe11fb43bafca40f7
default	sl4wc35xkikapr7xppysjzdddq/1	1	1795950662673905		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x0111dbe67cd47f7f37e860c40bc508d2db75bc826cfbdb79fa7104bf6d1b7e6f9bc2e6d0c2
default	sl4wc35xkikapr7xppysjzdddq/2	1	1795950662673905		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x0111dbe67ceb1ef3e22cdcb4a6661078c220752bc801697863049023ad00ca4d64d6ece773
default	sl4wc35xkikapr7xppysjzdddq/3	1	1795950662673905		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x0111dbe67c9a6538d45c9e0adb5c06cc5b344fbdcf2162676d51846fd7b921049ac6884a46
default	sl4wc35xkikapr7xppysjzdddq/4	1	1795950662673905		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x0111dbe67ca418de95f21b23ef51b6d113558c1fe1014f595fd5b85eeba78f5a39d7c22bc0
default	sl4wc35xkikapr7xppysjzdddq/5	1	1795950662673905		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x0111dbe67c507b562606d2ca456c1bcb15aa6fd04803e30d07c1064f399a1bc2442abe60fe
default	sl4wc35xkikapr7xppysjzdddq/6	1	1795950662673905		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x0111dbe67c16b2e9dc02e22fd555b3387609706796859b50e2d25c2f4f5ae6b26477fe9922
default	sl4wc35xkikapr7xppysjzdddq/7	1	1795950662673905		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x0111dbe67c15d2081cb9de8e8d1176ee2de5f69e5fe1d3d499f36c2e45bca3adbcd3e59db6
default	sl4wc35xkikapr7xppysjzdddq/8	1	1795950662673905		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x0111dbe67c8e936cf0b74930359962e336786c8c7cc71fe4df14548603f50a13e173295b09
default	sl4wc35xkikapr7xppysjzdddq/9	1	1795950662673905		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x0111dbe67cd5ec3d102920b15c0f167d3e08f68ef8f5c3d6609486984a5b0ec6e95290e23f
default	sl4wc35xkikapr7xppysjzdddq/10	1	1795950662673905		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x0111dbe67c44e9fe06b962570a982291dcf0bcd87746b3ff4dae687e038e8832c8977114f7
default	sl4wc35xkikapr7xppysjzdddq/11	1	1795950662673905		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x0111dbe67ced9c6a9927ea1f6a11caebd92fcec790609360431dfb97f12c18798c7aa64256
default	sl4wc35xkikapr7xppysjzdddq/0	2	1795950662684058		system	witness.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x	vm:/tmp/TestDatabasesOfEarlierVersionsOpen1634160826/002/data.witness	\\x0111dbe67c8eece25fd21fdefacd22e05d809f1d54b02192be403a38fbe11fb43bafca40f7	\\x0111dbe67ce2f6646336c735fd504b0152c5a779c214288f12f85553867cb14b9c4514d677
default	sl4wc35xkikapr7xppysjzdddq/0	3	1795950662692112		system	signing_key.created	ok		f	1	0		\\x	\\x	signing-key/1	0	\\x	\\x	kid aZZpnEHWGN3ulu538fxOezVQzwe46i5jy-Ixv9rX_Zs	\\x0111dbe67ce2f6646336c735fd504b0152c5a779c214288f12f85553867cb14b9c4514d677	\\x0111dbe67cdb516591c8a620e1b4f463ae1d2eccc2ed2a8b65c12d46e854b8b4dcaee849fd
default	sl4wc35xkikapr7xppysjzdddq/0	4	1795950662930816	agrcoacus72zm2lndurp6p3pty	caller	key.issued	ok	generateClientEncryptionKey	f	1	124998	dd7v53yc7rbhydj5usws3325qi	\\xee50dbefa5aa3bb65268213983e329ef	\\x2d8942e9d3e58bffac170161e37001b2	key/dd7v53yc7rbhydj5usws3325qi	1	\\x	\\xa99e48510735336a9b2dea8e90f80f79949587e4adb381ba4cd2db53766a67e8		\\x0111dbe67cdb516591c8a620e1b4f463ae1d2eccc2ed2a8b65c12d46e854b8b4dcaee849fd	\\x0111dbe67cc8ba458d87238385587ff5862a688f8417ac0e5ad628ddd9c7cb79161aaea7f7
default	sl4wc35xkikapr7xppysjzdddq/0	5	1795950662958211	agrcoacvdkb53r43u4e4ixj7au	caller	credential.set	ok	setUserPasscode	f	1	20901	dd7v53yc7rbhydj5usws3325qi	\\xee50dbefa5aa3bb65268213983e329ef	\\x2d8942e9d3e58bffac170161e37001b2	credential/k3jp4ny74atezd7o27vlxdixj4	1	\\x	\\x8bd0d114352a1299bc0b61be77102ec0b0e43307030f2d1b3d35920010f71f59		\\x0111dbe67cc8ba458d87238385587ff5862a688f8417ac0e5ad628ddd9c7cb79161aaea7f7	\\x0111dbe67c8bc1d65f9d7101ce3df1578e55d4266602221cdc8be1f9552634a7681655f0a0
default	sl4wc35xkikapr7xppysjzdddq/0	6	1795950662975430	agrcoacvgldxwyvwfh2vfwjmaa	caller	credential.set	ok	setTransactionPin	f	1	14465	dd7v53yc7rbhydj5usws3325qi	\\xee50dbefa5aa3bb65268213983e329ef	\\x2d8942e9d3e58bffac170161e37001b2	credential/ez2iwyv2z37gvbmlbbytijqday	1	\\x	\\x5513a2b4eb38ddcae844261c04f7a6615898c358f6f4a03d3b15e9d7dfc6f132		\\x0111dbe67c8bc1d65f9d7101ce3df1578e55d4266602221cdc8be1f9552634a7681655f0a0	\\x0111dbe67ceac83f396bc12be638011c3edeff1808f3769a9beb7506d897ec0739c700aa1c
default	sl4wc35xkikapr7xppysjzdddq/0	7	1795950663078155	agrcoacvi33avrmntgk2kc46oe	caller	key.rotated	ok		f	1	0	dd7v53yc7rbhydj5usws3325qi	\\xee50dbefa5aa3bb65268213983e329ef	\\x2d8942e9d3e58bffac170161e37001b2	key/dd7v53yc7rbhydj5usws3325qi	2	\\xa99e48510735336a9b2dea8e90f80f79949587e4adb381ba4cd2db53766a67e8	\\x510cace5b0a720acd201af167bdb813791625072b511fb5a933e9a818974de95		\\x0111dbe67ceac83f396bc12be638011c3edeff1808f3769a9beb7506d897ec0739c700aa1c	\\x0111dbe67c85f899d23321d04f92b0c34abb61b75d7c3f247cd510ecaa4d4d5a93343c6e78
default	sl4wc35xkikapr7xppysjzdddq/0	8	1795950663078155	agrcoacvi33avrmntgk2kc46oe	caller	key.issued	ok	rotateClientEncryptionKey	f	1	96730	mqb3clbvfdmjdf4zdpxupwr5aq	\\xee50dbefa5aa3bb65268213983e329ef	\\x2d8942e9d3e58bffac170161e37001b2	key/mqb3clbvfdmjdf4zdpxupwr5aq	1	\\x	\\x86f4ea04282854ecea4cd24e87700acae456031046a53a097d73b3892a8725d7		\\x0111dbe67c85f899d23321d04f92b0c34abb61b75d7c3f247cd510ecaa4d4d5a93343c6e78	\\x0111dbe67cd07aa887deec37326039e546c40dc488f80b4d7ebd4b89f3026d6b6f6e1ee88b
default	sl4wc35xkikapr7xppysjzdddq/0	10	1795950663153067	agrcoacvxxevaxh7sossd4ft7i	caller	key.issued	ok	generateClientEncryptionKey	f	1	52578	exdpez72rn2njxre3v4mxpo4zy	\\xb0d6f8c43804cbda76c307b1cce5ecc4	\\x7f82c551e9e3423b645d28fc8166766b	key/exdpez72rn2njxre3v4mxpo4zy	1	\\x	\\x67f7bbc7a135ee82e6182b11da91d1f257b17e2f798e06e939baa60cda248e11		\\x0111dbe67c2de4afe96bc07f3cd3343a07ac485f06	\\x0111dbe67cf76604b0fbb2dcd1c323add7e16a9eab2f8610c6441dd7843b6c3f22d1363250
default	sl4wc35xkikapr7xppysjzdddq/0	11	1795950663176492	agrcoacv6qosgt5uykpllqdxzq	caller	credential.set	ok	setTransactionPin	f	1	20833	exdpez72rn2njxre3v4mxpo4zy	\\xb0d6f8c43804cbda76c307b1cce5ecc4	\\x7f82c551e9e3423b645d28fc8166766b	credential/xwdfcxivyxeam7yi3habktrlsi	1	\\x	\\xe21d243345124cfe9b88509b87d7dc4cd6219fef0b316b38e5574637ea83daf9		\\x0111dbe67cf76604b0fbb2dcd1c323add7e16a9eab2f8610c6441dd7843b6c3f22d1363250	\\x0111dbe67c126432e5b2618540365e2433f0705768ff6cad5469d013e99ffeeec337452e98
default	sl4wc35xkikapr7xppysjzdddq/0	13	1795950663214482		system	operations.counted	CREDENTIAL_REJECTED		f	1	2303		\\x	\\x		0	\\x	\\x	setTransactionPin	\\x0111dbe67cba90bf8f3fe4eda6f9914fccee6c4404	\\x0111dbe67c25c9c7674c8aade524171a8199e30f70c28e2ac4e9545019f4cf1459723f185a
default	sl4wc35xkikapr7xppysjzdddq/1	3	1795950663263078		system	chain.tied	ok		f	1	0		\\x	\\x	chain/22aomjsyhorcwwicqjreosmlom	1	\\x	\\x0111dbe67cf4061cbb39a0a27319c3182f312cf6395e8bc59dc474f6fdd730e7b7c6206d7b		\\x0111dbe67c21202e5b2d1d4db3a285a450e6b2da99	\\x0111dbe67c881ff031993c7ffe55c805bba8514b1385298004f852e5884e2b81f0719e662a
default	sl4wc35xkikapr7xppysjzdddq/1	4	1795950663263078		system	chain.tied	ok		f	1	0		\\x	\\x	chain/sl4wc35xkikapr7xppysjzdddq/0	13	\\x	\\x0111dbe67c25c9c7674c8aade524171a8199e30f70c28e2ac4e9545019f4cf1459723f185a		\\x0111dbe67c881ff031993c7ffe55c805bba8514b1385298004f852e5884e2b81f0719e662a	\\x0111dbe67c47cf59103c7d1866d7a766967f23ef266b5d86e6457356a46542518da82ffcd1
default	sl4wc35xkikapr7xppysjzdddq/1	5	1795950663263078		system	chain.tied	ok		f	1	0		\\x	\\x	chain/sl4wc35xkikapr7xppysjzdddq/10	1	\\x	\\x0111dbe67c44e9fe06b962570a982291dcf0bcd87746b3ff4dae687e038e8832c8977114f7		\\x0111dbe67c47cf59103c7d1866d7a766967f23ef266b5d86e6457356a46542518da82ffcd1	\\x0111dbe67c23b6b25bd45e18769e595ce96632977f6951fc29eae2d1475dba9ae5c01b617f
default	sl4wc35xkikapr7xppysjzdddq/1	6	1795950663263078		system	chain.tied	ok		f	1	0		\\x	\\x	chain/sl4wc35xkikapr7xppysjzdddq/11	1	\\x	\\x0111dbe67ced9c6a9927ea1f6a11caebd92fcec790609360431dfb97f12c18798c7aa64256		\\x0111dbe67c23b6b25bd45e18769e595ce96632977f6951fc29eae2d1475dba9ae5c01b617f	\\x0111dbe67c3707bb3cc64ea5f6e21078dab36ff152c51e87dba1760299bdf9961b77d5e958
default	sl4wc35xkikapr7xppysjzdddq/1	7	1795950663263078		system	chain.tied	ok		f	1	0		\\x	\\x	chain/sl4wc35xkikapr7xppysjzdddq/2	1	\\x	\\x0111dbe67ceb1ef3e22cdcb4a6661078c220752bc801697863049023ad00ca4d64d6ece773		\\x0111dbe67c3707bb3cc64ea5f6e21078dab36ff152c51e87dba1760299bdf9961b77d5e958	\\x0111dbe67cae179c0a595c77d96359eefe9bf65f08e38dae313da564e77e115507e8974620
default	sl4wc35xkikapr7xppysjzdddq/1	8	1795950663263078		system	chain.tied	ok		f	1	0		\\x	\\x	chain/sl4wc35xkikapr7xppysjzdddq/3	1	\\x	\\x0111dbe67c9a6538d45c9e0adb5c06cc5b344fbdcf2162676d51846fd7b921049ac6884a46		\\x0111dbe67cae179c0a595c77d96359eefe9bf65f08e38dae313da564e77e115507e8974620	\\x0111dbe67c17c1034e520b07249a2c873e27f566e5e46dde8af3080c3ebf326146f4a29754
default	sl4wc35xkikapr7xppysjzdddq/1	9	1795950663263078		system	chain.tied	ok		f	1	0		\\x	\\x	chain/sl4wc35xkikapr7xppysjzdddq/4	1	\\x	\\x0111dbe67ca418de95f21b23ef51b6d113558c1fe1014f595fd5b85eeba78f5a39d7c22bc0		\\x0111dbe67c17c1034e520b07249a2c873e27f566e5e46dde8af3080c3ebf326146f4a29754	\\x0111dbe67cacae6e4a096876982d7daed2e063d56313eb1c9c0a54098544f9c144cc0997d5
default	sl4wc35xkikapr7xppysjzdddq/1	10	1795950663263078		system	chain.tied	ok		f	1	0		\\x	\\x	chain/sl4wc35xkikapr7xppysjzdddq/5	1	\\x	\\x0111dbe67c507b562606d2ca456c1bcb15aa6fd04803e30d07c1064f399a1bc2442abe60fe		\\x0111dbe67cacae6e4a096876982d7daed2e063d56313eb1c9c0a54098544f9c144cc0997d5	\\x0111dbe67ce1e803d2b2e6879762fa52a3c3976861b02437b6c5bea48a9674e79bc7f5a2f5
default	sl4wc35xkikapr7xppysjzdddq/1	11	1795950663263078		system	chain.tied	ok		f	1	0		\\x	\\x	chain/sl4wc35xkikapr7xppysjzdddq/6	1	\\x	\\x0111dbe67c16b2e9dc02e22fd555b3387609706796859b50e2d25c2f4f5ae6b26477fe9922		\\x0111dbe67ce1e803d2b2e6879762fa52a3c3976861b02437b6c5bea48a9674e79bc7f5a2f5	\\x0111dbe67c75557e9b842d2c38e07edb12778f73399e698f20c573c3126fb78c8d0ad89578
default	sl4wc35xkikapr7xppysjzdddq/1	12	1795950663263078		system	chain.tied	ok		f	1	0		\\x	\\x	chain/sl4wc35xkikapr7xppysjzdddq/7	1	\\x	\\x0111dbe67c15d2081cb9de8e8d1176ee2de5f69e5fe1d3d499f36c2e45bca3adbcd3e59db6		\\x0111dbe67c75557e9b842d2c38e07edb12778f73399e698f20c573c3126fb78c8d0ad89578	\\x0111dbe67c1ba3f3be9de312cf635dbec971728faa6c2875cbea30c3de62254801bb223285
default	sl4wc35xkikapr7xppysjzdddq/1	13	1795950663263078		system	chain.tied	ok		f	1	0		\\x	\\x	chain/sl4wc35xkikapr7xppysjzdddq/8	1	\\x	\\x0111dbe67c8e936cf0b74930359962e336786c8c7cc71fe4df14548603f50a13e173295b09		\\x0111dbe67c1ba3f3be9de312cf635dbec971728faa6c2875cbea30c3de62254801bb223285	\\x0111dbe67c00b212325d7668dfdf32e5c06dffca47463ace04e7ae8678a5bdd4e2fd7a5ad9
default	sl4wc35xkikapr7xppysjzdddq/1	14	1795950663263078		system	chain.tied	ok		f	1	0		\\x	\\x	chain/sl4wc35xkikapr7xppysjzdddq/9	1	\\x	\\x0111dbe67cd5ec3d102920b15c0f167d3e08f68ef8f5c3d6609486984a5b0ec6e95290e23f		\\x0111dbe67c00b212325d7668dfdf32e5c06dffca47463ace04e7ae8678a5bdd4e2fd7a5ad9	\\x0111dbe67c137b0e5fab5d4ac818d39a8c9a45292bf5a96f651bab216ea5b633e6d6de0049
\.


--
-- Data for Name: audit_verdict_2026_11; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.audit_verdict_2026_11 (chain, seq, second, micros, account, data, hash) FROM stdin;
337641473	9	849265863	98536	-296690705	\\x01a2270055a9fd1ab3342e4009f6a9416403b12c3528d89197991bef47da3d04a5aa3bb65268213983e329ef2d8942e9d3e58bffac170161e37001b23ac1ad0b71c26107bcb1875e551f127402028285010000083a35ef63550314300293cbf40974182a	\\x0111dbe67c2de4afe96bc07f3cd3343a07ac485f06
337641473	12	849265863	202739	-1328088892	\\x01a22700560b28314426b267db22025e25c6f267fa8b74d4de24dd78cbbddcce3804cbda76c307b1cce5ecc47f82c551e9e3423b645d28fc8166766bd7eeb280112e3e9bd0deec44c93ea3501202d8b501000008dda60ad1e203b2384a48df8042a4ae0e	\\x0111dbe67cba90bf8f3fe4eda6f9914fccee6c4404
337641474	2	849265863	239508	-1328088892	\\x01a22700562b536b99ecdb6acb48e5b625c6f267fa8b74d4de24dd78cbbddcce3804cbda76c307b1cce5ecc47f82c551e9e3423b645d28fc8166766bd7eeb280112e3e9bd0deec44c93ea35012049cde010000084a48df8042a4ae0e428e598279463957	\\x0111dbe67c21202e5b2d1d4db3a285a450e6b2da99
337641473	14	849265863	270485	-1328088892	\\x01a22700564b20a3ddd2307113699c7a25c6f267fa8b74d4de24dd78cbbddcce3804cbda76c307b1cce5ecc47f82c551e9e3423b645d28fc8166766bd7eeb280112e3e9bd0deec44c93ea3501206f6d201000008428e5982794639575baa51870481418e	\\x0111dbe67cf45800028d136707212aca9699496ac9
337641473	15	849265863	299304	-1328088892	\\x01a22700566987d73778d48585d27f8e25c6f267fa8b74d4de24dd78cbbddcce3804cbda76c307b1cce5ecc47f82c551e9e3423b645d28fc8166766bd7eeb280112e3e9bd0deec44c93ea3501208d6ca010000085baa51870481418e14d8d66fde74241a	\\x0111dbe67cbc815a7bf95556bd9d9bbef95bada5da
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
default	60000000	1795950660000000	sl4wc35xkikapr7xppysjzdddq	12	1	454474	\\x012d8942e9d3e58bff7f82c551e9e3423b	\\x015a01140101010102010100020001060106010201
default	3600000000	1795950000000000	sl4wc35xkikapr7xppysjzdddq	12	1	454474	\\x012d8942e9d3e58bff7f82c551e9e3423b	\\x015a01140101010102010100020001060106010201
default	86400000000	1795910400000000	sl4wc35xkikapr7xppysjzdddq	12	1	454474	\\x012d8942e9d3e58bff7f82c551e9e3423b	\\x015a01140101010102010100020001060106010201
default	2419200000000	1795046400000000	sl4wc35xkikapr7xppysjzdddq	12	1	454474	\\x012d8942e9d3e58bff7f82c551e9e3423b	\\x015a01140101010102010100020001060106010201
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
default	mkh37cg33yi2ifhby3p7fesuhm	PASSCODE	k3jp4ny74atezd7o27vlxdixj4	1	1795950662958211	1795950662958211	\\x010166aaa21a44aa47b3d288590d0822a87828839361c4ce92a2a06440d83d5ce1e777c294e5366f92f6b5ce762189c61ee29c9451bf27acaa6729ae413deb6467a182ea8f31f0cef03726893c45740995e4149c8294072320c2052f3dd55d37b5eb07eb466130fc
default	mkh37cg33yi2ifhby3p7fesuhm	TRANSACTION_PIN	ez2iwyv2z37gvbmlbbytijqday	1	1795950662975430	1795950662975430	\\x010166aaa21a4d54c1f97e6341547346458440e444b45bf94d711a9f29eedfce04945139aaa439c2b3fd39ea2e3587d012b5637ec8a2630f491d09d5287fe72cf9206f1f56c71f60047a782dada0152db9614f498d67a5b4c7adc5ced6d6ec8943f51a97a483b1a4
default	jplsldrhhihx5w7et5sgphif4m	TRANSACTION_PIN	xwdfcxivyxeam7yi3habktrlsi	1	1795950663176492	1795950663176492	\\x010166aaa21a24e74b99aa3744511269062bdb41983504e35c13f15485cbcb2f031ea9b7808be0675e30aa67bac2b47a2209fb8b13d653008c57553c644326135e5d401d92dd144ee92cf1f0bfd0c147c2735073dd7964c760bcff87631b35228270cad8d7181acc
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
default	mkh37cg33yi2ifhby3p7fesuhm	dd7v53yc7rbhydj5usws3325qi	phone	invalidated	2	RSA-OAEP-256	2048		1795950662930816	0	1795950663078155	0	\\x0111dbe67caf513a17e51aa425f2f5e68456e7fdaf63aa913bf9697fbd65e73d1f3fe085a6	\\x30820122300d06092a864886f70d01010105000382010f003082010a0282010100d8e24ec69e093cbaf1d9d12654e484842be425aa68bbc7309e93c9920f0c7ded84d613557714a9da44513fc0f26d4fa8c4b70506cfd5ea35d07d8ab0771fe87d52a115c10255623ae1ee7278a7139c41822f3e14159e3f2cb393a0db9e35e003cc20e58d7eb0dbc9b476dfdc8c9cff4e7d7f9e31cd5e54454ada9146b7918b049299fb6dde565aa92f30282485fe0e140612c51039975e49bcc39a487eded80a4dadbcb432e1e01a7a05cd6e85cb68a37917aa5f6d11df1c4abe697e8afbe3be02575e44e95997c477973b5fc9a13cfd0c6b2c5d35117b1599d06d92eb2427e5095fd061ee202056c129a282b2fd6fb6e1e11bf3cdedd2853a30d25f67c38a590203010001	\\x	
default	mkh37cg33yi2ifhby3p7fesuhm	mqb3clbvfdmjdf4zdpxupwr5aq	phone	active	1	RSA-OAEP-256	2048		1795950663078155	0	0	0	\\x0111dbe67cc79a6a46f07027c93ea365b663590528fa1663c8097b42a048d835962cac7ecb	\\x30820122300d06092a864886f70d01010105000382010f003082010a0282010100d259a8be28d935a5599f8d3b238392e2bd10b61fb9e1dab59f275356b7f01da78948d40054bd3e0492f88f8a0aa5289828da4487bf159cee368a9a1ff7e353869edb8eb61745a79ec274e48b7503729620eac334e4b58ea540b27b53c5230e20c20f12fc628f682203ffafd1f91f3f815f0b944d30b23e6cadc67277e73ce15f4c65db3d5886510df9c88d59d5c3ef582ced338bac1aa3eabffc906247b7cb5b8ecea1ce9cce2afb2cf8095f7e61882307e2001964c63beb90594da33eb8e7c10656619249ecc5a42d69a6fb348d24c979e30556b3795c1f213acff433b42bf2ba0ce848be739e0b4f1b5f0bbc78df93e8b3ee3c9d0c85993cfe4a306d0bdc910203010001	\\x010166aaa21a84e7f9ac7048f923cef717f2847de7f0de12f62188d86b3ee8fcf40962eca7bb52edaf06116060798846ef27dfc7d6749af6f342a0ec93acce87a3b203701dd868b6b5239444fc920d5b7b6f0c46f2ca5122ee0dd50aae9ae38d66b930c519d951dd53d8c75a5d83e9fb18fec90a01c08414678d95eeaa5fc18854729003220a7d1bb9b910e3b3595c67ee95aab9a186c4926456089854d8006434c3c4cefe4e92f8b4d07f72401620be6c03fdfe15f8e2427af9119c627316b6a0107a6fdaffe49065b7a2d7bb02c81f4ce8391fd464a124d922614d1b4ecce78ede696ba029655a0298cd574077eb96b01bbccb29d8200fc5fa11332b1dc282c5d33198d9d5dd1d9205730a329f2a18dcfef2ed66f34e305aaaa2d3efd6ea17fdb3591fcf465088e2972d4753676d	
default	jplsldrhhihx5w7et5sgphif4m	exdpez72rn2njxre3v4mxpo4zy	tablet	active	1	RSA-OAEP-256	2048		1795950663153067	0	0	0	\\x0111dbe67cbe6cf4d3636eb02c39c506cfe37c320f4bf7c8c2d4813cc4379ea6611265d9ee	\\x30820122300d06092a864886f70d01010105000382010f003082010a0282010100d09ee429da2be5c75d76b93cf4d6e090eb2b0b2a183ff1801c8be4c229b5668f4f88d743e0398fcb134e22e3b1d7c5190f8dfdec7c070e02e025912e0567d5d9ee0f0907edfc262182548e43080a3895ab6924448e93cd4d903debcd8505b45c24d72c68f13c4d76ea050c052606eb61a2596063856c00092d0e1598442af6429bbea9f3bb139bfa3e2b423302a48c0730124f20a24102ee810259c6f1f966f4385ad5c50348070ed421d2f34967f347ddccc1892e3a261e3a883f94f86f041226c9f17b3940ffa748810d139f4d19acfad7aaca4a22da4d99ca2e0a29055bea4f39c203a4f1f8caf234b744e6bb3381a2e13cc4bffb6b541c68b325140ded910203010001	\\x010166aaa21ac6785d0f2b4bb84d23a00eaa30b02edf45b3c5d21f557787922bfa1d30707e157207136b6bbf7165bd2d0d30dcfb1497ec3911bba8e295aea2d55cdd58cca7e320ae2e74d642993dc9b9f7d00b4bd4410bedf71d5d089d721f5e511c96426af388f227e1b6d389bd40b9c98ec9621f5b8cb9fe6a7ae6bdac8a76efe857561c55302a8483042effd81c272a665ea4364ce385c5dabffe0b122faf2af94c44d4323da73148d6dd5b935e00d84c24d988ec0382802b7b1c5fc7c0678162ec11353c1a9b788b9b7429b3080e1a2784814af9086ccf817339e6cafd32ef9c8bac682520bf04b6f6e489c737a1c201afd25fde026d6a9173b4c5fff91a68e406d5e57c271d7f041e02dcc52c519c709e26d210195b4fe8b99315a325c2dacaf05f0b629e2ea68ffd717319f2	
\.


--
-- Data for Name: key_account; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.key_account (tenant, key_id, account_id) FROM stdin;
default	dd7v53yc7rbhydj5usws3325qi	mkh37cg33yi2ifhby3p7fesuhm
default	mqb3clbvfdmjdf4zdpxupwr5aq	mkh37cg33yi2ifhby3p7fesuhm
default	exdpez72rn2njxre3v4mxpo4zy	jplsldrhhihx5w7et5sgphif4m
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
default	mkh37cg33yi2ifhby3p7fesuhm	dd7v53yc7rbhydj5usws3325qi	1795950000000000
default	mkh37cg33yi2ifhby3p7fesuhm	mqb3clbvfdmjdf4zdpxupwr5aq	1795950000000000
default	jplsldrhhihx5w7et5sgphif4m	exdpez72rn2njxre3v4mxpo4zy	1795950000000000
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
4097083626	f	\N	\N	\N	2026-11-29 11:11:02.625283+00
\.


--
-- Data for Name: schema_version; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.schema_version (id, version_id, is_applied, tstamp) FROM stdin;
1	0	t	2026-11-29 11:11:02.537945
2	1	t	2026-11-29 11:11:02.560263
3	2	t	2026-11-29 11:11:02.580925
4	3	t	2026-11-29 11:11:02.595653
5	4	t	2026-11-29 11:11:02.595998
6	5	t	2026-11-29 11:11:02.603314
7	6	t	2026-11-29 11:11:02.604593
8	7	t	2026-11-29 11:11:02.606776
9	8	t	2026-11-29 11:11:02.607667
10	9	t	2026-11-29 11:11:02.60996
11	10	t	2026-11-29 11:11:02.612441
12	11	t	2026-11-29 11:11:02.617472
13	12	t	2026-11-29 11:11:02.618832
14	13	t	2026-11-29 11:11:02.619076
15	14	t	2026-11-29 11:11:02.623703
\.


--
-- Data for Name: setting; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.setting (tenant, name, value) FROM stdin;
default	epoch	\\x31
default	keyset	\\x7b226b6579736574223a7b2267656e65726174696f6e223a312c22646174614b657973223a5b7b226964223a313732323435383635302c226d6163223a3239393632343036302c227072696d617279223a747275657d5d2c227772617073223a5b7b22726f6f744b6579223a2261333733346666343937393033653834222c2275726c223a2266696c653a2f746d702f546573744461746162617365734f664561726c69657256657273696f6e734f70656e313633343136303832362f3030322f646174612f726f6f742e6b6579222c2261646465644174223a22323032362d31312d32395431313a31313a30322e36343130375a222c226b6579223a222f366251415274345a50317072447749466758412f76643832732b33664f43496b58654a7a5350725a626f783875344a54615976627a6b646b4d3352653737774648454179666e51684b474c6b663250517241354b4e34676c6b365153615351222c226b6579736574223a224e442f3730784b764134764c6679445a442b48785136763933434a47716633445172644b5542586c39626c48353869674c496a45443852394d452f51424c307657687453524d54717565694e69415143386a6f4b67674e5a7a7a6758364d5a4872706333435a645a3165693144574542457161346364397262476730316a4f71463151556f473556617547454f77646d30706457696e6d4152517a436c7864735a7837564b4f55435167786253594267762b4348464a31342b56467135626150366e664d756d33703845614545797565454c375a6e324238594c4355657973346958774a5956724e526b4a56586e5856442b674e4d495062354b4f486b454f427930326a73756b583778327a6554427273324970696e6a414e7044626137663979306f48515a666f4d544d5932414c3072765343755156547a55694c6e6e6d6d6f484d4a6357576558744e393767727a567a47307837516d7430563033466a7255454a4973755350227d5d7d2c226d6163223a2241524862356e775a6949755a345a6d6b4b5a7462684b4849512f35363967596b484d53636e743057474751745374764874773d3d227d
default	account_mode	\\x646576696365
default	audit_chain	\\x3232616f6d6a7379686f726377776963716a72656f736d6c6f6d
default	witness/25db88b5df39bbe10c1ae0d0b54d34fe	\\x0006616859488d9a
default	metrics.folded/sl4wc35xkikapr7xppysjzdddq/2	\\x0000000000000001
default	metrics.folded/sl4wc35xkikapr7xppysjzdddq/3	\\x0000000000000001
default	metrics.folded/sl4wc35xkikapr7xppysjzdddq/4	\\x0000000000000001
default	metrics.folded/sl4wc35xkikapr7xppysjzdddq/5	\\x0000000000000001
default	metrics.folded/sl4wc35xkikapr7xppysjzdddq/6	\\x0000000000000001
default	metrics.folded/sl4wc35xkikapr7xppysjzdddq/7	\\x0000000000000001
default	metrics.folded/sl4wc35xkikapr7xppysjzdddq/8	\\x0000000000000001
default	metrics.folded/sl4wc35xkikapr7xppysjzdddq/9	\\x0000000000000001
default	metrics.folded/sl4wc35xkikapr7xppysjzdddq/10	\\x0000000000000001
default	metrics.folded/sl4wc35xkikapr7xppysjzdddq/11	\\x0000000000000001
default	audit_tied	\\x00066168595163660111dbe67c3c250070c97da642d122fb1b5c6692df9666b1e072bc4532ca1915e115f67e56
default	metrics.folded/sl4wc35xkikapr7xppysjzdddq/0	\\x000000000000000f
default	metrics.folded/sl4wc35xkikapr7xppysjzdddq/1	\\x000000000000000e
default	beat/sl4wc35xkikapr7xppysjzdddq	\\x250111dbe67c2ddf5b446799e79aaee64201e7d58cc10c7cefac1d8ab046a29ee5c6a4c416757b22696e7374616e6365223a22736c3477633335786b696b6170723778707079736a7a64646471222c226e756d626572223a322c226174223a313739353935303636333330363738352c22636f6e646974696f6e223a22656e646564222c226865616473223a7b2230223a31352c2231223a31342c223130223a312c223131223a312c2232223a312c2233223a312c2234223a312c2235223a312c2236223a312c2237223a312c2238223a312c2239223a317d2c2272656164223a6e756c6c7d
\.


--
-- Data for Name: signing_key; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.signing_key (tenant, number, id, algorithm, version, created_at, active_from, erased_at, mac, public_key, sealed) FROM stdin;
default	1	aZZpnEHWGN3ulu538fxOezVQzwe46i5jy-Ixv9rX_Zs	ES256	1	1795950662692112	1795950662692112	0	\\x0111dbe67cf403b417cb29382aae546ae96337021d0fe4f0fc9402ec1d747803616a289e85	\\x3059301306072a8648ce3d020106082a8648ce3d03010703420004246391a72d56e3da085f472c62eed0baca5e75944c28ae4615ba38d2d22a974cca6f2f25c5dd8bfe2e3b067631d9852806b69f161e764fc2d079dfcf647848f5	\\x010166aaa21a8654be1a6da96a0be8bf3aedac5a58817850872c6b3fdf2bd75b8ee642ea849abb5be39e23deb52ca940ba1411f31cfed741b5d3ed192a8d72496e58a98afdd437db75c7dbebcb7b26fbfb086e74c092308276359d15b7ab51ff2a48a68b8ae81929d03a18728928eedb2ad112bd251ddf6af22ddfca06cd124a955b511285d2d28b719f0adf7805f5fe5aedbd1f9fb03933064fd69bfcf3b7c608a6c5b9a3b64deb0020de5390ddd49414a47eb6973fb24f
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

\unrestrict VxSOCsJH5tNZGuiUE0Szkl1U3SckZqd0aVhBGW7p2HEGPceaeEoGFMeWneXbgFd

