package record

import (
	"errors"

	"strongroom/internal/crypto/seal"
	"strongroom/internal/domain"
	"strongroom/internal/store"
)

// Place is a place in the walk over all sealed rows: after the row that it names.
// The zero value is before the first.
type Place struct {
	Table   int    `json:"table"` // index in sealedTables
	Began   bool   `json:"began"` // a row of the table was visited
	Account string `json:"account"`
	ID      string `json:"id"` // of the row in its account: key id or credential type
	Version int64  `json:"version"`
}

// Visited is what a part of the walk found.
type Visited struct {
	Under   map[uint32]int64 // rows by the id of their data key
	Refused int64            // rows that were edited: no data key opens or authenticates them
	Next    Place
	End     bool // the walk visited all rows
}

// sealedTables visit at most limit rows after a place. They return how many there
// were and the place of the last.
var sealedTables = []func(v *visit, at Place, limit int) (rows int, last Place, err error){
	(*visit).keys, (*visit).credentials, (*visit).previous, (*visit).attempts, (*visit).signingKeys,
}

// visit is one part of the walk.
type visit struct {
	tx     *Tx
	rewrap *domain.Entry // the start of the entries; nil: no row is changed
	opens  bool          // with rewrap nil: rows under an older data key are opened
	ids    map[uint32]uint32
	now    uint32 // the primary data key
	found  Visited
}

// VisitSealed visits the next rows that are sealed or carry a MAC, at most limit of
// them, and says which data keys they are under. With rewrap, the start of an entry,
// it seals those under an older data key again under the primary one. Each change has an
// entry, and gives way to any other change of the row.
func (tx *Tx) VisitSealed(at Place, limit int, rewrap *domain.Entry) (Visited, error) {
	return tx.visit(at, limit, &visit{rewrap: rewrap})
}

// CheckSealed is VisitSealed without changes. It opens rows under an older data key, so that
// [Visited.Refused] counts those of them that were edited.
func (tx *Tx) CheckSealed(at Place, limit int) (Visited, error) {
	return tx.visit(at, limit, &visit{opens: true})
}

func (tx *Tx) visit(at Place, limit int, v *visit) (Visited, error) {
	v.tx, v.ids, v.found = tx, map[uint32]uint32{}, Visited{Under: map[uint32]int64{}}
	for _, k := range tx.r.cfg.Keys.DataKeys() {
		v.ids[k.MAC] = k.ID
		if k.Primary {
			v.now = k.ID
		}
	}
	for at.Table < len(sealedTables) {
		rows, last, err := sealedTables[at.Table](v, at, limit)
		if err != nil {
			return Visited{}, err
		}
		if rows == limit {
			v.found.Next = last
			return v.found, nil
		}
		at, limit = Place{Table: at.Table + 1}, limit-rows
	}
	v.found.Next, v.found.End = at, true
	return v.found, nil
}

// CountSealed counts the rows of the walk without signing keys. It counts at most this
// many of each of the four kinds.
func (tx *Tx) CountSealed(most int) (int64, error) { return tx.tx.CountSealedRows(most) }

// under counts a row under the oldest data key that its parts need, and reports
// whether it must be opened. A part that is empty needs none.
func (v *visit) under(sealed, mac []byte) (old bool) {
	id := v.now
	if len(sealed) > 0 {
		if of, err := seal.KeyID(sealed); err == nil && of != v.now {
			id = of
		}
	}
	if len(mac) > 0 {
		of, err := seal.MACKeyID(mac)
		if known, ok := v.ids[of]; err == nil && ok && known != v.now {
			id = known
		}
	}
	v.found.Under[id]++
	return id != v.now && (v.rewrap != nil || v.opens)
}

// did notes the outcome of opening a row and sealing it again. It returns the errors that end the walk.
func (v *visit) did(err error) error {
	switch {
	case IsTampered(err):
		v.found.Refused++
		return nil
	case errors.Is(err, store.ErrNotFound): // another transaction erased it
		return nil
	}
	return err
}

// entry returns the start of an entry, or nil if the row is only opened.
func (v *visit) entry() *domain.Entry {
	if v.rewrap == nil {
		return nil
	}
	e := *v.rewrap
	e.Event = domain.EventRecordRewrapped
	return &e
}

func (v *visit) keys(at Place, limit int) (int, Place, error) {
	var last *domain.DeviceKey
	if at.Began {
		last = &domain.DeviceKey{AccountID: at.Account, ID: at.ID}
	}
	found, err := v.tx.tx.KeysAfter(last, limit)
	for _, k := range found {
		if err == nil && v.under(k.Sealed, k.MAC) {
			err = v.did(v.tx.rewrapKey(v.entry(), k))
		}
		at = Place{at.Table, true, k.AccountID, k.ID, 0}
	}
	return len(found), at, err
}

func (v *visit) credentials(at Place, limit int) (int, Place, error) {
	var last *domain.Credential
	if at.Began {
		last = &domain.Credential{AccountID: at.Account, Type: domain.CredentialType(at.ID)}
	}
	found, err := v.tx.tx.CredentialsAfter(last, limit)
	for _, c := range found {
		if err == nil && v.under(c.Sealed, nil) {
			err = v.did(v.tx.rewrapCredential(v.entry(), c))
		}
		at = Place{at.Table, true, c.AccountID, string(c.Type), 0}
	}
	return len(found), at, err
}

func (v *visit) previous(at Place, limit int) (int, Place, error) {
	var last *domain.Credential
	if at.Began {
		last = &domain.Credential{AccountID: at.Account, Type: domain.CredentialType(at.ID), Version: at.Version}
	}
	found, err := v.tx.tx.PreviousAfter(last, limit)
	for _, c := range found {
		if err == nil && v.under(c.Sealed, nil) {
			err = v.did(v.tx.rewrapPrevious(v.entry(), c))
		}
		at = Place{at.Table, true, c.AccountID, string(c.Type), c.Version}
	}
	return len(found), at, err
}

func (v *visit) attempts(at Place, limit int) (int, Place, error) {
	var last *domain.Attempts
	if at.Began {
		last = &domain.Attempts{AccountID: at.Account, Type: domain.CredentialType(at.ID)}
	}
	found, err := v.tx.tx.AttemptsAfter(last, limit)
	for _, a := range found {
		if err == nil && v.under(nil, a.MAC) {
			err = v.did(v.counter(a))
		}
		at = Place{at.Table, true, a.AccountID, string(a.Type), 0}
	}
	return len(found), at, err
}

// counter checks the MAC of a counter, and with rewrap writes the counter again.
func (v *visit) counter(a domain.Attempts) error {
	if v.rewrap == nil {
		return v.tx.r.CheckAttempts(a)
	}
	c, err := v.tx.Attempts(a.AccountID, a.Type)
	if err == nil && c.Exists() {
		c.WriteAgain() // writing computes the MAC
	}
	return err
}

// signingKeys visits all of them at once: they are few.
func (v *visit) signingKeys(at Place, _ int) (int, Place, error) {
	all, err := v.tx.tx.SigningKeys()
	if err != nil {
		return 0, at, err
	}
	old := false
	for _, k := range all {
		old = v.under(k.Sealed, k.MAC) || old
	}
	if old {
		err = v.did(v.tx.rewrapSigningKeys(v.entry()))
	}
	return 0, at, err
}

// rewrapKey seals a private key again, and renews the MAC of its record. Like the functions
// below, it only opens the row if e is nil.
func (tx *Tx) rewrapKey(e *domain.Entry, k domain.DeviceKey) error {
	if err := tx.r.CheckKey(k); err != nil {
		return err
	}
	again := k
	if len(k.Sealed) > 0 {
		private, err := tx.r.OpenKey(k)
		if err != nil {
			return err
		}
		defer private.Wipe()
		if again.Sealed, err = tx.r.SealKey(k, private); err != nil {
			return err
		}
	}
	if e == nil {
		return nil
	}
	_, err := tx.updateKey(*e, k, again)
	return err
}

func (tx *Tx) rewrapCredential(e *domain.Entry, before domain.Credential) error {
	encoded, mustChange, err := tx.r.OpenCredential(before)
	if err != nil {
		return err
	}
	defer encoded.Wipe()
	if e == nil {
		return nil
	}
	return tx.reseal(*e, before, encoded, mustChange)
}

// rewrapPrevious makes no entry: the trail does not describe replaced credentials.
func (tx *Tx) rewrapPrevious(e *domain.Entry, c domain.Credential) error {
	encoded, err := tx.r.OpenPreviousVerifier(c)
	if err != nil {
		return err
	}
	defer encoded.Wipe()
	if e == nil {
		return nil
	}
	if c, err = tx.r.sealVerifier(previousVerifier, c, encoded, false); err != nil {
		return err
	}
	err = tx.tx.ResealPrevious(c)
	if errors.Is(err, store.ErrConflict) { // a set erased it
		return nil
	}
	return err
}

func (tx *Tx) rewrapSigningKeys(e *domain.Entry) error {
	all, err := tx.SigningKeys()
	if err != nil {
		return err
	}
	for _, k := range all {
		if len(k.Sealed) > 0 {
			private, err := tx.r.OpenSigningKey(k)
			if err != nil {
				return err
			}
			k.Sealed, err = tx.r.sealSigningKey(k, private)
			private.Wipe()
			if err != nil {
				return err
			}
		}
		if e == nil {
			continue
		}
		if err := tx.updateSigningKey(*e, k); err != nil {
			return err
		}
	}
	return nil
}
