package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"strongroom/internal/store"
)

// schemaCmd is migrate with the flag that only looks.
type schemaCmd struct {
	migrateCmd
	Status bool `help:"Change nothing: print the engine, the schema's version and the migrations that are pending. Exit 0: current, 1: migrations are pending, or the database is newer than this binary."`
}

// Run migrates, or looks whether there is something to migrate.
func (c schemaCmd) Run(ctx context.Context, p *process) (err error) {
	if !c.Status {
		return c.migrateCmd.Run(ctx, p)
	}
	s, err := p.settings()
	if err != nil {
		return err
	}
	st, err := openStore(ctx, s, true) // which refuses a newer database, and says both versions
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
	fmt.Fprintf(p.stdout, "Engine:                 %s\nSchema in the database: %d\nSchema of this binary:  %d\nPending migrations:     %s\n",
		engine, have, known, pending(have, known))
	if have < known {
		return exit{exitFailed, errors.New("migrations are pending: strongroom migrate runs them, and so does the next start of serve")}
	}
	return st.View(ctx, func(tx store.Tx) error { return store.CheckCopied(tx) })
}

// pending are the numbers of the migrations after version have.
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
