package main

import (
	"bufio"
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus"

	"strongroom/internal/cli"
	"strongroom/internal/config"
	"strongroom/internal/domain"
	"strongroom/internal/metrics"
	"strongroom/internal/store"
)

// The documents repeat much of what the code defines. These tests compare lists in the
// documents with the code, in both directions if possible.

const repository = "../.."

func document(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(repository, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

var inCode = regexp.MustCompile("`([^`]+)`")

// firstColumn returns the code spans in the first column of the tables below a heading,
// up to the next heading.
func firstColumn(t *testing.T, text, heading string) []string {
	t.Helper()
	_, section, ok := strings.Cut("\n"+text, "\n"+heading+"\n")
	if !ok {
		t.Fatalf("no heading %q", heading)
	}
	section, _, _ = strings.Cut(section, "\n#")
	var found []string
	for line := range strings.Lines(section) {
		if cells := strings.Split(line, "|"); len(cells) > 2 && cells[0] == "" {
			for _, m := range inCode.FindAllStringSubmatch(cells[1], -1) {
				found = append(found, m[1])
			}
		}
	}
	return sorted(found)
}

func sorted(s []string) []string {
	slices.Sort(s)
	return slices.Compact(s)
}

// constants are the values of all constants of a type in internal/domain.
func constants(t *testing.T, typ string) []string {
	t.Helper()
	var found []string
	for _, file := range sources(t, "internal/domain") {
		ast.Inspect(file, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok {
				return true
			}
			if name, ok := spec.Type.(*ast.Ident); ok && name.Name == typ {
				for _, v := range spec.Values {
					text, _ := literal(v)
					found = append(found, text)
				}
			}
			return true
		})
	}
	if len(found) == 0 {
		t.Fatalf("internal/domain has no constants of type %s", typ)
	}
	return sorted(found)
}

// sources are the parsed Go files below a directory, tests left out.
func sources(t *testing.T, dirs ...string) []*ast.File {
	t.Helper()
	var files []*ast.File
	for _, dir := range dirs {
		err := filepath.WalkDir(filepath.Join(repository, dir), func(path string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
			files = append(files, file)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return files
}

// literal is the text of a string literal, or of several that are added up.
func literal(e ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(e.Value)
		return text, err == nil && e.Kind == token.STRING
	case *ast.BinaryExpr:
		left, _ := literal(e.X)
		right, _ := literal(e.Y)
		return left + right, left+right != ""
	}
	return "", false
}

func TestEveryErrorCodeIsDescribed(t *testing.T) {
	api := document(t, "docs/api.md")
	if diff := cmp.Diff(constants(t, "Code"), firstColumn(t, api, "## Errors")); diff != "" {
		t.Errorf("codes (-in the code +in docs/api.md):\n%s", diff)
	}
	for _, rule := range constants(t, "Rule") {
		if !strings.Contains(api, "`"+rule+"`") {
			t.Errorf("docs/api.md lacks the rule %s", rule)
		}
	}
	for _, operation := range constants(t, "Operation") {
		if !slices.Contains(firstColumn(t, api, "## Operations"), operation) {
			t.Errorf("docs/api.md lacks the operation %s", operation)
		}
	}
}

func TestEveryErrorReasonIsDescribed(t *testing.T) {
	_, reasons, _ := strings.Cut(document(t, "docs/api.md"), "\n### Reasons\n")
	for _, file := range sources(t, "internal/domain") {
		ast.Inspect(file, func(n ast.Node) bool {
			if spec, ok := n.(*ast.ValueSpec); ok && strings.HasPrefix(spec.Names[0].Name, "Reason") {
				if reason, _ := literal(spec.Values[0]); !strings.Contains(reasons, "| `"+reason+"` |") {
					t.Errorf("docs/api.md lacks the reason %q", reason)
				}
			}
			return true
		})
	}
}

func TestEveryMetricIsDescribed(t *testing.T) {
	registry := prometheus.NewRegistry()
	metrics.New(registry)
	descriptions := make(chan *prometheus.Desc)
	go func() { registry.Describe(descriptions); close(descriptions) }()
	var names []string
	for d := range descriptions {
		names = append(names, regexp.MustCompile(`fqName: "([^"]+)"`).FindStringSubmatch(d.String())[1])
	}
	if diff := cmp.Diff(sorted(names), firstColumn(t, document(t, "docs/reference/metrics.md"), "# Metrics")); diff != "" {
		t.Errorf("metrics (-in the code +in docs/reference/metrics.md):\n%s", diff)
	}
}

func TestEveryAuditEventIsDescribed(t *testing.T) {
	described := firstColumn(t, document(t, "docs/reference/audit-trail.md"), "# Audit trail")
	described = slices.DeleteFunc(described, func(s string) bool { return !strings.Contains(s, ".") }) // of the next test
	if diff := cmp.Diff(constants(t, "Event"), described); diff != "" {
		t.Errorf("events (-in the code +in docs/reference/audit-trail.md):\n%s", diff)
	}
}

func TestEveryColumnOfTheTrailIsDescribed(t *testing.T) {
	described := firstColumn(t, document(t, "docs/reference/audit-trail.md"), "# Audit trail")
	described = slices.DeleteFunc(described, func(s string) bool { return strings.Contains(s, ".") }) // events
	var columns []string
	for _, table := range store.Tables {
		for _, c := range table.Columns {
			if table.Name == "audit_log" && c.Name != "tenant" {
				columns = append(columns, c.Name)
			}
		}
	}
	if diff := cmp.Diff(sorted(columns), described); diff != "" {
		t.Errorf("columns of audit_log (-in the code +in docs/reference/audit-trail.md):\n%s", diff)
	}
}

func TestEveryOutgoingEventIsDescribed(t *testing.T) {
	var out, all []string
	for _, e := range slices.Concat(domain.EventsOut, domain.EventsOutByName) {
		out = append(out, string(e))
	}
	if diff := cmp.Diff(sorted(slices.Clone(out)), firstColumn(t, document(t, "docs/events.md"), "## Events")); diff != "" {
		t.Errorf("outgoing events (-in the code +in docs/events.md):\n%s", diff)
	}
	for _, e := range domain.EventsOfTheTrail {
		all = append(all, string(e))
	}
	if diff := cmp.Diff(constants(t, "Event"), sorted(append(all, out...))); diff != "" {
		t.Errorf("each event must be in one of the lists (-constants +in one of the lists):\n%s", diff)
	}
}

func TestEveryFindingOfAuditVerifyIsDescribed(t *testing.T) {
	var found []string
	add := func(e ast.Expr) {
		if text, ok := literal(e); ok && text != "" {
			found = append(found, text)
		}
	}
	for _, file := range sources(t, "internal/audit") {
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.KeyValueExpr: // of a Problem
				if name, ok := n.Key.(*ast.Ident); ok && name.Name == "What" {
					add(n.Value)
				}
			case *ast.ValueSpec:
				if len(n.Values) == 1 && strings.HasPrefix(n.Names[0].Name, "what") {
					add(n.Values[0])
				}
			case *ast.FuncDecl: // what is wrong with one entry
				if n.Name.Name == "entry" {
					ast.Inspect(n, func(n ast.Node) bool {
						if r, ok := n.(*ast.ReturnStmt); ok && len(r.Results) == 1 {
							add(r.Results[0])
						}
						return true
					})
				}
			}
			return true
		})
	}
	if diff := cmp.Diff(sorted(found), firstColumn(t, document(t, "docs/reference/audit-trail.md"), "## Findings")); diff != "" {
		t.Errorf("findings (-in the code +in docs/reference/audit-trail.md):\n%s", diff)
	}
}

func TestTheMessagesThatTheDocumentsExplainExist(t *testing.T) {
	var literals []string
	for _, file := range sources(t, "cmd", "internal") {
		ast.Inspect(file, func(n ast.Node) bool {
			e, _ := n.(ast.Expr)
			if text, ok := literal(e); ok {
				literals = append(literals, text)
			}
			return true
		})
	}
	troubleshooting := document(t, "docs/reference/troubleshooting.md") // its messages are parts of what is printed
	messages := slices.Concat(firstColumn(t, troubleshooting, "# Troubleshooting"), firstColumn(t, troubleshooting, "## Refused tokens"))
	for _, message := range messages {
		if !slices.ContainsFunc(literals, func(text string) bool { return strings.Contains(text, message) }) {
			t.Errorf("docs/reference/troubleshooting.md explains %q, which nothing says", message)
		}
	}
	lines := 0
	for line := range strings.Lines(document(t, "docs/reference/logs.md")) {
		cells := strings.Split(line, "|")
		if len(cells) <= 4 || !slices.Contains([]string{"info", "warn", "error"}, strings.TrimSpace(cells[2])) {
			continue // the log lines share their page with another table
		}
		for _, m := range inCode.FindAllStringSubmatch(cells[1], -1) {
			lines++
			if !slices.Contains(literals, m[1]) {
				t.Errorf("docs/reference/logs.md explains the log line %q, which nothing logs in exactly these words", m[1])
			}
		}
	}
	if lines < 30 {
		t.Errorf("only %d log lines were found", lines)
	}
}

func TestEveryDirectDependencyHasItsReason(t *testing.T) {
	list := exec.Command("go", "list", "-f", `{{join .Imports "\n"}}
{{join .TestImports "\n"}}
{{join .XTestImports "\n"}}`, "./...")
	list.Dir = repository
	imports, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	reasons := document(t, "docs/dependencies.md")
	modules := slices.Concat(firstColumn(t, reasons, "## In the binary"), firstColumn(t, reasons, "## In tests only"))
	used := map[string]bool{}
	for lines := bufio.NewScanner(bytes.NewReader(imports)); lines.Scan(); {
		path := lines.Text()
		first, _, _ := strings.Cut(path, "/")
		if !strings.Contains(first, ".") {
			continue // the standard library, or ours
		}
		i := slices.IndexFunc(modules, func(m string) bool { return path == m || strings.HasPrefix(path, m+"/") })
		if i < 0 {
			t.Errorf("docs/dependencies.md has no reason for %s", path)
			continue
		}
		used[modules[i]] = true
	}
	for _, m := range modules {
		if !used[m] {
			t.Errorf("docs/dependencies.md gives a reason for %s, which nothing imports", m)
		}
	}
}

// output returns what a command prints. The command must succeed.
func output(t *testing.T, args ...string) string {
	t.Helper()
	var stdout, stderr strings.Builder
	if code := run(t.Context(), args, &stdout, &stderr); code != cli.ExitOK {
		t.Fatalf("%v: exit code %d: %s", args, code, stderr.String())
	}
	return stdout.String()
}

// TestTheSettingsFileForProductionLacksTheChecksThatThePageNames reads the settings file of
// docs/callers.md, with the rates that are set in the end.
func TestTheSettingsFileForProductionLacksTheChecksThatThePageNames(t *testing.T) {
	if config.FIPSBuild() || config.OpenSSLBuild {
		t.Skip("the page is about the usual build") // in which other checks are off
	}
	_, page, _ := strings.Cut(document(t, "docs/callers.md"), "## A settings file for production\n")
	_, file, _ := strings.Cut(page, "```yaml\n")
	file, _, _ = strings.Cut(file, "```")
	path := filepath.Join(t.TempDir(), "strongroom.yaml")
	if err := os.WriteFile(path, []byte(strings.Replace(file, "report-only: true", "report-only: false", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	s, _, err := config.Load(map[string]string{config.FileFlag: path}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var off, named []string
	for _, c := range s.Posture() {
		if c.State == domain.CheckOff {
			off = append(off, c.Name)
		}
	}
	_, list, _ := strings.Cut(page, "Hardened does not require these checks, which are off:")
	list, _, _ = strings.Cut(list, ".\n")
	for _, m := range inCode.FindAllStringSubmatch(list, -1) {
		named = append(named, m[1])
	}
	if diff := cmp.Diff(off, named); diff != "" {
		t.Errorf("checks that are off (-in the code +in docs/callers.md):\n%s", diff)
	}
}

func TestThePolicyPageShowsWhatTheCommandPrints(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: the guess simulator, by -short")
	}
	policy := document(t, "docs/policy.md")
	shown := 0
	for _, block := range strings.Split(policy, "```console\n$ strongroom ")[1:] {
		block, _, _ = strings.Cut(block, "```")
		line, want, _ := strings.Cut(block, "\n")
		if diff := cmp.Diff(want, output(t, strings.Fields(line)...)); diff != "" {
			t.Errorf("strongroom %s (-in docs/policy.md +printed):\n%s", line, diff)
		}
		shown++
	}
	if shown == 0 {
		t.Error("docs/policy.md shows no output")
	}
}

// pages are the documents below docs and those for everyone at the top, by their
// paths in the repository.
func pages(t *testing.T) []string {
	t.Helper()
	found := []string{"README.md", "SECURITY.md", "CONTRIBUTING.md"}
	for _, dir := range []string{"docs", "docs/*"} {
		names, err := filepath.Glob(filepath.Join(repository, dir, "*.md"))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			path, err := filepath.Rel(repository, name)
			if err != nil {
				t.Fatal(err)
			}
			found = append(found, path)
		}
	}
	return found
}

var link = regexp.MustCompile(`\]\(([^):]+)\)`)

func TestLinksInTheDocumentsHaveTargets(t *testing.T) {
	for _, name := range pages(t) {
		for _, m := range link.FindAllStringSubmatch(document(t, name), -1) {
			path, anchor, _ := strings.Cut(m[1], "#")
			target := name
			if path != "" {
				target = filepath.Join(filepath.Dir(name), path)
			}
			there, err := os.ReadFile(filepath.Join(repository, target))
			if err != nil {
				t.Errorf("%s links to %s: %v", name, m[1], err)
			} else if anchor != "" && !slices.Contains(anchors(string(there)), anchor) {
				t.Errorf("%s links to %s, which has no such heading", name, m[1])
			}
		}
	}
}

// A link whose text is a name in code leads to a Go file that declares the name.
func TestLinksToCodeNameExistingDeclarations(t *testing.T) {
	toCode := regexp.MustCompile("\\[`(\\w+)`[^]]*\\]\\(([^)]+\\.go)\\)")
	links := 0
	for _, name := range pages(t) {
		for _, m := range toCode.FindAllStringSubmatch(document(t, name), -1) {
			links++
			declared := regexp.MustCompile(`(?m)^(func (\([^)]*\) )?|type |\t?)` + m[1] + `\b`)
			if !declared.MatchString(document(t, filepath.Join(filepath.Dir(name), m[2]))) {
				t.Errorf("%s says that %s declares %s", name, m[2], m[1])
			}
		}
	}
	if links < 20 {
		t.Errorf("%d links were checked", links)
	}
}

func TestTheIndexOfTheDocumentsNamesEveryPage(t *testing.T) {
	index := document(t, "docs/README.md")
	for _, name := range pages(t) {
		path, err := filepath.Rel("docs", name)
		if err != nil {
			t.Fatal(err)
		}
		if path != "README.md" && !strings.Contains(index, "]("+path+")") && !strings.Contains(index, "]("+path+"#") {
			t.Errorf("docs/README.md lacks %s", path)
		}
	}
}

func TestTheGlossaryDefinesEachTermOnce(t *testing.T) {
	seen := map[string]bool{}
	for line := range strings.Lines(document(t, "docs/reference/glossary.md")) {
		term, meaning, _ := strings.Cut(strings.TrimPrefix(line, "| "), " | ")
		if meaning == "" || meaning == "meaning |\n" {
			continue
		}
		if seen[term] {
			t.Errorf("%s is defined twice", term)
		}
		seen[term] = true
	}
	if len(seen) < 50 {
		t.Errorf("found only %d terms: this test looks in the wrong place", len(seen))
	}
}

var pageInText = regexp.MustCompile(`docs/[a-z/-]+\.md(?:#[a-z0-9-]+)?`)

// Messages, comments and files of deploy name pages, too.
func TestThePagesThatTheCodeNamesExist(t *testing.T) {
	for _, dir := range []string{"cmd", "deploy", "examples", "internal"} {
		err := filepath.WalkDir(filepath.Join(repository, dir), func(path string, d fs.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() {
				return err
			}
			text, err := os.ReadFile(path)
			for _, named := range pageInText.FindAllString(string(text), -1) {
				page, anchor, _ := strings.Cut(named, "#")
				there, err := os.ReadFile(filepath.Join(repository, page))
				if err != nil || anchor != "" && !slices.Contains(anchors(string(there)), anchor) {
					t.Errorf("%s names %s, which does not exist", path, named)
				}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

var namedAnchor = regexp.MustCompile(`<a id="([^"]+)"></a>`)

// anchors are the names by which the headings of a document are linked to, and
// the names of its anchors.
func anchors(text string) []string {
	var found []string
	for _, m := range namedAnchor.FindAllStringSubmatch(text, -1) {
		found = append(found, m[1])
	}
	for line := range strings.Lines(text) {
		if heading := strings.TrimLeft(line, "#"); heading != line {
			kept := strings.Map(func(r rune) rune {
				if strings.ContainsRune(" -_", r) || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' {
					return r
				}
				return -1
			}, strings.ToLower(strings.TrimSpace(heading)))
			found = append(found, strings.ReplaceAll(kept, " ", "-"))
		}
	}
	return found
}

func TestTheReadmeIsShortAndTheChangelogHasTheVersion(t *testing.T) {
	if n := strings.Count(document(t, "README.md"), "\n"); n > 200 {
		t.Errorf("README.md has %d lines", n)
	}
	if !strings.Contains(document(t, "CHANGELOG.md"), "\n## ["+version+"] - ") {
		t.Errorf("CHANGELOG.md lacks version %s", version)
	}
}
