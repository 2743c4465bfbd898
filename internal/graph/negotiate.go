package graph

import (
	"mime"
	"strconv"
	"strings"
)

// The two media types of an answer. A request that fails gets a different
// status with each (see [status]).
const (
	mediaJSON     = "application/json"
	mediaResponse = "application/graphql-response+json"
)

// preference is how an Accept header ranks one media type.
type preference struct {
	quality   float64 // 0: not acceptable
	precision int     // 3: named in full; 2: by application/*; 1: by */*; 0: not at all
}

// negotiate chooses the media type of the answer (RFC 9110, 12.5.1). A client
// gets application/graphql-response+json if it names that type and does not
// prefer application/json, or if it accepts nothing else. Without an Accept
// header, it gets application/json. The second result is false if it accepts
// neither. The refusal is then application/json too, because a client can do
// more with that than with no body.
func negotiate(accept []string) (string, bool) {
	header := strings.Join(accept, ",")
	if strings.TrimSpace(header) == "" {
		return mediaJSON, true
	}
	var plain, response preference
	for element := range strings.SplitSeq(header, ",") {
		mediaRange, quality, ok := parseRange(element)
		if !ok {
			continue
		}
		plain.consider(mediaRange, mediaJSON, quality)
		response.consider(mediaRange, mediaResponse, quality)
	}
	named := response.precision == 3
	switch {
	case response.quality > 0 && named && response.quality >= plain.quality:
		return mediaResponse, true
	case plain.quality > 0:
		return mediaJSON, true
	case response.quality > 0:
		return mediaResponse, true
	}
	return mediaJSON, false
}

// consider takes over the quality of a range that matches media, if the range
// is more precise than those before. Of equally precise ranges, the highest
// quality counts.
func (p *preference) consider(mediaRange, media string, quality float64) {
	var precision int
	switch mediaRange {
	case media:
		precision = 3
	case "application/*":
		precision = 2
	case "*/*":
		precision = 1
	default:
		return
	}
	if precision > p.precision || precision == p.precision && quality > p.quality {
		*p = preference{quality, precision}
	}
}

// parseRange parses one element of an Accept header. An element that is
// malformed, or that asks for an encoding other than UTF-8, matches nothing.
func parseRange(element string) (mediaRange string, quality float64, ok bool) {
	mediaRange, params, err := mime.ParseMediaType(element)
	if err != nil {
		return "", 0, false
	}
	if charset, named := params["charset"]; named && !strings.EqualFold(charset, "utf-8") {
		return "", 0, false
	}
	quality = 1
	if q, weighed := params["q"]; weighed {
		quality, err = strconv.ParseFloat(q, 64)
		if err != nil || !(quality >= 0 && quality <= 1) { // NaN fails this comparison
			return "", 0, false
		}
	}
	return mediaRange, quality, true
}
