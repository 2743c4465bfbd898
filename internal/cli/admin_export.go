package cli

import (
	"context"
	"strings"

	"strongroom/internal/admin"
	"strongroom/internal/adminclient"
)

type accountExportCmd struct {
	connection
	account
	Reason reason `required:"" placeholder:"TEXT" help:"Reason, recorded in the audit trail."`
}

// Run exports an account with its entries in the audit trail.
func (c accountExportCmd) Run(ctx context.Context, p *Program) error {
	return c.with(ctx, p, func(a *adminclient.Client) error {
		path, err := c.path(ctx, a)
		if err != nil {
			return err
		}
		text, _, err := a.Act(ctx, path+"/export", map[string]any{"reason": c.Reason})
		if err != nil {
			return err
		}
		var export admin.AccountExport
		if err := adminclient.Decode(text, &export); err != nil {
			return err
		}
		id := strings.TrimPrefix(path, "/accounts/")
		return admin.WriteAccountFile(p.Stdout, export, func(after string) (page admin.AuditPage, err error) {
			err = a.Read(ctx, "/audit", values("accountId", id, "limit", "200", "after", after), &page)
			return page, err
		})
	})
}
