package seal

import (
	"crypto/fips140"
	"os"
	"os/exec"
	"testing"

	"github.com/tink-crypto/tink-go/v2/aead"
	"pgregory.net/rapid"
)

// Databases hold values that Tink sealed, and a keyset is Tink's.
func TestSealedValuesAreCompatibleWithTink(t *testing.T) {
	if fips140.Enforced() {
		t.Skip("Tink's AEAD is not approved")
	}
	k := mustKeyset(t)
	tink, err := aead.New(k.now.Load().sealing)
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		plaintext, ad := rapid.SliceOf(rapid.Byte()).Draw(t, "plaintext"), rapid.SliceOf(rapid.Byte()).Draw(t, "associated data")
		sealed, err := k.Seal(plaintext, ad)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := tink.Decrypt(sealed[1:], versioned(formatSealed, ad)); err != nil || string(got) != string(plaintext) {
			t.Errorf("Tink opens %x as %x, %v", sealed, got, err)
		}
		theirs, err := tink.Encrypt(plaintext, versioned(formatSealed, ad))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := k.Open(versioned(formatSealed, theirs), ad); err != nil || string(got) != string(plaintext) {
			t.Errorf("what Tink sealed as %x opens as %x, %v", theirs, got, err)
		}
	})
}

// With fips140=only, the crypto packages of Go fail wherever something is not approved.
func TestSealingUsesOnlyApprovedCryptography(t *testing.T) {
	if fips140.Enforced() {
		t.Skip("this is the process that the test starts")
	}
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.short")
	cmd.Env = append(os.Environ(), "GODEBUG=fips140=only")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
