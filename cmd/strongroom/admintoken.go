package main

import (
	"fmt"

	"github.com/alecthomas/kong"

	"strongroom/internal/auth"
	"strongroom/internal/domain"
)

type adminTokenCmd struct {
	Rotate adminTokenRotateCmd `cmd:"" help:"Put a new token into the file, beside the one before it, which stays valid."`
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
func (c adminTokenRotateCmd) Run(p *process) error {
	s, err := p.settings()
	if err != nil {
		return err
	}
	if err := auth.RotateAdminToken(s.AdminTokenFile, s.AdminTokenIsOwn(), c.role()); err != nil {
		return err
	}
	fmt.Fprintf(p.stdout, "The new token is the first of role %s in %s. A running server takes it within two seconds, and the one before it until: strongroom admin token retire --role %s\n",
		c.Role, s.AdminTokenFile, c.Role)
	return nil
}

type adminTokenRetireCmd struct {
	kong.Plugins
	tokenRole
}

// Run ends the older of two tokens.
func (c adminTokenRetireCmd) Run(p *process) error {
	s, err := p.settings()
	if err != nil {
		return err
	}
	if err := auth.RetireAdminToken(s.AdminTokenFile, s.AdminTokenIsOwn(), c.role()); err != nil {
		return err
	}
	fmt.Fprintf(p.stdout, "The older token of role %s is gone from %s. A running server refuses it within two seconds.\n", c.Role, s.AdminTokenFile)
	return nil
}
