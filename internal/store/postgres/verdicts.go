package postgres

import (
	"errors"
	"sync/atomic"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/store"
	"strongroom/internal/store/sqltx"
)

// Instances of the previous version may run beside this one, and do not read the newest form
// of verdicts. So all instances write the form that the store's first chain has. That chain
// gets the newest form when the store is created, or when the chains of all running
// instances have it: see [trail.Upkeep.UseShortVerdicts]. From then on, no older instance can
// start, because the schema is newer than it knows.

// verdictForm is what a store knows about the form of its first chain.
type verdictForm struct {
	form    atomic.Int64
	checked atomic.Int64 // when it was last read: Unix seconds
}

// formChecked is how long a store uses an older form before it reads it again, in seconds.
const formChecked = 60

// verdictForm returns the form in which verdicts are written. 0: write them to audit_log.
func (t *tx) verdictForm() int64 {
	f, now := &t.s.verdicts, time.Now().Unix()
	if form := f.form.Load(); form >= store.ShortForm || now-f.checked.Load() < formChecked {
		return form
	}
	form := int64(0)
	chain, err := t.Setting(store.HomeSetting)
	if err == nil {
		form, err = t.ChainForm(string(chain))
	}
	if err == nil || errors.Is(err, store.ErrNotFound) {
		f.form.Store(form)
		f.checked.Store(now)
	}
	return form
}

// InsertEntry is that of [store.Appends]. A process begins its chains by it, and learns
// then whether its verdicts will be packed, so that no request waits for that.
func (t *tx) InsertEntry(e domain.Entry) error {
	err := t.Tx.InsertEntry(e)
	if err == nil && e.Event == domain.EventChainBegun && t.s.citus == nil {
		t.verdictForm()
		err = t.err
	}
	return err
}

// appended is the request that appends an entry. next: only if the newest entry of the
// chain is the one that it follows.
func (t *tx) appended(e domain.Entry, next bool) *request {
	args, number := sqltx.VerdictValues(e), int64(0)
	packed := args != nil && t.s.citus == nil && t.verdictForm() > 0
	if packed || next {
		number = t.numberOf(e.Chain)
	}
	switch packed = packed && number > 0; {
	case packed && next:
		return &request{sql: sqlAppendNextVerdict, args: append(args, e.Prev, number)}
	case packed:
		return &request{sql: sqltx.AppendVerdict, args: append([]any{number}, args[2:]...)}
	case next:
		return &request{sql: sqlAppendNext, args: append(sqltx.EntryValues(e), number)}
	}
	return &request{sql: sqltx.AppendEntry, args: sqltx.EntryValues(e)}
}

// numberOf is the number of a chain, or 0 if it has none. Statements get it as an
// argument: if they looked it up, they would open every partition. Once committed, a
// number never changes, so it is read once. A process that was paused for long may have
// lost it: see numberGone.
func (t *tx) numberOf(chain string) int64 {
	if n, known := t.s.numbers.Load(chain); known {
		t.remembers = true
		return n.(int64)
	}
	n, err := t.ChainNumber(chain)
	if err == nil && !t.numbers {
		t.s.numbers.Store(chain, n)
	}
	return n
}

// numberGone reports whether the transaction failed because the partition of a number
// that it remembers was dropped with the number. Then a further run reads it again.
func (t *tx) numberGone(err error) bool {
	if !t.remembers || codeOf(err) != "23514" {
		return false
	}
	t.s.numbers.Clear()
	return true
}
