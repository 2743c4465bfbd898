--
-- PostgreSQL database dump
--

\restrict pW4cof1RIQ1FebEY4DIsGlyrMvx0FNOfp2UlF3hRG0wbMA52ZwOIFd4fvGdRdnw

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
default	o2z52f22b65b7nnrdtv5wvafry	device		phone	1795939960825369
default	sbymahwzvri3be3vkigo5m5x6m	device		tablet	1795939961002554
\.


--
-- Data for Name: attempts; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.attempts (tenant, account_id, type, id, version, failures, locked_until, permanent, recent, pending, mac, verified_at, verified_by, devices, locked_to) FROM stdin;
default	o2z52f22b65b7nnrdtv5wvafry	TRANSACTION_PIN	3eottj3n3efcq7z4wtye23wgre	2	0	0	f	[]	[]	\\x01f2474fd1e9ee58149420f5916d6d703b29d6f1727123d392c4ed309a256ad62c90d9cb54	1795939960949662		[]	0
default	sbymahwzvri3be3vkigo5m5x6m	TRANSACTION_PIN	cvhi4hsvqteit7xfxwds3ydz6a	8	4	0	f	[1795939961046544,1795939961064746,1795939961085253,1795939961103503]	[]	\\x01f2474fd1a5845a2b1bdc32600950d0d8529c8572e58162a7cb78fc29717d1e7cd032b59e	0		[]	0
\.


--
-- Data for Name: audit_chain; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.audit_chain (tenant, name, number, form) FROM stdin;
default	oncb3x5ioypevefez3r36slhoe	337641472	2
default	kkut4xbba4okcr74z7tqfx4b2a/0	337641473	2
default	kkut4xbba4okcr74z7tqfx4b2a/1	337641474	2
default	kkut4xbba4okcr74z7tqfx4b2a/2	337641475	2
default	kkut4xbba4okcr74z7tqfx4b2a/3	337641476	2
default	kkut4xbba4okcr74z7tqfx4b2a/4	337641477	2
default	kkut4xbba4okcr74z7tqfx4b2a/5	337641478	2
default	kkut4xbba4okcr74z7tqfx4b2a/6	337641479	2
default	kkut4xbba4okcr74z7tqfx4b2a/7	337641480	2
default	kkut4xbba4okcr74z7tqfx4b2a/8	337641481	2
default	kkut4xbba4okcr74z7tqfx4b2a/9	337641482	2
default	kkut4xbba4okcr74z7tqfx4b2a/10	337641483	2
default	kkut4xbba4okcr74z7tqfx4b2a/11	337641484	2
\.


--
-- Data for Name: audit_log; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.audit_log (tenant, chain, seq, "time", request_id, actor, event, outcome, operation, failed, count, duration, key_id, account, device, record, version, before, digest, reason, prev, hash) FROM stdin;
default	oncb3x5ioypevefez3r36slhoe	1	1795939960550498		system	store.initialised	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01f2474fd19ea6b6f2c19b83da2289e59365afbad5dccade2e131b0dd693c3085d91af6289
default	kkut4xbba4okcr74z7tqfx4b2a/0	1	1795939960588414		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01f2474fd12f723ab1feb54da68e186a216c2f60b853b8b5ef997b6b54437c2ad849ffa496
default	kkut4xbba4okcr74z7tqfx4b2a/1	1	1795939960588414		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01f2474fd1b07259feb0ac0a19e464901afaa9e3e6593f63db65904b95f659dd7a1b82089f
default	kkut4xbba4okcr74z7tqfx4b2a/2	1	1795939960588414		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01f2474fd1184113b4018e52299ab5ce398b9d1dd64354982d1c839c5bc2e4be1a35cb2323
default	kkut4xbba4okcr74z7tqfx4b2a/3	1	1795939960588414		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01f2474fd175ef1b26f728d3ba9e9f372120d61b061143046367da7588ade58ca46304d619
default	kkut4xbba4okcr74z7tqfx4b2a/4	1	1795939960588414		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01f2474fd187d0828f305570d0162093e55a0ce1e54ef7f891a0699a9e5fea6aecff5b2acc
default	kkut4xbba4okcr74z7tqfx4b2a/5	1	1795939960588414		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01f2474fd1807108c5ad562556f8341854cc98224dda2ba79f8a9c9de234905d93c595c3ac
default	kkut4xbba4okcr74z7tqfx4b2a/6	1	1795939960588414		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01f2474fd1d044384dec7778107d127d4656ac174eac55ff1a86b034c848edc609b851ff02
default	kkut4xbba4okcr74z7tqfx4b2a/7	1	1795939960588414		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01f2474fd19f3a60807d2bcb525af38b0b9dc4ff98f3b1bcaa2bfa9c9de453f7cb83e056aa
default	kkut4xbba4okcr74z7tqfx4b2a/8	1	1795939960588414		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01f2474fd1be1031fb4f66c1c1afac376a2e440ebeea1bb5b8dd29bba07850433d972ef058
default	kkut4xbba4okcr74z7tqfx4b2a/9	1	1795939960588414		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01f2474fd1b7ac9257798b84e4ce6ec26553e87c1f186264bb4349fdbf173dcccf608ef938
default	kkut4xbba4okcr74z7tqfx4b2a/10	1	1795939960588414		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01f2474fd1f253fe0fa62480fa070864010011bfad26883c2d9cfc2f20f57f73de9375b15c
default	kkut4xbba4okcr74z7tqfx4b2a/11	1	1795939960588414		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01f2474fd10f6a199192ad1434f4fabe0243f648120f878fe11c3765f95815b3a77cb2f129
default	kkut4xbba4okcr74z7tqfx4b2a/0	2	1795939960600570		system	witness.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x	vm:/tmp/TestDatabasesOfEarlierVersionsOpen2209512688/002/data.witness	\\x01f2474fd12f723ab1feb54da68e186a216c2f60b853b8b5ef997b6b54437c2ad849ffa496	\\x01f2474fd18036a08f57f01ca8e86aa5443a0c7640efea960f38f4b5975c066d0977120666
default	kkut4xbba4okcr74z7tqfx4b2a/0	3	1795939960615309		system	signing_key.created	ok		f	1	0		\\x	\\x	signing-key/1	0	\\x	\\x	kid hczvi_bE5HGFVRTmSjnMT2_uZQaAUgVB0jBKpRjAAhA	\\x01f2474fd18036a08f57f01ca8e86aa5443a0c7640efea960f38f4b5975c066d0977120666	\\x01f2474fd1ef44622a0096a71bdf6e4b1fcebff7463105d4223609108590facc48781182d7
default	kkut4xbba4okcr74z7tqfx4b2a/0	4	1795939960825369	agrcmxihukckkgj2yxuunounze	caller	key.issued	ok	generateClientEncryptionKey	f	1	89344	azmzr5l7sehibxscm5ipjixgle	\\x04e635a2afba2bbb0f7a851b42f0e7e7	\\xb5f000d6738cee37a83a033b476ba66b	key/azmzr5l7sehibxscm5ipjixgle	1	\\x	\\xb73993666e12b223e92dbec184574f90ce963e30c9a7fc5a77f33102b1849121		\\x01f2474fd1ef44622a0096a71bdf6e4b1fcebff7463105d4223609108590facc48781182d7	\\x01f2474fd1670cb918ca65054adc998885b23a1b1de952a97b8b55a881fff7912d099f932c
default	kkut4xbba4okcr74z7tqfx4b2a/0	5	1795939960863082	agrcmxih77hkfmlywadtz3kjg4	caller	credential.set	ok	setUserPasscode	f	1	32677	azmzr5l7sehibxscm5ipjixgle	\\x04e635a2afba2bbb0f7a851b42f0e7e7	\\xb5f000d6738cee37a83a033b476ba66b	credential/zinihj3qrizqom3fe3q2kqtdce	1	\\x	\\xdbfa7ec77edd85c916a7b112af2ddde22e7f6938c08774e5c112cbcf3eb0d5bf		\\x01f2474fd1670cb918ca65054adc998885b23a1b1de952a97b8b55a881fff7912d099f932c	\\x01f2474fd12f9c40f0dcd5a3b1f53005c40d1592bf521bbe4025a56933f269ed78e7adf0ea
default	kkut4xbba4okcr74z7tqfx4b2a/0	6	1795939960893063	agrcmxiievcuj2qcamkmnxrl4i	caller	credential.set	ok	setTransactionPin	f	1	24663	azmzr5l7sehibxscm5ipjixgle	\\x04e635a2afba2bbb0f7a851b42f0e7e7	\\xb5f000d6738cee37a83a033b476ba66b	credential/vwykkzi3eqm2jxfonpiaqyqs6u	1	\\x	\\x24d4ae1bee6bdd82e7de98c2b531eda2025e2210aa9295d30ddc5c1bc95d52cf		\\x01f2474fd12f9c40f0dcd5a3b1f53005c40d1592bf521bbe4025a56933f269ed78e7adf0ea	\\x01f2474fd146646af39a661b1e911afd22bed045cdbab1c18261cdc1e8233ebe7282d45dae
default	kkut4xbba4okcr74z7tqfx4b2a/0	7	1795939960919558	agrcmxiii7ggjguh2iugcflwhu	caller	key.rotated	ok		f	1	0	azmzr5l7sehibxscm5ipjixgle	\\x04e635a2afba2bbb0f7a851b42f0e7e7	\\xb5f000d6738cee37a83a033b476ba66b	key/azmzr5l7sehibxscm5ipjixgle	2	\\xb73993666e12b223e92dbec184574f90ce963e30c9a7fc5a77f33102b1849121	\\x325bcef58974ceb2a51334f43fa80fdfd740f279fff363becc42a942fa922fc8		\\x01f2474fd146646af39a661b1e911afd22bed045cdbab1c18261cdc1e8233ebe7282d45dae	\\x01f2474fd13629d79b9c6790a107a11506e6d1ce3b2a8559d8a681c866a2d53712d2398a62
default	kkut4xbba4okcr74z7tqfx4b2a/0	8	1795939960919558	agrcmxiii7ggjguh2iugcflwhu	caller	key.issued	ok	rotateClientEncryptionKey	f	1	17354	smwgwwi73tqcjxzdygrq6i5f4y	\\x04e635a2afba2bbb0f7a851b42f0e7e7	\\xb5f000d6738cee37a83a033b476ba66b	key/smwgwwi73tqcjxzdygrq6i5f4y	1	\\x	\\x2e29f5ff98438e7216844e2e871ede883406f7240088e2ee92f1fa16253449de		\\x01f2474fd13629d79b9c6790a107a11506e6d1ce3b2a8559d8a681c866a2d53712d2398a62	\\x01f2474fd1244e42147a7db84b85ded335d5b824b1fb59e29299ef022b4e8a15b043b23181
default	kkut4xbba4okcr74z7tqfx4b2a/0	10	1795939961002554	agrcmxiipftlxyd3h2kymzkndq	caller	key.issued	ok	generateClientEncryptionKey	f	1	50445	nna7bnglmr3x3oyzpyqrtcbzee	\\xbbd438e9231288ba5121bf47bd3887a2	\\x6e05beb40f0bd0f2e8bfd2158b585f2d	key/nna7bnglmr3x3oyzpyqrtcbzee	1	\\x	\\x56caf1731eacf6576ee20e178d7b9e10cd58a1fd671a749179154f7bc354c1a9		\\x01f2474fd16863959b0407da6047c2f8679adcde08	\\x01f2474fd1a1009b5c026fa33a9b3d885ca07eef04808bd5a15c5782c18719f00e594a2bab
default	kkut4xbba4okcr74z7tqfx4b2a/0	11	1795939961027539	agrcmxiiwndzi4b6whok3jchca	caller	credential.set	ok	setTransactionPin	f	1	16751	nna7bnglmr3x3oyzpyqrtcbzee	\\xbbd438e9231288ba5121bf47bd3887a2	\\x6e05beb40f0bd0f2e8bfd2158b585f2d	credential/yxoa72pad3iqeudbovpvrhvfxi	1	\\x	\\x16a26622f64a0fe473f8bdd7d0d8799471c977c519902dfcd5cb4edd2eaf5742		\\x01f2474fd1a1009b5c026fa33a9b3d885ca07eef04808bd5a15c5782c18719f00e594a2bab	\\x01f2474fd1b947e2d0b166f52ea004c4bc857042b15b48aef1421db7a73af1a7d173fd2fd4
default	kkut4xbba4okcr74z7tqfx4b2a/0	16	1795939961110323		system	operations.counted	CREDENTIAL_REJECTED		f	1	3808		\\x	\\x		0	\\x	\\x	setTransactionPin	\\x01f2474fd1f755d52de60da63f6c888fccf8e7c3a8	\\x01f2474fd16bad22326d988677f554f8924cfcedcb21c9dc4881d01f3f9066f88e032c415e
\.


--
-- Data for Name: audit_verdict_2026_11; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.audit_verdict_2026_11 (chain, seq, second, micros, account, data, hash) FROM stdin;
337641473	9	849255160	949662	82195874	\\x01a2265d085c7e3512279612e8a07c31932c6b591fdce024df23c1a30f23a5e6afba2bbb0f7a851b42f0e7e7b5f000d6738cee37a83a033b476ba66bd91d39a76dd90a287f3cb4f04d6ec689020281cc010000085ac244f7ba8c2becb14d83f2e37ad92a	\\x01f2474fd16863959b0407da6047c2f8679adcde08
337641473	12	849255161	46544	-1143719703	\\x01a2265d08c7235e9006bc78402685096b41f0b4cb64777dbb197e2119883921231288ba5121bf47bd3887a26e05beb40f0bd0f2e8bfd2158b585f2d154e8e1e5584c889fee5bd872de079f012028379000008342f23ec69490900e2c5e141b28589a8	\\x01f2474fd18950329249fca3b11984c9e60122ed73
337641473	13	849255161	64746	-1143719703	\\x01a2265d08d91ab90323b0c42f563e9a6b41f0b4cb64777dbb197e2119883921231288ba5121bf47bd3887a26e05beb40f0bd0f2e8bfd2158b585f2d154e8e1e5584c889fee5bd872de079f012049277000008e2c5e141b28589a823209a93b01271a2	\\x01f2474fd1d3355fa27d310c0db6d1d068edf6c57e
337641473	14	849255161	85253	-1143719703	\\x01a2265d08eb681b595532f6fe82cc7c6b41f0b4cb64777dbb197e2119883921231288ba5121bf47bd3887a26e05beb40f0bd0f2e8bfd2158b585f2d154e8e1e5584c889fee5bd872de079f012069e8a0100000823209a93b01271a2caacfe2e614a4fdf	\\x01f2474fd10ba477fc1b64bfe0cbd5698e7ad5f5f3
337641473	15	849255161	103503	-1143719703	\\x01a2265d08ff2b3682415538cbe821646b41f0b4cb64777dbb197e2119883921231288ba5121bf47bd3887a26e05beb40f0bd0f2e8bfd2158b585f2d154e8e1e5584c889fee5bd872de079f012089e7c000008caacfe2e614a4fdfe7484265f515ed94	\\x01f2474fd1f755d52de60da63f6c888fccf8e7c3a8
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
default	60000000	1795939920000000	kkut4xbba4okcr74z7tqfx4b2a	12	1	325492	\\x016e05beb40f0bd0f2b5f000d6738cee37	\\x0160010f03000303010001010104010601
default	3600000000	1795939200000000	kkut4xbba4okcr74z7tqfx4b2a	12	1	325492	\\x016e05beb40f0bd0f2b5f000d6738cee37	\\x0160010f03000303010001010104010601
default	86400000000	1795910400000000	kkut4xbba4okcr74z7tqfx4b2a	12	1	325492	\\x016e05beb40f0bd0f2b5f000d6738cee37	\\x0160010f03000303010001010104010601
default	2419200000000	1795046400000000	kkut4xbba4okcr74z7tqfx4b2a	12	1	325492	\\x016e05beb40f0bd0f2b5f000d6738cee37	\\x0160010f03000303010001010104010601
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
default	o2z52f22b65b7nnrdtv5wvafry	PASSCODE	zinihj3qrizqom3fe3q2kqtdce	1	1795939960863082	1795939960863082	\\x010157ab4e306d55e68e0d1703f35ff7ccb0ad063d418e0c93e96a73d0d634bff72d2c9e5ffad2af4db179c6ce703f3e308130400476d4709cee410fd86ba80c3914703ca3b87a504a4fb75d042209ded20bce82b452ab572802a45f50cb468a4c992dac1add2f6c
default	o2z52f22b65b7nnrdtv5wvafry	TRANSACTION_PIN	vwykkzi3eqm2jxfonpiaqyqs6u	1	1795939960893063	1795939960893063	\\x010157ab4e30c4dda25bbbc45c50fb6400e0595f5f86ac457c2d6178d180877be9457d6b35145307141392edcc442cbaccc730ff9ba4fb809059c98ae59a741dd6b11b7ffcc1ee93f4b8dd007e517b9de4ae9334f55623d1c261685c3225ba38712946c5affc4e74
default	sbymahwzvri3be3vkigo5m5x6m	TRANSACTION_PIN	yxoa72pad3iqeudbovpvrhvfxi	1	1795939961027539	1795939961027539	\\x010157ab4e30dce12d9f88be9749b090c0c7ebe6680ee76f28f9c1c0e7bd992ce64811ff0b7ff7fbaf42b92e082e1e9aa50ca945a72256d810d11d087fe892183df995f6c862846ec4a5e214cdb42d2373ea0c43f31b22bd64ae391cd95e40fc2634ee6a2164db78
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
default	o2z52f22b65b7nnrdtv5wvafry	azmzr5l7sehibxscm5ipjixgle	phone	invalidated	2	RSA-OAEP-256	2048		1795939960825369	0	1795939960919558	0	\\x01f2474fd1c761efba2c616bee79afb90432e409ee7cfa042d571efaa5085f03ceb9289a33	\\x30820122300d06092a864886f70d01010105000382010f003082010a0282010100f943275d6304305fe89422558d6a8ba0b1ebc7ef1eb1342591129638df9b8d1ee5c7efb2b15468bf745eb3f1fac65c036a5be41a5a1ac190e375ee58acd6aea50a1aa650acb505ac1ba1b13b3fa15753619de6cf8cc05a20fb081a611fda1ea9da7b47cbbf8851dfc37611cce7c954cab890738f70e329152fc9a9d2881f6da7ddb4f9added876834f4f00a0afea638604bae761b879e39d283d116c81525ab87cc99dc8cf0995b531c03521e2c4cdceb03a6fbc73ef098376f2897ba934d59d658433a35e9e804424a702c1db6504a3f2fd4cf427c29b8c717940369bc504559ea2922cb62da9f1440f585d45f9a4ada286189e19a3d08175687a98401c853b0203010001	\\x	
default	o2z52f22b65b7nnrdtv5wvafry	smwgwwi73tqcjxzdygrq6i5f4y	phone	active	1	RSA-OAEP-256	2048		1795939960919558	0	0	0	\\x01f2474fd14fbc8f7f8b491c35bb55e63d652261ce37b34060530212a05259367838c8f572	\\x30820122300d06092a864886f70d01010105000382010f003082010a0282010100c4ff48041b94d2a3cede48dbe8b2179e68071c5677dd48025838d5254d6656ee3d462aaf23729be67e052887dc0b9b990c2c3996d64be32f78de55dc4a3e905a7dedb8e0ab314f97ec369042e5568a0d7e62083338de95fd4e34adbbe0d3b97f3631dcabc3377680b398a2dc39390e19569a91299a819ebc4e9a7452b1854fbce3eee7acdfbe45c35c1922b5786bb486b54eb117c3eb21329e9278c8224b857c66711bbc9241e40d4555c26fd82af843012f73a9248afc80b7fd7f5c464f3915e03d0972db27ec139b689b2bb931548db7d241de3f4ee039ff961136d2ec21abc0953b809e4dd02a2a03963242c4ff9c008907edf6225a86e9354a5c958ac7e70203010001	\\x010157ab4e3052e0aad50a66dd31ad694739a75065e646160c868f11513ab8d5a667e639bc16ce18a89e3976fbad9f93bf6bb0b9126445560a1b8d048db23f5b9a9fdd52baee4fb14f36170d0d6c2172fa5eb9b66534688c727b93a1a4b2eb05acb9381df69893ff07f975ad856ba5b19f46da4c27bce36a3ca60fecd19b816cd04839baec7964ab7597f31761ba35cb19cbb40a96af7fb1f12273dbf14c88871195af3850c497e2de6364793c3881141d9968557fa1a68041ee71dafffafe45b38efd8d87b07d71c02ddd7486a273aacf253c6c004d4043c45650be86f3986dcbe3faa45203b2eee85e0b1c4ac58fad47b3a6ef6eb0e0f1dadf5dff43edd3dfd1d4279816636216a5d584bc9be66c211e92d1ff450ca8bb54ecd5c0ea8c8a8af9f2604ea0a5e0e829f7bb5ea4428a	
default	sbymahwzvri3be3vkigo5m5x6m	nna7bnglmr3x3oyzpyqrtcbzee	tablet	active	1	RSA-OAEP-256	2048		1795939961002554	0	0	0	\\x01f2474fd133f7fe9459389306a08caa77a083863dab923375d3ffacb7bc35ee66c85aaeb2	\\x30820122300d06092a864886f70d01010105000382010f003082010a0282010100b7e4233fa5ea97a170f323e78d009484e149585b5994c8764d2e17aad7fbac2ece737563176bd814e2f390cf15297a61d276a80c2616e122e7c0d5ba019d0c09dda0b6f9956a50ae7419e3f0df3795706b9042c688b8b34e31dfbdc3439e8da3f0325e8eda05f3dc079c3b8139d40ddc2e999ba2be4f47f4bd6eb612af0b6220555b6763a2f85129b3b3a0d37ed40827fb78f42f0e08f2c3656917f420644a1cd14018298c42ca1b923b580d90e33bcdb4c28377f57be45941a46c0392af790f8baa05d829fa06c3934341e428ba3c9bdbb737ab91ac61d37081a46ff076a154174d85b0bb01687f6cc7bc85ff21710859eef4845ca131a8709926040b4bbf6d0203010001	\\x010157ab4e30baa2c3493bc20f051a644667a42f276a1c76c334f6a261f7cccbb2f99b49002a8d64e03b96fb485a5ad8b18c1fc2878d92282189c96005f66616fac37035d521024b11d6c172bf88475df68e00c232c149ebedddab14d1d896b58a803aa53418e6db6183306c9e18cce8874c171e878ad726fdeee767a101959c317df5eef2bea74b38be68dbc4bcd0c1fdb6a5ae9190a6e78969baec2cef5c4a2787069c2c65b73ba15e31775380ce8a0703c95a7f6b03f7e2b23ccd4d3b7fbe9ec676054752ce4f575098c08cea5ab70ddc10b68c7e6e02758fa16048cfefa97bfe6c5effb652ed2bf093409853bcd8da3204d9d95cb8db72bb9379d9304c059600019096e50c7ba7d87abd16d3b927e89ce2282fd132556bdebaaaaccb1a15a18b8dfd4332bea90126ceb2a49eb6	
\.


--
-- Data for Name: key_account; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.key_account (tenant, key_id, account_id) FROM stdin;
default	azmzr5l7sehibxscm5ipjixgle	o2z52f22b65b7nnrdtv5wvafry
default	smwgwwi73tqcjxzdygrq6i5f4y	o2z52f22b65b7nnrdtv5wvafry
default	nna7bnglmr3x3oyzpyqrtcbzee	sbymahwzvri3be3vkigo5m5x6m
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
default	o2z52f22b65b7nnrdtv5wvafry	azmzr5l7sehibxscm5ipjixgle	1795939200000000
default	o2z52f22b65b7nnrdtv5wvafry	smwgwwi73tqcjxzdygrq6i5f4y	1795939200000000
default	sbymahwzvri3be3vkigo5m5x6m	nna7bnglmr3x3oyzpyqrtcbzee	1795939200000000
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
4097083626	f	\N	\N	\N	2026-11-29 08:12:40.534039+00
\.


--
-- Data for Name: schema_version; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.schema_version (id, version_id, is_applied, tstamp) FROM stdin;
1	0	t	2026-11-29 08:12:40.443505
2	1	t	2026-11-29 08:12:40.466468
3	2	t	2026-11-29 08:12:40.48685
4	3	t	2026-11-29 08:12:40.503947
5	4	t	2026-11-29 08:12:40.504339
6	5	t	2026-11-29 08:12:40.511859
7	6	t	2026-11-29 08:12:40.513222
8	7	t	2026-11-29 08:12:40.515388
9	8	t	2026-11-29 08:12:40.516122
10	9	t	2026-11-29 08:12:40.518123
11	10	t	2026-11-29 08:12:40.520864
12	11	t	2026-11-29 08:12:40.525812
13	12	t	2026-11-29 08:12:40.527368
14	13	t	2026-11-29 08:12:40.527564
15	14	t	2026-11-29 08:12:40.532412
\.


--
-- Data for Name: setting; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.setting (tenant, name, value) FROM stdin;
default	epoch	\\x31
default	keyset	\\x7b226b6579736574223a7b2267656e65726174696f6e223a312c22646174614b657973223a5b7b226964223a313437303834343436342c226d6163223a343036343735393736312c227072696d617279223a747275657d5d2c227772617073223a5b7b22726f6f744b6579223a2235656633323832373835643537346236222c2275726c223a2266696c653a2f746d702f546573744461746162617365734f664561726c69657256657273696f6e734f70656e323230393531323638382f3030322f646174612f726f6f742e6b6579222c2261646465644174223a22323032362d31312d32395430383a31323a34302e3535303439385a222c226b6579223a226f4e48444470394e4443556b5064526d6d444f52374a7747587375516d7153475366796579395553676f66674d4d4647786d475964772f506c6934704d365a3276775854352f466c686751725536353973627a4c5967496d7866677a6c326978222c226b6579736574223a22456263537358612b527834777957436a51647a6f41467941326763322b6e386441374a6d4e71794f4474636b415049794e422f2f446a50507555424d462f774f386d46657a4c68704e724e7646455741337155504c376c634b564f4230494c45476257693646475638756147304b616f575636463154646b32646462676464377a6e41466f416e6f41787848693662423575634632592f5a4b30654b7a6365714c31645472694c37626d52315965476e6f502b32655766374d616f6e426f7575726859764f337679324f7854746d496d4e376a4e785a676d7054415743394c2f3244446244585874434e61752b4c427638626435716b54327058526b6730474337666f38476a5a5a51704d555362457a5a353871567a54774e4a47694731586538727a4a41752b637455646d53496537677145344c51355647544a766a48385333467176532b6c5537324558427253644264703347307170734f50612f445a4746373531544f2f4f227d5d7d2c226d6163223a2241664a4854394867707348424858584e7739717148474a6e76546b6a562b396f69432f632b36457563726566334d68756f413d3d227d
default	account_mode	\\x646576696365
default	audit_chain	\\x6f6e6362337835696f797065766566657a33723336736c686f65
default	witness/317c07b41e663fd342ed2e552cdd00ed	\\x00066165db63b7fa
default	metrics.folded/kkut4xbba4okcr74z7tqfx4b2a/0	\\x0000000000000010
default	metrics.folded/kkut4xbba4okcr74z7tqfx4b2a/1	\\x0000000000000001
default	metrics.folded/kkut4xbba4okcr74z7tqfx4b2a/2	\\x0000000000000001
default	metrics.folded/kkut4xbba4okcr74z7tqfx4b2a/3	\\x0000000000000001
default	metrics.folded/kkut4xbba4okcr74z7tqfx4b2a/4	\\x0000000000000001
default	metrics.folded/kkut4xbba4okcr74z7tqfx4b2a/5	\\x0000000000000001
default	metrics.folded/kkut4xbba4okcr74z7tqfx4b2a/6	\\x0000000000000001
default	metrics.folded/kkut4xbba4okcr74z7tqfx4b2a/7	\\x0000000000000001
default	metrics.folded/kkut4xbba4okcr74z7tqfx4b2a/8	\\x0000000000000001
default	metrics.folded/kkut4xbba4okcr74z7tqfx4b2a/9	\\x0000000000000001
default	metrics.folded/kkut4xbba4okcr74z7tqfx4b2a/10	\\x0000000000000001
default	metrics.folded/kkut4xbba4okcr74z7tqfx4b2a/11	\\x0000000000000001
default	beat/kkut4xbba4okcr74z7tqfx4b2a	\\x2501f2474fd1da3ec1f8d4c7bb6920455855a9970e28c92d18fca616d1fd7d2dabc68ac051647b22696e7374616e6365223a226b6b75743478626261346f6b637237347a377471667834623261222c226e756d626572223a322c226174223a313739353933393936313131373335392c22636f6e646974696f6e223a22656e646564222c226865616473223a7b2230223a31362c2231223a312c223130223a312c223131223a312c2232223a312c2233223a312c2234223a312c2235223a312c2236223a312c2237223a312c2238223a312c2239223a317d2c2272656164223a6e756c6c7d
\.


--
-- Data for Name: signing_key; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.signing_key (tenant, number, id, algorithm, version, created_at, active_from, erased_at, mac, public_key, sealed) FROM stdin;
default	1	hczvi_bE5HGFVRTmSjnMT2_uZQaAUgVB0jBKpRjAAhA	ES256	1	1795939960615309	1795939960615309	0	\\x01f2474fd1bcc3ef6ce6e8014eb1a97bc1937c50af495737495001275b29d5e9e3711551d4	\\x3059301306072a8648ce3d020106082a8648ce3d03010703420004f5bfd7eac3112d0d07a786d2bc0600f55a68ba89be256a0194f09edecbda4a4552195c7d182d818b5c6ffafcf0f978ec8b945e11002ce3717401fbcc66e71947	\\x010157ab4e304cd20c0489cb3b5c2f7e4da7aada92911003fe343839a4c26ca52a16cbf077b5a5e095fa67a5f494e5a4e049966ee5b408110e613b7c74a9a2ce4c164fcae1d80094e465b1580e0692340c133bc31dd971675edd1964969392c29e4dbb522fb4ffc38ceff1dc24803e8303d63fdd5acf0f15041f77d82a08822353c89703315963c00e3c19f5804560437fd0ce760f88da5706ce2536d80479bb5755b4c7805eb7a0acc18756aa432a5c61b2735a426aa7f1
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

\unrestrict pW4cof1RIQ1FebEY4DIsGlyrMvx0FNOfp2UlF3hRG0wbMA52ZwOIFd4fvGdRdnw

