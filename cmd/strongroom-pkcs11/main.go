//go:build cgo && linux

// Command strongroom-pkcs11 is the helper of strongroom for root keys in hardware
// security modules (pkcs11:). strongroom starts it; do not start it by hand.
package main

import (
	"fmt"
	"os"

	"strongroom/internal/pkcs11/helper"
)

func main() {
	if len(os.Args) > 1 {
		fmt.Fprintln(os.Stderr, "strongroom-pkcs11 is started by strongroom for root keys pkcs11:…, and takes no arguments")
		os.Exit(2)
	}
	os.Exit(helper.Main())
}
