package audit

import (
	"bytes"
	"strings"

	"strongroom/internal/domain"
)

// aboutMove returns an entry about an account as one about its move.
func aboutMove(e *domain.Entry, m domain.AccountMove) domain.Entry {
	is := *e
	is.Record, is.Version, is.Digest = domain.RecordMove+"/"+m.AccountID, m.Number, Digest(m.Canonical())
	return is
}

// ofRow returns an entry about a whole account that moved as one about its move, because
// no row of an account has a digest. Other entries stay as they are.
func ofRow(e domain.Entry) domain.Entry {
	if m, ok := domain.MoveOf(e); ok {
		return aboutMove(&e, m)
	}
	return e
}

// MoveOf is [domain.MoveOf], also for an entry that a prune carried. Such an entry has the
// digest of the move, which tells the direction.
func MoveOf(e domain.Entry) (m domain.AccountMove, ok bool) {
	id, carried := strings.CutPrefix(e.Record, domain.RecordMove+"/")
	if !carried {
		return domain.MoveOf(e)
	}
	m = domain.AccountMove{AccountID: id, Number: e.Version, Away: true}
	m.Away = bytes.Equal(e.Digest, Digest(m.Canonical()))
	return m, e.Event == domain.EventRecordCarried
}
