package cli

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"syscall"

	"github.com/alecthomas/kong"

	"strongroom/internal/audit"
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
	Replay []string `sep:"none" placeholder:"FILE" help:"Export or archive of the audit trail that is newer than the backup. Its revocations, rotations, erasures, moves of accounts to another cell, withdrawn signing keys, credentials that must be changed, and failed attempts with the locks that they caused, are applied. Repeat it for several files, oldest first."`
	Reason reason   `required:"" placeholder:"TEXT" help:"Reason, recorded in the audit trail."`
}

// Run restores. It prepares a private copy of the database, which it moves to the target
// at the end, so that an interrupted restore leaves no usable database.
func (c restoreCmd) Run(ctx context.Context, p *Program) (err error) {
	s, err := p.settings()
	if err != nil {
		return err
	}
	if c.TempDir != "" && s.Database.URL == "" {
		return usageError("--temp-dir is for a restore into PostgreSQL: a SQLite database is unpacked in its own directory, and named at the end. Nothing was changed")
	}
	newer, closeReplay, err := c.openReplay(ctx)
	if err != nil {
		return err
	}
	defer closeReplay()
	to, err := openTarget(ctx, s)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, to.leave(err)) }()
	go process.PaceCollector(ctx)
	o, err := c.open(ctx, p, c.Path, to.dir)
	if err != nil {
		return backupError(ctx, err)
	}
	defer func() { err = errors.Join(err, o.Close()) }()
	tellManifest(p.Stdout, o.Manifest)
	if _, err := p.checkBackup(ctx, s, o); err != nil {
		return backupError(ctx, err)
	}
	done, err := c.declare(ctx, p, s, o, newer)
	if refusal, ok := errors.AsType[*domain.Error](err); ok && refusal.Cause != nil { // such as a full disk
		return fmt.Errorf("preparing the database in %s: %w; nothing was restored", to.dir, refusal.Cause)
	}
	if err != nil {
		return err
	}
	if err := to.put(ctx, p, o); err != nil {
		return err
	}
	done.tell(p.Stdout, o.Manifest)
	return nil
}

// openReplay opens the files of --replay.
func (c restoreCmd) openReplay(ctx context.Context) (files []io.Reader, done func(), err error) {
	var all []io.Closer
	done = func() {
		for _, f := range all {
			_ = f.Close()
		}
	}
	for _, name := range c.Replay {
		f, err := audit.OpenArchive(ctx, name)
		if err != nil {
			done()
			return nil, nil, fmt.Errorf("--replay: %w", err)
		}
		all, files = append(all, f), append(files, f)
	}
	return files, done, nil
}

// declare replays newer files of the trail, begins the new epoch in the unpacked
// database, and asks the witness which keys have ended since the backup.
func (c restoreCmd) declare(ctx context.Context, p *Program, s *config.Settings, o *backup.Opened, newer []io.Reader) (is restored, err error) {
	heads, err := json.Marshal(o.Manifest.Heads)
	if err != nil {
		return is, err
	}
	on := *s
	on.Database = config.Database{Path: o.Database}
	v, err := p.OpenVault(ctx, &on, slog.New(slog.DiscardHandler), false)
	if err != nil {
		return is, err
	}
	defer func() { err = errors.Join(err, v.Close()) }()
	act := domain.Act{Reason: string(c.Reason)}
	if len(newer) > 0 {
		if is.replayed, err = v.Backups.Replay(asOperator(ctx), newer, act); err != nil {
			return is, fmt.Errorf("--replay: %w; nothing was restored", err)
		}
	}
	is.witness = v.Backups.WitnessState(ctx)
	is.Restore, err = v.Backups.DeclareRestore(asOperator(ctx), domain.Restore{Made: o.Manifest.Time, Newest: o.Manifest.Newest(),
		Heads: fmt.Sprintf("%x", sha256.Sum256(heads)), Witness: is.witness.State}, act)
	if err != nil {
		return is, err
	}
	is.ended = v.Backups.EndedKeys(ctx)
	if is.rootKeys, err = v.RootKeys.RootKeys(asOperator(ctx)); err != nil {
		err = plainRefusal(err)
	}
	return is, err
}

// target is the empty database that a backup is restored to.
type target struct {
	dir   string // for the unpacked database: that of the SQLite file, or the data directory
	path  string // of the SQLite file; "": PostgreSQL
	url   *postgres.Store
	open  io.Closer
	fresh []string // the lock file and the directories that this restore made, the innermost first
}

func openTarget(ctx context.Context, s *config.Settings) (t *target, err error) {
	t = &target{dir: s.DataDir}
	if s.Database.URL == "" {
		t.dir, t.path = filepath.Dir(s.Database.Path), s.Database.Path
		err = t.openFile()
	} else {
		err = t.openPostgreSQL(ctx, s)
	}
	if err != nil {
		return nil, errors.Join(err, t.leave(err))
	}
	return t, nil
}

// missing returns those of a path and its parent directories that do not exist, the
// innermost first.
func missing(path string) (all []string) {
	for {
		if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
			return all
		}
		all, path = append(all, path), filepath.Dir(path)
	}
}

// leave closes the target. If the restore failed, it first removes the lock file and the
// directories that the restore made.
func (t *target) leave(failed error) error {
	if failed != nil {
		for _, path := range t.fresh {
			_ = os.Remove(path) // a directory that is not empty stays
		}
	}
	if t.open == nil {
		return nil
	}
	return t.open.Close()
}

func (t *target) openPostgreSQL(ctx context.Context, s *config.Settings) error {
	t.fresh = missing(t.dir)
	if err := os.MkdirAll(t.dir, 0o700); err != nil {
		return fmt.Errorf("creating the data directory: %w", err)
	}
	st, err := postgres.Open(ctx, postgres.Config{URL: s.Database.URL, MaxConnections: s.DatabaseMaxConnections})
	if err != nil {
		return err
	}
	t.url, t.open = st, st
	have, _, err := st.SchemaVersion(ctx)
	if err == nil && have > 0 {
		err = errors.New("the PostgreSQL database has tables of Strongroom: restore into an empty database; " +
			"if an interrupted restore left them, drop the database and create it again. Nothing was changed")
	}
	return err
}

func (t *target) openFile() (err error) {
	lock := filepath.Join(t.dir, "serve.lock")
	fresh := missing(lock)
	if t.open, err = server.OpenDataDir(t.dir); err != nil {
		t.fresh = fresh[min(1, len(fresh)):] // without the lock file: another process may have the lock
		return err
	}
	t.fresh = fresh
	for _, suffix := range []string{"", "-wal", "-shm", "-journal"} { // SQLite would apply an old journal to the restored database
		if _, err := os.Lstat(t.path + suffix); err == nil {
			return fmt.Errorf("%s%s exists: restore into a directory without a database, or move this file away. Nothing was changed", t.path, suffix)
		}
	}
	return giveToOwner(t.dir, lock)
}

// put moves or copies the unpacked database to the target.
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
	if err := t.url.Migrate(ctx); err != nil {
		return err
	}
	report := copyReport{to: p.Stderr}
	if _, err = store.Copy(ctx, from, t.url, report.progress); err != nil && ctx.Err() != nil {
		return errors.New("interrupted: the PostgreSQL database holds a part of the backup, which no server accepts; drop it, create it again, and restore again")
	}
	return err
}

// giveToOwner gives a file that root created to the owner of the directory, the user of
// the service. That user could put a link to another file in its place, so links are
// refused.
func giveToOwner(dir, path string) error {
	info, err := os.Stat(dir)
	if err != nil {
		return err
	}
	of := info.Sys().(*syscall.Stat_t) //nolint:forcetypeassert // it is that wherever this builds
	if os.Geteuid() != 0 || of.Uid == 0 {
		return nil
	}
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0) //nolint:gosec // checked below
	if err != nil {
		return err
	}
	defer f.Close()
	if info, err = f.Stat(); err != nil {
		return err
	}
	if is := info.Sys().(*syscall.Stat_t); !info.Mode().IsRegular() || is.Nlink != 1 { //nolint:forcetypeassert // as above
		return fmt.Errorf("%s was replaced or has a second hard link, so its owner was not changed: check who else writes to its directory", path)
	}
	return f.Chown(int(of.Uid), int(of.Gid))
}
