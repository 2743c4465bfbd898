package seal

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func mustKeyset(t testing.TB) *Keyset {
	t.Helper()
	k, err := NewKeyset()
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func mustSeal(t testing.TB, k *Keyset, plaintext, associatedData string) []byte {
	t.Helper()
	sealed, err := k.Seal([]byte(plaintext), []byte(associatedData))
	if err != nil {
		t.Fatal(err)
	}
	return sealed
}

func mustRoot(t testing.TB, fill byte) RootKey {
	t.Helper()
	root, err := NewLocalRoot(bytes.Repeat([]byte{fill}, RootKeySize))
	if err != nil {
		t.Fatal(err)
	}
	return root
}

// rotated is k with a new primary data key.
func rotated(t *testing.T, k *Keyset) *Keyset {
	t.Helper()
	added, err := k.WithNewDataKey()
	if err != nil {
		t.Fatal(err)
	}
	next, err := added.WithNewestPrimary()
	if err != nil {
		t.Fatal(err)
	}
	return next
}

func TestASealedValueOpensInItsPlace(t *testing.T) {
	k := mustKeyset(t)
	rapid.Check(t, func(t *rapid.T) {
		plaintext := rapid.SliceOf(rapid.Byte()).Draw(t, "plaintext")
		place := rapid.SliceOf(rapid.Byte()).Draw(t, "associated data")
		sealed, err := k.Seal(plaintext, place)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := len(sealed), len(plaintext)+46; got != want {
			t.Errorf("sealed value has %d bytes, want %d", got, want)
		}
		got, err := k.Open(sealed, place)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, plaintext) {
			t.Error("opened to something else")
		}
	})
}

func TestASealedValueOpensNowhereElse(t *testing.T) {
	k := mustKeyset(t)
	sealed := mustSeal(t, k, "4711", "row 1")
	for _, place := range []string{"", "row 2", "row 1 ", "row"} {
		if _, err := k.Open(sealed, []byte(place)); err != ErrSeal {
			t.Errorf("opening in place %q: got error %v, want ErrSeal", place, err)
		}
	}
	if _, err := mustKeyset(t).Open(sealed, []byte("row 1")); err != ErrSeal {
		t.Errorf("opening under another keyset: got error %v, want ErrSeal", err)
	}
}

func TestNoChangedByteOfASealedValueOpens(t *testing.T) {
	k := mustKeyset(t)
	sealed := mustSeal(t, k, "4711", "row")
	for i := range sealed {
		for bit := range 8 {
			changed := bytes.Clone(sealed)
			changed[i] ^= 1 << bit
			if _, err := k.Open(changed, []byte("row")); err != ErrSeal {
				t.Fatalf("bit %d of byte %d flipped: got error %v, want ErrSeal", bit, i, err)
			}
		}
		if _, err := k.Open(sealed[:i], []byte("row")); err != ErrSeal {
			t.Fatalf("cut to %d bytes: got error %v, want ErrSeal", i, err)
		}
	}
	if _, err := k.Open(append(sealed, 0), []byte("row")); err != ErrSeal {
		t.Errorf("a byte appended: got error %v, want ErrSeal", err)
	}
}

func TestTheSameValueNeverSealsToTheSameBytes(t *testing.T) {
	k := mustKeyset(t)
	seen := map[string]bool{}
	for range 1000 {
		sealed := mustSeal(t, k, "4711", "row")
		nonce := string(sealed[sealedHeader : sealedHeader+24])
		if seen[nonce] {
			t.Fatal("a nonce came twice")
		}
		seen[nonce] = true
	}
}

func TestANewKeyLeavesOldValuesReadable(t *testing.T) {
	old := mustKeyset(t)
	sealed, mac := mustSeal(t, old, "4711", "row"), old.MAC("attempts", []byte("row"))

	k := rotated(t, old)
	if got, err := k.Open(sealed, []byte("row")); err != nil || string(got) != "4711" {
		t.Errorf("a value of the old key: got %q, %v", got, err)
	}
	if !k.VerifyMAC("attempts", []byte("row"), mac) {
		t.Error("a MAC of the old key is refused")
	}
	newer, newerMAC := mustSeal(t, k, "4711", "row"), k.MAC("attempts", []byte("row"))
	if oldID, newID := mustKeyID(t, sealed), mustKeyID(t, newer); oldID == newID {
		t.Error("a new value is sealed under the old key")
	}
	if bytes.Equal(mac, newerMAC) {
		t.Error("a new MAC is made with the old key")
	}
	if !k.VerifyMAC("attempts", []byte("row"), newerMAC) || old.VerifyMAC("attempts", []byte("row"), newerMAC) {
		t.Error("a MAC of the new key must verify with it, and only with it")
	}
	if got, want := k.Hash("device", []byte("d1")), old.Hash("device", []byte("d1")); got != want {
		t.Error("a keyed hash changed with the new key, so no stored one is found again")
	}
}

func mustKeyID(t *testing.T, sealed []byte) uint32 {
	t.Helper()
	id, err := KeyID(sealed)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func TestKeyIDRefusesMalformedValues(t *testing.T) {
	sealed := mustSeal(t, mustKeyset(t), "", "")
	for name, b := range map[string][]byte{
		"nothing":        nil,
		"cut":            sealed[:len(sealed)-1],
		"another format": append([]byte{2}, sealed[1:]...),
		"another prefix": append([]byte{1, 0}, sealed[2:]...),
	} {
		if _, err := KeyID(b); err != ErrSeal {
			t.Errorf("%s: got error %v, want ErrSeal", name, err)
		}
	}
}

func TestAMACVerifiesForItsLabelAndDataOnly(t *testing.T) {
	k := mustKeyset(t)
	mac := k.MAC("attempts", []byte("row"))
	if len(mac) != 37 || !k.VerifyMAC("attempts", []byte("row"), mac) {
		t.Fatalf("a MAC of %d bytes does not verify", len(mac))
	}
	if k.VerifyMAC("audit", []byte("row"), mac) || k.VerifyMAC("attempts", []byte("row2"), mac) ||
		k.VerifyMAC("attemptsr", []byte("ow"), mac) {
		t.Error("a MAC verifies for another label or other data")
	}
	if mustKeyset(t).VerifyMAC("attempts", []byte("row"), mac) {
		t.Error("a MAC verifies under another keyset")
	}
	for i := range mac {
		changed := bytes.Clone(mac)
		changed[i] ^= 1
		if k.VerifyMAC("attempts", []byte("row"), changed) || k.VerifyMAC("attempts", []byte("row"), mac[:i]) {
			t.Fatalf("a MAC changed or cut at byte %d verifies", i)
		}
	}
}

// A short tag is computed separately: no part of a long tag verifies as a short one.
func TestOnlyTheShortTrailHasShortTags(t *testing.T) {
	k := mustKeyset(t)
	long, short := k.MAC(TrailLabel, []byte("entry")), k.MAC(ShortTrailLabel, []byte("entry"))
	if len(long) != 37 || len(short) != 21 || !k.VerifyMAC(TrailLabel, []byte("entry"), long) || !k.VerifyMAC(ShortTrailLabel, []byte("entry"), short) {
		t.Fatalf("MACs of %d and %d bytes do not verify", len(long), len(short))
	}
	longer := append(bytes.Clone(short), make([]byte, len(long)-len(short))...)
	for size := range len(long) + 1 {
		for _, mac := range [][]byte{long[:size], longer[:size]} {
			for _, label := range []string{TrailLabel, ShortTrailLabel, "attempts"} {
				is := bytes.Equal(mac, long) && label == TrailLabel || bytes.Equal(mac, short) && label == ShortTrailLabel
				if k.VerifyMAC(label, []byte("entry"), mac) != is {
					t.Errorf("%d bytes with the label %q: want %t", size, label, is)
				}
			}
			if _, err := MACKeyID(mac); (err == nil) != (size == 21 || size == 37) {
				t.Errorf("the key id of %d bytes: %v", size, err)
			}
		}
	}
}

func TestKeyedHashesDifferByLabelDataAndKeyset(t *testing.T) {
	k := mustKeyset(t)
	h := k.Hash("device", []byte("d1"))
	if h != k.Hash("device", []byte("d1")) {
		t.Error("the same input has two hashes")
	}
	for name, other := range map[string][16]byte{
		"data": k.Hash("device", []byte("d2")), "label": k.Hash("account", []byte("d1")),
		"border": k.Hash("deviced", []byte("1")), "keyset": mustKeyset(t).Hash("device", []byte("d1")),
	} {
		if h == other {
			t.Errorf("another %s gives the same hash", name)
		}
	}
	if bytes.Contains(k.MAC("device", []byte("d1")), h[:]) {
		t.Error("the hash, which is public, is a part of the MAC of the same data, which must stay secret")
	}
}

func TestAKeysetIsSafeForConcurrentUse(t *testing.T) {
	k := mustKeyset(t)
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			place := fmt.Append(nil, i)
			for range 50 {
				sealed, err := k.Seal(place, place)
				if err != nil {
					t.Error(err)
				}
				if got, err := k.Open(sealed, place); err != nil || !bytes.Equal(got, place) {
					t.Errorf("got %q, %v", got, err)
				}
				first, second := k.Hash("l", place), k.Hash("l", place)
				if !k.VerifyMAC("l", place, k.MAC("l", place)) || first != second {
					t.Error("a MAC or hash is not the same twice")
				}
			}
		})
	}
	wg.Wait()
}

// golden has a database's secrets in version 1 of every format of this package. All
// later versions must be able to open it.
type golden struct {
	RootKey, RootKeyID, Canary, Keyset, Plaintext, AssociatedData, Sealed, Label, MAC, Hash string
}

// mustGolden reads what version 1 wrote and unlocks its keyset.
func mustGolden(t testing.TB) (golden, *Keyset) {
	t.Helper()
	file, err := os.ReadFile("testdata/v1.json")
	if err != nil {
		t.Fatal(err)
	}
	var g golden
	if err := json.Unmarshal(file, &g); err != nil {
		t.Fatal(err)
	}
	root, err := NewLocalRoot(unbase64(t, g.RootKey))
	if err != nil {
		t.Fatal(err)
	}
	if root.ID() != g.RootKeyID {
		t.Errorf("fingerprint is %s, was %s", root.ID(), g.RootKeyID)
	}
	stored, err := ParseStored(unbase64(t, g.Keyset), g.RootKeyID)
	if err != nil {
		t.Fatal(err)
	}
	k, err := stored.Open(context.Background(), root)
	if err != nil {
		t.Fatal(err)
	}
	return g, k
}

func TestVersionOneStillOpens(t *testing.T) {
	g, k := mustGolden(t)
	plaintext, err := k.Open(unbase64(t, g.Sealed), []byte(g.AssociatedData))
	if err != nil {
		t.Fatal(err)
	}
	hash := k.Hash(g.Label, plaintext)
	got := []string{string(plaintext), base64.StdEncoding.EncodeToString(k.MAC(g.Label, plaintext)), hex.EncodeToString(hash[:])}
	if diff := cmp.Diff([]string{g.Plaintext, g.MAC, g.Hash}, got); diff != "" {
		t.Errorf("-was +is:\n%s", diff)
	}
}

func unbase64(t testing.TB, s string) []byte {
	t.Helper()
	b, err := base64.StdEncoding.DecodeString(s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func FuzzOpenSeal(f *testing.F) {
	g, k := mustGolden(f)
	genuine := unbase64(f, g.Sealed)
	f.Add(genuine, []byte(g.AssociatedData))
	f.Add(genuine[1:], []byte(g.AssociatedData))
	f.Add([]byte{1, 1}, []byte{})
	f.Fuzz(func(t *testing.T, sealed, associatedData []byte) {
		plaintext, err := k.Open(sealed, associatedData)
		isGenuine := bytes.Equal(sealed, genuine) && string(associatedData) == g.AssociatedData
		if isGenuine != (err == nil) {
			t.Errorf("opened: %v, made by us: %v", err == nil, isGenuine)
		}
		if err != nil && (err != ErrSeal || plaintext != nil) {
			t.Errorf("a refusal is %v with %d bytes, want ErrSeal alone", err, len(plaintext))
		}
		if _, err := KeyID(sealed); err != nil && isGenuine {
			t.Error("a value that opens has no key id")
		}
	})
}
