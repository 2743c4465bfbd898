package storetest

import (
	"cmp"
	"errors"
	"slices"

	"strongroom/internal/domain"
	"strongroom/internal/store"
)

var sealedTests = []test{
	{"the rows that are sealed come in order, page by page, each once", sealedPages},
	{"a replaced credential is sealed again in its place, or not at all", resealsPrevious},
}

// sealedPages reads rows in pages of each size. One of the accounts has an empty
// name.
func sealedPages(w *world) {
	var keys []domain.DeviceKey
	var credentials, replaced []domain.Credential
	var attempts []domain.Attempts
	for _, account := range []string{"b", "", "a", "Z", "\u00e9", "aa"} {
		k := w.issue(account, "device")
		keys = append(keys, k, w.issue(account, "another"))
		for _, t := range []domain.CredentialType{domain.TransactionPIN, domain.Passcode} {
			c, a := w.newCredential(account, t), w.newAttempts(account, t)
			credentials, attempts = append(credentials, c), append(attempts, a)
			w.must(func(tx store.Tx) error { return errors.Join(tx.PutCredential(c, k.ID), putAttempts(tx, a)) })
			for v := int64(9); v <= 11; v++ {
				replaced = append(replaced, w.replaced(account, t, v))
			}
		}
	}
	w.keep(5, replaced...)
	alone := w.newAttempts("nothing is set", domain.Passcode)
	attempts = append(attempts, alone)
	w.must(func(tx store.Tx) error { return putAttempts(tx, alone) })
	gives(w, "rows", int64(len(keys)+len(credentials)+len(replaced)+len(attempts)), func(tx store.Tx) (int64, error) { return tx.CountSealedRows(1000) })
	gives(w, "rows, at most two of each kind", 8, func(tx store.Tx) (int64, error) { return tx.CountSealedRows(2) })

	slices.SortFunc(keys, func(a, b domain.DeviceKey) int {
		return cmp.Or(cmp.Compare(a.AccountID, b.AccountID), cmp.Compare(a.ID, b.ID))
	})
	byName := func(a, b domain.Credential) int {
		return cmp.Or(cmp.Compare(a.AccountID, b.AccountID), cmp.Compare(a.Type, b.Type), cmp.Compare(a.Version, b.Version))
	}
	slices.SortFunc(credentials, byName)
	slices.SortFunc(replaced, byName)
	slices.SortFunc(attempts, func(a, b domain.Attempts) int {
		return cmp.Or(cmp.Compare(a.AccountID, b.AccountID), cmp.Compare(a.Type, b.Type))
	})
	for _, limit := range []int{1, 2, 5, 100} {
		w.look(func(tx store.Tx) error {
			paged(w, "keys", keys, limit, tx.KeysAfter)
			paged(w, "credentials", credentials, limit, tx.CredentialsAfter)
			paged(w, "replaced credentials", replaced, limit, tx.PreviousAfter)
			paged(w, "attempts", attempts, limit, tx.AttemptsAfter)
			return nil
		})
	}
}

func paged[R any](w *world, what string, want []R, limit int, after func(*R, int) ([]R, error)) {
	w.Helper()
	var got []R
	for last := (*R)(nil); ; last = &got[len(got)-1] {
		page, err := after(last, limit)
		if err != nil || len(page) > limit {
			w.Fatalf("%s, %d at a time: %d, %v", what, limit, len(page), err)
		}
		if len(page) == 0 {
			break
		}
		got = append(got, page...)
	}
	equal(w, what, got, want)
}

func resealsPrevious(w *world) {
	old, newer, other := w.replaced("account", domain.Passcode, 1), w.replaced("account", domain.Passcode, 3), w.replaced("account", domain.TransactionPIN, 1)
	w.keep(5, old, newer, other)
	again := old
	again.Sealed = []byte("sealed again")
	w.must(func(tx store.Tx) error { return tx.ResealPrevious(again) })
	w.previousAre("account", domain.Passcode, 5, newer, again)
	w.previousAre("account", domain.TransactionPIN, 5, other)
	for _, c := range []domain.Credential{w.replaced("account", domain.Passcode, 2), w.replaced("another", domain.Passcode, 1)} {
		w.fails(store.ErrConflict, func(tx store.Tx) error { return tx.ResealPrevious(c) })
	}
}
