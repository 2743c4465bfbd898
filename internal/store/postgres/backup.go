package postgres

import (
	"context"

	"strongroom/internal/store"
)

// EachRowOf calls fn for every row of all tables, in the order of [store.Tables],
// on one snapshot, beside any writers. The row is valid until fn returns. While it
// runs, VACUUM keeps the rows that others delete.
func (s *Store) EachRowOf(ctx context.Context, fn func(store.Table, store.Row) error) error {
	have, known, err := s.SchemaVersion(ctx)
	if err == nil {
		err = store.CheckNotOutdated(have, known)
	}
	if err != nil {
		return err
	}
	return s.view(ctx, func(tx *tx) error {
		_ = tx.Now() // begun before the first page: see EachRow
		for _, t := range store.Tables {
			if err := tx.eachRow(t, nil, func(r store.Row) error { return fn(t, r) }); err != nil {
				return err
			}
		}
		return nil
	})
}
