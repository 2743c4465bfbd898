package auth

import (
	"net/url"
	"strings"
)

// sameURL reports whether two absolute http or https URLs are the same without
// query and fragment, after the normalization of RFC 3986, 6.2.2 and 6.2.3 (RFC
// 9449, 4.3).
func sameURL(a, b string) bool {
	a, okA := normalURL(a)
	b, okB := normalURL(b)
	return okA && okB && a == b
}

// normalURL returns the normal form of an absolute URL: scheme and host in lower
// case, no default port, no dot segments, a path of at least "/", and
// percent-encoding only where it is needed, in capitals.
func normalURL(text string) (string, bool) {
	u, err := url.Parse(normalEscapes(text))
	if err != nil || u.Opaque != "" || u.User != nil || u.Hostname() == "" {
		return "", false
	}
	scheme, host, port := asciiLower(u.Scheme), asciiLower(u.Hostname()), u.Port()
	if scheme != "http" && scheme != "https" {
		return "", false
	}
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	if port != "" && !(scheme == "http" && port == "80") && !(scheme == "https" && port == "443") {
		host += ":" + port
	}
	path := new(url.URL).ResolveReference(u).EscapedPath() // removes dot segments (RFC 3986, 5.2.4)
	if path == "" {
		path = "/"
	}
	return scheme + "://" + host + path, true
}

// normalEscapes decodes the percent-encoding of unreserved characters (RFC 3986,
// 2.3) and writes the rest in capitals.
func normalEscapes(text string) string {
	if !strings.Contains(text, "%") {
		return text
	}
	var out strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] != '%' || i+2 >= len(text) {
			out.WriteByte(text[i])
			continue
		}
		escape := text[i : i+3]
		if s, err := url.PathUnescape(escape); err == nil && isUnreserved(s[0]) {
			out.WriteString(s)
		} else {
			out.WriteString(strings.ToUpper(escape))
		}
		i += 2
	}
	return out.String()
}

func isUnreserved(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("-._~", c) >= 0
}
