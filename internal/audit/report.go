package audit

import (
	"bytes"
	"fmt"
	"strconv"
	"time"
)

// Problem is one contradiction between the trail and the store, or inside the
// trail.
type Problem struct {
	Chain  string
	Seq    int64  // the entry; 0 with a Record: none. A forged entry may have any number
	Record string // the record, or ""
	What   string
}

// What a record itself shows, independent of the trail: its MAC is wrong, or a column that
// the MAC does not cover does not match those that it covers.
const (
	whatEdited   = "the record was edited"
	whatSetting  = "the setting was edited"
	whatUnlisted = "locked_to was edited: lists may lack the lock"
)

// Own reports whether the record itself shows the problem. Then it is true even if the
// trail cannot be trusted.
func (p Problem) Own() bool {
	return p.What == whatEdited || p.What == whatSetting || p.What == whatUnlisted
}

func (p Problem) String() string {
	switch {
	case p.Record == "":
		return fmt.Sprintf("chain %s, entry %d: %s", printable(p.Chain), p.Seq, p.What)
	case p.Seq == 0:
		return fmt.Sprintf("%s: %s", printable(p.Record), p.What)
	}
	return fmt.Sprintf("%s: %s (see entry %d of chain %s)", printable(p.Record), p.What, p.Seq, printable(p.Chain))
}

// printable is an id that is safe for a terminal. Ids come from the database, and
// one with escape sequences could write "intact" over the line that names it.
func printable(id string) string {
	if quoted := strconv.QuoteToASCII(id); id == "" || quoted != `"`+id+`"` {
		return quoted
	}
	return id
}

// Head is the newest entry of a chain. A copy of it kept elsewhere shows whether
// the tail of the trail was cut off later.
type Head struct {
	Chain string
	Seq   int64
	Hash  []byte
}

// pin is an entry that a checkpoint names.
type pin struct {
	seq  int64
	hash []byte
}

func (p pin) equal(q pin) bool { return p.seq == q.seq && bytes.Equal(p.hash, q.hash) }

// Cut says that the oldest entries of a chain were removed by a prune, and by
// which.
type Cut struct {
	Chain   string
	Removed int64 // the entries 1 to Removed are gone
	At      time.Time
	By      string // the actor
	Why     string // the reason that was given
	Request string // the request id of the entry that says so

	// Archived is the number of the first removed entry that archives have, with
	// all that follow it unchanged. It is 0 if no archives were checked, or if
	// they have a problem.
	Archived int64

	hash      []byte // of the last entry removed
	pins      []pin  // entries before it that checkpoints hold
	unchecked int    // entries that checkpoints hold and that are older than the archives
}

// Unchecked is how many removed entries are in checkpoints but not in the
// archives that were checked. They cannot be compared any more.
func (c Cut) Unchecked() int { return len(c.pins) + c.unchecked }

// Report is the result of a verification.
type Report struct {
	Entries  int64
	Rows     int64
	Heads    []Head    // of each intact chain
	Cuts     []Cut     // of each chain that was pruned
	Problems []Problem // the first bad entry of each chain, then bad rows; at most maxProblems
}

// Edited adds a record without entries whose MAC does not verify.
func (r *Report) Edited(record string) {
	r.add(Problem{Record: record, What: whatSetting})
}

func (r *Report) add(p Problem) {
	if len(r.Problems) < maxProblems {
		r.Problems = append(r.Problems, p)
	}
}

// maxProblems limits a report: further problems say nothing new.
const maxProblems = 100

// Progress is how far a verification is. It first reads the entries, then the
// records. If there are too many records for one part, it reads the entries and
// records again for each part.
type Progress struct {
	Of          string // "entries" or "records"
	Done, All   int64  // All may turn out to be a few more or less
	Part, Parts int    // from 1; Parts is known once the first part is read
}

// progressEvery is how many rows are read between two calls of progress.
const progressEvery = 100_000
