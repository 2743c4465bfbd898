// Package odds reckons how likely an account's PIN is guessed under an attempt
// policy.
//
// The guesser knows the settings, never makes an attempt that would be refused,
// and waits where that pays. The number of guesses is found by letting the
// guesser play against domain.AttemptPolicy itself, so that there is no second
// copy of the rules to be wrong.
package odds

import (
	"math"
	"time"

	"strongroom/internal/domain"
)

// Odds are what a guesser has in one span.
type Odds struct {
	Guesser string   `json:"guesser"` // what the guesser guesses from
	SignIn  string   `json:"ownerSignsIn"`
	Span    string   `json:"span"`
	Guesses int      `json:"guesses"`
	Chances []Chance `json:"chances"`
}

// Chance is that of a hit, for PINs of one length chosen in one way. Without
// data there is none.
type Chance struct {
	Digits int      `json:"digits"`
	Choice Choice   `json:"choice"`
	Chance *float64 `json:"chance"`
}

// signIns are the owners that are reckoned with.
var signIns = []struct {
	name  string
	every time.Duration
}{{"never", 0}, {"daily", 24 * time.Hour}, {"hourly", time.Hour}}

// Of are the odds of every guesser in every span.
func Of(policy domain.AttemptPolicy, blocklist bool) []Odds {
	from := []string{"the account's device"}
	if policy.DeviceMax > 0 {
		from = []string{"any device", "one stolen device"}
	}
	var all []Odds
	for i, name := range from {
		for _, owner := range signIns {
			guesses := guesser{policy, i > 0, owner.every}.guesses()
			for j, span := range spans {
				all = append(all, Odds{name, owner.name, span.name, guesses[j], chances(guesses[j], blocklist)})
			}
		}
	}
	return all
}

// chances are those of so many guesses. A guesser who guesses at random
// leaves out what a blocklist that is on forbids.
func chances(guesses int, blocklist bool) []Chance {
	var all []Chance
	for _, length := range pinLengths {
		pins := math.Pow10(length.digits)
		if blocklist {
			pins -= float64(length.forbidden)
		}
		at := min(1, float64(guesses)/pins)
		all = append(all, Chance{length.digits, Uniform, &at})
		for _, c := range []Choice{Human, HumanRules} {
			var hit *float64
			if s, ok := studies[length.digits][c]; ok {
				at := s.chance(guesses)
				hit = &at
			}
			all = append(all, Chance{length.digits, c, hit})
		}
	}
	return all
}

// Chance is that of a hit, 0 without data.
func (o Odds) Chance(digits int, c Choice) float64 {
	for _, hit := range o.Chances {
		if hit.Digits == digits && hit.Choice == c && hit.Chance != nil {
			return *hit.Chance
		}
	}
	return 0
}
