package verifier

import (
	"bytes"
	"crypto/fips140"
	"crypto/pbkdf2"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"math"
	"os"
	"os/exec"
	"testing"

	"github.com/google/go-cmp/cmp"
	reference "golang.org/x/crypto/argon2"
	"pgregory.net/rapid"

	"strongroom/internal/crypto/argon2"
)

// matrix is for all tests: they do not run in parallel.
var matrix argon2.Matrix

var (
	cheap       = Params{Memory: 8, Time: 1, Parallelism: 1}
	cheapPBKDF2 = Params{Iterations: 2}
)

func mustNew(t testing.TB, secret string, p Params) []byte {
	t.Helper()
	encoded, err := New(&matrix, []byte(secret), p)
	if err != nil {
		t.Fatal(err)
	}
	return encoded
}

func TestAVerifierMatchesItsSecretOnly(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		secret := rapid.SliceOf(rapid.Byte()).Draw(t, "secret")
		guess := rapid.SliceOf(rapid.Byte()).Draw(t, "guess")
		p := Params{Memory: rapid.Uint32Range(16, 64).Draw(t, "memory"), Time: rapid.Uint32Range(1, 3).Draw(t, "time"), Parallelism: rapid.Uint8Range(1, 2).Draw(t, "lanes")}
		if rapid.Bool().Draw(t, "PBKDF2") {
			p = Params{Iterations: rapid.Uint32Range(1, 8).Draw(t, "iterations")}
		}
		encoded, err := New(&matrix, secret, p)
		if err != nil {
			t.Fatal(err)
		}
		if ok, err := Compare(&matrix, encoded, secret); !ok || err != nil {
			t.Errorf("its own secret: %v, %v", ok, err)
		}
		same := bytes.Equal(secret, guess)
		if p.Iterations > 0 {
			same = bytes.Equal(keyOfHMAC(secret), keyOfHMAC(guess))
		}
		if ok, err := Compare(&matrix, encoded, guess); ok != same || err != nil {
			t.Errorf("a guess: %v, %v", ok, err)
		}
	})
}

// keyOfHMAC is the key that HMAC-SHA-256 works with (RFC 2104, 2): padded with zeros to a
// block, or hashed first if it is longer.
func keyOfHMAC(key []byte) []byte {
	if len(key) > sha256.BlockSize {
		hashed := sha256.Sum256(key)
		key = hashed[:]
	}
	return append(bytes.Clone(key), make([]byte, sha256.BlockSize-len(key))...)
}

func TestTheSameSecretNeverHasTheSameVerifier(t *testing.T) {
	for _, p := range []Params{cheap, cheapPBKDF2} {
		if a, b := mustNew(t, "4711", p), mustNew(t, "4711", p); bytes.Equal(a[saltOffset:tagOffset], b[saltOffset:tagOffset]) {
			t.Errorf("%s: a salt came twice", p.Algorithm())
		}
	}
}

func TestARecomputedVerifierIsComparedByItsBytes(t *testing.T) {
	for _, p := range []Params{cheap, cheapPBKDF2} {
		t.Run(p.Algorithm(), func(t *testing.T) { testAgain(t, p) })
	}
	if SameSalt(mustNew(t, "4711", cheap), encode(cheapPBKDF2)) {
		t.Error("verifiers of two algorithms have the same salt")
	}
}

func testAgain(t *testing.T, p Params) {
	present := mustNew(t, "4711", p)
	again, err := Again(&matrix, present, []byte("4711"))
	if err != nil || !Equal(again, present) {
		t.Errorf("of the same secret: got %x, %v; want %x", again, err, present)
	}
	other, err := Again(&matrix, present, []byte("0815"))
	if err != nil || Equal(other, present) || !SameSalt(other, present) {
		t.Errorf("of another secret: got %x, %v beside %x", other, err, present)
	}
	if ok, err := Compare(&matrix, other, []byte("0815")); !ok || err != nil {
		t.Errorf("it is not the verifier of its secret: %v, %v", ok, err)
	}
	if SameSalt(present, mustNew(t, "4711", p)) {
		t.Error("two verifiers with salts of their own have the same")
	}
	costlier := bytes.Clone(present)
	costlier[4]++
	if SameSalt(present, costlier) || SameSalt(nil, nil) || SameSalt(present, present[:tagOffset]) {
		t.Error("verifiers of another cost or length have the same salt")
	}
	if _, err := Again(&matrix, present[1:], []byte("4711")); !errors.Is(err, ErrFormat) {
		t.Errorf("of a malformed verifier: got error %v, want ErrFormat", err)
	}
}

// The layout is spelled out here by hand: a stored verifier must compare for
// ever, and the tag must be what any Argon2id implementation computes.
func TestAVerifierIsLaidOutAsDocumented(t *testing.T) {
	encoded := mustNew(t, "4711", Params{Memory: 64, Time: 3, Parallelism: 2})
	want := []byte{1, 0, 0, 0, 64, 0, 0, 0, 3, 2}
	want = append(want, encoded[10:26]...)
	want = append(want, reference.IDKey([]byte("4711"), encoded[10:26], 3, 64, 2, 32)...)
	if diff := cmp.Diff(want, encoded); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestAPBKDF2VerifierIsLaidOutAsDocumented(t *testing.T) {
	encoded := mustNew(t, "4711", Params{Iterations: 0x10203})
	want := append([]byte{2, 0, 1, 2, 3, 0, 0, 0, 0, 0}, encoded[10:26]...)
	tag, err := pbkdf2.Key(sha256.New, "4711", encoded[10:26], 0x10203, 32)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(append(want, tag...), encoded); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// The file names the sources of the vectors.
func TestPBKDF2MatchesThePublishedVectors(t *testing.T) {
	data, err := os.ReadFile("testdata/pbkdf2.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Vectors []struct {
			Source, Password, Salt, Key string
			Iterations                  uint32
		}
	}
	if err := json.Unmarshal(data, &file); err != nil || len(file.Vectors) < 3 {
		t.Fatalf("%d vectors: %v", len(file.Vectors), err)
	}
	for _, v := range file.Vectors {
		var got []byte
		// With fips140=only the module refuses salts as short as those of RFC 7914.
		fips140.WithoutEnforcement(func() {
			got = hash(nil, []byte(v.Password), []byte(v.Salt), Params{Iterations: v.Iterations})
		})
		if hex.EncodeToString(got) != v.Key {
			t.Errorf("%s, %d iterations: got %x, want %s", v.Source, v.Iterations, got, v.Key)
		}
	}
}

// A binary with a stricter module must still compare what the others stored, until
// all of it is replaced.
func TestVerifiersOfBothAlgorithmsCompareWithFIPS140Only(t *testing.T) {
	if !fips140.Enforced() {
		cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run", "PBKDF2|AVerifierMatches|"+t.Name())
		cmd.Env = append(os.Environ(), "GODEBUG=fips140=only")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return
	}
	for _, p := range []Params{cheap, {Iterations: 1000}} {
		if ok, err := Compare(&matrix, mustNew(t, "4711", p), []byte("4711")); !ok || err != nil {
			t.Errorf("%s: got %v, %v", p.Algorithm(), ok, err)
		}
	}
}

// From test.c of the reference implementation, P-H-C/phc-winner-argon2.
func TestTheKernelIsArgon2idVersion13(t *testing.T) {
	for _, v := range []struct {
		p   Params
		tag string
	}{
		{Params{Memory: 256, Time: 2, Parallelism: 1}, "9dfeb910e80bad0311fee20f9c0e2b12c17987b4cac90c2ef54d5b3021c68bfe"},
		{Params{Memory: 256, Time: 2, Parallelism: 2}, "6d093c501fd5999645e0ea3bf620d7b8be7fd2db59c20d9fff9539da2bf57037"},
		{Params{Memory: 65536, Time: 2, Parallelism: 1}, "09316115d5cf24ed5a15a31a3ba326e5cf32edc24702987c02b6566f61913cf7"},
	} {
		if got := hex.EncodeToString(hash(&matrix, []byte("password"), []byte("somesalt"), v.p)); got != v.tag {
			t.Errorf("%+v: got %s, want %s", v.p, got, v.tag)
		}
	}
}

func TestAVerifierOfVersionOneStillCompares(t *testing.T) {
	encoded, err := hex.DecodeString("01000000080000000101" + "000102030405060708090a0b0c0d0e0f" +
		hex.EncodeToString(reference.IDKey([]byte("4711"), []byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}, 1, 8, 1, 32)))
	if err != nil {
		t.Fatal(err)
	}
	if ok, err := Compare(&matrix, encoded, []byte("4711")); !ok || err != nil {
		t.Errorf("got %v, %v", ok, err)
	}
}

func TestDummyIsFalseForEverySecret(t *testing.T) {
	for _, secret := range []string{"", "4711", string(make([]byte, 32))} {
		for _, p := range []Params{cheap, cheapPBKDF2} {
			if ok, err := Dummy(&matrix, []byte(secret), p); ok || err != nil {
				t.Errorf("%q, %s: got %v, %v", secret, p.Algorithm(), ok, err)
			}
		}
	}
	if _, err := Dummy(&matrix, nil, Params{}); !errors.Is(err, ErrFormat) {
		t.Errorf("without a cost: got error %v, want ErrFormat", err)
	}
}

func TestDummyDoesTheWorkOfCompare(t *testing.T) {
	for _, p := range []Params{cheap, {Memory: 96, Time: 3, Parallelism: 2}, DefaultParams} {
		encoded := mustNew(t, "4711", p)
		before := matrix.Filled()
		if _, err := Compare(&matrix, encoded, []byte("0000")); err != nil {
			t.Fatal(err)
		}
		compared := matrix.Filled() - before
		if _, err := Dummy(&matrix, []byte("0000"), p); err != nil {
			t.Fatal(err)
		}
		dummy := matrix.Filled() - before - compared
		if compared == 0 || dummy != compared {
			t.Errorf("%+v: Compare fills %d blocks and Dummy %d", p, compared, dummy)
		}
	}
}

func TestACostOutOfBoundsIsRefusedBeforeAnyWork(t *testing.T) {
	for name, p := range map[string]Params{
		"nothing":                {},
		"no memory":              {Memory: 0, Time: 1, Parallelism: 1},
		"memory under a lane's":  {Memory: 7, Time: 1, Parallelism: 1},
		"memory under two lanes": {Memory: 15, Time: 1, Parallelism: 2},
		"too much memory":        {Memory: 1<<20 + 1, Time: 1, Parallelism: 1},
		"all memory":             {Memory: math.MaxUint32, Time: 1, Parallelism: 1},
		"no time":                {Memory: 8, Time: 0, Parallelism: 1},
		"too much time":          {Memory: 8, Time: 17, Parallelism: 1},
		"all time":               {Memory: 8, Time: math.MaxUint32, Parallelism: 1},
		"no lanes":               {Memory: 8, Time: 1, Parallelism: 0},
		"too many lanes":         {Memory: 1 << 20, Time: 1, Parallelism: 17},
		"too many iterations":    {Iterations: 10_000_001},
		"all iterations":         {Iterations: math.MaxUint32},
	} {
		if p.Validate() == nil {
			t.Errorf("%s: valid", name)
		}
		if _, err := New(&matrix, []byte("4711"), p); err == nil {
			t.Errorf("%s: a verifier was made", name)
		}
		if _, err := Compare(&matrix, encode(p), []byte("4711")); !errors.Is(err, ErrFormat) {
			t.Errorf("%s: got error %v, want ErrFormat", name, err)
		}
	}
	for _, p := range []Params{DefaultParams, cheap, {Memory: 16, Time: 1, Parallelism: 2}, {Memory: 1 << 20, Time: 16, Parallelism: 16}, DefaultPBKDF2, {Iterations: 1}, {Iterations: 10_000_000}} {
		if err := p.Validate(); err != nil {
			t.Errorf("%+v: %v", p, err)
		}
	}
}

func TestMalformedVerifiersAreRefused(t *testing.T) {
	encoded := mustNew(t, "4711", cheap)
	for name, b := range map[string][]byte{
		"nothing":                          nil,
		"one byte less":                    encoded[:len(encoded)-1],
		"one byte more":                    append(bytes.Clone(encoded), 0),
		"another format":                   append([]byte{3}, encoded[1:]...),
		"PBKDF2 with more than iterations": append([]byte{2, 0, 0, 0, 1, 0, 0, 0, 0, 1}, encoded[10:]...),
		"PBKDF2 without iterations":        append([]byte{2, 0, 0, 0, 0, 0, 0, 0, 0, 0}, encoded[10:]...),
	} {
		if ok, err := Compare(&matrix, b, []byte("4711")); ok || !errors.Is(err, ErrFormat) {
			t.Errorf("%s: got %v, %v; want ErrFormat", name, ok, err)
		}
	}
	for i := saltOffset; i < len(encoded); i++ {
		changed := bytes.Clone(encoded)
		changed[i] ^= 1
		if ok, err := Compare(&matrix, changed, []byte("4711")); ok || err != nil {
			t.Errorf("byte %d changed: got %v, %v", i, ok, err)
		}
	}
}

func TestAVerifierIsOutdatedWhenItsCostWasRaised(t *testing.T) {
	encoded := mustNew(t, "4711", Params{Memory: 64, Time: 2, Parallelism: 1})
	for name, c := range map[string]struct {
		p    Params
		want bool
	}{
		"the same":                  {Params{Memory: 64, Time: 2, Parallelism: 1}, false},
		"more memory":               {Params{Memory: 65, Time: 2, Parallelism: 1}, true},
		"more time":                 {Params{Memory: 64, Time: 3, Parallelism: 1}, true},
		"more memory and less time": {Params{Memory: 128, Time: 1, Parallelism: 1}, true},
		"less memory and more time": {Params{Memory: 32, Time: 4, Parallelism: 1}, true},
		"less of both":              {Params{Memory: 32, Time: 1, Parallelism: 1}, false},
		"another parallelism":       {Params{Memory: 64, Time: 2, Parallelism: 4}, false},
		"another algorithm":         {Params{Iterations: 1}, true},
	} {
		if got := Outdated(encoded, c.p); got != c.want {
			t.Errorf("%s: got %v, want %v", name, got, c.want)
		}
	}
	if Outdated(mustNew(t, "4711", Params{Iterations: 3}), Params{Iterations: 2}) {
		t.Error("a verifier with more iterations than wanted is outdated")
	}
	if old := mustNew(t, "4711", Params{Iterations: 3}); !Outdated(old, Params{Iterations: 4}) || !Outdated(old, cheap) {
		t.Error("a verifier with fewer iterations or of another algorithm is not outdated")
	}
	if Outdated([]byte("no verifier"), DefaultParams) {
		t.Error("what is no verifier is called outdated")
	}
}

func FuzzVerifierFormat(f *testing.F) {
	f.Add(mustNew(f, "4711", cheap))
	f.Add(encode(DefaultParams))
	f.Add(encode(DefaultPBKDF2))
	f.Add(encode(Params{Memory: math.MaxUint32, Time: math.MaxUint32, Parallelism: math.MaxUint8}))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, encoded []byte) {
		p, err := decode(encoded)
		if err != nil {
			if _, compared := Compare(&matrix, encoded, []byte("4711")); err != ErrFormat || compared != ErrFormat {
				t.Errorf("decoding says %v, comparing %v; want ErrFormat of both", err, compared)
			}
			return
		}
		if err := p.Validate(); err != nil {
			t.Errorf("a cost out of bounds was decoded: %v", err)
		}
		again := append(encode(p)[:saltOffset], encoded[saltOffset:]...)
		if diff := cmp.Diff(encoded, again); diff != "" {
			t.Errorf("-was +is:\n%s", diff)
		}
		if uint64(p.Memory)*uint64(p.Time) <= 1024 && p.Iterations < 1024 { // fuzzing must not spend its time in hashes
			if _, err := Compare(&matrix, encoded, []byte("4711")); err != nil {
				t.Errorf("decoded but not compared: %v", err)
			}
		}
	})
}

func BenchmarkCompare(b *testing.B) {
	for _, p := range []Params{DefaultParams, DefaultPBKDF2} {
		b.Run(p.Algorithm(), func(b *testing.B) {
			encoded := mustNew(b, "4711", p)
			for b.Loop() {
				if _, err := Compare(&matrix, encoded, []byte("4711")); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
