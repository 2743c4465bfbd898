package console

import "slices"

type postureBody struct {
	Parts    []Part // what is open first, of that what the hardened posture demands
	Demanded int    // parts that the hardened posture demands
	Open     int    // of them that are off
}

func (c *Console) posture(*request) (view, error) {
	body := postureBody{Parts: slices.Clone(c.Posture)}
	for _, p := range body.Parts {
		if p.Demanded {
			body.Demanded++
		}
		if p.open() && p.Demanded {
			body.Open++
		}
	}
	slices.SortStableFunc(body.Parts, func(a, b Part) int { return a.rank() - b.rank() })
	return view{"posture.html", "Posture", body}, nil
}

func (p Part) open() bool { return p.State == "off" }

// rank is where a part stands in the list: what wants a decision comes first.
func (p Part) rank() int {
	switch {
	case p.open() && p.Demanded:
		return 0
	case p.open():
		return 1
	case p.State == "on":
		return 2
	}
	return 3
}
