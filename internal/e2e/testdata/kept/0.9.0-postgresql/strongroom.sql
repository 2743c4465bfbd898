--
-- PostgreSQL database dump
--

\restrict iAWjAZ7rOHiHiASsGhMUYfMGugxViDdyEicAGVj1FszkeiEzEoUfJRhOCJMPDj5

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
default	d3xeika2ebkegoltqa3e4wagsm	device		phone	1795653776955357
default	are2ad6drezdun5s4nwpp6otfq	device		tablet	1795653777654829
\.


--
-- Data for Name: attempts; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.attempts (tenant, account_id, type, id, version, failures, locked_until, permanent, recent, pending, mac, verified_at, verified_by, devices, locked_to) FROM stdin;
default	d3xeika2ebkegoltqa3e4wagsm	TRANSACTION_PIN	eqozawedxzjxsy2c5gcj6fij3y	2	0	0	f	[]	[]	\\x017820ef9406c8ae7a9fe7576d3e821892e41849760b5473d74d7063e05427459ae25f549a	1795653777485790		[]	0
default	are2ad6drezdun5s4nwpp6otfq	TRANSACTION_PIN	ukhkswsomyt7alnghncvne42hy	8	4	0	f	[1795653777683265,1795653777701406,1795653777718263,1795653777735948]	[]	\\x017820ef94cecc2dfad8fa1c029bdc16a88b4e26e7d2c05571aa0d350ce824593f6267406c	0		[]	0
\.


--
-- Data for Name: audit_log; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.audit_log (tenant, chain, seq, "time", request_id, actor, event, outcome, operation, failed, count, duration, key_id, account, device, record, version, before, digest, reason, prev, hash) FROM stdin;
default	svesnktebucnpjbplrcsmelpga	1	1795653776320670		system	store.initialised	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x017820ef947dcfc15bd80d11695393eca40486297255a3f27f7e5f60797ac962acaa6f9262
default	wg26oggb2zrml4uf3xxbjcafg4/0	1	1795653776335085		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x017820ef94121d98450480b26a1cbc37914ce977ca5671bb04e4944ca8b273429b7f9658d7
default	wg26oggb2zrml4uf3xxbjcafg4/1	1	1795653776335085		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x017820ef941dcefff2398c23d74b3052841050aaae19dbb0c8d411ec3154abcdcca583ba2a
default	wg26oggb2zrml4uf3xxbjcafg4/2	1	1795653776335085		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x017820ef94c19956ffe24b7d454dc83ba0258fa40a583fdcd87ebc0aa8b0104b9e1e8cb523
default	wg26oggb2zrml4uf3xxbjcafg4/3	1	1795653776335085		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x017820ef9444e76c8f09151e1f29f0758c300408abfdbfcc5f7fdc6ff890a4d064e83e4c19
default	wg26oggb2zrml4uf3xxbjcafg4/4	1	1795653776335085		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x017820ef94c4622fb3f56742412d936f1b23fad703c8c4920f82efbf5aea4a6e1edd5490cf
default	wg26oggb2zrml4uf3xxbjcafg4/5	1	1795653776335085		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x017820ef9451b580fa6e2dbf377b94e337bdf0f5e37fcd1d3cc60887689ffc975b1360c227
default	wg26oggb2zrml4uf3xxbjcafg4/6	1	1795653776335085		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x017820ef9422c89cc279e9b56b47a0b55ffed8dd65633ca7d763181ae9bf08e8ec070aa158
default	wg26oggb2zrml4uf3xxbjcafg4/7	1	1795653776335085		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x017820ef94c94526277e6220352c816b8caff50abae191355b5d56f6179952f01081917943
default	wg26oggb2zrml4uf3xxbjcafg4/8	1	1795653776335085		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x017820ef94efbe36abf3e52c77d914c11718ae4e67e848c55084e4b632223db885d6bd0a7e
default	wg26oggb2zrml4uf3xxbjcafg4/9	1	1795653776335085		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x017820ef941b5373a11692d5ded3b5644cfe2551bd20ae0101d0e47ba412469de76968524c
default	wg26oggb2zrml4uf3xxbjcafg4/10	1	1795653776335085		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x017820ef9480c6f6152004e7cf395fa268bed392d028b99e3f10b3a669a3cb3e3c44fbc0b3
default	wg26oggb2zrml4uf3xxbjcafg4/11	1	1795653776335085		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x017820ef941a3fe50be7e1993bc4d18dc727fb820c5098da8d629468dce8a611c4ab39fb21
default	wg26oggb2zrml4uf3xxbjcafg4/0	2	1795653776337822		system	witness.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x	vm:/tmp/TestDatabasesOfEarlierVersionsOpen2710479182/002/data.witness	\\x017820ef94121d98450480b26a1cbc37914ce977ca5671bb04e4944ca8b273429b7f9658d7	\\x017820ef948cd8048c112102db506022c94c1697d80290a5a103317e09c568a0caae70918d
default	wg26oggb2zrml4uf3xxbjcafg4/0	3	1795653776343663		system	signing_key.created	ok		f	1	0		\\x	\\x	signing-key/1	0	\\x	\\x	kid lxbyTxjzmMxPNgG2pDTAKpJMTS1iND9F0l20mXvvqa0	\\x017820ef948cd8048c112102db506022c94c1697d80290a5a103317e09c568a0caae70918d	\\x017820ef94bf89fe149d7cad47a27298b7b5aea09d2d423e904224e2509117352d6e5e3cb1
default	wg26oggb2zrml4uf3xxbjcafg4/0	4	1795653776938226		system	chain.tied	ok		f	1	0		\\x	\\x	chain/svesnktebucnpjbplrcsmelpga	1	\\x	\\x017820ef947dcfc15bd80d11695393eca40486297255a3f27f7e5f60797ac962acaa6f9262		\\x017820ef94bf89fe149d7cad47a27298b7b5aea09d2d423e904224e2509117352d6e5e3cb1	\\x017820ef94a8b445cc9aa1b19d57a4ecd7def0ad555b563d950198fd6daf483d177f4b8c62
default	wg26oggb2zrml4uf3xxbjcafg4/0	5	1795653776938226		system	chain.tied	ok		f	1	0		\\x	\\x	chain/wg26oggb2zrml4uf3xxbjcafg4/1	1	\\x	\\x017820ef941dcefff2398c23d74b3052841050aaae19dbb0c8d411ec3154abcdcca583ba2a		\\x017820ef94a8b445cc9aa1b19d57a4ecd7def0ad555b563d950198fd6daf483d177f4b8c62	\\x017820ef94eb8587b760716881c7eccc6a1b4135d22157256c7a4659b08aa6b101e9632286
default	wg26oggb2zrml4uf3xxbjcafg4/0	6	1795653776938226		system	chain.tied	ok		f	1	0		\\x	\\x	chain/wg26oggb2zrml4uf3xxbjcafg4/10	1	\\x	\\x017820ef9480c6f6152004e7cf395fa268bed392d028b99e3f10b3a669a3cb3e3c44fbc0b3		\\x017820ef94eb8587b760716881c7eccc6a1b4135d22157256c7a4659b08aa6b101e9632286	\\x017820ef94bd2171e22d95629319e5cff6870a3a808f592504cf91f15aee416d2b3df1c192
default	wg26oggb2zrml4uf3xxbjcafg4/0	7	1795653776938226		system	chain.tied	ok		f	1	0		\\x	\\x	chain/wg26oggb2zrml4uf3xxbjcafg4/11	1	\\x	\\x017820ef941a3fe50be7e1993bc4d18dc727fb820c5098da8d629468dce8a611c4ab39fb21		\\x017820ef94bd2171e22d95629319e5cff6870a3a808f592504cf91f15aee416d2b3df1c192	\\x017820ef94a2db1ad5b9151c1a469c1fa62dea8edd5f1cabd71102409e90cdf7b0dde3b38b
default	wg26oggb2zrml4uf3xxbjcafg4/0	8	1795653776938226		system	chain.tied	ok		f	1	0		\\x	\\x	chain/wg26oggb2zrml4uf3xxbjcafg4/2	1	\\x	\\x017820ef94c19956ffe24b7d454dc83ba0258fa40a583fdcd87ebc0aa8b0104b9e1e8cb523		\\x017820ef94a2db1ad5b9151c1a469c1fa62dea8edd5f1cabd71102409e90cdf7b0dde3b38b	\\x017820ef94a0f19ee3900bae5268092a3b680f12eb3315a8936e99cecb9d844c33b1e4a068
default	wg26oggb2zrml4uf3xxbjcafg4/0	9	1795653776938226		system	chain.tied	ok		f	1	0		\\x	\\x	chain/wg26oggb2zrml4uf3xxbjcafg4/3	1	\\x	\\x017820ef9444e76c8f09151e1f29f0758c300408abfdbfcc5f7fdc6ff890a4d064e83e4c19		\\x017820ef94a0f19ee3900bae5268092a3b680f12eb3315a8936e99cecb9d844c33b1e4a068	\\x017820ef9419e35c199f99754ee66e438fc062b40521836611155e9412e8b73d0ad76070cc
default	wg26oggb2zrml4uf3xxbjcafg4/0	10	1795653776938226		system	chain.tied	ok		f	1	0		\\x	\\x	chain/wg26oggb2zrml4uf3xxbjcafg4/4	1	\\x	\\x017820ef94c4622fb3f56742412d936f1b23fad703c8c4920f82efbf5aea4a6e1edd5490cf		\\x017820ef9419e35c199f99754ee66e438fc062b40521836611155e9412e8b73d0ad76070cc	\\x017820ef9472db891b6d9413a8e1cb07a270f38dc8a6f79bd45f3099988f34fd44e406da8b
default	wg26oggb2zrml4uf3xxbjcafg4/0	11	1795653776938226		system	chain.tied	ok		f	1	0		\\x	\\x	chain/wg26oggb2zrml4uf3xxbjcafg4/5	1	\\x	\\x017820ef9451b580fa6e2dbf377b94e337bdf0f5e37fcd1d3cc60887689ffc975b1360c227		\\x017820ef9472db891b6d9413a8e1cb07a270f38dc8a6f79bd45f3099988f34fd44e406da8b	\\x017820ef941cdd9a309e5d951e7a83c4ddf2b2ee95d5b651254e3fab7b8f93ac6e9cf798fe
default	wg26oggb2zrml4uf3xxbjcafg4/0	12	1795653776938226		system	chain.tied	ok		f	1	0		\\x	\\x	chain/wg26oggb2zrml4uf3xxbjcafg4/6	1	\\x	\\x017820ef9422c89cc279e9b56b47a0b55ffed8dd65633ca7d763181ae9bf08e8ec070aa158		\\x017820ef941cdd9a309e5d951e7a83c4ddf2b2ee95d5b651254e3fab7b8f93ac6e9cf798fe	\\x017820ef9421ea2a6c1fd40c7bbbaee0881016f8007808efca0d4d8440c4b50b03af58c681
default	wg26oggb2zrml4uf3xxbjcafg4/0	13	1795653776938226		system	chain.tied	ok		f	1	0		\\x	\\x	chain/wg26oggb2zrml4uf3xxbjcafg4/7	1	\\x	\\x017820ef94c94526277e6220352c816b8caff50abae191355b5d56f6179952f01081917943		\\x017820ef9421ea2a6c1fd40c7bbbaee0881016f8007808efca0d4d8440c4b50b03af58c681	\\x017820ef9406f6b613f7741ac3a421b1bd407f4045f99e002b02335f8ff3a14e476cb1245d
default	wg26oggb2zrml4uf3xxbjcafg4/0	14	1795653776938226		system	chain.tied	ok		f	1	0		\\x	\\x	chain/wg26oggb2zrml4uf3xxbjcafg4/8	1	\\x	\\x017820ef94efbe36abf3e52c77d914c11718ae4e67e848c55084e4b632223db885d6bd0a7e		\\x017820ef9406f6b613f7741ac3a421b1bd407f4045f99e002b02335f8ff3a14e476cb1245d	\\x017820ef9443a9e8b54432161d83b40f94e3646ea8cee6b7ae3edcecafa3dbf414eb32817e
default	wg26oggb2zrml4uf3xxbjcafg4/0	15	1795653776938226		system	chain.tied	ok		f	1	0		\\x	\\x	chain/wg26oggb2zrml4uf3xxbjcafg4/9	1	\\x	\\x017820ef941b5373a11692d5ded3b5644cfe2551bd20ae0101d0e47ba412469de76968524c		\\x017820ef9443a9e8b54432161d83b40f94e3646ea8cee6b7ae3edcecafa3dbf414eb32817e	\\x017820ef9469227b61f9f1064082cd3014ac9aa335392ed198f62a5104b63a47d9829156ea
default	wg26oggb2zrml4uf3xxbjcafg4/0	16	1795653776955357	agrbktrucbn33epzqj3ilwsnf4	caller	key.issued	ok	generateClientEncryptionKey	f	1	555703	37wsj5zg7k47xynyhm5fjiz5p4	\\x817f31588b8d8d9e3e24d55b0384d3b6	\\x7b6f5c053e8eca660724f41b35262672	key/37wsj5zg7k47xynyhm5fjiz5p4	1	\\x	\\xc0e18bf98171f86748a2e1128b2ba0363d8c13d876eaee6abf35aeb2722dfa68		\\x017820ef9469227b61f9f1064082cd3014ac9aa335392ed198f62a5104b63a47d9829156ea	\\x017820ef9404a64b023ef4cef4546b158407102589af8e6aec4922f15b6b540de13242e842
default	wg26oggb2zrml4uf3xxbjcafg4/0	17	1795653777038061	agrbktrwibeixlm5yxltf7sgey	caller	credential.set	ok	setUserPasscode	f	1	78497	37wsj5zg7k47xynyhm5fjiz5p4	\\x817f31588b8d8d9e3e24d55b0384d3b6	\\x7b6f5c053e8eca660724f41b35262672	credential/shahy3tduly4hva6mluluzlxoi	1	\\x	\\xfa85514a4250dccace7e6fbbe15d0bbcacf370255947075604de230eaf50de33		\\x017820ef9404a64b023ef4cef4546b158407102589af8e6aec4922f15b6b540de13242e842	\\x017820ef94846e6795b86906bd3406da027f9a6bfb3334ca7f2144478901f7ddcafa7b0782
default	wg26oggb2zrml4uf3xxbjcafg4/0	18	1795653777056400	agrbktrwsgbl2wepcsu4v5ryd4	caller	credential.set	ok	setTransactionPin	f	1	15097	37wsj5zg7k47xynyhm5fjiz5p4	\\x817f31588b8d8d9e3e24d55b0384d3b6	\\x7b6f5c053e8eca660724f41b35262672	credential/yw6qa7rlotvrb6p7nnxlqflrzq	1	\\x	\\xf63427954f94300d3334137a1d7b1c841169f2591b5433520f2abda997fe5bb4		\\x017820ef94846e6795b86906bd3406da027f9a6bfb3334ca7f2144478901f7ddcafa7b0782	\\x017820ef94671f2f87fae1a61d8b69c5a9ac7a1b5e26385bcfcd3c4eea85bbf0914d677717
default	wg26oggb2zrml4uf3xxbjcafg4/0	19	1795653777409355		system	operations.counted	CREDENTIAL_REJECTED		f	1	5711		\\x	\\x		0	\\x	\\x	setTransactionPin	\\x017820ef94671f2f87fae1a61d8b69c5a9ac7a1b5e26385bcfcd3c4eea85bbf0914d677717	\\x017820ef94cb6287a4b75dbd53663718931c694009daa7cec8d1dd9c22d2063708e3be8d9f
default	wg26oggb2zrml4uf3xxbjcafg4/0	20	1795653777462089	agrbktrwvjlgmlw3yes25atgn4	caller	key.rotated	ok		f	1	0	37wsj5zg7k47xynyhm5fjiz5p4	\\x817f31588b8d8d9e3e24d55b0384d3b6	\\x7b6f5c053e8eca660724f41b35262672	key/37wsj5zg7k47xynyhm5fjiz5p4	2	\\xc0e18bf98171f86748a2e1128b2ba0363d8c13d876eaee6abf35aeb2722dfa68	\\x8abdbf4538505be98b4da0c68b7f54782441cf56102d46a27364590b6ccd8ed7		\\x017820ef94cb6287a4b75dbd53663718931c694009daa7cec8d1dd9c22d2063708e3be8d9f	\\x017820ef94344819709a8323131ec61f95e05f65a5bb23041124bc0a564d767f8bf5912ed9
default	wg26oggb2zrml4uf3xxbjcafg4/0	21	1795653777462089	agrbktrwvjlgmlw3yes25atgn4	caller	key.issued	ok	rotateClientEncryptionKey	f	1	396722	u26df54p424224oszdiu36a4tq	\\x817f31588b8d8d9e3e24d55b0384d3b6	\\x7b6f5c053e8eca660724f41b35262672	key/u26df54p424224oszdiu36a4tq	1	\\x	\\x7102abbb918421125ebb00dbb6b9b3617dd44bcd7a70ec60b5104918e337e728		\\x017820ef94344819709a8323131ec61f95e05f65a5bb23041124bc0a564d767f8bf5912ed9	\\x017820ef94032b5b02b5b20985b55aea7d50f118c7a22b48ebadc69a09713b3af0f59335d7
default	wg26oggb2zrml4uf3xxbjcafg4/0	22	1795653777485790	agrbktryhinch5mfmffhzjld44	caller	credential.verified	ok	verifyTransactionPin	f	1	19730	u26df54p424224oszdiu36a4tq	\\x817f31588b8d8d9e3e24d55b0384d3b6	\\x7b6f5c053e8eca660724f41b35262672	attempts/eqozawedxzjxsy2c5gcj6fij3y	2	\\xa834a1faadb9582105c6d77d0340acffac846bb15badfb1af630e6ff9ca8599c	\\x8e3b9a1e202782b90de4b7b0573d237cbcaa1e26d50edf2755e3da4e94b80f47		\\x017820ef94032b5b02b5b20985b55aea7d50f118c7a22b48ebadc69a09713b3af0f59335d7	\\x017820ef9406d355420d5e41ed95ccb93f1227659b8d322f1235419e0e25587a06404c8fbf
default	wg26oggb2zrml4uf3xxbjcafg4/0	23	1795653777654829	agrbktryj6den67h5xig7j7rvi	caller	key.issued	ok	generateClientEncryptionKey	f	1	167449	sivc57o47isto2b6nox3um3azy	\\xbe8b11273c6fc53a18ef96b51ca45e77	\\x9b997cdde939a37346e469dcddda9629	key/sivc57o47isto2b6nox3um3azy	1	\\x	\\xbc5a0a0c65719f92394c30c05828c7bbe2bca9ab79af2a9d4d7c5e29e1935ee4		\\x017820ef9406d355420d5e41ed95ccb93f1227659b8d322f1235419e0e25587a06404c8fbf	\\x017820ef94ea52853b1d0a84df5555f4fd65098ec18a8e25845bb948528796c6b457e60980
default	wg26oggb2zrml4uf3xxbjcafg4/0	24	1795653777668702	agrbktry7heykliorwnv3dym34	caller	credential.set	ok	setTransactionPin	f	1	11664	sivc57o47isto2b6nox3um3azy	\\xbe8b11273c6fc53a18ef96b51ca45e77	\\x9b997cdde939a37346e469dcddda9629	credential/aqonuoasbldj7wln7yo2k3iwqa	1	\\x	\\x3e341ee9ad14c2c7963a93b0db9ed23b7341e191a65e2446db7cf4ec2755b1b6		\\x017820ef94ea52853b1d0a84df5555f4fd65098ec18a8e25845bb948528796c6b457e60980	\\x017820ef94044f3051b6191a293aaa9c34f10710d75c55c86455d63f66711574bfcb4e11cd
default	wg26oggb2zrml4uf3xxbjcafg4/0	25	1795653777683265	agrbktrza6ocrmfurtcnckfacy	caller	credential.mismatch	mismatch	verifyTransactionPin	f	1	12260	sivc57o47isto2b6nox3um3azy	\\xbe8b11273c6fc53a18ef96b51ca45e77	\\x9b997cdde939a37346e469dcddda9629	attempts/ukhkswsomyt7alnghncvne42hy	2	\\x5e2097500fea6ff07e832cf1679d601b17c18c16499b2a03b49698ca1aed918d	\\x9376eff7bca3e5626b2487555243962b018e11739d803d043f9f4835f3d741f7		\\x017820ef94044f3051b6191a293aaa9c34f10710d75c55c86455d63f66711574bfcb4e11cd	\\x017820ef942610d004bb5e407899548145a56f19271c28871ffccb21720427532b7df66cdf
default	wg26oggb2zrml4uf3xxbjcafg4/0	26	1795653777701406	agrbktrzcu376z57tabujsvmbq	caller	credential.mismatch	mismatch	verifyTransactionPin	f	1	15680	sivc57o47isto2b6nox3um3azy	\\xbe8b11273c6fc53a18ef96b51ca45e77	\\x9b997cdde939a37346e469dcddda9629	attempts/ukhkswsomyt7alnghncvne42hy	4	\\x9376eff7bca3e5626b2487555243962b018e11739d803d043f9f4835f3d741f7	\\x67f27d7fb6e1486d3d842bd62e74d04da0c4c6bc0dd0ec2c420648f907532717		\\x017820ef942610d004bb5e407899548145a56f19271c28871ffccb21720427532b7df66cdf	\\x017820ef946c003116e9871027e81c3b9e8c4ecbe73b15c3f1559a374d3c1a0f8996caf871
default	wg26oggb2zrml4uf3xxbjcafg4/0	27	1795653777718263	agrbktrze7jadbusdqrliwwohu	caller	credential.mismatch	mismatch	verifyTransactionPin	f	1	14489	sivc57o47isto2b6nox3um3azy	\\xbe8b11273c6fc53a18ef96b51ca45e77	\\x9b997cdde939a37346e469dcddda9629	attempts/ukhkswsomyt7alnghncvne42hy	6	\\x67f27d7fb6e1486d3d842bd62e74d04da0c4c6bc0dd0ec2c420648f907532717	\\x358e9a4b59885751a8d4de43d369ad85a1c5c57c835c355a91309fc0bdb681a8		\\x017820ef946c003116e9871027e81c3b9e8c4ecbe73b15c3f1559a374d3c1a0f8996caf871	\\x017820ef9426a0647b11ca236f3573731b9b7646f40469c579d19167f2b9dba995f81fa6a9
default	wg26oggb2zrml4uf3xxbjcafg4/0	28	1795653777735948	agrbktrzhankhmwtnkpm4gtrp4	caller	credential.mismatch	mismatch	verifyTransactionPin	f	1	15444	sivc57o47isto2b6nox3um3azy	\\xbe8b11273c6fc53a18ef96b51ca45e77	\\x9b997cdde939a37346e469dcddda9629	attempts/ukhkswsomyt7alnghncvne42hy	8	\\x358e9a4b59885751a8d4de43d369ad85a1c5c57c835c355a91309fc0bdb681a8	\\x91d033323bb70901bbd7630205fdeda54b45d3f316973fa0402fbe962c782f9c		\\x017820ef9426a0647b11ca236f3573731b9b7646f40469c579d19167f2b9dba995f81fa6a9	\\x017820ef9491eeb50edd6681574d6dfa9c543ee7aa816c29d76431142eaaededc1fe9b7139
\.


--
-- Data for Name: bucket; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.bucket (tenant, width, start, instance, operations, failures, duration, devices, durations) FROM stdin;
default	3600000000	1795651200000000	wg26oggb2zrml4uf3xxbjcafg4	12	1	1308446	\\x017b6f5c053e8eca669b997cdde939a373	\\x01640108020101000302010f01070109010301
default	86400000000	1795651200000000	wg26oggb2zrml4uf3xxbjcafg4	12	1	1308446	\\x017b6f5c053e8eca669b997cdde939a373	\\x01640108020101000302010f01070109010301
default	2419200000000	1795046400000000	wg26oggb2zrml4uf3xxbjcafg4	12	1	1308446	\\x017b6f5c053e8eca669b997cdde939a373	\\x01640108020101000302010f01070109010301
default	60000000	1795653720000000	wg26oggb2zrml4uf3xxbjcafg4	12	1	1308446	\\x017b6f5c053e8eca669b997cdde939a373	\\x01640108020101000302010f01070109010301
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
default	d3xeika2ebkegoltqa3e4wagsm	PASSCODE	shahy3tduly4hva6mluluzlxoi	1	1795653777038061	1795653777038061	\\x010172b44f6445a97bed30d6da28f4f1b873bd44de6101ec85f752cde041bdb758863a6158f7586660a8f354a46e3644acb479c3667bd100513a8c06f0500e89ce92a2fde3b4d53a86f0925c5e46611389f97588e1ee15106d4d8a5d62aa6d31689cf7ce511cb34f
default	d3xeika2ebkegoltqa3e4wagsm	TRANSACTION_PIN	yw6qa7rlotvrb6p7nnxlqflrzq	1	1795653777056400	1795653777056400	\\x010172b44f6486815bf9d6c6d31f812dc3d7e7e44d90a62745d18f1ccc8014dce675638164b29d13663f932df4474ce8c13a9f2816f150f9e65727494645c330f02cc3990e93663b7fd96df98451da379d2f43c181e517aed4587b33323f84385dd1a8cd3981c5fa
default	are2ad6drezdun5s4nwpp6otfq	TRANSACTION_PIN	aqonuoasbldj7wln7yo2k3iwqa	1	1795653777668702	1795653777668702	\\x010172b44f64d3bd55a84850b9c42d8a50ed96c9c783fcd4456c6858ace76c81e7026f336072dcc6f16c29eac0f0f421d0bf31f2bcd219cfb66a7de212eed1c19e7a5e96112ccc26e50d462beafd04300d70947e56e87395830885468559657a7290a662fbb8c4e2
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
default	d3xeika2ebkegoltqa3e4wagsm	37wsj5zg7k47xynyhm5fjiz5p4	phone	invalidated	2	RSA-OAEP-256	3072		1795653776955357	0	1795653777462089	0	\\x017820ef94eb4da174ea6e333e1fb5385c887e8a765e3cfac24f524397f46d08c837e869bb	\\x308201a2300d06092a864886f70d01010105000382018f003082018a0282018100df54c7b594fce7af62b74c379d2db9346b46b3c67331d84398304c6c0fc18e914f62b69a88f3ad7cc1a2fe863ac5d5a70c98a8b4cd5f2df83d720b507ed30b06ae2123e909357e47de753300b84a3f7e48a89221cbf01821c757a72fc934c37876050581a1bc58b50463c9f0fb37b47af76796997d6d9587410bc2660f096c44394f1505fa4c8f63ea083e0fbf9d43ed539b8f8d0443247e1dcb3af3a363c2f766086d6964430371f5babff0dd387ced2667953e5615cda1df57b25265869709773d58f65d0e48c561f7a7ee4c9e639b4aa0f222b9c3f39b09c10096a9ec16c7fc8d000cbeca1cf37a68119d659ef972453a9f602abb88848b181ba300f4d849f9529813b25a93d22d49df50c04f3b33c5b3bdce60c6d0a067bd921219179338bf15200adaabd58ebf171c766df359537c445a94ff74e81e5a133b50f68409142f2efd95c6982b8ea70f072c39dfae679ee53ff9d13a9ef87940f7fb050f18e55b7729aede89229e56b6aaf4e8e212f5560356eb7b717290896a839372e12af10203010001	\\x	
default	d3xeika2ebkegoltqa3e4wagsm	u26df54p424224oszdiu36a4tq	phone	active	1	RSA-OAEP-256	3072		1795653777462089	0	0	0	\\x017820ef945429e9740fdb91045974dffb9065f5e9ff331cf0053220cb63b2ed804f3867a3	\\x308201a2300d06092a864886f70d01010105000382018f003082018a0282018100be1380da01f24fa7469f708bc5c99ff801eebd699dc33a6e499e24161aa5ea584ac1f307b1ceb7279c65a22af20a2814c01d6e04ffa4a8446ffee3e2ae7b71631dada9256064149c8053732f0adfb8b8676b5f609ab10f8e82bd5193ed5ca533a0c2960da99d96408b0b2c728fd5d8d9a90627ba8dce400a08ecefe3a8ed2eb655924b880cf2b906d7d94abd22fd897e8aec28c3c78ea17c4075f3e3584e15a090602bd60d0243486b13ae210043df29e19161c3b0faf32b4d5ef4b73e8598fac895ad1b3934e33b069439d21444eb3179fbb6247474ee29e23fb866188055e9d250ca474e00cc6e8892769b27e716b9029a31cec033b87069c29fd9d077cada8a12daf95c6ba5e2e5f450176cb6479ee7e7406e47061b305a169b55edd1846d8c54ba39b9811bcc1d29564153cead218488ccb90d90ae20040202eb6ff9b16bd1655fe66f517e3950903c96d61c76dbd727319d9aad50342610cd018da64b75cb8343135eee1cabd583e0c07529549161c2c396214e53db5ca9c04805836e0f0203010001	\\x010172b44f64382198b72a4957c19bd1fe6c533ec9ddd2a3aafd8c1eb254b81944624e0de0d0d59477f3288c45fcdf48b940574e5f1fb4e01c8a98b198477d9733096c0252156b7e7f0d7f77b00660b9953be3e0c103e8fe09c67eb9fa3b5d2db1c8eecc86096301be3d55e1f1f382bd2337362f5dc6a81ab2f803674be7944a085d91d67bfdbdf69018f4949625c72d61d2dd8f5d2b3b49061f9f1ab8515ac164cbbfce25147dea48c340c24458211dd129851bac3701302d482dcd1d13bd3db6a064139b4c2e9b752820bb8a7d2c095ca62873fcf226e914138c12e2f3c6d9512209af7b8d74b5fa3d9f6bf11f224d6ed60790a27a3fd952574486c163a6fc5d9bc95e9a28f90d5fc9730f4f2ecdc25a0de391dd44ec079a4e7998746961b14cb516d5b3d3211e1e780ac4bd8d9f56051bd31902280ea404188412ef6e7fa3550efaab56f0040f3e2c8b62509250159a952d3516c979b8022c734f51fc0447c3832c6a2c8535dc8632630fd7cca8d1e4e6b0680fa588d55a065523a6063ad6fe5221137c6b19f2402c5ab4e785f5ff29641678249335494949576fb92e68e0987459420e61273cbcfd7350f0c987	
default	are2ad6drezdun5s4nwpp6otfq	sivc57o47isto2b6nox3um3azy	tablet	active	1	RSA-OAEP-256	3072		1795653777654829	0	0	0	\\x017820ef9480f0a5c66482d34090f958602e9be687500ec608b97dab9f5e872bd906a6e23b	\\x308201a2300d06092a864886f70d01010105000382018f003082018a0282018100b7a84a6457a059dea275e49117579ff91483474a6ff2a068923a908969b21cc00613be2a01ca7a469e85df75f622caa68c958b692900f9d2a5c6db86f44ced125ac54773e642570a67daab9ca322a3e255a54218001a1259a4e247ed4779569cde43899c7c8ebf74f817cfea1f199bab807f7af793ef21579cb3f048c0fb2e1478e0e72d25b94c510c1c5ff4033e377f1ade610ca8ddc867e60890baad9e99b48ee920333e31c6317d0c1d75a75554aa21125f20edb6fe8d6dccc1c0058acbd6aaac2141b7f7147979813d339838ddddcfcd631a10e83e44526a93d59230bc59c9655a309f591824ab20b598120e540a032d8fc80991ae69286ee230145178b3951a0317fc4d4754720a0a8cee12337544e0ceab109ea6f8feda5d15fbe16a11c6a2e021bafc46896ccb6f262a9512941e6fd837fbbbc79cb17cfceafd303963acef3a6d53efb804b201320f722b28450b74a2a9d72215f33705fe4b041bedbd6ff46bd9937e10da9d1c01ccd32b4d99a2571354bf55a64f1e08665f9bddb7f70203010001	\\x010172b44f64ed0a186f4fcced718dcd3d2c68d73520a59f83e356e2483f72c6c6af7dd5628a335fd987aa6668532d119dd6fa6470ef139bfc8e0a56881026d85fdbec17cf703e0098781dca5888a512ed1e1620c4cc48f480d69657155bc7ecbef049f3893485eaff046108e215dcfc3c363f26852ba64c1b75c507553f9a3c85d7dfde66e33cd4c87adc46193f0f63566bb8d2e24be1a7deed84b5fc5de694f0c96cbfd8568d66b1eebf1c96558729e595bf5258bdc76813c3514876e81b6b35a64a0e7a695a1a1dfc4addd12ef1f1ffe6ebeea202e3239e52055e6ff00d99bf9775c0e3371342724e21d24e100f8571eb9b415778397088f01d5e85c26428e3b6241ba134cb2d97402060f75145fe7100e87c095d881650a54d5d93961b160987a0eefa36a8ac40f65eedc8e85644c5e59644ea5d2c770c70bf1e89f1f0fa0ec2099ddd9a7b58f27eef3b92c33a3bb605a5b2fcfbae7af3c52531f837d39930e291955bc799864a657e74013b516856561e44a7a9b6c965a7602974f664d5bd7f2aa9e8b93633b9f6c798265a38c4b522f737a565c7ddeecf3cfaf1c795f1348341b5f863d8110d9449330e5315	
\.


--
-- Data for Name: key_account; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.key_account (tenant, key_id, account_id) FROM stdin;
default	37wsj5zg7k47xynyhm5fjiz5p4	d3xeika2ebkegoltqa3e4wagsm
default	u26df54p424224oszdiu36a4tq	d3xeika2ebkegoltqa3e4wagsm
default	sivc57o47isto2b6nox3um3azy	are2ad6drezdun5s4nwpp6otfq
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
default	d3xeika2ebkegoltqa3e4wagsm	37wsj5zg7k47xynyhm5fjiz5p4	1795651200000000
default	d3xeika2ebkegoltqa3e4wagsm	u26df54p424224oszdiu36a4tq	1795651200000000
default	are2ad6drezdun5s4nwpp6otfq	sivc57o47isto2b6nox3um3azy	1795651200000000
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
4097083626	f	\N	\N	\N	2026-11-26 00:42:56.308668+00
\.


--
-- Data for Name: schema_version; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.schema_version (id, version_id, is_applied, tstamp) FROM stdin;
1	0	t	2026-11-26 00:42:56.206161
2	1	t	2026-11-26 00:42:56.223864
3	2	t	2026-11-26 00:42:56.254721
4	3	t	2026-11-26 00:42:56.281739
5	4	t	2026-11-26 00:42:56.282249
6	5	t	2026-11-26 00:42:56.293816
7	6	t	2026-11-26 00:42:56.295427
8	7	t	2026-11-26 00:42:56.298792
9	8	t	2026-11-26 00:42:56.299878
10	9	t	2026-11-26 00:42:56.303393
\.


--
-- Data for Name: setting; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.setting (tenant, name, value) FROM stdin;
default	epoch	\\x31
default	keyset	\\x7b226b6579736574223a7b2267656e65726174696f6e223a312c22646174614b657973223a5b7b226964223a313932343431393432382c226d6163223a323031353432343430342c227072696d617279223a747275657d5d2c227772617073223a5b7b22726f6f744b6579223a2234373365393137356433316134353936222c2275726c223a2266696c653a2f746d702f546573744461746162617365734f664561726c69657256657273696f6e734f70656e323731303437393138322f3030322f646174612f726f6f742e6b6579222c2261646465644174223a22323032362d31312d32365430303a34323a35362e33323036375a222c226b6579223a2270576477776d446e634a412b44665737584d676c344d413649386d6457456277504a755431724f352b507079552b4174457632425071676d463134424f76647048416778616f42433054323178586631333031714e71786c5a374a4147323252222c226b6579736574223a227a7a567971444332767057692f364643416f4378336e5678754f6373564764384e71787865434e625945442f657677676c7a7044674f53716444376258456a4b39385152395a367974734933445038667357322b462f4a7058535778324b547849384854367661684a4343747441477372383151486e487938644a3562344246473367495937434e2b636d6f547874496849436a69375a3377696c4934504b425a3732336269694c386e692f6e58752f663234534d6d6869476768566e7970455259446b625a692f58736b4c752b6369546e433134566950615964776f3379486333415768424f7844355a37376f4d6f78737342566171747133383668314a43396b464c782f3241364842716c654f33744e746165385a4d2b664632334230717130712f7868797641626c5374414756704a5a3530327876346e30396c4e68595263687a53696b3346594345784d4b2b6d712f306e456364314d657549637971335a34645071314e227d5d7d2c226d6163223a22415867673735544137763771527477316874496576425939644b683149586a7736356d734478494f6f624e4e4758587555673d3d227d
default	account_mode	\\x646576696365
default	audit_chain	\\x737665736e6b74656275636e706a62706c7263736d656c706761
default	witness/b0119324763c68201150e4459a42ab98	\\x00066123397a6b9e
default	metrics.folded/wg26oggb2zrml4uf3xxbjcafg4/1	\\x0000000000000001
default	metrics.folded/wg26oggb2zrml4uf3xxbjcafg4/2	\\x0000000000000001
default	metrics.folded/wg26oggb2zrml4uf3xxbjcafg4/3	\\x0000000000000001
default	metrics.folded/wg26oggb2zrml4uf3xxbjcafg4/4	\\x0000000000000001
default	metrics.folded/wg26oggb2zrml4uf3xxbjcafg4/5	\\x0000000000000001
default	metrics.folded/wg26oggb2zrml4uf3xxbjcafg4/6	\\x0000000000000001
default	metrics.folded/wg26oggb2zrml4uf3xxbjcafg4/7	\\x0000000000000001
default	metrics.folded/wg26oggb2zrml4uf3xxbjcafg4/8	\\x0000000000000001
default	metrics.folded/wg26oggb2zrml4uf3xxbjcafg4/9	\\x0000000000000001
default	metrics.folded/wg26oggb2zrml4uf3xxbjcafg4/10	\\x0000000000000001
default	metrics.folded/wg26oggb2zrml4uf3xxbjcafg4/11	\\x0000000000000001
default	audit_tied	\\x00066123398394f2
default	metrics.folded/wg26oggb2zrml4uf3xxbjcafg4/0	\\x000000000000001c
default	beat/wg26oggb2zrml4uf3xxbjcafg4	\\x25017820ef949f70202b4bc2e9acb05df12f0d1a879d83aaab5cd974eb17c747ac140749ae9d7b22696e7374616e6365223a22776732366f676762327a726d6c347566337878626a6361666734222c226e756d626572223a322c226174223a313739353635333737373734343931342c22636f6e646974696f6e223a22656e646564222c226865616473223a7b2230223a32382c2231223a312c223130223a312c223131223a312c2232223a312c2233223a312c2234223a312c2235223a312c2236223a312c2237223a312c2238223a312c2239223a317d2c2272656164223a6e756c6c7d
\.


--
-- Data for Name: signing_key; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.signing_key (tenant, number, id, algorithm, version, created_at, active_from, erased_at, mac, public_key, sealed) FROM stdin;
default	1	lxbyTxjzmMxPNgG2pDTAKpJMTS1iND9F0l20mXvvqa0	ES256	1	1795653776343663	1795653776343663	0	\\x017820ef9409c5a9fbcce7a8021979abcfa871193d7bd73640d16736d021c506e44ec20d74	\\x3059301306072a8648ce3d020106082a8648ce3d03010703420004426c5c176798b8a27dfcf9d664144f32d4df2b02e4e552b21e951311a8fbc0938178d044683739ed1eb18411ebf1ac0dcf1d287b3c02ee1b7158b4faa12a866d	\\x010172b44f64734292d226fdbd6bd69e246d80cca574b13ed6b771c47058885e7090ba1a99ab3b1566ba0f1c74552fd91bd7bdf994b3ac09f1cb584dd2b1f29b5b261126b801555af745628f10ede0b345ae47ec476a78cfc58fab3a782f58b5befddb7cca029c5adcf17f5b87e2afef7411d42130242984471b0c9c5a4ea56a052f80533009fb2d4f9d687ec2af8b12a4859d7952e78ffa30b39f90774e05f0d0c5b5e496c911a7927ec729921257bf845ed91b05dcdd08
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

\unrestrict iAWjAZ7rOHiHiASsGhMUYfMGugxViDdyEicAGVj1FszkeiEzEoUfJRhOCJMPDj5

