package config

import (
	"crypto/fips140"
	"errors"
)

// FIPS reports whether the process is in FIPS mode: settings have the defaults for it,
// and algorithms that are not approved are refused for what is new. The FIPS build
// (make build-fips) is always in it. GODEBUG=fips140=on puts any other build into it,
// without a frozen module.
func FIPS() bool { return fips140.Enabled() || FIPSBuild() }

// FIPSBuild reports whether the binary was built with a frozen version of Go's FIPS
// 140-3 module.
func FIPSBuild() bool { return fips140.Version() != "latest" }

// CheckFIPS refuses to run the FIPS build with its module turned off. The module has
// checked its integrity and has tested itself when this is called: a failure of either
// ends the process before.
func CheckFIPS() error {
	if FIPSBuild() && !fips140.Enabled() {
		return errors.New("this is the FIPS build, and GODEBUG=fips140=off turns its FIPS 140-3 module off; " +
			"remove fips140 from GODEBUG, or run the ordinary build")
	}
	return nil
}
