package domain

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestARefusalForAMissingScopeIsTrueInItsMode(t *testing.T) {
	for mode, want := range map[Mode]string{
		ModeDevice:  "This needs the scope credential:reset, which no caller has in device mode. Ask an operator of the service to do it.",
		ModeJWT:     "The caller lacks the scope credential:reset. Ask for a token that has it.",
		ModeGateway: "The caller lacks the scope credential:reset. Ask for a token that has it.",
	} {
		if err := (Caller{Mode: mode}).Require(MayResetCredential); err == nil || err.(*Error).Message != want {
			t.Errorf("%s: got %v, want %s", mode, err, want)
		}
	}
}

func TestErrorExtensionsCarryTheDetailsOfTheMessage(t *testing.T) {
	now := time.Unix(1_000_000, 0)
	for name, c := range map[string]struct {
		err  error
		want map[string]any
	}{
		"scope":   {Caller{}.Require(MayVerifyCredential), map[string]any{"code": CodeForbidden, "reason": "MISSING_SCOPE", "requiredScope": "credential:verify"}},
		"field":   {BadInput("deviceId", "must not be blank"), map[string]any{"code": CodeBadUserInput, "field": "deviceId"}},
		"load":    {Overloaded(), map[string]any{"code": CodeOverloaded, "reason": "AT_CAPACITY", "retryAfterSeconds": int64(1)}},
		"one key": {ErrKeyNotUsable, map[string]any{"code": CodeKeyNotUsable}},
		"decrypt": {ErrDecryptionFailed, map[string]any{"code": CodeDecryptionFailed}},
		"account": {LockedError(Attempts{LockedUntil: now.Add(time.Minute)}, "d", now),
			map[string]any{"code": CodeCredentialLocked, "lockScope": "ACCOUNT", "retryAfterSeconds": int64(60)}},
		"account permanently": {LockedError(Attempts{Permanent: true}, "d", now),
			map[string]any{"code": CodeCredentialLocked, "lockScope": "ACCOUNT", "permanent": true}},
		"device": {LockedError(Attempts{Devices: []DeviceAttempts{{Device: "d", LockedUntil: now.Add(time.Minute)}}}, "d", now),
			map[string]any{"code": CodeCredentialLocked, "lockScope": "DEVICE", "retryAfterSeconds": int64(60)}},
	} {
		if diff := cmp.Diff(c.want, c.err.(*Error).Extensions()); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}
