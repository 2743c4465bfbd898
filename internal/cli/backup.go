package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"filippo.io/age"
	"github.com/alecthomas/kong"

	"strongroom/internal/backup"
	"strongroom/internal/config"
	"strongroom/internal/ownfile"
	"strongroom/internal/rootkey"
	"strongroom/internal/store/postgres"
	"strongroom/internal/store/sqlite"
	"strongroom/internal/table"
)

type backupCmd struct {
	Create backupCreateCmd `cmd:"" default:"withargs" help:"Write the database to one file, also while a server runs on it. The root key is not in it."`
	Verify backupVerifyCmd `cmd:"" help:"Check a backup without restoring it: its SHA-256, the pages of the database, the root key, the number of rows, and the audit trail. Exit 0: good, 1: damaged, 2: not readable."`
}

type backupCreateCmd struct {
	kong.Plugins
	Path           string   `arg:"" help:"File to create, or a directory, in which the file is named after the time."`
	Recipient      []string `sep:"none" placeholder:"RECIPIENT" help:"Encrypt the backup to this age recipient (age1…) or SSH public key. Repeat it for several: the private key of any one decrypts it."`
	RecipientsFile []string `sep:"none" placeholder:"FILE" help:"Encrypt the backup to the recipients in this file, one per line."`
}

// Run makes a backup of what is committed. It needs no root key.
func (c backupCreateCmd) Run(ctx context.Context, p *Program) (err error) {
	if c.Path == "-" {
		return usageError("a backup cannot be written to standard output: name a new file or a directory, and copy the file from there")
	}
	s, err := p.settings()
	if err != nil {
		return err
	}
	recipients, err := c.recipients()
	if err != nil {
		return err
	}
	if err := p.removeLeftovers(dirOf(c.Path)); err != nil {
		return err
	}
	from, engine, done, err := openSnapshotter(ctx, s)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, done()) }()
	began := time.Now()
	path, is, err := backup.Make(ctx, backup.Making{From: from, Engine: engine, Version: p.Version, Path: c.Path, Recipients: recipients,
		Progress: p.tellBytes, Now: time.Now})
	if err != nil && ctx.Err() != nil {
		return errors.Join(errors.New("interrupted: no backup was written"), leftBehind(err))
	}
	if err != nil {
		return err
	}
	size := int64(0)
	if info, err := os.Stat(path); err == nil {
		size = info.Size()
	}
	fmt.Fprintf(p.Stdout, "Wrote %s: %s of a database of %s, in %s.\n", path, megabytes(size), megabytes(is.Size), time.Since(began).Round(time.Millisecond))
	fmt.Fprintf(p.Stdout, "It contains %s, %s, and the audit trail up to %s.\n",
		counted(is.Rows["account"], "account", "accounts"), counted(is.Rows["device_key"], "key", "keys"), is.Newest().UTC().Format(time.RFC3339))
	if len(recipients) == 0 {
		fmt.Fprintln(p.Stdout, "It is not encrypted to an age recipient. Secrets in it are sealed under the root key; ids, times and the audit trail are not.")
	}
	identity := ""
	if len(recipients) > 0 {
		identity = " --identity FILE"
	}
	fmt.Fprintf(p.Stdout, "The root key is not in it. Keep a copy of it apart from the backups, or they cannot be decrypted: %s.\n"+
		"Check the backup with: strongroom backup verify %s%s\n", table.Words(is.RootKeys), shellWord(path), identity)
	return nil
}

// leftBehind returns which file could not be removed after an interruption, or nil.
func leftBehind(err error) error {
	if _, ok := errors.AsType[*os.PathError](err); ok {
		return err
	}
	return nil
}

func (c backupCreateCmd) recipients() (all []age.Recipient, err error) {
	texts := c.Recipient
	for _, name := range c.RecipientsFile {
		file, err := ownfile.ReadRegular(name)
		if err != nil {
			return nil, fmt.Errorf("--recipients-file: %w", err)
		}
		before := len(texts)
		for line := range strings.Lines(string(file)) {
			if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
				texts = append(texts, line)
			}
		}
		if len(texts) == before {
			return nil, usageError("--recipients-file: " + name + " contains no recipient")
		}
	}
	for _, text := range texts {
		r, err := rootkey.ParseRecipient(text)
		if err != nil {
			return nil, usageError("--recipient: must be an age recipient (age1…) or an SSH public key (ssh-ed25519 … or ssh-rsa …)")
		}
		all = append(all, r)
	}
	return all, nil
}

// openSnapshotter opens the store that is backed up.
func openSnapshotter(ctx context.Context, s *config.Settings) (from backup.Snapshotter, engine string, done func() error, err error) {
	if s.Database.URL == "" {
		st, err := sqlite.Open(ctx, sqlite.Config{Path: s.Database.Path, MustExist: true})
		if err != nil {
			return nil, "", nil, err
		}
		return st, "sqlite", st.Close, nil
	}
	st, err := postgres.Open(ctx, postgres.Config{URL: s.Database.URL, MaxConnections: s.DatabaseMaxConnections})
	if err != nil {
		return nil, "", nil, err
	}
	return backup.Rows{From: st}, "postgresql", st.Close, nil
}

// dirOf returns path if it is a directory, or else the directory of the file.
func dirOf(path string) string {
	if info, err := os.Stat(path); err == nil && info.IsDir() { //nolint:gosec // the operator names it
		return path
	}
	return filepath.Dir(path)
}

func (p *Program) removeLeftovers(dir string) error {
	removed, err := backup.RemoveLeftovers(dir)
	for _, path := range removed {
		fmt.Fprintf(p.Stderr, "removed %s, which an interrupted run left\n", path)
	}
	return err
}

func (p *Program) tellBytes(doing string, bytes int64) {
	fmt.Fprintf(p.Stderr, "%s: %s\n", doing, megabytes(bytes))
}

func megabytes(bytes int64) string { return fmt.Sprintf("%.1f MB", float64(bytes)/1e6) }

// reading has the flags of commands that read a backup.
type reading struct {
	Identity []string `sep:"none" placeholder:"FILE" help:"File of the age identity or SSH private key that decrypts the backup."`
	TempDir  string   `placeholder:"DIR" help:"Directory for the unpacked database, which is removed at the end. Default: the directory of the backup; for a restore, that of the new database."`
}

func (r reading) open(ctx context.Context, p *Program, path, tempDir string) (*backup.Opened, error) {
	var identities []age.Identity
	for _, name := range r.Identity {
		all, err := rootkey.ReadIdentities(name)
		if err != nil {
			return nil, fmt.Errorf("--identity: %w", err)
		}
		identities = append(identities, all...)
	}
	if r.TempDir != "" {
		tempDir = r.TempDir
	}
	if err := p.removeLeftovers(tempDir); err != nil {
		return nil, err
	}
	return backup.Open(ctx, backup.Reading{Path: path, Identities: identities, TempDir: tempDir, Progress: p.tellBytes})
}

// tellManifest prints what a backup contains.
func tellManifest(w io.Writer, m backup.Manifest) {
	fmt.Fprintf(w, "Made:       %s by strongroom %s, from %s\n", m.Time.Format(time.RFC3339), m.Version, m.Engine)
	fmt.Fprintf(w, "Store:      %s, epoch %d, --accounts %s\n", m.Store, m.Epoch, m.Accounts)
	fmt.Fprintf(w, "Trail:      up to %s (chains: %d)\n", m.Newest().UTC().Format(time.RFC3339), len(m.Heads))
	fmt.Fprintf(w, "Rows:       %s, %s, %s, %s\n",
		counted(m.Rows["account"], "account", "accounts"), counted(m.Rows["device_key"], "key", "keys"), counted(m.Rows["credential"], "credential", "credentials"),
		counted(m.Rows["audit_log"]+m.Rows["audit_verdict"], "entry", "entries"))
	fmt.Fprintf(w, "SHA-256:    %s of the database (%s)\n", m.SHA256, megabytes(m.Size))
}
