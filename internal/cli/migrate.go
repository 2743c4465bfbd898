package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"strongroom/internal/config"
	"strongroom/internal/store"
)

type migrateCmd struct {
	kong.Plugins
	Status bool `help:"Print the engine, the schema version and pending migrations, and change nothing. Exit 0: current. Exit 1: migrations are pending, the schema differs from its version, or the database is newer than this binary."`
}

// Run migrates, and prints from which version to which. If there is no database yet, it
// creates an empty one, which serve can begin. It is safe while a server runs: the server
// waits for the migration, and then refuses a schema that it does not know.
func (c migrateCmd) Run(ctx context.Context, p *Program) (err error) {
	s, err := p.settings()
	if err != nil {
		return err
	}
	if c.Status {
		return schemaStatus(ctx, p, s)
	}
	if err := os.MkdirAll(s.DataDir, 0o700); err != nil {
		return fmt.Errorf("creating the data directory: %w", err)
	}
	st, err := p.OpenSchema(ctx, s, true)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, st.Close()) }()
	have, known, err := st.SchemaVersion(ctx)
	if err != nil {
		return err
	}
	if err := awaitMigration(ctx, p, st, s.DatabaseWait); err != nil {
		return err
	}
	if have == known {
		fmt.Fprintf(p.Stdout, "The schema is already at version %d. Nothing was changed.\n", known)
		return nil
	}
	fmt.Fprintf(p.Stdout, "Migrated the schema from version %d to %d.\n", have, known)
	return nil
}

// migratePause is the time between two attempts to migrate. Requests do not wait in it.
const migratePause = 5 * time.Second

// awaitMigration migrates. While the database cannot take the migration, for example
// because of a long transaction, it prints why and tries again.
func awaitMigration(ctx context.Context, p *Program, st Schema, wait time.Duration) error {
	for end := time.Now().Add(wait); ; {
		err := st.Migrate(ctx)
		left := time.Until(end)
		if !errors.Is(err, store.ErrUnavailable) || left <= 0 {
			return err
		}
		fmt.Fprintf(p.Stderr, "Retrying for at most %v: %v\n", left.Round(time.Second), err)
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(min(migratePause, left)):
		}
	}
}

// schemaStatus prints whether migrations are pending, and fails if they are.
func schemaStatus(ctx context.Context, p *Program, s *config.Settings) (err error) {
	st, err := p.OpenSchema(ctx, s, false) // refuses a newer database, and names both versions
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, st.Close()) }()
	have, known, err := st.SchemaVersion(ctx)
	if err != nil {
		return err
	}
	engine := "SQLite"
	if s.Database.URL != "" {
		engine = "PostgreSQL"
	}
	fmt.Fprintf(p.Stdout, "Engine:                 %s\nSchema in the database: %d\nSchema of this binary:  %d\nPending migrations:     %s\n",
		engine, have, known, pending(have, known))
	if err := st.CheckSchema(ctx); err != nil {
		return ExitError{ExitFailed, err}
	}
	if have < known {
		return ExitError{ExitFailed, errors.New("migrations are pending: run strongroom migrate, or start serve, which also runs them")}
	}
	return st.View(ctx, func(tx store.Tx) error { return store.CheckCopied(tx) })
}

// pending lists the numbers of the migrations after version have.
func pending(have, known int64) string {
	if have == known {
		return "none"
	}
	var numbers []string
	for n := have + 1; n <= known; n++ {
		numbers = append(numbers, fmt.Sprint(n))
	}
	return strings.Join(numbers, ", ")
}
