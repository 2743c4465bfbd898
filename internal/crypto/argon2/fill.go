package argon2

// kernel is one implementation of the filling of the matrix, which is most of the
// work. Both functions compute the blocks at, at+1, … at+n-1 of memory. Each is
// G(previous block, reference), RFC 9106, 3.5. previous is the index of the block
// before the first. The caller has checked all indices. scratch depends on the
// secret afterwards.
type kernel struct {
	name      string
	supported bool // by this processor

	// fillIndependent takes the references from a list. It may also prefetch the
	// lookahead references after those, so these must exist, with any value.
	fillIndependent func(memory []block, scratch *block, at, previous, n uint32, references *references)

	// fillDependent computes the reference from the first word of the previous
	// block, with area.reference. area.same grows by 1 from block to block. With
	// xor it XORs the result into the block, as all passes after the first do.
	fillDependent func(memory []block, scratch *block, at, previous, n uint32, area area, xor bool)
}

// fastest is the first of kernels that this processor supports. Every processor
// supports the last one.
var fastest = func() *kernel {
	i := 0
	for !kernels[i].supported {
		i++
	}
	return &kernels[i]
}()

const (
	addressesPerBlock = blockWords

	// lookahead is how many blocks before its use a known reference is prefetched:
	// one block takes 50 ns or more, and a memory access about 150 ns.
	lookahead = 3

	// blocksPerCall bounds one call of assembly, which the Go scheduler cannot
	// preempt: a stop of the world waits for it. 128 blocks take 7 to 25 µs, and
	// are as fast as 8,192. With 8, the calls cost 5 %. With a whole segment in one
	// call, a stop waited 23 ms at 256 MiB. The scheduler can preempt between two
	// calls, because Go functions check for that when they begin.
	blocksPerCall = 128
)

// references are indices of blocks in memory.
type references = [addressesPerBlock + lookahead]uint32

// area is the set of blocks that a block may reference: W of 3.4.2.
type area struct {
	lanes   uint32 // number of lanes to choose from; 1: only the block's own
	lane    uint32 // the block's own lane
	laneLen uint32 // q
	start   uint32 // where W begins, as an index in its lane
	same    uint32 // |W| in the block's own lane
	other   uint32 // |W| in any other lane
}

// area returns W of block i of the segment.
func (f *filling) area(i uint32) area {
	segmentLen := f.laneLen / syncPoints
	a := area{lanes: f.lanes, lane: f.lane, laneLen: f.laneLen}
	if f.pass == 0 {
		a.other = f.slice * segmentLen
	} else {
		a.start = (f.slice + 1) * segmentLen % f.laneLen
		a.other = f.laneLen - segmentLen
	}
	a.same = a.other + i - 1 // all but the previous block
	if i == 0 {
		a.other--
	}
	if f.pass == 0 && f.slice == 0 {
		a.lanes = 1 // no segment of another lane is finished
	}
	return a
}

// reference returns the index of the block that j = J1 | J2<<32 refers to, 3.4.2.
// The assembly has the same computation.
func (a *area) reference(j uint64) uint32 {
	lane, size := a.lane, uint64(a.same)
	if a.lanes > 1 {
		if lane = uint32(j>>32) % a.lanes; lane != a.lane {
			size = uint64(a.other)
		}
	}
	j1 := j & (1<<32 - 1)
	x := j1 * j1 >> 32
	y := size * x >> 32
	i := uint64(a.start) + size - 1 - y
	if i >= uint64(a.laneLen) {
		i -= uint64(a.laneLen)
	}
	return lane*a.laneLen + uint32(i) //nolint:gosec // G115: below laneLen now
}

// fillSegment fills the blocks of one segment, which is a quarter of a lane.
func (m *Matrix) fillSegment(f *filling) {
	segmentLen := f.laneLen / syncPoints
	i := uint32(0)
	if f.pass == 0 && f.slice == 0 {
		i = 2 // after the start blocks
	}
	for i < segmentLen {
		at := f.lane*f.laneLen + f.slice*segmentLen + i
		previous := at - 1
		if f.slice == 0 && i == 0 {
			previous = at + f.laneLen - 1
		}
		var n uint32
		if f.pass == 0 && f.slice < syncPoints/2 { // 3.4.1.3
			n = m.refer(f, i)
			f.fillIndependent(f.matrix, &m.scratch, at, previous, n, &m.references)
		} else {
			n = min(segmentLen-i, blocksPerCall)
			if i == 0 {
				n = 1 // area.other is one less than for the later blocks
			}
			f.fillDependent(f.matrix, &m.scratch, at, previous, n, f.area(i), f.pass > 0)
		}
		i += n
	}
}

// The blocks of Matrix.addresses.
const (
	zeroBlock      = iota
	inputBlock     // Z and the counter of 3.4.1.2; all but seven words are always zero
	halfwayBlock   // G(0, input)
	addressesBlock // G(0, G(0, input)): J1 and J2 of 128 blocks
)

// refer puts into m.references the references of block i of the segment and of the
// blocks after it, to the end of the segment or of i's address block. It returns how
// many there are. They do not depend on the secret.
func (m *Matrix) refer(f *filling, i uint32) uint32 {
	counter := i/addressesPerBlock + 1
	for w, x := range [...]uint32{f.pass, f.lane, f.slice, f.lanes * f.laneLen, f.time, typeID, counter} {
		m.addresses[inputBlock][slot(0, w)] = uint64(x)
	}
	for b := uint32(inputBlock); b < addressesBlock; b++ {
		m.references[0] = b
		f.fillIndependent(m.addresses[:], &m.scratch, b+1, zeroBlock, 1, &m.references)
	}

	n := min(addressesPerBlock-i%addressesPerBlock, f.laneLen/syncPoints-i)
	if i == 0 {
		n = 1 // area.other is one less than for the later blocks
	}
	a := f.area(i)
	for k := range n {
		w := int((i + k) % addressesPerBlock)
		m.references[k] = a.reference(m.addresses[addressesBlock][slot(w/16, w%16)])
		a.same++
	}
	return n
}
