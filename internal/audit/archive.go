package audit

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/ownfile"
)

// Archive is a file of entries that a prune removes, in the lines of an
// [Export]. Not safe for concurrent use.
type Archive struct {
	file *os.File
	out  *bufio.Writer
}

// CreateArchive makes the file, mode 0600, and fails where there is one.
func CreateArchive(path string) (*Archive, error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600) //nolint:gosec // the operator names the file
	if err != nil {
		return nil, fmt.Errorf("making the archive: %w", err)
	}
	return &Archive{f, bufio.NewWriterSize(f, 64<<10)}, nil
}

// Add writes entries.
func (a *Archive) Add(entries []domain.Entry) error {
	if err := writeLines(a.out, entries); err != nil {
		return fmt.Errorf("writing the archive: %w", err)
	}
	return nil
}

// Close makes the file durable and closes it. Only when it returns nil is all
// that was added kept.
func (a *Archive) Close() error {
	err := errors.Join(a.out.Flush(), a.file.Sync(), a.file.Close(), ownfile.SyncDir(filepath.Dir(a.file.Name())))
	if err != nil {
		return fmt.Errorf("writing the archive: %w", err)
	}
	return nil
}

// maxArchiveLine bounds a line of an archive. An entry's texts are some
// hundreds of characters each.
const maxArchiveLine = 64 << 10

// What can be wrong with an archive.
const (
	whatNoLine   = "it is not a line of an archive"
	whatArchived = "the entry in the archive was changed, or does not follow the one before it"
	whatNoEntry  = "the archive lacks the entry"
	whatNotOurs  = "the entry in the archive is not the one that the chain goes on after"
)

// archived is how far the entries of a chain in archives came.
type archived struct {
	first int64
	last  domain.Entry
	bad   bool // one is enough: what follows cannot be told from forged
}

// CheckArchive holds archives, the oldest first, against their hashes, the
// checkpoints that the report was made with, and the chains: where it adds no
// problem, every entry from [Cut.Archived] on is as it was written. The error
// is of reading.
func (r *Report) CheckArchive(from io.Reader, key MAC) error {
	chains := map[string]*archived{}
	lines := bufio.NewScanner(from)
	lines.Buffer(nil, maxArchiveLine)
	for n := 1; lines.Scan(); n++ {
		e, err := parseLine(lines.Bytes())
		if err != nil {
			r.add(Problem{Record: fmt.Sprintf("archive in line %d", n), What: whatNoLine})
			continue
		}
		if chains[e.Chain] == nil {
			chains[e.Chain] = &archived{first: e.Seq, last: domain.Entry{Seq: e.Seq - 1, Hash: e.Prev}}
		}
		r.checkArchived(chains[e.Chain], e, key)
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("reading the archive: %w", err)
	}
	for i := range r.Cuts {
		c := &r.Cuts[i]
		switch a := chains[c.Chain]; {
		case a == nil:
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
	case e.Seq <= a.last.Seq: // again, as after a prune that was interrupted
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
	a.last = e
	for i := range r.Cuts {
		c := &r.Cuts[i]
		if c.Chain != e.Chain {
			continue
		}
		if e.Seq == c.Removed && !bytes.Equal(e.Hash, c.hash) {
			fails(e.Seq, whatNotOurs)
		}
		for len(c.pins) > 0 && c.pins[0].seq < e.Seq { // of before the archive begins
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
}

// parseLine reads one line of an export.
func parseLine(text []byte) (domain.Entry, error) {
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
