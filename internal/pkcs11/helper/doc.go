// Package helper is the process that loads the PKCS#11 module of an HSM and uses one
// key in it, for the package above. It needs cgo and Linux.
package helper
