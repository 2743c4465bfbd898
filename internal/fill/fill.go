// Package fill fills a store with synthetic records, for benchmarks and load tests.
package fill

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"strongroom/internal/crypto/argon2"
	"strongroom/internal/crypto/devicekey"
	"strongroom/internal/crypto/verifier"
	"strongroom/internal/domain"
	"strongroom/internal/keypool"
	"strongroom/internal/metrics"
	"strongroom/internal/record"
	"strongroom/internal/store"
	"strongroom/internal/workpool"
)

// Amounts is how many records of each kind the store has after [Filler.Fill].
// Existing records count, so a store can be filled further.
type Amounts struct {
	Devices    int   // each with an account, a key, both credentials and their attempt counters
	Entries    int64 // of the audit trail
	Operations int64 // in the roll-ups, spread over the last three years; added to the existing ones
	// New says that the store was just created for this. Fill refuses it if it
	// contains more than the first entry of its trail.
	New bool
}

// Config configures [New]. Every field is required unless it says otherwise.
type Config struct {
	Records   *record.Records
	Rollup    *metrics.Rollup // of this process
	KeyPool   *keypool.Pool
	Workers   *workpool.Pool // for hashing
	Mode      domain.Mode
	Algorithm devicekey.Algorithm // of the devices' keys
	KeyBits   int                 // of RSA
	KeyTTL    time.Duration       // 0: keys do not expire
	Verifier  verifier.Params
	Now       func() time.Time
}

// Filler fills one store. No other process may use the store at the same time.
type Filler struct{ cfg Config }

// New returns a Filler.
func New(cfg Config) *Filler { return &Filler{cfg} }

// The credentials of every synthetic device.
const (
	PIN      = "493817"
	Passcode = "a passcode of no secret"
)

// Device returns the deviceId of the nth synthetic device, from 1.
func Device(n int) string { return fmt.Sprintf("bench-%08d", n) }

// sets are the operations that set a credential.
var sets = map[domain.CredentialType]domain.Operation{domain.Passcode: domain.OpSetPasscode, domain.TransactionPIN: domain.OpSetPIN}

// newKey returns the record of a device's key.
func (f *Filler) newKey(account, deviceID string, pair keypool.Pair) (domain.DeviceKey, error) {
	k := domain.DeviceKey{AccountID: account, DeviceID: deviceID, AppVersion: "1.0", Algorithm: string(pair.Algorithm),
		Bits: pair.Bits, PublicKey: pair.Public, CreatedAt: f.cfg.Now().UTC().Truncate(time.Microsecond)}
	if f.cfg.KeyTTL > 0 {
		k.ExpiresAt = k.CreatedAt.Add(f.cfg.KeyTTL)
	}
	return f.cfg.Records.NewKey(k, pair.Private)
}

// settingFilled marks a store that contains only synthetic records. Its value is the
// number of devices. While a fill is incomplete, the target and the number of new devices
// that are done follow.
const settingFilled = "bench.filled"

type filled struct{ devices, target, done int }

func (s filled) put(tx *record.Tx) error {
	text := fmt.Append(nil, s.devices)
	if s.target > 0 {
		text = fmt.Append(nil, s.devices, s.target, s.done)
	}
	return tx.PutSetting(settingFilled, text)
}

func (f *Filler) filled(ctx context.Context) (s filled, err error) {
	err = f.cfg.Records.View(ctx, func(tx *record.Tx) error {
		text, err := tx.MaybeSetting(settingFilled)
		if err != nil {
			return err
		}
		if text == nil {
			return ErrNotFilled
		}
		if n, err := fmt.Sscan(string(text), &s.devices, &s.target, &s.done); n != 1 && err != nil {
			return fmt.Errorf("reading the setting %s: %w", settingFilled, err)
		}
		return nil
	})
	return s, err
}

// ErrNotFilled is returned for a store that contains other records.
var ErrNotFilled = errors.New("this database was not made by strongroom bench and is left alone; name a directory that does not exist yet")

// Filled returns how many devices Fill made, or [ErrNotFilled].
func (f *Filler) Filled(ctx context.Context) (devices int, err error) {
	s, err := f.filled(ctx)
	return s.devices, err
}

// The number of devices or entries, and of minutes of operations, that one transaction
// writes. With large transactions, a fill waits for the disk less often. A batch of
// devices is smaller, because for each attempt counter a transaction searches everything
// that it has read.
const deviceBatch, entryBatch, fillMinutes = 4000, 20_000, 50

// fillSpread is how many devices have synthetic entries and operations.
const fillSpread = 5000

// Fill fills the store of a benchmark. Its records differ from those of clients in
// two ways, which save time: all devices share one key pair, and all credentials
// of a type share one salt. Each row is sealed for its own place, and has its MAC
// and its entry in the trail. progress is called from time to time.
func (f *Filler) Fill(ctx context.Context, want Amounts, progress func(what string, done, of int64)) error {
	have, err := f.begin(ctx, want)
	if err != nil {
		return err
	}
	if have.target > 0 && have.target != want.Devices {
		return fmt.Errorf("an earlier fill to %d devices was interrupted; run bench fill again with --devices %d first", have.target, have.target)
	}
	if have.devices < want.Devices {
		have.target = want.Devices
		if err := f.fillTo(ctx, have, progress); err != nil {
			return fmt.Errorf("filling devices: %w", err)
		}
	}
	if err := f.fillEntries(ctx, want.Entries, progress); err != nil {
		return fmt.Errorf("filling the audit trail: %w", err)
	}
	if err := f.fillOperations(ctx, want.Operations, progress); err != nil {
		return fmt.Errorf("filling roll-ups: %w", err)
	}
	return nil
}

// fillTo starts or continues a fill. It adds devices in the order of their account ids, which
// is the order of the tables. In another order, each device would write a page of every
// table and index.
func (f *Filler) fillTo(ctx context.Context, have filled, progress func(what string, done, of int64)) error {
	order := f.order(have.devices+1, have.target)
	exists := min(have.devices, 1)
	if have.done > 0 {
		exists = int(order[0].device)
	}
	mould, err := f.newMould(ctx, exists)
	if err != nil {
		return err
	}
	defer mould.pair.Private.Wipe()
	for have.done < len(order) {
		progress("devices", int64(have.devices+have.done), int64(have.target))
		batch := order[have.done:min(have.done+deviceBatch, len(order))]
		have.done += len(batch)
		now := have
		if have.done == len(order) {
			now = filled{devices: have.target}
		}
		if err := f.fillDevices(ctx, mould, batch, now); err != nil {
			return err
		}
	}
	progress("devices", int64(have.target), int64(have.target))
	return nil
}

// ordered is a device and the beginning of its account's id.
type ordered struct {
	account [8]byte
	device  uint32
}

// order returns the devices with these numbers in the order of their accounts' ids.
func (f *Filler) order(from, to int) []ordered {
	all := make([]ordered, 0, to-from+1)
	for n := from; n <= to; n++ {
		all = append(all, ordered{[8]byte([]byte(f.cfg.Records.AccountID(f.account(Device(n))))), uint32(n)}) //nolint:gosec // G115: at most 100 million
	}
	slices.SortFunc(all, func(a, b ordered) int {
		return cmp.Or(bytes.Compare(a.account[:], b.account[:]), cmp.Compare(a.device, b.device))
	})
	return all
}

// begin checks that the store is marked, and marks a new store.
func (f *Filler) begin(ctx context.Context, want Amounts) (have filled, err error) {
	have, err = f.filled(ctx)
	if !errors.Is(err, ErrNotFilled) || !want.New {
		return have, err
	}
	return filled{}, f.cfg.Records.Update(ctx, record.System, func(tx *record.Tx) error {
		entries, chains, err := trailLength(tx)
		if err != nil {
			return err
		}
		if entries != chains {
			return ErrNotFilled // the trail contains more than the beginnings of its chains
		}
		return filled{}.put(tx)
	})
}

// trailLength returns how many entries and how many chains the trail has.
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

// mould has what all synthetic devices share.
type mould struct {
	pair      keypool.Pair
	verifiers map[domain.CredentialType][]byte
}

// newMould returns a mould with the key pair of the device with the number exists, or
// with a new key pair if that is 0.
func (f *Filler) newMould(ctx context.Context, exists int) (m mould, err error) {
	m.verifiers = map[domain.CredentialType][]byte{}
	for t, secret := range map[domain.CredentialType]string{domain.Passcode: Passcode, domain.TransactionPIN: PIN} {
		if m.verifiers[t], err = f.fillHash(ctx, domain.Secret(secret)); err != nil {
			return m, err
		}
	}
	if exists == 0 {
		m.pair, err = f.cfg.KeyPool.MakeOf(ctx, f.cfg.Algorithm)
		return m, err
	}
	err = f.cfg.Records.View(ctx, func(tx *record.Tx) error {
		k, err := f.activeKey(tx, exists)
		if err == nil && k.Algorithm != string(f.cfg.Algorithm) {
			err = fmt.Errorf("the devices in this database have keys of %s: set --key-algorithm %s", k.Algorithm, k.Algorithm)
		}
		if err == nil && f.cfg.Algorithm == devicekey.RSAOAEP256 && k.Bits != f.cfg.KeyBits {
			err = fmt.Errorf("the devices in this database have RSA-%d keys: set --rsa-bits %d", k.Bits, k.Bits)
		}
		if err == nil {
			m.pair = keypool.Pair{Algorithm: f.cfg.Algorithm, Bits: k.Bits, Public: k.PublicKey}
			m.pair.Private, err = f.cfg.Records.OpenKey(k)
		}
		return err
	})
	return m, err
}

func (f *Filler) fillHash(ctx context.Context, secret domain.Secret) (encoded []byte, err error) {
	ticket, err := f.cfg.Workers.Enter([16]byte{})
	if err != nil {
		return nil, err
	}
	defer ticket.Leave()
	refused := ticket.First(ctx, func(m *argon2.Matrix) { encoded, err = verifier.New(m, secret, f.cfg.Verifier) })
	return encoded, cmp.Or(refused, err)
}

// device is one synthetic device and its operations.
type device struct {
	account string
	key     domain.DeviceKey
	by      operation
}

// operation is a synthetic operation of a device.
type operation struct {
	start           time.Time
	requestID       string
	account, device []byte       // keyed hashes
	about           domain.About // account and device in plaintext
}

// entry is the audit entry of an operation.
func (o operation) entry(name domain.Operation, event domain.Event, now time.Time) domain.Entry {
	return domain.Entry{RequestID: o.requestID, Actor: "caller", Event: event, Outcome: "ok", Account: o.account, Device: o.device, About: o.about,
		Operation: name, Duration: now.Sub(o.start)}
}

// account is the name of a device's account. It has a subject only in device
// mode.
func (f *Filler) account(deviceID string) domain.Account {
	if f.cfg.Mode == domain.ModeDevice {
		return domain.Account{Mode: f.cfg.Mode, Subject: deviceID}
	}
	return domain.Account{Mode: f.cfg.Mode}
}

func (f *Filler) operation(deviceID string) operation {
	name := f.account(deviceID)
	o := operation{start: f.cfg.Now().Add(-filledTook(1)), requestID: domain.NewRequestID(f.cfg.Now())}
	o.account, o.device = f.cfg.Records.Hashes(name, deviceID)
	o.about.Account, o.about.DeviceID = name, deviceID
	return o
}

// activeKey returns the usable key of the nth device, or store.ErrNotFound.
func (f *Filler) activeKey(tx *record.Tx, n int) (domain.DeviceKey, error) {
	k, err := tx.ActiveKey(f.cfg.Records.AccountID(f.account(Device(n))), Device(n))
	if err == nil && !k.Usable(domain.ForSet, tx.Now()) {
		err = store.ErrNotFound
	}
	return k, err
}

// fillDevices writes what a client's first key, its first credentials and an attempt
// leave in the store, and records the progress. It writes a batch table by table, in the
// order of the table's key.
func (f *Filler) fillDevices(ctx context.Context, m mould, numbers []ordered, now filled) error {
	batch := make([]device, 0, len(numbers))
	for _, o := range numbers {
		n := int(o.device)
		d := device{by: f.operation(Device(n))}
		d.account = f.cfg.Records.AccountID(d.by.about.Account)
		var err error
		if d.key, err = f.newKey(d.account, Device(n), m.pair); err != nil {
			return err
		}
		batch = append(batch, d)
	}
	slices.SortFunc(batch, func(a, b device) int { return strings.Compare(a.account, b.account) })
	return f.cfg.Records.Update(ctx, record.System, func(tx *record.Tx) error {
		for _, write := range []func(device) error{
			func(d device) error {
				_, err := tx.EnsureAccount(d.by.about.Account)
				return err
			},
			func(d device) error {
				return tx.AddKey(d.by.entry(domain.OpGenerateKey, domain.EventKeyIssued, f.cfg.Now()), d.key)
			},
			func(d device) error {
				return each(domain.CredentialTypes, func(t domain.CredentialType) error {
					return tx.PutCredential(d.by.entry(sets[t], domain.EventCredentialSet, f.cfg.Now()), d.key, t, domain.Credential{}, m.verifiers[t], false, 0)
				})
			},
			func(d device) error {
				return each(domain.CredentialTypes, func(t domain.CredentialType) error {
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
		if err := f.appendAndFold(tx); err != nil {
			return err
		}
		return now.put(tx)
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

// appendAndFold appends entries and folds them into the roll-ups. Otherwise the
// first start would fold millions of entries in one transaction.
func (f *Filler) appendAndFold(tx *record.Tx, entries ...domain.Entry) error {
	tx.Enter(entries...)
	if err := tx.Write(); err != nil {
		return err
	}
	return f.cfg.Rollup.Take().Write(tx)
}

// fillEntries appends entries of successful verifications, spread over attempt counters.
func (f *Filler) fillEntries(ctx context.Context, want int64, progress func(string, int64, int64)) error {
	var verified []domain.Entry // one for each of the first devices
	var have int64
	err := f.cfg.Records.View(ctx, func(tx *record.Tx) (err error) {
		if have, _, err = trailLength(tx); err != nil || have >= want {
			return err
		}
		verified, err = f.verifiedEntries(tx)
		return err
	})
	if err != nil || have >= want {
		return err
	}
	if len(verified) == 0 {
		return errors.New("there are no devices for the entries; give --devices too")
	}
	for have < want {
		progress("audit entries", have, want)
		entries := make([]domain.Entry, min(entryBatch, want-have))
		for i := range entries {
			entries[i] = verified[(have+int64(i))%int64(len(verified))]
			entries[i].Duration = filledTook(have + int64(i))
		}
		if err := f.cfg.Records.Update(ctx, record.System, func(tx *record.Tx) error { return f.appendAndFold(tx, entries...) }); err != nil {
			return err
		}
		have += int64(len(entries))
	}
	progress("audit entries", have, want)
	return nil
}

// verifiedEntries returns, for each of the first devices, the entry of a successful
// verification of its PIN.
func (f *Filler) verifiedEntries(tx *record.Tx) ([]domain.Entry, error) {
	var entries []domain.Entry
	for n := 1; n <= fillSpread; n++ {
		k, err := f.activeKey(tx, n)
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
		e := f.operation(Device(n)).entry(domain.OpVerifyPIN, domain.EventCredentialVerified, f.cfg.Now())
		e.KeyID = k.ID
		entries = append(entries, counter.Unchanged(e))
	}
	return entries, nil
}

// fillOperations adds past operations to the roll-ups: in every minute of the time
// that is stored by the minute, in one minute of every hour that is stored by the
// hour, and in one minute of every day of three years.
func (f *Filler) fillOperations(ctx context.Context, want int64, progress func(string, int64, int64)) error {
	if want <= 0 {
		return nil
	}
	devices := make([][]byte, fillSpread)
	for i := range devices {
		_, devices[i] = f.cfg.Records.Hashes(f.account(Device(i+1)), Device(i+1))
	}
	minutes := pastMinutes(f.cfg.Now())
	var done int64
	for i, minute := range minutes {
		for upTo := want * int64(i+1) / int64(len(minutes)); done < upTo; done++ {
			f.cfg.Rollup.Add(minute, devices[done%fillSpread], done%100 == 0, filledTook(done))
		}
		if i%fillMinutes == 0 || i == len(minutes)-1 {
			progress("operations", done, want)
			batch := f.cfg.Rollup.Take()
			if err := f.cfg.Records.Update(ctx, record.System, func(tx *record.Tx) error { return batch.Write(tx) }); err != nil {
				return err
			}
		}
	}
	return f.cfg.Records.Update(ctx, record.System, func(tx *record.Tx) error { return metrics.Prune(tx, tx.Now()) })
}

// filledTook is the duration of a synthetic operation: about 5 ms, and several
// times as long for one in 40.
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
