// Package docsite makes a web site of the documents in Markdown. The console serves
// it, so that the runbook opens without internet access. The command "docs" writes it as
// files, which work below any address and from a disk.
//
// A page has the path of its document without "docs/": docs/how-to/upgrade.md is
// how-to/upgrade.html, and docs/README.md is index.html. Documents outside docs stand
// beside it in lower case: readme.html. All links between pages are relative.
package docsite

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"html/template"
	"io/fs"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

//go:embed web
var web embed.FS

var layout = template.Must(template.ParseFS(web, "web/page.html"))

// Site is the files of the web site by their paths, which never begin with a slash.
type Site map[string][]byte

// New makes the site of all documents in a source tree.
func New(tree fs.FS) (Site, error) {
	s := Site{}
	index := []section{}
	err := fs.WalkDir(tree, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := fs.ReadFile(tree, name)
		if err != nil {
			return err
		}
		at := address(name)
		if path.Ext(name) != ".md" {
			s[at] = content
			return nil
		}
		p := render(tree, name, content)
		index = append(index, p.sections...)
		return s.put(at, p.title, template.HTML(p.body)) //nolint:gosec // made of our own documents
	})
	if err != nil {
		return nil, fmt.Errorf("making the documentation: %w", err)
	}
	if err := s.addSearch(index); err != nil {
		return nil, fmt.Errorf("making the search: %w", err)
	}
	return s, nil
}

// address is the path of the page or file that a document becomes.
func address(name string) string {
	inDocs, ok := strings.CutPrefix(name, "docs/")
	switch {
	case name == "docs/README.md":
		return "index.html"
	case path.Ext(name) != ".md":
		return inDocs
	case !ok:
		name = strings.ToLower(name)
	}
	return strings.TrimSuffix(strings.TrimPrefix(name, "docs/"), ".md") + ".html"
}

// put adds a page.
func (s Site) put(at, title string, body template.HTML) error {
	var page bytes.Buffer
	err := layout.Execute(&page, struct {
		Title, Root string
		Body        template.HTML
	}{title, strings.Repeat("../", strings.Count(at, "/")), body})
	s[at] = page.Bytes()
	return err
}

// addSearch adds the page that searches, and what it needs. The index is a script,
// because a page that was opened from a disk may load nothing else.
func (s Site) addSearch(index []section) error {
	for _, name := range []string{"docs.css", "search.js"} {
		content, err := web.ReadFile("web/" + name)
		if err != nil {
			return err
		}
		s[name] = content
	}
	sections, err := json.Marshal(index)
	if err != nil {
		return err
	}
	s["search-index.js"] = append(append([]byte("self.sections = "), sections...), ";\n"...)
	body, err := web.ReadFile("web/search.html")
	if err != nil {
		return err
	}
	return s.put("search.html", "Search", template.HTML(body)) //nolint:gosec // a file of ours
}

// Write writes the site below a directory, which it makes. It overwrites files of the
// same names.
func (s Site) Write(dir string) error {
	for at, content := range s {
		file := filepath.Join(dir, filepath.FromSlash(at))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil { //nolint:gosec // a web site is for all
			return err
		}
		if err := os.WriteFile(file, content, 0o644); err != nil { //nolint:gosec // as above
			return err
		}
	}
	return nil
}

// Handler serves the site of a source tree below a path, which ends with a slash. It
// makes the site at the first request, because most processes never get one.
func Handler(below string, tree fs.FS) http.Handler {
	site := sync.OnceValues(func() (Site, error) { return New(tree) })
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s, err := site()
		if err != nil {
			panic(err) // a test makes the site of the same documents
		}
		at := strings.TrimPrefix(r.URL.Path, below)
		if at == "" {
			at = "index.html"
		}
		content, ok := s[at]
		if !ok {
			http.Error(w, "There is no such page. The documentation starts at "+below+".", http.StatusNotFound)
			return
		}
		http.ServeContent(w, r, at, time.Time{}, bytes.NewReader(content))
	})
}
