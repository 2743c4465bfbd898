package operator

import (
	"context"
	"fmt"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/record"
)

// Restores are the use cases on a store that was restored from a backup, before it
// is served.
type Restores struct{ *access }

// DeclareRestore begins a new epoch, and records which backup was restored and why.
// All fields of what must be set, except From and To: it returns them as the old
// and the new epoch.
func (u Restores) DeclareRestore(ctx context.Context, what domain.Restore, act domain.Act) (domain.Restore, error) {
	_, err := u.act(ctx, request{Act: act, name: "restore"}, func(tx *record.Tx, e domain.Entry) error {
		before, err := tx.Epoch()
		if err != nil {
			return err
		}
		at := tx.Now()
		if !at.After(what.Newest) { // the clock is behind the backup's
			at = what.Newest.Add(time.Microsecond)
		}
		e.Reason = fmt.Sprintf("%s (backup of %s, trail up to %s, heads %s, epoch %d to %d)", e.Reason,
			what.Made.UTC().Format(time.RFC3339), what.Newest.UTC().Format(time.RFC3339), what.Heads, before.Number, before.Number+1)
		is, err := tx.RaiseEpoch(e, at, what.Witness)
		what.From, what.To = before.Number, is.Number
		return err
	})
	return what, err
}
