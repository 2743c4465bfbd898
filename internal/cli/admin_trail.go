package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net/url"
	"strconv"
	"strings"
	"time"

	"strongroom/internal/admin"
	"strongroom/internal/adminclient"
	"strongroom/internal/domain"
	"strongroom/internal/table"
)

type trailCmd struct {
	connection
	paging
	All       bool   `help:"Search to the end, or until --limit entries are found. --limit may then be above 200."`
	Detail    bool   `help:"Show all fields of each entry, one per line."`
	Account   string `xor:"account" placeholder:"ID" help:"Entries about the account with this subject: the sub claim of its tokens, or its name in the gateway's header."`
	Issuer    string `placeholder:"URL" help:"Issuer of that account's tokens, in jwt mode. Required if several issuers have an account of this name."`
	AccountID string `xor:"account" placeholder:"ACCOUNTID" help:"Entries about this account, also after its erasure."`
	Hash      string `xor:"account" name:"account-hash" placeholder:"HASH" help:"Entries about the account with this hash."`
	Device    string `placeholder:"DEVICEID" help:"Entries about this device. Needs --account or --account-id, except in device mode."`
	Key       string `placeholder:"KEYID" help:"Entries about this key."`
	Record    string `placeholder:"KIND/ID" help:"Entries about this record."`
	Event     string `placeholder:"EVENT" help:"Entries of this event, such as key.revoked."`
	Outcome   string `placeholder:"WORD" help:"Entries with this outcome."`
	Actor     string `placeholder:"NAME" help:"Entries by this actor. The prefix operator: is optional for operators; operator alone means all of them."`
	Request   string `placeholder:"ID" help:"Only entries of this request. The search continues until all of them are found."`
	From      string `placeholder:"TIME" help:"Entries from this time on, such as 2006-01-02T15:04:05Z or 2006-01-02T16:04:05+01:00, or as a list shows it. Default zone: UTC."`
	To        string `placeholder:"TIME" help:"Entries before this time, written as for --from."`
}

// Run searches the trail.
func (c trailCmd) Run(ctx context.Context, p *Program) error {
	query := c.values("accountId", c.AccountID, "accountHash", c.Hash, "deviceId", c.Device, "keyId", c.Key, "record", c.Record, "event", c.Event,
		"outcome", c.Outcome, "actor", c.Actor, "requestId", c.Request, "from", c.From, "to", c.To)
	return c.with(ctx, p, func(a *adminclient.Client) error {
		if err := c.name(ctx, a, query); err != nil {
			return err
		}
		if c.All || c.Request != "" {
			return c.all(ctx, p, a, query)
		}
		return showFrom(ctx, p, c.connection, a, "/audit", query, func(w io.Writer, page admin.AuditPage) {
			c.printer(w)(page.Items)
			if page.Next != "" && !page.SearchedTo.IsZero() {
				fmt.Fprintf(w, "Searched back to %s.\n", table.Cell(page.SearchedTo))
			}
			more(w, page.Next)
		})
	})
}

// name adds the id of the account that --account names to the query. It refuses --device
// without the account that it needs, because the API names its parameters, not the flags.
func (c trailCmd) name(ctx context.Context, a *adminclient.Client, query url.Values) error {
	switch {
	case c.Account == "" && c.Issuer != "":
		return usageError("--issuer needs --account")
	case c.Device != "" && c.Hash != "":
		return usageError("--device cannot be combined with --account-hash")
	case c.Device != "" && c.Account == "" && c.AccountID == "":
		var index admin.Index
		if err := a.Read(ctx, "", nil, &index); err != nil || index.Mode == domain.ModeDevice {
			return err
		}
		return usageError("--device needs --account or --account-id: the database has accounts of mode " + string(index.Mode) + ", and several accounts can use the same deviceId")
	case c.Account == "":
		return nil
	}
	path, err := account{Account: nonEmpty(c.Account), Issuer: c.Issuer}.path(ctx, a)
	query.Set("accountId", strings.TrimPrefix(path, "/accounts/"))
	return err
}

const (
	trailPart     = 200             // entries per request
	progressEvery = 2 * time.Second // between messages on the progress of a long search
)

// all repeats the search from where the last answer stopped, until the end of the
// trail or --limit. It prints how far it is and, if interrupted, where to continue.
func (c trailCmd) all(ctx context.Context, p *Program, a *adminclient.Client, query url.Values) error {
	print, left, told := c.printer(p.Stdout), math.MaxInt, time.Now()
	if c.Limit != nil {
		left = *c.Limit
	}
	for {
		query.Set("limit", strconv.Itoa(min(left, trailPart)))
		text, err := a.Get(ctx, "/audit", query)
		if ctx.Err() != nil {
			return interrupted(query.Get("after"))
		}
		if err != nil {
			return err
		}
		var page admin.AuditPage
		if err := adminclient.Decode(text, &page); err != nil {
			return err
		}
		if c.JSON {
			if err := p.writeJSON(text); err != nil {
				return err
			}
		} else {
			print(page.Items)
		}
		left -= len(page.Items)
		switch {
		case page.Next == "":
			return nil
		case left <= 0:
			if !c.JSON { // the answer has it
				more(p.Stdout, page.Next)
			}
			return nil
		}
		query.Set("after", page.Next)
		if !page.SearchedTo.IsZero() && time.Since(told) >= progressEvery {
			fmt.Fprintf(p.Stderr, "searched back to %s\n", table.Cell(page.SearchedTo))
			told = time.Now()
		}
	}
}

func interrupted(position string) error {
	if position == "" {
		return errors.New("interrupted")
	}
	return fmt.Errorf("interrupted: to continue, add --after %s", table.Cell(position))
}

// roomForKey is the width of a terminal in which an entry and its whole key id fit.
const roomForKey = 110

// printer returns a function that prints entries. Several calls print one list.
func (c trailCmd) printer(w io.Writer) func([]admin.Entry) {
	if c.Detail {
		return func(entries []admin.Entry) {
			for _, e := range entries {
				printEntry(w, e)
			}
		}
	}
	key := "KEY" // admin key KEYID says whose it is
	if width := table.TerminalWidth(w); width > 0 && width < roomForKey {
		key = ""
	}
	t := table.New(w, "TIME", "EVENT", "OUTCOME…", "COUNT", "ACTOR…", key, "REASON…")
	return func(entries []admin.Entry) {
		for _, e := range entries {
			event := table.Text(table.Cell(e.Event))
			if e.Tampered { // nothing in it can be trusted; no event name begins like this
				event = "EDITED:" + event
			}
			t.Row(e.Time, event, e.Outcome, e.Count, e.Actor, e.KeyID, e.Reason)
		}
		t.Print()
	}
}

// printEntry prints the fields of an entry, and an empty line.
func printEntry(w io.Writer, e admin.Entry) {
	t := table.NewRecord(w)
	for _, line := range [][2]string{
		{"time", string(table.Time(time.RFC3339Nano, e.Time))}, {"event", string(e.Event)}, {"outcome", e.Outcome},
		{"actor", e.Actor}, {"request", e.RequestID}, {"operation", string(e.Operation)},
		{"key", e.KeyID}, {"record", e.Record}, {"account", e.Account}, {"device", e.Device}, {"reason", e.Reason},
		{"chain", e.Chain},
	} {
		if line[1] != "" {
			t.Row(line[0], line[1])
		}
	}
	t.Field("number", e.Seq)
	t.Field("count", e.Count)
	if e.Failed {
		t.Field("failed", true)
	}
	if e.DurationMicros != 0 {
		t.Field("duration", time.Duration(e.DurationMicros)*time.Microsecond)
	}
	if e.Version != 0 {
		t.Field("version", e.Version)
	}
	if e.Tampered {
		t.Field("edited", true)
	}
	t.Print()
	fmt.Fprintln(w)
}
