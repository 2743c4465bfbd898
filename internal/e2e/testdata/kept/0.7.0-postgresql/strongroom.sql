--
-- PostgreSQL database dump
--

\restrict WjdtxcOAPL1uOUgr1z8QWg7ydGle7vHPgfJapyeiG0C71N2HeXS1HbRXkkMq76I

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
default	tzlin2vyswdengvvwa2zbartky	device		phone	1795487091614038
default	httbxxr2zopk7vc4ucuf6fem2i	device		tablet	1795487092074109
\.


--
-- Data for Name: attempts; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.attempts (tenant, account_id, type, id, version, failures, locked_until, permanent, recent, pending, mac, verified_at, verified_by, devices, locked_to) FROM stdin;
default	tzlin2vyswdengvvwa2zbartky	TRANSACTION_PIN	ph75tup2d4hensjbbwoufa7qei	2	0	0	f	[]	[]	\\x01b3554c6f2f38611522145475bd60d475defc5c19042d42cad914965a3ca546ad168ed83b	1795487091684086		[]	0
default	httbxxr2zopk7vc4ucuf6fem2i	TRANSACTION_PIN	nf76bqjtl3i5in2a5v6arrzwtu	8	4	0	f	[1795487092100084,1795487092114122,1795487092130932,1795487092140901]	[]	\\x01b3554c6f9afb542e0052bf21f124a62e51c085f041c30a9c8863032b11f1d6187d12cb6b	0		[]	0
\.


--
-- Data for Name: audit_log; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.audit_log (tenant, chain, seq, "time", request_id, actor, event, outcome, operation, failed, count, duration, key_id, account, device, record, version, before, digest, reason, prev, hash) FROM stdin;
default	sraqlsojbdwjwehzwebbsods2u	1	1795487091296163		system	store.initialised	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01b3554c6fd4b1d534de35942b2da00664a0c0a1b2b4049726c19bc1379c00c40408f82d49
default	fsqphmfqg2irgoym2a53jrual4/0	1	1795487091314775		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01b3554c6fd8102b75b5d043b135ca8fe8fdd31d5b7e7631ce08d28a28e62b6203713c6f72
default	fsqphmfqg2irgoym2a53jrual4/1	1	1795487091314775		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01b3554c6ff5b3c0b5aa92cd725f5466967af1835868ed1b135299053c38b7e36f6ebfc3d9
default	fsqphmfqg2irgoym2a53jrual4/2	1	1795487091314775		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01b3554c6f112d42b16bfddcb80384392b44537e08d7e7a3687196ceb640aca3ea2db98f94
default	fsqphmfqg2irgoym2a53jrual4/3	1	1795487091314775		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01b3554c6f3fb92c09cb2f67cb6f56ff0e616f6db58aa6b498f7596818d543d5997d810543
default	fsqphmfqg2irgoym2a53jrual4/4	1	1795487091314775		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01b3554c6f93a4e4616e79036a6483ca692298a6789fc3fb4512383d5a173205a5eee8391b
default	fsqphmfqg2irgoym2a53jrual4/5	1	1795487091314775		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01b3554c6f5c7be3ab33c4216d15e69b9669dd78b46cb7ccd91e7aa0e1ad5ffc48ae3c89ea
default	fsqphmfqg2irgoym2a53jrual4/6	1	1795487091314775		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01b3554c6f005cca48073df9006fea4fcda04e0aba8eb3287db9f7c986cf34cc0b6e2593eb
default	fsqphmfqg2irgoym2a53jrual4/7	1	1795487091314775		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01b3554c6f6a2a90b3c13abf0995e85aa8c6a463dc2cf8c9361b2721fc6ba34e23b1863b34
default	fsqphmfqg2irgoym2a53jrual4/8	1	1795487091314775		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01b3554c6fe099300300dc7861d95a727d7da7776a8b34eb14c2bbb343fbb5af9402200466
default	fsqphmfqg2irgoym2a53jrual4/9	1	1795487091314775		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01b3554c6f3308bb6c3b04fa71304fac905681bf9988b6f5007de16f1f20ea29fdbce8f73d
default	fsqphmfqg2irgoym2a53jrual4/10	1	1795487091314775		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01b3554c6f8839709c8049166e516751eaa4b030ac5dc412610ef196e91e2aa38e12487a2c
default	fsqphmfqg2irgoym2a53jrual4/11	1	1795487091314775		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01b3554c6fedbccb22e3bf79f2efc07fc2f071859ae496471b51fda6395f25a206196d9b71
default	fsqphmfqg2irgoym2a53jrual4/0	2	1795487091316958		system	witness.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x	vm:/tmp/TestDatabasesOfEarlierVersionsOpen3888972488/002/data.witness	\\x01b3554c6fd8102b75b5d043b135ca8fe8fdd31d5b7e7631ce08d28a28e62b6203713c6f72	\\x01b3554c6fd094fc51016e868a3a4e088eca4fc3ddd1cc62ab08f8181116b4c9719b1cdfd0
default	fsqphmfqg2irgoym2a53jrual4/0	3	1795487091320319		system	signing_key.created	ok		f	1	0		\\x	\\x	signing-key/1	0	\\x	\\x	kid iCmf-EPIEyoJOiDqnVXlOyC2RwmVORhCMDe0W3o5i0U	\\x01b3554c6fd094fc51016e868a3a4e088eca4fc3ddd1cc62ab08f8181116b4c9719b1cdfd0	\\x01b3554c6f07b711de3347c74e83925500c1d4e4c8113af6bbdea16961c0f6802af10efc88
default	fsqphmfqg2irgoym2a53jrual4/0	4	1795487091614038	agrawxwktapu6ii6ayqsdbelne	caller	key.issued	ok	generateClientEncryptionKey	f	1	263244	hlovq2oes3sg4ojncnetspru74	\\x6426aaac5dcd63799d2a67f96e4aaac6	\\xd6b21e990ce34fcd35270e8660d6450d	key/hlovq2oes3sg4ojncnetspru74	1	\\x	\\x735254eb9b7440adff07c2cc25d554334b04571feb0fdcb85cb05816509c4704		\\x01b3554c6f07b711de3347c74e83925500c1d4e4c8113af6bbdea16961c0f6802af10efc88	\\x01b3554c6f1dbb1ad542a88813627cd60e1948ab70f60626b4908868076ac9d697d6a7bd4d
default	fsqphmfqg2irgoym2a53jrual4/0	5	1795487091626783	agrawxwlueanaeolnaawguvx6u	caller	credential.set	ok	setUserPasscode	f	1	9786	hlovq2oes3sg4ojncnetspru74	\\x6426aaac5dcd63799d2a67f96e4aaac6	\\xd6b21e990ce34fcd35270e8660d6450d	credential/5v4d5v4a447znxyws6tj4bkeve	1	\\x	\\x37731bd9c6b155d0a38ef029125ea57c23ab93a15dd663c010b22d44ee03f15c		\\x01b3554c6f1dbb1ad542a88813627cd60e1948ab70f60626b4908868076ac9d697d6a7bd4d	\\x01b3554c6ffdb7438e4c3a231ccce86197460ad48bd581817f50a3ef3aea76ea8bd0bd6612
default	fsqphmfqg2irgoym2a53jrual4/0	6	1795487091637677	agrawxwlvxukfnx5y2hbbhuxja	caller	credential.set	ok	setTransactionPin	f	1	8394	hlovq2oes3sg4ojncnetspru74	\\x6426aaac5dcd63799d2a67f96e4aaac6	\\xd6b21e990ce34fcd35270e8660d6450d	credential/oymyfrorahbzqmthvrouwlvcw4	1	\\x	\\x2340c5f0b6a769816faaf1852ae0a3a71d5801eac9db811cd12575faa096341e		\\x01b3554c6ffdb7438e4c3a231ccce86197460ad48bd581817f50a3ef3aea76ea8bd0bd6612	\\x01b3554c6f598a71c7e61d291c8a8f8ee92957c10c913b90a2023dfd2a99268d9bca8bab6c
default	fsqphmfqg2irgoym2a53jrual4/0	7	1795487091669985	agrawxwlxm3dmjcyvbmlroqnka	caller	key.rotated	ok		f	1	0	hlovq2oes3sg4ojncnetspru74	\\x6426aaac5dcd63799d2a67f96e4aaac6	\\xd6b21e990ce34fcd35270e8660d6450d	key/hlovq2oes3sg4ojncnetspru74	2	\\x735254eb9b7440adff07c2cc25d554334b04571feb0fdcb85cb05816509c4704	\\x52a3c37936121da7c856674b4036a2b7287a566caee0596a8c62e7a57258ae82		\\x01b3554c6f598a71c7e61d291c8a8f8ee92957c10c913b90a2023dfd2a99268d9bca8bab6c	\\x01b3554c6ffacd8b8a5bbf63a713bdc7d687b6b70d3821289345657e1f2f9a6607e677a9a2
default	fsqphmfqg2irgoym2a53jrual4/0	8	1795487091669985	agrawxwlxm3dmjcyvbmlroqnka	caller	key.issued	ok	rotateClientEncryptionKey	f	1	27145	6drch5qykq2tzndmb2cahthn2u	\\x6426aaac5dcd63799d2a67f96e4aaac6	\\xd6b21e990ce34fcd35270e8660d6450d	key/6drch5qykq2tzndmb2cahthn2u	1	\\x	\\xa0a29d636c5cb7e2bb7966ae5e8fe581029828b4b3fe82203f0ad4ab14b489bb		\\x01b3554c6ffacd8b8a5bbf63a713bdc7d687b6b70d3821289345657e1f2f9a6607e677a9a2	\\x01b3554c6f1b56c8fa70d1ab494b2dc8993952c2e32babb4f1d71aceaf4393594d694511cd
default	fsqphmfqg2irgoym2a53jrual4/0	9	1795487091684086	agrawxwl3hq3p7ijqu44seznaa	caller	credential.verified	ok	verifyTransactionPin	f	1	11245	6drch5qykq2tzndmb2cahthn2u	\\x6426aaac5dcd63799d2a67f96e4aaac6	\\xd6b21e990ce34fcd35270e8660d6450d	attempts/ph75tup2d4hensjbbwoufa7qei	2	\\x81709a874689eba4a48f6972cde33b53186264c25425f630da64fdf9d3e34b40	\\x59a5bf77e0aa4cda442cc0442589397acc71c605cd69ea094770d989fbf954fd		\\x01b3554c6f1b56c8fa70d1ab494b2dc8993952c2e32babb4f1d71aceaf4393594d694511cd	\\x01b3554c6f13b5112d04b672c6783f34f45edb4020135f60f4e1a48c23a4e1c02c373e3f1e
default	fsqphmfqg2irgoym2a53jrual4/0	10	1795487091854167		system	operations.counted	CREDENTIAL_REJECTED		f	1	2819		\\x	\\x		0	\\x	\\x	setTransactionPin	\\x01b3554c6f13b5112d04b672c6783f34f45edb4020135f60f4e1a48c23a4e1c02c373e3f1e	\\x01b3554c6f085428307ff17a635032d5b0a5eaad45f143476fe761276248acad7dff051f58
default	fsqphmfqg2irgoym2a53jrual4/0	11	1795487091880223		system	chain.tied	ok		f	1	0		\\x	\\x	chain/fsqphmfqg2irgoym2a53jrual4/1	1	\\x	\\x01b3554c6ff5b3c0b5aa92cd725f5466967af1835868ed1b135299053c38b7e36f6ebfc3d9		\\x01b3554c6f085428307ff17a635032d5b0a5eaad45f143476fe761276248acad7dff051f58	\\x01b3554c6f8e0d5ea8b8ed280a56856feb5344626932df35c7433e812fccb183bc8bb86222
default	fsqphmfqg2irgoym2a53jrual4/0	12	1795487091880223		system	chain.tied	ok		f	1	0		\\x	\\x	chain/fsqphmfqg2irgoym2a53jrual4/10	1	\\x	\\x01b3554c6f8839709c8049166e516751eaa4b030ac5dc412610ef196e91e2aa38e12487a2c		\\x01b3554c6f8e0d5ea8b8ed280a56856feb5344626932df35c7433e812fccb183bc8bb86222	\\x01b3554c6fbaaf55b1a824f0c77633ea3574a7e19022dc98c534cdd7391301d2c8bbc20c26
default	fsqphmfqg2irgoym2a53jrual4/0	13	1795487091880223		system	chain.tied	ok		f	1	0		\\x	\\x	chain/fsqphmfqg2irgoym2a53jrual4/11	1	\\x	\\x01b3554c6fedbccb22e3bf79f2efc07fc2f071859ae496471b51fda6395f25a206196d9b71		\\x01b3554c6fbaaf55b1a824f0c77633ea3574a7e19022dc98c534cdd7391301d2c8bbc20c26	\\x01b3554c6f884ebca600cb15132106f72667de1c2bfb6e59b846e97a0cb9e7ce94c9969e71
default	fsqphmfqg2irgoym2a53jrual4/0	14	1795487091880223		system	chain.tied	ok		f	1	0		\\x	\\x	chain/fsqphmfqg2irgoym2a53jrual4/2	1	\\x	\\x01b3554c6f112d42b16bfddcb80384392b44537e08d7e7a3687196ceb640aca3ea2db98f94		\\x01b3554c6f884ebca600cb15132106f72667de1c2bfb6e59b846e97a0cb9e7ce94c9969e71	\\x01b3554c6f97905ce30e263ffcdafe8e9813ee7c1feb14359dc70894cbae22de3b9642cd3d
default	fsqphmfqg2irgoym2a53jrual4/0	15	1795487091880223		system	chain.tied	ok		f	1	0		\\x	\\x	chain/fsqphmfqg2irgoym2a53jrual4/3	1	\\x	\\x01b3554c6f3fb92c09cb2f67cb6f56ff0e616f6db58aa6b498f7596818d543d5997d810543		\\x01b3554c6f97905ce30e263ffcdafe8e9813ee7c1feb14359dc70894cbae22de3b9642cd3d	\\x01b3554c6f5ffc7577dfa24c7f5ce5a78fdf95ee800d276fb595fdae414787724a61357eaa
default	fsqphmfqg2irgoym2a53jrual4/0	16	1795487091880223		system	chain.tied	ok		f	1	0		\\x	\\x	chain/fsqphmfqg2irgoym2a53jrual4/4	1	\\x	\\x01b3554c6f93a4e4616e79036a6483ca692298a6789fc3fb4512383d5a173205a5eee8391b		\\x01b3554c6f5ffc7577dfa24c7f5ce5a78fdf95ee800d276fb595fdae414787724a61357eaa	\\x01b3554c6ffcf5f4a57492c73a3c909a55a5de9445263425fa57031e70fb47eb2595119952
default	fsqphmfqg2irgoym2a53jrual4/0	17	1795487091880223		system	chain.tied	ok		f	1	0		\\x	\\x	chain/fsqphmfqg2irgoym2a53jrual4/5	1	\\x	\\x01b3554c6f5c7be3ab33c4216d15e69b9669dd78b46cb7ccd91e7aa0e1ad5ffc48ae3c89ea		\\x01b3554c6ffcf5f4a57492c73a3c909a55a5de9445263425fa57031e70fb47eb2595119952	\\x01b3554c6f2f04ddc645233bf7ec447cdeb7c7cffd4454f4fada9fcf80e29eb7f2a0011ad1
default	fsqphmfqg2irgoym2a53jrual4/0	18	1795487091880223		system	chain.tied	ok		f	1	0		\\x	\\x	chain/fsqphmfqg2irgoym2a53jrual4/6	1	\\x	\\x01b3554c6f005cca48073df9006fea4fcda04e0aba8eb3287db9f7c986cf34cc0b6e2593eb		\\x01b3554c6f2f04ddc645233bf7ec447cdeb7c7cffd4454f4fada9fcf80e29eb7f2a0011ad1	\\x01b3554c6f6d6db64d1161691d8b1eba19b4c171d466406bbff5b4c6f96fa3335b4c8360da
default	fsqphmfqg2irgoym2a53jrual4/0	19	1795487091880223		system	chain.tied	ok		f	1	0		\\x	\\x	chain/fsqphmfqg2irgoym2a53jrual4/7	1	\\x	\\x01b3554c6f6a2a90b3c13abf0995e85aa8c6a463dc2cf8c9361b2721fc6ba34e23b1863b34		\\x01b3554c6f6d6db64d1161691d8b1eba19b4c171d466406bbff5b4c6f96fa3335b4c8360da	\\x01b3554c6f24607d30579a1664c637fcebc9d18e75ea6f128824c1a54d7fa8ec8e431b167b
default	fsqphmfqg2irgoym2a53jrual4/0	20	1795487091880223		system	chain.tied	ok		f	1	0		\\x	\\x	chain/fsqphmfqg2irgoym2a53jrual4/8	1	\\x	\\x01b3554c6fe099300300dc7861d95a727d7da7776a8b34eb14c2bbb343fbb5af9402200466		\\x01b3554c6f24607d30579a1664c637fcebc9d18e75ea6f128824c1a54d7fa8ec8e431b167b	\\x01b3554c6f10ac11c0e5e418a075d248ba7cb894d6c4b043b6b10165f4be326b8683d36d4c
default	fsqphmfqg2irgoym2a53jrual4/0	21	1795487091880223		system	chain.tied	ok		f	1	0		\\x	\\x	chain/fsqphmfqg2irgoym2a53jrual4/9	1	\\x	\\x01b3554c6f3308bb6c3b04fa71304fac905681bf9988b6f5007de16f1f20ea29fdbce8f73d		\\x01b3554c6f10ac11c0e5e418a075d248ba7cb894d6c4b043b6b10165f4be326b8683d36d4c	\\x01b3554c6f74d96777448c8640e6092c29baacc6767b2fbf704025c36b38a76e08b5ed7cb3
default	fsqphmfqg2irgoym2a53jrual4/0	22	1795487091880223		system	chain.tied	ok		f	1	0		\\x	\\x	chain/sraqlsojbdwjwehzwebbsods2u	1	\\x	\\x01b3554c6fd4b1d534de35942b2da00664a0c0a1b2b4049726c19bc1379c00c40408f82d49		\\x01b3554c6f74d96777448c8640e6092c29baacc6767b2fbf704025c36b38a76e08b5ed7cb3	\\x01b3554c6ffe789f84111255edd22332f0ca7a23e31c9288c4abf9c2b0e9384e9f05781dca
default	fsqphmfqg2irgoym2a53jrual4/0	23	1795487092074109	agrawxwl42o6gbpzjtpzm3gcuu	caller	key.issued	ok	generateClientEncryptionKey	f	1	389221	qh4q2faw4oukbgdvfo7qopzc2q	\\xff23237391c65e60ec68d5a6a0037fa6	\\x9104824d6c9a76a236258e265e3f4557	key/qh4q2faw4oukbgdvfo7qopzc2q	1	\\x	\\x40660ad00b3067e53a9ab9a852174f4b3d37c15b5b6a633847ce964bc85dae3b		\\x01b3554c6ffe789f84111255edd22332f0ca7a23e31c9288c4abf9c2b0e9384e9f05781dca	\\x01b3554c6fe5d01b086bc5891c75ea518f1780700d4588bf62ecd0bc0728d763a1e36d4431
default	fsqphmfqg2irgoym2a53jrual4/0	24	1795487092088128	agrawxwnn72l7gbznqlnsd3ika	caller	credential.set	ok	setTransactionPin	f	1	9062	qh4q2faw4oukbgdvfo7qopzc2q	\\xff23237391c65e60ec68d5a6a0037fa6	\\x9104824d6c9a76a236258e265e3f4557	credential/k6heslclo7yu4ooyrpud5y6tsm	1	\\x	\\xa2152705df586cbd1d9b6e6fa892a75a9c2746bece5fb70c319bb15aa5e51043		\\x01b3554c6fe5d01b086bc5891c75ea518f1780700d4588bf62ecd0bc0728d763a1e36d4431	\\x01b3554c6f20683e9212ee746ee1792a6db09ce12f3fb1ba26298f341b4f152962f919481e
default	fsqphmfqg2irgoym2a53jrual4/0	25	1795487092100084	agrawxwnpi3bahzfgoi6qcxvz4	caller	credential.mismatch	mismatch	verifyTransactionPin	f	1	9987	qh4q2faw4oukbgdvfo7qopzc2q	\\xff23237391c65e60ec68d5a6a0037fa6	\\x9104824d6c9a76a236258e265e3f4557	attempts/nf76bqjtl3i5in2a5v6arrzwtu	2	\\xb2533dad0d0384154a093e43b53f04af7d531d4ed4dc4f6d7f0c60fb9be1c46c	\\x990ee9fc0c250079e835f2b86cdc261123f51b13fc229fc6eab4d07b2aa3922f		\\x01b3554c6f20683e9212ee746ee1792a6db09ce12f3fb1ba26298f341b4f152962f919481e	\\x01b3554c6f218f9944a24fb00e6167da460b45d8f80d8b9fbeb2eeb0e2a05ad0ea579645aa
default	fsqphmfqg2irgoym2a53jrual4/0	26	1795487092114122	agrawxwnq7itm7gqjb3ctgw2zu	caller	credential.mismatch	mismatch	verifyTransactionPin	f	1	10675	qh4q2faw4oukbgdvfo7qopzc2q	\\xff23237391c65e60ec68d5a6a0037fa6	\\x9104824d6c9a76a236258e265e3f4557	attempts/nf76bqjtl3i5in2a5v6arrzwtu	4	\\x990ee9fc0c250079e835f2b86cdc261123f51b13fc229fc6eab4d07b2aa3922f	\\xcb7ef2f1b427eda620993f3c7f34b17d05f2ddf22e191bab26df7d93f2c365f5		\\x01b3554c6f218f9944a24fb00e6167da460b45d8f80d8b9fbeb2eeb0e2a05ad0ea579645aa	\\x01b3554c6f233252e7e93ff7dd9f9a7b8b798fb86d59b673cd4ff3eebddc086bf9e7e8aa7e
default	fsqphmfqg2irgoym2a53jrual4/0	27	1795487092130932	agrawxwnsqjzybt3gwhcmg24t4	caller	credential.mismatch	mismatch	verifyTransactionPin	f	1	14973	qh4q2faw4oukbgdvfo7qopzc2q	\\xff23237391c65e60ec68d5a6a0037fa6	\\x9104824d6c9a76a236258e265e3f4557	attempts/nf76bqjtl3i5in2a5v6arrzwtu	6	\\xcb7ef2f1b427eda620993f3c7f34b17d05f2ddf22e191bab26df7d93f2c365f5	\\x448ceab79d22c8ef8ac4ee4f8bae4ec3845ea5b8f5d3edaf9191231fa0221060		\\x01b3554c6f233252e7e93ff7dd9f9a7b8b798fb86d59b673cd4ff3eebddc086bf9e7e8aa7e	\\x01b3554c6f0f382d7b7a7a038f2c00533d117a6f870f1bfdb7d825950d1bdad4071bd4ec0c
default	fsqphmfqg2irgoym2a53jrual4/0	28	1795487092140901	agrawxwnurxlkib2nds52k47di	caller	credential.mismatch	mismatch	verifyTransactionPin	f	1	8139	qh4q2faw4oukbgdvfo7qopzc2q	\\xff23237391c65e60ec68d5a6a0037fa6	\\x9104824d6c9a76a236258e265e3f4557	attempts/nf76bqjtl3i5in2a5v6arrzwtu	8	\\x448ceab79d22c8ef8ac4ee4f8bae4ec3845ea5b8f5d3edaf9191231fa0221060	\\x8c5575661040bff604fcda1d70b771607c5511807c48ec13dd2f4ee8db30913d		\\x01b3554c6f0f382d7b7a7a038f2c00533d117a6f870f1bfdb7d825950d1bdad4071bd4ec0c	\\x01b3554c6f43b2a00d9c7ba07096650869747223e68c367748991a6e493b48c496c0becbc8
\.


--
-- Data for Name: bucket; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.bucket (tenant, width, start, instance, operations, failures, duration, devices, durations) FROM stdin;
default	60000000	1795487040000000	fsqphmfqg2irgoym2a53jrual4	12	1	764690	\\x019104824d6c9a76a2d6b21e990ce34fcd	\\x015c010b010001000100020002020106011a010301
default	3600000000	1795485600000000	fsqphmfqg2irgoym2a53jrual4	12	1	764690	\\x019104824d6c9a76a2d6b21e990ce34fcd	\\x015c010b010001000100020002020106011a010301
default	86400000000	1795478400000000	fsqphmfqg2irgoym2a53jrual4	12	1	764690	\\x019104824d6c9a76a2d6b21e990ce34fcd	\\x015c010b010001000100020002020106011a010301
default	2419200000000	1795046400000000	fsqphmfqg2irgoym2a53jrual4	12	1	764690	\\x019104824d6c9a76a2d6b21e990ce34fcd	\\x015c010b010001000100020002020106011a010301
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
default	tzlin2vyswdengvvwa2zbartky	PASSCODE	5v4d5v4a447znxyws6tj4bkeve	1	1795487091626783	1795487091626783	\\x010136bd39be351d024648241304967cc1100de706ab83029145dd608979b6e49c0b3fd381a057d2b89764ea18d68e235a9db4eb640124158dc397f54c0b015c919fb722212a9b84ec6a224b3917095c0d6a146715da3b30a115660fa8d83d39bc866956bbd3efd9
default	tzlin2vyswdengvvwa2zbartky	TRANSACTION_PIN	oymyfrorahbzqmthvrouwlvcw4	1	1795487091637677	1795487091637677	\\x010136bd39be305105be034ea7770373863e95169f45755516dab63327199f4ae48e9bf9f97d9501a43b316eed50682a5686d4d630238e6c91b45c0393830ecb96e71c8589e3c4fe622c473b6cb28b599b8d01bd9891545a828f833d575899190c240bb40d264fa4
default	httbxxr2zopk7vc4ucuf6fem2i	TRANSACTION_PIN	k6heslclo7yu4ooyrpud5y6tsm	1	1795487092088128	1795487092088128	\\x010136bd39be297fcb4778bcd4b0e8d05fbf7d019c53a238c1f46ad1b43187f196aaa971a421c24ad4910a210e855085e8dee4b591af1921a008a88189b59aab67299cbef6e9fc6580957fb2949d8006795c97f8fb83340d6f24008685222c279a2d2a1b8f58dafa
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
default	tzlin2vyswdengvvwa2zbartky	hlovq2oes3sg4ojncnetspru74	phone	invalidated	2	RSA-OAEP-256	3072		1795487091614038	0	1795487091669985	0	\\x01b3554c6fed936d08062b5fd0b9dabe3a1910366304a9e7199bead10eb15f09b9f4e27ca2	\\x308201a2300d06092a864886f70d01010105000382018f003082018a0282018100c1335768e53a687628350659f9c46262e583b393df9cc55e24dc6dd6c43e6bede4b99b9b4e75bda3f47b6d902853af199c84d6783ad26b185f2f838ae2eeee4bbe40e7c68b0d7cff853f003b494c28cd0aa573ce9f87873a6b625cf99c01799bc7121fa58e8da732e921d4149f200a0f262017139044290e35c5f5d3517c7ced49e3d8a615ac24e4223be8bf068c230519d035e690b2580c5ff4b7c2866c13bd0bac81d9a714616aa822cc8a56fda61547887c869918ef02e7bc6703738dac04911e7db7c3753a128de391465b544fd90b315a00145b908830b5e8f052104973c7080c203af7eb9df50467eaef21c57abcea4527f1236aa3337b0716568ce244b0c7413c96f65f16487705cc9b270c97cc6b9237d5c486a1573c9232124f7d46941c4194ecf95ffeb34b48db7b690e8d17e993ef8618a6820b1712e147d136dcf1531942118d24daf024d909c2930411cf6826330f332f120a316e1e5b3fa695c8bff331a276a81672b9cf8916a6e3a7f51f0fedfafbe7fcfa619758d5ce3be10203010001	\\x	
default	tzlin2vyswdengvvwa2zbartky	6drch5qykq2tzndmb2cahthn2u	phone	active	1	RSA-OAEP-256	3072		1795487091669985	0	0	0	\\x01b3554c6f1d94194dc9c2e4c6a2d9b5be9bee58547843a3f09cc9e5a25bd8e0295e7d11ff	\\x308201a2300d06092a864886f70d01010105000382018f003082018a0282018100cd8c18ce56eb8b0068c79dc4c5865461bffd8f221eda1556dca1c0d7ddc2bb1c9090e6eeb2e17a75914c8256eda45cc41c0ef33a765ca914bbb27917acde989d6be2dd4ecd17e6991ea0ca00579b732c6349e8c54a4db0f8e550cf34a6028703cbb108fc72a7d6c08f3cfd195b6989307caa6358b9ce2ea214a4f774f7e04a03e224aae541e04c4f16fae024234de5db152caefd94b53518c46279de62a0d58f4f1af48a417ae37cb6606c6e454a8fe65a3dc07edc93ffa956aa2d94239c13a45bd7d196fb520ca2acae60f535a7acfea9edd6fd9500b388ce6a810713eb2c8f0b4f621722c415eff2ec7f231d28023cda3aefc6820db9115e1f52aed73e1ba756225118bf9fe1db51e47f4f87cff755014e8f46345fc72952a07554d7b8ebcd16ea8bbf038182ad88d5176e5acbfe364e387fab645af00a4aab92ab5190f9ed5d66f11ace3f383abf9e6dcd8da6624dfa0cce19b6d61844a96daedb4aa330efecc4ac2ca87aece27b6c8372b250c0c971357907ca5cede6b1609e73fe2a79470203010001	\\x010136bd39bec76ca7d06c9b378d2a519f19f74ff152fb9a93fe2867375b62742e3092b83ffa2c6254978697e31575d20da17c1bea9ced22342ff77ea3329f7f710d3d64d868c9a474325b5708292d12205beee4cf18d6fbd8d28371029aaf3e88bbaba36b774a044f126cb76fe7cccc995f8cf21f3ffcf2c571dfb949dcd2863c9ed4bf178fafd09ef968bd8bea033b517515aa93f9d61891d3375f08c7c9065e7637ac604cae4be2f162912685b77f00521c2d5290e97d1152c60dd839073e569ee1cd34c17d894ef65b1cad2397f529ed80d9ad2cfb810d3a8fd24d2af4ab4ef60ff31bf4b3feafda7432486141b55ad3a68289f69ac10b6f886ff06b8c4b83bbefc4ff3661d12a7f2fb68ba69b49e4bc2e8957f0db8c91ec204544e0ce50ecdc97872b4558742d0aa6db8088e50fc93878977da262590a43465bb47280a07a70714548a11fcf64bfe40f89dc0e45d4f5678ae06c050513bde54fd6d07fd8a25f1c8be9d01b0e5a5ab7b3271bb8e751fcef78d67ee8570fdce26a55bc42709f82e717788fce6467dd932dee634b3392d8181745c810eb0e4baca2e9f669a4e011c01f04f5633a2582c1dec619b9	
default	httbxxr2zopk7vc4ucuf6fem2i	qh4q2faw4oukbgdvfo7qopzc2q	tablet	active	1	RSA-OAEP-256	3072		1795487092074109	0	0	0	\\x01b3554c6fadf6f47d18b53c4094e294142edeb0cbc9616a81abe4b7fdc9952e26bda754f7	\\x308201a2300d06092a864886f70d01010105000382018f003082018a0282018100e6872fe94ed61c40943e598baa31d24ccbedf2694b22e10d88a5c3f6c3a4ecc56c0edd8fffa55f1b258b92cf6f455d79dbfe438f5861e344a86e30f54ff96e0c40c623ad3c1b8fafccfc1f80f1afa98b20d0646d17f813f23f89fd56897120d271887cc9fe8b8d4adf6c6fbb2e26b43890fe5e4ab585af3a546e94d77b6bfd4cf0f6663e68e2487ffd1b27df09ce080058e439ec0bba86d1d1f33478804d2d48dd75ebc4a1c37e98e59a22db6b96a151ddfaaa7df634ed26152ad21fac1d3931ca11b8948483d94f82a0e85461483eadc65702c0bf5f1ece4ce11f01fa0aec4a4274f622e0d334486f08d5ef389bb2826e0a0b9351f3b418bf41ac916d95cce3de90d14c2da90e6de25a32b84332fa3f7a009157b61fed378a4f51df1b6c5d11c0b6b97f66ffbfa790f067bd2328c54510e64d82d0f091c177553657dad6d76197eba4a7c9e8f98a93f37d048a1ffa62fa23d0f698906ca558d8efc55abaef1fdbd468815b4b3df447416599ab808fc79433de403e6abe825691e08166dd1f110203010001	\\x010136bd39be80e929f78c17ae29c32dfbd4c40f9218f55225c8bd22e229afea27ede4c4776481f30650e454c426222b0c2a95c025ec1683347089443fbfbeaf788d5d72d0e444a7961f17092182e4dd13c69a97158eac18ef78f9363c1140743039476bd6fa0dbcdbf467960318adf28b8d6bbf02b0a6251e571f8cc6a9abd3f638bfde52ebc0676d647eb3094bfc2f49da8c96af59bbba6effaa9c040696e8f25de12bd466495e56c94a4f0becb163ac66a476527242418356e299c80de8d954deddd2ab856aa01dd7c100a8c603e08077c290d974a023123d434b046673534455d7e0a89be545f941c0b1c24c78c321b1ebfa959df2ad1fe4f0565b4a32706a7b9f60460bba327c73fb8f2e236d1c21c79df08c19d5023504de8b02f5cfaf7815a196d32ecca438965c9d493f0ab52ed5d4c5dfb70d1f5e734d2328a7bea2a50e002544ec697bda976d8be1e9c70238afff4475cc87334437cdc538882f0c0ef5ebff2ceea9eed0ea0620812eb56ab7e8e04ed6ba96d24f9479c64cf66ef26b0a701eba43ab2c66824394c022d57b0356284090ce59cf4085b2500446c9a8b2ebaed97f7a28da5d414f72e1459e	
\.


--
-- Data for Name: key_account; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.key_account (tenant, key_id, account_id) FROM stdin;
default	hlovq2oes3sg4ojncnetspru74	tzlin2vyswdengvvwa2zbartky
default	6drch5qykq2tzndmb2cahthn2u	tzlin2vyswdengvvwa2zbartky
default	qh4q2faw4oukbgdvfo7qopzc2q	httbxxr2zopk7vc4ucuf6fem2i
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
default	tzlin2vyswdengvvwa2zbartky	hlovq2oes3sg4ojncnetspru74	1795485600000000
default	tzlin2vyswdengvvwa2zbartky	6drch5qykq2tzndmb2cahthn2u	1795485600000000
default	httbxxr2zopk7vc4ucuf6fem2i	qh4q2faw4oukbgdvfo7qopzc2q	1795485600000000
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
4097083626	f	\N	\N	\N	2026-11-24 02:24:51.282511+00
\.


--
-- Data for Name: schema_version; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.schema_version (id, version_id, is_applied, tstamp) FROM stdin;
1	0	t	2026-11-24 02:24:51.181351
2	1	t	2026-11-24 02:24:51.208743
3	2	t	2026-11-24 02:24:51.241649
4	3	t	2026-11-24 02:24:51.261356
5	4	t	2026-11-24 02:24:51.26163
6	5	t	2026-11-24 02:24:51.271703
7	6	t	2026-11-24 02:24:51.272565
8	7	t	2026-11-24 02:24:51.275463
9	8	t	2026-11-24 02:24:51.275959
10	9	t	2026-11-24 02:24:51.278709
\.


--
-- Data for Name: setting; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.setting (tenant, name, value) FROM stdin;
default	epoch	\\x31
default	canary	\\x01dc38f266e09536049e98fe70909e7562ae01651e787222e04928eaf8b04fc02ce4c037f5e4cd453d13f63dfca65dd29beb59c1fbc9fb04ed18
default	keyset	\\x01bbd7491e547253000bbe618c49c8daff2fca2e41c07a4091e27cedfcb57399647f34af6b4409f33c127027012acb31045985f150ddfe03ace3e95d9a7d8b756d86a7b4dec8c566cf742720318ff6d002722514efba0ec7d271cf07a8f6e0a24f0e64a7e1957da611fbef7a07a187419c22eb9e8efc7d0a8e145bcc1ad7c714ea34c08176f2822de5e9d3ca7a55371854eb7f05ddf91e6766420958c7c6579a1e21d69a3216d13b2970f850444bc497be1cf353a4547cb41241b8c1928dc050205d7635ada5dd3c0811448570d314f68f98000489454ddafbba04a9dabd0f600b4808ca45068b438900c1cd47892f01505484dfd890c350a3938b7eb777eaa885882c83bbe8fbdb8cf7c051dd04dd
default	account_mode	\\x646576696365
default	audit_chain	\\x737261716c736f6a6264776a7765687a77656262736f64733275
default	root_key_id	\\x64366231653939616138653739666335
default	witness/158dd07f9bfa8a0a9745ad8c20dde987	\\x000660fc6a46d8de
default	metrics.folded/fsqphmfqg2irgoym2a53jrual4/1	\\x0000000000000001
default	metrics.folded/fsqphmfqg2irgoym2a53jrual4/2	\\x0000000000000001
default	metrics.folded/fsqphmfqg2irgoym2a53jrual4/3	\\x0000000000000001
default	metrics.folded/fsqphmfqg2irgoym2a53jrual4/4	\\x0000000000000001
default	metrics.folded/fsqphmfqg2irgoym2a53jrual4/5	\\x0000000000000001
default	metrics.folded/fsqphmfqg2irgoym2a53jrual4/6	\\x0000000000000001
default	metrics.folded/fsqphmfqg2irgoym2a53jrual4/7	\\x0000000000000001
default	metrics.folded/fsqphmfqg2irgoym2a53jrual4/8	\\x0000000000000001
default	metrics.folded/fsqphmfqg2irgoym2a53jrual4/9	\\x0000000000000001
default	metrics.folded/fsqphmfqg2irgoym2a53jrual4/10	\\x0000000000000001
default	metrics.folded/fsqphmfqg2irgoym2a53jrual4/11	\\x0000000000000001
default	audit_tied	\\x000660fc6a4f711f
default	metrics.folded/fsqphmfqg2irgoym2a53jrual4/0	\\x000000000000001c
default	beat/fsqphmfqg2irgoym2a53jrual4	\\x2501b3554c6f6b3407c736ac316b79161d7c042c66b00531bcfa978d1503d7fa161c7fe10a357b22696e7374616e6365223a2266737170686d667167326972676f796d326135336a7275616c34222c226e756d626572223a322c226174223a313739353438373039323134363237352c22636f6e646974696f6e223a22656e646564222c226865616473223a7b2230223a32382c2231223a312c223130223a312c223131223a312c2232223a312c2233223a312c2234223a312c2235223a312c2236223a312c2237223a312c2238223a312c2239223a317d2c2272656164223a6e756c6c7d
\.


--
-- Data for Name: signing_key; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.signing_key (tenant, number, id, algorithm, version, created_at, active_from, erased_at, mac, public_key, sealed) FROM stdin;
default	1	iCmf-EPIEyoJOiDqnVXlOyC2RwmVORhCMDe0W3o5i0U	ES256	1	1795487091320319	1795487091320319	0	\\x01b3554c6f6bccec78a58aaa32e95d97a730a1d69ed3f3ca20fb320a83d8209ff804f362fb	\\x3059301306072a8648ce3d020106082a8648ce3d030107034200046e67c2e1cefe739b2f8974269065a53f4405e0ebcdcfe6733dbd8000bf454ee60852bb46d04d8843d1f9a137d6916e8287b7fdfa4b0d6a309dde3e02d98b9434	\\x010136bd39be766f934e9255342db444fca12ece3dde8c92085c4d84307074215d9aa9cb88a0d623e165bafdf84fd3cc6206cd15c13e0e04af46e9b7537f8df7d4676e01014e740085f62735ef80fb6ac0e87210a82f0d596ef64192e031f1a9cb30163422cd68e7466b28a8330335c97d8482eb75e1996ab27c98b1d14bf5d0a47b58670d33c3178def96b5df858e2c341bce53503b530b23e6ab48800b463c578b368b156bf67c4c0c8830c3d0ec4027d2bac0882dacc7
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

\unrestrict WjdtxcOAPL1uOUgr1z8QWg7ydGle7vHPgfJapyeiG0C71N2HeXS1HbRXkkMq76I

