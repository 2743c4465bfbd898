// Package pkcs11 wraps and unwraps with hardware security modules, through a helper
// process. A PKCS#11 module is a C library of the HSM's vendor. It is never loaded into
// the process that holds the data keys, only into the helper. This package runs in the
// process with the data keys, and has no cgo. Package helper is the other side.
//
// The protocol is one line of JSON for each request and answer, on the helper's
// standard input and output. Before the answer, lines tell about a sign-in (see
// [SignIn]). The helper ends when its standard input closes, so it
// cannot outlive the process that started it.
package pkcs11

// Version is the version of the protocol. A helper of another version refuses requests.
const Version = 3

// MaxLine bounds a line of the protocol, in bytes. JSON needs up to 6 bytes for each byte of
// the 7 text attributes of a URL (see maxValue), and the rest of a request has under 16 KiB.
const MaxLine = 64 << 10

// Program is the name of the helper's file.
const Program = "strongroom-pkcs11"

// Subcommand is the argument that starts the helper in a binary that is its own helper
// (see [BuiltIn]).
const Subcommand = "pkcs11-helper"

// Key names a key in a token, as a PKCS#11 URI does. Module is required. An empty field
// matches everything.
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

// Type is the kind of key, as RFC 7512 names it.
type Type string

// The types.
const (
	Secret  Type = "secret-key" // AES-256, used with GCM
	Private Type = "private"    // RSA, used with OAEP
)

// Op is the operation of a request.
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

	// Refused are marks of the PINs that tokens refused, and Unclear of those that got no
	// clear answer. The helper does not try them. A mark is an HMAC under MarkKey of the
	// token and the PIN, so that only the helper reads the PIN.
	Refused [][]byte `json:"refused,omitempty"`
	Unclear [][]byte `json:"unclear,omitempty"`
	MarkKey []byte   `json:"markKey"`
}

// Answer is the helper's answer.
type Answer struct {
	ID      string   `json:"id,omitempty"` // of the key, for Open and Create
	Data    []byte   `json:"data,omitempty"`
	Failure *Failure `json:"failure,omitempty"`
	SignIn  *SignIn  `json:"signIn,omitempty"` // if set, this is not the answer yet
}

// SignIn reports that the helper is about to send a PIN to the token, and then that the
// token accepted it. So the other process knows the PIN's mark even if the module crashes
// or hangs.
type SignIn struct {
	Mark     []byte `json:"mark"`
	Accepted bool   `json:"accepted,omitempty"`
}

// Failure is why the helper or the HSM did not do what was requested.
type Failure struct {
	Code   Code   `json:"code"`
	Detail string `json:"detail"`
}

// Error returns the detail. For a failed call of the module, it names the call and the
// CKR code.
func (f *Failure) Error() string { return f.Detail }

// Code is the kind of a failure.
type Code string

// The codes.
const (
	NoHelper      Code = "no-helper"
	Crashed       Code = "crashed"
	Protocol      Code = "protocol" // the helper is of another release, or is another program
	NoModule      Code = "no-module"
	BadModule     Code = "bad-module"
	NoToken       Code = "no-token"
	ManyTokens    Code = "many-tokens"
	NoPIN         Code = "no-pin"
	BadPINFile    Code = "bad-pin-file"
	WrongPIN      Code = "wrong-pin"
	UnclearPIN    Code = "unclear-pin" // it was tried before, and the token did not say whether it is right
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
