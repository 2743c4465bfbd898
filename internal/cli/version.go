package cli

import (
	"crypto/fips140"
	"encoding/json"
	"fmt"
	"runtime"

	"strongroom/internal/config"
	"strongroom/internal/crypto/devicekey"
)

type versionCmd struct {
	JSON bool `name:"json" help:"Print JSON."`
}

// versionAnswer is what version --json prints.
type versionAnswer struct {
	Version  string `json:"version"`
	Commit   string `json:"commit"` // "unknown" if the build did not know it
	Go       string `json:"goVersion"`
	Platform string `json:"platform"`
	FIPS     string `json:"fips140Module,omitempty"` // version of the module, if it is enabled
	RSA      string `json:"rsaEngine,omitempty"`     // name and version, if it is not Go's
}

// Run prints the version.
func (c versionCmd) Run(p *Program) error {
	v := versionAnswer{Version: p.Version, Commit: p.Commit, Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	if fips140.Enabled() {
		v.FIPS = fips140.Version()
	}
	if config.OpenSSLBuild {
		v.RSA = devicekey.Engine()
	}
	if c.JSON {
		e := json.NewEncoder(p.Stdout)
		e.SetIndent("", "  ")
		return e.Encode(v)
	}
	fmt.Fprintf(p.Stdout, "strongroom %s (commit %s, %s, %s)\n", v.Version, v.Commit, v.Go, v.Platform)
	if v.FIPS != "" {
		fmt.Fprintf(p.Stdout, "FIPS 140-3 module %s, enabled\n", v.FIPS)
	}
	if v.RSA != "" {
		fmt.Fprintf(p.Stdout, "RSA by %s\n", v.RSA)
	}
	return nil
}
