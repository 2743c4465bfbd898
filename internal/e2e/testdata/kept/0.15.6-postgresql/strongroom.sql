--
-- PostgreSQL database dump
--

\restrict CAnpYxwWdOQo5qh0J0RZPnL9APssHayMDpugBX3tYFLJ2Hf6So4KgsTzIfgSji2

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
default	j5q3zuv5xadas3wxdjan4jxz7q	device		phone	1795878342303745
default	gezgdcynq4saesedldvh7hbanu	device		tablet	1795878342837997
\.


--
-- Data for Name: attempts; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.attempts (tenant, account_id, type, id, version, failures, locked_until, permanent, recent, pending, mac, verified_at, verified_by, devices, locked_to) FROM stdin;
default	j5q3zuv5xadas3wxdjan4jxz7q	TRANSACTION_PIN	mxft6pmmk2ih5djyf2vpz3ohja	2	0	0	f	[]	[]	\\x01cd1bfc488ff89027f3cc96f221e42a37c0be8e005e38cd272619cde55a6a1bc59754c5e1	1795878342520056		[]	0
default	gezgdcynq4saesedldvh7hbanu	TRANSACTION_PIN	g5osxznzlfiz5nlyclmyxm352u	8	4	0	f	[1795878342876033,1795878342890545,1795878342903290,1795878342914511]	[]	\\x01cd1bfc480c9737f77c4fa3a95c61a656efa1dbbdfba8c974d1485e32d768976c8034c73e	0		[]	0
\.


--
-- Data for Name: audit_chain; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.audit_chain (tenant, name, number, form) FROM stdin;
default	4vv7sxc7rjniyejwt6vo6h3kna	337641472	2
default	xklhdlhjgrbftgmtv3zrwpax4m/0	337641473	2
default	xklhdlhjgrbftgmtv3zrwpax4m/1	337641474	2
default	xklhdlhjgrbftgmtv3zrwpax4m/2	337641475	2
default	xklhdlhjgrbftgmtv3zrwpax4m/3	337641476	2
default	xklhdlhjgrbftgmtv3zrwpax4m/4	337641477	2
default	xklhdlhjgrbftgmtv3zrwpax4m/5	337641478	2
default	xklhdlhjgrbftgmtv3zrwpax4m/6	337641479	2
default	xklhdlhjgrbftgmtv3zrwpax4m/7	337641480	2
default	xklhdlhjgrbftgmtv3zrwpax4m/8	337641481	2
default	xklhdlhjgrbftgmtv3zrwpax4m/9	337641482	2
default	xklhdlhjgrbftgmtv3zrwpax4m/10	337641483	2
default	xklhdlhjgrbftgmtv3zrwpax4m/11	337641484	2
\.


--
-- Data for Name: audit_log; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.audit_log (tenant, chain, seq, "time", request_id, actor, event, outcome, operation, failed, count, duration, key_id, account, device, record, version, before, digest, reason, prev, hash) FROM stdin;
default	4vv7sxc7rjniyejwt6vo6h3kna	1	1795878341997115		system	store.initialised	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01cd1bfc48366b73ab66309c204800080aa2aae77635a0c3fe7a6520605e0307e97c05b07c
default	xklhdlhjgrbftgmtv3zrwpax4m/0	1	1795878342034547		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01cd1bfc48212b0d1cf1ae4f09ceff66f73706d894673926b67befeb54b99517a1faef4abb
default	xklhdlhjgrbftgmtv3zrwpax4m/1	1	1795878342034547		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01cd1bfc48a1b1d84ac2c3180f938c7423ee4e46fb818af23df79d27d8d1c996a1f716982a
default	xklhdlhjgrbftgmtv3zrwpax4m/2	1	1795878342034547		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01cd1bfc48a25d55452f7d0c0c039726e2456e85a569dcc80b5f34ca65be6ef616992bc031
default	xklhdlhjgrbftgmtv3zrwpax4m/3	1	1795878342034547		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01cd1bfc4861a7ec4b22d6755a42b994dc19b9a2f7f339269cdda714b4c13cd20773f2be54
default	xklhdlhjgrbftgmtv3zrwpax4m/4	1	1795878342034547		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01cd1bfc48e71f77e3ef87dc49d3ea996a534c251bc19fc115e25f44c5ad3f37ff4d31de57
default	xklhdlhjgrbftgmtv3zrwpax4m/5	1	1795878342034547		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01cd1bfc484fdd550b5a68637746d21d8d8afa59cd8f3a1290506facdd6a977258812efc51
default	xklhdlhjgrbftgmtv3zrwpax4m/6	1	1795878342034547		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01cd1bfc4873fb3ed8ae59f0a7f7316440bee4fc3c07e5b824ffbe8a14978e97fc8ae0c0aa
default	xklhdlhjgrbftgmtv3zrwpax4m/7	1	1795878342034547		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01cd1bfc482cbaf7745127bb087440b3fd0af66462a955030f1d7b5236284a69718960c9d6
default	xklhdlhjgrbftgmtv3zrwpax4m/8	1	1795878342034547		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01cd1bfc487c7f635e95793692ccf25629711db5802d6be218e972adbd2f764b9dd1958a9e
default	xklhdlhjgrbftgmtv3zrwpax4m/9	1	1795878342034547		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01cd1bfc48a54b596d4bd4772bf58af7f5d46faa7e7571d6dd39b34ba1cfb6d02ce7376f17
default	xklhdlhjgrbftgmtv3zrwpax4m/10	1	1795878342034547		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01cd1bfc48887906edcafd8197ed9c08c386f2c8e4ef4ed71abc70b5364c24f8933908a0f9
default	xklhdlhjgrbftgmtv3zrwpax4m/11	1	1795878342034547		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01cd1bfc483f1f3c3b4cc30c0f1bbc4ceb8b1fd9278675f43c86863eaaeae21cc77a2d904a
default	xklhdlhjgrbftgmtv3zrwpax4m/0	2	1795878342041642		system	witness.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x	vm:/tmp/TestDatabasesOfEarlierVersionsOpen39511421/002/data.witness	\\x01cd1bfc48212b0d1cf1ae4f09ceff66f73706d894673926b67befeb54b99517a1faef4abb	\\x01cd1bfc48bedacf8f552fb6c3e2f323d8b2cdb9c9af5d01c50d2dab06ae23d7461daf6172
default	xklhdlhjgrbftgmtv3zrwpax4m/0	3	1795878342052503		system	signing_key.created	ok		f	1	0		\\x	\\x	signing-key/1	0	\\x	\\x	kid 9lKU8pe9QhPOA8ZLe0CJsAvcTfHlbsZh5uXqGXcxcQI	\\x01cd1bfc48bedacf8f552fb6c3e2f323d8b2cdb9c9af5d01c50d2dab06ae23d7461daf6172	\\x01cd1bfc481d6816f951a48071a8eb457c2e5fc8ced4c489bc0510dbb1f037c086f953cd2e
default	xklhdlhjgrbftgmtv3zrwpax4m/0	4	1795878342303745	agrcfmgnzvyk4lnpxfbgx4yrky	caller	key.issued	ok	generateClientEncryptionKey	f	1	210520	ol4cntc4uv6crx3q34brnrymwq	\\x0f7cae54ff01ebeec213aaad276c6471	\\x9ef0c5e78c1fefd1c9e91be1d61cc7c8	key/ol4cntc4uv6crx3q34brnrymwq	1	\\x	\\xb6ce7314190931296f8e0082c5956ff2c72d3d094373372da5cad01302edbef7		\\x01cd1bfc481d6816f951a48071a8eb457c2e5fc8ced4c489bc0510dbb1f037c086f953cd2e	\\x01cd1bfc487b875d23186cf4681fb4a29b8c577e5098aa4b8d7cb0a7f3d21dc20c39f7c509
default	xklhdlhjgrbftgmtv3zrwpax4m/0	5	1795878342319629	agrcfmgouwkx2zdxzboh2lrm24	caller	credential.set	ok	setUserPasscode	f	1	11458	ol4cntc4uv6crx3q34brnrymwq	\\x0f7cae54ff01ebeec213aaad276c6471	\\x9ef0c5e78c1fefd1c9e91be1d61cc7c8	credential/v7z75q32c6b4racolomyamqrqu	1	\\x	\\xa25d20320ab0ab244372e744e1ef5776363b90cdf0fc298b7ab34cf9c941a349		\\x01cd1bfc487b875d23186cf4681fb4a29b8c577e5098aa4b8d7cb0a7f3d21dc20c39f7c509	\\x01cd1bfc483255650e20e16bfa65c98b2698a927116d9d22a657a2970d18729890c93b5479
default	xklhdlhjgrbftgmtv3zrwpax4m/0	6	1795878342335256	agrcfmgowtc7ektdbiiovdgnvy	caller	credential.set	ok	setTransactionPin	f	1	11337	ol4cntc4uv6crx3q34brnrymwq	\\x0f7cae54ff01ebeec213aaad276c6471	\\x9ef0c5e78c1fefd1c9e91be1d61cc7c8	credential/o2ld7vdf6m6ra7gylc3wn6jq3u	1	\\x	\\xbd41c8c7504ad5ac55dbf1d48398afcb9b88035404baeb8c2032fc31e82afcb6		\\x01cd1bfc483255650e20e16bfa65c98b2698a927116d9d22a657a2970d18729890c93b5479	\\x01cd1bfc480ef5ef07b78974301276343cfd207b048e34978b4b763177f1dbd38291189ad3
default	xklhdlhjgrbftgmtv3zrwpax4m/0	7	1795878342501125	agrcfmgoy5vhei3qp57mfqu7fm	caller	key.rotated	ok		f	1	0	ol4cntc4uv6crx3q34brnrymwq	\\x0f7cae54ff01ebeec213aaad276c6471	\\x9ef0c5e78c1fefd1c9e91be1d61cc7c8	key/ol4cntc4uv6crx3q34brnrymwq	2	\\xb6ce7314190931296f8e0082c5956ff2c72d3d094373372da5cad01302edbef7	\\xb70ba23fcb690ad19f377a0feba34daa53144df1b617227578a31bbadc36a360		\\x01cd1bfc480ef5ef07b78974301276343cfd207b048e34978b4b763177f1dbd38291189ad3	\\x01cd1bfc48a79ed1e34fc0136981142af185d51b031d66598ca2b28432fd4dbf8c85ddbead
default	xklhdlhjgrbftgmtv3zrwpax4m/0	8	1795878342501125	agrcfmgoy5vhei3qp57mfqu7fm	caller	key.issued	ok	rotateClientEncryptionKey	f	1	160842	ghvlhev6zf5vjblvopa4ji7kee	\\x0f7cae54ff01ebeec213aaad276c6471	\\x9ef0c5e78c1fefd1c9e91be1d61cc7c8	key/ghvlhev6zf5vjblvopa4ji7kee	1	\\x	\\xa050260b8831141496d3d7c90c290a1366729e73361d391cb8727cd5d336941c		\\x01cd1bfc48a79ed1e34fc0136981142af185d51b031d66598ca2b28432fd4dbf8c85ddbead	\\x01cd1bfc4846b1de3c24c659694a2ba3d52cbe12dffb053d512a403e37305dc1e3a5620f63
default	xklhdlhjgrbftgmtv3zrwpax4m/0	10	1795878342592139		system	operations.counted	CREDENTIAL_REJECTED		f	1	3665		\\x	\\x		0	\\x	\\x	setTransactionPin	\\x01cd1bfc48188218dd039f918b36c387f010729542	\\x01cd1bfc484f137835fb65c868b2525351fdd216a55cac4c0e543f19652267102c546cd02e
default	xklhdlhjgrbftgmtv3zrwpax4m/0	11	1795878342615420		system	chain.tied	ok		f	1	0		\\x	\\x	chain/4vv7sxc7rjniyejwt6vo6h3kna	1	\\x	\\x01cd1bfc48366b73ab66309c204800080aa2aae77635a0c3fe7a6520605e0307e97c05b07c		\\x01cd1bfc484f137835fb65c868b2525351fdd216a55cac4c0e543f19652267102c546cd02e	\\x01cd1bfc48c3000c4339998c6cb0abc794759940e43e12ab103f349a9fc36fcf84e77f1beb
default	xklhdlhjgrbftgmtv3zrwpax4m/0	12	1795878342615420		system	chain.tied	ok		f	1	0		\\x	\\x	chain/xklhdlhjgrbftgmtv3zrwpax4m/1	1	\\x	\\x01cd1bfc48a1b1d84ac2c3180f938c7423ee4e46fb818af23df79d27d8d1c996a1f716982a		\\x01cd1bfc48c3000c4339998c6cb0abc794759940e43e12ab103f349a9fc36fcf84e77f1beb	\\x01cd1bfc482b3dcb8f71592b7235af7da5bb974705cadafd69e1386b52a52df77c5a4399ec
default	xklhdlhjgrbftgmtv3zrwpax4m/0	13	1795878342615420		system	chain.tied	ok		f	1	0		\\x	\\x	chain/xklhdlhjgrbftgmtv3zrwpax4m/10	1	\\x	\\x01cd1bfc48887906edcafd8197ed9c08c386f2c8e4ef4ed71abc70b5364c24f8933908a0f9		\\x01cd1bfc482b3dcb8f71592b7235af7da5bb974705cadafd69e1386b52a52df77c5a4399ec	\\x01cd1bfc48e24720fab32793fe7b40d550c168f45aae200f6804d7400987f71738a8ac301d
default	xklhdlhjgrbftgmtv3zrwpax4m/0	14	1795878342615420		system	chain.tied	ok		f	1	0		\\x	\\x	chain/xklhdlhjgrbftgmtv3zrwpax4m/11	1	\\x	\\x01cd1bfc483f1f3c3b4cc30c0f1bbc4ceb8b1fd9278675f43c86863eaaeae21cc77a2d904a		\\x01cd1bfc48e24720fab32793fe7b40d550c168f45aae200f6804d7400987f71738a8ac301d	\\x01cd1bfc4848d9332abad7c9b7a1cb024cb3f17c6d4cde6f92175c1c649b9d14aedb492991
default	xklhdlhjgrbftgmtv3zrwpax4m/0	15	1795878342615420		system	chain.tied	ok		f	1	0		\\x	\\x	chain/xklhdlhjgrbftgmtv3zrwpax4m/2	1	\\x	\\x01cd1bfc48a25d55452f7d0c0c039726e2456e85a569dcc80b5f34ca65be6ef616992bc031		\\x01cd1bfc4848d9332abad7c9b7a1cb024cb3f17c6d4cde6f92175c1c649b9d14aedb492991	\\x01cd1bfc48825c58cf1c0a638ac371da00981d87734f01db266da34dac6499bd6fdd0c5cc5
default	xklhdlhjgrbftgmtv3zrwpax4m/0	16	1795878342615420		system	chain.tied	ok		f	1	0		\\x	\\x	chain/xklhdlhjgrbftgmtv3zrwpax4m/3	1	\\x	\\x01cd1bfc4861a7ec4b22d6755a42b994dc19b9a2f7f339269cdda714b4c13cd20773f2be54		\\x01cd1bfc48825c58cf1c0a638ac371da00981d87734f01db266da34dac6499bd6fdd0c5cc5	\\x01cd1bfc48948daefe3e9ed77868ad403f62faa77f7f4344ecdbce83fc654ce6e88c90e127
default	xklhdlhjgrbftgmtv3zrwpax4m/0	17	1795878342615420		system	chain.tied	ok		f	1	0		\\x	\\x	chain/xklhdlhjgrbftgmtv3zrwpax4m/4	1	\\x	\\x01cd1bfc48e71f77e3ef87dc49d3ea996a534c251bc19fc115e25f44c5ad3f37ff4d31de57		\\x01cd1bfc48948daefe3e9ed77868ad403f62faa77f7f4344ecdbce83fc654ce6e88c90e127	\\x01cd1bfc485504d6000ee6de8ec350c9ef497a91ad2643c58f4ee3791925d062adbb2a01a8
default	xklhdlhjgrbftgmtv3zrwpax4m/0	18	1795878342615420		system	chain.tied	ok		f	1	0		\\x	\\x	chain/xklhdlhjgrbftgmtv3zrwpax4m/5	1	\\x	\\x01cd1bfc484fdd550b5a68637746d21d8d8afa59cd8f3a1290506facdd6a977258812efc51		\\x01cd1bfc485504d6000ee6de8ec350c9ef497a91ad2643c58f4ee3791925d062adbb2a01a8	\\x01cd1bfc48284ec8afbae3f5cc1206207f67e5efe9676f21841efac3eea6e805a1553fb5e2
default	xklhdlhjgrbftgmtv3zrwpax4m/0	19	1795878342615420		system	chain.tied	ok		f	1	0		\\x	\\x	chain/xklhdlhjgrbftgmtv3zrwpax4m/6	1	\\x	\\x01cd1bfc4873fb3ed8ae59f0a7f7316440bee4fc3c07e5b824ffbe8a14978e97fc8ae0c0aa		\\x01cd1bfc48284ec8afbae3f5cc1206207f67e5efe9676f21841efac3eea6e805a1553fb5e2	\\x01cd1bfc48520dbc8af60712f77e41ae9f8b3843c5da0115577fbb5f45664056e41a56a5e1
default	xklhdlhjgrbftgmtv3zrwpax4m/0	20	1795878342615420		system	chain.tied	ok		f	1	0		\\x	\\x	chain/xklhdlhjgrbftgmtv3zrwpax4m/7	1	\\x	\\x01cd1bfc482cbaf7745127bb087440b3fd0af66462a955030f1d7b5236284a69718960c9d6		\\x01cd1bfc48520dbc8af60712f77e41ae9f8b3843c5da0115577fbb5f45664056e41a56a5e1	\\x01cd1bfc481fb63ff25d6c2df247d22690fb0a3a12442c115a0fe21fbbc684022accf73307
default	xklhdlhjgrbftgmtv3zrwpax4m/0	21	1795878342615420		system	chain.tied	ok		f	1	0		\\x	\\x	chain/xklhdlhjgrbftgmtv3zrwpax4m/8	1	\\x	\\x01cd1bfc487c7f635e95793692ccf25629711db5802d6be218e972adbd2f764b9dd1958a9e		\\x01cd1bfc481fb63ff25d6c2df247d22690fb0a3a12442c115a0fe21fbbc684022accf73307	\\x01cd1bfc4806cc39d37cee7d2e4602854e71493d6da8ee69d936bb5584ddc57fa2c4ad5d61
default	xklhdlhjgrbftgmtv3zrwpax4m/0	22	1795878342615420		system	chain.tied	ok		f	1	0		\\x	\\x	chain/xklhdlhjgrbftgmtv3zrwpax4m/9	1	\\x	\\x01cd1bfc48a54b596d4bd4772bf58af7f5d46faa7e7571d6dd39b34ba1cfb6d02ce7376f17		\\x01cd1bfc4806cc39d37cee7d2e4602854e71493d6da8ee69d936bb5584ddc57fa2c4ad5d61	\\x01cd1bfc487db556d5282d8278c97ce3f1560e79a195a9b651136b9951b1d198888546ca62
default	xklhdlhjgrbftgmtv3zrwpax4m/0	23	1795878342837997	agrcfmgppofpbejbom4nqgg2kq	caller	key.issued	ok	generateClientEncryptionKey	f	1	315639	3rfahfd3cttpk4pftmtur3xmi4	\\x01bfcc6aaa384ac33ac05fddf7c97b1d	\\x4d48cca68ff5f2a07e1d5b0e3b468267	key/3rfahfd3cttpk4pftmtur3xmi4	1	\\x	\\x5079664b85e18a1f60ce4d6b9ec2dbca01ba97dc219f93818ca61de6fe386e0f		\\x01cd1bfc487db556d5282d8278c97ce3f1560e79a195a9b651136b9951b1d198888546ca62	\\x01cd1bfc486b71c66fafd61b38473d05323e8e3205cc7772b5a794e263c52cbe66ad6c1e01
default	xklhdlhjgrbftgmtv3zrwpax4m/0	24	1795878342858580	agrcfmgqxlvmaebgjmcpmln7wa	caller	credential.set	ok	setTransactionPin	f	1	16656	3rfahfd3cttpk4pftmtur3xmi4	\\x01bfcc6aaa384ac33ac05fddf7c97b1d	\\x4d48cca68ff5f2a07e1d5b0e3b468267	credential/l5czpsl2rd6icsbe73xyspdtfa	1	\\x	\\xd0eaa9383c43222dd7499fca9a3486f5b21f6e6f99af4496aeb8e50659080dd0		\\x01cd1bfc486b71c66fafd61b38473d05323e8e3205cc7772b5a794e263c52cbe66ad6c1e01	\\x01cd1bfc489afbdceba2eb7fbc78a6220801f199b3dc7ab30e80cbbc4733525323434a90be
\.


--
-- Data for Name: audit_verdict_2026_11; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.audit_verdict_2026_11 (chain, seq, second, micros, account, data, hash) FROM stdin;
337641473	9	849193542	520056	259829332	\\x01a222b0cf6c9b75b67cfe1823cef29031eab392bec97b54857573c1c4a3ea21ff01ebeec213aaad276c64719ef0c5e78c1fefd1c9e91be1d61cc7c865cb3f3d8c56907e8d382eaafcedc7480202915c0000087eb9cf606f4dfb2afeea71d357d25afb	\\x01cd1bfc48188218dd039f918b36c387f010729542
337641473	25	849193542	876033	29346922	\\x01a222b0d0cd5dfe846ec92971db2749dc4a03947b14e6f571e59b2748eeec47aa384ac33ac05fddf7c97b1d4d48cca68ff5f2a07e1d5b0e3b468267375d2be5b959519eb57812d98bb37dd51202ab75000008c2d9fdbfcc015a8395ebce816dd44927	\\x01cd1bfc488a5df133a88dbffeed318284a2bc6f61
337641473	26	849193542	890545	29346922	\\x01a222b0d0dfcdf8a18efc3759373dd1dc4a03947b14e6f571e59b2748eeec47aa384ac33ac05fddf7c97b1d4d48cca68ff5f2a07e1d5b0e3b468267375d2be5b959519eb57812d98bb37dd51204855600000895ebce816dd449277ef94a478a324d73	\\x01cd1bfc48fafa90d2545d8db73ab552173303cd53
337641473	27	849193542	903290	29346922	\\x01a222b0d0eda52fa7045017be063ee2dc4a03947b14e6f571e59b2748eeec47aa384ac33ac05fddf7c97b1d4d48cca68ff5f2a07e1d5b0e3b468267375d2be5b959519eb57812d98bb37dd51206b24f0000087ef94a478a324d73c2fceaa27c74affb	\\x01cd1bfc486f3d7f9f5309928edb5fdc537755dbc2
337641473	28	849193542	914511	29346922	\\x01a222b0d0f932076a75029e0583e5ebdc4a03947b14e6f571e59b2748eeec47aa384ac33ac05fddf7c97b1d4d48cca68ff5f2a07e1d5b0e3b468267375d2be5b959519eb57812d98bb37dd512088e49000008c2fceaa27c74affbf241416b0a4ba1c4	\\x01cd1bfc485ee629fbfad6b120cabfc51c940955f0
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
default	2419200000000	1795046400000000	xklhdlhjgrbftgmtv3zrwpax4m	12	1	787462	\\x014d48cca68ff5f2a09ef0c5e78c1fefd1	\\x015f010a0100010003000101010101190102010401
default	60000000	1795878300000000	xklhdlhjgrbftgmtv3zrwpax4m	12	1	787462	\\x014d48cca68ff5f2a09ef0c5e78c1fefd1	\\x015f010a0100010003000101010101190102010401
default	3600000000	1795878000000000	xklhdlhjgrbftgmtv3zrwpax4m	12	1	787462	\\x014d48cca68ff5f2a09ef0c5e78c1fefd1	\\x015f010a0100010003000101010101190102010401
default	86400000000	1795824000000000	xklhdlhjgrbftgmtv3zrwpax4m	12	1	787462	\\x014d48cca68ff5f2a09ef0c5e78c1fefd1	\\x015f010a0100010003000101010101190102010401
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
default	j5q3zuv5xadas3wxdjan4jxz7q	PASSCODE	v7z75q32c6b4racolomyamqrqu	1	1795878342319629	1795878342319629	\\x0101737dd54f236a6609ce22b75d44f93d7ed56f59e02e8746137d35d143e91888730bc086ccaf2a644a5f35bbe0adde2661141bd9d835b84cfe7448f060dac06b204a9a6d9c07bb1f65b438d1a7af936cdef3d7aa6786ebf3e706469afa661b1ea91b1f19b17fe0
default	j5q3zuv5xadas3wxdjan4jxz7q	TRANSACTION_PIN	o2ld7vdf6m6ra7gylc3wn6jq3u	1	1795878342335256	1795878342335256	\\x0101737dd54f5080f0227bddcae3ef8b407b1ca55f105dbab8c4961ac701c5d441ee06a8b96758f78975a12b34debd06532fb20ffe84efc0ac34155e15d90395ed328b7ddd97d11e6d5e6800b0999a3fc6ec205907583cfbb4c12deea631945e0086d9806197b639
default	gezgdcynq4saesedldvh7hbanu	TRANSACTION_PIN	l5czpsl2rd6icsbe73xyspdtfa	1	1795878342858580	1795878342858580	\\x0101737dd54f1e5c0a4c91cee7312f549e417fb739ac1059062634f20c399cf8bf3e7f60040d1f668b2c56b1ef4a3186f882d899e7c7417320465126369a068ed035825db30c21780388e8475ecaab880b35169c5b58d5df79cf4d523d665320a7eaec650fffb2de
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
default	j5q3zuv5xadas3wxdjan4jxz7q	ol4cntc4uv6crx3q34brnrymwq	phone	invalidated	2	RSA-OAEP-256	3072		1795878342303745	0	1795878342501125	0	\\x01cd1bfc483e78c8a7d8d275411ff7a39d6b5ba267f82cc74292b23f3cc60cc924d2985e6a	\\x308201a2300d06092a864886f70d01010105000382018f003082018a0282018100c4d01420e7b58d4f70a49566119a2162e20b8541a96d32d5b9d1d9d97fd0d88d48b3558e824da763d7f4f9d0510133b8f1a7bf5e10124d8862eb082b896177b2f1fd709e822a98df4355019db3d196f3bb95ff2521fe2787b41633a69e28deb9450b7ccc9ced5a66e5127d84538d3799aaedca1e002e91569b5f6c6929091f011dc7ea11c5312190072ddbde27d53f07bf7f97099a20e01060293dc29260e8989d17607695dfa41c8bf03c4f813fed6a43ee88450089708aa6cd8508853c498b0bd934d4148aa8809ef75322e5a62c4f8ffa7ce57ab48174b4854e204c2dd8f47333ca41fa97e8971b5a36693c3f46ea661d02145f82782938812a6aaa685c6636ebb58cffbce13b5a14ff0e0c213e3ce816015aca048b070a877c49395a61758268376b7740c7b1e31e11ab7ae68a8b14683f2c54ae417237fda2d4aa42196dd5f913c1d0d2d619c3f02aaa4e21b15896a7d43b9eed8a3249cc8503e44b7a94dae7b70f828357b24b5c4c1434480d230df5a315b53ce5a79140079086242a2f0203010001	\\x	
default	j5q3zuv5xadas3wxdjan4jxz7q	ghvlhev6zf5vjblvopa4ji7kee	phone	active	1	RSA-OAEP-256	3072		1795878342501125	0	0	0	\\x01cd1bfc483cca19c92ecd51fb46e05b7db92619df06955b4e027616a9c0dc6b8914355a95	\\x308201a2300d06092a864886f70d01010105000382018f003082018a0282018100b5a1477a5b995d85852a85a095aff14f3cbaf52a62966f8999dd684f4ea089964fd2a898fc5944c9a91f727d9763d272aa3923bf43a52da65b8606a85d705764d9e910f3362cff4e2e4815f9720a970e45c096120fb6be075cd6f8ef44bbc7431ea46572c1751d46b32cf91a9b416af042056b39c3517772a149f9c46c9d71994618e19e8e30f2f31755fec68f70528fa098fddf6c51117dcbd33274962186f8165453d4baefeaa3b0cc90a59ddef1424d81b997fee4b12656ab51de13f381d433e39127c1500b64003510be33a2c751f8d12edbd4db35cca5f4fedbf21a500e71b87e3889ee005b99968b6655da64b7100563de3549d4519008516756a635802687cc3f2e04b3c642542ce7c1490f350b2ad705946d7fcbcaa15c1fc29129ee9afa76657dc15adabfb6ec7a2675920450cf37cc694c53ebe5b15a1d49aa7197f3c5978ec64eef8c5ec2cc19d3489e9cbb36a1506d7c8d8efc578a1716b95b7f8ec69a468393eb4cd68b93256f8c0dc9ecd250e4f5033f312315b5a69c2cb8bf0203010001	\\x0101737dd54f3079609cd72835039956fe162d2132f0c0822b890b964b1d9ccef62bac7c78b0c372887c13678aa8ac89719cf8ae373c4d24adbad9e334af90fe57850fb0d15a8c47d0816f46cfb7faf23d1a661e68aa2776cbd5d7b15763510f0f3ce39f0772aed56123022f51955101c7e74b99bc56fef4c3f1517f86bc521b5483fc4dcaa874fdb2a4c24ded8bb3faebf0ddf9fdba08e428b95cb2079ec9e9dc9fee3fa09c4512a093ecbf1373f7d00236743d4118766a2048a61b9e86ddb8023b032e6d112be5bf80b8e020e017609973b4168b77aca8c82882c75289c3240231751c4eb412be51a7c9135b3689acabfa34da6fcc705bb1a8ac3cd1a92d77d63de77d3836d51ba11157016a22d827f13ad3b05a5960ff4e353723ed7c4e3a358a32cda747314a02758e35c363fbbfe4c81311e5b7b6c2621263c863b2e0e462f6d8b43a7dd2347414a1059e7d0054b8e4330022b475025b04b965a97f722cf9c84d9f994e299f9df4436b2d2c10a5d83ee3a04d0601fa675219a8f5e8994361a246c0fa796663103da722eb85ce6a26ea0314cfa7ef20d56b5870187fd9c715c2094103a0b5ff79014a94eacf13	
default	gezgdcynq4saesedldvh7hbanu	3rfahfd3cttpk4pftmtur3xmi4	tablet	active	1	RSA-OAEP-256	3072		1795878342837997	0	0	0	\\x01cd1bfc48932c9746206e7109eb0d5ac4b9ab4d8519fb81c4addef60fe47736360d87e4f3	\\x308201a2300d06092a864886f70d01010105000382018f003082018a0282018100a7423cf1ca8049280190d2a41419dd3e129dca7eb612140776c734f6fe35f9723bdf2d75f13a18d407dba3c73c1f48b88935b14e06ec47a6edd0e3563977ced551197c56267f9ac382c98d83bb8bae18563e43e3aebb5fc130d736ecedba654a8fab67dd6f2fbb8b484bd727838c0270cc880e328675eb1a7aa1c03bfbe201470f2b71bb670fd10b7dd8d5fe1a98a3c120f9bc93661ba79308c2668bb37dbbcde743f19677572893570faeaef0a92e4e197033b50bde3f911bcceefe9476dfa6b5ea90b3f53be5fa200165aa38d431ede80bf6e562610dbe6853958f27431f3c3fc721a551fbe956d5f9bd682b44a62d249c701ebf0525030a2d02c4a0fc6b76b3353b3549e484fc1f518eb27632dac7dc04aaf2baa49e6cdc4625f0344cb73a3360f0473f1a9270232e540e51d57056766ea044a2f8b6e469008ba80b96cb5e957876d0049975608216c81a7c4ca8c38c411e62b3e2bcaf39b57f206871745df41f740e61aa7ee67743482097a60fa9771280db789fa4584a6cf0eca15436890203010001	\\x0101737dd54fd0b34b2b8a73d447339c80a90a4b9555029c15d5f97eebf94d5e4dbeb2c229c71fd9401deb2feb9b4a3b1e1b3fe0e9de557233b5d83f6182750aa266dc53d86c0b1756547071280c967800b3a1998ce0636c285c6db50948a8fa757b0bdf594ff77067bd6207e4bea2107ca97571ebe9f15bf43e5575b6d96c90f6867a6c8b71417b59497f645dde6308e7eb69f00ea0eb15a37e754eb1644a53c73cea07dfc1ca616b83d2f1c1572e6eea011c62df15bcdba93736fc8169bbc336e306457d38d600e4d2384e18c1960eaacb4145e7e3b528f1bf02db75e7f279215cb7f483a2b8dc04724099cb8a6a84c480e6e50272d6c89a13adf633aa7cee2c08b7d0c8f72e5ecfa9661ece8b8a025cdc9b4fc01af43bdaafe5f027e7aff96e250fc40e1ef1f2624ac4d124d3e2cbfc2b9f6686684075b19eb9fc895b54d0c6715d396924c5b831492da85e9acd51c51a979bb7d2592d1d0d9148b8ddbc92c708c3957fa04ad552d071214aceb2e5ab116176b34bfdbf684efa95a8148b704d02b060572989f528f572bc7584a4481f0e0a0c542969d50151d9fcfc55b3ad9a4e55399256439563cf7a274fdafb	
\.


--
-- Data for Name: key_account; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.key_account (tenant, key_id, account_id) FROM stdin;
default	ol4cntc4uv6crx3q34brnrymwq	j5q3zuv5xadas3wxdjan4jxz7q
default	ghvlhev6zf5vjblvopa4ji7kee	j5q3zuv5xadas3wxdjan4jxz7q
default	3rfahfd3cttpk4pftmtur3xmi4	gezgdcynq4saesedldvh7hbanu
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
default	j5q3zuv5xadas3wxdjan4jxz7q	ol4cntc4uv6crx3q34brnrymwq	1795878000000000
default	j5q3zuv5xadas3wxdjan4jxz7q	ghvlhev6zf5vjblvopa4ji7kee	1795878000000000
default	gezgdcynq4saesedldvh7hbanu	3rfahfd3cttpk4pftmtur3xmi4	1795878000000000
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
4097083626	f	\N	\N	\N	2026-11-28 15:05:41.977938+00
\.


--
-- Data for Name: schema_version; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.schema_version (id, version_id, is_applied, tstamp) FROM stdin;
1	0	t	2026-11-28 15:05:41.8969
2	1	t	2026-11-28 15:05:41.936328
3	2	t	2026-11-28 15:05:41.950884
4	3	t	2026-11-28 15:05:41.96075
5	4	t	2026-11-28 15:05:41.960892
6	5	t	2026-11-28 15:05:41.964799
7	6	t	2026-11-28 15:05:41.965687
8	7	t	2026-11-28 15:05:41.967645
9	8	t	2026-11-28 15:05:41.968204
10	9	t	2026-11-28 15:05:41.969477
11	10	t	2026-11-28 15:05:41.970857
12	11	t	2026-11-28 15:05:41.97326
13	12	t	2026-11-28 15:05:41.974171
14	13	t	2026-11-28 15:05:41.974318
15	14	t	2026-11-28 15:05:41.97694
\.


--
-- Data for Name: setting; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.setting (tenant, name, value) FROM stdin;
default	epoch	\\x31
default	keyset	\\x7b226b6579736574223a7b2267656e65726174696f6e223a312c22646174614b657973223a5b7b226964223a313933373632363434372c226d6163223a333434313136333333362c227072696d617279223a747275657d5d2c227772617073223a5b7b22726f6f744b6579223a2266363435633934363162613332313434222c2275726c223a2266696c653a2f746d702f546573744461746162617365734f664561726c69657256657273696f6e734f70656e33393531313432312f3030322f646174612f726f6f742e6b6579222c2261646465644174223a22323032362d31312d32385431353a30353a34312e3939373131355a222c226b6579223a22365a764c4f694d63457a64514c4850784e42553246386134304c3861622b53465945394365495935656e2f3971365a6549364e79567676554172304a5155795531546371306a59447a5a554f5a69627a395674596464387168476f37634d6d51222c226b6579736574223a226564697a793868745745496654534334644f6d4f42316b51554b417872712b4e32714c766c5a73666165324c545a67792f464649315a784842764a4d55433755397845456b6d485239596373727573536e4e3272796c626a43524e64416931617267314e474841444736746758677156644266517a62386f665553577731546e556d6868584d64574e4d314c413737634969493063316f4757492b64484f6d34437176302b707362476c482f5559417a45643953334375516d5a49382b724a3064684f4d7949727163514845666233364f626651616a6168517a454141724a43534c5a6839785a684b524254657a3244547769746f2b6272707971437a7a684f646751746e55547a64354e6a6d57513962792b464573524232564c716c6a453343336a48676f6f35626d68685161643333327a36554a54437242754d5046676739563575416467484a4746595631556a2b545153342b58365a4333396d39732b46447670566e4c49227d5d7d2c226d6163223a22416330622f456756593071515336464a383644645079517238506b59415965775464426347767641426a794a3430646d4a413d3d227d
default	account_mode	\\x646576696365
default	audit_chain	\\x3476763773786337726a6e6979656a777436766f3668336b6e61
default	witness/4485cc87b1d4f2fdddc6060eada396e4	\\x0006615782a3202a
default	metrics.folded/xklhdlhjgrbftgmtv3zrwpax4m/1	\\x0000000000000001
default	metrics.folded/xklhdlhjgrbftgmtv3zrwpax4m/2	\\x0000000000000001
default	metrics.folded/xklhdlhjgrbftgmtv3zrwpax4m/3	\\x0000000000000001
default	metrics.folded/xklhdlhjgrbftgmtv3zrwpax4m/4	\\x0000000000000001
default	metrics.folded/xklhdlhjgrbftgmtv3zrwpax4m/5	\\x0000000000000001
default	metrics.folded/xklhdlhjgrbftgmtv3zrwpax4m/6	\\x0000000000000001
default	metrics.folded/xklhdlhjgrbftgmtv3zrwpax4m/7	\\x0000000000000001
default	metrics.folded/xklhdlhjgrbftgmtv3zrwpax4m/8	\\x0000000000000001
default	metrics.folded/xklhdlhjgrbftgmtv3zrwpax4m/9	\\x0000000000000001
default	metrics.folded/xklhdlhjgrbftgmtv3zrwpax4m/10	\\x0000000000000001
default	metrics.folded/xklhdlhjgrbftgmtv3zrwpax4m/11	\\x0000000000000001
default	audit_tied	\\x0006615782abe17c01cd1bfc484e4523356179db5bb1977051f4844aa072f3a8801ed6d9ea409e47c8ae0003fb
default	metrics.folded/xklhdlhjgrbftgmtv3zrwpax4m/0	\\x000000000000001c
default	beat/xklhdlhjgrbftgmtv3zrwpax4m	\\x2501cd1bfc48a168dcd5718d76627305fcb6b8c1ae548a5f3a1fd64ae053c774a3f224f65aba7b22696e7374616e6365223a22786b6c68646c686a6772626674676d7476337a7277706178346d222c226e756d626572223a322c226174223a313739353837383334323932343832332c22636f6e646974696f6e223a22656e646564222c226865616473223a7b2230223a32382c2231223a312c223130223a312c223131223a312c2232223a312c2233223a312c2234223a312c2235223a312c2236223a312c2237223a312c2238223a312c2239223a317d2c2272656164223a6e756c6c7d
\.


--
-- Data for Name: signing_key; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.signing_key (tenant, number, id, algorithm, version, created_at, active_from, erased_at, mac, public_key, sealed) FROM stdin;
default	1	9lKU8pe9QhPOA8ZLe0CJsAvcTfHlbsZh5uXqGXcxcQI	ES256	1	1795878342052503	1795878342052503	0	\\x01cd1bfc4807b65bd3dcd384f884c01b64a2eec7c54a3937733609d968a589956f257660c4	\\x3059301306072a8648ce3d020106082a8648ce3d030107034200049ff215239238a5f6bfd9e2291ff4ed0ee0ae48b8b920c5a3e6387a3dc5b71a2cc6aa738db62dfaf629f49ec1413e23fd487dffeb43f9ebd31a36e2e6187b2394	\\x0101737dd54fa22ef578d147bd60ba16bf82d4dd731a21558a76370b5c392af339f3eadc69670c5f12a70c1ad4acc0c25f2e2242d19ddb15dddad3713361da558f8c3248190609850d7e2a47b7c22c5d150cfaeed3bc715cc75c6cebc185ec606e3ffe10bf14c2a3d3f30fa67bbdfeefa39d2219ba8a57391fef0ff5ce9efcec86078f202a57a2619338c60b8bf8a726f3e4349279541a324088d18e7c86790030b02696ac250ec35f1aba83c4918eec3965a81054c0efde
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

\unrestrict CAnpYxwWdOQo5qh0J0RZPnL9APssHayMDpugBX3tYFLJ2Hf6So4KgsTzIfgSji2

