package cli

import (
	"context"
	"log/slog"
	"strings"
	"testing"

	"strongroom/internal/config"
	"strongroom/internal/domain"
)

// oneRootKey is a root key of a version that stored no URL.
type oneRootKey struct{ otherActs }

type otherActs = RootKeys // a field cannot have the name of a method

func (oneRootKey) RootKeys(context.Context) ([]domain.RootKey, error) {
	return []domain.RootKey{{ID: "room"}}, nil
}

func (oneRootKey) RotateRootKey(context.Context, string, string, domain.Act) (domain.ActResult, error) {
	return domain.ActResult{RequestID: "request"}, nil
}

func TestWhatRootKeyCommandsPrintCanBeRead(t *testing.T) {
	dir := t.TempDir()
	for want, args := range map[string][]string{
		"room      -    -      not-given\n":                {"root-key", "list"},
		"give it --root-key 'file:/it'\\''s key'.":         {"root-key", "rotate", "--to", "file:/it's key"},
		"Use it with --root-key 'file:" + dir + "/a key'.": {"root-key", "create", dir + "/a key"},
	} {
		var out, errs strings.Builder
		p := &Program{Stdout: &out, Stderr: &errs, OpenVault: func(context.Context, *config.Settings, *slog.Logger, bool) (*Vault, error) {
			return &Vault{RootKeys: oneRootKey{}, Close: func() error { return nil }}, nil
		}}
		if args[1] != "create" {
			args = append(args, "--data-dir", dir)
		}
		if code := p.Run(t.Context(), args); code != ExitOK || !strings.Contains(out.String(), want) {
			t.Errorf("%v: exit code %d, %s\n%swant %s", args, code, &errs, &out, want)
		}
	}
}
