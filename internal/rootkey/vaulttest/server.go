// Package vaulttest fakes the transit engine of Vault and OpenBao: tokens, AppRole and
// Kubernetes logins, policies, key versions, and the texts of its errors. The soak run
// uses a real server, to check that the texts are still the same.
package vaulttest

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"crypto/tls"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
)

// Server is a server whose transit engine is mounted at transit/, in any namespace.
type Server struct {
	Address string // HOST:PORT
	CA      string // the file of its certificate
	Token   string // a token that may do everything

	server *httptest.Server
	mu     sync.Mutex
	keys   map[string]*key
	tokens map[string]bool // that logins gave out
	fail   func(w http.ResponseWriter, r *http.Request) bool
	asked  []string
}

type key struct {
	versions    []cipher.AEAD
	oldest      int // version that may decrypt, from 1
	softDeleted bool
	kind        string
	derived     bool
}

// The role that AppRole and Kubernetes logins take, with its secret.
const (
	RoleID = "f2a4a1c5-role"
	Secret = "9c1b7d2e-secret"
	JWT    = "header.service-account.signature"
)

// Start starts a server that keeps the file of its certificate in dir.
func Start(dir string) (*Server, error) {
	s := &Server{Token: "hvs.root", keys: map[string]*key{}, tokens: map[string]bool{}, CA: filepath.Join(dir, "vault-ca.pem")}
	s.server = httptest.NewTLSServer(http.HandlerFunc(s.serve))
	s.Address = s.server.Listener.Addr().String()
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.server.Certificate().Raw})
	return s, os.WriteFile(s.CA, text, 0o600)
}

// Close stops the server.
func (s *Server) Close() {
	s.Answer(nil)
	s.server.CloseClientConnections()
	s.server.Close()
}

// URL returns the root key URL of a key. more is added to its parameters.
func (s *Server) URL(key, more string) string {
	return "vault:https://" + s.Address + "/transit/" + key + "?ca=" + s.CA + more
}

// Answer makes a function answer in place of the server, if it returns true. nil removes
// it.
func (s *Server) Answer(with func(w http.ResponseWriter, r *http.Request) bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fail = with
}

// Errors makes the server answer with a status and errors if a request's path contains
// part.
func (s *Server) Errors(part string, status int, errors ...string) {
	s.Answer(func(w http.ResponseWriter, r *http.Request) bool {
		if !strings.Contains(r.URL.Path, part) {
			return false
		}
		refuse(w, status, errors...)
		return true
	})
}

// Cut makes the server close connections without an answer.
func (s *Server) Cut() {
	s.Answer(func(w http.ResponseWriter, _ *http.Request) bool {
		if conn, _, err := w.(http.Hijacker).Hijack(); err == nil {
			_ = conn.(*tls.Conn).NetConn().(*net.TCPConn).SetLinger(0)
			_ = conn.Close()
		}
		return true
	})
}

// Revoke revokes all tokens that logins gave out.
func (s *Server) Revoke() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.tokens)
}

// Asked returns the requests since the last call, each as METHOD PATH.
func (s *Server) Asked() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	asked := s.asked
	s.asked = nil
	return asked
}

// Make makes a key.
func (s *Server) Make(name string) {
	s.change(name, func(k *key) { *k = key{kind: "aes256-gcm96", oldest: 1} }, true)
}

// MakeOther makes a key that cannot be used as a root key.
func (s *Server) MakeOther(name, kind string, derived bool) {
	s.change(name, func(k *key) { *k = key{kind: kind, derived: derived, oldest: 1} }, true)
}

// Rotate adds a version to a key.
func (s *Server) Rotate(name string) { s.change(name, func(*key) {}, true) }

// Oldest sets min_decryption_version.
func (s *Server) Oldest(name string, version int) {
	s.change(name, func(k *key) { k.oldest = version }, false)
}

// SoftDelete deletes a key so that it can be restored.
func (s *Server) SoftDelete(name string) {
	s.change(name, func(k *key) { k.softDeleted = true }, false)
}

// Delete permanently deletes a key.
func (s *Server) Delete(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.keys, name)
}

func (s *Server) change(name string, how func(k *key), version bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	k := s.keys[name]
	if k == nil {
		k = &key{}
		s.keys[name] = k
	}
	how(k)
	if version {
		random := make([]byte, 32)
		_, _ = rand.Read(random)
		block, _ := aes.NewCipher(random)
		gcm, _ := cipher.NewGCM(block)
		k.versions = append(k.versions, gcm)
	}
}

func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	fail := s.fail
	s.asked = append(s.asked, r.Method+" "+r.URL.Path)
	s.mu.Unlock()
	if fail != nil && fail(w, r) {
		return
	}
	var in map[string]any
	_ = json.NewDecoder(r.Body).Decode(&in)
	text := func(name string) string { t, _ := in[name].(string); return t }
	path := strings.TrimPrefix(r.URL.Path, "/v1/")
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case path == "auth/approle/login" || path == "auth/machines/login":
		s.logIn(w, text("role_id") == RoleID && text("secret_id") == Secret, "invalid role or secret ID")
	case path == "auth/kubernetes/login":
		s.logIn(w, text("role") == "strongroom" && text("jwt") == JWT, "permission denied")
	case r.Header.Get("X-Vault-Token") != s.Token && !s.tokens[r.Header.Get("X-Vault-Token")]:
		refuse(w, http.StatusForbidden, "2 errors occurred:\n\t* permission denied\n\t* invalid token\n\n")
	case !strings.HasPrefix(path, "transit/"):
		refuse(w, http.StatusNotFound, fmt.Sprintf("no handler for route %q. route entry not found.", path))
	default:
		act, name, _ := strings.Cut(strings.TrimPrefix(path, "transit/"), "/")
		s.transit(w, r.Method, act, name, text)
	}
}

func (s *Server) logIn(w http.ResponseWriter, right bool, otherwise string) {
	if !right {
		refuse(w, http.StatusBadRequest, otherwise)
		return
	}
	token := "hvs." + rand.Text()
	s.tokens[token] = true
	answer(w, map[string]any{"auth": map[string]any{"client_token": token, "lease_duration": 3600}})
}

func (s *Server) transit(w http.ResponseWriter, method, act, name string, text func(string) string) {
	k := s.keys[name]
	switch {
	case act == "keys" && method == http.MethodPost:
		s.mu.Unlock()
		s.Make(name)
		s.mu.Lock()
		answer(w, map[string]any{})
	case act == "keys" && k == nil:
		refuse(w, http.StatusNotFound)
	case k == nil:
		refuse(w, http.StatusBadRequest, "encryption key not found")
	case act == "keys":
		answer(w, map[string]any{"data": map[string]any{"type": k.kind, "derived": k.derived, "soft_deleted": k.softDeleted, "name": name}})
	case k.softDeleted:
		refuse(w, http.StatusBadRequest, "key is soft-deleted")
	case act == "encrypt":
		k.encrypt(w, text)
	default:
		k.decrypt(w, text)
	}
}

func (k *key) encrypt(w http.ResponseWriter, text func(string) string) {
	plaintext, err := base64.StdEncoding.DecodeString(text("plaintext"))
	bound, err2 := base64.StdEncoding.DecodeString(text("associated_data"))
	if err != nil || err2 != nil {
		refuse(w, http.StatusBadRequest, "failed to base64-decode plaintext")
		return
	}
	nonce := make([]byte, 12)
	_, _ = rand.Read(nonce)
	sealed := k.versions[len(k.versions)-1].Seal(nonce, nonce, plaintext, bound)
	answer(w, map[string]any{"data": map[string]any{"ciphertext": fmt.Sprintf("vault:v%d:%s", len(k.versions), base64.StdEncoding.EncodeToString(sealed))}})
}

func (k *key) decrypt(w http.ResponseWriter, text func(string) string) {
	parts := strings.SplitN(text("ciphertext"), ":", 3)
	if len(parts) != 3 || parts[0] != "vault" {
		refuse(w, http.StatusBadRequest, "invalid ciphertext: no prefix")
		return
	}
	version, err := strconv.Atoi(strings.TrimPrefix(parts[1], "v"))
	sealed, err2 := base64.StdEncoding.DecodeString(parts[2])
	bound, _ := base64.StdEncoding.DecodeString(text("associated_data"))
	switch {
	case err != nil, err2 != nil, len(sealed) < 12, version < 1, version > len(k.versions):
		refuse(w, http.StatusBadRequest, "invalid ciphertext: could not decode base64")
	case version < k.oldest:
		refuse(w, http.StatusBadRequest, "ciphertext or signature version is disallowed by policy (too old)")
	default:
		plaintext, err := k.versions[version-1].Open(nil, sealed[:12], sealed[12:], bound)
		if err != nil {
			refuse(w, http.StatusBadRequest, "cipher: message authentication failed")
			return
		}
		answer(w, map[string]any{"data": map[string]any{"plaintext": plaintext}})
	}
}

func answer(w http.ResponseWriter, with any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(with)
}

func refuse(w http.ResponseWriter, status int, errors ...string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	if errors == nil {
		errors = []string{}
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"errors": errors})
}
