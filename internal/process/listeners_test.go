package process

import (
	"fmt"
	"net"
	"net/netip"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// The tables are of a machine with little-endian words.
func TestListenersAreThoseThatTheKernelWouldChoose(t *testing.T) {
	const (
		any4     = "00000000:1F91"
		loop4    = "0100007F:1F91"
		other4   = "0200007F:1F91"
		any6     = "00000000000000000000000000000000:1F91"
		loop6    = "00000000000000000000000001000000:1F91"
		mapped   = "0000000000000000FFFF00000100007F:1F91"
		portOver = "0100007F:1F92"
	)
	table := func(sockets ...string) string {
		var b strings.Builder
		b.WriteString("  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n")
		for n, socket := range sockets {
			fmt.Fprintf(&b, "%4d: %s 00000000:0000 0A 00000000:00000000 00:00000000 00000000  %d        0 1 1 0 100 0 0 10 0\n", n, socket, 1000+n)
		}
		return b.String()
	}
	for _, c := range []struct {
		at      string
		sockets []string
		want    []int
	}{
		{"127.0.0.1:8081", []string{other4, portOver, loop6}, nil},
		{"127.0.0.1:8081", []string{other4, loop4}, []int{1001}},
		{"127.0.0.1:8081", []string{any4}, []int{1000}},
		{"127.0.0.1:8081", []string{any6}, []int{1000}},
		{"127.0.0.1:8081", []string{mapped}, []int{1000}},
		{"127.0.0.1:8081", []string{any6, any4, loop4}, []int{1002}},
		{"127.0.0.1:8081", []string{any6, any4}, []int{1001}},
		{"[::ffff:127.0.0.1]:8081", []string{loop4}, []int{1000}},
		{"[::1]:8081", []string{any4, loop4, mapped}, nil},
		{"[::1]:8081", []string{any6}, []int{1000}},
		{"[::1]:8081", []string{any6, loop6}, []int{1001}},
		{"127.0.0.1:8081", []string{loop4, loop4}, []int{1000, 1001}}, // SO_REUSEPORT
	} {
		if got := listeners(table(c.sockets...), netip.MustParseAddrPort(c.at)); !slices.Equal(got, c.want) {
			t.Errorf("%s with %v: users %v, want %v", c.at, c.sockets, got, c.want)
		}
	}
	connected := strings.Replace(table(loop4), " 0A ", " 01 ", 1)
	if got := listeners(connected, netip.MustParseAddrPort("127.0.0.1:8081")); got != nil {
		t.Errorf("a connection counts as a listener: %v", got)
	}
}

func TestListenersFindsTheSocketsOfThisMachine(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("SKIPPED: only Linux has /proc/net/tcp")
	}
	l, err := net.Listen("tcp", "127.0.0.2:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	at := netip.MustParseAddrPort(l.Addr().String())
	if got := Listeners(at); !slices.Equal(got, []int{os.Geteuid()}) {
		t.Errorf("%s: users %v", at, got)
	}
	if got := Listeners(netip.AddrPortFrom(netip.MustParseAddr("127.0.0.3"), at.Port())); got != nil {
		t.Errorf("nobody listens at 127.0.0.3: users %v", got)
	}
}
