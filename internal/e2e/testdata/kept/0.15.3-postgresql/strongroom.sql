--
-- PostgreSQL database dump
--

\restrict 8AbotZYkBD7hCMfjeJHWF8mM3gsCHEOtcmDtrVhtnvP4txvsEtzJwRNX5Nfwmtw

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
default	vh56xmbvlnx72qpankr54ijz7m	device		phone	1795842391846701
default	ivu5ql5n4u4yjistvupjpn2v7q	device		tablet	1795842392555489
\.


--
-- Data for Name: attempts; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.attempts (tenant, account_id, type, id, version, failures, locked_until, permanent, recent, pending, mac, verified_at, verified_by, devices, locked_to) FROM stdin;
default	vh56xmbvlnx72qpankr54ijz7m	TRANSACTION_PIN	4bdtuu7whn6wtgoqzqej6z3rh4	2	0	0	f	[]	[]	\\x0180d2967866299166fc4542b98a381886c79432c2da98747bd007782902cf2566dd9265c8	1795842392288708		[]	0
default	ivu5ql5n4u4yjistvupjpn2v7q	TRANSACTION_PIN	phbevwoeycpqftjthres7ugkge	8	4	0	f	[1795842392617660,1795842392645677,1795842392699162,1795842392755219]	[]	\\x0180d296784512fc098e37612bb18620ef2536471c9ff5b15ac19a565f2f28c4201ecf0fa9	0		[]	0
\.


--
-- Data for Name: audit_chain; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.audit_chain (tenant, name, number, form) FROM stdin;
default	jagrcbzhujhucgbnk3yhon3jay	337641472	2
default	onaxg4hdpxqafy5ov72exc3uwa/0	337641473	2
default	onaxg4hdpxqafy5ov72exc3uwa/1	337641474	2
default	onaxg4hdpxqafy5ov72exc3uwa/2	337641475	2
default	onaxg4hdpxqafy5ov72exc3uwa/3	337641476	2
default	onaxg4hdpxqafy5ov72exc3uwa/4	337641477	2
default	onaxg4hdpxqafy5ov72exc3uwa/5	337641478	2
default	onaxg4hdpxqafy5ov72exc3uwa/6	337641479	2
default	onaxg4hdpxqafy5ov72exc3uwa/7	337641480	2
default	onaxg4hdpxqafy5ov72exc3uwa/8	337641481	2
default	onaxg4hdpxqafy5ov72exc3uwa/9	337641482	2
default	onaxg4hdpxqafy5ov72exc3uwa/10	337641483	2
default	onaxg4hdpxqafy5ov72exc3uwa/11	337641484	2
\.


--
-- Data for Name: audit_log; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.audit_log (tenant, chain, seq, "time", request_id, actor, event, outcome, operation, failed, count, duration, key_id, account, device, record, version, before, digest, reason, prev, hash) FROM stdin;
default	jagrcbzhujhucgbnk3yhon3jay	1	1795842390270062		system	store.initialised	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x0180d296785765347d0da1a18fa0c95cb74df62189d24ce3593f999f47adb24d16fb55c8ab
default	onaxg4hdpxqafy5ov72exc3uwa/0	1	1795842390441261		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x0180d296788b384471d23930a06e67dc77a06c583fd3cdd445519eb21585b476ff37c6cc41
default	onaxg4hdpxqafy5ov72exc3uwa/1	1	1795842390441261		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x0180d296781978ab9fb50a01ee317c5b78a128d218b0fb0ab4e0bc0c388e4d1eb5a3168b8a
default	onaxg4hdpxqafy5ov72exc3uwa/2	1	1795842390441261		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x0180d29678179095d3bfafa8aa92884435b013ad022fcb3ef5c7505dce49576e93e82b87d8
default	onaxg4hdpxqafy5ov72exc3uwa/3	1	1795842390441261		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x0180d296781061060a9373589eba335876ba62ad0631c4791c61b96e274b10f614ad481da5
default	onaxg4hdpxqafy5ov72exc3uwa/4	1	1795842390441261		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x0180d29678c2e5759d2e366bef472ae15ac5b8a4b71190893d2c96c273006c7ef2af194fa3
default	onaxg4hdpxqafy5ov72exc3uwa/5	1	1795842390441261		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x0180d29678ea08c1b179fd0ba17b5b7cd0eb7aa12dafd7a89619674885ef704a699b971a07
default	onaxg4hdpxqafy5ov72exc3uwa/6	1	1795842390441261		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x0180d29678eae9a23f99c300208196613d563b693ffb5498aa3e08e13fb995e6e3065c8dcc
default	onaxg4hdpxqafy5ov72exc3uwa/7	1	1795842390441261		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x0180d29678c89395bb135884320be6c449908bd21a3f7919cf02df2916192295c821c0a5ba
default	onaxg4hdpxqafy5ov72exc3uwa/8	1	1795842390441261		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x0180d2967897d027bc7e09cf9e4701ab98b8995f01c88c199c299de17b7e64417eec1f56cd
default	onaxg4hdpxqafy5ov72exc3uwa/9	1	1795842390441261		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x0180d296784af53d1ffa28422081740bc3b77a5b64ffc8fd967c68da89d48a89475c7e1b1a
default	onaxg4hdpxqafy5ov72exc3uwa/10	1	1795842390441261		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x0180d29678e5bf0e5185d2a7738f1676d44a63af1c005f598d5bd8d0e7003986de4ec49d8a
default	onaxg4hdpxqafy5ov72exc3uwa/11	1	1795842390441261		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x0180d29678de0d0aa89e67c62ff2b0d35e2efa604003fa3503e4c56aef619bca9bf42f3b65
default	onaxg4hdpxqafy5ov72exc3uwa/0	2	1795842390490941		system	witness.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x	vm:/tmp/TestDatabasesOfEarlierVersionsOpen3939097100/002/data.witness	\\x0180d296788b384471d23930a06e67dc77a06c583fd3cdd445519eb21585b476ff37c6cc41	\\x0180d29678e6327b58f05ad0333503efdeca95f0eeeae8574a0f9dd3b2049a46ff7b9fce81
default	onaxg4hdpxqafy5ov72exc3uwa/0	3	1795842390530645		system	signing_key.created	ok		f	1	0		\\x	\\x	signing-key/1	0	\\x	\\x	kid IT8PcujLU8Gkoq-_TpUBtgiU0CcjTX9dWlvBKeBiMaU	\\x0180d29678e6327b58f05ad0333503efdeca95f0eeeae8574a0f9dd3b2049a46ff7b9fce81	\\x0180d29678aa18c9a218466bcb0a025aaab89ac5705a2c223685be03ae5ce1e52981689715
default	onaxg4hdpxqafy5ov72exc3uwa/0	4	1795842391241876		system	chain.tied	ok		f	1	0		\\x	\\x	chain/jagrcbzhujhucgbnk3yhon3jay	1	\\x	\\x0180d296785765347d0da1a18fa0c95cb74df62189d24ce3593f999f47adb24d16fb55c8ab		\\x0180d29678aa18c9a218466bcb0a025aaab89ac5705a2c223685be03ae5ce1e52981689715	\\x0180d2967825d762a79b70c124f4363de440d58c8309e25e03944a07d77899807972d7db36
default	onaxg4hdpxqafy5ov72exc3uwa/0	5	1795842391241876		system	chain.tied	ok		f	1	0		\\x	\\x	chain/onaxg4hdpxqafy5ov72exc3uwa/1	1	\\x	\\x0180d296781978ab9fb50a01ee317c5b78a128d218b0fb0ab4e0bc0c388e4d1eb5a3168b8a		\\x0180d2967825d762a79b70c124f4363de440d58c8309e25e03944a07d77899807972d7db36	\\x0180d29678f9a62c6df14de7103527575d93e8f59ff808381c0204e6eb372296c6fbfce15c
default	onaxg4hdpxqafy5ov72exc3uwa/0	6	1795842391241876		system	chain.tied	ok		f	1	0		\\x	\\x	chain/onaxg4hdpxqafy5ov72exc3uwa/10	1	\\x	\\x0180d29678e5bf0e5185d2a7738f1676d44a63af1c005f598d5bd8d0e7003986de4ec49d8a		\\x0180d29678f9a62c6df14de7103527575d93e8f59ff808381c0204e6eb372296c6fbfce15c	\\x0180d29678346d3a632b9978153ac6959db866c1bba6ac51a009e4673f83a1882310304a83
default	onaxg4hdpxqafy5ov72exc3uwa/0	7	1795842391241876		system	chain.tied	ok		f	1	0		\\x	\\x	chain/onaxg4hdpxqafy5ov72exc3uwa/11	1	\\x	\\x0180d29678de0d0aa89e67c62ff2b0d35e2efa604003fa3503e4c56aef619bca9bf42f3b65		\\x0180d29678346d3a632b9978153ac6959db866c1bba6ac51a009e4673f83a1882310304a83	\\x0180d29678781dde59ac39d0095e93aa1c307161b48f1fc90d91bd3ddc35b7415a9b793698
default	onaxg4hdpxqafy5ov72exc3uwa/0	8	1795842391241876		system	chain.tied	ok		f	1	0		\\x	\\x	chain/onaxg4hdpxqafy5ov72exc3uwa/2	1	\\x	\\x0180d29678179095d3bfafa8aa92884435b013ad022fcb3ef5c7505dce49576e93e82b87d8		\\x0180d29678781dde59ac39d0095e93aa1c307161b48f1fc90d91bd3ddc35b7415a9b793698	\\x0180d29678830bdc2f2e374cd6beb0e9090b7c6a3ea6e5e4bca811155b706de2cc24aaf474
default	onaxg4hdpxqafy5ov72exc3uwa/0	9	1795842391241876		system	chain.tied	ok		f	1	0		\\x	\\x	chain/onaxg4hdpxqafy5ov72exc3uwa/3	1	\\x	\\x0180d296781061060a9373589eba335876ba62ad0631c4791c61b96e274b10f614ad481da5		\\x0180d29678830bdc2f2e374cd6beb0e9090b7c6a3ea6e5e4bca811155b706de2cc24aaf474	\\x0180d29678409285b81541da87ea6e923be6c754b862a0e2542a3a300a7b30bfb0c90411fa
default	onaxg4hdpxqafy5ov72exc3uwa/0	10	1795842391241876		system	chain.tied	ok		f	1	0		\\x	\\x	chain/onaxg4hdpxqafy5ov72exc3uwa/4	1	\\x	\\x0180d29678c2e5759d2e366bef472ae15ac5b8a4b71190893d2c96c273006c7ef2af194fa3		\\x0180d29678409285b81541da87ea6e923be6c754b862a0e2542a3a300a7b30bfb0c90411fa	\\x0180d29678acea33117a85e6642fe961ed373b31254977fb2545403fd58fb4a1f591d8a37a
default	onaxg4hdpxqafy5ov72exc3uwa/0	11	1795842391241876		system	chain.tied	ok		f	1	0		\\x	\\x	chain/onaxg4hdpxqafy5ov72exc3uwa/5	1	\\x	\\x0180d29678ea08c1b179fd0ba17b5b7cd0eb7aa12dafd7a89619674885ef704a699b971a07		\\x0180d29678acea33117a85e6642fe961ed373b31254977fb2545403fd58fb4a1f591d8a37a	\\x0180d29678850e4a8508b9a737b41a834d76e95219100354a34e9060c63b2ebf73f10ac0e9
default	onaxg4hdpxqafy5ov72exc3uwa/0	12	1795842391241876		system	chain.tied	ok		f	1	0		\\x	\\x	chain/onaxg4hdpxqafy5ov72exc3uwa/6	1	\\x	\\x0180d29678eae9a23f99c300208196613d563b693ffb5498aa3e08e13fb995e6e3065c8dcc		\\x0180d29678850e4a8508b9a737b41a834d76e95219100354a34e9060c63b2ebf73f10ac0e9	\\x0180d296787b4e77f61d3ba88c77698b328a03e5919421a9af41a13991fc039e7e7f4f684a
default	onaxg4hdpxqafy5ov72exc3uwa/0	13	1795842391241876		system	chain.tied	ok		f	1	0		\\x	\\x	chain/onaxg4hdpxqafy5ov72exc3uwa/7	1	\\x	\\x0180d29678c89395bb135884320be6c449908bd21a3f7919cf02df2916192295c821c0a5ba		\\x0180d296787b4e77f61d3ba88c77698b328a03e5919421a9af41a13991fc039e7e7f4f684a	\\x0180d2967846bf4498f73b4e8c002678d5eb63287d227616745a5308d009aa6d24f70e97d3
default	onaxg4hdpxqafy5ov72exc3uwa/0	14	1795842391241876		system	chain.tied	ok		f	1	0		\\x	\\x	chain/onaxg4hdpxqafy5ov72exc3uwa/8	1	\\x	\\x0180d2967897d027bc7e09cf9e4701ab98b8995f01c88c199c299de17b7e64417eec1f56cd		\\x0180d2967846bf4498f73b4e8c002678d5eb63287d227616745a5308d009aa6d24f70e97d3	\\x0180d29678514cdf192876d4dfb5b5e9b877327169da92e5a053c425b660b945f86ab1bbb7
default	onaxg4hdpxqafy5ov72exc3uwa/0	15	1795842391241876		system	chain.tied	ok		f	1	0		\\x	\\x	chain/onaxg4hdpxqafy5ov72exc3uwa/9	1	\\x	\\x0180d296784af53d1ffa28422081740bc3b77a5b64ffc8fd967c68da89d48a89475c7e1b1a		\\x0180d29678514cdf192876d4dfb5b5e9b877327169da92e5a053c425b660b945f86ab1bbb7	\\x0180d2967825f86b24e574734bb669dca4cb8b3e1319bd0a3b49cb49c1b46ac99bdda12521
default	onaxg4hdpxqafy5ov72exc3uwa/0	16	1795842391846701	agrcbdb2qzlnjoymiuog5wmkcu	caller	key.issued	ok	generateClientEncryptionKey	f	1	1186458	ppj32pvcscvt7vms3dbh3mi4du	\\x365545459497aa4160bf0de3034a143f	\\xfea08f7930a9b772075d7b28fde1b2a0	key/ppj32pvcscvt7vms3dbh3mi4du	1	\\x	\\x5ac3d282a22e5864ed3601ee981e7e5a1b4be1bdce519a03c5787d5e3e8e3f00		\\x0180d2967825f86b24e574734bb669dca4cb8b3e1319bd0a3b49cb49c1b46ac99bdda12521	\\x0180d296788f58ce92e2844058497be3435fbbc492879b39533ac870251fc628e6cdc6cf43
default	onaxg4hdpxqafy5ov72exc3uwa/0	17	1795842391953332	agrcbdb7hlw2uqos3mk7m7qlge	caller	credential.set	ok	setUserPasscode	f	1	87273	ppj32pvcscvt7vms3dbh3mi4du	\\x365545459497aa4160bf0de3034a143f	\\xfea08f7930a9b772075d7b28fde1b2a0	credential/jhppzsz3q3rbplg25ilyroyhcu	1	\\x	\\xb9e9e185856f9bf056392a094a24f23dceb9d5d92bfa3627b95951ee529ef78f		\\x0180d296788f58ce92e2844058497be3435fbbc492879b39533ac870251fc628e6cdc6cf43	\\x0180d296781d7ac725fd3367bc7b18dd693c815a4f7279eb22344cab34e7ab33a6d0ba7770
default	onaxg4hdpxqafy5ov72exc3uwa/0	18	1795842392011770	agrcbdb7tettjuaugdmrwdh65e	caller	credential.set	ok	setTransactionPin	f	1	51068	ppj32pvcscvt7vms3dbh3mi4du	\\x365545459497aa4160bf0de3034a143f	\\xfea08f7930a9b772075d7b28fde1b2a0	credential/fnf5jaiwswc5qw4g3ygwt4ip2u	1	\\x	\\x48e24eeadb07013d0c95180591c3259517abd4f7c2fafc0f5f0a5347c4a1a6b4		\\x0180d296781d7ac725fd3367bc7b18dd693c815a4f7279eb22344cab34e7ab33a6d0ba7770	\\x0180d29678f1d52a5211d9d057f6c5718c352b60762404d673771bfe75117381af65c81d7e
default	onaxg4hdpxqafy5ov72exc3uwa/0	19	1795842392163176		system	operations.counted	CREDENTIAL_REJECTED		f	1	12009		\\x	\\x		0	\\x	\\x	setTransactionPin	\\x0180d29678f1d52a5211d9d057f6c5718c352b60762404d673771bfe75117381af65c81d7e	\\x0180d29678dbd75ea3309a98c7a1ac6d2017f426d2db9766f2108c2789c2f1d4af886061d7
default	onaxg4hdpxqafy5ov72exc3uwa/0	20	1795842392222847	agrcbdb74drms23gwnvd2voyna	caller	key.rotated	ok		f	1	0	ppj32pvcscvt7vms3dbh3mi4du	\\x365545459497aa4160bf0de3034a143f	\\xfea08f7930a9b772075d7b28fde1b2a0	key/ppj32pvcscvt7vms3dbh3mi4du	2	\\x5ac3d282a22e5864ed3601ee981e7e5a1b4be1bdce519a03c5787d5e3e8e3f00	\\xfb25ce20e2d7bc9b8cd7f8c78fbf68b36560be0d513ebb43164bea1f05e30422		\\x0180d29678dbd75ea3309a98c7a1ac6d2017f426d2db9766f2108c2789c2f1d4af886061d7	\\x0180d2967870e161f6bf04413c88d89e1bd41f91e9b4a355af57e5164753cf80cf77df5d28
default	onaxg4hdpxqafy5ov72exc3uwa/0	21	1795842392222847	agrcbdb74drms23gwnvd2voyna	caller	key.issued	ok	rotateClientEncryptionKey	f	1	190704	hbjfj7xr7banjcjymyexzidrie	\\x365545459497aa4160bf0de3034a143f	\\xfea08f7930a9b772075d7b28fde1b2a0	key/hbjfj7xr7banjcjymyexzidrie	1	\\x	\\xf13ee832fbde1458e1b998c8f8c80c20b157f773cfbf099b1526a16e92aa42ce		\\x0180d2967870e161f6bf04413c88d89e1bd41f91e9b4a355af57e5164753cf80cf77df5d28	\\x0180d29678165aebd2a27269961007dfb09492378798ae222148627f6568aa5b8df5670ccf
default	onaxg4hdpxqafy5ov72exc3uwa/0	23	1795842392555489	agrcbdca4zsdjagqic7ytn7mgy	caller	key.issued	ok	generateClientEncryptionKey	f	1	263098	hv7tzmabbe6f7eesad5yizhb5m	\\x63fbc7e195ea05dd534d35e73b772d00	\\x7ec563f6c949eab6b7064a0bc6f0376e	key/hv7tzmabbe6f7eesad5yizhb5m	1	\\x	\\xa19e2c44f7366486b23f28573f702ca2a388425d1c8b9e237d228bed4d7521f0		\\x0180d296780b0e36b992e39299993cfefa37753bde	\\x0180d29678e83c727b0af70d2e3e2b0fc4b77c6a555b7b8dbe3d91c72b7d1816948d2b30cc
default	onaxg4hdpxqafy5ov72exc3uwa/0	24	1795842392597781	agrcbdccamzb7uxt2rujjdivnu	caller	credential.set	ok	setTransactionPin	f	1	18226	hv7tzmabbe6f7eesad5yizhb5m	\\x63fbc7e195ea05dd534d35e73b772d00	\\x7ec563f6c949eab6b7064a0bc6f0376e	credential/4xz3yzgv6xkehcgqjynqpstqge	1	\\x	\\x95182ffa6b57af78ff6d73b4f2cedec5f6f3327b457587e438337bd69f8d81ff		\\x0180d29678e83c727b0af70d2e3e2b0fc4b77c6a555b7b8dbe3d91c72b7d1816948d2b30cc	\\x0180d2967850999e7c88f057670fd523205f9135d33a92b51631985cff8cc15b9ed1ac94dd
\.


--
-- Data for Name: audit_verdict_2026_11; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.audit_verdict_2026_11 (chain, seq, second, micros, account, data, hash) FROM stdin;
337641473	22	849157592	288708	911557957	\\x01a2208c40a9e1593247ea3be4dd48ee385254fef1f840d4893866097ca071419497aa4160bf0de3034a143ffea08f7930a9b772075d7b28fde1b2a0e0473a53f63b7d6999d0cc089f67713f0202c6b3030000085a83df5aa60ef2a046aa64b78498b65c	\\x0180d296780b0e36b992e39299993cfefa37753bde
337641473	25	849157592	617660	1677445089	\\x01a2208c421855c418fdc40cd1abea733d7f3cb001093c5f909200fb8464e1eb95ea05dd534d35e73b772d007ec563f6c949eab6b7064a0bc6f0376e79c24ad9c4c09f02cd333c492fd0ca311202e88a010000083cdf1fa545991db064a254715fcf512f	\\x0180d29678eabbec118db29d5f00380df9315b3fd1
337641473	26	849157592	645677	1677445089	\\x01a2208c422e2767b85c7d094eccb0823d7f3cb001093c5f909200fb8464e1eb95ea05dd534d35e73b772d007ec563f6c949eab6b7064a0bc6f0376e79c24ad9c4c09f02cd333c492fd0ca31120499b90100000864a254715fcf512f4f7180442e618954	\\x0180d296783f2f1c259dc4e94c075f7ef5394ee23e
337641473	27	849157592	699162	1677445089	\\x01a2208c42496fd7f9478fad0c0032ca3d7f3cb001093c5f909200fb8464e1eb95ea05dd534d35e73b772d007ec563f6c949eab6b7064a0bc6f0376e79c24ad9c4c09f02cd333c492fd0ca311206b487030000084f7180442e618954d6c00701bba0565a	\\x0180d29678af6c412c0fb1ab278db4a230dbd8c78a
337641473	28	849157592	755219	1677445089	\\x01a2208c427d4f0b0100ea5286910b313d7f3cb001093c5f909200fb8464e1eb95ea05dd534d35e73b772d007ec563f6c949eab6b7064a0bc6f0376e79c24ad9c4c09f02cd333c492fd0ca311208b4a703000008d6c00701bba0565af7f1e755f53a27d3	\\x0180d296786929386d5933a1512a851b0e565c94d1
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
default	3600000000	1795842000000000	onaxg4hdpxqafy5ov72exc3uwa	12	1	2010355	\\x017ec563f6c949eab6fea08f7930a9b772	\\x016d010301000102010701000200010401080103011001
default	86400000000	1795824000000000	onaxg4hdpxqafy5ov72exc3uwa	12	1	2010355	\\x017ec563f6c949eab6fea08f7930a9b772	\\x016d010301000102010701000200010401080103011001
default	2419200000000	1795046400000000	onaxg4hdpxqafy5ov72exc3uwa	12	1	2010355	\\x017ec563f6c949eab6fea08f7930a9b772	\\x016d010301000102010701000200010401080103011001
default	60000000	1795842360000000	onaxg4hdpxqafy5ov72exc3uwa	12	1	2010355	\\x017ec563f6c949eab6fea08f7930a9b772	\\x016d010301000102010701000200010401080103011001
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
default	vh56xmbvlnx72qpankr54ijz7m	PASSCODE	jhppzsz3q3rbplg25ilyroyhcu	1	1795842391953332	1795842391953332	\\x01017bf9233cdc0c28f33a43c36a9c4f97ee593fd5a66aedd83d899c96614d67e3108647355d0c0329dce41624146458e9abbda57ba25fd24c526b3634ea5c1d465bd1296645def06f7c65fc89bc4fb73902c806d27cee3d6459bce19ff12bb94d5bb45ee4982a4d
default	vh56xmbvlnx72qpankr54ijz7m	TRANSACTION_PIN	fnf5jaiwswc5qw4g3ygwt4ip2u	1	1795842392011770	1795842392011770	\\x01017bf9233ca722516c833c12a05f22d9987ef5a9a3bcecbe6fea83bc0ce93737b4a15813741d776716d7a98279d7ea7c8304429b64d46b651277389d5e9609af3fca7a7bc45e06fa07beea2c0ffb78c06aae277fc1d30e21c76a56b04ef2dfe09bd4da8469f85e
default	ivu5ql5n4u4yjistvupjpn2v7q	TRANSACTION_PIN	4xz3yzgv6xkehcgqjynqpstqge	1	1795842392597781	1795842392597781	\\x01017bf9233c47ccabef5c15b71127beedf7b81de1537934a1e891a6b429a6a320cbf2a68a8e81fb0e9f80239c5528a0e5c3f21c83576c84a85de772d76c5244df52a726453521c348fed247892cf4e981711b540f3a5cdfda838f08cff171d38fb2cddc7ba18b26
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
default	vh56xmbvlnx72qpankr54ijz7m	ppj32pvcscvt7vms3dbh3mi4du	phone	invalidated	2	RSA-OAEP-256	3072		1795842391846701	0	1795842392222847	0	\\x0180d2967833e2a3d3f529effced38625322f91cbf599df65b24527da8d1843c7506c02e1d	\\x308201a2300d06092a864886f70d01010105000382018f003082018a0282018100a1c9087e5f4e352e507c0a59b00cc1171e51f3ac4883b45c6146ecb0a1b253d3b0789746cc08cf8d41a11213fe5ff1d7cb33f8d3c8377595fad2e279c0d329a530623ebc65ee36e492438140cda2c5eb8ffc5fa8ad9d6f2e5403cd2c78afd28a1142ec90fe8ef5c2b38126431d3daa65c6c7f333ccb90fd58cff11338e33e59e5679fc7cb8f0d27344a605ff091f135de83e8581a64babebedbe06f40aeacc1da42a3cfda3aadddf8ee11f52da83abcfca6c84a571811a75dc77bae938cf1808162a05b854b39250aede08b140ee08e3f2ad140556051c7fdd95cf405fbd8cc8a1e5d8217fee70cd225cc3e863a313fb7733ac2a7da7b9664960862f5ec4af0205b692c4564b8ef094f575508581ab7c3b37d5666c78432123cd40ff95886abe74e82da0151aa9738012ea14182095dd3193c00f5a9a9b29f20e72270e97bf0a30723d66707b022c5d42625dc0f5243eee5cb80920acd519efc1f7dfbd7b6db25f058945239123c87ba67e0cfc0e48ec106b9f1d8e575dfba720b46b957a91710203010001	\\x	
default	vh56xmbvlnx72qpankr54ijz7m	hbjfj7xr7banjcjymyexzidrie	phone	active	1	RSA-OAEP-256	3072		1795842392222847	0	0	0	\\x0180d296783e46d08e5db5e771c44d180bd6205c4bfd1920f1d95477c4b04981b4b75ec358	\\x308201a2300d06092a864886f70d01010105000382018f003082018a0282018100e8bf9dcc0a4d82fe60bf621fbfe16eb3ed5f43af921092b9401e0956ce0f9ffcddee2742bd4179c9809b176a08d6f60e52400f0b944626e2b19fc68c98d71a4e0f2804b6dd34aa500c7d59ea86c61e72f3e062b37b5e81ac1791e2e9f50554f443f5505f6ed5da21070228441c7a7b962cd3b3b35aa0290e23f78c241bb98c412aeb737719e3233919c3ea5bd454ff6e999b4ca56d23fc9cbf7a027672c84280dd6fa34b6b9c6c695396980eea6b1191c74d9af25eed9a9feffb20cfb22fa9f081217283d09db684993be82beb79e4ce27445a74c2da710cbfb71d2e0330453f690f414c78fd5ab246c93966f7c395cdd8e8f9f6f62665e4eb89f4bee0b53a58cd7e205bf447ef225aba98ef3c95158e8c52b0e85a5d523a8c48865bc95afa5421b9fff7aa7c4da5672a3a44f10d68544df7fa81ceecc8262241a9d44b649a8bbd4e529eb2d03e937344870b5bafb2f00c36948a5efcd8afa6d1f779a31237dca60215f1b4ac3cc7e63bc53f14b47c7dc5b18a565472c53eac807f289456d56b0203010001	\\x01017bf9233c79bd38c97e91f70daa13a55de4a32e2e45c045666453aa1d1dd678d219621850682498958ceed911ba84dd8f5c208cb076559e18561f13564430590cc152c476269b194ffc1f67aeaf207cca5fdadc3543e6c1e519bca397a00b9af048922a47f981f569107406545584da5c4a955cfd4f9aeccd71808c2f0ce525f6a8e258d9590e14e76a24af07a5d44b661c1b8dbccfcd90f0642ecbe208e76dacaf5107ce7228e9988ae6c8d19e5273c21042e79cf53fac194cc0a25a16f26d21db8a22054f19f9e95c759eaa4b0391e0b5f6f2b9f0f48f08d9e0a6a8685ac5fcd619a9a969377b902d8b32b1d4f62f3bd451a7f60b8e3df05358203d2110e2eb5a7046c372e7ec463e3a76678a114e7fe51773899d32597beb2c1ea1e795b6d60aaaa900103ddb18fae002423d304db7ea1e3a8916feb1fc5f9912f9ddfef1857796a9bcfcfb060951dd9c4ffbabf92d26e76d4e6ac6a19ab9a632903e1270e29466aac4b63a3edf49ce4ac1c71132d9d84008287fe66b88287919b44e945c8f3847c09a2a86e92bafeaf474456881a65acca87d2c5b3090fd94c65f81a9e57912ad705b146c659efb5e1ffe77	
default	ivu5ql5n4u4yjistvupjpn2v7q	hv7tzmabbe6f7eesad5yizhb5m	tablet	active	1	RSA-OAEP-256	3072		1795842392555489	0	0	0	\\x0180d296788b8dc0b6cec9fc05cb792444b53c9c7299352258915c785be4a17ddb8eaec094	\\x308201a2300d06092a864886f70d01010105000382018f003082018a0282018100b276d9853a26fb5d64f8268d632fba28b0e53c6ca7cc6ecf055f64f54b513f510fafe32b12fe652ad181cdec40acc49c641ed0613fceadce40258272626e514a9457b63bd233e9bf283744ce9b6898834285fb01050fc46e7eb8c9bbccf5064f759c4585d8fe376c9791a53968df6f7e9223328bc703f146ce13a6fb6b6002812a5244bf9f28ae49de82a6c5857a25f32e3e53f85c70cdc346db5e61ccf7fafb2d3e546bb90c2e9f8f63438d3a27e70e5a9271e9e6c9e240403fed51bebfe443b376392ac022c2310c5c4278d68af4a2c473f21efca9b9deca0c7812ad257f8bc6f08d3f2e0fc7c6ca82c5caad504e0bc3e5926e2423e553f55928134973350d76acab3725f1f1325f9a4c6ba827b0a714309d009074c986f00eba2f0dd10b9856e456ae79a7797a8c747bdbb072eb57f47ea8e6e7fc8b9265679d8c645d1e8bc31dcbd6981dd334a3be6dfa0ed8c9b1c4ddda899561d601daecad6380c571bc33c82eed0c5d79157255ecf7dd76572cb525f0704126a697acd22bb8c0b0e2510203010001	\\x01017bf9233c2f5649e385e0f12e38221e8f97308a8f57c7e52cfd451bded8aee6dc38e215b36079f7a6b7bab1a0d738715de44356f85356d72235e82fcdfbdec7ec79806798781bbb7673c9952e99dc0a36508567b95db9e42c098d649d329b124596e08d5d642b52747ce223d345cbfd5fdb158a098558ef0616e619304eaa122424a7b992b059672cf288566ea2306f1b9a24ec5ccdf78505c1187fbab4235b492e8d1387c2cfab89788483a7caf6d3558f74be38f8d5a334965ca02e711cc58377c5928ae178669a2c7698973edfa510f5877a7d879417eef799cd62463ff446ed55ba6383952b5e9d9cf4edd24148a5e43553e875be4cf14be3ca6331fc001de87b6e6c1c7afa05013083a150d91acd9bdad2c31338adc13628c63cd6354b96320f6922c0ec25719be65b3922041f4d7faa8eedbffd46d262eb3e3d7aebc9a043d370071a08a839d27eaca4d07bd7f4ae3e07e3dfa448ce83dc5d31dfd34c02a916bfbb2c7019f5626ecaedb1b5656c7b2d8580b68e2e758db066256df1c04d3204b8e3c4ac8607e0f249e793e9e06f085f074f01ebe59cf4ab265383b26a21c4e22da39ebba0f4b4bc52e57d	
\.


--
-- Data for Name: key_account; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.key_account (tenant, key_id, account_id) FROM stdin;
default	ppj32pvcscvt7vms3dbh3mi4du	vh56xmbvlnx72qpankr54ijz7m
default	hbjfj7xr7banjcjymyexzidrie	vh56xmbvlnx72qpankr54ijz7m
default	hv7tzmabbe6f7eesad5yizhb5m	ivu5ql5n4u4yjistvupjpn2v7q
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
default	vh56xmbvlnx72qpankr54ijz7m	ppj32pvcscvt7vms3dbh3mi4du	1795842000000000
default	vh56xmbvlnx72qpankr54ijz7m	hbjfj7xr7banjcjymyexzidrie	1795842000000000
default	ivu5ql5n4u4yjistvupjpn2v7q	hv7tzmabbe6f7eesad5yizhb5m	1795842000000000
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
4097083626	f	\N	\N	\N	2026-11-28 05:06:30.195439+00
\.


--
-- Data for Name: schema_version; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.schema_version (id, version_id, is_applied, tstamp) FROM stdin;
1	0	t	2026-11-28 05:06:29.786148
2	1	t	2026-11-28 05:06:29.899207
3	2	t	2026-11-28 05:06:29.982966
4	3	t	2026-11-28 05:06:30.036792
5	4	t	2026-11-28 05:06:30.037639
6	5	t	2026-11-28 05:06:30.072693
7	6	t	2026-11-28 05:06:30.086018
8	7	t	2026-11-28 05:06:30.091391
9	8	t	2026-11-28 05:06:30.108649
10	9	t	2026-11-28 05:06:30.117879
11	10	t	2026-11-28 05:06:30.125004
12	11	t	2026-11-28 05:06:30.145685
13	12	t	2026-11-28 05:06:30.150896
14	13	t	2026-11-28 05:06:30.151275
15	14	t	2026-11-28 05:06:30.185663
\.


--
-- Data for Name: setting; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.setting (tenant, name, value) FROM stdin;
default	epoch	\\x31
default	account_mode	\\x646576696365
default	audit_chain	\\x6a61677263627a68756a68756367626e6b3379686f6e336a6179
default	keyset	\\x7b226b6579736574223a7b2267656e65726174696f6e223a312c22646174614b657973223a5b7b226964223a323037393932353035322c226d6163223a323136313238343732382c227072696d617279223a747275657d5d2c227772617073223a5b7b22726f6f744b6579223a2263646537643333633162313237313763222c2275726c223a2266696c653a2f746d702f546573744461746162617365734f664561726c69657256657273696f6e734f70656e333933393039373130302f3030322f646174612f726f6f742e6b6579222c2261646465644174223a22323032362d31312d32385430353a30363a33302e3237303036325a222c226b6579223a226f5a636a2f7077353056564e3653344d737a655354584a7248446a4968654a6c73473672784a75776532796d59414675696a48432b5833513077467546754b714b4d502f4f7a5035636773574d6b65626f436c6d366c746758546d5357336b55222c226b6579736574223a22576539594569434f464b2f56316a615333314b3830573037676e333548374f427339655077555855773555494e5577706a53486966384b375a2b76527a71792f3634727237556b4567794b6351436d7a6d684d7845454443573072344844484e646e4465596d4150385455614e7432726d5a4878566a42574d79396f5a52664332664854366a33777443794654412b304448623355504155644650503349514c685067444f48783445305933313943727869656e6c702b6e4d6f6770505478513566593931542b684c64706d49796a4f6143645343374571634f787737626967664f2f59735a6b34432b5573795a35683536467844556335344e6e4c413352323071543057426c3969365173467a73776b3547614a4f696149632b586a74476679506b4647757978426a562b66736f77596c416b736875506775714776647745457139565953314168554f782f4e337a76474a323532675854786a4861576b766b62537866777255227d5d7d2c226d6163223a22415944536c6e6969386d6c424e68686444766f6b4777446e497875664459595a773452582f546a644d39646431457a6348413d3d227d
default	witness/51089be732d10854320231c02882b928	\\x0006614f23c1ff3d
default	metrics.folded/onaxg4hdpxqafy5ov72exc3uwa/1	\\x0000000000000001
default	metrics.folded/onaxg4hdpxqafy5ov72exc3uwa/2	\\x0000000000000001
default	metrics.folded/onaxg4hdpxqafy5ov72exc3uwa/3	\\x0000000000000001
default	metrics.folded/onaxg4hdpxqafy5ov72exc3uwa/4	\\x0000000000000001
default	metrics.folded/onaxg4hdpxqafy5ov72exc3uwa/5	\\x0000000000000001
default	metrics.folded/onaxg4hdpxqafy5ov72exc3uwa/6	\\x0000000000000001
default	metrics.folded/onaxg4hdpxqafy5ov72exc3uwa/7	\\x0000000000000001
default	metrics.folded/onaxg4hdpxqafy5ov72exc3uwa/8	\\x0000000000000001
default	metrics.folded/onaxg4hdpxqafy5ov72exc3uwa/9	\\x0000000000000001
default	metrics.folded/onaxg4hdpxqafy5ov72exc3uwa/10	\\x0000000000000001
default	metrics.folded/onaxg4hdpxqafy5ov72exc3uwa/11	\\x0000000000000001
default	audit_tied	\\x0006614f23cd7494
default	metrics.folded/onaxg4hdpxqafy5ov72exc3uwa/0	\\x000000000000001c
default	beat/onaxg4hdpxqafy5ov72exc3uwa	\\x250180d296781c2cbcdd44b963eaf0467da5c195703e8e59a388ba1fe689a6cb946bc800df8f7b22696e7374616e6365223a226f6e617867346864707871616679356f76373265786333757761222c226e756d626572223a332c226174223a313739353834323339323736343830302c22636f6e646974696f6e223a22656e646564222c226865616473223a7b2230223a32382c2231223a312c223130223a312c223131223a312c2232223a312c2233223a312c2234223a312c2235223a312c2236223a312c2237223a312c2238223a312c2239223a317d2c2272656164223a6e756c6c7d
\.


--
-- Data for Name: signing_key; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.signing_key (tenant, number, id, algorithm, version, created_at, active_from, erased_at, mac, public_key, sealed) FROM stdin;
default	1	IT8PcujLU8Gkoq-_TpUBtgiU0CcjTX9dWlvBKeBiMaU	ES256	1	1795842390530645	1795842390530645	0	\\x0180d29678ba1239e150f81b569d2b60d2b63b0ee8ae21272c150a95ccee2e3c5bb25bd7d0	\\x3059301306072a8648ce3d020106082a8648ce3d030107034200042b28bd69c2d99547dc3eeca76d153120632730bb42fa7377f6ee4a038074f513dfe3e00c4f7431f34ec349e94a75cc6611d21cff24d2e13f08e78776f8c24d2f	\\x01017bf9233c2a9b292e5ca84f2914774aa35f9e520a8a654800243966fd8742ae4885847c8e8f7dc2cfc9435f07b1099ee9505f949f5cad63d76479a567b288864309838232920b2c3cb5a528950dff22fb1f582e01193370530e0b4a61705f45ae4aeab82bc9f6499ba10c4b6febd8685d0fa089264e2a4f626719f832a54fac8096eaab465667600822d6061ad5aba8608f7a4c70bb932201032992ea137ed194191fd84691f46b1305d42b3573121f04611a2536ff9f
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

\unrestrict 8AbotZYkBD7hCMfjeJHWF8mM3gsCHEOtcmDtrVhtnvP4txvsEtzJwRNX5Nfwmtw

