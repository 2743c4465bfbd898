package audit_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"strongroom/internal/audit"
	"strongroom/internal/crypto/seal"
	"strongroom/internal/domain"
)

// lookalikes are ids that a careless compact form would confuse with each
// other.
func lookalikes() []string {
	id := domain.FormatID([16]byte{0: 0xfb, 15: 0xfc}) // it ends in "4", whose last two bits do not belong to the id
	ids := []string{"eu1-" + id, "eu2-" + id, "sandbox-" + id, "EU1-" + id, "-" + id, "eu1-" + id[:25] + "5", id, id + "=", id + "======", id + "\n", " " + id, id + "a", id[:25], id[:25] + "5", id[:25] + "7", strings.ToUpper(id),
		id[:13] + "\r\n" + id[13:], strings.Replace(id, "a", "0", 1), strings.Replace(id, "a", "ａ", 1), id + "/" + id, "/" + id,
		"", "\x00", strings.Repeat("\x00", 16), strings.Repeat("\x00", 15) + "\x01", string(make([]byte, 26)), strings.Repeat("a", 26), "k", "K"}
	return slices.Compact(slices.Sorted(slices.Values(ids)))
}

func lookalike(id string) (domain.DeviceKey, domain.Entry) {
	k := domain.DeviceKey{ID: id, State: domain.KeyActive, Version: 1}
	return k, domain.Entry{Event: domain.EventKeyIssued, Record: domain.RecordKey + "/" + id, Version: 1, Digest: audit.Digest(k.Canonical())}
}

func TestRecordsWithSimilarIDsAreNotConfused(t *testing.T) {
	keys, err := seal.NewKeyset()
	if err != nil {
		t.Fatal(err)
	}
	trail := audit.Trail{Chain: "home", Key: keys}
	verify := func(r *rows) (found []string) {
		report, err := audit.VerifyHeld(r, keys, "home", &audit.Held{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range report.Problems {
			found = append(found, p.Record+": "+p.What)
		}
		return found
	}
	empty := func() *rows {
		r := &rows{chains: map[string][]domain.Entry{}, keys: map[string]domain.DeviceKey{}, credentials: map[string]domain.Credential{}, signer: keys, now: begun}
		if err := trail.Begin(r); err != nil {
			t.Fatal(err)
		}
		return r
	}
	all := empty()
	for _, id := range lookalikes() {
		k, e := lookalike(id)
		all.keys[id] = k
		if err := trail.Append(all, e); err != nil {
			t.Fatal(err)
		}
	}
	if found := verify(all); len(found) > 0 {
		t.Errorf("each has its own row and entry, but found %q", found)
	}
	// The trail has an entry about one, and the store has the other.
	for _, told := range lookalikes() {
		for _, there := range lookalikes() {
			if told == there {
				continue
			}
			r := empty()
			_, e := lookalike(told)
			k, _ := lookalike(there)
			r.keys[there] = k
			if err := trail.Append(r, e); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff([]string{"key/" + there + ": no entry about this record", "key/" + told + ": the record is gone"}, verify(r)); diff != "" {
				t.Errorf("the entry is about %q, the row is %q (-want +got):\n%s", told, there, diff)
			}
		}
	}
	// Nor is a record of another kind with the same id.
	for _, kind := range []string{domain.RecordCredential, domain.RecordAttempts, domain.RecordAccount, domain.RecordPlan, domain.RecordEvent, "Key", "key ", ""} {
		for _, id := range lookalikes() {
			r := empty()
			k, e := lookalike(id)
			r.keys[id], e.Record = k, kind+"/"+id
			if err := trail.Append(r, e); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff([]string{"key/" + id + ": no entry about this record", kind + "/" + id + ": the record is gone"}, verify(r)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		}
	}
}

// A row was put back and changed to the same row twice, and at the end its
// earlier state was put back. In a sum in which two equal numbers cancel each
// other (XOR), this would not show.
func TestARowRolledBackTwiceIdenticallyIsFound(t *testing.T) {
	l := open(t)
	change := func(version int64, before, after string) domain.Entry {
		return domain.Entry{Event: domain.EventCredentialMismatch, Record: "attempts/x", Version: version, Before: []byte(before), Digest: []byte(after)}
	}
	l.append(change(1, "", "a"), change(2, "a", "b"), change(3, "b", "c"), change(2, "old", "new"), change(2, "old", "new"))
	for _, most := range []int{1, 2, 1000} {
		undo := audit.HoldAtMost(most)
		var got []int64
		for _, p := range l.verify(l.Key, l.Chain).Problems {
			if p.What == "the record had been edited or rolled back" {
				got = append(got, p.Seq)
			}
		}
		undo()
		if diff := cmp.Diff([]int64{5, 6}, got); diff != "" {
			t.Errorf("holding %d, entries (-want +got):\n%s", most, diff)
		}
	}
}

// Pages, slots and parts grow with the number of records.
func TestManyRecordsAreVerifiedAtOnceAndInParts(t *testing.T) {
	keys, err := seal.NewKeyset()
	if err != nil {
		t.Fatal(err)
	}
	trail := audit.Trail{Chain: "home", Key: keys}
	r := &rows{chains: map[string][]domain.Entry{}, keys: map[string]domain.DeviceKey{}, credentials: map[string]domain.Credential{}, signer: keys, now: begun}
	if err := trail.Begin(r); err != nil {
		t.Fatal(err)
	}
	const records = 5000
	var entries []domain.Entry
	for n := range records {
		id := domain.NewKeyID([]string{"", "eu1", "eu2"}[n%3])
		k, e := lookalike(id)
		r.keys[id] = k
		entries = append(entries, e)
	}
	if err := trail.Append(r, entries...); err != nil {
		t.Fatal(err)
	}
	edited := strings.TrimPrefix(entries[records/2].Record, "key/")
	k := r.keys[edited]
	k.AppVersion = "2"
	r.keys[edited] = k
	for _, most := range []int{records, 700} {
		undo := audit.HoldAtMost(most)
		report, err := audit.VerifyHeld(r, keys, "home", &audit.Held{}, nil)
		undo()
		want := []audit.Problem{{Chain: "home", Seq: records/2 + 2, Record: "key/" + edited, What: "the record was edited or rolled back"}}
		if diff := cmp.Diff(want, report.Problems); err != nil || diff != "" || report.Rows != records || report.Entries != records+1 {
			t.Errorf("holding %d: %v, %d rows, %d entries, problems (-want +got):\n%s", most, err, report.Rows, report.Entries, diff)
		}
	}
}

func TestAPruneCarriesNoEntriesThatChangedSinceVerification(t *testing.T) {
	keys, err := seal.NewKeyset()
	if err != nil {
		t.Fatal(err)
	}
	trail := audit.Trail{Chain: "home", Key: keys}
	r := &rows{chains: map[string][]domain.Entry{}, keys: map[string]domain.DeviceKey{}, credentials: map[string]domain.Credential{}, signer: keys, now: begun}
	if err := trail.Begin(r); err != nil {
		t.Fatal(err)
	}
	for n := range 3 {
		k, e := lookalike(fmt.Sprint(n))
		r.keys[k.ID] = k
		if err := trail.Append(r, e); err != nil {
			t.Fatal(err)
		}
	}
	was := r.clone()
	if err := trail.Append(r, domain.Entry{Event: domain.EventOperationsCounted}); err != nil {
		t.Fatal(err)
	}
	all := func(string) (int64, error) { return 1 << 40, nil }
	plan, err := audit.PlanPrune(r, keys, "home", earlier(r.Now().AddDate(1, 0, 0)), domain.Entry{RequestID: "r"}, all, nil)
	if err != nil || len(plan.Report.Problems) > 0 {
		t.Fatalf("%v, found %v", err, plan.Report.Problems)
	}
	carried, err := plan.Carried(r, 1, 5)
	if err != nil || len(carried) != 2 || carried[0].Record != "key/1" || carried[1].Record != "key/2" {
		t.Errorf("carried %+v, %v", carried, err)
	}
	// An attacker replaces the end of the trail with another valid one.
	was.cut("home", 3)
	other, e := lookalike("other")
	was.keys["other"] = other
	if err := trail.Append(was, e, e, e); err != nil {
		t.Fatal(err)
	}
	edited := r.clone()
	edited.chains["home"][3].Record = "key/other"
	short := r.clone()
	short.cut("home", 4)
	for name, now := range map[string]*rows{"another end": was, "an edited entry": edited, "no end": short} {
		if carried, err := plan.Carried(now, 0, 5); err == nil {
			t.Errorf("with %s it carries %v", name, carried)
		}
	}
}
