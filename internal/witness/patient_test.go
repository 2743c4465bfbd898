package witness

import (
	"bytes"
	"context"
	"log/slog"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"strongroom/internal/crypto/seal"
	"strongroom/internal/metrics"
	"strongroom/internal/rollback"
	"strongroom/internal/witness/place"
)

// frozen is a place on a file system that hangs, as fsfreeze(8) makes it.
type frozen struct {
	thawed chan struct{}
	text   []byte
}

func (f *frozen) Read(context.Context, place.Key) ([]byte, string, error) {
	<-f.thawed
	return nil, "", place.ErrNone
}

func (f *frozen) Write(_ context.Context, _ place.Key, text []byte, _ string) error {
	<-f.thawed
	f.text = text
	return nil
}

func (*frozen) Shared() bool   { return false }
func (*frozen) String() string { return "/frozen/note" }

// wrote is what a process remembers that has written one entry.
type wrote struct{ at int64 }

func (w *wrote) Heads() []rollback.Head {
	return []rollback.Head{{Chain: "home", Seq: w.at, Hash: []byte{1}}}
}
func (*wrote) Followed() []rollback.Head                      { return nil }
func (*wrote) Know(rollback.Head)                             {}
func (*wrote) Seen() bool                                     { return false }
func (*wrote) Compare(context.Context, []rollback.Head) error { return nil }
func (*wrote) Contradicted(string, string)                    {}

// keeper is a witness at this place, with its log and its scrape.
func keeper(t *testing.T, at Place, memory Memory) (w *Witness, log *bytes.Buffer, scrape func() string) {
	keys, err := seal.NewKeyset()
	if err != nil {
		t.Fatal(err)
	}
	log = &bytes.Buffer{}
	meters := metrics.New(prometheus.NewRegistry())
	w = New(Config{Settings: Settings{Place: at}, Memory: memory, Keys: keys, Home: "home",
		Log: slog.New(slog.NewTextHandler(log, nil)), Metrics: meters})
	return w, log, func() string {
		answer := httptest.NewRecorder()
		meters.Handler().ServeHTTP(answer, httptest.NewRequest("GET", "/metrics", nil))
		return answer.Body.String()
	}
}

// A witness that hangs is a witness that fails: it is counted and logged, and neither the
// background work nor the end of the process waits for it.
func TestAPlaceThatHangsIsAFailureOfTheWitness(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		at := &frozen{thawed: make(chan struct{})}
		w, log, scrape := keeper(t, at, &wrote{1})
		for range reported {
			begin := time.Now()
			if err := w.Keep(t.Context()); err != nil || time.Since(begin) != keepTimeout {
				t.Errorf("after %v: %v", time.Since(begin), err)
			}
		}
		if !strings.Contains(scrape(), "\nstrongroom_witness_failures_total 3\n") {
			t.Error("the failures are not counted")
		}
		if n := strings.Count(log.String(), "the witness cannot be kept"); n != 1 || !strings.Contains(log.String(), "/frozen/note did not answer in time") {
			t.Errorf("the log says it %d times:\n%s", n, log)
		}
		ctx, cancel := context.WithTimeout(t.Context(), endTimeout)
		defer cancel()
		if err := w.keepAnd(ctx, true); !place.IsAway(err) {
			t.Errorf("at the end of the process: %v", err)
		}
		if err := w.await(ctx, func(ctx context.Context) error { _, err := w.read(ctx); return err }); !place.IsAway(err) {
			t.Errorf("at a start: %v", err)
		}
		close(at.thawed)
		synctest.Wait()
		if err := w.Keep(t.Context()); err != nil || !bytes.Equal(at.text, w.last.text) || !strings.Contains(log.String(), "the witness is up to date again") {
			t.Errorf("after it answers again: %v, %s\n%s", err, at.text, log)
		}
	})
}
