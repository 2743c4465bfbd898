package graph

import (
	"context"
	"reflect"
	"sync/atomic"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"strongroom/internal/domain"
)

// Limits on queries about the schema. Such a query is not an operation, so
// --rate-limit-address does not count it. It could get an answer thousands of times
// as large as its text, because lists nest and each object repeats the aliases.
const (
	// maxIntrospection limits what one answer costs, as [cost] counts it. The query of
	// graphql-js with all options costs 109 KB and gets 47 KB.
	maxIntrospection = 256 << 10

	// Only one such query is executed at a time, on one core (worker_limit in
	// gqlgen.yml), so that a flood of them leaves the other cores to other
	// requests. Further queries wait this long, but only so many of them.
	introspectionWait       = time.Second
	maxWaitingIntrospection = 64

	// fieldCost is more than a field or object takes in the answer, without its name
	// and text.
	fieldCost = 32
)

var errLargeIntrospection = &domain.Error{Code: domain.CodeGraphQLInvalid,
	Message: "The query selects too much of the schema. Select fewer lists within lists, or read /schema.graphql."}

// introspects reports whether an operation reads the schema. Mutations cannot.
func introspects(op *graphql.OperationContext) bool {
	if op.Operation.Operation != ast.Query {
		return false
	}
	for _, f := range graphql.CollectFields(op, op.Operation.SelectionSet, []string{schema.Query.Name}) {
		if f.Name == "__schema" || f.Name == "__type" {
			return true
		}
	}
	return false
}

// introspect executes a query about the schema.
func (h *handler) introspect(ctx context.Context, op *graphql.OperationContext) answer {
	if !h.awaitTurn(ctx) {
		return h.refused(ctx, domain.Overloaded(), op)
	}
	defer func() { <-h.introspecting }()
	left := limit(op)
	a := h.run(ctx, op)
	if left.Load() < 0 {
		return h.refused(ctx, errLargeIntrospection, op)
	}
	return a
}

// awaitTurn waits until a query about the schema may be executed. It returns false if too
// many wait, after introspectionWait, and if the client disconnects.
func (h *handler) awaitTurn(ctx context.Context) bool {
	defer h.waiting.Add(-1)
	if h.waiting.Add(1) > maxWaitingIntrospection {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, introspectionWait)
	defer cancel()
	select {
	case h.introspecting <- struct{}{}:
		return true
	case <-ctx.Done():
		return false
	}
}

// refused counts and answers a query whose result is not sent.
func (h *handler) refused(ctx context.Context, err *domain.Error, op *graphql.OperationContext) answer {
	h.UseCases.Refused(ctx, err.Code)
	return answer{Errors: refuse(err, op.Operation.Position)}
}

// limit makes the execution of a query end when it has cost maxIntrospection. It
// returns what is left of that; below 0: the execution was ended.
func limit(op *graphql.OperationContext) *atomic.Int64 {
	left, resolve := &atomic.Int64{}, op.ResolverMiddleware
	left.Store(maxIntrospection)
	op.ResolverMiddleware = func(ctx context.Context, next graphql.Resolver) (any, error) {
		v, err := resolve(ctx, next)
		if err == nil && left.Add(-cost(op, graphql.GetFieldContext(ctx).Field, v)) < 0 {
			return nil, refuse(errLargeIntrospection, nil)[0]
		}
		return v, err
	}
	return left
}

// cost returns the bytes that a field's value takes in the answer at most. For
// objects, it counts their fields before any of these is executed. The texts in them
// are counted when they are.
func cost(op *graphql.OperationContext, f graphql.CollectedField, value any) int64 {
	v, objects := reflect.Indirect(reflect.ValueOf(value)), 1
	switch v.Kind() {
	case reflect.Invalid: // null
		return 0
	case reflect.String:
		return int64(v.Len())
	case reflect.Slice:
		objects = v.Len()
	}
	each := fieldCost
	for _, below := range graphql.CollectFields(op, f.Selections, []string{f.Definition.Type.Name()}) {
		each += fieldCost + len(below.Alias)
	}
	return int64(objects) * int64(each)
}
