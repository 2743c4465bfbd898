package storetest

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"testing"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/store"
)

var transactionTests = []test{
	{"what Update wrote is there after a restart", durable},
	{"what one handle committed another one sees", visible},
	{"an Update whose function fails writes nothing", failureRollsBack},
	{"an Update whose function panics writes nothing and passes the panic on", panicRollsBack},
	{"no two Updates interleave", noInterleaving},
	{"an Update that fails or panics among others takes none with it", neighbours},
	{"no two Updates that run at the same time have one number", writers},
	{"a View reads one snapshot", snapshot},
	{"a View refuses to write", viewIsReadOnly},
	{"Now stands still inside a transaction", nowIsFrozen},
	{"a missing row does not spoil the transaction", missingIsNoFailure},
	{"a cancelled Update writes nothing", cancelled},
	{"a transaction is dead when its function has returned", deadAfterReturn},
	{"a closed store fails, and so does a transaction under way", closing},
	{"a healthy store answers Ping", ping},
	{"Scrub stops nobody", scrub},
}

func durable(w *world) {
	k := w.issue("account", "device")
	w.reopen()
	finds(w, "key", k, func(tx store.Tx) (domain.DeviceKey, error) { return tx.Key(k.ID) })
}

func visible(w *world) {
	other := w.openAnother()
	for i := range 3 {
		value := []byte(strconv.Itoa(i))
		w.must(func(tx store.Tx) error { return tx.PutSetting("name", value) })
		err := other.View(context.Background(), func(tx store.Tx) error {
			got, err := tx.Setting("name")
			equal(w, "setting", got, value)
			return err
		})
		if err != nil {
			w.Fatal(err)
		}
	}
}

func failureRollsBack(w *world) {
	k := w.newKey("account", "device")
	w.fails(errBoom, func(tx store.Tx) error {
		if err := errors.Join(tx.PutSetting("name", []byte("value")), tx.InsertKey(k)); err != nil {
			return err
		}
		return errBoom
	})
	w.nothingOf(k)
}

// nothingOf checks that neither the key nor the setting "name" was written,
// and that the store works on.
func (w *world) nothingOf(k domain.DeviceKey) {
	w.Helper()
	w.missing(func(tx store.Tx) error { _, err := tx.Key(k.ID); return err })
	w.missing(func(tx store.Tx) error { _, err := tx.Setting("name"); return err })
	w.must(func(tx store.Tx) error { return tx.InsertKey(k) })
}

func panicRollsBack(w *world) {
	k := w.newKey("account", "device")
	func() {
		defer func() {
			if got := recover(); got != errBoom {
				w.Errorf("recovered %v, want %v", got, errBoom)
			}
		}()
		_ = w.update(func(tx store.Tx) error {
			if err := errors.Join(tx.PutSetting("name", []byte("value")), tx.InsertKey(k)); err != nil {
				return err
			}
			panic(errBoom)
		})
	}()
	w.nothingOf(k)
}

func noInterleaving(w *world) {
	const writers, each = 8, 10
	handles := []store.Store{w.store, w.openAnother()}
	w.must(func(tx store.Tx) error { return tx.PutSetting("count", []byte("0")) })
	increment := func(tx store.Tx) error {
		value, err := tx.Setting("count")
		if err != nil {
			return err
		}
		n, err := strconv.Atoi(string(value))
		if err != nil {
			return err
		}
		return tx.PutSetting("count", strconv.AppendInt(nil, int64(n+1), 10))
	}
	errs := together(writers, func(i int) error {
		for range each {
			if err := handles[i%2].Update(context.Background(), increment); err != nil {
				return err
			}
		}
		return nil
	})
	if err := errors.Join(errs...); err != nil {
		w.Fatal(err)
	}
	w.look(func(tx store.Tx) error {
		got, err := tx.Setting("count")
		equal(w, "count", string(got), strconv.Itoa(writers*each))
		return err
	})
}

// neighbours runs many Updates at once. A third of them fail, and a third
// panic, after they have written.
func neighbours(w *world) {
	const n = 60
	for round := range 3 {
		name := func(i int) string { return fmt.Sprint(round, " ", i) }
		errs := together(n, func(i int) (err error) {
			defer func() {
				if v := recover(); v != nil {
					err = fmt.Errorf("panic: %w", v.(error))
				}
			}()
			return w.update(func(tx store.Tx) error {
				if err := tx.PutSetting(name(i), nil); err != nil {
					return err
				}
				switch i % 3 {
				case 1:
					return errBoom
				case 2:
					panic(errBoom)
				}
				return nil
			})
		})
		for i, err := range errs {
			if fails := i%3 > 0; errors.Is(err, errBoom) != fails || (err != nil) != fails {
				w.Errorf("update %d: %v", i, err)
			}
			w.look(func(tx store.Tx) error {
				if _, err := tx.Setting(name(i)); (err == nil) != (i%3 == 0) {
					w.Errorf("setting %d: %v", i, err)
				}
				return nil
			})
		}
	}
}

// writers lets many Updates ask for their numbers, at their beginning and at
// their end.
func writers(w *world) {
	const n = 60
	var mu sync.Mutex
	running := map[int]bool{}
	errs := together(n, func(i int) error {
		return w.update(func(tx store.Tx) error {
			number := tx.Writer()
			mu.Lock()
			if number < 0 || number >= n || running[number] {
				w.Errorf("an Update has number %d, which is another's or out of bounds", number)
			}
			running[number] = true
			mu.Unlock()
			err := tx.PutSetting(fmt.Sprint(i), nil)
			mu.Lock()
			defer mu.Unlock()
			delete(running, number)
			if again := tx.Writer(); err == nil && again != number {
				w.Errorf("the number of an Update changed from %d to %d", number, again)
			}
			return err
		})
	})
	if err := errors.Join(errs...); err != nil {
		w.Fatal(err)
	}
}

func snapshot(w *world) {
	old := w.issue("account", "device")
	w.look(func(tx store.Tx) error {
		before, err := tx.ActiveKey("account", "device")
		if err != nil {
			return err
		}
		equal(w, "key before", before, old)

		// Somebody else rotates the key meanwhile.
		w.end(old, erase)
		w.issue("account", "device")

		after, err := tx.ActiveKey("account", "device")
		if err != nil {
			return err
		}
		equal(w, "key after", after, old)
		keys, err := keysOf(tx, "account")
		equal(w, "keys", keys, []domain.DeviceKey{old})
		return err
	})
}

func viewIsReadOnly(w *world) {
	k := w.issue("account", "device")
	ended := k
	ended.State, ended.Version = domain.KeyRevoked, 2
	writes := map[string]func(store.Tx) error{
		"PutSetting":    func(tx store.Tx) error { return tx.PutSetting("name", nil) },
		"InsertAccount": func(tx store.Tx) error { return tx.InsertAccount(domain.Account{ID: "id"}) },
		"InsertKey":     func(tx store.Tx) error { return tx.InsertKey(w.newKey("account", "other")) },
		"UpdateKey":     func(tx store.Tx) error { return tx.UpdateKey(ended) },
		"DeleteKey":     func(tx store.Tx) error { return tx.DeleteKey("account", k.ID) },
		"PutCredential": func(tx store.Tx) error {
			return tx.PutCredential(domain.Credential{AccountID: "account", Type: domain.Passcode, Version: 1}, k.ID)
		},
		"WriteBatch": func(tx store.Tx) error {
			return putAttempts(tx, domain.Attempts{AccountID: "account", Type: domain.Passcode, Version: 1})
		},
		"InsertEntry":     func(tx store.Tx) error { return tx.InsertEntry(domain.Entry{Chain: "chain", Seq: 1}) },
		"PutSettingLater": func(tx store.Tx) error { return tx.PutSettingLater("a", nil) },
		"PutBucket":       func(tx store.Tx) error { return tx.PutBucket(domain.Bucket{Width: domain.Minute}) },
	}
	for name, write := range writes {
		w.Run(name, func(t *testing.T) {
			if err := w.store.View(context.Background(), write); err == nil {
				t.Fatal("a write in a View succeeded")
			}
		})
	}
	w.look(func(tx store.Tx) error {
		got, err := keysOf(tx, "account")
		equal(w, "keys", got, []domain.DeviceKey{k})
		return err
	})
}

// An engine may begin a transaction with its first step. A call of Now is such
// a step.
func nowIsFrozen(w *world) {
	check := func(tx store.Tx) error {
		start := tx.Now()
		equal(w, "Now", start, w.now())
		w.clock.advance(time.Hour)
		equal(w, "Now an hour later", tx.Now(), start)
		if zone := tx.Now().Location(); zone != time.UTC {
			w.Errorf("Now is in %v, want UTC", zone)
		}
		return nil
	}
	w.must(check)
	w.look(check)
}

func missingIsNoFailure(w *world) {
	w.must(func(tx store.Tx) error {
		if _, err := tx.Setting("name"); !errors.Is(err, store.ErrNotFound) {
			w.Errorf("Setting: %v, want %v", err, store.ErrNotFound)
		}
		return tx.PutSetting("name", []byte("value"))
	})
	w.look(func(tx store.Tx) error { _, err := tx.Setting("name"); return err })
}

func cancelled(w *world) {
	k := w.newKey("account", "device")
	ctx, cancel := context.WithCancel(context.Background())
	err := w.store.Update(ctx, func(tx store.Tx) error {
		if err := errors.Join(tx.PutSetting("name", []byte("value")), tx.InsertKey(k)); err != nil {
			return err
		}
		cancel()
		return nil
	})
	if !errors.Is(err, context.Canceled) {
		w.Errorf("cancelled inside: %v, want %v", err, context.Canceled)
	}
	ran := false
	touch := func(store.Tx) error { ran = true; return nil }
	for name, run := range map[string]func(context.Context, func(store.Tx) error) error{
		"Update": w.store.Update, "View": w.store.View,
	} {
		if err := run(ctx, touch); !errors.Is(err, context.Canceled) || ran {
			w.Errorf("%s cancelled before: %v, ran %v; want %v", name, err, ran, context.Canceled)
		}
	}
	w.nothingOf(k)
}

func deadAfterReturn(w *world) {
	k := w.issue("account", "device")
	var leaked []store.Tx
	keep := func(tx store.Tx) error { leaked = append(leaked, tx); return nil }
	w.must(keep)
	w.look(keep)
	w.fails(errBoom, func(tx store.Tx) error { leaked = append(leaked, tx); return errBoom })
	for _, tx := range leaked {
		if err := tx.PutSetting("name", []byte("value")); err == nil {
			w.Error("a dead transaction wrote")
		}
		if _, err := tx.Key(k.ID); err == nil {
			w.Error("a dead transaction read")
		}
	}
	w.missing(func(tx store.Tx) error { _, err := tx.Setting("name"); return err })
}

func closing(w *world) {
	k := w.newKey("account", "device")
	closed := make(chan error, 1)
	err := w.update(func(tx store.Tx) error {
		if err := errors.Join(tx.PutSetting("name", []byte("value")), tx.InsertKey(k)); err != nil {
			return err
		}
		go func() { closed <- w.store.Close() }()
		for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline); {
			if _, err := tx.Key(k.ID); err != nil {
				return nil // passed over: Update must not commit all the same
			}
		}
		return nil
	})
	if err == nil {
		w.Error("a transaction under way succeeded on a closed store")
	}
	if err := <-closed; err != nil {
		w.Errorf("closing: %v", err)
	}
	ctx, nothing := context.Background(), func(store.Tx) error { return nil }
	for name, err := range map[string]error{
		"Update": w.store.Update(ctx, nothing), "View": w.store.View(ctx, nothing),
		"Ping": w.store.Ping(ctx), "Scrub": w.store.Scrub(ctx),
	} {
		if err == nil {
			w.Errorf("%s succeeded on a closed store", name)
		}
	}
	if err := w.store.Close(); err != nil {
		w.Errorf("closing again: %v", err)
	}
	w.store = w.openAnother()
	w.nothingOf(k)
}

func ping(w *world) {
	if err := w.store.Ping(context.Background()); err != nil {
		w.Fatal(err)
	}
	w.look(func(store.Tx) error { return w.store.Ping(context.Background()) })
}

func scrub(w *world) {
	k := w.issue("account", "device")
	w.look(func(tx store.Tx) error {
		if _, err := tx.Key(k.ID); err != nil {
			return err
		}
		k = w.end(k, erase)
		if err := w.store.Scrub(context.Background()); !errors.Is(err, store.ErrScrubLater) {
			return err // an engine without such logs has nothing to wait for
		}
		return nil
	})
	if err := w.store.Scrub(context.Background()); err != nil {
		w.Fatal(err)
	}
	finds(w, "key", k, func(tx store.Tx) (domain.DeviceKey, error) { return tx.Key(k.ID) })
}
