package server

import (
	"context"
	"log"
	"log/slog"
	"strings"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/lograte"
	"strongroom/internal/trace"
)

// requestLine is the message of the line that is logged for each request.
const requestLine = "request"

// LogRequestID returns a handler that adds the request id to lines whose
// context has one, and the trace and span ids if the request is part of a
// trace. Log with a context (InfoContext and the like).
//
// It limits the lines that requests cause, for each message and code, because
// anyone can send requests. It does not limit lines with the attribute "omitted",
// which have a limit of their own, nor the line "request": [middleware.log] does.
func LogRequestID(h slog.Handler) slog.Handler { return requestIDHandler{h, new(lograte.Kinds)} }

type requestIDHandler struct {
	slog.Handler
	lines *lograte.Kinds
}

func (h requestIDHandler) Handle(ctx context.Context, r slog.Record) error {
	if id := domain.CallerFrom(ctx).RequestID; id != "" {
		if r.Message != requestLine && !isLimited(r) {
			write, omitted := h.lines.Next(r.Message+" "+codeIn(r), time.Now())
			if !write {
				return nil
			}
			if omitted > 0 {
				r.AddAttrs(slog.Int("omitted", omitted))
			}
		}
		r.AddAttrs(slog.String("request_id", id))
	}
	traceID, spanID := trace.IDs(ctx)
	if traceID != "" {
		r.AddAttrs(slog.String("trace_id", traceID))
	}
	if spanID != "" {
		r.AddAttrs(slog.String("span_id", spanID))
	}
	return h.Handler.Handle(ctx, r)
}

func (h requestIDHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return requestIDHandler{h.Handler.WithAttrs(attrs), h.lines}
}

func (h requestIDHandler) WithGroup(name string) slog.Handler {
	return requestIDHandler{h.Handler.WithGroup(name), h.lines}
}

// isLimited reports whether the code that logs a line limits such lines itself.
func isLimited(r slog.Record) (limited bool) {
	r.Attrs(func(a slog.Attr) bool {
		limited = a.Key == "omitted"
		return !limited
	})
	return limited
}

// codeIn returns the code of the refusal that a line is about, from a closed
// set.
func codeIn(r slog.Record) (code string) {
	r.Attrs(func(a slog.Attr) bool {
		if a.Key == "code" {
			code = a.Value.String()
		}
		return code == ""
	})
	return code
}

// httpErrorLog receives the messages of net/http, which can quote what a
// client sent or contain its address. Only words of net/http itself are
// logged. The lines are limited, because each failed handshake causes one.
func httpErrorLog(logger *slog.Logger) *log.Logger {
	return log.New(&httpErrors{logger: logger, side: "http server"}, "", 0)
}

// LogClients sends the messages of net/http's clients to logger. net/http writes them to
// the standard logger of package log, and they can quote what a server answered. So only
// words of net/http itself are logged, and the lines are limited.
func LogClients(logger *slog.Logger) {
	log.SetFlags(0)
	log.SetOutput(&httpErrors{logger: logger, side: "http client"})
}

type httpErrors struct {
	logger *slog.Logger
	side   string // the message of its lines
	shed   lograte.Limit
}

func (h *httpErrors) Write(line []byte) (int, error) {
	const own = 3 // as in "http: Accept error: …", "http: superfluous response.WriteHeader call …"
	words := strings.Fields(string(line))
	level, message, about := slog.LevelDebug, h.side, slog.String("about", strings.Join(words[:min(own, len(words))], " "))
	if reason := handshakeReason(string(line)); reason != "" {
		level, message, about = slog.LevelInfo, "TLS handshake failed", slog.String("reason", reason)
	}
	ctx := context.Background()
	if !h.logger.Enabled(ctx, level) {
		return len(line), nil // a line that is not logged must not count against the limit
	}
	write, omitted := h.shed.Next(time.Now())
	if !write {
		return len(line), nil
	}
	attrs := []slog.Attr{about}
	if omitted > 0 {
		attrs = append(attrs, slog.Int("omitted", omitted))
	}
	h.logger.LogAttrs(ctx, level, message, attrs...)
	return len(line), nil
}

// handshakeReasons are the errors of a handshake that an operator can fix: how
// each begins, and our words for it. Clients that disconnected are not among
// them, because health checks of load balancers do that all the time.
var handshakeReasons = []struct{ begin, reason string }{
	{"tls: client didn't provide a certificate", "the client presented no certificate"},
	{"tls: failed to verify certificate", "the client's certificate is from an unknown authority, not valid now, or not for clients"},
	{"client sent an HTTP request to an HTTPS server", "the client spoke plain HTTP"},
	{"tls: client offered only unsupported versions", "the client does not support TLS 1.2 or later"},
	{"tls: no cipher suite supported by both", "no cipher suite in common"},
	{"remote error: tls:", "the client ended the handshake; it may not trust the certificate"},
}

// handshakeReason returns the reason in a line about a failed handshake, or "" for
// any other line.
func handshakeReason(line string) string {
	about, ok := strings.CutPrefix(line, "http: TLS handshake error from ")
	if !ok {
		return ""
	}
	_, cause, _ := strings.Cut(about, ": ") // after the address
	for _, r := range handshakeReasons {
		if strings.HasPrefix(cause, r.begin) {
			return r.reason
		}
	}
	return ""
}
