package cli

import (
	"context"
	"errors"

	"github.com/alecthomas/kong"

	"strongroom/internal/audit"
)

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
