package service

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

// Mode is that of the store's accounts.
func (s *Service) Mode() domain.Mode { return s.cfg.Mode }

// operatorEntry begins the entry of an act, which only an operator with a name
// may do.
func (s *Service) operatorEntry(ctx context.Context, reason string) (domain.Entry, error) {
	o := domain.OperatorFrom(ctx)
	if err := o.Require(domain.RoleOperator); err != nil {
		s.OperatorRefused(ctx, domain.CodeForbidden)
		return domain.Entry{}, err
	}
	if o.Name == "" {
		return domain.Entry{}, errors.New("the operator has no name that the trail could keep")
	}
	return domain.Entry{RequestID: domain.CallerFrom(ctx).RequestID, Actor: "operator:" + o.Name, Outcome: "ok", Reason: reason}, nil
}

// mayRead refuses who has no role at all.
func (s *Service) mayRead(ctx context.Context) error {
	err := domain.OperatorFrom(ctx).Require(domain.RoleViewer)
	if err != nil {
		s.OperatorRefused(ctx, domain.CodeForbidden)
	}
	return err
}

// look runs what an operator reads.
func (s *Service) look(ctx context.Context, fn func(*record.Tx) error) error {
	if err := s.mayRead(ctx); err != nil {
		return err
	}
	return s.records.Unavailable(ctx, s.records.View(ctx, fn))
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
func (s *Service) act(ctx context.Context, r request, fn func(*record.Tx, domain.Entry) error) (receipt domain.Receipt, err error) {
	if r.Act, err = r.Checked(); err != nil {
		return receipt, err
	}
	entry, err := s.operatorEntry(ctx, r.Reason)
	if err != nil {
		return receipt, err
	}
	key, digest := s.receiptOf(ctx, r)
	for more := true; more && err == nil; {
		receipt, err = record.Update(ctx, s.records, entry, func(tx *record.Tx) (domain.Receipt, error) {
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
		return domain.Receipt{}, s.records.Unavailable(ctx, s.records.Report(ctx, entry, err))
	}
	return receipt, s.scrubAfter(ctx)
}

// scrubAfter makes the erasures of an act physical. The act is done: who hangs
// up now must not read that it failed.
func (s *Service) scrubAfter(ctx context.Context) error {
	err := s.records.Scrub(context.WithoutCancel(ctx))
	if err == nil {
		return nil
	}
	if s.background != nil { // the background tries again
		s.report("scrubbing", err)
		return nil
	}
	return fmt.Errorf("it is done, but what was erased may be left in the database's log: %w", err)
}

// receiptOf is under what the receipt of a request is kept, nil for nowhere,
// and the digest of all that must be the same in a repeat.
func (s *Service) receiptOf(ctx context.Context, r request) (key, digest []byte) {
	if r.IdempotencyKey == "" {
		return nil, nil
	}
	hash := s.keys.Hash("receipt v1", domain.Encode([]byte(domain.OperatorFrom(ctx).Name), []byte(r.IdempotencyKey)))
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

// sweepReceipts forgets receipts that nobody may ask for any more, a portion
// at a time, and the next portion soon if there may be more.
func (s *Service) sweepReceipts(ctx context.Context) (more bool, err error) {
	deleted, err := record.Update(ctx, s.records, record.System, func(tx *record.Tx) (int, error) {
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
