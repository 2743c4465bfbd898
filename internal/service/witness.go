package service

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/ownfile"
	"strongroom/internal/rollback"
	"strongroom/internal/store"
)

// Witness is a file outside the database that names the newest entries of the
// trail, so that a start on an older copy of the database is noticed.
type Witness struct {
	Path   string // empty: none is kept
	Accept string // the head that an operator gives up, as a start names it; empty: none
}

const (
	witnessEvery = time.Second
	witnessLabel = "witness v1"
	witnessHeads = 256 // kept: of each process that writes at several places at once, one for each

	witnessMaxBytes = 1 << 20
)

// witnessFile is what the file holds.
type witnessFile struct {
	Home  string          `json:"home"` // the first chain of the store: another store has another
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

// CheckWitness holds the store against the witness and the last checkpoint
// that the sink has, before anything is served. It fails where an entry is
// missing that they name, unless an operator gives it up by name: that is
// entered into the trail.
func (s *Service) CheckWitness(ctx context.Context) error {
	kept, err := s.readWitness()
	if err != nil {
		return err
	}
	heads := slices.Clone(kept.Heads)
	if last := s.cfg.Checkpoints.Last; last != nil {
		signed, _, err := last()
		s.report("reading the last checkpoint", err) // which is told again by whoever makes the next
		for _, h := range signed.Heads {
			if signed.Home == s.home {
				heads = append(heads, rollback.Head{Chain: h.Chain, Seq: h.Seq, Hash: h.Hash})
			}
		}
	}
	missing, err := s.missing(ctx, heads)
	if err == nil && len(missing) > 0 {
		err = s.acceptRestored(ctx, missing)
	}
	if err != nil {
		return err
	}
	s.witnessed = slices.DeleteFunc(kept.Heads, func(h rollback.Head) bool {
		return slices.ContainsFunc(missing, func(m rollback.Head) bool { return m.Chain == h.Chain && m.Seq == h.Seq })
	})
	return s.writeWitness()
}

// missing are the heads that the store does not contain.
func (s *Service) missing(ctx context.Context, heads []rollback.Head) (missing []rollback.Head, err error) {
	err = s.cfg.Store.View(ctx, func(tx store.Tx) error {
		missing = nil
		for _, h := range heads {
			held, err := rollback.Holds(tx, h, judge{s})
			if err != nil {
				return err
			}
			if !held {
				missing = append(missing, h)
			}
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("comparing the database with its witness: %w", err)
	}
	return missing, nil
}

func headName(h rollback.Head) string { return fmt.Sprintf("%s:%d", h.Chain, h.Seq) }

// acceptRestored enters that heads are given up, if an operator has named one of
// them.
func (s *Service) acceptRestored(ctx context.Context, missing []rollback.Head) error {
	name := headName(missing[0])
	if !slices.ContainsFunc(missing, func(h rollback.Head) bool { return headName(h) == s.cfg.Witness.Accept }) {
		other := ""
		if s.cfg.Witness.Accept != "" {
			other = " (" + s.cfg.Witness.Accept + " was given, which names no missing entry)"
		}
		return fmt.Errorf("the database is older than before: it lacks entry %d of chain %s of the audit trail, which %s names. "+
			"It was restored from a backup, or someone put it back to get more guesses. If you restored it, start once with --accept-restored %s%s; "+
			"see docs/operation.md#witness", missing[0].Seq, missing[0].Chain, s.witnessName(), name, other)
	}
	s.cfg.Log.Warn("a database that is older than before is accepted, because --accept-restored names it", "head", s.cfg.Witness.Accept, "chains", len(missing))
	restored := domain.Entry{Actor: "system", Event: domain.EventStoreRestored, Outcome: "accepted", Reason: s.cfg.Witness.Accept}
	err := s.write(ctx, func(tx store.Tx) error { return s.enter(tx, restored) })
	if err != nil {
		return fmt.Errorf("entering that a restored database is accepted: %w", err)
	}
	return nil
}

func (s *Service) witnessName() string {
	if s.cfg.Witness.Path != "" {
		return "the witness " + s.cfg.Witness.Path
	}
	return "the last checkpoint"
}

// readWitness reads the file. One that is not there names nothing, and neither
// does that of another store: a new one was begun in its place.
func (s *Service) readWitness() (w witnessFile, err error) {
	path := s.cfg.Witness.Path
	if path == "" {
		return w, nil
	}
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		s.cfg.Log.Info("a new witness of the database is begun", "witness", path)
		return w, nil
	}
	var text []byte
	if err == nil && info.Size() <= witnessMaxBytes {
		text, err = os.ReadFile(path) //nolint:gosec // the operator names the file
	}
	if err != nil {
		return w, fmt.Errorf("witness: %w", err)
	}
	if json.Unmarshal(text, &w) != nil || w.Home == s.home && !s.keys.VerifyMAC(witnessLabel, w.authenticated(), w.MAC) {
		return w, fmt.Errorf("witness %s: its content was changed or is not a witness; compare the database with a checkpoint (strongroom audit verify --checkpoint), "+
			"then remove the file", path)
	}
	if w.Home != s.home {
		s.cfg.Log.Warn("the witness is of another database: a new witness is begun", "witness", path)
		return witnessFile{}, nil
	}
	return w, nil
}

// keepWitness writes the newest entries to the file until ctx is done.
func (s *Service) keepWitness(ctx context.Context) {
	tick := time.NewTicker(witnessEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		s.report("writing the witness", s.writeWitness())
	}
}

// writeWitness replaces the file, durably, if there is anything new.
func (s *Service) writeWitness() error {
	path := s.cfg.Witness.Path
	if path == "" || s.guard.Seen() {
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

// newestHeads are the heads of before, each as it is now, and behind them those
// of chains that are new. Of very many the first go.
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
