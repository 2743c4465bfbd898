package storetest

import (
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/store"
)

var receiptTests = []test{
	{"of twenty receipts under one key at once, one is kept", keptReceipts},
	{"old receipts are removed in portions", sweptReceipts},
}

func keptReceipts(w *world) {
	w.missing(func(tx store.Tx) error { _, _, err := tx.Receipt(digest(0)); return err })
	r := domain.Receipt{RequestID: domain.NewID(), At: w.now()}
	w.oneWins(together(20, func(int) error {
		return w.update(func(tx store.Tx) error { return tx.PutReceipt(digest(0), everyByte(), r) })
	}))
	other := domain.Receipt{RequestID: domain.NewID(), At: w.now().Add(time.Hour)}
	w.fails(store.ErrConflict, func(tx store.Tx) error { return tx.PutReceipt(digest(0), nil, other) })
	w.must(func(tx store.Tx) error { return tx.PutReceipt(digest(1), nil, other) })
	w.reopen()
	for i, want := range []domain.Receipt{r, other} {
		w.look(func(tx store.Tx) error {
			got, d, err := tx.Receipt(digest(i))
			equal(w, "receipt", got, want)
			equal(w, "digest", d, [][]byte{everyByte(), nil}[i])
			return err
		})
	}
}

func sweptReceipts(w *world) {
	start := w.now()
	w.must(func(tx store.Tx) error {
		for i := range 7 {
			at := start.Add(time.Duration(i) * time.Minute)
			if err := tx.PutReceipt(digest(i), digest(i), domain.Receipt{RequestID: "id", At: at}); err != nil {
				return err
			}
		}
		return nil
	})
	for _, c := range []struct {
		before      time.Duration
		limit, want int
	}{{0, 10, 0}, {5 * time.Minute, 3, 3}, {5 * time.Minute, 3, 2}, {5 * time.Minute, 3, 0}} {
		gives(w, "receipts removed", c.want, func(tx store.Tx) (int, error) { return tx.DeleteReceipts(start.Add(c.before), c.limit) })
	}
	w.missing(func(tx store.Tx) error { _, _, err := tx.Receipt(digest(4)); return err })
	w.look(func(tx store.Tx) error { _, _, err := tx.Receipt(digest(5)); return err })
}
