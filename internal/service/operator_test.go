package service

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus"

	"strongroom/internal/domain"
	"strongroom/internal/metrics"
	"strongroom/internal/operator"
	"strongroom/internal/operatorapi"
)

// by is the same vault, asked by an operator of this name and role.
func (v *instance) by(name string, role domain.Role, requestID string) *instance {
	w := *v
	w.ctx = domain.WithOperator(domain.WithCaller(v.ctx, domain.Caller{RequestID: requestID}), domain.Operator{Name: name, Role: role})
	return &w
}

// at is the same vault, called by a user from an address.
func (v *instance) at(subject, address string) *instance {
	return v.as(subject, func(c *domain.Caller) { c.Address = netip.MustParseAddr(address) })
}

// code is the code of an error, or "" for none.
func (v *instance) code(what string, err error, want domain.Code, words string) {
	v.t.Helper()
	if domain.CodeOf(err) != want || err != nil && !strings.Contains(err.Error(), words) {
		v.t.Errorf("%s: %v, want %s and %q", what, err, want, words)
	}
}

// entriesOf returns the entries of an event.
func (v *instance) entriesOf(event domain.Event) (all []domain.Entry) {
	v.t.Helper()
	v.eachEntry(func(e domain.Entry) {
		if e.Event == event {
			all = append(all, e)
		}
	})
	return all
}

func must[T any](t testing.TB) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func TestAnActIsRecordedWithActorAndReason(t *testing.T) {
	v := openJWT(t, nil)
	alice := v.as("alice")
	k := alice.issue("phone")
	account := v.stored(k).AccountID
	op := v.by("token:1f2e3d4c", domain.RoleOperator, "req1")

	_, err := v.by("oidc:eve", domain.RoleViewer, "r").RevokeKey(v.by("oidc:eve", domain.RoleViewer, "r").ctx, k.KeyID, domain.Act{Reason: "r"})
	v.code("a viewer", err, domain.CodeForbidden, "operator")
	_, err = op.RevokeKey(alice.ctx, k.KeyID, domain.Act{Reason: "r"})
	v.code("a user", err, domain.CodeForbidden, "operator")
	for _, reason := range []string{"", " ", "two\nlines", strings.Repeat("x", 501)} {
		_, err = op.RevokeKey(op.ctx, k.KeyID, domain.Act{Reason: reason})
		v.code("the reason "+reason, err, domain.CodeBadUserInput, "reason")
	}
	for _, key := range []string{"ü", "a\x00", strings.Repeat("x", 129)} {
		_, err = op.RevokeKey(op.ctx, k.KeyID, domain.Act{Reason: "lost", IdempotencyKey: key})
		v.code("the key "+key, err, domain.CodeBadUserInput, "idempotencyKey")
	}
	result := must[domain.ActResult](t)(op.RevokeKey(op.ctx, k.KeyID, domain.Act{Reason: " phone lost "}))
	if result.RequestID != "req1" || result.At.IsZero() || result.Repeated {
		t.Errorf("the result is %+v", result)
	}
	hash, device := v.records.Hashes(domain.Account{Mode: domain.ModeJWT, Issuer: testIssuer, Subject: "alice"}, "phone")
	entries := v.entriesOf(domain.EventKeyRevoked)
	if len(entries) != 1 {
		t.Fatalf("%d entries", len(entries))
	}
	e := entries[0]
	if e.Actor != "operator:token:1f2e3d4c" || e.Reason != "phone lost" || e.RequestID != "req1" || !bytes.Equal(e.Account, hash) || !bytes.Equal(e.Device, device) {
		t.Errorf("the entry is %+v", e)
	}
	_, err = op.RevokeKey(op.ctx, k.KeyID, domain.Act{Reason: "again"})
	v.code("a second time", err, domain.CodeConflict, "has ended already")
	for _, id := range []string{"nobody", "", "\x00", strings.Repeat("a", 5000)} {
		_, err1 := op.RevokeKey(op.ctx, id, domain.Act{Reason: "r"})
		_, err2 := op.Unlock(op.ctx, id, domain.Passcode, domain.Act{Reason: "r"})
		_, err3 := op.EraseAccount(op.ctx, id, domain.Act{Reason: "r"})
		v.code("no key", err1, domain.CodeNotFound, "key")
		v.code("no account to unlock", err2, domain.CodeNotFound, "account")
		v.code("no account to erase", err3, domain.CodeNotFound, "account")
	}
	_, err = op.Unlock(op.ctx, account, domain.Passcode, domain.Act{Reason: "r"})
	v.code("nothing to unlock", err, domain.CodeNotFound, "attempt")
	_, err = op.Unlock(op.ctx, account, "PIN", domain.Act{Reason: "r"})
	v.code("no type", err, domain.CodeBadUserInput, "type")
	must[domain.ActResult](t)(op.EraseAccount(op.ctx, account, domain.Act{Reason: "she left"}))
	_, err = op.EraseAccount(op.ctx, account, domain.Act{Reason: "she left"})
	v.code("erased twice", err, domain.CodeNotFound, "account")
	v.intact()
}

func TestARepeatedActIsDoneOnce(t *testing.T) {
	v := openVault(t, nil)
	k := v.issue("phone")
	other := v.issue("tablet")
	w := v.beside()
	act := domain.Act{Reason: "lost", IdempotencyKey: "once"}
	n := 0
	results := parallel(8, func() domain.ActResult {
		s := v
		if v.clock.mu.Lock(); n%2 == 1 {
			s = w
		}
		n++
		id := fmt.Sprint("req", n)
		v.clock.mu.Unlock()
		s = s.by("command:test", domain.RoleOperator, id)
		r, err := s.RevokeKey(s.ctx, k.KeyID, act)
		if err != nil {
			t.Error(err)
		}
		return r
	})
	first := 0
	for _, r := range results {
		if !r.Repeated {
			first++
		}
		if r.RequestID != results[0].RequestID || !r.At.Equal(results[0].At) {
			t.Errorf("results differ: %+v and %+v", r, results[0])
		}
	}
	if entries := v.entriesOf(domain.EventKeyRevoked); first != 1 || len(entries) != 1 || entries[0].RequestID != results[0].RequestID {
		t.Errorf("%d were the first, %d entries are about it", first, len(entries))
	}
	_, err := v.RevokeKey(v.ctx, other.KeyID, act)
	v.code("another key under the same idempotency key", err, domain.CodeBadUserInput, "idempotencyKey")
	_, err = v.RevokeKey(v.ctx, k.KeyID, domain.Act{Reason: "stolen", IdempotencyKey: "once"})
	v.code("another reason", err, domain.CodeBadUserInput, "idempotencyKey")
	alice := v.by("oidc:alice", domain.RoleOperator, "r")
	_, err = alice.RevokeKey(alice.ctx, k.KeyID, act)
	v.code("another operator", err, domain.CodeConflict, "ended")

	v.clock.Advance(23 * time.Hour)
	if _, err := v.SweepActResults(v.ctx); err != nil {
		t.Fatal(err)
	}
	if r, err := v.RevokeKey(v.ctx, k.KeyID, act); err != nil || !r.Repeated {
		t.Errorf("after 23 hours: %+v, %v", r, err)
	}
	v.clock.Advance(2 * time.Hour)
	if _, err := v.SweepActResults(v.ctx); err != nil {
		t.Fatal(err)
	}
	_, err = v.RevokeKey(v.ctx, k.KeyID, act)
	v.code("after 25 hours", err, domain.CodeConflict, "ended")
	v.intact()
}

// lists are all lists that take a position.
func (v *instance) lists(after string) map[string]error {
	page := domain.Page{After: after, Limit: 10}
	_, _, devices := v.Devices(v.ctx, domain.DeviceFilter{}, page)
	_, _, accounts := v.Accounts(v.ctx, domain.AccountFilter{}, page)
	_, _, locks := v.Locks(v.ctx, page)
	_, _, _, entries := v.Audit(v.ctx, domain.EntryFilter{}, page)
	_, export := v.ExportAudit(v.ctx, &bytes.Buffer{}, after, 10)
	return map[string]error{"devices": devices, "accounts": accounts, "locks": locks, "entries": entries, "export": export}
}

// cursor is a position in a list, as a client can make it up.
func cursor(list string, fields ...string) string {
	text, _ := json.Marshal(append([]string{list}, fields...))
	return base64.RawURLEncoding.EncodeToString(text)
}

// counting is the use cases of operators with a limit on the locks that they read.
func (v *instance) counting(most int) *operator.UseCases {
	return operator.New(operator.Config{Records: v.records, Keys: v.keys, Tally: v.tally, Mode: v.cfg.Mode, Attempts: v.cfg.Attempts,
		MostLocks: most, Log: v.cfg.Log, Metrics: v.cfg.Metrics, Now: v.cfg.Now})
}

func TestInvalidPagePositionsAndFiltersAreRefused(t *testing.T) {
	v := openVault(t, nil)
	v.issue("phone")
	own := map[string]string{"devices": cursor("devices", "phone", "a"), "accounts": cursor("accounts", "", "phone"),
		"locks": cursor("locks", "1", "a", "PASSCODE"), "entries": cursor("entries", "1", "chain", "1"), "export": cursor("export", "chain", "1")}
	hostile := []string{"x", "%", "bnVsbA", strings.Repeat("A", 100_000), cursor("devices", "a"), cursor("devices", "a", "b", "c"),
		cursor("entries", "-1", "c", "1"), cursor("entries", "1e9", "c", "1"), cursor("entries", "9999999999999999999", "c", "1"),
		cursor("entries", "0", "", "0"), cursor("export", "c", "-1"), cursor("locks", "1", "\xff", "b"), cursor("locks", "1e9", "a", "b"), cursor("locks", "", "a", "b"),
		base64.RawURLEncoding.EncodeToString([]byte(`["devices", "a", "b"]`)), base64.RawURLEncoding.EncodeToString([]byte(`{"a":1}`))}
	for _, after := range hostile {
		for list, err := range v.lists(after) {
			v.code(list+" after "+after[:min(len(after), 30)], err, domain.CodeBadUserInput, "after")
		}
	}
	for from, after := range own {
		for list, err := range v.lists(after) {
			want := domain.CodeBadUserInput
			if list == from {
				want = ""
			}
			v.code(list+" after a position of "+from, err, want, "after")
		}
	}
	for _, limit := range []int{0, -1, 201} {
		_, _, err := v.Devices(v.ctx, domain.DeviceFilter{}, domain.Page{Limit: limit})
		v.code("a limit", err, domain.CodeBadUserInput, "limit")
	}
	for _, text := range []string{"\x00", "\xff", strings.Repeat("x", 3000)} {
		_, _, err := v.Devices(v.ctx, domain.DeviceFilter{Prefix: text}, domain.Page{Limit: 1})
		v.code("a prefix", err, domain.CodeBadUserInput, "prefix")
		_, _, _, err = v.Audit(v.ctx, domain.EntryFilter{Outcome: text}, domain.Page{Limit: 1})
		v.code("an outcome", err, domain.CodeBadUserInput, "outcome")
	}
	nobody := domain.WithOperator(v.ctx, domain.Operator{})
	_, _, err := v.Devices(nobody, domain.DeviceFilter{}, domain.Page{Limit: 1})
	v.code("nobody", err, domain.CodeForbidden, "")
}

// everyDevice pages through a list of devices, two at a time.
func (v *instance) everyDevice(f domain.DeviceFilter) (names []string) {
	v.t.Helper()
	for after := ""; ; {
		devices, next, err := v.Devices(v.ctx, f, domain.Page{After: after, Limit: 2})
		if err != nil {
			v.t.Fatal(err)
		}
		for _, d := range devices {
			names = append(names, d.DeviceID+" of "+d.Account.Subject)
		}
		if after = next; next == "" {
			return names
		}
	}
}

func TestDevicesAreFoundByTheirProperties(t *testing.T) {
	v := openJWT(t, nil)
	alice, bob := v.as("alice"), v.as("bob")
	first := alice.issue("phone")
	k := alice.rotate("phone")
	alice.issue("phone 2")
	alice.issue("tablet")
	bob.issue("phone")
	bobs := v.accountID(domain.ModeJWT, testIssuer, "bob")
	for _, c := range []struct {
		what   string
		filter domain.DeviceFilter
		want   []string
	}{
		{"all", domain.DeviceFilter{}, []string{"phone 2 of alice", "phone of alice", "phone of bob", "tablet of alice"}},
		{"by prefix", domain.DeviceFilter{Prefix: "phone"}, []string{"phone 2 of alice", "phone of alice", "phone of bob"}},
		{"by deviceId", domain.DeviceFilter{DeviceID: "phone"}, []string{"phone of alice", "phone of bob"}},
		{"by account", domain.DeviceFilter{AccountID: bobs}, []string{"phone of bob"}},
		{"by an ended key", domain.DeviceFilter{KeyID: first.KeyID}, []string{"phone of alice"}},
		{"by no key", domain.DeviceFilter{KeyID: "nothing"}, nil},
		{"by no account", domain.DeviceFilter{AccountID: "\U0001F600"}, nil},
	} {
		got := v.everyDevice(c.filter)
		slices.Sort(got)
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.what, diff)
		}
	}
	_, _, err := v.Devices(v.ctx, domain.DeviceFilter{DeviceID: "phone", AccountID: bobs}, domain.Page{Limit: 1})
	v.code("two filters", err, domain.CodeBadUserInput, "accountId")

	device := func() domain.Device {
		all, _, err := v.Devices(v.ctx, domain.DeviceFilter{KeyID: k.KeyID}, domain.Page{Limit: 1})
		if err != nil || len(all) != 1 {
			t.Fatal(all, err)
		}
		return all[0]
	}
	d := device()
	if len(d.Keys) != 2 || d.Keys[0].ID != k.KeyID || d.Keys[0].State != domain.KeyActive || d.Keys[1].State != domain.KeyInvalidated || d.Keys[1].EndedAt.IsZero() {
		t.Errorf("its keys are %+v", d.Keys)
	}
	if d.KeyGeneration.Count != 2 || d.KeyGeneration.ResetTime.IsZero() || d.KeyGeneration.Cluster || device().KeyGeneration.Count != 2 {
		t.Errorf("its counter is %+v", d.KeyGeneration)
	}
	one := must[domain.Device](t)(v.Key(v.ctx, first.KeyID))
	if len(one.Keys) != 1 || one.Keys[0].ID != first.KeyID || one.Account.Subject != "alice" {
		t.Errorf("the device of a key is %+v", one)
	}
	_, err = v.Key(v.ctx, "nothing")
	v.code("no key", err, domain.CodeNotFound, "key")

	v.insider().write("UPDATE device_key SET app_version = 'evil' WHERE id = $1", k.KeyID)
	if d := device(); !d.Keys[0].Tampered || d.Keys[1].Tampered {
		t.Errorf("with an edited key: %+v", d.Keys)
	}
	must[domain.ActResult](t)(v.EraseAccount(v.ctx, d.Account.ID, domain.Act{Reason: "she left"}))
	if all, _, err := v.Devices(v.ctx, domain.DeviceFilter{KeyID: k.KeyID}, domain.Page{Limit: 1}); err != nil || len(all) > 0 {
		t.Errorf("after the erasure: %+v, %v", all, err)
	}
}

func TestTheKeyCounterOfAClusterIsReadFromTheStore(t *testing.T) {
	v := openVault(t, func(c *Config) { c.KeyCounterInStore = true })
	for range 20 + 1 {
		v.rotate("phone")
	}
	w := v.beside()
	all, _, err := w.Devices(w.ctx, domain.DeviceFilter{}, domain.Page{Limit: 1})
	if err != nil || len(all) != 1 || all[0].KeyGeneration.Count != 20+1 || !all[0].KeyGeneration.Cluster || all[0].KeyGeneration.ResetTime.IsZero() {
		t.Errorf("%+v, %v", all, err)
	}
	if len(all[0].Keys) != 20 || !all[0].MoreKeys || all[0].Keys[0].State != domain.KeyActive {
		t.Errorf("of its keys are shown %+v", all[0].Keys)
	}
	v.clock.Advance(25 * time.Hour)
	if all, _, _ = w.Devices(w.ctx, domain.DeviceFilter{}, domain.Page{Limit: 1}); all[0].KeyGeneration.Count != 0 || !all[0].KeyGeneration.ResetTime.IsZero() {
		t.Errorf("a day later: %+v", all[0].KeyGeneration)
	}
}

func TestAnAccountShowsItsAttemptCountersAndLocks(t *testing.T) {
	registry := prometheus.NewRegistry()
	v := openJWT(t, func(c *Config) { c.Metrics = metrics.New(registry) })
	alice, bob := v.as("alice"), v.as("bob")
	phone, stolen, bobs := alice.issue("phone"), alice.issue("stolen"), bob.issue("phone")
	v.expect("set", alice.setPIN(phone, "8302"), "true")
	alice.verifyPIN(phone, "0000")
	for range 3 {
		alice.verifyPIN(stolen, "0000")
	}
	for range 3 {
		bob.verifyPIN(bobs, "0000")
	}
	bobs = bob.issue("tablet")
	for range 2 {
		bob.verifyPIN(bobs, "0000")
	}
	id := v.stored(phone).AccountID
	pin := func() domain.CredentialInfo {
		info := must[domain.AccountInfo](t)(v.Account(v.ctx, id))
		if info.Account.Subject != "alice" || len(info.Credentials) != 2 || info.Credentials[0].Set {
			t.Fatalf("the account is %+v", info)
		}
		return info.Credentials[1]
	}
	want := domain.CredentialInfo{Type: domain.TransactionPIN, Set: true, Version: 1, Failures: 4, RecentFailures: 4, AttemptsLeft: 1,
		LockedDevices: []domain.LockedDevice{{DeviceID: "stolen"}}}
	got := pin()
	if len(got.LockedDevices) != 1 || !got.LockedDevices[0].Until.After(v.clock.Now()) {
		t.Fatalf("the stolen device's lock: %+v", got.LockedDevices)
	}
	got.CreatedAt, got.UpdatedAt, got.LockedDevices[0].Until = time.Time{}, time.Time{}, time.Time{}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("alice's PIN (-want +got):\n%s", diff)
	}
	var locked []string
	for after := ""; ; {
		locks, next, err := v.Locks(v.ctx, domain.Page{After: after, Limit: 1})
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range locks {
			locked = append(locked, fmt.Sprint(l.Account.Subject, " ", l.Failures, " ", l.LockedDevices[0].DeviceID, " ", !l.LockedUntil.IsZero()))
		}
		if after = next; next == "" {
			break
		}
	}
	slices.Sort(locked)
	if diff := cmp.Diff([]string{"alice 4 stolen false", "bob 5 phone true"}, locked); diff != "" {
		t.Errorf("locks (-want +got):\n%s", diff)
	}
	for _, most := range []int{2, 1} {
		if err := v.counting(most).CountLocks(v.ctx); err != nil {
			t.Fatal(err)
		}
		accounts, devices := counted(t, registry, "strongroom_locks", "account", "TRANSACTION_PIN"), counted(t, registry, "strongroom_locks", "device", "TRANSACTION_PIN")
		if devices != float64(most) || most == 2 && accounts != 1 { // bob, and a device of each
			t.Errorf("in %d attempt counters %v accounts and %v devices are locked", most, accounts, devices)
		}
	}
	trend := must[[]domain.LockTrend](t)(v.LockTrend(v.ctx, 3))
	if len(trend) != 3 || trend[2].Locks+trend[1].Locks != 3 {
		t.Errorf("the trend is %+v", trend) // alice's device, bob's device and bob, though an hour may have begun meanwhile
	}
	for _, hours := range []int{0, 745} {
		_, err := v.LockTrend(v.ctx, hours)
		v.code("hours", err, domain.CodeBadUserInput, "hours")
	}
	v.mustReserve(phone)
	if got := pin(); got.Pending != 1 || got.Failures != 4 {
		t.Errorf("with an attempt under way: %+v", got)
	}
	v.clock.Advance(31 * time.Second)
	if got := pin(); got.Pending != 0 || got.Failures != 5 || got.LockedUntil.IsZero() {
		t.Errorf("when its process has died: %+v", got)
	}
	v.insider().write("UPDATE attempts SET failures = 0 WHERE account_id = $1", id)
	if !pin().Tampered {
		t.Error("an edited attempt counter is not marked as edited")
	}
	locks, _, err := v.Locks(v.ctx, domain.Page{Limit: 10})
	for _, l := range locks {
		if l.Tampered != (l.Account.Subject == "alice") {
			t.Errorf("a lock is %+v", l)
		}
	}
	if len(locks) != 2 || err != nil {
		t.Errorf("locks %+v, %v", locks, err)
	}
	_, err = v.Account(v.ctx, "nobody")
	v.code("no account", err, domain.CodeNotFound, "account")
}

func TestAccountsArePagedAndFoundByName(t *testing.T) {
	v := openJWT(t, nil)
	for _, who := range []string{"carol", "alice", "bob", "alex"} {
		v.as(who).issue("phone")
	}
	v.as("alice", func(c *domain.Caller) { c.Issuer = "https://another.example" }).issue("phone")
	every := func(f domain.AccountFilter) (names []string) {
		for after := ""; ; {
			all, next, err := v.Accounts(v.ctx, f, domain.Page{After: after, Limit: 1})
			if err != nil {
				t.Fatal(err)
			}
			for _, a := range all {
				names = append(names, a.Subject)
			}
			if after = next; next == "" {
				return names
			}
		}
	}
	for _, c := range []struct {
		filter domain.AccountFilter
		want   []string
	}{
		{domain.AccountFilter{}, []string{"alice", "alex", "alice", "bob", "carol"}},
		{domain.AccountFilter{Issuer: testIssuer, Prefix: "al"}, []string{"alex", "alice"}},
		{domain.AccountFilter{Prefix: "al"}, []string{"alice", "alex", "alice"}},
		{domain.AccountFilter{Subject: "alice"}, []string{"alice", "alice"}},
		{domain.AccountFilter{Subject: "bob"}, []string{"bob"}},
		{domain.AccountFilter{Subject: "bo"}, nil},
		{domain.AccountFilter{Issuer: testIssuer, Subject: "bob"}, []string{"bob"}},
		{domain.AccountFilter{Issuer: testIssuer, Subject: "b"}, nil},
	} {
		if diff := cmp.Diff(c.want, every(c.filter)); diff != "" {
			t.Errorf("%+v (-want +got):\n%s", c.filter, diff)
		}
	}
	_, _, err := v.Accounts(v.ctx, domain.AccountFilter{Issuer: testIssuer, Subject: "bob", Prefix: "b"}, domain.Page{Limit: 1})
	v.code("both", err, domain.CodeBadUserInput, "prefix")
}

func TestTheUseOfAKeyIsNotedOnceAnHour(t *testing.T) {
	v := openVault(t, nil)
	k := v.issue("phone")
	used := func() time.Time {
		v.t.Helper()
		if err := v.tally.Flush(v.ctx, true); err != nil {
			t.Fatal(err)
		}
		d := must[domain.Device](t)(v.Key(v.ctx, k.KeyID))
		return d.Keys[0].LastUsedAt
	}
	if at := used(); !at.IsZero() {
		t.Errorf("used at %v, before any use", at)
	}
	v.setPIN(k, "1357")
	first := used()
	if hour := v.clock.Now().UTC().Truncate(time.Hour); first.Before(hour.Add(-time.Hour)) || first.After(hour) || first.Minute() != 0 {
		t.Errorf("used at %v", first)
	}
	v.verifyPIN(k, "1357")
	v.clock.Advance(2 * time.Hour)
	bad := submission(t, k, domain.TransactionPIN, "1357")
	bad.Ciphertext = base64.StdEncoding.EncodeToString(make([]byte, 256))
	if _, err := v.matches(v.ctx, bad); domain.CodeOf(err) != domain.CodeDecryptionFailed {
		t.Fatal(err)
	}
	if at := used(); !at.Equal(first) {
		t.Errorf("a ciphertext that did not decrypt moved it to %v", at)
	}
	v.verifyPIN(k, "0000")
	if at := used(); at.Sub(first) < time.Hour {
		t.Errorf("two hours later: %v", at)
	}
	if err := v.erase("phone", "r"); err != nil {
		t.Fatal(err)
	}
	if rows := v.insider().rows("SELECT * FROM key_use"); len(rows) != 0 {
		t.Errorf("after the erasure: %v", rows)
	}
}

func TestAnAddressThatGuessesAtManyAccountsIsSuspected(t *testing.T) {
	v := openJWT(t, nil)
	guess := func(n int, address string) {
		who := v.at(fmt.Sprint("user", n), address)
		who.verifyPIN(who.issue(fmt.Sprint("phone", n)), "1234")
	}
	for n := range 9 {
		guess(n, fmt.Sprintf("2001:db8:1:2::%x", n+1))
		guess(0, "192.0.2.7") // one account again and again
	}
	if got := must[[]domain.Suspicion](t)(v.Suspicions(v.ctx)); len(got) != 0 {
		t.Fatalf("suspected too early: %+v", got)
	}
	for n := range 4 {
		guess(9+n, "2001:db8:1:2:3::4")
	}
	want := []domain.Suspicion{{Kind: "address", Source: "2001:db8:1:2::/64", Accounts: 13, Failures: 13}}
	seen := func(w *instance, accounts int) {
		t.Helper()
		got := must[[]domain.Suspicion](t)(w.Suspicions(v.ctx))
		for i := range got {
			got[i].First, got[i].Last = time.Time{}, time.Time{}
		}
		want[0].Accounts, want[0].Failures = accounts, int64(accounts)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("suspicions (-want +got):\n%s", diff)
		}
	}
	seen(v, 13)
	if err := v.tally.Flush(v.ctx, false); err != nil {
		t.Fatal(err)
	}
	entries := v.entriesOf(domain.EventGuessingSuspected)
	if len(entries) != 1 || entries[0].Reason != "address 2001:db8:1:2::/64 10 accounts 10 failures" || entries[0].Actor != "system" {
		t.Errorf("the trail says %+v", entries)
	}
	seen(v, 13)
	seen(v.beside(), 10)
	v.clock.Advance(4 * time.Minute)
	seen(v, 13)
	seen(v.beside(), 10)
	v.clock.Advance(3 * time.Minute)
	for _, w := range []*instance{v, v.beside()} { // though its entry in the trail is of this hour
		if got := must[[]domain.Suspicion](t)(w.Suspicions(v.ctx)); len(got) != 0 {
			t.Errorf("seven minutes after the last wrong answer: %+v", got)
		}
	}
	guess(20, "2001:db8:1:2:3::4")
	seen(v, 14)
	v.intact()
}

func TestADeviceThatGuessesAtManyAccountsIsSuspected(t *testing.T) {
	v := openJWT(t, nil)
	for n := range 10 {
		who := v.as(fmt.Sprint("user", n))
		who.verifyPIN(who.issue("emulator"), "1234")
	}
	got := must[[]domain.Suspicion](t)(v.Suspicions(v.ctx))
	if len(got) != 1 || got[0].Kind != "device" || got[0].Accounts != 10 || strings.Contains(got[0].Source, "emulator") {
		t.Errorf("suspicions: %+v", got)
	}
}

// trail pages through what a filter selects, and calls between before each
// part.
func (v *instance) trailOf(f domain.EntryFilter, limit int, between func()) (seqs []string) {
	v.t.Helper()
	for after := ""; ; {
		entries, next, _, err := v.Audit(v.ctx, f, domain.Page{After: after, Limit: limit})
		if err != nil {
			v.t.Fatal(err)
		}
		for _, e := range entries {
			seqs = append(seqs, fmt.Sprint(e.Chain, " ", e.Seq))
		}
		if after = next; next == "" {
			return seqs
		}
		between()
	}
}

func TestPagingTheTrailReturnsEachEntryOnceWhileItGrows(t *testing.T) {
	v := openJWT(t, nil)
	alice, bob := v.as("alice"), v.as("bob")
	phone, tablet, bobs := alice.issue("phone"), alice.issue("tablet"), bob.issue("phone")
	alice.setPIN(phone, "8302")
	for range 3 {
		alice.verifyPIN(tablet, "0000")
		bob.verifyPIN(bobs, "1234")
	}
	alice.verifyPIN(phone, "8302")
	if err := v.revoke(tablet.KeyID, "lost"); err != nil {
		t.Fatal(err)
	}
	accountOf := func(who string) string { return v.accountID(domain.ModeJWT, testIssuer, who) }
	hash := func(who, device string) (account, of []byte) {
		return v.records.Hashes(domain.Account{Mode: domain.ModeJWT, Issuer: testIssuer, Subject: who}, device)
	}
	alices, tablets := hash("alice", "tablet")
	var begin time.Time
	v.eachEntry(func(e domain.Entry) {
		if e.KeyID == bobs.KeyID && e.Event == domain.EventKeyIssued {
			begin = e.Time
		}
	})
	for _, c := range []struct {
		what   string
		filter domain.EntryFilter
		want   func(domain.Entry) bool
	}{
		{"all", domain.EntryFilter{}, func(domain.Entry) bool { return true }},
		{"of an account", domain.EntryFilter{AccountID: accountOf("alice")}, func(e domain.Entry) bool { return bytes.Equal(e.Account, alices) }},
		{"of a device", domain.EntryFilter{AccountID: accountOf("alice"), DeviceID: "tablet"}, func(e domain.Entry) bool { return bytes.Equal(e.Device, tablets) }},
		{"of a key", domain.EntryFilter{KeyID: tablet.KeyID}, func(e domain.Entry) bool { return e.KeyID == tablet.KeyID }},
		{"of a record", domain.EntryFilter{Record: "key/" + tablet.KeyID}, func(e domain.Entry) bool { return e.Record == "key/"+tablet.KeyID }},
		{"of a rare event", domain.EntryFilter{Event: domain.EventDeviceLocked}, func(e domain.Entry) bool { return e.Event == domain.EventDeviceLocked }},
		{"of a frequent event", domain.EntryFilter{Event: domain.EventCredentialMismatch}, func(e domain.Entry) bool { return e.Event == domain.EventCredentialMismatch }},
		{"of an outcome", domain.EntryFilter{Outcome: "mismatch"}, func(e domain.Entry) bool { return e.Outcome == "mismatch" }},
		{"of operators", domain.EntryFilter{Actor: "operator"}, func(e domain.Entry) bool { return strings.HasPrefix(e.Actor, "operator:") }},
		{"of an operator, in short", domain.EntryFilter{Actor: "command:test"}, func(e domain.Entry) bool { return e.Actor == "operator:command:test" }},
		{"of an account, by its hash", domain.EntryFilter{AccountHash: alices}, func(e domain.Entry) bool { return bytes.Equal(e.Account, alices) }},
		{"of a key of an account by its hash", domain.EntryFilter{AccountHash: alices, KeyID: phone.KeyID}, func(e domain.Entry) bool { return e.KeyID == phone.KeyID }},
		{"of an operator", domain.EntryFilter{Actor: "operator:command:test"}, func(e domain.Entry) bool { return e.Actor == "operator:command:test" }},
		{"from a time", domain.EntryFilter{From: begin}, func(e domain.Entry) bool { return !e.Time.Before(begin) }},
		{"to a time", domain.EntryFilter{To: begin}, func(e domain.Entry) bool { return e.Time.Before(begin) }},
		{"of an account and an event", domain.EntryFilter{AccountID: accountOf("alice"), Event: domain.EventDeviceLocked},
			func(e domain.Entry) bool {
				return e.Event == domain.EventDeviceLocked && bytes.Equal(e.Account, alices)
			}},
	} {
		var want []string
		v.eachEntry(func(e domain.Entry) {
			if c.want(e) {
				want = append(want, fmt.Sprint(e.Chain, " ", e.Seq))
			}
		})
		got := v.trailOf(c.filter, 2, func() { alice.verifyPIN(phone, "8302") })
		slices.Sort(got)
		slices.Sort(want)
		if diff := cmp.Diff(want, got); diff != "" || len(want) == 0 {
			t.Errorf("%s (-want +got):\n%s", c.what, diff)
		}
	}
}

func TestAnErasedAccountIsFoundInTheTrailByItsIdAndByItsHash(t *testing.T) {
	v := openJWT(t, nil)
	alice := v.as("alice")
	id := v.accountID(domain.ModeJWT, testIssuer, "alice")
	hash, _ := v.records.Hashes(domain.Account{Mode: domain.ModeJWT, Issuer: testIssuer, Subject: "alice"}, "")
	find := func(f domain.EntryFilter) (found []domain.Event) {
		entries, next, _, err := v.Audit(v.ctx, f, domain.Page{Limit: 50})
		if err != nil || next != "" {
			t.Fatal(next, err)
		}
		for _, e := range entries {
			found = append(found, e.Event)
		}
		return found
	}
	k := alice.issue("phone")
	alice.setPIN(k, "8302")
	alice.verifyPIN(k, "0000")
	v.as("bob").issue("phone")
	must[domain.ActResult](t)(v.EraseAccount(v.ctx, v.accountID(domain.ModeJWT, testIssuer, "bob"), domain.Act{Reason: "the customer left"}))
	must[domain.ActResult](t)(v.EraseAccount(v.ctx, id, domain.Act{Reason: "she left"}))
	want := []domain.Event{domain.EventAccountErased, domain.EventAttemptsErased, domain.EventCredentialErased, domain.EventKeyRemoved, domain.EventKeyRevoked,
		domain.EventCredentialMismatch, domain.EventCredentialSet, domain.EventKeyIssued}
	for what, f := range map[string]domain.EntryFilter{"id": {AccountID: id}, "hash": {AccountHash: hash}} {
		if diff := cmp.Diff(want, find(f)); diff != "" {
			t.Errorf("by its %s (-want +got):\n%s", what, diff)
		}
	}
	if erasures := v.entriesOf(domain.EventAccountErased); len(erasures) != 2 || erasures[1].Record != "account/"+id || len(erasures[1].Before)+len(erasures[1].Digest) != 0 {
		t.Errorf("the trail says %+v", erasures)
	}
	v.intact()

	_, _, _, err := v.Audit(v.ctx, domain.EntryFilter{AccountID: id, DeviceID: "phone"}, domain.Page{Limit: 50})
	v.code("its device", err, domain.CodeConflict, "Leave deviceId out")
	_, _, _, err = v.Audit(v.ctx, domain.EntryFilter{AccountID: domain.NewID()}, domain.Page{Limit: 50})
	v.code("one that never was", err, domain.CodeNotFound, "accountHash")
	for _, f := range []domain.EntryFilter{{AccountHash: hash[:15]}, {AccountHash: hash, AccountID: id}, {AccountHash: hash, DeviceID: "phone"}} {
		_, _, _, err = v.Audit(v.ctx, f, domain.Page{Limit: 50})
		v.code("a filter by hash", err, domain.CodeBadUserInput, "accountHash")
	}

	// She comes back, and leaves again.
	alice.issue("phone")
	if got := find(domain.EntryFilter{AccountID: id}); len(got) != len(want)+1 {
		t.Errorf("with a new account of the same name: %v", got)
	}
	must[domain.ActResult](t)(v.EraseAccount(v.ctx, id, domain.Act{Reason: "she left again"}))
	if got := find(domain.EntryFilter{AccountID: id}); len(got) != len(want)+4 {
		t.Errorf("erased again: %v", got)
	}
	v.intact()
}

func TestATrailSearchReportsHowFarItSearched(t *testing.T) {
	v := openVault(t, nil)
	v.issue("phone")
	v.clock.Advance(time.Hour)
	v.issue("tablet")
	var first time.Time
	v.eachEntry(func(e domain.Entry) {
		if first.IsZero() || e.Time.Before(first) {
			first = e.Time
		}
	})
	id := func(device string) string { return v.accountID(domain.ModeDevice, "", device) }
	for what, c := range map[string]struct {
		filter domain.EntryFilter
		to     time.Time
	}{
		"all":                    {domain.EntryFilter{}, first},
		"of an account":          {domain.EntryFilter{AccountID: id("tablet")}, first},
		"of a device":            {domain.EntryFilter{DeviceID: "tablet"}, first},
		"of a device unheard of": {domain.EntryFilter{DeviceID: "nothing"}, first},
		"of no such event":       {domain.EntryFilter{Event: domain.EventWebhookResent}, first},
		"from a time":            {domain.EntryFilter{DeviceID: "tablet", From: first.Add(time.Minute)}, first.Add(time.Minute)},
	} {
		if _, next, searched, err := v.Audit(v.ctx, c.filter, domain.Page{Limit: 50}); err != nil || next != "" || !searched.Equal(c.to) {
			t.Errorf("%s: searched to %v, not %v (%q, %v)", what, searched, c.to, next, err)
		}
	}
	entries, next, searched, err := v.Audit(v.ctx, domain.EntryFilter{}, domain.Page{Limit: 1})
	if err != nil || next == "" || len(entries) != 1 || !searched.Equal(entries[0].Time) {
		t.Errorf("a part: %v, %v, %v", entries, searched, err)
	}
	_, _, _, err = v.Audit(v.ctx, domain.EntryFilter{Event: "nosuch"}, domain.Page{Limit: 1})
	v.code("an event that is none", err, domain.CodeBadUserInput, "account.erased, account.exported, account.moved, account.received, attempts.erased")
}

func TestAnAccountWithAnEditedNameIsShownAndMarked(t *testing.T) {
	v := openJWT(t, nil)
	k := v.as("alice").issue("phone")
	v.as("bob").issue("phone")
	id := v.accountID(domain.ModeJWT, testIssuer, "alice")
	v.insider().write("UPDATE account SET subject = 'mallory' WHERE id = $1", id)
	info := must[domain.AccountInfo](t)(v.Account(v.ctx, id))
	if !info.Account.Tampered || info.Account.ID != id || len(info.Credentials) != 2 {
		t.Errorf("the account is %+v", info)
	}
	for _, f := range []domain.AccountFilter{{}, {Issuer: testIssuer, Subject: "mallory"}, {Issuer: testIssuer, Prefix: "mal"}} {
		all, _, err := v.Accounts(v.ctx, f, domain.Page{Limit: 10})
		marked := slices.IndexFunc(all, func(a domain.Account) bool { return a.ID == id })
		if err != nil || marked < 0 {
			t.Fatalf("%+v: %+v, %v", f, all, err)
		}
		for _, a := range all {
			if a.Tampered != (a.ID == id) {
				t.Errorf("%+v: listed as %+v", f, a)
			}
		}
	}
	if d := must[domain.Device](t)(v.Key(v.ctx, k.KeyID)); !d.Account.Tampered || d.Account.Subject != "" {
		t.Errorf("its device is %+v", d)
	}
	if seen := v.entriesOf(domain.EventTamperingSeen); len(seen) != 1 || seen[0].Reason != "account/"+id {
		t.Errorf("the trail says %+v", seen)
	}
}

func TestActsOnAnAccountWithAnEditedNameSayHowToRepairIt(t *testing.T) {
	v := openJWT(t, nil)
	alice := v.as("alice")
	k := alice.issue("phone")
	v.expect("set", alice.setPIN(k, "1357"), "true")
	id := v.accountID(domain.ModeJWT, testIssuer, "alice")
	v.insider().write("UPDATE account SET subject = 'mallory' WHERE id = $1", id)
	act := domain.Act{Reason: "a test"}
	_, unlocked := v.Unlock(v.ctx, id, domain.TransactionPIN, act)
	_, marked := v.RequireChange(v.ctx, id, domain.TransactionPIN, act)
	_, exported := v.ExportAccount(v.ctx, id, act)
	for what, err := range map[string]error{"unlock": unlocked, "require change": marked, "export": exported} {
		v.code(what, err, domain.CodeConflict, "Erase the account by its id")
	}
	if seen := v.entriesOf(domain.EventTamperingSeen); len(seen) != 1 || seen[0].Reason != "account/"+id {
		t.Errorf("the trail says %+v", seen)
	}
	v.done(v.EraseAccount(v.ctx, id, act))
}

func TestATrailExportInPartsIsComplete(t *testing.T) {
	v := openVault(t, nil)
	k := v.issue("phone")
	v.setPIN(k, "1357")
	v.verifyPIN(k, "1357")
	var lines, want []string
	for after := ""; ; {
		var out bytes.Buffer
		next, err := v.ExportAudit(v.ctx, &out, after, 2)
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, strings.SplitAfter(strings.TrimSuffix(out.String(), "\n"), "\n")...)
		if after = next; next == "" {
			break
		}
	}
	v.eachEntry(func(e domain.Entry) { want = append(want, fmt.Sprintf(`{"chain":%q,"seq":%d,`, e.Chain, e.Seq)) })
	var got []string
	for _, line := range slices.DeleteFunc(lines, func(l string) bool { return l == "" }) {
		entry, _, _ := strings.Cut(line, `"time"`)
		got = append(got, entry)
	}
	slices.Sort(got)
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the lines of the export (-want +got):\n%s", diff)
	}
}

func TestInDeviceModeADeviceIdFindsItsAccountsEntries(t *testing.T) {
	v := openVault(t, func(c *Config) { c.KeyTTL = time.Hour })
	v.issue("phone")
	k := v.issue("tablet")
	v.setPIN(k, "1357")
	v.verifyPIN(k, "0000")
	if err := v.unlock(v.ctx, "tablet", domain.TransactionPIN, "r"); err != nil {
		t.Fatal(err)
	}
	v.clock.Advance(2 * time.Hour)
	if err := v.endKeys(); err != nil {
		t.Fatal(err)
	}
	entries, next, _, err := v.Audit(v.ctx, domain.EntryFilter{DeviceID: "tablet"}, domain.Page{Limit: 10})
	var got []domain.Event
	for _, e := range entries {
		got = append(got, e.Event)
	}
	want := []domain.Event{domain.EventKeyExpired, domain.EventAttemptsUnlocked, domain.EventCredentialMismatch, domain.EventCredentialSet, domain.EventKeyIssued}
	if diff := cmp.Diff(want, got); diff != "" || next != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

func TestHealthShowsTheInstance(t *testing.T) {
	v := openVault(t, func(c *Config) { c.SchemaVersion = 7 })
	v.issue("phone")
	v.issue("phone") // which waits to be counted
	h := must[domain.Health](t)(v.Health(v.ctx))
	if !h.Store || !h.RootKey || h.Instance == "" || h.Mode != domain.ModeDevice || h.Workers != 2 || h.WaitingMost != 512 || h.Waiting != 0 ||
		h.RollupLag == 0 || h.StoreTime.IsZero() || h.InstanceTime.IsZero() || h.SchemaVersion != 7 || !h.CheckpointAt.IsZero() {
		t.Errorf("health: %+v", h)
	}
	v.store.Close()
	if h = must[domain.Health](t)(v.Health(v.ctx)); h.Store || !h.StoreTime.IsZero() {
		t.Errorf("without a store: %+v", h)
	}
}

func TestOperationsAreBucketedByTheTimeframe(t *testing.T) {
	v := openVault(t, nil)
	k := v.issue("phone")
	v.verifyPIN(k, "0000")
	v.setPIN(k, "12") // refused by policy: failed
	for hours, width := range map[float64]time.Duration{0.5: time.Minute, 25: time.Minute, 26: time.Hour, 960: time.Hour, 961: 24 * time.Hour, 87840: 28 * 24 * time.Hour} {
		got, series, err := v.Operations(v.ctx, hours, 0)
		if err != nil {
			t.Fatal(err)
		}
		var sum domain.Bucketed
		for _, b := range series {
			sum.Operations += b.Operations
			sum.Failures += b.Failures
		}
		if got != width || sum.Operations != 3 || sum.Failures != 1 {
			t.Errorf("of %v hours: %v wide, %+v", hours, got, series)
		}
	}
	_, _, err := v.Operations(v.ctx, 0, 0)
	v.code("no hours", err, domain.CodeBadUserInput, "timeframeHours")
}

// An account can have very many keys: no request waits until all are ended, and
// keys that an interrupted erasure ended are not ended again.
func TestAnErasureOfManyKeysIsDoneInPortions(t *testing.T) {
	i := &impatient{hangUp: func() {}}
	v := openJWT(t, func(c *Config) { i.Store, c.Store, c.KeyCounterEntries = c.Store, i, 10_000 })
	alice := v.as("alice")
	const keys = 2*200 + 1
	for n := range keys {
		alice.issue(fmt.Sprint("device", n))
	}
	k := alice.issue("phone")
	alice.setPIN(k, "8302")
	id := v.stored(k).AccountID
	act := domain.Act{Reason: "she left", IdempotencyKey: "once"}
	erase := func(v *instance) (domain.ActResult, error) { return v.EraseAccount(v.ctx, id, act) }

	op := v.by("command:test", domain.RoleOperator, "req1")
	ctx, cancel := context.WithCancel(op.ctx)
	defer cancel()
	op.ctx, i.hangUp = ctx, cancel
	if _, err := erase(op); err == nil {
		t.Fatal("an erasure that was interrupted was done")
	}
	i.hangUp = func() {}
	if events := v.events(); events[domain.EventKeyRevoked] != 200 || events[domain.EventAccountErased] != 0 {
		t.Errorf("after the interruption the trail has %v", events)
	}
	alice.expect("the PIN of what is left", alice.setPIN(alice.issue("phone"), "8302"), "true")

	result := must[domain.ActResult](t)(erase(v.by("command:test", domain.RoleOperator, "req2")))
	if result.RequestID != "req2" || result.Repeated {
		t.Errorf("the result is %+v", result)
	}
	requests := map[string]int{}
	for _, e := range v.entriesOf(domain.EventKeyRevoked) {
		if requests[e.RequestID]++; e.Reason != "she left" || e.Actor != "operator:command:test" || len(e.Account) == 0 || len(e.Device) == 0 {
			t.Errorf("the entry is %+v", e)
		}
	}
	if ended := v.events()[domain.EventKeyRevoked]; requests["req1"] != 200 || ended < keys+1 || ended > keys+2 || requests["req1"]+requests["req2"] != ended {
		t.Errorf("of %d keys were ended %v", keys+1, requests)
	}

	// The same person comes back, and the act is repeated: the first result is returned.
	again := alice.issue("phone")
	result = must[domain.ActResult](t)(erase(v.by("command:test", domain.RoleOperator, "req3")))
	if !result.Repeated || result.RequestID != "req2" || v.stored(again).State != domain.KeyActive {
		t.Errorf("a repeat answered %+v, and the new key is %s", result, v.stored(again).State)
	}
	v.intact()
}

func TestEditedEntriesAreMarkedAndNotCounted(t *testing.T) {
	v := openVault(t, nil)
	k := v.issue("phone")
	for range 5 {
		v.verifyPIN(k, "0000")
	}
	if err := v.revoke(k.KeyID, "lost"); err != nil {
		t.Fatal(err)
	}
	locks := func() (n int64) {
		for _, hour := range must[[]domain.LockTrend](t)(v.LockTrend(v.ctx, 3)) {
			n += hour.Locks
		}
		return n
	}
	marked := func() (events []domain.Event) {
		entries, _, _, err := v.Audit(v.ctx, domain.EntryFilter{}, domain.Page{Limit: 200})
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if e.Tampered {
				events = append(events, e.Event)
			}
		}
		return events
	}
	if n := locks(); n != 1 || marked() != nil {
		t.Fatalf("%d locks, and marked are %v", n, marked())
	}
	v.insider().write("UPDATE audit_log SET actor = 'operator:oidc:bob' WHERE event = 'key.revoked'")
	v.insider().write("UPDATE audit_log SET outcome = 'made up' WHERE event = 'credential.locked'")
	v.insider().write("UPDATE audit_log SET event = 'guessing.suspected', reason = 'address 192.0.2.7 10 accounts 10 failures' WHERE event = 'key.issued'")
	if n := locks(); n != 0 {
		t.Errorf("an edited lock counts: %d", n)
	}
	if got := must[[]domain.Suspicion](t)(v.Suspicions(v.ctx)); len(got) != 0 {
		t.Errorf("a suspicion that was made up: %+v", got)
	}
	got := marked()
	slices.Sort(got)
	if diff := cmp.Diff([]domain.Event{domain.EventCredentialLocked, domain.EventGuessingSuspected, domain.EventKeyRevoked}, got); diff != "" {
		t.Errorf("marked (-want +got):\n%s", diff)
	}
}

func TestATruncatedLockTrendShowsOnlyTheCountedHours(t *testing.T) {
	v := openVault(t, nil)
	v.clock.Advance(time.Hour - time.Duration(v.clock.Now().UnixNano())%time.Hour) // an hour begins
	lock := func(devices ...string) {
		for _, device := range devices {
			k := v.issue(device)
			for range 5 {
				v.verifyPIN(k, "0000")
			}
		}
	}
	lock("a", "b")
	v.clock.Advance(time.Hour)
	lock("c", "d", "e")
	for most, want := range map[int][]string{2: {"2 true"}, 3: {"3 true"}, 4: {"1 true", "3 false"}, 6: {"0 false", "2 false", "3 false"}} {
		trend, err := v.counting(most).LockTrend(v.ctx, 3)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, hour := range trend {
			got = append(got, fmt.Sprint(hour.Locks, " ", hour.AtLeast))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("of %d entries (-want +got):\n%s", most, diff)
		}
	}
}

func TestFiltersThatExcludeEachOtherAreRefused(t *testing.T) {
	v := openJWT(t, nil)
	v.as("alice").issue("phone")
	page := domain.Page{Limit: 1}
	_, _, err := v.Devices(v.ctx, domain.DeviceFilter{Prefix: "p", DeviceID: "phone"}, page)
	v.code("deviceId and prefix", err, domain.CodeBadUserInput, "prefix")
	_, _, err = v.Accounts(v.ctx, domain.AccountFilter{Subject: "alice", Prefix: "a"}, page)
	v.code("subject and prefix", err, domain.CodeBadUserInput, "prefix")
}

// Someone who can write to the database cannot make the rest of a list unreachable.
func TestListsContinueAfterEditedRows(t *testing.T) {
	texts := []string{"\x01", "é\x7f", strings.Repeat("<", 2048), strings.Repeat("\x02", 2100), strings.Repeat("é", 2000), strings.Repeat("a", 2048) + "\U0010ffff\U0010ffff\U0010ffff"}
	if database := openJWT(t, nil).database; database.driver == "sqlite" { // PostgreSQL stores only UTF-8 without NUL
		texts = append(texts, "a\x00", "a\xff", strings.Repeat("\xff", 3000))
	}
	v := openJWT(t, nil)
	i := v.insider()
	for n, text := range texts {
		name := fmt.Sprint("user", n)
		k := v.as(name).issue("phone")
		i.write("UPDATE device_key SET device_id = $1 WHERE id = $2", text, k.KeyID)
		i.write("UPDATE account SET issuer = $1, subject = $1 WHERE subject = $2", text, name)
		i.write(`INSERT INTO audit_log (tenant, chain, seq, time, request_id, actor, event, outcome, operation, failed, count, duration,
				key_id, account, device, record, version, before, digest, reason, prev, hash)
			SELECT tenant, $1, CAST($2 AS BIGINT), CASE CAST($2 AS BIGINT) WHEN 1 THEN 0 ELSE time END, request_id, actor, event, outcome, operation, failed, count, duration,
				key_id, account, device, record, version, before, digest, reason, prev, hash FROM audit_log WHERE key_id = $3 AND event = 'key.issued'`,
			text, int64(n), k.KeyID)
	}
	v.as("zoe").issue("zoe's phone")

	counts := map[string]int{}
	all := func(list string, page func(domain.Page) (items int, next string, err error)) {
		t.Helper()
		for p := (domain.Page{Limit: 1}); ; {
			n, next, err := page(p)
			if err != nil {
				t.Fatalf("%s, part %d: %v", list, counts[list]+1, err)
			}
			if counts[list] += n; next == "" {
				return
			}
			if p.After = next; len(next) > operatorapi.MaxPosition || counts[list] > 100 {
				t.Fatalf("%s: position %d is %s", list, counts[list], next)
			}
		}
	}
	all("devices", func(p domain.Page) (int, string, error) {
		devices, next, err := v.Devices(v.ctx, domain.DeviceFilter{}, p)
		return len(devices), next, err
	})
	all("accounts", func(p domain.Page) (int, string, error) {
		accounts, next, err := v.Accounts(v.ctx, domain.AccountFilter{}, p)
		return len(accounts), next, err
	})
	all("entries", func(p domain.Page) (int, string, error) {
		entries, next, _, err := v.Audit(v.ctx, domain.EntryFilter{Event: domain.EventKeyIssued}, p)
		return len(entries), next, err
	})
	all("entries before tomorrow", func(p domain.Page) (int, string, error) {
		entries, next, _, err := v.Audit(v.ctx, domain.EntryFilter{Event: domain.EventKeyIssued, To: v.clock.Now().Add(24 * time.Hour)}, p)
		return len(entries), next, err
	})
	n := len(texts)
	if diff := cmp.Diff(map[string]int{"devices": n + 1, "accounts": n + 1, "entries": 2*n + 1, "entries before tomorrow": 2*n + 1}, counts); diff != "" {
		t.Errorf("listed (-want +got):\n%s", diff)
	}

	made := base64.RawURLEncoding.EncodeToString([]byte(`["devices","\u0000","a"]`)) // PostgreSQL refuses this text
	if _, _, err := v.Devices(v.ctx, domain.DeviceFilter{}, domain.Page{Limit: 1, After: made}); err != nil {
		v.code("a position that the database refuses", err, domain.CodeBadUserInput, "after")
	}
}
