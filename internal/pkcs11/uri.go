package pkcs11

import (
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"
)

// maxValue bounds the value of an attribute, in bytes, so that a request fits into a line.
const maxValue = 1 << 10

// ParseURI reads a PKCS#11 URI (RFC 7512) without its scheme. Errors never repeat a
// value, because it may be a PIN that should not be there.
func ParseURI(text string) (Key, error) {
	path, query, _ := strings.Cut(text, "?")
	var k Key
	seen := map[string]bool{}
	for _, part := range []struct{ text, separator string }{{path, ";"}, {query, "&"}} {
		if part.text == "" {
			continue
		}
		for attribute := range strings.SplitSeq(part.text, part.separator) {
			name, value, has := strings.Cut(attribute, "=")
			value, err := url.PathUnescape(value)
			if err != nil || !has {
				return Key{}, errors.New("an attribute is not NAME=VALUE with % escapes")
			}
			if seen[name] {
				return Key{}, fmt.Errorf("the attribute %s is given twice", name)
			}
			seen[name] = true
			if err := k.set(name, value, part.separator == "&"); err != nil {
				return Key{}, err
			}
		}
	}
	return k, k.check()
}

func (k *Key) set(name, value string, query bool) (err error) {
	texts := map[string]*string{"token": &k.Token, "manufacturer": &k.Manufacturer, "model": &k.Model, "serial": &k.Serial, "object": &k.Label}
	if query {
		texts = map[string]*string{"module-path": &k.Module, "pin-source": &k.PINFile}
	}
	place, isText := texts[name]
	switch {
	case value == "":
		return fmt.Errorf("the attribute %s is empty", name)
	case len(value) > maxValue:
		return fmt.Errorf("the attribute %s has %d bytes, and at most %d are allowed", name, len(value), maxValue)
	case isText:
		*place = value
	case name == "id" && !query:
		k.ID = []byte(value)
	case name == "type" && !query:
		if k.Type = Type(value); k.Type != Secret && k.Type != Private {
			return fmt.Errorf("type must be %s (AES) or %s (RSA)", Secret, Private)
		}
	case name == "slot-id" && !query:
		var n uint64
		if n, err = strconv.ParseUint(value, 10, 32); err != nil {
			return errors.New("slot-id must be a number")
		}
		slot := uint(n)
		k.Slot = &slot
	case name == "oaep-hash" && query:
		if k.SHA1 = value == "sha-1"; !k.SHA1 && value != "sha-256" {
			return errors.New("oaep-hash must be sha-256 or sha-1")
		}
	case name == "pin-value":
		return errors.New("a root key URL must not hold a PIN; write the PIN to a file and use pin-source")
	default:
		return fmt.Errorf("unknown attribute %q", name)
	}
	return nil
}

func (k *Key) check() error {
	if strings.HasPrefix(k.PINFile, "|") {
		return errors.New("pin-source must be a file, not a program")
	}
	k.PINFile = strings.TrimPrefix(strings.TrimPrefix(k.PINFile, "file:"), "//")
	switch {
	case !isPath(k.Module):
		return errors.New("module-path must be the absolute path of the HSM vendor's PKCS#11 library")
	case k.PINFile != "" && !isPath(k.PINFile):
		return errors.New("pin-source must be the absolute path of a file with the PIN")
	case k.Label == "" && len(k.ID) == 0:
		return errors.New("the key must be named by object or id")
	}
	return nil
}

func isPath(text string) bool { return filepath.IsAbs(text) && !strings.ContainsRune(text, 0) }
