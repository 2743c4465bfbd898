package audit

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"sort"
	"strings"
	"time"

	"golang.org/x/mod/sumdb/note"

	"strongroom/internal/domain"
)

// Held is what checkpoints that were kept elsewhere say of the trail: all of
// them, not the newest alone. An attacker who truncates the trail can wait for the
// next checkpoint, which then covers only what is left.
type Held struct {
	Checkpoints int       // that are good
	Newest      time.Time // of those

	pins     map[string][]pin // by chain, in the order of entries
	problems []Problem
}

// Bounds of a file of checkpoints that is read. A line is a chain's name, a
// number and a hash at most.
const (
	maxLine = 1024
	maxNote = 1_000_000 // as in the format of notes
)

// ReadCheckpoints reads any number of checkpoints of the store whose first
// chain is home, one after the other. A bad one is a problem of the report that
// [VerifyHeld] makes; the others count all the same. The error is of reading,
// or says that there was none at all. It holds one checkpoint in memory at a
// time, and one pin for every entry that any of them names.
func ReadCheckpoints(from io.Reader, home string, by note.Verifier) (*Held, error) {
	h := &Held{pins: map[string][]pin{}}
	lines := bufio.NewScanner(from)
	lines.Buffer(nil, maxLine)
	var text []byte
	line, begin := 0, 0
	for lines.Scan() {
		line++
		if bytes.HasPrefix(lines.Bytes(), []byte(originPrefix)) {
			h.take(text, begin, home, by)
			text = text[:0]
		}
		if len(text) == 0 {
			begin = line
		}
		if len(text) <= maxNote { // one byte too many is enough to refuse it
			text = append(append(text, lines.Bytes()...), '\n')
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("reading checkpoints, after line %d: %w", line, err)
	}
	h.take(text, begin, home, by)
	if h.Checkpoints == 0 && len(h.problems) == 0 {
		return nil, errors.New("there is no checkpoint in it")
	}
	for chain, pins := range h.pins {
		slices.SortStableFunc(pins, func(x, y pin) int { return cmp.Compare(x.seq, y.seq) })
		h.pins[chain] = slices.CompactFunc(pins, pin.equal)
	}
	return h, nil
}

// take takes in one note, which begins in a line of this number.
func (h *Held) take(text []byte, line int, home string, by note.Verifier) {
	text = bytes.Trim(text, "\n")
	if len(text) == 0 {
		return
	}
	bad := Problem{Record: fmt.Sprintf("checkpoint in line %d", line)}
	c, err := OpenCheckpoint(append(text, '\n'), by)
	var unsigned *note.UnverifiedNoteError
	var forged *note.InvalidSignatureError
	switch {
	case errors.As(err, &unsigned):
		bad.What = whatUnsigned
	case errors.As(err, &forged):
		bad.What = whatForged
	case err != nil:
		bad.What = whatNoNote
	case c.Home != home:
		bad.What = whatForeign
	default:
		h.Checkpoints++
		h.pin(c)
		return
	}
	if len(h.problems) < maxProblems {
		h.problems = append(h.problems, bad)
	}
}

// What can be wrong with a checkpoint, and with the trail beside it.
const (
	whatUnsigned = "it is not signed by the key that was given"
	whatForged   = "it was changed since it was signed"
	whatNoNote   = "it is not a whole checkpoint"
	whatForeign  = "it belongs to another database"
	whatCut      = "the chain was cut off before an entry that a checkpoint holds"
	whatOther    = "the entry is not the one that a checkpoint holds"
)

// OpenCheckpoint reads one note of a checkpoint that the verifier's key signed.
func OpenCheckpoint(signed []byte, by note.Verifier) (Checkpoint, error) {
	n, err := note.Open(signed, note.VerifierList(by))
	if err != nil {
		return Checkpoint{}, err
	}
	return parseCheckpoint(n.Text)
}

func (h *Held) pin(c Checkpoint) {
	if c.Time.After(h.Newest) {
		h.Newest = c.Time
	}
	for _, head := range c.Heads {
		p := pin{head.Seq, head.Hash}
		pins := h.pins[head.Chain]
		if len(pins) == 0 || !pins[len(pins)-1].equal(p) {
			h.pins[strings.Clone(head.Chain)] = append(pins, p) // the name alone, not the note that it is a part of
		}
	}
}

// against holds a chain that is read in order against the pins on it.
type against struct {
	pins    []pin
	differs bool // once is enough: all that follow differ too
}

// entry reports whether e is the first entry that a checkpoint knows otherwise.
func (a *against) entry(e domain.Entry) bool {
	same := true
	for ; len(a.pins) > 0 && a.pins[0].seq <= e.Seq; a.pins = a.pins[1:] {
		same = same && bytes.Equal(a.pins[0].hash, e.Hash)
	}
	if same || a.differs {
		return false
	}
	a.differs = true
	return true
}

// removed takes away the pins on entries before the last that a prune removed.
func (a *against) removed(last int64) []pin {
	n := sort.Search(len(a.pins), func(i int) bool { return a.pins[i].seq >= last })
	gone := a.pins[:n]
	a.pins = a.pins[n:]
	return gone
}

// cut reports whether entries that a checkpoint knows have not come.
func (a *against) cut() bool { return len(a.pins) > 0 && !a.differs }
