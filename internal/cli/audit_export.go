package cli

import (
	"context"
	"errors"
	"strings"

	"github.com/alecthomas/kong"

	"strongroom/internal/audit"
)

type auditExportCmd struct {
	kong.Plugins
	SinceFile string `placeholder:"STATE" help:"File that records the position of the export. The next export with this file continues there. Default: export everything."`
	Output    string `placeholder:"FILE" help:"Append to this file instead of writing to standard output, as plain text. Each entry is written exactly once, even after a kill. Needs --since-file."`
	Follow    bool   `help:"Continue with new entries until stopped."`
}

// Run exports.
func (c auditExportCmd) Run(ctx context.Context, p *Program) error {
	if c.Output != "" && c.SinceFile == "" {
		return usageError("--output needs --since-file, which records how much of the file is complete")
	}
	if strings.HasSuffix(c.Output, ".zst") {
		return usageError("--output: the export writes plain text, so that it can continue the file after a kill: give a name without .zst, such as trail.jsonl. " +
			"If the file exists, rename it. Move the file away before you compress it")
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
