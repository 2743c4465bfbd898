package cli

import (
	"strings"
	"testing"

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
