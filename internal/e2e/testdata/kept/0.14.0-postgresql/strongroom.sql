--
-- PostgreSQL database dump
--

\restrict h6mwiRxG1PfYFP6oKQ92biHE6AlOIqm7tM9Ij8mpdWxvh8XimhlbpXxYTleUSva

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
default	uofl6l7edk7gmk7lmjfqz3whz4	device		phone	1795759771946830
default	dh7gcxzuuof7mzwge7gd6yd7ly	device		tablet	1795759772300851
\.


--
-- Data for Name: attempts; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.attempts (tenant, account_id, type, id, version, failures, locked_until, permanent, recent, pending, mac, verified_at, verified_by, devices, locked_to) FROM stdin;
default	uofl6l7edk7gmk7lmjfqz3whz4	TRANSACTION_PIN	5psx5flubo7l4jfeqpbndh7j2u	2	0	0	f	[]	[]	\\x01ce327cc9496a49c5314a7eaa376e073634d6073d45b58e6cfc98c36edfbf8911d5196f9e	1795759772254289		[]	0
default	dh7gcxzuuof7mzwge7gd6yd7ly	TRANSACTION_PIN	5zln34nivpdbahbuejvuvtgyeq	8	4	0	f	[1795759772325693,1795759772338096,1795759772350239,1795759772362087]	[]	\\x01ce327cc9964441d9392320bbcfc9593b5c30fdbce7567b662801273def96351b2c9244da	0		[]	0
\.


--
-- Data for Name: audit_chain; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.audit_chain (tenant, name, number, form) FROM stdin;
default	bqxsjap7s6fhf6ghyufs4g2ffm	337641472	2
default	dqwrpnpuocbvseo2s5lcpcabne/0	337641473	2
default	dqwrpnpuocbvseo2s5lcpcabne/1	337641474	2
default	dqwrpnpuocbvseo2s5lcpcabne/2	337641475	2
default	dqwrpnpuocbvseo2s5lcpcabne/3	337641476	2
default	dqwrpnpuocbvseo2s5lcpcabne/4	337641477	2
default	dqwrpnpuocbvseo2s5lcpcabne/5	337641478	2
default	dqwrpnpuocbvseo2s5lcpcabne/6	337641479	2
default	dqwrpnpuocbvseo2s5lcpcabne/7	337641480	2
default	dqwrpnpuocbvseo2s5lcpcabne/8	337641481	2
default	dqwrpnpuocbvseo2s5lcpcabne/9	337641482	2
default	dqwrpnpuocbvseo2s5lcpcabne/10	337641483	2
default	dqwrpnpuocbvseo2s5lcpcabne/11	337641484	2
\.


--
-- Data for Name: audit_log; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.audit_log (tenant, chain, seq, "time", request_id, actor, event, outcome, operation, failed, count, duration, key_id, account, device, record, version, before, digest, reason, prev, hash) FROM stdin;
default	bqxsjap7s6fhf6ghyufs4g2ffm	1	1795759771439780		system	store.initialised	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01ce327cc991038c88efc039944b2983168d1a5545effe973509c6f819676a0f493d0c7b2c
default	dqwrpnpuocbvseo2s5lcpcabne/0	1	1795759771465009		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01ce327cc9b3e2eb45bbc1f492fb4c4af15dc8f53848ec7e55bc1a4918339c04aef85977f5
default	dqwrpnpuocbvseo2s5lcpcabne/1	1	1795759771465009		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01ce327cc9423a96d866e46e014568445b5fd8209655ce624895ab23213713bd32e4c45be5
default	dqwrpnpuocbvseo2s5lcpcabne/2	1	1795759771465009		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01ce327cc9ce6fee0b0558fc54e0b4c2e59d4d028b25f29d40f52731b288a273a4db13d8f9
default	dqwrpnpuocbvseo2s5lcpcabne/3	1	1795759771465009		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01ce327cc94a61b9ec12843af3c7c5b96f271557e2419c3b76d9f3dac5ce2c03b773ed82ae
default	dqwrpnpuocbvseo2s5lcpcabne/4	1	1795759771465009		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01ce327cc9ce0df658312a1d4cf7243bae5e87760fd716abc557a6a7820d11528f0d64aa7a
default	dqwrpnpuocbvseo2s5lcpcabne/5	1	1795759771465009		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01ce327cc9885eb8cff93af922acfee3bb294cc698277f19170f417744a235b2de7c15459c
default	dqwrpnpuocbvseo2s5lcpcabne/6	1	1795759771465009		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01ce327cc999f761efa88e1d5de57fcdf97229e81c9310160586f511e2ed29c2811fe359da
default	dqwrpnpuocbvseo2s5lcpcabne/7	1	1795759771465009		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01ce327cc9f24236c474e7fd84e0e7140e3651f7ac473c03a5243604767f3f2d217a4a3915
default	dqwrpnpuocbvseo2s5lcpcabne/8	1	1795759771465009		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01ce327cc954505742e53e7e0813b04ffcd9f6521ed81de1feb6bfcbd088ac1da0ee6eefdc
default	dqwrpnpuocbvseo2s5lcpcabne/9	1	1795759771465009		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01ce327cc9b7d500475d3a6e9d15171fdfa519384a971bfad2228d9b4dd3ca49a87f2abc93
default	dqwrpnpuocbvseo2s5lcpcabne/10	1	1795759771465009		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01ce327cc95259ca62daaa87662d5ccb76dc572ddbb426a5cfb9e8153c6db4bcf6f7723f66
default	dqwrpnpuocbvseo2s5lcpcabne/11	1	1795759771465009		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01ce327cc9088051f0e479f57025beb23c33566e636ea620d64ebf8bcb0d53c87f73c71253
default	dqwrpnpuocbvseo2s5lcpcabne/0	2	1795759771472625		system	witness.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x	vm:/tmp/TestDatabasesOfEarlierVersionsOpen1385649548/002/data.witness	\\x01ce327cc9b3e2eb45bbc1f492fb4c4af15dc8f53848ec7e55bc1a4918339c04aef85977f5	\\x01ce327cc997b5e8f773f87d1463f715cf03c34a401dab116ebdf85bd6a5fb9c88d3216c13
default	dqwrpnpuocbvseo2s5lcpcabne/0	3	1795759771477708		system	signing_key.created	ok		f	1	0		\\x	\\x	signing-key/1	0	\\x	\\x	kid Ga-N7OeflQbDngipQU_sz5esqdqj3ITDfIWcSLKq7RA	\\x01ce327cc997b5e8f773f87d1463f715cf03c34a401dab116ebdf85bd6a5fb9c88d3216c13	\\x01ce327cc9d2f607a6a64923b3bd72de0201f0e74851915091571a1c4d484037ec3a0b0f0d
default	dqwrpnpuocbvseo2s5lcpcabne/0	4	1795759771946830	agrbxh4pqoqq7w5czscm6mnbry	caller	key.issued	ok	generateClientEncryptionKey	f	1	424233	bdczevazygzpspqixvgmfrttxq	\\x2d539bd9093bb8f9f2fc205c6099db8b	\\x94a02df2d8ee581cefc2d4c268352a2a	key/bdczevazygzpspqixvgmfrttxq	1	\\x	\\xd9477b7138d3277a5cfa1789a23367ed44d0e3898946d627a5e8505d2461ac0b		\\x01ce327cc9d2f607a6a64923b3bd72de0201f0e74851915091571a1c4d484037ec3a0b0f0d	\\x01ce327cc98dc2b6e1bd1223550aa675cd4dbf298c09591e796e356b80984e545f4c7d421c
default	dqwrpnpuocbvseo2s5lcpcabne/0	5	1795759772008169	agrbxh4rf3y6ifvb4uftic3adm	caller	credential.set	ok	setUserPasscode	f	1	56996	bdczevazygzpspqixvgmfrttxq	\\x2d539bd9093bb8f9f2fc205c6099db8b	\\x94a02df2d8ee581cefc2d4c268352a2a	credential/cts7cd2u5ll3o6nqmflym7du2q	1	\\x	\\x54b3ff8f41f5897e766f0dadad1a25165025da36c585e071dd478a262feaceb9		\\x01ce327cc98dc2b6e1bd1223550aa675cd4dbf298c09591e796e356b80984e545f4c7d421c	\\x01ce327cc94806fad15f34efb1d4fa7ea1b1c0ea51dcb355c7bba34108e6adc801da774aa7
default	dqwrpnpuocbvseo2s5lcpcabne/1	2	1795759772024001	agrbxh4rnmt6ekgvgloklnbg2q	caller	credential.set	ok	setTransactionPin	f	1	13385	bdczevazygzpspqixvgmfrttxq	\\x2d539bd9093bb8f9f2fc205c6099db8b	\\x94a02df2d8ee581cefc2d4c268352a2a	credential/v6xs4uck5wrdaj3bpn7zum2azu	1	\\x	\\x40a716818cfead82f402df3fb01121247b1a5db78615b2e3f2522683c3511599		\\x01ce327cc9423a96d866e46e014568445b5fd8209655ce624895ab23213713bd32e4c45be5	\\x01ce327cc9cfbe64a0424970f5a7da694e450657f954e94e9eef8d15018ee5a16b7e84aa1f
default	dqwrpnpuocbvseo2s5lcpcabne/0	6	1795759772043832		system	chain.tied	ok		f	1	0		\\x	\\x	chain/bqxsjap7s6fhf6ghyufs4g2ffm	1	\\x	\\x01ce327cc991038c88efc039944b2983168d1a5545effe973509c6f819676a0f493d0c7b2c		\\x01ce327cc94806fad15f34efb1d4fa7ea1b1c0ea51dcb355c7bba34108e6adc801da774aa7	\\x01ce327cc9ea06d858e90bbaf56d49099a8ef677e564cb72cd00fc072e2d2eb47805517d26
default	dqwrpnpuocbvseo2s5lcpcabne/0	7	1795759772043832		system	chain.tied	ok		f	1	0		\\x	\\x	chain/dqwrpnpuocbvseo2s5lcpcabne/1	2	\\x	\\x01ce327cc9cfbe64a0424970f5a7da694e450657f954e94e9eef8d15018ee5a16b7e84aa1f		\\x01ce327cc9ea06d858e90bbaf56d49099a8ef677e564cb72cd00fc072e2d2eb47805517d26	\\x01ce327cc97274e515eaf5974a28a9e33a515cced2c6f7428ac38be6e8a928ff3056f08b00
default	dqwrpnpuocbvseo2s5lcpcabne/0	8	1795759772043832		system	chain.tied	ok		f	1	0		\\x	\\x	chain/dqwrpnpuocbvseo2s5lcpcabne/10	1	\\x	\\x01ce327cc95259ca62daaa87662d5ccb76dc572ddbb426a5cfb9e8153c6db4bcf6f7723f66		\\x01ce327cc97274e515eaf5974a28a9e33a515cced2c6f7428ac38be6e8a928ff3056f08b00	\\x01ce327cc9e89b1ef0b414006187881dc08148f4636a304d93f9764ce9ee8c603027072295
default	dqwrpnpuocbvseo2s5lcpcabne/0	9	1795759772043832		system	chain.tied	ok		f	1	0		\\x	\\x	chain/dqwrpnpuocbvseo2s5lcpcabne/11	1	\\x	\\x01ce327cc9088051f0e479f57025beb23c33566e636ea620d64ebf8bcb0d53c87f73c71253		\\x01ce327cc9e89b1ef0b414006187881dc08148f4636a304d93f9764ce9ee8c603027072295	\\x01ce327cc9807bef409ce4a6759ab06258c78df92de380433475295dcccebde4d76a807138
default	dqwrpnpuocbvseo2s5lcpcabne/0	10	1795759772043832		system	chain.tied	ok		f	1	0		\\x	\\x	chain/dqwrpnpuocbvseo2s5lcpcabne/2	1	\\x	\\x01ce327cc9ce6fee0b0558fc54e0b4c2e59d4d028b25f29d40f52731b288a273a4db13d8f9		\\x01ce327cc9807bef409ce4a6759ab06258c78df92de380433475295dcccebde4d76a807138	\\x01ce327cc9d073f01564b79c59d1bc085214ba752b27268a89730e107380cb1b06886f1dab
default	dqwrpnpuocbvseo2s5lcpcabne/0	11	1795759772043832		system	chain.tied	ok		f	1	0		\\x	\\x	chain/dqwrpnpuocbvseo2s5lcpcabne/3	1	\\x	\\x01ce327cc94a61b9ec12843af3c7c5b96f271557e2419c3b76d9f3dac5ce2c03b773ed82ae		\\x01ce327cc9d073f01564b79c59d1bc085214ba752b27268a89730e107380cb1b06886f1dab	\\x01ce327cc9fe245b58e00b3ec211b699f6b2059c0a178825045e2d8a505732f4d59f01b42f
default	dqwrpnpuocbvseo2s5lcpcabne/0	12	1795759772043832		system	chain.tied	ok		f	1	0		\\x	\\x	chain/dqwrpnpuocbvseo2s5lcpcabne/4	1	\\x	\\x01ce327cc9ce0df658312a1d4cf7243bae5e87760fd716abc557a6a7820d11528f0d64aa7a		\\x01ce327cc9fe245b58e00b3ec211b699f6b2059c0a178825045e2d8a505732f4d59f01b42f	\\x01ce327cc9c554522ca14c7588582436f69962ca8b7d2b43c22c925d3ca02be57434b86cee
default	dqwrpnpuocbvseo2s5lcpcabne/0	13	1795759772043832		system	chain.tied	ok		f	1	0		\\x	\\x	chain/dqwrpnpuocbvseo2s5lcpcabne/5	1	\\x	\\x01ce327cc9885eb8cff93af922acfee3bb294cc698277f19170f417744a235b2de7c15459c		\\x01ce327cc9c554522ca14c7588582436f69962ca8b7d2b43c22c925d3ca02be57434b86cee	\\x01ce327cc9ae0f9858226934cb9ded6dfbac0b208c68af13ed0625a643e0c636977658f640
default	dqwrpnpuocbvseo2s5lcpcabne/0	14	1795759772043832		system	chain.tied	ok		f	1	0		\\x	\\x	chain/dqwrpnpuocbvseo2s5lcpcabne/6	1	\\x	\\x01ce327cc999f761efa88e1d5de57fcdf97229e81c9310160586f511e2ed29c2811fe359da		\\x01ce327cc9ae0f9858226934cb9ded6dfbac0b208c68af13ed0625a643e0c636977658f640	\\x01ce327cc966b48341e9704aeb416eeb5f0ea9c694325e936ee4cf656b069f233e67f8c815
default	dqwrpnpuocbvseo2s5lcpcabne/0	15	1795759772043832		system	chain.tied	ok		f	1	0		\\x	\\x	chain/dqwrpnpuocbvseo2s5lcpcabne/7	1	\\x	\\x01ce327cc9f24236c474e7fd84e0e7140e3651f7ac473c03a5243604767f3f2d217a4a3915		\\x01ce327cc966b48341e9704aeb416eeb5f0ea9c694325e936ee4cf656b069f233e67f8c815	\\x01ce327cc91987da7c12f400f2004ed172d36c56b8269103bfa0914e486854f3e3b7d84f61
default	dqwrpnpuocbvseo2s5lcpcabne/0	16	1795759772043832		system	chain.tied	ok		f	1	0		\\x	\\x	chain/dqwrpnpuocbvseo2s5lcpcabne/8	1	\\x	\\x01ce327cc954505742e53e7e0813b04ffcd9f6521ed81de1feb6bfcbd088ac1da0ee6eefdc		\\x01ce327cc91987da7c12f400f2004ed172d36c56b8269103bfa0914e486854f3e3b7d84f61	\\x01ce327cc9c98395940510d305c23a8e1def6e5dcfc414ec27193d621cf92ced0da61bc596
default	dqwrpnpuocbvseo2s5lcpcabne/0	17	1795759772043832		system	chain.tied	ok		f	1	0		\\x	\\x	chain/dqwrpnpuocbvseo2s5lcpcabne/9	1	\\x	\\x01ce327cc9b7d500475d3a6e9d15171fdfa519384a971bfad2228d9b4dd3ca49a87f2abc93		\\x01ce327cc9c98395940510d305c23a8e1def6e5dcfc414ec27193d621cf92ced0da61bc596	\\x01ce327cc9d6752061b63a03ff69b660dc27a67f50ccdea7b9d722ecca51644e0ba1a2fdbf
default	dqwrpnpuocbvseo2s5lcpcabne/0	18	1795759772236652	agrbxh4rp6xfgxxct4iudx6wx4	caller	key.rotated	ok		f	1	0	bdczevazygzpspqixvgmfrttxq	\\x2d539bd9093bb8f9f2fc205c6099db8b	\\x94a02df2d8ee581cefc2d4c268352a2a	key/bdczevazygzpspqixvgmfrttxq	2	\\xd9477b7138d3277a5cfa1789a23367ed44d0e3898946d627a5e8505d2461ac0b	\\x4eb7a11caa0cc681b9710dbb5d300d06236d6b4d02db6c39f284e6e594c1f57f		\\x01ce327cc9d6752061b63a03ff69b660dc27a67f50ccdea7b9d722ecca51644e0ba1a2fdbf	\\x01ce327cc98b7c3752c2fea1221ec662720d9f232a7b811b7693587d8ff8d02c4fb0555973
default	dqwrpnpuocbvseo2s5lcpcabne/0	19	1795759772236652	agrbxh4rp6xfgxxct4iudx6wx4	caller	key.issued	ok	rotateClientEncryptionKey	f	1	205685	mhnvmzwktrxbl7cem7zramec4q	\\x2d539bd9093bb8f9f2fc205c6099db8b	\\x94a02df2d8ee581cefc2d4c268352a2a	key/mhnvmzwktrxbl7cem7zramec4q	1	\\x	\\x032cbf707519fc04087cc94b8e4c88daf7dab9253370daedb43f92cf7441fe0d		\\x01ce327cc98b7c3752c2fea1221ec662720d9f232a7b811b7693587d8ff8d02c4fb0555973	\\x01ce327cc90884f1360afd04d39dbca5fcbcdf1508ae5acc72aace432c05eda844a31e3474
default	dqwrpnpuocbvseo2s5lcpcabne/0	21	1795759772300851	agrbxh4sme5oynb47chmez4uzq	caller	key.issued	ok	generateClientEncryptionKey	f	1	43905	j2fp4zusp6sdo6lwqkl2t6ln34	\\xadb88ab5a8b1d6c0fbc06e67a80f720f	\\x2bb985c2df6eaeaf07f75e1a0c018ebe	key/j2fp4zusp6sdo6lwqkl2t6ln34	1	\\x	\\x0c5e6781a8cc99877bfb98767ffc6c120a844e67af279c1842904e4d71f10a82		\\x01ce327cc9f109ad215a5c306e6a3cda45e21d6485	\\x01ce327cc9c340308fa3f7313672089438623277294864dd2a35fb7490e65d7fc2986225f3
default	dqwrpnpuocbvseo2s5lcpcabne/0	22	1795759772312684	agrbxh4sr662studjbinhhbmce	caller	credential.set	ok	setTransactionPin	f	1	9631	j2fp4zusp6sdo6lwqkl2t6ln34	\\xadb88ab5a8b1d6c0fbc06e67a80f720f	\\x2bb985c2df6eaeaf07f75e1a0c018ebe	credential/wik4kpjvu6uxuxz5blb7ov65y4	1	\\x	\\xcaab931a500b27ca540986abbd6edc152a9b3e4a762186670517b140a9cf12e9		\\x01ce327cc9c340308fa3f7313672089438623277294864dd2a35fb7490e65d7fc2986225f3	\\x01ce327cc98b2c14fd9f8415bf187a7d03691db039155badde347c4345fecd3eb38a803204
default	dqwrpnpuocbvseo2s5lcpcabne/0	27	1795759772364302		system	operations.counted	CREDENTIAL_REJECTED		f	1	3632		\\x	\\x		0	\\x	\\x	setTransactionPin	\\x01ce327cc9cd85e9620d635ab721dff37a0eacc143	\\x01ce327cc9708986c361bf1ad87a848fa0c825abdc72022f3a263a3545e056b4698a291f54
\.


--
-- Data for Name: audit_verdict_2026_11; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.audit_verdict_2026_11 (chain, seq, second, micros, account, data, hash) FROM stdin;
337641473	20	849074972	254289	760454105	\\x01a21b9f925140052a384102f3fb164961db5666ca9c6e15fc4467f3103082e4093bb8f9f2fc205c6099db8b94a02df2d8ee581cefc2d4c268352a2aebe57e95740bbebe24a483c2d19fe9d50202e56800000826769ff5f8ab0155379bc1d648708f18	\\x01ce327cc9f109ad215a5c306e6a3cda45e21d6485
337641473	23	849074972	325693	-1380414795	\\x01a21b9f929bc925f9da3cd534f8ee394e8afe66927fa43779768297a9f96ddfa8b1d6c0fbc06e67a80f720f2bb985c2df6eaeaf07f75e1a0c018ebeee56ddf1a8abc6101c34226b4accd8241202c055000008ef86988998c81afa25c8c20996a96086	\\x01ce327cc9935c6e086fd6c91e6472c60fc4178333
337641473	24	849074972	338096	-1380414795	\\x01a21b9f92a707faa8dbb6907176ffc04e8afe66927fa43779768297a9f96ddfa8b1d6c0fbc06e67a80f720f2bb985c2df6eaeaf07f75e1a0c018ebeee56ddf1a8abc6101c34226b4accd8241204835200000825c8c20996a960865fc05d962a2bf5d1	\\x01ce327cc91746ee1b8c84050ad47eb7a40ea4dbd1
337641473	25	849074972	350239	-1380414795	\\x01a21b9f92b49978651dd977d271d8814e8afe66927fa43779768297a9f96ddfa8b1d6c0fbc06e67a80f720f2bb985c2df6eaeaf07f75e1a0c018ebeee56ddf1a8abc6101c34226b4accd824120681510000085fc05d962a2bf5d145f8bea13f836116	\\x01ce327cc9771f4f611bc8ee57ab089ce38e611546
337641473	26	849074972	362087	-1380414795	\\x01a21b9f92c0594f75c510daaedc4f124e8afe66927fa43779768297a9f96ddfa8b1d6c0fbc06e67a80f720f2bb985c2df6eaeaf07f75e1a0c018ebeee56ddf1a8abc6101c34226b4accd8241208a04e00000845f8bea13f836116720d36d114a85454	\\x01ce327cc9cd85e9620d635ab721dff37a0eacc143
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
default	60000000	1795759740000000	dqwrpnpuocbvseo2s5lcpcabne	12	1	812708	\\x012bb985c2df6eaeaf94a02df2d8ee581c	\\x015f010a010003000101020d0102010e010701
default	3600000000	1795759200000000	dqwrpnpuocbvseo2s5lcpcabne	12	1	812708	\\x012bb985c2df6eaeaf94a02df2d8ee581c	\\x015f010a010003000101020d0102010e010701
default	86400000000	1795737600000000	dqwrpnpuocbvseo2s5lcpcabne	12	1	812708	\\x012bb985c2df6eaeaf94a02df2d8ee581c	\\x015f010a010003000101020d0102010e010701
default	2419200000000	1795046400000000	dqwrpnpuocbvseo2s5lcpcabne	12	1	812708	\\x012bb985c2df6eaeaf94a02df2d8ee581c	\\x015f010a010003000101020d0102010e010701
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
default	uofl6l7edk7gmk7lmjfqz3whz4	PASSCODE	cts7cd2u5ll3o6nqmflym7du2q	1	1795759772008169	1795759772008169	\\x0101e7fb21d645fafcb8c2e57a7f19763b11ce7dc688f75f5fab08779b6e900b5083f2bd337d995c5cd68c0749261c35c55acd2f8bd89c24b1f229f2b681cdd3b94d583e5ffa5579bdd445571656c331b041f35322b3c6ea5595cccf1bd149ca0088ab7a448f6188
default	uofl6l7edk7gmk7lmjfqz3whz4	TRANSACTION_PIN	v6xs4uck5wrdaj3bpn7zum2azu	1	1795759772024001	1795759772024001	\\x0101e7fb21d63a8876a5049092cd2658d320c1bb2cca775e0a50d31793a9f6c9c8141b82d625994e0aa1511c363b6c20c6bb6aaba400f79de7f8bf2592e0e19312d9decbc6278b47f794d326e8ac40bb8e39982911d7a743e8a2fa4f29c61f9da84ac9c5eceaec4e
default	dh7gcxzuuof7mzwge7gd6yd7ly	TRANSACTION_PIN	wik4kpjvu6uxuxz5blb7ov65y4	1	1795759772312684	1795759772312684	\\x0101e7fb21d6cd75e74fc88d2e6dbd9053d1e9b4502e1a31fff9bc64273c678604b7d60e529e532d6e3e80bab394ff4468c1d782b22e66847d13eaf8c7b2155695ea42c790be4fa8777b7328bbc7262bbc632a21572e8b5cd4b6159b236c27c67f908caeda833a13
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
default	uofl6l7edk7gmk7lmjfqz3whz4	bdczevazygzpspqixvgmfrttxq	phone	invalidated	2	RSA-OAEP-256	3072		1795759771946830	0	1795759772236652	0	\\x01ce327cc9e15a604ffa0f683afbf8b468f387ca6dea0a5ab512d38ebc2bebaf6365206df9	\\x308201a2300d06092a864886f70d01010105000382018f003082018a0282018100b5f24c31c6c4ceca17648b0e5c6e290774d3e4b8122491c066ae3c92dbe710ad12d40dc50235217b91e0385ae2138c4663c0c954d2c286930afaa400203e69022203f62cda8300de72c8a8a33eb461f242a5093a94067b484bad2de857e17aa51b6dd43ae51c64a6869ade4f91b7f37779c2b0e22a1847e03dcab7efa1c26f638b044af605486b83253f7f78c245741dbed5e0a1e6af2e20b397ab3a37eb6681b225896bb53140eb858b968b31c2a4439077237038d8d79939e63caa74fa833354d0c4d6fd1d0444992f05ccc5af47e7971aee902b724f5cf6e3a960bd75894e506f69d5e3042587f1dc2f9b71be6f892acfb060c884c1acb8ac7f965432f8361c6f9518436aa8e5e4e902df88792d6f25cc682109d0680b75c3fd723a47e4009d7840620f40a89bd9a30e71221a0fad7364c074ce7b66dd339063d217778e4d70da54b7b2b3bd1f8a9d35e205e42e11ae249c2086831245cd456d871a2ab17a27dd4dd61cc8aac8e39cb71d03422438c1eaf6a2812e7783cc8aa0d337dbb5270203010001	\\x	
default	uofl6l7edk7gmk7lmjfqz3whz4	mhnvmzwktrxbl7cem7zramec4q	phone	active	1	RSA-OAEP-256	3072		1795759772236652	0	0	0	\\x01ce327cc9e9917583083b749dd465319edde548d0d6a0af9efad7a0d00c387aea7d714b6f	\\x308201a2300d06092a864886f70d01010105000382018f003082018a0282018100e449f2add5a51b3c4147cd6490182998163d977e507849409034b62c7b060ba75c62d3c134c0ce1fd66c456419726023a2ec33ef8634a9fc583527e7994e427ac40dff5f46b725ff8321aae0bec9cac8437245805443945ed14cee41f68bdbf7134ddc0655f944f722084de22ed44e7704dbe51949159b8de234725ad72fe754b3a745ceafc8b8abbbd04cea2fa010bdaab47c65d43f15b949aba29150f974b8d2ff5cd2d8e3273ec6fd5a9f1e27a779339b20ad9dcc513db7c5ca10b6e43223109647bf8daecff8ab17da9f07bf81f9d06d02259b263488fc80b3e36dee1410e1a83277f21edfa3f006c1667779119021d5461a927344fb5ea85a057cbdab8d37fc462a041eee2e7090dec25a6c6c93a9c1de54f232654826e19414800e44cd4f79abfb87b728a7efe1fb7a70ff284cf3b98d291127b0ab9df75b08b0b244beef0c71167ccdbda9fdd45135609a484881d0b2dbc917c2b1a22e2cba4add53d3a96d898e95f28437e9bcd599ab2a4456369e4dacd5a813ff420d441e26e375d30203010001	\\x0101e7fb21d617ddaf6ec166c09c10fd0c25e711e0f2bdeda1ec4d3ea86bba2a93291b5ee14c6b05006333279ace87fefd43950453fa3f4b71e4ae8c73fef7de881217fa56eab73462fbe5b538f89deb3e0b537912d63325dc30fa30cf28c766a7283690c9f45e36b861d7b9d4b78af9f8b0ed7f00c07bbf81760ed1c529a55b817ba703d71b7acd3bad1ff37ae49c4b0cb5ef106b1fa7f27f7d10ad48044507c4e75b36985bea39ea5c6926c7cd1b42229abc16ac513c354f6c94e84bb055f5a235cbf0b4d552f612d06457e7d126986e31feaf6e445cd7c217955334b28946b435bdd7c8939586675e9860a5d52b81698026170a7ff1fc100989e4c21f105e3aa77ca62b15758351fb1b51c0ddb01b2e3c2cf24a6cc0354766f74082501812ab8fe0c69f98414facbc4e77d62a5fa242df1203bb56d20db965acc23168a15df4ca94e994b851565f163e82b9bf38861374b4654226be27b177d8d85b56d43bf6626eef846322b580d8c50da77e4573b6787f829ec050d349a27fd6a1d899dc06f2df3b445cfd1cc45137f171018aaa8dfe7d4b457bc427b28ea18db293b8ac9cb8dbb2bfaa8a4b4a5df658a69aab	
default	dh7gcxzuuof7mzwge7gd6yd7ly	j2fp4zusp6sdo6lwqkl2t6ln34	tablet	active	1	RSA-OAEP-256	3072		1795759772300851	0	0	0	\\x01ce327cc97bd692e9744d693e107f4ced1578275926b33b2812f63aeb7b96b4c4d275d20f	\\x308201a2300d06092a864886f70d01010105000382018f003082018a0282018100ad0db5667a20193f4c999283174a731575d6104b8851e950b6e2abaa48d6c0f47eb9bdc8be2f55cd257fe174ca010e8214a55ceb0990a7a860d08240e1fc0963d5fa935b286637f82ad85644a3180c6b30197e394bb3851749542c357d0bcd3c774f5253c12e03edd03cad77d1676a016aac280161d9b61a7a489e7995fe5e9282b25c815b31a9727a62db190c4fbe1d993b58d981976dee82ca358eadce078a88f4060b6e4787867a47b3c5c04c42ae8ae8129c5db4d91fc142dbf6aab3b26373fc7a53a878224185bbccaec75b68ad8adabcb665240863034b55afaa8e7520547e2d1bde6472e7c5f6b83e0ced9def3d117fc9702486a9aac750f03d8f8b6b5e027924027b870e307e022a83d12a6baae6628d2efb3f86aa083e0442098e3793efb5820a4e7149a8d294c3bb03d0af9a6b0ad1178902d3482bc808ff2779e41b9d95c2a21b0848aeddcc8edefa62f8cfe729f35637b7b62382f570e082b90d88d53e818e03b9be122e64f6eed0e6ef3acea2246d7a0bda9a8da9c7898fba850203010001	\\x0101e7fb21d6f50cf57d55f482de75860c1e1223b2bf43aae7dadee2b00c4db7db27b59a7483b2a6d11b0cb6ee9ed84a697c0ab72c93db0ae914781ae970eeab8d47e47752f6c7b16ebfc24cebc493248fe7db0164e1b09fbafdea859685423e59b07031d6f1548efbc85f988d95fca18c51d3973f442ea8a81ab2dc0ab6372ff39b84760cbf3a924938f94812c1b99de4ffc1c0f6e824e4bae833c6da1b5def3255a3fe0111d8eec79b9c1da031f791b5d124d0c06daf02b4d54cdb511defb8e8686136627e53716ff30a06554afa8e190473a7b3daaa9ec0de7cfe0270f0e02e60869125280a464efd7ea2efff45c887a5989d5e894113bccfa1cee18b28477ee61c1f0ad06c9208e58f7509f16d907ca6aace4638f2631d4638203a19aad679d2656eaa37012317e0f4811c3db91f099ffd70c0ab990a790fd130fb58efe96b8f8007989d45dff25bc28ab1e5d44cde0c8f3bed06e47442fac76b1d9c14f26de59e5c365a98a870f15107fdceb55eb5213b43bc12764b4d5548d79346483db6fc986520029a37bb9c878e00e5031b1db9fb28f5b1738d89574ecd10941cfbcc847580a76601ab037adb9875ee55	
\.


--
-- Data for Name: key_account; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.key_account (tenant, key_id, account_id) FROM stdin;
default	bdczevazygzpspqixvgmfrttxq	uofl6l7edk7gmk7lmjfqz3whz4
default	mhnvmzwktrxbl7cem7zramec4q	uofl6l7edk7gmk7lmjfqz3whz4
default	j2fp4zusp6sdo6lwqkl2t6ln34	dh7gcxzuuof7mzwge7gd6yd7ly
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
default	uofl6l7edk7gmk7lmjfqz3whz4	bdczevazygzpspqixvgmfrttxq	1795759200000000
default	uofl6l7edk7gmk7lmjfqz3whz4	mhnvmzwktrxbl7cem7zramec4q	1795759200000000
default	dh7gcxzuuof7mzwge7gd6yd7ly	j2fp4zusp6sdo6lwqkl2t6ln34	1795759200000000
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
4097083626	f	\N	\N	\N	2026-11-27 06:09:31.432202+00
\.


--
-- Data for Name: schema_version; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.schema_version (id, version_id, is_applied, tstamp) FROM stdin;
1	0	t	2026-11-27 06:09:31.274902
2	1	t	2026-11-27 06:09:31.297114
3	2	t	2026-11-27 06:09:31.348108
4	3	t	2026-11-27 06:09:31.378623
5	4	t	2026-11-27 06:09:31.378954
6	5	t	2026-11-27 06:09:31.395907
7	6	t	2026-11-27 06:09:31.396969
8	7	t	2026-11-27 06:09:31.40186
9	8	t	2026-11-27 06:09:31.402631
10	9	t	2026-11-27 06:09:31.407403
11	10	t	2026-11-27 06:09:31.413605
12	11	t	2026-11-27 06:09:31.426305
13	12	t	2026-11-27 06:09:31.427557
14	13	t	2026-11-27 06:09:31.427838
15	14	t	2026-11-27 06:09:31.431004
\.


--
-- Data for Name: setting; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.setting (tenant, name, value) FROM stdin;
default	epoch	\\x31
default	keyset	\\x7b226b6579736574223a7b2267656e65726174696f6e223a312c22646174614b657973223a5b7b226964223a333839313939353039342c226d6163223a333435393431353234312c227072696d617279223a747275657d5d2c227772617073223a5b7b22726f6f744b6579223a2234636565376363643939613739613365222c2275726c223a2266696c653a2f746d702f546573744461746162617365734f664561726c69657256657273696f6e734f70656e313338353634393534382f3030322f646174612f726f6f742e6b6579222c2261646465644174223a22323032362d31312d32375430363a30393a33312e34333937385a222c226b6579223a225455362b4b5734475a564f38524f4856674854666e33343743484b59706d4b614f7669684e79717774546a753437657a6555756767553558354a7a69732b6573732b6c54744c636c42686f6d41656a6e562f304667756470672f674971366e66222c226b6579736574223a22725468542b4e4a7a3431567968496b5a50475a554c5749464f48444a6f59554f6b4542395934384e7959473869714161787574414e5864664770616e4636416c70665377774938517468315748624e49624f4a545176303655364e5a4266446e75593870377670456776417943756f4770695a4a6f7972796e77662f70637874432f6e585a7234464a7032466d44797a314a7750774a456e4d6a43746e4f4d503175584d58677a7235504c344671652b464a51394a466746596434676b45326e772f56696348474d733549414e66304741424869536a3068387753387730643169734e45316f7633654f4661762b6f4f7a34796765697a646362523042506c654c73373842306e70544172347867755037366952686954314c70556a6f52617454662b387a4e4f36627a375652533439695457546b7a56784654644b6c613563302f6f62766f642f32486e4b346b43633652487333707757724f4179533951565843325868333961227d5d7d2c226d6163223a2241633479664d6b4c5871754e61745873614e746a6b484e417071392f733036474672416432322f49536236556745783955773d3d227d
default	account_mode	\\x646576696365
default	audit_chain	\\x627178736a61703773366668663667687975667334673266666d
default	witness/3a58215b9182fdf1332b67bfd27eaeaa	\\x0006613be747d2f1
default	metrics.folded/dqwrpnpuocbvseo2s5lcpcabne/2	\\x0000000000000001
default	metrics.folded/dqwrpnpuocbvseo2s5lcpcabne/3	\\x0000000000000001
default	metrics.folded/dqwrpnpuocbvseo2s5lcpcabne/4	\\x0000000000000001
default	metrics.folded/dqwrpnpuocbvseo2s5lcpcabne/5	\\x0000000000000001
default	metrics.folded/dqwrpnpuocbvseo2s5lcpcabne/6	\\x0000000000000001
default	metrics.folded/dqwrpnpuocbvseo2s5lcpcabne/7	\\x0000000000000001
default	metrics.folded/dqwrpnpuocbvseo2s5lcpcabne/8	\\x0000000000000001
default	metrics.folded/dqwrpnpuocbvseo2s5lcpcabne/9	\\x0000000000000001
default	metrics.folded/dqwrpnpuocbvseo2s5lcpcabne/10	\\x0000000000000001
default	metrics.folded/dqwrpnpuocbvseo2s5lcpcabne/11	\\x0000000000000001
default	audit_tied	\\x0006613be7508a38
default	metrics.folded/dqwrpnpuocbvseo2s5lcpcabne/0	\\x000000000000001b
default	metrics.folded/dqwrpnpuocbvseo2s5lcpcabne/1	\\x0000000000000002
default	beat/dqwrpnpuocbvseo2s5lcpcabne	\\x2501ce327cc9321eb05583d1d41e6ffb0da8f58d19b5fe3357fa9d3e87e1237688b285f0a05e7b22696e7374616e6365223a2264717772706e70756f63627673656f3273356c63706361626e65222c226e756d626572223a322c226174223a313739353735393737323336363334322c22636f6e646974696f6e223a22656e646564222c226865616473223a7b2230223a32372c2231223a322c223130223a312c223131223a312c2232223a312c2233223a312c2234223a312c2235223a312c2236223a312c2237223a312c2238223a312c2239223a317d2c2272656164223a6e756c6c7d
\.


--
-- Data for Name: signing_key; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.signing_key (tenant, number, id, algorithm, version, created_at, active_from, erased_at, mac, public_key, sealed) FROM stdin;
default	1	Ga-N7OeflQbDngipQU_sz5esqdqj3ITDfIWcSLKq7RA	ES256	1	1795759771477708	1795759771477708	0	\\x01ce327cc9a96d69e20d4d33ca03b1218cde298c50e288927dd2d8d8025dd981da289e7f79	\\x3059301306072a8648ce3d020106082a8648ce3d030107034200046bf5dbd08c6ab8fc870b89399b8d1398298100ca2ee63dccfcb98ddad6be8c57ff0cab8f6d14ec9265b7872be39931942f6425fbd45d13e2f7d1688461b7481c	\\x0101e7fb21d64a7e9e2388745f2753cf826028e7d87cf4fdcef6f607fb324d14416a715b7a1154f7b0b5482465ae79fc65d4d97fde48d71e57cce225d8fbe504a4e0ddf532360a1762d149733fc5473f4a3a6a816ea858783493795eb3277b822851a0ad87afc32a2903d3a80b4061781de6ee008326ba1abb4fa78e8b37eb9b48f7065938cbe3d7b1fd1458af17aef57100b1f11e980ef465a06dad0ade480a124d9f13a7806c2a5ef630b3a6d7d58838aa561f01c159c8
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

\unrestrict h6mwiRxG1PfYFP6oKQ92biHE6AlOIqm7tM9Ij8mpdWxvh8XimhlbpXxYTleUSva

