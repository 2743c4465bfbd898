package sandbox

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"strconv"
	"strings"
	"unicode/utf16"

	"strongroom/internal/crypto/devicekey"
	"strongroom/internal/domain"
)

// info is an info that clients give HPKE. name describes a wrong one, and is "" for
// the right one.
type info struct{ text, name string }

// infos are the right info, and wrong ones that clients use.
var infos = []info{
	{devicekey.Info, ""},
	{"", "nothing"},
	{devicekey.Info + "\n", "the right text and a line feed"},
	{devicekey.Info + "\r\n", "the right text and \\r\\n"},
	{devicekey.Info + "\x00", "the right text and a zero byte"},
	{"Strongroom HPKE v1", "a text in another case"},
	{"strongroom HPKE v1", "a text in another case"},
	{strings.ToUpper(devicekey.Info), "a text in capitals"},
	{"strongroom-hpke-v1", "a text with hyphens"},
	{"strongroom_hpke_v1", "a text with underscores"},
	{"strongroom/hpke/v1", "a text with slashes"},
	{"strongroom hpke", "a text without v1"},
	{"strongroom", "the word strongroom alone"},
	{"strongroom hpke v2", "another version"},
	{"strongroom/authorize", "the label of RSA-OAEP"},
	{strconv.Quote(devicekey.Info), "the right text in quotes"},
	{base64.StdEncoding.EncodeToString([]byte(devicekey.Info)), "the right text in base64"},
	{hex.EncodeToString([]byte(devicekey.Info)), "the right text in hexadecimal"},
	{utf16LE(devicekey.Info), "the right text in UTF-16"},
}

// noted is a mistake, with the arguments of its meaning.
type noted struct {
	code mistake
	args []any
}

// aad is an AAD that clients make, what it is for, and its mistakes.
type aad struct {
	text string
	purpose
	mistakes []noted
}

// form is one way to join the three fields.
type form struct {
	separator, end string
	order          [3]int
	encode         func(string) string
	mistakes       []noted
}

var right = form{separator: "\n", order: [3]int{0, 1, 2}}

// forms are the wrong ways.
var forms = func() (all []form) {
	with := func(change func(*form), mistakes ...noted) {
		f := right
		change(&f)
		f.mistakes = mistakes
		all = append(all, f)
	}
	lineEnding, trailing := noted{code: aadLineEnding}, noted{code: aadTrailing}
	with(func(f *form) { f.separator = "\r\n" }, lineEnding)
	with(func(f *form) { f.end = "\n" }, trailing)
	with(func(f *form) { f.end = "\r\n" }, trailing)
	with(func(f *form) { f.separator, f.end = "\r\n", "\r\n" }, lineEnding, trailing)
	for separator, name := range map[string]string{
		"": "nothing", " ": "a space", ",": "a comma", ", ": "a comma and a space", ";": "a semicolon", ":": "a colon", "|": "a vertical bar", ".": "a dot", "/": "a slash",
		"-": "a hyphen", "_": "an underscore", "\t": "a tab", "\r": "a carriage return", "\x00": "a zero byte", `\n`: `a backslash and the letter n`, "\n\n": "two line feeds",
	} {
		with(func(f *form) { f.separator = separator }, noted{aadSeparator, []any{name}})
	}
	names := [3]string{"operation", "keyId", "passwordAuthType"}
	for _, o := range [][3]int{{0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}} {
		with(func(f *form) { f.order = o }, noted{aadOrder, []any{names[o[0]] + ", " + names[o[1]] + ", " + names[o[2]]}})
	}
	for name, encode := range map[string]func(string) string{
		"base64": func(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }, "hexadecimal": func(s string) string { return hex.EncodeToString([]byte(s)) },
		"a text in quotes": strconv.Quote, "UTF-16": utf16LE,
	} {
		with(func(f *form) { f.encode = encode }, noted{aadEncoding, []any{name}})
	}
	return all
}()

func (f form) text(fields [3]string) string {
	text := fields[f.order[0]] + f.separator + fields[f.order[1]] + f.separator + fields[f.order[2]] + f.end
	if f.encode != nil {
		text = f.encode(text)
	}
	return text
}

// Wrong names that clients use.
var (
	oddTypes = map[domain.CredentialType][]string{
		domain.TransactionPIN: {"PASSCODE", "PIN", "pin", "TRANSACTIONPIN", "transaction_pin", "TransactionPin", "transactionPin", ""},
		domain.Passcode:       {"TRANSACTION_PIN", "USER_PASSCODE", "passcode", "Passcode", "userPasscode", "PASSWORD", ""},
	}
	oddOperations = map[domain.Operation][]string{
		domain.OpVerifyPIN: {"verify", "VERIFY", "verifyPin", "verifyTransactionPIN", "VerifyTransactionPin", ""},
		domain.OpSetPIN:    {"set", "SET", "setPin", "setTransactionPIN", "SetTransactionPin"},
		domain.OpSetPIN.Current(): {"current", "CURRENT", "encryptedCurrentPin", "setTransactionPin/Current", "setTransactionPin/encryptedCurrentPin", "setTransactionPinCurrent",
			"setTransactionPin.current", "strongroom/current"},
		domain.OpVerifyPasscode: {"verify", "VERIFY", "verifyPasscode", "VerifyUserPasscode", ""},
		domain.OpSetPasscode:    {"set", "SET", "setPasscode", "SetUserPasscode"},
		domain.OpSetPasscode.Current(): {"current", "CURRENT", "encryptedCurrentPasscode", "setUserPasscode/Current", "setUserPasscode/encryptedCurrentPasscode", "setUserPasscodeCurrent",
			"setUserPasscode.current", "strongroom/current"},
		domain.OpAuthorize: {"authorize", "AUTHORIZE", "AuthorizeTransaction"},
	}
)

// aads returns the AADs that clients make for a key. First come the right ones, one
// for each purpose, then the empty one. Then come those with one mistake, in their
// form or in one field, each also with wrong keyIds. ids are ids of other keys that a
// client may use.
func aads(keyID string, ids []string) []aad {
	var all []aad
	for _, p := range purposes {
		all = append(all, aad{rightAAD(keyID, p), p, nil})
	}
	all = append(all, aad{mistakes: []noted{{code: noAAD}}})
	type named struct{ id, name string }
	keys := []named{{keyID, ""}, {"", "nothing"}, {strings.ToUpper(keyID), "its capitals"}, {strings.TrimPrefix(keyID, keyPrefix), "the right one without " + keyPrefix}}
	for _, id := range ids {
		keys = append(keys, named{id, "that of another key"})
	}
	for _, k := range keys {
		var wrong []noted
		if k.name != "" {
			wrong = []noted{{aadKeyID, []any{k.name}}}
		}
		add := func(f form, p purpose, operation, typ string, mistakes ...noted) {
			mistakes = append(append(mistakes, wrong...), f.mistakes...)
			all = append(all, aad{f.text([3]string{operation, k.id, typ}), p, mistakes})
		}
		for _, p := range purposes {
			operation, typ := string(p.operation), string(p.typ)
			add(right, p, operation, typ)
			for _, f := range forms {
				add(f, p, operation, typ)
			}
			if p.operation != domain.OpAuthorize || p.typ == domain.TransactionPIN {
				for _, odd := range oddTypes[p.typ] {
					add(right, p, operation, odd, noted{aadType, []any{shown(odd), typ}})
				}
			}
			for _, odd := range oddOperations[p.operation] {
				add(right, p, odd, typ, noted{aadOperation, []any{shown(odd), operation}})
			}
		}
	}
	return all
}

// shown returns a name for a meaning.
func shown(name string) string {
	if name == "" {
		return "nothing"
	}
	return name
}

func utf16LE(s string) string {
	var b []byte
	for _, u := range utf16.Encode([]rune(s)) {
		b = binary.LittleEndian.AppendUint16(b, u)
	}
	return string(b)
}
