package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Pages that show by tests what is promised: PSD2, controls and others. The names of
// the tests must stay true when tests are renamed.
func TestTheTestsThatTheDocumentsNameExist(t *testing.T) {
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
	named := regexp.MustCompile(`\bTest[A-Z]\w+`)
	for _, page := range pages(t) {
		names := named.FindAllString(document(t, page), -1)
		for _, name := range names {
			if !declared[name] {
				t.Errorf("%s names %s, which does not exist", page, name)
			}
		}
		if least := map[string]int{"docs/reference/psd2.md": 20, "docs/reference/controls.md": 80}[page]; len(names) < least {
			t.Errorf("%s names %d tests, fewer than %d", page, len(names), least)
		}
	}
}
