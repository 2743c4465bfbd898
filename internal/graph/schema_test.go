package graph

import (
	"encoding/json"
	"maps"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/formatter"

	"strongroom/internal/domain"
)

// introspected is the part of an introspection answer that is compared.
type introspected struct {
	Description string
	Types       []struct {
		Kind, Name, Description string
		Fields, InputFields     []introspectedField
		EnumValues              []introspectedField
	}
	Directives []struct{ Name string }
}

type introspectedField struct {
	Name, Description string
	Type              typeRef
	DefaultValue      *string
	Args              []introspectedField
}

type typeRef struct {
	Kind, Name string
	OfType     *typeRef
}

func (t typeRef) String() string {
	switch t.Kind {
	case "NON_NULL":
		return t.OfType.String() + "!"
	case "LIST":
		return "[" + t.OfType.String() + "]"
	}
	return t.Name
}

// introspect asks what graphql-js asks with every option on.
func introspect(t *testing.T) introspected {
	t.Helper()
	query, err := os.ReadFile("testdata/introspection.graphql")
	if err != nil {
		t.Fatal(err)
	}
	got := newStand(true).post(t, string(query), "")
	var data struct {
		Schema introspected `json:"__schema"`
	}
	if len(got.Errors) > 0 {
		t.Fatalf("the introspection query of graphql-js is refused: %s", got.Text)
	}
	if err := json.Unmarshal(got.Data, &data); err != nil {
		t.Fatal(err)
	}
	return data.Schema
}

// The left side is the specification, with the nullability of results and the
// additional fields of the key pair that the design decides, and later additions.
func TestTheSchemaMatchesTheSpecification(t *testing.T) {
	passcode := map[string]string{"encryptedPasscode": "String!", "keyId": "String!", "passwordAuthType": "PASSWORD_AUTH_TYPE!"}
	pin := map[string]string{"encryptedPin": "String!", "keyId": "String!", "passwordAuthType": "PASSWORD_AUTH_TYPE!"}
	want := map[string]map[string]string{
		"Query": {
			"getEncryptionMetricsSummary(timeframeHours: Float = 24)": "String",
			"credentialStatus(input: CredentialStatusInput!)":         "CredentialStatus", // ours
		},
		"Mutation": {
			"generateClientEncryptionKey(input: ClientIdentityInput!)":         "KeyPairResult",
			"rotateClientEncryptionKey(input: ClientIdentityInput!)":           "KeyPairResult",
			"encryptDataLikeClient(input: EncryptDataPayload!)":                "EncryptDataResult",
			"setUserPasscode(input: EncryptedPasscodeInput!)":                  "Boolean",
			"verifyUserPasscode(input: EncryptedVerifyPasscodeInput!)":         "Boolean",
			"setTransactionPin(input: EncryptedTransactionPinInput!)":          "Boolean",
			"verifyTransactionPin(input: EncryptedVerifyTransactionPinInput!)": "Boolean",
			"authorizeTransaction(input: TransactionAuthorizationInput!)":      "TransactionAuthorization",
		},
		"CredentialStatusInput": {"keyId": "String!", "passwordAuthType": "PASSWORD_AUTH_TYPE!"},
		"CredentialStatus": {"isSet": "Boolean!", "attemptsLeft": "Int!", "lockedUntil": "String", "permanentlyLocked": "Boolean!",
			"mustChange": "Boolean!", "updatedAt": "String"},
		"TransactionAuthorizationInput": {"encryptedAuthorization": "String!", "keyId": "String!", "passwordAuthType": "PASSWORD_AUTH_TYPE!",
			"transaction": "String!"},
		"TransactionAuthorization":           {"authorized": "Boolean!", "receipt": "String", "expiresAt": "String"},
		"ClientIdentityInput":                {"deviceId": "String!", "appVersion": "String", "challenge": "String", "algorithms": "[String!]"},
		"EncryptDataPayload":                 {"body": "String!", "publicKey": "String!", "operation": "String", "keyId": "String", "passwordAuthType": "PASSWORD_AUTH_TYPE"},
		"EncryptDataResult":                  {"encryptedData": "String!"},
		"EncryptedPasscodeInput":             with(passcode, map[string]string{"encryptedCurrentPasscode": "String", "mustChange": "Boolean"}),
		"EncryptedVerifyPasscodeInput":       passcode,
		"EncryptedTransactionPinInput":       with(pin, map[string]string{"encryptedCurrentPin": "String", "mustChange": "Boolean"}),
		"EncryptedVerifyTransactionPinInput": pin,
		"PASSWORD_AUTH_TYPE":                 {"PASSCODE": "", "TRANSACTION_PIN": ""},
		"KeyPairResult": {"publicKey": "String!", "keyId": "String!", "algorithm": "String!", "keySize": "Int!",
			"createdAt": "String!", "expiresAt": "String", "publicKeyPkcs1": "String!", "publicKeyBytes": "String", "signedKey": "String"},
	}
	got := map[string]map[string]string{}
	for _, def := range introspect(t).Types {
		if def.Kind == "SCALAR" || strings.HasPrefix(def.Name, "__") {
			continue
		}
		got[def.Name] = map[string]string{}
		for _, f := range append(append(def.Fields, def.InputFields...), def.EnumValues...) {
			got[def.Name][signature(f)] = f.Type.String()
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// with is an input type of the specification with optional fields of ours.
func with(fields, ours map[string]string) map[string]string {
	fields = maps.Clone(fields)
	maps.Copy(fields, ours)
	return fields
}

func signature(f introspectedField) string {
	s := f.Name
	for _, arg := range f.Args {
		s += "(" + arg.Name + ": " + arg.Type.String()
		if arg.DefaultValue != nil {
			s += " = " + *arg.DefaultValue
		}
		s += ")"
	}
	return s
}

func TestEverythingInTheSchemaIsDescribed(t *testing.T) {
	s := introspect(t)
	described := map[string]string{"the schema": s.Description}
	for _, def := range s.Types {
		if strings.HasPrefix(def.Name, "__") {
			continue
		}
		described[def.Name] = def.Description
		for _, f := range append(append(def.Fields, def.InputFields...), def.EnumValues...) {
			described[def.Name+"."+f.Name] = f.Description
			for _, arg := range f.Args {
				described[def.Name+"."+f.Name+"."+arg.Name] = arg.Description
			}
		}
	}
	for name, description := range described {
		if strings.TrimSpace(description) == "" {
			t.Errorf("%s has no description", name)
		}
	}
}

func TestDescriptionsOfRootFieldsNameTheirErrorCodes(t *testing.T) {
	for _, def := range introspect(t).Types {
		if def.Name != "Query" && def.Name != "Mutation" {
			continue
		}
		for _, f := range def.Fields {
			if !strings.Contains(f.Description, "Errors: `"+string(domain.CodeBadUserInput)+"`") {
				t.Errorf("%s does not say which errors it answers", f.Name)
			}
		}
	}
}

func TestOnlySupportedDirectivesAreOffered(t *testing.T) {
	var got []string
	for _, d := range introspect(t).Directives {
		got = append(got, d.Name)
	}
	if diff := cmp.Diff([]string{"deprecated", "include", "oneOf", "skip", "specifiedBy"}, got); diff != "" {
		t.Error(diff)
	}
	deferred := newStand(true).post(t, `{ ... @defer { getEncryptionMetricsSummary } }`, "")
	if deferred.code() != domain.CodeGraphQLInvalid {
		t.Errorf("@defer: %s", deferred.Text)
	}
}

func TestTheSDLMatchesTheServedSchema(t *testing.T) {
	parsed, err := gqlparser.LoadSchema(&ast.Source{Input: SDL()})
	if err != nil {
		t.Fatal(err)
	}
	delete(parsed.Directives, "defer")
	text := func(s *ast.Schema) string {
		var b strings.Builder
		formatter.NewFormatter(&b).FormatSchema(s)
		return b.String()
	}
	if diff := cmp.Diff(text(parsed), text(schema)); diff != "" {
		t.Errorf("run go generate:\n%s", diff)
	}
}

// A new scalar of the schema must be added to coerce, which refuses unknown scalars.
func TestEveryInputTypeCanBeCoerced(t *testing.T) {
	for _, def := range schema.Types {
		for _, f := range def.Fields {
			types := map[string]*ast.Type{}
			for _, arg := range f.Arguments {
				types[arg.Name] = arg.Type
			}
			if def.Kind == ast.InputObject {
				types[f.Name] = f.Type
			}
			for name, typ := range types {
				if strings.Contains(must(typ), "must be of type") {
					t.Errorf("%s.%s.%s: coerce does not know %s", def.Name, f.Name, name, typ)
				}
			}
		}
	}
}
