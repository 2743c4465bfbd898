package auth

import (
	"crypto"
	"crypto/sha256"
	"crypto/subtle"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"

	"github.com/go-jose/go-jose/v4"
)

// confirmation is the claim cnf of an access token (RFC 7800): what its sender
// must prove. The zero value demands nothing.
type confirmation struct {
	Thumbprint  string // jkt: of the key of a DPoP proof (RFC 9449, 6.1)
	Certificate string // x5t#S256: SHA-256 of the client certificate (RFC 8705, 3.1)
}

// parseConfirmation reads cnf of an access token. It refuses a cnf that has no
// member that this service can check, because ignoring it would accept a stolen
// token. If it has one, its other members are ignored (RFC 7800, 3.1).
func parseConfirmation(claims map[string]any) (c confirmation, err error) {
	v, there := claims["cnf"]
	if !there {
		return c, nil
	}
	cnf, ok := v.(map[string]any)
	if !ok {
		return c, boundToSender
	}
	known := false
	for name, to := range map[string]*string{"jkt": &c.Thumbprint, "x5t#S256": &c.Certificate} {
		v, there := cnf[name]
		if !there {
			continue
		}
		if _, ok := coordinate(v); !ok { // 32 bytes, like a coordinate
			return confirmation{}, boundToSender
		}
		*to, known = v.(string), true
	}
	if !known {
		return confirmation{}, boundToSender
	}
	return c, nil
}

// check refuses a sender that did not prove what c demands. thumbprint is that of its DPoP
// proof; empty: it has none. The handshake of connection has proven the private key of its
// certificate; nil: no TLS.
func (c confirmation) check(thumbprint string, connection *tls.ConnectionState) error {
	switch {
	case c.Thumbprint != "" && thumbprint == "":
		return noProof
	case c.Thumbprint != "" && subtle.ConstantTimeCompare([]byte(c.Thumbprint), []byte(thumbprint)) != 1:
		return wrongProofKey
	}
	if c.Certificate == "" {
		return nil
	}
	if connection == nil || len(connection.PeerCertificates) == 0 {
		return wrongCertificate
	}
	digest := sha256.Sum256(connection.PeerCertificates[0].Raw)
	if subtle.ConstantTimeCompare([]byte(c.Certificate), []byte(base64.RawURLEncoding.EncodeToString(digest[:]))) != 1 {
		return wrongCertificate
	}
	return nil
}

// certificateThumbprint returns the JWK thumbprint (RFC 7638) of a certificate's
// public key. It stays when the certificate is renewed with the same key. A key
// of a type without a JWK refuses the token.
func certificateThumbprint(c *x509.Certificate) (string, error) {
	digest, err := (&jose.JSONWebKey{Key: c.PublicKey}).Thumbprint(crypto.SHA256)
	if err != nil {
		return "", wrongCertificate
	}
	return base64.RawURLEncoding.EncodeToString(digest), nil
}
