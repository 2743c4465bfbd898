package metrics

import (
	"encoding/binary"
	"errors"

	"strongroom/internal/domain"
)

// formSteps begins the stored form of durations, so that a later form can be
// told apart. Behind it are, for each step that has any, rising, how many steps
// were passed over since the one before, and how many durations it has. Both
// are unsigned varints (encoding/binary) in their shortest form. A bucket with
// no duration has nothing at all. Most have some twenty to seventy steps, in two
// to three bytes each.
const formSteps = 1

// maxTimed is how many durations a stored bucket can have: more than four weeks
// of a million each second, and so few that no sum of buckets overflows.
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

// mergeDurations adds what encodeDurations returned, and nothing where it
// fails, with errDurations. What it accepts is what encodeDurations returns.
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

// shortest reads a varint that is in its shortest form, and how long it is: 0
// where it is not.
func shortest(b []byte) (v uint64, size int) {
	v, size = binary.Uvarint(b)
	if size <= 0 || size > 1 && b[size-1] == 0 {
		return 0, 0
	}
	return v, size
}
