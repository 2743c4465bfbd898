package rollback

import (
	"context"
	"errors"
	"slices"
	"testing"

	"strongroom/internal/domain"
)

// A process that has written nothing yet detects that the head that it found at its
// start is gone.
func TestAKnownHeadMustStayInTheChain(t *testing.T) {
	for what, c := range map[string]struct {
		last domain.Entry
		held []domain.Entry
		want error
	}{
		"it is the newest":        {entry(3, 3), nil, nil},
		"others appended":         {entry(9, 9), []domain.Entry{entry(3, 3), entry(9, 9)}, nil},
		"the chain ends before":   {entry(2, 2), nil, ErrSeen},
		"another is in its place": {entry(3, 8), nil, ErrSeen},
	} {
		s := New(Config{Store: fake{last: always(c.last), held: c.held}, Exclusive: true, Judge: believes{}, Seen: func(string, string) {}})
		s.Know(Head{Chain: "chain", Seq: 3, Hash: entry(3, 3).Hash})
		if err := s.Look(context.Background()); !errors.Is(err, c.want) || s.Seen() != (c.want != nil) {
			t.Errorf("%s: %v, want %v", what, err, c.want)
		}
	}
}

func TestHeadsOfAWitnessMustBeInTheStore(t *testing.T) {
	f := fake{last: always(entry(9, 9)), held: []domain.Entry{entry(3, 3), entry(9, 9)}}
	for what, c := range map[string]struct {
		heads []domain.Entry
		want  error
	}{
		"both are":      {[]domain.Entry{entry(3, 3), entry(9, 9)}, nil},
		"one is newer":  {[]domain.Entry{entry(3, 3), entry(10, 10)}, ErrSeen},
		"one is other":  {[]domain.Entry{entry(3, 4)}, ErrSeen},
		"there is none": {nil, nil},
	} {
		s := New(Config{Store: f, Judge: believes{}, Seen: func(string, string) {}})
		var heads []Head
		for _, e := range c.heads {
			heads = append(heads, Head{Chain: "chain", Seq: e.Seq, Hash: e.Hash})
		}
		if err := s.Compare(context.Background(), heads); !errors.Is(err, c.want) || s.Seen() != (c.want != nil) {
			t.Errorf("%s: %v, want %v", what, err, c.want)
		}
	}
}

// Only chains that grew while this process ran are named: a store has thousands that
// ended.
func TestOnlyChainsThatGrewAreNamed(t *testing.T) {
	m := newMemory()
	head := func(chain string, seq int64) Head { return Head{Chain: chain, Seq: seq} }
	for _, n := range []news{
		{heads: []Head{head("old", 7), head("grows", 7)}},
		{heads: []Head{head("grows", 8), head("new", 1)}},
		{heads: []Head{head("new", 1), head("grows", 9)}},
	} {
		m.following(false)
		if err := m.learn(n); err != nil {
			t.Fatal(err)
		}
	}
	var names []string
	for _, h := range m.followedHeads() {
		names = append(names, h.Chain)
	}
	if !slices.Equal(names, []string{"new", "grows"}) {
		t.Errorf("it names %v, want those that grew, the last one at the end", names)
	}
}
