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

// Limits on a document. The introspection query of graphql-js, the largest
// legitimate one, has about 250 tokens, a depth of 15 and 250 selections.
const (
	maxTokens     = 1000
	maxDepth      = 20
	maxSelections = 500 // counted again at each spread of a fragment
	maxAliases    = 15  // counted likewise
	maxObjects    = 3   // counted likewise; aliases of fields with a selection set, whose work is repeated
	maxDirectives = 50  // counted likewise
	maxAlias      = 64  // bytes of one; each object of a list repeats it in the answer

	// Validation follows the spreads of each operation and fragment again.
	maxDefinitions = 16
)

// parse parses a document and checks its size.
func parse(text string) (*document, gqlerror.List) {
	text = strings.Clone(text) // the syntax tree refers to it, and it may be part of a larger text
	doc, err := parser.ParseQueryWithTokenLimit(&ast.Source{Input: text}, maxTokens)
	if err != nil {
		return nil, syntaxError(err)
	}
	if errs := measure(doc); errs != nil {
		return nil, errs
	}
	return &document{text: text, QueryDocument: doc}, nil
}

// operation returns the operation to execute.
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

// syntaxError keeps the position of the parser's error, and replaces its
// message, which quotes the document.
func syntaxError(err error) gqlerror.List {
	e, ok := errors.AsType[*gqlerror.Error](err)
	if !ok || len(e.Locations) == 0 { // only the token limit gives an error without a position
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

// size is the size of a selection set with its fragments spread.
type size struct{ depth, selections, aliases, objects, directives int }

// measure refuses a document that is small to send but expensive to process:
// fragments that spread others twice double with each level, and validation
// follows them too, not only execution. So it runs first. It takes linear time,
// because it computes the size of each fragment once.
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
	open      map[string]bool // fragments that are being measured, to find cycles
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

func (m *meter) alias(f *ast.Field) {
	if len(f.Alias) > maxAlias {
		m.fail(fmt.Sprintf("An alias must have at most %d characters.", maxAlias), f.Position)
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
				m.alias(s)
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
		// Limited after each step, so that doubling cannot overflow.
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
		return size{} // validation refuses it
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
