package service

import (
	"context"
	"sync/atomic"

	"strongroom/internal/domain"
	"strongroom/internal/record"
	"strongroom/internal/store"
)

// The transactions of an operation that takes an attempt, from 1.
const (
	reserving = 1
	settling  = 2
)

// stop is where an operation is stopped or watched: at one of its transactions.
type stop struct {
	transaction int32
	n           atomic.Int32
	reached     chan struct{} // closed before the transaction; with after, once it is committed
	resume      chan struct{} // nil: the operation continues
	after       bool
}

type stopKey struct{}

// stoppable is a store whose operations can be stopped, and whose Views run twice.
type stoppable struct{ store.Store }

// View runs fn a second time, as an engine may. Nothing of the first run may show.
func (s stoppable) View(ctx context.Context, fn func(store.Tx) error) error {
	_ = s.Store.View(ctx, fn)
	return s.Store.View(ctx, fn)
}

func (s stoppable) Update(ctx context.Context, fn func(store.Tx) error) error {
	at, _ := ctx.Value(stopKey{}).(*stop)
	if at == nil || at.n.Add(1) != at.transaction {
		return s.Store.Update(ctx, fn)
	}
	if !at.after {
		close(at.reached)
		<-at.resume
		return s.Store.Update(ctx, fn)
	}
	err := s.Store.Update(ctx, fn)
	close(at.reached)
	return err
}

// midway begins an operation, stops it before one of its transactions, and
// returns a function that lets it continue and waits for its answer.
func (v *instance) midway(before int32, op func(context.Context) string) (resume func() string) {
	v.t.Helper()
	v.joins()
	at := &stop{transaction: before, reached: make(chan struct{}), resume: make(chan struct{})}
	answer := make(chan string, 1)
	go func() { answer <- op(context.WithValue(v.ctx, stopKey{}, at)) }()
	select {
	case <-at.reached:
	case got := <-answer:
		v.t.Fatalf("it ended too early: %s", got)
	}
	return func() string {
		close(at.resume)
		return <-answer
	}
}

// joins makes this process begin its chains, as its first transaction would.
func (v *instance) joins() {
	v.t.Helper()
	if err := v.records.Enter(v.ctx); err != nil {
		v.t.Fatal(err)
	}
}

// midwayVerify is a verify of a PIN that is stopped before its verdict is
// written.
func (v *instance) midwayVerify(k domain.KeyPair, pin string) (resume func() string) {
	v.t.Helper()
	sub := submission(v.t, k, domain.TransactionPIN, pin)
	return v.midway(settling, func(ctx context.Context) string {
		match, err := v.matches(ctx, sub)
		return word(match, err)
	})
}

// reserve reserves an attempt, like a process that then dies.
func (v *instance) reserve(k domain.KeyPair, t domain.CredentialType) (full bool, err error) {
	key := v.stored(k)
	device := ""
	if v.cfg.Attempts.DeviceMax > 0 {
		device = v.records.AttemptDevice(key.AccountID, key.DeviceID)
	}
	return record.Update(v.ctx, v.records, domain.Entry{Actor: "caller", KeyID: key.ID}, func(tx *record.Tx) (full bool, err error) {
		counter, err := tx.Attempts(key.AccountID, t)
		if err != nil {
			return false, err
		}
		switch counter.Admit(device) {
		case domain.Admitted:
			counter.Reserve(device, key.ID)
		case domain.Locked:
			err = counter.Locked(device)
		case domain.Full:
			full = true
		}
		return full, err
	})
}

// mustReserve reserves an attempt at the PIN, which must be admitted.
func (v *instance) mustReserve(k domain.KeyPair) {
	v.t.Helper()
	if full, err := v.reserve(k, domain.TransactionPIN); full || err != nil {
		v.t.Fatalf("an attempt was not reserved: full %v, %v", full, err)
	}
}
