package admin

import (
	"bytes"
	_ "embed" // the OpenAPI document
	"encoding/json"
	"strings"

	"strongroom/internal/domain"
	"strongroom/internal/operatorapi"
)

//go:embed openapi.json
var openAPI []byte

func (a *api) document(*request) (any, error) {
	return raw{contentType: "application/json", text: openAPI}, nil
}

func (a *api) index(*request) (any, error) {
	index := Index{Version: a.Version, Mode: a.Mode}
	for _, path := range Paths() {
		if !strings.Contains(path, "{") && path != Root {
			index.Links = append(index.Links, path)
		}
	}
	return index, nil
}

func (a *api) devices(r *request) (any, error) {
	f := domain.DeviceFilter{DeviceID: r.text("deviceId", domain.MaxDeviceIDBytes), Prefix: r.text("prefix", domain.MaxDeviceIDBytes),
		AccountID: r.id("accountId"), KeyID: r.keyID("keyId")}
	page := r.page(defaultLimit, maxLimit)
	if r.bad != nil {
		return nil, r.bad
	}
	devices, next, err := a.UseCases.Devices(r.Context(), f, page)
	return listOf(devices, next, device), err
}

func (a *api) key(r *request) (any, error) {
	d, err := a.UseCases.Key(r.Context(), r.PathValue("keyId"))
	return device(d), err
}

func (a *api) accounts(r *request) (any, error) {
	f := domain.AccountFilter{Issuer: r.text("issuer", operatorapi.MaxIssuer), Subject: r.text("subject", domain.MaxAccountBytes),
		Prefix: r.text("prefix", domain.MaxAccountBytes)}
	page := r.page(defaultLimit, maxLimit)
	if r.bad != nil {
		return nil, r.bad
	}
	accounts, next, err := a.UseCases.Accounts(r.Context(), f, page)
	return listOf(accounts, next, account), err
}

func (a *api) account(r *request) (any, error) {
	info, err := a.UseCases.Account(r.Context(), r.PathValue("accountId"))
	return AccountInfo{account(info.Account), listOf(info.Credentials, "", credential).Items}, err
}

func (a *api) locks(r *request) (any, error) {
	page := r.page(defaultLimit, maxLimit)
	if r.bad != nil {
		return nil, r.bad
	}
	locks, next, err := a.UseCases.Locks(r.Context(), page)
	return listOf(locks, next, lock), err
}

func (a *api) lockTrend(r *request) (any, error) {
	hours := r.number("hours", defaultHours, maxTrendHours)
	if r.bad != nil {
		return nil, r.bad
	}
	trends, err := a.UseCases.LockTrend(r.Context(), hours)
	return listOf(trends, "", trend), err
}

func (a *api) suspicions(r *request) (any, error) {
	suspicions, err := a.UseCases.Suspicions(r.Context())
	return listOf(suspicions, "", suspicion), err
}

func (a *api) health(r *request) (any, error) {
	h, err := a.UseCases.Health(r.Context())
	return health(h, a.Version), err
}

func (a *api) posture(*request) (any, error) {
	return listOf(a.Posture, "", func(p domain.PostureCheck) domain.PostureCheck { return p }), nil
}

func (a *api) operations(r *request) (any, error) {
	hours := r.hours()
	if r.bad != nil {
		return nil, r.bad
	}
	width, series, err := a.UseCases.Operations(r.Context(), hours, 0)
	return Operations{width.Seconds(), listOf(series, "", stretch).Items}, err
}

func (a *api) summary(r *request) (any, error) {
	hours := r.hours()
	if r.bad != nil {
		return nil, r.bad
	}
	s, err := a.UseCases.Summary(r.Context(), hours)
	return Summary{s, percentiles(s.Percentiles)}, err
}

func (a *api) audit(r *request) (any, error) {
	f := domain.EntryFilter{AccountID: r.id("accountId"), AccountHash: r.hash("accountHash"), DeviceID: r.text("deviceId", domain.MaxDeviceIDBytes), KeyID: r.keyID("keyId"),
		Record: r.text("record", operatorapi.MaxRecord), Event: domain.Event(r.text("event", operatorapi.MaxEvent)), Outcome: r.text("outcome", operatorapi.MaxOutcome),
		Actor: r.text("actor", operatorapi.MaxActor), RequestID: r.id("requestId"), From: r.time("from"), To: r.time("to")}
	if !f.To.IsZero() && !f.From.Before(f.To) {
		r.refuse("to", "must be later than from")
	}
	page := r.page(defaultLimit, maxLimit)
	if r.bad != nil {
		return nil, r.bad
	}
	entries, next, searched, err := a.UseCases.Audit(r.Context(), f, page)
	return AuditPage{listOf(entries, next, entry), shown(searched)}, err
}

func (a *api) export(r *request) (any, error) {
	page := r.page(maxExport, maxExport)
	if r.bad != nil {
		return nil, r.bad
	}
	var lines bytes.Buffer // collected first, because the position is in a header
	next, err := a.UseCases.ExportAudit(r.Context(), &lines, page.After, page.Limit)
	return raw{"application/jsonl", lines.Bytes(), next}, err
}

func (a *api) rotationPlans(r *request) (any, error) {
	plans, err := a.UseCases.RotationPlans(r.Context())
	return listOf(plans, "", plan), err
}

// previewPlan reads the query parameters like the body of startPlan.
func (a *api) previewPlan(r *request) (any, error) {
	r.body = map[string]any{}
	for name, text := range r.query {
		r.body[name] = text
		if name == "olderThanDays" || name == "keySize" {
			r.body[name] = json.Number(text)
		}
		if name == "upgrade" && (text == "true" || text == "false") {
			r.body[name] = text == "true"
		}
	}
	p, _ := r.selection(false)
	if r.bad != nil {
		return nil, r.bad
	}
	p, err := a.UseCases.PreviewRotationPlan(r.Context(), p)
	return RotationPreview{shown(p.CreatedBefore), p.Bits, p.Algorithm, p.Upgrade, p.Selected, p.SelectedMore, shown(p.CountedAt)}, err
}
