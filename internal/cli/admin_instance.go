package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"

	"strongroom/internal/admin"
	"strongroom/internal/adminclient"
	"strongroom/internal/domain"
	"strongroom/internal/table"
)

type suspicionsCmd struct{ connection }

// Run lists suspicions.
func (c suspicionsCmd) Run(ctx context.Context, p *Program) error {
	return show(ctx, p, c.connection, "/suspicions", nil, func(w io.Writer, list admin.List[admin.Suspicion]) {
		t := table.New(w, "KIND", "SOURCE", "ACCOUNTS", "FAILURES", "LAST")
		for _, s := range list.Items {
			t.Row(s.Kind, s.Source, s.Accounts, s.Failures, table.Minute(s.LastAt))
		}
		t.Print()
	})
}

type healthCmd struct{ connection }

// Run shows the health of the instance that answers. Without --server this command
// answers itself. It serves no requests, so it shows only what is in the database.
func (c healthCmd) Run(ctx context.Context, p *Program) error {
	return c.with(ctx, p, func(a *adminclient.Client) error {
		text, err := a.Get(ctx, "/health", nil)
		if err != nil {
			return err
		}
		if c.Server == "" {
			if text, err = withoutMembers(text, ofServers); err != nil {
				return err
			}
		}
		return printAnswer(p, c.connection, text, c.print)
	})
}

// ofServers are the members of the answer that only a server has.
var ofServers = []string{"instance", "cell", "keyPool", "keyPoolSize", "lanes", "lanesBusy", "waiting", "waitingMost", "rollupLagSeconds", "auditLagSeconds", "checkpointAt"}

func (c healthCmd) print(w io.Writer, h admin.Health) {
	served := c.Server != ""
	t := table.NewRecord(w)
	if served {
		t.Field("instance", h.Instance)
	}
	t.Field("version", h.Version)
	if h.Cell != "" {
		t.Field("cell", h.Cell)
	}
	t.Field("accounts", h.Mode)
	t.Field("store", h.Store)
	t.Field("root key", h.RootKey)
	if served {
		t.Field("key pool", table.Textf("%d of %d", h.KeyPool, h.KeyPoolSize))
		t.Field("workers busy", table.Textf("%d of %d", h.WorkersBusy, h.Workers))
		t.Field("waiting", table.Textf("%d of at most %d", h.Waiting, h.WaitingMost))
		t.Field("roll-up lag", seconds(h.RollupLag))
		t.Field("audit lag", seconds(h.AuditLag))
		t.Field("checkpoint", h.CheckpointAt)
	}
	t.Field("store's time", h.StoreTime)
	t.Field("instance's time", h.InstanceTime)
	t.Field("schema", h.SchemaVersion)
	t.Print()
}

// withoutMembers leaves members out of a JSON object.
func withoutMembers(text []byte, names []string) ([]byte, error) {
	var object map[string]json.RawMessage
	if err := adminclient.Decode(text, &object); err != nil {
		return nil, err
	}
	for _, name := range names {
		delete(object, name)
	}
	text, err := json.Marshal(object)
	return append(text, '\n'), err
}

func seconds(s float64) table.Text { return decimal(s) + "s" }

type postureCmd struct{ connection }

// Run shows the posture in the words of config check. Below the table it explains each
// check that is off: by which settings, and what an attacker gains.
func (c postureCmd) Run(ctx context.Context, p *Program) error {
	return show(ctx, p, c.connection, "/posture", nil, func(w io.Writer, list admin.List[domain.PostureCheck]) {
		t := table.New(w, "CHECK", "STATE", "HARDENED")
		for _, check := range list.Items {
			t.Row(check.Name, string(check.State), weight(check.Required))
		}
		t.Print()
		for _, check := range list.Items {
			if check.Gain != "" && check.State == domain.CheckOff {
				fmt.Fprintln(w)
				table.Wrap(w, "", table.Words(check.Name+" is off, by "+strings.Join(check.Settings, ", ")+": "+strings.TrimSpace(uses(check))), table.UsualLine)
				table.Wrap(w, "  ", table.Words(check.Gain), table.UsualLine)
			}
		}
	})
}

type operationsCmd struct {
	connection
	Hours   float64 `default:"24" placeholder:"N" help:"Length of the window that ends now, in hours."`
	Summary bool    `help:"Show only totals."`
}

// Run shows operations.
func (c operationsCmd) Run(ctx context.Context, p *Program) error {
	query := values("hours", strconv.FormatFloat(c.Hours, 'f', -1, 64))
	if c.Summary {
		return show(ctx, p, c.connection, "/summary", query, printSummary)
	}
	return show(ctx, p, c.connection, "/operations", query, func(w io.Writer, o admin.Operations) {
		t := table.New(w, "START", "OPERATIONS", "FAILURES", "AVERAGE MS", "P50 MS", "P95 MS", "P99 MS")
		for _, s := range o.Items {
			t.Row(s.Start, s.Operations, s.Failures, decimal(s.AverageDuration),
				percentile(s.P50Duration), percentile(s.P95Duration), percentile(s.P99Duration))
		}
		t.Print()
		fmt.Fprintf(w, "Each line covers %s.\n", seconds(o.WidthSeconds))
	})
}

// percentile formats a percentile, which is 0 if no operation was timed.
func percentile(ms float64) table.Text {
	if ms == 0 {
		return table.Nothing
	}
	return decimal(ms)
}

func decimal(n float64) table.Text { return table.Textf("%.1f", n) }

func printSummary(w io.Writer, s admin.Summary) {
	t := table.NewRecord(w)
	t.Field("operations", s.TotalOperations)
	t.Field("successful", s.SuccessfulOperations)
	t.Field("failed", s.FailedOperations)
	t.Field("success rate", table.Textf("%.1f %%", s.SuccessRate))
	t.Field("average", table.Textf("%.1f ms", s.AverageDuration))
	if s.TimedOperations > 0 {
		t.Field("p50, p95, p99", table.Textf("%.1f, %.1f, %.1f ms", s.P50Duration, s.P95Duration, s.P99Duration))
	}
	if s.TimedOperations < s.TotalOperations {
		t.Field("percentiles of", table.Text(counted(s.TimedOperations, "operation", "operations")+"; an earlier version counted the others without durations"))
	}
	t.Field("devices", s.UniqueDevices)
	t.Print()
}
