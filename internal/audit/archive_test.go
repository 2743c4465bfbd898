package audit_test

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"strongroom/internal/audit"
	"strongroom/internal/domain"
)

func read(path string) ([]byte, error) {
	f, err := audit.OpenArchive(context.Background(), path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(f)
}

func TestArchivesAreReadCompressedAndUncompressed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "archive")
	to, err := audit.CreateArchive(path)
	if err != nil {
		t.Fatal(err)
	}
	for seq := range int64(1000) {
		if err := to.Add([]domain.Entry{{Chain: "chain", Seq: seq + 1}}); err != nil {
			t.Fatal(err)
		}
	}
	if err := to.Close(); err != nil {
		t.Fatal(err)
	}
	text, err := read(path)
	if err != nil || bytes.Count(text, []byte("\n")) != 1000 {
		t.Fatalf("%d bytes, %v", len(text), err)
	}
	plain := filepath.Join(t.TempDir(), "of 0.8.0")
	if err := os.WriteFile(plain, text, 0o600); err != nil {
		t.Fatal(err)
	}
	if again, err := read(plain); err != nil || !bytes.Equal(again, text) {
		t.Errorf("uncompressed: %d bytes, %v", len(again), err)
	}
	packed, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for name, file := range map[string][]byte{"cut": packed[:len(packed)-5], "changed": append(bytes.Clone(packed[:len(packed)-1]), packed[len(packed)-1]^1)} {
		if err := os.WriteFile(plain, file, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := read(plain); err == nil || !strings.Contains(err.Error(), plain) { // several archives are read as one stream
			t.Errorf("%s: got the error %v", name, err)
		}
	}
}

// A file can claim to need any amount of memory.
func TestAnArchiveThatNeedsTooMuchMemoryIsRefused(t *testing.T) {
	if testing.Short() {
		t.Skip("it has one goroutine, and takes long under the race detector")
	}
	path := filepath.Join(t.TempDir(), "archive")
	var packed bytes.Buffer
	w, err := zstd.NewWriter(&packed, zstd.WithWindowSize(512<<20), zstd.WithSingleSegment(false))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.CopyN(w, zeros{}, 1<<20); err != nil {
		t.Fatal(err)
	}
	if err := w.Flush(); err != nil { // so that the size is not known before
		t.Fatal(err)
	}
	if _, err := io.CopyN(w, zeros{}, 1<<20); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, packed.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := read(path); err == nil {
		t.Error("a window of 512 MiB was accepted")
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

func TestAnArchiveWithATooLongLineIsNamed(t *testing.T) {
	const most = 64<<10 - 1
	z, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	for length, fails := range map[int]bool{most: false, most + 1: true, 1 << 20: true} {
		text := []byte("{}\n" + strings.Repeat(" ", length) + "\n{}\n")
		for name, file := range map[string][]byte{"plain": text, "compressed": z.EncodeAll(text, nil)} {
			path := filepath.Join(t.TempDir(), "archive")
			if err := os.WriteFile(path, file, 0o600); err != nil {
				t.Fatal(err)
			}
			f, err := audit.OpenArchive(t.Context(), path)
			if err != nil {
				t.Fatal(err)
			}
			var report audit.Report
			err = report.CheckArchive(f, nil)
			if want := path + ": line 2 has 65536 bytes or more"; (err != nil) != fails || fails && !strings.Contains(err.Error(), want) {
				t.Errorf("%s, with a line of %d bytes: %v", name, length, err)
			}
			if want := map[bool]int{false: 3, true: 1}[fails]; len(report.Problems) != want {
				t.Errorf("%s, with a line of %d bytes: found %v", name, length, report.Problems)
			}
			_ = f.Close()
		}
	}
}

// interruptingReader interrupts at its first read, and counts what is read.
type interruptingReader struct {
	io.Reader
	interrupt func()
	read      int
}

func (r *interruptingReader) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	r.read += n
	r.interrupt()
	return n, err
}

// A small archive can expand to lines that take hours to check, so a signal must end it.
func TestAnInterruptionEndsTheReadingOfAnArchive(t *testing.T) {
	const lines = 1 << 18
	text := bytes.Repeat([]byte(`{"chain":"c","seq":1,"time":"2026-03-01T12:00:00.000000Z","hash":""}`+"\n"), lines)
	z, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, file := range map[string][]byte{"plain": text, "compressed": z.EncodeAll(text, nil)} {
		path := filepath.Join(t.TempDir(), "archive")
		if err := os.WriteFile(path, file, 0o600); err != nil {
			t.Fatal(err)
		}
		ctx, interrupt := context.WithCancel(t.Context())
		f, err := audit.OpenArchive(ctx, path)
		if err != nil {
			t.Fatal(err)
		}
		from := &interruptingReader{Reader: f, interrupt: interrupt}
		err = audit.ContinueFrom([]domain.Entry{{Chain: "c", Seq: 1}}, nil).Follow(from, func(domain.Entry) { t.Error("an old entry was accepted") })
		if err == nil || !strings.Contains(err.Error(), "interrupted") || from.read > len(text)/10 {
			t.Errorf("%s: %d of %d bytes were read, %v", name, from.read, len(text), err)
		}
		interrupt()
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
}
