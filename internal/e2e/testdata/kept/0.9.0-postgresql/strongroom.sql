--
-- PostgreSQL database dump
--

\restrict mFHSKhyA6MivZElCiYeV99bU3TkZTLwvein8LQG1Texa6hiNsrZbKRcSjs7bsd8

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
default	3226fdnz2b5c5bixe24kzwjmpy	device		phone	1795679513696819
default	m3kjnxwxrhqhs452tl5lnb47qe	device		tablet	1795679514000277
\.


--
-- Data for Name: attempts; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.attempts (tenant, account_id, type, id, version, failures, locked_until, permanent, recent, pending, mac, verified_at, verified_by, devices, locked_to) FROM stdin;
default	3226fdnz2b5c5bixe24kzwjmpy	TRANSACTION_PIN	q7ggptzwxymrobo4gbitv7jldi	2	0	0	f	[]	[]	\\x0114cc9d1cead4d796a54483e311f92618ab544a0690a6d1dbdaed09c201ba5131d4889838	1795679513851599		[]	0
default	m3kjnxwxrhqhs452tl5lnb47qe	TRANSACTION_PIN	cndvawwj23bzafgfipgbfeizeu	8	4	0	f	[1795679514019429,1795679514029536,1795679514040813,1795679514050798]	[]	\\x0114cc9d1cb1c89440f4c6e58303924d0c9eabf82f53f160192ac04e6151a85a65ed65d3c4	0		[]	0
\.


--
-- Data for Name: audit_chain; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.audit_chain (tenant, name, number) FROM stdin;
default	wczr6prsconmza6a5t7wenrlf4	1
default	umi5zk43kvfppwhdr24a5opqfm/0	2
default	umi5zk43kvfppwhdr24a5opqfm/1	3
default	umi5zk43kvfppwhdr24a5opqfm/2	4
default	umi5zk43kvfppwhdr24a5opqfm/3	5
default	umi5zk43kvfppwhdr24a5opqfm/4	6
default	umi5zk43kvfppwhdr24a5opqfm/5	7
default	umi5zk43kvfppwhdr24a5opqfm/6	8
default	umi5zk43kvfppwhdr24a5opqfm/7	9
default	umi5zk43kvfppwhdr24a5opqfm/8	10
default	umi5zk43kvfppwhdr24a5opqfm/9	11
default	umi5zk43kvfppwhdr24a5opqfm/10	12
default	umi5zk43kvfppwhdr24a5opqfm/11	13
\.


--
-- Data for Name: audit_log; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.audit_log (tenant, chain, seq, "time", request_id, actor, event, outcome, operation, failed, count, duration, key_id, account, device, record, version, before, digest, reason, prev, hash) FROM stdin;
default	wczr6prsconmza6a5t7wenrlf4	1	1795679513610227		system	store.initialised	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x0114cc9d1c15f500aaf12f0aad919c35744c6e1a13cb446a1f99832afaaf6a042789e066af
default	umi5zk43kvfppwhdr24a5opqfm/0	1	1795679513622582		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x0114cc9d1c13c72151a9c217f988bf037aec75c8bbfc7080a9f0e5bd33a7f624a5d26d6902
default	umi5zk43kvfppwhdr24a5opqfm/1	1	1795679513622582		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x0114cc9d1c8f5c141855bd9af319ff1e02e4c490852119ac95df541c692f2c8d2c3aa4cf46
default	umi5zk43kvfppwhdr24a5opqfm/2	1	1795679513622582		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x0114cc9d1cb22ec89f71ae4f983d18ea1e6b158e946424ec0f3a6f6acfe57f6a91550f0f3a
default	umi5zk43kvfppwhdr24a5opqfm/3	1	1795679513622582		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x0114cc9d1cbf2a0e8c2497a3af93f9b9d23621a6eba5a6786caa75e0f0ac7ed78c7414c580
default	umi5zk43kvfppwhdr24a5opqfm/4	1	1795679513622582		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x0114cc9d1caba14b266947c21fb3afba96a2fc9e721f1c98a2e6523d14cbeab2cfc614b61d
default	umi5zk43kvfppwhdr24a5opqfm/5	1	1795679513622582		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x0114cc9d1c2e979cf5c833a6d39f3e456346d8f17d1b4b1dcedfa28b6aa83466cd9e769f99
default	umi5zk43kvfppwhdr24a5opqfm/6	1	1795679513622582		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x0114cc9d1c19ca29646ab53cc05471f1512163338cb74a50c9447a4593530036d73432f7da
default	umi5zk43kvfppwhdr24a5opqfm/7	1	1795679513622582		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x0114cc9d1cd85cf243e770bc33d0af107e1eb7428e202ecae55ee0ae2926854f80e38dd163
default	umi5zk43kvfppwhdr24a5opqfm/8	1	1795679513622582		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x0114cc9d1c8b701268ed3f4654f87146aa3da706c59456436e2b68496e7505d3a8f9b1c596
default	umi5zk43kvfppwhdr24a5opqfm/9	1	1795679513622582		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x0114cc9d1c45391ddc7ef04c77d2ce0e358a3a997cfe52326b2284717e777c175b807d4332
default	umi5zk43kvfppwhdr24a5opqfm/10	1	1795679513622582		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x0114cc9d1c0022bbf3ee9744e66504a1a61a806e8e132c7948117216984d835c9472e36c42
default	umi5zk43kvfppwhdr24a5opqfm/11	1	1795679513622582		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x0114cc9d1cf190b5a5c18f846a04af11a8b074bedd1eabb1ea403eeedc12d705d2d03f0667
default	umi5zk43kvfppwhdr24a5opqfm/0	2	1795679513626926		system	witness.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x	vm:/tmp/TestDatabasesOfEarlierVersionsOpen2404011166/002/data.witness	\\x0114cc9d1c13c72151a9c217f988bf037aec75c8bbfc7080a9f0e5bd33a7f624a5d26d6902	\\x0114cc9d1cae9b6925d119155d604c5c1760590e37884027360512faaec1f265d016ab06b3
default	umi5zk43kvfppwhdr24a5opqfm/0	3	1795679513632087		system	signing_key.created	ok		f	1	0		\\x	\\x	signing-key/1	0	\\x	\\x	kid HBTh5Oi8-CBPFiu7_-ib3Gm_nR2bX11-E42FLCEujJU	\\x0114cc9d1cae9b6925d119155d604c5c1760590e37884027360512faaec1f265d016ab06b3	\\x0114cc9d1cd98c6444ad37c6a2b772a15d7bef2b02013b47c9d81e1d515887021d6af8999f
default	umi5zk43kvfppwhdr24a5opqfm/0	4	1795679513696819	agrbnvxmkjyrwz37f4kmypsal4	caller	key.issued	ok	generateClientEncryptionKey	f	1	15520	cwudh4hv7kx43ycjhptze5sjo4	\\xe5272797152c48cee0bef6e66d079f88	\\x9ddc9017d56659f654cf63eb65ab6598	key/cwudh4hv7kx43ycjhptze5sjo4	1	\\x	\\x4d2878f4bcd0181c11894a099b373c9181b3e7b865820087ef7cbeddd6fd5588		\\x0114cc9d1cd98c6444ad37c6a2b772a15d7bef2b02013b47c9d81e1d515887021d6af8999f	\\x0114cc9d1c44ece4d9bc4156e8c9c0226d519ca18fe17078d05c5aaca42ba15fdb9ddce8ea
default	umi5zk43kvfppwhdr24a5opqfm/0	5	1795679513710849	agrbnvxmmsyw2s7utjrvqxie6a	caller	credential.set	ok	setUserPasscode	f	1	10283	cwudh4hv7kx43ycjhptze5sjo4	\\xe5272797152c48cee0bef6e66d079f88	\\x9ddc9017d56659f654cf63eb65ab6598	credential/xrspsdgp3d47szdweqqkvb5aly	1	\\x	\\x9851c5fee0f3ccff0fb065536944c9238b2badaaf96055ca6b70a784b70a59be		\\x0114cc9d1c44ece4d9bc4156e8c9c0226d519ca18fe17078d05c5aaca42ba15fdb9ddce8ea	\\x0114cc9d1c8aaa0ce76d468f85aa9fc8c2995c3e42a49708463a340136b9ed61682428fa11
default	umi5zk43kvfppwhdr24a5opqfm/0	6	1795679513720494	agrbnvxmoez23nqngimou645h4	caller	credential.set	ok	setTransactionPin	f	1	7109	cwudh4hv7kx43ycjhptze5sjo4	\\xe5272797152c48cee0bef6e66d079f88	\\x9ddc9017d56659f654cf63eb65ab6598	credential/g4e5uowcoposwknenvbp5t5hq4	1	\\x	\\x1d4ddd6bec9cae48fa3cd37474c3d481a8beb1f14c3403d5902cd348666269e4		\\x0114cc9d1c8aaa0ce76d468f85aa9fc8c2995c3e42a49708463a340136b9ed61682428fa11	\\x0114cc9d1c8d60ad8f9bdc136ada7c4cad0abba4ebceea6c9f86dfed66489b5137ffa0a54a
default	umi5zk43kvfppwhdr24a5opqfm/0	7	1795679513840762	agrbnvxmpx47oicloo7ofne3pe	caller	key.rotated	ok		f	1	0	cwudh4hv7kx43ycjhptze5sjo4	\\xe5272797152c48cee0bef6e66d079f88	\\x9ddc9017d56659f654cf63eb65ab6598	key/cwudh4hv7kx43ycjhptze5sjo4	2	\\x4d2878f4bcd0181c11894a099b373c9181b3e7b865820087ef7cbeddd6fd5588	\\x585718add6183ee6c1142fc2f1a81ebd0ea408ccb3a0791e5ce1e098e040d245		\\x0114cc9d1c8d60ad8f9bdc136ada7c4cad0abba4ebceea6c9f86dfed66489b5137ffa0a54a	\\x0114cc9d1caabbee257cb03be209a980619c612c883bac13aa035e774e77ae614986634553
default	umi5zk43kvfppwhdr24a5opqfm/0	8	1795679513840762	agrbnvxmpx47oicloo7ofne3pe	caller	key.issued	ok	rotateClientEncryptionKey	f	1	115336	bd6t7uitk4s6oowvquawyy57tm	\\xe5272797152c48cee0bef6e66d079f88	\\x9ddc9017d56659f654cf63eb65ab6598	key/bd6t7uitk4s6oowvquawyy57tm	1	\\x	\\xfdc6aeed1afe8d26cfcc4539a447a06fe978c7d68dd33b0327ccddd6cece79d1		\\x0114cc9d1caabbee257cb03be209a980619c612c883bac13aa035e774e77ae614986634553	\\x0114cc9d1c2829f38d67ed6862174b4614a3da2a407834bf35efb847a748e3e834d5970ccc
default	umi5zk43kvfppwhdr24a5opqfm/0	10	1795679514000277	agrbnvxm7wo7inmjxfluhqimru	caller	key.issued	ok	generateClientEncryptionKey	f	1	146752	odvv4mhphyix6l64wmb2k7suua	\\x28207696cf86b03ccb5aa7211b5b8dde	\\xa8a2da64ea21a9c46046efd0e61c1348	key/odvv4mhphyix6l64wmb2k7suua	1	\\x	\\xcf0261bc070c6e07142d60eab6b022989e33607307cfa8285520201da9d9173c		\\x0114cc9d1cf46904a37f8d11f72941dea929a5a9ac00bb2ed0e3e231d8b7f52e3afb716717	\\x0114cc9d1c144bed251c39621be91053aff02121161ef8add83a363c591b87c93cb77cf690
default	umi5zk43kvfppwhdr24a5opqfm/0	11	1795679514009866	agrbnvxnsj5u5gpvozy2vkzsmu	caller	credential.set	ok	setTransactionPin	f	1	7268	odvv4mhphyix6l64wmb2k7suua	\\x28207696cf86b03ccb5aa7211b5b8dde	\\xa8a2da64ea21a9c46046efd0e61c1348	credential/34bbl7pvr35udmnpttkguw3idi	1	\\x	\\x51bcce2183c661386ef913e8f6c0ec97d9d76bf7072a5a67817130a8ce63d0da		\\x0114cc9d1c144bed251c39621be91053aff02121161ef8add83a363c591b87c93cb77cf690	\\x0114cc9d1c64cb8f0a1187379431a9c5d5b6cc1623e6106575d409858cdc896f4613aa18ce
default	umi5zk43kvfppwhdr24a5opqfm/0	16	1795679514054859		system	operations.counted	CREDENTIAL_REJECTED		f	1	2574		\\x	\\x		0	\\x	\\x	setTransactionPin	\\x0114cc9d1c0d11cb8d6fb16019478dbc4be320f0e2edcfec72580091765e4bd42e0df0cc81	\\x0114cc9d1c510f430375e8c5d1e1bee5795f3de3036b9cbdd16559c39af3f5135b682cafad
\.


--
-- Data for Name: audit_verdict; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.audit_verdict (chain, seq, second, micros, account, data, hash) FROM stdin;
2	9	848994713	851599	-450418793	\\x01a216d6ecf3aaa5237ff8a95a7a22e208fd3fd1135725e73ad585016c63bf9b152c48cee0bef6e66d079f889ddc9017d56659f654cf63eb65ab659887cc67cf36be191705dc30513afd2b1a0202b34000002066c44b51847f5d895e703d658c4111597babc510705bb077f3c0928d0580f68496b4a1e3dd79f8b622395328d72d351a87af29655dadfedd37973f0eea3139d7	\\x0114cc9d1cf46904a37f8d11f72941dea929a5a9ac00bb2ed0e3e231d8b7f52e3afb716717
2	12	848994714	19429	673216150	\\x01a216d6ed9b32fc03eaf889c158677b70eb5e30ef3e117f2fdcb303a57e54a0cf86b03ccb5aa7211b5b8ddea8a2da64ea21a9c46046efd0e61c13481347505ac9d6c39014c543cc129119251202933b0000203e5db6135ab4457e0b8687b735e4f2895252a7989bf6cac9eaa39a3079ae8f32e9345016d0504ac612bd3b1b3f382db0e7b137e87b277185ed8a1e76f871cd0d	\\x0114cc9d1ce0f62b53dcfe31d2a0f3f63700cbe0f0664318609a4f1f6c2fe3041bfdc08b4b
2	13	848994714	29536	673216150	\\x01a216d6eda53cfba99072c9b293bb8b70eb5e30ef3e117f2fdcb303a57e54a0cf86b03ccb5aa7211b5b8ddea8a2da64ea21a9c46046efd0e61c13481347505ac9d6c39014c543cc129119251204823f000020e9345016d0504ac612bd3b1b3f382db0e7b137e87b277185ed8a1e76f871cd0deffcdf9f8e1f9fba915b0dbf4f7c6e502fff2b1edc0a6071cb5af5302b0f4c44	\\x0114cc9d1c059075bab0184cf04419e4dc1d943df00e7ccab63641184befef38123a8c4afd
2	14	848994714	40813	673216150	\\x01a216d6edaf3b2fe602534b7e50edd970eb5e30ef3e117f2fdcb303a57e54a0cf86b03ccb5aa7211b5b8ddea8a2da64ea21a9c46046efd0e61c13481347505ac9d6c39014c543cc129119251206e948000020effcdf9f8e1f9fba915b0dbf4f7c6e502fff2b1edc0a6071cb5af5302b0f4c44a2a0d152aebbc30d1cfe30f11e1c5bbc1b06c706794803a5dec0279720eb4c93	\\x0114cc9d1ca37d730a6e9c6b55c766f43399e49de05fe596eda78348bd50bc9f5ce3470e9d
2	15	848994714	50798	673216150	\\x01a216d6edbafb2a2c755c1f5885b63470eb5e30ef3e117f2fdcb303a57e54a0cf86b03ccb5aa7211b5b8ddea8a2da64ea21a9c46046efd0e61c13481347505ac9d6c39014c543cc129119251208d03e000020a2a0d152aebbc30d1cfe30f11e1c5bbc1b06c706794803a5dec0279720eb4c93dade7061096b0492850b78ed3d7de3c321048f012a1735ae9a57e76a44538bc5	\\x0114cc9d1c0d11cb8d6fb16019478dbc4be320f0e2edcfec72580091765e4bd42e0df0cc81
\.


--
-- Data for Name: bucket; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.bucket (tenant, width, start, instance, operations, failures, duration, devices, durations) FROM stdin;
default	3600000000	1795676400000000	umi5zk43kvfppwhdr24a5opqfm	12	1	346059	\\x019ddc9017d56659f6a8a2da64ea21a9c4	\\x015b010b020003000100010001040116010201
default	86400000000	1795651200000000	umi5zk43kvfppwhdr24a5opqfm	12	1	346059	\\x019ddc9017d56659f6a8a2da64ea21a9c4	\\x015b010b020003000100010001040116010201
default	2419200000000	1795046400000000	umi5zk43kvfppwhdr24a5opqfm	12	1	346059	\\x019ddc9017d56659f6a8a2da64ea21a9c4	\\x015b010b020003000100010001040116010201
default	60000000	1795679460000000	umi5zk43kvfppwhdr24a5opqfm	12	1	346059	\\x019ddc9017d56659f6a8a2da64ea21a9c4	\\x015b010b020003000100010001040116010201
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
default	3226fdnz2b5c5bixe24kzwjmpy	PASSCODE	xrspsdgp3d47szdweqqkvb5aly	1	1795679513710849	1795679513710849	\\x0101dd7d76a30e54eefdcdac7e5594e13cc268fadab035e86518bb0bdb1d4c74721485d3f55f62012d6cf45fc3c0f04778d5770d4328a32f9c1b9f04c72a341a6bf219abde7d01670e1340808dd49a2f7ad77a489f9e817be78e42eb9a5804c041de13d387ad0937
default	3226fdnz2b5c5bixe24kzwjmpy	TRANSACTION_PIN	g4e5uowcoposwknenvbp5t5hq4	1	1795679513720494	1795679513720494	\\x0101dd7d76a3165e85cfe66250cdf1a9b21302abe39a0b0708593469c4e6f776aeacd9bbfe05c65a01e6923f2ddc9ffab5e7b1c297b14faf2618c10ca0501209b800a47bc83bf80d189336fd458ba9f09a48043670c375b997e8622d4548290b6a08e061114d6816
default	m3kjnxwxrhqhs452tl5lnb47qe	TRANSACTION_PIN	34bbl7pvr35udmnpttkguw3idi	1	1795679514009866	1795679514009866	\\x0101dd7d76a3921e130bb29f2a84c9c25179c53da7142319d0da341108b576dde996b5c0d80fe7c183ad3770f05280e57bafd0a72255d71905c61fe83dc4d7e86e5f97f5c1382058381c60981a2f81436bb99a165459725dad0dac12da4f07441d0d80fd6f928730
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
default	3226fdnz2b5c5bixe24kzwjmpy	cwudh4hv7kx43ycjhptze5sjo4	phone	invalidated	2	RSA-OAEP-256	3072		1795679513696819	0	1795679513840762	0	\\x0114cc9d1c6bb75a2659285ea29d0106b607bb4755406677b20d2ce1724a9e3c84f9b80edf	\\x308201a2300d06092a864886f70d01010105000382018f003082018a0282018100a8edb9a0c9d714609dbe0f60c6bca131c5237e4b16a931ba38b7758968364546b1a5bd80569d6beb104b9b825a7e5bf77073df0cc77ab89619805ae7e70a7a3bd2c30e653ebde16da36b4732f3ab5b79dbad397b087c39e6749cf55b71376ff81badbcb1cd2b8dec0d85494089abafcc2d30987b013444f5d215eb16ae4ece80c053ab2aeaff43544113a90492c08b63cc727ae1e28158f3c58390fde26402a952f7472d6a6b58e113d038ee0e516c4801ff27578bb2c06d1ef24aa0631cccdd04aae75479a87ee78e915039cae3a77f78da067004525359d323f79c9b852f3526e1dc015ddf83b4cfb31ef74cdc0f7bd320a25d0dbe582b4bdf4f4a0b88988381e2ad62fc283cbf06acb0b25a6a485de8efee1921d0aff77c0fb8433fb1c4bb4ae22334ba13a5fa734ebf55020ec6573a0da454fe83dd1cfd746160a868f261d38382f657463fad52653f87d3af016768686efce46cb7aff4db37263ecfb707e2a3b4eb8bee4bf94bb10c08fbaac11ba092e9a470530f17d54da29c32c3606f0203010001	\\x	
default	3226fdnz2b5c5bixe24kzwjmpy	bd6t7uitk4s6oowvquawyy57tm	phone	active	1	RSA-OAEP-256	3072		1795679513840762	0	0	0	\\x0114cc9d1ca386dd79f1c3a6bb9dfc5a5615fed3cadceec7fe5ae2440f14c06d30b162284d	\\x308201a2300d06092a864886f70d01010105000382018f003082018a0282018100c6fa1086b518afd02f3ea110a99e8e263474f32b8e7ede5456488f1152709ac6bd38cab3d75824136201ce2a77664572fdbb50c250b8eb3acb222706bdb06a2cd27633854d85bb831b8f19d76fb8adb0eb4507c065cd6b5eb3e5cfaf41da33941334503ae2d3aa89ef2984a13e01827d08953f88dfed0022b2d3834e7195f40a19478e1f179f284f5dfef1ec6cf1daf1070fe5efd432397c01213877fb165b9bb8035347ffb388449c8c743f35e8c756b6ba0d9a5a81e087137020f9c408c577193480291b25dedcb80a02a6de7053d4ca25d4571a9f4fc99b30703feb148286b69aefb2c06149fbec83dc2f1b7305ddaab1ff7ffa6e3e65369fc7035e69e1059c357076274340fc0a5414aa8d115347098e910d1d8d9280f197312c1dbe44e4862bdc3486e38ce1ab6c7e74449de7ea358a94318cb6049c9edd65d3c4787d29dbbd53ac85304ff4c56427d4c965c4e4a212a7dbe0e6bd84976aad769a6f4151567906d9464b616949ca99cab6a700206e26596842e559938f8480b38fce2ef30203010001	\\x0101dd7d76a35697bb4b790f33b4500b67f26db26e891886b576cdc791e69ddc0ab4b8565af7435a1b75b2c730f1aa0e9bb47d69e11c8e72d158f3b95e8363c729db0536cb867d5726c15d9a42d8e741491061535afb354a919305bb95b0591f2a19ab11f511e86d995db26ba83890d2f4e59ebbe8b54b2dc1f35ad6107903b553548b6ffdc43cc7fd5b3dd1d410962180c897200f3bcff3f7a0b27e8ec475de24b911afe8a45e45338175cd3bcdbca1981167fdc3741054fba865ceba5581c1a70b1cf51452f9bc91e49eda1e490940e3ee592f9399813de4507d21641324765562c249390db4ee998185051e092eacbcc2be356343e325d27544b5d4e5383d00107df573f22c26898ba6c4954b2b5df68a035c17dd002ac618fb60030a7383bbc15172f41a79e2a0c7b3ad9572ef48383ceed14cf38c0ee85149010a5b40be0c0b453e530404146c3c714d1952f254a4fae7bb02013ded4f514fbe4b23320e034f8521260b5ea1db72d3d98267b0f015ddcd4d36d8aa0b974014c73ac2231af04670cb4bdcc86a0ba226cef9d9fc008ea2e9d20d11727d488521a96041bb6e7ddb303a622014bef968a8caca448d	
default	m3kjnxwxrhqhs452tl5lnb47qe	odvv4mhphyix6l64wmb2k7suua	tablet	active	1	RSA-OAEP-256	3072		1795679514000277	0	0	0	\\x0114cc9d1c57bef424c12e8c5520511c9750de501c5493b598020505f680992338f1751c79	\\x308201a2300d06092a864886f70d01010105000382018f003082018a0282018100c53926120fc1040ffdbee1b75fd1244c98a747a0cb3a39eaaa6e804cd41f2f3c636a1fc3b0b6ba304cd151539c0f901e00e0c4dfd082b1e43ac997674b4814a4966b159f77a22b904c8c292ca085074a821bc16345fd4c5864a8c5bc0d34c43c31afd254535c7c1e134e15e208ae12b2e40c346e50bdcbcc77e487b3acf474a0123b6c3617aaec0de6792e0093b679ea6081c08e8bfcbb43b01dd874490bc83acb4d5be7263fe988f698a4fed1cb3d63d3d59d4f09e3cb2b23c7f94ed7fa7935ea72854538960910109f5ad9c2384fa5b003365dbb442df5446ebe77f09aaee8c637fa1568c68c6edc092d1b205267b21d249e21e862c3676360953b60786a95e010b86e8ed243e2a96ffb5c3b7150ece1dde18e699f2ee94994f54aeb38880e9def716a7bef782e9f698b1a3ff01255faf32ba96156fa866d17119e84c4289f47418e517f532cab5ffe491b283afbb48f4c3c4eccd534dd2a5fe2e99922e7e1f3222f08202069334a12f4a7b6fc3535556411e3a8966634940fbe66011b13d30203010001	\\x0101dd7d76a3e8b4699bdea1d39005995b0d82495a9081c0653cce257fba07860106cc9808a57d5082ffdc1508d17c7e930b30ab3e7c612580e380b9f54267103b5d52706a44d9eb747ef19f9495c938b4d3377b397b9cd0dac532f2b57022a5d461198cf9dc4e57c17c77780371d62264d895cf49502db726d812d564e7f5deba6c92ca9cec8e76a13f01b497fa77ea36cc9a9fda09b5a0929acd9bab989e26f093f477e4270201433ad39ca3bc9f1147e304e77961f002b7e887e54060ffc3ee7b8fd4df39659610e6ea8b08f11467dd4ee61d46ab2c86be15ccbcfec14f72349ab57f0ced860d024294a6e4d2d078297c8277aff2c636b0d04653cb32205216a64f5f032b94a7eccc38178f2f76c3c77ca8a4628e7f6a185bd996de07f329e60404fefeeaa86c4de5a9250b52de7872befe34281f43af588ac4d9569b08bc5f73af3e931417d65e48b90d3d94b7456b53c3babc9e2b6eb22b4944d1241361f1935486af16606678377ba1b169c275fd2818f8027c3b77b4875b7a568b0d364834c337d465077e1ef510398ec3f7bbe02d971fac1457668e0bcb33e05f0d460dc3dcf19bcc40b6856e57b449be6a	
\.


--
-- Data for Name: key_account; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.key_account (tenant, key_id, account_id) FROM stdin;
default	cwudh4hv7kx43ycjhptze5sjo4	3226fdnz2b5c5bixe24kzwjmpy
default	bd6t7uitk4s6oowvquawyy57tm	3226fdnz2b5c5bixe24kzwjmpy
default	odvv4mhphyix6l64wmb2k7suua	m3kjnxwxrhqhs452tl5lnb47qe
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
default	3226fdnz2b5c5bixe24kzwjmpy	cwudh4hv7kx43ycjhptze5sjo4	1795676400000000
default	3226fdnz2b5c5bixe24kzwjmpy	bd6t7uitk4s6oowvquawyy57tm	1795676400000000
default	m3kjnxwxrhqhs452tl5lnb47qe	odvv4mhphyix6l64wmb2k7suua	1795676400000000
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
4097083626	f	\N	\N	\N	2026-11-26 07:51:53.601183+00
\.


--
-- Data for Name: schema_version; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.schema_version (id, version_id, is_applied, tstamp) FROM stdin;
1	0	t	2026-11-26 07:51:53.536851
2	1	t	2026-11-26 07:51:53.551067
3	2	t	2026-11-26 07:51:53.568809
4	3	t	2026-11-26 07:51:53.58264
5	4	t	2026-11-26 07:51:53.582887
6	5	t	2026-11-26 07:51:53.588434
7	6	t	2026-11-26 07:51:53.589451
8	7	t	2026-11-26 07:51:53.5911
9	8	t	2026-11-26 07:51:53.591749
10	9	t	2026-11-26 07:51:53.593968
11	10	t	2026-11-26 07:51:53.596282
\.


--
-- Data for Name: setting; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.setting (tenant, name, value) FROM stdin;
default	epoch	\\x31
default	keyset	\\x7b226b6579736574223a7b2267656e65726174696f6e223a312c22646174614b657973223a5b7b226964223a333731353938373130372c226d6163223a3334383935333838342c227072696d617279223a747275657d5d2c227772617073223a5b7b22726f6f744b6579223a2264626363323735633236303537373132222c2275726c223a2266696c653a2f746d702f546573744461746162617365734f664561726c69657256657273696f6e734f70656e323430343031313136362f3030322f646174612f726f6f742e6b6579222c2261646465644174223a22323032362d31312d32365430373a35313a35332e3631303232375a222c226b6579223a2245624b30663265627957643373697133694e302f3076386a36766c4a51424841466a6e6758424f776f4a7043656970366b49744f664f787642643255557558593256623047354e4b4d4b373962582f743236376b7a7933324d366f746969484c222c226b6579736574223a223538335064636349584144352b39773761496732644269394a355861333836364c59384b4e78724f4677626e58516c4d76554a4e563547526c474f3157302f6f57303870554347397a4952516452347364775a4f4965536334777a366c796857443856794d6b50566f6736665030754d356b6a627037504c44306c6264584d4b396776305077396443337359635a2f6c5a5a4f3163484b7268316d4a77534e374a414f6746557157574a616c62326e6a746f6744384d484a63494756616c4c5a6d755957693662584f5a6442736744444436747977633474493163614239585774624c46674549505a786a4932647a544a656e78495049742b505063736a704a6d417353594d705554585a7577395a5770484734596e45385a4e4f4b5567435875456f4a667136446a6f68717a54576a79367246435633576e326e362b69786239415249575a336b425254364b75677a303736576837336f666c4d364748645238505345594d5063227d5d7d2c226d6163223a224152544d6e5277735932436e4463436874686e75614f4c344e6e59524d37434c6c48616d655955646853686b324c366966673d3d227d
default	account_mode	\\x646576696365
default	audit_chain	\\x77637a7236707273636f6e6d7a61366135743777656e726c6634
default	witness/ea2f9f5d58330860c76735f2ec1b412d	\\x00066129378a492e
default	metrics.folded/umi5zk43kvfppwhdr24a5opqfm/0	\\x0000000000000010
default	metrics.folded/umi5zk43kvfppwhdr24a5opqfm/1	\\x0000000000000001
default	metrics.folded/umi5zk43kvfppwhdr24a5opqfm/2	\\x0000000000000001
default	metrics.folded/umi5zk43kvfppwhdr24a5opqfm/3	\\x0000000000000001
default	metrics.folded/umi5zk43kvfppwhdr24a5opqfm/4	\\x0000000000000001
default	metrics.folded/umi5zk43kvfppwhdr24a5opqfm/5	\\x0000000000000001
default	metrics.folded/umi5zk43kvfppwhdr24a5opqfm/6	\\x0000000000000001
default	metrics.folded/umi5zk43kvfppwhdr24a5opqfm/7	\\x0000000000000001
default	metrics.folded/umi5zk43kvfppwhdr24a5opqfm/8	\\x0000000000000001
default	metrics.folded/umi5zk43kvfppwhdr24a5opqfm/9	\\x0000000000000001
default	metrics.folded/umi5zk43kvfppwhdr24a5opqfm/10	\\x0000000000000001
default	metrics.folded/umi5zk43kvfppwhdr24a5opqfm/11	\\x0000000000000001
default	beat/umi5zk43kvfppwhdr24a5opqfm	\\x250114cc9d1c14c8cdae600b202278a97578f177f958cf4636deec1c2db4bc09dd2e24aacb517b22696e7374616e6365223a22756d69357a6b34336b7666707077686472323461356f7071666d222c226e756d626572223a322c226174223a313739353637393531343035393336382c22636f6e646974696f6e223a22656e646564222c226865616473223a7b2230223a31362c2231223a312c223130223a312c223131223a312c2232223a312c2233223a312c2234223a312c2235223a312c2236223a312c2237223a312c2238223a312c2239223a317d2c2272656164223a6e756c6c7d
\.


--
-- Data for Name: signing_key; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.signing_key (tenant, number, id, algorithm, version, created_at, active_from, erased_at, mac, public_key, sealed) FROM stdin;
default	1	HBTh5Oi8-CBPFiu7_-ib3Gm_nR2bX11-E42FLCEujJU	ES256	1	1795679513632087	1795679513632087	0	\\x0114cc9d1c5482d65106b29cf9b1f205db63592a995bb945b7331486c5457b1d8a0f18a60a	\\x3059301306072a8648ce3d020106082a8648ce3d030107034200046c2eb5668877675ea35c26ade086c0b6deb226248a19467364468ce2e7c89c26823573280bc7c9e63b3f3b6105fc99634ec42097ead4a045cea34b5a791dd3f0	\\x0101dd7d76a361fac756c56ec39cb3c389da7801359a08c110300e8be351ab895b38c2f44b63670c8a9210512cbdd556419c8e25a542f4c2ca929c8f99a9cbddaa4b4275ec10a330e0303fde14d7638fc61e3e1436b809f321d78fe9b42d41fed73c2e2bf2d31f161e92e8e5ef8f5dc34ac162a99e0e38e5bbdfec01e920a1b59a85717b275edc787e5b69f2e2c45393977ebce8cd7237bea2103216369de59e6c3c64f4d738e1322210e874e93134747e0ddfa9266ce67c
\.


--
-- Name: schema_version_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.schema_version_id_seq', 11, true);


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

CREATE INDEX audit_verdict_account ON public.audit_verdict USING btree (account, second);


--
-- Name: audit_verdict_time; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX audit_verdict_time ON public.audit_verdict USING btree (second);


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

\unrestrict mFHSKhyA6MivZElCiYeV99bU3TkZTLwvein8LQG1Texa6hiNsrZbKRcSjs7bsd8

