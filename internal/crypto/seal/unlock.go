package seal

import (
	"bytes"
	"context"
	"errors"
	"fmt"
)

// Errors of [Unlock] that an operator acts on. The message around them says
// how.
var (
	// ErrWrongRootKey: the database is well but belongs to another root key.
	ErrWrongRootKey = errors.New("wrong root key")
	// ErrDamaged: the root key is the right one, and what it should open was
	// changed or lost.
	ErrDamaged = errors.New("damaged database")
)

// A canary, version 1: the format byte 1, then RootKey.Wrap of canaryText with
// canaryPurpose as associated data. It holds no secret; it exists because a
// keyset that does not open cannot itself tell whether key or keyset is wrong.
const (
	formatCanary  = 1
	canaryPurpose = "strongroom canary v1"
	canaryText    = "strongroom canary"
)

// NewCanary makes the record that later tells whether a root key is the one
// that this database belongs to.
func NewCanary(ctx context.Context, root RootKey) ([]byte, error) {
	wrapped, err := root.Wrap(ctx, []byte(canaryText), []byte(canaryPurpose))
	if err != nil {
		return nil, fmt.Errorf("wrapping the canary: %w", err)
	}
	return versioned(formatCanary, wrapped), nil
}

// CheckCanary returns nil when root made the canary, [ErrSeal] when it did
// not or the canary was changed, and the provider's error when it could not be
// asked.
func CheckCanary(ctx context.Context, root RootKey, canary []byte) error {
	if len(canary) == 0 || canary[0] != formatCanary {
		return ErrSeal
	}
	text, err := root.Unwrap(ctx, canary[1:], []byte(canaryPurpose))
	if err != nil {
		return fmt.Errorf("unwrapping the canary: %w", err)
	}
	if !bytes.Equal(text, []byte(canaryText)) {
		return ErrSeal
	}
	return nil
}

// Stored is what a database keeps to be unlocked with.
type Stored struct {
	RootKeyID string // RootKey.ID of the root key, in clear
	Canary    []byte // from NewCanary
	Keyset    []byte // from Keyset.Wrap
}

// Unlock opens a database's keyset. When canary and keyset both open, nothing
// else matters, a damaged fingerprint included. When only one of them opens,
// the root key is right and the other was damaged. When neither does, the
// fingerprint decides: another one means another root key.
//
// It fails with [ErrWrongRootKey] or [ErrDamaged], in a message for the
// operator, or with the root key provider's own error.
func Unlock(ctx context.Context, root RootKey, stored Stored) (*Keyset, error) {
	canaryErr := CheckCanary(ctx, root, stored.Canary)
	if canaryErr != nil && !errors.Is(canaryErr, ErrSeal) {
		return nil, canaryErr
	}
	k, keysetErr := UnwrapKeyset(ctx, root, stored.Keyset)
	if keysetErr != nil && !errors.Is(keysetErr, ErrSeal) {
		return nil, keysetErr
	}
	switch {
	case canaryErr == nil && keysetErr == nil:
		return k, nil
	case canaryErr == nil:
		return nil, damaged(root, stored, "the keyset does not decrypt, although the canary does")
	case keysetErr == nil:
		return nil, damaged(root, stored, "the canary does not decrypt, although the keyset does")
	case stored.RootKeyID == root.ID():
		return nil, damaged(root, stored, "neither keyset nor canary decrypts")
	}
	return nil, fmt.Errorf("%w: the database belongs to the root key with fingerprint %q, the one given has %q; "+
		"nothing was changed, start again with the root key that the database belongs to", ErrWrongRootKey, stored.RootKeyID, root.ID())
}

func damaged(root RootKey, stored Stored, what string) error {
	return fmt.Errorf("%w: %s (fingerprint of the root key given: %q, stored in the database: %q); "+
		"restore the database from a backup and keep the root key", ErrDamaged, what, root.ID(), stored.RootKeyID)
}
