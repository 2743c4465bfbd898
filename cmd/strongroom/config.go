package main

import (
	"fmt"
	"os"
	"text/tabwriter"

	"github.com/alecthomas/kong"

	"strongroom/internal/config"
)

type configCmd struct {
	Check configCheckCmd `cmd:"" help:"Print every setting and where it comes from, then OK; or everything that is wrong, and exit 1."`
}

type configCheckCmd struct {
	kong.Plugins
}

func (configCheckCmd) Run(p *process) error {
	_, list, err := config.Load(p.flags, os.Environ())
	if err != nil {
		return exit{exitFailed, err}
	}
	w := tabwriter.NewWriter(p.stdout, 0, 0, 2, ' ', 0)
	for _, e := range list {
		fmt.Fprintf(w, "%s\t%s\t%s\n", e.Name, e.Value, e.Origin)
	}
	fmt.Fprintln(w, "OK")
	return w.Flush()
}
