package cli

import (
	"cmp"
	"context"
	"fmt"
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
		err = admin.WriteAccountFile(p.Stdout, export, func(after string) (page admin.AuditPage, err error) {
			err = a.Read(ctx, "/audit", values("accountId", id, "limit", "200", "after", after), &page)
			return page, err
		})
		return cmp.Or(err, checkComplete(export))
	})
}

// checkComplete fails if an account has more than one export holds, because its user must
// receive everything.
func checkComplete(e admin.AccountExport) error {
	var more []string
	if e.MoreKeys {
		more = append(more, "keys (moreKeys)")
	}
	if e.MoreEvents {
		more = append(more, "undelivered events (moreEvents)")
	}
	if len(more) == 0 {
		return nil
	}
	return fmt.Errorf("the export was written, but it is not complete: the account has more %s than one export holds", strings.Join(more, " and "))
}
