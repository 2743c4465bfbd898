//go:build cgo && linux

package main

import (
	"os"

	"strongroom/internal/pkcs11"
	"strongroom/internal/pkcs11/helper"
)

// A binary with cgo is its own helper for root keys pkcs11:. It starts itself as a second
// process, so that the HSM's module is never in the process with the data keys.
func init() {
	if len(os.Args) == 2 && os.Args[1] == pkcs11.Subcommand {
		os.Exit(helper.Main())
	}
	pkcs11.BuiltIn()
}
