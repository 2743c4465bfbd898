package rootkey

import (
	"context"
	"crypto/fips140"
	"errors"
	"fmt"
	"io/fs"
	"sync"
	"time"

	"strongroom/internal/crypto/seal"
	"strongroom/internal/pkcs11"
)

// hsmKeys are keys in hardware security modules, used through PKCS#11 by a helper
// process: see [pkcs11].
var hsmKeys = provider{
	form: "pkcs11:token=NAME;object=NAME?module-path=PATH&pin-source=PATH, a PKCS#11 URI (RFC 7512) with token, serial, manufacturer, model, slot-id, object, id, type, module-path, pin-source and oaep-hash",
	check: func(rest string) error {
		key, err := pkcs11.ParseURI(rest)
		if err == nil && key.SHA1 && fips140.Enabled() {
			return errors.New("oaep-hash=sha-1 is off in FIPS 140-3 mode; use an AES-256 key")
		}
		return err
	},
	open:   openHSM,
	create: createHSM,
}

// hsms has the clients of this process, by URL without the scheme, so that all uses of a
// key share one helper.
var hsms struct {
	mu  sync.Mutex
	all map[string]*pkcs11.Client
}

func hsmClient(rest string, key pkcs11.Key) *pkcs11.Client {
	hsms.mu.Lock()
	defer hsms.mu.Unlock()
	c, ok := hsms.all[rest]
	if !ok {
		if hsms.all == nil {
			hsms.all = map[string]*pkcs11.Client{}
		}
		c = pkcs11.NewClient(key)
		hsms.all[rest] = c
	}
	return c
}

// hsmKey is a key in an HSM.
type hsmKey struct {
	id, url string
	key     pkcs11.Key
	client  *pkcs11.Client
}

func newHSMKey(rest string) (*hsmKey, error) {
	key, err := pkcs11.ParseURI(rest)
	if err != nil {
		return nil, err
	}
	return &hsmKey{url: "pkcs11:" + rest, key: key, client: hsmClient(rest, key)}, nil
}

func openHSM(ctx context.Context, rest string) (seal.RootKey, error) {
	k, err := newHSMKey(rest)
	if err != nil {
		return nil, err
	}
	a, err := k.ask(ctx, pkcs11.Open, nil, nil)
	k.id = a.ID
	return k, err
}

func createHSM(ctx context.Context, rest string) error {
	k, err := newHSMKey(rest)
	if err != nil {
		return err
	}
	if k.key.Label == "" {
		return fmt.Errorf("%s: a new key needs a name: add object=NAME", k.url)
	}
	_, err = k.ask(ctx, pkcs11.Create, nil, nil)
	return err
}

// ID names the key. It is the same for all tokens with a copy of the key.
func (k *hsmKey) ID() string { return k.id }

// Wrap encrypts in the token, or with the public half of an RSA key.
func (k *hsmKey) Wrap(ctx context.Context, plaintext, associatedData []byte) ([]byte, error) {
	a, err := k.ask(ctx, pkcs11.Wrap, plaintext, associatedData)
	return a.Data, err
}

// Unwrap decrypts in the token.
func (k *hsmKey) Unwrap(ctx context.Context, wrapped, associatedData []byte) ([]byte, error) {
	a, err := k.ask(ctx, pkcs11.Unwrap, wrapped, associatedData)
	return a.Data, err
}

// askHSM is the timeout of one use of the HSM. Tests shorten it.
var askHSM = 15 * time.Second

func (k *hsmKey) ask(ctx context.Context, op pkcs11.Op, data, bound []byte) (pkcs11.Answer, error) {
	ctx, cancel := context.WithTimeout(ctx, askHSM)
	defer cancel()
	a, err := k.client.Do(ctx, op, data, bound)
	f, is := errors.AsType[*pkcs11.Failure](err)
	switch {
	case err == nil:
		return a, nil
	case errors.Is(err, context.DeadlineExceeded):
		return a, &Error{k.url, Timeout, "check the HSM and the network to it; the helper process was ended and starts again at the next try", errors.New("the HSM did not answer in time")}
	case !is:
		return a, err // the process ends
	case f.Code == pkcs11.WrongKey:
		return a, seal.ErrSeal
	case f.Code == pkcs11.Exists:
		return a, fmt.Errorf("%s: %w: %s", k.url, fs.ErrExist, f.Detail)
	}
	var cause error = f
	if f.Code == pkcs11.WrongPIN || f.Code == pkcs11.UnclearPIN {
		cause = wrongSecret{f}
	}
	told, known := hsmFailures[f.Code]
	if !known {
		told = hsmFailures[pkcs11.DeviceFailure]
	}
	return a, &Error{k.url, told.reason, told.remedy, cause}
}

// hsmFailures says what to do about each failure.
var hsmFailures = map[pkcs11.Code]struct {
	reason Reason
	remedy string
}{
	pkcs11.NoHelper:      {Missing, "install the file " + pkcs11.Program + " of this release beside strongroom (make build makes both)"},
	pkcs11.Crashed:       {Unavailable, "the next try starts it again; if it ends again, the HSM's module fails: update it, and try pkcs11-tool --module PATH --login --test"},
	pkcs11.Protocol:      {Invalid, "install strongroom and " + pkcs11.Program + " of the same release"},
	pkcs11.NoModule:      {Missing, "install the HSM vendor's client, and correct module-path"},
	pkcs11.BadModule:     {Invalid, "module-path must name the HSM vendor's PKCS#11 library for this machine; ldd PATH shows missing libraries"},
	pkcs11.NoToken:       {Unreachable, "connect the HSM, check its client's configuration and the variables that it needs (" + pkcs11.EnvironmentVariable + "), and correct token, serial or slot-id"},
	pkcs11.ManyTokens:    {Invalid, "name one token by serial or slot-id"},
	pkcs11.NoPIN:         {Denied, "write the PIN to a file with mode 0600 and name it with pin-source"},
	pkcs11.BadPINFile:    {Denied, "correct the file of pin-source"},
	pkcs11.WrongPIN:      {Denied, "write the right PIN to the file of pin-source; do not restart before, because the token locks itself after some wrong PINs"},
	pkcs11.UnclearPIN:    {Denied, "check the HSM, and the PIN in the file of pin-source; another PIN in the file is tried at once, and the same PIN once more after a restart"},
	pkcs11.LastPIN:       {Denied, "write the right PIN to the file of pin-source, then sign in once by hand (pkcs11-tool --module PATH --login --list-objects), which resets the token's count"},
	pkcs11.LockedPIN:     {Disabled, "the HSM's security officer must unlock the user PIN or set a new one"},
	pkcs11.NoKey:         {Missing, "correct object, id and type; if the key was deleted, restore it from the HSM's backup, or start with another root key of the database"},
	pkcs11.ManyKeys:      {Invalid, "name one key by id or type"},
	pkcs11.Unsupported:   {Invalid, "the token must support AES-GCM for an AES key or RSA-OAEP for an RSA key; update its firmware or use another token"},
	pkcs11.NoSHA256:      {Invalid, "use an AES-256 key (root-key create), or allow SHA-1 for this key with &oaep-hash=sha-1 in the URL"},
	pkcs11.NotPermitted:  {Disabled, "allow the key to encrypt and decrypt (CKA_ENCRYPT, CKA_DECRYPT), or create another one with root-key create"},
	pkcs11.Extractable:   {Invalid, "create another key with root-key create, which never leaves the token"},
	pkcs11.WrongKind:     {Invalid, "name an AES key of 256 bits or an RSA key of at least 2048 bits; root-key create makes an AES key"},
	pkcs11.Removed:       {Unreachable, "connect the HSM again"},
	pkcs11.DeviceFailure: {Unavailable, "check the HSM's state and its client's log"},
}
