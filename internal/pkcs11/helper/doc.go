// Package helper is the helper process of package pkcs11: it loads the PKCS#11 module of
// an HSM and uses one key in it. It needs cgo and Linux.
package helper
