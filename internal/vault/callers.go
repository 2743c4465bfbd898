package vault

import (
	"context"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/metrics"
	"strongroom/internal/ratelimit"
	"strongroom/internal/rollback"
)

// needs is the permission of each encryption operation: one of those named.
// The helper changes nothing and shows nothing that is stored, and needs none.
var needs = map[domain.Operation]domain.Permission{
	domain.OpGenerateKey:    domain.MayIssueKeys,
	domain.OpRotateKey:      domain.MayIssueKeys,
	domain.OpEncrypt:        domain.AllPermissions,
	domain.OpSetPasscode:    domain.MayWriteCredential | domain.MayResetCredential,
	domain.OpSetPIN:         domain.MayWriteCredential | domain.MayResetCredential,
	domain.OpVerifyPasscode: domain.MayVerifyCredential,
	domain.OpVerifyPIN:      domain.MayVerifyCredential,
}

// permit says whether the caller may do the operation, and so often. Where a
// token or gateway names the account it is known before anything is looked up,
// so that a stranger's keyId is counted to him who sent it.
func (v *Vault) permit(ctx context.Context, o *operation) error {
	if v.cfg.Guard.Seen() {
		return rollback.ErrSeen
	}
	if o.caller.Mode != v.cfg.Mode {
		return &domain.Error{Code: domain.CodeUnauthenticated, Reason: domain.ReasonTokenMissing, Message: "The caller is not known."}
	}
	if o.caller.Mode != domain.ModeDevice {
		o.account, _ = v.cfg.Records.Hashes(accountName(o.caller, ""), "")
	}
	need := needs[o.name]
	if need != domain.AllPermissions {
		if err := o.caller.Require(need); err != nil {
			return err
		}
	}
	if o.caller.Address.IsValid() {
		if err := v.limit(ctx, o, metrics.LimitAddress, func(now time.Time) (time.Duration, bool) { return v.addresses.Take(o.caller.Address, now) }); err != nil {
			return err
		}
	}
	if o.caller.Mode == domain.ModeDevice {
		return nil // see limitDevice
	}
	return v.limitCaller(ctx, o)
}

// by is whose place in the lanes the operation takes: the account, where a token
// or gateway names it. In device mode nothing that is sent is proven before its
// key was looked up, so it is the client's address, as far as it is known.
func (o *operation) by() [16]byte {
	if o.caller.Mode == domain.ModeDevice {
		return placeOf(o.caller)
	}
	return [16]byte(o.account)
}

// placeOf is where a caller sends from: an IPv4 address, the /48 of an IPv6
// address, which one customer can have whole, or zero where it is not known.
func placeOf(c domain.Caller) [16]byte {
	if site, ok := ratelimit.SiteKey(c.Address); ok {
		return site
	}
	return ratelimit.AddressKey(c.Address)
}

// limitDevice is the caller's rate in device mode, where the device is known
// only once its key was looked up.
func (v *Vault) limitDevice(ctx context.Context, o *operation) error {
	if o.caller.Mode != domain.ModeDevice {
		return nil
	}
	return v.limitCaller(ctx, o)
}

// rateEntries bounds how many callers, and how many addresses, are remembered.
const rateEntries = 100_000

func (v *Vault) limitCaller(ctx context.Context, o *operation) error {
	return v.limit(ctx, o, metrics.LimitCaller, func(now time.Time) (time.Duration, bool) { return v.callers.Take([16]byte(o.account), now) })
}

func (v *Vault) limit(ctx context.Context, o *operation, by string, take func(time.Time) (time.Duration, bool)) error {
	wait, ok := take(v.cfg.Now())
	if ok {
		return nil
	}
	if v.cfg.RatesReportOnly {
		v.cfg.Metrics.WouldLimit(by)
		if write, omitted := v.overRate.Next(v.cfg.Now()); write {
			v.cfg.Log.WarnContext(ctx, "a rate limit would refuse this request", "operation", o.name, "by", by,
				"retry_after", wait.Round(time.Second).String(), "omitted", omitted)
		}
		return nil
	}
	v.cfg.Metrics.Limited(by)
	reason := domain.ReasonCallerRate
	if by == metrics.LimitAddress {
		reason = domain.ReasonAddressRate
	}
	return domain.TooManyRequests(reason, "Too many requests. Wait as long as the header Retry-After says.", wait)
}
