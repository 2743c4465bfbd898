package ratelimit

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestASourceIsSuspectedFromTheTenthAccountUntilItIsQuiet(t *testing.T) {
	g, told := NewGuesses(10, SuspectedAccounts), []int{}
	for n := range 100 { // a minute each
		now := start.Add(time.Duration(n) * time.Minute)
		if _, suspected := g.Wrong(device(0), device(n+1), now); suspected {
			told = append(told, n)
		}
		if _, suspected := g.Wrong(device(99), device(n%9), now); suspected {
			t.Fatal("nine accounts are suspected")
		}
	}
	var want5 []int
	for n := 9; n < 100; n += 5 {
		want5 = append(want5, n)
	}
	if diff := cmp.Diff(want5, told); diff != "" {
		t.Errorf("told at minute (-want +got):\n%s", diff)
	}
	end := start.Add(99 * time.Minute)
	want := []Guessed{{device(0), 60, 60, end.Add(-59 * time.Minute), end}}
	if diff := cmp.Diff(want, g.Suspected(end)); diff != "" {
		t.Errorf("suspected (-want +got):\n%s", diff)
	}
	if got := g.Suspected(end.Add(GuessQuiet - time.Second)); len(got) != 1 || !got[0].Last.Equal(end) {
		t.Errorf("shortly after the last wrong answer: %+v", got)
	}
	if got := g.Suspected(end.Add(GuessQuiet)); len(got) != 0 {
		t.Errorf("after it rested: %+v", got)
	}
}

func TestTheMemoryOfGuessesIsBounded(t *testing.T) {
	g := NewGuesses(4, SuspectedAccounts)
	for n := range 1000 {
		g.Wrong(device(0), device(n), start)
		g.Wrong(device(1+n), device(n), start)
	}
	if n := g.sources.Len(); n != 4 {
		t.Errorf("%d sources", n)
	}
	got := g.Suspected(start)
	if len(got) != 1 || got[0].Accounts != MaxGuessedAccounts {
		t.Errorf("suspected: %+v", got)
	}
	if s, _ := g.sources.Peek(device(0)); len(s.accounts) != MaxGuessedAccounts {
		t.Errorf("%d accounts", len(s.accounts))
	}
}

// Below its bounds, the watch does the same as one that remembers everything.
func TestGuessCountsMatchANaiveModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g, now := NewGuesses(10, SuspectedAccounts), start
		last := map[[2]int]time.Time{}
		told := map[int]time.Time{}
		for range rapid.IntRange(1, 300).Draw(t, "answers") {
			now = now.Add(time.Duration(rapid.Int64Range(0, int64(6*time.Minute)).Draw(t, "advance")))
			source, account := rapid.IntRange(0, 1).Draw(t, "source"), rapid.IntRange(0, 20).Draw(t, "account")
			last[[2]int{source, account}] = now
			want := 0
			for key, at := range last {
				if key[0] == source && now.Sub(at) < GuessWindow {
					want++
				}
			}
			at, before := told[source]
			suspect := want >= SuspectedAccounts && (!before || now.Sub(at) >= GuessQuiet)
			if suspect {
				told[source] = now
			}
			seen, suspected := g.Wrong(device(source), device(account), now)
			if seen.Accounts != want || suspected != suspect || seen.Last != now || now.Sub(seen.First) > 300*6*time.Minute {
				t.Fatalf("%+v, suspected %v; want %d accounts, suspected %v", seen, suspected, want, suspect)
			}
		}
	})
}

func BenchmarkWrongAnswersFromEverywhere(b *testing.B) {
	g := NewGuesses(4096, SuspectedAccounts)
	b.ReportAllocs()
	for n := range b.N {
		g.Wrong(device(n), device(n), start)
	}
}
