package audit

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"time"

	"golang.org/x/mod/sumdb/note"

	"strongroom/internal/outbound"
	"strongroom/internal/ownfile"
)

// Sink stores one checkpoint in the form of [Checkpoint.Sign]. When it returns nil,
// the checkpoint is stored.
type Sink func(ctx context.Context, signed []byte) error

// FileSink appends to a file durably, and creates it if it does not exist. It opens
// the file each time, so that the file can be moved away. If only a part of a
// checkpoint could be written, because the disk is full, it removes that part. If a
// part is left, for example after a power cut, the next checkpoint begins on a line of
// its own.
func FileSink(path string) Sink {
	return func(_ context.Context, signed []byte) (err error) {
		defer func() {
			if err != nil {
				err = fmt.Errorf("writing to the file of checkpoints: %w", err)
			}
		}()
		f, err := os.OpenFile(path, os.O_RDWR|os.O_APPEND|os.O_CREATE, 0o600) //nolint:gosec // the operator names the file
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, f.Close()) }()
		info, err := f.Stat()
		if err != nil {
			return err
		}
		if !info.Mode().IsRegular() { // a pipe that nobody reads would take no checkpoint
			return fmt.Errorf("%s is not a regular file; name a file", path)
		}
		torn, err := isTorn(f, info.Size())
		if err != nil {
			return err
		}
		if torn {
			signed = append([]byte("\n"), signed...)
		}
		if n, err := f.Write(signed); err != nil {
			return errors.Join(err, cutBack(f, info.Size(), n))
		}
		if err := f.Sync(); err != nil || info.Size() > 0 {
			return err
		}
		return ownfile.SyncDir(filepath.Dir(path))
	}
}

// cutBack removes the n bytes that were written after this size, unless another instance
// has also written: its checkpoint must stay.
func cutBack(f *os.File, size int64, n int) error {
	info, err := f.Stat()
	if err != nil || info.Size() != size+int64(n) {
		return err
	}
	return f.Truncate(size)
}

// isTorn reports whether a file of this size ends in the middle of a line.
func isTorn(f *os.File, size int64) (bool, error) {
	if size == 0 {
		return false, nil
	}
	var last [1]byte
	_, err := f.ReadAt(last[:], size-1)
	return last[0] != '\n', err
}

// lastBytes is how much of the end of a file is searched for checkpoints. A checkpoint of
// 60,000 chains is not longer.
const lastBytes = 8 << 20

// Kept combines the checkpoints in the file of a [FileSink].
type Kept struct {
	// Checkpoint has, for each chain, the last entry that any of them names. Its time is
	// that of the newest. The zero Checkpoint means that there is none.
	Checkpoint
	Others bool // the file has content, and none of it is a checkpoint by the key
	// Stale reports whether the one that was written last is more than 1 min older than
	// another one. Instances that write at the same time differ by less.
	Stale bool
}

const mostDisorder = time.Minute

// KeptInFile combines the checkpoints in the last 8 MiB of the file of a [FileSink] that
// were signed by the key of by. It uses those of the store whose first chain is home. If
// there are none, it uses those of the last other store. It does not use only the last
// one, because someone who can append to the file can append an old one again. Only a
// missing file in an existing directory counts as empty.
func KeptInFile(path, home string, by note.Verifier) (kept Kept, err error) {
	text, err := endOf(path)
	if errors.Is(err, fs.ErrNotExist) {
		return kept, checkDirectory(path)
	}
	if err != nil {
		return kept, fmt.Errorf("reading the file of checkpoints: %w", err)
	}
	begin, last, heads := []byte("\n"+originPrefix), time.Time{}, map[string]Head{}
	_, notes, _ := bytes.Cut(append([]byte("\n"), text...), begin)
	for part := range bytes.SplitSeq(notes, begin) {
		c, err := OpenCheckpoint(append([]byte(originPrefix), firstNote(part)...), by)
		if err != nil || kept.Home == home && c.Home != home {
			continue
		}
		if c.Home != kept.Home {
			kept.Checkpoint, heads = Checkpoint{Home: c.Home}, map[string]Head{}
		}
		if last = c.Time; last.After(kept.Time) {
			kept.Time = last
		}
		for _, h := range c.Heads {
			if h.Seq > heads[h.Chain].Seq {
				heads[h.Chain] = h
			}
		}
	}
	kept.Heads = slices.SortedFunc(maps.Values(heads), func(x, y Head) int { return cmp.Compare(x.Chain, y.Chain) })
	kept.Others, kept.Stale = kept.Home == "" && len(bytes.TrimSpace(text)) > 0, kept.Time.Sub(last) > mostDisorder
	return kept, nil
}

// firstNote returns a text up to its first line of a signature. A [Checkpoint] has one
// such line. Someone else appended the text after it, which must not make the checkpoint
// invalid.
func firstNote(text []byte) []byte {
	if i := bytes.Index(text, []byte("\n\n"+signaturePrefix)); i >= 0 {
		if n := bytes.IndexByte(text[i+2:], '\n'); n >= 0 {
			text = text[:i+2+n]
		}
	}
	return append(bytes.TrimRight(text, "\n"), '\n')
}

// checkDirectory fails if the directory of a file is missing, for example because its
// volume is not mounted. If the file is a symbolic link, the directory of its target counts.
func checkDirectory(path string) error {
	dir := filepath.Dir(path)
	if target, err := os.Readlink(path); err == nil {
		if !filepath.IsAbs(target) {
			target = filepath.Join(dir, target)
		}
		dir = filepath.Dir(target)
	}
	if _, err := os.Stat(dir); err != nil {
		return fmt.Errorf("finding the directory of the file of checkpoints: %w; mount its volume, or create it if there are no checkpoints yet", err)
	}
	return nil
}

func endOf(path string) ([]byte, error) {
	f, err := ownfile.OpenRegular(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	return io.ReadAll(io.NewSectionReader(f, max(info.Size()-lastBytes, 0), lastBytes))
}

// OwnVerifier verifies signatures of signer. It signs again and compares, because
// Ed25519 has one signature for a message under a key (RFC 8032).
func OwnVerifier(signer note.Signer) note.Verifier { return own{signer} }

type own struct{ note.Signer }

func (o own) Verify(msg, sig []byte) bool {
	again, err := o.Sign(msg)
	return err == nil && bytes.Equal(again, sig)
}

// WriterSink writes to w, from one goroutine at a time.
func WriterSink(w io.Writer) Sink {
	return func(_ context.Context, signed []byte) error {
		_, err := w.Write(signed)
		return err
	}
}

// How often a checkpoint is sent, and how long one answer may take. Together this
// is at most 67 s, and the next checkpoint can wait that long.
const (
	sendAttempts = 4
	sendTimeout  = 15 * time.Second
	sendPause    = time.Second // before the second attempt; doubled before each further one
)

// HTTPSink sends to a URL with POST, as text/plain. An answer of 2xx means that
// the checkpoint is kept. After any other answer, or none within 15 s, it sends
// again, up to 3 times. It does not follow redirects. Errors do not name the
// URL, which may hold a password.
func HTTPSink(to string) Sink {
	return httpSink(to, outbound.Standard(), sendTimeout, sendPause)
}

func httpSink(to string, transport *http.Transport, timeout, pause time.Duration) Sink {
	client := &http.Client{
		Transport:     outbound.New(transport, timeout),
		Timeout:       timeout,
		CheckRedirect: outbound.NoRedirect,
	}
	return func(ctx context.Context, signed []byte) (err error) {
		wait := pause
		for attempt := range sendAttempts {
			if attempt > 0 {
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
		return fmt.Errorf("sending a checkpoint, tried %d times: %w", sendAttempts, err)
	}
}

func send(ctx context.Context, client *http.Client, to string, signed []byte) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, to, bytes.NewReader(signed))
	if err != nil {
		return errors.New("the URL cannot be used")
	}
	req.Header.Set("Content-Type", "text/plain; charset=utf-8")
	res, err := client.Do(req)
	if wrapped, ok := errors.AsType[*url.Error](err); ok {
		return wrapped.Err
	}
	if err != nil {
		return err
	}
	defer func() { _ = res.Body.Close() }() // not read: its length is unknown
	if res.StatusCode/100 != 2 {
		return fmt.Errorf("answered %d", res.StatusCode)
	}
	return nil
}
