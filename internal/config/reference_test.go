package config

import (
	"errors"
	"flag"
	"io/fs"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the reference into docs/operation.md")

// The reference stands in docs/operation.md between these two lines. To make
// it anew: go test ./internal/config -run Reference -update
const (
	operationDoc   = "../../docs/operation.md"
	referenceBegin = "<!-- settings: made by internal/config -->\n"
	referenceEnd   = "<!-- end of settings -->\n"
)

func TestTheReferenceInTheDocsIsFresh(t *testing.T) {
	doc, err := os.ReadFile(operationDoc)
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("docs/operation.md does not exist")
	}
	if err != nil {
		t.Fatal(err)
	}
	before, rest, begun := strings.Cut(string(doc), referenceBegin)
	table, after, ended := strings.Cut(rest, referenceEnd)
	if !begun || !ended {
		t.Fatalf("docs/operation.md has no place for the settings; add these lines:\n%s%s", referenceBegin, referenceEnd)
	}
	if *update {
		if err := os.WriteFile(operationDoc, []byte(before+referenceBegin+Reference()+referenceEnd+after), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(Reference(), table); diff != "" {
		t.Errorf("make it anew with -update (-want +got):\n%s", diff)
	}
}
