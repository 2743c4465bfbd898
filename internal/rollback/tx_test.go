package rollback

import (
	"testing"

	"strongroom/internal/domain"
)

// quiet is a store that has seen no rollback and never will.
func quiet(t *testing.T) *Store {
	return New(Config{Exclusive: true, Seen: func(record, what string) { t.Errorf("%s: %s", record, what) }})
}

func TestARememberedVersionIsNotOpenedAgain(t *testing.T) {
	s := quiet(t)
	opened := 0
	read := func(v state) {
		t.Helper()
		tx := s.begin(nil, true)
		genuine := func() bool { opened++; return true }
		if err := tx.compare(v, func() []byte { return nil }, genuine); err != nil {
			t.Fatal(err)
		}
		s.keep(t.Context(), tx)
	}
	read(version("a", 1, 11))
	read(version("a", 1, 11))
	if opened != 1 {
		t.Errorf("read twice, opened %d times, want 1", opened)
	}
	read(version("a", 2, 22))
	if opened != 2 {
		t.Errorf("after a newer version: opened %d times, want 2", opened)
	}
	if r, known := s.memory.row(place{domain.RecordAttempts, "phone", "TRANSACTION_PIN"}); !known || r.version != 2 {
		t.Errorf("remembered %+v, want version 2", r)
	}
}
