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

// Held is what checkpoints that were kept elsewhere say about the trail: all of
// them, not only the newest. An attacker who truncates the trail can wait for the
// next checkpoint, which then covers only what is left.
type Held struct {
	Checkpoints int       // the valid ones
	Newest      time.Time // the time of the newest of them

	pins     map[string][]pin // by chain, in the order of entries
	problems []Problem
}

// Limits for a file of checkpoints. The longest line has a chain's name, a number
// and a hash.
const (
	signaturePrefix = "— " // of each line after the text of a note

	maxLine = 1024
	maxNote = 1_000_000 // the limit of the format
)

// ReadCheckpoints reads any number of checkpoints of the store whose first
// chain is home, one after the other. A bad one becomes a problem in the report of
// [VerifyHeld]; the others still count. The error is a failure to read, or that
// there was no checkpoint. Memory holds one checkpoint at a time, and one pin for
// each entry that any of them names.
func ReadCheckpoints(from io.Reader, home string, by note.Verifier) (*Held, error) {
	h := &Held{pins: map[string][]pin{}}
	lines := bufio.NewScanner(from)
	lines.Buffer(nil, maxLine)
	var text []byte
	line, begin, signed := 0, 0, false
	for lines.Scan() {
		line++
		wasSigned := signed
		signed = bytes.HasPrefix(lines.Bytes(), []byte(signaturePrefix))
		// A torn checkpoint may lack a part of its prefix. It must not spoil the one before it.
		if bytes.HasPrefix(lines.Bytes(), []byte(originPrefix)) || wasSigned && !signed {
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

// take adds one note, which begins at this line.
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

// Problems of a checkpoint, and of the trail compared with it.
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
			h.pins[strings.Clone(head.Chain)] = append(pins, p) // so that the whole note is not kept in memory
		}
	}
}

// against compares a chain, read in order, with its pins.
type against struct {
	pins    []pin
	differs bool // once is enough: all later entries differ too
}

// entry reports whether e is the first entry that differs from a checkpoint.
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

// removed returns and drops the pins on entries that a prune removed.
func (a *against) removed(last int64) []pin {
	n := sort.Search(len(a.pins), func(i int) bool { return a.pins[i].seq >= last })
	gone := a.pins[:n]
	a.pins = a.pins[n:]
	return gone
}

// cut reports whether entries that a checkpoint names are missing at the end.
func (a *against) cut() bool { return len(a.pins) > 0 && !a.differs }
