package operator

import (
	"context"
	"fmt"

	"strongroom/internal/custody"
	"strongroom/internal/domain"
	"strongroom/internal/record"
)

// Custody are the use cases on the root keys that wrap the data keys, and on the data
// keys. Running instances follow every change without a restart.
type Custody struct{ *access }

// RootKeys returns the root keys that wrap the data keys, and then the configured ones
// that do not (see [custody.Custody.Wraps]).
func (u Custody) RootKeys(ctx context.Context) ([]domain.RootKey, error) {
	if err := u.mayRead(ctx); err != nil {
		return nil, err
	}
	all, err := u.cfg.Custody.Wraps(ctx)
	return all, u.cfg.Records.Unavailable(ctx, err)
}

// AddRootKey wraps the data keys under one more root key.
func (u Custody) AddRootKey(ctx context.Context, url string, act domain.Act) (domain.ActResult, error) {
	return u.change(ctx, request{act, "add root key", [][]byte{[]byte(url)}}, func() (custody.Change, error) { return u.cfg.Custody.Add(ctx, url) })
}

// RemoveRootKey removes the wrap under a root key, named by its id or URL. One of
// the others must open the database.
func (u Custody) RemoveRootKey(ctx context.Context, name string, act domain.Act) (domain.ActResult, error) {
	return u.change(ctx, request{act, "remove root key", [][]byte{[]byte(name)}}, func() (custody.Change, error) { return u.cfg.Custody.Remove(ctx, name) })
}

// RotateRootKey wraps the data keys under the root key of url instead of another one
// (see [custody.Custody.Replace]).
func (u Custody) RotateRootKey(ctx context.Context, from, url string, act domain.Act) (domain.ActResult, error) {
	return u.change(ctx, request{act, "rotate root key", [][]byte{[]byte(from), []byte(url)}}, func() (custody.Change, error) { return u.cfg.Custody.Replace(ctx, from, url) })
}

// DataKeys returns the data keys, oldest first, and the progress of the rewrap.
func (u Custody) DataKeys(ctx context.Context) (all []domain.DataKey, rewrap domain.Rewrap, err error) {
	if err := u.mayRead(ctx); err != nil {
		return nil, rewrap, err
	}
	all, rewrap, err = u.cfg.Custody.DataKeys(ctx)
	return all, rewrap, u.cfg.Records.Unavailable(ctx, err)
}

// RotateDataKey adds a data key, waits until all running servers have read it, and
// makes it the primary one, which seals new values. Servers then reseal all other
// values in the background. waiting is called with the servers that it waits for. If
// it fails in between, call it again.
func (u Custody) RotateDataKey(ctx context.Context, act domain.Act, waiting func(instances []string)) (domain.ActResult, error) {
	if err := domain.OperatorFrom(ctx).Require(domain.RoleOperator); err != nil {
		return domain.ActResult{}, err
	}
	added, needed, err := u.cfg.Custody.AddDataKey(ctx)
	if err != nil {
		return domain.ActResult{}, u.cfg.Records.Unavailable(ctx, err)
	}
	if needed {
		if _, err := u.change(ctx, request{act, "add data key", nil}, func() (custody.Change, error) { return added, nil }); err != nil {
			return domain.ActResult{}, err
		}
	}
	activated, err := u.cfg.Custody.ActivateDataKey(ctx)
	if err == nil {
		err = u.cfg.Custody.AwaitFollowed(ctx, activated.Generation()-1, waiting)
	}
	if err != nil {
		return domain.ActResult{}, u.cfg.Records.Unavailable(ctx, err)
	}
	return u.change(ctx, request{act, "activate data key", nil}, func() (custody.Change, error) { return activated, nil })
}

// RewrapPart does a part of the rewrap in this process, unless another one does it. It
// is for a store on which no server runs.
func (u Custody) RewrapPart(ctx context.Context) (worked bool, err error) {
	if err := domain.OperatorFrom(ctx).Require(domain.RoleOperator); err != nil {
		return false, err
	}
	worked, err = u.cfg.Custody.RewrapPart(ctx)
	return worked, u.cfg.Records.Unavailable(ctx, err)
}

// PauseRewrap pauses or resumes the rewrap on all servers.
func (u Custody) PauseRewrap(ctx context.Context, pause bool, act domain.Act) (domain.ActResult, error) {
	r := request{act, "pause rewrap", [][]byte{fmt.Append(nil, pause)}}
	return u.act(ctx, r, func(tx *record.Tx, e domain.Entry) error {
		e.Event = domain.EventRewrapResumed
		if pause {
			e.Event = domain.EventRewrapPaused
		}
		tx.Enter(e)
		return u.cfg.Custody.Pause(tx, pause)
	})
}

// DestroyDataKeys destroys all data keys but the primary one. It is refused while any
// value is sealed under one of them.
func (u Custody) DestroyDataKeys(ctx context.Context, act domain.Act) (domain.ActResult, error) {
	return u.change(ctx, request{act, "destroy data keys", nil}, func() (custody.Change, error) { return u.cfg.Custody.DestroyDataKeys(ctx) })
}

// change prepares a change, which calls providers, before the transaction begins.
func (u Custody) change(ctx context.Context, r request, prepare func() (custody.Change, error)) (domain.ActResult, error) {
	if err := domain.OperatorFrom(ctx).Require(domain.RoleOperator); err != nil {
		return domain.ActResult{}, err
	}
	change, err := prepare()
	if err != nil {
		return domain.ActResult{}, u.cfg.Records.Unavailable(ctx, err)
	}
	return u.act(ctx, r, func(tx *record.Tx, e domain.Entry) error { return change.Write(tx, e) })
}
