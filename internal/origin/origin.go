// Package origin tells requests of our own pages from those of others.
//
// The threat is a page of somebody else that an operator has open: it can have
// the browser send a request with the operator's cookies.
package origin

import (
	"errors"
	"net/http"
	"strings"
)

var errForeign = errors.New("a page of another origin sent this")

// Check refuses a request that changes something and that a page of another
// origin had a browser send. own is where browsers reach the service, as
// https://HOST:PORT, empty where that is not known.
//
// [http.CrossOriginProtection] does most of it. Where a browser tells by the
// header Origin only, it compares hosts and leaves the scheme out: a page of
// http://HOST, which anyone on the way can forge, would pass for one of
// https://HOST.
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
	case own != "" && strings.EqualFold(own[strings.Index(own, "://")+len("://"):], r.Host): // a proxy speaks TLS
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
