package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"

	"strongroom/internal/admin"
	"strongroom/internal/adminclient"
	"strongroom/internal/table"
)

type webhookCmd struct {
	Status      webhookStatusCmd `cmd:"" default:"withargs" help:"Show queued events and dead letters."`
	DeadLetters deadLettersCmd   `cmd:"" name:"dead-letters" help:"List dead letters, oldest first."`
	Resend      resendCmd        `cmd:"" help:"Send dead letters again."`
}

type webhookStatusCmd struct{ connection }

// Run shows the queue of outgoing events. Only a server knows who sends them, and
// whether that succeeds.
func (c webhookStatusCmd) Run(ctx context.Context, p *Program) error {
	return show(ctx, p, c.connection, "/webhook", nil, func(w io.Writer, s admin.WebhookStatus) {
		t := table.NewRecord(w)
		if c.Server != "" {
			t.Field("enabled", s.Enabled)
			t.Field("receiver", s.Receiver)
			t.Field("sent by this instance", s.Sending)
			t.Field("paused", s.Paused)
			t.Field("last delivered", s.LastDelivered)
			t.Field("last failed", s.LastFailed)
			t.Field("last error", s.LastError)
			t.Field("next attempt", s.NextAttempt)
		}
		t.Field("waiting", s.Waiting)
		t.Field("oldest queued", s.OldestAt)
		t.Field("dead letters", s.DeadLetters)
		t.Print()
	})
}

type deadLettersCmd struct {
	connection
	paging
	Event string `placeholder:"EVENT" help:"Only events of this type, for example key.issued."`
}

// Run lists dead letters.
func (c deadLettersCmd) Run(ctx context.Context, p *Program) error {
	return show(ctx, p, c.connection, "/webhook/dead-letters", c.values("event", c.Event), func(w io.Writer, list admin.List[admin.DeadLetter]) {
		t := table.New(w, "EVENT ID", "EVENT", "SET ASIDE", "REASON", "LAST ERROR…")
		for _, d := range list.Items {
			t.Row(d.ID, d.Event, table.Minute(d.SetAsideAt), d.Reason, d.LastError)
		}
		t.Print()
		more(w, list.Next)
	})
}

type resendCmd struct {
	connection
	EventID string   `arg:"" optional:"" name:"id" help:"Id of the event, as dead-letters lists it."`
	All     bool     `help:"Send all dead letters again, oldest first, except those that were edited in the database."`
	Event   nonEmpty `placeholder:"EVENT" help:"With --all: only events of this type, for example key.issued."`
	Reason  reason   `required:"" placeholder:"TEXT" help:"Reason, recorded in the audit trail."`
}

// Run queues dead letters to be sent again.
func (c resendCmd) Run(ctx context.Context, p *Program) error {
	switch {
	case c.All == (c.EventID != ""):
		return usageError("give one event id, or --all")
	case c.Event != "" && !c.All:
		return usageError("--event needs --all")
	}
	return c.with(ctx, p, func(a *adminclient.Client) error {
		if !c.All {
			return c.act(ctx, p, a, "The event is queued to be sent again.", resendPath(c.EventID), map[string]any{"reason": c.Reason})
		}
		return c.all(ctx, p, a)
	})
}

func resendPath(id string) string {
	return "/webhook/dead-letters/" + url.PathEscape(id) + "/resend"
}

// all queues all dead letters, in several requests. It stops after as many events as
// there were dead letters of all types at the beginning, but at most 100,000, because the
// service counts no more. Without this bound it would never end while the receiver refuses
// events, because they become dead letters again.
func (c resendCmd) all(ctx context.Context, p *Program, a *adminclient.Client) error {
	var status admin.WebhookStatus
	if err := a.Read(ctx, "/webhook", nil, &status); err != nil {
		return err
	}
	body := map[string]any{"reason": c.Reason}
	if c.Event != "" {
		body["event"] = c.Event
	}
	sent, edited, rest := 0, 0, false
	for left, more := status.DeadLetters, true; more; {
		text, _, err := a.Act(ctx, "/webhook/dead-letters/resend", body)
		if err != nil {
			return fmt.Errorf("stopped after %s: %w", counted(sent, "event", "events"), err)
		}
		var done admin.Resent
		if err := adminclient.Decode(text, &done); err != nil {
			return err
		}
		if c.JSON {
			_ = p.writeJSON(text)
		}
		events := 0
		if done.Events != nil {
			events = *done.Events
		}
		if sent, edited, left = sent+events, done.Edited, left-int64(events); events > 0 && !c.JSON {
			fmt.Fprintf(p.Stdout, "%s queued to be sent again. Request %s in the audit trail.\n", counted(events, "event is", "events are"), table.Cell(done.RequestID))
		}
		rest = done.More
		more = rest && events > 0 && left > 0
	}
	if rest && !c.JSON {
		fmt.Fprintln(p.Stdout, "Dead letters are left. Run this command again. If strongroom admin webhook status does not show fewer then, the receiver refuses them: see the errors in strongroom admin webhook dead-letters.")
	}
	if sent == 0 && !c.JSON {
		fmt.Fprintln(p.Stdout, "No event was sent again.")
	}
	if edited > 0 {
		return errors.New(counted(edited, "event remains a dead letter: it was edited in the database and is", "events remain dead letters: they were edited in the database and are") + " never sent")
	}
	return nil
}
