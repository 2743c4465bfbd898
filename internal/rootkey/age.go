package rootkey

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strings"

	"filippo.io/age"
	"filippo.io/age/agessh"
	"filippo.io/age/plugin"

	"strongroom/internal/crypto/seal"
	"strongroom/internal/ownfile"
)

// recipients wrap the keyset for recovery, with the public half of a key pair. The private
// half, an age identity, is kept offline. They cannot unwrap.
var recipients = provider{
	form: "age:RECIPIENT, which is age1…, age1pq1…, an age plugin's recipient, ssh-ed25519 … or ssh-rsa …",
	check: func(text string) error {
		_, err := ParseRecipient(text)
		return err
	},
	open: func(_ context.Context, text string) (seal.RootKey, error) {
		r, err := ParseRecipient(text)
		return recovery{id: recoveryID(text), to: r}, err
	},
	remedy: "make an identity with age-keygen on an offline machine, and give its recipient",
}

// identities unwrap what recipients wrapped.
var identities = provider{
	form:   "age-identity:PATH",
	check:  checkIdentityFile,
	open:   func(_ context.Context, path string) (seal.RootKey, error) { return openIdentity(path) },
	remedy: "make an identity with age-keygen on an offline machine",
}

// IsRecovery reports whether a URL names an age recipient, which can wrap but cannot
// unwrap.
func IsRecovery(url string) bool { return Scheme(url) == "age" }

// recovery is a root key that uses age (https://age-encryption.org/v1).
type recovery struct {
	id   string
	to   age.Recipient
	from []age.Identity
}

// ID names the recipient. It is empty for an identity: only its hardware knows to which
// recipient an identity of a plugin belongs.
func (r recovery) ID() string { return r.id }

// Opens reports whether the identity may be able to open what the root key with this id
// wrapped.
func (r recovery) Opens(id string) bool { return len(r.from) > 0 && strings.HasPrefix(id, "age:") }

// Wrap encrypts to the recipient. age has no associated data, so the SHA-256 of
// associatedData goes before the plaintext.
func (r recovery) Wrap(_ context.Context, plaintext, associatedData []byte) ([]byte, error) {
	if r.to == nil {
		return nil, errors.New("an age identity can open wraps but not make them; give its recipient")
	}
	var out bytes.Buffer
	w, err := age.Encrypt(&out, r.to)
	if err != nil {
		return nil, fmt.Errorf("encrypting to the age recipient: %w", err)
	}
	bound := sha256.Sum256(associatedData)
	text := append(bound[:], plaintext...)
	defer clear(text)
	if _, err := w.Write(text); err != nil {
		return nil, fmt.Errorf("encrypting to the age recipient: %w", err)
	}
	if err := w.Close(); err != nil {
		return nil, fmt.Errorf("encrypting to the age recipient: %w", err)
	}
	return out.Bytes(), nil
}

// Unwrap decrypts with the identity.
func (r recovery) Unwrap(_ context.Context, wrapped, associatedData []byte) ([]byte, error) {
	if len(r.from) == 0 {
		return nil, errors.New("an age recipient can make wraps but not open them; use root-key recovery open with its identity")
	}
	plain, err := age.Decrypt(bytes.NewReader(wrapped), r.from...)
	if _, none := errors.AsType[*age.NoIdentityMatchError](err); none {
		return nil, seal.ErrSeal
	}
	if err != nil {
		return nil, fmt.Errorf("decrypting with the age identity: %w", err)
	}
	text, err := io.ReadAll(io.LimitReader(plain, maxRecovered))
	bound := sha256.Sum256(associatedData)
	if err != nil || len(text) < len(bound) || !hmac.Equal(text[:len(bound)], bound[:]) {
		return nil, seal.ErrSeal
	}
	return text[len(bound):], nil
}

// maxRecovered bounds what is decrypted, in bytes. A wrapped key has 32 bytes.
const maxRecovered = 1 << 10

// ParseRecipient reads an age recipient, an age plugin's or an SSH public key.
func ParseRecipient(text string) (age.Recipient, error) {
	text = strings.TrimSpace(text)
	if strings.HasPrefix(text, "ssh-") {
		return agessh.ParseRecipient(text)
	}
	all, err := age.ParseRecipients(strings.NewReader(text))
	if err == nil && len(all) == 1 {
		return all[0], nil
	}
	if r, err := plugin.NewRecipient(text, quiet); err == nil {
		return r, nil
	}
	return nil, errors.New("not an age recipient")
}

// recoveryID returns the recipient, or for a long one its beginning and a hash.
func recoveryID(text string) string {
	text = strings.TrimSpace(text)
	if len(text) <= 80 {
		return "age:" + text
	}
	sum := sha256.Sum256([]byte(text))
	return "age:" + text[:16] + "…" + hex.EncodeToString(sum[:8])
}

// quiet is the user interface for plugins. It asks nobody, but a plugin may wait for a
// touch of the hardware.
var quiet = &plugin.ClientUI{
	DisplayMessage: func(string, string) error { return nil },
	RequestValue:   func(string, string, bool) (string, error) { return "", errors.New("nobody can be asked here") },
	Confirm: func(string, string, string, string) (bool, error) {
		return false, errors.New("nobody can be asked here")
	},
	WaitTimer: func(string) {},
}

// checkIdentityFile refuses a path that is an identity itself, so that no message repeats
// it.
func checkIdentityFile(path string) error {
	if name := strings.ToUpper(path); strings.HasPrefix(name, "AGE-SECRET-KEY-") || strings.HasPrefix(name, "AGE-PLUGIN-") {
		return errors.New("this is the identity itself: write it to a file that only its owner can read, and give the path of the file")
	}
	return checkPath(path)
}

func openIdentity(path string) (seal.RootKey, error) {
	all, err := ReadIdentities(path)
	return recovery{from: all}, err
}

// ReadIdentities reads a file of age identities, or of one SSH private key.
func ReadIdentities(path string) ([]age.Identity, error) {
	if err := checkIdentityFile(path); err != nil {
		return nil, fmt.Errorf("age identity file: %w", err)
	}
	f, _, err := ownfile.OpenSecret(path)
	if err != nil {
		return nil, fmt.Errorf("age identity file %w", pathFirst(err))
	}
	defer func() { _ = f.Close() }()
	text, err := io.ReadAll(io.LimitReader(f, 64<<10))
	if err != nil {
		return nil, fmt.Errorf("reading age identity file: %w", err)
	}
	defer clear(text)
	all, err := parseIdentities(text)
	if err != nil {
		return nil, fmt.Errorf("age identity file %s: not an age identity, an age plugin's identity or an SSH private key without a passphrase", path)
	}
	return all, nil
}

func parseIdentities(text []byte) ([]age.Identity, error) {
	if bytes.Contains(text, []byte("-----BEGIN")) {
		id, err := agessh.ParseIdentity(text)
		return []age.Identity{id}, err
	}
	var plain, plugins []age.Identity
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		switch {
		case line == "", strings.HasPrefix(line, "#"):
		case strings.HasPrefix(line, "AGE-PLUGIN-"):
			id, err := plugin.NewIdentity(line, quiet)
			if err != nil {
				return nil, err
			}
			plugins = append(plugins, id)
		default:
			ids, err := age.ParseIdentities(strings.NewReader(line))
			if err != nil {
				return nil, err
			}
			plain = append(plain, ids...)
		}
	}
	all := append(plain, plugins...) // a plugin that is missing or waits for a touch must not keep the others from being tried
	if len(all) == 0 {
		return nil, errors.New("the file has no identity")
	}
	return all, nil
}
