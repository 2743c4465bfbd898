package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"github.com/alecthomas/kong"

	"strongroom/internal/config"
	"strongroom/internal/ownfile"
	"strongroom/internal/record"
	"strongroom/internal/rootkey"
	"strongroom/internal/server"
	"strongroom/internal/store"
	"strongroom/internal/store/postgres"
	"strongroom/internal/store/sqlite"
	"strongroom/internal/table"
)

type copyCmd struct {
	kong.Plugins
	From config.Database `required:"" placeholder:"sqlite:PATH" help:"Database to copy. Stop its server first. The copy does not change it."`
	To   string          `placeholder:"postgres://…" help:"PostgreSQL database to copy into: empty, or with an interrupted copy. Same as --database. Default: database from the environment or the settings file."`
}

// Run copies the database, or continues a copy that was interrupted.
func (c copyCmd) Run(ctx context.Context, p *Program) (err error) {
	s, err := c.settings(p)
	if err != nil {
		return err
	}
	ownfile.TrustOwnerOf(filepath.Dir(c.From.Path)) // root may copy the database of another user
	lock, from, err := openSource(ctx, c.From.Path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, from.Close(), lock.Close()) }()
	rootKeys, err := checkRootKey(ctx, s.RootKeys, from)
	if err != nil {
		return err
	}
	to, err := postgres.Open(ctx, postgres.Config{URL: s.Database.URL, MaxConnections: s.DatabaseMaxConnections})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, to.Close()) }()
	if err := to.Migrate(ctx); err != nil {
		return err
	}
	report := copyReport{to: p.Stderr}
	tables, err := store.Copy(ctx, from, to, report.progress)
	if err != nil && ctx.Err() != nil {
		return errors.New("interrupted: run the same command again to continue")
	}
	if err != nil {
		return err
	}
	for _, t := range tables {
		fmt.Fprintf(p.Stdout, "%-20s %12d rows  SHA-256 %x\n", t.Table, t.Rows, t.SHA256)
	}
	fmt.Fprintf(p.Stdout, "The copy is complete: source and target have the same rows.\n"+
		"The root key was not copied. Every server on the target needs it too: %s.\n"+
		"Do not start a server on the source again: an attacker would get guesses on both databases.\n", table.Words(rootKeys))
	return nil
}

// settings returns the settings of the target.
func (c copyCmd) settings(p *Program) (*config.Settings, error) {
	if c.From.Path == "" {
		return nil, usageError("--from must be sqlite:PATH; copying from PostgreSQL is not supported")
	}
	if c.To != "" {
		if p.flags["database"] != "" {
			return nil, usageError("--to and --database are the same setting; remove one")
		}
		p.flags["database"] = c.To
	}
	s, err := p.settings()
	if err == nil && s.Database.URL == "" {
		err = usageError("--to must be postgres://USER@HOST/DATABASE")
	}
	return s, err
}

// openSource opens the database and locks it against every server. The lock of the data
// directory gives a clear message to a server that starts meanwhile. The lock of the
// file also works if the file is not in the server's data directory.
func openSource(ctx context.Context, path string) (io.Closer, *sqlite.Source, error) {
	from, err := sqlite.OpenSource(ctx, path)
	if err != nil {
		return nil, nil, fmt.Errorf("the source cannot be copied: %w", err)
	}
	dir := filepath.Dir(path)
	lock, err := server.OpenDataDir(dir)
	if err != nil {
		return nil, nil, errors.Join(fmt.Errorf("the source cannot be copied: %w", err), from.Close())
	}
	if err := giveToOwner(dir, filepath.Join(dir, "serve.lock")); err != nil {
		return nil, nil, errors.Join(fmt.Errorf("the source cannot be copied: %w", err), from.Close(), lock.Close())
	}
	return lock, from, nil
}

// checkRootKey fails if a server could not open the copy, because no root key of the
// source is given. Copying itself needs no key. names are the root keys of the source.
func checkRootKey(ctx context.Context, from config.RootKeys, source *sqlite.Source) (names string, err error) {
	stored, err := record.StoredKeyset(source)
	if errors.Is(err, store.ErrNotFound) {
		return "", errors.New("the source is empty: there is nothing to copy")
	}
	if err == nil {
		_, err = record.RootKeys{URLs: from, Open: rootkey.Open}.Unwrap(ctx, stored)
	}
	if err != nil {
		err = fmt.Errorf("the copy needs a root key of the source, which copy does not transfer (see --root-key): %w", err)
	}
	return stored.Names(), err
}

// copyReport writes a line about a table every second, and one when the table is done.
type copyReport struct {
	to          io.Writer
	began, said time.Time
}

func (r *copyReport) progress(p store.CopyProgress) {
	now := time.Now()
	if p.New == 0 && !p.Done {
		r.began, r.said = now, now
		return
	}
	if !p.Done && now.Sub(r.said) < time.Second {
		return
	}
	r.said = now
	verb := "copying"
	if p.Comparing {
		verb = "comparing"
	}
	line := fmt.Sprintf("%s %s: %s", verb, p.Table, counted(p.Rows, "row", "rows"))
	if earlier := p.Rows - p.New; earlier > 0 {
		line += fmt.Sprintf(" (%d by an earlier run)", earlier)
	}
	if took := now.Sub(r.began).Seconds(); p.New > 0 {
		line += fmt.Sprintf(", %.0f rows/s", float64(p.New)/max(took, 0.001))
	}
	if p.Done {
		line += ", done"
	}
	fmt.Fprintln(r.to, line)
}
