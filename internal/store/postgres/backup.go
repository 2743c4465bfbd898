package postgres

import (
	"context"
	"errors"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/store"
	"strongroom/internal/store/sqltx"
)

// EachRowOf calls fn for every row of all tables, in the order of [store.Tables],
// on one snapshot. Others may write meanwhile. The row is valid until fn returns.
// While EachRowOf runs, VACUUM cannot remove the rows that others delete.
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

// sqlPrepared counts the transactions that nodes of Citus have prepared and not committed.
const sqlPrepared = `
		SELECT CAST(sum(CAST(n.result AS BIGINT)) AS BIGINT)
		FROM run_command_on_all_nodes('SELECT count(*) FROM pg_prepared_xacts WHERE database = current_database()') AS n`

// fix takes the snapshot of a View before its first page (see [Store.EachRow]). On
// Citus, each node has a snapshot of its own, and the table account is on all nodes. A
// backup could read a key from one node and miss its account in the older snapshot of
// another. So fix takes the snapshots while no account is being written on any node.
func (s *Store) fix(ctx context.Context, view *tx) error {
	if s.citus == nil {
		_ = view.Now()
		return view.alive()
	}
	return s.update(ctx, func(lock *tx) error {
		if _, err := lock.Exec(sqlLockAccounts); err != nil {
			return err
		}
		if err := lock.nonePrepared(); err != nil {
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

// mostPrepared is how long a backup waits for the nodes to commit.
const mostPrepared = 2 * time.Second

var errPrepared = errors.New("prepared transactions on the nodes of Citus did not commit within 2 s: try again; " +
	"if that continues, see pg_prepared_xacts on each node")

// nonePrepared waits until no node has a prepared transaction: the coordinator commits
// first, and the nodes shortly after it.
func (t *tx) nonePrepared() error {
	for start := time.Now(); time.Since(start) < mostPrepared; {
		n, err := sqltx.One(t, sqltx.Row.Integer, sqlPrepared)
		if err != nil || n == 0 {
			return err
		}
		if err := pause(t.ctx, 1); err != nil {
			return err
		}
	}
	return errPrepared
}
