package trail

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"strongroom/internal/record"
	"strongroom/internal/rollback"
	"strongroom/internal/store"
)

func TestAConditionHoldsForAllChainsThatHaveEntries(t *testing.T) {
	broken := errors.New("broken")
	answers := map[string]struct {
		is  bool
		err error
	}{"yes": {true, nil}, "no": {false, nil}, "empty": {false, store.ErrNotFound}, "broken": {false, broken}}
	for _, tc := range []struct {
		chains []string
		want   bool
		err    error
	}{
		{nil, true, nil},
		{[]string{"yes", "empty", "yes"}, true, nil},
		{[]string{"empty", "no", "broken"}, false, nil},
		{[]string{"yes", "broken"}, false, broken},
	} {
		got, err := all(tc.chains, func(chain string) (bool, error) { return answers[chain].is, answers[chain].err })
		if got != tc.want || !errors.Is(err, tc.err) {
			t.Errorf("%q: %t, %v", tc.chains, got, err)
		}
	}
}

// usedStore has a partition that is in use during the first attempts to drop it, or that
// is never dropped.
type usedStore struct {
	store.Store
	used    int
	refused error
}

func (s *usedStore) Update(_ context.Context, fn func(store.Tx) error) error {
	return fn(usedTx{s: s})
}

type usedTx struct {
	store.Tx
	s *usedStore
}

func (usedTx) MoveNext(store.Partition, map[string]int64) (bool, error) { return true, nil }

func (t usedTx) DropPartition(store.Partition, map[string]int64, time.Duration) (bool, error) {
	if t.s.used--; t.s.used >= 0 {
		return false, store.ErrUnavailable
	}
	return t.s.refused == nil, t.s.refused
}

func (usedTx) WriteBatch(store.Batch) error { return nil }

// An operator made a view of the partition. Retention must not stop because of it.
func TestARefusedDropOfAPartitionIsLogged(t *testing.T) {
	var log strings.Builder
	refused := &usedStore{refused: errors.New("a view depends on it")}
	u := &Upkeep{cfg: Config{Records: record.New(record.Config{Store: rollback.New(rollback.Config{Store: refused})}),
		Log: slog.New(slog.NewTextHandler(&log, nil))}}
	dropped, err := u.drop(t.Context(), store.Partition{Name: "p"}, nil, time.Now().Add(time.Minute))
	if dropped || err != nil || !strings.Contains(log.String(), "a view depends on it") {
		t.Errorf("dropped %t, error %v, log %q", dropped, err, log.String())
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := u.drop(ctx, store.Partition{Name: "p"}, nil, time.Now().Add(time.Minute)); err == nil {
		t.Error("a prune that is stopped goes on")
	}
}

func TestADropOfAUsedPartitionIsRetriedForALimitedTime(t *testing.T) {
	for what, tc := range map[string]struct {
		used   int
		within time.Duration
		want   bool
	}{
		"not used":          {0, -time.Second, true},
		"used for a moment": {1, time.Minute, true},
		"used too long":     {1, -time.Second, false},
	} {
		u := &Upkeep{cfg: Config{Records: record.New(record.Config{Store: rollback.New(rollback.Config{Store: &usedStore{used: tc.used}})})}}
		dropped, err := u.drop(t.Context(), store.Partition{Name: "p"}, nil, time.Now().Add(tc.within))
		if dropped != tc.want || err != nil {
			t.Errorf("%s: dropped %t, %v", what, dropped, err)
		}
	}
}
