package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
)

// citusNodes are the nodes that deploy/citus/run.sh started in a directory, and a
// database on them for one test.
type citusNodes struct {
	t   testing.TB
	dir string
	env []string
}

// startOnCitus starts two instances on an empty, distributed database.
func startOnCitus(t *testing.T, args ...string) (*citusNodes, *cluster) {
	t.Helper()
	dir := os.Getenv("E2E_CITUS_DIR")
	if dir == "" {
		t.Skip("needs Citus: see docs/how-to/citus.md")
	}
	n := &citusNodes{t, dir, append(os.Environ(), fmt.Sprintf("DATABASE=e2e_%d", time.Now().UnixNano()))}
	found := regexp.MustCompile(`postgres://[^']*`).FindString(n.run("start"))
	out, err := exec.Command(binary(t), "migrate", "--data-dir", t.TempDir(), "--database", found).CombinedOutput()
	if err != nil {
		t.Fatalf("migrate: %v: %s", err, out)
	}
	n.run("distribute")
	return n, clusterOn(t, nil, found, 2, args...)
}

// run runs a command of run.sh.
func (n *citusNodes) run(command string, args ...string) string {
	n.t.Helper()
	cmd := exec.Command(filepath.Join("..", "..", "deploy", "citus", "run.sh"), append([]string{command, n.dir}, args...)...)
	cmd.Env = n.env
	out, err := cmd.CombinedOutput()
	if err != nil {
		n.t.Fatalf("run.sh %s: %v: %s", command, err, out)
	}
	return strings.TrimSpace(string(out))
}

func TestOnCitusFiveOfTwoHundredGuessesAreEvaluated(t *testing.T) {
	_, c := startOnCitus(t)
	for run := range 5 {
		k := c.pick().withPIN(fmt.Sprintf("device%d", run), "493817")
		guesses := make([]string, 200)
		for n := range guesses {
			guesses[n] = encryptFor(t, k, verifyPIN, fmt.Sprintf("%06d", n))
		}
		guess := func(n int) string {
			a, err := c.pick().submit(verifyPIN, k.ID, guesses[n])
			return word(verifyPIN, a, err)
		}
		words := c.pick().atOnce(len(guesses), guess)
		evaluated := words["false"]
		for word := ""; word != locked && evaluated <= 5; word = guess(0) { // some of the five may be left
			if word == "false" {
				evaluated++
			}
		}
		t.Logf("run %d: %v, %d evaluated", run, words, evaluated)
		if evaluated != 5 {
			t.Errorf("%d wrong guesses were evaluated, want 5", evaluated)
		}
		for _, i := range c.all() {
			i.expect("the right PIN, after them", i.try(verifyPIN, k, "493817"), locked)
		}
	}
	c.auditIntact()
}

func TestOnCitusAKilledNodeLosesNothingAcknowledged(t *testing.T) {
	n, c := startOnCitus(t, roomy()...)
	w := newCrowd(c)
	for _, node := range []string{"1", "0"} {
		w.during(8, func() {
			n.run("kill", node)
			before := w.errors()
			await(t, "clients notice", 10*time.Second, func() bool { return w.errors() > before })
			n.run("start")
		})
		t.Logf("node %s was killed and started again: %v, slowest %v", node, w.words, w.slowest)
	}
}

func TestOnCitusNothingIsLostWhileShardsMove(t *testing.T) {
	n, c := startOnCitus(t, roomy()...)
	w := newCrowd(c)
	w.during(8, func() {
		n.run("add")
		n.run("sql", "-c", "SELECT rebalance_table_shards(shard_transfer_mode => 'force_logical')")
	})
	nodes := n.run("sql", "-c", "SELECT count(DISTINCT groupid) FROM pg_dist_placement p JOIN pg_dist_shard s USING (shardid) WHERE logicalrelid = 'attempts'::regclass")
	if nodes != "3" {
		t.Errorf("the shards of attempts are on %s nodes, want 3", nodes)
	}
	t.Logf("%v, slowest %v", w.words, w.slowest)
}

// Each node has a snapshot of its own, and an account's row can be read from another
// node than its key.
func TestOnCitusBackupsAndVerificationsUnderLoadAreConsistent(t *testing.T) {
	_, c := startOnCitus(t, roomy("--key-algorithms", "HPKE-X25519,RSA-OAEP-256")...)
	w := newCrowd(c)
	i := c.pick()
	w.during(8, func() {
		stop := make(chan struct{})
		var newcomers sync.WaitGroup
		newcomers.Go(func() {
			for n := 0; ; n++ {
				select {
				case <-stop:
					return
				default:
				}
				if _, err := i.issueTo(generate, map[string]any{"deviceId": fmt.Sprint("new ", n), "algorithms": []string{"HPKE-X25519"}}); err != nil {
					t.Error(err)
				}
			}
		})
		for n := range long(t, "E2E_BACKUPS", 6) {
			path := filepath.Join(t.TempDir(), "backup")
			for _, command := range [][]string{{"backup", path}, {"backup", "verify", path}, {"audit", "verify"}} {
				if out, code := c.command(command...); code != 0 {
					t.Errorf("%d: %v exits %d:\n%.2000s", n, command, code, out)
				}
			}
		}
		close(stop)
		newcomers.Wait()
	})
}
