package vault

import (
	"context"
	"errors"
	"time"

	"strongroom/internal/crypto/devicekey"
	"strongroom/internal/domain"
	"strongroom/internal/lograte"
	"strongroom/internal/metrics"
	"strongroom/internal/ratelimit"
	"strongroom/internal/rollback"
)

// gate is what every operation goes through: it checks permissions and limits,
// and counts and logs the operation.
type gate struct {
	cfg Config

	callers   *ratelimit.Rates        // operations, by account
	addresses *ratelimit.AddressRates // operations, by client address
	overRate  lograte.Limit           // log lines about requests that a rate limit would refuse
	unread    lograte.Limit           // log lines about damaged rows of the metrics summary
}

// refuses reports whether set and verify must refuse a key: a rotation plan says so,
// or the process may not use its algorithm.
func (g *gate) refuses(k domain.DeviceKey) bool {
	return !devicekey.Algorithm(k.Algorithm).Allowed() || g.cfg.Plans.Refuses(k)
}

// needs lists the permissions of each operation. The caller needs one of them. The
// helper needs none, because it neither changes nor shows anything that is stored.
var needs = map[domain.Operation]domain.Permission{
	domain.OpGenerateKey:    domain.MayIssueKeys,
	domain.OpRotateKey:      domain.MayIssueKeys,
	domain.OpEncrypt:        domain.AllPermissions,
	domain.OpSetPasscode:    domain.MayWriteCredential | domain.MayResetCredential,
	domain.OpSetPIN:         domain.MayWriteCredential | domain.MayResetCredential,
	domain.OpVerifyPasscode: domain.MayVerifyCredential,
	domain.OpVerifyPIN:      domain.MayVerifyCredential,
	opStatus:                domain.MayVerifyCredential | domain.MayWriteCredential | domain.MayResetCredential,
	domain.OpAuthorize:      domain.MayVerifyCredential,
}

// permit checks the caller's permission and rates. If a token or gateway names
// the account, it is known before anything is read, so a request with a foreign
// keyId counts against the account that sent it.
func (g *gate) permit(ctx context.Context, o *operation) error {
	if g.cfg.Guard.Seen() {
		return rollback.ErrSeen
	}
	if o.caller.Mode != g.cfg.Mode {
		return &domain.Error{Code: domain.CodeUnauthenticated, Reason: domain.ReasonTokenMissing, Message: "The caller is not known."}
	}
	if o.caller.Mode != domain.ModeDevice {
		o.account, _ = g.cfg.Records.Hashes(accountName(o.caller, ""), "")
	}
	need := needs[o.name]
	if need != domain.AllPermissions {
		if err := o.caller.Require(need); err != nil {
			return err
		}
	}
	if err := g.limitAddress(ctx, o); err != nil {
		return err
	}
	if o.caller.Mode == domain.ModeDevice {
		return nil // see limitDevice
	}
	return g.limitCaller(ctx, o)
}

// identify notes the account and device of the operation. The trail and the
// sketches contain keyed hashes of names, so that anyone who knows the name of an
// erased account can still find its entries.
func (g *gate) identify(o *operation, deviceID string) {
	name := accountName(o.caller, deviceID)
	o.account, o.device = g.cfg.Records.Hashes(name, deviceID)
	o.about.Account, o.about.DeviceID = name, deviceID
}

// limitDevice checks the caller's rate in device mode, where the device is known
// only after its key was read.
func (g *gate) limitDevice(ctx context.Context, o *operation) error {
	if o.caller.Mode != domain.ModeDevice {
		return nil
	}
	return g.limitCaller(ctx, o)
}

func (g *gate) limitAddress(ctx context.Context, o *operation) error {
	if !o.caller.Address.IsValid() {
		return nil
	}
	return g.limit(ctx, o, metrics.LimitAddress, func(now time.Time) (time.Duration, bool) { return g.addresses.Take(o.caller.Address, now) })
}

// RefusedCaller counts a request whose caller did not prove itself, also against
// the rate of its address, and returns the answer: why, or TOO_MANY_REQUESTS
// above that rate. So nobody can try proofs and tokens without a limit.
func (g *gate) RefusedCaller(ctx context.Context, why *domain.Error) *domain.Error {
	o := &operation{name: opAuthenticate, caller: domain.CallerFrom(ctx)}
	if limited, ok := errors.AsType[*domain.Error](g.limitAddress(ctx, o)); ok {
		why = limited
	}
	g.Refused(ctx, why.Code)
	return why
}

// opAuthenticate is not an operation: it names refused callers in the log.
const opAuthenticate domain.Operation = "authenticate"

// rateEntries bounds how many callers, and how many addresses, are remembered.
const rateEntries = 100_000

func (g *gate) limitCaller(ctx context.Context, o *operation) error {
	return g.limit(ctx, o, metrics.LimitCaller, func(now time.Time) (time.Duration, bool) { return g.callers.Take([16]byte(o.account), now) })
}

func (g *gate) limit(ctx context.Context, o *operation, by string, take func(time.Time) (time.Duration, bool)) error {
	wait, ok := take(g.cfg.Now())
	if ok {
		return nil
	}
	if g.cfg.RatesReportOnly {
		g.cfg.Metrics.WouldLimit(by)
		if write, omitted := g.overRate.Next(g.cfg.Now()); write {
			g.cfg.Log.WarnContext(ctx, "a rate limit would refuse this request", "operation", o.name, "by", by,
				"retry_after", wait.Round(time.Second).String(), "omitted", omitted)
		}
		return nil
	}
	g.cfg.Metrics.Limited(by)
	reason := domain.ReasonCallerRate
	if by == metrics.LimitAddress {
		reason = domain.ReasonAddressRate
	}
	return domain.TooManyRequests(reason, "Too many requests. Wait as long as the header Retry-After says.", wait)
}
