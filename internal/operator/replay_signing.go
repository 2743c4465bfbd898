package operator

import (
	"context"
	"strings"

	"strongroom/internal/domain"
	"strongroom/internal/record"
)

// signingKid is the kid in an entry about a signing key: the last word of its reason.
func signingKid(e domain.Entry) string { return e.Reason[strings.LastIndex(e.Reason, " ")+1:] }

// replaySigning withdraws the signing keys if one of them was withdrawn after the backup,
// because a withdrawal removes all keys that there are. Otherwise it erases the private
// keys that were erased.
func (u Restores) replaySigning(ctx context.Context, n newer, act domain.Act, is *domain.Replayed) error {
	if len(n.withdrawn)+len(n.erasedSigning) == 0 {
		return nil
	}
	var withdrawn, erased int
	_, err := u.act(ctx, request{Act: act, name: "replay"}, func(tx *record.Tx, e domain.Entry) error {
		withdrawn, erased = 0, 0
		e.Reason += asReplayed
		keys, err := tx.SigningKeys()
		if err != nil {
			return err
		}
		for _, k := range keys {
			if n.withdrawn[k.ID] {
				withdrawn = len(keys)
				return u.cfg.Issuer.Withdraw(tx, e)
			}
		}
		erased, err = u.eraseSigning(tx, e, keys, n.erasedSigning)
		return err
	})
	is.Withdrawn, is.SigningErased = withdrawn, erased
	return err
}

// eraseSigning erases private keys, by kid. The backup may lack the successor of the one
// that signs: a new one then signs at once.
func (u Restores) eraseSigning(tx *record.Tx, e domain.Entry, keys []domain.SigningKey, kids map[string]bool) (erased int, err error) {
	for i, state := range domain.SigningStates(keys, tx.Now()) {
		if state == domain.SigningActive && kids[keys[i].ID] {
			if err := u.cfg.Issuer.Rotate(tx, e, true); err != nil {
				return 0, err
			}
		}
	}
	for _, k := range keys {
		if !kids[k.ID] || len(k.Sealed) == 0 {
			continue
		}
		if err := tx.EraseSigningKey(e, k); err != nil {
			return 0, err
		}
		erased++
	}
	return erased, nil
}
