package seal

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
)

func mustStore(t *testing.T, root RootKey, k *Keyset) Stored {
	t.Helper()
	ctx := context.Background()
	canary, err := NewCanary(ctx, root)
	if err != nil {
		t.Fatal(err)
	}
	wrapped, err := k.Wrap(ctx, root)
	if err != nil {
		t.Fatal(err)
	}
	return Stored{root.ID(), canary, wrapped}
}

func flipped(b []byte, i int) []byte {
	b = bytes.Clone(b)
	b[i] ^= 0x40
	return b
}

func TestUnlockGivesBackTheKeysetThatWasStored(t *testing.T) {
	root, k := mustRoot(t, 1), rotated(t, mustKeyset(t))
	sealed := mustSeal(t, k, "4711", "row")

	again, err := Unlock(context.Background(), root, mustStore(t, root, k))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := again.Open(sealed, []byte("row")); err != nil || string(got) != "4711" {
		t.Errorf("got %q, %v", got, err)
	}
	if !bytes.Equal(again.MAC("l", nil), k.MAC("l", nil)) || again.Hash("l", nil) != k.Hash("l", nil) {
		t.Error("MACs or hashes changed")
	}
}

func TestUnlockTellsAWrongRootKeyFromADamagedDatabase(t *testing.T) {
	right, wrong := mustRoot(t, 1), mustRoot(t, 2)
	good := mustStore(t, right, mustKeyset(t))
	last := len(good.Keyset) - 1

	for _, c := range []struct {
		name   string
		root   RootKey
		damage func(*Stored)
		want   error
	}{
		{"nothing wrong", right, func(*Stored) {}, nil},
		{"fingerprint damaged", right, func(s *Stored) { s.RootKeyID = "0000" }, nil},
		{"fingerprint lost", right, func(s *Stored) { s.RootKeyID = "" }, nil},
		{"wrong root key", wrong, func(*Stored) {}, ErrWrongRootKey},
		{"wrong root key and keyset damaged", wrong, func(s *Stored) { s.Keyset = flipped(s.Keyset, last) }, ErrWrongRootKey},
		{"keyset damaged", right, func(s *Stored) { s.Keyset = flipped(s.Keyset, last) }, ErrDamaged},
		{"format of the keyset damaged", right, func(s *Stored) { s.Keyset = flipped(s.Keyset, 0) }, ErrDamaged},
		{"keyset lost", right, func(s *Stored) { s.Keyset = nil }, ErrDamaged},
		{"canary damaged", right, func(s *Stored) { s.Canary = flipped(s.Canary, 5) }, ErrDamaged},
		{"canary lost", right, func(s *Stored) { s.Canary = nil }, ErrDamaged},
		{"both damaged", right, func(s *Stored) { s.Canary, s.Keyset = flipped(s.Canary, 5), flipped(s.Keyset, 5) }, ErrDamaged},
		{"exchanged", right, func(s *Stored) { s.Canary, s.Keyset = s.Keyset, s.Canary }, ErrDamaged},
	} {
		t.Run(c.name, func(t *testing.T) {
			stored := good
			c.damage(&stored)
			k, err := Unlock(context.Background(), c.root, stored)
			if !errors.Is(err, c.want) || (k == nil) != (c.want != nil) {
				t.Fatalf("got keyset %v, error %v; want error %v", k != nil, err, c.want)
			}
			if err != nil && (!strings.Contains(err.Error(), c.root.ID()) || !strings.Contains(err.Error(), stored.RootKeyID)) {
				t.Errorf("message %q names not both fingerprints", err)
			}
		})
	}
}

func TestNoByteOfCanaryOrKeysetCanBeChanged(t *testing.T) {
	root := mustRoot(t, 1)
	good := mustStore(t, root, mustKeyset(t))
	for i := range good.Canary {
		if err := CheckCanary(context.Background(), root, flipped(good.Canary, i)); !errors.Is(err, ErrSeal) {
			t.Fatalf("canary, byte %d: got error %v, want ErrSeal", i, err)
		}
	}
	for i := range good.Keyset {
		if _, err := UnwrapKeyset(context.Background(), root, flipped(good.Keyset, i)); !errors.Is(err, ErrSeal) {
			t.Fatalf("keyset, byte %d: got error %v, want ErrSeal", i, err)
		}
	}
}

var errDown = errors.New("service is down")

// downRoot is a key management service that cannot be reached.
type downRoot struct{ RootKey }

func (downRoot) Unwrap(context.Context, []byte, []byte) ([]byte, error) { return nil, errDown }
func (downRoot) Wrap(context.Context, []byte, []byte) ([]byte, error)   { return nil, errDown }

func TestARootKeyServiceThatIsDownIsNeitherWrongNorDamage(t *testing.T) {
	root := mustRoot(t, 1)
	_, err := Unlock(context.Background(), downRoot{root}, mustStore(t, root, mustKeyset(t)))
	if !errors.Is(err, errDown) || errors.Is(err, ErrWrongRootKey) || errors.Is(err, ErrDamaged) {
		t.Errorf("got error %v, want the service's own alone", err)
	}
}

func TestTheBufferOfAWrappedKeysetIsWiped(t *testing.T) {
	root := &spyRoot{RootKey: mustRoot(t, 1)}
	if _, err := mustKeyset(t).Wrap(context.Background(), root); err != nil {
		t.Fatal(err)
	}
	if len(root.seen) < 64 || !bytes.Equal(root.seen, make([]byte, len(root.seen))) {
		t.Errorf("the buffer of %d bytes still holds the keys", len(root.seen))
	}
}

// spyRoot keeps the buffer that it was given to wrap.
type spyRoot struct {
	RootKey
	seen []byte
}

func (s *spyRoot) Wrap(ctx context.Context, plaintext, associatedData []byte) ([]byte, error) {
	s.seen = plaintext
	return s.RootKey.Wrap(ctx, plaintext, associatedData)
}

func TestAGenuineWrappingOfNonsenseIsRefused(t *testing.T) {
	root := mustRoot(t, 1)
	for _, plain := range []string{"", "abc", "\x00\x00\x00\x00", "\x00\x00\x00\x01x", "\xff\xff\xff\xffx", "\x00\x00\x00\x05x"} {
		wrapped, err := root.Wrap(context.Background(), []byte(plain), []byte(keysetPurpose))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := UnwrapKeyset(context.Background(), root, versioned(formatKeyset, wrapped)); err == nil || errors.Is(err, ErrSeal) {
			t.Errorf("%q: got error %v, want one that says it is no keyset", plain, err)
		}
	}
}
