package service

import (
	"cmp"
	"context"
	"errors"

	"strongroom/internal/crypto/argon2"
	"strongroom/internal/domain"
	"strongroom/internal/record"
	"strongroom/internal/store"
	"strongroom/internal/workpool"
)

// Set stores a passcode or PIN. It answers the rule by which it was not set, or
// "" when it was.
func (s *Service) Set(ctx context.Context, sub domain.Submission) (domain.Rule, error) {
	return do(ctx, s, operations[sub.Type].set, func(ctx context.Context, o *operation) (domain.Rule, error) {
		ticket, err := s.verifying.Enter(o.by())
		if err != nil {
			return "", err
		}
		defer ticket.Leave()
		in, err := s.open(ctx, o, ticket, sub, domain.ForSet)
		if err != nil {
			return "", s.seen(ctx, o, err)
		}
		defer in.wipe()
		ctx, session := store.WithSession(ctx)
		defer session.End()
		rule, err := s.set(ctx, o, ticket, in)
		if reason := refusedOverwrite(rule, err); reason != "" {
			s.tellRefusedOverwrite(ctx, o, in, reason)
		}
		if err != nil {
			return "", s.seen(ctx, o, err)
		}
		if rule != "" {
			o.failed, o.outcome = true, string(domain.CodeCredentialRejected)
		}
		return rule, nil
	})
}

// proposal is a set under way.
type proposal struct {
	presented
	present  domain.Credential // what it is judged against; zero where nothing is set, or nothing is compared
	previous []domain.Secret   // opened verifiers that may not be set again, that of present first
	spent    *try              // the guess that the judgement is; nil: it is none
	judged   bool              // something was compared
	proven   bool              // the current secret that came with it is the present one
	encoded  domain.Secret     // the verifier to be stored
}

func (p *proposal) wipe() {
	for _, encoded := range p.previous {
		encoded.Wipe()
	}
	p.encoded.Wipe()
	p.previous, p.encoded = nil, nil
}

// errOvertaken says that another set came between judging and storing: what
// was judged against is not what is there now.
var errOvertaken = errors.New("other sets of this credential came first each time")

// set judges and stores, anew while other sets come between.
func (s *Service) set(ctx context.Context, o *operation, lane *workpool.Ticket, in presented) (rule domain.Rule, err error) {
	if rule := s.policyRule(in.typ, in.secret); rule != "" {
		return rule, nil
	}
	p := &proposal{presented: in}
	defer p.wipe()
	for range maxTries {
		if err := s.prepare(ctx, o, p); err != nil {
			return "", err
		}
		if p.isGuess(o.caller) {
			return s.setByTry(ctx, o, lane, p)
		}
		if rule, err = s.judgeAndStore(ctx, o, lane.First, p); !errors.Is(err, errOvertaken) {
			break
		}
	}
	return rule, err
}

// isGuess reports whether the answer to a set reveals something about secrets
// that the caller may not know. A caller with credential:reset needs no guess.
func (p *proposal) isGuess(c domain.Caller) bool {
	return p.withCurrent || len(p.previous) > 0 && c.Permissions&domain.MayResetCredential == 0
}

// setByTry is a set that takes a try, from the same budget as a verify. A set
// with the right current secret is a right answer. A wrong one is a wrong
// answer. Without a current secret, a set that is compared with the history is
// a wrong answer, even when it is stored: a match reveals a secret to the caller,
// and a mismatch reveals that the guess is none of them.
func (s *Service) setByTry(ctx context.Context, o *operation, lane *workpool.Ticket, p *proposal) (rule domain.Rule, err error) {
	t, err := s.reserve(ctx, o, p.presented)
	if err != nil {
		return "", err
	}
	// As in Verify: the try is spent now, whatever the client does.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), verdictDeadline)
	defer cancel()
	defer s.verdicts.settled(t.AccountID, t.Type)
	p.spent = &t
	for range maxTries {
		// One try, one answer: the result of an earlier round is not answered.
		if rule, err = s.judgeAndStore(ctx, o, lane.Next, p); !errors.Is(err, errOvertaken) {
			return rule, err
		}
		if err = s.prepare(ctx, o, p); err != nil {
			break
		}
	}
	return "", s.abandon(ctx, o, p, err)
}

// judgeAndStore is one round. After any end but errOvertaken the try is settled.
func (s *Service) judgeAndStore(ctx context.Context, o *operation, lane func(context.Context, func(*argon2.Matrix)) error, p *proposal) (rule domain.Rule, err error) {
	refused := lane(ctx, func(m *argon2.Matrix) { rule, err = s.judge(ctx, m, p) })
	if err = cmp.Or(refused, err); err != nil {
		return "", s.abandon(ctx, o, p, err)
	}
	p.judged = true
	if p.spent != nil {
		p.spent.Credential = p.present // a verdict is about what was compared
	}
	if rule != "" {
		return rule, s.reject(ctx, o, p, rule)
	}
	if err = s.storeCredential(ctx, o, p); err == nil || errors.Is(err, errOvertaken) {
		return "", err
	}
	return "", s.abandon(ctx, o, p, err)
}

// judge compares the current secret, then the new one with those before it,
// and makes the new verifier. If nothing is set, a current secret is wrong and
// costs the same work.
func (s *Service) judge(ctx context.Context, m *argon2.Matrix, p *proposal) (domain.Rule, error) {
	p.proven = false
	if p.withCurrent {
		match, rehashed, err := s.compare(ctx, m, p.present, p.current)
		domain.Secret(rehashed).Wipe()
		if err != nil || !match {
			return domain.RuleCurrentMismatch, err
		}
		p.proven = true
	}
	encoded, reused, err := s.succeed(ctx, m, p.previous, p.secret)
	p.encoded = encoded
	if reused {
		return domain.RuleReused, err
	}
	return "", err
}

// verdict is what a judged proposal is to the guess ledger.
func (p *proposal) verdict(outcome string) verdict {
	if p.proven {
		return verdict{true, domain.EventCredentialVerified, outcome}
	}
	return verdict{false, domain.EventCredentialMismatch, outcome}
}

// reject settles the try of a proposal that a rule forbids.
func (s *Service) reject(ctx context.Context, o *operation, p *proposal, rule domain.Rule) error {
	o.failed = true
	if p.spent == nil {
		return nil
	}
	v := p.verdict("mismatch")
	if rule == domain.RuleReused {
		v.event, v.outcome = domain.EventCredentialReused, string(rule)
	}
	return s.settle(ctx, o, *p.spent, v, nil)
}

// abandon settles the try of a proposal that is not stored because of err: by
// what it was judged to be, or not at all where it was not judged.
func (s *Service) abandon(ctx context.Context, o *operation, p *proposal, err error) error {
	switch {
	case p.spent == nil:
		return err
	case !p.judged:
		return s.giveBack(ctx, o, *p.spent, err)
	}
	o.failed = true
	return cmp.Or(s.settle(ctx, o, *p.spent, p.verdict("not stored"), nil), err)
}

// storeCredential writes the credential under the key's authority. It writes the
// outcome of the try in the same transaction, so that a crash cannot separate
// them.
func (s *Service) storeCredential(ctx context.Context, o *operation, p *proposal) error {
	v := p.verdict("ok")
	if !v.match {
		v.outcome = outcomeUnproven
	}
	put := func(tx *record.Tx) error { return s.putCredential(tx, o, p, v) }
	if p.spent == nil {
		err := keyError(s.records.Update(ctx, o.note("", ""), put))
		o.entered = err == nil
		return err
	}
	if err := s.persist(ctx, o, *p.spent, put); err != nil {
		return err
	}
	// It is not counted as a wrong answer of its source: people who change their
	// PIN do not guess at many accounts.
	o.entered, o.wrong = true, !v.match
	s.cfg.Meters.Try(p.typ, v.became())
	return nil
}

// outcomeUnproven is the outcome of a credential.mismatch by which a set was
// counted that was stored.
const outcomeUnproven = "unproven"

// putCredential is the transaction of a set: the verdict of its try, the
// credential, and the attempt counter where it begins anew.
func (s *Service) putCredential(tx *record.Tx, o *operation, p *proposal, v verdict) error {
	counter, err := tx.Attempts(p.key.AccountID, p.typ)
	if err != nil {
		return err
	}
	before, err := tx.Credential(p.key.AccountID, p.typ)
	if err != nil {
		return err
	}
	if s.compares(p.presented) && (before.ID != p.present.ID || before.Version != p.present.Version) {
		return errOvertaken
	}
	event, fresh := domain.EventCredentialSet, before.Version == 0
	if !fresh {
		if event, fresh, err = s.mayReplace(tx, o.caller, p.presented, counter); err != nil {
			return err
		}
	}
	if p.spent != nil {
		if err := counter.Settle(o.note(v.event, v.outcome), p.spent.Attempt, v.match); err != nil {
			return err
		}
	}
	err = tx.PutCredential(o.entry(event, "ok", s.cfg.Now()), p.key, p.typ, before, p.encoded, max(0, s.cfg.History-1))
	if err != nil {
		return err
	}
	if fresh && (p.spent != nil || counter.Exists()) {
		counter.Reset(o.note(domain.EventAttemptsReset, "ok"))
	}
	return nil
}

// mayReplace says which event it is to replace a credential, and whether its
// ledger begins anew, or refuses it. While a lock stands only a caller with
// credential:reset may, which clears it. (Where nothing was set before there is
// no secret that a lock could guard: the first set starts with a fresh ledger.)
func (s *Service) mayReplace(tx *record.Tx, c domain.Caller, in presented, counter *record.Counter) (event domain.Event, fresh bool, err error) {
	switch {
	case !counter.LockedFor(in.device):
		return domain.EventCredentialSet, false, s.mayOverwrite(c, in.withCurrent, tx.Now())
	case c.Permissions&domain.MayResetCredential == 0:
		return "", false, counter.Locked(in.device)
	}
	return domain.EventCredentialReset, true, nil
}
