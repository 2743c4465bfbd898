package service

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/mod/sumdb/note"

	"strongroom/internal/audit"
	"strongroom/internal/domain"
	"strongroom/internal/metrics"
	"strongroom/internal/store"
	"strongroom/internal/trail"
)

const year = 365 * 24 * time.Hour

// pruned prunes what is older than a year, which must remove something.
func (v *instance) pruned(archive string) trail.Pruned {
	v.t.Helper()
	if err := v.tally.Flush(v.ctx, true); err != nil {
		v.t.Fatal(err)
	}
	done, err := v.PruneTrail(v.ctx, trail.Pruning{OlderThan: year, Reason: "kept long enough", Archive: archive})
	if err != nil || len(done.Problems) > 0 || done.Entries == 0 {
		v.t.Fatalf("pruned %+v, %v", done, err)
	}
	return done
}

// grown is a vault with checkpoints and a trail of more than a year: of the
// phone, which is still used, and of the tablet, which is not.
func grown(t *testing.T, sink *kept) (v *instance, phone domain.KeyPair, by note.Verifier) {
	v, by = withCheckpoints(t, sink, time.Hour)
	phone = v.issue("phone")
	for _, k := range []domain.KeyPair{phone, v.issue("tablet"), v.issue("erased")} {
		v.expect("set", v.setPIN(k, "1357"), "true")
		v.expect("verify", v.verifyPIN(k, "0000"), "false")
		v.expect("verify", v.verifyPIN(k, "1357"), "true")
	}
	if err := v.erase("erased", "gone"); err != nil {
		t.Fatal(err)
	}
	if err := v.tally.Flush(v.ctx, true); err != nil {
		t.Fatal(err)
	}
	if err := v.Checkpointer().Next(v.ctx); err != nil {
		t.Fatal(err)
	}
	v.clock.Advance(year + time.Hour)
	v.expect("verify", v.verifyPIN(phone, "0000"), "false")
	return v, phone, by
}

func TestAPrunedTrailStillProvesTheRecords(t *testing.T) {
	sink := &kept{}
	v, phone, by := grown(t, sink)
	before, err := v.Summary(v.ctx, 3*365*24)
	if err != nil {
		t.Fatal(err)
	}
	old := v.insider().rows("SELECT * FROM credential")
	entries := len(v.insider().rows("SELECT seq FROM " + allEntries))

	// Other processes continue meanwhile.
	stop, beside := make(chan struct{}), sync.WaitGroup{}
	beside.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
				v.verifyPIN(phone, "1357")
			}
		}
	})
	done := v.pruned("")
	close(stop)
	beside.Wait()

	v.intact()
	if left := len(v.insider().rows("SELECT seq FROM " + allEntries + " WHERE time < (SELECT max(time) FROM " + allEntries + ") - 86400000000")); left >= entries-int(done.Entries)+1 {
		t.Errorf("%d old entries are left of %d, and %d were removed", left, entries, done.Entries)
	}
	n := v.events()
	if n[domain.EventPruned] == 0 || n[domain.EventChainVerified] == 0 || n[domain.EventRecordCarried] != done.Carried || done.Carried == 0 {
		t.Errorf("%+v, and the trail holds %v", done, n)
	}
	if after, err := v.Summary(v.ctx, 3*365*24); err != nil || after.TotalOperations < before.TotalOperations || after.UniqueDevices != before.UniqueDevices {
		t.Errorf("the summary was %+v and is %+v, %v", before, after, err)
	}
	report, _, err := v.VerifyTrailHeld(v.ctx, bytes.NewReader(sink.notes.Bytes()), by, nil)
	if err != nil || len(report.Problems) > 0 {
		t.Fatalf("found %v, %v", report.Problems, err)
	}
	var removed int64
	unchecked := 0
	for _, cut := range report.Cuts {
		removed += cut.Removed
		unchecked += cut.Unchecked()
		if cut.By != "operator:command:test" || cut.Why != "kept long enough" || cut.Request != done.RequestID || cut.At.IsZero() {
			t.Errorf("the report says %+v", cut)
		}
	}
	if removed != done.Entries {
		t.Errorf("the report says that %d entries were removed, not %d", removed, done.Entries)
	}
	first, err := audit.OpenCheckpoint(sink.notes.Bytes(), by)
	if err != nil {
		t.Fatal(err)
	}
	// The first checkpoint names removed entries, and the prune reported that.
	v.after(first)
	if err := v.beside().Checkpointer().Next(v.ctx); err != nil || len(v.holds(sink, by)) > 0 {
		t.Errorf("a checkpoint after it: found %v, %v", v.holds(sink, by), err)
	}
	v.expect("verify", v.verifyPIN(v.issue("tablet"), "1357"), "true")

	// The history of the tablet's PIN is only the carried entry. The PIN is
	// replaced, and then put back.
	v.expect("set", v.setPIN(v.issue("tablet"), "2468"), "true")
	v.intact()
	for _, row := range old {
		v.insider().put("credential", row)
	}
	if problems := v.problems(); len(problems) != 1 || !strings.Contains(problems[0].What, "rolled back") {
		t.Errorf("found %v", problems)
	}
}

func TestADamagedTrailIsNotPruned(t *testing.T) {
	v, _, _ := grown(t, &kept{})
	v.insider().write("UPDATE credential SET version = version + 1 WHERE account_id = @tablet")
	entries := v.events()
	done, err := v.PruneTrail(v.ctx, trail.Pruning{OlderThan: year, Reason: "kept long enough"})
	if err != nil || len(done.Problems) != 1 || done.Entries != 0 {
		t.Errorf("pruned %+v, %v", done, err)
	}
	if now := v.events(); len(now) != len(entries) || now[domain.EventPruned] != 0 {
		t.Errorf("the trail holds %v", now)
	}
	for what, p := range map[string]trail.Pruning{
		"of the last day": {OlderThan: 23 * time.Hour}, "of the future": {Before: v.clock.Now().Add(time.Hour)},
	} {
		if _, err := v.PruneTrail(v.ctx, p); err == nil {
			t.Errorf("entries %s were pruned", what)
		}
	}
	if _, err := v.PruneTrail(domain.WithOperator(v.ctx, domain.Operator{Name: "x", Role: domain.RoleViewer}), trail.Pruning{OlderThan: year}); err == nil {
		t.Error("a viewer pruned")
	}
}

// The next archive begins after the cut of an earlier prune. It leaves out entries that
// the earlier prune did not remove.
func TestAnArchiveBeginsAfterTheCutOfAnEarlierPrune(t *testing.T) {
	v, phone, _ := grown(t, &kept{})
	i, path := v.insider(), filepath.Join(t.TempDir(), "0")
	was := i.rows("SELECT * FROM audit_log ORDER BY chain, seq")
	left := func() (n int) {
		for _, row := range was {
			n += len(i.rows(fmt.Sprintf("SELECT seq FROM audit_log WHERE chain = '%s' AND seq = %d", row["chain"], row["seq"])))
		}
		return n
	}
	v.pruned(path)
	texts, stay := archive(t, path), left()
	for _, later := range []time.Duration{0, year + time.Hour} { // at first, nothing else is to be removed
		for _, row := range was {
			i.put("audit_log", row) // as if the prune had been killed
		}
		v.intact()
		v.clock.Advance(later)
		v.expect("verify", v.verifyPIN(phone, "1357"), "true")
		path += "0"
		v.pruned(path)
		v.intact()
		if n := left(); n > stay {
			t.Errorf("%d entries are left, and were %d after the first prune", n, stay)
		}
		if later > 0 { // else it is empty
			texts = append(texts, archive(t, path)...)
		}
	}
	report, err := v.VerifyTrail(v.ctx, nil)
	if err == nil {
		err = v.CheckArchives(&report, bytes.NewReader(texts))
	}
	if err != nil || len(report.Problems) > 0 {
		t.Errorf("the archives: %v, %v", report.Problems, err)
	}
}

func TestAnArchiveAndTheTrailProveTheWholeHistory(t *testing.T) {
	sink := &kept{}
	v, phone, by := grown(t, sink)
	first, second := filepath.Join(t.TempDir(), "first"), filepath.Join(t.TempDir(), "second")
	v.pruned(first)
	if _, err := v.PruneTrail(v.ctx, trail.Pruning{OlderThan: year, Archive: first}); err != nil {
		t.Errorf("nothing to remove: %v", err)
	}
	if err := v.Checkpointer().Next(v.ctx); err != nil {
		t.Fatal(err)
	}
	v.clock.Advance(year + time.Hour)
	v.expect("verify", v.verifyPIN(phone, "1357"), "true")
	if _, err := v.PruneTrail(v.ctx, trail.Pruning{OlderThan: year, Archive: first}); err == nil || !strings.Contains(err.Error(), "keep this file, because an interrupted prune may have removed entries that only it has; name a new file") {
		t.Errorf("an archive that exists: %v", err)
	}
	v.pruned(second)
	v.intact()
	check := func(texts ...[]byte) (problems []string, cuts []audit.Cut) {
		t.Helper()
		report, _, err := v.VerifyTrailHeld(v.ctx, bytes.NewReader(sink.notes.Bytes()), by, nil)
		if err == nil {
			err = v.CheckArchives(&report, bytes.NewReader(bytes.Join(texts, nil)))
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range report.Problems {
			problems = append(problems, p.What)
		}
		return problems, report.Cuts
	}
	one, two := archive(t, first), archive(t, second)
	problems, cuts := check(one, two)
	if len(problems) > 0 || len(cuts) == 0 {
		t.Errorf("found %v", problems)
	}
	for _, cut := range cuts {
		if cut.Archived != 1 || cut.Unchecked() != 0 {
			t.Errorf("%+v", cut)
		}
	}
	if problems, _ = check(two, two); len(problems) > 0 { // it begins later, and the last file comes twice
		t.Errorf("found %v", problems)
	}
	lines := bytes.SplitAfter(one, []byte("\n"))
	for what, text := range map[string][]byte{
		"an entry was edited":                     bytes.Replace(one, []byte(`"outcome":"ok"`), []byte(`"outcome":"no"`), 1),
		"one comes twice, the second time edited": append(bytes.Clone(one), bytes.Replace(lines[0], []byte(`"outcome":"ok"`), []byte(`"outcome":"no"`), 1)...),
		"an entry was dropped":                    bytes.Join(append(append([][]byte{}, lines[:2]...), lines[3:]...), nil),
		"a part is no line":                       append([]byte("{\n"), one...),
		"a file is missing":                       {},
	} {
		rest := two
		if len(text) == 0 {
			text, rest = one, nil
		}
		if problems, _ := check(text, rest); len(problems) == 0 {
			t.Errorf("%s, and nothing was found", what)
		}
	}
}

// The archive was lost, and someone gives an export of the current trail instead.
func TestAnExportOfWhatAPruneLeftIsNotItsArchive(t *testing.T) {
	v, _, _ := grown(t, &kept{})
	v.pruned("")
	var left []domain.Entry
	v.eachEntry(func(e domain.Entry) { left = append(left, e) })
	var lines bytes.Buffer
	if err := audit.WriteLines(&lines, left); err != nil {
		t.Fatal(err)
	}
	report, err := v.VerifyTrail(v.ctx, nil)
	if err == nil {
		err = v.CheckArchives(&report, &lines)
	}
	if err != nil || len(report.Cuts) == 0 || len(report.Problems) != len(report.Cuts) {
		t.Errorf("%d chains were pruned, and found %v, %v", len(report.Cuts), report.Problems, err)
	}
	for _, cut := range report.Cuts {
		if cut.Archived != 0 {
			t.Errorf("entries %d to %d of chain %s count as archived", cut.Archived, cut.Removed, cut.Chain)
		}
	}
}

// whileArchiving is a store that calls a function at each read and write after an archive
// was begun.
type whileArchiving struct {
	store.Store
	path      string
	atRead    func()
	isUnknown bool // the outcome of each write
}

func (w *whileArchiving) begun() bool {
	_, err := os.Stat(w.path)
	return err == nil
}

func (w *whileArchiving) View(ctx context.Context, fn func(store.Tx) error) error {
	if w.atRead != nil && w.begun() {
		w.atRead()
	}
	return w.Store.View(ctx, fn)
}

func (w *whileArchiving) Update(ctx context.Context, fn func(store.Tx) error) error {
	err := w.Store.Update(ctx, fn)
	if err == nil && w.isUnknown && w.begun() {
		err = store.ErrUnknown
	}
	return err
}

// Operators must not delete an archive that has the only copy of entries, and can delete
// one that is incomplete.
func TestAFailedPruneSaysWhetherToKeepItsArchive(t *testing.T) {
	v, _, _ := grown(t, &kept{})
	prune := func(fails func(*whileArchiving)) error {
		t.Helper()
		on := &whileArchiving{path: filepath.Join(t.TempDir(), "archive")}
		fails(on)
		w := v.beside()
		tweak := w.tweak
		w.tweak = func(c *Config) {
			tweak(c)
			on.Store = c.Store.(stoppable).Store
			c.Store = stoppable{on}
		}
		w = w.beside()
		_, err := w.PruneTrail(w.ctx, trail.Pruning{OlderThan: year, Reason: "kept long enough", Archive: on.path})
		return err
	}
	was := len(v.insider().rows("SELECT seq FROM audit_log"))
	err := prune(func(on *whileArchiving) {
		on.atRead = func() { // the archive cannot be made durable
			if err := os.RemoveAll(filepath.Dir(on.path)); err != nil {
				t.Error(err)
			}
		}
	})
	if err == nil || !strings.Contains(err.Error(), "nothing was removed, and the archive is incomplete; delete it") {
		t.Errorf("an archive that cannot be synced: %v", err)
	}
	if n := len(v.insider().rows("SELECT seq FROM audit_log")); n < was {
		t.Errorf("%d entries are left of %d", n, was)
	}
	err = prune(func(on *whileArchiving) { on.isUnknown = true })
	if !errors.Is(err, store.ErrUnknown) || !strings.Contains(err.Error(), "; keep the archive /") {
		t.Errorf("an unknown outcome: %v", err)
	}
	v.intact()
}

// archive is the text of a compressed archive.
func archive(t *testing.T, path string) []byte {
	t.Helper()
	f, err := audit.OpenArchive(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	text, err := io.ReadAll(f)
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || info.Size()*2 > int64(len(text)) {
		t.Errorf("%d bytes of %d: it is not compressed", info.Size(), len(text))
	}
	return text
}

func TestAServerPrunesOnceADay(t *testing.T) {
	v, _, _ := grown(t, &kept{})
	tweak := v.tweak
	v.tweak = func(cfg *Config) { tweak(cfg); cfg.AuditRetention = year }
	if err := v.Stop(v.ctx); err != nil {
		t.Fatal(err)
	}
	v.kill()
	w := v.beside()
	v.clock.Advance(31 * day) // for which entries of a partition may stay
	if err := v.tally.Flush(v.ctx, true); err != nil {
		t.Fatal(err)
	}
	for _, by := range []*instance{v, w, v} {
		if err := by.PruneDue(by.ctx); err != nil {
			t.Fatal(err)
		}
	}
	v.intact()
	runs, why := map[string]bool{}, map[string]bool{}
	v.eachEntry(func(e domain.Entry) {
		if e.Event == domain.EventPruned {
			runs[e.RequestID], why[e.Actor+" "+e.Reason] = true, true
		}
	})
	if len(runs) != 1 || !why["system audit-retention 8760h0m0s"] {
		t.Errorf("the trail says %v, %v", runs, why)
	}
	v.insider().write("UPDATE credential SET version = version + 1 WHERE account_id = @tablet")
	v.clock.Advance(year + time.Hour)
	if err := v.PruneDue(v.ctx); err == nil || !strings.Contains(err.Error(), "rolled back") {
		t.Errorf("pruning a damaged trail: %v", err)
	}
}

func TestAnExportReportsEntriesPrunedBeforeExport(t *testing.T) {
	v, _, _ := grown(t, &kept{})
	state := filepath.Join(t.TempDir(), "state")
	export := func(state string) (string, error) {
		t.Helper()
		var out bytes.Buffer
		to, err := audit.OpenExport(state, "", &out)
		if err != nil {
			t.Fatal(err)
		}
		return out.String(), v.ExportTrail(v.ctx, to, false)
	}
	if _, err := export(state); err != nil {
		t.Fatal(err)
	}
	v.pruned("")
	if _, err := export(state); err != nil { // all that was pruned had been exported
		t.Error(err)
	}
	v.verifyPIN(v.issue("tablet"), "1357")
	v.verifyPIN(v.issue("phone"), "1357")
	v.clock.Advance(year + time.Hour)
	v.verifyPIN(v.issue("phone"), "1357")
	v.pruned("")
	_, err := export(state)
	if err == nil || !strings.Contains(err.Error(), "were pruned before they were exported") || !strings.Contains(err.Error(), "operator:command:test") {
		t.Errorf("an export after the prune: %v", err)
	}
	if _, err := export(""); err != nil {
		t.Error(err)
	}
}

// ages are the numbers and times of the entries that are there, by chain.
func (v *instance) ages() map[string][]domain.Entry {
	v.t.Helper()
	all := map[string][]domain.Entry{}
	v.eachEntry(func(e domain.Entry) { all[e.Chain] = append(all[e.Chain], domain.Entry{Seq: e.Seq, Time: e.Time}) })
	return all
}

// A prune removes the entries of each chain before the given time. It keeps entries of
// that time, entries that are not folded, and the newest entry.
func TestAPruneKeepsNewerUnfoldedAndNewestEntries(t *testing.T) {
	for name, tt := range map[string]struct {
		before   func(all []time.Time) time.Time // of the times of the entries, in order
		unfolded bool
	}{
		"up to the time of an entry": {before: func(all []time.Time) time.Time { return all[len(all)/2] }},
		"all":                        {before: func(all []time.Time) time.Time { return all[len(all)-1].Add(time.Minute) }},
		"all that is counted":        {before: func(all []time.Time) time.Time { return all[len(all)-1].Add(time.Minute) }, unfolded: true},
	} {
		t.Run(name, func(t *testing.T) {
			v, phone, _ := grown(t, &kept{})
			if err := v.tally.Flush(v.ctx, true); err != nil {
				t.Fatal(err)
			}
			folded := map[string]int64{}
			v.view(func(tx store.Tx) (err error) {
				for chain := range v.ages() {
					if folded[chain], err = metrics.FoldedTo(tx, chain); err != nil {
						return err
					}
				}
				return nil
			})
			for range 3 {
				v.expect("verify", v.verifyPIN(phone, "1357"), "true")
			}
			v.clock.Advance(year)
			if !tt.unfolded {
				if err := v.tally.Flush(v.ctx, true); err != nil {
					t.Fatal(err)
				}
			}
			was := v.ages()
			var times []time.Time
			for _, chain := range was {
				for _, e := range chain {
					times = append(times, e.Time)
				}
			}
			slices.SortFunc(times, time.Time.Compare)
			before := tt.before(times)
			done, err := v.PruneTrail(v.ctx, trail.Pruning{Before: before, Reason: "kept long enough"})
			if err != nil || len(done.Problems) > 0 || done.Entries == 0 {
				t.Fatalf("pruned %+v, %v", done, err)
			}
			is := v.ages()
			for chain, entries := range was {
				stays := func(e domain.Entry) bool {
					return !e.Time.Before(before) || tt.unfolded && e.Seq > folded[chain] || e.Seq == entries[len(entries)-1].Seq
				}
				first := slices.IndexFunc(entries, stays)
				if got, want := is[chain][0].Seq, entries[first].Seq; got != want {
					t.Errorf("chain %s begins with entry %d after it, want %d", chain, got, want)
				}
			}
			v.intact()
		})
	}
}

// Destroying a data key ties the chains that end under it. A prune of these ties states
// the chains again, so that audit verify does not report them as forged.
func TestAPruneRestatesChainsThatEndUnderADestroyedDataKey(t *testing.T) {
	v, ended := openTwo(t)
	v.past(2, 2)
	phone := v.issue("phone")
	ended.setPIN(phone, "1357")
	if err := ended.tally.Flush(ended.ctx, true); err != nil {
		t.Fatal(err)
	}
	ended.store.Close()
	v.rotatedDataKey()
	v.intact()
	for range 2 { // the second one removes the statements of the first
		v.clock.Advance(year + time.Hour)
		v.expect("verify", v.verifyPIN(phone, "1357"), "true")
		v.pruned("")
		v.intact()
	}
	v.rotatedDataKey()
	v.intact()
}
