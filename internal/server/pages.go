package server

import (
	"net/http"
	"strings"
)

// Page is what one exact path of [Config.Pages] serves.
type Page struct {
	Methods []string // the allowed ones
	Handler http.Handler
	Caller  bool // only for callers that [Config.Authenticator] accepts
	Browser bool // only for browsers that open a page; other clients get NOT_FOUND
}

// assets is the path of scripts and styles. Their names contain a hash of their
// content, so logs and metrics use this one name for all of them.
const assets = "/sandbox/assets/"

func routeName(path string) string {
	if strings.HasPrefix(path, assets) {
		return assets
	}
	return path
}

// asksForPage reports whether a browser opens a path. A request with a query
// string, or that does not accept text/html, is for the API. It is called before
// authentication: a browser has no token to send, and the page needs none.
func asksForPage(r *http.Request) bool {
	if r.Method != http.MethodGet && r.Method != http.MethodHead || r.URL.RawQuery != "" {
		return false
	}
	for element := range strings.SplitSeq(strings.Join(r.Header.Values("Accept"), ","), ",") {
		mediaRange, _, _ := strings.Cut(element, ";")
		if strings.EqualFold(strings.TrimSpace(mediaRange), "text/html") {
			return true
		}
	}
	return false
}
