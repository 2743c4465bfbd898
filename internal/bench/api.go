package bench

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"

	"strongroom/internal/crypto/devicekey"
)

// API is the GraphQL schema of a target.
type API string

// The APIs.
const (
	// Strongroom is the API of this service.
	Strongroom API = "strongroom"
	// Baseline is a small GraphQL schema that a service to be compared with
	// can offer: issueKey(deviceId), setPin and verifyPin(deviceId, pin).
	Baseline API = "baseline"
)

// dialect builds the bodies of requests, and knows what their answers contain if
// they succeed.
type dialect struct {
	key               func(device string, algorithm devicekey.Algorithm) any
	set, verify       func(d device, ciphertext string) any
	summary           func(hours float64) any // nil: there is none
	hasKey, done      string                  // what a successful answer contains
	right, wrong, sum string
	keyField          string // of the answer, with publicKey and perhaps keyId in it
}

// device is what a client keeps.
type device struct {
	name, keyID, publicKey string
}

type body struct {
	Query     string `json:"query"`
	Variables any    `json:"variables"`
}

var dialects = map[API]dialect{
	Strongroom: {
		key: func(device string, algorithm devicekey.Algorithm) any {
			identity := map[string]any{"deviceId": device}
			if algorithm != "" && algorithm != devicekey.RSAOAEP256 {
				identity["algorithms"] = []devicekey.Algorithm{algorithm}
			}
			return body{"mutation($input: ClientIdentityInput!) { generateClientEncryptionKey(input: $input) { keyId publicKey } }", inputOf(identity)}
		},
		set: func(d device, ciphertext string) any {
			return body{"mutation($input: EncryptedTransactionPinInput!) { setTransactionPin(input: $input) }", pinInput(d, ciphertext)}
		},
		verify: func(d device, ciphertext string) any {
			return body{"mutation($input: EncryptedVerifyTransactionPinInput!) { verifyTransactionPin(input: $input) }", pinInput(d, ciphertext)}
		},
		summary: func(hours float64) any {
			return body{"query($hours: Float) { getEncryptionMetricsSummary(timeframeHours: $hours) }", map[string]any{"hours": hours}}
		},
		hasKey: `"publicKey":"`, done: `"setTransactionPin":true`,
		right: `"verifyTransactionPin":true`, wrong: `"verifyTransactionPin":false`,
		sum:      `"getEncryptionMetricsSummary":"{`,
		keyField: "generateClientEncryptionKey",
	},
	Baseline: {
		key: func(device string, _ devicekey.Algorithm) any {
			return body{"mutation($d:ID!){issueKey(deviceId:$d){deviceId publicKey created}}", map[string]any{"d": device}}
		},
		set: func(d device, ciphertext string) any {
			return body{"mutation($d:ID!,$p:String!){setPin(deviceId:$d,pin:$p){ok}}", map[string]any{"d": d.name, "p": ciphertext}}
		},
		verify: func(d device, ciphertext string) any {
			return body{"mutation($d:ID!,$p:String!){verifyPin(deviceId:$d,pin:$p){ok}}", map[string]any{"d": d.name, "p": ciphertext}}
		},
		hasKey: `"publicKey":"`, done: `"setPin":{"ok":true}`,
		right: `"verifyPin":{"ok":true}`, wrong: `"verifyPin":{"ok":false}`,
		keyField: "issueKey",
	},
}

func inputOf(fields map[string]any) any { return map[string]any{"input": fields} }

func pinInput(d device, ciphertext string) any {
	return inputOf(map[string]any{"encryptedPin": ciphertext, "keyId": d.keyID, "passwordAuthType": "TRANSACTION_PIN"})
}

// wire returns a complete HTTP/1.1 request.
func wire(to *url.URL, b any) []byte {
	text, err := json.Marshal(b)
	if err != nil {
		panic(err) // strings and numbers always marshal
	}
	path := to.RequestURI()
	return fmt.Appendf(nil, "POST %s HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s",
		path, to.Host, len(text), text)
}

// codeOf returns the error code in an answer, or else a text in its place.
func codeOf(status int, answer []byte) string {
	_, rest, found := bytes.Cut(answer, []byte(`"code":"`))
	code, _, ended := bytes.Cut(rest, []byte(`"`))
	switch {
	case found && ended && len(code) < 40:
		return string(code)
	case status != 200:
		return fmt.Sprintf("HTTP %d", status)
	}
	return "unexpected answer"
}
