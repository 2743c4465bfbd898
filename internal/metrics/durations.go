package metrics

import (
	"encoding/binary"
	"errors"

	"strongroom/internal/domain"
)

// formSteps is the first byte of stored durations, the format. It is followed
// by a pair of numbers for each step with durations, in increasing order: how
// many empty steps are between it and the previous one, and how many durations
// it has. Both are unsigned varints (encoding/binary) in their shortest form. A
// bucket without durations is empty. Most buckets have 20 to 70 steps, of 2 to
// 3 bytes each.
const formSteps = 1

// maxTimed is the most durations that a stored bucket can have: more than 4
// weeks of a million each second, and few enough that no sum of buckets
// overflows.
const maxTimed = 1 << 42

var errDurations = errors.New("damaged durations")

// encodeDurations returns the form that mergeDurations reads.
func encodeDurations(d *domain.Durations) []byte {
	var out []byte
	next := 0
	for step, n := range d {
		if n == 0 {
			continue
		}
		if out == nil {
			out = []byte{formSteps}
		}
		out = binary.AppendUvarint(out, uint64(step-next))
		out = binary.AppendUvarint(out, uint64(n)) //nolint:gosec // a count
		next = step + 1
	}
	return out
}

// mergeDurations adds the durations in the result of encodeDurations. It
// accepts nothing else: for other bytes it returns errDurations and adds
// nothing.
func mergeDurations(d *domain.Durations, b []byte) error {
	if len(b) == 0 {
		return nil
	}
	if b[0] != formSteps || len(b) == 1 {
		return errDurations
	}
	var found domain.Durations
	all, next := uint64(0), uint64(0)
	for rest := b[1:]; len(rest) > 0; {
		passed, a := shortest(rest)
		n, b := shortest(rest[a:])
		step := next + passed
		if a == 0 || b == 0 || n == 0 || n > maxTimed || passed >= uint64(len(found)) || step >= uint64(len(found)) {
			return errDurations
		}
		if all += n; all > maxTimed {
			return errDurations
		}
		found[step] = int64(n) //nolint:gosec // bounded above
		next, rest = step+1, rest[a+b:]
	}
	d.Merge(&found)
	return nil
}

// shortest decodes a varint in its shortest form, and returns its size in
// bytes. For other bytes the size is 0.
func shortest(b []byte) (v uint64, size int) {
	v, size = binary.Uvarint(b)
	if size <= 0 || size > 1 && b[size-1] == 0 {
		return 0, 0
	}
	return v, size
}
