// Package origin refuses requests that pages of another origin send.
//
// The threat is another site's page in the operator's browser: it can make the
// browser send a request with the operator's cookies.
package origin

import (
	"errors"
	"net/http"
	"strings"
)

var errForeign = errors.New("the request comes from a web page of another origin")

// Check refuses a request that changes something if a page of another origin made
// the browser send it. own is the service's origin for browsers, such as
// https://HOST:PORT, or "" if it is not known.
//
// [http.CrossOriginProtection] does most of this. But if a browser sends only the
// header Origin, it compares hosts and not schemes. Then a page of http://HOST, which
// anyone on the network path can forge, would count as a page of https://HOST.
func Check(r *http.Request, own string) error {
	if err := http.NewCrossOriginProtection().Check(r); err != nil {
		return err
	}
	origin := r.Header.Get("Origin")
	if origin == "" || r.Header.Get("Sec-Fetch-Site") != "" || safe(r.Method) {
		return nil
	}
	scheme := "http"
	switch {
	case r.TLS != nil:
		scheme = "https"
	case own != "" && strings.EqualFold(own[strings.Index(own, "://")+len("://"):], r.Host): // a proxy terminates TLS
		scheme = own[:strings.Index(own, "://")]
	}
	if !strings.HasPrefix(strings.ToLower(origin), scheme+"://") {
		return errForeign
	}
	return nil
}

func safe(method string) bool {
	return method == http.MethodGet || method == http.MethodHead || method == http.MethodOptions
}
