package service

import (
	"errors"
	"testing"

	"strongroom/internal/domain"
)

// proving is a request with a proof by a key, here any text in the place of its
// thumbprint.
func proving(thumbprint string) func(*domain.Caller) {
	return func(c *domain.Caller) { c.Thumbprint = thumbprint }
}

// with is the same vault, asked by the same caller changed in some way.
func (v *instance) with(changes ...func(*domain.Caller)) *instance {
	c := domain.CallerFrom(v.ctx)
	for _, change := range changes {
		change(&c)
	}
	w := *v
	w.ctx = domain.WithCaller(v.ctx, c)
	return &w
}

// reason is the reason of a refusal, or the error in words.
func reason(err error) string {
	refusal := (*domain.Error)(nil)
	switch {
	case err == nil:
		return ""
	case errors.As(err, &refusal):
		return refusal.Reason
	}
	return err.Error()
}

func TestKeysAreIssuedOnlyWithAProofIfOneIsRequired(t *testing.T) {
	v := openVault(t, func(cfg *Config) { cfg.ProofRequired = true })
	id := domain.Identity{DeviceID: "phone"}
	_, err := v.GenerateKey(v.ctx, id)
	v.expect("generate", reason(err), domain.ReasonDPoPProofRequired)
	_, err = v.RotateKey(v.ctx, id)
	v.expect("rotate", reason(err), domain.ReasonDPoPProofRequired)
	k := v.with(proving("A")).issue("phone")
	_, err = v.GenerateKey(v.ctx, id)
	v.expect("generate for a device with a key", reason(err), domain.ReasonDPoPProofRequired)
	if k.KeyID != v.with(proving("A")).issue("phone").KeyID {
		t.Error("its key changed")
	}

	if err := v.tally.Flush(v.ctx, true); err != nil {
		t.Fatal(err)
	}
	refused := int64(0)
	v.eachEntry(func(e domain.Entry) {
		if e.Event == domain.EventRefusalsCounted && e.Outcome == string(domain.CodeUnauthenticated) {
			refused += e.Count
		}
	})
	if refused != 3 {
		t.Errorf("the trail counts %d refusals, want 3", refused)
	}
}
