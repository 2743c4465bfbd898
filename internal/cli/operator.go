package cli

import (
	"cmp"
	"context"
	"errors"
	"os"
	"os/user"
	"strings"
	"time"
	"unicode"

	"strongroom/internal/domain"
)

// asOperator has ctx act as the user who runs this command, in a request of its
// own. Anyone who can read the database and the root key may do anything, and
// the trail keeps the name.
func asOperator(ctx context.Context) context.Context {
	var own user.User
	if u, err := user.Current(); err == nil {
		own = *u
	}
	login, _ := os.ReadFile("/proc/self/loginuid") // Linux alone has it
	name := commandName(own, strings.TrimSpace(string(login)), func(uid string) string {
		if u, err := user.LookupId(uid); err == nil {
			return u.Username
		}
		return uid
	})
	ctx = domain.WithCaller(ctx, domain.Caller{RequestID: domain.NewRequestID(time.Now())})
	return domain.WithOperator(ctx, domain.Operator{Name: "command:" + name, Role: domain.RoleOperator})
}

// commandName is the user of this process, and by whom where somebody signed in
// as another one and became this by sudo. Who that is the kernel keeps from the
// sign-in on (loginuid), and only root changes it; SUDO_USER anybody can set.
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

// reason is what an operator says about an act, for the audit trail.
type reason string

// UnmarshalText takes a reason from the command line, as [domain.ParseReason]
// does.
func (r *reason) UnmarshalText(text []byte) error {
	parsed, remedy := domain.ParseReason(string(text))
	if remedy != "" {
		return errors.New(remedy)
	}
	*r = reason(parsed)
	return nil
}
