package console

import (
	"mime"
	"net/http"
)

// file is an answer in JSON that the browser saves. It stays on the page meanwhile.
type file struct {
	name  string
	to    http.ResponseWriter
	wrote bool
}

func (f *file) begun() bool { return f != nil && f.wrote }

// Write sends the headers before the first part: an error before it is answered
// with a page.
func (f *file) Write(part []byte) (int, error) {
	if !f.wrote {
		f.wrote = true
		f.to.Header().Set("Content-Type", "application/json")
		f.to.Header().Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": f.name}))
	}
	return f.to.Write(part)
}

// endFile ends a file that was begun. If it is not whole, the connection is cut,
// so that the browser reports a failed download.
func (c *Console) endFile(r *http.Request, err error) {
	if err != nil {
		c.Log.ErrorContext(r.Context(), "operation failed", "error", err)
		panic(http.ErrAbortHandler)
	}
}
