// Package rootkey opens and creates root keys where operators keep them: in a file,
// in the environment, in a systemd credential, in a key management service, in a
// hardware security module or in a TPM. A root key wraps the keyset of a database
// ([seal.RootKey]). It is used when a process starts, when a wrap changes, and at an
// interval to check that it still works. No client request waits for it.
//
// A URL names a root key: the scheme is the provider, and the provider defines the
// rest. A URL contains no secret, so it can be shown and logged. Most providers have
// their own file. The map providers lists them all.
package rootkey

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"

	"strongroom/internal/crypto/seal"
)

// provider is one kind of root keys. rest is the URL without the scheme.
type provider struct {
	form string // of a URL, for messages, such as "file:PATH"
	// check refuses a URL that is not in the form. It reads no files and sends no
	// requests.
	check func(rest string) error
	// open returns the key. If the provider can show the state of a key, open refuses
	// one that cannot be used.
	open func(ctx context.Context, rest string) (seal.RootKey, error)
	// create creates a new key where there is none. If there is one, the error matches
	// fs.ErrExist. If create is nil, keys are created elsewhere, and remedy says where.
	create func(ctx context.Context, rest string) error
	remedy string
}

// providers has the providers of this binary, by scheme.
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

// Check refuses a URL that this binary does not understand, and says what to write
// instead. It reads no files and sends no requests.
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

// shownFrom are the beginnings of what messages show of a refused URL, by scheme.
var shownFrom = map[string]string{"vault": "http", "azurekeyvault": "http", "tpm": "/", "awskms": "arn:", "gcpkms": "projects/"}

// shown returns what messages show of a refused URL: at most its place. A secret may be
// anywhere else: as a password of an address, as the value of a parameter that is unknown
// or misspelt, or in place of a name.
func shown(url string) string {
	scheme := Scheme(url)
	place := strings.TrimPrefix(url, scheme+":")
	from, known := shownFrom[scheme]
	if !known || !strings.HasPrefix(place, from) || strings.ContainsAny(place, "@\n") {
		return scheme + ":…"
	}
	if end := strings.IndexAny(place, "?#&;="); end >= 0 {
		place = place[:end] + "…"
	}
	return scheme + ":" + place
}

// parameters reads the parameters of a URL. A part without "=" is refused here, because an
// unknown name is repeated in a message and this part may be a secret.
func parameters(query string) (url.Values, error) {
	for part := range strings.SplitSeq(query, "&") {
		if query != "" && !strings.Contains(part, "=") {
			return nil, errors.New("a parameter is not NAME=VALUE")
		}
	}
	values, err := url.ParseQuery(query)
	if err != nil {
		return nil, errors.New("the parameters are not well-formed")
	}
	return values, nil
}

// Open opens the root key that a URL names. Errors say what is wrong with the key or
// its provider; see [ReasonOf] and [Passing]. Some providers find out only when the key
// wraps or unwraps. The caller limits the time with ctx. The key is safe for concurrent
// use.
func Open(ctx context.Context, url string) (seal.RootKey, error) {
	if err := Check(url); err != nil {
		return nil, err
	}
	p, rest, _ := find(url)
	return p.open(ctx, rest)
}

// Create creates the root key that a URL names. It never changes an existing key: then
// the error matches fs.ErrExist. If keys of this provider must be created elsewhere, the
// error matches errors.ErrUnsupported.
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

// Scheme returns the provider that a URL names, for metrics and reports.
func Scheme(url string) string {
	scheme, _, _ := strings.Cut(url, ":")
	return scheme
}

// errElsewhere means that another tool creates the keys of a provider.
var errElsewhere error = elsewhere{}

type elsewhere struct{}

func (elsewhere) Error() string { return "keys of this provider are not created" }

func (elsewhere) Is(target error) bool { return target == errors.ErrUnsupported }

func find(url string) (provider, string, error) {
	scheme, rest, _ := strings.Cut(url, ":")
	p, ok := providers[scheme]
	if !ok {
		return provider{}, "", fmt.Errorf("root key: the URL does not begin with a provider of this binary and a colon; the providers are %s",
			strings.Join(slices.Sorted(maps.Keys(providers)), ", "))
	}
	return p, rest, nil
}
