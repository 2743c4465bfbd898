package storetest

import (
	"strconv"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/store"
)

var signingKeyTests = []test{
	{"of twenty signing keys of one number at once, one is kept", keptSigningKeys},
	{"signing keys come in order of their numbers", orderedSigningKeys},
	{"a signing key is changed once from each version", changedSigningKey},
}

func (w *world) signingKey(number int64) domain.SigningKey {
	return domain.SigningKey{Number: number, ID: strconv.FormatInt(number, 10) + "-β", Algorithm: domain.AlgorithmES256, Version: 1,
		CreatedAt: w.now(), ActiveFrom: w.now().Add(time.Hour), PublicKey: everyByte(), Sealed: everyByte(), MAC: digest(1)}
}

func (w *world) signingKeys(want ...domain.SigningKey) {
	w.Helper()
	finds(w, "signing keys", want, store.Tx.SigningKeys)
}

func keptSigningKeys(w *world) {
	w.signingKeys()
	k := w.signingKey(1)
	w.oneWins(together(20, func(int) error {
		return w.update(func(tx store.Tx) error { return tx.InsertSigningKey(k) })
	}))
	other := w.signingKey(1)
	other.ID = "another"
	w.fails(store.ErrConflict, func(tx store.Tx) error { return tx.InsertSigningKey(other) })
	w.reopen()
	w.signingKeys(k)
}

func orderedSigningKeys(w *world) {
	var all []domain.SigningKey
	for number := range int64(12) {
		all = append(all, w.signingKey(number+1))
	}
	for _, i := range []int{10, 0, 2, 1, 11, 3, 4, 9, 8, 5, 6, 7} {
		w.must(func(tx store.Tx) error { return tx.InsertSigningKey(all[i]) })
	}
	w.signingKeys(all...)
}

func changedSigningKey(w *world) {
	k, other := w.signingKey(1), w.signingKey(2)
	insert(w, []domain.SigningKey{k, other}, store.Tx.InsertSigningKey)
	k.Version, k.ActiveFrom, k.ErasedAt, k.MAC, k.Sealed = 2, w.now(), w.now().Add(time.Minute), digest(3), nil
	w.oneWins(together(20, func(int) error {
		return w.update(func(tx store.Tx) error { return tx.UpdateSigningKey(k) })
	}))
	w.fails(store.ErrConflict, func(tx store.Tx) error { return tx.UpdateSigningKey(k) })
	w.fails(store.ErrConflict, func(tx store.Tx) error { return tx.UpdateSigningKey(w.signingKey(3)) })
	w.reopen()
	w.signingKeys(k, other)
	w.must(store.Tx.DeleteSigningKeys)
	w.signingKeys()
}
