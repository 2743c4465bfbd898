package operator

import (
	"context"
	"maps"
	"strings"

	"strongroom/internal/domain"
	"strongroom/internal/record"
)

// takeMark notes a credential whose secret an operator demanded to be changed.
func (n newer) takeMark(e domain.Entry) {
	if id, ok := strings.CutPrefix(e.Record, domain.RecordCredential+"/"); ok {
		n.marked[id] = e.Account
	}
}

// replayMarks demands again that the secret of a credential is changed, also if it was
// changed since: the backup has the old one. A credential that is not in the backup needs
// no mark.
func (u Restores) replayMarks(ctx context.Context, n newer, act domain.Act, is *domain.Replayed) error {
	accounts, err := u.accountIDs(ctx, maps.Values(n.marked))
	if err != nil {
		return err
	}
	return u.inParts(ctx, maps.Keys(n.marked), act, is, func(tx *record.Tx, e domain.Entry, id string, is *domain.Replayed) error {
		e.Account = n.marked[id]
		done, err := u.replayMark(tx, e, accounts[string(e.Account)], id)
		if err != nil && !record.IsTampered(err) { // an edited credential is refused at each use
			return err
		}
		if done {
			is.Marked++
		}
		return nil
	})
}

func (u Restores) replayMark(tx *record.Tx, e domain.Entry, accountID, id string) (marked bool, err error) {
	if accountID == "" {
		return false, nil
	}
	e.Event = domain.EventCredentialMarked
	for _, t := range domain.CredentialTypes {
		c, err := tx.Credential(accountID, t)
		if err != nil {
			return false, err
		}
		if c.Version > 0 && c.ID == id {
			return tx.RequireChange(e, c)
		}
	}
	return false, nil
}
