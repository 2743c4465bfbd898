package audit

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/ownfile"
)

// Export writes the entries of the trail as JSON lines, chain after chain, and
// keeps its position in a state file. It writes the state after the lines. If it is
// killed between the two, the next export writes those lines again; if it writes
// to a file, it first truncates the file to the position of the state. Not safe for
// concurrent use, and two exports must not share a state file.
type Export struct {
	out   *bufio.Writer
	file  *os.File // to which out writes; or nil
	state string   // its path, or "" to keep no state
	at    position
}

// position is the content of the state file: how far an export is.
type position struct {
	Home   string             `json:"home"`            // the first chain of the store
	Bytes  int64              `json:"bytes,omitempty"` // the size of the file that it writes to
	Chains map[string]reached `json:"chains"`
}

// reached is the last entry of a chain that was written.
type reached struct {
	Seq  int64 `json:"seq"`
	Hash hexed `json:"hash"`
}

// hexed is bytes that are written in hexadecimal.
type hexed []byte

func (h hexed) MarshalText() ([]byte, error) { return []byte(hex.EncodeToString(h)), nil }

func (h *hexed) UnmarshalText(text []byte) (err error) {
	*h, err = hex.DecodeString(string(text))
	return err
}

// Line is one entry as a line of an export. The names of its members never change.
type Line struct {
	Chain          string `json:"chain"`
	Seq            int64  `json:"seq"`
	Time           string `json:"time"` // RFC 3339, UTC, always with microseconds
	RequestID      string `json:"requestId,omitempty"`
	Actor          string `json:"actor"`
	Event          string `json:"event"`
	Outcome        string `json:"outcome"`
	Operation      string `json:"operation,omitempty"`
	Failed         bool   `json:"failed,omitempty"`
	Count          int64  `json:"count"`
	DurationMicros int64  `json:"durationMicros,omitempty"`
	KeyID          string `json:"keyId,omitempty"`
	Account        hexed  `json:"account,omitempty"`
	Device         hexed  `json:"device,omitempty"`
	Record         string `json:"record,omitempty"`
	Version        int64  `json:"version,omitempty"`
	Before         hexed  `json:"before,omitempty"`
	Digest         hexed  `json:"digest,omitempty"`
	Reason         string `json:"reason,omitempty"`
	Prev           hexed  `json:"prev,omitempty"`
	Hash           hexed  `json:"hash"`
}

func line(e domain.Entry) Line {
	return Line{Chain: e.Chain, Seq: e.Seq, Time: e.Time.UTC().Format(noteTime), RequestID: e.RequestID, Actor: e.Actor,
		Event: string(e.Event), Outcome: e.Outcome, Operation: string(e.Operation), Failed: e.Failed, Count: e.Count,
		DurationMicros: e.Duration.Microseconds(), KeyID: e.KeyID, Account: e.Account, Device: e.Device, Record: e.Record,
		Version: e.Version, Before: e.Before, Digest: e.Digest, Reason: e.Reason, Prev: e.Prev, Hash: e.Hash}
}

// OpenExport begins an export, or continues the one of the state file. Without a
// state file it begins at the first entry. It writes to file, or to out if file is
// empty.
func OpenExport(state, file string, out io.Writer) (*Export, error) {
	x := &Export{state: state, at: position{Chains: map[string]reached{}}}
	begun, err := x.load()
	if err != nil {
		return nil, fmt.Errorf("reading the state of the export: %w", err)
	}
	if file != "" {
		if err := x.open(file, begun); err != nil {
			return nil, fmt.Errorf("opening the file of the export: %w", err)
		}
		out = x.file
	}
	x.out = bufio.NewWriterSize(out, 64<<10)
	return x, nil
}

func (x *Export) load() (begun bool, err error) {
	if x.state == "" {
		return false, nil
	}
	text, err := ownfile.ReadRegular(x.state)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	var at position
	if err := d.Decode(&at); err != nil || at.Chains == nil {
		return false, fmt.Errorf("%s is not the state of an export: give the right file, or a file that does not exist to start again", x.state)
	}
	x.at = at
	return true, nil
}

// open opens the file for the lines, at the position of the state. A shorter file
// is a new one: the previous one was moved away.
func (x *Export) open(path string, begun bool) error {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600) //nolint:gosec // the operator names the file
	if err != nil {
		return err
	}
	err = x.checkApart(f)
	var end int64
	if err == nil {
		end, err = f.Seek(0, io.SeekEnd)
	}
	switch {
	case err != nil:
	case !begun && end > 0:
		err = fmt.Errorf("%s is not empty and the state does not know it: name a new file", path)
	case !begun:
		err = x.save() // from now on the file may be truncated
	case end > x.at.Bytes: // a kill left lines after the position
		if err = x.checkWritten(f); err == nil {
			err = f.Truncate(x.at.Bytes)
		}
	case end < x.at.Bytes:
		x.at.Bytes = end
		err = x.save() // or the next start would keep half a Put as lines of the export
	}
	if err == nil {
		_, err = f.Seek(x.at.Bytes, io.SeekStart)
	}
	if err != nil {
		return errors.Join(err, f.Close())
	}
	x.file = f
	return nil
}

// checkApart refuses the file of the state and the draft of it, which is renamed to it: the
// lines would go to a file without a name. The file may have been made just now.
func (x *Export) checkApart(f *os.File) error {
	is, err := f.Stat()
	if err != nil {
		return err
	}
	for _, used := range []string{x.state, x.state + ownfile.Draft} {
		other, err := os.Stat(used)
		if err != nil || !os.SameFile(is, other) {
			continue
		}
		if is.Size() == 0 {
			_ = os.Remove(used) // an empty state cannot be read
		}
		return fmt.Errorf("the export keeps its position in %s: give another file for the entries", used)
	}
	return nil
}

// checkWritten checks that the line before the position is the last one that the
// state has of its chain. Otherwise the operator named another file, perhaps an
// older export, and truncating it would destroy entries.
func (x *Export) checkWritten(f *os.File) error {
	if x.at.Bytes <= 0 {
		return x.checkNew(f) // no line is before it
	}
	from := max(x.at.Bytes-maxArchiveLine, 0)
	text := make([]byte, x.at.Bytes-from)
	if _, err := f.ReadAt(text, from); err != nil {
		return err
	}
	text, whole := bytes.CutSuffix(text, []byte("\n"))
	e, err := parseLine(text[bytes.LastIndexByte(text, '\n')+1:])
	last := x.at.Chains[e.Chain]
	if !whole || err != nil || e.Seq != last.Seq || !bytes.Equal(e.Hash, last.Hash) {
		return errOtherFile(f)
	}
	return nil
}

// checkNew refuses a file that this export has not written to, according to its state.
// It accepts what a process that was killed in [Export.Put] can have left there: one
// line or a part of it, with an entry that the state does not have.
func (x *Export) checkNew(f *os.File) error {
	text := make([]byte, maxArchiveLine)
	n, err := f.ReadAt(text, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	first, rest, whole := bytes.Cut(text[:n], []byte("\n"))
	if n := min(len(lineStart), len(first)); !whole && string(first[:n]) == lineStart[:n] {
		return nil
	}
	if e, err := parseLine(first); !whole || len(rest) > 0 || err != nil || e.Seq <= x.at.Chains[e.Chain].Seq {
		return errOtherFile(f)
	}
	return nil
}

// lineStart begins every [Line].
const lineStart = `{"chain":`

func errOtherFile(f *os.File) error {
	return fmt.Errorf("%s is longer than the state says and is not the file that this export wrote: name that file, or a new one", f.Name())
}

// Close closes the file, if the export has one.
func (x *Export) Close() error {
	if x.file == nil {
		return nil
	}
	return x.file.Close()
}

// Next returns the entries that follow, at most limit. home is the store's
// first chain. It fails if the last entry that was written is missing, unless a
// prune removed it and nothing after it.
func (x *Export) Next(r Source, home string, limit int) ([]domain.Entry, error) {
	if x.at.Home != "" && x.at.Home != home {
		return nil, fmt.Errorf("%s is the state of an export from another store", x.state)
	}
	chains, err := r.Chains()
	if err != nil {
		return nil, err
	}
	heads, err := r.Heads(time.Time{}) // without chains of which only verdicts are left
	if err != nil {
		return nil, fmt.Errorf("reading the heads of the audit trail: %w", err)
	}
	newest := map[string]domain.Entry{}
	for _, head := range heads {
		newest[head.Chain] = head
	}
	missing := maps.Clone(x.at.Chains)
	for _, chain := range chains {
		delete(missing, chain)
	}
	for chain, last := range missing {
		return nil, errCut(Head{chain, last.Seq, last.Hash})
	}
	var next []domain.Entry
	for _, chain := range chains {
		last, begun := x.at.Chains[chain]
		if head := newest[chain]; begun && head.Seq == last.Seq && bytes.Equal(head.Hash, last.Hash) {
			continue // nothing follows the last entry that was written
		}
		if len(next) == limit {
			break
		}
		if next, err = x.nextOf(r, chain, next, limit); err != nil {
			return nil, err
		}
	}
	return next, nil
}

// nextOf reads from the last entry that was written, to check that it still
// exists.
func (x *Export) nextOf(r Source, chain string, next []domain.Entry, limit int) ([]domain.Entry, error) {
	last := x.at.Chains[chain]
	there, begins := last.Seq == 0, int64(0)
	err := r.EachEntry(chain, max(last.Seq-1, 0), func(e domain.Entry) error {
		switch {
		case !there && e.Seq == last.Seq+1 && bytes.Equal(e.Prev, last.Hash): // the last one was pruned, and none after it
			there = true
		case !there && (e.Seq != last.Seq || !bytes.Equal(e.Hash, last.Hash)), len(next) == limit:
			begins = e.Seq
			return errStop
		case !there:
			there = true
			return nil
		}
		next = append(next, e)
		return nil
	})
	if err != nil && !errors.Is(err, errStop) {
		return nil, err
	}
	if !there {
		return nil, missed(r, Head{chain, last.Seq, last.Hash}, begins)
	}
	return next, nil
}

// missed returns the error for a chain that does not continue after the last entry
// that was written, but begins with this one. It believes the statements of a
// prune; only a verification can check them.
func missed(r Source, last Head, begins int64) error {
	var by domain.Entry
	err := eachOf(r, domain.EventPruned, func(e domain.Entry) {
		if chain, _ := aboutChain(&e); chain == last.Chain && e.Version >= begins-1 {
			by = e
		}
	})
	switch {
	case err != nil:
		return err
	case begins <= last.Seq+1 || by.Seq == 0:
		return errCut(last)
	}
	return fmt.Errorf("entries %d to %d of chain %s were pruned before they were exported, at %s by %s (%q); name a new state to export what is left",
		last.Seq+1, begins-1, printable(last.Chain), by.Time.Format(time.RFC3339), printable(by.Actor), by.Reason)
}

// Put writes entries that Next returned, and then the state. When it returns
// nil, none of them is written again. It writes the first line of a file alone: until
// the state knows a line, only the length of the file distinguishes it from the file of
// another export.
func (x *Export) Put(home string, entries []domain.Entry) error {
	if x.file != nil && x.at.Bytes == 0 && len(entries) > 1 {
		if err := x.put(home, entries[:1]); err != nil {
			return err
		}
		entries = entries[1:]
	}
	return x.put(home, entries)
}

func (x *Export) put(home string, entries []domain.Entry) error {
	if len(entries) == 0 {
		return nil
	}
	x.at.Home = home
	for _, e := range entries {
		n, err := writeLine(x.out, e)
		if err != nil {
			return fmt.Errorf("writing the export: %w", err)
		}
		x.at.Bytes += int64(n)
		x.at.Chains[e.Chain] = reached{e.Seq, e.Hash}
	}
	err := x.out.Flush()
	if err == nil && x.file != nil {
		err = x.file.Sync()
	}
	if err != nil {
		return fmt.Errorf("writing the export: %w", err)
	}
	return x.save()
}

// WriteLines writes entries as an export does, one [Line] of JSON for each. It
// keeps no state.
func WriteLines(w io.Writer, entries []domain.Entry) error {
	out := bufio.NewWriterSize(w, 64<<10)
	err := writeLines(out, entries)
	if err == nil {
		err = out.Flush()
	}
	if err != nil {
		return fmt.Errorf("writing the export: %w", err)
	}
	return nil
}

func writeLines(w io.Writer, entries []domain.Entry) error {
	for _, e := range entries {
		if _, err := writeLine(w, e); err != nil {
			return err
		}
	}
	return nil
}

func writeLine(w io.Writer, e domain.Entry) (n int, err error) {
	text, err := json.Marshal(line(e))
	if err != nil {
		return 0, fmt.Errorf("entry %d of chain %s: %w", e.Seq, printable(e.Chain), err)
	}
	return w.Write(append(text, '\n'))
}

// save replaces the state file atomically: a kill leaves the old or the new one.
func (x *Export) save() (err error) {
	if x.state == "" {
		return nil
	}
	defer func() {
		if err != nil {
			err = fmt.Errorf("writing the state of the export: %w", err)
		}
	}()
	text, err := json.Marshal(x.at)
	if err != nil {
		return err
	}
	return ownfile.Replace(x.state, append(text, '\n'), nil)
}
