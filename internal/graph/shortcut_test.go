package graph

import (
	"errors"
	"fmt"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"strongroom/internal/domain"
)

// TestTheShortcutAnswersLikeTheExecutor sends each document once as it is and
// once with a fragment around its fields, which nothing but the executor takes.
func TestTheShortcutAnswersLikeTheExecutor(t *testing.T) {
	const declared = "($i: ClientIdentityInput!)"
	outcomes := map[string]func(*fake){
		"a key":     func(*fake) {},
		"odd texts": func(f *fake) { f.pair.KeyID, f.pair.Algorithm = "\"\\\n\x00<é\xff", "" },
		"a refusal": func(f *fake) { f.err = domain.BadInput("deviceId", "must not be blank") },
		"overload":  func(f *fake) { f.err = domain.Overloaded() },
		"the limit": func(f *fake) { f.err = &domain.KeyGenerationLimitError{ResetIn: time.Minute} },
		"a failure": func(f *fake) { f.err = errors.New("dialing") },
		"a panic":   func(f *fake) { f.panic = canary },
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
	} {
		query := fmt.Sprintf("mutation%s { %s { %s } }", tc.head, tc.field, tc.fields)
		for name, outcome := range outcomes {
			short, long := newStand(true), newStand(true)
			outcome(short.fake)
			outcome(long.fake)
			got := short.post(t, query, tc.variables)
			want := long.post(t, strings.ReplaceAll(query, tc.fields, "... {"+tc.fields+"}"), tc.variables)
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
		if _, taken := asKeyRequest(op); taken != tc.short {
			t.Errorf("%s: taken: %v", query, taken)
		}
	}
}
