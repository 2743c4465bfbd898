package cli

import (
	"context"
	"log/slog"
	"os"
	"strings"
	"testing"

	"strongroom/internal/audit"
	"strongroom/internal/config"
)

// intactTrail is a trail without problems.
type intactTrail struct{ Trail }

func (intactTrail) VerifyTrail(context.Context, func(audit.Progress)) (audit.Report, error) {
	return audit.Report{}, nil
}

// A script must not take a list that a full disk cut off for the whole list. Exit code 1
// of audit verify would mean that the trail is damaged.
func TestACommandFailsIfItsOutputCannotBeWritten(t *testing.T) {
	if testing.Short() {
		t.Skip("nothing in it is parallel")
	}
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("SKIPPED: only Linux has /dev/full")
	}
	defer full.Close()
	for args, want := range map[string]int{"version": ExitFailed, "policy odds": ExitFailed, "audit verify": AuditUnreadable} {
		var errs strings.Builder
		p := &Program{Stdout: full, Stderr: &errs, OpenVault: func(context.Context, *config.Settings, *slog.Logger, bool) (*Vault, error) {
			return &Vault{Trail: intactTrail{}, Close: func() error { return nil }}, nil
		}}
		if code := p.Run(t.Context(), strings.Fields(args)); code != want || !strings.Contains(errs.String(), "no space left on device") {
			t.Errorf("%s: exit code %d: %s", args, code, errs.String())
		}
		if p.Stdout != full {
			t.Errorf("%s: the program still has the wrapped output", args)
		}
	}
}

func TestANumberIsPrintedWithItsNoun(t *testing.T) {
	for report, want := range map[[2]int64]string{
		{1, 1}: "1 entry, and 1 record that agrees with them",
		{8, 0}: "8 entries, and 0 records that agree with them",
	} {
		if got := agreeing(audit.Report{Entries: report[0], Rows: report[1]}); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
