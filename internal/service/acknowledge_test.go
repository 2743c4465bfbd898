package service

import (
	"context"
	"errors"
	"testing"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/rollback"
)

// beating are two instances that know of each other. Each reads and reports only
// when a test says so.
func beating(t *testing.T) (v, w *instance) {
	t.Helper()
	v, w = followers(t)
	v.beginBeats()
	w.beginBeats()
	for range 2 {
		v.beat(nil)
		w.beat(nil)
	}
	return v, w
}

func (v *instance) beat(want error) {
	v.t.Helper()
	if err := v.guard.Beat(v.ctx); !errors.Is(err, want) {
		v.t.Errorf("a beat: %v, want %v", err, want)
	}
}

// begun is a counted guess whose answer the test can wait for.
type begun struct {
	answer chan string
	hangUp context.CancelFunc
}

// begin begins an operation of the phone and returns once its attempt is settled.
func (v *instance) begin(op func(context.Context) (bool, error)) begun {
	ctx, cancel := context.WithCancel(v.ctx)
	b := begun{make(chan string, 1), cancel}
	v.joins()
	at := &stop{transaction: settling, reached: make(chan struct{}), after: true}
	ctx = context.WithValue(ctx, stopKey{}, at)
	go func() {
		ok, err := op(ctx)
		answer := word(ok, err)
		if errors.Is(err, context.Canceled) {
			answer = "hung up"
		}
		b.answer <- answer
	}()
	<-at.reached
	return b
}

func (v *instance) beginGuess(key domain.KeyPair) begun {
	sub := submission(v.t, key, domain.TransactionPIN, "0000")
	return v.begin(func(ctx context.Context) (bool, error) { return v.matches(ctx, sub) })
}

// unanswered hangs up on a guess that must not be answered yet.
func (v *instance) unanswered(what string, b begun) {
	v.t.Helper()
	b.hangUp()
	v.expect(what, <-b.answer, "hung up")
}

func TestAWrongVerdictWaitsUntilAllInstancesKnowTheGuess(t *testing.T) {
	v, w := beating(t)
	key := v.issue("phone")
	v.unanswered("a guess that the other does not know of", v.beginGuess(key))
	b := v.beginGuess(key)
	v.beat(nil) // reads that the other has read nothing yet
	w.beat(nil)
	v.beat(nil)
	v.expect("a guess that the other knows of", <-b.answer, "false")
	v.expect("a right answer", v.verifyPIN(key, "1357"), "true")
	if err := w.guard.EndBeats(w.ctx); err != nil {
		t.Fatal(err)
	}
	v.beat(nil)
	v.expect("a guess beside one that has ended", v.verifyPIN(key, "0000"), "false")
	v.beat(nil)
	v.beat(nil)
	if err := v.Ready(v.ctx); err != nil {
		t.Error(err)
	}
}

func TestAGuessWhoseClientHangsUpIsInTheSummary(t *testing.T) {
	v, _ := beating(t)
	key := v.issue("phone")
	v.setPIN(key, "1357")
	v.expect("verify", v.verifyPIN(key, "1357"), "true") // notes the use of the key
	operations := func() int64 {
		sum, err := v.Summary(v.ctx, 1)
		if err != nil {
			t.Fatal(err)
		}
		return sum.TotalOperations
	}
	before := operations()
	v.unanswered("a guess that the other does not know of", v.beginGuess(key))
	if got := operations(); got != before+1 {
		t.Errorf("%d operations before a guess and %d after it", before, got)
	}
}

func TestAGuessBySetWaitsLikeAWrongVerdict(t *testing.T) {
	withHistory := func(c *Config) { c.Writers, c.History = max(c.Writers, 2), 3 }
	v := openVault(t, withHistory)
	w := v.beside()
	key := v.issue("phone")
	v.setPIN(key, "1357")
	v.beginBeats()
	w.beginBeats()
	for range 2 {
		v.beat(nil)
		w.beat(nil)
	}
	set := func(current, secret string) begun {
		sub := submission(t, key, domain.TransactionPIN, secret)
		if current != "" {
			with := submission(t, key, domain.TransactionPIN, current).Ciphertext
			sub.Current = &with
		}
		return v.begin(func(ctx context.Context) (bool, error) {
			rule, err := v.Set(ctx, sub)
			return rule == "", err
		})
	}
	v.unanswered("a wrong current secret", set("0000", "2468"))
	v.unanswered("a secret that was set before", set("", "1357"))
	v.unanswered("a secret that was not set before", set("", "8642"))
	v.expect("the right current secret", <-set("8642", "9753").answer, "true")
}

func TestAWrongVerdictWaitsForADeadInstanceUntilItsLeaseEnds(t *testing.T) {
	v, w := beating(t)
	key := v.issue("phone")
	w.store.Close()
	b := v.beginGuess(key)
	v.clock.Advance(5 * time.Second)
	v.beat(nil)
	v.beat(nil)
	v.unanswered("a guess before the lease ends", b)
	b = v.beginGuess(key)
	v.clock.Advance(time.Second)
	v.beat(nil)
	v.expect("a guess after it", <-b.answer, "false")
}

// The others may count a silent instance as ended, and then they may
// give verdicts without it.
func TestASilentInstanceAnnouncesItselfBeforeAWrongVerdict(t *testing.T) {
	v, w := beating(t)
	key := v.issue("phone")
	if err := w.guard.EndBeats(w.ctx); err != nil {
		t.Fatal(err)
	}
	v.beat(nil)
	v.clock.Advance(5 * time.Second)
	b := v.beginGuess(key)
	v.unanswered("a guess after it was silent", b)
	v.beat(nil)
	v.unanswered("a guess before it has looked for others", v.beginGuess(key))
	v.beat(nil)
	v.expect("a guess after that", v.verifyPIN(key, "0000"), "false")
}

func TestTheFirstWrongVerdictOfAnInstanceWaitsUntilOthersKnowIt(t *testing.T) {
	v, w := beating(t)
	third := v.beside()
	key := third.issue("phone")
	third.beginBeats()
	third.unanswered("a guess before it looked for others", third.beginGuess(key))
	third.beat(nil)
	third.beat(nil)
	third.unanswered("a guess before others know of it", third.beginGuess(key))
	v.beat(nil) // finds the beat, and then the chains
	v.beat(nil)
	third.beat(nil)
	third.unanswered("a guess that one of two knows of", third.beginGuess(key))
	b := third.beginGuess(key)
	for range 2 {
		v.beat(nil)
		w.beat(nil)
		third.beat(nil)
	}
	third.expect("a guess that all know of", <-b.answer, "false")
}

// Beats that are removed, or replaced by older ones, are detected. The other
// instances learn what one instance has found.
func TestARestoredBeatIsDetected(t *testing.T) {
	for name, tt := range map[string]func(i insider, beat string, old []byte){
		"removed": func(i insider, beat string, _ []byte) { i.write("DELETE FROM setting WHERE name = $1", beat) },
		"restored": func(i insider, beat string, old []byte) {
			i.write("UPDATE setting SET value = $1 WHERE name = $2", old, beat)
		},
		"forged": func(i insider, beat string, _ []byte) {
			i.write("UPDATE setting SET value = $1 WHERE name = $2", []byte("\x01 {}"), beat)
		},
	} {
		t.Run(name, func(t *testing.T) {
			v, w := beating(t)
			key := v.issue("phone")
			beat := "beat/" + v.chains.Chain
			old, _ := v.insider().read("SELECT value FROM setting WHERE name = '" + beat + "'")["value"].([]byte)
			v.clock.Advance(3 * time.Second)
			v.beat(nil)
			w.beat(nil)
			tt(v.insider(), beat, old)
			if name == "forged" {
				w.beat(nil) // ignores the forged beat, and learns nothing from it
			} else {
				w.beat(rollback.ErrSeen)
				w.refusesEverything(key)
			}
			v.clock.Advance(3 * time.Second)
			v.beat(rollback.ErrSeen)
			v.refusesEverything(key)
		})
	}
}

func TestAFindingOfOneInstanceReachesTheOthers(t *testing.T) {
	v, w := beating(t)
	key := v.issue("phone")
	kept := v.insider().keep("attempts")
	v.beginGuess(key).hangUp()
	kept.put("attempts", kept.rows["attempts"])
	b := w.beginGuess(key)
	v.look("after the row was put back", rollback.ErrSeen)
	v.beat(nil)
	if err := w.guard.Beat(w.ctx); err != nil && !errors.Is(err, rollback.ErrSeen) {
		t.Fatal(err)
	}
	w.expect("a guess that was under way", <-b.answer, "INTERNAL")
	w.refusesEverything(key)
}

// An attempt counter that is missing but was not erased does not start again,
// even for an instance that never read it.
func TestAnAttemptCounterRemovedBehindAnotherInstanceIsDetected(t *testing.T) {
	v, w := beating(t)
	key := v.issue("phone")
	b := v.beginGuess(key)
	w.beat(nil)
	v.beat(nil)
	v.expect("a guess", <-b.answer, "false")
	v.insider().write("DELETE FROM attempts WHERE @pin")
	w.expect("a guess at the other", w.verifyPIN(key, "0000"), "INTERNAL")
	w.refusesEverything(key)
}

// A row that one instance erased may start again at another instance that has not
// read of the erasure yet.
func TestAnErasedAttemptCounterStartsAgain(t *testing.T) {
	v, w := beating(t)
	key := v.issue("phone")
	b := v.beginGuess(key)
	w.beat(nil)
	v.beat(nil)
	v.expect("a guess", <-b.answer, "false")
	if err := v.erase("phone", "reason"); err != nil {
		t.Fatal(err)
	}
	key = w.issue("phone")
	w.setPIN(key, "1357")
	w.expect("the right PIN", w.verifyPIN(key, "1357"), "true")
	for range 2 {
		w.beat(nil)
		v.beat(nil)
	}
	v.expect("at the other", v.verifyPIN(key, "1357"), "true")
}

// Guesses are under way at both instances when the row is restored in between,
// so neither has read the other's entry when it counts its own.
func TestTwoInstancesGiveNoMoreWrongVerdictsThanOne(t *testing.T) {
	for name, tt := range map[string]struct {
		first, second int
		apart         bool // each instance finds the row as it left it
		shifted       bool // the second counts its verdicts in other versions of the row than the first
	}{
		"four and four":                      {4, 4, false, false},
		"one and four":                       {1, 4, false, false},
		"four and one":                       {4, 1, false, false},
		"four and two, apart":                {4, 2, true, false},
		"two and four, apart":                {2, 4, true, false},
		"four and four, apart":               {4, 4, true, false},
		"four and two, apart and shifted":    {4, 2, true, true},
		"two and four, apart and shifted":    {2, 4, true, true},
		"three and three, apart and shifted": {3, 3, true, true},
	} {
		t.Run(name, func(t *testing.T) {
			v, w := beating(t)
			key := v.issue("phone")
			kept := v.insider().keep("attempts")
			guesses := func(at *instance, n int) (all []begun) {
				for range n {
					all = append(all, at.beginGuess(key))
				}
				return all
			}
			all := guesses(v, tt.first)
			mine := kept.read("SELECT * FROM attempts WHERE @pin")
			kept.put("attempts", kept.rows["attempts"])
			if tt.shifted {
				w.mustReserve(key)
			}
			all = append(all, guesses(w, tt.second)...)
			theirs := kept.read("SELECT * FROM attempts WHERE @pin")
			for range 4 {
				for _, at := range []*instance{v, w} {
					if tt.apart && at == v {
						kept.put("attempts", mine)
					} else if tt.apart {
						kept.put("attempts", theirs)
					}
					if err := at.guard.Beat(at.ctx); err != nil && !errors.Is(err, rollback.ErrSeen) {
						t.Fatal(err)
					}
				}
			}
			wrong := 0
			for _, b := range all {
				b.hangUp()
				if <-b.answer == "false" {
					wrong++
				}
			}
			if wrong > 5 {
				t.Errorf("%d wrong verdicts", wrong)
			}
			v.refusesEverything(key)
			w.refusesEverything(key)
		})
	}
}
