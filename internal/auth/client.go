package auth

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"strongroom/internal/ownfile"
)

// OIDCClient is the console as a client of an identity provider (RFC 6749,
// section 2).
type OIDCClient struct {
	ID string
	// Secret is its secret, SecretFile a file with it: one line of at most 1,024
	// printable ASCII characters. Both empty: a public client.
	Secret, SecretFile string
	// Callback is where the provider sends browsers back: an https URL (http for
	// a loopback host).
	Callback string
}

const maxSecretBytes = 1 << 10

// secret returns the client's secret; empty: it has none.
func (c *OIDCClient) secret() (string, error) {
	text := []byte(c.Secret)
	if c.SecretFile != "" {
		f, _, err := ownfile.OpenSecret(c.SecretFile)
		if err != nil {
			return "", fmt.Errorf("admin-oidc-client-secret: the file cannot be opened: %w", err)
		}
		defer f.Close()
		if text, err = io.ReadAll(io.LimitReader(f, maxSecretBytes+3)); err != nil {
			return "", fmt.Errorf("admin-oidc-client-secret: %w", err)
		}
		text = bytes.TrimRight(text, "\r\n")
		defer clear(text)
		if len(text) == 0 {
			return "", errors.New("admin-oidc-client-secret: the file is empty")
		}
	}
	if len(text) > maxSecretBytes || bytes.ContainsFunc(text, func(c rune) bool { return c < ' ' || c > '~' }) {
		return "", errors.New("admin-oidc-client-secret: must be one line of at most 1024 printable ASCII characters")
	}
	return string(text), nil
}
