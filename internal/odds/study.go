package odds

import "math"

// Choice is how PINs are chosen.
type Choice string

// The choices.
const (
	Uniform    Choice = "uniform"
	Human      Choice = "human"
	HumanRules Choice = "human, blocklist" // human choices that the rules of the blocklist allow
)

// pinLengths are the lengths for which odds are computed, and how many PINs of each the
// rules of the blocklist forbid.
var pinLengths = []struct{ digits, forbidden int }{{4, 1025}, {5, 116}, {6, 87829}, {8, 143992}}

// study has for some numbers of guesses how many participants had chosen a PIN that is
// among the first guesses of someone who knows what people choose.
type study struct {
	people int // participants
	hits   []struct{ guesses, people int }
}

type points = []struct{ guesses, people int }

// studies are from Markert et al. docs/policy.md says how the numbers were computed.
var studies = map[int]map[Choice]study{
	4: {
		Human:      {851, points{{1, 17}, {3, 27}, {10, 39}, {30, 65}, {100, 138}, {300, 220}, {1000, 382}, {3000, 571}, {10_000, 851}}},
		HumanRules: {507, points{{1, 0}, {3, 2}, {10, 8}, {30, 18}, {100, 33}, {300, 75}, {1000, 152}, {3000, 276}, {10_000 - 1025, 507}}},
	},
	6: {
		Human:      {369, points{{1, 16}, {3, 19}, {10, 24}, {30, 33}, {100, 49}, {300, 67}, {1000, 78}, {3000, 96}, {10_000, 122}, {30_000, 166}, {100_000, 234}}},
		HumanRules: {182, points{{1, 0}, {3, 3}, {10, 4}, {30, 6}, {100, 8}, {300, 12}, {1000, 18}, {3000, 29}, {10_000, 42}, {30_000, 54}, {100_000, 88}}},
	},
}

// Source says where the figures for human choices come from.
const Source = `Human choice: the 851 PINs of 4 digits and 369 of 6 that people chose for their phones in
Markert, Bailey, Golla, Dürmuth, Aviv: This PIN Can Be Easily Guessed, IEEE S&P 2020 (data: Forman, Aviv:
Double Patterns, ACSAC 2020, artifacts), guessed in the order of the Amitay and RockYou lists. Between the
points that were counted, interpolated on the logarithm of the guesses. With blocklist: those of them that
its rules allow, 507 and 182. Of 5 and 8 digits there is no data.`

// chance returns the probability that one of the guesses is correct. Between the counted
// points it interpolates on the logarithm of the guesses. If nobody was hit, it counts
// one hit, because a sample cannot show a smaller probability.
func (s study) chance(guesses int) float64 {
	if guesses == 0 {
		return 0
	}
	last := s.hits[len(s.hits)-1]
	hit := float64(last.people)
	for i := len(s.hits) - 1; i >= 0 && guesses <= s.hits[i].guesses; i-- {
		hit = float64(s.hits[i].people)
		if i > 0 && guesses > s.hits[i-1].guesses {
			below := s.hits[i-1]
			part := math.Log(float64(guesses)/float64(below.guesses)) / math.Log(float64(s.hits[i].guesses)/float64(below.guesses))
			hit = float64(below.people) + part*(hit-float64(below.people))
		}
	}
	return max(hit, 1) / float64(s.people)
}
