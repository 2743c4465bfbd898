package console

import (
	"slices"

	"strongroom/internal/domain"
)

type postureBody struct {
	Parts    []domain.PostureCheck // checks that are off first, and of these the required ones first
	Required int                   // checks that the hardened posture requires
	Open     int                   // how many of these are off
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

// rank returns the place of a check in the list. Checks that need a decision
// come first.
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
