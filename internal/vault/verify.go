package vault

import (
	"cmp"
	"context"

	"strongroom/internal/crypto/argon2"
	"strongroom/internal/crypto/devicekey"
	"strongroom/internal/domain"
	"strongroom/internal/store"
	"strongroom/internal/workpool"
)

// Verify reports whether a passcode or PIN is the stored one. If nothing is
// stored, it does the same work, counts the attempt and answers no match. With
// [Settings.ReceiptsOfVerify] a match has a receipt without a transaction.
func (v *Credentials) Verify(ctx context.Context, sub domain.Submission) (domain.Verdict, error) {
	return do(ctx, v.gate, operations[sub.Type].verify, func(ctx context.Context, o *operation) (domain.Verdict, error) {
		var r *wantedReceipt
		if v.cfg.ReceiptsOfVerify {
			r = &wantedReceipt{}
		}
		return v.answer(ctx, o, sub, devicekey.LabelVerify, r)
	})
}

// answer opens a submission and compares its secret, as one attempt. A match gets
// the receipt r; nil: none. With a transaction in r, the submission must be for it.
func (v *Credentials) answer(ctx context.Context, o *operation, sub domain.Submission, purpose string, r *wantedReceipt) (domain.Verdict, error) {
	if r != nil { // before the attempt counts
		if err := v.cfg.Issuer.Ready(); err != nil {
			return domain.Verdict{}, err
		}
	}
	ticket, err := v.cfg.Verifying.Enter(o.by())
	if err != nil {
		return domain.Verdict{}, err
	}
	defer ticket.Leave()
	in, err := v.open(ctx, o, ticket, sub, purpose)
	if err != nil {
		return domain.Verdict{}, v.seen(ctx, o, err)
	}
	defer func() { in.wipe() }()
	if purpose == devicekey.LabelAuthorize {
		if err := v.unpack(&in, r.txn); err != nil {
			return domain.Verdict{}, v.seen(ctx, o, v.confirm(ctx, o, in, domain.ForVerify, err))
		}
	}
	ctx, session := store.WithSession(ctx)
	defer session.End()
	reserved, err := v.reserve(ctx, o, in)
	if err != nil {
		return domain.Verdict{}, v.seen(ctx, o, err)
	}
	// The attempt is used from here on, even if the client hangs up: an attacker
	// must not get the attempt back by hanging up early.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), verdictDeadline)
	defer cancel()
	answer, err := v.decide(ctx, o, ticket, reserved, r)
	if err == nil && answer.Match && r != nil {
		answer.Receipt, answer.ExpiresAt, err = v.receipts.Sign(r.claims)
	}
	return answer, v.seen(ctx, o, err)
}

// decide compares a reserved attempt and settles its verdict. A match gets the
// receipt r, unless that is nil.
func (v *Credentials) decide(ctx context.Context, o *operation, ticket *workpool.Ticket, t attempt, r *wantedReceipt) (answer domain.Verdict, err error) {
	compared := false
	defer func() {
		if !compared {
			err = v.giveBack(ctx, o, t, err)
		}
		v.verdicts.settled(t.AccountID, t.Type)
	}()
	var is comparison
	var rehashed domain.Secret
	refused := ticket.Next(ctx, func(m *argon2.Matrix) {
		is, err = v.compare(ctx, m, subject{t.AccountID, t.Type, t.Credential}, t.secret)
		if is.outdated {
			rehashed, o.apart, err = v.rehash(m, t.secret)
		}
	})
	if err = cmp.Or(refused, err); err != nil {
		return domain.Verdict{}, err
	}
	compared = true
	defer rehashed.Wipe()
	settled := verdict{match: true, event: domain.EventCredentialVerified, outcome: "ok", receipt: r}
	switch {
	case !is.match:
		settled = verdict{event: domain.EventCredentialMismatch, outcome: "mismatch"}
	case r != nil:
		r.mustChange = is.mustChange
	}
	left, err := v.settle(ctx, o, t, settled, rehashed)
	switch {
	case err != nil:
		return domain.Verdict{}, err
	case is.match:
		return domain.Verdict{Match: true, MustChange: is.mustChange}, nil
	case proven(o.caller, t.key):
		return domain.Verdict{AttemptsLeft: &left}, nil
	}
	return domain.Verdict{}, nil
}
