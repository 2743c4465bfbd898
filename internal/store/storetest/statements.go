package storetest

import (
	"errors"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"strongroom/internal/domain"
)

const sharedStatements = "strongroom/internal/store/sqltx"

// Statements are the constants that are SQL statements, by name, as the compiler
// sees them: those of the engine whose tests run, and those of sqltx.
func Statements(t testing.TB) map[string]string {
	t.Helper()
	shared := check(t, "../sqltx", nil)
	found := map[string]string{}
	for _, pkg := range []*types.Package{shared, check(t, ".", shared)} {
		for _, name := range pkg.Scope().Names() {
			c, ok := pkg.Scope().Lookup(name).(*types.Const)
			if !ok || c.Val().Kind() != constant.String {
				continue
			}
			value := strings.TrimSpace(constant.StringVal(c.Val()))
			if !isStatement(value) || strings.HasSuffix(value, "(") { // the beginning of others
				continue
			}
			if _, twice := found[name]; twice {
				t.Fatalf("%s is a statement of sqltx and of the engine", name)
			}
			found[name] = value
		}
	}
	return found
}

// WantConstants fails for each statement in the current folder that is not a
// constant. [Statements] does not find such a statement.
func WantConstants(t *testing.T) {
	t.Helper()
	fset := token.NewFileSet()
	for _, file := range parse(t, fset, ".") {
		for _, decl := range file.Decls {
			if d, ok := decl.(*ast.GenDecl); ok && d.Tok == token.CONST {
				continue
			}
			ast.Inspect(decl, func(n ast.Node) bool {
				lit, ok := n.(*ast.BasicLit)
				if !ok || lit.Kind != token.STRING {
					return true
				}
				if value, err := strconv.Unquote(lit.Value); err != nil || isStatement(value) {
					t.Errorf("%s: %s", fset.Position(lit.Pos()), lit.Value)
				}
				return true
			})
		}
	}
}

func isStatement(s string) bool {
	verb, _, more := strings.Cut(strings.TrimSpace(s), " ")
	return more && slices.Contains([]string{"SELECT", "INSERT", "UPDATE", "DELETE", "WITH"}, verb)
}

// WantRareEvents compares the events that the index of rare events leaves out, in
// the script that makes it, with those that the rule calls frequent. Their query
// must leave out the same. An index that lacks a rare event finds none, and one
// that holds a frequent event slows each operation.
func WantRareEvents(t *testing.T, script string) {
	t.Helper()
	var frequent []string
	for _, e := range domain.FrequentEvents {
		frequent = append(frequent, string(e))
	}
	slices.Sort(frequent)
	condition, event := regexp.MustCompile(`(?s)event NOT IN \((.*?)\)`), regexp.MustCompile(`'(.*?)'`)
	for where, text := range map[string]string{"the index": script, "the query": Statements(t)["sqlEntriesOfEvent"]} {
		var named []string
		for _, m := range event.FindAllStringSubmatch(condition.FindString(text), -1) {
			named = append(named, m[1])
		}
		slices.Sort(named)
		if diff := cmp.Diff(frequent, named); diff != "" {
			t.Errorf("%s (-frequent +left out):\n%s", where, diff)
		}
	}
}

// check reads the package in a folder. It imports sqltx at most: statements are
// made of constants of ours.
func check(t testing.TB, dir string, shared *types.Package) *types.Package {
	t.Helper()
	fset := token.NewFileSet()
	conf := types.Config{Importer: sharedOnly{shared}, Error: func(error) {}}
	pkg, _ := conf.Check(dir, fset, parse(t, fset, dir), nil)
	return pkg
}

func parse(t testing.TB, fset *token.FileSet, dir string) (files []*ast.File) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil || len(names) == 0 {
		t.Fatalf("%d Go files in %s, %v", len(names), dir, err)
	}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(fset, name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	return files
}

type sharedOnly struct{ pkg *types.Package }

func (s sharedOnly) Import(path string) (*types.Package, error) {
	if path == sharedStatements && s.pkg != nil {
		return s.pkg, nil
	}
	return nil, errors.New("not needed")
}
