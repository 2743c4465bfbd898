package cli

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/alecthomas/kong"

	"strongroom/internal/audit"
	"strongroom/internal/config"
	"strongroom/internal/domain"
	"strongroom/internal/process"
	"strongroom/internal/trail"
)

type auditPruneCmd struct {
	kong.Plugins
	OlderThan oldAge    `xor:"when" required:"" placeholder:"DURATION" help:"Remove entries older than this, such as 400d. At least 24h."`
	Before    dayOrTime `xor:"when" required:"" placeholder:"DATE" help:"Remove entries older than this day (UTC), such as 2026-01-31, or this time, such as 2026-01-31T12:00:00Z."`
	Reason    reason    `required:"" placeholder:"TEXT" help:"Reason, recorded in the audit trail."`
	Archive   string    `placeholder:"FILE" help:"Create this file and write the entries to it before they are removed, as JSON lines compressed with zstd."`
}

// Run prunes. If the trail is damaged, it removes nothing and exits with 1, like audit
// verify. If there is nothing to remove, it does not verify the trail.
func (c auditPruneCmd) Run(ctx context.Context, p *Program) error {
	return p.withVault(ctx, func(v *Vault) error { return c.prune(ctx, p, v.Trail) })
}

func (c auditPruneCmd) prune(ctx context.Context, p *Program, of Trail) error {
	go process.PaceCollector(ctx)
	done, err := of.PruneTrail(asOperator(ctx), trail.Pruning{
		Before: time.Time(c.Before), OlderThan: time.Duration(c.OlderThan), Reason: string(c.Reason), Archive: c.Archive,
		Progress: func(at audit.Progress) { tellProgress(p.Stderr, at) },
	})
	var refusal *domain.Error
	switch {
	case errors.As(err, &refusal) && refusal.Code == domain.CodeBadUserInput:
		return ExitError{ExitUsage, errors.New("--" + refusal.Message)} // it names the flag
	case err != nil:
		return err
	case len(done.Problems) > 0:
		for _, problem := range done.Problems {
			fmt.Fprintf(p.Stdout, "DAMAGED  %s\n", problem)
		}
		return errors.New("nothing was removed, because the trail is damaged")
	case done.Entries == 0:
		fmt.Fprintln(p.Stdout, "Nothing to remove: no chain begins with an entry that old. The trail was not verified.")
		return nil
	}
	fmt.Fprintf(p.Stdout, "Removed %s. The last entries of %s were carried forward first. Request %s in the audit trail.\n",
		counted(done.Entries, "entry", "entries"), counted(done.Carried, "record", "records"), done.RequestID)
	return nil
}

// oldAge is a duration in the syntax of the settings, of at least 24 h.
type oldAge time.Duration

func (a *oldAge) UnmarshalText(text []byte) error {
	d, err := config.ParseDuration(string(text))
	if err == nil && d < 24*time.Hour {
		err = errors.New("must be at least 24h")
	}
	*a = oldAge(d)
	return err
}

// dayOrTime is a day or a time.
type dayOrTime time.Time

func (d *dayOrTime) UnmarshalText(text []byte) error {
	t, err := time.Parse(time.DateOnly, string(text))
	if err != nil {
		t, err = time.Parse(time.RFC3339, string(text))
	}
	if err != nil {
		return errors.New("must be a day such as 2026-01-31, or a time such as 2026-01-31T12:00:00Z")
	}
	*d = dayOrTime(t)
	return nil
}
