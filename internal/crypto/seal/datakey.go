package seal

import (
	"errors"
	"fmt"

	"github.com/tink-crypto/tink-go/v2/aead"
	"github.com/tink-crypto/tink-go/v2/keyset"
	"github.com/tink-crypto/tink-go/v2/prf"
)

// The life of a data key:
//
//  1. It is added, so that every process can load it.
//  2. It becomes the primary one: new values are sealed under it.
//  3. When nothing is sealed or authenticated under older data keys, they are destroyed.
//
// A destroyed data key opens nothing and authenticates no row, because its sealing key
// is gone. Its HMAC key is kept as a past key. With it, the hashes of old entries of the
// audit trail can be computed again, and names and ciphertexts that were stored as
// keyed hashes can be recognized. A past key need not be secret: each entry contains the
// hash of the one before it, and a newer key authenticates the newest entry, so that
// even someone who has a past key cannot change an entry.

// DataKey is a pair of keys of a keyset.
type DataKey struct {
	ID      uint32 `json:"id"`      // of the sealing key; every sealed value contains it
	MAC     uint32 `json:"mac"`     // id of the HMAC key; every MAC contains it
	Primary bool   `json:"primary"` // new values are sealed under it
}

// DataKeys returns the data keys, oldest first.
func (k *Keyset) DataKeys() []DataKey {
	d := k.now.Load()
	var all []DataKey
	for i := range d.sealing.Len() {
		if entry, err := d.sealing.Entry(i); err == nil {
			all = append(all, DataKey{ID: entry.KeyID(), Primary: entry.IsPrimary()})
		}
	}
	enabled := 0
	for i := range d.hashing.Len() {
		entry, err := d.hashing.Entry(i)
		if err == nil && entry.KeyStatus() == keyset.Enabled && enabled < len(all) {
			all[enabled].MAC = entry.KeyID()
			enabled++
		}
	}
	return all
}

// WithNewDataKey returns the keyset with one more data key, which is not the primary
// one yet.
func (k *Keyset) WithNewDataKey() (*Keyset, error) {
	return k.edited(func(sealing, hashing *keyset.Manager) error {
		_, err1 := sealing.Add(aead.XAES256GCM192BitNonceKeyTemplate())
		_, err2 := hashing.Add(prf.HMACSHA256PRFKeyTemplate())
		return errors.Join(err1, err2)
	})
}

// withPrimary returns the keyset with the primary data key of the list. The keyset must
// contain all keys of the list.
func (k *Keyset) withPrimary(list []DataKey) (*Keyset, error) {
	return k.edited(func(sealing, hashing *keyset.Manager) (err error) {
		for _, one := range list {
			if one.Primary {
				err = errors.Join(err, sealing.SetPrimary(one.ID), hashing.SetPrimary(one.MAC))
			}
		}
		return err
	})
}

// WithNewestPrimary returns the keyset with its newest data key as the primary one.
func (k *Keyset) WithNewestPrimary() (*Keyset, error) {
	all := k.DataKeys()
	newest := all[len(all)-1]
	return k.edited(func(sealing, hashing *keyset.Manager) error {
		return errors.Join(sealing.SetPrimary(newest.ID), hashing.SetPrimary(newest.MAC))
	})
}

// WithoutOld returns the keyset with only the primary data key. The HMAC keys of the
// others are disabled in Tink, which makes them past keys.
func (k *Keyset) WithoutOld() (*Keyset, error) {
	return k.edited(func(sealing, hashing *keyset.Manager) (err error) {
		for _, old := range k.DataKeys() {
			if !old.Primary {
				err = errors.Join(err, sealing.Delete(old.ID), hashing.Disable(old.MAC))
			}
		}
		return err
	})
}

// edited returns a changed copy of the keyset.
func (k *Keyset) edited(edit func(sealing, hashing *keyset.Manager) error) (*Keyset, error) {
	d := k.now.Load()
	sealing, hashing := keyset.NewManagerFromHandle(d.sealing), keyset.NewManagerFromHandle(d.hashing)
	err := edit(sealing, hashing)
	s, err2 := sealing.Handle()
	h, err3 := hashing.Handle()
	if err := errors.Join(err, err2, err3); err != nil {
		return nil, fmt.Errorf("changing the data keys: %v", err)
	}
	return newKeyset(s, h)
}
