//go:build cgo && linux

package helper

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	p11 "github.com/miekg/pkcs11"

	"strongroom/internal/ownfile"
	"strongroom/internal/pkcs11"
)

// token is a token with an open session. The zero value is not opened yet.
type token struct {
	module  *p11.Ctx
	slot    uint
	session p11.SessionHandle
	tell    func(pkcs11.Answer) error // writes a line before the answer
}

// open loads the module and signs in to the token of a key. After a failure, the process
// cannot be used any more. A new process begins with a module in a known state.
func (t *token) open(r pkcs11.Request) (err error) {
	k := r.Key
	if t.module != nil {
		return nil
	}
	if t.module, err = load(k.Module); err != nil {
		return err
	}
	info, err := t.find(k)
	if err != nil {
		return err
	}
	flags := uint(p11.CKF_SERIAL_SESSION)
	if r.Op == pkcs11.Create {
		flags |= p11.CKF_RW_SESSION
	}
	if t.session, err = t.module.OpenSession(t.slot, flags); err != nil {
		return failure("C_OpenSession", err)
	}
	return t.login(r, info)
}

// close ends the session, so that the HSM can use it for other clients.
func (t *token) close() {
	if t.module != nil {
		_ = t.module.CloseSession(t.session)
		_ = t.module.Finalize()
	}
}

func load(path string) (*p11.Ctx, error) {
	f, _, err := ownfile.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fail(pkcs11.NoModule, "there is no file %s", path)
	}
	if err != nil {
		return nil, fail(pkcs11.BadModule, "PKCS#11 module %v", err)
	}
	_ = f.Close()
	module := p11.New(path)
	if module == nil {
		return nil, fail(pkcs11.BadModule, "%s cannot be loaded as a PKCS#11 module", path)
	}
	if err := module.Initialize(); err != nil {
		return nil, failure("C_Initialize", err)
	}
	return module, nil
}

// find finds the only token that k names.
func (t *token) find(k pkcs11.Key) (found p11.TokenInfo, err error) {
	slots, err := t.module.GetSlotList(true)
	if err != nil {
		return found, failure("C_GetSlotList", err)
	}
	var there, matching []string
	for _, slot := range slots {
		info, err := t.module.GetTokenInfo(slot)
		if err != nil || info.Flags&p11.CKF_TOKEN_INITIALIZED == 0 {
			continue
		}
		name := fmt.Sprintf("%q (serial %s, slot-id %d)", trim(info.Label), trim(info.SerialNumber), slot)
		there = append(there, name)
		if isNamed(k, slot, info) {
			matching = append(matching, name)
			found, t.slot = info, slot
		}
	}
	switch len(matching) {
	case 0:
		return found, fail(pkcs11.NoToken, "the URL matches no token; the module shows %s", orNone(there))
	case 1:
		return found, nil
	}
	return found, fail(pkcs11.ManyTokens, "the URL matches %s", strings.Join(matching, " and "))
}

func isNamed(k pkcs11.Key, slot uint, info p11.TokenInfo) bool {
	same := func(want, is string) bool { return want == "" || want == trim(is) }
	return same(k.Token, info.Label) && same(k.Serial, info.SerialNumber) && same(k.Model, info.Model) &&
		same(k.Manufacturer, info.ManufacturerID) && (k.Slot == nil || *k.Slot == slot)
}

// trim removes the padding: spaces, or zeros of modules that do not follow the standard.
func trim(text string) string { return strings.TrimRight(text, " \x00") }

func orNone(all []string) string {
	if len(all) == 0 {
		return "none"
	}
	return strings.Join(all, ", ")
}

// login signs in with the PIN. It does not use the last attempt before the token locks
// itself: with a wrong PIN in the file, a service manager's restarts would lock the token.
// Nor does it try a PIN that the token refused before, or that got no clear answer.
func (t *token) login(r pkcs11.Request, info p11.TokenInfo) error {
	k := r.Key
	switch {
	case info.Flags&p11.CKF_USER_PIN_LOCKED != 0:
		return fail(pkcs11.LockedPIN, "the token reports that its user PIN is locked")
	case k.PINFile == "" && info.Flags&p11.CKF_LOGIN_REQUIRED == 0:
		return nil
	case k.PINFile == "":
		return fail(pkcs11.NoPIN, "the token requires a PIN, and the URL has no pin-source")
	case info.Flags&p11.CKF_USER_PIN_FINAL_TRY != 0:
		return fail(pkcs11.LastPIN, "the token allows one more attempt before it locks the user PIN, and the PIN was not tried")
	}
	pin, err := readPIN(k.PINFile)
	if err != nil {
		return err
	}
	defer clear(pin)
	mark := markOf(r, info, pin)
	isMark := func(m []byte) bool { return hmac.Equal(m, mark) }
	switch {
	case slices.ContainsFunc(r.Refused, isMark):
		return fail(pkcs11.WrongPIN, "the token refused this PIN before (C_Login); it was not tried again, because a token locks itself after some wrong PINs")
	case slices.ContainsFunc(r.Unclear, isMark):
		return fail(pkcs11.UnclearPIN, "the token did not say whether this PIN is right when it was tried before (C_Login); it was not tried again, because a token locks itself after some wrong PINs")
	}
	return t.signIn(mark, pin)
}

// signIn sends the PIN to the token, and reports it before and after.
func (t *token) signIn(mark, pin []byte) error {
	if err := t.tell(pkcs11.Answer{SignIn: &pkcs11.SignIn{Mark: mark}}); err != nil {
		return err
	}
	if err := t.module.Login(t.session, p11.CKU_USER, string(pin)); err != nil && !isRV(err, p11.CKR_USER_ALREADY_LOGGED_IN) {
		return failure("C_Login", err)
	}
	return t.tell(pkcs11.Answer{SignIn: &pkcs11.SignIn{Mark: mark, Accepted: true}})
}

// markOf returns the mark of a PIN (see [pkcs11.Request.Refused]). The path of the module
// is not in it, because several paths can lead to one token.
func markOf(r pkcs11.Request, info p11.TokenInfo, pin []byte) []byte {
	h := hmac.New(sha256.New, r.MarkKey)
	for _, part := range []string{info.ManufacturerID, info.Model, info.SerialNumber, info.Label} {
		h.Write([]byte(trim(part) + "\x00"))
	}
	h.Write(pin)
	return h.Sum(nil)
}

// maxPIN bounds a PIN, in bytes.
const maxPIN = 1 << 10

func readPIN(path string) ([]byte, error) {
	f, _, err := ownfile.OpenSecret(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fail(pkcs11.NoPIN, "the file of pin-source, %s, does not exist", path)
	}
	if err != nil {
		return nil, fail(pkcs11.BadPINFile, "pin-source %v", err)
	}
	defer func() { _ = f.Close() }()
	text, err := io.ReadAll(io.LimitReader(f, maxPIN+1))
	pin := bytes.TrimRight(text, "\r\n")
	if err != nil || len(pin) == 0 || len(text) > maxPIN || bytes.ContainsAny(pin, "\r\n\x00") {
		clear(text)
		return nil, fail(pkcs11.BadPINFile, "pin-source %s holds no PIN, which is one line", path)
	}
	return pin, nil
}

func fail(code pkcs11.Code, format string, args ...any) error {
	return &pkcs11.Failure{Code: code, Detail: fmt.Sprintf(format, args...)}
}

func isRV(err error, rv uint) bool {
	var is p11.Error
	return errors.As(err, &is) && uint(is) == rv
}

// codes maps the return values of a module. All others are failures of the device.
var codes = map[p11.Error]pkcs11.Code{
	p11.CKR_PIN_INCORRECT:              pkcs11.WrongPIN,
	p11.CKR_PIN_INVALID:                pkcs11.WrongPIN,
	p11.CKR_PIN_LEN_RANGE:              pkcs11.WrongPIN,
	p11.CKR_PIN_LOCKED:                 pkcs11.LockedPIN,
	p11.CKR_PIN_EXPIRED:                pkcs11.LockedPIN,
	p11.CKR_USER_PIN_NOT_INITIALIZED:   pkcs11.LockedPIN,
	p11.CKR_USER_NOT_LOGGED_IN:         pkcs11.NoPIN,
	p11.CKR_MECHANISM_INVALID:          pkcs11.Unsupported,
	p11.CKR_MECHANISM_PARAM_INVALID:    pkcs11.Unsupported,
	p11.CKR_FUNCTION_NOT_SUPPORTED:     pkcs11.Unsupported,
	p11.CKR_KEY_FUNCTION_NOT_PERMITTED: pkcs11.NotPermitted,
	p11.CKR_KEY_TYPE_INCONSISTENT:      pkcs11.NotPermitted, // some tokens return this in place of the code above
	p11.CKR_KEY_SIZE_RANGE:             pkcs11.WrongKind,
	p11.CKR_DEVICE_REMOVED:             pkcs11.Removed,
	p11.CKR_TOKEN_NOT_PRESENT:          pkcs11.Removed,
	p11.CKR_TOKEN_NOT_RECOGNIZED:       pkcs11.Removed,
	p11.CKR_SESSION_CLOSED:             pkcs11.Removed,
	p11.CKR_SESSION_HANDLE_INVALID:     pkcs11.Removed,
	p11.CKR_SLOT_ID_INVALID:            pkcs11.Removed,
	p11.CKR_KEY_HANDLE_INVALID:         pkcs11.NoKey, // deleted since it was found
	p11.CKR_OBJECT_HANDLE_INVALID:      pkcs11.NoKey,
}

func failure(call string, err error) error {
	var rv p11.Error
	if !errors.As(err, &rv) {
		return fail(pkcs11.DeviceFailure, "%s failed", call)
	}
	code, known := codes[rv]
	if !known {
		code = pkcs11.DeviceFailure
	}
	return fail(code, "%s: %s", call, strings.TrimSpace(strings.TrimPrefix(rv.Error(), "pkcs11: ")))
}
