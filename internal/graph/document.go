package graph

import (
	"errors"
	"fmt"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/parser"

	"strongroom/internal/domain"
)

// Bounds on a document. The introspection query of graphql-js, the largest
// honest one, has about 250 tokens, a depth of 15 and 250 selections.
const (
	maxTokens     = 1000
	maxDepth      = 20
	maxSelections = 500 // with fragments spread wherever they are used
	maxAliases    = 15  // likewise
	maxObjects    = 3   // likewise; aliases of fields with a selection, below which all work is done again
	maxDirectives = 50  // likewise

	// Validation follows the spreads of each operation and fragment anew.
	maxDefinitions = 16
)

// parse reads a document.
func parse(text string) (*document, gqlerror.List) {
	text = strings.Clone(text) // the tree refers to it, and it may be part of something larger
	doc, err := parser.ParseQueryWithTokenLimit(&ast.Source{Input: text}, maxTokens)
	if err != nil {
		return nil, syntaxError(err)
	}
	if errs := measure(doc); errs != nil {
		return nil, errs
	}
	return &document{text: text, QueryDocument: doc}, nil
}

// operation is the one to execute.
func (d *document) operation(name string) (*ast.OperationDefinition, gqlerror.List) {
	switch op := d.Operations.ForName(name); {
	case op != nil:
		return op, nil
	case len(d.Operations) == 0:
		return nil, invalid("The document contains no operation.")
	case name == "":
		return nil, invalid("The document contains several operations. Name one of them in operationName.")
	default:
		return nil, invalid("The document contains no operation with the name in operationName.")
	}
}

// syntaxError keeps the place of the parser's error and drops its message,
// which quotes the document.
func syntaxError(err error) gqlerror.List {
	e, ok := errors.AsType[*gqlerror.Error](err)
	if !ok || len(e.Locations) == 0 { // the only error without a place
		return invalid(fmt.Sprintf("The document must have at most %d tokens.", maxTokens))
	}
	at := e.Locations[0]
	errs := invalid(fmt.Sprintf("The document has a syntax error at line %d, column %d.", at.Line, at.Column))
	errs[0].Locations = e.Locations[:1]
	return errs
}

func invalid(message string) gqlerror.List {
	return refuse(&domain.Error{Code: domain.CodeGraphQLInvalid, Message: message}, nil)
}

// size is what a selection set comes to when its fragments are spread.
type size struct{ depth, selections, aliases, objects, directives int }

// measure refuses a document that is small to send and large to work on:
// fragments that spread others twice double with each level, and validation,
// not only execution, follows them. So it runs first, and it takes time linear
// in the document because the size of each fragment is computed once.
func measure(doc *ast.QueryDocument) gqlerror.List {
	if len(doc.Operations)+len(doc.Fragments) > maxDefinitions {
		return invalid(fmt.Sprintf("A document must hold at most %d operations and fragments.", maxDefinitions))
	}
	m := meter{doc: doc, fragments: map[string]size{}, open: map[string]bool{}}
	for _, op := range doc.Operations {
		m.check(m.set(op.SelectionSet), op.Position)
	}
	for _, f := range doc.Fragments {
		m.check(m.set(f.SelectionSet), f.Position)
	}
	return m.errs
}

type meter struct {
	doc       *ast.QueryDocument
	fragments map[string]size
	open      map[string]bool // fragments that are being measured
	errs      gqlerror.List   // the first refusal
}

func (m *meter) check(s size, at *ast.Position) {
	for _, bound := range []struct {
		is, max int
		what    string
	}{
		{s.depth, maxDepth, "nest at most %d fields deep"},
		{s.selections, maxSelections, "come to at most %d selections when fragments are spread"},
		{s.aliases, maxAliases, "hold at most %d aliases"},
		{s.objects, maxObjects, "hold at most %d aliases of fields that have a selection"},
		{s.directives, maxDirectives, "hold at most %d directives"},
	} {
		if bound.is > bound.max {
			m.fail(fmt.Sprintf("An operation or fragment must "+bound.what+".", bound.max), at)
		}
	}
}

func (m *meter) fail(message string, at *ast.Position) {
	if m.errs == nil {
		m.errs = refuse(&domain.Error{Code: domain.CodeGraphQLInvalid, Message: message}, at)
	}
}

func (m *meter) set(set ast.SelectionSet) size {
	var total size
	for _, selection := range set {
		var inner size
		switch s := selection.(type) {
		case *ast.Field:
			inner = m.set(s.SelectionSet)
			inner.depth++
			inner.directives += len(s.Directives)
			if s.Alias != s.Name {
				inner.aliases++
				if len(s.SelectionSet) > 0 {
					inner.objects++
				}
			}
		case *ast.InlineFragment:
			inner = m.set(s.SelectionSet)
			inner.directives += len(s.Directives)
		case *ast.FragmentSpread:
			inner = m.fragment(s)
			inner.directives += len(s.Directives)
		}
		total.depth = max(total.depth, inner.depth)
		// Bounded after each step: doubling must not overflow.
		total.selections = min(total.selections+inner.selections+1, maxSelections+1)
		total.aliases = min(total.aliases+inner.aliases, maxAliases+1)
		total.objects = min(total.objects+inner.objects, maxObjects+1)
		total.directives = min(total.directives+inner.directives, maxDirectives+1)
	}
	return total
}

func (m *meter) fragment(spread *ast.FragmentSpread) size {
	if s, known := m.fragments[spread.Name]; known {
		return s
	}
	f := m.doc.Fragments.ForName(spread.Name)
	switch {
	case f == nil:
		return size{} // validation says so
	case m.open[spread.Name]:
		m.fail("A fragment must not spread itself.", spread.Position)
		return size{}
	}
	m.open[spread.Name] = true
	s := m.set(f.SelectionSet)
	m.open[spread.Name] = false
	m.fragments[spread.Name] = s
	return s
}
