// Package witness keeps a file outside the database that names the newest
// entries of the audit trail, so that a start detects that the database is an
// older copy of itself.
package witness

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"slices"
	"sync"

	"strongroom/internal/audit"
	"strongroom/internal/crypto/seal"
	"strongroom/internal/domain"
	"strongroom/internal/ownfile"
	"strongroom/internal/record"
	"strongroom/internal/rollback"
)

// Settings are what operators decide about the witness.
type Settings struct {
	Path   string // absolute; empty: no witness is kept
	Unkept error  // why no file can be written at Path; nil: it can
	Accept string // the loss that an operator accepts: the value that a refused start printed; empty: none
}

// Config configures [New]. Every field is required unless it says otherwise.
type Config struct {
	Settings
	Records *record.Records
	Memory  Memory
	Keys    *seal.Keyset
	Home    string // the first chain of the store, which identifies the store
	// LastCheckpoint returns the last checkpoint of the trail that the sink has. nil:
	// the sink cannot be read.
	LastCheckpoint func() (last audit.Checkpoint, others bool, err error)
	Log            *slog.Logger
}

// Memory is what this process remembers of the store: [rollback.Store].
type Memory interface {
	Heads() []rollback.Head // the newest entries that it has seen
	Seen() bool             // a rollback was detected
}

// Witness is the file. It is safe for concurrent use.
type Witness struct {
	cfg Config

	epoch int64 // of the store, from Check on; 0: it was never restored

	mu    sync.Mutex
	heads []rollback.Head // guarded by mu: what the file names
	mac   []byte          // guarded by mu: as it was written last
}

// New returns the witness. [Witness.Check] comes first.
func New(cfg Config) *Witness { return &Witness{cfg: cfg} }

const (
	label     = "witness v1"
	mostHeads = 256 // heads that the file keeps; a process on PostgreSQL writes several chains

	maxBytes = 1 << 20
)

// content is the content of the file.
type content struct {
	Home  string          `json:"home"`            // the first chain of the store, which identifies the store
	Epoch int64           `json:"epoch,omitempty"` // of the store; 0: it was never restored
	Heads []rollback.Head `json:"heads"`
	MAC   []byte          `json:"mac"`
}

func (c content) authenticated() []byte {
	fields := [][]byte{[]byte(c.Home)}
	if c.Epoch > 0 { // files of a store that was never restored are as before 0.8
		fields = append(fields, []byte("epoch"), domain.EncodeInt(c.Epoch))
	}
	for _, h := range c.Heads {
		fields = append(fields, []byte(h.Chain), domain.EncodeInt(h.Seq), h.Hash)
	}
	return domain.Encode(fields...)
}

// found is what a start finds at the path of the witness.
type found struct {
	content
	text   []byte // the bytes of the file
	wrong  string // why it cannot be used; empty: it can
	edited bool   // the content is one that this program never writes
}

// read reads the file. It fails if another user could have changed it.
func (w *Witness) read() (is found, err error) {
	if w.cfg.Path == "" || w.cfg.Unkept != nil {
		return is, nil
	}
	f, _, err := ownfile.OpenSecret(w.cfg.Path)
	if errors.Is(err, fs.ErrNotExist) {
		is.wrong = "is missing"
		return is, nil
	}
	if err != nil {
		return is, fmt.Errorf("witness: %w", err)
	}
	defer f.Close()
	if is.text, err = io.ReadAll(io.LimitReader(f, maxBytes)); err != nil {
		return is, fmt.Errorf("witness: %w", err)
	}
	var c content
	switch {
	case json.Unmarshal(is.text, &c) != nil, c.Home == w.cfg.Home && !w.cfg.Keys.VerifyMAC(label, c.authenticated(), c.MAC):
		is.wrong, is.edited = "was edited or is not a witness", true
	case c.Home != w.cfg.Home:
		is.wrong = "is of another database or was edited"
	default:
		is.content = c
	}
	return is, nil
}

// Write replaces the file, durably, if there is anything new.
func (w *Witness) Write(context.Context) error {
	if w.cfg.Path == "" || w.cfg.Unkept != nil || w.cfg.Memory.Seen() {
		return nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	c := content{Home: w.cfg.Home, Epoch: w.epoch, Heads: newestHeads(w.heads, w.cfg.Memory.Heads())}
	c.MAC = w.cfg.Keys.MAC(label, c.authenticated())
	if bytes.Equal(c.MAC, w.mac) {
		return nil
	}
	text, err := json.Marshal(c)
	if err == nil {
		err = ownfile.Replace(w.cfg.Path, append(text, '\n'), nil)
	}
	if err != nil {
		return fmt.Errorf("witness: %w", err)
	}
	w.heads, w.mac = c.Heads, c.MAC
	return nil
}

// newestHeads returns the heads of before, each replaced by its newer one, and
// then the heads of new chains. Above mostHeads it drops the first ones.
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
	return all[max(0, len(all)-mostHeads):]
}
