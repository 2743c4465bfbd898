package auth

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"time"

	"strongroom/internal/strictjson"
)

// proof is the content of a DPoP proof (RFC 9449, 4.2) with a valid signature.
type proof struct {
	key proofKey

	id        string // jti: 1 to maxProofIDBytes bytes
	method    string // htm
	url       string // htu
	issuedAt  time.Time
	tokenHash string // ath; empty: none
	nonce     string // empty: none
}

// proofKey is the public key in the header of a proof.
type proofKey struct {
	algorithm  string           // ES256 or EdDSA
	ecdsa      *ecdsa.PublicKey // with ES256: on P-256
	ed25519    ed25519.PublicKey
	thumbprint string
}

// parseProof reads a proof as strictly as [parseToken] reads a token, and
// verifies its signature with the key in its header.
func parseProof(text string) (p proof, err error) {
	if len(text) > maxProofBytes {
		return proof{}, proofTooLong
	}
	parts := strings.SplitN(text, ".", 4)
	if len(parts) != 3 {
		return proof{}, proofMalformed
	}
	header, err := segment(parts[0])
	if err != nil {
		return proof{}, proofMalformed
	}
	claims, err := segment(parts[1])
	if err != nil {
		return proof{}, proofMalformed
	}
	signature, ok := strictjson.Base64URL(parts[2])
	if !ok {
		return proof{}, proofMalformed
	}
	if err := p.readHeader(header); err != nil {
		return proof{}, err
	}
	if !p.key.verify(text[:len(parts[0])+1+len(parts[1])], signature) {
		return proof{}, proofSignature
	}
	return p, p.readClaims(claims)
}

// readHeader refuses crit and b64, which change the meaning of the signature.
// Other parameters, such as kid, are ignored: the key is in jwk.
func (p *proof) readHeader(h map[string]any) error {
	for _, name := range []string{"crit", "b64"} {
		if _, there := h[name]; there {
			return proofHeader
		}
	}
	if h["typ"] != "dpop+jwt" {
		return proofType
	}
	algorithm, _ := h["alg"].(string)
	if algorithm == "Ed25519" { // its name in RFC 9864
		algorithm = "EdDSA"
	}
	if algorithm != "ES256" && algorithm != "EdDSA" {
		return proofAlgorithm
	}
	jwk, ok := h["jwk"].(map[string]any)
	if !ok {
		return badProofKey
	}
	var err error
	p.key, err = parseProofKey(jwk, algorithm)
	return err
}

// secretMembers are the members of private and symmetric keys (RFC 7518, 6).
var secretMembers = []string{"d", "p", "q", "dp", "dq", "qi", "oth", "k"}

// parseProofKey reads the public key of a proof (RFC 7517, 4; RFC 7518, 6.2; RFC
// 8037, 2). Each algorithm has one type of key. A private key is refused, because
// everyone who saw the request has it now.
func parseProofKey(jwk map[string]any, algorithm string) (proofKey, error) {
	for _, name := range secretMembers {
		if _, there := jwk[name]; there {
			return proofKey{}, privateProofKey
		}
	}
	if alg, there := jwk["alg"]; there && alg != algorithm && !(alg == "Ed25519" && algorithm == "EdDSA") {
		return proofKey{}, proofAlgorithm
	}
	if use, there := jwk["use"]; there && use != "sig" {
		return proofKey{}, badProofKey
	}
	k := proofKey{algorithm: algorithm}
	x, ok := coordinate(jwk["x"])
	switch {
	case !ok:
		return proofKey{}, badProofKey
	case algorithm == "ES256" && jwk["kty"] == "EC" && jwk["crv"] == "P-256":
		y, ok := coordinate(jwk["y"])
		if !ok {
			return proofKey{}, badProofKey
		}
		var err error
		if k.ecdsa, err = ecdsa.ParseUncompressedPublicKey(elliptic.P256(), slices.Concat([]byte{4}, x, y)); err != nil {
			return proofKey{}, badProofKey
		}
		k.thumbprint = thumbprint(fmt.Sprintf(`{"crv":"P-256","kty":"EC","x":"%s","y":"%s"}`, jwk["x"], jwk["y"]))
	case algorithm == "EdDSA" && jwk["kty"] == "OKP" && jwk["crv"] == "Ed25519":
		if smallOrder(x) {
			return proofKey{}, badProofKey
		}
		k.ed25519 = x
		k.thumbprint = thumbprint(fmt.Sprintf(`{"crv":"Ed25519","kty":"OKP","x":"%s"}`, jwk["x"]))
	default:
		return proofKey{}, badProofKey
	}
	return k, nil
}

// smallOrderY are the y coordinates of the points of Curve25519 (RFC 8032) whose
// order divides 8, in little-endian, with those that are not reduced modulo p =
// 2^255 - 19. libsodium refuses the same list.
var smallOrderY = []string{
	"0000000000000000000000000000000000000000000000000000000000000000", // order 4
	"0100000000000000000000000000000000000000000000000000000000000000", // order 1
	"26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05", // order 8
	"c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a", // order 8
	"ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f", // p-1: order 2
	"edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f", // p, which is 0
	"eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f", // p+1, which is 1
}

// smallOrder reports whether an Ed25519 public key is a point of small order.
// Anyone can make signatures by such a key, so it proves nothing.
func smallOrder(key []byte) bool {
	y := bytes.Clone(key)
	y[31] &= 0x7f // without the sign of x
	return slices.Contains(smallOrderY, hex.EncodeToString(y))
}

// coordinate reads 32 bytes in strict base64url, so that a key has one
// thumbprint.
func coordinate(v any) ([]byte, bool) {
	text, _ := v.(string)
	data, ok := strictjson.Base64URL(text)
	return data, ok && len(data) == 32
}

// thumbprint returns the JWK thumbprint (RFC 7638) of a key, given as the JSON
// of its required members in the order of their names, without white space.
func thumbprint(required string) string {
	digest := sha256.Sum256([]byte(required))
	return base64.RawURLEncoding.EncodeToString(digest[:])
}

// verify reports whether signature is the key's over text. By ES256 it is R and
// S of 32 bytes each (RFC 7518, 3.4).
func (k proofKey) verify(text string, signature []byte) bool {
	if len(signature) != 64 {
		return false
	}
	if k.ecdsa == nil {
		return ed25519.Verify(k.ed25519, []byte(text), signature)
	}
	digest := sha256.Sum256([]byte(text))
	return ecdsa.Verify(k.ecdsa, digest[:], new(big.Int).SetBytes(signature[:32]), new(big.Int).SetBytes(signature[32:]))
}

func (p *proof) readClaims(c map[string]any) error {
	for name, to := range map[string]*string{"jti": &p.id, "htm": &p.method, "htu": &p.url, "ath": &p.tokenHash, "nonce": &p.nonce} {
		v, there := c[name]
		text, ok := v.(string)
		if optional := name == "ath" || name == "nonce"; !ok && (there || !optional) {
			return proofClaim
		}
		*to = text
	}
	if p.id == "" || len(p.id) > maxProofIDBytes || c["iat"] == nil {
		return proofClaim
	}
	var ok bool
	if p.issuedAt, ok = numericDate(c["iat"]); !ok {
		return proofClaim
	}
	return nil
}
