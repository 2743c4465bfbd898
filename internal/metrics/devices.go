package metrics

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/axiomhq/hyperloglog"
)

// maxExact is up to how many devices a count is exact. The sketch alone would
// not do: even its sparse form keeps 25 bits of each hash only, so that of a
// thousand devices two collide in one case of seventy. That form is not used
// beyond maxExact either: merging it takes twenty times as long as registers.
const maxExact = 1000

// precision of the sketch: 2^16 registers of a byte, a standard error of
// 0.41 %. The promised 2 % are then almost five standard errors away.
const precision = 16

// The encoded form is empty for no devices; else its first byte says what
// follows, so that a later form can be told apart.
const (
	formExact  = 1 // 1 to maxExact hashes, each eight bytes big-endian, strictly rising
	formSketch = 2 // a dense HyperLogLog sketch in the library's binary form, version 2
)

var errDevices = errors.New("damaged device sketch")

// devices counts distinct devices by their keyed 64-bit hashes: exactly while
// there are at most maxExact, by a mergeable sketch beyond. The zero value has
// none. Its methods must not run concurrently.
type devices struct {
	exact  []uint64            // sorted; used while sketch is nil
	sketch *hyperloglog.Sketch // all devices, once there were more than maxExact
}

// insert adds one device. The hash must be keyed: whoever could choose hashes
// could make a few devices look like millions.
func (d *devices) insert(hash uint64) {
	if d.sketch != nil {
		d.sketch.InsertHash(hash)
		return
	}
	i, found := slices.BinarySearch(d.exact, hash)
	switch {
	case found:
	case len(d.exact) < maxExact:
		d.exact = slices.Insert(d.exact, i, hash)
	default:
		d.approximate()
		d.sketch.InsertHash(hash)
	}
}

// merge adds every device of o and leaves o as it is.
func (d *devices) merge(o *devices) {
	if o.sketch == nil {
		for _, hash := range o.exact {
			d.insert(hash)
		}
		return
	}
	d.approximate()
	if err := d.sketch.Merge(o.sketch); err != nil {
		panic(err) // two precisions: decodeDevices lets in none but ours
	}
}

// approximate changes over from exact hashes to the sketch.
func (d *devices) approximate() {
	if d.sketch != nil {
		return
	}
	d.sketch = hyperloglog.New16NoSparse()
	for _, hash := range d.exact {
		d.sketch.InsertHash(hash)
	}
	d.exact = nil
}

// count is how many distinct devices were inserted.
func (d *devices) count() int64 {
	if d.sketch != nil {
		return int64(d.sketch.Estimate()) //nolint:gosec // at most 2^64/2^16 registers' worth: far below 2^63
	}
	return int64(len(d.exact))
}

// encode returns the form that decodeDevices reads.
func (d *devices) encode() ([]byte, error) {
	if d.sketch != nil {
		out, err := d.sketch.AppendBinary([]byte{formSketch})
		if err != nil {
			return nil, fmt.Errorf("encoding device sketch: %w", err)
		}
		return out, nil
	}
	if len(d.exact) == 0 {
		return nil, nil
	}
	out := make([]byte, 1, 1+8*len(d.exact))
	out[0] = formExact
	for _, hash := range d.exact {
		out = binary.BigEndian.AppendUint64(out, hash)
	}
	return out, nil
}

// decodeDevices reads what encode wrote, or fails with errDevices. Whatever b
// holds, it allocates no more than len(b).
func decodeDevices(b []byte) (devices, error) {
	switch {
	case len(b) == 0:
		return devices{}, nil
	case b[0] == formExact:
		return decodeExact(b[1:])
	case b[0] == formSketch:
		return decodeSketch(b[1:])
	}
	return devices{}, errDevices
}

func decodeExact(b []byte) (devices, error) {
	if len(b)%8 != 0 || len(b) == 0 || len(b) > 8*maxExact {
		return devices{}, errDevices
	}
	d := devices{exact: make([]uint64, len(b)/8)}
	for i := range d.exact {
		d.exact[i] = binary.BigEndian.Uint64(b[8*i:])
		if i > 0 && d.exact[i] <= d.exact[i-1] {
			return devices{}, errDevices
		}
	}
	return d, nil
}

func decodeSketch(b []byte) (devices, error) {
	// The library takes other precisions, which could not be merged, and other
	// forms, which are larger in memory than in bytes. The length it checks.
	if !bytes.HasPrefix(b, []byte{2, precision, 0, 0}) {
		return devices{}, errDevices
	}
	sketch := new(hyperloglog.Sketch)
	if err := sketch.UnmarshalBinary(b); err != nil {
		return devices{}, errDevices
	}
	return devices{sketch: sketch}, nil
}
