package rootkey

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"
	"unicode"

	"strongroom/internal/crypto/seal"
	"strongroom/internal/outbound"
	"strongroom/internal/ownfile"
)

// vaultClient is a client that is logged in to a server.
type vaultClient struct {
	name  vaultName
	http  *http.Client
	token string
}

// vaultLogins has the tokens that this process got by logging in, by URL. Without it,
// each check of a root key would leave another token on the server.
var vaultLogins sync.Map // of vaultLogin

type vaultLogin struct {
	token string
	until time.Time
}

// vaultDenied says when requests were last refused even after a new login, by URL and path.
var vaultDenied sync.Map // of time.Time

// vaultDeniedFor is how long such a request causes no further login. Each login leaves a
// token on the server.
const vaultDeniedFor = time.Hour

// logIn gets a token as the URL says.
func (n vaultName) logIn(ctx context.Context) (*vaultClient, error) {
	client, err := n.connect()
	if err != nil {
		return nil, err
	}
	v := &vaultClient{name: n, http: client}
	if n.query.Get("auth") == "" {
		v.token, err = n.givenToken()
		return v, err
	}
	if login, ok := vaultLogins.Load(n.url); ok && time.Now().Before(login.(vaultLogin).until) {
		v.token = login.(vaultLogin).token
		return v, nil
	}
	return v, v.exchange(ctx)
}

// givenToken returns the token that the operator has configured.
func (n vaultName) givenToken() (string, error) {
	if file := n.query.Get("token-file"); file != "" {
		token, err := n.secret("token-file")
		if err == nil {
			err = n.checkToken(token, "token-file "+file)
		}
		return token, err
	}
	token := strings.TrimSpace(os.Getenv("VAULT_TOKEN"))
	if token == "" {
		return "", &Error{n.url, Denied, "set VAULT_TOKEN, or name a file with token-file=, or log in with auth=approle or auth=kubernetes", errors.New("there is no token")}
	}
	return token, n.checkToken(token, "VAULT_TOKEN")
}

// checkToken refuses an empty token, and one that cannot be sent in a header.
func (n vaultName) checkToken(token, from string) error {
	if token == "" {
		return &Error{n.url, Denied, "write the token, in one line, to " + from, errors.New(from + " is empty")}
	}
	if strings.ContainsFunc(token, unicode.IsControl) {
		return &Error{n.url, Denied, "write only the token, in one line, to " + from, errors.New("the token in " + from + " has a line break or another control character")}
	}
	return nil
}

// exchange logs in with an AppRole or a Kubernetes service account, and keeps the token
// for two thirds of its lease.
func (v *vaultClient) exchange(ctx context.Context) error {
	n := v.name
	method := n.query.Get("auth")
	with, err := n.loginSecrets(method)
	if err != nil {
		return err
	}
	mount := strings.Trim(cmp.Or(n.query.Get("auth-mount"), method), "/")
	a, err := v.send(ctx, http.MethodPost, "auth/"+mount+"/login", with)
	switch {
	case err != nil:
		return err
	case a.status == http.StatusBadRequest, a.status == http.StatusForbidden:
		return &Error{n.url, Denied, "check the role and the secret of auth/" + mount + ": a secret id may have expired or been used up, and a service account may have changed", a.cause()}
	case a.status != http.StatusOK || a.Auth.Token == "":
		return v.explain(a)
	}
	v.token = a.Auth.Token
	vaultLogins.Store(n.url, vaultLogin{v.token, time.Now().Add(time.Duration(a.Auth.Seconds) * time.Second * 2 / 3)})
	return nil
}

// loginSecrets returns the body of a login request.
func (n vaultName) loginSecrets(method string) (map[string]string, error) {
	if method == "approle" {
		secret, err := n.secret("secret-id-file")
		return map[string]string{"role_id": n.query.Get("role-id"), "secret_id": secret}, err
	}
	const mounted = "/var/run/secrets/kubernetes.io/serviceaccount/token"
	jwt, err := os.ReadFile(cmp.Or(n.query.Get("jwt-file"), mounted)) // not OpenSecret: Kubernetes decides its mode
	if err != nil {
		return nil, &Error{n.url, ReasonOf(err), "check the file of jwt-file; Kubernetes mounts " + mounted + " unless automountServiceAccountToken is false", fmt.Errorf("jwt-file: %w", pathFirst(err))}
	}
	return map[string]string{"role": n.query.Get("role"), "jwt": strings.TrimSpace(string(jwt))}, nil
}

// secret reads a file that only this user may read.
func (n vaultName) secret(parameter string) (string, error) {
	f, _, err := ownfile.OpenSecret(n.query.Get(parameter))
	if err != nil {
		return "", &Error{n.url, ReasonOf(err), "check the file of " + parameter, fmt.Errorf("%s: %w", parameter, pathFirst(err))}
	}
	defer func() { _ = f.Close() }()
	text, err := io.ReadAll(io.LimitReader(f, 64<<10))
	if err != nil {
		return "", &Error{n.url, Invalid, "check the file of " + parameter, pathFirst(err)}
	}
	return strings.TrimSpace(string(text)), nil
}

// connect returns a client that never sends the token to another host.
func (n vaultName) connect() (*http.Client, error) {
	settings := &tls.Config{MinVersion: tls.VersionTLS12}
	if file := n.query.Get("ca"); file != "" {
		text, err := os.ReadFile(file) //nolint:gosec // the operator names the file
		settings.RootCAs = x509.NewCertPool()
		if err != nil || !settings.RootCAs.AppendCertsFromPEM(text) {
			return nil, &Error{n.url, Invalid, "ca must name a file with certificates in PEM", cmp.Or(err, errors.New("the file has no certificate"))}
		}
	}
	return &http.Client{
		Transport: outbound.New(&http.Transport{Proxy: http.ProxyFromEnvironment, TLSClientConfig: settings, DisableKeepAlives: true}, askCloud),
		CheckRedirect: func(to *http.Request, via []*http.Request) error {
			if to.URL.Host != via[0].URL.Host || to.URL.Scheme != via[0].URL.Scheme || len(via) > 3 {
				return errRedirect
			}
			return nil
		},
	}, nil
}

var errRedirect = errors.New("the server redirects this request to another host")

// vaultAnswer is an answer of the server, with its HTTP status.
type vaultAnswer struct {
	Data   json.RawMessage `json:"data"`
	Errors []string        `json:"errors"`
	Auth   struct {
		Token   string `json:"client_token"`
		Seconds int64  `json:"lease_duration"`
	} `json:"auth"`
	status int
	empty  bool
}

func (a vaultAnswer) cause() error {
	return fmt.Errorf("%d: %s", a.status, oneLine(cmp.Or(strings.Join(a.Errors, "; "), http.StatusText(a.status))))
}

// says reports whether one of the errors has a phrase.
func (a vaultAnswer) says(phrase string) bool {
	return strings.Contains(strings.ToLower(strings.Join(a.Errors, "; ")), phrase)
}

// call sends a request with the token, and reads the data of the answer into out.
func (v *vaultClient) call(ctx context.Context, method, path string, in, out any) error {
	a, err := v.sendLoggedIn(ctx, method, path, in)
	defer clear(a.Data)
	switch {
	case err != nil:
		return err
	case a.status/100 != 2:
		return v.explain(a)
	case out == nil:
		return nil
	case a.empty:
		return v.explain(a)
	case json.Unmarshal(a.Data, out) != nil:
		return &Error{v.name.url, Invalid, "check that the address is that of Vault or OpenBao", errors.New("the answer is not one of the transit engine")}
	}
	return nil
}

// sendLoggedIn sends a request. If the token is refused, it logs in again, because the
// token may be revoked, or be older than a change of its policies. If the new token is
// refused too, the policy is the reason. Then refusals of this request cause no login for
// an hour, unless the server says that the token is invalid.
func (v *vaultClient) sendLoggedIn(ctx context.Context, method, path string, in any) (vaultAnswer, error) {
	a, err := v.send(ctx, method, path, in)
	if err != nil || v.name.query.Get("auth") == "" {
		return a, err
	}
	request := v.name.url + "\n" + path
	if a.status != http.StatusForbidden {
		vaultDenied.Delete(request)
		return a, nil
	}
	denied, ok := vaultDenied.Load(request)
	if ok && time.Since(denied.(time.Time)) < vaultDeniedFor && !a.says("invalid token") {
		return a, nil
	}
	vaultLogins.Delete(v.name.url)
	if err := v.exchange(ctx); err != nil {
		return a, err
	}
	if a, err = v.send(ctx, method, path, in); err == nil && a.status == http.StatusForbidden {
		vaultDenied.Store(request, time.Now())
	}
	return a, err
}

// maxVaultAnswer bounds an answer, in bytes. A key with thousands of versions has a long
// one.
const maxVaultAnswer = 1 << 20

func (v *vaultClient) send(ctx context.Context, method, path string, in any) (answer vaultAnswer, err error) {
	ctx, cancel := context.WithTimeout(ctx, askCloud)
	defer cancel()
	var body io.Reader
	if in != nil {
		text, err := json.Marshal(in)
		if err != nil {
			return answer, err
		}
		defer clear(text)
		body = bytes.NewReader(text)
	}
	request, err := http.NewRequestWithContext(ctx, method, v.name.address+"/v1/"+path, body)
	if err != nil {
		return answer, err
	}
	request.Header.Set("X-Vault-Request", "true") // Vault Agent requires it
	if v.token != "" {
		request.Header.Set("X-Vault-Token", v.token)
	}
	if namespace := v.name.query.Get("namespace"); namespace != "" {
		request.Header.Set("X-Vault-Namespace", namespace)
	}
	response, err := v.http.Do(request)
	if errors.Is(err, errRedirect) {
		return answer, &Error{v.name.url, Unavailable, "use the address of the cluster or of its active node: a token is sent to no other host", errRedirect}
	}
	if cert, is := errors.AsType[*tls.CertificateVerificationError](err); is {
		return answer, &Error{v.name.url, Unreachable, "the certificate of the server is not trusted: name the file of its CA with ca= in the URL", errors.New(oneLine(cert.Error()))}
	}
	if err != nil {
		return answer, away(v.name.url, v.name.address, err)
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(io.LimitReader(response.Body, maxVaultAnswer))
	if err != nil {
		return answer, away(v.name.url, v.name.address, err)
	}
	defer clear(text)
	_ = json.Unmarshal(text, &answer) // if it is not JSON, answer has no errors and no data
	answer.status, answer.empty = response.StatusCode, len(bytes.TrimSpace(text)) == 0
	return answer, nil
}

// explain turns an answer that is not a success into an error for operators.
func (v *vaultClient) explain(a vaultAnswer) error {
	n := v.name
	fails := func(reason Reason, remedy string) error { return &Error{n.url, reason, remedy, a.cause()} }
	key := n.mount + "/keys/" + n.key
	switch {
	case a.empty && a.status == http.StatusOK:
		return emptyAnswer(n.url, "content")
	case a.status == http.StatusForbidden && a.says("invalid token"):
		return fails(Denied, "the token has expired or was revoked: give a new one, or let the service log in with auth=approle or auth=kubernetes")
	case a.status == http.StatusForbidden:
		return fails(Denied, "the policy of the token needs: update on "+n.mount+"/encrypt/"+n.key+" and "+n.mount+"/decrypt/"+n.key+", read on "+key+"; a path without a transit engine gets the same answer, so check the URL too")
	case a.says("no handler for route"), a.says("unsupported path"):
		return fails(Missing, "no transit engine is mounted at "+n.mount+": check the URL and the namespace, or mount it with: vault secrets enable -path="+n.mount+" transit")
	case a.status == http.StatusNotFound, a.says("encryption key not found"):
		return fails(Missing, "there is no key "+key+", or it was deleted: check the URL and the namespace; restore a deleted key from a backup of the server, or open the database with another root key")
	case a.says("message authentication failed"), a.says("invalid ciphertext"), a.says("unable to decrypt"):
		return seal.ErrSeal
	case a.says("disallowed by policy"):
		return fails(Disabled, "lower min_decryption_version of "+key+", then run root-key rotate to wrap under the newest version")
	case a.says("sealed"):
		return fails(Unavailable, "unseal the server")
	case a.status == http.StatusTooManyRequests:
		return fails(Unavailable, "the server limits the rate of requests: check its rate limit quotas")
	case a.status >= http.StatusInternalServerError:
		return fails(Unavailable, "check the log and the status of the server")
	}
	return fails(Invalid, "check that the address is that of Vault or OpenBao, and that the engine at "+n.mount+" is transit")
}
