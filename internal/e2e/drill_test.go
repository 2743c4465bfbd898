package e2e

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"strongroom/internal/store/postgres/pgtest"
)

// fault is something that goes wrong with an instance.
type fault struct {
	alerts  []string // that must fire
	on      *instance
	happens func() // in the goroutine of the test; nil: it is wrong from the start
	goesOn  func() // again and again until the end, or nil
}

// TestFaultsFireTheirAlertsInARealAlertmanager breaks services in many ways at once. A
// real Prometheus with our rules as they are must have each alert at a real
// Alertmanager within E2E_ALERTS minutes. Most rules wait for minutes, so it is part of
// the soak run.
func TestFaultsFireTheirAlertsInARealAlertmanager(t *testing.T) {
	if os.Getenv("E2E_ALERTS") == "" {
		t.Skip("takes minutes: set E2E_ALERTS=20, as make soak does")
	}
	need(t, "prometheus", "prometheus-alertmanager", "faketime")
	faults := map[string]fault{ // by job and instance: shares are of a job
		"strongroom/stopped": stopped(t), "strongroom/files": withFewFiles(t),
		"database/a": withoutDatabase(t), "clock/a": withClockAhead(t), "slow/a": withSlowDatabase(t), "disk/a": onFullDisk(t),
		"edited/a": edited(t), "trail/a": withoutTrail(t), "witness/a": withoutWitness(t), "rootkey/a": withOpenRootKey(t),
		"clients/a": withBadClients(t), "callers/a": withBadCallers(t), "issuer/a": withoutIssuer(t), "certificate/a": withOldCertificate(t),
		"limited/a": overItsLimit(t), "events/a": withDeadLetters(t),
	}
	restarts := startOn(t, filepath.Join(t.TempDir(), "data"), "--listen", freeAddress(t), "--admin-listen", freeAddress(t))
	instances := map[string]*instance{"strongroom/restarts": restarts}
	want := []string{"StrongroomRestarts", "StrongroomTriesLapsed"}
	for name, f := range faults {
		instances[name] = f.on
		want = append(want, f.alerts...)
	}
	alertmanager := startAlertmanager(t)
	m := watch(t, "1s", alertmanager, instances)
	await(t, "Prometheus scrapes all of them", 10*time.Second, func() bool {
		up, err := m.query(`up == 1`)
		return err == nil && len(up) == len(instances)
	})

	done := make(chan struct{})
	var all sync.WaitGroup
	defer all.Wait()
	defer close(done)
	for _, name := range slices.Sorted(maps.Keys(faults)) {
		f := faults[name]
		if f.happens != nil {
			f.happens()
		}
		if f.goesOn != nil {
			all.Go(func() { repeat(done, f.goesOn) })
		}
	}
	verify := restarted(restarts, m)
	all.Go(func() { repeat(done, verify) })
	awaitAlerts(t, alertmanager, want)
}

func repeat(done chan struct{}, what func()) {
	for {
		select {
		case <-done:
			return
		case <-time.After(100 * time.Millisecond):
			what()
		}
	}
}

func startAlertmanager(t *testing.T) (address string) {
	t.Helper()
	dir := t.TempDir()
	config := filepath.Join(dir, "alertmanager.yml")
	if err := os.WriteFile(config, []byte("route: {receiver: nobody}\nreceivers: [{name: nobody}]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	address = freeAddress(t)
	background(t, "http://"+address+"/-/ready", "prometheus-alertmanager", "--config.file="+config, "--storage.path="+filepath.Join(dir, "data"),
		"--web.listen-address="+address, "--cluster.listen-address=")
	return address
}

// awaitAlerts waits until Alertmanager has had all wanted alerts, and says when each came.
func awaitAlerts(t *testing.T, alertmanager string, want []string) {
	t.Helper()
	start, seen := time.Now(), map[string]bool{}
	deadline := start.Add(time.Duration(long(t, "E2E_ALERTS", 1)) * time.Minute)
	missing := func() []string {
		return slices.DeleteFunc(slices.Clone(want), func(name string) bool { return seen[name] })
	}
	for len(missing()) > 0 && time.Now().Before(deadline) {
		time.Sleep(time.Second)
		resp, err := http.Get("http://" + alertmanager + "/api/v2/alerts")
		if err != nil {
			t.Fatal(err)
		}
		var alerts []struct {
			Labels      map[string]string
			Annotations map[string]string
		}
		err = json.NewDecoder(resp.Body).Decode(&alerts)
		resp.Body.Close()
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range alerts {
			name := a.Labels["alertname"]
			if !seen[name] {
				t.Logf("after %v: %s (%s): %s", time.Since(start).Round(time.Second), name, a.Labels["severity"], a.Annotations["summary"])
			}
			seen[name] = true
			if link := "https://vault.example.com/docs/runbook.html#" + strings.ToLower(name); a.Annotations["runbook_url"] != link {
				t.Errorf("%s links to %s, want %s", name, a.Annotations["runbook_url"], link)
			}
		}
	}
	if left := missing(); len(left) > 0 {
		t.Errorf("these alerts did not fire: %v", left)
	}
	var others []string
	for _, q := range questions(t) {
		if strings.HasPrefix(q.where, "Strongroom") && !seen[q.where] {
			others = append(others, q.where)
		}
	}
	t.Logf("%d alerts were seen; not seen: %v", len(seen), others)
}

func stopped(t *testing.T) fault {
	i := start(t)
	return fault{alerts: []string{"StrongroomDown"}, on: i, happens: i.kill}
}

// restarted kills and starts an instance three times, each time with attempts under way.
// They count as failed when their user verifies again, after 30 s.
func restarted(i *instance, m *monitor) (verify func()) {
	k := i.withPIN("phone", "493817")
	right, guess := encrypt(i.t, k, "493817"), encrypt(i.t, k, "111111")
	for n := range 3 {
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() { _, _ = i.submit(verifyPIN, k.ID, guess) })
		}
		time.Sleep(30 * time.Millisecond)
		i.kill()
		all.Wait()
		i.run()
		await(i.t, fmt.Sprint("start ", n+1, " is scraped"), 5*time.Second, func() bool {
			changes, err := m.query(`changes(process_start_time_seconds{instance="restarts"}[1h]) == ` + fmt.Sprint(n+1))
			return err == nil && len(changes) == 1
		})
	}
	return func() { _, _ = i.submit(verifyPIN, k.ID, right) }
}

func withoutDatabase(t *testing.T) fault {
	c := startCluster(t, 1)
	i := c.all()[0]
	k := i.withPIN("phone", "493817")
	right := encrypt(t, k, "493817")
	return fault{
		alerts: []string{"StrongroomStoreDown", "StrongroomNotReady", "StrongroomOverloaded", "StrongroomAvailabilityBurn", "StrongroomAvailabilityBurnSlow",
			"StrongroomAuditLag", "StrongroomRollupLag"},
		on: i,
		happens: func() {
			for range 20 {
				_, _ = i.submit(verifyPIN, k.ID, right)
			}
			c.server.Stop()
		},
		goesOn: func() {
			_, _ = i.submit(verifyPIN, k.ID, right)
			if resp, err := client.Get(i.base + "/readyz"); err == nil {
				resp.Body.Close()
			}
		},
	}
}

// withClockAhead lets the database fail over to a server whose clock is 3 days ahead.
func withClockAhead(t *testing.T) fault {
	c := startCluster(t, 1)
	i := c.all()[0]
	return fault{alerts: []string{"StrongroomClockStepped", "StrongroomClockSkew"}, on: i, happens: func() {
		c.server.Stop()
		// Not by the program faketime, which would get the signals instead.
		library, _ := filepath.Glob("/usr/lib/*/faketime/libfaketime.so.1")
		if len(library) == 0 {
			t.Fatal("libfaketime is not where Debian installs it")
		}
		cmd := pgtest.Command(filepath.Join(pgtest.Programs(t), "postgres"), "-D", c.server.Dir, "-h", "127.0.0.1",
			"-p", fmt.Sprint(c.server.Port), "-c", "unix_socket_directories=", "-c", "max_connections=200")
		cmd.Env = append(cmd.Env, "LD_PRELOAD="+library[0], "FAKETIME=+3d")
		cmd.SysProcAttr.Pdeathsig = syscall.SIGQUIT
		log := &lockedBuffer{}
		cmd.Stdout, cmd.Stderr = log, log
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			_ = cmd.Process.Signal(syscall.SIGQUIT)
			_ = cmd.Wait()
			if t.Failed() {
				t.Logf("postgres under faketime: %s", tail(log.String(), 2<<10))
			}
		})
	}}
}

func withSlowDatabase(t *testing.T) fault {
	server := pgtest.Start(t)
	network := newRelay(t, fmt.Sprint("127.0.0.1:", server.Port))
	i := clusterOn(t, server, network.url(server), 1, "--database-max-connections", "4").all()[0]
	var rights [8]string
	var keys [8]keyPair
	for n := range keys {
		keys[n] = i.withPIN(fmt.Sprint("phone", n), "493817")
		rights[n] = encrypt(t, keys[n], "493817")
	}
	return fault{
		alerts:  []string{"StrongroomLatencyBurn", "StrongroomLatencyBurnSlow", "StrongroomVerifySlow", "StrongroomStoreSlow"},
		on:      i,
		happens: func() { network.delay.Store(int64(150 * time.Millisecond)) },
		goesOn: func() {
			i.atOnce(len(keys), func(n int) string {
				a, err := i.submit(verifyPIN, keys[n].ID, rights[n])
				return word(verifyPIN, a, err)
			})
		},
	}
}

func edited(t *testing.T) fault {
	i := start(t)
	k := i.withPIN("phone", "493817")
	i.try(verifyPIN, k, "111111")
	return fault{alerts: []string{"StrongroomTampering", "StrongroomInternalErrors"}, on: i, happens: func() {
		alter(t, i.dataDir, "UPDATE attempts SET failures = failures + 1")
		i.expect("an edited counter", i.try(verifyPIN, k, "493817"), "INTERNAL")
	}}
}

func withoutTrail(t *testing.T) fault {
	key := filepath.Join(t.TempDir(), "checkpoint.key")
	i := &instance{t: t}
	i.mustRoot(nil, "audit", "checkpoint-key", "create", key)
	i = start(t, "--checkpoint-key", "file:"+key, "--checkpoint-sink", "file:"+key+".signed", "--checkpoint-interval", "1s")
	k := i.withPIN("phone", "493817")
	return fault{alerts: []string{"StrongroomTrailNotSigned"}, on: i, happens: func() {
		alter(t, i.dataDir, "DELETE FROM audit_log")
		i.try(verifyPIN, k, "493817")
	}}
}

func withoutWitness(t *testing.T) fault {
	witness, env := witnessServer(t)
	i := startWith(t, env)
	return fault{alerts: []string{"StrongroomWitnessLate"}, on: i, happens: func() { witness.Answer(http.StatusServiceUnavailable) }}
}

// withOpenRootKey has a root key that other users may read. So the service refuses it.
func withOpenRootKey(t *testing.T) fault {
	i := start(t)
	return fault{alerts: []string{"StrongroomRootKeyGone"}, on: i, happens: func() {
		if err := os.Chmod(filepath.Join(i.dataDir, "root.key"), 0o644); err != nil {
			t.Fatal(err)
		}
	}}
}

func onFullDisk(t *testing.T) fault {
	dir := t.TempDir()
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "size=4g"); err != nil {
		t.Logf("no file system can be mounted here (%v): the disk is not filled", err)
		return fault{on: start(t)}
	}
	t.Cleanup(func() { _ = unix.Unmount(dir, unix.MNT_DETACH) })
	i := startOn(t, filepath.Join(dir, "data"))
	return fault{alerts: []string{"StrongroomDiskFull"}, on: i, happens: func() {
		f, err := os.Create(filepath.Join(dir, "log of something else"))
		if err == nil {
			err = unix.Fallocate(int(f.Fd()), 0, 0, 3900<<20)
			f.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
	}}
}

// withBadClients is called by guessers, thieves and broken apps.
func withBadClients(t *testing.T) fault {
	i := start(t, "--replay-protection", "--overwrite-requires-current", "--attempts-device-max", "5")
	return fault{
		alerts: []string{"StrongroomLockouts", "StrongroomSuspectedGuessing", "StrongroomMismatches", "StrongroomOverwritesRefused", "StrongroomReplays",
			"StrongroomDecryptionFailures", "StrongroomKeysNotUsable"},
		on: i,
		happens: func() {
			for n := range 22 {
				k := i.withPIN(fmt.Sprint("guessed", n), "493817")
				for range 5 {
					i.try(verifyPIN, k, "111111")
				}
			}
			random := base64.StdEncoding.EncodeToString(make([]byte, 256))
			for n := range 3 {
				k := i.withPIN(fmt.Sprint("stolen", n), "493817")
				once := encrypt(t, k, "493817")
				for range 15 {
					i.try(setPIN, k, "617422")
					_, _ = i.submit(verifyPIN, k.ID, once)
					_, _ = i.submit(verifyPIN, k.ID, random)
				}
				i.mustIssue(rotate, fmt.Sprint("stolen", n))
				for range 25 {
					_, _ = i.submit(verifyPIN, k.ID, once)
				}
			}
		},
	}
}

// withBadCallers is called with stolen phones, and without good tokens.
func withBadCallers(t *testing.T) fault {
	p := newProvider(t)
	i := start(t, p.flags("--attempts-device-max", "3")...)
	return fault{alerts: []string{"StrongroomUnauthenticated", "StrongroomDeviceLockouts", "StrongroomOperatorTokens"}, on: i, happens: func() {
		for n := range 22 {
			user := i.withToken(p.token(fmt.Sprint("user", n), nil))
			user.withPIN("phone", "493817")
			stolen := user.mustIssue(generate, "tablet")
			for range 3 {
				user.try(verifyPIN, stolen, "111111")
			}
		}
		for range 2000 {
			_, _ = i.post("/graphql", "application/json", []byte(`{"query":"{ __typename }"}`))
		}
		for n := range 40 {
			i.enters("/metrics", fmt.Sprint("guess", n))
		}
	}}
}

func withoutIssuer(t *testing.T) fault {
	i := start(t, "--accounts", "jwt", "--jwt-issuer", "https://127.0.0.1:1", "--jwt-audience", tokenAudience, "--jwt-jwks", "https://127.0.0.1:1/keys")
	return fault{alerts: []string{"StrongroomKeySetStale"}, on: i}
}

func withOldCertificate(t *testing.T) fault {
	c := newCertificates(t)
	c.days = 10
	c.renew()
	i, _ := c.serve()
	return fault{alerts: []string{"StrongroomCertificateEnds"}, on: i}
}

func overItsLimit(t *testing.T) fault {
	i := start(t, "--rate-limit-caller", "5/1m")
	k := i.mustIssue(generate, "phone")
	return fault{alerts: []string{"StrongroomLimited"}, on: i, happens: func() {
		for range 300 {
			_, _ = i.submit(verifyPIN, k.ID, "AAAA")
		}
	}}
}

// withFewFiles may have hardly more open files than it has.
func withFewFiles(t *testing.T) fault {
	i := start(t)
	return fault{alerts: []string{"StrongroomFileDescriptors"}, on: i, happens: func() {
		open, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", i.cmd.Process.Pid))
		if err != nil {
			t.Fatal(err)
		}
		few := uint64(len(open)*100/85 + 1)
		if err := unix.Prlimit(i.cmd.Process.Pid, unix.RLIMIT_NOFILE, &unix.Rlimit{Cur: few, Max: few}, nil); err != nil {
			t.Fatal(err)
		}
	}}
}

func withDeadLetters(t *testing.T) fault {
	const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
	s := &sink{t: t, secret: secret, address: "127.0.0.1:0"}
	s.up()
	t.Cleanup(s.down)
	i := startWith(t, []string{"HOOK_SECRET=" + secret}, "--webhook-url", "http://"+s.address, "--webhook-secret", "env:HOOK_SECRET", "--webhook-allow", "127.0.0.1")
	return fault{alerts: []string{"StrongroomWebhookDeadLetters"}, on: i, happens: func() {
		s.mu.Lock()
		s.refuses = true
		s.mu.Unlock()
		i.withPIN("phone", "493817")
	}}
}
