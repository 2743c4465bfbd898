package domain

import "time"

// Restore is what is known about a restore from a backup.
type Restore struct {
	Made     time.Time // when the backup was made
	Newest   time.Time // of the newest entry of the trail in it
	Heads    string    // SHA-256 of the heads of the trail in it, in hexadecimal
	From, To int64     // the store's epoch before and after
	Witness  string    // the state of the witness for which it is made; "": no start beside a witness accepts it by itself
}

// WitnessState is what a restore finds at the place of the witness.
type WitnessState struct {
	Witness string // where it is; empty: there is no witness
	Problem string // why it cannot be used; empty: it can
	Noted   bool   // it has a note of this database
	State   string // a digest of what is there; empty: it cannot be read
}

// EndedKeys is what a witness knows about device keys that were revoked or rotated.
type EndedKeys struct {
	Witness          string // where it is kept; empty: there is no witness
	Problem          string // why it cannot be read; empty: it can
	Revoked, Rotated int
	Since, Until     time.Time // it has all that ended between the two; zero: it has none
}

// Replayed is what a restore took over from a trail that is newer than the backup.
type Replayed struct {
	Entries  int64 // that follow the backup
	Unknown  int64 // that could not be checked: their MACs need a data key that is newer than the backup
	Revoked  int   // keys
	Rotated  int   // keys
	Erased   int   // accounts
	Moved    int   // accounts that had moved to another database
	Failures int   // failed attempts, counted again
	Locked   int   // attempt counters that they lock
	// Uncounted are failed attempts of accounts that are not in the backup, or whose
	// records were edited.
	Uncounted int
	// Bare are accounts that came back from another database, whose entries do not say how
	// many failures they came with.
	Bare          int
	Marked        int // credentials that must be changed
	Withdrawn     int // signing keys
	SigningErased int // private signing keys that were erased
	// Strange are entries like those of Unknown, in chains that the backup does not know, so
	// nothing shows to which database they belong. StrangeChains is the number of these chains.
	Strange       int64
	StrangeChains int
	// Skipped are newer entries that changed something and were not taken over.
	Skipped  map[Event]int64
	RootKeys map[string]bool // that were removed or replaced, by id: the backup may have them
}
