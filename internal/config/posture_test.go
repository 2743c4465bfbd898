package config

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"strongroom/internal/domain"
)

const (
	On            = domain.CheckOn
	Off           = domain.CheckOff
	NotApplicable = domain.CheckNotApplicable
)

// sane has the minimum settings of a hardened serve.
var sane = map[string]string{"hardened": "true", "accounts": "gateway", "gateway-token-file": "tokens", "root-key": "env:ROOT", "rate-limit-caller": "30/1m"}

func with(more map[string]string) map[string]string {
	flags := maps.Clone(sane)
	maps.Copy(flags, more)
	return flags
}

func TestHardenedAppliesTheStricterDefaults(t *testing.T) {
	s, list, err := Load(sane, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !s.ReplayProtection || !s.Blocklist || s.CredentialHistory != 4 || !s.OverwriteRequiresCurrent || s.KeyTTL != 365*24*time.Hour || s.Helper || s.Introspection || s.Sandbox {
		t.Errorf("not hardened: %+v", s)
	}
	var got []Effective
	for _, e := range list {
		if e.Origin == FromHardened {
			got = append(got, e)
		}
	}
	want := []Effective{
		{"overwrite-requires-current", "true", FromHardened}, {"key-ttl", "365d", FromHardened}, {"replay-protection", "true", FromHardened}, {"blocklist", "true", FromHardened},
		{"credential-history", "4", FromHardened}, {"introspection", "false", FromHardened}, {"helper", "false", FromHardened},
		{"sandbox", "false", FromHardened}, {"drain-delay", "5s", FromHardened},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("what hardened changes (-want +got):\n%s", diff)
	}
	for _, part := range s.Undefended() {
		t.Errorf("%s is off in a hardened service with only the required settings", part.Name)
	}
}

func TestAnExplicitValueWinsOverTheHardenedDefault(t *testing.T) {
	for _, from := range []Origin{FromFlag, FromEnvironment, FromFile} {
		flags, environ := maps.Clone(sane), []string(nil)
		switch from {
		case FromFlag:
			flags["helper"] = "true"
		case FromEnvironment:
			environ = []string{"STRONGROOM_HELPER=true"}
		case FromFile:
			flags["config"] = write(t, "helper: true")
		}
		s, list, err := Load(flags, environ)
		if err != nil {
			t.Fatal(err)
		}
		if i := slices.IndexFunc(list, func(e Effective) bool { return e.Name == "helper" }); !s.Helper || list[i] != (Effective{"helper", "true", from}) {
			t.Errorf("%s: %v, %v", from, s.Helper, list[i])
		}
	}
	s, _, err := Load(map[string]string{"hardened": "false"}, []string{"STRONGROOM_HARDENED=true"})
	if err != nil || s.ReplayProtection {
		t.Errorf("a stronger --hardened=false is ignored: %v", err)
	}
}

func TestAHardenedServeNeedsExplicitAccountsAndRootKey(t *testing.T) {
	environ := []string{"STRONGROOM_HARDENED=true"}
	_, _, err := Load(nil, environ)
	problems, _ := err.(Problems)
	if len(problems) != 2 ||
		!strings.HasPrefix(problems[0], "root-key: must be set explicitly with --hardened: ") || !strings.Contains(problems[0], "--root-key file:DATA-DIR/root.key") ||
		!strings.HasPrefix(problems[1], "accounts: must be set explicitly with --hardened: ") || !strings.Contains(problems[1], "--accounts device") {
		t.Errorf("problems:\n%v", err)
	}
	given := write(t, "root-key: file:data/root.key")
	if _, _, err := Load(map[string]string{"accounts": "device", "config": given}, environ); err != nil {
		t.Errorf("set explicitly, but refused: %v", err)
	}
}

// A serve may get its settings by flags that other commands do not get.
func TestOtherCommandsDoNotNeedTheSettingsOfAHardenedServe(t *testing.T) {
	file := write(t, "hardened: true\naccounts: gateway\nadmin-tls: true\nlisten: 127.0.0.1:1\nadmin-listen: 127.0.0.1:1\n")
	if s, err := LoadStore(map[string]string{"config": file}, nil); err != nil || !s.Hardened {
		t.Errorf("a command that only opens the store: %v", err)
	}
	if _, err := LoadStore(map[string]string{"database": "sqlite:x", "root-key": "file:x"}, nil); err == nil {
		t.Error("the database file was accepted as the root key")
	}
	if _, err := LoadStore(nil, []string{"STRONGROOM_HELPER=perhaps"}); err == nil {
		t.Error("a bad value was ignored")
	}
}

// Each row changes the settings of a hardened service, and names the parts whose state
// then differs.
func TestEachPartOfThePostureFollowsItsSettings(t *testing.T) {
	states := func(flags map[string]string) map[string]domain.CheckState {
		t.Helper()
		s, _, err := Load(with(flags), nil)
		if err != nil {
			t.Fatal(err)
		}
		states := map[string]domain.CheckState{}
		for _, p := range s.Posture() {
			states[p.Name] = p.State
		}
		return states
	}
	usual := states(nil)
	seen := map[string]bool{}
	for _, row := range []struct {
		flags map[string]string
		want  map[string]domain.CheckState
	}{
		{map[string]string{"accounts": "device", "gateway-token-file": ""}, map[string]domain.CheckState{"known-callers": Off, "scopes": NotApplicable}},
		{map[string]string{"root-key": "file:data/root.key"}, map[string]domain.CheckState{"root-key-apart": Off, "root-key-off-environment": On}},
		{map[string]string{"root-key": "file:./data/keys/../keys/root.key"}, map[string]domain.CheckState{"root-key-apart": Off, "root-key-off-environment": On}},
		{map[string]string{"root-key": "file:/srv/db/root.key", "database": "sqlite:/srv/db/room.db"}, map[string]domain.CheckState{"root-key-apart": Off, "root-key-off-environment": On}},
		{map[string]string{"root-key": "file:/etc/root.key"}, map[string]domain.CheckState{"root-key-off-environment": On}},
		{map[string]string{"root-key": "vault:https://vault.example.com/transit/strongroom,age:age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p"}, map[string]domain.CheckState{"root-key-off-environment": On, "root-key-unexportable": On}},
		{map[string]string{"root-key": "file:data-of-another/root.key"}, map[string]domain.CheckState{"root-key-off-environment": On}},
		{map[string]string{"replay-protection": "false"}, map[string]domain.CheckState{"replay-protection": Off}},
		{map[string]string{"blocklist": "false", "blocklist-file": "list"}, map[string]domain.CheckState{"blocklist": Off}},
		{map[string]string{"credential-history": "0"}, map[string]domain.CheckState{"credential-history": Off}},
		{map[string]string{"attempts-max": "6"}, map[string]domain.CheckState{"guess-limits": Off}},
		{map[string]string{"attempts-rolling-max": "21"}, map[string]domain.CheckState{"guess-limits": Off}},
		{map[string]string{"attempts-lockouts": "29m,1h"}, map[string]domain.CheckState{"guess-limits": Off}},
		{map[string]string{"restored-attempts": "kept"}, map[string]domain.CheckState{"guess-limits": Off}},
		{map[string]string{"trusted-proxies": "2000::/7"}, map[string]domain.CheckState{"narrow-proxies": Off}},
		{map[string]string{"trusted-proxies": "64.0.0.0/7"}, map[string]domain.CheckState{"narrow-proxies": Off}},
		{map[string]string{"key-ttl": "0"}, map[string]domain.CheckState{"key-expiry": Off}},
		{map[string]string{"helper": "true"}, map[string]domain.CheckState{"no-helper": Off}},
		{map[string]string{"sandbox": "true", "hardened": "false", "replay-protection": "true", "blocklist": "true", "credential-history": "4", "overwrite-requires-current": "true",
			"key-ttl": "365d", "helper": "false", "introspection": "false"}, map[string]domain.CheckState{"no-sandbox": Off}}, // never with hardened
		{map[string]string{"introspection": "true"}, map[string]domain.CheckState{"no-introspection": Off, "no-field-suggestions": Off}},
		{map[string]string{"listen": "0.0.0.0:8080"}, map[string]domain.CheckState{"api-transport": Off}},
		{map[string]string{"listen": ":8080"}, map[string]domain.CheckState{"api-transport": Off}},
		{map[string]string{"listen": "room.example:8080"}, map[string]domain.CheckState{"api-transport": Off}},
		{map[string]string{"listen": "[::1]:8080", "admin-listen": "localhost:8081"}, nil},
		{map[string]string{"listen": "[::]:8080", "tls-cert": "c", "tls-key": "k"}, nil},
		{map[string]string{"admin-listen": "[::]:8081", "tls-cert": "c", "tls-key": "k"}, map[string]domain.CheckState{"operator-transport": Off}},
		{map[string]string{"admin-listen": "[::]:8081", "tls-cert": "c", "tls-key": "k", "admin-tls": "true"}, nil},
		{map[string]string{"trusted-proxies": "10.0.0.0/8,fc00::/7,192.0.2.7"}, nil},
		{map[string]string{"trusted-proxies": "10.0.0.0/8,0.0.0.0/1,128.0.0.0/1"}, map[string]domain.CheckState{"narrow-proxies": Off}},
		{map[string]string{"require-scopes": "true"}, map[string]domain.CheckState{"scopes": On}},
		{map[string]string{"overwrite-requires-current": "false"}, map[string]domain.CheckState{"current-secret": Off}},
		{map[string]string{"accounts": "jwt", "gateway-token-file": "", "jwt-issuer": "https://login.example", "jwt-audience": "x"}, map[string]domain.CheckState{"fresh-overwrite": Off}},
		{map[string]string{"accounts": "jwt", "gateway-token-file": "", "jwt-issuer": "https://login.example", "jwt-audience": "x",
			"overwrite-max-auth-age": "5m"}, map[string]domain.CheckState{"fresh-overwrite": On}},
		{map[string]string{"rate-limit-caller": ""}, map[string]domain.CheckState{"rate-limits": Off}},
		{map[string]string{"rate-limit-caller": "", "rate-limit-address": "5/1m"}, nil},
		{map[string]string{"rate-limit-address": "5/1m", "rate-limit-report-only": "true"}, map[string]domain.CheckState{"rate-limits": Off}},
		{map[string]string{"database": "postgres://u@db.example/x?sslmode=require"}, map[string]domain.CheckState{"database-transport": Off}},
		{map[string]string{"database": "postgres://u@db.example/x?sslmode=verify-full"}, map[string]domain.CheckState{"database-transport": On}},
		{map[string]string{"witness": "postgres://u@db.example/x?sslmode=disable"}, map[string]domain.CheckState{"witness-transport": Off}},
		{map[string]string{"witness": "postgres://u@db.example/x?sslmode=verify-full"}, map[string]domain.CheckState{"witness-transport": On}},
		{map[string]string{"witness": "postgres://u@localhost/x?sslmode=disable"}, map[string]domain.CheckState{"witness-transport": On}},
		{map[string]string{"witness": "https://witness.example/x"}, nil},
		{map[string]string{"witness": "none"}, map[string]domain.CheckState{"rollback-evidence": Off}},
		{map[string]string{"witness": "/srv/witness"}, nil},
		{map[string]string{"witness": "none", "checkpoint-sink": "stdout", "checkpoint-key": "env:K", "checkpoint-interval": "10m"}, map[string]domain.CheckState{"checkpoints": On}},
		{map[string]string{"admin-oidc-issuer": "https://login.example", "admin-oidc-audience": "x"}, map[string]domain.CheckState{"named-operators": On}},
		{map[string]string{"cors-origin": "https://a.example"}, map[string]domain.CheckState{"cors-https": On}},
		{map[string]string{"cors-origin": "https://a.example,http://a.example"}, map[string]domain.CheckState{"cors-https": Off}},
		{map[string]string{"oaep": "sha256"}, map[string]domain.CheckState{"oaep-sha256-only": On}},
		{map[string]string{"device-proof": "required"}, map[string]domain.CheckState{"device-possession": On}},
		{map[string]string{"issuer": "https://vault.example"}, map[string]domain.CheckState{"named-issuer": On}},
		{map[string]string{"public-url": "https://vault.example"}, map[string]domain.CheckState{"named-issuer": On}},
		{map[string]string{"key-algorithms": "HPKE-XWING,RSA-OAEP-256"}, map[string]domain.CheckState{"post-quantum-keys": On}},
		{map[string]string{"ciphertext-purpose": "required"}, map[string]domain.CheckState{"ciphertext-purpose": On}},
		{map[string]string{"enforce-key-generation-limit": "true"}, map[string]domain.CheckState{"key-generation-limit": On}},
	} {
		want := maps.Clone(usual)
		maps.Copy(want, row.want)
		if diff := cmp.Diff(want, states(row.flags)); diff != "" {
			t.Errorf("%v (-want +got):\n%s", row.flags, diff)
		}
		for name := range row.want {
			seen[name] = true
		}
	}
	for name := range usual {
		if !seen[name] && name != "fips-140" && name != "memory-safe-rsa" { // it follows the build
			t.Errorf("no row changes %s", name)
		}
	}
}

// The driver also reads the variables of libpq and a service file.
func TestTheDatabaseTransportIsThatOfTheDriver(t *testing.T) {
	far := write(t, "[vault]\nhost=db.example\n")
	for _, c := range []struct {
		url     string
		environ string
		want    domain.CheckState
	}{
		{"postgres://u@db.example/x", "", Off},
		{"postgres://u@db.example/x?sslmode=prefer", "", Off},
		{"postgres://u@db.example/x?sslmode=require", "", Off},
		{"postgres://u@db.example/x?sslmode=verify-ca", "", Off},
		{"postgres://u@db.example/x?sslmode=verify-full", "", On},
		{"postgres://u@db.example/x?sslrootcert=system", "", On}, // implies verify-full
		{"postgres://u@db.example/x?sslmode=verify-full", "PGSSLMODE=disable", On},
		{"postgres://u@db.example/x?sslmode=verify-full&sslrootcert=/only/on/the/server", "", On},
		{"postgres://u@db.example/x?sslmode=require&sslrootcert=/only/on/the/server", "", Off},
		{"postgres://u@db.example/x", "PGSSLMODE=verify-full", On},
		{"postgres://u@db.example/x", "PGSSLMODE=require", Off},

		{"postgres://u@localhost,127.0.0.1:5433/x?sslmode=disable", "", On},
		{"postgres://u@[::1]/x", "", On},
		{"postgres://u@localhost,db.example:5433/x?sslmode=disable", "", Off},
		{"postgres:///x?host=/run/postgresql", "", On},
		{"postgres:///x?host=db.example", "", Off},
		{"postgres:///x", "", On},
		{"postgres:///x", "PGHOST=db.example", Off},
		{"postgres:///x", "PGHOST=127.0.0.1,db.example", Off},
		{"postgres:///x?sslmode=verify-full", "PGHOST=db.example", On},
		{"postgres://localhost/x", "PGHOST=db.example", On},

		{"postgres:///x?service=vault", "PGSERVICEFILE=" + far, Off},
		{"postgres:///x", "PGSERVICEFILE=" + far + " PGSERVICE=vault", Off},
		{"postgres:///x?service=vault&sslmode=verify-full", "PGSERVICEFILE=" + far, On},
		{"postgres://localhost/x?service=vault", "PGSERVICEFILE=" + far, On},
		{"postgres:///x?service=vault", "PGSERVICEFILE=" + write(t, "[vault]\nhost=db.example\nsslmode=verify-full\n"), On},
		{"postgres:///x?service=vault", "PGSERVICEFILE=/only/on/the/server", Off},
	} {
		t.Run(c.url+" "+c.environ, func(t *testing.T) {
			for _, name := range []string{"PGHOST", "PGSSLMODE", "PGSSLROOTCERT", "PGSERVICE", "PGSERVICEFILE"} {
				t.Setenv(name, "")
			}
			for _, variable := range strings.Fields(c.environ) {
				name, value, _ := strings.Cut(variable, "=")
				t.Setenv(name, value)
			}
			s, _, err := Load(with(map[string]string{"database": c.url}), nil)
			if err != nil {
				t.Fatal(err)
			}
			all := s.Posture()
			if at := slices.IndexFunc(all, func(p domain.PostureCheck) bool { return p.Name == "database-transport" }); all[at].State != c.want {
				t.Errorf("database-transport is %s, want %s", all[at].State, c.want)
			}
		})
	}
}

func TestWithDefaultSettingsThePostureIsThatOfASandbox(t *testing.T) {
	s, _, err := Load(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	var off []string
	for _, p := range s.Undefended() {
		off = append(off, p.Name)
	}
	want := []string{"known-callers", "root-key-apart", "replay-protection", "blocklist", "credential-history", "current-secret", "key-expiry",
		"no-helper", "no-sandbox", "no-introspection", "no-field-suggestions", "rate-limits"}
	if diff := cmp.Diff(want, off); diff != "" || !s.Private() {
		t.Errorf("private %v, off (-want +got):\n%s", s.Private(), diff)
	}
}

func TestEveryPartOfThePostureIsComplete(t *testing.T) {
	for _, p := range new(Settings).Posture() {
		if p.Name == "" || !strings.HasSuffix(p.Gain, ".") || strings.Count(p.Gain, ". ") > 1 || len(p.Settings) == 0 {
			t.Errorf("%+v", p)
		}
		for _, name := range p.Settings {
			if indexOf(name) < 0 {
				t.Errorf("%s: no setting %s", p.Name, name)
			}
		}
	}
}
