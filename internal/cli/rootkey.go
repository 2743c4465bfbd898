package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/alecthomas/kong"

	"strongroom/internal/domain"
	"strongroom/internal/rootkey"
	"strongroom/internal/table"
)

// RootKeys is what the root-key commands do.
type RootKeys interface {
	RootKeys(ctx context.Context) ([]domain.RootKey, error)
	AddRootKey(ctx context.Context, url string, act domain.Act) (domain.ActResult, error)
	RemoveRootKey(ctx context.Context, name string, act domain.Act) (domain.ActResult, error)
	RotateRootKey(ctx context.Context, from, to string, act domain.Act) (domain.ActResult, error)
}

type rootKeyCmd struct {
	Create   rootKeyCreateCmd   `cmd:"" help:"Create a root key: a random key in a new file that only its owner can read, or a new key in the HSM, key management service or TPM that the URL names."`
	List     rootKeyListCmd     `cmd:"" help:"List the root keys that wrap the database. Those given with --root-key are tried."`
	Add      rootKeyAddCmd      `cmd:"" help:"Wrap the database under one more root key. Any one of them opens it."`
	Remove   rootKeyRemoveCmd   `cmd:"" help:"Remove a root key from the database. One of the other root keys must open it now."`
	Rotate   rootKeyRotateCmd   `cmd:"" help:"Replace a root key of the database. Running servers continue without a restart."`
	Recovery rootKeyRecoveryCmd `cmd:"" help:"Wrap the database for recovery under an age recipient, whose identity is kept offline, and open it with that identity."`
}

type rootKeyCreateCmd struct {
	URL string `arg:"" help:"Place of the new root key, as --root-key takes it, or the path of a file. An existing key is never changed."`
}

// Run creates a root key.
func (c rootKeyCreateCmd) Run(ctx context.Context, p *Program) error {
	url := c.URL
	if rootkey.Check(url) != nil && !strings.Contains(url, ":") {
		url = "file:" + url
	}
	err := rootkey.Create(ctx, url)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s exists and was not changed; name a new one", c.URL)
	}
	if err != nil {
		return err
	}
	if path, isFile := strings.CutPrefix(url, "file:"); isFile {
		fmt.Fprintf(p.Stdout, "Created %s. Use it with --root-key %s.\n"+
			"Keep a copy on another machine than the database. Without this key the database cannot be decrypted.\n", path, shellWord(url))
		return nil
	}
	fmt.Fprintf(p.Stdout, "Created. Use it with --root-key %s.\n"+
		"Without this key the database cannot be decrypted: add a second root key or a recovery wrap.\n", shellWord(url))
	return nil
}

type rootKeyListCmd struct{ kong.Plugins }

// Run lists the root keys.
func (rootKeyListCmd) Run(ctx context.Context, p *Program) error {
	return p.withVault(ctx, func(v *Vault) error {
		all, err := v.RootKeys.RootKeys(asOperator(ctx))
		if err != nil {
			return plainRefusal(err)
		}
		t := table.New(p.Stdout, "ROOT KEY", "URL", "ADDED", "STATE")
		for _, k := range all {
			t.Row(k.ID, k.URL, table.Minute(k.AddedAt), rootKeyState(k))
		}
		t.Print()
		for _, k := range all {
			if k.Problem != "" {
				fmt.Fprintln(p.Stderr, k.Problem)
			}
		}
		return nil
	})
}

func rootKeyState(k domain.RootKey) string {
	switch {
	case k.Up():
		return "opens"
	case k.Problem != "":
		return "failed:" + k.Reason
	case rootkey.IsRecovery(k.URL):
		return "recovery"
	}
	return "not-given"
}

type rootKeyAddCmd struct {
	kong.Plugins
	URL    string `arg:"" help:"The root key to add, as --root-key takes it."`
	Reason reason `default:"added on the command line" placeholder:"TEXT" help:"Reason, recorded in the audit trail."`
}

// Run adds a wrap.
func (c rootKeyAddCmd) Run(ctx context.Context, p *Program) error {
	return p.addRootKey(ctx, c.URL, c.Reason)
}

func (p *Program) addRootKey(ctx context.Context, url string, why reason) error {
	url = rootkey.Absolute(url)
	return p.changeRootKeys(ctx, func(ctx context.Context, keys RootKeys) (domain.ActResult, error) {
		return keys.AddRootKey(ctx, url, domain.Act{Reason: string(why)})
	}, "Added. The database opens with this root key too.")
}

type rootKeyRemoveCmd struct {
	kong.Plugins
	Name   string `arg:"" help:"The root key to remove, by its id or its URL, as root-key list shows them."`
	Reason reason `default:"removed on the command line" placeholder:"TEXT" help:"Reason, recorded in the audit trail."`
}

// Run removes a wrap.
func (c rootKeyRemoveCmd) Run(ctx context.Context, p *Program) error {
	return p.changeRootKeys(ctx, func(ctx context.Context, keys RootKeys) (domain.ActResult, error) {
		return keys.RemoveRootKey(ctx, c.Name, domain.Act{Reason: string(c.Reason)})
	}, "Removed. The database does not open with this root key any more. An older copy of the database still does: "+
		"if the root key is compromised, also run data-key rotate.")
}

type rootKeyRotateCmd struct {
	kong.Plugins
	To     string   `required:"" placeholder:"URL" help:"The new root key, as --root-key takes it."`
	From   nonEmpty `placeholder:"NAME" help:"The root key to replace, by its id or its URL. Default: the one given with --root-key."`
	Reason reason   `default:"rotated on the command line" placeholder:"TEXT" help:"Reason, recorded in the audit trail."`
}

// Run replaces a wrap.
func (c rootKeyRotateCmd) Run(ctx context.Context, p *Program) error {
	c.To = rootkey.Absolute(c.To)
	return p.changeRootKeys(ctx, func(ctx context.Context, keys RootKeys) (domain.ActResult, error) {
		return keys.RotateRootKey(ctx, string(c.From), c.To, domain.Act{Reason: string(c.Reason)})
	}, "Rotated. Running servers continue. Before a server is started again, give it --root-key "+shellWord(c.To)+".")
}

type rootKeyRecoveryCmd struct {
	Add  recoveryAddCmd  `cmd:"" help:"Wrap the database for recovery under an age recipient (age1…, a plugin's recipient, or an SSH public key)."`
	Open recoveryOpenCmd `cmd:"" help:"Open a database whose root keys are lost with an age identity, and wrap it under a new root key."`
}

type recoveryAddCmd struct {
	kong.Plugins
	Recipient string `arg:"" help:"The age recipient. Keep its identity offline: on paper, in a safe, or in a hardware token."`
	Reason    reason `default:"added on the command line" placeholder:"TEXT" help:"Reason, recorded in the audit trail."`
}

// Run adds a recovery wrap.
func (c recoveryAddCmd) Run(ctx context.Context, p *Program) error {
	return p.addRootKey(ctx, "age:"+strings.TrimPrefix(c.Recipient, "age:"), c.Reason)
}

type recoveryOpenCmd struct {
	kong.Plugins
	Identity string `required:"" placeholder:"FILE" help:"File with the age identity, an age plugin's identity or an SSH private key, which only its owner can read."`
	To       string `required:"" placeholder:"URL" help:"The new root key, as --root-key takes it. Create it first with root-key create."`
	Reason   reason `default:"recovered on the command line" placeholder:"TEXT" help:"Reason, recorded in the audit trail."`
}

// Run opens the database with an identity and wraps it under a new root key.
func (c recoveryOpenCmd) Run(ctx context.Context, p *Program) error {
	p.flags["root-key"] = "age-identity:" + c.Identity
	return p.addRootKey(ctx, c.To, c.Reason)
}

func (p *Program) changeRootKeys(ctx context.Context, change func(context.Context, RootKeys) (domain.ActResult, error), done string) error {
	return p.withVault(ctx, func(v *Vault) error {
		result, err := change(asOperator(ctx), v.RootKeys)
		return p.said(done, result, err)
	})
}

// said prints what an act did, with its request id, or returns why it was refused.
func (p *Program) said(done string, result domain.ActResult, err error) error {
	if err != nil {
		return plainRefusal(err)
	}
	fmt.Fprintf(p.Stdout, "%s Request %s in the audit trail.\n", done, result.RequestID)
	return nil
}

// plainRefusal returns a refusal without its error code, and any other error as it is.
func plainRefusal(err error) error {
	if refusal, ok := errors.AsType[*domain.Error](err); ok {
		if refusal.Cause != nil { // such as a full disk
			return fmt.Errorf("the database cannot serve: %w", refusal.Cause)
		}
		return errors.New(refusal.Message)
	}
	return err
}
