package record

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/store"
)

// An account moves between two stores in one transaction of each. The source's
// transaction replaces the records by a parcel that only the target can open, and by a
// move that says that the account is away. The target's transaction turns the parcel
// into records. So the records are never in both stores, and they are always in one of
// them or in a parcel.

const (
	settingMove    = "account_move/"   // and the account's id
	settingParcel  = "account_parcel/" // and the account's id: until the target has confirmed it
	settingMoveKey = "account_move_key"
	moveKeyData    = "account move key v1"
)

// MostMovedKeys is how many keys an account may have that move with it, and how many
// devices. It bounds the memory of a move.
const MostMovedKeys = 10_000

// Cargo is the records of an account in a form that does not depend on a store. Their
// secrets are separate, in the order in which the records that have one are listed here.
type Cargo struct {
	Number      int64             `json:"number"` // of the move
	Account     domain.Account    `json:"account"`
	Keys        []cargoKey        `json:"keys"`
	Credentials []cargoCredential `json:"credentials"`
	Attempts    []cargoAttempts   `json:"attempts"`
}

type cargoKey struct {
	domain.DeviceKey           // without Sealed and MAC
	Used             time.Time `json:"used"`
	Private          bool      `json:"private"` // there is a private key among the secrets
}

// withhold makes the key move without its private key. An active key ends by that.
func (k *cargoKey) withhold(now time.Time) {
	k.Private, k.GraceUntil = false, time.Time{}
	if k.State == domain.KeyActive {
		k.State, k.EndedAt = domain.KeyInvalidated, now
	}
}

type cargoCredential struct {
	domain.Credential      // without Sealed
	Previous          bool `json:"previous"` // a later one replaced it
	MustChange        bool `json:"mustChange"`
}

// cargoAttempts names devices by their deviceId, because the hashes in attempt counters
// differ between stores.
type cargoAttempts struct {
	domain.Attempts // without MAC
}

// MoveOf returns the last move of an account, or one with the number 0. It has no MAC.
// Anyone who can write to the database can remove it, and the account then gets new keys
// here, without its secrets. The verification of the trail detects that, also after a
// prune, and [Tx.LastMove] keeps a file from being received twice.
func (tx *Tx) MoveOf(accountID string) (domain.AccountMove, error) {
	text, err := tx.MaybeSetting(settingMove + accountID)
	if err != nil || len(text) == 0 {
		return domain.AccountMove{AccountID: accountID}, err
	}
	return parseMove(accountID, text)
}

// mostMoves is more than any account ever moves.
const mostMoves = 1 << 40

func parseMove(accountID string, text []byte) (domain.AccountMove, error) {
	m := domain.AccountMove{AccountID: accountID}
	err := json.Unmarshal(text, &m)
	if err == nil {
		err = checkNumber(m)
	}
	if err != nil {
		return domain.AccountMove{AccountID: accountID}, &Tampered{domain.RecordSetting, settingMove + accountID, err}
	}
	return m, nil
}

func checkNumber(m domain.AccountMove) error {
	if m.Number < 1 || m.Number > mostMoves {
		return fmt.Errorf("it has the number %d", m.Number)
	}
	return nil
}

// EachMove calls fn for the last move of each account that ever moved. Of a move that
// cannot be decoded, it passes only the account's id.
func (tx *Tx) EachMove(fn func(domain.AccountMove) error) error {
	return tx.EachSetting(settingMove, func(name string, value []byte) error {
		m, _ := parseMove(strings.TrimPrefix(name, settingMove), value) // the number tells
		return fn(m)
	})
}

// PutMove stores the last move of an account. It fails with [Tampered] if [Tx.MoveOf]
// would refuse the number. Then someone forged the number of the previous move.
func (tx *Tx) PutMove(m domain.AccountMove) error {
	if err := checkNumber(m); err != nil {
		return &Tampered{domain.RecordSetting, settingMove + m.AccountID, err}
	}
	text, err := json.Marshal(m)
	if err != nil {
		return fmt.Errorf("encoding a move: %w", err)
	}
	return tx.PutSetting(settingMove+m.AccountID, text)
}

// Parcel returns the parcel of an account that left, or nil once it was deleted.
func (tx *Tx) Parcel(accountID string) ([]byte, error) {
	return tx.MaybeSetting(settingParcel + accountID)
}

// PutParcel stores the parcel of an account that leaves.
func (tx *Tx) PutParcel(accountID string, parcel []byte) error {
	return tx.PutSetting(settingParcel+accountID, parcel)
}

// DeleteParcel deletes the parcel of an account.
func (tx *Tx) DeleteParcel(accountID string) error {
	tx.markErased()
	return tx.DeleteSetting(settingParcel + accountID)
}

// MaybeSetting returns a setting, or nil if there is none.
func (tx *Tx) MaybeSetting(name string) ([]byte, error) {
	value, err := tx.Setting(name)
	if errors.Is(err, store.ErrNotFound) {
		return nil, nil
	}
	return value, err
}

// MoveKey returns the private key for moves of this store, or nil if there is none.
func (tx *Tx) MoveKey() (domain.Secret, error) {
	sealed, err := tx.MaybeSetting(settingMoveKey)
	if err != nil || sealed == nil {
		return nil, err
	}
	private, err := tx.r.cfg.Keys.Open(sealed, []byte(moveKeyData))
	if err != nil {
		return nil, &Tampered{domain.RecordSetting, settingMoveKey, err}
	}
	return private, nil
}

// PutMoveKey stores the private key for moves.
func (tx *Tx) PutMoveKey(private domain.Secret) error {
	sealed, err := tx.r.cfg.Keys.Seal(private, []byte(moveKeyData))
	if err != nil {
		return fmt.Errorf("sealing the key for moves: %w", err)
	}
	return tx.PutSetting(settingMoveKey, sealed)
}

// ResealMoveKey seals the private key for moves under the primary data key.
func (tx *Tx) ResealMoveKey() error {
	private, err := tx.MoveKey()
	if err != nil || private == nil {
		return err
	}
	defer private.Wipe()
	return tx.PutMoveKey(private)
}

// ErrPending says that attempts at a credential of an account are under way.
var ErrPending = errors.New("attempts are under way")

// ErrManyKeys says that an account has too many keys to be moved.
var ErrManyKeys = errors.New("too many keys")

// Leave takes an account out of the store. It fails with [Tampered] if records were
// edited or put back, and with [ErrManyKeys] if there are too many keys. While attempts
// are under way it fails with [ErrPending], unless force is set: then they count as
// failures, and their verdicts are withheld. Keys for which refused returns true leave
// without their private keys. h is of [Records.HistoryOf], or empty. e is the start of
// the entries. The caller wipes secrets, also after an error.
func (tx *Tx) Leave(e domain.Entry, a domain.Account, h *History, force bool, refused func(domain.DeviceKey) bool) (c Cargo, secrets []domain.Secret, err error) {
	c.Account = a
	keys, err := tx.keysToMove(a.ID)
	if err != nil {
		return c, nil, err
	}
	if err := tx.compareWithTrail(h, e.Account, a, keys); err != nil {
		return c, nil, err
	}
	for _, t := range domain.CredentialTypes {
		if err := tx.takeAttempts(&c, a, t, keys, force); err != nil {
			return c, nil, err
		}
	}
	if secrets, err = tx.takeKeys(e, &c, a, keys, refused); err != nil {
		return c, secrets, err
	}
	for _, t := range domain.CredentialTypes {
		verifiers, err := tx.takeCredentials(&c, a, t)
		if secrets = append(secrets, verifiers...); err != nil {
			return c, secrets, err
		}
		if err := tx.eraseCredential(e, a.ID, t); err != nil {
			return c, secrets, err
		}
	}
	tx.markErased()
	return c, secrets, tx.DeleteKeyUses(a.ID)
}

// devicesPage is how many devices of an account are read at a time.
const devicesPage = 100

// eachDevice calls fn with at most limit keys of each device of an account, newest first.
func (tx *Tx) eachDevice(accountID string, limit int, fn func(keys []domain.DeviceKey) error) error {
	for after := ""; ; {
		devices, err := tx.DevicesOf(accountID, after, devicesPage)
		if err != nil {
			return err
		}
		at := make([]domain.DevicePosition, len(devices))
		for i, device := range devices {
			at[i], after = domain.DevicePosition{DeviceID: device, AccountID: accountID}, device
		}
		shown, err := tx.ShowDevices(at, "", limit)
		if err != nil {
			return err
		}
		for _, device := range shown {
			if err := fn(device.Keys); err != nil {
				return err
			}
		}
		if len(devices) < devicesPage {
			return nil
		}
	}
}

// keysToMove returns the keys that can still be used, and the newest of each device, on
// which the next one depends, in order of id. A device has a record of each key that it
// ever had, and the others do not matter.
func (tx *Tx) keysToMove(accountID string) ([]domain.DeviceKey, error) {
	keys, err := tx.LiveKeysOf(accountID, MostMovedKeys+1)
	if err != nil {
		return nil, err
	}
	live := map[string]bool{}
	for _, k := range keys {
		live[k.ID] = true
	}
	err = tx.eachDevice(accountID, 1, func(newest []domain.DeviceKey) error {
		for _, k := range newest {
			if !live[k.ID] {
				keys = append(keys, k)
			}
		}
		if len(keys) > MostMovedKeys {
			return ErrManyKeys
		}
		return nil
	})
	slices.SortFunc(keys, func(x, y domain.DeviceKey) int { return strings.Compare(x.ID, y.ID) })
	return keys, err
}

// takeAttempts reads a counter without [Tx.Attempts], because that could write the
// counter again after it is erased. After a restore, it also takes a counter that is not
// stored, because the backup may lack its failures.
func (tx *Tx) takeAttempts(c *Cargo, a domain.Account, t domain.CredentialType, keys []domain.DeviceKey, force bool) error {
	found, _, err := tx.tx.Guarded(a.ID, t)
	if err != nil {
		return err
	}
	is := domain.Attempts{AccountID: a.ID, Type: t}
	if found != nil {
		if err := tx.r.CheckAttempts(*found); err != nil {
			return err
		}
		is = *found
	}
	if tx.r.epoch.Number > 1 {
		if is.Restored, err = tx.restored(is); err != nil {
			return err
		}
	}
	now := tx.Steady()
	if !force && slices.ContainsFunc(is.Pending, func(p domain.PendingAttempt) bool { return !p.Lease.Before(now) }) {
		return ErrPending
	}
	if is = tx.r.cfg.Attempts.Leaving(is); found == nil && is.Failures == 0 {
		return nil
	}
	names := map[string]string{"": ""}
	for _, k := range keys {
		names[tx.r.AttemptDevice(a.ID, k.DeviceID)] = k.DeviceID
	}
	if err := renameDevices(&is, func(device string) (string, bool) { name, ok := names[device]; return name, ok }); err != nil {
		return err
	}
	is.MAC = nil
	c.Attempts = append(c.Attempts, cargoAttempts{is})
	return nil
}

// renameDevices replaces the names of devices in a counter.
func renameDevices(a *domain.Attempts, name func(string) (string, bool)) error {
	known, all := true, slices.Clone(a.Devices)
	for i := range all {
		var ok bool
		all[i].Device, ok = name(all[i].Device)
		known = known && ok
	}
	by, ok := name(a.VerifiedBy)
	if !known || !ok {
		return &Tampered{domain.RecordAttempts, a.ID, errors.New("it names a device that never had a key")}
	}
	a.Devices, a.VerifiedBy = all, by
	return nil
}

// takeKeys takes the keys of keysToMove. The target cannot know which ciphertexts of a key were
// used, so a key with digests of ciphertexts leaves without its private key. So does a
// key that is refused, because the target does not have the plan that refuses it.
func (tx *Tx) takeKeys(e domain.Entry, c *Cargo, a domain.Account, keys []domain.DeviceKey, refused func(domain.DeviceKey) bool) (secrets []domain.Secret, err error) {
	spent, err := tx.keysWithCiphertexts(a.ID)
	if err != nil {
		return nil, err
	}
	ids := make([]string, len(keys))
	for i, k := range keys {
		ids[i] = k.ID
	}
	used, err := tx.KeysUsed(a.ID, ids)
	if err != nil {
		return nil, err
	}
	for i, k := range keys {
		if err := tx.r.CheckKey(k); err != nil {
			return secrets, err
		}
		moved := cargoKey{DeviceKey: k, Used: used[i], Private: len(k.Sealed) > 0 && !spent[k.ID] && !refused(k)}
		if moved.Private {
			private, err := tx.r.OpenKey(k)
			if err != nil {
				return secrets, err
			}
			secrets = append(secrets, private)
		} else {
			moved.withhold(tx.Now())
		}
		moved.Sealed, moved.MAC = nil, nil
		c.Keys = append(c.Keys, moved)
		_, e.Device = tx.r.Hashes(a, k.DeviceID)
		e.Event = domain.EventAccountMoved
		if err := tx.EndKey(e, k, domain.KeyMoved, 0); err != nil {
			return secrets, err
		}
	}
	return secrets, nil
}

// keysWithCiphertexts are the ids of an account's keys that have digests of ciphertexts.
func (tx *Tx) keysWithCiphertexts(accountID string) (map[string]bool, error) {
	found := map[string]bool{}
	for key := ""; ; {
		account, id, err := tx.NextCiphertextKey(accountID, key)
		if errors.Is(err, store.ErrNotFound) || err == nil && account != accountID {
			return found, nil
		}
		if err != nil {
			return nil, err
		}
		found[id], key = true, id
	}
}

func (tx *Tx) takeCredentials(c *Cargo, a domain.Account, t domain.CredentialType) (secrets []domain.Secret, err error) {
	is, err := tx.tx.Credential(a.ID, t)
	switch {
	case errors.Is(err, store.ErrNotFound):
	case err != nil:
		return nil, err
	default:
		encoded, mustChange, err := tx.r.OpenCredential(is)
		if err != nil {
			return nil, err
		}
		is.Sealed = nil
		secrets = append(secrets, encoded)
		c.Credentials = append(c.Credentials, cargoCredential{Credential: is, MustChange: mustChange})
	}
	previous, err := tx.PreviousCredentials(a.ID, t, MostMovedKeys)
	if err != nil {
		return secrets, err
	}
	for _, is := range previous {
		encoded, err := tx.r.OpenPreviousVerifier(is)
		if err != nil {
			return secrets, err
		}
		is.Sealed = nil
		secrets = append(secrets, encoded)
		c.Credentials = append(c.Credentials, cargoCredential{Credential: is, Previous: true})
	}
	return secrets, nil
}

// Refuse wipes the private keys of a cargo for which refused returns true, and marks their
// keys as ended at now. It returns the other secrets. The target must do this also for
// plans that have finished, because they did not see a key that was under way.
func (c *Cargo) Refuse(secrets []domain.Secret, refused func(domain.DeviceKey) bool, now time.Time) (left []domain.Secret) {
	for i := range c.Keys {
		k := &c.Keys[i]
		if !k.Private || len(secrets) == 0 {
			continue
		}
		if !refused(k.DeviceKey) {
			left, secrets = append(left, secrets[0]), secrets[1:]
			continue
		}
		secrets[0].Wipe()
		secrets = secrets[1:]
		k.withhold(now)
	}
	return append(left, secrets...)
}

// errCargo says that a parcel does not hold what it lists. Its signature verified, so
// the source made it so.
var errCargo = errors.New("the file does not hold what it lists")

// Arrive puts an account into the store. secrets are in the order of [Cargo]. e is the
// start of the entries. The account must have no records here except those that it left
// behind when it moved away.
func (tx *Tx) Arrive(e domain.Entry, c Cargo, secrets []domain.Secret) (domain.Account, error) {
	a, err := tx.EnsureAccount(domain.Account{Mode: c.Account.Mode, Issuer: c.Account.Issuer, Subject: c.Account.Subject})
	if err != nil {
		return a, err
	}
	next := func() (s domain.Secret, err error) {
		if len(secrets) == 0 {
			return nil, errCargo
		}
		s, secrets = secrets[0], secrets[1:]
		return s, nil
	}
	e.Event = domain.EventAccountReceived
	if err := tx.endLeftBehind(e, a, c.Keys); err != nil {
		return a, err
	}
	for _, k := range c.Keys {
		if err := tx.putKey(e, a, k, next); err != nil {
			return a, err
		}
	}
	ids := map[domain.CredentialType]string{}
	for _, moved := range c.Credentials {
		if ids[moved.Type] == "" {
			ids[moved.Type] = domain.NewID()
		}
		moved.ID, moved.AccountID = ids[moved.Type], a.ID
		if err := tx.putCredential(e, moved, next); err != nil {
			return a, err
		}
	}
	if len(secrets) > 0 {
		return a, errCargo
	}
	for _, moved := range c.Attempts {
		if err := tx.putAttempts(e, a, moved.Attempts); err != nil {
			return a, err
		}
	}
	return a, nil
}

// latestKeys is how many keys of a device are searched for those that moved away: the
// newest, and those that were in their rotation grace then.
const latestKeys = 100

// endLeftBehind ends the keys that moved away and do not come back, because they were
// replaced there. Otherwise their clients would get ACCOUNT_MOVED for ever.
func (tx *Tx) endLeftBehind(e domain.Entry, a domain.Account, back []cargoKey) error {
	comes := map[string]bool{}
	for _, k := range back {
		comes[k.ID] = true
	}
	return tx.eachDevice(a.ID, latestKeys, func(keys []domain.DeviceKey) error {
		for _, k := range keys {
			if k.State != domain.KeyMoved || comes[k.ID] {
				continue
			}
			if err := tx.r.CheckKey(k); err != nil {
				return err
			}
			_, e.Device = tx.r.Hashes(a, k.DeviceID)
			if err := tx.EndKey(e, k, domain.KeyInvalidated, 0); err != nil {
				return err
			}
		}
		return nil
	})
}

func (tx *Tx) putKey(e domain.Entry, a domain.Account, moved cargoKey, next func() (domain.Secret, error)) error {
	k := moved.DeviceKey
	k.AccountID = a.ID
	if !domain.IsKeyID(k.ID) {
		return errCargo
	}
	if moved.Private {
		private, err := next()
		if err != nil {
			return err
		}
		if k.Sealed, err = tx.r.SealKey(k, private); err != nil {
			return err
		}
	}
	_, e.Device = tx.r.Hashes(a, k.DeviceID)
	if !moved.Used.IsZero() {
		if err := tx.NoteKeyUse(a.ID, k.ID, moved.Used); err != nil {
			return err
		}
	}
	switch was, err := tx.Key(k.ID); {
	case errors.Is(err, store.ErrNotFound):
		k.Version++
		k = tx.r.signed(k)
		return tx.AddKey(e, k)
	case err != nil:
		return err
	case was.AccountID != a.ID || was.State != domain.KeyMoved || string(was.PublicKey) != string(k.PublicKey):
		return domain.Conflict("This database has another key with the same id as a key in the file: nothing was changed.")
	default: // it comes back
		k.Version = was.Version
		_, err := tx.updateKey(e, was, k)
		return err
	}
}

func (tx *Tx) putCredential(e domain.Entry, moved cargoCredential, next func() (domain.Secret, error)) error {
	encoded, err := next()
	if err != nil {
		return err
	}
	record := presentVerifier
	if moved.Previous {
		record = previousVerifier
	}
	c, err := tx.r.sealVerifier(record, moved.Credential, encoded, moved.MustChange)
	if err != nil {
		return err
	}
	if moved.Previous {
		return tx.tx.KeepPrevious(c, MostMovedKeys)
	}
	tx.Enter(credentialEntry(e, domain.Credential{}, c))
	return tx.tx.AddCredential(c)
}

func (tx *Tx) putAttempts(e domain.Entry, a domain.Account, moved domain.Attempts) error {
	err := renameDevices(&moved, func(device string) (string, bool) {
		if device == "" {
			return "", true
		}
		return tx.r.AttemptDevice(a.ID, device), true
	})
	if err != nil {
		return err
	}
	c, err := tx.Attempts(a.ID, moved.Type)
	if err != nil {
		return err
	}
	if c.Exists() {
		return store.ErrConflict
	}
	moved.ID, moved.AccountID, moved.Version, moved.Pending, moved.Restored = c.state.ID, a.ID, 0, nil, false
	c.state = moved
	e.Reason += moved.Detail()
	c.enter(e)
	return nil
}
