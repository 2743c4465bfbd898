package console

import "testing"

func TestOnlyForgedAndUnprovenEntriesAreMarked(t *testing.T) {
	report := &Report{Problems: []Problem{
		{Record: "key/x", What: "no entry tells of this row"},
		{Chain: "home", Seq: 0, What: "forged"},
		{Chain: "", Seq: 1, What: "changed"},
	}}
	for _, tt := range []struct {
		chain    string
		seq      int64
		found    string
		unproven bool
	}{
		{"home", 0, "The trail was changed here: forged", false},
		{"home", 1, "", false},
		{"", 0, "", false},
		{"", 1, "The trail was changed here: changed", false},
		{"", 2, "", true},
	} {
		if found, unproven := report.at(tt.chain, tt.seq); found != tt.found || unproven != tt.unproven {
			t.Errorf("entry %d of chain %q: %q, %t", tt.seq, tt.chain, found, unproven)
		}
	}
}
