--
-- PostgreSQL database dump
--

\restrict Wqgb3QzXF5ZuMgGkCcKI0WK83B5nqPgysdo5t4LU7enwXrWpgetkcMqxmE2xH0p

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
default	2vesfk2nnq2lurbq4lux4r4bxa	device		phone	1795789121789550
default	mzx6hxcdubttcohh4h5vy3u3ge	device		tablet	1795789122426358
\.


--
-- Data for Name: attempts; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.attempts (tenant, account_id, type, id, version, failures, locked_until, permanent, recent, pending, mac, verified_at, verified_by, devices, locked_to) FROM stdin;
default	2vesfk2nnq2lurbq4lux4r4bxa	TRANSACTION_PIN	iddwammre3wsde45abcltyj7re	2	0	0	f	[]	[]	\\x0193d92c44c6973266ea744cbe00e3f1b2e99a552f079498cfb31043b95572a8ccc3c5c253	1795789122220848		[]	0
default	mzx6hxcdubttcohh4h5vy3u3ge	TRANSACTION_PIN	ikqnbouj32fsfgew2et76c5mmm	8	4	0	f	[1795789122460754,1795789122479139,1795789122493596,1795789122508977]	[]	\\x0193d92c441d498b94760577f2b4fe9ce21b67bc0128e82c5ea6435bb9f58c3354bcefce4e	0		[]	0
\.


--
-- Data for Name: audit_chain; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.audit_chain (tenant, name, number, form) FROM stdin;
default	d6hxg3wzw2k2iq6vcwnfcdzpiq	337641472	2
default	pu5w6kjpap45hr3kutfmxcuzra/0	337641473	2
default	pu5w6kjpap45hr3kutfmxcuzra/1	337641474	2
default	pu5w6kjpap45hr3kutfmxcuzra/2	337641475	2
default	pu5w6kjpap45hr3kutfmxcuzra/3	337641476	2
default	pu5w6kjpap45hr3kutfmxcuzra/4	337641477	2
default	pu5w6kjpap45hr3kutfmxcuzra/5	337641478	2
default	pu5w6kjpap45hr3kutfmxcuzra/6	337641479	2
default	pu5w6kjpap45hr3kutfmxcuzra/7	337641480	2
default	pu5w6kjpap45hr3kutfmxcuzra/8	337641481	2
default	pu5w6kjpap45hr3kutfmxcuzra/9	337641482	2
default	pu5w6kjpap45hr3kutfmxcuzra/10	337641483	2
default	pu5w6kjpap45hr3kutfmxcuzra/11	337641484	2
\.


--
-- Data for Name: audit_log; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.audit_log (tenant, chain, seq, "time", request_id, actor, event, outcome, operation, failed, count, duration, key_id, account, device, record, version, before, digest, reason, prev, hash) FROM stdin;
default	d6hxg3wzw2k2iq6vcwnfcdzpiq	1	1795789121598376		system	store.initialised	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x0193d92c4443c918f4e99de3167b8d0554eb921a190cc26e3f09ad6d1cffa112371cca5ab5
default	pu5w6kjpap45hr3kutfmxcuzra/0	1	1795789121616385		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x0193d92c445cfe0da0143480220133c4a81d904bedd3eb13eee84322c93ba9fde409b5800f
default	pu5w6kjpap45hr3kutfmxcuzra/1	1	1795789121616385		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x0193d92c44ba91b826b43eebfc4cb5885c0f809fffc285436f39249bc31c452489f409a06a
default	pu5w6kjpap45hr3kutfmxcuzra/2	1	1795789121616385		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x0193d92c4420b05d44fb6bc6590dccee7769e41db0b6e9208d5a542f22986864f163f893ce
default	pu5w6kjpap45hr3kutfmxcuzra/3	1	1795789121616385		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x0193d92c440b9011fc6f3f010cddf2aa9983ca70b97c312da4dd89a213bcc6bd505fb1e701
default	pu5w6kjpap45hr3kutfmxcuzra/4	1	1795789121616385		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x0193d92c44fa11c1c1e55723694508236efb7d549dce99dfddbe0caf7078dbec1c36de1542
default	pu5w6kjpap45hr3kutfmxcuzra/5	1	1795789121616385		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x0193d92c44a79e4758b092cd92e8701ce2aa9eb95f25156e3e82f22f1122315671138cf4ec
default	pu5w6kjpap45hr3kutfmxcuzra/6	1	1795789121616385		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x0193d92c440638e20987814d504638b0685d949076e2d737460e4367fe2d06b1adefa5e286
default	pu5w6kjpap45hr3kutfmxcuzra/7	1	1795789121616385		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x0193d92c440cdb4aea1d9f48a37069a6e423eea570a4532d6b86be3b459a7a2e2e7c7200b4
default	pu5w6kjpap45hr3kutfmxcuzra/8	1	1795789121616385		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x0193d92c44e3df591fefa231abfd406de4266b2d195c6d7923056fe9b70fa25d82d2336905
default	pu5w6kjpap45hr3kutfmxcuzra/9	1	1795789121616385		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x0193d92c4445fb9017ef8a84eae762d86888cf98aa021c5a230b1b8a932bb51ebc01a7591b
default	pu5w6kjpap45hr3kutfmxcuzra/10	1	1795789121616385		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x0193d92c44f0f36125fd18049a634ad5948df299f3e8cb303bbecf90064fd39c9ee5cf8b32
default	pu5w6kjpap45hr3kutfmxcuzra/11	1	1795789121616385		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x0193d92c446fad5e2de5eaff1b28baa69ecc6a0baf5ec76431cb42b103b5c3f6e752a404cc
default	pu5w6kjpap45hr3kutfmxcuzra/0	2	1795789121623636		system	witness.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x	vm:/tmp/TestDatabasesOfEarlierVersionsOpen2577290453/002/data.witness	\\x0193d92c445cfe0da0143480220133c4a81d904bedd3eb13eee84322c93ba9fde409b5800f	\\x0193d92c446e762d44d01c6167b2f318baa2a64a0381ebec69810db9314751d5eccfb52b54
default	pu5w6kjpap45hr3kutfmxcuzra/0	3	1795789121628405		system	signing_key.created	ok		f	1	0		\\x	\\x	signing-key/1	0	\\x	\\x	kid fsdwf5tUWC5VHY7TXSb1FGTMktlWS3caC1WpYUus9-s	\\x0193d92c446e762d44d01c6167b2f318baa2a64a0381ebec69810db9314751d5eccfb52b54	\\x0193d92c4441c47fedf9fcd84643c93e4e396450ec3e18a446bebf9bffbd470c4de6acce73
default	pu5w6kjpap45hr3kutfmxcuzra/0	4	1795789121789550	agrb2x3iphe4pubi2jal6scohq	caller	key.issued	ok	generateClientEncryptionKey	f	1	132876	t5jfdhpovvl6m6h3ieykskmnje	\\xa79768367ad50eb940d4a3df503c02c2	\\xe461c568f4800051254732e5fa7c94cc	key/t5jfdhpovvl6m6h3ieykskmnje	1	\\x	\\x77f2f30887aac53f254de988435b930bdd5c242f65b6364286b8c8e33742b1ac		\\x0193d92c4441c47fedf9fcd84643c93e4e396450ec3e18a446bebf9bffbd470c4de6acce73	\\x0193d92c44e0bb94223b4b4e37a960ccbec3a7f153971ecff04537640bbf8868317afb0f76
default	pu5w6kjpap45hr3kutfmxcuzra/0	5	1795789121873147	agrb2x3jakq6hpim2wjp4lj3y4	caller	credential.set	ok	setUserPasscode	f	1	79798	t5jfdhpovvl6m6h3ieykskmnje	\\xa79768367ad50eb940d4a3df503c02c2	\\xe461c568f4800051254732e5fa7c94cc	credential/ig6j7ncic53fibnvkxrxpjs72y	1	\\x	\\x7734e9ffbfa40dde093b9343db8a5b40687f5b5164e55cbf075ef906ac6ffdbc		\\x0193d92c44e0bb94223b4b4e37a960ccbec3a7f153971ecff04537640bbf8868317afb0f76	\\x0193d92c4428796e09f0ce3d0250fe7299922a2d741ad80aad0ee75399aeaa0d5e975b2f7c
default	pu5w6kjpap45hr3kutfmxcuzra/0	6	1795789121889931	agrb2x3jkszqfjepgjs2pru2bq	caller	credential.set	ok	setTransactionPin	f	1	13499	t5jfdhpovvl6m6h3ieykskmnje	\\xa79768367ad50eb940d4a3df503c02c2	\\xe461c568f4800051254732e5fa7c94cc	credential/bsbhnwg5ymrf2of3byk7ff44du	1	\\x	\\x4c9bc3d519e06e80567c1168843dc7b1a1e8730f9965a08d875dd9cf681e25ac		\\x0193d92c4428796e09f0ce3d0250fe7299922a2d741ad80aad0ee75399aeaa0d5e975b2f7c	\\x0193d92c446d6ccde3c3593b63575912f1e8972812cca802aed48c3c1701d0a577ab853f4f
default	pu5w6kjpap45hr3kutfmxcuzra/0	7	1795789122164940		system	operations.counted	CREDENTIAL_REJECTED		f	1	4990		\\x	\\x		0	\\x	\\x	setTransactionPin	\\x0193d92c446d6ccde3c3593b63575912f1e8972812cca802aed48c3c1701d0a577ab853f4f	\\x0193d92c44d9d1a4b926b69978e8d84593769df5a385d70d1ae5d60bcdd9645fe85c870fbe
default	pu5w6kjpap45hr3kutfmxcuzra/0	8	1795789122191159		system	chain.tied	ok		f	1	0		\\x	\\x	chain/d6hxg3wzw2k2iq6vcwnfcdzpiq	1	\\x	\\x0193d92c4443c918f4e99de3167b8d0554eb921a190cc26e3f09ad6d1cffa112371cca5ab5		\\x0193d92c44d9d1a4b926b69978e8d84593769df5a385d70d1ae5d60bcdd9645fe85c870fbe	\\x0193d92c44f9522aa40340bbb0a6a985a1a0ecd430acbdaab0d1abbdca255c0ed16cfcb9d2
default	pu5w6kjpap45hr3kutfmxcuzra/0	9	1795789122191159		system	chain.tied	ok		f	1	0		\\x	\\x	chain/pu5w6kjpap45hr3kutfmxcuzra/1	1	\\x	\\x0193d92c44ba91b826b43eebfc4cb5885c0f809fffc285436f39249bc31c452489f409a06a		\\x0193d92c44f9522aa40340bbb0a6a985a1a0ecd430acbdaab0d1abbdca255c0ed16cfcb9d2	\\x0193d92c44b386abeeb051afa790f1d8cda01d089af81956698363dbd1bbb49ee94c754625
default	pu5w6kjpap45hr3kutfmxcuzra/0	10	1795789122191159		system	chain.tied	ok		f	1	0		\\x	\\x	chain/pu5w6kjpap45hr3kutfmxcuzra/10	1	\\x	\\x0193d92c44f0f36125fd18049a634ad5948df299f3e8cb303bbecf90064fd39c9ee5cf8b32		\\x0193d92c44b386abeeb051afa790f1d8cda01d089af81956698363dbd1bbb49ee94c754625	\\x0193d92c442d277fa8b63f57124b3e0035ae7a0a57ac9fa7bed771fa556e67a43967923aee
default	pu5w6kjpap45hr3kutfmxcuzra/0	11	1795789122191159		system	chain.tied	ok		f	1	0		\\x	\\x	chain/pu5w6kjpap45hr3kutfmxcuzra/11	1	\\x	\\x0193d92c446fad5e2de5eaff1b28baa69ecc6a0baf5ec76431cb42b103b5c3f6e752a404cc		\\x0193d92c442d277fa8b63f57124b3e0035ae7a0a57ac9fa7bed771fa556e67a43967923aee	\\x0193d92c442a70bafa2a91b913473500b478507e4f86a7147b9d6948294ce8060b6e788eb7
default	pu5w6kjpap45hr3kutfmxcuzra/0	12	1795789122191159		system	chain.tied	ok		f	1	0		\\x	\\x	chain/pu5w6kjpap45hr3kutfmxcuzra/2	1	\\x	\\x0193d92c4420b05d44fb6bc6590dccee7769e41db0b6e9208d5a542f22986864f163f893ce		\\x0193d92c442a70bafa2a91b913473500b478507e4f86a7147b9d6948294ce8060b6e788eb7	\\x0193d92c4404a3e58ae665d42f02c48430b711589e307f0ea9468574307c9ba2571a46bb9a
default	pu5w6kjpap45hr3kutfmxcuzra/0	13	1795789122191159		system	chain.tied	ok		f	1	0		\\x	\\x	chain/pu5w6kjpap45hr3kutfmxcuzra/3	1	\\x	\\x0193d92c440b9011fc6f3f010cddf2aa9983ca70b97c312da4dd89a213bcc6bd505fb1e701		\\x0193d92c4404a3e58ae665d42f02c48430b711589e307f0ea9468574307c9ba2571a46bb9a	\\x0193d92c44f79327f5454755f7fc24933297e1c993be9150f3b46b277d9c64f3a1d4fdd91a
default	pu5w6kjpap45hr3kutfmxcuzra/0	14	1795789122191159		system	chain.tied	ok		f	1	0		\\x	\\x	chain/pu5w6kjpap45hr3kutfmxcuzra/4	1	\\x	\\x0193d92c44fa11c1c1e55723694508236efb7d549dce99dfddbe0caf7078dbec1c36de1542		\\x0193d92c44f79327f5454755f7fc24933297e1c993be9150f3b46b277d9c64f3a1d4fdd91a	\\x0193d92c445d2d3f691096f465aea5c18becd20bca798b44c0576339ff431835033ba93297
default	pu5w6kjpap45hr3kutfmxcuzra/0	15	1795789122191159		system	chain.tied	ok		f	1	0		\\x	\\x	chain/pu5w6kjpap45hr3kutfmxcuzra/5	1	\\x	\\x0193d92c44a79e4758b092cd92e8701ce2aa9eb95f25156e3e82f22f1122315671138cf4ec		\\x0193d92c445d2d3f691096f465aea5c18becd20bca798b44c0576339ff431835033ba93297	\\x0193d92c444b9559279ac53ffe4770dfdc8a62fa574ea478376d583057e3a45df05d09ab39
default	pu5w6kjpap45hr3kutfmxcuzra/0	16	1795789122191159		system	chain.tied	ok		f	1	0		\\x	\\x	chain/pu5w6kjpap45hr3kutfmxcuzra/6	1	\\x	\\x0193d92c440638e20987814d504638b0685d949076e2d737460e4367fe2d06b1adefa5e286		\\x0193d92c444b9559279ac53ffe4770dfdc8a62fa574ea478376d583057e3a45df05d09ab39	\\x0193d92c4462b9ecc0b456dd7ab069dcf1bf436f3d57cfdda7d32ccea42a4a391ad8630c96
default	pu5w6kjpap45hr3kutfmxcuzra/0	17	1795789122191159		system	chain.tied	ok		f	1	0		\\x	\\x	chain/pu5w6kjpap45hr3kutfmxcuzra/7	1	\\x	\\x0193d92c440cdb4aea1d9f48a37069a6e423eea570a4532d6b86be3b459a7a2e2e7c7200b4		\\x0193d92c4462b9ecc0b456dd7ab069dcf1bf436f3d57cfdda7d32ccea42a4a391ad8630c96	\\x0193d92c444371d2a64f07c282a956219af2a760b64cf95385db6b34cd81f3c2787793aaa7
default	pu5w6kjpap45hr3kutfmxcuzra/0	18	1795789122191159		system	chain.tied	ok		f	1	0		\\x	\\x	chain/pu5w6kjpap45hr3kutfmxcuzra/8	1	\\x	\\x0193d92c44e3df591fefa231abfd406de4266b2d195c6d7923056fe9b70fa25d82d2336905		\\x0193d92c444371d2a64f07c282a956219af2a760b64cf95385db6b34cd81f3c2787793aaa7	\\x0193d92c4479b20836b3c53038e2514c418936ba9f171e928de036313de7dbb564e8018fc4
default	pu5w6kjpap45hr3kutfmxcuzra/0	19	1795789122191159		system	chain.tied	ok		f	1	0		\\x	\\x	chain/pu5w6kjpap45hr3kutfmxcuzra/9	1	\\x	\\x0193d92c4445fb9017ef8a84eae762d86888cf98aa021c5a230b1b8a932bb51ebc01a7591b		\\x0193d92c4479b20836b3c53038e2514c418936ba9f171e928de036313de7dbb564e8018fc4	\\x0193d92c4479dc10183d0403c98db53c7f15d1d148cb75ba4d9ac38ac6417205f9f3ecfffd
default	pu5w6kjpap45hr3kutfmxcuzra/0	20	1795789122206007	agrb2x3jnlbmbd2hwhrxupaae4	caller	key.rotated	ok		f	1	0	t5jfdhpovvl6m6h3ieykskmnje	\\xa79768367ad50eb940d4a3df503c02c2	\\xe461c568f4800051254732e5fa7c94cc	key/t5jfdhpovvl6m6h3ieykskmnje	2	\\x77f2f30887aac53f254de988435b930bdd5c242f65b6364286b8c8e33742b1ac	\\xd444309ef813687daa22ecf0f36119ee5a97ab253101b0a2a02bf437233f0089		\\x0193d92c4479dc10183d0403c98db53c7f15d1d148cb75ba4d9ac38ac6417205f9f3ecfffd	\\x0193d92c4436867d010ffe6734916e2754adb1c54e5f14e455d8bd818cf14f5b8006ed7efd
default	pu5w6kjpap45hr3kutfmxcuzra/0	21	1795789122206007	agrb2x3jnlbmbd2hwhrxupaae4	caller	key.issued	ok	rotateClientEncryptionKey	f	1	307774	4vqs6baehpsvzoaa6vppiuieti	\\xa79768367ad50eb940d4a3df503c02c2	\\xe461c568f4800051254732e5fa7c94cc	key/4vqs6baehpsvzoaa6vppiuieti	1	\\x	\\xd0d51beb59a47ce0091b7190d06f6728837aace95c71fc4ba26113c0d6e647cd		\\x0193d92c4436867d010ffe6734916e2754adb1c54e5f14e455d8bd818cf14f5b8006ed7efd	\\x0193d92c44ff010891967de0c738984f4b1909c55811dee695e87004d447e36647af6c80fc
default	pu5w6kjpap45hr3kutfmxcuzra/0	23	1795789122426358	agrb2x3kv4um36zpfnglbrmcii	caller	key.issued	ok	generateClientEncryptionKey	f	1	203680	3exigjgbg3pmc7rbmiythypfzi	\\x5b28290f097f472daf0b07e76a36e93d	\\x36bdff797019087b0c96321e7dab7a3d	key/3exigjgbg3pmc7rbmiythypfzi	1	\\x	\\xcfdde5ab4d306fe3c964f365cdafc369fa887567a0ccaef43cb212e173182472		\\x0193d92c44fbce57d54a4bac9cf4483c25ff04bc70	\\x0193d92c44806c9d83e995ec7f71cf9716e10ad6c6dcabdacb892266249929269113ca5641
default	pu5w6kjpap45hr3kutfmxcuzra/0	24	1795789122444349	agrb2x3lpxsqmgdqkqzjclheg4	caller	credential.set	ok	setTransactionPin	f	1	15453	3exigjgbg3pmc7rbmiythypfzi	\\x5b28290f097f472daf0b07e76a36e93d	\\x36bdff797019087b0c96321e7dab7a3d	credential/e5kx4vqru33ng46yw3gilq3kha	1	\\x	\\xe78baeee518fb9149b27a73b87b0ffb4432df91ca9ded0651c91915bd6054391		\\x0193d92c44806c9d83e995ec7f71cf9716e10ad6c6dcabdacb892266249929269113ca5641	\\x0193d92c448bb5b0223c66a528344d0c3f1dd7cb05b537253cda3b6a37f87143522062024e
\.


--
-- Data for Name: audit_verdict_2026_11; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.audit_verdict_2026_11 (chain, seq, second, micros, account, data, hash) FROM stdin;
337641473	22	849104322	220848	-1483249610	\\x01a21d5f6aa0b04e24d9ad7b92088535e5612f04043be55cb800f55ef451049a7ad50eb940d4a3df503c02c2e461c568f4800051254732e5fa7c94cc40c760319126ed21939d0044b9e13f890202d05e00000858d2e90e5b993ebe8d74b09e71bf555b	\\x0193d92c44fbce57d54a4bac9cf4483c25ff04bc70
337641473	25	849104322	460754	1529358607	\\x01a21d5f6b8ec2c55ca61ed789eced87d92e8324c136dec17e21623133e1e5ca097f472daf0b07e76a36e93d36bdff797019087b0c96321e7dab7a3d42a0d0ba89de8b229896d127ff0bac631202896e0000088d55fb0d0300652362e0d0440361e805	\\x0193d92c4410d8dfaa836d4e7d77dbe89caf181bbd
337641473	26	849104322	479139	1529358607	\\x01a21d5f6b9fcd4e48f259ae848c1fe7d92e8324c136dec17e21623133e1e5ca097f472daf0b07e76a36e93d36bdff797019087b0c96321e7dab7a3d42a0d0ba89de8b229896d127ff0bac631204bb7b00000862e0d0440361e8053f1965592b4540dc	\\x0193d92c44cf8f199eb80f4745551346170c6bbb91
337641473	27	849104322	493596	1529358607	\\x01a21d5f6bb1accc5095401c46a8230fd92e8324c136dec17e21623133e1e5ca097f472daf0b07e76a36e93d36bdff797019087b0c96321e7dab7a3d42a0d0ba89de8b229896d127ff0bac631206ab5e0000083f1965592b4540dceb0c44b0a6a8714e	\\x0193d92c44c98385377f9bceb8961c26ca589bbf6e
337641473	28	849104322	508977	1529358607	\\x01a21d5f6bc0a3ddd3fbc7eb3aece622d92e8324c136dec17e21623133e1e5ca097f472daf0b07e76a36e93d36bdff797019087b0c96321e7dab7a3d42a0d0ba89de8b229896d127ff0bac631208f466000008eb0c44b0a6a8714e550ac70300bcc190	\\x0193d92c444801c78baffcbefa3025b68870ae7f7f
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
default	86400000000	1795737600000000	pu5w6kjpap45hr3kutfmxcuzra	12	1	825321	\\x0136bdff797019087be461c568f4800051	\\x01630109020002000100021201050104010301
default	2419200000000	1795046400000000	pu5w6kjpap45hr3kutfmxcuzra	12	1	825321	\\x0136bdff797019087be461c568f4800051	\\x01630109020002000100021201050104010301
default	60000000	1795789080000000	pu5w6kjpap45hr3kutfmxcuzra	12	1	825321	\\x0136bdff797019087be461c568f4800051	\\x01630109020002000100021201050104010301
default	3600000000	1795788000000000	pu5w6kjpap45hr3kutfmxcuzra	12	1	825321	\\x0136bdff797019087be461c568f4800051	\\x01630109020002000100021201050104010301
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
default	2vesfk2nnq2lurbq4lux4r4bxa	PASSCODE	ig6j7ncic53fibnvkxrxpjs72y	1	1795789121873147	1795789121873147	\\x01017c6b4d5cbf8a1afa3b2edb71eb1a57188b6708fa134575fc846c2857c02ff7659fa2c5f15d703899ab54cf9be97f59d434e35c5c6a55e2c22cc4683bd1f6de97493817cf841fdc56ab37d05fa213d08d5837161a4c5a72d5077c4662259372b798085acf986d
default	2vesfk2nnq2lurbq4lux4r4bxa	TRANSACTION_PIN	bsbhnwg5ymrf2of3byk7ff44du	1	1795789121889931	1795789121889931	\\x01017c6b4d5ca8d120069f46241d9270affc72acd1da5ea781ed4d3bc044d42bd0172a50d7a72015eb0212a81acad3617beb1f9592011ac6371f8793c27b4b84eb24c0403796786edfa7d35364ec09828b6b05df7ab98f0d91f2f15455eb2fe9aaa7066accbe3758
default	mzx6hxcdubttcohh4h5vy3u3ge	TRANSACTION_PIN	e5kx4vqru33ng46yw3gilq3kha	1	1795789122444349	1795789122444349	\\x01017c6b4d5cd706f9321531ebf6c473a58c02896dbaab6228a08681fe9ab3a1be52f597ef8ba5d95e9e3c846c2575004067dc865b4fcf751f18dea49b0fa1818fbf0b9f2ad1e46b261f0d67fd87160e3ccc609df755e3c320b1cfd8a76933e49e07c179bf45ada6
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
default	2vesfk2nnq2lurbq4lux4r4bxa	t5jfdhpovvl6m6h3ieykskmnje	phone	invalidated	2	RSA-OAEP-256	3072		1795789121789550	0	1795789122206007	0	\\x0193d92c44b57138531529925b7655374286df56c9dbbfc4387e13245ce09e1a4ac9ab02a1	\\x308201a2300d06092a864886f70d01010105000382018f003082018a0282018100c7ac6f86b83f64d07c6b712df41a0753323d3f70f76189f943b58a663c2dabccc7c26b35398364fd089865bc126c883d6eb29fb8b34f768cba252ab325b6749a673e090acee2564bfb156daa79884890f2a91adc91dd949368c98307c6ad08a392bcf2debf915bd2c60ebe7672cd5e92ec57f07912c02ccd2d0f14f04ea8ef0fe55e28ba891680dc650fcfee8d03b33937f0217e853d43e983f2c0177fed6194ec86738a046ff6c17ec7c251bee1cad5e10e60f9fb24b1e45c6c7f849c50bee1b3f377dcbf7fbf2e9b7b353f57d2247eafab800fdd029ba940e6ff973bc77ae2ec1a235a0e674f07cc0b704516012b7db7e61d0aa22dccaf2f2b5033f496011380370fd5e8e348b637c19d7529308d8e0e861405c65fc573b719eeccfb1420e34ab1d24040375b95e458d828597f3c88649e04c9adc92d32fdd3d4a4b3cceb62819643a37d7d311c8317b6fdbeadf3e1da18092009f4f385c4388809161a33cd1ab88ad82b1053b1e3f59260ac6323269ebdfcd9db4e6d2d6e3ed5a0be12e81b0203010001	\\x	
default	2vesfk2nnq2lurbq4lux4r4bxa	4vqs6baehpsvzoaa6vppiuieti	phone	active	1	RSA-OAEP-256	3072		1795789122206007	0	0	0	\\x0193d92c44d9bc86c53c1ef70eb68dab84b908263e38134ae8135ceb22ad4148ad4184fb56	\\x308201a2300d06092a864886f70d01010105000382018f003082018a0282018100c7e00f047494de7c3a16840717e06669400fbc0d4db117aae5ee9aa1533594d296b26fdf41806c5fb7229200a04efba92b2c7c4580ad833427b04665b8549d8e11c4d9556f38b385c360cc943024d638bb8071712162c765c85eced9633abb3b963d3ce5aea1e5c06f8e4ed8f0ed36e0b1ef4e0776569ad252bea2473eddf80c64442d7be5d36b3c8f8ab0091005247e737271f0527087e785e71588fece3cde32943ca8402e6ba4c067a98f19bbc1382276402d278af8706eb2feec17a2f586b830ce76aca309bc149a5645d81d8fe4a448eb3d547ea35e3b327d61ad7b5112fb21e2a5766e836e5643f02ada395f09d2294d2b6541da625ded19650c9bf50c06c5ee048b33fb14e4682aec32db5e0ea35cb6feafc488ec9a3e63438c199ec163092caad07425ae29a14ca7884ea2b157b12d86db4fcf1709ff1e44ec86e55c730f1093dc4eb37887b8eb8f108a6e40ae419a05016b0a460e6b2be8d23d3b787fab7b89de2e221511d8391642eafe58af952de3a29720b4c68f3a1f547eed410203010001	\\x01017c6b4d5c052377794dc5735d4a9b35500cc9ae0fe71e9009a480a6ac150fd3a1ba87b9a3b86a84dadaacd32ad490dfa710de0e89a653d5ae9d5edc75c4921dadb0e008ab09199c266f39544d6df27f7aee5555b9778e86365294370056aed1512cd729727c766a9998c90d30f406fe939ad181d474e6b25472ef70c9648d1b85ad9024187cd716d53ae7da1de0dadd27025ca2b69b146eaab31c0217d818ddfa4264107e1953f1420ba70b843b19eac588ea322ab9a25b6b6fb869c1e1c8b90c32ba5719f05b5921342a5613c9929310e2606b0d17997dbefa1ceadae9b9b4ee41f3c23281069aa21edfd3d35e6b8c76f0d4acd863acba2280151685ef7bd45f01dad2786f4e008c844add3523c1cf72c6fef9187366b1692385229c9f2e7c108b49428a2bdf01c87ec4bfa80407e63b0cd165414d1e2decdb4ad7596bcf26455d53653fd0be49f9e7f6129f4c20256038fd3e7ee4602dbe3973bb3ca8ead8dfda33b3c3e140ae578e0840e42122700f82d278b21bc506539fa074f447558174bc83f00126ada22422d09386ac19866e17e785291139657e0a3fdc68579883bdc1a7004d877e7f541ae747e431	
default	mzx6hxcdubttcohh4h5vy3u3ge	3exigjgbg3pmc7rbmiythypfzi	tablet	active	1	RSA-OAEP-256	3072		1795789122426358	0	0	0	\\x0193d92c4481fc78fabbf83a3b7c21d40c069685ad18cf29e5457602b20ed15d44bfbd2c4d	\\x308201a2300d06092a864886f70d01010105000382018f003082018a0282018100a03fbd4ab61fdc899515a71a027bc664adba9033ea8a28213f0099131ac6e0b79f1d8c334a7a2aece4413cf5afcae9bf50381f2a8a05f6781cb27290fd36e5e7afd1e6e50e7ecefeb930d1f63fdafb4504caeb1e932f5749e5791c5765c8988d33e340e98b3d1ce6dbcd08a2e61213244e8a72bfc01a550b5fc85c35992eb7008348d88d3354fddeb031c2bcba7a56d336a6c59ec2f4e2eac9ce9a1b415fdc65a0e7b98feeb2b12dbdea3051c7e6560d2194090b9604c3752beb1165f547e79df0412a5650fe4991f12e873f96835630f48646c205d23f3b7bdcb64692c5e0bbecfd589240ceab3305724ac253d2834b5934d2b065ed9131d68f9965e6be0c83c7509799cb8b5480b06ff817fe50a15aeae238fe377a2b0b7501b9ad202d8bf085554f9e16c9181c818074d883d491e92ed380cebbb70879fb586bcd37f0a67fdc62c1f7a92d01491f7c304a18802465d0b71128f4b96d10e78daafaa364294cdf30f60d9c869edc5e81416318ab28119fca3237f17ea6ad7d96d5d0ac651a9f0203010001	\\x01017c6b4d5c5428abc389b8d125c8a184d21daacab62bd6b44bf3fcd89c111ccc36f76d8319e5455b947930bb734ccaf42abb28a6be0fdc4ede565d29f7d20903a303cd942a42033e83b9441aaf68d3c6962a5734c7f324382de0b4b9a38b661a721c4039e567688a9a1a66e0cb8210e4f5b524cc816d55c3e6a948f7bc96764b31f4687cbe441036213eaf432ecb72a195a4f0abd4bae839494800192506a2325827d791df08a7a5215adcd09dd883cba2ba56949e8242ccc33a28ed625ac9b26862b8d4834ac6b29b61cf3075010b37e08fd7874daf3b05c21f074ec666e0e7f289a1426674378ff602fc9985af511770a4ea9c330a90365a4c181ba657ebb88e519445e69bd5a2d412ee26c443de5e98fa86bb6e33183b99b9ed56bbc1b39b2fd35110f730f0966d07dc5957f9f201602eefb6ee49b3f93cf120d01b32a98aa5d1c59cc4da33abba05735cc8672d2e280066f4bfd71c9d8197fe7f191d4c2f57c4e6839dfb30bbf653085b83f926f549099e8e5e04693fa2fa4b56a21dafa9c4019752f635c0588eead5b94f6a14e974eb2e857a1da8ca73beb30d5c87840b45adfc45bf96e2b09575c7c4a1e6	
\.


--
-- Data for Name: key_account; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.key_account (tenant, key_id, account_id) FROM stdin;
default	t5jfdhpovvl6m6h3ieykskmnje	2vesfk2nnq2lurbq4lux4r4bxa
default	4vqs6baehpsvzoaa6vppiuieti	2vesfk2nnq2lurbq4lux4r4bxa
default	3exigjgbg3pmc7rbmiythypfzi	mzx6hxcdubttcohh4h5vy3u3ge
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
default	2vesfk2nnq2lurbq4lux4r4bxa	t5jfdhpovvl6m6h3ieykskmnje	1795788000000000
default	2vesfk2nnq2lurbq4lux4r4bxa	4vqs6baehpsvzoaa6vppiuieti	1795788000000000
default	mzx6hxcdubttcohh4h5vy3u3ge	3exigjgbg3pmc7rbmiythypfzi	1795788000000000
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
4097083626	f	\N	\N	\N	2026-11-27 14:18:41.588946+00
\.


--
-- Data for Name: schema_version; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.schema_version (id, version_id, is_applied, tstamp) FROM stdin;
1	0	t	2026-11-27 14:18:41.488623
2	1	t	2026-11-27 14:18:41.509666
3	2	t	2026-11-27 14:18:41.538857
4	3	t	2026-11-27 14:18:41.555819
5	4	t	2026-11-27 14:18:41.556156
6	5	t	2026-11-27 14:18:41.564359
7	6	t	2026-11-27 14:18:41.565554
8	7	t	2026-11-27 14:18:41.568073
9	8	t	2026-11-27 14:18:41.56887
10	9	t	2026-11-27 14:18:41.571374
11	10	t	2026-11-27 14:18:41.574745
12	11	t	2026-11-27 14:18:41.581563
13	12	t	2026-11-27 14:18:41.583026
14	13	t	2026-11-27 14:18:41.583358
15	14	t	2026-11-27 14:18:41.587411
\.


--
-- Data for Name: setting; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.setting (tenant, name, value) FROM stdin;
default	epoch	\\x31
default	keyset	\\x7b226b6579736574223a7b2267656e65726174696f6e223a312c22646174614b657973223a5b7b226964223a323038373430363934302c226d6163223a323438303438333339362c227072696d617279223a747275657d5d2c227772617073223a5b7b22726f6f744b6579223a2230666338633232356565643433663237222c2275726c223a2266696c653a2f746d702f546573744461746162617365734f664561726c69657256657273696f6e734f70656e323537373239303435332f3030322f646174612f726f6f742e6b6579222c2261646465644174223a22323032362d31312d32375431343a31383a34312e3539383337365a222c226b6579223a226c41373775657454346a2b615678727571557931774141667152467969386b7541736679737a574a496743455242426f77446c563544323056714768534a6d3862565a59554f49714e5068755256792f7849504b7955377558786f3249747359222c226b6579736574223a224d307a33714d4a37584e725748355865385a2f6761344e41687978326c79376732455974755170726c32547a66762f52443773726e4279357951457332733742715469643245687878316852694333446a75734950746d533361546c56496b482f366d474e376d3631307a4b516e48662f71494546387a4b7665633634634c7257524a573377616f567a47396665323959317745386645697156686e36696569356c38634a2b6e324f4d2f4362783066674242753149416f4a336255435757635863636c64646336466938546a564c7a42317a4d6f67425031684a6e6359434f314d75423545312f496f777a74374549717a5444665a766f47587439522b6e553734417749645559776c592f6e6c67344e4c7a5146723557524d36376e395665416a492f31574a5a6f66366e753076723171704a41536b633373396f454b35542b413373526d4679736f6933644c4a336d353168362b3430567764362f45337756486f492b772f78227d5d7d2c226d6163223a22415a505a4c4552676c41356d45737a6462505458324f4748396c554e76303562586646754163465872616d784956476c66673d3d227d
default	account_mode	\\x646576696365
default	audit_chain	\\x643668786733777a77326b326971367663776e6663647a706971
default	witness/55ab0d823eb855c54cf87cc92fd92ff0	\\x00066142bcaf9654
default	metrics.folded/pu5w6kjpap45hr3kutfmxcuzra/1	\\x0000000000000001
default	metrics.folded/pu5w6kjpap45hr3kutfmxcuzra/2	\\x0000000000000001
default	metrics.folded/pu5w6kjpap45hr3kutfmxcuzra/3	\\x0000000000000001
default	metrics.folded/pu5w6kjpap45hr3kutfmxcuzra/4	\\x0000000000000001
default	metrics.folded/pu5w6kjpap45hr3kutfmxcuzra/5	\\x0000000000000001
default	metrics.folded/pu5w6kjpap45hr3kutfmxcuzra/6	\\x0000000000000001
default	metrics.folded/pu5w6kjpap45hr3kutfmxcuzra/7	\\x0000000000000001
default	metrics.folded/pu5w6kjpap45hr3kutfmxcuzra/8	\\x0000000000000001
default	metrics.folded/pu5w6kjpap45hr3kutfmxcuzra/9	\\x0000000000000001
default	metrics.folded/pu5w6kjpap45hr3kutfmxcuzra/10	\\x0000000000000001
default	metrics.folded/pu5w6kjpap45hr3kutfmxcuzra/11	\\x0000000000000001
default	audit_tied	\\x00066142bcb83f37
default	metrics.folded/pu5w6kjpap45hr3kutfmxcuzra/0	\\x000000000000001c
default	beat/pu5w6kjpap45hr3kutfmxcuzra	\\x250193d92c444416c0da257a333e5ff0c3c15e37cfb3f0349b4e1d1e0387c7a6332dd3a0292f7b22696e7374616e6365223a2270753577366b6a70617034356872336b7574666d7863757a7261222c226e756d626572223a322c226174223a313739353738393132323531343732352c22636f6e646974696f6e223a22656e646564222c226865616473223a7b2230223a32382c2231223a312c223130223a312c223131223a312c2232223a312c2233223a312c2234223a312c2235223a312c2236223a312c2237223a312c2238223a312c2239223a317d2c2272656164223a6e756c6c7d
\.


--
-- Data for Name: signing_key; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.signing_key (tenant, number, id, algorithm, version, created_at, active_from, erased_at, mac, public_key, sealed) FROM stdin;
default	1	fsdwf5tUWC5VHY7TXSb1FGTMktlWS3caC1WpYUus9-s	ES256	1	1795789121628405	1795789121628405	0	\\x0193d92c44314906124bea82de31328da9cb45f0eeaa2131eeb35fb9b355c35a78a1314d67	\\x3059301306072a8648ce3d020106082a8648ce3d0301070342000461da2cc30e6bebd6b1bbedcfc7b3738aac1c695a377532e584692793edbbcd4c49f03f828c7e228fb875c4c2f915080beef9b36d2334eb5256aa83f6d0fe6d61	\\x01017c6b4d5cdce108ea1e45ee904451addbf3fe954de9a68c81d3d4952115546888498e1f97761d89ef150b9d0d7133d5159ec08942dfc5c24a63dedf7eeafb082b6eae0de84f43b8df91f6af2744718e36d4656e30f46191699f4b8a297a29379794578ef4ae735e34b97916e9b309d1b26516e59e6554f4c927057bd6858cb319806f33e5e6542d91dfa30bb75d4f7e4f7e71c27d748245e80c90d62038436a3f2cbb84caedd7a6f928c2c33443b3864b4a837d69d80a
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

\unrestrict Wqgb3QzXF5ZuMgGkCcKI0WK83B5nqPgysdo5t4LU7enwXrWpgetkcMqxmE2xH0p

