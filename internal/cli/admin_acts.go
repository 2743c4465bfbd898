package cli

import (
	"context"
	"net/url"

	"strongroom/internal/adminclient"
)

// credentialAct is an act on one credential of an account.
type credentialAct struct {
	connection
	account
	Type   string `required:"" enum:"PASSCODE,TRANSACTION_PIN" placeholder:"PASSCODE|TRANSACTION_PIN" help:"Which credential: PASSCODE or TRANSACTION_PIN."`
	Reason reason `required:"" placeholder:"TEXT" help:"Reason, recorded in the audit trail."`
}

func (c credentialAct) request(ctx context.Context, p *Program, done, name string) error {
	return c.with(ctx, p, func(a *adminclient.Client) error {
		path, err := c.path(ctx, a)
		if err != nil {
			return err
		}
		return c.act(ctx, p, a, done, path+"/"+name, map[string]any{"type": c.Type, "reason": c.Reason})
	})
}

type unlockCmd struct{ credentialAct }

// Run unlocks.
func (c unlockCmd) Run(ctx context.Context, p *Program) error {
	return c.request(ctx, p, "Unlocked.", "unlock")
}

type credentialCmd struct {
	MustChange mustChangeCmd `cmd:"" name:"must-change" help:"Mark a passcode or PIN that its user must change. verify still works, and reports the mark until the user sets a new one."`
}

type mustChangeCmd struct{ credentialAct }

// Run marks the credential.
func (c mustChangeCmd) Run(ctx context.Context, p *Program) error {
	return c.request(ctx, p, "Marked.", "must-change")
}

// keyAct is an act on one key.
type keyAct struct {
	connection
	Key    keyID  `required:"" placeholder:"KEYID" help:"The keyId."`
	Reason reason `required:"" placeholder:"TEXT" help:"Reason, recorded in the audit trail."`
}

func (c keyAct) request(ctx context.Context, p *Program, done, name string) error {
	return c.with(ctx, p, func(a *adminclient.Client) error {
		return c.act(ctx, p, a, done, "/keys/"+url.PathEscape(string(c.Key))+"/"+name, map[string]any{"reason": c.Reason})
	})
}

type revokeCmd struct{ keyAct }

// Run revokes.
func (c revokeCmd) Run(ctx context.Context, p *Program) error {
	return c.request(ctx, p, "Revoked.", "revoke")
}

type unbindCmd struct{ keyAct }

// Run unbinds.
func (c unbindCmd) Run(ctx context.Context, p *Program) error {
	return c.request(ctx, p, "Unbound.", "unbind")
}

type eraseCmd struct {
	connection
	account
	Reason reason `required:"" placeholder:"TEXT" help:"Reason, recorded in the audit trail."`
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
