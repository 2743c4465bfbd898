package ratelimit

import (
	"encoding/binary"
	"net/netip"
	"testing"
	"time"

	"strongroom/internal/domain"
)

// network is the first address of the n-th /64 of a /48.
func network(site string, n int) netip.Addr {
	b := netip.MustParseAddr(site).As16()
	binary.BigEndian.PutUint16(b[6:], uint16(n))
	return netip.AddrFrom16(b)
}

func TestManyNetworksOfASiteShareItsLimit(t *testing.T) {
	r := NewAddressRates([]domain.Rate{{Limit: 5, Window: time.Minute}}, 1000)
	admitted := 0
	for n := range 2000 {
		for range 7 {
			if _, ok := r.Take(network("2001:db8:1::", n), start); ok {
				admitted++
			}
		}
	}
	if admitted != 5*SiteShare {
		t.Errorf("%d admitted of one /48, want %d", admitted, 5*SiteShare)
	}
	if wait, ok := r.Take(network("2001:db8:1::", 3000), start); ok || wait <= 0 {
		t.Errorf("one more: %v after %v", ok, wait)
	}
	for _, other := range []string{"2001:db8:2::", "192.0.2.1", "::ffff:192.0.2.2"} {
		if _, ok := r.Take(netip.MustParseAddr(other), start); !ok {
			t.Errorf("%s is refused", other)
		}
	}
	if n := r.Entries(); n > 1000 {
		t.Errorf("%d entries", n)
	}
}

func TestRefusedRequestsOfANetworkDoNotCountForItsSite(t *testing.T) {
	r := NewAddressRates([]domain.Rate{{Limit: 5, Window: time.Minute}}, 1000)
	for range 1000 {
		r.Take(network("2001:db8::", 0), start)
	}
	for n := 1; n < SiteShare; n++ {
		for range 5 {
			if _, ok := r.Take(network("2001:db8::", n), start); !ok {
				t.Fatalf("network %d is refused", n)
			}
		}
	}
}

func TestNetworkReturnsTheNetworkOfAKey(t *testing.T) {
	a := netip.MustParseAddr("2001:db8:1:2::3")
	site, _ := SiteKey(a)
	for want, key := range map[string][16]byte{"2001:db8:1:2::/64": AddressKey(a), "2001:db8:1::/48": site,
		"2001:db8:1::/64": AddressKey(netip.MustParseAddr("2001:db8:1::48")), "192.0.2.48/32": AddressKey(netip.MustParseAddr("192.0.2.48"))} {
		if got := Network(key).String(); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	if _, ok := SiteKey(netip.MustParseAddr("::ffff:192.0.2.1")); ok {
		t.Error("an IPv4 address has a site")
	}
}
