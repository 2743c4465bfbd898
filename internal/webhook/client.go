package webhook

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"slices"
	"strconv"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/outbound"
)

// The outcomes of an attempt, for [Config.Observe].
const (
	OutcomeDelivered  = "delivered"  // answered 2xx
	OutcomeRefused    = "refused"    // answered 410 or 422: never send this one again
	OutcomeStatus     = "status"     // any other answer
	OutcomeTimeout    = "timeout"    // no answer in time
	OutcomeConnection = "connection" // no connection, or it was lost
	OutcomeTLS        = "tls"        // its certificate is not valid
	OutcomeForbidden  = "forbidden"  // its address is not allowed, see [Guard]
)

// mostAnswer bounds what is read of an answer, in bytes. The content does not
// matter, but a connection can be used again only after its answer was read to
// the end.
const mostAnswer = 64 << 10

// result is the outcome of one attempt.
type result struct {
	outcome    string
	word       string // for logs and operators: it names no URL
	own        bool   // the failure is about this event only: the receiver works
	retryAfter time.Duration
}

type client struct {
	Config
	http *http.Client
}

// newClient follows no redirect, goes through no proxy and connects to what the
// guard allows.
func newClient(cfg Config) client {
	dialer := &net.Dialer{Timeout: cfg.Timeout, Control: cfg.Guard.control(cfg.URL.Hostname())}
	if cfg.resolver != nil {
		dialer.Resolver = cfg.resolver
	}
	return client{cfg, &http.Client{
		Timeout: cfg.Timeout,
		Transport: outbound.New(&http.Transport{
			DialContext:            dialer.DialContext,
			TLSClientConfig:        &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: cfg.roots},
			ForceAttemptHTTP2:      true,
			MaxIdleConnsPerHost:    atOnce,
			IdleConnTimeout:        30 * time.Second, // after that, the name is looked up again
			MaxResponseHeaderBytes: mostAnswer,
			DisableCompression:     true,
		}, cfg.Timeout),
		CheckRedirect: outbound.NoRedirect,
	}}
}

func (c client) send(ctx context.Context, l domain.Delivery) result {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.URL.String(), bytes.NewReader(l.Body))
	if err != nil {
		return result{outcome: OutcomeConnection, word: "the URL cannot be used"}
	}
	now := time.Now()
	req.Header.Set("Content-Type", "application/cloudevents+json; charset=utf-8")
	req.Header.Set("User-Agent", c.Agent)
	req.Header.Set("webhook-id", l.ID)
	req.Header.Set("webhook-timestamp", strconv.FormatInt(now.Unix(), 10))
	req.Header.Set("webhook-signature", sign(c.Secrets(), l.ID, now, l.Body))
	res, err := c.http.Do(req)
	if err != nil {
		return failure(err)
	}
	_, _ = io.CopyN(io.Discard, res.Body, mostAnswer) // the content does not matter: the status is the answer
	_ = res.Body.Close()
	return answered(res)
}

func answered(res *http.Response) result {
	r := result{outcome: OutcomeStatus, word: "status " + strconv.Itoa(res.StatusCode)}
	switch code := res.StatusCode; {
	case code/100 == 2:
		r.outcome = OutcomeDelivered
	case code == http.StatusGone, code == http.StatusUnprocessableEntity:
		r.outcome = OutcomeRefused
	case code == http.StatusTooManyRequests, code == http.StatusServiceUnavailable:
		r.retryAfter = retryAfter(res.Header.Get("Retry-After"))
	case code/100 == 4:
		r.own = !slices.Contains(aboutAll, code)
	}
	return r
}

// aboutAll are the 4xx answers that are as likely to be about the receiver,
// or a proxy in front of it, as about the event.
var aboutAll = []int{http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound, http.StatusRequestTimeout, http.StatusTooEarly}

// retryAfter reads seconds or a date; 0: neither.
func retryAfter(text string) time.Duration {
	if n, err := strconv.Atoi(text); err == nil {
		return time.Duration(min(max(n, 0), int(mostRetryAfter/time.Second))) * time.Second
	}
	at, err := http.ParseTime(text)
	if err != nil {
		return 0
	}
	return max(time.Until(at), 0)
}

// failure says in a word why there was no answer. It does not use the text of
// err, which names the URL.
func failure(err error) result {
	var timeout net.Error
	var certificate *tls.CertificateVerificationError
	var alert tls.AlertError
	var header tls.RecordHeaderError
	var host x509.HostnameError
	var name *net.DNSError
	switch {
	case errors.Is(err, errForbidden):
		return result{outcome: OutcomeForbidden, word: "address not allowed"}
	case errors.As(err, &certificate), errors.As(err, &alert), errors.As(err, &header), errors.As(err, &host):
		return result{outcome: OutcomeTLS, word: "tls"}
	case errors.As(err, &timeout) && timeout.Timeout():
		return result{outcome: OutcomeTimeout, word: "timeout"}
	case errors.As(err, &name):
		return result{outcome: OutcomeConnection, word: "name not found"}
	}
	return result{outcome: OutcomeConnection, word: "connection"}
}
