package service

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"strongroom/internal/audit"
	"strongroom/internal/domain"
	"strongroom/internal/record"
	"strongroom/internal/store"
)

// rotation is what a process knows of rotation plans. They are kept in a
// setting with a MAC, or whoever writes to the database could have every key
// replaced, or refused. The trail tells of the start of each plan, with its
// digest, and of its end: a setting that was removed or put back to an older
// one does not agree with it. Then nothing is taken up from the setting, and
// the plan goes on that the process knows.
//
// Requests look at the plan in memory only: what another process begins or ends
// is heard of a few seconds later.
type rotation struct {
	running atomic.Pointer[domain.RotationPlan] // nil: none
	doubted atomic.Bool                         // the setting was refused when it was last read

	reading sync.Mutex // while the setting is read, so that what was read last stands

	counting sync.Mutex
	counted  struct { // guarded by counting
		plan      string
		remaining int64
		at        time.Time // by the store's clock
		here      time.Time // by this process's
	}
}

const (
	settingPlans = "rotation_plans"
	plansLabel   = "rotation plans v1"
	maxPlans     = 20

	countEvery = 30 * time.Second // the keys that remain are counted
	countFor   = time.Minute      // a count may be shown
)

// storedPlan is a plan in the setting.
type storedPlan struct {
	ID            string    `json:"id"`
	CreatedBefore time.Time `json:"createdBefore"`
	Bits          int       `json:"bits,omitempty"`
	RefuseUse     bool      `json:"refuseUse,omitempty"`
	StartedAt     time.Time `json:"startedAt"`
	StartedBy     string    `json:"startedBy"`
	Reason        string    `json:"reason"`
	StoppedAt     time.Time `json:"stoppedAt,omitzero"`
	StoppedBy     string    `json:"stoppedBy,omitempty"`
	Selected      int64     `json:"selected"`
	Remaining     int64     `json:"remaining"`
	CountedAt     time.Time `json:"countedAt"`
}

// storedPlans is the setting: the plans as JSON, and the MAC over these bytes.
type storedPlans struct {
	Plans json.RawMessage `json:"plans"`
	MAC   []byte          `json:"mac"`
}

var errPlans = errors.New("it is not as the audit trail tells: it was edited, removed or put back")

// plans are all that are kept, newest first. They must agree with the trail
// about what runs.
func (s *Service) plans(tx *record.Tx) ([]domain.RotationPlan, error) {
	all, err := s.keptPlans(tx)
	if err != nil {
		return nil, err
	}
	told, err := audit.PlansTold(tx, s.keys)
	if err != nil {
		return nil, err
	}
	maps.DeleteFunc(told, hasEnded)
	here := map[string][]byte{}
	if p := running(all); p != nil {
		here[planRecord(p.ID)] = audit.Digest(p.Canonical())
	}
	if !maps.EqualFunc(here, told, bytes.Equal) {
		return nil, &record.Tampered{Kind: domain.RecordSetting, ID: settingPlans, Cause: errPlans}
	}
	return all, nil
}

func hasEnded(_ string, digest []byte) bool { return len(digest) == 0 }

func planRecord(id string) string { return domain.RecordPlan + "/" + id }

// keptPlans are those of the setting.
func (s *Service) keptPlans(tx *record.Tx) ([]domain.RotationPlan, error) {
	value, err := tx.Setting(settingPlans)
	if errors.Is(err, store.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var kept storedPlans
	var plans []storedPlan
	if json.Unmarshal(value, &kept) != nil || !s.keys.VerifyMAC(plansLabel, kept.Plans, kept.MAC) || json.Unmarshal(kept.Plans, &plans) != nil {
		return nil, &record.Tampered{Kind: domain.RecordSetting, ID: settingPlans, Cause: record.ErrMAC}
	}
	all := make([]domain.RotationPlan, len(plans))
	for i, p := range plans {
		all[i] = domain.RotationPlan(p)
	}
	return all, nil
}

func (s *Service) putPlans(tx *record.Tx, all []domain.RotationPlan) error {
	plans := make([]storedPlan, 0, maxPlans)
	for _, p := range all[:min(len(all), maxPlans)] {
		plans = append(plans, storedPlan(p))
	}
	text, err := json.Marshal(plans)
	if err != nil {
		return fmt.Errorf("writing rotation plans: %w", err)
	}
	value, err := json.Marshal(storedPlans{text, s.keys.MAC(plansLabel, text)})
	if err != nil {
		return fmt.Errorf("writing rotation plans: %w", err)
	}
	return tx.PutSetting(settingPlans, value)
}

// planFor is the running plan, if the key is one that it is about: also one
// that has ended and is in its grace.
func (s *Service) planFor(k domain.DeviceKey) *domain.RotationPlan {
	p := s.rotation.running.Load()
	if p == nil {
		return nil
	}
	k.State = domain.KeyActive
	if !p.Selects(k) {
		return nil
	}
	return p
}

// planRefuses reports whether set and verify must refuse the key.
func (s *Service) planRefuses(k domain.DeviceKey) bool {
	p := s.planFor(k)
	return p != nil && p.RefuseUse
}

// TakeUpPlan has this process follow the plan that runs. Call it before the
// first request: it fails where the plan cannot be told, since to serve without
// it might be to take keys that are to be refused.
func (s *Service) TakeUpPlan(ctx context.Context) error {
	err := s.readPlan(ctx)
	if record.IsTampered(err) {
		return fmt.Errorf("the rotation plans in the database are not those that the audit trail tells of, so keys might be used that are to be refused: "+
			"look with strongroom audit verify, end the plan with strongroom admin rotation stop, and start it again if it is still wanted (%w)", err)
	}
	return err
}

// readPlan takes up what the setting says now. Where that is refused, the plan
// goes on that was known.
func (s *Service) readPlan(ctx context.Context) error {
	s.rotation.reading.Lock()
	defer s.rotation.reading.Unlock()
	var all []domain.RotationPlan
	err := s.records.View(ctx, func(tx *record.Tx) (err error) {
		if all, err = s.plans(tx); err != nil {
			return err
		}
		return s.endTold(tx, running(all))
	})
	var edited *record.Tampered
	s.rotation.doubted.Store(errors.As(err, &edited))
	if err != nil {
		return s.records.Report(ctx, system, err)
	}
	s.rotation.running.Store(running(all))
	return nil
}

// endTold refuses that another plan runs now, or none, where the trail does not
// tell what became of the one that is known: somebody took its entries away.
func (s *Service) endTold(tx *record.Tx, now *domain.RotationPlan) error {
	known := s.rotation.running.Load()
	if known == nil || now != nil && now.ID == known.ID {
		return nil
	}
	told, err := audit.PlansTold(tx, s.keys)
	if err != nil {
		return err
	}
	if _, ok := told[planRecord(known.ID)]; !ok {
		return &record.Tampered{Kind: domain.RecordSetting, ID: settingPlans, Cause: errPlans}
	}
	return nil
}

func running(all []domain.RotationPlan) *domain.RotationPlan {
	if len(all) == 0 || !all[0].StoppedAt.IsZero() {
		return nil
	}
	return &all[0]
}

// followPlan keeps the plan true, in the background, and ends it once there is
// nothing left to do.
func (s *Service) followPlan(ctx context.Context) error {
	if err := s.readPlan(ctx); err != nil {
		return err
	}
	p := s.rotation.running.Load()
	if p == nil || s.rotation.doubted.Load() {
		return nil
	}
	counted, err := s.remaining(ctx, *p, countEvery)
	if err != nil || counted.Remaining > 0 {
		return err
	}
	return s.finishPlan(ctx, counted)
}

// remaining is the plan with a count that is at most so old. A key that a plan
// selects was there before it began, so the count only falls.
func (s *Service) remaining(ctx context.Context, p domain.RotationPlan, age time.Duration) (domain.RotationPlan, error) {
	c := &s.rotation.counted
	s.rotation.counting.Lock()
	defer s.rotation.counting.Unlock()
	now := s.cfg.Now()
	if c.plan != p.ID || now.Sub(c.here) >= age {
		err := s.records.View(ctx, func(tx *record.Tx) (err error) {
			c.at = tx.Now()
			c.remaining, err = tx.CountActiveKeys(p.CreatedBefore, p.Bits)
			return err
		})
		if err != nil {
			c.plan = ""
			return p, fmt.Errorf("counting the keys of a rotation plan: %w", err)
		}
		c.plan, c.here = p.ID, now
	}
	p.Remaining, p.CountedAt = c.remaining, c.at
	return p, nil
}

func (s *Service) finishPlan(ctx context.Context, p domain.RotationPlan) error {
	err := s.records.Update(ctx, system, func(tx *record.Tx) error {
		all, err := s.plans(tx)
		if now := running(all); err != nil || now == nil || now.ID != p.ID {
			return err // another process was faster
		}
		p.StoppedAt, p.StoppedBy = tx.Now(), "system"
		all[0] = p
		if err := s.putPlans(tx, all); err != nil {
			return err
		}
		e := tx.Note(domain.EventRotationFinished, "ok")
		e.Reason = "plan " + p.ID
		tx.Enter(ended(e, planRecord(p.ID), audit.Digest(p.Canonical())))
		return nil
	})
	if err != nil {
		return err
	}
	return s.readPlan(ctx)
}

// RotationPlans are the running plan, if there is one, and those before it.
func (s *Service) RotationPlans(ctx context.Context) (all []domain.RotationPlan, err error) {
	err = s.look(ctx, func(tx *record.Tx) (err error) {
		all, err = s.plans(tx)
		return err
	})
	if err != nil {
		return nil, s.records.Report(ctx, system, err)
	}
	if p := running(all); p != nil {
		if all[0], err = s.remaining(ctx, *p, countFor); err != nil {
			return nil, s.unavailable(ctx, err)
		}
	}
	return all, nil
}

// StartRotationPlan begins a plan. Only one runs at a time.
func (s *Service) StartRotationPlan(ctx context.Context, plan domain.RotationPlan, act domain.Act) (domain.Receipt, error) {
	r := request{act, "start rotation plan", [][]byte{domain.EncodeTime(plan.CreatedBefore), domain.EncodeInt(int64(plan.Bits)), fmt.Append(nil, plan.RefuseUse)}}
	if _, err := s.operatorEntry(ctx, ""); err != nil {
		return domain.Receipt{}, err
	}
	if plan.CreatedBefore.IsZero() && plan.Bits == 0 {
		return domain.Receipt{}, domain.BadInput("createdBefore", "or bits must be given")
	}
	// Counted before the act: to count takes long where there are many, and
	// others wait to write.
	p, err := s.draft(ctx, plan)
	if err != nil {
		return domain.Receipt{}, err
	}
	receipt, err := s.act(ctx, r, func(tx *record.Tx, e domain.Entry) error {
		all, err := s.plans(tx)
		if err != nil {
			return err
		}
		if running(all) != nil {
			return conflict("A rotation plan runs already: stop it first.")
		}
		p.ID, p.StartedAt = e.RequestID, tx.Now()
		if p.ID == "" || slices.ContainsFunc(all, func(other domain.RotationPlan) bool { return other.ID == p.ID }) {
			p.ID = domain.NewID()
		}
		p.StartedBy, p.Reason = domain.OperatorFrom(ctx).Name, e.Reason
		e.Event = domain.EventRotationStarted
		e.Record, e.Version, e.Digest = planRecord(p.ID), 1, audit.Digest(p.Canonical())
		e.Reason += " (plan " + p.ID + ": " + inWords(p) + ")"
		tx.Enter(e)
		return s.putPlans(tx, slices.Insert(all, 0, p))
	})
	s.takeUp(ctx)
	return receipt, err
}

// PreviewRotationPlan is the plan with what it would select if it began now, in
// Selected and CreatedBefore. One that selects by nothing is about every key.
func (s *Service) PreviewRotationPlan(ctx context.Context, plan domain.RotationPlan) (domain.RotationPlan, error) {
	if err := s.mayRead(ctx); err != nil {
		return domain.RotationPlan{}, err
	}
	return s.draft(ctx, plan)
}

// takeUp has this process follow what was just decided. That is done and
// entered: if the store cannot be read now, the background reads it later.
func (s *Service) takeUp(ctx context.Context) {
	s.report("reading the rotation plan", s.readPlan(context.WithoutCancel(ctx)))
}

// draft is a plan whose selection was checked and counted.
func (s *Service) draft(ctx context.Context, given domain.RotationPlan) (domain.RotationPlan, error) {
	if !slices.Contains([]int{0, 2048, 3072, 4096}, given.Bits) {
		return given, domain.BadInput("bits", "must be 2048, 3072 or 4096")
	}
	p := domain.RotationPlan{CreatedBefore: domain.FromMicros(domain.Micros(given.CreatedBefore)), Bits: given.Bits, RefuseUse: given.RefuseUse}
	err := s.records.View(ctx, func(tx *record.Tx) (err error) {
		p.CountedAt = tx.Now()
		switch {
		case p.CreatedBefore.IsZero():
			p.CreatedBefore = tx.Now()
		case p.CreatedBefore.After(tx.Now()):
			return domain.BadInput("createdBefore", "must not be in the future: keys that are issued then would be replaced at once")
		}
		p.Selected, err = tx.CountActiveKeys(p.CreatedBefore, p.Bits)
		p.Remaining = p.Selected
		return err
	})
	return p, s.unavailable(ctx, err)
}

func inWords(p domain.RotationPlan) string {
	words := []string{"keys from before " + p.CreatedBefore.Format(time.RFC3339)}
	if p.Bits != 0 {
		words = append(words, fmt.Sprintf("of %d bits", p.Bits))
	}
	if p.RefuseUse {
		words = append(words, "refused from now on")
	}
	return strings.Join(append(words, fmt.Sprintf("%d active", p.Selected)), ", ")
}

// StopRotationPlan ends a plan that runs: that of the id, or [domain.CurrentPlan].
// What it has brought about stays. Where the setting does not agree with the
// trail, it makes the setting say what the trail does, and then ends the plan.
func (s *Service) StopRotationPlan(ctx context.Context, id string, act domain.Act) (domain.Receipt, error) {
	var edited *record.Tampered
	receipt, err := s.act(ctx, request{act, "stop rotation plan", [][]byte{[]byte(id)}}, func(tx *record.Tx, e domain.Entry) error {
		e.Event, edited = domain.EventRotationStopped, nil
		all, err := s.plans(tx)
		if errors.As(err, &edited) {
			return s.clearPlans(tx, e, id)
		}
		if err != nil {
			return err
		}
		i, err := planToStop(all, id)
		if err != nil {
			return err
		}
		s.rotation.counting.Lock()
		if c := s.rotation.counted; c.plan == all[i].ID {
			all[i].Remaining, all[i].CountedAt = c.remaining, c.at
		}
		s.rotation.counting.Unlock()
		all[i].StoppedAt, all[i].StoppedBy = tx.Now(), domain.OperatorFrom(ctx).Name
		e.Reason += " (plan " + all[i].ID + ")"
		tx.Enter(ended(e, planRecord(all[i].ID), audit.Digest(all[i].Canonical())))
		return s.putPlans(tx, all)
	})
	if err == nil && edited != nil && !receipt.Repeated {
		_ = s.records.Report(ctx, system, edited)
	}
	s.takeUp(ctx)
	return receipt, err
}

func planToStop(all []domain.RotationPlan, id string) (int, error) {
	if id == domain.CurrentPlan {
		if running(all) == nil {
			return 0, conflict("No rotation plan is running: nothing was changed.")
		}
		return 0, nil
	}
	i := slices.IndexFunc(all, func(p domain.RotationPlan) bool { return p.ID == id })
	if i < 0 {
		return 0, notFound("rotation plan", store.ErrNotFound)
	}
	if !all[i].StoppedAt.IsZero() {
		return 0, conflict("The rotation plan has ended already: nothing was changed.")
	}
	return i, nil
}

// ended makes an entry the last one of a plan.
func ended(e domain.Entry, record string, before []byte) domain.Entry {
	e.Record, e.Version, e.Before = record, 2, before
	return e
}

// clearPlans ends what runs by the trail, and keeps no plan: what the setting
// says of those before is not to be trusted either.
func (s *Service) clearPlans(tx *record.Tx, e domain.Entry, id string) error {
	told, err := audit.PlansTold(tx, s.keys)
	if err != nil {
		return err
	}
	maps.DeleteFunc(told, hasEnded)
	if _, ok := told[planRecord(id)]; !ok && id != domain.CurrentPlan {
		return notFound("rotation plan", store.ErrNotFound)
	}
	reason := e.Reason
	for _, plan := range slices.Sorted(maps.Keys(told)) {
		e.Reason = reason + " (" + strings.Replace(plan, "/", " ", 1) + ", the setting of which was not as the audit trail tells)"
		tx.Enter(ended(e, plan, told[plan]))
	}
	if len(told) == 0 {
		e.Reason += " (none was running, and the setting was not as the audit trail tells)"
		tx.Enter(e)
	}
	return s.putPlans(tx, nil)
}
