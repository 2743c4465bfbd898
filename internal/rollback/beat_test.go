package rollback

import (
	"bytes"
	"maps"
	"slices"
	"testing"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/store"
)

// settings are those of a store at a time.
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

func (s settings) DeleteSetting(name string) error {
	delete(s.values, name)
	return nil
}

// An instance may be paused for long and go on in the moment in which another
// one removes its beat.
func TestTheBeatOfAnInstanceThatIsBackIsNotRemoved(t *testing.T) {
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
