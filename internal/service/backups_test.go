package service

import (
	"bytes"
	"errors"
	"slices"
	"testing"
	"time"

	"strongroom/internal/audit"
	"strongroom/internal/domain"
)

// heads are the ends of the trail, as a backup that is made now has them.
func (v *instance) heads() []audit.Head {
	v.t.Helper()
	report, err := v.VerifyTrail(v.ctx, func(audit.Progress) {})
	if err != nil || len(report.Problems) > 0 {
		v.t.Fatalf("%v, %v", report.Problems, err)
	}
	return report.Heads
}

// A job that verifies the same old file each day must not hide that no new backup is made.
func TestAVerifiedBackupIsAsOldAsTheFirstEntryThatItLacks(t *testing.T) {
	v, w := openTwo(t)
	v.issue("phone")
	noted := func(what string, heads []audit.Head, want time.Duration) {
		t.Helper()
		if err := v.NoteVerified(v.ctx, v.home, heads, v.clock.Now()); err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		if err := v.lookAtBackups(v.ctx, v.records.View); err != nil {
			t.Fatal(err)
		}
		if age, known := v.backupAge(); !known || age < want || age > want+time.Minute {
			t.Errorf("%s: the backup is %v old, %v, want %v", what, age, known, want)
		}
	}
	old := v.heads()
	v.clock.Advance(24 * time.Hour)
	noted("nothing happened since", old, 0)
	v.issue("tablet")
	v.clock.Advance(time.Hour)
	noted("an entry follows", old, time.Hour)
	v.issue("laptop")
	v.clock.Advance(time.Hour)
	noted("two entries follow", old, 2*time.Hour)
	newer := v.heads()
	w.issue("watch") // begins a chain
	v.clock.Advance(time.Hour)
	noted("a chain began since", newer, time.Hour)
	noted("a new backup", v.heads(), 0)
	noted("the old one again", old, 3*time.Hour)
}

func TestABackupOfAnotherStateOfTheDatabaseIsNotNoted(t *testing.T) {
	v := openVault(t, nil)
	v.issue("phone")
	edited := func(edit func(*audit.Head)) []audit.Head {
		heads := slices.Clone(v.heads())
		heads[0].Hash = bytes.Clone(heads[0].Hash)
		edit(&heads[0])
		return heads
	}
	for what, heads := range map[string][]audit.Head{
		"another entry":                edited(func(h *audit.Head) { h.Hash[len(h.Hash)-1] ^= 1 }),
		"a later entry":                edited(func(h *audit.Head) { h.Seq++ }),
		"a chain that is missing here": append(v.heads(), audit.Head{Chain: domain.NewID(), Seq: 7, Hash: make([]byte, 32)}),
	} {
		if err := v.NoteVerified(v.ctx, v.home, heads, v.clock.Now()); !errors.Is(err, errOtherState) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if err := v.NoteVerified(v.ctx, "another", v.heads(), v.clock.Now()); err == nil {
		t.Error("a backup of another store was noted")
	}
	if err := v.lookAtBackups(v.ctx, v.records.View); err != nil {
		t.Fatal(err)
	}
	if age, known := v.backupAge(); known {
		t.Errorf("a backup that is %v old was noted", age)
	}
}
