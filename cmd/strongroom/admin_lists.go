package main

import (
	"context"
	"fmt"
	"io"
	"net/url"
	"strconv"
	"strings"

	"strongroom/internal/admin"
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
	Limit int    `default:"50" placeholder:"N" help:"At most so many, up to 200."`
	After string `placeholder:"POSITION" help:"Go on from the position that the part before ended with."`
}

func (g paging) values(pairs ...string) url.Values {
	return values(append(pairs, "limit", strconv.Itoa(g.Limit), "after", g.After)...)
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

// Run lists devices, each with its newest key.
func (c devicesCmd) Run(ctx context.Context, p *process) error {
	query := c.values("deviceId", c.Device, "prefix", c.Prefix, "accountId", c.AccountID, "keyId", c.Key)
	return show(ctx, p, c.connection, "/devices", query, func(w io.Writer, list admin.List[admin.Device]) {
		t := newTable(w, "DEVICE", "SUBJECT", "NEWEST KEY", "STATE", "AGE", "APP", "LAST USE", "ASKED FOR")
		for _, d := range list.Items {
			var newest admin.Key
			if len(d.Keys) > 0 {
				newest = d.Keys[0]
			}
			t.row(cell(d.DeviceID), cell(d.Account.Subject), cell(newest.KeyID), cell(string(newest.State)), since(newest.CreatedAt),
				cell(newest.AppVersion), moment(newest.LastUsedAt), c.askedFor(d.KeyGeneration))
		}
		_ = t.Flush() // terminal output: there is nobody left to tell
		more(w, list.Next)
	})
}

type deviceCmd struct {
	connection
	DeviceID string `arg:"" name:"deviceid" help:"The deviceId."`
}

// Run shows a device: those of all accounts that have one of this name.
func (c deviceCmd) Run(ctx context.Context, p *process) error {
	return show(ctx, p, c.connection, "/devices", values("deviceId", c.DeviceID), func(w io.Writer, list admin.List[admin.Device]) {
		if len(list.Items) == 0 {
			fmt.Fprintln(w, "No device of that name has or had a key.")
		}
		for _, d := range list.Items {
			c.printDevice(w, d)
		}
		more(w, list.Next)
	})
}

type keyCmd struct {
	connection
	KeyID string `arg:"" name:"keyid" help:"The keyId."`
}

// Run shows a key.
func (c keyCmd) Run(ctx context.Context, p *process) error {
	return show(ctx, p, c.connection, "/keys/"+url.PathEscape(c.KeyID), nil, c.printDevice)
}

// askedFor is how often a device asked for a key. What an instance counts in
// its memory is not known to this process.
func (c connection) askedFor(g admin.KeyGeneration) string {
	if c.Server == "" && g.Scope == "instance" {
		return "-"
	}
	return number(g.Count)
}

func (c connection) printDevice(w io.Writer, d admin.Device) {
	fmt.Fprintf(w, "Device %s of %s\n", cell(d.DeviceID), called(d.Account))
	if asked := c.askedFor(d.KeyGeneration); asked != "-" {
		fmt.Fprintf(w, "Times it asked for a key: %s, in the window that ends %s\n", asked, moment(d.KeyGeneration.ResetTime))
	}
	t := newTable(w, "KEY", "STATE", "AGE", "ALGORITHM", "BITS", "APP", "CREATED", "EXPIRES", "ENDED", "GRACE UNTIL", "LAST USE", "EDITED")
	for _, k := range d.Keys {
		t.row(cell(k.KeyID), cell(string(k.State)), since(k.CreatedAt), cell(k.Algorithm), number(k.KeySize), cell(k.AppVersion),
			moment(k.CreatedAt), moment(k.ExpiresAt), moment(k.EndedAt), moment(k.GraceUntil), moment(k.LastUsedAt), yes(k.Tampered))
	}
	_ = t.Flush()
	if d.MoreKeys {
		fmt.Fprintln(w, "It had more keys before.")
	}
}

// called is how an account is named in a line.
func called(a admin.Account) string {
	name := "account " + cell(a.ID) + ", " + cell(string(a.Mode))
	if a.Subject != "" {
		name += " " + cell(a.Subject)
	}
	if a.Issuer != "" {
		name += " of " + cell(a.Issuer)
	}
	return name
}

type accountsCmd struct {
	connection
	paging
	Issuer  string `placeholder:"URL" help:"Of this issuer, in jwt mode."`
	Account string `xor:"which" placeholder:"ID" help:"This one, by its subject."`
	Prefix  string `xor:"which" placeholder:"TEXT" help:"Whose subject begins so."`
}

// Run lists accounts.
func (c accountsCmd) Run(ctx context.Context, p *process) error {
	query := c.values("issuer", c.Issuer, "subject", c.Account, "prefix", c.Prefix)
	return show(ctx, p, c.connection, "/accounts", query, func(w io.Writer, list admin.List[admin.Account]) {
		t := newTable(w, "ACCOUNT", "SUBJECT", "ISSUER", "CREATED")
		for _, a := range list.Items {
			t.row(cell(a.ID), cell(a.Subject), cell(a.Issuer), moment(a.CreatedAt))
		}
		_ = t.Flush()
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

func printAccount(w io.Writer, info admin.AccountInfo) {
	name := called(info.Account)
	fmt.Fprintf(w, "%s, since %s\n", strings.ToUpper(name[:1])+name[1:], moment(info.CreatedAt))
	t := newTable(w, "CREDENTIAL", "SET", "CHANGED", "FAILURES", "RECENT", "PENDING", "LOCKED UNTIL", "LOCKED DEVICES", "RIGHT ANSWER", "EDITED")
	for _, c := range info.Credentials {
		t.row(cell(string(c.Type)), yes(c.Set), moment(c.UpdatedAt), number(c.Failures), number(c.RecentFailures), number(c.Pending),
			until(c.LockedUntil, c.Permanent), number(c.LockedDevices), moment(c.VerifiedAt), yes(c.Tampered))
	}
	_ = t.Flush()
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
				t.row(moment(hour.Start), number(hour.Locks))
			}
			_ = t.Flush()
		})
	}
	return show(ctx, p, c.connection, "/locks", c.values(), func(w io.Writer, list admin.List[admin.Lock]) {
		t := newTable(w, "ACCOUNT", "SUBJECT", "CREDENTIAL", "FAILURES", "LOCKED UNTIL", "LOCKED DEVICES")
		for _, l := range list.Items {
			t.row(cell(l.Account.ID), cell(l.Account.Subject), cell(string(l.Type)), number(l.Failures), until(l.LockedUntil, l.Permanent), number(l.LockedDevices))
		}
		_ = t.Flush()
		more(w, list.Next)
	})
}

type suspicionsCmd struct{ connection }

// Run lists suspicions.
func (c suspicionsCmd) Run(ctx context.Context, p *process) error {
	return show(ctx, p, c.connection, "/suspicions", nil, func(w io.Writer, list admin.List[admin.Suspicion]) {
		t := newTable(w, "KIND", "SOURCE", "ACCOUNTS", "FAILURES", "FIRST", "LAST")
		for _, s := range list.Items {
			t.row(cell(s.Kind), cell(s.Source), number(s.Accounts), number(s.Failures), moment(s.FirstAt), moment(s.LastAt))
		}
		_ = t.Flush()
	})
}

type healthCmd struct{ connection }

// Run shows how the instance is.
func (c healthCmd) Run(ctx context.Context, p *process) error {
	return show(ctx, p, c.connection, "/health", nil, func(w io.Writer, h admin.Health) {
		t := newTable(w, "WHAT", "IS")
		t.row("instance", cell(h.Instance))
		t.row("version", cell(h.Version))
		t.row("accounts", cell(string(h.Mode)))
		t.row("store", yes(h.Store))
		t.row("root key", yes(h.RootKey))
		t.row("key pool", number(h.KeyPool)+" of "+number(h.KeyPoolSize))
		t.row("lanes busy", number(h.LanesBusy)+" of "+number(h.Lanes))
		t.row("waiting", number(h.Waiting)+" of at most "+number(h.WaitingMost))
		t.row("roll-up lag", seconds(h.RollupLag))
		t.row("audit lag", seconds(h.AuditLag))
		t.row("checkpoint", moment(h.CheckpointAt))
		t.row("store's time", moment(h.StoreTime))
		t.row("instance's time", moment(h.InstanceTime))
		t.row("schema", number(h.SchemaVersion))
		_ = t.Flush()
	})
}

func seconds(s float64) string { return decimal(s) + "s" }

type postureCmd struct{ connection }

// Run shows the posture.
func (c postureCmd) Run(ctx context.Context, p *process) error {
	return show(ctx, p, c.connection, "/posture", nil, func(w io.Writer, list admin.List[admin.Part]) {
		t := newTable(w, "PART", "STATE", "HARDENED", "SETTINGS", "WHERE IT IS OFF")
		for _, part := range list.Items {
			t.row(cell(part.Name), cell(part.State), yes(part.Demanded), cell(strings.Join(part.Settings, ",")), words(part.Gain))
		}
		_ = t.Flush()
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
		t := newTable(w, "START", "OPERATIONS", "FAILURES", "AVERAGE MS")
		for _, s := range o.Items {
			t.row(moment(s.Start), number(s.Operations), number(s.Failures), decimal(s.AverageDuration))
		}
		_ = t.Flush()
		fmt.Fprintf(w, "Each line is %s.\n", seconds(o.WidthSeconds))
	})
}

func decimal(n float64) string { return strconv.FormatFloat(n, 'f', 1, 64) }

type trailCmd struct {
	connection
	paging
	AccountID string `placeholder:"ACCOUNTID" help:"Entries about this account."`
	Device    string `placeholder:"DEVICEID" help:"About this device; outside of device mode together with --account-id."`
	Key       string `placeholder:"KEYID" help:"About this key."`
	Record    string `placeholder:"KIND/ID" help:"About this row."`
	Event     string `placeholder:"EVENT" help:"Of this event, as key.revoked."`
	Outcome   string `placeholder:"WORD" help:"With this outcome."`
	Actor     string `placeholder:"NAME" help:"By this actor; operator is any operator."`
	Request   string `placeholder:"ID" help:"Of this request."`
	From      string `placeholder:"TIME" help:"From this time on, as 2006-01-02T15:04:05Z."`
	To        string `placeholder:"TIME" help:"Before this time."`
}

// Run searches the trail.
func (c trailCmd) Run(ctx context.Context, p *process) error {
	query := c.values("accountId", c.AccountID, "deviceId", c.Device, "keyId", c.Key, "record", c.Record, "event", c.Event,
		"outcome", c.Outcome, "actor", c.Actor, "requestId", c.Request, "from", c.From, "to", c.To)
	return show(ctx, p, c.connection, "/audit", query, func(w io.Writer, page admin.AuditPage) {
		t := newTable(w, "TIME", "EVENT", "OUTCOME", "COUNT", "ACTOR", "REQUEST", "RECORD", "REASON")
		for _, e := range page.Items {
			t.row(moment(e.Time), cell(string(e.Event)), cell(e.Outcome), number(e.Count), cell(e.Actor), cell(e.RequestID), cell(e.Record), words(e.Reason))
		}
		_ = t.Flush()
		if page.Next != "" && !page.SearchedTo.IsZero() {
			fmt.Fprintf(w, "Searched back to %s.\n", moment(page.SearchedTo))
		}
		more(w, page.Next)
	})
}

type rotationStatusCmd struct{ connection }

// Run lists rotation plans.
func (c rotationStatusCmd) Run(ctx context.Context, p *process) error {
	return show(ctx, p, c.connection, "/rotation-plans", nil, func(w io.Writer, list admin.List[admin.RotationPlan]) {
		t := newTable(w, "PLAN", "KEYS BEFORE", "BITS", "REFUSES", "STARTED", "BY", "STOPPED", "BY", "SELECTED", "REMAINING", "REASON")
		for _, plan := range list.Items {
			bits := "any"
			if plan.KeySize != 0 {
				bits = number(plan.KeySize)
			}
			t.row(cell(plan.ID), moment(plan.CreatedBefore), bits, yes(plan.RefuseUse), moment(plan.StartedAt), cell(plan.StartedBy),
				moment(plan.StoppedAt), cell(plan.StoppedBy), number(plan.Selected), number(plan.Remaining), words(plan.Reason))
		}
		_ = t.Flush()
	})
}

func printSummary(w io.Writer, s domain.Summary) {
	t := newTable(w, "WHAT", "IS")
	t.row("operations", number(s.TotalOperations))
	t.row("successful", number(s.SuccessfulOperations))
	t.row("failed", number(s.FailedOperations))
	t.row("success rate", decimal(s.SuccessRate)+" %")
	t.row("average", decimal(s.AverageDuration)+" ms")
	t.row("devices", number(s.UniqueDevices))
	_ = t.Flush()
}
