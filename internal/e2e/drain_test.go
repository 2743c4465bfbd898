package e2e

import (
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// A load balancer that asks for readiness every 100 ms sends requests to one of
// two instances, which is then stopped. None of them may fail.
func TestADrainLosesNoRequestBehindAPollingBalancer(t *testing.T) {
	t.Parallel()
	stopping, other := start(t, "--drain-delay", "2s"), start(t)
	var toOther atomic.Bool
	ended := make(chan struct{})
	var all sync.WaitGroup
	all.Go(func() { // the balancer's look at the instance
		for !toOther.Load() {
			resp, err := client.Get(stopping.base + "/readyz")
			if err == nil {
				_, _ = io.Copy(io.Discard, resp.Body)
				_ = resp.Body.Close()
			}
			toOther.Store(err != nil || resp.StatusCode != http.StatusOK)
			time.Sleep(100 * time.Millisecond)
		}
	})
	var sent, failed, before atomic.Int64
	for range 6 {
		all.Go(func() {
			for {
				select {
				case <-ended:
					return
				default:
				}
				to := stopping
				if toOther.Load() {
					to = other
				} else {
					before.Add(1)
				}
				resp, err := client.Post(to.base+"/graphql", "application/json", strings.NewReader(`{"query":"{__typename}"}`))
				sent.Add(1)
				if err != nil || resp.StatusCode != http.StatusOK {
					failed.Add(1)
				}
				if err == nil {
					_, _ = io.Copy(io.Discard, resp.Body)
					_ = resp.Body.Close()
				}
			}
		})
	}
	for before.Load() < 200 { // the connections are there
		time.Sleep(10 * time.Millisecond)
	}
	_ = stopping.cmd.Process.Signal(syscall.SIGTERM)
	<-stopping.exited
	close(ended)
	all.Wait()
	t.Logf("%d of %d requests failed", failed.Load(), sent.Load())
	if failed.Load() > 0 {
		t.Errorf("%d of %d requests failed", failed.Load(), sent.Load())
	}
	if code := stopping.cmd.ProcessState.ExitCode(); code != 0 {
		t.Errorf("exit code %d", code)
	}
}

// A checkpoint sink that nobody reads any more must not keep the process from ending. The
// write to the pipe cannot be interrupted.
func TestAFullPipeOfCheckpointsDoesNotStopAServerFromEnding(t *testing.T) {
	t.Parallel()
	reader, full, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _, _ = reader.Close(), full.Close() }()
	if err := full.SetWriteDeadline(time.Now().Add(100 * time.Millisecond)); err != nil {
		t.Fatal(err)
	}
	if _, err := full.Write(make([]byte, 16<<20)); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Fatalf("the pipe is not full: %v", err)
	}
	_ = binary(t) // the command below has a minute, and a build can take longer
	i := &instance{t: t, dataDir: filepath.Join(t.TempDir(), "data"), log: &lockedBuffer{}, stdout: full}
	key := filepath.Join(t.TempDir(), "checkpoint.key")
	i.mustRoot(nil, "audit", "checkpoint-key", "create", key)
	i.args = []string{"--checkpoint-key", "file:" + key, "--checkpoint-sink", "stdout", "--checkpoint-interval", "1s"}
	i.run()
	t.Cleanup(i.kill)
	for begun := time.Now(); ; pause() { // until the checkpoint is signed, and then written
		if out, code := i.command("audit", "export"); code == 0 && strings.Contains(out, "audit.checkpoint") {
			break
		}
		if time.Since(begun) > patience {
			t.Fatalf("no checkpoint was signed:\n%s", i.log)
		}
	}
	if k := i.withPIN("phone", "493817"); i.try(verifyPIN, k, "493817") != "true" {
		t.Error("the server does not serve while its sink hangs")
	}
	if code := i.stop(); code != 1 {
		t.Errorf("exit code %d, want 1", code)
	}
	for _, want := range []string{`msg="background work failed" work="writing a checkpoint of the audit trail"`,
		"stopping: background work was cut off: writing a checkpoint of the audit trail"} {
		if !strings.Contains(i.log.String(), want) {
			t.Errorf("the log lacks %q:\n%s", want, i.log)
		}
	}
	i.args, i.stdout = nil, nil
	i.run() // what was in memory was written
	if n := i.summary(24)["totalOperations"]; n != 3 {
		t.Errorf("%v operations were counted, want 3", n)
	}
}
