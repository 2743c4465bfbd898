package cli

import (
	"context"
	"encoding/json"
	"strings"

	"strongroom/internal/admin"
	"strongroom/internal/adminclient"
)

type accountExportCmd struct {
	connection
	account
	Reason reason `required:"" placeholder:"TEXT" help:"Reason, recorded in the audit trail."`
}

// Run exports an account with its entries in the trail.
func (c accountExportCmd) Run(ctx context.Context, p *Program) error {
	return c.with(ctx, p, func(a *adminclient.Client) error {
		path, err := c.path(ctx, a)
		if err != nil {
			return err
		}
		var export struct {
			admin.AccountExport
			Entries []admin.Entry `json:"entries"` // oldest last
		}
		text, _, err := a.Act(ctx, path+"/export", map[string]any{"reason": c.Reason})
		if err != nil {
			return err
		}
		if err := adminclient.Decode(text, &export.AccountExport); err != nil {
			return err
		}
		if export.Entries, err = entriesOf(ctx, a, strings.TrimPrefix(path, "/accounts/")); err != nil {
			return err
		}
		out := json.NewEncoder(p.Stdout)
		out.SetIndent("", "  ")
		return out.Encode(export)
	})
}

// entriesOf returns all entries of the trail about an account, newest first.
func entriesOf(ctx context.Context, a *adminclient.Client, accountID string) (all []admin.Entry, err error) {
	for after := ""; ; {
		var page admin.AuditPage
		if err := a.Read(ctx, "/audit", values("accountId", accountID, "limit", "200", "after", after), &page); err != nil {
			return nil, err
		}
		all = append(all, page.Items...)
		if after = page.Next; after == "" {
			return all, nil
		}
	}
}
