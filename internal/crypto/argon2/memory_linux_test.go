package argon2

import (
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
)

// resident is the memory of this process, in KiB.
func resident(t *testing.T) int {
	t.Helper()
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Fatal(err)
	}
	_, line, _ := strings.Cut(string(status), "VmRSS:")
	n, err := strconv.Atoi(strings.Fields(line)[0])
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestAReleasedMatrixFreesItsMemory(t *testing.T) {
	var m Matrix
	m.IDKey([]byte("4711"), []byte("0123456789abcdef"), 1, 65536, 1, 32)
	with := resident(t)
	m.Release()
	if freed := with - resident(t); freed < 60_000 {
		t.Errorf("%d KiB given back of 65,536", freed)
	}
}

// The flags of proc(5), smaps: dd is "not in core dumps", hg "huge pages".
func TestAMatrixIsInHugePagesAndNotInCoreDumps(t *testing.T) {
	var m Matrix
	m.IDKey([]byte("4711"), []byte("0123456789abcdef"), 1, 19456, 1, 32)
	defer m.Release()
	address := uintptr(unsafe.Pointer(&m.memory[0]))
	if address%hugePageSize != 0 {
		t.Errorf("begins at %#x, within a huge page", address)
	}
	flags := mappingFlags(t, address)
	if !slices.Contains(flags, "dd") {
		t.Errorf("flags %v: a core dump would have it", flags)
	}
	if _, err := os.Stat("/sys/kernel/mm/transparent_hugepage"); err == nil && !slices.Contains(flags, "hg") {
		t.Errorf("flags %v: no huge pages asked for", flags)
	}
}

// mappingFlags are those of the mapping that holds an address.
func mappingFlags(t *testing.T, address uintptr) []string {
	t.Helper()
	smaps, err := os.ReadFile("/proc/self/smaps")
	if err != nil {
		t.Fatal(err)
	}
	within := false
	for line := range strings.Lines(string(smaps)) {
		var first, end uintptr
		if n, _ := fmt.Sscanf(line, "%x-%x ", &first, &end); n == 2 {
			within = first <= address && address < end
		}
		if flags, ok := strings.CutPrefix(line, "VmFlags:"); ok && within {
			return strings.Fields(flags)
		}
	}
	t.Fatal("no mapping holds the matrix")
	return nil
}

// No memory ends one call and not the process; the matrix can be used after it.
func TestWithoutMemoryACallPanicsWithTheReason(t *testing.T) {
	var hoard [100]Matrix // of 4 TiB each, untouched: more than an address space
	defer func() {
		for i := range hoard {
			hoard[i].Release()
		}
	}()
	var m Matrix
	defer m.Release()
	func() {
		defer func() {
			if err, ok := recover().(error); !ok || !errors.Is(err, unix.ENOMEM) {
				t.Errorf("got %v, want a panic with ENOMEM", err)
			}
		}()
		for i := range hoard {
			hoard[i].allocate(math.MaxUint32)
		}
		m.allocate(math.MaxUint32)
	}()
	same(t, &m, []byte("4711"), []byte("0123456789abcdef"), 2, 64, 1, 32)
}
