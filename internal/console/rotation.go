package console

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/operatorapi"
)

type rotationBody struct {
	Running *planRow // nil: none is running
	Before  []planRow
}

type planRow struct {
	domain.RotationPlan
	Done    int64 // keys that are replaced
	Part    int   // percent
	Unknown bool  // the number of replaced keys is unknown, because not all keys were counted
}

func (c content) rotation(r *request) (view, error) {
	plans, err := c.UseCases.RotationPlans(r.Context())
	var body rotationBody
	for _, p := range plans {
		row := planRow{RotationPlan: p, Done: max(0, p.Selected-p.Remaining), Unknown: p.SelectedMore && p.Remaining > 0}
		if p.Selected > 0 {
			row.Part = int(row.Done * 100 / p.Selected)
		}
		if p.StoppedAt.IsZero() {
			body.Running = &row
		} else {
			body.Before = append(body.Before, row)
		}
	}
	return view{"rotation.html", "Rotation", body}, err
}

// orMore returns a count that may have stopped at n.
func orMore(n int64, more bool) string {
	if more {
		return number(n) + " or more"
	}
	return number(n)
}

// planForm is what was typed in the form of a rotation plan.
type planForm struct {
	Days      string
	Algorithm string
	Bits      string
	Refuse    bool
	Better    bool   // only RSA keys whose app can use HPKE
	Before    string // when the form was opened: newer keys are never selected, even if the form is sent twice

	Preview *domain.RotationPlan // the result of a preview; nil: not requested
}

func (c changes) aboutPlan(r *request, f *form) error {
	*f = form{Once: f.Once, Title: "Start a rotation plan", Button: "Start rotation", Danger: true, Confirm: "rotate", What: "the word rotate. Replaced keys cannot be restored",
		Lead: "Each selected key is replaced when its device next requests a key. Passcodes and PINs stay. Only one plan runs at a time. It finishes " +
			"when all its keys are replaced. If you stop it, keys that were already replaced stay replaced.",
		Back: "/rotation", Done: "The rotation plan was started.",
		Plan: &planForm{Days: r.text("days", 6), Algorithm: r.text("algorithm", 64), Bits: r.text("bits", 6), Refuse: r.box("refuse"), Better: r.box("upgrade"),
			Before: r.text("before", 64)}}
	// If the list cannot be read, the use case decides.
	plans, _ := c.UseCases.RotationPlans(r.Context())
	if slices.ContainsFunc(plans, func(p domain.RotationPlan) bool { return p.StoppedAt.IsZero() }) {
		f.Note = "A plan is already running. Stop it or wait until it ends before you start another."
	}
	if r.Method != http.MethodPost {
		f.Plan.Before = time.Now().UTC().Format(time.RFC3339)
	}
	return nil
}

func (c changes) startPlan(r *request, f *form, a domain.Act) (domain.ActResult, error) {
	p, refusal := f.Plan.selected()
	if refusal != nil {
		c.Refused(r.Context(), refusal.Code)
		return domain.ActResult{}, refusal
	}
	return c.UseCases.StartRotationPlan(r.Context(), p, a)
}

func (c changes) previewPlan(r *request, f *form) error {
	p, refusal := f.Plan.selected()
	if refusal != nil {
		c.Refused(r.Context(), refusal.Code)
		return refusal
	}
	p, err := c.UseCases.PreviewRotationPlan(r.Context(), p)
	if err != nil {
		return err
	}
	f.Plan.Preview = &p
	return nil
}

// upgraded is the algorithm of the keys that an upgrade replaces.
const upgraded = "RSA-OAEP-256"

// algorithms are the algorithms that a key can have.
var algorithms = []string{upgraded, "HPKE-X25519", "HPKE-XWING"}

// Algorithms returns the choices of the form.
func (f *planForm) Algorithms() []string { return algorithms }

// selected returns the plan that was typed.
func (f *planForm) selected() (domain.RotationPlan, *domain.Error) {
	p := domain.RotationPlan{Algorithm: f.Algorithm, RefuseUse: f.Refuse, Upgrade: f.Better}
	if f.Better && f.Algorithm == "" {
		p.Algorithm = upgraded
	}
	opened, err := time.Parse(time.RFC3339, f.Before)
	if err != nil || opened.After(time.Now()) {
		return p, &domain.Error{Code: domain.CodeBadRequest, Message: "This form is not from the console. Nothing was done."}
	}
	p.CreatedBefore = opened
	if f.Days != "" {
		n, err := strconv.Atoi(f.Days)
		if err != nil || n < 1 || n > operatorapi.MaxPlanDays {
			return p, badInput("days", "must be a whole number from 1 to "+strconv.Itoa(operatorapi.MaxPlanDays)+", or empty")
		}
		p.CreatedBefore = opened.AddDate(0, 0, -n)
	}
	switch f.Bits {
	case "":
	case "2048", "3072", "4096":
		p.Bits, _ = strconv.Atoi(f.Bits)
	default:
		return p, badInput("bits", "must be 2048, 3072 or 4096")
	}
	switch rsa := p.Algorithm == "" || p.Algorithm == upgraded; {
	case !rsa && !slices.Contains(algorithms, p.Algorithm):
		return p, badInput("algorithm", "must be "+strings.Join(algorithms, ", ")+" or any")
	case !rsa && f.Better:
		return p, badInput("algorithm", "must be "+upgraded+" or any, because only RSA keys can move to HPKE")
	case !rsa && f.Bits != "":
		return p, badInput("bits", "must be any, because "+p.Algorithm+" has one size")
	}
	return p, nil
}

func (c changes) aboutStop(r *request, f *form) error {
	*f = form{Once: f.Once, Title: "Stop the running rotation plan", Button: "Stop rotation",
		Lead: "Keys that were not replaced yet stay in use. Keys that were already replaced stay replaced.",
		Back: "/rotation", Done: "The rotation plan was stopped."}
	if r.PathValue("planId") == domain.CurrentPlan { // also if only the trail shows which plan is running
		return nil
	}
	plans, err := c.UseCases.RotationPlans(r.Context())
	if err != nil {
		return err
	}
	for _, p := range plans {
		if p.ID == r.PathValue("planId") {
			f.Title = "Stop the rotation plan"
			f.Facts = []fact{{"Plan", p.ID}, {"Plan's reason", p.Reason}, {"Remaining", orMore(p.Remaining, p.RemainingMore) + " of " + orMore(p.Selected, p.SelectedMore) + " keys"}}
			return nil
		}
	}
	return &domain.Error{Code: domain.CodeNotFound, Message: "There is no such plan."}
}
