package verifier

import (
	"bytes"
	"encoding/hex"
	"errors"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	reference "golang.org/x/crypto/argon2"
	"pgregory.net/rapid"

	"strongroom/internal/crypto/argon2"
)

// matrix serves all tests: none of them runs beside another.
var matrix argon2.Matrix

var cheap = Params{Memory: 8, Time: 1, Parallelism: 1}

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
		p := Params{rapid.Uint32Range(16, 64).Draw(t, "memory"), rapid.Uint32Range(1, 3).Draw(t, "time"), rapid.Uint8Range(1, 2).Draw(t, "lanes")}
		encoded, err := New(&matrix, secret, p)
		if err != nil {
			t.Fatal(err)
		}
		if ok, err := Compare(&matrix, encoded, secret); !ok || err != nil {
			t.Errorf("its own secret: %v, %v", ok, err)
		}
		if ok, err := Compare(&matrix, encoded, guess); ok != bytes.Equal(secret, guess) || err != nil {
			t.Errorf("a guess: %v, %v", ok, err)
		}
	})
}

func TestTheSameSecretNeverHasTheSameVerifier(t *testing.T) {
	if a, b := mustNew(t, "4711", cheap), mustNew(t, "4711", cheap); bytes.Equal(a[saltOffset:tagOffset], b[saltOffset:tagOffset]) {
		t.Error("a salt came twice")
	}
}

func TestAVerifierMadeAgainComparesByItsBytes(t *testing.T) {
	present := mustNew(t, "4711", cheap)
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
	if SameSalt(present, mustNew(t, "4711", cheap)) {
		t.Error("two verifiers with salts of their own have the same")
	}
	costlier := bytes.Clone(present)
	costlier[8]++
	if SameSalt(present, costlier) || SameSalt(nil, nil) || SameSalt(present, present[:tagOffset]) {
		t.Error("verifiers of another cost or length have the same salt")
	}
	if _, err := Again(&matrix, present[1:], []byte("4711")); !errors.Is(err, ErrFormat) {
		t.Errorf("of what is no verifier: got error %v, want ErrFormat", err)
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

// From test.c of the reference implementation, P-H-C/phc-winner-argon2.
func TestTheKernelIsArgon2idVersion13(t *testing.T) {
	for _, v := range []struct {
		p   Params
		tag string
	}{
		{Params{256, 2, 1}, "9dfeb910e80bad0311fee20f9c0e2b12c17987b4cac90c2ef54d5b3021c68bfe"},
		{Params{256, 2, 2}, "6d093c501fd5999645e0ea3bf620d7b8be7fd2db59c20d9fff9539da2bf57037"},
		{Params{65536, 2, 1}, "09316115d5cf24ed5a15a31a3ba326e5cf32edc24702987c02b6566f61913cf7"},
	} {
		if got := hex.EncodeToString(argon2id(&matrix, []byte("password"), []byte("somesalt"), v.p)); got != v.tag {
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
		if ok, err := Dummy(&matrix, []byte(secret), cheap); ok || err != nil {
			t.Errorf("%q: got %v, %v", secret, ok, err)
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
		"no memory":              {0, 1, 1},
		"memory under a lane's":  {7, 1, 1},
		"memory under two lanes": {15, 1, 2},
		"too much memory":        {1<<20 + 1, 1, 1},
		"all memory":             {math.MaxUint32, 1, 1},
		"no time":                {8, 0, 1},
		"too much time":          {8, 17, 1},
		"all time":               {8, math.MaxUint32, 1},
		"no lanes":               {8, 1, 0},
		"too many lanes":         {1 << 20, 1, 17},
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
	for _, p := range []Params{DefaultParams, cheap, {16, 1, 2}, {1 << 20, 16, 16}} {
		if err := p.Validate(); err != nil {
			t.Errorf("%+v: %v", p, err)
		}
	}
}

func TestWhatIsNoVerifierIsRefused(t *testing.T) {
	encoded := mustNew(t, "4711", cheap)
	for name, b := range map[string][]byte{
		"nothing":        nil,
		"one byte less":  encoded[:len(encoded)-1],
		"one byte more":  append(bytes.Clone(encoded), 0),
		"another format": append([]byte{2}, encoded[1:]...),
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
		"the same":                  {Params{64, 2, 1}, false},
		"more memory":               {Params{65, 2, 1}, true},
		"more time":                 {Params{64, 3, 1}, true},
		"more memory and less time": {Params{128, 1, 1}, true},
		"less memory and more time": {Params{32, 4, 1}, true},
		"less of both":              {Params{32, 1, 1}, false},
		"another parallelism":       {Params{64, 2, 4}, false},
	} {
		if got := Outdated(encoded, c.p); got != c.want {
			t.Errorf("%s: got %v, want %v", name, got, c.want)
		}
	}
	if Outdated([]byte("no verifier"), DefaultParams) {
		t.Error("what is no verifier is called outdated")
	}
}

func FuzzVerifierFormat(f *testing.F) {
	f.Add(mustNew(f, "4711", cheap))
	f.Add(encode(DefaultParams))
	f.Add(encode(Params{math.MaxUint32, math.MaxUint32, math.MaxUint8}))
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
		if uint64(p.Memory)*uint64(p.Time) <= 1024 { // fuzzing must not spend its time in Argon2id
			if _, err := Compare(&matrix, encoded, []byte("4711")); err != nil {
				t.Errorf("decoded but not compared: %v", err)
			}
		}
	})
}

func BenchmarkCompare(b *testing.B) {
	encoded := mustNew(b, "4711", DefaultParams)
	for b.Loop() {
		if _, err := Compare(&matrix, encoded, []byte("4711")); err != nil {
			b.Fatal(err)
		}
	}
}
