package metrics

import (
	"maps"
	"slices"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/store"
)

// memory is the part of a store that roll-ups need, with real transactions:
// failed ones are rolled back. It embeds a nil store.Tx, so that using anything
// else panics.
type memory struct {
	store.Tx
	now      time.Time
	settings map[string][]byte
	entries  map[string][]domain.Entry
	buckets  map[memoryID]domain.Bucket
}

type memoryID struct {
	instance string
	width    domain.BucketWidth
	start    time.Time
}

func newMemory(now time.Time) *memory {
	return &memory{now: now, settings: map[string][]byte{}, entries: map[string][]domain.Entry{}, buckets: map[memoryID]domain.Bucket{}}
}

// update runs fn and keeps what it wrote only when it succeeds.
func (m *memory) update(fn func(store.Tx) error) error {
	tx := *m
	tx.settings, tx.entries, tx.buckets = maps.Clone(m.settings), maps.Clone(m.entries), maps.Clone(m.buckets)
	if err := fn(&tx); err != nil {
		return err
	}
	*m = tx
	return nil
}

func (m *memory) Now() time.Time { return m.now }

func (m *memory) Interleave(fns ...func() error) error { return store.InOrder(fns) }

func (m *memory) Setting(name string) ([]byte, error) {
	v, ok := m.settings[name]
	if !ok {
		return nil, store.ErrNotFound
	}
	return v, nil
}

func (m *memory) PutSettingLater(name string, value []byte) error {
	m.settings[name] = value
	return nil
}

func (m *memory) InsertEntry(e domain.Entry) error {
	chain := m.entries[e.Chain]
	e.Seq = int64(len(chain)) + 1
	m.entries[e.Chain] = append(chain, e) // what an undone transaction left past the end is overwritten
	return nil
}

func (m *memory) LastEntry(chain string) (domain.Entry, error) {
	entries := m.entries[chain]
	if len(entries) == 0 {
		return domain.Entry{}, store.ErrNotFound
	}
	return entries[len(entries)-1], nil
}

func (m *memory) EachEntry(chain string, after int64, fn func(domain.Entry) error) error {
	for _, e := range m.entries[chain][after:] {
		if err := fn(e); err != nil {
			return err
		}
	}
	return nil
}

func (m *memory) EntriesFrom(from []domain.EntryPosition, limit int) (all []domain.Entry, err error) {
	for _, p := range from {
		chain := m.entries[p.Chain]
		at := min(p.Seq-1, int64(len(chain)))
		all = append(all, chain[at:min(at+int64(limit), int64(len(chain)))]...)
	}
	return all, nil
}

func (m *memory) Buckets(instance string, at []domain.BucketPosition) ([]*domain.Bucket, error) {
	all := make([]*domain.Bucket, len(at))
	for i, p := range at {
		if b, ok := m.buckets[memoryID{instance, p.Width, p.Start}]; ok {
			all[i] = &b
		}
	}
	return all, nil
}

// bucket returns a bucket, or an empty one.
func (m *memory) bucket(instance string, width domain.BucketWidth, start time.Time) domain.Bucket {
	return m.buckets[memoryID{instance, width, start}]
}

func (m *memory) PutBucket(b domain.Bucket) error {
	m.buckets[memoryID{b.Instance, b.Width, b.Start}] = b
	return nil
}

func (m *memory) EachBucket(spans []domain.BucketSpan, fn func(domain.Bucket) error) error {
	var found []domain.Bucket
	for id, b := range m.buckets {
		if slices.ContainsFunc(spans, func(s domain.BucketSpan) bool {
			return id.width == s.Width && !id.start.Before(s.From) && id.start.Before(s.To)
		}) {
			found = append(found, b)
		}
	}
	slices.SortFunc(found, func(a, b domain.Bucket) int { return a.Start.Compare(b.Start) })
	for _, b := range found {
		if err := fn(b); err != nil {
			return err
		}
	}
	return nil
}

func (m *memory) EachCount(span domain.BucketSpan, fn func(domain.Bucket) error) error {
	return m.EachBucket([]domain.BucketSpan{span}, func(b domain.Bucket) error {
		b.Devices = nil
		return fn(b)
	})
}

func (m *memory) DeleteBuckets(width domain.BucketWidth, before time.Time) error {
	maps.DeleteFunc(m.buckets, func(id memoryID, _ domain.Bucket) bool {
		return id.width == width && id.start.Before(before)
	})
	return nil
}

// writing writes a batch in a transaction of a store.
func writing(b *Batch) func(store.Tx) error {
	return func(tx store.Tx) error { return b.Write(tx) }
}
