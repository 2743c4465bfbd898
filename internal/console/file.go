package console

import (
	"mime"
	"net/http"
)

// file is a JSON answer that the browser saves. The browser stays on the page
// meanwhile.
type file struct {
	name  string
	to    http.ResponseWriter
	wrote bool
}

func (f *file) begun() bool { return f != nil && f.wrote }

// Write sends the headers before the first part. An error before that is answered
// with a page.
func (f *file) Write(part []byte) (int, error) {
	if !f.wrote {
		f.wrote = true
		f.to.Header().Set("Content-Type", "application/json")
		f.to.Header().Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": f.name}))
	}
	return f.to.Write(part)
}

// endFile ends a file of which a part was written. If it is incomplete, it closes
// the connection, so that the browser reports a failed download.
func (c *Console) endFile(r *http.Request, err error) {
	if err != nil {
		c.Log.ErrorContext(r.Context(), "operation failed", "error", err)
		panic(http.ErrAbortHandler)
	}
}
