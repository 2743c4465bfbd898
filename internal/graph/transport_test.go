package graph

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"strongroom/internal/domain"
)

func TestTheMediaTypeIsNegotiated(t *testing.T) {
	s := newStand(true)
	const plain, resp = mediaJSON, mediaResponse
	for _, tc := range []struct {
		accept []string
		want   string // "" is 406
	}{
		{nil, plain},
		{[]string{""}, plain},
		{[]string{"*/*"}, plain},
		{[]string{"application/*"}, plain},
		{[]string{plain}, plain},
		{[]string{"Application/JSON; charset=UTF-8"}, plain},
		{[]string{resp}, resp},
		{[]string{resp + "; charset=utf-8"}, resp},
		{[]string{resp + ", " + plain}, resp},
		{[]string{plain + ", " + resp}, resp},
		{[]string{resp, plain}, resp}, // two header lines
		{[]string{resp + ";q=0.9, " + plain}, plain},
		{[]string{resp + ";q=0.5, " + plain + ";q=0.4"}, resp},
		{[]string{resp + ", */*;q=0.1"}, resp},
		{[]string{resp + ";q=0.1, */*"}, plain},
		{[]string{resp + ";q=0.1, " + plain + ";q=0.1, */*"}, resp}, // the more precise range counts
		{[]string{"*/*, " + plain + ";q=0"}, resp},
		{[]string{"*/*, " + resp + ";q=0"}, plain},
		{[]string{"*/*;q=0, " + plain}, plain},
		{[]string{"application/*;q=0, */*"}, ""},
		{[]string{plain + ";q=0"}, ""},
		{[]string{plain + ";q=0, " + resp + ";q=0"}, ""},
		{[]string{"text/html"}, ""},
		{[]string{"text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}, plain}, // a browser
		{[]string{"text/*, image/png"}, ""},
		{[]string{plain + "; charset=utf-16"}, ""},
		{[]string{plain + ";q=2"}, ""},
		{[]string{plain + ";q=NaN"}, ""},
		{[]string{plain + ";q=x, " + resp}, resp},
		{[]string{"application/json-seq"}, ""},
		{[]string{"garbage"}, ""},
		{[]string{";;;,,,"}, ""},
	} {
		got := s.do(t, request(`{"query":"{__typename}"}`, tc.accept...))
		wantType, wantStatus, wantCode := tc.want, http.StatusOK, domain.Code("")
		if tc.want == "" {
			wantType, wantStatus, wantCode = plain, http.StatusNotAcceptable, domain.CodeNotAcceptable
		}
		if got.Status != wantStatus || got.code() != wantCode || got.Header.Get("Content-Type") != wantType+"; charset=utf-8" {
			t.Errorf("%q: %d %s %s", tc.accept, got.Status, got.Header.Get("Content-Type"), got.Text)
		}
	}
}

// sent returns a new request each time it is called.
func sent(method, target, contentType, body string) func() *http.Request {
	return func() *http.Request {
		r := httptest.NewRequest(method, target, strings.NewReader(body))
		if contentType != "" {
			r.Header.Set("Content-Type", contentType)
		}
		return r
	}
}

func TestInvalidGraphQLRequestsAreRefusedAndCounted(t *testing.T) {
	const ok = `{"query":"{__typename}"}`
	get := func(parameters ...string) string {
		v := url.Values{}
		for i := 0; i < len(parameters); i += 2 {
			v.Add(parameters[i], parameters[i+1])
		}
		return "/graphql?" + v.Encode()
	}
	mutation := `mutation { rotateClientEncryptionKey(input: {deviceId: "d"}) { keyId } }`
	for name, tc := range map[string]struct {
		request func() *http.Request
		status  int
		code    domain.Code
	}{
		"PUT":                   {sent("PUT", "/graphql", mediaJSON, ok), 405, domain.CodeMethodNotAllowed},
		"DELETE":                {sent("DELETE", "/graphql", "", ""), 405, domain.CodeMethodNotAllowed},
		"OPTIONS":               {sent("OPTIONS", "/graphql", "", ""), 405, domain.CodeMethodNotAllowed},
		"mutation by GET":       {sent("GET", get("query", mutation), "", ""), 405, domain.CodeMethodNotAllowed},
		"wrong mutation by GET": {sent("GET", get("query", "mutation { nothing }"), "", ""), 405, domain.CodeMethodNotAllowed},
		"no content type":       {sent("POST", "/graphql", "", ok), 415, domain.CodeUnsupportedMedia},
		"text":                  {sent("POST", "/graphql", "text/plain", ok), 415, domain.CodeUnsupportedMedia},
		"form":                  {sent("POST", "/graphql", "application/x-www-form-urlencoded", "query={__typename}"), 415, domain.CodeUnsupportedMedia},
		"GraphQL":               {sent("POST", "/graphql", "application/graphql", "{__typename}"), 415, domain.CodeUnsupportedMedia},
		"UTF-16":                {sent("POST", "/graphql", "application/json; charset=utf-16", ok), 415, domain.CodeUnsupportedMedia},
		"huge":                  {sent("POST", "/graphql", mediaJSON, `{"query":"`+strings.Repeat(" ", maxBody)+`"}`), 413, domain.CodePayloadTooLarge},
		"huge GET":              {sent("GET", "/graphql?query="+strings.Repeat("+", maxBody), "", ""), 413, domain.CodePayloadTooLarge},
		"empty":                 {sent("POST", "/graphql", mediaJSON, ""), 400, domain.CodeBadRequest},
		"malformed":             {sent("POST", "/graphql", mediaJSON, `{"query":`), 400, domain.CodeBadRequest},
		"trailing bytes":        {sent("POST", "/graphql", mediaJSON, ok+"x"), 400, domain.CodeBadRequest},
		"two values":            {sent("POST", "/graphql", mediaJSON, ok+ok), 400, domain.CodeBadRequest},
		"a batch":               {sent("POST", "/graphql", mediaJSON, "["+ok+"]"), 400, domain.CodeBadRequest},
		"an empty batch":        {sent("POST", "/graphql", mediaJSON, "[]"), 400, domain.CodeBadRequest},
		"a string":              {sent("POST", "/graphql", mediaJSON, `"{__typename}"`), 400, domain.CodeBadRequest},
		"null":                  {sent("POST", "/graphql", mediaJSON, `null`), 400, domain.CodeBadRequest},
		"query twice":           {sent("POST", "/graphql", mediaJSON, `{"query":"{__typename}","query":"{__typename}"}`), 400, domain.CodeBadRequest},
		"a variable twice":      {sent("POST", "/graphql", mediaJSON, `{"query":"{__typename}","variables":{"a":1,"\u0061":2}}`), 400, domain.CodeBadRequest},
		"not UTF-8":             {sent("POST", "/graphql", mediaJSON, "{\"query\":\"{__typename}\xff\"}"), 400, domain.CodeBadRequest},
		"a lone surrogate":      {sent("POST", "/graphql", mediaJSON, `{"query":"{__typename}","variables":{"a":"\ud800"}}`), 400, domain.CodeBadRequest},
		"deep":                  {sent("POST", "/graphql", mediaJSON, `{"query":"{__typename}","variables":{"a":`+strings.Repeat("[", 1000)+strings.Repeat("]", 1000)+`}}`), 400, domain.CodeBadRequest},
		"a persisted query": {sent("POST", "/graphql", mediaJSON, `{"operationName":"A","variables":{},"extensions":{"persistedQuery":{"version":1,"sha256Hash":"ab"}}}`),
			200, domain.CodePersistedQueryNotSupported},
		"GET, a persisted query": {sent("GET", get("operationName", "A", "extensions", `{"persistedQuery":{"version":1,"sha256Hash":"ab"}}`), "", ""),
			200, domain.CodePersistedQueryNotSupported},
		"no query":           {sent("POST", "/graphql", mediaJSON, `{}`), 400, domain.CodeBadRequest},
		"Query":              {sent("POST", "/graphql", mediaJSON, `{"Query":"{__typename}"}`), 400, domain.CodeBadRequest},
		"query null":         {sent("POST", "/graphql", mediaJSON, `{"query":null}`), 400, domain.CodeBadRequest},
		"query a number":     {sent("POST", "/graphql", mediaJSON, `{"query":1}`), 400, domain.CodeBadRequest},
		"variables a string": {sent("POST", "/graphql", mediaJSON, `{"query":"{__typename}","variables":"{}"}`), 400, domain.CodeBadRequest},
		"operationName true": {sent("POST", "/graphql", mediaJSON, `{"query":"{__typename}","operationName":true}`), 400, domain.CodeBadRequest},
		"extensions a list":  {sent("POST", "/graphql", mediaJSON, `{"query":"{__typename}","extensions":[]}`), 400, domain.CodeBadRequest},
		"GET without query":  {sent("GET", "/graphql", "", ""), 400, domain.CodeBadRequest},
		"GET, query twice":   {sent("GET", get("query", "{__typename}", "query", "{__typename}"), "", ""), 400, domain.CodeBadRequest},
		"GET, bad escape":    {sent("GET", "/graphql?query=%zz", "", ""), 400, domain.CodeBadRequest},
		"GET, not UTF-8":     {sent("GET", "/graphql?query=%ff", "", ""), 400, domain.CodeBadRequest},
		"GET, variables":     {sent("GET", get("query", "{__typename}", "variables", "[]"), "", ""), 400, domain.CodeBadRequest},
		"GET, extensions":    {sent("GET", get("query", "{__typename}", "extensions", "{"), "", ""), 400, domain.CodeBadRequest},
	} {
		for _, accept := range []string{mediaJSON, mediaResponse} {
			s := newStand(true)
			r := tc.request()
			r.Header.Set("Accept", accept)
			got := s.do(t, r)
			if got.Status != tc.status || got.code() != tc.code || got.Data != nil || got.message() == "" {
				t.Errorf("%s: %d %s", name, got.Status, got.Text)
			}
			if allow := got.Header.Get("Allow"); (allow == "GET, POST") != (tc.status == 405) {
				t.Errorf("%s: Allow is %q", name, allow)
			}
			if !strings.HasPrefix(got.Header.Get("Content-Type"), accept) {
				t.Errorf("%s: %v", name, got.Header)
			}
			if diff := cmp.Diff([]domain.Code{tc.code}, s.refused); diff != "" {
				t.Errorf("%s: counted as refused: %s", name, diff)
			}
			if len(s.calls) > 0 {
				t.Errorf("%s: reached %v", name, s.calls)
			}
		}
	}
}

func TestQueriesWorkOverGET(t *testing.T) {
	s := newStand(true)
	v := url.Values{"query": {`query A { __typename } query B($h: Float) { getEncryptionMetricsSummary(timeframeHours: $h) }`},
		"operationName": {"B"}, "variables": {`{"h":2}`}, "extensions": {`{}`}, "other": {"ignored"}}
	got := s.do(t, sent("GET", "/graphql?"+v.Encode(), "", "")())
	if got.Status != 200 || len(got.Errors) > 0 || len(s.calls) != 1 || s.calls[0].Hours != 2 {
		t.Errorf("%d %s %v", got.Status, got.Text, s.calls)
	}
}

func TestPersistedQueryClientsAreToldToSendTheQuery(t *testing.T) {
	s := newStand(true)
	const hash = `"extensions":{"persistedQuery":{"version":1,"sha256Hash":"ab"}}`
	got := s.do(t, sent("POST", "/graphql", mediaJSON, `{`+hash+`}`)())
	if want := `{"errors":[{"message":"PersistedQueryNotSupported","extensions":{"code":"PERSISTED_QUERY_NOT_SUPPORTED"}}]}`; got.Status != 200 || got.Text != want {
		t.Errorf("by its hash: %d %s, want %s", got.Status, got.Text, want)
	}
	got = s.do(t, sent("POST", "/graphql", mediaJSON, `{"query":"{__typename}",`+hash+`}`)())
	if got.Status != 200 || len(got.Errors) > 0 || got.Data == nil {
		t.Errorf("with its text: %d %s", got.Status, got.Text)
	}
}

func TestOneOfSeveralOperationsIsExecuted(t *testing.T) {
	const doc = `query A { getEncryptionMetricsSummary(timeframeHours: 1) }
		mutation B { rotateClientEncryptionKey(input: {deviceId: "d"}) { keyId } }
		mutation C { generateClientEncryptionKey(input: {deviceId: "d"}) { keyId } }`
	s := newStand(true)
	got := s.do(t, request(`{"operationName":"B","query":"`+strings.NewReplacer("\n", " ", "\t", " ", `"`, `\"`).Replace(doc)+`"}`))
	if len(got.Errors) > 0 || len(s.calls) != 1 || s.calls[0].Name != "RotateKey" {
		t.Errorf("%s %v", got.Text, s.calls)
	}
}

func TestAnOperationDoesNotUseADefaultOfAnotherOne(t *testing.T) {
	const doc = `mutation A($v: String) { ...f } mutation B($v: String = \"of B\") { ...f }
		fragment f on Mutation { rotateClientEncryptionKey(input: {deviceId: \"d\", appVersion: $v}) { keyId } }`
	s := newStand(true)
	for _, name := range []string{"A", "B"} {
		s.do(t, request(`{"operationName":"`+name+`","query":"`+strings.NewReplacer("\n", " ", "\t", " ").Replace(doc)+`"}`))
	}
	if len(s.calls) != 2 || s.calls[0].Identity.AppVersion != "" || s.calls[1].Identity.AppVersion != "of B" {
		t.Errorf("%+v", s.calls)
	}
}
