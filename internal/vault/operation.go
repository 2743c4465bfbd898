package vault

import (
	"context"
	"errors"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/ratelimit"
)

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

// operation is the account of one encryption operation while it runs.
type operation struct {
	name    domain.Operation
	start   time.Time
	caller  domain.Caller
	account []byte       // keyed hash, once known
	device  []byte       // keyed hash, once known
	about   domain.About // the same in clear, for events
	keyID   string       // once known
	entered bool         // an entry of its own was committed
	failed  bool         // it did not end in an error, but failed all the same
	wrong   bool         // a wrong guess was counted, so any answer may reveal the verdict
	outcome string       // "ok" unless said otherwise
}

// entry is the audit entry that this operation counts as. Exactly one entry of
// an operation is made by it.
func (o *operation) entry(event domain.Event, outcome string, now time.Time) domain.Entry {
	e := o.note(event, outcome)
	e.Operation, e.Failed, e.Duration = o.name, o.failed, now.Sub(o.start)
	return e
}

// note is a further entry of this operation.
func (o *operation) note(event domain.Event, outcome string) domain.Entry {
	return domain.Entry{RequestID: o.caller.RequestID, Actor: "caller", Event: event, Outcome: outcome,
		KeyID: o.keyID, Account: o.account, Device: o.device, About: o.about}
}

// outcomeOf is what came of the operation, in a word for its log line and span: "ok"
// or why not. A verify that answers false is "ok" too: its verdict is for the
// trail.
func (o *operation) outcomeOf(err error) string {
	code := domain.CodeOf(err)
	switch {
	case errors.Is(err, context.Canceled):
		return "canceled"
	case code != "":
		return string(code)
	case o.failed: // a set that was refused by policy, and answered false
		return o.outcome
	}
	return "ok"
}

// accountName is what the caller's account is called outside.
func accountName(c domain.Caller, deviceID string) domain.Account {
	if c.Mode == domain.ModeDevice {
		return domain.Account{Mode: c.Mode, Subject: deviceID}
	}
	return domain.Account{Mode: c.Mode, Issuer: c.Issuer, Subject: c.Subject}
}
