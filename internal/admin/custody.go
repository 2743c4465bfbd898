package admin

import (
	"context"
	"time"

	"strongroom/internal/domain"
)

// RootKey is a root key, and whether it opened the data keys at the last check.
type RootKey struct {
	ID        string    `json:"id,omitempty"`
	URL       string    `json:"url"`
	Provider  string    `json:"provider"`
	Opens     bool      `json:"opens"`
	Reason    string    `json:"reason,omitempty"` // why it did not
	AddedAt   time.Time `json:"addedAt,omitzero"`
	CheckedAt time.Time `json:"checkedAt,omitzero"`
}

func rootKey(k domain.RootKey) RootKey {
	return RootKey{k.ID, k.URL, k.Provider(), k.Up(), k.Reason, shown(k.AddedAt), shown(k.CheckedAt)}
}

// DataKeys are the data keys, oldest first, and the progress of the rewrap.
type DataKeys struct {
	Items  []DataKey `json:"items"`
	Rewrap *Rewrap   `json:"rewrap,omitempty"` // nil: no rewrap since the last data key was destroyed
}

// DataKey is a data key.
type DataKey struct {
	ID    string              `json:"id"`
	State domain.DataKeyState `json:"state"`
	Rows  *int64              `json:"rows,omitempty"` // nil: not counted yet
}

// Rewrap is the progress of the rewrap.
type Rewrap struct {
	Phase     domain.RewrapPhase `json:"phase"`
	Paused    bool               `json:"paused"`
	Rows      int64              `json:"rows"`
	Visited   int64              `json:"visited"`
	Rewrapped int64              `json:"rewrapped"`
	Left      int64              `json:"left"`
	Refused   int64              `json:"refused"`
	Worker    string             `json:"worker,omitempty"`
	BeganAt   time.Time          `json:"beganAt"`
	UpdatedAt time.Time          `json:"updatedAt"`
}

func (a *api) rootKeys(r *request) (any, error) {
	keys, err := a.UseCases.RootKeys(r.Context())
	return listOf(keys, "", rootKey), err
}

func (a *api) dataKeys(r *request) (any, error) {
	keys, is, err := a.UseCases.DataKeys(r.Context())
	all := DataKeys{Items: make([]DataKey, len(keys))}
	for i, k := range keys {
		all.Items[i] = DataKey{ID: k.ID, State: k.State}
		if k.Rows >= 0 {
			all.Items[i].Rows = &k.Rows
		}
	}
	if is.Phase != "" {
		all.Rewrap = &Rewrap{is.Phase, is.Paused, is.Rows, is.Visited, is.Rewrapped, is.Left, is.Refused, is.Worker, shown(is.BeganAt), shown(is.UpdatedAt)}
	}
	return all, err
}

func (a *api) pauseRewrap(r *request) (any, error) { return a.setRewrap(r, true) }

func (a *api) resumeRewrap(r *request) (any, error) { return a.setRewrap(r, false) }

func (a *api) setRewrap(r *request, pause bool) (any, error) {
	return write(r, r.act(), func(ctx context.Context, act domain.Act) (domain.ActResult, error) {
		return a.UseCases.PauseRewrap(ctx, pause, act)
	})
}
