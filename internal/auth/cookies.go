package auth

import (
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Names of the cookies of a session and of a sign-in; a session's is followed by
// the port. Browsers accept the prefix only over TLS, for all paths of one
// host, so that no other site can set such a cookie (RFC 6265bis, 4.1.3.2).
const (
	securePrefix = "__Host-"
	plainCookie  = "strongroom-session"
	secureCookie = securePrefix + plainCookie
	plainSignIn  = "strongroom-signin"
	secureSignIn = securePrefix + plainSignIn
)

// setCookie sets a cookie for age seconds. 0: until the browser closes; below 0:
// it deletes the cookie.
func setCookie(w http.ResponseWriter, name, value string, age int, site http.SameSite) {
	http.SetCookie(w, &http.Cookie{Name: name, Value: value, Path: "/", MaxAge: age, //nolint:gosec // Secure if browsers use TLS: without TLS they would not send it back
		HttpOnly: true, Secure: strings.HasPrefix(name, securePrefix), SameSite: site})
}

// randomBytes never fails: crypto/rand ends the process instead.
func randomBytes(n int) []byte {
	b := make([]byte, n)
	rand.Read(b)
	return b
}

// portSuffix is the port in the browser's address after a dash, or nothing.
// Browsers share cookies between the ports of a host (RFC 6265, 8.5). Two tunnels
// that end at one machine need names of their own. A made-up Host finds no
// cookie.
func portSuffix(r *http.Request) string {
	_, port, err := net.SplitHostPort(r.Host)
	if n, bad := strconv.ParseUint(port, 10, 16); err == nil && bad == nil {
		return "-" + strconv.FormatUint(n, 10)
	}
	return ""
}

// sessionIn returns the SHA-256 of the session id in the cookie with this name.
// It accepts neither of two such cookies.
func sessionIn(r *http.Request, name string) (id [sha256.Size]byte, ok bool) {
	cookies := r.CookiesNamed(name)
	if len(cookies) != 1 || len(cookies[0].Value) != base64.RawURLEncoding.EncodedLen(sessionIDBytes) {
		return id, false
	}
	return sha256.Sum256([]byte(cookies[0].Value)), true
}

// signInProof is what must come back: the state from the browser, the nonce in
// the ID token, and the verifier, without which the code is useless.
type signInProof struct{ state, nonce, verifier string }

// proofOf derives the proof of a sign-in from its seed. None of its parts tells
// anything about the others or the seed.
func proofOf(seed []byte) signInProof {
	derive := func(label string) string {
		key, err := hkdf.Key(sha256.New, seed, nil, "strongroom sign-in "+label+" v1", sha256.Size)
		if err != nil { // only for keys of many kilobytes
			panic(fmt.Errorf("auth: deriving: %w", err))
		}
		return base64.RawURLEncoding.EncodeToString(key)
	}
	return signInProof{derive("state"), derive("nonce"), derive("verifier")}
}

func (f *CodeFlow) cookieName() string {
	if f.secure {
		return secureSignIn
	}
	return plainSignIn
}

// setCookie sets the cookie of a sign-in. It is Lax, because the browser must
// send it when the provider redirects to the callback.
func (f *CodeFlow) setCookie(w http.ResponseWriter, seed []byte, next string) {
	encode := base64.RawURLEncoding.EncodeToString
	setCookie(w, f.cookieName(), encode(seed)+"."+encode([]byte(next)), int(signInTimeout/time.Second), http.SameSiteLaxMode)
}

// takeCookie reads the cookie of a sign-in and deletes it, because it is valid
// for one answer. It accepts neither of two such cookies.
func (f *CodeFlow) takeCookie(w http.ResponseWriter, r *http.Request) (seed []byte, next string, ok bool) {
	cookies := r.CookiesNamed(f.cookieName())
	if len(cookies) > 0 {
		setCookie(w, f.cookieName(), "", -1, http.SameSiteLaxMode)
	}
	if len(cookies) != 1 {
		return nil, "", false
	}
	first, second, _ := strings.Cut(cookies[0].Value, ".")
	seed, err := base64.RawURLEncoding.Strict().DecodeString(first)
	path, bad := base64.RawURLEncoding.Strict().DecodeString(second)
	return seed, string(path), err == nil && bad == nil && len(seed) == seedBytes && len(path) <= maxNextBytes
}
