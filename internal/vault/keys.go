package vault

import (
	"cmp"
	"context"
	"errors"
	"time"

	"golang.org/x/sync/singleflight"

	"strongroom/internal/crypto/argon2"
	"strongroom/internal/crypto/devicekey"
	"strongroom/internal/domain"
	"strongroom/internal/keypool"
	"strongroom/internal/ratelimit"
	"strongroom/internal/record"
	"strongroom/internal/store"
	"strongroom/internal/trace"
	"strongroom/internal/workpool"
)

// maxTries bounds how often a transaction that met a conflict is decided anew.
// Each conflict means that another made progress.
const maxTries = 8

// appVersionChanges is how many changes of a key's appVersion are written in an
// hour. Each is an entry of the trail for ever, and costs the client next to
// nothing.
const appVersionChanges = 4

// Keys are the use cases on device keys.
type Keys struct {
	*gate
	appVersions *ratelimit.Budget  // changes of appVersion written, by key
	issuing     singleflight.Group // by device: first requests in parallel generate once
}

func newKeys(g *gate) *Keys {
	return &Keys{gate: g, appVersions: ratelimit.NewBudget(appVersionChanges, time.Hour)}
}

// GenerateKey returns the device's current key pair, or issues its first one.
func (v *Keys) GenerateKey(ctx context.Context, id domain.Identity) (domain.KeyPair, error) {
	return do(ctx, v.gate, domain.OpGenerateKey, func(ctx context.Context, o *operation) (domain.KeyPair, error) {
		if err := v.beginIssue(ctx, o, id); err != nil {
			return domain.KeyPair{}, err
		}
		for range maxTries {
			k, err := v.currentKey(ctx, o, id)
			if err == nil {
				k, err = v.answerWith(ctx, o, id, k)
			}
			if !errors.Is(err, store.ErrNotFound) {
				return k.Pair(), v.seen(ctx, o, err)
			}
			// One of the requests in flight for this device generates; the
			// others then look again, because a rotation may have come between.
			var mine *domain.DeviceKey
			_, err, _ = v.issuing.Do(string(o.device), func() (any, error) {
				k, err := v.issue(context.WithoutCancel(ctx), o, id, false)
				mine = &k
				return nil, err
			})
			switch {
			case errors.Is(err, store.ErrConflict): // another process was faster
			case err != nil:
				return domain.KeyPair{}, v.seen(ctx, o, err)
			case mine != nil:
				return mine.Pair(), nil
			}
		}
		return domain.KeyPair{}, errors.New("issuing a key: too many conflicts")
	})
}

// RotateKey issues a new key pair for the device and ends the previous one in
// the same transaction. Of rotations in parallel each answers a key, and the
// last committed is the valid one.
func (v *Keys) RotateKey(ctx context.Context, id domain.Identity) (domain.KeyPair, error) {
	return do(ctx, v.gate, domain.OpRotateKey, func(ctx context.Context, o *operation) (domain.KeyPair, error) {
		if err := v.beginIssue(ctx, o, id); err != nil {
			return domain.KeyPair{}, err
		}
		err := v.cfg.Records.View(ctx, func(tx *record.Tx) error { return v.mayIssue(tx, o, id.DeviceID) })
		if err != nil {
			return domain.KeyPair{}, err
		}
		k, err := v.issue(ctx, o, id, true)
		return k.Pair(), v.seen(ctx, o, err)
	})
}

// beginIssue checks the identity and the caller's rate.
func (v *Keys) beginIssue(ctx context.Context, o *operation, id domain.Identity) error {
	if err := id.Validate(); err != nil {
		return err
	}
	v.identify(o, id.DeviceID)
	return v.limitDevice(ctx, o)
}

// currentKey returns the device's active and valid key, or store.ErrNotFound
// where one may be issued.
func (v *Keys) currentKey(ctx context.Context, o *operation, id domain.Identity) (k domain.DeviceKey, err error) {
	k, err = record.View(ctx, v.cfg.Records, func(tx *record.Tx) (domain.DeviceKey, error) {
		k, err := v.activeKey(tx, o.caller, id)
		if !errors.Is(err, store.ErrNotFound) {
			return k, err
		}
		return k, cmp.Or(v.mayIssue(tx, o, id.DeviceID), err)
	})
	o.keyID = k.ID
	return k, err
}

// answerWith answers a request for a key with the one that the device has:
// counts the request, and notes a newer appVersion in the key's record. It fails
// with store.ErrNotFound when the key has ended meanwhile.
func (v *Keys) answerWith(ctx context.Context, o *operation, id domain.Identity, k domain.DeviceKey) (domain.DeviceKey, error) {
	note := id.AppVersion != "" && id.AppVersion != k.AppVersion && v.mayNote(k.ID)
	counts := !v.cfg.CountGenerationsOnly
	answer := func() error {
		if !note && !(counts && v.cfg.KeyCounterInStore) {
			return nil
		}
		return v.cfg.Records.Update(ctx, o.note("", ""), func(tx *record.Tx) (err error) {
			if counts {
				err = v.countInStore(tx, o)
			}
			if err != nil || !note {
				return err
			}
			if k, err = v.activeKey(tx, o.caller, id); err == nil {
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

// mayNote reports whether one more change of a key's appVersion may be
// written. One that may not is passed over: the latest stays a little behind.
func (v *Keys) mayNote(keyID string) bool {
	_, ok := v.appVersions.Check(keyID, v.cfg.Now())
	if ok {
		v.appVersions.Fail(keyID, v.cfg.Now())
	}
	return ok
}

func (v *Keys) activeKey(tx *record.Tx, c domain.Caller, id domain.Identity) (domain.DeviceKey, error) {
	// The account's row is not looked at: its id follows from its name, and the
	// key's MAC ties the key to that id.
	k, err := tx.ActiveKey(v.cfg.Records.AccountID(accountName(c, id.DeviceID)), id.DeviceID)
	if err != nil {
		return domain.DeviceKey{}, err
	}
	if !k.Usable(domain.ForSet, tx.Now()) || v.cfg.Plans.For(k) != nil {
		return domain.DeviceKey{}, store.ErrNotFound // its validity ended, or it is to be replaced: as good as none
	}
	return k, nil
}

// issue generates a key pair under admission and stores it. Only a request that
// was admitted counts against the limit of its device. A device that has a
// usable key keeps it unless rotate is set: then it is store.ErrConflict.
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

func (v *Keys) generateAndStore(ctx context.Context, o *operation, ticket *workpool.Ticket, id domain.Identity, rotate bool) (domain.DeviceKey, error) {
	pair, err := v.cfg.KeyPool.Take(ctx, ticket)
	if err != nil {
		return domain.DeviceKey{}, err
	}
	defer pair.Private.Wipe()
	var k domain.DeviceKey
	update := v.cfg.Records.UpdateOnce // a conflict tells that another made the device's first key
	if rotate {
		update = v.cfg.Records.Update
	}
	err = update(ctx, o.note("", ""), func(tx *record.Tx) (err error) {
		k, err = v.replaceKey(tx, o, id, pair, rotate)
		return err
	})
	o.keyID, o.entered = k.ID, err == nil
	return k, err
}

// replaceKey ends the keys that the device has and stores a new one.
func (v *Keys) replaceKey(tx *record.Tx, o *operation, id domain.Identity, pair keypool.Pair, rotate bool) (k domain.DeviceKey, err error) {
	if err := v.countInStore(tx, o); err != nil {
		return k, err
	}
	account, err := tx.EnsureAccount(accountName(o.caller, id.DeviceID))
	if err != nil {
		return k, err
	}
	previous, err := tx.ActiveKey(account.ID, id.DeviceID)
	switch {
	case errors.Is(err, store.ErrNotFound):
		err = v.roomForDevice(tx, account.ID)
	case err != nil:
	case rotate || !previous.Usable(domain.ForSet, tx.Now()) || v.cfg.Plans.For(previous) != nil:
		err = v.endPrevious(tx, o, previous, rotate)
	default:
		err = store.ErrConflict
	}
	if err != nil {
		return k, err
	}
	if err := endOlder(tx, o, account.ID, id.DeviceID, previous.ID); err != nil {
		return k, err
	}
	if k, err = v.newRecord(account.ID, id, pair, tx.Now()); err != nil {
		return k, err
	}
	return k, tx.AddKey(o.entry(domain.EventKeyIssued, "ok", v.cfg.Now()), k)
}

// endPrevious ends the active key of a device: because the client asked for it,
// because its validity is over, or because a plan has it replaced. A plan that
// refuses keys leaves them no grace.
func (v *Keys) endPrevious(tx *record.Tx, o *operation, k domain.DeviceKey, asked bool) error {
	event, outcome, state, grace := domain.EventKeyRotated, "ok", domain.KeyInvalidated, v.cfg.RotationGrace
	if v.cfg.Plans.Refuses(k) {
		grace = 0
	}
	switch {
	case !k.Usable(domain.ForSet, tx.Now()):
		event, state, grace = domain.EventKeyExpired, domain.KeyExpired, 0
	case !asked:
		outcome = "plan"
	}
	return tx.EndKey(o.note(event, outcome), k, state, grace)
}

// endOlder ends the grace of every key of the device but the previous one: a
// client that rotates twice wants the first key gone.
func endOlder(tx *record.Tx, o *operation, account, device, previous string) error {
	older, err := tx.KeysInGrace(account, device)
	if err != nil {
		return err
	}
	for _, k := range older {
		if k.ID == previous {
			continue
		}
		if err := tx.EndKey(o.note(domain.EventKeyErased, "ok"), k, k.State, 0); err != nil {
			return err
		}
	}
	return nil
}

const sweepLimit = 100 // keys ended in one transaction, so that no request waits long

// EndKeys ends the keys whose time is up: those whose validity ended, and the
// private keys of those whose grace is over. Requests do not depend on it,
// because each looks at the times itself; the erasure does.
func (v *Keys) EndKeys(ctx context.Context) error {
	due, err := record.View(ctx, v.cfg.Records, func(tx *record.Tx) ([]domain.DeviceKey, error) {
		return tx.KeysToEnd(tx.Now(), sweepLimit)
	})
	if err != nil || len(due) == 0 {
		return err
	}
	return v.cfg.Records.Update(ctx, record.System, func(tx *record.Tx) error {
		due, err := tx.KeysToEnd(tx.Now(), sweepLimit)
		if err != nil {
			return err
		}
		for _, k := range due {
			e, state := tx.Note(domain.EventKeyErased, "ok"), k.State
			if k.State == domain.KeyActive {
				e.Event, state = domain.EventKeyExpired, domain.KeyExpired
			}
			if e.Account, e.Device, err = tx.Whose(k); err != nil {
				return err
			}
			if err := tx.EndKey(e, k, state, 0); err != nil {
				return err
			}
		}
		return nil
	})
}

// EncryptLikeClient encrypts body as a client would: the helper for those who
// try the interface by hand. It sees a plaintext, which the real protocol
// never sends, so it can be switched off.
func (v *Keys) EncryptLikeClient(ctx context.Context, body domain.Secret, publicKeyPEM string) (string, error) {
	return do(ctx, v.gate, domain.OpEncrypt, func(ctx context.Context, o *operation) (string, error) {
		defer body.Wipe()
		if !v.cfg.HelperEnabled {
			return "", &domain.Error{Code: domain.CodeOperationDisabled, Reason: domain.ReasonHelperDisabled,
				Message: "encryptDataLikeClient is switched off here. Encrypt in the client with the public key of generateClientEncryptionKey."}
		}
		if len(body) == 0 {
			return "", domain.BadInput("body", "must not be empty")
		}
		public, err := devicekey.ParsePublic(publicKeyPEM)
		if err != nil {
			return "", badInput("publicKey", err)
		}
		ticket, err := v.cfg.Verifying.Enter(o.by())
		if err != nil {
			return "", err
		}
		defer ticket.Leave()
		var out string
		refused := ticket.First(ctx, func(*argon2.Matrix) {
			defer trace.Since(ctx, trace.Encrypt, time.Now())
			out, err = devicekey.Encrypt(public, body)
		})
		if refused != nil {
			return "", refused
		}
		return out, badInput("body", err)
	})
}

// badInput makes a refusal of what devicekey refused by a reason fit to be
// shown, and leaves every other error as it is.
func badInput(field string, err error) error {
	var key devicekey.PublicKeyError
	var long *devicekey.TooLongError
	if errors.As(err, &key) || errors.As(err, &long) {
		return domain.BadInput(field, err.Error())
	}
	return err
}

// newRecord is the record of a fresh key pair, sealed.
func (v *Keys) newRecord(account string, id domain.Identity, pair keypool.Pair, now time.Time) (domain.DeviceKey, error) {
	k := domain.DeviceKey{AccountID: account, DeviceID: id.DeviceID, AppVersion: id.AppVersion,
		Algorithm: domain.AlgorithmRSAOAEP256, Bits: pair.Bits, PublicKey: pair.Public, CreatedAt: now}
	if v.cfg.KeyTTL > 0 {
		k.ExpiresAt = now.Add(v.cfg.KeyTTL)
	}
	return v.cfg.Records.NewKey(k, pair.Private)
}
