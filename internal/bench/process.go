package bench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// usage is a process's use of CPU and memory, as /proc shows it.
type usage struct {
	known bool          // false without /proc
	cpu   time.Duration // of all threads, user and system
	rss   int64         // bytes resident now
	peak  int64         // maximum of rss since the start
}

// ticks is the number of clock ticks per second in /proc: the same on every
// architecture that Go supports.
const ticks = 100

func usageOf(pid int) usage {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	status, err2 := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	// The fields after the program's name, which may contain any characters: proc(5).
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	if errors.Join(err, err2) != nil || len(fields) < 13 {
		return usage{}
	}
	user, err := strconv.ParseInt(fields[11], 10, 64)
	system, err2 := strconv.ParseInt(fields[12], 10, 64)
	return usage{
		known: errors.Join(err, err2) == nil,
		cpu:   time.Duration(user+system) * (time.Second / ticks),
		rss:   statusLine(status, "VmRSS"), peak: statusLine(status, "VmHWM"),
	}
}

func statusLine(status []byte, name string) int64 {
	for line := range strings.Lines(string(status)) {
		var kib int64
		if rest, ok := strings.CutPrefix(line, name+":"); ok {
			if _, err := fmt.Sscanf(rest, "%d kB", &kib); err == nil {
				return kib << 10
			}
		}
	}
	return 0
}

// child is a process that bench started.
type child struct {
	cmd     *exec.Cmd
	exited  chan struct{}
	address string
	log     string        // file of its standard error
	took    time.Duration // from the start until it was ready
}

// startChild starts this program with arguments that make it listen at a free address,
// and returns when GET of the path ready is answered with 200 there. The process gets no
// settings from the environment: one of them may name a real database.
func startChild(ctx context.Context, executable, logFile, ready string, args func(address string) []string) (*child, error) {
	address, err := freeAddress()
	if err != nil {
		return nil, err
	}
	log, err := os.Create(logFile) //nolint:gosec // in a directory of our own
	if err != nil {
		return nil, err
	}
	defer log.Close()
	c := &child{address: address, log: logFile, exited: make(chan struct{}),
		cmd: exec.Command(executable, args(address)...)} //nolint:gosec // ourselves
	c.cmd.Env = withoutSettings(os.Environ())
	c.cmd.Stderr = log
	started := time.Now()
	if err := c.cmd.Start(); err != nil {
		return nil, err
	}
	go func() { _ = c.cmd.Wait(); close(c.exited) }() // its log says how it ended
	if err := c.await(ctx, ready); err != nil {
		_ = c.stop()
		return nil, err
	}
	c.took = time.Since(started)
	return c, nil
}

// freeAddress returns an address that nothing listens on. Its port is not one of those
// that the system gives to connections and to other servers: on a busy machine, one of
// them would take the port before the child listens.
func freeAddress() (address string, err error) {
	for range 100 {
		address = fmt.Sprintf("127.0.0.1:%d", 20_000+random(10_000))
		var l net.Listener
		if l, err = net.Listen("tcp", address); err == nil {
			return address, l.Close()
		}
	}
	return "", err
}

func withoutSettings(environ []string) []string {
	var kept []string
	for _, v := range environ {
		if !strings.HasPrefix(v, "STRONGROOM_") {
			kept = append(kept, v)
		}
	}
	return kept
}

// startTimeout is for a start on a large database of an older version.
const startTimeout = 10 * time.Minute

// await asks every millisecond, so that the duration of the start is exact to a
// millisecond.
func (c *child) await(ctx context.Context, ready string) error {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	for {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+c.address+ready, nil)
		if err != nil {
			return err
		}
		if res, err := client.Do(req); err == nil {
			_ = res.Body.Close() // only the status is of interest
			if res.StatusCode == http.StatusOK {
				return nil
			}
		}
		select {
		case <-c.exited:
			text, _ := os.ReadFile(c.log) // if this fails, there is no reason to print
			return fmt.Errorf("%s did not start:\n%s", filepath.Base(c.cmd.Path), text)
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Millisecond):
		}
	}
}

func (c *child) pid() int { return c.cmd.Process.Pid }

// stop ends the process with SIGTERM, and kills it if it has not ended after 30 s.
func (c *child) stop() error {
	_ = c.cmd.Process.Signal(syscall.SIGTERM) // it may have ended already
	select {
	case <-c.exited:
		return nil
	case <-time.After(30 * time.Second):
	}
	_ = c.cmd.Process.Kill() // as above
	<-c.exited
	return errors.New("the server did not end within 30 s and was killed")
}
