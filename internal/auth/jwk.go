package auth

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"slices"

	"github.com/go-jose/go-jose/v4"
	josejson "github.com/go-jose/go-jose/v4/json" // reads the same members as go-jose: names in the same case, and none twice

	"strongroom/internal/domain"
)

// maxKeys bounds a key set. Providers have two or three keys.
const maxKeys = 100

// RSA keys below 2048 bits are too weak (RFC 7518, 3.3). Keys above 4096 bits
// make verification slow, and go-jose refuses them.
const (
	minRSABits = 2048
	maxRSABits = 4096
)

// maxRSAExponent is the exponent of nearly all RSA keys. A longer one makes
// verification slower.
const maxRSAExponent = 65537

// maxTriesPerToken bounds the keys that are tried for one token. A provider gives
// each key its own id, or one id to an old and a new key.
const maxTriesPerToken = 4

// publicKey is a key of an issuer.
type publicKey struct {
	key       crypto.PublicKey // *rsa.PublicKey, *ecdsa.PublicKey or ed25519.PublicKey
	keyID     string           // empty: it has none
	algorithm string           // the only one that it may be used with; empty: not restricted

	fingerprint [sha256.Size]byte // over all of the above
}

// supports reports whether the key can verify a signature by the algorithm.
// Each algorithm has one type of key (RFC 7518, 3.1; RFC 8037, 3.1), so that no
// key is used as another kind of secret.
func (k publicKey) supports(algorithm string) bool {
	if k.algorithm != "" && k.algorithm != algorithm {
		return false
	}
	switch key := k.key.(type) {
	case *rsa.PublicKey:
		return slices.Contains([]string{"RS256", "RS384", "RS512", "PS256", "PS384", "PS512"}, algorithm)
	case *ecdsa.PublicKey:
		return key.Curve == curves[algorithm]
	case ed25519.PublicKey:
		return algorithm == "EdDSA"
	}
	return false
}

var curves = map[string]elliptic.Curve{"ES256": elliptic.P256(), "ES384": elliptic.P384(), "ES512": elliptic.P521()}

// errNoKeys means that no token of an issuer can be verified now.
var errNoKeys = errors.New("its key set was never fetched, or is empty")

// publicKeys are the keys of an issuer at one time. They never change.
type publicKeys struct {
	list   []publicKey
	digest [sha256.Size]byte // of the document
}

// find returns the keys that may have signed a token with this key id and
// algorithm: the first maxTriesPerToken of the set. Without a key id exactly one
// key must support the algorithm: otherwise a token could use a key that it was
// not made with.
func (k *publicKeys) find(keyID, algorithm string) ([]publicKey, error) {
	if k == nil || len(k.list) == 0 {
		return nil, errNoKeys
	}
	why := ambiguousKey
	if keyID != "" {
		why = unknownKey
	}
	var found []publicKey
	for _, key := range k.list {
		if keyID != "" && key.keyID != keyID {
			continue
		}
		if keyID != "" {
			why = wrongAlgorithm
		}
		if key.supports(algorithm) && len(found) < maxTriesPerToken {
			found = append(found, key)
		}
	}
	if len(found) == 0 || keyID == "" && len(found) > 1 {
		return nil, why
	}
	return found, nil
}

// has reports whether the set has the key with this fingerprint.
func (k *publicKeys) has(fingerprint [sha256.Size]byte) bool {
	return slices.ContainsFunc(k.list, func(key publicKey) bool { return key.fingerprint == fingerprint })
}

// parseKeySet reads a key set (RFC 7517, 5). It leaves out keys that are not for
// signatures. unusable has the reason for every other key that is left out, by
// its index.
func parseKeySet(data []byte) (set *publicKeys, unusable map[int]string, err error) {
	var document struct {
		Keys []json.RawMessage `json:"keys"`
	}
	if err := json.Unmarshal(data, &document); err != nil || document.Keys == nil {
		return nil, nil, errors.New("it is not a JSON Web Key Set")
	}
	if len(document.Keys) > maxKeys {
		return nil, nil, fmt.Errorf("it has more than %d keys", maxKeys)
	}
	set, unusable = &publicKeys{digest: sha256.Sum256(data)}, map[int]string{}
	for i, raw := range document.Keys {
		key, why := parseKey(raw)
		switch {
		case why == notForSignatures: // many providers have such keys too
		case why != "":
			unusable[i] = why
		default:
			set.list = append(set.list, key)
		}
	}
	return set, unusable, nil
}

const notForSignatures = "not for signatures"

func parseKey(raw []byte) (publicKey, string) {
	var jwk jose.JSONWebKey
	var more struct {
		Type       string   `json:"kty"`
		Use        string   `json:"use"`
		Operations []string `json:"key_ops"`
		Modulus    string   `json:"n"`
	}
	err := errors.Join(json.Unmarshal(raw, &jwk), josejson.Unmarshal(raw, &more))
	_, symmetric := jwk.Key.([]byte)
	modulus, _ := base64.RawURLEncoding.DecodeString(more.Modulus)
	bits := new(big.Int).SetBytes(modulus).BitLen()
	key, isRSA := jwk.Key.(*rsa.PublicKey)
	switch {
	case errors.Is(err, jose.ErrUnsupportedKeyType):
		return publicKey{}, "key type that is not supported"
	case err == nil && symmetric:
		return publicKey{}, "symmetric: anyone who can check a signature with it can also make one"
	case err == nil && !jwk.IsPublic():
		return publicKey{}, "private: its provider publishes a key that must be replaced"
	case more.Use != "" && more.Use != "sig", more.Operations != nil && !slices.Contains(more.Operations, "verify"):
		return publicKey{}, notForSignatures
	case more.Type == "RSA" && bits > 0 && (bits < minRSABits || bits > maxRSABits): // before err, which does not name the size
		return publicKey{}, fmt.Sprintf("RSA key of %d bits: only %d to %d are supported", bits, minRSABits, maxRSABits)
	case err != nil:
		return publicKey{}, "malformed"
	case isRSA && (key.E < 3 || key.E > maxRSAExponent || key.E%2 == 0):
		return publicKey{}, fmt.Sprintf("RSA exponent other than an odd number from 3 to %d", maxRSAExponent)
	}
	der, err := x509.MarshalPKIXPublicKey(jwk.Key)
	if err != nil {
		return publicKey{}, "key type that is not supported"
	}
	k := publicKey{key: jwk.Key, keyID: jwk.KeyID, algorithm: jwk.Algorithm}
	k.fingerprint = sha256.Sum256(domain.Encode([]byte(k.keyID), []byte(k.algorithm), der))
	return k, ""
}
