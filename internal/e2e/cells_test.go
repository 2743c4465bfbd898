package e2e

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// cells are two installations, eu1 and eu2, and an HAProxy with the configuration of
// deploy/cells before them.
type cells struct {
	*instance // the proxy, which has an API only
	of        map[string]*instance
	maps      string // the directory of the proxy's maps
	slots     string // their slots.map; empty: that of deploy/cells
	outer     string // their outer-proxies.lst; empty: that of deploy/cells
}

// startCells starts both cells in an account mode. moved are lines for moved.map.
func startCells(t *testing.T, mode string, flags []string, moved ...string) cells {
	t.Helper()
	need(t, "haproxy")
	c := cells{of: map[string]*instance{}}
	for _, cell := range []string{"eu1", "eu2"} {
		c.of[cell] = start(t, append(slices.Clone(flags), "--cell", cell, "--issuer", "https://vault.bank.example/cells/"+cell)...)
	}
	c.proxied(t, mode, moved...)
	return c
}

// proxied starts the proxy.
func (c *cells) proxied(t *testing.T, mode string, moved ...string) {
	t.Helper()
	dir, address := t.TempDir(), freeAddress(t)
	if err := os.CopyFS(dir, os.DirFS("../../deploy/cells")); err != nil {
		t.Fatal(err)
	}
	issuers, err := os.OpenFile(filepath.Join(dir, "issuers.map"), os.O_APPEND|os.O_WRONLY, 0)
	if err == nil {
		_, err = issuers.WriteString("https://vault.bank.example/cells/eu9 eu9\n")
		err = errors.Join(err, issuers.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "moved.map"), []byte(strings.Join(moved, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"slots.map": c.slots, "outer-proxies.lst": c.outer} {
		if text == "" {
			continue
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	env := []string{"API=" + address, "EU1=" + strings.TrimPrefix(c.of["eu1"].base, "http://"), "EU2=" + strings.TrimPrefix(c.of["eu2"].base, "http://")}
	c.instance, c.maps = runHAProxy(t, address, env, filepath.Join(dir, "common.cfg"), filepath.Join(dir, mode+".cfg")), dir
}

// runHAProxy starts a proxy that listens at address, and returns when a cell
// answers through it.
func runHAProxy(t *testing.T, address string, env []string, files ...string) *instance {
	t.Helper()
	cmd := exec.Command("haproxy", append([]string{"-db", "--"}, files...)...)
	cmd.Env = append(os.Environ(), env...)
	var log lockedBuffer
	cmd.Stdout, cmd.Stderr = &log, &log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		if t.Failed() {
			t.Logf("HAProxy's log:\n%s", tail(log.String(), 4<<10))
		}
	})
	proxy := &instance{t: t, base: "http://" + address}
	await(t, "HAProxy answers", 5*time.Second, func() bool {
		r, err := proxy.send(http.MethodGet, "/readyz", "application/json", nil)
		return err == nil && r.Status == http.StatusOK
	})
	return proxy
}

// home is the cell of a name by slots.map.
func home(name string) string {
	if crc32.ChecksumIEEE([]byte(name))%16 < 8 {
		return "eu1"
	}
	return "eu2"
}

// cellOf is the cell that issued a key.
func cellOf(k keyPair) string { return strings.SplitN(k.ID, "-", 2)[0] }

// lives issues a key to a device in the cell in which it must be, and uses it.
func (c *cells) lives(caller *instance, name, device, cell string) keyPair {
	c.t.Helper()
	k := caller.withPIN(device, "4938")
	c.expect("the cell of "+name, cellOf(k), cell)
	if again := caller.mustIssue(generate, device); again.ID != k.ID {
		c.t.Errorf("%s has two keys: %s and %s", name, k.ID, again.ID)
	}
	c.expect("a wrong PIN", caller.try(verifyPIN, k, "4939"), "false")
	c.expect("the right PIN", caller.try(verifyPIN, k, "4938"), "true")
	return k
}

// both are names of which each cell has some.
func both(t *testing.T, names []string, name func(string) string) {
	t.Helper()
	in := map[string]int{}
	for _, n := range names {
		in[home(name(n))]++
	}
	if len(in) != 2 {
		t.Fatalf("all names are in one cell: %v", in)
	}
}

func same(name string) string { return name }

// isLost checks that no cell answers for an account whose cell has no backend in the
// proxy: another cell would let it set a PIN.
func (c *cells) isLost(caller *instance, device string) {
	c.t.Helper()
	a, err := caller.graphql("mutation($input: ClientIdentityInput!) { "+generate+"(input: $input) { keyId } }", map[string]any{"deviceId": device})
	if err != nil || a.Status != http.StatusServiceUnavailable || a.code() != "OVERLOADED" || a.Header.Get("Retry-After") != "30" {
		c.t.Errorf("a key of %s: %v, status %d: %s", device, err, a.Status, a.Body)
	}
	a, err = caller.post("/api/encryption/keys", "application/json", fmt.Appendf(nil, `{"deviceId":%q}`, device))
	if err != nil || a.Status != http.StatusServiceUnavailable || !strings.Contains(string(a.Body), `"statusCode":503`) || a.Header.Get("Retry-After") != "30" {
		c.t.Errorf("the REST path for %s: %v, status %d: %s", device, err, a.Status, a.Body)
	}
	c.refusesReceipts(http.StatusServiceUnavailable, "no backend for the cell", "https://vault.bank.example/cells/eu9")
	a, err = c.send(http.MethodGet, "/cells/eu9/.well-known/jwks.json", "application/json", nil)
	if err != nil || a.Status != http.StatusServiceUnavailable {
		c.t.Errorf("the key set of a cell without a backend: %v, status %d: %s", err, a.Status, a.Body)
	}
}

// refusesReceipts checks the proxy's answer to receipts that lead to no cell: the answer is
// that of a REST path, and says why.
func (c *cells) refusesReceipts(status int, message string, issuers ...string) {
	c.t.Helper()
	for _, issuer := range issuers {
		receipt := "e30." + base64.RawURLEncoding.EncodeToString(fmt.Appendf(nil, `{"iss":%q}`, issuer)) + ".AAAA"
		got, body := c.redeem(receipt, "")
		if got != status || !strings.Contains(body, fmt.Sprintf(`"statusCode":%d`, status)) || !strings.Contains(body, message) {
			c.t.Errorf("redeeming a receipt of %q: status %d: %s", issuer, got, body)
		}
	}
}

func TestDevicesAreRoutedToTheirCells(t *testing.T) {
	t.Parallel()
	moved := []string{url.PathEscape("was moved") + " " + other(home("was moved")), "lost CELL"}
	c := startCells(t, "device", nil, moved...)
	names := []string{"phone-1", "phone-2", "phone-3", "a \"phone\" / \\ here", "5"}
	both(t, names, same)
	keys := map[string]keyPair{}
	for _, name := range names {
		keys[home(name)] = c.lives(c.instance, name, name, home(name))
	}
	c.lives(c.instance, "a moved account", "was moved", other(home("was moved")))
	for _, name := range names {
		a, err := c.post("/api/encryption/keys", "application/json", fmt.Appendf(nil, `{"deviceId":%q}`, name))
		if err != nil || a.Status != http.StatusOK || !strings.Contains(string(a.Body), `"keyId":"`+home(name)+"-") {
			t.Errorf("the REST path for %s: %v, %s", name, err, a.Body)
		}
	}
	// A character and its escape are the same name.
	a, err := c.post("/api/encryption/keys", "application/json", []byte(`{"deviceId":"phone\u002d1"}`))
	if err != nil || !strings.Contains(string(a.Body), `"keyId":"`+home("phone-1")+"-") {
		t.Errorf("an escaped name: %v, %s", err, a.Body)
	}
	// HAProxy cannot read the escape of a slash. Beside the name it does no harm.
	a, err = c.post("/api/encryption/keys", "application/json", []byte(`{"appVersion":"1\/2","deviceId":"phone-1"}`))
	if err != nil || !strings.Contains(string(a.Body), `"keyId":"`+home("phone-1")+"-") {
		t.Errorf("an escaped slash beside the name: %v, %s", err, a.Body)
	}
	a, err = c.post("/api/encryption/keys", "application/json", []byte(`{"deviceId":"phone\/1"}`))
	if err != nil || a.Status != http.StatusBadRequest || !strings.Contains(string(a.Body), "without escaping /") {
		t.Errorf("an escaped slash in the name: %v, %s", err, a.Body)
	}

	// A key of another cell, and one from before there were tags, are unknown.
	for _, id := range []string{keys["eu2"].ID[4:], "eu1-" + keys["eu2"].ID[4:], "nonsense"} {
		c.expect(id, c.try(verifyPIN, keyPair{id, keys["eu2"].PEM}, "4938"), "KEY_NOT_USABLE")
	}
	c.expect("a key of a cell without a backend", c.try(verifyPIN, keyPair{"eu9-" + keys["eu2"].ID[4:], keys["eu2"].PEM}, "4938"), "OVERLOADED")
	c.isLost(c.instance, "lost")
	c.refusesReceipts(http.StatusBadRequest, "no cell has its issuer (issuers.map)", "https://vault.bank.example", "")

	// What does not tell its cell is refused, and comes to none.
	for _, body := range []string{
		`{"query":"mutation { generateClientEncryptionKey(input: {deviceId: \"phone-1\"}) { keyId } }"}`,
		`{"query":"mutation($i: ClientIdentityInput!) { generateClientEncryptionKey(input: $i) { keyId } }","variables":{"i":{"deviceId":"phone-1"}}}`,
		`{"query":"mutation($input: ClientIdentityInput!) { generateClientEncryptionKey(input: $input) { keyId } }","variables":{"input":{"deviceId":"t\u00e9l\u00e9phone"}}}`,
		`{"query":"mutation($input: ClientIdentityInput!) { generateClientEncryptionKey(input: $input) { keyId } }","variables":{"input":{"deviceId":"téléphone"}}}`,
		`{"query":"{ __typename }","variables":{"input":{"deviceId":"phone-1","keyId":"` + keys["eu2"].ID + `"}}}`,
		`{"query":"` + strings.Repeat(" ", 40<<10) + `","variables":{"input":{"deviceId":"phone-1"}}}`,
	} {
		if a, err := c.post("/graphql", "application/json", []byte(body)); err != nil || a.Status != http.StatusBadRequest || a.code() != "BAD_USER_INPUT" {
			t.Errorf("%.150s: %v, status %d: %s", body, err, a.Status, a.Body)
		}
	}
	// A client cannot choose the cell by a variable that the proxy reads and nothing uses.
	decoy := `"input":{"deviceId":"` + names[slices.IndexFunc(names, func(n string) bool { return home(n) != home("phone-1") })] + `"}`
	for _, body := range []string{
		`{"query":"mutation { generateClientEncryptionKey(input: {deviceId: \"phone-1\"}) { keyId } }","variables":{` + decoy + `}}`,
		`{"query":"mutation($i: ClientIdentityInput!) { generateClientEncryptionKey(input: $i) { keyId } }","variables":{` + decoy + `,"i":{"deviceId":"phone-1"}}}`,
		`{"query":"mutation($i: ClientIdentityInput!) { rotateClientEncryptionKey(input: $i) { keyId } }","variables":{` + decoy + `,"i":{"deviceId":"phone-1"}}}`,
	} {
		if a, err := c.post("/graphql", "application/json", []byte(body)); err != nil || a.code() != "BAD_USER_INPUT" {
			t.Errorf("%.150s: %v, status %d: %s", body, err, a.Status, a.Body)
		}
	}
	// HAProxy takes a dot in a name for a part of it, not for the next level.
	for _, body := range []string{
		`{"variables.input":{"deviceId":"phone-2"},"query":"mutation($input: ClientIdentityInput!) { generateClientEncryptionKey(input: $input) { keyId } }","variables":{"input.deviceId":"phone-2","input":{"deviceId":"phone-1"}}}`,
		`{"variables.input":{"deviceId":"phone-3"},"query":"mutation($input: ClientIdentityInput!) { generateClientEncryptionKey(input: $input) { keyId } }","variables":{"input.deviceId":"phone-3","input":{"deviceId":"phone-1"}}}`,
	} {
		if a, err := c.post("/graphql", "application/json", []byte(body)); err != nil || !strings.Contains(string(a.Body), `"keyId":"`+home("phone-1")+"-") {
			t.Errorf("%.150s: %v, status %d: %s", body, err, a.Status, a.Body)
		}
	}
	c.addsUp(home("phone-1")) // no other cell has the account
	// Nor does it come to one if slots.map names a cell before it has a backend.
	for slot := range 16 {
		c.slots += fmt.Sprintln(slot, "eu3")
	}
	c.proxied(t, "device", moved...)
	c.isLost(c.instance, "phone-1")
	c.expect("a key of a cell with a backend", c.try(verifyPIN, keys["eu2"], "4938"), "true")
	// A cell that is down takes its own accounts with it only.
	c.of["eu2"].kill()
	if out, code := c.ask(); code != 1 || !strings.Contains(out, "1 of 2 cells are missing in the result") || !strings.Contains(out, "eu1   yes") {
		t.Errorf("exit code %d: %s", code, out)
	}
	c.expect("a key of the cell that is up", c.try(verifyPIN, keys["eu1"], "4938"), "true")
	await(t, "the proxy knows that eu2 is down", 5*time.Second, func() bool {
		a, err := c.submit(verifyPIN, keys["eu2"].ID, encrypt(t, keys["eu2"], "4938"))
		return err == nil && a.Status == http.StatusServiceUnavailable
	})
	c.expect("a key of the cell that is up", c.try(verifyPIN, keys["eu1"], "4938"), "true")
	for _, i := range c.of {
		i.auditIntact()
	}
}

// ask runs admin cells.
func (c *cells) ask(args ...string) (out string, code int) {
	c.t.Helper()
	list := "# both cells\n"
	for _, cell := range []string{"eu1", "eu2"} {
		list += cell + " " + c.of[cell].admin + " " + filepath.Join(c.of[cell].dataDir, "admin.token") + "\n"
	}
	file := filepath.Join(c.t.TempDir(), "cells.list")
	if err := os.WriteFile(file, []byte(list), 0o600); err != nil {
		c.t.Fatal(err)
	}
	cmd := exec.Command(binary(c.t), append([]string{"admin", "cells", file}, args...)...)
	text, _ := cmd.CombinedOutput()
	return string(text), cmd.ProcessState.ExitCode()
}

// addsUp checks the totals of both cells, and where the account of phone-1 is found.
func (c *cells) addsUp(cell string) {
	c.t.Helper()
	type figures struct{ TotalOperations, UniqueDevices, AverageDuration float64 }
	var got struct {
		Cells []struct{ Summary figures }
		Total figures
	}
	out, code := c.ask("--json")
	if err := json.Unmarshal([]byte(out), &got); err != nil || code != 0 || len(got.Cells) != 2 {
		c.t.Fatalf("exit code %d, %v: %s", code, err, out)
	}
	a, b, all := got.Cells[0].Summary, got.Cells[1].Summary, got.Total
	mean := (a.TotalOperations*a.AverageDuration + b.TotalOperations*b.AverageDuration) / (a.TotalOperations + b.TotalOperations)
	if a.TotalOperations == 0 || b.TotalOperations == 0 || all.TotalOperations != a.TotalOperations+b.TotalOperations ||
		all.UniqueDevices != a.UniqueDevices+b.UniqueDevices || math.Abs(all.AverageDuration-mean) > 1e-6 {
		c.t.Errorf("the totals are wrong: %s", out)
	}
	out, code = c.ask("--find", "phone-1")
	if lines := strings.Split(strings.TrimSpace(out), "\n"); code != 0 || len(lines) != 2 || !strings.HasPrefix(lines[1], cell+" ") {
		c.t.Errorf("exit code %d: %s", code, out)
	}
}

// other is the other one of the two cells.
func other(cell string) string {
	return map[string]string{"eu1": "eu2", "eu2": "eu1"}[cell]
}

func TestAccountsOfAGatewayAreRoutedToTheirCells(t *testing.T) {
	t.Parallel()
	const secret = "a-service-token-of-at-least-32-characters"
	c := startCells(t, "gateway", []string{"--accounts", "gateway", "--gateway-token-file", writeFile(t, secret+"\n")},
		url.PathEscape("was/moved")+" "+other(home("was/moved")), "lost CELL")
	gateway := c.withToken(secret)
	names := []string{"alice", "bob", "carol smith", "dave", "erin"}
	both(t, names, same)
	for _, name := range names {
		c.lives(gateway.as("Strongroom-Account", name), name, "phone", home(name))
	}
	c.lives(gateway.as("Strongroom-Account", "was/moved"), "a moved account", "phone", other(home("was/moved")))
	c.isLost(gateway.as("Strongroom-Account", "lost"), "phone")
	c.refusesReceipts(http.StatusBadRequest, "no cell has its issuer (issuers.map)", "https://vault.bank.example", "")
	c.lives(gateway.as("strongroom-account", "frank"), "a header in lower case", "phone", home("frank"))
	for what, caller := range map[string]*instance{
		"no account":                gateway,
		"two accounts":              gateway.as("Strongroom-Account", "alice", "bob"),
		"an account in other bytes": gateway.as("Strongroom-Account", "zoé"),
		"no token":                  c.as("Strongroom-Account", "alice"),
	} {
		a, err := caller.graphql("mutation($input: ClientIdentityInput!) { "+generate+"(input: $input) { keyId } }", map[string]any{"deviceId": "phone"})
		if err != nil || a.Status != http.StatusUnauthorized || a.code() != "UNAUTHENTICATED" {
			t.Errorf("%s: %v, status %d: %s", what, err, a.Status, a.Body)
		}
	}
	i := c.of[home("alice")]
	i.wants(2, "--device needs --account or --account-id", "admin", "audit", "--device", "phone")
	i.wants(2, "--device cannot be combined with --account-hash", "admin", "audit", "--device", "phone", "--account-hash", strings.Repeat("a", 32))
	i.wants(0, "credential.verified", "admin", "audit", "--device", "phone", "--account", "alice")
}

func TestSubjectsOfTokensAreRoutedToTheirCells(t *testing.T) {
	t.Parallel()
	p := newProvider(t)
	account := func(subject string) string { return tokenIssuer + " " + subject }
	c := startCells(t, "jwt", p.flags(), url.QueryEscape(tokenIssuer)+"%20moved "+other(home(account("moved"))), url.QueryEscape(tokenIssuer)+"%20lost CELL")
	names := []string{"alice", "bob", "auth0|5f7c", "dave", "erin", "frank"}
	both(t, names, account)
	for _, name := range names {
		caller := c.withToken(p.token(name, nil))
		c.lives(caller, name, "phone", home(account(name)))
		second := c.withToken(p.token(name, map[string]any{"scope": "openid"})).mustIssue(generate, "tablet")
		c.expect("the second device of "+name, cellOf(second), home(account(name)))
	}
	c.isLost(c.withToken(p.token("lost", nil)), "phone")
	c.refusesReceipts(http.StatusBadRequest, "no cell has its issuer (issuers.map)", "https://vault.bank.example", "")
	c.lives(c.withToken(p.token("moved", nil)), "a moved account", "phone", other(home(account("moved"))))

	token := p.token("alice", nil)
	for what, caller := range map[string]*instance{
		"no token":                 c.instance,
		"two tokens":               c.as("Authorization", "Bearer "+token, "Bearer "+token),
		"no JWT":                   c.withToken("opensesame"),
		"a token of a stranger":    c.withToken(newProvider(t).token("alice", nil)),
		"a subject in other bytes": c.withToken(p.token("zoé", nil)),
	} {
		a, err := caller.graphql("mutation($input: ClientIdentityInput!) { "+generate+"(input: $input) { keyId } }", map[string]any{"deviceId": "phone"})
		if err != nil || a.Status != http.StatusUnauthorized || a.code() != "UNAUTHENTICATED" {
			t.Errorf("%s: %v, status %d: %s", what, err, a.Status, a.Body)
		}
	}
	escaped := p.token("alice", map[string]any{"iss": json.RawMessage(strings.ReplaceAll(`"`+tokenIssuer+`"`, "/", `\/`))})
	a, err := c.withToken(escaped).post("/api/encryption/keys", "application/json", []byte(`{"deviceId":"phone"}`))
	if err != nil || a.Status != http.StatusUnauthorized || !strings.Contains(string(a.Body), "without escaping /") {
		t.Errorf("escaped slashes in the issuer: %v, %s", err, a.Body)
	}
	// A receipt is redeemed in the cell that issued it, and only once.
	for _, name := range names {
		caller := c.withToken(p.token(name, nil))
		receipt := caller.mustAuthorize(caller.mustIssue(generate, "phone"), "4938")
		backend := p.token("backend", map[string]any{"scope": "receipt:redeem"})
		for _, want := range []int{http.StatusOK, http.StatusConflict} {
			if status, body := c.redeem(receipt, backend); status != want {
				t.Errorf("redeeming a receipt of %s: %d %s, want %d", name, status, body, want)
			}
		}
	}
	// What a cell signs is verified with its own keys.
	for cell, i := range c.of {
		own, err1 := i.send(http.MethodGet, "/.well-known/jwks.json", "application/json", nil)
		got, err2 := c.send(http.MethodGet, "/cells/"+cell+"/.well-known/jwks.json", "application/json", nil)
		if err1 != nil || err2 != nil || got.Status != http.StatusOK || string(got.Body) != string(own.Body) {
			t.Errorf("the key set of %s: %v, %v, %s, want %s", cell, err1, err2, got.Body, own.Body)
		}
	}
}

// A proxy in front of HAProxy terminates TLS. All its clients reach the cells through one
// connection, and only it knows their addresses.
func TestClientsOfAnOuterProxyAreCountedByTheirOwnAddresses(t *testing.T) {
	t.Parallel()
	c := startCells(t, "device", []string{"--trusted-proxies", "127.0.0.0/29", "--rate-limit-address", "2/24h"})
	c.outer = "127.0.0.1\n"
	c.proxied(t, "device")
	address := freeAddress(t)
	outer := runHAProxy(t, address, nil, writeFile(t, fmt.Sprintf(`defaults
    mode http
    timeout connect 2s
    timeout client 20s
    timeout server 20s
listen outer
    bind %s
    option forwardfor
    server inner %s
`, address, strings.TrimPrefix(c.base, "http://"))))
	// ask returns the status of a key request from a client's address. The request claims another one.
	ask := func(proxy *instance, from, claimed string) int {
		t.Helper()
		transport := &http.Transport{DialContext: (&net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}).DialContext, DisableKeepAlives: true}
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, proxy.base+"/api/encryption/keys", strings.NewReader(`{"deviceId":"phone-1"}`))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("X-Forwarded-For", claimed)
		answer, err := (&http.Client{Transport: transport, Timeout: 20 * time.Second}).Do(r)
		if err != nil {
			t.Fatal(err)
		}
		_ = answer.Body.Close()
		return answer.StatusCode
	}
	// HAProxy removes what others claim, even if the cells would believe them.
	for proxy, clients := range map[*instance][2]string{outer: {"127.0.0.8", "127.0.0.9"}, c.instance: {"127.0.0.6", "127.0.0.7"}} {
		for n, from := range []string{clients[0], clients[0], clients[0], clients[1]} {
			want := http.StatusOK
			if n == 2 {
				want = http.StatusTooManyRequests
			}
			if got := ask(proxy, from, fmt.Sprintf("192.0.2.%d", n)); got != want {
				t.Errorf("request %d, from %s, gets %d, want %d", n, from, got, want)
			}
		}
	}
}

// move is how an operator moves a device from one cell to another.
type move struct {
	*cells
	from, to     *instance
	cell, device string // of the target
	keys         [2]string
	parcel       string
}

func (c *cells) move(device, from, to string) *move {
	c.t.Helper()
	m := &move{cells: c, from: c.of[from], to: c.of[to], cell: to, device: device, parcel: filepath.Join(c.t.TempDir(), "parcel")}
	for n, i := range []*instance{m.from, m.to} {
		key, code := i.command("account", "key")
		if code != 0 {
			c.t.Fatal(key)
		}
		m.keys[n] = writeFile(c.t, key)
	}
	return m
}

func (m *move) out() []string {
	return []string{"account", "move", "--device", m.device, "--to", m.keys[1], "--output", m.parcel, "--reason", "the cell is full"}
}

func (m *move) in() []string {
	return []string{"account", "receive", m.parcel, "--from", m.keys[0], "--in-cell", m.cell, "--reason", "the other cell is full"}
}

// answering counts the cells that say that the PIN of a device is right.
func (m *move) answering(k keyPair, pin string) (n int) {
	m.t.Helper()
	for _, i := range []*instance{m.from, m.to} {
		switch word := i.try(verifyPIN, k, pin); word {
		case "true":
			n++
		case "ACCOUNT_MOVED", "KEY_NOT_USABLE":
		default:
			m.t.Errorf("verify answers %s", word)
		}
	}
	return n
}

func TestAMovedDeviceIsServedByItsNewCellOnly(t *testing.T) {
	t.Parallel()
	c := startCells(t, "device", nil)
	device := "phone-1"
	m := c.move(device, home(device), other(home(device)))
	k := c.withPIN(device, "4938")
	c.expect("a wrong PIN", c.try(verifyPIN, k, "0000"), "false")
	m.from.wants(0, "Moved out (move 1", m.out()...)
	m.from.wants(0, "had already moved out (move 1", m.out()...)
	c.expect("on its way", c.try(verifyPIN, k, "4938"), "ACCOUNT_MOVED")
	a, err := c.post("/api/encryption/keys", "application/json", []byte(`{"deviceId":"phone-1"}`))
	if err != nil || a.Status != http.StatusMisdirectedRequest || !strings.Contains(string(a.Body), "moved to another cell") {
		t.Errorf("the REST path on its way: %v, status %d: %s", err, a.Status, a.Body)
	}
	out, code := m.to.command(m.in()...)
	if code != 0 {
		t.Fatal(out)
	}
	for _, line := range []string{"phone-1 " + m.cell, k.ID + " " + m.cell} {
		says(t, out, line)
	}
	m.to.wants(0, "was already received (move 1", m.in()...)
	m.from.wants(1, "parcel is for the database with the public key ", m.in()...)
	moved := strings.SplitAfter(strings.Split(strings.Split(out, "moved.map:\n")[1], "\n\n")[0], "\n")
	c.proxied(t, "device", append(moved, "phone-9 closed")...)
	if a, err := c.post("/api/encryption/keys", "application/json", []byte(`{"deviceId":"phone-9"}`)); err != nil || a.Status != http.StatusServiceUnavailable || a.Header.Get("Retry-After") != "30" {
		t.Errorf("a closed name: %v, status %d: %s", err, a.Status, a.Body)
	}
	c.expect("behind the proxy", c.try(verifyPIN, k, "4938"), "true")
	if again := c.mustIssue(generate, device); again.ID != k.ID {
		t.Errorf("it has another key: %s", again.ID)
	}
	next := c.mustIssue(rotate, device)
	c.expect("the cell of the next key", cellOf(next), m.cell)
	c.expect("with the next key", c.try(verifyPIN, next, "4938"), "true")

	confirmation := strings.TrimSpace(strings.Split(out, "source:\n")[1])
	confirm := []string{"account", "confirm", "--device", device, "--reason", "it has arrived", "--confirmation"}
	m.from.wants(1, "not the target's confirmation", append(confirm, confirmation[:len(confirmation)-2])...)
	m.from.wants(0, "Confirmed", append(confirm, confirmation)...)
	m.from.wants(1, "has confirmed it", m.out()...)
	m.from.wants(0, "", "admin", "erase", "--device", device, "--reason", "nothing is left here")
	if k, err := m.from.issue(generate, device); err == nil {
		t.Errorf("the cell that it left issues %s", k.ID)
	}
	m.from.auditIntact()
	m.to.auditIntact()
}

// A move that is killed leaves the device in one cell or under way, and a repeat
// completes it.
func TestAKilledMoveLeavesADeviceInOneCell(t *testing.T) {
	t.Parallel()
	c := startCells(t, "device", nil)
	killed := 0
	for n := range 6 {
		device := fmt.Sprintf("phone-%d", n)
		m := c.move(device, home(device), other(home(device)))
		k := c.withPIN(device, "4938")
		c.expect("a wrong PIN", c.try(verifyPIN, k, "0000"), "false")
		for _, step := range []struct {
			in   *instance
			args []string
		}{{m.from, m.out()}, {m.to, m.in()}} {
			cmd := exec.Command(binary(t), append(step.args, "--data-dir", step.in.dataDir)...)
			cmd.Env = cleanEnv()
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Duration(10+n*8) * time.Millisecond) // when it dies must not depend on what it does
			_ = cmd.Process.Kill()
			if cmd.Wait() != nil {
				killed++
			}
			if n := m.answering(k, "4938"); n > 1 {
				t.Errorf("%d cells answer for %s", n, device)
			}
			step.in.wants(0, "", step.args...)
		}
		if n := m.answering(k, "4938"); n != 1 {
			t.Errorf("%d cells answer for %s after the move", n, device)
		}
		c.expect("in its new cell", m.to.try(verifyPIN, k, "4938"), "true")
	}
	t.Logf("%d of 12 commands were killed", killed)
	for _, i := range c.of {
		i.auditIntact()
	}
}
