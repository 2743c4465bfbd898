// Package config turns the flags, the environment and an optional YAML file
// into one checked [Settings], or into a list of everything that is wrong.
//
// The idea: a setting is one struct field. Its tags define its flag, environment
// variable, YAML key, default, bounds and line in the reference, so that these
// cannot contradict each other.
//
// The threat is a start that looks configured and is not: a misspelt name that
// is ignored, or a zero, negative or overflowing number that turns a lockout off.
// So an unknown name or a value out of bounds stops the start. Messages name the
// setting and what is allowed, but never the value: someone will paste a key in
// place of a path.
//
// Settings has fields of the types in parse.go and webhook.go, and the checks in all
// files are methods of Settings, so the files refer to each other.
package config

import (
	"cmp"
	"log/slog"
	"net/netip"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"strongroom/internal/domain"
)

// Settings are all settings. [Load] returns them checked. The tags are described at
// [setting].
type Settings struct {
	StoreSettings

	Listen      string `name:"listen" std:"127.0.0.1:8080" form:"HOST:PORT" help:"Address of the API."`
	AdminListen string `name:"admin-listen" std:"127.0.0.1:8081" form:"HOST:PORT" help:"Address of the operator listener: console, admin API, metrics and profiles. Access needs a token of admin-token-file or admin-oidc-issuer."`
	AdminTokenSettings
	AdminOIDCIssuer    string   `name:"admin-oidc-issuer" std:"" form:"URL" help:"Identity provider of operators, exactly as in the iss claim of their access tokens. The operator listener accepts these tokens beside those of admin-token-file."`
	AdminOIDCKeySet    string   `name:"admin-oidc-jwks" std:"" form:"PATH|URL" help:"Key set (JWKS) of admin-oidc-issuer: a file, or an https URL. Empty: discovered from the issuer (OpenID Connect discovery)."`
	AdminOIDCAudience  string   `name:"admin-oidc-audience" std:"" form:"NAME" help:"Value that the aud claim of operators' tokens must contain."`
	AdminOIDCNameClaim string   `name:"admin-oidc-name-claim" std:"sub" form:"CLAIM" help:"Claim that names an operator in the audit trail. Its value must have 1 to 123 printable characters."`
	AdminOIDCRoleClaim string   `name:"admin-oidc-role-claim" std:"roles" form:"CLAIM" help:"Claim with an operator's roles: a list, or one string of roles separated by spaces."`
	AdminOIDCViewers   []string `name:"admin-oidc-viewer" std:"strongroom-viewer" form:"ROLE[,ROLE…]" help:"Values of that claim that grant the role viewer, which can only read."`
	AdminOIDCOperators []string `name:"admin-oidc-operator" std:"strongroom-operator" form:"ROLE[,ROLE…]" help:"Values of that claim that grant the role operator, which can read and change."`

	AdminOIDCClientID     string    `name:"admin-oidc-client-id" std:"" form:"ID" help:"Client id of the console at that provider, for sign-in with a browser. Empty: operators sign in with an admin token only."`
	AdminOIDCClientSecret KeySource `name:"admin-oidc-client-secret" std:"" form:"file:PATH or env:NAME" help:"Source of that client's secret (one line). A file is read again at each sign-in. Empty: a public client, protected by PKCE alone."`
	AdminURL              string    `name:"admin-url" std:"" form:"ORIGIN" help:"Origin of the console in operators' browsers, such as https://vault-ops.example.com. With https, cookies are sent over TLS only. A proxy on this machine may use this host name. The provider redirects browsers to /signin/oidc/callback there."`

	Hardened bool `name:"hardened" std:"false" help:"Production posture: settings get their stricter (hardened) defaults, and accounts and root-key must be set explicitly. See: strongroom config check --hardened."`

	Accounts domain.Mode `name:"accounts" std:"device" oneof:"device jwt gateway" hardened:"ask" why:"by default anyone who reaches the API can act for any device. Give --accounts jwt or --accounts gateway. Give --accounts device only if something in front of the API authenticates callers" help:"How the account of a caller is determined. device: each device is an account, for a sandbox or a private network. jwt: issuer and subject of a bearer token. gateway: an authenticated backend names the account in a header."`

	JWTIssuers    []string `name:"jwt-issuer" std:"" form:"URL[,URL…]" help:"Identity providers whose tokens are accepted, each exactly as in the iss claim."`
	JWTAudiences  []string `name:"jwt-audience" std:"" form:"NAME[,NAME…]" help:"Values of which a token's aud claim must contain one."`
	JWTKeySets    []string `name:"jwt-jwks" std:"" form:"PATH|URL[,…]" help:"Key set (JWKS) of each jwt-issuer, in the same order: a file, or an https URL. Empty: discovered from the issuer (OpenID Connect discovery)."`
	JWTAlgorithms []string `name:"jwt-algorithms" std:"RS256,PS256,ES256,EdDSA" someof:"RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA" help:"Signature algorithms that are accepted in tokens."`

	GatewayAccountHeader string   `name:"gateway-account-header" std:"Strongroom-Account" form:"NAME" help:"Header in which the gateway names the account."`
	GatewayTokenFile     string   `name:"gateway-token-file" std:"" form:"PATH" help:"File of service tokens that authenticate gateways, one per line, each followed by its scopes. Read again when it changes."`
	GatewayClientCA      string   `name:"gateway-client-ca" std:"" form:"PATH" help:"Certificate authorities (PEM) of client certificates that authenticate gateways, instead of service tokens. Needs tls-cert."`
	GatewayClientNames   []string `name:"gateway-client-names" std:"" form:"NAME[,NAME…]" help:"Names in client certificates that gateways may have: DNS names, or the common name if there are none. Empty: any certificate from gateway-client-ca."`

	DeviceProof      string `name:"device-proof" std:"optional" oneof:"off optional required" help:"Proof of possession by clients: DPoP (RFC 9449), or in jwt mode a client certificate (RFC 8705). off: the DPoP header is ignored, and sender-constrained tokens (cnf) are refused. optional: a proof is verified, and binds the device key; each use of a bound key needs a proof by the same key. required: also, keys are issued only with a proof."`
	DeviceProofNonce bool   `name:"device-proof-nonce" std:"false" help:"Require a nonce of the server in each DPoP proof, so that no proof can be made in advance. Clients read it from the header DPoP-Nonce of each answer."`
	PublicURL        string `name:"public-url" std:"" form:"URL" help:"URL under which clients reach the API, such as https://vault.bank.example, with the path that a proxy removes. DPoP proofs must name it (htu). Empty: scheme and host of each request, which behind a proxy differ from what clients use."`

	RequireScopes bool `name:"require-scopes" std:"false" help:"Require a scope for each operation: key:issue, credential:write, credential:verify, metrics:read. A set while locked always needs credential:reset."`

	OverwriteRequiresCurrent bool          `name:"overwrite-requires-current" std:"false" hardened:"true" help:"Replacing a credential needs the current one in the same request (encryptedCurrentPin or encryptedCurrentPasscode), or the scope credential:reset. Turn it on as soon as your apps send the current one."`
	OverwriteMaxAuthAge      time.Duration `name:"overwrite-max-auth-age" std:"0" min:"10s" max:"1d" zero:"not required" help:"Replacing a credential also needs a sign-in (auth_time of the token) no older than this. A copied token has the same auth_time: use overwrite-requires-current against stolen tokens."`
	OverwriteVerifyWithin    time.Duration `name:"overwrite-verify-within" std:"0" min:"10s" max:"1h" zero:"the only value that starts" help:"Refused at start: a deviceId does not prove a device, so a token thief could set a PIN just after the owner's verification. Use overwrite-requires-current."`

	Issuer           string        `name:"issuer" std:"" form:"URL" help:"URL that names the service in everything that it signs: the iss claim. All instances need the same one. Empty: public-url, or else http and the address of listen, which is fine for a sandbox."`
	Receipts         bool          `name:"receipts" std:"false" help:"Also answer each successful verify with a signed receipt, in extensions.receipt. authorizeTransaction always does."`
	ReceiptAudience  string        `name:"receipt-audience" std:"" form:"NAME" help:"The aud claim of receipts: the backend that redeems them. Empty: the same as iss."`
	ReceiptTTL       time.Duration `name:"receipt-ttl" std:"2m" min:"10s" max:"1h" help:"How long a receipt can be redeemed."`
	ReceiptTokenFile string        `name:"receipt-token-file" std:"" form:"PATH" help:"With accounts device: file of tokens with which backends redeem receipts, one per line. Read again when it changes. Empty: receipts cannot be redeemed. In the other modes a backend needs the scope receipt:redeem."`

	TLSCert        string   `name:"tls-cert" std:"" form:"PATH" help:"Certificate chain (PEM) of the API. If set, the API accepts TLS only. Read again when it changes."`
	TLSKey         string   `name:"tls-key" std:"" form:"PATH" help:"Private key (PEM) of tls-cert."`
	TLSClientCA    string   `name:"tls-client-ca" std:"" form:"PATH" help:"Certificate authorities (PEM) of client certificates. If set, every client of the API must present one (mTLS)."`
	AdminTLS       bool     `name:"admin-tls" std:"false" help:"Use TLS on the operator listener too, with the same certificate."`
	TrustedProxies Networks `name:"trusted-proxies" std:"" form:"NETWORK[,NETWORK…]" help:"Networks (CIDR) of proxies whose X-Forwarded-For is trusted. Empty: none; the peer's address is the client's."`
	CORSOrigins    Origins  `name:"cors-origin" std:"" form:"ORIGIN[,ORIGIN…]" help:"Web origins whose scripts may call the API. Empty: none."`

	KeyAlgorithms     []string      `name:"key-algorithms" std:"RSA-OAEP-256" someof:"RSA-OAEP-256 HPKE-X25519 HPKE-XWING" help:"Algorithms of new device keys, the preferred one first. A client gets the first one that it lists. A client that lists none, as apps for RSA do, gets RSA-OAEP-256, and is refused if that is missing here. FIPS mode refuses HPKE-X25519."`
	RSABits           int           `name:"rsa-bits" std:"3072" oneof:"2048 3072 4096" help:"Modulus size of new device keys."`
	Cell              string        `name:"cell" std:"" form:"TAG" help:"Begin new keyIds with this tag and a hyphen, so that a proxy can tell which cell has a key. A cell is one of several installations behind one address, each with its own database. The tag has 1 to 8 characters of a-z and 0-9. Existing keys keep their ids. With accounts device, GraphQL requests for new and rotated keys must then take their input from the variable $input, which the proxy reads. Empty: no tag."`
	KeyTTL            time.Duration `name:"key-ttl" std:"0" hardened:"365d" min:"1m" max:"36500d" zero:"never" help:"How long new device keys are valid. Keys that exist keep the end that they were issued with: replace them with a rotation plan."`
	RotationGrace     time.Duration `name:"rotation-grace" std:"0" min:"1s" max:"7d" zero:"no grace" help:"How long verify (never set) still accepts the previous key after a rotation."`
	OAEP              []string      `name:"oaep" std:"sha256,sha256-mgf1-sha1,sha1" fips:"sha256" setof:"sha256 sha256-mgf1-sha1 sha1" help:"RSA-OAEP variants that are accepted. Clients should use sha256. The others are the defaults of Java and Node; FIPS mode refuses them."`
	CiphertextPurpose string        `name:"ciphertext-purpose" std:"optional" oneof:"optional required" help:"Whether ciphertexts must be bound to their purpose: with RSA by the OAEP label strongroom/verify, strongroom/authorize, strongroom/set or strongroom/current, with HPKE a current secret by its own AAD. optional: the empty label, and for a current secret the AAD of the new one, are accepted too. required: both are refused; set this once all clients send labels and this AAD. Apple's SecKey cannot send a label."`

	Verifier         string `name:"verifier" std:"argon2id" fips:"pbkdf2" oneof:"argon2id pbkdf2" help:"Algorithm that hashes passcodes and PINs. pbkdf2 (PBKDF2-HMAC-SHA-256) is for installations that must use NIST-approved algorithms, and resists guessing on graphics cards less. A credential with another algorithm is hashed again at its next successful verify. FIPS mode accepts pbkdf2 only."`
	PBKDF2Iterations int    `name:"pbkdf2-iterations" std:"600000" min:"600000" max:"10000000" help:"Iterations of one PBKDF2 hash. The default is the OWASP minimum, and takes about 0.1 s of one core. Raise it when hardware gets faster."`

	Argon2Memory int `name:"argon2-memory" std:"19456" min:"7168" max:"1048576" help:"Memory of one Argon2id hash in KiB. Together with argon2-time it must reach the OWASP minimum."`
	Argon2Time   int `name:"argon2-time" std:"2" min:"1" max:"16" help:"Passes of one Argon2id hash."`

	AttemptsMax           int             `name:"attempts-max" std:"5" min:"1" max:"10" help:"Failed attempts in a row before the first lockout, per account and credential."`
	AttemptsLockouts      []time.Duration `name:"attempts-lockouts" std:"30m,1h,4h,24h,24h" min:"1m" max:"365d" help:"Length of each lockout in turn, none shorter than the one before. A failure after the last lockout locks until an operator unlocks."`
	AttemptsRollingMax    int             `name:"attempts-rolling-max" std:"20" min:"1" max:"100" help:"Failed attempts in any 24 hours before a lockout. Successes do not reset this count. The lockout ends when the oldest failure is 24 hours old."`
	AttemptsDeviceMax     int             `name:"attempts-device-max" std:"3" min:"1" max:"10" help:"Failed attempts in a row before the first lockout of one device of an account. Never more than attempts-max. Has no effect in device mode."`
	RestoredAttempts      string          `name:"restored-attempts" std:"one" oneof:"one kept" help:"Attempts of an account after its database was restored from a backup, until its next right answer. one: one failed attempt brings the first lockout, because failures since the backup are lost. kept: as many as the backup says, which gives an attacker attempts back."`
	DecryptionFailuresMax int             `name:"decryption-failures-max" std:"100" min:"1" max:"10000" help:"Undecryptable ciphertexts per key in 15 minutes. Above it, requests with that key get TOO_MANY_REQUESTS until the 15 minutes end."`

	SigningKeyTTL time.Duration `name:"signing-key-ttl" std:"90d" min:"14d" max:"3650d" zero:"until rotated by command" help:"How long the service signs with one key. The next key is published 7 days before it signs, at /.well-known/jwks.json, and each key for 7 days after its end."`

	ReplayProtection  bool   `name:"replay-protection" std:"false" hardened:"true" help:"Refuse a ciphertext that was sent before, in any operation."`
	Blocklist         bool   `name:"blocklist" std:"false" hardened:"true" help:"Refuse to set PINs and passcodes that many people choose: repeated digits, sequences, dates, lines of the keypad."`
	BlocklistFile     string `name:"blocklist-file" std:"" form:"PATH" help:"File of further passcodes and PINs to refuse, one per line. Read at start."`
	CredentialHistory int    `name:"credential-history" std:"0" hardened:"4" min:"0" max:"24" help:"How many of the latest passcodes or PINs, including the current one, cannot be set again."`

	RateLimitCaller     Rates `name:"rate-limit-caller" std:"" form:"N/DURATION[,N/DURATION…]" help:"Rate limits of one caller: operations per window, such as 5/1m,20/1d. Empty: no limit."`
	RateLimitAddress    Rates `name:"rate-limit-address" std:"" form:"N/DURATION[,N/DURATION…]" help:"Rate limits of one client address (IPv6: one /64; a /48 gets 16 times as many). Empty: no limit."`
	RateLimitReportOnly bool  `name:"rate-limit-report-only" std:"false" help:"Only log what rate-limit-caller and rate-limit-address would refuse."`

	EnforceKeyGenerationLimit bool   `name:"enforce-key-generation-limit" std:"false" help:"Refuse the sixth key-generation request of a device in 24 hours. If off, requests are only counted."`
	LimitScope                string `name:"limit-scope" std:"instance" oneof:"instance cluster" help:"Where key-generation requests are counted. instance: in the memory of each process. cluster: in the database, shared by all processes; each request for a key then costs a write."`
	KeyGenerationLimitCounts  string `name:"key-generation-limit-counts" std:"requests" oneof:"requests generations" help:"What counts against the key-generation limit. requests: each request that is answered with a key. generations: only a request that is answered with a new key pair. Choose generations if apps ask for their key at each start and the limit is enforced."`
	KeyCounterEntries         int    `name:"key-counter-entries" std:"1000000" min:"1000" max:"50000000" help:"Number of devices whose key-generation count is kept, in memory or in the database. Above it, the counts whose 24 hours end first are dropped."`
	MaxDevicesPerAccount      int    `name:"max-devices-per-account" std:"100" min:"0" max:"1000000" help:"Number of devices of one account that may have an active key. A key for another device is refused until an operator revokes one. Has no effect in device mode, where each account is one device. 0: no limit."`

	Introspection bool `name:"introspection" std:"true" hardened:"false" help:"Answer GraphQL introspection and GET /schema.graphql."`
	Helper        bool `name:"helper" std:"true" hardened:"false" help:"Offer encryptDataLikeClient, a test helper that receives plaintext from clients."`
	Sandbox       bool `name:"sandbox" std:"true" hardened:"false" help:"Serve GraphiQL at GET /graphql, and the pages for app engineers under /sandbox/. Cannot be combined with hardened."`

	MaxConnectionsPerAddress int `name:"max-connections-per-address" std:"1024" min:"0" max:"4096" help:"Number of open connections to the API from one client address (IPv6: one /64; a /48 may have twice as many). Above it, the connection of that address whose client has been silent longest is closed. Addresses of trusted-proxies are exempt. 0: no limit per address."`
	MemoryLimit              int `name:"memory-limit" std:"0" min:"0" max:"1048576" help:"Memory in MiB that the process tries to stay below, by collecting garbage more often. 0: 90 % of the memory limit of its cgroup, if there is one. The environment variable GOMEMLIMIT takes precedence."`
	RequestLogSample         int `name:"request-log-sample" std:"1" min:"1" max:"1000000" help:"Log one in N of the API's successful requests that took less than 1 s, chosen at random. Refused, failed and slow requests, and those of operators, are always logged. 1: log all. Raise it if the lines, about 376 bytes each, fill your log system. Metrics and the audit trail still count every request."`

	MaxWaiting      int           `name:"max-waiting" std:"512" min:"1" max:"65536" help:"Requests admitted at once, waiting or at work, to decryption and hashing, and as many again to key generation. Above it, requests are refused with OVERLOADED. A caller that holds more places than are free gets no other one, so one caller alone gets half of them. A caller is an account, or in device mode a client address (IPv6: its /48)."`
	KeyPool         int           `name:"key-pool" std:"64" min:"0" max:"10000" help:"RSA key pairs kept ready in memory for new devices and rotations. 0: generate each key on request. Without RSA-OAEP-256 in key-algorithms, none are kept."`
	KeyCache        int           `name:"key-cache" std:"1024" min:"0" max:"1000000" help:"Decrypted private keys kept in memory, about 5 KiB each, for at most 1 min. 0: none."`
	DatabaseWait    time.Duration `name:"database-wait" std:"1m" min:"1s" max:"1h" zero:"no wait" help:"How long a start waits for PostgreSQL while it is unreachable, starting, or out of connections, or while a long transaction delays a migration. Other errors, such as a wrong password, end the start at once. Keep it below the supervisor's start timeout. strongroom migrate waits as long for a busy database: for it, set the environment variable or the settings file."`
	DrainDelay      time.Duration `name:"drain-delay" std:"0" hardened:"5s" min:"1s" max:"5m" zero:"no delay" help:"How long a stop still serves requests after GET /readyz answers 503, so that load balancers stop sending requests first. Set it to at least twice your load balancer's polling interval. A second SIGTERM stops at once."`
	ShutdownTimeout time.Duration `name:"shutdown-timeout" std:"15s" min:"1s" max:"10m" help:"How long a stop waits for requests in progress."`

	CheckpointKey      KeySource      `name:"checkpoint-key" std:"" form:"file:PATH or env:NAME" help:"Source of the key that signs checkpoints of the audit trail. Create one with: strongroom audit checkpoint-key create."`
	CheckpointSink     CheckpointSink `name:"checkpoint-sink" std:"" form:"file:PATH, stdout or https://…" help:"Where the server writes checkpoints: appended to a file, to standard output, or by POST to a URL. Give a URL with a password in the environment or the settings file, never in a flag."`
	CheckpointInterval time.Duration  `name:"checkpoint-interval" std:"0" min:"1s" max:"7d" zero:"never" help:"How often the server writes a checkpoint, if the trail has new entries."`

	Witness        Witness   `name:"witness" std:"" form:"PATH, tpm:PATH, postgres://…, https://… or none" help:"Place outside the database that keeps the newest entries of the audit trail and the device keys that ended last: a file, a file counted by a TPM, another PostgreSQL database, or an HTTP server. Instances can share the last two. The start is refused on an older copy of the database, and if there was a witness at this place and it is missing. Empty: DATA-DIR.witness beside the data directory, or no witness and a warning if that place is not writable."`
	WitnessSecret  KeySource `name:"witness-secret" std:"" form:"file:PATH or env:NAME" help:"Source of the secret of witness (one line): the password of the PostgreSQL database, the bearer token of the HTTP server, or the authorization value of the counter in the TPM. A file is read again for each use. Empty: none."`
	AcceptRestored string    `name:"accept-restored" std:"" form:"CHAIN:NUMBER:DIGEST" help:"Start although the database lacks entries that the witness or a checkpoint names, although the witness was lost or belongs to another database, or although the database was restored without this witness. A refused start prints the value. Give it for one start only: the next one is refused until you remove it. The start is entered into the trail as store.restored."`

	WebhookURL     WebhookURL    `name:"webhook-url" std:"" form:"https://…" help:"URL that receives events by POST; http only for a host of webhook-allow. Give a URL with a password in the environment or the settings file, never in a flag. Empty: no events are sent or queued."`
	WebhookSecret  KeySource     `name:"webhook-secret" std:"" form:"file:PATH or env:NAME" help:"Source of the secrets that sign events: whsec_ followed by base64, one per line, newest first, at most 4. Each event is signed with all of them. A file is read again when it changes."`
	WebhookEvents  WebhookEvents `name:"webhook-events" std:"" form:"EVENT[,EVENT…]" help:"Events to send, by the names that docs/events.md lists. Empty: all except those that every verification produces."`
	WebhookAllow   []string      `name:"webhook-allow" std:"" form:"HOST|NETWORK[,…]" help:"Exceptions from the rule that a receiver has a public address. A host name here may resolve to private and loopback addresses, but not to a cloud's metadata service. A network (CIDR) here is allowed without further checks."`
	WebhookTimeout time.Duration `name:"webhook-timeout" std:"10s" min:"1s" max:"1m" help:"How long a receiver may take to answer."`
	WebhookGiveUp  time.Duration `name:"webhook-give-up" std:"72h" min:"1m" max:"30d" help:"Age at which an undelivered event becomes a dead letter, so that later events are no longer blocked."`

	AuditRetention time.Duration `name:"audit-retention" std:"0" min:"24h" max:"36500d" zero:"forever" help:"How long entries of the audit trail are kept. Older ones are removed once a day, after the whole trail was verified. On PostgreSQL, some stay up to 31 days longer, until their partition can be dropped."`
}

// AdminTokenSettings are the settings that the commands which change admin tokens
// take as flags, in addition to [StoreSettings].
type AdminTokenSettings struct {
	AdminTokenFile string `name:"admin-token-file" std:"DATA-DIR/admin.token" form:"PATH" help:"File of operators' tokens, one per line, newest first, at most two per role. A token followed by the word viewer can only read. Read again when it changes. The first start creates the default file; any other file must exist."`
}

// AdminTokenIsOwn reports whether the admin token file is the default one in the data
// directory. serve creates that file, and other users cannot read it.
func (s *Settings) AdminTokenIsOwn() bool {
	return absolute(s.AdminTokenFile) == absolute(filepath.Join(s.DataDir, "admin.token"))
}

// StoreSettings are the settings that every command which opens the store takes
// as flags.
type StoreSettings struct {
	DataDir                string   `name:"data-dir" std:"./data" form:"DIR" help:"Directory of the database, the root key file and the admin tokens."`
	Database               Database `name:"database" std:"sqlite:DATA-DIR/strongroom.db" form:"sqlite:PATH or postgres://…" help:"Database: one SQLite file, or a PostgreSQL database that any number of instances share, such as postgres://USER@HOST:PORT/DATABASE?sslmode=verify-full. Give its password in a passfile, a service file or PGPASSWORD, or in the URL in the environment or the settings file, never in a flag."`
	DatabaseMaxConnections int      `name:"database-max-connections" std:"16" min:"2" max:"1000" help:"Maximum number of connections of this instance to PostgreSQL, or on Citus to each node. At most three quarters of this number write at once."`
	RootKeys               RootKeys `name:"root-key" std:"file:DATA-DIR/root.key" hardened:"ask" why:"by default it is a plain file beside the database, and anyone who copies the directory has both. Give --root-key file:PATH with a path on another volume, or a key in a key management service, an HSM or a TPM. To keep it in your data directory, give --root-key file:DATA-DIR/root.key with that directory" form:"URL" help:"Root key that wraps the keys of the database, as a URL: file:PATH, env:NAME, systemd-credential:NAME, vault:…, pkcs11:…, tpm:…, awskms:…, gcpkms:…, azurekeyvault:…. Repeat it to give several: any one that wraps the database opens it."`

	LogFormat string     `name:"log-format" std:"text" oneof:"text json" help:"Format of log lines on standard error: text for people, json for machines."`
	LogLevel  slog.Level `name:"log-level" std:"info" oneof:"debug info warn error" help:"Lowest level of log lines to write."`
}

// rollingWindow is the window in which [Settings.AttemptsRollingMax] counts.
const rollingWindow = 24 * time.Hour

// AttemptPolicy returns the configured guess limit.
func (s *Settings) AttemptPolicy() domain.AttemptPolicy {
	p := domain.DefaultAttemptPolicy()
	p.MaxFailures, p.Lockouts = s.AttemptsMax, s.AttemptsLockouts
	p.RollingMax, p.RollingWindow = s.AttemptsRollingMax, rollingWindow
	p.KeepRestored = s.RestoredAttempts == "kept"
	if s.Accounts != domain.ModeDevice {
		p.DeviceMax = min(s.AttemptsDeviceMax, s.AttemptsMax) // otherwise a stolen device would lock the account first
	}
	return p
}

// check checks that settings which are valid one by one are valid together.
func (s *Settings) check() Problems {
	var problems Problems
	problems.wrong(s.Listen == s.AdminListen && !anyPort(s.Listen), "admin-listen: must differ from listen: the operator listener must be separate from the public one")
	problems.need(slices.IsSorted(s.AttemptsLockouts), "attempts-lockouts: no lockout may be shorter than the one before")
	problems.need(s.Cell == "" || domain.IsCell(s.Cell), "cell: must be 1 to 8 characters of a-z and 0-9, and not "+domain.SandboxCell+", because the sandbox's keyIds begin with that")
	problems.wrong(len(s.RootKeys.Rests("age-identity")) > 0, "root-key: an age identity is for recovery only: run strongroom root-key recovery open, and give the new root key")
	problems.wrong(s.Sandbox && s.Hardened, "sandbox: cannot be combined with hardened; remove one of them")
	problems.wrong(fipsMode() && s.Verifier != "pbkdf2", "verifier: argon2id is not FIPS-approved, and FIPS mode makes no new hashes with it; remove the setting or set pbkdf2")
	problems.wrong(fipsMode() && !slices.Equal(s.OAEP, []string{"sha256"}), "oaep: FIPS mode accepts sha256 only, because the other variants use SHA-1; remove the setting or set sha256")
	// devicekey.Algorithm.Allowed says the same of existing keys.
	problems.wrong(fipsMode() && slices.Contains(s.KeyAlgorithms, "HPKE-X25519"), "key-algorithms: FIPS mode refuses HPKE-X25519, because X25519 alone is not approved; remove it, or use HPKE-XWING")
	problems.wrong(s.Argon2Memory < argon2Floor(s.Argon2Time), "argon2-memory: below the OWASP minimum for this argon2-time: "+argon2Allowed)
	return slices.Concat(problems, s.checkStore(), s.checkOperators(), s.checkSignIn(), s.checkCallers(), s.checkTransport(), s.checkCheckpoints(), s.checkWebhook())
}

// checkOperators checks the settings of the operators' identity provider.
func (s *Settings) checkOperators() Problems {
	var problems Problems
	given := s.AdminOIDCIssuer != ""
	problems.wrong(given != (s.AdminOIDCAudience != "") || s.AdminOIDCKeySet != "" && !given,
		"admin-oidc-issuer: needs admin-oidc-audience, or tokens made for other services would be accepted; admin-oidc-jwks needs both")
	problems.wrong(s.AdminOIDCIssuer != "" && s.AdminOIDCKeySet == "" && !isDiscoverable(s.AdminOIDCIssuer), "admin-oidc-issuer: without admin-oidc-jwks must be an https URL (http only for a loopback host), because its key set is fetched from there")
	problems.wrong(s.Accounts == domain.ModeJWT && slices.Contains(s.JWTIssuers, s.AdminOIDCIssuer) && slices.Contains(s.JWTAudiences, s.AdminOIDCAudience), "admin-oidc-audience: must not be one of jwt-audience with the same issuer: a customer's token with an operator's role claim would give access to the operator listener")
	problems.wrong(slices.ContainsFunc(s.AdminOIDCViewers, func(role string) bool { return slices.Contains(s.AdminOIDCOperators, role) }), "admin-oidc-viewer: must not name a role of admin-oidc-operator, which can also change")
	problems.wrong(isOneOf(s.AdminTokenFile, append(s.RootKeys.Rests("file"), s.Database.Path)...), "admin-token-file: must be a file of its own")
	return problems
}

// checkSignIn checks the settings of the console's OAuth client at that provider.
func (s *Settings) checkSignIn() Problems {
	var problems Problems
	problems.need(s.AdminURL == "" || isOrigin(s.AdminURL) && isDiscoverable(s.AdminURL),
		"admin-url: must be an origin such as https://vault-ops.example.com: https (http only for a loopback host), lower case, without path or the scheme's default port")
	problems.need(s.AdminURL != "" || s.AdminOIDCClientID == "", "admin-url: is required with admin-oidc-client-id: it tells the provider where to redirect the browser, and request headers are not trusted for that")
	problems.need(!s.AdminTLS || !strings.HasPrefix(s.AdminURL, "http:"), "admin-url: must be https with admin-tls, because the listener does not accept http then")
	if s.AdminOIDCClientID == "" {
		problems.need(s.AdminOIDCClientSecret == (KeySource{}), "admin-oidc-client-id: is required with admin-oidc-client-secret")
		return problems
	}
	problems.need(isDiscoverable(s.AdminOIDCIssuer), "admin-oidc-client-id: needs admin-oidc-issuer as an https URL (http only for a loopback host), because the sign-in endpoints are discovered from there")
	problems.need(s.AdminOIDCClientID != s.AdminOIDCAudience, "admin-oidc-client-id: must differ from admin-oidc-audience: otherwise an ID token would be accepted as an access token for the operator listener")
	problems.need(s.Accounts != domain.ModeJWT || !slices.Contains(s.JWTIssuers, s.AdminOIDCIssuer) || !slices.Contains(s.JWTAudiences, s.AdminOIDCClientID),
		"admin-oidc-client-id: must not be one of jwt-audience with the same issuer: otherwise an ID token would be accepted as an access token for the API")
	return problems
}

func (s *Settings) checkCheckpoints() Problems {
	var problems Problems
	sink := s.CheckpointSink != (CheckpointSink{})
	problems.wrong(sink != (s.CheckpointInterval > 0) || sink && s.CheckpointKey == (KeySource{}),
		"checkpoint-sink: needs checkpoint-interval and checkpoint-key: give all three, or only the key, or none")
	problems.wrong(isOneOf(s.CheckpointSink.File, append(s.RootKeys.Rests("file"), s.Database.Path, s.CheckpointKey.File)...), "checkpoint-sink: must be a file of its own")
	problems.wrong(isOneOf(s.Witness.Path, append(s.RootKeys.Rests("file"), s.Database.Path, s.CheckpointSink.File, s.CheckpointKey.File, s.AdminTokenFile)...), "witness: names a file that another setting uses; give it a file of its own")
	problems.need(s.WitnessSecret == (KeySource{}) || s.Witness.URL != nil || s.Witness.Kind == WitnessTPM, "witness-secret: is for a witness of kind tpm, postgres or https; remove it")
	return problems
}

// checkStore checks the settings of the store.
func (s *StoreSettings) checkStore() Problems {
	if isOneOf(s.Database.Path, s.RootKeys.Rests("file")...) {
		return Problems{"root-key: must not be the database file"}
	}
	return nil
}

// checkCallers checks the settings that depend on the account mode.
func (s *Settings) checkCallers() Problems {
	var problems Problems
	switch s.Accounts {
	case domain.ModeJWT:
		problems.need(len(s.JWTIssuers) > 0, "jwt-issuer: is required with --accounts jwt: the iss claim of the tokens to accept")
		problems.need(len(s.JWTAudiences) > 0, "jwt-audience: is required with --accounts jwt, or tokens made for other services would be accepted")
		problems.need(len(s.JWTKeySets) > 0 || !slices.ContainsFunc(s.JWTIssuers, func(issuer string) bool { return !isDiscoverable(issuer) }),
			"jwt-issuer: without jwt-jwks must be an https URL (http only for a loopback host), because its key set is fetched from there")
		problems.need(len(s.JWTKeySets) == 0 || len(s.JWTKeySets) == len(s.JWTIssuers), "jwt-jwks: must name one key set for each issuer of jwt-issuer, in the same order, or none")
	case domain.ModeGateway:
		problems.need(s.GatewayTokenFile != "" || s.GatewayClientCA != "", "gateway-token-file: this or gateway-client-ca is required with --accounts gateway: without authentication anyone could name any account. "+
			"The file has mode 0600 and one token per line; make a token: openssl rand -base64 32")
		problems.need(s.GatewayClientCA == "" || s.TLSCert != "", "gateway-client-ca: needs tls-cert, because client certificates are part of TLS")
		problems.need(s.GatewayClientCA == "" || s.TLSClientCA == "", "gateway-client-ca: cannot be combined with tls-client-ca; remove one of them")
		problems.need(len(s.GatewayClientNames) == 0 || s.GatewayClientCA != "", "gateway-client-names: needs gateway-client-ca")
	}
	// With settings of another mode, a start would look configured and not be.
	problems.need(len(s.JWTIssuers)+len(s.JWTAudiences)+len(s.JWTKeySets) == 0 || s.Accounts == domain.ModeJWT,
		"accounts: jwt-issuer, jwt-audience and jwt-jwks need --accounts jwt: in mode "+string(s.Accounts)+" tokens are ignored")
	problems.need(s.Issuer == "" || isPublicURL(s.Issuer), "issuer: must be an https URL (http only for a loopback host) without query and fragment")
	problems.need(s.ReceiptTokenFile == "" || s.Accounts == domain.ModeDevice,
		"receipt-token-file: is only for --accounts device; in the other modes a backend redeems with a service token or an access token that has the scope receipt:redeem")
	problems.need(s.GatewayTokenFile == "" && s.GatewayClientCA == "" && len(s.GatewayClientNames) == 0 || s.Accounts == domain.ModeGateway,
		"accounts: gateway-token-file, gateway-client-ca and gateway-client-names need --accounts gateway")
	problems.need(!s.DeviceProofNonce || s.DeviceProof != "off", "device-proof-nonce: needs device-proof optional or required")
	problems.need(s.PublicURL == "" || isPublicURL(s.PublicURL), "public-url: must be an https URL (http only for a loopback host) without query and fragment")
	problems.need(!s.RequireScopes || s.Accounts != domain.ModeDevice, "require-scopes: needs --accounts jwt or gateway: in device mode callers have no scopes")
	problems.need(s.OverwriteMaxAuthAge == 0 || s.Accounts == domain.ModeJWT, "overwrite-max-auth-age: needs --accounts jwt, because only tokens say when the user signed in; see overwrite-requires-current")
	problems.need(s.OverwriteVerifyWithin == 0, "overwrite-verify-within: is refused, because a deviceId does not prove a device: a token thief could set a PIN just after the owner's verification; "+
		"remove it and set --overwrite-requires-current")
	return problems
}

func (s *Settings) checkTransport() Problems {
	var problems Problems
	problems.wrong((s.TLSCert == "") != (s.TLSKey == ""), "tls-cert: needs tls-key: give both or neither")
	problems.wrong(s.TLSCert == "" && (s.TLSClientCA != "" || s.AdminTLS), "tls-cert: is required with tls-client-ca and admin-tls")
	problems.wrong(slices.ContainsFunc(s.TrustedProxies, func(n netip.Prefix) bool { return n.Bits() == 0 }), "trusted-proxies: must not be the whole Internet (0.0.0.0/0 or ::/0): every client could claim any address")
	return problems
}

// The minimum Argon2id costs of the OWASP Password Storage Cheat Sheet, all of
// equal strength: more passes compensate for less memory, down to 7 MiB.
var argon2Floors = []int{47104, 19456, 12288, 9216, 7168}

const argon2Allowed = "at least 47104 KiB with 1 pass, 19456 with 2, 12288 with 3, 9216 with 4, 7168 with 5 or more"

func argon2Floor(passes int) int {
	return argon2Floors[min(max(passes, 1), len(argon2Floors))-1]
}

// IssuerURL returns the URL that names the service in everything that it signs.
func (s *Settings) IssuerURL() string {
	return cmp.Or(s.Issuer, s.PublicURL, "http://"+s.Listen)
}
