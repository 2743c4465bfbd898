package graph

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"strongroom/internal/domain"
)

// Every value passes coerce before it reaches a resolver, whether it is JSON in
// the variables or a literal in the document. The library's own coercion is laxer
// than the GraphQL specification: it accepts numbers and booleans as strings,
// "NaN" as a number, and enum values in any case.

// Literals that JSON cannot express.
type (
	quoted   string   // a string literal, which is no enum value
	enumName string   // an enum literal, which is no string
	variable struct{} // checked when the variable is coerced
)

// use is where a variable is used.
type use struct {
	name    string // of the argument or input field
	nonNull bool   // null is refused there
}

// literal converts v for coerce, and records the variables in v. name is the
// argument or input field of v.
func (c *checker) literal(name string, v *ast.Value) any {
	switch v.Kind {
	case ast.Variable:
		if v.VariableDefinition != nil {
			u := c.uses[v.VariableDefinition]
			c.uses[v.VariableDefinition] = use{name, u.nonNull || v.ExpectedType != nil && v.ExpectedType.NonNull}
		}
		return variable{}
	case ast.IntValue:
		if _, err := strconv.ParseInt(v.Raw, 10, 64); err != nil {
			v.Kind = ast.FloatValue // the executor would panic on it as an Int
		}
		return json.Number(v.Raw)
	case ast.FloatValue:
		return json.Number(v.Raw)
	case ast.StringValue, ast.BlockValue:
		return quoted(v.Raw)
	case ast.EnumValue:
		return enumName(v.Raw)
	case ast.BooleanValue:
		return v.Raw == "true"
	case ast.ObjectValue:
		members := map[string]any{}
		for _, child := range v.Children {
			members[child.Name] = c.literal(child.Name, child.Value)
		}
		return members
	case ast.ListValue:
		elements := []any{}
		for _, child := range v.Children {
			elements = append(elements, c.literal(name, child.Value))
		}
		return elements
	default: // null
		return nil
	}
}

// coerceVariables coerces the values of the operation's variables (GraphQL
// specification, 6.1.2). An error names the argument or field in which the
// variable is used. It does not repeat the variable's name, which is the client's.
func (h *handler) coerceVariables(op *ast.OperationDefinition, given map[string]any,
	uses map[*ast.VariableDefinition]use) (map[string]any, gqlerror.List) {
	out := map[string]any{}
	for _, def := range op.VariableDefinitions {
		to := uses[def]
		v, present := given[def.Variable]
		if !present {
			if def.DefaultValue == nil && def.Type.NonNull {
				return nil, refuse(missing(to.name, def.Type), def.Position)
			}
			// A variable without a default is null, which every field treats like a missing
			// value. If it were missing here, the executor could use the default that another
			// operation in the document declares, because two operations can share a fragment.
			out[def.Variable], _ = def.DefaultValue.Value(nil) // validate has checked it
			continue
		}
		t := *def.Type
		t.NonNull = t.NonNull || to.nonNull // a nullable variable with a default is allowed where null is not
		var err *domain.Error
		if out[def.Variable], err = coerce(to.name, &t, v, h.Introspection); err != nil {
			return nil, refuse(err, def.Position)
		}
	}
	return out, nil
}

// coerce returns v as a value of type t, or a refusal that names the argument or
// input field. offer allows the refusal to list the fields of an input type.
func coerce(name string, t *ast.Type, v any, offer bool) (any, *domain.Error) {
	def := schema.Types[t.Name()]
	switch v := v.(type) {
	case nil:
		if t.NonNull {
			return nil, domain.BadInput(name, "must not be null: it "+must(t))
		}
		return nil, nil
	case variable:
		return v, nil
	}
	if t.Elem != nil {
		return coerceList(name, t, v, offer)
	}
	switch v := v.(type) {
	case map[string]any:
		if def.Kind == ast.InputObject {
			return coerceObject(name, def, v, offer)
		}
	case string:
		if is(t, "String") || isEnumValue(t, v) {
			return v, nil
		}
	case quoted:
		if is(t, "String") {
			return unescaped(name, string(v))
		}
	case enumName:
		if isEnumValue(t, string(v)) {
			return string(v), nil
		}
	case bool:
		if is(t, "Boolean") {
			return v, nil
		}
	case json.Number:
		if f, err := v.Float64(); err == nil && !math.IsInf(f, 0) && is(t, "Float") {
			return f, nil
		}
	}
	return nil, domain.BadInput(name, must(t))
}

// coerceList accepts a single value as a list of one (GraphQL specification,
// 3.11).
func coerceList(name string, t *ast.Type, v any, offer bool) (any, *domain.Error) {
	values, ok := v.([]any)
	if !ok {
		values = []any{v}
	}
	out := make([]any, len(values))
	for i, v := range values {
		var err *domain.Error
		if out[i], err = coerce(name, t.Elem, v, offer); err != nil {
			return nil, domain.BadInput(name, must(t))
		}
	}
	return out, nil
}

// coerceObject writes the coerced values into members, which nothing else uses.
func coerceObject(name string, def *ast.Definition, members map[string]any, offer bool) (any, *domain.Error) {
	known := 0
	for _, f := range def.Fields {
		v, present := members[f.Name]
		if !present {
			if f.Type.NonNull {
				return nil, missing(f.Name, f.Type)
			}
			continue
		}
		known++
		var err *domain.Error
		if members[f.Name], err = coerce(f.Name, f.Type, v, offer); err != nil {
			return nil, err
		}
	}
	if known < len(members) {
		remedy := "has a field that " + def.Name + " does not have"
		if offer {
			remedy += "; it has " + list(fieldNames(def), "and")
		}
		return nil, domain.BadInput(name, remedy)
	}
	return members, nil
}

// unescaped refuses a string literal that the lexer may have changed: it replaces an
// escaped surrogate by U+FFFD, in versions before 2.5.64 also each half of a pair. So two
// different identifiers could become equal.
func unescaped(name, s string) (any, *domain.Error) {
	if strings.ContainsRune(s, utf8.RuneError) {
		return nil, domain.BadInput(name, "must not hold U+FFFD or an escaped surrogate: write the character itself, or send a variable")
	}
	return s, nil
}

func is(t *ast.Type, scalar string) bool { return t.NamedType == scalar }

func isEnumValue(t *ast.Type, name string) bool {
	def := schema.Types[t.NamedType]
	return def != nil && def.Kind == ast.Enum && def.EnumValues.ForName(name) != nil
}

func missing(name string, t *ast.Type) *domain.Error {
	return domain.BadInput(name, "is missing: it "+must(t))
}

// must describes the values of type t.
func must(t *ast.Type) string {
	if t.Elem != nil {
		return "must be a list, and each member " + must(t.Elem)
	}
	switch def := schema.Types[t.NamedType]; {
	case is(t, "String"):
		return "must be a string"
	case is(t, "Boolean"):
		return "must be true or false"
	case is(t, "Float"):
		return "must be a finite number"
	case def != nil && def.Kind == ast.Enum:
		var names []string
		for _, v := range def.EnumValues {
			names = append(names, v.Name)
		}
		return "must be " + list(names, "or")
	case def != nil && def.Kind == ast.InputObject:
		return "must be an object of the fields of " + def.Name
	default:
		return "must be of type " + t.String()
	}
}
