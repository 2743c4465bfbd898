package tokenfile

import (
	"bytes"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/sys/unix"

	"strongroom/internal/domain"
	"strongroom/internal/ownfile"
)

// An admin token is 32 random bytes in base64url.
const (
	adminTokenBytes = 32
	adminTokenChars = 43
)

// maxOfRole is how many tokens of one role are valid: the current one, and the
// previous one until no client uses it.
const maxOfRole = 2

// adminTokens is the kind of file that has the admin tokens. A line is a token
// and optionally its role, operator (the default) or viewer. Each role has at most
// [maxOfRole] tokens, the newest first.
var adminTokens = kind[domain.Role]{setting: "admin-token-file", minLength: adminTokenChars, grants: roleOf, check: checkRoles,
	unreadable: "the admin token file cannot be read; its last valid tokens stay in use",
	reloaded:   "the admin token file was read again"}

func roleOf(words [][]byte) (domain.Role, error) {
	switch {
	case len(words) == 0, len(words) == 1 && string(words[0]) == "operator":
		return domain.RoleOperator, nil
	case len(words) == 1 && string(words[0]) == "viewer":
		return domain.RoleViewer, nil
	}
	return domain.NoRole, errors.New("a token can be followed by one word: viewer or operator")
}

func checkRoles(tokens []token[domain.Role]) error {
	count := map[domain.Role]int{}
	for _, t := range tokens {
		if count[t.grants]++; count[t.grants] > maxOfRole {
			return fmt.Errorf("it has more than %d tokens of one role", maxOfRole)
		}
	}
	return nil
}

// OpenAdmin reads a file of admin tokens, see [MakeAdmin].
func OpenAdmin(path string, log *slog.Logger) (*File[domain.Role], error) {
	return open(path, adminTokens, log)
}

// MakeAdmin creates the file at path with one admin token, readable for its
// owner only, unless the file exists.
func MakeAdmin(path string) error {
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		return nil // opening it reports what is wrong with it
	}
	return locked(path, func() error {
		t := newAdminToken(domain.RoleOperator)
		defer clear(t.text)
		return writeAdmin(path, nil, []adminToken{t})
	})
}

// RotateAdmin adds a new token of the role to the file at path. The newest
// previous token of that role stays valid, an older one is removed. Tokens of
// the other role stay. It replaces the file atomically and durably, with the
// same mode and owner, and returns how many tokens the role had before. It is safe
// while a server or other commands run.
func RotateAdmin(path string, role domain.Role) (before int, err error) {
	err = changeAdmin(path, func(tokens []adminToken) ([]adminToken, error) {
		for _, t := range tokens {
			if t.grants == role {
				before++
			}
		}
		tokens = slices.Insert(tokens, 0, newAdminToken(role))
		return newestOf(tokens, role, maxOfRole), nil
	})
	return before, err
}

// RetireAdmin removes the older of two tokens of the role from the file at path,
// in the same way as [RotateAdmin].
func RetireAdmin(path string, role domain.Role) error {
	return changeAdmin(path, func(tokens []adminToken) ([]adminToken, error) {
		kept := newestOf(slices.Clone(tokens), role, 1)
		if len(kept) == len(tokens) {
			return nil, errors.New("it does not have two tokens of this role; rotate first")
		}
		return kept, nil
	})
}

type adminToken = token[domain.Role]

func newAdminToken(role domain.Role) adminToken {
	raw := make([]byte, adminTokenBytes)
	defer clear(raw)
	rand.Read(raw) // never fails: crypto/rand ends the process instead
	return adminToken{text: base64.RawURLEncoding.AppendEncode(nil, raw), grants: role}
}

// newestOf keeps the first n tokens of the role, and all tokens of other roles.
func newestOf(tokens []adminToken, role domain.Role, n int) []adminToken {
	return slices.DeleteFunc(tokens, func(t adminToken) bool {
		if t.grants == role {
			n--
		}
		return t.grants == role && n < 0
	})
}

// changeAdmin replaces the tokens of the file with the result of change.
func changeAdmin(path string, change func([]adminToken) ([]adminToken, error)) error {
	path, err := filepath.EvalSymlinks(path) // so that a link is followed, not replaced
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("admin-token-file: %w; the first start of serve creates it in the data directory", err)
	} else if err != nil {
		return fmt.Errorf("admin-token-file: %w", err)
	}
	return locked(path, func() error {
		text, info, err := readFile(path)
		defer clear(text)
		if err != nil {
			return err
		}
		tokens, err := adminTokens.parse(text)
		if err == nil {
			tokens, err = change(tokens)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		return writeAdmin(path, info, tokens)
	})
}

// locked runs change while it holds the lock (flock) of the file's directory.
// The lock ends with the process.
func locked(path string, change func() error) error {
	dir, err := os.Open(filepath.Dir(path))
	if err != nil {
		return fmt.Errorf("admin-token-file: %w", err)
	}
	defer dir.Close()
	if err = unix.Flock(int(dir.Fd()), unix.LOCK_EX); err != nil {
		err = fmt.Errorf("locking its directory: %w", err)
	} else {
		err = change()
	}
	if err != nil {
		return fmt.Errorf("admin-token-file: %w", err)
	}
	return nil
}

// writeAdmin replaces the file. The new file has the mode and owner of the old
// one, if there was one. Operators come first, so that the first line works for
// scripts that expect one token.
func writeAdmin(path string, before fs.FileInfo, tokens []adminToken) error {
	var text bytes.Buffer
	defer func() { clear(text.Bytes()) }()
	for _, role := range []domain.Role{domain.RoleOperator, domain.RoleViewer} {
		for _, t := range tokens {
			if t.grants != role {
				continue
			}
			text.Write(t.text)
			if role == domain.RoleViewer {
				text.WriteString(" viewer")
			}
			text.WriteByte('\n')
		}
	}
	return ownfile.Replace(path, text.Bytes(), before)
}
