// Package backup writes a store into one archive file, and reads it again.
//
// An archive is a manifest and a SQLite database of the whole store, whichever
// engine the store has: the rows are the same in both. So an archive is verified
// without a database server, and restored into either engine. It never contains a
// root key.
//
// Its form, all of it encrypted with age if recipients are given: the line
// "strongroom backup 1", the manifest as one line of JSON, and the database,
// compressed with zstd.
package backup

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"filippo.io/age"
	"github.com/klauspost/compress/zstd"

	"strongroom/internal/ownfile"
	"strongroom/internal/store"
)

// Snapshotter is an engine of which a backup is made.
type Snapshotter interface {
	// SnapshotTo writes a consistent copy of the store into the empty file at path,
	// as a SQLite database.
	SnapshotTo(ctx context.Context, path string) error
}

// Making says what is backed up, and where to.
type Making struct {
	From    Snapshotter
	Engine  string // of the store: sqlite or postgresql
	Version string // of this binary
	// Path of the archive, which must not exist, or of a directory. In a directory
	// the name is made from the time.
	Path       string
	Recipients []age.Recipient // the age recipients that can read it; none: it is not encrypted
	// Progress is called about once a second with what Make does and how many bytes
	// of it are done. It is required.
	Progress func(doing string, bytes int64)
	Now      func() time.Time
}

// Make writes an archive and returns its path and manifest. The archive appears
// under its name only when it is complete and durable. After an error or when
// ctx is done, nothing is left of it.
func Make(ctx context.Context, m Making) (path string, is Manifest, err error) {
	began := m.Now().UTC()
	path, err = m.target(began)
	if err != nil {
		return "", is, err
	}
	work, err := newWorkDir(filepath.Dir(path))
	if err != nil {
		return "", is, err
	}
	defer func() { err = errors.Join(err, work.remove()) }()
	file := work.path("database")
	if err := createEmpty(file); err != nil {
		return "", is, err
	}
	stop := watchSize(file, func(n int64) { m.Progress("copying the database", n) })
	err = m.From.SnapshotTo(ctx, file)
	stop()
	if err != nil {
		return "", is, err
	}
	if is, err = describe(ctx, file); err != nil {
		return "", is, err
	}
	is.Version, is.Engine, is.Time = m.Version, m.Engine, began
	if is.Size, is.SHA256, err = hashFile(ctx, file); err != nil {
		return "", is, err
	}
	packed := work.path("archive")
	if err := m.pack(ctx, packed, file, is); err != nil {
		return "", is, err
	}
	if err := publish(packed, path); err != nil {
		return "", is, err
	}
	return path, is, nil
}

// target is the path of the archive. It refuses one that exists.
func (m Making) target(now time.Time) (string, error) {
	path := m.Path
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		path = filepath.Join(path, "strongroom-"+now.Format("20060102T150405Z")+".backup")
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	if _, err := os.Lstat(path); err == nil {
		return "", fmt.Errorf("%s exists: name a new file or a directory; nothing was written", path)
	}
	if _, err := os.Stat(filepath.Dir(path)); err != nil {
		return "", fmt.Errorf("the directory of the backup: %w", err)
	}
	return path, nil
}

// magic is the first line of an archive.
const magic = "strongroom backup 1\n"

// pack writes the archive, and syncs it.
func (m Making) pack(ctx context.Context, path, database string, is Manifest) (err error) {
	from, err := os.Open(database) //nolint:gosec // in our own directory
	if err != nil {
		return err
	}
	defer from.Close()
	out, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600) //nolint:gosec // in our own directory
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	buffered := bufio.NewWriterSize(out, 1<<20)
	to, finish := io.Writer(buffered), func() error { return nil }
	if len(m.Recipients) > 0 {
		sealed, err := age.Encrypt(buffered, m.Recipients...)
		if err != nil {
			return fmt.Errorf("encrypting the backup: %w", err)
		}
		to, finish = sealed, sealed.Close
	}
	text, err := json.Marshal(is)
	if err != nil {
		return err
	}
	if len(text) >= mostManifest {
		return fmt.Errorf("the manifest of the backup would have %d bytes, and at most %d can be read again: the audit trail has too many chains", len(text), mostManifest)
	}
	if _, err := to.Write(append([]byte(magic), append(text, '\n')...)); err != nil {
		return err
	}
	z, err := zstd.NewWriter(to)
	if err != nil {
		return err
	}
	counted := &progressReader{ctx: ctx, from: from, report: func(n int64) { m.Progress("compressing", n) }}
	hash := sha256.New()
	if _, err := io.Copy(z, io.TeeReader(counted, hash)); err != nil {
		return errors.Join(err, z.Close())
	}
	if hex.EncodeToString(hash.Sum(nil)) != is.SHA256 {
		return errors.New("the copy of the database was changed while it was read: somebody else writes to the directory of the backup")
	}
	return errors.Join(z.Close(), finish(), buffered.Flush(), out.Sync())
}

// publish gives the complete file its name, durably. It never replaces a file.
func publish(from, to string) error {
	err := os.Link(from, to)
	if err != nil && !errors.Is(err, fs.ErrExist) { // a file system without hard links
		if _, gone := os.Lstat(to); gone != nil {
			err = os.Rename(from, to)
		}
	}
	if err != nil {
		return fmt.Errorf("naming the backup: %w", err)
	}
	if err := ownfile.SyncDir(filepath.Dir(to)); err != nil {
		return errors.Join(err, os.Remove(to))
	}
	_ = os.Remove(from) // a database with two links is not opened; after an error the whole directory is removed
	return nil
}

// createEmpty makes a file that only its owner can read.
func createEmpty(path string) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600) //nolint:gosec // in our own directory
	if err != nil {
		return err
	}
	return f.Close()
}

// hashFile makes a file durable, and reads its size and SHA-256.
func hashFile(ctx context.Context, path string) (size int64, sum string, err error) {
	f, err := os.OpenFile(path, os.O_RDWR, 0) //nolint:gosec // in our own directory
	if err != nil {
		return 0, "", err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if err := f.Sync(); err != nil {
		return 0, "", err
	}
	hash := sha256.New()
	size, err = io.Copy(hash, &progressReader{ctx: ctx, from: f, report: func(int64) {}})
	return size, hex.EncodeToString(hash.Sum(nil)), err
}

// progressReader reports how much was read, once a second, and ends with ctx.
type progressReader struct {
	ctx    context.Context
	from   io.Reader
	report func(bytes int64)
	read   int64
	said   time.Time
	failed error // why a read failed, such as a bad disk; nil at the end of the file
}

func (r *progressReader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := r.from.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		r.failed = err
	}
	r.read += int64(n)
	if now := time.Now(); now.Sub(r.said) >= time.Second {
		if !r.said.IsZero() {
			r.report(r.read)
		}
		r.said = now
	}
	return n, err
}

// watchSize reports the size of a growing file once a second, until it is stopped.
func watchSize(path string, report func(bytes int64)) (stop func()) {
	end, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for {
			select {
			case <-end:
				return
			case <-time.After(time.Second):
				if info, err := os.Stat(path); err == nil {
					report(info.Size())
				}
			}
		}
	}()
	return func() {
		close(end)
		<-ended
	}
}

// rowsOf counts the rows of all tables.
func rowsOf(count func(store.Table) (int64, error)) (map[string]int64, error) {
	rows := map[string]int64{}
	for _, t := range store.Tables {
		n, err := count(t)
		if err != nil {
			return nil, fmt.Errorf("counting the rows of table %s: %w", t.Name, err)
		}
		rows[t.Name] = n
	}
	return rows, nil
}
