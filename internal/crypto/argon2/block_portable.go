package argon2

import "math/bits"

var portable = kernel{
	name:            "portable",
	supported:       true,
	fillIndependent: fillIndependentPortable,
	fillDependent:   fillDependentPortable,
}

func fillIndependentPortable(memory []block, scratch *block, at, previous, n uint32, references *references) {
	for i := range n {
		compress(&memory[at+i], &memory[previous], &memory[references[i]], scratch, false)
		previous = at + i
	}
}

func fillDependentPortable(memory []block, scratch *block, at, previous, n uint32, area area, xor bool) {
	for i := range n {
		reference := area.reference(memory[previous][0])
		compress(&memory[at+i], &memory[previous], &memory[reference], scratch, xor)
		previous = at + i
		area.same++
	}
}

// compress is G, RFC 9106, 3.5: out = G(x, y), or out ^= G(x, y).
func compress(out, x, y, scratch *block, xor bool) {
	for i := range scratch {
		scratch[i] = x[i] ^ y[i]
	}
	// See slot for the layout of rows and columns.
	for r := range 8 {
		permute(scratch, slot(r, 0), slot(0, 2), slot(0, 4))
	}
	for c := range 8 {
		permute(scratch, slot(0, 2*c), slot(1, 0), slot(2, 0))
	}
	if xor {
		for i := range out {
			out[i] ^= scratch[i] ^ x[i] ^ y[i]
		}
		return
	}
	for i := range out {
		out[i] = scratch[i] ^ x[i] ^ y[i]
	}
}

// permute is P, 3.6, on the 16 words that begin at index first: four vectors of two
// pairs of words. The second pair is pair words after the first. Each vector is
// next words after the one before.
func permute(b *block, first, pair, next int) {
	i, j := first, first+pair
	v0, v1, v2, v3 := b[i], b[i+1], b[j], b[j+1]
	i, j = i+next, j+next
	v4, v5, v6, v7 := b[i], b[i+1], b[j], b[j+1]
	i, j = i+next, j+next
	v8, v9, v10, v11 := b[i], b[i+1], b[j], b[j+1]
	i, j = i+next, j+next
	v12, v13, v14, v15 := b[i], b[i+1], b[j], b[j+1]

	v0, v4, v8, v12 = mix(v0, v4, v8, v12, 32, 24)
	v0, v4, v8, v12 = mix(v0, v4, v8, v12, 16, 63)
	v1, v5, v9, v13 = mix(v1, v5, v9, v13, 32, 24)
	v1, v5, v9, v13 = mix(v1, v5, v9, v13, 16, 63)
	v2, v6, v10, v14 = mix(v2, v6, v10, v14, 32, 24)
	v2, v6, v10, v14 = mix(v2, v6, v10, v14, 16, 63)
	v3, v7, v11, v15 = mix(v3, v7, v11, v15, 32, 24)
	v3, v7, v11, v15 = mix(v3, v7, v11, v15, 16, 63)

	v0, v5, v10, v15 = mix(v0, v5, v10, v15, 32, 24)
	v0, v5, v10, v15 = mix(v0, v5, v10, v15, 16, 63)
	v1, v6, v11, v12 = mix(v1, v6, v11, v12, 32, 24)
	v1, v6, v11, v12 = mix(v1, v6, v11, v12, 16, 63)
	v2, v7, v8, v13 = mix(v2, v7, v8, v13, 32, 24)
	v2, v7, v8, v13 = mix(v2, v7, v8, v13, 16, 63)
	v3, v4, v9, v14 = mix(v3, v4, v9, v14, 32, 24)
	v3, v4, v9, v14 = mix(v3, v4, v9, v14, 16, 63)

	b[i], b[i+1], b[j], b[j+1] = v12, v13, v14, v15
	i, j = i-next, j-next
	b[i], b[i+1], b[j], b[j+1] = v8, v9, v10, v11
	i, j = i-next, j-next
	b[i], b[i+1], b[j], b[j+1] = v4, v5, v6, v7
	i, j = i-next, j-next
	b[i], b[i+1], b[j], b[j+1] = v0, v1, v2, v3
}

// mix is half of GB, 3.6: it rotates by r and s. All of GB would be too long to be
// inlined.
func mix(a, b, c, d uint64, r, s int) (uint64, uint64, uint64, uint64) {
	a = add(a, b)
	d = bits.RotateLeft64(d^a, -r)
	c = add(c, d)
	b = bits.RotateLeft64(b^c, -s)
	return a, b, c, d
}

func add(x, y uint64) uint64 {
	const low = 1<<32 - 1
	return x + y + 2*(x&low)*(y&low)
}
