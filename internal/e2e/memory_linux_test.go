package e2e

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The root key opens everything, and once the keyset is open nothing needs it. So the
// process must not keep it, whether the start creates the key or reads an existing one.
func TestNoCopyOfTheRootKeyStaysInMemory(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("SKIPPED: only root can read the memory of a process that is hardened")
	}
	i := start(t)
	for _, what := range []string{"made", "found"} {
		raw, err := os.ReadFile(filepath.Join(i.dataDir, "root.key"))
		if err != nil {
			t.Fatal(err)
		}
		for form, count := range copiesIn(t, i.cmd.Process.Pid, raw) {
			if count > 0 {
				t.Errorf("a key that was %s: %d copies, %s", what, count, form)
			}
		}
		// The search must work: it finds the name of the data directory.
		if copiesIn(t, i.cmd.Process.Pid, []byte(i.dataDir))["raw"] == 0 {
			t.Error("the search finds nothing at all")
		}
		if what == "made" {
			i.stop()
			i.run()
		}
	}
}

// copiesIn counts a secret in all memory of a process that can be read.
func copiesIn(t *testing.T, pid int, secret []byte) map[string]int {
	t.Helper()
	forms := map[string][]byte{"raw": secret, "hex": []byte(hex.EncodeToString(secret)), "HEX": []byte(strings.ToUpper(hex.EncodeToString(secret)))}
	for before := range 3 { // base64, wherever it begins
		text := base64.RawStdEncoding.EncodeToString(append(make([]byte, before), secret...))
		forms[fmt.Sprintf("base64 %d", before)] = []byte(text[4 : len(text)-4])
	}
	maps, err := os.ReadFile(fmt.Sprintf("/proc/%d/maps", pid))
	if err != nil {
		t.Fatal(err)
	}
	memory, err := os.Open(fmt.Sprintf("/proc/%d/mem", pid))
	if err != nil {
		t.Fatal(err)
	}
	defer memory.Close()
	found := map[string]int{}
	var read int
	for line := range strings.Lines(string(maps)) {
		var from, to int64
		var rights string
		if _, err := fmt.Sscanf(line, "%x-%x %s", &from, &to, &rights); err != nil || rights[0] != 'r' {
			continue
		}
		part := make([]byte, to-from)
		n, err := memory.ReadAt(part, from)
		if err != nil && err != io.EOF && n == 0 {
			continue // such as vvar, which only the kernel reads
		}
		read += n
		for form, needle := range forms {
			found[form] += bytes.Count(part[:n], needle)
		}
	}
	if read < 1<<20 {
		t.Fatalf("only %d bytes could be read", read)
	}
	return found
}
