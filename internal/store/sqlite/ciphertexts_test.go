package sqlite

import (
	"context"
	"crypto/sha256"
	"fmt"
	"testing"

	"strongroom/internal/domain"
	"strongroom/internal/store"
	"strongroom/internal/store/sqltx"
)

func fileSize(t testing.TB, s *Store) (size int64) {
	t.Helper()
	err := s.view(context.Background(), func(tx *tx) (err error) {
		size, err = sqltx.One(tx, sqltx.Row.Integer, "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return size
}

// use notes the ciphertexts with these numbers as used.
func use(t *testing.T, s *Store, account, key string, from, to int) {
	t.Helper()
	err := s.Update(context.Background(), func(tx store.Tx) error {
		for i := from; i < to; i++ {
			if err := tx.NoteCiphertext(account, key, used(i)); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func used(i int) domain.CiphertextDigest {
	sum := sha256.Sum256(fmt.Append(nil, i))
	return domain.CiphertextDigest(sum[:16])
}

func TestAUsedCiphertextTakesAtMost16Bytes(t *testing.T) {
	s := migrated(t, newPath(t))
	const keys, each = 8, 1000
	before := fileSize(t, s)
	for range keys {
		use(t, s, domain.NewID(), domain.NewKeyID("longcell"), 0, each)
	}
	if taken := float64(fileSize(t, s)-before) / (keys * each); taken > 16 {
		t.Errorf("a used ciphertext takes %.1f bytes", taken)
	}
}

// Versions 0.7.0 to 0.19.0 wrote chunks of 512 bytes.
func TestChunksOfEarlierVersionsAreContinued(t *testing.T) {
	s := migrated(t, newPath(t))
	const old, all = 10*64 + 9, 1000
	for i := range old {
		d := used(i)
		run(t, s, fmt.Sprintf(`INSERT INTO ciphertext_chunk VALUES ('default', 'account', 'key', %d, x'%x')
			ON CONFLICT DO UPDATE SET digests = CAST(digests || excluded.digests AS BLOB)`, i/64, d[:8]))
	}
	use(t, s, "account", "key", old, all)
	err := s.Update(context.Background(), func(tx store.Tx) error {
		for i := range all {
			if noted, err := tx.CiphertextNoted("account", "key", used(i)); err != nil || !noted {
				t.Errorf("digest %d: noted %v, %v", i, noted, err)
			}
		}
		if n, err := tx.DeleteCiphertexts("account", "key", 100); err != nil || n != 11+(all-old)/48+1 {
			t.Errorf("%d chunks, %v", n, err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
