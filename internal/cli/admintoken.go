package cli

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/alecthomas/kong"

	"strongroom/internal/config"
	"strongroom/internal/domain"
	"strongroom/internal/tokenfile"
)

type adminTokenCmd struct {
	Rotate adminTokenRotateCmd `cmd:"" help:"Put a new token into the file, beside the one before it, which stays valid; an older one does not."`
	Retire adminTokenRetireCmd `cmd:"" help:"Take the older of two tokens out of the file."`
}

// tokenRole is whose tokens are meant.
type tokenRole struct {
	Role string `enum:"operator,viewer" default:"operator" help:"Whose token: operator, or viewer, who may only read."`
}

func (r tokenRole) role() domain.Role {
	if r.Role == "viewer" {
		return domain.RoleViewer
	}
	return domain.RoleOperator
}

type adminTokenRotateCmd struct {
	kong.Plugins
	tokenRole
}

// Run makes a new token. It is read from the file, never printed.
func (c adminTokenRotateCmd) Run(p *Program) error {
	s, err := p.settings()
	if err != nil {
		return err
	}
	before, err := tokenfile.RotateAdmin(s.AdminTokenFile, c.role())
	if err != nil {
		return err
	}
	fmt.Fprintf(p.Stdout, "The new token is the first of role %s in %s. A running server takes it from the next request on, after two seconds at most.\n", c.Role, s.AdminTokenFile)
	if before > 1 {
		fmt.Fprintln(p.Stdout, "The oldest of that role is out of the file, and refused from then on: two are good at a time.")
	}
	if before > 0 {
		fmt.Fprintf(p.Stdout, "The one before it stays good until: strongroom admin token retire --role %s %s\n", c.Role, fileFlag(s))
	}
	return nil
}

// fileFlag names the file of tokens to another command.
func fileFlag(s *config.Settings) string {
	if s.AdminTokenIsOwn() {
		return "--data-dir " + shellWord(s.DataDir)
	}
	return "--admin-token-file " + shellWord(s.AdminTokenFile)
}

var plainWord = regexp.MustCompile(`^[A-Za-z0-9_./:@%+=,-]+$`)

// shellWord is a word as a shell takes it.
func shellWord(text string) string {
	if plainWord.MatchString(text) {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

type adminTokenRetireCmd struct {
	kong.Plugins
	tokenRole
}

// Run ends the older of two tokens.
func (c adminTokenRetireCmd) Run(p *Program) error {
	s, err := p.settings()
	if err != nil {
		return err
	}
	if err := tokenfile.RetireAdmin(s.AdminTokenFile, c.role()); err != nil {
		return err
	}
	fmt.Fprintf(p.Stdout, "The older token of role %s is gone from %s. A running server refuses it from the next request on, after two seconds at most.\n", c.Role, s.AdminTokenFile)
	return nil
}
