package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/alecthomas/kong"
	"golang.org/x/mod/sumdb/note"

	"strongroom/internal/audit"
	"strongroom/internal/process"
)

type auditCmd struct {
	Verify        auditVerifyCmd     `cmd:"" help:"Check the trail's chains, every record against them, and them against checkpoints. Writes nothing. Exit 0: intact, 1: damaged, 2: it could not be read."`
	Checkpoint    auditCheckpointCmd `cmd:"" help:"Sign the heads of all chains now and print that, to be kept elsewhere."`
	CheckpointKey checkpointKeyCmd   `cmd:"" name:"checkpoint-key" help:"Look after the key that signs checkpoints."`
	Export        auditExportCmd     `cmd:"" help:"Write the trail as JSON lines, and go on where an earlier export ended."`
	Prune         auditPruneCmd      `cmd:"" help:"Remove the oldest entries, so that what is left proves the same of the records. If there are any, verifies the trail first."`
}

// Exit codes of audit verify.
const (
	AuditIntact     = 0
	AuditDamaged    = 1
	AuditUnreadable = 2
)

type auditVerifyCmd struct {
	kong.Plugins
	Checkpoint  string   `and:"held" placeholder:"FILE" help:"Checkpoints that were kept elsewhere, one after the other: all of them must agree with the trail."`
	VerifierKey string   `and:"held" placeholder:"KEY" help:"The verifier key of the key that signed them."`
	Archive     []string `sep:"none" placeholder:"FILE" help:"A file that audit prune wrote: its entries, the trail and the checkpoints must agree. Give all of them, the oldest first."`
}

// Run checks the trail. A report of damage names the first bad entry of the
// chain first: everything after it may be forged.
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
	fmt.Fprintf(p.Stdout, "Intact: %d entries, and %d records that agree with them.\n", report.Entries, report.Rows)
	tellCuts(p.Stdout, report.Cuts)
	for _, head := range report.Heads {
		fmt.Fprintf(p.Stdout, "Head of chain %s: entry %d, hash %x\n", head.Chain, head.Seq, head.Hash)
	}
	if held != nil {
		what := "Nothing was changed, dropped or cut off"
		if len(report.Cuts) > 0 {
			what = "But for what was pruned, nothing was changed, dropped or cut off"
		}
		fmt.Fprintf(p.Stdout, "Checkpoints that agree: %d. %s up to the newest, of %s.\n", held.Checkpoints, what, held.Newest.Format(time.RFC3339))
		return nil
	}
	fmt.Fprintln(p.Stdout, "Keep a copy of this elsewhere: it shows later whether the trail's tail was cut off.")
	return nil
}

// verify holds the trail against checkpoints where some are given.
func (c auditVerifyCmd) verify(ctx context.Context, p *Program, trail Trail) (report audit.Report, held *audit.Held, err error) {
	go process.PaceCollector(ctx)
	defer func() {
		if err == nil && len(c.Archive) > 0 {
			err = checkArchives(trail, &report, c.Archive)
		}
	}()
	progress := func(at audit.Progress) { tellProgress(p.Stderr, at) }
	if c.Checkpoint == "" {
		report, err = trail.VerifyTrail(ctx, progress)
		return report, nil, err
	}
	by, err := note.NewVerifier(c.VerifierKey)
	if err != nil {
		return report, nil, fmt.Errorf("--verifier-key: it is none: %w", err)
	}
	file, err := os.Open(c.Checkpoint)
	if err != nil {
		return report, nil, err
	}
	defer file.Close()
	return trail.VerifyTrailHeld(ctx, file, by, progress)
}

// tellProgress says how far a verification is.
func tellProgress(w io.Writer, at audit.Progress) {
	fmt.Fprintf(w, "%d of %d %s checked (%d %%)", at.Done, at.All, at.Of, 100*at.Done/max(at.All, 1))
	if at.Parts > 1 {
		fmt.Fprintf(w, ", for part %d of %d of the records", at.Part, at.Parts)
	}
	fmt.Fprintln(w)
}

type auditExportCmd struct {
	kong.Plugins
	SinceFile string `placeholder:"STATE" help:"File that keeps how far the export came: the next one with it goes on there. Without it, everything is written."`
	Output    string `placeholder:"FILE" help:"Write to the end of this file, each entry exactly once even after a kill, instead of to standard output. Needs --since-file."`
	Follow    bool   `help:"Go on with new entries until stopped."`
}

// Run exports.
func (c auditExportCmd) Run(ctx context.Context, p *Program) error {
	if c.Output != "" && c.SinceFile == "" {
		return usageError("--output needs --since-file, to know what of the file is whole")
	}
	return p.withVault(ctx, func(v *Vault) (err error) {
		to, err := audit.OpenExport(c.SinceFile, c.Output, p.Stdout)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, to.Close()) }()
		return v.Trail.ExportTrail(ctx, to, c.Follow)
	})
}
