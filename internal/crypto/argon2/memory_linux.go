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
// It is mapped, not made: huge pages need an address that is a multiple of
// their size (one entry of the processor's page table cache then covers 2,048
// blocks that are read in no order), and what is mapped can be given back and
// be left out of core dumps.
func (m *Matrix) allocate(n uint32) {
	if uint64(n) > (math.MaxInt-2*hugePageSize)/blockSize {
		panic("argon2: a matrix of this size has no room in an address space of 32 bits")
	}
	size := int(n) * blockSize
	reserved := size
	if size >= hugePageSize {
		size = (size + hugePageSize - 1) &^ (hugePageSize - 1)
		reserved = size + hugePageSize // what alignment leaves over is never touched
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
	// Both are wishes: a kernel that does not know them is slower, or dumps more.
	_ = unix.Madvise(mapping, unix.MADV_DONTDUMP)
	_ = unix.Madvise(mapping[first:first+size], unix.MADV_HUGEPAGE)
	m.mapping = mapping
	m.memory = unsafe.Slice((*block)(unsafe.Pointer(&mapping[first])), size/blockSize) //nolint:gosec // G103: within mapping, at a page boundary
}

// Release gives the memory back to the operating system at once; the next
// [Matrix.IDKey] takes it anew.
func (m *Matrix) Release() {
	if m.mapping == nil {
		return
	}
	if err := unix.Munmap(m.mapping); err != nil {
		panic(fmt.Errorf("argon2: unmapping a matrix: %w", err)) // what was mapped can be unmapped
	}
	m.mapping, m.memory, m.written = nil, nil, 0
}
