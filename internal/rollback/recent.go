package rollback

// recent keeps the values that were put or read last: between rowsOfAGeneration
// and twice as many.
type recent[V any] struct{ now, past map[uint64]V }

func (r *recent[V]) get(k uint64) (v V, known bool) {
	if v, known = r.now[k]; known {
		return v, true
	}
	if v, known = r.past[k]; known {
		r.put(k, v)
	}
	return v, known
}

func (r *recent[V]) put(k uint64, v V) {
	if r.now == nil || len(r.now) >= rowsOfAGeneration {
		r.past, r.now = r.now, map[uint64]V{}
	}
	r.now[k] = v
}

func (r *recent[V]) drop(k uint64) {
	delete(r.now, k)
	delete(r.past, k)
}
