package e2e

import (
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"
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

// threeMonths are the statements that give the overview something to show: as
// many operations as a small bank has, more at noon and a bad hour each morning.
// The trail knows nothing of them, and need not.
func threeMonths() (statements []string) {
	type sum struct{ operations, failures, micros int64 }
	widths := map[time.Duration]int{time.Minute: 25 * 60, time.Hour: 30 * 24, 24 * time.Hour: 91}
	sums := map[time.Duration]map[time.Time]sum{}
	for width := range widths {
		sums[width] = map[time.Time]sum{}
	}
	now := time.Now().UTC().Truncate(time.Minute)
	for back := 1; back < 90*24*60; back++ {
		at := now.Add(-time.Duration(back) * time.Minute)
		hour := float64(at.Hour()) + float64(at.Minute())/60
		load := 0.15 + math.Pow(math.Sin((hour-1)/24*math.Pi), 4) + 0.08*math.Sin(float64(back)/17) + 0.03*math.Sin(float64(back)/5)
		one := sum{operations: int64(64 * max(load, 0.08))}
		one.failures = one.operations * int64(2+back%7) / 170
		one.micros = one.operations * int64(61_000+9_000*math.Sin(hour/3)+float64(back%7)*700)
		if hour > 7 && hour < 8.25 {
			one.failures, one.micros = one.operations/9, one.micros*3/2
		}
		for width, all := range sums {
			s := all[at.Truncate(width)]
			all[at.Truncate(width)] = sum{s.operations + one.operations, s.failures + one.failures, s.micros + one.micros}
		}
	}
	for width, kept := range widths {
		var rows []string
		for at, s := range sums[width] {
			if now.Sub(at) < time.Duration(kept)*width {
				rows = append(rows, fmt.Sprintf("('default', %d, %d, 'before', %d, %d, %d, x'')", width.Microseconds(), at.UnixMicro(), s.operations, s.failures, s.micros))
			}
		}
		statements = append(statements, "INSERT INTO bucket (tenant, width, start, instance, operations, failures, duration, devices) VALUES "+strings.Join(rows, ", "))
	}
	return statements
}

// TestTheConsoleInABrowser drives the console with Chromium.
func TestTheConsoleInABrowser(t *testing.T) {
	t.Parallel()
	refuses := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusGone) }))
	defer refuses.Close()
	i := startWith(t, []string{"HOOK_SECRET=whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"}, "--rsa-bits", "2048", "--webhook-url", refuses.URL+"/in",
		"--webhook-secret", "env:HOOK_SECRET", "--webhook-allow", "127.0.0.1", "--webhook-events", "credential.locked")
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
	mustCommand := func(args ...string) {
		if out, code := i.command(args...); code != 0 {
			t.Fatalf("%v: %s", args, out)
		}
	}
	mustCommand("admin", "token", "rotate", "--role", "viewer")
	mustCommand("admin", "revoke", "--key", i.enrol("ios-retired-3c", "4.2.0", 0, 0).ID, "--reason", hostileReason)
	if os.Getenv("BROWSER_SHOTS") != "" {
		i.stop()
		alter(t, i.dataDir, threeMonths()...)
		i.run()
	}
	tokens := i.tokensOf()
	known, err := json.Marshal(map[string]any{"keys": keys, "device": hostileDevice, "app": hostileApp, "reason": hostileReason})
	if err != nil {
		t.Fatal(err)
	}
	env := []string{"BASE=" + i.admin, "API=" + i.base, "TOKEN=" + tokens[0], "VIEWER=" + strings.Fields(tokens[1])[0], "KNOWN=" + string(known)}
	browse(t, []string{"console.mjs", "story"}, env...)
	for _, secret := range []string{"493817", tokens[0]} {
		if strings.Contains(i.log.String(), secret) {
			t.Errorf("%.6s… is in the log", secret)
		}
	}
	i.auditIntact()
	i.stop()
	seq := lookUp[int64](t, i.dataDir, "SELECT max(seq) FROM audit_log WHERE event = 'credential.mismatch'")
	alter(t, i.dataDir, fmt.Sprintf("UPDATE audit_log SET outcome = 'ok' WHERE seq = %d AND event = 'credential.mismatch'", seq))
	i.run()
	env[0] = "BASE=" + i.admin
	browse(t, []string{"console.mjs", "tampered"}, append(env, fmt.Sprint("SEQ=", seq))...)
}
