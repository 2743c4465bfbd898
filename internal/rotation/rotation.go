// Package rotation keeps rotation plans. With a plan, an operator has all keys
// of some age, size or algorithm replaced, and perhaps refused until then.
package rotation

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"strongroom/internal/audit"
	"strongroom/internal/crypto/devicekey"
	"strongroom/internal/crypto/seal"
	"strongroom/internal/domain"
	"strongroom/internal/record"
	"strongroom/internal/store"
)

// Plans are the rotation plans of one store, as this process knows them. They are
// kept in a setting with a MAC: otherwise someone who can write to the database
// could have every key replaced or refused. The trail has the start of each plan,
// with its digest, and its end. A setting that was removed or replaced by an
// older one contradicts the trail. Then the process ignores the setting and keeps
// the plan that it knows.
//
// Requests use the plan in memory only. They see a change by another process a
// few seconds later. Plans are safe for concurrent use.
type Plans struct {
	records *record.Records
	keys    *seal.Keyset
	now     func() time.Time

	kept    atomic.Pointer[[]domain.RotationPlan] // all plans of the setting; nil before the first read
	doubted atomic.Bool                           // the setting was refused when it was last read

	reading  sync.Mutex // held while the setting is read, so that the newest reading wins
	readings int        // guarded by reading
	agreed   agreement  // guarded by reading

	// MostCounted is how many keys are counted while an operator waits. Only tests
	// change what New sets.
	MostCounted int64

	counting sync.Mutex // held only to read or set counted
	counted  count      // in the background
}

// agreement is the setting that agreed with the trail when they were last compared.
type agreement struct {
	value []byte
	at    time.Time // by this process's clock, not the store's
}

// count is how many keys a plan has left.
type count struct {
	plan      string
	remaining int64
	at        time.Time // by the store's clock
	here      time.Time // by this process's
	rest      time.Duration
}

// New returns Plans without a running plan. [Plans.TakeUp] reads it.
func New(records *record.Records, keys *seal.Keyset, now func() time.Time) *Plans {
	return &Plans{records: records, keys: keys, now: now, MostCounted: mostCounted}
}

// Most is how many plans are kept.
const Most = 20

const (
	settingPlans = "rotation_plans"
	plansLabel   = "rotation plans v1"

	compareEvery = 10 * time.Second // how often an unchanged setting is compared with the trail

	countEvery = 30 * time.Second // how often the background counts the remaining keys
	countRest  = 100              // it rests at least this many times as long as a count took

	mostCounted = 200_000 // keys that are counted while an operator waits, in well under a second
)

// storedPlan is a plan in the setting.
type storedPlan struct {
	ID            string    `json:"id"`
	CreatedBefore time.Time `json:"createdBefore"`
	Bits          int       `json:"bits,omitempty"`
	Algorithm     string    `json:"algorithm,omitempty"`
	Upgrade       bool      `json:"upgrade,omitempty"`
	RefuseUse     bool      `json:"refuseUse,omitempty"`
	StartedAt     time.Time `json:"startedAt"`
	StartedBy     string    `json:"startedBy"`
	Reason        string    `json:"reason"`
	StoppedAt     time.Time `json:"stoppedAt,omitzero"`
	StoppedBy     string    `json:"stoppedBy,omitempty"`
	Selected      int64     `json:"selected"`
	SelectedMore  bool      `json:"selectedMore,omitempty"`
	Remaining     int64     `json:"remaining"`
	RemainingMore bool      `json:"remainingMore,omitempty"`
	CountedAt     time.Time `json:"countedAt"`
}

// storedPlans is the setting: the plans as JSON, and the MAC over these bytes.
type storedPlans struct {
	Plans json.RawMessage `json:"plans"`
	MAC   []byte          `json:"mac"`
}

var errPlans = errors.New("it differs from the audit trail: it was edited, removed or restored to an earlier state")

// In returns all plans that are kept, newest first. They must agree with the
// trail about which plan runs.
func (p *Plans) In(tx *record.Tx) ([]domain.RotationPlan, error) {
	_, all, err := p.compare(tx)
	return all, err
}

// compare is In, and also returns the setting.
func (p *Plans) compare(tx *record.Tx) (value []byte, all []domain.RotationPlan, err error) {
	var told map[string][]byte
	err = tx.Interleave(
		store.Into(&value, func() ([]byte, error) { return tx.MaybeSetting(settingPlans) }),
		store.Into(&told, func() (map[string][]byte, error) { return audit.PlanDigests(tx, p.keys) }))
	if err != nil {
		return nil, nil, err
	}
	if all, err = p.decode(value); err != nil {
		return nil, nil, err
	}
	maps.DeleteFunc(told, hasEnded)
	here := map[string][]byte{}
	if now := Running(all); now != nil {
		here[planRecord(now.ID)] = audit.Digest(now.Canonical())
	}
	if !maps.EqualFunc(here, told, bytes.Equal) {
		return nil, nil, &record.Tampered{Kind: domain.RecordSetting, ID: settingPlans, Cause: errPlans}
	}
	return value, all, nil
}

func hasEnded(_ string, digest []byte) bool { return len(digest) == 0 }

func planRecord(id string) string { return domain.RecordPlan + "/" + id }

// Kept returns the plans of the setting, without comparing them with the trail.
func (p *Plans) Kept(tx *record.Tx) ([]domain.RotationPlan, error) {
	value, err := tx.MaybeSetting(settingPlans)
	if err != nil {
		return nil, err
	}
	return p.decode(value)
}

// decode returns the plans of the setting, which is nil if there is none.
func (p *Plans) decode(value []byte) ([]domain.RotationPlan, error) {
	if value == nil {
		return nil, nil
	}
	var kept storedPlans
	var plans []storedPlan
	if json.Unmarshal(value, &kept) != nil || !p.keys.VerifyMAC(plansLabel, kept.Plans, kept.MAC) || json.Unmarshal(kept.Plans, &plans) != nil {
		return nil, &record.Tampered{Kind: domain.RecordSetting, ID: settingPlans, Cause: record.ErrMAC}
	}
	all := make([]domain.RotationPlan, len(plans))
	for i, plan := range plans {
		all[i] = domain.RotationPlan(plan)
	}
	return all, nil
}

// Resign renews the MAC of the plans, after the primary data key changed.
func (p *Plans) Resign(tx *record.Tx) error {
	all, err := p.Kept(tx)
	if err != nil || len(all) == 0 {
		return err
	}
	return p.put(tx, all)
}

func (p *Plans) put(tx *record.Tx, all []domain.RotationPlan) error {
	plans := make([]storedPlan, 0, Most)
	for _, plan := range all[:min(len(all), Most)] {
		plans = append(plans, storedPlan(plan))
	}
	text, err := json.Marshal(plans)
	if err != nil {
		return fmt.Errorf("writing rotation plans: %w", err)
	}
	value, err := json.Marshal(storedPlans{text, p.keys.MAC(plansLabel, text)})
	if err != nil {
		return fmt.Errorf("writing rotation plans: %w", err)
	}
	return tx.PutSetting(settingPlans, value)
}

// Running returns the plan that the process follows, or nil.
func (p *Plans) Running() *domain.RotationPlan { return Running(p.all()) }

func (p *Plans) all() []domain.RotationPlan {
	if plans := p.kept.Load(); plans != nil {
		return *plans
	}
	return nil
}

// For returns the running plan if it selects the key, or would if the key were
// active: a key in grace is included. next is the algorithm that the client's next
// key would have.
func (p *Plans) For(k domain.DeviceKey, next devicekey.Algorithm) *domain.RotationPlan {
	return selecting(p.Running(), k, next)
}

func selecting(plan *domain.RotationPlan, k domain.DeviceKey, next devicekey.Algorithm) *domain.RotationPlan {
	if plan == nil {
		return nil
	}
	k.State = domain.KeyActive
	if !plan.Selects(k) || plan.Upgrade && next == devicekey.RSAOAEP256 {
		return nil
	}
	return plan
}

// Refuses reports whether set and verify must refuse the key.
func (p *Plans) Refuses(k domain.DeviceKey) bool {
	return RefusedBy(p.all())(k)
}

// RefusedBy returns [Plans.Refuses] for these plans. A plan finishes when it has no active
// key left. After that it refuses only keys in grace: if a clock was set back, a new active
// key can seem older than the plan.
func RefusedBy(plans []domain.RotationPlan) func(domain.DeviceKey) bool {
	return func(k domain.DeviceKey) bool {
		return slices.ContainsFunc(plans, func(p domain.RotationPlan) bool {
			return (p.StoppedAt.IsZero() || p.StoppedBy == finisher && k.State != domain.KeyActive) && refuses(&p, k)
		})
	}
}

// RefusedByAny is RefusedBy for a key that arrives from another store. Plans that ended
// because no key was left here refuse it too.
func RefusedByAny(plans []domain.RotationPlan) func(domain.DeviceKey) bool {
	return func(k domain.DeviceKey) bool {
		return slices.ContainsFunc(plans, func(p domain.RotationPlan) bool {
			return (p.StoppedAt.IsZero() || p.StoppedBy == finisher) && refuses(&p, k)
		})
	}
}

func refuses(plan *domain.RotationPlan, k domain.DeviceKey) bool {
	return plan.RefuseUse && selecting(plan, k, devicekey.Algorithm(k.Algorithm)) != nil
}

// TakeUp makes this process follow the running plan. Call it before the first
// request. It fails if the plan cannot be read reliably, because without it the
// process could accept keys that must be refused.
func (p *Plans) TakeUp(ctx context.Context) error {
	err := p.Read(ctx)
	if record.IsTampered(err) {
		return fmt.Errorf("the rotation plans in the database differ from those in the audit trail, so keys that must be refused could be used: "+
			"run strongroom audit verify, end the plan with strongroom admin rotation stop, and start it again if you still want it (%w)", err)
	}
	return err
}

// Read reads the setting and follows it. If the setting is refused, the process
// keeps the plan that it knows.
func (p *Plans) Read(ctx context.Context) error {
	p.reading.Lock()
	defer p.reading.Unlock()
	p.readings++
	is, err := p.read(ctx, p.records.View, agreement{})
	return p.follow(ctx, is, err)
}

// readBy is like Read, but reads through view and holds no lock meanwhile. If the setting is
// unchanged since it agreed with the trail less than 10 s ago, it does not compare them
// again. If a Read began or ended meanwhile, that one wins.
func (p *Plans) readBy(ctx context.Context, view record.Viewer) error {
	p.reading.Lock()
	before, agreed := p.readings, p.agreed
	p.reading.Unlock()
	is, err := p.read(ctx, view, agreed)
	p.reading.Lock()
	defer p.reading.Unlock()
	if p.readings != before || is.unchanged && err == nil {
		return nil
	}
	return p.follow(ctx, is, err)
}

// found is what was read: the setting and, unless it is unchanged, its plans.
type found struct {
	agreement
	all       []domain.RotationPlan
	unchanged bool // since it last agreed with the trail: all was not read
}

func (p *Plans) read(ctx context.Context, view record.Viewer, agreed agreement) (is found, err error) {
	now := p.now()
	age := now.Sub(agreed.at)
	err = view(ctx, func(tx *record.Tx) (err error) {
		is = found{}
		if age >= 0 && age < compareEvery {
			value, err := tx.MaybeSetting(settingPlans)
			if is.unchanged = err == nil && bytes.Equal(value, agreed.value); err != nil || is.unchanged {
				return err
			}
		}
		if is.value, is.all, err = p.compare(tx); err != nil {
			return err
		}
		return p.endTold(tx, Running(is.all))
	})
	is.at = now
	return is, err
}

// follow makes this process follow the plans that were read. The caller holds reading.
func (p *Plans) follow(ctx context.Context, is found, err error) error {
	p.doubted.Store(record.IsTampered(err))
	if err != nil {
		p.agreed = agreement{}
		return p.records.Report(ctx, record.System, err)
	}
	p.agreed = is.agreement
	p.kept.Store(&is.all)
	return nil
}

// endTold fails if the known plan does not run any more and the trail does not
// have its end: then someone removed its entries.
func (p *Plans) endTold(tx *record.Tx, now *domain.RotationPlan) error {
	known := p.Running()
	if known == nil || now != nil && now.ID == known.ID {
		return nil
	}
	told, err := audit.PlanDigests(tx, p.keys)
	if err != nil {
		return err
	}
	if _, ok := told[planRecord(known.ID)]; !ok {
		return &record.Tampered{Kind: domain.RecordSetting, ID: settingPlans, Cause: errPlans}
	}
	return nil
}

// Running returns the plan of all that runs, or nil. all is in order, newest first.
func Running(all []domain.RotationPlan) *domain.RotationPlan {
	if len(all) == 0 || !all[0].StoppedAt.IsZero() {
		return nil
	}
	return &all[0]
}

// Follow reads the plan again through view, in the background, and ends it when no key is
// left.
func (p *Plans) Follow(ctx context.Context, view record.Viewer) error {
	if err := p.readBy(ctx, view); err != nil {
		return err
	}
	plan := p.Running()
	if plan == nil || p.doubted.Load() {
		return nil
	}
	done, err := p.count(ctx, *plan)
	if err != nil || !done {
		return err
	}
	return p.finish(ctx, plan.ID)
}

// count counts the keys that a plan has left, if it is time, and reports whether there
// are none. Every key that a plan selects existed before it began, so the count only
// falls. Counting many keys takes long, so it is rare. In between, count only checks
// whether there is any key.
func (p *Plans) count(ctx context.Context, plan domain.RotationPlan) (done bool, err error) {
	was, now := p.last(), p.now()
	most := int64(math.MaxInt64)
	switch {
	case was.plan != plan.ID:
	case now.Sub(was.here) < countEvery:
		return false, nil
	case now.Sub(was.here) < was.rest:
		most = 1
	}
	began := time.Now()
	is, err := record.View(ctx, p.records, func(tx *record.Tx) (count, error) {
		n, err := countActive(tx, plan, most)
		return count{plan: plan.ID, remaining: n, at: tx.Now(), here: now}, err
	})
	if err != nil {
		return false, fmt.Errorf("counting the keys of a rotation plan: %w", err)
	}
	if most == 1 && is.remaining > 0 {
		return false, nil
	}
	is.rest = countRest * time.Since(began)
	p.counting.Lock()
	defer p.counting.Unlock()
	p.counted = is
	return is.remaining == 0, nil
}

func (p *Plans) last() count {
	p.counting.Lock()
	defer p.counting.Unlock()
	return p.counted
}

// Counted returns the plan with the last count of the background, if there is one.
func (p *Plans) Counted(plan domain.RotationPlan) domain.RotationPlan {
	if is := p.last(); is.plan == plan.ID {
		plan.Remaining, plan.RemainingMore, plan.CountedAt = is.remaining, false, is.at
	}
	return plan
}

// Recount counts the keys that the running plan has left, up to a bound. Call it before
// Stop, so that the plan keeps the count of its end. With more keys than the bound, the last
// count stays.
func (p *Plans) Recount(ctx context.Context) error {
	began := time.Now()
	is, err := record.View(ctx, p.records, func(tx *record.Tx) (count, error) {
		all, err := p.Kept(tx)
		plan := Running(all)
		if err != nil || plan == nil {
			return count{}, err
		}
		n, err := countActive(tx, *plan, p.MostCounted)
		return count{plan: plan.ID, remaining: n, at: tx.Now(), here: p.now()}, err
	})
	if err != nil || is.plan == "" || is.remaining >= p.MostCounted {
		return err
	}
	is.rest = countRest * time.Since(began)
	p.counting.Lock()
	defer p.counting.Unlock()
	p.counted = is
	return nil
}

// Remaining is Counted for an operator who waits: if nothing was counted yet, it counts
// up to a bound.
func (p *Plans) Remaining(tx *record.Tx, plan domain.RotationPlan) (domain.RotationPlan, error) {
	if p.last().plan == plan.ID {
		return p.Counted(plan), nil
	}
	n, err := countActive(tx, plan, p.MostCounted)
	if err != nil {
		return plan, fmt.Errorf("counting the keys of a rotation plan: %w", err)
	}
	plan.Remaining, plan.RemainingMore, plan.CountedAt = n, n >= p.MostCounted, tx.Now()
	return plan, nil
}

// finisher is the name in StoppedBy of a plan that ended because no key was left.
const finisher = "system"

func (p *Plans) finish(ctx context.Context, id string) error {
	err := p.records.Update(ctx, record.System, func(tx *record.Tx) error {
		all, err := p.In(tx)
		if now := Running(all); err != nil || now == nil || now.ID != id {
			return err // another process was faster
		}
		e := tx.Note(domain.EventRotationFinished, "ok")
		e.Reason = "plan " + id
		return p.end(tx, e, all, finisher)
	})
	if err != nil {
		return err
	}
	return p.Read(ctx)
}

// end ends the running plan, the first, and enters that as e.
func (p *Plans) end(tx *record.Tx, e domain.Entry, all []domain.RotationPlan, by string) error {
	all[0] = p.Counted(all[0])
	all[0].StoppedAt, all[0].StoppedBy = tx.Now(), by
	tx.Enter(last(e, planRecord(all[0].ID), audit.Digest(all[0].Canonical())))
	return p.put(tx, all)
}

// Start begins a plan and enters that as e. Only one runs at a time.
func (p *Plans) Start(tx *record.Tx, e domain.Entry, plan domain.RotationPlan, by string) error {
	all, err := p.In(tx)
	if err != nil {
		return err
	}
	if Running(all) != nil {
		return domain.Conflict("A rotation plan is already running: stop it first.")
	}
	plan.ID, plan.StartedAt = e.RequestID, tx.Now()
	if plan.ID == "" || slices.ContainsFunc(all, func(other domain.RotationPlan) bool { return other.ID == plan.ID }) {
		plan.ID = domain.NewID()
	}
	plan.StartedBy, plan.Reason = by, e.Reason
	e.Event = domain.EventRotationStarted
	e.Record, e.Version, e.Digest = planRecord(plan.ID), 1, audit.Digest(plan.Canonical())
	e.Reason += " (plan " + plan.ID + ": " + inWords(plan) + ")"
	tx.Enter(e)
	return p.put(tx, slices.Insert(all, 0, plan))
}

// Stop ends a running plan and enters that as e: the plan with the id, or the
// current one for [domain.CurrentPlan]. If the setting contradicts the trail,
// Stop makes it agree, ends the plan, and returns the contradiction as tampered.
func (p *Plans) Stop(tx *record.Tx, e domain.Entry, id, by string) (tampered *record.Tampered, err error) {
	e.Event = domain.EventRotationStopped
	all, err := p.In(tx)
	if errors.As(err, &tampered) {
		return tampered, p.clear(tx, e, id)
	}
	if err != nil {
		return nil, err
	}
	if err := mayStop(all, id); err != nil {
		return nil, err
	}
	e.Reason += " (plan " + all[0].ID + ")"
	return nil, p.end(tx, e, all, by)
}

// mayStop refuses a plan that does not run.
func mayStop(all []domain.RotationPlan, id string) error {
	now := Running(all)
	switch {
	case now != nil && (id == now.ID || id == domain.CurrentPlan):
		return nil
	case id == domain.CurrentPlan:
		return domain.Conflict("No rotation plan is running: nothing was changed.")
	case slices.ContainsFunc(all, func(p domain.RotationPlan) bool { return p.ID == id }):
		return domain.Conflict("The rotation plan has ended already: nothing was changed.")
	}
	return domain.NotFound("rotation plan")
}

// Draft returns a plan with its selection checked and counted.
func (p *Plans) Draft(ctx context.Context, given domain.RotationPlan) (domain.RotationPlan, error) {
	switch {
	case given.Bits != 0 && !slices.Contains(moduli, given.Bits):
		return given, domain.BadInput("bits", "must be 2048, 3072 or 4096")
	case given.Algorithm != "" && !slices.Contains(devicekey.Algorithms, devicekey.Algorithm(given.Algorithm)):
		return given, domain.BadInput("algorithm", "must be one of "+devicekey.Names(devicekey.Algorithms))
	case given.Upgrade && given.Algorithm != string(devicekey.RSAOAEP256):
		return given, domain.BadInput("algorithm", "must be "+string(devicekey.RSAOAEP256)+" with upgrade")
	case given.Upgrade && given.RefuseUse:
		return given, domain.BadInput("refuseUse", "cannot be combined with upgrade: a key whose app cannot use HPKE must stay in use")
	}
	return record.View(ctx, p.records, func(tx *record.Tx) (plan domain.RotationPlan, err error) {
		plan = domain.RotationPlan{CreatedBefore: domain.FromMicros(domain.Micros(given.CreatedBefore)), Bits: given.Bits, Algorithm: given.Algorithm, Upgrade: given.Upgrade, RefuseUse: given.RefuseUse,
			CountedAt: tx.Now()}
		switch {
		case plan.CreatedBefore.IsZero():
			plan.CreatedBefore = tx.Now()
		case plan.CreatedBefore.After(tx.Now()):
			return plan, domain.BadInput("createdBefore", "must not be in the future: newly issued keys would be replaced immediately")
		}
		plan.Selected, err = countActive(tx, plan, p.MostCounted)
		plan.SelectedMore = plan.Selected >= p.MostCounted
		plan.Remaining, plan.RemainingMore = plan.Selected, plan.SelectedMore
		return plan, err
	})
}

// moduli are the sizes of RSA keys. The keys of HPKE have other sizes, so that a
// size tells the algorithm.
var moduli = []int{2048, 3072, 4096}

// countActive counts the active keys that a plan selects: with Upgrade also those
// whose apps cannot use HPKE, because only a request shows what an app can. It counts
// up to most keys.
func countActive(tx *record.Tx, plan domain.RotationPlan, most int64) (sum int64, err error) {
	sizes := []int{plan.Bits} // 0: all
	switch a := devicekey.Algorithm(plan.Algorithm); {
	case a == "":
	case a != devicekey.RSAOAEP256 && plan.Bits != 0:
		sizes = nil
	case a != devicekey.RSAOAEP256:
		sizes = []int{devicekey.KeySize(a)}
	case plan.Bits == 0:
		sizes = moduli
	}
	for _, bits := range sizes {
		n, err := tx.CountActiveKeys(plan.CreatedBefore, bits, most-sum)
		if err != nil {
			return 0, err
		}
		sum += n
	}
	return sum, nil
}

func inWords(p domain.RotationPlan) string {
	words := []string{"keys from before " + p.CreatedBefore.Format(time.RFC3339)}
	if p.Bits != 0 {
		words = append(words, fmt.Sprintf("of %d bits", p.Bits))
	}
	if p.Algorithm != "" {
		words = append(words, "of "+p.Algorithm)
	}
	if p.Upgrade {
		words = append(words, "only where the app can use HPKE")
	}
	if p.RefuseUse {
		words = append(words, "refused from now on")
	}
	active := "%d active"
	if p.SelectedMore {
		active = "%d or more active"
	}
	return strings.Join(append(words, fmt.Sprintf(active, p.Selected)), ", ")
}

// last makes an entry the last one of a plan.
func last(e domain.Entry, record string, before []byte) domain.Entry {
	e.Record, e.Version, e.Before = record, 2, before
	return e
}

// clear ends the plans that run according to the trail, and keeps no plan,
// because the setting is not trusted about earlier plans either.
func (p *Plans) clear(tx *record.Tx, e domain.Entry, id string) error {
	told, err := audit.PlanDigests(tx, p.keys)
	if err != nil {
		return err
	}
	maps.DeleteFunc(told, hasEnded)
	if _, ok := told[planRecord(id)]; !ok && id != domain.CurrentPlan {
		return domain.NotFound("rotation plan")
	}
	reason := e.Reason
	for _, plan := range slices.Sorted(maps.Keys(told)) {
		e.Reason = reason + " (" + strings.Replace(plan, "/", " ", 1) + ", whose setting differed from the audit trail)"
		tx.Enter(last(e, plan, told[plan]))
	}
	if len(told) == 0 {
		e.Reason += " (none was running, and the setting differed from the audit trail)"
		tx.Enter(e)
	}
	return p.put(tx, nil)
}
