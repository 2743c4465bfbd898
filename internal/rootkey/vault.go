package rootkey

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"strongroom/internal/crypto/seal"
)

// transit are keys of the transit engine of HashiCorp Vault or OpenBao. The engine
// encrypts and decrypts with them, and no key leaves it. For the API, see
// https://openbao.org/api-docs/secret/transit/.
var transit = provider{
	form: "vault:https://HOST:8200/MOUNT/KEY, with ?namespace=, ca=FILE, token-file=FILE, " +
		"or auth=approle&role-id=&secret-id-file=FILE, or auth=kubernetes&role=, and auth-mount=",
	check: func(rest string) error {
		_, err := parseVaultName(rest)
		return err
	},
	open: func(ctx context.Context, rest string) (seal.RootKey, error) {
		name, err := parseVaultName(rest)
		if err != nil {
			return nil, err
		}
		return name.open(ctx)
	},
	create: createVaultKey,
}

// vaultName is a parsed URL.
type vaultName struct {
	url        string // of the root key
	address    string // of the server, as https://HOST:PORT
	mount, key string
	query      url.Values
}

// vaultFiles are the parameters that name a file.
var vaultFiles = []string{"ca", "token-file", "secret-id-file", "jwt-file"}

// vaultKeyName matches the key names that transit allows.
var vaultKeyName = regexp.MustCompile(`^\w(?:[\w.-]*\w)?$`)

func parseVaultName(rest string) (n vaultName, err error) {
	u, err := url.Parse(rest)
	if err != nil || u.Host == "" || u.User != nil || u.Fragment != "" {
		return n, errors.New("not the address of a server and a key")
	}
	if u.Scheme != "https" && (u.Scheme != "http" || !isLoopback(u.Hostname())) {
		return n, errors.New("the address must begin with https://, because the key that opens the database is sent to it")
	}
	mount, key := path.Split(strings.TrimPrefix(u.Path, "/"))
	n = vaultName{"vault:" + rest, u.Scheme + "://" + strings.ToLower(u.Host), strings.TrimSuffix(mount, "/"), key, nil}
	if u.RawPath != "" || n.mount == "" || !vaultKeyName.MatchString(key) || path.Clean("/"+n.mount) != "/"+n.mount {
		return n, errors.New("the path is not MOUNT/KEY")
	}
	if n.query, err = parameters(u.RawQuery); err != nil {
		return n, err
	}
	for name, values := range n.query {
		switch {
		case len(values) != 1 || values[0] == "":
			return n, fmt.Errorf("the parameter %q must have one value", name)
		case slices.Contains(vaultFiles, name) && !filepath.IsAbs(values[0]):
			return n, fmt.Errorf("%s must be an absolute path", name)
		}
	}
	return n, n.checkAuth()
}

// checkAuth refuses parameters that do not belong to the auth method.
func (n vaultName) checkAuth() error {
	allowed := []string{"namespace", "ca"}
	switch n.query.Get("auth") {
	case "":
		allowed = append(allowed, "token-file")
	case "approle":
		allowed = append(allowed, "auth", "auth-mount", "role-id", "secret-id-file")
		if n.query.Get("role-id") == "" || n.query.Get("secret-id-file") == "" {
			return errors.New("auth=approle needs role-id and secret-id-file")
		}
	case "kubernetes":
		allowed = append(allowed, "auth", "auth-mount", "role", "jwt-file")
		if n.query.Get("role") == "" {
			return errors.New("auth=kubernetes needs role")
		}
	default:
		return errors.New("auth must be approle or kubernetes; leave it out to use a token")
	}
	for name := range n.query {
		if !slices.Contains(allowed, name) {
			return fmt.Errorf("the parameter %q is unknown or does not go with this auth", name)
		}
	}
	return nil
}

// vaultKey is a key of a transit engine.
type vaultKey struct {
	vaultName
	vault *vaultClient
}

// open logs in and checks that the key can wrap.
func (n vaultName) open(ctx context.Context) (*vaultKey, error) {
	vault, err := n.logIn(ctx)
	if err != nil {
		return nil, err
	}
	var is struct {
		Type    string `json:"type"`
		Derived bool   `json:"derived"`
		Deleted bool   `json:"soft_deleted"`
	}
	if err := vault.call(ctx, http.MethodGet, n.mount+"/keys/"+n.key, nil, &is); err != nil {
		return nil, err
	}
	switch {
	case is.Deleted:
		return nil, &Error{n.url, Disabled, "restore it with: vault write -f " + n.mount + "/keys/" + n.key + "/soft-delete-restore", errors.New("the key is soft-deleted")}
	case is.Derived, !strings.HasPrefix(is.Type, "aes") && is.Type != "chacha20-poly1305" && is.Type != "xchacha20-poly1305":
		return nil, &Error{n.url, Invalid, "name a key of type aes256-gcm96 that is not derived; root-key create makes one", fmt.Errorf("the key is of type %s (derived: %v)", is.Type, is.Derived)}
	}
	return &vaultKey{n, vault}, nil
}

// ID names the server and the key.
func (k *vaultKey) ID() string {
	return "vault:" + strings.TrimPrefix(k.address, "https://") + k.place()
}

// place returns namespace, mount and key. It stays the same if the server's name changes.
func (n vaultName) place() string {
	return strings.TrimSuffix("/"+strings.Trim(n.query.Get("namespace"), "/"), "/") + "/" + n.mount + "/" + n.key
}

// Opens reports whether id may be that of this key under another name of its server.
func (k *vaultKey) Opens(id string) bool {
	return strings.HasPrefix(id, "vault:") && strings.HasSuffix(id, k.place())
}

// Wrap encrypts with the newest version of the key. The result is a ciphertext of transit,
// vault:vN:….
func (k *vaultKey) Wrap(ctx context.Context, plaintext, associatedData []byte) ([]byte, error) {
	var out struct {
		Ciphertext string `json:"ciphertext"`
	}
	err := k.vault.call(ctx, http.MethodPost, k.mount+"/encrypt/"+k.key, map[string]string{
		"plaintext": base64.StdEncoding.EncodeToString(plaintext), "associated_data": base64.StdEncoding.EncodeToString(associatedData)}, &out)
	if err == nil && out.Ciphertext == "" {
		err = emptyAnswer(k.url, "ciphertext")
	}
	return []byte(out.Ciphertext), err
}

// Unwrap decrypts with the version that wrapped.
func (k *vaultKey) Unwrap(ctx context.Context, wrapped, associatedData []byte) ([]byte, error) {
	var out struct {
		Plaintext []byte `json:"plaintext"`
	}
	err := k.vault.call(ctx, http.MethodPost, k.mount+"/decrypt/"+k.key, map[string]string{
		"ciphertext": string(wrapped), "associated_data": base64.StdEncoding.EncodeToString(associatedData)}, &out)
	if err == nil && len(out.Plaintext) == 0 {
		err = emptyAnswer(k.url, "plaintext")
	}
	return out.Plaintext, err
}

// createVaultKey creates a key that cannot be exported from the engine.
func createVaultKey(ctx context.Context, rest string) error {
	n, err := parseVaultName(rest)
	if err != nil {
		return err
	}
	vault, err := n.logIn(ctx)
	if err != nil {
		return err
	}
	err = vault.call(ctx, http.MethodGet, n.mount+"/keys/"+n.key, nil, nil)
	switch {
	case err == nil:
		return fmt.Errorf("%s: %w", n.url, fs.ErrExist)
	case ReasonOf(err) != Missing:
		return err
	}
	return vault.call(ctx, http.MethodPost, n.mount+"/keys/"+n.key, map[string]any{"type": "aes256-gcm96", "exportable": false, "allow_plaintext_backup": false}, nil)
}
