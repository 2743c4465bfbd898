package sqlite

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"testing"

	"strongroom/internal/store"
	"strongroom/internal/store/sqltx"
)

const roleVariable = "STRONGROOM_TEST_ROLE"

// TestMain makes the test binary act as another process of the service if its
// environment says so.
func TestMain(m *testing.M) {
	role := os.Getenv(roleVariable)
	if role == "" {
		os.Exit(m.Run())
	}
	if err := play(role, os.Args[len(os.Args)-1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// play opens the store, migrates it and, in the role of a writer, writes.
func play(role, path string) error {
	ctx := context.Background()
	s, err := Open(ctx, Config{Path: path})
	if err != nil {
		return err
	}
	defer s.Close()
	if err := s.Migrate(ctx); err != nil {
		return err
	}
	if role == "write" {
		for range 20 {
			name := fmt.Sprint("process ", os.Getpid())
			if err := s.Update(ctx, func(tx store.Tx) error { return tx.PutSetting(name, nil) }); err != nil {
				return err
			}
		}
	}
	if err := s.Ping(ctx); err != nil {
		return err
	}
	return s.Close()
}

// process is another process that uses the same file.
type process struct {
	cmd    *exec.Cmd
	output bytes.Buffer
}

func child(t *testing.T, role, path string) *process {
	t.Helper()
	p := &process{cmd: exec.Command(os.Args[0], path)}
	p.cmd.Env = append(os.Environ(), roleVariable+"="+role)
	p.cmd.Stdout, p.cmd.Stderr = &p.output, &p.output
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return p
}

func (p *process) wait(t *testing.T) {
	t.Helper()
	if err := p.cmd.Wait(); err != nil {
		t.Errorf("the other process: %v\n%s", err, &p.output)
	}
}

func TestProcessesThatStartAtOnceMigrateOnce(t *testing.T) {
	for range 3 {
		path := newPath(t)
		var processes []*process
		for range 6 {
			processes = append(processes, child(t, "migrate", path))
		}
		for _, p := range processes {
			p.wait(t)
		}
		wantMigratedOnce(t, path)
	}
}

func TestHandlesThatStartAtOnceMigrateOnce(t *testing.T) {
	path := newPath(t)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if err := play("migrate", path); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	wantMigratedOnce(t, path)
}

func wantMigratedOnce(t *testing.T, path string) {
	t.Helper()
	s := opened(t, path)
	known, err := knownSchema()
	if err != nil {
		t.Fatal(err)
	}
	err = s.view(context.Background(), func(tx *tx) error {
		applied, err := sqltx.One(tx, sqltx.Row.Integer, "SELECT count(*) FROM schema_version WHERE version_id > 0")
		if applied != known {
			t.Errorf("%d migrations were applied, want %d", applied, known)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// A command must get its turn while a server writes without pause.
func TestAnotherProcessCanWriteBesideABusyWriter(t *testing.T) {
	path := newPath(t)
	s := migrated(t, path)
	stop := make(chan struct{})
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			for n := byte(0); ; n++ {
				select {
				case <-stop:
					return
				default:
				}
				err := s.Update(context.Background(), func(tx store.Tx) error {
					return tx.PutSetting(fmt.Sprint("busy", i), []byte{n})
				})
				if err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	child(t, "write", path).wait(t)
	close(stop)
	wg.Wait()
}
