package e2e

import (
	"bufio"
	"bytes"
	"context"
	"database/sql"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"
	_ "modernc.org/sqlite"
)

// strongroom runs a command to its end, with more variables in its
// environment, and returns what it said and its exit code.
func strongroom(t testing.TB, env []string, args ...string) (out string, code int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, binary(t), args...)
	cmd.Env = append(cleanEnv(), env...)
	b, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) || ctx.Err() != nil {
		t.Fatalf("strongroom %v did not end: %v\n%s", args, err, b)
	}
	return string(b), cmd.ProcessState.ExitCode()
}

// refused runs a serve that must refuse, in these words.
func refused(t testing.TB, what, dataDir, words string, more ...string) {
	t.Helper()
	args := append([]string{"serve", "--data-dir", dataDir, "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0"}, more...)
	out, code := strongroom(t, nil, args...)
	if code != 1 || !strings.Contains(out, words) {
		t.Errorf("%s: exit code %d, want 1 and %q:\n%s", what, code, words, out)
	}
	if strings.Contains(out, "goroutine ") {
		t.Errorf("%s: the message is a stack trace:\n%s", what, out)
	}
}

// startOn is start on a data directory of the test's choice.
func startOn(t testing.TB, dataDir string, args ...string) *instance {
	t.Helper()
	return startProgram(t, "", dataDir, args)
}

// startProgram is startOn with a program of another version. "" is the one under test.
func startProgram(t testing.TB, program, dataDir string, args []string) *instance {
	t.Helper()
	i := &instance{t: t, program: program, dataDir: dataDir, args: args, log: &lockedBuffer{}}
	i.run()
	t.Cleanup(func() {
		i.kill()
		if t.Failed() {
			t.Logf("the server's log:\n%s", tail(i.log.String(), 8<<10))
		}
	})
	return i
}

// await waits for what happens by itself, and logs how long that took beside
// how long it may take. A busy machine must not fail a test, so it is the tests
// of internal/server, with a clock of their own, that hold the service to it.
func await(t testing.TB, what string, promised time.Duration, happened func() bool) {
	t.Helper()
	start := time.Now()
	for !happened() {
		if time.Since(start) > 10*promised {
			t.Fatalf("%s: not after %v, and %v was promised", what, time.Since(start), promised)
		}
		time.Sleep(25 * time.Millisecond)
	}
	t.Logf("%s: after %v, promised %v", what, time.Since(start).Round(time.Millisecond), promised)
}

// get reads a page of either side.
func (i *instance) get(url, authorization string) answer {
	i.t.Helper()
	req, err := http.NewRequest("GET", url, nil)
	if err != nil {
		i.t.Fatal(err)
	}
	if authorization != "" {
		req.Header.Set("Authorization", authorization)
	}
	resp, err := client.Do(req)
	if err != nil {
		i.t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		i.t.Fatal(err)
	}
	return answer{Status: resp.StatusCode, Header: resp.Header, Body: body}
}

// bearer is what opens the operator side.
func (i *instance) bearer() string {
	i.t.Helper()
	token, err := os.ReadFile(filepath.Join(i.dataDir, "admin.token"))
	if err != nil {
		i.t.Fatal(err)
	}
	return "Bearer " + strings.TrimSpace(string(token))
}

// operator reads a page of the operator side.
func (i *instance) operator(path string) string {
	i.t.Helper()
	a := i.get(i.admin+path, i.bearer())
	if a.Status != http.StatusOK {
		i.t.Fatalf("%s on the operator side: %d %s", path, a.Status, a.Body)
	}
	return string(a.Body)
}

// readiness is the status of /readyz.
func (i *instance) readiness() int { return i.get(i.base+"/readyz", "").Status }

// copyOf copies the data directory of a stopped server.
func (i *instance) copyOf() string {
	i.t.Helper()
	dir := filepath.Join(i.t.TempDir(), "data")
	if err := os.CopyFS(dir, os.DirFS(i.dataDir)); err != nil {
		i.t.Fatal(err)
	}
	for _, name := range []string{"", "root.key", "admin.token", "strongroom.db"} {
		info, err := os.Stat(filepath.Join(i.dataDir, name))
		if err == nil {
			err = os.Chmod(filepath.Join(dir, name), info.Mode())
		}
		if err != nil {
			i.t.Fatal(err)
		}
	}
	return dir
}

// alter runs SQL on a database that no server has open: what an insider, or
// a disk, could do to it.
func alter(t testing.TB, dataDir string, statements ...string) {
	t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(dataDir, "strongroom.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, s := range statements {
		result, err := db.Exec(s)
		if err != nil {
			t.Fatalf("%s: %v", s, err)
		}
		if n, err := result.RowsAffected(); err != nil || n == 0 {
			t.Fatalf("%s: %d rows, %v", s, n, err)
		}
	}
}

func lookUp[T any](t testing.TB, dataDir, query string) (v T) {
	t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(dataDir, "strongroom.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := db.QueryRow(query).Scan(&v); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return v
}

// flip changes one bit in the middle of the value that a query finds.
func flip(value string) string {
	return fmt.Sprintf(`UPDATE setting SET value = CAST(substr(value, 1, length(value)/2)
		|| CASE hex(substr(value, length(value)/2 + 1, 1)) WHEN '00' THEN x'01' ELSE x'00' END
		|| substr(value, length(value)/2 + 2) AS BLOB) WHERE name = '%s'`, value)
}

// Two servers on one database would each count guesses and cache keys as if they were
// alone. So a second one is refused, by every path and from every data directory.
func TestADatabaseAllowsOnlyOneServe(t *testing.T) {
	t.Parallel()
	i := start(t)
	k := i.mustIssue(generate, "phone")
	i.expect("set", i.try("setTransactionPin", k, "493817"), "true")
	database, dir := filepath.Join(i.dataDir, "strongroom.db"), t.TempDir()
	symbolic, hard := filepath.Join(dir, "symbolic.db"), filepath.Join(dir, "hard.db")
	if err := errors.Join(os.Symlink(database, symbolic), os.Link(database, hard)); err != nil {
		t.Fatal(err)
	}
	refused(t, "a second serve on a hard link", filepath.Join(dir, "linked"), "the file has 2 hard links",
		"--database", "sqlite:"+hard, "--root-key", "file:"+filepath.Join(i.dataDir, "root.key"))
	if err := os.Remove(hard); err != nil {
		t.Fatal(err)
	}
	for n, path := range []string{database, symbolic} {
		refused(t, "a second serve on "+path, filepath.Join(dir, fmt.Sprint(n)),
			fmt.Sprintf("another serve runs on it, process %d; stop that one or choose another with --database", i.cmd.Process.Pid),
			"--database", "sqlite:"+path, "--root-key", "file:"+filepath.Join(i.dataDir, "root.key"))
	}
	i.expect("the first serve", i.try("verifyTransactionPin", k, "493817"), "true")
	i.auditIntact() // by a command beside it
	i.kill()
	i.run() // a killed process leaves no lock behind
}

func TestADataDirectoryAllowsOnlyOneServe(t *testing.T) {
	t.Parallel()
	i := start(t)
	k := i.mustIssue(generate, "phone")
	refused(t, "a second serve", i.dataDir, "another serve runs on it; stop that one or choose another with --data-dir")
	if again := i.mustIssue(generate, "phone"); again != k {
		t.Error("the first serve was harmed")
	}
	i.kill()
	i.run() // a killed process leaves no lock behind
	if again := i.mustIssue(generate, "phone"); again != k {
		t.Error("the key did not survive a kill")
	}
}

// halfway sends a request up to its body and returns once it is being worked
// on: the handler has asked for the body.
func (i *instance) halfway(body string) (net.Conn, *bufio.Reader) {
	i.t.Helper()
	c, err := net.Dial("tcp", strings.TrimPrefix(i.base, "http://"))
	if err != nil {
		i.t.Fatal(err)
	}
	i.t.Cleanup(func() { c.Close() })
	fmt.Fprintf(c, "POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: %d\r\nExpect: 100-continue\r\n\r\n", len(body))
	r := bufio.NewReader(c)
	line, err := r.ReadString('\n')
	if err != nil || !strings.HasPrefix(line, "HTTP/1.1 100") {
		i.t.Fatalf("instead of asking for the body: %q %v", line, err)
	}
	if _, err := r.ReadString('\n'); err != nil {
		i.t.Fatal(err)
	}
	return c, r
}

// terminate sends SIGTERM and waits until the drain has begun.
func (i *instance) terminate() {
	i.t.Helper()
	_ = i.cmd.Process.Signal(syscall.SIGTERM)
	await(i.t, "the drain begins", time.Second, func() bool { return strings.Contains(i.log.String(), "msg=draining") })
}

func TestSIGTERMLetsARunningRequestFinish(t *testing.T) {
	t.Parallel()
	i := start(t)
	const body = `{"query":"mutation { generateClientEncryptionKey(input: {deviceId: \"late\"}) { keyId } }"}`
	c, r := i.halfway(body)
	i.terminate()
	await(t, "the operator side says draining", time.Second, func() bool {
		a := i.get(i.admin+"/readyz", i.bearer())
		return a.Status == http.StatusServiceUnavailable && strings.Contains(string(a.Body), "draining")
	})
	await(t, "the API takes no new connection", time.Second, func() bool {
		c, err := net.Dial("tcp", strings.TrimPrefix(i.base, "http://"))
		if err == nil {
			c.Close()
		}
		return err != nil
	})
	fmt.Fprint(c, body)
	resp, err := http.ReadResponse(r, nil)
	if err != nil {
		t.Fatalf("the running request was cut off: %v", err)
	}
	answered, err := io.ReadAll(resp.Body)
	id := regexp.MustCompile(`"keyId":"([a-z2-7]{26})"`).FindSubmatch(answered)
	if err != nil || resp.StatusCode != http.StatusOK || id == nil {
		t.Fatalf("the running request: %d %s %v", resp.StatusCode, answered, err)
	}
	<-i.exited
	if code := i.cmd.ProcessState.ExitCode(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	i.run()
	if again := i.mustIssue(generate, "late"); again.ID != string(id[1]) {
		t.Error("the key that was issued during the drain is lost")
	}
	i.auditIntact()
}

func TestASecondSIGTERMStopsAtOnce(t *testing.T) {
	t.Parallel()
	i := start(t, "--shutdown-timeout", "10m")
	i.halfway("never sent")
	i.terminate()
	_ = i.cmd.Process.Signal(syscall.SIGTERM)
	<-i.exited
	// A drain that ended, because the client was given up on, would exit with 0.
	if code := i.cmd.ProcessState.ExitCode(); code != 143 {
		t.Errorf("exit code %d", code)
	}
	i.run()
	i.auditIntact()
}

func TestProbesAnswer(t *testing.T) {
	t.Parallel()
	i := start(t)
	for url, want := range map[string]string{
		i.base + "/healthz": `{"status":"ok"}`, i.base + "/readyz": `{"status":"ready"}`,
	} {
		if a := i.get(url, ""); a.Status != http.StatusOK || strings.TrimSpace(string(a.Body)) != want {
			t.Errorf("%s: %d %s", url, a.Status, a.Body)
		}
		resp, err := client.Head(url)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != http.StatusOK {
			t.Errorf("HEAD %s: %d", url, resp.StatusCode)
		}
	}
}

func TestAFailedStartExplainsCauseAndRemedy(t *testing.T) {
	t.Parallel()
	i := start(t)
	elsewhere := filepath.Join(t.TempDir(), "data")
	refused(t, "the API's port is taken", elsewhere, "the port is in use; choose another with --listen", "--listen", strings.TrimPrefix(i.base, "http://"))
	refused(t, "the operator's port is taken", elsewhere, "the port is in use; choose another with --admin-listen", "--admin-listen", strings.TrimPrefix(i.admin, "http://"))
	refused(t, "no such address", elsewhere, "choose another address with --listen", "--listen", "192.0.2.1:80")

	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	refused(t, "a file in place of the data directory", file, "it is not a directory; choose another with --data-dir")
	refused(t, "a file above the data directory", filepath.Join(file, "data"), "it is not a directory; choose another with --data-dir")
	refused(t, "no directory for the database", elsewhere, "does not exist", "--database", "sqlite:"+filepath.Join(elsewhere, "none", "x.db"))
	refused(t, "a directory for a database", elsewhere, "is not a regular file", "--database", "sqlite:"+t.TempDir())
	if os.Geteuid() != 0 { // root may write anywhere
		locked := filepath.Join(t.TempDir(), "locked")
		if err := os.Mkdir(locked, 0o500); err != nil {
			t.Fatal(err)
		}
		refused(t, "a data directory without rights", locked, "it is not writable")
	}
}

// filled is a server with a PIN, a wrong guess and a rotated key in its store.
func filled(t testing.TB) (*instance, keyPair) {
	t.Helper()
	i := start(t)
	i.mustIssue(generate, "phone")
	k := i.mustIssue(rotate, "phone")
	i.expect("set", i.try("setTransactionPin", k, "493817"), "true")
	i.expect("set again", i.try("setTransactionPin", k, "271828"), "true")
	i.expect("guess", i.try("verifyTransactionPin", k, "000000"), "false")
	return i, k
}

func TestAMissingRootKeyIsReportedAndNeverReplaced(t *testing.T) {
	t.Parallel()
	i, k := filled(t)
	i.stop()
	path := filepath.Join(i.dataDir, "root.key")
	root, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	id := lookUp[string](t, i.dataDir, `SELECT CAST(value AS TEXT) ->> '$.keyset.wraps[0].rootKey' FROM setting WHERE name = 'keyset'`)

	if err := os.Rename(path, path+".away"); err != nil {
		t.Fatal(err)
	}
	refused(t, "no root key", i.dataDir, "this database needs root key \""+id+"\" (file:"+path+"): root key file "+path+": file does not exist")
	if out, code := i.command("audit", "verify"); code != 2 || !strings.Contains(out, "needs root key \""+id+"\"") {
		t.Errorf("audit verify without the root key: %d %s", code, out)
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Error("a new root key was made for a filled database")
	}

	if out, code := strongroom(t, nil, "root-key", "create", path); code != 0 {
		t.Fatalf("root-key create: %d %s", code, out)
	}
	refused(t, "another root key", i.dataDir, `wrong root key: the database is wrapped by root key "`+id+`"`)
	for _, bad := range []struct{ name, key, words string }{
		{"a cut root key", string(root[:31]), "holds 31 bytes"}, {"a root key with a line end", string(root) + "\n", "holds more than 32 bytes"},
		{"an empty root key", "", "holds 0 bytes"}, {"a root key of zeros", strings.Repeat("\x00", 32), "only zeros"},
	} {
		if err := os.WriteFile(path, []byte(bad.key), 0o600); err != nil {
			t.Fatal(err)
		}
		refused(t, bad.name, i.dataDir, bad.words)
	}
	if err := os.WriteFile(path, root, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, mode := range []os.FileMode{0o644, 0o640, 0o604} {
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		refused(t, mode.String(), i.dataDir, "allow other users to read it; run chmod 600 "+path)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	for name, encoding := range map[string]*base64.Encoding{"base64": base64.StdEncoding, "base64url": base64.RawURLEncoding} {
		out, code := strongroom(t, []string{"VAULT_KEY=" + encoding.EncodeToString(root)}, "audit", "verify", "--data-dir", i.dataDir, "--root-key", "env:VAULT_KEY")
		if code != 0 {
			t.Errorf("the root key by environment in %s: %d %s", name, code, out)
		}
	}
	refused(t, "no such variable", i.dataDir, "environment variable VAULT_KEY holds no root key", "--root-key", "env:VAULT_KEY")

	if err := os.Rename(path+".away", path); err != nil {
		t.Fatal(err)
	}
	i.run()
	i.expect("after all that", i.try("verifyTransactionPin", k, "271828"), "true")
}

func TestEachKindOfDatabaseDamageHasItsOwnMessage(t *testing.T) {
	t.Parallel()
	i, k := filled(t)
	i.stop()
	for _, damage := range []struct {
		name, words string
		do          func(dir, db string)
	}{
		{"a digit of the wrap in the file", "the keyset does not decrypt under it", func(dir, db string) {
			keyset := lookUp[[]byte](t, dir, `SELECT value FROM setting WHERE name = 'keyset'`)
			file, err := os.ReadFile(db)
			sealed := bytes.Index(keyset, []byte(`"keyset":"`))
			at := bytes.Index(file, keyset[sealed+40:sealed+60]) // not the whole row, which continues in an overflow page
			if err != nil || sealed < 0 || at < 0 {
				t.Fatalf("the keyset is not in the file: %v", err)
			}
			if file[at] == 'A' { // another digit of base64
				file[at] = 'B'
			} else {
				file[at] = 'A'
			}
			if err := os.WriteFile(db, file, 0o600); err != nil {
				t.Fatal(err)
			}
		}},
		{"another number of the keyset", "the list of its root keys was edited", func(dir, _ string) {
			alter(t, dir, `UPDATE setting SET value = CAST(replace(value, '"generation":', '"generation":7') AS BLOB) WHERE name = 'keyset'`)
		}},
		{"the keyset's row torn", "damaged database: the wrapped keyset cannot be read", func(dir, _ string) { alter(t, dir, flip("keyset")) }},
		{"the keyset's row gone", "damaged database: the wrapped keyset is gone", func(dir, _ string) { alter(t, dir, `DELETE FROM setting WHERE name = 'keyset'`) }},
		{"garbage", "the file is not a Strongroom database: check the path", func(_, db string) {
			if err := os.WriteFile(db, bytes.Repeat([]byte("garbage!"), 4096), 0o600); err != nil {
				t.Fatal(err)
			}
		}},
		{"cut in half", "the database is damaged: stop the service and restore a backup", func(_, db string) {
			info, err := os.Stat(db)
			if err == nil {
				err = os.Truncate(db, info.Size()/2)
			}
			if err != nil {
				t.Fatal(err)
			}
		}},
		{"another program's", "the file is the SQLite database of another program", func(dir, _ string) {
			alter(t, dir, `INSERT INTO setting SELECT 'x', 'x', x''`, `PRAGMA application_id = 7`)
		}},
		{"of a newer version", "database was written by a newer strongroom (schema 999, this binary knows", func(dir, _ string) {
			alter(t, dir, `INSERT INTO schema_version (version_id, is_applied) VALUES (999, 1)`)
		}},
	} {
		dir := i.in(t).copyOf()
		damage.do(dir, filepath.Join(dir, "strongroom.db"))
		refused(t, damage.name, dir, damage.words)
		if out, code := strongroom(t, nil, "audit", "verify", "--data-dir", dir); code != 2 || !strings.Contains(out, damage.words) {
			t.Errorf("%s: audit verify exits %d, want 2 and %q:\n%s", damage.name, code, damage.words, out)
		}
	}
	i.run()
	i.expect("the original", i.try("verifyTransactionPin", k, "271828"), "true")
}

func TestFlagsOverrideEnvironmentVariablesAndTheFile(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "strongroom.yaml")
	if err := os.WriteFile(file, []byte("listen: 127.0.0.1:1\nkey-ttl: 1d\nrsa-bits: 4096\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	env := []string{"STRONGROOM_CONFIG=" + file, "STRONGROOM_LISTEN=127.0.0.1:2", "STRONGROOM_KEY_TTL=2d"}
	out, code := strongroom(t, env, "config", "check", "--listen", "127.0.0.1:3")
	if code != 0 || !strings.HasSuffix(out, "OK\n") {
		t.Fatalf("config check: %d\n%s", code, out)
	}
	effective := map[string]string{}
	for line := range strings.Lines(out) {
		if words := strings.Fields(line); len(words) == 3 {
			effective[words[0]] = words[1] + " " + words[2]
		}
	}
	for name, want := range map[string]string{"listen": "127.0.0.1:3 flag", "key-ttl": "2d environment", "rsa-bits": "4096 file", "max-waiting": "512 default"} {
		if effective[name] != want {
			t.Errorf("%s: %s, want %s", name, effective[name], want)
		}
	}

	elsewhere := filepath.Join(t.TempDir(), "data")
	const pasted = "q83vEjRWeJC83vASNFZ4kLze8BI0VniQvN7wEjRWeJA="
	for _, bad := range []struct {
		name, words string
		env, args   []string
	}{
		{"an unknown variable", "STRONGROOM_FOO (environment): no such setting", []string{"STRONGROOM_FOO=" + pasted}, nil},
		{"an unknown key in the file", "foo (file, line 1): no such setting", []string{"STRONGROOM_CONFIG=" + writeFile(t, "foo: "+pasted+"\n")}, nil},
		{"an unknown flag", "unknown flag --foo", nil, []string{"--foo"}},
		{"a bad value of a variable", "attempts-max (environment): must be a whole number from 1 to 10", []string{"STRONGROOM_ATTEMPTS_MAX=" + pasted}, nil},
		{"a key where a path belongs", "root-key (flag): must be a URL such as file:PATH", nil, []string{"--root-key", pasted}},
		{"a file that is not there", "config: open", []string{"STRONGROOM_CONFIG=" + elsewhere}, nil},
		{"both sides on one port", "admin-listen: must differ from listen", nil, []string{"--listen", "127.0.0.1:4", "--admin-listen", "127.0.0.1:4"}},
	} {
		for command, want := range map[string]int{"serve": 2, "config check": 1} {
			if bad.name == "an unknown flag" {
				want = 2
			}
			args := append(strings.Fields(command), append(bad.args, "--data-dir", elsewhere)...)
			out, code := strongroom(t, bad.env, args...)
			if code != want || !strings.Contains(out, bad.words) {
				t.Errorf("%s, %s: exit code %d, want %d and %q:\n%s", command, bad.name, code, want, bad.words, out)
			}
			if strings.Contains(out, pasted) {
				t.Errorf("%s, %s: the value is repeated:\n%s", command, bad.name, out)
			}
		}
	}
	if _, err := os.Stat(elsewhere); !errors.Is(err, os.ErrNotExist) {
		t.Error("a refused start made a data directory")
	}
}

func writeFile(t testing.TB, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestAdminCommandsWorkBesideAServerAndRequireAReason(t *testing.T) {
	t.Parallel()
	i := start(t)
	act := func(want int, words string, args ...string) {
		t.Helper()
		if out, code := i.command(append([]string{"admin"}, args...)...); code != want || !strings.Contains(out, words) {
			t.Errorf("admin %v: exit code %d, want %d and %q:\n%s", args, code, want, words, out)
		}
	}
	k := i.mustIssue(generate, "phone")
	i.expect("set", i.try("setTransactionPin", k, "493817"), "true")
	for range 5 {
		i.expect("guess", i.try("verifyTransactionPin", k, "000000"), "false")
	}
	i.expect("locked", i.try("verifyTransactionPin", k, "493817"), "CREDENTIAL_LOCKED")
	act(2, "missing flags: --reason", "unlock", "--device", "phone", "--type", "TRANSACTION_PIN")
	act(2, "--reason: must be 1 to 500 characters", "unlock", "--device", "phone", "--type", "TRANSACTION_PIN", "--reason", "")
	act(1, "no account has this name", "unlock", "--device", "Phone", "--type", "TRANSACTION_PIN", "--reason", "asked")
	i.expect("still locked", i.try("verifyTransactionPin", k, "493817"), "CREDENTIAL_LOCKED")
	act(1, "there is no attempt at this credential with this name or id", "unlock", "--device", "phone", "--type", "PASSCODE", "--reason", "asked")
	act(0, "Unlocked.", "unlock", "--device", "phone", "--type", "TRANSACTION_PIN", "--reason", "the user proved who she is")
	i.expect("unlocked", i.try("verifyTransactionPin", k, "493817"), "true")

	act(2, "missing flags: --reason", "revoke", "--key", k.ID)
	act(1, "with this name or id", "revoke", "--key", strings.Repeat("a", 26), "--reason", "lost")
	i.expect("not revoked", i.try("verifyTransactionPin", k, "493817"), "true")
	act(0, "Revoked.", "revoke", "--key", k.ID, "--reason", "the phone was stolen")
	i.expect("revoked", i.try("verifyTransactionPin", k, "493817"), "KEY_NOT_USABLE")
	next := i.mustIssue(generate, "phone")
	if next.ID == k.ID {
		t.Error("a revoked key is issued again")
	}
	i.expect("the next key", i.try("verifyTransactionPin", next, "493817"), "true")

	act(2, "missing flags: --reason", "erase", "--device", "phone")
	act(0, "Erased.", "erase", "--device", "phone", "--reason", "she asked to be forgotten")
	i.expect("erased", i.try("verifyTransactionPin", next, "493817"), "KEY_NOT_USABLE")
	fresh := i.mustIssue(generate, "phone")
	i.expect("nothing is set any more", i.try("verifyTransactionPin", fresh, "493817"), "false")
	act(1, "no account has this name", "erase", "--device", "nobody", "--reason", "asked")
	i.auditIntact()
	i.stop()
	for _, reason := range []string{"the user proved who she is", "the phone was stolen", "she asked to be forgotten"} {
		if n := lookUp[int](t, i.dataDir, `SELECT count(*) FROM audit_log WHERE actor LIKE 'operator:command:%' AND reason = '`+reason+`'`); n == 0 {
			t.Errorf("the trail does not keep the reason %q", reason)
		}
	}
}

func TestAuditVerifyDistinguishesIntactDamagedAndUnreadable(t *testing.T) {
	t.Parallel()
	i, _ := filled(t)
	if out, code := i.command("audit", "verify"); code != 0 || !regexp.MustCompile(`^Intact: \d+ entries, and \d+ records`).MatchString(out) {
		t.Errorf("beside the server: %d %s", code, out)
	}
	i.stop()
	mismatch := lookUp[int](t, i.dataDir, "SELECT seq FROM audit_verdict WHERE "+ofMismatch)
	older := lookUp[string](t, i.dataDir, `SELECT 'x''' || hex(sealed) || '''' FROM credential`)
	for _, tc := range []struct{ name, words, statement string }{
		{"an entry edited", fmt.Sprintf("entry %d:", mismatch), fmt.Sprintf(`UPDATE audit_verdict SET data = CAST(substr(data, 1, 76) || x'02' || substr(data, 78) AS BLOB) WHERE seq = %d`, mismatch)},
		{"an entry deleted", fmt.Sprintf("entry %d:", mismatch-1), fmt.Sprintf(`DELETE FROM audit_log WHERE seq = %d`, mismatch-1)},
		{"the first entry deleted", "entry 1:", `DELETE FROM audit_log WHERE seq = 1`},
		{"two entries exchanged", fmt.Sprintf("entry %d:", mismatch), fmt.Sprintf(`UPDATE audit_verdict SET micros = 0, hash = (SELECT hash FROM audit_log WHERE seq = 1) WHERE seq = %d`, mismatch)},
		{"the tail cut off", "attempts/", fmt.Sprintf(`DELETE FROM audit_log WHERE seq >= %[1]d; DELETE FROM audit_verdict WHERE seq >= %[1]d`, mismatch)},
		{"the whole trail gone", "the trail is missing", `DELETE FROM audit_log; DELETE FROM audit_verdict`},
		{"all entries but verdicts gone", "the trail is missing", `DELETE FROM audit_log`},
		{"all verdicts gone", "entry", `DELETE FROM audit_verdict`},
		{"a chain without its number", "entry", `DELETE FROM audit_chain`},
		{"another number for a chain", "entry", `UPDATE audit_chain SET number = number + 1`},
		{"the ledger's failures forgotten", "attempts/", `UPDATE attempts SET failures = 0`},
		{"the ledger gone", "attempts/", `DELETE FROM attempts`},
		{"the credential gone", "credential/", `DELETE FROM credential`},
		{"the credential's date edited", "credential/", `UPDATE credential SET updated_at = updated_at + 1`},
		{"the credential rolled back", "credential/", `UPDATE credential SET version = version - 1, sealed = ` + older},
		{"the app's version edited", "key/", `UPDATE device_key SET app_version = 'x' WHERE state = 'active'`},
		{"an ended key made another", "key/", `UPDATE device_key SET state = 'revoked' WHERE state = 'invalidated'`},
	} {
		dir := i.in(t).copyOf()
		alter(t, dir, tc.statement)
		out, code := strongroom(t, nil, "audit", "verify", "--data-dir", dir)
		if code != 1 || !strings.Contains(out, "DAMAGED") || !strings.Contains(out, tc.words) {
			t.Errorf("%s: exit code %d, want 1 and %q:\n%s", tc.name, code, tc.words, out)
		}
	}
	for name, args := range map[string][]string{
		"no database":  {"--data-dir", t.TempDir()},
		"no root key":  {"--data-dir", i.dataDir, "--root-key", "file:" + filepath.Join(t.TempDir(), "none")},
		"not a store":  {"--data-dir", i.dataDir, "--database", "sqlite:" + writeFile(t, strings.Repeat("garbage!", 4096))},
		"bad settings": {"--data-dir", i.dataDir, "--log-format", "xml"},
	} {
		if out, code := strongroom(t, nil, append([]string{"audit", "verify"}, args...)...); code != 2 {
			t.Errorf("%s: exit code %d, want 2:\n%s", name, code, out)
		}
	}
	if out, code := i.command("audit", "verify"); code != 0 {
		t.Errorf("the original: %d\n%s", code, out)
	}
}

func TestOperatorPagesNeedTheTokenAndTheOperatorListener(t *testing.T) {
	t.Parallel()
	i := start(t)
	pages := []string{"/metrics", "/debug/pprof/", "/debug/pprof/heap", "/debug/pprof/goroutine", "/debug/pprof/cmdline"}
	token := strings.TrimPrefix(i.bearer(), "Bearer ")
	for _, page := range append(pages, "/readyz", "/admin/v1", "/") {
		for name, authorization := range map[string]string{
			"no token": "", "another token": "Bearer " + strings.Repeat("A", len(token)), "the token cut": "Bearer " + token[:len(token)-1],
			"the token bare": token, "the token as password": "Basic " + base64.StdEncoding.EncodeToString([]byte("admin:"+token)), "Bearer alone": "Bearer",
		} {
			if a := i.get(i.admin+page, authorization); a.Status != http.StatusUnauthorized || !json.Valid(a.Body) {
				t.Errorf("%s with %s: %d %s", page, name, a.Status, a.Body)
			}
		}
		if a := i.get(i.admin+page+"?token="+token, ""); a.Status != http.StatusUnauthorized {
			t.Errorf("%s with the token in the URL: %d", page, a.Status)
		}
	}
	for _, page := range pages {
		if a := i.get(i.admin+page, i.bearer()); a.Status != http.StatusOK || len(a.Body) == 0 {
			t.Errorf("%s with the token: %d %s", page, a.Status, a.Body)
		}
		if a := i.get(i.base+page, i.bearer()); a.Status != http.StatusNotFound {
			t.Errorf("%s on the public side: %d", page, a.Status)
		}
	}
	if a := i.get(i.admin+"/graphql?query={__typename}", i.bearer()); a.Status != http.StatusNotFound {
		t.Errorf("the API on the operator side: %d", a.Status)
	}
	if info, err := os.Stat(filepath.Join(i.dataDir, "admin.token")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("admin.token: %v %v", info.Mode(), err)
	}
	if !strings.Contains(i.operator("/metrics"), "\nstrongroom_") {
		t.Error("no metric begins with strongroom_")
	}
}

func TestEveryLogLineIsJSONAndRequestsHaveTheirID(t *testing.T) {
	t.Parallel()
	cmd := exec.Command(binary(t), "serve", "--data-dir", filepath.Join(t.TempDir(), "data"), "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0",
		"--log-format", "json", "--log-level", "debug")
	cmd.Env = cleanEnv()
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	lines := bufio.NewScanner(stderr)
	next := func() map[string]any {
		if !lines.Scan() {
			return nil
		}
		var line map[string]any
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil || line["time"] == nil || line["level"] == nil || line["msg"] == nil {
			t.Errorf("not a JSON log line: %s", lines.Bytes())
		}
		return line
	}
	i := &instance{t: t}
	for line := next(); line != nil && i.base == ""; line = next() {
		if line["msg"] == "ready" {
			i.base = fmt.Sprint("http://", line["api"])
			break
		}
	}
	var answered []string
	for _, query := range []string{`mutation { generateClientEncryptionKey(input: {deviceId: \"a\\tb\"}) { keyId } }`,
		`mutation { generateClientEncryptionKey(input: {deviceId: \"phone\"}) { keyId } }`, `{`, `{ getEncryptionMetricsSummary }`} {
		a, err := i.post("/graphql", "application/json", []byte(`{"query":"`+query+`"}`))
		if err != nil {
			t.Fatal(err)
		}
		answered = append(answered, a.Header.Get("X-Request-Id"))
	}
	for _, path := range []string{"/nowhere", "/readyz"} {
		answered = append(answered, i.get(i.base+path, "").Header.Get("X-Request-Id"))
	}
	_ = cmd.Process.Signal(syscall.SIGTERM)
	var logged []string
	for line := next(); line != nil; line = next() {
		if line["msg"] == "request" {
			logged = append(logged, fmt.Sprint(line["request_id"]))
		}
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("SIGTERM: %v", err)
	}
	if diff := cmp.Diff(answered, logged); diff != "" {
		t.Errorf("request ids (-answered +logged):\n%s", diff)
	}
}

// smallDisk is a file system of so many bytes.
func smallDisk(t testing.TB, size string) string {
	t.Helper()
	dir := t.TempDir()
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size="+size, "tmpfs", dir).CombinedOutput(); err != nil {
		t.Skipf("SKIPPED: no small disk can be mounted, which takes root on Linux: %v %s", err, out)
	}
	t.Cleanup(func() {
		if out, err := exec.Command("umount", dir).CombinedOutput(); err != nil {
			t.Errorf("umount: %v %s", err, out)
		}
	})
	return dir
}

// fillUp takes all space that is left, and returns the file that holds it.
func fillUp(t testing.TB, dir string) string {
	t.Helper()
	f, err := os.CreateTemp(dir, "filler-*")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	path := f.Name()
	for _, size := range []int{64 << 10, 4 << 10, 1} {
		for err = nil; err == nil; {
			_, err = f.Write(make([]byte, size))
		}
		if !errors.Is(err, syscall.ENOSPC) {
			t.Fatal(err)
		}
	}
	return path
}

func TestTheServiceRecoversAfterAFullDisk(t *testing.T) {
	t.Parallel()
	disk := smallDisk(t, "8m")
	i := startOn(t, filepath.Join(disk, "data"))
	k := i.mustIssue(generate, "phone")
	i.expect("set", i.try("setTransactionPin", k, "100000"), "true")
	if i.readiness() != http.StatusOK {
		t.Error("not ready before")
	}
	filler := fillUp(t, disk)

	acknowledged, got := 100000, "true" // the files in being have some room left
	for n := acknowledged + 1; got == "true" && n < 101000; n++ {
		if got = i.try("setTransactionPin", k, fmt.Sprint(n)); got == "true" {
			acknowledged = n
		}
	}
	i.expect("set on a full disk", got, "OVERLOADED")
	i.expect("verify on a full disk", i.try("verifyTransactionPin", k, fmt.Sprint(acknowledged)), "OVERLOADED")
	i.expect("a wrong guess on a full disk", i.try("verifyTransactionPin", k, "000000"), "OVERLOADED")
	await(t, "not ready", 2*time.Second, func() bool { return i.readiness() == http.StatusServiceUnavailable })
	if a := i.get(i.base+"/healthz", ""); a.Status != http.StatusOK {
		t.Errorf("alive: %d", a.Status)
	}
	if !strings.Contains(i.log.String(), "the disk is full: free some space for the database") {
		t.Error("the log does not say that the disk is full")
	}

	if err := os.Remove(filler); err != nil {
		t.Fatal(err)
	}
	await(t, "ready again", 5*time.Second, func() bool { return i.readiness() == http.StatusOK })
	i.expect("what was acknowledged last", i.try("verifyTransactionPin", k, fmt.Sprint(acknowledged)), "true")
	i.expect("set again", i.try("setTransactionPin", k, "999999"), "true")
	i.kill()
	i.run()
	i.expect("after a kill", i.try("verifyTransactionPin", k, "999999"), "true")
	i.auditIntact()

	fillUp(t, disk)
	for got = "true"; got == "true"; {
		got = i.try("setTransactionPin", k, "999999")
	}
	if code := i.stop(); code != 1 || !strings.Contains(i.log.String(), "strongroom: writing metrics and counts: the disk is full: free some space for the database\n") {
		t.Errorf("SIGTERM on a full disk: exit code %d, want 1 and the reason", code)
	}
	fillUp(t, disk) // the stop gave the room of the database's log back
	refused(t, "a start on a full disk", i.dataDir, "the disk is full")
	i.wants(1, "the disk is full or failed: free some space for the database", "migrate", "--status")
}

// A limit on the size of files makes every write above it fail, like a broken disk.
func TestTheServiceRecoversAfterFailedWrites(t *testing.T) {
	t.Parallel()
	i := start(t)
	k := i.mustIssue(generate, "phone")
	i.expect("set", i.try("setTransactionPin", k, "493817"), "true")
	limit := func(bytes uint64) {
		if err := unix.Prlimit(i.cmd.Process.Pid, unix.RLIMIT_FSIZE, &unix.Rlimit{Cur: bytes, Max: unix.RLIM_INFINITY}, nil); err != nil {
			t.Fatal(err)
		}
	}
	limit(4096)
	a, err := i.submit("verifyTransactionPin", k.ID, encrypt(t, k, "493817"))
	i.expect("verify", word("verifyTransactionPin", a, err), "OVERLOADED")
	if a.Status != http.StatusServiceUnavailable {
		t.Errorf("verify is answered with status %d", a.Status)
	}
	await(t, "not ready", 2*time.Second, func() bool { return i.readiness() == http.StatusServiceUnavailable })
	limit(unix.RLIM_INFINITY)
	await(t, "ready again", 5*time.Second, func() bool { return i.readiness() == http.StatusOK })
	i.expect("afterwards", i.try("verifyTransactionPin", k, "493817"), "true")
	i.auditIntact()
}

func TestALostDatabaseFileIsDetectedAndItsReturnToo(t *testing.T) {
	t.Parallel()
	i := start(t)
	k := i.mustIssue(generate, "phone")
	i.expect("set", i.try("setTransactionPin", k, "493817"), "true")
	if i.readiness() != http.StatusOK {
		t.Error("not ready before")
	}
	path := filepath.Join(i.dataDir, "strongroom.db")
	for _, lost := range []string{path, path + "-wal"} {
		if err := os.Rename(lost, lost+".away"); err != nil {
			t.Fatal(err)
		}
		await(t, "not ready without "+filepath.Base(lost), 2*time.Second, func() bool { return i.readiness() == http.StatusServiceUnavailable })
		for operation, secret := range map[string]string{"setTransactionPin": "271828", "verifyTransactionPin": "493817"} {
			i.expect(operation+" without "+filepath.Base(lost), i.try(operation, k, secret), "OVERLOADED")
		}
		if _, err := i.issue(generate, "phone"); err == nil {
			t.Error("a key was issued without a store")
		}
		if _, err := os.Stat(lost); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("something was written in place of the lost file: %v", err)
		}
		if err := os.Rename(lost+".away", lost); err != nil {
			t.Fatal(err)
		}
		await(t, "ready again", 5*time.Second, func() bool { return i.readiness() == http.StatusOK })
		i.expect("after its return", i.try("verifyTransactionPin", k, "493817"), "true")
	}
	i.auditIntact()
	if code := i.stop(); code != 0 {
		t.Errorf("SIGTERM: exit code %d", code)
	}
	i.run()
	i.expect("after a restart", i.try("verifyTransactionPin", k, "493817"), "true")
}
