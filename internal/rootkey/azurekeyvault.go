package rootkey

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/runtime"
	"github.com/Azure/azure-sdk-for-go/sdk/azidentity"
	"github.com/Azure/azure-sdk-for-go/sdk/security/keyvault/azkeys"

	"strongroom/internal/crypto/seal"
	"strongroom/internal/outbound"
)

// azureKeys are RSA keys of Azure Key Vault and Managed HSM, which wrap with
// RSA-OAEP-256. The credentials come from DefaultAzureCredential. They need the role Key
// Vault Crypto Service Encryption User on the key.
var azureKeys = provider{
	form: "azurekeyvault:https://VAULT.vault.azure.net/keys/KEY, with /VERSION to wrap with one version",
	check: func(rest string) error {
		_, err := parseAzureName(rest)
		return err
	},
	open:   openAzureKey,
	create: createAzureKey,
}

// azureName is a parsed URL.
type azureName struct {
	url, vault, key, version string
}

var azureKeyPath = regexp.MustCompile(`^/keys/([0-9A-Za-z-]+)(?:/([0-9A-Za-z]+))?$`)

func parseAzureName(rest string) (azureName, error) {
	u, err := url.Parse(rest)
	if err != nil || u.Scheme != "https" || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return azureName{}, errors.New("not the identifier of a key, which begins with https://")
	}
	parts := azureKeyPath.FindStringSubmatch(u.Path)
	if parts == nil {
		return azureName{}, errors.New("not the identifier of a key: its path is /keys/KEY or /keys/KEY/VERSION")
	}
	return azureName{"azurekeyvault:" + rest, "https://" + strings.ToLower(u.Host), parts[1], parts[2]}, nil
}

// azureKey is a key of Azure Key Vault.
type azureKey struct {
	azureName
	client *azkeys.Client
}

// openAzureKey sends no request: the state of the key is known only when it is used.
func openAzureKey(_ context.Context, rest string) (seal.RootKey, error) {
	name, err := parseAzureName(rest)
	if err != nil {
		return nil, err
	}
	client, err := name.connect()
	if err != nil {
		return nil, err
	}
	return &azureKey{name, client}, nil
}

func (n azureName) connect() (*azkeys.Client, error) {
	options := policy.ClientOptions{Transport: azureClient(), Retry: policy.RetryOptions{MaxRetries: cloudTries - 1, MaxRetryDelay: longestCloudPause}}
	identity, err := azidentity.NewDefaultAzureCredential(&azidentity.DefaultAzureCredentialOptions{ClientOptions: options})
	if err != nil {
		return nil, &Error{n.url, Denied, azureCredentials, fmt.Errorf("no Azure credentials: %s", oneLine(err.Error()))}
	}
	client, err := azkeys.NewClient(n.vault, tokens{identity}, &azkeys.ClientOptions{ClientOptions: options})
	if err != nil {
		return nil, &Error{n.url, Invalid, "check the settings of Azure's SDK in the environment", errors.New(oneLine(err.Error()))}
	}
	return client, nil
}

// azureClient bounds the answers of the vault and of the identity, and the time for which
// they hold a connection.
var azureClient = sync.OnceValue(func() *http.Client {
	transport := outbound.Standard()
	transport.TLSClientConfig = &tls.Config{MinVersion: tls.VersionTLS12}
	return &http.Client{Transport: outbound.Bounded{RoundTripper: outbound.New(transport, askCloud), Bytes: maxCloudAnswer}}
})

const azureCredentials = "give this process an identity: the managed identity of its machine or pod, or AZURE_TENANT_ID, AZURE_CLIENT_ID and AZURE_CLIENT_SECRET or AZURE_CLIENT_CERTIFICATE_PATH"

// tokens marks the errors of an identity, because a vault and an identity fail in
// different ways.
type tokens struct{ of azcore.TokenCredential }

// GetToken gets a token of the identity.
func (t tokens) GetToken(ctx context.Context, options policy.TokenRequestOptions) (azcore.AccessToken, error) {
	token, err := t.of.GetToken(ctx, options)
	if err != nil {
		return token, &tokenError{err}
	}
	return token, nil
}

type tokenError struct{ err error }

func (e *tokenError) Error() string { return e.err.Error() }

func (e *tokenError) Unwrap() error { return e.err }

// NonRetriable tells Azure's client not to retry, because the identity already did.
func (e *tokenError) NonRetriable() {}

// createAzureKey creates an RSA key. It checks first that there is none, because Azure
// would add a version to an existing key.
func createAzureKey(ctx context.Context, rest string) error {
	ctx, cancel := context.WithTimeout(ctx, 2*askCloud)
	defer cancel()
	name, err := parseAzureName(rest)
	if err != nil {
		return err
	}
	if name.version != "" {
		return &Error{name.url, Invalid, "remove the version from the URL", errors.New("the vault chooses the version of a new key")}
	}
	client, err := name.connect()
	if err != nil {
		return err
	}
	_, err = client.GetKey(ctx, name.key, "", nil)
	var answer *azcore.ResponseError
	switch {
	case err == nil:
		return fmt.Errorf("%s: %w", name.url, fs.ErrExist)
	case !errors.As(err, &answer) || answer.StatusCode != http.StatusNotFound:
		return name.notCreated(err)
	}
	kind := azkeys.KeyTypeRSA
	if strings.Contains(name.vault, ".managedhsm.") {
		kind = azkeys.KeyTypeRSAHSM
	}
	size := int32(3072)
	_, err = client.CreateKey(ctx, name.key, azkeys.CreateKeyParameters{Kty: &kind, KeySize: &size,
		KeyOps: []*azkeys.KeyOperation{new(azkeys.KeyOperationWrapKey), new(azkeys.KeyOperationUnwrapKey)}}, nil)
	return name.notCreated(err)
}

// notCreated explains why a key was not created, which needs more permissions than its
// use.
func (n azureName) notCreated(err error) error {
	err = n.explain(err)
	if is, ok := errors.AsType[*Error](err); ok && is.Reason == Denied && strings.Contains(is.Remedy, "Service Encryption User") {
		is.Remedy = "creating a key needs the role \"Key Vault Crypto Officer\" on " + n.vault
	}
	return err
}

// ID returns the identifier of the key, with the version if the URL has one. So the
// keyset can be wrapped again under a newer version of the same key.
func (k *azureKey) ID() string { return k.id(k.version) }

func (n azureName) id(version string) string {
	return strings.TrimSuffix("azurekeyvault:"+n.vault+"/keys/"+n.key+"/"+version, "/")
}

// Opens reports whether id is that of this key in any version. The wrap says which
// version wrapped it.
func (k *azureKey) Opens(id string) bool {
	return id == k.id("") || strings.HasPrefix(id, k.id("")+"/")
}

var wrapsAzure = azkeys.EncryptionAlgorithmRSAOAEP256

// Wrap wraps with the version in the URL, or else with the newest one. The result is:
//
//	size  what
//	   n  the version, as text
//	   1  0
//	   m  RSA-OAEP-256 of SHA-256(associatedData) and plaintext
func (k *azureKey) Wrap(ctx context.Context, plaintext, associatedData []byte) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, askCloud)
	defer cancel()
	bound := sha256.Sum256(associatedData)
	value := append(bound[:], plaintext...)
	defer clear(value)
	out, err := k.client.WrapKey(ctx, k.key, k.version, azkeys.KeyOperationParameters{Algorithm: &wrapsAzure, Value: value}, nil)
	if err != nil {
		return nil, k.explain(err)
	}
	if out.KID == nil || out.KID.Version() == "" || len(out.Result) == 0 {
		return nil, &Error{k.url, Unavailable, "try again; if this repeats, check for a proxy that changes answers", errors.New("the vault did not say which version of the key wrapped")}
	}
	return append([]byte(out.KID.Version()+"\x00"), out.Result...), nil
}

// Unwrap unwraps with the version that wrapped.
func (k *azureKey) Unwrap(ctx context.Context, wrapped, associatedData []byte) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, askCloud)
	defer cancel()
	version, value, ok := bytes.Cut(wrapped, []byte{0})
	if !ok || !azureVersion.Match(version) {
		return nil, seal.ErrSeal
	}
	out, err := k.client.UnwrapKey(ctx, k.key, string(version), azkeys.KeyOperationParameters{Algorithm: &wrapsAzure, Value: value}, nil)
	var answer *azcore.ResponseError
	switch {
	case errors.As(err, &answer) && answer.StatusCode == http.StatusBadRequest && answer.ErrorCode == "BadParameter":
		return nil, seal.ErrSeal
	case err != nil:
		by := k.azureName
		by.version = string(version)
		return nil, by.explain(err)
	case len(out.Result) == 0:
		return nil, emptyAnswer(k.url, "plaintext")
	}
	bound := sha256.Sum256(associatedData)
	if len(out.Result) < len(bound) || !hmac.Equal(out.Result[:len(bound)], bound[:]) {
		return nil, seal.ErrSeal
	}
	return out.Result[len(bound):], nil
}

var azureVersion = regexp.MustCompile(`^[0-9A-Za-z]+$`)

// explain turns an error of a request into one for operators.
func (n azureName) explain(err error) error {
	var token *tokenError
	var answer *azcore.ResponseError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &token):
		return n.identity(err)
	case errors.As(err, &answer):
		inner, message := azureDetail(answer)
		reason, remedy := n.meaning(answer, inner, message)
		return &Error{n.url, reason, remedy, fmt.Errorf("%d %s: %s", answer.StatusCode, answer.ErrorCode, message)}
	}
	return away(n.url, n.vault, err)
}

// identity explains why there is no token. For a network error, Azure's client returns
// only its text, with a quoted address, and not the error itself.
func (n azureName) identity(err error) error {
	if why := refusal(err); why != "" {
		return &Error{n.url, Denied, "Microsoft Entra ID refuses this identity: check tenant, client and the expiry of its secret or certificate", errors.New(why)}
	}
	if noAnswer(err) || strings.Contains(err.Error(), `"https://`) {
		return away(n.url, "Microsoft Entra ID (for a token)", err)
	}
	return &Error{n.url, Denied, azureCredentials, fmt.Errorf("no Azure credentials: %s", oneLine(err.Error()))}
}

// refusal returns why Microsoft Entra ID refused an identity, or "".
func refusal(err error) string {
	var refused *azidentity.AuthenticationFailedError
	if !errors.As(err, &refused) || refused.RawResponse == nil {
		return ""
	}
	var body struct {
		Description string `json:"error_description"`
	}
	text, err := runtime.Payload(refused.RawResponse)
	if err != nil || json.Unmarshal(text, &body) != nil {
		return ""
	}
	return oneLine(body.Description)
}

// meaning returns the reason and the remedy for an answer that is not a success.
func (n azureName) meaning(answer *azcore.ResponseError, inner, message string) (Reason, string) {
	vault := strings.TrimPrefix(n.vault, "https://")
	key := n.vault + "/keys/" + n.key
	version := strings.TrimSuffix(key+"/"+n.version, "/")
	switch {
	case inner == "KeyDisabled" || strings.Contains(message, "disabled key"):
		return Disabled, "enable it: az keyvault key set-attributes --enabled true --id " + version
	case inner == "KeyExpired" || inner == "KeyNotYetValid" || strings.Contains(message, "expired key") || strings.Contains(message, "not yet valid"):
		return Disabled, "change its dates: az keyvault key set-attributes --expires DATE --id " + version
	case inner == "ForbiddenByFirewall":
		return Denied, "allow the address of this machine in the firewall of " + vault + ", or use its private endpoint"
	case strings.HasPrefix(inner, "ObjectIs") || strings.HasPrefix(answer.ErrorCode, "ObjectIs"): // DeletedButRecoverable, BeingDeleted
		return Disabled, "recover it before it is purged: az keyvault key recover --id " + key
	case answer.StatusCode == http.StatusUnauthorized:
		return Denied, "the vault does not accept the token: check that the identity is of the vault's tenant, and the clock of this machine"
	case answer.StatusCode == http.StatusForbidden:
		return Denied, "grant this identity the role \"Key Vault Crypto Service Encryption User\" on the key, or wrapKey and unwrapKey in the access policy of " + vault
	case answer.StatusCode == http.StatusNotFound:
		return Missing, "check vault, key and version; if it was deleted, recover it before it is purged: az keyvault key recover --id " + key
	case answer.StatusCode == http.StatusTooManyRequests:
		return Unavailable, vault + " throttles requests: see who sends them; nothing needs to be done if it passes"
	case answer.StatusCode >= http.StatusInternalServerError:
		return Unavailable, vault + " does not serve now: see azure.status.microsoft; nothing needs to be done if it passes"
	}
	return Invalid, "check that it is an RSA key that allows wrapKey and unwrapKey with RSA-OAEP-256"
}

// azureDetail returns the inner error code and the message of an answer.
func azureDetail(answer *azcore.ResponseError) (inner, message string) {
	var body struct {
		Error struct {
			Message string
			Inner   struct{ Code string } `json:"innererror"`
		}
	}
	text, err := runtime.Payload(answer.RawResponse)
	if err != nil || json.Unmarshal(text, &body) != nil {
		return "", http.StatusText(answer.StatusCode)
	}
	return body.Error.Inner.Code, oneLine(body.Error.Message)
}
