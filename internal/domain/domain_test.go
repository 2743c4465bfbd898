package domain

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"
)

func TestIdentity(t *testing.T) {
	long := strings.Repeat("x", MaxDeviceIDBytes)
	good := []Identity{
		{DeviceID: "d"}, {DeviceID: long}, {DeviceID: "📱", AppVersion: "1.0"}, {DeviceID: `'; DROP TABLE--`},
		{DeviceID: "../../etc/passwd"}, {DeviceID: "<b>&amp;"}, {DeviceID: " d "}, {DeviceID: "d", AppVersion: strings.Repeat("é", MaxAppVersionRunes)},
	}
	for _, id := range good {
		if err := id.Validate(); err != nil {
			t.Errorf("%.20q: %v", id.DeviceID, err)
		}
	}
	bad := map[string]Identity{
		"deviceId":    {DeviceID: ""},
		"deviceId ":   {DeviceID: " \u00a0"},
		"deviceId  ":  {DeviceID: long + "x"},
		"deviceId 3":  {DeviceID: "a\x00b"},
		"deviceId 4":  {DeviceID: "a\u0085"},
		"deviceId 5":  {DeviceID: "a\xff"},
		"appVersion":  {DeviceID: "d", AppVersion: "1\n"},
		"appVersion ": {DeviceID: "d", AppVersion: strings.Repeat("1", MaxAppVersionRunes+1)},
	}
	for name, id := range bad {
		err := id.Validate()
		if err == nil || !strings.Contains(err.Error(), strings.Fields(name)[0]) {
			t.Errorf("%q: %v, want a refusal that names the field", id.DeviceID, err)
		}
	}
}

func TestPolicy(t *testing.T) {
	tests := []struct {
		typ    CredentialType
		secret string
		want   Rule
	}{
		{Passcode, "abcd", ""}, {Passcode, "abc", RuleTooShort}, {Passcode, strings.Repeat("p", 128), ""},
		{Passcode, strings.Repeat("p", 129), RuleTooLong}, {Passcode, "ab\xffcd", RuleNotUTF8}, {Passcode, " pé ", ""},
		{TransactionPIN, "0000", ""}, {TransactionPIN, "000", RuleTooShort}, {TransactionPIN, "123456789012", ""},
		{TransactionPIN, "1234567890123", RuleTooLong}, {TransactionPIN, "12a4", RuleDigitsOnly},
		{TransactionPIN, "١٢٣٤", RuleDigitsOnly}, {TransactionPIN, "", RuleTooShort},
	}
	for _, tt := range tests {
		if got := CheckPolicy(tt.typ, Secret(tt.secret)); got != tt.want {
			t.Errorf("%s %q: %q, want %q", tt.typ, tt.secret, got, tt.want)
		}
	}
}

func TestASecretNeverPrintsItself(t *testing.T) {
	const plain = "hunter2"
	s := Secret(plain)
	var out bytes.Buffer
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d"} {
		fmt.Fprintf(&out, verb+"\n", s)
		fmt.Fprintf(&out, verb+"\n", struct{ S Secret }{s})
		fmt.Fprintf(&out, verb+"\n", []Secret{s})
	}
	j, err := json.Marshal(map[string]any{"s": s})
	if err != nil {
		t.Fatal(err)
	}
	out.Write(j)
	slog.New(slog.NewTextHandler(&out, nil)).Info("x", "s", s, "in", struct{ S Secret }{s})
	slog.New(slog.NewJSONHandler(&out, nil)).Info("x", "s", s, "in", struct{ S Secret }{s})
	for _, form := range []string{plain, "68756e74657232", "aHVudGVyMg", "104 117"} {
		if strings.Contains(strings.ToLower(out.String()), strings.ToLower(form)) {
			t.Errorf("the secret shows as %s in:\n%s", form, out.String())
		}
	}
	s.Wipe()
	if !bytes.Equal(s, make([]byte, len(plain))) {
		t.Error("Wipe left something")
	}
}

func TestKeyUse(t *testing.T) {
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	sealed := []byte{1}
	tests := []struct {
		name        string
		key         DeviceKey
		set, verify bool
	}{
		{"active", DeviceKey{State: KeyActive, Sealed: sealed}, true, true},
		{"valid until later", DeviceKey{State: KeyActive, Sealed: sealed, ExpiresAt: now.Add(1)}, true, true},
		{"validity just ended", DeviceKey{State: KeyActive, Sealed: sealed, ExpiresAt: now}, false, false},
		{"rotated", DeviceKey{State: KeyInvalidated, Sealed: sealed}, false, false},
		{"in grace", DeviceKey{State: KeyInvalidated, Sealed: sealed, GraceUntil: now.Add(1)}, false, true},
		{"grace just ended", DeviceKey{State: KeyInvalidated, Sealed: sealed, GraceUntil: now}, false, false},
		{"revoked in grace", DeviceKey{State: KeyRevoked, Sealed: sealed, GraceUntil: now.Add(1)}, false, false},
		{"erased", DeviceKey{State: KeyActive}, false, false},
	}
	for _, tt := range tests {
		if set, verify := tt.key.Usable(ForSet, now), tt.key.Usable(ForVerify, now); set != tt.set || verify != tt.verify {
			t.Errorf("%s: set %v, verify %v", tt.name, set, verify)
		}
	}
}

func TestKeyGenerationLimitRoundsUp(t *testing.T) {
	for d, want := range map[time.Duration]int64{24 * time.Hour: 1440, time.Millisecond: 1, time.Minute: 1, time.Minute + 1: 2} {
		if got := (&KeyGenerationLimitError{ResetIn: d}).Minutes(); got != want {
			t.Errorf("%v: %d minutes, want %d", d, got, want)
		}
	}
}

func TestFieldBoundariesChangeTheEncoding(t *testing.T) {
	if bytes.Equal(Encode([]byte("ab"), []byte("c")), Encode([]byte("a"), []byte("bc"))) {
		t.Error("two different records have the same encoding")
	}
}
