package e2e

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"strongroom/internal/domain"
)

// sink is a receiver of events that keeps what it takes. It verifies as any
// receiver of Standard Webhooks does.
type sink struct {
	t       testing.TB
	secret  string
	address string

	mu      sync.Mutex
	server  *http.Server
	refuses bool // all of them, for good
	events  []event
}

type event struct {
	ID           string `json:"id"`
	Type         string `json:"type"`
	PartitionKey string `json:"partitionkey"`
	Sequence     string `json:"sequence"`
}

func (s *sink) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // it was cut off
	}
	key, _ := base64.StdEncoding.DecodeString(strings.TrimPrefix(s.secret, "whsec_"))
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "%s.%s.%s", r.Header.Get("webhook-id"), r.Header.Get("webhook-timestamp"), body)
	want := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	sent, _ := strconv.ParseInt(r.Header.Get("webhook-timestamp"), 10, 64)
	var e event
	if !slices.Contains(strings.Fields(r.Header.Get("webhook-signature")), want) || time.Since(time.Unix(sent, 0)).Abs() > time.Minute ||
		json.Unmarshal(body, &e) != nil || e.ID != r.Header.Get("webhook-id") {
		s.t.Errorf("invalid signature, time or id: %v %s", r.Header, body)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.refuses {
		w.WriteHeader(http.StatusUnprocessableEntity)
		return
	}
	s.events = append(s.events, e)
}

// up starts the receiver, at the address that it had before.
func (s *sink) up() {
	s.t.Helper()
	listener, err := net.Listen("tcp", s.address)
	if err != nil {
		s.t.Fatal(err)
	}
	s.address = listener.Addr().String()
	s.server = &http.Server{Handler: s}
	go func(server *http.Server) { _ = server.Serve(listener) }(s.server)
}

func (s *sink) down() { _ = s.server.Close() }

// distinct is what came, without repeats; in order for each account, or the
// test fails.
func (s *sink) distinct() map[string]int {
	s.t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	seen, last, types := map[string]bool{}, map[string]int{}, map[string]int{}
	for _, e := range s.events {
		if seen[e.ID] {
			continue
		}
		seen[e.ID] = true
		types[e.Type]++
		n, _ := strconv.Atoi(e.Sequence)
		if last[e.PartitionKey]++; n != last[e.PartitionKey] {
			s.t.Errorf("account %s: number %d came, want %d", e.PartitionKey, n, last[e.PartitionKey])
		}
	}
	return types
}

// owed is what the trail says must have come, of the events that go out unless
// others are named.
func (i *instance) owed() map[string]int {
	i.t.Helper()
	out, code := i.command("audit", "export")
	if code != 0 {
		i.t.Fatalf("audit export exits %d: %s", code, out)
	}
	owed := map[string]int{}
	for line := range strings.Lines(out) {
		var e struct{ Event domain.Event }
		if json.Unmarshal([]byte(line), &e) == nil && slices.Contains(domain.EventsOut, e.Event) {
			owed["strongroom."+string(e.Event)]++
		}
	}
	return owed
}

// The server is killed while events wait, and the receiver is unavailable at times. All
// acknowledged events arrive in order, also those of a command beside the server.
func TestEventsSurviveKillsOfTheServerAndReceiverOutages(t *testing.T) {
	t.Parallel()
	const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
	s := &sink{t: t, secret: secret, address: "127.0.0.1:0"}
	s.up()
	t.Cleanup(func() { s.down() })
	i := startWith(t, []string{"HOOK_SECRET=" + secret}, "--webhook-url", "http://"+s.address+"/in", "--webhook-secret", "env:HOOK_SECRET",
		"--webhook-allow", "127.0.0.1", "--webhook-timeout", "1s")
	for round := range 3 {
		for device := range 4 {
			name := fmt.Sprintf("phone-%d", device)
			i.expect("set", i.try("setTransactionPin", i.mustIssue(generate, name), "8302"), "true")
			i.mustIssue(rotate, name)
			if device == round {
				s.down()
			}
		}
		if round == 1 {
			s.up() // the server is killed while it sends, then
		}
		i.kill()
		i.run()
		if round != 1 {
			s.up()
		}
	}
	if out, code := i.command("admin", "erase", "--device", "phone-3", "--reason", "asked"); code != 0 {
		t.Fatalf("erase exits %d: %s", code, out)
	}
	owed := i.owed()
	if owed["strongroom.account.erased"] != 1 || owed["strongroom.key.issued"] != 16 {
		t.Fatalf("the trail has %v", owed)
	}
	await(t, "all events", 90*time.Second, func() bool { return fmt.Sprint(s.distinct()) == fmt.Sprint(owed) })
	if strings.Contains(i.log.String(), secret[6:]) {
		t.Error("the log has the secret")
	}
	i.auditIntact()
}

// receivers make programs of the functions of docs/events.md. They read requests as JSON
// lines, and print whether each verifies. An exception ends the program.
var receivers = []struct {
	lang, tool    string
	run           []string // the last is the file
	before, after string
}{
	{"js", "node", []string{"node", "receiver.mjs"}, "import { readFileSync } from 'node:fs'\n", `
for (const line of readFileSync(0, 'utf8').trim().split('\n')) {
  const { headers, body } = JSON.parse(line)
  console.log(verified(process.argv[2], headers, Buffer.from(body, 'base64')))
}
`},
	{"python", "python3", []string{"python3", "receiver.py"}, "import json, sys\n", `
for line in sys.stdin:
    request = json.loads(line)
    print("true" if verified(sys.argv[1], request["headers"], base64.b64decode(request["body"])) else "false")
`},
	{"go", "go", []string{"go", "run", "receiver.go"},
		`package main; import ("crypto/hmac"; "crypto/sha256"; "encoding/base64"; "encoding/json"; "fmt"; "net/http"; "os"; "slices"; "strconv"; "strings"; "time")
`, `
func main() {
	for lines := json.NewDecoder(os.Stdin); lines.More(); {
		var r struct { Headers map[string]string; Body []byte }
		if err := lines.Decode(&r); err != nil { panic(err) }
		h := http.Header{}
		for name, value := range r.Headers { h.Set(name, value) }
		fmt.Println(verified(os.Args[1], h, r.Body))
	}
}
`},
}

// The documented functions accept what the service sends. They return false for everything
// else, and a request without a header does not end the receiver.
func TestDocumentedReceiversVerifyEvents(t *testing.T) {
	t.Parallel()
	const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
	type request struct {
		Headers map[string]string `json:"headers"`
		Body    []byte            `json:"body"`
	}
	sent := make(chan request, 1)
	names := []string{"webhook-id", "webhook-timestamp", "webhook-signature"}
	hook := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return // it was cut off
		}
		is := request{map[string]string{}, body}
		for _, name := range names {
			is.Headers[name] = r.Header.Get(name)
		}
		select {
		case sent <- is:
		default:
		}
	}))
	t.Cleanup(hook.Close)
	i := startWith(t, []string{"HOOK_SECRET=" + secret}, "--webhook-url", hook.URL, "--webhook-secret", "env:HOOK_SECRET", "--webhook-allow", "127.0.0.1")
	i.mustIssue(generate, "phone")
	genuine := <-sent
	i.stop()

	type delivery struct {
		what string
		request
		want bool
	}
	with := func(header, value string) request {
		r := request{maps.Clone(genuine.Headers), genuine.Body}
		if r.Headers[header] = value; value == "" {
			delete(r.Headers, header)
		}
		return r
	}
	cases := []delivery{
		{"as it came", genuine, true},
		{"two signatures", with("webhook-signature", "v1,AAAA "+genuine.Headers["webhook-signature"]), true},
		{"another body", request{genuine.Headers, append(slices.Clone(genuine.Body), ' ')}, false},
		{"another id", with("webhook-id", "x"), false},
		{"an old timestamp", with("webhook-timestamp", "1700000000"), false},
		{"no headers", request{map[string]string{}, genuine.Body}, false},
	}
	for _, name := range names {
		cases = append(cases, delivery{"without " + name, with(name, ""), false})
	}
	for _, malformed := range []string{"v1", "v1,", "v1,%%%", "v1,A", "v2" + genuine.Headers["webhook-signature"][2:], ","} {
		cases = append(cases, delivery{"the signature " + malformed, with("webhook-signature", malformed), false})
	}
	for _, malformed := range []string{"x", "-1", "1e3", strings.Repeat("9", 5000)} {
		cases = append(cases, delivery{"the timestamp " + malformed, with("webhook-timestamp", malformed), false})
	}
	var in strings.Builder
	to := json.NewEncoder(&in)
	for _, c := range cases {
		if err := to.Encode(c.request); err != nil {
			t.Fatal(err)
		}
	}
	doc := blocks(t, "docs/events.md")
	for _, r := range receivers {
		t.Run(r.lang, func(t *testing.T) {
			need(t, r.tool)
			n := slices.IndexFunc(doc, func(b block) bool { return b.heading == "Verifying" && b.lang == r.lang })
			if n < 0 {
				t.Fatal("docs/events.md has no such function")
			}
			file := filepath.Join(t.TempDir(), r.run[len(r.run)-1])
			if err := os.WriteFile(file, []byte(r.before+doc[n].text+r.after), 0o600); err != nil {
				t.Fatal(err)
			}
			// A receiver whose secret is missing must not accept what anyone can sign.
			mac := hmac.New(sha256.New, nil)
			fmt.Fprintf(mac, "x.%d.{}", time.Now().Unix())
			forged, err := json.Marshal(request{map[string]string{"webhook-id": "x", "webhook-timestamp": strconv.FormatInt(time.Now().Unix(), 10),
				"webhook-signature": "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))}, []byte("{}")})
			if err != nil {
				t.Fatal(err)
			}
			for _, missing := range []string{"", "whsec_", "whsec_%%%"} {
				args := append(slices.Clone(r.run[1:len(r.run)-1]), file, missing)
				if verdict := strings.TrimSpace(pipe(t, string(forged)+"\n", r.run[0], args...)); verdict != "false" {
					t.Errorf("with the secret %q a forged event is %s", missing, verdict)
				}
			}
			args := append(slices.Clone(r.run[1:len(r.run)-1]), file, secret)
			verdicts := strings.Fields(pipe(t, in.String(), r.run[0], args...))
			if len(verdicts) != len(cases) {
				t.Fatalf("%d verdicts, want %d", len(verdicts), len(cases))
			}
			for n, c := range cases {
				if verdicts[n] != strconv.FormatBool(c.want) {
					t.Errorf("%.60s: %s", c.what, verdicts[n])
				}
			}
		})
	}
}

// A receiver refused events by mistake and was repaired. An operator resends the events,
// through the server and by a command beside it.
func TestAnOperatorResendsDeadLetters(t *testing.T) {
	t.Parallel()
	const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
	s := &sink{t: t, secret: secret, address: "127.0.0.1:0", refuses: true}
	s.up()
	t.Cleanup(func() { s.down() })
	i := startWith(t, []string{"HOOK_SECRET=" + secret}, "--webhook-url", "http://"+s.address+"/in", "--webhook-secret", "env:HOOK_SECRET",
		"--webhook-allow", "127.0.0.1")
	i.expect("set", i.try("setTransactionPin", i.mustIssue(generate, "phone"), "8302"), "true")
	command := func(code int, words string, args ...string) {
		t.Helper()
		args = append([]string{"admin", "webhook"}, args...)
		if out, got := i.command(args...); got != code || !strings.Contains(out, words) {
			t.Errorf("%q: exit code %d, want %d and %q:\n%s", args, got, code, words, out)
		}
	}
	o := operate(i)
	var status map[string]any
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("the last status of the webhook: %v", status)
		}
	})
	setAside := func(n int) {
		t.Helper()
		await(t, fmt.Sprint(n, " dead letters"), 20*time.Second, func() bool {
			status = o.ask(200, "GET", "/webhook", "")
			return fmt.Sprint(status["deadLetters"]) == strconv.Itoa(n)
		})
	}
	there := func(args ...string) []string {
		return append(args, "--server", i.admin, "--token-file", filepath.Join(i.dataDir, "admin.token"))
	}
	setAside(2)
	command(0, "sent by this instance  yes", there()...)
	command(0, "key.issued", there("dead-letters")...)
	command(2, "give one event id, or --all", there("resend", "--reason", "mended")...)
	command(1, "with this name or id", there("resend", strings.Repeat("a", 26), "--reason", "mended")...)
	command(0, "2 events are queued to be sent again.", there("resend", "--all", "--reason", "it was not mended")...)
	setAside(4) // with those that tell of the resending

	s.mu.Lock()
	s.refuses = false
	s.mu.Unlock()
	command(0, "More results: --after ", "dead-letters", "--limit", "1")
	command(0, "4 events are queued to be sent again.", "resend", "--all", "--reason", "mended")
	command(0, "dead letters   0")
	await(t, "all events", 30*time.Second, func() bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		types := map[string]int{}
		for _, e := range s.events {
			types[e.Type]++
		}
		return fmt.Sprint(types) == "map[strongroom.credential.set:1 strongroom.key.issued:1 strongroom.webhook.resent:6]"
	})
	i.auditIntact()
}
