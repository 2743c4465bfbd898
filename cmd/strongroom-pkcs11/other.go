//go:build !cgo || !linux

// Command strongroom-pkcs11 is the helper of strongroom for root keys in hardware
// security modules (pkcs11:). This build only prints an error: it needs cgo and Linux.
package main

import (
	"fmt"
	"os"
)

func main() {
	fmt.Fprintln(os.Stderr, "strongroom-pkcs11 was built without cgo or for another system than Linux; build it with CGO_ENABLED=1 and a C compiler")
	os.Exit(2)
}
