package main

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"strongroom/internal/cli"
	"strongroom/internal/config"
	"strongroom/internal/ownfile"
	"strongroom/internal/store"
	"strongroom/internal/store/postgres"
	"strongroom/internal/store/sqlite"
)

// engine is a store with its schema.
type engine interface {
	store.Store
	cli.Schema
	// Writers is how many Updates can run at the same time.
	Writers() int
}

// chainOf returns the function by which a store names the chains of its writers, or nil
// if the store does not name them.
func chainOf(st engine) func(process string, writer int) string {
	if named, ok := st.(interface {
		ChainOf(process string, writer int) string
	}); ok {
		return named.ChainOf
	}
	return nil
}

// deadNodes returns the function that names the nodes of a store that do not answer,
// or nil if the store is not distributed.
func deadNodes(st engine) func(context.Context) ([]string, error) {
	if of, ok := st.(*postgres.Store); ok && of.Distributed() {
		return of.DeadNodes
	}
	return nil
}

// opening is how a SQLite file is opened.
type opening int

const (
	existing opening = iota // it must be there
	created                 // it is created if it does not exist
	served                  // like created, and no other server may have it open
)

// checkDatabaseFile refuses, for a service that runs as root, a SQLite file that another
// user can replace or change. If the service runs as another user, nothing is checked,
// because its directory may belong to someone else, as on a volume.
func checkDatabaseFile(path string) error {
	if path == "" || os.Geteuid() != 0 {
		return nil
	}
	real := path // SQLite puts the write-ahead log beside it
	if target, err := filepath.EvalSymlinks(path); err == nil {
		real = target
	}
	// Not CheckDirOf: in a directory such as /tmp, anyone can put a write-ahead log there
	// while no server runs, and SQLite would apply it.
	err := ownfile.CheckDir(filepath.Dir(real))
	if err == nil {
		var f *os.File
		if f, _, err = ownfile.Open(path); err == nil {
			err = f.Close()
		}
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil // it is created, or the opening says that its directory is missing
	}
	return err
}

// openStore opens the database that the settings name.
func openStore(ctx context.Context, s *config.Settings, how opening, log *slog.Logger) (engine, error) {
	if s.Database.URL == "" {
		st, err := sqlite.Open(ctx, sqlite.Config{Path: s.Database.Path, MustExist: how == existing, Served: how == served})
		if err != nil {
			return nil, err // not st: a nil pointer would make an engine that is not nil
		}
		return st, nil
	}
	st, err := postgres.Open(ctx, postgres.Config{URL: s.Database.URL, MaxConnections: s.DatabaseMaxConnections,
		Once: how == served, Log: log}) // awaitStore retries
	if err != nil {
		return nil, err
	}
	return st, nil
}

// The shortest and the longest pause of awaitStore before it retries.
const firstLook, lastLook = 250 * time.Millisecond, 5 * time.Second

// awaitStore opens and migrates the store for a server. While PostgreSQL cannot
// serve, it retries. Nothing listens meanwhile, so probes fail and supervisors see
// a start that is under way. A stop ends it at once.
func awaitStore(ctx context.Context, s *config.Settings, log *slog.Logger) (engine, error) {
	end := time.Now().Add(s.DatabaseWait)
	for pause := firstLook; ; pause = min(2*pause, lastLook) {
		st, err := openMigrated(ctx, s, log)
		left := time.Until(end)
		if ctx.Err() != nil || s.Database.URL == "" || !errors.Is(err, store.ErrUnavailable) || left <= 0 {
			return st, err
		}
		log.Warn("waiting for the database", "error", err, "left", left.Round(time.Second).String())
		select {
		case <-time.After(min(pause, left)):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// openMigrated opens the store, creates it if it does not exist, and migrates it.
func openMigrated(ctx context.Context, s *config.Settings, log *slog.Logger) (engine, error) {
	st, err := openStore(ctx, s, served, log)
	if err != nil {
		return nil, err
	}
	have, known, err := st.SchemaVersion(ctx)
	if err == nil {
		err = st.Migrate(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, st.Close())
	}
	if have > 0 && have < known {
		log.Warn("the database was migrated", "from", have, "to", known)
	}
	return st, nil
}

// openThere opens a store that must exist and be migrated.
func openThere(ctx context.Context, s *config.Settings, log *slog.Logger) (engine, error) {
	st, err := openStore(ctx, s, existing, log)
	if err != nil {
		return nil, err
	}
	if err := st.Ping(ctx); err != nil { // also if there is no schema yet
		return nil, errors.Join(err, st.Close())
	}
	return st, nil
}
