// Package tpm opens the TPM 2.0 of this machine.
package tpm

import (
	"os"

	"github.com/google/go-tpm/tpm2/transport"
	"github.com/google/go-tpm/tpm2/transport/linuxtpm"
	"github.com/google/go-tpm/tpm2/transport/linuxudstpm"
)

// DefaultDevice is the device of the kernel's resource manager, which several processes
// can share.
const DefaultDevice = "/dev/tpmrm0"

// ErrNoDevice is the error for a path that is neither a device nor a socket.
var ErrNoDevice = linuxtpm.ErrFileIsNotDevice

// Open opens a TPM device, or the Unix socket of swtpm. The caller closes it.
func Open(device string) (transport.TPMCloser, error) {
	info, err := os.Stat(device)
	if err != nil {
		return nil, err
	}
	if info.Mode()&os.ModeSocket != 0 {
		return linuxudstpm.Open(device)
	}
	return linuxtpm.Open(device)
}
