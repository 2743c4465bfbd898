package sqlite

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"strongroom/internal/domain"
	"strongroom/internal/store"
)

// vaultRows are the rows of many accounts, with values that can be found again.
type vaultRows struct {
	t        *testing.T
	s        *Store
	keys     []domain.DeviceKey
	secrets  []domain.Credential
	previous [][]canary // of each account, the oldest first
	removed  []canary
}

// each changes all accounts, 16 in a transaction, in an order that differs from the
// index's.
func (v *vaultRows) each(order []int, fn func(tx store.Tx, i int) error) {
	v.t.Helper()
	for some := range slices.Chunk(order, 16) {
		err := v.s.Update(context.Background(), func(tx store.Tx) error {
			for _, i := range some {
				if err := fn(tx, i); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			v.t.Fatal(err)
		}
	}
}

func (v *vaultRows) add(tx store.Tx, i int) error {
	v.keys[i] = domain.DeviceKey{ID: fmt.Sprintf("key%023d", i), AccountID: fmt.Sprintf("account%057d", i), State: domain.KeyActive,
		Version: 1, PublicKey: make([]byte, 294), Sealed: newCanary(1250)}
	v.secrets[i] = domain.Credential{ID: fmt.Sprintf("credential%016d", i), AccountID: v.keys[i].AccountID, Type: domain.Passcode,
		Version: 1, Sealed: newCanary(120)}
	return errors.Join(tx.InsertKey(v.keys[i]), tx.PutCredential(v.secrets[i], v.keys[i].ID))
}

func (v *vaultRows) replace(tx store.Tx, i int) error {
	const keep = 3
	c := &v.secrets[i]
	v.removed = append(v.removed, c.Sealed)
	old := *c
	old.Sealed = newCanary(120) // the credential history has its own sealed value
	if v.previous[i] = append(v.previous[i], old.Sealed); len(v.previous[i]) > keep {
		v.removed, v.previous[i] = append(v.removed, v.previous[i][0]), v.previous[i][1:]
	}
	c.Version, c.Sealed = c.Version+1, newCanary(120)
	return errors.Join(tx.KeepPrevious(old, keep), tx.PutCredential(*c, v.keys[i].ID))
}

func (v *vaultRows) erase(tx store.Tx, i int) error {
	k := &v.keys[i]
	v.removed = append(append(v.removed, k.Sealed, v.secrets[i].Sealed), v.previous[i]...)
	k.Version, k.Sealed = k.Version+1, nil
	return errors.Join(tx.UpdateKey(*k), tx.DeleteCredential(k.AccountID, domain.Passcode), tx.DeletePrevious(k.AccountID, domain.Passcode))
}

func TestRowsThatSQLiteMovesLeaveNoCopies(t *testing.T) {
	if testing.Short() {
		t.Skip("nothing in it is parallel")
	}
	const accounts = 1000
	ctx := context.Background()
	path := newPath(t)
	random := rand.New(rand.NewPCG(1, 1))
	v := &vaultRows{t: t, s: migrated(t, path), keys: make([]domain.DeviceKey, accounts),
		secrets: make([]domain.Credential, accounts), previous: make([][]canary, accounts)}

	setWriter(t, v.s, "PRAGMA cache_size = -65536") // the cache keeps all pages

	v.each(random.Perm(accounts), v.add)
	for range 5 {
		v.each(random.Perm(accounts), v.replace)
	}
	v.each(random.Perm(accounts)[:accounts/2], v.erase)

	if err := v.s.Scrub(ctx); err != nil {
		t.Fatal(err)
	}
	v.check("after the scrub", path, path+"-wal")
	checkGaps(t, path)

	run(t, v.s, "UPDATE credential SET updated_at = updated_at + 1", "UPDATE credential_previous SET updated_at = updated_at + 1",
		"UPDATE device_key SET created_at = created_at + 1")
	v.check("after other writes to the same pages", path, path+"-wal")

	snapshot, copied := newPath(t), newPath(t)
	if err := errors.Join(v.s.SnapshotTo(ctx, snapshot), v.s.Close(), copyAll(ctx, path, copied)); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{path, snapshot, copied} {
		checkGaps(t, file)
		if _, err := CheckFile(ctx, file); err != nil {
			t.Error(err)
		}
	}
}

// check checks that no removed value is in the files.
func (v *vaultRows) check(when string, files ...string) {
	v.t.Helper()
	const size = 26 // of the part that a canary repeats
	removed := map[string]bool{}
	for _, c := range v.removed {
		removed[string(c[:size])] = true
	}
	for _, file := range files {
		found := map[string]bool{}
		content := must(os.ReadFile(file))
		for i := range max(0, len(content)-size) {
			if part := content[i : i+size]; removed[string(part)] {
				found[string(part)] = true
			}
		}
		if len(found) > 0 {
			v.t.Errorf("%s: %d of %d removed values are in %s", when, len(found), len(removed), file)
		}
	}
}

func copyAll(ctx context.Context, from, to string) error {
	source, err := OpenSource(ctx, from)
	if err != nil {
		return err
	}
	target, err := CreateTarget(ctx, to)
	if err != nil {
		return errors.Join(err, source.Close())
	}
	for _, table := range store.Tables {
		err = errors.Join(err, source.EachRow(ctx, table, nil, func(r store.Row) error { return target.Add(table, r) }))
	}
	return errors.Join(err, source.Close(), target.Close())
}

// pageSize is the page size of a new database, in bytes.
const pageSize = 2048

// checkGaps checks that the gaps of all pages contain only zeros.
func checkGaps(t *testing.T, path string) {
	t.Helper()
	content := must(os.ReadFile(path))
	room, left := 0, 0
	for offset := 0; offset < len(content); offset += pageSize {
		g := gap(content[offset:offset+pageSize], int64(offset))
		room += len(g)
		if len(bytes.Trim(g, "\x00")) > 0 {
			left++
		}
	}
	if left > 0 || room == 0 {
		t.Errorf("%d pages of %s have bytes other than zero in their gaps; all gaps together have %d bytes", left, path, room)
	}
}

// Clearing gaps would damage such a file. The remedy also repairs a damaged one.
func TestAFileWithAutoVacuumIsRefusedUntilItIsOff(t *testing.T) {
	path := newPath(t)
	vacuum := func(mode string) (*Store, error) {
		t.Helper()
		c := must(openConn(path, []string{"auto_vacuum = " + mode}))
		_, err := c.exec("VACUUM")
		if err := errors.Join(err, c.close()); err != nil {
			t.Fatal(err)
		}
		return Open(t.Context(), Config{Path: path})
	}
	fill := func(s *Store) error {
		err := s.Update(t.Context(), func(tx store.Tx) (err error) {
			for i := range 5000 {
				err = errors.Join(err, tx.PutSetting(fmt.Sprint(i), newCanary(300)))
			}
			return err
		})
		err = errors.Join(err, s.Close())
		_, damage := CheckFile(t.Context(), path)
		return errors.Join(err, damage)
	}
	if err := fill(migrated(t, path)); err != nil {
		t.Fatal(err)
	}
	for _, mode := range []string{"FULL", "INCREMENTAL"} {
		s, err := vacuum(mode)
		if err == nil {
			t.Fatalf("a file with auto_vacuum = %s was opened; a write to it ends with: %v", mode, fill(s))
		}
		wantError(t, err, "auto_vacuum")
	}
	s, err := vacuum("NONE")
	if err != nil {
		t.Fatal(err)
	}
	if err := fill(s); err != nil {
		t.Error(err)
	}
}

func TestGap(t *testing.T) {
	page := func(size, begin int, header ...byte) []byte {
		p := make([]byte, size)
		copy(p[begin:], header)
		return p
	}
	for _, test := range []struct {
		name       string
		page       []byte
		offset     int64
		begin, end int
	}{
		{"a leaf of a table", page(4096, 0, 13, 0, 0, 0, 3, 0x0f, 0), 4096, 14, 3840},
		{"a leaf of an index", page(4096, 0, 10, 0, 0, 1, 0, 0x0f, 0), 4096, 520, 3840},
		{"an interior page of a table", page(4096, 0, 5, 0, 0, 0, 3, 0x0f, 0), 4096, 18, 3840},
		{"an interior page of an index", page(4096, 0, 2, 0, 0, 0, 3, 0x0f, 0), 4096, 18, 3840},
		{"the first page", page(4096, 100, 13, 0, 0, 0, 3, 0x0f, 0), 0, 114, 3840},
		{"an empty page of 64 KiB", page(65536, 0, 13), 65536, 8, 65536},
		{"a full page", page(4096, 0, 13, 0, 0, 0, 3, 0, 14), 4096, 0, 0},
		{"an overflow page", page(4096, 0, 0, 13, 0, 0, 3, 0x0f, 0), 4096, 0, 0},
		{"a first page without a header", page(4096, 0, 13, 0, 0, 0, 3, 0x0f, 0), 0, 0, 0},
		{"cells past the end", page(4096, 0, 13, 0, 0, 0, 3, 0x10, 1), 4096, 0, 0},
		{"more pointers than room", page(4096, 0, 13, 0, 0, 0xff, 0xff, 0x0f, 0), 4096, 0, 0},
		{"a byte", []byte{13}, 4096, 0, 0},
	} {
		want := bytes.Clone(test.page)
		for i := test.begin; i < test.end; i++ {
			want[i] = 0xff
		}
		g := gap(test.page, test.offset)
		for i := range g {
			g[i] = 0xff
		}
		if !bytes.Equal(test.page, want) {
			t.Errorf("%s: the gap is not the bytes from %d to %d", test.name, test.begin, test.end)
		}
	}
}
