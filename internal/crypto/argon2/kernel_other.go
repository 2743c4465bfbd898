//go:build !amd64

package argon2

var kernels = []kernel{portable}
