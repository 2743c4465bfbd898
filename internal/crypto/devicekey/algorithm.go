package devicekey

import (
	"crypto/fips140"
	"crypto/hpke"
	"fmt"
	"slices"
	"strings"
)

// Algorithm says how clients encrypt to a key pair, by its name in the API.
type Algorithm string

// The algorithms.
const (
	// RSAOAEP256 is RSA-OAEP (RFC 8017, 7.1), with the hashes of a [Variant].
	RSAOAEP256 Algorithm = "RSA-OAEP-256"
	// HPKEX25519 is HPKE in base mode (RFC 9180) with DHKEM(X25519, HKDF-SHA256),
	// HKDF-SHA256 and AES-256-GCM.
	HPKEX25519 Algorithm = "HPKE-X25519"
	// HPKEXWing is the same with the KEM 0x647a: X-Wing, the hybrid of ML-KEM-768
	// and X25519 (draft-connolly-cfrg-xwing-kem), which draft-ietf-hpke-pq calls
	// MLKEM768-X25519. A recorded ciphertext stays secret as long as one of the two
	// is not broken, also by a quantum computer.
	HPKEXWing Algorithm = "HPKE-XWING"
)

// Algorithms are all of them. It must not be changed.
var Algorithms = []Algorithm{RSAOAEP256, HPKEX25519, HPKEXWing}

// Allowed reports whether an algorithm may be used in this process. In FIPS mode,
// X25519 alone may not, because it is not approved. As a part of X-Wing it may.
func (a Algorithm) Allowed() bool { return a != HPKEX25519 || !fips140.Enabled() }

// ParseAlgorithms returns the algorithms with these names, in the same order. It fails
// if there is none, or if a name is unknown or repeated.
func ParseAlgorithms(names []string) ([]Algorithm, error) {
	if len(names) == 0 {
		return nil, fmt.Errorf("at least one algorithm is needed: any of %s", Names(Algorithms))
	}
	out := make([]Algorithm, 0, len(names))
	for _, name := range names {
		switch a := Algorithm(name); {
		case !slices.Contains(Algorithms, a):
			return nil, fmt.Errorf("unknown algorithm %q: there are %s", name, Names(Algorithms))
		case slices.Contains(out, a):
			return nil, fmt.Errorf("algorithm %q is named twice", name)
		default:
			out = append(out, a)
		}
	}
	return out, nil
}

// Names returns the names of algorithms, separated by commas, for messages.
func Names(algorithms []Algorithm) string {
	names := make([]string, len(algorithms))
	for i, a := range algorithms {
		names[i] = string(a)
	}
	return strings.Join(names, ", ")
}

// Form returns the name of an HPKE algorithm in metrics. It is empty for RSA, which has
// a name for each [Form].
func (a Algorithm) Form() string {
	if kem := a.kem(); kem != nil {
		return kem.form
	}
	return ""
}

// OldForm returns the name in metrics of ciphertexts of this HPKE form that only
// [Binding.OldAAD] opened.
func OldForm(form string) string { return form + "-old-aad" }

// kem returns the KEM of an HPKE algorithm, and nil for RSA.
func (a Algorithm) kem() *kem { return kems[a] }

// kem is a KEM of [crypto/hpke], with its sizes and encodings.
type kem struct {
	hpke.KEM
	encapsulated int    // bytes of enc
	public       int    // bytes of SerializePublicKey
	info         string // AlgorithmIdentifier of the SubjectPublicKeyInfo, in DER
	form         string // name in metrics
}

var kems = map[Algorithm]*kem{
	HPKEX25519: {hpke.DHKEM(x25519), 32, 32, infoX25519, "hpke-x25519"},
	HPKEXWing:  {hpke.MLKEM768X25519(), 1120, 1216, infoXWing, "hpke-xwing"},
}
