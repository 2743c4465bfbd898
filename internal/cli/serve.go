package cli

import (
	"context"
	"os"

	"github.com/alecthomas/kong"

	"strongroom/internal/config"
	"strongroom/internal/server"
)

type serveCmd struct {
	kong.Plugins
}

// Run makes [Program.Run] call serve.
func (serveCmd) Run(p *Program) error {
	p.serving = true
	return nil
}

// serve serves until ctx is done.
func (p *Program) serve(ctx context.Context) error {
	s, _, err := config.Load(p.flags, os.Environ())
	if err != nil {
		return err
	}
	log := p.logger(s)
	server.LogClients(log)
	err = p.Serve(ctx, s, log)
	if err == nil || s.LogFormat != "json" {
		return err
	}
	// For programs that read the log.
	code := codeOf(err)
	if code == ExitOK {
		log.Info(err.Error())
	} else {
		log.Error("stopped with an error", "error", err)
	}
	return ExitError{Code: code}
}
