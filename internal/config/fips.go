package config

import (
	"crypto/fips140"
	"errors"
)

// fipsMode reports whether the process is in FIPS mode. In it, settings have their FIPS
// defaults, and new keys and verifiers cannot use algorithms that are not approved. The
// FIPS build (make build-fips) is always in FIPS mode. GODEBUG=fips140=on puts any other
// build into it, without a frozen module.
func fipsMode() bool { return fips140.Enabled() || FIPSBuild() }

// FIPSBuild reports whether the binary was built with a frozen version of Go's FIPS
// 140-3 module.
func FIPSBuild() bool { return fips140.Version() != "latest" }

// CheckFIPS fails if the FIPS build runs with its module turned off. The integrity check
// and the first self-tests of the module have already passed: if one of them fails, the
// process ends before main.
func CheckFIPS() error {
	if FIPSBuild() && !fips140.Enabled() {
		return errors.New("this is the FIPS build, and GODEBUG=fips140=off turns its FIPS 140-3 module off; " +
			"remove fips140 from GODEBUG, or run the ordinary build")
	}
	return nil
}
