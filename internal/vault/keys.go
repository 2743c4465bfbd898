package vault

import (
	"context"
	"errors"
	"slices"
	"time"

	"golang.org/x/sync/singleflight"

	"strongroom/internal/crypto/devicekey"
	"strongroom/internal/domain"
	"strongroom/internal/keypool"
	"strongroom/internal/ratelimit"
	"strongroom/internal/record"
	"strongroom/internal/store"
)

// endPrevious ends the active key of a device, because the client asked for it or
// cannot encrypt to it, its validity is over, the process may not use its algorithm, or
// a rotation plan replaces it. A key that set and verify refuse gets no grace period.
func (v *Keys) endPrevious(tx *record.Tx, o *operation, k domain.DeviceKey, asked bool) error {
	event, outcome, state, grace := domain.EventKeyRotated, "ok", domain.KeyInvalidated, v.cfg.RotationGrace
	if v.refuses(k) {
		grace = 0
	}
	switch {
	case !k.Usable(domain.ForSet, tx.Now()):
		event, state, grace = domain.EventKeyExpired, domain.KeyExpired, 0
	case !asked && v.cfg.Plans.For(k, o.algorithm) != nil:
		outcome = "plan"
	case !asked:
		outcome = "algorithm"
	}
	return tx.EndKey(o.note(event, outcome), k, state, grace)
}

// endOlder ends the grace period of every key of the device but the previous one: a
// client that rotates twice wants the first key gone.
func endOlder(tx *record.Tx, o *operation, older []domain.DeviceKey, previous string) error {
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

// EndKeys ends keys whose validity is over, and erases private keys whose grace
// is over. Requests check these times themselves, by [record.Tx.Now]. Only the erasure
// depends on EndKeys. It follows [record.Tx.Steady], so that a clock that is set forward
// erases no key that is valid once the clock is right again. EndKeys reads the keys that
// are due through view. more reports that further keys may be due.
func (v *Keys) EndKeys(ctx context.Context, view record.Viewer) (more bool, err error) {
	var due []domain.DeviceKey
	err = view(ctx, func(tx *record.Tx) (err error) {
		due, err = tx.KeysToEnd(tx.Steady(), sweepLimit)
		return err
	})
	if err != nil || len(due) == 0 {
		return false, err
	}
	return len(due) == sweepLimit, v.cfg.Records.Update(ctx, record.System, func(tx *record.Tx) error {
		due, err := tx.KeysToEnd(tx.Steady(), sweepLimit)
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

// appVersionChanges is how many changes of a key's appVersion are written per
// hour. Each makes an entry in the trail, and costs the client almost nothing.
const appVersionChanges = 4

// Keys are the use cases on device keys.
type Keys struct {
	*gate
	appVersions *ratelimit.Budget  // changes of appVersion written, by key
	issuing     singleflight.Group // by device: first requests in parallel generate once
}

func newKeys(g *gate) *Keys {
	for _, a := range g.cfg.Algorithms {
		g.cfg.Metrics.IssuedAlgorithms(string(a))
	}
	return &Keys{gate: g, appVersions: ratelimit.NewBudget(appVersionChanges, time.Hour)}
}

// mayNote reports whether one more change of a key's appVersion may be written.
// If not, the change is skipped, and the record shows an older appVersion.
func (v *Keys) mayNote(keyID string) bool {
	_, ok := v.appVersions.Check(keyID, v.cfg.Now())
	if ok {
		v.appVersions.Fail(keyID, v.cfg.Now())
	}
	return ok
}

// lastKey returns the active or the newest key of a device, or a zero key if it
// never had one. The account's row is not read: its id follows from its name, and
// the key's MAC binds the key to that id.
func (v *Keys) lastKey(tx *record.Tx, c domain.Caller, id domain.Identity) (domain.DeviceKey, error) {
	return present(tx.LastKey(v.cfg.Records.AccountID(accountName(c, id.DeviceID)), id.DeviceID))
}

// present is a key of a device as it was read, or a zero key if there is none.
func present(k domain.DeviceKey, err error) (domain.DeviceKey, error) {
	switch {
	case errors.Is(err, store.ErrNotFound):
		return domain.DeviceKey{}, nil
	case err == nil && k.State == domain.KeyMoved:
		return k, domain.ErrAccountMoved
	}
	return k, err
}

// presentKey is lastKey in one read, if no read follows it: the newest key is the
// active one, unless a clock was set back. A key that this overlooks is found when
// the next one is to be stored (see errHasKey), and then first is false.
func (v *Keys) presentKey(tx *record.Tx, c domain.Caller, id domain.Identity, first bool) (domain.DeviceKey, error) {
	if !first {
		return v.lastKey(tx, c, id)
	}
	if !v.looksBeforeIssue() {
		tx.Final()
	}
	return present(tx.NewestKey(v.cfg.Records.AccountID(accountName(c, id.DeviceID)), id.DeviceID))
}

// isCurrent reports whether a key may be returned to its device: it is active, its
// validity has not ended, its client can encrypt to it, the process may use its
// algorithm, and no plan replaces it.
func (v *Keys) isCurrent(k domain.DeviceKey, now time.Time, o *operation, id domain.Identity) bool {
	return k.State == domain.KeyActive && k.Usable(domain.ForSet, now) && canUse(id, k.Algorithm) &&
		devicekey.Algorithm(k.Algorithm).Allowed() && v.cfg.Plans.For(k, o.algorithm) == nil
}

// canUse reports whether a client can encrypt by an algorithm.
func canUse(id domain.Identity, algorithm string) bool {
	if id.Algorithms == nil { // a client of the specification
		return algorithm == string(devicekey.RSAOAEP256)
	}
	return slices.Contains(id.Algorithms, algorithm)
}

// chooseAlgorithm returns the first algorithm in the order of the service that
// the client can use.
func (v *Keys) chooseAlgorithm(id domain.Identity) (devicekey.Algorithm, error) {
	for _, a := range v.cfg.Algorithms {
		if canUse(id, string(a)) {
			return a, nil
		}
	}
	return "", domain.BadInput("algorithms", "must include one that this service offers: "+devicekey.Names(v.cfg.Algorithms))
}

// newRecord returns the sealed record of a new key pair.
func (v *Keys) newRecord(account string, id domain.Identity, thumbprint string, pair keypool.Pair, now time.Time) (domain.DeviceKey, error) {
	k := domain.DeviceKey{AccountID: account, DeviceID: id.DeviceID, AppVersion: id.AppVersion,
		Thumbprint: thumbprint, Algorithm: string(pair.Algorithm), Bits: pair.Bits, PublicKey: pair.Public, CreatedAt: now}
	if v.cfg.KeyTTL > 0 {
		k.ExpiresAt = now.Add(v.cfg.KeyTTL)
	}
	return v.cfg.Records.NewKey(k, pair.Private)
}
