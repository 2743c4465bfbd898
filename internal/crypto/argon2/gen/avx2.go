package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// With AVX2 a block does not fit into the registers. One line, then one column of
// the table takes 8 registers, 2 for each V: the low half has words 0 and 1 of two
// rows, the high half words 2 and 3. Between the rows and the columns the block is
// in scratch.
var (
	ymmLow  = vectors{reg.Y0, reg.Y1, reg.Y2, reg.Y3, reg.Y8}
	ymmHigh = vectors{reg.Y4, reg.Y5, reg.Y6, reg.Y7, reg.Y9}

	ymmMoved = [4]reg.VecPhysical{reg.Y10, reg.Y11, reg.Y12, reg.Y13}

	ymmRotate24 = reg.Y14 // for VPSHUFB
	ymmRotate16 = reg.Y15
)

func avx2() instructionSet {
	rotate24 := rotatedBytes("rotate24", 24)
	rotate16 := rotatedBytes("rotate16", 16)
	return instructionSet{
		name: "AVX2",
		enter: func(loop) {
			VMOVDQU(rotate24, ymmRotate24)
			VMOVDQU(rotate16, ymmRotate16)
		},
		compress: func(l loop, add bool, early func()) {
			for i := range 4 {
				rowsAVX2(l, i)
			}
			for i := range 4 {
				columnsAVX2(l, i, add, early)
			}
		},
	}
}

// rotatedBytes returns an index for VPSHUFB that rotates all words right by n bits.
func rotatedBytes(name string, n int) Mem {
	m := GLOBL(name, NOPTR|RODATA)
	for i := range 32 {
		word, b := i/8%2, i%8 // VPSHUFB counts within 16 bytes
		DATA(i, U8(8*word+(b+n/8)%8))
	}
	return m
}

// rowsAVX2 is P on two rows, from prev and ref to scratch.
func rowsAVX2(l loop, line int) {
	low, high := ymmLow, ymmHigh
	for i := range 4 {
		offset := 64 * (4*i + line)
		for half, v := range []reg.VecPhysical{low.vector(i), high.vector(i)} {
			VMOVDQU(Mem{Base: l.prev, Disp: offset + 32*half}, v)
			VPXOR(Mem{Base: l.ref, Disp: offset + 32*half}, v, v)
		}
	}
	half := func() { interleave(0, halfRoundAVX2(low), halfRoundAVX2(high)) }

	half()
	// Down: then low has words 3 and 0, high 1 and 2. Up is the same with low and high
	// exchanged. A move by two words only exchanges them.
	low.a, high.a = moveDown(low.a, high.a, ymmMoved[0], ymmMoved[1])
	high.c, low.c = moveDown(low.c, high.c, ymmMoved[2], ymmMoved[3])
	low.d, high.d = high.d, low.d
	half()
	high.a, low.a = moveDown(low.a, high.a, ymmLow.a, ymmHigh.a)
	low.c, high.c = moveDown(low.c, high.c, ymmLow.c, ymmHigh.c)
	low.d, high.d = high.d, low.d

	for i := range 4 {
		offset := 64 * (4*i + line)
		VMOVDQU(low.vector(i), Mem{Base: l.scratch, Disp: offset})
		VMOVDQU(high.vector(i), Mem{Base: l.scratch, Disp: offset + 32})
	}
}

// moveDown rotates the words of two rows: afterwards, word w is the former word w-1.
func moveDown(low, high, newLow, newHigh reg.VecPhysical) (reg.VecPhysical, reg.VecPhysical) {
	VPALIGNR(Imm(8), high, low, newLow) // words 3 and 0
	VPALIGNR(Imm(8), low, high, newHigh)
	return newLow, newHigh
}

// columnsAVX2 is P on two columns, from scratch to dst.
func columnsAVX2(l loop, column int, add bool, early func()) {
	var lists [2][]step
	for half, v := range []vectors{ymmLow, ymmHigh} {
		offset := func(i int) int { return 64*(4*column+i) + 32*half }
		var load, feedForward []step
		for i := range 4 {
			v := v.vector(i)
			load = append(load, func() { VMOVDQU(Mem{Base: l.scratch, Disp: offset(i)}, v) })
			feedForward = append(feedForward,
				func() { VPXOR(Mem{Base: l.prev, Disp: offset(i)}, v, v) },
				func() { VPXOR(Mem{Base: l.ref, Disp: offset(i)}, v, v) })
			if add {
				feedForward = append(feedForward, func() { VPXOR(Mem{Base: l.dst, Disp: offset(i)}, v, v) })
			}
			if offset(i) == 0 {
				feedForward = append(feedForward, early)
			}
			feedForward = append(feedForward, func() { VMOVDQU(v, Mem{Base: l.dst, Disp: offset(i)}) })
		}
		lists[half] = join(load,
			halfRoundAVX2(v),
			[]step{
				func() { VPERMQ(Imm(down), v.a, v.a) },
				func() { VPERMQ(Imm(up), v.c, v.c) },
				func() { VPERMQ(Imm(swap), v.d, v.d) },
			},
			halfRoundAVX2(v),
			[]step{
				func() { VPERMQ(Imm(up), v.a, v.a) },
				func() { VPERMQ(Imm(down), v.c, v.c) },
				func() { VPERMQ(Imm(swap), v.d, v.d) },
			},
			feedForward)
	}
	interleave(0, lists[:]...)
}

func (v vectors) vector(i int) reg.VecPhysical {
	return [4]reg.VecPhysical{v.a, v.b, v.c, v.d}[i]
}

func halfRoundAVX2(v vectors) []step {
	return halfRound(v, xorAVX2, rotateAVX2)
}

func xorAVX2(x, y reg.VecPhysical) []step {
	return []step{func() { VPXOR(y, x, x) }}
}

func rotateAVX2(n int, x, t reg.VecPhysical) []step {
	switch n {
	case 32:
		const swapHalves = 0xb1
		return []step{func() { VPSHUFD(Imm(swapHalves), x, x) }}
	case 24:
		return []step{func() { VPSHUFB(ymmRotate24, x, x) }}
	case 16:
		return []step{func() { VPSHUFB(ymmRotate16, x, x) }}
	default: // 63: left by one
		return []step{
			func() { VPADDQ(x, x, t) },
			func() { VPSRLQ(Imm(63), x, x) },
			func() { VPXOR(t, x, x) },
		}
	}
}
