package witness

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"strongroom/internal/audit"
	"strongroom/internal/domain"
	"strongroom/internal/record"
	"strongroom/internal/store"
	"strongroom/internal/witness/place"
)

// The witness also keeps the ids of the device keys that were revoked or rotated
// last. A backup does not know what happened to them after it was made, so after a
// restore they would be valid again. They are a text of their own, because they
// change rarely and the heads change all the time.

const (
	endedLabel = "witness keys v1"
	mostEnded  = 8192        // ids of each kind: 20 bytes each
	endedSlack = time.Minute // longer than a transaction, so that no entry is missed
	endedPage  = 500
	// endedEvery is how often the text is written although no key ended, so that it
	// says up to when it is complete.
	endedEvery = time.Hour
	endAtOnce  = 200 // keys of one transaction after a restore
)

// ending is one key that ended, 16 bytes of its id and 4 of the time in seconds.
type ending [20]byte

func newEnding(id [16]byte, at time.Time) (e ending) {
	copy(e[:], id[:])
	binary.BigEndian.PutUint32(e[16:], uint32(at.Unix())) //nolint:gosec // until 2106
	return e
}

// ids are those that the key can have: without a tag, or with that of a cell.
// Only one of them is the id of a key, because the rest is random.
func (e ending) ids(cells []string) []string {
	id := domain.FormatID([16]byte(e[:16]))
	all := []string{id}
	for _, cell := range cells {
		all = append(all, domain.InCell(cell, id))
	}
	return all
}

func (e ending) at() uint32 { return binary.BigEndian.Uint32(e[16:]) }

// endings is the text. Times are in microseconds of the database's clock.
type endings struct {
	Home    string `json:"home"`
	Since   int64  `json:"since"` // it has every key that ended after this time
	Until   int64  `json:"until"` // and until this one
	Revoked []byte `json:"revoked,omitempty"`
	Rotated []byte `json:"rotated,omitempty"`
	// Cells are the tags that ids of these keys began with, sorted.
	Cells []string `json:"cells,omitempty"`
	MAC   []byte   `json:"mac"`
}

// authenticated is what the MAC covers. Without tags it is the same as before tags were
// added.
func (e endings) authenticated() []byte {
	fields := [][]byte{[]byte(e.Home), domain.EncodeInt(e.Since), domain.EncodeInt(e.Until), e.Revoked, e.Rotated}
	for _, cell := range e.Cells {
		fields = append(fields, []byte(cell))
	}
	return domain.Encode(fields...)
}

func unpack(b []byte) (all []ending) {
	for part := range slices.Chunk(b, len(ending{})) {
		if len(part) == len(ending{}) {
			all = append(all, ending(part))
		}
	}
	return all
}

func pack(all []ending) (b []byte) {
	for _, e := range all {
		b = append(b, e[:]...)
	}
	return b
}

// merge returns the newest endings of two lists, oldest first, and the time up to
// which older ones were dropped.
func merge(a, b []ending, since int64) ([]ending, int64) {
	all := slices.Concat(a, b)
	slices.SortFunc(all, func(x, y ending) int { return cmp.Or(bytes.Compare(x[:16], y[:16]), cmp.Compare(x.at(), y.at())) })
	all = slices.CompactFunc(all, func(x, y ending) bool { return bytes.Equal(x[:16], y[:16]) })
	slices.SortFunc(all, func(x, y ending) int { return cmp.Or(cmp.Compare(x.at(), y.at()), bytes.Compare(x[:], y[:])) })
	if drop := len(all) - mostEnded; drop > 0 {
		since = max(since, (int64(all[drop-1].at())+1)*1e6)
		all = all[drop:]
	}
	return all, since
}

// and returns what the two texts know together.
func (e endings) and(o endings) endings {
	revoked, since := merge(unpack(e.Revoked), unpack(o.Revoked), min(e.Since, o.Since))
	rotated, since := merge(unpack(e.Rotated), unpack(o.Rotated), since)
	cells := slices.Compact(slices.Sorted(slices.Values(slices.Concat(e.Cells, o.Cells))))
	return endings{Home: e.Home, Since: since, Until: max(e.Until, o.Until), Revoked: pack(revoked), Rotated: pack(rotated), Cells: cells}
}

// ended is the state of this text.
type ended struct {
	mu    sync.Mutex
	known endings // guarded by mu, as below; its Home is empty before the first run
	mac   []byte  // of the text that was written last
	wrote int64   // Until of that text
}

// readEnded reads the text at the place. Home is empty if there is none that can be
// used.
func (w *Witness) readEnded(ctx context.Context) (is endings, version string, err error) {
	text, version, err := w.cfg.Place.Read(ctx, w.key(place.Keys))
	if errors.Is(err, place.ErrNone) {
		return is, "", nil
	}
	if err != nil {
		return is, "", fmt.Errorf("witness: %w", err)
	}
	if json.Unmarshal(text, &is) != nil || is.Home != w.cfg.Home || !w.cfg.Keys.VerifyMAC(endedLabel, is.authenticated(), is.MAC) {
		if w.ended.known.Home == "" { // else this process has the list
			w.cfg.Log.Warn("the witness's list of ended keys was edited or belongs to another database: it is not used", "witness", w.cfg.Place.String())
		}
		return endings{}, version, nil
	}
	return is, version, nil
}

// Ended returns what the witness knows of keys that ended. It changes nothing.
func (w *Witness) Ended(ctx context.Context) (is domain.EndedKeys) {
	if w.cfg.Place == nil {
		return is
	}
	is.Witness = w.cfg.Place.String()
	if w.cfg.Unkept != nil {
		is.Problem = w.cfg.Unkept.Error()
		return is
	}
	var known endings
	err := w.once(ctx, func(ctx context.Context) (err error) {
		known, _, err = w.readEnded(ctx)
		return err
	})
	if err != nil {
		is.Problem = err.Error()
	}
	is.Revoked, is.Rotated = len(unpack(known.Revoked)), len(unpack(known.Rotated))
	is.Since, is.Until = domain.FromMicros(known.Since), domain.FromMicros(known.Until)
	return is
}

// KeepEnded adds the keys that ended since the last call, by any process. It reads them
// with view. If the place fails, [Witness.Keep] reports it, because it uses the same place.
func (w *Witness) KeepEnded(ctx context.Context, view record.Viewer) error {
	if !w.keeps() || w.cfg.Memory.Seen() {
		return nil
	}
	w.ended.mu.Lock()
	defer w.ended.mu.Unlock()
	learnt, err := w.learnEnded(ctx, view)
	if err != nil {
		return err
	}
	w.ended.known = learnt
	err = w.once(ctx, w.writeEnded)
	if place.IsAway(err) || errors.Is(err, place.ErrChanged) || errors.Is(err, context.Canceled) || w.failing() {
		return nil
	}
	return err
}

// learnEnded reads the entries about ended keys since the last run.
func (w *Witness) learnEnded(ctx context.Context, view record.Viewer) (is endings, err error) {
	was := w.ended.known
	err = view(ctx, func(tx *record.Tx) error {
		now := domain.Micros(tx.Now())
		if is = was; is.Home == "" {
			is = endings{Home: w.cfg.Home, Since: now, Until: now}
		}
		from := is.Until
		if from > now { // the clock was set back since, so newer entries have earlier times
			from = min(is.Since, now)
		}
		is.Since, is.Until = min(is.Since, now), now
		since := domain.FromMicros(from).Add(-endedSlack)
		var revoked, rotated endedKeys
		tx.Final()
		err := tx.Interleave(
			store.Into(&revoked, func() (endedKeys, error) { return w.endedSince(tx, domain.EventKeyRevoked, since) }),
			store.Into(&rotated, func() (endedKeys, error) { return w.endedSince(tx, domain.EventKeyRotated, since) }))
		is = is.and(endings{Since: is.Since, Until: now, Revoked: pack(revoked.all), Rotated: pack(rotated.all),
			Cells: slices.Concat(revoked.cells, rotated.cells)})
		return err
	})
	return is, err
}

// endedKeys are keys that ended, and the tags of cells that their ids begin with.
type endedKeys struct {
	all   []ending
	cells []string
}

func (w *Witness) endedSince(tx *record.Tx, event domain.Event, from time.Time) (found endedKeys, err error) {
	var below domain.EntryPosition
	for len(found.all) <= mostEnded {
		page, err := tx.EntriesOfEvent(event, from, below, endedPage)
		if err != nil {
			return found, err
		}
		for _, e := range page {
			cell, text := domain.CutCell(e.KeyID)
			if id, ok := domain.ParseID(text); ok && domain.IsKeyID(e.KeyID) && audit.Genuine(w.cfg.Keys, e) {
				found.all = append(found.all, newEnding(id, e.Time))
				if cell != "" && !slices.Contains(found.cells, cell) {
					found.cells = append(found.cells, cell)
				}
			}
			below = e.Position()
		}
		if len(page) < endedPage {
			break
		}
	}
	return found, nil
}

// writeEnded writes the text if it has anything new. The caller holds ended.mu.
func (w *Witness) writeEnded(ctx context.Context) error {
	e := &w.ended
	version := ""
	if w.cfg.Place.Shared() {
		is, at, err := w.readEnded(ctx)
		if err != nil {
			return err
		}
		version, e.mac = at, nil
		if is.Home != "" {
			until := e.known.Until // how far this process has read; the stored list may be from before the clock was set back
			e.known, e.wrote, e.mac = e.known.and(is), is.Until, is.MAC
			e.known.Until = until
		}
	}
	text := e.known
	if newer := time.Duration(text.Until-e.wrote) * time.Microsecond; e.mac != nil && newer > -endedSlack && newer < endedEvery {
		text.Until = e.wrote
	}
	text.MAC = w.cfg.Keys.MAC(endedLabel, text.authenticated())
	if bytes.Equal(text.MAC, e.mac) {
		return nil
	}
	text.Until = e.known.Until
	text.MAC = w.cfg.Keys.MAC(endedLabel, text.authenticated())
	encoded, err := json.Marshal(text)
	if err == nil {
		err = w.cfg.Place.Write(ctx, w.key(place.Keys), append(encoded, '\n'), version)
	}
	if err != nil {
		return fmt.Errorf("witness: %w", err)
	}
	e.mac, e.wrote = text.MAC, text.Until
	return nil
}

// endAgain ends the keys that the note knows to have ended and that the restored store
// has as valid ones. It tells operators what it cannot know.
func (w *Witness) endAgain(ctx context.Context) error {
	known := w.ended.known
	log := w.cfg.Log.With("witness", w.cfg.Place.String())
	if known.Home == "" {
		log.Warn("the database was restored, and the witness has no list of ended keys: keys that were rotated or revoked after the backup are valid again; revoke those that must not be used")
		return nil
	}
	revoked, err := w.endAll(ctx, unpack(known.Revoked), known.Cells, domain.EventKeyRevoked, domain.KeyRevoked)
	if err != nil {
		return err
	}
	rotated, err := w.endAll(ctx, unpack(known.Rotated), known.Cells, domain.EventKeyRotated, domain.KeyInvalidated)
	if err != nil {
		return err
	}
	log.Warn("the database was restored: keys that ended after the backup were ended again, as far as the witness knows them; revoke those that ended before known_since or after known_until",
		"revoked", revoked, "rotated", rotated, "known_since", domain.FromMicros(known.Since), "known_until", domain.FromMicros(known.Until))
	return nil
}

// endAll ends those keys that the restored store has as valid ones.
func (w *Witness) endAll(ctx context.Context, all []ending, cells []string, event domain.Event, state domain.KeyState) (n int, err error) {
	who := domain.Entry{Actor: "system", Event: event, Outcome: "ok", Reason: "the witness knows that it ended before the restore"}
	for batch := range slices.Chunk(all, endAtOnce) {
		done, err := record.Update(ctx, w.cfg.Records, record.System, func(tx *record.Tx) (done int, err error) {
			for _, e := range batch {
				k, err := keyOf(tx, e.ids(cells))
				switch {
				case errors.Is(err, store.ErrNotFound), record.IsTampered(err): // issued after the backup, or refused at each use
					continue
				case err != nil:
					return 0, err
				case k.State != domain.KeyActive && (state != domain.KeyRevoked || len(k.Sealed) == 0): // it has ended, or its grace will
					continue
				}
				if err := tx.EndKey(who, k, state, 0); err != nil {
					return 0, err
				}
				done++
			}
			return done, nil
		})
		if err != nil {
			return n, fmt.Errorf("ending keys that the witness knows to have ended: %w", err)
		}
		n += done
	}
	return n, nil
}

// keyOf returns the key that has one of these ids, or [store.ErrNotFound].
func keyOf(tx *record.Tx, ids []string) (k domain.DeviceKey, err error) {
	for _, id := range ids {
		if k, err = tx.Key(id); !errors.Is(err, store.ErrNotFound) {
			return k, err
		}
	}
	return k, err
}
