--
-- PostgreSQL database dump
--

\restrict lxgOcUGK0C7jFRjNc4pTpEmkqlT3yVDJry0fBAD38K7Rg4dWh5DVYdbSxt4mcET

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
default	gom644t7anpthy2i6gq4wir454	device		phone	1795962862683016
default	bg7jbtc3orex6r66d5hvnfj7lu	device		tablet	1795962863130802
\.


--
-- Data for Name: attempts; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.attempts (tenant, account_id, type, id, version, failures, locked_until, permanent, recent, pending, mac, verified_at, verified_by, devices, locked_to) FROM stdin;
default	gom644t7anpthy2i6gq4wir454	TRANSACTION_PIN	3wjmc2u47wathczl2jvtfhew6q	2	0	0	f	[]	[]	\\x01be2af32a2cfa3050338787f59b49dc3ea2e2dbec9b235a2aafca6e37aff5694bf818fd1d	1795962863013090		[]	0
default	bg7jbtc3orex6r66d5hvnfj7lu	TRANSACTION_PIN	hjaowtqv7u2aqvlcfv5peze6yi	8	4	0	f	[1795962863186811,1795962863214544,1795962863248221,1795962863271457]	[]	\\x01be2af32abb7485c9d2fdeb270681181222b300303f86063d51dac8960ecdb990428398f3	0		[]	0
\.


--
-- Data for Name: audit_chain; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.audit_chain (tenant, name, number, form) FROM stdin;
default	qedzi55eicih3erhhnn4kfkqqe	337641472	2
default	zgcbdqiyegiirdkdw56wu7ebpe/0	337641473	2
default	zgcbdqiyegiirdkdw56wu7ebpe/1	337641474	2
default	zgcbdqiyegiirdkdw56wu7ebpe/2	337641475	2
default	zgcbdqiyegiirdkdw56wu7ebpe/3	337641476	2
default	zgcbdqiyegiirdkdw56wu7ebpe/4	337641477	2
default	zgcbdqiyegiirdkdw56wu7ebpe/5	337641478	2
default	zgcbdqiyegiirdkdw56wu7ebpe/6	337641479	2
default	zgcbdqiyegiirdkdw56wu7ebpe/7	337641480	2
default	zgcbdqiyegiirdkdw56wu7ebpe/8	337641481	2
default	zgcbdqiyegiirdkdw56wu7ebpe/9	337641482	2
default	zgcbdqiyegiirdkdw56wu7ebpe/10	337641483	2
default	zgcbdqiyegiirdkdw56wu7ebpe/11	337641484	2
\.


--
-- Data for Name: audit_log; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.audit_log (tenant, chain, seq, "time", request_id, actor, event, outcome, operation, failed, count, duration, key_id, account, device, record, version, before, digest, reason, prev, hash) FROM stdin;
default	qedzi55eicih3erhhnn4kfkqqe	1	1795962862341865		system	store.initialised	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01be2af32a4288fde677f6029302b13cf997e14e6b313f3e98c1087122c30ce01f48edc513
default	zgcbdqiyegiirdkdw56wu7ebpe/0	1	1795962862482880		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01be2af32ac2ee6c8ffcc3b338e5c971281f3f94fde59a9cfba7c36a9913ca655021452b22
default	zgcbdqiyegiirdkdw56wu7ebpe/1	1	1795962862482880		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01be2af32a6adf82d1d103696682952f9aa3e64c2cdfc09ff6951b37797ea4375b034eb965
default	zgcbdqiyegiirdkdw56wu7ebpe/2	1	1795962862482880		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01be2af32affcd37defeb0e5d1c3ec4ac67f515e0a5146103d73b8329669134a76027f07e1
default	zgcbdqiyegiirdkdw56wu7ebpe/3	1	1795962862482880		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01be2af32a05a8c41d1e3494a0afbbdd9b4fe3091226a33856b542bbb608402e3326f3f2e3
default	zgcbdqiyegiirdkdw56wu7ebpe/4	1	1795962862482880		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01be2af32a186703d78ca4820baf64aff73f9591906a215636b5a731c55942e314ef072088
default	zgcbdqiyegiirdkdw56wu7ebpe/5	1	1795962862482880		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01be2af32ab2346007bb3c6e526d663b74d1bf37284d70039bd1a89c68b61355c65f354d16
default	zgcbdqiyegiirdkdw56wu7ebpe/6	1	1795962862482880		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01be2af32a1a14cda905ebf8460961e23cb03e8714b4cf9419c87c246b49341980b3e2105e
default	zgcbdqiyegiirdkdw56wu7ebpe/7	1	1795962862482880		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01be2af32a79f7ec7c6a8885c4e506c957f39d87556ea7dc5b89d010c251660d2cc8e3af3a
default	zgcbdqiyegiirdkdw56wu7ebpe/8	1	1795962862482880		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01be2af32aab1e71dd251a8779b5007a2ae4d17f239b6b9d01abe45f169ea86a43920f71e0
default	zgcbdqiyegiirdkdw56wu7ebpe/9	1	1795962862482880		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01be2af32a382e8306c063c02b197fc5df74b1ec8b9119f9636afcfd563e724f1b5ca69b9f
default	zgcbdqiyegiirdkdw56wu7ebpe/10	1	1795962862482880		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01be2af32a73370aaf16be0b40f3db3d566282f64092cc2d18495cf4567ae1e1eede023ecc
default	zgcbdqiyegiirdkdw56wu7ebpe/11	1	1795962862482880		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01be2af32a49382e9d71b79339f91c98081628578e9cddca71b842286f2741ec5d5ec57c97
default	zgcbdqiyegiirdkdw56wu7ebpe/0	2	1795962862493542		system	witness.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x	vm:/tmp/TestDatabasesOfEarlierVersionsOpen725973950/002/data.witness	\\x01be2af32ac2ee6c8ffcc3b338e5c971281f3f94fde59a9cfba7c36a9913ca655021452b22	\\x01be2af32ab4a109d4bee60bea334f14eb3d8ea159d7ffbe947f1abac0b99ff9835432f187
default	zgcbdqiyegiirdkdw56wu7ebpe/0	3	1795962862500879		system	signing_key.created	ok		f	1	0		\\x	\\x	signing-key/1	0	\\x	\\x	kid hw0p3fXYEs3yRY8vNFF79O5z-musIzLHAgjPoK87cIg	\\x01be2af32ab4a109d4bee60bea334f14eb3d8ea159d7ffbe947f1abac0b99ff9835432f187	\\x01be2af32af9a16f821d0d5e4753a4b74e4dcd9f8342ca48d1739984c9baa8f21e4eb7770e
default	zgcbdqiyegiirdkdw56wu7ebpe/0	4	1795962862683016	agrcpot4c434j3kcxmm24ttj2q	caller	key.issued	ok	generateClientEncryptionKey	f	1	69359	6m2khkc4jahmzy2sxb47h2eaxy	\\x84081e76bf78eeb7e505c131cc38ae64	\\x99e3f4580c09052f736566283017cd5f	key/6m2khkc4jahmzy2sxb47h2eaxy	1	\\x	\\xfb2a2b39a51324d163265c1b2c14aaec8f512c50845f9621db9360e662b0ab01		\\x01be2af32af9a16f821d0d5e4753a4b74e4dcd9f8342ca48d1739984c9baa8f21e4eb7770e	\\x01be2af32acd9ae1b36ee1965c48a429e2d0413f24d550dda62e3702ea75152c83b0c620ae
default	zgcbdqiyegiirdkdw56wu7ebpe/0	5	1795962862717949	agrcpot4mhgmgelg4o5lwurffe	caller	credential.set	ok	setUserPasscode	f	1	29241	6m2khkc4jahmzy2sxb47h2eaxy	\\x84081e76bf78eeb7e505c131cc38ae64	\\x99e3f4580c09052f736566283017cd5f	credential/gjogi7v63ivbswgeayf5oa5gve	1	\\x	\\xf93b9b9bf5aeb5b8bc27d6e15fdd0cf250dd1007bb983109b61582c19ad200ba		\\x01be2af32acd9ae1b36ee1965c48a429e2d0413f24d550dda62e3702ea75152c83b0c620ae	\\x01be2af32a333639a147ce3463cff052b05f1496e7d62361e981acae88c621e22efd551256
default	zgcbdqiyegiirdkdw56wu7ebpe/0	6	1795962862740631	agrcpot4qno3kxnon4qo3siahy	caller	credential.set	ok	setTransactionPin	f	1	17916	6m2khkc4jahmzy2sxb47h2eaxy	\\x84081e76bf78eeb7e505c131cc38ae64	\\x99e3f4580c09052f736566283017cd5f	credential/cn6jc5dbveb6sf5jwclhublc3i	1	\\x	\\xefb50ed4d59824fcd0d34e078d59a732492746da069bc715564e0ae35579ea7b		\\x01be2af32a333639a147ce3463cff052b05f1496e7d62361e981acae88c621e22efd551256	\\x01be2af32a798bbd9d00c20aef3e42e37ad3d677d65dbe054ebddd5ce458cf8363d50c06a3
default	zgcbdqiyegiirdkdw56wu7ebpe/0	7	1795962862988856	agrcpot4tvyiz4r42woallcoqu	caller	key.rotated	ok		f	1	0	6m2khkc4jahmzy2sxb47h2eaxy	\\x84081e76bf78eeb7e505c131cc38ae64	\\x99e3f4580c09052f736566283017cd5f	key/6m2khkc4jahmzy2sxb47h2eaxy	2	\\xfb2a2b39a51324d163265c1b2c14aaec8f512c50845f9621db9360e662b0ab01	\\x0c85aa077696d67f4553d2d1cf6661c6d1b8da4d7b0f0b410be54b40c2db91fd		\\x01be2af32a798bbd9d00c20aef3e42e37ad3d677d65dbe054ebddd5ce458cf8363d50c06a3	\\x01be2af32a97557352bf8c58304460754f21332924ce86d9224b0661289a8978de24beb2c6
default	zgcbdqiyegiirdkdw56wu7ebpe/0	8	1795962862988856	agrcpot4tvyiz4r42woallcoqu	caller	key.issued	ok	rotateClientEncryptionKey	f	1	240094	sscvtvgw22mp2vptqca6kp35ui	\\x84081e76bf78eeb7e505c131cc38ae64	\\x99e3f4580c09052f736566283017cd5f	key/sscvtvgw22mp2vptqca6kp35ui	1	\\x	\\x785a235b54f56447e201c36ea6ce09b0da993e5872a9d56ec8811363dd6db238		\\x01be2af32a97557352bf8c58304460754f21332924ce86d9224b0661289a8978de24beb2c6	\\x01be2af32ab3bfdc6c2a3711d2763f7a60eb5bfeea222db60e3f68fadc70a6d70d36df3068
default	zgcbdqiyegiirdkdw56wu7ebpe/0	10	1795962863021819		system	operations.counted	CREDENTIAL_REJECTED		f	1	3212		\\x	\\x		0	\\x	\\x	setTransactionPin	\\x01be2af32a770926633ea5a69ddc02e9ae8f0139f8	\\x01be2af32ad18c7ea1d272aef14b9b72525d83c544c8b0dfa2452a977a5bf26ecd28c4b82f
default	zgcbdqiyegiirdkdw56wu7ebpe/0	11	1795962863066179		system	chain.tied	ok		f	1	0		\\x	\\x	chain/qedzi55eicih3erhhnn4kfkqqe	1	\\x	\\x01be2af32a4288fde677f6029302b13cf997e14e6b313f3e98c1087122c30ce01f48edc513		\\x01be2af32ad18c7ea1d272aef14b9b72525d83c544c8b0dfa2452a977a5bf26ecd28c4b82f	\\x01be2af32aa1b19cd2802f3f46122496aaf7ed671990f836810acdf538ae71dccbfc6119a5
default	zgcbdqiyegiirdkdw56wu7ebpe/0	12	1795962863066179		system	chain.tied	ok		f	1	0		\\x	\\x	chain/zgcbdqiyegiirdkdw56wu7ebpe/1	1	\\x	\\x01be2af32a6adf82d1d103696682952f9aa3e64c2cdfc09ff6951b37797ea4375b034eb965		\\x01be2af32aa1b19cd2802f3f46122496aaf7ed671990f836810acdf538ae71dccbfc6119a5	\\x01be2af32adebceb6c476625f3bc37c6cb5630706fe279b4182f269ecf4e70af1aa46f619a
default	zgcbdqiyegiirdkdw56wu7ebpe/0	13	1795962863066179		system	chain.tied	ok		f	1	0		\\x	\\x	chain/zgcbdqiyegiirdkdw56wu7ebpe/10	1	\\x	\\x01be2af32a73370aaf16be0b40f3db3d566282f64092cc2d18495cf4567ae1e1eede023ecc		\\x01be2af32adebceb6c476625f3bc37c6cb5630706fe279b4182f269ecf4e70af1aa46f619a	\\x01be2af32a3d49554bf31f7bb2dfd0213bb1fa3b945308fc2074748bca212f69381576b70c
default	zgcbdqiyegiirdkdw56wu7ebpe/0	14	1795962863066179		system	chain.tied	ok		f	1	0		\\x	\\x	chain/zgcbdqiyegiirdkdw56wu7ebpe/11	1	\\x	\\x01be2af32a49382e9d71b79339f91c98081628578e9cddca71b842286f2741ec5d5ec57c97		\\x01be2af32a3d49554bf31f7bb2dfd0213bb1fa3b945308fc2074748bca212f69381576b70c	\\x01be2af32af5a7fa9b72bd6a8836eb8c0fc2d330d9e71cd4ed123301dbb0848d37052a54a1
default	zgcbdqiyegiirdkdw56wu7ebpe/0	15	1795962863066179		system	chain.tied	ok		f	1	0		\\x	\\x	chain/zgcbdqiyegiirdkdw56wu7ebpe/2	1	\\x	\\x01be2af32affcd37defeb0e5d1c3ec4ac67f515e0a5146103d73b8329669134a76027f07e1		\\x01be2af32af5a7fa9b72bd6a8836eb8c0fc2d330d9e71cd4ed123301dbb0848d37052a54a1	\\x01be2af32a5c2bb1cb66709f7bce3fdf617b464e145592828877debfde47d1a677c179d86f
default	zgcbdqiyegiirdkdw56wu7ebpe/0	16	1795962863066179		system	chain.tied	ok		f	1	0		\\x	\\x	chain/zgcbdqiyegiirdkdw56wu7ebpe/3	1	\\x	\\x01be2af32a05a8c41d1e3494a0afbbdd9b4fe3091226a33856b542bbb608402e3326f3f2e3		\\x01be2af32a5c2bb1cb66709f7bce3fdf617b464e145592828877debfde47d1a677c179d86f	\\x01be2af32ac9209d368e50138588d9165160cffd84d0f91114f62a0d1f19d1c126b2f2ccf7
default	zgcbdqiyegiirdkdw56wu7ebpe/0	17	1795962863066179		system	chain.tied	ok		f	1	0		\\x	\\x	chain/zgcbdqiyegiirdkdw56wu7ebpe/4	1	\\x	\\x01be2af32a186703d78ca4820baf64aff73f9591906a215636b5a731c55942e314ef072088		\\x01be2af32ac9209d368e50138588d9165160cffd84d0f91114f62a0d1f19d1c126b2f2ccf7	\\x01be2af32a640f04a5f0d2ad40b53246cb0f7c8466b88d9363ed3f68a3aa076089304b84c1
default	zgcbdqiyegiirdkdw56wu7ebpe/0	18	1795962863066179		system	chain.tied	ok		f	1	0		\\x	\\x	chain/zgcbdqiyegiirdkdw56wu7ebpe/5	1	\\x	\\x01be2af32ab2346007bb3c6e526d663b74d1bf37284d70039bd1a89c68b61355c65f354d16		\\x01be2af32a640f04a5f0d2ad40b53246cb0f7c8466b88d9363ed3f68a3aa076089304b84c1	\\x01be2af32a78cce7562fa6152cca9156fdc175bf354e5f6791aadf545bdc2b1c57c20ba713
default	zgcbdqiyegiirdkdw56wu7ebpe/0	19	1795962863066179		system	chain.tied	ok		f	1	0		\\x	\\x	chain/zgcbdqiyegiirdkdw56wu7ebpe/6	1	\\x	\\x01be2af32a1a14cda905ebf8460961e23cb03e8714b4cf9419c87c246b49341980b3e2105e		\\x01be2af32a78cce7562fa6152cca9156fdc175bf354e5f6791aadf545bdc2b1c57c20ba713	\\x01be2af32a485c4ecc282745fb398fb3617881d9577039be2923c50f9b4327ddbb803a51a1
default	zgcbdqiyegiirdkdw56wu7ebpe/0	20	1795962863066179		system	chain.tied	ok		f	1	0		\\x	\\x	chain/zgcbdqiyegiirdkdw56wu7ebpe/7	1	\\x	\\x01be2af32a79f7ec7c6a8885c4e506c957f39d87556ea7dc5b89d010c251660d2cc8e3af3a		\\x01be2af32a485c4ecc282745fb398fb3617881d9577039be2923c50f9b4327ddbb803a51a1	\\x01be2af32aa19ff81c7579bacc5adae337e71e349feca9167fe551898b2a7b061c7e086834
default	zgcbdqiyegiirdkdw56wu7ebpe/0	21	1795962863066179		system	chain.tied	ok		f	1	0		\\x	\\x	chain/zgcbdqiyegiirdkdw56wu7ebpe/8	1	\\x	\\x01be2af32aab1e71dd251a8779b5007a2ae4d17f239b6b9d01abe45f169ea86a43920f71e0		\\x01be2af32aa19ff81c7579bacc5adae337e71e349feca9167fe551898b2a7b061c7e086834	\\x01be2af32af830a8392d075b0f9b59607116196c8e03c900464e842ecf4ae38fbd4ac73189
default	zgcbdqiyegiirdkdw56wu7ebpe/0	22	1795962863066179		system	chain.tied	ok		f	1	0		\\x	\\x	chain/zgcbdqiyegiirdkdw56wu7ebpe/9	1	\\x	\\x01be2af32a382e8306c063c02b197fc5df74b1ec8b9119f9636afcfd563e724f1b5ca69b9f		\\x01be2af32af830a8392d075b0f9b59607116196c8e03c900464e842ecf4ae38fbd4ac73189	\\x01be2af32a67c3ae27c212c7fb0722912e790ac1cd55824cc8f2dc6fb77862422b85068d49
default	zgcbdqiyegiirdkdw56wu7ebpe/0	23	1795962863130802	agrcpot5vs773wegeoumibjbay	caller	key.issued	ok	generateClientEncryptionKey	f	1	111590	w6kwfhvildom3xwk7uweek3cme	\\xa11dfaf99900e7ef88c8a65000580030	\\xfc8d42c77a2f47a3d7f8a4d52610718f	key/w6kwfhvildom3xwk7uweek3cme	1	\\x	\\x6dd0311d88710d440e12e60739c18f1461d2677558559aad11477425ac4478e7		\\x01be2af32a67c3ae27c212c7fb0722912e790ac1cd55824cc8f2dc6fb77862422b85068d49	\\x01be2af32a06596796f596a97e882ba36e0969499ee3aa1e8d453cfd951a648545d02b2b00
default	zgcbdqiyegiirdkdw56wu7ebpe/0	24	1795962863154472	agrcpot6eefo5ufkzzxzzs4knu	caller	credential.set	ok	setTransactionPin	f	1	17281	w6kwfhvildom3xwk7uweek3cme	\\xa11dfaf99900e7ef88c8a65000580030	\\xfc8d42c77a2f47a3d7f8a4d52610718f	credential/ugjmd7njksgzy6zb72mm5mazk4	1	\\x	\\x5d2c8b440b6b1ebd21d83d2c70b0c2d369305656bb93e5b99a0f73cccadd1fe4		\\x01be2af32a06596796f596a97e882ba36e0969499ee3aa1e8d453cfd951a648545d02b2b00	\\x01be2af32a52afee3632247cc293d47df6d083707d34e1fa98a73e89c8b50c6f06c8617588
\.


--
-- Data for Name: audit_verdict_2026_11; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.audit_verdict_2026_11 (chain, seq, second, micros, account, data, hash) FROM stdin;
337641473	9	849278063	13090	-2079842698	\\x01a227ba7d900f9eca82f1b316218a7c948559d4d6d698fd55f38081e53f7da2bf78eeb7e505c131cc38ae6499e3f4580c09052f736566283017cd5fdd92c16a9cfd81338b2bd26b329c96f4020292a101000008554064318a6a71916233fe039e544254	\\x01be2af32a770926633ea5a69ddc02e9ae8f0139f8
337641473	25	849278063	186811	-1591870727	\\x01a227ba7e389320bbe94a9b0f733cadb795629ea858dccddecafd2c422b62619900e7ef88c8a65000580030fc8d42c77a2f47a3d7f8a4d52610718f3a40eb4e15fd340855622d7af2649ec21202b4d301000008a5b04f49d63dbdf1ae94b2daedb820b1	\\x01be2af32a043d09818bf497f9bb884f372e7130e7
337641473	26	849278063	214544	-1591870727	\\x01a227ba7e56e94bcfca89b48ee270ceb795629ea858dccddecafd2c422b62619900e7ef88c8a65000580030fc8d42c77a2f47a3d7f8a4d52610718f3a40eb4e15fd340855622d7af2649ec21204f6bd01000008ae94b2daedb820b14840966a57c1302b	\\x01be2af32ae64f3a20f10725a7684546bc2094b3c3
337641473	27	849278063	248221	-1591870727	\\x01a227ba7e73392650ba401a780d6076b795629ea858dccddecafd2c422b62619900e7ef88c8a65000580030fc8d42c77a2f47a3d7f8a4d52610718f3a40eb4e15fd340855622d7af2649ec212069ee3010000084840966a57c1302b3a00939827669746	\\x01be2af32a4d52093c6775a645f425e715d4fa57e7
337641473	28	849278063	271457	-1591870727	\\x01a227ba7e93cc730fad764b8a5e33b2b795629ea858dccddecafd2c422b62619900e7ef88c8a65000580030fc8d42c77a2f47a3d7f8a4d52610718f3a40eb4e15fd340855622d7af2649ec212088ea0010000083a00939827669746defa46521e2d797c	\\x01be2af32add9352fb4efb18ef4d771d854f58f5ff
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
default	60000000	1795962840000000	zgcbdqiyegiirdkdw56wu7ebpe	12	1	610269	\\x0199e3f4580c09052ffc8d42c77a2f47a3	\\x015e01120100010002010100010002090105010701
default	3600000000	1795960800000000	zgcbdqiyegiirdkdw56wu7ebpe	12	1	610269	\\x0199e3f4580c09052ffc8d42c77a2f47a3	\\x015e01120100010002010100010002090105010701
default	86400000000	1795910400000000	zgcbdqiyegiirdkdw56wu7ebpe	12	1	610269	\\x0199e3f4580c09052ffc8d42c77a2f47a3	\\x015e01120100010002010100010002090105010701
default	2419200000000	1795046400000000	zgcbdqiyegiirdkdw56wu7ebpe	12	1	610269	\\x0199e3f4580c09052ffc8d42c77a2f47a3	\\x015e01120100010002010100010002090105010701
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
default	gom644t7anpthy2i6gq4wir454	PASSCODE	gjogi7v63ivbswgeayf5oa5gve	1	1795962862717949	1795962862717949	\\x010148ac1a848bb13881b4efec4a8f01e6f9bbcb913018abfec555ef9fb041afba90434dbbc2f9073b9045dc0cfe2bd511b284b5c40129cbeb00138aab43c136829f0b11b57b36729e38a84ee067a734929d403c7969005c8768c249fa8b2e69151b042fb75f57f9
default	gom644t7anpthy2i6gq4wir454	TRANSACTION_PIN	cn6jc5dbveb6sf5jwclhublc3i	1	1795962862740631	1795962862740631	\\x010148ac1a848cf80902900693e73b66c8c94bab1c1bb93554ea50abc502ec4845d36e4e84325443dc46eb33c48c751a71f44cfcf73082e028298d8454cd9ea391ee02f4af6a13d30d64799f9894bede86df35de5f633c82de893c7ecc46ad0870a6cbf296cfadb2
default	bg7jbtc3orex6r66d5hvnfj7lu	TRANSACTION_PIN	ugjmd7njksgzy6zb72mm5mazk4	1	1795962863154472	1795962863154472	\\x010148ac1a84137af426ae143a823bcef522393a7e096a5bde536e55b41d7688eacfa350a6d786e28fbeaacb0c5fd55403694f0a657b0d167df520d3fcc57ccc4a4a57e23b8bd785335a91b07c14bdcb4c41bfbc40c1aadbd963dfc10e8c34b24848a0187674068e
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
default	gom644t7anpthy2i6gq4wir454	6m2khkc4jahmzy2sxb47h2eaxy	phone	invalidated	2	RSA-OAEP-256	2048		1795962862683016	0	1795962862988856	0	\\x01be2af32a702a152b2376c3a71fb3df24c3236a83fce3a1d38a45a4d4364a11b61276aedb	\\x30820122300d06092a864886f70d01010105000382010f003082010a0282010100cc7fa3b79aacdaea5621f9eab125e64480378d055e74cddf06a604fcea594d4bef3b59bba3138300fd787314c67fe7ad0e44c37565f17e6685cd47fcacef3feb02d03b6997a4aefc1a987cdae09ed942e59fa671589af5b5d129093149d967d4d3510142bc119d7be89f7869f7103a065fbe211355e2511c4b32560df96c3fa24f2b883f7f484e7831fef409b4d4659f237399da15f3ffd666fc5690da24014a1f85bd6336535f2fc18162242fa69a4e25b931f3e5de1f861c9c287bb7b6f26d80246547567603a4804ead5bb637c9f6752dd91ddffbd21ac01636b260ead42242a3bd9747ce9aed60807bcfaf6f1e949794c3f986014b0863a27245d64646790203010001	\\x	
default	gom644t7anpthy2i6gq4wir454	sscvtvgw22mp2vptqca6kp35ui	phone	active	1	RSA-OAEP-256	2048		1795962862988856	0	0	0	\\x01be2af32aa2963c6a3e21f63daf597215c0c29389ff972360b4368d5ce8664ac469a02ce6	\\x30820122300d06092a864886f70d01010105000382010f003082010a0282010100c406f66a10bd36fc5f6fd41c51510dc6f9bc2a6b412fb3750f55488fb8012e90206a67d95f2425438e72815298dcec7b54328979bbaf0ae5c388d025e1700013870394dbdd936b4963b3fe8af3e97131058477696ad025d372c80ddcbc972afee35b088ec81bd496c39d5d49ea30e29012dc311ecc37f0e46f579df956ee11e83b3479c55e7dd69714d822fe0a44a3356c373fe495c65ea120e94df24d596c68df1d1958c406c3572471374d3e13d7fa12e01d91416e7104aee681f17fb44509e7b075f7b6081dda9479f31f6c9ec4f5572edf3a61c8d6f4bc50ea9ef56f7c442eed2f7be0e8699e6bc4c95857f10c44173a4b1df29f0a0577e601fa5495bce90203010001	\\x010148ac1a849cf0ba51b191520a88ade84cd4bed415196d8653c040a9f951a67f6221b6589f4d0a0a3a1cd3f426ccd48094e273e689d0b10abf9fc013d032179e15ce14669080e5c2bf31038c1ec9a63bef269650d40d61a66e5a070d591c008e68d696530aa8d85fe01c4dac95494ada773303fea6774cb6c467e2778d28610adb34000c0e4c95189f8cf2a5e201de3b28b19dbcf2691c6dcfc055074a748ab10f2bd3f99f1885b09dd1fcea9516733ee3392f69d48d0f11a39daba24520c53a21c88204ca6856adcf5c915936fafe47e5895ecf7153a1ec2963cfe8e62f2af36954029ee50ce2f16f29cd26dba1abd65c962eeed337677413c29ea12a5dca02ef03943b804937f08756d4617a431a48122b6d439242d130c9b21ee7823c8f099db7cdf04b1d8eee5d5eb691c54f	
default	bg7jbtc3orex6r66d5hvnfj7lu	w6kwfhvildom3xwk7uweek3cme	tablet	active	1	RSA-OAEP-256	2048		1795962863130802	0	0	0	\\x01be2af32a148a0625b490e142b1b011d7f29ea63eb6623bc85c0d3e131dda8779891c9925	\\x30820122300d06092a864886f70d01010105000382010f003082010a0282010100c266cc818234fc3bec747134a1c24c349ff47ab6c5de6304a8db8449afe78a23278416bdbd37060e0d2463ef1d8adf4bbe9f119bb40c72bccec77a906be8db3cc6064808a89d2f0cdedb87d8e7d145ccdc797e3107aa19f979df73c92c5fbbdca4faf03e4fcde25f5e66fb64d2021bcb0b93f4e90a5aa29f99dfdc2b5197d4e999cb9aabd157b9c9a5ac549172c0f987a934e04a40763399d283dac16784243d1005974eb24ad4315f08dc9684ab3f6ab02114c8c415541d697fc97a07f9280580736380deb4ac9cc101cdefe7a7c3fad8b85d272654eb85f4d88ec9f9e45d16d0f3f6ce79c116fb45c8de3c74d5b01da43592b902e6c7fc471bfd9bd8dc3ed30203010001	\\x010148ac1a849ff0880defd19150b277044cb39586c7863cd421f8de81cee85e839b3e5a12e0a8b9d1d37992777a09d8c0cb6c7c56ab33f8983aaf480e78807fbf74eb0fcdfe4318e67d190f5e1073aa9cabfb168953ecf153e09d8dbd2545ff9bf6fc14fee532a5731192eb50ab7bf44644268065746590af19ee3e635412951ed3171cb61ff865183cf17ce967aa9b465e54a5269b66870043c33be188722d0d29f575dfd9d009e2643c2783c63d829fe3208289d957613f216381de079f6bb0777b5796c3df4008f6532a81fbfecccad63e52081282b093f5ba882af7dd9ba7eb7bcfd4263ab67e7a4f34b502b94828e531d028fe67818896f153ccdd1440836340eeddbde614822428f71ff5f8942cd690a8f2a27b16dc79add805ab9b2e2849641535b69e2f18bc7f667e71ee	
\.


--
-- Data for Name: key_account; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.key_account (tenant, key_id, account_id) FROM stdin;
default	6m2khkc4jahmzy2sxb47h2eaxy	gom644t7anpthy2i6gq4wir454
default	sscvtvgw22mp2vptqca6kp35ui	gom644t7anpthy2i6gq4wir454
default	w6kwfhvildom3xwk7uweek3cme	bg7jbtc3orex6r66d5hvnfj7lu
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
default	gom644t7anpthy2i6gq4wir454	6m2khkc4jahmzy2sxb47h2eaxy	1795960800000000
default	gom644t7anpthy2i6gq4wir454	sscvtvgw22mp2vptqca6kp35ui	1795960800000000
default	bg7jbtc3orex6r66d5hvnfj7lu	w6kwfhvildom3xwk7uweek3cme	1795960800000000
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
4097083626	f	\N	\N	\N	2026-11-29 14:34:22.325229+00
\.


--
-- Data for Name: schema_version; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.schema_version (id, version_id, is_applied, tstamp) FROM stdin;
1	0	t	2026-11-29 14:34:22.251376
2	1	t	2026-11-29 14:34:22.270265
3	2	t	2026-11-29 14:34:22.28611
4	3	t	2026-11-29 14:34:22.297357
5	4	t	2026-11-29 14:34:22.297634
6	5	t	2026-11-29 14:34:22.302618
7	6	t	2026-11-29 14:34:22.304262
8	7	t	2026-11-29 14:34:22.306575
9	8	t	2026-11-29 14:34:22.307459
10	9	t	2026-11-29 14:34:22.309087
11	10	t	2026-11-29 14:34:22.31159
12	11	t	2026-11-29 14:34:22.316912
13	12	t	2026-11-29 14:34:22.318187
14	13	t	2026-11-29 14:34:22.31837
15	14	t	2026-11-29 14:34:22.323792
\.


--
-- Data for Name: setting; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.setting (tenant, name, value) FROM stdin;
default	epoch	\\x31
default	account_mode	\\x646576696365
default	audit_chain	\\x7165647a693535656963696833657268686e6e346b666b717165
default	keyset	\\x7b226b6579736574223a7b2267656e65726174696f6e223a312c22646174614b657973223a5b7b226964223a313231393233383533322c226d6163223a333139303438353830322c227072696d617279223a747275657d5d2c227772617073223a5b7b22726f6f744b6579223a2235303731363436366163633762383663222c2275726c223a2266696c653a2f746d702f546573744461746162617365734f664561726c69657256657273696f6e734f70656e3732353937333935302f3030322f646174612f726f6f742e6b6579222c2261646465644174223a22323032362d31312d32395431343a33343a32322e3334313836355a222c226b6579223a224763393834414438494f596e6172442f6f6d7355626a33577041724b684a3774347046326e6475387a4d64533971472f6834706330556a5751426c55756455754e4a414654437837536d313766653532724a4849457970373441356736306871222c226b6579736574223a223366784f45756b757848744d417165786f7763386148714d383342567374315158357031696f6b6957747662534e6362462f34765366482f38757a31477943674c6a3670436f726c716e4a70533450424d3971376b6361767741353973366e704a7075496278716a71476568656f335931513853366845474b416a5035624179616c74574d3575375874507974384f76444777364e416c4574555957342f47767275787a39614e50713176307830576230325743647a43354b3630496c422f79634f4a4e50455747367334514e717766654e68375559505969484172474237484d65562b3830366a4744626f4b6a4b63325a366f336d6b7572447a5a2f56693779596676577a494e706e6c4a43415a2b6a7673746e6675546f7063653869706c456f6f3933334357503450775578736d716c567167644262674b3036716936667664596a6e664c587242412b6638736372622b5078307163682b6a79664c5668684e41743539452b227d5d7d2c226d6163223a224162347138796f3036416141494630724866477178495438784a745457467266767378544e53756a4b724c4b4c34765062673d3d227d
default	witness/6dbd16f8b6eef6d58823bfe271498ac7	\\x0006616b3072df66
default	metrics.folded/zgcbdqiyegiirdkdw56wu7ebpe/1	\\x0000000000000001
default	metrics.folded/zgcbdqiyegiirdkdw56wu7ebpe/2	\\x0000000000000001
default	metrics.folded/zgcbdqiyegiirdkdw56wu7ebpe/3	\\x0000000000000001
default	metrics.folded/zgcbdqiyegiirdkdw56wu7ebpe/4	\\x0000000000000001
default	metrics.folded/zgcbdqiyegiirdkdw56wu7ebpe/5	\\x0000000000000001
default	metrics.folded/zgcbdqiyegiirdkdw56wu7ebpe/6	\\x0000000000000001
default	metrics.folded/zgcbdqiyegiirdkdw56wu7ebpe/7	\\x0000000000000001
default	metrics.folded/zgcbdqiyegiirdkdw56wu7ebpe/8	\\x0000000000000001
default	metrics.folded/zgcbdqiyegiirdkdw56wu7ebpe/9	\\x0000000000000001
default	metrics.folded/zgcbdqiyegiirdkdw56wu7ebpe/10	\\x0000000000000001
default	metrics.folded/zgcbdqiyegiirdkdw56wu7ebpe/11	\\x0000000000000001
default	audit_tied	\\x0006616b307b9c4301be2af32a54e20d2c6c7530beeb3a702901de4fd3bc4e6c838ee0bfc7e77cbfa1135db268
default	metrics.folded/zgcbdqiyegiirdkdw56wu7ebpe/0	\\x000000000000001c
default	beat/zgcbdqiyegiirdkdw56wu7ebpe	\\x2501be2af32aa99d75d877fbd8e94a52702770cc685702aee3fde66d5762bddbc08b52df08507b22696e7374616e6365223a227a676362647169796567696972646b6477353677753765627065222c226e756d626572223a322c226174223a313739353936323836333238333239332c22636f6e646974696f6e223a22656e646564222c226865616473223a7b2230223a32382c2231223a312c223130223a312c223131223a312c2232223a312c2233223a312c2234223a312c2235223a312c2236223a312c2237223a312c2238223a312c2239223a317d2c2272656164223a6e756c6c7d
\.


--
-- Data for Name: signing_key; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.signing_key (tenant, number, id, algorithm, version, created_at, active_from, erased_at, mac, public_key, sealed) FROM stdin;
default	1	hw0p3fXYEs3yRY8vNFF79O5z-musIzLHAgjPoK87cIg	ES256	1	1795962862500879	1795962862500879	0	\\x01be2af32a13240653906046068c45dbee3bb385f29860f8dccbaa4959c2153755c6308768	\\x3059301306072a8648ce3d020106082a8648ce3d030107034200049580907469b1fa7d45c980852fdc01de37ebe9ba5810c9a02de268989f07ad1f4d726cd936baa3c41ae49b8d6d480f221994d11a72bfe9fa2c02d8e3f3cf92e8	\\x010148ac1a8473d8326856269250afd8c0f42fc8aff6913ce49e246f46617d9e8359d9129af904e69d8010251e800888eca8c46b0a123a2baa45ec6d1cc024e0895daebf34cedb058f8e235539f126798c25441278b1e33b19668281d79d633b5d64cb86a6eeaa223d7e311737509fb1e3584fe65a31c50180743e2f03e0ad15cc644d716fc2fdf65d8bf45e962f41eb72dff923959456aabf8c47fef34d53215107f9e2a3f489d60f12c2676e1d8cffa4aa79da9d17a9d5
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

\unrestrict lxgOcUGK0C7jFRjNc4pTpEmkqlT3yVDJry0fBAD38K7Rg4dWh5DVYdbSxt4mcET

