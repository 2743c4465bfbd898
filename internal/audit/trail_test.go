package audit_test

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	_ "modernc.org/sqlite"

	"strongroom/internal/audit"
	"strongroom/internal/crypto/seal"
	"strongroom/internal/domain"
	"strongroom/internal/store"
	"strongroom/internal/store/sqlite"
)

// ledgers is a store with a trail, as the service keeps one.
type ledgers struct {
	testing.TB
	*sqlite.Store
	audit.Trail
	path string
}

func open(t testing.TB) *ledgers {
	t.Helper()
	keys, err := seal.NewKeyset()
	if err != nil {
		t.Fatal(err)
	}
	l := &ledgers{TB: t, Trail: audit.Trail{Chain: "home", Key: keys}, path: filepath.Join(t.TempDir(), "strongroom.db")}
	l.Store = l.another()
	if err := l.Migrate(context.Background()); err != nil {
		t.Fatal(err)
	}
	l.update(func(tx store.Tx) error { return l.Begin(tx) })
	return l
}

// another is a second handle on the same file, as another process has.
func (l *ledgers) another() *sqlite.Store {
	l.Helper()
	s, err := sqlite.Open(context.Background(), sqlite.Config{Path: l.path})
	if err != nil {
		l.Fatal(err)
	}
	l.Cleanup(func() { _ = s.Close() })
	return s
}

func (l *ledgers) update(fn func(store.Tx) error) {
	l.Helper()
	if err := l.Update(context.Background(), fn); err != nil {
		l.Fatal(err)
	}
}

func (l *ledgers) append(entries ...domain.Entry) {
	l.Helper()
	l.update(func(tx store.Tx) error { return l.Append(tx, entries...) })
}

func (l *ledgers) entries() (all []domain.Entry) {
	l.Helper()
	err := l.View(context.Background(), func(tx store.Tx) error {
		return tx.EachEntry(l.Chain, 0, func(e domain.Entry) error { all = append(all, e); return nil })
	})
	if err != nil {
		l.Fatal(err)
	}
	return all
}

func (l *ledgers) verify(key audit.MAC, home string) audit.Report {
	l.Helper()
	var report audit.Report
	err := l.View(context.Background(), func(tx store.Tx) (err error) {
		report, err = audit.VerifyHeld(noPlans{tx, l.Key}, key, home, &audit.Held{}, nil)
		return err
	})
	if err != nil {
		l.Fatal(err)
	}
	return report
}

// finds expects these problems, in this order.
func (l *ledgers) finds(want ...string) {
	l.Helper()
	var got []string
	for _, p := range l.verify(l.Key, l.Chain).Problems {
		got = append(got, p.String())
	}
	if diff := cmp.Diff(want, got); diff != "" {
		l.Errorf("problems (-want +got):\n%s", diff)
	}
}

func TestEntriesAreNumberedLinkedAndReadBackAsTheyWereWritten(t *testing.T) {
	l := open(t)
	l.append(
		domain.Entry{Actor: "caller", RequestID: "r", Event: domain.EventKeyIssued, Outcome: "ok", Operation: domain.OpGenerateKey,
			Duration: 1234567 * time.Nanosecond, KeyID: "k", Account: []byte("a"), Device: []byte("d")},
		domain.Entry{Actor: "system", Event: domain.EventRefusalsCounted, Outcome: "OVERLOADED", Count: 7, Chain: "forged", Seq: 99, Prev: []byte("x")},
	)
	l.append(domain.Entry{Actor: "operator", Event: domain.EventKeyRevoked, Outcome: "ok", Reason: "phone lost", Failed: true})
	all := l.entries()
	if len(all) != 4 {
		t.Fatalf("%d entries", len(all))
	}
	var prev []byte
	for n, e := range all {
		if e.Seq != int64(n+1) || e.Chain != l.Chain || e.Count < 1 || e.Time.IsZero() || !bytes.Equal(e.Prev, prev) || len(e.Hash) == 0 {
			t.Errorf("entry %d: %+v", n+1, e)
		}
		prev = e.Hash
	}
	if all[0].Event != domain.EventStoreInitialised {
		t.Errorf("the chain begins with %s", all[0].Event)
	}
	if e := all[1]; e.Duration != 1234*time.Microsecond || e.KeyID != "k" || e.RequestID != "r" || e.Operation != domain.OpGenerateKey {
		t.Errorf("entry 2: %+v", e)
	}
	if e := all[2]; e.Count != 7 {
		t.Errorf("entry 3: %+v", e)
	}
	l.finds()
}

func TestAnEntryIsRolledBackWithItsTransaction(t *testing.T) {
	l := open(t)
	errLater := errors.New("a later step failed")
	err := l.Update(context.Background(), func(tx store.Tx) error {
		if err := l.Append(tx, domain.Entry{Event: domain.EventKeyIssued}); err != nil {
			return err
		}
		return errLater
	})
	if !errors.Is(err, errLater) || len(l.entries()) != 1 {
		t.Errorf("%v, %d entries", err, len(l.entries()))
	}
	l.append(domain.Entry{Event: domain.EventKeyIssued})
	l.finds()
}

func TestATrailWithoutItsHeadAcceptsNoEntry(t *testing.T) {
	l := open(t)
	lost := audit.Trail{Chain: "lost", Key: l.Key}
	err := l.Update(context.Background(), func(tx store.Tx) error { return lost.Append(tx, domain.Entry{}) })
	if err == nil || errors.Is(err, store.ErrNotFound) {
		t.Errorf("appending: %v, want an error that does not look like a missing row", err)
	}
	if err := l.Update(context.Background(), func(tx store.Tx) error { return l.Begin(tx) }); !errors.Is(err, store.ErrConflict) {
		t.Errorf("a second beginning: %v", err)
	}
	report := l.verify(l.Key, "lost")
	if len(report.Problems) != 1 || report.Problems[0] != (audit.Problem{Chain: "lost", Seq: 1, What: "the trail is missing"}) {
		t.Errorf("found %v", report.Problems)
	}
}

func TestProcessesThatAppendAtOnceDoNotForkTheChain(t *testing.T) {
	l := open(t)
	var wg sync.WaitGroup
	const processes, each = 3, 20
	for n := range processes {
		s := l.another()
		wg.Go(func() {
			for range each {
				err := s.Update(context.Background(), func(tx store.Tx) error {
					return l.Append(tx, domain.Entry{Event: domain.EventKeyIssued, Actor: fmt.Sprint(n)}, domain.Entry{Event: domain.EventKeyRotated})
				})
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	report := l.verify(l.Key, l.Chain)
	if report.Entries != 1+2*processes*each || len(report.Problems) != 0 {
		t.Errorf("%d entries, problems %v", report.Entries, report.Problems)
	}
}

func TestATrailOfAnotherKeyFailsAtItsFirstEntry(t *testing.T) {
	l := open(t)
	l.append(domain.Entry{Event: domain.EventKeyIssued})
	other, err := seal.NewKeyset()
	if err != nil {
		t.Fatal(err)
	}
	report := l.verify(other, l.Chain)
	if len(report.Problems) != 1 || report.Problems[0].Seq != 1 || report.Problems[0].What != "the entry was changed" {
		t.Errorf("found %v", report.Problems)
	}
}

// row is a key with its entry.
func (l *ledgers) key(k domain.DeviceKey) domain.Entry {
	return domain.Entry{Event: domain.EventKeyIssued, Record: domain.RecordKey + "/" + k.ID, Version: k.Version, Digest: audit.Digest(k.Canonical())}
}

func aKey(n int) domain.DeviceKey {
	return domain.DeviceKey{ID: fmt.Sprintf("key%03d", n), AccountID: "a", DeviceID: fmt.Sprint(n), State: domain.KeyActive, Version: 1,
		Algorithm: "RSA-OAEP-256", Bits: 2048, PublicKey: []byte("public"), Sealed: []byte("sealed"),
		CreatedAt: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}
}

func TestEveryRowIsComparedWithItsLastEntry(t *testing.T) {
	l := open(t)
	good, edited, unentered := aKey(1), aKey(2), aKey(3)
	l.update(func(tx store.Tx) error {
		return errors.Join(tx.InsertKey(good), tx.InsertKey(edited), tx.InsertKey(unentered),
			l.Append(tx, l.key(good), l.key(edited), l.key(aKey(4))))
	})
	edited.AppVersion, edited.Version = "2", 2
	l.update(func(tx store.Tx) error { return tx.UpdateKey(edited) })
	report := l.verify(l.Key, l.Chain)
	if report.Rows != 3 || report.Entries != 4 {
		t.Errorf("%d rows, %d entries", report.Rows, report.Entries)
	}
	l.finds(
		"key/key002: the record was edited or rolled back (see entry 3 of chain home)",
		"key/key003: no entry about this record",
		"key/key004: the record is gone (see entry 4 of chain home)",
	)
	// A change that has its own entry is no problem.
	was, gone := l.key(aKey(2)).Digest, l.key(aKey(4)).Digest
	change := l.key(edited)
	change.Before = was
	l.append(change, l.key(unentered), domain.Entry{Event: domain.EventCredentialErased, Record: "key/key004", Before: gone})
	l.finds()
}

func TestEntriesForgedBeforeTheBeginningHideNoOtherProblem(t *testing.T) {
	l := open(t)
	k := aKey(1)
	l.update(func(tx store.Tx) error { return errors.Join(tx.InsertKey(k), l.Append(tx, l.key(k))) })
	second := l.entries()[1]
	l.update(func(tx store.Tx) error {
		for _, seq := range []int64{math.MinInt64, -5, 0} {
			second.Seq = seq
			if err := tx.InsertEntry(second); err != nil {
				return err
			}
		}
		return nil
	})
	forged := "chain home, entry -9223372036854775808: no entry has this number: it was forged"
	l.finds(forged)
	l.edit("UPDATE device_key SET bits = 4096")
	l.finds(forged, "key/key001: the record was edited or rolled back (see entry 2 of chain home)")
	l.edit("DELETE FROM device_key; DELETE FROM audit_log WHERE seq > -5")
	l.finds(forged, "chain home, entry 1: the entry is missing")
}

func TestALedgerOfPendingAttemptsNeedsAMACButNoEntry(t *testing.T) {
	l := open(t)
	pending := domain.Attempts{ID: "p", AccountID: "a", Type: domain.Passcode, Version: 1, Pending: []domain.PendingAttempt{{ID: "t", Lease: time.Now()}}}
	pending.MAC = l.Key.MAC(audit.AttemptsLabel, pending.Authenticated())
	failed := domain.Attempts{ID: "f", AccountID: "b", Type: domain.Passcode, Version: 1, Failures: 1}
	failed.MAC = l.Key.MAC(audit.AttemptsLabel, failed.Authenticated())
	forged := domain.Attempts{ID: "g", AccountID: "c", Type: domain.Passcode, Version: 1, MAC: pending.MAC}
	l.update(func(tx store.Tx) error {
		return tx.WriteBatch(store.Batch{Attempts: []domain.Attempts{pending, failed, forged}})
	})
	l.finds(
		"attempts/f: no entry about this record",
		"attempts/g: the record was edited",
	)
}

func TestAChangeToARolledBackRowIsFound(t *testing.T) {
	e := func(before, after string) domain.Entry {
		return domain.Entry{Event: domain.EventCredentialMismatch, Record: "attempts/x", Before: []byte(before), Digest: []byte(after)}
	}
	unlocked := e("edited", "u")
	unlocked.Event = domain.EventAttemptsUnlocked
	key := e("a", "b")
	key.Record = "key/x"
	back := func(seq int) string {
		return fmt.Sprintf("attempts/x: the record had been edited or rolled back (see entry %d of chain home)", seq)
	}
	for name, tt := range map[string]struct {
		entries []domain.Entry
		want    []string
	}{
		"each change finds what the one before left": {[]domain.Entry{e("", "a"), e("a", "b"), e("b", "c")}, nil},
		"two entries of one transaction":             {[]domain.Entry{e("", "a"), e("a", "b"), e("b", "b")}, nil},
		"a row was put back":                         {[]domain.Entry{e("", "a"), e("a", "b"), e("a", "c"), e("c", "d")}, []string{back(4)}},
		"an unlock follows an edited ledger":         {[]domain.Entry{e("", "a"), unlocked, e("u", "b")}, nil},
		"a ledger was only ever pending":             {[]domain.Entry{e("pending", "a")}, nil},
		"a key that was never issued":                {[]domain.Entry{key}, []string{"key/x: no earlier entry about the record (see entry 2 of chain home)"}},
		"an erasure":                                 {[]domain.Entry{e("", "a"), e("a", "")}, nil},
		"a row came back from its erasure":           {[]domain.Entry{e("", "a"), e("a", ""), e("a", "b")}, []string{back(4)}},
	} {
		t.Run(name, func(t *testing.T) {
			l := open(t)
			l.append(tt.entries...)
			var got []string
			for _, p := range l.verify(l.Key, l.Chain).Problems {
				if p.What != "the record is gone" { // there never was one here
					got = append(got, p.String())
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("problems (-want +got):\n%s", diff)
			}
		})
	}
}

func TestAnIdWithEscapeSequencesIsQuoted(t *testing.T) {
	p := audit.Problem{Chain: "home", Record: "key/\x1b[2K\rIntact", What: "no entry about this record"}
	if strings.ContainsRune(p.String(), 0x1b) {
		t.Errorf("a terminal would obey %q", p.String())
	}
}

func TestAReportIsBounded(t *testing.T) {
	l := open(t)
	l.update(func(tx store.Tx) error {
		for n := range 150 {
			if err := tx.InsertKey(aKey(n)); err != nil {
				return err
			}
		}
		return nil
	})
	report := l.verify(l.Key, l.Chain)
	if len(report.Problems) != 100 || report.Rows != 150 {
		t.Errorf("%d problems of %d rows", len(report.Problems), report.Rows)
	}
}

func TestAnUnreadableTrailGivesAnError(t *testing.T) {
	l := open(t)
	ctx, cancel := context.WithCancel(context.Background())
	err := l.View(ctx, func(tx store.Tx) error {
		cancel()
		_, err := audit.VerifyHeld(noPlans{tx, l.Key}, l.Key, l.Chain, &audit.Held{}, nil)
		return err
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// Only verdicts are short, and only digests of attempt counters are compared by their first
// bytes.
func TestAShortVerdictHasAShortHashAndShortDigests(t *testing.T) {
	keys, err := seal.NewKeyset()
	if err != nil {
		t.Fatal(err)
	}
	r := &memory{short: true}
	trail := audit.Trail{Chain: "home", Key: keys}
	if err := trail.Begin(r); err != nil {
		t.Fatal(err)
	}
	row, other := audit.Digest([]byte("row")), audit.Digest([]byte("other"))
	copy(other, row[:domain.ShortDigest])
	for event, sizes := range map[domain.Event][2]int{domain.EventCredentialVerified: {21, 8}, domain.EventCredentialMismatch: {21, 8}, domain.EventAttemptsUnlocked: {37, 32}} {
		if err := trail.Append(r, domain.Entry{Event: event, Record: "attempts/1", Before: other, Digest: row}); err != nil {
			t.Fatal(err)
		}
		e, _ := r.LastEntry("home")
		if got := [2]int{len(e.Hash), len(e.Digest)}; got != sizes || len(e.Before) != len(e.Digest) || !audit.Genuine(keys, e) {
			t.Errorf("%s: hash and digest of %v bytes, want %v", event, got, sizes)
		}
		if e.Hash = append(e.Hash, 0)[:21]; sizes[0] != 21 && audit.Genuine(keys, e) {
			t.Errorf("%s: its hash can be cut", event)
		}
	}
	for record, same := range map[string]bool{"attempts/1": true, "key/1": false, "credential/1": false, "plan/1": false} {
		if audit.SameRow(record, row, other) != same {
			t.Errorf("%s: digests that differ after 8 bytes: want the same row: %t", record, same)
		}
	}
}

func TestProgressIsReported(t *testing.T) {
	if testing.Short() {
		t.Skip("it has one goroutine, and takes long under the race detector")
	}
	var told []int64
	keys, err := seal.NewKeyset()
	if err != nil {
		t.Fatal(err)
	}
	r := &memory{}
	trail := audit.Trail{Chain: "home", Key: keys}
	if err := trail.Begin(r); err != nil {
		t.Fatal(err)
	}
	if err := trail.Append(r, make([]domain.Entry, 200_000)...); err != nil {
		t.Fatal(err)
	}
	report, err := audit.VerifyHeld(r, keys, "home", &audit.Held{}, func(p audit.Progress) { told = append(told, p.Done) })
	if err != nil || len(report.Problems) != 0 || report.Entries != 200_001 {
		t.Errorf("%d entries, %v, %v", report.Entries, report.Problems, err)
	}
	if diff := cmp.Diff([]int64{100_000, 200_000}, told); diff != "" {
		t.Errorf("reported (-want +got):\n%s", diff)
	}
}

// memory is a long trail without a disk.
type memory struct {
	entries []domain.Entry
	short   bool
}

func (m *memory) Now() time.Time { return time.UnixMicro(1) }

func (m *memory) Writer() int { return 0 }

func (m *memory) ShortVerdicts() bool { return m.short }

func (m *memory) LastEntry(string) (domain.Entry, error) { return m.entries[len(m.entries)-1], nil }

func (m *memory) InsertEntry(e domain.Entry) error { m.entries = append(m.entries, e); return nil }

func (m *memory) Chains() ([]string, error) { return []string{"home"}, nil }

func (m *memory) UnnamedVerdicts(int) ([]int64, error) { return nil, nil }

func (m *memory) EachEntry(_ string, _ int64, fn func(domain.Entry) error) error {
	for _, e := range m.entries {
		if err := fn(e); err != nil {
			return err
		}
	}
	return nil
}

func (m *memory) EntriesOfEvent(domain.Event, time.Time, domain.EntryPosition, int) ([]domain.Entry, error) {
	return nil, nil
}

func (m *memory) EachKey(func(domain.DeviceKey) error) error         { return nil }
func (m *memory) EachCredential(func(domain.Credential) error) error { return nil }
func (m *memory) EachAttempts(func(domain.ListedLock) error) error   { return nil }
func (m *memory) EachPlan(func(domain.RotationPlan) error) error     { return nil }
func (m *memory) EachMove(func(domain.AccountMove) error) error      { return nil }

// noPlans is a store without rotation plans, whose keys have a good MAC.
type noPlans struct {
	store.Tx
	key audit.MAC
}

func (r noPlans) EachKey(fn func(domain.DeviceKey) error) error {
	return r.Tx.EachKey(func(k domain.DeviceKey) error {
		k.MAC = r.key.MAC(audit.KeyLabel, k.Canonical())
		return fn(k)
	})
}

func (noPlans) EachPlan(func(domain.RotationPlan) error) error { return nil }
func (noPlans) EachMove(func(domain.AccountMove) error) error  { return nil }

// Entries appended one call at a time in one transaction, as when requests
// share a commit, and the parts that make up the time of each.
func BenchmarkAppend(b *testing.B) {
	l := open(b)
	e := domain.Entry{RequestID: domain.NewID(), Actor: "caller", Event: domain.EventCredentialVerified, Outcome: "ok",
		Operation: domain.OpVerifyPIN, Count: 1, Duration: time.Millisecond, KeyID: domain.NewID(), Account: make([]byte, 16),
		Device: make([]byte, 16), Record: domain.RecordAttempts + "/" + domain.NewID(), Version: 9,
		Before: make([]byte, 32), Digest: make([]byte, 32)}
	run := func(name string, fn func(tx store.Tx) error) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			l.update(func(tx store.Tx) error {
				for b.Loop() {
					if err := fn(tx); err != nil {
						return err
					}
				}
				return nil
			})
		})
	}
	run("append", func(tx store.Tx) error { return l.Append(tx, e) })
	run("append two", func(tx store.Tx) error { return l.Append(tx, e, e) })
	run("last entry", func(tx store.Tx) error { _, err := tx.LastEntry(l.Chain); return err })
	run("hash", func(store.Tx) error { l.Key.MAC("audit entry v1", e.Canonical()); return nil })
	run("digest", func(store.Tx) error { audit.Digest(e.Digest); return nil })
	run("read each", func(tx store.Tx) error {
		n := 0
		err := tx.EachEntry(l.Chain, 0, func(domain.Entry) error {
			if n++; n == 100 {
				return errStop
			}
			return nil
		})
		if errors.Is(err, errStop) {
			return nil
		}
		return err
	})
}

var errStop = errors.New("stop")

// process is a trail of a process that shares the store with others.
func (l *ledgers) process(name string) audit.Trail {
	l.Helper()
	t := audit.Trail{Chain: name, Shared: true, Key: l.Key}
	l.update(func(tx store.Tx) error { return t.Join(tx, 2) })
	return t
}

func (l *ledgers) appendBy(t audit.Trail, entries ...domain.Entry) {
	l.Helper()
	l.update(func(tx store.Tx) error { return t.Append(tx, entries...) })
}

func TestARecordIsFollowedThroughTheChainsOfSeveralProcesses(t *testing.T) {
	e := func(version int64, before, after string) domain.Entry {
		return domain.Entry{Event: domain.EventCredentialMismatch, Record: "attempts/x", Version: version, Before: []byte(before), Digest: []byte(after)}
	}
	unlocked := e(4, "edited", "d")
	unlocked.Event = domain.EventAttemptsUnlocked
	for name, tt := range map[string]struct {
		a, z []domain.Entry // of two processes, whose chains are read one after the other
		want []string
	}{
		"in turns":                     {[]domain.Entry{e(2, "a", "b"), e(4, "c", "d")}, []domain.Entry{e(1, "", "a"), e(3, "b", "c")}, nil},
		"erased by the first":          {[]domain.Entry{e(0, "b", "")}, []domain.Entry{e(1, "", "a"), e(2, "a", "b")}, nil},
		"put back between":             {[]domain.Entry{e(2, "a", "b"), e(4, "c", "d")}, []domain.Entry{e(1, "", "a"), e(3, "a", "c")}, []string{"attempts/x: the record had been edited or rolled back (see entry 3 of chain z/0)"}},
		"unlocked after it was edited": {[]domain.Entry{e(2, "a", "b"), unlocked}, []domain.Entry{e(1, "", "a"), e(3, "b", "c"), e(5, "d", "e")}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			l := open(t)
			l.appendBy(l.process("a"), tt.a...)
			l.appendBy(l.process("z"), tt.z...)
			var got []string
			for _, p := range l.verify(l.Key, l.Chain).Problems {
				if p.What != "the record is gone" { // there never was one here
					got = append(got, p.String())
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("problems (-want +got):\n%s", diff)
			}
		})
	}
}

func TestATieShowsThatAnotherChainWasCutOff(t *testing.T) {
	l := open(t)
	one, two := l.process("one"), l.process("two")
	l.appendBy(one, domain.Entry{Event: domain.EventOperationsCounted}, domain.Entry{Event: domain.EventOperationsCounted})
	l.update(func(tx store.Tx) error {
		head, err := tx.LastEntry("one/0")
		if err != nil {
			return err
		}
		return two.Append(tx, audit.Tie(head))
	})
	l.appendBy(one, domain.Entry{Event: domain.EventOperationsCounted})
	l.finds()
	l.edit("DELETE FROM audit_log WHERE chain = 'one/0' AND seq > 3")
	l.finds() // up to the tie all is there
	l.edit("DELETE FROM audit_log WHERE chain = 'one/0' AND seq > 2")
	l.appendBy(one, domain.Entry{Event: domain.EventKeyIssued}, domain.Entry{Event: domain.EventKeyIssued}) // it goes on, and is tied again
	l.update(func(tx store.Tx) error {
		head, err := tx.LastEntry("one/0")
		if err != nil {
			return err
		}
		return two.Append(tx, audit.Tie(head))
	})
	l.finds("chain one/0, entry 3: the entry is not the one that entry 2 of chain two/0 holds: the chain was cut off or exchanged")
	l.edit("DELETE FROM audit_log WHERE chain = 'one/0' AND seq > 2")
	l.finds("chain one/0, entry 3: the entry is not the one that entry 2 of chain two/0 holds: the chain was cut off or exchanged")
	l.edit("DELETE FROM audit_log WHERE chain = 'one/0'")
	l.finds("chain one/0, entry 3: the entry is not the one that entry 2 of chain two/0 holds: the chain was cut off or exchanged")
}

// edit changes the file directly, without the store.
func (l *ledgers) edit(statement string) {
	l.Helper()
	db, err := sql.Open("sqlite", l.path)
	if err != nil {
		l.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(statement); err != nil {
		l.Fatal(err)
	}
}
