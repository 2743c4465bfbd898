package cloudtest

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"sync"
)

// The vault that exists, and the tenant and client that may use it.
const (
	AzureVault   = "https://strongroom.vault.azure.net"
	azureTenant  = "aaaabbbb-0000-cccc-1111-dddd2222eeee"
	azureClient  = "00001111-aaaa-2222-bbbb-3333cccc4444"
	azureSecret  = "Vgm8Q~example-of-a-client-secret"
	azureService = "https://vault.azure.net"
)

// Azure is a fake of Azure Key Vault (https://learn.microsoft.com/en-us/rest/api/keyvault)
// and Microsoft Entra ID.
type Azure struct {
	mu     sync.Mutex
	keys   map[string]*AzureKey // by name
	fail   func() (code int, name, inner, message string)
	refuse func() (code, description string)
	token  string
}

// AzureKey is a key with its versions, of which the last one is current.
type AzureKey struct {
	ID       string
	Versions []string
	Disabled map[string]bool
	secret   map[string]*rsa.PrivateKey
}

func (a *Azure) begin() { a.keys = map[string]*AzureKey{} }

// AzureEnv returns the environment variables with the credentials of the client that may
// use the vault.
func AzureEnv() []string {
	return []string{"AZURE_TENANT_ID=" + azureTenant, "AZURE_CLIENT_ID=" + azureClient, "AZURE_CLIENT_SECRET=" + azureSecret}
}

// Make makes a key.
func (a *Azure) Make(name string) *AzureKey {
	a.mu.Lock()
	defer a.mu.Unlock()
	k := &AzureKey{ID: AzureVault + "/keys/" + name, Disabled: map[string]bool{}, secret: map[string]*rsa.PrivateKey{}}
	a.keys[name] = k
	k.rotate()
	return k
}

// Rotate adds a version and returns it.
func (a *Azure) Rotate(k *AzureKey) string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return k.rotate()
}

func (k *AzureKey) rotate() string {
	version := strings.ToLower(rand.Text() + rand.Text())[:32]
	k.Versions = append(k.Versions, version)
	k.secret[version], _ = rsa.GenerateKey(rand.Reader, 2048)
	return version
}

// Disable disables a version or enables it again.
func (a *Azure) Disable(k *AzureKey, version string, disabled bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	k.Disabled[version] = disabled
}

// Delete removes a key.
func (a *Azure) Delete(name string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.keys, name)
}

// Fail makes requests to the vault fail, until it is called with nil.
func (a *Azure) Fail(fail func() (code int, name, inner, message string)) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.fail = fail
}

// Refuse makes Microsoft Entra ID refuse the client, until it is called with nil.
func (a *Azure) Refuse(refuse func() (code, description string)) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.refuse, a.token = refuse, ""
}

// login answers as Microsoft Entra ID.
func (a *Azure) login(rw http.ResponseWriter, r *http.Request) {
	a.mu.Lock()
	defer a.mu.Unlock()
	tenant := "https://login.microsoftonline.com/" + azureTenant
	rw.Header().Set("Content-Type", "application/json")
	switch r.URL.Path {
	case "/common/discovery/instance":
		_ = json.NewEncoder(rw).Encode(map[string]any{"tenant_discovery_endpoint": tenant + "/v2.0/.well-known/openid-configuration", "api-version": "1.1",
			"metadata": []any{map[string]any{"preferred_network": "login.microsoftonline.com", "preferred_cache": "login.windows.net", "aliases": []string{"login.microsoftonline.com", "login.windows.net"}}}})
	case "/" + azureTenant + "/v2.0/.well-known/openid-configuration":
		_ = json.NewEncoder(rw).Encode(map[string]any{"token_endpoint": tenant + "/oauth2/v2.0/token", "authorization_endpoint": tenant + "/oauth2/v2.0/authorize", "issuer": tenant + "/v2.0"})
	case "/" + azureTenant + "/oauth2/v2.0/token":
		code, description := a.grant(r)
		if code != "" {
			rw.WriteHeader(http.StatusUnauthorized)
			_ = json.NewEncoder(rw).Encode(map[string]any{"error": code, "error_description": description})
			return
		}
		a.token = rand.Text()
		_ = json.NewEncoder(rw).Encode(map[string]any{"token_type": "Bearer", "expires_in": 3599, "access_token": a.token})
	default:
		rw.WriteHeader(http.StatusNotFound)
	}
}

func (a *Azure) grant(r *http.Request) (code, description string) {
	if a.refuse != nil {
		return a.refuse()
	}
	err := r.ParseForm()
	switch {
	case err != nil || r.Form.Get("grant_type") != "client_credentials" || r.Form.Get("client_id") != azureClient:
		return "invalid_request", "AADSTS900144: not a grant for a client."
	case r.Form.Get("client_secret") != azureSecret:
		return "invalid_client", "AADSTS7000215: Invalid client secret provided."
	case !strings.HasPrefix(r.Form.Get("scope"), azureService+"/.default"):
		return "invalid_scope", "AADSTS70011: The provided value for the input parameter 'scope' is not valid: " + r.Form.Get("scope")
	}
	return "", ""
}

type azureRequest struct {
	Algorithm string   `json:"alg"`
	Value     string   `json:"value"`
	Kind      string   `json:"kty"`
	Uses      []string `json:"key_ops"`
}

func (a *Azure) serve(rw http.ResponseWriter, r *http.Request, host string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	if a.token == "" || r.Header.Get("Authorization") != "Bearer "+a.token {
		if len(body) > 0 {
			azureError(rw, http.StatusBadRequest, "BadParameter", "", "a body came without a token: the challenge must be asked for without it")
			return
		}
		rw.Header().Set("WWW-Authenticate", `Bearer authorization="https://login.microsoftonline.com/`+azureTenant+`", resource="`+azureService+`"`)
		azureError(rw, http.StatusUnauthorized, "Unauthorized", "", "AKV10000: Request is missing a Bearer or PoP token.")
		return
	}
	if a.fail != nil {
		code, name, inner, message := a.fail()
		azureError(rw, code, name, inner, message)
		return
	}
	var in azureRequest
	if len(body) > 0 && json.Unmarshal(body, &in) != nil || "https://"+host != AzureVault {
		azureError(rw, http.StatusBadRequest, "BadParameter", "", "not JSON")
		return
	}
	a.act(rw, strings.Split(strings.Trim(r.URL.Path, "/"), "/"), r.Method, in)
}

// act answers a request to a path keys/NAME[/VERSION][/ACTION].
func (a *Azure) act(rw http.ResponseWriter, path []string, method string, in azureRequest) {
	name, action := path[1], path[len(path)-1]
	k := a.keys[name]
	if action == "create" && k == nil && in.Kind == "RSA" && len(in.Uses) == 2 {
		k = &AzureKey{ID: AzureVault + "/keys/" + name, Disabled: map[string]bool{}, secret: map[string]*rsa.PrivateKey{}}
		a.keys[name] = k
		k.rotate()
		method = http.MethodGet
	}
	if k == nil {
		azureError(rw, http.StatusNotFound, "KeyNotFound", "", "A key with (name/id) "+name+" was not found in this key vault.")
		return
	}
	version := k.Versions[len(k.Versions)-1]
	if method == http.MethodGet {
		azureAnswer(rw, map[string]any{"key": map[string]any{"kid": k.ID + "/" + version, "kty": "RSA"}, "attributes": map[string]any{"enabled": true}})
		return
	}
	if len(path) == 4 && path[2] != "" {
		version = path[2]
	}
	secret := k.secret[version]
	value, err := base64.RawURLEncoding.DecodeString(in.Value)
	switch {
	case secret == nil:
		azureError(rw, http.StatusNotFound, "KeyNotFound", "", "A key with (name/id) "+name+"/"+version+" was not found in this key vault.")
		return
	case k.Disabled[version]:
		azureError(rw, http.StatusForbidden, "Forbidden", "KeyDisabled", "Operation "+action+" is not allowed on a disabled key.")
		return
	case err != nil || in.Algorithm != "RSA-OAEP-256":
		azureError(rw, http.StatusBadRequest, "BadParameter", "", "alg or value")
		return
	}
	var out []byte
	if action == "wrapkey" {
		out, err = rsa.EncryptOAEP(sha256.New(), rand.Reader, &secret.PublicKey, value, nil)
	} else {
		out, err = rsa.DecryptOAEP(sha256.New(), nil, secret, value, nil)
	}
	if err != nil {
		azureError(rw, http.StatusBadRequest, "BadParameter", "", "The parameter is incorrect.")
		return
	}
	azureAnswer(rw, map[string]any{"kid": k.ID + "/" + version, "value": base64.RawURLEncoding.EncodeToString(out)})
}

func azureAnswer(rw http.ResponseWriter, body map[string]any) {
	rw.Header().Set("Content-Type", "application/json; charset=utf-8")
	_ = json.NewEncoder(rw).Encode(body)
}

func azureError(rw http.ResponseWriter, code int, name, inner, message string) {
	is := map[string]any{"code": name, "message": message}
	if inner != "" {
		is["innererror"] = map[string]any{"code": inner}
	}
	rw.Header().Set("Content-Type", "application/json; charset=utf-8")
	rw.WriteHeader(code)
	_ = json.NewEncoder(rw).Encode(map[string]any{"error": is})
}
