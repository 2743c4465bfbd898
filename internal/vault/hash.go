package vault

import (
	"context"
	"time"

	"strongroom/internal/crypto/argon2"
	"strongroom/internal/crypto/verifier"
	"strongroom/internal/domain"
	"strongroom/internal/metrics"
	"strongroom/internal/record"
	"strongroom/internal/trace"
)

// hasher makes and compares verifiers, and measures the duration.
type hasher struct {
	records *record.Records
	params  verifier.Params // of new verifiers
	decoys  *decoys
	metrics *metrics.Metrics
	now     func() time.Time
}

// comparison is the result of comparing a secret with a credential.
type comparison struct {
	match      bool
	mustChange bool // the credential's secret must be changed
	outdated   bool // a match with a verifier of another algorithm or a lower cost than the present setting
}

// subject is a credential to compare with.
type subject struct {
	account           string
	typ               domain.CredentialType
	domain.Credential // version 0: none is set
}

// compare opens the verifier and compares.
func (h hasher) compare(ctx context.Context, m *argon2.Matrix, c subject, secret domain.Secret) (is comparison, err error) {
	if c.Version == 0 {
		decoy := h.decoys.of(c.account, c.typ)
		defer h.hashed(ctx, decoy, time.Now())
		is.match, err = verifier.Dummy(m, secret, decoy)
		return is, err
	}
	encoded, mustChange, err := h.records.OpenCredential(c.Credential)
	if err != nil {
		return is, err
	}
	defer encoded.Wipe()
	is.mustChange = mustChange
	if is.match, err = h.matches(ctx, m, encoded, secret); err != nil {
		return is, &record.Tampered{Kind: domain.RecordCredential, ID: c.ID, Cause: err}
	}
	is.outdated = is.match && verifier.Outdated(encoded, h.params)
	return is, nil
}

// rehash makes the verifier that replaces an outdated one, and measures the duration. It
// has no context of the request, so this hash has no span and no time in the log: it is
// made after a match only, and neither may tell the verdict.
func (h hasher) rehash(m *argon2.Matrix, secret domain.Secret) (encoded domain.Secret, took time.Duration, err error) {
	start := h.now()
	encoded, err = h.newVerifier(context.Background(), m, secret)
	return encoded, h.now().Sub(start), err
}

func (h hasher) newVerifier(ctx context.Context, m *argon2.Matrix, secret domain.Secret) ([]byte, error) {
	defer h.hashed(ctx, h.params, time.Now())
	return verifier.New(m, secret, h.params)
}

func (h hasher) newVerifierLike(ctx context.Context, m *argon2.Matrix, encoded, secret domain.Secret) (domain.Secret, error) {
	defer h.hashedAt(ctx, encoded, time.Now())
	return verifier.Again(m, encoded, secret)
}

func (h hasher) matches(ctx context.Context, m *argon2.Matrix, encoded []byte, secret domain.Secret) (bool, error) {
	defer h.hashedAt(ctx, encoded, time.Now())
	return verifier.Compare(m, encoded, secret)
}

// hashed measures one hash that began at start.
func (h hasher) hashed(ctx context.Context, p verifier.Params, start time.Time) {
	took := time.Since(start)
	if p.Algorithm() == verifier.PBKDF2 {
		h.metrics.HashedPBKDF2(took)
		trace.Did(ctx, trace.PBKDF2, start, took)
		return
	}
	h.metrics.Hashed(took)
	trace.Did(ctx, trace.Hash, start, took)
}

// hashedAt measures one hash with the algorithm of a verifier.
func (h hasher) hashedAt(ctx context.Context, encoded []byte, start time.Time) {
	if p, err := verifier.ParamsOf(encoded); err == nil {
		h.hashed(ctx, p, start)
	}
}

// succeed makes the verifier of a new secret and reports whether the secret is
// already in known: the present verifier first, then the previous ones.
//
// The new verifier has the salt of the present one, so that one hash can be
// compared with all and stored. Verifiers with other salts or costs, from earlier
// versions or from before algorithm or cost were changed, take one hash for each salt
// until they leave the history. The salt is new if nothing was set, if algorithm or
// cost were changed, or if there is no history. [verifier.Again] explains why verifiers
// may share a salt.
//
// Every verifier is compared, even after a match: the duration must not reveal
// which one matched.
func (h hasher) succeed(ctx context.Context, m *argon2.Matrix, known []domain.Secret, secret domain.Secret) (encoded domain.Secret, reused bool, err error) {
	for i, old := range known {
		if sharesSalt(known[:i], old) {
			continue
		}
		again, err := h.newVerifierLike(ctx, m, old, secret)
		if err != nil {
			return encoded, false, err
		}
		for _, k := range known {
			reused = verifier.Equal(again, k) || reused
		}
		if i == 0 && !verifier.Outdated(old, h.params) {
			encoded = again
		} else {
			again.Wipe()
		}
	}
	if encoded == nil && !reused {
		encoded, err = h.newVerifier(ctx, m, secret)
	}
	return encoded, reused, err
}

func sharesSalt(with []domain.Secret, encoded domain.Secret) bool {
	for _, other := range with {
		if verifier.SameSalt(other, encoded) {
			return true
		}
	}
	return false
}
