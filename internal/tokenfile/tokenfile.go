// Package tokenfile reads files of bearer tokens: the admin tokens of operators,
// and the service tokens of gateways. It also creates and rotates admin tokens.
//
// The threat: a mistake in a file locks operators or gateways out, or lets
// someone in. A file is accepted only as a whole. If it cannot be read, the
// last valid tokens stay in use. Only its owner may read it, memory keeps only
// hashes of tokens, and no error or log line has a part of one.
package tokenfile

import (
	"bytes"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/ownfile"
)

const (
	// MaxTokenBytes bounds a bearer token. Tokens of identity providers have 1
	// or 2 KiB.
	MaxTokenBytes = 8 << 10

	checkInterval = 2 * time.Second // the shortest time between two checks of a file
	maxFileBytes  = 256 << 10
)

// WellFormed reports whether a token has a valid length and the syntax of a
// bearer token (RFC 6750, b64token; RFC 9110, 11.2).
func WellFormed[T string | []byte](token T) bool {
	if len(token) > MaxTokenBytes {
		return false
	}
	end := len(token)
	for end > 0 && token[end-1] == '=' {
		end--
	}
	for i := range end {
		c := token[i]
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("-._~+/", c) >= 0) {
			return false
		}
	}
	return end > 0
}

// grant is what a token grants: a small number, so that it can be selected in
// constant time.
type grant interface{ ~uint8 | ~int }

// token is a token of a file. Memory keeps only its SHA-256.
type token[G grant] struct {
	digest [sha256.Size]byte
	grants G
	text   []byte // nil except while the file is changed
}

// kind is what differs between kinds of files.
type kind[G grant] struct {
	setting   string                          // for errors
	minLength int                             // of a token, in characters
	grants    func(words [][]byte) (G, error) // what a token grants, from the words after it
	check     func([]token[G]) error          // checks the whole file; nil: nothing to check

	unreadable, reloaded string // log messages
}

// File is the tokens of a file. It reads the file again when it changes. It is safe
// for concurrent use.
type File[G grant] struct {
	kind[G]
	path string
	log  *slog.Logger
	Now  func() time.Time // the clock, time.Now by default; set it only before use

	excluded func(digest [sha256.Size]byte) error // see Separate; nil: no other file

	mu        sync.Mutex
	tokens    atomic.Pointer[[]token[G]] // replaced under mu; has reads it without
	checkedAt time.Time
	seen      fs.FileInfo // of the file that these tokens were read from
	complaint string      // why the file could not be read at the last check; "" if it could
}

func open[G grant](path string, k kind[G], log *slog.Logger) (*File[G], error) {
	f := &File[G]{kind: k, path: path, log: log, Now: time.Now}
	if err := f.read(); err != nil {
		return nil, err
	}
	return f, nil
}

// Find returns what the token with this SHA-256 grants. ok is false if it is not in
// the file. Find compares all tokens, each in constant time, so that its duration
// reveals nothing.
func (f *File[G]) Find(digest [sha256.Size]byte) (grants G, ok bool) {
	found, mask := 0, 0
	for _, t := range f.current() {
		same := subtle.ConstantTimeCompare(t.digest[:], digest[:])
		found |= same
		mask = subtle.ConstantTimeSelect(same, int(t.grants), mask)
	}
	return G(mask), found == 1
}

// current returns the tokens that the file had at most checkInterval ago.
func (f *File[G]) current() []token[G] {
	f.mu.Lock()
	defer f.mu.Unlock()
	now := f.Now()
	if now.Sub(f.checkedAt) < checkInterval {
		return *f.tokens.Load()
	}
	f.checkedAt = now
	info, err := os.Stat(f.path)
	if err == nil && !f.changed(info) {
		f.complaint = ""
		return *f.tokens.Load()
	}
	if err == nil {
		err = f.read()
	}
	switch {
	case err == nil:
		f.complaint = ""
		f.log.Info(f.reloaded, "tokens", len(*f.tokens.Load()))
	case f.complaint != err.Error(): // the file is read again at each check, because changed does not see a chown
		f.complaint = err.Error()
		f.log.Error(f.unreadable, "error", err)
	}
	return *f.tokens.Load()
}

func (f *File[G]) changed(info fs.FileInfo) bool {
	return !os.SameFile(info, f.seen) || info.Size() != f.seen.Size() ||
		!info.ModTime().Equal(f.seen.ModTime()) || info.Mode() != f.seen.Mode()
}

// read replaces the tokens with those of the file, if all of it is valid.
func (f *File[G]) read() error {
	text, info, err := readFile(f.path)
	defer clear(text)
	var tokens []token[G]
	if err == nil {
		tokens, err = f.parse(text)
	}
	if err == nil {
		err = f.exclude(tokens)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", f.setting, err)
	}
	for i := range tokens {
		tokens[i].text = nil
	}
	f.tokens.Store(&tokens)
	f.seen = info
	return nil
}

// exclude refuses tokens that are in the other file.
func (f *File[G]) exclude(tokens []token[G]) error {
	if f.excluded == nil {
		return nil
	}
	for _, t := range tokens {
		if err := f.excluded(t.digest); err != nil {
			return err
		}
	}
	return nil
}

// has reports whether the file had the token with this SHA-256 when it was last read.
func (f *File[G]) has(digest [sha256.Size]byte) bool {
	return slices.ContainsFunc(*f.tokens.Load(), func(t token[G]) bool { return t.digest == digest })
}

// Separate refuses a token that is in both files, now and when one of them is read
// again: the backend that has it would be an operator. Call it before use.
func Separate(admin *File[domain.Role], service *File[domain.Permission]) error {
	both := func(is bool, other string) error {
		if !is {
			return nil
		}
		return fmt.Errorf("a token is also in %s, so a backend would be an operator; create another token for one of them: openssl rand -base64 32", other)
	}
	service.excluded = func(digest [sha256.Size]byte) error {
		_, is := admin.Find(digest) // it reads a changed file
		return both(is, admin.setting)
	}
	if err := service.exclude(*service.tokens.Load()); err != nil {
		return fmt.Errorf("%s: %w", service.setting, err)
	}
	admin.excluded = func(digest [sha256.Size]byte) error { return both(service.has(digest), service.setting) }
	return nil
}

func readFile(path string) ([]byte, fs.FileInfo, error) {
	file, info, err := ownfile.OpenSecret(path)
	if err != nil {
		return nil, nil, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, maxFileBytes+1))
	if err != nil {
		return text, nil, fmt.Errorf("reading: %w", err)
	}
	if len(text) > maxFileBytes {
		return text, nil, fmt.Errorf("it is longer than %d bytes", maxFileBytes)
	}
	return text, info, nil
}

// parse reads lines of the form TOKEN [WORD …]. It skips blank lines and those
// that begin with #. Errors have the number of the line, never its text.
func (k *kind[G]) parse(text []byte) (tokens []token[G], err error) {
	n := 0
	for line := range bytes.Lines(text) {
		n++
		words := bytes.Fields(line)
		if len(words) == 0 || words[0][0] == '#' {
			continue
		}
		t, err := k.parseToken(words[0], words[1:])
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		if slices.ContainsFunc(tokens, func(o token[G]) bool { return o.digest == t.digest }) {
			return nil, fmt.Errorf("line %d: the token is already in a line above", n)
		}
		tokens = append(tokens, t)
	}
	if len(tokens) == 0 {
		return nil, errors.New("it has no token")
	}
	if k.check != nil {
		err = k.check(tokens)
	}
	return tokens, err
}

func (k *kind[G]) parseToken(text []byte, words [][]byte) (t token[G], err error) {
	switch {
	case len(text) < k.minLength:
		return t, fmt.Errorf("a token needs at least %d characters; make one: openssl rand -base64 32", k.minLength)
	case !WellFormed(text):
		return t, errors.New("a token is letters, digits and -._~+/ with = at its end; make one: openssl rand -base64 32")
	}
	t.digest, t.text = sha256.Sum256(text), text
	t.grants, err = k.grants(words)
	return t, err
}
