// Package issuer signs for the service: it keeps the signing keys, replaces them
// by age, publishes their public keys and signs with the active one. It knows
// keys, but no use cases.
//
// A key is published before it signs and after it stopped, so that a client that
// reads the key set once a week never receives a signature by an unknown key. The
// store's clock decides which key signs, so all instances agree.
package issuer

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"sync/atomic"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"strongroom/internal/crypto/signing"
	"strongroom/internal/domain"
	"strongroom/internal/record"
)

// Config configures [New]. Every field is required.
type Config struct {
	Records *record.Records
	URL     string           // the iss of everything that is signed
	TTL     time.Duration    // how long one key signs; 0: no key is replaced by age
	Now     func() time.Time // the clock for iat and exp; the store's clock decides which key signs
}

// Issuer signs with the active signing key and publishes the public keys. It is safe
// for concurrent use.
type Issuer struct {
	cfg    Config
	signed *lru.Cache[string, signedKey] // by key id, without challenges

	reading chan struct{} // holds an element while the keys are read, so that the newest reading wins
	readAt  time.Time     // guarded by reading: when keys were last read for an unknown one
	current atomic.Pointer[keys]
}

// keys are the signing keys as they were last read.
type keys struct {
	kid     string
	private signing.PrivateKey
	set     Set
	public  map[string][]byte // SubjectPublicKeyInfo of the published keys, by kid
}

// Set is the published public keys.
type Set struct {
	JSON []byte // a JWK Set (RFC 7517, 5)
	ETag string // a strong entity tag (RFC 9110, 8.8.3), with its quotes
}

// New returns an Issuer without keys. [Issuer.Tend] reads them.
func New(cfg Config) *Issuer {
	signed, err := lru.New[string, signedKey](maxSignedKeys)
	if err != nil {
		panic(err) // only for a size below one
	}
	return &Issuer{cfg: cfg, signed: signed, reading: make(chan struct{}, 1)}
}

// Tend makes the first key and each successor when it is due, erases private
// keys that stopped signing, and reads the keys again. Several instances may do
// so at once: the number of a key is unique, and the others take over the key of
// the first. If a record was edited, the process keeps the keys that it knows.
func (i *Issuer) Tend(ctx context.Context) error {
	if err := i.lock(ctx); err != nil {
		return err
	}
	defer i.unlock()
	all, now, err := i.read(ctx)
	if err == nil && (i.due(all, now) != nil || len(stale(all, now)) > 0) {
		if err = i.cfg.Records.Update(ctx, record.System, i.tend); err == nil {
			all, now, err = i.read(ctx)
		}
	}
	if err == nil {
		err = i.adopt(all, now)
	}
	return i.cfg.Records.Report(ctx, record.System, err)
}

// lock waits until nothing else reads the keys, or until ctx is done.
func (i *Issuer) lock(ctx context.Context) error {
	select {
	case i.reading <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (i *Issuer) unlock() { <-i.reading }

func (i *Issuer) read(ctx context.Context) (all []domain.SigningKey, now time.Time, err error) {
	err = i.cfg.Records.View(ctx, func(tx *record.Tx) (err error) {
		all, err = tx.SigningKeys()
		now = tx.Now() // after the reads, so that it costs no round trip
		return err
	})
	return all, now, err
}

func (i *Issuer) tend(tx *record.Tx) error {
	all, err := tx.SigningKeys()
	if err != nil {
		return err
	}
	now := tx.Steady() // or a clock that is set forward and back would erase the key that signs
	for _, k := range stale(all, now) {
		if err := tx.EraseSigningKey(record.System, k); err != nil {
			return err
		}
	}
	if from := i.due(all, now); from != nil {
		return i.add(tx, record.System, len(all), *from)
	}
	return nil
}

// due returns when the key that must be made now begins to sign, or nil if none
// must be made. A successor is published for [domain.SigningPublished] first, even
// if no instance ran when it became due.
func (i *Issuer) due(all []domain.SigningKey, now time.Time) *time.Time {
	if len(all) == 0 {
		return &now
	}
	last := all[len(all)-1]
	end := last.ActiveFrom.Add(i.cfg.TTL)
	if i.cfg.TTL == 0 || now.Before(end.Add(-domain.SigningPublished)) {
		return nil
	}
	if earliest := now.Add(domain.SigningPublished); end.Before(earliest) {
		end = earliest
	}
	return &end
}

// stale returns the keys whose private key is no longer needed.
func stale(all []domain.SigningKey, now time.Time) (ended []domain.SigningKey) {
	for i, state := range domain.SigningStates(all, now) {
		if (state == domain.SigningRetired || state == domain.SigningEnded) && len(all[i].Sealed) > 0 {
			ended = append(ended, all[i])
		}
	}
	return ended
}

// add makes the key that follows n others.
func (i *Issuer) add(tx *record.Tx, e domain.Entry, n int, from time.Time) error {
	private, err := signing.Generate()
	if err != nil {
		return err
	}
	k := domain.SigningKey{Number: int64(n) + 1, Algorithm: signing.Algorithm, CreatedAt: tx.Now(), ActiveFrom: from}
	if k.PublicKey, err = private.Public(); err != nil {
		return err
	}
	if k.ID, err = signing.KeyID(k.PublicKey); err != nil {
		return err
	}
	der, err := private.Marshal()
	if err != nil {
		return err
	}
	defer domain.Secret(der).Wipe()
	if k, err = i.cfg.Records.SealSigningKey(k, der); err != nil {
		return err
	}
	return tx.AddSigningKey(e, k)
}

// adopt makes this process sign with the active key and publish what must be.
func (i *Issuer) adopt(all []domain.SigningKey, now time.Time) error {
	set, err := Published(all, now)
	if err != nil {
		return err
	}
	next := &keys{set: set, public: map[string][]byte{}}
	for n, state := range domain.SigningStates(all, now) {
		if state != domain.SigningEnded {
			next.public[all[n].ID] = all[n].PublicKey
		}
		if state == domain.SigningActive {
			if err := i.open(next, all[n]); err != nil {
				return err
			}
		}
	}
	i.current.Store(next)
	return nil
}

func (i *Issuer) open(next *keys, k domain.SigningKey) error {
	next.kid = k.ID
	if known := i.current.Load(); known != nil && known.kid == k.ID {
		next.private = known.private
		return nil
	}
	der, err := i.cfg.Records.OpenSigningKey(k)
	if err != nil {
		return err
	}
	defer der.Wipe()
	next.private, err = signing.Parse(der)
	return err
}

// Published returns the public keys that are published at time now, in the order
// of their numbers.
func Published(all []domain.SigningKey, now time.Time) (Set, error) {
	set := struct {
		Keys []json.RawMessage `json:"keys"`
	}{Keys: []json.RawMessage{}}
	for i, state := range domain.SigningStates(all, now) {
		if state == domain.SigningEnded {
			continue
		}
		jwk, err := signing.JWK(all[i].PublicKey)
		if err != nil {
			return Set{}, fmt.Errorf("signing key %d: %w", all[i].Number, err)
		}
		set.Keys = append(set.Keys, jwk)
	}
	text, err := json.Marshal(set)
	if err != nil {
		return Set{}, fmt.Errorf("writing the key set: %w", err)
	}
	sum := sha256.Sum256(text)
	return Set{JSON: bytes.TrimSpace(text), ETag: `"` + hex.EncodeToString(sum[:16]) + `"`}, nil
}

// KeySet returns the published public keys as they were last read. It is empty
// if they could not be read since the start.
func (i *Issuer) KeySet() Set {
	if known := i.current.Load(); known != nil {
		return known.set
	}
	return Set{}
}

// Sign signs payload with the active key, as a JWS in compact serialization
// (RFC 7515, 7.1) with alg, kid and typ in its header. typ is a media type
// without "application/", a different one for each kind of payload.
func (i *Issuer) Sign(typ string, payload []byte) (string, error) {
	known := i.current.Load()
	if known == nil || known.kid == "" {
		return "", errNoKey
	}
	return known.private.Sign(known.kid, typ, payload)
}
