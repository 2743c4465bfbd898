// Package witness keeps a note outside the database that names the newest entries of
// the audit trail and the store's epoch. So a start detects that the database is an
// older copy of itself, and a running process learns from the note of another
// instance that its own database is an older one.
//
// The note is signed with the data keys. A place that keeps it (see package place)
// can lose it or give an older one back, and can forge nothing.
package witness

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"os"
	"slices"
	"sync"
	"time"

	"strongroom/internal/audit"
	"strongroom/internal/crypto/seal"
	"strongroom/internal/domain"
	"strongroom/internal/metrics"
	"strongroom/internal/record"
	"strongroom/internal/rollback"
	"strongroom/internal/witness/place"
)

// Place keeps the texts of a witness. It is safe for concurrent use.
type Place interface {
	// Read returns a text and its version, or [place.ErrNone].
	Read(ctx context.Context, k place.Key) (text []byte, version string, err error)
	// Write replaces the text that has this version; "": there is none. It fails with
	// [place.ErrChanged] if another process was faster.
	Write(ctx context.Context, k place.Key, text []byte, version string) error
	// Shared reports whether other instances write to it too.
	Shared() bool
	// String names it for operators, without secrets.
	String() string
}

// counter is a Place with a count that nobody can lower, such as that of a TPM.
type counter interface {
	Count(ctx context.Context) (int64, error) // 0: it was never raised, or was deleted
	Raise(ctx context.Context) (int64, error)
}

// Settings are what operators decide about the witness.
type Settings struct {
	Place  Place  // nil: no witness is kept
	Unkept error  // why nothing can be written there; nil: it can
	Accept string // the loss that an operator accepts: the value that a refused start printed; empty: none
	// SetAside renames a witness of another database, so that a new one can begin at its
	// place. It returns the new name. nil: the start is refused instead.
	SetAside func() (kept string, err error)
	// CountEvery is the pause between two counts of a place that counts.
	CountEvery time.Duration
}

// Config configures [New]. Every field is required unless it says otherwise.
type Config struct {
	Settings
	Records *record.Records
	Memory  Memory
	Keys    *seal.Keyset
	Home    string // the first chain of the store, which identifies the store
	// Checkpoints combines the checkpoints of the trail in the sink. nil: the sink cannot
	// be read.
	Checkpoints func(home string) (audit.Kept, error)
	Log         *slog.Logger
	Metrics     *metrics.Metrics
}

// Memory is what this process remembers of the store: [rollback.Store].
type Memory interface {
	Heads() []rollback.Head    // the newest entries that it has written
	Followed() []rollback.Head // and those that other processes have written since this one started
	Know(h rollback.Head)
	Seen() bool // a rollback was detected
	Compare(ctx context.Context, heads []rollback.Head) error
	Contradicted(record, what string)
}

// Witness keeps the note of one store. It is safe for concurrent use.
type Witness struct {
	cfg Config

	epoch record.Epoch // of the store, from Check on

	mu      sync.Mutex
	note    content   // guarded by mu, as all below: as it was read or written last
	last    found     // as it was last genuine at the place
	counted time.Time // when the place was counted last
	highest int64     // the highest count that the place returned
	fell    bool      // the log says that the count fell
	streak  int       // failures in a row
	edited  string    // the version of an edited note that an operator accepted; "": none

	contradicted bool // a note proved that the store was put back

	ended ended

	kept health
}

// New returns the witness. [Witness.Check] comes first.
func New(cfg Config) *Witness {
	if cfg.Place != nil {
		cfg.Place = patient{cfg.Place, make(chan struct{}, 1)}
	}
	w := &Witness{cfg: cfg}
	if w.keeps() {
		cfg.Metrics.WatchWitness(w.kept.age)
	}
	return w
}

// counter is the place if it counts.
func (w *Witness) counter() (counts counter, ok bool) {
	if p, is := w.cfg.Place.(patient); is {
		counts, ok = p.Place.(counter)
	}
	return counts, ok
}

func (w *Witness) keeps() bool { return w.cfg.Place != nil && w.cfg.Unkept == nil }

func (w *Witness) key(part string) place.Key { return place.Key{Home: w.cfg.Home, Part: part} }

const (
	label     = "witness v1"
	mostHeads = 256 // heads that the note keeps; a process on PostgreSQL writes several chains

	// firstCount is in a note before its counter is raised for the first time. A TPM decides
	// the first value of a counter, so the note cannot name it.
	firstCount = math.MaxInt64
	// firstBefore is what version 0.18.0 wrote instead.
	firstBefore = 1
)

// content is the note.
type content struct {
	Home  string          `json:"home"`            // the first chain of the store, which identifies the store
	Epoch int64           `json:"epoch,omitempty"` // of the store; 0: it was never restored
	Since int64           `json:"since,omitempty"` // when that epoch began, in microseconds
	Count int64           `json:"count,omitempty"` // of a place that counts
	Heads []rollback.Head `json:"heads"`
	MAC   []byte          `json:"mac"`
}

// restored returns c with the epoch of the store. Two restores of one backup begin an
// epoch of the same number, so the time tells which is the newer one.
func (c content) restored(e record.Epoch) content {
	if c.Epoch, c.Since = e.Number, domain.Micros(e.At); e.Number == 1 {
		c.Epoch = 0
	}
	return c
}

func (c content) authenticated() []byte {
	fields := [][]byte{[]byte(c.Home)}
	if c.Epoch > 0 { // notes of a store that was never restored are as before 0.8
		fields = append(fields, []byte("epoch"), domain.EncodeInt(c.Epoch), domain.EncodeInt(c.Since))
	}
	if c.Count > 0 {
		fields = append(fields, []byte("count"), domain.EncodeInt(c.Count))
	}
	for _, h := range c.Heads {
		fields = append(fields, []byte(h.Chain), domain.EncodeInt(h.Seq), h.Hash)
	}
	return domain.Encode(fields...)
}

func (w *Witness) sign(c content) content {
	c.MAC = w.cfg.Keys.MAC(label, c.authenticated())
	return c
}

// found is what was read at the place of the witness.
type found struct {
	content
	text    []byte
	version string
	wrong   string // why it cannot be used; empty: it can
	edited  bool   // the content is one that this program never writes there
	foreign bool   // it names another store
	stale   bool   // it was put back
	first   bool   // the place counts, and the note is from before its first count
}

// read reads the note. It fails if another user could have changed its file.
func (w *Witness) read(ctx context.Context) (is found, err error) {
	is.text, is.version, err = w.cfg.Place.Read(ctx, w.key(place.Heads))
	missing := errors.Is(err, place.ErrNone)
	var c content
	switch {
	case missing:
		is.wrong = "is missing"
	case err != nil:
		return is, fmt.Errorf("witness: %w", err)
	case json.Unmarshal(is.text, &c) != nil, c.Home == w.cfg.Home && !w.cfg.Keys.VerifyMAC(label, c.authenticated(), c.MAC):
		is.wrong, is.edited = "was edited or is not a witness", true
	case c.Home != w.cfg.Home:
		is.wrong, is.foreign = "is of another database or was edited", true
	default:
		is.content = c
	}
	if counts, ok := w.counter(); ok {
		return is, w.compareCount(ctx, counts, &is)
	}
	return is, nil
}

// compareCount refuses a note from before the last count. A crash between the write
// of a note and its count leaves a note that is one ahead. A note that the counter says
// nothing about is marked as first: see [Witness.neverCounted].
func (w *Witness) compareCount(ctx context.Context, counts counter, is *found) error {
	count, err := counts.Count(ctx)
	if err != nil {
		return fmt.Errorf("witness: %w", err)
	}
	switch {
	case is.wrong != "":
		is.edited = is.edited || count > 0
	case is.Count == firstCount, count == 0 && is.Count <= firstBefore:
		is.first = true
	case count == 0:
		is.content, is.wrong, is.edited = content{}, fmt.Sprintf("names count %d, and the TPM has no counter: the counter was deleted, or the TPM was cleared or replaced", is.Count), true
	case is.Count < count:
		is.content, is.wrong, is.edited, is.stale = content{}, fmt.Sprintf("is older than its count: it names %d, and the TPM counts %d", is.Count, count), true, true
	case is.Count > count+1:
		is.content, is.wrong, is.edited = content{}, fmt.Sprintf("names count %d, and the TPM counts %d: it belongs to another TPM, or the TPM was cleared", is.Count, count), true
	}
	is.Count = count
	return nil
}

// neverCounted refuses a note from before the first count, if the database records this
// place. The record is written after the first count, so only an older note, or one beside
// a deleted counter, can be found with it. A kill of the first start leaves no record.
func (f found) neverCounted(noted notes) found {
	if f.first && noted.here {
		f.content, f.wrong, f.edited = content{Count: f.Count}, "names no count of this TPM: it is an old note, or the counter was deleted, or the TPM was cleared or replaced", true
	}
	return f
}

// host names the machine. Without a host name, the path alone is the place.
func host() string {
	name, _ := os.Hostname()
	return name
}

// newestHeads returns the heads of before, each replaced by its newer one, and
// then the heads of new chains. Above mostHeads it drops the first ones of before that
// are not in now, and then the first ones of now, because those that moved last are at
// the end.
func newestHeads(before, now []rollback.Head) []rollback.Head {
	all := slices.Clone(before)
	for _, h := range now {
		i := slices.IndexFunc(all, func(b rollback.Head) bool { return b.Chain == h.Chain })
		switch {
		case i < 0:
			all = append(all, h)
		case all[i].Seq < h.Seq:
			all[i] = h
		}
	}
	return dropFirst(all, now, len(all)-mostHeads)
}

// dropFirst drops n heads of all: see newestHeads.
func dropFirst(all, now []rollback.Head, n int) []rollback.Head {
	if n <= 0 {
		return all
	}
	at := map[string]int{}
	for i, h := range now {
		at[h.Chain] = i + 1
	}
	order := slices.SortedStableFunc(slices.Values(all), func(a, b rollback.Head) int { return cmp.Compare(at[a.Chain], at[b.Chain]) })
	dropped := map[string]bool{}
	for _, h := range order[:n] {
		dropped[h.Chain] = true
	}
	return slices.DeleteFunc(all, func(h rollback.Head) bool { return dropped[h.Chain] })
}
