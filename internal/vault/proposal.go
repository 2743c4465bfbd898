package vault

import (
	"context"

	"strongroom/internal/crypto/argon2"
	"strongroom/internal/domain"
	"strongroom/internal/record"
)

// proposal is a set under way.
type proposal struct {
	decrypted
	present  domain.Credential // the stored credential; zero if there is none, or nothing is compared
	previous []domain.Secret   // opened verifiers that may not be set again, the present one first
	spent    *attempt          // the attempt that the comparison uses; nil: it uses none
	judged   bool              // the comparison has run
	proven   bool              // the current secret in the set is the stored one
	encoded  domain.Secret     // the verifier to be stored
	anew     bool              // a stored verifier was edited, so the set forgets all of them
}

func (p *proposal) wipe() {
	for _, encoded := range p.previous {
		encoded.Wipe()
	}
	p.encoded.Wipe()
	p.previous, p.encoded = nil, nil
}

// isGuess reports whether the answer to a set reveals something about secrets
// that the caller may not know. A caller with credential:reset needs no guess.
func (p *proposal) isGuess(c domain.Caller) bool {
	return p.withCurrent || len(p.previous) > 0 && c.Permissions&domain.MayResetCredential == 0
}

// verdict is the verdict about the attempt of a judged proposal.
func (p *proposal) verdict(outcome string) verdict {
	if p.proven {
		return verdict{match: true, event: domain.EventCredentialVerified, outcome: outcome}
	}
	return verdict{event: domain.EventCredentialMismatch, outcome: outcome}
}

// policyRule returns the rule that forbids a secret without comparing it with
// earlier ones, or "".
func (v *Credentials) policyRule(t domain.CredentialType, secret domain.Secret) domain.Rule {
	if rule := domain.CheckPolicy(t, secret); rule != "" {
		return rule
	}
	if v.cfg.Blocklist != nil && v.cfg.Blocklist.Forbids(secret) {
		return domain.RuleTooCommon
	}
	return ""
}

// compares reports whether a set is compared with what is stored.
func (v *Credentials) compares(in decrypted) bool { return in.withCurrent || v.cfg.History > 0 }

// prepare reads what a proposal is compared with. It refuses a caller that may
// not replace the credential, before anything is compared. A caller that sent a
// current secret is refused even if nothing is set, or the refusal would reveal
// whether something is set.
func (v *Credentials) prepare(ctx context.Context, o *operation, p *proposal) error {
	err := v.readKnown(ctx, o, p)
	if p.anew = v.mayForget(o.caller, p, err); !p.anew {
		return err
	}
	_ = v.seen(ctx, o, err) // a set repairs the row, so only the log and the trail have the error
	p.wipe()
	return nil
}

// mayForget reports whether a set goes on although a verifier of the history was
// edited: only a caller with credential:reset may repair that, and only if nothing is
// compared with it.
func (v *Credentials) mayForget(c domain.Caller, p *proposal, err error) bool {
	return record.IsTampered(err) && !p.withCurrent && c.Permissions&domain.MayResetCredential != 0
}

// readKnown reads what prepare prepares.
func (v *Credentials) readKnown(ctx context.Context, o *operation, p *proposal) error {
	p.wipe()
	p.present = domain.Credential{}
	if !v.compares(p.decrypted) && !v.cfg.OverwriteRequiresCurrent && v.cfg.OverwriteMaxAuthAge == 0 {
		return nil
	}
	return v.cfg.Records.View(ctx, func(tx *record.Tx) error {
		p.wipe() // what an earlier run opened
		p.present = domain.Credential{}
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
func (v *Credentials) openHistory(tx *record.Tx, present domain.Credential) (known []domain.Secret, err error) {
	if v.cfg.History == 0 {
		return nil, nil
	}
	encoded, _, err := v.cfg.Records.OpenCredential(present)
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

// judge compares the current secret, then the new one with the previous ones, and
// makes the new verifier. If nothing is set, a current secret is wrong and costs
// the same work.
func (v *Credentials) judge(ctx context.Context, m *argon2.Matrix, p *proposal) (domain.Rule, error) {
	p.proven = false
	if p.withCurrent {
		is, err := v.compare(ctx, m, subject{p.key.AccountID, p.typ, p.present}, p.current)
		if err != nil || !is.match {
			return domain.RuleCurrentMismatch, err
		}
		p.proven = true
	}
	encoded, reused, err := v.succeed(ctx, m, p.previous, p.secret)
	p.encoded = encoded
	if reused {
		return domain.RuleReused, err
	}
	return "", err
}
