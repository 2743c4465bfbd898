package rootkey

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"

	"strongroom/internal/crypto/seal"
)

// environment are root keys in environment variables.
var environment = provider{
	form: "env:NAME",
	check: func(name string) error {
		if !variable.MatchString(name) {
			return errors.New("not a name of an environment variable")
		}
		return nil
	},
	open:   func(_ context.Context, name string) (seal.RootKey, error) { return fromEnvironment.open(name) },
	remedy: "set the variable to the base64 of 32 random bytes (openssl rand -base64 32)",
}

var variable = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// fromEnvironment keeps the keys that were read from the environment, because
// reading one unsets its variable.
var fromEnvironment variables

type variables struct {
	mu   sync.Mutex
	keys map[string]seal.RootKey
}

func (v *variables) open(name string) (seal.RootKey, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if root, ok := v.keys[name]; ok && os.Getenv(name) == "" {
		return root, nil
	}
	root, err := FromEnv(name)
	if err != nil {
		return nil, err
	}
	if v.keys == nil {
		v.keys = map[string]seal.RootKey{}
	}
	v.keys[name] = root
	return root, nil
}

// FromEnv reads a root key from an environment variable: base64 of 32 bytes, in
// either alphabet, padding optional. Errors say how to make a key, and never repeat
// the value. FromEnv unsets the variable, so that no child process gets the key. The
// copies of the environment in the kernel and in Go cannot be wiped, so a file is
// safer.
func FromEnv(name string) (seal.RootKey, error) {
	const remedy = "put the base64 of its 32 bytes there (for a new database, and only then, a new one: openssl rand -base64 32)"
	value := strings.TrimSpace(os.Getenv(name))
	if value == "" {
		return nil, fmt.Errorf("environment variable %s holds no root key: %s", name, remedy)
	}
	value = strings.TrimRight(strings.NewReplacer("-", "+", "_", "/").Replace(value), "=")
	secret, err := base64.RawStdEncoding.Strict().DecodeString(value)
	if err != nil {
		return nil, fmt.Errorf("environment variable %s is not base64 of %d bytes: %s", name, seal.RootKeySize, remedy)
	}
	root, err := seal.NewLocalRoot(secret)
	if err != nil {
		return nil, fmt.Errorf("environment variable %s %v: %s", name, err, remedy)
	}
	return root, os.Unsetenv(name)
}

// credentials are files that systemd gives to a unit (LoadCredential= and
// LoadCredentialEncrypted=, systemd.exec(5)). They contain raw keys, as for file.
var credentials = provider{
	form: "systemd-credential:NAME",
	check: func(name string) error {
		if name == "" || name != filepath.Base(name) || strings.ContainsRune(name, 0) || name == ".." || name == "." {
			return errors.New("not a name of a credential")
		}
		return nil
	},
	open: func(_ context.Context, name string) (seal.RootKey, error) {
		dir := os.Getenv("CREDENTIALS_DIRECTORY")
		if dir == "" {
			return nil, &Error{"systemd-credential:" + name, Missing,
				"add LoadCredential=" + name + ":PATH or LoadCredentialEncrypted=" + name + ":PATH to the unit and start it with systemd",
				errors.New("systemd gave this process no credentials ($CREDENTIALS_DIRECTORY is not set)")}
		}
		return OpenFile(filepath.Join(dir, name))
	},
	remedy: "make the file with root-key create file:PATH, and name it in LoadCredential= of the unit",
}
