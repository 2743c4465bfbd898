package server

import (
	"context"
	"log"
	"log/slog"
	"strings"
	"sync"
	"time"

	"strongroom/internal/domain"
)

// LogRequestID adds the request id, where the context of a log line carries
// one, to the line. Log with a context (slog's InfoContext and its kin).
func LogRequestID(h slog.Handler) slog.Handler { return requestIDHandler{h} }

type requestIDHandler struct{ slog.Handler }

func (h requestIDHandler) Handle(ctx context.Context, r slog.Record) error {
	if id := domain.CallerFrom(ctx).RequestID; id != "" {
		r.AddAttrs(slog.String("request_id", id))
	}
	return h.Handler.Handle(ctx, r)
}

func (h requestIDHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return requestIDHandler{h.Handler.WithAttrs(attrs)}
}

func (h requestIDHandler) WithGroup(name string) slog.Handler {
	return requestIDHandler{h.Handler.WithGroup(name)}
}

// shedLines is how many lines about requests that were turned away for load are
// written in a second. The metrics count them all.
const shedLines = 10

// thinning lets some lines of a kind through each second. It is safe for
// concurrent use.
type thinning struct {
	mu      sync.Mutex
	second  int64 // the Unix time that written is about
	written int
	omitted int // since the last line that was written
}

// next says whether a line may be written at now, and how many were omitted
// since the one before: the line that is written tells of them.
func (t *thinning) next(now time.Time) (write bool, omitted int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if second := now.Unix(); second != t.second {
		t.second, t.written = second, 0
	}
	if t.written == shedLines {
		t.omitted++
		return false, 0
	}
	t.written++
	omitted, t.omitted = t.omitted, 0
	return true, omitted
}

// httpErrorLog receives what net/http has to say, which may quote what a
// client sent. Only the first words, which are its own, are passed on.
func httpErrorLog(logger *slog.Logger) *log.Logger {
	return log.New(httpErrors{logger}, "", 0)
}

type httpErrors struct{ logger *slog.Logger }

func (h httpErrors) Write(line []byte) (int, error) {
	const own = 3 // as in "http: Accept error: …", "http: superfluous response.WriteHeader call …"
	words := strings.Fields(string(line))
	h.logger.Debug("http server", "about", strings.Join(words[:min(own, len(words))], " "))
	return len(line), nil
}
