package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"strconv"

	"strongroom/internal/admin"
	"strongroom/internal/adminclient"
	"strongroom/internal/domain"
	"strongroom/internal/table"
)

// show reads something from the API and prints it.
func show[T any](ctx context.Context, p *Program, c connection, path string, query url.Values, print func(io.Writer, T)) error {
	return c.with(ctx, p, func(a *adminclient.Client) error { return showFrom(ctx, p, c, a, path, query, print) })
}

func showFrom[T any](ctx context.Context, p *Program, c connection, a *adminclient.Client, path string, query url.Values, print func(io.Writer, T)) error {
	text, err := a.Get(ctx, path, query)
	if err != nil {
		return err
	}
	return printAnswer(p, c, text, print)
}

// printAnswer prints an answer of the API, as JSON or with print.
func printAnswer[T any](p *Program, c connection, text []byte, print func(io.Writer, T)) error {
	var v T
	if err := adminclient.Decode(text, &v); err != nil {
		return err
	}
	if c.JSON {
		return p.writeJSON(text)
	}
	print(p.Stdout, v)
	return nil
}

// writeJSON prints JSON that may have text of a client or of a server. It cannot control
// the terminal.
func (p *Program) writeJSON(text []byte) error {
	_, err := p.Stdout.Write(admin.Printable(text))
	return err
}

func (p *Program) encodeJSON(v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return p.writeJSON(append(text, '\n'))
}

// paging selects one page of a list.
type paging struct {
	Limit *int   `placeholder:"N" help:"Maximum number of results, up to 200. Default: 50."`
	After string `placeholder:"POSITION" help:"Continue after this position, which the previous page printed."`
}

func (g paging) values(pairs ...string) url.Values {
	limit := ""
	if g.Limit != nil {
		limit = strconv.Itoa(*g.Limit)
	}
	return values(append(pairs, "limit", limit, "after", g.After)...)
}

// more prints how to get the next page, if there is one.
func more(w io.Writer, next string) {
	if next != "" {
		fmt.Fprintf(w, "More results: --after %s\n", table.Cell(next))
	}
}

// accountFields adds the names of an account. In device mode the subject is the
// deviceId, which is printed elsewhere.
func accountFields(t *table.Table, a admin.Account) {
	t.Field("account", a.ID)
	t.Field("mode", a.Mode)
	if a.Mode != domain.ModeDevice && a.Subject != "" {
		t.Field("subject", a.Subject)
	}
	if a.Issuer != "" {
		t.Field("issuer", a.Issuer)
	}
	if a.Tampered {
		t.Field("its name", "edited")
	}
}
