package backup

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"filippo.io/age"
	"github.com/klauspost/compress/zstd"

	"strongroom/internal/ownfile"
	"strongroom/internal/store"
	"strongroom/internal/store/sqlite"
)

// ErrDamaged: the archive is not as it was written.
var ErrDamaged = errors.New("the backup is damaged")

// ErrUnreadable: the archive could not be checked, so it may be good or damaged.
var ErrUnreadable = errors.New("the backup cannot be read")

// ErrInterrupted is the [ErrUnreadable] of a context that is done.
var ErrInterrupted = fmt.Errorf("%w: interrupted", ErrUnreadable)

// Reading says which archive is opened, and where.
type Reading struct {
	Path       string
	Identities []age.Identity // for an encrypted one
	// TempDir is where the database is written, in a private directory that Close
	// removes. It needs room for the whole database.
	TempDir string
	// Progress is like that of [Making].
	Progress func(doing string, bytes int64)
}

// Opened is an archive whose database was unpacked and has the size and SHA-256
// of the manifest. Close it.
type Opened struct {
	Manifest Manifest
	Database string // path of the unpacked database
	work     *workDir
}

// Open unpacks an archive. It fails with [ErrDamaged] or [ErrUnreadable].
func Open(ctx context.Context, r Reading) (*Opened, error) {
	f, err := ownfile.OpenRegular(r.Path)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnreadable, err)
	}
	defer f.Close()
	from := &progressReader{ctx: ctx, from: f, report: func(n int64) { r.Progress("unpacking", n) }}
	o, err := open(ctx, from, r)
	switch {
	case err != nil && ctx.Err() != nil:
		return nil, ErrInterrupted
	case err != nil && from.failed != nil:
		return nil, fmt.Errorf("%w: %w", ErrUnreadable, from.failed)
	}
	return o, err
}

func open(ctx context.Context, from io.Reader, r Reading) (*Opened, error) {
	plain, err := decrypted(bufio.NewReaderSize(from, 1<<20), r.Identities)
	if err != nil {
		return nil, err
	}
	m, err := readManifest(plain)
	if err != nil {
		return nil, err
	}
	work, err := newWorkDir(r.TempDir)
	if err != nil {
		return nil, fmt.Errorf("%w: %w; name another directory with --temp-dir", ErrUnreadable, err)
	}
	o := &Opened{Manifest: m, Database: work.path("strongroom.db"), work: work}
	if err := o.unpack(ctx, plain); err != nil {
		return nil, errors.Join(err, o.Close())
	}
	return o, nil
}

// judged distinguishes a damaged database from an interruption, a disk that fails or is
// full, and a database of a newer binary.
func judged(ctx context.Context, err error) error {
	switch {
	case ctx.Err() != nil:
		return ErrInterrupted
	case errors.Is(err, store.ErrUnavailable), errors.Is(err, store.ErrSchemaNewer):
		return fmt.Errorf("%w: %w", ErrUnreadable, err)
	case errors.Is(err, sqlite.ErrForeignSchema):
		return fmt.Errorf("%w: %w. If the running database has it too, do this there, and make a new backup. Otherwise somebody changed the backup: use another backup", ErrDamaged, err)
	}
	return fmt.Errorf("%w: %w", ErrDamaged, err)
}

// Close removes the unpacked database.
func (o *Opened) Close() error { return o.work.remove() }

// decrypted returns the content of an archive. age authenticates each 64 KiB
// before it returns them.
func decrypted(in *bufio.Reader, identities []age.Identity) (*bufio.Reader, error) {
	const encrypted = "age-encryption.org/"
	start, _ := in.Peek(len(encrypted))
	if !bytes.Equal(start, []byte(encrypted)) {
		return in, nil
	}
	if len(identities) == 0 {
		return nil, fmt.Errorf("%w: it is encrypted with age; give the private half of a recipient with --identity FILE", ErrUnreadable)
	}
	plain, err := age.Decrypt(in, identities...)
	var none *age.NoIdentityMatchError
	switch {
	case errors.As(err, &none):
		return nil, fmt.Errorf("%w: it is encrypted to other age recipients than those of --identity", ErrUnreadable)
	case err != nil:
		return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return bufio.NewReaderSize(plain, 1<<20), nil
}

const (
	mostManifest = 64 << 20 // in bytes: room for 300,000 chains, of which a large database has 6,000; limits the memory like maxWindow
	maxWindow    = 64 << 20 // in bytes: limits the memory that a hostile backup can use
)

func readManifest(in *bufio.Reader) (m Manifest, err error) {
	first := make([]byte, len(magic))
	if _, err := io.ReadFull(in, first); err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return m, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	if !bytes.Equal(first, []byte(magic)) {
		return m, fmt.Errorf("%w: it does not begin as a backup of this version does; check the path", ErrUnreadable)
	}
	line := &oneLine{from: in}
	text := io.LimitReader(line, mostManifest)
	d := json.NewDecoder(text)
	d.DisallowUnknownFields()
	err = d.Decode(&m)
	_, _ = io.Copy(io.Discard, text) // Decode can stop between the object and the end of the line
	if err != nil || !line.ended || m.Size <= 0 || !m.isPrintable() {
		return m, fmt.Errorf("%w: its manifest cannot be read", ErrDamaged)
	}
	return m, nil
}

// oneLine reads up to the end of a line and includes it, so that nothing after
// it is taken out of the buffer.
type oneLine struct {
	from  *bufio.Reader
	ended bool
}

func (l *oneLine) Read(p []byte) (n int, err error) {
	if l.ended {
		return 0, io.EOF
	}
	for n < len(p) && !l.ended {
		if p[n], err = l.from.ReadByte(); err != nil {
			return n, err
		}
		l.ended = p[n] == '\n'
		n++
	}
	return n, nil
}

func (o *Opened) unpack(ctx context.Context, plain io.Reader) (err error) {
	out, err := os.OpenFile(o.Database, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrUnreadable, err)
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	z, err := zstd.NewReader(plain, zstd.WithDecoderMaxWindow(maxWindow))
	if err != nil {
		return fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	defer z.Close()
	hash := sha256.New()
	writing := &writeFailure{to: out}
	content := &progressReader{ctx: ctx, from: z, report: func(int64) {}} // ends with ctx: a small archive can expand to terabytes
	n, err := io.Copy(io.MultiWriter(writing, hash), io.LimitReader(content, o.Manifest.Size+1))
	switch {
	case writing.err != nil:
		return fmt.Errorf("%w: writing the database to %s: %w", ErrUnreadable, filepath.Dir(o.work.dir), writing.err)
	case err != nil:
		return fmt.Errorf("%w: %w", ErrDamaged, err)
	case n != o.Manifest.Size:
		return fmt.Errorf("%w: the database has %d bytes or more, and the manifest says %d", ErrDamaged, n, o.Manifest.Size)
	case hex.EncodeToString(hash.Sum(nil)) != o.Manifest.SHA256:
		return fmt.Errorf("%w: the database does not have the SHA-256 of the manifest", ErrDamaged)
	}
	// Nothing may follow the database. Reading on also makes age check its last
	// block.
	if rest, err := io.Copy(io.Discard, plain); err != nil || rest > 0 {
		return fmt.Errorf("%w: something follows the database", ErrDamaged)
	}
	return out.Sync()
}

// writeFailure remembers why a write failed: a full disk is no damage.
type writeFailure struct {
	to  io.Writer
	err error
}

func (w *writeFailure) Write(p []byte) (n int, err error) {
	n, w.err = w.to.Write(p)
	return n, w.err
}

// CheckFile checks the schema of the database, its version and its pages, and that its
// rows and the heads of its trail are those of the manifest. migrate brings a
// database of an older version to the newest schema.
func (o *Opened) CheckFile(ctx context.Context, migrate func(ctx context.Context) error) error {
	schema, err := sqlite.CheckFile(ctx, o.Database)
	if err != nil {
		return judged(ctx, err)
	}
	if schema != o.Manifest.Schema {
		return fmt.Errorf("%w: the database has schema version %d, and the manifest says %d", ErrDamaged, schema, o.Manifest.Schema)
	}
	if err := migrate(ctx); err != nil {
		return fmt.Errorf("%w: %w", ErrUnreadable, err)
	}
	is, err := describe(ctx, o.Database)
	if err != nil {
		return judged(ctx, err)
	}
	if schema != is.Schema { // migrated: tables were added
		is.Schema = schema
		for table := range is.Rows {
			if _, counted := o.Manifest.Rows[table]; !counted {
				delete(is.Rows, table)
			}
		}
	}
	if differences := o.Manifest.differences(is); len(differences) > 0 {
		return fmt.Errorf("%w: %s", ErrDamaged, differences[0])
	}
	return nil
}

// Publish moves the checked database to its final path, durably. The file must be
// closed, and must not exist there.
func (o *Opened) Publish(ctx context.Context, path string) error {
	for _, suffix := range []string{"-wal", "-shm"} {
		if _, err := os.Lstat(o.Database + suffix); err == nil {
			return fmt.Errorf("%s%s is left: the database was not closed", o.Database, suffix)
		}
	}
	if _, _, err := hashFile(ctx, o.Database); err != nil { // syncs it
		return err
	}
	return publish(o.Database, path)
}
