package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/alecthomas/kong"

	"strongroom/internal/config"
	"strongroom/internal/domain"
	"strongroom/internal/odds"
)

type policyCmd struct {
	Odds policyOddsCmd `cmd:"" help:"Print the probability that an attacker guesses an account's PIN under these settings."`
}

type policyOddsCmd struct {
	kong.Plugins
	JSON bool `name:"json" help:"Print JSON."`
}

// oddsFloor is the probability of a correct guess above which policy odds warns.
const oddsFloor = 1.0 / 100

// Run prints the odds under the settings, and a warning if they are bad.
func (c policyOddsCmd) Run(p *Program) error {
	s, err := config.LoadStore(p.flags, os.Environ()) // the settings that only serve needs do not matter here
	if err != nil {
		return err
	}
	rules := s.Blocklist || s.BlocklistFile != "" // as serve has it
	all := odds.Of(s.AttemptPolicy(), rules)
	warning := warnOfOdds(all, rules)
	if c.JSON {
		out := json.NewEncoder(p.Stdout)
		out.SetIndent("", "  ")
		return out.Encode(struct {
			Odds    []odds.Odds `json:"odds"`
			Source  string      `json:"source"`
			Warning string      `json:"warning,omitempty"`
		}{all, oneLine(odds.Source), oneLine(warning)})
	}
	printOdds(p.Stdout, all)
	fmt.Fprintln(p.Stdout, odds.Source)
	if warning != "" {
		fmt.Fprintf(p.Stdout, "\n%s\n", warning)
	}
	return nil
}

func oneLine(text string) string { return strings.ReplaceAll(text, "\n", " ") }

// warnOfOdds returns a warning about the worst case: the shortest PINs that can be set,
// as people choose them. It returns "" if the worst case is acceptable.
func warnOfOdds(all []odds.Odds, blocklist bool) string {
	now := odds.Human
	if blocklist {
		now = odds.HumanRules
	}
	worst := all[0]
	for _, o := range all {
		if o.Chance(domain.MinTransactionPIN, now) > worst.Chance(domain.MinTransactionPIN, now) {
			worst = o
		}
	}
	short := worst.Chance(domain.MinTransactionPIN, now)
	if short <= oddsFloor {
		return ""
	}
	var remedies strings.Builder
	remedy := func(what string, chance float64) { fmt.Fprintf(&remedies, "\n- %s: 1 in %s", what, oneIn(chance)) }
	if !blocklist {
		remedy("turn on --blocklist", worst.Chance(domain.MinTransactionPIN, odds.HumanRules))
	}
	remedy("require PINs of 6 digits in the app", worst.Chance(6, now))
	remedy("generate 6-digit PINs in the app", worst.Chance(6, odds.Uniform))
	return fmt.Sprintf(`warning: within %s, if the owner signs in %s, the probability that an attacker guesses a PIN of %d digits
that the owner chose is 1 in %s, more than 1 in %s. What helps:
- lower --attempts-rolling-max and --attempts-max
- watch failures in the audit trail: this attack causes %s of them%s`,
		worst.Span, worst.SignIn, domain.MinTransactionPIN, oneIn(short), oneIn(oddsFloor), thousands(worst.Guesses), &remedies)
}

// printOdds prints a table for each guesser, with a column for each combination of
// sign-ins and span.
func printOdds(out io.Writer, all []odds.Odds) {
	for len(all) > 0 {
		n := slices.IndexFunc(all, func(o odds.Odds) bool { return o.Guesser != all[0].Guesser })
		if n < 0 {
			n = len(all)
		}
		fmt.Fprintf(out, "Guessing from %s. The probability of a correct guess is 1 in:\n\n%s\n", all[0].Guesser, oddsTable(all[:n]))
		all = all[n:]
	}
}

// oddsTable returns a table without trailing spaces.
func oddsTable(columns []odds.Odds) string {
	var text strings.Builder
	w := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	row := func(head string, cell func(column int, o odds.Odds) string) {
		fmt.Fprint(w, head)
		for column, o := range columns {
			fmt.Fprint(w, "\t", cell(column, o))
		}
		fmt.Fprintln(w)
	}
	row("owner signs in", func(column int, o odds.Odds) string {
		if column > 0 && o.SignIn == columns[column-1].SignIn {
			return ""
		}
		return o.SignIn
	})
	row("within", func(_ int, o odds.Odds) string { return o.Span })
	row("guesses", func(_ int, o odds.Odds) string { return thousands(o.Guesses) })
	for i, c := range columns[0].Chances {
		if c.Chance == nil && c.Choice == odds.HumanRules {
			continue // the line above says "no data" for both
		}
		row(fmt.Sprintf("%d digits, %s", c.Digits, c.Choice), func(column int, o odds.Odds) string {
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

// oneIn returns x of a probability of 1 in x, to two or three digits.
func oneIn(chance float64) string {
	n := 1 / chance
	if n < 100 {
		return strconv.FormatFloat(n, 'g', 2, 64)
	}
	unit := math.Pow10(int(math.Log10(n)) - 2)
	return thousands(int(math.Round(n/unit) * unit))
}

// thousands formats a number in groups of three digits.
func thousands(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
