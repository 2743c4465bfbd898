--
-- PostgreSQL database dump
--

\restrict rb1KQwoLEfy5Pc1PTSZMOLEDs67Gwl7lCKFtbuBV1euTRzSK6DErjxEqmVfnTNz

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
default	tpgkfxmyobhblepuc3d7gheove	device		phone	1795830793966324
default	a37tju7qnarebigsfptayoi2ve	device		tablet	1795830794265045
\.


--
-- Data for Name: attempts; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.attempts (tenant, account_id, type, id, version, failures, locked_until, permanent, recent, pending, mac, verified_at, verified_by, devices, locked_to) FROM stdin;
default	tpgkfxmyobhblepuc3d7gheove	TRANSACTION_PIN	2z7zexfhpftany2z4f4cfkpf3y	2	0	0	f	[]	[]	\\x018c37907fba956b20de62982e38ff636fccbe648c73a8055176afd0ef82ede5c9b926d2a0	1795830794181323		[]	0
default	a37tju7qnarebigsfptayoi2ve	TRANSACTION_PIN	3jwdpg25r2qhdwxns6w63w4sju	8	4	0	f	[1795830794295864,1795830794309226,1795830794322605,1795830794349633]	[]	\\x018c37907fc030f3c36dd7952308f82faec039fef4343012ebba84a00866f38aceba769ac2	0		[]	0
\.


--
-- Data for Name: audit_chain; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.audit_chain (tenant, name, number, form) FROM stdin;
default	33wv7vhrqklmtbcjlfgt3cgzdy	337641472	2
default	ytnngri3tlbc5svzuwlqkx5p6m/0	337641473	2
default	ytnngri3tlbc5svzuwlqkx5p6m/1	337641474	2
default	ytnngri3tlbc5svzuwlqkx5p6m/2	337641475	2
default	ytnngri3tlbc5svzuwlqkx5p6m/3	337641476	2
default	ytnngri3tlbc5svzuwlqkx5p6m/4	337641477	2
default	ytnngri3tlbc5svzuwlqkx5p6m/5	337641478	2
default	ytnngri3tlbc5svzuwlqkx5p6m/6	337641479	2
default	ytnngri3tlbc5svzuwlqkx5p6m/7	337641480	2
default	ytnngri3tlbc5svzuwlqkx5p6m/8	337641481	2
default	ytnngri3tlbc5svzuwlqkx5p6m/9	337641482	2
default	ytnngri3tlbc5svzuwlqkx5p6m/10	337641483	2
default	ytnngri3tlbc5svzuwlqkx5p6m/11	337641484	2
\.


--
-- Data for Name: audit_log; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.audit_log (tenant, chain, seq, "time", request_id, actor, event, outcome, operation, failed, count, duration, key_id, account, device, record, version, before, digest, reason, prev, hash) FROM stdin;
default	33wv7vhrqklmtbcjlfgt3cgzdy	1	1795830793717161		system	store.initialised	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x018c37907ff15e59e0ec7110ee3a2ef2287a3a3a2765854ed149d1249e49c4e78738d00df5
default	ytnngri3tlbc5svzuwlqkx5p6m/0	1	1795830793760769		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x018c37907f03f76092c8d7fce68dd4215051931cbca1d0a73f02fe4ac273d69c091bafd3df
default	ytnngri3tlbc5svzuwlqkx5p6m/1	1	1795830793760769		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x018c37907f7a6b0ec1ab6cb71bee8f3262fe005eb93f8808035558c54a0e0554013641ebb7
default	ytnngri3tlbc5svzuwlqkx5p6m/2	1	1795830793760769		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x018c37907f66c6bbae706f0c6b146134e2408119ab6df078f44d424cca5b551f1478b29b8f
default	ytnngri3tlbc5svzuwlqkx5p6m/3	1	1795830793760769		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x018c37907f5fc0e5494525b7bb122fcdd9ebef3d97b80d556ca5cfc9544093a609b966b047
default	ytnngri3tlbc5svzuwlqkx5p6m/4	1	1795830793760769		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x018c37907f673c411c505804546f2ce9b3e1f4d6ec3766ea36be14a3f538b09310b86d68d2
default	ytnngri3tlbc5svzuwlqkx5p6m/5	1	1795830793760769		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x018c37907fd8212a24ad4ba09522be92f64331f5894ef9dda857bb552d3820a3df11deec29
default	ytnngri3tlbc5svzuwlqkx5p6m/6	1	1795830793760769		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x018c37907f162a08d8dc25726e1702e00eb1e8d17b2644ab3e41fd499e6a018eee1ba86a83
default	ytnngri3tlbc5svzuwlqkx5p6m/7	1	1795830793760769		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x018c37907fb220a03591aee51c8cd603bbf8c5cc2364f95f5991fd21238da411e2cf1261ab
default	ytnngri3tlbc5svzuwlqkx5p6m/8	1	1795830793760769		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x018c37907f9a08cb24d9e914b66cef19bcebbc55265c0f7f6e3e701af8cd80d0d711dccdc2
default	ytnngri3tlbc5svzuwlqkx5p6m/9	1	1795830793760769		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x018c37907f20fad6a3123b5d61d013162f61ce107a5ed1ce75ebf0c91d3b06321f1e3faf5d
default	ytnngri3tlbc5svzuwlqkx5p6m/10	1	1795830793760769		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x018c37907fb886856dae8c754ed77b79fc89b6f3b66e3b76959508c1ddc7c9365fb9ce8948
default	ytnngri3tlbc5svzuwlqkx5p6m/11	1	1795830793760769		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x018c37907f4e7eab72742a9afc072084aa12fda5bd71b6109e3720fe0e20ae0420b4bcef9a
default	ytnngri3tlbc5svzuwlqkx5p6m/0	2	1795830793778024		system	witness.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x	vm:/tmp/TestDatabasesOfEarlierVersionsOpen2202926533/002/data.witness	\\x018c37907f03f76092c8d7fce68dd4215051931cbca1d0a73f02fe4ac273d69c091bafd3df	\\x018c37907f188f57802f753972733263a12733094b11a7f67d724cd52f99df5e04a2bb8751
default	ytnngri3tlbc5svzuwlqkx5p6m/0	3	1795830793790205		system	signing_key.created	ok		f	1	0		\\x	\\x	signing-key/1	0	\\x	\\x	kid fYUBcsIxy14KelhvzcPqWumvPw61GcujjQ8dL20GDxE	\\x018c37907f188f57802f753972733263a12733094b11a7f67d724cd52f99df5e04a2bb8751	\\x018c37907f9d9a634dccdf57bd0710869cef868e59083167a61e39748a1798384cc8d22a6a
default	ytnngri3tlbc5svzuwlqkx5p6m/0	4	1795830793966324	agrb7w2goguegmhkktfiurzwmy	caller	key.issued	ok	generateClientEncryptionKey	f	1	128511	samg4lwsimmgse4qrc4kzzz5yq	\\x2091d23c8e779facbc5b28396fe3d84f	\\xc54f65c904890c4239054b159c52632c	key/samg4lwsimmgse4qrc4kzzz5yq	1	\\x	\\xe7d006e28d98539e9d0828af5a40cc85d83a69b435dc471a108bb7a34ead25d9		\\x018c37907f9d9a634dccdf57bd0710869cef868e59083167a61e39748a1798384cc8d22a6a	\\x018c37907f93b9a0042a0d1caf05e19f0cfb5b535d2a30f77e4aeeb1e7c2173093ec3b06f4
default	ytnngri3tlbc5svzuwlqkx5p6m/0	5	1795830793994655	agrb7w2g7skl4ziuyciy3vxcum	caller	credential.set	ok	setUserPasscode	f	1	14854	samg4lwsimmgse4qrc4kzzz5yq	\\x2091d23c8e779facbc5b28396fe3d84f	\\xc54f65c904890c4239054b159c52632c	credential/xlfra5muodugjaihzd4xksvhmq	1	\\x	\\x50f4990c8c5cc4feaf9213fc6340e8aefc125af091e25dbbfa908bfea06a5fba		\\x018c37907f93b9a0042a0d1caf05e19f0cfb5b535d2a30f77e4aeeb1e7c2173093ec3b06f4	\\x018c37907fb3865517c2895f9e48167f81d86b942110c1a5aea81279dab00007e78c82882d
default	ytnngri3tlbc5svzuwlqkx5p6m/0	6	1795830794008820	agrb7w2hb5f6cpyozwanqfen6m	caller	credential.set	ok	setTransactionPin	f	1	10247	samg4lwsimmgse4qrc4kzzz5yq	\\x2091d23c8e779facbc5b28396fe3d84f	\\xc54f65c904890c4239054b159c52632c	credential/6alrrgfzykhewb66uui56i4rpi	1	\\x	\\x94e8109de4014ce2fe6f9544eff1a13e1a762a969c173a2ec3b9b8900a631d98		\\x018c37907fb3865517c2895f9e48167f81d86b942110c1a5aea81279dab00007e78c82882d	\\x018c37907fc7dd34d7b9aa4ca1ae9ff2bc50be9122fec1801ed707d6e1da6a51fd64527628
default	ytnngri3tlbc5svzuwlqkx5p6m/0	7	1795830794163373	agrb7w2hekhu5ixnnz5wshxc3m	caller	key.rotated	ok		f	1	0	samg4lwsimmgse4qrc4kzzz5yq	\\x2091d23c8e779facbc5b28396fe3d84f	\\xc54f65c904890c4239054b159c52632c	key/samg4lwsimmgse4qrc4kzzz5yq	2	\\xe7d006e28d98539e9d0828af5a40cc85d83a69b435dc471a108bb7a34ead25d9	\\x8f3e1c246d487c3ef6a39151753d80672837ccafe62089f32bee2b00555f9840		\\x018c37907fc7dd34d7b9aa4ca1ae9ff2bc50be9122fec1801ed707d6e1da6a51fd64527628	\\x018c37907fc33c00e3f9627ca075b8e2d12ebfe56850b19ffb0e350623dc0e769940ab6095
default	ytnngri3tlbc5svzuwlqkx5p6m/0	8	1795830794163373	agrb7w2hekhu5ixnnz5wshxc3m	caller	key.issued	ok	rotateClientEncryptionKey	f	1	145863	yfwjozwsmp6jc3pj5o6d6jmjva	\\x2091d23c8e779facbc5b28396fe3d84f	\\xc54f65c904890c4239054b159c52632c	key/yfwjozwsmp6jc3pj5o6d6jmjva	1	\\x	\\xb68c1b1949c9c8b98de26cc20fe81693703e0f4058ce6593177e61924ea8f37f		\\x018c37907fc33c00e3f9627ca075b8e2d12ebfe56850b19ffb0e350623dc0e769940ab6095	\\x018c37907f04c3f852755e5fb484f204bc51ca8bbbf59689486699bf0172f22a5fe7d00888
default	ytnngri3tlbc5svzuwlqkx5p6m/0	10	1795830794265045	agrb7w2hzanjmhkounikhz34ym	caller	key.issued	ok	generateClientEncryptionKey	f	1	81189	nl7diynivkbi5efpxfba73xjom	\\x303848981748045988553412302f3d0c	\\xc64d9b08f72cc4fc89bb3706c2f53219	key/nl7diynivkbi5efpxfba73xjom	1	\\x	\\x4f862e0fd572900e046a6fce472ace21a6e80b7f8eb5a39dd12458553a3e47f5		\\x018c37907f237d031b3544a30fa3d5e52192aa6c63	\\x018c37907fdb36d2f80ffe8adcd69257cd4edf49621218ec41c1e1c33b321cfd6975539df3
default	ytnngri3tlbc5svzuwlqkx5p6m/0	11	1795830794278767	agrb7w2idp6d2onqsr6vabet2i	caller	credential.set	ok	setTransactionPin	f	1	15408	nl7diynivkbi5efpxfba73xjom	\\x303848981748045988553412302f3d0c	\\xc64d9b08f72cc4fc89bb3706c2f53219	credential/ddudb4s5ipquoi6g2walweej2m	1	\\x	\\xff530db3608c5bd9c368e81f35f6f5afef8926403ae675b53383878b21f8ddc2		\\x018c37907fdb36d2f80ffe8adcd69257cd4edf49621218ec41c1e1c33b321cfd6975539df3	\\x018c37907ff03e35b2cbd9220525a9af68d6b1bd0c34e5d8b05ce19679ae3e13e51a7cd88a
default	ytnngri3tlbc5svzuwlqkx5p6m/0	16	1795830794356089		system	operations.counted	CREDENTIAL_REJECTED		f	1	5127		\\x	\\x		0	\\x	\\x	setTransactionPin	\\x018c37907f9d866d616b7a596b2b8579e72f60e8e1	\\x018c37907fc4e732881aef4e116c260810f078e3d7ecab78d53fb3367732e99c0bb0799453
\.


--
-- Data for Name: audit_verdict_2026_11; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.audit_verdict_2026_11 (chain, seq, second, micros, account, data, hash) FROM stdin;
337641473	9	849145994	181323	546427452	\\x01a21fdb47b75be2ea1b7842fd843bffc16c9766d263fc916de9ebbc3f2589a88e779facbc5b28396fe3d84fc54f65c904890c4239054b159c52632cd67f925ca7796606e359e17822a9e5de0202eb6c0000089933995ae977c31f4b5c259888a06e8a	\\x018c37907f237d031b3544a30fa3d5e52192aa6c63
337641473	12	849145994	295864	808994968	\\x01a21fdb482d071989f210bca197ee4f6afe3461a8aa828e90afb9420feee9731748045988553412302f3d0cc64d9b08f72cc4fc89bb3706c2f53219da6c379b5d8ea071daed97adeddb924d12029b54000008dd5a75da016feff3a49a5e6b32726a73	\\x018c37907f7cfed1ea4c86c81247da2cec8d84cdfa
337641473	13	849145994	309226	808994968	\\x01a21fdb483a5fade31ba62cb5516b936afe3461a8aa828e90afb9420feee9731748045988553412302f3d0cc64d9b08f72cc4fc89bb3706c2f53219da6c379b5d8ea071daed97adeddb924d1204d257000008a49a5e6b32726a73743fb3bc2ae9dc23	\\x018c37907feb74795cb118cfcfb2b7d6e2f36a82bf
337641473	14	849145994	322605	808994968	\\x01a21fdb4847d827b0f6d9890290b84b6afe3461a8aa828e90afb9420feee9731748045988553412302f3d0cc64d9b08f72cc4fc89bb3706c2f53219da6c379b5d8ea071daed97adeddb924d12068455000008743fb3bc2ae9dc23e5314bc62de88a0f	\\x018c37907f842119aea78d0ff9488270d3fed042fb
337641473	15	849145994	349633	808994968	\\x01a21fdb4854cfd2d27632ef3e068b286afe3461a8aa828e90afb9420feee9731748045988553412302f3d0cc64d9b08f72cc4fc89bb3706c2f53219da6c379b5d8ea071daed97adeddb924d1208d0ca01000008e5314bc62de88a0f09b8a4f3c6ec85c3	\\x018c37907f9d866d616b7a596b2b8579e72f60e8e1
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
default	60000000	1795830780000000	ytnngri3tlbc5svzuwlqkx5p6m	12	1	473947	\\x01c54f65c904890c42c64d9b08f72cc4fc	\\x016301070100030202000105010c0104010101
default	3600000000	1795827600000000	ytnngri3tlbc5svzuwlqkx5p6m	12	1	473947	\\x01c54f65c904890c42c64d9b08f72cc4fc	\\x016301070100030202000105010c0104010101
default	86400000000	1795824000000000	ytnngri3tlbc5svzuwlqkx5p6m	12	1	473947	\\x01c54f65c904890c42c64d9b08f72cc4fc	\\x016301070100030202000105010c0104010101
default	2419200000000	1795046400000000	ytnngri3tlbc5svzuwlqkx5p6m	12	1	473947	\\x01c54f65c904890c42c64d9b08f72cc4fc	\\x016301070100030202000105010c0104010101
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
default	tpgkfxmyobhblepuc3d7gheove	PASSCODE	xlfra5muodugjaihzd4xksvhmq	1	1795830793994655	1795830793994655	\\x01010674005656ee9c89702d3a3f72fe1e9dc300f5bcfb63b313459a73ed2e45931a492c2a6ee8d13cf252e4b6f600a7783877c1c7dfcce96e7fb508cfc3b556f182e998aa25fa91806a029397096c161592c41b41ee879a7bd3b032caf813521be6c0afd5b23b12
default	tpgkfxmyobhblepuc3d7gheove	TRANSACTION_PIN	6alrrgfzykhewb66uui56i4rpi	1	1795830794008820	1795830794008820	\\x01010674005653e36bb47886d088dbbf8fd790533c75f43a5b570fc1fc4ff2b7bff1a73b34f0d2e5dfe64dad91400d59268673d5c35cb30e89d76db63851488b2701180653ef1915bd6484349fc9ef8844495dbc225871b1cbdcec2d8cd5a966e55f41a7228e7eb7
default	a37tju7qnarebigsfptayoi2ve	TRANSACTION_PIN	ddudb4s5ipquoi6g2walweej2m	1	1795830794278767	1795830794278767	\\x01010674005654a58870eeb81f9c92fa1d316d3b51a0ed23a12486d014285e3465a3502dde7e4b97f4c168061f3f0fefc4ebe98fe1b3d9e40575f3d41dcdc1cbb3d7b654f3601b7164ab28c9888123ec85ebafa8d65da60e45608ffc88a11e9aa95c2ec76ed76719
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
default	tpgkfxmyobhblepuc3d7gheove	samg4lwsimmgse4qrc4kzzz5yq	phone	invalidated	2	RSA-OAEP-256	3072		1795830793966324	0	1795830794163373	0	\\x018c37907f08a9575358bfeed6ee54ca13338239961b0311ac0440b1451df9d9f386747f16	\\x308201a2300d06092a864886f70d01010105000382018f003082018a0282018100ced576546c0b757e7e08441abf639ea2eb45a081ccb6ab7fd0b767bc5789dfff55ce799c3d3a4363693a0b7c9d8308481382e84440ca3330f6d6846e63ba81dba14921fe049c6f17e074fc92432d37b3b1fe5bed46a731c52852d19946d17b93863c7e5d219d8fa0665bc422ede53a0ccefcf7f7b81a00e02c4840a7d348efc7d14746bc9cf945b26a044815456ad900d98d5cc97160de961752bd1265b3bbd7042e1a4c5eb7d25284c423601b09a6441e4d0d2b5db5858189ee2f2ea56730c8bb10acd4d240ff9049af9ed7e6075ad44596e0a09fafec219b09f090c9af451f1bcfe0bb6f3cb76a2458e9ef4c16e2b9302ce4bd354d91517e3f8d98bd4ec4c66cec78afcac094104082c9016658916fd3db3295e65a2c7e74bdd2d14e5e00d5e606e3b465f39bbebd68810b5c83400a61bd75e48f62c20a878e4be8f84435aa97565f7ed91f9355735c1e19407228066fa0c4cc00a80b28319560ecd2f538b3c7a3436fab76cdfddefeaebdbe29cf92836ba170c793db943ba5321f555ce9c90203010001	\\x	
default	tpgkfxmyobhblepuc3d7gheove	yfwjozwsmp6jc3pj5o6d6jmjva	phone	active	1	RSA-OAEP-256	3072		1795830794163373	0	0	0	\\x018c37907f8e43a54f6804fe55a0a17e9d76502ce258064890a833597eb74e244130a6b68f	\\x308201a2300d06092a864886f70d01010105000382018f003082018a02820181009b4e07e842fbd7597d59dd815749437bf06e526230baf2bf1d5b054c9027f28b535d81b7f106de0a486829e7a57d65a89b84eb2329b446d39940c332518a04fdda86e66b05c5d89ab42931bbebed88e6f3e635ea7ea159aebb850de123b751ddcb112a890fd96c95911820e6846be4b2b662952fd1d6ee99d8f183cf26eccf6ff10dc51f7b51ce29b6141d6e6293198683242a28d3206657f2df9c0b6b1e11e40dea7c84de53067f2c1d610714f7915dfbcebe3536578374852b1ccc72628fb8a92f65d8419ac113ce12999ae3d4861faa7d28bf16f9756cf1e7549655eda132c19e642c94b556280afca92c9b03227cd03c7ee8566b1528dc03dcdbb71eea5559f4054fd78fe72cd22c7385273afe796f0771802299d15f8b359ac695972a65aeb0e015e19cb5158439f179c659408392721b5f9fc3b3db6b995c511c87e4876b57876a54dc18dd55b581c5955835455fd4002854960162a97333de403144236c35cb012930a1bf82c304b9fa1dded7a1abeadafff1b060f9db95e3603bd0950203010001	\\x0101067400568d7a96267fc019193c31096e831d9c4f11a4a555b41980322184d235fd4566af5f69ebfa1c0f5dad82c28d8e689d455f394adb6bb2f06df3241bdebdfa066c00b07ec0be046a7090aa12283702ddbfc0996c784d33eacb5c3ed1c654f91371521c4dd5d4bbda0de67085ceadbd4bd60d239eb00f406c56a6d30af2cf1bd16290034b46157438e54ffd18e28e9569b4feda003ad97369a99a5bfc5a55f81daa794ff9d89d5e92c68243c544b3af22f90201ba2fc4f63ecfb671e3c0e627e4a4e36e60086ae2f4d2a6efbcc08bdf896663b353bea17f7af66739ebce1eca8b43fb7eb25a5cf0bdd327b8c9523ae3d7236f036d4a9f8252f48101ca29611aa467a97f8fb95bbd2e9be9f3a973b892a76ddc02d597225cb1c6db7876459653d7d6ca58a42e92ef88a3dd4b92486db67d26f861899df728e740cda8bc6565cb2cb84ef16634a108f51ff409f42331f266ff7b72ce849e7f6ef7165e90b161c462a2a36df28388d7580f72d598253355ede60bcd04d266fccb05a7543a8708ae4311e7aae213aa36f61d9ccf614d6f7a7bed4e6a4b1de3e62a2e946b14c4c7eeb7054ed4f1ca423f9a2603cd	
default	a37tju7qnarebigsfptayoi2ve	nl7diynivkbi5efpxfba73xjom	tablet	active	1	RSA-OAEP-256	3072		1795830794265045	0	0	0	\\x018c37907f71c549503a2a0d7d2ddb3107cc9f0919080c9fca2683315493d14386a2d2eb10	\\x308201a2300d06092a864886f70d01010105000382018f003082018a0282018100a0517320f0e01357d0d894ece74fc386d1b057bda09fbe109449802e4ecd2c09c3a8f0820600aa5c10566f77c693c2ccc3a1917bd17a423659637d0c5eaf9b60e65b9bde0ed2e3382e8c2562de837095bb417427c11004bff40cdb966cb8acae6f8deb8fbad955134bb66f3ea36c1095e60cc1c2b3aa86381580e3b1a792c2a553d5f58748e8acb75ea78bbed6d3b20bb5f5fd016515cd421f50c50f57d9ca56ec8643281f9f744da2ddb22a092d2fdb77cf695c7c4487fba29e5b9639845ff4b05497340b1a8831199d39bbac0e1f355f0cac38a3b9a0856394b9af1ab9213f82393e39c5c16feec8a63072b4865827a65c21083c80067680948417e1a0ada64a8ad80e44ca53d7b2d7e5e57a9a19188b8168389f524c84caaceae1844e7e05b178daa12ef01cb2305b563c2457bcb2691d29f2ca8da2761a8ee3694d1c08eca3fa36c1ad30ab8aa8ac357c637df8161d2f6f898823907ae93c24374be4edfb1e63d3096bc38a5f85d1fb2a02e756bc39d096a444553bd466da9582b21175e30203010001	\\x010106740056a37a21bc0e69388d60afa26f4e067828ce047d87b6a4b0e3631e7073ac834cb5e641d6ea7570512955cba2afc307435ce482acc7096d593f2ae2f88496c0fbc90c475a04ad3b0f91c98629d58f3200ecc0fb93a0e5d06792e81e4b4607922fd492ee1cf8d24947d6df2608c889b926ccc7fb11919df7014ce1f3bda91d853ce66e14f42538112c1204e555772a7bb0850f05ec730705e0ebb5e041cda161a749b72fdf70daf1c41308c9f52952387790dbb92c932ea9f1ae003e902443e09c9bc8db166416f767cb599bf9a5d18931b7c2f8b93a3d041056f30e896e33d474cc0f05883fff9a2aa3233512bc8465b9a0ce739c21c20876604eb7bb4c4659cfdd80f308671e8a28de347972523058adb45b1ac2f9015321c1c6fd1edcdf8de17474c0418eb226957e8818c5d82353f9386a49b60e6fcbb37b2d2fbc3e2b7d8d4d43da721558b85928cdb998a4803c619b78516dc684593a57af9912051b5f1fe363bfa77b09249a1249b02130bc3dcfa4ebf5a9ee67fb6de21003383d63a76b3389cba4e6a9c9fdc0da55debc0dec10e97e01525e3837fc21f6dd0e741f8bdf763bf0bf2bd9f97e5205	
\.


--
-- Data for Name: key_account; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.key_account (tenant, key_id, account_id) FROM stdin;
default	samg4lwsimmgse4qrc4kzzz5yq	tpgkfxmyobhblepuc3d7gheove
default	yfwjozwsmp6jc3pj5o6d6jmjva	tpgkfxmyobhblepuc3d7gheove
default	nl7diynivkbi5efpxfba73xjom	a37tju7qnarebigsfptayoi2ve
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
default	tpgkfxmyobhblepuc3d7gheove	samg4lwsimmgse4qrc4kzzz5yq	1795827600000000
default	tpgkfxmyobhblepuc3d7gheove	yfwjozwsmp6jc3pj5o6d6jmjva	1795827600000000
default	a37tju7qnarebigsfptayoi2ve	nl7diynivkbi5efpxfba73xjom	1795827600000000
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
4097083626	f	\N	\N	\N	2026-11-28 01:53:13.687002+00
\.


--
-- Data for Name: schema_version; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.schema_version (id, version_id, is_applied, tstamp) FROM stdin;
1	0	t	2026-11-28 01:53:13.584939
2	1	t	2026-11-28 01:53:13.634635
3	2	t	2026-11-28 01:53:13.652471
4	3	t	2026-11-28 01:53:13.664097
5	4	t	2026-11-28 01:53:13.664288
6	5	t	2026-11-28 01:53:13.669199
7	6	t	2026-11-28 01:53:13.67036
8	7	t	2026-11-28 01:53:13.672378
9	8	t	2026-11-28 01:53:13.673125
10	9	t	2026-11-28 01:53:13.674527
11	10	t	2026-11-28 01:53:13.67614
12	11	t	2026-11-28 01:53:13.679784
13	12	t	2026-11-28 01:53:13.681136
14	13	t	2026-11-28 01:53:13.681318
15	14	t	2026-11-28 01:53:13.685285
\.


--
-- Data for Name: setting; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.setting (tenant, name, value) FROM stdin;
default	epoch	\\x31
default	keyset	\\x7b226b6579736574223a7b2267656e65726174696f6e223a312c22646174614b657973223a5b7b226964223a3130383236353535382c226d6163223a323335323435313731312c227072696d617279223a747275657d5d2c227772617073223a5b7b22726f6f744b6579223a2265643131336633316533633636326437222c2275726c223a2266696c653a2f746d702f546573744461746162617365734f664561726c69657256657273696f6e734f70656e323230323932363533332f3030322f646174612f726f6f742e6b6579222c2261646465644174223a22323032362d31312d32385430313a35333a31332e3731373136315a222c226b6579223a22564a636a6a51494a5a677a4b346844722f646e2b33622f705a2f2f3869506a6e6a6f374341637874487a56563033484e6b37353648327458624e7748794f5470486c565563594e355a64423251466c5a3056454e3276506d4438796f782b6135222c226b6579736574223a223268697365674a746f7777755349703378315a466775384d2b654a307650465742774d74677575554f5a416b3477594c7a56354f43636237586247556a64654b51514b5270586936576c34506c3844362f4b71514459753834624e6b44676e2f422f4d635a74344b6579537545775456696a564a394f55426a69627857635a702f4a6c696f4b672f696973486b6a696c707139776f57746e5a79496946473745446138726f43543972536651686848666676342f54506f2b734d6f364170494c6e354f63797a6d66344e4c566e6342686836712b47466d4c5a6931652f754f59304a385046694542454946484b6b526c6c4457414963357847645a30577a645a736262517a30325971445471445068784c653548494f4959303341467937482f6e4a4a644631753256356143356a2f694b6438306b4f693442774b75526b642f55577754662b7468614c44716a616c556d31762b54516e37563353384f41675935454f457a413d3d227d5d7d2c226d6163223a22415977336b482b4c7a4135383549353463754374514b486b494a4f71616e2b626b5553552f39364e42645a574468533342673d3d227d
default	account_mode	\\x646576696365
default	audit_chain	\\x3333777637766872716b6c6d7462636a6c6667743363677a6479
default	witness/c581d7476dabfa4dec633a5f450dafc1	\\x0006614c708a3368
default	metrics.folded/ytnngri3tlbc5svzuwlqkx5p6m/0	\\x0000000000000010
default	metrics.folded/ytnngri3tlbc5svzuwlqkx5p6m/1	\\x0000000000000001
default	metrics.folded/ytnngri3tlbc5svzuwlqkx5p6m/2	\\x0000000000000001
default	metrics.folded/ytnngri3tlbc5svzuwlqkx5p6m/3	\\x0000000000000001
default	metrics.folded/ytnngri3tlbc5svzuwlqkx5p6m/4	\\x0000000000000001
default	metrics.folded/ytnngri3tlbc5svzuwlqkx5p6m/5	\\x0000000000000001
default	metrics.folded/ytnngri3tlbc5svzuwlqkx5p6m/6	\\x0000000000000001
default	metrics.folded/ytnngri3tlbc5svzuwlqkx5p6m/7	\\x0000000000000001
default	metrics.folded/ytnngri3tlbc5svzuwlqkx5p6m/8	\\x0000000000000001
default	metrics.folded/ytnngri3tlbc5svzuwlqkx5p6m/9	\\x0000000000000001
default	metrics.folded/ytnngri3tlbc5svzuwlqkx5p6m/10	\\x0000000000000001
default	metrics.folded/ytnngri3tlbc5svzuwlqkx5p6m/11	\\x0000000000000001
default	beat/ytnngri3tlbc5svzuwlqkx5p6m	\\x25018c37907fc03749535352410134e271e2fb8ad1ebca32f3db9fff2f8f54e4cfdcebe44a677b22696e7374616e6365223a2279746e6e67726933746c62633573767a75776c716b783570366d222c226e756d626572223a322c226174223a313739353833303739343336363731392c22636f6e646974696f6e223a22656e646564222c226865616473223a7b2230223a31362c2231223a312c223130223a312c223131223a312c2232223a312c2233223a312c2234223a312c2235223a312c2236223a312c2237223a312c2238223a312c2239223a317d2c2272656164223a6e756c6c7d
\.


--
-- Data for Name: signing_key; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.signing_key (tenant, number, id, algorithm, version, created_at, active_from, erased_at, mac, public_key, sealed) FROM stdin;
default	1	fYUBcsIxy14KelhvzcPqWumvPw61GcujjQ8dL20GDxE	ES256	1	1795830793790205	1795830793790205	0	\\x018c37907f9f029f745a5a0508ae1bb61543abb9f53209e5c0f62ee4c977aa9262605cc028	\\x3059301306072a8648ce3d020106082a8648ce3d03010703420004c0d70b9bdaf8cee275a333b5b80f23e4f183a3986feb6f2bd9c54aa9e22eb81c53ad798c11b944a5b05de73a66ff3f05bc66c23d6f18d4f836af43f542314be4	\\x01010674005642909b2e3e6041d30522672dd37108fc53d4c6316841707083f081f6abf484c439aafb1e55b7df560c3deaf91b7ba46d676230a3cfb9545ed156608f588519d8b22db549b220cee9f6e77bfdf9afa5954e533def8a2e2879168285e2d8281c0697c2ca7f2b615fd7e0ced8f9e8a0b9d258aeee819fbffd3fda63454bd8fa836bf3c5e3bd44f755ae528836e7c0887834a4d368d9737a1160c741b92254bf43b46445e96779f94e070c15e89c2a7abd53ae1e
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

\unrestrict rb1KQwoLEfy5Pc1PTSZMOLEDs67Gwl7lCKFtbuBV1euTRzSK6DErjxEqmVfnTNz

