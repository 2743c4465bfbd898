// Package odds computes the probability that an attacker guesses an account's PIN
// under an attempt policy.
//
// The guesser knows the settings, makes no attempt that would be refused, and waits
// if that helps. The number of guesses comes from a simulation with
// domain.AttemptPolicy itself, so there is no second copy of the rules that could be
// wrong.
package odds

import (
	"math"
	"time"

	"strongroom/internal/domain"
)

// Odds are the chances of a guesser in one span.
type Odds struct {
	Guesser string   `json:"guesser"` // the devices that the guesser uses
	SignIn  string   `json:"ownerSignsIn"`
	Span    string   `json:"span"`
	Guesses int      `json:"guesses"` // how many are possible
	Chances []Chance `json:"chances"`
}

// Chance is the probability (0 to 1) that one of the guesses is correct, for PINs of one
// length chosen in one way. It is nil if there is no data.
type Chance struct {
	Digits int      `json:"digits"`
	Choice Choice   `json:"choice"`
	Chance *float64 `json:"chance"`
}

// signIns are the intervals at which owners sign in.
var signIns = []struct {
	name  string
	every time.Duration
}{{"never", 0}, {"daily", 24 * time.Hour}, {"hourly", time.Hour}}

// Of returns the odds of every guesser in every span. With blocklist, the rules of the
// blocklist are on.
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

// chances returns the chances of a number of guesses. If the blocklist is on, a guesser
// who guesses at random does not try what it forbids.
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

// Chance returns the probability of a correct guess, 0 if there is no data.
func (o Odds) Chance(digits int, c Choice) float64 {
	for _, hit := range o.Chances {
		if hit.Digits == digits && hit.Choice == c && hit.Chance != nil {
			return *hit.Chance
		}
	}
	return 0
}
