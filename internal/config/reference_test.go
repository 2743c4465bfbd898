package config

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the references into docs")

// Each page has its table between two lines. To update the tables:
// go test ./internal/config -run Reference -update
var references = []struct {
	page, begin, end string
	text             string
}{
	{"docs/reference/settings.md", "<!-- settings: made by internal/config -->\n", "<!-- end of settings -->\n", settingsTable()},
	{"docs/how-to/harden.md", "<!-- posture: made by internal/config -->\n", "<!-- end of posture -->\n", postureTable()},
}

func TestTheReferenceInTheDocsIsFresh(t *testing.T) {
	for _, r := range references {
		path := "../../" + r.page
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		before, rest, begun := strings.Cut(string(data), r.begin)
		table, after, ended := strings.Cut(rest, r.end)
		if !begun || !ended {
			t.Fatalf("%s has no place for a table; add these lines:\n%s%s", r.page, r.begin, r.end)
		}
		if diff := cmp.Diff(r.text, table); diff != "" && !*update {
			t.Errorf("%s: update it with -update (-want +got):\n%s", r.page, diff)
		}
		if *update {
			if err := os.WriteFile(path, []byte(before+r.begin+r.text+r.end+after), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// settingsTable is the table of all settings in Markdown, as
// docs/reference/settings.md shows it. The YAML key is the flag without its dashes.
func settingsTable() string {
	var b strings.Builder
	b.WriteString("| Setting | Environment | Default | Allowed | Meaning |\n|---|---|---|---|---|\n")
	for _, s := range settings {
		fmt.Fprintf(&b, "| `--%s` | `%s` | %s | %s | %s |\n",
			s.name, env(s.name), referenceDefault(s), strings.ReplaceAll(s.allowed(), "|", `\|`), s.Get("help"))
	}
	return b.String()
}

func referenceDefault(s setting) string {
	text := "none"
	if s.Get("std") != "" {
		text = "`" + s.Get("std") + "`"
	}
	if fips := s.Get("fips"); fips != "" {
		text += "; in FIPS mode: `" + fips + "`"
	}
	switch hardened := s.Get("hardened"); hardened {
	case "":
	case ask:
		text += "; hardened: must be set explicitly"
	default:
		text += "; hardened: `" + hardened + "`"
	}
	return text
}

// postureTable is the table of the parts of the posture in Markdown, as
// docs/how-to/harden.md shows it.
func postureTable() string {
	var b strings.Builder
	b.WriteString("| Check | Required by --hardened | Settings | What an attacker gains if it is off |\n|---|---|---|---|\n")
	for _, p := range new(Settings).Posture() {
		demanded := "no"
		if p.Required {
			demanded = "yes"
		}
		fmt.Fprintf(&b, "| `%s` | %s | `--%s` | %s |\n", p.Name, demanded, strings.Join(p.Settings, "`, `--"), p.Gain)
	}
	return b.String()
}
