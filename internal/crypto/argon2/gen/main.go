// Command gen writes the assembly of package argon2. "go generate" calls it.
//
// There are two functions for each of two instruction sets. Each fills a run of
// blocks, each block with G of the previous one and a reference:
//
//	fillIndependent   takes the references from a list
//	fillDependent     takes each reference from the previous block; it has two
//	                  loops, for passes that set blocks and for those that XOR
//
// This file has what the sets share: loops, addresses, and the half round. The
// rest of G is in avx512.go and avx2.go. The order of words in a block, which makes
// G simple, is drawn at slot in ../argon2.go:
//
//	V0 V4 V8  V12     a line: a, b, c, d of two rows
//	V1 V5 V9  V13     a column: a, b, c, d of two columns
//	V2 V6 V10 V14
//	V3 V7 V11 V15     V: 64 bytes, at 64 times its number
//
// All arithmetic is on words of 64 bits. There are no branches on secrets, and only
// those addresses depend on them for which Argon2id requires it.
package main

import (
	"slices"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

const (
	blockSize = 1024
	blockBits = 10
	lineSize  = 64 // of the cache

	// To prefetch the block that is written two blocks later saves 2 % if the
	// matrix is larger than the second-level cache.
	destinationAhead = 2 * blockSize

	lookahead = 3 // as in ../fill.go
)

func main() {
	for _, set := range []instructionSet{avx512(), avx2()} {
		fillIndependent(set)
		fillDependent(set)
	}
	Generate()
}

// instructionSet is what differs between AVX-512 and AVX2.
type instructionSet struct {
	name string
	// enter emits the code before the loop, which loads constants and, if it stays
	// in registers from round to round, the previous block.
	enter func(l loop)
	// compress emits block l.dst = G(block l.prev, block l.ref), or with add
	// block l.dst ^= G(…). It emits early() as soon as the first word of the
	// result is in X0.
	compress func(l loop, add bool, early func())
}

// loop holds the registers of a loop over blocks.
type loop struct {
	memory         reg.GPVirtual // address of block 0
	dst, prev, ref reg.GPVirtual // addresses of blocks
	next           reg.GPVirtual // the reference of the next round
	n              reg.GPVirtual // rounds to go
	scratch        reg.GPVirtual
	references     reg.GPVirtual // fillIndependent: position in the list
	own            reg.GPVirtual // fillDependent: address of the first block of the block's own lane
	laneLen        reg.GPVirtual // fillDependent: some fields of area
	start, same    reg.GPVirtual
}

func fillIndependent(set instructionSet) {
	TEXT("fillIndependent"+set.name, NOSPLIT,
		"func(memory [][128]uint64, scratch *[128]uint64, at, previous, n uint32, references *[131]uint32)")
	Doc("fillIndependent" + set.name + " is fillIndependent of kernel.")
	Pragma("noescape")
	l := newLoop()
	l.references = Load(Param("references"), GP64()).(reg.GPVirtual)
	l.listed(0, l.ref)
	set.enter(l)

	Label("loop")
	l.listed(lookahead, l.next)
	prefetch(l.next, 0)
	prefetch(l.dst, destinationAhead)
	set.compress(l, false, func() {})
	ADDQ(Imm(4), l.references)
	l.listed(0, l.next)
	l.again("loop")
	leave()
}

func fillDependent(set instructionSet) {
	TEXT("fillDependent"+set.name, NOSPLIT,
		"func(memory [][128]uint64, scratch *[128]uint64, at, previous, n uint32, lanes, lane, laneLen, start, same, other uint32, xor bool)")
	Doc("fillDependent" + set.name + " is fillDependent of kernel, with the fields of area one by one.")
	Pragma("noescape")
	l := newLoop()
	l.laneLen, l.start, l.same, l.own = number("laneLen"), number("start"), number("same"), number("lane")
	IMULQ(l.laneLen, l.own)
	SHLQ(Imm(blockBits), l.own)
	ADDQ(l.memory, l.own)
	j := GP64()
	MOVQ(Mem{Base: l.prev}, j)
	l.reference("first", j, l.ref)
	set.enter(l)
	CMPB(argument("xor"), Imm(0))
	JNE(LabelRef("add"))

	for _, round := range []struct {
		label string
		add   bool
	}{{"set", false}, {"add", true}} {
		Label(round.label)
		set.compress(l, round.add, func() {
			// The processor computes the other three quarters of the columns while
			// it waits for the next reference.
			j := GP64()
			VMOVQ(reg.X0, j)
			INCQ(l.same)
			l.reference(round.label+"_next", j, l.next)
			prefetch(l.next, 0)
			prefetch(l.dst, destinationAhead)
		})
		l.again(round.label)
		leave()
	}
}

func newLoop() (l loop) {
	l.memory = Load(Param("memory").Base(), GP64()).(reg.GPVirtual)
	l.scratch = Load(Param("scratch"), GP64()).(reg.GPVirtual)
	l.dst, l.prev, l.n = number("at"), number("previous"), number("n")
	for _, block := range []reg.GPVirtual{l.dst, l.prev} {
		SHLQ(Imm(blockBits), block)
		ADDQ(l.memory, block)
	}
	l.ref, l.next = GP64(), GP64()
	return l
}

// number loads an argument of 32 bits; the upper half of the register is zero.
func number(name string) reg.GPVirtual {
	r := GP64()
	Load(Param(name), r.As32())
	return r
}

// argument returns the address of an argument that is not worth a register.
func argument(name string) Op {
	basic, err := Param(name).Resolve()
	if err != nil {
		panic(err)
	}
	return basic.Addr
}

// listed sets block to the address of the block that the list names i references
// after the current position.
func (l loop) listed(i int, block reg.GPVirtual) {
	MOVL(Mem{Base: l.references, Disp: 4 * i}, block.As32())
	SHLQ(Imm(blockBits), block)
	ADDQ(l.memory, block)
}

// reference emits area.reference of ../fill.go. It sets block to the address of the
// block, and overwrites j. It uses the label for itself.
func (l loop) reference(label string, j, block reg.GPVirtual) {
	size, first := GP64(), block
	MOVQ(l.same, size)
	MOVQ(l.own, first)
	CMPL(argument("lanes"), Imm(1))
	JEQ(LabelRef(label))
	MOVQ(j, reg.RAX)
	SHRQ(Imm(32), reg.RAX)
	XORL(reg.EDX, reg.EDX)
	DIVL(argument("lanes")) // remainder in DX
	CMPL(reg.EDX, argument("lane"))
	JEQ(LabelRef(label))
	MOVL(argument("other"), size.As32())
	MOVQ(reg.RDX, first)
	IMULQ(l.laneLen, first)
	SHLQ(Imm(blockBits), first)
	ADDQ(l.memory, first)

	Label(label)
	MOVL(j.As32(), reg.EAX)
	MULL(reg.EAX) // x in DX
	MOVL(size.As32(), reg.EAX)
	MULL(reg.EDX) // y in DX
	// The index, and the index minus laneLen, which is the result unless it is negative.
	index, wrapped := size, j
	ADDQ(l.start, index)
	DECQ(index)
	MOVQ(index, wrapped)
	SUBQ(l.laneLen, wrapped)
	SUBQ(reg.RDX, index)
	SUBQ(reg.RDX, wrapped)
	CMOVQPL(wrapped, index)
	SHLQ(Imm(blockBits), index)
	ADDQ(index, first)
}

// again jumps back to the label for the next block, if there is one.
func (l loop) again(label string) {
	MOVQ(l.dst, l.prev)
	MOVQ(l.next, l.ref)
	ADDQ(U32(blockSize), l.dst)
	DECQ(l.n)
	JNE(LabelRef(label))
}

// leave returns after it has cleared the upper halves of the registers. Otherwise SSE
// instructions that follow would be slow on some processors.
func leave() {
	VZEROUPPER()
	RET()
}

func prefetch(block reg.GPVirtual, offset int) {
	for i := 0; i < blockSize; i += lineSize {
		PREFETCHT0(Mem{Base: block, Disp: offset + i})
	}
}

// A step emits one instruction.
type step func()

// interleave emits lists of steps that do not depend on each other, one step of each
// in turn, so that the processor always has other work while it waits for a result. The
// first list begins before steps ahead of the others.
func interleave(before int, lists ...[]step) {
	for range before {
		lists[0][0]()
		lists[0] = lists[0][1:]
	}
	for i := 0; ; i++ {
		done := true
		for _, list := range lists {
			if i < len(list) {
				list[i]()
				done = false
			}
		}
		if done {
			return
		}
	}
}

// vectors are a, b, c, d of P, RFC 9106, 3.6, and a register to compute with.
type vectors struct{ a, b, c, d, t reg.VecPhysical }

// halfRound is GB of 3.6 on all words of four vectors.
func halfRound(v vectors, xor func(x, y reg.VecPhysical) []step, rotate func(n int, x, t reg.VecPhysical) []step) []step {
	// x = x + y + 2 * low(x) * low(y)
	add := func(x, y reg.VecPhysical) []step {
		return []step{
			func() { VPMULUDQ(x, y, v.t) },
			func() { VPADDQ(x, y, x) },
			func() { VPADDQ(v.t, v.t, v.t) },
			func() { VPADDQ(v.t, x, x) },
		}
	}
	return join(
		add(v.a, v.b), xor(v.d, v.a), rotate(32, v.d, v.t),
		add(v.c, v.d), xor(v.b, v.c), rotate(24, v.b, v.t),
		add(v.a, v.b), xor(v.d, v.a), rotate(16, v.d, v.t),
		add(v.c, v.d), xor(v.b, v.c), rotate(63, v.b, v.t),
	)
}

func join(lists ...[]step) []step { return slices.Concat(lists...) }

// The second half round takes diagonals: a[i], b[i+1], c[i+2], d[i+3]. To align
// them, a moves down by one word, c up by one, and d by two, and back afterwards. b
// does not move: it is the last to be ready and the first that is needed, so the
// moves do not lengthen the chain of dependencies.
//
// For VPERMQ with a constant, of four words:
const (
	down = 0x93 // word i is word i-1
	up   = 0x39 // word i is word i+1
	swap = 0x4e // word i is word i+2
)
