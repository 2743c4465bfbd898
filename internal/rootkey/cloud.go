package rootkey

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"

	"strongroom/internal/outbound"
)

// The key management services of clouds are called through the clouds' own clients:
// awskms.go, gcpkms.go, azurekeyvault.go. Each of these files turns the errors of its
// client into an [Error] that says what to do. This file has what they share.

// askCloud is the timeout of one request to a cloud, including the request for credentials
// and retries. It is short, because a start and the health check try again later.
const askCloud = 10 * time.Second

// cloudTries is how often a client sends a request that fails temporarily.
const cloudTries = 2

// longestCloudPause bounds the pause between two attempts. If a cloud asks for a longer
// one, it is reported as busy.
const longestCloudPause = time.Second

// maxCloudAnswer bounds an answer of a cloud, in bytes. The answers about a key have a few
// kilobytes.
const maxCloudAnswer = 1 << 20

// cutEndpoint splits off the only parameter that the URL of a cloud key may have: endpoint,
// another address of the service, such as a private endpoint.
func cutEndpoint(rest string) (name, endpoint string, err error) {
	name, query, has := strings.Cut(rest, "?")
	if !has {
		return name, "", nil
	}
	values, err := url.ParseQuery(query)
	if err != nil || len(values) != 1 || len(values["endpoint"]) != 1 {
		return "", "", errors.New("the only parameter is endpoint=URL")
	}
	endpoint = values.Get("endpoint")
	return name, endpoint, checkEndpoint(endpoint)
}

// checkEndpoint refuses an address without TLS, to which keys would be sent in plaintext,
// unless it is on this machine.
func checkEndpoint(endpoint string) error {
	u, err := url.Parse(endpoint)
	switch {
	case err != nil || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "":
		return errors.New("the endpoint is not a URL of a host")
	case u.Scheme == "https", u.Scheme == "http" && isLoopback(u.Hostname()):
		return nil
	}
	return errors.New("the endpoint must begin with https://, because the key is sent to it")
}

func isLoopback(host string) bool {
	addr, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && addr.IsLoopback()
}

// away returns the error for a request that got no answer.
func away(key, service string, err error) error {
	long, is := errors.AsType[*outbound.LongAnswerError](err)
	switch {
	case errors.Is(err, context.Canceled):
		return err // the process ends
	case is:
		return &Error{key, Unavailable, "check for a proxy that changes answers, and that " + service + " is what answers", long}
	}
	if request, ok := errors.AsType[*url.Error](err); ok && !errors.Is(err, context.DeadlineExceeded) {
		err = request
	}
	cause := errors.New(oneLine(err.Error()))
	var (
		slow    net.Error
		unnamed *net.DNSError
		cert    *tls.CertificateVerificationError
	)
	switch {
	case errors.As(err, &unnamed) && unnamed.IsNotFound:
		return &Error{key, Unreachable, "check the URL of the root key, and the DNS of this machine (" + unnamed.Name + " has no address)", cause}
	case errors.As(err, &cert):
		return &Error{key, Unreachable, "the certificate of the server is not trusted: if a proxy inspects TLS, add its CA to this machine (SSL_CERT_FILE) or exempt " + service, cause}
	case errors.As(err, &slow) && slow.Timeout():
		return &Error{key, Timeout, service + " did not answer in time: check the firewall, the proxy (HTTPS_PROXY) and the provider's status page", cause}
	}
	return &Error{key, Unreachable, "check the network, the firewall and the proxy (HTTPS_PROXY) between this machine and " + service, cause}
}

// emptyAnswer returns the error for an answer that reports success but lacks the requested
// data. The clouds' clients accept an answer without a body as a success.
func emptyAnswer(key, lacks string) error {
	return &Error{key, Unavailable, "try again; if this repeats, check for a proxy that changes answers", errors.New("the answer has no " + lacks)}
}

// noAnswer reports whether an error came from the network and not from a server.
func noAnswer(err error) bool {
	var op *net.OpError // not net.Error: every error of net/http is one
	var cert *tls.CertificateVerificationError
	return errors.As(err, &op) || errors.As(err, &cert) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled)
}

// oneLine returns the text of an error as one line of limited length. The errors of the
// clouds' clients can be pages long.
func oneLine(text string) string {
	words := slices.DeleteFunc(strings.Fields(text), func(word string) bool { return strings.Trim(word, "-") == "" })
	text = strings.Join(words, " ")
	const most = 600
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + " …"
	}
	return text
}
