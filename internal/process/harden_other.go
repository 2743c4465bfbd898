//go:build !linux

package process

import "errors"

// Harden reports what cannot be done on this system.
func Harden() []error {
	return []error{errors.New("core dumps can be disabled only on Linux")}
}
