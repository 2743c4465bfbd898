package bench

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// target prepares the clients of the server at the URL, or starts a server for them.
func (m *measurement) target(ctx context.Context) (stop func() error, err error) {
	m.clients = &clientele{api: dialects[m.cfg.API], algorithm: m.cfg.Cost.Algorithm, pin: m.cfg.PIN, tag: strings.ToLower(rand.Text()[:10]),
		size: m.cfg.Pool, pools: map[Scenario]*pool{}, say: m.say}
	if m.cfg.URL != "" {
		m.pid = m.cfg.PID
		m.clients.to, err = parseURL(m.cfg.URL)
		return func() error { return nil }, err
	}
	m.clients.names, m.clients.named = m.cfg.Name, m.cfg.Devices
	operators, err := freeAddress()
	if err != nil {
		return nil, err
	}
	c, err := startChild(ctx, m.cfg.Executable, filepath.Join(m.cfg.Dir, "serve.log"), "/readyz", func(address string) []string {
		return slices.Concat([]string{"serve"}, m.cfg.ServeArgs, []string{"--data-dir", m.cfg.DataDir, "--listen", address,
			"--database", "sqlite:" + filepath.Join(m.cfg.DataDir, "strongroom.db"),
			"--root-key", "file:" + filepath.Join(m.cfg.DataDir, "root.key"), "--admin-listen", operators})
	})
	if err != nil {
		return nil, err
	}
	m.pid, m.clients.to = c.pid(), &url.URL{Scheme: "http", Host: c.address, Path: "/graphql"}
	m.section.Start = &Start{ReadyMillis: millis(c.took), MiB: mebi(usageOf(c.pid()).rss), BinaryMiB: mebi(sizeOf(m.cfg.Executable)),
		DatabaseMiB: mebi(sizeOf(filepath.Join(m.cfg.DataDir, "strongroom.db")))}
	if m.cfg.reads() {
		if m.clients.operator, err = newOperator(m.cfg.DataDir, operators); err != nil {
			return nil, errors.Join(err, c.stop())
		}
	}
	return c.stop, nil
}

// reads reports whether any run has the scenario Operator.
func (c Config) reads() bool {
	return slices.ContainsFunc(c.Runs, func(r Run) bool {
		return slices.ContainsFunc(r.Loads, func(l Load) bool { return l.Scenario == Operator })
	})
}

// reachable fails if nothing listens at the URL. Otherwise that would be noticed only
// after the floors were taken.
func reachable(ctx context.Context, text string) error {
	to, err := parseURL(text)
	if err != nil {
		return err
	}
	dialer := net.Dialer{Timeout: 5 * time.Second}
	conn, err := dialer.DialContext(ctx, "tcp", hostPort(to))
	if err != nil {
		return fmt.Errorf("--url: no server answers at %s: check that it runs", to.Host)
	}
	return conn.Close()
}

func parseURL(text string) (*url.URL, error) {
	to, err := url.Parse(text)
	if err != nil || to.Host == "" || to.Scheme != "http" && to.Scheme != "https" {
		return nil, errors.New("the URL must be a GraphQL endpoint, http://HOST:PORT/graphql")
	}
	return to, nil
}

func sizeOf(path string) int64 {
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return info.Size()
}

// echoFloor measures, with the same generator, a server that does nothing but HTTP and
// JSON. It runs in a process of its own, as the service does.
func (m *measurement) echoFloor(ctx context.Context, clients int, d time.Duration) (_ Floor, err error) {
	c, err := startChild(ctx, m.cfg.Executable, filepath.Join(m.cfg.Dir, "echo.log"), "/",
		func(address string) []string { return []string{"bench", "echo", address} })
	if err != nil {
		return Floor{}, err
	}
	defer func() { err = errors.Join(err, c.stop()) }()
	to := &clientele{to: &url.URL{Scheme: "http", Host: c.address, Path: "/graphql"}, api: dialects[Strongroom],
		size: 100, devices: []device{{name: "bench-00000001"}}, say: func(string, ...any) {}, pools: map[Scenario]*pool{}}
	to.api.hasKey = `"deviceId":"bench-00000001"`
	var used []usage
	streams, w, err := to.run(ctx, []Load{{Scenario: Existing, Clients: clients}}, d/4, d,
		func([]*stream) { used = append(used, usageOf(c.pid())) })
	if err != nil {
		return Floor{}, err
	}
	r := streams[0].results()
	if len(r) != 1 || r[0].OtherPerSecond > 0 {
		return Floor{}, fmt.Errorf("the echo server answered %v", streams[0].codes)
	}
	f := Floor{Name: fmt.Sprintf(floorEcho, clients), Threads: clients, PerSecond: r[0].PerSecond, Latency: r[0].Latency}
	if last := used[len(used)-1]; last.known && f.PerSecond > 0 {
		f.CPUMillis = millis(last.cpu-used[0].cpu) / (f.PerSecond * w.seconds())
	}
	return f, nil
}
