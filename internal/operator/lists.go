package operator

import (
	"context"
	"errors"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/record"
	"strongroom/internal/store"
)

// maxDeviceKeys is how many keys of a device a list shows.
const maxDeviceKeys = 20

// Devices lists devices that have or had a key, sorted by deviceId and then by
// account.
func (u Inventory) Devices(ctx context.Context, f domain.DeviceFilter, p domain.Page) (devices []domain.Device, next string, err error) {
	after, err := checkDevices(f, p)
	if err != nil {
		return nil, "", err
	}
	err = u.look(ctx, func(tx *record.Tx) error {
		places, err := u.devicePlaces(tx, f, after, p.Limit+1)
		if err != nil {
			return err
		}
		places, next = part(places, p.Limit, func(d domain.DevicePosition) string { return cursor("devices", d.DeviceID, d.AccountID) })
		devices, err = u.devices(tx, places, "")
		return err
	})
	return devices, next, err
}

func checkDevices(f domain.DeviceFilter, p domain.Page) (after domain.DevicePosition, err error) {
	named := ""
	for _, field := range [][2]string{{"deviceId", f.DeviceID}, {"prefix", f.Prefix}, {"accountId", f.AccountID}, {"keyId", f.KeyID}} {
		if err := checkText(field[0], field[1]); err != nil {
			return after, err
		}
		if field[1] != "" && named != "" {
			return after, domain.BadInput(field[0], "does not go together with "+named)
		}
		if field[1] != "" {
			named = field[0]
		}
	}
	fields, err := place(p.After, "devices", 2)
	if err == nil {
		after = domain.DevicePosition{DeviceID: fields[0], AccountID: fields[1]}
		err = checkPage(p)
	}
	return after, err
}

func (u Inventory) devicePlaces(tx *record.Tx, f domain.DeviceFilter, after domain.DevicePosition, limit int) ([]domain.DevicePosition, error) {
	switch {
	case f.KeyID != "":
		k, err := keyByID(tx, f.KeyID)
		if errors.Is(err, store.ErrNotFound) || err == nil && after != (domain.DevicePosition{}) {
			return nil, nil
		}
		return []domain.DevicePosition{{DeviceID: k.DeviceID, AccountID: k.AccountID}}, err
	case f.AccountID != "":
		if !domain.IsID(f.AccountID) {
			return nil, nil
		}
		ids, err := tx.DevicesOf(f.AccountID, after.DeviceID, limit)
		places := make([]domain.DevicePosition, len(ids))
		for i, id := range ids {
			places[i] = domain.DevicePosition{DeviceID: id, AccountID: f.AccountID}
		}
		return places, err
	case f.DeviceID != "":
		// Of the ids with this prefix, the id itself comes first.
		places, err := tx.Devices(f.DeviceID, after, limit)
		for i, d := range places {
			if d.DeviceID != f.DeviceID {
				return places[:i], err
			}
		}
		return places, err
	}
	return tx.Devices(f.Prefix, after, limit)
}

// Key returns the device of a key, with only this key in Keys.
func (u Inventory) Key(ctx context.Context, keyID string) (d domain.Device, err error) {
	err = u.look(ctx, func(tx *record.Tx) error {
		k, err := keyByID(tx, keyID)
		if err != nil {
			return notFound("key", err)
		}
		all, err := u.devices(tx, []domain.DevicePosition{{DeviceID: k.DeviceID, AccountID: k.AccountID}}, k.ID)
		if err == nil {
			d = all[0]
		}
		return err
	})
	return d, err
}

// devices reads devices with their keys, or with one key of them.
func (u Inventory) devices(tx *record.Tx, at []domain.DevicePosition, keyID string) ([]domain.Device, error) {
	found, err := tx.ShowDevices(at, keyID, maxDeviceKeys+1)
	if err != nil {
		return nil, err
	}
	devices := make([]domain.Device, 0, len(at))
	for i, place := range at {
		f := found[i]
		n := min(len(f.Keys), maxDeviceKeys)
		d := domain.Device{DeviceID: place.DeviceID, Account: u.shown(f.Account, place.AccountID, place.DeviceID), MoreKeys: len(f.Keys) > n}
		for j, k := range f.Keys[:n] {
			d.Keys = append(d.Keys, u.keyInfo(k, f.Used[j]))
		}
		devices = append(devices, d)
	}
	return devices, u.keyGenerations(tx, devices)
}

func (u Inventory) keyInfo(k domain.DeviceKey, used time.Time) domain.KeyInfo {
	return domain.KeyInfo{ID: k.ID, State: k.State, Algorithm: k.Algorithm, Bits: k.Bits, AppVersion: k.AppVersion, Thumbprint: k.Thumbprint,
		CreatedAt: k.CreatedAt, ExpiresAt: k.ExpiresAt, EndedAt: k.EndedAt, GraceUntil: k.GraceUntil, LastUsedAt: used,
		Tampered: u.cfg.Records.CheckKey(k) != nil}
}

// keyGenerations reads the key-generation counters of devices without counting. A
// counter uses a hash of the account's name. If that is unknown, so is the counter.
func (u Inventory) keyGenerations(tx *record.Tx, devices []domain.Device) error {
	var hashes [][]byte
	var of []*domain.KeyGeneration
	for i := range devices {
		d := &devices[i]
		d.KeyGeneration.Cluster = u.cfg.KeyGenerations == nil
		if d.Account.Subject == "" {
			continue
		}
		_, hash := u.cfg.Records.Hashes(d.Account, d.DeviceID)
		hashes, of = append(hashes, hash), append(of, &d.KeyGeneration)
	}
	if u.cfg.KeyGenerations != nil {
		for i, g := range of {
			g.Count, g.ResetTime, _ = u.cfg.KeyGenerations.Lookup([16]byte(hashes[i]), u.cfg.Now())
		}
		return nil
	}
	all, err := tx.KeyGenerationsOf(hashes)
	for i, w := range all {
		of[i].Count, of[i].ResetTime = w.Count, w.Reset
	}
	return err
}

// Accounts lists accounts sorted by issuer and then by subject. An account with an
// edited name is listed under that name and marked.
func (u Inventory) Accounts(ctx context.Context, f domain.AccountFilter, p domain.Page) (accounts []domain.Account, next string, err error) {
	if err := u.checkAccounts(f, p); err != nil {
		return nil, "", err
	}
	fields, err := place(p.After, "accounts", 2)
	if err != nil {
		return nil, "", err
	}
	var edited *record.Tampered
	err = u.look(ctx, func(tx *record.Tx) error {
		accounts, next, edited = nil, "", nil
		if f.Subject != "" && (f.Issuer != "" || u.cfg.Mode != domain.ModeJWT) {
			a, err := tx.Account(domain.Account{Mode: u.cfg.Mode, Issuer: f.Issuer, Subject: f.Subject})
			if errors.Is(err, store.ErrNotFound) || err == nil && p.After != "" {
				return nil
			}
			a.Tampered = errors.As(err, &edited)
			if accounts = []domain.Account{a}; a.Tampered {
				return nil
			}
			return err
		}
		all, err := tx.Accounts(u.cfg.Mode, f, domain.Account{Issuer: fields[0], Subject: fields[1]}, p.Limit+1)
		accounts, next = part(all, p.Limit, func(a domain.Account) string { return cursor("accounts", a.Issuer, a.Subject) })
		for i, a := range accounts {
			accounts[i].Tampered = a.ID != u.cfg.Records.AccountID(a)
		}
		return err
	})
	if err == nil && edited != nil {
		_ = u.cfg.Records.Report(ctx, record.System, edited)
	}
	return accounts, next, err
}

func (u Inventory) checkAccounts(f domain.AccountFilter, p domain.Page) error {
	switch {
	case f.Issuer != "" && u.cfg.Mode != domain.ModeJWT:
		return domain.BadInput("issuer", "is only for accounts of tokens, and this service has none")
	case f.Subject != "" && f.Prefix != "":
		return domain.BadInput("prefix", "does not go together with subject")
	}
	if err := checkTexts([2]string{"issuer", f.Issuer}, [2]string{"subject", f.Subject}, [2]string{"prefix", f.Prefix}); err != nil {
		return err
	}
	return checkPage(p)
}

// Account returns an account with the state of its two credentials. An account
// with an edited name is marked.
func (u Inventory) Account(ctx context.Context, accountID string) (info domain.AccountInfo, err error) {
	var edited *record.Tampered
	err = u.look(ctx, func(tx *record.Tx) error {
		info, edited = domain.AccountInfo{}, nil
		var err error
		if info.Account, err = tx.AccountByID(accountID); errors.As(err, &edited) {
			info.Account.Tampered = true
		} else if err != nil {
			return notFound("account", err)
		}
		info.Credentials, err = u.credentialInfos(tx, info.Account)
		return err
	})
	if err == nil && edited != nil {
		_ = u.cfg.Records.Report(ctx, record.System, edited)
	}
	return info, err
}

func (u Inventory) credentialInfos(tx *record.Tx, account domain.Account) ([]domain.CredentialInfo, error) {
	counters, refused, err := tx.AttemptsOf(account.ID) // first, because it reads the credentials too
	if err != nil {
		return nil, err
	}
	verified := u.lastVerified(tx, account)
	all := make([]domain.CredentialInfo, len(counters))
	for i, counter := range counters {
		t := domain.CredentialTypes[i]
		if all[i], err = u.credentialInfo(tx, account.ID, t, counter); err != nil {
			return nil, err
		}
		all[i].Tampered = refused[i] != nil
		if counter.Exists() && all[i].Set && all[i].VerifiedAt.IsZero() {
			if all[i].VerifiedAt, err = verified(counter.State().ID); err != nil {
				return nil, err
			}
		}
	}
	return all, nil
}

func (u Inventory) credentialInfo(tx *record.Tx, accountID string, t domain.CredentialType, counter *record.Counter) (domain.CredentialInfo, error) {
	info := domain.CredentialInfo{Type: t}
	c, err := tx.Credential(accountID, t)
	if err != nil {
		return info, err
	}
	info.Set, info.Version, info.CreatedAt, info.UpdatedAt = c.Version > 0, c.Version, c.CreatedAt, c.UpdatedAt
	if info.Set {
		// An edited credential is shown too: audit verify and the next verify find it.
		if info.MustChange, err = u.cfg.Records.MustChange(c); err != nil && !record.IsTampered(err) {
			return info, err
		}
	}
	if info.AttemptsLeft = counter.Left(""); !counter.Exists() {
		return info, nil
	}
	a, now := counter.State(), tx.Steady()
	info.Failures, info.RecentFailures, info.Pending = a.Failures, u.cfg.Attempts.RecentFailures(a, now), len(a.Pending)
	info.LockedUntil, info.Permanent, info.VerifiedAt = lockedUntil(a, now), a.Permanent, a.VerifiedAt
	info.LockedDevices, err = u.lockedDevices(tx, a, &deviceSearch{left: maxComparedDevices})
	return info, err
}
