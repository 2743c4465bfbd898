package backup

import (
	"context"
	"errors"

	"strongroom/internal/store"
	"strongroom/internal/store/sqlite"
)

// RowReader is an engine whose rows are read on one snapshot: PostgreSQL.
type RowReader interface {
	EachRowOf(ctx context.Context, fn func(store.Table, store.Row) error) error
}

// Rows backs up an engine row by row.
type Rows struct{ From RowReader }

// SnapshotTo is that of [Snapshotter].
func (r Rows) SnapshotTo(ctx context.Context, path string) (err error) {
	to, err := sqlite.CreateTarget(ctx, path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, to.Close()) }()
	return r.From.EachRowOf(ctx, func(t store.Table, row store.Row) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		return to.Add(t, row)
	})
}
