package audit

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"time"
)

// Sink takes one checkpoint as [Checkpoint.Sign] made it. When it returns nil,
// the checkpoint is kept there.
type Sink func(ctx context.Context, signed []byte) error

// FileSink appends to a file, durably, which it makes where there is none. It
// opens the file anew each time, so that it can be moved away. A part of a
// checkpoint, as a full disk leaves it, is taken back.
func FileSink(path string) Sink {
	return func(_ context.Context, signed []byte) (err error) {
		defer func() {
			if err != nil {
				err = fmt.Errorf("writing to the file of checkpoints: %w", err)
			}
		}()
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600) //nolint:gosec // the operator names the file
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, f.Close()) }()
		info, err := f.Stat()
		if err != nil {
			return err
		}
		if _, err := f.Write(signed); err != nil {
			return errors.Join(err, f.Truncate(info.Size()))
		}
		if err := f.Sync(); err != nil || info.Size() > 0 {
			return err
		}
		return syncDirectory(filepath.Dir(path))
	}
}

// syncDirectory makes a new name in a directory durable.
func syncDirectory(dir string) error {
	d, err := os.Open(dir) //nolint:gosec // the operator names the file
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// WriterSink writes to w, from one goroutine at a time.
func WriterSink(w io.Writer) Sink {
	return func(_ context.Context, signed []byte) error {
		_, err := w.Write(signed)
		return err
	}
}

// How often a checkpoint is sent, and how long one answer may take: together
// below a minute and a half, which the next checkpoint may wait.
const (
	sendTries   = 4
	sendTimeout = 15 * time.Second
	sendPause   = time.Second // before the second try; doubled before each further one
)

// HTTPSink sends to a URL with POST, as text/plain. Any answer of 2xx says that
// the checkpoint is kept. Other answers, and none within 15 seconds, are tried
// again three times; a redirect is not followed. Errors do not name the URL,
// which may hold a password.
func HTTPSink(to string) Sink {
	return httpSink(to, sendTimeout, sendPause)
}

func httpSink(to string, timeout, pause time.Duration) Sink {
	client := &http.Client{
		Timeout:       timeout,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return func(ctx context.Context, signed []byte) (err error) {
		wait := pause
		for try := range sendTries {
			if try > 0 {
				select {
				case <-ctx.Done():
					return ctx.Err()
				case <-time.After(wait):
				}
				wait *= 2
			}
			if err = send(ctx, client, to, signed); err == nil || ctx.Err() != nil {
				return err
			}
		}
		return fmt.Errorf("sending a checkpoint, tried %d times: %w", sendTries, err)
	}
}

func send(ctx context.Context, client *http.Client, to string, signed []byte) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, to, bytes.NewReader(signed))
	if err != nil {
		return errors.New("the URL cannot be used")
	}
	req.Header.Set("Content-Type", "text/plain; charset=utf-8")
	res, err := client.Do(req)
	var wrapped *url.Error
	if errors.As(err, &wrapped) {
		return wrapped.Err
	}
	if err != nil {
		return err
	}
	defer func() { _ = res.Body.Close() }() // unread: an answer has no end that we know of
	if res.StatusCode/100 != 2 {
		return fmt.Errorf("answered %d", res.StatusCode)
	}
	return nil
}
