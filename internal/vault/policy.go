package vault

import (
	"context"

	"strongroom/internal/crypto/argon2"
	"strongroom/internal/crypto/verifier"
	"strongroom/internal/domain"
	"strongroom/internal/record"
)

// policyRule returns the rule that forbids a secret, whatever was set before, or
// "".
func (v *Vault) policyRule(t domain.CredentialType, secret domain.Secret) domain.Rule {
	if rule := domain.CheckPolicy(t, secret); rule != "" {
		return rule
	}
	if v.cfg.Blocklist != nil && v.cfg.Blocklist.Forbids(t, secret) {
		return domain.RuleTooCommon
	}
	return ""
}

// compares reports whether a set is compared with what is stored.
func (v *Vault) compares(in decrypted) bool { return in.withCurrent || v.cfg.History > 0 }

// prepare reads what a proposal is compared with. It refuses a caller that may
// not replace the credential, before anything is compared. A caller that sent a
// current secret is refused even if nothing is set, or the refusal would reveal
// whether something is set.
func (v *Vault) prepare(ctx context.Context, o *operation, p *proposal) error {
	p.wipe()
	p.present = domain.Credential{}
	if !v.compares(p.decrypted) && !v.cfg.OverwriteRequiresCurrent && v.cfg.OverwriteMaxAuthAge == 0 {
		return nil
	}
	return v.cfg.Records.View(ctx, func(tx *record.Tx) error {
		present, err := tx.Credential(p.key.AccountID, p.typ)
		missing := present.Version == 0
		if err != nil || missing && !p.withCurrent {
			return err
		}
		counter, err := tx.Attempts(p.key.AccountID, p.typ)
		if err != nil {
			return err
		}
		if _, _, err := v.mayReplace(tx, o.caller, p.decrypted, counter); err != nil || missing {
			return err
		}
		p.present = present
		p.previous, err = v.openHistory(tx, present)
		return err
	})
}

// openHistory opens the verifiers that may not be set again, the present one
// first.
func (v *Vault) openHistory(tx *record.Tx, present domain.Credential) (known []domain.Secret, err error) {
	if v.cfg.History == 0 {
		return nil, nil
	}
	encoded, err := v.cfg.Records.OpenVerifier(present)
	if err != nil {
		return nil, err
	}
	known = append(known, encoded)
	if v.cfg.History == 1 {
		return known, nil
	}
	before, err := tx.PreviousCredentials(present.AccountID, present.Type, v.cfg.History-1)
	for _, c := range before {
		encoded, err := v.cfg.Records.OpenPreviousVerifier(c)
		if err != nil {
			return known, err
		}
		known = append(known, encoded)
	}
	return known, err
}

// succeed makes the verifier of a secret that follows known, the present one
// first, and reports whether it is one of them.
//
// The new verifier has the salt of the present one, so that one hash can be
// compared with all and stored. Verifiers with other salts or costs, from earlier
// versions or from before the cost was raised, take one hash for each salt until
// they leave the history. The salt is new if nothing was set, if the cost was
// raised, or if there is no history. [verifier.Again] explains why a salt may be
// shared.
//
// Every verifier is compared, even after a match: the duration must not reveal
// which one matched.
func (v *Vault) succeed(ctx context.Context, m *argon2.Matrix, known []domain.Secret, secret domain.Secret) (encoded domain.Secret, reused bool, err error) {
	for i, old := range known {
		if sharesSalt(known[:i], old) {
			continue
		}
		again, err := v.newVerifierLike(ctx, m, old, secret)
		if err != nil {
			return encoded, false, err
		}
		for _, k := range known {
			reused = verifier.Equal(again, k) || reused
		}
		if i == 0 && !verifier.Outdated(old, v.cfg.Verifier) {
			encoded = again
		} else {
			again.Wipe()
		}
	}
	if encoded == nil && !reused {
		encoded, err = v.newVerifier(ctx, m, secret)
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
