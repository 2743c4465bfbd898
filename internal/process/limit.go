package process

import (
	"bufio"
	"io"
	"io/fs"
	"log/slog"
	"math"
	"os"
	"path"
	"runtime/debug"
	"strconv"
	"strings"
)

// LimitMemory makes the Go runtime try to stay below mib MiB. If mib is 0, the limit is
// 90 % of the cgroup's limit, if there is one. The rest is for memory that the runtime
// does not count. If GOMEMLIMIT is set, LimitMemory changes nothing.
func LimitMemory(mib int, log *slog.Logger) {
	if os.Getenv("GOMEMLIMIT") != "" {
		if limit := debug.SetMemoryLimit(-1); limit != math.MaxInt64 { // "off"
			log.Info("memory limit set", "mib", limit>>20, "from", "GOMEMLIMIT")
		}
		return
	}
	limit, from := int64(mib)<<20, "memory-limit"
	if mib == 0 {
		limit, from = cgroupLimit(os.DirFS("/"))/10*9, "cgroup"
	}
	if limit == 0 {
		return
	}
	debug.SetMemoryLimit(limit)
	log.Info("memory limit set", "mib", limit>>20, "from", from)
}

// cgroupLimit returns the memory limit of this process's cgroup (version 2 or 1) in
// bytes; 0: none. It is the smallest limit of the cgroup and of the visible cgroups
// above it. A container sees its own cgroup as the root.
func cgroupLimit(root fs.FS) int64 {
	file, err := root.Open("proc/self/cgroup")
	if err != nil {
		return 0
	}
	defer func() { _ = file.Close() }() // it was only read
	limit := int64(math.MaxInt64)
	for lines := bufio.NewScanner(io.LimitReader(file, 64<<10)); lines.Scan(); {
		parts := strings.SplitN(lines.Text(), ":", 3) // number:controllers:path
		if len(parts) != 3 {
			continue
		}
		mount, name := "sys/fs/cgroup", "memory.max"
		switch parts[1] {
		case "":
		case "memory":
			mount, name = "sys/fs/cgroup/memory", "memory.limit_in_bytes"
		default:
			continue
		}
		for at := path.Clean("/" + parts[2]); ; at = path.Dir(at) {
			limit = min(limit, readLimit(root, path.Join(mount, at, name)))
			if at == "/" {
				break
			}
		}
	}
	if limit > 1<<50 { // version 1 writes "none" as a number of about 2^63
		return 0
	}
	return limit
}

// readLimit returns the number in a file, or math.MaxInt64 if there is none.
func readLimit(root fs.FS, name string) int64 {
	text, err := fs.ReadFile(root, name)
	if err != nil {
		return math.MaxInt64
	}
	limit, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
	if err != nil || limit <= 0 { // "max"
		return math.MaxInt64
	}
	return limit
}
