package argon2

import "golang.org/x/sys/cpu"

//go:generate go run -C gen . -pkg argon2 -out ../fill_amd64.s -stubs ../fill_amd64.go

// kernels are the kernels of this architecture, fastest first. Package cpu also
// checks that the operating system saves the registers that they use.
var kernels = []kernel{
	{
		name: "avx512",
		// It needs only F. Processors that have F but not VL are slow at it.
		supported:       cpu.X86.HasAVX512F && cpu.X86.HasAVX512VL,
		fillIndependent: fillIndependentAVX512,
		fillDependent: func(memory []block, scratch *block, at, previous, n uint32, a area, xor bool) {
			fillDependentAVX512(memory, scratch, at, previous, n, a.lanes, a.lane, a.laneLen, a.start, a.same, a.other, xor)
		},
	},
	{
		name:            "avx2",
		supported:       cpu.X86.HasAVX2,
		fillIndependent: fillIndependentAVX2,
		fillDependent: func(memory []block, scratch *block, at, previous, n uint32, a area, xor bool) {
			fillDependentAVX2(memory, scratch, at, previous, n, a.lanes, a.lane, a.laneLen, a.start, a.same, a.other, xor)
		},
	},
	portable,
}
