package server

import (
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"testing"
)

var testProxies = proxies{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("fd00::/8")}

func addressOf(peer string, forwarded ...string) string {
	return testProxies.client(&http.Request{RemoteAddr: peer, Header: http.Header{"X-Forwarded-For": forwarded}}).String()
}

func TestForwardedAddressesAreBelievedFromTrustedProxiesOnly(t *testing.T) {
	const none = "invalid IP"
	for _, c := range []struct {
		peer      string
		forwarded []string
		want      string
	}{
		{"192.0.2.1:5", nil, "192.0.2.1"},
		{"192.0.2.1:5", []string{"203.0.113.9"}, "192.0.2.1"}, // it could have written anything
		{"10.0.0.1:5", nil, "10.0.0.1"},
		{"10.0.0.1:5", []string{"203.0.113.9"}, "203.0.113.9"},
		{"10.0.0.1:5", []string{"1.1.1.1, 203.0.113.9"}, "203.0.113.9"}, // the left one is the client's own word
		{"10.0.0.1:5", []string{"1.1.1.1", "203.0.113.9 , 10.2.3.4"}, "203.0.113.9"},
		{"10.0.0.1:5", []string{"203.0.113.9", "10.2.3.4"}, "203.0.113.9"},
		{"10.0.0.1:5", []string{"10.9.9.9,\t10.2.3.4"}, "10.9.9.9"}, // proxies all the way: the first of them
		{"10.0.0.1:5", []string{"203.0.113.9, junk, 10.2.3.4"}, "10.2.3.4"},
		{"10.0.0.1:5", []string{"203.0.113.9,"}, "10.0.0.1"},
		{"10.0.0.1:5", []string{""}, "10.0.0.1"},
		{"10.0.0.1:5", []string{"unknown"}, "10.0.0.1"},
		{"10.0.0.1:5", []string{"_hidden, fe80::1%eth0"}, "10.0.0.1"},
		{"10.0.0.1:5", []string{"203.0.113.9:4711"}, "203.0.113.9"},
		{"10.0.0.1:5", []string{"[2001:db8::1]:4711"}, "2001:db8::1"},
		{"10.0.0.1:5", []string{"[2001:db8::1]"}, "10.0.0.1"},
		{"10.0.0.1:5", []string{"2001:db8::1, fd00::7"}, "2001:db8::1"},
		{"10.0.0.1:5", []string{"::ffff:203.0.113.9"}, "203.0.113.9"},
		{"10.0.0.1:5", []string{"203.0.113.9, ::ffff:10.1.1.1"}, "203.0.113.9"},
		{"[::ffff:10.0.0.1]:5", []string{"203.0.113.9"}, "203.0.113.9"},
		{"[::ffff:192.0.2.1]:5", nil, "192.0.2.1"},
		{"[fe80::1%eth0]:5", nil, "fe80::1"},
		{"10.0.0.1:5", []string{"203.0.113.9" + strings.Repeat(", 10.0.0.2", maxHops-1)}, "203.0.113.9"},
		{"10.0.0.1:5", []string{"203.0.113.9" + strings.Repeat(", 10.0.0.2", maxHops)}, "10.0.0.2"},
		{"10.0.0.1:5", append([]string{"203.0.113.9"}, slices.Repeat([]string{"10.0.0.2"}, maxHops)...), "10.0.0.2"},
		{"@", nil, none},
		{"", []string{"203.0.113.9"}, none},
	} {
		if got := addressOf(c.peer, c.forwarded...); got != c.want {
			t.Errorf("%s with %q: %s, want %s", c.peer, c.forwarded, got, c.want)
		}
	}
	r := &http.Request{RemoteAddr: "10.0.0.1:5", Header: http.Header{"X-Forwarded-For": {"203.0.113.9"}}}
	if got := (proxies)(nil).client(r); got.String() != "10.0.0.1" {
		t.Errorf("with no proxy named: %s", got)
	}
}

// A proxy appends the address that it saw after what the client sent. What the
// client sent must change nothing, whether it is in the same line or in its
// own.
func FuzzAClientCannotChooseItsForwardedAddress(f *testing.F) {
	f.Add("1.1.1.1", "203.0.113.9", false)
	f.Add("10.0.0.1, ", " 203.0.113.9:80, 10.0.0.1", true)
	f.Add(",", "[2001:db8::1]:1,fd00::1", false)
	f.Fuzz(func(t *testing.T, forged, written string, lines bool) {
		honest := testProxies.client(&http.Request{RemoteAddr: "10.0.0.1:5", Header: http.Header{"X-Forwarded-For": {written}}})
		if !honest.IsValid() || honest.Is4In6() || honest.Zone() != "" {
			t.Fatalf("%q: %v", written, honest)
		}
		if testProxies.trust(honest) {
			return // the header ended among proxies: this is what would come next
		}
		both := []string{forged + "," + written}
		if lines {
			both = []string{forged, written}
		}
		if got := addressOf("10.0.0.1:5", both...); got != honest.String() {
			t.Errorf("%q made %s of %s", both, got, honest)
		}
	})
}
