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

// access gives the use cases access to the records: it checks roles, runs reads on
// one snapshot, and runs acts once.
type access struct {
	cfg    Config
	looked [2]string // account and id of the last key that SweepErasedKeys looked at
}

// Mode is the mode of the store's accounts.
func (u *access) Mode() domain.Mode { return u.cfg.Mode }

// OperatorRefused counts a request that the operator listener refused before any
// use case. In the trail, its outcome begins with OPERATOR_, unlike refusals by
// the API.
func (u *access) OperatorRefused(_ context.Context, code domain.Code) {
	u.cfg.Tally.Refusal("OPERATOR_"+code, nil)
	u.cfg.Metrics.OperatorRefusal(code)
}

// operatorEntry returns the start of an act's entry. It refuses anyone who may not
// act, and an operator without a name.
func (u *access) operatorEntry(ctx context.Context, reason string) (domain.Entry, error) {
	o := domain.OperatorFrom(ctx)
	if err := o.Require(domain.RoleOperator); err != nil {
		u.OperatorRefused(ctx, domain.CodeForbidden)
		return domain.Entry{}, err
	}
	if o.Name == "" {
		return domain.Entry{}, errors.New("the operator has no name, which the audit trail needs")
	}
	return domain.Entry{RequestID: domain.CallerFrom(ctx).RequestID, Actor: "operator:" + o.Name, Outcome: "ok", Reason: reason}, nil
}

// mayRead refuses an operator without a role.
func (u *access) mayRead(ctx context.Context) error {
	err := domain.OperatorFrom(ctx).Require(domain.RoleViewer)
	if err != nil {
		u.OperatorRefused(ctx, domain.CodeForbidden)
	}
	return err
}

// look runs fn, which reads for an operator, on one snapshot. Only the position in a list is
// a text of the request that was not checked before.
func (u *access) look(ctx context.Context, fn func(*record.Tx) error) error {
	if err := u.mayRead(ctx); err != nil {
		return err
	}
	err := u.cfg.Records.View(ctx, fn)
	if errors.Is(err, store.ErrNotText) {
		return errPlace
	}
	return u.cfg.Records.Unavailable(ctx, err)
}

// request is an operator's act. The name and the arguments identify a repeated
// request.
type request struct {
	domain.Act
	name      string
	arguments [][]byte
}

// errPortion is returned by an act that is not complete. The work so far is
// committed, and the act is called again.
var errPortion = errors.New("a portion of the act is done")

// act runs an operator's act once. The change, the entries that fn writes from the
// given entry, and the result are in one transaction, so there is no act without
// an entry or a result. If the act is too large for one transaction, fn returns
// errPortion after each portion except the last. Each portion checks again whether
// another request has left a result.
func (u *access) act(ctx context.Context, r request, fn func(*record.Tx, domain.Entry) error) (result domain.ActResult, err error) {
	if r.Act, err = r.Checked(); err != nil {
		return result, err
	}
	entry, err := u.operatorEntry(ctx, r.Reason)
	if err != nil {
		return result, err
	}
	key, digest := u.resultOf(ctx, r)
	for more := true; more && err == nil; {
		result, err = record.Update(ctx, u.cfg.Records, entry, func(tx *record.Tx) (domain.ActResult, error) {
			more = false
			result, err := repeated(tx, key, digest)
			if err != nil || result.Repeated {
				return result, err
			}
			err = fn(tx, entry)
			if more = errors.Is(err, errPortion); err != nil {
				if more {
					err = nil
				}
				return result, err
			}
			result = domain.ActResult{RequestID: entry.RequestID, At: tx.Now()}
			if key != nil {
				err = tx.PutActResult(key, digest, result)
			}
			return result, err
		})
	}
	if err != nil {
		return domain.ActResult{}, u.cfg.Records.Unavailable(ctx, renamed(u.cfg.Records.Report(ctx, entry, err)))
	}
	return result, u.scrubAfter(ctx)
}

// renamed returns a refusal if err says that the name of an account was edited.
// Operators can repair that, so they get more than INTERNAL.
func renamed(err error) error {
	if edited, ok := errors.AsType[*record.Tampered](err); ok && errors.Is(edited.Cause, record.ErrRenamed) {
		return domain.Conflict("The name of the account was edited in the database. Nothing was changed. Erase the account by its id, or restore the database from a backup.")
	}
	return err
}

// scrubAfter physically erases what an act has deleted. The act is done, so scrubAfter
// continues even if the client disconnects. A command has no background work that tries
// again, so it waits a little for readers of the database, and then logs a warning.
func (u *access) scrubAfter(ctx context.Context) error {
	records, lasting := u.cfg.Records, context.WithoutCancel(ctx)
	err := records.Scrub(lasting)
	if u.cfg.Background() {
		if !errors.Is(err, store.ErrScrubLater) {
			u.cfg.Report("scrubbing", err)
		}
		return nil
	}
	for end := time.Now().Add(scrubFor); errors.Is(err, store.ErrScrubLater) && ctx.Err() == nil && time.Now().Before(end); {
		time.Sleep(scrubEvery)
		err = records.Scrub(lasting)
	}
	switch {
	case errors.Is(err, store.ErrScrubLater):
		u.cfg.Log.Warn("the act is done, but erased values may still be in the files of the database: "+
			"the next act or a running server removes them, when no other program reads the database", "error", err)
	case err != nil:
		return fmt.Errorf("the act is done, but erased values may remain in the files of the database: %w", err)
	}
	return nil
}

// How long, and how often, a command tries to scrub while others read the database.
const (
	scrubFor   = 2 * time.Second
	scrubEvery = 500 * time.Millisecond
)

// resultOf returns the key under which the result of a request is stored, and
// the digest of everything that must be the same in a repeat. The key is nil if
// no result is stored.
func (u *access) resultOf(ctx context.Context, r request) (key, digest []byte) {
	if r.IdempotencyKey == "" {
		return nil, nil
	}
	// The label is older than the word "result". Another one would lose the stored results.
	hash := u.cfg.Keys.Hash("receipt v1", domain.Encode([]byte(domain.OperatorFrom(ctx).Name), []byte(r.IdempotencyKey)))
	sum := sha256.Sum256(domain.Encode([]byte(r.name), domain.Encode(r.arguments...), []byte(r.Reason)))
	return hash[:], sum[:]
}

// repeated returns the result of the request that this one repeats, or none.
func repeated(tx *record.Tx, key, digest []byte) (domain.ActResult, error) {
	if key == nil {
		return domain.ActResult{}, nil
	}
	r, of, err := tx.ActResult(key)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return domain.ActResult{}, nil
	case err != nil:
		return domain.ActResult{}, err
	case !bytes.Equal(of, digest):
		return domain.ActResult{}, domain.BadInput("idempotencyKey", "was used for another act: use a new one for each")
	}
	r.Repeated = true
	return r, nil
}

const (
	resultsFor      = 24 * time.Hour
	sweptActResults = 1000 // results deleted in one transaction, so that no request waits long
)

// SweepActResults deletes expired results, one portion per call. It returns true
// if there may be more. A clock that is set forward deletes none early, because it
// follows [record.Tx.Steady]: a repeat would do the act once more.
func (u *access) SweepActResults(ctx context.Context) (more bool, err error) {
	deleted, err := record.Update(ctx, u.cfg.Records, record.System, func(tx *record.Tx) (int, error) {
		return tx.DeleteActResults(tx.Steady().Add(-resultsFor), sweptActResults)
	})
	return deleted == sweptActResults, err
}

// notFound returns a refusal if err says that the store has no such record.
func notFound(what string, err error) error {
	if errors.Is(err, store.ErrNotFound) {
		return domain.NotFound(what)
	}
	return err
}

// keyByID returns a key by its id, even if its record was edited: operators see
// and end such keys too.
func keyByID(tx *record.Tx, id string) (domain.DeviceKey, error) {
	k, err := tx.Key(id)
	if record.IsTampered(err) {
		err = nil
	}
	return k, err
}

// accountsShown reads accounts as shown returns them, in one round trip.
func (u *access) accountsShown(tx *record.Tx, ids []string) ([]domain.Account, error) {
	found, err := tx.AccountsByID(ids)
	if err != nil {
		return nil, err
	}
	all := make([]domain.Account, 0, len(ids))
	for i, id := range ids {
		all = append(all, u.shown(found[i], id, ""))
	}
	return all, nil
}

// shown returns an account with its name, if that is known. The name of an erased
// account, nil, is only known in device mode. An edited name is not shown.
func (u *access) shown(a *domain.Account, id, deviceID string) domain.Account {
	if a != nil && a.ID == u.cfg.Records.AccountID(*a) {
		return *a
	}
	shown := domain.Account{ID: id, Mode: u.cfg.Mode, Tampered: a != nil}
	if shown.Mode == domain.ModeDevice && u.cfg.Records.AccountID(domain.Account{Mode: shown.Mode, Subject: deviceID}) == id {
		shown.Subject = deviceID
	}
	return shown
}
