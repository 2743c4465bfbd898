package seal

import (
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/tink-crypto/tink-go/v2/aead"
	"github.com/tink-crypto/tink-go/v2/keyset"
	"github.com/tink-crypto/tink-go/v2/prf"
)

// Keyset holds the data keys of one database in memory. A data key is a pair: a Tink
// XAES-256-GCM key that seals, and an HMAC-SHA-256 key for MACs and keyed hashes. The
// primary pair is used for new values. The others still open and verify. A Keyset is
// safe for concurrent use. Only [Keyset.Become] changes it.
type Keyset struct{ now atomic.Pointer[dataKeys] }

// dataKeys is the content of a [Keyset]. It is immutable.
type dataKeys struct {
	sealing *keyset.Handle
	hashing *keyset.Handle

	aeads   map[uint32]*xaes    // keys of sealing, by key id
	sealer  uint32              // id of the primary key of sealing
	macs    map[uint32]*hmacKey // enabled keys of hashing, by key id
	past    map[uint32]*hmacKey // disabled keys of hashing: those of destroyed data keys
	primary uint32              // id of the primary key of hashing
	hash    *hmacKey            // the first key of hashing, see [Keyset.Hash]
}

// NewKeyset returns a keyset with one new random data key.
func NewKeyset() (*Keyset, error) {
	sealing, err := keyset.NewHandle(aead.XAES256GCM192BitNonceKeyTemplate())
	if err != nil {
		return nil, fmt.Errorf("making the sealing key: %v", err)
	}
	hashing, err := keyset.NewHandle(prf.HMACSHA256PRFKeyTemplate())
	if err != nil {
		return nil, fmt.Errorf("making the hashing key: %v", err)
	}
	return newKeyset(sealing, hashing)
}

// Become replaces the data keys by those of another keyset of the same database. All
// users of k then use the new ones.
func (k *Keyset) Become(newer *Keyset) { k.now.Store(newer.now.Load()) }

func newKeyset(sealing, hashing *keyset.Handle) (*Keyset, error) {
	d := &dataKeys{sealing: sealing, hashing: hashing, aeads: map[uint32]*xaes{}, macs: map[uint32]*hmacKey{}, past: map[uint32]*hmacKey{}}
	if err := errors.Join(d.readSealing(), d.readHashing()); err != nil {
		return nil, err
	}
	k := &Keyset{}
	k.now.Store(d)
	return k, nil
}

func (d *dataKeys) readSealing() error {
	for i := range d.sealing.Len() {
		entry, err := d.sealing.Entry(i)
		if err != nil {
			return fmt.Errorf("using the sealing keys: %v", err)
		}
		if entry.KeyStatus() != keyset.Enabled {
			continue
		}
		if d.aeads[entry.KeyID()], err = xaesOf(entry.Key()); err != nil {
			return fmt.Errorf("using the sealing keys: %v", err)
		}
		if entry.IsPrimary() {
			d.sealer = entry.KeyID()
		}
	}
	if d.aeads[d.sealer] == nil {
		return errors.New("using the sealing keys: the primary one is missing")
	}
	return nil
}

func (d *dataKeys) readHashing() error {
	for i := range d.hashing.Len() {
		entry, err := d.hashing.Entry(i)
		if err != nil {
			return fmt.Errorf("using the hashing keys: %v", err)
		}
		mac, err := newHMACKey(entry.Key())
		if err != nil {
			return fmt.Errorf("using the hashing keys: %v", err)
		}
		switch entry.KeyStatus() {
		case keyset.Enabled:
			d.macs[entry.KeyID()] = mac
		case keyset.Disabled:
			d.past[entry.KeyID()] = mac
		default:
			continue
		}
		if entry.IsPrimary() {
			d.primary = entry.KeyID()
		}
		if i == 0 {
			d.hash = mac
		}
	}
	if d.hash == nil || d.macs[d.primary] == nil {
		return errors.New("using the hashing keys: the first or the primary one is missing, and stored values depend on them")
	}
	return nil
}
