package cli

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/alecthomas/kong"

	"strongroom/internal/config"
	"strongroom/internal/domain"
)

type configCmd struct {
	Check configCheckCmd `cmd:"" help:"Print every setting with its source, the security checks (the posture), and OK. If settings are invalid, print all problems and exit 1. With --hardened, also exit 1 if a required check is off."`
}

type configCheckCmd struct {
	kong.Plugins
}

// Run prints the effective settings and the posture.
func (configCheckCmd) Run(p *Program) error {
	s, list, err := config.Load(p.flags, os.Environ())
	collector := ""
	if err == nil {
		collector, err = p.CheckServe(s)
	}
	if err != nil {
		return ExitError{ExitFailed, err}
	}
	if err := p.printSettings(s, list); err != nil {
		return err
	}
	if collector != "" {
		fmt.Fprintf(p.Stdout, "Traces are sent to %s, as set by OTEL_… environment variables.\n", collector)
	}
	undefended := s.Undefended()
	switch {
	case len(undefended) == 0:
	case s.Hardened:
		return ExitError{ExitFailed, turnedOff(undefended, list)}
	default:
		fmt.Fprintf(p.Stdout, "Not hardened: %s off. See the lines above with off and required.\n", counted(len(undefended), "check that --hardened requires is", "checks that --hardened requires are"))
	}
	fmt.Fprintln(p.Stdout, "OK")
	return nil
}

// printSettings prints two tables. The lines of the second begin with "posture", which
// is no setting, so that a script can tell them from the first.
func (p *Program) printSettings(s *config.Settings, list []config.Effective) error {
	w := tabwriter.NewWriter(p.Stdout, 0, 0, 2, ' ', 0)
	for _, e := range list {
		fmt.Fprintf(w, "%s\t%s\t%s\n", e.Name, e.Value, e.Origin)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	w = tabwriter.NewWriter(p.Stdout, 0, 0, 2, ' ', 0)
	for _, check := range s.Posture() {
		fmt.Fprintf(w, "posture\t%s\t%s\t%s", check.Name, check.State, weight(check.Required))
		switch {
		case check.State == domain.CheckOff:
			fmt.Fprintf(w, "\t%s%s", uses(check), check.Gain)
		case check.Uses != "":
			fmt.Fprintf(w, "\t(%s)", check.Uses)
		}
		fmt.Fprintln(w)
	}
	return w.Flush()
}

// uses formats what decided a check, to print before what an attacker gains.
func uses(check domain.PostureCheck) string {
	if check.Uses == "" {
		return ""
	}
	return "(" + check.Uses + ") "
}

// weight says whether --hardened requires a check.
func weight(required bool) string {
	if required {
		return "required"
	}
	return "optional"
}

// turnedOff names the settings that turn off what --hardened requires: those that an
// operator gave, or those that are empty and have no hardened default.
func turnedOff(checks []domain.PostureCheck, list []config.Effective) error {
	text := "hardened, except for checks that are off:\n"
	for _, check := range checks {
		var by, empty []string
		for _, e := range list {
			switch {
			case !slices.Contains(check.Settings, e.Name):
			case e.Origin != config.FromDefault:
				by = append(by, fmt.Sprintf("%s %s (%s)", e.Name, e.Value, e.Origin))
			case e.Value == "":
				empty = append(empty, "--"+e.Name)
			}
		}
		if len(by) == 0 {
			by = []string{"give " + strings.Join(empty, " or ")}
		}
		text += fmt.Sprintf("  %s: %s\n", check.Name, strings.Join(by, ", "))
	}
	return errors.New(text + "serve still starts, and warns about each of them.")
}
