package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"strongroom/internal/domain"
	"strongroom/internal/table"
)

// DataKeys is what the data-key commands do.
type DataKeys interface {
	DataKeys(ctx context.Context) ([]domain.DataKey, domain.Rewrap, error)
	RotateDataKey(ctx context.Context, act domain.Act, waiting func(instances []string)) (domain.ActResult, error)
	RewrapPart(ctx context.Context) (worked bool, err error)
	PauseRewrap(ctx context.Context, pause bool, act domain.Act) (domain.ActResult, error)
	DestroyDataKeys(ctx context.Context, act domain.Act) (domain.ActResult, error)
}

type dataKeyCmd struct {
	List    dataKeyListCmd    `cmd:"" help:"List the data keys, and show how far the rewrap is."`
	Rotate  dataKeyRotateCmd  `cmd:"" help:"Add a data key and use it for new values. Servers rewrap all other values in the background."`
	Pause   dataKeyPauseCmd   `cmd:"" help:"Pause the rewrap."`
	Resume  dataKeyResumeCmd  `cmd:"" help:"Resume the rewrap."`
	Destroy dataKeyDestroyCmd `cmd:"" help:"Destroy all data keys except the primary one. Refused while any value is sealed under them."`
}

type dataKeyListCmd struct{ kong.Plugins }

// Run lists the data keys.
func (dataKeyListCmd) Run(ctx context.Context, p *Program) error {
	return p.withVault(ctx, func(v *Vault) error {
		all, rewrap, err := v.DataKeys.DataKeys(asOperator(ctx))
		if err != nil {
			return plainRefusal(err)
		}
		t := table.New(p.Stdout, "DATA KEY", "STATE", "ROWS")
		for _, k := range all {
			rows := fmt.Sprint(k.Rows)
			if k.Rows < 0 {
				rows = "-"
			}
			t.Row(k.ID, k.State, table.Text(rows))
		}
		t.Print()
		if rewrap.Phase != "" {
			fmt.Fprintln(p.Stdout, rewrapLine(rewrap))
		}
		fmt.Fprint(p.Stdout, nextForDataKeys(all, rewrap))
		return nil
	})
}

// nextForDataKeys says what to do next about the data keys, the newest of which is the
// last one.
func nextForDataKeys(all []domain.DataKey, rewrap domain.Rewrap) string {
	switch {
	case len(all) < 2:
		return ""
	case all[len(all)-1].State == domain.DataKeyAdded:
		return "The newest data key was added and is not used yet. If no strongroom data-key rotate is running, run it again: it continues.\n"
	case rewrap.Phase == domain.RewrapDone:
		return "The old data keys can be destroyed: strongroom data-key destroy.\n"
	}
	return ""
}

// rewrapLine formats the progress in one line.
func rewrapLine(r domain.Rewrap) string {
	line := fmt.Sprintf("Rewrap: %s", r.Phase)
	if r.Phase == domain.RewrapDone {
		line += ", " + counted(r.Rewrapped, "row", "rows") + " rewrapped"
	} else {
		line += fmt.Sprintf(", %d of %d rows visited, %d rewrapped, %d left", r.Visited, r.Rows, r.Rewrapped, r.Left)
	}
	if r.Refused > 0 {
		line += "; " + counted(r.Refused, "edited row was", "edited rows were") + " refused, run strongroom audit verify"
	}
	switch {
	case r.Paused:
		line += "; paused"
	case r.Phase != domain.RewrapDone && r.Worker == "":
		line += "; no server is working on it"
	}
	return line + "."
}

type dataKeyRotateCmd struct {
	kong.Plugins
	Wait   bool   `help:"Wait until the rewrap is done. If no server runs, rewrap in this process."`
	Reason reason `default:"rotated on the command line" placeholder:"TEXT" help:"Reason, recorded in the audit trail."`
}

// Run rotates.
func (c dataKeyRotateCmd) Run(ctx context.Context, p *Program) error {
	return p.withVault(ctx, func(v *Vault) error {
		said := time.Time{}
		result, err := v.DataKeys.RotateDataKey(asOperator(ctx), domain.Act{Reason: string(c.Reason)}, func(instances []string) {
			if time.Since(said) > 2*time.Second {
				said = time.Now()
				fmt.Fprintf(p.Stderr, "Waiting for servers that do not have the new data key yet: %s\n", table.Words(strings.Join(instances, ", ")))
			}
		})
		if err != nil {
			return plainRefusal(err)
		}
		fmt.Fprintf(p.Stdout, "Rotated. New values are sealed under the new data key. Running servers rewrap all other values, unless the rewrap is paused. Request %s in the audit trail.\n", result.RequestID)
		if !c.Wait {
			return nil
		}
		err = p.awaitRewrap(asOperator(ctx), v.DataKeys)
		if err != nil && ctx.Err() != nil {
			return errors.New("interrupted: the data key is rotated, and servers continue the rewrap")
		}
		return err
	})
}

// awaitRewrap rewraps until nothing is left, or watches a server do it.
func (p *Program) awaitRewrap(ctx context.Context, keys DataKeys) error {
	said := time.Now()
	for {
		worked, err := keys.RewrapPart(ctx)
		if err != nil {
			return plainRefusal(err)
		}
		if worked && time.Since(said) < time.Second {
			continue
		}
		_, rewrap, err := keys.DataKeys(ctx)
		if err != nil {
			return plainRefusal(err)
		}
		said = time.Now()
		fmt.Fprintln(p.Stderr, rewrapLine(rewrap))
		if rewrap.Phase == domain.RewrapDone {
			return nil
		}
		if worked {
			continue
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Second):
		}
	}
}

type dataKeyPauseCmd struct {
	kong.Plugins
	Reason reason `default:"paused on the command line" placeholder:"TEXT" help:"Reason, recorded in the audit trail."`
}

// Run pauses.
func (c dataKeyPauseCmd) Run(ctx context.Context, p *Program) error {
	return p.pauseRewrap(ctx, true, c.Reason, "Paused.")
}

type dataKeyResumeCmd struct {
	kong.Plugins
	Reason reason `default:"resumed on the command line" placeholder:"TEXT" help:"Reason, recorded in the audit trail."`
}

// Run resumes.
func (c dataKeyResumeCmd) Run(ctx context.Context, p *Program) error {
	return p.pauseRewrap(ctx, false, c.Reason, "Resumed.")
}

func (p *Program) pauseRewrap(ctx context.Context, pause bool, why reason, done string) error {
	return p.withVault(ctx, func(v *Vault) error {
		result, err := v.DataKeys.PauseRewrap(asOperator(ctx), pause, domain.Act{Reason: string(why)})
		return p.said(done, result, err)
	})
}

type dataKeyDestroyCmd struct {
	kong.Plugins
	Reason reason `default:"destroyed on the command line" placeholder:"TEXT" help:"Reason, recorded in the audit trail."`
}

// Run destroys.
func (c dataKeyDestroyCmd) Run(ctx context.Context, p *Program) error {
	return p.withVault(ctx, func(v *Vault) error {
		fmt.Fprintln(p.Stderr, "Counting the rows under each data key. With millions of rows this takes minutes.")
		result, err := v.DataKeys.DestroyDataKeys(asOperator(ctx), domain.Act{Reason: string(c.Reason)})
		return p.said("Destroyed. Only the primary data key is left. Older backups contain the data keys of their time: keep their root keys as long as the backups.", result, err)
	})
}
