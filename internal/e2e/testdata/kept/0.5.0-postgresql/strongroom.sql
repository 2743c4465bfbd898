--
-- PostgreSQL database dump
--

\restrict YeyycwgsTkd8x9qXVKaS5fX72MQJ0fWUddiqPxlIla1QVaweMdengMVV635rQPr

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
    sealed bytea NOT NULL
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
-- Data for Name: account; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.account (tenant, id, mode, issuer, subject, created_at) FROM stdin;
default	7bvp4fdsf6gpbdkeen3wuqai7e	device		phone	1795487081908963
default	5fmzk3ynhuxgkw6qgrkqls3qde	device		tablet	1795487082202102
\.


--
-- Data for Name: attempts; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.attempts (tenant, account_id, type, id, version, failures, locked_until, permanent, recent, pending, mac, verified_at, verified_by, devices, locked_to) FROM stdin;
default	7bvp4fdsf6gpbdkeen3wuqai7e	TRANSACTION_PIN	clymm7oehzn7wosp5hykhut724	2	0	0	f	[]	[]	\\x01db2230c3641f59feb9b89f4e1ce1189aa08005ae43ee3915963709109c539cc18341d824	1795487082088187		[]	0
default	5fmzk3ynhuxgkw6qgrkqls3qde	TRANSACTION_PIN	vmydzrszaxwxjtljlvhwv4ey6u	8	4	0	f	[1795487082220260,1795487082230664,1795487082240800,1795487082250148]	[]	\\x01db2230c3c7057aad1f919227de8f7a2da2afebab5cb5355d5802db6069d1de223b19cb95	0		[]	0
\.


--
-- Data for Name: audit_log; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.audit_log (tenant, chain, seq, "time", request_id, actor, event, outcome, operation, failed, count, duration, key_id, account, device, record, version, before, digest, reason, prev, hash) FROM stdin;
default	y5doxygprddzfld4zrazkrfwhe	1	1795487081639336		system	store.initialised	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01db2230c3feefec7c5bbaa3357373fe333bf013b991800084bdac070fdb600cc8d588e318
default	hfurt6dhfzxva6dakwt2yvq3o4/0	1	1795487081647579		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01db2230c3db56ecb39ec20b6258708e9be7a1f2cc80278e71fc24e06ce0feb9e76d0a79b0
default	hfurt6dhfzxva6dakwt2yvq3o4/1	1	1795487081647579		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01db2230c3c82c1d287afd96bf6b20ca5e4c123f85d81b233fd182b85ba756b58945551b29
default	hfurt6dhfzxva6dakwt2yvq3o4/2	1	1795487081647579		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01db2230c3af733f4705e59482dab64613d2cd33a8d69997afad6ed4b4fd7cce5cdbe1bd88
default	hfurt6dhfzxva6dakwt2yvq3o4/3	1	1795487081647579		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01db2230c3c6a3a10c71699675ac7f8a8ed872dc69379811e60a0b3a822599b99d92cf3dce
default	hfurt6dhfzxva6dakwt2yvq3o4/4	1	1795487081647579		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01db2230c36d1657a5d470401f707f007e66dbfbb4d0df685fa84b0f76d52da584a4972d61
default	hfurt6dhfzxva6dakwt2yvq3o4/5	1	1795487081647579		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01db2230c3dad270bd525f4928fd3379c6a6d6b0f97072f071c1a05572d2288c6d027ebc2b
default	hfurt6dhfzxva6dakwt2yvq3o4/6	1	1795487081647579		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01db2230c3b95270b3d0c7b96623cff596828fbf8732e4e1d26e9afb2361fff17380daf6bc
default	hfurt6dhfzxva6dakwt2yvq3o4/7	1	1795487081647579		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01db2230c367c4bcd4fda2cc7aff8f290c3f977aea74c2986b0b8ca5735b0d69e4b0cc2726
default	hfurt6dhfzxva6dakwt2yvq3o4/8	1	1795487081647579		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01db2230c30e744713c3887c70f37c4a978a107b339b72ff161a46d3fd6deff8f13a4d3668
default	hfurt6dhfzxva6dakwt2yvq3o4/9	1	1795487081647579		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01db2230c3fb240d9e730c78db2e1c5a67239877fd08bc50fe0d9a4fdd63b596b530500daf
default	hfurt6dhfzxva6dakwt2yvq3o4/10	1	1795487081647579		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01db2230c3fa84dffcccb56dab53b31d2864616182eae30920012347ff879f8cc240a2e733
default	hfurt6dhfzxva6dakwt2yvq3o4/11	1	1795487081647579		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01db2230c3cd43949737039105a0898dbcdbb2321b8abce2e7f3cbf234dc0508cdd62ad111
default	hfurt6dhfzxva6dakwt2yvq3o4/0	2	1795487081649078		system	witness.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x	vm:/tmp/TestDatabasesOfEarlierVersionsOpen4258157072/002/data.witness	\\x01db2230c3db56ecb39ec20b6258708e9be7a1f2cc80278e71fc24e06ce0feb9e76d0a79b0	\\x01db2230c349261ae57918d0885dc0f1814f4be130f0f8d32da0e635e06a18410aee577f06
default	hfurt6dhfzxva6dakwt2yvq3o4/0	3	1795487081908963	agrawxvezlza6sgavnb5qqkz2e	caller	key.issued	ok	generateClientEncryptionKey	f	1	235707	n63ivx4bjopf62ki73g3tfaa6u	\\xc3f48bce1c4df1c0559ec7a992f121df	\\x00dd2bb0bbab8863ea5c627078938e22	key/n63ivx4bjopf62ki73g3tfaa6u	1	\\x	\\x6087f4cf592f99ad4b6b72a5fb367ee99e89cf121e4d779273b578d339bb11b2		\\x01db2230c349261ae57918d0885dc0f1814f4be130f0f8d32da0e635e06a18410aee577f06	\\x01db2230c30f69d38a18f116eddaf86156db814f3966ee760bc0db33cb1d767bdd66644866
default	hfurt6dhfzxva6dakwt2yvq3o4/0	4	1795487081965298	agrawxvfxdvieovy5o4y4el4za	caller	credential.set	ok	setUserPasscode	f	1	54371	n63ivx4bjopf62ki73g3tfaa6u	\\xc3f48bce1c4df1c0559ec7a992f121df	\\x00dd2bb0bbab8863ea5c627078938e22	credential/nm2kekxrcfbrb4ml7ro2e36ouy	1	\\x	\\x64ed21e3f4b5f9b73a70141a3d6e70eb1eca295e9d20998c781db749c6a46d13		\\x01db2230c30f69d38a18f116eddaf86156db814f3966ee760bc0db33cb1d767bdd66644866	\\x01db2230c380a71810aa7b5ee3bd85196096e34efe333525a59b68c6e9297de7e40020a24b
default	hfurt6dhfzxva6dakwt2yvq3o4/0	5	1795487081974768	agrawxvf6d2hcjr6xfdlaisw7a	caller	credential.set	ok	setTransactionPin	f	1	7223	n63ivx4bjopf62ki73g3tfaa6u	\\xc3f48bce1c4df1c0559ec7a992f121df	\\x00dd2bb0bbab8863ea5c627078938e22	credential/cqjluvcfpm4r3utpwdyeh3qnwm	1	\\x	\\x51c4cf78fb3714156b9b3d18c3185c7820b74c7e4fa4ed2a7b20494c76e2fa5a		\\x01db2230c380a71810aa7b5ee3bd85196096e34efe333525a59b68c6e9297de7e40020a24b	\\x01db2230c3a13adec86f871577ed97b10a98e275982d85b40034bba46f8c89b7fa4cb2bdda
default	hfurt6dhfzxva6dakwt2yvq3o4/0	6	1795487082074912	agrawxvf7pybvcwieoth255e5q	caller	key.rotated	ok		f	1	0	n63ivx4bjopf62ki73g3tfaa6u	\\xc3f48bce1c4df1c0559ec7a992f121df	\\x00dd2bb0bbab8863ea5c627078938e22	key/n63ivx4bjopf62ki73g3tfaa6u	2	\\x6087f4cf592f99ad4b6b72a5fb367ee99e89cf121e4d779273b578d339bb11b2	\\x4f546e9fbe7fa0b2af2266716e48108a4b22f48574de8155f0367713593eef5f		\\x01db2230c3a13adec86f871577ed97b10a98e275982d85b40034bba46f8c89b7fa4cb2bdda	\\x01db2230c3f14caf09179e34e8c156f6bcaefd2be7fa9aa6d441d974379cb9688980157d9c
default	hfurt6dhfzxva6dakwt2yvq3o4/0	7	1795487082074912	agrawxvf7pybvcwieoth255e5q	caller	key.issued	ok	rotateClientEncryptionKey	f	1	98999	nbaobitl755xghpaklzykboy2q	\\xc3f48bce1c4df1c0559ec7a992f121df	\\x00dd2bb0bbab8863ea5c627078938e22	key/nbaobitl755xghpaklzykboy2q	1	\\x	\\x39025fb839ea86ce9c3ad32559c71e17681747dbde31a9e866821683a1e0cdaf		\\x01db2230c3f14caf09179e34e8c156f6bcaefd2be7fa9aa6d441d974379cb9688980157d9c	\\x01db2230c3077d922ec67e60e3c335ebc15dc9aaab2763a855993fda6a4d7354073bffae73
default	hfurt6dhfzxva6dakwt2yvq3o4/0	8	1795487082088187	agrawxvgmalavqoachcmmxp2ze	caller	credential.verified	ok	verifyTransactionPin	f	1	7539	nbaobitl755xghpaklzykboy2q	\\xc3f48bce1c4df1c0559ec7a992f121df	\\x00dd2bb0bbab8863ea5c627078938e22	attempts/clymm7oehzn7wosp5hykhut724	2	\\xc10e0387f00a76474dad8cfee7bd7ffe504ec7486ee999ec1cca171ac956380a	\\x9ed02e8eb6a1a6b70ebfd03873ead7230357ed1e976a3315b2b4afc3d45e1919		\\x01db2230c3077d922ec67e60e3c335ebc15dc9aaab2763a855993fda6a4d7354073bffae73	\\x01db2230c3fda92fe2cb03571fb36e67b15278c140664d6aeef0f159a4ff8a69e6bd3050d8
default	hfurt6dhfzxva6dakwt2yvq3o4/0	9	1795487082171221		system	operations.counted	CREDENTIAL_REJECTED		f	1	2594		\\x	\\x		0	\\x	\\x	setTransactionPin	\\x01db2230c3fda92fe2cb03571fb36e67b15278c140664d6aeef0f159a4ff8a69e6bd3050d8	\\x01db2230c3c9db698c9e627133264810e91d92fa56d3da41b2c8924d59bdf47c5e77bbb3d3
default	hfurt6dhfzxva6dakwt2yvq3o4/0	10	1795487082183947		system	chain.tied	ok		f	1	0		\\x	\\x	chain/hfurt6dhfzxva6dakwt2yvq3o4/1	1	\\x	\\x01db2230c3c82c1d287afd96bf6b20ca5e4c123f85d81b233fd182b85ba756b58945551b29		\\x01db2230c3c9db698c9e627133264810e91d92fa56d3da41b2c8924d59bdf47c5e77bbb3d3	\\x01db2230c3c1db67cda7a796e453f7d80b9a65268ce0f3bb7cdaa355d3456aa08a0075802f
default	hfurt6dhfzxva6dakwt2yvq3o4/0	11	1795487082183947		system	chain.tied	ok		f	1	0		\\x	\\x	chain/hfurt6dhfzxva6dakwt2yvq3o4/10	1	\\x	\\x01db2230c3fa84dffcccb56dab53b31d2864616182eae30920012347ff879f8cc240a2e733		\\x01db2230c3c1db67cda7a796e453f7d80b9a65268ce0f3bb7cdaa355d3456aa08a0075802f	\\x01db2230c3c56b20a148795b918cdc3cef7cf8fca1040ffa2daa9bcede540fc6903d3b44ab
default	hfurt6dhfzxva6dakwt2yvq3o4/0	12	1795487082183947		system	chain.tied	ok		f	1	0		\\x	\\x	chain/hfurt6dhfzxva6dakwt2yvq3o4/11	1	\\x	\\x01db2230c3cd43949737039105a0898dbcdbb2321b8abce2e7f3cbf234dc0508cdd62ad111		\\x01db2230c3c56b20a148795b918cdc3cef7cf8fca1040ffa2daa9bcede540fc6903d3b44ab	\\x01db2230c3b94d83494b297e50eed15b0d5dd124e8fb7489fe534bdfa8d138ba4f5093f001
default	hfurt6dhfzxva6dakwt2yvq3o4/0	13	1795487082183947		system	chain.tied	ok		f	1	0		\\x	\\x	chain/hfurt6dhfzxva6dakwt2yvq3o4/2	1	\\x	\\x01db2230c3af733f4705e59482dab64613d2cd33a8d69997afad6ed4b4fd7cce5cdbe1bd88		\\x01db2230c3b94d83494b297e50eed15b0d5dd124e8fb7489fe534bdfa8d138ba4f5093f001	\\x01db2230c355798829acbd57cbe07658c6bc4efa985cb2a042b4273f0c61a4a0749504bc11
default	hfurt6dhfzxva6dakwt2yvq3o4/0	14	1795487082183947		system	chain.tied	ok		f	1	0		\\x	\\x	chain/hfurt6dhfzxva6dakwt2yvq3o4/3	1	\\x	\\x01db2230c3c6a3a10c71699675ac7f8a8ed872dc69379811e60a0b3a822599b99d92cf3dce		\\x01db2230c355798829acbd57cbe07658c6bc4efa985cb2a042b4273f0c61a4a0749504bc11	\\x01db2230c364d0a49621aa187695662e8b21aec00825b311a9b6b7ed1d0b83dee0ac97fe7e
default	hfurt6dhfzxva6dakwt2yvq3o4/0	15	1795487082183947		system	chain.tied	ok		f	1	0		\\x	\\x	chain/hfurt6dhfzxva6dakwt2yvq3o4/4	1	\\x	\\x01db2230c36d1657a5d470401f707f007e66dbfbb4d0df685fa84b0f76d52da584a4972d61		\\x01db2230c364d0a49621aa187695662e8b21aec00825b311a9b6b7ed1d0b83dee0ac97fe7e	\\x01db2230c3b5745af5bfa7038ef8ad91e6f05ae3a393000a8ef493f0ece7c5909656051a05
default	hfurt6dhfzxva6dakwt2yvq3o4/0	16	1795487082183947		system	chain.tied	ok		f	1	0		\\x	\\x	chain/hfurt6dhfzxva6dakwt2yvq3o4/5	1	\\x	\\x01db2230c3dad270bd525f4928fd3379c6a6d6b0f97072f071c1a05572d2288c6d027ebc2b		\\x01db2230c3b5745af5bfa7038ef8ad91e6f05ae3a393000a8ef493f0ece7c5909656051a05	\\x01db2230c3cce0893fa408c80ef6b6026347dae985cf6cf5abc50182b71ffff608e2731b91
default	hfurt6dhfzxva6dakwt2yvq3o4/0	17	1795487082183947		system	chain.tied	ok		f	1	0		\\x	\\x	chain/hfurt6dhfzxva6dakwt2yvq3o4/6	1	\\x	\\x01db2230c3b95270b3d0c7b96623cff596828fbf8732e4e1d26e9afb2361fff17380daf6bc		\\x01db2230c3cce0893fa408c80ef6b6026347dae985cf6cf5abc50182b71ffff608e2731b91	\\x01db2230c34ec1249b5a712219b1881b5357c3cd7f64c5e70d298b4832723b0cff3cd3f2f0
default	hfurt6dhfzxva6dakwt2yvq3o4/0	18	1795487082183947		system	chain.tied	ok		f	1	0		\\x	\\x	chain/hfurt6dhfzxva6dakwt2yvq3o4/7	1	\\x	\\x01db2230c367c4bcd4fda2cc7aff8f290c3f977aea74c2986b0b8ca5735b0d69e4b0cc2726		\\x01db2230c34ec1249b5a712219b1881b5357c3cd7f64c5e70d298b4832723b0cff3cd3f2f0	\\x01db2230c384747b1e2a67d368f81db9911cfcf2d0e03ff8e394aa7dd0c95539030535d0bf
default	hfurt6dhfzxva6dakwt2yvq3o4/0	19	1795487082183947		system	chain.tied	ok		f	1	0		\\x	\\x	chain/hfurt6dhfzxva6dakwt2yvq3o4/8	1	\\x	\\x01db2230c30e744713c3887c70f37c4a978a107b339b72ff161a46d3fd6deff8f13a4d3668		\\x01db2230c384747b1e2a67d368f81db9911cfcf2d0e03ff8e394aa7dd0c95539030535d0bf	\\x01db2230c33c35102a642e6c435c6774a064da94dbec1af9105adbd53fc71f02ada3f882cc
default	hfurt6dhfzxva6dakwt2yvq3o4/0	20	1795487082183947		system	chain.tied	ok		f	1	0		\\x	\\x	chain/hfurt6dhfzxva6dakwt2yvq3o4/9	1	\\x	\\x01db2230c3fb240d9e730c78db2e1c5a67239877fd08bc50fe0d9a4fdd63b596b530500daf		\\x01db2230c33c35102a642e6c435c6774a064da94dbec1af9105adbd53fc71f02ada3f882cc	\\x01db2230c31d0c4b7d9d498388706b06ea3e4d9b9a8f90f399f9623e479e23458262442274
default	hfurt6dhfzxva6dakwt2yvq3o4/0	21	1795487082183947		system	chain.tied	ok		f	1	0		\\x	\\x	chain/y5doxygprddzfld4zrazkrfwhe	1	\\x	\\x01db2230c3feefec7c5bbaa3357373fe333bf013b991800084bdac070fdb600cc8d588e318		\\x01db2230c31d0c4b7d9d498388706b06ea3e4d9b9a8f90f399f9623e479e23458262442274	\\x01db2230c35f31a20023e51f452d9933eb6804fec1013c7a95f748e57d65f100e95683f7ee
default	hfurt6dhfzxva6dakwt2yvq3o4/0	22	1795487082202102	agrawxvgnf5tq42ysoj6qeiq34	caller	key.issued	ok	generateClientEncryptionKey	f	1	113063	2dl6ev77srgjhcuaptxxzx4iim	\\x9c9b4c5efb06ed8d62d77506fcf59192	\\xa0c562bd3161da6d55d13895f8ee2a0c	key/2dl6ev77srgjhcuaptxxzx4iim	1	\\x	\\xc3584e56d52e624519689cf857274e745ccbc9de14e7385553f6c500245c5617		\\x01db2230c35f31a20023e51f452d9933eb6804fec1013c7a95f748e57d65f100e95683f7ee	\\x01db2230c31ae7f70736c5b35b5864898e94d84866b9e4ff8fefa1c7e8854af14a177cd6d3
default	hfurt6dhfzxva6dakwt2yvq3o4/0	23	1795487082211258	agrawxvg3ru7qhawyhac7vag6q	caller	credential.set	ok	setTransactionPin	f	1	7252	2dl6ev77srgjhcuaptxxzx4iim	\\x9c9b4c5efb06ed8d62d77506fcf59192	\\xa0c562bd3161da6d55d13895f8ee2a0c	credential/ksbp5bbu4nyeotjen2g6hwohxy	1	\\x	\\xca5f6676b13a5a786c10765736a6f3cd6b95a39348a341f5d3f49add8dd54886		\\x01db2230c31ae7f70736c5b35b5864898e94d84866b9e4ff8fefa1c7e8854af14a177cd6d3	\\x01db2230c35e985428beaf3df67e119c1530a78038b5f8a7682d8fc7813b486accd5e9009e
default	hfurt6dhfzxva6dakwt2yvq3o4/0	24	1795487082220260	agrawxvg4xybsx6hx4xtpzmcii	caller	credential.mismatch	mismatch	verifyTransactionPin	f	1	6751	2dl6ev77srgjhcuaptxxzx4iim	\\x9c9b4c5efb06ed8d62d77506fcf59192	\\xa0c562bd3161da6d55d13895f8ee2a0c	attempts/vmydzrszaxwxjtljlvhwv4ey6u	2	\\x3ade2ab8c384594f713647877e7871dd37c941698eab4b521af99273e70ef711	\\x64e3a392ec5b4662344b9b24e197b0f81f1c1c7c853e04349263ed2621b802e9		\\x01db2230c35e985428beaf3df67e119c1530a78038b5f8a7682d8fc7813b486accd5e9009e	\\x01db2230c3305dc22670aeda00299c935d9b44f2f90d4c2abc70297ce371a4b8cadeae85c0
default	hfurt6dhfzxva6dakwt2yvq3o4/0	25	1795487082230664	agrawxvg5x757aqqnzoadqbpke	caller	credential.mismatch	mismatch	verifyTransactionPin	f	1	8471	2dl6ev77srgjhcuaptxxzx4iim	\\x9c9b4c5efb06ed8d62d77506fcf59192	\\xa0c562bd3161da6d55d13895f8ee2a0c	attempts/vmydzrszaxwxjtljlvhwv4ey6u	4	\\x64e3a392ec5b4662344b9b24e197b0f81f1c1c7c853e04349263ed2621b802e9	\\x6cd88dd798097b1478c7d4feff4c30c83cf495284a6fdb171ab00c3fdf58680c		\\x01db2230c3305dc22670aeda00299c935d9b44f2f90d4c2abc70297ce371a4b8cadeae85c0	\\x01db2230c3c4445914d3342862576fb5756cf16b6c540ab5b1068a5480bb4b6ea56ba122c9
default	hfurt6dhfzxva6dakwt2yvq3o4/0	26	1795487082240800	agrawxvg7cmsyacgdondzldjhq	caller	credential.mismatch	mismatch	verifyTransactionPin	f	1	8133	2dl6ev77srgjhcuaptxxzx4iim	\\x9c9b4c5efb06ed8d62d77506fcf59192	\\xa0c562bd3161da6d55d13895f8ee2a0c	attempts/vmydzrszaxwxjtljlvhwv4ey6u	6	\\x6cd88dd798097b1478c7d4feff4c30c83cf495284a6fdb171ab00c3fdf58680c	\\x3ec628183c202176def8dc09261e84805525d239d7b997d75e6c717ec122b64b		\\x01db2230c3c4445914d3342862576fb5756cf16b6c540ab5b1068a5480bb4b6ea56ba122c9	\\x01db2230c3c2b35b8588be895910dba2d2d57543bf7f8d011b9066a08ddfe114f35141c91b
default	hfurt6dhfzxva6dakwt2yvq3o4/0	27	1795487082250148	agrawxvhakwer7k6w2ffd7a4zu	caller	credential.mismatch	mismatch	verifyTransactionPin	f	1	7229	2dl6ev77srgjhcuaptxxzx4iim	\\x9c9b4c5efb06ed8d62d77506fcf59192	\\xa0c562bd3161da6d55d13895f8ee2a0c	attempts/vmydzrszaxwxjtljlvhwv4ey6u	8	\\x3ec628183c202176def8dc09261e84805525d239d7b997d75e6c717ec122b64b	\\x06558c367745a9904c48405422140c98c316d7df538f565d590d0453518f0a71		\\x01db2230c3c2b35b8588be895910dba2d2d57543bf7f8d011b9066a08ddfe114f35141c91b	\\x01db2230c385ff7e9c1ec73026f3744fceeee9d4ff0ab232d4b3c7b5245dc9c9e6ff348b1e
\.


--
-- Data for Name: bucket; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.bucket (tenant, width, start, instance, operations, failures, duration, devices, durations) FROM stdin;
default	60000000	1795487040000000	hfurt6dhfzxva6dakwt2yvq3o4	12	1	557332	\\x0100dd2bb0bbab8863a0c562bd3161da6d	\\x015b010a010003000200011401060101010701
default	3600000000	1795485600000000	hfurt6dhfzxva6dakwt2yvq3o4	12	1	557332	\\x0100dd2bb0bbab8863a0c562bd3161da6d	\\x015b010a010003000200011401060101010701
default	86400000000	1795478400000000	hfurt6dhfzxva6dakwt2yvq3o4	12	1	557332	\\x0100dd2bb0bbab8863a0c562bd3161da6d	\\x015b010a010003000200011401060101010701
default	2419200000000	1795046400000000	hfurt6dhfzxva6dakwt2yvq3o4	12	1	557332	\\x0100dd2bb0bbab8863a0c562bd3161da6d	\\x015b010a010003000200011401060101010701
\.


--
-- Data for Name: ciphertext; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.ciphertext (tenant, account_id, key_id, digest) FROM stdin;
\.


--
-- Data for Name: credential; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.credential (tenant, account_id, type, id, version, created_at, updated_at, sealed) FROM stdin;
default	7bvp4fdsf6gpbdkeen3wuqai7e	PASSCODE	nm2kekxrcfbrb4ml7ro2e36ouy	1	1795487081965298	1795487081965298	\\x0101f3d6b0d2b092e1e62e904873d85064c33f079567e2837f1b4826c44ce64dfca78028ef9d4a6c612e7996fbc5d0b3e159336aec904ae4f73ea543047d32c33a673b8e77d492356d7f5892e79806be23ac92b86bcd46c7dd5e1d28bdc4b9f8662407f816334701
default	7bvp4fdsf6gpbdkeen3wuqai7e	TRANSACTION_PIN	cqjluvcfpm4r3utpwdyeh3qnwm	1	1795487081974768	1795487081974768	\\x0101f3d6b0d27021167b9ee44c17e3430ba60c603dea875386f1f52a25ee8ca0526b445272b69674fefd5c97d204b15f46331900760500f6c4407f60ecbdfd6af9c87662df8381e438ef4e1cfb33af454a3fb4daf83ee45e331a495e3446cb802ceb7c9aa2392ed2
default	5fmzk3ynhuxgkw6qgrkqls3qde	TRANSACTION_PIN	ksbp5bbu4nyeotjen2g6hwohxy	1	1795487082211258	1795487082211258	\\x0101f3d6b0d2d6682d34b6003667ba5fe1cde3b25a611f6fd15f9f22d4b54aebe89e1910bfee0a99e58989d960c1f5da8a130acd8c7f29d9b6bdbfa658c3d6eb19b42a8238591718a8063d3394649d7c3aa26855643daabc4926417821f76ed52d964f7884559083
\.


--
-- Data for Name: credential_previous; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.credential_previous (tenant, account_id, type, version, id, created_at, updated_at, sealed) FROM stdin;
\.


--
-- Data for Name: device_key; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.device_key (tenant, account_id, id, device_id, state, version, algorithm, bits, app_version, created_at, expires_at, ended_at, grace_until, mac, public_key, sealed) FROM stdin;
default	7bvp4fdsf6gpbdkeen3wuqai7e	n63ivx4bjopf62ki73g3tfaa6u	phone	invalidated	2	RSA-OAEP-256	3072		1795487081908963	0	1795487082074912	0	\\x01db2230c3f1c9d80af7abebf0790ff471e46b4fbe9d0cfee3815be26861c09c800436059b	\\x308201a2300d06092a864886f70d01010105000382018f003082018a0282018100a6f52ca68d13248cd32fd2856bc7633f09001e96a7741eedea2830fbd1444a5356b152309bfa472bc3e48e2acce159e2df9203399f5880eb4ae2c082ac71e74f2f0c25abda92d6abdacddcdc4f2e508502dc8792820083694594683eb47b21ff5d58611ac7380f9fb22fd00b2e5845326c742ab05ab09ac7dca94af8f9dca122487a97503ae2569a328761f4685813a4d56a6495caf52c3cdde46fee677ebb34ac12e278305c0ee1a6093b1174a605ff9cc59e0f10af141fff390927f651484fb70a917fe42dbc2426d574bdd57dfc2da3c084083f7dab948dff0883639c9e79752be1ca737676acf3f828571fdebbff16467a05e59beb6e12ff2befa1a256c76dbe178daf09855ba382f2702cfe365f656e84f00ce0f9dc6ec59330b7c667bfeb4a8ee275a996439b931899e1019d33a7bc15ee6b6b3a82c2c84974b6bcc2a26343b553073f89f786bc00fc2d4713f7da2d1333f662960a8b7253d25cf4cab24ba394225a5fe541753aa6965c247505f2095abd3b6774606da77f1de17bb7c90203010001	\\x
default	7bvp4fdsf6gpbdkeen3wuqai7e	nbaobitl755xghpaklzykboy2q	phone	active	1	RSA-OAEP-256	3072		1795487082074912	0	0	0	\\x01db2230c3a1f76bb6077acbec8bdf1251ad2b530b60d051dd759193266c518fa83be3b8d0	\\x308201a2300d06092a864886f70d01010105000382018f003082018a0282018100a0416d6d0069519f051fc90b93e61204576c81c301681d7ecc033f8a2097e541f8763f1a271a59593ac935fd1f9421bdb792ef2c5e8e3e9900f4173799df8d7829e5aa7a176a990106be8fc29709b8c943d70e6f0439c309b1bd48e9932f62d067732c0d9a3faa7251f4a9ca2905e6121bd10eef1d193084003c4366dc001fa651079852d4d23dc7be552b8e70c0674aa331d771572dbd13cfa5e03e3cf08da4a3f3dd9a2b33934e68e1173105b4296037970428fabec96a5ac434523b87bda5c44483b3a3d4946e0ac52f97e3da9a55603dc12c0997b8116838d661d1c3f30f5133d1e0a5fb0d13eaaa6ed056e9b1d2ab570607ab15010447d3d53bd18fa862210100121dc95b49cedd1c68d578cc4e71ff785cea18651e50afc80513192185b4a8606e7c8c9e44ff023d2e36138283a9d3b3d1ddb13b940c6f6e533cb661b281f2c99108b399ece274403190dfa12f063d484caf4de7705648d4dbd577832e8eee8aacc961c5bde4e4aa4e6b5eb46414bfbc2895b387c1db51bf4cc6f2cea90203010001	\\x0101f3d6b0d202733ebca9087f492cb425a28b29b72ca807e6573b3c43fa5abc79cc8ba3555ae7fd83705f2bbfd986cb32c6f91142feb2126849cf34740e1a55c6eb322c11458734a974b10ffd20575e22287ca035db49d080bd6896309ed33358983a12914fdbde65c47cabb12de76c9ebb1bb9da7d12aea8ec592e10f5367c87983e7c4b7e1f7537efe8e407a642dd79e5c52a850cc429eceb20fff2bf8cf4158bef0f632b9355f89c42a4fd88ab95eafd99c139d2c637e4d706e963439f612e990ade944793a9f08ba225d092e707203df77f3fb824089b881c6de8de0d5d8daf206227f8aa5092715adf7c5e41fca7b72c9e9f8f155a5ceff435bf2c53a3ffa70460a11e6382450393f270d5cfbcd9243ccf460d724313341e7c330a3f391bb2dfba0771d256624d6d6b1bd2e3fc322296d91620f39086ca2ad647854921c8ea58198266cef222ed6d4363c78847fb304e565af36e309d5dc70796a15022968dd939e5a304d38ac6e1e9b56fe7c846429b1efff5011f3b1b407bae3b39d232dac3e52f33829b6c4539df988b1c41f398e41511f16edb5cc7bc0b3e0f97424bfc246bf5fd69a01bbbab10d77323
default	5fmzk3ynhuxgkw6qgrkqls3qde	2dl6ev77srgjhcuaptxxzx4iim	tablet	active	1	RSA-OAEP-256	3072		1795487082202102	0	0	0	\\x01db2230c3e3ea3d768d025673572b718b2ad995707f3987b61a7fd98a9de42f6c1e26f254	\\x308201a2300d06092a864886f70d01010105000382018f003082018a02820181009d2d1a60a0ee92bdebd33810cc66582a5a3037501c41c551b003ff2af4e5e68b85f0aa84520d0da5c0a477b8362e4660a27fadb5d9ed5830b5c3b602ee7452fb07977f7e5b975167eade4ec5e9349f3dcab2e59dbfddfe33bae65b64714aba29378e59c5c13751689196f8a7b4c2db4753b00913986d7fd76395848d1a5ea45a54bb9f2591676b44315a2b9b149f09ebb41937e1e998fcc5e8c42d0c039c88ed6bb42b4cf749ad63009240392aa2dc32e2a900b1751624bb15a0bc3863571d92bdd4278246804c7bcc34114d4337ca836657f70b6ff9aaae70f9413a96e5be0e621420a457b7bf88a7419364f4453fec9767ed30d940be341c447c4c0b356a0fb553f759708da04e49a1fa3eb60f18447bf37321739d10f53ebb696a74857f8bc9c67a334faa7cf1de90fd2e0f2fd10b554c83cfef2f3f149cce83296a1933a9d19e090fabb48d7173d95672471f15e58fa40f3bbfc831e11a4fa9301222e83558d49dcedf143ec0bbad802053310911d8fec02ff8f4cfc013f00568133ed3b30203010001	\\x0101f3d6b0d2605e51a42c5191868126c85db87ac16ac82f3ce4502813ed2d20365a5d78fdedeb9e2429f19d05c74c13272c49506e5c2e6d56e9ed786341fbb7c0895f4a180f1e85a404fbad5dcb1a1df73292990c4faa471274aacd9ee1c77ab66cf0ca59b95beb398d71859910a4f8d789ffce45902ab3452186b493189b6db34a89f7c0c2ebd4110d444dc84a93c9b207f413eb9f5c49e323b5e84310304dff8c63e289ac190b09d88fb414e10574f43f5af15f56a9315dd704d141466f6787ad8a7e7e3f991c94cf6c6da8d689f03608ff9705d41338fea5ebee48edfa9365158df1dc9fcbea2e36f313fefbda37b8feff428820534b95ffc93cfdc880b1550ab9e6835145f632164f8e4d9d2b0a9280b104241106d04f03191b59b658e90e248ab5c859dbe72e2647cd33dd58a281403b126c197df030b42fefe909c9c155e9e5b2c35927f656c74c043ae46e38842cff395ae7d2291fde8e61331e07e5d69f9cb5754ce77a4ed9d497e0e6dba5108b0577ccd8c32ebfe1cafad33d4c11f0ccf02d81f0c869b59f2f1f93d28922bfb036a4713666c8772fb407d447750aa494959978e4784fd47eedcb3e4185
\.


--
-- Data for Name: key_account; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.key_account (tenant, key_id, account_id) FROM stdin;
default	n63ivx4bjopf62ki73g3tfaa6u	7bvp4fdsf6gpbdkeen3wuqai7e
default	nbaobitl755xghpaklzykboy2q	7bvp4fdsf6gpbdkeen3wuqai7e
default	2dl6ev77srgjhcuaptxxzx4iim	5fmzk3ynhuxgkw6qgrkqls3qde
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
default	7bvp4fdsf6gpbdkeen3wuqai7e	n63ivx4bjopf62ki73g3tfaa6u	1795485600000000
default	7bvp4fdsf6gpbdkeen3wuqai7e	nbaobitl755xghpaklzykboy2q	1795485600000000
default	5fmzk3ynhuxgkw6qgrkqls3qde	2dl6ev77srgjhcuaptxxzx4iim	1795485600000000
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
-- Data for Name: schema_lock; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.schema_lock (lock_id, locked, locked_at, locked_by, lease_expires_at, updated_at) FROM stdin;
4097083626	f	\N	\N	\N	2026-11-24 02:24:41.630469+00
\.


--
-- Data for Name: schema_version; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.schema_version (id, version_id, is_applied, tstamp) FROM stdin;
1	0	t	2026-11-24 02:24:41.569533
2	1	t	2026-11-24 02:24:41.582972
3	2	t	2026-11-24 02:24:41.604545
4	3	t	2026-11-24 02:24:41.620151
5	4	t	2026-11-24 02:24:41.620408
6	5	t	2026-11-24 02:24:41.629256
\.


--
-- Data for Name: setting; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.setting (tenant, name, value) FROM stdin;
default	epoch	\\x31
default	root_key_id	\\x39643065313564663065316563306631
default	canary	\\x01931f552bc5da637a43701fd19dffd950b0ab2b80efd9e37dc55290960c06743b4fafc06d5a14d8c795bb065cdfac33b29f425c925035a2d578
default	keyset	\\x01bf16139e88672e5cb69ccbb02e5d4b67d7f3cb38d16f7f28e14fbe77fbb8dcdb5a3e46f24e36fbcbaedf86a01a842e9474f1562a512d9c1a3eeb9c9d0492c8abc7c7c560a368794c11849b4b03279f235962af49d7889851274b2f7d46c9b7f55e5950f3c8f50fd0d4c1cb7c00b6a3861cdccd785a7f27e64c99dd960d8f396b19d7e02795b2fb833d1047869732d9fda73e52a2e4ab5706670af8dc176f1050ba6e9fef4b0c31e465c00825156ea6bbfcb25c3002a9a412ddc8fe68fcd3f201f4ef5a978f383fa358e5b79472a93ce5903f6255b28ae21c6df1e0cb5315c8af19e2ee785b9f838e87f5c6cee8bb9338fec484981a13c9669c7844b67ad0938cdb9c3462d2c49a05db132c1e5db5
default	account_mode	\\x646576696365
default	audit_chain	\\x7935646f787967707264647a666c64347a72617a6b7266776865
default	witness/9abbe5e056ed977852ad12d140ddb25e	\\x000660fc69b353b6
default	metrics.folded/hfurt6dhfzxva6dakwt2yvq3o4/1	\\x0000000000000001
default	metrics.folded/hfurt6dhfzxva6dakwt2yvq3o4/2	\\x0000000000000001
default	metrics.folded/hfurt6dhfzxva6dakwt2yvq3o4/3	\\x0000000000000001
default	metrics.folded/hfurt6dhfzxva6dakwt2yvq3o4/4	\\x0000000000000001
default	metrics.folded/hfurt6dhfzxva6dakwt2yvq3o4/5	\\x0000000000000001
default	metrics.folded/hfurt6dhfzxva6dakwt2yvq3o4/6	\\x0000000000000001
default	metrics.folded/hfurt6dhfzxva6dakwt2yvq3o4/7	\\x0000000000000001
default	metrics.folded/hfurt6dhfzxva6dakwt2yvq3o4/8	\\x0000000000000001
default	metrics.folded/hfurt6dhfzxva6dakwt2yvq3o4/9	\\x0000000000000001
default	metrics.folded/hfurt6dhfzxva6dakwt2yvq3o4/10	\\x0000000000000001
default	metrics.folded/hfurt6dhfzxva6dakwt2yvq3o4/11	\\x0000000000000001
default	audit_tied	\\x000660fc69bb7d0b
default	metrics.folded/hfurt6dhfzxva6dakwt2yvq3o4/0	\\x000000000000001b
default	beat/hfurt6dhfzxva6dakwt2yvq3o4	\\x2501db2230c3baa3df6a5d80d09668e567a3d4a5a7004347c8e5e053fb31be9d9c1361a8bc497b22696e7374616e6365223a226866757274366468667a7876613664616b777432797671336f34222c226e756d626572223a322c226174223a313739353438373038323235363534332c22636f6e646974696f6e223a22656e646564222c226865616473223a7b2230223a32372c2231223a312c223130223a312c223131223a312c2232223a312c2233223a312c2234223a312c2235223a312c2236223a312c2237223a312c2238223a312c2239223a317d2c2272656164223a6e756c6c7d
\.


--
-- Name: schema_version_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.schema_version_id_seq', 6, true);


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
-- PostgreSQL database dump complete
--

\unrestrict YeyycwgsTkd8x9qXVKaS5fX72MQJ0fWUddiqPxlIla1QVaweMdengMVV635rQPr

