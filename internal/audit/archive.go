package audit

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"time"

	"github.com/klauspost/compress/zstd"

	"strongroom/internal/domain"
	"strongroom/internal/ownfile"
	"strongroom/internal/strictjson"
)

// Archive is a file of entries that a prune removes: the lines of an [Export],
// compressed with zstd (RFC 8878). Not safe for concurrent use.
type Archive struct {
	file *os.File
	out  *zstd.Encoder
}

// CreateArchive creates the file with mode 0600. It fails if the file exists.
func CreateArchive(path string) (*Archive, error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600) //nolint:gosec // the operator names the file
	if errors.Is(err, fs.ErrExist) {
		return nil, fmt.Errorf("making the archive: %w; keep this file, because an interrupted prune may have removed entries that only it has; name a new file", err)
	}
	if err != nil {
		return nil, fmt.Errorf("making the archive: %w", err)
	}
	out, err := zstd.NewWriter(f, zstd.WithEncoderConcurrency(1))
	if err != nil {
		return nil, errors.Join(fmt.Errorf("making the archive: %w", err), f.Close())
	}
	return &Archive{f, out}, nil
}

// OpenArchive opens a file that an [Archive] or an [Export] wrote, and reads its
// lines. Archives of 0.8.0 and earlier were not compressed. Its reads fail when ctx is
// done: a small file can expand to lines that take hours.
func OpenArchive(ctx context.Context, path string) (io.ReadCloser, error) {
	f, err := ownfile.OpenRegular(path)
	if err != nil {
		return nil, err
	}
	in := bufio.NewReader(until{ctx, f})
	if begin, _ := in.Peek(len(zstdMagic)); string(begin) != zstdMagic {
		return opened{&lined{Reader: in, path: path}, f.Close}, nil
	}
	z, err := zstd.NewReader(in, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow))
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return opened{until{ctx, &lined{Reader: named{z, path}, path: path}}, func() error { z.Close(); return f.Close() }}, nil
}

// until is a reader whose reads fail when ctx is done.
type until struct {
	ctx context.Context
	io.Reader
}

func (r until) Read(p []byte) (int, error) {
	if r.ctx.Err() != nil {
		return 0, errInterrupted
	}
	return r.Reader.Read(p)
}

var errInterrupted = errors.New("interrupted")

// named adds the path of an archive to the errors of its decompression. Several archives
// are read as one stream, so the error must say which one is damaged.
type named struct {
	io.Reader
	path string
}

func (r named) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		err = fmt.Errorf("%s: %w", r.path, err)
	}
	return n, err
}

// lined fails at a line that is too long for an archive, and names the file and the line.
type lined struct {
	io.Reader
	path         string
	line, length int // the lines that have ended, and the length of the current one
}

func (l *lined) Read(p []byte) (int, error) {
	n, err := l.Reader.Read(p)
	for at := 0; at < n; {
		rest := p[at:n]
		end := bytes.IndexByte(rest, '\n')
		if end >= 0 {
			rest = rest[:end]
		}
		if l.length+len(rest) >= maxArchiveLine {
			return at + maxArchiveLine - 1 - l.length, fmt.Errorf("%s: line %d has %d bytes or more: this is not a line of an export or archive", l.path, l.line+1, maxArchiveLine)
		}
		l.length += len(rest)
		if at += len(rest); end >= 0 {
			l.line, l.length, at = l.line+1, 0, at+1
		}
	}
	return n, err
}

const (
	zstdMagic = "\x28\xb5\x2f\xfd" // of a frame
	maxWindow = 64 << 20           // in bytes: it limits the memory that a hostile file can use
)

// opened is a reader, and what closes it.
type opened struct {
	io.Reader
	end func() error
}

func (o opened) Close() error { return o.end() }

// Add writes entries.
func (a *Archive) Add(entries []domain.Entry) error {
	if err := writeLines(a.out, entries); err != nil {
		return fmt.Errorf("writing the archive: %w", err)
	}
	return nil
}

// Close makes the file durable and closes it. If it returns an error, entries may
// be missing in the file.
func (a *Archive) Close() error {
	err := errors.Join(a.out.Close(), a.file.Sync(), a.file.Close(), ownfile.SyncDir(filepath.Dir(a.file.Name())))
	if err != nil {
		return fmt.Errorf("writing the archive: %w", err)
	}
	return nil
}

// maxArchiveLine limits a line of an archive. Each text of an entry has a few
// hundred characters at most.
const maxArchiveLine = 64 << 10

// Problems of an archive.
const (
	whatNoLine   = "it is not a line of an archive"
	whatArchived = "the entry in the archive was changed, or does not follow the one before it"
	whatNoEntry  = "the archive lacks the entry"
	whatNotOurs  = "the entry in the archive is not the one that the chain goes on after"
)

// archived is the state of a chain while archives are read. It holds no whole entry,
// because it is kept for every chain.
type archived struct {
	first int64
	last  reached
	bad   bool // one is enough: later entries cannot be trusted
	cut   *Cut // nil: no prune has cut the chain
}

// CheckArchive compares archives, the oldest first, with their hashes, with the
// checkpoints of the report, and with the chains. If it adds no problem, every
// entry from [Cut.Archived] on is unchanged. The error is a failure to read.
//
// It stops when the report is full. A chain whose first entry is not genuine adds a
// problem, so invented chains cannot fill the memory.
func (r *Report) CheckArchive(from io.Reader, key MAC) error {
	chains, cuts := map[string]*archived{}, map[string]*Cut{}
	for i := range r.Cuts {
		cuts[r.Cuts[i].Chain] = &r.Cuts[i]
	}
	lines := bufio.NewScanner(from)
	lines.Buffer(nil, maxArchiveLine)
	for n := 1; lines.Scan(); n++ {
		if len(r.Problems) >= maxProblems {
			return nil
		}
		e, err := parseLine(lines.Bytes())
		if err != nil && lines.Err() != nil {
			break // it is the part of a line before the error
		}
		if err != nil {
			r.add(Problem{Record: fmt.Sprintf("archive in line %d", n), What: whatNoLine})
			continue
		}
		if chains[e.Chain] == nil {
			chains[e.Chain] = &archived{first: e.Seq, last: reached{e.Seq - 1, e.Prev}, cut: cuts[e.Chain]}
		}
		r.checkArchived(chains[e.Chain], e, key)
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("reading the archive: %w", err)
	}
	for i := range r.Cuts {
		c := &r.Cuts[i]
		switch a := chains[c.Chain]; {
		case a == nil, a.first > c.Removed: // the archive has only entries that are still in the trail
			r.add(Problem{Chain: c.Chain, Seq: c.Removed, What: whatNoEntry})
		case a.bad:
		case a.last.Seq < c.Removed:
			r.add(Problem{Chain: c.Chain, Seq: a.last.Seq + 1, What: whatNoEntry})
		default:
			c.Archived = a.first
		}
	}
	return nil
}

func (r *Report) checkArchived(a *archived, e domain.Entry, key MAC) {
	if a.bad {
		return
	}
	fails := func(seq int64, what string) {
		a.bad = true
		r.add(Problem{Chain: e.Chain, Seq: seq, What: what})
	}
	switch {
	case e.Seq <= a.last.Seq: // a repeat, after an interrupted prune
		if !Genuine(key, e) {
			fails(e.Seq, whatArchived)
		}
		return
	case e.Seq != a.last.Seq+1:
		fails(a.last.Seq+1, whatNoEntry)
		return
	case !bytes.Equal(e.Prev, a.last.Hash), !Genuine(key, e):
		fails(e.Seq, whatArchived)
		return
	}
	a.last = reached{e.Seq, e.Hash}
	c := a.cut
	if c == nil {
		return
	}
	if e.Seq == c.Removed && !bytes.Equal(e.Hash, c.hash) {
		fails(e.Seq, whatNotOurs)
	}
	for len(c.pins) > 0 && c.pins[0].seq < e.Seq { // before the archive begins
		c.unchecked++
		c.pins = c.pins[1:]
	}
	for len(c.pins) > 0 && c.pins[0].seq == e.Seq {
		if !bytes.Equal(c.pins[0].hash, e.Hash) {
			fails(e.Seq, whatOther)
		}
		c.pins = c.pins[1:]
	}
}

// lineMembers are the names that a line of any version has.
var lineMembers = func() map[string]bool {
	names := map[string]bool{}
	for _, f := range reflect.VisibleFields(reflect.TypeFor[Line]()) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		names[name] = true
	}
	return names
}()

// parseLine reads one line of an export. It refuses repeated and unknown members.
// encoding/json alone takes the last of "actor" and "ACTOR", so another reader could
// see another actor in an entry that verifies.
func parseLine(text []byte) (domain.Entry, error) {
	members, err := strictjson.Object(text)
	if err != nil {
		return domain.Entry{}, err
	}
	for name := range members {
		if !lineMembers[name] {
			return domain.Entry{}, errors.New("it has an unknown member")
		}
	}
	var l Line
	if err := json.Unmarshal(text, &l); err != nil {
		return domain.Entry{}, err
	}
	at, err := time.Parse(noteTime, l.Time)
	if err != nil {
		return domain.Entry{}, err
	}
	if l.Seq < 1 || l.Chain == "" {
		return domain.Entry{}, errors.New("it names no entry")
	}
	return domain.Entry{Chain: l.Chain, Seq: l.Seq, Time: at, RequestID: l.RequestID, Actor: l.Actor, Event: domain.Event(l.Event),
		Outcome: l.Outcome, Operation: domain.Operation(l.Operation), Failed: l.Failed, Count: l.Count,
		Duration: time.Duration(l.DurationMicros) * time.Microsecond, KeyID: l.KeyID, Account: l.Account, Device: l.Device,
		Record: l.Record, Version: l.Version, Before: l.Before, Digest: l.Digest, Reason: l.Reason, Prev: l.Prev, Hash: l.Hash}, nil
}
