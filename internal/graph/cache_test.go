package graph

import (
	"fmt"
	"net/http"
	"net/url"
	"runtime"
	"strings"
	"sync"
	"testing"

	"strongroom/internal/domain"
)

func (s *stand) kept() *documents { return s.handler.(*handler).documents }

const rotation = `mutation($i: ClientIdentityInput!) { rotateClientEncryptionKey(input: $i) { keyId } }`

func TestADocumentIsParsedOnceForDifferentVariables(t *testing.T) {
	s := newStand(true)
	s.post(t, rotation, `{"i":{"deviceId":"one"}}`)
	first := s.kept().get(rotation)
	s.post(t, rotation, `{"i":{"deviceId":"two"}}`)
	if first == nil || s.kept().get(rotation) != first {
		t.Fatal("it was parsed again")
	}
	if len(s.calls) != 2 || s.calls[0].Identity.DeviceID != "one" || s.calls[1].Identity.DeviceID != "two" {
		t.Errorf("%v", s.calls)
	}
}

// TestDocumentsThatMayHoldASecretAreNotCached: a cached document stays in memory as
// long as the process runs.
func TestDocumentsThatMayHoldASecretAreNotCached(t *testing.T) {
	s := newStand(true)
	for name, query := range map[string]string{
		"a plaintext":        `mutation { encryptDataLikeClient(input: {body: "hunter2", publicKey: "p"}) { encryptedData } }`,
		"a block string":     `mutation { encryptDataLikeClient(input: {body: """hunter2""", publicKey: """p"""}) { encryptedData } }`,
		"a default":          `mutation($b: String! = "hunter2", $p: String! = "p") { encryptDataLikeClient(input: {body: $b, publicKey: $p}) { encryptedData } }`,
		"a comment":          "{ __typename } # hunter2",
		"a very long one":    `{ __typename ` + strings.Repeat(" ", maxDocumentText) + `}`,
		"an invalid one":     `{ hunter2 }`,
		"a malformed one":    `{ hunter2`,
		"an expensive one":   `{ __typename ` + strings.Repeat("@skip(if: false) ", maxDirectives+1) + `}`,
		"an undefined value": `mutation { rotateClientEncryptionKey(input: {deviceId: hunter2}) { keyId } }`,
	} {
		s.post(t, query, "")
		if n := s.kept().byText.Len(); n != 0 {
			t.Fatalf("%s is kept", name)
		}
	}
}

func TestACachedDocumentSkipsNoCheckOfTheRequest(t *testing.T) {
	const several = `mutation($a: Boolean!, $i: ClientIdentityInput!) {
		rotateClientEncryptionKey(input: $i) { keyId } generateClientEncryptionKey(input: $i) @include(if: $a) { keyId } }`
	const named = `query A { __typename } mutation B($i: ClientIdentityInput!) { rotateClientEncryptionKey(input: $i) { keyId } }`
	s := newStand(true)
	for _, step := range []struct {
		query, variables string
		want             domain.Code
	}{
		{rotation, `{"i":{"deviceId":"d"}}`, ""},
		{rotation, `{"i":{"deviceId":1}}`, domain.CodeBadUserInput},
		{rotation, `{"i":{}}`, domain.CodeBadUserInput},
		{rotation, ``, domain.CodeBadUserInput},
		{rotation, `{"i":{"deviceId":"d"}}`, ""},
		{several, `{"a":false,"i":{"deviceId":"d"}}`, ""},
		{several, `{"a":true,"i":{"deviceId":"d"}}`, domain.CodeBadUserInput},
		{several, `{"a":false,"i":{"deviceId":"d"}}`, ""},
		{named, ``, domain.CodeGraphQLInvalid}, // which of the two?
	} {
		if got := s.post(t, step.query, step.variables); got.code() != step.want {
			t.Errorf("%s %s: %s", step.query, step.variables, got.Text)
		}
	}
	byGET := "/graphql?" + url.Values{"query": {rotation}, "variables": {`{"i":{"deviceId":"d"}}`}}.Encode()
	if got := s.do(t, sent("GET", byGET, "", "")()); got.Status != http.StatusMethodNotAllowed {
		t.Errorf("by GET: %d %s", got.Status, got.Text)
	}
	for name, calls := range map[string]int{"A": 0, "B": 1, "C": 0} {
		before := len(s.calls)
		s.do(t, request(fmt.Sprintf(`{"query":%q,"operationName":%q,"variables":{"i":{"deviceId":"d"}}}`, named, name)))
		if got := len(s.calls) - before; got != calls {
			t.Errorf("%s: %d calls", name, got)
		}
	}
	for _, query := range []string{rotation, several} {
		if s.kept().get(query) == nil {
			t.Errorf("not kept: %s", query)
		}
	}
}

func TestTheDocumentCacheIsBoundedAndEvictsTheLeastRecentlyUsed(t *testing.T) {
	for name, tc := range map[string]struct {
		format string
		room   int
	}{
		"short": {"{a%06d}", maxDocuments},
		"long":  {"{a%06d}" + strings.Repeat(" ", maxDocumentText-9), maxDocumentBytes / weight(strings.Repeat(" ", maxDocumentText))},
	} {
		d := newDocuments()
		text := func(i int) string { return fmt.Sprintf(tc.format, i) }
		for i := range 3 * maxDocuments {
			d.put(&document{text: text(i)})
			if d.get(text(0)) == nil {
				t.Fatalf("%s: a document in constant use was evicted at %d", name, i)
			}
		}
		if d.byText.Len() != tc.room || d.bytes != tc.room*weight(text(0)) || d.bytes > maxDocumentBytes {
			t.Errorf("%s: %d documents, %d bytes; room is for %d", name, d.byText.Len(), d.bytes, tc.room)
		}
		if last := 3*maxDocuments - 1; d.get(text(last)) == nil || d.get(text(last-tc.room+2)) == nil || d.get(text(last-tc.room+1)) != nil {
			t.Errorf("%s: the kept documents are not the most recent ones", name)
		}
	}
}

// TestNoDocumentUsesMoreMemoryThanItsWeight compares the limit in bytes with the
// memory that valid documents use.
func TestNoDocumentUsesMoreMemoryThanItsWeight(t *testing.T) {
	h := newStand(true).handler.(*handler)
	queries := dear()
	queries["the shortest"] = `{__typename}`
	queries["a rotation"] = rotation
	queries["selections in each other"] = `query($a: Boolean!) { __schema {` + strings.Repeat(`...{`, 200) + `description` + strings.Repeat(`}`, 200) + `}}`
	queries["directives"] = `query($a:Boolean!){` + strings.Repeat(`...@skip(if:$a)@include(if:$a){__typename}`, maxDirectives/2) + `}`
	weighed := 0
	for name, query := range queries {
		const n = 20
		var docs [n]*document
		before := heap()
		for i := range docs {
			doc, errs := parse(query)
			if errs == nil {
				doc.uses, errs = h.validate(doc.QueryDocument)
			}
			if errs != nil {
				break
			}
			docs[i] = doc
		}
		if docs[0] == nil {
			continue
		}
		weighed++
		if each := (heap() - before) / n; each > weight(query) {
			t.Errorf("%s: %d bytes of text take %d, weight is %d", name, len(query), each, weight(query))
		}
		runtime.KeepAlive(docs)
	}
	if weighed < 5 {
		t.Errorf("only %d documents are valid", weighed)
	}
}

// heap is how many bytes are in use.
func heap() int {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}

// TestManyRequestsExecuteOneDocumentAtOnce is for the race detector: nothing
// may write to a document once it is kept.
func TestManyRequestsExecuteOneDocumentAtOnce(t *testing.T) {
	const doc = `query A($h: Float = 24, $no: Boolean = false) { ...f other: getEncryptionMetricsSummary(timeframeHours: $h) @skip(if: $no) __schema { types { name fields { name } } } }
		mutation B($i: ClientIdentityInput!) { rotateClientEncryptionKey(input: $i) { ...k publicKey createdAt expiresAt publicKeyPkcs1 } }
		fragment f on Query { getEncryptionMetricsSummary(timeframeHours: $h) ... @include(if: true) { __typename } } fragment k on KeyPairResult { keyId }`
	s := newStand(true)
	var requests sync.WaitGroup
	for i := range 8 {
		requests.Go(func() {
			for range 5 {
				name, variables := "A", fmt.Sprintf(`{"h":%d}`, i+1)
				if i%2 == 0 {
					name, variables = "B", `{"i":{"deviceId":"d"}}`
				}
				got := s.do(t, request(fmt.Sprintf(`{"query":%q,"operationName":%q,"variables":%s}`, doc, name, variables)))
				if len(got.Errors) > 0 {
					t.Errorf("%s", got.Text)
				}
			}
		})
	}
	requests.Wait()
	if s.kept().get(doc) == nil {
		t.Error("it is not kept")
	}
}
