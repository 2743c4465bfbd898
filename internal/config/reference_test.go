package config

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the references into docs/operation.md")

// What is made from the code stands in docs/operation.md between two lines
// each. To make it anew: go test ./internal/config -run Reference -update
const operationDoc = "../../docs/operation.md"

var references = []struct {
	begin, end string
	text       string
}{
	{"<!-- settings: made by internal/config -->\n", "<!-- end of settings -->\n", Reference()},
	{"<!-- posture: made by internal/config -->\n", "<!-- end of posture -->\n", PostureReference()},
}

func TestTheReferenceInTheDocsIsFresh(t *testing.T) {
	data, err := os.ReadFile(operationDoc)
	if err != nil {
		t.Fatal(err)
	}
	doc := string(data)
	for _, r := range references {
		before, rest, begun := strings.Cut(doc, r.begin)
		table, after, ended := strings.Cut(rest, r.end)
		if !begun || !ended {
			t.Fatalf("docs/operation.md has no place for a table; add these lines:\n%s%s", r.begin, r.end)
		}
		if diff := cmp.Diff(r.text, table); diff != "" && !*update {
			t.Errorf("make it anew with -update (-want +got):\n%s", diff)
		}
		doc = before + r.begin + r.text + r.end + after
	}
	if *update {
		if err := os.WriteFile(operationDoc, []byte(doc), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
