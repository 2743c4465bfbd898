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

	"strongroom/internal/domain"
)

// minServiceToken is the least length of a service token in characters: 16 of
// base64 are 96 bits, if they are random.
const minServiceToken = 16

// lookInterval is how often at most the token file is looked at.
const lookInterval = 2 * time.Second

// serviceToken is a token of a gateway, by its SHA-256: the file has the token
// itself, the process keeps it no longer than it needs.
type serviceToken struct {
	digest      [sha256.Size]byte
	permissions domain.Permission
}

// tokenFile is the service tokens of a file, read again when it changes. A new
// state of the file that cannot be read leaves the last good tokens in use, so
// that a slip of the pen stops no gateway. Safe for concurrent use.
type tokenFile struct {
	path     string
	unscoped domain.Permission // of a token with no scopes behind it
	log      *slog.Logger
	now      func() time.Time

	mu     sync.Mutex
	tokens []serviceToken
	looked time.Time
	seen   fs.FileInfo // of the file as it was last tried; nil: it was not there
}

func openTokenFile(path string, unscoped domain.Permission, log *slog.Logger) (*tokenFile, error) {
	f := &tokenFile{path: path, unscoped: unscoped, log: log, now: time.Now}
	if err := f.read(); err != nil {
		return nil, err
	}
	return f, nil
}

// permissions is what a token may do; not ok: it is none of ours. All tokens
// are compared, each in constant time, so that the time tells nothing.
func (f *tokenFile) permissions(token string) (allowed domain.Permission, ok bool) {
	digest := sha256.Sum256([]byte(token))
	found, mask := 0, 0
	for _, t := range f.fresh() {
		same := subtle.ConstantTimeCompare(t.digest[:], digest[:])
		found |= same
		mask = subtle.ConstantTimeSelect(same, int(t.permissions), mask)
	}
	return domain.Permission(mask), found == 1
}

// fresh is the tokens that the file has now, or had lookInterval ago.
func (f *tokenFile) fresh() []serviceToken {
	f.mu.Lock()
	defer f.mu.Unlock()
	now := f.now()
	if now.Sub(f.looked) < lookInterval {
		return f.tokens
	}
	f.looked = now
	info, err := os.Stat(f.path)
	switch {
	case err != nil && f.seen == nil: // said already
	case err != nil:
		f.seen = nil
		f.log.Error("the gateway token file cannot be read, its last good tokens stay in use", "error", err)
	case !f.changed(info):
	default:
		if err := f.read(); err != nil {
			f.seen = info // said once for each state of the file
			f.log.Error("the gateway token file cannot be read, its last good tokens stay in use", "error", err)
			break
		}
		f.log.Info("the gateway token file was read again", "tokens", len(f.tokens))
	}
	return f.tokens
}

func (f *tokenFile) changed(info fs.FileInfo) bool {
	return f.seen == nil || !os.SameFile(info, f.seen) || info.Size() != f.seen.Size() ||
		!info.ModTime().Equal(f.seen.ModTime()) || info.Mode() != f.seen.Mode()
}

// read replaces the tokens by those of the file, if all of it is good.
func (f *tokenFile) read() error {
	file, info, err := openRegular(f.path)
	if err != nil {
		return fmt.Errorf("gateway-token-file: %w", err)
	}
	defer file.Close()
	if mode := info.Mode().Perm(); mode&0o022 != 0 {
		return fmt.Errorf("gateway-token-file: %s has mode %04o, so that others than its owner can add tokens: run chmod 600 %s", f.path, mode, f.path)
	} else if mode&0o004 != 0 {
		// No refusal: Kubernetes mounts secrets like this unless told otherwise.
		f.log.Warn("the gateway token file can be read by every user of this machine: chmod 600 it, or mount it with mode 0400")
	}
	data, err := readBounded(file)
	defer clear(data)
	if err != nil {
		return fmt.Errorf("gateway-token-file: %w", err)
	}
	tokens, err := f.parse(data)
	if err != nil {
		return fmt.Errorf("gateway-token-file: %w", err)
	}
	f.tokens, f.seen = tokens, info
	return nil
}

// parse reads TOKEN [SCOPE …] lines. Errors name the line, never what is in it.
func (f *tokenFile) parse(text []byte) ([]serviceToken, error) {
	var tokens []serviceToken
	line := 0
	for content := range bytes.Lines(text) {
		line++
		words := bytes.Fields(content)
		if len(words) == 0 || words[0][0] == '#' {
			continue
		}
		t, err := f.parseToken(words[0], words[1:])
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", line, err)
		}
		if slices.ContainsFunc(tokens, func(o serviceToken) bool { return o.digest == t.digest }) {
			return nil, fmt.Errorf("line %d: the token is in a line above already", line)
		}
		tokens = append(tokens, t)
	}
	if len(tokens) == 0 {
		return nil, errors.New("it has no token")
	}
	return tokens, nil
}

func (f *tokenFile) parseToken(token []byte, scopes [][]byte) (serviceToken, error) {
	switch {
	case len(token) < minServiceToken:
		return serviceToken{}, fmt.Errorf("a token needs at least %d characters; make one: openssl rand -base64 32", minServiceToken)
	case len(token) > maxTokenBytes || !isToken68(token):
		return serviceToken{}, errors.New("a token is letters, digits and -._~+/ with = at its end; make one: openssl rand -base64 32")
	}
	t := serviceToken{digest: sha256.Sum256(token)}
	if len(scopes) == 0 {
		t.permissions = f.unscoped
	}
	for _, scope := range scopes {
		p := domain.ParseScope(string(scope))
		if p == 0 {
			return serviceToken{}, errors.New("a word behind the token is not a scope of this service")
		}
		t.permissions |= p
	}
	return t, nil
}
