package auth

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/go-jose/go-jose/v4"

	"strongroom/internal/domain"
)

// maxKeys bounds a key set. Providers have two or three.
const maxKeys = 100

// RSA keys below 2048 bits are too weak (RFC 7518, 3.3); those above 8192 make
// each verification slow.
const (
	minRSABits = 2048
	maxRSABits = 8192
)

// publicKey is a key of an issuer.
type publicKey struct {
	key       crypto.PublicKey // *rsa.PublicKey, *ecdsa.PublicKey or ed25519.PublicKey
	keyID     string           // empty: not named
	algorithm string           // the only one it is for; empty: not said

	identity [sha256.Size]byte // over all of the above
}

// fits says whether a signature by the algorithm can be by this key: one type
// of key for each algorithm (RFC 7518, 3.1; RFC 8037, 3.1), or a key could be
// taken for another kind of secret.
func (k publicKey) fits(algorithm string) bool {
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

// publicKeys are the keys of an issuer at one time. They are never changed.
type publicKeys struct {
	list   []publicKey
	digest [sha256.Size]byte // of the document that they were read from
}

// match finds the keys that a token with this key id and algorithm may be
// signed by. Without a key id exactly one may fit: trying several would let a
// key be used that nobody meant.
func (k *publicKeys) match(keyID, algorithm string) ([]publicKey, error) {
	why := ambiguousKey
	var found []publicKey
	if keyID != "" {
		why = unknownKey
	}
	for _, key := range k.list {
		if keyID != "" && key.keyID != keyID {
			continue
		}
		if keyID != "" {
			why = wrongAlgorithm
		}
		if key.fits(algorithm) {
			found = append(found, key)
		}
	}
	if len(found) == 0 || keyID == "" && len(found) > 1 {
		return nil, why
	}
	return found, nil
}

// has says whether a key is still in the set.
func (k *publicKeys) has(identity [sha256.Size]byte) bool {
	return slices.ContainsFunc(k.list, func(key publicKey) bool { return key.identity == identity })
}

// parseKeySet reads a key set (RFC 7517, 5). Keys that are not for verifying
// signatures are left out; unusable says why other keys are, by their place.
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
		case why == notForSignatures: // as many providers have beside the others
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
		Operations []string `json:"key_ops"`
	}
	err := errors.Join(json.Unmarshal(raw, &jwk), json.Unmarshal(raw, &more))
	_, symmetric := jwk.Key.([]byte)
	switch {
	case errors.Is(err, jose.ErrUnsupportedKeyType):
		return publicKey{}, "key type that is not supported"
	case err != nil:
		return publicKey{}, "malformed"
	case symmetric:
		return publicKey{}, "symmetric: who can check a signature with it can make one"
	case !jwk.IsPublic():
		return publicKey{}, "private: its provider publishes a key that must be replaced"
	case jwk.Use != "" && jwk.Use != "sig", more.Operations != nil && !slices.Contains(more.Operations, "verify"):
		return publicKey{}, notForSignatures
	}
	if key, ok := jwk.Key.(*rsa.PublicKey); ok && (key.N.BitLen() < minRSABits || key.N.BitLen() > maxRSABits) {
		return publicKey{}, fmt.Sprintf("RSA of other than %d to %d bits", minRSABits, maxRSABits)
	}
	der, err := x509.MarshalPKIXPublicKey(jwk.Key)
	if err != nil {
		return publicKey{}, "key type that is not supported"
	}
	k := publicKey{key: jwk.Key, keyID: jwk.KeyID, algorithm: jwk.Algorithm}
	k.identity = sha256.Sum256(domain.Encode([]byte(k.keyID), []byte(k.algorithm), der))
	return k, ""
}
