package vault

import (
	"cmp"
	"context"
	"errors"
	"time"

	"strongroom/internal/crypto/argon2"
	"strongroom/internal/crypto/devicekey"
	"strongroom/internal/domain"
	"strongroom/internal/lograte"
	"strongroom/internal/metrics"
	"strongroom/internal/ratelimit"
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

// decryptionFailureWindow is that of [Settings.DecryptionFailures].
const decryptionFailureWindow = 15 * time.Minute

// Credentials are the use cases on passcodes and PINs.
type Credentials struct {
	*gate
	hasher

	forms map[string][]devicekey.Form // of ciphertexts, by purpose; never written to

	failures   *ratelimit.Budget // undecryptable ciphertexts, by key
	overwrites *ratelimit.Budget // refused sets, by account and type
	verdicts   verdicts
	unwritten  lograte.Limit // lines about outcomes that could not be written
	swept      [2]string     // account and key up to which digests of ciphertexts were swept
}

func newCredentials(g *gate) *Credentials {
	v := &Credentials{gate: g, hasher: hasher{g.cfg.Records, g.cfg.Verifier, g.cfg.Metrics}, forms: map[string][]devicekey.Form{},
		failures:   ratelimit.NewBudget(g.cfg.DecryptionFailures, decryptionFailureWindow),
		overwrites: ratelimit.NewBudget(refusedOverwrites, overwriteWindow)}
	for _, purpose := range []string{purposeVerify, purposeSet, purposeCurrent} {
		v.forms[purpose] = devicekey.Forms(g.cfg.Variants, purpose, g.cfg.PurposeRequired)
	}
	for _, f := range v.forms[purposeVerify] {
		g.cfg.Metrics.Variants(f.String())
	}
	return v
}

// Verify says whether a passcode or PIN is the stored one. Where nothing is
// stored it does the same work, counts the same and answers false.
func (v *Credentials) Verify(ctx context.Context, sub domain.Submission) (bool, error) {
	return do(ctx, v.gate, operations[sub.Type].verify, func(ctx context.Context, o *operation) (bool, error) {
		ticket, err := v.cfg.Verifying.Enter(o.by())
		if err != nil {
			return false, err
		}
		defer ticket.Leave()
		in, err := v.open(ctx, o, ticket, sub, domain.ForVerify)
		if err != nil {
			return false, v.seen(ctx, o, err)
		}
		defer in.wipe()
		ctx, session := store.WithSession(ctx)
		defer session.End()
		reserved, err := v.reserve(ctx, o, in)
		if err != nil {
			return false, v.seen(ctx, o, err)
		}
		// The attempt is spent now. Whatever the client does, it gets its verdict:
		// a guesser who hangs up early must not get his attempt back.
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), verdictDeadline)
		defer cancel()
		match, err := v.decide(ctx, o, ticket, reserved)
		return match, v.seen(ctx, o, err)
	})
}

// attempt is one reserved guess and what it will be compared with.
type attempt struct {
	decrypted
	record.Attempt
	until time.Time // its lease's end by this process's clock, or a little earlier
}

const (
	verdictWait     = time.Second            // how long a request waits for pending attempts
	verdictPoll     = 100 * time.Millisecond // how often it looks for those of other processes
	verdictDeadline = 25 * time.Second       // for the comparison: before the attempt's lease ends
)

// reserve reserves one attempt durably. While only pending attempts stand in the way
// it waits, so that right answers in parallel lock nobody. ctx belongs to a
// session: the connection of the transaction that reserves is kept for the
// verdict.
func (v *Credentials) reserve(ctx context.Context, o *operation, in decrypted) (attempt, error) {
	got, full, err := v.reserveOnce(ctx, o, in)
	if err != nil || !full {
		return got, err
	}
	deadline := time.NewTimer(verdictWait)
	defer deadline.Stop()
	poll := time.NewTicker(verdictPoll)
	defer poll.Stop()
	for {
		settled, leave := v.verdicts.wait(in.key.AccountID, in.typ)
		if got, full, err = v.reserveOnce(ctx, o, in); err == nil && full {
			store.SessionFrom(ctx).End() // the attempts that are waited for may need it
			since := time.Now()
			select {
			case <-settled:
			case <-poll.C:
			case <-ctx.Done():
				err = ctx.Err()
			case <-deadline.C:
				v.cfg.Metrics.Limited(metrics.LimitTries)
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

// reserveOnce is one transaction: ask the policy, reserve and read the verifier.
// Full means: wait and ask again.
func (v *Credentials) reserveOnce(ctx context.Context, o *operation, in decrypted) (got attempt, full bool, err error) {
	var admission domain.Admission
	var locked error
	got = attempt{decrypted: in, until: time.Now().Add(v.cfg.Attempts.Lease)}
	got.Attempt, err = record.Update(ctx, v.cfg.Records, o.note("", ""), func(tx *record.Tx) (record.Attempt, error) {
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
		err = v.notReserved(ctx, o, got)
	}
	if err != nil {
		return attempt{}, false, keyError(err)
	}
	if admission == domain.Locked {
		return attempt{}, false, locked
	}
	return got, admission == domain.Full, nil
}

// decide compares a reserved attempt and settles its verdict.
func (v *Credentials) decide(ctx context.Context, o *operation, ticket *workpool.Ticket, t attempt) (match bool, err error) {
	compared := false
	defer func() {
		if !compared {
			err = v.giveBack(ctx, o, t, err)
		}
		v.verdicts.settled(t.AccountID, t.Type)
	}()
	var rehashed []byte
	refused := ticket.Next(ctx, func(m *argon2.Matrix) { match, rehashed, err = v.compare(ctx, m, t.Credential, t.secret) })
	if err = cmp.Or(refused, err); err != nil {
		return false, err
	}
	compared = true
	defer domain.Secret(rehashed).Wipe()
	answer := verdict{match, domain.EventCredentialVerified, "ok"}
	if !match {
		answer = verdict{match, domain.EventCredentialMismatch, "mismatch"}
	}
	if err := v.settle(ctx, o, t, answer, rehashed); err != nil {
		return false, err
	}
	return match, nil
}

// verdict is what became of an attempt, and how the trail tells it.
type verdict struct {
	match   bool
	event   domain.Event
	outcome string
}

func (answer verdict) became() string {
	if answer.match {
		return metrics.TryMatch
	}
	return metrics.TryMismatch
}

// settle writes a verdict. Nothing is answered before it is durable.
func (v *Credentials) settle(ctx context.Context, o *operation, t attempt, answer verdict, rehashed []byte) error {
	err := v.persist(ctx, o, t, func(tx *record.Tx) error {
		counter, err := tx.Attempts(t.AccountID, t.Type)
		if err != nil {
			return err
		}
		if err := counter.Settle(o.entry(answer.event, answer.outcome, v.cfg.Now()), t.Attempt, answer.match); err != nil || rehashed == nil {
			return err
		}
		return tx.Rehash(o.note(domain.EventCredentialRehashed, "ok"), t.Credential, rehashed)
	})
	if err != nil {
		return err
	}
	o.entered, o.outcome, o.wrong = true, answer.outcome, !answer.match
	if !answer.match {
		v.countWrong(ctx, o, t.key)
	}
	v.cfg.Metrics.Try(t.Type, answer.became())
	return nil
}

// countWrong counts a wrong answer to the source that it came from. In device
// mode a device is an account.
func (v *Credentials) countWrong(ctx context.Context, o *operation, k domain.DeviceKey) {
	if len(o.account) != 16 {
		return
	}
	device := k.DeviceID
	if v.cfg.Mode == domain.ModeDevice {
		device = ""
	}
	v.cfg.Guessing.Wrong(ctx, [16]byte(o.account), o.caller.Address, device)
}
