package record

import (
	"errors"
	"testing"

	"strongroom/internal/domain"
)

// A row whose newest entry was not read could have been put back. So the pages never end
// without an error while there are more.
func TestTheHistoryOfAnAccountIsNeverCutOff(t *testing.T) {
	all := make([]domain.Entry, comparedPage)
	for entries, want := range map[int]error{0: nil, 1: nil, comparedPage: nil, MostCompared - 1: nil, MostCompared: ErrManyEntries, MostCompared + 1: ErrManyEntries} {
		read := 0
		err := eachPage(func(domain.EntryPosition) ([]domain.Entry, error) {
			page := all[:min(entries-read, comparedPage)]
			read += len(page)
			return page, nil
		})
		if !errors.Is(err, want) || want == nil && read != entries {
			t.Errorf("of %d entries: read %d, %v", entries, read, err)
		}
	}
}
