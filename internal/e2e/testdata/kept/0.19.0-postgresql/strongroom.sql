--
-- PostgreSQL database dump
--

\restrict aiG9MBXb0wN2BZWgE3Emegjapue4kca6j2feqqDQkfAsKRyqNphm1HyBF2qIJyY

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
default	6xtskgeteivfvjp6gxbbt6anea	device		phone	1795987858416312
default	t4sm46w6fpr6oh766ocjkyo3am	device		tablet	1795987859137613
\.


--
-- Data for Name: attempts; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.attempts (tenant, account_id, type, id, version, failures, locked_until, permanent, recent, pending, mac, verified_at, verified_by, devices, locked_to) FROM stdin;
default	6xtskgeteivfvjp6gxbbt6anea	TRANSACTION_PIN	ueillesmwgfm7zi5tw37ym2qsa	2	0	0	f	[]	[]	\\x010ffad02d130a0fbe29dfb861c6e1953389de272ef2267537865b7d3e59578fc6e2affe80	1795987858991955		[]	0
default	t4sm46w6fpr6oh766ocjkyo3am	TRANSACTION_PIN	5f4ao2esmflemcrt4rx4uwxsve	8	4	0	f	[1795987859380612,1795987859409397,1795987859461959,1795987859488102]	[]	\\x010ffad02de5fa10e6dc92871f6c1da9748e8c59fe8632a952e3d2bf31b2b886d3e24f9345	0		[]	0
\.


--
-- Data for Name: audit_chain; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.audit_chain (tenant, name, number, form) FROM stdin;
default	tkmg7k7xquqktq7qyb4wdr22ja	337641472	2
default	em3xbxc2hwcjtqodd6bustnttm/0	337641473	2
default	em3xbxc2hwcjtqodd6bustnttm/1	337641474	2
default	em3xbxc2hwcjtqodd6bustnttm/2	337641475	2
default	em3xbxc2hwcjtqodd6bustnttm/3	337641476	2
default	em3xbxc2hwcjtqodd6bustnttm/4	337641477	2
default	em3xbxc2hwcjtqodd6bustnttm/5	337641478	2
default	em3xbxc2hwcjtqodd6bustnttm/6	337641479	2
default	em3xbxc2hwcjtqodd6bustnttm/7	337641480	2
default	em3xbxc2hwcjtqodd6bustnttm/8	337641481	2
default	em3xbxc2hwcjtqodd6bustnttm/9	337641482	2
default	em3xbxc2hwcjtqodd6bustnttm/10	337641483	2
default	em3xbxc2hwcjtqodd6bustnttm/11	337641484	2
\.


--
-- Data for Name: audit_log; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.audit_log (tenant, chain, seq, "time", request_id, actor, event, outcome, operation, failed, count, duration, key_id, account, device, record, version, before, digest, reason, prev, hash) FROM stdin;
default	tkmg7k7xquqktq7qyb4wdr22ja	1	1795987857743263		system	store.initialised	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x010ffad02d7f7fe02bd8f1bff0c3beaf22b0cba89f30b935c0857fe7e4d135e323b80d2ba2
default	em3xbxc2hwcjtqodd6bustnttm/0	1	1795987857835966		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x010ffad02de77c287e848743b6d06c2b5dd0fe8f3da91e261400ebc8af313bff93a8a807b4
default	em3xbxc2hwcjtqodd6bustnttm/1	1	1795987857835966		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x010ffad02d9d811b17bb73da09c00a1daae0fb1182e992c6536eecb27793249ab4068d8595
default	em3xbxc2hwcjtqodd6bustnttm/2	1	1795987857835966		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x010ffad02d15cf871a85963d2df7678f0f6ae04c1e3012bb6b4dbf0cf45f1ff43a6e2651ef
default	em3xbxc2hwcjtqodd6bustnttm/3	1	1795987857835966		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x010ffad02dd13e27a114578c252612007dfe64975e15a75ac925e53d36654a55588c1392b6
default	em3xbxc2hwcjtqodd6bustnttm/4	1	1795987857835966		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x010ffad02d9630e5e1a32b85bff4f0c5cc9b019b50dd610aaaa526705f65ff4863f2f7c29b
default	em3xbxc2hwcjtqodd6bustnttm/5	1	1795987857835966		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x010ffad02daf0928ebeeb3a22a4e4d303c5b55fe61d373941af7fda15e0fa234074338b38c
default	em3xbxc2hwcjtqodd6bustnttm/6	1	1795987857835966		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x010ffad02d7536950b03ed588e1d698e0cd6af5f738f80264d7312a1ac0301a5b5c3fbf296
default	em3xbxc2hwcjtqodd6bustnttm/7	1	1795987857835966		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x010ffad02dd17af9f1f2fa631892bed93bf4900df5d866482b3aac8482d8041d88ee9697ef
default	em3xbxc2hwcjtqodd6bustnttm/8	1	1795987857835966		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x010ffad02db35f9318643dd1affea740a178863ac9e157f00af22b9767544db937cbcd4de9
default	em3xbxc2hwcjtqodd6bustnttm/9	1	1795987857835966		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x010ffad02dd37fd63467f24778d411e632614bf34d8bb58562a99811fb454c5d8832002582
default	em3xbxc2hwcjtqodd6bustnttm/10	1	1795987857835966		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x010ffad02d9033dcd0d28dc8917167cf3631a589b645b4201ea8ca634fe3a82488f7e9071c
default	em3xbxc2hwcjtqodd6bustnttm/11	1	1795987857835966		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x010ffad02d8014f61db5ff0dcbac7dc6718088890987cf2342ac3f0154e00b67b71d4298f8
default	em3xbxc2hwcjtqodd6bustnttm/0	2	1795987857892171		system	witness.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x	vm:/tmp/TestDatabasesOfEarlierVersionsOpen2531944535/002/data.witness	\\x010ffad02de77c287e848743b6d06c2b5dd0fe8f3da91e261400ebc8af313bff93a8a807b4	\\x010ffad02d52d5c080e3030906600bb45e0bcf380149032853225985ab3ce768cb25b6cf0e
default	em3xbxc2hwcjtqodd6bustnttm/0	3	1795987857966827		system	signing_key.created	ok		f	1	0		\\x	\\x	signing-key/1	0	\\x	\\x	kid bVnBN6IbQ2bD9m4JronVfZNf73zKnwXxJTIpAiCRXkQ	\\x010ffad02d52d5c080e3030906600bb45e0bcf380149032853225985ab3ce768cb25b6cf0e	\\x010ffad02d858c24059ab83962de28b0b633fe0aee225ca6c261849626bfd630f773ccffcd
default	em3xbxc2hwcjtqodd6bustnttm/0	4	1795987858416312	agrcsn7d2c2qx6sjw6wimqsfgq	caller	key.issued	ok	generateClientEncryptionKey	f	1	32538	5mf5zwfhwvk5lgh5i5lyddyfl4	\\x6d3ea1a1a4344248109d0f8ceddeef2c	\\xa1a5f8eac5f416d83a261b65dc23e901	key/5mf5zwfhwvk5lgh5i5lyddyfl4	1	\\x	\\xf2807713bffa53e6b871d5600bd85df9235e412f85500d90e5cd98b5ad6639d6		\\x010ffad02d858c24059ab83962de28b0b633fe0aee225ca6c261849626bfd630f773ccffcd	\\x010ffad02d13d3733c9b8f0a749190d9749f2201757e186af988871f3f1ddc127d5f01d9af
default	em3xbxc2hwcjtqodd6bustnttm/0	5	1795987858473551	agrcsn7d6wnyahefqq5ugiijnu	caller	credential.set	ok	setUserPasscode	f	1	55597	5mf5zwfhwvk5lgh5i5lyddyfl4	\\x6d3ea1a1a4344248109d0f8ceddeef2c	\\xa1a5f8eac5f416d83a261b65dc23e901	credential/pda536c34bwmtpg4ay57iczu5u	1	\\x	\\xbdcde0c40c2ad56135948cec73376ba38ca4ad0c5d858336ee5b8b0efd97d0ed		\\x010ffad02d13d3733c9b8f0a749190d9749f2201757e186af988871f3f1ddc127d5f01d9af	\\x010ffad02d8f3ed38b3b02bdb94f4fd706c99428a8ec269369d1b5905dabe9a7f21008b357
default	em3xbxc2hwcjtqodd6bustnttm/0	6	1795987858626002		system	chain.tied	ok		f	1	0		\\x	\\x	chain/em3xbxc2hwcjtqodd6bustnttm/1	1	\\x	\\x010ffad02d9d811b17bb73da09c00a1daae0fb1182e992c6536eecb27793249ab4068d8595		\\x010ffad02d8f3ed38b3b02bdb94f4fd706c99428a8ec269369d1b5905dabe9a7f21008b357	\\x010ffad02d735329eaeb3067167b0e43bb245458ea3718cd9b73839dbdc8208fe9ac0e6564
default	em3xbxc2hwcjtqodd6bustnttm/0	7	1795987858626002		system	chain.tied	ok		f	1	0		\\x	\\x	chain/em3xbxc2hwcjtqodd6bustnttm/10	1	\\x	\\x010ffad02d9033dcd0d28dc8917167cf3631a589b645b4201ea8ca634fe3a82488f7e9071c		\\x010ffad02d735329eaeb3067167b0e43bb245458ea3718cd9b73839dbdc8208fe9ac0e6564	\\x010ffad02d6ba1768c3d16512ff532c4ec44ef514d0fa58a533f349f7ee2d719dec0a4d258
default	em3xbxc2hwcjtqodd6bustnttm/0	8	1795987858626002		system	chain.tied	ok		f	1	0		\\x	\\x	chain/em3xbxc2hwcjtqodd6bustnttm/11	1	\\x	\\x010ffad02d8014f61db5ff0dcbac7dc6718088890987cf2342ac3f0154e00b67b71d4298f8		\\x010ffad02d6ba1768c3d16512ff532c4ec44ef514d0fa58a533f349f7ee2d719dec0a4d258	\\x010ffad02d7b629e2acfa01264372274c7f8a722d9acd046d7d98b576550d5054c13eed6c4
default	em3xbxc2hwcjtqodd6bustnttm/0	9	1795987858626002		system	chain.tied	ok		f	1	0		\\x	\\x	chain/em3xbxc2hwcjtqodd6bustnttm/2	1	\\x	\\x010ffad02d15cf871a85963d2df7678f0f6ae04c1e3012bb6b4dbf0cf45f1ff43a6e2651ef		\\x010ffad02d7b629e2acfa01264372274c7f8a722d9acd046d7d98b576550d5054c13eed6c4	\\x010ffad02dc8a355b12433dd06e276c612d2e9b9fea3bf1878c20bd86e8a71e55eb3e82717
default	em3xbxc2hwcjtqodd6bustnttm/0	10	1795987858626002		system	chain.tied	ok		f	1	0		\\x	\\x	chain/em3xbxc2hwcjtqodd6bustnttm/3	1	\\x	\\x010ffad02dd13e27a114578c252612007dfe64975e15a75ac925e53d36654a55588c1392b6		\\x010ffad02dc8a355b12433dd06e276c612d2e9b9fea3bf1878c20bd86e8a71e55eb3e82717	\\x010ffad02d6594d949e5bebfb9628dbdadc98e36ee7f327b96d0df0007c32af43927c2b409
default	em3xbxc2hwcjtqodd6bustnttm/0	11	1795987858626002		system	chain.tied	ok		f	1	0		\\x	\\x	chain/em3xbxc2hwcjtqodd6bustnttm/4	1	\\x	\\x010ffad02d9630e5e1a32b85bff4f0c5cc9b019b50dd610aaaa526705f65ff4863f2f7c29b		\\x010ffad02d6594d949e5bebfb9628dbdadc98e36ee7f327b96d0df0007c32af43927c2b409	\\x010ffad02d2c0c45c1ac793e3317a57d3b1239167153eda3fb0e631f0f309772ee85551205
default	em3xbxc2hwcjtqodd6bustnttm/0	12	1795987858626002		system	chain.tied	ok		f	1	0		\\x	\\x	chain/em3xbxc2hwcjtqodd6bustnttm/5	1	\\x	\\x010ffad02daf0928ebeeb3a22a4e4d303c5b55fe61d373941af7fda15e0fa234074338b38c		\\x010ffad02d2c0c45c1ac793e3317a57d3b1239167153eda3fb0e631f0f309772ee85551205	\\x010ffad02d215750f2a4498d2457d62e49a1f7edf9dba696365a4c817c813e24bf9287e3d4
default	em3xbxc2hwcjtqodd6bustnttm/0	13	1795987858626002		system	chain.tied	ok		f	1	0		\\x	\\x	chain/em3xbxc2hwcjtqodd6bustnttm/6	1	\\x	\\x010ffad02d7536950b03ed588e1d698e0cd6af5f738f80264d7312a1ac0301a5b5c3fbf296		\\x010ffad02d215750f2a4498d2457d62e49a1f7edf9dba696365a4c817c813e24bf9287e3d4	\\x010ffad02d378b7cda1afad2689a3ef383bc1c749875aa6cfec6e89cb2f9b4287760f1345a
default	em3xbxc2hwcjtqodd6bustnttm/0	14	1795987858626002		system	chain.tied	ok		f	1	0		\\x	\\x	chain/em3xbxc2hwcjtqodd6bustnttm/7	1	\\x	\\x010ffad02dd17af9f1f2fa631892bed93bf4900df5d866482b3aac8482d8041d88ee9697ef		\\x010ffad02d378b7cda1afad2689a3ef383bc1c749875aa6cfec6e89cb2f9b4287760f1345a	\\x010ffad02d06b97b628b723af0877407bdb838cdeae593ae7875a802c75137865e458a4d0c
default	em3xbxc2hwcjtqodd6bustnttm/0	15	1795987858626002		system	chain.tied	ok		f	1	0		\\x	\\x	chain/em3xbxc2hwcjtqodd6bustnttm/8	1	\\x	\\x010ffad02db35f9318643dd1affea740a178863ac9e157f00af22b9767544db937cbcd4de9		\\x010ffad02d06b97b628b723af0877407bdb838cdeae593ae7875a802c75137865e458a4d0c	\\x010ffad02d6567bd3ef4abedc0dbe574ab6c5b865996efad9659c786d9ff4256c341eb07bd
default	em3xbxc2hwcjtqodd6bustnttm/0	16	1795987858626002		system	chain.tied	ok		f	1	0		\\x	\\x	chain/em3xbxc2hwcjtqodd6bustnttm/9	1	\\x	\\x010ffad02dd37fd63467f24778d411e632614bf34d8bb58562a99811fb454c5d8832002582		\\x010ffad02d6567bd3ef4abedc0dbe574ab6c5b865996efad9659c786d9ff4256c341eb07bd	\\x010ffad02d190d7f5d6f55e930a63c6ad17a6390c6ccaebf5348168f48ad140b02c631a530
default	em3xbxc2hwcjtqodd6bustnttm/0	17	1795987858626002		system	chain.tied	ok		f	1	0		\\x	\\x	chain/tkmg7k7xquqktq7qyb4wdr22ja	1	\\x	\\x010ffad02d7f7fe02bd8f1bff0c3beaf22b0cba89f30b935c0857fe7e4d135e323b80d2ba2		\\x010ffad02d190d7f5d6f55e930a63c6ad17a6390c6ccaebf5348168f48ad140b02c631a530	\\x010ffad02df084a37d4aeaf2a3a7eb6ad5bb6d412d7aad1a8c4b05323c306cb266cfa8dc50
default	em3xbxc2hwcjtqodd6bustnttm/1	2	1795987858618041	agrcsn7ei7cyh2rtkq557ibcgy	caller	credential.set	ok	setTransactionPin	f	1	122846	5mf5zwfhwvk5lgh5i5lyddyfl4	\\x6d3ea1a1a4344248109d0f8ceddeef2c	\\xa1a5f8eac5f416d83a261b65dc23e901	credential/4z2asoylclhvdlt2jmxahn2uzy	1	\\x	\\x7a2b75fd80ca712c78f682e759cd15810b5009db4c5bcb2068374dea24652b05		\\x010ffad02d9d811b17bb73da09c00a1daae0fb1182e992c6536eecb27793249ab4068d8595	\\x010ffad02db5fbb10f1c5bc8446dd4f87bb017c3e25556bcb3548d7329d3dde271df991a8e
default	em3xbxc2hwcjtqodd6bustnttm/0	18	1795987858918994	agrcsn7e25jopzz7hktufarj2e	caller	key.rotated	ok		f	1	0	5mf5zwfhwvk5lgh5i5lyddyfl4	\\x6d3ea1a1a4344248109d0f8ceddeef2c	\\xa1a5f8eac5f416d83a261b65dc23e901	key/5mf5zwfhwvk5lgh5i5lyddyfl4	2	\\xf2807713bffa53e6b871d5600bd85df9235e412f85500d90e5cd98b5ad6639d6	\\xf5a81d3696b964b311eb041a0dd932f3b1aa37a3d189eed69c4e647e0c9b3539		\\x010ffad02df084a37d4aeaf2a3a7eb6ad5bb6d412d7aad1a8c4b05323c306cb266cfa8dc50	\\x010ffad02d2616babf355fe5456498e3193350aa2bb0477e620a1dddd4574732d6e06364bb
default	em3xbxc2hwcjtqodd6bustnttm/0	19	1795987858918994	agrcsn7e25jopzz7hktufarj2e	caller	key.issued	ok	rotateClientEncryptionKey	f	1	272175	eymt4e4wdtjtqlnpf25hqtrlp4	\\x6d3ea1a1a4344248109d0f8ceddeef2c	\\xa1a5f8eac5f416d83a261b65dc23e901	key/eymt4e4wdtjtqlnpf25hqtrlp4	1	\\x	\\x50db59d381b52ce90211fd2e24acdaea62fa6134d5e291f42fd94dc755942d2f		\\x010ffad02d2616babf355fe5456498e3193350aa2bb0477e620a1dddd4574732d6e06364bb	\\x010ffad02d7dda11796be93be8c22631cb34dc5c4e645aef046160a7339b1e8f3bdfb4abc0
default	em3xbxc2hwcjtqodd6bustnttm/0	21	1795987859070953		system	operations.counted	CREDENTIAL_REJECTED		f	1	6381		\\x	\\x		0	\\x	\\x	setTransactionPin	\\x010ffad02d7eba55c62249769cc459268769b9abb7	\\x010ffad02d6c4197b1d154f8d28e54fd8a1f4d2a3a24c3c8e6ada080b6a5a3ea0a6fe57f8b
default	em3xbxc2hwcjtqodd6bustnttm/0	22	1795987859137613	agrcsn7ggrmvqthtbr3aplnnym	caller	key.issued	ok	generateClientEncryptionKey	f	1	142427	bawdutkvpelwhcedgvgi45q6yu	\\x5fe52eb78482b81215772ca31084213e	\\x850c81d93a9d31eced95fbb59fad6b56	key/bawdutkvpelwhcedgvgi45q6yu	1	\\x	\\x5fab0578f81690434406b0267f081439fd281c2b948cbdce9071967c1656679a		\\x010ffad02d6c4197b1d154f8d28e54fd8a1f4d2a3a24c3c8e6ada080b6a5a3ea0a6fe57f8b	\\x010ffad02db8293ff78c3f341622ee9899ea4d4120b13a393bbedd45da782119b439583e38
default	em3xbxc2hwcjtqodd6bustnttm/0	23	1795987859188343	agrcsn7gzcolsqdlns6uvpiogu	caller	credential.set	ok	setTransactionPin	f	1	44539	bawdutkvpelwhcedgvgi45q6yu	\\x5fe52eb78482b81215772ca31084213e	\\x850c81d93a9d31eced95fbb59fad6b56	credential/ipztz5q6chqqdkjpywf2o5kpxe	1	\\x	\\xb155a134f5818463315d79710237c3fd059f7257a0b22ed7f61bca4810bf80aa		\\x010ffad02db8293ff78c3f341622ee9899ea4d4120b13a393bbedd45da782119b439583e38	\\x010ffad02d1c3fa679a7a6150c5498a4468840869f2cb76560fd3aae41d135fabed2ad04d7
\.


--
-- Data for Name: audit_verdict_2026_11; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.audit_verdict_2026_11 (chain, seq, second, micros, account, data, hash) FROM stdin;
337641473	20	849303058	991955	1832821153	\\x01a22937e5ef33149d39184233fc6ade26193e13961cd3382daf2eba784e2b7fa4344248109d0f8ceddeef2ca1a5f8eac5f416d83a261b65dc23e901a110b5924cb18acfe51d9db7fc3350900202a6ff03000008eda250e758e9e15f9a1137f3a59638a0	\\x010ffad02d7eba55c62249769cc459268769b9abb7
337641473	24	849303059	380612	1608855223	\\x01a22937e6ffe75d16f738bdb917a197082c3a4d557917638883354c8e761ec58482b81215772ca31084213e850c81d93a9d31eced95fbb59fad6b56e9780768926156460a33e46fca5af2a91202f08a0b0000084478a17752f83710f42be911de19d818	\\x010ffad02d666c9dc85b6955aa818407f48f78e51c
337641473	25	849303059	409397	1608855223	\\x01a22937e7b83cfce4719f1ca62a2fc6082c3a4d557917638883354c8e761ec58482b81215772ca31084213e850c81d93a9d31eced95fbb59fad6b56e9780768926156460a33e46fca5af2a91204bbc301000008f42be911de19d81834fb4654492e726f	\\x010ffad02d803428780f1c0c61fc66e5a0d0b0b528
337641473	26	849303059	461959	1608855223	\\x01a22937e7d45bbcadca24999eb2c766082c3a4d557917638883354c8e761ec58482b81215772ca31084213e850c81d93a9d31eced95fbb59fad6b56e9780768926156460a33e46fca5af2a912068a820300000834fb4654492e726fc77d5111ee29fb75	\\x010ffad02d0d19d110ca14c5da10878eb2ca41554c
337641473	27	849303059	488102	1608855223	\\x01a22937e8083f43366f4265c3f6b891082c3a4d557917638883354c8e761ec58482b81215772ca31084213e850c81d93a9d31eced95fbb59fad6b56e9780768926156460a33e46fca5af2a91208f1b701000008c77d5111ee29fb7573d4b85ae20325ff	\\x010ffad02d516c99eadc03175ee9bc247fe53d3254
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
default	60000000	1795987800000000	em3xbxc2hwcjtqodd6bustnttm	12	1	1021539	\\x01850c81d93a9d31eca1a5f8eac5f416d8	\\x0166010e02020103010001010100010701000102010401
default	3600000000	1795986000000000	em3xbxc2hwcjtqodd6bustnttm	12	1	1021539	\\x01850c81d93a9d31eca1a5f8eac5f416d8	\\x0166010e02020103010001010100010701000102010401
default	86400000000	1795910400000000	em3xbxc2hwcjtqodd6bustnttm	12	1	1021539	\\x01850c81d93a9d31eca1a5f8eac5f416d8	\\x0166010e02020103010001010100010701000102010401
default	2419200000000	1795046400000000	em3xbxc2hwcjtqodd6bustnttm	12	1	1021539	\\x01850c81d93a9d31eca1a5f8eac5f416d8	\\x0166010e02020103010001010100010701000102010401
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
default	6xtskgeteivfvjp6gxbbt6anea	PASSCODE	pda536c34bwmtpg4ay57iczu5u	1	1795987858473551	1795987858473551	\\x01019db23986449385dbfc8c033511fd872b31c7f0589ba38be5fcfe142700b1c41a26d4d2b3a06a0b048c73ad53b9e7ca3dfda9197ae19eb35bd479949878609ace195ba914bb08d3e4295f8231374be469b66a2ecf0d23f0db5f8d821ffea4119199f3920e51ee
default	6xtskgeteivfvjp6gxbbt6anea	TRANSACTION_PIN	4z2asoylclhvdlt2jmxahn2uzy	1	1795987858618041	1795987858618041	\\x01019db2398652f7fcc3655a5ff0b2b403e9837f9c6176ae7f9fea9c7d33a1e5b3431446b266f295fb1e4909d74f44152317ebda3dd80e2d5bba5ab6b3236d7311f15232ca98408b0826ba1af32182f6b4dbc6ab9784cbf0e2938c36d3f85d9a615399ebd3b4b9fa
default	t4sm46w6fpr6oh766ocjkyo3am	TRANSACTION_PIN	ipztz5q6chqqdkjpywf2o5kpxe	1	1795987859188343	1795987859188343	\\x01019db2398647c015224d8d4058f1f5ad42a4e5fbd962edc98081384f34842032c1a2db055e03877d897d5165fb3dee32d3ab6d4f16a08cccbce1765227986c01aa2fd359b514cfc6763c2adecb1bfefa89ece1c97ef2151d8fd5bd63c5bbc6c954bdef68b6671c
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
default	6xtskgeteivfvjp6gxbbt6anea	5mf5zwfhwvk5lgh5i5lyddyfl4	phone	invalidated	2	RSA-OAEP-256	2048		1795987858416312	0	1795987858918994	0	\\x010ffad02d5d8fa622b88966ad424beb598d2ebf91bb36405ca786f2b09e16b793f2524fa4	\\x30820122300d06092a864886f70d01010105000382010f003082010a0282010100d5be9ae5cd5535991a2423e2625470970a14069da01ae30ae99ad9aebaa50567f4a793f43c6679449cde4a77da597425969f2b26e1ff80539091e60a742636694a1904131df556116f695dfbf53a19c7ea1d8a9110ab3a56b8097e933765956275d9e4b2132a75239e18e162eb7608ffbb512b2d0c94e9d5d65c5309b3de38de062af52e535e3cdda762687c9b76f8b6533c9f183fccd4ab8a1ff391434052dacb03c4716f4d925be5cfc31e3af6a7cd76c38f293c10a6992f387da1118060fac35f6d96a11a59e36f8807fb6f17888c812063ae8016ea9aa30a85decfe9189507b7eaf5ed1969c6118a964a4f2b3b41d7a07b23e9a7000dc5ac4e55b5b1bfbd0203010001	\\x	
default	6xtskgeteivfvjp6gxbbt6anea	eymt4e4wdtjtqlnpf25hqtrlp4	phone	active	1	RSA-OAEP-256	2048		1795987858918994	0	0	0	\\x010ffad02d778a3df55604d0b19662dc887b3b427e3d5394a2076d6c0aa58c5715fda9e4bd	\\x30820122300d06092a864886f70d01010105000382010f003082010a0282010100bfcccff29bed9ac20f6cc76b4b163c5264dee336d3e5a44af1600305164cd6dc48c3099b0cf362aa3eb1dc7f18dc9e095bcfa2adb6037dd69db7509f7e9994b447bdd70ebf9dccb97dec2da616711ffabec3211c21cb3a8e005d75b71db7832416f570c15d7bf220ba5bbe37e04a83043f57dc2808af75a206dedc18ba651e5eed66872b3cbda78fa0eea852d0026f5143220db73e1a068c875bb78462c8bc4f70582558a96ca37d8120fbc5098fe18e750c4fa158e306d4441a3041ac055eb148ea63a444b62dbd40ba83f1f741d010102634ec1b1512d791aff309697d9a95fcb5c01d1ec3114281e6bcff9c411b0e9d3905f3909f1d5961668cc7a1b54f370203010001	\\x01019db239860f56b666f55b3a051657d12506f70336de751901ef33b588ea4597de884c3140d4c17f502bed3f9defda55fa7356e2584cf9e596b480ea54d6f36d48223d4ef1eb01a5b140cc26d5dd216173ceb56baaf22418a7266007c922817b5e7cca2a40431c6c2789bc7f04e4bcac9847e3cb1553b808e0356ffca9c794f5876a444971bb31fe0f76db73a31f4eaebf243a35ad6a8f57af30c64ee0018e37279c74c7dc0669299627a5995e6d230e62fc9f63c867f35919ed004cda439a717a2b4444f8c9a954ddf82377469dc99c4b426e2c735c829403b19a28c23e79e50578aebdc139ce12793a9a5ab0b6755169ed36db1a422253bf9af2bdc56ba54ed2175f43dda79d0873635507ae1ed3cdd3be0279b64104f54b188c02909d22638c6398ab223a73ffd5438eedaa58	
default	t4sm46w6fpr6oh766ocjkyo3am	bawdutkvpelwhcedgvgi45q6yu	tablet	active	1	RSA-OAEP-256	2048		1795987859137613	0	0	0	\\x010ffad02d953654a9d1054869d24af51572042cce8538ccfc0e9a72ddbf25df6c20a11998	\\x30820122300d06092a864886f70d01010105000382010f003082010a0282010100c57a01eb043814cfcd801834d80985c8b8114148b1caf3e9c9add0ce50762f48d4126a96fe6905d00845c596603731a5bdd8978bcc87de13a838afe9ba5dde5aeef0698faa6fe58dfa73a15fa0c7ad50cdc953553dc1979c5cc291bf5a5c7b07df6498719a40ef6ca99490939a85ea54bd1007e98b3609c3f89e4cf6a93972740513ccc4bf68cbeead6bd9c7e9e618e51a71ae620bfdcab966bbd3120486a8a28b1d776e2bdc58bf68e30db698fa8d1735c582418c8a0fb33554aa822f721261c6a846c5a70b981010a745ea90e263048a567d26fd9cbce7037287ab9f70fa33e04f367301455c16d226a7fd4f9f51f36fab9d5347a096b3415f2d7e8fc3b5c50203010001	\\x01019db23986053256dc583aeab58e759cbf6681d2589ce95ba906e70ab84f969749e163a1fb0313d91e773750ae61603382551aa3c1bc8a3c5f7c568f26ccb8ee6f56f56ab0707ff9a67cf06767b44e0711fc7e800b2e4c17d0439aaf52705d4e5145cbd039f23ff2b05fa2fb9a4af5c6679642a7a8fec7851ae4ad2021d084e53dfde58d2a8a9b6ba35f7c980ac18588808ebaec849d5510d1b150f8f7a2ad96ac04974ace2a9e7fa4450a43f9238929d9d8e80b6e99b10b1f4de2bff7812ac8b0c5839ab06023c4a588a22df8567f70d8fb10a0c1b5173a7dd8b2379c9f5fde07e16d5547de8258ca68a9c86c334f298cc77f0481130a2e5c4ebf36017147c1d5d0919921a38f3c3c71c5a69186e303194612a5e98355bd1196551a42c4f67b56009468a13d20499afe9fe82eb5	
\.


--
-- Data for Name: key_account; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.key_account (tenant, key_id, account_id) FROM stdin;
default	5mf5zwfhwvk5lgh5i5lyddyfl4	6xtskgeteivfvjp6gxbbt6anea
default	eymt4e4wdtjtqlnpf25hqtrlp4	6xtskgeteivfvjp6gxbbt6anea
default	bawdutkvpelwhcedgvgi45q6yu	t4sm46w6fpr6oh766ocjkyo3am
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
default	6xtskgeteivfvjp6gxbbt6anea	5mf5zwfhwvk5lgh5i5lyddyfl4	1795986000000000
default	6xtskgeteivfvjp6gxbbt6anea	eymt4e4wdtjtqlnpf25hqtrlp4	1795986000000000
default	t4sm46w6fpr6oh766ocjkyo3am	bawdutkvpelwhcedgvgi45q6yu	1795986000000000
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
4097083626	f	\N	\N	\N	2026-11-29 21:30:57.70941+00
\.


--
-- Data for Name: schema_version; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.schema_version (id, version_id, is_applied, tstamp) FROM stdin;
1	0	t	2026-11-29 21:30:57.343015
2	1	t	2026-11-29 21:30:57.410997
3	2	t	2026-11-29 21:30:57.482359
4	3	t	2026-11-29 21:30:57.550155
5	4	t	2026-11-29 21:30:57.550643
6	5	t	2026-11-29 21:30:57.589369
7	6	t	2026-11-29 21:30:57.590577
8	7	t	2026-11-29 21:30:57.602445
9	8	t	2026-11-29 21:30:57.614993
10	9	t	2026-11-29 21:30:57.630344
11	10	t	2026-11-29 21:30:57.647019
12	11	t	2026-11-29 21:30:57.667713
13	12	t	2026-11-29 21:30:57.680855
14	13	t	2026-11-29 21:30:57.681642
15	14	t	2026-11-29 21:30:57.703552
\.


--
-- Data for Name: setting; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.setting (tenant, name, value) FROM stdin;
default	epoch	\\x31
default	keyset	\\x7b226b6579736574223a7b2267656e65726174696f6e223a312c22646174614b657973223a5b7b226964223a323634353730333034362c226d6163223a3236383039353533332c227072696d617279223a747275657d5d2c227772617073223a5b7b22726f6f744b6579223a2265656365653230353332363336393032222c2275726c223a2266696c653a2f746d702f546573744461746162617365734f664561726c69657256657273696f6e734f70656e323533313934343533352f3030322f646174612f726f6f742e6b6579222c2261646465644174223a22323032362d31312d32395432313a33303a35372e3734333236335a222c226b6579223a22664b4a30392f6c4e68594d6a4c73484c62326c524d31413631777550582f3855597639554230653551647a4d6f6c55514743383639517337704c6c317a5343464a727350325a6f4461476735353476514f5976392f6a306b6a3171303961784c222c226b6579736574223a226c4d6251726c6b74656d376b42694f516138556878644837686445473562364c6e3968332f7a74712f4955334e3538344646714f7531726258446b4a424e35796a6d44716d476f6c5233546a53306d2b5a71766a2f494231325832664b64646b5745686b504264793656524566774c74576149717053486c535942664b556736694f50475a32346d545a546e5171684739566f346858542b5942424d31766c6272314d3073546b6f686f6d323167466258787835494f49316f6d4a6a4c4c4e4e7a4f6e6d7a51766a366535697436374a33366348467068335236646164787a566b774e4e66304a456450384b476c61504c4273664c4256317a42336d6931416f61714579754844436d6d347737516b305672526652462b35635a5376756756366d325746473667697a5241696c6653353057716c6e436c6a626c7a616d4a55467a775a486b364d70564b513256665265696d6c6c39324d652b3455555867367179552f4c54513d3d227d5d7d2c226d6163223a2241512f3630433357594b544d34476456494f30617157616f67374862713348327130364e4f76565764377a765531475871673d3d227d
default	account_mode	\\x646576696365
default	audit_chain	\\x746b6d67376b37787175716b7471377179623477647232326a61
default	witness/12cdce17c644a740b395cba5a29abf16	\\x00066171024a634b
default	metrics.folded/em3xbxc2hwcjtqodd6bustnttm/2	\\x0000000000000001
default	metrics.folded/em3xbxc2hwcjtqodd6bustnttm/3	\\x0000000000000001
default	metrics.folded/em3xbxc2hwcjtqodd6bustnttm/4	\\x0000000000000001
default	metrics.folded/em3xbxc2hwcjtqodd6bustnttm/5	\\x0000000000000001
default	metrics.folded/em3xbxc2hwcjtqodd6bustnttm/6	\\x0000000000000001
default	metrics.folded/em3xbxc2hwcjtqodd6bustnttm/7	\\x0000000000000001
default	metrics.folded/em3xbxc2hwcjtqodd6bustnttm/8	\\x0000000000000001
default	metrics.folded/em3xbxc2hwcjtqodd6bustnttm/9	\\x0000000000000001
default	metrics.folded/em3xbxc2hwcjtqodd6bustnttm/10	\\x0000000000000001
default	metrics.folded/em3xbxc2hwcjtqodd6bustnttm/11	\\x0000000000000001
default	audit_tied	\\x00066171025595d2010ffad02d743a90295f82cecce37bccdf6885e05043190ba08cfd8e4e6f7534196f3dfc3b
default	metrics.folded/em3xbxc2hwcjtqodd6bustnttm/1	\\x0000000000000002
default	metrics.folded/em3xbxc2hwcjtqodd6bustnttm/0	\\x000000000000001b
default	beat/em3xbxc2hwcjtqodd6bustnttm	\\x25010ffad02d471d6df989f6d5b13aa52547f1e84aeaf89ce278479bf49eb031d460bf36b2247b22696e7374616e6365223a22656d3378627863326877636a74716f646436627573746e74746d222c226e756d626572223a322c226174223a313739353938373835393530303034382c22636f6e646974696f6e223a22656e646564222c226865616473223a7b2230223a32372c2231223a322c223130223a312c223131223a312c2232223a312c2233223a312c2234223a312c2235223a312c2236223a312c2237223a312c2238223a312c2239223a317d2c2272656164223a6e756c6c7d
\.


--
-- Data for Name: signing_key; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.signing_key (tenant, number, id, algorithm, version, created_at, active_from, erased_at, mac, public_key, sealed) FROM stdin;
default	1	bVnBN6IbQ2bD9m4JronVfZNf73zKnwXxJTIpAiCRXkQ	ES256	1	1795987857966827	1795987857966827	0	\\x010ffad02d93c42eec334ba5431a7984595da5e723e66d8b8fad774f40cb8b574d4e65f446	\\x3059301306072a8648ce3d020106082a8648ce3d030107034200042119c3068db831fbf370cf79f95240a8827b91c06edb103a0050fa4b7395ffa079d4d5a4d8dfa66eb6025935e34220ddc04bd7c82aae05e5deeca965c6d3f1d5	\\x01019db23986865eba1f58d4523cd26f72699c69040f0bafee89a695005dd70a96fa5b8a54f06d538d2818abe8d5360f11dd9e526aa520db836d63c52969d8ab3a82d367ccea2fdc014fe57910d43f16f6a8aee61adb171fa26a468e22ce5aa12a68bdb8270d0b667d9ca92f318aa69c890fe26ff2c71cfe5404043b7ed67db67a9475925d7ee6ab4b17bd791ac421c7631ef9f28e866bf5780394f1bd50f968effa7bec88ec54046afe0908c8e17e68ffb4e60d32804dac
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

\unrestrict aiG9MBXb0wN2BZWgE3Emegjapue4kca6j2feqqDQkfAsKRyqNphm1HyBF2qIJyY

