package argon2

import (
	"bytes"
	"encoding"
	"encoding/hex"
	"fmt"
	"hash"
	"testing"

	"golang.org/x/crypto/argon2"
	"golang.org/x/crypto/blake2b"
)

// onEveryPath runs a test once for each code path of this architecture. What
// the processor lacks is skipped by name.
func onEveryPath(t *testing.T, test func(t *testing.T, m *Matrix)) {
	for i := range kernels {
		t.Run(kernels[i].name, func(t *testing.T) {
			if !kernels[i].supported {
				t.Skipf("this processor lacks %s", kernels[i].name)
			}
			m := &Matrix{kernel: &kernels[i]}
			defer m.Release()
			test(t, m)
		})
	}
}

// RFC 9106, 5.3: the one vector of Argon2id, with all four inputs.
func TestTheVectorOfRFC9106Matches(t *testing.T) {
	onEveryPath(t, func(t *testing.T, m *Matrix) {
		in := inputs{
			secret: bytes.Repeat([]byte{1}, 32),
			salt:   bytes.Repeat([]byte{2}, 16),
			key:    bytes.Repeat([]byte{3}, 8),
			data:   bytes.Repeat([]byte{4}, 12),
		}
		const want = "0d640df58d78766c08c037a34a8b53c9d01ef0452d75b65eb52520e96b01e659"
		if got := hex.EncodeToString(m.idKey(in, 3, 32, 4, 32)); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	})
}

// From test.c of the reference implementation, P-H-C/phc-winner-argon2.
func TestVectorsOfTheReferenceImplementationMatch(t *testing.T) {
	onEveryPath(t, func(t *testing.T, m *Matrix) {
		for _, v := range []struct {
			time, memory uint32
			lanes        uint8
			secret, salt string
			tag          string
		}{
			{2, 65536, 1, "password", "somesalt", "09316115d5cf24ed5a15a31a3ba326e5cf32edc24702987c02b6566f61913cf7"},
			{2, 256, 1, "password", "somesalt", "9dfeb910e80bad0311fee20f9c0e2b12c17987b4cac90c2ef54d5b3021c68bfe"},
			{2, 256, 2, "password", "somesalt", "6d093c501fd5999645e0ea3bf620d7b8be7fd2db59c20d9fff9539da2bf57037"},
			{1, 65536, 1, "password", "somesalt", "f6a5adc1ba723dddef9b5ac1d464e180fcd9dffc9d1cbf76cca2fed795d9ca98"},
			{4, 65536, 1, "password", "somesalt", "9025d48e68ef7395cca9079da4c4ec3affb3c8911fe4f86d1a2520856f63172c"},
			{2, 65536, 1, "differentpassword", "somesalt", "0b84d652cf6b0c4beaef0dfe278ba6a80df6696281d7e0d2891b817d8c458fde"},
			{2, 65536, 1, "password", "diffsalt", "bdf32b05ccc42eb15d58fd19b1f856b113da1e9a5874fdcc544308565aa8141c"},
		} {
			if got := hex.EncodeToString(m.IDKey([]byte(v.secret), []byte(v.salt), v.time, v.memory, v.lanes, 32)); got != v.tag {
				t.Errorf("%+v: got %s", v, got)
			}
		}
	})
}

// same compares with x/crypto.
func same(t *testing.T, m *Matrix, secret, salt []byte, time, memory uint32, lanes uint8, tagSize uint32) {
	t.Helper()
	got := m.IDKey(secret, salt, time, memory, lanes, tagSize)
	if want := argon2.IDKey(secret, salt, time, memory, lanes, tagSize); !bytes.Equal(got, want) {
		t.Errorf("t=%d, m=%d, p=%d, %d bytes of secret, %d of salt, %d of tag: got %x, want %x",
			time, memory, lanes, len(secret), len(salt), tagSize, got, want)
	}
}

func TestEveryCostGivesTheSameTagsAsXCrypto(t *testing.T) {
	if testing.Short() {
		t.Skip("it has one goroutine, and takes long under the race detector")
	}
	onEveryPath(t, func(t *testing.T, m *Matrix) {
		for _, lanes := range []uint8{1, 2, 3, 4, 7, 16} {
			for _, time := range []uint32{1, 2, 3, 16} {
				// From the least, through sizes that q rounds down, to segments of
				// more than one address block and more than one call.
				for _, perLane := range []uint32{8, 9, 15, 16, 31, 100, 517, 1100} {
					if time == 16 && perLane > 100 {
						continue
					}
					same(t, m, []byte("4711"), []byte("0123456789abcdef"), time, perLane*uint32(lanes)+uint32(lanes)/2, lanes, 32)
				}
			}
		}
		same(t, m, []byte("4711"), []byte("0123456789abcdef"), 2, 19456, 1, 32)
	})
}

func TestEveryLengthGivesTheSameTagsAsXCrypto(t *testing.T) {
	onEveryPath(t, func(t *testing.T, m *Matrix) {
		text := bytes.Repeat([]byte("0123456789abcde"), 80)
		for n := range 300 {
			same(t, m, text[:n], text[:16], 1, 8, 1, 32)
			same(t, m, text[:4], text[:n], 1, 8, 1, 32)
			same(t, m, text[:4], text[:16], 1, 8, 1, minTagSize+uint32(n))
		}
		same(t, m, nil, nil, 1, 8, 1, 1024)
		same(t, m, text, text, 1, 8, 1, 1025)
	})
}

// The most that package verifier lets pass.
func TestAGibibyteGivesTheSameTagAsXCrypto(t *testing.T) {
	if testing.Short() {
		t.Skip("takes 1 GiB and some seconds")
	}
	var m Matrix
	got := m.IDKey([]byte("4711"), []byte("0123456789abcdef"), 1, 1<<20, 3, 32)
	m.Release()
	if want := argon2.IDKey([]byte("4711"), []byte("0123456789abcdef"), 1, 1<<20, 3, 32); !bytes.Equal(got, want) {
		t.Errorf("got %x, want %x", got, want)
	}
}

func FuzzTheSameTagsAsXCrypto(f *testing.F) {
	f.Add([]byte("4711"), []byte("0123456789abcdef"), uint8(2), uint16(1200), uint8(1), uint16(32))
	f.Add([]byte(""), []byte(""), uint8(3), uint16(131), uint8(5), uint16(65))
	matrices := make([]Matrix, len(kernels))
	f.Fuzz(func(t *testing.T, secret, salt []byte, time uint8, memory uint16, lanes uint8, tagSize uint16) {
		lanes = 1 + lanes%16
		for i := range matrices {
			if kernels[i].supported {
				matrices[i].kernel = &kernels[i]
				same(t, &matrices[i], secret, salt, 1+uint32(time%4), minMemoryPerLane*uint32(lanes)+uint32(memory%2048), lanes, minTagSize+uint32(tagSize%300))
			}
		}
	})
}

// One matrix serves calls of all sizes in any order, and each gives the right tag.
func TestAMatrixCanBeReusedForAnySize(t *testing.T) {
	onEveryPath(t, func(t *testing.T, m *Matrix) {
		for _, memory := range []uint32{64, 5000, 8, 4096, 100, 5001, 64} {
			same(t, m, []byte("4711"), []byte("0123456789abcdef"), 2, memory, 1, 32)
			same(t, m, []byte("4711"), []byte("0123456789abcdef"), 1, memory*2, 2, 64)
		}
	})
}

func TestWipeLeavesNothingOfASecret(t *testing.T) {
	onEveryPath(t, func(t *testing.T, m *Matrix) {
		for _, tagSize := range []uint32{32, 64, 100} {
			m.IDKey([]byte("a secret that is looked for"), []byte("0123456789abcdef"), 2, 1024, 2, tagSize)
			m.IDKey([]byte("a secret of a smaller hash"), []byte("0123456789abcdef"), 2, 64, 2, tagSize)
			if m.Wiped() || m.memory[63] == (block{}) {
				t.Fatal("the hashes have left nothing to wipe")
			}
			if m.memory[64] != (block{}) || m.memory[1023] != (block{}) {
				t.Error("a smaller hash keeps data of the one before")
			}
			m.Wipe()
			for i, b := range m.memory {
				if b != (block{}) || !m.Wiped() {
					t.Fatalf("block %d is not zero", i)
				}
			}
			if m.scratch != (block{}) || m.bytes != [blockSize]byte{} || m.h0 != [len(m.h0)]byte{} {
				t.Error("scratch, bytes or H0 is not zero")
			}
			for size, d := range m.digests {
				if d != nil && !bytes.Equal(state(t, d), state(t, newDigest(t, size))) {
					t.Errorf("BLAKE2b with %d bytes still holds the state of its input", size)
				}
			}
		}
	})
}

func newDigest(t *testing.T, size int) hash.Hash {
	d, err := blake2b.New(size, nil)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// state is all that a digest holds, its buffer too.
func state(t *testing.T, d hash.Hash) []byte {
	b, err := d.(encoding.BinaryMarshaler).MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestOnlyTheTagIsAllocated(t *testing.T) {
	onEveryPath(t, func(t *testing.T, m *Matrix) {
		secret, salt := []byte("4711"), []byte("0123456789abcdef")
		if n := testing.AllocsPerRun(10, func() { m.IDKey(secret, salt, 2, 1024, 1, 32) }); n != 1 {
			t.Errorf("%v allocations, want 1", n)
		}
	})
}

func TestAReleasedMatrixCanBeUsedAgain(t *testing.T) {
	onEveryPath(t, func(t *testing.T, m *Matrix) {
		m.Release()
		for range 3 {
			same(t, m, []byte("4711"), []byte("0123456789abcdef"), 2, 5000, 1, 32)
			m.Release()
			if m.memory != nil {
				t.Fatal("memory is kept")
			}
			m.Release()
		}
	})
}

func TestParametersOutsideArgon2Panic(t *testing.T) {
	for _, v := range []struct {
		time, memory uint32
		lanes        uint8
		tagSize      uint32
	}{
		{0, 64, 1, 32}, {1, 64, 0, 32}, {1, 7, 1, 32}, {1, 31, 4, 32}, {1, 64, 1, 3},
	} {
		t.Run(fmt.Sprint(v), func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			new(Matrix).IDKey([]byte("4711"), []byte("0123456789abcdef"), v.time, v.memory, v.lanes, v.tagSize)
		})
	}
}

func TestTheFastestPathOfTheProcessorIsUsed(t *testing.T) {
	for _, k := range kernels {
		if k.supported {
			if fastest.name != k.name {
				t.Errorf("got %s, want %s", fastest.name, k.name)
			}
			return
		}
	}
}
