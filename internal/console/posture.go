package console

import (
	"slices"

	"strongroom/internal/domain"
)

type postureBody struct {
	Parts    []domain.PostureCheck // what is open first, of that what the hardened posture demands
	Required int                   // checks that the hardened posture requires
	Open     int                   // of them that are off
}

func (c content) posture(*request) (view, error) {
	body := postureBody{Parts: slices.Clone(c.Posture)}
	for _, p := range body.Parts {
		if p.Required {
			body.Required++
		}
		if open(p) && p.Required {
			body.Open++
		}
	}
	slices.SortStableFunc(body.Parts, func(a, b domain.PostureCheck) int { return rank(a) - rank(b) })
	return view{"posture.html", "Posture", body}, nil
}

func open(p domain.PostureCheck) bool { return p.State == domain.CheckOff }

// rank is where a check stands in the list: what wants a decision comes first.
func rank(p domain.PostureCheck) int {
	switch {
	case open(p) && p.Required:
		return 0
	case open(p):
		return 1
	case p.State == domain.CheckOn:
		return 2
	}
	return 3
}
