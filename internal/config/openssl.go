//go:build openssl && cgo

package config

// OpenSSLBuild reports whether the system's OpenSSL does RSA (make build-openssl).
const OpenSSLBuild = true
