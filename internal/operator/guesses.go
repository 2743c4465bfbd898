package operator

import (
	"context"
	"slices"

	"strongroom/internal/audit"
	"strongroom/internal/domain"
	"strongroom/internal/ratelimit"
	"strongroom/internal/record"
)

const maxSuspicions = 1000 // entries that one call reads

// Suspicions returns the sources that are suspected of guessing now: by this
// instance, and by other instances according to the trail.
func (u *UseCases) Suspicions(ctx context.Context) (all []domain.Suspicion, err error) {
	var entries []domain.Entry
	err = u.look(ctx, func(tx *record.Tx) (err error) {
		entries, err = tx.EntriesOfEvent(domain.EventGuessingSuspected, tx.Now().Add(-ratelimit.GuessWindow), domain.EntryPosition{}, maxSuspicions)
		return err
	})
	if err != nil {
		return nil, err
	}
	entries = slices.DeleteFunc(entries, func(e domain.Entry) bool { return !audit.Genuine(u.cfg.Keys, e) })
	return u.cfg.Guessing.Suspicions(entries), nil
}
