package rollback

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/store"
)

// counted counts reading transactions, and makes them fail if err is set.
type counted struct {
	fake
	views int
	err   error
}

func (c *counted) View(ctx context.Context, fn func(store.Tx) error) error {
	c.views++
	if c.err != nil {
		return c.err
	}
	return c.fake.View(ctx, fn)
}

// While the process is alone and idle, every fourth glance is a look. After a failed
// look, the next glance is a look too, without other reads.
func TestAFailedLookIsRepeatedAtTheNextGlance(t *testing.T) {
	st, failed := &counted{}, errors.New("the server does not respond")
	s := New(Config{Store: st, Judge: believes{}, Own: func(string) bool { return true }, Seen: func(string, string) {}})
	s.memory.followed = map[string]followed{}
	s.BeginBeats(Beats{Elapsed: func() time.Duration { return time.Second }})
	s.beats.fresh = time.Second
	for n, glance := range []struct {
		looks, also bool
		err         error
	}{
		{}, {}, {}, {looks: true, err: failed},
		{looks: true}, {}, {}, {looks: true, also: true}, {},
	} {
		st.views, st.err = 0, glance.err
		also := false
		err := s.Glance(context.Background(), func(store.Tx) { also = true })
		if !errors.Is(err, glance.err) || st.views == 1 != glance.looks || also != glance.also {
			t.Errorf("glance %d: it looked %d times, with other reads: %v, error %v", n+1, st.views, also, err)
		}
	}
}

func TestTheFirstGlanceAndOneOfTwentyFollowErasures(t *testing.T) {
	st := &counted{}
	s := New(Config{Store: st, Exclusive: true, Judge: believes{}, Own: func(string) bool { return true }, Seen: func(string, string) {}})
	nobody := func(store.Tx) {}
	for n := range 2*glancesAnErasure + 1 {
		id := fmt.Sprint("key", n)
		st.events = []domain.Entry{{Event: domain.EventKeyRemoved, Record: domain.RecordKey + "/" + id, Hash: []byte{1}}}
		if err := s.Glance(context.Background(), nobody); err != nil {
			t.Fatal(err)
		}
		if got, want := s.memory.wasErased(id, math.MaxUint64), n%glancesAnErasure == 0; got != want {
			t.Errorf("glance %d: the erasure is known: %v, want %v", n+1, got, want)
		}
	}
}

// Other instances' new chains are found with their beats, so a spread store, on which a
// search reads all servers, is searched less often.
func TestASpreadStoreIsCheckedAndSearchedLessOften(t *testing.T) {
	for _, c := range []struct {
		spread          bool
		looks, searches int // of 40 glances
	}{{false, 40, 40}, {true, 10, 2}} {
		st := &counted{}
		s := New(Config{Store: st, Spread: c.spread, Judge: believes{}, Own: func(string) bool { return true }, Seen: func(string, string) {}})
		s.memory.followed = map[string]followed{}
		searches := 0
		for range 40 {
			before := s.memory.begunLook
			if err := s.Glance(context.Background(), func(store.Tx) {}); err != nil {
				t.Fatal(err)
			}
			if s.memory.begunLook != before {
				searches++
			}
		}
		if st.views != c.looks || searches != c.searches {
			t.Errorf("spread %v: %d looks, want %d; %d searches, want %d", c.spread, st.views, c.looks, searches, c.searches)
		}
	}
}
