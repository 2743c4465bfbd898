package server

import (
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// proxies are the networks whose X-Forwarded-For is believed.
type proxies []netip.Prefix

// maxHops bounds the addresses that are read, because clients can send a long
// header.
const maxHops = 32

// client is the address that r comes from, IPv4 as such; invalid when the
// connection has none. A header is believed as far as it was written by a
// proxy that is trusted: each appends the address of its own peer, so it is
// read from the right, until an address that is no trusted proxy. What stands
// left of that one, the client may have made up. Where the header ends, or is
// none, the last address that was understood counts.
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

// parseHop reads one element: an address, which some proxies write with its
// port.
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
