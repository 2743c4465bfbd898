package console

import (
	"encoding/json"
	"fmt"
	"html/template"
	"math"
	"reflect"
	"strconv"
	"strings"
	"time"
	"unicode"

	"strongroom/internal/domain"
)

// parse reads the templates, each with the layout.
func (c *Console) parse() map[string]*template.Template {
	functions := template.FuncMap{
		"asset": c.assets.URL, "hour": hour, "record": record, "erased": erased, "opens": opens, "shown": shown, "short": short, "ending": ending, "when": when, "day": day, "number": anyNumber, "ormore": orMore, "millis": millis, "took": took,
		"span": span, "json": toJSON, "credential": credential, "plural": anyPlural, "say": say, "who": who, "humps": humps, "codes": codes, "dict": dict, "devicelink": deviceLink,
	}
	base := template.Must(template.New("layout").Funcs(functions).ParseFS(pages, "templates/layout.html", "templates/parts.html"))
	all := map[string]*template.Template{}
	for _, entry := range must(pages.ReadDir("templates")) {
		if name := entry.Name(); name != "layout.html" && name != "parts.html" {
			all[name] = template.Must(template.Must(base.Clone()).ParseFS(pages, "templates/"+name))
		}
	}
	return all
}

// shown returns a value that somebody chose, with escapes for characters that make it look
// like another value: a bidirectional mark, a space that browsers do not show, and a
// backslash that would begin such an escape.
func shown(v any) string {
	var out strings.Builder
	text := []rune(fmt.Sprint(v))
	for i, c := range text {
		last := i == len(text)-1
		switch {
		case c > 0xffff && !unicode.IsPrint(c):
			fmt.Fprintf(&out, `\U%08x`, c)
		case !unicode.IsPrint(c), c == ' ' && (i == 0 || last || text[i-1] == ' '), c == '\\' && !last && (text[i+1] == 'u' || text[i+1] == 'U'):
			fmt.Fprintf(&out, `\u%04x`, c)
		default:
			out.WriteRune(c)
		}
	}
	return out.String()
}

// short returns the beginning of an id, for places where the whole id is not
// needed.
func short(id string) string {
	if len(id) <= 10 {
		return shown(id)
	}
	if cell, after := domain.CutCell(id); domain.IsKeyID(id) {
		return domain.InCell(cell, after[:8]) + "…"
	}
	return shown(id[:8]) + "…"
}

// ending returns the end of a request id, because its beginning is the time.
func ending(id string) string {
	if len(id) <= 10 {
		return shown(id)
	}
	return "…" + shown(id[len(id)-8:])
}

// record returns the name of a record, "kind/id", with a shortened id.
func record(name string) template.HTML {
	kind, id, ok := strings.Cut(name, "/")
	if !ok {
		kind, id = "", name
	}
	return template.HTML(template.HTMLEscapeString(short(kind)) + ` <code class="id" title="` + template.HTMLEscapeString(shown(name)) + `">` + //nolint:gosec // escaped
		template.HTMLEscapeString(short(id)) + `</code>`)
}

// erased reports whether nothing is stored about the account: only its id is
// known, and in device mode its name. An edited account is stored, and is
// refused.
func erased(a domain.Account) bool { return a.CreatedAt.IsZero() && !a.Tampered }

// stamp returns a time to the second in UTC, as lists show it and filters
// accept it ([domain.ParseTime]).
func stamp(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05Z") }

// when returns a time to the second, or otherwise for a zero time.
func when(t time.Time, otherwise string) template.HTML {
	return timeElement(t, otherwise, "2006-01-02 15:04:05Z")
}

// day returns a time to the minute.
func day(t time.Time, otherwise string) template.HTML {
	return timeElement(t, otherwise, "2006-01-02 15:04Z")
}

// hour returns a time that is stored to the hour.
func hour(t time.Time, otherwise string) template.HTML {
	if t.IsZero() {
		return timeElement(t, otherwise, "")
	}
	t = t.UTC().Truncate(time.Hour)
	return element(t, "between "+t.Format("15:04")+" and "+t.Add(time.Hour).Format("15:04")+" UTC", "2006-01-02 15Z", " data-hour")
}

// timeElement returns an element in UTC. A script adds the viewer's time to its
// title.
func timeElement(t time.Time, otherwise, layout string) template.HTML {
	if t.IsZero() {
		return template.HTML(`<span class="none">` + template.HTMLEscapeString(otherwise) + `</span>`) //nolint:gosec // escaped
	}
	return element(t.UTC(), t.UTC().Format("2006-01-02 15:04:05.000")+" UTC", layout, "")
}

func element(t time.Time, title, layout, attribute string) template.HTML {
	return template.HTML(`<time datetime="` + t.Format("2006-01-02T15:04:05.000Z") + `" title="` + title + `"` + attribute + `>` + t.Format(layout) + `</time>`) //nolint:gosec // digits
}

// number returns a number with separators for thousands.
func number[N int | int64](n N) string {
	text := strconv.FormatInt(int64(n), 10)
	for at := len(text) - 3; at > 0 && text[at-1] != '-'; at -= 3 {
		text = text[:at] + "," + text[at:]
	}
	return text
}

// millis returns a duration of ms milliseconds with about three digits; below
// 0: unknown.
func millis(ms float64) string {
	switch {
	case ms < 0:
		return "–"
	case ms >= 10_000:
		return strconv.FormatFloat(ms/1000, 'f', 1, 64) + " s"
	case ms >= 100:
		return number(int64(math.Round(ms))) + " ms"
	case ms >= 10:
		return strconv.FormatFloat(ms, 'f', 1, 64) + " ms"
	}
	return strconv.FormatFloat(ms, 'f', 2, 64) + " ms"
}

func took(d time.Duration) string { return millis(float64(d.Microseconds()) / 1000) }

// percent never rounds up to 100 %.
func percent(p float64) string {
	if p < 100 && p > 99.99 {
		p = 99.99
	}
	return strings.TrimSuffix(strings.TrimSuffix(strconv.FormatFloat(p, 'f', 2, 64), "0"), ".0") + " %"
}

// span returns a length of time in its largest unit.
func span(d time.Duration) string {
	switch {
	case d < time.Second:
		return strconv.FormatInt(d.Milliseconds(), 10) + " ms"
	case d < 2*time.Minute:
		return strconv.FormatFloat(d.Seconds(), 'f', 1, 64) + " s"
	case d < 2*time.Hour:
		return number(int64(d.Minutes())) + " min"
	case d < 48*time.Hour:
		return number(int64(d.Hours())) + " h"
	}
	return number(int64(d.Hours()/24)) + " days"
}

func credential(t domain.CredentialType) string {
	if t == domain.TransactionPIN {
		return "Transaction PIN"
	}
	return "Passcode"
}

func plural[N int | int64](n N, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return number(n) + " " + many
}

// anyNumber and anyPlural are for templates, which have no type parameters.
func anyNumber(n any) string { return number(reflect.ValueOf(n).Int()) }

func anyPlural(n any, one, many string) string { return plural(reflect.ValueOf(n).Int(), one, many) }

func list(texts []string) string { return strings.Join(texts, ", ") }

// who returns an actor without the prefix "operator:".
func who(actor string) string { return shown(strings.TrimPrefix(actor, "operator:")) }

// humps returns the name of an operation with a possible line break before each
// capital.
func humps(op domain.Operation) template.HTML {
	var out strings.Builder
	for i, c := range template.HTMLEscapeString(string(op)) {
		if i > 0 && unicode.IsUpper(c) {
			out.WriteString("<wbr>")
		}
		out.WriteRune(c)
	}
	return template.HTML(out.String()) //nolint:gosec // escaped
}

// codes returns an outcome such as CREDENTIAL_LOCKED with possible line breaks
// after each _.
func codes(outcome string) template.HTML {
	return template.HTML(strings.ReplaceAll(template.HTMLEscapeString(shown(outcome)), "_", "_<wbr>")) //nolint:gosec // escaped
}

// say returns a constant in words: "given_up" becomes "given up".
func say(text string) string { return strings.ReplaceAll(text, "_", " ") }

func toJSON(v any) (string, error) {
	text, err := json.Marshal(v)
	return string(text), err
}

// dict gives a part of a page several values.
func dict(pairs ...any) (map[string]any, error) {
	if len(pairs)%2 != 0 {
		return nil, fmt.Errorf("a name without a value")
	}
	all := map[string]any{}
	for i := 0; i < len(pairs); i += 2 {
		all[pairs[i].(string)] = pairs[i+1]
	}
	return all, nil
}
