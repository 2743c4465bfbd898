package service

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"strongroom/internal/crypto/argon2"
	"strongroom/internal/crypto/verifier"
	"strongroom/internal/domain"
	"strongroom/internal/metrics"
	"strongroom/internal/store"
	"strongroom/internal/trace"
)

var operations = map[domain.CredentialType]struct {
	set, verify    domain.Operation
	field, current string // of the input: the secret, and the one that it replaces
}{
	domain.Passcode:       {domain.OpSetPasscode, domain.OpVerifyPasscode, "encryptedPasscode", "encryptedCurrentPasscode"},
	domain.TransactionPIN: {domain.OpSetPIN, domain.OpVerifyPIN, "encryptedPin", "encryptedCurrentPin"},
}

// Verify says whether a passcode or PIN is the stored one. Where nothing is
// stored it does the same work, counts the same and answers false.
func (s *Service) Verify(ctx context.Context, sub domain.Submission) (bool, error) {
	return do(ctx, s, operations[sub.Type].verify, func(ctx context.Context, o *operation) (bool, error) {
		ticket, err := s.lanes.enter(o.by())
		if err != nil {
			return false, err
		}
		defer ticket.leave()
		in, err := s.open(ctx, o, ticket, sub, domain.ForVerify)
		if err != nil {
			return false, s.seen(ctx, o, err)
		}
		defer in.wipe()
		ctx, session := store.WithSession(ctx)
		defer session.End()
		try, err := s.reserve(ctx, o, in)
		if err != nil {
			return false, s.seen(ctx, o, err)
		}
		// The try is spent now. Whatever the client does, it gets its verdict:
		// a guesser who hangs up early must not get his try back.
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), verdictDeadline)
		defer cancel()
		match, err := s.decide(ctx, o, ticket, try)
		return match, s.seen(ctx, o, err)
	})
}

// try is one reserved guess and what it will be compared with.
type try struct {
	presented
	id         string
	credential domain.Credential // zero where nothing is set
	ledger     string            // id of the ledger that holds it
	lease      time.Time         // its end, by [Service.steadyNow]
	until      time.Time         // the same by this process's clock, or a little earlier
}

const (
	verdictWait     = time.Second            // how long a request waits for pending tries
	verdictPoll     = 100 * time.Millisecond // how often it looks for those of other processes
	verdictDeadline = 25 * time.Second       // for the comparison: before the try's lease ends
)

// reserve reserves one try durably. While only pending tries stand in the way
// it waits, so that right answers in parallel lock nobody. ctx belongs to a
// session: the connection of the transaction that reserves is kept for the
// verdict.
func (s *Service) reserve(ctx context.Context, o *operation, in presented) (try, error) {
	got, full, err := s.tryReserve(ctx, o, in)
	if err != nil || !full {
		return got, err
	}
	deadline := time.NewTimer(verdictWait)
	defer deadline.Stop()
	poll := time.NewTicker(verdictPoll)
	defer poll.Stop()
	for {
		settled, leave := s.verdicts.wait(in.key.AccountID, in.typ)
		if got, full, err = s.tryReserve(ctx, o, in); err == nil && full {
			store.SessionFrom(ctx).End() // the tries that are waited for may need it
			since := time.Now()
			select {
			case <-settled:
			case <-poll.C:
			case <-ctx.Done():
				err = ctx.Err()
			case <-deadline.C:
				s.cfg.Meters.Limited(metrics.LimitTries)
				err = domain.TooManyRequests(domain.ReasonVerifiesInProgress, "Too many verifications of this credential are under way. "+
					"Try again after retryAfterSeconds.", time.Second)
			}
			trace.Since(ctx, trace.TryWait, since)
		}
		leave()
		if err != nil || !full {
			return got, err
		}
	}
}

// tryReserve is one transaction: count tries whose process died, ask the
// policy, reserve and read the verifier. Full means: wait and ask again.
func (s *Service) tryReserve(ctx context.Context, o *operation, in presented) (got try, full bool, err error) {
	var locked error
	lapsed, locks := 0, []domain.Event(nil)
	until := time.Now().Add(s.cfg.Attempts.Lease)
	err = s.retry(ctx, func(tx store.Tx) error {
		got, full, locked = try{presented: in, id: domain.NewID(), until: until}, false, nil
		found, err := s.attempts(tx, in.key.AccountID, in.typ)
		if err != nil {
			return err
		}
		var ledger domain.Attempts
		now := s.steadyNow(tx)
		ledger, lapsed = s.cfg.Attempts.Lapse(found, now)
		locks = newLocks(found, ledger, now)
		after := ledger
		switch s.cfg.Attempts.Admit(ledger, in.device, now) {
		case domain.Locked:
			locked = domain.LockedError(ledger, in.device, now)
		case domain.Full:
			full = true
		case domain.Admitted:
			got.ledger, got.lease = ledger.ID, now.Add(s.cfg.Attempts.Lease)
			ledger = s.cfg.Attempts.Reserve(ledger, got.id, in.device, now)
			if got.credential, err = tx.Credential(in.key.AccountID, in.typ); err != nil && !errors.Is(err, store.ErrNotFound) {
				return err
			}
			ledger = s.next(ledger)
			if err := tx.ReserveTry(ledger, in.key.ID); err != nil {
				return err
			}
			return s.enterLapsed(tx, o, found, after, ledger, lapsed)
		}
		if lapsed == 0 {
			return nil
		}
		ledger = s.next(ledger)
		if err := tx.PutAttempts(ledger); err != nil {
			return err
		}
		return s.enterLapsed(tx, o, found, after, ledger, lapsed)
	})
	if errors.Is(err, store.ErrUnknown) && !full && locked == nil {
		err = s.notReserved(ctx, got)
	}
	if err != nil {
		return try{}, false, err
	}
	s.cfg.Meters.TriesLapsed(lapsed)
	s.tellLocks(ctx, in, locks)
	return got, full, locked
}

// enterLapsed audits tries that were counted as failures because the process
// that held them died. after is the ledger with them counted, written what the
// transaction makes of it.
func (s *Service) enterLapsed(tx store.Tx, o *operation, found, after, written domain.Attempts, lapsed int) error {
	if lapsed == 0 {
		return nil
	}
	e := attemptsEntry(o.note(domain.EventAttemptsLapsed, "failure"), found, written)
	e.Count = int64(lapsed)
	return s.enter(tx, o.enterLocks([]domain.Entry{e}, newLocks(found, after, s.steadyNow(tx)), written, "", "lapsed")...)
}

// newLocks are the locks that stand after a change of a ledger and did not
// before it, by their events: of the account, or else of single devices.
func newLocks(before, after domain.Attempts, now time.Time) (locks []domain.Event) {
	switch {
	case before.LockedAt(now):
	case after.LockedAt(now):
		locks = append(locks, domain.EventCredentialLocked)
	default:
		for _, d := range after.Devices {
			if after.LockedFor(d.Device, now) && !before.LockedFor(d.Device, now) {
				locks = append(locks, domain.EventDeviceLocked)
			}
		}
	}
	return locks
}

// enterLocks adds the entries of locks that have arisen. device is the one
// whose lock it may be, as the ledger knows it; empty: nobody can tell.
func (o *operation) enterLocks(entries []domain.Entry, locks []domain.Event, ledger domain.Attempts, device, outcome string) []domain.Entry {
	for _, event := range locks {
		e := o.note(event, outcome)
		switch {
		case event == domain.EventCredentialLocked:
			e.About.Locked(ledger.LockedUntil, ledger.Permanent)
		case device == "":
			e.About.DeviceID = ""
		}
		for _, d := range ledger.Devices {
			if event == domain.EventDeviceLocked && d.Device == device {
				e.About.Locked(d.LockedUntil, d.Permanent)
			}
		}
		entries = append(entries, e)
	}
	return entries
}

// decide compares a reserved try and settles its verdict.
func (s *Service) decide(ctx context.Context, o *operation, lane *ticket, t try) (match bool, err error) {
	compared := false
	defer func() {
		if !compared {
			err = s.giveBack(ctx, t, err)
		}
		s.verdicts.settled(t.key.AccountID, t.typ)
	}()
	var rehashed []byte
	refused := lane.next(ctx, func(m *argon2.Matrix) { match, rehashed, err = s.compare(ctx, m, t.credential, t.secret) })
	if err = cmp.Or(refused, err); err != nil {
		return false, err
	}
	compared = true
	defer domain.Secret(rehashed).Wipe()
	v := verdict{match, domain.EventCredentialVerified, "ok"}
	if !match {
		v = verdict{match, domain.EventCredentialMismatch, "mismatch"}
	}
	if err := s.settle(ctx, o, t, v, rehashed); err != nil {
		return false, err
	}
	return match, nil
}

// compare opens the verifier and compares. On a match whose cost is below the
// present setting it also returns a new verifier.
func (s *Service) compare(ctx context.Context, m *argon2.Matrix, c domain.Credential, secret domain.Secret) (match bool, rehashed []byte, err error) {
	if c.Version == 0 {
		defer s.hashed(ctx, time.Now())
		match, err = verifier.Dummy(m, secret, s.cfg.Verifier)
		return match, nil, err
	}
	encoded, err := s.keys.Open(c.Sealed, credentialData(c))
	if err != nil {
		return false, nil, &tampered{domain.RecordCredential, c.ID, err}
	}
	defer domain.Secret(encoded).Wipe()
	if match, err = s.matches(ctx, m, encoded, secret); err != nil {
		return false, nil, &tampered{domain.RecordCredential, c.ID, err}
	}
	if match && verifier.Outdated(encoded, s.cfg.Verifier) {
		if rehashed, err = s.newVerifier(ctx, m, secret); err != nil {
			return false, nil, err
		}
	}
	return match, rehashed, nil
}

func (s *Service) newVerifier(ctx context.Context, m *argon2.Matrix, secret domain.Secret) ([]byte, error) {
	defer s.hashed(ctx, time.Now())
	return verifier.New(m, secret, s.cfg.Verifier)
}

func (s *Service) newVerifierLike(ctx context.Context, m *argon2.Matrix, encoded, secret domain.Secret) (domain.Secret, error) {
	defer s.hashed(ctx, time.Now())
	return verifier.Again(m, encoded, secret)
}

func (s *Service) matches(ctx context.Context, m *argon2.Matrix, encoded []byte, secret domain.Secret) (bool, error) {
	defer s.hashed(ctx, time.Now())
	return verifier.Compare(m, encoded, secret)
}

// hashed measures one hash that began at start.
func (s *Service) hashed(ctx context.Context, start time.Time) {
	took := time.Since(start)
	s.cfg.Meters.Hashed(took)
	trace.Did(ctx, trace.Hash, start, took)
}

// errLate withholds a verdict whose try was counted as a failure already.
var errLate = errors.New("the verdict came after the try's lease: it is withheld")

// verdict is what became of a try, and how the trail tells it.
type verdict struct {
	match   bool
	event   domain.Event
	outcome string
}

func (v verdict) became() string {
	if v.match {
		return metrics.TryMatch
	}
	return metrics.TryMismatch
}

// settle writes a verdict. Nothing is answered before it is durable.
func (s *Service) settle(ctx context.Context, o *operation, t try, v verdict, rehashed []byte) error {
	var done settlement
	err := s.persist(ctx, t, func(tx store.Tx) (err error) {
		if done, err = s.settleIn(tx, o, t, v, o.entry(v.event, v.outcome, s.cfg.Now())); err != nil {
			return err
		}
		if rehashed != nil {
			more, err := s.rehash(tx, o, t.credential, rehashed)
			if err != nil {
				return err
			}
			done.entries = append(done.entries, more...)
		}
		return s.enter(tx, done.entries...)
	})
	if err != nil {
		return err
	}
	o.entered, o.outcome, o.wrong = true, v.outcome, !v.match
	if !v.match {
		s.wrong(ctx, o, t.key)
	}
	s.tellSettled(ctx, t, v, done)
	return nil
}

// settlement is what a transaction made of a try.
type settlement struct {
	ledger  domain.Attempts // as it was written
	entries []domain.Entry  // to be entered in the same transaction
	locks   []domain.Event  // that have arisen
	lapsed  int             // tries whose process died, counted on the way
}

// settleIn settles a try inside a transaction. e is the entry that tells of
// the verdict.
func (s *Service) settleIn(tx store.Tx, o *operation, t try, v verdict, e domain.Entry) (done settlement, err error) {
	found, err := s.attempts(tx, t.key.AccountID, t.typ)
	if err != nil {
		return done, err
	}
	now := s.steadyNow(tx)
	before, lapsed := s.cfg.Attempts.Lapse(found, now)
	ledger, ok, err := s.settleTry(tx, before, t, v.match)
	if err != nil {
		return done, err
	}
	if !ok {
		return done, errLate
	}
	ledger = s.next(ledger)
	if err := tx.PutAttempts(ledger); err != nil {
		return done, err
	}
	if err := s.enterLapsed(tx, o, found, before, ledger, lapsed); err != nil {
		return done, err
	}
	locks := newLocks(found, before, now)
	if lapsed > 0 {
		found = ledger // the entry before this one has brought the row to where it is
	}
	fresh := newLocks(before, ledger, now)
	entries := o.enterLocks([]domain.Entry{attemptsEntry(e, found, ledger)}, fresh, ledger, t.device, v.outcome)
	return settlement{ledger, entries, append(locks, fresh...), lapsed}, nil
}

// tellSettled tells meters and log of a try whose verdict was written.
func (s *Service) tellSettled(ctx context.Context, t try, v verdict, done settlement) {
	s.cfg.Meters.Try(t.typ, v.became())
	s.cfg.Meters.TriesLapsed(done.lapsed)
	s.tellLocks(ctx, t.presented, done.locks)
}

// tellLocks tells the operator of locks that have just arisen.
func (s *Service) tellLocks(ctx context.Context, in presented, locks []domain.Event) {
	for _, event := range locks {
		if event == domain.EventDeviceLocked {
			s.cfg.Meters.DeviceLocked(in.typ)
			s.cfg.Log.WarnContext(ctx, "device locked", "type", in.typ, "key", in.key.ID)
			continue
		}
		s.cfg.Meters.Locked(in.typ)
		s.cfg.Log.WarnContext(ctx, "credential locked", "type", in.typ, "key", in.key.ID)
	}
}

// settleTry turns the pending try into its verdict. A right answer to a
// credential that a set has replaced meanwhile gives the try back and forgets
// no failure: those since then were guesses at the new one.
func (s *Service) settleTry(tx store.Tx, ledger domain.Attempts, t try, match bool) (domain.Attempts, bool, error) {
	c, err := tx.Credential(t.key.AccountID, t.typ)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return ledger, false, err
	}
	if match && c.Version != t.credential.Version {
		ledger, ok := s.cfg.Attempts.GiveBack(ledger, t.id)
		return ledger, ok, nil
	}
	ledger, ok := s.cfg.Attempts.Settle(ledger, t.id, match, s.steadyNow(tx))
	if ok && match {
		ledger = ledger.Verified(t.device, tx.Now())
	}
	return ledger, ok, nil
}

// rehash stores the verifier at the present cost, unless a set came between:
// that wins.
func (s *Service) rehash(tx store.Tx, o *operation, c domain.Credential, encoded []byte) ([]domain.Entry, error) {
	before := c
	c.Version++
	c.UpdatedAt = tx.Now()
	var err error
	if c.Sealed, err = s.keys.Seal(encoded, credentialData(c)); err != nil {
		return nil, fmt.Errorf("sealing the verifier: %w", err)
	}
	switch err := tx.RehashCredential(c); {
	case errors.Is(err, store.ErrConflict):
		return nil, nil
	case err != nil:
		return nil, err
	}
	return []domain.Entry{credentialEntry(o.note(domain.EventCredentialRehashed, "ok"), before, c)}, nil
}

// retry is update for a client's request, where what is not found is a key.
func (s *Service) retry(ctx context.Context, fn func(store.Tx) error) error {
	return keyError(s.update(ctx, fn))
}

// update runs a store's Update again while it meets conflicts.
func (s *Service) update(ctx context.Context, fn func(store.Tx) error) error {
	var err error
	for range maxTries {
		if err = s.write(ctx, fn); !errors.Is(err, store.ErrConflict) {
			break
		}
	}
	return err
}
