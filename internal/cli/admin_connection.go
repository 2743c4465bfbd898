package cli

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"strongroom/internal/admin"
	"strongroom/internal/adminclient"
	"strongroom/internal/domain"
	"strongroom/internal/table"
)

// connection says which vault a command uses: that of a server, or the database that
// the settings name. Either way the command uses the admin API, so that there is
// one implementation of each use case.
type connection struct {
	kong.Plugins
	Server    string `placeholder:"URL" help:"URL of a server's operator listener, to use its admin API instead of opening the database. Then --data-dir and --database have no effect."`
	TokenFile string `placeholder:"FILE" help:"File whose first word is the token for --server. Default: the token in $STRONGROOM_ADMIN_TOKEN."`
	ServerCA  string `name:"server-ca" placeholder:"FILE" help:"Certificate authorities (PEM) of --server, if this machine does not trust them already."`
	JSON      bool   `name:"json" help:"Print the JSON answer of the admin API."`
}

// with calls do with a client of the admin API.
func (c connection) with(ctx context.Context, p *Program, do func(*adminclient.Client) error) error {
	if c.Server != "" {
		a, err := adminclient.Dial(adminclient.Server{URL: c.Server, TokenFile: c.TokenFile, CAFile: c.ServerCA})
		if err != nil {
			return ExitError{ExitUsage, err}
		}
		return do(a)
	}
	if c.TokenFile != "" || c.ServerCA != "" {
		return usageError("--token-file and --server-ca need --server")
	}
	return p.withVault(ctx, func(v *Vault) error { return do(adminclient.OfHandler(v.Admin, asOperator)) })
}

// account names an account by its subject, by its device, or by its id.
type account struct {
	Account nonEmpty `xor:"who" required:"" placeholder:"ID" help:"Account by its subject: the sub claim of its tokens, or its name in the gateway's header."`
	Device  nonEmpty `xor:"who" required:"" placeholder:"DEVICEID" help:"Account of this device, in device mode."`
	ID      nonEmpty `name:"id" xor:"who" required:"" placeholder:"ACCOUNTID" help:"Account by its id, as lists show it."`
	Issuer  string   `placeholder:"URL" help:"Issuer of the account's tokens, in jwt mode. Required if several issuers have an account of this name."`
}

// name returns issuer and subject, by the account mode of the database.
func (a account) name(mode domain.Mode) (issuer, subject string, err error) {
	switch {
	case a.Device != "" && mode != domain.ModeDevice:
		return "", "", fmt.Errorf("the database has accounts of mode %s: use --account, not --device", mode)
	case a.Issuer != "" && mode != domain.ModeJWT:
		return "", "", fmt.Errorf("the database has accounts of mode %s: --issuer is only for mode jwt", mode)
	case a.Device != "":
		return "", string(a.Device), nil
	}
	return a.Issuer, string(a.Account), nil
}

// path returns the path of the account in the admin API.
func (a account) path(ctx context.Context, api *adminclient.Client) (string, error) {
	if a.ID != "" {
		if a.Issuer != "" {
			return "", usageError("--issuer needs --account")
		}
		return "/accounts/" + url.PathEscape(string(a.ID)), nil
	}
	var index admin.Index
	if err := api.Read(ctx, "", nil, &index); err != nil {
		return "", err
	}
	issuer, subject, err := a.name(index.Mode)
	if err != nil {
		return "", err
	}
	var found admin.List[admin.Account]
	if err := api.Read(ctx, "/accounts", values("issuer", issuer, "subject", subject), &found); err != nil {
		return "", err
	}
	switch len(found.Items) {
	case 0:
		return "", errors.New("no account has this name")
	case 1:
		return "/accounts/" + found.Items[0].ID, nil
	}
	issuers := make([]string, len(found.Items))
	for i, a := range found.Items {
		issuers[i] = table.Cell(a.Issuer)
	}
	return "", fmt.Errorf("several issuers have an account of this name: add --issuer with one of %s", strings.Join(issuers, ", "))
}

// values returns a query of pairs of name and value, without empty values.
func values(pairs ...string) url.Values {
	v := url.Values{}
	for pair := range slices.Chunk(pairs, 2) {
		if pair[1] != "" {
			v.Set(pair[0], pair[1])
		}
	}
	return v
}

// act does one act of an operator, and prints done and the request id under which the
// act is in the audit trail.
func (c connection) act(ctx context.Context, p *Program, a *adminclient.Client, done, path string, body map[string]any) error {
	text, result, err := a.Act(ctx, path, body)
	if err != nil {
		return err
	}
	if c.JSON {
		return p.writeJSON(text)
	}
	fmt.Fprintf(p.Stdout, "%s Request %s in the audit trail.\n", done, table.Cell(result.RequestID))
	return nil
}
