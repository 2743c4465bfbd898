package config

import (
	"flag"
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
	{"docs/reference/settings.md", "<!-- settings: made by internal/config -->\n", "<!-- end of settings -->\n", Reference()},
	{"docs/how-to/harden.md", "<!-- posture: made by internal/config -->\n", "<!-- end of posture -->\n", PostureReference()},
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
