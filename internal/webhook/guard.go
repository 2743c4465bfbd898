package webhook

import (
	"errors"
	"net/netip"
	"slices"
	"strings"
	"syscall"
)

// Guard says which addresses a receiver may have. The zero Guard allows only
// addresses that are reached over the Internet. So neither the owner of the
// receiver's name nor anyone who sets the receiver can make this service send
// requests into its own network, to its own machine or to a cloud's metadata
// service (SSRF).
//
// It checks the address of each connection just before it is made, after the
// name was looked up. So a name whose address changes later (DNS rebinding)
// does not get past it.
type Guard struct {
	// Hosts are the names of receivers that may have private and loopback
	// addresses too, because they are in the operator's own network. They may
	// not have link-local addresses, or others of a cloud's metadata service.
	Hosts []string
	// Networks are always allowed, even if they are private, link-local or those
	// of a metadata service.
	Networks []netip.Prefix
}

// errForbidden: the receiver has an address that it may not have.
var errForbidden = errors.New("the receiver's address is private, local or reserved; if that is intended, allow it with webhook-allow")

func (g Guard) allows(a netip.Addr) bool {
	return slices.ContainsFunc(g.Networks, func(n netip.Prefix) bool { return n.Contains(a.Unmap().WithZone("")) })
}

// Check refuses an address that a host may not have.
func (g Guard) Check(host string, a netip.Addr) error {
	named := slices.ContainsFunc(g.Hosts, func(h string) bool { return strings.EqualFold(h, host) })
	a = inner(a)
	switch {
	case g.allows(a):
		return nil
	case in(metadata, a):
		return errForbidden
	case a.Zone() == "" && public(a), named && in(private, a):
		return nil
	}
	return errForbidden
}

// control is [Guard.Check] for a dialer.
func (g Guard) control(host string) func(network, address string, _ syscall.RawConn) error {
	return func(_, address string, _ syscall.RawConn) error {
		to, err := netip.ParseAddrPort(address)
		if err != nil {
			return errForbidden
		}
		return g.Check(host, to.Addr())
	}
}

// inner returns the IPv4 address that an IPv6 address contains, because
// packets to it end there. It returns all other addresses unchanged.
func inner(a netip.Addr) netip.Addr {
	a = a.Unmap()
	b := a.As16()
	switch {
	case a.Is4():
	case nat64.Contains(a):
		return netip.AddrFrom4([4]byte(b[12:16]))
	case sixToFour.Contains(a):
		return netip.AddrFrom4([4]byte(b[2:6]))
	}
	return a
}

var (
	nat64     = netip.MustParsePrefix("64:ff9b::/96") // RFC 6052
	sixToFour = netip.MustParsePrefix("2002::/16")    // RFC 3056
	global6   = netip.MustParsePrefix("2000::/3")     // all of IPv6 that is assigned for global use

	private = prefixes("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "127.0.0.0/8", "fc00::/7", "::1/128")

	// The addresses of cloud metadata services that are not link-local. The
	// first one is public, the others are private.
	metadata = prefixes("168.63.129.16/32", "100.100.100.200/32", "fd00:ec2::/32", "fd20:ce::254/128")

	// The special-purpose addresses of IANA's registries (RFC 6890) that are not
	// reached over the Internet.
	special4 = prefixes("0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12",
		"192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24",
		"203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4")
	special6 = prefixes("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20")
)

func prefixes(all ...string) []netip.Prefix {
	out := make([]netip.Prefix, len(all))
	for i, p := range all {
		out[i] = netip.MustParsePrefix(p)
	}
	return out
}

func in(networks []netip.Prefix, a netip.Addr) bool {
	return slices.ContainsFunc(networks, func(n netip.Prefix) bool { return n.Contains(a) })
}

func public(a netip.Addr) bool {
	if a.Is4() {
		return !in(special4, a)
	}
	return global6.Contains(a) && !in(special6, a)
}
