package seal

import (
	"bytes"
	"encoding/hex"
	"testing"
)

func TestTheSecretOfARootKeyIsWiped(t *testing.T) {
	secret := bytes.Repeat([]byte{7}, RootKeySize)
	if _, err := NewLocalRoot(secret); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(secret, make([]byte, RootKeySize)) {
		t.Error("the buffer still holds the key")
	}
}

// The vectors of https://c2sp.org/XAES-256-GCM: the wrapping must be that
// construction, or a root key in a later provider could not unwrap ours.
func TestTheWrappingIsXAES256GCM(t *testing.T) {
	const nonce, plaintext = "ABCDEFGHIJKLMNOPQRSTUVWX", "XAES-256-GCM"
	for _, v := range []struct {
		key                        byte
		associatedData, ciphertext string
	}{
		{1, "", "ce546ef63c9cc60765923609b33a9a1974e96e52daf2fcf7075e2271"},
		{3, "c2sp.org/XAES-256-GCM", "986ec1832593df5443a179437fd083bf3fdb41abd740a21f71eb769d"},
	} {
		a, err := newXAES(bytes.Repeat([]byte{v.key}, 32))
		if err != nil {
			t.Fatal(err)
		}
		ciphertext, err := hex.DecodeString(v.ciphertext)
		if err != nil {
			t.Fatal(err)
		}
		got, err := a.Decrypt(append([]byte(nonce), ciphertext...), []byte(v.associatedData))
		if err != nil || string(got) != plaintext {
			t.Errorf("key %d: got %q, %v", v.key, got, err)
		}
	}
}
