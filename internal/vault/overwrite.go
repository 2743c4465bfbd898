package vault

import (
	"context"
	"errors"
	"slices"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/metrics"
	"strongroom/internal/record"
)

// mayOverwrite refuses to replace a credential if settings demand more than a
// token: the current secret, or a recent sign-in, whose time is in the token.
func (v *Credentials) mayOverwrite(c domain.Caller, withCurrent bool, now time.Time) error {
	age := v.cfg.OverwriteMaxAuthAge
	switch {
	case c.Permissions&domain.MayResetCredential != 0:
		return nil
	case v.cfg.OverwriteRequiresCurrent && !withCurrent:
		return errCurrentRequired
	case age > 0 && c.AuthenticatedAt.IsZero():
		return errSignInUnknown
	case age > 0 && now.Sub(c.AuthenticatedAt) > age:
		return errSignInRequired
	}
	return nil
}

var (
	errCurrentRequired = &domain.Error{Code: domain.CodeForbidden, Reason: domain.ReasonCurrentRequired,
		Message: "Replacing a credential needs the current one. Send it in encryptedCurrentPin or encryptedCurrentPasscode, " +
			"encrypted under the same keyId, or use a token with the scope credential:reset."}
	errSignInRequired = &domain.Error{Code: domain.CodeForbidden, Reason: domain.ReasonSignInRequired,
		Message: "Replacing a credential needs a recent sign-in. Sign in again and repeat with the new token."}
	// Another sign-in does not help: the next token lacks the claim too.
	errSignInUnknown = &domain.Error{Code: domain.CodeForbidden, Reason: domain.ReasonSignInRequired,
		Message: "Replacing a credential needs a recent sign-in, and the token has no claim auth_time. " +
			"Configure the identity provider to add auth_time to access tokens for this service."}
)

// refusedOverwrite returns the [domain.OverwriteReasons] that a set ended with,
// or "".
func refusedOverwrite(rule domain.Rule, err error) string {
	reason := string(rule)
	var refusal *domain.Error
	if errors.As(err, &refusal) && refusal.Code == domain.CodeForbidden {
		reason = refusal.Reason
	}
	if slices.Contains(domain.OverwriteReasons, reason) {
		return reason
	}
	return ""
}

// overwriteBudget refuses a set before any work when too many were refused. It
// never refuses a set that may replace a credential: otherwise a thief with a copied
// token could use up the budget and keep the owner from changing the PIN. Wrong current
// secrets are bounded by the guess limit.
func (v *Credentials) overwriteBudget(c domain.Caller, account string, sub domain.Submission) error {
	now := v.cfg.Now()
	if v.mayOverwrite(c, sub.Current != nil, now) == nil {
		return nil
	}
	wait, ok := v.overwrites.Check(overwriteKey(account, sub.Type), now)
	if ok {
		return nil
	}
	v.cfg.Metrics.Limited(metrics.LimitOverwrites)
	return domain.TooManyRequests(domain.ReasonOverwritesRefused, "Too many attempts to replace this credential were refused. "+
		"Try again after retryAfterSeconds, with the current secret.", wait)
}

func overwriteKey(account string, t domain.CredentialType) string { return string(t) + "/" + account }

// reportRefusedOverwrite counts and reports a refused set. The set stays refused
// even if its entry cannot be written.
func (v *Credentials) reportRefusedOverwrite(ctx context.Context, o *operation, in decrypted, reason string) {
	v.overwrites.Fail(overwriteKey(in.key.AccountID, in.typ), v.cfg.Now())
	v.cfg.Metrics.OverwriteRefused(reason)
	e := o.note(domain.EventOverwriteRefused, reason)
	if err := v.cfg.Records.Enter(context.WithoutCancel(ctx), e); err != nil {
		v.cfg.Log.ErrorContext(ctx, "auditing a refused overwrite failed", "error", err)
	}
}

// mayReplace returns the event of replacing a credential, and whether the attempt
// counter begins anew, or refuses. During a lock, only a caller with
// credential:reset may replace the credential, which clears the lock. (The first
// set always starts with a new attempt counter: before it there is no secret that
// a lock could protect.)
func (v *Credentials) mayReplace(tx *record.Tx, c domain.Caller, in decrypted, counter *record.Counter) (event domain.Event, fresh bool, err error) {
	switch {
	case !counter.LockedFor(in.device):
		return domain.EventCredentialSet, false, v.mayOverwrite(c, in.withCurrent, tx.Now())
	case c.Permissions&domain.MayResetCredential == 0:
		return "", false, counter.Locked(in.device)
	}
	return domain.EventCredentialReset, true, nil
}
