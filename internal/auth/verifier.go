package auth

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/hashicorp/golang-lru/v2"
)

// verifier verifies bearer tokens (RFC 6750) that are JWTs (RFC 7519, RFC 8725,
// RFC 9068), and caches the identity T of each valid one.
//
// The threat is a token that the issuer did not make, or not for this service.
// The token's algorithm only selects which of the issuer's keys may fit, no key
// comes from a token, and no token can put load on the provider. Nothing of a
// token is logged or sent back.
type verifier[T any] struct {
	issuers    map[string]*keySet
	audiences  []string
	algorithms []string
	identify   func(*token) (T, error) // returns the identity in a valid token; an error refuses it
	now        func() time.Time

	// The key is the SHA-256 of the token, so that memory holds no token.
	cache        *lru.Cache[[sha256.Size]byte, verifiedToken[T]]
	hits, misses atomic.Uint64
}

// verifiedToken is a token whose signature and claims are valid.
type verifiedToken[T any] struct {
	identity T
	until    time.Time         // exclusive; then it is verified again
	keys     *keySet           // of its issuer
	key      [sha256.Size]byte // fingerprint of the key that signed it, without which it is not valid
}

const (
	tokenCacheSize = 4096
	tokenCacheTTL  = time.Minute
)

// asymmetric are the algorithms with public keys that can be configured.
var asymmetric = []string{"RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"}

// verifierConfig is what a verifier needs.
type verifierConfig struct {
	prefix     string   // of the settings that errors name: "jwt-"
	issuers    []string // at least one
	keySets    []string // see [JWTConfig]
	audiences  []string // at least one
	algorithms []string // at least one
	maxWaiting int      // requests that wait for the keys of an issuer
	log        *slog.Logger
}

// newVerifier checks its settings. It reads key sets in files, and fails if it
// cannot. The others are fetched after Start.
func newVerifier[T any](cfg verifierConfig, identify func(*token) (T, error)) (*verifier[T], error) {
	for _, a := range cfg.algorithms {
		if !slices.Contains(asymmetric, a) {
			return nil, errors.New("jwt-algorithms: only algorithms with public keys are allowed")
		}
	}
	if len(cfg.issuers) == 0 || len(cfg.audiences) == 0 || len(cfg.algorithms) == 0 {
		return nil, fmt.Errorf("%sissuer, %saudience and jwt-algorithms are needed", cfg.prefix, cfg.prefix)
	}
	if len(cfg.keySets) != 0 && len(cfg.keySets) != len(cfg.issuers) {
		return nil, fmt.Errorf("%sjwks: must name as many key sets as %sissuer names issuers", cfg.prefix, cfg.prefix)
	}
	v := &verifier[T]{issuers: map[string]*keySet{}, audiences: cfg.audiences, algorithms: cfg.algorithms, identify: identify, now: time.Now,
		cache: newLRU[[sha256.Size]byte, verifiedToken[T]](tokenCacheSize)}
	client := newClient()
	for i, issuer := range cfg.issuers {
		where := ""
		if len(cfg.keySets) > 0 {
			where = cfg.keySets[i]
		}
		if _, twice := v.issuers[issuer]; twice {
			return nil, fmt.Errorf("%sissuer: names an issuer twice", cfg.prefix)
		}
		var err error
		if v.issuers[issuer], err = cfg.openKeySet(issuer, where, client); err != nil {
			return nil, err
		}
	}
	return v, nil
}

func (cfg *verifierConfig) openKeySet(issuer, where string, client *http.Client) (*keySet, error) {
	from, err := newSource(issuer, where, client)
	switch {
	case err != nil && where == "":
		return nil, fmt.Errorf("%sissuer: without %sjwks, %w", cfg.prefix, cfg.prefix, err)
	case err != nil:
		return nil, fmt.Errorf("%sjwks: %w", cfg.prefix, err)
	}
	set := newKeySet(issuer, from, cfg.maxWaiting, cfg.log)
	if !from.file {
		return set, nil
	}
	r := set.refresh()
	<-r.done
	if r.err != nil {
		return nil, fmt.Errorf("%sjwks: %w", cfg.prefix, r.err)
	}
	return set, nil
}

// Start starts fetching the key sets in the background. Until the first fetch
// of an issuer's key set succeeds, its tokens are refused with an error that is
// not a *domain.Error.
func (v *verifier[T]) Start() {
	for _, set := range v.issuers {
		set.start()
	}
}

// Close stops the fetching, and waits for its end.
func (v *verifier[T]) Close() {
	for _, set := range v.issuers {
		set.close()
	}
}

// KeySets returns the state of each issuer's key set, sorted by issuer. Safe
// for concurrent use.
func (v *verifier[T]) KeySets() []KeySetState {
	var all []KeySetState
	for _, set := range v.issuers {
		all = append(all, set.state())
	}
	slices.SortFunc(all, func(a, b KeySetState) int { return strings.Compare(a.Issuer, b.Issuer) })
	return all
}

// CacheLookups returns how many tokens were in the cache of verified tokens, and
// how many were not. Safe for concurrent use.
func (v *verifier[T]) CacheLookups() (hits, misses uint64) { return v.hits.Load(), v.misses.Load() }

// authenticate returns the identity in a token. A reason refuses it. Any other error
// means that no token of its issuer can be verified.
func (v *verifier[T]) authenticate(ctx context.Context, text string) (T, error) {
	now := v.now().Round(0) // without the monotonic reading: that clock stops while the machine is suspended
	digest := sha256.Sum256([]byte(text))
	if known, ok := v.cache.Get(digest); ok && now.Before(known.until) && known.keys.keys.Load().has(known.key) {
		v.hits.Add(1)
		return known.identity, nil
	}
	v.misses.Add(1)
	verified, err := v.verify(ctx, text, now)
	if err != nil {
		v.cache.Remove(digest)
		var nobody T
		return nobody, err
	}
	v.cache.Add(digest, verified)
	return verified.identity, nil
}

// verify checks the signature before the claims, so that a forged token does
// not show which claims would be accepted.
func (v *verifier[T]) verify(ctx context.Context, text string, now time.Time) (verified verifiedToken[T], err error) {
	t, by, err := v.verifySignature(ctx, text, forAccess)
	if err != nil {
		return verified, err
	}
	if err := t.check(now, v.audiences); err != nil {
		return verified, err
	}
	identity, err := v.identify(&t)
	if err != nil {
		return verified, err
	}
	until := now.Add(tokenCacheTTL)
	if t.expires.Before(until) {
		until = t.expires
	}
	return verifiedToken[T]{identity: identity, until: until, keys: by.keys, key: by.key.fingerprint}, nil
}

// signedBy is the key that signed a token.
type signedBy struct {
	keys *keySet // of the issuer
	key  publicKey
}

// verifySignature parses a token and verifies its signature. It does not check
// the claims.
func (v *verifier[T]) verifySignature(ctx context.Context, text string, p purpose) (t token, by signedBy, err error) {
	if t, err = parseToken(text, p); err != nil {
		return t, by, err
	}
	if !slices.Contains(v.algorithms, t.algorithm) {
		return t, by, wrongAlgorithm
	}
	if by.keys = v.issuers[t.issuer]; by.keys == nil {
		return t, by, unknownIssuer
	}
	by.key, err = by.keys.signerOf(ctx, text, &t)
	if errors.Is(err, errNoKeys) {
		err = fmt.Errorf("%s: %w", t.issuer, err)
	}
	return t, by, err
}

// signerOf returns the key that signed a token.
func (k *publicKeys) signerOf(text string, t *token) (publicKey, error) {
	keys, err := k.find(t.keyID, t.algorithm)
	if err != nil {
		return publicKey{}, err
	}
	jws, err := jose.ParseSignedCompact(text, []jose.SignatureAlgorithm{jose.SignatureAlgorithm(t.algorithm)})
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
