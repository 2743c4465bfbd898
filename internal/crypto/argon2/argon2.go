// Package argon2 computes Argon2id tags (RFC 9106, version 0x13) at the speed
// that the processor allows.
//
// The idea: almost all of the work is one compression function over blocks of
// 1 KiB, thirty-eight thousand times at the default cost of this service. Each
// block depends on the one before, so what counts is the length of that chain.
// The blocks keep their words in an order of our own (see [block]), in which
// neither half of the compression moves words between registers, and assembly
// fills many blocks in one call. The rest is plain Go, in the words of the RFC.
//
// The threat: an attacker who computes tags faster than we do guesses cheaper
// than we verify. At equal time, a faster kernel is a higher cost for the guesser. And
// memory that held a secret is read later, from a core dump, a swap device or
// by a bug: the next call overwrites a [Matrix], or its owner wipes it, and on
// Linux it stays out of core dumps.
//
// What cannot be wiped: copies that package blake2b leaves on the stack, which
// may hold the first hundred bytes of the secret until they are overwritten.
//
// Bytes in, bytes out.
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
	syncPoints = 4 // SL: slices of a pass, between which lanes may see each other

	blockSize  = 1024 // bytes
	blockWords = blockSize / 8

	// The bounds of the RFC that a uint8 and a uint32 do not keep by themselves.
	minTagSize       = 4
	minMemoryPerLane = 8 // KiB
)

// block is 1 KiB of the matrix, 128 words. The RFC sees it as eight rows of
// sixteen words; word w of row r lives at [slot](r, w). Only what enters and
// leaves the matrix is converted: XOR does not care about the order.
type block = [blockWords]uint64

// slot is the place of word w of row r in a block.
//
// Take eight words, 64 bytes, for one register; V0 to V15 make a block. Four
// words of two neighbouring rows share a register (here: rows 0 and 1, words 0
// to 3), in the order
//
//	r0w0 r0w1 | r1w0 r1w1 | r0w2 r0w3 | r1w2 r1w3
//
// and the registers stand like this:
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

// Matrix is the memory of Argon2id for one worker, which makes one and uses it for
// all its hashes. The zero value is ready to use. It must not be copied after first
// use, and not be used concurrently.
//
// The first call of [Matrix.IDKey] takes the memory from the operating system,
// as huge pages where the kernel gives them. Later calls reuse it, and a call
// that needs more takes more. A call leaves blocks there that depend on its secret,
// and the next call overwrites them. If no other call follows at once, the caller must
// call [Matrix.Wipe]. Each call wipes everything else that depends on its secret.
//
// The memory is kept until [Matrix.Release], which must be called before a Matrix is
// dropped. On Linux the garbage collector neither sees nor counts this memory, so
// 19 MiB that are always in use do not change when it runs.
type Matrix struct {
	memory  []block // taken from the operating system
	written uint32  // blocks at the start of memory that calls have written since Wipe
	mapping []byte  // what memory lies in, on Linux
	kernel  *kernel // nil: the fastest; tests set it
	filled  uint64  // blocks, over all calls

	// What a call needs beside the matrix stands here, so that it allocates
	// nothing.
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
// lanes are computed one after another by the caller's thread: a worker uses
// one core, whatever the parameter says.
//
// It allocates nothing but the tag, once the matrix has its size and a tag of
// that size has been made before. Secret and salt are below 4 GiB, and the
// caller's to wipe.
//
// The caller must bound the parameters (memory above all) and refuse values
// that Argon2 does not have. IDKey panics when time or parallelism is 0, memory
// is less than 8 KiB for each lane, or tagSize is below 4; and with the error
// of the operating system when there is no memory for the matrix. That is a
// panic and not Go memory instead, as the runtime would end the whole process
// where this ends one call: a caller may recover, Matrix is as new then.
func (m *Matrix) IDKey(secret, salt []byte, time, memory uint32, parallelism uint8, tagSize uint32) []byte {
	return m.idKey(inputs{secret: secret, salt: salt}, time, memory, uint32(parallelism), tagSize)
}

// inputs are the byte strings that a tag is made of, in the order of 3.2. The
// RFC's test vector has all four.
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

// Filled is the number of blocks that all calls have filled: the work that was
// done, whatever time it took.
func (m *Matrix) Filled() uint64 { return m.filled }

// take gives n blocks. They need not be zeros, because the first pass sets each block
// before it reads it. Blocks after them that an earlier call has written are cleared.
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

// Wipe clears the blocks that calls have left, if any. At the default cost that
// takes 0.1 to 0.5 ms, 5 to 9 % of a call, so calls do not do it themselves. A caller
// that makes the next call at once need not wipe before it. Nothing costs less than
// plain stores. With stores past the cache a call takes 0.7 ms more. Giving the pages
// back costs as much, because the kernel clears new ones.
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

// filling is one computation under way and the segment that it is at.
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

// finish is the tag of the last blocks of all lanes, 3.2, steps 7 and 8.
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
	// Each V stands whole at the end of what is written; the next overwrites
	// its second half.
	for len(out) > blake2b.Size {
		v := out[:blake2b.Size]
		out = out[half:]
		h = m.digest(min(len(out), blake2b.Size))
		h.Write(v)
		h.Sum(out[:0])
	}
}

// digest is BLAKE2b with tags of size bytes, at its beginning.
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
