package audit

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"time"

	"strongroom/internal/domain"
)

// VerifyHeld walks every chain from its first entry, or from where a prune cut
// it, and compares every key, credential, attempt counter, move of an account and
// running rotation plan with its last entry. home is the chain that must exist.
// held is what checkpoints that were kept elsewhere say about the chains; its
// zero value is none. progress is called after every 100,000 entries or records;
// it may be nil. An error means that reading failed; the report has what is wrong
// with the trail.
//
// It takes about 110 bytes of memory for each record that has entries, and at
// most 700 MB. With more than 6 million records it reads the trail several
// times.
func VerifyHeld(r Reader, key MAC, home string, held *Held, progress func(Progress)) (Report, error) {
	return newVerifier(key, held, progress).verify(r, home)
}

func (v *verifier) verify(r Reader, home string) (Report, error) {
	for _, p := range v.held.problems {
		v.add(p)
	}
	chains, err := r.Chains()
	if err != nil {
		return Report{}, err
	}
	if v.said, err = readStatements(r, v.key); err != nil {
		return Report{}, err
	}
	if v.plan != nil {
		v.plan.heed(v.said)
	}
	if v.progress != nil {
		if v.all, err = v.count(r, chains); err != nil {
			return Report{}, err
		}
	}
	for _, chain := range chains {
		if err := v.chain(r, chain); err != nil {
			return Report{}, err
		}
	}
	if !slices.Contains(chains, home) {
		v.add(Problem{Chain: home, Seq: v.said.gone[home] + 1, What: "the trail is missing"})
	}
	for _, chain := range slices.Sorted(maps.Keys(v.held.pins)) {
		if !slices.Contains(chains, chain) {
			v.add(Problem{Chain: chain, Seq: v.said.gone[chain] + 1, What: whatCut})
		}
	}
	unnamed, err := r.UnnamedVerdicts(maxProblems)
	if err != nil {
		return Report{}, fmt.Errorf("looking for verdicts that are in no chain: %v", err)
	}
	for _, number := range unnamed {
		v.add(Problem{Record: "audit_verdict/" + strconv.FormatInt(number, 10), What: whatNoChain})
	}
	if err := v.tied(r); err != nil {
		return Report{}, err
	}
	v.unbound()
	for {
		if err := v.part(r); err != nil {
			return Report{}, err
		}
		if !v.records.turn() {
			return v.report, nil
		}
		if err := v.readAgain(r); err != nil {
			return Report{}, err
		}
	}
}

// count is how many entries the trail has if none is missing.
func (v *verifier) count(r Reader, chains []string) (entries int64, err error) {
	for _, chain := range chains {
		head, err := r.LastEntry(chain)
		if err != nil {
			return 0, fmt.Errorf("reading the head of the audit trail: %v", err)
		}
		entries += head.Seq - v.said.gone[chain]
	}
	return entries, nil
}

// part compares the entries about the records of one part with each other, and
// with the rows.
func (v *verifier) part(r Reader) error {
	if err := v.recheck(r); err != nil {
		return err
	}
	if err := v.rows(r); err != nil {
		return err
	}
	if v.plan != nil {
		v.plan.part(v.records)
	}
	return nil
}

func (v *verifier) chain(r Reader, chain string) error {
	var prev, removed domain.Entry
	begun, forged, cut := false, false, v.said.before(chain)
	held := against{pins: v.held.pins[chain]}
	err := r.EachEntry(chain, math.MinInt64, func(e domain.Entry) error {
		if e.Seq < 1 {
			if !forged {
				v.add(Problem{Chain: chain, Seq: e.Seq, What: whatNoNumber})
			}
			forged = true
			return nil
		}
		if e.Seq <= cut.Seq {
			if what := v.removed(removed, e, cut); what != "" {
				v.add(Problem{Chain: chain, Seq: e.Seq, What: what})
			}
			removed = e
			return nil
		}
		begins := !begun
		if begins {
			begun, prev = true, cut
		}
		if what := v.entry(prev, e); what != "" {
			v.add(Problem{Chain: chain, Seq: prev.Seq + 1, What: what})
			return errStop // the rest may be forged
		}
		if begins && prev.Seq > 0 {
			v.begin(prev, &held)
		}
		if held.entry(e) {
			v.add(Problem{Chain: chain, Seq: e.Seq, What: whatOther})
		}
		v.report.Entries++
		if begins {
			v.links = append(v.links, link{chain: chain, first: e.Seq, place: v.report.Entries})
			v.begun = v.report.Entries
		}
		v.links[len(v.links)-1].last = e.Seq
		v.note(&e, v.report.Entries, v.plan == nil || v.plan.keeps(&e))
		prev = e
		v.say("entries", v.report.Entries, v.all)
		return nil
	})
	switch {
	case errors.Is(err, errStop):
		return nil
	case err == nil && !begun:
		v.add(Problem{Chain: chain, Seq: v.said.gone[chain] + 1, What: "the entry is missing"})
	case err == nil && held.cut():
		v.add(Problem{Chain: chain, Seq: prev.Seq + 1, What: whatCut})
	case err == nil && !forged:
		v.report.Heads = append(v.report.Heads, Head{Chain: chain, Seq: prev.Seq, Hash: prev.Hash})
	}
	return err
}

// whatNoNumber: entries are numbered from 1. One with a lower number would come
// before the beginning in lists and for a prune, and be part of no chain. The
// entries from 1 on prove as much without it.
const whatNoNumber = "no entry has this number: it was forged"

// whatNoChain: verdicts name their chain by a number. Those with another number are in no
// chain, so no other check finds them. Searches by time show them without a chain.
const whatNoChain = "no chain has this number: its verdicts were forged, or the row of their chain was edited"

// begin notes that a chain begins after an entry that a prune removed.
func (v *verifier) begin(last domain.Entry, held *against) {
	v.begins[last.Chain] = last.Seq
	cut := v.said.cut(last)
	cut.pins = held.removed(last.Seq)
	v.report.Cuts = append(v.report.Cuts, cut)
	if held.entry(last) {
		v.add(Problem{Chain: last.Chain, Seq: last.Seq, What: whatOther})
	}
}

// readAgain notes the entries about the next part of the records. They were
// verified when the first part was read.
func (v *verifier) readAgain(r Reader) error {
	for _, read := range v.links {
		place := read.place
		v.begun = place
		err := r.EachEntry(read.chain, read.first-1, func(e domain.Entry) error {
			if e.Seq > read.last {
				return errStop
			}
			if _, tie := aboutChain(&e); !tie {
				v.noteRecord(&e, place, v.plan == nil || !v.plan.goes(e))
			}
			v.say("entries", place, v.report.Entries)
			place++
			return nil
		})
		if err != nil && !errors.Is(err, errStop) {
			return err
		}
	}
	return nil
}

func (v *verifier) entry(prev, e domain.Entry) string {
	switch {
	case e.Seq != prev.Seq+1:
		return "the entry is missing"
	case !bytes.Equal(e.Prev, prev.Hash):
		return "the entry does not follow the one before it"
	case !Genuine(v.key, e):
		return "the entry was changed"
	case e.Seq == 1 && e.Event != domain.EventStoreInitialised && e.Event != domain.EventChainBegun:
		return "the first entries of the chain are missing"
	}
	return ""
}

// removed is what is wrong with an entry that a prune is removing. Any of these may be
// gone, so prev is the one before it that is left. cut is the last of them.
func (v *verifier) removed(prev, e, cut domain.Entry) string {
	switch {
	case e.Seq == prev.Seq, e.Seq == prev.Seq+1 && !bytes.Equal(e.Prev, prev.Hash), e.Seq == cut.Seq && !bytes.Equal(e.Hash, cut.Hash):
		return "the entry does not follow the one before it"
	case !Genuine(v.key, e):
		return "the entry was changed"
	}
	return ""
}

// unbound finds chains that end with entries under a destroyed data key, and whose
// last entry nothing under a data key in use holds. Anyone who has the destroyed data key
// could have made those entries. Destroying a data key ties all such chains.
func (v *verifier) unbound() {
	for _, head := range v.report.Heads {
		if v.key.Past(head.Hash) && head.Seq > v.bound[head.Chain] {
			v.add(Problem{Chain: head.Chain, Seq: v.bound[head.Chain] + 1,
				What: "the entries from here on are under a destroyed data key and nothing newer depends on them: they may be forged"})
		}
	}
}

// tied looks for the entries whose hashes other entries hold. It looks for all of
// them: a chain that was cut off goes on growing, and the newest tie may be about
// an entry that was added then.
func (v *verifier) tied(r Reader) error {
	for _, chain := range slices.Sorted(maps.Keys(v.ties)) {
		left := slices.DeleteFunc(v.ties[chain], func(t tie) bool { return t.seq <= v.begins[chain] })
		slices.SortFunc(left, func(x, y tie) int { return cmp.Compare(x.seq, y.seq) })
		for before := 0; len(left) > 0 && len(left) != before; {
			before = len(left)
			err := r.EachEntry(chain, left[0].seq-1, func(e domain.Entry) error {
				hash := v.fingerprints.of(e.Hash)
				for len(left) > 0 && left[0].seq == e.Seq && left[0].hash == hash {
					left = left[1:]
				}
				if len(left) == 0 || left[0].seq <= e.Seq || left[0].seq > e.Seq+readOn {
					return errStop
				}
				return nil
			})
			if err != nil && !errors.Is(err, errStop) {
				return err
			}
		}
		if len(left) > 0 {
			by, seq := v.entryAt(left[0].by)
			v.add(Problem{Chain: chain, Seq: left[0].seq, What: fmt.Sprintf("the entry is not the one that entry %d of chain %s holds: "+
				"the chain was cut off or exchanged", seq, printable(by))})
		}
	}
	return nil
}

func (v *verifier) rows(r Reader) error {
	v.rowsRead, v.rowsExpected = 0, 0
	for h := range v.records.all() {
		if !h.gone() {
			v.rowsExpected += int64(v.records.parts()) // each part has about as many
		}
	}
	v.away = map[string]bool{}
	err := r.EachMove(func(m domain.AccountMove) error { v.move(m); return nil })
	if err == nil {
		err = v.keys(r)
	}
	if err == nil {
		err = r.EachCredential(func(c domain.Credential) error {
			v.here(c.AccountID)
			v.row(domain.RecordCredential+"/"+c.ID, c.Canonical, nil, nil)
			return nil
		})
	}
	if err == nil {
		err = r.EachAttempts(func(l domain.ListedLock) error { v.counter(l, r.Now()); return nil })
	}
	if err == nil {
		err = r.EachPlan(func(p domain.RotationPlan) error {
			v.row(domain.RecordPlan+"/"+p.ID, p.Canonical, nil, nil)
			return nil
		})
	}
	if err == nil {
		v.missing()
	}
	return err
}

func (v *verifier) keys(r Reader) error {
	return r.EachKey(func(k domain.DeviceKey) error {
		if k.State == domain.KeyActive {
			v.here(k.AccountID)
		}
		v.row(domain.RecordKey+"/"+k.ID, k.Canonical, func() bool { return v.key.VerifyMAC(KeyLabel, k.Canonical(), k.MAC) }, nil)
		return nil
	})
}

// counter compares an attempt counter with the trail. Its place in the list of locks is
// in no entry and under no MAC, so it is compared with the locks of the counter.
func (v *verifier) counter(l domain.ListedLock, now time.Time) {
	a, record := l.Counter, domain.RecordAttempts+"/"+l.Counter.ID
	genuine := func() bool { return v.key.VerifyMAC(AttemptsLabel, a.Authenticated(), a.MAC) }
	v.row(record, a.Canonical, genuine, &a)
	if l.Fits(now) || !genuine() {
		return
	}
	if _, here := v.records.find(record); here {
		v.add(Problem{Record: record, What: whatUnlisted})
	}
}

// The labels of the MACs over an attempt counter and over a key record.
const (
	AttemptsLabel = "attempts v1"
	KeyLabel      = "device key v1"
)

// row compares one row with the trail, if it is of this part. genuine checks the
// MAC that the row has beside its seal; nil: it has none. counter is the row if
// it is an attempt counter, or nil.
func (v *verifier) row(record string, canonical func() []byte, genuine func() bool, counter *domain.Attempts) {
	v.rowsRead++
	v.say("records", v.rowsRead, max(v.rowsRead, v.rowsExpected))
	h, here := v.records.find(record)
	if !here {
		return
	}
	v.report.Rows++
	is := Digest(canonical())
	var unentered []byte // digest of an attempt counter without entries: it only ever held pending attempts
	if genuine != nil && !genuine() {
		v.add(Problem{Record: record, What: whatEdited})
	}
	if counter != nil {
		unentered = Digest(counter.Fresh().Canonical())
	}
	if h == nil {
		if !SameRow(record, is, unentered) {
			v.add(Problem{Record: record, What: "no entry about this record"})
		}
		return
	}
	h.seen = true
	if h.last.row != v.fingerprints.row(record, is) {
		chain, seq := v.entryAt(h.last.place)
		v.add(Problem{Chain: chain, Seq: seq, Record: record, What: "the record was edited or rolled back"})
	}
	if found := h.first.row; counter != nil && !h.known && !h.unlock && found != (fingerprint{}) && found != v.fingerprints.row(record, unentered) {
		chain, seq := v.entryAt(h.first.place)
		v.add(Problem{Chain: chain, Seq: seq, Record: record, What: "no earlier entry about the record"})
	}
}

// move compares the last move of an account with the trail, like row. A prune of 0.15.6 or
// earlier did not carry the entry of a move, so after a prune it may be gone. Then only an
// active key or a credential of the account can contradict the move: see [verifier.here].
func (v *verifier) move(m domain.AccountMove) {
	record := domain.RecordMove + "/" + m.AccountID
	h, here := v.records.find(record)
	pruned := m.Number > 0 && (h == nil || h.last.version < m.Number) // 0: it cannot be decoded
	if here && pruned && len(v.begins) > 0 && (h == nil || !h.carried) {
		if h != nil {
			h.seen, h.lastKept = true, true // a prune must not carry it: it is not the last move
		}
		if m.Away {
			v.away[m.AccountID] = true
		}
		return
	}
	v.row(record, m.Canonical, nil, nil)
}

// here is called for each active key and credential of an account. An account that moved
// away has none, so its move is forged.
func (v *verifier) here(accountID string) {
	if v.away[accountID] {
		delete(v.away, accountID) // once is enough
		v.add(Problem{Record: domain.RecordMove + "/" + accountID, What: "no entry about this record"})
	}
}

// missing finds the records that have a row according to the trail, and none in the
// store.
func (v *verifier) missing() {
	var gone []Problem
	for h := range v.records.all() {
		if !h.seen && !h.gone() {
			chain, seq := v.entryAt(h.last.place)
			gone = append(gone, Problem{Chain: chain, Seq: seq, Record: v.records.name(h.record), What: "the record is gone"})
		}
		if len(gone) == maxProblems {
			break
		}
	}
	slices.SortFunc(gone, func(x, y Problem) int { return cmp.Compare(x.Record, y.Record) })
	for _, p := range gone {
		v.add(p)
	}
}
