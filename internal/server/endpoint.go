package server

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"syscall"
	"time"
)

// endpoint is one of the two listeners.
type endpoint struct {
	open    *connections // the listener, with its limits
	http    *http.Server
	working chan struct{} // holds one element for each request that is processed
	tls     *tls.Config   // nil: plain HTTP; net/http puts one into a plain server too
}

func (e *endpoint) listen(setting, address string) error {
	l, err := net.Listen("tcp", address)
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return fmt.Errorf("listen %s: the port is in use; choose another with --%s", address, setting)
	case errors.Is(err, syscall.EACCES):
		return fmt.Errorf("listen %s: this user may not use the port; choose one above 1023 with --%s", address, setting)
	case err != nil:
		return fmt.Errorf("listen %s: %v; choose another address with --%s", address, err, setting)
	}
	e.open.Listener, e.open.sources = l, map[netip.Prefix]*source{}
	return nil
}

// serve answers requests until the server is shut down or closed.
func (e *endpoint) serve() error {
	if e.tls != nil {
		e.http.TLSConfig = e.tls
		return e.http.ServeTLS(e.open, "", "")
	}
	return e.http.Serve(e.open)
}

// Load is how much of its limits a listener uses now.
type Load struct {
	Connections, MaxConnections int // open
	Requests, MaxRequests       int // being processed, on all connections
}

func (e *endpoint) load() Load {
	return Load{e.open.count(), e.open.most, len(e.working), cap(e.working)}
}

// url returns the URL by which a browser on this machine reaches the listener.
func (e *endpoint) url() string {
	scheme, at := "http://", e.open.Addr().(*net.TCPAddr)
	if e.tls != nil {
		scheme = "https://"
	}
	if at.IP.IsUnspecified() {
		return scheme + net.JoinHostPort("localhost", strconv.Itoa(at.Port))
	}
	return scheme + at.String()
}

// drain accepts no more connections, and waits for the requests in progress until the given
// time. If any are left, it cuts them off and returns an error.
func (e *endpoint) drain(until time.Time) error {
	ctx, cancel := context.WithDeadline(context.Background(), until)
	defer cancel()
	err := errors.Join(e.shutdown(ctx), e.empty(ctx))
	if err != nil {
		_ = e.http.Close()
	}
	return err
}

// shutdown closes the connections in rounds. net/http notifies HTTP/2 connections
// once in each round, and would wait in vain for one whose handshake was still
// running at that time. After silentTimeout, it closes connections whose client is
// silent, so that answers that are not read do not delay the stop further.
func (e *endpoint) shutdown(ctx context.Context) error {
	for began := time.Now(); ; {
		round, cancel := context.WithTimeout(ctx, time.Second)
		err := e.http.Shutdown(round)
		cancel()
		if err == nil || ctx.Err() != nil {
			return err
		}
		if time.Since(began) >= silentTimeout {
			e.open.closeSilent(time.Now().Add(-silentTimeout))
		}
	}
}

// empty waits for requests whose client has closed the connection, because
// net/http does not wait for these with HTTP/2. They must end before the store
// closes. It waits by taking all slots.
func (e *endpoint) empty(ctx context.Context) error {
	for range cap(e.working) {
		select {
		case e.working <- struct{}{}:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}
