package record

import "strongroom/internal/domain"

// OwnsChain reports whether this process appends to a chain of the trail.
func (r *Records) OwnsChain(chain string) bool {
	for writer := range r.cfg.Writers {
		if chain == r.cfg.Trail.Of(writer) {
			return true
		}
	}
	return false
}

// Heads are the newest entries of all chains of the trail.
func (tx *Tx) Heads() ([]domain.Entry, error) {
	chains, err := tx.Chains()
	if err != nil {
		return nil, err
	}
	heads := make([]domain.Entry, len(chains))
	for i, chain := range chains {
		if heads[i], err = tx.LastEntry(chain); err != nil {
			return nil, err
		}
	}
	return heads, nil
}
