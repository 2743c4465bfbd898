package console

import (
	"net/http"
	"net/url"
	"strings"

	"strongroom/internal/domain"
)

// found are the devices and accounts whose names begin with the search text.
type found struct {
	Query        string
	Devices      []deviceRow
	Accounts     []domain.Account
	MoreDevices  bool
	MoreAccounts bool
	Issuers      bool // accounts have issuers
}

// search finds a key, an account, a device or a request by what was typed or
// pasted. If only one thing matches exactly, it opens its page.
func (c *Console) search(w http.ResponseWriter, r *http.Request) {
	asked := &request{Request: r, query: r.URL.Query()}
	q := asked.text("q", domain.MaxDeviceIDBytes)
	if asked.bad != nil {
		c.refuse(w, r, asked.bad)
		return
	}
	to, all, err := c.content.find(asked, q)
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

// find returns the page of what q names, or the list that contains it. If to is
// empty, all has what begins with q, if anything does.
func (c content) find(r *request, q string) (to string, all found, err error) {
	if q == "" {
		return "/devices", all, nil
	}
	id := strings.ToLower(q)
	if domain.IsKeyID(id) {
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

// findID returns the page of the key or account with this id, or "".
func (c content) findID(r *request, id string) (to string, err error) {
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

// mostFound is how many devices, and how many accounts, a search shows.
const mostFound = 10

// findNamed finds devices and accounts by the beginning of their names. In
// device mode an account has the name of its device.
func (c content) findNamed(r *request, q string) (found, error) {
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

// findInTrail returns the page of the trail about the account or request with
// this id, or "" if the trail has no entries about it.
func (c content) findInTrail(r *request, id string) (to string, err error) {
	asked := []struct {
		name   string
		filter domain.EntryFilter
	}{{"accountId", domain.EntryFilter{AccountID: id}}, {"requestId", domain.EntryFilter{RequestID: id}}}
	for _, by := range asked {
		entries, next, _, err := c.UseCases.Audit(r.Context(), by.filter, domain.Page{Limit: 1})
		if err != nil && !isNotFound(err) {
			return "", err
		}
		if len(entries) > 0 || next != "" { // or there are more entries to search
			return "/audit?" + by.name + "=" + id, nil
		}
	}
	return "", nil
}
