package metrics

import (
	"encoding/binary"
	"slices"
)

// maxExact is the highest count that is exact. A sketch alone is not, even for
// so few: among 1,000 devices, some share a register.
const maxExact = 1000

// The encoded form is empty if there are no devices. Otherwise its first byte
// is the format.
const (
	formExact  = 1 // 1 to maxExact hashes, each 8 bytes, big-endian, strictly increasing
	formSketch = 2 // sketchHeader and 2^16 registers of one byte; written by 0.1.0, now only read
	formPacked = 3 // registers in the form of sketch.pack
)

// devices counts distinct devices by their keyed 64-bit hashes: exactly up to
// maxExact, and above it with a mergeable sketch. The zero value is empty. Its
// methods must not run concurrently.
type devices struct {
	exact  []uint64 // sorted; used while sketch is nil
	sketch sketch   // all devices, if there were ever more than maxExact
}

// insert adds one device. The hash must be keyed: a client that can choose
// hashes could make a few devices look like millions.
func (d *devices) insert(hash uint64) {
	if d.sketch != nil {
		d.sketch.insert(hash)
		return
	}
	i, found := slices.BinarySearch(d.exact, hash)
	switch {
	case found:
	case len(d.exact) < maxExact:
		d.exact = slices.Insert(d.exact, i, hash)
	default:
		d.approximate()
		d.sketch.insert(hash)
	}
}

// merge adds every device of o. It does not change o.
func (d *devices) merge(o *devices) {
	for _, hash := range o.exact {
		d.insert(hash)
	}
	if o.sketch != nil {
		d.approximate()
		d.sketch.merge(o.sketch)
	}
}

// approximate replaces the exact hashes by a sketch.
func (d *devices) approximate() {
	if d.sketch != nil {
		return
	}
	d.sketch = make(sketch, registers)
	for _, hash := range d.exact {
		d.sketch.insert(hash)
	}
	d.exact = nil
}

// count returns how many distinct devices were inserted.
func (d *devices) count() int64 {
	if d.sketch != nil {
		return d.sketch.estimate()
	}
	return int64(len(d.exact))
}

// encode returns the form that mergeStored reads.
func (d *devices) encode() []byte {
	switch {
	case d.sketch != nil:
		return d.sketch.pack([]byte{formPacked})
	case len(d.exact) == 0:
		return nil
	}
	out := make([]byte, 1, 1+8*len(d.exact))
	out[0] = formExact
	for _, hash := range d.exact {
		out = binary.BigEndian.AppendUint64(out, hash)
	}
	return out
}

// mergeStored adds every device in the result of encode. A summary adds
// hundreds of sketches, so it does not unpack them. If it returns errDevices, it
// has added none. Whatever b contains, it allocates at most one sketch.
func (d *devices) mergeStored(b []byte) error {
	switch {
	case len(b) == 0:
		return nil
	case b[0] == formExact:
		return d.mergeExact(b[1:])
	case b[0] == formSketch && validBytes(b[1:]):
		d.approximate()
		d.sketch.mergeBytes(b[1:])
		return nil
	case b[0] == formPacked && validPacked(b[1:]):
		d.approximate()
		d.sketch.mergePacked(b[1:])
		return nil
	}
	return errDevices
}

func (d *devices) mergeExact(b []byte) error {
	if !validExact(b) {
		return errDevices
	}
	for i := 0; i < len(b); i += 8 {
		d.insert(binary.BigEndian.Uint64(b[i:]))
	}
	return nil
}

func validExact(b []byte) bool {
	for i := 8; i+8 <= len(b); i += 8 {
		if binary.BigEndian.Uint64(b[i:]) <= binary.BigEndian.Uint64(b[i-8:]) {
			return false
		}
	}
	return len(b) > 0 && len(b)%8 == 0
}
