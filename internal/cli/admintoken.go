package cli

import (
	"fmt"
	"regexp"

	"github.com/alecthomas/kong"

	"strongroom/internal/config"
	"strongroom/internal/domain"
	"strongroom/internal/tokenfile"
)

type adminTokenCmd struct {
	Rotate adminTokenRotateCmd `cmd:"" help:"Add a new token to the file. The previous token stays valid; older ones are removed."`
	Retire adminTokenRetireCmd `cmd:"" help:"Remove the older of two tokens from the file."`
}

// tokenRole is the role of the tokens to change.
type tokenRole struct {
	Role string `enum:"operator,viewer" default:"operator" help:"Role of the token: operator, or viewer, which can only read."`
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

// Run adds a new token to the file. It never prints the token.
func (c adminTokenRotateCmd) Run(p *Program) error {
	s, err := p.settings()
	if err != nil {
		return err
	}
	before, err := tokenfile.RotateAdmin(s.AdminTokenFile, c.role())
	if err != nil {
		return err
	}
	fmt.Fprintf(p.Stdout, "The new token is the first of role %s in %s. A running server accepts it within 2 s.\n", c.Role, s.AdminTokenFile)
	if before > 1 {
		fmt.Fprintln(p.Stdout, "The oldest token of that role was removed from the file and will be refused: only two are valid at a time.")
	}
	if before > 0 {
		fmt.Fprintf(p.Stdout, "The previous token stays valid until you run: strongroom admin token retire --role %s %s\n", c.Role, fileFlag(s))
	}
	return nil
}

// fileFlag returns the flag that names the same token file to another command.
func fileFlag(s *config.Settings) string {
	if s.AdminTokenIsOwn() {
		return "--data-dir " + shellWord(s.DataDir)
	}
	return "--admin-token-file " + shellWord(s.AdminTokenFile)
}

var plainWord = regexp.MustCompile(`^[A-Za-z0-9_./:@%+=,-]+$`)

// shellWord quotes a word for a shell, if needed.
func shellWord(text string) string {
	if plainWord.MatchString(text) {
		return text
	}
	return quoted(text)
}

type adminTokenRetireCmd struct {
	kong.Plugins
	tokenRole
}

// Run removes the older of two tokens from the file.
func (c adminTokenRetireCmd) Run(p *Program) error {
	s, err := p.settings()
	if err != nil {
		return err
	}
	if err := tokenfile.RetireAdmin(s.AdminTokenFile, c.role()); err != nil {
		return err
	}
	fmt.Fprintf(p.Stdout, "The older token of role %s was removed from %s. A running server refuses it within 2 s.\n", c.Role, s.AdminTokenFile)
	return nil
}
