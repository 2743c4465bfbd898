package webhook

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"strongroom/internal/domain"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// queue is a queue in memory.
type queue struct {
	mu         sync.Mutex
	partitions map[string][]domain.Delivery
	dead       map[string]string // by id
	woken      chan struct{}
	looks      chan struct{} // told of each look for a partition, or nil
	empty      chan struct{} // closed when nothing waits any more
	acks       error
	unread     int         // times that First will fail
	lost       atomic.Bool // the right to send
}

func newQueue(partitions, each int) *queue {
	q := &queue{partitions: map[string][]domain.Delivery{}, dead: map[string]string{}, woken: make(chan struct{}, 1), empty: make(chan struct{})}
	for l := range partitions {
		partition := fmt.Sprintf("partition%03d", l)
		for i := range each {
			q.partitions[partition] = append(q.partitions[partition], domain.Delivery{Partition: partition, Seq: int64(i + 1), ID: fmt.Sprintf("%s-%d", partition, i+1),
				Time: time.Now(), Body: fmt.Appendf(nil, `{"n":%d}`, i+1)})
		}
	}
	return q
}

// put adds an event to a partition of its own.
func (q *queue) put(partition string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.partitions[partition] = append(q.partitions[partition], domain.Delivery{Partition: partition, Seq: 1, ID: partition + "-1", Time: time.Now(), Body: []byte("{}")})
	signal(q.woken)
}

func (q *queue) Hold(context.Context, time.Duration) (bool, error) { return !q.lost.Load(), nil }

func (q *queue) NextPartition(_ context.Context, after string) (domain.Delivery, bool, error) {
	if q.looks != nil {
		q.looks <- struct{}{}
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	var names []string
	for name, waiting := range q.partitions {
		if name > after && len(waiting) > 0 {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return domain.Delivery{}, false, nil
	}
	return q.partitions[slices.Min(names)][0], true, nil
}

func (q *queue) First(_ context.Context, partition string) (domain.Delivery, bool, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.unread > 0 {
		q.unread--
		return domain.Delivery{}, false, io.ErrUnexpectedEOF
	}
	if len(q.partitions[partition]) == 0 {
		return domain.Delivery{}, false, nil
	}
	return q.partitions[partition][0], true, nil
}

func (q *queue) Delivered(_ context.Context, l domain.Delivery) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.acks != nil {
		return q.acks
	}
	q.partitions[l.Partition] = slices.DeleteFunc(q.partitions[l.Partition], func(o domain.Delivery) bool { return o.ID == l.ID })
	for _, waiting := range q.partitions {
		if len(waiting) > 0 {
			return nil
		}
	}
	close(q.empty)
	return nil
}

func (q *queue) SetAside(ctx context.Context, l domain.Delivery, reason, lastError string) error {
	q.mu.Lock()
	q.dead[l.ID] = reason + ": " + lastError
	q.mu.Unlock()
	return q.Delivered(ctx, l)
}

func (q *queue) Woken() <-chan struct{} { return q.woken }

const secretText = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

func secrets(t testing.TB, text ...string) Secrets {
	t.Helper()
	all, err := ParseSecrets([]byte(strings.Join(text, "\n")))
	if err != nil {
		t.Fatal(err)
	}
	return func() []Secret { return all }
}

// received is what a receiver has taken, in order.
type received struct {
	mu  sync.Mutex
	ids []string
}

func (r *received) take(id string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ids = append(r.ids, id)
}

// sending runs a sender until the test ends or stop is called. The receiver is
// on the loopback interface, which is allowed.
func sending(t *testing.T, q *queue, to http.Handler, tweak func(*Config)) (s *Sender, stop func()) {
	t.Helper()
	server := httptest.NewServer(to)
	t.Cleanup(server.Close)
	u, err := url.Parse(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	cfg := Config{URL: u, Guard: Guard{Networks: prefixes("127.0.0.1/32")}, Secrets: secrets(t, secretText), Timeout: 5 * time.Second,
		GiveUp: time.Hour, Agent: "test", Log: slog.New(slog.DiscardHandler), Observe: func(string, time.Duration) {},
		FirstPause: 4 * time.Millisecond, LastPause: 40 * time.Millisecond}
	if tweak != nil {
		tweak(&cfg)
	}
	s = New(cfg)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); s.Run(ctx, q) }()
	stop = func() { cancel(); <-done; s.client.http.CloseIdleConnections() }
	t.Cleanup(stop)
	return s, stop
}

func await(t *testing.T, what string, happened <-chan struct{}) {
	t.Helper()
	select {
	case <-happened:
	case <-time.After(30 * time.Second):
		t.Fatalf("%s: not within 30 seconds", what)
	}
}

// inOrder checks that each partition's events came whole and in order.
func (r *received) inOrder(t *testing.T, partitions, each int) {
	t.Helper()
	r.mu.Lock()
	defer r.mu.Unlock()
	next := map[string]int{}
	for _, id := range r.ids {
		partition, _, _ := strings.Cut(id, "-")
		next[partition]++
		if want := fmt.Sprintf("%s-%d", partition, next[partition]); id != want {
			t.Fatalf("took %s, want %s", id, want)
		}
	}
	if len(next) != partitions || len(r.ids) != partitions*each {
		t.Errorf("took %d events of %d partitions, want %d of %d", len(r.ids), len(next), partitions*each, partitions)
	}
}

func TestEventsArriveInOrderAlthoughManyAttemptsFail(t *testing.T) {
	const partitions, each = 40, 6
	q, got := newQueue(partitions, each), &received{}
	var n, under atomic.Int64
	together := make(chan struct{})
	sending(t, q, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer under.Add(-1)
		if under.Add(1) > atOnce {
			t.Errorf("more than %d attempts at once", atOnce)
		}
		if n := n.Add(1); n == atOnce {
			close(together)
		} else if n < atOnce { // the first are answered only when atOnce attempts are under way
			<-together
		}
		if n.Add(1)%3 == 0 {
			w.WriteHeader(500)
			return
		}
		got.take(r.Header.Get("webhook-id"))
	}), nil)
	await(t, "all taken", q.empty)
	got.inOrder(t, partitions, each)
}

// A running attempt is not started again, even if the sender looks for events many times.
func TestEachPartitionHasOneAttemptAtATime(t *testing.T) {
	q := newQueue(1, 2)
	q.looks = make(chan struct{}, 1000)
	var asked atomic.Int64
	begun, release := make(chan struct{}, 100), make(chan struct{})
	sending(t, q, http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		asked.Add(1)
		begun <- struct{}{}
		<-release
	}), nil)
	await(t, "the first attempt", begun)
	for range 20 { // rounds, each of two looks
		q.woken <- struct{}{}
		await(t, "a look", q.looks)
		await(t, "another", q.looks)
	}
	if n := asked.Load(); n != 1 {
		t.Errorf("%d attempts at once in one partition", n)
	}
	close(release)
	await(t, "both taken", q.empty)
}

func TestAnUnavailableReceiverGetsOneAttemptAtATime(t *testing.T) {
	const partitions = 60
	q, got := newQueue(partitions, 2), &received{}
	var away atomic.Bool
	away.Store(true)
	var under, most, asked atomic.Int64
	enough := make(chan struct{})
	s, _ := sending(t, q, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer under.Add(-1)
		now := under.Add(1)
		if !away.Load() {
			got.take(r.Header.Get("webhook-id"))
			return
		}
		w.WriteHeader(503)
		if n := asked.Add(1); n > 2*atOnce+pauseAfter && now > most.Load() {
			most.Store(now)
		} else if n == 40 {
			close(enough)
		}
	}), nil)
	await(t, "40 attempts", enough)
	if !s.Status().Paused {
		t.Error("40 failures did not pause the sender")
	}
	if most.Load() > 1 {
		t.Errorf("%d concurrent attempts at an unavailable receiver", most.Load())
	}
	away.Store(false)
	await(t, "all taken", q.empty)
	got.inOrder(t, partitions, 2)
	if st := s.Status(); st.Paused || st.LastDelivered.IsZero() || st.LastError != "status 503" {
		t.Errorf("status %+v", st)
	}
}

func TestAFailingAccountDelaysNoOtherAccount(t *testing.T) {
	const partitions = 10
	q, got := newQueue(partitions, 3), &received{}
	others := make(chan struct{})
	var n atomic.Int64
	sending(t, q, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id := r.Header.Get("webhook-id")
		if strings.HasPrefix(id, "partition004") {
			w.WriteHeader(400)
			return
		}
		got.take(id)
		if n.Add(1) == (partitions-1)*3 {
			close(others)
		}
	}), nil)
	await(t, "the others", others)
	got.inOrder(t, partitions-1, 3)
}

// Anyone can create accounts, and so cause events that the receiver fails on.
func TestManyFailingLanesDelayNoOtherLane(t *testing.T) {
	choke := map[string]func(w http.ResponseWriter, r *http.Request){
		"400":  func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(400) },
		"500":  func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(500) },
		"hang": func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
		"die":  func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
	}
	choke["all"] = func(w http.ResponseWriter, r *http.Request) {
		id := r.Header.Get("webhook-id")
		choke[[]string{"400", "500", "hang", "die"}[id[len("partition00")]%4]](w, r)
	}
	for how, fn := range choke {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			partitions := 400
			if how == "hang" {
				partitions = 40
			}
			q := newQueue(partitions, 3)
			for i := range 5 { // among the others, after them, and that of the store
				q.put(fmt.Sprintf("partition%03dgood", i*partitions/5))
			}
			q.put("last")
			q.put(domain.StorePartition)
			got, tried := make(chan string, 100), &sync.Map{}
			sending(t, q, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				_, _ = io.Copy(io.Discard, r.Body) // or the server does not see that the sender has hung up
				if id := r.Header.Get("webhook-id"); strings.HasPrefix(id, "partition") && !strings.Contains(id, "good") {
					n, _ := tried.LoadOrStore(id, new(atomic.Int64))
					n.(*atomic.Int64).Add(1)
					fn(w, r)
				} else {
					got <- id
				}
			}), func(cfg *Config) { cfg.Timeout, cfg.LastPause = 100*time.Millisecond, lastPause })
			taken := func(n int) {
				t.Helper()
				for range n {
					select {
					case <-got:
					case <-time.After(30 * time.Second):
						t.Fatal("good events did not arrive within 30 s")
					}
				}
			}
			taken(7)
			for i := range 10 { // while the others fail again and again
				q.put(fmt.Sprintf("partition%03dgood%d", i*partitions/10, i))
				q.put(fmt.Sprintf("new%d", i))
				taken(2)
			}
			tried.Range(func(id, n any) bool {
				if n := n.(*atomic.Int64).Load(); n > 16 {
					t.Errorf("%s was tried %d times", id, n)
				}
				return true
			})
		})
	}
}

func TestAttemptsAtAnUnavailableReceiverBackOff(t *testing.T) {
	for _, worked := range []bool{false, true} {
		const partitions = 100
		q := newQueue(partitions, 1)
		var asked atomic.Int64
		begin := make(chan struct{})
		s, _ := sending(t, q, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			<-begin
			if asked.Add(1) > 1 || !worked {
				w.WriteHeader(503)
			}
		}), func(cfg *Config) { cfg.Timeout, cfg.LastPause = 20*time.Millisecond, lastPause })
		close(begin)
		for time.Until(s.Status().NextAttempt) < 2*time.Second {
			time.Sleep(time.Millisecond) // there is no notification
		}
		if n := asked.Load(); !s.Status().Paused || n > 8*partitions || !worked && n > partitions+20 {
			t.Errorf("it took one before: %t; asked %d times for %d events", worked, n, partitions)
		}
	}
}

// With many events that hang, a partition may wait for hours after it is due.
func TestOnlyPartitionsThatLeftTheQueueAreForgotten(t *testing.T) {
	q := newQueue(1, 1)
	q.partitions["partition000"][0].Time = time.Now().Add(-2 * time.Hour)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadRequest) }))
	defer server.Close()
	u, err := url.Parse(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	s := New(Config{URL: u, Guard: Guard{Networks: prefixes("127.0.0.1/32")}, Secrets: secrets(t, secretText), Timeout: 5 * time.Second,
		GiveUp: time.Hour, Log: slog.New(slog.DiscardHandler), Observe: func(string, time.Duration) {}})
	defer s.client.http.CloseIdleConnections()
	long := time.Now().Add(-time.Hour)
	for _, name := range []string{"partition000", "emptied elsewhere"} {
		s.partitions[name] = &partition{tries: leastTries - 1, next: long, found: long}
	}
	var under sync.WaitGroup
	for _, s.stuck = range []int{mostOften, 0} { // in the first round it waits again
		if _, err := s.round(t.Context(), q, make(chan struct{}, atOnce), &under); err != nil {
			t.Fatal(err)
		}
		under.Wait()
	}
	if q.dead["partition000-1"] == "" {
		t.Error("the failures of a partition that waited long were forgotten")
	}
	if s.partitions["emptied elsewhere"] != nil {
		t.Error("a partition that another process emptied is remembered")
	}
}

// A round that begins in a pause goes on after the partition that is tried first.
func TestARoundThatWasPausedForgetsNoPartition(t *testing.T) {
	q := newQueue(2, 1)
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	defer server.Close()
	u, err := url.Parse(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	s := New(Config{URL: u, Guard: Guard{Networks: prefixes("127.0.0.1/32")}, Secrets: secrets(t, secretText), Timeout: 5 * time.Second,
		GiveUp: time.Hour, Log: slog.New(slog.DiscardHandler), Observe: func(string, time.Duration) {}})
	defer s.client.http.CloseIdleConnections()
	s.partitions["partition000"] = &partition{tries: often, next: time.Now().Add(time.Hour), found: time.Now().Add(-time.Hour)}
	s.paused, s.probed = true, "partition000"
	var under sync.WaitGroup
	if _, err := s.round(t.Context(), q, make(chan struct{}, 1), &under); err != nil { // one slot: the attempt ends the pause first
		t.Fatal(err)
	}
	under.Wait()
	if s.paused || len(q.partitions["partition001"]) > 0 {
		t.Fatal("no attempt ended the pause")
	}
	if s.partitions["partition000"] == nil {
		t.Error("the failures of a partition that the round passed over were forgotten")
	}
}

// While the sender waits for the end of an attempt, it may lose the lease.
func TestASenderThatLostItsLeaseBeginsNoAttempt(t *testing.T) {
	q := newQueue(3*atOnce, 2)
	begun, release := make(chan struct{}, 100), make(chan struct{})
	s, stop := sending(t, q, http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		begun <- struct{}{}
		<-release
	}), nil)
	for range atOnce {
		await(t, "an attempt", begun)
	}
	q.lost.Store(true)
	close(release)
	for s.Status().Sending {
		time.Sleep(time.Millisecond) // there is no notification
	}
	stop()
	if n := len(begun); n != 0 {
		t.Errorf("%d attempts were begun after the right to send was lost", n)
	}
}

func TestARefusedEventIsSetAsideAndItsPartitionContinues(t *testing.T) {
	for status, want := range map[int]string{410: domain.DeadRefused, 422: domain.DeadRefused, 400: domain.DeadGivenUp, 302: domain.DeadGivenUp} {
		q, got := newQueue(1, 3), &received{}
		s, _ := sending(t, q, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if id := r.Header.Get("webhook-id"); id == "partition000-2" {
				w.Header().Set("Location", "/elsewhere")
				w.WriteHeader(status)
			} else {
				got.take(r.URL.Path + id)
			}
		}), func(cfg *Config) { cfg.GiveUp = time.Nanosecond })
		await(t, fmt.Sprint(status), q.empty)
		if q.dead["partition000-2"] != fmt.Sprint(want, ": status ", status) || !slices.Equal(got.ids, []string{"/partition000-1", "/partition000-3"}) {
			t.Errorf("status %d: dead %v, taken %v", status, q.dead, got.ids)
		}
		if st := s.Status(); st.LastError != fmt.Sprint("status ", status) || st.LastFailed.IsZero() {
			t.Errorf("status %d: %+v", status, st)
		}
	}
}

func TestAHangingReceiverTimesOutAndStoppingDoesNotWait(t *testing.T) {
	q := newQueue(1, 1)
	asked := make(chan struct{}, 100)
	release := make(chan struct{})
	var outcomes sync.Map
	_, stop := sending(t, q, http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		asked <- struct{}{}
		<-release
	}), func(cfg *Config) {
		cfg.Timeout = 50 * time.Millisecond
		cfg.Observe = func(outcome string, _ time.Duration) { outcomes.Store(outcome, true) }
	})
	for range 3 {
		await(t, "an attempt", asked)
	}
	stop()
	close(release)
	if _, ok := outcomes.Load(OutcomeTimeout); !ok {
		t.Error("no attempt ended by its timeout")
	}
}

func TestAnEndlessAnswerDoesNotBlockTheSender(t *testing.T) {
	q := newQueue(1, 1)
	_, _ = sending(t, q, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for r.Context().Err() == nil { // for ever, unless it is cut off
			if _, err := w.Write(make([]byte, 1<<16)); err != nil {
				return
			}
		}
	}), nil)
	await(t, "taken", q.empty)
}

// The body of such an answer is the connection itself.
func TestAnAnswerThatSwitchesProtocolsDoesNotBlockTheSender(t *testing.T) {
	q := newQueue(1, 1)
	var asked atomic.Int64
	release := make(chan struct{})
	_, _ = sending(t, q, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if asked.Add(1) > atOnce {
			return // 200
		}
		conn, _, err := http.NewResponseController(w).Hijack()
		if err == nil {
			fmt.Fprint(conn, "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n")
			<-release
			_ = conn.Close()
		}
	}), nil)
	t.Cleanup(func() { close(release) })
	await(t, "taken", q.empty)
}

func TestRetryAfterIsHeededWithinBounds(t *testing.T) {
	for text, want := range map[string]time.Duration{"7": 7 * time.Second, "999999999": mostRetryAfter, "-1": 0, "soon": 0, "": 0,
		time.Now().Add(-time.Hour).UTC().Format(http.TimeFormat): 0} {
		if got := retryAfter(text); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
	s := New(Config{URL: &url.URL{Scheme: "http", Host: "localhost"}, Timeout: time.Second})
	if !s.take("partition") {
		t.Fatal("a fresh partition was not taken")
	}
	if next := s.Status().NextAttempt; !next.IsZero() {
		t.Errorf("nothing waits, and the next attempt is at %v", next)
	}
	s.failed("partition", result{retryAfter: time.Minute})
	s.leave("partition")
	if left := time.Until(s.Status().NextAttempt); left <= 0 || left > time.Minute {
		t.Errorf("the next attempt is in %v", left)
	}
	if s.take("other") {
		t.Error("an event was begun while the receiver asked for a pause")
	}
}

func TestSignaturesFollowStandardWebhooks(t *testing.T) {
	// The vector of the reference libraries, github.com/standard-webhooks/standard-webhooks (MIT).
	const want = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
	other := "whsec_" + base64.StdEncoding.EncodeToString(make([]byte, 32))
	got := sign(secrets(t, other, secretText)(), "msg_p5jXN8AQM9LWM0D4loKWxJek", time.Unix(1614265330, 0), []byte(`{"test": 2432232314}`))
	if first, second, _ := strings.Cut(got, " "); second != want || first == want || !strings.HasPrefix(first, "v1,") {
		t.Errorf("signed %s, want one by each secret, newest first, the second being %s", got, want)
	}
}

func TestAReceiverVerifiesWithTheOldOrTheNewSecret(t *testing.T) {
	verify := func(secret string, r *http.Request, body []byte) bool {
		key, _ := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
		mac := hmac.New(sha256.New, key)
		fmt.Fprintf(mac, "%s.%s.%s", r.Header.Get("webhook-id"), r.Header.Get("webhook-timestamp"), body)
		for signature := range strings.SplitSeq(r.Header.Get("webhook-signature"), " ") {
			version, encoded, _ := strings.Cut(signature, ",")
			given, _ := base64.StdEncoding.DecodeString(encoded)
			if version == "v1" && hmac.Equal(given, mac.Sum(nil)) {
				return true
			}
		}
		return false
	}
	path := filepath.Join(t.TempDir(), "secrets")
	write := func(lines ...string) {
		if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	old, fresh := secretText, "whsec_"+base64.StdEncoding.EncodeToString([]byte("a secret of thirty-two bytes ..."))
	write("# the only one", old)
	of, err := FileSecrets(path, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	q := newQueue(1, 1)
	var byOld, byFresh bool
	handler := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		byOld, byFresh = verify(old, r, body), verify(fresh, r, body)
	})
	sending(t, q, handler, func(cfg *Config) { cfg.Secrets = of })
	await(t, "taken", q.empty)
	if !byOld || byFresh {
		t.Errorf("before: by the old one %t, by the new one %t", byOld, byFresh)
	}
	write(fresh, old)
	for len(of()) != 2 {
		time.Sleep(20 * time.Millisecond) // the file is checked at most once every 2 s
	}
	q = newQueue(1, 1)
	sending(t, q, handler, func(cfg *Config) { cfg.Secrets = of })
	await(t, "taken", q.empty)
	if !byOld || !byFresh {
		t.Errorf("while both are there: by the old one %t, by the new one %t", byOld, byFresh)
	}
	write("nonsense")
	time.Sleep(lookAtFile)
	if len(of()) != 2 {
		t.Error("a bad file replaced the last good secrets")
	}
}

func TestABadSecretFileIsLoggedOnceAndReadAgain(t *testing.T) {
	path := filepath.Join(t.TempDir(), "secrets")
	var log bytes.Buffer
	f := &secretFile{path: path, log: slog.New(slog.NewTextHandler(&log, nil))}
	has := func(want int, said string, change error) {
		t.Helper()
		if change != nil {
			t.Fatal(change)
		}
		for range 2 {
			f.looked = time.Time{}
			f.fresh()
		}
		if len(f.secrets) != want || strings.Count(log.String(), "\n") != min(len(said), 1) || !strings.Contains(log.String(), said) {
			t.Errorf("%d secrets, want %d and one line of %q, got:\n%s", len(f.secrets), want, said, &log)
		}
		log.Reset()
	}
	text := func(lines ...string) error { return os.WriteFile(path, []byte(strings.Join(lines, "\n")), 0o600) }
	err := text(secretText)
	if err == nil {
		f.secrets, f.seen, err = f.read()
	}
	has(1, "", err)
	has(1, "line 1: a secret is", text("nonsense"))
	has(1, "no such file", os.Remove(path))
	has(2, "was read again", text(secretText, secretText))
	has(2, "larger than", text(secretText, strings.Repeat("#", mostSecretFile)))
	has(1, "was read again", text(secretText))
	has(1, "run chmod 600", errors.Join(text(secretText, secretText, secretText), os.Chmod(path, 0o644)))
	has(3, "was read again", os.Chmod(path, 0o600)) // changes neither size nor time of the file
}

func TestABadSecretIsRefusedAndNeverShown(t *testing.T) {
	short := base64.StdEncoding.EncodeToString(make([]byte, 23))
	for _, text := range []string{"", "# nothing", secretText[6:], "whsec_", "whsec_" + short, "whsec_!!!!", strings.Repeat(secretText+"\n", 5),
		"whsec_" + base64.StdEncoding.EncodeToString(make([]byte, 65))} {
		_, err := ParseSecrets([]byte(text))
		if err == nil || strings.Contains(err.Error(), short) || strings.Contains(err.Error(), secretText[6:]) {
			t.Errorf("%q: %v", text, err)
		}
	}
	s := secrets(t, secretText)()[0]
	for _, shown := range []string{fmt.Sprint(s), fmt.Sprintf("%v %+v %#v %s", s, s, s, s), slog.AnyValue(s).Resolve().String()} {
		if strings.Contains(shown, "49") || strings.Contains(shown, "MfKQ") {
			t.Errorf("printed as %s", shown)
		}
	}
}

func FuzzSecretsAreParsedOrRefused(f *testing.F) {
	f.Add([]byte(secretText + "\n# old\n" + secretText))
	f.Fuzz(func(t *testing.T, text []byte) {
		all, err := ParseSecrets(text)
		if (err == nil) != (len(all) > 0) || len(all) > mostSecrets {
			t.Errorf("%d secrets, %v", len(all), err)
		}
	})
}

func TestNonPublicAddressesAreRefusedUnlessAllowed(t *testing.T) {
	refused := []string{"10.1.2.3", "172.16.0.1", "172.31.255.255", "192.168.1.1", "127.0.0.1", "127.255.255.254", "169.254.169.254", "100.64.0.1",
		"100.127.255.255", "0.0.0.0", "0.1.2.3", "192.0.0.8", "192.0.2.1", "192.88.99.1", "198.18.0.1", "198.51.100.1", "203.0.113.1", "224.0.0.1",
		"239.255.255.255", "240.0.0.1", "255.255.255.255", "::", "::1", "fe80::1", "fe80::1%eth0", "fec0::1", "fc00::1", "fd12:3456::1", "ff02::1",
		"::ffff:10.0.0.1", "::ffff:127.0.0.1", "::ffff:169.254.169.254", "::127.0.0.1", "64:ff9b::10.0.0.1", "64:ff9b::7f00:1", "64:ff9b:1::1",
		"168.63.129.16", "64:ff9b::168.63.129.16", "2002:0a00:0001::1", "2002:7f00:0001::", "2001::1", "2001:db8::1", "3fff::1", "100::1", "5f00::1", "4000::1"}
	for _, text := range refused {
		if (Guard{}).Check("receiver.example", netip.MustParseAddr(text)) == nil {
			t.Errorf("%s is allowed", text)
		}
	}
	for _, text := range []string{"1.1.1.1", "8.8.8.8", "172.32.0.1", "100.128.0.1", "2606:4700:4700::1111", "64:ff9b::1.1.1.1", "::ffff:1.1.1.1", "2002:0101:0101::1"} {
		if err := (Guard{}).Check("receiver.example", netip.MustParseAddr(text)); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
	g := Guard{Hosts: []string{"Home.example"}, Networks: prefixes("169.254.7.0/24")}
	for text, want := range map[string]bool{"10.1.2.3": true, "127.0.0.1": true, "::1": true, "fd00::1": true, "::ffff:10.0.0.1": true,
		"169.254.169.254": false, "100.100.100.200": false, "::ffff:100.100.100.200": false, "fd00:ec2::254": false, "168.63.129.16": false, "fe80::1": false, "0.0.0.0": false, "224.0.0.1": false, "169.254.7.9": true, "::ffff:169.254.7.9": true} {
		if err := g.Check("home.Example", netip.MustParseAddr(text)); (err == nil) != want {
			t.Errorf("a host allowed by name at %s: %v", text, err)
		}
	}
	g = Guard{Networks: prefixes("168.63.129.16/32", "fd00:ec2::/64")}
	for _, text := range []string{"168.63.129.16", "fd00:ec2::254"} {
		if err := g.Check("home.example", netip.MustParseAddr(text)); err != nil {
			t.Errorf("%s, which a network opens: %v", text, err)
		}
	}
	if g.Check("other.example", netip.MustParseAddr("10.1.2.3")) == nil {
		t.Error("an address that is allowed for one host is allowed for another")
	}
}

// nameserver answers every query for an address with its current address.
func nameserver(t *testing.T, address *atomic.Pointer[netip.Addr]) *net.Resolver {
	t.Helper()
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	answered := make(chan struct{})
	t.Cleanup(func() { conn.Close(); <-answered })
	go func() {
		defer close(answered)
		for {
			packet := make([]byte, 512)
			n, from, err := conn.ReadFrom(packet)
			if err != nil {
				return
			}
			end := 12 // of the question: a name, its type and class
			for packet[end] != 0 {
				end += 1 + int(packet[end])
			}
			end += 5
			answer := slices.Clone(packet[:min(end, n)])
			answer[2], answer[3] = 0x81, 0x80
			copy(answer[4:12], []byte{0, 1, 0, 0, 0, 0, 0, 0})
			if packet[end-3] == 1 { // A
				answer[7] = 1
				answer = append(answer, 0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4)
				answer = append(answer, address.Load().AsSlice()...)
			}
			_, _ = conn.WriteTo(answer, from)
		}
	}()
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "udp", conn.LocalAddr().String())
	}}
}

// The name had an allowed address when the receiver was configured. At the call it has
// another one.
func TestANameThatChangesToAForbiddenAddressIsNotCalled(t *testing.T) {
	var address atomic.Pointer[netip.Addr]
	good, bad := netip.MustParseAddr("127.0.0.1"), netip.MustParseAddr("127.0.0.2")
	address.Store(&good)
	var calls atomic.Int64
	listener, err := net.Listen("tcp", "0.0.0.0:0") // at both addresses
	if err != nil {
		t.Fatal(err)
	}
	server := &httptest.Server{Listener: listener, Config: &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		calls.Add(1)
		w.Header().Set("Connection", "close")
	})}}
	server.Start()
	t.Cleanup(server.Close)
	_, port, _ := net.SplitHostPort(listener.Addr().String())
	c := newClient(Config{URL: &url.URL{Scheme: "http", Host: "receiver.example:" + port}, Timeout: 5 * time.Second,
		Guard: Guard{Networks: prefixes("127.0.0.1/32")}, Secrets: secrets(t, secretText), resolver: nameserver(t, &address)})
	l := domain.Delivery{ID: "id", Body: []byte("{}")}
	if r := c.send(context.Background(), l); r.outcome != OutcomeDelivered {
		t.Fatalf("while the name means an allowed address: %+v", r)
	}
	address.Store(&bad)
	if r := c.send(context.Background(), l); r.outcome != OutcomeForbidden || calls.Load() != 1 {
		t.Errorf("after it means another: %+v, %d calls", r, calls.Load())
	}
	for _, host := range []string{"127.0.0.2", "localhost", "[::ffff:127.0.0.2]", "0.0.0.0", "2130706434", "0x7f.2"} {
		c := newClient(Config{URL: &url.URL{Scheme: "http", Host: host + ":" + port}, Timeout: 5 * time.Second, Secrets: secrets(t, secretText)})
		if r := c.send(context.Background(), l); r.outcome == OutcomeDelivered || calls.Load() != 1 {
			t.Errorf("%s: %+v", host, r)
		}
	}
}

func TestTheReceiversCertificateIsChecked(t *testing.T) {
	server := httptest.NewTLSServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	server.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, 0)
	t.Cleanup(server.Close)
	u, _ := url.Parse(server.URL)
	cfg := Config{URL: u, Timeout: 5 * time.Second, Guard: Guard{Networks: prefixes("127.0.0.0/8")}, Secrets: secrets(t, secretText)}
	l := domain.Delivery{ID: "id", Body: []byte("{}")}
	if r := newClient(cfg).send(context.Background(), l); r.outcome != OutcomeTLS {
		t.Errorf("an untrusted certificate: %+v", r)
	}
	cfg.roots = x509.NewCertPool()
	cfg.roots.AddCert(server.Certificate())
	c := newClient(cfg)
	if r := c.send(context.Background(), l); r.outcome != OutcomeDelivered {
		t.Errorf("a good one: %+v", r)
	}
	c.http.CloseIdleConnections()
	server.TLS.MaxVersion = tls.VersionTLS11
	if r := newClient(cfg).send(context.Background(), l); r.outcome == OutcomeDelivered {
		t.Errorf("TLS 1.1: %+v", r)
	}
}

func TestEventsBehindAFailedReadOfTheQueueAreSentLater(t *testing.T) {
	q := newQueue(1, 3)
	q.unread = 2
	sending(t, q, http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}), nil)
	await(t, "all three", q.empty)
}

func TestAnEventWithoutARecordedDeliveryIsSentAgain(t *testing.T) {
	q := newQueue(1, 1)
	q.acks = io.ErrUnexpectedEOF
	twice := make(chan struct{})
	var n atomic.Int64
	sending(t, q, http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		if n.Add(1) == 2 {
			q.mu.Lock()
			q.acks = nil
			q.mu.Unlock()
			close(twice)
		}
	}), nil)
	await(t, "the second time", twice)
	await(t, "noted", q.empty)
}
