package config

import (
	"crypto/fips140"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"strongroom/internal/crypto/devicekey"
	"strongroom/internal/domain"
)

// inFIPSMode runs the test that calls it once more, in a process whose FIPS 140-3
// module is on. It reports whether this is that process.
func inFIPSMode(t *testing.T) bool {
	t.Helper()
	if fips140.Enabled() {
		return true
	}
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run", "^"+t.Name()+"$")
	cmd.Env = append(os.Environ(), "GODEBUG=fips140=on")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("in FIPS mode: %v\n%s", err, out)
	}
	return false
}

func TestInFIPSModeTheDefaultsAreApproved(t *testing.T) {
	if !inFIPSMode(t) {
		return
	}
	s, list, err := Load(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if s.Verifier != "pbkdf2" || s.PBKDF2Iterations < 600_000 || !slices.Equal(s.OAEP, []string{"sha256"}) {
		t.Errorf("verifier %s with %d iterations, OAEP %v", s.Verifier, s.PBKDF2Iterations, s.OAEP)
	}
	for _, want := range []Effective{{"verifier", "pbkdf2", FromFIPS}, {"oaep", "sha256", FromFIPS}} {
		if !slices.Contains(list, want) {
			t.Errorf("the list of settings has no %+v", want)
		}
	}
}

func TestInFIPSModeOtherAlgorithmsAreRefused(t *testing.T) {
	if !inFIPSMode(t) {
		return
	}
	for _, tc := range []struct{ name, value, want string }{
		{"verifier", "argon2id", "verifier: argon2id is not FIPS-approved"},
		{"oaep", "sha256,sha1", "oaep: FIPS mode accepts sha256 only"},
		{"oaep", "sha256,sha256-mgf1-sha1", "oaep: FIPS mode accepts sha256 only"},
	} {
		_, _, err := Load(map[string]string{tc.name: tc.value}, nil)
		if err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("--%s %s: %v", tc.name, tc.value, err)
		}
	}
	// Existing keys of a refused algorithm must not be used either.
	for _, a := range devicekey.Algorithms {
		if _, _, err := Load(map[string]string{"key-algorithms": string(a)}, nil); (err == nil) != a.Allowed() {
			t.Errorf("--key-algorithms %s: %v, and Allowed is %t", a, err, a.Allowed())
		}
	}
	if devicekey.HPKEX25519.Allowed() {
		t.Error("X25519 alone is allowed")
	}
	if _, _, err := Load(map[string]string{"verifier": "pbkdf2", "oaep": "sha256"}, nil); err != nil {
		t.Error(err)
	}
}

// Only a frozen module counts: GODEBUG alone puts a binary into FIPS mode, but its
// module was never submitted to validation.
func TestThePostureSaysWhetherTheModuleIsFrozen(t *testing.T) {
	i := slices.IndexFunc(new(Settings).Posture(), func(c domain.PostureCheck) bool { return c.Name == "fips-140" })
	if i < 0 {
		t.Fatal("no check fips-140")
	}
	want := Off
	if FIPSBuild() {
		want = On
	}
	if got := new(Settings).Posture()[i]; got.State != want || got.Required {
		t.Errorf("got %+v, want %s and not required", got, want)
	}
}
