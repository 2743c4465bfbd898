package strictjson

import (
	"bytes"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"strings"

	"strongroom/internal/domain"
)

// Request reads the body of r, which must be one JSON object of at most limit
// bytes, as [Object] does. It refuses with UNSUPPORTED_MEDIA_TYPE,
// PAYLOAD_TOO_LARGE or BAD_REQUEST. After PAYLOAD_TOO_LARGE the connection is
// closed, so that the answer does not wait for the rest of the body.
//
// The check of the media type is part of the defence: a browser lets a page of
// another origin send a form or plain text without a preflight request, but never
// application/json.
func Request(w http.ResponseWriter, r *http.Request, limit int64) (map[string]any, *domain.Error) {
	if !isPlainJSON(r.Header) {
		return nil, &domain.Error{Code: domain.CodeUnsupportedMedia,
			Message: "The body must be JSON in UTF-8, not compressed, and its Content-Type application/json."}
	}
	var data bytes.Buffer
	data.Grow(int(min(max(r.ContentLength, 0), usualBody)) + bytes.MinRead)
	_, err := data.ReadFrom(http.MaxBytesReader(innermost(w), r.Body, limit))
	var tooLarge *http.MaxBytesError
	switch {
	case err == nil:
	case errors.As(err, &tooLarge):
		return nil, &domain.Error{Code: domain.CodePayloadTooLarge,
			Message: fmt.Sprintf("The body must be at most %d bytes.", limit)}
	default:
		return nil, &domain.Error{Code: domain.CodeBadRequest, Message: "The body did not arrive completely. Send it again."}
	}
	object, err := Object(data.Bytes())
	if err != nil {
		return nil, &domain.Error{Code: domain.CodeBadRequest, Message: "The body must be one JSON object, but " + err.Error() + "."}
	}
	return object, nil
}

// innermost returns the writer of net/http in w. [http.MaxBytesReader] closes the
// connection only with that one.
func innermost(w http.ResponseWriter) http.ResponseWriter {
	for {
		outer, ok := w.(interface{ Unwrap() http.ResponseWriter })
		if !ok {
			return w
		}
		w = outer.Unwrap()
	}
}

// usualBody is the usual maximum length of a body, in bytes. At most this much is
// allocated before the body arrives, and not the announced length: many connections
// could announce large bodies at no cost.
const usualBody = 2 << 10

func isPlainJSON(h http.Header) bool {
	types := h.Values("Content-Type")
	if len(types) != 1 {
		return false
	}
	if types[0] == "application/json" && len(h.Values("Content-Encoding")) == 0 {
		return true // nearly all clients send this, so it is not parsed
	}
	mediaType, params, err := mime.ParseMediaType(types[0])
	charset, named := params["charset"]
	return err == nil && mediaType == "application/json" &&
		(!named || strings.EqualFold(charset, "utf-8")) &&
		(h.Get("Content-Encoding") == "" || strings.EqualFold(h.Get("Content-Encoding"), "identity"))
}
