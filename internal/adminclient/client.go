// Package adminclient is a client of the admin API: of a server, or of a handler
// in this process. So commands work in the same way with both.
package adminclient

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"

	"strongroom/internal/admin"
	"strongroom/internal/apierr"
	"strongroom/internal/domain"
	"strongroom/internal/table"
)

// Client is a client of one admin API.
type Client struct {
	base  string // URL before the path
	token string // of a server
	http  *http.Client
}

const maxAnswer = 64 << 20 // bytes

// OfHandler returns a client of a handler in this process. as puts the operator
// and the request id into the context of each request.
func OfHandler(h http.Handler, as func(context.Context) context.Context) *Client {
	return &Client{base: "http://localhost", http: &http.Client{Transport: inProcess{h, as}}}
}

type inProcess struct {
	http.Handler
	as func(context.Context) context.Context
}

func (t inProcess) RoundTrip(r *http.Request) (*http.Response, error) {
	w := kept{status: http.StatusOK, header: http.Header{}}
	t.ServeHTTP(&w, r.WithContext(t.as(r.Context())))
	return &http.Response{StatusCode: w.status, Header: w.header, Body: io.NopCloser(&w.body), Request: r}, nil
}

// kept is an answer in memory.
type kept struct {
	status int
	header http.Header
	body   bytes.Buffer
}

func (w *kept) Header() http.Header { return w.header }

func (w *kept) WriteHeader(status int) { w.status = status }

func (w *kept) Write(b []byte) (int, error) { return w.body.Write(b) }

// Act performs one act and returns its result, as text and parsed. It sends a new
// idempotency key, so that net/http may repeat the request on a new connection if
// the first one breaks.
func (a *Client) Act(ctx context.Context, path string, body map[string]any) (text []byte, result admin.ActResult, err error) {
	encoded, err := json.Marshal(body)
	if err != nil {
		return nil, result, err
	}
	if text, err = a.ask(ctx, http.MethodPost, path, encoded); err != nil {
		return nil, result, err
	}
	return text, result, Decode(text, &result)
}

// Get reads from the API.
func (a *Client) Get(ctx context.Context, path string, query url.Values) ([]byte, error) {
	if len(query) > 0 {
		path += "?" + query.Encode()
	}
	return a.ask(ctx, http.MethodGet, path, nil)
}

// Read is Get, and decodes the answer into v.
func (a *Client) Read(ctx context.Context, path string, query url.Values, v any) error {
	text, err := a.Get(ctx, path, query)
	if err != nil {
		return err
	}
	return Decode(text, v)
}

// Decode decodes an answer of the API.
func Decode(text []byte, v any) error {
	if err := json.Unmarshal(text, v); err != nil {
		return errNotTheAPI
	}
	return nil
}

var errNotTheAPI = errors.New("the answer is not from the admin API: check that --server is the operator listener of Strongroom, and that no proxy changes its answers")

// Page reads a page of the operator listener that is not part of the API, such as
// /metrics. It accepts every status.
func (a *Client) Page(ctx context.Context, path string) ([]byte, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, a.base+path, nil)
	if err != nil {
		return nil, errUnusable
	}
	_, _, text, err := a.send(r)
	return text, err
}

var errUnusable = errors.New("the request cannot be sent: --server is not a usable URL")

// send sends a request with the token, and reads the answer.
func (a *Client) send(r *http.Request) (status int, mediaType string, text []byte, err error) {
	if a.token != "" {
		r.Header.Set("Authorization", "Bearer "+a.token)
	}
	res, err := a.http.Do(r)
	if err != nil {
		return 0, "", nil, unreachable(err)
	}
	defer func() { _ = res.Body.Close() }() // everything that counts was read
	if text, err = io.ReadAll(io.LimitReader(res.Body, maxAnswer)); err != nil {
		return 0, "", nil, unreachable(err)
	}
	return res.StatusCode, res.Header.Get("Content-Type"), text, nil
}

// ask sends a request and returns the body of its answer. If it is refused, the
// error has the message of the API.
func (a *Client) ask(ctx context.Context, method, path string, body []byte) ([]byte, error) {
	r, err := http.NewRequestWithContext(ctx, method, a.base+admin.Root+path, bytes.NewReader(body))
	if err != nil {
		return nil, errUnusable
	}
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Idempotency-Key", domain.NewID())
	}
	status, mediaType, text, err := a.send(r)
	if err != nil {
		return nil, err
	}
	if status == http.StatusOK {
		return text, nil
	}
	var problem apierr.Problem
	if mediaType != "application/problem+json" || json.Unmarshal(text, &problem) != nil || problem.Detail == "" {
		return nil, fmt.Errorf("%w (status %d)", errNotTheAPI, status)
	}
	if problem.Status == http.StatusUnauthorized {
		return nil, fmt.Errorf("the server refused the token: it must be in the server's admin token file, or be a valid access token of its identity provider (request %s)", table.Cell(problem.RequestID))
	}
	if problem.Status >= http.StatusInternalServerError {
		return nil, fmt.Errorf("%s (request %s)", asError(problem.Detail), table.Cell(problem.RequestID))
	}
	return nil, errors.New(asError(problem.Detail))
}

// asError turns a sentence of the API into an error message of a command.
func asError(sentence string) string {
	sentence = strings.TrimSuffix(sentence, ".")
	if begin, rest, ok := strings.Cut(sentence, " "); ok && begin != "" && begin == strings.ToUpper(begin[:1])+strings.ToLower(begin[1:]) {
		sentence = strings.ToLower(begin) + " " + rest
	}
	return table.Words(sentence)
}

// unreachable returns the error of a request that was not answered, without the
// URL that net/http puts before it, because its query may contain names. Text of
// the other side, such as names in an untrusted certificate, must not control the
// terminal.
func unreachable(err error) error {
	if about, ok := errors.AsType[*url.Error](err); ok {
		err = about.Err
	}
	if op, ok := errors.AsType[*net.OpError](err); ok {
		err = op
	}
	return unanswered{err}
}

type unanswered struct{ error }

func (e unanswered) Error() string {
	return "the server did not answer: " + table.Words(e.error.Error())
}

func (e unanswered) Unwrap() error { return e.error }
