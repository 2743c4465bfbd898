package strictjson

import "encoding/base64"

// Strings returns a list of strings in an object that [Object] read. A member that is
// missing or null is the empty list. ok is false for any other value.
func Strings(value any) (list []string, ok bool) {
	if value == nil {
		return nil, true
	}
	values, ok := value.([]any)
	list = make([]string, len(values))
	for i := range values {
		if list[i], ok = values[i].(string); !ok {
			return nil, false
		}
	}
	return list, ok
}

// Base64URL reads base64url without padding (RFC 4648, 5; RFC 7515, 2), in the one way to
// write it: the decoder of Go skips line breaks.
func Base64URL(text string) (data []byte, ok bool) {
	data, err := base64.RawURLEncoding.Strict().DecodeString(text)
	return data, err == nil && base64.RawURLEncoding.EncodedLen(len(data)) == len(text)
}
