package service

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/ownfile"
	"strongroom/internal/rollback"
)

// Witness is a file outside the database that names the newest entries of the
// trail, so that a start detects an older copy of the database.
type Witness struct {
	Path   string // absolute; empty: no witness is kept
	Unkept error  // why no file can be written at Path; nil: it can
	Accept string // the loss that an operator accepts: the value that a refused start printed; empty: none
}

const (
	witnessEvery = time.Second
	witnessLabel = "witness v1"
	witnessHeads = 256 // heads that the file keeps; a process on PostgreSQL writes several chains

	witnessMaxBytes = 1 << 20
)

// witnessFile is the content of the file.
type witnessFile struct {
	Home  string          `json:"home"` // the first chain of the store, which identifies the store
	Heads []rollback.Head `json:"heads"`
	MAC   []byte          `json:"mac"`
}

func (w witnessFile) authenticated() []byte {
	fields := [][]byte{[]byte(w.Home)}
	for _, h := range w.Heads {
		fields = append(fields, []byte(h.Chain), domain.EncodeInt(h.Seq), h.Hash)
	}
	return domain.Encode(fields...)
}

// foundWitness is what a start finds at the path of the witness.
type foundWitness struct {
	witnessFile
	text   []byte // the bytes of the file
	wrong  string // why it cannot be used; empty: it can
	edited bool   // the content is one that this program never writes
}

// readWitness reads the file. It fails if another user could have changed it.
func (s *Service) readWitness() (found foundWitness, err error) {
	path := s.cfg.Witness.Path
	if path == "" || s.cfg.Witness.Unkept != nil {
		return found, nil
	}
	f, _, err := ownfile.OpenSecret(path)
	if errors.Is(err, fs.ErrNotExist) {
		found.wrong = "is missing"
		return found, nil
	}
	if err != nil {
		return found, fmt.Errorf("witness: %w", err)
	}
	defer f.Close()
	if found.text, err = io.ReadAll(io.LimitReader(f, witnessMaxBytes)); err != nil {
		return found, fmt.Errorf("witness: %w", err)
	}
	var w witnessFile
	switch {
	case json.Unmarshal(found.text, &w) != nil, w.Home == s.home && !s.keys.VerifyMAC(witnessLabel, w.authenticated(), w.MAC):
		found.wrong, found.edited = "was edited or is not a witness", true
	case w.Home != s.home:
		found.wrong = "is of another database or was edited"
	default:
		found.witnessFile = w
	}
	return found, nil
}

// writeWitness replaces the file, durably, if there is anything new.
func (s *Service) writeWitness() error {
	path := s.cfg.Witness.Path
	if path == "" || s.cfg.Witness.Unkept != nil || s.guard.Seen() {
		return nil
	}
	s.witnessing.Lock()
	defer s.witnessing.Unlock()
	w := witnessFile{Home: s.home, Heads: newestHeads(s.witnessed, s.guard.Heads())}
	w.MAC = s.keys.MAC(witnessLabel, w.authenticated())
	if bytes.Equal(w.MAC, s.witnessMAC) {
		return nil
	}
	text, err := json.Marshal(w)
	if err == nil {
		err = ownfile.Replace(path, append(text, '\n'), nil)
	}
	if err != nil {
		return fmt.Errorf("witness: %w", err)
	}
	s.witnessed, s.witnessMAC = w.Heads, w.MAC
	return nil
}

// newestHeads returns the heads of before, each replaced by its newer one, and
// then the heads of new chains. Above witnessHeads it drops the first ones.
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
	return all[max(0, len(all)-witnessHeads):]
}
