package service

import (
	"cmp"
	"context"
	"errors"
	"time"

	"strongroom/internal/crypto/argon2"
	"strongroom/internal/crypto/verifier"
	"strongroom/internal/domain"
	"strongroom/internal/metrics"
	"strongroom/internal/record"
	"strongroom/internal/store"
	"strongroom/internal/trace"
	"strongroom/internal/workpool"
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
		ticket, err := s.verifying.Enter(o.by())
		if err != nil {
			return false, err
		}
		defer ticket.Leave()
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
	record.Attempt
	until time.Time // its lease's end by this process's clock, or a little earlier
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

// tryReserve is one transaction: ask the policy, reserve and read the verifier.
// Full means: wait and ask again.
func (s *Service) tryReserve(ctx context.Context, o *operation, in presented) (got try, full bool, err error) {
	var admission domain.Admission
	var locked error
	got = try{presented: in, until: time.Now().Add(s.cfg.Attempts.Lease)}
	got.Attempt, err = record.Update(ctx, s.records, o.note("", ""), func(tx *record.Tx) (record.Attempt, error) {
		counter, err := tx.Attempts(in.key.AccountID, in.typ)
		if err != nil {
			return record.Attempt{}, err
		}
		switch admission = counter.Admit(in.device); admission {
		case domain.Admitted:
			return counter.Reserve(in.device, in.key.ID)
		case domain.Locked:
			locked = counter.Locked(in.device)
		}
		return record.Attempt{}, nil
	})
	if errors.Is(err, store.ErrUnknown) && admission == domain.Admitted {
		err = s.notReserved(ctx, o, got)
	}
	if err != nil {
		return try{}, false, keyError(err)
	}
	if admission == domain.Locked {
		return try{}, false, locked
	}
	return got, admission == domain.Full, nil
}

// decide compares a reserved try and settles its verdict.
func (s *Service) decide(ctx context.Context, o *operation, lane *workpool.Ticket, t try) (match bool, err error) {
	compared := false
	defer func() {
		if !compared {
			err = s.giveBack(ctx, o, t, err)
		}
		s.verdicts.settled(t.AccountID, t.Type)
	}()
	var rehashed []byte
	refused := lane.Next(ctx, func(m *argon2.Matrix) { match, rehashed, err = s.compare(ctx, m, t.Credential, t.secret) })
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
	encoded, err := s.records.OpenVerifier(c)
	if err != nil {
		return false, nil, err
	}
	defer encoded.Wipe()
	if match, err = s.matches(ctx, m, encoded, secret); err != nil {
		return false, nil, &record.Tampered{Kind: domain.RecordCredential, ID: c.ID, Cause: err}
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
	err := s.persist(ctx, o, t, func(tx *record.Tx) error {
		counter, err := tx.Attempts(t.AccountID, t.Type)
		if err != nil {
			return err
		}
		if err := counter.Settle(o.entry(v.event, v.outcome, s.cfg.Now()), t.Attempt, v.match); err != nil || rehashed == nil {
			return err
		}
		return tx.Rehash(o.note(domain.EventCredentialRehashed, "ok"), t.Credential, rehashed)
	})
	if err != nil {
		return err
	}
	o.entered, o.outcome, o.wrong = true, v.outcome, !v.match
	if !v.match {
		s.wrong(ctx, o, t.key)
	}
	s.cfg.Meters.Try(t.Type, v.became())
	return nil
}

// counted tells meters and log of locks that have just arisen, and of tries
// that count as failures because their process died.
func (s *Service) counted(ctx context.Context, keyID string, c *record.Counter) {
	s.cfg.Meters.TriesLapsed(c.Lapsed())
	for _, event := range c.Locks() {
		t := c.State().Type
		if event == domain.EventDeviceLocked {
			s.cfg.Meters.DeviceLocked(t)
			s.cfg.Log.WarnContext(ctx, "device locked", "type", t, "key", keyID)
			continue
		}
		s.cfg.Meters.Locked(t)
		s.cfg.Log.WarnContext(ctx, "credential locked", "type", t, "key", keyID)
	}
}
