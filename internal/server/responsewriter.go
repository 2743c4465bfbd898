package server

import "net/http"

// responseWriter records what was answered, for the log.
type responseWriter struct {
	http.ResponseWriter
	status int // 0: nothing answered yet
	bytes  int64
	of     *progress // nil: not counted

	operator string // who sent the request, on the operator side
}

func (w *responseWriter) WriteHeader(status int) {
	if w.status == 0 && status >= 200 { // a 1xx is no answer yet
		w.status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *responseWriter) Write(b []byte) (int, error) {
	if w.status == 0 {
		w.status = http.StatusOK
	}
	var n int
	var err error
	if !w.of.send(len(b), func() { n, err = w.ResponseWriter.Write(b) }) {
		panic(http.ErrAbortHandler) // a part of an answer must not look like all of it
	}
	w.bytes += int64(n)
	return n, err
}

// ActsAs sets the operator of the log line, for handlers that authenticate.
func (w *responseWriter) ActsAs(operator string) { w.operator = operator }

// Unwrap lets http.ResponseController reach the connection.
func (w *responseWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
