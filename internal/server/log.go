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

// requestLine is the message of the line that each request has.
const requestLine = "request"

// LogRequestID adds the request id, where the context of a log line carries
// one, to the line, and the ids of its trace and span, where it is part of a
// trace. Log with a context (slog's InfoContext and its kin).
//
// Lines that a request brings about are limited, each message and code by
// itself: anyone can send requests. The line "request" is not, because
// [middleware.log] limits it.
func LogRequestID(h slog.Handler) slog.Handler { return requestIDHandler{h, new(lograte.Kinds)} }

type requestIDHandler struct {
	slog.Handler
	lines *lograte.Kinds
}

func (h requestIDHandler) Handle(ctx context.Context, r slog.Record) error {
	if id := domain.CallerFrom(ctx).RequestID; id != "" {
		if r.Message != requestLine {
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

// codeIn is the code of a refusal that a line tells of, of a closed set.
func codeIn(r slog.Record) (code string) {
	r.Attrs(func(a slog.Attr) bool {
		if a.Key == "code" {
			code = a.Value.String()
		}
		return code == ""
	})
	return code
}

// httpErrorLog receives what net/http has to say, which may quote what a
// client sent or name its address. Only words that are its own are passed on,
// and only some of the lines: each bad handshake gives one.
func httpErrorLog(logger *slog.Logger) *log.Logger {
	return log.New(&httpErrors{logger: logger}, "", 0)
}

type httpErrors struct {
	logger *slog.Logger
	shed   lograte.Limit
}

func (h *httpErrors) Write(line []byte) (int, error) {
	const own = 3 // as in "http: Accept error: …", "http: superfluous response.WriteHeader call …"
	words := strings.Fields(string(line))
	level, message, about := slog.LevelDebug, "http server", slog.String("about", strings.Join(words[:min(own, len(words))], " "))
	if reason := handshakeReason(string(line)); reason != "" {
		level, message, about = slog.LevelInfo, "TLS handshake failed", slog.String("reason", reason)
	}
	ctx := context.Background()
	if !h.logger.Enabled(ctx, level) {
		return len(line), nil // and it takes no other line's place
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

// handshakeReasons are how the errors of a handshake begin that an operator
// can do something about, in our words. Clients that went away are not among
// them: health checks of load balancers do that all day.
var handshakeReasons = []struct{ begin, reason string }{
	{"tls: client didn't provide a certificate", "the client presented no certificate"},
	{"tls: failed to verify certificate", "the client's certificate is from an unknown authority, not valid now, or not for clients"},
	{"client sent an HTTP request to an HTTPS server", "the client spoke plain HTTP"},
	{"tls: client offered only unsupported versions", "the client does not support TLS 1.2 or later"},
	{"tls: no cipher suite supported by both", "no cipher suite in common"},
	{"remote error: tls:", "the client ended the handshake; it may not trust the certificate"},
}

// handshakeReason is the reason of a line about a failed handshake, "" for any
// other line.
func handshakeReason(line string) string {
	about, ok := strings.CutPrefix(line, "http: TLS handshake error from ")
	if !ok {
		return ""
	}
	_, cause, _ := strings.Cut(about, ": ") // behind the address
	for _, r := range handshakeReasons {
		if strings.HasPrefix(cause, r.begin) {
			return r.reason
		}
	}
	return ""
}
