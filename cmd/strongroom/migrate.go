package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/alecthomas/kong"
)

type migrateCmd struct {
	kong.Plugins
}

// Run migrates and says from which version to which. Where there is no
// database yet it makes an empty one, for serve to begin. It is safe beside a
// server, which waits for it and then refuses a schema that it does not know.
func (migrateCmd) Run(ctx context.Context, p *process) (err error) {
	s, err := p.settings()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(s.DataDir, 0o700); err != nil {
		return fmt.Errorf("making the data directory: %w", err)
	}
	st, err := openStore(ctx, s, false)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, st.Close()) }()
	have, known, err := migrate(ctx, st)
	if err != nil {
		return err
	}
	if have == known {
		fmt.Fprintf(p.stdout, "The schema is at version %d already. Nothing was changed.\n", known)
		return nil
	}
	fmt.Fprintf(p.stdout, "Migrated the schema from version %d to %d.\n", have, known)
	return nil
}
