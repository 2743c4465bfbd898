package auth

import (
	"encoding/json"
	"math"
	"strconv"
	"time"

	"strongroom/internal/strictjson"
)

// numericDate reads seconds since 1970 (RFC 7519, 2), up to the year 9999. An
// absent or null claim is the zero time.
func numericDate(v any) (time.Time, bool) {
	if v == nil {
		return time.Time{}, true
	}
	n, ok := v.(json.Number)
	if !ok {
		return time.Time{}, false
	}
	f, err := strconv.ParseFloat(string(n), 64)
	if err != nil || f < 0 || f > 253402300799 {
		return time.Time{}, false
	}
	seconds, fraction := math.Modf(f)
	return time.Unix(int64(seconds), int64(fraction*1e9)).UTC(), true
}

// stringList reads a string or an array of strings. An absent or null claim is
// the empty list.
func stringList(v any) ([]string, bool) {
	if text, ok := v.(string); ok {
		return []string{text}, true
	}
	return strictjson.Strings(v)
}
