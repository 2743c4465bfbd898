package service

import (
	"cmp"
	"context"
	"errors"
	"time"

	"strongroom/internal/crypto/argon2"
	"strongroom/internal/crypto/devicekey"
	"strongroom/internal/domain"
	"strongroom/internal/store"
	"strongroom/internal/trace"
)

// maxTries bounds how often a transaction that met a conflict is decided anew.
// Each conflict means that another made progress.
const maxTries = 8

// GenerateKey returns the device's current key pair, or issues its first one.
func (s *Service) GenerateKey(ctx context.Context, id domain.Identity) (domain.KeyPair, error) {
	return do(ctx, s, domain.OpGenerateKey, func(ctx context.Context, o *operation) (domain.KeyPair, error) {
		if err := s.beginIssue(ctx, o, id); err != nil {
			return domain.KeyPair{}, err
		}
		for range maxTries {
			k, err := s.currentKey(ctx, o, id)
			if err == nil {
				k, err = s.answerWith(ctx, o, id, k)
			}
			if !errors.Is(err, store.ErrNotFound) {
				return k.Pair(), s.seen(ctx, o, err)
			}
			// One of the requests in flight for this device generates; the
			// others then look again, because a rotation may have come between.
			var mine *domain.DeviceKey
			_, err, _ = s.issuing.Do(string(o.device), func() (any, error) {
				k, err := s.issue(context.WithoutCancel(ctx), o, id, false)
				mine = &k
				return nil, err
			})
			switch {
			case errors.Is(err, store.ErrConflict): // another process was faster
			case err != nil:
				return domain.KeyPair{}, s.seen(ctx, o, err)
			case mine != nil:
				return mine.Pair(), nil
			}
		}
		return domain.KeyPair{}, errors.New("issuing a key: too many conflicts")
	})
}

// RotateKey issues a new key pair for the device and ends the previous one in
// the same transaction. Of rotations in parallel each answers a key, and the
// last committed is the valid one.
func (s *Service) RotateKey(ctx context.Context, id domain.Identity) (domain.KeyPair, error) {
	return do(ctx, s, domain.OpRotateKey, func(ctx context.Context, o *operation) (domain.KeyPair, error) {
		if err := s.beginIssue(ctx, o, id); err != nil {
			return domain.KeyPair{}, err
		}
		err := s.cfg.Store.View(ctx, func(tx store.Tx) error { return s.mayIssue(tx, o, id.DeviceID) })
		if err != nil {
			return domain.KeyPair{}, err
		}
		k, err := s.issue(ctx, o, id, true)
		return k.Pair(), s.seen(ctx, o, err)
	})
}

// beginIssue checks the identity and the caller's rate.
func (s *Service) beginIssue(ctx context.Context, o *operation, id domain.Identity) error {
	if err := id.Validate(); err != nil {
		return err
	}
	s.identify(o, id.DeviceID)
	return s.limitDevice(ctx, o)
}

// currentKey returns the device's active and valid key, or store.ErrNotFound
// where one may be issued.
func (s *Service) currentKey(ctx context.Context, o *operation, id domain.Identity) (k domain.DeviceKey, err error) {
	err = s.cfg.Store.View(ctx, func(tx store.Tx) (err error) {
		if k, err = s.activeKey(tx, o.caller, id); !errors.Is(err, store.ErrNotFound) {
			return err
		}
		return cmp.Or(s.mayIssue(tx, o, id.DeviceID), err)
	})
	o.keyID = k.ID
	return k, err
}

// answerWith answers a request for a key with the one that the device has:
// counts the request, and notes a newer appVersion in the key's record. It fails
// with store.ErrNotFound when the key has ended meanwhile.
func (s *Service) answerWith(ctx context.Context, o *operation, id domain.Identity, k domain.DeviceKey) (domain.DeviceKey, error) {
	note := id.AppVersion != "" && id.AppVersion != k.AppVersion && s.mayNote(k.ID)
	counts := !s.cfg.CountGenerationsOnly
	answer := func() error {
		if !note && !(counts && s.cfg.KeyCounterInStore) {
			return nil
		}
		return s.write(ctx, func(tx store.Tx) (err error) {
			if counts {
				err = s.countInStore(tx, o)
			}
			if err != nil || !note {
				return err
			}
			k, err = s.noteVersion(tx, o, id)
			return err
		})
	}
	var err error
	if counts {
		err = s.countInMemory(o, answer)
	} else {
		err = answer()
	}
	o.entered = note && err == nil
	return k, err
}

// noteVersion notes the appVersion of the device's active key.
func (s *Service) noteVersion(tx store.Tx, o *operation, id domain.Identity) (domain.DeviceKey, error) {
	k, err := s.activeKey(tx, o.caller, id)
	if err != nil {
		return k, err
	}
	before := k
	k.AppVersion = id.AppVersion
	k.Version++
	k = s.signed(k)
	if err := tx.UpdateKey(k); err != nil {
		return k, err
	}
	return k, s.enter(tx, keyEntry(o.entry(domain.EventKeyAppVersion, "ok", s.cfg.Now()), before, k))
}

// mayNote reports whether one more change of a key's appVersion may be
// written. One that may not is passed over: the latest stays a little behind.
func (s *Service) mayNote(keyID string) bool {
	_, ok := s.appVersions.Check(keyID, s.cfg.Now())
	if ok {
		s.appVersions.Fail(keyID, s.cfg.Now())
	}
	return ok
}

func (s *Service) activeKey(tx store.Tx, c domain.Caller, id domain.Identity) (domain.DeviceKey, error) {
	// The account's row is not looked at: its id follows from its name, and the
	// key's MAC ties the key to that id.
	k, err := tx.ActiveKey(s.accountID(accountName(c, id.DeviceID)), id.DeviceID)
	if err != nil {
		return domain.DeviceKey{}, err
	}
	if err := s.checkKey(k); err != nil {
		return domain.DeviceKey{}, err
	}
	if !k.Usable(domain.ForSet, tx.Now()) || s.planFor(k) != nil {
		return domain.DeviceKey{}, store.ErrNotFound // its validity ended, or it is to be replaced: as good as none
	}
	return k, nil
}

func accountName(c domain.Caller, deviceID string) (mode domain.Mode, issuer, subject string) {
	if c.Mode == domain.ModeDevice {
		return c.Mode, "", deviceID
	}
	return c.Mode, c.Issuer, c.Subject
}

// issue generates a key pair under admission and stores it. Only a request that
// was admitted counts against the limit of its device. A device that has a
// usable key keeps it unless rotate is set: then it is store.ErrConflict.
func (s *Service) issue(ctx context.Context, o *operation, id domain.Identity, rotate bool) (k domain.DeviceKey, err error) {
	lane, err := s.generating.enter(o.by())
	if err != nil {
		return k, err
	}
	defer lane.leave()
	err = s.countInMemory(o, func() error {
		k, err = s.generateAndStore(ctx, o, lane, id, rotate)
		return err
	})
	return k, err
}

func (s *Service) generateAndStore(ctx context.Context, o *operation, lane *ticket, id domain.Identity, rotate bool) (domain.DeviceKey, error) {
	pair, err := s.generate(ctx, lane)
	if err != nil {
		return domain.DeviceKey{}, err
	}
	defer pair.private.Wipe()
	var k domain.DeviceKey
	update := s.write // a conflict tells that another made the device's first key
	if rotate {
		update = s.update
	}
	err = update(ctx, func(tx store.Tx) error {
		if err := s.countInStore(tx, o); err != nil {
			return err
		}
		account, err := s.ensureAccount(tx, o.caller, id.DeviceID)
		if err != nil {
			return err
		}
		var entries []domain.Entry
		previous, err := tx.ActiveKey(account.ID, id.DeviceID)
		switch {
		case errors.Is(err, store.ErrNotFound):
			if err := s.roomForDevice(tx, account.ID); err != nil {
				return err
			}
		case err != nil:
			return err
		case rotate || !previous.Usable(domain.ForSet, tx.Now()) || s.planFor(previous) != nil:
			if entries, err = s.endPrevious(tx, o, previous, rotate); err != nil {
				return err
			}
		default:
			return store.ErrConflict
		}
		older, err := s.endOlder(tx, o, account.ID, id.DeviceID, previous.ID)
		if err != nil {
			return err
		}
		entries = append(entries, older...)
		if k, err = s.newRecord(account.ID, id, pair, tx.Now()); err != nil {
			return err
		}
		if err := tx.InsertKey(k); err != nil {
			return err
		}
		o.keyID = k.ID
		issued := keyEntry(o.entry(domain.EventKeyIssued, "ok", s.cfg.Now()), domain.DeviceKey{}, k)
		return s.enter(tx, append(entries, issued)...)
	})
	o.entered = err == nil
	return k, err
}

func (s *Service) ensureAccount(tx store.Tx, c domain.Caller, deviceID string) (domain.Account, error) {
	account, err := s.accountOf(tx, c, deviceID)
	if errors.Is(err, store.ErrNotFound) {
		mode, issuer, subject := accountName(c, deviceID)
		account = domain.Account{ID: s.accountID(mode, issuer, subject), Mode: mode, Issuer: issuer, Subject: subject, CreatedAt: tx.Now()}
		err = tx.InsertAccount(account)
	}
	return account, err
}

// endPrevious ends the active key of a device: because the client asked for it,
// because its validity is over, or because a plan has it replaced. A plan that
// refuses keys leaves them no grace.
func (s *Service) endPrevious(tx store.Tx, o *operation, k domain.DeviceKey, asked bool) ([]domain.Entry, error) {
	event, outcome, state, grace := domain.EventKeyRotated, "ok", domain.KeyInvalidated, s.cfg.RotationGrace
	if s.planRefuses(k) {
		grace = 0
	}
	switch {
	case !k.Usable(domain.ForSet, tx.Now()):
		event, state, grace = domain.EventKeyExpired, domain.KeyExpired, 0
	case !asked:
		outcome = "plan"
	}
	if err := s.checkKey(k); err != nil {
		return nil, err
	}
	ended, err := s.endKey(tx, k, state, grace)
	if err != nil {
		return nil, err
	}
	return []domain.Entry{keyEntry(o.note(event, outcome), k, ended)}, nil
}

// endOlder ends the grace of every key of the device but the previous one:
// whoever rotates twice wants the first key gone.
func (s *Service) endOlder(tx store.Tx, o *operation, account, device, previous string) ([]domain.Entry, error) {
	older, err := tx.KeysInGrace(account, device)
	if err != nil {
		return nil, err
	}
	var entries []domain.Entry
	for _, k := range older {
		if k.ID == previous {
			continue
		}
		erased, err := s.endKey(tx, k, k.State, 0)
		if err != nil {
			return nil, err
		}
		entries = append(entries, keyEntry(o.note(domain.EventKeyErased, "ok"), k, erased))
	}
	return entries, nil
}

// endKey ends a key and erases its private key, or leaves it until the grace
// is over.
func (s *Service) endKey(tx store.Tx, k domain.DeviceKey, state domain.KeyState, grace time.Duration) (domain.DeviceKey, error) {
	if k.State == domain.KeyActive {
		k.EndedAt = tx.Now()
	}
	k.State, k.GraceUntil = state, time.Time{}
	if grace > 0 {
		k.GraceUntil = tx.Now().Add(grace)
		if !k.ExpiresAt.IsZero() && k.ExpiresAt.Before(k.GraceUntil) {
			k.GraceUntil = k.ExpiresAt // no grace beyond its validity
		}
	} else {
		k.Sealed = nil
		s.erased.Store(true)
		s.opened.drop(k.ID)
	}
	k.Version++
	k = s.signed(k)
	return k, tx.UpdateKey(k)
}

// EndKeys ends the keys whose time is up: those whose validity ended, and the
// private keys of those whose grace is over. Requests do not depend on it,
// because each looks at the times itself; the erasure does.
func (s *Service) EndKeys(ctx context.Context) error {
	var due []domain.DeviceKey
	err := s.cfg.Store.View(ctx, func(tx store.Tx) (err error) {
		due, err = tx.KeysToEnd(tx.Now(), sweepLimit)
		return err
	})
	if err != nil || len(due) == 0 {
		return err
	}
	return s.write(ctx, func(tx store.Tx) error {
		due, err := tx.KeysToEnd(tx.Now(), sweepLimit)
		if err != nil {
			return err
		}
		entries := make([]domain.Entry, 0, len(due))
		for _, k := range due {
			event, state := domain.EventKeyErased, k.State
			if k.State == domain.KeyActive {
				event, state = domain.EventKeyExpired, domain.KeyExpired
			}
			ended, err := s.endKey(tx, k, state, 0)
			if err != nil {
				return err
			}
			e := domain.Entry{Actor: "system", Event: event, Outcome: "ok"}
			if e.Account, e.Device, err = s.whose(tx, k); err != nil {
				return err
			}
			entries = append(entries, keyEntry(e, k, ended))
		}
		return s.enter(tx, entries...)
	})
}

// EncryptLikeClient encrypts body as a client would: the helper for those who
// try the interface by hand. It sees a plaintext, which the real protocol
// never sends, so it can be switched off.
func (s *Service) EncryptLikeClient(ctx context.Context, body domain.Secret, publicKeyPEM string) (string, error) {
	return do(ctx, s, domain.OpEncrypt, func(ctx context.Context, o *operation) (string, error) {
		defer body.Wipe()
		if !s.cfg.HelperEnabled {
			return "", &domain.Error{Code: domain.CodeOperationDisabled, Reason: domain.ReasonHelperDisabled,
				Message: "encryptDataLikeClient is switched off here. Encrypt in the client with the public key of generateClientEncryptionKey."}
		}
		if len(body) == 0 {
			return "", domain.BadInput("body", "must not be empty")
		}
		public, err := devicekey.ParsePublic(publicKeyPEM)
		if err != nil {
			return "", badInput("publicKey", err)
		}
		ticket, err := s.lanes.enter(o.by())
		if err != nil {
			return "", err
		}
		defer ticket.leave()
		var out string
		refused := ticket.first(ctx, func(*argon2.Matrix) {
			defer trace.Since(ctx, trace.Encrypt, time.Now())
			out, err = devicekey.Encrypt(public, body)
		})
		if refused != nil {
			return "", refused
		}
		return out, badInput("body", err)
	})
}

// badInput makes a refusal of what devicekey refused by a reason fit to be
// shown, and leaves every other error as it is.
func badInput(field string, err error) error {
	var key devicekey.PublicKeyError
	var long *devicekey.TooLongError
	if errors.As(err, &key) || errors.As(err, &long) {
		return domain.BadInput(field, err.Error())
	}
	return err
}
