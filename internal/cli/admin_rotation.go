package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/url"
	"strconv"

	"strongroom/internal/admin"
	"strongroom/internal/adminclient"
	"strongroom/internal/domain"
	"strongroom/internal/table"
)

type rotationCmd struct {
	Preview rotationPreviewCmd `cmd:"" help:"Count the keys that a plan would select now."`
	Start   rotationStartCmd   `cmd:"" help:"Start a plan. Each selected key is replaced when its device next requests its key."`
	Stop    rotationStopCmd    `cmd:"" help:"Stop a plan. Keys that were already replaced stay replaced."`
	Status  rotationStatusCmd  `cmd:"" help:"Show the running plan and list earlier plans, or show one plan."`
}

// selection has the criteria by which a plan selects keys. A flag with an empty value is
// sent too, so that the server refuses it. Without it, the plan would select more keys.
type selection struct {
	OlderThanDays *int    `placeholder:"N" help:"Select keys older than N whole days (UTC)."`
	CreatedBefore *string `placeholder:"TIME" help:"Select keys created before this time, such as 2006-01-02T15:04:05Z."`
	KeySize       *int    `placeholder:"BITS" help:"Select keys of this modulus size: 2048, 3072 or 4096."`
	Algorithm     *string `placeholder:"NAME" help:"Select keys of this algorithm: RSA-OAEP-256, HPKE-X25519 or HPKE-XWING. Without another filter, those issued before today (UTC), or until now with start --refuse-use."`
	Upgrade       bool    `help:"Select RSA keys of apps that can use HPKE. An app states this when it requests its key."`
}

// criteria returns the criteria that were given, by their names in the admin API.
func (s selection) criteria() map[string]any {
	given := map[string]any{}
	for name, n := range map[string]*int{"olderThanDays": s.OlderThanDays, "keySize": s.KeySize} {
		if n != nil {
			given[name] = *n
		}
	}
	for name, text := range map[string]*string{"createdBefore": s.CreatedBefore, "algorithm": s.Algorithm} {
		if text != nil {
			given[name] = *text
		}
	}
	if s.Upgrade {
		given["upgrade"] = true
	}
	return given
}

type rotationPreviewCmd struct {
	connection
	selection
}

// Run counts what a plan would select.
func (c rotationPreviewCmd) Run(ctx context.Context, p *Program) error {
	query := url.Values{}
	for name, value := range c.criteria() {
		query.Set(name, fmt.Sprint(value))
	}
	return show(ctx, p, c.connection, "/rotation-plans/preview", query, func(w io.Writer, plan admin.RotationPreview) {
		t := table.NewRecord(w)
		t.Field("keys before", plan.CreatedBefore)
		t.Field("bits", bitsOf(plan.KeySize))
		t.Field("algorithm", algorithmOf(plan.Algorithm, plan.Upgrade))
		t.Field("selected", orMore(plan.Selected, plan.SelectedMore))
		t.Field("counted", plan.CountedAt)
		t.Print()
	})
}

// bitsOf formats the modulus size that keys must have.
func bitsOf(keySize int) string {
	if keySize == 0 {
		return "any"
	}
	return strconv.Itoa(keySize)
}

// algorithmOf formats the algorithm that keys must have.
func algorithmOf(algorithm string, upgrade bool) string {
	switch {
	case algorithm == "":
		return "any"
	case upgrade:
		return algorithm + ", where the app can use HPKE"
	}
	return algorithm
}

type rotationStartCmd struct {
	connection
	selection
	RefuseUse bool   `help:"Also refuse selected keys in set and verify (KEY_NOT_USABLE), so that clients request a new key at once."`
	Reason    reason `required:"" placeholder:"TEXT" help:"Reason, recorded in the audit trail."`
}

// Run begins a plan.
func (c rotationStartCmd) Run(ctx context.Context, p *Program) error {
	body := map[string]any{"reason": c.Reason, "refuseUse": c.RefuseUse}
	maps.Copy(body, c.criteria())
	return c.with(ctx, p, func(a *adminclient.Client) error {
		return c.act(ctx, p, a, "Started.", "/rotation-plans", body)
	})
}

type rotationStopCmd struct {
	connection
	Plan   string `arg:"" optional:"" name:"planid" help:"Id of the plan. Default: the running plan."`
	Reason reason `required:"" placeholder:"TEXT" help:"Reason, recorded in the audit trail."`
}

// Run stops a plan.
func (c rotationStopCmd) Run(ctx context.Context, p *Program) error {
	return c.with(ctx, p, func(a *adminclient.Client) error {
		if c.Plan == "" {
			c.Plan = domain.CurrentPlan
		}
		return c.act(ctx, p, a, "Stopped.", "/rotation-plans/"+url.PathEscape(c.Plan)+"/stop", map[string]any{"reason": c.Reason})
	})
}

type rotationStatusCmd struct {
	connection
	Plan string `arg:"" optional:"" name:"planid" help:"Id of the plan, running or not."`
}

// Run shows a plan, or the running plan and a list of earlier plans.
func (c rotationStatusCmd) Run(ctx context.Context, p *Program) error {
	return c.with(ctx, p, func(a *adminclient.Client) error {
		if c.Plan == "" {
			return showFrom(ctx, p, c.connection, a, "/rotation-plans", nil, printPlans)
		}
		var list admin.List[admin.RotationPlan]
		if err := a.Read(ctx, "/rotation-plans", nil, &list); err != nil {
			return err
		}
		for _, plan := range list.Items {
			if plan.ID != c.Plan {
				continue
			}
			if c.JSON {
				return p.encodeJSON(plan)
			}
			printPlan(p.Stdout, plan)
			return nil
		}
		return errors.New("no rotation plan has this id")
	})
}

func printPlans(w io.Writer, list admin.List[admin.RotationPlan]) {
	plans := list.Items
	if len(plans) > 0 && plans[0].StoppedAt.IsZero() {
		printPlan(w, plans[0])
		plans = plans[1:]
	} else {
		fmt.Fprintln(w, "No plan is running.")
	}
	if len(plans) == 0 {
		return
	}
	fmt.Fprintln(w)
	t := table.New(w, "PLAN BEFORE", "STARTED", "STOPPED", "REMAINING")
	for _, plan := range plans {
		t.Row(plan.ID, table.Minute(plan.StartedAt), table.Minute(plan.StoppedAt), orMore(plan.Remaining, plan.RemainingMore))
	}
	t.Print()
}

func printPlan(w io.Writer, plan admin.RotationPlan) {
	t := table.NewRecord(w)
	t.Field("plan", plan.ID)
	t.Field("keys before", plan.CreatedBefore)
	t.Field("bits", bitsOf(plan.KeySize))
	t.Field("algorithm", algorithmOf(plan.Algorithm, plan.Upgrade))
	t.Field("refuses use", plan.RefuseUse)
	t.Field("started", plan.StartedAt)
	t.Field("by", plan.StartedBy)
	t.Field("reason", plan.Reason)
	if !plan.StoppedAt.IsZero() {
		t.Field("stopped", plan.StoppedAt)
		t.Field("stopped by", plan.StoppedBy)
	}
	t.Field("selected", orMore(plan.Selected, plan.SelectedMore))
	t.Field("remaining", orMore(plan.Remaining, plan.RemainingMore))
	t.Field("counted", plan.CountedAt)
	t.Print()
}

// orMore formats a count. With more, counting stopped at n.
func orMore(n int64, more bool) string {
	if more {
		return fmt.Sprintf("%d or more", n)
	}
	return strconv.FormatInt(n, 10)
}
