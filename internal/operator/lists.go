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
		devices = make([]domain.Device, 0, len(places))
		for _, d := range places {
			shown, err := u.device(tx, d)
			if err != nil {
				return err
			}
			devices = append(devices, shown)
		}
		return nil
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
		d, err = u.deviceWith(tx, domain.DevicePosition{DeviceID: k.DeviceID, AccountID: k.AccountID}, []domain.DeviceKey{k})
		return err
	})
	return d, err
}

func (u Inventory) device(tx *record.Tx, at domain.DevicePosition) (domain.Device, error) {
	keys, err := tx.KeysOfDevice(at.AccountID, at.DeviceID, maxDeviceKeys+1)
	if err != nil {
		return domain.Device{}, err
	}
	d, err := u.deviceWith(tx, at, keys[:min(len(keys), maxDeviceKeys)])
	d.MoreKeys = len(keys) > maxDeviceKeys
	return d, err
}

func (u Inventory) deviceWith(tx *record.Tx, at domain.DevicePosition, keys []domain.DeviceKey) (domain.Device, error) {
	d := domain.Device{DeviceID: at.DeviceID}
	var err error
	if d.Account, err = u.accountShown(tx, at.AccountID, at.DeviceID); err != nil {
		return d, err
	}
	for _, k := range keys {
		shown, err := u.keyInfo(tx, k)
		if err != nil {
			return d, err
		}
		d.Keys = append(d.Keys, shown)
	}
	d.KeyGeneration, err = u.keyGeneration(tx, d)
	return d, err
}

func (u Inventory) keyInfo(tx *record.Tx, k domain.DeviceKey) (domain.KeyInfo, error) {
	used, err := tx.KeyUsed(k.AccountID, k.ID)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return domain.KeyInfo{}, err
	}
	return domain.KeyInfo{ID: k.ID, State: k.State, Algorithm: k.Algorithm, Bits: k.Bits, AppVersion: k.AppVersion, Thumbprint: k.Thumbprint,
		CreatedAt: k.CreatedAt, ExpiresAt: k.ExpiresAt, EndedAt: k.EndedAt, GraceUntil: k.GraceUntil, LastUsedAt: used,
		Tampered: u.cfg.Records.CheckKey(k) != nil}, nil
}

// keyGeneration reads the key-generation counter of a device without counting.
func (u Inventory) keyGeneration(tx *record.Tx, d domain.Device) (g domain.KeyGeneration, err error) {
	g.Cluster = u.cfg.KeyGenerations == nil
	if d.Account.Subject == "" {
		return g, nil // the counter uses a hash of the account's name, which is unknown
	}
	_, device := u.cfg.Records.Hashes(d.Account, d.DeviceID)
	if !g.Cluster {
		g.Count, g.ResetTime, _ = u.cfg.KeyGenerations.Lookup([16]byte(device), u.cfg.Now())
		return g, nil
	}
	g.Count, g.ResetTime, err = tx.KeyGeneration(device)
	if errors.Is(err, store.ErrNotFound) {
		g.Count, g.ResetTime, err = 0, time.Time{}, nil
	}
	return g, err
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
		for _, t := range domain.CredentialTypes {
			c, err := u.credentialInfo(tx, info.Account, t)
			if err != nil {
				return err
			}
			info.Credentials = append(info.Credentials, c)
		}
		return nil
	})
	if err == nil && edited != nil {
		_ = u.cfg.Records.Report(ctx, record.System, edited)
	}
	return info, err
}

func (u Inventory) credentialInfo(tx *record.Tx, account domain.Account, t domain.CredentialType) (domain.CredentialInfo, error) {
	info := domain.CredentialInfo{Type: t}
	c, err := tx.Credential(account.ID, t)
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
	counter, err := tx.Attempts(account.ID, t)
	info.Tampered = record.IsTampered(err)
	if err != nil && !info.Tampered {
		return info, err
	}
	if info.AttemptsLeft = counter.Left(""); !counter.Exists() {
		return info, err
	}
	a, now := counter.State(), tx.Steady()
	info.Failures, info.RecentFailures, info.Pending = a.Failures, u.cfg.Attempts.RecentFailures(a, now), len(a.Pending)
	info.LockedUntil, info.Permanent, info.VerifiedAt = lockedUntil(a, now), a.Permanent, a.VerifiedAt
	search := maxComparedDevices
	if info.LockedDevices, err = u.lockedDevices(tx, a, &search); err != nil || !info.Set || !info.VerifiedAt.IsZero() {
		return info, err
	}
	info.VerifiedAt, err = u.verifiedInTrail(tx, account, a.ID)
	return info, err
}
