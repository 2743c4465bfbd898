package cli

import (
	"context"
	"fmt"

	"github.com/alecthomas/kong"

	"strongroom/internal/domain"
	"strongroom/internal/table"
)

// SigningKeys is what the signing-key commands do.
type SigningKeys interface {
	SigningKeys(ctx context.Context) ([]domain.SigningKey, []domain.SigningKeyState, error)
	SigningKeySet(ctx context.Context) ([]byte, error)
	RotateSigningKey(ctx context.Context, atOnce bool, act domain.Act) (domain.ActResult, error)
	WithdrawSigningKeys(ctx context.Context, act domain.Act) (domain.ActResult, error)
}

type signingKeyCmd struct {
	List   signingKeyListCmd   `cmd:"" help:"List the signing keys, the oldest first."`
	Rotate signingKeyRotateCmd `cmd:"" help:"Create the next signing key. It is published now and signs in 7 days."`
	Export signingKeyExportCmd `cmd:"" help:"Print the public keys as a JWK Set, as GET /.well-known/jwks.json returns them."`
}

type signingKeyListCmd struct{ kong.Plugins }

// Run lists the keys.
func (signingKeyListCmd) Run(ctx context.Context, p *Program) error {
	return p.withVault(ctx, func(v *Vault) error {
		keys, states, err := v.Signing.SigningKeys(asOperator(ctx))
		if err != nil {
			return err
		}
		t := table.New(p.Stdout, "NUMBER", "STATE", "CREATED", "SIGNS FROM", "ERASED", "KEY ID")
		for i, k := range keys {
			t.Row(k.Number, states[i], table.Minute(k.CreatedAt), table.Minute(k.ActiveFrom), table.Minute(k.ErasedAt), k.ID)
		}
		t.Print()
		return nil
	})
}

type signingKeyRotateCmd struct {
	kong.Plugins
	Now      bool   `xor:"how" help:"Let the next key sign at once. Clients that cache the key set refuse its signatures until they fetch the set again."`
	Withdraw bool   `xor:"how" help:"Remove all signing keys, because one is compromised or was edited in the database. A new key signs at once. Signatures of the removed keys are no longer accepted."`
	Reason   reason `required:"" placeholder:"TEXT" help:"Reason, recorded in the audit trail."`
}

// Run rotates.
func (c signingKeyRotateCmd) Run(ctx context.Context, p *Program) error {
	return p.withVault(ctx, func(v *Vault) error {
		result, err := c.rotate(asOperator(ctx), v.Signing)
		if err != nil {
			return plainRefusal(err)
		}
		what := "Rotated. The next key is published, and signs in 7 days."
		switch {
		case c.Withdraw:
			what = "Withdrawn. A new key is published, and signs now."
		case c.Now:
			what = "Rotated. The next key is published, and signs now."
		}
		fmt.Fprintf(p.Stdout, "%s Running servers follow within 15 s. Request %s in the audit trail.\n", what, result.RequestID)
		return nil
	})
}

func (c signingKeyRotateCmd) rotate(ctx context.Context, keys SigningKeys) (domain.ActResult, error) {
	act := domain.Act{Reason: string(c.Reason)}
	if c.Withdraw {
		return keys.WithdrawSigningKeys(ctx, act)
	}
	return keys.RotateSigningKey(ctx, c.Now, act)
}

type signingKeyExportCmd struct{ kong.Plugins }

// Run prints the public keys.
func (signingKeyExportCmd) Run(ctx context.Context, p *Program) error {
	return p.withVault(ctx, func(v *Vault) error {
		set, err := v.Signing.SigningKeySet(asOperator(ctx))
		if err == nil {
			_, err = fmt.Fprintf(p.Stdout, "%s\n", set)
		}
		return err
	})
}
