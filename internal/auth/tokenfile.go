package auth

import (
	"bytes"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"slices"
	"sync"
	"time"

	"strongroom/internal/ownfile"
)

// lookInterval is how often at most a token file is looked at.
const lookInterval = 2 * time.Second

// fileToken is a token of a file, by its SHA-256: the file has the token
// itself, the process keeps it no longer than it needs. G is what the token is
// good for.
type fileToken[G grant] struct {
	digest [sha256.Size]byte
	grants G
}

// grant is a small number, so that it can be chosen in constant time.
type grant interface{ ~uint8 | ~int }

// tokenKind is what one kind of token file has of its own.
type tokenKind[G grant] struct {
	setting string                             // that names the file, for errors
	least   int                                // characters of a token
	grants  func(words [][]byte) (G, error)    // what a token is good for, by the words behind it
	check   func(tokens []fileToken[G]) error  // what the whole file must be. Optional
	said    struct{ unreadable, again string } // its log messages
}

// tokenFile is the tokens of a file, read again when it changes. A new state of
// the file that cannot be read leaves the last good tokens in use, so that a
// slip of the pen stops no gateway and shuts out no operator. Safe for
// concurrent use.
type tokenFile[G grant] struct {
	tokenKind[G]
	path string
	log  *slog.Logger
	now  func() time.Time

	mu     sync.Mutex
	tokens []fileToken[G]
	looked time.Time
	seen   fs.FileInfo // of the file as it was last tried; nil: it was not there
}

func openTokenFile[G grant](path string, kind tokenKind[G], log *slog.Logger) (*tokenFile[G], error) {
	f := &tokenFile[G]{tokenKind: kind, path: path, log: log, now: time.Now}
	if err := f.read(); err != nil {
		return nil, err
	}
	return f, nil
}

// find is what the token with this SHA-256 is good for; not ok: it is none of
// ours. All tokens are compared, each in constant time, so that the time tells
// nothing.
func (f *tokenFile[G]) find(digest [sha256.Size]byte) (grants G, ok bool) {
	found, mask := 0, 0
	for _, t := range f.fresh() {
		same := subtle.ConstantTimeCompare(t.digest[:], digest[:])
		found |= same
		mask = subtle.ConstantTimeSelect(same, int(t.grants), mask)
	}
	return G(mask), found == 1
}

// fresh is the tokens that the file has now, or had lookInterval ago.
func (f *tokenFile[G]) fresh() []fileToken[G] {
	f.mu.Lock()
	defer f.mu.Unlock()
	now := f.now()
	if now.Sub(f.looked) < lookInterval {
		return f.tokens
	}
	f.looked = now
	info, err := os.Stat(f.path) //nolint:gosec // the operator names the file
	switch {
	case err != nil && f.seen == nil: // said already
	case err != nil:
		f.seen = nil
		f.log.Error(f.said.unreadable, "error", err)
	case !f.changed(info):
	default:
		if err := f.read(); err != nil {
			f.seen = info // said once for each state of the file
			f.log.Error(f.said.unreadable, "error", err)
			break
		}
		f.log.Info(f.said.again, "tokens", len(f.tokens))
	}
	return f.tokens
}

func (f *tokenFile[G]) changed(info fs.FileInfo) bool {
	return f.seen == nil || !os.SameFile(info, f.seen) || info.Size() != f.seen.Size() ||
		!info.ModTime().Equal(f.seen.ModTime()) || info.Mode() != f.seen.Mode()
}

// read replaces the tokens by those of the file, if all of it is good.
func (f *tokenFile[G]) read() error {
	file, info, err := ownfile.OpenSecret(f.path)
	if err != nil {
		return fmt.Errorf("%s: %w", f.setting, err)
	}
	defer file.Close()
	data, err := readBounded(file)
	defer clear(data)
	if err != nil {
		return fmt.Errorf("%s: %w", f.setting, err)
	}
	lines, err := f.parse(data)
	if err != nil {
		return fmt.Errorf("%s: %w", f.setting, err)
	}
	tokens := make([]fileToken[G], len(lines))
	for i, line := range lines {
		tokens[i] = line.fileToken
	}
	f.tokens, f.seen = tokens, info
	return nil
}

// tokenLine is a token as it stands in the file.
type tokenLine[G grant] struct {
	fileToken[G]
	text []byte // the token; part of what was read
}

// parse reads TOKEN [WORD …] lines. Errors name the line, never what is in it.
func (k *tokenKind[G]) parse(text []byte) ([]tokenLine[G], error) {
	var lines []tokenLine[G]
	var tokens []fileToken[G]
	n := 0
	for content := range bytes.Lines(text) {
		n++
		words := bytes.Fields(content)
		if len(words) == 0 || words[0][0] == '#' {
			continue
		}
		t, err := k.parseToken(words[0], words[1:])
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		if slices.ContainsFunc(tokens, func(o fileToken[G]) bool { return o.digest == t.digest }) {
			return nil, fmt.Errorf("line %d: the token is in a line above already", n)
		}
		tokens, lines = append(tokens, t), append(lines, tokenLine[G]{t, words[0]})
	}
	if len(tokens) == 0 {
		return nil, errors.New("it has no token")
	}
	if k.check != nil {
		if err := k.check(tokens); err != nil {
			return nil, err
		}
	}
	return lines, nil
}

func (k *tokenKind[G]) parseToken(token []byte, words [][]byte) (t fileToken[G], err error) {
	switch {
	case len(token) < k.least:
		return t, fmt.Errorf("a token needs at least %d characters; make one: openssl rand -base64 32", k.least)
	case len(token) > maxTokenBytes || !isToken68(token):
		return t, errors.New("a token is letters, digits and -._~+/ with = at its end; make one: openssl rand -base64 32")
	}
	t.digest = sha256.Sum256(token)
	t.grants, err = k.grants(words)
	return t, err
}
