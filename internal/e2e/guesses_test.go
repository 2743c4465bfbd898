package e2e

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	_ "modernc.org/sqlite"
)

const (
	setPIN         = "setTransactionPin"
	verifyPIN      = "verifyTransactionPin"
	setPasscode    = "setUserPasscode"
	verifyPasscode = "verifyUserPasscode"

	tooMany = "TOO_MANY_REQUESTS"
	locked  = "CREDENTIAL_LOCKED"
)

func TestOneInstanceEvaluatesFiveOf200ConcurrentGuesses(t *testing.T) {
	t.Parallel()
	i := start(t)
	k := i.withPIN("device", "493817")
	guesses := make([]string, 200)
	for n := range guesses {
		guesses[n] = encryptFor(t, k, verifyPIN, fmt.Sprintf("%06d", n))
	}
	words := i.atOnce(len(guesses), func(n int) string {
		a, err := i.submit(verifyPIN, k.ID, guesses[n])
		return word(verifyPIN, a, err)
	})
	if words["false"] != 5 || words["false"]+words[locked]+words[tooMany] != 200 {
		t.Errorf("200 wrong guesses: %v, want 5 false and the others locked or too many", words)
	}
	i.expect("the right PIN, after them", i.try(verifyPIN, k, "493817"), locked)
	sum := i.summary(24) // the key, the set, and the verdicts
	if got := sum["successfulOperations"]; got != 1+1+5 {
		t.Errorf("the summary has %v successful operations, want 7", got)
	}
	if got, want := sum["failedOperations"], float64(words[locked]+1); got != want {
		t.Errorf("the summary has %v failed operations, want %v", got, want)
	}
	want := map[string]int{"credential.mismatch": 5, "credential.locked": 1}
	if diff := cmp.Diff(want, i.verdicts()); diff != "" {
		t.Errorf("verdicts in the audit trail (-want +got):\n%s", diff)
	}
	i.auditIntact()
}

func TestFiftyRightAnswersAtOnceLockNobody(t *testing.T) {
	t.Parallel()
	i := start(t)
	k := i.withPIN("device", "493817")
	ciphertext := encryptFor(t, k, verifyPIN, "493817")
	right := func(int) string {
		a, err := i.submit(verifyPIN, k.ID, ciphertext)
		return word(verifyPIN, a, err)
	}
	for _, wrong := range []int{0, 4} { // with four failures there is one attempt at a time
		for range wrong {
			i.expect("a wrong PIN", i.try(verifyPIN, k, "0000"), "false")
		}
		words := i.atOnce(50, right)
		if words["true"] < 1 || words["true"]+words[tooMany] != 50 {
			t.Errorf("50 right answers after %d wrong ones: %v, want true or too many", wrong, words)
		}
		i.expect("the right PIN, after them", right(0), "true")
	}
	if got := i.verdicts(); got["credential.locked"]+got["attempts.lapsed"] != 0 {
		t.Errorf("verdicts in the audit trail: %v, want no lock", got)
	}
}

func TestNoDocumentAllowsASecondGuess(t *testing.T) {
	t.Parallel()
	i := start(t)
	k := i.withPIN("device", "493817")
	variables := map[string]any{"yes": true, "no": false, "i": map[string]any{
		"encryptedPin": encryptFor(t, k, verifyPIN, "0000"), "keyId": k.ID, "passwordAuthType": "TRANSACTION_PIN"}}
	send := func(query, operation string) answer {
		t.Helper()
		body, err := json.Marshal(map[string]any{"query": query, "variables": variables, "operationName": operation})
		if err != nil {
			t.Fatal(err)
		}
		a, err := i.post("/graphql", "application/json", body)
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	const field, input = "verifyTransactionPin(input: $i) ", "$i: EncryptedVerifyTransactionPinInput!"
	aliased := func(n int) string {
		var b strings.Builder
		for a := range n {
			fmt.Fprintf(&b, "a%d: %s", a, field)
		}
		return b.String()
	}
	for name, c := range map[string]struct{ query, code string }{
		"two aliases":                   {"mutation(" + input + ") {" + aliased(2) + "}", "BAD_USER_INPUT"},
		"an alias and the field":        {"mutation(" + input + ") {a:" + field + field + "}", "BAD_USER_INPUT"},
		"the maximum number of aliases": {"mutation(" + input + ") {" + aliased(15) + "}", "BAD_USER_INPUT"},
		"too many aliases":              {"mutation(" + input + ") {" + aliased(60) + "}", "GRAPHQL_INVALID"},
		"200 aliases":                   {"mutation(" + input + ") {" + aliased(200) + "}", "GRAPHQL_INVALID"},
		"another operation beside it":   {"mutation(" + input + ", $s: EncryptedTransactionPinInput = {encryptedPin: \"x\", keyId: \"x\", passwordAuthType: TRANSACTION_PIN}) {setTransactionPin(input: $s)" + field + "}", "BAD_USER_INPUT"},
		"a fragment":                    {"mutation(" + input + ") {...f} fragment f on Mutation {" + aliased(2) + "}", "BAD_USER_INPUT"},
		"two fragments":                 {"mutation(" + input + ") {...f ...g} fragment f on Mutation {a:" + field + "} fragment g on Mutation {b:" + field + "}", "BAD_USER_INPUT"},
		"fragments that double": {"mutation(" + input + ") {...f ...f} fragment f on Mutation {...g ...g} fragment g on Mutation {...h ...h} " +
			"fragment h on Mutation {" + aliased(4) + "}", "GRAPHQL_INVALID"},
		"inline fragments":               {"mutation(" + input + ") {... on Mutation {a:" + field + "} ... {b:" + field + "}}", "BAD_USER_INPUT"},
		"@include":                       {"mutation(" + input + ", $yes: Boolean!) {a:" + field + "@include(if: $yes) b:" + field + "@include(if: true)}", "BAD_USER_INPUT"},
		"@skip":                          {"mutation(" + input + ", $no: Boolean!) {a:" + field + "@skip(if: $no) b:" + field + "@skip(if: false)}", "BAD_USER_INPUT"},
		"@include on a fragment":         {"mutation(" + input + ", $yes: Boolean!) {a:" + field + "...f @include(if: $yes)} fragment f on Mutation {b:" + field + "}", "BAD_USER_INPUT"},
		"@defer":                         {"mutation(" + input + ") {a:" + field + "... @defer {b:" + field + "}}", "GRAPHQL_INVALID"},
		"operations, none of them named": {"mutation A(" + input + ") {" + field + "} mutation B(" + input + ") {" + field + "}", "GRAPHQL_INVALID"},
		"operations of one name":         {"mutation A(" + input + ") {" + field + "} mutation A(" + input + ") {" + field + "}", "GRAPHQL_INVALID"},
	} {
		a := send(c.query, "")
		if a.code() != c.code || a.Data != nil || a.Status >= 500 {
			t.Errorf("%s: status %d, %s; want code %s and no data", name, a.Status, a.Body, c.code)
		}
	}
	one, err := json.Marshal(map[string]any{"query": "mutation(" + input + ") {" + field + "}", "variables": variables})
	if err != nil {
		t.Fatal(err)
	}
	batch, err := i.post("/graphql", "application/json", []byte("["+string(one)+","+string(one)+"]"))
	if err != nil || batch.code() != "BAD_REQUEST" {
		t.Errorf("an array: %s, %v", batch.Body, err)
	}
	get, err := client.Get(i.base + "/graphql?query=" + url.QueryEscape("mutation {"+field+"}"))
	if err != nil || get.StatusCode != http.StatusMethodNotAllowed {
		t.Errorf("GET: %v, %v", get, err)
	}
	if diff := cmp.Diff(map[string]int{}, i.verdicts()); diff != "" {
		t.Errorf("verdicts in the audit trail after refusals only (-want +got):\n%s", diff)
	}

	// What a document may do is one guess, and it gets one.
	for name, query := range map[string]string{
		"the named one of three":   "mutation A(" + input + ") {" + field + "} mutation B(" + input + ") {" + field + "} mutation C(" + input + ") {" + field + "}",
		"two that are the same":    "mutation B(" + input + ") {" + field + field + "}",
		"one that is not left out": "mutation B(" + input + ", $no: Boolean!) {a:" + field + "@include(if: $no) " + field + "}",
	} {
		if a := send(query, "B"); a.code() != "" || a.Data[verifyPIN] != false || len(a.Data) != 1 {
			t.Errorf("%s: %s", name, a.Body)
		}
	}
	if diff := cmp.Diff(map[string]int{"credential.mismatch": 3}, i.verdicts()); diff != "" {
		t.Errorf("verdicts in the audit trail after three guesses (-want +got):\n%s", diff)
	}
}

func TestOnlyAnOperatorGivesTriesBack(t *testing.T) {
	t.Parallel()
	i := start(t)
	for name, meanwhile := range map[string]func(device string, k keyPair) keyPair{
		"a restart": func(_ string, k keyPair) keyPair {
			i.stop()
			i.run()
			return k
		},
		"a kill": func(_ string, k keyPair) keyPair {
			i.kill()
			i.run()
			return k
		},
		"a set of the same PIN": func(_ string, k keyPair) keyPair {
			i.expect("set", i.try(setPIN, k, "493817"), "true")
			return k
		},
		"a set that is refused": func(_ string, k keyPair) keyPair {
			i.expect("set", i.try(setPIN, k, "49"), "false")
			return k
		},
		"a rotation": func(device string, _ keyPair) keyPair { return i.mustIssue(rotate, device) },
		"a new key after a revocation": func(device string, k keyPair) keyPair {
			if out, code := i.command("admin", "revoke", "--key", k.ID, "--reason", "lost"); code != 0 {
				t.Errorf("admin revoke exits %d:\n%s", code, out)
			}
			i.expect("a revoked key", i.try(verifyPIN, k, "493817"), "KEY_NOT_USABLE")
			return i.mustIssue(generate, device)
		},
	} {
		device := "device of " + name
		k := i.withPIN(device, "493817")
		i.expect("set", i.try(setPasscode, k, "correct horse"), "true")
		for range 4 {
			i.expect("a wrong PIN", i.try(verifyPIN, k, "0000"), "false")
		}
		i.expect("a wrong passcode", i.try(verifyPasscode, k, "0000"), "false")
		k = meanwhile(device, k)
		i.expect("the fifth wrong PIN, after "+name, i.try(verifyPIN, k, "0000"), "false")
		i.expect("the right PIN, after "+name, i.try(verifyPIN, k, "493817"), locked)
		i.expect("set, after "+name, i.try(setPIN, k, "4711"), locked)
		i.expect("the passcode, which has its own counter", i.try(verifyPasscode, k, "correct horse"), "true")
		i.unlock(device)
		i.expect("the right PIN, after the unlock", i.try(verifyPIN, k, "493817"), "true")
	}
	i.auditIntact()
}

// In each round, guessers attack a few devices until the server is killed. Meanwhile the
// owners set the same PIN and rotate keys.
func TestKillsGiveNoExtraGuesses(t *testing.T) {
	if testing.Short() {
		t.Skip("-short is for the race detector, which cannot watch a built binary")
	}
	t.Parallel()
	g := &guessers{instance: start(t), evaluated: map[string]int{}}
	var devices []string
	for round := range kills(t) {
		devices = append(devices, fmt.Sprintf("first of round %d", round), fmt.Sprintf("second of round %d", round))
		for _, d := range devices[len(devices)-2:] {
			g.withPIN(d, "493817")
		}
		g.untilKilled(devices[max(0, len(devices)-6):])
		g.run()
	}
	for _, d := range devices {
		g.untilLocked(d)
		if n := g.evaluated[d]; n > 5 {
			t.Errorf("%s: %d guesses were answered false", d, n)
		}
	}
	// An attempt that a kill took is as spent as one that was answered.
	got := g.verdicts()
	if spent := got["credential.mismatch"] + got["attempts.lapsed"]; spent != 5*len(devices) {
		t.Errorf("verdicts in the audit trail: %v, want 5 attempts spent on each of %d devices", got, len(devices))
	}
	t.Logf("verdicts in the audit trail: %v", got)
	g.unlock(devices[0])
	g.expect("the right PIN, after the unlock", g.try(verifyPIN, g.mustIssue(generate, devices[0]), "493817"), "true")
	g.auditIntact()
}

// guessers guess at one server, and count the guesses that were evaluated.
type guessers struct {
	*instance
	mu        sync.Mutex
	fuse      int            // answers until the kill
	evaluated map[string]int // by device
}

func (g *guessers) untilKilled(devices []string) {
	g.fuse = 1 + rand.IntN(10)
	var clients sync.WaitGroup
	for _, d := range devices {
		for range 3 {
			clients.Go(func() {
				for g.guess(d) != "?" {
				}
			})
		}
	}
	for _, d := range devices[len(devices)-2:] {
		clients.Go(func() {
			for k, err := g.issue(generate, d); err == nil; k, err = g.issue(rotate, d) {
				g.try(setPIN, k, "493817")
			}
		})
	}
	clients.Wait()
	<-g.exited
}

// guess makes one wrong guess and says how it was answered.
func (g *guessers) guess(device string) string {
	word := "?"
	if k, err := g.issue(generate, device); err == nil {
		word = g.try(verifyPIN, k, "0000")
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.fuse--
	switch word {
	case "false":
		g.evaluated[device]++
	case "KEY_NOT_USABLE", locked, tooMany, "?":
	default:
		g.t.Errorf("a wrong guess: %s", word)
	}
	if g.fuse == 0 || word == "?" { // whatever broke: the round is over
		_ = g.cmd.Process.Kill()
	}
	return word
}

// untilLocked guesses on until the lock, which comes at last when the leases
// of attempts end whose process was killed.
func (g *guessers) untilLocked(device string) {
	g.t.Helper()
	deadline := time.Now().Add(2 * time.Minute)
	for word := ""; word != locked; word = g.guess(device) {
		if word == "?" || time.Now().After(deadline) {
			g.t.Fatalf("%s: a guess is answered %s, and no lock comes", device, word)
		}
	}
}

// withPIN makes a device that has a key and a PIN.
func (i *instance) withPIN(device, pin string) keyPair {
	i.t.Helper()
	k := i.mustIssue(generate, device)
	i.expect("the first set", i.try(setPIN, k, pin), "true")
	return k
}

// atOnce runs requests in parallel and counts how they were answered.
func (i *instance) atOnce(n int, request func(n int) string) map[string]int {
	words := make([]string, n)
	var all sync.WaitGroup
	begin := make(chan struct{})
	for r := range n {
		all.Go(func() {
			<-begin
			words[r] = request(r)
		})
	}
	close(begin)
	all.Wait()
	counts := map[string]int{}
	for _, word := range words {
		counts[word]++
	}
	return counts
}

// ofMismatch is a condition of rows of audit_verdict: credential.mismatch is the fifth
// bit of the byte after the fixed parts.
const ofMismatch = `instr('1357', substr(hex(substr(data, 77, 1)), 1, 1)) > 0`

// verdicts counts the verdicts in the audit trail, by event.
func (i *instance) verdicts() map[string]int {
	i.t.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(i.dataDir, "strongroom.db")+"?mode=ro")
	if err != nil {
		i.t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.Query(`SELECT event, sum(count) FROM (
		SELECT event, count FROM audit_log WHERE event IN ('credential.verified', 'credential.mismatch', 'credential.locked', 'attempts.lapsed')
		UNION ALL SELECT CASE WHEN ` + ofMismatch + ` THEN 'credential.mismatch' ELSE 'credential.verified' END, 1 FROM audit_verdict) GROUP BY event`)
	if err != nil {
		i.t.Fatal(err)
	}
	defer rows.Close()
	found := map[string]int{}
	for rows.Next() {
		var event string
		var n int
		if err := rows.Scan(&event, &n); err != nil {
			i.t.Fatal(err)
		}
		found[event] = n
	}
	if err := rows.Err(); err != nil {
		i.t.Fatal(err)
	}
	return found
}
