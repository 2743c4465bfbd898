package docsite

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	strongroom "strongroom"
)

var (
	reference = regexp.MustCompile(`(?:href|src|action)="([^"]*)"`)
)

// Each link of each page of the real documents leads to a page, a section or a file of
// the site, or to another site.
func TestEveryLinkOfTheSiteHasATarget(t *testing.T) {
	site, err := New(strongroom.Documents)
	if err != nil {
		t.Fatal(err)
	}
	links := 0
	for at, content := range site {
		if path.Ext(at) != ".html" {
			continue
		}
		for _, m := range reference.FindAllSubmatch(content, -1) {
			to := string(m[1])
			if strings.Contains(to, "://") {
				continue
			}
			links++
			file, anchor, _ := strings.Cut(to, "#")
			if file = path.Join(path.Dir(at), file); strings.HasPrefix(to, "#") {
				file = at
			}
			there, ok := site[file]
			if !ok {
				t.Errorf("%s links to %s, which does not exist", at, to)
			}
			if anchor != "" && !bytes.Contains(there, []byte(` id="`+anchor+`"`)) {
				t.Errorf("%s links to %s, which has no such section", at, to)
			}
		}
	}
	if links < 1000 {
		t.Errorf("%d links were checked", links)
	}
	for _, name := range []string{"index.html", "readme.html", "changelog.html", "runbook.html", "how-to/upgrade.html", "events.schema.json", "images/console.png"} {
		if len(site[name]) == 0 {
			t.Errorf("the site lacks %s", name)
		}
	}
}

func TestADocumentBecomesAPage(t *testing.T) {
	site, err := New(fstest.MapFS{
		"docs/README.md":     {Data: []byte("# All\n\n[How](how-to/x1.md#the-one--only), [rules](../deploy/rules.yaml)\n")},
		"docs/how-to/x1.md":  {Data: []byte("# X\n\n## The *one* & only\n\n<b id=\"named\"></b>See [all](../README.md), [code](https://example.org/).\n\n| a |\n|---|\n| `b` |\n")},
		"docs/how-to/y.json": {Data: []byte("{}")},
		"README.md":          {Data: []byte("# Top\n")},
	})
	if err != nil {
		t.Fatal(err)
	}
	for at, wants := range map[string][]string{
		"index.html": {`<a href="how-to/x1.html#the-one--only">How</a>`, "rules (deploy/rules.yaml in the source)", "<title>All ·"},
		"how-to/x1.html": {`<h2 id="the-one--only">`, `<a href="../index.html">all</a>`, `href="https://example.org/"`, "<td><code>b</code></td>",
			`href="../docs.css"`, `<b id="named">`},
		"readme.html":     {"<h1"},
		"how-to/y.json":   {"{}"},
		"search-index.js": {`{"page":"X","at":"how-to/x1.html#the-one--only","title":"The one \u0026 only","text":"See all, code. a b `},
	} {
		for _, want := range wants {
			if !strings.Contains(string(site[at]), want) {
				t.Errorf("%s lacks %s:\n%s", at, want, site[at])
			}
		}
	}
}

func TestTheServedAndTheWrittenSiteAreIdentical(t *testing.T) {
	server := httptest.NewServer(Handler("/docs/", strongroom.Documents))
	defer server.Close()
	site, err := New(strongroom.Documents)
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "site")
	if err := site.Write(dir); err != nil {
		t.Fatal(err)
	}
	for at, want := range site {
		written, err := os.ReadFile(filepath.Join(dir, at))
		if err != nil {
			t.Fatal(err)
		}
		_, served := get(t, server.URL+"/docs/"+at)
		if !bytes.Equal(written, want) || !bytes.Equal(served, want) {
			t.Errorf("%s differs as a file or over HTTP", at)
		}
	}
	if resp, index := get(t, server.URL+"/docs/"); resp.StatusCode != http.StatusOK || !bytes.Equal(index, site["index.html"]) {
		t.Errorf("/docs/ answers %s", resp.Status)
	}
	if resp, says := get(t, server.URL+"/docs/../etc/none.html"); resp.StatusCode != http.StatusNotFound || !strings.Contains(string(says), "no such page") {
		t.Errorf("a page that does not exist: %s %s", resp.Status, says)
	}
}

func get(t *testing.T, url string) (*http.Response, []byte) {
	t.Helper()
	resp, err := http.Get(url) //nolint:noctx // of this test's own server
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp, body
}
