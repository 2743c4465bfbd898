package operator

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"slices"
	"strings"
	"time"

	"strongroom/internal/audit"
	"strongroom/internal/domain"
	"strongroom/internal/record"
	"strongroom/internal/store"
)

// newer is what a trail says that happened after a backup, as far as a restore takes it
// over.
type newer struct {
	ended    map[string]domain.KeyState // by key id
	erased   map[string]bool            // account ids
	moves    map[string]domain.Entry    // the last move of each account, by account id
	failures map[string]*failures       // by the id of the attempt counter
	marked   map[string][]byte          // credentials that must be changed: the keyed hash of the account, by credential id
	// Signing keys that were withdrawn, and those whose private key was erased, by kid.
	withdrawn, erasedSigning map[string]bool

	rootKeys map[string]bool        // that were removed, by id
	skipped  map[domain.Event]int64 // what is not taken over
}

func noneNewer() newer {
	return newer{map[string]domain.KeyState{}, map[string]bool{}, map[string]domain.Entry{}, map[string]*failures{}, map[string][]byte{},
		map[string]bool{}, map[string]bool{}, map[string]bool{}, map[domain.Event]int64{}}
}

// withoutEffect are the events that a restore neither takes over nor reports as skipped:
// they report, or concern the upkeep of the trail and the database, or another event that
// is taken over causes them again.
var withoutEffect = []domain.Event{
	domain.EventStoreInitialised, domain.EventChainBegun, domain.EventChainTied, domain.EventCheckpoint, domain.EventRecordCarried, domain.EventRotationCarried,
	domain.EventChainVerified, domain.EventPruned, domain.EventOperationsCounted, domain.EventRefusalsCounted, domain.EventWitnessBegun, domain.EventStoreRestored,
	domain.EventTamperingSeen, domain.EventGuessingSuspected, domain.EventClockStepped, domain.EventOverwriteRefused, domain.EventAccountExported,
	domain.EventCredentialLocked, domain.EventCredentialErased, domain.EventAttemptsErased, domain.EventKeyRemoved, domain.EventKeyErased, domain.EventKeyExpired,
	domain.EventRecordRewrapped, domain.EventCredentialRehashed,
}

// asReplayed is appended to the reason of an entry.
const asReplayed = " (replayed from the trail after the backup)"

func (n newer) take(e domain.Entry) {
	if counter, ok := strings.CutPrefix(e.Record, domain.RecordAttempts+"/"); ok {
		n.failuresOf(counter).take(e)
	}
	switch e.Event {
	case domain.EventCredentialMismatch, domain.EventCredentialReused, domain.EventAttemptsLapsed, domain.EventAttemptsReplayed, domain.EventCredentialVerified:
		// the failures took it
	case domain.EventKeyRevoked:
		n.ended[e.KeyID] = domain.KeyRevoked
	case domain.EventKeyRotated:
		if n.ended[e.KeyID] == "" {
			n.ended[e.KeyID] = domain.KeyInvalidated
		}
	case domain.EventAccountErased:
		if id, ok := strings.CutPrefix(e.Record, domain.RecordAccount+"/"); ok {
			n.erased[id] = true
		}
	case domain.EventAccountMoved, domain.EventAccountReceived:
		n.takeMove(e)
	case domain.EventCredentialMarked:
		n.takeMark(e)
	case domain.EventSigningWithdrawn:
		n.withdrawn[signingKid(e)] = true
	case domain.EventSigningErased:
		n.erasedSigning[signingKid(e)] = true
	default:
		if !slices.Contains(withoutEffect, e.Event) {
			n.skipped[e.Event] += max(e.Count, 1)
		}
	}
	if e.Event == domain.EventRootKeyRemoved || e.Event == domain.EventRootKeyRotated {
		n.takeRootKey(e)
	}
}

// takeRootKey notes the root key that was removed or replaced. A restore cannot remove
// its wrap, because the backup may have no other that the operator can use. The reason
// ends with "root key ID" or "root key ID replaced by ID".
func (n newer) takeRootKey(e domain.Entry) {
	const before = "root key "
	if i := strings.LastIndex(e.Reason, before); i >= 0 {
		id, _, _ := strings.Cut(e.Reason[i+len(before):], " ")
		n.rootKeys[id] = true
	}
}

// takeMove notes the last move of an account. A key that moved was in another database,
// which may have ended it: if the account came back, the key that the backup has ends.
func (n newer) takeMove(e domain.Entry) {
	if m, ok := domain.MoveOf(e); ok && m.Number >= n.moves[m.AccountID].Version {
		n.moves[m.AccountID] = e
	}
	if id, ok := strings.CutPrefix(e.Record, domain.RecordKey+"/"); ok && n.ended[id] == "" {
		n.ended[id] = domain.KeyInvalidated
	}
}

func (u Restores) newer(ctx context.Context, files []io.Reader) (n newer, is domain.Replayed, err error) {
	heads, err := record.View(ctx, u.cfg.Records, func(tx *record.Tx) ([]domain.Entry, error) { return tx.Heads(time.Time{}) })
	if err != nil {
		return n, is, err
	}
	n = noneNewer()
	c := audit.ContinueFrom(heads, u.cfg.Keys)
	for i, file := range files {
		if err := c.Follow(file, n.take); err != nil {
			return n, is, fmt.Errorf("file %d: %w", i+1, err)
		}
	}
	if c.Read+c.Unknown+c.Strange == 0 {
		return n, is, errors.New("the files have no entry that is newer than the backup")
	}
	if !c.Meets {
		return n, is, errors.New("the files do not continue the trail of the backup, because they have neither a last entry of one of its chains nor the entry after it: " +
			"they are of another database, or begin later; give the exports and archives of this database from the time of the backup on, oldest first")
	}
	is.Entries, is.Unknown, is.Skipped, is.RootKeys = c.Read, c.Unknown, n.skipped, n.rootKeys
	is.Strange, is.StrangeChains = c.Strange, c.StrangeChains
	return n, is, nil
}

// Replay takes over what exports and archives of the trail say that happened after the
// backup: revocations, rotations, erasures, accounts that moved to another database,
// signing keys that were withdrawn or erased, credentials that must be changed, failed
// attempts and the locks by them.
// Every change is an entry. It fails before any change if the files are not of this
// store, or do not follow it without a gap. Call it before DeclareRestore, whose entry
// is the next one of the trail.
func (u Restores) Replay(ctx context.Context, files []io.Reader, act domain.Act) (is domain.Replayed, err error) {
	n, is, err := u.newer(ctx, files)
	if err != nil {
		return is, err
	}
	for _, id := range slices.Sorted(maps.Keys(n.erased)) {
		_, err := Inventory(u).EraseAccount(ctx, id, act)
		if refusal, ok := errors.AsType[*domain.Error](err); ok && refusal.Code == domain.CodeNotFound {
			continue // the account was created after the backup
		}
		if err != nil {
			return is, err
		}
		is.Erased++
	}
	if err := u.replayMoves(ctx, n, act, &is); err != nil {
		return is, err
	}
	if err := u.replayEnds(ctx, n, act, &is); err != nil {
		return is, err
	}
	if err := u.replaySigning(ctx, n, act, &is); err != nil {
		return is, err
	}
	if err := u.replayMarks(ctx, n, act, &is); err != nil {
		return is, err
	}
	return is, u.replayFailures(ctx, n, act, &is)
}

// replayMoves removes accounts that had moved to another database, which serves them
// now. Accounts that have come back since stay as they are in the backup, but the next
// move gets the number after the last one.
func (u Restores) replayMoves(ctx context.Context, n newer, act domain.Act, is *domain.Replayed) error {
	for _, id := range slices.Sorted(maps.Keys(n.moves)) {
		last, done := n.moves[id], false
		_, err := u.act(ctx, request{Act: act, name: "replay"}, func(tx *record.Tx, e domain.Entry) (err error) {
			e.Reason += asReplayed
			e.Account = last.Account
			done, err = u.replayMove(tx, e, last)
			return err
		})
		if err != nil {
			return err
		}
		if done && last.Event == domain.EventAccountMoved {
			is.Moved++
		}
	}
	return nil
}

// replayMove reports whether the backup did not know the move. An account that was made
// or erased after the backup is away too: its device must not start it again.
func (u Restores) replayMove(tx *record.Tx, e, last domain.Entry) (done bool, err error) {
	m, _ := domain.MoveOf(last)
	was, err := tx.MoveOf(m.AccountID)
	if err != nil || was.Number >= m.Number {
		return false, err
	}
	a, err := tx.AccountByID(m.AccountID)
	exists := err == nil
	switch {
	case err != nil && !errors.Is(err, store.ErrNotFound):
		return false, err
	case m.Away && exists && !was.Away:
		all := func(domain.DeviceKey) bool { return true } // keys leave without their private keys
		_, secrets, err := tx.Leave(e, a, &record.History{}, true, all)
		wipe(secrets)
		if err != nil {
			return false, err
		}
	case !m.Away && (!exists || was.Away):
		return false, nil // it is not here: its file can be received again
	}
	m.At = tx.Now()
	enterMove(tx, e, last.Event, m)
	return true, tx.PutMove(m)
}

// inParts calls step with each of the ids, a few in each transaction. step counts in is
// what it did.
func (u Restores) inParts(ctx context.Context, ids iter.Seq[string], act domain.Act, is *domain.Replayed,
	step func(tx *record.Tx, e domain.Entry, id string, is *domain.Replayed) error) error {
	for part := range slices.Chunk(slices.Sorted(ids), erasedKeys) {
		var after domain.Replayed
		_, err := u.act(ctx, request{Act: act, name: "replay"}, func(tx *record.Tx, e domain.Entry) error {
			after = *is // the transaction may run again
			e.Reason += asReplayed
			for _, id := range part {
				if err := step(tx, e, id, &after); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		*is = after
	}
	return nil
}

// replayEnds ends keys that are usable in the backup but ended after it.
func (u Restores) replayEnds(ctx context.Context, n newer, act domain.Act, is *domain.Replayed) error {
	return u.inParts(ctx, maps.Keys(n.ended), act, is, func(tx *record.Tx, e domain.Entry, id string, is *domain.Replayed) error {
		ended, err := u.replayEnd(tx, e, id, n.ended[id])
		switch {
		case err != nil:
			return err
		case ended && n.ended[id] == domain.KeyRevoked:
			is.Revoked++
		case ended:
			is.Rotated++
		}
		return nil
	})
}

func (u Restores) replayEnd(tx *record.Tx, e domain.Entry, id string, state domain.KeyState) (ended bool, err error) {
	k, err := tx.Key(id)
	switch {
	case errors.Is(err, store.ErrNotFound), record.IsTampered(err): // issued after the backup, or refused at each use
		return false, nil
	case err != nil:
		return false, err
	case k.State != domain.KeyActive && len(k.Sealed) == 0:
		return false, nil
	}
	if e.Event = domain.EventKeyRotated; state == domain.KeyRevoked {
		e.Event = domain.EventKeyRevoked
	}
	if e.Account, e.Device, err = tx.Whose(k); err != nil {
		return false, err
	}
	return true, tx.EndKey(e, k, state, 0)
}
