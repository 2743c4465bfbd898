package main

import (
	"errors"
	"fmt"
	"io/fs"

	"strongroom/internal/config"
	"strongroom/internal/crypto/seal"
)

type rootKeyCmd struct {
	Create rootKeyCreateCmd `cmd:"" help:"Make a new random root key in a new file that only its owner can read."`
}

type rootKeyCreateCmd struct {
	Path string `arg:"" help:"The file to make. One that exists is never touched."`
}

func (c rootKeyCreateCmd) Run(p *process) error {
	err := seal.CreateFile(c.Path)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s exists and was not touched; name a new file", c.Path)
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(p.stdout, "Made %s. Use it with --root-key file:%s.\n"+
		"Keep a copy apart from the database: without this key nothing in the database can ever be opened.\n", c.Path, c.Path)
	return nil
}

// rootKey finds the root key that the settings name. Only for a database that
// has no keyset yet may it make the file.
func rootKey(from config.RootKey, create bool) (seal.RootKey, error) {
	if from.Env != "" {
		return seal.FromEnv(from.Env)
	}
	if create {
		if err := seal.CreateFile(from.File); err != nil && !errors.Is(err, fs.ErrExist) {
			return nil, err
		}
	}
	return seal.OpenFile(from.File)
}
