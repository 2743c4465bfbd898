package receipt

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/metrics"
	"strongroom/internal/record"
	"strongroom/internal/rollback"
	"strongroom/internal/store"
	"strongroom/internal/trace"
)

// maxReceipt bounds the text of a receipt, in bytes. With the longest names of
// account, issuer and device, fully escaped, a receipt has about 6,000.
const maxReceipt = 8 << 10

var (
	errNoReceipt       = domain.BadInput("receipt", "must be a receipt that this service signed, unchanged")
	errReceiptExpired  = domain.BadInput("receipt", "has expired; ask the user to authorize again")
	errReceiptEarly    = domain.BadInput("receipt", "has an iat more than 1 min ahead, because the clock was ahead when it was issued; ask the user to authorize again")
	errReceiptRedeemed = domain.Conflict("This receipt was redeemed before. If that was not you, treat the transaction as not authorized.")
)

// Redeem uses a receipt up and returns its claims, a JSON object. Of all calls
// with one receipt, at all instances, at most one succeeds. If the outcome of its
// commit is unknown, none does: the caller must then ask for a new receipt.
//
// The caller is a backend with the permission [domain.MayRedeemReceipts].
func (v *Receipts) Redeem(ctx context.Context, text string) (claims json.RawMessage, err error) {
	ctx, use := trace.Operation(ctx, "redeemReceipt")
	defer func() { use.End(trace.OutcomeOf(err)) }()
	claims, err = v.redeem(ctx, text)
	result := metrics.ReceiptFailed
	switch code := domain.CodeOf(err); {
	case code == "":
		result = metrics.ReceiptRedeemed
	case errors.Is(err, errReceiptRedeemed):
		result = metrics.ReceiptRepeated
	case errors.Is(err, errReceiptExpired), errors.Is(err, errReceiptEarly):
		result = metrics.ReceiptExpired
	case errors.Is(err, errNoReceipt):
		result = metrics.ReceiptInvalid
	case code == domain.CodeForbidden:
		v.cfg.Refused(ctx, code)
		return nil, err
	}
	v.cfg.Metrics.Receipt(result)
	if code := domain.CodeOf(err); code != "" && code != domain.CodeInternal {
		v.cfg.Log.InfoContext(ctx, "a receipt was not redeemed", "result", result)
	}
	return claims, v.cfg.Records.Unavailable(ctx, err)
}

func (v *Receipts) redeem(ctx context.Context, text string) (json.RawMessage, error) {
	if v.cfg.Guard.Seen() {
		return nil, rollback.ErrSeen
	}
	by := domain.CallerFrom(ctx)
	if err := by.Require(domain.MayRedeemReceipts); err != nil {
		return nil, err
	}
	payload, c, err := v.parse(ctx, text)
	if err != nil {
		return nil, err
	}
	e := domain.Entry{RequestID: by.RequestID, Actor: "caller", Event: domain.EventReceiptRedeemed, Outcome: "ok", KeyID: c.KeyID, Reason: c.Detail()}
	e.About = domain.About{Account: domain.Account{Mode: v.cfg.Mode, Issuer: c.SubjectIssuer, Subject: c.Subject}, DeviceID: c.Device, Type: c.Type}
	e.About.Account.ID = v.cfg.Records.AccountID(e.About.Account)
	e.Account, e.Device = v.cfg.Records.Hashes(e.About.Account, c.Device)
	expires := time.Unix(c.ExpiresAt, 0)
	err = v.cfg.Records.Update(ctx, record.System, func(tx *record.Tx) error {
		if err := c.check(tx.Now()); err != nil {
			return err
		}
		tx.Enter(e)
		return tx.Redeem(domain.Redemption{ID: c.ID, ExpiresAt: expires})
	})
	if errors.Is(err, store.ErrRedeemed) {
		err = errReceiptRedeemed
	}
	if err != nil {
		return nil, err
	}
	return payload, nil
}

// issuedAhead is how far iat may be ahead. All instances use the store's clock, so it
// allows for a failover to a database server whose clock differs.
const issuedAhead = time.Minute

// check refuses a receipt that is not valid at this time. Without a limit on iat, a
// receipt that was issued while the clock was ahead could be redeemed for much longer.
func (c Claims) check(now time.Time) error {
	switch {
	case !now.Before(time.Unix(c.ExpiresAt, 0)):
		return errReceiptExpired
	case time.Unix(c.IssuedAt, 0).After(now.Add(issuedAhead)):
		return errReceiptEarly
	}
	return nil
}

// parse returns the claims of a receipt that this service signed, both as the signed
// JSON and decoded.
func (v *Receipts) parse(ctx context.Context, text string) (payload []byte, c Claims, err error) {
	if len(text) > maxReceipt {
		return nil, c, errNoReceipt
	}
	payload, ok, err := v.cfg.Issuer.Verify(ctx, typeReceipt, text)
	if err != nil {
		return nil, c, err
	}
	if !ok {
		return nil, c, errNoReceipt
	}
	// The service wrote the payload itself, so anything wrong with it is a bug.
	if err := json.Unmarshal(payload, &c); err != nil || c.ID == "" {
		return nil, c, fmt.Errorf("reading the claims of a signed receipt: %v", err)
	}
	// The setting was changed, or a copy of this database with the same keys and another
	// issuer signed it. With the same issuer, nothing tells a copy apart: docs/threat-model.md.
	if c.Issuer != v.cfg.IssuerURL {
		return nil, c, errNoReceipt
	}
	return payload, c, nil
}

const (
	sweptRedemptions = 1000 // deleted in one transaction, so that no request waits long
	// redemptionsKept is how long a redemption is kept after its receipt has expired, so
	// that no receipt is redeemed twice if the clock is set back by less.
	redemptionsKept = time.Hour
)

// SweepRedemptions deletes old redemptions. It returns true if there may be more.
// A clock that is set forward deletes none early, because it follows [record.Tx.Steady].
func (v *Receipts) SweepRedemptions(ctx context.Context) (more bool, err error) {
	deleted, err := record.Update(ctx, v.cfg.Records, record.System, func(tx *record.Tx) (int, error) {
		return tx.DeleteRedemptions(tx.Steady().Add(-redemptionsKept), sweptRedemptions)
	})
	return deleted == sweptRedemptions, err
}
