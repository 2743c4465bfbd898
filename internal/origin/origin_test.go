package origin

import (
	"crypto/tls"
	"net/http/httptest"
	"testing"
)

func TestWritesFromAnotherOriginOrSchemeAreRefused(t *testing.T) {
	for _, c := range []struct {
		method, host, origin, site, own string
		tls, ok                         bool
	}{
		{method: "POST", host: "vault.example", origin: "https://vault.example", tls: true, ok: true},
		{method: "POST", host: "vault.example", origin: "http://vault.example", tls: true},
		{method: "POST", host: "10.0.0.7:8081", origin: "http://10.0.0.7:8081", ok: true},
		{method: "POST", host: "10.0.0.7:8081", origin: "https://10.0.0.7:8081"},
		{method: "POST", host: "vault.example", origin: "https://vault.example", own: "https://vault.example", ok: true}, // behind a proxy
		{method: "POST", host: "vault.example", origin: "http://vault.example", own: "https://vault.example"},
		{method: "POST", host: "127.0.0.1:8081", origin: "http://127.0.0.1:8081", own: "https://vault.example", ok: true}, // past the proxy
		{method: "POST", host: "vault.example", origin: "https://evil.example", tls: true},
		{method: "POST", host: "vault.example", origin: "null", tls: true},
		{method: "POST", host: "vault.example", origin: "https://vault.example", site: "same-origin", ok: true}, // the browser compared both
		{method: "POST", host: "vault.example", origin: "http://vault.example", site: "cross-site", tls: true},
		{method: "GET", host: "vault.example", origin: "http://vault.example", tls: true, ok: true},
		{method: "POST", host: "vault.example", ok: true}, // no browser
	} {
		r := httptest.NewRequest(c.method, "/", nil)
		r.Host = c.host
		for name, value := range map[string]string{"Origin": c.origin, "Sec-Fetch-Site": c.site} {
			if value != "" {
				r.Header.Set(name, value)
			}
		}
		if c.tls {
			r.TLS = new(tls.ConnectionState)
		}
		if err := Check(r, c.own); (err == nil) != c.ok {
			t.Errorf("%+v: %v", c, err)
		}
	}
}
