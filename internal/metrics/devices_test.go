package metrics

import (
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

// stored takes d through its stored form.
func stored(t testing.TB, d *devices) *devices {
	t.Helper()
	b, err := d.encode()
	if err != nil {
		t.Fatal(err)
	}
	got, err := decodeDevices(b)
	if err != nil {
		t.Fatal(err)
	}
	return &got
}

func TestDevicesAreCountedExactlyUpToAThousand(t *testing.T) {
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
	for _, n := range []int{1001, 10_000, 30_000, 40_000, 100_000} {
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

func TestMergingLeavesTheOtherCountAsItIs(t *testing.T) {
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

func TestDamagedDeviceSketchesAreRefused(t *testing.T) {
	exact, _ := counted(hashes(1, 3)).encode()
	unsorted := append([]byte{formExact}, append(exact[9:17:17], exact[1:9]...)...)
	sketch, _ := counted(hashes(1, 2000)).encode()
	library := hyperloglog.New16()
	library.InsertHash(1)
	sparse, _ := library.AppendBinary([]byte{formSketch})
	with := func(b []byte, at int, v byte) []byte {
		b = append([]byte(nil), b...)
		b[at] = v
		return b
	}
	for name, b := range map[string][]byte{
		"unknown form":        {9, 1, 2},
		"form alone":          {formExact},
		"torn hash":           exact[:len(exact)-1],
		"hashes out of order": unsorted,
		"a hash twice":        append(append([]byte(nil), exact...), exact[len(exact)-8:]...),
		"too many exact":      make([]byte, 1+8*(maxExact+1)),
		"sketch form alone":   {formSketch},
		"cut sketch":          sketch[:len(sketch)-1],
		"longer sketch":       append(append([]byte(nil), sketch...), 0),
		"older library form":  with(sketch, 1, 1),
		"other precision":     with(sketch, 2, 14),
		"sparse library form": sparse,
		"impossible register": with(sketch, 100, 63),
		"declares a huge set": binary.BigEndian.AppendUint32([]byte{formSketch, 2, precision, 0, 1}, math.MaxUint32),
	} {
		if _, err := decodeDevices(b); !errors.Is(err, errDevices) {
			t.Errorf("%s: got %v, want errDevices", name, err)
		}
	}
}

// Whatever is stored either is refused or is a count that can be stored again
// and stays the same; and the memory it takes is bounded by its own length.
func FuzzDevices(f *testing.F) {
	for _, n := range []int{0, 1, 3, 1001} {
		b, _ := counted(hashes(1, n)).encode()
		f.Add(b)
	}
	f.Add([]byte{formSketch, 2, precision, 0, 1, 0xff, 0xff, 0xff, 0xff})
	f.Fuzz(func(t *testing.T, b []byte) {
		d, err := decodeDevices(b)
		if err != nil {
			return
		}
		again := stored(t, &d)
		if d.count() != again.count() {
			t.Errorf("counted %d, stored again %d", d.count(), again.count())
		}
		again.merge(&d)
		if d.count() != again.count() {
			t.Errorf("counted %d, merged with itself %d", d.count(), again.count())
		}
	})
}
