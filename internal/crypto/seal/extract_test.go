package seal

import (
	"bytes"
	"crypto/hkdf"
	"crypto/sha256"
	"testing"

	"pgregory.net/rapid"
)

func TestDeriveIsHKDFWithoutSalt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		secret := rapid.SliceOfN(rapid.Byte(), RootKeySize, RootKeySize).Draw(t, "secret")
		label := rapid.String().Draw(t, "label")
		before := bytes.Clone(secret)
		got, err := derive(secret, 32, label, labelWrapping)
		if err != nil {
			t.Fatal(err)
		}
		for i, l := range []string{label, labelWrapping} {
			want, err := hkdf.Key(sha256.New, secret, nil, l, 32)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got[i], want) {
				t.Errorf("%q: %x, want %x", l, got[i], want)
			}
		}
		if !bytes.Equal(secret, before) {
			t.Error("the secret was changed")
		}
	})
}
