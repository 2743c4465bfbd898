package e2e

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"strongroom/internal/store/postgres/pgtest"
)

// If a primary is lost permanently, its synchronous standby has everything that was
// acknowledged. Once the standby is promoted, instances reach it at the same address.
func TestAPromotedStandbyHasEverythingAcknowledged(t *testing.T) {
	t.Parallel()
	need(t, "haproxy")
	primary := pgtest.Start(t)
	standby := primary.Standby(t)
	primary.Exec(t, "postgres", "ALTER SYSTEM SET synchronous_standby_names = '*'", "SELECT pg_reload_conf()")
	await(t, "the standby confirms commits", 10*time.Second, func() bool {
		return asks(primary, "SELECT count(*) = 1 FROM pg_stat_replication WHERE sync_state = 'sync'")
	})
	w := newCrowd(clusterOn(t, primary, behindProxy(t, primary, standby), 3, roomy()...))
	w.during(8, func() {
		killHard(t, primary)
		w.ready(503, 2*time.Second)
		if err := standby.Promote(); err != nil {
			t.Fatal(err)
		}
	})
}

// asks reports whether a server answers and says true.
func asks(s *pgtest.Server, query string) (yes bool) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	c, err := pgx.Connect(ctx, s.URL("postgres"))
	if err != nil {
		return false
	}
	defer c.Close(ctx)
	return c.QueryRow(ctx, query).Scan(&yes) == nil && yes
}

// behindProxy starts an HAProxy that passes connections to whichever of the
// servers says that it is the primary, and returns the database's URL there.
func behindProxy(t *testing.T, servers ...*pgtest.Server) string {
	t.Helper()
	address := freeAddress(t)
	var settings strings.Builder
	fmt.Fprintf(&settings, `defaults
  mode tcp
  timeout connect 1s
  timeout client 1h
  timeout server 1h
  timeout check 3s
listen primary
  bind %s
  option httpchk GET /primary
  default-server check inter 200ms fall 2 rise 1 on-marked-down shutdown-sessions
`, address)
	for n, s := range servers {
		// Beside each server stands what Patroni would be.
		says := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			if !asks(s, "SELECT NOT pg_is_in_recovery()") {
				w.WriteHeader(http.StatusServiceUnavailable)
			}
		}))
		t.Cleanup(says.Close)
		_, port, _ := net.SplitHostPort(says.Listener.Addr().String())
		fmt.Fprintf(&settings, "  server node%d 127.0.0.1:%d port %s\n", n, s.Port, port)
	}
	cmd := exec.Command("haproxy", "-db", "-f", writeFile(t, settings.String()))
	var log lockedBuffer
	cmd.Stdout, cmd.Stderr = &log, &log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		if t.Failed() {
			t.Logf("HAProxy's log:\n%s", tail(log.String(), 4<<10))
		}
	})
	u, err := url.Parse(servers[0].URL("postgres"))
	if err != nil {
		t.Fatal(err)
	}
	u.Host = address
	await(t, "HAProxy knows the primary", 5*time.Second, func() bool {
		return strings.Count(log.String(), " is DOWN") == len(servers)-1 // it takes all for up at first
	})
	return u.String()
}
