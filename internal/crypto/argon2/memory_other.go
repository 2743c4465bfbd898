//go:build !linux

package argon2

// allocate takes memory for n blocks from the Go heap.
func (m *Matrix) allocate(n uint32) {
	m.memory = make([]block, n)
}

// Release wipes the memory and leaves it to the garbage collector, which returns it to
// the operating system some minutes after its next run. The next call of
// [Matrix.IDKey] takes new memory.
func (m *Matrix) Release() {
	m.Wipe()
	m.memory = nil
}
