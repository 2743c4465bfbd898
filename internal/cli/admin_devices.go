package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"slices"

	"strongroom/internal/admin"
	"strongroom/internal/adminclient"
	"strongroom/internal/domain"
	"strongroom/internal/table"
)

type devicesCmd struct {
	connection
	paging
	Device    string `xor:"which" placeholder:"DEVICEID" help:"Devices with this deviceId, of any account."`
	Prefix    string `xor:"which" placeholder:"TEXT" help:"Devices whose deviceId begins with TEXT."`
	AccountID string `xor:"which" placeholder:"ACCOUNTID" help:"Devices of this account."`
	Key       string `xor:"which" placeholder:"KEYID" help:"The device that has or had this key."`
}

// Run lists devices, each with its newest key, and with the subject of its account if
// accounts are not devices.
func (c devicesCmd) Run(ctx context.Context, p *Program) error {
	query := c.values("deviceId", c.Device, "prefix", c.Prefix, "accountId", c.AccountID, "keyId", c.Key)
	return show(ctx, p, c.connection, "/devices", query, func(w io.Writer, list admin.List[admin.Device]) {
		subject := ""
		if slices.ContainsFunc(list.Items, hasSubject) {
			subject = "SUBJECT…"
		}
		t := table.New(w, "DEVICE…", subject, "NEWEST KEY", "STATE", "LAST USE")
		for _, d := range list.Items {
			var newest admin.Key
			if len(d.Keys) > 0 {
				newest = d.Keys[0]
			}
			t.Row(d.DeviceID, d.Account.Subject, newest.KeyID, state(newest), table.Hour(newest.LastUsedAt))
		}
		t.Print()
		more(w, list.Next)
	})
}

// hasSubject reports whether a device's account is not the device.
func hasSubject(d admin.Device) bool {
	return d.Account.Mode != domain.ModeDevice && d.Account.Subject != ""
}

// state returns the state of a key, or "edited" if its row was edited in the database.
func state(k admin.Key) domain.KeyState {
	if k.Tampered {
		return "edited"
	}
	return k.State
}

type deviceCmd struct {
	connection
	DeviceID string `arg:"" name:"deviceid" help:"The deviceId."`
}

// Run shows a device, or the devices of all accounts that have one with this deviceId.
func (c deviceCmd) Run(ctx context.Context, p *Program) error {
	return c.with(ctx, p, func(a *adminclient.Client) error {
		text, err := a.Get(ctx, "/devices", values("deviceId", c.DeviceID))
		if err != nil {
			return err
		}
		var list admin.List[admin.Device]
		switch err := adminclient.Decode(text, &list); {
		case err != nil:
			return err
		case len(list.Items) == 0:
			return errors.New("no device with this deviceId has or had a key")
		case c.JSON:
			return p.writeJSON(text)
		}
		for i, d := range list.Items {
			if i > 0 {
				fmt.Fprintln(p.Stdout)
			}
			c.printDevice(p.Stdout, d)
		}
		if list.Next != "" {
			fmt.Fprintf(p.Stdout, "More results: strongroom admin devices --device %s --after %s\n", shellWord(c.DeviceID), table.Cell(list.Next))
		}
		return nil
	})
}

// printDevice prints a device with a summary of its keys.
func (c connection) printDevice(w io.Writer, d admin.Device) {
	t := table.NewRecord(w)
	t.Field("device", d.DeviceID)
	accountFields(t, d.Account)
	if c.Server != "" || d.KeyGeneration.Scope != "instance" { // this process does not know what an instance counts in its memory
		requests := "none in the last 24 hours" // in the words of the console
		if d.KeyGeneration.Count > 0 {
			requests = fmt.Sprintf("%d in the window that ends %s", d.KeyGeneration.Count, table.Cell(d.KeyGeneration.ResetTime))
		}
		t.Field("key requests", table.Text(requests))
	}
	t.Print()
	fmt.Fprintln(w)
	t = table.New(w, "KEY", "STATE", "CREATED", "LAST USE")
	for _, k := range d.Keys {
		t.Row(k.KeyID, state(k), table.Minute(k.CreatedAt), table.Hour(k.LastUsedAt))
	}
	t.Print()
	if d.MoreKeys {
		fmt.Fprintln(w, "The device also had older keys, which are not shown.")
	}
}

type keyCmd struct {
	connection
	KeyID keyID `arg:"" name:"keyid" help:"The keyId."`
}

// Run shows a key and its device.
func (c keyCmd) Run(ctx context.Context, p *Program) error {
	return show(ctx, p, c.connection, "/keys/"+url.PathEscape(string(c.KeyID)), nil, func(w io.Writer, d admin.Device) {
		t := table.NewRecord(w)
		for _, k := range d.Keys {
			keyFields(t, k)
		}
		t.Field("device", d.DeviceID)
		accountFields(t, d.Account)
		t.Print()
	})
}

func keyFields(t *table.Table, k admin.Key) {
	t.Field("key", k.KeyID)
	t.Field("state", k.State)
	t.Field("age", table.Since(k.CreatedAt))
	t.Field("algorithm", k.Algorithm)
	t.Field("bits", k.KeySize)
	t.Field("app", k.AppVersion)
	t.Field("bound to (jkt)", k.Thumbprint)
	t.Field("created", k.CreatedAt)
	t.Field("expires", k.ExpiresAt)
	t.Field("ended", k.EndedAt)
	t.Field("grace until", k.GraceUntil)
	t.Field("last use, to the hour", table.Hour(k.LastUsedAt))
	t.Field("edited", k.Tampered)
}
