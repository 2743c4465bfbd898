package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// An account is sealed to the key in this file.
func TestAMoveKeyThatOthersCanChangeIsRefused(t *testing.T) {
	file := filepath.Join(t.TempDir(), "target.key")
	if err := os.WriteFile(file, []byte("strongroom-move-1:AAAA\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if text, err := readMoveKey(file); err != nil || string(text) != "strongroom-move-1:AAAA\n" {
		t.Errorf("read %q, %v", text, err)
	}
	if err := os.Chmod(file, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := readMoveKey(file); err == nil || !strings.Contains(err.Error(), "chmod go-w") {
		t.Errorf("got %v", err)
	}
}
