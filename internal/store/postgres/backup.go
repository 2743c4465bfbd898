package postgres

import (
	"context"
	"errors"

	"strongroom/internal/domain"
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
		if err := s.fix(ctx, tx); err != nil {
			return err
		}
		for _, t := range store.Tables {
			if err := tx.eachRow(t, nil, func(r store.Row) error { return fn(t, r) }); err != nil {
				return err
			}
		}
		return nil
	})
}

// sqlLockAccounts waits for transactions that write accounts, and stops others until
// this one ends.
const sqlLockAccounts = `LOCK TABLE account IN SHARE MODE`

// fix takes the snapshot of a View before its first page (see [Store.EachRow]). On
// Citus, each node has a snapshot of its own, and the table account is on the
// coordinator. Meanwhile no account is written, or a key could be read whose account
// is too new for the coordinator's snapshot.
func (s *Store) fix(ctx context.Context, view *tx) error {
	if s.citus == nil {
		_ = view.Now()
		return view.alive()
	}
	return s.update(ctx, func(lock *tx) error {
		if _, err := lock.Exec(sqlLockAccounts); err != nil {
			return err
		}
		for node := range s.citus.nodes {
			if _, err := view.Attempts(s.citus.on(node, "node"), domain.Passcode); err != nil && !errors.Is(err, store.ErrNotFound) {
				return err
			}
		}
		return nil
	})
}
