package admin

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"strongroom/internal/domain"
	"strongroom/internal/operatorapi"
	"strongroom/internal/origin"
	"strongroom/internal/strictjson"
)

// Limits of a request.
const (
	maxBody       = 16 << 10                         // bytes
	maxQuery      = operatorapi.MaxPosition + 16<<10 // bytes, encoded
	defaultLimit  = 50
	maxLimit      = 200
	maxExport     = 1000 // entries, at most about 2 MiB
	defaultHours  = 24
	maxHours      = 87840 // 10 years, like getEncryptionMetricsSummary
	maxTrendHours = 31 * 24
)

// request is a request to the admin API. Each of its methods reads one argument and
// checks it. bad is the error of the first wrong argument; if it is set, ignore what
// the methods returned.
type request struct {
	*http.Request
	query map[string]string
	body  map[string]any
	bad   *domain.Error
}

// read decodes the request of an operation, or refuses it. An operator who may not
// write gets that error first.
func (a *api) read(op operation, w http.ResponseWriter, r *http.Request) (*request, *domain.Error) {
	if op.method != http.MethodGet {
		if refusal := domain.OperatorFrom(r.Context()).Refusal(domain.RoleOperator); refusal != nil {
			return nil, refusal
		}
	}
	for segment := range strings.SplitSeq(op.path, "/") {
		if name, ok := strings.CutPrefix(segment, "{"); ok && !isPathID(name, r.PathValue(strings.TrimSuffix(name, "}"))) {
			return nil, errNoRecord
		}
	}
	asked := &request{Request: r}
	var refusal *domain.Error
	if asked.query, refusal = parseQuery(r.URL.RawQuery, op.query); refusal != nil || op.method == http.MethodGet {
		return asked, refusal
	}
	if origin.Check(r, a.Origin) != nil {
		return nil, &domain.Error{Code: domain.CodeForbidden, Message: "This request comes from a web page of another origin."}
	}
	if asked.body, refusal = strictjson.Request(w, r, maxBody); refusal != nil {
		return nil, refusal
	}
	return asked, unknown("member of the body", slices.Sorted(maps.Keys(asked.body)), op.body)
}

// parseQuery parses the query of a URL. Each allowed parameter may be given once;
// any other is refused.
func parseQuery(raw string, allowed []string) (map[string]string, *domain.Error) {
	if len(raw) > maxQuery {
		return nil, &domain.Error{Code: domain.CodeBadUserInput, Message: fmt.Sprintf("The query of the URL must be at most %d bytes.", maxQuery)}
	}
	values, err := url.ParseQuery(raw)
	if err != nil {
		return nil, &domain.Error{Code: domain.CodeBadUserInput, Message: "The query of the URL is not well-formed."}
	}
	if refusal := unknown("query parameter", slices.Sorted(maps.Keys(values)), allowed); refusal != nil {
		return nil, refusal
	}
	query := map[string]string{}
	for name, all := range values {
		switch v := all[0]; {
		case len(all) > 1:
			return nil, domain.BadInput(name, "must not be repeated")
		case v == "":
			return nil, domain.BadInput(name, "must not be empty; omit it instead")
		case !utf8.ValidString(v) || strings.ContainsFunc(v, unicode.IsControl):
			return nil, domain.BadInput(name, "must be UTF-8 without control characters")
		default:
			query[name] = v
		}
	}
	return query, nil
}

// unknown refuses names that are not allowed. The message repeats the name only if
// it looks like a parameter name.
func unknown(what string, names, allowed []string) *domain.Error {
	for _, name := range names {
		if slices.Contains(allowed, name) {
			continue
		}
		refusal := &domain.Error{Code: domain.CodeBadUserInput}
		as, remedy := "", "; this operation has none."
		if len(name) <= 24 && !strings.ContainsFunc(name, notLetter) {
			refusal.Field, as = name, " as "+name
		}
		if len(allowed) > 0 {
			remedy = "; allowed: " + strings.Join(allowed, ", ") + "."
		}
		refusal.Message = "There is no such " + what + as + remedy
		return refusal
	}
	return nil
}

func notLetter(r rune) bool { return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') }

func (r *request) refuse(field, remedy string) {
	if r.bad == nil {
		r.bad = domain.BadInput(field, remedy)
	}
}

// text returns a parameter, or "" if it is missing. most is its longest length in
// bytes.
func (r *request) text(name string, most int) string {
	v := r.query[name]
	if len(v) > most {
		r.refuse(name, fmt.Sprintf("must be at most %d bytes", most))
	}
	return v
}

// id returns a parameter that is an id, or "" if it is missing.
func (r *request) id(name string) string {
	v := r.query[name]
	if v != "" && !domain.IsID(v) {
		r.refuse(name, "must be an id of 26 characters")
	}
	return v
}

// keyID returns a parameter that is the id of a key, or "" if it is missing.
func (r *request) keyID(name string) string {
	v := r.query[name]
	if v != "" && !domain.IsKeyID(v) {
		r.refuse(name, "must be an id of 26 characters, after the tag of its cell and a hyphen if it has one")
	}
	return v
}

// hash returns a parameter that is a keyed hash in the form of entries, or nil if
// it is missing.
func (r *request) hash(name string) []byte {
	v := r.query[name]
	if v == "" {
		return nil
	}
	hash, err := hex.DecodeString(v)
	if err != nil || len(hash) != 16 || strings.ToLower(v) != v {
		r.refuse(name, "must be 32 hexadecimal digits, as entries have it")
	}
	return hash
}

// isPathID reports whether id can be the id of this name in the path.
func isPathID(name, id string) bool {
	if name == "keyId}" {
		return domain.IsKeyID(id)
	}
	return domain.IsID(id) || name == "planId}" && id == domain.CurrentPlan
}

func (r *request) page(usual, most int) domain.Page {
	return domain.Page{After: r.text("after", operatorapi.MaxPosition), Limit: r.number("limit", usual, most)}
}

// number returns a parameter that is a whole number from 1 to most, or usual if it
// is missing.
func (r *request) number(name string, usual, most int) int {
	text, given := r.query[name]
	if !given {
		return usual
	}
	n, err := strconv.ParseUint(text, 10, 31)
	if err != nil || n < 1 || n > uint64(most) { //nolint:gosec // most is a small constant
		r.refuse(name, fmt.Sprintf("must be a whole number from 1 to %d", most))
	}
	return int(n)
}

// hours returns how many hours to look back.
func (r *request) hours() float64 {
	text, given := r.query["hours"]
	if !given {
		return defaultHours
	}
	h, err := strconv.ParseFloat(text, 64)
	if err != nil || strings.Trim(text, "0123456789.") != "" || h <= 0 || h > maxHours {
		r.refuse("hours", fmt.Sprintf("must be a number above 0 and at most %d", maxHours))
	}
	return h
}

// time returns a parameter that is a time, or zero if it is missing.
func (r *request) time(name string) time.Time {
	if r.query[name] == "" {
		return time.Time{}
	}
	return r.parseTime(name, r.query[name])
}

func (r *request) parseTime(name, text string) time.Time {
	s, ok := domain.ParseTime(text)
	if !ok {
		r.refuse(name, "must be a time as 2006-01-02T15:04:05Z or 2006-01-02 15:04Z, or with an offset as 2006-01-02T16:04:05+01:00 (in a URL write + as %2B)")
		return time.Time{}
	}
	return s.From
}

// act returns the reason and the idempotency key of a write.
func (r *request) act() domain.Act {
	reason, given := r.body["reason"].(string)
	if !given {
		r.refuse("reason", "is required and must be a string")
	}
	keys := r.Header.Values("Idempotency-Key")
	if len(keys) > 1 || len(keys) == 1 && keys[0] == "" {
		r.refuse("idempotencyKey", "must be one header Idempotency-Key that is not empty, or none")
	}
	act, err := domain.Act{Reason: reason, IdempotencyKey: strings.Join(keys, "")}.Checked()
	if refusal, ok := errors.AsType[*domain.Error](err); ok && r.bad == nil {
		r.bad = refusal
	}
	return act
}

// member returns a member of the body, and whether it is given. null counts as not
// given.
func member[T any](r *request, name, remedy string) (T, bool) {
	v, ok := r.body[name].(T)
	if r.body[name] != nil && !ok {
		r.refuse(name, remedy)
	}
	return v, ok
}

// whole returns a member that is a whole number from 1 to most, or 0 if it is
// missing.
func (r *request) whole(name string, most int) int {
	remedy := fmt.Sprintf("must be a whole number from 1 to %d", most)
	text, given := member[json.Number](r, name, remedy)
	if !given {
		return 0
	}
	n, err := strconv.Atoi(string(text))
	if err != nil || n < 1 || n > most {
		r.refuse(name, remedy)
	}
	return n
}
