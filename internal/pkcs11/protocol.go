// Package pkcs11 asks hardware security modules to wrap and unwrap, through a helper
// process. A PKCS#11 module is a C library of the HSM's vendor. It never gets into the
// process that holds the data keys: the helper loads it. This package is the side of
// that process and has no cgo; the helper is the package below.
//
// The protocol is one line of JSON for each request and answer, on the helper's
// standard input and output. The helper ends when its standard input closes, so it
// cannot outlive the process that started it.
package pkcs11

// Version is the protocol's. A helper of another version refuses requests.
const Version = 1

// MaxLine bounds a line of the protocol, in bytes.
const MaxLine = 16 << 10

// Program is the name of the helper's file.
const Program = "strongroom-pkcs11"

// Subcommand starts the helper in a binary that is its own (see [BuiltIn]).
const Subcommand = "pkcs11-helper"

// Key names a key in a token, as a PKCS#11 URI does. An empty field matches all.
type Key struct {
	Module  string `json:"module"`
	PINFile string `json:"pinFile,omitempty"`

	Token        string `json:"token,omitempty"`
	Manufacturer string `json:"manufacturer,omitempty"`
	Model        string `json:"model,omitempty"`
	Serial       string `json:"serial,omitempty"`
	Slot         *uint  `json:"slot,omitempty"`

	Label string `json:"label,omitempty"`
	ID    []byte `json:"id,omitempty"`
	Type  Type   `json:"type,omitempty"`
	SHA1  bool   `json:"sha1,omitempty"` // RSA-OAEP with SHA-1, because the token has no other
}

// Type is the kind of key, in the words of RFC 7512.
type Type string

// The types.
const (
	Secret  Type = "secret-key" // AES-256, used with GCM
	Private Type = "private"    // RSA, used with OAEP
)

// Op is what a request asks for.
type Op string

// The operations. Open finds the key and proves that it wraps and unwraps.
const (
	Open   Op = "open"
	Wrap   Op = "wrap"
	Unwrap Op = "unwrap"
	Create Op = "create"
)

// Request is a request to the helper. All requests to one helper are for one key.
type Request struct {
	Version int    `json:"version"`
	Op      Op     `json:"op"`
	Key     Key    `json:"key"`
	Bound   []byte `json:"bound,omitempty"` // associated data of Wrap and Unwrap
	Data    []byte `json:"data,omitempty"`
}

// Answer is the helper's answer.
type Answer struct {
	ID      string   `json:"id,omitempty"` // of the key, for Open and Create
	Data    []byte   `json:"data,omitempty"`
	Failure *Failure `json:"failure,omitempty"`
}

// Failure says why the helper or the HSM did not do it.
type Failure struct {
	Code   Code   `json:"code"`
	Detail string `json:"detail"`
}

// Error is the detail, which names the call and its CKR code.
func (f *Failure) Error() string { return f.Detail }

// Code is the kind of a failure.
type Code string

// The codes.
const (
	NoHelper      Code = "no-helper"
	Crashed       Code = "crashed"
	Protocol      Code = "protocol" // the helper is of another release, or no helper
	NoModule      Code = "no-module"
	BadModule     Code = "bad-module"
	NoToken       Code = "no-token"
	ManyTokens    Code = "many-tokens"
	NoPIN         Code = "no-pin"
	BadPINFile    Code = "bad-pin-file"
	WrongPIN      Code = "wrong-pin"
	LastPIN       Code = "last-pin"
	LockedPIN     Code = "locked-pin"
	NoKey         Code = "no-key"
	ManyKeys      Code = "many-keys"
	Exists        Code = "exists"
	Unsupported   Code = "unsupported"
	NoSHA256      Code = "no-sha256"
	NotPermitted  Code = "not-permitted"
	Extractable   Code = "extractable"
	WrongKind     Code = "wrong-kind"
	WrongKey      Code = "wrong-key" // the data does not decrypt under this key
	Removed       Code = "removed"
	DeviceFailure Code = "device-failure"
)
