package e2e

import (
	"bytes"
	"encoding/base64"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"strongroom/internal/crypto/devicekey"
)

// BenchmarkRefusalTiming measures from outside whether refusals that say the
// same also take the same time. For two kinds of request, one of each sent in
// every round in random order, it reports the median time of each and Welch's
// t of the two sets of times. A t under 4.5 means that this many samples tell
// nothing (the threshold of test vector leakage assessment).
//
// On a machine that does other work at the same time, t only shrinks: run it
// alone before believing a small one.
func BenchmarkRefusalTiming(b *testing.B) {
	b.Run("PKCS1v15AgainstRandom", func(b *testing.B) {
		const rounds = 1000
		aboutRSA(b)
		i := start(b, "--decryption-failures-max", "10000")
		k := i.mustIssue(generate, "phone")
		public := k.public(b)
		padded, random := make([]string, rounds), make([]string, rounds)
		for n := range rounds {
			padded[n] = base64.StdEncoding.EncodeToString(pkcs1v15(public, "493817"))
			random[n] = base64.StdEncoding.EncodeToString(randomCiphertext(b, public))
		}
		i.compare(b, rounds, "DECRYPTION_FAILED", func(n int) (keyID, ciphertext string) { return k.ID, padded[n] },
			func(n int) (keyID, ciphertext string) { return k.ID, random[n] })
	})

	// The control: a number above the modulus is no ciphertext of anything, as
	// anyone can tell, and is refused without arithmetic. A large t here shows
	// that the measurement sees what there is.
	b.Run("ControlAboveTheModulusAgainstRandom", func(b *testing.B) {
		const rounds = 200
		aboutRSA(b)
		i := start(b, "--decryption-failures-max", "10000")
		k := i.mustIssue(generate, "phone")
		public := k.public(b)
		above := base64.StdEncoding.EncodeToString(bytes.Repeat([]byte{0xff}, public.Size()))
		random := base64.StdEncoding.EncodeToString(randomCiphertext(b, public))
		i.compare(b, rounds, "DECRYPTION_FAILED", func(int) (keyID, ciphertext string) { return k.ID, above },
			func(int) (keyID, ciphertext string) { return k.ID, random })
	})

	// ML-KEM answers a changed ciphertext with another secret, and X25519 a point of
	// low order with an error (RFC 9180, 7.1.4): neither may show.
	b.Run("HPKEImplicitRejectionAgainstLowOrder", func(b *testing.B) {
		const rounds = 1000
		i := start(b, "--decryption-failures-max", "10000", "--key-algorithms", "HPKE-XWING,RSA-OAEP-256")
		k, err := i.issueTo(generate, map[string]any{"deviceId": "phone", "algorithms": []string{"HPKE-XWING"}})
		if err != nil {
			b.Fatal(err)
		}
		broken := func(change func(enc []byte)) func(int) (string, string) {
			return func(int) (string, string) {
				ciphertext, err := base64.StdEncoding.DecodeString(encryptFor(b, k, verifyPIN, "493817"))
				if err != nil {
					b.Fatal(err)
				}
				change(ciphertext[:devicekey.EncapsulatedSize(devicekey.HPKEXWing)])
				return k.ID, base64.StdEncoding.EncodeToString(ciphertext)
			}
		}
		i.compare(b, rounds, "DECRYPTION_FAILED", broken(func(enc []byte) { enc[0] ^= 1 }), broken(func(enc []byte) { clear(enc[len(enc)-32:]) }))
	})

	b.Run("RotatedKeyAgainstUnknown", func(b *testing.B) {
		const rounds = 500
		i := start(b)
		k := i.mustIssue(generate, "phone")
		i.mustIssue(rotate, "phone")
		ciphertext := encryptFor(b, k, verifyPIN, "493817")
		unknown := strings.Repeat("a", len(k.ID))
		i.compare(b, rounds, "KEY_NOT_USABLE", func(int) (string, string) { return k.ID, ciphertext },
			func(int) (string, string) { return unknown, ciphertext })
	})

	b.Run("ForeignKeyAgainstUnknown", func(b *testing.B) {
		const rounds = 1000
		p := newProvider(b)
		i := start(b, p.flags()...)
		alice, bob := i.withToken(p.token("alice", nil)), i.withToken(p.token("bob", nil))
		k := alice.mustIssue(generate, "phone")
		alice.expect("set", alice.try("setTransactionPin", k, "493817"), "true")
		bob.mustIssue(generate, "phone")
		ciphertext := encryptFor(b, k, verifyPIN, "493817")
		unknown := strings.Repeat("a", len(k.ID))
		bob.compare(b, rounds, "KEY_NOT_USABLE", func(int) (string, string) { return k.ID, ciphertext },
			func(int) (string, string) { return unknown, ciphertext })
	})

	b.Run("NothingSetAgainstWrongPIN", func(b *testing.B) {
		const rounds, perDevice = 500, 9 // one attempt less than what locks a device
		i := start(b, "--attempts-max", "10")
		var unset, wrong []keyPair
		for range (rounds + perDevice - 1) / perDevice {
			unset = append(unset, i.mustIssue(generate, "unset "+time.Now().String()))
			k := i.mustIssue(generate, "set "+time.Now().String())
			i.expect("set", i.try("setTransactionPin", k, "493817"), "true")
			wrong = append(wrong, k)
		}
		guess := func(devices []keyPair) func(int) (string, string) {
			return func(n int) (string, string) {
				k := devices[n/perDevice]
				return k.ID, encryptFor(b, k, verifyPIN, "000000")
			}
		}
		i.compare(b, rounds, "false", guess(unset), guess(wrong))
	})
}

// aboutRSA skips what is about RSA where the keys are of another algorithm.
func aboutRSA(b *testing.B) {
	b.Helper()
	if keyAlgorithm != devicekey.RSAOAEP256 {
		b.Skipf("about RSA, and the keys are of %s", keyAlgorithm)
	}
}

// compare sends both kinds of request, what each round sends made before the
// clock runs, and reports what their times tell.
func (i *instance) compare(b *testing.B, rounds int, want string, left, right func(round int) (keyID, ciphertext string)) {
	const operation = "verifyTransactionPin"
	var times [2][]float64 // milliseconds
	for n := range rounds {
		var keyID, ciphertext [2]string
		keyID[0], ciphertext[0] = left(n)
		keyID[1], ciphertext[1] = right(n)
		first := rand.IntN(2)
		for _, kind := range []int{first, 1 - first} {
			start := time.Now()
			a, err := i.submit(operation, keyID[kind], ciphertext[kind])
			took := time.Since(start)
			if got := word(operation, a, err); got != want {
				b.Fatalf("round %d: %s, want %s", n, got, want)
			}
			times[kind] = append(times[kind], float64(took.Microseconds())/1000)
		}
	}
	reportTimes(b, times)
}

func reportTimes(b *testing.B, times [2][]float64) {
	b.ReportMetric(0, "ns/op") // a round is no operation
	b.ReportMetric(median(times[0]), "left_ms")
	b.ReportMetric(median(times[1]), "right_ms")
	b.ReportMetric(math.Abs(welch(times[0], times[1])), "welch_t")
}

// welch is Welch's t statistic of two samples with variances of their own.
func welch(x, y []float64) float64 {
	mx, vx := moments(x)
	my, vy := moments(y)
	return (mx - my) / math.Sqrt(vx/float64(len(x))+vy/float64(len(y)))
}

// moments are the mean and the unbiased variance.
func moments(x []float64) (mean, variance float64) {
	for _, v := range x {
		mean += v / float64(len(x))
	}
	for _, v := range x {
		variance += (v - mean) * (v - mean) / float64(len(x)-1)
	}
	return mean, variance
}

func median(x []float64) float64 {
	x = slices.Sorted(slices.Values(x))
	return x[len(x)/2]
}

func TestWelchDistinguishesOnlySamplesThatDiffer(t *testing.T) {
	t.Parallel()
	sample := func(mean float64) []float64 {
		random := rand.New(rand.NewPCG(4711, uint64(mean*1000)))
		x := make([]float64, 1000)
		for n := range x {
			x[n] = mean + random.NormFloat64()
		}
		return x
	}
	if got := welch([]float64{3, 4, 5}, []float64{1, 2, 3, 4}); math.Abs(got-1.732) > 0.001 {
		t.Errorf("3, 4, 5 against 1, 2, 3, 4: t = %v, want the square root of 3", got)
	}
	if got := math.Abs(welch(sample(10), sample(10.01))); got > 4.5 {
		t.Errorf("0.01 standard deviations apart: t = %v", got)
	}
	if got := math.Abs(welch(sample(10), sample(10.5))); got < 4.5 {
		t.Errorf("0.5 standard deviations apart: t = %v", got)
	}
}
