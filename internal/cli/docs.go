package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

type docsCmd struct {
	Dir string `arg:"" help:"Directory to write to. It is created if it does not exist, and must be empty."`
}

// Run writes the site.
func (c docsCmd) Run(p *Program) error {
	entries, err := os.ReadDir(c.Dir)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	if len(entries) > 0 {
		return fmt.Errorf("%s is not empty: choose another directory", c.Dir)
	}
	if err := p.WriteDocs(c.Dir); err != nil {
		return err
	}
	fmt.Fprintf(p.Stdout, "Written. Open %s in a browser.\n", filepath.Join(c.Dir, "index.html"))
	return nil
}
