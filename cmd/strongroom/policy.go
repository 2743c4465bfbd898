package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/alecthomas/kong"

	"strongroom/internal/config"
	"strongroom/internal/domain"
)

type policyCmd struct {
	Odds policyOddsCmd `cmd:"" help:"Print the chance that somebody guesses an account's PIN under these settings."`
}

type policyOddsCmd struct {
	kong.Plugins
	JSON bool `name:"json" help:"Print JSON."`
}

// oddsFloor is the chance in a year above which policy odds warns.
const oddsFloor = 1.0 / 100

// odds are what a guesser has in one span.
type odds struct {
	Guesser string   `json:"guesser"` // what he guesses from
	SignIn  string   `json:"ownerSignsIn"`
	Span    string   `json:"span"`
	Guesses int      `json:"guesses"`
	Chances []chance `json:"chances"`
}

// chance is that of a hit, for PINs of one length chosen in one way. Without
// data there is none.
type chance struct {
	Digits int      `json:"digits"`
	Choice choice   `json:"choice"`
	Chance *float64 `json:"chance"`
}

// signIns are the owners that are reckoned with.
var signIns = []struct {
	name  string
	every time.Duration
}{{"never", 0}, {"daily", 24 * time.Hour}, {"hourly", time.Hour}}

// Run prints the odds under the settings, and a warning where they are bad.
func (c policyOddsCmd) Run(p *process) error {
	s, err := config.LoadStore(p.flags, os.Environ()) // what a serve must be told has no part in it
	if err != nil {
		return err
	}
	rules := s.Blocklist || s.BlocklistFile != "" // as openBlocklist has it
	all := oddsOf(s.AttemptPolicy(), rules)
	warning := warnOfOdds(all, rules)
	if c.JSON {
		out := json.NewEncoder(p.stdout)
		out.SetIndent("", "  ")
		return out.Encode(struct {
			Odds    []odds `json:"odds"`
			Source  string `json:"source"`
			Warning string `json:"warning,omitempty"`
		}{all, oneLine(studySource), oneLine(warning)})
	}
	printOdds(p.stdout, all)
	fmt.Fprintln(p.stdout, studySource)
	if warning != "" {
		fmt.Fprintf(p.stdout, "\n%s\n", warning)
	}
	return nil
}

func oneLine(text string) string { return strings.ReplaceAll(text, "\n", " ") }

// oddsOf are the odds of every guesser in every span.
func oddsOf(policy domain.AttemptPolicy, blocklist bool) []odds {
	from := []string{"the account's device"}
	if policy.DeviceMax > 0 {
		from = []string{"any device", "one stolen device"}
	}
	var all []odds
	for i, name := range from {
		for _, owner := range signIns {
			guesses := guesser{policy, i > 0, owner.every}.guesses()
			for j, span := range spans {
				all = append(all, odds{name, owner.name, span.name, guesses[j], chances(guesses[j], blocklist)})
			}
		}
	}
	return all
}

// chances are those of so many guesses. Whoever guesses at random leaves out
// what a blocklist that is on forbids.
func chances(guesses int, blocklist bool) []chance {
	var all []chance
	for _, length := range pinLengths {
		pins := math.Pow10(length.digits)
		if blocklist {
			pins -= float64(length.forbidden)
		}
		at := min(1, float64(guesses)/pins)
		all = append(all, chance{length.digits, uniform, &at})
		for _, c := range []choice{human, humanRules} {
			var hit *float64
			if s, ok := studies[length.digits][c]; ok {
				at := s.chance(guesses)
				hit = &at
			}
			all = append(all, chance{length.digits, c, hit})
		}
	}
	return all
}

// warnOfOdds speaks of the worst there is in a year for the shortest PINs that
// may be set, as people choose them.
func warnOfOdds(all []odds, blocklist bool) string {
	now := human
	if blocklist {
		now = humanRules
	}
	worst := all[0]
	for _, o := range all {
		if o.chance(domain.MinTransactionPIN, now) > worst.chance(domain.MinTransactionPIN, now) {
			worst = o
		}
	}
	short := worst.chance(domain.MinTransactionPIN, now)
	if short <= oddsFloor {
		return ""
	}
	var remedies strings.Builder
	remedy := func(what string, chance float64) { fmt.Fprintf(&remedies, "\n- %s: 1 in %s", what, oneIn(chance)) }
	if !blocklist {
		remedy("turn on --blocklist", worst.chance(domain.MinTransactionPIN, humanRules))
	}
	remedy("let the app ask for 6 digits", worst.chance(6, now))
	remedy("let the app make the 6 digits", worst.chance(6, uniform))
	return fmt.Sprintf(`warning: within %s, where the owner signs in %s, a PIN of %d digits that he chose is guessed
with a chance of 1 in %s, more than 1 in %s. What would help:
- lower --attempts-rolling-max and --attempts-max
- look at failures in the audit trail: this takes %s of them%s`,
		worst.Span, worst.SignIn, domain.MinTransactionPIN, oneIn(short), oneIn(oddsFloor), thousands(worst.Guesses), &remedies)
}

func (o odds) chance(digits int, c choice) float64 {
	for _, hit := range o.Chances {
		if hit.Digits == digits && hit.Choice == c && hit.Chance != nil {
			return *hit.Chance
		}
	}
	return 0
}

// printOdds prints a table for each guesser, with a column for each owner and
// span.
func printOdds(out io.Writer, all []odds) {
	columns := len(signIns) * len(spans)
	for i := 0; i < len(all); i += columns {
		fmt.Fprintf(out, "Guessing from %s. The chance of a hit is 1 in:\n\n%s\n", all[i].Guesser, oddsTable(all[i:i+columns]))
	}
}

// oddsTable are lines without spaces at their ends.
func oddsTable(table []odds) string {
	var text strings.Builder
	w := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	row := func(head string, cell func(column int, o odds) string) {
		fmt.Fprint(w, head)
		for column, o := range table {
			fmt.Fprint(w, "\t", cell(column, o))
		}
		fmt.Fprintln(w)
	}
	row("owner signs in", func(column int, o odds) string {
		if column%len(spans) > 0 {
			return ""
		}
		return o.SignIn
	})
	row("within", func(_ int, o odds) string { return o.Span })
	row("guesses", func(_ int, o odds) string { return thousands(o.Guesses) })
	for i, c := range table[0].Chances {
		if c.Chance == nil && c.Choice == humanRules {
			continue // the line above has said it
		}
		row(fmt.Sprintf("%d digits, %s", c.Digits, c.Choice), func(column int, o odds) string {
			switch {
			case c.Chance != nil:
				return oneIn(*o.Chances[i].Chance)
			case column == 0:
				return "no data"
			}
			return ""
		})
	}
	_ = w.Flush() // to memory
	var trimmed strings.Builder
	for line := range strings.Lines(text.String()) {
		trimmed.WriteString(strings.TrimRight(line, " \n") + "\n")
	}
	return trimmed.String()
}

// oneIn is x where a chance is 1 in x, to two or three digits.
func oneIn(chance float64) string {
	n := 1 / chance
	if n < 100 {
		return strconv.FormatFloat(n, 'g', 2, 64)
	}
	unit := math.Pow10(int(math.Log10(n)) - 2)
	return thousands(int(math.Round(n/unit) * unit))
}

// thousands is a number in groups of three digits.
func thousands(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
