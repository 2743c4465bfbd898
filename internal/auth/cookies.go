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
// that end at one machine need names of their own. A forged Host header finds no
// cookie.
func portSuffix(r *http.Request) string {
	_, port, err := net.SplitHostPort(r.Host)
	if n, bad := strconv.ParseUint(port, 10, 16); err == nil && bad == nil {
		return "-" + strconv.FormatUint(n, 10)
	}
	return ""
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
