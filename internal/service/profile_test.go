package service

import (
	"fmt"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"strongroom/internal/crypto/verifier"
	"strongroom/internal/domain"
	"strongroom/internal/trace"
)

var (
	cheapArgon2id = verifier.Params{Memory: 8, Time: 1, Parallelism: 1}
	cheapPBKDF2   = verifier.Params{Iterations: 3}
)

// withVerifier starts v again with another algorithm or cost of new verifiers.
func (v *instance) withVerifier(p verifier.Params) {
	v.t.Helper()
	v.tweak = func(c *Config) { c.Verifier = p; c.History = 2 }
	v.kill()
	v.countVerifiers()
}

func (v *instance) countVerifiers() {
	v.t.Helper()
	if more, err := v.CountVerifiers(v.ctx); err != nil || more {
		v.t.Fatalf("counting verifiers: %v, %v", more, err)
	}
}

// algorithm is that of the stored verifier of k's PIN.
func (v *instance) algorithm(k domain.KeyPair) string {
	v.t.Helper()
	encoded, _, err := v.records.OpenCredential(v.credential(k))
	if err != nil {
		v.t.Fatal(err)
	}
	p, err := verifier.ParamsOf(encoded)
	if err != nil {
		v.t.Fatal(err)
	}
	return p.Algorithm()
}

func (v *instance) scrape() string {
	w := httptest.NewRecorder()
	v.cfg.Metrics.Handler().ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
	return w.Body.String()
}

// hashes reads how many hashes of each algorithm v did since the call.
func (v *instance) hashes() func() map[string]int {
	read := func() map[string]int {
		n := map[string]int{}
		for _, algorithm := range []string{verifier.Argon2id, verifier.PBKDF2} {
			for line := range strings.Lines(v.scrape()) {
				if rest, ok := strings.CutPrefix(line, `strongroom_lane_work_seconds_count{work="`+algorithm+`"} `); ok {
					var count int
					_, _ = fmt.Sscan(rest, &count)
					n[algorithm] = count
				}
			}
		}
		return n
	}
	before := read()
	return func() map[string]int {
		since := map[string]int{}
		for algorithm, n := range read() {
			if n -= before[algorithm]; n > 0 {
				since[algorithm] = n
			}
		}
		return since
	}
}

// tracedVerify verifies a PIN, and returns which hashes the log line of the request shows.
func (v *instance) tracedVerify(k domain.KeyPair, pin string) (match bool, hashes []string) {
	v.t.Helper()
	var nobody *trace.Tracer
	ctx, request := nobody.Begin(v.ctx, trace.Arrival{})
	match, err := v.matches(ctx, submission(v.t, k, domain.TransactionPIN, pin))
	if err != nil {
		v.t.Fatal(err)
	}
	for _, a := range request.Attrs(nil) {
		if a.Key == "argon2id_ms" || a.Key == "pbkdf2_ms" {
			hashes = append(hashes, a.Key)
		}
	}
	return match, hashes
}

func TestARightAnswerRehashesWithTheConfiguredAlgorithm(t *testing.T) {
	v := openVault(t, func(c *Config) { c.History = 2 })
	k := v.issue("phone")
	v.setPIN(k, "1357")
	for _, next := range []verifier.Params{cheapPBKDF2, cheapArgon2id, cheapPBKDF2} {
		was := v.algorithm(k)
		v.withVerifier(next)
		before := v.credential(k)
		wrong, hashesOfWrong := v.tracedVerify(k, "0000")
		if diff := cmp.Diff(before, v.credential(k)); wrong || diff != "" || v.algorithm(k) != was {
			t.Errorf("a wrong answer is %v, or changed the verifier:\n%s", wrong, diff)
		}
		right, hashesOfRight := v.tracedVerify(k, "1357")
		if diff := cmp.Diff(hashesOfWrong, hashesOfRight); !right || diff != "" || len(hashesOfRight) != 1 {
			t.Errorf("a right answer is %v, or the log tells it (-wrong +right):\n%s", right, diff)
		}
		if after := v.credential(k); after.Version != before.Version+1 || v.algorithm(k) != next.Algorithm() {
			t.Fatalf("version %d after %d, algorithm %s, want %s", after.Version, before.Version, v.algorithm(k), next.Algorithm())
		}
		after, did := v.credential(k), v.hashes()
		v.expect("right again", v.verifyPIN(k, "1357"), "true")
		if diff := cmp.Diff(after, v.credential(k)); diff != "" {
			t.Errorf("it was hashed again:\n%s", diff)
		}
		if diff := cmp.Diff(map[string]int{next.Algorithm(): 1}, did()); diff != "" {
			t.Errorf("hashes of a verify (-want +got):\n%s", diff)
		}
	}
	v.intact()
}

// A set uses the configured algorithm at once, and still recognizes earlier PINs.
func TestTheHistoryFindsPINsHashedWithAnotherAlgorithm(t *testing.T) {
	v := openVault(t, func(c *Config) { c.History = 2 })
	k := v.issue("phone")
	v.expect("first", v.setPIN(k, "1357"), "true")
	v.withVerifier(cheapPBKDF2)
	v.expect("the same", v.setPIN(k, "1357"), "false")
	v.expect("another", v.setPIN(k, "2468"), "true")
	if got := v.algorithm(k); got != verifier.PBKDF2 {
		t.Errorf("set made a verifier by %s", got)
	}
	v.expect("the first again", v.setPIN(k, "1357"), "false")
	v.expect("right", v.verifyPIN(k, "2468"), "true")
	v.intact()
}

// Failures count across the change: neither algorithm gives guesses back.
func TestChangingTheHashAlgorithmDoesNotResetFailures(t *testing.T) {
	v := openVault(t, nil)
	k := v.issue("phone")
	v.setPIN(k, "1357")
	for i := range 5 {
		v.withVerifier([]verifier.Params{cheapPBKDF2, cheapArgon2id}[i%2])
		v.expect("wrong", v.verifyPIN(k, "0000"), "false")
	}
	v.withVerifier(cheapPBKDF2)
	v.expect("the sixth", v.verifyPIN(k, "1357"), "CREDENTIAL_LOCKED")
	v.intact()
}

// While credentials of two algorithms are stored, the duration of a verify must not
// reveal that an account has no credential. So accounts without one use the algorithms in
// the same proportion as accounts with one, and each account always uses the same.
func TestAccountsWithoutACredentialUseTheSameAlgorithmMix(t *testing.T) {
	if testing.Short() {
		t.Skip("nothing in it is parallel, and the race detector makes its 140 RSA keys slow")
	}
	v := openVault(t, nil)
	stored := make([]domain.KeyPair, 40)
	for i := range stored {
		stored[i] = v.issue(fmt.Sprintf("stored %d", i))
		v.setPIN(stored[i], "1357")
	}
	absent := make([]domain.KeyPair, 100)
	for i := range absent {
		absent[i] = v.issue(fmt.Sprintf("absent %d", i))
	}
	v.withVerifier(cheapPBKDF2)
	takes := func() (olds []int) {
		for i, k := range absent {
			did := v.hashes()
			v.expect("nothing set", v.verifyPIN(k, "1357"), "false")
			n := did()
			if n[verifier.Argon2id]+n[verifier.PBKDF2] != 1 {
				t.Fatalf("%v hashes where nothing is set", n)
			}
			if n[verifier.Argon2id] == 1 {
				olds = append(olds, i)
			}
		}
		return olds
	}
	if all := takes(); len(all) != len(absent) {
		t.Errorf("all credentials use Argon2id, but only %d of %d accounts without one do", len(all), len(absent))
	}
	for _, k := range stored[:20] {
		v.expect("right", v.verifyPIN(k, "1357"), "true")
	}
	v.countVerifiers()
	half := takes()
	if n := len(half); n < 25 || n > 75 {
		t.Errorf("half of the credentials use Argon2id, but %d of %d accounts without one do", n, len(absent))
	}
	if diff := cmp.Diff(half, takes()); diff != "" {
		t.Errorf("an account without a PIN changed its algorithm (-before +after):\n%s", diff)
	}
	for _, k := range stored[20:30] {
		v.expect("right", v.verifyPIN(k, "1357"), "true")
	}
	v.countVerifiers()
	quarter := takes()
	if slices.ContainsFunc(quarter, func(i int) bool { return !slices.Contains(half, i) }) {
		t.Error("an account without a PIN went back to the older algorithm, which no account with a PIN does")
	}
	if metrics := v.scrape(); !strings.Contains(metrics, "strongroom_credentials_outdated 10\n") {
		t.Error("the metrics do not show that 10 are left")
	}
	for _, k := range stored[30:] {
		v.expect("right", v.verifyPIN(k, "1357"), "true")
	}
	v.countVerifiers()
	if none := takes(); len(none) != 0 {
		t.Errorf("%d accounts without a PIN use an algorithm that no account with a PIN uses", len(none))
	}
}
