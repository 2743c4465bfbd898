package e2e

import (
	"io"
	"net/http"
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
