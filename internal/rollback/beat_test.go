package rollback

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"testing"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/store"
)

// settings are the settings of a store at one time.
type settings struct {
	store.Tx
	now    time.Time
	values map[string][]byte
}

func (s settings) Now() time.Time { return s.now }

func (s settings) Setting(name string) ([]byte, error) {
	value, there := s.values[name]
	if !there {
		return nil, store.ErrNotFound
	}
	return value, nil
}

func (s settings) Settings(string) (map[string][]byte, error) { return s.values, nil }

func (s settings) PutSettingLater(name string, value []byte) error {
	s.values[name] = value
	return nil
}

func (settings) Final() {}

func (settings) Interleave(fns ...func() error) error { return store.InOrder(fns) }

func (s settings) DeleteSetting(name string) error {
	delete(s.values, name)
	return nil
}

// An instance may be paused for a long time, and continue just when another one
// removes its beat.
func TestTheBeatOfAReturnedInstanceIsNotRemoved(t *testing.T) {
	now := time.Unix(1e9, 0)
	long := now.Add(-2 * beatKept)
	s := New(Config{})
	s.BeginBeats(Beats{Instance: "own", Elapsed: func() time.Duration { return time.Hour },
		MAC: func([]byte) []byte { return []byte("mac") }, Genuine: func(_, mac []byte) bool { return string(mac) == "mac" }})
	in := settings{now: now, values: map[string][]byte{}}
	for instance, at := range map[string]time.Time{"back": now, "gone": long} {
		s.beats.peers[instance] = &peer{at: long}
		value, err := s.beats.seal(beat{Instance: instance, At: domain.Micros(at)})
		if err != nil {
			t.Fatal(err)
		}
		in.values[BeatPrefix+instance] = value
	}
	s.beats.peers["edited"] = &peer{at: long}
	in.values[BeatPrefix+"edited"] = bytes.Repeat([]byte{1}, 9)
	if err := (&tx{Tx: in, s: s}).removeEnded(); err != nil {
		t.Fatal(err)
	}
	if left := slices.Collect(maps.Keys(in.values)); !slices.Equal(left, []string{"beat/back"}) {
		t.Errorf("left is %v", left)
	}
}

// database is a store of settings, of which reading and writing may fail.
type database struct {
	store.Store
	settings
	readErr, writeErr error
}

func (d *database) View(_ context.Context, fn func(store.Tx) error) error {
	return cmp.Or(d.readErr, fn(d.settings))
}

func (d *database) Update(_ context.Context, fn func(store.Tx) error) error {
	return cmp.Or(d.writeErr, fn(d.settings))
}

// An instance that is alone can always give wrong verdicts: also after a time in which it was
// not sure that it is alone, and if one beat fails.
func TestALoneInstanceCanAlwaysGiveWrongVerdicts(t *testing.T) {
	elapsed, failed := time.Second, errors.New("the server does not respond")
	in := &database{settings: settings{now: time.Unix(1e9, 0), values: map[string][]byte{}}}
	s := New(Config{Store: in, Seen: func(_, what string) { t.Error(what) }})
	s.memory.followed = map[string]followed{}
	s.BeginBeats(Beats{Instance: "own", Elapsed: func() time.Duration { return elapsed },
		MAC: func([]byte) []byte { return []byte("mac") }, Genuine: func(_, mac []byte) bool { return string(mac) == "mac" }})
	for in.readErr = nil; elapsed < 2900*time.Millisecond; in.readErr = failed { // it writes its beat, and then cannot read for almost 2 s
		if err := s.Beat(t.Context()); !errors.Is(err, in.readErr) {
			t.Fatal(err)
		}
		elapsed += s.BeatAfter()
	}
	in.readErr = nil
	for n := range 20 {
		in.writeErr = nil
		if n%5 == 4 {
			in.writeErr = failed
		}
		if err := s.Beat(t.Context()); !errors.Is(err, in.writeErr) {
			t.Error(err)
		}
		for next := elapsed + s.BeatAfter(); elapsed < next; elapsed += 10 * time.Millisecond {
			if done, _ := s.beats.acknowledged(nil); !done {
				t.Fatalf("after beat %d and %v it does not give a wrong verdict", n, elapsed)
			}
		}
	}
}

// A process is paused, and meanwhile the key of its beat's MAC is destroyed. It recognizes
// what it wrote: also a beat for which it got no answer. Anything else was put back or
// forged.
func TestAProcessRecognizesItsBeatUnderADestroyedKey(t *testing.T) {
	elapsed, key := time.Second, "first"
	in := &database{settings: settings{now: time.Unix(1e9, 0), values: map[string][]byte{}}}
	s := New(Config{Store: in, Seen: func(_, what string) { t.Error(what) }})
	s.memory.followed = map[string]followed{}
	s.BeginBeats(Beats{Instance: "own", Elapsed: func() time.Duration { return elapsed },
		MAC: func([]byte) []byte { return []byte(key) }, Genuine: func(_, mac []byte) bool { return string(mac) == key }})
	lost := errors.New("the answer to the commit is lost")
	writes := func(outcome error) []byte {
		t.Helper()
		elapsed, in.writeErr = elapsed+3*time.Second, outcome
		in.now = in.now.Add(3 * time.Second)
		if err := s.Beat(t.Context()); !errors.Is(err, outcome) {
			t.Fatal(err)
		}
		return in.values["beat/own"]
	}
	older, durable := writes(nil), writes(nil)
	tried, triedAgain := writes(lost), writes(lost)
	forged, err := s.beats.seal(beat{Instance: "own", Number: 3})
	if err != nil {
		t.Fatal(err)
	}
	finds := func(when, what string, value []byte, want error) {
		t.Helper()
		in.values["beat/own"] = value
		if err := (&tx{Tx: in.settings, s: s}).ownBeat(); !errors.Is(err, want) {
			t.Errorf("%s, %s beat: %v, want %v", when, what, err, want)
		}
	}
	finds("before", "the older", older, errFound)
	key = "second"
	for what, value := range map[string][]byte{"the durable": durable, "a tried": tried, "the newest tried": triedAgain} {
		finds("after", what, value, nil)
	}
	finds("after", "the older", older, errFound)
	finds("after", "a forged", forged, errFound)
	in.values["beat/own"] = triedAgain
	renewed := writes(nil)
	finds("after the next beat", "its", renewed, nil)
	finds("after the next beat", "the one before it", triedAgain, errFound)
}

// While commits fail, a process that beats for days keeps only some of its beats.
func TestAProcessKeepsFewOfItsBeats(t *testing.T) {
	var b beats
	for n := range byte(100) {
		b.noteTried([]byte{n})
	}
	if len(b.mine) != mineKept || !b.wroteThis([]byte{0}) || !b.wroteThis([]byte{99}) || b.wroteThis([]byte{1}) {
		t.Errorf("it keeps %v", b.mine)
	}
}
