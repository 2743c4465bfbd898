--
-- PostgreSQL database dump
--

\restrict n2kM6eP47SmMi1NVHG8GiGkEY170Ahgvd45R60SkxRPHkGpDhW2mDWOSSgsKQwj

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
default	s6x7gs4fiotai7pecj4bgpmhxm	device		phone	1795734984294314
default	zwzynod5bkbq2s74jqgpdduubm	device		tablet	1795734984677522
\.


--
-- Data for Name: attempts; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.attempts (tenant, account_id, type, id, version, failures, locked_until, permanent, recent, pending, mac, verified_at, verified_by, devices, locked_to) FROM stdin;
default	s6x7gs4fiotai7pecj4bgpmhxm	TRANSACTION_PIN	i2q6powxi45ln6pe2jhzvkvyvy	2	0	0	f	[]	[]	\\x0139c745b8d5e1753c5a5e2ac0545903289c16724c01f8899db3289a0a3395abbd231682ab	1795734984485961		[]	0
default	zwzynod5bkbq2s74jqgpdduubm	TRANSACTION_PIN	hwgaypyxv3helrwhoyl7vyxsoq	8	4	0	f	[1795734984709784,1795734984723510,1795734984736889,1795734984751007]	[]	\\x0139c745b8ab6c683baf4bb6a96b5981fe7cd1fb2a88d41665b72d0a875f2ca58b3b2e6cff	0		[]	0
\.


--
-- Data for Name: audit_chain; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.audit_chain (tenant, name, number, form) FROM stdin;
default	wkkmbvydwb76cg6eiuwjmqfxsa	337641472	2
default	s6k37kp4q75au26hn3du4a7yoa/0	337641473	2
default	s6k37kp4q75au26hn3du4a7yoa/1	337641474	2
default	s6k37kp4q75au26hn3du4a7yoa/2	337641475	2
default	s6k37kp4q75au26hn3du4a7yoa/3	337641476	2
default	s6k37kp4q75au26hn3du4a7yoa/4	337641477	2
default	s6k37kp4q75au26hn3du4a7yoa/5	337641478	2
default	s6k37kp4q75au26hn3du4a7yoa/6	337641479	2
default	s6k37kp4q75au26hn3du4a7yoa/7	337641480	2
default	s6k37kp4q75au26hn3du4a7yoa/8	337641481	2
default	s6k37kp4q75au26hn3du4a7yoa/9	337641482	2
default	s6k37kp4q75au26hn3du4a7yoa/10	337641483	2
default	s6k37kp4q75au26hn3du4a7yoa/11	337641484	2
\.


--
-- Data for Name: audit_log; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.audit_log (tenant, chain, seq, "time", request_id, actor, event, outcome, operation, failed, count, duration, key_id, account, device, record, version, before, digest, reason, prev, hash) FROM stdin;
default	wkkmbvydwb76cg6eiuwjmqfxsa	1	1795734983943820		system	store.initialised	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x0139c745b83294c96883a75a033f59de95fbb44f747eb2dd814644137153f5c0bb6d85148c
default	s6k37kp4q75au26hn3du4a7yoa/0	1	1795734984006649		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x0139c745b8ae2dc01ad126fe0c5515799fb6454846d2cd3a36932a8b8f218817104db28ffd
default	s6k37kp4q75au26hn3du4a7yoa/1	1	1795734984006649		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x0139c745b87a27188bf2f177c673e81765b0d28e694d31bafef4f5008227241b3ba87eebd0
default	s6k37kp4q75au26hn3du4a7yoa/2	1	1795734984006649		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x0139c745b8e9adb98a152fcf80e929630ea7e3a5519f1b73467870961bcdc526b02b5d9b0c
default	s6k37kp4q75au26hn3du4a7yoa/3	1	1795734984006649		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x0139c745b85358b002e733f1fb880ceb4421802b6b7f70dc56414c8df62ad55b853c74bdc8
default	s6k37kp4q75au26hn3du4a7yoa/4	1	1795734984006649		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x0139c745b8dcc56f2ca6bdf582fa66cde67d4816a829771b23063a6724c8cf3aab82765e9e
default	s6k37kp4q75au26hn3du4a7yoa/5	1	1795734984006649		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x0139c745b8b9a00172274a31817d8a76c9daffc5e40acd4391bc9dab66001acd96a61a8c5a
default	s6k37kp4q75au26hn3du4a7yoa/6	1	1795734984006649		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x0139c745b8cd28e48488670b1248b30cdcf565f692b5dd9f32f457aa0d4775167a2450bda3
default	s6k37kp4q75au26hn3du4a7yoa/7	1	1795734984006649		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x0139c745b88f3ce795a3d263e12b1c1ae6e508f475e80cef5172622351bbe07a9f20d69bcb
default	s6k37kp4q75au26hn3du4a7yoa/8	1	1795734984006649		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x0139c745b8277324ec89932ea15243847f7c528505beff3bb16bf8414d842dc7e7fe5954a8
default	s6k37kp4q75au26hn3du4a7yoa/9	1	1795734984006649		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x0139c745b820861e75b6629d6dc59e67b1b6f3222b556ea1ae4c611640d65e6ad97ea21195
default	s6k37kp4q75au26hn3du4a7yoa/10	1	1795734984006649		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x0139c745b811c6e2eef98c9337983ba997fd5838bc1201d32d8a14b9063c900d64974eea97
default	s6k37kp4q75au26hn3du4a7yoa/11	1	1795734984006649		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x0139c745b8b23e0a7cb5053788d49c1e4e0738b39dcbbeffb365a6e3269642c3af0ffc2493
default	s6k37kp4q75au26hn3du4a7yoa/0	2	1795734984013869		system	witness.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x	vm:/tmp/TestDatabasesOfEarlierVersionsOpen4174705118/002/data.witness	\\x0139c745b8ae2dc01ad126fe0c5515799fb6454846d2cd3a36932a8b8f218817104db28ffd	\\x0139c745b8577ab7bccee1edfaa7a9273a69a18c4a9a4f93fe05e73765b7b895ee7555ecfe
default	s6k37kp4q75au26hn3du4a7yoa/0	3	1795734984018917		system	signing_key.created	ok		f	1	0		\\x	\\x	signing-key/1	0	\\x	\\x	kid LMTc2GtnTtJEFhsIspaAzsFVd6mc1wElS8ucerKreVg	\\x0139c745b8577ab7bccee1edfaa7a9273a69a18c4a9a4f93fe05e73765b7b895ee7555ecfe	\\x0139c745b8933f23340cb114d3c8bb001cc8facc0a48c7a9ed4c86201bad24e0ce7593b69f
default	s6k37kp4q75au26hn3du4a7yoa/0	4	1795734984294314	agrbujkvrw2y53ojxeboucphyi	caller	key.issued	ok	generateClientEncryptionKey	f	1	217818	ws3ywmfyk654rhg52iyenee434	\\xc3dfd14aac37013e5498fed18f97faec	\\x5280d0165ef937a579a4b74a65dc9c13	key/ws3ywmfyk654rhg52iyenee434	1	\\x	\\xeb42346f04ad12e8d26d0f82b40e7fa653ee5f611301a2365e4ae153ed2bb72f		\\x0139c745b8933f23340cb114d3c8bb001cc8facc0a48c7a9ed4c86201bad24e0ce7593b69f	\\x0139c745b82c36f83ce34c1655eadacce7caeec1eac1b49a24f70f4d578ef87dede7cb313d
default	s6k37kp4q75au26hn3du4a7yoa/0	5	1795734984343380	agrbujkwnsc7ps4oml4wi4cnf4	caller	credential.set	ok	setUserPasscode	f	1	43662	ws3ywmfyk654rhg52iyenee434	\\xc3dfd14aac37013e5498fed18f97faec	\\x5280d0165ef937a579a4b74a65dc9c13	credential/asvna7rseh6jd2g4bsvoulxn6m	1	\\x	\\x93c5ac4340a7b91a8b28a9000575524f0b647e72f2c7d0c709ba6343c7c8755d		\\x0139c745b82c36f83ce34c1655eadacce7caeec1eac1b49a24f70f4d578ef87dede7cb313d	\\x0139c745b81fdc5d9fb8fe51b185ef7fb422a6afb9ad02d348447602f4bd965f25f71dbbcd
default	s6k37kp4q75au26hn3du4a7yoa/0	6	1795734984365940	agrbujkwt3obo4rkp7ddh4cnwq	caller	credential.set	ok	setTransactionPin	f	1	13140	ws3ywmfyk654rhg52iyenee434	\\xc3dfd14aac37013e5498fed18f97faec	\\x5280d0165ef937a579a4b74a65dc9c13	credential/usnmmjdhlanhm5fufoub4p2x3e	1	\\x	\\x6c1cce73cede7c80e8bd1109aa56811ac5e2aaa8441dbbb9c259a1056b55b3ef		\\x0139c745b81fdc5d9fb8fe51b185ef7fb422a6afb9ad02d348447602f4bd965f25f71dbbcd	\\x0139c745b8d6d777e99a56f13296aa97fb21aa96688434d642b56bd6263674f9836a78c3cc
default	s6k37kp4q75au26hn3du4a7yoa/0	7	1795734984469729	agrbujkwxyrtrssnplebqyrmoy	caller	key.rotated	ok		f	1	0	ws3ywmfyk654rhg52iyenee434	\\xc3dfd14aac37013e5498fed18f97faec	\\x5280d0165ef937a579a4b74a65dc9c13	key/ws3ywmfyk654rhg52iyenee434	2	\\xeb42346f04ad12e8d26d0f82b40e7fa653ee5f611301a2365e4ae153ed2bb72f	\\xd7bec56546ddbbde4e040f2bf4fa475b338c5658a52904c3c5169d2a1136ddcf		\\x0139c745b8d6d777e99a56f13296aa97fb21aa96688434d642b56bd6263674f9836a78c3cc	\\x0139c745b89fe85bc290bc94503cffbe0aa80c8d384810ff879dfc3c7cbea14ab49de97a46
default	s6k37kp4q75au26hn3du4a7yoa/0	8	1795734984469729	agrbujkwxyrtrssnplebqyrmoy	caller	key.issued	ok	rotateClientEncryptionKey	f	1	87588	esmui6cgk2kt66mmnks56jl6gm	\\xc3dfd14aac37013e5498fed18f97faec	\\x5280d0165ef937a579a4b74a65dc9c13	key/esmui6cgk2kt66mmnks56jl6gm	1	\\x	\\x6a7fa2733c731d8fd4e0ad1c07d048edad7ff9df2a3ee8f5a47a62d66aabb84d		\\x0139c745b89fe85bc290bc94503cffbe0aa80c8d384810ff879dfc3c7cbea14ab49de97a46	\\x0139c745b8393bf703f793560412c7666398a0d11dbb972510b38540f2fbfbc7442d4392cf
default	s6k37kp4q75au26hn3du4a7yoa/0	10	1795734984580416		system	operations.counted	CREDENTIAL_REJECTED		f	1	8406		\\x	\\x		0	\\x	\\x	setTransactionPin	\\x0139c745b81380fc345da897ff5dccf49e93f90fca	\\x0139c745b80f3ecbd5ba80d8e64f8063b87a3e86525dc82c21225e8b4dd40b0978a0f918c4
default	s6k37kp4q75au26hn3du4a7yoa/0	11	1795734984604798		system	chain.tied	ok		f	1	0		\\x	\\x	chain/s6k37kp4q75au26hn3du4a7yoa/1	1	\\x	\\x0139c745b87a27188bf2f177c673e81765b0d28e694d31bafef4f5008227241b3ba87eebd0		\\x0139c745b80f3ecbd5ba80d8e64f8063b87a3e86525dc82c21225e8b4dd40b0978a0f918c4	\\x0139c745b898b2a8022f017f09e93ba7f3a6d28c37d1cef7e81b279b6a2a71a9e2c4a6c5dd
default	s6k37kp4q75au26hn3du4a7yoa/0	12	1795734984604798		system	chain.tied	ok		f	1	0		\\x	\\x	chain/s6k37kp4q75au26hn3du4a7yoa/10	1	\\x	\\x0139c745b811c6e2eef98c9337983ba997fd5838bc1201d32d8a14b9063c900d64974eea97		\\x0139c745b898b2a8022f017f09e93ba7f3a6d28c37d1cef7e81b279b6a2a71a9e2c4a6c5dd	\\x0139c745b8acbc4c028738191a7464f89ceda531a549da9d62911f126de6a18510f07e244b
default	s6k37kp4q75au26hn3du4a7yoa/0	13	1795734984604798		system	chain.tied	ok		f	1	0		\\x	\\x	chain/s6k37kp4q75au26hn3du4a7yoa/11	1	\\x	\\x0139c745b8b23e0a7cb5053788d49c1e4e0738b39dcbbeffb365a6e3269642c3af0ffc2493		\\x0139c745b8acbc4c028738191a7464f89ceda531a549da9d62911f126de6a18510f07e244b	\\x0139c745b841ceb76edcfcbac3aaef370a908bb99d20e27a5d82471b2d1c80555105da8e9f
default	s6k37kp4q75au26hn3du4a7yoa/0	14	1795734984604798		system	chain.tied	ok		f	1	0		\\x	\\x	chain/s6k37kp4q75au26hn3du4a7yoa/2	1	\\x	\\x0139c745b8e9adb98a152fcf80e929630ea7e3a5519f1b73467870961bcdc526b02b5d9b0c		\\x0139c745b841ceb76edcfcbac3aaef370a908bb99d20e27a5d82471b2d1c80555105da8e9f	\\x0139c745b8d3d61bdbad7617d055d018b3c357c8dabd0c5b517b036005249c1cc04f299c80
default	s6k37kp4q75au26hn3du4a7yoa/0	15	1795734984604798		system	chain.tied	ok		f	1	0		\\x	\\x	chain/s6k37kp4q75au26hn3du4a7yoa/3	1	\\x	\\x0139c745b85358b002e733f1fb880ceb4421802b6b7f70dc56414c8df62ad55b853c74bdc8		\\x0139c745b8d3d61bdbad7617d055d018b3c357c8dabd0c5b517b036005249c1cc04f299c80	\\x0139c745b8ee9d5d9b4d84e2a0578973df647beb3d05bea2b31802dda10ff1ad10547d0acd
default	s6k37kp4q75au26hn3du4a7yoa/0	16	1795734984604798		system	chain.tied	ok		f	1	0		\\x	\\x	chain/s6k37kp4q75au26hn3du4a7yoa/4	1	\\x	\\x0139c745b8dcc56f2ca6bdf582fa66cde67d4816a829771b23063a6724c8cf3aab82765e9e		\\x0139c745b8ee9d5d9b4d84e2a0578973df647beb3d05bea2b31802dda10ff1ad10547d0acd	\\x0139c745b89f8b5e21fdd9ed14be56eb4af3f53915a56547386470b47530253736dab4609b
default	s6k37kp4q75au26hn3du4a7yoa/0	17	1795734984604798		system	chain.tied	ok		f	1	0		\\x	\\x	chain/s6k37kp4q75au26hn3du4a7yoa/5	1	\\x	\\x0139c745b8b9a00172274a31817d8a76c9daffc5e40acd4391bc9dab66001acd96a61a8c5a		\\x0139c745b89f8b5e21fdd9ed14be56eb4af3f53915a56547386470b47530253736dab4609b	\\x0139c745b8de01fd2414896489987d10985c8bf5bc8e7fbaed707a49639ddd66dd30b3490d
default	s6k37kp4q75au26hn3du4a7yoa/0	18	1795734984604798		system	chain.tied	ok		f	1	0		\\x	\\x	chain/s6k37kp4q75au26hn3du4a7yoa/6	1	\\x	\\x0139c745b8cd28e48488670b1248b30cdcf565f692b5dd9f32f457aa0d4775167a2450bda3		\\x0139c745b8de01fd2414896489987d10985c8bf5bc8e7fbaed707a49639ddd66dd30b3490d	\\x0139c745b8e8648be145d391839dcb9881afd344bee4178b143deec05b5125897afdf7052e
default	s6k37kp4q75au26hn3du4a7yoa/0	19	1795734984604798		system	chain.tied	ok		f	1	0		\\x	\\x	chain/s6k37kp4q75au26hn3du4a7yoa/7	1	\\x	\\x0139c745b88f3ce795a3d263e12b1c1ae6e508f475e80cef5172622351bbe07a9f20d69bcb		\\x0139c745b8e8648be145d391839dcb9881afd344bee4178b143deec05b5125897afdf7052e	\\x0139c745b86de118c15ea7ab4bc307058e1341b7489129a0d78ebea38b089846592d4707f0
default	s6k37kp4q75au26hn3du4a7yoa/0	20	1795734984604798		system	chain.tied	ok		f	1	0		\\x	\\x	chain/s6k37kp4q75au26hn3du4a7yoa/8	1	\\x	\\x0139c745b8277324ec89932ea15243847f7c528505beff3bb16bf8414d842dc7e7fe5954a8		\\x0139c745b86de118c15ea7ab4bc307058e1341b7489129a0d78ebea38b089846592d4707f0	\\x0139c745b8bcf1388c6634f4295734dadd4a45529a655692aeb18b91df33b61a9f01e2217e
default	s6k37kp4q75au26hn3du4a7yoa/0	21	1795734984604798		system	chain.tied	ok		f	1	0		\\x	\\x	chain/s6k37kp4q75au26hn3du4a7yoa/9	1	\\x	\\x0139c745b820861e75b6629d6dc59e67b1b6f3222b556ea1ae4c611640d65e6ad97ea21195		\\x0139c745b8bcf1388c6634f4295734dadd4a45529a655692aeb18b91df33b61a9f01e2217e	\\x0139c745b82357cd7e9ca0eaa45da803c2a0c201fc0877d23846e47488abfe3a96cdd4cb94
default	s6k37kp4q75au26hn3du4a7yoa/0	22	1795734984604798		system	chain.tied	ok		f	1	0		\\x	\\x	chain/wkkmbvydwb76cg6eiuwjmqfxsa	1	\\x	\\x0139c745b83294c96883a75a033f59de95fbb44f747eb2dd814644137153f5c0bb6d85148c		\\x0139c745b82357cd7e9ca0eaa45da803c2a0c201fc0877d23846e47488abfe3a96cdd4cb94	\\x0139c745b8bcf05e6de38d82f9111e36e64afc90c5e4cb44de531bf17261f7ed7c6e7a632e
default	s6k37kp4q75au26hn3du4a7yoa/0	23	1795734984677522	agrbujkxfbwy73fjufj5wc7ia4	caller	key.issued	ok	generateClientEncryptionKey	f	1	190561	onzn3lzb24txotgbkokpjv2klq	\\x2dc288ed492feb0071c40c39bd76c68e	\\x4a96b99ee8709e5c4f4b4d7d28c51134	key/onzn3lzb24txotgbkokpjv2klq	1	\\x	\\x6e5e344e8eb51c4bf0ba5bd58c768379e2bf7d053cf2c467d52c6e893064cb5c		\\x0139c745b8bcf05e6de38d82f9111e36e64afc90c5e4cb44de531bf17261f7ed7c6e7a632e	\\x0139c745b85d9920c3de7891f3cf7f7203639d458daa48540079137e34c59a60ab14779785
default	s6k37kp4q75au26hn3du4a7yoa/0	24	1795734984692783	agrbujkx5guvzpwqma52jiumri	caller	credential.set	ok	setTransactionPin	f	1	12245	onzn3lzb24txotgbkokpjv2klq	\\x2dc288ed492feb0071c40c39bd76c68e	\\x4a96b99ee8709e5c4f4b4d7d28c51134	credential/icggevulktasectvrejqs7jp2q	1	\\x	\\x1cb7adac696ba023a6f5ba51bc992864c9398a62cf86c518077aeac33fc87bef		\\x0139c745b85d9920c3de7891f3cf7f7203639d458daa48540079137e34c59a60ab14779785	\\x0139c745b8491faa0386d56afa6075e186a00e3bbc8d56abdf8566cf9b0047871f598b8da2
\.


--
-- Data for Name: audit_verdict_2026_11; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.audit_verdict_2026_11 (chain, seq, second, micros, account, data, hash) FROM stdin;
337641473	9	849050184	485961	-1008742070	\\x01a21a255718812ab30488ef7701ea74249944784656953f798c6aa5df257e33ac37013e5498fed18f97faec5280d0165ef937a579a4b74a65dc9c1346a1e7bad7473ab6f9e4d24f9aaab8ae0202b36800000871a079130a981269fc31ad34cb95b170	\\x0139c745b81380fc345da897ff5dccf49e93f90fca
337641473	25	849050184	709784	767723757	\\x01a21a2557f73bec979a1fe971fd27e57372ddaf21d727774cc15394f4d74a5c492feb0071c40c39bd76c68e4a96b99ee8709e5c4f4b4d7d28c511343d8c0c3f17aece45c6c77617fae2f2741202bf70000008ef22402c4091d93e3829a140779152d6	\\x0139c745b8fbd11513f6a2d32c5de90e64af2ffebe
337641473	26	849050184	723510	767723757	\\x01a21a2558086e4c90edbf7d6e40a6937372ddaf21d727774cc15394f4d74a5c492feb0071c40c39bd76c68e4a96b99ee8709e5c4f4b4d7d28c511343d8c0c3f17aece45c6c77617fae2f2741204b4590000083829a140779152d63a079c5d2127301e	\\x0139c745b838377f7d906d1645b37aad2c2df9bbf0
337641473	27	849050184	736889	767723757	\\x01a21a25581564ce9649e274afaccdcd7372ddaf21d727774cc15394f4d74a5c492feb0071c40c39bd76c68e4a96b99ee8709e5c4f4b4d7d28c511343d8c0c3f17aece45c6c77617fae2f2741206bb580000083a079c5d2127301e2fde86ebc3d9d516	\\x0139c745b8573a8eeb00a5f5e5e115cb863bb666e5
337641473	28	849050184	751007	767723757	\\x01a21a255823395ede5896c5a65a25cd7372ddaf21d727774cc15394f4d74a5c492feb0071c40c39bd76c68e4a96b99ee8709e5c4f4b4d7d28c511343d8c0c3f17aece45c6c77617fae2f2741208ae5e0000082fde86ebc3d9d516b7f232268a026d2c	\\x0139c745b8f3ea24ad82d1ba832814f1387b8e3f1a
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
default	3600000000	1795734000000000	s6k37kp4q75au26hn3du4a7yoa	12	1	636027	\\x014a96b99ee8709e5c5280d0165ef937a5	\\x01690102020002000200010c01070108010001
default	86400000000	1795651200000000	s6k37kp4q75au26hn3du4a7yoa	12	1	636027	\\x014a96b99ee8709e5c5280d0165ef937a5	\\x01690102020002000200010c01070108010001
default	2419200000000	1795046400000000	s6k37kp4q75au26hn3du4a7yoa	12	1	636027	\\x014a96b99ee8709e5c5280d0165ef937a5	\\x01690102020002000200010c01070108010001
default	60000000	1795734960000000	s6k37kp4q75au26hn3du4a7yoa	12	1	636027	\\x014a96b99ee8709e5c5280d0165ef937a5	\\x01690102020002000200010c01070108010001
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
default	s6x7gs4fiotai7pecj4bgpmhxm	PASSCODE	asvna7rseh6jd2g4bsvoulxn6m	1	1795734984343380	1795734984343380	\\x0101b8bfb4686c3ed158a97c9d93f6cf307bac500dd2f9a33c03f8d27e4bbded03c3e1a446f1915fccadb350f2490b7660ea73e1a41e557d23cb9755624d24624cf2ab3fe4453090b1ff94686890e4b732a7322462982d965f012ac2702523469ba2bff6f6965193
default	s6x7gs4fiotai7pecj4bgpmhxm	TRANSACTION_PIN	usnmmjdhlanhm5fufoub4p2x3e	1	1795734984365940	1795734984365940	\\x0101b8bfb468714e4c3969ea653f34c03a36ba3e67d7f1f0abcb979b21ed833ba22ae016ed6d2dc95469a674f7f008966389a6a384ddea8a20df00816a666717986119bd2bd7b9fcc65dcaabb0b838a3175eec9e1d7902697da1975da9191c60aff4617ade5e1251
default	zwzynod5bkbq2s74jqgpdduubm	TRANSACTION_PIN	icggevulktasectvrejqs7jp2q	1	1795734984692783	1795734984692783	\\x0101b8bfb4689c7ea3083d7a5a7c5016e2a17a13f14e9fc345811c9060887b2ca7137b0c47af3c48ab398f47e3cfe7f80602add59e0ae4515ba27db261414c70a812a9111de84b41f36e9ba1ca00d8615b00c1c76b20cff17c01607d8fb5d9f2351c11dcc334a611
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
default	s6x7gs4fiotai7pecj4bgpmhxm	ws3ywmfyk654rhg52iyenee434	phone	invalidated	2	RSA-OAEP-256	3072		1795734984294314	0	1795734984469729	0	\\x0139c745b8693a232d3cb8678f7764dc7d5049018ca6dd0791ebeefa439c177dea872e1826	\\x308201a2300d06092a864886f70d01010105000382018f003082018a0282018100c0c2a8cdafed4efb211d4d179f58f60594dd33e97b84b20189d4ff5a43b7cc82e6aa5d83c33992d2c369afae401fd937669c32448d2c7173a21185b71c05d8202e4b93be949d6476912fc91b9fcaaad1c2bc7edb3a23af10199957a87c42fd02a2e0bb350564ff4fa42bcc94fad47d19d47ccc3619fc38081e0dc27764d368a0038ddca8604ce9e70a76f201f2cbcc19911cfd280a35cb455b589161f9162e0b60273f2fa370128311b5adbb02c4d66894384e6a4ea2fae35b58f296f47c3df40e62ffdde55299a9f6d42608650d83cc5411b8b8db119e2dd241bbd4bcf61301a89c51c6d70aac164aa588fe5f4f17322dd71b28674819e67355f25b002fa1160f176de70afd343225dbf7f97c822c6e5b4ecd6110b35ef2a0105d2e277e798352f0e055c5acac85e723a186c8208ea37b1fd3eab520adab6dfcd06408765316b0d96c2a08e335115ff176dfa8040bbf1463c900c93e26f77427c56ec15f1b3a1ed7a4a64bcffb826d8b6fa8c30e9b031ee727fa2a96eb8fbcb536e768f8e3390203010001	\\x	
default	s6x7gs4fiotai7pecj4bgpmhxm	esmui6cgk2kt66mmnks56jl6gm	phone	active	1	RSA-OAEP-256	3072		1795734984469729	0	0	0	\\x0139c745b86410e932e06b5304ced24c1a49f344caa829db780b0228088b2af405614af8b7	\\x308201a2300d06092a864886f70d01010105000382018f003082018a0282018100e59ccb809d3bee981a9e74a5d9db29c3c2ac9c247d6bab9b5374c50e9ebbf655dfbd1bd348d5468ed78e824ebffcd6bc1f28ae024670790561025af1881a6de66ad45ccaff5cc15fb1ca3af9118a874770d208520e56f4d7a88aca3f26acc83a0044d45e46c8ed7b94a9b96cb5a3a157681441987a707c1a870b0f385439d58f2776aeac080e24596df1eccbb9eae188edb4e72c60e870c78d7192f7ab6be130d0565687ab30f45e5ec38225157c4db4d6da330dd3a43f61656a93ccb596f33ab65e5c86fb55e08bc57b3eff1d2808dc491e341ad2bb8749342916feb1b2279386fd954e70d524eca339b8e3af8c8ba7ae3c9081ce1b8a479a5306de5b738f18016bfa2d0d43b0de2318012013fb454d0525692a55cc9ccb3ca377489941f85873fdc0de4868511c767e76ac9cce382e526a5a114cc409d60ed21ff4cb646cd7b4e8897a4ea682c714b5d4570666e939a350b85cfb89d5acd3e1a7ef92952beff833795220fffe3ae56249ae1b549d6b640324e4f7677a9b2c1c3890fe43fddd0203010001	\\x0101b8bfb468c480a1dc9a25e1f5fbf39d8844af426a313c16ffe01016cb0e09e3930cbc1e02edd747480d31bc037c26f6f5b46db62e039b24d0a0712fad0fcf7c5fbf6b57b43fa0465c588c66a46d37cff1dfa83e87428984c40915c984fec15562905617d9a02de6ac9ec6c813adfe2a72eca277826fd38e43a6368afc20060cbe8a870d339ad4239729c52aeca1d6cdb19df5f8422d3b91eaf8a042f21cc30d40ee7ed0d3107b72dd3eec28be001b42c25ad7c6d5b87e0f44a4391558f6ef372ba05cfd25bfc0812a1c38f13ba9d7d6944bdbd93b6d4b7323c625412e02a46386651a67f9461df195bc588e5ea369831b4ffb6d50556b240cccb21c0d39404ec9773aa843a6cb91a2fc7a15603f6bc864cf9bea8ac8e62eea42e64458a2bf8651c713a32d9fd54ed635812ab39a03e992f9efce3926c788f50f6a908b8550d27adf80a4f2358ebac52299ad6f0f1142dfdcde75910a10f75d83b8f7e90a2fa9fc6d733a5d035e211a8101218002bc26cd887bc0721b1ea9319a19a14d89ce7ebf4b0992306f69a0a63ca7e5f8bcd255572973fee7bc936155032512ed3b3d66cb72888a4a97ab0d7976353b4447	
default	zwzynod5bkbq2s74jqgpdduubm	onzn3lzb24txotgbkokpjv2klq	tablet	active	1	RSA-OAEP-256	3072		1795734984677522	0	0	0	\\x0139c745b886a28dd65f5d187a08ffc94a8743772be1856b8d376c08169719cf2fc12f4d29	\\x308201a2300d06092a864886f70d01010105000382018f003082018a0282018100d74c0176a1e52215ebaddac10a9c28f7738b17606e95568c92684d7e7aa6430f643b2d1b8ed743b3bb043b794c77f4fbc63bde1a24405c27bfdca99d68aad099ac92df69867fd40017c909e3e36d80271df8c7215b56f95c3b67622be231735a6c05ae3ae6401c95701a41c62af916203b3bb549b6841b5b4907c58c6a5fcf144afcd6ef7cff755713f1eff5ca839e696c5ae71c43836d60a95dbac54e8e09f58e4dec13a1900209ed0340fdb24896904dd4abc60b634240bad9e2b72d9946f92e7a8363ee6db8fd2826ec8855a9edd6a049e1d823adad29f1a613204d90c5cd5c0778a55836ab93be76a50f706ab100d251b557f6f6d5becb4d06866247c60d563b96775d92992a743120fd75719d8b3d35a8de24fc4082b53b4f061256931cb2a6026246954a3a9cd0fd11f986a95f5a18fbba3c198ecc13bedfd6a1b460b8b70c3b5697e632f382e2d56c9ca46db7fb7a10acafbb5594220aeea02f458ae58fa009997229e2d25b8b59e06bda0d5e139f4dac4e866e4c7147377985ed4c8f0203010001	\\x0101b8bfb4685b11812d797821e2784615cec1052e0507fe21988a367a59a777c50296c87f3f65174e33fdd5208ecebd617754fc192df19edb3ac3004472b491a653531931c368c2fc9015a45368f18c494a3b5badd80623372daa17b519cd872fb854828fd3d56786b5455ddc457882ed9b6950c21f79cd214954593020aa4aa4d34535c2445fb4753190ab01c0a056868dcaccced9ac5d86286ea5f218446a8cfc6258e760c925cec2e5dd349254749c3157e815d6224b48901e4d4cbc4540ee95fbe546298ee671cf9b81a922466514a2509031fb14ba6aeac69883a03fb0ead9d9bb0d8676b51722dcc6f985bff9643db9ccd3f5bcc9ec40138d59e29eadc45285df138c3afd696c35f2b42e602040193985489eb2d9c99bf3ff5e8ce7e128851584fbc54b9906fa4aba555182eb3ac5a0c6f0e21df49064197dad0688ffe7c78f849a2a464cd3404eebe747bd7b8a80c67e8584585bcae022efa02a7ebf803afb3dc058dc766335412cb10faa6f851e3aaa4d094ea3217e8121f8a8de9bfcc1ae9fa300e3722eb7c91a2a3bfcac096c5d1a43724bb058952e87e91e88fa0753fc80a97c97f1dc5e8bd43e76e5	
\.


--
-- Data for Name: key_account; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.key_account (tenant, key_id, account_id) FROM stdin;
default	ws3ywmfyk654rhg52iyenee434	s6x7gs4fiotai7pecj4bgpmhxm
default	esmui6cgk2kt66mmnks56jl6gm	s6x7gs4fiotai7pecj4bgpmhxm
default	onzn3lzb24txotgbkokpjv2klq	zwzynod5bkbq2s74jqgpdduubm
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
default	s6x7gs4fiotai7pecj4bgpmhxm	ws3ywmfyk654rhg52iyenee434	1795734000000000
default	s6x7gs4fiotai7pecj4bgpmhxm	esmui6cgk2kt66mmnks56jl6gm	1795734000000000
default	zwzynod5bkbq2s74jqgpdduubm	onzn3lzb24txotgbkokpjv2klq	1795734000000000
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
4097083626	f	\N	\N	\N	2026-11-26 23:16:23.90333+00
\.


--
-- Data for Name: schema_version; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.schema_version (id, version_id, is_applied, tstamp) FROM stdin;
1	0	t	2026-11-26 23:16:23.551038
2	1	t	2026-11-26 23:16:23.579231
3	2	t	2026-11-26 23:16:23.643622
4	3	t	2026-11-26 23:16:23.692879
5	4	t	2026-11-26 23:16:23.694889
6	5	t	2026-11-26 23:16:23.744218
7	6	t	2026-11-26 23:16:23.749248
8	7	t	2026-11-26 23:16:23.765753
9	8	t	2026-11-26 23:16:23.769425
10	9	t	2026-11-26 23:16:23.783251
11	10	t	2026-11-26 23:16:23.810652
12	11	t	2026-11-26 23:16:23.872876
13	12	t	2026-11-26 23:16:23.886539
14	13	t	2026-11-26 23:16:23.890067
15	14	t	2026-11-26 23:16:23.894352
\.


--
-- Data for Name: setting; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.setting (tenant, name, value) FROM stdin;
default	epoch	\\x31
default	keyset	\\x7b226b6579736574223a7b2267656e65726174696f6e223a312c22646174614b657973223a5b7b226964223a333039393537313330342c226d6163223a3936393336303832342c227072696d617279223a747275657d5d2c227772617073223a5b7b22726f6f744b6579223a2266336661303066636530366165383564222c2275726c223a2266696c653a2f746d702f546573744461746162617365734f664561726c69657256657273696f6e734f70656e343137343730353131382f3030322f646174612f726f6f742e6b6579222c2261646465644174223a22323032362d31312d32365432333a31363a32332e39343338325a222c226b6579223a2232374850343877444e3577772f4f4778433176795a6f70477a70673653334a7145517149504d6135446b71776d37513049744779434d54636f6b5a496c476768787344734273697937335550736f703672654a54313675745161574d674c3155222c226b6579736574223a2243534f496d4c724e7657305547694454433943763847354663323770557a4e564c727679723533577934507162462b413646475471646239354b723156766a4c7579754a4f5265424c65726a3247653448374a613579514a57522b736759634b54573954486e587a637171356d56434a6343324448654548314a7165464b6f35713976615937324b3137524a795073304b497471586d6e4b743866397a6d4b532b5642794d2f2f526351392b597449415a6c575032763944435a616a5579574e69475133326c474c54503732666f4c34384d35713131575833687a2b545339392f456651676a77644f42506e79546f426438525937764a6649494f594c3932624b684d5978324156674571643548474c6d76346b32445a37466f667966327473585176746f332f526376454e507862677878693343614f7261383944797a7263706530556631464f72506d496645515379304278457158737261764f34564c6454617274636d4d6c227d5d7d2c226d6163223a2241546e4852626a75697944306d2f3554365a4a332f677935416557693153326233387753766b6e535334536c3347527243413d3d227d
default	account_mode	\\x646576696365
default	audit_chain	\\x776b6b6d6276796477623736636736656975776a6d7166787361
default	witness/74befffa8bd631aea47b26f1aba3d183	\\x0006613621d5382d
default	metrics.folded/s6k37kp4q75au26hn3du4a7yoa/1	\\x0000000000000001
default	metrics.folded/s6k37kp4q75au26hn3du4a7yoa/2	\\x0000000000000001
default	metrics.folded/s6k37kp4q75au26hn3du4a7yoa/3	\\x0000000000000001
default	metrics.folded/s6k37kp4q75au26hn3du4a7yoa/4	\\x0000000000000001
default	metrics.folded/s6k37kp4q75au26hn3du4a7yoa/5	\\x0000000000000001
default	metrics.folded/s6k37kp4q75au26hn3du4a7yoa/6	\\x0000000000000001
default	metrics.folded/s6k37kp4q75au26hn3du4a7yoa/7	\\x0000000000000001
default	metrics.folded/s6k37kp4q75au26hn3du4a7yoa/8	\\x0000000000000001
default	metrics.folded/s6k37kp4q75au26hn3du4a7yoa/9	\\x0000000000000001
default	metrics.folded/s6k37kp4q75au26hn3du4a7yoa/10	\\x0000000000000001
default	metrics.folded/s6k37kp4q75au26hn3du4a7yoa/11	\\x0000000000000001
default	audit_tied	\\x0006613621de3c7e
default	metrics.folded/s6k37kp4q75au26hn3du4a7yoa/0	\\x000000000000001c
default	beat/s6k37kp4q75au26hn3du4a7yoa	\\x250139c745b86ad863d07d442dec91dd0800c03cd9b62a58113e595300993d372f9ff63040527b22696e7374616e6365223a2273366b33376b703471373561753236686e336475346137796f61222c226e756d626572223a322c226174223a313739353733343938343735373435362c22636f6e646974696f6e223a22656e646564222c226865616473223a7b2230223a32382c2231223a312c223130223a312c223131223a312c2232223a312c2233223a312c2234223a312c2235223a312c2236223a312c2237223a312c2238223a312c2239223a317d2c2272656164223a6e756c6c7d
\.


--
-- Data for Name: signing_key; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.signing_key (tenant, number, id, algorithm, version, created_at, active_from, erased_at, mac, public_key, sealed) FROM stdin;
default	1	LMTc2GtnTtJEFhsIspaAzsFVd6mc1wElS8ucerKreVg	ES256	1	1795734984018917	1795734984018917	0	\\x0139c745b8e292dd9f211fba6e681e5bb66613de90ee7c428167edec194fc332ca5f3fd50e	\\x3059301306072a8648ce3d020106082a8648ce3d0301070342000498d4d07f00211fb053a8735ed9e75d0d7980851af56db572e0cf7bd73f0001de26e20212f23c5daeeea5ac13ed72d6aec59d9b29174ec3b8df3fa9a5d88f6d40	\\x0101b8bfb468b7f06720774de9f694efd88411db31dd0968b15f26f51a163b57f5aab0542985ec9754f26012b820db62649eb929e60a9a5ec57f46c5da19b6c8c252b1df4cf81459b041e27f12dbee638c8731fc1f1285391792555be784ca1b69eb832a3b47912207e6ae1f6157dd2c04bb63a571111a53e84f519a1a7cef28296e6ee5881d29f2a43b3d91f33427197a54523d9bea25f2273d95786c5607f2b4d78a1955a3deb70fcb20bb75819400ad52fbc5662b18e0
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

\unrestrict n2kM6eP47SmMi1NVHG8GiGkEY170Ahgvd45R60SkxRPHkGpDhW2mDWOSSgsKQwj

