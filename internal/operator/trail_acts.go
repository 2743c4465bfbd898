package operator

import (
	"context"

	"golang.org/x/mod/sumdb/note"

	"strongroom/internal/trail"
)

// Checkpoint makes a checkpoint of the audit trail now.
func (u Trail) Checkpoint(ctx context.Context, signer note.Signer) ([]byte, error) {
	entry, err := u.operatorEntry(ctx, "")
	if err != nil {
		return nil, err
	}
	return u.cfg.Trail.SignCheckpoint(ctx, signer, entry)
}

// PruneTrail removes the oldest entries of the audit trail (see
// [trail.Upkeep.Prune]).
func (u Trail) PruneTrail(ctx context.Context, what trail.Pruning) (trail.Pruned, error) {
	entry, err := u.operatorEntry(ctx, what.Reason)
	if err != nil {
		return trail.Pruned{}, err
	}
	return u.cfg.Trail.Prune(ctx, what, entry)
}
