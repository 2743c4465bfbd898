--
-- PostgreSQL database dump
--

\restrict ksRPKd0OPxwTuKwqod5sBoI1txwIPDhKAGpPdUkHxFJFkQ4MCKas1KYV7iIfOsb

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
default	24dti5epevsizq3c4nrb44wdku	device		phone	1795868520861539
default	hfoht4jarq3tnrkvwxgocovfte	device		tablet	1795868521242520
\.


--
-- Data for Name: attempts; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.attempts (tenant, account_id, type, id, version, failures, locked_until, permanent, recent, pending, mac, verified_at, verified_by, devices, locked_to) FROM stdin;
default	24dti5epevsizq3c4nrb44wdku	TRANSACTION_PIN	fgtop7tipzbltrnf3qyipn7u3i	2	0	0	f	[]	[]	\\x01c492602549b10bd62223ed28e0a1357c41af08b06c5e5fb56158e439614c7cea7f60e105	1795868521018591		[]	0
default	hfoht4jarq3tnrkvwxgocovfte	TRANSACTION_PIN	rhea3mief36btetk45j7s5nlgu	8	4	0	f	[1795868521271764,1795868521286416,1795868521300091,1795868521312795]	[]	\\x01c4926025743669cb563d54ae68e40bf9452b47b9b96f40824d7d46c9dd615120f40b29da	0		[]	0
\.


--
-- Data for Name: audit_chain; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.audit_chain (tenant, name, number, form) FROM stdin;
default	gt4la4zss3kfdwffy3t25rtuq4	337641472	2
default	rpk7rbw57am6d5lwgjv44ltczm/0	337641473	2
default	rpk7rbw57am6d5lwgjv44ltczm/1	337641474	2
default	rpk7rbw57am6d5lwgjv44ltczm/2	337641475	2
default	rpk7rbw57am6d5lwgjv44ltczm/3	337641476	2
default	rpk7rbw57am6d5lwgjv44ltczm/4	337641477	2
default	rpk7rbw57am6d5lwgjv44ltczm/5	337641478	2
default	rpk7rbw57am6d5lwgjv44ltczm/6	337641479	2
default	rpk7rbw57am6d5lwgjv44ltczm/7	337641480	2
default	rpk7rbw57am6d5lwgjv44ltczm/8	337641481	2
default	rpk7rbw57am6d5lwgjv44ltczm/9	337641482	2
default	rpk7rbw57am6d5lwgjv44ltczm/10	337641483	2
default	rpk7rbw57am6d5lwgjv44ltczm/11	337641484	2
\.


--
-- Data for Name: audit_log; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.audit_log (tenant, chain, seq, "time", request_id, actor, event, outcome, operation, failed, count, duration, key_id, account, device, record, version, before, digest, reason, prev, hash) FROM stdin;
default	gt4la4zss3kfdwffy3t25rtuq4	1	1795868520491214		system	store.initialised	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01c4926025396a4694d937ff9b3189dc55a6c937439d6f3e279b6b1b8046ea428c543ba403
default	rpk7rbw57am6d5lwgjv44ltczm/0	1	1795868520527956		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01c492602554c3dd95050eedac081f773fc1b924e101d429e0c09fa9a42b5481e7d410a84f
default	rpk7rbw57am6d5lwgjv44ltczm/1	1	1795868520527956		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01c4926025030b9d76f6d4cf7f6ff04399b674d33713e6e1e95227d42e69f9fc98d3d94436
default	rpk7rbw57am6d5lwgjv44ltczm/2	1	1795868520527956		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01c492602549dfe61711a575ec55bb0ef53b8a6d4eeee757fdad65b69fab7b46b81479cd65
default	rpk7rbw57am6d5lwgjv44ltczm/3	1	1795868520527956		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01c49260252d6e48b439bf204183e75ce67e46d78c6bed5d3939e117e7d8a470dfebc24233
default	rpk7rbw57am6d5lwgjv44ltczm/4	1	1795868520527956		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01c492602524be780eb4604f1ce82075265b5075810278f16c7d0331876b989909d643cbb4
default	rpk7rbw57am6d5lwgjv44ltczm/5	1	1795868520527956		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01c492602568d9da3c789c66bf29c46544b4e09fcd293e09701083659c0fae0973e6d805ef
default	rpk7rbw57am6d5lwgjv44ltczm/6	1	1795868520527956		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01c49260254ba39150a6ec097e1a67a4d7ed28118266791cae61147b7befa60390969fa9c0
default	rpk7rbw57am6d5lwgjv44ltczm/7	1	1795868520527956		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01c49260250bc0353f436626ae59b42f376bb86f13f371023975b82f0b9f93e7530cc44734
default	rpk7rbw57am6d5lwgjv44ltczm/8	1	1795868520527956		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01c4926025e15fa7e00f59764ae28d0c6d75527792d51638cad3bec1957686401f5431ea54
default	rpk7rbw57am6d5lwgjv44ltczm/9	1	1795868520527956		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01c49260259c8ff48bda30390ed05bff2a6677b952af598207dc746fd488fef4497581c423
default	rpk7rbw57am6d5lwgjv44ltczm/10	1	1795868520527956		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01c4926025b550a813aebef09a36727397b648613328538939879d368e4584900707d2811d
default	rpk7rbw57am6d5lwgjv44ltczm/11	1	1795868520527956		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01c4926025a83738e29f13dbe6424bd100a88ea9d104414288f865d090aa8b0402b9689d3f
default	rpk7rbw57am6d5lwgjv44ltczm/0	2	1795868520539658		system	witness.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x	vm:/tmp/TestDatabasesOfEarlierVersionsOpen1689175330/002/data.witness	\\x01c492602554c3dd95050eedac081f773fc1b924e101d429e0c09fa9a42b5481e7d410a84f	\\x01c4926025faf2d86afb1800b238b16fc7e799a82244b269eaf073333c1f414cf05c6a40a7
default	rpk7rbw57am6d5lwgjv44ltczm/0	3	1795868520550989		system	signing_key.created	ok		f	1	0		\\x	\\x	signing-key/1	0	\\x	\\x	kid p8k4scqiVJXAOHHRX6qfCxswdovJOZmb9s5zBRLE8o4	\\x01c4926025faf2d86afb1800b238b16fc7e799a82244b269eaf073333c1f414cf05c6a40a7	\\x01c4926025e6d6f61336e52a257f02580f8041d271fa6b59e50895fc5b3c52f6def1ac3a94
default	rpk7rbw57am6d5lwgjv44ltczm/0	4	1795868520861539	agrcegxquhly7chelm3lwtxoxu	caller	key.issued	ok	generateClientEncryptionKey	f	1	252930	nybfm77c26zyvx2u4x4hozsngq	\\xaa950ab15883a1669bc4be68f1a9016c	\\xd5786ce0278b7d9c38dfd87d989aaad9	key/nybfm77c26zyvx2u4x4hozsngq	1	\\x	\\xe0c8c9e0f717ba8b1c00411fe176edf57eab0a0ceb0f9e609d2905193c78631f		\\x01c4926025e6d6f61336e52a257f02580f8041d271fa6b59e50895fc5b3c52f6def1ac3a94	\\x01c49260258e632ad985b16b3e0486579068757e5bf0176bd42e84c69dc9f84c9538e3f4e0
default	rpk7rbw57am6d5lwgjv44ltczm/0	5	1795868520884045	agrcegxruwz4lhzpdrax7c2wta	caller	credential.set	ok	setUserPasscode	f	1	15857	nybfm77c26zyvx2u4x4hozsngq	\\xaa950ab15883a1669bc4be68f1a9016c	\\xd5786ce0278b7d9c38dfd87d989aaad9	credential/gztujzw72dpmezs6nniwtcukde	1	\\x	\\x80733229abb1301b44e16463bed4b8462d8df584123f9afc37ca70e9e6d74b1d		\\x01c49260258e632ad985b16b3e0486579068757e5bf0176bd42e84c69dc9f84c9538e3f4e0	\\x01c4926025b1878392764fc44d1d4f4d0a84f31fcaa627341ad323d2744df381de5fbf7089
default	rpk7rbw57am6d5lwgjv44ltczm/0	6	1795868520901213	agrcegxrxdf3yetqahz6mvellm	caller	credential.set	ok	setTransactionPin	f	1	13841	nybfm77c26zyvx2u4x4hozsngq	\\xaa950ab15883a1669bc4be68f1a9016c	\\xd5786ce0278b7d9c38dfd87d989aaad9	credential/gyx4kdjdshh3uhlssho2o7j2d4	1	\\x	\\xc88e89da322fae52727ddfb5efe26d95c22c7fe3970697557b707ec75967e0a5		\\x01c4926025b1878392764fc44d1d4f4d0a84f31fcaa627341ad323d2744df381de5fbf7089	\\x01c492602516ac5e501561c61c5110936b1ce7b5094871576cbeea656f9739285380306e6e
default	rpk7rbw57am6d5lwgjv44ltczm/0	7	1795868520985905	agrcegxrzswdi2exs3j3badhxq	caller	key.rotated	ok		f	1	0	nybfm77c26zyvx2u4x4hozsngq	\\xaa950ab15883a1669bc4be68f1a9016c	\\xd5786ce0278b7d9c38dfd87d989aaad9	key/nybfm77c26zyvx2u4x4hozsngq	2	\\xe0c8c9e0f717ba8b1c00411fe176edf57eab0a0ceb0f9e609d2905193c78631f	\\x687a11c2843211467f208a789a67c22bb8713da32b3320be4dcc23a9d168b579		\\x01c492602516ac5e501561c61c5110936b1ce7b5094871576cbeea656f9739285380306e6e	\\x01c49260250a555b2f027591f5ac14b24d710c45c8bccdee62336d47284f501dbfcf265740
default	rpk7rbw57am6d5lwgjv44ltczm/0	8	1795868520985905	agrcegxrzswdi2exs3j3badhxq	caller	key.issued	ok	rotateClientEncryptionKey	f	1	78127	i7ni3ttp7j5s5k2xoujl7762z4	\\xaa950ab15883a1669bc4be68f1a9016c	\\xd5786ce0278b7d9c38dfd87d989aaad9	key/i7ni3ttp7j5s5k2xoujl7762z4	1	\\x	\\xe645bfbf4bbdd0fe07d385caa9e9752d6e6879f1befda20681b9279ed537bb63		\\x01c49260250a555b2f027591f5ac14b24d710c45c8bccdee62336d47284f501dbfcf265740	\\x01c49260252d6ddfdfd5fa1ce98fd0057aae17c6ac8124a5c84628de816b3b5fc1c10fc8fd
default	rpk7rbw57am6d5lwgjv44ltczm/0	10	1795868521093922		system	operations.counted	CREDENTIAL_REJECTED		f	1	3443		\\x	\\x		0	\\x	\\x	setTransactionPin	\\x01c4926025f5b95698de170411314a136048132c72	\\x01c492602531733c6bed07f8c9a51575de704b6acc3df826436aedb9ad237faa202b3b7daa
default	rpk7rbw57am6d5lwgjv44ltczm/0	11	1795868521114212		system	chain.tied	ok		f	1	0		\\x	\\x	chain/gt4la4zss3kfdwffy3t25rtuq4	1	\\x	\\x01c4926025396a4694d937ff9b3189dc55a6c937439d6f3e279b6b1b8046ea428c543ba403		\\x01c492602531733c6bed07f8c9a51575de704b6acc3df826436aedb9ad237faa202b3b7daa	\\x01c492602508b6267101fad070e5de422ad2b30ab36894aa9e5ba159b9f72989e4fc03e4e7
default	rpk7rbw57am6d5lwgjv44ltczm/0	12	1795868521114212		system	chain.tied	ok		f	1	0		\\x	\\x	chain/rpk7rbw57am6d5lwgjv44ltczm/1	1	\\x	\\x01c4926025030b9d76f6d4cf7f6ff04399b674d33713e6e1e95227d42e69f9fc98d3d94436		\\x01c492602508b6267101fad070e5de422ad2b30ab36894aa9e5ba159b9f72989e4fc03e4e7	\\x01c4926025288a0050d4418c119252680a9de3f29177a4a57d84a07cfeb9893cc6212b02d4
default	rpk7rbw57am6d5lwgjv44ltczm/0	13	1795868521114212		system	chain.tied	ok		f	1	0		\\x	\\x	chain/rpk7rbw57am6d5lwgjv44ltczm/10	1	\\x	\\x01c4926025b550a813aebef09a36727397b648613328538939879d368e4584900707d2811d		\\x01c4926025288a0050d4418c119252680a9de3f29177a4a57d84a07cfeb9893cc6212b02d4	\\x01c49260254a15586c87750493562c535f336cc5a64916dbdee34ed5de470316498b98ebed
default	rpk7rbw57am6d5lwgjv44ltczm/0	14	1795868521114212		system	chain.tied	ok		f	1	0		\\x	\\x	chain/rpk7rbw57am6d5lwgjv44ltczm/11	1	\\x	\\x01c4926025a83738e29f13dbe6424bd100a88ea9d104414288f865d090aa8b0402b9689d3f		\\x01c49260254a15586c87750493562c535f336cc5a64916dbdee34ed5de470316498b98ebed	\\x01c4926025f703d2b54241d72c86e5e6109756f92158b4a5cd611a03d3d4f8d1b45328497b
default	rpk7rbw57am6d5lwgjv44ltczm/0	15	1795868521114212		system	chain.tied	ok		f	1	0		\\x	\\x	chain/rpk7rbw57am6d5lwgjv44ltczm/2	1	\\x	\\x01c492602549dfe61711a575ec55bb0ef53b8a6d4eeee757fdad65b69fab7b46b81479cd65		\\x01c4926025f703d2b54241d72c86e5e6109756f92158b4a5cd611a03d3d4f8d1b45328497b	\\x01c492602523c10fed316bea337691852cb85c0ee96745e15e220fc6a53d8621edf80bc371
default	rpk7rbw57am6d5lwgjv44ltczm/0	16	1795868521114212		system	chain.tied	ok		f	1	0		\\x	\\x	chain/rpk7rbw57am6d5lwgjv44ltczm/3	1	\\x	\\x01c49260252d6e48b439bf204183e75ce67e46d78c6bed5d3939e117e7d8a470dfebc24233		\\x01c492602523c10fed316bea337691852cb85c0ee96745e15e220fc6a53d8621edf80bc371	\\x01c4926025c1416fdbbaaeeda1194bd424322d1e98b1e341dcfa1fa9e3963ab7584ce26796
default	rpk7rbw57am6d5lwgjv44ltczm/0	17	1795868521114212		system	chain.tied	ok		f	1	0		\\x	\\x	chain/rpk7rbw57am6d5lwgjv44ltczm/4	1	\\x	\\x01c492602524be780eb4604f1ce82075265b5075810278f16c7d0331876b989909d643cbb4		\\x01c4926025c1416fdbbaaeeda1194bd424322d1e98b1e341dcfa1fa9e3963ab7584ce26796	\\x01c4926025216d77d4983c1ca038ef83bc79c111ba38c7fa493027ce8e6b5a8bd8205f1d25
default	rpk7rbw57am6d5lwgjv44ltczm/0	18	1795868521114212		system	chain.tied	ok		f	1	0		\\x	\\x	chain/rpk7rbw57am6d5lwgjv44ltczm/5	1	\\x	\\x01c492602568d9da3c789c66bf29c46544b4e09fcd293e09701083659c0fae0973e6d805ef		\\x01c4926025216d77d4983c1ca038ef83bc79c111ba38c7fa493027ce8e6b5a8bd8205f1d25	\\x01c4926025395430cc7fa7d00250ecfa3c383ee159f4f120a6eb5dd5b8c25490179a85d9b5
default	rpk7rbw57am6d5lwgjv44ltczm/0	19	1795868521114212		system	chain.tied	ok		f	1	0		\\x	\\x	chain/rpk7rbw57am6d5lwgjv44ltczm/6	1	\\x	\\x01c49260254ba39150a6ec097e1a67a4d7ed28118266791cae61147b7befa60390969fa9c0		\\x01c4926025395430cc7fa7d00250ecfa3c383ee159f4f120a6eb5dd5b8c25490179a85d9b5	\\x01c49260251afd3503dbb55db40961301c58a3bde9fc273d4762be748a444871227de159e8
default	rpk7rbw57am6d5lwgjv44ltczm/0	20	1795868521114212		system	chain.tied	ok		f	1	0		\\x	\\x	chain/rpk7rbw57am6d5lwgjv44ltczm/7	1	\\x	\\x01c49260250bc0353f436626ae59b42f376bb86f13f371023975b82f0b9f93e7530cc44734		\\x01c49260251afd3503dbb55db40961301c58a3bde9fc273d4762be748a444871227de159e8	\\x01c4926025b577d4aea12293c7afbd07b8117b36d25249d18b1fb2fcc2880190569587f4e7
default	rpk7rbw57am6d5lwgjv44ltczm/0	21	1795868521114212		system	chain.tied	ok		f	1	0		\\x	\\x	chain/rpk7rbw57am6d5lwgjv44ltczm/8	1	\\x	\\x01c4926025e15fa7e00f59764ae28d0c6d75527792d51638cad3bec1957686401f5431ea54		\\x01c4926025b577d4aea12293c7afbd07b8117b36d25249d18b1fb2fcc2880190569587f4e7	\\x01c4926025b5920961d6f838798fd7bff69e40b3c6c471f6ed51946e6d88ed3e8105e86ece
default	rpk7rbw57am6d5lwgjv44ltczm/0	22	1795868521114212		system	chain.tied	ok		f	1	0		\\x	\\x	chain/rpk7rbw57am6d5lwgjv44ltczm/9	1	\\x	\\x01c49260259c8ff48bda30390ed05bff2a6677b952af598207dc746fd488fef4497581c423		\\x01c4926025b5920961d6f838798fd7bff69e40b3c6c471f6ed51946e6d88ed3e8105e86ece	\\x01c4926025714f35b438fa165ab043982a1dffeb55d13b2e58de0682ae833049f012b65f2d
default	rpk7rbw57am6d5lwgjv44ltczm/0	23	1795868521242520	agrcegxshxoaa4nj6e47fxnbdq	caller	key.issued	ok	generateClientEncryptionKey	f	1	222385	pdxaavs6qycnnxbbdbofqnooty	\\xbc5b16477064a3d8e3abeaaf69fe80c7	\\x7d6793e61a7d9cb795f2c5b1bd2ed84e	key/pdxaavs6qycnnxbbdbofqnooty	1	\\x	\\xb6c57e0f6604a4075cbc0ba9264f7f271e2a68450a48991863875e4d2a4bc0b5		\\x01c4926025714f35b438fa165ab043982a1dffeb55d13b2e58de0682ae833049f012b65f2d	\\x01c4926025d641002bb3c851ce276be3fe54c461d370acecc6a5265ccc2444c74de470fe40
default	rpk7rbw57am6d5lwgjv44ltczm/0	24	1795868521257930	agrcegxtd6myyyvanjsis3vlvu	caller	credential.set	ok	setTransactionPin	f	1	10816	pdxaavs6qycnnxbbdbofqnooty	\\xbc5b16477064a3d8e3abeaaf69fe80c7	\\x7d6793e61a7d9cb795f2c5b1bd2ed84e	credential/x6cwwuz3zqfs37fxkveyxzyw24	1	\\x	\\xdedd726f041e62ef2987889c4e35d8116d5864c2d6c3a99827e4d5f986218369		\\x01c4926025d641002bb3c851ce276be3fe54c461d370acecc6a5265ccc2444c74de470fe40	\\x01c49260251e4f2cd17d2690c39fb7bc264a5a016f33bd030913f5818f2b8dd04bc95c28a0
\.


--
-- Data for Name: audit_verdict_2026_11; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.audit_verdict_2026_11 (chain, seq, second, micros, account, data, hash) FROM stdin;
337641473	9	849183721	18591	-1433072975	\\x01a2221af2254c0cfd8bd9a7cd0c62e747da8dce6ffa7b2eab577512bfffdacf5883a1669bc4be68f1a9016cd5786ce0278b7d9c38dfd87d989aaad929a6e7fe687e42b9c5a5dc3087b7f4da0202b9a201000008664e23dd16399832171bcad56afd64db	\\x01c4926025f5b95698de170411314a136048132c72
337641473	25	849183721	271764	-1134881209	\\x01a2221af32caeabc1668949a2c99bd878ee00565e8604d6dc21185c5835ce9e7064a3d8e3abeaaf69fe80c77d6793e61a7d9cb795f2c5b1bd2ed84e89c80db1042efc19926ae753f975ab3512029358000008ee5149113904748dacfce0da313c93c8	\\x01c49260252baef2f09f250b9bbc0c35d7fce300f2
337641473	26	849183721	286416	-1134881209	\\x01a2221af33a1e5e6cb29ca414268ba878ee00565e8604d6dc21185c5835ce9e7064a3d8e3abeaaf69fe80c77d6793e61a7d9cb795f2c5b1bd2ed84e89c80db1042efc19926ae753f975ab351204ed5c000008acfce0da313c93c8d2da5f00fda2d872	\\x01c492602550f5b2be4ac30d9e81d6497beb5db73a
337641473	27	849183721	300091	-1134881209	\\x01a2221af348c7072d435747b73fab2578ee00565e8604d6dc21185c5835ce9e7064a3d8e3abeaaf69fe80c77d6793e61a7d9cb795f2c5b1bd2ed84e89c80db1042efc19926ae753f975ab351206e859000008d2da5f00fda2d872e88d9a4e8561a6af	\\x01c4926025c675c582af8b8a5e71d844561ecabef7
337641473	28	849183721	312795	-1134881209	\\x01a2221af35612ad4ca4ec943f91828278ee00565e8604d6dc21185c5835ce9e7064a3d8e3abeaaf69fe80c77d6793e61a7d9cb795f2c5b1bd2ed84e89c80db1042efc19926ae753f975ab351208ad54000008e88d9a4e8561a6af7512ed3b5da1a809	\\x01c49260252b4d0411bad5f4a7335941eb9c74a148
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
default	86400000000	1795824000000000	rpk7rbw57am6d5lwgjv44ltczm	12	1	663653	\\x017d6793e61a7d9cb7d5786ce0278b7d9c	\\x015e010d0400010101000102010f010b010001
default	2419200000000	1795046400000000	rpk7rbw57am6d5lwgjv44ltczm	12	1	663653	\\x017d6793e61a7d9cb7d5786ce0278b7d9c	\\x015e010d0400010101000102010f010b010001
default	60000000	1795868520000000	rpk7rbw57am6d5lwgjv44ltczm	12	1	663653	\\x017d6793e61a7d9cb7d5786ce0278b7d9c	\\x015e010d0400010101000102010f010b010001
default	3600000000	1795867200000000	rpk7rbw57am6d5lwgjv44ltczm	12	1	663653	\\x017d6793e61a7d9cb7d5786ce0278b7d9c	\\x015e010d0400010101000102010f010b010001
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
default	24dti5epevsizq3c4nrb44wdku	PASSCODE	gztujzw72dpmezs6nniwtcukde	1	1795868520884045	1795868520884045	\\x0101c2d8c44dbf924fe3f9e1bc24e9ccddccfa0b86458ca0efe3526a383f1a5c1b0863189ad3cd93150dcca944290cb1f209f07b646a41a01e1158d09182dd8d71e9164a7eef3f42283f0d1ebadca55c96682ea1306c6a9ff974c52fd74d5dbcc3ef3a0f5211b713
default	24dti5epevsizq3c4nrb44wdku	TRANSACTION_PIN	gyx4kdjdshh3uhlssho2o7j2d4	1	1795868520901213	1795868520901213	\\x0101c2d8c44dd84213dd5085e9da147a01beaeb9013b4e831653f217b555133886d4f32f9c0d66b24ba93d67c16d565c854eaca7e5fbea5720a95ff519cca36d2e3e5440a6dc60e15ae5849ad8c2205e9546c93155614d5f4bddd9fe09709991c8ef327834a6cf67
default	hfoht4jarq3tnrkvwxgocovfte	TRANSACTION_PIN	x6cwwuz3zqfs37fxkveyxzyw24	1	1795868521257930	1795868521257930	\\x0101c2d8c44ddf4067b28f785a5d193913ad10dca1c784cb59ec0347caced666488a9c193a603a9b54ec5c8ca5eca8eaba60b6e07b613cefaa3390e3e9db6f43df653c5af1e616c3d94d7448c7aba74aa09bab6c14067dfa3b29007dd804a19b20a677eade974d6d
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
default	24dti5epevsizq3c4nrb44wdku	nybfm77c26zyvx2u4x4hozsngq	phone	invalidated	2	RSA-OAEP-256	3072		1795868520861539	0	1795868520985905	0	\\x01c49260254845da1701120757174780f6360b717ce096f38f1b764a7da171632a0f9ffedf	\\x308201a2300d06092a864886f70d01010105000382018f003082018a0282018100bfd680862d56a291584aac4db50b48c053facebf7b0d749c7fdc806db650e5e6f7a91119d23a297afeaddd29c1c29769bfc0808f947b62a5151284b73b533d6b1863729408f63489716ac5d04d361d88d48364d5c6fb67a41769c114b3ca805c6f336478219a30e8ead141bd0cc9e21c7eecd5e289a842d23431010dbbce2f9251ad0f932fe8608e7ee2cfa9895ff91ddd4b8d19afbaad44ca857909fc0245cb66b57b09e3cb39b1ffa923ef338d594414c5142a9d949898d1cdade891f35500400de2ce2f96b5f488b82e552c33701c4ead22b69ec9d0ac7a5f32d73d6e5836429537c4575285265d668226477cfcb5adbde5085c04f7fbe0b6cdcb0126f3d1b078c93a8a2bb6d1580f9464ba76660f9beef23709f296189b6d14a92fcbff3928079c0987599f7dac3ecd703e7103a6bdfdfd0108803670fbd92cd74d0dd1207f35b1f9d503e439f43c3989e53c256dde77f8df945801fceace478290645e79efab1249f99e864e34854827acd31f4bf4ee4b5432fbf5425c40fab385051c2b0203010001	\\x	
default	24dti5epevsizq3c4nrb44wdku	i7ni3ttp7j5s5k2xoujl7762z4	phone	active	1	RSA-OAEP-256	3072		1795868520985905	0	0	0	\\x01c49260254e2a620323e29dd03548f85f5fdc71ee0deaacc51e1a244fc5b49b3120f390eb	\\x308201a2300d06092a864886f70d01010105000382018f003082018a0282018100b5fb867b7ece9aa6e5282d5de50bf9517def22d945212bc248000032854786d83f603ff883f602af9f2e69947e57ad721a6dac59d267ae4c2a2c72741ffa4066f2b8a5d4ff8a7630d96eb06f81267c1926b957f2cba8a7803a1bd8a935b921e2104384fce82e168f3ed8884e53a4631a7db2bfa80901e9a1a0f9ec32fbec13f113458e6379aff69fb8799e2c97ea9e229d18e62fa7b3cfc9b2fc74569e7d713a30d4f91004a2569a103cef4a2aae1781e72b95ec152885a6178b495e6f6ace5a2c1f6ca3e16db141edec64b0e9e7dc841b43c8bc282d2b3e2b9c970216114f436e887992fe8b49c75e1593bcd05310e86f259199d61dfc9e86049f090a8d3071dd4abe03f7e838aa9b2c96c7cf733bb8acaffc89b81f0e70e4a1eaf309acaca67f798733d8111171b3e22a4b44589c7f16938420c7f1088da2f849d30da4e273f0c98953f4d2e2422f9b267697be30a9dd69abe099b08b77c5d3c2d94c5db51adef41cc1e032f0cdaef713e7c3eeafec616514796f4eb620e07a8040beffda510203010001	\\x0101c2d8c44dbde84074c0c368e57e16995184b3dafc6a5216c3228a182c5104763bde033ea00c0709fa9bbe9c02df7dfdddadf508a470a3d336acd28e9c17d1e10be4ebcb4647be248d0f382a06dff68b5012cb1490aaf3148917e16e3e706b6feb07c530c7bf2436413ef9281656b2282f37a2852b5d7d3f4ac2c2e91155d9a2a5367d3d976a80f43baa58bf672980bf6964bb4289efa1189d535d5c4186476ad06827e61167656ca8a3b9c1bf6f9904a8bb873ea5c76fb3647fa35edc6d5c694d6332ba0cb3322ad5e91dbaba43b96af593263c98e1dc07f035c978768ed1a2bcee9cbe3b519b8cc7993c1901d79e0a4ef323fa2e0f5ce83b310838d8801ae183e2cfe458dd852c696ed6c45755fa0cabf4949a437b6fdc90cf0521063b72034f54f6e871be97b6d53b6edaea33068b3ec6adae102f157532da87776a146a00ef7856dabcaab91ae5aa23b90aa7e7275ee1cbc68115267f32db4e015451d273ec3f2b600e98d32e1a77752af29681a2029005bac175357ba811f4149db8cd60375f6363819ee69ff1abee55544fd07fe65cc6dfc3d2af5c25c96e5c2080259bcc1d9e911f14516b72eae1f6631d	
default	hfoht4jarq3tnrkvwxgocovfte	pdxaavs6qycnnxbbdbofqnooty	tablet	active	1	RSA-OAEP-256	3072		1795868521242520	0	0	0	\\x01c4926025f7aee3a20d72fdad1c2c56549ef71d7a3c4403fc4ead897ec354e8b5ccfc9228	\\x308201a2300d06092a864886f70d01010105000382018f003082018a0282018100bdacee0ad11bd35e7498501e83bdb21b2d3b818c0b43cae894defd1f57de95780e3f9145ddca15cf6a955544906d9bbdbfc6f2ecba24586498d7d963fdd3b3530194d0eb5fb9b3e0715ed5b4ff4f665ed8974ce4d8bbbd841e169c3e397c7122f1851167cb5d0bcf2c1e3b824fc92be6ff8890c88cb3b18442196a6d3970344d09d741ea5bd6057714afdbadd7667dd02a6d6163760f5977a4ecea5e329987e7d6623158c9e87882cef4ab020d8864f9a62f2fda2d5f79f0b3d3014642f5972a5c7d7b34faf793fff563b4df60354d71ddabd5d6fac88c06f90bd0876093d648e6f2fe0c6ece708b79f3f9803a95caff1c9db128f199ac701901e33c9f3a2fa3a4729c05c8d5f9792803da788fa8312e9de40e38180e5a72e0bae86dc74877af5ebdde9dcf75ec0bc15872464de12ee5ed8e477c4626e76ec9aa41e3c73e7f00b0e714fc464d2301081fcb212bf4b385c970e7634269ab1ab67af49b3a5230d095a9f293ffac029154144a5e9d5813ba889114bc48f7111ad5b481f98bc23a930203010001	\\x0101c2d8c44d6c295c7ff4e926a15b917b2a2e3e4b5557b7519e042e8364c5b2315ea9960b147126cae4ce5ba4118ef67fb5b390ebb191495a8e5b293af243baa0614d9fe8b76fb515147426890d08632710a85b2f0df14e2b1a4df37bb07e128c88366207e795e5e2dc8216bc8a8945d9c5281c8b3ed7b01a023f6f4ceb9ff261feae4dba326295aa7fe8a6fddac761edbcd30391cf03558f681db779b3820b35117158278a02f06e01554251e5aca1e427cf7189f75eaf06adfdeddfd8d53be6ef9ef30d33dcecffe6cd99b307947adcb6d650a9c3eb68f46df21cadd245307fe4d8bf1699b6b553995e40bb003efa13a9c110787903d66f26cdf0e661b03de79db2c92ab0d4d9f0f6e7a255973b0ba6291b901d7874cf57274ca7fa09af8a8655904623b7e95d0be710e4320e624d1135fae8c3861ca893598202441365cf70bf3c9bd694895edce2fd53c660fe47a7768fc97a60a0b56509991fa86918dba44ec9b39879ba8920237c1df32ea905375490097a622d31e6655d0be5e6d72c9d1d8f2fb6237c9290d0cf1d8d863bb93cddb3c3cb42bc2d79d00d2a62a188a17a6e781355ed2acfe36a1f0cb004cd	
\.


--
-- Data for Name: key_account; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.key_account (tenant, key_id, account_id) FROM stdin;
default	nybfm77c26zyvx2u4x4hozsngq	24dti5epevsizq3c4nrb44wdku
default	i7ni3ttp7j5s5k2xoujl7762z4	24dti5epevsizq3c4nrb44wdku
default	pdxaavs6qycnnxbbdbofqnooty	hfoht4jarq3tnrkvwxgocovfte
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
default	24dti5epevsizq3c4nrb44wdku	nybfm77c26zyvx2u4x4hozsngq	1795867200000000
default	24dti5epevsizq3c4nrb44wdku	i7ni3ttp7j5s5k2xoujl7762z4	1795867200000000
default	hfoht4jarq3tnrkvwxgocovfte	pdxaavs6qycnnxbbdbofqnooty	1795867200000000
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
4097083626	f	\N	\N	\N	2026-11-28 12:22:00.458713+00
\.


--
-- Data for Name: schema_version; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.schema_version (id, version_id, is_applied, tstamp) FROM stdin;
1	0	t	2026-11-28 12:22:00.376773
2	1	t	2026-11-28 12:22:00.412109
3	2	t	2026-11-28 12:22:00.42918
4	3	t	2026-11-28 12:22:00.438778
5	4	t	2026-11-28 12:22:00.43899
6	5	t	2026-11-28 12:22:00.443531
7	6	t	2026-11-28 12:22:00.445094
8	7	t	2026-11-28 12:22:00.446445
9	8	t	2026-11-28 12:22:00.447166
10	9	t	2026-11-28 12:22:00.44852
11	10	t	2026-11-28 12:22:00.449966
12	11	t	2026-11-28 12:22:00.452738
13	12	t	2026-11-28 12:22:00.454073
14	13	t	2026-11-28 12:22:00.454313
15	14	t	2026-11-28 12:22:00.457502
\.


--
-- Data for Name: setting; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.setting (tenant, name, value) FROM stdin;
default	epoch	\\x31
default	keyset	\\x7b226b6579736574223a7b2267656e65726174696f6e223a312c22646174614b657973223a5b7b226964223a333236383938353933332c226d6163223a333239373932373230352c227072696d617279223a747275657d5d2c227772617073223a5b7b22726f6f744b6579223a2232633962666337616239633364373331222c2275726c223a2266696c653a2f746d702f546573744461746162617365734f664561726c69657256657273696f6e734f70656e313638393137353333302f3030322f646174612f726f6f742e6b6579222c2261646465644174223a22323032362d31312d32385431323a32323a30302e3439313231345a222c226b6579223a2233764a634847776f6d4e6a4637797072637461784b76775a5749787230497737546334794e344b51684d54417a562f383076726650776e6a314e72316c6c324d43322b4a476e5333376535384f47784364676c7239724557527647392b386e6d222c226b6579736574223a2232684c315a784563625a626c5a4670594f503232516a504d7a78303658764c524c4a484e4444396843754c706364726e626364676f72446a732b52506d78595379724f597756583853516e496c4b78613457666a304b7463765472304b6b644d505068617947324d686a4444494c472f65697871524a71376464796543467176786c56445946643034726f7635364353454e6274415533414d374639327a5579612b44704c342b347656546c745068464b2f7642665673575856564a69313365366e7572556f2b5a3458465152774a6c36524d735a65305872576b586b5533435556304276352f394d447139652b6a454d5930524a5a59784e58754c79743947454c617257596567586d346846634465505a546e6a4170555038474679504350446e41552b763161436261543538492f4444304457513268346676326b50344c735548427638313337553466654a7841717a6979334151734d756a4939352b65316575775374535a227d5d7d2c226d6163223a22416353535943574f4c5a55716a665467514a56305976714c2f34794147674e2f566767487973345361354c68492f506d6d673d3d227d
default	account_mode	\\x646576696365
default	audit_chain	\\x6774346c61347a7373336b666477666679337432357274757134
default	witness/ae6399e468d9e26a2540869ee9e71235	\\x00066155393ae60a
default	metrics.folded/rpk7rbw57am6d5lwgjv44ltczm/1	\\x0000000000000001
default	metrics.folded/rpk7rbw57am6d5lwgjv44ltczm/2	\\x0000000000000001
default	metrics.folded/rpk7rbw57am6d5lwgjv44ltczm/3	\\x0000000000000001
default	metrics.folded/rpk7rbw57am6d5lwgjv44ltczm/4	\\x0000000000000001
default	metrics.folded/rpk7rbw57am6d5lwgjv44ltczm/5	\\x0000000000000001
default	metrics.folded/rpk7rbw57am6d5lwgjv44ltczm/6	\\x0000000000000001
default	metrics.folded/rpk7rbw57am6d5lwgjv44ltczm/7	\\x0000000000000001
default	metrics.folded/rpk7rbw57am6d5lwgjv44ltczm/8	\\x0000000000000001
default	metrics.folded/rpk7rbw57am6d5lwgjv44ltczm/9	\\x0000000000000001
default	metrics.folded/rpk7rbw57am6d5lwgjv44ltczm/10	\\x0000000000000001
default	metrics.folded/rpk7rbw57am6d5lwgjv44ltczm/11	\\x0000000000000001
default	audit_tied	\\x000661553943aa6401c4926025685963fe08c11840afcb1af2b65e86ec790810945018ef94e259d741efd9203d
default	metrics.folded/rpk7rbw57am6d5lwgjv44ltczm/0	\\x000000000000001c
default	beat/rpk7rbw57am6d5lwgjv44ltczm	\\x2501c49260259d55ee0421c5adb536e7b0b06b52e23160a7196f7894345733020c2bfa1554ed7b22696e7374616e6365223a2272706b377262773537616d3664356c77676a7634346c74637a6d222c226e756d626572223a322c226174223a313739353836383532313332303632362c22636f6e646974696f6e223a22656e646564222c226865616473223a7b2230223a32382c2231223a312c223130223a312c223131223a312c2232223a312c2233223a312c2234223a312c2235223a312c2236223a312c2237223a312c2238223a312c2239223a317d2c2272656164223a6e756c6c7d
\.


--
-- Data for Name: signing_key; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.signing_key (tenant, number, id, algorithm, version, created_at, active_from, erased_at, mac, public_key, sealed) FROM stdin;
default	1	p8k4scqiVJXAOHHRX6qfCxswdovJOZmb9s5zBRLE8o4	ES256	1	1795868520550989	1795868520550989	0	\\x01c4926025fc3b4a730fb012aca44d440ea207a73888242f7c93a1bcbf941c859afe1c5f79	\\x3059301306072a8648ce3d020106082a8648ce3d030107034200049aacf00121534fbaf358eadfc404b122350e3f5c8d61ca9b9bc1667b6dd610f26176bb8be45cc9eab5d49f5f8ad39fb8cc8fe876c86e129c2ce6ec0936389f1f	\\x0101c2d8c44d4f49471df4587a0c49d5128d15c6ea29dafb696fda3371b4669d3e5c2fb2c3454f6f0edcdce642a40059a87a45681ee0fb26345358946ae239936f4eb7f8864f8eb28c2ba70e30052742653451511c00e01ae943f4f71213d8c1e35f20f28e6c9b77222496539b6e4920f001a0e309dbc3722a62f852fe5f02d223c8a3c0771391f23e5dfaf8e9ad429a00425e078624f54c12349009d1b2bfbe5c7cd6473d77c2de6bc199898fb74c87240d462b738465e6
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

\unrestrict ksRPKd0OPxwTuKwqod5sBoI1txwIPDhKAGpPdUkHxFJFkQ4MCKas1KYV7iIfOsb

