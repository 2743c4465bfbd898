package operator

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"strongroom/internal/crypto/devicekey"
	"strongroom/internal/crypto/transfer"
	"strongroom/internal/domain"
	"strongroom/internal/record"
	"strongroom/internal/rotation"
)

// Moves are the use cases that move an account between two stores. The source seals the
// account for the target, and refuses it from then on. The target receives it and
// confirms that. The source then deletes the sealed copy. Each step is one transaction,
// and a repeat gives the same result, so an interrupted move can be continued.
type Moves struct{ *access }

const (
	// settleWait is how long a move waits for attempts in progress.
	settleWait = 10 * time.Second
	settlePoll = 50 * time.Millisecond
)

// MoveKey returns this store's public key for moves.
func (u Moves) MoveKey(ctx context.Context) (string, error) {
	if _, err := u.operatorEntry(ctx, ""); err != nil {
		return "", err
	}
	pair, err := record.Update(ctx, u.cfg.Records, record.System, movePair)
	if err != nil {
		return "", u.cfg.Records.Unavailable(ctx, err)
	}
	return pair.Public().String(), nil
}

// movePair returns the key pair for moves. If there is none, it creates one.
func movePair(tx *record.Tx) (*transfer.Pair, error) {
	private, err := tx.MoveKey()
	if err != nil {
		return nil, err
	}
	if private == nil {
		made, err := transfer.New()
		if err != nil {
			return nil, err
		}
		private = made
		if err := tx.PutMoveKey(private); err != nil {
			return nil, err
		}
	}
	defer private.Wipe()
	return transfer.Parse(private)
}

// MoveAccount takes an account out of this store, and returns it sealed for the store
// with the public key to. Until the move is confirmed, a repeat changes nothing and
// returns the same, with Repeated set.
func (u Moves) MoveAccount(ctx context.Context, name domain.Account, to string, act domain.Act) (moved domain.MovedAccount, err error) {
	target, err := transfer.ParsePublic(to)
	if err != nil {
		return moved, domain.BadInput("to", err.Error())
	}
	if _, err := u.operatorEntry(ctx, act.Reason); err != nil {
		return moved, err
	}
	name.Mode, name.ID = u.cfg.Mode, ""
	history := u.cfg.Records.HistoryOf(ctx, name)
	for began := time.Now(); ; {
		force := time.Since(began) > settleWait
		var result domain.ActResult
		result, err = u.act(ctx, request{act, "move account", [][]byte{[]byte(name.Issuer), []byte(name.Subject), []byte(to)}},
			func(tx *record.Tx, e domain.Entry) (err error) {
				moved, err = u.move(tx, e, name, history, target, force)
				return err
			})
		moved.ActResult = orRepeated(result, moved.Repeated)
		if !errors.Is(err, record.ErrPending) {
			break
		}
		select {
		case <-time.After(settlePoll):
		case <-ctx.Done():
			return moved, ctx.Err()
		}
	}
	return moved, tooMany(err)
}

// tooMany returns a refusal if an account has too many keys or entries to be moved.
func tooMany(err error) error {
	switch {
	case errors.Is(err, record.ErrManyKeys):
		return domain.Conflict(fmt.Sprintf("The account has more than %d devices or keys in use, so it cannot be moved. Nothing was changed. To serve the user in the target, erase the account here: the user starts anew there.", record.MostMovedKeys))
	case errors.Is(err, record.ErrManyEntries):
		return domain.Conflict(fmt.Sprintf("The audit trail has %d entries or more about the account, so the account was not compared with all of them. Nothing was changed. Prune the trail with `strongroom audit prune`, and try again.", record.MostCompared))
	}
	return err
}

// orRepeated marks a result as repeated if the act found nothing left to do.
func orRepeated(result domain.ActResult, before bool) domain.ActResult {
	result.Repeated = result.Repeated || before
	return result
}

func (u Moves) move(tx *record.Tx, e domain.Entry, name domain.Account, history *record.History, to transfer.Public, force bool) (moved domain.MovedAccount, err error) {
	id := tx.AccountID(name)
	if moved.Move, err = tx.MoveOf(id); err != nil {
		return moved, err
	}
	if moved.Move.Away {
		moved.Account = name
		moved.Account.ID = id
		return moved, u.moveAgain(tx, &moved, to)
	}
	pair, err := movePair(tx)
	if err != nil {
		return moved, err
	}
	if pair.Public().Fingerprint() == to.Fingerprint() {
		return moved, domain.BadInput("to", "is the public key of this database: give the target's key")
	}
	if moved.Account, err = tx.Account(name); err != nil {
		return moved, notFound("account", err)
	}
	e.Account, _ = u.cfg.Records.Hashes(moved.Account, "")
	plans, err := u.cfg.Plans.In(tx)
	if err != nil {
		return moved, err
	}
	cargo, secrets, err := tx.Leave(e, moved.Account, history, force, rotation.RefusedBy(plans))
	defer wipe(secrets)
	if err != nil {
		return moved, err
	}
	cargo.Number = moved.Move.Number + 1
	if moved.Parcel, err = sealCargo(pair, to, cargo, secrets); err != nil {
		return moved, err
	}
	moved.Move = newMove(tx, id, cargo.Number, true, to, moved.Parcel)
	enterMove(tx, e, domain.EventAccountMoved, moved.Move)
	return moved, errors.Join(tx.PutParcel(id, moved.Parcel), tx.PutMove(moved.Move))
}

// moveAgain returns the result of an earlier move again.
func (u Moves) moveAgain(tx *record.Tx, moved *domain.MovedAccount, to transfer.Public) (err error) {
	if moved.Move.Peer != to.String() {
		return domain.Conflict("The account has moved to another database: nothing was changed.")
	}
	moved.Repeated = true
	if moved.Parcel, err = tx.Parcel(moved.Account.ID); err == nil && moved.Parcel == nil {
		err = domain.Conflict("The account has moved, and its sealed copy is deleted: the target has confirmed it, or the account was erased. Nothing was changed.")
	}
	return err
}

func sealCargo(pair *transfer.Pair, to transfer.Public, cargo record.Cargo, secrets []domain.Secret) ([]byte, error) {
	contents, err := json.Marshal(cargo)
	if err != nil {
		return nil, fmt.Errorf("encoding an account: %w", err)
	}
	plain := make([][]byte, len(secrets))
	for i, s := range secrets {
		plain[i] = s
	}
	return pair.Seal(to, contents, plain)
}

func newMove(tx *record.Tx, accountID string, number int64, away bool, peer transfer.Public, parcel []byte) domain.AccountMove {
	sum := sha256.Sum256(parcel)
	return domain.AccountMove{AccountID: accountID, Number: number, Away: away, Peer: peer.String(), SHA256: sum[:], At: tx.Now()}
}

// enterMove collects the entry of a whole move. Both trails name the same digest. A move
// that a restore replays has none.
func enterMove(tx *record.Tx, e domain.Entry, event domain.Event, m domain.AccountMove) {
	e.Event, e.Record, e.Version = event, domain.RecordAccount+"/"+m.AccountID, m.Number
	if m.SHA256 != nil {
		e.Reason += " (SHA-256 " + hex.EncodeToString(m.SHA256) + ")"
	}
	tx.Enter(e)
}

func wipe(secrets []domain.Secret) {
	for _, s := range secrets {
		s.Wipe()
	}
}

// ReceiveAccount puts an account into this store that the store with the public key
// from has sealed for it. A repeat changes nothing and confirms it again, with Repeated
// set.
func (u Moves) ReceiveAccount(ctx context.Context, parcel []byte, from string, act domain.Act) (moved domain.MovedAccount, err error) {
	source, err := transfer.ParsePublic(from)
	if err != nil {
		return moved, domain.BadInput("from", err.Error())
	}
	if _, err := u.operatorEntry(ctx, act.Reason); err != nil {
		return moved, err
	}
	history := u.historyOf(ctx, parcel, source)
	sum := sha256.Sum256(parcel)
	result, err := u.act(ctx, request{act, "receive account", [][]byte{sum[:]}}, func(tx *record.Tx, e domain.Entry) (err error) {
		moved, err = u.receive(tx, e, parcel, source, history)
		return err
	})
	moved.ActResult = orRepeated(result, moved.Repeated)
	return moved, tooMany(err)
}

// historyOf is what the trail says about the account in a parcel. It is empty if the parcel
// cannot be opened, which [Moves.receive] reports.
func (u Moves) historyOf(ctx context.Context, parcel []byte, from transfer.Public) *record.History {
	cargo, err := record.View(ctx, u.cfg.Records, func(tx *record.Tx) (cargo record.Cargo, err error) {
		private, err := tx.MoveKey()
		if err != nil {
			return cargo, err
		}
		defer private.Wipe()
		pair, err := transfer.Parse(private)
		if err != nil {
			return cargo, err
		}
		cargo, secrets, err := openCargo(pair, from, parcel)
		wipe(secrets)
		return cargo, err
	})
	if err != nil || cargo.Account.Mode != u.cfg.Mode {
		return &record.History{}
	}
	return u.cfg.Records.HistoryOf(ctx, cargo.Account)
}

func (u Moves) receive(tx *record.Tx, e domain.Entry, parcel []byte, from transfer.Public, history *record.History) (moved domain.MovedAccount, err error) {
	pair, err := movePair(tx)
	if err != nil {
		return moved, err
	}
	cargo, secrets, err := openCargo(pair, from, parcel)
	defer wipe(secrets)
	if err != nil {
		return moved, domain.BadInput("file", err.Error())
	}
	if cargo.Account.Mode != u.cfg.Mode {
		return moved, domain.Conflict(fmt.Sprintf("The account has mode %s, and this database has accounts of mode %s: nothing was changed.", cargo.Account.Mode, u.cfg.Mode))
	}
	plans, err := u.cfg.Plans.In(tx)
	if err != nil {
		return moved, err
	}
	secrets = cargo.Refuse(secrets, rotation.RefusedByAny(plans), tx.Now())
	moved.Account = cargo.Account
	moved.Account.ID = tx.AccountID(cargo.Account)
	for _, k := range cargo.Keys {
		if k.Private && devicekey.Algorithm(k.Algorithm).Allowed() {
			moved.Keys = append(moved.Keys, k.ID)
		} else {
			moved.Ended++
		}
	}
	moved.Move = newMove(tx, moved.Account.ID, cargo.Number, false, from, parcel)
	moved.Confirmation = pair.Confirm(parcel)
	epoch, err := tx.Epoch()
	if err != nil {
		return moved, err
	}
	moved.Restored = epoch.Number > 1
	e.Account, _ = u.cfg.Records.Hashes(moved.Account, "")
	if moved.Repeated, err = u.mayReceive(tx, history, e.Account, moved); moved.Repeated || err != nil {
		return moved, err
	}
	if _, err = tx.Arrive(e, cargo, secrets); err != nil {
		return moved, err
	}
	enterMove(tx, e, domain.EventAccountReceived, moved.Move)
	// An account that comes back makes the sealed copy of its last move obsolete.
	return moved, errors.Join(tx.DeleteParcel(moved.Account.ID), tx.PutMove(moved.Move))
}

func openCargo(pair *transfer.Pair, from transfer.Public, parcel []byte) (cargo record.Cargo, secrets []domain.Secret, err error) {
	contents, plain, err := pair.Open(from, parcel)
	for _, p := range plain {
		secrets = append(secrets, p)
	}
	if err == nil {
		err = json.Unmarshal(contents, &cargo)
	}
	return cargo, secrets, err
}

// mayReceive refuses an account that exists here, or that has moved away since it was
// sealed. It reports whether exactly this move was received before. hash is the
// account's hash in the trail, which still has a move whose setting was removed.
func (u Moves) mayReceive(tx *record.Tx, history *record.History, hash []byte, moved domain.MovedAccount) (done bool, err error) {
	last, err := tx.MoveOf(moved.Account.ID)
	if err != nil {
		return false, err
	}
	_, err = tx.AccountByID(moved.Account.ID)
	exists := err == nil
	if err = notFound("account", err); err != nil && domain.CodeOf(err) != domain.CodeNotFound {
		return false, err
	}
	if exists && !last.Away && last.Number == moved.Move.Number && bytes.Equal(last.SHA256, moved.Move.SHA256) {
		return true, nil
	}
	told, err := tx.LastMove(history, hash, moved.Account.ID)
	if err != nil {
		return false, err
	}
	switch {
	case max(last.Number, told) >= moved.Move.Number:
		return false, domain.Conflict("The file is older than the last move of this account: nothing was changed.")
	case last.Away && !exists:
		return false, domain.Conflict("The account was erased here after it had moved away: nothing was changed. Receive it in another database.")
	case !last.Away && exists:
		return false, domain.Conflict("This database has the account already: nothing was changed. If it was created here by mistake, erase it and receive the file again.")
	}
	return false, nil
}

// ConfirmMove deletes the sealed copy, once the target has confirmed the move. If it is
// deleted already, nothing changes, and the result is Repeated.
func (u Moves) ConfirmMove(ctx context.Context, name domain.Account, confirmation []byte, act domain.Act) (domain.ActResult, error) {
	name.Mode, name.ID = u.cfg.Mode, ""
	gone := false
	result, err := u.act(ctx, request{act, "confirm move", [][]byte{[]byte(name.Issuer), []byte(name.Subject), confirmation}}, func(tx *record.Tx, e domain.Entry) error {
		name.ID = tx.AccountID(name)
		m, err := tx.MoveOf(name.ID)
		if err != nil {
			return err
		}
		if !m.Away {
			return domain.Conflict("The account has not moved away from this database: nothing was changed.")
		}
		if m.Peer == "" {
			return domain.Conflict("A restore replayed this move, so there is no sealed copy to delete: nothing was changed.")
		}
		parcel, err := tx.Parcel(name.ID)
		if err != nil {
			return err
		}
		target, err := transfer.ParsePublic(m.Peer)
		if err != nil {
			return err
		}
		sum := m.SHA256
		if gone = parcel == nil; !gone {
			of := sha256.Sum256(parcel)
			sum = of[:]
		}
		if !target.Confirmed(sum, confirmation) {
			return domain.BadInput("confirmation", "is not the target's confirmation for this account")
		}
		if gone {
			return nil
		}
		e.Account, _ = u.cfg.Records.Hashes(name, "")
		e.Outcome = "confirmed"
		enterMove(tx, e, domain.EventAccountMoved, m)
		return tx.DeleteParcel(name.ID)
	})
	return orRepeated(result, gone && err == nil), err
}
