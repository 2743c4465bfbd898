package graph

import (
	"fmt"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/validator/core"
	"github.com/vektah/gqlparser/v2/validator/rules"

	"strongroom/internal/domain"
)

// stockRules are the rules of the GraphQL specification on the structure of a
// document, each with our own message, because the library's messages quote the
// document. The rules on fields and values are our own (see [checker]), because
// their messages name what the schema expects. SingleFieldSubscriptions is left
// out, because the schema has no subscriptions. OverlappingFieldsCanBeMerged is
// our own (see [checker.level]).
var stockRules = []struct {
	rule    core.Rule
	message string
}{
	{rules.FragmentsOnCompositeTypesRule, "A fragment must be on an object type."},
	{rules.KnownDirectivesRule, "This directive does not exist. The directives are @skip and @include, on fields and fragments."},
	{rules.KnownFragmentNamesRule, "The document does not define a fragment that it uses."},
	{rules.KnownRootTypeRule, "The schema has queries and mutations only."},
	{rules.KnownTypeNamesRule, "The schema has no such type."},
	{rules.LoneAnonymousOperationRule, "An operation without a name must be the only one."},
	{rules.MaxIntrospectionDepth, "The introspection nests its lists too deep."},
	{rules.NoFragmentCyclesRule, "A fragment must not spread itself."},
	{rules.NoUndefinedVariablesRule, "The operation does not declare a variable that it uses."},
	{rules.NoUnusedFragmentsRule, "A fragment is defined but never used."},
	{rules.UniqueVariableNamesRule, "A variable is declared twice."},
	{rules.NoUnusedVariablesRule, "A variable is declared but never used."},
	{rules.PossibleFragmentSpreadsRule, "A fragment can never apply here: it is for another type."},
	{rules.UniqueArgumentNamesRule, "An argument is given twice."},
	{rules.UniqueDirectivesPerLocationRule, "A directive is given twice."},
	{rules.UniqueFragmentNamesRule, "Two fragments have the same name."},
	{rules.UniqueInputFieldNamesRule, "A field of an input object is given twice."},
	{rules.UniqueOperationNamesRule, "Two operations have the same name."},
	{rules.VariablesAreInputTypesRule, "A variable must be of an input type."},
	{rules.VariablesInAllowedPositionRule, "A variable is used where its declared type does not fit."},
}

// maxErrors limits the errors in one answer.
const maxErrors = 10

// checker validates one document.
type checker struct {
	introspection bool
	uses          map[*ast.VariableDefinition]use
	errs          gqlerror.List
}

// validate checks the document against the schema. It returns where each
// variable is used, or the errors.
func (h *handler) validate(doc *ast.QueryDocument) (map[*ast.VariableDefinition]use, gqlerror.List) {
	c := &checker{introspection: h.Introspection, uses: map[*ast.VariableDefinition]use{}}
	events := &core.Events{}
	events.OnField(func(_ *core.Walker, f *ast.Field) {
		if !c.full() {
			c.field(f)
		}
	})
	events.OnOperation(func(_ *core.Walker, op *ast.OperationDefinition) { c.level(op.SelectionSet) })
	events.OnDirective(func(_ *core.Walker, d *ast.Directive) {
		if d.Definition != nil {
			c.arguments("@"+d.Definition.Name, d.Definition.Arguments, d.Arguments, d.Position)
		}
	})
	events.OnVariable(func(_ *core.Walker, v *ast.VariableDefinition) {
		if v.DefaultValue != nil && v.Definition != nil {
			c.value("The default value of a variable", v.Type, v.DefaultValue)
		}
	})
	for _, stock := range stockRules {
		stock.rule.RuleFunc(events, func(options ...core.ErrorOption) {
			if c.full() {
				return
			}
			var theirs gqlerror.Error
			for _, o := range options {
				o(&theirs)
			}
			errs := invalid(stock.message)
			errs[0].Locations = theirs.Locations
			c.add(errs[0])
		})
	}
	core.Walk(schema, doc, events)
	return c.uses, c.errs
}

func (c *checker) fail(err *domain.Error, at *ast.Position) {
	c.add(refuse(err, at)[0])
}

// add keeps an error unless it is there already. A fragment is visited once for
// each operation that uses it, so its errors repeat.
func (c *checker) add(err *gqlerror.Error) {
	known := slices.ContainsFunc(c.errs, func(e *gqlerror.Error) bool {
		return e.Message == err.Message && slices.Equal(e.Locations, err.Locations)
	})
	if !known && !c.full() {
		c.errs = append(c.errs, err)
	}
}

// full reports whether no more errors are kept. Creating a message costs more
// than finding the error.
func (c *checker) full() bool { return len(c.errs) == maxErrors }

// field checks one selected field (GraphQL specification, 5.3 and 5.4).
func (c *checker) field(f *ast.Field) {
	switch {
	case f.ObjectDefinition == nil || f.ObjectDefinition.IsLeafType(): // its parent was refused
		return
	case f.Definition == nil:
		c.fail(&domain.Error{Code: domain.CodeGraphQLInvalid,
			Message: "Type " + f.ObjectDefinition.Name + " has no such field" + c.offer(fieldNames(f.ObjectDefinition)) + "."}, f.Position)
		return
	case !c.introspection && (f.Name == "__schema" || f.Name == "__type"):
		c.fail(&domain.Error{Code: domain.CodeOperationDisabled, Reason: domain.ReasonIntrospectionDisabled, Message: "Introspection is turned off."}, f.Position)
		return
	}
	name, leaf := f.Definition.Name, schema.Types[f.Definition.Type.Name()].IsLeafType()
	if leaf && len(f.SelectionSet) > 0 {
		c.fail(&domain.Error{Code: domain.CodeGraphQLInvalid, Message: name + " has no fields to select."}, f.Position)
	}
	if !leaf && len(f.SelectionSet) == 0 {
		c.fail(&domain.Error{Code: domain.CodeGraphQLInvalid,
			Message: name + " needs a selection of its fields, in braces."}, f.Position)
	}
	c.arguments(name, f.Definition.Arguments, f.Arguments, f.Position)
}

// maxSameName limits how often one response name may be selected at one level,
// with fragments spread. The executor goes through all selections of a level
// for each object there, and introspection returns many objects.
const maxSameName = 4

// level checks that fields with the same response name are the same field
// (GraphQL specification, 5.3.2). sets are the selections at one level of the
// response, from all fields that were merged above it.
//
// The library's rule compares each pair of fields and of fragments, and then
// nested pairs for each of these: a document of 1000 tokens can keep it busy
// for tens of milliseconds. It also considers any two input objects equal, so
// it would silently drop the second of two calls. All our types are object
// types, so all fields of a level have the same parent, "is the same field" is
// transitive, and comparing each field with the first one is enough and takes
// linear time.
func (c *checker) level(sets ...ast.SelectionSet) {
	var names []string // in the document's order
	fields, spread := map[string][]*ast.Field{}, map[string]bool{}
	var collect func(ast.SelectionSet)
	collect = func(set ast.SelectionSet) {
		for _, selection := range set {
			switch s := selection.(type) {
			case *ast.Field:
				if fields[s.Alias] == nil { // without an alias, the parser puts the name there
					names = append(names, s.Alias)
				}
				fields[s.Alias] = append(fields[s.Alias], s)
			case *ast.InlineFragment:
				collect(s.SelectionSet)
			case *ast.FragmentSpread:
				if s.Definition != nil && !spread[s.Name] {
					spread[s.Name] = true
					collect(s.Definition.SelectionSet)
				}
			}
		}
	}
	for _, set := range sets {
		collect(set)
	}
	for _, name := range names {
		c.merge(fields[name])
	}
}

// merge checks fields with the same response name, and the levels below them.
func (c *checker) merge(fields []*ast.Field) {
	if len(fields) > maxSameName {
		c.fail(&domain.Error{Code: domain.CodeGraphQLInvalid,
			Message: fmt.Sprintf("At most %d selections may have the same name at one level of the answer.", maxSameName)},
			fields[maxSameName].Position)
		return
	}
	var below []ast.SelectionSet
	for _, f := range fields {
		if !sameField(fields[0], f) {
			c.fail(&domain.Error{Code: domain.CodeGraphQLInvalid,
				Message: "Two fields differ but have the same name in the answer. Give one of them an alias."}, f.Position)
			return
		}
		if len(f.SelectionSet) > 0 {
			below = append(below, f.SelectionSet)
		}
	}
	if len(below) > 0 {
		c.level(below...)
	}
}

func sameField(a, b *ast.Field) bool {
	if a.Name != b.Name || len(a.Arguments) != len(b.Arguments) {
		return false
	}
	return !slices.ContainsFunc(a.Arguments, func(arg *ast.Argument) bool {
		other := b.Arguments.ForName(arg.Name)
		return other == nil || !sameValue(arg.Value, other.Value)
	})
}

// sameValue compares values as they are written. It also refuses input objects
// whose fields are in a different order, which is safe.
func sameValue(a, b *ast.Value) bool {
	return a.Kind == b.Kind && a.Raw == b.Raw && slices.EqualFunc(a.Children, b.Children, func(x, y *ast.ChildValue) bool {
		return x.Name == y.Name && sameValue(x.Value, y.Value)
	})
}

// arguments checks the arguments of a field or directive.
func (c *checker) arguments(owner string, defs ast.ArgumentDefinitionList, given ast.ArgumentList, at *ast.Position) {
	for _, def := range defs {
		arg := given.ForName(def.Name)
		switch {
		case arg != nil:
			c.value(def.Name, def.Type, arg.Value)
		case def.Type.NonNull && def.DefaultValue == nil:
			c.fail(missing(def.Name, def.Type), at)
		}
	}
	for _, arg := range given {
		if defs.ForName(arg.Name) == nil {
			var names []string
			for _, def := range defs {
				names = append(names, def.Name)
			}
			c.fail(&domain.Error{Code: domain.CodeBadUserInput,
				Message: owner + " has no such argument" + c.offer(names) + "."}, arg.Position)
		}
	}
}

// value checks a literal in the document and records the variables in it.
func (c *checker) value(name string, t *ast.Type, v *ast.Value) {
	_, err := coerce(name, t, c.literal(name, v), c.introspection)
	if err != nil {
		if strings.Contains(name, " ") {
			err.Field = "" // a default value: no argument is named
		}
		c.fail(err, v.Position)
	}
}

// offer lists names for an error message, if clients may see the schema.
func (c *checker) offer(names []string) string {
	if !c.introspection || len(names) == 0 {
		return ""
	}
	return "; it has " + list(names, "and")
}

func fieldNames(def *ast.Definition) []string {
	var names []string
	for _, f := range def.Fields {
		if !strings.HasPrefix(f.Name, "__") {
			names = append(names, f.Name)
		}
	}
	return names
}

// list is "a, b and c".
func list(names []string, conjunction string) string {
	last := len(names) - 1
	if last < 1 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:last], ", ") + " " + conjunction + " " + names[last]
}
