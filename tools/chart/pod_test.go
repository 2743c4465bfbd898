package chart

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"sigs.k8s.io/yaml"
)

const podGroup = 65532 // podUser of the values

// manifest is what these tests read of a rendered document.
type manifest struct {
	Kind string
	Data map[string]string
	Spec struct {
		Template             struct{ Spec pod }
		VolumeClaimTemplates []struct{ Metadata struct{ Name string } }
	}
}

type pod struct {
	SecurityContext struct{ RunAsUser, RunAsGroup, FSGroup uint32 }
	Containers      []struct {
		Args         []string
		Env          []struct{ Name, Value string }
		VolumeMounts []struct{ Name, MountPath string }
	}
	Volumes []struct {
		Name      string
		ConfigMap *struct{}
		EmptyDir  *struct{}
		Projected *struct {
			Sources []struct {
				Secret struct {
					Name  string
					Items []struct{ Key, Path string }
				}
			}
		}
	}
}

func manifests(t *testing.T, text string) map[string]manifest {
	t.Helper()
	all := map[string]manifest{}
	for _, document := range strings.Split(text, "\n---\n") {
		var m manifest
		if err := yaml.Unmarshal([]byte(document), &m); err != nil {
			t.Fatal(err)
		}
		if m.Kind != "ConfigMap" || m.Data["strongroom.yaml"] != "" { // not the dashboard
			all[m.Kind] = m
		}
	}
	return all
}

// binary builds the program that the image would have.
func binary(t *testing.T, to string) string {
	t.Helper()
	build := exec.Command("go", "build", "-C", "../..", "-trimpath", "-ldflags=-s", "-o", to, "./cmd/strongroom")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return to
}

func TestStrongroomAcceptsTheRenderedSettings(t *testing.T) {
	program := binary(t, filepath.Join(t.TempDir(), "strongroom"))
	for name, text := range values(t) {
		got, err := render(t, text)
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), "strongroom.yaml")
		if err := os.WriteFile(path, []byte(manifests(t, got)["ConfigMap"].Data["strongroom.yaml"]), 0o600); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(program, "config", "check", "--config", path)
		cmd.Env = []string{}
		out, err := cmd.CombinedOutput()
		// Exit code 1 says that a check of the posture is off, 2 that a setting is wrong.
		if cmd.ProcessState.ExitCode() > 1 || !strings.Contains(string(out), "posture") {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
	}
}

// Values become a ConfigMap, so the chart refuses the passwords that the program refuses in
// a flag, and no other parameters.
func TestPasswordsAreRefusedAsTheProgramRefusesThem(t *testing.T) {
	program := binary(t, filepath.Join(t.TempDir(), "strongroom"))
	set := values(t)["postgres"]
	for _, c := range []struct {
		query   string
		refused bool
	}{
		{"password=secret", true},
		{"user=u&password=secret", true},
		{"Password=secret", true},
		{"PASSWORD=secret", true},
		{"p%61ssword=secret", true},
		{"%50%41%53%53%57%4f%52%44=secret", true},
		{"%70%61%73%73%77%6F%72%64=secret", true},
		{"password", true},
		{"sslpassword=secret", true},
		{"SSLPassword=secret", true},
		{"ss%6C%50assword=secret", true},
		{"sslmode=verify-full&sslcert=/c&sslkey=/k", false},
		{"port=5433&passfile=/etc/pgpass", false},
		{"application_name=password", false},
		{"passwordless=yes", false},
	} {
		url := "postgres://strongroom@db/strongroom?" + c.query
		cmd := exec.Command(program, "config", "check", "--database", url)
		cmd.Env = []string{}
		out, _ := cmd.CombinedOutput()
		if is := strings.Contains(string(out), "must not contain a password"); is != c.refused {
			t.Errorf("the program refuses %s: %t, want %t\n%s", c.query, is, c.refused, out)
		}
		for _, setting := range []string{"database", "witness"} {
			_, err := render(t, changed(t, set, setting+": {url: '"+url+"'}"))
			if is := err != nil && strings.Contains(err.Error(), "at '/"+setting+"/url'"); is != c.refused || err != nil && !is {
				t.Errorf("the chart refuses %s in %s.url: %t (%v), want %t", c.query, setting, is, err, c.refused)
			}
		}
	}
}

// A pod of the chart on SQLite, as the kubelet makes it: an image with nothing but the
// binary, the pod's user, root's Secrets that the group may read, a volume that the
// group may write to, and another that everybody may, as local-path-provisioner makes it.
func TestAPodOfTheChartStartsAndStartsAgain(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("SKIPPED: only root can be the kubelet")
	}
	text, err := render(t, changed(t, values(t)["sqlite"], "settings: {key-pool: 0}"))
	if err != nil {
		t.Fatal(err)
	}
	all := manifests(t, text)
	p := all["StatefulSet"].Spec.Template.Spec
	root, err := os.MkdirTemp("", "pod-") // t.TempDir is below directories of root's own
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(root) })
	if err := os.Chmod(root, 0o755); err != nil {
		t.Fatal(err)
	}
	program := binary(t, filepath.Join(root, "strongroom"))
	key := filepath.Join(t.TempDir(), "root.key")
	if out, err := exec.Command(program, "root-key", "create", key).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	secrets := map[string]string{
		"strongroom-root-key/root.key":    read(t, key),
		"strongroom-tokens/admin.token":   strings.Repeat("a", 43) + "\n",
		"strongroom-tokens/gateway.token": strings.Repeat("g", 43) + " credential:write\n",
	}
	mount(t, root, p, all["ConfigMap"].Data, secrets)
	for _, claim := range []struct {
		path string
		mode os.FileMode
	}{{"var/lib/strongroom", 0o2775}, {"var/lib/strongroom-witness", 0o777}} {
		volume(t, filepath.Join(root, claim.path), claim.mode)
	}
	for range 2 {
		servePod(t, root, p)
	}
	if _, err := os.Stat(filepath.Join(root, "var/lib/strongroom-witness/data/witness")); err != nil {
		t.Error(err)
	}
}

// mount lays out the volumes of a pod that are no claims.
func mount(t *testing.T, root string, p pod, settings, secrets map[string]string) {
	t.Helper()
	at := map[string]string{}
	for _, m := range p.Containers[0].VolumeMounts {
		at[m.Name] = filepath.Join(root, m.MountPath)
	}
	for _, v := range p.Volumes {
		files := map[string]string{}
		switch {
		case v.ConfigMap != nil:
			files = settings
		case v.Projected != nil:
			for _, s := range v.Projected.Sources {
				for _, item := range s.Secret.Items {
					files[item.Path] = secrets[s.Secret.Name+"/"+item.Key]
				}
			}
		default:
			volume(t, at[v.Name], 0o2777)
			continue
		}
		written := filepath.Join(at[v.Name], "..2026_11_25")
		volume(t, at[v.Name], 0o3777)
		volume(t, written, 0o2755)
		if err := os.Symlink("..2026_11_25", filepath.Join(at[v.Name], "..data")); err != nil {
			t.Fatal(err)
		}
		for name, text := range files {
			path, mode := filepath.Join(written, name), os.FileMode(0o440)
			if v.ConfigMap != nil {
				mode = 0o644
			}
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			own(t, path, mode)
			if err := os.Symlink("..data/"+name, filepath.Join(at[v.Name], name)); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func volume(t *testing.T, path string, mode os.FileMode) {
	t.Helper()
	if err := os.MkdirAll(path, 0o755); err != nil {
		t.Fatal(err)
	}
	own(t, path, mode)
}

// own gives a file to root and the group of the pod.
func own(t *testing.T, path string, mode os.FileMode) {
	t.Helper()
	if err := os.Chown(path, 0, podGroup); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Chmod(path, uint32(mode)); err != nil { // os.Chmod has other bits for setgid
		t.Fatal(err)
	}
}

// servePod runs the container until it is ready, asks its probes, and stops it.
func servePod(t *testing.T, root string, p pod) {
	t.Helper()
	c := p.Containers[0]
	cmd := exec.Command("/strongroom", c.Args...)
	cmd.Dir = "/"
	// On ports of this machine, and without the pause for load balancers.
	cmd.Env = []string{"STRONGROOM_LISTEN=127.0.0.1:0", "STRONGROOM_ADMIN_LISTEN=127.0.0.1:0", "STRONGROOM_DRAIN_DELAY=0"}
	for _, e := range c.Env {
		cmd.Env = append(cmd.Env, e.Name+"="+e.Value)
	}
	s := p.SecurityContext
	cmd.SysProcAttr = &syscall.SysProcAttr{Chroot: root,
		Credential: &syscall.Credential{Uid: s.RunAsUser, Gid: s.RunAsGroup, Groups: []uint32{s.FSGroup}}}
	out, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var said strings.Builder
	for lines := bufio.NewScanner(out); lines.Scan(); {
		said.WriteString(lines.Text() + "\n")
		var line struct{ Msg, API string }
		if json.Unmarshal(lines.Bytes(), &line) == nil && line.Msg == "ready" {
			for _, path := range []string{"/healthz", "/readyz"} {
				if err := get("http://" + line.API + path); err != nil {
					t.Error(err)
				}
			}
			_ = cmd.Process.Signal(syscall.SIGTERM)
		}
	}
	if err := cmd.Wait(); err != nil || !strings.Contains(said.String(), `"msg":"stopped"`) {
		t.Errorf("%v:\n%s", err, said.String())
	}
}

func get(url string) error {
	answer, err := http.Get(url) //nolint:gosec,noctx // a server of this test
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if text, _ := io.ReadAll(answer.Body); answer.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %d %s", url, answer.StatusCode, text)
	}
	return nil
}
