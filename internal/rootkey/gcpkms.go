package rootkey

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"net/http"
	"regexp"
	"strings"

	"cloud.google.com/go/auth"
	"google.golang.org/api/cloudkms/v1"
	"google.golang.org/api/googleapi"
	"google.golang.org/api/option"
	"google.golang.org/api/option/internaloption"
	htransport "google.golang.org/api/transport/http"

	"strongroom/internal/crypto/seal"
	"strongroom/internal/outbound"
)

// googleKeys are symmetric keys of Google Cloud KMS. The credentials are the
// application default credentials. They need the role
// roles/cloudkms.cryptoKeyEncrypterDecrypter on the key.
var googleKeys = provider{
	form: "gcpkms:projects/PROJECT/locations/LOCATION/keyRings/RING/cryptoKeys/KEY, with /cryptoKeyVersions/N to encrypt with one version, and ?endpoint=URL for another address of Cloud KMS",
	check: func(rest string) error {
		_, err := parseGoogleName(rest)
		return err
	},
	open:   openGoogleKey,
	create: createGoogleKey,
}

// googleName is a parsed URL. with is the name of the key, or of the version that encrypts.
type googleName struct {
	url, with, key, endpoint string
}

var googleKeyName = regexp.MustCompile(`^(projects/[^/?#%\s]+/locations/[a-z0-9-]+/keyRings/[A-Za-z0-9_-]+/cryptoKeys/[A-Za-z0-9_-]+)(/cryptoKeyVersions/[0-9]+)?$`)

func parseGoogleName(rest string) (googleName, error) {
	name, endpoint, err := cutEndpoint(rest)
	if err != nil {
		return googleName{}, err
	}
	parts := googleKeyName.FindStringSubmatch(name)
	if parts == nil {
		return googleName{}, errors.New("not the resource name of a key")
	}
	return googleName{"gcpkms:" + rest, name, parts[1], endpoint}, nil
}

// googleKey is a key of Google Cloud KMS.
type googleKey struct {
	googleName
	keys *cloudkms.ProjectsLocationsKeyRingsCryptoKeysService
}

// openGoogleKey sends no request: the role that can encrypt and decrypt cannot read the
// state of the key, so it is known only when the key is used.
func openGoogleKey(ctx context.Context, rest string) (seal.RootKey, error) {
	name, err := parseGoogleName(rest)
	if err != nil {
		return nil, err
	}
	keys, err := name.connect(ctx)
	if err != nil {
		return nil, err
	}
	return &googleKey{name, keys}, nil
}

func (n googleName) connect(ctx context.Context) (*cloudkms.ProjectsLocationsKeyRingsCryptoKeysService, error) {
	var endpoint []option.ClientOption
	if n.endpoint != "" {
		endpoint = append(endpoint, option.WithEndpoint(n.endpoint))
	}
	// The client keeps its context for later tokens.
	ctx = context.WithoutCancel(ctx)
	client, _, err := htransport.NewClient(ctx, append(endpoint, option.WithScopes(cloudkms.CloudkmsScope), option.WithUserAgent("strongroom"), option.WithTelemetryDisabled(),
		internaloption.EnableNewAuthLibrary(), internaloption.WithDefaultEndpointTemplate("https://cloudkms.UNIVERSE_DOMAIN/"))...)
	var service *cloudkms.Service
	if err == nil {
		client.Transport = outbound.Bounded{RoundTripper: client.Transport, Bytes: maxCloudAnswer} // answers to requests for tokens are bounded by the client itself
		service, err = cloudkms.NewService(ctx, append(endpoint, option.WithHTTPClient(client))...)
	}
	if err != nil {
		return nil, &Error{n.url, Denied, googleCredentials, fmt.Errorf("no Google Cloud credentials: %s", oneLine(err.Error()))}
	}
	return service.Projects.Locations.KeyRings.CryptoKeys, nil
}

const googleCredentials = "give this process application default credentials: the service account of its machine or pod, or a file named by GOOGLE_APPLICATION_CREDENTIALS"

// createGoogleKey creates a key in an existing key ring.
func createGoogleKey(ctx context.Context, rest string) error {
	ctx, cancel := context.WithTimeout(ctx, askCloud)
	defer cancel()
	name, err := parseGoogleName(rest)
	if err != nil {
		return err
	}
	keys, err := name.connect(ctx)
	if err != nil {
		return err
	}
	ring, id, _ := strings.Cut(name.key, "/cryptoKeys/")
	_, err = keys.Create(ring, &cloudkms.CryptoKey{Purpose: "ENCRYPT_DECRYPT"}).CryptoKeyId(id).Context(ctx).Do()
	var answer *googleapi.Error
	switch {
	case errors.As(err, &answer) && answer.Code == http.StatusConflict:
		return fmt.Errorf("%s: %w", name.url, fs.ErrExist)
	case errors.As(err, &answer) && answer.Code == http.StatusNotFound:
		return &Error{name.url, Missing, "make the key ring first: gcloud kms keyrings create", errors.New(oneLine(answer.Message))}
	case errors.As(err, &answer) && answer.Code == http.StatusForbidden:
		return &Error{name.url, Denied, "creating a key needs the role roles/cloudkms.admin on " + ring, errors.New(oneLine(answer.Message))}
	}
	return name.explain(err)
}

// ID returns the name of the key, with the version if the URL has one. So the keyset can
// be wrapped again under a newer version of the same key.
func (k *googleKey) ID() string { return "gcpkms:" + k.with }

// Opens reports whether id is that of this key in any version. Google itself finds the
// version that encrypted.
func (k *googleKey) Opens(id string) bool {
	name := "gcpkms:" + k.key
	return id == name || strings.HasPrefix(id, name+"/")
}

// Wrap encrypts. With checksums, both sides check that nothing was changed on the way.
func (k *googleKey) Wrap(ctx context.Context, plaintext, associatedData []byte) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, askCloud)
	defer cancel()
	out, err := k.keys.Encrypt(k.with, &cloudkms.EncryptRequest{
		Plaintext:                         base64.StdEncoding.EncodeToString(plaintext),
		PlaintextCrc32c:                   checksum(plaintext),
		AdditionalAuthenticatedData:       base64.StdEncoding.EncodeToString(associatedData),
		AdditionalAuthenticatedDataCrc32c: checksum(associatedData),
		ForceSendFields:                   []string{"PlaintextCrc32c", "AdditionalAuthenticatedDataCrc32c"},
	}).Context(ctx).Do()
	if err != nil {
		return nil, k.explain(err)
	}
	wrapped, err := base64.StdEncoding.DecodeString(out.Ciphertext)
	if err != nil || !out.VerifiedPlaintextCrc32c || !out.VerifiedAdditionalAuthenticatedDataCrc32c || out.CiphertextCrc32c != checksum(wrapped) {
		return nil, k.corrupted()
	}
	return wrapped, nil
}

// Unwrap decrypts.
func (k *googleKey) Unwrap(ctx context.Context, wrapped, associatedData []byte) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, askCloud)
	defer cancel()
	out, err := k.keys.Decrypt(k.key, &cloudkms.DecryptRequest{
		Ciphertext:                        base64.StdEncoding.EncodeToString(wrapped),
		CiphertextCrc32c:                  checksum(wrapped),
		AdditionalAuthenticatedData:       base64.StdEncoding.EncodeToString(associatedData),
		AdditionalAuthenticatedDataCrc32c: checksum(associatedData),
		ForceSendFields:                   []string{"CiphertextCrc32c", "AdditionalAuthenticatedDataCrc32c"},
	}).Context(ctx).Do()
	var answer *googleapi.Error
	switch {
	case errors.As(err, &answer) && answer.Code == http.StatusBadRequest && strings.HasPrefix(answer.Message, "Decryption failed"):
		return nil, seal.ErrSeal
	case err != nil:
		return nil, k.explain(err)
	}
	if out.Plaintext == "" {
		return nil, emptyAnswer(k.url, "plaintext")
	}
	plaintext, err := base64.StdEncoding.DecodeString(out.Plaintext)
	if err != nil || out.PlaintextCrc32c != checksum(plaintext) {
		return nil, k.corrupted()
	}
	return plaintext, nil
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func checksum(b []byte) int64 { return int64(crc32.Checksum(b, castagnoli)) }

// corrupted returns the error for an answer whose checksum is wrong or missing.
func (n googleName) corrupted() error {
	return &Error{n.url, Unavailable, "try again; if this repeats, check for a proxy that changes answers", errors.New("a CRC32C checksum of Cloud KMS does not match: data changed on the way")}
}

// explain turns an error of a request into one for operators.
func (n googleName) explain(err error) error {
	var answer *googleapi.Error
	var refused *auth.Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &answer):
		reason, remedy := n.meaning(answer)
		return &Error{n.url, reason, remedy, fmt.Errorf("%d: %s", answer.Code, oneLine(answer.Message))}
	case errors.As(err, &refused), strings.Contains(err.Error(), "cannot fetch token") && !noAnswer(err):
		return &Error{n.url, Denied, "Google gives no token for these credentials: check that the service account and its key exist and are enabled, and the clock of this machine", errors.New(oneLine(err.Error()))}
	}
	return away(n.url, "Google Cloud KMS", err)
}

// meaning returns the reason and the remedy for an answer that is not a success.
func (n googleName) meaning(answer *googleapi.Error) (Reason, string) {
	status, detail := googleStatus(answer)
	switch {
	case detail == "SERVICE_DISABLED":
		return Disabled, "enable the API in the project of the key: gcloud services enable cloudkms.googleapis.com"
	case detail == "BILLING_DISABLED":
		return Disabled, "enable billing for the project of the key"
	case status == "FAILED_PRECONDITION":
		return n.state(answer.Message)
	case answer.Code == http.StatusUnauthorized:
		return Denied, googleCredentials
	case answer.Code == http.StatusForbidden:
		return Denied, "check the name of the key, and grant this identity the role: gcloud kms keys add-iam-policy-binding " + n.key + " --role roles/cloudkms.cryptoKeyEncrypterDecrypter --member serviceAccount:EMAIL"
	case answer.Code == http.StatusNotFound:
		return Missing, "check project, location, key ring and key: gcloud kms keys describe " + n.key
	case answer.Code == http.StatusTooManyRequests:
		return Unavailable, "the quota of Cloud KMS is used up: see who uses it, or raise it; nothing needs to be done if it passes"
	case answer.Code >= http.StatusInternalServerError:
		return Unavailable, "Cloud KMS does not serve now: see status.cloud.google.com; nothing needs to be done if it passes"
	}
	return Invalid, "check that the key is symmetric (purpose ENCRYPT_DECRYPT), and that an endpoint= is of the key's location"
}

// state returns the reason and the remedy for the state of a key version that cannot be
// used.
func (n googleName) state(message string) (Reason, string) {
	list := "gcloud kms keys versions list --key " + n.key
	switch {
	case strings.Contains(message, "DESTROY_SCHEDULED"):
		return Disabled, "Google destroys this version soon: restore it now with gcloud kms keys versions restore, then enable it; " + list + " shows all"
	case strings.Contains(message, "DESTROYED"):
		return Missing, "this version was permanently destroyed: start with another root key of the database or a recovery"
	}
	return Disabled, "enable the version: gcloud kms keys versions enable; " + list + " shows all"
}

// googleStatus returns the canonical status of an answer, and the reason in its details.
func googleStatus(answer *googleapi.Error) (status, reason string) {
	var body struct {
		Error struct {
			Status  string
			Details []struct{ Reason string }
		}
	}
	if json.Unmarshal([]byte(answer.Body), &body) != nil {
		return "", ""
	}
	for _, d := range body.Error.Details {
		reason += d.Reason
	}
	return body.Error.Status, reason
}
