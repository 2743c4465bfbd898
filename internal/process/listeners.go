package process

import (
	"encoding/binary"
	"encoding/hex"
	"net/netip"
	"os"
	"strconv"
	"strings"
)

// Listeners returns the ids of the users whose sockets would get a TCP connection to an
// address of this machine. On systems other than Linux it returns none. The format of the
// files is that of proc_net_tcp in the documentation of the kernel.
func Listeners(at netip.AddrPort) []int {
	tcp, _ := os.ReadFile("/proc/net/tcp")
	tcp6, _ := os.ReadFile("/proc/net/tcp6")
	return listeners(string(tcp)+string(tcp6), at)
}

// listeners prefers sockets as the kernel does: first those bound to the address itself,
// then those of all IPv4 addresses, then those of all addresses.
func listeners(table string, at netip.AddrPort) []int {
	address := at.Addr().Unmap().WithZone("")
	bound := map[netip.Addr][]int{}
	for line := range strings.Lines(table) {
		const local, state, user, listening = 1, 3, 7, "0A"
		fields := strings.Fields(line)
		if len(fields) <= user || fields[state] != listening {
			continue
		}
		socket, ok := parseSocket(fields[local])
		uid, err := strconv.Atoi(fields[user])
		if ok && err == nil && socket.Port() == at.Port() {
			bound[socket.Addr()] = append(bound[socket.Addr()], uid)
		}
	}
	choice := []netip.Addr{address, netip.IPv6Unspecified()}
	if address.Is4() {
		choice = []netip.Addr{address, netip.IPv4Unspecified(), netip.IPv6Unspecified()}
	}
	for _, a := range choice {
		if uids := bound[a]; len(uids) > 0 {
			return uids
		}
	}
	return nil
}

// parseSocket reads an address as 0100007F:1F91: 32-bit words in the byte order of this
// machine, and the port.
func parseSocket(text string) (netip.AddrPort, bool) {
	words, port, _ := strings.Cut(text, ":")
	raw, err := hex.DecodeString(words)
	if err != nil || len(raw)%4 != 0 {
		return netip.AddrPort{}, false
	}
	for i := 0; i < len(raw); i += 4 {
		binary.NativeEndian.PutUint32(raw[i:], binary.BigEndian.Uint32(raw[i:]))
	}
	address, ok := netip.AddrFromSlice(raw)
	n, err := strconv.ParseUint(port, 16, 16)
	return netip.AddrPortFrom(address.Unmap(), uint16(n)), ok && err == nil
}
