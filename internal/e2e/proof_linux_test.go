package e2e

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"encoding/json"
	"slices"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"golang.org/x/sys/unix"
)

// BenchmarkProofAndReceipt compares the CPU of verify with a DPoP proof and a
// receipt against verify with neither: pairs of batches in turn, on two servers.
// The result is the median of the pairs' ratios.
func BenchmarkProofAndReceipt(b *testing.B) {
	const pairs, batch = 100, 5
	plain, proving := start(b, "--rsa-bits", "3072"), start(b, "--rsa-bits", "3072", "--receipts")
	prove := prover(b, proving.base+"/graphql")
	var cost [2]func() time.Duration
	for n, i := range []*instance{plain, proving} {
		header := func() { i.header = map[string][]string{} }
		if i == proving {
			header = func() { i.header = map[string][]string{"DPoP": {prove()}} }
		}
		header()
		k := i.mustIssue(generate, "phone")
		header()
		i.expect("set", i.try(setPIN, k, "493817"), "true")
		cost[n] = func() (all time.Duration) {
			for range batch {
				header()
				before := i.cpu()
				if word := i.try(verifyPIN, k, "493817"); word != "true" {
					b.Fatal(word)
				}
				all += i.cpu() - before
			}
			return all
		}
	}
	var ratios []float64
	for n := range pairs {
		var took [2]time.Duration
		for _, kind := range []int{n % 2, 1 - n%2} {
			took[kind] = cost[kind]()
		}
		ratios = append(ratios, float64(took[1])/float64(took[0]))
	}
	slices.Sort(ratios)
	b.ReportMetric(ratios[pairs/2], "ratio")
	b.ReportMetric(ratios[pairs/4], "lower_quartile")
	b.ReportMetric(ratios[3*pairs/4], "upper_quartile")
	b.ReportMetric(0, "ns/op")
}

// cpu is the CPU time of the server's process, ended threads included.
func (i *instance) cpu() time.Duration {
	i.t.Helper()
	var at unix.Timespec
	if err := unix.ClockGettime(int32(^i.cmd.Process.Pid<<3|2), &at); err != nil { // CPUCLOCK_SCHED of the process
		i.t.Fatal(err)
	}
	return time.Duration(at.Nano())
}

// prover returns a maker of DPoP proofs (RFC 9449) by one key for POST url.
func prover(t testing.TB, url string) (prove func() string) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.ES256, Key: key}, (&jose.SignerOptions{EmbedJWK: true}).WithType("dpop+jwt"))
	if err != nil {
		t.Fatal(err)
	}
	return func() string {
		claims, err := json.Marshal(map[string]any{"jti": rand.Text(), "htm": "POST", "htu": url, "iat": time.Now().Unix()})
		if err != nil {
			t.Fatal(err)
		}
		jws, err := signer.Sign(claims)
		if err != nil {
			t.Fatal(err)
		}
		text, err := jws.CompactSerialize()
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
}
