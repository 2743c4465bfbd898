package service

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"strongroom/internal/crypto/argon2"
	"strongroom/internal/domain"
	"strongroom/internal/keypool"
	"strongroom/internal/metrics"
	"strongroom/internal/record"
	"strongroom/internal/store"
)

// Filling says how much [Service.Fill] puts into a store: what is there
// already counts, so a store can be filled further.
type Filling struct {
	Devices    int   // with an account, a key, both credentials and their ledgers each
	Entries    int64 // of the audit trail
	Operations int64 // in the roll-ups, spread over the last three years; these are added
	// New says that the store was made for this a moment ago. It is taken only
	// while nothing but the first entry of its trail is in it.
	New bool
}

// The credentials of every device that was filled in.
const (
	FilledPIN      = "493817"
	FilledPasscode = "a passcode of no secret"
)

// FilledDevice is the deviceId of the nth device that was filled in, from 1.
func FilledDevice(n int) string { return fmt.Sprintf("bench-%08d", n) }

// settingFilled marks a store that holds nothing but synthetic records, and
// says how many devices.
const settingFilled = "bench.filled"

// ErrNotFilled is the refusal of a store that holds something of somebody's.
var ErrNotFilled = errors.New("this database was not made by strongroom bench and is left alone; name a directory that does not exist yet")

// Filled says how many devices Fill made, or fails with [ErrNotFilled].
func (s *Service) Filled(ctx context.Context) (devices int, err error) {
	err = s.records.View(ctx, func(tx *record.Tx) error {
		text, err := tx.Setting(settingFilled)
		if errors.Is(err, store.ErrNotFound) {
			return ErrNotFilled
		}
		if err == nil {
			_, err = fmt.Sscan(string(text), &devices)
		}
		return err
	})
	return devices, err
}

// How many devices, entries and minutes of operations one transaction holds:
// the disk is waited for once for all of them.
const fillBatch, fillMinutes = 20_000, 50

// fillSpread is how many devices synthetic entries and operations are of.
const fillSpread = 5000

// Fill fills a store that a bench uses with records that differ from those of
// clients in two things only: all devices share one key pair, and all
// credentials of a type one salt, as making them is what takes time. Each row
// is sealed for its own place, has its MAC and its entry in the trail.
// progress is called now and then.
func (s *Service) Fill(ctx context.Context, f Filling, progress func(what string, done, of int64)) error {
	have, err := s.beginFilling(ctx, f)
	if err != nil {
		return err
	}
	if have < f.Devices {
		mould, err := s.newMould(ctx, have)
		if err != nil {
			return err
		}
		defer mould.pair.Private.Wipe()
		for have < f.Devices {
			progress("devices", int64(have), int64(f.Devices))
			upTo := min(have+fillBatch, f.Devices)
			if err := s.fillDevices(ctx, mould, have+1, upTo); err != nil {
				return fmt.Errorf("filling devices: %w", err)
			}
			have = upTo
		}
		progress("devices", int64(have), int64(f.Devices))
	}
	if err := s.fillEntries(ctx, f.Entries, progress); err != nil {
		return fmt.Errorf("filling the audit trail: %w", err)
	}
	if err := s.fillOperations(ctx, f.Operations, progress); err != nil {
		return fmt.Errorf("filling roll-ups: %w", err)
	}
	return s.Stop(ctx)
}

// beginFilling looks for the mark, and leaves it in a store that is new.
func (s *Service) beginFilling(ctx context.Context, f Filling) (have int, err error) {
	have, err = s.Filled(ctx)
	if !errors.Is(err, ErrNotFilled) || !f.New {
		return have, err
	}
	return 0, s.records.Update(ctx, record.System, func(tx *record.Tx) error {
		entries, chains, err := trailLength(tx)
		if err != nil {
			return err
		}
		if entries != chains {
			return ErrNotFilled // somebody did more than begin a chain
		}
		return tx.PutSetting(settingFilled, []byte("0"))
	})
}

// trailLength is how many entries the chains of the trail hold together, and
// how many chains there are.
func trailLength(tx *record.Tx) (entries, chains int64, err error) {
	names, err := tx.Chains()
	if err != nil {
		return 0, 0, err
	}
	for _, name := range names {
		head, err := tx.LastEntry(name)
		if err != nil {
			return 0, 0, err
		}
		entries += head.Seq
	}
	return entries, int64(len(names)), nil
}

// mould is what all synthetic devices share.
type mould struct {
	pair      keypool.Pair
	verifiers map[domain.CredentialType][]byte
}

// newMould makes one, with the key of the devices that are there already.
func (s *Service) newMould(ctx context.Context, have int) (m mould, err error) {
	m.verifiers = map[domain.CredentialType][]byte{}
	for t, secret := range map[domain.CredentialType]string{domain.Passcode: FilledPasscode, domain.TransactionPIN: FilledPIN} {
		if m.verifiers[t], err = s.fillHash(ctx, domain.Secret(secret)); err != nil {
			return m, err
		}
	}
	if have == 0 {
		m.pair, err = s.pool.Make(ctx)
		return m, err
	}
	err = s.records.View(ctx, func(tx *record.Tx) error {
		k, err := s.activeKey(tx, s.filler(), domain.Identity{DeviceID: FilledDevice(1)})
		if err == nil && k.Bits != s.cfg.KeyBits {
			err = fmt.Errorf("its devices have RSA-%d keys: say --rsa-bits %d", k.Bits, k.Bits)
		}
		if err == nil {
			m.pair = keypool.Pair{Bits: k.Bits, Public: k.PublicKey}
			m.pair.Private, err = s.records.OpenKey(k)
		}
		return err
	})
	return m, err
}

func (s *Service) fillHash(ctx context.Context, secret domain.Secret) (encoded []byte, err error) {
	lane, err := s.verifying.Enter([16]byte{})
	if err != nil {
		return nil, err
	}
	defer lane.Leave()
	refused := lane.First(ctx, func(m *argon2.Matrix) { encoded, err = s.newVerifier(ctx, m, secret) })
	return encoded, cmp.Or(refused, err)
}

func (s *Service) filler() domain.Caller {
	return domain.Caller{Mode: s.cfg.Mode, RequestID: domain.NewRequestID(s.cfg.Now())}
}

// filledDevice is one device and its operations.
type filledDevice struct {
	account string
	key     domain.DeviceKey
	by      *operation
}

// fillDevices writes a batch table by table and in the order of each table's
// key: row by row it would write a page of every index anew for each device. It
// writes what a client's first key, its sets and a try leave behind.
func (s *Service) fillDevices(ctx context.Context, m mould, from, to int) error {
	batch := make([]filledDevice, 0, to-from+1)
	for n := from; n <= to; n++ {
		d := filledDevice{by: s.fillOperation(domain.OpGenerateKey, FilledDevice(n))}
		d.account = s.records.AccountID(d.by.about.Account)
		var err error
		if d.key, err = s.newRecord(d.account, domain.Identity{DeviceID: FilledDevice(n), AppVersion: "1.0"}, m.pair, s.cfg.Now().UTC().Truncate(time.Microsecond)); err != nil {
			return err
		}
		batch = append(batch, d)
	}
	slices.SortFunc(batch, func(a, b filledDevice) int { return strings.Compare(a.account, b.account) })
	types := domain.CredentialTypes
	return s.records.Update(ctx, record.System, func(tx *record.Tx) error {
		for _, write := range []func(filledDevice) error{
			func(d filledDevice) error {
				_, err := tx.EnsureAccount(d.by.about.Account)
				return err
			},
			func(d filledDevice) error {
				return tx.AddKey(d.by.entry(domain.EventKeyIssued, "ok", s.cfg.Now()), d.key)
			},
			func(d filledDevice) error {
				return each(types, func(t domain.CredentialType) error {
					d.by.name = operations[t].set
					return tx.PutCredential(d.by.entry(domain.EventCredentialSet, "ok", s.cfg.Now()), d.key, t, domain.Credential{}, m.verifiers[t], 0)
				})
			},
			func(d filledDevice) error {
				return each(types, func(t domain.CredentialType) error {
					counter, err := tx.Attempts(d.account, t)
					if err == nil {
						counter.WriteAgain()
					}
					return err
				})
			},
		} {
			if err := each(batch, write); err != nil {
				return err
			}
		}
		if err := s.appendAndFold(tx); err != nil {
			return err
		}
		return tx.PutSetting(settingFilled, fmt.Append(nil, to))
	})
}

func each[T any](all []T, fn func(T) error) error {
	for _, one := range all {
		if err := fn(one); err != nil {
			return err
		}
	}
	return nil
}

func (s *Service) fillOperation(name domain.Operation, device string) *operation {
	o := &operation{name: name, start: s.cfg.Now().Add(-filledTook(1)), caller: s.filler()}
	s.identify(o, device)
	return o
}

// appendAndFold keeps the roll-ups up with the trail: a first start would
// otherwise fold millions of entries in one transaction.
func (s *Service) appendAndFold(tx *record.Tx, entries ...domain.Entry) error {
	tx.Enter(entries...)
	if err := tx.Write(); err != nil {
		return err
	}
	return s.rollup.Take().Write(tx)
}

// fillEntries makes the trail longer by right verifies, spread over ledgers.
func (s *Service) fillEntries(ctx context.Context, want int64, progress func(string, int64, int64)) error {
	var verified []domain.Entry // one of each of some devices
	var have int64
	err := s.records.View(ctx, func(tx *record.Tx) (err error) {
		if have, _, err = trailLength(tx); err != nil || have >= want {
			return err
		}
		verified, err = s.verifiedEntries(tx)
		return err
	})
	if err != nil || have >= want {
		return err
	}
	if len(verified) == 0 {
		return errors.New("there are no devices for its entries to tell of")
	}
	for have < want {
		progress("audit entries", have, want)
		entries := make([]domain.Entry, min(fillBatch, want-have))
		for i := range entries {
			entries[i] = verified[(have+int64(i))%int64(len(verified))]
			entries[i].Duration = filledTook(have + int64(i))
		}
		if err := s.records.Update(ctx, record.System, func(tx *record.Tx) error { return s.appendAndFold(tx, entries...) }); err != nil {
			return err
		}
		have += int64(len(entries))
	}
	progress("audit entries", have, want)
	return nil
}

// verifiedEntries is what a right PIN enters, for each of the first devices.
func (s *Service) verifiedEntries(tx *record.Tx) ([]domain.Entry, error) {
	var entries []domain.Entry
	for n := 1; n <= fillSpread; n++ {
		o := s.fillOperation(domain.OpVerifyPIN, FilledDevice(n))
		k, err := s.activeKey(tx, o.caller, domain.Identity{DeviceID: FilledDevice(n)})
		if errors.Is(err, store.ErrNotFound) {
			break
		}
		if err != nil {
			return nil, err
		}
		counter, err := tx.Attempts(k.AccountID, domain.TransactionPIN)
		if err != nil {
			return nil, err
		}
		o.keyID = k.ID
		entries = append(entries, counter.Unchanged(o.entry(domain.EventCredentialVerified, "ok", s.cfg.Now())))
	}
	return entries, nil
}

// fillOperations adds operations of the past to the roll-ups: in every minute
// of the windows that are kept by the minute, in one minute of every hour of
// those kept by the hour, and in one of every day of three years.
func (s *Service) fillOperations(ctx context.Context, want int64, progress func(string, int64, int64)) error {
	if want <= 0 {
		return nil
	}
	devices := make([][]byte, fillSpread)
	for i := range devices {
		_, devices[i] = s.records.Hashes(accountName(s.filler(), FilledDevice(i+1)), FilledDevice(i+1))
	}
	minutes := pastMinutes(s.cfg.Now())
	var done int64
	for i, minute := range minutes {
		for upTo := want * int64(i+1) / int64(len(minutes)); done < upTo; done++ {
			s.rollup.Add(minute, devices[done%fillSpread], done%100 == 0, filledTook(done))
		}
		if i%fillMinutes == 0 || i == len(minutes)-1 {
			progress("operations", done, want)
			batch := s.rollup.Take()
			if err := s.records.Update(ctx, record.System, func(tx *record.Tx) error { return batch.Write(tx) }); err != nil {
				return err
			}
		}
	}
	return s.records.Update(ctx, record.System, func(tx *record.Tx) error { return metrics.Prune(tx, tx.Now()) })
}

// filledTook is how long a filled operation took: some 5 ms, one in forty
// several times as long.
func filledTook(n int64) time.Duration {
	took := 4*time.Millisecond + time.Duration(n%7)*350*time.Microsecond
	if n%40 == 0 {
		took *= 2 + time.Duration(n/40%5)
	}
	return took
}

func pastMinutes(now time.Time) []time.Time {
	var all []time.Time
	begin := now.Add(-3 * 365 * 24 * time.Hour)
	for _, part := range []struct{ upTo, step time.Duration }{
		{40 * 24 * time.Hour, 24 * time.Hour}, {26 * time.Hour, time.Hour}, {0, time.Minute},
	} {
		for ; begin.Before(now.Add(-part.upTo)); begin = begin.Add(part.step) {
			all = append(all, begin)
		}
	}
	return all
}
