package cli

import (
	"errors"
	"fmt"
	"io/fs"

	"strongroom/internal/crypto/seal"
)

type rootKeyCmd struct {
	Create rootKeyCreateCmd `cmd:"" help:"Create a random root key in a new file that only its owner can read."`
}

type rootKeyCreateCmd struct {
	Path string `arg:"" help:"File to create. An existing file is never changed."`
}

// Run makes a root key.
func (c rootKeyCreateCmd) Run(p *Program) error {
	err := seal.CreateFile(c.Path)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s exists and was not changed; give the path of a new file", c.Path)
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(p.Stdout, "Created %s. Use it with --root-key file:%s.\n"+
		"Keep a copy on another machine than the database. Without this key the database cannot be decrypted.\n", c.Path, c.Path)
	return nil
}
