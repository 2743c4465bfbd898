package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"strongroom/internal/admin"
	"strongroom/internal/config"
	"strongroom/internal/domain"
)

// show reads something from the API and prints it, as JSON or as table has it.
func show[T any](ctx context.Context, p *process, c connection, path string, query url.Values, print func(io.Writer, T)) error {
	return c.with(ctx, p, func(ctx context.Context, a *adminAPI) error {
		return showFrom(ctx, p, c, a, path, query, print)
	})
}

func showFrom[T any](ctx context.Context, p *process, c connection, a *adminAPI, path string, query url.Values, print func(io.Writer, T)) error {
	text, err := a.get(ctx, path, query)
	if err != nil {
		return err
	}
	var v T
	if err := decoded(text, &v); err != nil {
		return err
	}
	if c.JSON {
		_, err = p.stdout.Write(text)
		return err
	}
	print(p.stdout, v)
	return nil
}

// paging asks for a part of a list.
type paging struct {
	Limit *int   `placeholder:"N" help:"At most so many, up to 200 (50)."`
	After string `placeholder:"POSITION" help:"Go on from the position that the part before ended with."`
}

func (g paging) values(pairs ...string) url.Values {
	limit := ""
	if g.Limit != nil {
		limit = strconv.Itoa(*g.Limit)
	}
	return values(append(pairs, "limit", limit, "after", g.After)...)
}

// more says that a list goes on.
func more(w io.Writer, next string) {
	if next != "" {
		fmt.Fprintf(w, "There is more: --after %s\n", cell(next))
	}
}

type devicesCmd struct {
	connection
	paging
	Device    string `xor:"which" placeholder:"DEVICEID" help:"This device, of whatever account."`
	Prefix    string `xor:"which" placeholder:"TEXT" help:"Devices whose deviceId begins so."`
	AccountID string `xor:"which" placeholder:"ACCOUNTID" help:"Devices of this account."`
	Key       string `xor:"which" placeholder:"KEYID" help:"The device that has or had this key."`
}

// Run lists devices, each with its newest key, and with its account where that
// has a name of its own.
func (c devicesCmd) Run(ctx context.Context, p *process) error {
	query := c.values("deviceId", c.Device, "prefix", c.Prefix, "accountId", c.AccountID, "keyId", c.Key)
	return show(ctx, p, c.connection, "/devices", query, func(w io.Writer, list admin.List[admin.Device]) {
		columns, named := []string{"DEVICE…", "SUBJECT…", "NEWEST KEY", "STATE", "LAST USE"}, slices.ContainsFunc(list.Items, hasSubject)
		if !named {
			columns = slices.Delete(columns, 1, 2)
		}
		t := newTable(w, columns...)
		for _, d := range list.Items {
			var newest admin.Key
			if len(d.Keys) > 0 {
				newest = d.Keys[0]
			}
			row := []string{cell(d.DeviceID), cell(d.Account.Subject), cell(newest.KeyID), state(newest), inHour(newest.LastUsedAt)}
			if !named {
				row = slices.Delete(row, 1, 2)
			}
			t.row(row...)
		}
		t.print()
		more(w, list.Next)
	})
}

// hasSubject reports whether a device's account is not the device.
func hasSubject(d admin.Device) bool {
	return d.Account.Mode != domain.ModeDevice && d.Account.Subject != ""
}

// state is that of a key: of one whose row was edited nothing else counts.
func state(k admin.Key) string {
	if k.Tampered {
		return "edited"
	}
	return cell(string(k.State))
}

type deviceCmd struct {
	connection
	DeviceID string `arg:"" name:"deviceid" help:"The deviceId."`
}

// Run shows a device: those of all accounts that have one of this name.
func (c deviceCmd) Run(ctx context.Context, p *process) error {
	return c.with(ctx, p, func(ctx context.Context, a *adminAPI) error {
		text, err := a.get(ctx, "/devices", values("deviceId", c.DeviceID))
		if err != nil {
			return err
		}
		var list admin.List[admin.Device]
		switch err := decoded(text, &list); {
		case err != nil:
			return err
		case len(list.Items) == 0:
			return errors.New("no device of that name has or had a key")
		case c.JSON:
			_, err := p.stdout.Write(text)
			return err
		}
		for i, d := range list.Items {
			if i > 0 {
				fmt.Fprintln(p.stdout)
			}
			c.printDevice(p.stdout, d)
		}
		more(p.stdout, list.Next)
		return nil
	})
}

// printDevice prints a device with what matters of its keys.
func (c connection) printDevice(w io.Writer, d admin.Device) {
	t := newRecord(w)
	t.row("device", cell(d.DeviceID))
	t.account(d.Account)
	if c.Server != "" || d.KeyGeneration.Scope != "instance" { // what an instance counts in its memory is not known to this process
		t.row("asked for a key", number(d.KeyGeneration.Count)+" times, in the window that ends "+moment(d.KeyGeneration.ResetTime))
	}
	t.print()
	fmt.Fprintln(w)
	t = newTable(w, "KEY", "STATE", "CREATED", "LAST USE")
	for _, k := range d.Keys {
		t.row(cell(k.KeyID), state(k), minute(k.CreatedAt), inHour(k.LastUsedAt))
	}
	t.print()
	if d.MoreKeys {
		fmt.Fprintln(w, "It had more keys before.")
	}
}

// account adds what an account is called. In device mode it is the device.
func (t *table) account(a admin.Account) {
	t.row("account", cell(a.ID))
	t.row("mode", cell(string(a.Mode)))
	if a.Mode != domain.ModeDevice && a.Subject != "" {
		t.row("subject", cell(a.Subject))
	}
	if a.Issuer != "" {
		t.row("issuer", cell(a.Issuer))
	}
	if a.Tampered {
		t.row("its name", "edited")
	}
}

type keyCmd struct {
	connection
	KeyID string `arg:"" name:"keyid" help:"The keyId."`
}

// Run shows a key and its device.
func (c keyCmd) Run(ctx context.Context, p *process) error {
	return show(ctx, p, c.connection, "/keys/"+url.PathEscape(c.KeyID), nil, func(w io.Writer, d admin.Device) {
		t := newRecord(w)
		for _, k := range d.Keys {
			t.key(k)
		}
		t.row("device", cell(d.DeviceID))
		t.account(d.Account)
		t.print()
	})
}

func (t *table) key(k admin.Key) {
	t.row("key", cell(k.KeyID))
	t.row("state", cell(string(k.State)))
	t.row("age", since(k.CreatedAt))
	t.row("algorithm", cell(k.Algorithm))
	t.row("bits", number(k.KeySize))
	t.row("app", cell(k.AppVersion))
	t.row("created", moment(k.CreatedAt))
	t.row("expires", moment(k.ExpiresAt))
	t.row("ended", moment(k.EndedAt))
	t.row("grace until", moment(k.GraceUntil))
	t.row("last use, to the hour", inHour(k.LastUsedAt))
	t.row("edited", yes(k.Tampered))
}

type accountsCmd struct {
	connection
	paging
	Issuer  string `placeholder:"URL" help:"Only accounts of this issuer, in jwt mode. Default: accounts of any issuer."`
	Account string `xor:"which" placeholder:"NAME" help:"Accounts with this subject."`
	Prefix  string `xor:"which" placeholder:"TEXT" help:"Accounts whose subject begins with TEXT."`
}

// Run lists accounts.
func (c accountsCmd) Run(ctx context.Context, p *process) error {
	query := c.values("issuer", c.Issuer, "subject", c.Account, "prefix", c.Prefix)
	return show(ctx, p, c.connection, "/accounts", query, func(w io.Writer, list admin.List[admin.Account]) {
		t := newTable(w, "ACCOUNT", "SUBJECT…", "ISSUER…", "CREATED")
		for _, a := range list.Items {
			created := minute(a.CreatedAt)
			if a.Tampered {
				created = "edited"
			}
			t.row(cell(a.ID), cell(a.Subject), cell(a.Issuer), created)
		}
		t.print()
		more(w, list.Next)
	})
}

type accountCmd struct {
	connection
	account
}

// Run shows an account.
func (c accountCmd) Run(ctx context.Context, p *process) error {
	return c.with(ctx, p, func(ctx context.Context, a *adminAPI) error {
		path, err := c.path(ctx, a)
		if err != nil {
			return err
		}
		return showFrom(ctx, p, c.connection, a, path, nil, printAccount)
	})
}

// printAccount prints an account, and its credentials beside each other.
func printAccount(w io.Writer, info admin.AccountInfo) {
	t := newRecord(w)
	if info.Mode == domain.ModeDevice && info.Subject != "" {
		t.row("device", cell(info.Subject))
	}
	t.account(info.Account)
	t.row("created", moment(info.CreatedAt))
	t.print()
	fmt.Fprintln(w)
	columns := []string{"WHAT"}
	for _, c := range info.Credentials {
		columns = append(columns, cell(string(c.Type)))
	}
	t = newTable(w, columns...)
	for _, line := range []struct {
		what string
		is   func(admin.Credential) string
	}{
		{"set", func(c admin.Credential) string { return yes(c.Set) }},
		{"changed", func(c admin.Credential) string { return moment(c.UpdatedAt) }},
		{"last right answer", lastRight},
		{"failures in a row", func(c admin.Credential) string { return number(c.Failures) }},
		{"failures in a day", func(c admin.Credential) string { return number(c.RecentFailures) }},
		{"pending", func(c admin.Credential) string { return number(c.Pending) }},
		{"locked until", func(c admin.Credential) string {
			if c.Permanent {
				return "for-good"
			}
			return moment(c.LockedUntil)
		}},
		{"locked devices", func(c admin.Credential) string { return number(c.LockedDevices) }},
		{"edited", func(c admin.Credential) string { return yes(c.Tampered) }},
	} {
		row := []string{line.what}
		for _, c := range info.Credentials {
			row = append(row, line.is(c))
		}
		t.row(row...)
	}
	t.print()
	printDeviceLocks(w, info.Credentials)
}

// lastRight is when a right answer was given, as far as that was recorded.
func lastRight(c admin.Credential) string {
	switch {
	case c.VerifiedAt.IsZero() && !c.Set:
		return "nothing-set"
	case c.VerifiedAt.IsZero():
		return "not-recorded"
	}
	return moment(c.VerifiedAt)
}

// printDeviceLocks prints the locks of single devices, if there are any.
func printDeviceLocks(w io.Writer, credentials []admin.Credential) {
	t, some := newTable(w, "LOCKED DEVICE…", "CREDENTIAL", "LOCKED UNTIL"), false
	for _, c := range credentials {
		for _, d := range c.DeviceLocks {
			t.row(lockedDevice(d), cell(string(c.Type)), unlocksAt(d.LockedUntil, d.Permanent))
			some = true
		}
	}
	if some {
		fmt.Fprintln(w)
		t.print()
	}
}

// lockedDevice is the name of a locked device. No deviceId is printed so: one
// with a space stands in quotes.
func lockedDevice(d admin.DeviceLock) string {
	if d.DeviceID == "" {
		return "(not known)"
	}
	return cell(d.DeviceID)
}

func unlocksAt(until time.Time, permanent bool) string {
	if permanent {
		return "for-good"
	}
	return minute(until)
}

type locksCmd struct {
	connection
	paging
	Trend int `placeholder:"HOURS" help:"How many began in each of so many hours, instead of those that stand."`
}

// Run lists locks, or their trend.
func (c locksCmd) Run(ctx context.Context, p *process) error {
	if c.Trend != 0 {
		return show(ctx, p, c.connection, "/locks/trend", values("hours", strconv.Itoa(c.Trend)), func(w io.Writer, list admin.List[admin.LockTrend]) {
			t := newTable(w, "HOUR", "LOCKS")
			for _, hour := range list.Items {
				t.row(moment(hour.Start), locksIn(hour))
			}
			t.print()
		})
	}
	return show(ctx, p, c.connection, "/locks", c.values(), func(w io.Writer, list admin.List[admin.Lock]) {
		columns := []string{"ACCOUNT", "SUBJECT…", "CREDENTIAL", "LOCKED UNTIL"}
		if slices.ContainsFunc(list.Items, func(l admin.Lock) bool { return l.LockedDevices > 0 }) {
			columns = append(columns, "LOCKED DEVICE…")
		}
		t := newTable(w, columns...)
		for _, l := range list.Items {
			lockRows(t, l, len(columns))
		}
		t.print()
		more(w, list.Next)
	})
}

func locksIn(hour admin.LockTrend) string {
	if hour.AtLeast {
		return "at-least-" + number(hour.Locks)
	}
	return number(hour.Locks)
}

// lockRows adds a row for the lock of the account, and one for that of each
// device. Of a ledger whose row was edited nothing counts.
func lockRows(t *table, l admin.Lock, columns int) {
	row := func(until, device string) {
		t.row([]string{cell(l.Account.ID), cell(l.Account.Subject), cell(string(l.Type)), until, device}[:columns]...)
	}
	switch {
	case l.Tampered:
		row("edited", cell(""))
		return
	case l.Permanent || !l.LockedUntil.IsZero():
		row(unlocksAt(l.LockedUntil, l.Permanent), cell(""))
	}
	for _, d := range l.DeviceLocks {
		row(unlocksAt(d.LockedUntil, d.Permanent), lockedDevice(d))
	}
}

type suspicionsCmd struct{ connection }

// Run lists suspicions.
func (c suspicionsCmd) Run(ctx context.Context, p *process) error {
	return show(ctx, p, c.connection, "/suspicions", nil, func(w io.Writer, list admin.List[admin.Suspicion]) {
		t := newTable(w, "KIND", "SOURCE", "ACCOUNTS", "FAILURES", "LAST")
		for _, s := range list.Items {
			t.row(cell(s.Kind), cell(s.Source), number(s.Accounts), number(s.Failures), minute(s.LastAt))
		}
		t.print()
	})
}

type healthCmd struct{ connection }

// Run shows the health of the instance that answers. Without a server that is
// this command, which serves nobody: only what it found in the store counts.
func (c healthCmd) Run(ctx context.Context, p *process) error {
	return c.with(ctx, p, func(ctx context.Context, a *adminAPI) error {
		text, err := a.get(ctx, "/health", nil)
		if err != nil {
			return err
		}
		if c.JSON && c.Server == "" {
			text, err = withoutMembers(text, ofServers)
		}
		if err == nil && c.JSON {
			_, err = p.stdout.Write(text)
			return err
		}
		var h admin.Health
		if err := errors.Join(err, decoded(text, &h)); err != nil {
			return err
		}
		c.print(p.stdout, h)
		return nil
	})
}

// ofServers are the figures that only a process that serves has.
var ofServers = []string{"instance", "keyPool", "keyPoolSize", "lanes", "lanesBusy", "waiting", "waitingMost", "rollupLagSeconds", "auditLagSeconds", "checkpointAt"}

func (c healthCmd) print(w io.Writer, h admin.Health) {
	served := c.Server != ""
	t := newRecord(w)
	if served {
		t.row("instance", cell(h.Instance))
	}
	t.row("version", cell(h.Version))
	t.row("accounts", cell(string(h.Mode)))
	t.row("store", yes(h.Store))
	t.row("root key", yes(h.RootKey))
	if served {
		t.row("key pool", number(h.KeyPool)+" of "+number(h.KeyPoolSize))
		t.row("lanes busy", number(h.LanesBusy)+" of "+number(h.Lanes))
		t.row("waiting", number(h.Waiting)+" of at most "+number(h.WaitingMost))
		t.row("roll-up lag", seconds(h.RollupLag))
		t.row("audit lag", seconds(h.AuditLag))
		t.row("checkpoint", moment(h.CheckpointAt))
	}
	t.row("store's time", moment(h.StoreTime))
	t.row("instance's time", moment(h.InstanceTime))
	t.row("schema", number(h.SchemaVersion))
	t.print()
}

// withoutMembers leaves members out of a JSON object.
func withoutMembers(text []byte, names []string) ([]byte, error) {
	var object map[string]json.RawMessage
	if err := decoded(text, &object); err != nil {
		return nil, err
	}
	for _, name := range names {
		delete(object, name)
	}
	text, err := json.Marshal(object)
	return append(text, '\n'), err
}

func seconds(s float64) string { return decimal(s) + "s" }

type postureCmd struct{ connection }

// Run shows the posture in the words of config check, and below each part that
// is off by which settings, and what an attacker gains.
func (c postureCmd) Run(ctx context.Context, p *process) error {
	return show(ctx, p, c.connection, "/posture", nil, func(w io.Writer, list admin.List[admin.Part]) {
		t := newTable(w, "PART", "STATE", "WEIGHT")
		for _, part := range list.Items {
			t.row(cell(part.Name), cell(part.State), weight(part.Demanded))
		}
		t.print()
		for _, part := range list.Items {
			if part.Gain != "" && part.State == string(config.Off) {
				fmt.Fprintln(w)
				wrapped(w, "", words(part.Name+" is off, by "+strings.Join(part.Settings, ", ")+":"), usualLine)
				wrapped(w, "  ", words(part.Gain), usualLine)
			}
		}
	})
}

type operationsCmd struct {
	connection
	Hours   float64 `default:"24" placeholder:"N" help:"How far to look back, in hours."`
	Summary bool    `help:"Their sums."`
}

// Run shows operations.
func (c operationsCmd) Run(ctx context.Context, p *process) error {
	query := values("hours", strconv.FormatFloat(c.Hours, 'f', -1, 64))
	if c.Summary {
		return show(ctx, p, c.connection, "/summary", query, printSummary)
	}
	return show(ctx, p, c.connection, "/operations", query, func(w io.Writer, o admin.Operations) {
		t := newTable(w, "START", "OPERATIONS", "FAILURES", "AVERAGE MS", "P50 MS", "P95 MS", "P99 MS")
		for _, s := range o.Items {
			t.row(moment(s.Start), number(s.Operations), number(s.Failures), decimal(s.AverageDuration),
				percentile(s.P50Duration), percentile(s.P95Duration), percentile(s.P99Duration))
		}
		t.print()
		fmt.Fprintf(w, "Each line is %s.\n", seconds(o.WidthSeconds))
	})
}

// percentile is one of timed operations, of which there may be none.
func percentile(ms float64) string {
	if ms == 0 {
		return cell("")
	}
	return decimal(ms)
}

func decimal(n float64) string { return strconv.FormatFloat(n, 'f', 1, 64) }

func printSummary(w io.Writer, s admin.Summary) {
	t := newRecord(w)
	t.row("operations", number(s.TotalOperations))
	t.row("successful", number(s.SuccessfulOperations))
	t.row("failed", number(s.FailedOperations))
	t.row("success rate", decimal(s.SuccessRate)+" %")
	t.row("average", decimal(s.AverageDuration)+" ms")
	if s.TimedOperations > 0 {
		t.row("p50, p95, p99", decimal(s.P50Duration)+", "+decimal(s.P95Duration)+", "+decimal(s.P99Duration)+" ms")
	}
	if s.TimedOperations < s.TotalOperations {
		t.row("percentiles of", number(s.TimedOperations)+" operations: a version before counted the others")
	}
	t.row("devices", number(s.UniqueDevices))
	t.print()
}
