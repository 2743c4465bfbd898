package cloudtest

import (
	"crypto"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"
)

// GoogleRing is the key ring that exists.
const GoogleRing = "projects/bank/locations/europe-west1/keyRings/strongroom"

const googleEmail = "strongroom@bank.iam.gserviceaccount.com"

// Google is a fake of Google Cloud KMS (https://cloud.google.com/kms/docs/reference/rest)
// and of the token service for service accounts.
type Google struct {
	file    string
	account *rsa.PrivateKey

	mu       sync.Mutex
	keys     map[string]*GoogleKey // by name
	fail     func() (code int, status, message string)
	flip     bool
	tokenNow string
}

// GoogleKey is a key with its versions, of which the last one is primary.
type GoogleKey struct {
	Name   string
	States []string
	secret []cipher.AEAD
}

func (g *Google) begin(dir string) (err error) {
	g.keys = map[string]*GoogleKey{}
	g.file = filepath.Join(dir, "service-account.json")
	if g.account, err = rsa.GenerateKey(rand.Reader, 2048); err != nil {
		return err
	}
	der, err := x509.MarshalPKCS8PrivateKey(g.account)
	if err != nil {
		return err
	}
	text, err := json.Marshal(map[string]string{"type": "service_account", "project_id": "bank", "private_key_id": "1", "client_email": googleEmail, "client_id": "1",
		"private_key": string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})), "token_uri": "https://oauth2.googleapis.com/token"})
	if err != nil {
		return err
	}
	return os.WriteFile(g.file, text, 0o600)
}

// Env returns the environment variables with the credentials of the service account that
// may use the keys.
func (g *Google) Env() []string { return []string{"GOOGLE_APPLICATION_CREDENTIALS=" + g.file} }

// Make makes a key.
func (g *Google) Make(id string) *GoogleKey {
	g.mu.Lock()
	defer g.mu.Unlock()
	k := &GoogleKey{Name: GoogleRing + "/cryptoKeys/" + id}
	g.keys[k.Name] = k
	k.rotate()
	return k
}

// Rotate adds a version, which becomes the primary one.
func (g *Google) Rotate(k *GoogleKey) {
	g.mu.Lock()
	defer g.mu.Unlock()
	k.rotate()
}

func (k *GoogleKey) rotate() {
	raw := make([]byte, 32)
	rand.Read(raw)
	block, _ := aes.NewCipher(raw)
	secret, _ := cipher.NewGCM(block)
	k.States, k.secret = append(k.States, "ENABLED"), append(k.secret, secret)
}

// State sets the state of a version, from 1.
func (g *Google) State(k *GoogleKey, version int, state string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	k.States[version-1] = state
}

// Fail makes requests fail, until it is called with nil.
func (g *Google) Fail(fail func() (code int, status, message string)) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.fail = fail
}

// Flip changes a bit of each answer.
func (g *Google) Flip(flip bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.flip = flip
}

// token exchanges the assertion of a service account (RFC 7523).
func (g *Google) token(rw http.ResponseWriter, r *http.Request) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if err := r.ParseForm(); err != nil || r.Form.Get("grant_type") != "urn:ietf:params:oauth:grant-type:jwt-bearer" {
		googleError(rw, http.StatusBadRequest, "invalid_request", "")
		return
	}
	claims, err := g.verify(r.Form.Get("assertion"))
	if err == nil && claims.Audience != "https://oauth2.googleapis.com/token" {
		err = errors.New("wrong audience " + claims.Audience)
	}
	if err != nil {
		rw.Header().Set("Content-Type", "application/json")
		rw.WriteHeader(http.StatusBadRequest)
		_ = json.NewEncoder(rw).Encode(map[string]string{"error": "invalid_grant", "error_description": "Invalid JWT Signature. " + err.Error()})
		return
	}
	g.tokenNow = rand.Text()
	rw.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(rw).Encode(map[string]any{"access_token": g.tokenNow, "token_type": "Bearer", "expires_in": 3600})
}

type claims struct {
	Issuer   string `json:"iss"`
	Audience string `json:"aud"`
	Scope    string `json:"scope"`
	Issued   int64  `json:"iat"`
	Expires  int64  `json:"exp"`
}

// verify checks a JWT that the service account signed.
func (g *Google) verify(token string) (c claims, err error) {
	parts := strings.Split(token, ".")
	if len(parts) != 3 {
		return c, errors.New("not a JWT")
	}
	signature, err := base64.RawURLEncoding.DecodeString(parts[2])
	if err != nil {
		return c, err
	}
	sum := sha256.Sum256([]byte(parts[0] + "." + parts[1]))
	if err := rsa.VerifyPKCS1v15(&g.account.PublicKey, crypto.SHA256, sum[:], signature); err != nil {
		return c, err
	}
	text, err := base64.RawURLEncoding.DecodeString(parts[1])
	if err != nil {
		return c, err
	}
	if err := json.Unmarshal(text, &c); err != nil {
		return c, err
	}
	now := time.Now().Unix()
	if c.Issuer != googleEmail || c.Issued > now+60 || c.Expires < now || c.Expires > now+4000 {
		return c, fmt.Errorf("claims %+v", c)
	}
	return c, nil
}

// authorized accepts an access token, and a JWT that the service account signed itself
// for this API (https://google.aip.dev/auth/4111).
func (g *Google) authorized(r *http.Request) bool {
	token, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	if !ok {
		return false
	}
	if g.tokenNow != "" && token == g.tokenNow {
		return true
	}
	c, err := g.verify(token)
	return err == nil && (strings.Contains(c.Scope, "https://www.googleapis.com/auth/cloudkms") || c.Audience == "https://cloudkms.googleapis.com/")
}

type googleRequest struct {
	Plaintext       []byte `json:"plaintext"`
	PlaintextCRC    string `json:"plaintextCrc32c"`
	Ciphertext      []byte `json:"ciphertext"`
	CiphertextCRC   string `json:"ciphertextCrc32c"`
	AdditionalData  []byte `json:"additionalAuthenticatedData"`
	AdditionalDaCRC string `json:"additionalAuthenticatedDataCrc32c"`
	Purpose         string `json:"purpose"`
}

func (g *Google) serve(rw http.ResponseWriter, r *http.Request) {
	g.mu.Lock()
	defer g.mu.Unlock()
	var in googleRequest
	body, err := io.ReadAll(r.Body)
	if err == nil {
		err = json.Unmarshal(body, &in)
	}
	name, action, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/v1/"), ":")
	switch {
	case err != nil:
		googleError(rw, http.StatusBadRequest, "INVALID_ARGUMENT", err.Error())
	case !g.authorized(r):
		googleError(rw, http.StatusUnauthorized, "UNAUTHENTICATED", "Request had invalid authentication credentials.")
	case g.fail != nil:
		code, status, message := g.fail()
		googleError(rw, code, status, message)
	case action == "" && r.Method == http.MethodPost:
		g.create(rw, name, r.URL.Query().Get("cryptoKeyId"), in)
	case action == "encrypt":
		g.encrypt(rw, name, in)
	case action == "decrypt":
		g.decrypt(rw, name, in)
	default:
		googleError(rw, http.StatusNotFound, "NOT_FOUND", "")
	}
}

func (g *Google) create(rw http.ResponseWriter, path, id string, in googleRequest) {
	ring := strings.TrimSuffix(path, "/cryptoKeys")
	name := path + "/" + id
	switch {
	case ring != GoogleRing:
		googleError(rw, http.StatusNotFound, "NOT_FOUND", "KeyRing "+ring+" not found.")
	case g.keys[name] != nil:
		googleError(rw, http.StatusConflict, "ALREADY_EXISTS", "CryptoKey "+name+" already exists.")
	case in.Purpose != "ENCRYPT_DECRYPT":
		googleError(rw, http.StatusBadRequest, "INVALID_ARGUMENT", "purpose")
	default:
		k := &GoogleKey{Name: name}
		k.rotate()
		g.keys[name] = k
		googleAnswer(rw, map[string]any{"name": name, "purpose": in.Purpose})
	}
}

func (g *Google) encrypt(rw http.ResponseWriter, name string, in googleRequest) {
	name, version, pinned := strings.Cut(name, "/cryptoKeyVersions/")
	k := g.keys[name]
	if k == nil {
		googleError(rw, http.StatusNotFound, "NOT_FOUND", "CryptoKey "+name+" not found.")
		return
	}
	at := len(k.States)
	if pinned {
		at, _ = strconv.Atoi(version)
	}
	if !usable(rw, k, at) {
		return
	}
	if in.PlaintextCRC != crc(in.Plaintext) || in.AdditionalDaCRC != crc(in.AdditionalData) {
		googleError(rw, http.StatusBadRequest, "INVALID_ARGUMENT", "The checksum in field does not match the data.")
		return
	}
	nonce := make([]byte, 12)
	rand.Read(nonce)
	sealed := append(fmt.Appendf(nil, "%c", at), k.secret[at-1].Seal(nonce, nonce, in.Plaintext, in.AdditionalData)...)
	sum := crc(sealed)
	g.damage(sealed)
	googleAnswer(rw, map[string]any{"name": fmt.Sprint(name, "/cryptoKeyVersions/", at), "ciphertext": sealed, "ciphertextCrc32c": sum,
		"verifiedPlaintextCrc32c": true, "verifiedAdditionalAuthenticatedDataCrc32c": true})
}

func (g *Google) decrypt(rw http.ResponseWriter, name string, in googleRequest) {
	k := g.keys[name]
	if k == nil {
		googleError(rw, http.StatusNotFound, "NOT_FOUND", "CryptoKey "+name+" not found.")
		return
	}
	if in.CiphertextCRC != crc(in.Ciphertext) || in.AdditionalDaCRC != crc(in.AdditionalData) {
		googleError(rw, http.StatusBadRequest, "INVALID_ARGUMENT", "The checksum in field does not match the data.")
		return
	}
	const failed = "Decryption failed: verify that 'name' refers to the correct CryptoKey."
	if len(in.Ciphertext) < 13 || int(in.Ciphertext[0]) > len(k.States) || in.Ciphertext[0] == 0 {
		googleError(rw, http.StatusBadRequest, "INVALID_ARGUMENT", failed)
		return
	}
	at := int(in.Ciphertext[0])
	if !usable(rw, k, at) {
		return
	}
	plain, err := k.secret[at-1].Open(nil, in.Ciphertext[1:13], in.Ciphertext[13:], in.AdditionalData)
	if err != nil {
		googleError(rw, http.StatusBadRequest, "INVALID_ARGUMENT", failed)
		return
	}
	sum := crc(plain)
	g.damage(plain)
	googleAnswer(rw, map[string]any{"plaintext": plain, "plaintextCrc32c": sum, "usedPrimary": at == len(k.States)})
}

func (g *Google) damage(b []byte) {
	if g.flip && len(b) > 0 {
		b[len(b)-1] ^= 1
	}
}

func usable(rw http.ResponseWriter, k *GoogleKey, version int) bool {
	if version < 1 || version > len(k.States) {
		googleError(rw, http.StatusNotFound, "NOT_FOUND", "CryptoKeyVersion not found.")
		return false
	}
	if state := k.States[version-1]; state != "ENABLED" {
		googleError(rw, http.StatusBadRequest, "FAILED_PRECONDITION", fmt.Sprintf("%s/cryptoKeyVersions/%d is not enabled, current state is: %s.", k.Name, version, state))
		return false
	}
	return true
}

func crc(b []byte) string {
	return fmt.Sprint(crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli)))
}

func googleAnswer(rw http.ResponseWriter, body map[string]any) {
	rw.Header().Set("Content-Type", "application/json; charset=UTF-8")
	_ = json.NewEncoder(rw).Encode(body)
}

// googleError answers with an error. The text after " reason:" in message becomes its
// detail.
func googleError(rw http.ResponseWriter, code int, status, message string) {
	message, reason, has := strings.Cut(message, " reason:")
	is := map[string]any{"code": code, "message": message, "status": status}
	if has {
		is["details"] = []any{map[string]any{"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": reason, "domain": "googleapis.com"}}
	}
	rw.Header().Set("Content-Type", "application/json; charset=UTF-8")
	rw.WriteHeader(code)
	_ = json.NewEncoder(rw).Encode(map[string]any{"error": is})
}
