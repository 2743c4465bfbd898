package vault

import (
	"cmp"
	"context"
	"encoding/binary"
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"strongroom/internal/crypto/seal"
	"strongroom/internal/crypto/verifier"
	"strongroom/internal/domain"
	"strongroom/internal/record"
)

// decoys choose the algorithm and the cost of the comparison if no credential is set.
// After the settings were changed, stored credentials have different costs, and the
// duration of a comparison reveals the cost. If every decoy had the present cost, an
// older cost would reveal that a credential is set. So the decoys of a type have the
// same mix of costs as its stored credentials. An account's decoy is as constant as a
// credential: a keyed hash of the account's id chooses it, and the mix changes only as
// credentials are hashed again.
type decoys struct {
	keys    *seal.Keyset
	present verifier.Params
	mix     atomic.Pointer[mix] // nil: not counted yet
}

// mix are the shares of the outdated costs, by credential type, in a fixed order.
type mix map[domain.CredentialType][]share

type share struct {
	params verifier.Params
	end    float64 // of its range between 0 and 1, which begins at the end of the share before
}

// of returns the decoy of a credential that an account does not have.
func (d *decoys) of(account string, t domain.CredentialType) verifier.Params {
	shares := d.mix.Load()
	if shares == nil {
		return d.present
	}
	hash := d.keys.Hash("decoy v1", domain.Encode([]byte(account), []byte(t)))
	place := float64(binary.BigEndian.Uint64(hash[:])) / math.MaxUint64
	for _, s := range (*shares)[t] {
		if place < s.end {
			return s.params
		}
	}
	return d.present
}

// count counts the costs of stored credentials, page by page.
type count struct {
	mu   sync.Mutex // of the fields below
	last *domain.Credential
	of   map[domain.CredentialType]map[verifier.Params]int64
}

// countPage is how many credentials are read in one transaction. They are in the order
// of keyed hashes, so the first page is a random sample of them all.
const countPage = 5000

// CountVerifiers counts a page of the stored credentials by algorithm and cost, from
// where it stopped before, and reports whether more are left. The decoys use the result
// of the first page, and of each complete count. Call it before the first request, and
// then in the background.
func (v *Credentials) CountVerifiers(ctx context.Context) (more bool, err error) {
	c := &v.counted
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.last == nil {
		c.of = map[domain.CredentialType]map[verifier.Params]int64{}
	}
	page, err := record.View(ctx, v.cfg.Records, func(tx *record.Tx) ([]domain.Credential, error) {
		return tx.CredentialsAfter(c.last, countPage)
	})
	if err != nil {
		return false, err
	}
	for _, one := range page {
		v.countOne(one)
	}
	more = len(page) == countPage
	if outdated := v.takeOver(!more); !more {
		v.cfg.Metrics.Outdated(outdated)
		c.last = nil
		return false, nil
	}
	c.last = &page[len(page)-1]
	return true, nil
}

// countOne counts a credential. One that was edited is not counted: its next verify
// reports it.
func (v *Credentials) countOne(c domain.Credential) {
	encoded, _, err := v.cfg.Records.OpenCredential(c)
	if err != nil {
		return
	}
	defer encoded.Wipe()
	params, err := verifier.ParamsOf(encoded)
	if err != nil {
		return
	}
	if !verifier.Outdated(encoded, v.params) {
		params = v.params
	}
	if v.counted.of[c.Type] == nil {
		v.counted.of[c.Type] = map[verifier.Params]int64{}
	}
	v.counted.of[c.Type][params]++
}

// takeOver makes the decoys use the counts, if all credentials were counted or if the
// decoys have no counts yet. It returns how many credentials are outdated.
func (v *Credentials) takeOver(all bool) (outdated int64) {
	next := mix{}
	for t, of := range v.counted.of {
		var total, sum int64
		costs := make([]verifier.Params, 0, len(of))
		for params, n := range of {
			total += n
			if params != v.params {
				costs = append(costs, params)
			}
		}
		slices.SortFunc(costs, compareParams)
		for _, params := range costs {
			sum += of[params]
			next[t] = append(next[t], share{params, float64(sum) / float64(total)})
		}
		outdated += sum
	}
	if all || v.decoys.mix.Load() == nil {
		v.decoys.mix.Store(&next)
	}
	return outdated
}

func compareParams(a, b verifier.Params) int {
	return cmp.Or(cmp.Compare(a.Iterations, b.Iterations), cmp.Compare(a.Memory, b.Memory), cmp.Compare(a.Time, b.Time), cmp.Compare(a.Parallelism, b.Parallelism))
}
