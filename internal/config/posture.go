package config

import (
	"crypto/fips140"
	"net"
	"net/netip"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"strongroom/internal/domain"
)

// Posture returns the security checks of the settings, those that --hardened requires
// first. It depends on the settings only. It cannot know whether a proxy or a firewall
// compensates for a check that is off.
func (s *Settings) Posture() []domain.PostureCheck {
	all := checks(slices.Concat(s.demanded(), s.informative()))
	for i := range all {
		if all[i].Name == unexportable {
			all[i].Uses = strings.Join(s.RootKeys.Providers(), ", ")
		}
	}
	return all
}

// Undefended returns the checks that --hardened requires and that are off, whether
// --hardened is set or not.
func (s *Settings) Undefended() []domain.PostureCheck {
	return slices.DeleteFunc(checks(s.demanded()), func(c domain.PostureCheck) bool { return c.State != domain.CheckOff })
}

// Private reports whether only this machine can reach the API.
func (s *Settings) Private() bool { return isLoopback(s.Listen) }

// check is a [domain.PostureCheck] in the lists below.
type check struct {
	name     string
	state    domain.CheckState
	required bool
	settings []string
	gain     string
}

func checks(list []check) []domain.PostureCheck {
	all := make([]domain.PostureCheck, len(list))
	for i, c := range list {
		all[i] = domain.PostureCheck{Name: c.name, State: c.state, Required: c.required, Settings: c.settings, Gain: c.gain}
	}
	return all
}

// unexportable is the check whose Uses names the providers of the root keys.
const unexportable = "root-key-unexportable"

// keepTheirKeys are the providers that never give out a root key, but use it for us.
var keepTheirKeys = []string{"vault", "pkcs11", "awskms", "gcpkms", "azurekeyvault"}

func (s *Settings) demanded() []check {
	return []check{
		{"known-callers", when(s.Accounts != domain.ModeDevice), true, []string{"accounts"},
			"Anyone who reaches the port can act for any device. With a known or guessed deviceId they can replace its PIN and passcode, or lock them."},
		{"root-key-apart", when(!s.rootKeyBesideDatabase()), true, []string{"root-key"},
			"Anyone who copies the data directory, a snapshot or a backup of it can decrypt every private key, and find every PIN by brute force."},
		{"replay-protection", when(s.ReplayProtection), true, []string{"replay-protection"},
			"Anyone who captures the ciphertext of a correct PIN can replay it successfully as long as its key is valid."},
		{"blocklist", when(s.Blocklist), true, []string{"blocklist"},
			"An attacker who tries common PINs (1234, repeated digits, years of birth) on many accounts finds far more of them within the guess limit."},
		{"credential-history", when(s.CredentialHistory > 0), true, []string{"credential-history"},
			"A user who must change a PIN or passcode can go back to the old one. Anyone who knows the old one can then use it again."},
		{"current-secret", when(s.OverwriteRequiresCurrent), true, []string{"overwrite-requires-current"},
			"Anyone with a copied token or an unlocked phone can set a new PIN without knowing the old one."},
		{"guess-limits", when(s.guessesAreFew()), true, []string{"attempts-max", "attempts-rolling-max", "attempts-lockouts", "restored-attempts"},
			"Anyone who has a device gets more guesses than PSD2 (RTS article 4) and PCI DSS (8.3.4) allow: five in a row, then a lockout of 30 min. With --restored-attempts kept, a restored backup gives an attacker attempts back."},
		{"key-expiry", when(s.KeyTTL > 0), true, []string{"key-ttl"},
			"Anyone who obtains a private key can decrypt what is encrypted to it until the key is rotated, which may never happen. The setting applies to keys issued after it was set; replace older keys with a rotation plan."},
		{"no-helper", when(!s.Helper), true, []string{"helper"},
			"Clients can send PINs in plaintext to encryptDataLikeClient. Anyone who can read traffic at a proxy, its logs or a crash report sees these PINs."},
		{"no-sandbox", when(!s.Sandbox), true, []string{"sandbox"},
			"Anyone can use the sandbox on the public port: pages that call the API and generate keys, and a diagnosis page that spends CPU for anyone (but never uses a device's key)."},
		{"no-introspection", when(!s.Introspection), true, []string{"introspection"},
			"Anyone can read the complete API schema."},
		{"no-field-suggestions", when(!s.Introspection), true, []string{"introspection"},
			"Error messages about unknown fields and arguments suggest names that exist."},
		{"api-transport", when(s.TLSCert != "" || isLoopback(s.Listen)), true, []string{"tls-cert", "listen"},
			"Anyone on the network path between clients and the API can steal callers' tokens. They can also replace a device's public key with their own, and then decrypt the next PIN."},
		{"operator-transport", when(s.AdminTLS || isLoopback(s.AdminListen)), true, []string{"admin-tls", "admin-listen"},
			"Anyone on the network path to the operator listener can read operators' tokens and use them."},
		{"narrow-proxies", when(!slices.ContainsFunc(s.TrustedProxies, isTooWide)), true, []string{"trusted-proxies"},
			"Anyone who sends from one of these networks can claim any client address. Limits by address and recorded addresses are then worthless."},
		{"database-transport", onlyIf(s.Database.URL != "", s.Database.verified()), true, []string{"database"},
			"Anyone on the network path to PostgreSQL can read accounts and encrypted values, or impersonate the database and return old rows. Use sslmode=verify-full."},
		{"witness-transport", onlyIf(s.Witness.Kind == WitnessPostgres, s.Witness.verified()), true, []string{"witness"},
			"Anyone on the network path to the witness's PostgreSQL can impersonate it and return an older note, so that a start does not detect an older copy of the database. Use sslmode=verify-full."},
		{"rollback-evidence", when(s.CheckpointSink != (CheckpointSink{}) || s.Witness.Kind != WitnessNone), true, []string{"witness", "checkpoint-sink"},
			"Anyone who restores an earlier state of the database while the service is stopped gets all guesses again. The next start does not detect it."},
		{"rate-limits", when(len(s.RateLimitCaller)+len(s.RateLimitAddress) > 0 && !s.RateLimitReportOnly), true, []string{"rate-limit-caller", "rate-limit-address", "rate-limit-report-only"},
			"One caller or address can take most of the machine's capacity, and can try a few guesses at each of many accounts at full speed."},
	}
}

func (s *Settings) informative() []check {
	return []check{
		{"scopes", onlyIf(s.Accounts != domain.ModeDevice, s.RequireScopes), false, []string{"require-scopes"},
			"Anyone who steals a token can use every operation of its account, even if the token was made for one purpose."},
		{"device-possession", when(s.DeviceProof == "required"), false, []string{"device-proof"},
			"Anyone who learns the keyId of a device without a bound key can try guesses at its PIN, or lock it. In modes jwt and gateway they also need a token or session of its user, and can then also use an invented deviceId, unless the tokens are bound (jwt) or a backend checks the deviceId (gateway)."},
		{"named-issuer", when(s.Issuer != "" || s.PublicURL != ""), false, []string{"issuer", "public-url"},
			"Receipts and signed keys name the listen address as their issuer. A backend or app that accepts several services cannot tell by it which one signed, such as a test system."},
		{"fresh-overwrite", onlyIf(s.Accounts == domain.ModeJWT, s.OverwriteMaxAuthAge > 0), false, []string{"overwrite-max-auth-age"},
			"Anyone who finds an unlocked phone days after the user's sign-in needs at most the old PIN to set a new one."},
		{"checkpoints", when(s.CheckpointSink != (CheckpointSink{})), false, []string{"checkpoint-sink", "checkpoint-key", "checkpoint-interval"},
			"Anyone who can write to the database and to the witness can restore an earlier state of both. audit verify does not detect it."},
		{"named-operators", when(s.AdminOIDCIssuer != ""), false, []string{"admin-oidc-issuer"},
			"Operators share admin tokens. Anyone with a copy of a token can act as an operator until it is rotated, and the audit trail cannot tell who used it."},
		{"cors-https", onlyIf(len(s.CORSOrigins) > 0, !slices.ContainsFunc(s.CORSOrigins, isPlainHTTP)), false, []string{"cors-origin"},
			"Anyone on the network path of a user who opens the http:// origin can inject a script into its page. That script can call the API."},
		{"oaep-sha256-only", when(slices.Equal(s.OAEP, []string{"sha256"})), false, []string{"oaep"},
			"No known attack: OAEP and MGF1 do not need collision resistance from SHA-1. But auditors ask for SHA-256, and new clients should not start to depend on SHA-1."},
		{"post-quantum-keys", when(slices.Contains(s.KeyAlgorithms, "HPKE-XWING")), false, []string{"key-algorithms"},
			"Anyone who records ciphertexts where TLS ends can decrypt them when there is a large quantum computer. A passcode that is still in use then is known."},
		{"ciphertext-purpose", when(s.CiphertextPurpose == "required"), false, []string{"ciphertext-purpose"},
			"Anyone who intercepts the RSA ciphertext of a verify can send it in a set, as the new or the current secret. Anyone who has the ciphertext of a set, also of HPKE, can send it as the current secret of another set, and so replace a PIN without knowing it."},
		{"key-generation-limit", when(s.EnforceKeyGenerationLimit), false, []string{"enforce-key-generation-limit"},
			"One device can request an unlimited number of new key pairs. Each RSA key costs about 0.2 s of CPU, and each key a commit."},
		{"fips-140", when(fips140.Enabled() && FIPSBuild()), false, []string{"verifier", "oaep"},
			"No known attack. But some regulators require a frozen FIPS 140-3 module and approved algorithms, which only the FIPS build has (make build-fips)."},
		{"memory-safe-rsa", when(!OpenSSLBuild), false, []string{"key-algorithms"},
			"RSA is done by the system's OpenSSL, which is written in C. A memory error there can reach every secret in the process."},
		{"root-key-off-environment", when(len(s.RootKeys.Rests("env")) == 0), false, []string{"root-key"},
			"Anyone who can read the environment of the process (its user, a container inspection, a crash report) has the root key. The process cannot wipe it there."},
		{unexportable, when(!slices.ContainsFunc(s.RootKeys.Providers(), func(p string) bool { return !slices.Contains(keepTheirKeys, p) })), false, []string{"root-key"},
			"Anyone who becomes root on this machine can copy the root key, and with a copy of the database decrypt it elsewhere. A key management service or an HSM never gives the key out."},
	}
}

// guessesAreFew reports whether the guess limit is at least as strict as PSD2 (RTS
// article 4) and PCI DSS (8.3.4), which apply to most banks, also after a restore.
func (s *Settings) guessesAreFew() bool {
	short := func(d time.Duration) bool { return d < 30*time.Minute }
	return s.RestoredAttempts == "one" && s.AttemptsMax <= 5 && s.AttemptsRollingMax <= 20 && !slices.ContainsFunc(s.AttemptsLockouts, short)
}

func when(on bool) domain.CheckState {
	if on {
		return domain.CheckOn
	}
	return domain.CheckOff
}

func onlyIf(applies, on bool) domain.CheckState {
	if !applies {
		return domain.CheckNotApplicable
	}
	return when(on)
}

// rootKeyBesideDatabase reports whether a copy of the data directory, or of the
// directory of the database, would contain the root key too. It compares only the
// paths, so it is wrong if there are symbolic links.
func (s *StoreSettings) rootKeyBesideDatabase() bool {
	return s.Database.URL == "" && slices.ContainsFunc(s.RootKeys.Rests("file"), func(path string) bool {
		key := absolute(path)
		below, err := filepath.Rel(absolute(s.DataDir), key)
		return err != nil || filepath.IsLocal(below) || filepath.Dir(key) == filepath.Dir(absolute(s.Database.Path))
	})
}

// absolute returns the absolute form of a path. If the working directory is unknown,
// all paths stay relative, and can still be compared.
func absolute(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return filepath.Clean(path)
}

// isOneOf reports whether a path and one of the others are the same absolute path. An
// empty path names no file.
func isOneOf(path string, others ...string) bool {
	return path != "" && slices.ContainsFunc(others, func(other string) bool { return other != "" && absolute(other) == absolute(path) })
}

// isLoopback reports whether only this machine can reach a listener. An empty host
// means all addresses, and a name other than localhost can mean any address.
func isLoopback(address string) bool {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return false
	}
	return IsThisMachine(host)
}

// IsThisMachine reports whether a host, without a port, is localhost or a loopback
// address.
func IsThisMachine(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.Unmap().IsLoopback()
}

// verified reports whether each connection that the driver may make to PostgreSQL checks
// the server's certificate and host name, or stays on this machine. It asks the driver,
// because a service file and variables like PGHOST and PGSSLMODE also count. On Citus, the
// connections to other nodes use the TLS settings of the coordinator's.
func (d Database) verified() bool {
	c, err := pgconn.ParseConfig(d.URL)
	if err != nil { // such as a file that only the machine of the server has
		u, err := url.Parse(d.URL)
		return err == nil && slices.Equal(u.Query()["sslmode"], []string{verifyFull}) // it wins over files and variables
	}
	tries := append(c.Fallbacks, &pgconn.FallbackConfig{Host: c.Host, TLSConfig: c.TLSConfig})
	return !slices.ContainsFunc(tries, func(to *pgconn.FallbackConfig) bool {
		near := strings.HasPrefix(to.Host, "/") || IsThisMachine(to.Host) // a socket
		return !near && (to.TLSConfig == nil || to.TLSConfig.InsecureSkipVerify)
	})
}

// verified is the same for a witness in PostgreSQL.
func (w Witness) verified() bool {
	return w.Kind == WitnessPostgres && Database{URL: w.URL.String()}.verified()
}

// verifyFull is the only sslmode that is safe: verify-ca accepts any host with a
// certificate of the authority.
const verifyFull = "verify-full"

// isTooWide reports whether a network is too large to contain only proxies. The
// largest private networks are 10.0.0.0/8 and fc00::/7, and an owner of public IPv6
// addresses usually has at most a /32.
func isTooWide(n netip.Prefix) bool {
	switch {
	case n.Addr().Is4():
		return n.Bits() < 8
	case netip.MustParsePrefix("fc00::/7").Contains(n.Addr()):
		return n.Bits() < 7
	}
	return n.Bits() < 32
}

func isPlainHTTP(origin string) bool { return strings.HasPrefix(origin, "http://") }
