package ratelimit

import (
	"net/netip"
	"time"

	"strongroom/internal/domain"
)

// SiteShare is the limit of an IPv6 /48 as a multiple of the limit of a /64. One
// subscriber may have a /48, with 65,536 networks in it. But in a mobile network
// each phone has a /64, and many of these are in one /48.
const SiteShare = 16

// siteBytes are the first bytes of an IPv6 address that name its /48.
const siteBytes = 6

// AddressRates are [Rates] of clients' addresses: of an IPv4 address, of an IPv6
// /64 and, with SiteShare times the limits, of its /48. Safe for concurrent use.
type AddressRates struct{ networks, sites *Rates }

// NewAddressRates is [NewRates] for addresses. It keeps at most entries keys of
// networks, and as many of sites.
func NewAddressRates(rates []domain.Rate, entries int) *AddressRates {
	var wide []domain.Rate
	for _, r := range rates {
		wide = append(wide, domain.Rate{Limit: SiteShare * r.Limit, Window: r.Window})
	}
	return &AddressRates{NewRates(rates, entries), NewRates(wide, entries)}
}

// Take is [Rates.Take] for an address. Requests of one site that run in parallel
// can exceed its limit, at most by their number.
func (r *AddressRates) Take(a netip.Addr, now time.Time) (retryAfter time.Duration, ok bool) {
	site, there := SiteKey(a)
	if there {
		if wait := r.sites.wait(site, now); wait > 0 {
			return wait, false
		}
	}
	if wait, ok := r.networks.Take(AddressKey(a), now); !ok {
		return wait, false // without taking a token of the site
	}
	if there {
		r.sites.Take(site, now)
	}
	return 0, true
}

// Entries is how many keys are held, of networks or of sites, whichever are more.
func (r *AddressRates) Entries() int { return max(r.networks.Entries(), r.sites.Entries()) }

// SiteKey is the key of the /48 of an IPv6 address; ok is false for any other.
// Its last byte distinguishes it from the keys of networks.
func SiteKey(a netip.Addr) (key [16]byte, ok bool) {
	if a = a.Unmap(); !a.Is6() {
		return key, false
	}
	full := a.As16()
	copy(key[:], full[:siteBytes])
	key[15] = 8 * siteBytes
	return key, true
}

// Network is what a key of [AddressKey] or [SiteKey] stands for.
func Network(key [16]byte) netip.Prefix {
	a := netip.AddrFrom16(key).Unmap()
	switch {
	case a.Is4():
		return netip.PrefixFrom(a, 32)
	case key[15] == 8*siteBytes:
		key[15] = 0
		return netip.PrefixFrom(netip.AddrFrom16(key), 8*siteBytes)
	}
	return netip.PrefixFrom(a, 64)
}
