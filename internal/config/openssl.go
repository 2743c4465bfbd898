//go:build openssl && cgo

package config

// OpenSSLBuild reports whether RSA is done by the system's OpenSSL (make build-openssl).
const OpenSSLBuild = true
