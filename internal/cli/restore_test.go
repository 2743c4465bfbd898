package cli

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// SQLite would roll a journal of another database back into the restored one.
func TestARestoreRefusesEachFileOfAnotherDatabase(t *testing.T) {
	for _, suffix := range []string{"", "-wal", "-shm", "-journal"} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "strongroom.db"+suffix), []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		p := &Program{Stdout: &out, Stderr: &out}
		code := p.Run(t.Context(), []string{"restore", filepath.Join(dir, "no.backup"), "--data-dir", dir, "--reason", "drill"})
		if want := "strongroom.db" + suffix + " exists: restore into a directory without a database"; code != ExitFailed || !strings.Contains(out.String(), want) {
			t.Errorf("exit code %d: %s", code, out.String())
		}
	}
}

// Otherwise the owner of the directory could get any file of the same file system from root.
func TestARestoreGivesAwayOnlyItsOwnFiles(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("SKIPPED: only root can give files away")
	}
	base := t.TempDir()
	dir, secret := filepath.Join(base, "data"), filepath.Join(base, "shadow")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	const service = 4242
	if err := os.Chown(dir, service, service); err != nil {
		t.Fatal(err)
	}
	linked, own, link := filepath.Join(dir, "linked"), filepath.Join(dir, "own"), filepath.Join(dir, "link")
	for _, file := range []string{secret, own} {
		if err := os.WriteFile(file, []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Link(secret, linked); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(secret, link); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]int{own: service, linked: 0, link: 0} {
		err := giveToOwner(dir, path)
		info, statErr := os.Stat(path)
		if statErr != nil {
			t.Fatal(statErr)
		}
		if owner := int(info.Sys().(*syscall.Stat_t).Uid); owner != want || (err == nil) != (want == service) {
			t.Errorf("%s belongs to user %d, %v", path, owner, err)
		}
	}
}
