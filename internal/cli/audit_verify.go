package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/alecthomas/kong"
	"golang.org/x/mod/sumdb/note"

	"strongroom/internal/audit"
	"strongroom/internal/process"
)

// Exit codes of audit verify.
const (
	AuditIntact     = 0
	AuditDamaged    = 1
	AuditUnreadable = 2
)

type auditVerifyCmd struct {
	kong.Plugins
	Checkpoint  string   `and:"held" placeholder:"FILE" help:"File of checkpoints that were kept elsewhere. All of them must agree with the trail."`
	VerifierKey string   `and:"held" placeholder:"KEY" help:"Verifier key of the key that signed the checkpoints."`
	Archive     []string `sep:"none" placeholder:"FILE" help:"File that audit prune wrote. Its entries, the trail and the checkpoints must agree. Give all files, the oldest first."`
}

// Run verifies the trail. The first problem of a chain is its first bad entry:
// everything after that entry may be forged.
func (c auditVerifyCmd) Run(ctx context.Context, p *Program) error {
	var report audit.Report
	var held *audit.Held
	err := p.withVault(ctx, func(v *Vault) (err error) {
		report, held, err = c.verify(ctx, p, v.Trail)
		return err
	})
	if err != nil {
		return ExitError{AuditUnreadable, err}
	}
	for _, problem := range report.Problems {
		fmt.Fprintf(p.Stdout, "DAMAGED  %s\n", problem)
	}
	if len(report.Problems) > 0 {
		return ExitError{Code: AuditDamaged}
	}
	fmt.Fprintf(p.Stdout, "Intact: %s.\n", agreeing(report))
	tellCuts(p.Stdout, report.Cuts)
	for _, head := range report.Heads {
		fmt.Fprintf(p.Stdout, "Head of chain %s: entry %d, hash %x\n", head.Chain, head.Seq, head.Hash)
	}
	if held != nil {
		what := "Nothing was changed, removed or truncated"
		if len(report.Cuts) > 0 {
			what = "Except for pruned entries, nothing was changed, removed or truncated"
		}
		fmt.Fprintf(p.Stdout, "Checkpoints that agree: %d. %s up to the newest, of %s.\n", held.Checkpoints, what, held.Newest.Format(time.RFC3339))
		return nil
	}
	fmt.Fprintln(p.Stdout, "Keep a copy of this on another machine. It can show later whether the end of the trail was removed.")
	return nil
}

// agreeing is how much of the trail and of the records was verified.
func agreeing(r audit.Report) string {
	return counted(r.Entries, "entry", "entries") + ", and " + counted(r.Rows, "record that agrees", "records that agree") + " with them"
}

// verify verifies the trail, and compares it with checkpoints and archives if they are
// given.
func (c auditVerifyCmd) verify(ctx context.Context, p *Program, trail Trail) (report audit.Report, held *audit.Held, err error) {
	go process.PaceCollector(ctx)
	defer func() {
		if err == nil && len(c.Archive) > 0 {
			err = checkArchives(ctx, trail, &report, c.Archive)
		}
	}()
	progress := func(at audit.Progress) { tellProgress(p.Stderr, at) }
	if c.Checkpoint == "" {
		report, err = trail.VerifyTrail(ctx, progress)
		return report, nil, err
	}
	by, err := note.NewVerifier(c.VerifierKey)
	if err != nil {
		return report, nil, fmt.Errorf("--verifier-key: not a verifier key: %w", err)
	}
	file, err := os.Open(c.Checkpoint)
	if err != nil {
		return report, nil, err
	}
	defer file.Close()
	return trail.VerifyTrailHeld(ctx, file, by, progress)
}

// tellProgress prints how far a verification is.
func tellProgress(w io.Writer, at audit.Progress) {
	fmt.Fprintf(w, "%d of %d %s checked (%d %%)", at.Done, at.All, at.Of, 100*at.Done/max(at.All, 1))
	if at.Parts > 1 {
		fmt.Fprintf(w, ", for part %d of %d of the records", at.Part, at.Parts)
	}
	fmt.Fprintln(w)
}

// checkArchives compares the files that prunes wrote with the report, and adds what it
// finds to it.
func checkArchives(ctx context.Context, trail Trail, report *audit.Report, names []string) error {
	var files []io.Reader
	for _, name := range names {
		f, err := audit.OpenArchive(ctx, name)
		if err != nil {
			return err
		}
		defer func() { _ = f.Close() }() // only read
		files = append(files, f)
	}
	return trail.CheckArchives(report, io.MultiReader(files...))
}

// tellCuts prints which entries were pruned, and what could not be checked because of
// that.
func tellCuts(w io.Writer, cuts []audit.Cut) {
	for _, cut := range cuts {
		fmt.Fprintf(w, "Pruned: entries 1 to %d of chain %s, on %s by %s (%q, request %s).\n",
			cut.Removed, cut.Chain, cut.At.Format(time.RFC3339), cut.By, cut.Why, cut.Request)
		if cut.Archived > 0 {
			fmt.Fprintf(w, "  The archives contain entries %d to %d unchanged.\n", cut.Archived, cut.Removed)
		}
		if n := cut.Unchecked(); n > 0 {
			fmt.Fprintf(w, "  %s could not be checked.\n", counted(n, "entry named in checkpoints was pruned, so it", "entries named in checkpoints were pruned, so they"))
		}
	}
}
