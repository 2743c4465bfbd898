package issuer

import (
	"fmt"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/record"
)

// Withdraw removes all keys and makes one that signs at once. e is the start of the
// operator's entries. It also works if records were edited.
func (i *Issuer) Withdraw(tx *record.Tx, e domain.Entry) error {
	if err := tx.RemoveSigningKeys(e); err != nil {
		return err
	}
	return i.add(tx, e, 0, tx.Now())
}

// Rotate makes a successor of the active key. e is the start of the operator's entry.
// The successor is published for [domain.SigningPublished] before it signs. With atOnce
// it signs at once. If a successor is already published, atOnce lets that one sign, and
// without atOnce Rotate fails with CONFLICT.
func (i *Issuer) Rotate(tx *record.Tx, e domain.Entry, atOnce bool) error {
	all, err := tx.SigningKeys()
	if err != nil {
		return err
	}
	from := tx.Now()
	if !atOnce {
		from = from.Add(domain.SigningPublished)
	}
	if len(all) == 0 {
		return i.add(tx, e, 0, tx.Now())
	}
	last := all[len(all)-1]
	switch {
	case len(all) == 1, !tx.Now().Before(last.ActiveFrom): // the last key signs
		return i.add(tx, e, len(all), from)
	case atOnce:
		return tx.ActivateSigningKey(e, last, from)
	}
	return domain.Conflict(fmt.Sprintf("Signing key %d is published already and signs from %s. Use --now to let it sign at once.",
		last.Number, last.ActiveFrom.UTC().Format(time.RFC3339)))
}
