package audit

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"

	"strongroom/internal/domain"
)

// Continuation reads the entries that follow the heads of a store, from exports and
// archives of its trail: what happened after a backup was made. Not safe for
// concurrent use.
type Continuation struct {
	key   Keys
	heads map[string]continued
	// Meets reports whether the files have a head of the store, or the entry after one. No
	// file of another store has them.
	Meets bool
	Read  int64 // entries that follow the heads
	// Unknown is how many entries could not be checked, because a data key that is newer
	// than the store made them. All later entries of their chain are counted too.
	Unknown int64
	// Strange is how many entries could not be checked in chains that the store does not
	// know and that begin with such an entry, and StrangeChains is the number of these
	// chains. Unknown does not include them.
	Strange       int64
	StrangeChains int
	unknown       map[string]bool // chains with entries that could not be checked; true: the chain is strange
}

// continued is how far the files have continued a chain.
type continued struct {
	reached
	ofStore bool // it is still the head of the store
}

// Limits for entries that cannot be checked, so that invented ones cannot fill the
// memory: for all of them, and for the hash of each, in bytes.
const (
	maxUnknownChains = 100_000
	maxHash          = 1 + 4 + sha256.Size
)

// Keys are the data keys that make the hashes of a trail.
type Keys interface {
	MAC
	// Knows reports whether one of them made mac, by the key that it names.
	Knows(mac []byte) bool
}

// ContinueFrom returns a Continuation of a store with these heads, one for each
// chain.
func ContinueFrom(heads []domain.Entry, key Keys) *Continuation {
	c := &Continuation{key: key, heads: map[string]continued{}, unknown: map[string]bool{}}
	for _, head := range heads {
		c.heads[head.Chain] = continued{reached{head.Seq, head.Hash}, true}
	}
	return c
}

// Follow calls fn for each entry of a file that follows the heads, in the order of the
// file. The next file goes on where this one ends. It fails if an entry was changed or
// is missing, or if the file is of another store.
func (c *Continuation) Follow(from io.Reader, fn func(domain.Entry)) error {
	lines := bufio.NewScanner(from)
	lines.Buffer(nil, maxArchiveLine)
	for n := 1; lines.Scan(); n++ {
		e, err := parseLine(lines.Bytes())
		if err != nil && lines.Err() != nil {
			break // it is the part of a line before the error
		}
		if err != nil {
			return fmt.Errorf("line %d is no line of an export or archive", n)
		}
		follows, err := c.next(e)
		if err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
		if follows {
			fn(e)
		}
	}
	return lines.Err()
}

// next reports whether an entry follows the heads, and makes it the head of its chain.
func (c *Continuation) next(e domain.Entry) (bool, error) {
	head := c.heads[e.Chain] // the zero value begins a chain
	switch {
	case e.Seq < head.Seq:
		return false, nil
	case e.Seq == head.Seq && bytes.Equal(e.Hash, head.Hash):
		c.Meets = c.Meets || head.ofStore
		return false, nil
	case e.Seq == head.Seq:
		return false, fmt.Errorf("entry %d of chain %s is another one in the backup: the file belongs to another database or was changed", e.Seq, printable(e.Chain))
	case e.Seq != head.Seq+1:
		return false, fmt.Errorf("entry %d of chain %s is missing before entry %d: give the exports and archives from the time of the backup on, oldest first", head.Seq+1, printable(e.Chain), e.Seq)
	case !bytes.Equal(e.Prev, head.Hash):
		return false, fmt.Errorf("entry %d of chain %s does not follow the one before it", e.Seq, printable(e.Chain))
	}
	c.Meets = c.Meets || head.ofStore
	if _, unknown := c.unknown[e.Chain]; unknown || !c.key.Knows(e.Hash) {
		return false, c.skip(e, head.Seq == 0)
	}
	if !Genuine(c.key, e) {
		return false, fmt.Errorf("entry %d of chain %s was changed", e.Seq, printable(e.Chain))
	}
	c.heads[e.Chain] = continued{reached{e.Seq, e.Hash}, false}
	c.Read++
	return true, nil
}

// skip makes an entry that cannot be checked the head of its chain. begins says that the
// entry is the first one of a chain that the store does not know.
func (c *Continuation) skip(e domain.Entry, begins bool) error {
	if !isChainName(e.Chain) || len(e.Hash) > maxHash {
		return errors.New("it is no entry of a trail")
	}
	if _, again := c.unknown[e.Chain]; !again {
		if c.unknown[e.Chain] = begins; len(c.unknown) > maxUnknownChains {
			return fmt.Errorf("more than %d chains have entries of data keys that are newer than the backup: give only the part before this line", maxUnknownChains)
		}
		if begins {
			c.StrangeChains++
		}
	}
	if c.heads[e.Chain] = (continued{reached{e.Seq, e.Hash}, false}); c.unknown[e.Chain] {
		c.Strange++
	} else {
		c.Unknown++
	}
	return nil
}
