package graph

import (
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"strongroom/internal/domain"
)

// bad is a well-formed request whose document or variables are refused.
type bad struct {
	query, variables string
	code             domain.Code
	message          string
}

const (
	badInput = domain.CodeBadUserInput
	noGood   = domain.CodeGraphQLInvalid
)

// badValues are wrong in their values. The message names the field and says
// what is expected.
var badValues = map[string]bad{
	"no argument":            {`mutation { rotateClientEncryptionKey { keyId } }`, "", badInput, "input is missing: it must be an object of the fields of ClientIdentityInput."},
	"argument null":          {`mutation { rotateClientEncryptionKey(input: null) { keyId } }`, "", badInput, "input must not be null: it must be an object of the fields of ClientIdentityInput."},
	"argument a string":      {`mutation { rotateClientEncryptionKey(input: "hunter2canary") { keyId } }`, "", badInput, "input must be an object of the fields of ClientIdentityInput."},
	"argument a list":        {`mutation { rotateClientEncryptionKey(input: [{deviceId: "hunter2canary"}]) { keyId } }`, "", badInput, "input must be an object of the fields of ClientIdentityInput."},
	"unknown argument":       {`mutation { rotateClientEncryptionKey(input: {deviceId: "d"}, hunter2canary: 1) { keyId } }`, "", badInput, "rotateClientEncryptionKey has no such argument; it has input."},
	"field missing":          {`mutation { rotateClientEncryptionKey(input: {}) { keyId } }`, "", badInput, "deviceId is missing: it must be a string."},
	"field in another case":  {`mutation { rotateClientEncryptionKey(input: {deviceID: "hunter2canary"}) { keyId } }`, "", badInput, "deviceId is missing: it must be a string."},
	"field null":             {`mutation { rotateClientEncryptionKey(input: {deviceId: null}) { keyId } }`, "", badInput, "deviceId must not be null: it must be a string."},
	"field a number":         {`mutation { rotateClientEncryptionKey(input: {deviceId: 5}) { keyId } }`, "", badInput, "deviceId must be a string."},
	"field a boolean":        {`mutation { rotateClientEncryptionKey(input: {deviceId: true}) { keyId } }`, "", badInput, "deviceId must be a string."},
	"field an enum":          {`mutation { rotateClientEncryptionKey(input: {deviceId: hunter2canary}) { keyId } }`, "", badInput, "deviceId must be a string."},
	"field a list":           {`mutation { rotateClientEncryptionKey(input: {deviceId: ["hunter2canary"]}) { keyId } }`, "", badInput, "deviceId must be a string."},
	"field an object":        {`mutation { rotateClientEncryptionKey(input: {deviceId: {a: "hunter2canary"}}) { keyId } }`, "", badInput, "deviceId must be a string."},
	"optional field a float": {`mutation { rotateClientEncryptionKey(input: {deviceId: "d", appVersion: 1.5}) { keyId } }`, "", badInput, "appVersion must be a string."},
	"unknown field":          {`mutation { rotateClientEncryptionKey(input: {deviceId: "d", hunter2canary: 1}) { keyId } }`, "", badInput, "input has a field that ClientIdentityInput does not have; it has deviceId, appVersion, challenge and algorithms."},
	"an escaped surrogate":   {`mutation { rotateClientEncryptionKey(input: {deviceId: "\ud83d"}) { keyId } }`, "", badInput, "deviceId must not hold U+FFFD or an escaped surrogate: write the character itself, or send a variable."},
	"unknown enum value":     {pinWith(`"k"`, `HUNTER2CANARY`), "", badInput, "passwordAuthType must be PASSCODE or TRANSACTION_PIN."},
	"enum in another case":   {pinWith(`"k"`, `passcode`), "", badInput, "passwordAuthType must be PASSCODE or TRANSACTION_PIN."},
	"enum a string":          {pinWith(`"k"`, `"PASSCODE"`), "", badInput, "passwordAuthType must be PASSCODE or TRANSACTION_PIN."},
	"enum a number":          {pinWith(`"k"`, `0`), "", badInput, "passwordAuthType must be PASSCODE or TRANSACTION_PIN."},
	"keyId null":             {pinWith(`null`, `PASSCODE`), "", badInput, "keyId must not be null: it must be a string."},
	"hours a string":         {`{ getEncryptionMetricsSummary(timeframeHours: "24") }`, "", badInput, "timeframeHours must be a finite number."},
	"hours NaN":              {`{ getEncryptionMetricsSummary(timeframeHours: "NaN") }`, "", badInput, "timeframeHours must be a finite number."},
	"hours NaN as a name":    {`{ getEncryptionMetricsSummary(timeframeHours: NaN) }`, "", badInput, "timeframeHours must be a finite number."},
	"hours beyond a double":  {`{ getEncryptionMetricsSummary(timeframeHours: 1e999) }`, "", badInput, "timeframeHours must be a finite number."},
	"hours a boolean":        {`{ getEncryptionMetricsSummary(timeframeHours: true) }`, "", badInput, "timeframeHours must be a finite number."},
	"@skip without if":       {`{ __typename @skip }`, "", badInput, "if is missing: it must be true or false."},
	"@skip if null":          {`{ __typename @skip(if: null) }`, "", badInput, "if must not be null: it must be true or false."},
	"@include if a string":   {`{ __typename @include(if: "hunter2canary") }`, "", badInput, "if must be true or false."},
	"@skip unknown argument": {`{ __typename @skip(if: true, hunter2canary: 1) }`, "", badInput, "@skip has no such argument; it has if."},
	"in a fragment":          {`mutation { ...f } fragment f on Mutation { rotateClientEncryptionKey(input: {deviceId: 5}) { keyId } }`, "", badInput, "deviceId must be a string."},
	"in a skipped field":     {`mutation { rotateClientEncryptionKey(input: {deviceId: 5}) @skip(if: true) { keyId } }`, "", badInput, "deviceId must be a string."},

	"variable left out":        {rotateVar(`$v: ClientIdentityInput!`, `$v`), `{}`, badInput, "input is missing: it must be an object of the fields of ClientIdentityInput."},
	"no variables":             {rotateVar(`$v: ClientIdentityInput!`, `$v`), ``, badInput, "input is missing: it must be an object of the fields of ClientIdentityInput."},
	"variable null":            {rotateVar(`$v: ClientIdentityInput!`, `$v`), `{"v":null}`, badInput, "input must not be null: it must be an object of the fields of ClientIdentityInput."},
	"variable a string":        {rotateVar(`$v: ClientIdentityInput!`, `$v`), `{"v":"hunter2canary"}`, badInput, "input must be an object of the fields of ClientIdentityInput."},
	"variable a list":          {rotateVar(`$v: ClientIdentityInput!`, `$v`), `{"v":[{"deviceId":"hunter2canary"}]}`, badInput, "input must be an object of the fields of ClientIdentityInput."},
	"variable {}":              {rotateVar(`$v: ClientIdentityInput!`, `$v`), `{"v":{}}`, badInput, "deviceId is missing: it must be a string."},
	"in it, null":              {rotateVar(`$v: ClientIdentityInput!`, `$v`), `{"v":{"deviceId":null}}`, badInput, "deviceId must not be null: it must be a string."},
	"in it, a number":          {rotateVar(`$v: ClientIdentityInput!`, `$v`), `{"v":{"deviceId":5}}`, badInput, "deviceId must be a string."},
	"in it, a boolean":         {rotateVar(`$v: ClientIdentityInput!`, `$v`), `{"v":{"deviceId":true}}`, badInput, "deviceId must be a string."},
	"in it, a list":            {rotateVar(`$v: ClientIdentityInput!`, `$v`), `{"v":{"deviceId":["hunter2canary"]}}`, badInput, "deviceId must be a string."},
	"in it, a list of numbers": {rotateVar(`$v: ClientIdentityInput!`, `$v`), `{"v":{"deviceId":"d","algorithms":[5]}}`, badInput, "algorithms must be a list, and each member must be a string."},
	"in it, null in a list":    {rotateVar(`$v: ClientIdentityInput!`, `$v`), `{"v":{"deviceId":"d","algorithms":[null]}}`, badInput, "algorithms must be a list, and each member must be a string."},
	"an enum in a list":        {`mutation { rotateClientEncryptionKey(input: {deviceId: "d", algorithms: [PASSCODE]}) { keyId } }`, "", badInput, "algorithms must be a list, and each member must be a string."},
	"in it, unknown":           {rotateVar(`$v: ClientIdentityInput!`, `$v`), `{"v":{"deviceId":"d","hunter2canary":1}}`, badInput, "input has a field that ClientIdentityInput does not have; it has deviceId, appVersion, challenge and algorithms."},
	"in it, __typename":        {rotateVar(`$v: ClientIdentityInput!`, `$v`), `{"v":{"deviceId":"d","__typename":"ClientIdentityInput"}}`, badInput, "input has a field that ClientIdentityInput does not have; it has deviceId, appVersion, challenge and algorithms."},
	"string left out":          {rotateVar(`$v: String!`, `{deviceId: $v}`), `{}`, badInput, "deviceId is missing: it must be a string."},
	"string a number":          {rotateVar(`$v: String!`, `{deviceId: $v}`), `{"v":1}`, badInput, "deviceId must be a string."},
	"null beside a default":    {rotateVar(`$v: String = "d"`, `{deviceId: $v}`), `{"v":null}`, badInput, "deviceId must not be null: it must be a string."},
	"a default of its own":     {rotateVar(`$v: String! = 5`, `{deviceId: $v}`), ``, badInput, "The default value of a variable must be a string."},
	"enum variable, case":      {`mutation($v: PASSWORD_AUTH_TYPE!) ` + strings.TrimPrefix(pinWith(`"k"`, `$v`), "mutation "), `{"v":"passcode"}`, badInput, "passwordAuthType must be PASSCODE or TRANSACTION_PIN."},
	"enum variable, number":    {`mutation($v: PASSWORD_AUTH_TYPE!) ` + strings.TrimPrefix(pinWith(`"k"`, `$v`), "mutation "), `{"v":1}`, badInput, "passwordAuthType must be PASSCODE or TRANSACTION_PIN."},
	"hours variable, NaN":      {`query($v: Float) { getEncryptionMetricsSummary(timeframeHours: $v) }`, `{"v":"NaN"}`, badInput, "timeframeHours must be a finite number."},
	"hours variable, string":   {`query($v: Float) { getEncryptionMetricsSummary(timeframeHours: $v) }`, `{"v":"24"}`, badInput, "timeframeHours must be a finite number."},
	"hours variable, huge":     {`query($v: Float) { getEncryptionMetricsSummary(timeframeHours: $v) }`, `{"v":1e999}`, badInput, "timeframeHours must be a finite number."},
	"@skip variable, string":   {`query($v: Boolean!) { __typename @skip(if: $v) }`, `{"v":"true"}`, badInput, "if must be true or false."},
	"@skip variable, null":     {`query($v: Boolean = true) { __typename @skip(if: $v) }`, `{"v":null}`, badInput, "if must not be null: it must be true or false."},

	"two mutations":           {`mutation { ` + rotate("a") + rotate("b") + `}`, "", badInput, oneOnly},
	"two different mutations": {`mutation { a: generateClientEncryptionKey(input: {deviceId: "d"}) { keyId } ` + rotate("b") + `}`, "", badInput, oneOnly},
	"one in a fragment":       {`mutation { ` + rotate("a") + ` ...f } fragment f on Mutation { ` + rotate("b") + `}`, "", badInput, oneOnly},
	"both in inline ones":     {`mutation { ... { ` + rotate("a") + `} ... on Mutation { ` + rotate("b") + `} }`, "", badInput, oneOnly},
	"not really skipped":      {`mutation($s: Boolean!) { ` + rotate("a") + ` ... @skip(if: $s) { ` + rotate("b") + `} }`, `{"s":false}`, badInput, oneOnly},
}

const oneOnly = "An operation must contain only one mutation field. Send each in its own request."

func rotate(alias string) string {
	return alias + `: rotateClientEncryptionKey(input: {deviceId: "d"}) { keyId } `
}

func rotateVar(declaration, input string) string {
	return `mutation(` + declaration + `) { rotateClientEncryptionKey(input: ` + input + `) { keyId } }`
}

func pinWith(keyID, authType string) string {
	return `mutation { verifyTransactionPin(input: {encryptedPin: "x", keyId: ` + keyID + `, passwordAuthType: ` + authType + `}) }`
}

// badDocuments are wrong in themselves.
var badDocuments = map[string]bad{
	"empty":                    {``, "", noGood, "The document contains no operation."},
	"a comment":                {`# hunter2canary`, "", noGood, "The document contains no operation."},
	"a fragment only":          {`fragment f on Query { __typename }`, "", noGood, "The document contains no operation."},
	"syntax":                   {"{\n  hunter2canary(", "", noGood, "The document has a syntax error at line 2, column 17."},
	"an open string":           {`{ f(a: "hunter2canary`, "", noGood, "The document has a syntax error at line 1, column 22."},
	"a bad escape":             {`{ f(a: "\xhunter2canary") }`, "", noGood, "The document has a syntax error at line 1, column 10."},
	"a bad character":          {"{ hunter2canary ^ }", "", noGood, "The document has a syntax error at line 1, column 17."},
	"a type definition":        {`type hunter2canary { a: String }`, "", noGood, "The document has a syntax error at line 1, column 1."},
	"an unknown field":         {`{ hunter2canary }`, "", noGood, "Type Query has no such field; it has getEncryptionMetricsSummary and credentialStatus."},
	"an unknown inner field":   {`mutation { rotateClientEncryptionKey(input: {deviceId: "d"}) { hunter2canary } }`, "", noGood, "Type KeyPairResult has no such field; it has publicKey, keyId, algorithm, keySize, createdAt, expiresAt, publicKeyPkcs1, publicKeyBytes and signedKey."},
	"no selection":             {`mutation { rotateClientEncryptionKey(input: {deviceId: "d"}) }`, "", noGood, "rotateClientEncryptionKey needs a selection of its fields, in braces."},
	"a selection too many":     {`{ getEncryptionMetricsSummary { hunter2canary } }`, "", noGood, "getEncryptionMetricsSummary has no fields to select."},
	"an unknown directive":     {`{ __typename @hunter2canary }`, "", noGood, "This directive does not exist. The directives are @skip and @include, on fields and fragments."},
	"a directive out of place": {`query @skip(if: true) { __typename }`, "", noGood, "This directive does not exist. The directives are @skip and @include, on fields and fragments."},
	"an unknown fragment":      {`{ ...hunter2canary }`, "", noGood, "The document does not define a fragment that it uses."},
	"an unknown type":          {`{ ... on hunter2canary { __typename } }`, "", noGood, "The schema has no such type."},
	"an unknown variable type": {`query($hunter2canary: hunter2canary) { __typename }`, "", noGood, "The schema has no such type."},
	"an output type variable":  {`query($hunter2canary: KeyPairResult) { __typename @skip(if: $hunter2canary) }`, "", noGood, "A variable is used where its declared type does not fit."},
	"a type that cannot apply": {`{ ... on Mutation { __typename } }`, "", noGood, "A fragment can never apply here: it is for another type."},
	"a fragment on a scalar":   {`{ ... on String { __typename } }`, "", noGood, "A fragment must be on an object type."},
	"an unused fragment":       {`{ __typename } fragment hunter2canary on Query { __typename }`, "", noGood, "A fragment is defined but never used."},
	"an unused variable":       {`query($hunter2canary: String) { __typename }`, "", noGood, "A variable is declared but never used."},
	"an undeclared variable":   {`query { __typename @skip(if: $hunter2canary) }`, "", noGood, "The operation does not declare a variable that it uses."},
	"a variable of wrong type": {rotateVar(`$hunter2canary: Int!`, `{deviceId: $hunter2canary}`), `{"hunter2canary":1}`, noGood, "A variable is used where its declared type does not fit."},
	"a nullable variable":      {rotateVar(`$hunter2canary: String`, `{deviceId: $hunter2canary}`), `{"hunter2canary":"d"}`, noGood, "A variable is used where its declared type does not fit."},
	"a variable twice":         {`query($a: Boolean!, $a: Boolean!) { __typename @skip(if: $a) }`, `{"a":true}`, noGood, "A variable is declared twice."},
	"an argument twice":        {`{ getEncryptionMetricsSummary(timeframeHours: 1, timeframeHours: 2) }`, "", noGood, "An argument is given twice."},
	"an input field twice":     {`mutation { rotateClientEncryptionKey(input: {deviceId: "a", deviceId: "b"}) { keyId } }`, "", noGood, "A field of an input object is given twice."},
	"a directive twice":        {`{ __typename @skip(if: true) @skip(if: false) }`, "", noGood, "A directive is given twice."},
	"a conflict":               {`{ a: getEncryptionMetricsSummary(timeframeHours: 1) a: getEncryptionMetricsSummary(timeframeHours: 2) }`, "", noGood, conflict},
	"a conflict of objects":    {`mutation { a: rotateClientEncryptionKey(input: {deviceId: "x"}) { keyId } a: rotateClientEncryptionKey(input: {deviceId: "y"}) { keyId } }`, "", noGood, conflict},
	"a conflict of variables":  {`query($a: Float, $b: Float) { getEncryptionMetricsSummary(timeframeHours: $a) getEncryptionMetricsSummary(timeframeHours: $b) }`, "", noGood, conflict},
	"a conflict of presence":   {`{ getEncryptionMetricsSummary getEncryptionMetricsSummary(timeframeHours: 2) }`, "", noGood, conflict},
	"a conflict in fragments":  {`{ ...f ... { a: getEncryptionMetricsSummary } } fragment f on Query { a: __typename }`, "", noGood, conflict},
	"a conflict below":         {`{ __schema { queryType { a: name } } ...f } fragment f on Query { __schema { queryType { a: kind } } }`, "", noGood, conflict},
	"one name too often":       {`{ ` + strings.Repeat(`__typename `, maxSameName+1) + `}`, "", noGood, tooOften},
	"in fragments too often":   {`{ ...f ... { __typename __typename } } fragment f on Query { __typename ...g } fragment g on Query { __typename t: __typename __typename }`, "", noGood, tooOften},
	"merged too often":         {`{ __schema { description description } __schema { description } ...f } fragment f on Query { __schema { description description } }`, "", noGood, tooOften},
	"too many definitions":     {`{ __typename } ` + numbered(maxDefinitions, `fragment f%d on Query { __typename } `), "", noGood, "A document must hold at most 16 operations and fragments."},
	"two anonymous operations": {`{ __typename } { __typename }`, "", noGood, "An operation without a name must be the only one."},
	"two names":                {`query hunter2canary { __typename } query hunter2canaries { __typename }`, "", noGood, "The document contains several operations. Name one of them in operationName."},
	"a subscription":           {`subscription { hunter2canary }`, "", noGood, "The schema has queries and mutations only."},
	"a cycle":                  {`{ ...a } fragment a on Query { ...b } fragment b on Query { ...a }`, "", noGood, "A fragment must not spread itself."},
	"deep introspection":       {`{ __schema { types { fields { type { fields { type { fields { name } } } } } } } }`, "", noGood, "The introspection nests its lists too deep."},
	"too many tokens":          {`{ ` + strings.Repeat(`__typename `, maxTokens) + `}`, "", noGood, "The document must have at most 1000 tokens."},
	"too deep":                 {`{ __schema { types { ` + strings.Repeat(`ofType { `, maxDepth) + `name` + strings.Repeat(`}`, maxDepth+3), "", noGood, "An operation or fragment must nest at most 20 fields deep."},
	"too many aliases":         {`{ ` + numbered(maxAliases+1, `a%d: __typename `) + `}`, "", noGood, "An operation or fragment must hold at most 15 aliases."},
	"a long alias":             {`{ ` + strings.Repeat(`a`, maxAlias+1) + `: __typename }`, "", noGood, "An alias must have at most 64 characters."},
	"too many queries":         {`{ ` + numbered(maxQueries+1, `a%d: getEncryptionMetricsSummary `) + `}`, "", noGood, "An operation must execute at most 4 query fields. Send the others in another request."},
	"too many aliased objects": {`{ ` + numbered(maxObjects+1, `a%d: __schema { description } `) + `}`, "", noGood, "An operation or fragment must hold at most 3 aliases of fields that have a selection."},
	"too many directives":      {`{ ` + strings.Repeat(`__typename @skip(if: true) `, maxDirectives+1) + `}`, "", noGood, "An operation or fragment must hold at most 50 directives."},
	"too many selections":      {`{ ...a ...a ...a ...a ...a ...a ...a } fragment a on Query { ` + strings.Repeat(`__typename `, 80) + `}`, "", noGood, "An operation or fragment must come to at most 500 selections when fragments are spread."},
	"multiplying fragments":    {multiplying("__typename"), "", noGood, "An operation or fragment must come to at most 500 selections when fragments are spread."},
}

const (
	conflict = "Two fields differ but have the same name in the answer. Give one of them an alias."
	tooOften = "At most 4 selections may have the same name at one level of the answer."
)

// multiplying is a document with as many fragments as allowed, each of which
// multiplies the work by eight.
func multiplying(leaf string) string {
	const n = maxDefinitions - 2
	var b strings.Builder
	b.WriteString(`{ ...f0 } `)
	for i := range n {
		fmt.Fprintf(&b, "fragment f%d on Query { %s} ", i, strings.Repeat(fmt.Sprintf("...f%d ", i+1), 8))
	}
	fmt.Fprintf(&b, "fragment f%d on Query { %s }", n, leaf)
	return b.String()
}

func TestBadInputGetsOneClearErrorAndReachesNothing(t *testing.T) {
	for _, table := range []map[string]bad{badValues, badDocuments} {
		for name, tc := range table {
			for media, status := range map[string]int{mediaJSON: 200, mediaResponse: 400} {
				s := newStand(true)
				got := s.post(t, tc.query, tc.variables, media)
				if got.code() != tc.code || got.message() != tc.message {
					t.Errorf("%s:\ngot  %s\nwant %s %s", name, got.Text, tc.code, tc.message)
				}
				if got.Status != status || got.Data != nil {
					t.Errorf("%s, %s: %d %s", name, media, got.Status, got.Text)
				}
				if diff := cmp.Diff([]domain.Code{tc.code}, s.refused); diff != "" {
					t.Errorf("%s: counted as refused: %s", name, diff)
				}
				if len(s.calls) > 0 || s.log.Len() > 0 {
					t.Errorf("%s: reached %v, logged %s", name, s.calls, s.log)
				}
			}
		}
	}
}

// gqlparser 2.5.64 decodes an escaped surrogate pair. Earlier versions make U+FFFD of it.
func TestAnEscapedSurrogatePairIsItsCharacterOrRefused(t *testing.T) {
	s := newStand(true)
	got := s.post(t, `mutation { rotateClientEncryptionKey(input: {deviceId: "\ud83d\ude00"}) { keyId } }`, "", mediaJSON)
	switch {
	case got.code() == badInput && len(s.calls) == 0:
	case got.code() == "" && len(s.calls) == 1 && s.calls[0].Identity.DeviceID == "😀":
	default:
		t.Errorf("%s, reached %v", got.Text, s.calls)
	}
}

func TestDocumentErrorsHaveLocations(t *testing.T) {
	s := newStand(true)
	for query, want := range map[string]string{
		"{\n  nothing\n}": `"locations":[{"line":2,"column":3}]`,
		"mutation {\n rotateClientEncryptionKey(input: {deviceId: 5}) { keyId } }": `"locations":[{"line":2,"column":35}]`,
		"{": `"locations":[{"line":1,"column":2}]`,
		"query($v: Float) { getEncryptionMetricsSummary(timeframeHours: $v) }": `"locations":[{"line":1,"column":7}]`,
	} {
		if got := s.post(t, query, `{"v":"x"}`); !strings.Contains(got.Text, want) {
			t.Errorf("%q: %s", query, got.Text)
		}
	}
}

func TestErrorsAreReportedOnceAndLimitedInNumber(t *testing.T) {
	s := newStand(true)
	got := s.do(t, request(`{"operationName":"A","query":"query A { ...f } query B { ...f } fragment f on Query { nothing }"}`))
	if len(got.Errors) != 1 {
		t.Errorf("one fault: %s", got.Text)
	}
	if got := s.post(t, `{ `+strings.Repeat("nothing ", 400)+`}`, ""); len(got.Errors) != maxErrors {
		t.Errorf("400 faults: %d errors", len(got.Errors))
	}
}

func TestSkippedAndMergedFieldsAreNotCounted(t *testing.T) {
	for name, tc := range map[string]struct {
		query, variables string
		calls            int
	}{
		"skipped":             {`mutation { ` + rotate("a") + `... @skip(if: true) { ` + rotate("b") + `} }`, "", 1},
		"skipped by variable": {`mutation($s: Boolean!) { ` + rotate("a") + `... @include(if: $s) { ` + rotate("b") + `} }`, `{"s":false}`, 1},
		"both skipped":        {`mutation { ` + strings.Repeat(`... @skip(if: true) { `+rotate("b")+`} `, 2) + `}`, "", 0},
		"merged":              {`mutation { ` + rotate("a") + rotate("a") + `...f } fragment f on Mutation { ` + rotate("a") + `}`, "", 1},
		"four queries":        {`{ __typename __schema { description } ` + numbered(maxQueries, `a%d: getEncryptionMetricsSummary `) + `... @skip(if: true) { getEncryptionMetricsSummary } }`, "", maxQueries},
		"beside __typename":   {`mutation { __typename t: __typename ` + rotate("a") + `}`, "", 1},
	} {
		s := newStand(true)
		got := s.post(t, tc.query, tc.variables)
		if len(got.Errors) > 0 || len(s.calls) != tc.calls {
			t.Errorf("%s: %s, %d calls", name, got.Text, len(s.calls))
		}
	}
}

// A proxy reads the variable input. A request for a key must not name its device in
// another place.
func TestARoutedRequestForAKeyTakesItsInputFromTheVariable(t *testing.T) {
	const key, both = `generateClientEncryptionKey(input: $input) { keyId } `, `{"input":{"deviceId":"decoy"},"i":{"deviceId":"other"}}`
	for name, tc := range map[string]struct {
		query, variables string
		routed           bool
	}{
		"the variable":              {`mutation($input: ClientIdentityInput!) { ` + key + `}`, `{"input":{"deviceId":"own"}}`, true},
		"rotated":                   {`mutation($input: ClientIdentityInput!) { r: rotateClientEncryptionKey(input: $input) { keyId } }`, both, true},
		"a fragment":                {`mutation($input: ClientIdentityInput!) { __typename ...f } fragment f on Mutation { ` + key + `}`, both, true},
		"merged":                    {`mutation($input: ClientIdentityInput!) { ` + key + key + `}`, both, true},
		"the variable of a verify":  {`mutation($i: EncryptedVerifyPasscodeInput!) { verifyUserPasscode(input: $i) }`, `{"i":{"keyId":"k","encryptedPasscode":"AAAA","passwordAuthType":"PASSCODE"}}`, true},
		"another variable":          {`mutation($i: ClientIdentityInput!) { generateClientEncryptionKey(input: $i) { keyId } }`, both, false},
		"another variable, rotated": {`mutation($i: ClientIdentityInput!) { rotateClientEncryptionKey(input: $i) { keyId } }`, both, false},
		"in the document":           {`mutation { generateClientEncryptionKey(input: {deviceId: "other"}) { keyId } }`, both, false},
		"half in the document":      {`mutation($input: String!) { generateClientEncryptionKey(input: {deviceId: $input}) { keyId } }`, `{"input":"other"}`, false},
		"a default value":           {`mutation($input: ClientIdentityInput! = {deviceId: "other"}) { ` + key + `}`, `{"i":{"deviceId":"decoy"}}`, false},
		"a fragment of another":     {`mutation($i: ClientIdentityInput!) { ...f } fragment f on Mutation { generateClientEncryptionKey(input: $i) { keyId } }`, both, false},
		"skipped beside another":    {`mutation($input: ClientIdentityInput!, $i: ClientIdentityInput!) { ... @skip(if: true) { ` + key + `} r: rotateClientEncryptionKey(input: $i) { keyId } }`, both, false},
	} {
		for _, routed := range []bool{false, true} {
			s := standOf(Config{Routed: routed})
			got := s.post(t, tc.query, tc.variables)
			if want := tc.routed || !routed; (len(s.calls) == 1) != want || (got.code() == badInput && strings.HasPrefix(got.message(), "input must be")) == want {
				t.Errorf("%s, routed %v: %s, %d calls", name, routed, got.Text, len(s.calls))
			}
		}
	}
	s := standOf(Config{Routed: true})
	got := s.do(t, request(`{"operationName":"B","variables":`+both+`,"query":"mutation A($input: ClientIdentityInput!) { `+key+`} mutation B($i: ClientIdentityInput!) { generateClientEncryptionKey(input: $i) { keyId } }"}`))
	if got.code() != badInput || len(s.calls) > 0 {
		t.Errorf("the second of two operations: %s, %d calls", got.Text, len(s.calls))
	}
}

func TestWithoutIntrospectionErrorsDoNotRevealTheSchema(t *testing.T) {
	s := newStand(false)
	for query, want := range map[string]struct {
		code    domain.Code
		message string
	}{
		`{ __schema { types { name } } }`:                              {domain.CodeOperationDisabled, "Introspection is turned off."},
		`{ __type(name: "Query") { name } }`:                           {domain.CodeOperationDisabled, "Introspection is turned off."},
		`{ ...f } fragment f on Query { __schema { types { name } } }`: {domain.CodeOperationDisabled, "Introspection is turned off."},
		`{ nothing }`: {noGood, "Type Query has no such field."},
		`{ getEncryptionMetricsSummary(nothing: 1) }`:                                          {badInput, "getEncryptionMetricsSummary has no such argument."},
		`mutation { rotateClientEncryptionKey(input: {deviceId: "d", nothing: 1}) { keyId } }`: {badInput, "input has a field that ClientIdentityInput does not have."},
	} {
		got := s.post(t, query, "")
		if got.code() != want.code || got.message() != want.message {
			t.Errorf("%s: %s", query, got.Text)
		}
	}
	if got := s.post(t, `{ __typename }`, ""); string(got.Data) != `{"__typename":"Query"}` {
		t.Errorf("__typename does not count as introspection: %s", got.Text)
	}
}

// Each of these documents is small and would keep a careless validator or executor
// busy for minutes, or forever.
func TestSmallDocumentsCostLittle(t *testing.T) {
	var clique strings.Builder // fragments that each spread all others
	clique.WriteString(`{ __schema { ...f0 } } `)
	for i := range maxDefinitions - 1 {
		fmt.Fprintf(&clique, "fragment f%d on __Schema { ", i)
		for j := range maxDefinitions - 1 {
			if i != j {
				fmt.Fprintf(&clique, "...f%d ", j)
			}
		}
		clique.WriteString(`} `)
	}
	documents := map[string]string{
		"multiplying":                     multiplying("__typename"),
		"multiplying nothing":             multiplying("...nowhere"),
		"multiplying a cycle":             multiplying("...f14"),
		"multiplying under introspection": strings.ReplaceAll(strings.Replace(multiplying("description"), "{ ...f0 }", "{ __schema { ...f0 } }", 1), "on Query", "on __Schema"),
		"multiplying, unused":             strings.Replace(multiplying("__schema { description }"), "{ ...f0 }", "{ __typename }", 1),
		"all spread all":                  clique.String(),
		"many conflicts":                  `{ ` + strings.Repeat(`a: getEncryptionMetricsSummary `, 7) + strings.Repeat(`a: __typename `, 7) + `}`,
		"open braces":                     strings.Repeat(`{a`, maxTokens),
		"open lists":                      `{ f(a: ` + strings.Repeat(`[`, maxTokens),
		"comments":                        strings.Repeat("#\n", maxBody/4),
		"the widest introspection": `{ __schema { types { ` + wide + ` fields { ` + wide + ` type { ` + wide + ` fields { ` + wide +
			` args { ` + wide + ` type { ` + wide + ` enumValues { ` + wide + ` } } } } } } } } }`,
	}
	maps.Copy(documents, dear())
	for name, query := range documents {
		done := make(chan response, 1)
		go func() { done <- newStand(true).post(t, query, "") }()
		select {
		case got := <-done:
			if len(got.Text) > maxIntrospection {
				t.Errorf("%s: an answer of %d bytes", name, len(got.Text))
			}
		case <-time.After(time.Minute):
			t.Fatalf("%s: it did not end within a minute", name)
		}
	}
}

const wide = `__typename name description`
