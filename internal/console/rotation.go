package console

import "strongroom/internal/domain"

type rotationBody struct {
	Running *planRow // nil: none does
	Before  []planRow
}

type planRow struct {
	domain.RotationPlan
	Done int64 // keys that were replaced
	Part int   // of a hundred
}

func (c *Console) rotation(r *request) (view, error) {
	plans, err := c.UseCases.RotationPlans(r.Context())
	var body rotationBody
	for _, p := range plans {
		row := planRow{RotationPlan: p, Done: max(0, p.Selected-p.Remaining)}
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
