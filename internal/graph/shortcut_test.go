package graph

import (
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"strongroom/internal/domain"
)

// TestTheShortcutAnswersLikeTheExecutor sends each document once as it is and
// once with a directive on its field, which nothing but the executor takes.
func TestTheShortcutAnswersLikeTheExecutor(t *testing.T) {
	const declared = "($i: ClientIdentityInput!)"
	const passcode = `{"i":{"encryptedPasscode":"Y3Q=","keyId":"k1","passwordAuthType":"PASSCODE"}}`
	const pin = `{"i":{"encryptedPin":"Y3Q=","keyId":"k1","passwordAuthType":"TRANSACTION_PIN"}}`
	outcomes := map[string]func(*fake){
		"a key":     func(*fake) {},
		"odd texts": func(f *fake) { f.pair.KeyID, f.pair.Algorithm = "\"\\\n\x00<é\xff", "" },
		"a refusal": func(f *fake) { f.err = domain.BadInput("deviceId", "must not be blank") },
		"overload":  func(f *fake) { f.err = domain.Overloaded() },
		"the limit": func(f *fake) { f.err = &domain.KeyGenerationLimitError{ResetIn: time.Minute} },
		"a failure": func(f *fake) { f.err = errors.New("dialing") },
		"a panic":   func(f *fake) { f.panic = canary },
		"a match":   func(f *fake) { f.match, f.mustChange, f.receipt = true, true, "e30.e30.c2ln" },
		"a guess":   func(f *fake) { f.left = new(4) },
		"a rule":    func(f *fake) { f.rule = "blocklist" },
		"a lock": func(f *fake) {
			f.err = &domain.Error{Code: domain.CodeCredentialLocked, Message: "<locked>", RetryAfter: time.Hour}
		},
	}
	for _, tc := range []struct {
		head, field, fields, variables string
		short                          bool
	}{
		{declared, "generateClientEncryptionKey(input: $i)", "keyId publicKey", `{"i":{"deviceId":"d"}}`, true},
		{declared, "a: generateClientEncryptionKey(input: $i)", "b: keyId algorithm c: keySize d: publicKey publicKey __typename", `{"i":{"deviceId":"é","appVersion":"1"}}`, true},
		{declared, "generateClientEncryptionKey(input: $i)", "keyId", `{"i":{"deviceId":"d","appVersion":null}}`, true},
		{`($i: ClientIdentityInput! = {deviceId: "e"})`, "generateClientEncryptionKey(input: $i)", "keyId", ``, true},
		{declared, "generateClientEncryptionKey(input: $i)", "keyId keyId publicKey", `{"i":{"deviceId":"d"}}`, false},
		{declared, "generateClientEncryptionKey(input: $i)", "keyId createdAt expiresAt publicKeyPkcs1", `{"i":{"deviceId":"d"}}`, false},
		{declared, "generateClientEncryptionKey(input: $i)", "keyId publicKey @skip(if: true)", `{"i":{"deviceId":"d"}}`, false},
		{declared, "generateClientEncryptionKey(input: $i) @skip(if: true)", "keyId", `{"i":{"deviceId":"d"}}`, false},
		{declared, "generateClientEncryptionKey(input: $i)", "keyId signedKey", `{"i":{"deviceId":"d"}}`, false},
		{declared, "generateClientEncryptionKey(input: $i)", "keyId", `{"i":{"deviceId":"d","challenge":"0123456789abcdef"}}`, false},
		{declared, "generateClientEncryptionKey(input: $i)", "keyId", `{"i":{"deviceId":"d","challenge":null}}`, true},
		{"($i: String!)", "generateClientEncryptionKey(input: {deviceId: $i})", "keyId", `{"i":"d"}`, false},
		{declared, "rotateClientEncryptionKey(input: $i)", "keyId", `{"i":{"deviceId":"d"}}`, false},
		{"($i: EncryptedVerifyPasscodeInput!)", "verifyUserPasscode(input: $i)", "", passcode, true},
		{"($i: EncryptedVerifyTransactionPinInput!)", "a: verifyTransactionPin(input: $i)", "", pin, true},
		{"($i: EncryptedPasscodeInput!)", "setUserPasscode(input: $i)", "", passcode, true},
		{"($i: EncryptedPasscodeInput!)", "setUserPasscode(input: $i)", "",
			`{"i":{"encryptedPasscode":"Y3Q=","keyId":"k1","passwordAuthType":"TRANSACTION_PIN","encryptedCurrentPasscode":"Y3Y=","mustChange":true}}`, true},
		{"($i: EncryptedTransactionPinInput!)", "\n a: setTransactionPin(input: $i)", "",
			`{"i":{"encryptedPin":"","keyId":"","passwordAuthType":"TRANSACTION_PIN","encryptedCurrentPin":"Y3Y=","mustChange":null}}`, true},
		{`($i: EncryptedVerifyPasscodeInput! = {encryptedPasscode: "Y3Q=", keyId: "k1", passwordAuthType: PASSCODE})`, "verifyUserPasscode(input: $i)", "", "", true},
		{"($k: String!)", `verifyUserPasscode(input: {encryptedPasscode: "Y3Q=", keyId: $k, passwordAuthType: PASSCODE})`, "", `{"k":"k1"}`, false},
		{"($i: EncryptedVerifyPasscodeInput!)", "... { verifyUserPasscode(input: $i) }", "", passcode, false},
	} {
		document := func(directive string) string {
			fields := tc.fields
			if fields != "" {
				fields = " { " + fields + " }"
			}
			return fmt.Sprintf("mutation%s { %s%s%s }", tc.head, tc.field, directive, fields)
		}
		query, slow := document(""), document(" @include(if: true)")
		if strings.HasPrefix(tc.field, "...") {
			slow = query
		}
		for name, outcome := range outcomes {
			short, long := newStand(true), newStand(true)
			outcome(short.fake)
			outcome(long.fake)
			got := short.post(t, query, tc.variables)
			want := long.post(t, slow, tc.variables)
			if got.Status != want.Status || got.Text != want.Text || !cmp.Equal(got.Header, want.Header) {
				t.Errorf("%s, %s:\ngot  %d %v %s\nwant %d %v %s", query, name, got.Status, got.Header, got.Text, want.Status, want.Header, want.Text)
			}
			if diff := cmp.Diff(long.calls, short.calls, cmpopts.EquateComparable(netip.Addr{})); diff != "" {
				t.Errorf("%s, %s: %s", query, name, diff)
			}
			if name == "a panic" && tc.short && !strings.Contains(short.log.String(), "fake_test.go") {
				t.Errorf("%s: the log does not say where it panicked: %s", query, short.log)
			}
			if strings.Contains(short.log.String(), canary) {
				t.Errorf("%s: the value of the panic came out: %s", query, short.log)
			}
		}
		op, errs := newStand(true).handler.(*handler).decode(nil, request(encode(t, query, tc.variables)), true)
		if len(errs) > 0 {
			t.Fatalf("%s: %v", query, errs)
		}
		if _, taken := newStand(true).handler.(*handler).asPlain(op); taken != tc.short {
			t.Errorf("%s: taken: %v", query, taken)
		}
	}
}

// An input field that the shortcut does not know would have no effect there.
func TestTheShortcutKnowsAllInputFields(t *testing.T) {
	known := map[string][]string{"generateClientEncryptionKey": {"deviceId", "appVersion", "algorithms", "challenge"}}
	for name, to := range submissionFields {
		known[name] = []string{"keyId", "passwordAuthType", "mustChange", to.secret, to.current}
	}
	for name, fields := range known {
		input := schema.Types[schema.Mutation.Fields.ForName(name).Arguments.ForName("input").Type.Name()]
		for _, f := range input.Fields {
			if !slices.Contains(fields, f.Name) {
				t.Errorf("%s: the shortcut does not know %s", name, f.Name)
			}
		}
	}
}
