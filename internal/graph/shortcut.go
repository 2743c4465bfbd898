package graph

import (
	"bytes"
	"context"
	"io"
	"slices"
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"strongroom/internal/domain"
	"strongroom/internal/strictjson"
)

// Clients mostly ask for an existing key, or set or verify a secret. gqlgen's
// executor took a fifth of the CPU time of a request for an existing key, and of a
// refusal at capacity. So the plain form of these requests is answered
// here. All other forms go to the executor.

// plain is an operation of the form
//
//	mutation(…) { field(input: $variable) { fields } }
//
// of a field that is answered here: without fragments and directives.
type plain struct {
	field *ast.Field
	run   func(ctx context.Context) (answer, error)
}

// asPlain reports whether a valid operation has that form.
func (h *handler) asPlain(op *graphql.OperationContext) (plain, bool) {
	if op.Operation.Operation != ast.Mutation || len(op.Operation.SelectionSet) != 1 {
		return plain{}, false
	}
	f, ok := op.Operation.SelectionSet[0].(*ast.Field)
	if !ok || len(f.Directives) > 0 || len(f.Arguments) != 1 || f.Arguments[0].Value.Kind != ast.Variable {
		return plain{}, false
	}
	input, ok := op.Variables[f.Arguments[0].Value.Raw].(map[string]any)
	if !ok {
		return plain{}, false
	}
	if f.Name == "generateClientEncryptionKey" {
		return h.asKeyRequest(f, input)
	}
	to, ok := submissionFields[f.Name]
	if !ok {
		return plain{}, false
	}
	return h.asSubmission(f, to, input)
}

// answerPlain runs the use case. It answers errors as the executor does.
func (h *handler) answerPlain(ctx context.Context, p plain) (a answer) {
	defer func() {
		if v := recover(); v != nil {
			a = p.failed(h.recovered(ctx, v))
		}
	}()
	a, err := p.run(ctx)
	if err != nil {
		said := h.present(ctx, err, p.field.Name)
		said.Locations = []gqlerror.Location{{Line: p.field.Position.Line, Column: p.field.Position.Column}}
		return p.failed(said)
	}
	return a
}

// failed returns the answer of a field that has an error instead of a value.
func (p plain) failed(e *gqlerror.Error) answer {
	e.Path = ast.Path{ast.PathName(p.field.Alias)}
	return answer{Errors: gqlerror.List{e}, Data: p.data(graphql.Null)}
}

// data returns the member data of the answer.
func (p plain) data(value graphql.Marshaler) []byte {
	var out bytes.Buffer
	out.Grow(len(p.field.Alias) + len(`{"":false}`))
	out.WriteByte('{')
	graphql.MarshalString(p.field.Alias).MarshalGQL(&out)
	out.WriteByte(':')
	value.MarshalGQL(&out)
	out.WriteByte('}')
	return out.Bytes()
}

// submissionField is a field that takes a submission and answers a Boolean.
type submissionField struct {
	typ             domain.CredentialType
	use             submissionUse
	secret, current string // fields of its input
}

var submissionFields = map[string]submissionField{
	"setUserPasscode":      {domain.Passcode, set, "encryptedPasscode", "encryptedCurrentPasscode"},
	"setTransactionPin":    {domain.TransactionPIN, set, "encryptedPin", "encryptedCurrentPin"},
	"verifyUserPasscode":   {domain.Passcode, verify, "encryptedPasscode", ""},
	"verifyTransactionPin": {domain.TransactionPIN, verify, "encryptedPin", ""},
}

func (h *handler) asSubmission(f *ast.Field, to submissionField, input map[string]any) (plain, bool) {
	ciphertext, ok1 := input[to.secret].(string)
	keyID, ok2 := input["keyId"].(string)
	declared, ok3 := input["passwordAuthType"].(string)
	current, ok4 := optional[string](input[to.current])
	mustChange, ok5 := optional[bool](input["mustChange"])
	s := domain.Submission{Type: to.typ, Declared: domain.CredentialType(declared), Ciphertext: ciphertext, Current: current,
		KeyID: keyID, MustChange: mustChange}
	p := plain{field: f}
	p.run = func(ctx context.Context) (answer, error) {
		is, beside, err := to.use(ctx, h.UseCases, s)
		return answer{Data: p.data(graphql.MarshalBoolean(is)), Extensions: beside}, err
	}
	return p, ok1 && ok2 && ok3 && ok4 && ok5
}

// optional returns a value, or nil for null. ok is false if it has another
// type.
func optional[T any](value any) (*T, bool) {
	if value == nil {
		return nil, true
	}
	v, ok := value.(T)
	return &v, ok
}

// keyPairFields write fields as gqlgen does. Fields that can fail are left to
// gqlgen.
var keyPairFields = map[string]func(*domain.KeyPair) graphql.Marshaler{
	"__typename": func(*domain.KeyPair) graphql.Marshaler { return graphql.MarshalString("KeyPairResult") },
	"keyId":      func(pair *domain.KeyPair) graphql.Marshaler { return graphql.MarshalString(pair.KeyID) },
	"algorithm":  func(pair *domain.KeyPair) graphql.Marshaler { return graphql.MarshalString(pair.Algorithm) },
	"keySize":    func(pair *domain.KeyPair) graphql.Marshaler { return graphql.MarshalInt(pair.Bits) },
	"publicKey": func(pair *domain.KeyPair) graphql.Marshaler {
		text, _ := keyPairResult{}.PublicKey(context.Background(), pair) // never fails
		return inQuotes(text)
	},
	"publicKeyBytes": func(pair *domain.KeyPair) graphql.Marshaler {
		if text, _ := (keyPairResult{}).PublicKeyBytes(context.Background(), pair); text != nil { // never fails
			return inQuotes(*text)
		}
		return graphql.Null
	},
}

// inQuotes writes PEM or base64, in which only line feeds need escapes.
// [graphql.MarshalString] would check each of about 2,000 characters.
func inQuotes(text string) graphql.Marshaler {
	return graphql.WriterFunc(func(w io.Writer) {
		_, _ = io.WriteString(w, `"`+strings.ReplaceAll(text, "\n", `\n`)+`"`)
	})
}

// asKeyRequest accepts only fields in keyPairFields, each at most once.
func (h *handler) asKeyRequest(f *ast.Field, input map[string]any) (plain, bool) {
	for i, selection := range f.SelectionSet {
		of, ok := selection.(*ast.Field)
		if !ok || keyPairFields[of.Name] == nil || len(of.Directives) > 0 ||
			slices.ContainsFunc(f.SelectionSet[:i], func(s ast.Selection) bool { return s.(*ast.Field).Alias == of.Alias }) {
			return plain{}, false
		}
	}
	device, ok := input["deviceId"].(string)
	version, isText := input["appVersion"].(string)
	algorithms, isList := strictjson.Strings(input["algorithms"])
	if !ok || !isText && input["appVersion"] != nil || !isList || input["challenge"] != nil {
		return plain{}, false
	}
	id := domain.Identity{DeviceID: device, AppVersion: version, Algorithms: algorithms}
	return plain{field: f, run: func(ctx context.Context) (answer, error) {
		pair, err := h.UseCases.GenerateKey(ctx, id)
		if err != nil {
			return answer{}, err
		}
		return answer{Data: keyPairData(f, &pair)}, nil
	}}, true
}

// keyPairData returns the member data with the key pair.
func keyPairData(f *ast.Field, pair *domain.KeyPair) []byte {
	var out bytes.Buffer
	out.Grow(usualData)
	member := func(before byte, name string) {
		out.WriteByte(before)
		graphql.MarshalString(name).MarshalGQL(&out)
		out.WriteByte(':')
	}
	member('{', f.Alias)
	before := byte('{')
	for _, selection := range f.SelectionSet {
		of := selection.(*ast.Field)
		member(before, of.Alias)
		keyPairFields[of.Name](pair).MarshalGQL(&out)
		before = ','
	}
	out.WriteString("}}")
	return out.Bytes()
}

// usualData is the size in bytes of the PEM of a 3072-bit key and some names.
const usualData = 1 << 10
