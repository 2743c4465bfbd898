package auth

import (
	"log/slog"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"strongroom/internal/domain"
)

// redeemer asks to redeem with this token, and returns what may be done, or the
// code and reason of the refusal.
func redeemer(t *testing.T, by Authenticator, token string) (domain.Caller, string) {
	t.Helper()
	r := httptest.NewRequest("POST", "/api/receipts/redeem", nil)
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	c, err := by.Authenticate(r.WithContext(domain.WithCaller(t.Context(), domain.Caller{RequestID: "id"})))
	if err == nil {
		return c, ""
	}
	refusal := err.(*domain.Error)
	return c, string(refusal.Code) + " " + refusal.Reason
}

func mustRedeemers(t *testing.T, callers Authenticator, tokenFile string) Authenticator {
	t.Helper()
	by, err := Redeemers(callers, tokenFile, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	return by
}

func TestInDeviceModeABackendRedeemsWithATokenOfItsFile(t *testing.T) {
	path := tokenFileOf(t, "# the bank's core\n"+oneToken+"\n"+otherToken+"\n")
	by := mustRedeemers(t, Device(nil), path)
	for token, want := range map[string]string{oneToken: "", otherToken: "", "": "UNAUTHENTICATED TOKEN_INVALID", oneToken[1:]: "UNAUTHENTICATED TOKEN_INVALID",
		oneToken + "x": "UNAUTHENTICATED TOKEN_INVALID"} {
		c, refused := redeemer(t, by, token)
		if refused != want {
			t.Errorf("%q: %q, want %q", token, refused, want)
		}
		if want := (domain.Caller{Mode: domain.ModeDevice, RequestID: "id", Permissions: domain.MayRedeemReceipts}); refused == "" && c != want {
			t.Errorf("%q: %+v", token, c)
		}
	}
	for name, callers := range map[string]Authenticator{"without a file": mustRedeemers(t, Device(nil), "")} {
		if _, refused := redeemer(t, callers, oneToken); refused != "OPERATION_DISABLED " {
			t.Errorf("%s: %q", name, refused)
		}
	}
}

func TestRefusedReceiptTokensAreLoggedWithoutTheToken(t *testing.T) {
	var log strings.Builder
	by, err := Redeemers(Device(nil), tokenFileOf(t, oneToken+"\n"), slog.New(slog.NewTextHandler(&log, nil)))
	if err != nil {
		t.Fatal(err)
	}
	for _, token := range []string{otherToken, "", oneToken} {
		redeemer(t, by, token)
	}
	lines := strings.Split(strings.TrimSpace(log.String()), "\n")
	if len(lines) != 2 || !strings.HasSuffix(lines[0], `msg="a bearer token is refused" reason="no receipt token" omitted=0`) ||
		!strings.HasSuffix(lines[1], `msg="a bearer token is refused" reason="no bearer token" omitted=0`) || strings.Contains(log.String(), otherToken) {
		t.Errorf("the log is\n%s", &log)
	}
}

func TestAReceiptTokenFileIsReadAgainAndABadOneStopsTheStart(t *testing.T) {
	path := tokenFileOf(t, oneToken+"\n")
	by := mustRedeemers(t, Device(nil), path)
	now := time.Now()
	by.(receiptTokens).tokens.Now = func() time.Time { return now }
	if err := os.WriteFile(path, []byte(otherToken+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	now = now.Add(time.Minute)
	for token, want := range map[string]string{otherToken: "", oneToken: "UNAUTHENTICATED TOKEN_INVALID"} {
		if _, refused := redeemer(t, by, token); refused != want {
			t.Errorf("after the file changed: %q, want %q", refused, want)
		}
	}
	for name, bad := range map[string]string{
		"missing":       filepath.Join(t.TempDir(), "none"),
		"empty":         tokenFileOf(t, "# nothing\n"),
		"a short token": tokenFileOf(t, "0123456789abcde\n"),
		"a scope":       tokenFileOf(t, oneToken+" receipt:redeem\n"),
	} {
		if _, err := Redeemers(Device(nil), bad, slog.New(slog.DiscardHandler)); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

func TestAGatewayRedeemerHasNoAccountAndOnlyItsTokensScopes(t *testing.T) {
	path := tokenFileOf(t, oneToken+"\n"+otherToken+" credential:verify\n")
	g := newTestGateway(t, GatewayConfig{TokenFile: path})
	by := mustRedeemers(t, g, "")
	for token, want := range map[string]domain.Permission{oneToken: domain.OrdinaryPermissions | domain.MayRedeemReceipts, otherToken: domain.MayVerifyCredential} {
		if c, refused := redeemer(t, by, token); refused != "" || c.Permissions != want || c.Subject != "" || c.Mode != domain.ModeGateway {
			t.Errorf("%+v, %q", c, refused)
		}
	}
	if _, refused := redeemer(t, by, "another-token-of-nobody"); refused != "UNAUTHENTICATED GATEWAY_UNPROVEN" {
		t.Errorf("a wrong token: %q", refused)
	}
}
