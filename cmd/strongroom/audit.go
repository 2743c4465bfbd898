package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/alecthomas/kong"

	"strongroom/internal/audit"
)

type auditCmd struct {
	Verify auditVerifyCmd `cmd:"" help:"Check the trail's chain, and every record against it. Exit 0: intact, 1: damaged, 2: it could not be read."`
}

// Exit codes of audit verify.
const (
	auditIntact     = 0
	auditDamaged    = 1
	auditUnreadable = 2
)

type auditVerifyCmd struct {
	kong.Plugins
}

// Run checks the trail. A report of damage names the first bad entry of the
// chain first: everything after it may be forged.
func (auditVerifyCmd) Run(ctx context.Context, p *process) error {
	report, err := p.verifyTrail(ctx)
	if err != nil {
		return exit{auditUnreadable, err}
	}
	for _, problem := range report.Problems {
		fmt.Fprintf(p.stdout, "DAMAGED  %s\n", problem)
	}
	if len(report.Problems) > 0 {
		return exit{code: auditDamaged}
	}
	fmt.Fprintf(p.stdout, "Intact: %d entries, and %d records that agree with them.\n", report.Entries, report.Rows)
	for _, head := range report.Heads {
		fmt.Fprintf(p.stdout, "Head of chain %s: entry %d, hash %x\n", head.Chain, head.Seq, head.Hash)
	}
	fmt.Fprintln(p.stdout, "Keep a copy of this elsewhere: it shows later whether the trail's tail was cut off.")
	return nil
}

func (p *process) verifyTrail(ctx context.Context) (report audit.Report, err error) {
	s, err := p.settings()
	if err != nil {
		return report, err
	}
	v, err := openVault(ctx, s, p.logger(s), false)
	if err != nil {
		return report, err
	}
	defer func() { err = errors.Join(err, v.Close()) }()
	return v.VerifyTrail(ctx, func(entries int64) {
		fmt.Fprintf(p.stderr, "%d entries checked\n", entries)
	})
}
