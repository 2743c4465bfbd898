package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// With AVX-512 the whole block is in registers: V0 to V15 are Z0 to Z15. Four sets
// of four are computed in lockstep, and the result of a round stays in the registers
// as the previous block of the next.
var zmm = []reg.VecPhysical{
	reg.Z0, reg.Z1, reg.Z2, reg.Z3, reg.Z4, reg.Z5, reg.Z6, reg.Z7,
	reg.Z8, reg.Z9, reg.Z10, reg.Z11, reg.Z12, reg.Z13, reg.Z14, reg.Z15,
}

var (
	zmmTemporary = []reg.VecPhysical{reg.Z16, reg.Z17, reg.Z18, reg.Z19} // one for each set
	zmmRowsDown  = reg.Z20                                               // for VPERMQ: in both rows of a register,
	zmmRowsUp    = reg.Z21                                               // word w is word w-1, w+1
)

// headStart is how many steps the first set of columns is ahead of the others. It
// has word 0, so the next reference is known earlier. Without it a block takes 4 %
// longer. Values from 8 to 70 are equally good.
const headStart = 24

func avx512() instructionSet {
	rowsDown := rotatedRows("rowsDown", 3)
	rowsUp := rotatedRows("rowsUp", 1)
	return instructionSet{
		name: "AVX512",
		enter: func(l loop) {
			VMOVDQU64(rowsDown, zmmRowsDown)
			VMOVDQU64(rowsUp, zmmRowsUp)
			for i, v := range zmm {
				VMOVDQU64(Mem{Base: l.prev, Disp: 64 * i}, v)
			}
		},
		compress: compressAVX512,
	}
}

// rotatedRows returns an index for VPERMQ: in both rows that share a register, word w
// becomes the former word w+by. The words are in the order of slot of ../argon2.go.
func rotatedRows(name string, by int) Mem {
	place := func(row, w int) int { return 4*(w/2) + 2*row + w%2 }
	var index [8]int
	for row := range 2 {
		for w := range 4 {
			index[place(row, w)] = place(row, (w+by)%4)
		}
	}
	m := GLOBL(name, NOPTR|RODATA)
	for i, from := range index {
		DATA(8*i, U64(from))
	}
	return m
}

func compressAVX512(l loop, add bool, early func()) {
	for i, v := range zmm {
		VPXORQ(Mem{Base: l.ref, Disp: 64 * i}, v, v)
	}
	var rows, columns [4][]step
	for i := range 4 {
		rows[i] = rowsAVX512(vectors{zmm[i], zmm[4+i], zmm[8+i], zmm[12+i], zmmTemporary[i]})
		columns[i] = join(
			columnsAVX512(vectors{zmm[4*i], zmm[4*i+1], zmm[4*i+2], zmm[4*i+3], zmmTemporary[i]}),
			feedForwardAVX512(l, i, add, early))
	}
	interleave(0, rows[:]...)
	interleave(headStart, columns[:]...)
}

// rowsAVX512 is P on two rows.
func rowsAVX512(v vectors) []step {
	return join(
		halfRound(v, xorAVX512, rotateAVX512),
		[]step{
			func() { VPERMQ(v.a, zmmRowsDown, v.a) },
			func() { VPERMQ(v.c, zmmRowsUp, v.c) },
			func() { VSHUFI64X2(Imm(swap), v.d, v.d, v.d) },
		},
		halfRound(v, xorAVX512, rotateAVX512),
		[]step{
			func() { VPERMQ(v.a, zmmRowsUp, v.a) },
			func() { VPERMQ(v.c, zmmRowsDown, v.c) },
			func() { VSHUFI64X2(Imm(swap), v.d, v.d, v.d) },
		})
}

// columnsAVX512 is P on two columns.
func columnsAVX512(v vectors) []step {
	return join(
		halfRound(v, xorAVX512, rotateAVX512),
		[]step{
			func() { VPERMQ(Imm(down), v.a, v.a) },
			func() { VPERMQ(Imm(up), v.c, v.c) },
			func() { VPERMQ(Imm(swap), v.d, v.d) },
		},
		halfRound(v, xorAVX512, rotateAVX512),
		[]step{
			func() { VPERMQ(Imm(up), v.a, v.a) },
			func() { VPERMQ(Imm(down), v.c, v.c) },
			func() { VPERMQ(Imm(swap), v.d, v.d) },
		})
}

// feedForwardAVX512 XORs the inputs of G into a set of columns, and stores the set.
func feedForwardAVX512(l loop, set int, add bool, early func()) (steps []step) {
	t := zmmTemporary[set]
	for i := 4 * set; i < 4*set+4; i++ {
		v, offset := zmm[i], 64*i
		steps = append(steps, func() { VMOVDQU64(Mem{Base: l.prev, Disp: offset}, t) })
		if add {
			steps = append(steps, func() { VPXORQ(Mem{Base: l.dst, Disp: offset}, t, t) })
		}
		const xor3 = 0x96
		steps = append(steps, func() { VPTERNLOGQ(Imm(xor3), Mem{Base: l.ref, Disp: offset}, t, v) })
		if i == 0 {
			steps = append(steps, early)
		}
		steps = append(steps, func() { VMOVDQU64(v, Mem{Base: l.dst, Disp: offset}) })
	}
	return steps
}

func xorAVX512(x, y reg.VecPhysical) []step {
	return []step{func() { VPXORQ(y, x, x) }}
}

func rotateAVX512(n int, x, _ reg.VecPhysical) []step {
	return []step{func() { VPRORQ(U8(n), x, x) }}
}
