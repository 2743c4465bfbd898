package auth

import (
	"bytes"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
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

// maxOfRole is how many tokens of one role are good at a time: one in use, and
// the one before it until nobody uses that any more.
const maxOfRole = 2

// adminTokens is the kind of file that opens the operator side. A line is a
// token and, behind it, its role: operator, as where there is none, or viewer.
// Of each role there are at most [maxOfRole], the newest first.
func adminTokens() tokenKind[domain.Role] {
	k := tokenKind[domain.Role]{setting: "admin-token-file", least: adminTokenChars, grants: roleOf, check: checkRoles}
	k.said.unreadable = "the admin token file cannot be read, its last good tokens stay in use"
	k.said.again = "the admin token file was read again"
	return k
}

func roleOf(words [][]byte) (domain.Role, error) {
	switch {
	case len(words) == 0, len(words) == 1 && string(words[0]) == "operator":
		return domain.RoleOperator, nil
	case len(words) == 1 && string(words[0]) == "viewer":
		return domain.RoleViewer, nil
	}
	return domain.NoRole, errors.New("behind a token there may be one word: viewer or operator")
}

func checkRoles(tokens []fileToken[domain.Role]) error {
	count := map[domain.Role]int{}
	for _, t := range tokens {
		if count[t.grants]++; count[t.grants] > maxOfRole {
			return fmt.Errorf("it has more than %d tokens of one role", maxOfRole)
		}
	}
	return nil
}

// MakeAdminToken makes the file at path with one token, for its owner alone,
// unless there is a file. Errors are in words for the operator.
func MakeAdminToken(path string) error {
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		return nil // and whoever opens it says what is wrong with it
	}
	return inTokenDir(path, func() error {
		token := newAdminToken(domain.RoleOperator)
		defer clear(token.text)
		return writeAdminTokens(path, nil, []adminToken{token})
	})
}

// RotateAdminToken puts a new token of the role into the file at path. The
// newest of that role before it stays good, an older one does not; those of the
// other role stay as they are. The file is replaced whole and durably; it keeps
// its mode and its owner. It returns how many tokens of the role were good before. Safe beside a
// running server and other commands.
func RotateAdminToken(path string, role domain.Role) (before int, err error) {
	err = changeAdminTokens(path, func(tokens []adminToken) ([]adminToken, error) {
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

// RetireAdminToken takes the older of two tokens of the role out of the file at
// path, as [RotateAdminToken] puts new ones in.
func RetireAdminToken(path string, role domain.Role) error {
	return changeAdminTokens(path, func(tokens []adminToken) ([]adminToken, error) {
		kept := newestOf(slices.Clone(tokens), role, 1)
		if len(kept) == len(tokens) {
			return nil, errors.New("it does not have two tokens of this role, of which one could be retired: rotate first")
		}
		return kept, nil
	})
}

type adminToken = tokenLine[domain.Role]

func newAdminToken(role domain.Role) adminToken {
	raw := make([]byte, adminTokenBytes)
	defer clear(raw)
	rand.Read(raw) // never fails: crypto/rand ends the process instead
	t := adminToken{text: base64.RawURLEncoding.AppendEncode(nil, raw)}
	t.grants = role
	return t
}

// newestOf leaves at most n tokens of the role, the first ones.
func newestOf(tokens []adminToken, role domain.Role, n int) []adminToken {
	return slices.DeleteFunc(tokens, func(t adminToken) bool {
		if t.grants == role {
			n--
		}
		return t.grants == role && n < 0
	})
}

// changeAdminTokens replaces the tokens of the file by what change makes of
// them.
func changeAdminTokens(path string, change func([]adminToken) ([]adminToken, error)) error {
	path, err := filepath.EvalSymlinks(path) // or a link would be replaced, not the file
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("admin-token-file: %w: the first start of serve makes it in its data directory", err)
	} else if err != nil {
		return fmt.Errorf("admin-token-file: %w", err)
	}
	return inTokenDir(path, func() error {
		text, info, err := readAdminTokens(path)
		defer clear(text)
		if err != nil {
			return err
		}
		kind := adminTokens()
		tokens, err := kind.parse(text)
		if err == nil {
			tokens, err = change(tokens)
		}
		if err != nil {
			return fmt.Errorf("admin-token-file: %s: %w", path, err)
		}
		return writeAdminTokens(path, info, tokens)
	})
}

func readAdminTokens(path string) ([]byte, fs.FileInfo, error) {
	file, info, err := ownfile.OpenSecret(path)
	if err != nil {
		return nil, nil, fmt.Errorf("admin-token-file: %w", err)
	}
	defer file.Close()
	text, err := readBounded(file)
	return text, info, err
}

// inTokenDir changes a file while no other command does: the lock is that of
// its directory (flock), and ends with the process.
func inTokenDir(path string, change func() error) error {
	dir, err := os.Open(filepath.Dir(path))
	if err != nil {
		return fmt.Errorf("admin-token-file: %w", err)
	}
	defer dir.Close()
	if err := unix.Flock(int(dir.Fd()), unix.LOCK_EX); err != nil {
		return fmt.Errorf("admin-token-file: locking its directory: %w", err)
	}
	return change()
}

// writeAdminTokens replaces the file. The new file gets the mode and owner of the
// old one, if there is one.
func writeAdminTokens(path string, before fs.FileInfo, tokens []adminToken) error {
	text := adminTokenText(tokens)
	defer clear(text)
	if err := ownfile.Replace(path, text, before); err != nil {
		return fmt.Errorf("admin-token-file: %w", err)
	}
	return nil
}

// adminTokenText is the file. Operators come first: so its first line is what
// who has always read the whole file means.
func adminTokenText(tokens []adminToken) []byte {
	var text bytes.Buffer
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
	return text.Bytes()
}
