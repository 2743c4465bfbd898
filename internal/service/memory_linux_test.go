package service

import (
	"bytes"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"os"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"strongroom/internal/crypto/devicekey"
	"strongroom/internal/domain"
	"strongroom/internal/store"
)

// masked is a secret that this process must not hold in clear.
type masked []byte

func mask(secret []byte) masked {
	m := bytes.Clone(secret)
	for i := range m {
		m[i] ^= 0xa5
	}
	clear(secret)
	return m
}

// copies counts the places in this process's memory that contain each secret, as
// someone with a core dump would.
func copies(t *testing.T, secrets []masked) []int {
	t.Helper()
	// Not of Go's memory, which is searched.
	chunk, err := unix.Mmap(-1, 0, 1<<20, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_SHARED)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = unix.Munmap(chunk) }()
	memory, err := os.Open("/proc/self/mem")
	if err != nil {
		t.Fatal(err)
	}
	defer memory.Close()
	maps, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		t.Fatal(err)
	}
	longest := 0
	for _, m := range secrets {
		longest = max(longest, len(m))
	}
	found := make([]int, len(secrets))
	for line := range strings.Lines(string(maps)) {
		fields := strings.Fields(line)
		if fields[1] != "rw-p" {
			continue
		}
		from, to, _ := strings.Cut(fields[0], "-")
		at, err1 := strconv.ParseInt(from, 16, 64)
		end, err2 := strconv.ParseInt(to, 16, 64)
		if err1 != nil || err2 != nil {
			t.Fatal(line)
		}
		for at < end {
			n, err := memory.ReadAt(chunk[:min(int64(len(chunk)), end-at)], at)
			if err != nil && n == 0 {
				break // gone since, or never to be read
			}
			for i, m := range secrets {
				found[i] += m.in(chunk[:n])
			}
			if at += int64(n); at < end && n > longest {
				at -= int64(longest) - 1 // one may lie across
			}
		}
	}
	return found
}

// in counts how often the secret is in b.
func (m masked) in(b []byte) (n int) {
	for first := m[0] ^ 0xa5; ; {
		at := bytes.IndexByte(b, first)
		if at < 0 || len(b)-at < len(m) {
			return n
		}
		equal := true
		for i := 0; equal && i < len(m); i++ {
			equal = b[at+i] == m[i]^0xa5
		}
		if equal {
			n++
		}
		b = b[at+1:]
	}
}

// skipSlowMemory skips a test in the short form.
func skipSlowMemory(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("the race detector multiplies the memory that is searched, and nothing in it is parallel")
	}
}

func TestTheMemorySearchFindsASecretUntilItIsCleared(t *testing.T) {
	skipSlowMemory(t)
	secret := []byte(rand.Text() + rand.Text())
	m := mask(bytes.Clone(secret))
	if n := copies(t, []masked{m}); n[0] == 0 {
		t.Error("a secret that is in memory was not found")
	}
	clear(secret)
	if n := copies(t, []masked{m}); n[0] != 0 {
		t.Errorf("a secret that was cleared was found %d times", n[0])
	}
}

// A secret longer than a block of BLAKE2b, which may leave one on its stack.
func (v *instance) longSecret(k domain.KeyPair, size int) (masked, domain.Submission) {
	v.t.Helper()
	public, err := x509.ParsePKIXPublicKey(k.PublicKey)
	if err != nil {
		v.t.Fatal(err)
	}
	secret := make([]byte, size)
	for i := range secret {
		secret[i] = 'a' + byte(i%26)
	}
	random := make([]byte, size/2)
	rand.Read(random)
	for i, b := range random {
		secret[2*i] = 'a' + b%26
	}
	ciphertext, err := rsa.EncryptOAEP(sha256.New(), rand.Reader, public.(*rsa.PublicKey), secret, nil)
	if err != nil {
		v.t.Fatal(err)
	}
	return mask(secret), domain.Submission{Type: domain.Passcode, Declared: domain.Passcode, KeyID: k.KeyID,
		Ciphertext: base64.StdEncoding.EncodeToString(ciphertext)}
}

func TestNoSecretOfAVerifyStaysInMemory(t *testing.T) {
	skipSlowMemory(t)
	v := openVault(t, func(c *Config) { c.Attempts.MaxFailures, c.Attempts.RollingMax = 100, 100 })
	k := v.issue("phone")
	var secrets []masked
	for range 8 {
		secret, sub := v.longSecret(k, 180)
		secrets = append(secrets, secret)
		ok, err := v.matches(v.ctx, sub)
		v.expect("verify", word(ok, err), "false")
	}
	for i, n := range copies(t, secrets) {
		if n > 0 {
			t.Errorf("the secret of verify %d is in memory at %d places", i, n)
		}
	}
}

// A set leaves no copies of the new secret, the current one or verifiers.
func TestNoSecretOfASetStaysInMemory(t *testing.T) {
	skipSlowMemory(t)
	v := openVault(t, func(c *Config) { c.History = 3 })
	k := v.issue("phone")
	var secrets []masked
	var current *string // its ciphertext; nil at first
	for n := range 4 {
		secret, sub := v.longSecret(k, 128)
		sub.Current, current = current, &sub.Ciphertext
		rule, err := v.Set(v.ctx, sub)
		v.expect("set", word(rule == "", err), "true")
		verifier, _, err := v.records.OpenCredential(v.passcode(k))
		if err != nil {
			t.Fatal(err)
		}
		secrets = append(secrets, secret, mask(verifier))
		if n > 0 {
			wrong, sub := v.longSecret(k, 128)
			sub.Current = &sub.Ciphertext
			rule, err := v.Set(v.ctx, sub)
			v.expect("set with a wrong current secret", word(rule == "", err), "false")
			secrets = append(secrets, wrong)
		}
	}
	for i, n := range copies(t, secrets) {
		if n > 0 {
			t.Errorf("secret or verifier %d is in memory at %d places", i, n)
		}
	}
}

func (v *instance) passcode(k domain.KeyPair) (c domain.Credential) {
	v.t.Helper()
	account := v.stored(k).AccountID
	v.view(func(tx store.Tx) (err error) { c, err = tx.Credential(account, domain.Passcode); return err })
	return c
}

func TestNoOpenedPrivateKeyStaysInMemoryInItsStoredForm(t *testing.T) {
	skipSlowMemory(t)
	var keys []masked
	v := openVault(t, func(c *Config) {
		c.NewPrivateKey = func(bits int) (*rsa.PrivateKey, error) {
			k, err := stock(bits)
			keys = append(keys, mask(devicekey.MarshalPrivate(k)))
			return k, err
		}
	})
	for _, device := range []string{"phone", "tablet", "watch"} {
		k := v.issue(device)
		for range 3 {
			v.expect("verify", v.verifyPIN(k, "0000"), "false")
		}
	}
	for i, n := range copies(t, keys) {
		if n > 0 {
			t.Errorf("private key %d is in memory at %d places, as it is sealed", i, n)
		}
	}
}
