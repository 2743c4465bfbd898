package sqlite

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"errors"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/store"
	"strongroom/internal/store/storetest"
)

// Devices of the benchmarks: more than the caches hold.
const benchDevices = 5000

// Sizes of what is stored of a device with a key of 3072 bits.
const (
	sealedKeyBytes      = 450
	sealedVerifierBytes = 150
	digestBytes         = 32
)

func random(n int) []byte {
	b := make([]byte, n)
	rand.Read(b)
	return b
}

// publicKey returns a random RSA public key. No private key belongs to it.
func publicKey() []byte {
	n := random(3072 / 8)
	n[0] |= 0x80
	der, err := x509.MarshalPKIXPublicKey(&rsa.PublicKey{N: new(big.Int).SetBytes(n), E: 65537})
	if err != nil {
		panic(err)
	}
	return der
}

// filled returns a store of n devices, each with a key, a passcode, a PIN, a
// attempt counter for each, and the five audit entries about them.
func filled(b *testing.B, n int) (*Store, []domain.DeviceKey) {
	b.Helper()
	s := migrated(b, newPath(b))
	keys := make([]domain.DeviceKey, n)
	for chunk := range slices.Chunk(keys, 500) {
		err := s.Update(context.Background(), func(tx store.Tx) error {
			for i := range chunk {
				if err := addDevice(tx, &chunk[i]); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			b.Fatal(err)
		}
	}
	if err := s.Scrub(context.Background()); err != nil {
		b.Fatal(err)
	}
	return s, keys
}

func addDevice(tx store.Tx, k *domain.DeviceKey) error {
	now, device := tx.Now(), fmt.Sprintf("%x-%x-4%x-%x", random(4), random(2), random(3), random(7))
	account := domain.Account{ID: domain.NewID(), Mode: domain.ModeDevice, Subject: device, CreatedAt: now}
	*k = domain.DeviceKey{ID: domain.NewID(), AccountID: account.ID, DeviceID: device, Algorithm: "RSA-OAEP-256",
		Bits: 3072, PublicKey: publicKey(), Sealed: random(sealedKeyBytes), AppVersion: "1.2.3",
		State: domain.KeyActive, Version: 1, CreatedAt: now, MAC: random(digestBytes)}
	if err := tx.InsertAccount(account); err != nil {
		return err
	}
	if err := tx.InsertKey(*k); err != nil {
		return err
	}
	if err := addEntry(tx, *k, domain.EventKeyIssued, domain.RecordKey+"/"+k.ID); err != nil {
		return err
	}
	for _, t := range []domain.CredentialType{domain.Passcode, domain.TransactionPIN} {
		c := domain.Credential{ID: domain.NewID(), AccountID: account.ID, Type: t, Sealed: random(sealedVerifierBytes),
			Version: 1, CreatedAt: now, UpdatedAt: now}
		if err := tx.PutCredential(c, k.ID); err != nil {
			return err
		}
		if err := addEntry(tx, *k, domain.EventCredentialSet, domain.RecordCredential+"/"+c.ID); err != nil {
			return err
		}
		a := domain.Attempts{ID: domain.NewID(), AccountID: account.ID, Type: t, Version: 1, MAC: random(digestBytes)}
		if err := tx.WriteBatch(store.Batch{Attempts: []domain.Attempts{a}}); err != nil {
			return err
		}
		if err := addEntry(tx, *k, domain.EventCredentialVerified, domain.RecordAttempts+"/"+a.ID); err != nil {
			return err
		}
	}
	return nil
}

const benchChain = "aaaaaaaaaaaaaaaaaaaaaaaaaa"

func addEntry(tx store.Tx, k domain.DeviceKey, event domain.Event, record string) error {
	head, err := tx.LastEntry(benchChain)
	if err != nil && head.Seq > 0 {
		return err
	}
	return tx.InsertEntry(domain.Entry{Chain: benchChain, Seq: head.Seq + 1, Time: tx.Now(), RequestID: k.ID, Actor: "caller",
		Event: event, Outcome: "ok", Operation: domain.OpVerifyPasscode, Count: 1, Duration: 5 * time.Millisecond, KeyID: k.ID,
		Account: random(16), Device: random(16), Record: record, Version: 1, Before: random(digestBytes),
		Digest: random(digestBytes), Prev: head.Hash, Hash: random(digestBytes)})
}

// reserve is what the first transaction of a verify asks of the store.
func reserve(k domain.DeviceKey) func(store.Tx) error {
	return func(tx store.Tx) error {
		a, err := guarded(tx, k)
		if err != nil {
			return err
		}
		a.Pending = []domain.PendingAttempt{{ID: domain.NewID(), Lease: tx.Now().Add(30 * time.Second)}}
		return tx.ReserveAttempt(a, k.ID)
	}
}

// settle is what its second transaction asks.
func settle(k domain.DeviceKey) func(store.Tx) error {
	return func(tx store.Tx) error {
		a, err := guarded(tx, k)
		if err != nil {
			return err
		}
		a.Pending = nil
		if err := tx.WriteBatch(store.Batch{Attempts: []domain.Attempts{a}}); err != nil {
			return err
		}
		return addEntry(tx, k, domain.EventCredentialVerified, domain.RecordAttempts+"/"+a.ID)
	}
}

func guarded(tx store.Tx, k domain.DeviceKey) (domain.Attempts, error) {
	a, _, err := tx.Guarded(k.AccountID, domain.Passcode)
	if err != nil {
		return domain.Attempts{}, err
	}
	a.Version++
	a.MAC = random(digestBytes) // SQLite writes nothing where nothing changes
	return *a, nil
}

// cpuTime is what the process has used of all cores, in the kernel too.
func cpuTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// each measures one call after another, each about another device.
func each(b *testing.B, keys []domain.DeviceKey, call func(k domain.DeviceKey) error) {
	b.ReportAllocs()
	start, wrote, n := cpuTime(b), written(b), 0
	for b.Loop() {
		n++
		if err := call(keys[n*7919%len(keys)]); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64((cpuTime(b)-start).Nanoseconds())/float64(n), "cpu-ns/op")
	b.ReportMetric(float64(written(b)-wrote)/float64(n), "written-B/op")
}

// written is how many bytes the process has written to files.
func written(b *testing.B) (bytes int64) {
	b.Helper()
	counters, err := os.ReadFile("/proc/self/io")
	if err != nil {
		b.Fatal(err)
	}
	for line := range strings.Lines(string(counters)) {
		if n, ok := strings.CutPrefix(line, "wchar: "); ok {
			if bytes, err = strconv.ParseInt(strings.TrimSpace(n), 10, 64); err != nil {
				b.Fatal(err)
			}
		}
	}
	return bytes
}

// BenchmarkView is reads on a snapshot of their own.
func BenchmarkView(b *testing.B) {
	s, keys := filled(b, benchDevices)
	ctx := context.Background()
	for _, bb := range []struct {
		name string
		read func(store.Tx, domain.DeviceKey) error
	}{
		{"nothing", func(store.Tx, domain.DeviceKey) error { return nil }},
		{"Key", func(tx store.Tx, k domain.DeviceKey) error { _, err := tx.Key(k.ID); return err }},
		{"ActiveKey", func(tx store.Tx, k domain.DeviceKey) error {
			_, err := tx.ActiveKey(k.AccountID, k.DeviceID)
			return err
		}},
	} {
		b.Run(bb.name, func(b *testing.B) {
			each(b, keys, func(k domain.DeviceKey) error {
				return s.View(ctx, func(tx store.Tx) error { return bb.read(tx, k) })
			})
		})
	}
}

// BenchmarkUpdate is durable writes, one at a time, compared with only
// writing and syncing as many bytes.
func BenchmarkUpdate(b *testing.B) {
	s, keys := filled(b, benchDevices)
	ctx := context.Background()
	b.Run("nothing", func(b *testing.B) {
		each(b, keys, func(domain.DeviceKey) error { return s.Update(ctx, func(store.Tx) error { return nil }) })
	})
	b.Run("reserve", func(b *testing.B) {
		each(b, keys, func(k domain.DeviceKey) error { return s.Update(ctx, reserve(k)) })
	})
	b.Run("settle", func(b *testing.B) {
		each(b, keys, func(k domain.DeviceKey) error { return s.Update(ctx, settle(k)) })
	})
	b.Run("verify", func(b *testing.B) {
		each(b, keys, func(k domain.DeviceKey) error {
			return errors.Join(s.Update(ctx, reserve(k)), s.Update(ctx, settle(k)))
		})
	})
	disk := newDisk(b)
	b.Run("disk", func(b *testing.B) {
		each(b, keys, func(domain.DeviceKey) error { return disk.commit() })
	})
}

// disk is a file that is written over and over, as the WAL is.
type disk struct {
	file *os.File
	data []byte
	next int
}

const diskSlots = 300

func newDisk(b *testing.B) *disk {
	b.Helper()
	file, err := os.Create(filepath.Join(b.TempDir(), "log"))
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { file.Close() })
	d := &disk{file: file, data: random(4 * (pageSize + 24))} // four pages, as settle writes
	for range diskSlots {
		if err := d.commit(); err != nil {
			b.Fatal(err)
		}
	}
	return d
}

func (d *disk) commit() error {
	d.next = (d.next + 1) % diskSlots
	if _, err := d.file.WriteAt(d.data, int64(d.next*len(d.data))); err != nil {
		return err
	}
	return syscall.Fdatasync(int(d.file.Fd()))
}

// BenchmarkSharedCommit compares writers that share commits with the same
// writers that get one transaction each, in turns of a few hundred updates.
func BenchmarkSharedCommit(b *testing.B) {
	const writers, each = 32, 8
	s, keys := filled(b, benchDevices)
	ctx := context.Background()
	d := newDisk(b)
	type mode struct {
		most      int
		took, cpu time.Duration
	}
	alone, shared := &mode{most: 1}, &mode{most: maxBatch}
	var commits []time.Duration
	n := 0
	for b.Loop() {
		for _, m := range []*mode{alone, shared} {
			if err := s.writer.alone(ctx, func(*conn) error { s.writer.most = m.most; return nil }); err != nil {
				b.Fatal(err)
			}
			start, used := time.Now(), cpuTime(b)
			var wg sync.WaitGroup
			for w := range writers {
				wg.Go(func() {
					for i := range each {
						if err := s.Update(ctx, settle(keys[(n+i*writers+w)*7919%len(keys)])); err != nil {
							b.Error(err)
						}
					}
				})
			}
			wg.Wait()
			m.took += time.Since(start)
			m.cpu += cpuTime(b) - used
		}
		n += writers * each
		for range 20 {
			start := time.Now()
			if err := d.commit(); err != nil {
				b.Fatal(err)
			}
			commits = append(commits, time.Since(start))
		}
	}
	perUpdate := func(d time.Duration) float64 { return float64(d.Nanoseconds()) / float64(n) }
	slices.Sort(commits)
	transactions, updates := s.Commits()
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(alone.took)/float64(shared.took), "times")
	b.ReportMetric(perUpdate(alone.took), "alone-ns/update")
	b.ReportMetric(perUpdate(shared.took), "shared-ns/update")
	b.ReportMetric(perUpdate(alone.cpu), "alone-cpu-ns/update")
	b.ReportMetric(perUpdate(shared.cpu), "shared-cpu-ns/update")
	b.ReportMetric(float64(commits[len(commits)/2].Nanoseconds()), "disk-ns/commit")
	b.ReportMetric(float64(updates-uint64(n))/float64(transactions-uint64(n)), "updates/commit")
}

// BenchmarkSize is what a device takes up in the file, by table and index.
func BenchmarkSize(b *testing.B) {
	const devices = 20_000
	s, _ := filled(b, devices)
	for b.Loop() {
	}
	db := plainly(b, s.files.path)
	rows, err := db.Query(`SELECT name, sum(pgsize) FROM dbstat GROUP BY name`)
	if err != nil {
		b.Fatal(err)
	}
	total := 0.0
	for rows.Next() {
		var name string
		var bytes float64
		if err := rows.Scan(&name, &bytes); err != nil {
			b.Fatal(err)
		}
		if total += bytes; bytes > devices {
			b.ReportMetric(bytes/devices, name+"-B/device")
		}
	}
	if err := rows.Err(); err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(total/devices, "B/device")
}

// BenchmarkCiphertexts has the size of the file as it is, not after a VACUUM.
func BenchmarkCiphertexts(b *testing.B) {
	s := migrated(b, newPath(b))
	storetest.BenchmarkCiphertexts(b, s, 1000, func() {}, func() int64 { return fileSize(b, s) })
}
