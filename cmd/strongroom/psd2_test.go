package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestTheTestsThatThePSD2PageNamesExist keeps its evidence true when tests are
// renamed.
func TestTheTestsThatThePSD2PageNamesExist(t *testing.T) {
	declared := map[string]bool{}
	function := regexp.MustCompile(`(?m)^func (Test\w+)\(`)
	err := filepath.WalkDir(repository, func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, m := range function.FindAllSubmatch(text, -1) {
			declared[string(m[1])] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	named := regexp.MustCompile("`(Test\\w+)`").FindAllStringSubmatch(document(t, "docs/reference/psd2.md"), -1)
	if len(named) < 20 {
		t.Fatalf("the page names %d tests", len(named))
	}
	for _, m := range named {
		if !declared[m[1]] {
			t.Errorf("docs/reference/psd2.md names %s, which does not exist", m[1])
		}
	}
}
