package graph

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"strongroom/internal/domain"
)

// canary is a secret that no answer and no log line may ever contain. It is
// also in the tables of bad input.
const canary = "hunter2canary"

// TestNothingOfABadRequestIsReturnedOrLogged puts the canary wherever a
// client could have put a secret by mistake.
func TestNothingOfABadRequestIsReturnedOrLogged(t *testing.T) {
	requests := map[string]func() *http.Request{}
	for _, table := range []map[string]bad{badValues, badDocuments} {
		for name, tc := range table {
			requests[name] = sent("POST", "/graphql", mediaJSON, encode(t, tc.query, tc.variables))
			requests[name+", by GET"] = sent("GET", "/graphql?"+url.Values{"query": {tc.query}, "variables": {tc.variables}}.Encode(), "", "")
		}
	}
	for name, body := range map[string]string{
		"no JSON":              canary,
		"a string":             `"` + canary + `"`,
		"cut short":            `{"query":"` + canary,
		"after the end":        `{"query":"{__typename}"}` + canary,
		"a bad escape":         `{"query":"\` + canary + `"}`,
		"a name twice":         `{"` + canary + `":1,"` + canary + `":2}`,
		"an unknown member":    `{"` + canary + `":"` + canary + `"}`,
		"not UTF-8":            `{"query":"` + canary + "\xff" + `"}`,
		"query a list":         `{"query":["` + canary + `"]}`,
		"variables a string":   `{"query":"{__typename}","variables":"` + canary + `"}`,
		"extensions a string":  `{"query":"{__typename}","extensions":"` + canary + `"}`,
		"operationName":        `{"query":"{__typename}","operationName":"` + canary + `"}`,
		"operationName a list": `{"query":"{__typename}","operationName":["` + canary + `"]}`,
		"a batch":              `[{"query":"` + canary + `"}]`,
		"an undeclared input":  `{"query":"mutation($v: ClientIdentityInput!) { rotateClientEncryptionKey(input: $v) { keyId } }","variables":{"` + canary + `":"` + canary + `"}}`,
		"far too long":         `{"query":"` + strings.Repeat(canary, maxBody/len(canary)) + `"}`,
		"a variable of any":    `{"query":"mutation($` + canary + `: ClientIdentityInput!) { rotateClientEncryptionKey(input: $` + canary + `) { keyId } }"}`,
		"an operation's name":  `{"query":"query ` + canary + ` { nothing }"}`,
		"a fragment's name":    `{"query":"{ ...` + canary + ` } fragment ` + canary + ` on Query { nothing }"}`,
		"an alias":             `{"query":"{ ` + canary + `: nothing }"}`,
		"aliases in conflict":  `{"query":"{ ` + canary + `: __typename ` + canary + `: getEncryptionMetricsSummary }"}`,
		"a default":            `{"query":"query($v: Float = \"` + canary + `\") { getEncryptionMetricsSummary(timeframeHours: $v) }"}`,
		"a block string":       `{"query":"{ getEncryptionMetricsSummary(timeframeHours: \"\"\"` + canary + `\"\"\") }"}`,
		"an invalid number":    `{"query":"{ getEncryptionMetricsSummary(timeframeHours: 0` + canary + `) }"}`,
	} {
		requests["body: "+name] = sent("POST", "/graphql", mediaJSON, body)
		requests["text: "+name] = sent("POST", "/graphql", "text/plain", body)
		requests["type: "+name] = sent("POST", "/graphql", "application/"+canary, body)
		requests["PUT: "+name] = sent("PUT", "/graphql?"+canary+"="+canary, mediaJSON, body)
		requests["GET: "+name] = sent("GET", "/graphql?query="+url.QueryEscape(body), "", "")
		requests["GET variables: "+name] = sent("GET", "/graphql?query={__typename}&variables="+url.QueryEscape("["+body), "", "")
	}
	for name, request := range requests {
		for _, accept := range []string{"", mediaResponse, "application/" + canary} {
			for _, introspection := range []bool{true, false} {
				s := newStand(introspection)
				r := request()
				if accept != "" {
					r.Header.Set("Accept", accept)
				}
				got := s.do(t, r)
				if got.code() == "" {
					t.Fatalf("%s is not a bad request: %s", name, got.Text)
				}
				if got.code() == domain.CodeInternal {
					t.Errorf("%s: %s\n%s", name, got.Text, s.log)
				}
				for _, header := range got.Header {
					got.Text += strings.Join(header, " ")
				}
				if strings.Contains(strings.ToLower(got.Text+s.log.String()), canary) {
					t.Errorf("%s: %s\n%s", name, got.Text, s.log)
				}
			}
		}
	}
}

func TestInputsOfAUseCaseAreNotReturnedOrLogged(t *testing.T) {
	queries := []string{
		`mutation { encryptDataLikeClient(input: {body: "hunter2canary", publicKey: "hunter2canary"}) { encryptedData } }`,
		`mutation { verifyUserPasscode(input: {encryptedPasscode: "hunter2canary", keyId: "hunter2canary", passwordAuthType: PASSCODE}) }`,
		`mutation hunter2canary { rotateClientEncryptionKey(input: {deviceId: "hunter2canary", appVersion: "hunter2canary"}) { keyId } }`,
	}
	for _, query := range queries {
		for _, mishap := range []func(*fake){
			func(f *fake) {},
			func(f *fake) { f.err = domain.ErrDecryptionFailed },
			func(f *fake) { f.err = http.ErrHandlerTimeout },
			func(f *fake) { f.panic = canary },
			func(f *fake) { f.pair.PublicKey = []byte(canary) },
		} {
			s := newStand(true)
			mishap(s.fake)
			got := s.post(t, query, "")
			if len(s.calls) != 1 {
				t.Fatalf("%s did not reach its use case: %s", query, got.Text)
			}
			if strings.Contains(got.Text+s.log.String(), canary) {
				t.Errorf("%s: %s\n%s", query, got.Text, s.log)
			}
		}
	}
}
