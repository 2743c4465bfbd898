package admin

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/operatorapi"
	"strongroom/internal/trace"
)

const (
	id        = "q2kzv3hxw5d7nrt4mcb6yaeofu"
	keyID     = "i5rzqwzmxavlpupmgoighriihe"
	requestID = "n2ccc6wvdokupktn3c5nsgbzgq"
	canary    = "hunter2canary"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 443_980_000, time.UTC)

// fake replaces the service. It returns one of everything, or err, and records
// its calls.
type fake struct {
	err    error
	asked  []any // arguments of the last call, the context left out
	bare   bool  // answers with every field that can be left out left out
	caller domain.Operator
}

func (f *fake) note(ctx context.Context, args ...any) {
	f.asked, f.caller = args, domain.OperatorFrom(ctx)
}

func (f *fake) account() domain.Account {
	if f.bare {
		return domain.Account{ID: id, Mode: domain.ModeGateway}
	}
	return domain.Account{ID: id, Mode: domain.ModeJWT, Issuer: "https://login.example.com", Subject: "al\u202eice", CreatedAt: noon, Tampered: true}
}

func (f *fake) device() domain.Device {
	k := domain.KeyInfo{ID: keyID, State: domain.KeyActive, Algorithm: "RSA-OAEP-256", Bits: 3072, CreatedAt: noon}
	d := domain.Device{DeviceID: "phone-1", Account: f.account()}
	if f.bare {
		return d
	}
	k.Thumbprint = "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I"
	k.State, k.AppVersion, k.ExpiresAt, k.EndedAt, k.GraceUntil, k.LastUsedAt = domain.KeyInvalidated, "4.2\u009b2J", noon, noon, noon, noon
	d.Keys, d.MoreKeys = []domain.KeyInfo{k}, true
	d.KeyGeneration = domain.KeyGeneration{Count: 2, ResetTime: noon, Cluster: true}
	return d
}

func (f *fake) next() string {
	if f.bare {
		return ""
	}
	return "position"
}

func (f *fake) time() time.Time {
	if f.bare {
		return time.Time{}
	}
	return noon.In(time.FixedZone("", 3600))
}

func (f *fake) Devices(ctx context.Context, filter domain.DeviceFilter, p domain.Page) ([]domain.Device, string, error) {
	f.note(ctx, filter, p)
	return []domain.Device{f.device()}, f.next(), f.err
}

func (f *fake) Key(ctx context.Context, keyID string) (domain.Device, error) {
	f.note(ctx, keyID)
	return f.device(), f.err
}

func (f *fake) Accounts(ctx context.Context, filter domain.AccountFilter, p domain.Page) ([]domain.Account, string, error) {
	f.note(ctx, filter, p)
	return []domain.Account{f.account()}, f.next(), f.err
}

func (f *fake) Account(ctx context.Context, accountID string) (domain.AccountInfo, error) {
	f.note(ctx, accountID)
	c := domain.CredentialInfo{Type: domain.Passcode}
	if !f.bare {
		c = domain.CredentialInfo{Type: domain.TransactionPIN, Set: true, Version: 3, CreatedAt: noon, UpdatedAt: noon, Failures: 5, RecentFailures: 7,
			Pending: 1, LockedUntil: noon, Permanent: true, LockedDevices: []domain.LockedDevice{{DeviceID: "phone-1", Until: noon}}, VerifiedAt: noon, Tampered: true}
	}
	return domain.AccountInfo{Account: f.account(), Credentials: []domain.CredentialInfo{c}}, f.err
}

func (f *fake) Locks(ctx context.Context, p domain.Page) ([]domain.Lock, string, error) {
	f.note(ctx, p)
	return []domain.Lock{{Account: f.account(), Type: domain.Passcode, Failures: 5, LockedUntil: f.time(), Permanent: f.bare, LockedDevices: []domain.LockedDevice{{DeviceID: "phone-1", Until: noon}, {Permanent: true}}, Tampered: !f.bare}}, f.next(), f.err
}

func (f *fake) LockTrend(ctx context.Context, hours int) ([]domain.LockTrend, error) {
	f.note(ctx, hours)
	return []domain.LockTrend{{Start: noon, Locks: 3, AtLeast: !f.bare}}, f.err
}

func (f *fake) Suspicions(ctx context.Context) ([]domain.Suspicion, error) {
	f.note(ctx)
	return []domain.Suspicion{{Kind: "address", Source: "192.0.2.7", Accounts: 64, Failures: 131, First: noon, Last: noon}}, f.err
}

func (f *fake) Health(ctx context.Context) (domain.Health, error) {
	f.note(ctx)
	h := domain.Health{Instance: "chain", Mode: domain.ModeDevice, Store: true, RootKey: true, RollupLag: 400 * time.Millisecond,
		CheckpointAt: f.time(), StoreTime: f.time(), InstanceTime: noon}
	if !f.bare {
		h.Cell = "eu1"
	}
	return h, f.err
}

func (f *fake) Operations(ctx context.Context, hours float64, _ time.Duration) (time.Duration, []domain.Bucketed, error) {
	f.note(ctx, hours)
	b := domain.Bucketed{Start: noon, Operations: 412, Failures: 3, AverageDuration: 9200 * time.Microsecond}
	if !f.bare {
		b.Percentiles = domain.Percentiles{Of: 412, P50: time.Millisecond, P95: time.Second, P99: time.Minute}
	}
	return time.Minute, []domain.Bucketed{b}, f.err
}

func (f *fake) Summary(ctx context.Context, hours float64) (domain.Summary, error) {
	f.note(ctx, hours)
	s := domain.Summary{TotalOperations: 1, SuccessfulOperations: 1, SuccessRate: 100, AverageDuration: 9.2, UniqueDevices: 1, TimeframeHours: hours}
	if !f.bare {
		s.Percentiles = domain.Percentiles{Of: 1, P50: 9742 * time.Microsecond, P95: 9742 * time.Microsecond, P99: 9742 * time.Microsecond}
	}
	return s, f.err
}

func (f *fake) Audit(ctx context.Context, filter domain.EntryFilter, p domain.Page) ([]domain.Entry, string, time.Time, error) {
	f.note(ctx, filter, p)
	e := domain.Entry{Chain: "chain", Seq: 1, Time: noon, Actor: "system", Event: domain.EventStoreInitialised, Outcome: "ok", Count: 1}
	if !f.bare {
		hash := bytes.Repeat([]byte{0xab}, 16)
		e.RequestID, e.Operation, e.Failed, e.Duration, e.KeyID, e.Account, e.Device = requestID, domain.OpSetPIN, true, time.Millisecond, keyID, hash, hash
		e.Record, e.Version, e.Before, e.Digest, e.Reason, e.Prev, e.Hash, e.Tampered = "credential/"+id, 1, hash, hash, "why", hash, hash, true
	}
	return []domain.Entry{e}, f.next(), f.time(), f.err
}

func (f *fake) ExportAudit(ctx context.Context, w io.Writer, after string, limit int) (string, error) {
	f.note(ctx, after, limit)
	_, err := io.WriteString(w, `{"chain":"chain"}`+"\n")
	return f.next(), errors.Join(f.err, err)
}

func (f *fake) RotationPlans(ctx context.Context) ([]domain.RotationPlan, error) {
	f.note(ctx)
	p := domain.RotationPlan{ID: requestID, CreatedBefore: noon, StartedAt: noon, StartedBy: "oidc:alice", Reason: "why", Selected: 9, Remaining: 3}
	if !f.bare {
		p.Bits, p.RefuseUse, p.StoppedAt, p.StoppedBy, p.CountedAt = 2048, true, noon, "token:1f2e3d4c", noon
		p.SelectedMore, p.RemainingMore = true, true
	}
	return []domain.RotationPlan{p}, f.err
}

func (f *fake) done(ctx context.Context, args ...any) (domain.ActResult, error) {
	f.note(ctx, args...)
	return domain.ActResult{RequestID: requestID, At: noon, Repeated: f.bare}, f.err
}

func (f *fake) PreviewRotationPlan(ctx context.Context, p domain.RotationPlan) (domain.RotationPlan, error) {
	f.note(ctx, p)
	p.Selected, p.SelectedMore, p.CountedAt = 9, true, noon
	if p.CreatedBefore.IsZero() {
		p.CreatedBefore = noon
	}
	return p, f.err
}

func (f *fake) StartRotationPlan(ctx context.Context, p domain.RotationPlan, act domain.Act) (domain.ActResult, error) {
	return f.done(ctx, p, act)
}

func (f *fake) StopRotationPlan(ctx context.Context, planID string, act domain.Act) (domain.ActResult, error) {
	return f.done(ctx, planID, act)
}

func (f *fake) RootKeys(ctx context.Context) ([]domain.RootKey, error) {
	f.note(ctx)
	k := domain.RootKey{URL: "file:/etc/root.key"}
	if !f.bare {
		k.ID, k.AddedAt, k.CheckedAt, k.Problem, k.Reason = "1f2e3d4c5b6a7988", noon, noon, canary, "denied"
	}
	return []domain.RootKey{k}, f.err
}

func (f *fake) DataKeys(ctx context.Context) ([]domain.DataKey, domain.Rewrap, error) {
	f.note(ctx)
	if f.bare {
		return []domain.DataKey{{ID: "0a1b2c3d", State: domain.DataKeyPrimary, Rows: -1}}, domain.Rewrap{}, f.err
	}
	return []domain.DataKey{{ID: "0a1b2c3d", State: domain.DataKeyOld, Rows: 7}, {ID: "4e5f6071", State: domain.DataKeyPrimary, Rows: 2}},
		domain.Rewrap{Phase: domain.RewrapRewrapping, Paused: true, Rows: 9, Visited: 2, Rewrapped: 2, Left: 7, Worker: "one", BeganAt: noon, UpdatedAt: noon}, f.err
}

func (f *fake) PauseRewrap(ctx context.Context, pause bool, act domain.Act) (domain.ActResult, error) {
	return f.done(ctx, pause, act)
}

func (f *fake) RevokeKey(ctx context.Context, keyID string, act domain.Act) (domain.ActResult, error) {
	return f.done(ctx, keyID, act)
}

func (f *fake) UnbindKey(ctx context.Context, keyID string, act domain.Act) (domain.ActResult, error) {
	return f.done(ctx, keyID, act)
}

func (f *fake) Unlock(ctx context.Context, accountID string, t domain.CredentialType, act domain.Act) (domain.ActResult, error) {
	return f.done(ctx, accountID, t, act)
}

func (f *fake) RequireChange(ctx context.Context, accountID string, t domain.CredentialType, act domain.Act) (domain.ActResult, error) {
	return f.done(ctx, accountID, t, act)
}

func (f *fake) EraseAccount(ctx context.Context, accountID string, act domain.Act) (domain.ActResult, error) {
	return f.done(ctx, accountID, act)
}

func (f *fake) ExportAccount(ctx context.Context, accountID string, act domain.Act) (domain.AccountExport, error) {
	r, err := f.done(ctx, accountID, act)
	c := domain.CredentialInfo{Type: domain.Passcode, Set: true, Version: 1, CreatedAt: noon, UpdatedAt: noon}
	k := domain.ExportedKey{KeyInfo: domain.KeyInfo{ID: keyID, State: domain.KeyActive, Algorithm: "RSA-OAEP-256", Bits: 3072, CreatedAt: noon}, PublicKey: []byte{0x30}}
	d := domain.ExportedDevice{DeviceID: "phone-1", Keys: []domain.ExportedKey{k}}
	return domain.AccountExport{ActResult: r, AccountInfo: domain.AccountInfo{Account: f.account(), Credentials: []domain.CredentialInfo{c}},
		Devices: []domain.ExportedDevice{d}, MoreKeys: f.bare}, err
}

func (f *fake) WebhookStatus(ctx context.Context) (domain.WebhookStatus, error) {
	f.note(ctx)
	if f.bare {
		return domain.WebhookStatus{}, f.err
	}
	return domain.WebhookStatus{Enabled: true, Receiver: "https://events.example.com", Waiting: 3, Oldest: f.time(), DeadLetters: 1,
		Sending: true, Paused: true, LastDelivered: f.time(), LastFailed: f.time(), LastError: "timeout", NextAttempt: f.time()}, f.err
}

func (f *fake) DeadLetters(ctx context.Context, filter domain.DeadLetterFilter, p domain.Page) ([]domain.DeadLetter, string, error) {
	f.note(ctx, filter, p)
	d := domain.DeadLetter{OutboxEvent: domain.OutboxEvent{Partition: domain.StorePartition, Seq: 7, ID: requestID, Event: domain.EventPruned, Time: noon},
		Reason: domain.DeadGivenUp, LastError: "status 500", DeadAt: noon}
	if !f.bare {
		d.Partition = id
	}
	return []domain.DeadLetter{d}, f.next(), f.err
}

func (f *fake) ResendDeadLetters(ctx context.Context, filter domain.DeadLetterFilter, act domain.Act) (domain.Resent, error) {
	r, err := f.done(ctx, filter, act)
	if f.bare {
		return domain.Resent{ActResult: r}, err
	}
	return domain.Resent{ActResult: r, Events: 21, Edited: 1, More: true}, err
}

func (f *fake) ResendDeadLetter(ctx context.Context, id string, act domain.Act) (domain.ActResult, error) {
	return f.done(ctx, id, act)
}

// call is one request to the API.
type call struct {
	method, target, body string
	header               http.Header
	role                 domain.Role
}

// answered is the answer to a call.
type answered struct {
	*httptest.ResponseRecorder
	text, log string
	line      string // what the line of the request tells of it
	refused   []domain.Code
}

func (f *fake) do(c call) answered {
	var log bytes.Buffer
	var a answered
	h := Handler(Config{UseCases: operatorapi.UseCases{Inventory: f, Guesses: f, Status: f, Trail: f, Rotation: f, Webhook: f, Custody: f}, Posture: []domain.PostureCheck{{Name: "blocklist", State: "off", Required: true, Settings: []string{"blocklist"}, Gain: "Anyone who tries 1234."}}, Mode: domain.ModeJWT, Version: "0.5.0",
		Refused: func(_ context.Context, code domain.Code) { a.refused = append(a.refused, code) },
		Log:     slog.New(slog.NewTextHandler(&log, nil))})
	r := httptest.NewRequest(c.method, c.target, strings.NewReader(c.body))
	if c.method == http.MethodPost {
		r.Header.Set("Content-Type", "application/json")
	}
	for name, values := range c.header {
		r.Header[name] = values
	}
	ctx := domain.WithCaller(r.Context(), domain.Caller{RequestID: requestID})
	ctx, account := (*trace.Tracer)(nil).Begin(ctx, trace.Arrival{})
	r = r.WithContext(domain.WithOperator(ctx, domain.Operator{Name: "token:1f2e3d4c", Role: c.role}))
	a.ResponseRecorder = httptest.NewRecorder()
	h.ServeHTTP(a, r)
	account.End(a.Code, 0)
	a.text, a.log, a.line = a.Body.String(), log.String(), fmt.Sprint(account.Attrs(nil))
	return a
}
