package service

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"testing"

	"strongroom/internal/audit"
	"strongroom/internal/domain"
)

// backedUp is the service on a copy of its database, which is restored later.
func (v *instance) backedUp() *instance {
	v.t.Helper()
	path := filepath.Join(v.t.TempDir(), "backup.db")
	v.insider().rows("VACUUM INTO '" + path + "'")
	content, err := os.ReadFile(path)
	if err != nil {
		v.t.Fatal(err)
	}
	w := *v
	w.log, w.database = &bytes.Buffer{}, sqliteDatabase(v.t, content)
	return &w
}

// trailFile is an export of the trail.
func (v *instance) trailFile() io.Reader {
	v.t.Helper()
	var out bytes.Buffer
	to, err := audit.OpenExport(filepath.Join(v.t.TempDir(), "state"), "", &out)
	if err == nil {
		err = v.ExportTrail(v.ctx, to, false)
	}
	if err != nil {
		v.t.Fatal(err)
	}
	return &out
}

// The backup has the private key of a signing key that was replaced and erased since, and
// not its successor. After a restore the old one is erased, and a new one signs.
func TestARestoreErasesTheSigningKeysThatWereErased(t *testing.T) {
	v := openSigning(t)
	backup, first := v.backedUp(), v.signs()
	v.clock.Advance(83 * day)
	v.tend()
	v.clock.Advance(7 * day)
	v.tend()
	same(v, "erased", v.events()[domain.EventSigningErased], 1)

	backup.open()
	t.Cleanup(func() { backup.store.Close() })
	is, err := backup.Replay(backup.ctx, []io.Reader{v.trailFile()}, domain.Act{Reason: "drill"})
	if err != nil {
		t.Fatal(err)
	}
	same(backup, "erased again", is.SigningErased, 1)
	backup.tend()
	if backup.signs() == first {
		t.Error("the signing key that was erased signs again")
	}
	rows := backup.insider().rows("SELECT sealed FROM signing_key ORDER BY number")
	if old, next := rows[0]["sealed"].([]byte), rows[1]["sealed"].([]byte); len(old) > 0 || len(next) == 0 {
		t.Errorf("private keys of %d and %d bytes: want the first erased", len(old), len(next))
	}
	backup.intact()
}
