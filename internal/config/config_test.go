package config

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/kong"
	"github.com/google/go-cmp/cmp"

	"strongroom/internal/domain"
)

func TestWithoutAnySourceTheDefaultsApply(t *testing.T) {
	got, list, err := Load(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := &Settings{
		StoreSettings: StoreSettings{
			DataDir:                "./data",
			Database:               Database{Path: "data/strongroom.db"},
			DatabaseMaxConnections: 16,
			RootKeys:               RootKeys{"file:data/root.key"},
			LogFormat:              "text",
		},
		Listen: "127.0.0.1:8080", AdminListen: "127.0.0.1:8081", Accounts: domain.ModeDevice,
		AdminTokenSettings: AdminTokenSettings{AdminTokenFile: "data/admin.token"},
		AdminOIDCNameClaim: "sub", AdminOIDCRoleClaim: "roles",
		AdminOIDCViewers: []string{"strongroom-viewer"}, AdminOIDCOperators: []string{"strongroom-operator"},
		JWTAlgorithms: []string{"RS256", "PS256", "ES256", "EdDSA"}, GatewayAccountHeader: "Strongroom-Account", DeviceProof: "optional",
		KeyAlgorithms: []string{"RSA-OAEP-256"}, RSABits: 3072, OAEP: []string{"sha256", "sha256-mgf1-sha1", "sha1"}, CiphertextPurpose: "optional",
		ReceiptTTL: 2 * time.Minute, Verifier: "argon2id", PBKDF2Iterations: 600_000, Argon2Memory: 19456, Argon2Time: 2,
		AttemptsMax: 5, AttemptsRollingMax: 20, AttemptsDeviceMax: 3,
		RestoredAttempts: "one", DecryptionFailuresMax: 100,
		SigningKeyTTL:            90 * 24 * time.Hour,
		AttemptsLockouts:         []time.Duration{30 * time.Minute, time.Hour, 4 * time.Hour, 24 * time.Hour, 24 * time.Hour},
		LimitScope:               "instance",
		KeyGenerationLimitCounts: "requests", KeyCounterEntries: 1_000_000, MaxDevicesPerAccount: 100, Introspection: true, Helper: true, Sandbox: true,
		RequestLogSample: 1, MaxWaiting: 512,
		KeyPool: 64, KeyCache: 1024, MaxConnectionsPerAddress: 1024, DatabaseWait: time.Minute, ShutdownTimeout: 15 * time.Second,
		WebhookEvents: domain.EventsOut, WebhookTimeout: 10 * time.Second, WebhookGiveUp: 72 * time.Hour,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("defaults (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(domain.DefaultAttemptPolicy(), got.AttemptPolicy()); diff != "" {
		t.Errorf("the default policy differs from the domain's (-want +got):\n%s", diff)
	}
	for _, e := range list {
		if e.Origin != FromDefault {
			t.Errorf("%s says it comes from %s", e.Name, e.Origin)
		}
	}
}

func TestFlagBeatsEnvironmentBeatsFileBeatsDefault(t *testing.T) {
	file := write(t, "listen: 127.0.0.1:1\nrsa-bits: 2048\nhelper: false\noaep: [sha1, sha256]\nkey-ttl: 365d\n")
	s, list, err := Load(
		map[string]string{"config": file, "listen": "127.0.0.1:3", "data-dir": "/srv/room"},
		[]string{"PATH=/bin", "STRONGROOM_LISTEN=127.0.0.1:2", "STRONGROOM_RSA_BITS=4096"})
	if err != nil {
		t.Fatal(err)
	}
	var got []Effective
	for _, e := range list {
		if e.Origin != FromDefault || e.Name == "database" {
			got = append(got, e)
		}
	}
	want := []Effective{
		{"data-dir", "/srv/room", FromFlag},
		{"database", "sqlite:/srv/room/strongroom.db", FromDefault},
		{"listen", "127.0.0.1:3", FromFlag},
		{"rsa-bits", "4096", FromEnvironment},
		{"key-ttl", "365d", FromFile},
		{"oaep", "sha1,sha256", FromFile},
		{"helper", "false", FromFile},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("origins (-want +got):\n%s", diff)
	}
	if s.Listen != "127.0.0.1:3" || s.RSABits != 4096 || s.Helper || s.KeyTTL != 365*24*time.Hour {
		t.Errorf("settings do not hold what the list says: %+v", s)
	}
	if diff := cmp.Diff([]string{"sha256", "sha1"}, s.OAEP); diff != "" {
		t.Errorf("variants stand in their fixed order (-want +got):\n%s", diff)
	}
}

func TestTheSettingsFileMayBeNamedByTheEnvironment(t *testing.T) {
	s, _, err := Load(nil, []string{"STRONGROOM_CONFIG=" + write(t, "rsa-bits: 2048")})
	if err != nil || s.RSABits != 2048 {
		t.Errorf("rsa-bits = %v, error %v", s, err)
	}
}

func TestEveryProblemIsReportedAtOnceEvenInOverriddenSources(t *testing.T) {
	_, _, err := Load(
		map[string]string{"config": write(t, "rsa-bits: 1024\nlisten: nowhere\nhear-on: x\n"), "rsa-bits": "3072"},
		[]string{"STRONGROOM_HELPER=perhaps", "STRONGROOM_LISTN=x", "STRONGROOM_PIN=x"})
	want := []string{
		`hear-on \(file, line 3\): no such setting; allowed are data-dir, .*`,
		`listen \(file, line 2\): must be HOST:PORT with a port from 0 to 65535`,
		`rsa-bits \(file, line 1\): must be 2048, 3072 or 4096`,
		`helper \(environment\): must be true or false`,
		`STRONGROOM_LISTN \(environment\): no such setting, did you mean STRONGROOM_LISTEN\?`,
		`STRONGROOM_PIN \(environment\): no such setting; allowed are STRONGROOM_DATA_DIR, .*`,
	}
	got, _ := err.(Problems)
	if len(got) != len(want) {
		t.Fatalf("%d problems, want %d:\n%v", len(got), len(want), err)
	}
	for i := range want {
		if !regexp.MustCompile("^" + want[i] + "$").MatchString(got[i]) {
			t.Errorf("problem %d is %q, want %q", i, got[i], want[i])
		}
	}
}

// Each row is a value that must be refused in words that name the setting. A
// zero, a negative or a huge number would otherwise switch a limit off.
func TestBadValuesAreRefused(t *testing.T) {
	for name, values := range map[string][]string{
		"data-dir":                {"", "a\x00b", "a\n"},
		"database":                {"", "mysql:x", "postgres:x", "postgres:///%zz", "postgres://h/x?pool_max_conns=9", "postgresql", "postgres://h/x\x00", "sqlite:", "sqlite:a\x00b", "sqlite:/a\n", "postgres://h/x\n", "sqlite::memory:", "sqlite:file:x?mode=memory", "sqlite:a?b"},
		"root-key":                {"", "file:", "env:", "env:A B", "env:1A", "c2VjcmV0", "gnome-keyring:x"},
		"listen":                  {"", "8080", "127.0.0.1", "127.0.0.1:http", "127.0.0.1:65536", "127.0.0.1:-1"},
		"admin-listen":            {"", "x"},
		"accounts":                {"", "none", "Device"},
		"hardened":                {"", "yes"},
		"trusted-proxies":         {"x", "10.0.0.1/8", "10.0.0.0/8,", "0.0.0.0/0", "10.0.0.0/8,::/0"},
		"cors-origin":             {"*", "app.example.com", "https://app.example.com/", "https://App.example.com", "null"},
		"rate-limit-caller":       {"5", "5/", "0/1m", "-1/1m", "5/0", "5/32d", "1000001/1m", "1/1s,1/2s,1/3s,1/4s,1/5s"},
		"rsa-bits":                {"", "0", "1024", "3073", "16384", "3072.0", "03072"},
		"key-ttl":                 {"", "1", "-1h", "1s", "36501d", "9999999999999d", "1w", "1.5d", "-1d", "+1d"},
		"rotation-grace":          {"-1s", "8d", "1ns"},
		"oaep":                    {"", "sha1", "sha256,sha256", "sha256,pkcs1", "sha256,", "SHA256"},
		"verifier":                {"", "scrypt", "PBKDF2"},
		"pbkdf2-iterations":       {"", "0", "-600000", "310000", "599999", "10000001", "99999999999999999999"},
		"argon2-memory":           {"0", "-19456", "7167", "1048577", "99999999999999999999", "19455", "1e5"},
		"argon2-time":             {"0", "-1", "17", "1"}, // one pass needs more memory than the default
		"attempts-max":            {"0", "-1", "11", "2147483648"},
		"attempts-lockouts":       {"", "0", "0s", "59s", "366d", "30m,", "1h,30m", "30", "1m,1m,1m,1m,1m,1m,1m,1m,1m,1m,1m"},
		"attempts-rolling-max":    {"0", "-1", "101"},
		"decryption-failures-max": {"0", "10001"},
		"max-waiting":             {"0", "65537"},
		"key-counter-entries":     {"0", "999", "50000001"},
		"cell":                    {"EU1", "eu-1", "eu1-", "nine chars", "ninechars", "é", "sandbox"},
		"introspection":           {"", "yes", "1", "TRUE"},
		"log-format":              {"", "xml"},
		"log-level":               {"", "INFO", "info+2", "trace"},
		"shutdown-timeout":        {"0", "999ms", "11m"},
		"jwt-audience":            {"a\x01b", "a,", "a,a"},
		"checkpoint-key":          {"file:", "file:a\n", "env:1A", "c2VjcmV0"},
		"checkpoint-sink":         {"file:", "file:a\nb", "http://example.com"},
		"witness":                 {"a\nb", "file:a\x1b", "ftp://x"},
	} {
		for _, value := range values {
			_, _, err := Load(map[string]string{name: value}, nil)
			if err == nil {
				t.Errorf("--%s=%q was accepted", name, value)
			} else if !strings.HasPrefix(err.Error(), name) && !strings.HasPrefix(err.Error(), "argon2-memory") {
				t.Errorf("--%s=%q: the message does not begin with the name: %v", name, value, err)
			}
		}
	}
}

func TestControlCharactersInNamesOfFilesAreRefused(t *testing.T) {
	for name, value := range map[string]string{"checkpoint-sink": "file:a\nb", "checkpoint-key": "file:a\n", "webhook-secret": "file:a\x1b", "witness": "a\nb"} {
		if err := Check(name, value); err == nil || err.Error() != "must not contain control characters, such as a line break at its end" {
			t.Errorf("%s=%q: %v", name, value, err)
		}
	}
}

func TestBoundaryValuesAreAllowed(t *testing.T) {
	for _, flags := range []map[string]string{
		{"attempts-max": "1", "attempts-rolling-max": "1", "attempts-lockouts": "1m"},
		{"attempts-max": "10", "attempts-rolling-max": "100", "attempts-lockouts": "365d,365d"},
		{"argon2-memory": "7168", "argon2-time": "5"},
		{"verifier": "pbkdf2", "pbkdf2-iterations": "600000"},
		{"verifier": "pbkdf2", "pbkdf2-iterations": "10000000"},
		{"argon2-memory": "47104", "argon2-time": "1"},
		{"argon2-memory": "1048576", "argon2-time": "16"},
		{"key-ttl": "0", "rotation-grace": "0s"},
		{"key-ttl": "36500d", "rotation-grace": "7d", "shutdown-timeout": "10m"},
		{"listen": ":0", "admin-listen": ":0"},
		{"cell": "0"}, {"cell": "eightnow"}, {"cell": ""},
		{"accounts": "jwt", "jwt-audience": "room", "jwt-issuer": "https://id/a,https://id/b", "jwt-jwks": "https://id/keys,https://id/keys"},
		{"data-dir": "a#b", "database": "sqlite:a.db"},
		{"listen": "[::1]:8080", "root-key": "env:ROOT_KEY", "oaep": "sha256"},
	} {
		if _, _, err := Load(flags, nil); err != nil {
			t.Errorf("%v: %v", flags, err)
		}
	}
}

// The URL may contain a password in the sources that other users cannot read, and the
// password is never shown.
func TestADatabasePasswordIsAcceptedOnlyFromEnvironmentAndFile(t *testing.T) {
	for _, url := range []string{"postgres://u:hunter2@db/x", "postgresql://u@db/x?password=hunter2&sslmode=verify-full", "postgres://u@db/x?PassWord=hunter2", "postgres://u@db/x?SSLPASSWORD=hunter2", "postgres://u:hunter2@a,b:5433/x"} {
		if _, _, err := Load(map[string]string{"database": url}, nil); err == nil || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("by flag: %v", err)
		}
		for _, from := range []struct {
			flags   map[string]string
			environ []string
		}{
			{nil, []string{"STRONGROOM_DATABASE=" + url}},
			{map[string]string{"config": write(t, "database: "+url+"\n")}, nil},
		} {
			s, list, err := Load(from.flags, from.environ)
			if err != nil || s.Database.URL != url || s.Database.Path != "" {
				t.Errorf("database %+v, error %v", s, err)
				continue
			}
			if shown := fmt.Sprint(list); strings.Contains(shown, "hunter2") || !strings.Contains(shown, "(URL with a password)") {
				t.Errorf("the settings are shown as %s", shown)
			}
		}
	}
	s, list, err := Load(map[string]string{"database": "postgres://u@db/x?passfile=/etc/p"}, nil)
	if err != nil || !strings.Contains(fmt.Sprint(list), s.Database.URL) || s.Database.URL == "" {
		t.Errorf("without a password: %v, shown as %v", err, list)
	}
}

// One file can have several paths.
func TestTwoSettingsThatNameTheSameFileAreRefused(t *testing.T) {
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for _, same := range []string{"data/x", "./data/x", "data/../data//x", here + "/data/x"} {
		for want, flags := range map[string]map[string]string{
			"root-key: must not be the database file":        {"database": "sqlite:data/x", "root-key": "file:" + same},
			"admin-token-file: must be a file of its own":    {"admin-token-file": same, "root-key": "file:data/x"},
			"checkpoint-sink: must be a file of its own":     {"checkpoint-sink": "file:" + same, "database": "sqlite:data/x", "checkpoint-interval": "1h", "checkpoint-key": "env:KEY"},
			"witness: names a file that another setting use": {"witness": "file:" + same, "root-key": "file:data/x"},
		} {
			if _, _, err := Load(flags, nil); err == nil || !strings.HasPrefix(err.Error(), want) {
				t.Errorf("%v: got %v, want %s…", flags, err, want)
			}
		}
	}
}

func TestSettingsThatContradictEachOtherAreRefused(t *testing.T) {
	for want, flags := range map[string]map[string]string{
		"admin-listen: must differ from listen":                                                  {"listen": "127.0.0.1:9", "admin-listen": "127.0.0.1:9"},
		"sandbox: cannot be combined with hardened":                                              {"sandbox": "true", "hardened": "true"},
		"root-key: must not be the database file":                                                {"database": "sqlite:x", "root-key": "file:x"},
		"attempts-lockouts: no lockout may be shorter":                                           {"attempts-lockouts": "2h,1h"},
		"argon2-memory: below the OWASP minimum":                                                 {"argon2-time": "1"},
		"database (flag): must not contain a password":                                           {"database": "postgres://u:hunter2@db/x"},
		"jwt-issuer: is required with --accounts jwt":                                            {"accounts": "jwt", "jwt-audience": "room"},
		"jwt-audience: is required with --accounts jwt":                                          {"accounts": "jwt", "jwt-issuer": "https://id"},
		"jwt-jwks: must name one key set for each":                                               {"accounts": "jwt", "jwt-audience": "room", "jwt-issuer": "https://id", "jwt-jwks": "a,b"},
		"admin-oidc-issuer: needs admin-oidc-aud":                                                {"admin-oidc-issuer": "https://id"},
		"admin-oidc-issuer: needs":                                                               {"admin-oidc-jwks": "keys.json"},
		"admin-oidc-issuer: without admin-oidc-jwks":                                             {"admin-oidc-issuer": "http://id", "admin-oidc-audience": "room"},
		"admin-oidc-viewer: must not name a role of":                                             {"admin-oidc-viewer": "sre,auditor", "admin-oidc-operator": "sre"},
		"admin-oidc-audience: must not be one of jwt":                                            {"accounts": "jwt", "jwt-issuer": "https://id", "jwt-audience": "room", "admin-oidc-issuer": "https://id", "admin-oidc-audience": "room"},
		"admin-token-file: must be a file of its own":                                            {"admin-token-file": "x", "root-key": "file:x"},
		"admin-oidc-client-id: needs admin-oidc-issuer":                                          {"admin-oidc-client-id": "console", "admin-url": "https://ops.example"},
		"admin-oidc-client-id: is required with":                                                 {"admin-oidc-client-secret": "env:SECRET"},
		"admin-oidc-client-id: must differ from admin-oidc":                                      signIn("admin-oidc-client-id", "room"),
		"admin-oidc-client-id: must not be one of jwt":                                           signIn("accounts", "jwt", "jwt-issuer", "https://id", "jwt-audience", "x,console"),
		"admin-oidc-client-id: needs admin":                                                      signIn("admin-oidc-issuer", "bank", "admin-oidc-jwks", "keys.json"),
		"admin-url: is required with admin-oidc-client-id":                                       signIn("admin-url", ""),
		"admin-url: must be an origin":                                                           signIn("admin-url", "https://ops.example/console"),
		"admin-url: must be an":                                                                  signIn("admin-url", "http://ops.example"),
		"admin-url: must be":                                                                     signIn("admin-url", "https://ops.example:443"),
		"admin-url: must":                                                                        signIn("admin-url", "https://u:hunter2@ops.example"),
		"admin-url: must be https with admin-tls":                                                signIn("admin-url", "http://127.0.0.1:8081", "admin-tls", "true", "tls-cert", "c", "tls-key", "k"),
		"admin-oidc-client-secret (flag): must be file:PATH or env:NAME, never the value itself": signIn("admin-oidc-client-secret", "hunter2"),
		"gateway-token-file: this or gateway-client-ca":                                          {"accounts": "gateway"},
		"gateway-client-ca: needs tls-cert":                                                      {"accounts": "gateway", "gateway-client-ca": "ca"},
		"gateway-client-ca: cannot be combined with tls-client-ca":                               {"accounts": "gateway", "gateway-client-ca": "ca", "tls-client-ca": "ca", "tls-cert": "c", "tls-key": "k"},
		"gateway-client-names: needs gateway-client-ca":                                          {"accounts": "gateway", "gateway-token-file": "t", "gateway-client-names": "n"},
		"overwrite-verify-within: is refused, because a deviceId does not prove a device":        {"overwrite-verify-within": "1m"},
		"overwrite-max-auth-age: needs --accounts jwt":                                           {"overwrite-max-auth-age": "5m"},
		"tls-cert: needs tls-key":                                                                {"tls-cert": "c"},
		"tls-cert: is required with tls-client-ca":                                               {"admin-tls": "true"},
	} {
		_, _, err := Load(flags, nil)
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v: got %v, want %s…", flags, err, want)
		}
	}
}

// signIn are the flags of a console at which operators sign in by their
// provider, changed in pairs of name and value.
func signIn(changed ...string) map[string]string {
	flags := map[string]string{"admin-oidc-issuer": "https://id", "admin-oidc-audience": "room", "admin-oidc-client-id": "console",
		"admin-oidc-client-secret": "env:SECRET", "admin-url": "https://ops.example"}
	for pair := range slices.Chunk(changed, 2) {
		flags[pair[0]] = pair[1]
	}
	return flags
}

func TestProviderSignInSettingsAreAccepted(t *testing.T) {
	if s, _, err := Load(map[string]string{"admin-url": "https://ops.example"}, nil); err != nil || s.AdminURL != "https://ops.example" {
		t.Errorf("a console behind a proxy, with admin tokens only: %v", err)
	}
	for _, url := range []string{"https://ops.example", "https://ops.example:8443", "http://127.0.0.1:8081", "http://localhost:8081", "http://[::1]:8081"} {
		s, _, err := Load(signIn("admin-url", url, "admin-oidc-client-secret", "env:STRONGROOM_CLIENT"), []string{"STRONGROOM_CLIENT=hunter2"})
		if err != nil || s.AdminURL != url || s.AdminOIDCClientSecret.Env != "STRONGROOM_CLIENT" {
			t.Errorf("%s: %v", url, err)
		}
	}
}

func TestAMessageNeverRepeatsAValue(t *testing.T) {
	const canary = "hunter2hunter2"
	for _, s := range settings {
		for _, flags := range []map[string]string{{s.name: canary + ":x"}, {"config": write(t, s.name+": {"+canary+": 1}")}} {
			if _, _, err := Load(flags, nil); err != nil && strings.Contains(err.Error(), canary) {
				t.Errorf("%s: %v", s.name, err)
			}
		}
	}
}

func TestBadFilesAreRefused(t *testing.T) {
	for want, text := range map[string]string{
		"config (file): line 2: not YAML: mapping key \"helper\"":    "helper: true\nhelper: false",
		"config (file): line 1: not YAML: ":                          "helper: [",
		"config (file): must be one YAML document":                   "helper: true\n---\nlisten: :1",
		"config (file): must be a mapping":                           "[helper]",
		"key-ttl (file, line 1): must be one value":                  "key-ttl:",
		"data-dir (file, line 1): must be one value":                 "data-dir: [a, b]",
		"rsa-bits (file, line 1): must be 2048, 3072 or 4096":        "rsa-bits: 3072.0",
		"attempts-max (file, line 1): must be a whole number from":   "attempts-max: 0x5",
		"rsa-bits (file, line 3): must be 2048, 3072 or 4096":        "helper: true\n\nrsa-bits: 1024",
		"attempts-lockouts (file, line 1): must be one value or a l": "attempts-lockouts: [[1h]]",
		"oaep (file, line 1): must be one value or a list":           "oaep: {sha256: true}",
		"admin-listen (file, line 2): must be one value":             "listen: :1\nadmin-listen: *a",
		"<< (file, line 1): no such setting":                         "<<: {helper: true}",
		"3 (file, line 1): no such setting":                          "3: x",
		"a\\nb (file, line 1): no such setting":                      `"a\nb": x`,
		"RSA-BITS (file, line 1): no such setting, did you mean":     "RSA-BITS: 3072",
		"datadir (file, line 1): no such setting, did you mean d":    "datadir: x",
		"jwt-isuer (file, line 1): no such setting, did you mean":    "jwt-isuer: x",
		"config: the file is over 16384 bytes":                       strings.Repeat("#", maxFile+1),
	} {
		_, _, err := Load(map[string]string{"config": write(t, text)}, nil)
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%.40q: got %v, want %s…", text, err, want)
		}
	}
	if _, _, err := Load(map[string]string{"config": filepath.Join(t.TempDir(), "none.yaml")}, nil); err == nil {
		t.Error("a missing settings file was ignored")
	}
	for _, empty := range []string{"", "# nothing\n", "---\n"} {
		if _, _, err := Load(map[string]string{"config": write(t, empty)}, nil); err != nil {
			t.Errorf("%q: %v", empty, err)
		}
	}
}

// Otherwise no command could open the database, without a word from config check.
func TestADataDirectoryWithoutAValidDatabasePathIsRefused(t *testing.T) {
	for _, dir := range []string{"a#b", "a?b", "file:a"} {
		_, _, err := Load(map[string]string{"data-dir": dir}, nil)
		want := "database (default, from data-dir): must be sqlite:PATH (a file name without ? and #) or postgres://USER@HOST/DATABASE"
		if err == nil || err.Error() != want {
			t.Errorf("%s: got %v, want %s", dir, err, want)
		}
	}
}

func TestVariablesOfOtherProgramsAreIgnored(t *testing.T) {
	_, _, err := Load(map[string]string{"root-key": "env:STRONGROOM_SECRET"}, []string{
		"STRONGROOM_SECRET=x",                              // named by root-key
		"STRONGROOM_SERVICE_HOST=10.0.0.1",                 // a Kubernetes service named strongroom
		"STRONGROOM_SERVICE_PORT_API=8080",                 //
		"STRONGROOM_PORT=tcp://10.0.0.1:8080",              //
		"STRONGROOM_PORT_8080_TCP_ADDR=10.0.0.1",           //
		"STRONGROOM_PG_RW_SERVICE_HOST=10.0.0.2",           // one named strongroom-pg-rw
		"STRONGROOM_PG_RW_SERVICE_PORT=5432",               //
		"STRONGROOM_PG_RW_SERVICE_PORT_POSTGRES=5432",      //
		"STRONGROOM_PG_RW_PORT=tcp://10.0.0.2:5432",        //
		"STRONGROOM_PG_RW_PORT_5432_TCP_PROTO=tcp",         //
		"STRONGROOM2_LISTEN=x", "NOT_STRONGROOM_LISTEN=x"}) // not ours
	if err != nil {
		t.Error(err)
	}
	for _, variable := range []string{"STRONGROOM_SECRET=x", "STRONGROOM_PORT=9000", "STRONGROOM_PORT_8080_TCP_ADDR=10.0.0.1"} { // no service
		if _, _, err := Load(nil, []string{variable}); err == nil {
			t.Errorf("a variable that nothing names was ignored: %s", variable)
		}
	}
	if _, _, err := Load(nil, []string{"STRONGROOM_LISTEN_PORT=9090", "STRONGROOM_PG_SERVICE_HOST=10.0.0.2"}); err == nil {
		t.Error("variables that belong to no service were ignored")
	}
}

func TestKongPassesOnlyTheTextOfSettingFlags(t *testing.T) {
	var cli struct {
		Serve  struct{ kong.Plugins } `cmd:""`
		Unlock struct {
			kong.Plugins
			Reason string
			Issuer string `placeholder:"URL"` // the command's own, although a setting has this name
		} `cmd:""`
	}
	cli.Serve.Plugins, cli.Unlock.Plugins = ServeFlags(), StoreFlags()
	parse := func(args ...string) (Flags, error) {
		flags := Flags{}
		k, err := kong.New(&cli, flags)
		if err != nil {
			t.Fatal(err)
		}
		_, err = k.Parse(args)
		return flags, err
	}
	got, err := parse("serve", "--enforce-key-generation-limit", "--helper=false", "--listen", ":1", "--oaep", "a,b", "--config=x")
	want := Flags{"enforce-key-generation-limit": "true", "helper": "false", "listen": ":1", "oaep": "a,b", "config": "x"}
	if err != nil || !cmp.Equal(want, got) {
		t.Errorf("serve: %v %s", err, cmp.Diff(want, got))
	}
	got, err = parse("unlock", "--data-dir", "d", "--reason", "why", "--issuer", "https://login.example.com")
	if err != nil || !cmp.Equal(Flags{"data-dir": "d"}, got) || cli.Unlock.Reason != "why" || cli.Unlock.Issuer != "https://login.example.com" {
		t.Errorf("unlock: %v %v", err, got)
	}
	got, err = parse("serve", "--trusted-proxies", "10.0.0.1", "--attempts-lockouts=1h", "--trusted-proxies=10.0.0.2,10.0.0.3", "--listen", ":1", "--attempts-lockouts=2h", "--listen", ":2")
	want = Flags{"trusted-proxies": "10.0.0.1,10.0.0.2,10.0.0.3", "attempts-lockouts": "1h,2h", "listen": ":2"}
	if err != nil || !cmp.Equal(want, got) {
		t.Errorf("repeated flags: %v %s", err, cmp.Diff(want, got))
	}
	for _, args := range [][]string{{"unlock", "--listen", ":1"}, {"serve", "--lisen", ":1"}, {"serve", "--listen"}} {
		if _, err = parse(args...); err == nil {
			t.Errorf("%v was accepted", args)
		}
	}
}

func TestEverySettingIsComplete(t *testing.T) {
	for _, s := range settings {
		if !regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`).MatchString(s.name) {
			t.Errorf("%q is no flag name", s.name)
		}
		if !strings.HasSuffix(s.Get("help"), ".") || s.allowed() == "" {
			t.Errorf("%s: help %q, allowed %q", s.name, s.Get("help"), s.allowed())
		}
		if err := s.set(new(Settings), defaultOf(s, "x")); err != nil {
			t.Errorf("the default of %s is not allowed: %v", s.name, err)
		}
		if text := s.Get("hardened"); (text == ask) != (s.Get("why") != "") || (text != "" && text != ask && s.set(new(Settings), text) != nil) {
			t.Errorf("the hardened default of %s is not allowed, or it is required without a reason", s.name)
		}
		if !strings.Contains(settingsTable(), "`--"+s.name+"` | `"+env(s.name)+"`") {
			t.Errorf("%s is not in the reference", s.name)
		}
	}
	if n := reflect.TypeFor[Settings]().NumField() - 1 + reflect.TypeFor[StoreSettings]().NumField(); n != len(settings) {
		t.Errorf("%d fields, %d settings", n, len(settings))
	}
}

// FuzzConfigFile holds that no file, however malformed, gets past the bounds:
// it is refused, or its settings read back from flags as the same settings.
func FuzzConfigFile(f *testing.F) {
	for _, seed := range []string{
		"", "listen: 127.0.0.1:9\nhelper: false\n", "oaep:\n  - sha256\n  - sha1\n", "attempts-lockouts: 1h,2d",
		"attempts-max: 0x5", "key-ttl: 0", "a: &a [*a]", "? {a: b}\n: c", "!!binary x: y", "rsa-bits: 4_096", "<<: {helper: true}",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > maxFile {
			t.Skip("refused by its size")
		}
		file, problems := parseFile(data)
		s, list, more := merge(file)
		if len(problems)+len(more)+len(s.check())+len(s.unsaid(list)) > 0 {
			return
		}
		flags := map[string]string{}
		for _, e := range list {
			flags[e.Name] = e.Value
		}
		again, _, err := Load(flags, nil)
		if err != nil || !cmp.Equal(s, again) {
			t.Fatalf("accepted, and then not: %v\n%s", err, cmp.Diff(s, again))
		}
		if p := s.AttemptPolicy(); p.MaxFailures < 1 || p.MaxFailures > 10 || p.RollingMax < 1 || p.RollingMax > 100 ||
			len(p.Lockouts) == 0 || slices.Min(p.Lockouts) < time.Minute || slices.Max(p.Lockouts) > 365*24*time.Hour {
			t.Fatalf("no guess limit: %+v", p)
		}
	})
}

func write(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "strongroom.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
