package seal

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"
	"time"
)

var wrappedAt = time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)

// mustStore wraps a keyset under root keys, signs it and reads it back.
func mustStore(t *testing.T, k *Keyset, roots ...RootKey) Stored {
	t.Helper()
	s, err := ParseStored(mustSign(t, k, roots...), "")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func mustSign(t *testing.T, k *Keyset, roots ...RootKey) []byte {
	t.Helper()
	s := Stored{Generation: 1, DataKeys: k.DataKeys()}
	for _, root := range roots {
		w, err := k.WrapFor(context.Background(), root, "file:/"+root.ID(), wrappedAt)
		if err != nil {
			t.Fatal(err)
		}
		s.Wraps = append(s.Wraps, w)
	}
	text, err := s.Sign(k)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func flipped(b []byte, i int) []byte {
	b = bytes.Clone(b)
	b[i] ^= 0x40
	return b
}

func TestAnyOneOfTheRootKeysOpensTheKeyset(t *testing.T) {
	k := rotated(t, mustKeyset(t))
	sealed := mustSeal(t, k, "4711", "row")
	stored := mustStore(t, k, mustRoot(t, 1), mustRoot(t, 2))
	for fill := byte(1); fill <= 2; fill++ {
		again, err := stored.Open(context.Background(), mustRoot(t, fill))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := again.Open(sealed, []byte("row")); err != nil || string(got) != "4711" {
			t.Errorf("root key %d: got %q, %v", fill, got, err)
		}
		if !bytes.Equal(again.MAC("l", nil), k.MAC("l", nil)) || again.Hash("l", nil) != k.Hash("l", nil) {
			t.Error("MACs or hashes changed")
		}
	}
	_, err := stored.Open(context.Background(), mustRoot(t, 3))
	if !errors.Is(err, ErrWrongRootKey) || !strings.Contains(err.Error(), mustRoot(t, 1).ID()) || !strings.Contains(err.Error(), mustRoot(t, 3).ID()) {
		t.Errorf("another root key: got %v, want ErrWrongRootKey with the fingerprints of both", err)
	}
}

func TestNoByteOfTheStoredKeysetCanBeChanged(t *testing.T) {
	root := mustRoot(t, 1)
	text := mustSign(t, mustKeyset(t), root, mustRoot(t, 2))
	for i := range text {
		stored, err := ParseStored(flipped(text, i), "")
		if err == nil {
			_, err = stored.Open(context.Background(), root)
		}
		if !errors.Is(err, ErrDamaged) && !errors.Is(err, ErrWrongRootKey) {
			t.Fatalf("byte %d (%q): got %v, want ErrDamaged or ErrWrongRootKey", i, text[i], err)
		}
	}
}

// Someone who can write to the database removes the recovery wrap, or makes another root
// key look like it.
func TestTheListOfRootKeysCannotBeEdited(t *testing.T) {
	k := mustKeyset(t)
	good := mustSign(t, k, mustRoot(t, 1), mustRoot(t, 2))
	for name, edit := range map[string]func(*Stored){
		"a wrap is hidden":    func(s *Stored) { s.Wraps = s.Wraps[:1] },
		"a wrap is made up":   func(s *Stored) { s.Wraps = append(s.Wraps, Wrap{RootKey: "recovery"}) },
		"a wrap is renamed":   func(s *Stored) { s.Wraps[1].URL = "file:/elsewhere" },
		"it says it is newer": func(s *Stored) { s.Generation++ },
	} {
		t.Run(name, func(t *testing.T) {
			var outer signed
			var s Stored
			if err := errors.Join(json.Unmarshal(good, &outer), json.Unmarshal(outer.Keyset, &s)); err != nil {
				t.Fatal(err)
			}
			edit(&s)
			inner, _ := json.Marshal(s)
			text, _ := json.Marshal(signed{inner, outer.MAC})
			edited, err := ParseStored(text, "")
			if err != nil {
				t.Fatal(err)
			}
			if _, err := edited.Open(context.Background(), mustRoot(t, 1)); !errors.Is(err, ErrDamaged) {
				t.Errorf("got %v, want ErrDamaged", err)
			}
		})
	}
}

var errDown = errors.New("service is down")

// downRoot is a key management service that cannot be reached.
type downRoot struct{ RootKey }

func (downRoot) Unwrap(context.Context, []byte, []byte) ([]byte, error) { return nil, errDown }
func (downRoot) Wrap(context.Context, []byte, []byte) ([]byte, error)   { return nil, errDown }

func TestAnUnavailableRootKeyServiceIsNotReportedAsWrongOrDamaged(t *testing.T) {
	root := mustRoot(t, 1)
	_, err := mustStore(t, mustKeyset(t), root).Open(context.Background(), downRoot{root})
	if !errors.Is(err, errDown) || errors.Is(err, ErrWrongRootKey) || errors.Is(err, ErrDamaged) {
		t.Errorf("got error %v, want the service's own alone", err)
	}
}

// versionedRoot is a root key whose service keeps its versions. The old version is
// disabled.
type versionedRoot struct {
	RootKey
	disabled RootKey
}

func (r versionedRoot) Opens(id string) bool { return id == r.ID() || id == r.disabled.ID() }

func (r versionedRoot) Unwrap(ctx context.Context, wrapped, associatedData []byte) ([]byte, error) {
	if _, err := r.disabled.Unwrap(ctx, wrapped, associatedData); err == nil {
		return nil, errDown
	}
	return r.RootKey.Unwrap(ctx, wrapped, associatedData)
}

func TestAWrapUnderADisabledVersionDoesNotHideTheNextOne(t *testing.T) {
	k := mustKeyset(t)
	root := versionedRoot{mustRoot(t, 1), mustRoot(t, 2)}
	if _, err := mustStore(t, k, mustRoot(t, 2), mustRoot(t, 1)).Open(context.Background(), root); err != nil {
		t.Errorf("a wrap under the enabled version: %v", err)
	}
	_, err := mustStore(t, k, mustRoot(t, 2), mustRoot(t, 3)).Open(context.Background(), root)
	if !errors.Is(err, errDown) || errors.Is(err, ErrWrongRootKey) || errors.Is(err, ErrDamaged) {
		t.Errorf("only a wrap under the disabled version: got error %v, want the service's own alone", err)
	}
}

// spyRoot keeps what it was given to wrap.
type spyRoot struct {
	RootKey
	wraps int
	size  int
}

func (s *spyRoot) Wrap(ctx context.Context, plaintext, associatedData []byte) ([]byte, error) {
	s.wraps++
	s.size = len(plaintext)
	return s.RootKey.Wrap(ctx, plaintext, associatedData)
}

// An HSM with RSA-OAEP encrypts 190 bytes, and a service must not see the data keys.
func TestARootKeyWrapsOneKeyAndNeverTheDataKeys(t *testing.T) {
	root := &spyRoot{RootKey: mustRoot(t, 1)}
	if _, err := mustKeyset(t).WrapFor(context.Background(), root, "", wrappedAt); err != nil {
		t.Fatal(err)
	}
	if root.wraps != 1 || root.size != RootKeySize {
		t.Errorf("it was asked %d times to wrap %d bytes, want once 32", root.wraps, root.size)
	}
}

func TestAValidWrappingOfInvalidDataIsRefused(t *testing.T) {
	root := mustRoot(t, 1)
	for _, plain := range []string{"", "abc", "\x00\x00\x00\x00", "\x00\x00\x00\x01x", "\xff\xff\xff\xffx", "\x00\x00\x00\x05x"} {
		wrapped, err := root.Wrap(context.Background(), []byte(plain), []byte(keysetPurpose))
		if err != nil {
			t.Fatal(err)
		}
		stored, err := ParseStored(versioned(formatKeyset, wrapped), root.ID())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := stored.Open(context.Background(), root); !errors.Is(err, errNoKeyset) {
			t.Errorf("%q: got error %v, want one that says it is no keyset", plain, err)
		}
	}
}

// A keyset that version 0.7 or earlier stored opens, and errors distinguish a wrong root
// key from damage.
func TestAKeysetOfAnEarlierVersionOpens(t *testing.T) {
	file, err := os.ReadFile("testdata/v1.json")
	if err != nil {
		t.Fatal(err)
	}
	var g golden
	if err := json.Unmarshal(file, &g); err != nil {
		t.Fatal(err)
	}
	text, secret := unbase64(t, g.Keyset), unbase64(t, g.RootKey)
	right, err := NewLocalRoot(secret)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		text []byte
		root RootKey
		want error
	}{
		"nothing wrong":  {text, right, nil},
		"another key":    {text, mustRoot(t, 1), ErrWrongRootKey},
		"damaged":        {flipped(text, len(text)-1), right, ErrDamaged},
		"damaged format": {flipped(text, 0), right, ErrDamaged},
		"lost":           {nil, right, ErrDamaged},
	} {
		stored, err := ParseStored(c.text, g.RootKeyID)
		if err == nil {
			_, err = stored.Open(context.Background(), c.root)
		}
		if !errors.Is(err, c.want) {
			t.Errorf("%s: got %v, want %v", name, err, c.want)
		}
	}
}

func FuzzParseStored(f *testing.F) {
	f.Add([]byte(`{"keyset":{"generation":1,"wraps":[{"rootKey":"a","key":"","keyset":""}]},"mac":""}`))
	f.Add([]byte{formatKeyset})
	root, err := NewLocalRoot(bytes.Repeat([]byte{1}, RootKeySize))
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		stored, err := ParseStored(text, "a")
		if err != nil {
			return
		}
		if _, err := stored.Open(context.Background(), root); err == nil {
			t.Errorf("%s opened", base64.StdEncoding.EncodeToString(text))
		}
	})
}
