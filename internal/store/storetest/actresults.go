package storetest

import (
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/store"
)

var actResultTests = []test{
	{"of twenty results under one key at once, one is kept", keptActResults},
	{"old results are removed in portions", sweptActResults},
}

func keptActResults(w *world) {
	w.missing(func(tx store.Tx) error { _, _, err := tx.ActResult(digest(0)); return err })
	r := domain.ActResult{RequestID: domain.NewID(), At: w.now()}
	w.oneWins(together(20, func(int) error {
		return w.update(func(tx store.Tx) error { return tx.PutActResult(digest(0), everyByte(), r) })
	}))
	other := domain.ActResult{RequestID: domain.NewID(), At: w.now().Add(time.Hour)}
	w.fails(store.ErrConflict, func(tx store.Tx) error { return tx.PutActResult(digest(0), nil, other) })
	w.must(func(tx store.Tx) error { return tx.PutActResult(digest(1), nil, other) })
	w.reopen()
	for i, want := range []domain.ActResult{r, other} {
		w.look(func(tx store.Tx) error {
			got, d, err := tx.ActResult(digest(i))
			equal(w, "result", got, want)
			equal(w, "digest", d, [][]byte{everyByte(), nil}[i])
			return err
		})
	}
}

func sweptActResults(w *world) {
	start := w.now()
	w.must(func(tx store.Tx) error {
		for i := range 7 {
			at := start.Add(time.Duration(i) * time.Minute)
			if err := tx.PutActResult(digest(i), digest(i), domain.ActResult{RequestID: "id", At: at}); err != nil {
				return err
			}
		}
		return nil
	})
	for _, c := range []struct {
		before      time.Duration
		limit, want int
	}{{0, 10, 0}, {5 * time.Minute, 3, 3}, {5 * time.Minute, 3, 2}, {5 * time.Minute, 3, 0}} {
		gives(w, "results removed", c.want, func(tx store.Tx) (int, error) { return tx.DeleteActResults(start.Add(c.before), c.limit) })
	}
	w.missing(func(tx store.Tx) error { _, _, err := tx.ActResult(digest(4)); return err })
	w.look(func(tx store.Tx) error { _, _, err := tx.ActResult(digest(5)); return err })
}
