package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/alecthomas/kong"

	"strongroom/internal/audit"
)

type auditCheckpointCmd struct {
	kong.Plugins
	// Only for the help text: the value is in the program's flags.
	CheckpointKey string `name:"checkpoint-key" help:"Source of the key that signs checkpoints."`
}

// Run makes a checkpoint and prints it.
func (auditCheckpointCmd) Run(ctx context.Context, p *Program) (err error) {
	s, err := p.settings()
	if err != nil {
		return err
	}
	signer, err := audit.FindSigner(s.CheckpointKey.Env, s.CheckpointKey.File)
	if err != nil {
		return err
	}
	v, err := p.OpenVault(ctx, s, p.logger(s), false)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, v.Close()) }()
	signed, err := v.Trail.Checkpoint(asOperator(ctx), signer)
	if err != nil {
		return err
	}
	_, err = p.Stdout.Write(signed)
	return err
}

type checkpointKeyCmd struct {
	Create checkpointKeyCreateCmd `cmd:"" help:"Create a key pair. The private key is written to a new file that only its owner can read. The verifier key is printed."`
}

type checkpointKeyCreateCmd struct {
	Path string `arg:"" help:"File to create. An existing file is never changed."`
}

// Run makes a key.
func (c checkpointKeyCreateCmd) Run(p *Program) error {
	verifier, err := audit.CreateSigner(c.Path)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s exists and was not changed; give the path of a new file", c.Path)
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(p.Stdout, "Created %s. Use it with --checkpoint-key file:%s.\n"+
		"Keep the verifier key on another machine, with the checkpoints. Give it to audit verify as --verifier-key:\n%s\n", c.Path, c.Path, verifier)
	return nil
}
