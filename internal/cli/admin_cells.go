package cli

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"

	"strongroom/internal/admin"
	"strongroom/internal/adminclient"
	"strongroom/internal/domain"
	"strongroom/internal/table"
)

type cellsCmd struct {
	File   string  `arg:"" placeholder:"FILE" help:"A line for each cell: its tag, the URL of an operator listener, the token's file and, if needed, the file of the certificate authorities. Lines that begin with # are comments."`
	Hours  float64 `default:"24" placeholder:"N" help:"Length of the window that ends now, in hours."`
	Find   string  `placeholder:"NAME" help:"Show which cell has the account of this name, in device mode the account of this deviceId, instead of the figures."`
	Issuer string  `placeholder:"URL" help:"Issuer of the account's tokens, in jwt mode."`
	JSON   bool    `name:"json" help:"Print JSON."`
}

// cell is one line of the file and what that cell answered.
type cell struct {
	Cell     string          `json:"cell"`
	Error    string          `json:"error,omitempty"`
	Health   *admin.Health   `json:"health,omitempty"`
	Summary  *admin.Summary  `json:"summary,omitempty"`
	Accounts []admin.Account `json:"accounts,omitempty"`

	server adminclient.Server
}

// Run asks all cells at once. For a cell that does not answer, or answers as another
// cell, it prints why. Then the command fails, because the cell is missing in the totals.
func (c cellsCmd) Run(ctx context.Context, p *Program) error {
	cells, err := readCells(c.File)
	if err != nil {
		return ExitError{ExitUsage, err}
	}
	var asking sync.WaitGroup
	for _, one := range cells {
		asking.Go(func() {
			if err := c.ask(ctx, one); err != nil {
				one.Error = err.Error()
			}
		})
	}
	asking.Wait()
	if err := c.print(p, cells); err != nil {
		return err
	}
	failed, found := 0, 0
	for _, one := range cells {
		if one.Error != "" {
			failed++
		}
		found += len(one.Accounts)
	}
	switch {
	case failed > 0:
		return fmt.Errorf("%d of %d cells are missing in the result", failed, len(cells))
	case c.Find != "" && found == 0:
		return fmt.Errorf("no cell has an account with the name %s", table.Cell(c.Find))
	}
	return nil
}

func readCells(file string) (cells []*cell, err error) {
	text, err := os.ReadFile(file) //nolint:gosec // the operator names the file
	if err != nil {
		return nil, err
	}
	seen, number := map[string]bool{}, 0
	for line := range strings.Lines(string(text)) {
		number++
		words := strings.Fields(line)
		if len(words) == 0 || strings.HasPrefix(words[0], "#") {
			continue
		}
		if len(words) < 3 || len(words) > 4 {
			return nil, fmt.Errorf("%s: line %d: must be a tag, a URL, a token file and optionally a file of authorities", file, number)
		}
		if seen[words[0]] {
			return nil, fmt.Errorf("%s: line %d: cell %s is listed twice", file, number, words[0])
		}
		seen[words[0]] = true
		one := &cell{Cell: words[0], server: adminclient.Server{URL: words[1], TokenFile: words[2]}}
		if len(words) == 4 {
			one.server.CAFile = words[3]
		}
		cells = append(cells, one)
	}
	if len(cells) == 0 {
		return nil, fmt.Errorf("%s: lists no cell", file)
	}
	return cells, nil
}

func (c cellsCmd) ask(ctx context.Context, one *cell) error {
	api, err := adminclient.Dial(one.server)
	if err != nil {
		return err
	}
	var health admin.Health
	if err := api.Read(ctx, "/health", nil, &health); err != nil {
		return err
	}
	if err := one.checkTag(health.Cell); err != nil {
		return err
	}
	if c.Find != "" {
		return c.find(ctx, api, one)
	}
	var summary admin.Summary
	if err := api.Read(ctx, "/summary", values("hours", strconv.FormatFloat(c.Hours, 'f', -1, 64)), &summary); err != nil {
		return err
	}
	one.Health, one.Summary = &health, &summary
	return nil
}

// checkTag refuses a server of another cell than its line says. It accepts a server
// without a tag, because 0.15.9 and earlier do not tell theirs.
func (c *cell) checkTag(is string) error {
	if is != "" && is != c.Cell {
		return fmt.Errorf("the server at %s is of cell %s (its setting --cell): correct this line of the file", c.server.URL, table.Cell(is))
	}
	return nil
}

func (c cellsCmd) find(ctx context.Context, api *adminclient.Client, one *cell) error {
	var found admin.List[admin.Account]
	err := api.Read(ctx, "/accounts", values("issuer", c.Issuer, "subject", c.Find), &found)
	one.Accounts = found.Items
	return err
}

func (c cellsCmd) print(p *Program, cells []*cell) error {
	if c.JSON {
		if c.Find != "" {
			return p.encodeJSON(map[string]any{"cells": cells})
		}
		return p.encodeJSON(map[string]any{"cells": cells, "total": total(cells, c.Hours)})
	}
	if c.Find != "" {
		t := table.New(p.Stdout, "CELL", "ACCOUNT", "SUBJECT…", "ISSUER…", "CREATED")
		for _, one := range cells {
			for _, a := range one.Accounts {
				t.Row(one.Cell, a.ID, a.Subject, a.Issuer, table.Minute(a.CreatedAt))
			}
		}
		t.Print()
	} else {
		t := table.New(p.Stdout, "CELL", "DATABASE", "ROOT KEY", "OPERATIONS", "FAILED", "SUCCESS", "AVERAGE MS", "DEVICES")
		for _, one := range cells {
			if one.Summary != nil {
				figures(t, one.Cell, one.Health.Store, one.Health.RootKey, one.Summary.Summary)
			}
		}
		figures(t, "all", table.Nothing, table.Nothing, total(cells, c.Hours))
		t.Print()
	}
	for _, one := range cells {
		if one.Error != "" {
			fmt.Fprintf(p.Stdout, "%s: %s\n", table.Cell(one.Cell), one.Error)
		}
	}
	return nil
}

func figures(t *table.Table, name string, store, rootKey any, s domain.Summary) {
	var success, average any = table.Nothing, table.Nothing
	if s.TotalOperations > 0 {
		success, average = table.Textf("%.1f %%", s.SuccessRate), decimal(s.AverageDuration)
	}
	t.Row(name, store, rootKey, s.TotalOperations, s.FailedOperations, success, average, s.UniqueDevices)
}

// total adds up cells. Rates and means are weighted by the operations of each cell. The
// numbers of devices can be added, because a device is in one cell only.
func total(cells []*cell, hours float64) domain.Summary {
	all := domain.Summary{TimeframeHours: hours}
	for _, one := range cells {
		if one.Summary == nil {
			continue
		}
		s := one.Summary.Summary
		all.TotalOperations += s.TotalOperations
		all.SuccessfulOperations += s.SuccessfulOperations
		all.FailedOperations += s.FailedOperations
		all.UniqueDevices += s.UniqueDevices
		all.AverageDuration += s.AverageDuration * float64(s.TotalOperations)
	}
	if n := float64(all.TotalOperations); n > 0 {
		all.AverageDuration /= n
		all.SuccessRate = 100 * float64(all.SuccessfulOperations) / n
	}
	return all
}
