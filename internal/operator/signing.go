package operator

import (
	"context"
	"fmt"

	"strongroom/internal/domain"
	"strongroom/internal/issuer"
	"strongroom/internal/record"
)

// Signing are the use cases on the keys that sign receipts and keys.
type Signing struct{ *access }

// SigningKeys returns all signing keys in order of their numbers, without their
// private keys, and the state of each.
func (u Signing) SigningKeys(ctx context.Context) (all []domain.SigningKey, states []domain.SigningKeyState, err error) {
	err = u.look(ctx, func(tx *record.Tx) (err error) {
		all, err = tx.SigningKeys()
		states = domain.SigningStates(all, tx.Now())
		return err
	})
	for i := range all {
		all[i].Sealed = nil
	}
	return all, states, u.cfg.Records.Report(ctx, record.System, err)
}

// SigningKeySet returns the public keys that are published now, as a JWK Set.
func (u Signing) SigningKeySet(ctx context.Context) (set []byte, err error) {
	err = u.look(ctx, func(tx *record.Tx) error {
		all, err := tx.SigningKeys()
		if err != nil {
			return err
		}
		published, err := issuer.Published(all, tx.Now())
		set = published.JSON
		return err
	})
	return set, u.cfg.Records.Report(ctx, record.System, err)
}

// RotateSigningKey makes a successor of the active signing key (see
// [issuer.Issuer.Rotate]). Running instances follow within 15 s.
func (u Signing) RotateSigningKey(ctx context.Context, atOnce bool, act domain.Act) (domain.ActResult, error) {
	r := request{act, "rotate signing key", [][]byte{fmt.Append(nil, atOnce)}}
	return u.act(ctx, r, func(tx *record.Tx, e domain.Entry) error { return u.cfg.Issuer.Rotate(tx, e, atOnce) })
}

// WithdrawSigningKeys replaces all signing keys by one that signs at once (see
// [issuer.Issuer.Withdraw]). Running instances follow within 15 s; until then they
// accept receipts by the old keys.
func (u Signing) WithdrawSigningKeys(ctx context.Context, act domain.Act) (domain.ActResult, error) {
	return u.act(ctx, request{act, "withdraw signing keys", nil}, u.cfg.Issuer.Withdraw)
}
