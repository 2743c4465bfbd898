// Package e2e holds tests of the built binary and nothing else: started as an
// operator starts it, called as clients call it, killed as machines kill it.
// What they find, a user would have found.
package e2e
