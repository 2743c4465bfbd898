package operator

import (
	"context"
	"errors"
	"math"

	"strongroom/internal/domain"
	"strongroom/internal/record"
)

// These limits bound the memory of an export.
const (
	mostExported       = 10_000 // keys
	mostExportedEvents = 1_000  // that wait; as many dead letters again
)

// ExportAccount returns what is stored about an account, except secrets and the
// entries of the trail, which [Trail.Audit] returns in pages. The entry of the act
// is durable before anything is read. A repeat of the act reads again.
func (u Inventory) ExportAccount(ctx context.Context, accountID string, act domain.Act) (export domain.AccountExport, err error) {
	done, err := u.act(ctx, request{act, "export account", [][]byte{[]byte(accountID)}}, func(tx *record.Tx, e domain.Entry) error {
		account, err := tx.AccountByID(accountID)
		if err != nil {
			return notFound("account", err)
		}
		e.Event, e.Record = domain.EventAccountExported, domain.RecordAccount+"/"+account.ID
		e.Account, _ = u.cfg.Records.Hashes(account, "")
		e.About.Account = account
		tx.Enter(e)
		return nil
	})
	if err != nil {
		return export, err
	}
	info, err := u.Account(ctx, accountID)
	if err != nil {
		return export, err
	}
	err = u.look(ctx, func(tx *record.Tx) (err error) {
		export = domain.AccountExport{ActResult: done, AccountInfo: info}
		if export.Devices, export.MoreKeys, err = u.exportedDevices(tx, info.Account); err != nil {
			return err
		}
		for _, t := range domain.CredentialTypes {
			previous, err := tx.PreviousCredentials(info.Account.ID, t, math.MaxInt32)
			if err != nil {
				return err
			}
			export.Previous = append(export.Previous, previous...)
		}
		return exportEvents(tx, &export)
	})
	return export, err
}

// exportEvents adds the events of the account that have not been delivered.
func exportEvents(tx *record.Tx, export *domain.AccountExport) error {
	waiting, err := tx.EventsOf(export.Account.ID, 0, mostExportedEvents+1)
	if err != nil {
		return err
	}
	dead, err := tx.DeadLettersOf(export.Account.ID, mostExportedEvents+1)
	export.MoreEvents = max(len(waiting), len(dead)) > mostExportedEvents
	export.Events = waiting[:min(len(waiting), mostExportedEvents)]
	for _, d := range dead[:min(len(dead), mostExportedEvents)] {
		export.DeadLetters = append(export.DeadLetters, d.OutboxEvent)
	}
	return err
}

// exportedDevices returns all devices of an account, each with its keys, in order
// of the id of their first key.
func (u Inventory) exportedDevices(tx *record.Tx, account domain.Account) (devices []domain.ExportedDevice, more bool, err error) {
	keys, err := tx.KeysOf(account.ID, mostExported+1)
	if more = len(keys) > mostExported; more {
		keys = keys[:mostExported]
	}
	ids := make([]string, len(keys))
	for i, k := range keys {
		ids[i] = k.ID
	}
	used, usedErr := tx.KeysUsed(account.ID, ids)
	if err = errors.Join(err, usedErr); err != nil {
		return nil, false, err
	}
	at := map[string]int{}
	var shown []domain.Device
	for i, k := range keys {
		d, known := at[k.DeviceID]
		if !known {
			d = len(devices)
			at[k.DeviceID] = d
			devices = append(devices, domain.ExportedDevice{DeviceID: k.DeviceID})
			shown = append(shown, domain.Device{DeviceID: k.DeviceID, Account: account})
		}
		devices[d].Keys = append(devices[d].Keys, domain.ExportedKey{KeyInfo: u.keyInfo(k, used[i]), PublicKey: k.PublicKey})
	}
	err = u.keyGenerations(tx, shown)
	for i := range devices {
		devices[i].KeyGeneration = shown[i].KeyGeneration
	}
	return devices, more, err
}
