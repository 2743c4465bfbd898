package cli

import (
	"context"
	"errors"

	"github.com/alecthomas/kong"

	"strongroom/internal/audit"
)

type auditExportCmd struct {
	kong.Plugins
	SinceFile string `placeholder:"STATE" help:"File that records the position of the export. The next export with this file continues there. Default: export everything."`
	Output    string `placeholder:"FILE" help:"Append to this file instead of writing to standard output. Each entry is written exactly once, even after a kill. Needs --since-file."`
	Follow    bool   `help:"Continue with new entries until stopped."`
}

// Run exports.
func (c auditExportCmd) Run(ctx context.Context, p *Program) error {
	if c.Output != "" && c.SinceFile == "" {
		return usageError("--output needs --since-file, which records how much of the file is complete")
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
