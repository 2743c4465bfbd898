package service

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"strongroom/internal/crypto/transfer"
	"strongroom/internal/domain"
	"strongroom/internal/record"
	"strongroom/internal/store"
)

// twoStores are stores with root keys of their own, in jwt mode.
func twoStores(t *testing.T, tweak func(*Config)) (source, target *instance) {
	t.Helper()
	return openJWT(t, func(cfg *Config) {
			cfg.Cell = "eu1"
			tweak(cfg)
		}), openJWT(t, func(cfg *Config) {
			cfg.Cell = "eu2"
			tweak(cfg)
		})
}

func (v *instance) moveKey() string {
	v.t.Helper()
	key, err := v.MoveKey(v.ctx)
	if err != nil {
		v.t.Fatal(err)
	}
	return key
}

func named(subject string) domain.Account {
	return domain.Account{Issuer: testIssuer, Subject: subject}
}

// leave moves an account out, for another store.
func (v *instance) leave(subject string, to *instance) domain.MovedAccount {
	v.t.Helper()
	moved, err := v.MoveAccount(v.ctx, named(subject), to.moveKey(), becauseOf)
	if err != nil {
		v.t.Fatal(err)
	}
	return moved
}

// arrive takes in what another store moved out.
func (v *instance) arrive(parcel []byte, from *instance) domain.MovedAccount {
	v.t.Helper()
	moved, err := v.ReceiveAccount(v.ctx, parcel, from.moveKey(), becauseOf)
	if err != nil {
		v.t.Fatal(err)
	}
	return moved
}

// An account can have more keys than a move holds in memory. It stays, with everything.
func TestAnAccountWithTooManyKeysIsNotMoved(t *testing.T) {
	source, target := twoStores(t, func(*Config) {})
	alice := source.as("alice")
	phone := alice.issue("phone")
	alice.expect("set", alice.setPIN(phone, "8302"), "true")
	k := source.stored(phone)
	if err := source.store.Update(source.ctx, func(tx store.Tx) (err error) {
		for n := range record.MostMovedKeys {
			k.ID, k.DeviceID = domain.NewKeyID("eu1"), fmt.Sprint("device ", n)
			err = errors.Join(err, tx.InsertKey(k))
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	_, err := source.MoveAccount(source.ctx, named("alice"), target.moveKey(), becauseOf)
	source.code("a move", err, domain.CodeConflict, "more than 10000 devices or keys")
	if n := source.events()[domain.EventAccountMoved]; n != 0 {
		t.Errorf("the trail has %d entries of the move", n)
	}
	source.kill()
	alice = source.as("alice")
	alice.expect("after the refused move", alice.verifyPIN(phone, "8302"), "true")
}

// A client can rotate its key as often as it likes, and the records of the old keys stay.
func TestAnAccountWithManyEndedKeysMovesAndReturns(t *testing.T) {
	source, target := twoStores(t, func(cfg *Config) { cfg.RotationGrace = time.Hour })
	alice, there := source.as("alice"), target.as("alice")
	tablet, inGrace := alice.issue("tablet"), alice.issue("phone")
	phone := alice.rotate("phone")
	alice.expect("set", alice.setPIN(phone, "8302"), "true")
	if err := source.revoke(tablet.KeyID, "lost"); err != nil {
		t.Fatal(err)
	}
	k := source.stored(phone)
	if err := source.store.Update(source.ctx, func(tx store.Tx) (err error) {
		k.State, k.Sealed, k.EndedAt = domain.KeyInvalidated, nil, k.CreatedAt
		for n := range record.MostMovedKeys + 1 {
			k.ID, k.CreatedAt = domain.NewKeyID("eu1"), k.CreatedAt.Add(-time.Duration(n%2)*time.Hour-time.Microsecond)
			err = errors.Join(err, tx.InsertKey(k))
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	received := target.arrive(source.leave("alice", target).Parcel, source)
	if len(received.Keys) != 2 || received.Ended != 1 {
		t.Errorf("received %v and %d ended keys, want those of the phone, and the last of the tablet", received.Keys, received.Ended)
	}
	there.expect("the key in its grace", there.verifyPIN(inGrace, "8302"), "true")
	there.expect("the newest key", there.verifyPIN(phone, "8302"), "true")
	for range 2 { // the second one ends the grace of the first key
		phone = there.rotate("phone")
		target.clock.Advance(2 * time.Hour)
		if err := target.endKeys(); err != nil {
			t.Fatal(err)
		}
	}
	source.arrive(target.leave("alice", source).Parcel, target)
	source.expect("a key that ended there", alice.verifyPIN(inGrace, "8302"), "KEY_NOT_USABLE")
	source.expect("the newest key", alice.verifyPIN(phone, "8302"), "true")
}

// hasLeft checks the one answer of a store that an account has left.
func (v *instance) hasLeft(k domain.KeyPair, device string) {
	v.t.Helper()
	v.expect("verify", v.verifyPIN(k, "8302"), "ACCOUNT_MOVED")
	v.expect("set", v.setPIN(k, "1234"), "ACCOUNT_MOVED")
	for what, call := range map[string]func() error{
		"generate": func() error {
			_, err := v.GenerateKey(v.ctx, domain.Identity{DeviceID: device})
			return err
		},
		"rotate": func() error {
			_, err := v.RotateKey(v.ctx, domain.Identity{DeviceID: device})
			return err
		},
		"generate on a new device": func() error {
			_, err := v.GenerateKey(v.ctx, domain.Identity{DeviceID: "a new one"})
			return err
		},
		"rotate on a new device": func() error {
			_, err := v.RotateKey(v.ctx, domain.Identity{DeviceID: "a newer one"})
			return err
		},
		"status": func() error {
			_, err := v.Status(v.ctx, domain.StatusInput{KeyID: k.KeyID, Type: domain.TransactionPIN})
			return err
		},
	} {
		v.expect(what, string(domain.CodeOf(call())), "ACCOUNT_MOVED")
	}
}

func TestAMovedAccountKeepsItsKeysCountersAndHistory(t *testing.T) {
	source, target := twoStores(t, func(cfg *Config) { cfg.History = 3 })
	alice, bob := source.as("alice"), source.as("bob")
	phone, tablet, other := alice.issue("phone"), alice.issue("tablet"), bob.issue("phone")
	for _, pin := range []string{"1907", "8302"} {
		alice.expect("set", alice.setPIN(phone, pin), "true")
	}
	bob.expect("set", bob.setPIN(other, "8302"), "true")
	alice.expect("the right PIN", alice.verifyPIN(phone, "8302"), "true")
	for range 2 {
		alice.expect("a wrong PIN", alice.verifyPIN(phone, "0001"), "false")
		alice.expect("a wrong PIN", alice.verifyPIN(tablet, "0001"), "false")
	}
	moved := source.leave("alice", target)
	if bytes.Contains(moved.Parcel, []byte("alice")) {
		t.Error("the parcel names the account in clear")
	}
	alice.hasLeft(phone, "phone")
	source.kill()
	alice = source.as("alice")
	alice.hasLeft(phone, "phone")
	bob = source.as("bob")
	bob.expect("another account", bob.verifyPIN(other, "8302"), "true")
	there := target.as("alice")
	there.expect("before it arrives", there.verifyPIN(phone, "8302"), "KEY_NOT_USABLE")

	received := target.arrive(moved.Parcel, source)
	if len(received.Keys) != 2 || received.Ended != 0 {
		t.Errorf("received %v and %d ended keys", received.Keys, received.Ended)
	}
	if k := there.issue("phone"); k.KeyID != phone.KeyID || !bytes.Equal(k.PublicKey, phone.PublicKey) || !k.CreatedAt.Equal(phone.CreatedAt) {
		t.Errorf("the phone has another key: %v", k)
	}
	there.expect("the fifth wrong PIN in a row", there.verifyPIN(phone, "0001"), "false")
	there.expect("after five", there.verifyPIN(tablet, "8302"), "CREDENTIAL_LOCKED")
	target.clock.Advance(31 * time.Minute)
	there.expect("the phone, which had three", there.verifyPIN(phone, "8302"), "true")
	there.expect("a PIN of before the move", there.setPIN(phone, "1907"), "false")
	there.expect("a new PIN", there.setPIN(phone, "5550"), "true")
	there.expect("the tablet", there.verifyPIN(tablet, "5550"), "true")
	if next := there.rotate("tablet"); !strings.HasPrefix(next.KeyID, "eu2-") {
		t.Errorf("a new key has the id %s", next.KeyID)
	}

	// The source keeps the parcel until the target's confirmation.
	if again := source.leave("alice", target); !bytes.Equal(again.Parcel, moved.Parcel) || !again.Repeated || moved.Repeated {
		t.Error("a repeat gives another parcel, or does not say that it is one")
	}
	if again := target.arrive(moved.Parcel, source); !bytes.Equal(again.Confirmation, received.Confirmation) || !again.Repeated || received.Repeated {
		t.Error("a repeat gives another confirmation, or does not say that it is one")
	}
	there.expect("after a second arrival", there.verifyPIN(phone, "5550"), "true")
	_, err := source.ConfirmMove(source.ctx, named("alice"), received.Confirmation[1:], becauseOf)
	source.code("a damaged confirmation", err, domain.CodeBadUserInput, "confirmation")
	for _, repeated := range []bool{false, true} {
		result, err := source.ConfirmMove(source.ctx, named("alice"), received.Confirmation, becauseOf)
		if err != nil || result.Repeated != repeated {
			t.Errorf("a confirmation: %+v, %v, want Repeated %t", result, err, repeated)
		}
	}
	_, err = source.ConfirmMove(source.ctx, named("alice"), received.Confirmation[1:], becauseOf)
	source.code("a damaged confirmation after a good one", err, domain.CodeBadUserInput, "confirmation")
	_, err = source.MoveAccount(source.ctx, named("alice"), target.moveKey(), becauseOf)
	source.code("a confirmed move", err, domain.CodeConflict, "confirmed")
	alice.hasLeft(phone, "phone")
	source.intact()
	target.intact()

	// Both trails name the same digest.
	sum := func(v *instance, event domain.Event) (reason string) {
		v.eachEntry(func(e domain.Entry) {
			if e.Event == event && strings.HasPrefix(e.Record, "account/") {
				reason = e.Reason
			}
		})
		return reason
	}
	if a, b := sum(source, domain.EventAccountMoved), sum(target, domain.EventAccountReceived); a != b || !strings.Contains(a, "SHA-256 ") {
		t.Errorf("the trails say %q and %q", a, b)
	}
}

func TestAnAccountCanMoveBackAndOldFilesAreRefused(t *testing.T) {
	here, there := twoStores(t, func(*Config) {})
	k := here.as("alice").issue("phone")
	here.as("alice").setPIN(k, "8302")
	here.as("alice").verifyPIN(k, "0001")
	first := here.leave("alice", there)
	there.arrive(first.Parcel, here)
	there.as("alice").verifyPIN(k, "0001")
	second := there.leave("alice", here)
	there.as("alice").hasLeft(k, "phone")
	_, err := there.ReceiveAccount(there.ctx, first.Parcel, here.moveKey(), becauseOf)
	there.code("an old file, while the account is under way", err, domain.CodeConflict, "older")
	here.arrive(second.Parcel, there)
	_, err = there.ReceiveAccount(there.ctx, first.Parcel, here.moveKey(), becauseOf)
	there.code("an old file", err, domain.CodeConflict, "older")
	alice := here.as("alice")
	here.expect("the third wrong PIN of the phone", alice.verifyPIN(k, "0001"), "false")
	here.expect("after three", alice.verifyPIN(k, "8302"), "CREDENTIAL_LOCKED")
	here.clock.Advance(31 * time.Minute)
	here.expect("the right PIN", alice.verifyPIN(k, "8302"), "true")
	there.as("alice").hasLeft(k, "phone")

	// And away again, beside another process that remembers.
	third := here.beside().leave("alice", there)
	here.as("alice").hasLeft(k, "phone")
	there.arrive(third.Parcel, here)
	here.expect("there", there.as("alice").verifyPIN(k, "8302"), "true")
	if third.Move.Number != 3 {
		t.Errorf("it is move %d", third.Move.Number)
	}

	// An erased account stays erased.
	_, err = there.EraseAccount(there.ctx, there.accountID(domain.ModeJWT, testIssuer, "alice"), becauseOf)
	if err != nil {
		t.Fatal(err)
	}
	_, err = there.ReceiveAccount(there.ctx, third.Parcel, here.moveKey(), becauseOf)
	there.code("a file of an erased account", err, domain.CodeConflict, "older")
	here.intact()
	there.intact()
}

// attemptsOf is the counter of an account's PIN.
func (v *instance) attemptsOf(subject string) domain.Attempts {
	v.t.Helper()
	a, err := record.View(v.ctx, v.records, func(tx *record.Tx) (domain.Attempts, error) {
		c, err := tx.Attempts(v.accountID(v.cfg.Mode, testIssuer, subject), domain.TransactionPIN)
		if err != nil {
			return domain.Attempts{}, err
		}
		return c.State(), nil
	})
	if err != nil {
		v.t.Fatal(err)
	}
	return a
}

// An attacker who guesses at both stores during a move gets no more guesses than at one.
func TestGuessesAtBothStoresDuringAMoveShareOneLimit(t *testing.T) {
	source, target := twoStores(t, func(cfg *Config) { cfg.Attempts.DeviceMax = 0 })
	k := source.as("alice").issue("phone")
	source.as("alice").setPIN(k, "8302")
	stop := make(chan struct{})
	var guessers sync.WaitGroup
	var mu sync.Mutex
	got := map[string]int{}
	for _, v := range []*instance{source, source, source, target, target, target} {
		alice := v.as("alice")
		guessers.Go(func() {
			for {
				word := alice.verifyPIN(k, "0001")
				mu.Lock()
				got[word]++
				mu.Unlock()
				select {
				case <-stop:
					return
				default:
				}
			}
		})
	}
	moved := source.leave("alice", target)
	target.arrive(moved.Parcel, source)
	for deadline := time.Now().Add(20 * time.Second); ; {
		mu.Lock()
		locked := got["CREDENTIAL_LOCKED"]
		mu.Unlock()
		if locked > 0 && target.attemptsOf("alice").LockedAt(time.Now()) {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("no lock: %v", got)
		}
	}
	close(stop)
	guessers.Wait()
	if got["false"] > 5 || got["true"] > 0 {
		t.Errorf("%d wrong verdicts in both stores together: %v", got["false"], got)
	}
	if is := target.attemptsOf("alice"); is.Failures < got["false"] {
		t.Errorf("%d failures are counted, %d were answered", is.Failures, got["false"])
	}
	source.intact()
	target.intact()
}

// A device asks for its first key while its account moves. A key that it gets before the
// move moves too. After the move, the source issues none.
func TestKeysIssuedWhileAnAccountMovesMoveWithIt(t *testing.T) {
	source, target := twoStores(t, func(*Config) {})
	k := source.as("alice").issue("phone")
	source.as("alice").setPIN(k, "8302")
	var devices sync.WaitGroup
	issued := make(chan string, 8)
	for n := range cap(issued) {
		alice := source.as("alice")
		devices.Go(func() {
			pair, err := alice.GenerateKey(alice.ctx, domain.Identity{DeviceID: "device " + string(rune('a'+n))})
			switch domain.CodeOf(err) {
			case "":
				issued <- pair.KeyID
			case domain.CodeAccountMoved:
			default:
				t.Errorf("a first key: %v", err)
			}
		})
	}
	moved := source.leave("alice", target)
	devices.Wait()
	close(issued)
	received := target.arrive(moved.Parcel, source)
	for id := range issued {
		if !slices.Contains(received.Keys, id) {
			t.Errorf("the key %s was issued in the source and did not move", id)
		}
	}
	t.Logf("%d of %d keys moved", len(received.Keys)-1, cap(issued))
	source.intact()
	target.intact()
}

// A move waits for an attempt without a verdict, or counts it as a failure.
func TestAMoveWaitsForAPendingAttemptOrCountsIt(t *testing.T) {
	source, target := twoStores(t, func(*Config) {})
	k := source.as("alice").issue("phone")
	source.as("alice").setPIN(k, "8302")
	id := source.accountID(domain.ModeJWT, testIssuer, "alice")
	attempt, err := record.Update(source.ctx, source.records, record.System, func(tx *record.Tx) (record.Attempt, error) {
		c, err := tx.Attempts(id, domain.TransactionPIN)
		if err != nil {
			return record.Attempt{}, err
		}
		return c.Reserve(source.records.AttemptDevice(id, "phone"), k.KeyID), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	account := domain.Account{Mode: domain.ModeJWT, Issuer: testIssuer, Subject: "alice"}
	account.ID = id
	var forced record.Cargo
	undo := context.Canceled
	leave := func(force bool) error {
		return source.records.Update(source.ctx, record.System, func(tx *record.Tx) (err error) {
			if forced, _, err = tx.Leave(domain.Entry{Actor: "system"}, account, &record.History{}, force, func(domain.DeviceKey) bool { return false }); err != nil {
				return err
			}
			return undo
		})
	}
	if err := leave(false); err != record.ErrPending {
		t.Errorf("with an attempt under way: %v", err)
	}
	if err := leave(true); err != undo {
		t.Fatal(err)
	}
	text, _ := json.Marshal(forced)
	if !strings.Contains(string(text), `"Failures":1`) || strings.Contains(string(text), attempt.ID) {
		t.Errorf("the attempt does not count as a failure: %s", text)
	}

	// Settled while the move waits.
	left := make(chan domain.MovedAccount)
	go func() { left <- source.leave("alice", target) }()
	err = source.records.Update(source.ctx, record.System, func(tx *record.Tx) error {
		c, err := tx.Attempts(id, domain.TransactionPIN)
		if err != nil {
			return err
		}
		return c.Settle(tx.Note(domain.EventCredentialMismatch, "mismatch"), attempt, false)
	})
	if err != nil {
		t.Fatal(err)
	}
	target.arrive((<-left).Parcel, source)
	if n := target.attemptsOf("alice").Failures; n != 1 {
		t.Errorf("%d failures arrive", n)
	}
	source.intact()
	target.intact()
}

// The target cannot know what a key has decrypted before.
func TestAKeyWithUsedCiphertextsDoesNotMove(t *testing.T) {
	source, target := twoStores(t, func(cfg *Config) { cfg.ReplayProtection = true })
	alice, there := source.as("alice"), target.as("alice")
	k := alice.issue("phone")
	used := submission(t, k, domain.TransactionPIN, "8302")
	if rule, err := alice.Set(alice.ctx, used); rule != "" || err != nil {
		t.Fatal(rule, err)
	}
	if received := target.arrive(source.leave("alice", target).Parcel, source); received.Ended != 1 || len(received.Keys) != 0 {
		t.Errorf("received %v and %d ended keys", received.Keys, received.Ended)
	}
	ok, err := there.matches(there.ctx, used)
	there.expect("a ciphertext that was used", word(ok, err), "KEY_NOT_USABLE")
	next := there.issue("phone")
	there.expect("with a new key", there.verifyPIN(next, "8302"), "true")
	source.intact()
	target.intact()
}

func TestARefusedMoveChangesNothing(t *testing.T) {
	source, target := twoStores(t, func(*Config) {})
	devices := openVault(t, nil)
	alice := source.as("alice")
	k := alice.issue("phone")
	alice.setPIN(k, "8302")
	for what, tt := range map[string]struct {
		subject, to string
		code        domain.Code
	}{
		"no such account": {"mallory", target.moveKey(), domain.CodeNotFound},
		"to itself":       {"alice", source.moveKey(), domain.CodeBadUserInput},
		"to no key":       {"alice", "strongroom-move-1:AAAA", domain.CodeBadUserInput},
	} {
		_, err := source.MoveAccount(source.ctx, named(tt.subject), tt.to, becauseOf)
		source.code(what, err, tt.code, "")
	}
	viewer := domain.WithOperator(source.ctx, domain.Operator{Name: "vera", Role: domain.RoleViewer})
	_, err := source.MoveAccount(viewer, named("alice"), target.moveKey(), becauseOf)
	source.code("a viewer", err, domain.CodeForbidden, "")
	source.expect("after refusals", alice.verifyPIN(k, "8302"), "true")

	moved := source.leave("alice", target)
	_, err = source.MoveAccount(source.ctx, named("alice"), devices.moveKey(), becauseOf)
	source.code("to another store", err, domain.CodeConflict, "another database")
	receive := func(v *instance, what string, parcel []byte, from string, code domain.Code, says string) {
		t.Helper()
		_, err := v.ReceiveAccount(v.ctx, parcel, from, becauseOf)
		v.code(what, err, code, says)
	}
	receive(devices, "by another store", moved.Parcel, source.moveKey(), domain.CodeBadUserInput, "is for the database")
	receive(target, "as one of another store", moved.Parcel, devices.moveKey(), domain.CodeBadUserInput, "is from the database")
	receive(target, "changed", bytes.Replace(moved.Parcel, []byte(`"sealed":["A`), []byte(`"sealed":["B`), 1)[:len(moved.Parcel)-2], source.moveKey(), domain.CodeBadUserInput, "not the file")
	if n := target.events()[domain.EventAccountReceived]; n != 0 {
		t.Errorf("%d entries about refused files", n)
	}

	// An account that began in the target by mistake is not overwritten.
	early := target.as("alice").issue("phone")
	receive(target, "over an account", moved.Parcel, source.moveKey(), domain.CodeConflict, "has the account already")
	target.expect("the account there", target.as("alice").setPIN(early, "0000"), "true")
	if _, err := target.EraseAccount(target.ctx, target.accountID(domain.ModeJWT, testIssuer, "alice"), becauseOf); err != nil {
		t.Fatal(err)
	}
	target.arrive(moved.Parcel, source)
	target.expect("the account that moved", target.as("alice").verifyPIN(k, "8302"), "true")

	// An account that was erased in the source cannot move back: the ids of its keys are
	// used up there.
	if _, err := source.EraseAccount(source.ctx, source.accountID(domain.ModeJWT, testIssuer, "alice"), becauseOf); err != nil {
		t.Fatal(err)
	}
	_, err = source.as("alice").GenerateKey(source.as("alice").ctx, domain.Identity{DeviceID: "phone"})
	source.code("after an erasure", err, domain.CodeAccountMoved, "")
	receive(source, "of an account that was erased", target.leave("alice", source).Parcel, target.moveKey(), domain.CodeConflict, "was erased here")

	// A store of another mode has no such accounts.
	carol := openVault(t, nil)
	d := carol.issue("a device")
	carol.setPIN(d, "8302")
	out, err := carol.MoveAccount(carol.ctx, domain.Account{Subject: "a device"}, target.moveKey(), becauseOf)
	if err != nil {
		t.Fatal(err)
	}
	receive(target, "of another mode", out.Parcel, carol.moveKey(), domain.CodeConflict, "mode device")
	carol.expect("verify", carol.verifyPIN(d, "8302"), "ACCOUNT_MOVED")
}

// The move key is sealed again when data keys are rotated, and stays the same.
func TestTheMoveKeySurvivesADataKeyRotation(t *testing.T) {
	v := openJWT(t, nil)
	before := v.moveKey()
	v.done(v.RotateDataKey(v.ctx, becauseOf, nil))
	if err := v.records.Update(v.ctx, record.System, (*record.Tx).ResealMoveKey); err != nil {
		t.Fatal(err)
	}
	v.kill()
	if v.moveKey() != before {
		t.Error("it has changed")
	}
	if _, err := transfer.ParsePublic(before); err != nil {
		t.Error(err)
	}
}

// The command that moves an account remembers nothing, so it asks the trail whether a
// row is the newest one.
func TestAnAccountWithRestoredRowsDoesNotMove(t *testing.T) {
	target := openVault(t, nil)
	for name, change := range map[string]func(*instance, domain.KeyPair, insider){
		"an attempt counter": func(v *instance, k domain.KeyPair, i insider) {
			kept := i.read("SELECT * FROM attempts WHERE @pin")
			v.expect("a guess", v.verifyPIN(k, "0000"), "false")
			i.put("attempts", kept)
		},
		"a deleted attempt counter": func(_ *instance, _ domain.KeyPair, i insider) {
			i.write("DELETE FROM attempts WHERE @pin")
		},
		"a credential": func(v *instance, k domain.KeyPair, i insider) {
			kept := i.read("SELECT * FROM credential WHERE @pin")
			v.expect("set", v.setPIN(k, "9753"), "true")
			i.put("credential", kept)
		},
		"an attempt counter whose entry a prune carried": func(v *instance, k domain.KeyPair, i insider) {
			kept := i.read("SELECT * FROM attempts WHERE @pin")
			v.expect("a guess", v.verifyPIN(k, "0000"), "false")
			v.clock.Advance(year + time.Hour)
			v.expect("verify", v.verifyPIN(v.issue("tablet"), "1357"), "true")
			v.pruned("")
			v.intact()
			i.put("attempts", kept)
		},
		"an attempt counter whose entries were edited": func(v *instance, k domain.KeyPair, i insider) {
			kept := i.read("SELECT * FROM attempts WHERE @pin")
			v.expect("a guess", v.verifyPIN(k, "0000"), "false")
			i.put("attempts", kept)
			i.write("UPDATE audit_verdict SET micros = micros + 1 WHERE seq = (SELECT max(seq) FROM audit_verdict)")
		},
		"a rotated key": func(v *instance, _ domain.KeyPair, i insider) {
			kept := i.read("SELECT * FROM device_key WHERE account_id = @phone")
			v.rotate("phone")
			i.write("DELETE FROM device_key WHERE account_id = @phone AND state = 'active'")
			i.put("device_key", kept)
		},
	} {
		t.Run(name, func(t *testing.T) {
			v := tamperable(t)
			change(v, v.issue("phone"), v.insider())
			command := v.beside()
			_, err := command.MoveAccount(command.ctx, domain.Account{Subject: "phone"}, target.moveKey(), becauseOf)
			if !record.IsTampered(err) {
				t.Errorf("got %v", err)
			}
			if n := v.events()[domain.EventAccountMoved]; n != 0 {
				t.Errorf("%d entries say that it moved", n)
			}
			command = v.beside()
			if _, err := command.MoveAccount(command.ctx, domain.Account{Subject: "tablet"}, target.moveKey(), becauseOf); err != nil {
				t.Errorf("another account: %v", err)
			}
		})
	}
}

// enterMany makes the trail long for an account of device mode.
func (v *instance) enterMany(device string) {
	v.t.Helper()
	e := domain.Entry{Actor: "caller", Event: domain.EventKeyAppVersion, Outcome: "ok"}
	e.Account, _ = v.records.Hashes(domain.Account{Mode: domain.ModeDevice, Subject: device}, "")
	for range 12 {
		err := v.records.Update(v.ctx, record.System, func(tx *record.Tx) error {
			tx.Enter(slices.Repeat([]domain.Entry{e}, 1000)...)
			return nil
		})
		if err != nil {
			v.t.Fatal(err)
		}
	}
}

// One device can make thousands of entries. Up to 0.16.0, a move read only the 10,000 newest
// ones, so anyone who could write to the database could take failures back.
func TestAMoveReadsAllEntriesOfItsAccount(t *testing.T) {
	v, target := tamperable(t), openVault(t, nil)
	k, i := v.issue("phone"), v.insider()
	kept := i.read("SELECT * FROM attempts WHERE @pin")
	v.expect("a guess", v.verifyPIN(k, "0000"), "false")
	newest := i.read("SELECT * FROM attempts WHERE @pin")
	v.enterMany("phone")
	v.clock.Advance(time.Hour)
	phone := domain.Account{Subject: "phone"}
	i.put("attempts", kept)
	command := v.beside()
	if _, err := command.MoveAccount(command.ctx, phone, target.moveKey(), becauseOf); !record.IsTampered(err) {
		t.Errorf("a counter that was put back: %v", err)
	}
	i.put("attempts", newest)
	command = v.beside()
	moved, err := command.MoveAccount(command.ctx, phone, target.moveKey(), becauseOf)
	if err != nil {
		t.Fatal(err)
	}
	target.arrive(moved.Parcel, v)
	v.expect("there", target.verifyPIN(k, "1357"), "true")

	// The target knows a move by its trail, also if the record of it was removed.
	target.enterMany("phone")
	target.insider().write("DELETE FROM setting WHERE name LIKE 'account_move/%'")
	target.insider().write("DELETE FROM account")
	target.clock.Advance(time.Hour)
	target.kill()
	_, err = target.ReceiveAccount(target.ctx, moved.Parcel, v.moveKey(), becauseOf)
	target.code("the same file", err, domain.CodeConflict, "older than the last move")
}

// A server counts an attempt after the move has read the trail.
func TestAMoveComparesEntriesThatAreMadeWhileItReads(t *testing.T) {
	v := tamperable(t)
	k, i := v.issue("phone"), v.insider()
	kept := i.read("SELECT * FROM attempts WHERE @pin")
	phone := domain.Account{Mode: domain.ModeDevice, Subject: "phone"}
	history := v.beside().records.HistoryOf(v.ctx, phone)
	v.expect("a guess", v.verifyPIN(k, "0000"), "false")
	i.put("attempts", kept)
	phone.ID = v.accountID(domain.ModeDevice, "", "phone")
	e := domain.Entry{Actor: "system"}
	e.Account, _ = v.records.Hashes(phone, "")
	err := v.beside().records.Update(v.ctx, record.System, func(tx *record.Tx) error {
		_, _, err := tx.Leave(e, phone, history, false, func(domain.DeviceKey) bool { return false })
		return err
	})
	if !record.IsTampered(err) {
		t.Errorf("got %v", err)
	}
}

// The first attempt stores the counter, so a backup can have a credential without its
// counter.
func TestAMoveAfterARestoreGivesNoAttemptsBack(t *testing.T) {
	for _, attempted := range []bool{true, false} {
		source, target := twoStores(t, func(cfg *Config) { cfg.Attempts.DeviceMax = 0 })
		alice, there := source.as("alice"), target.as("alice")
		k := alice.issue("phone")
		alice.expect("set", alice.setPIN(k, "8302"), "true")
		if attempted {
			alice.expect("verify", alice.verifyPIN(k, "8302"), "true")
			alice.mustReserve(k) // under way when the backup was made
		}
		err := source.records.Update(source.ctx, record.System, func(tx *record.Tx) error {
			_, err := tx.RaiseEpoch(tx.Note("", "ok"), tx.Now(), "")
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		source.kill()
		target.arrive(source.leave("alice", target).Parcel, source)
		there.expect("a wrong PIN", there.verifyPIN(k, "0001"), "false")
		there.expect("after one", there.verifyPIN(k, "8302"), "CREDENTIAL_LOCKED")
		source.intact()
		target.intact()
	}
}

// A restored database may not know that the account has moved on since.
func TestAReceiptInARestoredDatabaseSaysSo(t *testing.T) {
	source, target := twoStores(t, func(*Config) {})
	for _, who := range []string{"alice", "bob"} {
		source.as(who).issue("phone")
	}
	if target.arrive(source.leave("alice", target).Parcel, source).Restored {
		t.Error("the target was not restored")
	}
	target.clock.Advance(time.Minute)
	err := target.records.Update(target.ctx, record.System, func(tx *record.Tx) error {
		_, err := tx.RaiseEpoch(tx.Note("", "ok"), tx.Now(), "")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	target.kill()
	bob := source.leave("bob", target).Parcel
	for range 2 {
		if !target.arrive(bob, source).Restored {
			t.Error("the target was restored")
		}
	}
}

// The target has no plan that refuses the key.
func TestAKeyThatARotationPlanRefusesDoesNotMove(t *testing.T) {
	source, target := twoStores(t, func(*Config) {})
	alice, there := source.as("alice"), target.as("alice")
	k := alice.issue("phone")
	alice.setPIN(k, "8302")
	source.clock.Advance(time.Minute)
	source.startPlan(domain.RotationPlan{Bits: 2048, RefuseUse: true})
	fresh := alice.issue("tablet")
	received := target.arrive(source.beside().leave("alice", target).Parcel, source)
	if len(received.Keys) != 1 || received.Keys[0] != fresh.KeyID || received.Ended != 1 {
		t.Errorf("received %v and %d ended keys", received.Keys, received.Ended)
	}
	there.expect("the refused key", there.verifyPIN(k, "8302"), "KEY_NOT_USABLE")
	there.expect("set under it", there.setPIN(k, "1234"), "KEY_NOT_USABLE")
	there.expect("a newer key", there.verifyPIN(fresh, "8302"), "true")
	source.intact()
	target.intact()
}

// The plan of the target ended before the key arrived.
func TestAKeyThatAnEndedPlanRefusedDoesNotArrive(t *testing.T) {
	source, target := twoStores(t, func(*Config) {})
	alice, there := source.as("alice"), target.as("alice")
	k := alice.issue("phone")
	alice.setPIN(k, "8302")
	moved := source.leave("alice", target)
	target.clock.Advance(time.Minute)
	target.startPlan(domain.RotationPlan{Bits: 2048, RefuseUse: true})
	if err := target.plans.Follow(target.ctx, target.records.View); err != nil || target.plans.Running() != nil {
		t.Fatalf("the plan has no key: %v", err)
	}
	if got := target.arrive(moved.Parcel, source); len(got.Keys) != 0 || got.Ended != 1 {
		t.Errorf("received %v and %d ended keys", got.Keys, got.Ended)
	}
	there.expect("the refused key", there.verifyPIN(k, "8302"), "KEY_NOT_USABLE")
	there.expect("a newer key", there.verifyPIN(there.issue("phone"), "8302"), "true")
	target.intact()
}

// Anyone who can write to the database can remove the setting that records it.
func TestTheTrailAloneShowsThatAFileWasReceived(t *testing.T) {
	here, there := twoStores(t, func(*Config) {})
	alice := here.as("alice")
	k := alice.issue("phone")
	alice.setPIN(k, "8302")
	first := here.leave("alice", there)
	there.arrive(first.Parcel, here)
	here.arrive(there.leave("alice", here).Parcel, there)
	there.insider().write("DELETE FROM setting WHERE name LIKE 'account_move/%'")
	there.insider().write("DELETE FROM account")
	there.kill()
	_, err := there.ReceiveAccount(there.ctx, first.Parcel, here.moveKey(), becauseOf)
	there.code("the file of before", err, domain.CodeConflict, "older than the last move")
	there.expect("verify", there.as("alice").verifyPIN(k, "8302"), "ACCOUNT_MOVED")
}

// The record of a move has no MAC. Only the trail shows that it was changed.
func TestAnEditedMoveRecordIsFound(t *testing.T) {
	for name, change := range map[string]func(i insider, first map[string]any){
		"removed": func(i insider, _ map[string]any) { i.write("DELETE FROM setting WHERE name LIKE 'account_move/%'") },
		"edited": func(i insider, _ map[string]any) {
			row := i.read("SELECT * FROM setting WHERE name LIKE 'account_move/%'")
			row["value"] = bytes.Replace(row["value"].([]byte), []byte(`"away":true`), []byte(`"away":false`), 1)
			i.put("setting", row)
		},
		"unreadable": func(i insider, first map[string]any) {
			row := maps.Clone(first)
			row["value"] = []byte("{")
			i.put("setting", row)
		},
		"restored": func(i insider, first map[string]any) { i.put("setting", first) },
	} {
		t.Run(name, func(t *testing.T) {
			here, there := twoStores(t, func(*Config) {})
			alice := here.as("alice")
			alice.setPIN(alice.issue("phone"), "8302")
			i := here.insider()
			there.arrive(here.leave("alice", there).Parcel, here)
			here.arrive(there.leave("alice", here).Parcel, there)
			first := i.read("SELECT * FROM setting WHERE name LIKE 'account_move/%'")
			here.leave("alice", there)
			here.intact()
			change(i, first)
			command := here.beside()
			move := domain.RecordMove + "/" + here.accountID(domain.ModeJWT, testIssuer, "alice")
			if found := command.problems(); len(found) != 1 || found[0].Record != move {
				t.Errorf("found %v", found)
			}
			if _, err := command.MoveAccount(command.ctx, named("alice"), there.moveKey(), becauseOf); err == nil {
				t.Error("the account left again")
			}
			_, err := alice.RotateKey(alice.ctx, domain.Identity{DeviceID: "phone"})
			if code := domain.CodeOf(err); name != "unreadable" && code != domain.CodeAccountMoved {
				t.Errorf("the phone got %v", err)
			}
		})
	}
}

// A forged record could lock an account's devices out or prevent its move.
func TestAForgedMoveRecordIsFound(t *testing.T) {
	for _, text := range []string{`{"number":2,"away":true}`, `{"number":9223372036854775807,"away":false}`, `{"number":1099511627776,"away":false}`} {
		here, there := twoStores(t, func(*Config) {})
		alice := here.as("alice")
		alice.setPIN(alice.issue("phone"), "8302")
		id := here.accountID(domain.ModeJWT, testIssuer, "alice")
		here.insider().put("setting", map[string]any{"tenant": domain.Tenant, "name": "account_move/" + id, "value": []byte(text)})
		if found := here.problems(); len(found) != 1 || found[0].Record != domain.RecordMove+"/"+id {
			t.Errorf("%s: found %v", text, found)
		}
		if _, err := here.MoveAccount(here.ctx, named("alice"), there.moveKey(), becauseOf); err == nil {
			t.Errorf("%s: the account left", text)
		}
	}
}

// The root key of the target opens the parcel of a moved account.
func TestAParcelIsDeletedWhenItsAccountReturnsOrIsErased(t *testing.T) {
	here, there := twoStores(t, func(*Config) {})
	parcels := func(want int) {
		t.Helper()
		if got := len(here.insider().rows("SELECT name FROM setting WHERE name LIKE 'account_parcel/%'")); got != want {
			t.Errorf("%d sealed accounts, want %d", got, want)
		}
	}
	here.as("alice").issue("phone")
	moved := here.leave("alice", there)
	parcels(1)
	there.arrive(moved.Parcel, here)
	here.arrive(there.leave("alice", here).Parcel, there)
	parcels(0)
	here.leave("alice", there)
	parcels(1)
	if _, err := here.EraseAccount(here.ctx, moved.Account.ID, becauseOf); err != nil {
		t.Fatal(err)
	}
	parcels(0)
	_, err := here.MoveAccount(here.ctx, named("alice"), there.moveKey(), becauseOf)
	here.code("move once more", err, domain.CodeConflict, "")
	here.intact()
}

// An account can move even if work other than its own operations changed its rows.
func TestAnAccountCanMoveAfterADataKeyRotation(t *testing.T) {
	v, target := tamperable(t), openVault(t, nil)
	key := v.issue("phone")
	v.rotatedDataKey()
	v.expect("verify", v.verifyPIN(key, "1357"), "true")
	moved, err := v.MoveAccount(v.ctx, domain.Account{Subject: "phone"}, target.moveKey(), becauseOf)
	if err != nil {
		t.Fatal(err)
	}
	target.arrive(moved.Parcel, v)
	v.expect("there", target.verifyPIN(key, "1357"), "true")
}

// The answer that the account has moved would send the client to the other store forever.
func TestAKeyReplacedElsewhereHasEndedWhenItsAccountReturns(t *testing.T) {
	here, there := twoStores(t, func(*Config) {})
	alice := here.as("alice")
	old := alice.issue("phone")
	alice.setPIN(old, "8302")
	there.arrive(here.leave("alice", there).Parcel, here)
	next := there.as("alice").rotate("phone")
	here.arrive(there.leave("alice", here).Parcel, there)
	here.expect("the new key", alice.verifyPIN(next, "8302"), "true")
	here.expect("the replaced key", alice.verifyPIN(old, "8302"), "KEY_NOT_USABLE")
	here.expect("set under it", alice.setPIN(old, "1234"), "KEY_NOT_USABLE")
	_, err := alice.Status(alice.ctx, domain.StatusInput{KeyID: old.KeyID, Type: domain.TransactionPIN})
	here.code("status under it", err, domain.CodeKeyNotUsable, "")
	here.intact()
	there.intact()
}

// Without its entry, an account that moved away could start again here, without its PIN.
func TestAPruneCarriesTheLastMoveOfEachAccount(t *testing.T) {
	v, away := openVault(t, nil), openVault(t, nil)
	tablet := domain.Account{Subject: "tablet"}
	v.expect("set", v.setPIN(v.issue("tablet"), "1357"), "true")
	first, err := v.MoveAccount(v.ctx, tablet, away.moveKey(), becauseOf)
	if err != nil {
		t.Fatal(err)
	}
	away.arrive(first.Parcel, v)
	back, err := away.MoveAccount(away.ctx, tablet, v.moveKey(), becauseOf)
	if err != nil {
		t.Fatal(err)
	}
	v.arrive(back.Parcel, away)
	if _, err := v.MoveAccount(v.ctx, tablet, away.moveKey(), becauseOf); err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second prune carries what the first one carried
		v.clock.Advance(year + time.Hour)
		v.issue("watch")
		v.pruned("")
		v.intact()
	}
	finds := func(what string) {
		t.Helper()
		if found := v.problems(); len(found) != 1 || found[0].Record != domain.RecordMove+"/"+first.Account.ID {
			t.Errorf("%s: found %v", what, found)
		}
	}
	for _, forged := range []string{`{"number":3,"away":false}`, `{"number":2,"away":false}`, `{"number":4,"away":false}`, "{"} {
		v.insider().put("setting", map[string]any{"tenant": domain.Tenant, "name": "account_move/" + first.Account.ID, "value": []byte(forged)})
		finds(forged)
	}
	v.insider().write("DELETE FROM setting WHERE name LIKE 'account_move/%'")
	finds("removed")
	_, err = v.ReceiveAccount(v.ctx, back.Parcel, away.moveKey(), becauseOf)
	v.code("the file of before", err, domain.CodeConflict, "older than the last move")
}

// A prune of 0.15.6 or earlier removed the entry of a move. Then only other records can
// contradict a forged one.
func TestAForgedMoveRecordIsFoundAfterAPrune(t *testing.T) {
	for _, text := range []string{`{"number":2,"away":true}`, "{"} {
		v, away := openVault(t, nil), openVault(t, nil)
		for _, device := range []string{"phone", "tablet"} {
			v.expect("set", v.setPIN(v.issue(device), "1357"), "true")
		}
		v.clock.Advance(time.Minute)
		if _, err := v.MoveAccount(v.ctx, domain.Account{Subject: "tablet"}, away.moveKey(), becauseOf); err != nil {
			t.Fatal(err)
		}
		v.clock.Advance(year + time.Hour)
		v.issue("watch")
		v.pruned("")
		v.intact()
		id := v.accountID(domain.ModeDevice, "", "phone")
		v.insider().put("setting", map[string]any{"tenant": domain.Tenant, "name": "account_move/" + id, "value": []byte(text)})
		if found := v.problems(); len(found) != 1 || found[0].Record != domain.RecordMove+"/"+id {
			t.Errorf("%s: found %v", text, found)
		}
	}
}

// On PostgreSQL, the chain of the first process ends with a verdict about a counter that
// another process erased: a prune keeps that entry, and carries the erasure.
func TestAnAccountCanMoveAgainAfterAPrune(t *testing.T) {
	first, away := openVault(t, nil), openVault(t, nil)
	k := first.issue("phone")
	first.setPIN(k, "1357")
	first.expect("verify", first.verifyPIN(k, "1357"), "true")
	if err := first.tally.Flush(first.ctx, true); err != nil {
		t.Fatal(err)
	}
	first.clock.Advance(time.Minute)
	here := first.beside()
	phone := domain.Account{Subject: "phone"}
	move := func(from, to *instance) {
		t.Helper()
		moved, err := from.MoveAccount(from.ctx, phone, to.moveKey(), becauseOf)
		if err != nil {
			t.Fatal(err)
		}
		to.arrive(moved.Parcel, from)
	}
	move(here, away)
	move(away, here)
	first.store.Close()
	here.clock.Advance(year + time.Hour)
	here.expect("verify", here.verifyPIN(here.issue("phone"), "1357"), "true")
	here.pruned("")
	here.intact()
	move(here.beside(), away)
}
