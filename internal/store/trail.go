package store

import (
	"time"

	"strongroom/internal/domain"
)

// Trail is the audit trail, as it is read and pruned.
type Trail interface {
	// LastEntry returns the newest entry of a chain, or ErrNotFound. Read
	// inside an Update, it stays the newest until that Update commits.
	LastEntry(chain string) (domain.Entry, error)
	// EachEntry calls fn for every entry of the chain numbered after the given
	// one, in order, until fn returns an error. After math.MinInt64 it begins
	// with the first of all, because a forged entry can have any number.
	EachEntry(chain string, after int64, fn func(domain.Entry) error) error
	// EntriesFrom returns entries of several chains, at most limit of each, in
	// order of number: those numbered Seq or higher (Time has no effect). limit
	// is positive. It is one look-up by chain and number for each chain.
	EntriesFrom(from []domain.EntryPosition, limit int) ([]domain.Entry, error)
	// HashesAt returns, for each of these positions (Time has no effect), the hash of the
	// entry, nil if there is none, and whether the chain has an entry with a higher number.
	// A few statements read all of them.
	HashesAt(positions []domain.EntryPosition) (hashes [][]byte, newer []bool, err error)
	// Chains returns the name of every chain, in order. A forged one may be empty.
	Chains() ([]string, error)
	// Heads returns the newest entry of each chain whose newest entry is of the time
	// since or later, in order of the chains' names. The zero time is before all
	// entries. If several processes append to the store, the cost of a call grows
	// with the number of entries since then, or for the zero time with the number of
	// chains.
	Heads(since time.Time) ([]domain.Entry, error)
	// DeleteEntries removes the oldest entries of a chain: at most limit of
	// those numbered up to upTo, and never the newest entry of the chain. It
	// returns how many it removed. limit is positive. Nothing else removes or
	// changes an entry.
	DeleteEntries(chain string, upTo int64, limit int) (deleted int, err error)
	// ChainForm returns the newest form of verdicts that the process of a chain reads: 1
	// for versions 0.9.0 to 0.11.0, or [ShortForm]. It returns ErrNotFound for a chain
	// without a number, as versions up to 0.8.0 begin them. Verdicts are stored in the
	// form of the store's first chain.
	ChainForm(chain string) (int64, error)
	// UnnamedVerdicts returns numbers, at most limit, that are stored with verdicts and
	// that no chain has. Nothing that Strongroom writes leaves such a number.
	UnnamedVerdicts(limit int) ([]int64, error)
	// NumberChain gives a chain a number if it has none, and sets its form to [ShortForm].
	NumberChain(chain string) error
	// Partitions returns the partitions of the trail in which no further chain can begin,
	// the oldest first. An engine without partitions returns none.
	Partitions() ([]Partition, error)
	// MoveNext moves the verdict that follows upTo in each chain out of a partition, to the
	// entries that are not verdicts. It reports whether the partition can be dropped then.
	// If a chain has a later verdict, it cannot, and MoveNext moves nothing.
	MoveNext(p Partition, upTo map[string]int64) (bool, error)
	// DropPartition removes the verdicts of a partition at once, and reports whether it
	// did. It removes nothing if a chain has a verdict after upTo. All entries that are not
	// verdicts stay: DeleteEntries removes them. moved is how long ago MoveNext ended.
	// Call MoveNext after the statements of the prune were written. While a transaction
	// that began before MoveNext ended runs, or others use the table, DropPartition returns
	// ErrUnavailable.
	DropPartition(p Partition, upTo map[string]int64, moved time.Duration) (bool, error)
}

// ShortForm is the form of verdicts with short hashes and digests.
const ShortForm = 2

// Partition is a part of the trail that an engine can remove at once.
type Partition struct {
	Name   string
	Chains []string // their verdicts are in it
}

// Appends write what a unit of work ends with.
type Appends interface {
	// InsertEntry appends an entry, or fails with ErrConflict if the chain
	// has one of this number already.
	InsertEntry(domain.Entry) error
	// ShortVerdicts reports whether all running processes read verdicts with short
	// hashes and digests.
	ShortVerdicts() bool
	// WriteBatch writes rows, each of which follows an earlier row. If an
	// earlier row is no longer the one that it follows, the transaction fails
	// with ErrConflict. An engine may send the rows with the next statement or
	// with the commit, and report the conflict then.
	WriteBatch(b Batch) error
}

// Batch is what a unit of work writes last.
type Batch struct {
	// Attempts are written if the stored version is still the one before (no row,
	// for version 1).
	Attempts []domain.Attempts
	// Entries are appended if their chain has none of this number.
	Entries []domain.Entry
	// HeadUnread says that this transaction did not read the entry that the first
	// of Entries follows. It is then appended only if the newest entry of its chain
	// has the hash in Prev.
	HeadUnread bool
	// Events are added to the outbox if their partition has none of this number.
	Events []domain.OutboxEvent
}

// EntryLists are the trail as operators search it: newest entry first, in
// falling order of time, chain and number, from the first one below the given
// position (zero: from the newest) down to those of the time from. What one call
// costs depends on its limit, which is positive, and not on the trail's length.
type EntryLists interface {
	// Entries returns all of them.
	Entries(from time.Time, below domain.EntryPosition, limit int) ([]domain.Entry, error)
	// Oldest returns the time of the oldest entry, or ErrNotFound.
	Oldest() (time.Time, error)
	// EntriesOfAccount returns those with this keyed hash of an account.
	EntriesOfAccount(account []byte, from time.Time, below domain.EntryPosition, limit int) ([]domain.Entry, error)
	// EntriesOfRequest returns those of this request, at most limit, among the
	// next examine entries. It also returns the last entry that it examined, or
	// zero if there are no more.
	EntriesOfRequest(requestID string, from time.Time, below domain.EntryPosition, examine, limit int) (found []domain.Entry, last domain.EntryPosition, err error)
	// EntriesOfEvent returns those of this event. Its cost is bounded for events
	// that [domain.Event.Rare] reports; for others it fails.
	EntriesOfEvent(event domain.Event, from time.Time, below domain.EntryPosition, limit int) ([]domain.Entry, error)
	// NewestOfEvents returns the newest entries of several such events, at most limit
	// of each, in one round trip. Those of one event are in order, newest first.
	NewestOfEvents(events []domain.Event, limit int) ([]domain.Entry, error)
}
