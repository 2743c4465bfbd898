package audit_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/mod/sumdb/note"

	"strongroom/internal/audit"
	"strongroom/internal/domain"
	"strongroom/internal/store"
)

func aCheckpoint(chains int) audit.Checkpoint {
	c := audit.Checkpoint{Home: "home", Time: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
	for n := range chains {
		c.Heads = append(c.Heads, audit.Head{Chain: fmt.Sprintf("chain%05d/0", n), Seq: int64(n + 1), Hash: []byte{1, byte(n)}})
	}
	return c
}

func TestACheckpointIsANoteThatOthersCanCheck(t *testing.T) {
	by := newEvidence(t, "strongroom")
	signed, err := aCheckpoint(3).Sign(by.signer)
	if err != nil {
		t.Fatal(err)
	}
	n, err := note.Open(signed, note.VerifierList(by.verifier))
	if err != nil {
		t.Fatal(err)
	}
	// The root was computed independently: RFC 6962, 2.1, over the last three
	// lines.
	want := `strongroom/home
3
Hr9fj/RSuWpFaPLN4JAANPFlePiG+LL0UlDRE7S2WsQ=
time 2026-03-01T12:00:00.000000Z
chain chain00000/0 1 0100
chain chain00001/0 2 0101
chain chain00002/0 3 0102
`
	if diff := cmp.Diff(want, n.Text); diff != "" {
		t.Errorf("text (-want +got):\n%s", diff)
	}
	c, err := audit.OpenCheckpoint(signed, by.verifier)
	if diff := cmp.Diff(aCheckpoint(3), c); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

func TestManyChainsMakeSeveralNotesOfOneCheckpoint(t *testing.T) {
	by := newEvidence(t, "strongroom")
	signed, err := aCheckpoint(9000).Sign(by.signer)
	if err != nil {
		t.Fatal(err)
	}
	held, err := audit.ReadCheckpoints(bytes.NewReader(signed), "home", by.verifier)
	if err != nil || held.Checkpoints != 3 {
		t.Fatalf("%d notes, %v", held.Checkpoints, err)
	}
	report, err := audit.VerifyHeld(&memory{}, nil, "home", held, nil)
	if err != nil || len(report.Problems) != 100 {
		t.Errorf("of 9000 chains that are not there %d were missed, %v", len(report.Problems), err)
	}
}

func TestABadCheckpointIsNamedAndTheGoodOnesCount(t *testing.T) {
	by, stranger := newEvidence(t, "strongroom"), newEvidence(t, "strongroom")
	l := open(t)
	good := string(l.checkpoint(by))
	forge := func(by evidence, text string) string {
		signed, err := note.Sign(&note.Note{Text: text}, by.signer)
		if err != nil {
			t.Fatal(err)
		}
		return string(signed)
	}
	text, _, _ := strings.Cut(good, "\n\n")
	text += "\n"
	foreign := l.take()
	foreign.Home = "elsewhere"
	foreignSigned, err := foreign.Sign(by.signer)
	if err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct{ bad, want string }{
		"another's key":             {string(l.checkpoint(stranger)), "it is not signed by the key that was given"},
		"edited":                    {strings.Replace(good, "chain home 1 ", "chain home 2 ", 1), "it was changed since it was signed"},
		"another store's":           {string(foreignSigned), "it belongs to another database"},
		"without its end":           {good[:len(good)/2], "it is not a whole checkpoint"},
		"without a signature":       {text, "it is not a whole checkpoint"},
		"signed, but another root":  {forge(by, strings.Replace(text, "chain home 1 ", "chain home 2 ", 1)), "it is not a whole checkpoint"},
		"signed, but another count": {forge(by, strings.Replace(text, "\n1\n", "\n2\n", 1)), "it is not a whole checkpoint"},
		"signed, but more lines":    {forge(by, text+"more\n"), "it is not a whole checkpoint"},
		"too long":                  {"strongroom/home\n" + strings.Repeat("chain x 1 00\n", 100_000), "it is not a whole checkpoint"},
	} {
		t.Run(name, func(t *testing.T) {
			bad := tt.bad
			if !strings.HasSuffix(bad, "\n") {
				bad += "\n"
			}
			line := strings.Count(good, "\n") + 1
			l.TB = t
			l.holds([]byte(good+bad+"\n"+good), by, fmt.Sprintf("checkpoint in line %d: %s", line, tt.want))
		})
	}
	for name, file := range map[string]string{"nothing": "", "empty lines": "\n\n", "an endless line": strings.Repeat("x", 2000)} {
		if _, err := audit.ReadCheckpoints(strings.NewReader(file), "home", by.verifier); err == nil {
			t.Errorf("%s: read as checkpoints", name)
		}
	}
}

func TestAForgedHeadIsNotSigned(t *testing.T) {
	l := open(t)
	l.append(domain.Entry{Event: domain.EventKeyIssued})
	l.edit("UPDATE audit_log SET actor = 'operator' WHERE seq = 2")
	err := l.View(t.Context(), func(tx store.Tx) error {
		_, err := audit.Take(tx, l.Key, l.Chain)
		return err
	})
	if err == nil || !strings.Contains(err.Error(), "the last entry of chain home of the audit trail, 2, was changed") {
		t.Errorf("got %v", err)
	}
}

func TestANewCheckpointIsNeededOnlyForNewEntries(t *testing.T) {
	l := open(t)
	first := l.take()
	since := func() (news bool, err error) {
		now := l.take()
		err = l.View(t.Context(), func(tx store.Tx) (err error) { news, err = now.Since(tx, l.Key, first); return err })
		return news, err
	}
	expect := func(want bool) {
		t.Helper()
		if news, err := since(); news != want || err != nil {
			t.Errorf("news: %v, %v", news, err)
		}
	}
	expect(false)
	head := domain.Entry{Chain: "x", Seq: 1, Hash: []byte("hash")}
	l.append(domain.Entry{Event: domain.EventCheckpoint}, audit.Tie(head), domain.Entry{Event: domain.EventCheckpoint})
	expect(false)
	l.append(domain.Entry{Event: domain.EventOperationsCounted}, domain.Entry{Event: domain.EventCheckpoint})
	expect(true)
	first = l.take()
	expect(false)
	l.process("one") // new chains
	expect(true)
	first = l.take()

	// What an earlier checkpoint holds must still be there.
	l.edit("DELETE FROM audit_log WHERE chain = 'home' AND seq > 4")
	l.append(domain.Entry{Event: domain.EventCheckpoint}, domain.Entry{Event: domain.EventCheckpoint})
	if _, err := since(); err == nil || !strings.Contains(err.Error(), "entry 6 of chain home is not the one") {
		t.Errorf("a tail that was exchanged: %v", err)
	}
	first = l.take()
	l.edit("DELETE FROM audit_log WHERE chain = 'one/0'")
	if _, err := since(); err == nil || !strings.Contains(err.Error(), "entry 1 of chain one/0") {
		t.Errorf("a chain that is gone: %v", err)
	}

	// So must the beginning of a chain, unless a prune removed it: see the
	// service's tests.
	first = l.take()
	l.edit("DELETE FROM audit_log WHERE chain = 'home' AND seq < 6")
	expect(false)
	l.append(domain.Entry{Event: domain.EventOperationsCounted})
	l.edit("DELETE FROM audit_log WHERE chain = 'home' AND seq = 6")
	if _, err := since(); err == nil || !strings.Contains(err.Error(), "entry 6 of chain home is not the one") {
		t.Errorf("a begin that was deleted: %v", err)
	}
	first = audit.Checkpoint{Home: "other"}
	if _, err := since(); err == nil || !strings.Contains(err.Error(), "exchanged") {
		t.Errorf("another store: %v", err)
	}
}

func FuzzCheckpoint(f *testing.F) {
	by := newEvidence(f, "strongroom")
	signed, err := aCheckpoint(2).Sign(by.signer)
	if err != nil {
		f.Fatal(err)
	}
	text, _, _ := strings.Cut(string(signed), "\n\n")
	f.Add(text + "\n")
	f.Add("strongroom/home\n0\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\ntime 2026-03-01T12:00:00.000000Z\n")
	f.Fuzz(func(t *testing.T, text string) {
		signed, err := note.Sign(&note.Note{Text: text}, by.signer)
		if err != nil {
			return
		}
		c, err := audit.OpenCheckpoint(signed, by.verifier)
		if err != nil || len(c.Heads) == 0 {
			return
		}
		again, err := c.Sign(by.signer)
		if err != nil || !bytes.Equal(again, signed) {
			t.Errorf("%v: read\n%s\nas\n%s", err, signed, again)
		}
		if _, err := audit.ReadCheckpoints(bytes.NewReader(signed), c.Home, by.verifier); err != nil {
			t.Error(err)
		}
	})
}
