package console

import (
	"errors"
	"net/http"
	"net/url"
	"strings"

	"strongroom/internal/domain"
)

type deviceList struct {
	Query   string
	Devices []deviceRow
	pager
}

type deviceRow struct {
	domain.Device
	Link   string
	Active *domain.KeyInfo // nil: it has none
	Locked []deviceLock    // only on the pages of the account and of the device
}

// deviceLock is a lock of one device for one credential.
type deviceLock struct {
	Type domain.CredentialType
	domain.LockedDevice
}

// locksOf returns the locks of one device among those of its account.
func locksOf(deviceID string, credentials []domain.CredentialInfo) (locks []deviceLock) {
	for _, c := range credentials {
		for _, d := range c.LockedDevices {
			if d.DeviceID == deviceID {
				locks = append(locks, deviceLock{c.Type, d})
			}
		}
	}
	return locks
}

func rowOf(d domain.Device) deviceRow {
	row := deviceRow{Device: d, Link: deviceLink(d.Account.ID, d.DeviceID)}
	for i, k := range d.Keys {
		if k.State == domain.KeyActive {
			row.Active = &d.Keys[i]
		}
	}
	return row
}

func (c content) devices(r *request) (view, error) {
	body := deviceList{Query: r.text("q", domain.MaxDeviceIDBytes)}
	page := r.page()
	if r.bad != nil {
		return view{}, r.bad
	}
	devices, next, err := c.UseCases.Devices(r.Context(), domain.DeviceFilter{Prefix: body.Query}, page)
	for _, d := range devices {
		body.Devices = append(body.Devices, rowOf(d))
	}
	body.pager = r.pager(next)
	return view{"devices.html", "Devices", body}, err
}

func isNotFound(err error) bool {
	refusal, ok := errors.AsType[*domain.Error](err)
	return ok && refusal.Code == domain.CodeNotFound
}

// key shows the device of a key.
func (c content) key(r *request) (view, error) {
	d, err := c.UseCases.Key(r.Context(), r.PathValue("keyId"))
	if err != nil {
		return view{}, err
	}
	return c.deviceView(r, d.Account.ID, d.DeviceID)
}

// deviceOrList shows one device of an account. Without an account it shows all
// devices whose id begins with the given one.
func (c *Console) deviceOrList(w http.ResponseWriter, r *http.Request) {
	if q := r.URL.Query(); strings.TrimSpace(q.Get("account")) == "" {
		http.Redirect(w, r, "/devices?"+url.Values{"q": {q.Get("id")}}.Encode(), http.StatusSeeOther)
		return
	}
	c.get(w, r, c.content.device)
}

func (c content) device(r *request) (view, error) {
	account, id := r.id("account"), r.checked("id", r.query.Get("id"), domain.MaxDeviceIDBytes) // not trimmed, because some ids begin with a space
	if r.bad != nil {
		return view{}, r.bad
	}
	return c.deviceView(r, account, id)
}

type deviceBody struct {
	deviceRow
	Account domain.AccountInfo
	Erased  bool // the account was erased
	Past    past
}

func (c content) deviceView(r *request, accountID, deviceID string) (view, error) {
	d, err := c.deviceOf(r, accountID, deviceID)
	if err != nil {
		return view{}, err
	}
	body := deviceBody{deviceRow: rowOf(d)}
	if body.Account, err = c.UseCases.Account(r.Context(), accountID); isNotFound(err) {
		body.Erased, err = true, nil
		body.Account.Account = d.Account
	}
	if err != nil {
		return view{}, err
	}
	f := domain.EntryFilter{DeviceID: deviceID, AccountID: accountID}
	q := url.Values{"deviceId": {deviceID}}
	empty := "The trail has no entries that can be matched to this device."
	if body.Erased {
		empty += " Its account was erased. The entries contain only keyed hashes, which cannot be matched without its name."
	}
	if c.Mode == domain.ModeDevice {
		f.AccountID = ""
	} else {
		q.Set("accountId", accountID)
		if body.Erased { // the hashes in the trail cannot be matched to its devices any more
			f.DeviceID = ""
			q.Del("deviceId")
		}
	}
	body.Locked = locksOf(deviceID, body.Account.Credentials)
	body.Past, err = c.past(r, f, q, empty)
	return view{"device.html", "Device " + shown(deviceID), body}, err
}

// deviceOf finds one device among all devices of an account. Accounts have few.
func (c content) deviceOf(r *request, accountID, deviceID string) (domain.Device, error) {
	for p := (domain.Page{Limit: 200}); ; {
		devices, next, err := c.UseCases.Devices(r.Context(), domain.DeviceFilter{AccountID: accountID}, p)
		if err != nil {
			return domain.Device{}, err
		}
		for _, d := range devices {
			if d.DeviceID == deviceID {
				return d, nil
			}
		}
		if p.After = next; next == "" {
			return domain.Device{}, &domain.Error{Code: domain.CodeNotFound, Message: "There is no such device. Search for the first characters of its id."}
		}
	}
}
