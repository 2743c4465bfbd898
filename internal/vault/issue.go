package vault

import (
	"cmp"
	"context"
	"errors"

	"strongroom/internal/crypto/devicekey"
	"strongroom/internal/domain"
	"strongroom/internal/keypool"
	"strongroom/internal/record"
	"strongroom/internal/store"
	"strongroom/internal/workpool"
)

// GenerateKey returns the device's current key pair, or issues its first one.
func (v *Keys) GenerateKey(ctx context.Context, id domain.Identity) (domain.KeyPair, error) {
	return do(ctx, v.gate, domain.OpGenerateKey, func(ctx context.Context, o *operation) (domain.KeyPair, error) {
		if err := v.beginIssue(o, id); err != nil {
			return domain.KeyPair{}, err
		}
		for run := range maxRuns {
			k, err := v.currentKey(ctx, o, id, run == 0)
			if err == nil {
				k, err = v.answerWith(ctx, o, id, k)
			}
			if !errors.Is(err, store.ErrNotFound) {
				return k.Pair(id.Challenge), v.seen(ctx, o, err)
			}
			// One of the parallel requests for this device generates a key. The others
			// then read again, because a rotation may have come between.
			var mine *domain.DeviceKey
			_, err, _ = v.issuing.Do(string(o.device)+o.caller.Thumbprint, func() (any, error) {
				k, err := v.issue(context.WithoutCancel(ctx), o, id, false)
				mine = &k
				return nil, err
			})
			switch {
			case errors.Is(err, errHasKey): // another process was faster
			case err != nil:
				return domain.KeyPair{}, v.seen(ctx, o, err)
			case mine != nil:
				return mine.Pair(id.Challenge), nil
			}
		}
		return domain.KeyPair{}, errors.New("issuing a key: too many conflicts")
	})
}

// RotateKey issues a new key pair for the device and ends the previous one in
// the same transaction. Each of several parallel rotations returns a key, and the
// key of the last commit is the valid one.
func (v *Keys) RotateKey(ctx context.Context, id domain.Identity) (domain.KeyPair, error) {
	return do(ctx, v.gate, domain.OpRotateKey, func(ctx context.Context, o *operation) (domain.KeyPair, error) {
		if err := v.beginIssue(o, id); err != nil {
			return domain.KeyPair{}, err
		}
		err := v.cfg.Records.View(ctx, func(tx *record.Tx) error {
			last, err := v.lastKey(tx, o.caller, id)
			if err == nil {
				_, err = nextBinding(last, o.caller, true)
			}
			return cmp.Or(err, v.mayIssue(tx, o, id.DeviceID))
		})
		if err == nil {
			err = v.limitDevice(ctx, o)
		}
		if err != nil {
			return domain.KeyPair{}, v.seen(ctx, o, err)
		}
		k, err := v.issue(ctx, o, id, true)
		return k.Pair(id.Challenge), v.seen(ctx, o, err)
	})
}

// beginIssue checks the identity, and the proof if one is required, and chooses
// the algorithm of a new key.
func (v *Keys) beginIssue(o *operation, id domain.Identity) (err error) {
	if err := id.Validate(); err != nil {
		return err
	}
	if o.algorithm, err = v.chooseAlgorithm(id); err != nil {
		return err
	}
	if err := v.mayAskForKey(o.caller); err != nil {
		return err
	}
	v.identify(o, id.DeviceID)
	return nil
}

// currentKey returns the device's active and valid key, or store.ErrNotFound if
// it has none and one may be issued. The first time in a request, it then checks the
// caller's rate: a request without the proof that the key needs does not count
// against it.
func (v *Keys) currentKey(ctx context.Context, o *operation, id domain.Identity, first bool) (k domain.DeviceKey, err error) {
	k, err = record.View(ctx, v.cfg.Records, func(tx *record.Tx) (domain.DeviceKey, error) {
		last, err := v.presentKey(tx, o.caller, id, first)
		if err != nil {
			return last, err
		}
		if v.isCurrent(last, tx.Now(), o, id) {
			return last, checkProof(last, o.caller)
		}
		_, err = nextBinding(last, o.caller, false)
		return domain.DeviceKey{}, cmp.Or(err, v.mayIssue(tx, o, id.DeviceID), store.ErrNotFound)
	})
	o.keyID = k.ID
	if first && (err == nil || errors.Is(err, store.ErrNotFound)) {
		if limited := v.limitDevice(ctx, o); limited != nil {
			return k, limited
		}
	}
	return k, err
}

// answerWith answers a request for a key with the device's present key. It counts
// the request, notes a changed appVersion in the key's record, and binds an
// unbound key to the key that the caller's token names. It fails with
// store.ErrNotFound if the key has ended meanwhile.
func (v *Keys) answerWith(ctx context.Context, o *operation, id domain.Identity, k domain.DeviceKey) (domain.DeviceKey, error) {
	note := id.AppVersion != "" && id.AppVersion != k.AppVersion && v.mayNote(k.ID)
	bind := k.Thumbprint == "" && o.caller.TokenBound
	counts := !v.cfg.CountGenerationsOnly
	answer := func() error {
		if !note && !bind && !(counts && v.cfg.KeyCounterInStore) {
			return nil
		}
		return v.cfg.Records.Update(ctx, o.note("", ""), func(tx *record.Tx) (err error) {
			if counts {
				err = v.countInStore(tx, o)
			}
			if err != nil || !note && !bind {
				return err
			}
			if k, err = v.lastKey(tx, o.caller, id); err == nil && !v.isCurrent(k, tx.Now(), o, id) {
				err = store.ErrNotFound
			}
			if err == nil && bind && k.Thumbprint == "" {
				k, err = tx.BindKey(o.note(domain.EventKeyBound, "ok"), k, o.caller.Thumbprint)
			}
			if err == nil && note {
				k, err = tx.NoteAppVersion(o.entry(domain.EventKeyAppVersion, "ok", v.cfg.Now()), k, id.AppVersion)
			}
			return err
		})
	}
	var err error
	if counts {
		err = v.countInMemory(o, answer)
	} else {
		err = answer()
	}
	o.entered = note && err == nil
	return k, err
}

// issue generates a key pair and stores it. A request counts against the limit of its
// device only if it was admitted to the queue. A request for an HPKE key needs no worker,
// but takes a place in the queue too, so that a flood of new keys is bounded. If the
// device already has a usable key and rotate is false, issue returns errHasKey.
func (v *Keys) issue(ctx context.Context, o *operation, id domain.Identity, rotate bool) (k domain.DeviceKey, err error) {
	ticket, err := v.cfg.Generating.Enter(o.by())
	if err != nil {
		return k, err
	}
	defer ticket.Leave()
	err = v.countInMemory(o, func() error {
		k, err = v.generateAndStore(ctx, o, ticket, id, rotate)
		return err
	})
	return k, err
}

// errHasKey says that another request has just made the device's key.
var errHasKey = errors.New("the device has a usable key")

// newPair takes a ready RSA key pair, or makes a key pair.
func (v *Keys) newPair(ctx context.Context, ticket *workpool.Ticket, a devicekey.Algorithm) (keypool.Pair, error) {
	if a == devicekey.RSAOAEP256 {
		return v.cfg.KeyPool.Take(ctx, ticket)
	}
	return v.cfg.KeyPool.MakeOf(ctx, a)
}

func (v *Keys) generateAndStore(ctx context.Context, o *operation, ticket *workpool.Ticket, id domain.Identity, rotate bool) (domain.DeviceKey, error) {
	pair, err := v.newPair(ctx, ticket, o.algorithm)
	if err != nil {
		return domain.DeviceKey{}, err
	}
	defer pair.Private.Wipe()
	// The key pair is used up, so the request counts, even if the client hangs up now.
	// Otherwise a client could use up key pairs without a limit.
	ctx = context.WithoutCancel(ctx)
	var k domain.DeviceKey
	err = v.cfg.Records.Update(ctx, o.note("", ""), func(tx *record.Tx) (err error) {
		k, err = v.replaceKey(tx, o, id, pair, rotate)
		return err
	})
	o.keyID, o.entered = k.ID, err == nil
	if err == nil {
		v.cfg.Metrics.KeyIssued(k.Algorithm)
	}
	return k, err
}

// replaceKey ends the device's keys and stores a new one.
func (v *Keys) replaceKey(tx *record.Tx, o *operation, id domain.Identity, pair keypool.Pair, rotate bool) (k domain.DeviceKey, err error) {
	if err := v.countInStore(tx, o); err != nil {
		return k, err
	}
	is, err := tx.ForIssue(accountName(o.caller, id.DeviceID), id.DeviceID)
	if err != nil {
		return k, err
	}
	account, last := is.Account, is.Last
	next, err := nextBinding(last, o.caller, rotate)
	if err != nil {
		return k, err
	}
	previous := last
	switch {
	case last.State != domain.KeyActive:
		previous, err = domain.DeviceKey{}, v.roomForDevice(tx, account.ID)
	case rotate || !v.isCurrent(previous, tx.Now(), o, id):
		err = v.endPrevious(tx, o, previous, rotate)
	default:
		err = errHasKey
	}
	if err != nil {
		return k, err
	}
	if err := endOlder(tx, o, is.InGrace, previous.ID); err != nil {
		return k, err
	}
	if k, err = v.newRecord(account.ID, id, next.thumbprint, pair, tx.Now()); err != nil {
		return k, err
	}
	issued := o.entry(domain.EventKeyIssued, "ok", v.cfg.Now())
	if k.Algorithm != string(devicekey.RSAOAEP256) {
		issued.Reason = k.Algorithm
	}
	if err := tx.AddKey(issued, k); err != nil {
		return k, err
	}
	for _, event := range next.events {
		e := o.note(event, "ok")
		e.KeyID = k.ID
		tx.Enter(e)
	}
	return k, nil
}
