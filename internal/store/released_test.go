package store

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"strings"
	"testing"
)

// A migration that was released is never edited: databases that it made are in
// use. released.sha256 lists them, as sha256sum does.
func TestReleasedMigrationsAreUnchanged(t *testing.T) {
	list, err := os.Open("released.sha256")
	if err != nil {
		t.Fatal(err)
	}
	defer list.Close()
	released := 0
	for lines := bufio.NewScanner(list); lines.Scan(); released++ {
		want, name, _ := strings.Cut(lines.Text(), "  ")
		script, err := os.ReadFile(name)
		if err != nil {
			t.Errorf("%s was released and is gone: %v", name, err)
			continue
		}
		if sum := sha256.Sum256(script); hex.EncodeToString(sum[:]) != want {
			t.Errorf("%s was released and has changed: add a new migration instead", name)
		}
	}
	if released < 28 {
		t.Errorf("%d migrations are listed, and 28 were released with 0.20.0", released)
	}
}
