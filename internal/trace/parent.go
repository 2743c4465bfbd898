package trace

import (
	"encoding/hex"
	"strings"

	"go.opentelemetry.io/otel/trace"
)

// parseParent parses a Traceparent header (W3C Trace Context, level 1): version,
// trace id, span id of the caller and flags, in lower-case hexadecimal. Of later
// versions it reads only these fields. A header that is malformed or sent twice
// is ignored.
//
// It ignores Tracestate and Baggage: clients can put anything into them, and it
// would be sent on with every span.
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
