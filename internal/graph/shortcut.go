package graph

import (
	"bytes"
	"context"
	"slices"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"strongroom/internal/domain"
)

// To ask for an existing key is what clients do most, and so cheap a use case
// that gqlgen's executor was a fifth of the whole request. So the one plain form
// that such a request has is answered here. Every other form is the executor's,
// and so is every answer but a key pair: it is then given the outcome in place
// of the resolver's, and nothing of how errors look is known here.

// keyRequest is an operation of the form
//
//	mutation(…) { generateClientEncryptionKey(input: $variable) { fields } }
//
// whose fields are all in keyPairFields: without fragments and directives, and
// none asked for twice.
type keyRequest struct {
	identity domain.Identity
	key      string // under which the answer has the key pair
	fields   ast.SelectionSet
}

// keyPairFields are written as gqlgen writes them. Those that can fail are left
// to it.
var keyPairFields = map[string]func(*domain.KeyPair) graphql.Marshaler{
	"__typename": func(*domain.KeyPair) graphql.Marshaler { return graphql.MarshalString("KeyPairResult") },
	"keyId":      func(pair *domain.KeyPair) graphql.Marshaler { return graphql.MarshalString(pair.KeyID) },
	"algorithm":  func(pair *domain.KeyPair) graphql.Marshaler { return graphql.MarshalString(pair.Algorithm) },
	"keySize":    func(pair *domain.KeyPair) graphql.Marshaler { return graphql.MarshalInt(pair.Bits) },
	"publicKey": func(pair *domain.KeyPair) graphql.Marshaler {
		text, _ := keyPairResult{}.PublicKey(context.Background(), pair) // never fails
		return graphql.MarshalString(text)
	},
	"publicKeyBytes": func(pair *domain.KeyPair) graphql.Marshaler {
		if text, _ := (keyPairResult{}).PublicKeyBytes(context.Background(), pair); text != nil { // never fails
			return graphql.MarshalString(*text)
		}
		return graphql.Null
	},
}

// asKeyRequest reports whether an operation, which is valid, has that form.
func asKeyRequest(op *graphql.OperationContext) (keyRequest, bool) {
	if op.Operation.Operation != ast.Mutation || len(op.Operation.SelectionSet) != 1 {
		return keyRequest{}, false
	}
	root, ok := op.Operation.SelectionSet[0].(*ast.Field)
	if !ok || root.Name != "generateClientEncryptionKey" || len(root.Directives) > 0 || root.Arguments[0].Value.Kind != ast.Variable {
		return keyRequest{}, false
	}
	for i, selection := range root.SelectionSet {
		f, ok := selection.(*ast.Field)
		if !ok || keyPairFields[f.Name] == nil || len(f.Directives) > 0 ||
			slices.ContainsFunc(root.SelectionSet[:i], func(s ast.Selection) bool { return s.(*ast.Field).Alias == f.Alias }) {
			return keyRequest{}, false
		}
	}
	input, _ := op.Variables[root.Arguments[0].Value.Raw].(map[string]any)
	device, ok := input["deviceId"].(string)
	version, isText := input["appVersion"].(string)
	algorithms, isList := texts(input["algorithms"])
	if !ok || !isText && input["appVersion"] != nil || !isList || input["challenge"] != nil {
		return keyRequest{}, false
	}
	return keyRequest{domain.Identity{DeviceID: device, AppVersion: version, Algorithms: algorithms}, root.Alias, root.SelectionSet}, true
}

// texts is a list of strings, or nil for null.
func texts(value any) (list []string, ok bool) {
	if value == nil {
		return nil, true
	}
	values, ok := value.([]any)
	list = make([]string, len(values))
	for i := range values {
		if list[i], ok = values[i].(string); !ok {
			return nil, false
		}
	}
	return list, ok
}

// generateKey answers a key request.
func (h *handler) generateKey(ctx context.Context, r keyRequest, op *graphql.OperationContext) (a answer) {
	returned := false
	defer func() {
		if !returned { // a panic: its stack is still there to be logged
			v := recover()
			op.ResolverMiddleware = func(context.Context, graphql.Resolver) (any, error) { panic(v) }
			a = h.execute(ctx, op)
		}
	}()
	pair, err := h.useCases.GenerateKey(ctx, r.identity)
	returned = true
	if err != nil {
		op.ResolverMiddleware = func(ctx context.Context, _ graphql.Resolver) (any, error) { return nil, h.present(ctx, err) }
		return h.execute(ctx, op)
	}
	return answer{Data: r.data(&pair)}
}

// data is the answer's.
func (r keyRequest) data(pair *domain.KeyPair) []byte {
	var out bytes.Buffer
	out.Grow(usualData)
	member := func(before byte, name string) {
		out.WriteByte(before)
		graphql.MarshalString(name).MarshalGQL(&out)
		out.WriteByte(':')
	}
	member('{', r.key)
	before := byte('{')
	for _, selection := range r.fields {
		f := selection.(*ast.Field)
		member(before, f.Alias)
		keyPairFields[f.Name](pair).MarshalGQL(&out)
		before = ','
	}
	out.WriteString("}}")
	return out.Bytes()
}

// usualData is room for the PEM of 3072 bits and some names, in bytes.
const usualData = 1 << 10
