package cli

import (
	"cmp"
	"context"
	"errors"
	"os"
	"os/user"
	"runtime"
	"strconv"
	"strings"
	"time"
	"unicode"

	"strongroom/internal/domain"
)

// asOperator returns a context for a new request by the user who runs this command, in
// the role operator. Anyone who can read the database and the root key can do anything,
// so this grants nothing. It records the name for the audit trail.
func asOperator(ctx context.Context) context.Context {
	login, _ := os.ReadFile("/proc/self/loginuid") // only Linux has it
	name := commandName(ownUser(), strings.TrimSpace(string(login)), func(uid string) string {
		if u, err := user.LookupId(uid); err == nil {
			return u.Username
		}
		return uid
	})
	ctx = domain.WithCaller(ctx, domain.Caller{RequestID: domain.NewRequestID(time.Now())})
	return domain.WithOperator(ctx, domain.Operator{Name: "command:" + name, Role: domain.RoleOperator})
}

// ownUser returns the user of this process. If the system does not list the user, Go
// takes the name from $USER, which anyone can set. ownUser uses the number then.
func ownUser() user.User {
	uid := strconv.Itoa(os.Getuid())
	u, err := user.Current()
	if err != nil || u.Username == os.Getenv("USER") && runtime.GOOS != "darwin" && !isListed(uid, u.Username) {
		return user.User{Uid: uid, Username: "uid " + uid}
	}
	return *u
}

// isListed reports whether /etc/passwd has the user. On macOS, it does not list people.
func isListed(uid, name string) bool {
	users, _ := os.ReadFile("/etc/passwd")
	for line := range strings.Lines(string(users)) {
		if fields := strings.Split(line, ":"); len(fields) > 2 && fields[0] == name && fields[2] == uid {
			return true
		}
	}
	return false
}

// commandName returns the user of this process. If someone signed in as another user and
// became this one, for example by sudo, " by " and that user follow. login is the
// kernel's loginuid: it is set at the sign-in, and only root can change it. Anyone can
// set SUDO_USER.
func commandName(own user.User, login string, nameOf func(uid string) string) string {
	name := printableName(cmp.Or(own.Username, "unknown"))
	if login == "" || login == noLogin || login == own.Uid {
		return name
	}
	return name + " by " + printableName(nameOf(login))
}

const noLogin = "4294967295" // no sign-in: a timer, a container

func printableName(name string) string {
	name = strings.Map(func(c rune) rune {
		if !unicode.IsPrint(c) {
			return -1
		}
		return c
	}, strings.ToValidUTF8(name, ""))
	if runes := []rune(name); len(runes) > 50 {
		return string(runes[:50])
	}
	return name
}

// reason is why an operator does an act, for the audit trail.
type reason string

// UnmarshalText parses a reason from the command line with [domain.ParseReason].
func (r *reason) UnmarshalText(text []byte) error {
	parsed, remedy := domain.ParseReason(string(text))
	if remedy != "" {
		return errors.New(remedy)
	}
	*r = reason(parsed)
	return nil
}

// nonEmpty is the value of a flag that selects something. A script with an unset variable
// passes an empty one, which must not select the default or everything.
type nonEmpty string

// UnmarshalText takes a value from the command line.
func (n *nonEmpty) UnmarshalText(text []byte) error {
	if len(text) == 0 {
		return errors.New("must not be empty")
	}
	*n = nonEmpty(text)
	return nil
}

// keyID is the value of a flag that names a key. Someone who passes a deviceId learns where
// the ids are.
type keyID string

// UnmarshalText takes a value from the command line.
func (k *keyID) UnmarshalText(text []byte) error {
	if !domain.IsKeyID(string(text)) {
		return errors.New("must be a keyId: 26 characters, after the tag of its cell and a hyphen if it has one; strongroom admin device DEVICEID lists the keys of a device")
	}
	*k = keyID(text)
	return nil
}
