package e2e

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// Kubernetes mounts the secrets of a pod without root as files of root behind symbolic
// links. A group of the pod can read them.
func TestSecretsMountedForAPodAreAccepted(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("SKIPPED: only root can be another user")
	}
	const user, group = 65532, 2000
	dir := t.TempDir()
	program, data, secrets := filepath.Join(dir, "strongroom"), filepath.Join(dir, "data"), filepath.Join(dir, "secrets")
	text, err := os.ReadFile(binary(t))
	if err != nil {
		t.Fatal(err)
	}
	sh := func(script string) {
		t.Helper()
		cmd := exec.Command("sh", "-ec", script)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", script, err, out)
		}
	}
	if err := os.WriteFile(program, text, 0o755); err != nil {
		t.Fatal(err)
	}
	// openssl's key and certificate are valid for a day.
	sh(`chmod 711 .. .; mkdir -p data secrets/..2026 witness; chown 0:2000 data secrets secrets/..2026; chmod 2775 data; chmod 3777 secrets; chmod 2755 secrets/..2026
		chmod 777 witness # as some provisioners make volumes
		./strongroom root-key create secrets/..2026/root.key
		./strongroom audit checkpoint-key create secrets/..2026/checkpoint.key
		cd secrets/..2026
		token() { openssl rand -base64 32; }
		token >admin.token
		echo "$(token) credential:write" >gateway.token
		echo "whsec_$(token)" >webhook.secret
		token >client.secret
		openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 1 -subj /CN=localhost -keyout tls.key -out tls.crt 2>/dev/null
		chown 0:2000 *; chmod 440 *; cd ..
		ln -s ..2026 ..data; for f in ..2026/*; do ln -s ..data/${f#*/} ${f#*/}; done`)
	serve := func() string {
		t.Helper()
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		cmd := exec.Command(program, "serve", "--data-dir", data, "--root-key", "file:"+secrets+"/root.key", "--checkpoint-interval", "1h",
			"--checkpoint-key", "file:"+secrets+"/checkpoint.key", "--checkpoint-sink", "file:"+data+"/checkpoints",
			"--admin-token-file", secrets+"/admin.token", "--accounts", "gateway", "--gateway-token-file", secrets+"/gateway.token",
			"--webhook-url", "https://hooks.example", "--webhook-secret", "file:"+secrets+"/webhook.secret",
			"--admin-oidc-issuer", "https://login.invalid", "--admin-oidc-audience", "operators", "--admin-oidc-client-id", "console",
			"--admin-oidc-client-secret", "file:"+secrets+"/client.secret", "--admin-url", "https://console.example",
			"--tls-cert", secrets+"/tls.crt", "--tls-key", secrets+"/tls.key", "--admin-tls", "--witness", dir+"/witness/own/witness",
			"--key-pool", "0", "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0")
		cmd.Dir, cmd.Env, cmd.Stderr = dir, cleanEnv(), w
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: user, Gid: user, Groups: []uint32{group}}}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		_ = w.Close()
		var log bytes.Buffer
		for part := make([]byte, 4096); !strings.Contains(log.String(), "msg=ready"); {
			n, err := r.Read(part)
			log.Write(part[:n])
			if err != nil {
				break
			}
		}
		_ = cmd.Process.Signal(syscall.SIGTERM)
		_, _ = io.Copy(&log, r)
		_ = cmd.Wait()
		return log.String()
	}
	if log := serve(); !strings.Contains(log, "msg=ready") {
		t.Errorf("owner root, mode 0440, a group of the process:\n%s", log)
	}
	sh(`test "$(stat -c '%u %a' witness/own)" = "65532 700"`)
	for _, name := range []string{"admin.token", "gateway.token", "webhook.secret", "tls.key", "checkpoint.key"} {
		sh(`chmod 444 secrets/..2026/` + name)
		if log := serve(); strings.Contains(log, "msg=ready") || !strings.Contains(log, name+": permissions 0444 allow other users to read it; run chmod 440 ") {
			t.Errorf("%s, readable by everyone:\n%s", name, log)
		}
		sh(`chmod 440 secrets/..2026/` + name)
	}
	sh(`chmod 444 secrets/..2026/root.key`)
	if log := serve(); !strings.Contains(log, "root.key: permissions 0444 allow other users to read it; run chmod 440 ") {
		t.Errorf("readable by everyone:\n%s", log)
	}
	sh(`chmod 440 secrets/..2026/root.key; chown 4242 secrets/..2026/root.key`)
	if log := serve(); !strings.Contains(log, "root.key: user 4242 owns it and can change it; run chown 65532 ") {
		t.Errorf("a file that another user owns:\n%s", log)
	}
}

func TestAServiceRunByRootRefusesFilesOfOtherUsers(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("SKIPPED: the test needs root")
	}
	dir := t.TempDir()
	settings := filepath.Join(dir, "strongroom.yaml")
	lists, elsewhere := filepath.Join(dir, "lists"), filepath.Join(dir, "elsewhere")
	list, database := filepath.Join(lists, "common"), filepath.Join(elsewhere, "s.db")
	err := errors.Join(os.Mkdir(lists, 0o755), os.Mkdir(elsewhere, 0o700), os.WriteFile(list, []byte("739158\n"), 0o644),
		os.WriteFile(settings, []byte("log-level: info\nblocklist: true\nblocklist-file: "+list+"\ndatabase: sqlite:"+database+"\n"), 0o644))
	if err != nil {
		t.Fatal(err)
	}
	i := start(t, "--config", settings)
	i.stop()
	for what, c := range map[string]struct{ path, want string }{
		"blocklist":             {list, "blocklist-file: " + list + ": user 4242 owns it and can change it, and this process runs as root"},
		"blocklist's directory": {lists, "blocklist-file: in " + lists + ": user 4242 owns this directory"},
		"database":              {database, "database: " + database + ": user 4242 owns it and can change it, and this process runs as root"},
		"database's directory":  {elsewhere, "database: " + elsewhere + ": user 4242 owns it and can replace the files in it"},
		"data directory":        {i.dataDir, "data directory " + i.dataDir + ": user 4242 owns it and can replace the files in it"},
		"root key":              {filepath.Join(i.dataDir, "root.key"), "root.key: user 4242 owns it and can change it"},
		"admin token":           {filepath.Join(i.dataDir, "admin.token"), "admin.token: user 4242 owns it and can change it"},
		"settings":              {settings, "strongroom.yaml: user 4242 owns it and can change it, and this process runs as root"},
		"its directory":         {dir, "in " + dir + ": user 4242 owns this directory"},
	} {
		if err := os.Chown(c.path, 4242, 4242); err != nil {
			t.Fatal(err)
		}
		out, code := strongroom(t, nil, "serve", "--data-dir", i.dataDir, "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0", "--config", settings)
		if code == 0 || !strings.Contains(out, c.want) {
			t.Errorf("%s: exit code %d, want %q:\n%s", what, code, c.want, out)
		}
		if err := os.Chown(c.path, 0, 0); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(elsewhere, 0o777|os.ModeSticky); err != nil { // others could put a write-ahead log there
		t.Fatal(err)
	}
	out, code := strongroom(t, nil, "serve", "--data-dir", i.dataDir, "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0", "--config", settings)
	if want := "database: " + elsewhere + ": permissions 0777 allow other users to replace the files in it"; code == 0 || !strings.Contains(out, want) {
		t.Errorf("a directory as /tmp: exit code %d, want %q:\n%s", code, want, out)
	}
}
