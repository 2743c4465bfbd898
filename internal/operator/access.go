package operator

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/record"
	"strongroom/internal/store"
)

// access is how each use case gets at the records: it checks roles, runs what
// operators read on one snapshot, and does acts once.
type access struct{ cfg Config }

// Mode is that of the store's accounts.
func (u *access) Mode() domain.Mode { return u.cfg.Mode }

// OperatorRefused counts a request that the operator side refused before any
// use case. The trail tells these from those of the API by their outcome, which
// begins OPERATOR_.
func (u *access) OperatorRefused(_ context.Context, code domain.Code) {
	u.cfg.Tally.Refusal("OPERATOR_"+code, nil)
	u.cfg.Metrics.OperatorRefusal(code)
}

// operatorEntry begins the entry of an act, which only an operator with a name
// may do.
func (u *access) operatorEntry(ctx context.Context, reason string) (domain.Entry, error) {
	o := domain.OperatorFrom(ctx)
	if err := o.Require(domain.RoleOperator); err != nil {
		u.OperatorRefused(ctx, domain.CodeForbidden)
		return domain.Entry{}, err
	}
	if o.Name == "" {
		return domain.Entry{}, errors.New("the operator has no name that the trail could keep")
	}
	return domain.Entry{RequestID: domain.CallerFrom(ctx).RequestID, Actor: "operator:" + o.Name, Outcome: "ok", Reason: reason}, nil
}

// mayRead refuses who has no role at all.
func (u *access) mayRead(ctx context.Context) error {
	err := domain.OperatorFrom(ctx).Require(domain.RoleViewer)
	if err != nil {
		u.OperatorRefused(ctx, domain.CodeForbidden)
	}
	return err
}

// look runs what an operator reads.
func (u *access) look(ctx context.Context, fn func(*record.Tx) error) error {
	if err := u.mayRead(ctx); err != nil {
		return err
	}
	return u.cfg.Records.Unavailable(ctx, u.cfg.Records.View(ctx, fn))
}

// request is a write that an operator asks for: what it is called and what it
// is about, by which a repeat of it is known.
type request struct {
	domain.Act
	name      string
	arguments [][]byte
}

// errPortion is what an act returns that is not done yet: what it did and
// entered so far is committed, and it is called again.
var errPortion = errors.New("a portion of the act is done")

// act does an operator's write once. What fn enters, in the words of the entry
// that it is given, and the receipt are in its transaction: an act without
// either does not happen. One that is too much for a transaction
// returns errPortion after each portion but the last; each looks for a receipt
// anew, which another request may have left meanwhile.
func (u *access) act(ctx context.Context, r request, fn func(*record.Tx, domain.Entry) error) (receipt domain.Receipt, err error) {
	if r.Act, err = r.Checked(); err != nil {
		return receipt, err
	}
	entry, err := u.operatorEntry(ctx, r.Reason)
	if err != nil {
		return receipt, err
	}
	key, digest := u.receiptOf(ctx, r)
	for more := true; more && err == nil; {
		receipt, err = record.Update(ctx, u.cfg.Records, entry, func(tx *record.Tx) (domain.Receipt, error) {
			more = false
			receipt, err := repeated(tx, key, digest)
			if err != nil || receipt.Repeated {
				return receipt, err
			}
			err = fn(tx, entry)
			if more = errors.Is(err, errPortion); err != nil {
				if more {
					err = nil
				}
				return receipt, err
			}
			receipt = domain.Receipt{RequestID: entry.RequestID, At: tx.Now()}
			if key != nil {
				err = tx.PutReceipt(key, digest, receipt)
			}
			return receipt, err
		})
	}
	if err != nil {
		return domain.Receipt{}, u.cfg.Records.Unavailable(ctx, u.cfg.Records.Report(ctx, entry, err))
	}
	return receipt, u.scrubAfter(ctx)
}

// scrubAfter makes the erasures of an act physical. The act is done: who hangs
// up now must not read that it failed.
func (u *access) scrubAfter(ctx context.Context) error {
	err := u.cfg.Records.Scrub(context.WithoutCancel(ctx))
	if err == nil {
		return nil
	}
	if u.cfg.Background() {
		u.cfg.Report("scrubbing", err)
		return nil
	}
	return fmt.Errorf("it is done, but what was erased may be left in the database's log: %w", err)
}

// receiptOf is under what the receipt of a request is kept, nil for nowhere,
// and the digest of all that must be the same in a repeat.
func (u *access) receiptOf(ctx context.Context, r request) (key, digest []byte) {
	if r.IdempotencyKey == "" {
		return nil, nil
	}
	hash := u.cfg.Keys.Hash("receipt v1", domain.Encode([]byte(domain.OperatorFrom(ctx).Name), []byte(r.IdempotencyKey)))
	sum := sha256.Sum256(domain.Encode([]byte(r.name), domain.Encode(r.arguments...), []byte(r.Reason)))
	return hash[:], sum[:]
}

// repeated is the receipt of an earlier request that this one repeats.
func repeated(tx *record.Tx, key, digest []byte) (domain.Receipt, error) {
	if key == nil {
		return domain.Receipt{}, nil
	}
	r, of, err := tx.Receipt(key)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return domain.Receipt{}, nil
	case err != nil:
		return domain.Receipt{}, err
	case !bytes.Equal(of, digest):
		return domain.Receipt{}, domain.BadInput("idempotencyKey", "was used for another act: use a new one for each")
	}
	r.Repeated = true
	return r, nil
}

const (
	receiptsFor   = 24 * time.Hour
	sweptReceipts = 1000 // removed in one transaction, so that no request waits long
)

// SweepReceipts forgets receipts that nobody may ask for any more, a portion
// at a time, and the next portion soon if there may be more.
func (u *access) SweepReceipts(ctx context.Context) (more bool, err error) {
	deleted, err := record.Update(ctx, u.cfg.Records, record.System, func(tx *record.Tx) (int, error) {
		return tx.DeleteReceipts(tx.Now().Add(-receiptsFor), sweptReceipts)
	})
	return deleted == sweptReceipts, err
}

// notFound makes a refusal of what the store does not have.
func notFound(what string, err error) error {
	if errors.Is(err, store.ErrNotFound) {
		return domain.NotFound(what)
	}
	return err
}

// keyByID is a key by its id. Operators see and end one that was edited too.
func keyByID(tx *record.Tx, id string) (domain.DeviceKey, error) {
	k, err := tx.Key(id)
	if record.IsTampered(err) {
		err = nil
	}
	return k, err
}

// accountShown is an account as far as there is anything to be said of it:
// once it was erased nobody knows what it was called, except in device mode.
// A name that the id was not made for is not shown either.
func (u *access) accountShown(tx *record.Tx, id, deviceID string) (domain.Account, error) {
	a, err := tx.AccountByID(id)
	if err == nil || !errors.Is(err, store.ErrNotFound) && !record.IsTampered(err) {
		return a, err
	}
	a = domain.Account{ID: id, Mode: u.cfg.Mode, Tampered: !errors.Is(err, store.ErrNotFound)}
	if a.Mode == domain.ModeDevice && u.cfg.Records.AccountID(domain.Account{Mode: a.Mode, Subject: deviceID}) == id {
		a.Subject = deviceID
	}
	return a, nil
}
