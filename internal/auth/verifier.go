package auth

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"sync/atomic"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/hashicorp/golang-lru/v2"
)

// verifier verifies bearer tokens (RFC 6750) that are JWTs (RFC 7519, RFC 8725,
// RFC 9068), and remembers what each good one came to: a T.
//
// The threat is a token that was not made by the issuer, or not for us: the
// algorithm that a token names decides nothing but which of the issuer's keys
// may fit, no key comes from a token, and no token can cost the provider work.
// Nothing of a token is ever logged or answered.
type verifier[T any] struct {
	issuers    map[string]*keySet
	audiences  []string
	algorithms []string
	meaning    func(*token) (T, error) // of a good token; an error refuses it
	now        func() time.Time

	// By SHA-256 of the token: what is in memory must not open anything.
	verified     *lru.Cache[[sha256.Size]byte, verified[T]]
	hits, misses atomic.Uint64
}

// verified is a token whose signature and claims were good.
type verified[T any] struct {
	means T
	until time.Time         // exclusive, when it must be verified again
	keys  *keySet           // of its issuer
	key   [sha256.Size]byte // by which it was signed: it ends with it
}

const (
	maxVerified = 4096
	verifiedFor = time.Minute
)

// asymmetric are the algorithms with public keys that can be configured.
var asymmetric = []string{"RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"}

// trust is whose tokens a verifier takes.
type trust struct {
	settings   string   // how the settings begin that its errors name: "jwt-"
	issuers    []string // at least one
	keySets    []string // where theirs are, in the same order, or none; see [JWTConfig]
	audiences  []string // at least one
	algorithms []string // at least one
	log        *slog.Logger
}

// newVerifier checks its settings. Key sets in files are read at once, and one
// that cannot be is an error; the others are fetched after start.
func newVerifier[T any](t trust, meaning func(*token) (T, error)) (*verifier[T], error) {
	for _, a := range t.algorithms {
		if !slices.Contains(asymmetric, a) {
			return nil, errors.New("jwt-algorithms: only algorithms with public keys can be taken")
		}
	}
	if len(t.issuers) == 0 || len(t.audiences) == 0 || len(t.algorithms) == 0 {
		return nil, fmt.Errorf("%sissuer, %saudience and jwt-algorithms are needed", t.settings, t.settings)
	}
	if len(t.keySets) != 0 && len(t.keySets) != len(t.issuers) {
		return nil, fmt.Errorf("%sjwks: must name as many key sets as %sissuer names issuers", t.settings, t.settings)
	}
	cache, err := lru.New[[sha256.Size]byte, verified[T]](maxVerified)
	if err != nil {
		panic(err) // only for a size below one
	}
	v := &verifier[T]{issuers: map[string]*keySet{}, audiences: t.audiences, algorithms: t.algorithms, meaning: meaning, now: time.Now, verified: cache}
	client := newClient()
	for i, issuer := range t.issuers {
		where := ""
		if len(t.keySets) > 0 {
			where = t.keySets[i]
		}
		if _, twice := v.issuers[issuer]; twice {
			return nil, fmt.Errorf("%sissuer: names an issuer twice", t.settings)
		}
		if v.issuers[issuer], err = t.openKeySet(issuer, where, client); err != nil {
			return nil, err
		}
	}
	return v, nil
}

func (t *trust) openKeySet(issuer, where string, client *http.Client) (*keySet, error) {
	from, err := newSource(issuer, where, client)
	switch {
	case err != nil && where == "":
		return nil, fmt.Errorf("%sissuer: without %sjwks, %w", t.settings, t.settings, err)
	case err != nil:
		return nil, fmt.Errorf("%sjwks: %w", t.settings, err)
	}
	set := newKeySet(issuer, from, t.log)
	if !from.file {
		return set, nil
	}
	r := set.refresh()
	<-r.done
	if r.err != nil {
		return nil, fmt.Errorf("%sjwks: %w", t.settings, r.err)
	}
	return set, nil
}

// Start begins to fetch the key sets, now and then again, without waiting for
// them. Until the first fetch of an issuer's has succeeded, its tokens are
// refused by an error that is no *domain.Error.
func (v *verifier[T]) Start() {
	for _, set := range v.issuers {
		set.start()
	}
}

// Close ends what Start began.
func (v *verifier[T]) Close() {
	for _, set := range v.issuers {
		set.close()
	}
}

// take is what a token means. A reason refuses it; any other error means that
// no token of its issuer can be verified.
func (v *verifier[T]) take(ctx context.Context, text string) (T, error) {
	now, digest := v.now(), sha256.Sum256([]byte(text))
	if known, ok := v.verified.Get(digest); ok && now.Before(known.until) && known.keys.keys.Load().has(known.key) {
		v.hits.Add(1)
		return known.means, nil
	}
	v.misses.Add(1)
	good, err := v.verify(ctx, text, now)
	if err != nil {
		v.verified.Remove(digest)
		var nothing T
		return nothing, err
	}
	v.verified.Add(digest, good)
	return good.means, nil
}

// verify looks at the signature before the claims: who made a token up learns
// nothing about which claims would do.
func (v *verifier[T]) verify(ctx context.Context, text string, now time.Time) (good verified[T], err error) {
	t, set, signer, err := v.signed(ctx, text, forAccess)
	if err != nil {
		return good, err
	}
	if err := t.check(now, v.audiences); err != nil {
		return good, err
	}
	means, err := v.meaning(&t)
	if err != nil {
		return good, err
	}
	until := now.Add(verifiedFor)
	if t.expires.Before(until) {
		until = t.expires
	}
	return verified[T]{means: means, until: until, keys: set, key: signer.identity}, nil
}

// signed is a token for a purpose with a good signature, the key set of its
// issuer and the key that signed it. Its claims are not checked.
func (v *verifier[T]) signed(ctx context.Context, text string, p purpose) (t token, set *keySet, signer publicKey, err error) {
	if t, err = parseToken(text, p); err != nil {
		return t, nil, signer, err
	}
	if !slices.Contains(v.algorithms, t.algorithm) {
		return t, nil, signer, wrongAlgorithm
	}
	set, ok := v.issuers[t.issuer]
	if !ok {
		return t, nil, signer, unknownIssuer
	}
	keys, err := set.find(ctx, t.keyID, t.algorithm)
	if err != nil {
		return t, nil, signer, err
	}
	signer, err = signerOf(text, t.algorithm, keys)
	return t, set, signer, err
}

// signerOf is the one of the keys that signed the token.
func signerOf(text, algorithm string, keys []publicKey) (publicKey, error) {
	jws, err := jose.ParseSignedCompact(text, []jose.SignatureAlgorithm{jose.SignatureAlgorithm(algorithm)})
	if err != nil {
		return publicKey{}, malformed
	}
	for _, key := range keys {
		if _, err := jws.Verify(key.key); err == nil {
			return key, nil
		}
	}
	return publicKey{}, wrongSignature
}
