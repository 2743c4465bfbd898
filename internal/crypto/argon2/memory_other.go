//go:build !linux

package argon2

// allocate takes memory for n blocks from Go.
func (m *Matrix) allocate(n uint32) {
	m.memory = make([]block, n)
}

// Release leaves the memory to the garbage collector, which gives it back to
// the operating system some minutes after its next run; the next
// [Matrix.IDKey] takes it anew.
func (m *Matrix) Release() {
	m.Wipe()
	m.memory = nil
}
