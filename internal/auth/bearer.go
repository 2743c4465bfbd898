package auth

import (
	"net/http"
	"strings"
	"unicode"
	"unicode/utf8"

	"strongroom/internal/domain"
	"strongroom/internal/tokenfile"
)

// bearer returns the bearer token of a request (RFC 6750, 2.1).
func bearer(h http.Header) (string, error) {
	text, dpop, err := accessToken(h)
	if dpop {
		return "", dpopScheme
	}
	return text, err
}

// accessToken returns the token of a request, and whether its scheme is DPoP (RFC
// 9449, 7.1) instead of Bearer. It reads only the Authorization header: URLs and
// bodies end up in logs.
func accessToken(h http.Header) (text string, dpop bool, err error) {
	values := h["Authorization"]
	if len(values) > 1 {
		return "", false, severalHeaders // two readers could see two different callers
	}
	if len(values) == 0 {
		return "", false, noToken
	}
	scheme, text, _ := strings.Cut(values[0], " ")
	dpop = strings.EqualFold(scheme, "DPoP")
	if !dpop && !strings.EqualFold(scheme, "Bearer") {
		return "", false, noToken
	}
	text = strings.Trim(text, " ")
	if !tokenfile.WellFormed(text) {
		return "", dpop, malformed
	}
	return text, dpop, nil
}

// asciiLower leaves characters outside ASCII alone: none of them may fold to a
// letter of a name that it is compared with.
func asciiLower(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, s)
}

// isName reports whether s can name an account: 1 to [domain.MaxAccountBytes]
// bytes of UTF-8 without control characters. Names are compared byte for byte,
// so names that look alike are different accounts.
func isName(s string) bool {
	return s != "" && len(s) <= domain.MaxAccountBytes && utf8.ValidString(s) && strings.IndexFunc(s, unicode.IsControl) < 0
}
