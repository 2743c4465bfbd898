package record

import "context"

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

// Scrub makes erasures physical (see store.Store), if anything was erased
// since the last call. If it fails, the next call tries again. The error is
// [store.ErrScrubLater] if a reader of the database is in the way.
func (r *Records) Scrub(ctx context.Context) error {
	if !r.erased.Swap(false) {
		return nil
	}
	err := r.cfg.Store.Scrub(ctx)
	if err != nil {
		r.erased.Store(true)
	}
	return err
}
