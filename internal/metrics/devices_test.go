package metrics

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/axiomhq/hyperloglog"
	"pgregory.net/rapid"
)

// hashes returns n distinct hashes as a keyed hash gives them: uniform.
func hashes(seed uint64, n int) []uint64 {
	random := rand.New(rand.NewPCG(seed, 1))
	out := make([]uint64, n)
	for i := range out {
		out[i] = random.Uint64()
	}
	return out
}

func counted(hs []uint64) *devices {
	var d devices
	for _, h := range hs {
		d.insert(h)
	}
	return &d
}

// decoded reads a stored form.
func decoded(b []byte) (*devices, error) {
	var d devices
	err := d.mergeStored(b)
	return &d, err
}

// stored takes d through its stored form.
func stored(t testing.TB, d *devices) *devices {
	t.Helper()
	got, err := decoded(d.encode())
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// storedBefore is the form in which 0.1.0 kept hashes: the library's sketch.
func storedBefore(t testing.TB, hs []uint64) []byte {
	t.Helper()
	library := hyperloglog.New16NoSparse()
	for _, h := range hs {
		library.InsertHash(h)
	}
	b, err := library.AppendBinary([]byte{formSketch})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestDevicesAreCountedExactlyUpToAThousand(t *testing.T) {
	if testing.Short() {
		t.Skip("nothing in it is parallel")
	}
	for seed := range uint64(300) {
		hs := hashes(seed, maxExact)
		// Three overlapping parts that meet only after they were stored.
		all := stored(t, counted(hs[:400]))
		all.merge(stored(t, counted(hs[300:700])))
		all.merge(stored(t, counted(hs[200:])))
		if got := stored(t, all).count(); got != maxExact {
			t.Fatalf("seed %d: counted %d devices, want %d", seed, got, maxExact)
		}
	}
}

func TestDevicesAreCountedWithinTwoPercentBeyondAThousand(t *testing.T) {
	if testing.Short() {
		t.Skip("it has one goroutine, and takes long under the race detector")
	}
	for _, n := range []int{1001, 10_000, 30_000, 40_000, 100_000, 1_000_000} {
		worst := 0.0
		for seed := range uint64(5) {
			hs := hashes(seed, n)
			one := counted(hs)
			parts := &devices{} // some exact, some sketched
			for from, size := 0, 10; from < n; from, size = from+size, size*4 {
				parts.merge(stored(t, counted(hs[from/2:min(n, from+size)])))
			}
			if one.count() != parts.count() {
				t.Errorf("%d devices: %d in one count, %d merged from parts", n, one.count(), parts.count())
			}
			worst = max(worst, math.Abs(float64(parts.count())/float64(n)-1))
		}
		t.Logf("%7d devices: worst error of 5 counts %.2f %%", n, 100*worst)
		if worst > 0.02 {
			t.Errorf("%d devices: off by %.2f %%", n, 100*worst)
		}
	}
}

func TestMergingDoesNotChangeTheOtherCount(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sizes := rapid.SampledFrom([]int{0, 1, 500, 999, 1000, 1001, 5000, 40_000})
		a := counted(hashes(1, sizes.Draw(t, "a")))
		b := counted(hashes(2, sizes.Draw(t, "b")))
		before := b.count()
		a.merge(b)
		a.insert(42)
		if b.count() != before {
			t.Fatalf("merged count went from %d to %d", before, b.count())
		}
	})
}

func TestSketchesOfAnOlderVersionHaveTheSameRegisters(t *testing.T) {
	if testing.Short() {
		t.Skip("it has one goroutine, and takes long under the race detector")
	}
	for _, n := range []int{1001, 20_000, 3_000_000} {
		hs := hashes(uint64(n), n)
		before, err := decoded(storedBefore(t, hs))
		if err != nil {
			t.Fatal(err)
		}
		now := stored(t, counted(hs))
		if !bytes.Equal(before.sketch, now.sketch) {
			t.Errorf("%d devices: the sketches differ", n)
		}
		mixed := stored(t, counted(hs[:n/2]))
		if err := mixed.mergeStored(storedBefore(t, hs[n/3:])); err != nil || !bytes.Equal(mixed.sketch, now.sketch) {
			t.Errorf("%d devices: merged from both forms, the sketch differs (%v)", n, err)
		}
	}
}

// Registers of every value, near together and far apart, and at both ends.
func TestPackingASketchLosesNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("it has one goroutine, and takes long under the race detector")
	}
	rapid.Check(t, func(t *rapid.T) {
		least := rapid.ByteRange(0, maxRegister).Draw(t, "least")
		spread := rapid.ByteRange(0, maxRegister-least).Draw(t, "spread")
		random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		a, b, both := make(sketch, registers), make(sketch, registers), make(sketch, registers)
		for i := range a {
			a[i] = least + byte(random.IntN(int(spread)+1))
			b[i] = byte(random.IntN(maxRegister + 1))
			both[i] = max(a[i], b[i])
		}
		for _, pair := range [][2]sketch{{a, b}, {b, a}} {
			got := bytes.Clone(pair[0])
			packed := pair[1].pack(nil)
			if !validPacked(packed) {
				t.Fatal("a packed sketch is refused")
			}
			if sketch(got).mergePacked(packed); !bytes.Equal(got, both) {
				t.Fatal("merged from its packed form, a sketch differs")
			}
			got = bytes.Clone(pair[0])
			if sketch(got).merge(pair[1]); !bytes.Equal(got, both) {
				t.Fatal("merged, a sketch differs")
			}
		}
	})
}

func TestAPackedSketchIsHalfAsLargeAsItsRegisters(t *testing.T) {
	if testing.Short() {
		t.Skip("it has one goroutine, and takes long under the race detector")
	}
	for _, n := range []int{1001, 30_000, 1_000_000, 5_000_000} {
		if size := len(counted(hashes(1, n)).encode()); size > registers/2+1000 {
			t.Errorf("%d devices: %d bytes", n, size)
		}
	}
}

func TestDamagedDeviceSketchesAreRefused(t *testing.T) {
	exact := counted(hashes(1, 3)).encode()
	unsorted := append([]byte{formExact}, append(exact[9:17:17], exact[1:9]...)...)
	before, packed := storedBefore(t, hashes(1, 2000)), counted(hashes(1, 2000)).encode()
	library := hyperloglog.New16()
	library.InsertHash(1)
	sparse, _ := library.AppendBinary([]byte{formSketch})
	with := func(b []byte, at int, v byte) []byte {
		b = append([]byte(nil), b...)
		b[at] = v
		return b
	}
	extended := func(extra ...byte) []byte { return append(packed[:2+packedHalf:2+packedHalf], extra...) }
	for name, b := range map[string][]byte{
		"unknown form":                 {9, 1, 2},
		"form alone":                   {formExact},
		"torn hash":                    exact[:len(exact)-1],
		"hashes out of order":          unsorted,
		"a hash twice":                 append(append([]byte(nil), exact...), exact[len(exact)-8:]...),
		"sketch form alone":            {formSketch},
		"cut sketch":                   before[:len(before)-1],
		"longer sketch":                append(append([]byte(nil), before...), 0),
		"older library form":           with(before, 1, 1),
		"other precision":              with(before, 2, 14),
		"other size":                   with(before, 6, 2),
		"sparse library form":          sparse,
		"impossible register":          with(before, 100, maxRegister+1),
		"register above a byte":        with(before, 100, 0x80),
		"declares a huge set":          binary.BigEndian.AppendUint32([]byte{formSketch, 2, precision, 0, 1}, math.MaxUint32),
		"packed form alone":            {formPacked},
		"cut packed":                   packed[:1+packedHalf],
		"impossible least":             with(packed, 1, maxLeast+1),
		"torn great register":          extended(1, 2),
		"great register too low":       extended(1, 2, 15),
		"great register too high":      extended(1, 2, maxRegister+1),
		"great registers out of order": extended(1, 2, 20, 1, 1, 20),
		"great register twice":         extended(1, 2, 20, 1, 2, 20),
	} {
		if d, err := decoded(b); !errors.Is(err, errDevices) || d.exact != nil || d.sketch != nil {
			t.Errorf("%s: got %v and added %d devices, want errDevices and none", name, err, d.count())
		}
	}
	if d, err := decoded(extended(1, 2, 20, 1, 3, maxRegister)); err != nil || d.sketch[0x102] != 20 || d.sketch[0x103] != maxRegister {
		t.Errorf("great registers are refused: %v", err)
	}
}

// Whatever is stored either is refused or is a count that can be stored again
// and stays the same.
func FuzzDevices(f *testing.F) {
	for _, n := range []int{0, 1, 3, 1001} {
		f.Add(counted(hashes(1, n)).encode())
	}
	f.Add(storedBefore(f, hashes(1, 1001)))
	f.Add([]byte{formSketch, 2, precision, 0, 1, 0xff, 0xff, 0xff, 0xff})
	f.Fuzz(func(t *testing.T, b []byte) {
		d, err := decoded(b)
		if err != nil {
			return
		}
		again := stored(t, d)
		if d.count() != again.count() {
			t.Errorf("counted %d, stored again %d", d.count(), again.count())
		}
		again.merge(d)
		if d.count() != again.count() {
			t.Errorf("counted %d, merged with itself %d", d.count(), again.count())
		}
	})
}

// What is done with one sketch, and the bytes that it is stored in.
func BenchmarkSketch(b *testing.B) {
	d := counted(hashes(1, 500_000))
	packed, before := d.encode(), storedBefore(b, hashes(1, 500_000))
	b.Run("merge packed", func(b *testing.B) {
		for b.Loop() {
			_ = d.mergeStored(packed)
		}
		b.ReportMetric(float64(len(packed)), "stored-bytes")
	})
	b.Run("merge of 0.1.0", func(b *testing.B) {
		for b.Loop() {
			_ = d.mergeStored(before)
		}
		b.ReportMetric(float64(len(before)), "stored-bytes")
	})
	b.Run("pack", func(b *testing.B) {
		for b.Loop() {
			d.encode()
		}
	})
	b.Run("count", func(b *testing.B) {
		for b.Loop() {
			d.count()
		}
	})
}

func BenchmarkAdd(b *testing.B) {
	r, hs := NewRollup("a", "a"), make([][]byte, 100_000)
	for i := range hs {
		hs[i] = deviceHash(i)
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		r.Add(noon, hs[i%len(hs)], false, 0)
	}
}
