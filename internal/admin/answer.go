package admin

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"strongroom/internal/apierr"
	"strongroom/internal/domain"
	"strongroom/internal/trace"
)

// raw is an answer that is text already.
type raw struct {
	contentType string
	text        []byte
	next        string // for the header Strongroom-Next; empty: none
}

// NextHeader is the header in which an export returns the position to continue
// from.
const NextHeader = "Strongroom-Next"

// answer writes the result of a use case. Like the functions below, it returns
// "ok" or the code of the refusal.
func (a *api) answer(w http.ResponseWriter, r *http.Request, v any, err error) (outcome string) {
	text, isRaw := v.(raw)
	if err == nil && !isRaw {
		text = raw{contentType: "application/json"}
		text.text, err = encode(v)
	}
	if err != nil {
		return a.fail(w, r, err)
	}
	header := w.Header()
	header.Set("Content-Type", text.contentType)
	if text.next != "" {
		header.Set(NextHeader, text.next)
	}
	w.WriteHeader(http.StatusOK)
	_, _ = w.Write(text.text) //nolint:gosec // JSON, and never taken for a page; a client that went away needs no answer
	return "ok"
}

// fail answers the error of a use case.
func (a *api) fail(w http.ResponseWriter, r *http.Request, err error) (outcome string) {
	return problem(w, r, apierr.ForOperator(r.Context(), a.Log, err))
}

// refuse answers a request that did not reach its use case.
func (a *api) refuse(w http.ResponseWriter, r *http.Request, refusal *domain.Error) (outcome string) {
	a.Refused(r.Context(), refusal.Code)
	return problem(w, r, refusal)
}

func problem(w http.ResponseWriter, r *http.Request, e *domain.Error) (outcome string) {
	trace.Outcome(r.Context(), e.Code)
	text, err := encode(apierr.ToProblem(r.Context(), e))
	if err != nil { // unreachable: strings and a number
		panic(fmt.Errorf("encoding a problem: %T", err))
	}
	w.Header().Set("Content-Type", "application/problem+json")
	apierr.SetRetryAfter(w.Header(), e)
	w.WriteHeader(apierr.Status(e))
	_, _ = w.Write(text) //nolint:gosec // JSON, and never taken for a page
	return string(e.Code)
}

// encode returns v as printable JSON, with a line end.
func encode(v any) ([]byte, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	return append(Printable(text), '\n'), nil
}

// Printable escapes all characters of JSON that are not printable, except white space
// between its parts. Text from a client or from a hostile server must not control an
// operator's terminal.
func Printable(text []byte) []byte {
	var out bytes.Buffer
	out.Grow(len(text) + 1)
	for len(text) > 0 {
		c, n := utf8.DecodeRune(text)
		switch {
		case c == utf8.RuneError && n == 1: // a byte that is not UTF-8, such as the CSI of Latin-1
			out.WriteString(`\ufffd`)
		case c == '\t' || c == '\r': // in strings they are escaped already
			out.WriteByte(' ')
		case unicode.IsPrint(c) || c == '\n':
			out.Write(text[:n])
		case c <= 0xffff: // such a character is in a string: outside strings, all others are printable
			fmt.Fprintf(&out, `\u%04x`, c)
		default:
			high, low := utf16.EncodeRune(c)
			fmt.Fprintf(&out, `\u%04x\u%04x`, high, low)
		}
		text = text[n:]
	}
	return out.Bytes()
}
