--
-- PostgreSQL database dump
--

\restrict i0QPzcI1UGJeX5GeTeW8k0plVi9gSGjv5fev4hNkfIfDd5oXiTRAd55VYInbXMN

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
    sealed bytea NOT NULL
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
-- Data for Name: account; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.account (tenant, id, mode, issuer, subject, created_at) FROM stdin;
default	ypiksi46sgne5frkixvauvrw74	device		phone	1795487086391617
default	ysnnpdoi7tsrcuxx6qmx5pnkta	device		tablet	1795487087120942
\.


--
-- Data for Name: attempts; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.attempts (tenant, account_id, type, id, version, failures, locked_until, permanent, recent, pending, mac, verified_at, verified_by, devices, locked_to) FROM stdin;
default	ypiksi46sgne5frkixvauvrw74	TRANSACTION_PIN	vaqtb6m23wstst7xz755lx72wy	2	0	0	f	[]	[]	\\x01daa52536352500176569888fb65772ea4677454dbe47d9d8e3ff9f5a7693d09715a72eea	1795487086682922		[]	0
default	ysnnpdoi7tsrcuxx6qmx5pnkta	TRANSACTION_PIN	lswzepv6tgjduotbn6xb2xdlfy	8	4	0	f	[1795487087139465,1795487087148873,1795487087159786,1795487087169011]	[]	\\x01daa52536e45bfb7413be9ff39c7c6a71ef6df92a4660d2f00a2eee2fe2b4c34012631a3f	0		[]	0
\.


--
-- Data for Name: audit_log; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.audit_log (tenant, chain, seq, "time", request_id, actor, event, outcome, operation, failed, count, duration, key_id, account, device, record, version, before, digest, reason, prev, hash) FROM stdin;
default	eiz4kt6u6e6ifnic3svgx3ha5u	1	1795487086133462		system	store.initialised	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01daa5253663c18e2374ec0a4c5addee76d60e8c70e56aa8750c1141645da3588289c8a731
default	r6cu3bqpwt2q4vj5tctowkttfq/0	1	1795487086139917		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01daa5253642b924bca4d77eaf722bafcc48a46fd9b9f78203e651374b05845552a5337ccf
default	r6cu3bqpwt2q4vj5tctowkttfq/1	1	1795487086139917		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01daa525365b95ca24610c69707f1c03fe19a4c4d11b78d3fa5de704c919fd8b42544d17c3
default	r6cu3bqpwt2q4vj5tctowkttfq/2	1	1795487086139917		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01daa52536a4d6c72c53bc284e59c6ad9d3d6a7dacea6fb98081cfc71661e139aa868cf66d
default	r6cu3bqpwt2q4vj5tctowkttfq/3	1	1795487086139917		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01daa52536b0ba62e6554c5631c44818f9bfac4e1030268c999aa80e51e58b4072de5d30f6
default	r6cu3bqpwt2q4vj5tctowkttfq/4	1	1795487086139917		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01daa52536536736331418ffa54d41f69d27711f6be0cdd9aee7d48887888e0aaefa7a73c6
default	r6cu3bqpwt2q4vj5tctowkttfq/5	1	1795487086139917		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01daa52536cba4df11cb8d4f59fc41d1fc78d38e9031359382e4abbac972c7f9b83abe5d80
default	r6cu3bqpwt2q4vj5tctowkttfq/6	1	1795487086139917		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01daa5253685c170e28839373d01327d73d6e508907a07d3550c89edd75e949f16eb88e9a6
default	r6cu3bqpwt2q4vj5tctowkttfq/7	1	1795487086139917		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01daa525368f7a1ac9d649ea77c449fd17cd062d35e6cd0f8ae2a17c64fd4660d404785654
default	r6cu3bqpwt2q4vj5tctowkttfq/8	1	1795487086139917		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01daa52536ab30cd9e1a903ab61ef0b4a0b6de5df448b29be3fd3e3634fbbf6f0ef42322f7
default	r6cu3bqpwt2q4vj5tctowkttfq/9	1	1795487086139917		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01daa525365c58405d24f5c1b438f8755c1e6b00e69730a5aee0dd439eef1d6564bb818860
default	r6cu3bqpwt2q4vj5tctowkttfq/10	1	1795487086139917		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01daa525360c41dd78b862eb7dc6277df3dc15efebae99da20bd2fba9094ecb8f847ff9568
default	r6cu3bqpwt2q4vj5tctowkttfq/11	1	1795487086139917		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01daa525366ba3bb576e778797a50384589e401348d62afa45a7de4611e7a3410f203ea43e
default	r6cu3bqpwt2q4vj5tctowkttfq/0	2	1795487086141550		system	witness.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x	vm:/tmp/TestDatabasesOfEarlierVersionsOpen562885155/002/data.witness	\\x01daa5253642b924bca4d77eaf722bafcc48a46fd9b9f78203e651374b05845552a5337ccf	\\x01daa525364b4d550ffc512f83895fcd1b79649e560d162609cad5a7e8948248583c8725c5
default	r6cu3bqpwt2q4vj5tctowkttfq/0	3	1795487086391617	agrawxvwlbmbhbpbyxmhf5hpde	caller	key.issued	ok	generateClientEncryptionKey	f	1	223906	lvzxhlxfecugumscoi77ruvezq	\\x33b0ed00227e3bb49ffd834f751cd1c7	\\xb47f726792ca5662431e0610393b7250	key/lvzxhlxfecugumscoi77ruvezq	1	\\x	\\x3c49f0141f82d7719dff48cab89145e67ab56bac4615a0fdfbaa20190681f761		\\x01daa525364b4d550ffc512f83895fcd1b79649e560d162609cad5a7e8948248583c8725c5	\\x01daa5253618c20f3caeed66740cae4150a843f3dc2bf64cd19f4b9801e8e014e9729f1756
default	r6cu3bqpwt2q4vj5tctowkttfq/0	4	1795487086437461	agrawxvxhitsxi5us4asrusaju	caller	credential.set	ok	setUserPasscode	f	1	43355	lvzxhlxfecugumscoi77ruvezq	\\x33b0ed00227e3bb49ffd834f751cd1c7	\\xb47f726792ca5662431e0610393b7250	credential/xitp5bpglrqwqsxma2cyavbmqm	1	\\x	\\x5946ef670310e24e3282fbfad1efd68db8716289c3fdb3addcb6a42a83ae9e13		\\x01daa5253618c20f3caeed66740cae4150a843f3dc2bf64cd19f4b9801e8e014e9729f1756	\\x01daa5253662ef7cfd8f90650a630476d08f49ca2a2f3e9db5327c057a0476f30cc3a218eb
default	r6cu3bqpwt2q4vj5tctowkttfq/0	5	1795487086446963	agrawxvxndw2g4ku6qu6mv2yii	caller	credential.set	ok	setTransactionPin	f	1	6755	lvzxhlxfecugumscoi77ruvezq	\\x33b0ed00227e3bb49ffd834f751cd1c7	\\xb47f726792ca5662431e0610393b7250	credential/w22ef7phwalek7s3x5ushuymeu	1	\\x	\\x8432ca33a063aa9b879811e3dca0d53e9e8afced2404933e013cebf20fc0dc47		\\x01daa5253662ef7cfd8f90650a630476d08f49ca2a2f3e9db5327c057a0476f30cc3a218eb	\\x01daa52536178a260586172bc867906a47ee6bc531617f659418d11d829417f10577273f3d
default	r6cu3bqpwt2q4vj5tctowkttfq/1	2	1795487086669990		system	operations.counted	CREDENTIAL_REJECTED		f	1	2518		\\x	\\x		0	\\x	\\x	setTransactionPin	\\x01daa525365b95ca24610c69707f1c03fe19a4c4d11b78d3fa5de704c919fd8b42544d17c3	\\x01daa5253612b0aaea069a23219ce55a91e3281013faa5409a72dc2daadf7a70f12e8e610e
default	r6cu3bqpwt2q4vj5tctowkttfq/0	6	1795487086670126	agrawxvxopx5vqdcpkvx4inlwu	caller	key.rotated	ok		f	1	0	lvzxhlxfecugumscoi77ruvezq	\\x33b0ed00227e3bb49ffd834f751cd1c7	\\xb47f726792ca5662431e0610393b7250	key/lvzxhlxfecugumscoi77ruvezq	2	\\x3c49f0141f82d7719dff48cab89145e67ab56bac4615a0fdfbaa20190681f761	\\xc4ed090c2a0fa63759ab955a3dca0f2e50835783431e1c407ece715f52e4a7c9		\\x01daa52536178a260586172bc867906a47ee6bc531617f659418d11d829417f10577273f3d	\\x01daa52536d39dc0531d18ecfbb93127289c80153fa238e3505b0e5c23d525d28e90a74bea
default	r6cu3bqpwt2q4vj5tctowkttfq/0	7	1795487086670126	agrawxvxopx5vqdcpkvx4inlwu	caller	key.issued	ok	rotateClientEncryptionKey	f	1	219666	smbvdyvwtmlrk5vazteeiais2u	\\x33b0ed00227e3bb49ffd834f751cd1c7	\\xb47f726792ca5662431e0610393b7250	key/smbvdyvwtmlrk5vazteeiais2u	1	\\x	\\x130f628f805b297704f7058a06764a8e857fb8a6a1f71dc8e458682c2b0d5627		\\x01daa52536d39dc0531d18ecfbb93127289c80153fa238e3505b0e5c23d525d28e90a74bea	\\x01daa52536aa5818d63c55a75b5e8e7ba18c4e99c5dfe261f0edbaf4ba582379b3b27e18e5
default	r6cu3bqpwt2q4vj5tctowkttfq/0	8	1795487086682922	agrawxvyke4znmpryuefs5znnq	caller	credential.verified	ok	verifyTransactionPin	f	1	9219	smbvdyvwtmlrk5vazteeiais2u	\\x33b0ed00227e3bb49ffd834f751cd1c7	\\xb47f726792ca5662431e0610393b7250	attempts/vaqtb6m23wstst7xz755lx72wy	2	\\x8e8c09bb44df826637be7a11e044b7967dd9917be58316e942bcb7d47749533c	\\x53711066bbd4a90a9182eeba9cbd1671876a0bd4c9896b3e2411ef3834df882f		\\x01daa52536aa5818d63c55a75b5e8e7ba18c4e99c5dfe261f0edbaf4ba582379b3b27e18e5	\\x01daa52536f32f513d4a1efe0e60bdca66ae44670ff0bb467a63b6c4c79fd5f9bd151f4e53
default	r6cu3bqpwt2q4vj5tctowkttfq/0	9	1795487086686520		system	chain.tied	ok		f	1	0		\\x	\\x	chain/eiz4kt6u6e6ifnic3svgx3ha5u	1	\\x	\\x01daa5253663c18e2374ec0a4c5addee76d60e8c70e56aa8750c1141645da3588289c8a731		\\x01daa52536f32f513d4a1efe0e60bdca66ae44670ff0bb467a63b6c4c79fd5f9bd151f4e53	\\x01daa525363214d9eb3568d425e203d26fa37a8a43ca797d03d8583177f7689b6d31a43579
default	r6cu3bqpwt2q4vj5tctowkttfq/0	10	1795487086686520		system	chain.tied	ok		f	1	0		\\x	\\x	chain/r6cu3bqpwt2q4vj5tctowkttfq/1	2	\\x	\\x01daa5253612b0aaea069a23219ce55a91e3281013faa5409a72dc2daadf7a70f12e8e610e		\\x01daa525363214d9eb3568d425e203d26fa37a8a43ca797d03d8583177f7689b6d31a43579	\\x01daa52536891bbc8f800ce7a482645d3d1e35e3b9fd4623ce6a82f25a8c29126ba2c9567f
default	r6cu3bqpwt2q4vj5tctowkttfq/0	11	1795487086686520		system	chain.tied	ok		f	1	0		\\x	\\x	chain/r6cu3bqpwt2q4vj5tctowkttfq/10	1	\\x	\\x01daa525360c41dd78b862eb7dc6277df3dc15efebae99da20bd2fba9094ecb8f847ff9568		\\x01daa52536891bbc8f800ce7a482645d3d1e35e3b9fd4623ce6a82f25a8c29126ba2c9567f	\\x01daa52536e2ae21deab329c239cfb3e4136dda78d9cb6f5981484145b59e43aa92a1425c6
default	r6cu3bqpwt2q4vj5tctowkttfq/0	12	1795487086686520		system	chain.tied	ok		f	1	0		\\x	\\x	chain/r6cu3bqpwt2q4vj5tctowkttfq/11	1	\\x	\\x01daa525366ba3bb576e778797a50384589e401348d62afa45a7de4611e7a3410f203ea43e		\\x01daa52536e2ae21deab329c239cfb3e4136dda78d9cb6f5981484145b59e43aa92a1425c6	\\x01daa52536f9f99bf47e287ee641d169988de1293110ae5d80c33cd459c60e663113cc8873
default	r6cu3bqpwt2q4vj5tctowkttfq/0	13	1795487086686520		system	chain.tied	ok		f	1	0		\\x	\\x	chain/r6cu3bqpwt2q4vj5tctowkttfq/2	1	\\x	\\x01daa52536a4d6c72c53bc284e59c6ad9d3d6a7dacea6fb98081cfc71661e139aa868cf66d		\\x01daa52536f9f99bf47e287ee641d169988de1293110ae5d80c33cd459c60e663113cc8873	\\x01daa52536b0adcf2bcde7c927954e8adaa6d2666fbaebc31c022966bd54800b1c5fa56cb1
default	r6cu3bqpwt2q4vj5tctowkttfq/0	14	1795487086686520		system	chain.tied	ok		f	1	0		\\x	\\x	chain/r6cu3bqpwt2q4vj5tctowkttfq/3	1	\\x	\\x01daa52536b0ba62e6554c5631c44818f9bfac4e1030268c999aa80e51e58b4072de5d30f6		\\x01daa52536b0adcf2bcde7c927954e8adaa6d2666fbaebc31c022966bd54800b1c5fa56cb1	\\x01daa525365039bd873114f0dc78ca77730bb0f93aea7b401766dc19aac81367ee3920cf8a
default	r6cu3bqpwt2q4vj5tctowkttfq/0	15	1795487086686520		system	chain.tied	ok		f	1	0		\\x	\\x	chain/r6cu3bqpwt2q4vj5tctowkttfq/4	1	\\x	\\x01daa52536536736331418ffa54d41f69d27711f6be0cdd9aee7d48887888e0aaefa7a73c6		\\x01daa525365039bd873114f0dc78ca77730bb0f93aea7b401766dc19aac81367ee3920cf8a	\\x01daa52536ee55a61a79545383a1afa4b52d613be112ba30e4958ffde262abf08a45960815
default	r6cu3bqpwt2q4vj5tctowkttfq/0	16	1795487086686520		system	chain.tied	ok		f	1	0		\\x	\\x	chain/r6cu3bqpwt2q4vj5tctowkttfq/5	1	\\x	\\x01daa52536cba4df11cb8d4f59fc41d1fc78d38e9031359382e4abbac972c7f9b83abe5d80		\\x01daa52536ee55a61a79545383a1afa4b52d613be112ba30e4958ffde262abf08a45960815	\\x01daa52536b6be776ad0213e7c0e81cf3ce933c9c573b2ce851b7bca59617415a56a2632b3
default	r6cu3bqpwt2q4vj5tctowkttfq/0	17	1795487086686520		system	chain.tied	ok		f	1	0		\\x	\\x	chain/r6cu3bqpwt2q4vj5tctowkttfq/6	1	\\x	\\x01daa5253685c170e28839373d01327d73d6e508907a07d3550c89edd75e949f16eb88e9a6		\\x01daa52536b6be776ad0213e7c0e81cf3ce933c9c573b2ce851b7bca59617415a56a2632b3	\\x01daa525369f05dd2b515499cf97d0cc37a811d122c8baa1c4cddc98882ef9a555a622d24b
default	r6cu3bqpwt2q4vj5tctowkttfq/0	18	1795487086686520		system	chain.tied	ok		f	1	0		\\x	\\x	chain/r6cu3bqpwt2q4vj5tctowkttfq/7	1	\\x	\\x01daa525368f7a1ac9d649ea77c449fd17cd062d35e6cd0f8ae2a17c64fd4660d404785654		\\x01daa525369f05dd2b515499cf97d0cc37a811d122c8baa1c4cddc98882ef9a555a622d24b	\\x01daa525362af85c715ff21e47d7c803e68eca93d2a86a958300a3df6af636ead99babca47
default	r6cu3bqpwt2q4vj5tctowkttfq/0	19	1795487086686520		system	chain.tied	ok		f	1	0		\\x	\\x	chain/r6cu3bqpwt2q4vj5tctowkttfq/8	1	\\x	\\x01daa52536ab30cd9e1a903ab61ef0b4a0b6de5df448b29be3fd3e3634fbbf6f0ef42322f7		\\x01daa525362af85c715ff21e47d7c803e68eca93d2a86a958300a3df6af636ead99babca47	\\x01daa52536d26155343878680038929d253bbada8050d54ac80628262356c107a38fb05be9
default	r6cu3bqpwt2q4vj5tctowkttfq/0	20	1795487086686520		system	chain.tied	ok		f	1	0		\\x	\\x	chain/r6cu3bqpwt2q4vj5tctowkttfq/9	1	\\x	\\x01daa525365c58405d24f5c1b438f8755c1e6b00e69730a5aee0dd439eef1d6564bb818860		\\x01daa52536d26155343878680038929d253bbada8050d54ac80628262356c107a38fb05be9	\\x01daa525360236355e1277271fb1e1bd80be85a39b25ca5d726c318131073412b144897455
default	r6cu3bqpwt2q4vj5tctowkttfq/0	21	1795487087120942	agrawxvylxabohpugl6nsezxt4	caller	key.issued	ok	generateClientEncryptionKey	f	1	436592	lkihfno24iplimebnzls6v5t5u	\\x23b468bada3ddcb405e0efc032137555	\\x734a99000b3de675901fe9933de08bef	key/lkihfno24iplimebnzls6v5t5u	1	\\x	\\x3ad3b3744303115fc9fe302dc674b383ca726d2eac174d94a4ed51d455742741		\\x01daa525360236355e1277271fb1e1bd80be85a39b25ca5d726c318131073412b144897455	\\x01daa52536ceda6a47367525c50a7cefa3887b28df9303a0344d50514ceb6a9708f3910e3e
default	r6cu3bqpwt2q4vj5tctowkttfq/0	22	1795487087130361	agrawxv2cocgptcjfj2mpvx4ly	caller	credential.set	ok	setTransactionPin	f	1	6893	lkihfno24iplimebnzls6v5t5u	\\x23b468bada3ddcb405e0efc032137555	\\x734a99000b3de675901fe9933de08bef	credential/pfkic7vfuqhx5skixd5kcdgpxe	1	\\x	\\x00af22433530b1db6623324bee1d41601dd27b7e258ec36c5c7988ff9b3cca9f		\\x01daa52536ceda6a47367525c50a7cefa3887b28df9303a0344d50514ceb6a9708f3910e3e	\\x01daa5253695e90fe34882db7366babd0e58da0c81eb788632016b9708a511e09b0806947b
default	r6cu3bqpwt2q4vj5tctowkttfq/0	23	1795487087139465	agrawxv2drtq447p4no6bvvdgm	caller	credential.mismatch	mismatch	verifyTransactionPin	f	1	7332	lkihfno24iplimebnzls6v5t5u	\\x23b468bada3ddcb405e0efc032137555	\\x734a99000b3de675901fe9933de08bef	attempts/lswzepv6tgjduotbn6xb2xdlfy	2	\\x7de408e0d031cc819061bbfe1c438d13199f88278bcc9b966c826a01f941946a	\\xc4f7a38f02806e9bdb5db7e94c678706a3331262a2d91b9239280424096b3492		\\x01daa5253695e90fe34882db7366babd0e58da0c81eb788632016b9708a511e09b0806947b	\\x01daa525368c2e031e309f975e9ec1c034cfba3011505720a8eaf176dfd42d910ddf713fee
default	r6cu3bqpwt2q4vj5tctowkttfq/0	24	1795487087148873	agrawxv2exdaowek5ldwt2u3eq	caller	credential.mismatch	mismatch	verifyTransactionPin	f	1	7673	lkihfno24iplimebnzls6v5t5u	\\x23b468bada3ddcb405e0efc032137555	\\x734a99000b3de675901fe9933de08bef	attempts/lswzepv6tgjduotbn6xb2xdlfy	4	\\xc4f7a38f02806e9bdb5db7e94c678706a3331262a2d91b9239280424096b3492	\\xe6ef3232b5353ee668975ac0e557737d1562d71215d7a8e3c5a7f8122671f089		\\x01daa525368c2e031e309f975e9ec1c034cfba3011505720a8eaf176dfd42d910ddf713fee	\\x01daa52536febdd0694e26954969e995a16f3ec86ee91662684265febceadcebf74831fe48
default	r6cu3bqpwt2q4vj5tctowkttfq/0	25	1795487087159786	agrawxv2gdwqnoprwlut5w5zcq	caller	credential.mismatch	mismatch	verifyTransactionPin	f	1	7746	lkihfno24iplimebnzls6v5t5u	\\x23b468bada3ddcb405e0efc032137555	\\x734a99000b3de675901fe9933de08bef	attempts/lswzepv6tgjduotbn6xb2xdlfy	6	\\xe6ef3232b5353ee668975ac0e557737d1562d71215d7a8e3c5a7f8122671f089	\\xf91b6795cc5aa445d39793e23f6307b1ecb103470bf136217cdb42347fb9173c		\\x01daa52536febdd0694e26954969e995a16f3ec86ee91662684265febceadcebf74831fe48	\\x01daa525367191c4122ab552f532a20a9092e2915ed9a5af361a6f0db3a1a946f0868a1d79
default	r6cu3bqpwt2q4vj5tctowkttfq/0	26	1795487087169011	agrawxv2hh6wa5yiy5cck3gk6u	caller	credential.mismatch	mismatch	verifyTransactionPin	f	1	7607	lkihfno24iplimebnzls6v5t5u	\\x23b468bada3ddcb405e0efc032137555	\\x734a99000b3de675901fe9933de08bef	attempts/lswzepv6tgjduotbn6xb2xdlfy	8	\\xf91b6795cc5aa445d39793e23f6307b1ecb103470bf136217cdb42347fb9173c	\\xb510f7714454b5b88d201b445f7608369e6ebb18b8525f57d88bc9466062957d		\\x01daa525367191c4122ab552f532a20a9092e2915ed9a5af361a6f0db3a1a946f0868a1d79	\\x01daa52536002b0af6880c0cd26794ea2991e169866a46ec86b74bcb2fe979ceef18f9139e
\.


--
-- Data for Name: bucket; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.bucket (tenant, width, start, instance, operations, failures, duration, devices, durations) FROM stdin;
default	3600000000	1795485600000000	r6cu3bqpwt2q4vj5tctowkttfq	12	1	979262	\\x01734a99000b3de675b47f726792ca5662	\\x015b010a010002000301011101110100010601
default	86400000000	1795478400000000	r6cu3bqpwt2q4vj5tctowkttfq	12	1	979262	\\x01734a99000b3de675b47f726792ca5662	\\x015b010a010002000301011101110100010601
default	2419200000000	1795046400000000	r6cu3bqpwt2q4vj5tctowkttfq	12	1	979262	\\x01734a99000b3de675b47f726792ca5662	\\x015b010a010002000301011101110100010601
default	60000000	1795487040000000	r6cu3bqpwt2q4vj5tctowkttfq	12	1	979262	\\x01734a99000b3de675b47f726792ca5662	\\x015b010a010002000301011101110100010601
\.


--
-- Data for Name: ciphertext; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.ciphertext (tenant, account_id, key_id, digest) FROM stdin;
\.


--
-- Data for Name: credential; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.credential (tenant, account_id, type, id, version, created_at, updated_at, sealed) FROM stdin;
default	ypiksi46sgne5frkixvauvrw74	PASSCODE	xitp5bpglrqwqsxma2cyavbmqm	1	1795487086437461	1795487086437461	\\x0101316730bcaddc30243fb29d5bc3505faeffd9f726b03b697d0b9586d05147a73a5bcb98436e2883297c5f4d868c2a90a38b23358a7229fd8f0a3d2fd16af88b576ba02bd7a5a321a653c19ee8ac7400f108f949b9f43619e3ce896f285b7161c44b93b95d1f25
default	ypiksi46sgne5frkixvauvrw74	TRANSACTION_PIN	w22ef7phwalek7s3x5ushuymeu	1	1795487086446963	1795487086446963	\\x0101316730bcfd0a40df80b996adeddf3d50560c4c18571e13ff95261610183312e64504e26cedc53b96c3c15bbebaa4c4b9093e8a906ca9c9cb1b34a3935f1ddd4daa26ae2d13382c433239bd9c23719f9d581bafa704e4bfcf7dd72174b76e11093eaaf9f5b383
default	ysnnpdoi7tsrcuxx6qmx5pnkta	TRANSACTION_PIN	pfkic7vfuqhx5skixd5kcdgpxe	1	1795487087130361	1795487087130361	\\x0101316730bcd6758dc113613b313fe0506b34b49dae1e95eb92261b8aa4528a59a43508cc788ea11963125a9f3e77f1a10c44a81aa6fd5a19f3cfe3816dd05c7af71f4c387685a7523440f6df9ee60262ffc78b0a089fae829d91088c7ecc93eb3a3aea0300aba9
\.


--
-- Data for Name: credential_previous; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.credential_previous (tenant, account_id, type, version, id, created_at, updated_at, sealed) FROM stdin;
\.


--
-- Data for Name: device_key; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.device_key (tenant, account_id, id, device_id, state, version, algorithm, bits, app_version, created_at, expires_at, ended_at, grace_until, mac, public_key, sealed) FROM stdin;
default	ypiksi46sgne5frkixvauvrw74	lvzxhlxfecugumscoi77ruvezq	phone	invalidated	2	RSA-OAEP-256	3072		1795487086391617	0	1795487086670126	0	\\x01daa52536eeb6c1c25b2cf77beebc0d6738128c48cad9f04aff27828796d1d98c9d42a98c	\\x308201a2300d06092a864886f70d01010105000382018f003082018a0282018100bc7450db8de0be3b99b44fcc9ae5c756a9f092a41e1cdfad2fe1b8086e3c4b7ffe34e5d458c93c11eec02e295b3eaf7ed4a47407dea37e81fd815061b1856b4c7e3544cdea234075bb5e66e13c25d3d72b40c537e0ebc287334cb699bc7eabc5990eb6ea0449506b7d901b53eac0f433d7332a5e47700ef60fb422a14e9a77317752ede485c4692deb029b9531b52386519fcf3ad2f93ec27ea1247fa967a46c59c24b962fcd95de37c7748e9041f5dd09a3fea24f507e3c04e89c26a5bddb1f77b9eed0e2b43d5b8d8276a7cd3b315dbadb947299abc321f5aeeb20449baac548c2253dcc2810ea39032017e6acc19216d47989d34fa60b36baa8cce0557fcf793427a3d008ed33203656cb0ff23a30757e3bb3fe32c397fd47cc88621ad356043e92d94ad6110c14da8b4542ad3415b7986055f29ad487b81731675f7834de75014ded5b9ecebd9b55e10423dc8a6051f3bc5c9a70821c9cf6233e60bcd5f823c3887308dbb18098889cb1f777eb885173ed7c57cdfbbd4ec17d7edda434910203010001	\\x
default	ypiksi46sgne5frkixvauvrw74	smbvdyvwtmlrk5vazteeiais2u	phone	active	1	RSA-OAEP-256	3072		1795487086670126	0	0	0	\\x01daa525363f6d28c9064c44f034b8007ea5e47fc3710ce9a113cf4b48a6d89b517b03da96	\\x308201a2300d06092a864886f70d01010105000382018f003082018a0282018100e535d88fd54cd33c2bb3677ca15feb7834f04654d0e6c328070add42197a4a4d2b04afa31fa34d9c22d4a989fe66ebf13a1154c0ec44f82ff908a90c51f6922c4ec22a8b510e7ac387f1d396bc0385bee60851f93a7539555c5bccc7b44ec10af02ee19ff7d59f39a3feaad37fd05caf610f5476260345eab96be48e9647b8bcdb590c5a3b6f5d9e24f65dab7e7c4fa29da1b2dd1314a43517e74c9bd315647c68787ff518c92127b958828083b5e3e81ff47810abe2a0503db07119f10e1b70b81c56c64f218676ea89604bdb06d71b93cb036c2d075601d2a272126e50476232d706b4b165b87a84c2417f916c44aaf9147b271424d884346c7fc33cd9a0f98d2eec6f5301ed4f619c9a36a1d2d8552b14e548ca16f87c82d9921b4889733142c41ccf509876e8512db4b9d5da4179fc540b8feecc1ce0d2e2e2d1b70f9f87c3e5eab4aecd09dbcdb3f5e7c4a0727de16404bbceebc52a83b8683f3c2b343c746a682706774a4d5759bdc7bf035b3c171de347307ab546f830a69c286300290203010001	\\x0101316730bced8d8bb18539ba304fe5b5a2b220e1a6e6dca655d2e44352bef8c1a628a3c6cc50e73cf73a69600713d841a7f937270c88d9c8ad49004223c8af5b5f0f0ae8d0e5c32ed0da2fa24b55f36d4daaa6af4137d75dd2ad664a8a89cb7d43d071569a79817fb9e2b097b9331ac1ccbba93a33599b586e1afa6182f2eb816f07c3eb3d2515cd656615173223039c24f514ab1498f974c5f6a578fd1e63f96f19dfa58ae79d717712aee41558c8461efb42955034e4703980cee6f44e3713b94fe898f5fdb21cced18a9a26ab5b6204e0ef0beb01ad39a432ef07d031a551068aedbae88fd506accd279cf09227e01872d963384dccb2fbd242e03b4c2352171451c7e9d4c2e3b451148f749e15492937902d93b2f6994c2551171a5ba77d89ff484ecfbc7785f926a0147db17eb9666300ecf4e750e480079447ab438b2fe2034e090c078a3b8201a3a9f40bad11c26c4a570443afae0ce3afca07529229f4318b9acce4e9ff666347f16f0bd59871e067c91130a7c5b908bf81b4bec75c0c8749ed409fdd01f1497778c39a7de1f9e13f8d875fb58031c88fdfe5d9fc73bdc79f65620bf0813932b99f2777
default	ysnnpdoi7tsrcuxx6qmx5pnkta	lkihfno24iplimebnzls6v5t5u	tablet	active	1	RSA-OAEP-256	3072		1795487087120942	0	0	0	\\x01daa52536634c696d63e5450283632f9395e40f3e05eab8df61e433a8aec61b33b4132013	\\x308201a2300d06092a864886f70d01010105000382018f003082018a0282018100bd626d6601812bdd30e7221b115f1e9e16544b33494820712caeaf300e09fae55a4fac197a1aad39f3aa7bfd441a6fe56b0a35e647a520730c8a5396223512e721fad09c45dabf2998cf19f9293d24d61935790f6e931a5a217205df15b87dfc771b9778f8dec9ce41ab4726ad46031cc22593043fa5aaa2fd134b263c87f636fd4aff7ff1854a4f4fd5623786defef6d7610b0ddb0eb5fc79f32a6ca492add3870afc9b1c9abadec25f2de512dc666b892678221a02adcacfd038ece35661a15ac8a4d4758c849314896cdd7aaafaa42f23a49a71f0adc8c97a746a1d060ff374bdf5aa12346e8c4f5e347525aefce371a9494406f79b14d7cb7c98dbb77c304d55279955b363828e1bf7e7e26c73d7d3290434d318b5f5a532a2903e6530d4638f95e2f7589266122d67f80a63cf1e5c1b0bca993519ebdd26b24467bd36c22dd211d6e95b1f8dc0a2f53ec971dd0e47da0d498aa6dbfbcda85d50f7d437230d6401e007e87a36d54b0120ea3ca9fc2e32163e16726a86c82c875a0900cd190203010001	\\x0101316730bcebb6a1daa1f903d539aea2484e3f917877bee2de6a36436f9d9e4fa10bb56b74095f81885fc83f35d4a30409fd010965499e7e9d48169cc2eaaa1d1291aabd608b0271f57d90a1128770d6b751dac2698a166aabb3f0d26efa3f2766c3321a0f77250bc0a98f6481958b542eca456ba10d6640cc5f038071e3e44b144da99ada80c27f5bb26da2325923c903cd9354e240adc77711c26323d354ba689c32601ba81d4553d59822807f091dcba932d054211a744aba6d033fb15482cbce23a0de46c0845c490e9487711a11e2cd7aad959d9d6cfcdbac43bbb23195b73b8c441db2874f2d6f0395eca8b57a017145f33994bfdff5086651a61759c5517dc11889890bbe1453571e6814a2b8d8eb5540a6b02f9b8b6ef0975d001c746c42b6b1fe124cb45f0941f75582151e37b2142dc6b9b69e5099c4fd7e829030fb6e8485c02733da72fe7973379f1511b2959f5d22ef3953295df67f2ad6fb5b759bf9ee7ceacdd223905f056553f42d27a7e5d65f7e64ff2e3f18b1639102651e5360df502e1907dd7fe757d9a0d4775193c4b7e48d916b683fe38d5be3a526653c606f50f391ec39fba4d9be4c
\.


--
-- Data for Name: key_account; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.key_account (tenant, key_id, account_id) FROM stdin;
default	lvzxhlxfecugumscoi77ruvezq	ypiksi46sgne5frkixvauvrw74
default	smbvdyvwtmlrk5vazteeiais2u	ypiksi46sgne5frkixvauvrw74
default	lkihfno24iplimebnzls6v5t5u	ysnnpdoi7tsrcuxx6qmx5pnkta
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
default	ypiksi46sgne5frkixvauvrw74	lvzxhlxfecugumscoi77ruvezq	1795485600000000
default	ypiksi46sgne5frkixvauvrw74	smbvdyvwtmlrk5vazteeiais2u	1795485600000000
default	ysnnpdoi7tsrcuxx6qmx5pnkta	lkihfno24iplimebnzls6v5t5u	1795485600000000
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
-- Data for Name: schema_lock; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.schema_lock (lock_id, locked, locked_at, locked_by, lease_expires_at, updated_at) FROM stdin;
4097083626	f	\N	\N	\N	2026-11-24 02:24:46.125856+00
\.


--
-- Data for Name: schema_version; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.schema_version (id, version_id, is_applied, tstamp) FROM stdin;
1	0	t	2026-11-24 02:24:46.075357
2	1	t	2026-11-24 02:24:46.086663
3	2	t	2026-11-24 02:24:46.104627
4	3	t	2026-11-24 02:24:46.118124
5	4	t	2026-11-24 02:24:46.118361
6	5	t	2026-11-24 02:24:46.12462
\.


--
-- Data for Name: setting; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.setting (tenant, name, value) FROM stdin;
default	epoch	\\x31
default	root_key_id	\\x36643066646139636566623161343361
default	canary	\\x016824ea449d0deb37c7b2d171ca95c2301c4d44aaee0bbe48566325e3ba89da30fc68491c3e6ce8006be33f768600439347b654f279bc91a430
default	keyset	\\x013b5a7fe0b97ea77c20988c7cec0c96bf9c6c302fac78530a822627646e03674b08161781b04ac8805b86426c18d84c2898e57af66caa7ddc8461433265ac263eb80e7adb104d42b49b7be9192abd1e268c8fbf25d9521a3526d24286758e522b4633854f49eec2db309497d6f83941689e94534f14df27f220872efaa922eda9e86913753fd770f05c20c9a2224441ea161e46fd7abf9007ef78f6c2f05eadb84bb4e752038200296b52bdd3b5fe6f28d2f7d55102061ecee7d3e06109647f95842f6c24ecba9a6e2285365e19548cc970e4fc28a69dcabd7c75040bc98602e02cb3e76a1089070f82ee9e7e5731dd4e042e2457ac8e7819da36a7d8b93949516ecfbd78ff85813ed3cb5e75b651
default	account_mode	\\x646576696365
default	audit_chain	\\x65697a346b74367536653669666e696333737667783368613575
default	witness/6c0626cde7ea15a8e2e6c9c1ff5f8b62	\\x000660fc69f7e06e
default	metrics.folded/r6cu3bqpwt2q4vj5tctowkttfq/1	\\x0000000000000002
default	metrics.folded/r6cu3bqpwt2q4vj5tctowkttfq/2	\\x0000000000000001
default	metrics.folded/r6cu3bqpwt2q4vj5tctowkttfq/3	\\x0000000000000001
default	metrics.folded/r6cu3bqpwt2q4vj5tctowkttfq/4	\\x0000000000000001
default	metrics.folded/r6cu3bqpwt2q4vj5tctowkttfq/5	\\x0000000000000001
default	metrics.folded/r6cu3bqpwt2q4vj5tctowkttfq/6	\\x0000000000000001
default	metrics.folded/r6cu3bqpwt2q4vj5tctowkttfq/7	\\x0000000000000001
default	metrics.folded/r6cu3bqpwt2q4vj5tctowkttfq/8	\\x0000000000000001
default	metrics.folded/r6cu3bqpwt2q4vj5tctowkttfq/9	\\x0000000000000001
default	metrics.folded/r6cu3bqpwt2q4vj5tctowkttfq/10	\\x0000000000000001
default	metrics.folded/r6cu3bqpwt2q4vj5tctowkttfq/11	\\x0000000000000001
default	audit_tied	\\x000660fc6a003138
default	metrics.folded/r6cu3bqpwt2q4vj5tctowkttfq/0	\\x000000000000001a
default	beat/r6cu3bqpwt2q4vj5tctowkttfq	\\x2501daa525367701584de955e3713fcf4837d619c93fdc2ee9f7430456432b4613c21232ec997b22696e7374616e6365223a2272366375336271707774327134766a357463746f776b74746671222c226e756d626572223a322c226174223a313739353438373038373137353335372c22636f6e646974696f6e223a22656e646564222c226865616473223a7b2230223a32362c2231223a322c223130223a312c223131223a312c2232223a312c2233223a312c2234223a312c2235223a312c2236223a312c2237223a312c2238223a312c2239223a317d2c2272656164223a6e756c6c7d
\.


--
-- Name: schema_version_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.schema_version_id_seq', 6, true);


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
-- Name: audit_log audit_log_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.audit_log
    ADD CONSTRAINT audit_log_pkey PRIMARY KEY (tenant, chain, seq);


--
-- Name: bucket bucket_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.bucket
    ADD CONSTRAINT bucket_pkey PRIMARY KEY (tenant, width, start, instance);


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
-- Name: account_name; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX account_name ON public.account USING btree (tenant, mode, issuer, subject);


--
-- Name: attempts_locked; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX attempts_locked ON public.attempts USING btree (tenant, locked_to, account_id, type) WHERE (locked_to > 0);


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
-- PostgreSQL database dump complete
--

\unrestrict i0QPzcI1UGJeX5GeTeW8k0plVi9gSGjv5fev4hNkfIfDd5oXiTRAd55VYInbXMN

