package server

import (
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// proxies are the networks whose X-Forwarded-For is trusted.
type proxies []netip.Prefix

// maxHops bounds the addresses that are read, because clients can send a long
// header.
const maxHops = 32

// client returns the client's IP address. An IPv4-mapped IPv6 address becomes
// IPv4. It is invalid if the connection has no address. X-Forwarded-For is read
// from the right, because each proxy appends the address of its peer, until an
// address that is not a trusted proxy. The client can forge everything left of
// that one. If the header is missing or ends early, the last valid address
// counts.
func (p proxies) client(r *http.Request) netip.Addr {
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return netip.Addr{}
	}
	client := peer.Addr().Unmap().WithZone("")
	hops := 0
	for _, line := range slices.Backward(r.Header["X-Forwarded-For"]) {
		for more := true; more; hops++ {
			if hops == maxHops || !p.trust(client) {
				return client
			}
			comma := strings.LastIndexByte(line, ',')
			hop, ok := parseHop(line[comma+1:])
			if !ok {
				return client
			}
			client = hop
			if more = comma >= 0; more {
				line = line[:comma]
			}
		}
	}
	return client
}

func (p proxies) trust(a netip.Addr) bool {
	return slices.ContainsFunc(p, func(network netip.Prefix) bool { return network.Contains(a) })
}

// parseHop parses one element: an address, with a port behind some proxies.
func parseHop(text string) (netip.Addr, bool) {
	text = strings.Trim(text, " \t")
	a, err := netip.ParseAddr(text)
	if err != nil {
		var withPort netip.AddrPort
		withPort, err = netip.ParseAddrPort(text)
		a = withPort.Addr()
	}
	if err != nil || a.Zone() != "" {
		return netip.Addr{}, false
	}
	return a.Unmap(), true
}
