//go:build !linux

package main

import "errors"

func hardenProcess() []error {
	return []error{errors.New("core dumps can be switched off on Linux only")}
}
