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
	"strongroom/internal/config"
	"strongroom/internal/domain"
	"strongroom/internal/table"
)

type adminCmd struct {
	Devices    devicesCmd    `cmd:"" help:"List devices."`
	Device     deviceCmd     `cmd:"" help:"Show a device with its keys."`
	Key        keyCmd        `cmd:"" help:"Show a key and its device."`
	Accounts   accountsCmd   `cmd:"" help:"List accounts."`
	Account    accountCmd    `cmd:"" help:"Show an account with its credentials, failures and locks."`
	Locks      locksCmd      `cmd:"" help:"List the locks that stand."`
	Suspicions suspicionsCmd `cmd:"" help:"List sources from which many accounts are guessed."`
	Health     healthCmd     `cmd:"" help:"Show how the instance is."`
	Posture    postureCmd    `cmd:"" help:"Show what the settings defend against or leave open."`
	Operations operationsCmd `cmd:"" help:"Show operations over time, or their sums."`
	Audit      trailCmd      `cmd:"" help:"Search the audit trail, newest first."`
	Rotation   rotationCmd   `cmd:"" help:"Have old keys replaced at their next use."`
	Webhook    webhookCmd    `cmd:"" help:"Show what of the events waits to be sent or was set aside, and send it again."`

	Unlock unlockCmd `cmd:"" help:"End the lock of a credential and forget its failures."`
	Revoke revokeCmd `cmd:"" help:"End a device key at once, in grace or not."`
	Erase  eraseCmd  `cmd:"" help:"Erase an account: its private keys, its credentials and their locks."`

	Token adminTokenCmd `cmd:"" help:"Change the tokens that open the operator side."`
}

// addSettings gives each command the settings that it takes as flags.
func (c *adminCmd) addSettings() {
	for _, one := range []*connection{&c.Devices.connection, &c.Device.connection, &c.Key.connection, &c.Accounts.connection,
		&c.Account.connection, &c.Locks.connection, &c.Suspicions.connection, &c.Health.connection, &c.Posture.connection,
		&c.Operations.connection, &c.Audit.connection, &c.Rotation.Preview.connection, &c.Rotation.Start.connection, &c.Rotation.Stop.connection,
		&c.Rotation.Status.connection, &c.Webhook.Status.connection, &c.Webhook.DeadLetters.connection,
		&c.Webhook.Resend.connection, &c.Unlock.connection, &c.Revoke.connection, &c.Erase.connection} {
		one.Plugins = config.StoreFlags()
	}
	c.Token.Rotate.Plugins = config.AdminTokenFlags()
	c.Token.Retire.Plugins = config.AdminTokenFlags()
}

// connection says where the vault is that a command is about: behind a server,
// or here, to be opened by the settings of the store. Either way the command
// speaks to the admin API, so that there is one way to do each thing.
type connection struct {
	kong.Plugins
	Server    string `placeholder:"URL" help:"Ask the operator side of this server instead of opening the store."`
	TokenFile string `placeholder:"FILE" help:"File whose first word is the token for --server. Without it the token is taken from $STRONGROOM_ADMIN_TOKEN."`
	ServerCA  string `name:"server-ca" placeholder:"FILE" help:"Certificates (PEM) of the authority of --server, if this machine does not know it."`
	JSON      bool   `name:"json" help:"Print the answer of the admin API as it is."`
}

// with runs what a command does with the API.
func (c connection) with(ctx context.Context, p *Program, do func(*adminclient.Client) error) error {
	if c.Server != "" {
		a, err := adminclient.Dial(adminclient.Server{URL: c.Server, TokenFile: c.TokenFile, CAFile: c.ServerCA})
		if err != nil {
			return ExitError{ExitUsage, err}
		}
		return do(a)
	}
	if c.TokenFile != "" || c.ServerCA != "" {
		return usageError("--token-file and --server-ca go with --server")
	}
	return p.withVault(ctx, func(v *Vault) error { return do(adminclient.OfHandler(v.Admin, asOperator)) })
}

// account names an account as it is called outside, or by its id.
type account struct {
	Account string `xor:"who" required:"" placeholder:"ID" help:"The account, by its subject: sub of the tokens, or what the gateway calls it."`
	Device  string `xor:"who" required:"" placeholder:"DEVICEID" help:"The account of a device, in device mode."`
	ID      string `name:"id" xor:"who" required:"" placeholder:"ACCOUNTID" help:"The account, by the id that lists of the admin API have."`
	Issuer  string `placeholder:"URL" help:"Issuer of the account's tokens, in jwt mode. Needed if several issuers have an account of this name."`
}

// name is issuer and subject, in the mode of the store.
func (a account) name(mode domain.Mode) (issuer, subject string, err error) {
	switch {
	case a.Device != "" && mode != domain.ModeDevice:
		return "", "", fmt.Errorf("the store holds accounts of mode %s: name one with --account, not --device", mode)
	case a.Issuer != "" && mode != domain.ModeJWT:
		return "", "", fmt.Errorf("the store holds accounts of mode %s: --issuer is only for mode jwt", mode)
	case a.Device != "":
		return "", a.Device, nil
	}
	return a.Issuer, a.Account, nil
}

// path is where the account is in the API.
func (a account) path(ctx context.Context, api *adminclient.Client) (string, error) {
	if a.ID != "" {
		if a.Issuer != "" {
			return "", usageError("--issuer goes with --account")
		}
		return "/accounts/" + url.PathEscape(a.ID), nil
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
		return "", errors.New("there is no such account: nothing of that name is in the store")
	case 1:
		return "/accounts/" + found.Items[0].ID, nil
	}
	issuers := make([]string, len(found.Items))
	for i, a := range found.Items {
		issuers[i] = table.Cell(a.Issuer)
	}
	return "", fmt.Errorf("several issuers have an account of this name: add --issuer with one of %s", strings.Join(issuers, ", "))
}

// values are the parameters of a query, those that are not empty.
func values(pairs ...string) url.Values {
	v := url.Values{}
	for pair := range slices.Chunk(pairs, 2) {
		if pair[1] != "" {
			v.Set(pair[0], pair[1])
		}
	}
	return v
}

type unlockCmd struct {
	connection
	account
	Type   string `required:"" enum:"PASSCODE,TRANSACTION_PIN" placeholder:"PASSCODE|TRANSACTION_PIN" help:"Which credential: PASSCODE or TRANSACTION_PIN."`
	Reason reason `required:"" placeholder:"TEXT" help:"Why. The audit trail keeps it."`
}

// Run unlocks.
func (c unlockCmd) Run(ctx context.Context, p *Program) error {
	return c.with(ctx, p, func(a *adminclient.Client) error {
		path, err := c.path(ctx, a)
		if err != nil {
			return err
		}
		return c.act(ctx, p, a, "Unlocked.", path+"/unlock", map[string]any{"type": c.Type, "reason": c.Reason})
	})
}

type revokeCmd struct {
	connection
	Key    string `required:"" placeholder:"KEYID" help:"The keyId."`
	Reason reason `required:"" placeholder:"TEXT" help:"Why. The audit trail keeps it."`
}

// Run revokes.
func (c revokeCmd) Run(ctx context.Context, p *Program) error {
	return c.with(ctx, p, func(a *adminclient.Client) error {
		return c.act(ctx, p, a, "Revoked.", "/keys/"+url.PathEscape(c.Key)+"/revoke", map[string]any{"reason": c.Reason})
	})
}

type eraseCmd struct {
	connection
	account
	Reason reason `required:"" placeholder:"TEXT" help:"Why. The audit trail keeps it."`
}

// Run erases.
func (c eraseCmd) Run(ctx context.Context, p *Program) error {
	return c.with(ctx, p, func(a *adminclient.Client) error {
		path, err := c.path(ctx, a)
		if err != nil {
			return err
		}
		return c.act(ctx, p, a, "Erased.", path+"/erase", map[string]any{"reason": c.Reason})
	})
}

// act does one act of an operator and says that it was done, with the id by
// which the audit trail knows it.
func (c connection) act(ctx context.Context, p *Program, a *adminclient.Client, done, path string, body map[string]any) error {
	text, receipt, err := a.Act(ctx, path, body)
	if err != nil {
		return err
	}
	if c.JSON {
		_, err = p.Stdout.Write(text)
		return err
	}
	fmt.Fprintf(p.Stdout, "%s The audit trail has it as request %s.\n", done, table.Cell(receipt.RequestID))
	return nil
}

// reason is what an operator says about an act, for the audit trail.
type reason string

// UnmarshalText takes a reason from the command line, as [domain.ParseReason]
// does.
func (r *reason) UnmarshalText(text []byte) error {
	parsed, remedy := domain.ParseReason(string(text))
	if remedy != "" {
		return errors.New(remedy)
	}
	*r = reason(parsed)
	return nil
}
