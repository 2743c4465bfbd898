package graph

import (
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"strongroom/internal/domain"
)

func TestEachOperationCallsItsUseCase(t *testing.T) {
	caller := domain.Caller{Mode: domain.ModeDevice, RequestID: requestID}
	submission := func(t domain.CredentialType) domain.Submission {
		return domain.Submission{Type: t, Declared: t, Ciphertext: "Y3Q=", KeyID: "k1"}
	}
	const passcode = `{"encryptedPasscode":"Y3Q=","keyId":"k1","passwordAuthType":"PASSCODE"}`
	const replacing = `{"encryptedPin":"Y3Q=","keyId":"k1","passwordAuthType":"TRANSACTION_PIN","encryptedCurrentPin":"b2xk"}`
	replacement := submission(domain.TransactionPIN)
	replacement.Current = new("b2xk")
	marked := submission(domain.TransactionPIN)
	marked.MustChange = new(true)
	const pin = `{"encryptedPin":"Y3Q=","keyId":"k1","passwordAuthType":"TRANSACTION_PIN"}`
	for _, tc := range []struct {
		field, inputType, input string
		want                    call
		data                    string
	}{
		{"generateClientEncryptionKey", "ClientIdentityInput", `{"deviceId":"d1","appVersion":"1.2"}`,
			call{Name: "GenerateKey", Identity: domain.Identity{DeviceID: "d1", AppVersion: "1.2"}}, `{"keyId":"thekeyid"}`},
		{"generateClientEncryptionKey", "ClientIdentityInput", `{"deviceId":"<é😀\"/>","appVersion":null}`,
			call{Name: "GenerateKey", Identity: domain.Identity{DeviceID: `<é😀"/>`}}, `{"keyId":"thekeyid"}`},
		{"generateClientEncryptionKey", "ClientIdentityInput", `{"deviceId":"d1","challenge":""}`, // the use case refuses it
			call{Name: "GenerateKey", Identity: domain.Identity{DeviceID: "d1", Challenge: new("")}}, `{"keyId":"thekeyid"}`},
		{"rotateClientEncryptionKey", "ClientIdentityInput", `{"deviceId":"d1","challenge":null}`,
			call{Name: "RotateKey", Identity: domain.Identity{DeviceID: "d1"}}, `{"keyId":"thekeyid"}`},
		{"rotateClientEncryptionKey", "ClientIdentityInput", `{"deviceId":"d1"}`,
			call{Name: "RotateKey", Identity: domain.Identity{DeviceID: "d1"}}, `{"keyId":"thekeyid"}`},
		{"encryptDataLikeClient", "EncryptDataPayload", `{"body":"1234","publicKey":"PEM"}`,
			call{Name: "EncryptLikeClient", Body: "1234", PublicKey: "PEM"}, `{"encryptedData":"Y2lwaGVydGV4dA=="}`},
		{"setUserPasscode", "EncryptedPasscodeInput", passcode, call{Name: "Set", Submission: submission(domain.Passcode)}, `true`},
		{"verifyUserPasscode", "EncryptedVerifyPasscodeInput", passcode, call{Name: "Verify", Submission: submission(domain.Passcode)}, `true`},
		{"setTransactionPin", "EncryptedTransactionPinInput", pin, call{Name: "Set", Submission: submission(domain.TransactionPIN)}, `true`},
		{"setTransactionPin", "EncryptedTransactionPinInput", replacing, call{Name: "Set", Submission: replacement}, `true`},
		{"setUserPasscode", "EncryptedPasscodeInput", `{"encryptedCurrentPasscode":null,` + passcode[1:], call{Name: "Set", Submission: submission(domain.Passcode)}, `true`},
		{"setTransactionPin", "EncryptedTransactionPinInput", `{"mustChange":true,` + pin[1:], call{Name: "Set", Submission: marked}, `true`},
		{"setTransactionPin", "EncryptedTransactionPinInput", `{"mustChange":null,` + pin[1:], call{Name: "Set", Submission: submission(domain.TransactionPIN)}, `true`},
		{"verifyTransactionPin", "EncryptedVerifyTransactionPinInput", pin, call{Name: "Verify", Submission: submission(domain.TransactionPIN)}, `true`},
	} {
		s := newStand(true)
		s.match = true
		selection := map[string]string{"ClientIdentityInput": "{ keyId }", "EncryptDataPayload": "{ encryptedData }"}[tc.inputType]
		query := fmt.Sprintf("mutation M($input: %s!) { %s(input: $input) %s }", tc.inputType, tc.field, selection)
		got := s.post(t, query, `{"input":`+tc.input+`}`)
		if got.Status != http.StatusOK || string(got.Data) != `{"`+tc.field+`":`+tc.data+`}` {
			t.Errorf("%s: %d %s", tc.field, got.Status, got.Text)
		}
		tc.want.Caller = caller
		if diff := cmp.Diff([]call{tc.want}, s.calls, cmpopts.EquateComparable(netip.Addr{})); diff != "" {
			t.Errorf("%s: %s", tc.field, diff)
		}
		if len(s.refused) > 0 {
			t.Errorf("%s was counted as refused: %v", tc.field, s.refused)
		}
	}
}

func TestAnAuthorizationReturnsItsReceipt(t *testing.T) {
	const query = `mutation($i: TransactionAuthorizationInput!) { authorizeTransaction(input: $i) { authorized receipt expiresAt } }`
	const input = `{"i":{"encryptedAuthorization":"Y3Q=","keyId":"k1","passwordAuthType":"PASSCODE","transaction":"{\"amount\":\"12.50\"}"}}`
	s := newStand(true)
	s.match, s.receipt = true, "e30.e30.c2ln"
	got := s.post(t, query, input)
	if want := `{"data":{"authorizeTransaction":{"authorized":true,"receipt":"e30.e30.c2ln","expiresAt":"2026-01-02T03:04:05Z"}}}`; got.Text != want {
		t.Errorf("got  %s\nwant %s", got.Text, want)
	}
	want := call{Name: "Authorize", Submission: domain.Submission{Declared: domain.Passcode, Ciphertext: "Y3Q=", KeyID: "k1"},
		Transaction: `{"amount":"12.50"}`, Caller: domain.Caller{Mode: domain.ModeDevice, RequestID: requestID}}
	if diff := cmp.Diff([]call{want}, s.calls, cmpopts.EquateComparable(netip.Addr{})); diff != "" {
		t.Error(diff)
	}
	s.match, s.receipt, s.left = false, "", new(4)
	if got := s.post(t, query, input); got.Text != `{"data":{"authorizeTransaction":{"authorized":false,"receipt":null,"expiresAt":null}},"extensions":{"attemptsLeft":4}}` {
		t.Errorf("a wrong PIN: %s", got.Text)
	}
	s.err = domain.ErrTransactionMismatch
	if got := s.post(t, query, input); string(got.Data) != `{"authorizeTransaction":null}` || got.code() != domain.CodeTransactionMismatch {
		t.Errorf("another transaction: %s", got.Text)
	}
}

func TestAVerifyReturnsItsReceiptInTheExtensions(t *testing.T) {
	const query = `mutation { verifyTransactionPin(input: {encryptedPin: "x", keyId: "k", passwordAuthType: TRANSACTION_PIN}) }`
	s := newStand(true)
	s.match, s.receipt = true, "e30.e30.c2ln"
	if got := s.post(t, query, ""); got.Text != `{"data":{"verifyTransactionPin":true},"extensions":{"receipt":"e30.e30.c2ln"}}` {
		t.Errorf("with a receipt: %s", got.Text)
	}
	s.receipt = ""
	if got := s.post(t, query, ""); got.Text != `{"data":{"verifyTransactionPin":true}}` {
		t.Errorf("without: %s", got.Text)
	}
}

func TestTheOperationDeterminesTheCredentialType(t *testing.T) {
	s := newStand(true)
	s.post(t, `mutation { verifyUserPasscode(input: {encryptedPasscode: "x", keyId: "k", passwordAuthType: TRANSACTION_PIN}) }`, "")
	want := domain.Submission{Type: domain.Passcode, Declared: domain.TransactionPIN, Ciphertext: "x", KeyID: "k"}
	if diff := cmp.Diff(want, s.calls[0].Submission); diff != "" {
		t.Error(diff)
	}
}

func TestAKeyPairIsShownInEveryForm(t *testing.T) {
	s := newStand(true)
	s.pair.ExpiresAt = time.Date(2027, 1, 2, 3, 4, 5, 999_999_000, time.FixedZone("", 3600))
	const all = `mutation { rotateClientEncryptionKey(input: {deviceId: "d"}) {
		publicKey keyId algorithm keySize createdAt expiresAt publicKeyPkcs1 signedKey } }`
	got := s.post(t, all, "")
	var data struct{ RotateClientEncryptionKey map[string]any }
	if err := json.Unmarshal(got.Data, &data); err != nil {
		t.Fatal(got.Text)
	}
	pair := data.RotateClientEncryptionKey
	block, rest := pem.Decode([]byte(pair["publicKey"].(string)))
	if block == nil || block.Type != "PUBLIC KEY" || len(rest) > 0 || string(block.Bytes) != string(s.pair.PublicKey) {
		t.Errorf("publicKey: %q", pair["publicKey"])
	}
	// An RSAPublicKey is the tail of its SubjectPublicKeyInfo (RFC 5280, 4.1.2.7).
	pkcs1, err := base64.StdEncoding.DecodeString(pair["publicKeyPkcs1"].(string))
	if err != nil || !strings.HasSuffix(string(s.pair.PublicKey), string(pkcs1)) || len(pkcs1) < 128 {
		t.Errorf("publicKeyPkcs1: %q", pair["publicKeyPkcs1"])
	}
	delete(pair, "publicKey")
	delete(pair, "publicKeyPkcs1")
	want := map[string]any{"keyId": "thekeyid", "algorithm": "RSA-OAEP-256", "keySize": 1024.0,
		"createdAt": "2026-01-02T03:04:05Z", "expiresAt": "2027-01-02T02:04:05Z",
		"signedKey": "signed:thekeyid:"}
	if diff := cmp.Diff(want, pair); diff != "" {
		t.Error(diff)
	}

	s.pair.ExpiresAt = time.Time{}
	if got := s.post(t, all, ""); !strings.Contains(got.Text, `"expiresAt":null`) {
		t.Errorf("a key that never expires: %s", got.Text)
	}
}

func TestTheSummaryIsAJSONDocumentInAString(t *testing.T) {
	for name, tc := range map[string]struct {
		query, variables string
		hours            float64
	}{
		"left out":              {`{ getEncryptionMetricsSummary }`, "", 24},
		"null":                  {`{ getEncryptionMetricsSummary(timeframeHours: null) }`, "", 24},
		"whole":                 {`{ getEncryptionMetricsSummary(timeframeHours: 48) }`, "", 48},
		"fraction":              {`{ getEncryptionMetricsSummary(timeframeHours: 0.5) }`, "", 0.5},
		"negative":              {`{ getEncryptionMetricsSummary(timeframeHours: -1) }`, "", -1},
		"beyond 64 bits":        {`{ getEncryptionMetricsSummary(timeframeHours: 9223372036854775808) }`, "", 9223372036854775808},
		"variable":              {`query($h: Float) { getEncryptionMetricsSummary(timeframeHours: $h) }`, `{"h": 1e2}`, 100},
		"variable left out":     {`query($h: Float) { getEncryptionMetricsSummary(timeframeHours: $h) }`, `{}`, 24},
		"variable null":         {`query($h: Float) { getEncryptionMetricsSummary(timeframeHours: $h) }`, `{"h": null}`, 24},
		"default":               {`query($h: Float = 3) { getEncryptionMetricsSummary(timeframeHours: $h) }`, ``, 3},
		"default and null":      {`query($h: Float = 3) { getEncryptionMetricsSummary(timeframeHours: $h) }`, `{"h": null}`, 24},
		"default beyond 64 bit": {`query($h: Float = 9223372036854775808) { getEncryptionMetricsSummary(timeframeHours: $h) }`, ``, 9223372036854775808},
	} {
		s := newStand(true)
		got := s.post(t, tc.query, tc.variables)
		var data struct{ GetEncryptionMetricsSummary string }
		var summary map[string]float64
		if err := errors.Join(json.Unmarshal(got.Data, &data), json.Unmarshal([]byte(data.GetEncryptionMetricsSummary), &summary)); err != nil {
			t.Errorf("%s: %v: %s", name, err, got.Text)
			continue
		}
		want := map[string]float64{"totalOperations": 4, "successfulOperations": 3, "failedOperations": 1, "successRate": 75,
			"averageDuration": 1.5, "uniqueDevices": 2, "timeframeHours": tc.hours}
		if diff := cmp.Diff(want, summary); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestARefusedCredentialReturnsFalseAndTheRule(t *testing.T) {
	const query = `mutation { setTransactionPin(input: {encryptedPin: "x", keyId: "k", passwordAuthType: TRANSACTION_PIN}) }`
	s := newStand(true)
	s.rule = domain.RuleDigitsOnly
	got := s.post(t, query, "")
	if want := `{"data":{"setTransactionPin":false},"extensions":{"rejection":{"code":"CREDENTIAL_REJECTED","rule":"DIGITS_ONLY"}}}`; got.Text != want {
		t.Errorf("got  %s\nwant %s", got.Text, want)
	}
	s.rule = ""
	if got := s.post(t, query, ""); got.Text != `{"data":{"setTransactionPin":true}}` {
		t.Errorf("a credential that was set: %s", got.Text)
	}
}

func TestAMismatchIsFalseAndNoError(t *testing.T) {
	got := newStand(true).post(t, `mutation { verifyTransactionPin(input: {encryptedPin: "x", keyId: "k", passwordAuthType: TRANSACTION_PIN}) }`, "")
	if got.Text != `{"data":{"verifyTransactionPin":false}}` {
		t.Error(got.Text)
	}
}

func TestTheSizeOfAnAnswerDoesNotRevealTheVerdict(t *testing.T) {
	const input = `(input: {encryptedPin: "x", keyId: "k", passwordAuthType: TRANSACTION_PIN})`
	for _, query := range []string{
		`mutation { verifyTransactionPin` + input + ` }`,
		`mutation { ` + strings.Repeat("a", maxAlias) + `: verifyTransactionPin` + input + ` }`,
		`mutation { __typename verifyTransactionPin` + input + ` }`,
		`mutation { authorizeTransaction(input: {encryptedAuthorization: "x", keyId: "k", passwordAuthType: PASSCODE, transaction: "{}"}) { authorized } }`,
	} {
		s := newStand(true)
		for _, verdict := range []domain.Verdict{{}, {Match: true}, {AttemptsLeft: new(4)}, {Match: true, MustChange: true}} {
			s.match, s.left, s.mustChange = verdict.Match, verdict.AttemptsLeft, verdict.MustChange
			if got := s.post(t, query, ""); len(got.Errors) > 0 || got.size != answerUnit {
				t.Errorf("%d bytes: %s", got.size, got.Text)
			}
		}
	}
}

// A plain answer has no extensions, as in the specification.
func TestAttemptsLeftAndMustChangeAreInTheExtensions(t *testing.T) {
	const query = `mutation { verifyUserPasscode(input: {encryptedPasscode: "x", keyId: "k", passwordAuthType: PASSCODE}) }`
	for want, set := range map[string]func(*fake){
		`{"data":{"verifyUserPasscode":true}}`:                                  func(f *fake) { f.match = true },
		`{"data":{"verifyUserPasscode":true},"extensions":{"mustChange":true}}`: func(f *fake) { f.match, f.mustChange = true, true },
		`{"data":{"verifyUserPasscode":false},"extensions":{"attemptsLeft":4}}`: func(f *fake) { f.left = new(4) },
		`{"data":{"verifyUserPasscode":false},"extensions":{"attemptsLeft":0}}`: func(f *fake) { f.left = new(0) },
		`{"data":{"verifyUserPasscode":false}}`:                                 func(*fake) {},
	} {
		s := newStand(true)
		set(s.fake)
		if got := s.post(t, query, ""); got.Text != want {
			t.Errorf("got  %s\nwant %s", got.Text, want)
		}
	}
}

func TestTheStatusOfACredential(t *testing.T) {
	const query = `query ($input: CredentialStatusInput!) { credentialStatus(input: $input) {
		isSet attemptsLeft lockedUntil permanentlyLocked mustChange updatedAt } }`
	second := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for want, status := range map[string]domain.CredentialStatus{
		`{"isSet":false,"attemptsLeft":5,"lockedUntil":null,"permanentlyLocked":false,"mustChange":false,"updatedAt":null}`: {AttemptsLeft: 5},
		// The end of a lock is rounded up, and all else down.
		`{"isSet":true,"attemptsLeft":0,"lockedUntil":"2026-03-01T12:00:01Z","permanentlyLocked":false,"mustChange":true,"updatedAt":"2026-03-01T12:00:00Z"}`: {
			IsSet: true, LockedUntil: second.Add(time.Microsecond), MustChange: true, UpdatedAt: second.Add(time.Second - time.Microsecond)},
		`{"isSet":true,"attemptsLeft":0,"lockedUntil":"2026-03-01T12:00:00Z","permanentlyLocked":true,"mustChange":false,"updatedAt":"2026-03-01T12:00:00Z"}`: {
			IsSet: true, LockedUntil: second, PermanentlyLocked: true, UpdatedAt: second},
	} {
		s := newStand(true)
		s.status = status
		got := s.post(t, query, `{"input":{"keyId":"k1","passwordAuthType":"TRANSACTION_PIN"}}`)
		if got.Text != `{"data":{"credentialStatus":`+want+`}}` {
			t.Errorf("got  %s\nwant %s", got.Text, want)
		}
		if asked := (domain.StatusInput{KeyID: "k1", Type: domain.TransactionPIN}); len(s.calls) != 1 || s.calls[0].Status != asked {
			t.Errorf("asked %+v", s.calls)
		}
	}
	s := newStand(true)
	s.err = domain.ErrKeyNotUsable
	if got := s.post(t, query, `{"input":{"keyId":"k1","passwordAuthType":"PASSCODE"}}`); got.code() != domain.CodeKeyNotUsable || string(got.Data) != `{"credentialStatus":null}` {
		t.Errorf("a refusal: %s", got.Text)
	}
}

// The network sees the size of an answer.
func TestAllStatusesOfACredentialHaveOneSize(t *testing.T) {
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for _, fields := range []string{"isSet", "attemptsLeft", "lockedUntil", "isSet attemptsLeft lockedUntil permanentlyLocked mustChange",
		"isSet attemptsLeft lockedUntil permanentlyLocked mustChange updatedAt", "__typename isSet left: attemptsLeft lockedUntil permanentlyLocked mustChange updatedAt"} {
		for _, status := range []domain.CredentialStatus{
			{AttemptsLeft: 5},
			{PermanentlyLocked: true},
			{LockedUntil: at},
			{IsSet: true, AttemptsLeft: 100, UpdatedAt: at},
			{IsSet: true, AttemptsLeft: 5, MustChange: true, UpdatedAt: at},
			{IsSet: true, LockedUntil: at, UpdatedAt: at},
			{IsSet: true, LockedUntil: at, MustChange: true, UpdatedAt: at},
			{IsSet: true, PermanentlyLocked: true, UpdatedAt: at},
		} {
			s := newStand(true)
			s.status = status
			got := s.post(t, `query ($input: CredentialStatusInput!) { credentialStatus(input: $input) { `+fields+` } }`,
				`{"input":{"keyId":"k1","passwordAuthType":"TRANSACTION_PIN"}}`)
			if len(got.Errors) > 0 || got.size != answerUnit {
				t.Errorf("%s: %d bytes, want %d: %s", fields, got.size, answerUnit, got.Text)
			}
		}
	}
}

func TestErrorsOfUseCasesKeepTheirCode(t *testing.T) {
	const query = `mutation { v: verifyUserPasscode(input: {encryptedPasscode: "x", keyId: "k", passwordAuthType: PASSCODE}) }`
	for name, tc := range map[string]struct {
		err        error
		status     int
		retryAfter string
		message    string
		extensions map[string]any
	}{
		"key not usable": {domain.ErrKeyNotUsable, 200, "", domain.ErrKeyNotUsable.Message, map[string]any{"code": "KEY_NOT_USABLE"}},
		"wrapped": {fmt.Errorf("opening: %w", domain.ErrDecryptionFailed), 200, "", domain.ErrDecryptionFailed.Message,
			map[string]any{"code": "DECRYPTION_FAILED"}},
		"locked": {&domain.Error{Code: domain.CodeCredentialLocked, Message: "Locked.", RetryAfter: 1500 * time.Millisecond}, 200, "2", "Locked.",
			map[string]any{"code": "CREDENTIAL_LOCKED", "retryAfterSeconds": 2.0}},
		"locked for good": {&domain.Error{Code: domain.CodeCredentialLocked, Message: "Locked.", Permanent: true}, 200, "", "Locked.",
			map[string]any{"code": "CREDENTIAL_LOCKED", "permanent": true}},
		"too many": {domain.TooManyRequests(domain.ReasonCallerRate, "Slow down.", time.Minute), 200, "60", "Slow down.",
			map[string]any{"code": "TOO_MANY_REQUESTS", "reason": "CALLER_RATE", "retryAfterSeconds": 60.0}},
		"overloaded": {domain.Overloaded(), 503, "1", domain.Overloaded().Message,
			map[string]any{"code": "OVERLOADED", "reason": "AT_CAPACITY", "retryAfterSeconds": 1.0}},
		"unknown": {errors.New("dialing 10.0.0.1"), 200, "", "The service failed. Quote the requestId to its operator.",
			map[string]any{"code": "INTERNAL", "requestId": requestID}},
	} {
		for _, media := range []string{mediaJSON, mediaResponse} {
			s := newStand(true)
			s.err = tc.err
			got := s.post(t, query, "", media)
			if got.Status != tc.status || got.Header.Get("Retry-After") != tc.retryAfter || string(got.Data) != `{"v":null}` ||
				got.message() != tc.message || fmt.Sprint(got.Errors[0].Path) != "v" || len(got.Errors[0].Locations) != 1 {
				t.Errorf("%s, %s: %d %v %s", name, media, got.Status, got.Header, got.Text)
			}
			if diff := cmp.Diff(tc.extensions, got.Errors[0].Extensions); diff != "" {
				t.Errorf("%s, %s: %s", name, media, diff)
			}
			if len(s.refused) > 0 {
				t.Errorf("%s: an executed operation was counted as refused", name)
			}
			logged := strings.Contains(s.log.String(), "10.0.0.1") && strings.Contains(s.log.String(), requestID)
			if unknown := name == "unknown"; logged != unknown {
				t.Errorf("%s: the log is %q", name, s.log)
			}
		}
	}
}

func TestTheKeyGenerationLimitReturnsTheSpecifiedBody(t *testing.T) {
	const query = `mutation { generateClientEncryptionKey(input: {deviceId: "d"}) { keyId } }`
	const message = "Rate limit for key generation exceeded. Try again in 3 minutes."
	for accept, want := range map[string]struct{ contentType, body string }{
		"*/*": {mediaJSON, `{"statusCode":429,"message":"` + message + `","error":"Too Many Requests"}`},
		mediaResponse: {mediaResponse, `{"errors":[{"message":"` + message + `","path":["generateClientEncryptionKey"],"locations":[{"line":1,"column":12}],` +
			`"extensions":{"code":"TOO_MANY_REQUESTS","error":"Too Many Requests","message":"` + message + `","reason":"KEY_GENERATION_LIMIT","retryAfterSeconds":121,"statusCode":429}}],` +
			`"data":{"generateClientEncryptionKey":null}}`},
	} {
		s := newStand(true)
		s.err = fmt.Errorf("generating: %w", &domain.KeyGenerationLimitError{ResetIn: 2*time.Minute + time.Millisecond})
		got := s.post(t, query, "", accept)
		if got.Status != 429 || got.Header.Get("Retry-After") != "121" || got.Text != want.body ||
			!strings.HasPrefix(got.Header.Get("Content-Type"), want.contentType+";") {
			t.Errorf("%s: %d %v\ngot  %s\nwant %s", accept, got.Status, got.Header, got.Text, want.body)
		}
	}
}

func TestAPanicIsAnInternalErrorAndItsValueStaysHidden(t *testing.T) {
	for name, query := range map[string]string{
		"mutation": `mutation { verifyUserPasscode(input: {encryptedPasscode: "x", keyId: "k", passwordAuthType: PASSCODE}) }`,
		"query":    `{ getEncryptionMetricsSummary }`,
	} {
		s := newStand(true)
		s.panic = fmt.Sprintf("while at %s", canary)
		got := s.post(t, query, "")
		if got.Status != 200 || got.code() != domain.CodeInternal || got.Errors[0].Extensions["requestId"] != requestID {
			t.Errorf("%s: %d %s", name, got.Status, got.Text)
		}
		log := s.log.String()
		if strings.Contains(log+got.Text, canary) {
			t.Errorf("%s: the value of the panic was returned or logged: %s %s", name, got.Text, log)
		}
		if !strings.Contains(log, "fake_test.go") || !strings.Contains(log, requestID) {
			t.Errorf("%s: the log does not say where it panicked: %s", name, log)
		}
	}
}

// After a panic before execution there is no data.
func TestAPanicInTheTransportIsStatus500(t *testing.T) {
	s := newStand(true)
	s.handler.(*handler).UseCases = nil // Refused panics
	got := s.post(t, `{`, "")
	if got.Status != http.StatusInternalServerError || got.code() != domain.CodeInternal || got.Data != nil {
		t.Errorf("%d %s", got.Status, got.Text)
	}
}
