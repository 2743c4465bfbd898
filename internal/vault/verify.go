package vault

import (
	"cmp"
	"context"

	"strongroom/internal/crypto/argon2"
	"strongroom/internal/domain"
	"strongroom/internal/store"
	"strongroom/internal/workpool"
)

// Verify reports whether a passcode or PIN is the stored one. If nothing is
// stored, it does the same work, counts the attempt and returns false.
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
		// The attempt is used from here on, even if the client hangs up: an attacker
		// must not get the attempt back by hanging up early.
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), verdictDeadline)
		defer cancel()
		match, err := v.decide(ctx, o, ticket, reserved)
		return match, v.seen(ctx, o, err)
	})
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
