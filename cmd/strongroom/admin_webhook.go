package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strconv"

	"strongroom/internal/admin"
	"strongroom/internal/domain"
)

type webhookCmd struct {
	Status      webhookStatusCmd `cmd:"" default:"withargs" help:"Show what waits to be sent and what was set aside."`
	DeadLetters deadLettersCmd   `cmd:"" help:"List the events that were set aside, oldest first."`
	Resend      resendCmd        `cmd:"" help:"Have events sent again that were set aside."`
}

type webhookStatusCmd struct{ connection }

// Run shows how it stands with the events that go out. Who sends them, and how
// that goes, is known to a server only.
func (c webhookStatusCmd) Run(ctx context.Context, p *process) error {
	return show(ctx, p, c.connection, "/webhook", nil, func(w io.Writer, s admin.WebhookStatus) {
		t := newRecord(w)
		if c.Server != "" {
			t.row("sent at all", yes(s.Enabled))
			t.row("receiver", cell(s.Receiver))
			t.row("sent by this instance", yes(s.Sending))
			t.row("paused", yes(s.Paused))
			t.row("last delivered", moment(s.LastDelivered))
			t.row("last failed", moment(s.LastFailed))
			t.row("last error", cell(s.LastError))
			t.row("next attempt", moment(s.NextAttempt))
		}
		t.row("waiting", number(s.Waiting))
		t.row("oldest that waits", moment(s.OldestAt))
		t.row("dead letters", number(s.DeadLetters))
		t.print()
	})
}

type deadLettersCmd struct {
	connection
	paging
}

// Run lists dead letters.
func (c deadLettersCmd) Run(ctx context.Context, p *process) error {
	return show(ctx, p, c.connection, "/webhook/dead-letters", c.values(), func(w io.Writer, list admin.List[admin.DeadLetter]) {
		t := newTable(w, "EVENT ID", "EVENT", "SET ASIDE", "REASON", "LAST ERROR…")
		for _, d := range list.Items {
			t.row(cell(d.ID), cell(string(d.Event)), minute(d.SetAsideAt), cell(d.Reason), cell(d.LastError))
		}
		t.print()
		more(w, list.Next)
	})
}

type resendCmd struct {
	connection
	EventID string `arg:"" optional:"" name:"id" help:"The event, by the id that the list has."`
	All     bool   `help:"All that were set aside, oldest first, but those that were edited in the database, which are never sent."`
	Reason  reason `required:"" placeholder:"TEXT" help:"Why. The audit trail keeps it."`
}

// Run has dead letters sent again.
func (c resendCmd) Run(ctx context.Context, p *process) error {
	if c.All == (c.EventID != "") {
		return exit{exitUsage, errors.New("name one event, or --all")}
	}
	return c.with(ctx, p, func(ctx context.Context, a *adminAPI) error {
		if !c.All {
			return c.act(ctx, p, a, "It waits to be sent again.", resendPath(c.EventID), map[string]any{"reason": c.Reason})
		}
		return c.all(ctx, p, a)
	})
}

func resendPath(id string) string {
	return "/webhook/dead-letters/" + url.PathEscape(id) + "/resend"
}

// resendPart is how many dead letters are asked for at a time.
const resendPart = 200

// all has as many sent again as there are when it begins. Those that are set
// aside meanwhile, perhaps the same ones, are behind them in the list: without
// a bound it would never end where the receiver goes on refusing.
func (c resendCmd) all(ctx context.Context, p *process, a *adminAPI) error {
	var status admin.WebhookStatus
	if err := a.read(ctx, "/webhook", nil, &status); err != nil {
		return err
	}
	sent, edited := int64(0), int64(0)
	query := values("limit", strconv.Itoa(resendPart))
	for more := true; more; {
		var list admin.List[admin.DeadLetter]
		if err := a.read(ctx, "/webhook/dead-letters", query, &list); err != nil {
			return stopped(sent, err)
		}
		for _, d := range list.Items[:min(int64(len(list.Items)), status.DeadLetters-sent-edited)] {
			if d.Reason == domain.DeadTampered {
				edited++
				continue
			}
			text, receipt, err := a.write(ctx, resendPath(d.ID), map[string]any{"reason": c.Reason})
			if err != nil {
				return stopped(sent, fmt.Errorf("event %s: %w", cell(d.ID), err))
			}
			sent++
			if c.JSON {
				_, _ = p.stdout.Write(text)
			} else {
				fmt.Fprintf(p.stdout, "%d of %d: %s %s, request %s\n", sent, status.DeadLetters, cell(string(d.Event)), cell(d.ID), cell(receipt.RequestID))
			}
		}
		query.Set("after", list.Next)
		more = list.Next != "" && sent+edited < status.DeadLetters
	}
	if !c.JSON {
		fmt.Fprintf(p.stdout, "Events that wait to be sent again: %d.\n", sent)
	}
	if edited > 0 {
		return fmt.Errorf("left where they are, because they were edited in the database and are never sent: %d", edited)
	}
	return nil
}

// stopped says how far it came. What was done stays so.
func stopped(sent int64, err error) error {
	return fmt.Errorf("stopped after %d of them: %w", sent, err)
}
