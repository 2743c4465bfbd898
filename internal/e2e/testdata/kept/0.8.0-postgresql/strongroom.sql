--
-- PostgreSQL database dump
--

\restrict zAudOe6YLg2tP846jMu3LVZmYXBoM1Y1PpmZmGGsxw6qcSZUhMM6ASYF4EQBvoV

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
-- Data for Name: account; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.account (tenant, id, mode, issuer, subject, created_at) FROM stdin;
default	bwxo4jzkji2uq6avvksjnmwlpy	device		phone	1795487095702880
default	f4g7eobtqsegp5vs66t2iyse7m	device		tablet	1795487096189732
\.


--
-- Data for Name: attempts; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.attempts (tenant, account_id, type, id, version, failures, locked_until, permanent, recent, pending, mac, verified_at, verified_by, devices, locked_to) FROM stdin;
default	bwxo4jzkji2uq6avvksjnmwlpy	TRANSACTION_PIN	rlh5gdmnbhjwtravycqa7heg6e	2	0	0	f	[]	[]	\\x017026e0c3b16d772ac5d205e519dc735c5c5283e0d01d939906f841f8b9224590e23386f5	1795487096028966		[]	0
default	f4g7eobtqsegp5vs66t2iyse7m	TRANSACTION_PIN	jig7hccdbrxs7ndbarhkop5c3y	8	4	0	f	[1795487096227314,1795487096242603,1795487096255532,1795487096270541]	[]	\\x017026e0c376e63b88acee90cdc8510fff6f984392930c514cb73b938e0d6ffd10585f441a	0		[]	0
\.


--
-- Data for Name: audit_log; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.audit_log (tenant, chain, seq, "time", request_id, actor, event, outcome, operation, failed, count, duration, key_id, account, device, record, version, before, digest, reason, prev, hash) FROM stdin;
default	mz2ze3knxioopmz434jwhqexsm	1	1795487095188734		system	store.initialised	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x017026e0c3d0f19e16128b24b3c69445bc0bcd2a7f8b80d1b2b33c1572aeb47e977706ac1b
default	x7hwni2zsqwod4x3jttphwlftm/0	1	1795487095205533		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x017026e0c34386255c071b2620cc4a968713b4f9d790b917588071da297f4904545e0ebdb3
default	x7hwni2zsqwod4x3jttphwlftm/1	1	1795487095205533		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x017026e0c3acdddcff0515bdbc60026c1e270ec3061cd19c7ec7d4c8bd2e8521372473e24c
default	x7hwni2zsqwod4x3jttphwlftm/2	1	1795487095205533		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x017026e0c313534f7a0f30a3a3e14e368cb7ed5bab03544b712090dcdbdc8817c4454cf5cb
default	x7hwni2zsqwod4x3jttphwlftm/3	1	1795487095205533		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x017026e0c30de3bf42b043a3478d3eebbc73f57f1af29c76732b18e7fba41e78abd8989f27
default	x7hwni2zsqwod4x3jttphwlftm/4	1	1795487095205533		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x017026e0c3efa12a117c2f58bc0c8f9a738015e2ddf0fcd217cca061ae1dc2611f2e7b1877
default	x7hwni2zsqwod4x3jttphwlftm/5	1	1795487095205533		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x017026e0c3bf432447a1f528f57c759ef83a76c4b7a14b1423a4d82d684ac0a0bf45c70c46
default	x7hwni2zsqwod4x3jttphwlftm/6	1	1795487095205533		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x017026e0c3820abfe950e11650ac26573f4ecf5cf347e47c475d20698293d2b1b5cbc99dc2
default	x7hwni2zsqwod4x3jttphwlftm/7	1	1795487095205533		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x017026e0c3e5dd7c8e3d8859660fd79f4b79fcedca55b775a3619f52c4a982249dd92c0f36
default	x7hwni2zsqwod4x3jttphwlftm/8	1	1795487095205533		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x017026e0c3fca4bafbb2b2ede944a683d4aca43c3e8b32b346a833fb3ed2126d652e6f494d
default	x7hwni2zsqwod4x3jttphwlftm/9	1	1795487095205533		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x017026e0c350146bbb6e9b548c557db74079181cef48ca1f8beb560c34b558e0586d6246b9
default	x7hwni2zsqwod4x3jttphwlftm/10	1	1795487095205533		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x017026e0c397cfc349b76e4b3329b81d4796dfa38b6551fe26f0b9103b818e5ed6334d5e81
default	x7hwni2zsqwod4x3jttphwlftm/11	1	1795487095205533		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x017026e0c357d177f5c20125508990e12fdd69d570efba7e3cd28026e675cc9e442e965c25
default	x7hwni2zsqwod4x3jttphwlftm/0	2	1795487095206987		system	witness.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x	vm:/tmp/TestDatabasesOfEarlierVersionsOpen1014093898/002/data.witness	\\x017026e0c34386255c071b2620cc4a968713b4f9d790b917588071da297f4904545e0ebdb3	\\x017026e0c3f9b569d403644b7dae786ed444c032c1fa33eb9bb0fe015d4bf90625f5326739
default	x7hwni2zsqwod4x3jttphwlftm/0	3	1795487095214861		system	signing_key.created	ok		f	1	0		\\x	\\x	signing-key/1	0	\\x	\\x	kid 13b5StTaef3mzjdpcgBTV-dIfYfXlMpEAixmK3frDO4	\\x017026e0c3f9b569d403644b7dae786ed444c032c1fa33eb9bb0fe015d4bf90625f5326739	\\x017026e0c3d94dd64bd4d89c13672c3650a5fd7b74854f502c6e7e8bc0a61132d881be6282
default	x7hwni2zsqwod4x3jttphwlftm/0	4	1795487095702880	agrawxwzz6bs66ahlcuyvoaxta	caller	key.issued	ok	generateClientEncryptionKey	f	1	459853	4mmccw7zyjets5ttoy4uwobwma	\\x53d945011c6869e0acebe89937dea19b	\\xa71e5b83c9b47d0de0fe9845a4deb691	key/4mmccw7zyjets5ttoy4uwobwma	1	\\x	\\xfed8c0a9fb202e44fdc21e52fda9d94190deb834c446acf5d520eb80eadb3d09		\\x017026e0c3d94dd64bd4d89c13672c3650a5fd7b74854f502c6e7e8bc0a61132d881be6282	\\x017026e0c3500ca73f9298007ecbcdb06412bcbd20263c4f9767a4c36489fa49f90580d624
default	x7hwni2zsqwod4x3jttphwlftm/0	5	1795487095717707	agrawxw3tvgkxz3trmkr3afxzi	caller	credential.set	ok	setUserPasscode	f	1	8488	4mmccw7zyjets5ttoy4uwobwma	\\x53d945011c6869e0acebe89937dea19b	\\xa71e5b83c9b47d0de0fe9845a4deb691	credential/tjdsdanyjl7lj5sldw4ihzgi2m	1	\\x	\\x859aed997eb8d037f815a40efe987c6a6eb75c8cc01f114f9a13cdaea18c4f3a		\\x017026e0c3500ca73f9298007ecbcdb06412bcbd20263c4f9767a4c36489fa49f90580d624	\\x017026e0c328a522d9c0fefe98bfcc1baa6431e42ff0094d40fd74bb538cea9250a24e6e54
default	x7hwni2zsqwod4x3jttphwlftm/0	6	1795487095730497	agrawxw3vplfou5wwwivhkwuxy	caller	credential.set	ok	setTransactionPin	f	1	7454	4mmccw7zyjets5ttoy4uwobwma	\\x53d945011c6869e0acebe89937dea19b	\\xa71e5b83c9b47d0de0fe9845a4deb691	credential/sv5fis3ftxwv2p7pndz4fche2q	1	\\x	\\x8f62cb5d0a64e13a119d6c72a2da0b739884e51daa0f5c57e61093bcb6530d17		\\x017026e0c328a522d9c0fefe98bfcc1baa6431e42ff0094d40fd74bb538cea9250a24e6e54	\\x017026e0c39f051000a9eb035c3429f7fb7ee3fc377d648daabf152df8d66151ebe32d03b9
default	x7hwni2zsqwod4x3jttphwlftm/0	7	1795487095749503		system	operations.counted	CREDENTIAL_REJECTED		f	1	2669		\\x	\\x		0	\\x	\\x	setTransactionPin	\\x017026e0c39f051000a9eb035c3429f7fb7ee3fc377d648daabf152df8d66151ebe32d03b9	\\x017026e0c31e3c7c5cbdd394ac8307eed71ceb870f55c7a52e0ef1474a6a3d8d1a4d579b3e
default	x7hwni2zsqwod4x3jttphwlftm/0	8	1795487095791829		system	chain.tied	ok		f	1	0		\\x	\\x	chain/mz2ze3knxioopmz434jwhqexsm	1	\\x	\\x017026e0c3d0f19e16128b24b3c69445bc0bcd2a7f8b80d1b2b33c1572aeb47e977706ac1b		\\x017026e0c31e3c7c5cbdd394ac8307eed71ceb870f55c7a52e0ef1474a6a3d8d1a4d579b3e	\\x017026e0c360cbcd7ce26421463019a622ef4f18589406252bea059f3dea635a4f0787e84c
default	x7hwni2zsqwod4x3jttphwlftm/0	9	1795487095791829		system	chain.tied	ok		f	1	0		\\x	\\x	chain/x7hwni2zsqwod4x3jttphwlftm/1	1	\\x	\\x017026e0c3acdddcff0515bdbc60026c1e270ec3061cd19c7ec7d4c8bd2e8521372473e24c		\\x017026e0c360cbcd7ce26421463019a622ef4f18589406252bea059f3dea635a4f0787e84c	\\x017026e0c323107a18d478dc8981ded1e29d6338ecf5d1c6839e281be4e0a94d2a49988089
default	x7hwni2zsqwod4x3jttphwlftm/0	10	1795487095791829		system	chain.tied	ok		f	1	0		\\x	\\x	chain/x7hwni2zsqwod4x3jttphwlftm/10	1	\\x	\\x017026e0c397cfc349b76e4b3329b81d4796dfa38b6551fe26f0b9103b818e5ed6334d5e81		\\x017026e0c323107a18d478dc8981ded1e29d6338ecf5d1c6839e281be4e0a94d2a49988089	\\x017026e0c33cc3335cafac49b2744bfc76419c31ddda52438b4630613e8ac11ca7b89cecc5
default	x7hwni2zsqwod4x3jttphwlftm/0	11	1795487095791829		system	chain.tied	ok		f	1	0		\\x	\\x	chain/x7hwni2zsqwod4x3jttphwlftm/11	1	\\x	\\x017026e0c357d177f5c20125508990e12fdd69d570efba7e3cd28026e675cc9e442e965c25		\\x017026e0c33cc3335cafac49b2744bfc76419c31ddda52438b4630613e8ac11ca7b89cecc5	\\x017026e0c3fe7e2c7f85cc9000f1cb8019e3e2b96d26c298c57c6d733d61818413d6318f4c
default	x7hwni2zsqwod4x3jttphwlftm/0	12	1795487095791829		system	chain.tied	ok		f	1	0		\\x	\\x	chain/x7hwni2zsqwod4x3jttphwlftm/2	1	\\x	\\x017026e0c313534f7a0f30a3a3e14e368cb7ed5bab03544b712090dcdbdc8817c4454cf5cb		\\x017026e0c3fe7e2c7f85cc9000f1cb8019e3e2b96d26c298c57c6d733d61818413d6318f4c	\\x017026e0c32299a6397394912efe49a99797f27780a179c76df873729155ad9f6bfadf6e77
default	x7hwni2zsqwod4x3jttphwlftm/0	13	1795487095791829		system	chain.tied	ok		f	1	0		\\x	\\x	chain/x7hwni2zsqwod4x3jttphwlftm/3	1	\\x	\\x017026e0c30de3bf42b043a3478d3eebbc73f57f1af29c76732b18e7fba41e78abd8989f27		\\x017026e0c32299a6397394912efe49a99797f27780a179c76df873729155ad9f6bfadf6e77	\\x017026e0c38824ba2d492efc32c4843b84d44d750b20e10679cd8fce3251618f1d56e46887
default	x7hwni2zsqwod4x3jttphwlftm/0	14	1795487095791829		system	chain.tied	ok		f	1	0		\\x	\\x	chain/x7hwni2zsqwod4x3jttphwlftm/4	1	\\x	\\x017026e0c3efa12a117c2f58bc0c8f9a738015e2ddf0fcd217cca061ae1dc2611f2e7b1877		\\x017026e0c38824ba2d492efc32c4843b84d44d750b20e10679cd8fce3251618f1d56e46887	\\x017026e0c3d1776f6f1f686dc95d5e7ce162f4e4c674badeab8464e14968a6044a1fd62be9
default	x7hwni2zsqwod4x3jttphwlftm/0	15	1795487095791829		system	chain.tied	ok		f	1	0		\\x	\\x	chain/x7hwni2zsqwod4x3jttphwlftm/5	1	\\x	\\x017026e0c3bf432447a1f528f57c759ef83a76c4b7a14b1423a4d82d684ac0a0bf45c70c46		\\x017026e0c3d1776f6f1f686dc95d5e7ce162f4e4c674badeab8464e14968a6044a1fd62be9	\\x017026e0c38fc2749fe72b190963b68e9d6935a8ae35a1878e15beb7d1e67abcac2179d02a
default	x7hwni2zsqwod4x3jttphwlftm/0	16	1795487095791829		system	chain.tied	ok		f	1	0		\\x	\\x	chain/x7hwni2zsqwod4x3jttphwlftm/6	1	\\x	\\x017026e0c3820abfe950e11650ac26573f4ecf5cf347e47c475d20698293d2b1b5cbc99dc2		\\x017026e0c38fc2749fe72b190963b68e9d6935a8ae35a1878e15beb7d1e67abcac2179d02a	\\x017026e0c33add04e96569390862156374838e4306766d74bc89e4199cfc3bd2027cdd5107
default	x7hwni2zsqwod4x3jttphwlftm/0	17	1795487095791829		system	chain.tied	ok		f	1	0		\\x	\\x	chain/x7hwni2zsqwod4x3jttphwlftm/7	1	\\x	\\x017026e0c3e5dd7c8e3d8859660fd79f4b79fcedca55b775a3619f52c4a982249dd92c0f36		\\x017026e0c33add04e96569390862156374838e4306766d74bc89e4199cfc3bd2027cdd5107	\\x017026e0c3e25b8305feb5df3153a1008d86fc720a7beccf005e9f3ee12fe2c94eae6ff79d
default	x7hwni2zsqwod4x3jttphwlftm/0	18	1795487095791829		system	chain.tied	ok		f	1	0		\\x	\\x	chain/x7hwni2zsqwod4x3jttphwlftm/8	1	\\x	\\x017026e0c3fca4bafbb2b2ede944a683d4aca43c3e8b32b346a833fb3ed2126d652e6f494d		\\x017026e0c3e25b8305feb5df3153a1008d86fc720a7beccf005e9f3ee12fe2c94eae6ff79d	\\x017026e0c3a7c3de95be5511e2d7720f99232712ecfa77915f429b15b6d1b8c5691ef44ff9
default	x7hwni2zsqwod4x3jttphwlftm/0	19	1795487095791829		system	chain.tied	ok		f	1	0		\\x	\\x	chain/x7hwni2zsqwod4x3jttphwlftm/9	1	\\x	\\x017026e0c350146bbb6e9b548c557db74079181cef48ca1f8beb560c34b558e0586d6246b9		\\x017026e0c3a7c3de95be5511e2d7720f99232712ecfa77915f429b15b6d1b8c5691ef44ff9	\\x017026e0c3e1fa25c61bc757272a33ec75eff8ec4cb30f278bee1aadd80431c623bfbbae68
default	x7hwni2zsqwod4x3jttphwlftm/0	20	1795487096014868	agrawxw3w73feubdgbwpdyhwaq	caller	key.rotated	ok		f	1	0	4mmccw7zyjets5ttoy4uwobwma	\\x53d945011c6869e0acebe89937dea19b	\\xa71e5b83c9b47d0de0fe9845a4deb691	key/4mmccw7zyjets5ttoy4uwobwma	2	\\xfed8c0a9fb202e44fdc21e52fda9d94190deb834c446acf5d520eb80eadb3d09	\\x5de5992907ec3983719236b1fc177b60353c6a63ac344f21d974b30981667eab		\\x017026e0c3e1fa25c61bc757272a33ec75eff8ec4cb30f278bee1aadd80431c623bfbbae68	\\x017026e0c36be6a514e2787d706440c071269c20f886db879515774ff33e279223ed4ce279
default	x7hwni2zsqwod4x3jttphwlftm/0	21	1795487096014868	agrawxw3w73feubdgbwpdyhwaq	caller	key.issued	ok	rotateClientEncryptionKey	f	1	279993	3at6akmfj2vdw443ytnmrdrzem	\\x53d945011c6869e0acebe89937dea19b	\\xa71e5b83c9b47d0de0fe9845a4deb691	key/3at6akmfj2vdw443ytnmrdrzem	1	\\x	\\xbb961c3765bbd70a59b9398d57ee46e45db691e8d8e37553df90d2cc2e7536b0		\\x017026e0c36be6a514e2787d706440c071269c20f886db879515774ff33e279223ed4ce279	\\x017026e0c3dd74821419d0b0b78f0a4f0522fe3e44ce10800ead1b638adaf3a3bec71bf079
default	x7hwni2zsqwod4x3jttphwlftm/0	22	1795487096028966	agrawxw42m2wxaq6qhebfvo5gy	caller	credential.verified	ok	verifyTransactionPin	f	1	10025	3at6akmfj2vdw443ytnmrdrzem	\\x53d945011c6869e0acebe89937dea19b	\\xa71e5b83c9b47d0de0fe9845a4deb691	attempts/rlh5gdmnbhjwtravycqa7heg6e	2	\\x3ca3861c7a34408549291956872490196f1cefb606020dea3df6f638feefacad	\\x21cd3f8442cc458dd7bc14d75139f74a2295490a09cb38ac9897b189123cd873		\\x017026e0c3dd74821419d0b0b78f0a4f0522fe3e44ce10800ead1b638adaf3a3bec71bf079	\\x017026e0c3c58d10f3d08bb1c10b7889348c05ceb88f258c60c4d18742d7e6d11f91d51f44
default	x7hwni2zsqwod4x3jttphwlftm/0	23	1795487096189732	agrawxw434jgwnvj3wkecbggay	caller	key.issued	ok	generateClientEncryptionKey	f	1	162104	pnnc2l4m5q27i5tolbidz4usum	\\xce5c69d5dbbad02d50fef3667a2ac1e7	\\xeacbcad7ff2c6b9a6b3257e625aa1e1b	key/pnnc2l4m5q27i5tolbidz4usum	1	\\x	\\xd7386f2110d1ac4d0ed33338ac1010ad586be148da23df3384e673b26a59cf9a		\\x017026e0c3c58d10f3d08bb1c10b7889348c05ceb88f258c60c4d18742d7e6d11f91d51f44	\\x017026e0c3acebe1463284445a35927d5530fdc0157fc990f35b93db375492ab777b56f571
default	x7hwni2zsqwod4x3jttphwlftm/0	24	1795487096214697	agrawxw5r26kfkrpblhtuwrmym	caller	credential.set	ok	setTransactionPin	f	1	8151	pnnc2l4m5q27i5tolbidz4usum	\\xce5c69d5dbbad02d50fef3667a2ac1e7	\\xeacbcad7ff2c6b9a6b3257e625aa1e1b	credential/uruhy2mb6ft64syff2jp7v6i64	1	\\x	\\xc12f360fb3d4ee6a80b0bd4f02ddefbbbe3bb87344272faaacc5eaf9b28d1efc		\\x017026e0c3acebe1463284445a35927d5530fdc0157fc990f35b93db375492ab777b56f571	\\x017026e0c3a94d6d6e2045955c32849df29a94f1a92f8aca95658803df1bd58f63722ca8ac
default	x7hwni2zsqwod4x3jttphwlftm/0	25	1795487096227314	agrawxw5tiyken643gxeafqhpm	caller	credential.mismatch	mismatch	verifyTransactionPin	f	1	8650	pnnc2l4m5q27i5tolbidz4usum	\\xce5c69d5dbbad02d50fef3667a2ac1e7	\\xeacbcad7ff2c6b9a6b3257e625aa1e1b	attempts/jig7hccdbrxs7ndbarhkop5c3y	2	\\xc75a30a098bb3a916a052eb7e6ca40297a2b5f832661c832fc3a2aac592e50be	\\xfef08b5fd1641cee56f1f4ff5fd84ff7cb99738bcf458fd4e5f886eb8597044c		\\x017026e0c3a94d6d6e2045955c32849df29a94f1a92f8aca95658803df1bd58f63722ca8ac	\\x017026e0c36f274b9ce7b61c2958934753e2563c6fd940d38fd20a180162bf18a94e0b0e7f
default	x7hwni2zsqwod4x3jttphwlftm/0	26	1795487096242603	agrawxw5u3et3pgspi2gftxouq	caller	credential.mismatch	mismatch	verifyTransactionPin	f	1	12116	pnnc2l4m5q27i5tolbidz4usum	\\xce5c69d5dbbad02d50fef3667a2ac1e7	\\xeacbcad7ff2c6b9a6b3257e625aa1e1b	attempts/jig7hccdbrxs7ndbarhkop5c3y	4	\\xfef08b5fd1641cee56f1f4ff5fd84ff7cb99738bcf458fd4e5f886eb8597044c	\\x1e9c79a3d90a1e083222d28e7294bbccb9d6b1d8614e58a7e7c73c05fc48acfe		\\x017026e0c36f274b9ce7b61c2958934753e2563c6fd940d38fd20a180162bf18a94e0b0e7f	\\x017026e0c3d468c0273d5993fa4e68c3bcb347f61e37728a9baed9c7774454a402b7e1c7ed
default	x7hwni2zsqwod4x3jttphwlftm/0	27	1795487096255532	agrawxw5wqlnrandthk5m53pcq	caller	credential.mismatch	mismatch	verifyTransactionPin	f	1	10827	pnnc2l4m5q27i5tolbidz4usum	\\xce5c69d5dbbad02d50fef3667a2ac1e7	\\xeacbcad7ff2c6b9a6b3257e625aa1e1b	attempts/jig7hccdbrxs7ndbarhkop5c3y	6	\\x1e9c79a3d90a1e083222d28e7294bbccb9d6b1d8614e58a7e7c73c05fc48acfe	\\x06bc7f0503d4b7966989f0f5a760039908974ddde21d4220c4bbd026bf953d00		\\x017026e0c3d468c0273d5993fa4e68c3bcb347f61e37728a9baed9c7774454a402b7e1c7ed	\\x017026e0c304f73aaf3d4cea297367a30737f05fcb7b33a984615cb5d506c15e03f7a8ad80
default	x7hwni2zsqwod4x3jttphwlftm/0	28	1795487096270541	agrawxw5yejtlk23hcsn3gntpu	caller	credential.mismatch	mismatch	verifyTransactionPin	f	1	13001	pnnc2l4m5q27i5tolbidz4usum	\\xce5c69d5dbbad02d50fef3667a2ac1e7	\\xeacbcad7ff2c6b9a6b3257e625aa1e1b	attempts/jig7hccdbrxs7ndbarhkop5c3y	8	\\x06bc7f0503d4b7966989f0f5a760039908974ddde21d4220c4bbd026bf953d00	\\xe278db4fb4cf635959709add412dbebcf2ca5673ab18575b580e8d2c866673d0		\\x017026e0c304f73aaf3d4cea297367a30737f05fcb7b33a984615cb5d506c15e03f7a8ad80	\\x017026e0c377f95586c631a69589d4b9bb394bbe94a878d0ed074b728f7b562ce1fe02f7ad
\.


--
-- Data for Name: bucket; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.bucket (tenant, width, start, instance, operations, failures, duration, devices, durations) FROM stdin;
default	60000000	1795487040000000	x7hwni2zsqwod4x3jttphwlftm	12	1	983331	\\x01a71e5b83c9b47d0deacbcad7ff2c6b9a	\\x015c010a010001000201010001000100011c0105010501
default	3600000000	1795485600000000	x7hwni2zsqwod4x3jttphwlftm	12	1	983331	\\x01a71e5b83c9b47d0deacbcad7ff2c6b9a	\\x015c010a010001000201010001000100011c0105010501
default	86400000000	1795478400000000	x7hwni2zsqwod4x3jttphwlftm	12	1	983331	\\x01a71e5b83c9b47d0deacbcad7ff2c6b9a	\\x015c010a010001000201010001000100011c0105010501
default	2419200000000	1795046400000000	x7hwni2zsqwod4x3jttphwlftm	12	1	983331	\\x01a71e5b83c9b47d0deacbcad7ff2c6b9a	\\x015c010a010001000201010001000100011c0105010501
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
default	bwxo4jzkji2uq6avvksjnmwlpy	PASSCODE	tjdsdanyjl7lj5sldw4ihzgi2m	1	1795487095717707	1795487095717707	\\x010117e47565b01bef06c992c50f6eceede256fd2372f2dd880d5ddfa8342870be7095ec98eeb3aa62eacb31a9ef24b485131ce9576b409c03eb9f88524d34af926d5c2bd0dde0ce7e91f3a161ce1f9f034379a127c3e1bed5be4ad490a77c8f20b04661d8577abe
default	bwxo4jzkji2uq6avvksjnmwlpy	TRANSACTION_PIN	sv5fis3ftxwv2p7pndz4fche2q	1	1795487095730497	1795487095730497	\\x010117e47565c7e52de6932fa5d9bb526e14b3a33f37736a40c6377a81b8761f0dc321fec713104703bea5ddc95c585c9684858914e45570ad8d602a2719498aa127e935100e26553e1111596e02caaf9c5ba0b23127966b1d5c6456b6f85614350a263e3b0d36d9
default	f4g7eobtqsegp5vs66t2iyse7m	TRANSACTION_PIN	uruhy2mb6ft64syff2jp7v6i64	1	1795487096214697	1795487096214697	\\x010117e475651048dee38b563859d95948d18322adc3c785f81ad62206025a08e06a1e780f3ad0d413342cbbcf9d83d791a35664d6b3f8700df38fe1ee9d44a31f7eb0cc714f9971c313a32a77fb8017192c4eb27253666aedd2b89fcb79146b56c0dbbf6ad9c55d
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
default	bwxo4jzkji2uq6avvksjnmwlpy	4mmccw7zyjets5ttoy4uwobwma	phone	invalidated	2	RSA-OAEP-256	3072		1795487095702880	0	1795487096014868	0	\\x017026e0c3be3ef00564aa7b4998199dac1513f01b46b485aaf1abc3433c6933daa67af74f	\\x308201a2300d06092a864886f70d01010105000382018f003082018a0282018100a0a8d0095271b5afd27b36170c095576dd71c302847d21ba18868cb1767aa4f303043159dc1123b2519f4292a48352b05d08965d96c9a545c53388bbc436b15ba204485e569808fd7f101a5fd414cf6570d73a2b4a855fccdaff3873a0f22f7262828780c11b248bb46816c3ff7bdf3a355b179c282bb3bbb6f5af2043ba130771cc50a2230b9c80cc5441d0094e6a5c88116d9020b3a12f831254345cdc149735c4c8d2531196aff50a19c2513f1300b2df3ba42fbc828aac694405cf0f26f37e7e4df8093564d3da21c6693f7431dbec04d94f72b709a1c1747adcfa90b23a807f749da85b46f77124b24af08d62d912304dc4ea08ff72fa7212a5a9c12d4d0a075698ad43ce78d6f2fdf4bd68abce85ab2473815b2a6e5b774fa624de3c24284afb6cd178e9a7e084a91b24a182b230fb127bad6d30dec8d2abf7b898b64f8d2d6832bbab2b996f743ec2f7f6dfa424552e697a1da1a6a1d598fb1a8a51427f1cf3bd6d26a2e3ab081b9740b7284aacb5e723405341333e8833fe713ad7fd0203010001	\\x	
default	bwxo4jzkji2uq6avvksjnmwlpy	3at6akmfj2vdw443ytnmrdrzem	phone	active	1	RSA-OAEP-256	3072		1795487096014868	0	0	0	\\x017026e0c3a522b9c090fb743456ec301b8c45532fce48ee7e570269e710d1a1138d13947e	\\x308201a2300d06092a864886f70d01010105000382018f003082018a0282018100a526728291fa0cb1665a82ef611177b70d6985efc6e59a1cb1c60a77afe997ded225fdf93409cb3eb1457e0f34796ea891c524d4ab49e9a0f0ff8e7a232a8bb6d8a2da4bc4ed1841eb97fab506fb57418badc60db403284e1abf45f1c4cc2c3830c0d6ada353a612067863f47222bc3a4c2dbe9a889ee4d983249752a1462fad525ff1db1354a97172c966d38a61c23f80965de30657aed559beacdd70dcae3b6273fca74d6ec9da82521a238993ffe0be003f159c04420562ffe150dc0b909767360ab00667f3f0c8fb0a81550b5efb943619389a2d1e936602658254bb127e278464dd505c78418ef452a2c5e8d8d149b8729cbbae19b81d17b665c126613f83dd2c0a158fce5abf4925635a5abb776f5b41097147266d5d238eb909969189cccc5027503dce9118f15877c539b582aa9d8c4e66b9a7eed073f3850886d3b7bf01f2a71d9a25b77c8f0001122f3bf9dd55591e5c70c32e691d9300023b4cd97b0c680f11e830bd013827a8b266c2b113738a203e1ceac4b9d45704a0fbfbfb0203010001	\\x010117e47565f1d7d073781859f26df7b1a575f3dd2ab11070d37b8b7bd53df621bc321b91ac1d2865a48cc9204181844bde2cf84d0ac263243a889324cf94b1b8295089ee223643bfc534d133c52ef3de13df09f2e1ef0386545c105f3325e4899da0cdab696417152aa0478f81ec3c1eebe9ad5e06fdc28aedcd1da21444a43f98c810ba44591cd6d642ac111884296e8d46968fa414e59ec1e1debde51e00f7f6245565de11b1090388702498a77949a20fd23c8ac7d9f3cdeedaaa8aebec4cf040c96b9f360c7c89970345728a659c3efcd90ef7ba00dfcd29867fa84f0b35c0bdc7384e38d27a1c1c423f917246c25e55646b46063c9cfc842cade2a1c193191714cca26b06c3843dd23311ff68c91d1c7bd64c0354879aaa4a15bc66296c73da305f0009c100bf8d7094c6f69f763f3e565410cb2e4f2bbc8b0fb32b4c3436f319c04f86c43c1f6918731ee49c20460130e59b4827bb618d24ae9c4b7d6a887a6f518fcbf0c56aeee4d81b9c1eeb1f760ed9b1ddf5957fed9752b18274c2b19610bd8a0b1a0d3e51ad935d12bf7aba44a5ea32d7d35274de5f4e5f4547b63ff3a701a741ac9e114d087afdb2	
default	f4g7eobtqsegp5vs66t2iyse7m	pnnc2l4m5q27i5tolbidz4usum	tablet	active	1	RSA-OAEP-256	3072		1795487096189732	0	0	0	\\x017026e0c390c3d19c5e476f244d328a664195f793a9dcc3edc2c3ec8dc2e02fce3c7beaba	\\x308201a2300d06092a864886f70d01010105000382018f003082018a0282018100be01f326ca99c4893e11f725808005c2be3740ecc26cef8cf04bf892f451090276a1e9bbc6cebd5b881760c4ccbd0cff789e6f04fec50a2adae5049cc16d382492836155b75de3dcebb226fb84d67a180bc837cef172f8d367490ee8fdd9bcbaf21fb777b4c055de7f8abcafaaa4ba4652118b7d78f887223a87ef6a6de8d129c6ce6fc873253dda88e511b6eaad37487852d31963dc0bc74d6f6952edcf47b1935353af5ab3e08db0eebe64a25f6c727bdc34f68f8d7884909c4a50466fc87d12fd83a9e1462b73e552c21aa1fae50ec38bc19c51f13eb25425308880de3544968711d9f72d4284aa0a9a2d9700c643fbd3815def1c67775560e32416534adb4bc34b0aac66020aef790c569b293d5a1902e95b5ece4c73353709651336a1d1dbb5e31325343c1d67f5f0f01398037d76d39150a4f8df643a905208896876312361b04258f36d576ec0e0df5da85a092594a51fcb2d76dd3fe01df8eeb8288dc96c6495fcea0f731e0976ba08aaff132fd2b90f1589e89ccd732e8ba66109510203010001	\\x010117e47565daafab363c90a438268ba3d7aba98294fb3537eb7da0208d736e6af99015dcfc7f218ea265432956a421d150e61417d74f16cef6fbdd496457436a89f21608ca0710de781fc3b8fd2243563a666ba4c53f3d3974734df8e90fbe5e2785c3f125d2079f024a1df23977d9f191eeedd631fa9c3293f6465594732d6989b4455d242b7d7aac2c987249609d78220c66d36e34f0da300a55b30316ec357e9b2746785dfce6abb47c7f3fff1b58e9e8e8fe7abd49825b1a7972d43c39e5bdf358ecf2f7165cad761284764ce45100748d8c94c676e34e8e69156de1be57af3cc0870500d9aeae81e891de7f66a238788b2e945604de54ef87f7f9151eb5636736c8ce1dc3c18f33a2e9096701c5e5807d11c7ba92faa3fca28aafb81f95cedbae2781de6300eff9321827a99ef9ca66c193a6f7f96192aaa3b54d158b903eafd6985d3f32e36cea4b1cab6588f6f52dcb902098c83a26da1355f34dd742f8ffb8780115f8dab94dfd4c000e4f68b9fab54b7219e64c30e042af393d5ed481bdd5718286a0267e271eeeb7c5ab6e50413101eb58c066536e3152cb1995062c774efeefd52a175e8effb01d51	
\.


--
-- Data for Name: key_account; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.key_account (tenant, key_id, account_id) FROM stdin;
default	4mmccw7zyjets5ttoy4uwobwma	bwxo4jzkji2uq6avvksjnmwlpy
default	3at6akmfj2vdw443ytnmrdrzem	bwxo4jzkji2uq6avvksjnmwlpy
default	pnnc2l4m5q27i5tolbidz4usum	f4g7eobtqsegp5vs66t2iyse7m
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
default	bwxo4jzkji2uq6avvksjnmwlpy	4mmccw7zyjets5ttoy4uwobwma	1795485600000000
default	bwxo4jzkji2uq6avvksjnmwlpy	3at6akmfj2vdw443ytnmrdrzem	1795485600000000
default	f4g7eobtqsegp5vs66t2iyse7m	pnnc2l4m5q27i5tolbidz4usum	1795485600000000
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
4097083626	f	\N	\N	\N	2026-11-24 02:24:55.180168+00
\.


--
-- Data for Name: schema_version; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.schema_version (id, version_id, is_applied, tstamp) FROM stdin;
1	0	t	2026-11-24 02:24:55.01287
2	1	t	2026-11-24 02:24:55.032784
3	2	t	2026-11-24 02:24:55.086711
4	3	t	2026-11-24 02:24:55.142355
5	4	t	2026-11-24 02:24:55.142831
6	5	t	2026-11-24 02:24:55.155339
7	6	t	2026-11-24 02:24:55.156528
8	7	t	2026-11-24 02:24:55.161369
9	8	t	2026-11-24 02:24:55.166232
10	9	t	2026-11-24 02:24:55.175239
\.


--
-- Data for Name: setting; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.setting (tenant, name, value) FROM stdin;
default	epoch	\\x31
default	keyset	\\x7b226b6579736574223a7b2267656e65726174696f6e223a312c22646174614b657973223a5b7b226964223a3430303834383232392c226d6163223a313838313539363039392c227072696d617279223a747275657d5d2c227772617073223a5b7b22726f6f744b6579223a2262623838326531373039383762336665222c2275726c223a2266696c653a2f746d702f546573744461746162617365734f664561726c69657256657273696f6e734f70656e313031343039333839382f3030322f646174612f726f6f742e6b6579222c2261646465644174223a22323032362d31312d32345430323a32343a35352e3138383733345a222c226b6579223a22666a5259454e494a7633446f4937706f6f2f7052747631614876306e79754e676c6553684c6b73556f656b724f75596a34674d347a64723738362f3632687666515674597075484b5775656f694d5579512f5a51336d633068437548424a7036222c226b6579736574223a226a6445542f61462f2b4f30415479747537466d422f4557426d724b5a5038495844474b44594e704a524b4f54744f62487a6f51434c4e6e6d745764324d4737784368427149434e707673364869774a39587875524830584737716c6a68737948493165786c55736a463254595530687470717667434c466e68704837384c4947673378696161414b2b4f6d6a457737695a487050625a6b56666f584a6f2b4d6b526748594434736f357343786144424d4d783544757a41553038414d523779427272506c5368515371446c5147623067704d4b6544713543326467447266537470396e75576957447033504a57526473496177566479306a63324a5a36502f656f596d49726e37696f4a694d4b4c4a724942687636706656776769617935694661592b58456a555279695730353274315a393432315931505a536a34546d2b73466a365a7676705558766937416d6233566d6449742b557049697859713567305279707368592f38227d5d7d2c226d6163223a224158416d344d4f6157317237667662534877456169436e63474231586770654c6f5571755868516159505a46696d723274413d3d227d
default	account_mode	\\x646576696365
default	audit_chain	\\x6d7a327a65336b6e78696f6f706d7a3433346a7768716578736d
default	witness/4e0d0556b2fdcb967b3b0e9dd0371b0a	\\x000660fc6a82344b
default	metrics.folded/x7hwni2zsqwod4x3jttphwlftm/1	\\x0000000000000001
default	metrics.folded/x7hwni2zsqwod4x3jttphwlftm/2	\\x0000000000000001
default	metrics.folded/x7hwni2zsqwod4x3jttphwlftm/3	\\x0000000000000001
default	metrics.folded/x7hwni2zsqwod4x3jttphwlftm/4	\\x0000000000000001
default	metrics.folded/x7hwni2zsqwod4x3jttphwlftm/5	\\x0000000000000001
default	metrics.folded/x7hwni2zsqwod4x3jttphwlftm/6	\\x0000000000000001
default	metrics.folded/x7hwni2zsqwod4x3jttphwlftm/7	\\x0000000000000001
default	metrics.folded/x7hwni2zsqwod4x3jttphwlftm/8	\\x0000000000000001
default	metrics.folded/x7hwni2zsqwod4x3jttphwlftm/9	\\x0000000000000001
default	metrics.folded/x7hwni2zsqwod4x3jttphwlftm/10	\\x0000000000000001
default	metrics.folded/x7hwni2zsqwod4x3jttphwlftm/11	\\x0000000000000001
default	audit_tied	\\x000660fc6a8b20d5
default	metrics.folded/x7hwni2zsqwod4x3jttphwlftm/0	\\x000000000000001c
default	beat/x7hwni2zsqwod4x3jttphwlftm	\\x25017026e0c3a253a3e389e40f0d5c4583dd545b44011d5f0707cd568e43e78e899609e4c11a7b22696e7374616e6365223a22783768776e69327a7371776f643478336a74747068776c66746d222c226e756d626572223a322c226174223a313739353438373039363238323639322c22636f6e646974696f6e223a22656e646564222c226865616473223a7b2230223a32382c2231223a312c223130223a312c223131223a312c2232223a312c2233223a312c2234223a312c2235223a312c2236223a312c2237223a312c2238223a312c2239223a317d2c2272656164223a6e756c6c7d
\.


--
-- Data for Name: signing_key; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.signing_key (tenant, number, id, algorithm, version, created_at, active_from, erased_at, mac, public_key, sealed) FROM stdin;
default	1	13b5StTaef3mzjdpcgBTV-dIfYfXlMpEAixmK3frDO4	ES256	1	1795487095214861	1795487095214861	0	\\x017026e0c30aef40f128983819aaaf45119cb5492397f799fef0b0dbfb9738ae197330e928	\\x3059301306072a8648ce3d020106082a8648ce3d030107034200041dcf553925c3ea79666a0d779bed31852b6d2bd12953c5a7a399b18d9cf62c369c584c6edcdbaa3df1f7eeafbdc60062d68167164449495c4ad01241b78e3466	\\x010117e4756579d61c0edaa7e5ca1d32e9e4ed1564dafdf0d32332cf2c14168d3a1abde234e76943f2da70652cd5c6773b168a0006d551e8ac22ec120acd8e706339f2a34ab0aa776b71617beb137fa7b9fbe76263f9985e473fc672c0fed7c7f1a845a13d9efb5368c2fece72e5e0cd57c6f6251c27c2269faa4e81bd4c1c858c3563090eea714fc435d29098460d23b3c1c1992aca09eb96459ed8db8f3ee7aae886cac20cbb4d192fe21f7a9f97b78f9ac7210e888f8e
\.


--
-- Name: schema_version_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.schema_version_id_seq', 10, true);


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
-- Name: redemption_expiry; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX redemption_expiry ON public.redemption USING btree (tenant, expires_at);


--
-- PostgreSQL database dump complete
--

\unrestrict zAudOe6YLg2tP846jMu3LVZmYXBoM1Y1PpmZmGGsxw6qcSZUhMM6ASYF4EQBvoV

