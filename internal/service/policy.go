package service

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"strongroom/internal/crypto/argon2"
	"strongroom/internal/domain"
	"strongroom/internal/store"
)

// checkSecret says which rule forbids to set a secret, or "". To compare it
// with those that were set before took a try, which is handed on.
func (s *Service) checkSecret(ctx context.Context, o *operation, lane ticket, in presented) (domain.Rule, *try, error) {
	if rule := domain.CheckPolicy(in.typ, in.secret); rule != "" {
		return rule, nil, nil
	}
	if s.cfg.Blocklist != nil && s.cfg.Blocklist.Forbids(in.typ, in.secret) {
		return domain.RuleTooCommon, nil, nil
	}
	if s.cfg.History == 0 {
		return "", nil, nil
	}
	reused, spent, err := s.reused(ctx, o, lane, in)
	if err != nil || !reused {
		return "", spent, err
	}
	return domain.RuleReused, nil, nil
}

// reused says whether a secret is the present one or one of those before it.
// That is a guess like any other, so it takes a try, and a hit is a failure:
// an uncounted set would tell what no counted verify may. A miss tells as much,
// so its try is handed on: it is given back in the transaction that replaces
// the credential, and is a failure when that does not happen, whatever the
// reason. Only who may reset, and so needs no guess, is not counted.
func (s *Service) reused(ctx context.Context, o *operation, lane ticket, in presented) (hit bool, spent *try, err error) {
	known, err := s.previous(ctx, o.caller, in)
	if err != nil || len(known) == 0 {
		return false, nil, err
	}
	defer func() {
		for _, encoded := range known {
			encoded.Wipe()
		}
	}()
	if o.caller.Permissions&domain.MayResetCredential != 0 {
		refused := lane.first(ctx, func(m *argon2.Matrix) { hit, err = s.matchesAny(ctx, m, known, in.secret) })
		return hit, nil, cmp.Or(refused, err)
	}
	t, err := s.reserve(ctx, o, in)
	if err != nil {
		return false, nil, err
	}
	// As in Verify: the try is spent now, whatever the client does.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), verdictDeadline)
	defer cancel()
	compared := false
	defer func() {
		if !compared {
			s.giveBack(ctx, t)
			s.verdicts.settled(in.key.AccountID, in.typ)
		}
	}()
	refused := lane.next(ctx, func(m *argon2.Matrix) { hit, err = s.matchesAny(ctx, m, known, in.secret) })
	if err = cmp.Or(refused, err); err != nil {
		return false, nil, err
	}
	compared = true
	if !hit {
		return false, &t, nil
	}
	return true, nil, s.fail(ctx, o, t, domain.EventCredentialReused, string(domain.RuleReused))
}

// fail settles a try of a set as a failure.
func (s *Service) fail(ctx context.Context, o *operation, t try, event domain.Event, outcome string) error {
	defer s.verdicts.settled(t.key.AccountID, t.typ)
	o.failed = true
	return s.settle(ctx, o, t, verdict{false, event, outcome}, nil)
}

// previous opens the verifiers that may not be set again, the present one
// first. Who may not replace it at all is refused before anything is compared.
func (s *Service) previous(ctx context.Context, caller domain.Caller, in presented) ([]domain.Secret, error) {
	var known []domain.Secret
	err := s.cfg.Store.View(ctx, func(tx store.Tx) error {
		c, err := tx.Credential(in.key.AccountID, in.typ)
		if errors.Is(err, store.ErrNotFound) {
			return nil
		}
		if err != nil {
			return err
		}
		ledger, err := s.attempts(tx, in.key.AccountID, in.typ)
		if err != nil {
			return err
		}
		if !ledger.LockedFor(in.device, tx.Now()) && !s.mayOverwrite(caller, c, ledger, in.device, tx.Now()) {
			return s.errNotFresh()
		}
		var before []domain.Credential
		if s.cfg.History > 1 {
			if before, err = tx.PreviousCredentials(in.key.AccountID, in.typ, s.cfg.History-1); err != nil {
				return err
			}
		}
		known, err = s.openVerifiers(c, before)
		return err
	})
	return known, err
}

func (s *Service) openVerifiers(present domain.Credential, before []domain.Credential) ([]domain.Secret, error) {
	encoded, err := s.keys.Open(present.Sealed, credentialData(present))
	if err != nil {
		return nil, &tampered{domain.RecordCredential, present.ID, err}
	}
	known := []domain.Secret{encoded}
	for _, c := range before {
		encoded, err := s.keys.Open(c.Sealed, previousData(c))
		if err != nil {
			return nil, &tampered{domain.RecordCredential, c.ID, err}
		}
		known = append(known, encoded)
	}
	return known, nil
}

// matchesAny compares a secret with every verifier, also after a hit: which of
// them it was must not show in how long it took.
func (s *Service) matchesAny(ctx context.Context, m *argon2.Matrix, known []domain.Secret, secret domain.Secret) (hit bool, err error) {
	for _, encoded := range known {
		match, wrong := s.matches(ctx, m, encoded, secret)
		hit, err = hit || match, cmp.Or(err, wrong)
	}
	return hit, err
}

// keepPrevious moves a credential that is being replaced among the previous
// ones. It is sealed anew as one of them, so that writing it back over its
// successor gives a row that does not open.
func (s *Service) keepPrevious(tx store.Tx, replaced domain.Credential) error {
	if replaced.Version == 0 {
		return nil
	}
	keep := max(0, s.cfg.History-1)
	if keep > 0 {
		encoded, err := s.keys.Open(replaced.Sealed, credentialData(replaced))
		if err != nil {
			return &tampered{domain.RecordCredential, replaced.ID, err}
		}
		defer domain.Secret(encoded).Wipe()
		if replaced.Sealed, err = s.keys.Seal(encoded, previousData(replaced)); err != nil {
			return fmt.Errorf("sealing a previous verifier: %w", err)
		}
	}
	return tx.KeepPrevious(replaced, keep)
}

func previousData(c domain.Credential) []byte {
	return associatedData("previous credential", c.AccountID, "", c.ID, string(c.Type), "argon2id", c.Version)
}
