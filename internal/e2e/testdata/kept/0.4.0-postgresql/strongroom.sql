--
-- PostgreSQL database dump
--

\restrict cM19VLbxjOU0muh44NmzfdmpWZTGUe4WPB4jWmVEVsaCliIRz9yQRpFzK7KPQqL

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
    devices text NOT NULL COLLATE pg_catalog."C"
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
    devices bytea NOT NULL
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
default	3usx3qzs62ktyhhp4e5denxbue	device		phone	1795487078109029
default	wtjvo4dxa5srpfv3vd5tuq4q7u	device		tablet	1795487078669671
\.


--
-- Data for Name: attempts; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.attempts (tenant, account_id, type, id, version, failures, locked_until, permanent, recent, pending, mac, verified_at, verified_by, devices) FROM stdin;
default	3usx3qzs62ktyhhp4e5denxbue	TRANSACTION_PIN	iturnmzylux5hxj7nccnwy3cmm	2	0	0	f	[]	[]	\\x01c3e273e14b7aeb5e8213a862589fe6c37c8f24e0756b2c094da1b027de4024a2072ec398	0		[]
default	wtjvo4dxa5srpfv3vd5tuq4q7u	TRANSACTION_PIN	f3mqsy7a3u5hasxcfcnsimq2lu	8	4	0	f	[1795487078689399,1795487078698789,1795487078709485,1795487078722287]	[]	\\x01c3e273e155865bf47a94d1554398e1038bca55c455dabe5b8c920cf6120913c6baab5981	0		[]
\.


--
-- Data for Name: audit_log; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.audit_log (tenant, chain, seq, "time", request_id, actor, event, outcome, operation, failed, count, duration, key_id, account, device, record, version, before, digest, reason, prev, hash) FROM stdin;
default	yszitepsekige22qeouzd35kf4	1	1795487077983754		system	store.initialised	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01c3e273e10f6080806ebb2c61c8e096517b01bc2e762c925fabe56c0af0c332a3aa1b169f
default	iescpgxrvztyz3u65whjqnktte/0	1	1795487078106825		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01c3e273e1c2491448bab392359105c14f8c8e2ed4f530563d192e2be31880db386c55e4d8
default	iescpgxrvztyz3u65whjqnktte/1	1	1795487078106825		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01c3e273e1f7088e28f54f9e20cd66a12b1fa69184d41b2e22146e7a344112f80a18a46cae
default	iescpgxrvztyz3u65whjqnktte/2	1	1795487078106825		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01c3e273e175807caf55b5b1795264efd0e2e1bbee682c747891edbd3a45cb46a16f2804ca
default	iescpgxrvztyz3u65whjqnktte/3	1	1795487078106825		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01c3e273e1ba34e7a4f026947331367a97e908055dfa5731cceb1ea0d400dd2f21fb4e45ad
default	iescpgxrvztyz3u65whjqnktte/4	1	1795487078106825		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01c3e273e1430e9ff13582f32fbbe21c5d10241007697218f002865d3bbfceb9dc16cea980
default	iescpgxrvztyz3u65whjqnktte/5	1	1795487078106825		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01c3e273e123f12f24d0d35c6573172db18e0bcc22674bafcc84e1985b4b308165dce4bcda
default	iescpgxrvztyz3u65whjqnktte/6	1	1795487078106825		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01c3e273e1e0d2b5352e07748cb13109f9fdfa05f4c878b89d0c7c6d2baac5a75390df0851
default	iescpgxrvztyz3u65whjqnktte/7	1	1795487078106825		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01c3e273e1e8779444cdba6ef4af388a300a0187ba3ea2513c84d16149b52fc1c59ca2c1f9
default	iescpgxrvztyz3u65whjqnktte/8	1	1795487078106825		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01c3e273e10841e5a1be7123658acfe1bc0e99b79f74bf9f0a20ddb6eaee158add9087cce5
default	iescpgxrvztyz3u65whjqnktte/9	1	1795487078106825		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01c3e273e1f0dee057ed3aedc0b67a743b67245d5df37d406409568df4ad3c8c2f629ec832
default	iescpgxrvztyz3u65whjqnktte/10	1	1795487078106825		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01c3e273e15cd1c855f795dd7cbe3f189a5a7c1b59a651ce48e4ae57eb5aa70d7d1569ae41
default	iescpgxrvztyz3u65whjqnktte/11	1	1795487078106825		system	chain.begun	ok		f	1	0		\\x	\\x		0	\\x	\\x		\\x	\\x01c3e273e164710300a9f8c8dcaf32d09cf5656a81ebc73ac3464a2c89143030dffe22f4c7
default	iescpgxrvztyz3u65whjqnktte/0	2	1795487078109029	hyij4htugim4f7dpnhlyydc6da	caller	key.issued	ok	generateClientEncryptionKey	f	1	118714	khfp6sfexayblr47elbjli3u3m	\\xbb9689e12bdfb279ec3404d294101726	\\x343276944e045c3be3b08127a22690cb	key/khfp6sfexayblr47elbjli3u3m	1	\\x	\\xa7e8134c041f52e277d6d52ef15467106b52a74c1cf5649bca0559b6b47c5365		\\x01c3e273e1c2491448bab392359105c14f8c8e2ed4f530563d192e2be31880db386c55e4d8	\\x01c3e273e174b3e7f35077b905a21b211cf0e9352b057c8d308f0f9564e02413c4b871beed
default	iescpgxrvztyz3u65whjqnktte/0	3	1795487078164771	hsz44am4lrroloj4lvf5tmaa5q	caller	credential.set	ok	setUserPasscode	f	1	54239	khfp6sfexayblr47elbjli3u3m	\\xbb9689e12bdfb279ec3404d294101726	\\x343276944e045c3be3b08127a22690cb	credential/sjue6sybhh3lddb3nkdlafm6hm	1	\\x	\\x3645672f97cfafb20908e17d5217e9bafe2fd262d3a43fc0b4900fce6a0b44de		\\x01c3e273e174b3e7f35077b905a21b211cf0e9352b057c8d308f0f9564e02413c4b871beed	\\x01c3e273e1d1297308d795a6a145c262cfe28873e9faff8fee493128b66bf312ee433d8b5e
default	iescpgxrvztyz3u65whjqnktte/0	4	1795487078173476	oz3lxebw472fvo2pb3mpizhazi	caller	credential.set	ok	setTransactionPin	f	1	6661	khfp6sfexayblr47elbjli3u3m	\\xbb9689e12bdfb279ec3404d294101726	\\x343276944e045c3be3b08127a22690cb	credential/aadrhtwparceiovjsz4eypban4	1	\\x	\\x65dba277221d6c97041a83fe737ad316d8f2d77d7dbbdefcbe1ea298f60667c7		\\x01c3e273e1d1297308d795a6a145c262cfe28873e9faff8fee493128b66bf312ee433d8b5e	\\x01c3e273e173d1f54d06cfe933e9dcc8c353ee34b2dbe2b9044073a45566574d4d9851d32c
default	iescpgxrvztyz3u65whjqnktte/0	5	1795487078440848	7kronsluh5nus66rgvns625tmy	caller	key.rotated	ok		f	1	0	khfp6sfexayblr47elbjli3u3m	\\xbb9689e12bdfb279ec3404d294101726	\\x343276944e045c3be3b08127a22690cb	key/khfp6sfexayblr47elbjli3u3m	2	\\xa7e8134c041f52e277d6d52ef15467106b52a74c1cf5649bca0559b6b47c5365	\\x7bfa9716a3b466c2455e8b0145b11a567ed4608c29f70e9dcb3c34e0778cfc0c		\\x01c3e273e173d1f54d06cfe933e9dcc8c353ee34b2dbe2b9044073a45566574d4d9851d32c	\\x01c3e273e1059941524c17d00149fca8b5a7789bddca94913334c2df469f6d2644b7b2b6d8
default	iescpgxrvztyz3u65whjqnktte/0	6	1795487078440848	7kronsluh5nus66rgvns625tmy	caller	key.issued	ok	rotateClientEncryptionKey	f	1	264177	o7sf632dak6re4nowfnbj3rfkq	\\xbb9689e12bdfb279ec3404d294101726	\\x343276944e045c3be3b08127a22690cb	key/o7sf632dak6re4nowfnbj3rfkq	1	\\x	\\x3bef89dfe62a408061391ddc81883a6f02e2d687db4c766b83ffd95aed418116		\\x01c3e273e1059941524c17d00149fca8b5a7789bddca94913334c2df469f6d2644b7b2b6d8	\\x01c3e273e104457aeb266d4097eb1a526f4c114923707f9ba2f2d3aaa67792ab8a1b6ebb18
default	iescpgxrvztyz3u65whjqnktte/0	7	1795487078453980	h7qtlef7jnk3sivoxasn3gvara	caller	credential.verified	ok	verifyTransactionPin	f	1	10184	o7sf632dak6re4nowfnbj3rfkq	\\xbb9689e12bdfb279ec3404d294101726	\\x343276944e045c3be3b08127a22690cb	attempts/iturnmzylux5hxj7nccnwy3cmm	2	\\x5fde7036bd8b5c940380017f7751ec0054eee325cdba01393db4915b9337638c	\\x5fde7036bd8b5c940380017f7751ec0054eee325cdba01393db4915b9337638c		\\x01c3e273e104457aeb266d4097eb1a526f4c114923707f9ba2f2d3aaa67792ab8a1b6ebb18	\\x01c3e273e1dd1c888be5338562f034bc048677c690ae5135259d0c3591e1921d47cab0e72c
default	iescpgxrvztyz3u65whjqnktte/0	8	1795487078490179		system	operations.counted	CREDENTIAL_REJECTED		f	1	2378		\\x	\\x		0	\\x	\\x	setTransactionPin	\\x01c3e273e1dd1c888be5338562f034bc048677c690ae5135259d0c3591e1921d47cab0e72c	\\x01c3e273e14a2ab14746b9339c6c0cd982f61ca2c3d7ffd065cee2993a8a272400c581bbe9
default	iescpgxrvztyz3u65whjqnktte/0	9	1795487078497366		system	chain.tied	ok		f	1	0		\\x	\\x	chain/yszitepsekige22qeouzd35kf4	1	\\x	\\x01c3e273e10f6080806ebb2c61c8e096517b01bc2e762c925fabe56c0af0c332a3aa1b169f		\\x01c3e273e14a2ab14746b9339c6c0cd982f61ca2c3d7ffd065cee2993a8a272400c581bbe9	\\x01c3e273e10ca918d0f778d795d724cff836af57cd1a13f902483c4e26f04d0d021c25e61d
default	iescpgxrvztyz3u65whjqnktte/0	10	1795487078669671	eatl3i5hy2ylpw7rrtyoukuiru	caller	key.issued	ok	generateClientEncryptionKey	f	1	215600	3eymsgy4el4d2dgid7v2yylcei	\\x31ae6e2069eaee8fd37306b6e795247d	\\x4260bd40be7029578082d5b11752febf	key/3eymsgy4el4d2dgid7v2yylcei	1	\\x	\\xb256d2973c3ad5f780e87eeba05091ede79281f351c624e174f0c616e4556105		\\x01c3e273e10ca918d0f778d795d724cff836af57cd1a13f902483c4e26f04d0d021c25e61d	\\x01c3e273e1b6f30c45f959a5e3796c1673c6f68d4fbd163dc2fc19cd91d45dbc9ea579c12b
default	iescpgxrvztyz3u65whjqnktte/0	11	1795487078680330	hbmjssw6yjpmkzcjtl2qpflbdm	caller	credential.set	ok	setTransactionPin	f	1	7945	3eymsgy4el4d2dgid7v2yylcei	\\x31ae6e2069eaee8fd37306b6e795247d	\\x4260bd40be7029578082d5b11752febf	credential/tlxrlgapia3koq6zgdh55hc75u	1	\\x	\\x19e574aaaea49a2b1e5def1fbf9e56142db417cd52e18c3cd76a047aaf20c11c		\\x01c3e273e1b6f30c45f959a5e3796c1673c6f68d4fbd163dc2fc19cd91d45dbc9ea579c12b	\\x01c3e273e1aa3e28a190287a1e51eea5a54d80b07e2a484dc6f66683baf5a30ad29be620ad
default	iescpgxrvztyz3u65whjqnktte/0	12	1795487078689399	w6c7r6w62oj56d2ggigav4nshq	caller	credential.mismatch	mismatch	verifyTransactionPin	f	1	7084	3eymsgy4el4d2dgid7v2yylcei	\\x31ae6e2069eaee8fd37306b6e795247d	\\x4260bd40be7029578082d5b11752febf	attempts/f3mqsy7a3u5hasxcfcnsimq2lu	2	\\xd50767d4ace92eef446044fdb9db4b00488c3ca651b30bac1bfa5ed6b713b727	\\x2ea634a052ef66cfc64dbf40ba36c7208faac0aa7cf048f44fe2250b173b0125		\\x01c3e273e1aa3e28a190287a1e51eea5a54d80b07e2a484dc6f66683baf5a30ad29be620ad	\\x01c3e273e12287871ef07825b6552fd4817e91becc566ec9a4ee1d6d754ebccccedb2439a7
default	iescpgxrvztyz3u65whjqnktte/0	13	1795487078698789	34jsf3ldqwz7jyvcef5tbas5cq	caller	credential.mismatch	mismatch	verifyTransactionPin	f	1	8033	3eymsgy4el4d2dgid7v2yylcei	\\x31ae6e2069eaee8fd37306b6e795247d	\\x4260bd40be7029578082d5b11752febf	attempts/f3mqsy7a3u5hasxcfcnsimq2lu	4	\\x2ea634a052ef66cfc64dbf40ba36c7208faac0aa7cf048f44fe2250b173b0125	\\xbf8684f96badc3b40fe96c6de9ed66e5d3b5bcefb3fd36d364cdbdc041226df7		\\x01c3e273e12287871ef07825b6552fd4817e91becc566ec9a4ee1d6d754ebccccedb2439a7	\\x01c3e273e16935bb601350afeec1032d08f61145efd77c48a19bdedfc1523338b53272f7ca
default	iescpgxrvztyz3u65whjqnktte/0	14	1795487078709485	ybk3riwtbbxalrh6jxoec6h6om	caller	credential.mismatch	mismatch	verifyTransactionPin	f	1	9287	3eymsgy4el4d2dgid7v2yylcei	\\x31ae6e2069eaee8fd37306b6e795247d	\\x4260bd40be7029578082d5b11752febf	attempts/f3mqsy7a3u5hasxcfcnsimq2lu	6	\\xbf8684f96badc3b40fe96c6de9ed66e5d3b5bcefb3fd36d364cdbdc041226df7	\\xa8a4a92b3b5b62cbe2641dee644fa43b9df9e2d1e7bbc2df675a093dfcab1196		\\x01c3e273e16935bb601350afeec1032d08f61145efd77c48a19bdedfc1523338b53272f7ca	\\x01c3e273e12458c0db283fa48c6afcdba184c2dfc52d04d539dfe9969b086b3277b270830d
default	iescpgxrvztyz3u65whjqnktte/0	15	1795487078722287	nmtzeeqnfmdt62ritdwxby6oge	caller	credential.mismatch	mismatch	verifyTransactionPin	f	1	11399	3eymsgy4el4d2dgid7v2yylcei	\\x31ae6e2069eaee8fd37306b6e795247d	\\x4260bd40be7029578082d5b11752febf	attempts/f3mqsy7a3u5hasxcfcnsimq2lu	8	\\xa8a4a92b3b5b62cbe2641dee644fa43b9df9e2d1e7bbc2df675a093dfcab1196	\\x7f18e9d2acd80c4a2ea4a6fb84d83a1469b68a635ad5f83b30578ab94ee78962		\\x01c3e273e12458c0db283fa48c6afcdba184c2dfc52d04d539dfe9969b086b3277b270830d	\\x01c3e273e16f3ee189b01a52a6a712664f21375661d4bea3604b71c0796997b7564f794476
\.


--
-- Data for Name: bucket; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.bucket (tenant, width, start, instance, operations, failures, duration, devices) FROM stdin;
default	60000000	1795487040000000	iescpgxrvztyz3u65whjqnktte	12	1	715701	\\x01343276944e045c3b4260bd40be702957
default	3600000000	1795485600000000	iescpgxrvztyz3u65whjqnktte	12	1	715701	\\x01343276944e045c3b4260bd40be702957
default	86400000000	1795478400000000	iescpgxrvztyz3u65whjqnktte	12	1	715701	\\x01343276944e045c3b4260bd40be702957
default	2419200000000	1795046400000000	iescpgxrvztyz3u65whjqnktte	12	1	715701	\\x01343276944e045c3b4260bd40be702957
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
default	3usx3qzs62ktyhhp4e5denxbue	PASSCODE	sjue6sybhh3lddb3nkdlafm6hm	1	1795487078164771	1795487078164771	\\x010119e042af93899b0d48e23281a41c921b6b3de9c50de082cb0160472cde44b0a0ffa38554cbeb55b7e81bf52f0cff2bd3bdc918813d46d4205c85eee110f242ff25cfc7f0be05651f5f3591d4abf7a3f87ef90b96c1e72ebcc522c10bcfb60a67f8b69fd58733
default	3usx3qzs62ktyhhp4e5denxbue	TRANSACTION_PIN	aadrhtwparceiovjsz4eypban4	1	1795487078173476	1795487078173476	\\x010119e042aff7ebfd5279c5650d8ad331042182df0281c0edf51ae2425ec70352cac173436f27b8aa406da5d01367d99f094210eb25ddfb684fc87ea182ca070ed400bbcf0db0cbdde1471f3922c560eb09174c4233e6b460146ca26387dfc1156c98330cee15e2
default	wtjvo4dxa5srpfv3vd5tuq4q7u	TRANSACTION_PIN	tlxrlgapia3koq6zgdh55hc75u	1	1795487078680330	1795487078680330	\\x010119e042af476f38990282bd049eebb22f91af6bfe4db2d047d1fe30186fe62650e7025f87ef7084f49176cdbe4d4522254d5823d3ac6d0c5142b081a40d0f6bdbff43da83efd051b4cb205eb6ea9b1370b097406b69ed91dd3164c94385271324f261b981cd87
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
default	3usx3qzs62ktyhhp4e5denxbue	khfp6sfexayblr47elbjli3u3m	phone	invalidated	2	RSA-OAEP-256	3072		1795487078109029	0	1795487078440848	0	\\x01c3e273e13065749b08aeb25357fd530083931cdd52c48b4a5b33ac9c81054b45a33aabf9	\\x308201a2300d06092a864886f70d01010105000382018f003082018a02820181009b0c267a8ff699e12cf6ddf267328d9bc765b00a44452274d1889320d4fcaeeaafc5214ea8696b410a5c449038bd91bf427999c9994f64043c70ee8bc49b2f3bd15160a45b84071483d14e1e2db50ccee9bac8ebea8b3cda99c85e8efa8457bb789348a2a9ab7e679d05c22c497614d46b31542e8c34f86999783c8171281eb5a9356a620a84a3cb837a861bd50ba7c63e92457c420728e560e67f39b3e8d434d6546dad175f9b8c7d7958d91e09d8d66a466347da22306ea46e78a18136b6c270089cc0a7972db65f6281338baddfac1f2ae64ea1056b26a4b50d2bf75c2aeb9e918f8b9fedfa6a68fd2d5d52d3ab0d09c75a336fe67d5034c41e43e8f60750f538b2cc426c2733d376b3ae0959fc4d2ae005a7bcd31aefbbd89c64d2c12c824b349bbb36c08c7f8fc0858ab44142e2ce4cb3d48776385d0d7992a5031098b87af67ec5eefd078d3d56848973ead12e3208e3cd1baa40f10440a1f5e07e28eaf37624381409d168b17e989543662218c9e316da22664b1463c7efcafb5f0f370203010001	\\x
default	3usx3qzs62ktyhhp4e5denxbue	o7sf632dak6re4nowfnbj3rfkq	phone	active	1	RSA-OAEP-256	3072		1795487078440848	0	0	0	\\x01c3e273e13289bb154e78c84bd15c518938578414479682a3a69b37d04b3307264b9ad438	\\x308201a2300d06092a864886f70d01010105000382018f003082018a0282018100c14f7c513bcf9a8abbd3b8c3277c90c89d1225fe25dba7a46b590747d14ffe538b7e03672e31833d1a9fc9646c9944f512a0adb50a8878a3f7a659c34c07388302ac142e45c60f048fdd842d6f6824b6c0100d506a65bbe861d4afa2f44e45a8189b027b7fe87bbf98f7d01b4a6a8b228b24d87f33fb1855198f30eaf0b1e33a2484edbb6c2cbaa31d64e962414eadb3128dc12a1cbfedbd9ac8fda120390c6f62b8e83bfa37f9ed8d36b23b381f609d3d71e09a672b8cb62cc284c8f078849f571d05fe88f759cbacf582aca212938c210890d9571cb7ee295b5c548240182dfc4eb444fd6acf2ad0e090d6a2e6f8c5a6264c8ea9df7808e8a414bcf643ef40c85c110e8be793a98023f6d956e2b418dc636c4411651c70a0c96fa5e5b203fa8abd657b1547a2364472350725416eb005dec81b0b33cfbb2e780b4dd85095c6d79fdfc7a9f231861cd1bc21e74f3e673d6f299a5e88891a5453520e9e83e83fcba5bfb0eae52947a311aacd8f14e650a0642b9909d8276b11473074b1ea095b0203010001	\\x010119e042afb13375632e8dbeff018220e10d5b60c10b89107b55bb071d04ad9c75282f2064a35a98f6e21c49a01a66909d43f4495d7e869d6ac01f1ad358ffb5df4b452b9b018b44b45a20b74a9f15e5f5673609eaa47f83a04efbd4057e429b3b3a0b4e63780e911371e26ddc984a6f04d09dbb78ef3aaca5a630869ed4a623bf1c9ec71131c8bfaf2c7e213365b84449c006dc9403f0ca4062331a26a80f2a19d8a1f85bf4ee44204eb5baad25c10c49a03a9a839d88a50512674829de846b3fc0bb4a96f6c1619b42492ac7f5873544b7f841dab5fe3d5245c484f4b16ac03d1c78f8811e0a22660b30993357ef3a83f500fe8c9bcc046a4715a2dfeaa1c489b7ed88db1ee16743da99a363e5fcdab43e0f09d2ca45ac83f549330c8ddc39f5327993797b998ae3bc9f70d36d58abed201caf10232b454676e4b085c2fd432977cb489656a2ff1f0cb15fc4bcffe9258ff73adc498abe0c1e8bdf014cd7a41b46ab30976746c19c3e5d8444671a78108d030236c9ec80fd56999748b7b4565d805399d4ab8dc202a6e0fc72ca5b4a84996bef5b1cd5cffd85379978923775e938c98f01f245178b463c331f0d
default	wtjvo4dxa5srpfv3vd5tuq4q7u	3eymsgy4el4d2dgid7v2yylcei	tablet	active	1	RSA-OAEP-256	3072		1795487078669671	0	0	0	\\x01c3e273e1751dcaad78bf4214e00b80a0dc8c9b7a1c09ebb88e9ecc19828623fca8e053cc	\\x308201a2300d06092a864886f70d01010105000382018f003082018a0282018100c3bf2c093133cefbfd79770778b0af8d8814e9564bb768f4a60acb92fc0f55c2dbf95e3841d35413e9cfad6acd6001ef25664f86682afb0461a24bf65002c3cf3de3ad232388efb2ff9b540ab622f1611da9e3df359bf6af9c033c251abc328175aabbb0fdff14f84eee97ad3d320ec6bc6b28da8e42f72979ac969cfed3cbe2e5ab8e0117054099b1e8e8ca4bd8782f8c634975de9529b8b1ecacc8466875c5d8045912aadb7230d02551e6cd081b03f66edfdf11b15b6b3b110c52a5a55348f7b2ea6176493937dd0126edcf45cab2fd8a586ec80481579058c15010df6703da4380f90ca35960dc401284fde92a4f11c0c53bbb54a4044ed5fae3a12a69d3fd3445dadb48bfd95555069178a294785065b82b65bfeb32715d0ec0947baba18ab4d8e8aef79c11ec6363f8680d23995b5f43eedd9eaa76c1cc632e8f1154b9e718eb5249d337daf16e75c98be4cd0c92d547d8f8079960450a0d009492223d3d39e9dfe43d40bab10d4d3807c9f1ce57b1d03e6a3196085d1ed2a3784740170203010001	\\x010119e042af7c4d482111ec4a6f0d8adb6e99592193ea6eee68d535beb9387e049255d338e97120b0fece48180f4865417bb0a3755778874024e576e5e72516cbab3fdd264036bb5abe5f557974c609cc9e07d012e22e140c7305a261b4993f02c115ead3517969522cbd5fa40e8a00e22ea8a7b2bf676e760196dc7efcd8344fe6d03700ae16483b1cd44804dd49c9199f9fac549dc7d75ee5f6943538677b85f12e13f657c8220dfbab3f29524acbabb076415245fb9cc3416b77e8a97bc038bb3ce8757ddc735024e7defc26cc5f7351fc0f6fa337b5a593602d7deb78e9438b60fab93ae8ef3ced361b38108076bf53bdfe4ebbe467daef377aaefed96d572e8a1f491ea50cf9eba5f8f2f9a96ebe6843f2f12e8e0f04e335b8245db651649c8cca33fb04d5e0a41c862489d83d4b105c3966eb330687ccb3fe870de7ed0b04637952bb9649ee0c18732109bd9b25355e83d638bf448d4ae0ad6fcac9c60cef6c4972c53c87d137fe692ddb20ef522f1ce6430df8592194d5d19b6d7a0889f3d35d61a13d7a560e3b80446b93984d35dc9f7de1268365c8a489a8cbc93310826b11a73797220ca9b8949d7d11
\.


--
-- Data for Name: key_account; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.key_account (tenant, key_id, account_id) FROM stdin;
default	khfp6sfexayblr47elbjli3u3m	3usx3qzs62ktyhhp4e5denxbue
default	o7sf632dak6re4nowfnbj3rfkq	3usx3qzs62ktyhhp4e5denxbue
default	3eymsgy4el4d2dgid7v2yylcei	wtjvo4dxa5srpfv3vd5tuq4q7u
\.


--
-- Data for Name: key_generation; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.key_generation (tenant, device, count, reset_at) FROM stdin;
\.


--
-- Data for Name: schema_lock; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.schema_lock (lock_id, locked, locked_at, locked_by, lease_expires_at, updated_at) FROM stdin;
4097083626	f	\N	\N	\N	2026-11-24 02:24:37.979683+00
\.


--
-- Data for Name: schema_version; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.schema_version (id, version_id, is_applied, tstamp) FROM stdin;
1	0	t	2026-11-24 02:24:37.949859
2	1	t	2026-11-24 02:24:37.961028
3	2	t	2026-11-24 02:24:37.977001
\.


--
-- Data for Name: setting; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.setting (tenant, name, value) FROM stdin;
default	epoch	\\x31
default	root_key_id	\\x36633162366630393239363833653935
default	canary	\\x013e855949f40ea64cd4c77ffe4baf8ff9cddaa123cba1b7b926b3a9a68c5ceb2684a08e37bbfbfb23f9384c8de4422efc5b4775700ec111cae1
default	keyset	\\x0145f931edd157c1373f3cbf8f3f6aaef17aa6f18be7e8e64d0999172e0dbef330c491fe8a6bdb8796cf50bf266716a2ce742feb2cae6c0aec6787691b709ffebdd4f7835f40dd9da2793b3045482fefca01b7a17362e60b4994e5185a29f3f8a16a50d32684b922907414a130e8b119ae292cd862deecb82140bf8233f77260a3b68b0d1c046e0f63160c12920bc39da314229a8928f6dce8a56cf0eae3aa5cdc74e5daa9827f870eb2b34089fd6b5a1c6531ea66a781923e758c5dfec7950aa7d072dc97b6cd9d691e1c3e007f81463db23cc3a2d638b6ef263162fb99a8f533b5a6339cc80a6216378ea7f456bc44d7b26a0f61a0073d7c78a45629d70c0f7a00661efa34644fd8e78b9e651f40
default	account_mode	\\x646576696365
default	audit_chain	\\x79737a6974657073656b696765323271656f757a6433356b6634
default	metrics.folded/iescpgxrvztyz3u65whjqnktte/1	\\x0000000000000001
default	metrics.folded/iescpgxrvztyz3u65whjqnktte/2	\\x0000000000000001
default	metrics.folded/iescpgxrvztyz3u65whjqnktte/3	\\x0000000000000001
default	metrics.folded/iescpgxrvztyz3u65whjqnktte/4	\\x0000000000000001
default	metrics.folded/iescpgxrvztyz3u65whjqnktte/5	\\x0000000000000001
default	metrics.folded/iescpgxrvztyz3u65whjqnktte/6	\\x0000000000000001
default	metrics.folded/iescpgxrvztyz3u65whjqnktte/7	\\x0000000000000001
default	metrics.folded/iescpgxrvztyz3u65whjqnktte/8	\\x0000000000000001
default	metrics.folded/iescpgxrvztyz3u65whjqnktte/9	\\x0000000000000001
default	metrics.folded/iescpgxrvztyz3u65whjqnktte/10	\\x0000000000000001
default	metrics.folded/iescpgxrvztyz3u65whjqnktte/11	\\x0000000000000001
default	audit_tied	\\x000660fc69833c56
default	metrics.folded/iescpgxrvztyz3u65whjqnktte/0	\\x000000000000000f
\.


--
-- Name: schema_version_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.schema_version_id_seq', 3, true);


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
-- Name: device_key_active; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX device_key_active ON public.device_key USING btree (tenant, account_id, device_id) WHERE (state = 'active'::text);


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
-- Name: key_generation_reset; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX key_generation_reset ON public.key_generation USING btree (tenant, reset_at);


--
-- PostgreSQL database dump complete
--

\unrestrict cM19VLbxjOU0muh44NmzfdmpWZTGUe4WPB4jWmVEVsaCliIRz9yQRpFzK7KPQqL

