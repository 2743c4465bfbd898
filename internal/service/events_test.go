package service

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"strongroom/internal/domain"
	"strongroom/internal/outbox"
	"strongroom/internal/store"
	"strongroom/internal/webhook"
)

// cloudEvent is an event in the structured form of CloudEvents 1.0.
type cloudEvent struct {
	SpecVersion, ID, Source, Type, Subject, Time, DataContentType, DataSchema, Sequence, PartitionKey string
	Data                                                                                              json.RawMessage
}

// eventData is the data of an event: docs/events.schema.json.
type eventData struct {
	Account *struct{ ID, Mode, Issuer, Subject string }

	DeviceID, KeyID, CredentialType, LockedUntil string
}

// receiver takes events as a user's service does: it answers as the test says,
// and keeps what it answered 2xx for, and what it did not know it had answered.
type receiver struct {
	t      testing.TB
	server *httptest.Server
	answer atomic.Pointer[func(w http.ResponseWriter, r *http.Request, n int64) bool] // false: do not keep

	asked atomic.Int64
	mu    sync.Mutex
	got   []cloudEvent
	raw   [][]byte
	news  chan struct{}
}

func newReceiver(t testing.TB) *receiver {
	t.Helper()
	r := &receiver{t: t, news: make(chan struct{}, 1)}
	r.server = httptest.NewServer(http.HandlerFunc(r.serve))
	t.Cleanup(func() { r.server.CloseClientConnections(); r.server.Close() })
	return r
}

func (r *receiver) serve(w http.ResponseWriter, req *http.Request) {
	body, err := io.ReadAll(req.Body)
	var e cloudEvent
	if err != nil || json.Unmarshal(body, &e) != nil || req.Header.Get("webhook-id") != e.ID || req.Header.Get("webhook-signature") == "" ||
		req.Header.Get("Content-Type") != "application/cloudevents+json; charset=utf-8" {
		r.t.Errorf("not an event: %s %v (%v)", body, req.Header, err)
	}
	keep := func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.got, r.raw = append(r.got, e), append(r.raw, body)
		select {
		case r.news <- struct{}{}:
		default:
		}
	}
	if e.Type == outbox.EventType(domain.EventAccountErased) {
		req.Header.Set("X-Erased", "yes") // for receivers that answer by it
	}
	n := r.asked.Add(1)
	if answer := r.answer.Load(); answer == nil || (*answer)(w, req, n) {
		keep()
	}
}

// behaves makes the receiver answer by fn from now on.
func (r *receiver) behaves(fn func(w http.ResponseWriter, r *http.Request, n int64) bool) {
	r.answer.Store(&fn)
}

func (r *receiver) events() []cloudEvent {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.got)
}

// until waits until the received events are in this state.
func (r *receiver) until(what string, ok func([]cloudEvent) bool) []cloudEvent {
	r.t.Helper()
	timeout := time.After(60 * time.Second)
	for {
		if got := r.events(); ok(got) {
			return got
		}
		select {
		case <-r.news:
		case <-timeout:
			r.t.Fatalf("%s: not within a minute; it has %d events", what, len(r.events()))
		}
	}
}

const testSecret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

// sendTo makes a service send all kinds of events to a receiver.
func sendTo(t testing.TB, r *receiver, tweak func(*webhook.Config)) func(*Config) {
	t.Helper()
	u, err := url.Parse(r.server.URL)
	if err != nil {
		t.Fatal(err)
	}
	secrets, err := webhook.ParseSecrets([]byte(testSecret))
	if err != nil {
		t.Fatal(err)
	}
	return func(cfg *Config) {
		c := webhook.Config{URL: u, Guard: webhook.Guard{Networks: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}},
			Secrets: func() []webhook.Secret { return secrets }, Timeout: time.Second, GiveUp: 72 * time.Hour, Agent: "test",
			Log: slog.New(slog.DiscardHandler), Observe: cfg.Metrics.WebhookAttempt, FirstPause: 5 * time.Millisecond, LastPause: 50 * time.Millisecond}
		if tweak != nil {
			tweak(&c)
		}
		sender := webhook.New(c)
		cfg.Webhook = &Webhook{Events: slices.Concat(domain.EventsOut, domain.EventsOutByName), Status: sender.Status,
			Send: func(ctx context.Context, q *outbox.Outbox) { sender.Run(ctx, q) }}
	}
}

// runs starts the background work, and ends it with the test.
func (v *instance) runs() (stop func()) {
	v.t.Helper()
	v.Start()
	stop = sync.OnceFunc(func() {
		if err := v.Stop(context.Background()); err != nil {
			v.t.Error(err)
		}
	})
	v.t.Cleanup(stop)
	return stop
}

// owed is how many events of each type must be sent according to the trail.
func (v *instance) owed() map[string]int {
	v.t.Helper()
	owed := map[string]int{}
	for event, n := range v.events() {
		if v.outbox.Tells(event) {
			owed[outbox.EventType(event)] = n
		}
	}
	return owed
}

// once are the events without their repeats, in the order in which each first
// came, which must be that of their numbers for each account.
func once(t testing.TB, got []cloudEvent) (types map[string]int) {
	t.Helper()
	types = map[string]int{}
	seen, last := map[string]bool{}, map[string]string{}
	for _, e := range got {
		if seen[e.ID] {
			continue
		}
		seen[e.ID] = true
		types[e.Type]++
		if want := fmt.Sprintf("%019d", number(last[e.PartitionKey])+1); e.Sequence != want {
			t.Errorf("account %s: number %s came, want %s", e.PartitionKey, e.Sequence, want)
		}
		last[e.PartitionKey] = e.Sequence
	}
	return types
}

// different is how many events there are without repeats.
func different(got []cloudEvent) int {
	ids := map[string]bool{}
	for _, e := range got {
		ids[e.ID] = true
	}
	return len(ids)
}

func number(text string) (n int64) {
	_, _ = fmt.Sscanf(text, "%d", &n)
	return n
}

func sum(types map[string]int) (n int) {
	for _, one := range types {
		n += one
	}
	return n
}

// Two processes, both with work and both ready to send, and a receiver that
// behaves in every way that receivers can.
func TestNoEventIsLostOrOutOfOrderWithAFailingReceiver(t *testing.T) {
	r := newReceiver(t)
	r.behaves(func(w http.ResponseWriter, req *http.Request, n int64) bool {
		switch n % 7 {
		case 0:
			w.WriteHeader(http.StatusInternalServerError)
			return false
		case 1:
			w.WriteHeader(http.StatusInternalServerError)
			return true // it did its work all the same
		case 2:
			if n < 40 { // it hangs, and may have done its work
				<-req.Context().Done()
				return n%2 == 0
			}
		case 3: // it dies in the middle
			panic(http.ErrAbortHandler)
		case 4: // it is slow
			<-time.After(20 * time.Millisecond)
		}
		return true
	})
	v := openVault(t, func(c *Config) {
		c.Writers = max(c.Writers, 2)
		sendTo(t, r, func(c *webhook.Config) { c.Timeout = 200 * time.Millisecond })(c)
	})
	w := v.beside()
	stopV := v.runs()
	w.runs()
	var wg sync.WaitGroup
	for i := range 10 {
		wg.Go(func() {
			device := fmt.Sprintf("phone-%d", i)
			for range 3 { // by both, at the same time as others
				k := v.issue(device)
				v.setPIN(k, "8302")
				w.verifyPIN(k, "8302")
				w.verifyPIN(k, "0000")
				w.rotate(device)
			}
		})
		if i == 5 {
			wg.Wait()
			stopV() // while there are events that wait
			v.Start()
		}
	}
	wg.Wait()
	owed := v.owed()
	got := r.until("all events", func(got []cloudEvent) bool {
		return different(got) == sum(owed)
	})
	if diff := cmp.Diff(owed, once(t, got)); diff != "" {
		t.Errorf("events (-in the trail +received):\n%s", diff)
	}
	if len(got) == sum(owed) {
		t.Error("no event came twice, so this test proves nothing")
	}
	if err := v.Stop(context.Background()); err != nil {
		t.Error(err)
	}
	v.outboxHolds(0, 0)
	v.intact()
}

// outboxHolds checks how many events wait and how many are dead, once what was
// taken has been noted.
func (v *instance) outboxHolds(waiting, dead int64) {
	v.t.Helper()
	var o outbox.State
	for range 200 {
		v.view(func(tx store.Tx) (err error) {
			o, err = outbox.Measure(tx)
			return err
		})
		if o.Waiting == waiting && o.Dead == dead {
			return
		}
		time.Sleep(10 * time.Millisecond) // the sender notes it after the receiver has answered
	}
	v.t.Errorf("the outbox holds %d events and %d dead letters, want %d and %d", o.Waiting, o.Dead, waiting, dead)
}

func TestQueuedEventsOfAKilledProcessGoToTheNewReceiver(t *testing.T) {
	old := newReceiver(t)
	old.behaves(func(w http.ResponseWriter, _ *http.Request, _ int64) bool { w.WriteHeader(503); return false })
	v := openVault(t, sendTo(t, old, nil))
	stop := v.runs()
	for i := range 4 {
		v.setPIN(v.issue(fmt.Sprintf("phone-%d", i)), "8302")
	}
	stop() // the store is closed under a running process otherwise
	owed := v.owed()
	moved := newReceiver(t)
	v.tweak = sendTo(t, moved, nil)
	v.kill()
	v.runs()
	got := moved.until("all events", func(got []cloudEvent) bool { return len(got) == sum(owed) })
	if diff := cmp.Diff(owed, once(t, got)); diff != "" {
		t.Errorf("events (-in the trail +received):\n%s", diff)
	}
	v.outboxHolds(0, 0)
}

// Every kind of event that a test can cause, compared with the schema that
// receivers are given.
func TestEventsFitTheirSchema(t *testing.T) {
	r := newReceiver(t)
	v := openVault(t, func(c *Config) {
		c.Mode, c.Attempts.DeviceMax, c.History, c.RotationGrace, c.KeyTTL = domain.ModeJWT, 3, 2, time.Minute, time.Hour
		sendTo(t, r, nil)(c)
	})
	carol := v.as("carol")
	for device, attempts := range map[string]int{"phone": 3, "tablet": 2} { // a restore counts them, and locks a device and the credential
		k := carol.issue(device)
		for range attempts {
			carol.mustReserve(k)
		}
	}
	v.declareRestored()
	alice := v.as("alice")
	k := alice.issue("phone")
	if _, err := alice.GenerateKey(alice.ctx, domain.Identity{DeviceID: "phone", AppVersion: "2.0"}); err != nil {
		t.Fatal(err)
	}
	const canary = "830274619205" // long: four digits also occur in a time
	alice.setPIN(k, canary)
	alice.verifyPIN(k, canary)
	alice.setPIN(k, canary) // reused
	for range 3 {
		alice.verifyPIN(k, "0000") // the device is locked
	}
	tablet := alice.issue("tablet")
	for range 2 {
		alice.verifyPIN(tablet, "0000") // and then the credential
	}
	alice.as("alice", may(domain.MayResetCredential)).setPIN(tablet, "6174")
	operator := v.by("token:1f2e3d4c", domain.RoleOperator, "act")
	account := v.accountID(domain.ModeJWT, testIssuer, "alice")
	unlocked := must[domain.ActResult](t)
	unlocked(operator.Unlock(operator.ctx, account, domain.TransactionPIN, domain.Act{Reason: "she called"}))
	alice.rotate("phone")
	alice.rotate("phone") // which ends the grace of the first
	unlocked(operator.RevokeKey(operator.ctx, tablet.KeyID, domain.Act{Reason: "lost"}))
	bob := v.as("bob")
	bob.issue("watch")
	v.clock.Advance(2 * time.Hour)
	if err := v.endKeys(); err != nil {
		t.Fatal(err)
	}
	unlocked(operator.EraseAccount(operator.ctx, account, domain.Act{Reason: "she asked"}))
	unlocked(operator.StartRotationPlan(operator.ctx, domain.RotationPlan{Bits: 3072}, domain.Act{Reason: "new size"}))
	owed := v.owed()
	v.runs()
	var got []cloudEvent
	r.until("all events", func(all []cloudEvent) bool {
		// With no key left the process that sends ends the plan, perhaps meanwhile.
		got = slices.DeleteFunc(slices.Clone(all), func(e cloudEvent) bool { return e.Type == outbox.EventType(domain.EventRotationFinished) })
		return different(got) == sum(owed)
	})
	if diff := cmp.Diff(owed, once(t, got)); diff != "" {
		t.Errorf("events (-in the trail +received):\n%s", diff)
	}
	schema, _ := eventsSchema(t)
	for _, raw := range r.raw {
		if err := schema.Validate(must[any](t)(jsonschema.UnmarshalJSON(bytes.NewReader(raw)))); err != nil {
			t.Errorf("%v\n%s", err, raw)
		}
		if strings.Contains(string(raw), canary) || strings.Contains(string(raw), "BEGIN") {
			t.Errorf("an event reveals too much: %s", raw)
		}
	}
	if n := len(slices.Collect(maps.Keys(owed))); n < 18 {
		t.Errorf("only %d kinds of event happened: %v", n, owed)
	}
	for _, e := range got {
		var d eventData
		_ = json.Unmarshal(e.Data, &d)
		if name := strings.TrimPrefix(e.Type, "strongroom."); d.Account != nil && (!slices.Contains([]string{"alice", "bob", "carol"}, d.Account.Subject) || d.Account.Issuer != testIssuer) {
			t.Errorf("%s is about %+v", name, d.Account)
		} else if strings.HasSuffix(name, ".locked") && d.LockedUntil == "" {
			t.Errorf("%s does not say until when: %s", name, e.Data)
		}
	}
}

// The schema must reject wrong events, or the test above proves nothing.
func TestTheEventSchemaRejectsInvalidEvents(t *testing.T) {
	schema, listed := eventsSchema(t)
	const good = `{"specversion":"1.0","id":"abcdefghijklmnopqrstuvwxyz","source":"/strongroom/abcdefghijklmnopqrstuvwxyz","type":"strongroom.account.erased",
		"time":"2026-03-01T12:00:00Z","datacontenttype":"application/json","dataschema":"urn:strongroom:events:1","sequence":"0000000000000000001",
		"partitionkey":"-","data":{"outcome":"ok","actor":"system","account":{"id":"abcdefghijklmnopqrstuvwxyz"}}}`
	for change, bad := range map[string]string{
		``: ``, `"1.0"`: `"1"`, `strongroom.account.erased`: `strongroom.other`, `,"account":{"id":"abcdefghijklmnopqrstuvwxyz"}`: ``,
		`"outcome":"ok",`: ``, `"actor":"system"`: `"actor":"system","pin":"8302"`, `"partitionkey":"-"`: `"partitionkey":""`,
		`"sequence":"0000000000000000001"`: `"sequence":1`,
	} {
		value := must[any](t)(jsonschema.UnmarshalJSON(strings.NewReader(strings.Replace(good, change, bad, 1))))
		if err := schema.Validate(value); (err == nil) != (change == "") {
			t.Errorf("with %s for %s: %v", bad, change, err)
		}
	}
	var types []any
	for _, e := range slices.Concat(domain.EventsOut, domain.EventsOutByName) {
		types = append(types, outbox.EventType(e))
	}
	if len(types) != len(listed) || slices.ContainsFunc(types, func(e any) bool { return !slices.Contains(listed, e) }) {
		t.Errorf("the schema has the events %v, want %v", listed, types)
	}
}

// eventsSchema is the schema for receivers, and the names of the events in it.
func eventsSchema(t testing.TB) (check *jsonschema.Schema, types []any) {
	t.Helper()
	text := must[[]byte](t)(os.ReadFile("../../docs/events.schema.json"))
	doc := must[any](t)(jsonschema.UnmarshalJSON(bytes.NewReader(text)))
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource("urn:strongroom:events:1", doc); err != nil {
		t.Fatal(err)
	}
	types = doc.(map[string]any)["properties"].(map[string]any)["type"].(map[string]any)["enum"].([]any)
	return must[*jsonschema.Schema](t)(c.Compile("urn:strongroom:events:1")), types
}

func TestAnEventThatWasEditedIsNeverSent(t *testing.T) {
	r := newReceiver(t)
	v := openVault(t, sendTo(t, r, nil))
	v.issue("phone")
	v.setPIN(v.issue("tablet"), "8302")
	v.insider().write("UPDATE outbox SET event = 'account.erased' WHERE account_id = @tablet AND seq = 1")
	v.insider().write("INSERT INTO outbox (tenant, account_id, seq, id, event, time, data, mac) " +
		"SELECT tenant, account_id, seq + 1, id, event, time, data, mac FROM outbox WHERE account_id = @phone")
	v.runs()
	got := r.until("the others", func(got []cloudEvent) bool { return len(got) == 4 }) // a key, a credential, and twice that tampering was seen
	var types []string
	for _, e := range got {
		types = append(types, e.Type)
	}
	slices.Sort(types)
	if want := []string{"strongroom.credential.set", "strongroom.key.issued", "strongroom.tampering.seen", "strongroom.tampering.seen"}; !slices.Equal(types, want) {
		t.Errorf("sent %v, want %v", types, want)
	}
	v.outboxHolds(0, 2)
	letters, _, err := v.DeadLetters(v.ctx, domain.DeadLetterFilter{}, domain.Page{Limit: 10})
	if err != nil || len(letters) != 2 || letters[0].Reason != domain.DeadTampered || letters[0].LastError != "" {
		t.Fatalf("dead letters %+v (%v)", letters, err)
	}
	for _, d := range letters {
		if d.Partition != v.accountID(domain.ModeDevice, "", "tablet") { // the other one has an id that is there once more
			continue
		}
		_, err = v.ResendDeadLetter(v.ctx, d.ID, domain.Act{Reason: "try"})
		v.code("sending it again", err, domain.CodeConflict, "edited")
	}
}

// The data key that authenticated them is destroyed in between.
func TestEventsSurviveADataKeyRotation(t *testing.T) {
	r := newReceiver(t)
	r.behaves(func(w http.ResponseWriter, _ *http.Request, _ int64) bool { w.WriteHeader(422); return false })
	v := openVault(t, sendTo(t, r, nil))
	stop := v.runs()
	v.issue("phone")
	v.outboxHolds(0, 1)
	stop()
	v.kill()
	v.issue("tablet")
	v.outboxHolds(1, 1)
	v.rotatedDataKey()
	r.behaves(func(http.ResponseWriter, *http.Request, int64) bool { return true })
	v.runs()
	if _, err := v.ResendDeadLetters(v.ctx, domain.DeadLetterFilter{}, becauseOf); err != nil {
		t.Fatal(err)
	}
	r.until("both events, and an event about the dead letter", func(got []cloudEvent) bool { return len(got) == 3 })
	v.outboxHolds(0, 0)
	v.intact()
}

func TestDeadLettersAreListedAndSentAgain(t *testing.T) {
	r := newReceiver(t)
	r.behaves(func(w http.ResponseWriter, _ *http.Request, _ int64) bool { w.WriteHeader(422); return false })
	v := openVault(t, sendTo(t, r, nil))
	v.runs()
	k := v.issue("phone")
	v.setPIN(k, "8302")
	v.issue("tablet")
	v.outboxHolds(0, 3)
	r.behaves(func(http.ResponseWriter, *http.Request, int64) bool { return true })
	var all []domain.DeadLetter
	for after := ""; ; {
		some, next, err := v.DeadLetters(v.ctx, domain.DeadLetterFilter{}, domain.Page{After: after, Limit: 2})
		if err != nil {
			t.Fatal(err)
		}
		if all = append(all, some...); next == "" {
			break
		}
		after = next
	}
	if len(all) != 3 || all[0].Reason != domain.DeadRefused || all[0].LastError != "status 422" || all[0].Event == "" || all[0].Data != nil || all[0].MAC != nil {
		t.Fatalf("dead letters %+v", all)
	}
	phone := v.accountID(domain.ModeDevice, "", "phone")
	operator := v.by("token:1f2e3d4c", domain.RoleOperator, "again")
	for _, d := range all {
		if d.Partition == phone {
			if _, err := operator.ResendDeadLetter(operator.ctx, d.ID, domain.Act{Reason: "mended", IdempotencyKey: d.ID}); err != nil {
				t.Fatal(err)
			}
			if again, err := operator.ResendDeadLetter(operator.ctx, d.ID, domain.Act{Reason: "mended", IdempotencyKey: d.ID}); err != nil || !again.Repeated {
				t.Errorf("a repeat: %+v, %v", again, err)
			}
		}
	}
	got := r.until("both, and that they were sent again", func(got []cloudEvent) bool { return len(got) == 4 })
	var sent []string
	for _, e := range got {
		if !slices.ContainsFunc(all, func(d domain.DeadLetter) bool { return d.ID == e.ID }) {
			sent = append(sent, e.Type)
		}
	}
	if !slices.Equal(sent, []string{"strongroom.webhook.resent", "strongroom.webhook.resent"}) {
		t.Errorf("beside them came %v", sent)
	}
	if entries := v.entriesOf(domain.EventWebhookResent); len(entries) != 2 || entries[0].Actor != "operator:token:1f2e3d4c" || entries[0].Reason != "mended" {
		t.Errorf("the trail says %+v", entries)
	}
	hash, _ := v.records.Hashes(domain.Account{Mode: domain.ModeDevice, Subject: "phone"}, "")
	for _, e := range v.entriesOf(domain.EventWebhookResent) {
		resent := slices.IndexFunc(all, func(d domain.DeadLetter) bool { return e.Record == "event/"+d.ID && e.Outcome == string(d.Event) })
		if resent < 0 || all[resent].Partition != phone || !bytes.Equal(e.Account, hash) {
			t.Errorf("which event was sent again is not in the entry: %+v", e)
		}
	}
	_, err := operator.ResendDeadLetter(operator.ctx, domain.NewID(), domain.Act{Reason: "mended"})
	v.code("one that is not there", err, domain.CodeNotFound, "dead letter")
	viewer := v.by("token:00000000", domain.RoleViewer, "no")
	_, err = viewer.ResendDeadLetter(viewer.ctx, all[0].ID, domain.Act{Reason: "mended"})
	v.code("by a viewer", err, domain.CodeForbidden, "operator")
	if st, err := viewer.WebhookStatus(viewer.ctx); err != nil || !st.Enabled || st.DeadLetters != 1 || st.LastDelivered.IsZero() || st.LastError != "status 422" || strings.Contains(st.Receiver, "@") {
		t.Errorf("status %+v, %v", st, err)
	}
	v.intact()

	if err := v.erase("tablet", "asked"); err != nil {
		t.Fatal(err)
	}
	v.outboxHolds(0, 0)
	r.until("that it was erased", func(got []cloudEvent) bool {
		return slices.ContainsFunc(got, func(e cloudEvent) bool { return e.Type == "strongroom.account.erased" })
	})
}

func TestManyDeadLettersAreResentInOneAct(t *testing.T) {
	r := newReceiver(t)
	refuses := func(w http.ResponseWriter, _ *http.Request, _ int64) bool { w.WriteHeader(422); return false }
	r.behaves(refuses)
	v := openVault(t, sendTo(t, r, nil))
	v.runs()
	const devices = 100 + 20
	for i := range devices {
		v.issue(fmt.Sprint("phone-", i))
	}
	v.setPIN(v.issue("tablet"), "8302")
	v.outboxHolds(0, devices+2)
	issued, next, err := v.DeadLetters(v.ctx, domain.DeadLetterFilter{Event: domain.EventKeyIssued}, domain.Page{Limit: 200})
	if len(issued) != devices+1 || next != "" || err != nil {
		t.Fatalf("%d events of keys, %q, %v", len(issued), next, err)
	}
	v.insider().write("UPDATE outbox_dead SET event = 'key.rotated' WHERE id = $1", issued[0].ID)
	operator := v.by("token:1f2e3d4c", domain.RoleOperator, "again")
	act := domain.Act{Reason: "mended", IdempotencyKey: "all keys"}
	done, err := operator.ResendDeadLetters(operator.ctx, domain.DeadLetterFilter{Event: domain.EventKeyIssued}, act)
	if err != nil || done.Events != devices || done.Edited != 0 || done.More || done.Repeated {
		t.Fatalf("it did %+v, %v", done, err)
	}
	again, err := operator.ResendDeadLetters(operator.ctx, domain.DeadLetterFilter{Event: domain.EventKeyIssued}, act)
	if err != nil || !again.Repeated || again.Events != 0 || again.RequestID != done.RequestID {
		t.Errorf("a repeat: %+v, %v", again, err)
	}
	entries := v.entriesOf(domain.EventWebhookResent)
	for _, e := range entries {
		if e.RequestID != done.RequestID || e.Reason != "mended" || e.Outcome != string(domain.EventKeyIssued) {
			t.Fatalf("the trail says %+v", e)
		}
	}
	if len(entries) != devices {
		t.Errorf("%d entries, not %d", len(entries), devices)
	}
	r.behaves(func(http.ResponseWriter, *http.Request, int64) bool { return true })
	rest, err := operator.ResendDeadLetters(operator.ctx, domain.DeadLetterFilter{}, domain.Act{Reason: "the rest"})
	if err != nil || rest.Edited != 1 || rest.Events < 1 {
		t.Errorf("the rest: %+v, %v", rest, err)
	}
	viewer := v.by("token:00000000", domain.RoleViewer, "no")
	_, err = viewer.ResendDeadLetters(viewer.ctx, domain.DeadLetterFilter{}, domain.Act{Reason: "mended"})
	v.code("by a viewer", err, domain.CodeForbidden, "operator")
	_, err = operator.ResendDeadLetters(operator.ctx, domain.DeadLetterFilter{Event: "nosuch"}, domain.Act{Reason: "mended"})
	v.code("of no event", err, domain.CodeBadUserInput, "event")
}

func TestEditedDeadLettersDoNotKeepLaterOnesFromBeingResent(t *testing.T) {
	r := newReceiver(t)
	r.behaves(func(w http.ResponseWriter, _ *http.Request, _ int64) bool { w.WriteHeader(422); return false })
	v := openVault(t, sendTo(t, r, nil))
	v.runs()
	v.issue("phone")
	v.outboxHolds(0, 1)
	// A cursor cannot contain these ids.
	v.insider().write(`INSERT INTO outbox_dead (tenant, account_id, seq, id, event, time, data, mac, reason, dead_at)
		WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 1100)
		SELECT tenant, account_id, seq + 1000000 + n, id || '` + "\n" + `' || n, event, time, data, mac, reason, dead_at - 1 FROM outbox_dead, n`)
	done, err := v.ResendDeadLetters(v.ctx, domain.DeadLetterFilter{}, domain.Act{Reason: "mended"})
	if err != nil || done.Events != 1 || done.Edited != 1100 || done.More {
		t.Errorf("it did %+v, %v", done, err)
	}
}

func TestWithoutAReceiverTheOutboxStaysEmpty(t *testing.T) {
	v := openVault(t, func(cfg *Config) { cfg.Webhook = &Webhook{} })
	v.setPIN(v.issue("phone"), "8302")
	v.outboxHolds(0, 0)
	r := newReceiver(t)
	command := v.tweak
	v.tweak = sendTo(t, r, nil)
	server := v.beside()
	v.issue("tablet") // by the process that sends nothing
	v.outboxHolds(0, 0)
	v.tweak = nil // a command beside the server, which has none of its settings
	if err := v.beside().erase("phone", "asked"); err != nil {
		t.Fatal(err)
	}
	owed := []string{"strongroom.key.revoked", "strongroom.credential.erased", "strongroom.account.erased"}
	server.runs()
	got := r.until("what the command did", func(got []cloudEvent) bool { return len(got) == len(owed) })
	for i, e := range got {
		if e.Type != owed[i] {
			t.Errorf("event %d is %s, want %s", i, e.Type, owed[i])
		}
	}
	v.tweak = command // sending is switched off again
	off := v.beside()
	if err := off.erase("tablet", "asked"); err != nil {
		t.Fatal(err)
	}
	v.tweak = nil
	v.beside().issue("watch")
	v.outboxHolds(0, 0)
}

// A dead letter from after the erasure names the account too.
func TestAnErasureEventRemovesTheAccountsDeadLetters(t *testing.T) {
	r := newReceiver(t)
	refusing := func(w http.ResponseWriter, _ *http.Request, _ int64) bool { w.WriteHeader(422); return false }
	only := func(w http.ResponseWriter, req *http.Request, n int64) bool {
		if req.Header.Get("X-Erased") == "" {
			return refusing(w, req, n)
		}
		return true
	}
	r.behaves(only)
	v := openVault(t, sendTo(t, r, nil))
	for _, device := range []string{"phone", "tablet"} {
		v.setPIN(v.issue(device), "8302")
	}
	if err := v.erase("phone", "asked"); err != nil {
		t.Fatal(err)
	}
	v.runs()
	v.outboxHolds(0, 2) // of the tablet
	r.behaves(refusing)
	if err := v.erase("tablet", "asked"); err != nil {
		t.Fatal(err)
	}
	v.outboxHolds(0, 1) // the event of the erasure itself
	letters, _, err := v.DeadLetters(v.ctx, domain.DeadLetterFilter{}, domain.Page{Limit: 10})
	if err != nil || len(letters) != 1 || letters[0].Event != domain.EventAccountErased {
		t.Fatalf("dead letters %+v (%v)", letters, err)
	}
	v.issue("tablet") // it came again
	v.outboxHolds(0, 2)
	r.behaves(only)
	if _, err := v.ResendDeadLetter(v.ctx, letters[0].ID, domain.Act{Reason: "mended"}); err != nil {
		t.Fatal(err)
	}
	r.until("both erasures", func(got []cloudEvent) bool { return len(got) == 2 })
	v.outboxHolds(0, 2) // of the account that came again, and that it was sent again
}

func TestRemovingTheReceiverEmptiesTheOutbox(t *testing.T) {
	v := openVault(t, sendTo(t, newReceiver(t), nil))
	for _, device := range []string{"phone", "tablet"} {
		v.setPIN(v.issue(device), "8302")
		l, ok, err := v.outbox.First(v.ctx, v.accountID(domain.ModeDevice, "", device))
		if err != nil || !ok {
			t.Fatal(ok, err)
		}
		if err := v.outbox.SetAside(v.ctx, l, domain.DeadRefused, "status 410"); err != nil {
			t.Fatal(err)
		}
	}
	v.tweak = func(cfg *Config) { cfg.Webhook = &Webhook{} }
	off := v.beside()
	tended := func(waiting, dead int64) {
		t.Helper()
		if err := off.tendOutbox(off.ctx, off.records.View); err != nil {
			t.Fatal(err)
		}
		off.outboxHolds(waiting, dead)
	}
	tended(2, 2)
	if err := off.erase("phone", "asked"); err != nil {
		t.Fatal(err)
	}
	tended(1, 1)
	v.clock.Advance(outbox.KeepDead - time.Hour)
	tended(1, 1)
	v.clock.Advance(2 * time.Hour)
	tended(0, 0)
}

func TestOnlyOneProcessSendsEventsAtATime(t *testing.T) {
	v, w := openTwo(t)
	hold := func(v *instance, want bool) {
		t.Helper()
		if held, err := v.outbox.Hold(v.ctx, time.Minute); err != nil || held != want {
			t.Errorf("it may send: %t, want %t (%v)", held, want, err)
		}
	}
	hold(v, true)
	hold(v, true)
	hold(w, false)
	if err := w.outbox.Release(w.ctx); err != nil { // what it does not hold
		t.Fatal(err)
	}
	hold(w, false)
	v.clock.Advance(2 * time.Minute) // v stands still
	hold(w, true)
	if held, err := v.outbox.Hold(v.ctx, 10*time.Minute); err != nil || held { // for longer than it believes to hold it
		t.Errorf("it may send although another process sends (%v)", err)
	}
	if err := v.outbox.Release(v.ctx); err != nil {
		t.Fatal(err)
	}
	hold(v, false)
	if err := w.outbox.Release(w.ctx); err != nil {
		t.Fatal(err)
	}
	hold(v, true)
	v.insider().write("UPDATE setting SET value = (SELECT value FROM setting WHERE name = 'keyset') WHERE name = 'webhook_sender'")
	hold(w, true) // a lease that none of us took
}
