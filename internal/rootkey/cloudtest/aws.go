package cloudtest

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"
)

// The only identity of the AWS account.
const (
	AWSAccount   = "111122223333"
	AWSAccessKey = "AKIAIOSFODNN7EXAMPLE"
	AWSSecretKey = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"
)

// AWSEnv returns the environment variables with the credentials of that identity.
func AWSEnv() []string {
	return []string{"AWS_ACCESS_KEY_ID=" + AWSAccessKey, "AWS_SECRET_ACCESS_KEY=" + AWSSecretKey}
}

// AWS is a fake of AWS KMS: https://docs.aws.amazon.com/kms/latest/APIReference.
type AWS struct {
	mu      sync.Mutex
	keys    map[string]*AWSKey // by id
	aliases map[string]string  // by region and name
	fail    map[string]string  // by action: the error code
	calls   []string
}

// AWSKey is a key.
type AWSKey struct {
	ID       string
	Regions  []string
	State    string
	Spec     string
	Deletion time.Time
	secret   cipher.AEAD
}

func (a *AWS) begin() {
	a.keys, a.aliases, a.fail = map[string]*AWSKey{}, map[string]string{}, map[string]string{}
}

// Make makes a key in one region, or a multi-Region key in several.
func (a *AWS) Make(regions ...string) *AWSKey {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.make(regions)
}

func (a *AWS) make(regions []string) *AWSKey {
	raw := make([]byte, 32)
	rand.Read(raw)
	block, _ := aes.NewCipher(raw)
	secret, _ := cipher.NewGCM(block)
	id := fmt.Sprintf("%x-%x-%x-%x-%x", raw[0:4], raw[4:6], raw[6:8], raw[8:10], raw[10:16])
	if len(regions) > 1 {
		id = "mrk-" + hex.EncodeToString(raw[:16])
	}
	a.keys[id] = &AWSKey{id, regions, "Enabled", "SYMMETRIC_DEFAULT", time.Time{}, secret}
	return a.keys[id]
}

// Change changes a key.
func (a *AWS) Change(k *AWSKey, change func(*AWSKey)) {
	a.mu.Lock()
	defer a.mu.Unlock()
	change(k)
}

// Alias points an alias at a key.
func (a *AWS) Alias(region, name string, k *AWSKey) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.aliases[region+"/"+name] = k.ID
}

// Delete permanently removes a key.
func (a *AWS) Delete(k *AWSKey) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.keys, k.ID)
}

// Fail makes an action fail with an error code, until it is called with "".
func (a *AWS) Fail(action, code string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.fail[action] = code
}

// Calls returns the actions since the last call, each with its region and its encryption
// context.
func (a *AWS) Calls() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	all := a.calls
	a.calls = nil
	return all
}

// ARN returns the name of a key in a region.
func (k *AWSKey) ARN(region string) string {
	return "arn:aws:kms:" + region + ":" + AWSAccount + ":key/" + k.ID
}

type awsRequest struct {
	KeyID             string `json:"KeyId"`
	Plaintext         []byte
	CiphertextBlob    []byte
	EncryptionContext map[string]string
	AliasName         string
	TargetKeyID       string `json:"TargetKeyId"`
}

func (a *AWS) serve(rw http.ResponseWriter, r *http.Request, region string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	var in awsRequest
	_, action, _ := strings.Cut(r.Header.Get("X-Amz-Target"), ".")
	if why := checkSigV4(r, body, region); why != "" {
		awsError(rw, http.StatusBadRequest, "InvalidSignatureException", why)
		return
	}
	if err := json.Unmarshal(body, &in); err != nil {
		awsError(rw, http.StatusBadRequest, "SerializationException", err.Error())
		return
	}
	a.calls = append(a.calls, fmt.Sprint(action, " ", region, " ", in.EncryptionContext))
	if code := a.fail[action]; code != "" {
		status := http.StatusBadRequest
		if code == "KMSInternalException" {
			status = http.StatusInternalServerError
		}
		awsError(rw, status, code, "User: arn:aws:iam::"+AWSAccount+":user/strongroom: "+action+" failed")
		return
	}
	a.act(rw, region, action, in)
}

func (a *AWS) act(rw http.ResponseWriter, region, action string, in awsRequest) {
	switch action {
	case "CreateKey":
		awsAnswer(rw, map[string]any{"KeyMetadata": metadata(a.make([]string{region}), region)})
		return
	case "CreateAlias":
		if at := region + "/" + in.AliasName; a.aliases[at] == "" {
			a.aliases[at] = in.TargetKeyID
			awsAnswer(rw, map[string]any{})
		} else {
			awsError(rw, http.StatusBadRequest, "AlreadyExistsException", "An alias with the name exists")
		}
		return
	}
	k := a.find(region, in.KeyID)
	if k == nil {
		awsError(rw, http.StatusBadRequest, "NotFoundException", "Key '"+in.KeyID+"' does not exist")
		return
	}
	if action == "Encrypt" || action == "Decrypt" {
		switch k.State {
		case "Disabled":
			awsError(rw, http.StatusBadRequest, "DisabledException", k.ARN(region)+" is disabled.")
			return
		case "PendingDeletion":
			awsError(rw, http.StatusBadRequest, "KMSInvalidStateException", k.ARN(region)+" is pending deletion.")
			return
		}
	}
	a.use(rw, region, action, k, in)
}

func (a *AWS) use(rw http.ResponseWriter, region, action string, k *AWSKey, in awsRequest) {
	bound, _ := json.Marshal(in.EncryptionContext) // sorted
	switch action {
	case "DescribeKey":
		awsAnswer(rw, map[string]any{"KeyMetadata": metadata(k, region)})
	case "ScheduleKeyDeletion":
		k.State = "PendingDeletion"
		awsAnswer(rw, map[string]any{"KeyId": k.ARN(region)})
	case "Encrypt":
		nonce := make([]byte, 12)
		rand.Read(nonce)
		blob := append([]byte(k.ID+"\n"), k.secret.Seal(nonce, nonce, in.Plaintext, bound)...)
		awsAnswer(rw, map[string]any{"CiphertextBlob": blob, "KeyId": k.ARN(region)})
	case "Decrypt":
		id, sealed, _ := strings.Cut(string(in.CiphertextBlob), "\n")
		if a.keys[id] != nil && id != k.ID {
			awsError(rw, http.StatusBadRequest, "IncorrectKeyException", "The key ID in the request does not identify a CMK that can perform this operation.")
			return
		}
		if id != k.ID || len(sealed) < 12 {
			awsError(rw, http.StatusBadRequest, "InvalidCiphertextException", "")
			return
		}
		plain, err := k.secret.Open(nil, []byte(sealed[:12]), []byte(sealed[12:]), bound)
		if err != nil {
			awsError(rw, http.StatusBadRequest, "InvalidCiphertextException", "")
			return
		}
		awsAnswer(rw, map[string]any{"Plaintext": plain, "KeyId": k.ARN(region)})
	default:
		awsError(rw, http.StatusBadRequest, "UnknownOperationException", "")
	}
}

func (a *AWS) find(region, name string) *AWSKey {
	if alias, ok := strings.CutPrefix(name, "arn:aws:kms:"+region+":"+AWSAccount+":alias/"); ok {
		name = "key/" + a.aliases[region+"/alias/"+alias]
	}
	k := a.keys[name[strings.LastIndex(name, "/")+1:]]
	if k == nil || !slices.Contains(k.Regions, region) {
		return nil
	}
	return k
}

func metadata(k *AWSKey, region string) map[string]any {
	m := map[string]any{"KeyId": k.ID, "Arn": k.ARN(region), "AWSAccountId": AWSAccount, "KeyState": k.State, "Enabled": k.State == "Enabled",
		"KeyUsage": "ENCRYPT_DECRYPT", "KeySpec": k.Spec, "MultiRegion": len(k.Regions) > 1}
	if !k.Deletion.IsZero() {
		m["DeletionDate"] = float64(k.Deletion.Unix())
	}
	return m
}

func awsAnswer(rw http.ResponseWriter, body map[string]any) {
	rw.Header().Set("Content-Type", "application/x-amz-json-1.1")
	_ = json.NewEncoder(rw).Encode(body)
}

func awsError(rw http.ResponseWriter, status int, code, message string) {
	rw.Header().Set("Content-Type", "application/x-amz-json-1.1")
	rw.WriteHeader(status)
	_ = json.NewEncoder(rw).Encode(map[string]string{"__type": code, "message": message})
}

// checkSigV4 verifies the signature of a request, as described in
// https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html.
// It returns what is wrong, or "".
func checkSigV4(r *http.Request, body []byte, region string) string {
	fields, ok := strings.CutPrefix(r.Header.Get("Authorization"), "AWS4-HMAC-SHA256 ")
	if !ok {
		return "no signature"
	}
	given := map[string]string{}
	for part := range strings.SplitSeq(fields, ", ") {
		name, value, _ := strings.Cut(part, "=")
		given[name] = value
	}
	date := r.Header.Get("X-Amz-Date")
	at, err := time.Parse("20060102T150405Z", date)
	if err != nil || time.Since(at).Abs() > 5*time.Minute {
		return "Signature expired: " + date
	}
	scope := date[:8] + "/" + region + "/kms/aws4_request"
	if given["Credential"] != AWSAccessKey+"/"+scope {
		return "Credential should be scoped to a valid region: " + given["Credential"]
	}
	names := strings.Split(given["SignedHeaders"], ";")
	for _, must := range []string{"host", "x-amz-date", "x-amz-target"} {
		if !slices.Contains(names, must) {
			return must + " is not signed"
		}
	}
	text := "AWS4-HMAC-SHA256\n" + date + "\n" + scope + "\n" + hexSHA256([]byte(canonical(r, names, body)))
	key := []byte("AWS4" + AWSSecretKey)
	for _, part := range []string{date[:8], region, "kms", "aws4_request", text} {
		key = hmacSHA256(key, part)
	}
	if !hmac.Equal([]byte(hex.EncodeToString(key)), []byte(given["Signature"])) {
		return "The request signature we calculated does not match the signature you provided."
	}
	return ""
}

func canonical(r *http.Request, names []string, body []byte) string {
	var headers strings.Builder
	for _, name := range names {
		value := r.Header.Get(name)
		switch name {
		case "host":
			value = r.Host
		case "content-length":
			value = fmt.Sprint(r.ContentLength)
		}
		headers.WriteString(name + ":" + strings.Join(strings.Fields(value), " ") + "\n")
	}
	query := strings.ReplaceAll(r.URL.Query().Encode(), "+", "%20")
	return strings.Join([]string{r.Method, (&url.URL{Path: r.URL.Path}).EscapedPath(), query, headers.String(), strings.Join(names, ";"), hexSHA256(body)}, "\n")
}

func hexSHA256(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

func hmacSHA256(key []byte, text string) []byte {
	h := hmac.New(sha256.New, key)
	h.Write([]byte(text))
	return h.Sum(nil)
}
