package argon2

import (
	"fmt"
	"math"
	"unsafe"

	"golang.org/x/sys/unix"
)

const hugePageSize = 2 << 20 // of amd64 and of arm64 with pages of 4 KiB

// allocate takes memory for n blocks from the operating system.
//
// It maps memory instead of using make: huge pages need an address that is a
// multiple of their size, and a mapping can be released and left out of core dumps.
// With huge pages, one entry of the TLB covers 2,048 blocks, which are read in random
// order.
func (m *Matrix) allocate(n uint32) {
	if uint64(n) > (math.MaxInt-2*hugePageSize)/blockSize {
		panic("argon2: a matrix of this size has no room in an address space of 32 bits")
	}
	size := int(n) * blockSize
	reserved := size
	if size >= hugePageSize {
		size = (size + hugePageSize - 1) &^ (hugePageSize - 1)
		reserved = size + hugePageSize // room for the alignment; the rest is never used
	}
	mapping, err := unix.Mmap(-1, 0, reserved, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
	if err != nil {
		panic(fmt.Errorf("argon2: mapping %d KiB for a matrix: %w", reserved>>10, err))
	}
	first := 0
	if size >= hugePageSize {
		address := uintptr(unsafe.Pointer(&mapping[0])) //nolint:gosec // G103: only its number is used
		first = int(-address & (hugePageSize - 1))
	}
	// Both are optional: without them, the hash is slower, or core dumps contain more.
	_ = unix.Madvise(mapping, unix.MADV_DONTDUMP)
	_ = unix.Madvise(mapping[first:first+size], unix.MADV_HUGEPAGE)
	m.mapping = mapping
	m.memory = unsafe.Slice((*block)(unsafe.Pointer(&mapping[first])), size/blockSize) //nolint:gosec // G103: within mapping, at a page boundary
}

// Release returns the memory to the operating system at once. The next call of
// [Matrix.IDKey] takes new memory.
func (m *Matrix) Release() {
	if m.mapping == nil {
		return
	}
	if err := unix.Munmap(m.mapping); err != nil {
		panic(fmt.Errorf("argon2: unmapping a matrix: %w", err)) // unreachable
	}
	m.mapping, m.memory, m.written = nil, nil, 0
}
