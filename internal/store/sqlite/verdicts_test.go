package sqlite

import (
	"bytes"
	"context"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/store"
)

// verdicts appends n verdicts to a chain.
func verdicts(t *testing.T, s *Store, chain string, n int64) {
	t.Helper()
	err := s.Update(context.Background(), func(tx store.Tx) error {
		for seq := int64(1); seq <= n; seq++ {
			e := domain.Entry{Chain: chain, Seq: seq, Time: tx.Now(), RequestID: domain.NewID(), Actor: "caller", Event: domain.EventCredentialMismatch,
				Outcome: "mismatch", Operation: domain.OpVerifyPIN, Count: 1, Duration: time.Millisecond, KeyID: domain.NewID(), Account: bytes.Repeat([]byte{7}, 16),
				Record: domain.RecordAttempts + "/" + domain.NewID(), Version: seq, Digest: bytes.Repeat([]byte{8}, 32), Hash: bytes.Repeat([]byte{9}, 32), Prev: bytes.Repeat([]byte{9}, 32)}
			if seq == 1 {
				e.Event = domain.EventStoreInitialised
			}
			if err := tx.InsertEntry(e); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Anyone who can write to the database can use a number twice, once in each table.
func TestDuplicateEntryNumbersAreReadTwiceAndNotPruned(t *testing.T) {
	for _, twice := range []int64{99, 100, 101, 200} {
		s := migrated(t, newPath(t))
		verdicts(t, s, "chain", 250)
		run(t, s, "INSERT INTO audit_log SELECT tenant, chain, "+strings.Join([]string{strconv.FormatInt(twice, 10), "time", "request_id", "actor", "event", "outcome", "operation",
			"failed", "count", "duration", "key_id", "account", "device", "record", "version", "before", "digest", "reason", "prev", "hash"}, ", ")+
			" FROM audit_log WHERE seq = 1")
		var found []int64
		err := s.View(context.Background(), func(tx store.Tx) error {
			found = nil
			return tx.EachEntry("chain", 0, func(e domain.Entry) error { found = append(found, e.Seq); return nil })
		})
		if err != nil || len(found) != 251 || !slices.IsSorted(found) {
			t.Errorf("%d twice: %d entries were walked, want 251 (%v)", twice, len(found), err)
		}
		err = s.Update(context.Background(), func(tx store.Tx) error {
			_, err := tx.DeleteEntries("chain", twice, 500)
			return err
		})
		if err == nil {
			t.Errorf("%d twice: entries were removed", twice)
		}
	}
}

// Each index finds a verdict by columns that the hash covers in one form only.
func TestAVerdictInANonCanonicalFormHasNoHash(t *testing.T) {
	for _, edit := range []string{"account = account + 4294967296", "second = second + 288230376151711744", "second = second + 2100, micros = micros - 2100000000",
		"second = second - 1, micros = micros + 1000000", "chain = chain, data = data || x'00'"} {
		s := migrated(t, newPath(t))
		verdicts(t, s, "chain", 3)
		run(t, s, "UPDATE audit_verdict SET "+strings.Replace(edit, "data || x'00'", "CAST(data || x'00' AS BLOB)", 1)+" WHERE seq = 2")
		err := s.View(context.Background(), func(tx store.Tx) error {
			return tx.EachEntry("chain", 0, func(e domain.Entry) error {
				if e.Seq == 2 && len(e.Hash) > 0 && len(e.Digest) == 32 {
					t.Errorf("%s: the entry comes back with its hash", edit)
				}
				return nil
			})
		})
		if err != nil {
			t.Error(err)
		}
	}
}

func TestVerdictsWithoutAChainAreFound(t *testing.T) {
	s := migrated(t, newPath(t))
	verdicts(t, s, "chain", 3)
	unnamed := func(limit int) (found []int64) {
		t.Helper()
		err := s.View(context.Background(), func(tx store.Tx) (err error) { found, err = tx.UnnamedVerdicts(limit); return err })
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	if found := unnamed(9); len(found) > 0 {
		t.Errorf("found %d in an intact trail", found)
	}
	want := []int64{math.MinInt64, 0, 77, math.MaxInt64}
	for _, number := range want {
		run(t, s, "INSERT INTO audit_verdict SELECT "+strconv.FormatInt(number, 10)+", seq, second, micros, account, data, hash FROM audit_verdict WHERE chain = 1")
	}
	if found := unnamed(9); !slices.Equal(found, want) {
		t.Errorf("found %d, want %d", found, want)
	}
	if found := unnamed(2); !slices.Equal(found, want[:2]) {
		t.Errorf("found %d, want %d", found, want[:2])
	}
}

func TestAChainThatWouldGetTooHighANumberIsRefused(t *testing.T) {
	s := migrated(t, newPath(t))
	verdicts(t, s, "chain", 3)
	number := func(chain string) error {
		return s.Update(context.Background(), func(tx store.Tx) error { return tx.NumberChain(chain) })
	}
	run(t, s, "UPDATE audit_chain SET number = 2147483646")
	if err := number("last"); err != nil {
		t.Error(err)
	}
	if err := number("next"); err == nil || !strings.Contains(err.Error(), "audit verify") {
		t.Errorf("a chain after the highest number: %v", err)
	}
	if err := number("chain"); err != nil {
		t.Errorf("a chain that has a number: %v", err)
	}
}
