package main

import (
	"bufio"
	"fmt"
	"os"
	"runtime/debug"
	"strings"

	"golang.org/x/sys/unix"
)

// giveMemoryBack gives back to the system what an idle service does not need:
// free heap, and the pages of the program itself, of which the kernel maps 64
// KiB around each that is touched, so that a start maps nearly all of it. What
// is wanted again comes from the page cache.
func giveMemoryBack() {
	debug.FreeOSMemory()
	if !isStatic() {
		return // a loader has written to pages that are read-only now, and in no file
	}
	maps, err := os.Open("/proc/self/maps")
	if err != nil {
		return
	}
	defer maps.Close()
	program, err := os.Executable()
	if err != nil {
		return
	}
	lines := bufio.NewScanner(maps)
	for lines.Scan() {
		var from, to uintptr
		var permissions string
		if !strings.HasSuffix(lines.Text(), " "+program) {
			continue
		}
		if _, err := fmt.Sscanf(lines.Text(), "%x-%x %s", &from, &to, &permissions); err != nil || strings.Contains(permissions, "w") {
			continue
		}
		// By its number, as the addresses are none that Go knows. A kernel that
		// refuses costs some MiB.
		_, _, _ = unix.RawSyscall(unix.SYS_MADVISE, from, to-from, unix.MADV_DONTNEED)
	}
}

// isStatic reports whether the program was linked by Go alone to run where it
// was linked for, so that what is read-only is as it is in the file.
func isStatic() bool {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return false
	}
	built := map[string]string{}
	for _, s := range info.Settings {
		built[s.Key] = s.Value
	}
	return built["-buildmode"] == "exe" && built["CGO_ENABLED"] == "0"
}
