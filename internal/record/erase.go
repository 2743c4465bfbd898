package record

import (
	"context"
	"errors"

	"strongroom/internal/store"
)

// MarkErased notes an erasure, possibly by another process on the same store.
// The next [Records.Scrub] makes it physical.
func (r *Records) MarkErased() { r.erased.Store(true) }

// markErased notes that this transaction erases something: at once, because
// nobody may learn that it was committed, and again after the commit, because a
// Scrub before it makes nothing physical.
func (tx *Tx) markErased() {
	tx.r.MarkErased()
	tx.OnCommit(func(context.Context) { tx.r.MarkErased() })
}

// Scrub makes erasures physical (see [store.Store]), if anything was erased
// since the last call. If the store cannot scrub something now, the next call does.
func (r *Records) Scrub(ctx context.Context) error {
	if !r.erased.Swap(false) {
		return nil
	}
	err := r.cfg.Store.Scrub(ctx)
	if err != nil {
		r.erased.Store(true)
	}
	if errors.Is(err, store.ErrScrubLater) {
		return nil
	}
	return err
}
