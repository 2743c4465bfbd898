package operator

import (
	"context"
	"fmt"

	"strongroom/internal/domain"
	"strongroom/internal/record"
	"strongroom/internal/rotation"
)

// Plans are the use cases on rotation plans.
type Plans struct{ *access }

// TakeUpPlan is [rotation.Plans.TakeUp].
func (u Plans) TakeUpPlan(ctx context.Context) error { return u.cfg.Plans.TakeUp(ctx) }

// RotationPlans returns the rotation plans, the newest first. At most the first
// is running.
func (u Plans) RotationPlans(ctx context.Context) (all []domain.RotationPlan, err error) {
	err = u.look(ctx, func(tx *record.Tx) (err error) {
		all, err = u.cfg.Plans.In(tx)
		if p := rotation.Running(all); err == nil && p != nil {
			all[0], err = u.cfg.Plans.Remaining(tx, *p)
		}
		return err
	})
	if err != nil {
		return nil, u.cfg.Records.Report(ctx, record.System, err)
	}
	return all, nil
}

// StartRotationPlan begins a plan. Only one runs at a time.
func (u Plans) StartRotationPlan(ctx context.Context, plan domain.RotationPlan, act domain.Act) (domain.ActResult, error) {
	r := request{act, "start rotation plan", [][]byte{domain.EncodeTime(plan.CreatedBefore), domain.EncodeInt(int64(plan.Bits)), fmt.Append(nil, plan.RefuseUse), []byte(plan.Algorithm), fmt.Append(nil, plan.Upgrade)}}
	if _, err := u.operatorEntry(ctx, ""); err != nil {
		return domain.ActResult{}, err
	}
	if plan.CreatedBefore.IsZero() && plan.Bits == 0 && plan.Algorithm == "" && !plan.Upgrade {
		return domain.ActResult{}, domain.BadInput("createdBefore", "or keySize, algorithm or upgrade must be given")
	}
	// Counted before the act: counting many keys takes long, and a transaction that
	// writes would keep others waiting.
	p, err := u.cfg.Plans.Draft(ctx, plan)
	if err != nil {
		return domain.ActResult{}, u.cfg.Records.Unavailable(ctx, err)
	}
	result, err := u.act(ctx, r, func(tx *record.Tx, e domain.Entry) error {
		return u.cfg.Plans.Start(tx, e, p, domain.OperatorFrom(ctx).Name)
	})
	u.takeUp(ctx)
	return result, err
}

// PreviewRotationPlan returns the plan with the Selected and CreatedBefore that it
// would have if it began now. A plan without criteria selects every key.
func (u Plans) PreviewRotationPlan(ctx context.Context, plan domain.RotationPlan) (domain.RotationPlan, error) {
	if err := u.mayRead(ctx); err != nil {
		return domain.RotationPlan{}, err
	}
	p, err := u.cfg.Plans.Draft(ctx, plan)
	return p, u.cfg.Records.Unavailable(ctx, err)
}

// takeUp makes this process follow a change of the plan at once. If it fails, the
// background job does it later.
func (u Plans) takeUp(ctx context.Context) {
	u.cfg.Report("reading the rotation plan", u.cfg.Plans.Read(context.WithoutCancel(ctx)))
}

// StopRotationPlan ends a running plan (see [rotation.Plans.Stop]). Keys that it
// has replaced stay replaced.
func (u Plans) StopRotationPlan(ctx context.Context, id string, act domain.Act) (domain.ActResult, error) {
	if _, err := u.operatorEntry(ctx, ""); err != nil {
		return domain.ActResult{}, err
	}
	// The keys are counted before the act, as at the start. If the count fails, the plan must
	// end all the same. If its setting differs from the trail, the act reports it.
	if err := u.cfg.Plans.Recount(ctx); !record.IsTampered(err) {
		u.cfg.Report("counting the keys of a rotation plan", err)
	}
	var tampered *record.Tampered
	result, err := u.act(ctx, request{act, "stop rotation plan", [][]byte{[]byte(id)}}, func(tx *record.Tx, e domain.Entry) (err error) {
		tampered, err = u.cfg.Plans.Stop(tx, e, id, domain.OperatorFrom(ctx).Name)
		return err
	})
	if err == nil && tampered != nil && !result.Repeated {
		_ = u.cfg.Records.Report(ctx, record.System, tampered)
	}
	u.takeUp(ctx)
	return result, err
}
