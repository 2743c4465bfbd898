package transfer

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"testing"
)

func newPair(t *testing.T) *Pair {
	t.Helper()
	private, err := New()
	if err != nil {
		t.Fatal(err)
	}
	p, err := Parse(private)
	if err != nil {
		t.Fatal(err)
	}
	again, err := ParsePublic(" " + p.Public().String() + "\n")
	if err != nil || again.Fingerprint() != p.Public().Fingerprint() {
		t.Fatalf("the public key does not survive its text: %v", err)
	}
	return p
}

func TestOnlyTheTargetOpensAParcelAndOnlyFromItsSource(t *testing.T) {
	source, target, stranger := newPair(t), newPair(t), newPair(t)
	secrets := [][]byte{[]byte("a private key"), {}, []byte("a verifier")}
	parcel, err := source.Seal(target.Public(), []byte("contents"), secrets)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.HasPrefix(parcel, []byte(ParcelStart)) {
		t.Errorf("it begins with %.60q", parcel)
	}
	contents, got, err := target.Open(source.Public(), parcel)
	if err != nil || string(contents) != "contents" || len(got) != 3 || !bytes.Equal(bytes.Join(got, []byte("|")), bytes.Join(secrets, []byte("|"))) {
		t.Fatalf("the target opens %q, %q, %v", contents, got, err)
	}
	if bytes.Contains(parcel, []byte("private key")) {
		t.Error("the parcel holds a secret in clear")
	}
	opens := func(who *Pair, from Public, parcel []byte, what string) {
		t.Helper()
		if _, _, err := who.Open(from, parcel); err == nil {
			t.Errorf("it opens %s", what)
		}
	}
	opens(stranger, source.Public(), parcel, "for a stranger")
	opens(source, source.Public(), parcel, "for its source")
	opens(target, stranger.Public(), parcel, "as one of a stranger")
	forged, err := stranger.Seal(target.Public(), []byte("contents"), nil)
	if err != nil {
		t.Fatal(err)
	}
	opens(target, source.Public(), forged, "if a stranger made it")
	change := func(what string, edit func(*Parcel)) {
		t.Helper()
		var p Parcel
		if err := json.Unmarshal(parcel, &p); err != nil {
			t.Fatal(err)
		}
		edit(&p)
		text, _ := json.Marshal(p)
		opens(target, source.Public(), text, what)
	}
	opens(target, source.Public(), append(bytes.Clone(parcel), '\n'), "in another form, with another SHA-256")
	change("without a secret", func(p *Parcel) { p.Sealed = p.Sealed[:3] })
	change("with secrets exchanged", func(p *Parcel) { p.Sealed[1], p.Sealed[3] = p.Sealed[3], p.Sealed[1] })
	change("with another key", func(p *Parcel) { p.Key[0] ^= 1 })
	change("from another source", func(p *Parcel) { p.From = stranger.Public().Fingerprint() })
	change("without a signature", func(p *Parcel) { p.Signature = nil })

	sum, another := sha256.Sum256(parcel), sha256.Sum256(forged)
	if !target.Public().Confirmed(sum[:], target.Confirm(parcel)) {
		t.Error("a confirmation does not verify")
	}
	if target.Public().Confirmed(another[:], target.Confirm(parcel)) || target.Public().Confirmed(sum[:], stranger.Confirm(parcel)) ||
		target.Public().Confirmed(sum[:], source.Confirm(parcel)) {
		t.Error("a confirmation verifies for another parcel or store")
	}
}

func TestADamagedKeyIsRefused(t *testing.T) {
	public := newPair(t).Public().String()
	for _, text := range []string{"", public[1:], public[:len(public)-4], publicPrefix, publicPrefix + "!", public + "AAAA"} {
		if _, err := ParsePublic(text); err == nil {
			t.Errorf("%.40q is accepted as a public key", text)
		}
	}
	for _, private := range [][]byte{nil, make([]byte, 32), make([]byte, 33)} {
		if _, err := Parse(private); err == nil {
			t.Errorf("%d bytes are taken for a private key", len(private))
		}
	}
}
