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
	Locked []deviceLock    // on the pages of its account and its own
}

// deviceLock is a lock of one device for one credential.
type deviceLock struct {
	Type domain.CredentialType
	domain.LockedDevice
}

// locksOf are the locks of one device among those of its account.
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

func (c *Console) devices(r *request) (view, error) {
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

// found are the devices and accounts that begin with what was searched for.
type found struct {
	Query        string
	Devices      []deviceRow
	Accounts     []domain.Account
	MoreDevices  bool
	MoreAccounts bool
	Issuers      bool // accounts have one
}

// search finds what somebody pasted or typed: a key, an account, a device or a
// request. Where one thing has that name its page is opened.
func (c *Console) search(w http.ResponseWriter, r *http.Request) {
	asked := &request{Request: r, query: r.URL.Query()}
	q := asked.text("q", domain.MaxDeviceIDBytes)
	if asked.bad != nil {
		c.refuse(w, r, asked.bad)
		return
	}
	to, all, err := c.find(asked, q)
	switch {
	case err != nil:
		c.fail(w, r, err)
	case to != "":
		http.Redirect(w, r, to, http.StatusSeeOther)
	case len(all.Devices)+len(all.Accounts) > 0:
		c.show(w, r, http.StatusOK, view{"found.html", "Search", all})
	default:
		c.show(w, r, http.StatusOK, view{"nothing.html", "Nothing found", q})
	}
}

// find is the page of what q names, or of the list that has it, or empty: then
// all is what begins with q, if anything does.
func (c *Console) find(r *request, q string) (to string, all found, err error) {
	if q == "" {
		return "/devices", all, nil
	}
	id := strings.ToLower(q)
	if domain.IsID(id) {
		if to, err := c.findID(r, id); to != "" || err != nil {
			return to, all, err
		}
	}
	if all, err = c.findNamed(r, q); err != nil {
		return "", all, err
	}
	switch devices, accounts := all.Devices, all.Accounts; {
	case len(devices) == 0 && len(accounts) == 0 && domain.IsID(id):
		to, err = c.findInTrail(r, id)
	case len(accounts) == 0 && len(devices) == 1 && devices[0].DeviceID == q:
		to = devices[0].Link
	case len(accounts) == 0 && len(devices) > 0:
		to = "/devices?" + url.Values{"q": {q}}.Encode()
	case len(devices) == 0 && len(accounts) == 1 && accounts[0].Subject == q:
		to = "/accounts/" + accounts[0].ID
	case len(devices) == 0 && len(accounts) > 0:
		to = "/accounts?" + url.Values{"q": {q}}.Encode()
	}
	return to, all, err
}

// findID is the page of the key or the account with this id, or empty.
func (c *Console) findID(r *request, id string) (to string, err error) {
	d, err := c.UseCases.Key(r.Context(), id)
	if err == nil {
		return deviceLink(d.Account.ID, d.DeviceID) + "#" + id, nil
	}
	if !isNotFound(err) {
		return "", err
	}
	if _, err = c.UseCases.Account(r.Context(), id); err == nil {
		return "/accounts/" + id, nil
	}
	if !isNotFound(err) {
		return "", err
	}
	return "", nil
}

// mostFound are the devices, and the accounts, that a search shows.
const mostFound = 10

// findNamed finds devices and accounts by the begin of their names. In device
// mode an account has the name of its device.
func (c *Console) findNamed(r *request, q string) (found, error) {
	all := found{Query: q, Issuers: c.Mode == domain.ModeJWT}
	page := domain.Page{Limit: mostFound}
	devices, next, err := c.UseCases.Devices(r.Context(), domain.DeviceFilter{Prefix: q}, page)
	if err != nil {
		return all, err
	}
	for _, d := range devices {
		all.Devices = append(all.Devices, rowOf(d))
	}
	if all.MoreDevices = next != ""; c.Mode == domain.ModeDevice {
		return all, nil
	}
	all.Accounts, next, err = c.UseCases.Accounts(r.Context(), domain.AccountFilter{Prefix: q}, page)
	all.MoreAccounts = next != ""
	return all, err
}

// findInTrail is where the trail tells of an account or a request of this id,
// or empty: it does not.
func (c *Console) findInTrail(r *request, id string) (to string, err error) {
	asked := []struct {
		name   string
		filter domain.EntryFilter
	}{{"accountId", domain.EntryFilter{AccountID: id}}, {"requestId", domain.EntryFilter{RequestID: id}}}
	for _, by := range asked {
		entries, next, _, err := c.UseCases.Audit(r.Context(), by.filter, domain.Page{Limit: 1})
		if err != nil && !isNotFound(err) {
			return "", err
		}
		if len(entries) > 0 || next != "" { // or there is more to search
			return "/audit?" + by.name + "=" + id, nil
		}
	}
	return "", nil
}

func isNotFound(err error) bool {
	refusal, ok := errors.AsType[*domain.Error](err)
	return ok && refusal.Code == domain.CodeNotFound
}

// key leads to the device of a key.
func (c *Console) key(r *request) (view, error) {
	d, err := c.UseCases.Key(r.Context(), r.PathValue("keyId"))
	if err != nil {
		return view{}, err
	}
	return c.deviceView(r, d.Account.ID, d.DeviceID)
}

// deviceOrList shows one device of an account, or those whose id begins so where
// nobody says whose it is.
func (c *Console) deviceOrList(w http.ResponseWriter, r *http.Request) {
	if q := r.URL.Query(); strings.TrimSpace(q.Get("account")) == "" {
		http.Redirect(w, r, "/devices?"+url.Values{"q": {q.Get("id")}}.Encode(), http.StatusSeeOther)
		return
	}
	c.get(w, r, c.device)
}

func (c *Console) device(r *request) (view, error) {
	account, id := r.id("account"), r.checked("id", r.query.Get("id"), domain.MaxDeviceIDBytes) // as it is: some begin with a space
	if r.bad != nil {
		return view{}, r.bad
	}
	return c.deviceView(r, account, id)
}

type deviceBody struct {
	deviceRow
	Account  domain.AccountInfo
	Erased   bool // the account is gone
	Entries  []entryRow
	AuditURL string
}

func (c *Console) deviceView(r *request, accountID, deviceID string) (view, error) {
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
	if c.Mode == domain.ModeDevice {
		f.AccountID = ""
	} else {
		q.Set("accountId", accountID)
		if body.Erased { // nobody knows any more how the trail names its devices
			f.DeviceID = ""
			q.Del("deviceId")
		}
	}
	body.Locked = locksOf(deviceID, body.Account.Credentials)
	body.AuditURL = "/audit?" + q.Encode()
	body.Entries, err = c.lately(r, f)
	return view{"device.html", "Device " + shown(deviceID), body}, err
}

// deviceOf finds one device of an account among all of them. Accounts have few.
func (c *Console) deviceOf(r *request, accountID, deviceID string) (domain.Device, error) {
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
			return domain.Device{}, &domain.Error{Code: domain.CodeNotFound, Message: "There is no such device. Search for the begin of its id."}
		}
	}
}

// lately are the newest entries about something; none where its account is
// gone, and nobody can tell any more how the trail names it.
func (c *Console) lately(r *request, f domain.EntryFilter) ([]entryRow, error) {
	entries, _, _, err := c.UseCases.Audit(r.Context(), f, domain.Page{Limit: 12})
	if isNotFound(err) {
		return nil, nil
	}
	return c.rows(entries), err
}
