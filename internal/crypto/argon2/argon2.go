// Package argon2 computes Argon2id tags (RFC 9106, version 0x13) at the speed
// that the processor allows.
//
// The idea: almost all of the work is one compression function over blocks of
// 1 KiB, about 38,000 times at the default cost of this service. Each block
// depends on the one before, so the time of one compression counts. The blocks
// keep their words in an order of our own (see [block]), in which neither half of
// the compression moves words between registers, and assembly fills many blocks in
// one call. The rest is plain Go, in the terms of the RFC.
//
// The threat: an attacker who computes tags faster than we do can guess more than
// our parameters suggest. In the same time, a faster kernel can use higher parameters,
// which cost the attacker more. Also, memory that held a secret can be read later,
// from a core dump, a swap device or through a bug. So the next call overwrites a
// [Matrix], or its owner wipes it, and on Linux it is not in core dumps.
//
// Package blake2b leaves copies on the stack that cannot be wiped. They may hold
// the first hundred bytes of the secret until they are overwritten.
//
// The kernels fill the blocks of a Matrix, and fill.go chooses the kernel, so the
// files refer to each other.
package argon2

import (
	"encoding/binary"
	"fmt"
	"hash"

	"golang.org/x/crypto/blake2b"
)

// The constants of RFC 9106, 3.2 and 3.4.
const (
	version    = 0x13
	typeID     = 2 // y: Argon2id
	syncPoints = 4 // SL: slices of a pass; a lane may read blocks of another lane only from other slices

	blockSize  = 1024 // bytes
	blockWords = blockSize / 8

	// The bounds of the RFC that the types uint8 and uint32 do not enforce.
	minTagSize       = 4
	minMemoryPerLane = 8 // KiB
)

// block is 1 KiB of the matrix, 128 words. The RFC treats it as 8 rows of 16
// words. Word w of row r is at [slot](r, w). Only data that enters or leaves the
// matrix is converted: XOR works in any order.
type block = [blockWords]uint64

// slot returns the index of word w of row r in a block.
//
// Take eight words, 64 bytes, for one register; V0 to V15 make a block. Four
// words of two neighbouring rows share a register (here: rows 0 and 1, words 0
// to 3), in the order
//
//	r0w0 r0w1 | r1w0 r1w1 | r0w2 r0w3 | r1w2 r1w3
//
// and the registers are arranged like this:
//
//	             words 0-3   4-7   8-11   12-15
//	rows 0, 1       V0       V4     V8     V12
//	rows 2, 3       V1       V5     V9     V13
//	rows 4, 5       V2       V6     V10    V14
//	rows 6, 7       V3       V7     V11    V15
//
// The permutation P takes sixteen words as four vectors of four: a, b, c, d.
// For the rows, a line of this table is a, b, c, d of two rows at once. For the
// columns (a column of the RFC is two words wide), a column of this table is
// a, b, c, d of two columns at once: its first register holds words 0 and 1 of
// rows 0 and 1 in one half, which are a of the first column, and words 2 and 3
// in the other, a of the second. So both passes work on whole registers, and
// nothing is transposed in between.
func slot(r, w int) int {
	return 8*(4*(w/4)+r/2) + 4*(w%4/2) + 2*(r%2) + w%2
}

// Matrix is the memory of Argon2id. A worker uses one Matrix for all its hashes. The
// zero value is ready to use. It must not be copied after first use, and is not safe
// for concurrent use.
//
// The first call of [Matrix.IDKey] takes the memory from the operating system, as huge
// pages if possible. Later calls reuse it, and a call that needs more takes more. A
// call leaves blocks there that depend on its secret, and the next call overwrites them.
// If no other call follows at once, the caller must call [Matrix.Wipe]. Each call wipes
// everything else that depends on its secret.
//
// The memory is kept until [Matrix.Release], which must be called before a Matrix is
// dropped. On Linux the garbage collector neither sees nor counts this memory, so these
// 19 MiB, which are always in use, do not influence when it runs.
type Matrix struct {
	memory  []block // taken from the operating system
	written uint32  // blocks at the start of memory that calls have written since Wipe
	mapping []byte  // on Linux, the mapping that contains memory
	kernel  *kernel // nil: the fastest; tests set it
	filled  uint64  // number of blocks that all calls have filled

	// A call also uses the following, so that it need not allocate it.
	digests    [blake2b.Size + 1]hash.Hash // BLAKE2b by tag size, made when first used
	h0         [blake2b.Size + 8]byte      // H0 and the numbers that follow it in 3.2
	number     [4]byte
	bytes      [blockSize]byte // a block on its way into or out of the matrix
	scratch    block           // for the kernels
	addresses  [addressesBlock + 1]block
	references references
}

// IDKey returns the Argon2id tag (RFC 9106, version 0x13) of secret under salt:
// tagSize bytes, after time passes over memory KiB in parallelism lanes. The
// caller's thread computes the lanes one after another, so a worker uses one
// core, whatever parallelism is.
//
// It allocates only the tag, once the matrix has its size and a tag of that size
// has been made before. Secret and salt must be shorter than 4 GiB. The caller wipes
// them.
//
// The caller must bound the parameters, above all memory, and refuse values that
// Argon2 does not allow. IDKey panics if time or parallelism is 0, memory is less
// than 8 KiB for each lane, or tagSize is below 4. If there is no memory for the
// matrix, it panics with the error of the operating system. The caller may recover
// from that and use the Matrix again. If Go allocated the memory instead, the runtime
// would end the whole process.
func (m *Matrix) IDKey(secret, salt []byte, time, memory uint32, parallelism uint8, tagSize uint32) []byte {
	return m.idKey(inputs{secret: secret, salt: salt}, time, memory, uint32(parallelism), tagSize)
}

// inputs are the byte strings from which a tag is computed, in the order of 3.2.
// Only the RFC's test vector uses all four.
type inputs struct {
	secret []byte // P, the RFC's message
	salt   []byte // S
	key    []byte // K, the RFC's secret value
	data   []byte // X
}

func (m *Matrix) idKey(in inputs, time, memory, lanes, tagSize uint32) []byte {
	switch {
	case time < 1:
		panic("argon2: time must be 1 pass or more")
	case lanes < 1:
		panic("argon2: parallelism must be 1 or more")
	case memory < minMemoryPerLane*lanes:
		panic(fmt.Sprintf("argon2: memory must be %d KiB for each lane or more", minMemoryPerLane))
	case tagSize < minTagSize:
		panic(fmt.Sprintf("argon2: tags have %d bytes or more", minTagSize))
	}
	f := filling{
		kernel:  m.kernel,
		lanes:   lanes,
		laneLen: memory / (syncPoints * lanes) * syncPoints, // q, 3.2
		time:    time,
	}
	if f.kernel == nil {
		f.kernel = fastest
	}
	f.matrix = m.take(f.lanes * f.laneLen)
	m.hashInputs(in, time, memory, lanes, tagSize)
	m.start(&f)
	for f.pass = range time {
		for f.slice = range uint32(syncPoints) {
			for f.lane = range lanes {
				m.fillSegment(&f)
			}
		}
	}
	tag := m.finish(&f, tagSize)
	m.forget()
	m.filled += uint64(time) * uint64(len(f.matrix))
	return tag
}

// Filled returns the number of blocks that all calls have filled. It measures the
// work, independent of time.
func (m *Matrix) Filled() uint64 { return m.filled }

// take returns n blocks. They need not be zero, because the first pass writes each block
// before it reads it. It clears blocks after them that an earlier call has written.
func (m *Matrix) take(n uint32) []block {
	if int64(n) > int64(len(m.memory)) {
		m.Release()
		m.allocate(n)
	}
	if n < m.written {
		clear(m.memory[n:m.written])
	}
	m.written = n
	return m.memory[:n]
}

// Wipe clears the blocks that calls have left, if any. At the default cost this
// takes 0.1 to 0.5 ms, 5 to 9 % of a call, so calls do not do it themselves. A caller
// that makes the next call at once need not wipe before it. Plain stores are the
// cheapest way: with non-temporal stores a call takes 0.7 ms longer. Returning the pages
// to the kernel costs as much, because it clears new ones.
func (m *Matrix) Wipe() {
	clear(m.memory[:m.written])
	m.written = 0
}

// Wiped reports whether there is nothing to wipe.
func (m *Matrix) Wiped() bool { return m.written == 0 }

// forget clears what depends on the secret besides the blocks.
func (m *Matrix) forget() {
	clear(m.h0[:])
	clear(m.bytes[:])
	clear(m.scratch[:])
	for _, d := range m.digests {
		if d != nil {
			// Reset alone leaves the last input in the digest's buffer.
			d.Reset()
			d.Write(m.bytes[:blake2b.BlockSize])
			d.Reset()
		}
	}
}

// filling is one computation in progress, with its current segment.
type filling struct {
	*kernel
	matrix               []block // lane after lane
	lanes, laneLen, time uint32  // p, q and t
	pass, slice, lane    uint32
}

// start fills the first two blocks of each lane, 3.2, steps 3 and 4.
func (m *Matrix) start(f *filling) {
	for lane := range f.lanes {
		for i := range uint32(2) {
			binary.LittleEndian.PutUint32(m.h0[blake2b.Size:], i)
			binary.LittleEndian.PutUint32(m.h0[blake2b.Size+4:], lane)
			m.variableHash(m.bytes[:], m.h0[:])
			b := &f.matrix[lane*f.laneLen+i]
			for w := range blockWords {
				b[slot(w/16, w%16)] = binary.LittleEndian.Uint64(m.bytes[8*w:])
			}
		}
	}
}

// finish returns the tag of the last blocks of all lanes, 3.2, steps 7 and 8.
func (m *Matrix) finish(f *filling, tagSize uint32) []byte {
	for w := range blockWords {
		var x uint64
		for lane := range f.lanes {
			x ^= f.matrix[(lane+1)*f.laneLen-1][slot(w/16, w%16)]
		}
		binary.LittleEndian.PutUint64(m.bytes[8*w:], x)
	}
	tag := make([]byte, tagSize)
	m.variableHash(tag, m.bytes[:])
	return tag
}

// hashInputs leaves H0 in m.h0, 3.2, step 1.
func (m *Matrix) hashInputs(in inputs, time, memory, lanes, tagSize uint32) {
	h := m.digest(blake2b.Size)
	for _, n := range [...]uint32{lanes, tagSize, memory, time, version, typeID} {
		m.writeNumber(h, n)
	}
	for _, s := range [...][]byte{in.secret, in.salt, in.key, in.data} {
		m.writeNumber(h, uint32(len(s))) //nolint:gosec // G115: IDKey names the bound
		h.Write(s)
	}
	h.Sum(m.h0[:0])
}

// variableHash is H' of 3.3: it fills out with the hash of in, whatever the
// size of out.
func (m *Matrix) variableHash(out, in []byte) {
	const half = blake2b.Size / 2
	h := m.digest(min(len(out), blake2b.Size))
	m.writeNumber(h, uint32(len(out))) //nolint:gosec // G115: a uint32 made it
	h.Write(in)
	h.Sum(out[:0])
	// Each V is written in full. The next one overwrites its second half.
	for len(out) > blake2b.Size {
		v := out[:blake2b.Size]
		out = out[half:]
		h = m.digest(min(len(out), blake2b.Size))
		h.Write(v)
		h.Sum(out[:0])
	}
}

// digest returns BLAKE2b with tags of size bytes, in its initial state.
func (m *Matrix) digest(size int) hash.Hash {
	if m.digests[size] == nil {
		h, err := blake2b.New(size, nil)
		if err != nil {
			panic(err) // sizes are 1 to 64 here
		}
		m.digests[size] = h
	}
	m.digests[size].Reset()
	return m.digests[size]
}

func (m *Matrix) writeNumber(h hash.Hash, n uint32) {
	binary.LittleEndian.PutUint32(m.number[:], n)
	h.Write(m.number[:])
}
