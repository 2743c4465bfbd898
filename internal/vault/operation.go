package vault

import (
	"time"

	"strongroom/internal/crypto/devicekey"
	"strongroom/internal/domain"
	"strongroom/internal/ratelimit"
	"strongroom/internal/trace"
)

// decrypted is a decrypted submission.
type decrypted struct {
	key         domain.DeviceKey
	before      *operation // the operation before it took key from the key cache; nil: key was read for it
	device      string     // the device's hash in the attempt counter; empty if devices have no limit of their own
	typ         domain.CredentialType
	secret      domain.Secret
	withCurrent bool          // a set contains the current secret
	current     domain.Secret // the current secret, in a set
	mustChange  bool          // a set says that its secret must be changed
}

// by identifies the caller in the queue for workers: by the account, if a token
// or gateway names it. In device mode nothing in a request is proven before its
// key was read, so it is the client's address, if that is known.
func (o *operation) by() [16]byte {
	if o.caller.Mode == domain.ModeDevice {
		return placeOf(o.caller)
	}
	return [16]byte(o.account)
}

// placeOf is the network that a caller sends from: an IPv4 address, or the /48 of
// an IPv6 address, because one customer can have a whole /48. It is zero if the
// address is unknown.
func placeOf(c domain.Caller) [16]byte {
	if site, ok := ratelimit.SiteKey(c.Address); ok {
		return site
	}
	return ratelimit.AddressKey(c.Address)
}

// operation is the state of one encryption operation while it runs.
type operation struct {
	name      domain.Operation
	start     time.Time
	caller    domain.Caller
	account   []byte              // keyed hash, once known
	device    []byte              // keyed hash, once known
	about     domain.About        // account and device in clear, for events
	keyID     string              // once known
	algorithm devicekey.Algorithm // of a new key, once chosen
	entered   bool                // an entry of its own was committed
	failed    bool                // it failed without an error
	wrong     bool                // a wrong guess was counted, so any answer may reveal the verdict
	outcome   string              // "ok" until something else is set
	apart     time.Duration       // of work that only a match has: no duration may include it
}

// took is the duration of the operation until now. Strangers see averages of it in the
// summary, so it does not reveal the verdict.
func (o *operation) took(now time.Time) time.Duration { return now.Sub(o.start) - o.apart }

// entry is the audit entry that counts this operation. An operation has exactly
// one such entry; all others are made by note.
func (o *operation) entry(event domain.Event, outcome string, now time.Time) domain.Entry {
	e := o.note(event, outcome)
	e.Operation, e.Failed, e.Duration = o.name, o.failed, o.took(now)
	return e
}

// note is a further entry of this operation.
func (o *operation) note(event domain.Event, outcome string) domain.Entry {
	return domain.Entry{RequestID: o.caller.RequestID, Actor: "caller", Event: event, Outcome: outcome,
		KeyID: o.keyID, Account: o.account, Device: o.device, About: o.about}
}

// outcomeOf is the outcome of the operation in its log line and span. A verify
// that answers false is "ok" too: only the trail has the verdict.
func (o *operation) outcomeOf(err error) string {
	if err == nil && o.failed { // a set that was refused by policy, and answered false
		return o.outcome
	}
	return trace.OutcomeOf(err)
}

// accountName is the name of the caller's account.
func accountName(c domain.Caller, deviceID string) domain.Account {
	if c.Mode == domain.ModeDevice {
		return domain.Account{Mode: c.Mode, Subject: deviceID}
	}
	return domain.Account{Mode: c.Mode, Issuer: c.Issuer, Subject: c.Subject}
}
