package e2e

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// tokensOf are the lines of the server's file of admin tokens.
func (i *instance) tokensOf() []string {
	i.t.Helper()
	text, err := os.ReadFile(filepath.Join(i.dataDir, "admin.token"))
	if err != nil {
		i.t.Fatal(err)
	}
	return strings.Split(strings.TrimSpace(string(text)), "\n")
}

// enters is the status that a page of the operator side has with a token.
func (i *instance) enters(path, token string) int {
	i.t.Helper()
	return i.get(i.admin+path, "Bearer "+token).Status
}

func TestAnOperatorsTokenIsRotatedUnderARunningServer(t *testing.T) {
	i := start(t)
	old := i.tokensOf()[0]
	changed := func(command, with string, times int) {
		t.Helper()
		if out, code := strongroom(t, nil, "admin", "token", command, "--data-dir", i.dataDir); code != 0 || strings.Contains(out, old) {
			t.Fatalf("%s: %d %s", command, code, out)
		}
		await(t, "the file to be read again", time.Minute, func() bool { // asked with a token that is good before and after
			return i.enters("/healthz", with) == 200 && strings.Count(i.log.String(), "the admin token file was read again") == times
		})
	}
	changed("rotate", old, 1)
	fresh := i.tokensOf()[0]
	if a, b := i.enters("/metrics", fresh), i.enters("/metrics", old); fresh == old || a != 200 || b != 200 {
		t.Errorf("after a rotation the new token gets %d, the old one %d", a, b)
	}
	changed("retire", fresh, 2)
	if a, b := i.enters("/metrics", fresh), i.enters("/metrics", old); a != 200 || b != 401 {
		t.Errorf("after the old one was retired the new token gets %d, the old one %d", a, b)
	}
}

func TestOperatorsAuthenticateWithTheirIdentityProvider(t *testing.T) {
	p := newProvider(t)
	i := start(t, "--admin-oidc-issuer", tokenIssuer, "--admin-oidc-audience", "operators", "--admin-oidc-jwks", p.keySet)
	for name, tc := range map[string]struct {
		more             map[string]any
		metrics, profile int
		api              int // 404: the path does not exist, and the operator may know that
	}{
		"viewer":              {map[string]any{"aud": "operators", "roles": "strongroom-viewer"}, 200, 403, 404},
		"operator":            {map[string]any{"aud": "operators", "roles": []string{"strongroom-operator"}}, 200, 200, 404},
		"no role":             {map[string]any{"aud": "operators"}, 403, 403, 403},
		"audience of the API": {map[string]any{"roles": "strongroom-operator"}, 401, 401, 401},
		"expired":             {map[string]any{"aud": "operators", "roles": "strongroom-operator", "exp": time.Now().Add(-time.Hour).Unix()}, 401, 401, 401},
	} {
		token := p.token("alice", tc.more)
		if a, b, c := i.enters("/metrics", token), i.enters("/debug/pprof/cmdline", token), i.enters("/admin/v1/nothing", token); a != tc.metrics || b != tc.profile || c != tc.api {
			t.Errorf("%s: metrics %d, profile %d, API %d", name, a, b, c)
		}
	}
	if got := i.enters("/metrics", i.tokensOf()[0]); got != 200 {
		t.Errorf("the admin token beside it: %d", got)
	}
	if !strings.Contains(i.operator("/metrics"), `strongroom_key_set_keys{issuer="`+tokenIssuer+`"} 1`) {
		t.Error("the metrics lack the key set")
	}
	says(t, i.log.String(), `msg="an operator's bearer token is refused" reason="no role"`, "reason=audience")
}

func TestThousandsOfWrongTokensLeaveFewTracesAndBlockNobody(t *testing.T) {
	t.Parallel()
	for way, ask := range map[string]func(i *instance, n int) (*http.Request, error){
		"as bearer": func(i *instance, n int) (*http.Request, error) {
			req, err := http.NewRequest("GET", i.admin+"/admin/v1/devices", nil)
			if err == nil {
				req.Header.Set("Authorization", fmt.Sprint("Bearer wrong-", n))
			}
			return req, err
		},
		"at the sign-in": func(i *instance, n int) (*http.Request, error) {
			form := url.Values{"token": {fmt.Sprint("wrong-", n)}, "next": {"/"}}
			req, err := http.NewRequest("POST", i.admin+"/signin", strings.NewReader(form.Encode()))
			if err == nil {
				req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
			}
			return req, err
		},
		"from the provider": func(i *instance, n int) (*http.Request, error) {
			return http.NewRequest("GET", fmt.Sprint(i.admin, "/signin/oidc/callback?state=junk&code=", n), nil)
		},
	} {
		t.Run(way, func(t *testing.T) { thousandsOfWrongTokens(t, ask) })
	}
}

func thousandsOfWrongTokens(t *testing.T, ask func(i *instance, n int) (*http.Request, error)) {
	const clients = 8
	all := long(t, "E2E_WRONG_TOKENS", 2000)
	i := start(t, "--trusted-proxies", "127.0.0.1/32", "--admin-oidc-issuer", tokenIssuer, "--admin-oidc-jwks", newProvider(t).keySet,
		"--admin-oidc-audience", "operators", "--admin-oidc-client-id", "console", "--admin-url", "https://ops.example.com")
	right := i.tokensOf()[0]
	began := time.Now()
	var sending sync.WaitGroup
	for c := range clients {
		sending.Go(func() {
			for n := c; n < all; n += clients {
				req, err := ask(i, n)
				if err != nil {
					t.Error(err)
					return
				}
				req.Header.Set("X-Forwarded-For", fmt.Sprintf("10.1.%d.%d", n/256, n%256))
				resp, err := client.Do(req)
				if err != nil {
					t.Error(err)
					return
				}
				_, _ = io.Copy(io.Discard, resp.Body)
				resp.Body.Close()
				if resp.StatusCode != 401 && resp.StatusCode != 429 {
					t.Errorf("a wrong token gets %d", resp.StatusCode)
				}
				if n%500 == 0 && i.enters("/metrics", right) != 200 {
					t.Error("the right token is refused")
				}
			}
		})
	}
	sending.Wait()
	counted := 0
	for _, m := range regexp.MustCompile(`strongroom_operator_refusals_total\{code="(?:UNAUTHENTICATED|TOO_MANY_REQUESTS)"\} (\d+)`).FindAllStringSubmatch(i.operator("/metrics"), -1) {
		n, _ := strconv.Atoi(m[1])
		counted += n
	}
	if counted != all {
		t.Errorf("the metric has %d of %d", counted, all)
	}
	if code := i.stop(); code != 0 {
		t.Fatalf("it ended with %d", code)
	}
	took := time.Since(began)
	if lines := strings.Count(i.log.String(), "status=401") + strings.Count(i.log.String(), "status=429"); lines > 20*int(took/time.Second+2) {
		t.Errorf("%d log lines in %v", lines, took)
	}

	out, code := i.command("audit", "export")
	entries, audited, limited := 0, 0, 0
	for line := range strings.Lines(out) {
		var e struct {
			Event, Outcome, Actor string
			Count                 int
		}
		if err := json.Unmarshal([]byte(line), &e); err != nil || e.Event != "refusals.counted" {
			continue
		}
		entries++
		switch e.Outcome {
		case "OPERATOR_TOO_MANY_REQUESTS":
			limited += e.Count
			fallthrough
		case "OPERATOR_UNAUTHENTICATED":
			audited += e.Count
		default:
			t.Errorf("an entry of %s", e.Outcome)
		}
	}
	// One of each outcome for each minute that it took.
	if most := 2 * int(took/time.Minute+2); code != 0 || audited != all || entries == 0 || entries > most {
		t.Errorf("the trail has %d of %d in %d entries, want at most %d (exit %d)", audited, all, entries, most, code)
	}
	if minutes := int(took/time.Minute) + 1; limited < all-600-600*minutes {
		t.Errorf("only %d were limited", limited)
	}
	i.auditIntact()
	i.run()
}
