package audit

import (
	"bytes"
	"cmp"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"strongroom/internal/domain"
)

// Checkpoint is the heads of all chains at one time. It is signed, and kept where
// an insider cannot write. Every entry that it names must stay in the trail with
// the same hash, and that hash covers all entries before it.
//
// Its form is a signed note (golang.org/x/mod/sumdb/note) whose text is
//
//	strongroom/HOME          the store, by the name of its first chain
//	N                        how many chains
//	ROOT                     base64 of the Merkle tree hash (RFC 6962) over
//	                         the N last lines, each without its line end
//	time TIME                RFC 3339, to the microsecond, of the store's clock
//	chain NAME SEQ HASH      the last entry of a chain and its hash in
//	                         hexadecimal; in bytewise order of names
//
// The first three lines are those of a transparency log's checkpoint. But the
// tree is over the heads, not over the entries: it does not only grow, so there is
// no consistency proof between two roots. The root serves to compare two
// checkpoints, and the trail keeps it.
type Checkpoint struct {
	Home  string // the first chain of the store
	Time  time.Time
	Heads []Head
}

const (
	originPrefix = "strongroom/"

	// maxNoteChains bounds a note, which has at most 1,000,000 bytes. With more
	// chains, a checkpoint is several notes.
	maxNoteChains = 4096
	maxChainName  = 100
)

// noteTime always has its microseconds, so that lines sort as times do.
const noteTime = "2006-01-02T15:04:05.000000Z"

// ChainError says why a trail must not be signed: the last entry of a chain was
// changed, or the chain differs from an earlier checkpoint.
type ChainError struct {
	Chain string
	text  string
}

func (e *ChainError) Error() string { return e.text }

// Take reads the heads of all chains. It fails with a [ChainError] if one of
// them is forged: a signature must not confirm it.
func Take(r interface {
	Now() time.Time
	Heads(since time.Time) ([]domain.Entry, error)
}, key MAC, home string) (Checkpoint, error) {
	c := Checkpoint{Home: home, Time: r.Now()}
	heads, err := r.Heads(time.Time{})
	if err != nil {
		return c, fmt.Errorf("reading the heads of the audit trail: %w", err)
	}
	for _, head := range heads {
		chain := head.Chain
		if !Genuine(key, head) || !isChainName(chain) {
			return c, &ChainError{chain, fmt.Sprintf("the last entry of chain %s of the audit trail, %d, was changed: run strongroom audit verify", printable(chain), head.Seq)}
		}
		c.Heads = append(c.Heads, Head{chain, head.Seq, head.Hash})
	}
	slices.SortFunc(c.Heads, func(x, y Head) int { return cmp.Compare(x.Chain, y.Chain) })
	return c, nil
}

// isChainName reports whether a name is one word of a line.
func isChainName(name string) bool {
	return name != "" && len(name) <= maxChainName && domain.IsVisible(name)
}

// Root is the Merkle tree hash over the heads.
func (c Checkpoint) Root() []byte {
	root := treeHash(c.lines())
	return root[:]
}

func (c Checkpoint) lines() []string {
	lines := make([]string, len(c.Heads))
	for i, h := range c.Heads {
		lines[i] = fmt.Sprintf("chain %s %d %x", h.Chain, h.Seq, h.Hash)
	}
	return lines
}

func treeHash(leaves []string) tlog.Hash {
	var stored []tlog.Hash
	read := tlog.HashReaderFunc(func(indexes []int64) ([]tlog.Hash, error) {
		hashes := make([]tlog.Hash, len(indexes))
		for i, index := range indexes {
			hashes[i] = stored[index]
		}
		return hashes, nil
	})
	for n, leaf := range leaves {
		more, err := tlog.StoredHashes(int64(n), []byte(leaf), read)
		if err != nil {
			panic(err) // it is a slice that is read
		}
		stored = append(stored, more...)
	}
	root, err := tlog.TreeHash(int64(len(leaves)), read)
	if err != nil {
		panic(err)
	}
	return root
}

// Sign returns the checkpoint as a signed note. With more than 4,096 chains it
// returns several notes, one after the other.
func (c Checkpoint) Sign(signer note.Signer) ([]byte, error) {
	var out []byte
	for heads := range slices.Chunk(c.Heads, maxNoteChains) {
		part := Checkpoint{c.Home, c.Time, heads}
		signed, err := note.Sign(&note.Note{Text: part.text()}, signer)
		if err != nil {
			return nil, fmt.Errorf("signing a checkpoint: %w", err)
		}
		out = append(out, signed...)
	}
	return out, nil
}

func (c Checkpoint) text() string {
	lines := c.lines()
	var b strings.Builder
	fmt.Fprintf(&b, "%s%s\n%d\n%s\ntime %s\n", originPrefix, c.Home, len(lines), treeHash(lines), c.Time.UTC().Format(noteTime))
	for _, line := range lines {
		b.WriteString(line + "\n")
	}
	return b.String()
}

var errNotCheckpoint = errors.New("it is not a checkpoint")

// parseCheckpoint reads the text of a note. It accepts only what [Checkpoint]
// writes: writing the result again gives the same bytes.
func parseCheckpoint(text string) (Checkpoint, error) {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if len(lines) < 4 || !strings.HasPrefix(lines[0], originPrefix) {
		return Checkpoint{}, errNotCheckpoint
	}
	at, err := time.Parse("time "+noteTime, lines[3])
	if err != nil {
		return Checkpoint{}, errNotCheckpoint
	}
	c := Checkpoint{Home: lines[0][len(originPrefix):], Time: at}
	for i, line := range lines[4:] {
		h, ok := parseHead(line)
		if !ok || i > 0 && h.Chain <= c.Heads[i-1].Chain {
			return Checkpoint{}, errNotCheckpoint
		}
		c.Heads = append(c.Heads, h)
	}
	if c.text() != text {
		return Checkpoint{}, errNotCheckpoint // usually a wrong number of chains or a wrong root
	}
	return c, nil
}

func parseHead(line string) (Head, bool) {
	words := strings.Split(line, " ")
	if len(words) != 4 || words[0] != "chain" || !isChainName(words[1]) {
		return Head{}, false
	}
	seq, err := strconv.ParseInt(words[2], 10, 64)
	hash, err2 := hex.DecodeString(words[3])
	return Head{words[1], seq, hash}, err == nil && err2 == nil && seq > 0 && len(hash) > 0
}

// Since reports whether the trail has new entries since an earlier checkpoint,
// other than ties and checkpoints. The zero Checkpoint means that there is none.
// Since fails with a [ChainError] if an entry that the earlier checkpoint names is
// missing and no prune removed it: such a trail must not be signed.
func (c Checkpoint) Since(r Growing, key MAC, earlier Checkpoint) (news bool, err error) {
	if earlier.Home != "" && earlier.Home != c.Home {
		return false, &ChainError{c.Home, "the audit trail was exchanged: the last checkpoint is of another store, " + printable(earlier.Home)}
	}
	now := map[string]int64{}
	for _, h := range c.Heads {
		now[h.Chain] = h.Seq
	}
	told := map[string]Head{}
	for _, h := range earlier.Heads {
		told[h.Chain] = h
		if now[h.Chain] < h.Seq {
			return false, errCut(h)
		}
	}
	for _, h := range c.Heads {
		last := told[h.Chain]
		if last.Seq == h.Seq && bytes.Equal(last.Hash, h.Hash) || last.Seq == 0 && news {
			continue // nothing to compare, and nothing to find out
		}
		found := last.Seq == 0
		err := r.EachEntry(h.Chain, max(last.Seq-1, 0), func(e domain.Entry) error {
			switch {
			case e.Seq < last.Seq, e.Seq == last.Seq && !bytes.Equal(e.Hash, last.Hash):
				return errCut(last)
			case e.Seq == last.Seq:
				found = true
				return nil
			case found && (e.Event == domain.EventCheckpoint || e.Event == domain.EventChainTied):
				return nil
			}
			news = true
			return errStop
		})
		if err == nil || errors.Is(err, errStop) {
			err = nil
			if !found {
				err = pruned(r, key, last)
			}
		}
		if err != nil {
			return false, err
		}
	}
	return news, nil
}

// Growing is what [Checkpoint.Since] reads.
type Growing interface {
	EachEntry(chain string, after int64, fn func(domain.Entry) error) error
	EntriesOfEvent(event domain.Event, from time.Time, below domain.EntryPosition, limit int) ([]domain.Entry, error)
}

// pruned fails unless a statement says that a prune removed the entry.
func pruned(r Growing, key MAC, h Head) error {
	upTo := int64(0)
	err := eachOf(r, domain.EventPruned, func(e domain.Entry) {
		if chain, ok := statementAbout(key, e); ok && chain == h.Chain {
			upTo = max(upTo, e.Version)
		}
	})
	if err == nil && upTo < h.Seq {
		err = errCut(h)
	}
	return err
}

func errCut(h Head) error {
	return &ChainError{h.Chain, fmt.Sprintf("the audit trail was cut off or exchanged: entry %d of chain %s is not the one that an earlier checkpoint holds", h.Seq, printable(h.Chain))}
}
