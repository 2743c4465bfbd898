// Package transfer seals records that move from one store to another, so that only
// the target can read them, and can verify which store they come from.
//
// Each store has a key pair for moves: X-Wing (HPKE, RFC 9180), to which others seal,
// and Ed25519, with which it signs. Operators exchange the public halves.
package transfer

import (
	"bytes"
	"crypto/ed25519"
	"crypto/hpke"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// Format is the format of a [Parcel] and of a [Pair], and the info of the seals.
const Format = "strongroom account move v1"

// ParcelStart begins every parcel that [Pair.Seal] returns.
const ParcelStart = `{"format":"` + Format + `",`

// publicPrefix begins the text of a public key.
const publicPrefix = "strongroom-move-1:"

// Public is the public half of a [Pair].
type Public struct {
	Seal []byte // X-Wing public key
	Sign []byte // Ed25519 public key
}

// String returns the one-line form that operators exchange.
func (p Public) String() string {
	return publicPrefix + base64.RawURLEncoding.EncodeToString(append(p.Sign[:len(p.Sign):len(p.Sign)], p.Seal...))
}

// Fingerprint returns 128 bits of the SHA-256 of the key, in hexadecimal.
func (p Public) Fingerprint() string {
	sum := sha256.Sum256([]byte(p.String()))
	return hex.EncodeToString(sum[:16])
}

// ParsePublic is the inverse of [Public.String]. It ignores white space around the text.
func ParsePublic(text string) (p Public, err error) {
	coded, ok := strings.CutPrefix(strings.TrimSpace(text), publicPrefix)
	b, err := base64.RawURLEncoding.DecodeString(coded)
	if !ok || err != nil || len(b) <= ed25519.PublicKeySize {
		return p, errors.New("must be a public key that strongroom account key printed")
	}
	p = Public{Sign: b[:ed25519.PublicKeySize], Seal: b[ed25519.PublicKeySize:]}
	if _, err := hpke.MLKEM768X25519().NewPublicKey(p.Seal); err != nil {
		return p, fmt.Errorf("must be a public key that strongroom account key printed: %w", err)
	}
	return p, nil
}

// Pair is the key pair of a store.
type Pair struct {
	seal hpke.PrivateKey
	sign ed25519.PrivateKey
}

// New returns the private bytes of a new [Pair], which the caller seals and wipes.
func New() ([]byte, error) {
	key, err := hpke.MLKEM768X25519().GenerateKey()
	if err != nil {
		return nil, fmt.Errorf("generating a key for moves: %w", err)
	}
	private, err := key.Bytes()
	if err != nil {
		return nil, fmt.Errorf("encoding a key for moves: %w", err)
	}
	defer clear(private)
	seed := make([]byte, ed25519.SeedSize, ed25519.SeedSize+len(private))
	_, _ = rand.Read(seed) // never fails
	return append(seed, private...), nil
}

// Parse returns the pair of the bytes that [New] returned.
func Parse(private []byte) (*Pair, error) {
	if len(private) <= ed25519.SeedSize {
		return nil, errors.New("the key for moves is damaged")
	}
	key, err := hpke.MLKEM768X25519().NewPrivateKey(private[ed25519.SeedSize:])
	if err != nil {
		return nil, fmt.Errorf("the key for moves is damaged: %w", err)
	}
	return &Pair{key, ed25519.NewKeyFromSeed(private[:ed25519.SeedSize])}, nil
}

// Public returns the public half of the pair.
func (p *Pair) Public() Public {
	return Public{Seal: p.seal.PublicKey().Bytes(), Sign: p.sign.Public().(ed25519.PublicKey)}
}

// Parcel is the file that goes from one store to another.
type Parcel struct {
	Format    string   `json:"format"`
	From      string   `json:"from"`   // fingerprint of the source's public key
	To        string   `json:"to"`     // fingerprint of the target's public key
	Key       []byte   `json:"key"`    // encapsulated key of HPKE
	Sealed    [][]byte `json:"sealed"` // the contents and then the secrets, in order
	Signature []byte   `json:"signature"`
}

// Seal seals contents and secrets to another store, and returns the parcel. The secrets
// are separate, because an encoder would keep copies of them.
func (p *Pair) Seal(to Public, contents []byte, secrets [][]byte) ([]byte, error) {
	key, err := hpke.MLKEM768X25519().NewPublicKey(to.Seal)
	if err != nil {
		return nil, fmt.Errorf("the public key of the target: %w", err)
	}
	enc, sender, err := hpke.NewSender(key, hpke.HKDFSHA256(), hpke.AES256GCM(), []byte(Format))
	if err != nil {
		return nil, fmt.Errorf("sealing to the target: %w", err)
	}
	out := Parcel{Format: Format, From: p.Public().Fingerprint(), To: to.Fingerprint(), Key: enc}
	for _, plain := range append([][]byte{contents}, secrets...) {
		sealed, err := sender.Seal(out.aad(), plain)
		if err != nil {
			return nil, fmt.Errorf("sealing to the target: %w", err)
		}
		out.Sealed = append(out.Sealed, sealed)
	}
	out.Signature = ed25519.Sign(p.sign, out.signed())
	return json.Marshal(out)
}

// Open verifies that a parcel is from the given store and for this one, and returns
// its contents and secrets. Its errors complete a sentence that begins with the name of
// the file or argument.
func (p *Pair) Open(from Public, parcel []byte) (contents []byte, secrets [][]byte, err error) {
	var in Parcel
	if err := json.Unmarshal(parcel, &in); err != nil || in.Format != Format || len(in.Sealed) == 0 {
		return nil, nil, errors.New("is not the file of a moved account")
	}
	if again, _ := json.Marshal(in); !bytes.Equal(parcel, again) { // Confirm signs its SHA-256, so only one encoding is accepted
		return nil, nil, errors.New("was changed: give the file as strongroom account move wrote it")
	}
	switch {
	case in.From != from.Fingerprint():
		return nil, nil, fmt.Errorf("is from the database with the public key %.32s, but the given key is %s: give the key of the database that wrote the file", in.From, from.Fingerprint())
	case in.To != p.Public().Fingerprint():
		return nil, nil, fmt.Errorf("is for the database with the public key %.32s, but the key of this database is %s: receive it with the settings of that database", in.To, p.Public().Fingerprint())
	case !ed25519.Verify(from.Sign, in.signed(), in.Signature):
		return nil, nil, errors.New("has an invalid signature: the file was changed, or is not from that database")
	}
	recipient, err := hpke.NewRecipient(in.Key, p.seal, hpke.HKDFSHA256(), hpke.AES256GCM(), []byte(Format))
	if err != nil {
		return nil, nil, errors.New("cannot be decrypted with the key of this database")
	}
	for n, sealed := range in.Sealed {
		plain, err := recipient.Open(in.aad(), sealed)
		switch {
		case err != nil:
			return nil, nil, errors.New("cannot be decrypted with the key of this database")
		case n == 0:
			contents = plain
		default:
			secrets = append(secrets, plain)
		}
	}
	return contents, secrets, nil
}

func (p Parcel) aad() []byte { return []byte(p.From + "\n" + p.To) }

// signed returns what the signature covers: all other fields, in canonical form.
func (p Parcel) signed() []byte {
	p.Signature = nil
	text, _ := json.Marshal(p) // strings and bytes always marshal
	return append([]byte("parcel\n"), text...)
}

// Confirm signs that this store has received a parcel.
func (p *Pair) Confirm(parcel []byte) []byte {
	sum := sha256.Sum256(parcel)
	return ed25519.Sign(p.sign, confirmed(sum[:]))
}

// Confirmed reports whether confirmation is from [Pair.Confirm] of the store p for the
// parcel with the SHA-256 sum.
func (p Public) Confirmed(sum, confirmation []byte) bool {
	return ed25519.Verify(p.Sign, confirmed(sum), confirmation)
}

func confirmed(sum []byte) []byte { return append([]byte("received\n"), sum...) }
