package storetest

import (
	"strconv"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/store"
)

var redemptionTests = []test{
	{"of fifty redemptions of one receipt at once, one succeeds", oneRedemption},
	{"a redemption that is not committed is none", uncommittedRedemption},
	{"redemptions are removed after their receipts expired, in portions", sweptRedemptions},
}

func redeem(id string, expires time.Time) func(store.Tx) error {
	return func(tx store.Tx) error { return tx.Redeem(domain.Redemption{ID: id, ExpiresAt: expires}) }
}

func oneRedemption(w *world) {
	first := redeem("a receipt", w.now())
	w.oneWinsOver(together(50, func(int) error { return w.update(first) }), store.ErrRedeemed)
	w.reopen()
	w.fails(store.ErrRedeemed, redeem("a receipt", w.now().Add(time.Hour)))
	w.must(redeem("another", w.now()))
}

func uncommittedRedemption(w *world) {
	w.fails(errBoom, func(tx store.Tx) error {
		if err := redeem("a receipt", w.now())(tx); err != nil {
			return err
		}
		return errBoom
	})
	w.must(redeem("a receipt", w.now()))
}

func sweptRedemptions(w *world) {
	now := w.now()
	for i := range 5 {
		w.must(redeem(strconv.Itoa(i), now.Add(time.Duration(i)*time.Second)))
	}
	swept := func(want int) {
		w.Helper()
		gives(w, "redemptions removed", want, func(tx store.Tx) (int, error) { return tx.DeleteRedemptions(now.Add(3*time.Second), 2) })
	}
	swept(2)
	w.must(redeem("0", now))
	w.fails(store.ErrRedeemed, redeem("2", now))
	swept(2)
	swept(0)
	w.fails(store.ErrRedeemed, redeem("3", now))
	w.fails(store.ErrRedeemed, redeem("4", now))
}
