package cli

import (
	"errors"
	"fmt"
	"io/fs"

	"strongroom/internal/crypto/seal"
)

type rootKeyCmd struct {
	Create rootKeyCreateCmd `cmd:"" help:"Make a new random root key in a new file that only its owner can read."`
}

type rootKeyCreateCmd struct {
	Path string `arg:"" help:"The file to make. One that exists is never touched."`
}

// Run makes a root key.
func (c rootKeyCreateCmd) Run(p *Program) error {
	err := seal.CreateFile(c.Path)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s exists and was not touched; name a new file", c.Path)
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(p.Stdout, "Made %s. Use it with --root-key file:%s.\n"+
		"Keep a copy apart from the database: without this key nothing in the database can ever be opened.\n", c.Path, c.Path)
	return nil
}
