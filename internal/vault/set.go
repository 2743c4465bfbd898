package vault

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"strongroom/internal/crypto/argon2"
	"strongroom/internal/crypto/devicekey"
	"strongroom/internal/domain"
	"strongroom/internal/record"
	"strongroom/internal/store"
	"strongroom/internal/workpool"
)

// Set stores a passcode or PIN. It returns the rule that forbids it, or "" if it
// was stored.
func (v *Credentials) Set(ctx context.Context, sub domain.Submission) (domain.Rule, error) {
	return do(ctx, v.gate, operations[sub.Type].set, func(ctx context.Context, o *operation) (domain.Rule, error) {
		if sub.MustChange != nil && *sub.MustChange {
			if err := o.caller.Require(domain.MayResetCredential); err != nil {
				return "", err
			}
		}
		ticket, err := v.cfg.Verifying.Enter(o.by())
		if err != nil {
			return "", err
		}
		defer ticket.Leave()
		in, err := v.open(ctx, o, ticket, sub, devicekey.LabelSet)
		if err != nil {
			return "", v.seen(ctx, o, err)
		}
		defer in.wipe()
		ctx, session := store.WithSession(ctx)
		defer session.End()
		rule, err := v.set(ctx, o, ticket, in)
		if err != nil || rule != "" {
			err = v.confirm(ctx, o, in, domain.ForSet, err)
		}
		if reason := refusedOverwrite(rule, err); reason != "" {
			v.reportRefusedOverwrite(ctx, o, in, reason)
		}
		if err != nil {
			return "", v.seen(ctx, o, err)
		}
		if rule != "" {
			o.failed, o.outcome = true, string(domain.CodeCredentialRejected)
		}
		return rule, nil
	})
}

// errOvertaken says that another set came between judging and storing, so the
// stored credential is not the one that was compared.
var errOvertaken = errors.New("other sets of this credential came first each time")

// set judges and stores. It starts again if another set came between, at most maxRuns
// times.
func (v *Credentials) set(ctx context.Context, o *operation, ticket *workpool.Ticket, in decrypted) (rule domain.Rule, err error) {
	if rule := v.policyRule(in.typ, in.secret); rule != "" {
		return rule, nil
	}
	p := &proposal{decrypted: in}
	defer p.wipe()
	for range maxRuns {
		if err := v.prepare(ctx, o, p); err != nil {
			return "", err
		}
		if p.isGuess(o.caller) {
			return v.setByAttempt(ctx, o, ticket, p)
		}
		if rule, err = v.judgeAndStore(ctx, o, ticket.First, p); !errors.Is(err, errOvertaken) {
			break
		}
	}
	return rule, err
}

// setByAttempt is a set that takes an attempt, from the same budget as a verify. A set
// with the right current secret is a right answer. A wrong one is a wrong
// answer. Without a current secret, a set that is compared with the history is
// a wrong answer, even when it is stored: a match reveals a secret to the caller,
// and a mismatch reveals that the guess is none of them.
func (v *Credentials) setByAttempt(ctx context.Context, o *operation, ticket *workpool.Ticket, p *proposal) (rule domain.Rule, err error) {
	t, err := v.reserve(ctx, o, p.decrypted)
	if err != nil {
		return "", err
	}
	// As in Verify: the attempt is used, whatever the client does from here on.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), verdictDeadline)
	defer cancel()
	defer v.verdicts.settled(t.AccountID, t.Type)
	p.spent = &t
	for range maxRuns {
		// One attempt gives one answer: the result of an earlier round is not answered.
		if rule, err = v.judgeAndStore(ctx, o, ticket.Next, p); !errors.Is(err, errOvertaken) {
			return rule, err
		}
		if failed := v.prepare(ctx, o, p); failed != nil {
			return "", v.abandon(ctx, o, p, failed)
		}
	}
	return "", v.abandon(ctx, o, p, err) // errOvertaken
}

// judgeAndStore is one round. The attempt is settled unless it returns
// errOvertaken.
func (v *Credentials) judgeAndStore(ctx context.Context, o *operation, work func(context.Context, func(*argon2.Matrix)) error, p *proposal) (rule domain.Rule, err error) {
	refused := work(ctx, func(m *argon2.Matrix) { rule, err = v.judge(ctx, m, p) })
	if err = cmp.Or(refused, err); err != nil {
		return "", v.abandon(ctx, o, p, err)
	}
	p.judged = true
	if p.spent != nil {
		p.spent.Credential = p.present // a verdict is about what was compared
	}
	if rule != "" {
		return rule, v.reject(ctx, o, p, rule)
	}
	if err = v.storeCredential(ctx, o, p); err == nil || errors.Is(err, errOvertaken) {
		return "", err
	}
	return "", v.abandon(ctx, o, p, err)
}

// reject settles the attempt of a proposal that a rule forbids.
func (v *Credentials) reject(ctx context.Context, o *operation, p *proposal, rule domain.Rule) error {
	o.failed = true
	if p.spent == nil {
		return nil
	}
	answer := p.verdict("mismatch")
	if rule == domain.RuleReused {
		answer.event, answer.outcome = domain.EventCredentialReused, string(rule)
	}
	_, err := v.settle(ctx, o, *p.spent, answer, nil)
	return err
}

// abandon settles the attempt of a proposal that is not stored because of err. If
// the comparison has not run, it gives the attempt back.
func (v *Credentials) abandon(ctx context.Context, o *operation, p *proposal, err error) error {
	switch {
	case p.spent == nil:
		return err
	case !p.judged:
		return v.giveBack(ctx, o, *p.spent, err)
	}
	o.failed = true
	_, unsettled := v.settle(ctx, o, *p.spent, p.verdict("not stored"), nil)
	if errors.Is(err, store.ErrUnavailable) || domain.CodeOf(err) == domain.CodeOverloaded {
		// Not %w: OVERLOADED would say that no attempt was counted.
		err = fmt.Errorf("the set was counted as an attempt but not stored: %v", err)
	}
	return cmp.Or(unsettled, err)
}

// storeCredential writes the credential under the key's authority. It writes the
// outcome of the attempt in the same transaction, so that a crash cannot separate
// them.
func (v *Credentials) storeCredential(ctx context.Context, o *operation, p *proposal) error {
	answer := p.verdict("ok")
	if !answer.match {
		answer.outcome = outcomeUnproven
	}
	put := func(tx *record.Tx) error { return v.putCredential(tx, o, p, answer) }
	if p.spent == nil {
		err := keyError(v.cfg.Records.Update(ctx, o.note("", ""), put))
		if o.entered = err == nil; o.entered && p.before != nil {
			v.cfg.Tally.KeyUsed(p.key)
		}
		return err
	}
	if err := v.persist(ctx, o, *p.spent, put); err != nil {
		return err
	}
	// It does not count as a wrong answer of its source: changing one's own PIN is
	// not guessing at many accounts.
	o.entered, o.wrong = true, !answer.match
	v.cfg.Metrics.Attempt(p.typ, answer.label())
	return nil
}

// outcomeUnproven is the outcome of the credential.mismatch entry of a set that
// used an attempt and was stored.
const outcomeUnproven = "unproven"

// outcomeMustChange is the outcome of the entry of a set whose secret must be
// changed.
const outcomeMustChange = "must_change"

// putCredential is the transaction of a set: the verdict of its attempt, the
// credential, and the attempt counter if it begins anew.
func (v *Credentials) putCredential(tx *record.Tx, o *operation, p *proposal, answer verdict) error {
	counter, err := v.present(tx, o, &p.decrypted, domain.ForSet)
	if err != nil {
		return err
	}
	before, err := tx.Credential(p.key.AccountID, p.typ)
	if err != nil {
		return err
	}
	if v.compares(p.decrypted) && (before.ID != p.present.ID || before.Version != p.present.Version) {
		return errOvertaken
	}
	event, fresh := domain.EventCredentialSet, before.Version == 0
	if !fresh {
		if event, fresh, err = v.mayReplace(tx, o.caller, p.decrypted, counter); err != nil {
			return err
		}
	}
	if p.spent != nil {
		if err := counter.Settle(o.note(answer.event, answer.outcome), p.spent.Attempt, answer.match); err != nil {
			return err
		}
	}
	outcome := "ok"
	if p.mustChange {
		outcome = outcomeMustChange
	}
	keep := max(0, v.cfg.History-1)
	if p.anew {
		keep = 0
	}
	err = tx.PutCredential(o.entry(event, outcome, v.cfg.Now()), p.key, p.typ, before, p.encoded, p.mustChange, keep)
	if err != nil {
		return err
	}
	if p.spent != nil && answer.match {
		if err := v.bind(tx, o, p.key); err != nil {
			return err
		}
	}
	if err := v.unbind(tx, o, p.key); err != nil {
		return err
	}
	if fresh && (p.spent != nil || counter.Exists()) {
		counter.Reset(o.note(domain.EventAttemptsReset, "ok"))
	}
	return nil
}
