package console

import (
	"net/url"

	"strongroom/internal/domain"
	"strongroom/internal/operatorapi"
)

type accountList struct {
	Issuer, Query string
	Issuers       bool // accounts have issuers
	Accounts      []domain.Account
	pager
}

func (c content) accounts(r *request) (view, error) {
	body := accountList{Issuer: r.text("issuer", operatorapi.MaxIssuer), Query: r.text("q", domain.MaxAccountBytes), Issuers: c.Mode == domain.ModeJWT}
	page := r.page()
	if r.bad != nil {
		return view{}, r.bad
	}
	accounts, next, err := c.UseCases.Accounts(r.Context(), domain.AccountFilter{Issuer: body.Issuer, Prefix: body.Query}, page)
	body.Accounts, body.pager = accounts, r.pager(next)
	return view{"accounts.html", "Accounts", body}, err
}

type accountBody struct {
	domain.AccountInfo
	Devices     []deviceRow
	MoreDevices bool
	Past        past
}

func (c content) account(r *request) (view, error) {
	id := r.PathValue("accountId")
	info, err := c.UseCases.Account(r.Context(), id)
	if err != nil {
		return view{}, err
	}
	body := accountBody{AccountInfo: info}
	devices, next, err := c.UseCases.Devices(r.Context(), domain.DeviceFilter{AccountID: id}, domain.Page{Limit: pageSize})
	if err != nil {
		return view{}, err
	}
	for _, d := range devices {
		row := rowOf(d)
		row.Locked = locksOf(d.DeviceID, info.Credentials)
		body.Devices = append(body.Devices, row)
	}
	body.MoreDevices = next != ""
	body.Past, err = c.past(r, domain.EntryFilter{AccountID: id}, url.Values{"accountId": {id}}, "The trail has no entries about this account yet.")
	return view{"account.html", "Account " + shown(info.Account.Subject), body}, err
}

type locksBody struct {
	Locks      []domain.Lock
	Chart      chart
	Suspicions []domain.Suspicion
	pager
}

func (c content) locks(r *request) (view, error) {
	page := r.page()
	if r.bad != nil {
		return view{}, r.bad
	}
	var body locksBody
	var next string
	var trend []domain.LockTrend
	err := together(
		func() (err error) { body.Locks, next, err = c.UseCases.Locks(r.Context(), page); return },
		func() (err error) { trend, err = c.UseCases.LockTrend(r.Context(), 72); return },
		func() (err error) { body.Suspicions, err = c.UseCases.Suspicions(r.Context()); return },
	)
	body.Chart, body.pager = locksChart(trend), r.pager(next)
	return view{"locks.html", "Locks", body}, err
}
