package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"unicode"
	"unicode/utf8"

	"github.com/alecthomas/kong"

	"strongroom/internal/domain"
)

type adminCmd struct {
	Unlock unlockCmd `cmd:"" help:"End the lock of a credential and forget its failures."`
	Revoke revokeCmd `cmd:"" help:"End a device key at once, in grace or not."`
	Erase  eraseCmd  `cmd:"" help:"Erase an account: its private keys, its credentials and their locks."`
}

// account names an account as it is called outside.
type account struct {
	Account string `xor:"who" required:"" placeholder:"ID" help:"The account, by its subject: sub of the tokens, or what the gateway calls it."`
	Device  string `xor:"who" required:"" placeholder:"DEVICEID" help:"The account of a device, in device mode."`
	Issuer  string `placeholder:"URL" help:"Issuer of the account's tokens, in jwt mode."`
}

// name is issuer and subject, in the mode of the store.
func (a account) name(mode domain.Mode) (issuer, subject string, err error) {
	switch {
	case a.Device != "" && mode != domain.ModeDevice:
		return "", "", fmt.Errorf("the store holds accounts of mode %s: name one with --account, not --device", mode)
	case (a.Issuer != "") != (mode == domain.ModeJWT):
		return "", "", fmt.Errorf("the store holds accounts of mode %s: --issuer goes with jwt, and only with it", mode)
	case a.Device != "":
		return "", a.Device, nil
	}
	return a.Issuer, a.Account, nil
}

type unlockCmd struct {
	kong.Plugins
	account
	Type   string `required:"" enum:"PASSCODE,TRANSACTION_PIN" placeholder:"PASSCODE|TRANSACTION_PIN" help:"Which credential: PASSCODE or TRANSACTION_PIN."`
	Reason reason `required:"" placeholder:"TEXT" help:"Why. The audit trail keeps it."`
}

// Run unlocks.
func (c unlockCmd) Run(ctx context.Context, p *process) error {
	return p.operate(ctx, "Unlocked.", func(ctx context.Context, v *vault) error {
		issuer, subject, err := c.name(v.Mode())
		if err != nil {
			return err
		}
		return v.Unlock(ctx, issuer, subject, domain.CredentialType(c.Type), string(c.Reason))
	})
}

type revokeCmd struct {
	kong.Plugins
	Key    string `required:"" placeholder:"KEYID" help:"The keyId."`
	Reason reason `required:"" placeholder:"TEXT" help:"Why. The audit trail keeps it."`
}

// Run revokes.
func (c revokeCmd) Run(ctx context.Context, p *process) error {
	return p.operate(ctx, "Revoked.", func(ctx context.Context, v *vault) error {
		return v.Revoke(ctx, c.Key, string(c.Reason))
	})
}

type eraseCmd struct {
	kong.Plugins
	account
	Reason reason `required:"" placeholder:"TEXT" help:"Why. The audit trail keeps it."`
}

// Run erases.
func (c eraseCmd) Run(ctx context.Context, p *process) error {
	return p.operate(ctx, "Erased.", func(ctx context.Context, v *vault) error {
		issuer, subject, err := c.name(v.Mode())
		if err != nil {
			return err
		}
		return v.Erase(ctx, issuer, subject, string(c.Reason))
	})
}

// operate runs one act of an operator on the store and says that it was done,
// with the id by which the audit trail knows it.
func (p *process) operate(ctx context.Context, done string, act func(context.Context, *vault) error) (err error) {
	s, err := p.settings()
	if err != nil {
		return err
	}
	caller := domain.Caller{RequestID: domain.NewID()}
	ctx = domain.WithCaller(ctx, caller)
	v, err := openVault(ctx, s, p.logger(s), false)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, v.Close()) }()
	if err := act(ctx, v); err != nil {
		return err
	}
	fmt.Fprintf(p.stdout, "%s The audit trail has it as request %s.\n", done, caller.RequestID)
	return nil
}

// reason is what an operator says about an act, for the audit trail.
type reason string

const maxReason = 500

// UnmarshalText takes a reason from the command line, without the space around
// it. It refuses what could not stand in one line of the trail, or would show
// there as something else than it is: line separators, marks that turn the
// direction of writing, characters of no width.
func (r *reason) UnmarshalText(text []byte) error {
	text = bytes.TrimSpace(text)
	if n := utf8.RuneCount(text); n < 1 || n > maxReason || !utf8.Valid(text) {
		return fmt.Errorf("must be 1 to %d characters", maxReason)
	}
	for _, c := range string(text) {
		if !unicode.IsPrint(c) {
			return errors.New("must hold printable characters and plain spaces only")
		}
	}
	*r = reason(text)
	return nil
}
