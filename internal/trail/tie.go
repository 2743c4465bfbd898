package trail

import (
	"context"
	"time"

	"strongroom/internal/audit"
	"strongroom/internal/domain"
	"strongroom/internal/record"
)

// Processes that share a store append to chains of their own, so that they do not
// contend for one head. Ties enter the heads of all chains into one chain, so that
// a cut chain is detected.

const (
	settingTied = "audit_tied" // when chains were last tied, as domain.EncodeTime, and then its MAC
	tiedLabel   = "audit tied v1"
	tieEvery    = 5 * time.Minute
	tieOverlap  = time.Minute // how late an entry of an earlier time may become visible
)

// Tie enters the heads of all other chains that have grown since the last tie
// into one chain of this process. One process at a time does it for all. Tie
// belongs to one goroutine.
func (u *Upkeep) Tie(ctx context.Context) error {
	var heads []domain.Entry
	err := u.cfg.Records.View(ctx, func(tx *record.Tx) error {
		heads = nil
		last, due, err := u.lastTie(tx)
		if err != nil || !due {
			return err
		}
		if !last.IsZero() {
			last = last.Add(-tieOverlap)
		}
		all, err := tx.Heads(last) // chains of processes that ended before cost nothing
		for _, head := range all {
			if u.tied[head.Chain] != head.Seq {
				heads = append(heads, head)
			}
		}
		return err
	})
	if err != nil || len(heads) == 0 {
		return err
	}
	entered := false
	err = u.cfg.Records.Update(ctx, record.System, func(tx *record.Tx) error {
		_, due, err := u.lastTie(tx)
		if entered = due; err != nil || !due {
			return err // another process was faster
		}
		for _, head := range heads {
			if head.Chain != u.cfg.Trail.Of(tx.Writer()) { // the chain that gets the ties needs none for itself
				tx.Enter(audit.Tie(head))
			}
		}
		at := domain.EncodeTime(tx.Now())
		return tx.PutSetting(settingTied, append(at, u.cfg.Keys.MAC(tiedLabel, at)...))
	})
	if err != nil || !entered {
		return err
	}
	for _, head := range heads {
		u.tied[head.Chain] = head.Seq
	}
	return nil
}

// lastTie returns when chains were last tied, and whether a tie is due. A time without
// its MAC does not count: anyone who could set it forward could then cut what no tie
// holds. Versions up to 0.15.4 write none, and take a time with one for none.
func (u *Upkeep) lastTie(tx *record.Tx) (last time.Time, due bool, err error) {
	value, err := tx.MaybeSetting(settingTied)
	if n := min(len(value), domain.TimeSize); u.cfg.Keys.VerifyMAC(tiedLabel, value[:n], value[n:]) {
		last = past(tx, value[:n])
	}
	return last, tx.Now().Sub(last) >= tieEvery, err
}

// past decodes a time. It returns zero for one in the future: a clock was set back, or
// someone edited it.
func past(tx *record.Tx, value []byte) time.Time {
	t := domain.DecodeTime(value)
	if t.After(tx.Now()) {
		return time.Time{}
	}
	return t
}
