package graph

import (
	"context"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"strongroom/internal/domain"
)

// widest selects the lists of the schema within each other as deep as validation
// allows, three times, and leaves of every object.
func widest(leaves string) string {
	input := leaves + ` type { ` + leaves + ` ofType { ` + leaves + ` } }`
	typ := func(fields string) string {
		one := leaves + ` inputFields { ` + input + ` } fields { ` + leaves + ` args { ` + input + ` } ` + fields + ` }`
		return one + ` ofType { ` + one + ` }`
	}
	return `{ ` + numbered(maxObjects, `a%d: __schema { ...Wide } `) + `} fragment Wide on __Schema { types { ` + typ(`type { `+typ(``)+` }`) + ` } }`
}

func TestAQueryThatSelectsTooMuchOfTheSchemaIsStopped(t *testing.T) {
	s := newStand(true)
	got := s.post(t, widest(`name description`), "")
	if got.code() != noGood || got.message() != errLargeIntrospection.Message || len(got.Errors) != 1 || got.Data != nil {
		t.Errorf("%d bytes: %.300s", len(got.Text), got.Text)
	}
	if diff := cmp.Diff([]domain.Code{noGood}, s.refused); diff != "" || s.log.Len() > 0 {
		t.Errorf("counted as refused: %s; logged %s", diff, s.log)
	}
}

func TestTheLimitOnIntrospectionLeavesRoomForTwiceTheUsualQuery(t *testing.T) {
	text, err := os.ReadFile("testdata/introspection.graphql")
	if err != nil {
		t.Fatal(err)
	}
	query := strings.Replace(string(text), "{\n  __schema {", "{ a: __schema { ...All } b: __schema { ...All } }\nfragment All on __Schema {", 1)
	query = strings.Replace(query, "  }\n}\nfragment FullType", "  }\nfragment FullType", 1)
	if got := newStand(true).post(t, query, ""); len(got.Errors) > 0 {
		t.Errorf("%s", got.Text)
	}
}

func TestOneQueryAboutTheSchemaIsExecutedAtATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStand(true)
		s.handler.(*handler).introspecting <- struct{}{} // another one is executed
		got := s.post(t, `{ __schema { description } }`, "")
		if got.Status != 503 || got.Header.Get("Retry-After") != "1" || got.code() != domain.CodeOverloaded {
			t.Errorf("while another one is executed: %d %s", got.Status, got.Text)
		}
		if got := s.post(t, `{ __typename getEncryptionMetricsSummary }`, ""); len(got.Errors) > 0 {
			t.Errorf("a query about nothing of the schema: %s", got.Text)
		}
		<-s.handler.(*handler).introspecting
		for range 2 {
			if got := s.post(t, `{ __schema { description } }`, ""); len(got.Errors) > 0 {
				t.Errorf("after that: %s", got.Text)
			}
		}
	})
}

func TestFewQueriesAboutTheSchemaWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStand(true)
		h := s.handler.(*handler)
		h.introspecting <- struct{}{} // another one is executed
		gone, hangUp := context.WithCancel(t.Context())
		answered := make(chan bool, maxWaitingIntrospection)
		for range maxWaitingIntrospection {
			go func() { answered <- h.awaitTurn(gone) }()
		}
		synctest.Wait()
		began := time.Now()
		if got := s.post(t, `{ __schema { description } }`, ""); got.Status != 503 || time.Since(began) != 0 {
			t.Errorf("while many wait: %d after %v", got.Status, time.Since(began))
		}
		hangUp()
		for range maxWaitingIntrospection {
			if <-answered || time.Since(began) != 0 {
				t.Fatalf("a query whose client left has waited for %v", time.Since(began))
			}
		}
		<-h.introspecting
		if got := s.post(t, `{ __schema { description } }`, ""); len(got.Errors) > 0 {
			t.Errorf("after that: %s", got.Text)
		}
	})
}
