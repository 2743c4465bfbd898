package trace

import (
	"encoding/hex"
	"strings"

	"go.opentelemetry.io/otel/trace"
)

// parseParent reads a header Traceparent (W3C Trace Context, level 1): the
// version, the trace, the caller's span and flags, in lower-case hexadecimal.
// Of versions yet to come only what this one has is read. What is not exactly
// so, or comes twice, counts as if it were not there.
//
// Tracestate and Baggage are not read: they hold what anybody wants them to, and
// would be passed on with every span.
func parseParent(values []string) trace.SpanContext {
	const length = len("00-0123456789abcdef0123456789abcdef-0123456789abcdef-01")
	if len(values) != 1 || len(values[0]) < length {
		return trace.SpanContext{}
	}
	h := values[0]
	version, err1 := hex.DecodeString(h[0:2])
	flags, err2 := hex.DecodeString(h[53:55])
	if err1 != nil || err2 != nil || strings.ToLower(h[:length]) != h[:length] || h[2] != '-' || h[35] != '-' || h[52] != '-' {
		return trace.SpanContext{}
	}
	if version[0] == 0xff || len(h) > length && (version[0] == 0 || h[length] != '-') {
		return trace.SpanContext{}
	}
	id, err := trace.TraceIDFromHex(h[3:35]) // lower-case, and not zero
	if err != nil {
		return trace.SpanContext{}
	}
	span, err := trace.SpanIDFromHex(h[36:52])
	if err != nil {
		return trace.SpanContext{}
	}
	return trace.NewSpanContext(trace.SpanContextConfig{TraceID: id, SpanID: span,
		TraceFlags: trace.TraceFlags(flags[0]) & trace.FlagsSampled, Remote: true})
}
