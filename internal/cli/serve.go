package cli

import (
	"context"
	"crypto/fips140"
	"fmt"
	"os"
	"runtime"

	"github.com/alecthomas/kong"

	"strongroom/internal/config"
	"strongroom/internal/crypto/devicekey"
)

type serveCmd struct {
	kong.Plugins
}

// Run serves until ctx is done.
func (serveCmd) Run(ctx context.Context, p *Program) error {
	s, _, err := config.Load(p.flags, os.Environ())
	if err != nil {
		return err
	}
	log := p.logger(s)
	err = p.Serve(ctx, s, log)
	if err != nil && s.LogFormat == "json" { // for programs that read the log
		log.Error("stopped with an error", "error", err)
		err = ExitError{Code: codeOf(err)}
	}
	return err
}

type versionCmd struct{}

// Run prints the version.
func (versionCmd) Run(p *Program) error {
	fmt.Fprintf(p.Stdout, "strongroom %s (commit %s, %s, %s/%s)\n", p.Version, p.Commit, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	if fips140.Enabled() {
		fmt.Fprintf(p.Stdout, "FIPS 140-3 module %s, enabled\n", fips140.Version())
	}
	if config.OpenSSLBuild {
		fmt.Fprintf(p.Stdout, "RSA by %s\n", devicekey.Engine())
	}
	return nil
}
