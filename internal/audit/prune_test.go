package audit_test

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"strongroom/internal/audit"
	"strongroom/internal/crypto/seal"
	"strongroom/internal/domain"
	"strongroom/internal/store"
)

// DeleteEntries removes as an engine does.
func (r *rows) DeleteEntries(chain string, upTo int64, limit int) (deleted int) {
	for deleted < limit && len(r.chains[chain]) > 1 && r.chains[chain][0].Seq <= upTo {
		r.chains[chain] = r.chains[chain][1:]
		deleted++
	}
	return deleted
}

// between is what others do while a prune is under way.
func (h *honest) between(t *rapid.T) {
	for range rapid.IntRange(0, 2).Draw(t, "acts beside a prune") {
		h.act(t)
	}
}

// prune prunes up to some time, is interrupted somewhere, and returns how many
// entries it removed.
func (h *honest) prune(t *rapid.T) (removed int) {
	before := time.UnixMicro(rapid.Int64Range(begun, h.now+1).Draw(t, "before"))
	h.prunes++
	act := domain.Entry{RequestID: fmt.Sprint("prune ", h.prunes), Actor: "operator:alice", Outcome: "ok", Reason: "old"}
	all := rapid.Bool().Draw(t, "all is folded")
	limit := func(chain string) (int64, error) {
		if all {
			return int64(h.size(chain)), nil
		}
		return int64(rapid.IntRange(0, h.size(chain)).Draw(t, "folded")), nil
	}
	defer audit.HoldAtMost(rapid.SampledFrom([]int{1, 3, 1000}).Draw(t, "records at a time"))()
	plan, err := audit.PlanPrune(h, h.key, "home", earlier(before), act, limit, nil)
	if err != nil || len(plan.Report.Problems) > 0 {
		t.Fatalf("planning a prune: %v, found %v", err, plan.Report.Problems)
	}
	stop := rapid.SampledFrom([]string{"carrying", "carried", "stated", "removing", "never", "never", "never"}).Draw(t, "interrupted")
	h.between(t)
	for n := 0; ; n += 2 {
		entries, err := plan.Carried(h, n, 2)
		if err != nil {
			t.Fatal(err)
		}
		if len(entries) == 0 {
			break
		}
		h.enter(t, entries...)
		h.between(t)
		if stop == "carrying" {
			return 0
		}
	}
	if stop == "carried" {
		return 0
	}
	if len(plan.Statements) > 0 {
		h.enter(t, plan.Statements...)
	}
	if stop == "stated" {
		return 0
	}
	for _, removal := range plan.Removals {
		h.between(t)
		limit := 1 << 20
		if stop == "removing" {
			limit = rapid.IntRange(0, 5).Draw(t, "removed")
		}
		removed += h.DeleteEntries(removal.Chain, removal.UpTo, limit)
		if stop == "never" && int64(h.first(removal.Chain)) != removal.UpTo+1 {
			t.Fatalf("chain %s begins with entry %d, not after %d", removal.Chain, h.first(removal.Chain), removal.UpTo)
		}
	}
	return removed
}

// earlier returns the same time for every chain.
func earlier(before time.Time) func(string) time.Time {
	return func(string) time.Time { return before }
}

func TestAPruneHidesNoTampering(t *testing.T) {
	key, err := seal.NewKeyset()
	if err != nil {
		t.Fatal(err)
	}
	by := newEvidence(t, "strongroom")
	removed := 0
	rapid.Check(t, func(t *rapid.T) {
		h := newHonest(t, key, rapid.Bool().Draw(t, "shared"))
		var notes []byte
		var states []*rows
		for n := rapid.IntRange(3, 40).Draw(t, "acts"); n > 0; n-- {
			states = append(states, h.clone())
			h.act(t)
			switch rapid.IntRange(0, 9).Draw(t, "beside") {
			case 0:
				notes = append(notes, h.checkpoint(t, by)...)
			case 1, 2:
				removed += h.prune(t)
			case 3:
				h.now = max(begun, h.now-2000) // the clock is set back
			}
		}
		notes = append(notes, h.checkpoint(t, by)...)
		pinned := h.clone()
		for n := rapid.IntRange(0, 3).Draw(t, "acts after it"); n > 0; n-- {
			h.act(t)
		}
		if problems := found(t, h.rows, key, notes, by); len(problems) > 0 {
			t.Fatalf("nothing was done, and found %v", problems)
		}
		was := h.clone()
		want := tamper(t, h, states, pinned)
		problems := found(t, h.rows, key, notes, by)
		if len(problems) == 0 {
			t.Fatal("nothing was found")
		}
		want.among(t, was, problems)
		if want.alone {
			want.among(t, was, foundAlone(t, h.rows, key))
		}
	})
	if removed == 0 {
		t.Error("nothing was ever removed")
	}
}

// Anyone who has an archive can write anything into it.
func FuzzAnArchiveIsReadOrRefused(f *testing.F) {
	key, err := seal.NewKeyset()
	if err != nil {
		f.Fatal(err)
	}
	f.Add([]byte(`{"chain":"home","seq":1,"time":"2026-03-01T12:00:00.443980Z","actor":"system","event":"store.initialised","outcome":"ok","count":1,"hash":"00"}`))
	f.Add([]byte("{}\n\nnull\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		report := audit.Report{Cuts: []audit.Cut{{Chain: "home", Removed: 3}}}
		if err := report.CheckArchive(bytes.NewReader(text), key); err == nil && len(report.Problems) == 0 {
			t.Errorf("%q is accepted as an archive, although its entries were hashed without the key", text)
		}
	})
}

// pruneAll removes what may go, up to the newest entry of each chain.
func (l *ledgers) pruneAll(by audit.Trail) {
	l.Helper()
	var plan *audit.Plan
	err := l.View(l.Context(), func(tx store.Tx) (err error) {
		act := domain.Entry{RequestID: domain.NewID(), Actor: "system", Outcome: "ok"}
		all := func(string) (int64, error) { return 1 << 40, nil }
		plan, err = audit.PlanPrune(noPlans{tx, l.Key}, l.Key, l.Chain, earlier(tx.Now().Add(time.Hour)), act, all, nil)
		return err
	})
	if err != nil || len(plan.Removals) == 0 {
		l.Fatalf("planned %+v, %v", plan, err)
	}
	l.update(func(tx store.Tx) error {
		carried, err := plan.Carried(tx, 0, 1000)
		err = errors.Join(err, by.Append(tx, append(carried, plan.Statements...)...))
		for _, removal := range plan.Removals {
			_, err2 := tx.DeleteEntries(removal.Chain, removal.UpTo, 1000)
			err = errors.Join(err, err2)
		}
		return err
	})
	l.finds()
}

func TestARemovedPrunedChainIsFoundWithoutACheckpoint(t *testing.T) {
	l := open(t)
	one, two := l.process("one"), l.process("two")
	l.appendBy(one, domain.Entry{Event: domain.EventOperationsCounted}, domain.Entry{Event: domain.EventOperationsCounted})
	l.pruneAll(two)
	l.edit("DELETE FROM audit_log WHERE chain = 'one/0'")
	if found := l.verify(l.Key, l.Chain).Problems; len(found) != 1 || found[0].Chain != "one/0" {
		t.Errorf("found %v", found)
	}
}

func TestALedgerRestoredAfterAPruneIsFound(t *testing.T) {
	l := open(t)
	old := domain.Attempts{ID: "a", AccountID: "a", Type: domain.Passcode, Version: 1, Failures: 2}
	old.MAC = l.Key.MAC(audit.AttemptsLabel, old.Authenticated())
	tells := func(e domain.Event, before, after []byte, version int64) domain.Entry {
		return domain.Entry{Event: e, Record: "attempts/a", Version: version, Before: before, Digest: after}
	}
	was := audit.Digest(old.Canonical())
	l.append(tells(domain.EventCredentialMismatch, nil, was, 1), tells(domain.EventAttemptsErased, was, nil, 0), domain.Entry{Event: domain.EventKeyIssued})
	l.pruneAll(l.Trail)
	now := old
	now.Version, now.Failures = 2, 3
	now.MAC = l.Key.MAC(audit.AttemptsLabel, now.Authenticated())
	l.update(func(tx store.Tx) error {
		return errors.Join(tx.WriteBatch(store.Batch{Attempts: []domain.Attempts{old, now}}),
			l.Append(tx, tells(domain.EventCredentialMismatch, was, audit.Digest(now.Canonical()), 2)))
	})
	found := l.verify(l.Key, l.Chain).Problems
	if len(found) != 1 || found[0].Record != "attempts/a" || found[0].What != "no earlier entry about the record" {
		t.Errorf("found %v", found)
	}
}

// Entries that a prune left may be gone, but no other entry may replace them: lists
// show what is there.
func TestEntriesThatAPruneLeftAreChecked(t *testing.T) {
	l := open(t)
	for range 5 {
		l.append(domain.Entry{Event: domain.EventOperationsCounted})
	}
	was := l.entries()
	l.pruneAll(l.Trail)
	left := func(entries ...domain.Entry) {
		l.edit("DELETE FROM audit_log WHERE seq <= 5")
		for _, e := range entries {
			l.update(func(tx store.Tx) error { return tx.InsertEntry(e) })
		}
	}
	left(was[0], was[2], was[3])
	l.finds()
	edited := was[2]
	edited.Actor = "operator:mallory"
	left(was[0], edited)
	l.finds("chain home, entry 3: the entry was changed")
	other := was[2]
	other.Prev = []byte{1}
	other.Hash = l.Key.MAC("audit entry v1", other.Canonical())
	left(was[1], other)
	l.finds("chain home, entry 3: the entry does not follow the one before it")
	last := was[4]
	last.Reason = "another"
	last.Hash = l.Key.MAC("audit entry v1", last.Canonical())
	left(was[2], last)
	l.finds("chain home, entry 5: the entry does not follow the one before it")
}

// With a destroyed data key, anyone can make a statement that cuts the chain behind it.
func TestAForgedPruneStatementHidesNoRemovedEntries(t *testing.T) {
	thief, err := seal.NewKeyset()
	if err != nil {
		t.Fatal(err)
	}
	keys := thief
	for _, step := range []func(*seal.Keyset) (*seal.Keyset, error){(*seal.Keyset).WithNewDataKey, (*seal.Keyset).WithNewestPrimary, (*seal.Keyset).WithoutOld} {
		if keys, err = step(keys); err != nil {
			t.Fatal(err)
		}
	}
	l := open(t)
	l.edit("DELETE FROM audit_log")
	l.Key = thief
	l.update(func(tx store.Tx) error { return l.Begin(tx) })
	l.Key = keys
	for range 5 {
		l.append(domain.Entry{Event: domain.EventKeyRevoked})
	}
	l.finds()
	was := l.entries()
	forged := domain.Entry{Chain: l.Chain, Seq: 1, Time: was[0].Time, Actor: "system", Event: domain.EventPruned, Outcome: "ok", Count: 1,
		Record: domain.RecordChain + "/" + l.Chain, Version: 4, Digest: was[3].Hash}
	forged.Hash = thief.MAC("audit entry v1", forged.Canonical())
	l.edit("DELETE FROM audit_log WHERE seq <= 4")
	l.update(func(tx store.Tx) error { return tx.InsertEntry(forged) })
	if len(l.verify(l.Key, l.Chain).Problems) == 0 {
		t.Error("four entries were removed, and nothing was found")
	}
}

// moved is a store that has the last move of one account.
type moved struct {
	*rows
	last domain.AccountMove
}

func (m moved) EachMove(fn func(domain.AccountMove) error) error { return fn(m.last) }

// prune removes all entries before a time, and returns those that it carries. write
// chooses which of these it writes.
func (m moved) prune(t *testing.T, home *audit.Trail, before func(chain string) time.Time, write func([]domain.Entry) []domain.Entry) (carried []domain.Entry) {
	t.Helper()
	all := func(string) (int64, error) { return 100, nil }
	plan, err := audit.PlanPrune(m, home.Key, home.Chain, before, domain.Entry{RequestID: "prune"}, all, nil)
	if err == nil {
		carried, err = plan.Carried(m, 0, 100)
	}
	if err != nil || len(plan.Report.Problems) > 0 {
		t.Fatalf("found %v, %v", plan.Report.Problems, err)
	}
	if err := home.Append(m, append(write(carried), plan.Statements...)...); err != nil {
		t.Fatal(err)
	}
	for _, removal := range plan.Removals {
		m.DeleteEntries(removal.Chain, removal.UpTo, 100)
	}
	return carried
}

// The entry of the last move is removed, and an older entry about the same account stays.
func TestAPruneCarriesTheLastMove(t *testing.T) {
	key, err := seal.NewKeyset()
	if err != nil {
		t.Fatal(err)
	}
	about := func(event domain.Event, number int64) domain.Entry {
		return domain.Entry{Event: event, Record: domain.RecordAccount + "/" + domain.NewID(), Version: number}
	}
	out, in := about(domain.EventAccountMoved, 1), about(domain.EventAccountReceived, 2)
	in.Record = out.Record
	is, _ := domain.MoveOf(in)
	r := moved{&rows{chains: map[string][]domain.Entry{}}, is}
	home, other := audit.Trail{Chain: "home", Key: key}, audit.Trail{Chain: "other", Key: key}
	err = errors.Join(home.Begin(r), home.Append(r, out), other.Join(r, 1), other.Append(r, in, domain.Entry{Event: domain.EventKeyIssued}))
	if err != nil {
		t.Fatal(err)
	}
	carried := r.prune(t, &home, earlier(time.Now().Add(time.Hour)), slices.Clone[[]domain.Entry])
	if len(carried) != 1 {
		t.Fatalf("carried %+v", carried)
	}
	if m, ok := audit.MoveOf(carried[0]); !ok || m.AccountID != is.AccountID || m.Number != 2 || m.Away {
		t.Errorf("carried %+v", carried)
	}
	for _, change := range []domain.AccountMove{{Number: 2, Away: true}, {Number: 1}, {Number: 3}} {
		r.last.Number, r.last.Away = change.Number, change.Away
		if report, err := audit.VerifyHeld(r, key, "home", &audit.Held{}, nil); err != nil || len(report.Problems) != 1 {
			t.Errorf("%+v: found %v, %v", r.last, report.Problems, err)
		}
	}
	r.last = is
	if report, err := audit.VerifyHeld(r, key, "home", &audit.Held{}, nil); err != nil || len(report.Problems) > 0 {
		t.Errorf("found %v, %v", report.Problems, err)
	}
}

// A prune of 0.15.6 or earlier carried no move. If it kept an earlier move, in another
// chain, the next prune must not carry that one as the last.
func TestAPruneDoesNotCarryAMoveThatIsNotTheLast(t *testing.T) {
	key, err := seal.NewKeyset()
	if err != nil {
		t.Fatal(err)
	}
	out := domain.Entry{Event: domain.EventAccountMoved, Record: domain.RecordAccount + "/" + domain.NewID(), Version: 1}
	in := domain.Entry{Event: domain.EventAccountReceived, Record: out.Record, Version: 2}
	is, _ := domain.MoveOf(in)
	r := moved{&rows{chains: map[string][]domain.Entry{}}, is}
	home, first, second := audit.Trail{Chain: "home", Key: key}, audit.Trail{Chain: "first", Key: key}, audit.Trail{Chain: "second", Key: key}
	err = errors.Join(home.Begin(r), first.Join(r, 1), first.Append(r, out, domain.Entry{Event: domain.EventKeyIssued}),
		second.Join(r, 1), second.Append(r, in, domain.Entry{Event: domain.EventKeyIssued}))
	if err != nil {
		t.Fatal(err)
	}
	withoutMoves := func(carried []domain.Entry) []domain.Entry {
		return slices.DeleteFunc(slices.Clone(carried), func(e domain.Entry) bool { _, ok := audit.MoveOf(e); return ok })
	}
	late := time.Now().Add(time.Hour)
	keepsFirst := func(chain string) time.Time {
		if chain == "first" {
			return time.Time{}
		}
		return late
	}
	if carried := r.prune(t, &home, keepsFirst, withoutMoves); len(carried) != 1 {
		t.Fatalf("carried %+v, want the last move", carried)
	}
	if carried := r.prune(t, &home, earlier(late), withoutMoves); len(carried) != 0 {
		t.Errorf("carried %+v", carried)
	}
	if report, err := audit.VerifyHeld(r, key, "home", &audit.Held{}, nil); err != nil || len(report.Problems) > 0 {
		t.Errorf("found %v, %v", report.Problems, err)
	}
}
