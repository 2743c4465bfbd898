package server

import (
	"bytes"
	"net/http"
	"time"

	"strongroom/internal/domain"
)

// keySetPath is the path of the public signing keys (RFC 8615).
const keySetPath = "/.well-known/jwks.json"

// keySetAge is how long a client may cache the key set: much shorter than the 7
// days for which a new key is published before it signs.
const keySetAge = "public, max-age=3600"

// keySet answers with the signing keys. They are public, so there is no
// authentication.
func (s *Server) keySet(w http.ResponseWriter, r *http.Request) {
	set, tag := s.cfg.KeySet()
	if len(set) == 0 {
		answerError(w, r, &domain.Error{Code: domain.CodeInternal, Message: "The signing keys cannot be read now; try again later."})
		return
	}
	w.Header().Set("Cache-Control", keySetAge)
	w.Header().Set("ETag", tag)
	w.Header().Set("Content-Type", "application/jwk-set+json")
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(set)) // compares the tag with If-None-Match
}
