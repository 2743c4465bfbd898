package e2e

import (
	varints "encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// What clients and operators chose, which must never be more than text.
const (
	hostileDevice = `"><script>document.title='taken'</script><img src=x onerror=alert(1)>`
	hostileApp    = `<svg/onload=alert(2)>{{7*7}}`
	hostileReason = `'"><script>alert(3)</script>`
	turnedDevice  = "phone-\u202etxt.exe"
)

// enrol gives a device a key and a PIN, and has it used.
func (i *instance) enrol(device, appVersion string, right, wrong int) keyPair {
	i.t.Helper()
	a, err := i.graphql("mutation($input: ClientIdentityInput!) { "+generate+"(input: $input) { keyId publicKey } }",
		map[string]any{"deviceId": device, "appVersion": appVersion})
	if err != nil {
		i.t.Fatal(err)
	}
	pair, _ := a.Data[generate].(map[string]any)
	if pair == nil {
		i.t.Fatalf("%s: %s", device, a.Body)
	}
	k := keyPair{pair["keyId"].(string), pair["publicKey"].(string)}
	i.expect("set", i.try("setTransactionPin", k, "493817"), "true")
	for range right {
		i.expect("verify", i.try("verifyTransactionPin", k, "493817"), "true")
	}
	for range wrong {
		i.try("verifyTransactionPin", k, "493818")
	}
	return k
}

// payTwice has a device with a key of its own pay twice. The backend redeems the
// first receipt.
func (i *instance) payTwice(p *provers, owner ask, device string) (keyID string) {
	i.t.Helper()
	k := i.proving(p, owner).mustIssue(generate, device)
	i.expect("set", i.proving(p, owner).try("setTransactionPin", k, "493817"), "true")
	receipt := i.proving(p, owner).mustAuthorize(k, "493817")
	if status, body := i.redeem(receipt, receiptToken); status != http.StatusOK {
		i.t.Fatalf("redeem: %d %s", status, body)
	}
	i.proving(p, owner).mustAuthorize(k, "493817")
	return k.ID
}

// sameExport compares the file that the console gave with what the command prints
// afterwards, whose own entry it has not.
func (i *instance) sameExport(path, device string) {
	i.t.Helper()
	file, err := os.ReadFile(path)
	if err != nil {
		i.t.Error(err)
		return
	}
	text := i.mustCommand(0, "admin", "account", "export", "--device", device, "--reason", "to compare")
	var console, command map[string]any
	if err := errors.Join(json.Unmarshal(file, &console), json.Unmarshal([]byte(text), &command)); err != nil {
		i.t.Error(err)
		return
	}
	entries, ok := command["entries"].([]any)
	if !ok || len(entries) < 2 {
		i.t.Errorf("the command prints no entries: %s", text)
		return
	}
	command["entries"] = entries[1:]
	for _, export := range []map[string]any{console, command} {
		delete(export["devices"].([]any)[0].(map[string]any), "keyGeneration") // each process counts its own
		for _, ofTheAct := range []string{"requestId", "at", "repeated"} {
			delete(export, ofTheAct)
		}
	}
	if diff := cmp.Diff(command, console); diff != "" {
		i.t.Errorf("-command +console:\n%s", diff)
	}
}

// aVersionBefore is the statement that puts what a version without durations
// counted two hours ago.
func aVersionBefore() string {
	at := time.Now().UTC().Add(-2 * time.Hour)
	var rows []string
	for _, width := range []time.Duration{time.Minute, time.Hour, 24 * time.Hour} {
		rows = append(rows, fmt.Sprintf("('default', %d, %d, 'before', 1234, 12, 56789000, x'', x'')", width.Microseconds(), at.Truncate(width).UnixMicro()))
	}
	return putBuckets(rows)
}

func putBuckets(rows []string) string {
	return "INSERT INTO bucket (tenant, width, start, instance, operations, failures, duration, devices, durations) VALUES " + strings.Join(rows, ", ")
}

// sum is a bucket to be.
type sum struct {
	operations, failures, micros int64
	steps                        [256]int64 // see metrics/durations.go
}

// add counts operations of some length, with a tail.
func (s *sum) add(random *rand.Rand, operations, failures int64, millis float64, timed bool) {
	s.operations, s.failures = s.operations+operations, s.failures+failures
	for range operations {
		micros := 1000 * millis * math.Exp(0.35*random.NormFloat64())
		if random.IntN(30) == 0 {
			micros *= 2.5
		}
		s.micros += int64(micros)
		if timed {
			s.steps[int(math.Ceil(8*math.Log2(micros)))]++
		}
	}
}

func (s *sum) merge(o *sum) {
	s.operations, s.failures, s.micros = s.operations+o.operations, s.failures+o.failures, s.micros+o.micros
	for i, n := range o.steps {
		s.steps[i] += n
	}
}

func (s *sum) durations() (stored []byte) {
	next := 0
	for i, n := range s.steps {
		if n > 0 {
			stored = varints.AppendUvarint(varints.AppendUvarint(stored, uint64(i-next)), uint64(n))
			next = i + 1
		}
	}
	if stored != nil {
		stored = append([]byte{1}, stored...)
	}
	return stored
}

// threeMonths are the statements that give the overview something to show: as
// many operations as a small bank has, more at noon and a bad hour each morning,
// counted by a version before at first. The trail knows nothing of them, and
// need not.
func threeMonths() (statements []string) {
	random := rand.New(rand.NewPCG(1, 2))
	widths := map[time.Duration]int{time.Minute: 25 * 60, time.Hour: 30 * 24, 24 * time.Hour: 91}
	sums := map[time.Duration]map[time.Time]*sum{}
	for width := range widths {
		sums[width] = map[time.Time]*sum{}
	}
	now := time.Now().UTC().Truncate(time.Minute)
	for back := 1; back < 90*24*60; back++ {
		at := now.Add(-time.Duration(back) * time.Minute)
		hour := float64(at.Hour()) + float64(at.Minute())/60
		load := 0.15 + math.Pow(math.Sin((hour-1)/24*math.Pi), 4) + 0.08*math.Sin(float64(back)/17) + 0.03*math.Sin(float64(back)/5)
		operations := int64(64 * max(load, 0.08))
		failures, millis := operations*int64(2+back%7)/170, 52+9*math.Sin(hour/3)+float64(back%7)*0.7
		if hour > 7 && hour < 8.25 {
			failures, millis = operations/9, millis*3/2
		}
		var one sum
		one.add(random, operations, failures, millis, back < 60*24*60)
		for width, all := range sums {
			if all[at.Truncate(width)] == nil {
				all[at.Truncate(width)] = &sum{}
			}
			all[at.Truncate(width)].merge(&one)
		}
	}
	for width, kept := range widths {
		var rows []string
		for at, s := range sums[width] {
			if now.Sub(at) < time.Duration(kept)*width {
				rows = append(rows, fmt.Sprintf("('default', %d, %d, 'before', %d, %d, %d, x'', x'%x')", width.Microseconds(), at.UnixMicro(), s.operations, s.failures, s.micros, s.durations()))
			}
		}
		statements = append(statements, putBuckets(rows))
	}
	return statements
}

// TestTheConsoleInABrowser drives the console with Chromium.
func TestTheConsoleInABrowser(t *testing.T) {
	t.Parallel()
	refuses := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusGone) }))
	defer refuses.Close()
	i := startWith(t, []string{"HOOK_SECRET=whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"}, append(redeemable(t), "--webhook-url", refuses.URL+"/in",
		"--webhook-secret", "env:HOOK_SECRET", "--webhook-allow", "127.0.0.1", "--webhook-events", "credential.locked")...)
	i.stop()
	if past := aVersionBefore(); os.Getenv("BROWSER_SHOTS") == "" {
		alter(t, i.dataDir, past)
	} else {
		alter(t, i.dataDir, threeMonths()...)
	}
	i.run()
	keys := map[string]string{}
	apps := []string{"5.2.1", "5.2.1", "5.2.0", "5.1.7", "4.9.12"}
	for n, device := range []string{"ios-1f0c9a4e-77b2", "ios-2b9d33c8-0a41", "ios-5e71c0aa-93fd", "android-8c14e2f7-51bd", "android-90ab3e6d-c2f4", "android-c07d1b52-8e9a", "web-3d5f8a90-be17"} {
		keys[device] = i.enrol(device, apps[n%len(apps)], 2+n%3, n%2).ID
	}
	i.enrol("ios-locked-e41b77c0", "5.2.1", 1, 6)
	i.enrol("android-locked-09d2aa", "5.1.7", 0, 6)
	keys["ios-plain-77"] = i.enrol("ios-plain-77", "5.1.7", 0, 6).ID
	keys["turned"] = i.enrol(turnedDevice, "5.2.1", 1, 0).ID
	keys["hostile"] = i.enrol(hostileDevice, hostileApp, 1, 0).ID
	p, owner := newProvers(t), ask{Library: "dpop", Alg: "ES256", Key: "owner"}
	_, jkt := p.proof(owner)
	for _, device := range []string{"ios-bound-5a20", "web-bound-77"} {
		keys[device] = i.payTwice(p, owner, device)
	}
	mustCommand := func(args ...string) {
		if out, code := i.command(args...); code != 0 {
			t.Fatalf("%v: %s", args, out)
		}
	}
	mustCommand("admin", "token", "rotate", "--role", "viewer")
	mustCommand("admin", "revoke", "--key", i.enrol("ios-retired-3c", "4.2.0", 0, 0).ID, "--reason", hostileReason)
	tokens := i.tokensOf()
	known, err := json.Marshal(map[string]any{"keys": keys, "device": hostileDevice, "app": hostileApp, "reason": hostileReason, "jkt": jkt})
	if err != nil {
		t.Fatal(err)
	}
	exported := filepath.Join(t.TempDir(), "exported.json")
	env := []string{"EXPORTED=" + exported, "BASE=" + i.admin, "API=" + i.base, "TOKEN=" + tokens[0], "VIEWER=" + strings.Fields(tokens[1])[0], "KNOWN=" + string(known)}
	browse(t, []string{"console.mjs", "story"}, env...)
	i.sameExport(exported, "ios-bound-5a20")
	for _, secret := range []string{"493817", tokens[0]} {
		if strings.Contains(i.log.String(), secret) {
			t.Errorf("%.6s… is in the log", secret)
		}
	}
	i.auditIntact()
	i.stop()
	seq := lookUp[int64](t, i.dataDir, "SELECT max(seq) FROM audit_verdict WHERE "+ofMismatch)
	alter(t, i.dataDir, fmt.Sprintf("UPDATE audit_verdict SET micros = (micros + 1) %% 1000000 WHERE seq = %d", seq))
	i.run()
	env[1] = "BASE=" + i.admin
	browse(t, []string{"console.mjs", "tampered"}, append(env, fmt.Sprint("SEQ=", seq))...)
}
