--
-- PostgreSQL database dump
--

\restrict eNgMSW4aaxrskvRJHHKpbRIUWbH8mZslnUDfdDYAffgPSKrgXeo291RGdYO7yUi

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
default	iqxfmjpv62ke4ybe4xblokm6tm	device		phone	1795713273097705
default	ld3a5m7tscxxhfl4fo6i4qolwq	device		tablet	1795713273512081
\.


--
-- Data for Name: attempts; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.attempts (tenant, account_id, type, id, version, failures, locked_until, permanent, recent, pending, mac, verified_at, verified_by, devices, locked_to) FROM stdin;
default	iqxfmjpv62ke4ybe4xblokm6tm	TRANSACTION_PIN	7xwy2zfl4yguhre7f7rgammp74	2	0	0	f	[]	[]	\\x01ca66f48e88c6e41522c97c9eb2cb15339ee0082f93a62c627ea02f5fb335673b638c1f41	1795713273365206		[]	0
default	ld3a5m7tscxxhfl4fo6i4qolwq	TRANSACTION_PIN	bgq4ojhbefseumx3zj4zyqtq7e	8	4	0	f	[1795713273539401,1795713273554464,1795713273568320,1795713273582689]	[]	\\x01ca66f48e14b7f2e47858ae87fa973dc0b32b7a52ecbd18a59fbf1431b602c81d8e569b3e	0		[]	0
\.


--
-- Data for Name: audit_chain; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.audit_chain (tenant, name, number) FROM stdin;
default	jegfaced5vlivzawtymof7ok3m	337641472
default	rcvmbzaftrenvb3lbmna7iv6iq/0	337641473
default	rcvmbzaftrenvb3lbmna7iv6iq/1	337641474
default	rcvmbzaftrenvb3lbmna7iv6iq/2	337641475
default	rcvmbzaftrenvb3lbmna7iv6iq/3	337641476
default	rcvmbzaftrenvb3lbmna7iv6iq/4	337641477
default	rcvmbzaftrenvb3lbmna7iv6iq/5	337641478
default	rcvmbzaftrenvb3lbmna7iv6iq/6	337641479
default	rcvmbzaftrenvb3lbmna7iv6iq/7	337641480
default	rcvmbzaftrenvb3lbmna7iv6iq/8	337641481
default	rcvmbzaftrenvb3lbmna7iv6iq/9	337641482
default	rcvmbzaftrenvb3lbmna7iv6iq/10	337641483
default	rcvmbzaftrenvb3lbmna7iv6iq/11	337641484
\.


--
-- Data for Name: audit_log; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.audit_log (tenant, chain, seq, "time", request_id, actor, event, outcome, operation, failed, count, duration, key_id, account, device, record, version, before, digest, reason, prev, hash) FROM stdin;
default	jegfaced5vlivzawtymof7ok3m	1	1795713272698876		system	store.initialised	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01ca66f48e654cad67ff366f028dd2325fb7bec48d3f529090c35cc4b3782d04e7dcaca142
default	rcvmbzaftrenvb3lbmna7iv6iq/0	1	1795713272740415		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01ca66f48e37e440de80e60c3cfb4b9182417c89c500a8719bd09ac6d26620d1a663217427
default	rcvmbzaftrenvb3lbmna7iv6iq/1	1	1795713272740415		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01ca66f48e67d6eaa1bcd5a80841fba1acb53552c66ddf2d7af1d2bdb3497b1d6c117653d7
default	rcvmbzaftrenvb3lbmna7iv6iq/2	1	1795713272740415		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01ca66f48eeb56b6b0a3154e33710489d57ba9bba086316a9a6b8cf4bcc28837d8af002fc3
default	rcvmbzaftrenvb3lbmna7iv6iq/3	1	1795713272740415		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01ca66f48efc1e8107b2d13f189fdd71c38431863034d7990fc69bd56c593258cf1b36e026
default	rcvmbzaftrenvb3lbmna7iv6iq/4	1	1795713272740415		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01ca66f48e673e80a7cb5be22d5b32415ac6d410675f3e4848bbccd7bc34be69de0ee74fcf
default	rcvmbzaftrenvb3lbmna7iv6iq/5	1	1795713272740415		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01ca66f48e4a19a1220664d35c649d6a1d96112dca675d48cbc593216e4fcde7fe41d55850
default	rcvmbzaftrenvb3lbmna7iv6iq/6	1	1795713272740415		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01ca66f48e8e867628157e07e0670a035211171727309562fb9c6e2528f29058ef6bf949ce
default	rcvmbzaftrenvb3lbmna7iv6iq/7	1	1795713272740415		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01ca66f48efc2e1e0bb140eec5af41f9ecc2f8a88515d9af45f27fb19e95821da75a889a27
default	rcvmbzaftrenvb3lbmna7iv6iq/8	1	1795713272740415		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01ca66f48e23f0f153325f8de824081ca8c022a800422635023dcba5d532409c2d14f457ea
default	rcvmbzaftrenvb3lbmna7iv6iq/9	1	1795713272740415		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01ca66f48eeb7dbbe205e30a3831766f50910fb8c8925ef7769be937a263c9657640ecb236
default	rcvmbzaftrenvb3lbmna7iv6iq/10	1	1795713272740415		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01ca66f48e57b00e8f0e7b23fbb3d67a55d01e8f12378ed6c736d5614cce4e047b4afe54f5
default	rcvmbzaftrenvb3lbmna7iv6iq/11	1	1795713272740415		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01ca66f48ed0be9f7f70411d63bb6ce2d2351c741205b88fd95deb47a855708f1ae3f8c62a
default	rcvmbzaftrenvb3lbmna7iv6iq/0	2	1795713272748182		system	witness.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x	vm:/tmp/TestDatabasesOfEarlierVersionsOpen3670570967/002/data.witness	\\x01ca66f48e37e440de80e60c3cfb4b9182417c89c500a8719bd09ac6d26620d1a663217427	\\x01ca66f48e148da52bda59299549fb1965642db53b98707159872e62fa45d8ca4ceb13e4ef
default	rcvmbzaftrenvb3lbmna7iv6iq/0	3	1795713272756677		system	signing_key.created	ok		f	1	0		\\x	\\x	signing-key/1	0	\\x	\\x	kid BlO3amBLzWtWkzVMJRsGbD-VzHLSOoQhv4Nf-hKQSNY	\\x01ca66f48e148da52bda59299549fb1965642db53b98707159872e62fa45d8ca4ceb13e4ef	\\x01ca66f48ed780e3aa33a360fd3df2cc79582fc04d4a3fabcf3151dd00cf129a3e1bfbd7e8
default	rcvmbzaftrenvb3lbmna7iv6iq/0	4	1795713273097705	agrbrwql4k5wzixxswd77m2g2i	caller	key.issued	ok	generateClientEncryptionKey	f	1	295949	2wy4nou2fvfdg56gecdiyloslu	\\xbfb9413551ab5394f7023543cc1283dd	\\xcbbb17660731e0cbc31b9133c8edab4a	key/2wy4nou2fvfdg56gecdiyloslu	1	\\x	\\x19f5ed322472d3793b49e5c25641f8c4cfd4391dee4f7c08f21ef416e202fd47		\\x01ca66f48ed780e3aa33a360fd3df2cc79582fc04d4a3fabcf3151dd00cf129a3e1bfbd7e8	\\x01ca66f48e5aee9e35babc8099c5869d7cf5e2c3dd23381b27a32dfe889a8dc7da49b7db20
default	rcvmbzaftrenvb3lbmna7iv6iq/0	5	1795713273115151	agrbrwqnbwchalzax5wldfzndu	caller	credential.set	ok	setUserPasscode	f	1	13859	2wy4nou2fvfdg56gecdiyloslu	\\xbfb9413551ab5394f7023543cc1283dd	\\xcbbb17660731e0cbc31b9133c8edab4a	credential/6u2m4n26z7k7eg5256dpr5fnci	1	\\x	\\xc2c0ed3fc7cbab089da06a32c5a20f5c19ee1d7daa0362399b7bdde65c658606		\\x01ca66f48e5aee9e35babc8099c5869d7cf5e2c3dd23381b27a32dfe889a8dc7da49b7db20	\\x01ca66f48e422778c6b2a2191ab584bd797b8a474b3b36e9c7a0ece33aa055c2f6474259c3
default	rcvmbzaftrenvb3lbmna7iv6iq/0	6	1795713273128524	agrbrwqnd3xwjwx5ix66v2e7bq	caller	credential.set	ok	setTransactionPin	f	1	10568	2wy4nou2fvfdg56gecdiyloslu	\\xbfb9413551ab5394f7023543cc1283dd	\\xcbbb17660731e0cbc31b9133c8edab4a	credential/eq26ydj6cat3iu75iutycvjfqi	1	\\x	\\x97c5df03d256a0287bc75b24bd745009d61f32f6524fffdab96e699f0769e998		\\x01ca66f48e422778c6b2a2191ab584bd797b8a474b3b36e9c7a0ece33aa055c2f6474259c3	\\x01ca66f48e45a88560dde777e2060bf9bd2ad51b904de6bc300dad10fcc13d8d3670bf9cb2
default	rcvmbzaftrenvb3lbmna7iv6iq/0	7	1795713273301851		system	operations.counted	CREDENTIAL_REJECTED		f	1	3488		\\x	\\x		0	\\x	\\x	setTransactionPin	\\x01ca66f48e45a88560dde777e2060bf9bd2ad51b904de6bc300dad10fcc13d8d3670bf9cb2	\\x01ca66f48ea272d7f6cc3c51d505618b25570198e52d82f98d9b7dc76b887a7e160dcc4c63
default	rcvmbzaftrenvb3lbmna7iv6iq/0	8	1795713273318295		system	chain.tied	ok		f	1	0		\\x	\\x	chain/jegfaced5vlivzawtymof7ok3m	1	\\x	\\x01ca66f48e654cad67ff366f028dd2325fb7bec48d3f529090c35cc4b3782d04e7dcaca142		\\x01ca66f48ea272d7f6cc3c51d505618b25570198e52d82f98d9b7dc76b887a7e160dcc4c63	\\x01ca66f48ea8bcc72d8d035443246de15ba519538d8dd8f35e48bf13f3c8befaf43c1f6cc9
default	rcvmbzaftrenvb3lbmna7iv6iq/0	9	1795713273318295		system	chain.tied	ok		f	1	0		\\x	\\x	chain/rcvmbzaftrenvb3lbmna7iv6iq/1	1	\\x	\\x01ca66f48e67d6eaa1bcd5a80841fba1acb53552c66ddf2d7af1d2bdb3497b1d6c117653d7		\\x01ca66f48ea8bcc72d8d035443246de15ba519538d8dd8f35e48bf13f3c8befaf43c1f6cc9	\\x01ca66f48eedfcde81ef4ab6be8cf69982e49af87b5f1dfc5bc06ead2995f92b46b7e52f1f
default	rcvmbzaftrenvb3lbmna7iv6iq/0	10	1795713273318295		system	chain.tied	ok		f	1	0		\\x	\\x	chain/rcvmbzaftrenvb3lbmna7iv6iq/10	1	\\x	\\x01ca66f48e57b00e8f0e7b23fbb3d67a55d01e8f12378ed6c736d5614cce4e047b4afe54f5		\\x01ca66f48eedfcde81ef4ab6be8cf69982e49af87b5f1dfc5bc06ead2995f92b46b7e52f1f	\\x01ca66f48e47b8b904c5963e7d414948e27a19798d15033aebe5be39849db9b0c53a943e3c
default	rcvmbzaftrenvb3lbmna7iv6iq/0	11	1795713273318295		system	chain.tied	ok		f	1	0		\\x	\\x	chain/rcvmbzaftrenvb3lbmna7iv6iq/11	1	\\x	\\x01ca66f48ed0be9f7f70411d63bb6ce2d2351c741205b88fd95deb47a855708f1ae3f8c62a		\\x01ca66f48e47b8b904c5963e7d414948e27a19798d15033aebe5be39849db9b0c53a943e3c	\\x01ca66f48ea4d9e5e82c0350e2bcda591144bb7d4be684e128fc019f54dc61abf2f9c47314
default	rcvmbzaftrenvb3lbmna7iv6iq/0	12	1795713273318295		system	chain.tied	ok		f	1	0		\\x	\\x	chain/rcvmbzaftrenvb3lbmna7iv6iq/2	1	\\x	\\x01ca66f48eeb56b6b0a3154e33710489d57ba9bba086316a9a6b8cf4bcc28837d8af002fc3		\\x01ca66f48ea4d9e5e82c0350e2bcda591144bb7d4be684e128fc019f54dc61abf2f9c47314	\\x01ca66f48eacecfe836b898ca6f121d922f52ff4a313f5e81320e7e89ba399f72ab3dadf1c
default	rcvmbzaftrenvb3lbmna7iv6iq/0	13	1795713273318295		system	chain.tied	ok		f	1	0		\\x	\\x	chain/rcvmbzaftrenvb3lbmna7iv6iq/3	1	\\x	\\x01ca66f48efc1e8107b2d13f189fdd71c38431863034d7990fc69bd56c593258cf1b36e026		\\x01ca66f48eacecfe836b898ca6f121d922f52ff4a313f5e81320e7e89ba399f72ab3dadf1c	\\x01ca66f48e85c99c7e02c132176ae2d52fd3d1089e7e1cd4385fab6e09669acb55a575b2b7
default	rcvmbzaftrenvb3lbmna7iv6iq/0	14	1795713273318295		system	chain.tied	ok		f	1	0		\\x	\\x	chain/rcvmbzaftrenvb3lbmna7iv6iq/4	1	\\x	\\x01ca66f48e673e80a7cb5be22d5b32415ac6d410675f3e4848bbccd7bc34be69de0ee74fcf		\\x01ca66f48e85c99c7e02c132176ae2d52fd3d1089e7e1cd4385fab6e09669acb55a575b2b7	\\x01ca66f48efb8860bd772d615ede5f3ae4d89fcc496ef9a0d0a82bd401664a172a531aaecb
default	rcvmbzaftrenvb3lbmna7iv6iq/0	15	1795713273318295		system	chain.tied	ok		f	1	0		\\x	\\x	chain/rcvmbzaftrenvb3lbmna7iv6iq/5	1	\\x	\\x01ca66f48e4a19a1220664d35c649d6a1d96112dca675d48cbc593216e4fcde7fe41d55850		\\x01ca66f48efb8860bd772d615ede5f3ae4d89fcc496ef9a0d0a82bd401664a172a531aaecb	\\x01ca66f48e9c15216c60bb319955120135c2a8c0639d69a9cda65231deaa40e40c95c2fc1c
default	rcvmbzaftrenvb3lbmna7iv6iq/0	16	1795713273318295		system	chain.tied	ok		f	1	0		\\x	\\x	chain/rcvmbzaftrenvb3lbmna7iv6iq/6	1	\\x	\\x01ca66f48e8e867628157e07e0670a035211171727309562fb9c6e2528f29058ef6bf949ce		\\x01ca66f48e9c15216c60bb319955120135c2a8c0639d69a9cda65231deaa40e40c95c2fc1c	\\x01ca66f48e062194e63935342531abc6b251d90c60ebbedcc3c08864f1bdf3b85707ed6e7a
default	rcvmbzaftrenvb3lbmna7iv6iq/0	17	1795713273318295		system	chain.tied	ok		f	1	0		\\x	\\x	chain/rcvmbzaftrenvb3lbmna7iv6iq/7	1	\\x	\\x01ca66f48efc2e1e0bb140eec5af41f9ecc2f8a88515d9af45f27fb19e95821da75a889a27		\\x01ca66f48e062194e63935342531abc6b251d90c60ebbedcc3c08864f1bdf3b85707ed6e7a	\\x01ca66f48eec7e4e7458c267ba19a7069f3cd87c77915de61819174aadec8cc9cf31accf30
default	rcvmbzaftrenvb3lbmna7iv6iq/0	18	1795713273318295		system	chain.tied	ok		f	1	0		\\x	\\x	chain/rcvmbzaftrenvb3lbmna7iv6iq/8	1	\\x	\\x01ca66f48e23f0f153325f8de824081ca8c022a800422635023dcba5d532409c2d14f457ea		\\x01ca66f48eec7e4e7458c267ba19a7069f3cd87c77915de61819174aadec8cc9cf31accf30	\\x01ca66f48ee79de49a09615afd3a9f34860a0dd02d2b092bfb80a5c1df856059db9f55403b
default	rcvmbzaftrenvb3lbmna7iv6iq/0	19	1795713273318295		system	chain.tied	ok		f	1	0		\\x	\\x	chain/rcvmbzaftrenvb3lbmna7iv6iq/9	1	\\x	\\x01ca66f48eeb7dbbe205e30a3831766f50910fb8c8925ef7769be937a263c9657640ecb236		\\x01ca66f48ee79de49a09615afd3a9f34860a0dd02d2b092bfb80a5c1df856059db9f55403b	\\x01ca66f48ecc561e6789838f1c24bf84c209356ad1c11059ddb29f42767c5718d790f2db5d
default	rcvmbzaftrenvb3lbmna7iv6iq/0	20	1795713273347227	agrbrwqnf65l4pcwsaxsyldo2u	caller	key.rotated	ok		f	1	0	2wy4nou2fvfdg56gecdiyloslu	\\xbfb9413551ab5394f7023543cc1283dd	\\xcbbb17660731e0cbc31b9133c8edab4a	key/2wy4nou2fvfdg56gecdiyloslu	2	\\x19f5ed322472d3793b49e5c25641f8c4cfd4391dee4f7c08f21ef416e202fd47	\\x41dbe9d025e20ae684f5001206ed00beed0665328bc7e950a74ed21b398a2e73		\\x01ca66f48ecc561e6789838f1c24bf84c209356ad1c11059ddb29f42767c5718d790f2db5d	\\x01ca66f48e33fdbe2332ea321d158044449f079f496aa6e7e8ea9461d3b2fa97635c82a96a
default	rcvmbzaftrenvb3lbmna7iv6iq/0	21	1795713273347227	agrbrwqnf65l4pcwsaxsyldo2u	caller	key.issued	ok	rotateClientEncryptionKey	f	1	213086	cf5ofp5khlr6rqjgi5mujcm5mm	\\xbfb9413551ab5394f7023543cc1283dd	\\xcbbb17660731e0cbc31b9133c8edab4a	key/cf5ofp5khlr6rqjgi5mujcm5mm	1	\\x	\\x702929b8296a841f465920238586be11cb40b718c23a06a1913169f8ab828c66		\\x01ca66f48e33fdbe2332ea321d158044449f079f496aa6e7e8ea9461d3b2fa97635c82a96a	\\x01ca66f48efbcbba69efb67a7099b6f764731afd1c35873cc20315cee2f857a1486d999e95
default	rcvmbzaftrenvb3lbmna7iv6iq/0	23	1795713273512081	agrbrwqoc46b4feqkktownze5a	caller	key.issued	ok	generateClientEncryptionKey	f	1	144844	htdbgy6slt7zmgfvj7mg5eebxq	\\xaec132b91b99bf004cf167165d00a7d9	\\xfd060dc90be3a73d8e1fed1e8aa91689	key/htdbgy6slt7zmgfvj7mg5eebxq	1	\\x	\\x1cf1a295841b28baaf55a580da89ac96df672d5641b2798eb6dab24c255866a9		\\x01ca66f48e96215433d9b78111eadf0586d99bdfa907787ad3db691eee145d2a8ef79d8dd8	\\x01ca66f48ebede426844000975fcabc4ee71655a99e471c06c209a56717d770a22567a5362
default	rcvmbzaftrenvb3lbmna7iv6iq/0	24	1795713273525181	agrbrwqovklusegst3o6q64hfi	caller	credential.set	ok	setTransactionPin	f	1	10676	htdbgy6slt7zmgfvj7mg5eebxq	\\xaec132b91b99bf004cf167165d00a7d9	\\xfd060dc90be3a73d8e1fed1e8aa91689	credential/cntnknkezvrd75ce7wyb6cwhyq	1	\\x	\\x7ee40dba6451197f1fbeba7aec6da99a7d3d335a828002ea8c377dfd826c24e0		\\x01ca66f48ebede426844000975fcabc4ee71655a99e471c06c209a56717d770a22567a5362	\\x01ca66f48e0a7c36690c89fa9814e82bf07674c1f235b35719a2cc1cd242a65d3166f48e8b
\.


--
-- Data for Name: audit_verdict_2026_11; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.audit_verdict_2026_11 (chain, seq, second, micros, account, data, hash) FROM stdin;
337641473	22	849028473	365206	-1078378187	\\x01a218da0e09d17d240289a234b0f10e117ae2bfaa3ae3e8c126475944899d6351ab5394f7023543cc1283ddcbbb17660731e0cbc31b9133c8edab4afded8d64abe60d43c49f2fe260318fff0202a1610000200a0f49a2771c7fbe682748e83c221408537260203c1edb58bd9a895c2b06b3264d7eaacd80b10d0736e152ad5556b7e731f7d8eb4bce9147d8c29f18d243f952	\\x01ca66f48e96215433d9b78111eadf0586d99bdfa907787ad3db691eee145d2a8ef79d8dd8
337641473	25	849028473	539401	-1363070279	\\x01a218da0eb7fa8e9cf6b9b0df83472b3cc61363d25cff9618b54fd86e9081bc1b99bf004cf167165d00a7d9fd060dc90be3a73d8e1fed1e8aa9168909a1c724e121644a32fbca799c4270f91202a85e0000207f346cfe111b868123932fbc2bf53b2497582f2681450d8d07e0ba3652ffe0744104876f36b22ae25d1d90bbbe26d85037277faa871760652df62d3abcba97bc	\\x01ca66f48ec5d8596c4c5c6112a149fa5ef7a4c07e4a6e218234e0a08fff847014de435615
337641473	26	849028473	554464	-1363070279	\\x01a218da0ec529c4e7929b8e4050e0ac3cc61363d25cff9618b54fd86e9081bc1b99bf004cf167165d00a7d9fd060dc90be3a73d8e1fed1e8aa9168909a1c724e121644a32fbca799c4270f91204f6640000204104876f36b22ae25d1d90bbbe26d85037277faa871760652df62d3abcba97bc975460ed48ee76f473103eae2f6ab8122f6ed68d0bea0317ea34fd00874dc2a8	\\x01ca66f48ee1ea86a1a17d4772f057d95b3d440bbac3df9e7f51d9736894a3c71b2c7200bf
337641473	27	849028473	568320	-1363070279	\\x01a218da0ed4f6b80cb71cb95d7517343cc61363d25cff9618b54fd86e9081bc1b99bf004cf167165d00a7d9fd060dc90be3a73d8e1fed1e8aa9168909a1c724e121644a32fbca799c4270f91206f75a000020975460ed48ee76f473103eae2f6ab8122f6ed68d0bea0317ea34fd00874dc2a85668e588884da458e52f0286bd240c4d82a1609932c23e5a775c695057f9917e	\\x01ca66f48e5dd6c14ee5724dc7c0eb8f7c755257d25c85fbd7ff6a9bab21295320333ce3a4
337641473	28	849028473	582689	-1363070279	\\x01a218da0ee2b2271fc12e9d92045cb53cc61363d25cff9618b54fd86e9081bc1b99bf004cf167165d00a7d9fd060dc90be3a73d8e1fed1e8aa9168909a1c724e121644a32fbca799c4270f91208b35f0000205668e588884da458e52f0286bd240c4d82a1609932c23e5a775c695057f9917eab6451eb1ddf41b0c6761062b6b6ce238d8245a22da7e9da452bac23531bbb5e	\\x01ca66f48eb16a675a84a97e13aab26d8f9c28e34672f8731e962bfd1e7dfdc1175b6c16d4
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
default	60000000	1795713240000000	rcvmbzaftrenvb3lbmna7iv6iq	12	1	753759	\\x01cbbb17660731e0cbfd060dc90be3a73d	\\x015f010b0100010004000100011a0103010301
default	3600000000	1795712400000000	rcvmbzaftrenvb3lbmna7iv6iq	12	1	753759	\\x01cbbb17660731e0cbfd060dc90be3a73d	\\x015f010b0100010004000100011a0103010301
default	86400000000	1795651200000000	rcvmbzaftrenvb3lbmna7iv6iq	12	1	753759	\\x01cbbb17660731e0cbfd060dc90be3a73d	\\x015f010b0100010004000100011a0103010301
default	2419200000000	1795046400000000	rcvmbzaftrenvb3lbmna7iv6iq	12	1	753759	\\x01cbbb17660731e0cbfd060dc90be3a73d	\\x015f010b0100010004000100011a0103010301
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
default	iqxfmjpv62ke4ybe4xblokm6tm	PASSCODE	6u2m4n26z7k7eg5256dpr5fnci	1	1795713273115151	1795713273115151	\\x0101ec063aa040533596000206e0b17135db5151e7414708f6574d7da1ed05f24d92cc739aeee80428837f3d5078c317b791a3047dbf75eb60b821592e1cafaf901c5b539d6ccefa2d5bb986d40beb55fcc28ee55a77cc16f916bf049e726d54a87af74ec922dd1c
default	iqxfmjpv62ke4ybe4xblokm6tm	TRANSACTION_PIN	eq26ydj6cat3iu75iutycvjfqi	1	1795713273128524	1795713273128524	\\x0101ec063aa078ee624826ae168b0fe9bab494a9fa36f8ff5f7a61446fd1f258bec3279880a56db508d2bda3f92ba492e37768ecd52bc787038a7cfb83fbb9a6e91aba4a05f3e3c4b45bed05cdac6a862e28f3235e10b6052a6cd70ec24a23bf18fc02d83b0c9de3
default	ld3a5m7tscxxhfl4fo6i4qolwq	TRANSACTION_PIN	cntnknkezvrd75ce7wyb6cwhyq	1	1795713273525181	1795713273525181	\\x0101ec063aa03d62bc3746a6041c84522c54cdac187dd87aa282edc8a1e3720e94570d54c0d2bc15ce336129d93546b5cb442b7c1feaec9725bdfbf5d29ddc98cd03074d914773b68bdb67668422b3c6ff1d2a92771e69d0dbd235ed5c085c634ed9c397734b9ab1
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
default	iqxfmjpv62ke4ybe4xblokm6tm	2wy4nou2fvfdg56gecdiyloslu	phone	invalidated	2	RSA-OAEP-256	3072		1795713273097705	0	1795713273347227	0	\\x01ca66f48e1f850c24696e263c6e3184fb8973cd7e1d7bd31eed29fb2bb45a0d395f195523	\\x308201a2300d06092a864886f70d01010105000382018f003082018a0282018100ec09ce4570a6c35c009c4ebcba6fab26be92d5d5fa57dc9836d78f964901d3b48f40516f10b2d4827b0ed1fe162172e29e0579c2fbc2d246b8223127f3762749d8479f630445cc30564caeb6814a4dd201ff408e61592c07b09928f518a6caeb54efdc7eca82f04f40d6b8bbed506a1a7d93550f6b0b2b6baa638b51ca95ec58f81cec17e4bd6ab56b3ce28fb53700b404b33a25b7780f6687ccf3292979842e2e3561ea070bcb26d1c75628493c662abcdf0d17c330abeb03f2cea4a9236d6ef07cc1abdc0a37336a264fc0451b5b076c2e8c4523f211e2fefcca7d0560fe072530fc7fdfcdfeef087f9f2dd62ab53b38eb6aa855a1e9d384777b7ee8da19d343f1c6bcc66ea9e211dcb258d92cd22f1dda1e94032a448bb0adc813d205e8276096063a5eef0f76d545f2f9599dbd2164c559420d50508cd9a8c89564057db59c8a86cb02186e57ed3704698296159a2710f6d88bc7e17763e77dc9809b24a60da0937f092378f4a824a079367964cf5187b1971b14ff0053c045a7f9a299bd0203010001	\\x	
default	iqxfmjpv62ke4ybe4xblokm6tm	cf5ofp5khlr6rqjgi5mujcm5mm	phone	active	1	RSA-OAEP-256	3072		1795713273347227	0	0	0	\\x01ca66f48e5f72a81995fe6d8777ef0435d5daa2229a0c35a0fc6854c96701aa45c035162f	\\x308201a2300d06092a864886f70d01010105000382018f003082018a0282018100c4f981ce682ad1888fa0b72c037d190b22182b4c5a39cbb15a835b03235f711536883e769b4f63087021f7fa46dc15ce2047ca32a2af57eecc0d85ad754b22adccfb38c5bc425c8e7fb66ac9d8fc6bf0160871cc04ba0817b0b27a915fa72ec0de83844eae0c296fc46b5ebe0341b585f4954b688426877d9d85e49e89318fdfb029fb94edc0ce26d6de1a2e1bc07c7e6df16d68a32089bf350236846873769fab8834b07fe87f171b04bf2b5acf0b0e1468f70be0673cfe840562f4d4882e3a37ee806b7007bf3307e8416f0c8e13d7aaac71f77eda19d29bc34f9c10de198bde120ba9c5820eba652d7c0ce3898b3759787469b28c712fb9332ca78bf0f2939b2346d8976fdd71025322bc2038160a972b12bdb7a3ecab3ddcde5319e08e9da3e684d29b3fdae5f2e866df6dff3770cadaad614f4a76bedce1c1fc1a16ab42671ecbc3dbd190ae6b1c05a83d9f12e9891fddb38df25d532e37ffc5941d3b770fb4f2854b7d040ccbb084cc21b0f47a16042abc1c5ee8bf5017389bd6d3d4a30203010001	\\x0101ec063aa0476073f54de4482f22fc492129a8bda172b26d4c45d577207a76e3540c7114a04802e8fd1995ced34069a17866c8b7f779a764936960b3e35034daf30f93a764b2f8a99dd3f19a83ad472682e721caf60ffbda728dda98674d61f28e3fab09fce7376e590be25f7800673327dabc5c1d8bb3db1cd1a0716ed946223b1ac9640e7e7387bbba0b8545720e073f3bb8f7169e459d10a3393aaee4c9bcc1d495e7dcd0906a47bd58d072c0d7103713cdc0cbd9519d19a7bd0624f5b0631c3f66771cf906edb973573f9172112b0400960dbb374e0fe63d7c66f0004f7ab5b68fd78c09b067293b98f6db42bc0ba21eed7726347f54b869ffc36ec5fbcc3408e8a2eb589ebf34bc774cfb54408318372db767afd39e0ab002dcd7b97b64dbbe3e9fc30bb28cfa573a22069d76f13cc0fa9eaeffa6efb7f0e5c338f4262f141dbf91b4f1992410cfe0c3461e3d5bde13b332e83047008226683bd0ee65489638550abd3b85181c004ede729015d4e1dbafd5f2aee3a81f47eb6946ab6531270a6c6437052926d1cc1028f0d5594888a43d2f2da9368285b81ecb21a9190445da90e8d2f90fbbf24159e2a5e8	
default	ld3a5m7tscxxhfl4fo6i4qolwq	htdbgy6slt7zmgfvj7mg5eebxq	tablet	active	1	RSA-OAEP-256	3072		1795713273512081	0	0	0	\\x01ca66f48e26b3dbb70f780e2980fd4adf63070078648877d09c7e9a6d698d010252da2cb4	\\x308201a2300d06092a864886f70d01010105000382018f003082018a0282018100c1514553ee3cab6d3cb5e18d08e7a9511ec3bf5a3d693aea612175fe1cc5102aa7e6dc97e0b2a2c536f2c0b601b983237e6c784ec5fac8abb150ff9b567c1fc306b37007ffcc0570575937039f9632faa959baa636153073367201531c2135f50ddd7c7bdb779c35e8eb3f0139c9810f66006dc96a1f34019d07d6297e09637f8412247c447c5dab3425c90c86f37113f9a11246de2e3c1ea3f885fc1063c12a489c3a44010718afe3bd90626284d16a8e8fa50718a16bc4991be8f6216e66ca07a1cee3cd2428922bd5963fb453b8f8a505457b6743c3330dc78caa8080dde3fd6c44d7b816d8d88f2b3c1a326fe2664f2ecf654cdb50c98b5bc685108754795cea79e58aa97d185d4a3d0a81b3ea374b40f768eaf06b094b1084e6763f4bd9ebd80e821dce92e5d555da744e21d7ac5d6e22debab3dd1ce7a7c8fb0f1ac200973f259a0702e13a38f549506c2a1732562defc5e939812e4aa26178ea8471bbdd248cacea2b5e9d1d9bdba463081e51ab358e52af429f45b45921974086c1df0203010001	\\x0101ec063aa0f73fb0756a6826ac154946f9e53878405fd02f611e36a2983d3679767956431968db77747021213e6c341520b9ac0572a5fa8686a6825c987588cde219829fb7fbda752e0e13b75cb35bd923487005083e51d15de6bc2a43851423a90129876251ea27fece06ffe524410778b7a813df2844308b6a78f0426e3e01405729a4e4e1bdbf4a58a3833c5e02dbb1dd0b1f4e3fcae7e467f0efe468518149fd4d7f427328e1738668772451a9459c5f97d784ebe7cee56db2aab8fa62932cbeb384dba27bfaaa5095ea2322caeb546f2f3ace4dfb8b102afdaf726516f8e64cea2a22ba0b78ec400fcca4574a29ede5efd0b9d79c19e4a59fcec2d49a2fa45fa736fbfa685bfc4a5a70dcd233f37eaf2194afb38ff2711cb2f44d1cf74eb12d56bf41d4318e3ce399cf8f0fa05cada9bee6f5eb8f1b744e225d481ce4544a76bb858e581ba6709165d58606d3cd43fbbfacce5f76af70e58f7ba98b1f5a037084e318788029723677c23c67d670f4e55a18d24c0bfd25eb087f43c382a341cd3cfa3ab53ea21dfd9a6a6d11a85f68a90c54b821e1bb86f244d7f799b60400f9da703d9c94bf5f6460c0a1a6	
\.


--
-- Data for Name: key_account; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.key_account (tenant, key_id, account_id) FROM stdin;
default	2wy4nou2fvfdg56gecdiyloslu	iqxfmjpv62ke4ybe4xblokm6tm
default	cf5ofp5khlr6rqjgi5mujcm5mm	iqxfmjpv62ke4ybe4xblokm6tm
default	htdbgy6slt7zmgfvj7mg5eebxq	ld3a5m7tscxxhfl4fo6i4qolwq
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
default	iqxfmjpv62ke4ybe4xblokm6tm	2wy4nou2fvfdg56gecdiyloslu	1795712400000000
default	iqxfmjpv62ke4ybe4xblokm6tm	cf5ofp5khlr6rqjgi5mujcm5mm	1795712400000000
default	ld3a5m7tscxxhfl4fo6i4qolwq	htdbgy6slt7zmgfvj7mg5eebxq	1795712400000000
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
4097083626	f	\N	\N	\N	2026-11-26 17:14:32.685593+00
\.


--
-- Data for Name: schema_version; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.schema_version (id, version_id, is_applied, tstamp) FROM stdin;
1	0	t	2026-11-26 17:14:32.435448
2	1	t	2026-11-26 17:14:32.469078
3	2	t	2026-11-26 17:14:32.547658
4	3	t	2026-11-26 17:14:32.599865
5	4	t	2026-11-26 17:14:32.600393
6	5	t	2026-11-26 17:14:32.627145
7	6	t	2026-11-26 17:14:32.628819
8	7	t	2026-11-26 17:14:32.638147
9	8	t	2026-11-26 17:14:32.639514
10	9	t	2026-11-26 17:14:32.64736
11	10	t	2026-11-26 17:14:32.656038
12	11	t	2026-11-26 17:14:32.678533
13	12	t	2026-11-26 17:14:32.680176
14	13	t	2026-11-26 17:14:32.680661
\.


--
-- Data for Name: setting; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.setting (tenant, name, value) FROM stdin;
default	epoch	\\x31
default	audit_chain	\\x6a6567666163656435766c69767a617774796d6f66376f6b336d
default	keyset	\\x7b226b6579736574223a7b2267656e65726174696f6e223a312c22646174614b657973223a5b7b226964223a333935393833313230302c226d6163223a333339353734343931302c227072696d617279223a747275657d5d2c227772617073223a5b7b22726f6f744b6579223a2237656466636433626538333861363139222c2275726c223a2266696c653a2f746d702f546573744461746162617365734f664561726c69657256657273696f6e734f70656e333637303537303936372f3030322f646174612f726f6f742e6b6579222c2261646465644174223a22323032362d31312d32365431373a31343a33322e3639383837365a222c226b6579223a22677351566b68412f764d31446e776a37672f4655766d6465454c6b77474e395165506b30765066667159376a307244722f58375775556f516b7a7833534b50566d6b3874552f496f36664f5736316a395468784b78565846632f347556446151222c226b6579736574223a2262415963453342495a636f59646b2b2f6874635673486a6c71754c7947386868322b45363978325772586d36497a6c65576334384b6e31336977704d394a44303757513973545950707379634a442b4761516f4f47464d743348664659453539355378784d566e626154664475444177716b52314b3648586834657a456836534a2f5261487238525077735853706742756e6936414a336c2f51676143695a665547774b4d2f5166654b47395a466c593448703858785150786a74777278777232704a61317252417573356d7a6843705553767452674f794a6f616b356b6c555145504b2f2b6144764b41744e343767414d73542f4d773963594972316e4c6464362f697a79414832794157432b56422b7934334e676863763854775238746e526f746c33334f5a44327137314a765a54674937686c71537a415a39396a3957776c616937754b356f5358776577336b6e4962347951343370745a72524b6a614e544b6f3064446d227d5d7d2c226d6163223a224163706d39493467672b354558584e354c4e5a5264386d4d6c4d7061765970704b48354154337662376c645348424c6975413d3d227d
default	account_mode	\\x646576696365
default	witness/e4748e26ce629c30c2c35369a80b916c	\\x0006613113bd9896
default	metrics.folded/rcvmbzaftrenvb3lbmna7iv6iq/1	\\x0000000000000001
default	metrics.folded/rcvmbzaftrenvb3lbmna7iv6iq/2	\\x0000000000000001
default	metrics.folded/rcvmbzaftrenvb3lbmna7iv6iq/3	\\x0000000000000001
default	metrics.folded/rcvmbzaftrenvb3lbmna7iv6iq/4	\\x0000000000000001
default	metrics.folded/rcvmbzaftrenvb3lbmna7iv6iq/5	\\x0000000000000001
default	metrics.folded/rcvmbzaftrenvb3lbmna7iv6iq/6	\\x0000000000000001
default	metrics.folded/rcvmbzaftrenvb3lbmna7iv6iq/7	\\x0000000000000001
default	metrics.folded/rcvmbzaftrenvb3lbmna7iv6iq/8	\\x0000000000000001
default	metrics.folded/rcvmbzaftrenvb3lbmna7iv6iq/9	\\x0000000000000001
default	metrics.folded/rcvmbzaftrenvb3lbmna7iv6iq/10	\\x0000000000000001
default	metrics.folded/rcvmbzaftrenvb3lbmna7iv6iq/11	\\x0000000000000001
default	audit_tied	\\x0006613113c64b97
default	metrics.folded/rcvmbzaftrenvb3lbmna7iv6iq/0	\\x000000000000001c
default	beat/rcvmbzaftrenvb3lbmna7iv6iq	\\x2501ca66f48e9a12b29541c90ba843a9148c389ba570d166379d5e39759be284a7fd8a4353297b22696e7374616e6365223a227263766d627a61667472656e7662336c626d6e61376976366971222c226e756d626572223a322c226174223a313739353731333237333538393435322c22636f6e646974696f6e223a22656e646564222c226865616473223a7b2230223a32382c2231223a312c223130223a312c223131223a312c2232223a312c2233223a312c2234223a312c2235223a312c2236223a312c2237223a312c2238223a312c2239223a317d2c2272656164223a6e756c6c7d
\.


--
-- Data for Name: signing_key; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.signing_key (tenant, number, id, algorithm, version, created_at, active_from, erased_at, mac, public_key, sealed) FROM stdin;
default	1	BlO3amBLzWtWkzVMJRsGbD-VzHLSOoQhv4Nf-hKQSNY	ES256	1	1795713272756677	1795713272756677	0	\\x01ca66f48ee09fb186d8c9713af47058cadf60ad74250d8c07a464d485ef59e5cd44b34992	\\x3059301306072a8648ce3d020106082a8648ce3d030107034200042fe7eac7802a6a5fefce7612212bdeb23d0aa017c5d4eff8555f1184722086173f671a52663e4b0c65bb82c8a4fb3653accb2168647451ac6f9bfa7be80aaf49	\\x0101ec063aa0baa0949447c58619c797b0c510850703245f45d42a96ec2fd65e76a04ff6900f57630a1eccb3f771e9af5ab5658fcb0b8375a57e3d00a1c33f4317dd3b55d12ca6888d8dfac13326cc30b15986d2570f1d4f75d2eb5362ce99e2d455565f98793864dce7800279e0971681bd50277561c15807040534e66c6bbf0f140d7f0c935a8a1d9ceb8f1c55d8bf3d9c61c153e92ce93aac0e7bbf24c701850973240ae1c137fbbcc02bd87bdaa0e3dba48ef17f6e58
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

\unrestrict eNgMSW4aaxrskvRJHHKpbRIUWbH8mZslnUDfdDYAffgPSKrgXeo291RGdYO7yUi

