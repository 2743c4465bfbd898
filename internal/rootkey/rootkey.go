// Package rootkey opens and creates root keys where operators keep them: in a file,
// in the environment, in a systemd credential, in a key management service, in a
// hardware security module or in a TPM. A root key wraps the keyset of a database
// ([seal.RootKey]). It is asked when a process starts, when a wrap changes, and at
// an interval to see whether it still answers. No request of a client waits for it.
//
// A URL names a root key: the scheme is the provider, and the rest is in the
// provider's form. A URL holds no secret, so it can be shown and logged. Each
// provider is in a file of its own, with its form, and registers itself in providers.
package rootkey

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"strongroom/internal/crypto/seal"
)

// A provider keeps root keys of one kind. rest is the URL without the scheme.
type provider struct {
	form string // of a URL, for messages, such as "file:PATH"
	// check refuses a URL that is not in the form. It reads nothing.
	check func(rest string) error
	// open returns the key. It asks the provider, so that a key that cannot be used is
	// refused here and not at the first wrap.
	open func(ctx context.Context, rest string) (seal.RootKey, error)
	// create makes a new key at a place that has none. It fails with an error that
	// matches fs.ErrExist if there is one. nil: keys are created elsewhere; remedy
	// says where.
	create func(ctx context.Context, rest string) error
	remedy string
}

// providers are the providers of this binary, by scheme.
var providers = map[string]provider{
	"file":               files,
	"env":                environment,
	"systemd-credential": credentials,
	"age":                recipients,
	"age-identity":       identities,
	"vault":              transit,
	"tpm":                sealedByTPM,
	"awskms":             awsKeys,
	"gcpkms":             googleKeys,
	"azurekeyvault":      azureKeys,
	"pkcs11":             hsmKeys,
}

// Check refuses a URL that this binary does not understand, and says what to
// write instead. It opens nothing.
func Check(url string) error {
	p, rest, err := find(url)
	if err != nil {
		return err
	}
	if err := p.check(rest); err != nil {
		return fmt.Errorf("%s: %w; the form is %s", shown(url), err, p.form)
	}
	return nil
}

// Open opens the root key that a URL names. It fails with an [Error] that says
// what is wrong with the key or its provider. The caller bounds the time by ctx.
// The key is safe for concurrent use.
func Open(ctx context.Context, url string) (seal.RootKey, error) {
	if err := Check(url); err != nil {
		return nil, err
	}
	p, rest, _ := find(url)
	return p.open(ctx, rest)
}

// Create makes a new root key where a URL names none yet. It never changes a key
// that exists: then the error matches fs.ErrExist. If keys of this provider are made
// elsewhere, it matches errors.ErrUnsupported.
func Create(ctx context.Context, url string) error {
	if err := Check(url); err != nil {
		return err
	}
	p, rest, _ := find(url)
	if p.create == nil {
		return fmt.Errorf("%s: %w here: %s", url, errElsewhere, p.remedy)
	}
	return p.create(ctx, rest)
}

// Scheme is the provider that a URL names, for metrics and reports.
func Scheme(url string) string {
	scheme, _, _ := strings.Cut(url, ":")
	return scheme
}

// errElsewhere says that another tool makes the keys of a provider.
var errElsewhere error = elsewhere{}

type elsewhere struct{}

func (elsewhere) Error() string { return "keys of this provider are not created" }

func (elsewhere) Is(target error) bool { return target == errors.ErrUnsupported }

func find(url string) (provider, string, error) {
	scheme, rest, _ := strings.Cut(url, ":")
	p, ok := providers[scheme]
	if !ok {
		return provider{}, "", fmt.Errorf("root key: no provider %q in this binary; it has %s", scheme,
			strings.Join(slices.Sorted(maps.Keys(providers)), ", "))
	}
	return p, rest, nil
}
