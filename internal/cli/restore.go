package cli

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/alecthomas/kong"

	"strongroom/internal/backup"
	"strongroom/internal/config"
	"strongroom/internal/domain"
	"strongroom/internal/process"
	"strongroom/internal/server"
	"strongroom/internal/store"
	"strongroom/internal/store/postgres"
	"strongroom/internal/store/sqlite"
)

type restoreCmd struct {
	kong.Plugins
	Path string `arg:"" help:"Backup to restore."`
	reading
	Reason reason `required:"" placeholder:"TEXT" help:"Reason, recorded in the audit trail."`
}

// Run restores. Everything is done in a private copy of the database, which then
// becomes the target's: a restore that is interrupted leaves no database.
func (c restoreCmd) Run(ctx context.Context, p *Program) (err error) {
	s, err := p.settings()
	if err != nil {
		return err
	}
	to, err := openTarget(ctx, s)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, to.close()) }()
	go process.PaceCollector(ctx)
	o, err := c.open(ctx, p, c.Path, to.dir)
	if err != nil {
		return backupError(err)
	}
	defer func() { err = errors.Join(err, o.Close()) }()
	tellManifest(p.Stdout, o.Manifest)
	if _, err := p.checkBackup(ctx, s, o); err != nil {
		return backupError(err)
	}
	done, ended, err := c.declare(ctx, p, s, o)
	if err != nil {
		return err
	}
	if err := to.put(ctx, p, o); err != nil {
		return err
	}
	tellRestored(p.Stdout, o.Manifest, done, ended)
	return nil
}

// declare begins the new epoch in the unpacked database, and asks the witness which keys
// ended since.
func (c restoreCmd) declare(ctx context.Context, p *Program, s *config.Settings, o *backup.Opened) (is domain.Restore, ended domain.EndedKeys, err error) {
	heads, err := json.Marshal(o.Manifest.Heads)
	if err != nil {
		return is, ended, err
	}
	on := *s
	on.Database = config.Database{Path: o.Database}
	v, err := p.OpenVault(ctx, &on, slog.New(slog.DiscardHandler), false)
	if err != nil {
		return is, ended, err
	}
	defer func() { err = errors.Join(err, v.Close()) }()
	is, err = v.Backups.DeclareRestore(asOperator(ctx), domain.Restore{Made: o.Manifest.Time, Newest: o.Manifest.Newest(),
		Heads: fmt.Sprintf("%x", sha256.Sum256(heads))}, domain.Act{Reason: string(c.Reason)})
	return is, v.Backups.EndedKeys(ctx), err
}

// target is where a backup is restored to. It is empty.
type target struct {
	dir   string // for the unpacked database: that of the SQLite file, or the data directory
	path  string // of the SQLite file; "": PostgreSQL
	url   *postgres.Store
	close func() error
}

func openTarget(ctx context.Context, s *config.Settings) (*target, error) {
	if s.Database.URL == "" {
		return openFileTarget(s)
	}
	if err := os.MkdirAll(s.DataDir, 0o700); err != nil {
		return nil, fmt.Errorf("creating the data directory: %w", err)
	}
	st, err := postgres.Open(ctx, postgres.Config{URL: s.Database.URL, MaxConnections: s.DatabaseMaxConnections})
	if err != nil {
		return nil, err
	}
	have, _, err := st.SchemaVersion(ctx)
	if err == nil && have > 0 {
		err = errors.New("the PostgreSQL database has tables of Strongroom: restore into an empty database; " +
			"if an interrupted restore left them, drop the database and create it again. Nothing was changed")
	}
	if err == nil {
		err = st.Migrate(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, st.Close())
	}
	return &target{dir: s.DataDir, url: st, close: st.Close}, nil
}

func openFileTarget(s *config.Settings) (*target, error) {
	dir := filepath.Dir(s.Database.Path)
	lock, err := server.OpenDataDir(dir)
	if err != nil {
		return nil, err
	}
	for _, suffix := range []string{"", "-wal", "-shm"} {
		if _, err := os.Lstat(s.Database.Path + suffix); err == nil {
			return nil, errors.Join(fmt.Errorf("%s%s exists: restore into a directory without a database, or move this file away. Nothing was changed", s.Database.Path, suffix), lock.Close())
		}
	}
	err = giveToOwner(dir, filepath.Join(dir, "serve.lock"))
	return &target{dir: dir, path: s.Database.Path, close: lock.Close}, err
}

// put makes the unpacked database the target's.
func (t *target) put(ctx context.Context, p *Program, o *backup.Opened) (err error) {
	if t.url == nil {
		if err := giveToOwner(t.dir, o.Database); err != nil {
			return err
		}
		return o.Publish(ctx, t.path)
	}
	from, err := sqlite.OpenSource(ctx, o.Database)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, from.Close()) }()
	report := copyReport{to: p.Stderr}
	if _, err = store.Copy(ctx, from, t.url, report.progress); ctx.Err() != nil {
		return errors.New("interrupted: the PostgreSQL database holds a part of the backup, which no server accepts; drop it, create it again, and restore again")
	}
	return err
}

// giveToOwner gives a file that root made to the user who owns the directory, who
// runs the service.
func giveToOwner(dir, path string) error {
	info, err := os.Stat(dir)
	if err != nil {
		return err
	}
	of := info.Sys().(*syscall.Stat_t) //nolint:forcetypeassert // it is that wherever this builds
	if os.Geteuid() != 0 || of.Uid == 0 {
		return nil
	}
	return os.Lchown(path, int(of.Uid), int(of.Gid))
}

// tellRestored says to the operators what is not in the database any more.
func tellRestored(w io.Writer, m backup.Manifest, done domain.Restore, ended domain.EndedKeys) {
	newest := m.Newest().UTC().Format(time.RFC3339)
	fmt.Fprintf(w, `Restored: the database is as it was on %s, in epoch %d (before: %d).
What happened after that is not in it:
- Attempt counters and locks are older. Until its next right answer each account has one attempt before a lock (--restored-attempts).
- Keys that were rotated or revoked since are valid again. %s
- Keys that were issued since are unknown. Their clients get KEY_NOT_USABLE and ask for new ones.
- Passcodes and PINs that were set since have their old values, or none.
- Accounts that were erased since exist again. Erase them again.
- Ciphertexts and receipts that were used since can be used once more, receipts until they expire.
Now start the service. It accepts this restore once, and its witness then continues with epoch %d.
`, newest, done.To, done.From, tellEnded(ended, m.Newest()), done.To)
}

// tellEnded says which of the keys that ended after a time the witness knows.
func tellEnded(is domain.EndedKeys, after time.Time) string {
	const revoke = "Revoke those that must not be used."
	switch {
	case is.Witness == "":
		return "There is no witness that knows them. " + revoke
	case is.Problem != "":
		return fmt.Sprintf("The witness %s cannot be read now: %s\n  If it can be when the service starts, the service ends those that it knows.", is.Witness, is.Problem)
	case is.Since.IsZero():
		return fmt.Sprintf("The witness %s has no list of them. %s", is.Witness, revoke)
	}
	unknown := ""
	if is.Since.After(after) {
		unknown = fmt.Sprintf("between %s and %s, or ", after.UTC().Format(time.RFC3339), is.Since.Format(time.RFC3339))
	}
	return fmt.Sprintf("The service ends them when it starts, as far as the witness\n  %s knows them (its list has %d revoked and %d rotated keys, old ones too).\n"+
		"  It does not know keys that ended %safter %s. Revoke those that must not be used.",
		is.Witness, is.Revoked, is.Rotated, unknown, is.Until.Format(time.RFC3339))
}
