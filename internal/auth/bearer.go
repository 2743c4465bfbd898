package auth

import (
	"net/http"
	"strings"
	"unicode"
	"unicode/utf8"

	"strongroom/internal/domain"
)

// reason is why a caller is refused, in closed words that may be logged. What
// is answered is coarser, see [reason.refusal].
type reason string

func (r reason) Error() string { return string(r) }

const (
	noToken        reason = "no bearer token"
	severalHeaders reason = "several Authorization headers"
	malformed      reason = "malformed token"
	dpopScheme     reason = "authorization scheme DPoP"
)

// maxTokenBytes bounds a bearer token. It is checked before anything is done
// with it; what identity providers make has one or two KiB.
const maxTokenBytes = 8 << 10

// bearer is the token of a request (RFC 6750, 2.1). It is taken from the
// Authorization header only: addresses and bodies end up in logs.
func bearer(h http.Header) (string, error) {
	values := h["Authorization"]
	if len(values) > 1 {
		return "", severalHeaders // who reads the first and who the last would see two callers
	}
	if len(values) == 0 {
		return "", noToken
	}
	scheme, token, _ := strings.Cut(values[0], " ")
	switch {
	case strings.EqualFold(scheme, "DPoP"):
		return "", dpopScheme
	case !strings.EqualFold(scheme, "Bearer"):
		return "", noToken
	}
	token = strings.Trim(token, " ")
	if len(token) > maxTokenBytes || !isToken68(token) {
		return "", malformed
	}
	return token, nil
}

// isToken68 says whether s can be a bearer token at all (RFC 6750, b64token;
// RFC 9110, 11.2).
func isToken68[T string | []byte](s T) bool {
	for len(s) > 0 && s[len(s)-1] == '=' {
		s = s[:len(s)-1]
	}
	for i := range len(s) {
		c := s[i]
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("-._~+/", c) >= 0) {
			return false
		}
	}
	return len(s) > 0
}

// isName says whether s can name an account: 1 to [domain.MaxAccountBytes]
// bytes of UTF-8 without control characters. Names are compared byte for byte:
// what looks alike or differs in case is another account.
func isName(s string) bool {
	return s != "" && len(s) <= domain.MaxAccountBytes && utf8.ValidString(s) && strings.IndexFunc(s, unicode.IsControl) < 0
}

func unauthenticated(reason, message string) *domain.Error {
	return &domain.Error{Code: domain.CodeUnauthenticated, Reason: reason, Message: message}
}
