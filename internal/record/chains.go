package record

// OwnsChain reports whether this process appends to a chain of the trail.
func (r *Records) OwnsChain(chain string) bool {
	for writer := range r.cfg.Writers {
		if chain == r.cfg.Trail.Of(writer) {
			return true
		}
	}
	return false
}
