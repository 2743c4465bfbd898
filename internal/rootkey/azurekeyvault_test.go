package rootkey

import (
	"errors"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"strongroom/internal/crypto/seal"
	"strongroom/internal/rootkey/cloudtest"
)

func TestAnAzureKeyUnwrapsWrapsOfItsOlderVersions(t *testing.T) {
	signedIn(t)
	key := clouds.Azure.Make("rotated")
	url := "azurekeyvault:" + key.ID
	first := mustWrap(t, url)
	version := clouds.Azure.Rotate(key)
	second := mustWrap(t, url)
	if !strings.HasPrefix(string(second), version+"\x00") {
		t.Errorf("the wrap does not name version %s", version)
	}
	for _, wrapped := range [][]byte{first, second} {
		if err := unwrap(t, url, wrapped); err != nil {
			t.Error(err)
		}
	}
	clouds.Azure.Rotate(key)
	pinned := mustWrap(t, url+"/"+version)
	if !strings.HasPrefix(string(pinned), version+"\x00") {
		t.Error("the wrap does not name the version of the URL")
	}
	one, two := mustOpen(t, url), mustOpen(t, url+"/"+version)
	if one.ID() == two.ID() {
		t.Error("a version has the id of its key, so the key cannot be wrapped again under it")
	}
	for _, opens := range []interface{ Opens(string) bool }{one.(*azureKey), two.(*azureKey)} {
		if !opens.Opens(one.ID()) || !opens.Opens(two.ID()) || opens.Opens(one.ID()+"-other") {
			t.Error("a key must open the wraps of its versions and no others")
		}
	}
	if err := unwrap(t, url+"/"+version, first); err != nil {
		t.Errorf("a URL with a version, for a wrap of another version: %v", err)
	}
	clouds.Azure.Disable(key, version, true)
	failsWith(t, unwrap(t, url, second), Disabled, "az keyvault key set-attributes --enabled true --id "+key.ID+"/"+version)
	if err := unwrap(t, url, first); err != nil {
		t.Errorf("of a version that is not disabled: %v", err)
	}
}

func TestAMalformedAzureWrapIsNotSent(t *testing.T) {
	signedIn(t)
	root := mustOpen(t, "azurekeyvault:"+clouds.Azure.Make("path").ID)
	clouds.Hosts()
	for _, wrapped := range []string{"../../secrets/x\x00y", "a/b\x00y", "\x00y", "noversion"} {
		if _, err := root.Unwrap(t.Context(), []byte(wrapped), nil); !errors.Is(err, seal.ErrSeal) {
			t.Errorf("%q: got %v, want ErrSeal", wrapped, err)
		}
	}
	if asked := clouds.Hosts(); len(asked) > 0 {
		t.Errorf("a wrap that names no version was sent to %v", asked)
	}
}

func TestAzureErrorsAreExplained(t *testing.T) {
	signedIn(t)
	key := clouds.Azure.Make("refused")
	url := "azurekeyvault:" + key.ID
	wrapped := mustWrap(t, url)
	for name, c := range map[string]struct {
		code                  int
		error, inner, message string
		reason                Reason
		part                  string
	}{
		"revoked":        {403, "Forbidden", "ForbiddenByRbac", "Caller is not authorized to perform action on resource.", Denied, "Key Vault Crypto Service Encryption User"},
		"firewall":       {403, "Forbidden", "ForbiddenByFirewall", "Client address is not authorized and caller is not a trusted service.", Denied, "firewall of strongroom.vault.azure.net"},
		"expired key":    {403, "Forbidden", "KeyExpired", "Operation wrapKey is not allowed on an expired key.", Disabled, "--expires"},
		"deleted key":    {409, "Conflict", "ObjectIsDeletedButRecoverable", "Key refused is currently in a deleted but recoverable state.", Disabled, "az keyvault key recover"},
		"throttled":      {429, "Throttled", "", "Request was not processed because too many requests were received.", Unavailable, "throttles requests"},
		"down":           {503, "ServiceUnavailable", "", "The service is unavailable.", Unavailable, "does not serve now"},
		"elliptic":       {400, "NotSupported", "", "Operation is not supported on keys of type EC.", Invalid, "RSA-OAEP-256"},
		"wrong tenant":   {401, "Unauthorized", "", "AKV10032: Invalid issuer.", Denied, "tenant"},
		"no JSON at all": {502, "", "", "", Unavailable, "does not serve now"},
	} {
		t.Run(name, func(t *testing.T) {
			clouds.Azure.Fail(func() (int, string, string, string) { return c.code, c.error, c.inner, c.message })
			defer clouds.Azure.Fail(nil)
			err := unwrap(t, url, wrapped)
			failsWith(t, err, c.reason, c.part, c.message)
			if Passing(err) != (c.reason == Unavailable) {
				t.Errorf("passing: %t", Passing(err))
			}
		})
	}
	clouds.Azure.Delete("refused")
	failsWith(t, unwrap(t, url, wrapped), Missing, "az keyvault key recover --id "+key.ID)
}

func TestARefusalByMicrosoftEntraIDIsExplained(t *testing.T) {
	signedIn(t)
	url := "azurekeyvault:" + clouds.Azure.Make("identity").ID
	wrapped := mustWrap(t, url)
	t.Setenv("AZURE_CLIENT_SECRET", "another")
	clouds.Azure.Refuse(nil) // forgets the token
	failsWith(t, unwrap(t, url, wrapped), Denied, "AADSTS7000215", "expiry of its secret")
}

func TestAnAzureKeyIsCreated(t *testing.T) {
	signedIn(t)
	url := "azurekeyvault:" + cloudtest.AzureVault + "/keys/created"
	if err := Create(t.Context(), url); err != nil {
		t.Fatal(err)
	}
	wrapped := mustWrap(t, url)
	if err := Create(t.Context(), url); !errors.Is(err, fs.ErrExist) {
		t.Errorf("again: got %v, want fs.ErrExist", err)
	}
	if again := mustWrap(t, url); string(again[:32]) != string(wrapped[:32]) {
		t.Error("a version was added to a key that exists")
	}
	failsWith(t, Create(t.Context(), url+"-2/0123456789abcdef0123456789abcdef"), Invalid, "remove the version from the URL")
	clouds.Azure.Fail(func() (int, string, string, string) {
		return 403, "Forbidden", "ForbiddenByRbac", "Caller is not authorized."
	})
	defer clouds.Azure.Fail(nil)
	failsWith(t, Create(t.Context(), url+"-2"), Denied, "Caller is not authorized", "Key Vault Crypto Officer")
}

// The body of an answer with status 101 is the connection, which Azure's client would read
// until the server closes it.
func TestAnAzureServerThatSwitchesProtocolsHoldsNoConnection(t *testing.T) {
	released := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		conn, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		defer conn.Close()
		_, _ = io.WriteString(conn, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n")
		_, _ = io.Copy(io.Discard, conn) // until the client closes it
		close(released)
	}))
	defer server.Close()
	answer, err := azureClient().Get(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	if answer.StatusCode != http.StatusSwitchingProtocols {
		t.Errorf("status %d", answer.StatusCode)
	}
	select {
	case <-released:
	case <-time.After(10 * time.Second):
		t.Error("the client still holds its connection")
	}
	_ = answer.Body.Close()
}
