package console

import (
	"fmt"
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	"strongroom/internal/domain"
	"strongroom/internal/operatorapi"
)

// pageSize is how many rows a list has.
const pageSize = 50

// text is an argument, trimmed, of at most so many bytes. The first that is
// wrong stays in bad.
func (r *request) text(name string, most int) string {
	return r.checked(name, strings.TrimSpace(r.query.Get(name)), most)
}

func (r *request) checked(name, v string, most int) string {
	switch {
	case len(v) > most:
		r.refuse(name, fmt.Sprintf("must be at most %d bytes", most))
	case !utf8.ValidString(v) || strings.ContainsFunc(v, unicode.IsControl):
		r.refuse(name, "must be UTF-8 without control characters")
	}
	return v
}

func (r *request) refuse(name, remedy string) {
	if r.bad == nil {
		r.bad = badInput(name, remedy)
	}
}

// labels are what pages call arguments that have another name in the address.
var labels = map[string]string{
	"q": "What to search for", "hours": "The window", "from": "From", "to": "To", "actor": "Who", "outcome": "Outcome", "event": "Event", "issuer": "Issuer",
	"deviceId": "Device id", "accountId": "Account id", "keyId": "Key id", "record": "Record", "requestId": "Request id", "id": "Device id", "account": "Account id",
	"days": "Keys older than, in days", "algorithm": "Algorithm", "bits": "Size of RSA keys", "upgrade": "Only RSA keys whose app can use HPKE", "refuse": "Refuse the selected keys immediately",
}

// badInput refuses one argument by what the page calls it, and says how to mend
// it.
func badInput(name, remedy string) *domain.Error {
	label, ok := labels[name]
	if !ok {
		label = name
	}
	return &domain.Error{Code: domain.CodeBadUserInput, Message: label + ": " + remedy + ".", Field: name}
}

// id is an argument that is an id.
func (r *request) id(name string) string {
	v := strings.ToLower(r.text(name, 64))
	if v != "" && !domain.IsID(v) {
		r.refuse(name, "must be an id of 26 characters")
	}
	return v
}

// keyID is an argument that is the id of a key.
func (r *request) keyID(name string) string {
	v := strings.ToLower(r.text(name, 64))
	if v != "" && !domain.IsKeyID(v) {
		r.refuse(name, "must be an id of 26 characters, after the tag of its cell and a hyphen if it has one")
	}
	return v
}

// span is an argument that is a time, as [domain.ParseTime] reads it.
func (r *request) span(name string) domain.Span {
	v := r.text(name, 64)
	s, ok := domain.ParseTime(v)
	if v != "" && !ok {
		r.refuse(name, "must be a time in UTC as 2006-01-02 15:04:05Z, or with an offset as 2006-01-02 16:04:05+01:00. It may end after the day, hour or minute")
	}
	return s
}

// box reports whether a box was ticked.
func (r *request) box(name string) bool {
	v := r.query.Get(name)
	if v != "" && v != "on" {
		r.refuse(name, "must be on, or absent")
	}
	return v == "on"
}

func (r *request) page() domain.Page {
	return domain.Page{After: r.text("after", operatorapi.MaxPosition), Limit: pageSize}
}

// filtered reports whether anything was asked for but a part of the list.
func (r *request) filtered() bool {
	for name, v := range r.query {
		if name != "after" && name != "result" && v[0] != "" {
			return true
		}
	}
	return false
}

// pager leads through the parts of a list.
type pager struct {
	Next  string // empty: this is the last part
	First string // empty: this is the first part
}

func (r *request) pager(next string) (p pager) {
	q := url.Values{}
	for name, v := range r.query {
		if name != "after" && name != "result" && v[0] != "" {
			q[name] = v[:1]
		}
	}
	if r.query.Get("after") != "" {
		p.First = r.URL.Path + "?" + q.Encode()
	}
	if next != "" {
		q.Set("after", next)
		p.Next = r.URL.Path + "?" + q.Encode()
	}
	return p
}

// deviceLink is the page of a device.
func deviceLink(accountID, deviceID string) string {
	return "/device?" + url.Values{"account": {accountID}, "id": {deviceID}}.Encode()
}
