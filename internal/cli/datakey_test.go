package cli

import (
	"context"
	"log/slog"
	"strings"
	"testing"

	"strongroom/internal/config"
	"strongroom/internal/domain"
)

// A killed rotation leaves a data key that is not used yet. Then destroy is refused, also
// if the rewrap of the rotation before it is done.
func TestTheListOfDataKeysSaysWhatToDoNext(t *testing.T) {
	old, primary, added := domain.DataKey{State: domain.DataKeyOld}, domain.DataKey{State: domain.DataKeyPrimary}, domain.DataKey{State: domain.DataKeyAdded}
	done := domain.Rewrap{Phase: domain.RewrapDone}
	for _, tt := range []struct {
		all    []domain.DataKey
		rewrap domain.Rewrap
		says   string
	}{
		{[]domain.DataKey{primary}, domain.Rewrap{}, ""},
		{[]domain.DataKey{primary}, done, ""},
		{[]domain.DataKey{old, primary}, domain.Rewrap{Phase: domain.RewrapVerifying}, ""},
		{[]domain.DataKey{old, primary}, done, "strongroom data-key destroy"},
		{[]domain.DataKey{primary, added}, domain.Rewrap{}, "strongroom data-key rotate"},
		{[]domain.DataKey{old, primary, added}, done, "strongroom data-key rotate"},
	} {
		if got := nextForDataKeys(tt.all, tt.rewrap); !strings.Contains(got, tt.says) || tt.says == "" && got != "" {
			t.Errorf("%v, rewrap %v: it says %q, want %q", tt.all, tt.rewrap.Phase, got, tt.says)
		}
	}
}

// waitingKeys are data keys whose rotation waits for a server, and ends by a signal.
type waitingKeys struct {
	otherKeyActs
	server string
	stop   context.CancelFunc
	added  bool // the rotation does not wait, but the rewrap does
}

type otherKeyActs = DataKeys // a field cannot have the name of a method

func (k waitingKeys) RotateDataKey(ctx context.Context, _ domain.Act, waiting func([]string)) (domain.ActResult, error) {
	if k.added {
		return domain.ActResult{}, nil
	}
	waiting([]string{k.server})
	k.stop()
	return domain.ActResult{}, ctx.Err()
}

func (k waitingKeys) RewrapPart(ctx context.Context) (bool, error) {
	k.stop()
	return false, ctx.Err()
}

func TestAnInterruptedRotationOfTheDataKeySaysWhatIsDone(t *testing.T) {
	for want, added := range map[string]bool{
		"strongroom: interrupted\n": false,
		"strongroom: interrupted: the data key is rotated, and servers continue the rewrap\n": true,
	} {
		ctx, stop := context.WithCancel(t.Context())
		var out, errs strings.Builder
		p := &Program{Stdout: &out, Stderr: &errs, OpenVault: func(context.Context, *config.Settings, *slog.Logger, bool) (*Vault, error) {
			return &Vault{DataKeys: waitingKeys{server: "a\x1b[2J", stop: stop, added: added}, Close: func() error { return nil }}, nil
		}}
		code := p.Run(ctx, []string{"data-key", "rotate", "--wait", "--data-dir", t.TempDir()})
		if code != ExitFailed || !strings.HasSuffix(errs.String(), want) || strings.Contains(errs.String(), "\x1b") {
			t.Errorf("exit code %d, and it says %q, want …%q", code, &errs, want)
		}
	}
}
