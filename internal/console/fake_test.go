package console

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/operatorapi"
)

// hostile is what every text of the fake store is, unless a test has another.
const hostile = "'\"><script>alert(1)</script>\u202e{{7}}"

const (
	someKey     = "kkkkkkkkkkkkkkkkkkkkkkkkkk"
	someAccount = "aaaaaaaaaaaaaaaaaaaaaaaaaa"
	somePlan    = "pppppppppppppppppppppppppp"
	someEvent   = "eeeeeeeeeeeeeeeeeeeeeeeeee"
)

// store is use cases that find the same everywhere, and note what they are
// asked to do.
type store struct {
	text      string
	none      bool                          // there is no device, account, lock or dead letter
	noAccount bool                          // there is no account
	noDevice  bool                          // there is no device
	away      bool                          // the database cannot be reached: the overview's reads fail
	erased    bool                          // there is no key and no account any more
	trail     func(domain.EntryFilter) bool // what the trail has; nil: all
	broken    error                         // ends an export after its first part
	unbound   bool                          // the key of the device
	entries   []domain.Entry                // of the trail; nil: two about a receipt and everything
	more      string                        // where the trail goes on
	status    []domain.CredentialInfo       // nil: a PIN that is locked, and no passcode
	mu        sync.Mutex
	done      []domain.Act
	previewed []domain.RotationPlan
}

var then = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func (s *store) useCases() operatorapi.UseCases {
	return operatorapi.UseCases{Inventory: s, Guesses: s, Status: s, Trail: s, Rotation: s, Webhook: s, Custody: s}
}

func (s *store) device() domain.Device {
	jkt := s.text
	if s.unbound {
		jkt = ""
	}
	return domain.Device{DeviceID: s.text, Account: s.account(), Keys: []domain.KeyInfo{
		{ID: someKey, State: domain.KeyActive, Algorithm: s.text, Bits: 3072, AppVersion: s.text, Thumbprint: jkt, CreatedAt: then, Tampered: true}}}
}

func (s *store) account() domain.Account {
	return domain.Account{ID: someAccount, Mode: domain.ModeJWT, Issuer: s.text, Subject: s.text, CreatedAt: then}
}

func (s *store) Devices(context.Context, domain.DeviceFilter, domain.Page) ([]domain.Device, string, error) {
	if s.none || s.noDevice {
		return nil, "", nil
	}
	d := s.device()
	if s.erased {
		d.Account = domain.Account{ID: someAccount, Mode: domain.ModeDevice, Subject: d.DeviceID}
	}
	return []domain.Device{d}, "", nil
}
func (s *store) Key(context.Context, string) (domain.Device, error) {
	if s.erased {
		return domain.Device{}, &domain.Error{Code: domain.CodeNotFound, Message: "There is no such key."}
	}
	return s.device(), nil
}
func (s *store) Accounts(context.Context, domain.AccountFilter, domain.Page) ([]domain.Account, string, error) {
	if s.none || s.noAccount {
		return nil, "", nil
	}
	return []domain.Account{s.account()}, s.text, nil
}
func (s *store) Account(context.Context, string) (domain.AccountInfo, error) {
	if s.erased {
		return domain.AccountInfo{}, &domain.Error{Code: domain.CodeNotFound, Message: "There is no such account."}
	}
	if s.status != nil {
		return domain.AccountInfo{Account: s.account(), Credentials: s.status}, nil
	}
	return domain.AccountInfo{Account: s.account(), Credentials: []domain.CredentialInfo{{Type: domain.Passcode},
		{Type: domain.TransactionPIN, Set: true, Failures: 5, LockedUntil: then, Tampered: true,
			LockedDevices: []domain.LockedDevice{{DeviceID: s.text, Until: then}, {Permanent: true}}}}}, nil
}
func (s *store) Locks(context.Context, domain.Page) ([]domain.Lock, string, error) {
	if s.none || s.away {
		return nil, "", s.reach()
	}
	return []domain.Lock{{Account: s.account(), Type: domain.TransactionPIN, Permanent: true, LockedDevices: []domain.LockedDevice{{DeviceID: s.text, Until: then}}}}, "", nil
}
func (s *store) LockTrend(context.Context, int) ([]domain.LockTrend, error) {
	return []domain.LockTrend{{Start: then, Locks: 4_003, AtLeast: true}, {Start: then.Add(time.Hour), Locks: 5}}, nil
}
func (s *store) Suspicions(context.Context) ([]domain.Suspicion, error) {
	if s.away {
		return nil, s.reach()
	}
	return []domain.Suspicion{{Kind: "address", Source: s.text, Accounts: 90, Failures: 120, First: then, Last: then}}, nil
}
func (s *store) Health(context.Context) (domain.Health, error) {
	if s.away {
		return domain.Health{Instance: s.text, RootKey: true, InstanceTime: then}, nil
	}
	return domain.Health{Instance: s.text, Store: true, RootKey: true, StoreTime: then, InstanceTime: then}, nil
}

// reach is the refusal of a read while the database cannot be reached.
func (s *store) reach() error {
	if s.away {
		return &domain.Error{Code: domain.CodeOverloaded, Reason: domain.ReasonDatabaseUnavailable, Message: "The database cannot be reached."}
	}
	return nil
}

func (s *store) Operations(_ context.Context, hours float64, _ time.Duration) (time.Duration, []domain.Bucketed, error) {
	if s.away {
		return 0, nil, s.reach()
	}
	return barOf(hours), []domain.Bucketed{{Start: then.Add(-time.Hour), Operations: 10, Failures: 1, AverageDuration: time.Millisecond,
		Percentiles: domain.Percentiles{Of: 1, P50: 1024 * time.Microsecond, P95: 1024 * time.Microsecond, P99: 1024 * time.Microsecond}}}, nil
}
func (s *store) Summary(_ context.Context, hours float64) (domain.Summary, error) {
	if s.away {
		return domain.Summary{}, s.reach()
	}
	return domain.Summary{TotalOperations: 10, FailedOperations: 1, SuccessRate: 90, TimeframeHours: hours,
		Percentiles: domain.Percentiles{Of: 1, P50: 1024 * time.Microsecond, P95: 31_200 * time.Microsecond, P99: 450 * time.Millisecond}}, nil
}
func (s *store) Audit(_ context.Context, f domain.EntryFilter, _ domain.Page) ([]domain.Entry, string, time.Time, error) {
	if s.trail != nil && !s.trail(f) {
		return nil, "", then, nil
	}
	if s.entries != nil {
		return s.entries, s.more, then, nil
	}
	receipt := domain.ReceiptDetail{ID: s.text, Type: domain.TransactionPIN, TxnHash: s.text}
	return []domain.Entry{{Chain: s.text, Seq: 7, Time: then, RequestID: s.text, Actor: "operator:" + s.text, Event: domain.Event(s.text), Outcome: s.text,
		KeyID: s.text, Record: s.text, Reason: s.text, Count: 2}, {Chain: s.text, Seq: 6, Event: domain.EventReceiptIssued, Reason: receipt.String(), Tampered: true}}, s.more, then, nil
}
func (s *store) ExportAudit(context.Context, io.Writer, string, int) (string, error) {
	panic("no page exports the trail")
}
func (s *store) RotationPlans(context.Context) ([]domain.RotationPlan, error) {
	p := domain.RotationPlan{ID: somePlan, StartedBy: s.text, Reason: s.text, CreatedBefore: then, Selected: 9, Remaining: 3}
	ended := p
	ended.StoppedAt, ended.StoppedBy = then, s.text
	return []domain.RotationPlan{p, ended}, nil
}

// PreviewRotationPlan answers a number that nothing else has.
func (s *store) PreviewRotationPlan(_ context.Context, p domain.RotationPlan) (domain.RotationPlan, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.previewed = append(s.previewed, p)
	p.Selected, p.CountedAt = 48_210, then
	return p, nil
}
func (s *store) WebhookStatus(context.Context) (domain.WebhookStatus, error) {
	if s.away {
		return domain.WebhookStatus{}, s.reach()
	}
	return domain.WebhookStatus{Enabled: true, Receiver: s.text, LastError: s.text, DeadLetters: 1, LastFailed: then, NextAttempt: then.Add(7 * time.Minute)}, nil
}
func (s *store) DeadLetters(context.Context, domain.DeadLetterFilter, domain.Page) ([]domain.DeadLetter, string, error) {
	if s.none {
		return nil, "", nil
	}
	return []domain.DeadLetter{{OutboxEvent: domain.OutboxEvent{ID: someEvent, Partition: s.text, Event: domain.Event(s.text), Time: then}, Reason: s.text}}, "", nil
}

func (s *store) do(act domain.Act) (domain.ActResult, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.done = append(s.done, act)
	return domain.ActResult{RequestID: "rrrrrrrrrrrrrrrrrrrrrrrrrr", At: then}, nil
}
func (s *store) RootKeys(context.Context) ([]domain.RootKey, error) {
	return []domain.RootKey{{ID: s.text, URL: s.text, AddedAt: then, CheckedAt: then}, {URL: s.text, CheckedAt: then, Problem: s.text, Reason: s.text}}, nil
}
func (s *store) DataKeys(context.Context) ([]domain.DataKey, domain.Rewrap, error) {
	return []domain.DataKey{{ID: "0a1b2c3d", State: domain.DataKeyOld, Rows: 4_321}, {ID: "4e5f6071", State: domain.DataKeyPrimary, Rows: -1}},
		domain.Rewrap{Phase: domain.RewrapRewrapping, Rows: 9_000, Visited: 4_679, Left: 4_321, Refused: 1, Worker: s.text, BeganAt: then, UpdatedAt: then}, nil
}
func (s *store) PauseRewrap(_ context.Context, _ bool, a domain.Act) (domain.ActResult, error) {
	return s.do(a)
}
func (s *store) RevokeKey(_ context.Context, _ string, a domain.Act) (domain.ActResult, error) {
	return s.do(a)
}
func (s *store) UnbindKey(_ context.Context, _ string, a domain.Act) (domain.ActResult, error) {
	return s.do(a)
}
func (s *store) Unlock(_ context.Context, _ string, _ domain.CredentialType, a domain.Act) (domain.ActResult, error) {
	return s.do(a)
}
func (s *store) RequireChange(_ context.Context, _ string, _ domain.CredentialType, a domain.Act) (domain.ActResult, error) {
	return s.do(a)
}
func (s *store) EraseAccount(_ context.Context, _ string, a domain.Act) (domain.ActResult, error) {
	return s.do(a)
}
func (s *store) ExportAccount(context.Context, string, domain.Act) (domain.AccountExport, error) {
	panic("pages export by Config.ExportAccount")
}

// exported is what the file of an export has, in two parts.
const exported = `{"account": "all"}`

func (s *store) export(_ context.Context, w io.Writer, _ string, a domain.Act) error {
	if _, err := s.do(a); err != nil {
		return err
	}
	for _, part := range []string{exported[:5], exported[5:]} {
		if _, err := io.WriteString(w, part); err != nil {
			return err
		}
		if s.broken != nil {
			return s.broken
		}
	}
	return nil
}
func (s *store) StartRotationPlan(_ context.Context, _ domain.RotationPlan, a domain.Act) (domain.ActResult, error) {
	return s.do(a)
}
func (s *store) StopRotationPlan(_ context.Context, _ string, a domain.Act) (domain.ActResult, error) {
	return s.do(a)
}
func (s *store) ResendDeadLetters(_ context.Context, _ domain.DeadLetterFilter, a domain.Act) (domain.Resent, error) {
	r, err := s.do(a)
	return domain.Resent{ActResult: r, Events: 21, Edited: 1, More: true}, err
}
func (s *store) ResendDeadLetter(_ context.Context, _ string, a domain.Act) (domain.ActResult, error) {
	return s.do(a)
}

// fixedSession is the session of all requests. Without a role it is nobody.
type fixedSession struct {
	domain.Role
	name    string
	entered int // how many tried to sign in
}

func (w *fixedSession) SignIn(http.ResponseWriter, *http.Request, string) error {
	w.entered++
	return &domain.Error{Code: domain.CodeUnauthenticated}
}
func (w *fixedSession) SignOut(http.ResponseWriter, *http.Request) { w.Role = domain.NoRole }
func (w *fixedSession) Authenticate(*http.Request, bool) (domain.Operator, bool) {
	return domain.Operator{Name: w.name, Role: w.Role}, w.Role > domain.NoRole
}

// visit is a console with somebody in it.
type visit struct {
	*Console
	t       *testing.T
	store   *store
	who     *fixedSession
	refused []domain.Code
	checks  atomic.Int64 // of the trail that were begun
}

func visitAs(t *testing.T, role domain.Role) *visit {
	t.Helper()
	return visitOf(t, role, hostile)
}

// visitOf is visitAs where every text that is stored is this one.
func visitOf(t *testing.T, role domain.Role, text string) *visit {
	t.Helper()
	v := &visit{t: t, store: &store{text: text}, who: &fixedSession{Role: role, name: text}}
	v.Console = New(Config{UseCases: v.store.useCases(), ExportAccount: v.store.export, Sessions: v.who, Mode: domain.ModeJWT, Version: "0.0.0", Log: slog.New(slog.DiscardHandler),
		Posture: []domain.PostureCheck{{Name: "a-part", State: "off", Required: true, Settings: []string{"setting"}, Gain: "What is gained."}}, Latencies: func() []domain.Latency {
			return []domain.Latency{{Operation: domain.OpVerifyPIN, Percentiles: domain.Percentiles{Of: 1, P50: 1, P95: 1, P99: 1}}}
		},
		Verify: func(context.Context, func(Progress)) (Report, error) {
			v.checks.Add(1)
			return Report{Entries: 9, Problems: []Problem{{Chain: text, Seq: 7, What: text, At: then}, {Record: text, What: text}}}, nil
		},
		Refused: func(_ context.Context, code domain.Code) { v.refused = append(v.refused, code) }})
	t.Cleanup(v.Close)
	return v
}

func (v *visit) send(method, target string, form url.Values, header ...string) *httptest.ResponseRecorder {
	v.t.Helper()
	r := httptest.NewRequest(method, "http://vault.example"+target, strings.NewReader(form.Encode()))
	r.Header.Set("Accept", "text/html")
	if form != nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	v.ServeHTTP(w, r.WithContext(domain.WithCaller(r.Context(), domain.Caller{RequestID: domain.NewID()})))
	return w
}
