//go:build !linux

package process

import "errors"

// Harden does nothing on this system, and returns an error that says so.
func Harden() []error {
	return []error{errors.New("core dumps can be disabled only on Linux")}
}
