--
-- PostgreSQL database dump
--

\restrict ZOtrNFhiQkHAEt6Uo0Z2EdMFqRWOUcCHooknjaxYcqAodkBcfdRhUntWYiW5fN4

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
    number integer NOT NULL
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
default	3sgbw4woahg67jw4lsu6lhmpuu	device		phone	1795726469964604
default	vmhptkc4ddv7zid2hfpoccevfe	device		tablet	1795726470624523
\.


--
-- Data for Name: attempts; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.attempts (tenant, account_id, type, id, version, failures, locked_until, permanent, recent, pending, mac, verified_at, verified_by, devices, locked_to) FROM stdin;
default	3sgbw4woahg67jw4lsu6lhmpuu	TRANSACTION_PIN	q22cvjj4thsumxlho2ijx3l72u	2	0	0	f	[]	[]	\\x01da03233b7f4a656048d1578e03358fdb83e8445408f4570f5886c590486acc1957637758	1795726470219955		[]	0
default	vmhptkc4ddv7zid2hfpoccevfe	TRANSACTION_PIN	z7gndfblgsfjrofs44jk7z6gaa	8	4	0	f	[1795726470656765,1795726470670311,1795726470684320,1795726470696614]	[]	\\x01da03233bc74783aa222e77e775c668db05b57d1613ed5525df0f2e8c1258c51fb5ba79ae	0		[]	0
\.


--
-- Data for Name: audit_chain; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.audit_chain (tenant, name, number) FROM stdin;
default	mjauessumiex3t72si7j476mjq	337641472
default	vpbtjztdxxcs54e2bwfkexm6ym/0	337641473
default	vpbtjztdxxcs54e2bwfkexm6ym/1	337641474
default	vpbtjztdxxcs54e2bwfkexm6ym/2	337641475
default	vpbtjztdxxcs54e2bwfkexm6ym/3	337641476
default	vpbtjztdxxcs54e2bwfkexm6ym/4	337641477
default	vpbtjztdxxcs54e2bwfkexm6ym/5	337641478
default	vpbtjztdxxcs54e2bwfkexm6ym/6	337641479
default	vpbtjztdxxcs54e2bwfkexm6ym/7	337641480
default	vpbtjztdxxcs54e2bwfkexm6ym/8	337641481
default	vpbtjztdxxcs54e2bwfkexm6ym/9	337641482
default	vpbtjztdxxcs54e2bwfkexm6ym/10	337641483
default	vpbtjztdxxcs54e2bwfkexm6ym/11	337641484
\.


--
-- Data for Name: audit_log; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.audit_log (tenant, chain, seq, "time", request_id, actor, event, outcome, operation, failed, count, duration, key_id, account, device, record, version, before, digest, reason, prev, hash) FROM stdin;
default	mjauessumiex3t72si7j476mjq	1	1795726469568409		system	store.initialised	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01da03233bd400e4f0f812b2ca14190474ccf42950eff430ac0e7b553c1fed608214ff92b0
default	vpbtjztdxxcs54e2bwfkexm6ym/0	1	1795726469592703		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01da03233be788b9e47ec4e59cf364f71f9207cb1bf30d88add3836d8efd792a2fd1ea1b6b
default	vpbtjztdxxcs54e2bwfkexm6ym/1	1	1795726469592703		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01da03233be8bf9f964bf8fe2ca41ec6b503f72b1aa8020d65f628340cb6b1537cc629c141
default	vpbtjztdxxcs54e2bwfkexm6ym/2	1	1795726469592703		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01da03233b47d50dd1906e77d89d56008ff6fb8bb4b63d7d825ca8a4e2b85f5b016fc55e04
default	vpbtjztdxxcs54e2bwfkexm6ym/3	1	1795726469592703		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01da03233ba3d6d98146ea076ae4ab5a189b75282d7c2f827d45d01cb4e1909a306ede50fe
default	vpbtjztdxxcs54e2bwfkexm6ym/4	1	1795726469592703		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01da03233b5037b47cb657622ecbba2ed09f6d58d6b6ff190dbc4bb38efba71e6562c1f63d
default	vpbtjztdxxcs54e2bwfkexm6ym/5	1	1795726469592703		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01da03233bc27965a814662016bb18a31737023e64ee2b9a101eb0c0f77eafbfe868e70d33
default	vpbtjztdxxcs54e2bwfkexm6ym/6	1	1795726469592703		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01da03233b54c27975b2e7e8fe6dbb4dc4a6906a3f8183936eb21b3e8abd649651cd84b356
default	vpbtjztdxxcs54e2bwfkexm6ym/7	1	1795726469592703		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01da03233b1ab6fb42df54ab32d69dabfce520d93f0df5f2d3e10b588884c779704c796439
default	vpbtjztdxxcs54e2bwfkexm6ym/8	1	1795726469592703		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01da03233bdcf894d78077ef9af46476bb999b07af0a47f413ec37fed7de924b705d4cdcf8
default	vpbtjztdxxcs54e2bwfkexm6ym/9	1	1795726469592703		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01da03233b444122dd719e1b8b41b06eb94d53bda3f64fa944c6009c4c3beff8e84c6c0230
default	vpbtjztdxxcs54e2bwfkexm6ym/10	1	1795726469592703		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01da03233b79dd4af747d38a475f2c83a8390c94c2ae41789cd557d187ce274fe82047e1c4
default	vpbtjztdxxcs54e2bwfkexm6ym/11	1	1795726469592703		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01da03233b5629467cfbc80f5b429940a3d291ce05c4b328c8edad11ab59fde1e3524fca6f
default	vpbtjztdxxcs54e2bwfkexm6ym/0	2	1795726469599773		system	witness.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x	vm:/tmp/TestDatabasesOfEarlierVersionsOpen3576703184/002/data.witness	\\x01da03233be788b9e47ec4e59cf364f71f9207cb1bf30d88add3836d8efd792a2fd1ea1b6b	\\x01da03233b7f924e2f81766b92a5e7a34e2d52f0edf039cd0168aa0df7e34aefa8d2ec4fb1
default	vpbtjztdxxcs54e2bwfkexm6ym/0	3	1795726469606989		system	signing_key.created	ok		f	1	0		\\x	\\x	signing-key/1	0	\\x	\\x	kid 8r7jA6sy3Nd0KS8Dg4C_b0WOlyPvWucnDrwjmYiRbFg	\\x01da03233b7f924e2f81766b92a5e7a34e2d52f0edf039cd0168aa0df7e34aefa8d2ec4fb1	\\x01da03233b616be7ada5d34cc110a7eb13323b01c93c368ed5604e757515218768f416886f
default	vpbtjztdxxcs54e2bwfkexm6ym/0	4	1795726469964604	agrbti3kc2b3hwh3uqgzptsaqu	caller	key.issued	ok	generateClientEncryptionKey	f	1	311119	zevav5sgoqk6e4pxy7wqwjgwci	\\x1ca7f6cca056373f644e58db4a6d6c21	\\xf8ff8255b1eb8910acd97319a3c9e07c	key/zevav5sgoqk6e4pxy7wqwjgwci	1	\\x	\\xdc4c6d17ed81a80affaed6cf89a03fc6003e8f6d68e30d5fc514b0045317e6ad		\\x01da03233b616be7ada5d34cc110a7eb13323b01c93c368ed5604e757515218768f416886f	\\x01da03233b332b6734ff2e9cb173a67156173f2e56a9044e88be1e594636ba601fe4bbb8fd
default	vpbtjztdxxcs54e2bwfkexm6ym/0	5	1795726469980747	agrbti3lkf6vypg5quilqcs3fy	caller	credential.set	ok	setUserPasscode	f	1	12063	zevav5sgoqk6e4pxy7wqwjgwci	\\x1ca7f6cca056373f644e58db4a6d6c21	\\xf8ff8255b1eb8910acd97319a3c9e07c	credential/v65uqxv4rkacutptciytruezye	1	\\x	\\x058f97a6766046caa47dc497bc69c58b9e01837845f5db4336f5ce623b42a563		\\x01da03233b332b6734ff2e9cb173a67156173f2e56a9044e88be1e594636ba601fe4bbb8fd	\\x01da03233b6d9083cf41b524e65b609e5909ecfb41d354ddcdc72cecd6e1bfddd2f20ce0e8
default	vpbtjztdxxcs54e2bwfkexm6ym/0	6	1795726469992685	agrbti3ll7mwnhnaneakr3tdjy	caller	credential.set	ok	setTransactionPin	f	1	9477	zevav5sgoqk6e4pxy7wqwjgwci	\\x1ca7f6cca056373f644e58db4a6d6c21	\\xf8ff8255b1eb8910acd97319a3c9e07c	credential/4333nbm4zryglnwzgwkt3fcuye	1	\\x	\\xa7c55cf2ff1fb225fe00cd2106f7ed260f6882511a4506924c30a415925a542d		\\x01da03233b6d9083cf41b524e65b609e5909ecfb41d354ddcdc72cecd6e1bfddd2f20ce0e8	\\x01da03233b85ba459098affc8db3b48d2a20b9da523bbdb4a30ec177a440132072c6796016
default	vpbtjztdxxcs54e2bwfkexm6ym/0	7	1795726470151945		system	operations.counted	CREDENTIAL_REJECTED		f	1	3251		\\x	\\x		0	\\x	\\x	setTransactionPin	\\x01da03233b85ba459098affc8db3b48d2a20b9da523bbdb4a30ec177a440132072c6796016	\\x01da03233b3a0df8914ad2c0110d9a29212f7b13c0e3df29826471436946602d1c84e11045
default	vpbtjztdxxcs54e2bwfkexm6ym/0	8	1795726470168552		system	chain.tied	ok		f	1	0		\\x	\\x	chain/mjauessumiex3t72si7j476mjq	1	\\x	\\x01da03233bd400e4f0f812b2ca14190474ccf42950eff430ac0e7b553c1fed608214ff92b0		\\x01da03233b3a0df8914ad2c0110d9a29212f7b13c0e3df29826471436946602d1c84e11045	\\x01da03233b8067688e31f6ac65040fa8ab7527577076c7dd03fc356731c82867f993cf80d1
default	vpbtjztdxxcs54e2bwfkexm6ym/0	9	1795726470168552		system	chain.tied	ok		f	1	0		\\x	\\x	chain/vpbtjztdxxcs54e2bwfkexm6ym/1	1	\\x	\\x01da03233be8bf9f964bf8fe2ca41ec6b503f72b1aa8020d65f628340cb6b1537cc629c141		\\x01da03233b8067688e31f6ac65040fa8ab7527577076c7dd03fc356731c82867f993cf80d1	\\x01da03233bbcf605ddfe1ef1c7c4aa9a38d4aa70e4ea1805e01f8bc6574a6831a5198cedec
default	vpbtjztdxxcs54e2bwfkexm6ym/0	10	1795726470168552		system	chain.tied	ok		f	1	0		\\x	\\x	chain/vpbtjztdxxcs54e2bwfkexm6ym/10	1	\\x	\\x01da03233b79dd4af747d38a475f2c83a8390c94c2ae41789cd557d187ce274fe82047e1c4		\\x01da03233bbcf605ddfe1ef1c7c4aa9a38d4aa70e4ea1805e01f8bc6574a6831a5198cedec	\\x01da03233bf42865373351ed06096cbd124620d0405e49602a92c7156d31decdf56645a4fa
default	vpbtjztdxxcs54e2bwfkexm6ym/0	11	1795726470168552		system	chain.tied	ok		f	1	0		\\x	\\x	chain/vpbtjztdxxcs54e2bwfkexm6ym/11	1	\\x	\\x01da03233b5629467cfbc80f5b429940a3d291ce05c4b328c8edad11ab59fde1e3524fca6f		\\x01da03233bf42865373351ed06096cbd124620d0405e49602a92c7156d31decdf56645a4fa	\\x01da03233b5ee23fe96b409f5db56b32ca89b5ddf095cc71313e3e61c195382aaea045efd6
default	vpbtjztdxxcs54e2bwfkexm6ym/0	12	1795726470168552		system	chain.tied	ok		f	1	0		\\x	\\x	chain/vpbtjztdxxcs54e2bwfkexm6ym/2	1	\\x	\\x01da03233b47d50dd1906e77d89d56008ff6fb8bb4b63d7d825ca8a4e2b85f5b016fc55e04		\\x01da03233b5ee23fe96b409f5db56b32ca89b5ddf095cc71313e3e61c195382aaea045efd6	\\x01da03233bcc17999d084d76661d2d9291b8120d66fb8e252fd0adf361feeb4969d6303445
default	vpbtjztdxxcs54e2bwfkexm6ym/0	13	1795726470168552		system	chain.tied	ok		f	1	0		\\x	\\x	chain/vpbtjztdxxcs54e2bwfkexm6ym/3	1	\\x	\\x01da03233ba3d6d98146ea076ae4ab5a189b75282d7c2f827d45d01cb4e1909a306ede50fe		\\x01da03233bcc17999d084d76661d2d9291b8120d66fb8e252fd0adf361feeb4969d6303445	\\x01da03233b4fff70e3d973c0fe25e0ce59c60ca1cb2c8bd77cfa63e44ee7ffb41d4cc69df2
default	vpbtjztdxxcs54e2bwfkexm6ym/0	14	1795726470168552		system	chain.tied	ok		f	1	0		\\x	\\x	chain/vpbtjztdxxcs54e2bwfkexm6ym/4	1	\\x	\\x01da03233b5037b47cb657622ecbba2ed09f6d58d6b6ff190dbc4bb38efba71e6562c1f63d		\\x01da03233b4fff70e3d973c0fe25e0ce59c60ca1cb2c8bd77cfa63e44ee7ffb41d4cc69df2	\\x01da03233b8d23154133cf1bcf34eff3285cefb1649bff0d89496a074880e892eafe676943
default	vpbtjztdxxcs54e2bwfkexm6ym/0	15	1795726470168552		system	chain.tied	ok		f	1	0		\\x	\\x	chain/vpbtjztdxxcs54e2bwfkexm6ym/5	1	\\x	\\x01da03233bc27965a814662016bb18a31737023e64ee2b9a101eb0c0f77eafbfe868e70d33		\\x01da03233b8d23154133cf1bcf34eff3285cefb1649bff0d89496a074880e892eafe676943	\\x01da03233ba5cfac1f760fc5f3ff4f476c534dce0cd7d494e670e808fb7e3842fbeae6c46b
default	vpbtjztdxxcs54e2bwfkexm6ym/0	16	1795726470168552		system	chain.tied	ok		f	1	0		\\x	\\x	chain/vpbtjztdxxcs54e2bwfkexm6ym/6	1	\\x	\\x01da03233b54c27975b2e7e8fe6dbb4dc4a6906a3f8183936eb21b3e8abd649651cd84b356		\\x01da03233ba5cfac1f760fc5f3ff4f476c534dce0cd7d494e670e808fb7e3842fbeae6c46b	\\x01da03233bd2f171be0d5efb49f13a18bbeab31b06b8f8d4a1f57bd41bbb1c82635714fc7e
default	vpbtjztdxxcs54e2bwfkexm6ym/0	17	1795726470168552		system	chain.tied	ok		f	1	0		\\x	\\x	chain/vpbtjztdxxcs54e2bwfkexm6ym/7	1	\\x	\\x01da03233b1ab6fb42df54ab32d69dabfce520d93f0df5f2d3e10b588884c779704c796439		\\x01da03233bd2f171be0d5efb49f13a18bbeab31b06b8f8d4a1f57bd41bbb1c82635714fc7e	\\x01da03233bf68d6736719bbd02b2b715f488dcff6dc84ff989d712e5fae281c1c2d6257913
default	vpbtjztdxxcs54e2bwfkexm6ym/0	18	1795726470168552		system	chain.tied	ok		f	1	0		\\x	\\x	chain/vpbtjztdxxcs54e2bwfkexm6ym/8	1	\\x	\\x01da03233bdcf894d78077ef9af46476bb999b07af0a47f413ec37fed7de924b705d4cdcf8		\\x01da03233bf68d6736719bbd02b2b715f488dcff6dc84ff989d712e5fae281c1c2d6257913	\\x01da03233b8ad2507b4a61bb09d5552bf4fadff78bd0c9775adaae3fd65affdf56bcb42d57
default	vpbtjztdxxcs54e2bwfkexm6ym/0	19	1795726470168552		system	chain.tied	ok		f	1	0		\\x	\\x	chain/vpbtjztdxxcs54e2bwfkexm6ym/9	1	\\x	\\x01da03233b444122dd719e1b8b41b06eb94d53bda3f64fa944c6009c4c3beff8e84c6c0230		\\x01da03233b8ad2507b4a61bb09d5552bf4fadff78bd0c9775adaae3fd65affdf56bcb42d57	\\x01da03233be9820860f80e93a1f8c3b6fa2a592470c0b06c5b0bdc2300aa00d1de29c25c42
default	vpbtjztdxxcs54e2bwfkexm6ym/0	20	1795726470202377	agrbti3ln2aqy3m5vgyy3mnppi	caller	key.rotated	ok		f	1	0	zevav5sgoqk6e4pxy7wqwjgwci	\\x1ca7f6cca056373f644e58db4a6d6c21	\\xf8ff8255b1eb8910acd97319a3c9e07c	key/zevav5sgoqk6e4pxy7wqwjgwci	2	\\xdc4c6d17ed81a80affaed6cf89a03fc6003e8f6d68e30d5fc514b0045317e6ad	\\x2648957a1306067e44e6d6359b89e69a8ebf6d5464e23b740ac30cf595ae0c4a		\\x01da03233be9820860f80e93a1f8c3b6fa2a592470c0b06c5b0bdc2300aa00d1de29c25c42	\\x01da03233b6423c37d4b4287c66e7b641dc331d14f52957b5b790b51d22e9ba82661efef53
default	vpbtjztdxxcs54e2bwfkexm6ym/0	21	1795726470202377	agrbti3ln2aqy3m5vgyy3mnppi	caller	key.issued	ok	rotateClientEncryptionKey	f	1	204836	i7fxmj3535rjquyk7up3f6l54q	\\x1ca7f6cca056373f644e58db4a6d6c21	\\xf8ff8255b1eb8910acd97319a3c9e07c	key/i7fxmj3535rjquyk7up3f6l54q	1	\\x	\\xfa5aecf5582f13288b8cefd15944c8f1246da011674eaabd4f149394af207b7a		\\x01da03233b6423c37d4b4287c66e7b641dc331d14f52957b5b790b51d22e9ba82661efef53	\\x01da03233bbc0804517b6acaba1148c6e7fa3ffe719059e10e6da929ae74ac22b49775a654
default	vpbtjztdxxcs54e2bwfkexm6ym/0	23	1795726470624523	agrbti3mj356eq6hkaeubkw27m	caller	key.issued	ok	generateClientEncryptionKey	f	1	402689	5ffkyxfv44solbxi4bx7qecysy	\\xcb0fe4094d10dbe68a3874531cc39a61	\\xec179a29a4d189a8049c07f2a4ba5f50	key/5ffkyxfv44solbxi4bx7qecysy	1	\\x	\\x81fb7d61ff9a783eae06e61a19de417cbc10a327eb45e979e4df7a34fa058dd0		\\x01da03233b19de2a58e6cc13233797212216458ea4b0075bd41a1e30125cc5890ba0802605	\\x01da03233b717778b7aeec43e9e2b05c7ec1e22c687a3ffddc989f2713a880a82548410a95
default	vpbtjztdxxcs54e2bwfkexm6ym/0	24	1795726470636786	agrbti3n4kob52t6qr5ddqhj3y	caller	credential.set	ok	setTransactionPin	f	1	10023	5ffkyxfv44solbxi4bx7qecysy	\\xcb0fe4094d10dbe68a3874531cc39a61	\\xec179a29a4d189a8049c07f2a4ba5f50	credential/6ody5bsufike4euwd7i63zfm34	1	\\x	\\x4faeb872da852e778b1e75d635f115ceeac67ea17a70746e4007bbfe81fe5c42		\\x01da03233b717778b7aeec43e9e2b05c7ec1e22c687a3ffddc989f2713a880a82548410a95	\\x01da03233b5193c173ffe1b6670b7995af93c3218f774593623d0a5925ff51158463abc795
\.


--
-- Data for Name: audit_verdict_2026_11; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.audit_verdict_2026_11 (chain, seq, second, micros, account, data, hash) FROM stdin;
337641473	22	849041670	219955	480769740	\\x01a219a36c4044bcb55a13c68dfa06e147cb76277ddf6298530afd1fb2f97de4a056373f644e58db4a6d6c21f8ff8255b1eb8910acd97319a3c9e07c86b42aa53c99e5465d6776909bed7fd50202a05c00002062dc1abe91dc5d940ddda4de876e6b93e69bb2baa482f10d3cc4cd30e294bb5dd8ed28d13b3ea4db2060519ba7b213da7014b9be68a0ccc8348de70622914d65	\\x01da03233b19de2a58e6cc13233797212216458ea4b0075bd41a1e30125cc5890ba0802605
337641473	25	849041670	656765	-888151031	\\x01a219a36def808a113a60d191def197e94aac5cb5e724e586e8e06ff81058964d10dbe68a3874531cc39a61ec179a29a4d189a8049c07f2a4ba5f50cfccd1942b348a98b8b2e712afe7c6001202b78b010000206361faca1a7eb27d8b88f62a430ea70a9ee39084c974f8336b320cef12af997a4b71c2b4c8565c76faeaed2e2ec7d44ebf49ae3a8bbc2d20cc53ec248170ecd0	\\x01da03233b55d1069f58b036ebf8933341a2772663e2f9307e95dedfb79ef4d1d87f120e20
337641474	2	849041670	670311	-888151031	\\x01a219a36e03d8a70ab6642b0568541ae94aac5cb5e724e586e8e06ff81058964d10dbe68a3874531cc39a61ec179a29a4d189a8049c07f2a4ba5f50cfccd1942b348a98b8b2e712afe7c6001204f5570000204b71c2b4c8565c76faeaed2e2ec7d44ebf49ae3a8bbc2d20cc53ec248170ecd0adfc40baae5de97fd1a83aae944cac66e915c78e84627242b4d032ce6ac9efa7	\\x01da03233b2ef358482f2e737c01cbb4e77375f2c04b030ee816052ab070ada89e7732d401
337641473	26	849041670	684320	-888151031	\\x01a219a36e114139c66db2b91b6bf2d2e94aac5cb5e724e586e8e06ff81058964d10dbe68a3874531cc39a61ec179a29a4d189a8049c07f2a4ba5f50cfccd1942b348a98b8b2e712afe7c60012069d53000020adfc40baae5de97fd1a83aae944cac66e915c78e84627242b4d032ce6ac9efa7e5920729a7cc37ee16cbb947259e36e1887ae8a77c40ee800ea05a0cfa5609e4	\\x01da03233b157e96af72eec155a664b4069de84b0d9d27983fd703ccddd248212ce7485ba4
337641473	27	849041670	696614	-888151031	\\x01a219a36e1ee88908160e369c7c2eb1e94aac5cb5e724e586e8e06ff81058964d10dbe68a3874531cc39a61ec179a29a4d189a8049c07f2a4ba5f50cfccd1942b348a98b8b2e712afe7c6001208c250000020e5920729a7cc37ee16cbb947259e36e1887ae8a77c40ee800ea05a0cfa5609e4b2a3c04663319edc8d9e6389dae86692e15e061a9e80806ade0371c7852d243c	\\x01da03233b42ddb3c50f085395cd7dcbfdddc4a05cfdbf66bf3fe4be0d85aaa063f9ce1a96
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
default	60000000	1795726440000000	vpbtjztdxxcs54e2bwfkexm6ym	12	1	1015325	\\x01ec179a29a4d189a8f8ff8255b1eb8910	\\x015e010b0100020002000203011c0103010201
default	3600000000	1795723200000000	vpbtjztdxxcs54e2bwfkexm6ym	12	1	1015325	\\x01ec179a29a4d189a8f8ff8255b1eb8910	\\x015e010b0100020002000203011c0103010201
default	86400000000	1795651200000000	vpbtjztdxxcs54e2bwfkexm6ym	12	1	1015325	\\x01ec179a29a4d189a8f8ff8255b1eb8910	\\x015e010b0100020002000203011c0103010201
default	2419200000000	1795046400000000	vpbtjztdxxcs54e2bwfkexm6ym	12	1	1015325	\\x01ec179a29a4d189a8f8ff8255b1eb8910	\\x015e010b0100020002000203011c0103010201
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
default	3sgbw4woahg67jw4lsu6lhmpuu	PASSCODE	v65uqxv4rkacutptciytruezye	1	1795726469980747	1795726469980747	\\x0101aaec4211ac76aa627d7edd8685c0aa2b18cdb83b335e50d0e5e453e6657ebbcd88e6703b523dba20df3797134812b38fdff8f872414b2808216fbc52621b89543a8146f00110902f9fa5c887abd3c00767f8e3cad784c921e533f3ae03b1783ed7b218a3569d
default	3sgbw4woahg67jw4lsu6lhmpuu	TRANSACTION_PIN	4333nbm4zryglnwzgwkt3fcuye	1	1795726469992685	1795726469992685	\\x0101aaec4211b1d835076d271092a55c88bfd9c257bc86206a44f6a9f449e5588f790289f912e731181bdfd6c48e18eb380ce70b44aaf2021286c4999ac1fa903152c321d97b6a621c9f09ea244b844ec157d3a82d839f20e646966648926a085abcd37bccb6f7e5
default	vmhptkc4ddv7zid2hfpoccevfe	TRANSACTION_PIN	6ody5bsufike4euwd7i63zfm34	1	1795726470636786	1795726470636786	\\x0101aaec4211b95a83f1dc058f991365ffd2875e83630f090ffd66e88a2c2ecb28c8b52d80d7631c3df75e714e7cebf285ae60c742b0efff7a29f94696b2c6a5462be6b205a276bad5a5d5b524d81f37684180c388769380b1d52e189c21d21eca16cc06b5dfba54
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
default	3sgbw4woahg67jw4lsu6lhmpuu	zevav5sgoqk6e4pxy7wqwjgwci	phone	invalidated	2	RSA-OAEP-256	3072		1795726469964604	0	1795726470202377	0	\\x01da03233b51a4e5067edea926818ac1b8d0c2b180d6c203a7ae424ae72caaf6ef78b8c1d5	\\x308201a2300d06092a864886f70d01010105000382018f003082018a0282018100c86c5f84327404891b8e01c98771bdc3d973373ef7459f6a8a56c0a8cc4ad8407aaa07881f2e545f39c58a3518e84b94f054321f16ed81c04d86868894b7c97e468bbc23467b4ff0ad0a2bffc4d626f96a9d2ae4a44656232c820f9c5b6e9b80f1fda30a3a73e151134b8d82f5e4498dda59528bc9ed30a138fa80072eb3880217c1b9c9ba90a9c6778d2eafe78d32a61b285318c8d7b293607fa7773ddfe1efa18b18a897d4fd58641e9c75835d42e2ec40967c9af4cd6f005252a5360b85d137efad8c43c2840e179b080281a814e27233a03f4a05c63c5350c1cf7cc86187ac672d3962bc5260da902614e873ca243bd6753933f0cdaf45d3dd33e40aa7c18741845467fc6a271b7c877e36171c104280076cc74036d2e3280824fec6ab12042bb03b8759a96f375584ffc9a0d480cd420a636a5c86c3c9fbd93d02d15a0f1d5650473053c9fb797445b53d921ac9f2cc2d7b029d7da6f4254d5e1ba01cacf73f474b2352e7c29f1521728c01163a640d35d02aba4ac77bbe94b9c4470d0b0203010001	\\x	
default	3sgbw4woahg67jw4lsu6lhmpuu	i7fxmj3535rjquyk7up3f6l54q	phone	active	1	RSA-OAEP-256	3072		1795726470202377	0	0	0	\\x01da03233b4665402d3ae54fbd2db3a35eed82500fefb1e1ff5c53144f94a40abe5cbd7840	\\x308201a2300d06092a864886f70d01010105000382018f003082018a0282018100ebbeb8ea205c4e8806bb486b132e68a89cf6cdb878433787ffa670fbcdd106aa6ab4cf52e52af5a73f98fa98afa4e28285b3ff962474ff0a214779bf02b5b29a5614e6b621e7c36dc20d7a2cb8f64c3c642945d198c3cfd7f6ee9aa97975b7d1ba98a6975ff5ec678f57858132928e53f28e6eed8209c33f6590656529aa8fc4114f733d01f3196278df292d4ba7aa710f8cee5e5bae906b9308524d80622312fc80d433c1ef8089ba831c593aa272d0afad0a9c29ee9fad79a3ad56c41943a3a6044dc1231407f9340fb5847e3e7d1d5e48a6cd571fcfcbe1d42035619f2ffb41cd5c4fa27d0dd10d71ce457fdbd552a01dd1b97bee192f4dc043b978083c625059b399b4fa8c854316f793005ed60920ab3f679cd47cae43be78b1f1c9e0b41d194f7610afc0075a3182587006bf412ab9b2c04d1766ab53206701d1f5bfe8210e939f381f4a59446692d15886972a743a941e8e702deb77290b67db4ac114b83843cf7ab7b5f344e7f9ced163898fd7269230356bb63fa3da81386e6b59430203010001	\\x0101aaec421151a58130425cb80f14b2387939f364412298d1df56fbc4627250af173b9164a30d1555237749f5f2a24bf48bb215e1d9bdfd40e386841f6e00ceda28921ddc26bf3d1a1cd26619f36fd7cff0a0f3e4b47df07eb00341a95f299d2ffa118b74aebc134ad0bca0fdda686df05980d9fee2a5328854643dd9b7383a33f6b0198b9970ef10b694e047b717affffe83de8e39a258f7225de0f2a51a90b2cd3ae6e40670b6f4b9a62032d3a0985bcec26449f85f50eb51db1166b48b92ff4a65c9a25029ac9c1bd837a82774677278f8e6d2f146e5e93c271674b10d33e12be9c696b28763ff7cfff6f46fe5ffeb4c954f6c91e0c6663be69cc05863a2c0bb2680eac6e85f07aa70e0a4d7fcd95ad245c3baeb9243f0b15a9e2e2b59c261a0c7be00aa7dbb47450c7e105bcf0c981029fb455a160155423639f0138189ff5c61ed629f43e74daaf65ca44c8a914ccab4fff44d3915143854ab1e3e6daca4eb6dda4b718eefb9acb4bbb7fb857301e244c33b62bb9384afd1393d009d1a1413fa67d423061b86821e8e4c391167a701ca7832ddbbc9ce4d1bf710016fe695190a1fe33fb550cdf3faae6e7e50	
default	vmhptkc4ddv7zid2hfpoccevfe	5ffkyxfv44solbxi4bx7qecysy	tablet	active	1	RSA-OAEP-256	3072		1795726470624523	0	0	0	\\x01da03233ba83d16a68d93a5197d0840745a63f07deba7d7e6c270f4fabc93092d8811f47f	\\x308201a2300d06092a864886f70d01010105000382018f003082018a0282018100d6f87c4ea0e7f2c47460e7736104878212a2d77e46d1b470aabe2e78c8ede8dc7d715545603a490c88df727db80ce9de96dbd6f5ebd0c8bf41ecec85a3487c388eca22be7565684354fff8687827d172040e8e8c76e26cdf8259333e84dc51fd9b13c325acd4b2b34e42c8c0fd0cbd1925fbf821165038ff8b4f040982cae4548af42b5a3ebb65bf31e7ffe18e21e1e955570119c999813c0220146b2adb97cb319d573c81aa5fa5d3db5a1c41a40269537d1fab620bde23cb96437978a0c82e4a8c871a1db055a7732f3ecbe7801693a6cedaf717d77bff0b28a54733643f8647d23d4e306273567e205df782dbbb9cd92ad7a885aa4687924e29079c414309a7e8c20563d67b6d99bd034491a9cb5ab13a11ab8e7361f60bbcb9e9764aace43c7a6b71b1ab8364a441b7bdc8ea752c03739131256d57fb5f8d6ec92b8c77067d922a35d6bc215dac550b3665b7341a31dd9c84aa541ab84d67794a443d77b052857032a02729f3eb4e5b2b09fac91f77542b60ec24544ec4bbb6a2a798e4270203010001	\\x0101aaec4211e55813392e2ebc4686bb49de17c9b934f08a3b730b39cc29b1231da13e1a08fd2d189ab25f4a5a47c9187cd25c17c5148f82cad5367ae2721cff0751469b62c7268b106dafd86d05bd673fbbfe17d5b34f5f2d9353d164c3823b77c840c7dcf951332912c54d6c6a76a390eb941aeb4fd3ef3bdf4941bd906a47e733ca1010de2a8aac78ab3ebe31ba17ddfde537ded66f4227b6008c2cff87a3260fafaf6b20c7e61eee501c14f3e90434dd49686fb782b7d1be449644a878f2852718be006745bf629096aded5b30d3e4a646bb96b16a0dc8b4325fa01f8459543e380640a0d81ba836a9aa6db8f61786f2de69a617dbc8471f0f3f9250cab039d12b70548664399e587d0ae6c714514551313975118a170c0676d1fd68d186ff93ea905d7e5e36de3604d62e07445e2bfd076487584abac35cc389ce9a6da58d21e7c37ced14da2772c75c1119fde611efc4b7fce852437c62eb62756ccefc9d4f757b39f887511cc9b239c1c3fba911ba5bbf0384a4ceebd47592b95a09ca44bc8026f464633b9bb291db179ab3039bc69432f50516bff9aa72f798871dee2a63678eff6884e77ce7fd33685a47	
\.


--
-- Data for Name: key_account; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.key_account (tenant, key_id, account_id) FROM stdin;
default	zevav5sgoqk6e4pxy7wqwjgwci	3sgbw4woahg67jw4lsu6lhmpuu
default	i7fxmj3535rjquyk7up3f6l54q	3sgbw4woahg67jw4lsu6lhmpuu
default	5ffkyxfv44solbxi4bx7qecysy	vmhptkc4ddv7zid2hfpoccevfe
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
default	3sgbw4woahg67jw4lsu6lhmpuu	zevav5sgoqk6e4pxy7wqwjgwci	1795723200000000
default	3sgbw4woahg67jw4lsu6lhmpuu	i7fxmj3535rjquyk7up3f6l54q	1795723200000000
default	vmhptkc4ddv7zid2hfpoccevfe	5ffkyxfv44solbxi4bx7qecysy	1795723200000000
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
4097083626	f	\N	\N	\N	2026-11-26 20:54:29.560323+00
\.


--
-- Data for Name: schema_version; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.schema_version (id, version_id, is_applied, tstamp) FROM stdin;
1	0	t	2026-11-26 20:54:29.40181
2	1	t	2026-11-26 20:54:29.420857
3	2	t	2026-11-26 20:54:29.470693
4	3	t	2026-11-26 20:54:29.507184
5	4	t	2026-11-26 20:54:29.507544
6	5	t	2026-11-26 20:54:29.52483
7	6	t	2026-11-26 20:54:29.526055
8	7	t	2026-11-26 20:54:29.530895
9	8	t	2026-11-26 20:54:29.531666
10	9	t	2026-11-26 20:54:29.536673
11	10	t	2026-11-26 20:54:29.542766
12	11	t	2026-11-26 20:54:29.555382
13	12	t	2026-11-26 20:54:29.556726
14	13	t	2026-11-26 20:54:29.557032
\.


--
-- Data for Name: setting; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.setting (tenant, name, value) FROM stdin;
default	epoch	\\x31
default	audit_chain	\\x6d6a6175657373756d696578337437327369376a3437366d6a71
default	keyset	\\x7b226b6579736574223a7b2267656e65726174696f6e223a312c22646174614b657973223a5b7b226964223a323836373631303132392c226d6163223a333635373633383731352c227072696d617279223a747275657d5d2c227772617073223a5b7b22726f6f744b6579223a2230656562386661643736353635643862222c2275726c223a2266696c653a2f746d702f546573744461746162617365734f664561726c69657256657273696f6e734f70656e333537363730333138342f3030322f646174612f726f6f742e6b6579222c2261646465644174223a22323032362d31312d32365432303a35343a32392e3536383430395a222c226b6579223a22624a334f6569315477515a7337414d4e737432746b31414f654d4c714d652b704433644762335152663539484470634f49777349486b4873466c596450356a564476555256654f364a71464453613535432f356d304b2b2f3353647579525277222c226b6579736574223a224c616f707679626b4e54764d76576f4b2b6b564d70457079775833362f5449486a55696a446b3239543130482f4c6249426a43307175447431634958354c3571616b57784450356d344837526968464163674851716f59356c7a697a48327639314a533669336d4e5643346a485568614d732b754f7a614a665658586f35597457726e55554e51672f42594365687657684b3749652b42464175376d78574d4f65562f2b6c385950485742526a717150516a4437693665657143377572595750392b6c2f78374346522f7a6e525932556c656951586a7667534876416f302b4a5a585655304638674f6e69367a4746656e577137576f384143373575575578694b58727a4a5a492b4e46595363413461392b716f76774d684c744a4350626c624f78395a41464638466a4662553737452f6845664a7a5968313079424f3152532f6c7a7366615566575a46526f492f67467450372b32395a443478416c6230645332786e70695933227d5d7d2c226d6163223a2241646f44497a7669576c45754b39744b75367777724f6a2b6b6e586c38633052783245517637743751564b344a47704159513d3d227d
default	account_mode	\\x646576696365
default	witness/f0d39f1f001bff42a1343a0016473d34	\\x000661342655921d
default	metrics.folded/vpbtjztdxxcs54e2bwfkexm6ym/2	\\x0000000000000001
default	metrics.folded/vpbtjztdxxcs54e2bwfkexm6ym/3	\\x0000000000000001
default	metrics.folded/vpbtjztdxxcs54e2bwfkexm6ym/4	\\x0000000000000001
default	metrics.folded/vpbtjztdxxcs54e2bwfkexm6ym/5	\\x0000000000000001
default	metrics.folded/vpbtjztdxxcs54e2bwfkexm6ym/6	\\x0000000000000001
default	metrics.folded/vpbtjztdxxcs54e2bwfkexm6ym/7	\\x0000000000000001
default	metrics.folded/vpbtjztdxxcs54e2bwfkexm6ym/8	\\x0000000000000001
default	metrics.folded/vpbtjztdxxcs54e2bwfkexm6ym/9	\\x0000000000000001
default	metrics.folded/vpbtjztdxxcs54e2bwfkexm6ym/10	\\x0000000000000001
default	metrics.folded/vpbtjztdxxcs54e2bwfkexm6ym/11	\\x0000000000000001
default	audit_tied	\\x00066134265e3fe8
default	metrics.folded/vpbtjztdxxcs54e2bwfkexm6ym/0	\\x000000000000001b
default	metrics.folded/vpbtjztdxxcs54e2bwfkexm6ym/1	\\x0000000000000002
default	beat/vpbtjztdxxcs54e2bwfkexm6ym	\\x2501da03233bae75c169a0e01c905f258045b554cabe061d0aa3e3d0e052fd8c97abfe4734cb7b22696e7374616e6365223a22767062746a7a746478786373353465326277666b65786d36796d222c226e756d626572223a322c226174223a313739353732363437303730323837352c22636f6e646974696f6e223a22656e646564222c226865616473223a7b2230223a32372c2231223a322c223130223a312c223131223a312c2232223a312c2233223a312c2234223a312c2235223a312c2236223a312c2237223a312c2238223a312c2239223a317d2c2272656164223a6e756c6c7d
\.


--
-- Data for Name: signing_key; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.signing_key (tenant, number, id, algorithm, version, created_at, active_from, erased_at, mac, public_key, sealed) FROM stdin;
default	1	8r7jA6sy3Nd0KS8Dg4C_b0WOlyPvWucnDrwjmYiRbFg	ES256	1	1795726469606989	1795726469606989	0	\\x01da03233b2364b03d82e9860365368ca5b628f98a4d7652266106d7fba2e84b12162330a5	\\x3059301306072a8648ce3d020106082a8648ce3d0301070342000450bdc59849875d0dfdfb7994aeae32418071a4b002dddfa61d55c9b9bba1aab11bef50eab0ad5278a6c73d57a614937369cccbb8e7210964a37017f911674577	\\x0101aaec42113c2e8da12d7c661e91c21170880a07d425b0ba181705ea85c2bd68b0801c03849146a76d68fc126ab69acce5c77847a0a23fbc2673a8d7a944e0f283a93e585a610dbb2cfd74cc9252f5f6b27ca68b92e6bc0d80393e7918d68420a7de577b4030452af195851001ae04626610aeb1e48f0704bc47153c82097d485de8e358cea2f9911b2571b7d870e9849e2338c3740eccd5dd8882aff6b9b5a6fe9c843e4e956e650c59452657f8317998495b9130f387
\.


--
-- Name: schema_version_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.schema_version_id_seq', 14, true);


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

\unrestrict ZOtrNFhiQkHAEt6Uo0Z2EdMFqRWOUcCHooknjaxYcqAodkBcfdRhUntWYiW5fN4

