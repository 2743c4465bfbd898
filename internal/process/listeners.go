package process

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

// Listeners returns the ids of the users whose sockets listen on a TCP port of this
// machine, on any of its addresses. On systems other than Linux it returns none. The
// format is that of proc_net_tcp in the documentation of the kernel.
func Listeners(port uint16) (uids []int) {
	for _, name := range []string{"/proc/net/tcp", "/proc/net/tcp6"} {
		sockets, _ := os.ReadFile(name) //nolint:gosec // one of the two above
		for line := range strings.Lines(string(sockets)) {
			const local, state, user, listening = 1, 3, 7, "0A"
			fields := strings.Fields(line)
			if len(fields) <= user || fields[state] != listening || !strings.HasSuffix(fields[local], fmt.Sprintf(":%04X", port)) {
				continue
			}
			if uid, err := strconv.Atoi(fields[user]); err == nil {
				uids = append(uids, uid)
			}
		}
	}
	return uids
}
