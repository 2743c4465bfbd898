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

// text returns an argument, trimmed. most is its longest length in bytes. bad
// keeps the first error.
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

// labels are the names of arguments on pages, if they differ from those in the
// URL.
var labels = map[string]string{
	"q": "What to search for", "hours": "The window", "from": "From", "to": "To", "actor": "Who", "outcome": "Outcome", "event": "Event", "issuer": "Issuer",
	"deviceId": "Device id", "accountId": "Account id", "keyId": "Key id", "record": "Record", "requestId": "Request id", "id": "Device id", "account": "Account id",
	"days": "Keys older than, in days", "algorithm": "Algorithm", "bits": "Size of RSA keys", "upgrade": "Only RSA keys whose app can use HPKE", "refuse": "Refuse the selected keys immediately",
}

// badInput returns the error of one argument, with its label and how to correct
// it.
func badInput(name, remedy string) *domain.Error {
	label, ok := labels[name]
	if !ok {
		label = name
	}
	return &domain.Error{Code: domain.CodeBadUserInput, Message: label + ": " + remedy + ".", Field: name}
}

// id returns an argument that is an id.
func (r *request) id(name string) string {
	v := strings.ToLower(r.text(name, 64))
	if v != "" && !domain.IsID(v) {
		r.refuse(name, "must be an id of 26 characters")
	}
	return v
}

// keyID returns an argument that is the id of a key.
func (r *request) keyID(name string) string {
	v := strings.ToLower(r.text(name, 64))
	if v != "" && !domain.IsKeyID(v) {
		r.refuse(name, "must be an id of 26 characters, after the tag of its cell and a hyphen if it has one")
	}
	return v
}

// span returns an argument that is a time (see [domain.ParseTime]).
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

// filtered reports whether the request has a filter.
func (r *request) filtered() bool {
	for name, v := range r.query {
		if name != "after" && name != "result" && v[0] != "" {
			return true
		}
	}
	return false
}

// pager has the links to the next and the first page of a list.
type pager struct {
	Next  string // empty: this is the last page
	First string // empty: this is the first page
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

// deviceLink returns the page of a device.
func deviceLink(accountID, deviceID string) string {
	return "/device?" + url.Values{"account": {accountID}, "id": {deviceID}}.Encode()
}
