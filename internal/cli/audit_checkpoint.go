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
	// Its value is in the program's flags.
	CheckpointKey string `name:"checkpoint-key" help:"Where the key that signs checkpoints is found."`
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
	Create checkpointKeyCreateCmd `cmd:"" help:"Make a new key pair: the private key in a new file that only its owner can read, the verifier key printed."`
}

type checkpointKeyCreateCmd struct {
	Path string `arg:"" help:"The file to make. One that exists is never touched."`
}

// Run makes a key.
func (c checkpointKeyCreateCmd) Run(p *Program) error {
	verifier, err := audit.CreateSigner(c.Path)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s exists and was not touched; name a new file", c.Path)
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(p.Stdout, "Made %s. Use it with --checkpoint-key file:%s.\n"+
		"Keep the verifier key apart from this machine, with the checkpoints; audit verify takes it as --verifier-key:\n%s\n", c.Path, c.Path, verifier)
	return nil
}
