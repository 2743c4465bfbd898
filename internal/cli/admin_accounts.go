package cli

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"time"

	"strongroom/internal/admin"
	"strongroom/internal/adminclient"
	"strongroom/internal/domain"
	"strongroom/internal/table"
)

type accountsCmd struct {
	connection
	paging
	Issuer  string `placeholder:"URL" help:"Only accounts of this issuer, in jwt mode. Default: accounts of any issuer."`
	Account string `xor:"which" placeholder:"NAME" help:"Accounts with this subject."`
	Prefix  string `xor:"which" placeholder:"TEXT" help:"Accounts whose subject begins with TEXT."`
}

// Run lists accounts.
func (c accountsCmd) Run(ctx context.Context, p *Program) error {
	query := c.values("issuer", c.Issuer, "subject", c.Account, "prefix", c.Prefix)
	return show(ctx, p, c.connection, "/accounts", query, func(w io.Writer, list admin.List[admin.Account]) {
		t := table.New(w, "ACCOUNT", "SUBJECT…", "ISSUER…", "CREATED")
		for _, a := range list.Items {
			created := table.Minute(a.CreatedAt)
			if a.Tampered {
				created = "edited"
			}
			t.Row(a.ID, a.Subject, a.Issuer, created)
		}
		t.Print()
		more(w, list.Next)
	})
}

type accountCmd struct {
	Show   accountShowCmd   `cmd:"" default:"withargs" help:"Show an account with its credentials, failures and locks."`
	Export accountExportCmd `cmd:"" help:"Print everything that is stored about an account as JSON, for a request of its user."`
}

type accountShowCmd struct {
	connection
	account
}

// Run shows an account.
func (c accountShowCmd) Run(ctx context.Context, p *Program) error {
	return c.with(ctx, p, func(a *adminclient.Client) error {
		path, err := c.path(ctx, a)
		if err != nil {
			return err
		}
		return showFrom(ctx, p, c.connection, a, path, nil, printAccount)
	})
}

// printAccount prints an account, and its credentials side by side.
func printAccount(w io.Writer, info admin.AccountInfo) {
	t := table.NewRecord(w)
	if info.Mode == domain.ModeDevice && info.Subject != "" {
		t.Field("device", info.Subject)
	}
	accountFields(t, info.Account)
	t.Field("created", info.CreatedAt)
	t.Print()
	fmt.Fprintln(w)
	columns := []string{"WHAT"}
	for _, c := range info.Credentials {
		columns = append(columns, table.Cell(c.Type))
	}
	t = table.New(w, columns...)
	for _, line := range []struct {
		what string
		of   func(admin.Credential) any
	}{
		{"set", func(c admin.Credential) any { return c.Set }},
		{"changed", func(c admin.Credential) any { return c.UpdatedAt }},
		{"last right answer", func(c admin.Credential) any { return lastRight(c) }},
		{"failures in a row", func(c admin.Credential) any { return c.Failures }},
		{"failures in a day", func(c admin.Credential) any { return c.RecentFailures }},
		{"attempts left", func(c admin.Credential) any { return c.AttemptsLeft }},
		{"must change", func(c admin.Credential) any { return c.MustChange }},
		{"pending", func(c admin.Credential) any { return c.Pending }},
		{"locked until", func(c admin.Credential) any {
			if c.Permanent {
				return forGood
			}
			return c.LockedUntil
		}},
		{"locked devices", func(c admin.Credential) any { return c.LockedDevices }},
		{"edited", func(c admin.Credential) any { return c.Tampered }},
	} {
		row := []any{table.Text(line.what)}
		for _, c := range info.Credentials {
			row = append(row, line.of(c))
		}
		t.Row(row...)
	}
	t.Print()
	printDeviceLocks(w, info.Credentials)
}

// lastRight returns the time of the last successful verification, if it was recorded.
func lastRight(c admin.Credential) string {
	switch {
	case c.VerifiedAt.IsZero() && !c.Set:
		return "nothing-set"
	case c.VerifiedAt.IsZero():
		return "not-recorded"
	}
	return table.Cell(c.VerifiedAt)
}

// printDeviceLocks prints the locks of single devices, if there are any.
func printDeviceLocks(w io.Writer, credentials []admin.Credential) {
	t, some := table.New(w, "LOCKED DEVICE…", "CREDENTIAL", "LOCKED UNTIL"), false
	for _, c := range credentials {
		for _, d := range c.DeviceLocks {
			t.Row(lockedDevice(d), c.Type, unlocksAt(d.LockedUntil, d.Permanent))
			some = true
		}
	}
	if some {
		fmt.Fprintln(w)
		t.Print()
	}
}

// lockedDevice returns the name of a locked device. No deviceId looks like "(not known)",
// because a deviceId with a space is printed in quotes.
func lockedDevice(d admin.DeviceLock) any {
	if d.DeviceID == "" {
		return table.Text("(not known)")
	}
	return d.DeviceID
}

const forGood table.Text = "for-good"

func unlocksAt(until time.Time, permanent bool) table.Text {
	if permanent {
		return forGood
	}
	return table.Minute(until)
}

type locksCmd struct {
	connection
	paging
	Trend int `placeholder:"HOURS" help:"Show how many locks began in each of the last HOURS hours, instead of active locks."`
}

// Run lists locks, or their trend.
func (c locksCmd) Run(ctx context.Context, p *Program) error {
	if c.Trend != 0 {
		return show(ctx, p, c.connection, "/locks/trend", values("hours", strconv.Itoa(c.Trend)), func(w io.Writer, list admin.List[admin.LockTrend]) {
			t := table.New(w, "HOUR", "LOCKS")
			for _, hour := range list.Items {
				t.Row(hour.Start, locksIn(hour))
			}
			t.Print()
		})
	}
	return show(ctx, p, c.connection, "/locks", c.values(), func(w io.Writer, list admin.List[admin.Lock]) {
		device := ""
		if slices.ContainsFunc(list.Items, func(l admin.Lock) bool { return l.LockedDevices > 0 }) {
			device = "LOCKED DEVICE…"
		}
		t := table.New(w, "ACCOUNT", "SUBJECT…", "CREDENTIAL", "LOCKED UNTIL", device)
		for _, l := range list.Items {
			lockRows(t, l)
		}
		t.Print()
		more(w, list.Next)
	})
}

func locksIn(hour admin.LockTrend) table.Text {
	if hour.AtLeast {
		return table.Textf("at-least-%d", hour.Locks)
	}
	return table.Textf("%d", hour.Locks)
}

// lockRows adds a row for the lock of the account, and one for the lock of each device.
// An attempt counter that was edited in the database shows nothing else: its values
// cannot be trusted.
func lockRows(t *table.Table, l admin.Lock) {
	row := func(until, device any) { t.Row(l.Account.ID, l.Account.Subject, l.Type, until, device) }
	switch {
	case l.Tampered:
		row("edited", "")
		return
	case l.Permanent || !l.LockedUntil.IsZero():
		row(unlocksAt(l.LockedUntil, l.Permanent), "")
	}
	for _, d := range l.DeviceLocks {
		row(unlocksAt(d.LockedUntil, d.Permanent), lockedDevice(d))
	}
}
