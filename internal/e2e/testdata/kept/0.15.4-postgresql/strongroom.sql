--
-- PostgreSQL database dump
--

\restrict SCTKaQBLraQLzWNQWKKvmkBmBbAdpV2pBVkhDGed2d5S2QaAUcCzfWbCyUp349o

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
default	gbykysbavwf4kn7myy7v73q7pm	device		phone	1795856264158248
default	yitff3c7ib7l7h5flify75dx5a	device		tablet	1795856264554705
\.


--
-- Data for Name: attempts; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.attempts (tenant, account_id, type, id, version, failures, locked_until, permanent, recent, pending, mac, verified_at, verified_by, devices, locked_to) FROM stdin;
default	gbykysbavwf4kn7myy7v73q7pm	TRANSACTION_PIN	lmocu2fefag4md7tgc3r2xp67m	2	0	0	f	[]	[]	\\x0123c36a3aeb7c3f5eb8dc387bc2c5fc9bfde291742dceddb3e7ee8c86567fdf28476c33e5	1795856264387262		[]	0
default	yitff3c7ib7l7h5flify75dx5a	TRANSACTION_PIN	7k5ofqp6j3nyl5qaorrbbdtta4	8	4	0	f	[1795856264600740,1795856264617855,1795856264639133,1795856264651020]	[]	\\x0123c36a3accfdcf937185810b2baf6052062cb0f01104f02cbb4909476bafadf2ca6586da	0		[]	0
\.


--
-- Data for Name: audit_chain; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.audit_chain (tenant, name, number, form) FROM stdin;
default	ecrctwytf7llrkn2fc27ugtvva	337641472	2
default	6q5zulxrt2ledl7jorrcwilol4/0	337641473	2
default	6q5zulxrt2ledl7jorrcwilol4/1	337641474	2
default	6q5zulxrt2ledl7jorrcwilol4/2	337641475	2
default	6q5zulxrt2ledl7jorrcwilol4/3	337641476	2
default	6q5zulxrt2ledl7jorrcwilol4/4	337641477	2
default	6q5zulxrt2ledl7jorrcwilol4/5	337641478	2
default	6q5zulxrt2ledl7jorrcwilol4/6	337641479	2
default	6q5zulxrt2ledl7jorrcwilol4/7	337641480	2
default	6q5zulxrt2ledl7jorrcwilol4/8	337641481	2
default	6q5zulxrt2ledl7jorrcwilol4/9	337641482	2
default	6q5zulxrt2ledl7jorrcwilol4/10	337641483	2
default	6q5zulxrt2ledl7jorrcwilol4/11	337641484	2
\.


--
-- Data for Name: audit_log; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.audit_log (tenant, chain, seq, "time", request_id, actor, event, outcome, operation, failed, count, duration, key_id, account, device, record, version, before, digest, reason, prev, hash) FROM stdin;
default	ecrctwytf7llrkn2fc27ugtvva	1	1795856263960094		system	store.initialised	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x0123c36a3ac751af08ae033d3cc49f59e8148a1f5baf4108bd4c5a52d024b6334615ffa7bd
default	6q5zulxrt2ledl7jorrcwilol4/0	1	1795856263989386		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x0123c36a3ab0838ad1fef1805f8a94b60e6dc23ba0c3bfd0a208046cd91b5f6bd84f710e2b
default	6q5zulxrt2ledl7jorrcwilol4/1	1	1795856263989386		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x0123c36a3aef8374047841bb14ce7e66b7f05e6af2a360dd270ddd6c2dd2f6ca2ca87e04c4
default	6q5zulxrt2ledl7jorrcwilol4/2	1	1795856263989386		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x0123c36a3a81ef8fb1606fc26fef18e5241117e4ee2de7d59c7c0679630e99057af6150453
default	6q5zulxrt2ledl7jorrcwilol4/3	1	1795856263989386		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x0123c36a3af8ebe125a0fa80aaa930d4d694ba535378d9c17a29882169ef5037eac2cc8f55
default	6q5zulxrt2ledl7jorrcwilol4/4	1	1795856263989386		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x0123c36a3a7fc61c0f5a23f2f9ec2528e84bd784b6bfe1acd1b5dcec93d3e144def41f09c9
default	6q5zulxrt2ledl7jorrcwilol4/5	1	1795856263989386		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x0123c36a3a96de5b30cb0062489bcf0a336857da43a527316507f2cd307314a0784c9ad617
default	6q5zulxrt2ledl7jorrcwilol4/6	1	1795856263989386		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x0123c36a3a64fba31a64b48b4557db358c33fc450e90aaa915c03fcdc48079a860fcd89ef5
default	6q5zulxrt2ledl7jorrcwilol4/7	1	1795856263989386		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x0123c36a3acdfa66e4aace088c806fa53ee568e23930e6178193390b2c3f17cb6ad1897143
default	6q5zulxrt2ledl7jorrcwilol4/8	1	1795856263989386		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x0123c36a3a2d5cd2c65e02c22f6529d30a71b17d42da9755b1ecd5b2e303ec910eb90fd27d
default	6q5zulxrt2ledl7jorrcwilol4/9	1	1795856263989386		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x0123c36a3a45c546374b995b8fb052bac37ed8fa6ef8bfcf973f2f81b5643433b1634f1f58
default	6q5zulxrt2ledl7jorrcwilol4/10	1	1795856263989386		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x0123c36a3a42e83663a7257881ec6487ecb15cff795571eac20590b61a087a1f8ef91c1b33
default	6q5zulxrt2ledl7jorrcwilol4/11	1	1795856263989386		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x0123c36a3a30bb1bed53e232e0675b95b8c9fed772f2e4abacad1f6d78e1b208a16eea25c1
default	6q5zulxrt2ledl7jorrcwilol4/0	2	1795856263996906		system	witness.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x	vm:/tmp/TestDatabasesOfEarlierVersionsOpen2544896611/002/data.witness	\\x0123c36a3ab0838ad1fef1805f8a94b60e6dc23ba0c3bfd0a208046cd91b5f6bd84f710e2b	\\x0123c36a3a1d0ea1666c26178c23c44be018f0147824a9bf18605bee9976a79a50f7ec07ab
default	6q5zulxrt2ledl7jorrcwilol4/0	3	1795856264005234		system	signing_key.created	ok		f	1	0		\\x	\\x	signing-key/1	0	\\x	\\x	kid SEZNtr8uDshN4HTVw6tL7uhcnD0Sin5Csz-XqvMhjhY	\\x0123c36a3a1d0ea1666c26178c23c44be018f0147824a9bf18605bee9976a79a50f7ec07ab	\\x0123c36a3af90d410ad4b1ec1732018107e42e1e98756f3a32e6890fabe4744f44142f3ed1
default	6q5zulxrt2ledl7jorrcwilol4/0	4	1795856264158248	agrccx7loda3uwhvs7nfiipdqy	caller	key.issued	ok	generateClientEncryptionKey	f	1	111909	7pukdeu4b6owdoigsqoufyzcoe	\\x1f721b80c4152a3e1702259172accf03	\\x03c00e64c96a3427f1084f53b883015e	key/7pukdeu4b6owdoigsqoufyzcoe	1	\\x	\\xd13c1364a7daa88f1c8282b54a0e95b434c9df64b2883611e7cb45e77bfff621		\\x0123c36a3af90d410ad4b1ec1732018107e42e1e98756f3a32e6890fabe4744f44142f3ed1	\\x0123c36a3a771d05701dd59dbf040a2f20a4e61c2462ab5260a57e53d79cd1e2fda6d32562
default	6q5zulxrt2ledl7jorrcwilol4/0	5	1795856264178800	agrccx7l4xcpo32w2vb63nihie	caller	credential.set	ok	setUserPasscode	f	1	14043	7pukdeu4b6owdoigsqoufyzcoe	\\x1f721b80c4152a3e1702259172accf03	\\x03c00e64c96a3427f1084f53b883015e	credential/ezgokzwm7do3twkivwhsnys3wi	1	\\x	\\xf35b88b05481f4a20df5e0d2421aae8667e65fa0d1a22e7ae6298f8572a5d71c		\\x0123c36a3a771d05701dd59dbf040a2f20a4e61c2462ab5260a57e53d79cd1e2fda6d32562	\\x0123c36a3a5e87b9419a286e955e1bd54e3bf26ec935f09524f8eb30727b955254eb69e1b8
default	6q5zulxrt2ledl7jorrcwilol4/0	6	1795856264190400	agrccx7l6wzn2sh6lwclrubahu	caller	credential.set	ok	setTransactionPin	f	1	9608	7pukdeu4b6owdoigsqoufyzcoe	\\x1f721b80c4152a3e1702259172accf03	\\x03c00e64c96a3427f1084f53b883015e	credential/ngennlbqj7gcfwrxzyen3u2p5y	1	\\x	\\x6e16a6ac540e22856e60d2f1ab8bf558b66b045373e0c50405e4afce19488ec7		\\x0123c36a3a5e87b9419a286e955e1bd54e3bf26ec935f09524f8eb30727b955254eb69e1b8	\\x0123c36a3a0818a148effa3604751204d8af77516ee928d3fd96ce0298b05fac9bb9946aab
default	6q5zulxrt2ledl7jorrcwilol4/0	7	1795856264370354	agrccx7mbfbo72m4fljpkoydva	caller	key.rotated	ok		f	1	0	7pukdeu4b6owdoigsqoufyzcoe	\\x1f721b80c4152a3e1702259172accf03	\\x03c00e64c96a3427f1084f53b883015e	key/7pukdeu4b6owdoigsqoufyzcoe	2	\\xd13c1364a7daa88f1c8282b54a0e95b434c9df64b2883611e7cb45e77bfff621	\\x373edfedf339b5f6c7449613ffb6c8419590789aab76a97dcaa0087ffc381c88		\\x0123c36a3a0818a148effa3604751204d8af77516ee928d3fd96ce0298b05fac9bb9946aab	\\x0123c36a3a6a90ce1aea6d1f7594eb15327b747fcb8ef2b3749c69a6158ccc8ad50488688b
default	6q5zulxrt2ledl7jorrcwilol4/0	8	1795856264370354	agrccx7mbfbo72m4fljpkoydva	caller	key.issued	ok	rotateClientEncryptionKey	f	1	170077	tffiple437tnn2jqfd3aqbcvo4	\\x1f721b80c4152a3e1702259172accf03	\\x03c00e64c96a3427f1084f53b883015e	key/tffiple437tnn2jqfd3aqbcvo4	1	\\x	\\xdd3a9911ab639d803e63469b2ede4737d51bb3911de590296290bf9b44279948		\\x0123c36a3a6a90ce1aea6d1f7594eb15327b747fcb8ef2b3749c69a6158ccc8ad50488688b	\\x0123c36a3acc10f031d5b44a1b94d9b777f935017235ed3dcae31b6afb18dba5880024da93
default	6q5zulxrt2ledl7jorrcwilol4/0	10	1795856264538853		system	operations.counted	CREDENTIAL_REJECTED		f	1	6149		\\x	\\x		0	\\x	\\x	setTransactionPin	\\x0123c36a3a7e75eb8acd85b68e5a66944976a2df12	\\x0123c36a3a136ae9823fdb2983a14da15f80568441c36240a2637d7a9853c464c83859a88d
default	6q5zulxrt2ledl7jorrcwilol4/1	2	1795856264554705	agrccx7my3qvq5qudaridrxpfm	caller	key.issued	ok	generateClientEncryptionKey	f	1	165542	3boguwgjunsgeoixghhq35bqbq	\\xaa81a33fdf65b1690b9c44556b2f29aa	\\x4b1b5507a895d1cd41b2b3d4a3742a97	key/3boguwgjunsgeoixghhq35bqbq	1	\\x	\\x4f8a43fc97f400c3024a606ebdee0095b00d365203462c1f1d5677cc3373eeb4		\\x0123c36a3aef8374047841bb14ce7e66b7f05e6af2a360dd270ddd6c2dd2f6ca2ca87e04c4	\\x0123c36a3a6ff13b6a553ef41a5ac9ba28ebcd92e9d1ada3be00962ada7ce07e064f141062
default	6q5zulxrt2ledl7jorrcwilol4/1	3	1795856264575764	agrccx7nojxjynfxuxekl6tuuy	caller	credential.set	ok	setTransactionPin	f	1	13920	3boguwgjunsgeoixghhq35bqbq	\\xaa81a33fdf65b1690b9c44556b2f29aa	\\x4b1b5507a895d1cd41b2b3d4a3742a97	credential/gp735zfdqgnn3qmvrnalzkusvq	1	\\x	\\x5d4c46e8a1676dd1531bd52de652b9fb9391d8511a2b4e37c3fe19aa6be9c983		\\x0123c36a3a6ff13b6a553ef41a5ac9ba28ebcd92e9d1ada3be00962ada7ce07e064f141062	\\x0123c36a3a18046ed51f33ade1097e4bf5928cf017df9617cc6d49fafdbd7998dc21183c52
default	6q5zulxrt2ledl7jorrcwilol4/1	5	1795856264610409		system	chain.tied	ok		f	1	0		\\x	\\x	chain/6q5zulxrt2ledl7jorrcwilol4/0	10	\\x	\\x0123c36a3a136ae9823fdb2983a14da15f80568441c36240a2637d7a9853c464c83859a88d		\\x0123c36a3a8094b7953713fb0a8525a4134b6df16e	\\x0123c36a3ac294eb8913068d1cceb8ffa8bd409c96ca19cea9ee5e11777c4a04292f4f5b6e
default	6q5zulxrt2ledl7jorrcwilol4/1	6	1795856264610409		system	chain.tied	ok		f	1	0		\\x	\\x	chain/6q5zulxrt2ledl7jorrcwilol4/10	1	\\x	\\x0123c36a3a42e83663a7257881ec6487ecb15cff795571eac20590b61a087a1f8ef91c1b33		\\x0123c36a3ac294eb8913068d1cceb8ffa8bd409c96ca19cea9ee5e11777c4a04292f4f5b6e	\\x0123c36a3a8a240a719e10c0c38d654b2b55ef85d12f1373d27c6a418b0b7282ec5f69a03e
default	6q5zulxrt2ledl7jorrcwilol4/1	7	1795856264610409		system	chain.tied	ok		f	1	0		\\x	\\x	chain/6q5zulxrt2ledl7jorrcwilol4/11	1	\\x	\\x0123c36a3a30bb1bed53e232e0675b95b8c9fed772f2e4abacad1f6d78e1b208a16eea25c1		\\x0123c36a3a8a240a719e10c0c38d654b2b55ef85d12f1373d27c6a418b0b7282ec5f69a03e	\\x0123c36a3ab56994388550892a7d07d030c45c015a3c37822d2343ce035259dcbdbedeb30a
default	6q5zulxrt2ledl7jorrcwilol4/1	8	1795856264610409		system	chain.tied	ok		f	1	0		\\x	\\x	chain/6q5zulxrt2ledl7jorrcwilol4/2	1	\\x	\\x0123c36a3a81ef8fb1606fc26fef18e5241117e4ee2de7d59c7c0679630e99057af6150453		\\x0123c36a3ab56994388550892a7d07d030c45c015a3c37822d2343ce035259dcbdbedeb30a	\\x0123c36a3abe4bd1495e59650f08708fc7fc006eaf7a6a5f013573e4e4f35a8844c26b0ba9
default	6q5zulxrt2ledl7jorrcwilol4/1	9	1795856264610409		system	chain.tied	ok		f	1	0		\\x	\\x	chain/6q5zulxrt2ledl7jorrcwilol4/3	1	\\x	\\x0123c36a3af8ebe125a0fa80aaa930d4d694ba535378d9c17a29882169ef5037eac2cc8f55		\\x0123c36a3abe4bd1495e59650f08708fc7fc006eaf7a6a5f013573e4e4f35a8844c26b0ba9	\\x0123c36a3a992d11f0f77c4aa9c7fae856ef0ca226c25bddcbdb77d71437f6c463cebfc554
default	6q5zulxrt2ledl7jorrcwilol4/1	10	1795856264610409		system	chain.tied	ok		f	1	0		\\x	\\x	chain/6q5zulxrt2ledl7jorrcwilol4/4	1	\\x	\\x0123c36a3a7fc61c0f5a23f2f9ec2528e84bd784b6bfe1acd1b5dcec93d3e144def41f09c9		\\x0123c36a3a992d11f0f77c4aa9c7fae856ef0ca226c25bddcbdb77d71437f6c463cebfc554	\\x0123c36a3a7bb2cad648695809aaca4741b2943f32261e68e7cd0764e900b4d8ae6adba104
default	6q5zulxrt2ledl7jorrcwilol4/1	11	1795856264610409		system	chain.tied	ok		f	1	0		\\x	\\x	chain/6q5zulxrt2ledl7jorrcwilol4/5	1	\\x	\\x0123c36a3a96de5b30cb0062489bcf0a336857da43a527316507f2cd307314a0784c9ad617		\\x0123c36a3a7bb2cad648695809aaca4741b2943f32261e68e7cd0764e900b4d8ae6adba104	\\x0123c36a3a732319870fdfb4a6092af47f3317cd54704ce54ecc12be890e46df768ce19748
default	6q5zulxrt2ledl7jorrcwilol4/1	12	1795856264610409		system	chain.tied	ok		f	1	0		\\x	\\x	chain/6q5zulxrt2ledl7jorrcwilol4/6	1	\\x	\\x0123c36a3a64fba31a64b48b4557db358c33fc450e90aaa915c03fcdc48079a860fcd89ef5		\\x0123c36a3a732319870fdfb4a6092af47f3317cd54704ce54ecc12be890e46df768ce19748	\\x0123c36a3a1bbcbf1ddf652022f24793d46dd46ff4430641c04993da1191c3940c00bb8965
default	6q5zulxrt2ledl7jorrcwilol4/1	13	1795856264610409		system	chain.tied	ok		f	1	0		\\x	\\x	chain/6q5zulxrt2ledl7jorrcwilol4/7	1	\\x	\\x0123c36a3acdfa66e4aace088c806fa53ee568e23930e6178193390b2c3f17cb6ad1897143		\\x0123c36a3a1bbcbf1ddf652022f24793d46dd46ff4430641c04993da1191c3940c00bb8965	\\x0123c36a3a0a075a6c196cc2f7bc5a19db133a37ac96bd2503365709d4da73439ed6af912b
default	6q5zulxrt2ledl7jorrcwilol4/1	14	1795856264610409		system	chain.tied	ok		f	1	0		\\x	\\x	chain/6q5zulxrt2ledl7jorrcwilol4/8	1	\\x	\\x0123c36a3a2d5cd2c65e02c22f6529d30a71b17d42da9755b1ecd5b2e303ec910eb90fd27d		\\x0123c36a3a0a075a6c196cc2f7bc5a19db133a37ac96bd2503365709d4da73439ed6af912b	\\x0123c36a3ada921eb7a8cd28c244aed5451b4612167657a0986b44d5534f6bf18b47fdd086
default	6q5zulxrt2ledl7jorrcwilol4/1	15	1795856264610409		system	chain.tied	ok		f	1	0		\\x	\\x	chain/6q5zulxrt2ledl7jorrcwilol4/9	1	\\x	\\x0123c36a3a45c546374b995b8fb052bac37ed8fa6ef8bfcf973f2f81b5643433b1634f1f58		\\x0123c36a3ada921eb7a8cd28c244aed5451b4612167657a0986b44d5534f6bf18b47fdd086	\\x0123c36a3aa64cddc4de6c6d69a6a0ea44116eddbb0b4ffa547af8cab6e3a28928a30619c8
default	6q5zulxrt2ledl7jorrcwilol4/1	16	1795856264610409		system	chain.tied	ok		f	1	0		\\x	\\x	chain/ecrctwytf7llrkn2fc27ugtvva	1	\\x	\\x0123c36a3ac751af08ae033d3cc49f59e8148a1f5baf4108bd4c5a52d024b6334615ffa7bd		\\x0123c36a3aa64cddc4de6c6d69a6a0ea44116eddbb0b4ffa547af8cab6e3a28928a30619c8	\\x0123c36a3a12fbf47e99d6ac64f84f3c769b4b0e43c20251598f3b4ddb22b641978dd66d67
\.


--
-- Data for Name: audit_verdict_2026_11; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.audit_verdict_2026_11 (chain, seq, second, micros, account, data, hash) FROM stdin;
337641473	9	849171464	387262	527571840	\\x01a2215fecb866625d41d6ffcd08d9b9994a87ac9cdfe6d6e93028f608045577c4152a3e1702259172accf0303c00e64c96a3427f1084f53b883015e5b1c2a68a4280dc60ff330b71d5dfefb0202bc5400000829d013380a0a35233385fa2bb32a8ffe	\\x0123c36a3a7e75eb8acd85b68e5a66944976a2df12
337641474	4	849171464	600740	-1434344641	\\x01a2215fed849a47263398ee5117fa66d85c6a58c9a36462391731cf0df4300cdf65b1690b9c44556b2f29aa4b1b5507a895d1cd41b2b3d4a3742a97fabae2c1fe4edb85f6007462108e73071202e0a001000008801971b16c9ed7e8c8e86c16085bd7fa	\\x0123c36a3a8094b7953713fb0a8525a4134b6df16e
337641473	11	849171464	617855	-1434344641	\\x01a2215fed9c3f70e67f217fc3209728d85c6a58c9a36462391731cf0df4300cdf65b1690b9c44556b2f29aa4b1b5507a895d1cd41b2b3d4a3742a97fabae2c1fe4edb85f6007462108e730712048e67000008c8e86c16085bd7fa153dc87c7c9cc1dd	\\x0123c36a3ab3b19892a5a90d6aa68d3ed06262d314
337641473	12	849171464	639133	-1434344641	\\x01a2215fedb167436c1395adba1b5b91d85c6a58c9a36462391731cf0df4300cdf65b1690b9c44556b2f29aa4b1b5507a895d1cd41b2b3d4a3742a97fabae2c1fe4edb85f6007462108e73071206e86c000008153dc87c7c9cc1dd3520668d27923f37	\\x0123c36a3aa9c75bc8397c939f98480bd2404964d4
337641473	13	849171464	651020	-1434344641	\\x01a2215fedc2649c00fbd750b5cd6e3dd85c6a58c9a36462391731cf0df4300cdf65b1690b9c44556b2f29aa4b1b5507a895d1cd41b2b3d4a3742a97fabae2c1fe4edb85f6007462108e73071208c3470000083520668d27923f37fb63f1ccab4f7cf6	\\x0123c36a3a58bf9c1254a6339e6e459ff579165d62
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
default	60000000	1795856220000000	6q5zulxrt2ledl7jorrcwilol4	12	1	558917	\\x0103c00e64c96a34274b1b5507a895d1cd	\\x01650104020101010100030301130103010001
default	3600000000	1795852800000000	6q5zulxrt2ledl7jorrcwilol4	12	1	558917	\\x0103c00e64c96a34274b1b5507a895d1cd	\\x01650104020101010100030301130103010001
default	86400000000	1795824000000000	6q5zulxrt2ledl7jorrcwilol4	12	1	558917	\\x0103c00e64c96a34274b1b5507a895d1cd	\\x01650104020101010100030301130103010001
default	2419200000000	1795046400000000	6q5zulxrt2ledl7jorrcwilol4	12	1	558917	\\x0103c00e64c96a34274b1b5507a895d1cd	\\x01650104020101010100030301130103010001
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
default	gbykysbavwf4kn7myy7v73q7pm	PASSCODE	ezgokzwm7do3twkivwhsnys3wi	1	1795856264178800	1795856264178800	\\x0101250deb32f4c3b9de59267a34fb2f98bf3fb18303cb572ec1e94839b88e18651312e55cb42ed2f5920ff7bd0d5a583368a7bffbb77803df9d7c7dfa4b1c40296bd166d27ff775962f7c80ceeb270667a8cc5f67e57a8540d25757d2fa198b89eb741843cc6f31
default	gbykysbavwf4kn7myy7v73q7pm	TRANSACTION_PIN	ngennlbqj7gcfwrxzyen3u2p5y	1	1795856264190400	1795856264190400	\\x0101250deb32095c0847f277c31a2703596d32043f99a80d4e06c72a66bdd1b3a8f56fe82de5d3f2fdc13b682b56cb7e8913216193b927e5d9960000fd57fcfccdfb1f774c31100ee4ce326da7a82589d3ae1e37f7acc87bd8ec1c80b21e30e14ce473f4f1dbdfc7
default	yitff3c7ib7l7h5flify75dx5a	TRANSACTION_PIN	gp735zfdqgnn3qmvrnalzkusvq	1	1795856264575764	1795856264575764	\\x0101250deb32969af67f78c7b1c76826d4ee2597653a08be03406a3849d76c1a51c038502808307845ee6624bfb49aa4f91dbca1b4785eca13805c3114bf3e5828ac46eb2aa291c0b17636e833e5b5f239d0b4adf7faa0cb4cd4d386a1bd6737647675fca1b080c1
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
default	gbykysbavwf4kn7myy7v73q7pm	7pukdeu4b6owdoigsqoufyzcoe	phone	invalidated	2	RSA-OAEP-256	3072		1795856264158248	0	1795856264370354	0	\\x0123c36a3a7700b8d3267d4d964d14863f89916bb101730ad02d5b7a3cf7cdb752adfb9ee5	\\x308201a2300d06092a864886f70d01010105000382018f003082018a0282018100cc48af82c44782e399441779825a8ff2b75aceb33580cc926f038fcdc2c8336f68eb7fce00f76a5f71f7e32e04fdab4b857c142bef63f442f8cb1d6e32a05d794256d5814149e6116f701f730b1e6f62eb893e8341d54e63b7a3de5e1c88f44a254179bfab02143e8876bb93435261c93ffacd20b440f6850787ebe5c0ef72295b0082a7ca6ff51b1f13ae876a60a11e557e6fa16b1a8cad1c395f247eb15659cf25c4d80ab41361a4207924beabcbe1f24daebcf0ccf696a0473e9f5603ddb025a428fc28f16be96582ae1b907e5966c746c3eae7314f801388a3b091728a30bc38931df69db94c542bf0dd3a4ab2815f816fce567e886acb4f9825c8760e78aa11d30744a73e8ff9e8b14bd967451016bd9a90354d51ddbd7c96af45e34339df7144b748c23859feab5bd1826dcaaf7a20c51cdb0a54da14ca1244930c9def5535d24b7d23df68c09e067cbcba9d02c39c2cf3ac41faaabcf947fe7ac0d2c9ffb80cf2a18de9fdebd590cf780fde65a12e34d6fc9f6573871f8903576f2add0203010001	\\x	
default	gbykysbavwf4kn7myy7v73q7pm	tffiple437tnn2jqfd3aqbcvo4	phone	active	1	RSA-OAEP-256	3072		1795856264370354	0	0	0	\\x0123c36a3a63fb7cfbe23aeec87fe98b4ef344448adafaf6f76fa9848fbf42adb2d3dddf1b	\\x308201a2300d06092a864886f70d01010105000382018f003082018a0282018100bc948344d9d32a4beeca39d8039ca0a8330ac5c8dabd7fb8b748dd1e25abd179d865b5c3481c4532f60dedf788c766574ed3751f45621e3f1703ad7372e2d49174c7155ddadd6625d4ea477d5de04529a5e99c6eb3692c38b18ef469244c07114c575d5be7ccbb404561905ce251f18e3e78dce1fb51bd9756ebdae00049ef176fba58588ea057efb98da8b8d48d4aa761bfa0bf68429b115884ce49bdc72c15c26de6fe328a0fa1a1e49d2e247af52eea3187b9c106c6794de7c894f87e4e37656805b038f4d33382d207a0bf8b587e97f8c9dbb3ca0a3860d2bd5c0d412a80340a685a099636fecc6714849e7befcb77cab0c4142c5c99b08d0e2902886b705334c091002da0ce8a179b639290160f591aa97ffa423fc914bdeab2ca8de60cce67a66ad376a0132f05c99d4513486c315479d7c94a941617969af9178329c8881276c81b4f966a5b1bb8c3ec6ccb50c491276eeac753a71abbf6072feadd5517c8a4dfb67106a25e931749c4f5e25b79f7e5e4f42eb39f2d057bd95dec4b530203010001	\\x0101250deb329d424c459390ab98cfc6d84cef1ef1178e37ec76589f7d2d2033a8d160280be6ace0bf946251c1b316605c04063b0769c2d4c5012a6b0a589fd0d80c058e66859179bc16464d9c18dc1a1f21485cd2c93d1b94bf1f5f051b4325722128ffdc713cd8316382ddb2604b78d3089ccc5782b2ecbf9e1167666db1d9c82f77d8b80b04ee7735acac1ae6136f039126ccf983cf1e4a028a21c17a83113e63f92e6f2af81832ceecd01cec762dbd8c109de13d83772544b46997803ad41a11f6e533cb746599af6a81ef108d4275cb2808e489f0fd3abb23c6a0118227146dffd6fac55c86f3d8266543401b825e020cbd1ded0fdd9873218f912278bd59a0e18ea8d019374ee635b2b45d5e64014429537b9617266e3821ec4f87b0d26471cb1941b57405282a090762a96b54835a4cf85b0121aa8a4762712ab709cef09fd852fe4ac1a3c1fafcb07787de69fc93c3ac41cf1af86a6c111f94547b63ff7afc2923a4380eb1ca54b6bd1c4ab1c222a750456e5f25256cf09b1f69aabb63628089da04fe2be3d008e116ecc75daf5cb2a456d427870bab2148608a60efbf626c8c26f2091062d21cd1ab4f3c	
default	yitff3c7ib7l7h5flify75dx5a	3boguwgjunsgeoixghhq35bqbq	tablet	active	1	RSA-OAEP-256	3072		1795856264554705	0	0	0	\\x0123c36a3a3e0ab321d9109e2decc1e012df15b4cfba4b18fe12795d290ab6d4500785476b	\\x308201a2300d06092a864886f70d01010105000382018f003082018a0282018100b845030b27f0a5b46fb40aa8855f42e20ea6f0108a17e17584ce8b677804e80ffbd765eb2240f1619cedbbd3a536506873a56f83771a7dd5ff4a871612808b1c0bb42c312668741bca9e633444387b26d18b279445290faf3bdfb709b16156815c41fc68e50964cc716bbff23336232e1a9acad97bcebff4a2a81f76117d97987724e2f2ca98fd7c538f8272ee9dd96764edd0c7726815e1af78d4d104df6dc849c0f54b14e9dd0d5068603690ee5e82e31128bc1a4c794a242fe31495742649ca954cf522aa8798c76d58160078fdbb9c917f05a590074eb9fcccae553078b76e88cf41078313d5975d76da3ee4fd4e11755c14ca6ea968bda55f985dbd5b313bdb5e6a1ae23bd7d9fd8de97c1edccb10ab01dae1676d2131963d3dd62f5d29d7cbf15df60c944425823bf5dc54de8fd92b587042b7bd717c6e833125cf45c584c55c8812408a2325e790f29ec0043a40f21f27f5e68ab4b40545bc64c753f2d41d0ec4c22c0529c4a590256dceab3e51323984482fcc81108cd3d0979260a90203010001	\\x0101250deb32d887e8deef3a59453c1c748598f1ee48782b820bcc5c0b8ece6de89d1abc862a228e5888805b34281e8f29f116de8a1d782b4649e4cb37fc43440410d6649b706c9dbf1e838bbb2106b6d365a407b7a60e28e712795f9081410ef4d1fb4da9720673fc237cb1b682a62955a7e59da6e8340b7095760d25e02b494ec9bf2c2cbb53a2bac56b0870b197c1509f84375712f5a761b645fdc0da0dc03ec26f936c09b31ae9951bb66c43bfca727f93954c1b053a1ee561ea127f7bb5ce89daaacc24fee6bf3c650db45530f53aeb31bed93c7ea9489dca5b8c80b2e7232680b4b6bb6cc06e38247c5150f4cba2daf141d7a77b5db060961fde3e5a589fb8eb47a75ef4bb833aad384e3a7f371854b2467e11aadbc7817c3d4d977f79d9ec5e3727806dc2902f638f740b7256e0f265c2436539dbe2e76f781b6ee2fbcfe1532fe19c6c7a8bf536a1ae7355565a70396658a7c7acc37c22de80996eff039ddd1bf8b50a118a44f5505b6a738955c6f9221a5d0a90cd01cf615723ff866c06b90970fa79091252299c0a3de49924d0184ed79bee555feb2e5d687b78194ff64b69c34516e807bf5a7497034f	
\.


--
-- Data for Name: key_account; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.key_account (tenant, key_id, account_id) FROM stdin;
default	7pukdeu4b6owdoigsqoufyzcoe	gbykysbavwf4kn7myy7v73q7pm
default	tffiple437tnn2jqfd3aqbcvo4	gbykysbavwf4kn7myy7v73q7pm
default	3boguwgjunsgeoixghhq35bqbq	yitff3c7ib7l7h5flify75dx5a
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
default	gbykysbavwf4kn7myy7v73q7pm	7pukdeu4b6owdoigsqoufyzcoe	1795852800000000
default	gbykysbavwf4kn7myy7v73q7pm	tffiple437tnn2jqfd3aqbcvo4	1795852800000000
default	yitff3c7ib7l7h5flify75dx5a	3boguwgjunsgeoixghhq35bqbq	1795852800000000
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
4097083626	f	\N	\N	\N	2026-11-28 08:57:43.938956+00
\.


--
-- Data for Name: schema_version; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.schema_version (id, version_id, is_applied, tstamp) FROM stdin;
1	0	t	2026-11-28 08:57:43.867866
2	1	t	2026-11-28 08:57:43.894917
3	2	t	2026-11-28 08:57:43.91054
4	3	t	2026-11-28 08:57:43.920128
5	4	t	2026-11-28 08:57:43.920341
6	5	t	2026-11-28 08:57:43.92383
7	6	t	2026-11-28 08:57:43.925068
8	7	t	2026-11-28 08:57:43.92623
9	8	t	2026-11-28 08:57:43.926635
10	9	t	2026-11-28 08:57:43.927754
11	10	t	2026-11-28 08:57:43.930061
12	11	t	2026-11-28 08:57:43.932837
13	12	t	2026-11-28 08:57:43.933942
14	13	t	2026-11-28 08:57:43.934094
15	14	t	2026-11-28 08:57:43.937593
\.


--
-- Data for Name: setting; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.setting (tenant, name, value) FROM stdin;
default	epoch	\\x31
default	account_mode	\\x646576696365
default	audit_chain	\\x656372637477797466376c6c726b6e3266633237756774767661
default	keyset	\\x7b226b6579736574223a7b2267656e65726174696f6e223a312c22646174614b657973223a5b7b226964223a3632313636393137302c226d6163223a3630303030393237342c227072696d617279223a747275657d5d2c227772617073223a5b7b22726f6f744b6579223a2239326131636630633266663132353537222c2275726c223a2266696c653a2f746d702f546573744461746162617365734f664561726c69657256657273696f6e734f70656e323534343839363631312f3030322f646174612f726f6f742e6b6579222c2261646465644174223a22323032362d31312d32385430383a35373a34332e3936303039345a222c226b6579223a2233787a737255367a4242385169586b55776256624d7a50754151373959362f744d667346762f54486d554538744a70394f5036616739337462456a4e64735345486c704437763238576b7959446b39367533394e6e4f6e387870443550446d4a222c226b6579736574223a222f71537a59597644664b2b41426a6666636e474a57477a6c71583273796b54637a34694a587170314d524443775756762f5453597442356d37784a4e6d65612f69326e786a316659645037632b4d5a737a3959445453517759693359706e77436e6a4456476f63353439514936656a2b6a6d34547a596e6756626b35746d622f492f2f644179437538596f466243676b575a705257705451775151326f69762b576f6f624f5849596b6f7743746e454a3057462b484e494b38774146334c5a4f38346353354e56637a7776417a3475736f434d3175727844494176662f4670746f6264635338494b42786d595865324a3841646743626d6535766d5a4441596c35774c6b4b585261327a41525850616b575a30393350364479707a704c7a6234576e3039704a51324775623356717974776d54432b7230565a35485745523678774d74557a59596b44587052545230354e51355832634d633152417033726a4e6d316558777a686d227d5d7d2c226d6163223a2241535044616a7059685866514a4b4c5777504e58433073475738595a4d346b55523474305635616261316e6c5a452f344e513d3d227d
default	witness/681d91cdf7759d3a90c22f917b0b5c68	\\x000661525eaee5ea
default	metrics.folded/6q5zulxrt2ledl7jorrcwilol4/2	\\x0000000000000001
default	metrics.folded/6q5zulxrt2ledl7jorrcwilol4/3	\\x0000000000000001
default	metrics.folded/6q5zulxrt2ledl7jorrcwilol4/4	\\x0000000000000001
default	metrics.folded/6q5zulxrt2ledl7jorrcwilol4/5	\\x0000000000000001
default	metrics.folded/6q5zulxrt2ledl7jorrcwilol4/6	\\x0000000000000001
default	metrics.folded/6q5zulxrt2ledl7jorrcwilol4/7	\\x0000000000000001
default	metrics.folded/6q5zulxrt2ledl7jorrcwilol4/8	\\x0000000000000001
default	metrics.folded/6q5zulxrt2ledl7jorrcwilol4/9	\\x0000000000000001
default	metrics.folded/6q5zulxrt2ledl7jorrcwilol4/10	\\x0000000000000001
default	metrics.folded/6q5zulxrt2ledl7jorrcwilol4/11	\\x0000000000000001
default	audit_tied	\\x000661525eb84269
default	metrics.folded/6q5zulxrt2ledl7jorrcwilol4/0	\\x000000000000000d
default	metrics.folded/6q5zulxrt2ledl7jorrcwilol4/1	\\x0000000000000010
default	beat/6q5zulxrt2ledl7jorrcwilol4	\\x250123c36a3a7b406490da74ece28cfbbe6787736452764d8390dd9bbb4328de0102c5e838457b22696e7374616e6365223a223671357a756c787274326c65646c376a6f72726377696c6f6c34222c226e756d626572223a322c226174223a313739353835363236343636313539372c22636f6e646974696f6e223a22656e646564222c226865616473223a7b2230223a31332c2231223a31362c223130223a312c223131223a312c2232223a312c2233223a312c2234223a312c2235223a312c2236223a312c2237223a312c2238223a312c2239223a317d2c2272656164223a6e756c6c7d
\.


--
-- Data for Name: signing_key; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.signing_key (tenant, number, id, algorithm, version, created_at, active_from, erased_at, mac, public_key, sealed) FROM stdin;
default	1	SEZNtr8uDshN4HTVw6tL7uhcnD0Sin5Csz-XqvMhjhY	ES256	1	1795856264005234	1795856264005234	0	\\x0123c36a3a8a3de1a6b32cec3c7286bdc8232208ecda214945a52ee3b4ea39de43b55870b4	\\x3059301306072a8648ce3d020106082a8648ce3d0301070342000455f0b7fcc6e1a64e63eb5b54d20cb054ac5b2d31633d294cc415a473eec334a4983838a9723aa3374f8f47c98331d7d1b2d31d4a04305d67df69aa5a0e2102a8	\\x0101250deb32859666cd4d2558050a904fa50dfa4f0880dff5a3e29debfbfe045170070851ef05b6f139a8682e2d89eed0669c84dbe538e809e2961e0b4bf8853827d30a38b0212edd9cc78357420abac77bf9d8c3dba97b115f8f8f89b64f8221b9a0471f64c372caf53e9ec75edfa48600605b9f36d8b79653470a2f7d0eba9080399c3e128d9f378a4cfdd4fecb315632f1953fc8790daad694175af2b6de10aa2fb55685cbadb4c300992ae1116bbb238ecc43984c71
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

\unrestrict SCTKaQBLraQLzWNQWKKvmkBmBbAdpV2pBVkhDGed2d5S2QaAUcCzfWbCyUp349o

