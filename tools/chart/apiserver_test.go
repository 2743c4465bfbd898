//go:build apiserver

package chart

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sigs.k8s.io/yaml"
)

// The soak run selects this file by its build tag. It needs etcd (Debian: etcd-server) in
// the path, and in E2E_APISERVER the kube-apiserver that tools/kubernetes builds.

// TestHelmInstallsTheChartOnARealAPIServer installs, upgrades and removes each value set on
// an API server that enforces Pod Security "restricted". It has no controllers: the test
// creates a pod from each template, and ends each Job.
func TestHelmInstallsTheChartOnARealAPIServer(t *testing.T) {
	c := startCluster(t)
	crds := filepath.Join(module(t, operator, operatorSum), "example/prometheus-operator-crd")
	for _, kind := range []string{"servicemonitors", "prometheusrules"} {
		c.must(http.MethodPost, "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", read(t, filepath.Join(crds, "monitoring.coreos.com_"+kind+".yaml")))
	}
	c.await("/apis/monitoring.coreos.com/v1")
	for name := range values(t) {
		t.Run(name, func(t *testing.T) {
			c := &cluster{t, c.url, c.kubeconfig, c.client}
			c.namespace(name)
			stop := c.endJobs(name)
			defer stop()
			set := []string{"-n", name, "-f", "testdata/" + name + ".values.yaml", "--timeout", "60s"}
			c.helm(append([]string{"install", "strongroom", dir}, set...)...)
			c.podsOf(name)
			c.helm(append([]string{"upgrade", "strongroom", dir, "--set", "drainDelaySeconds=20"}, set...)...)
			c.helm("uninstall", "strongroom", "-n", name)
		})
	}
}

// podsOf creates a pod from each template of the namespace, which the API server refuses
// unless it is restricted.
func (c *cluster) podsOf(namespace string) {
	c.t.Helper()
	pods := 0
	for _, kind := range []string{"deployments", "statefulsets"} {
		var all struct {
			Items []struct {
				Spec struct{ Template object }
			}
		}
		c.decode(c.must(http.MethodGet, "/apis/apps/v1/namespaces/"+namespace+"/"+kind, ""), &all)
		for _, item := range all.Items {
			c.pod(namespace, item.Spec.Template)
			pods++
		}
	}
	if pods != 1 {
		c.t.Errorf("%d templates", pods)
	}
}

// pod creates a pod, and tries the same as root.
func (c *cluster) pod(namespace string, template object) {
	c.t.Helper()
	template["apiVersion"], template["kind"] = "v1", "Pod"
	template["metadata"].(object)["generateName"] = "pod-"
	spec := template["spec"].(object)
	if _, ok := spec["volumes"]; ok { // what the controller of a StatefulSet adds
		for _, claim := range []string{"data", "witness"} {
			if !bytes.Contains(c.text(spec["volumes"]), []byte(`"name":"`+claim+`"`)) && bytes.Contains(c.text(spec["containers"]), []byte(`"name":"`+claim+`"`)) {
				spec["volumes"] = append(list(spec["volumes"]), object{"name": claim, "persistentVolumeClaim": object{"claimName": claim}})
			}
		}
	}
	path := "/api/v1/namespaces/" + namespace + "/pods"
	c.must(http.MethodPost, path, string(c.text(template)))
	spec["securityContext"].(object)["runAsUser"] = 0
	if status, text := c.do(http.MethodPost, path, string(c.text(template))); status != http.StatusForbidden || !strings.Contains(text, `violates PodSecurity \"restricted:latest\"`) {
		c.t.Errorf("a pod of root: %d %s", status, text)
	}
}

// endJobs ends each Job of a namespace as its controller would, after it has created its
// pod, until the function that it returns is called.
func (c *cluster) endJobs(namespace string) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		jobs := "/apis/batch/v1/namespaces/" + namespace + "/jobs"
		ended := map[string]bool{}
		for ; ctx.Err() == nil; time.Sleep(100 * time.Millisecond) {
			var all struct {
				Items []struct {
					Metadata struct{ Name, UID string }
					Spec     struct{ Template object }
				}
			}
			_, text := c.do(http.MethodGet, jobs, "")
			c.decode(text, &all)
			for _, j := range all.Items {
				if ended[j.Metadata.UID] {
					continue
				}
				ended[j.Metadata.UID] = true
				j.Spec.Template["metadata"].(object)["labels"] = object{}
				c.pod(namespace, j.Spec.Template)
				now := time.Now().UTC().Format(time.RFC3339)
				condition := func(of string) object { return object{"type": of, "status": "True", "lastTransitionTime": now} }
				c.must(http.MethodPatch, jobs+"/"+j.Metadata.Name+"/status", string(c.text(object{"status": object{"startTime": now, "completionTime": now,
					"succeeded": 1, "conditions": []object{condition("SuccessCriteriaMet"), condition("Complete")}}})))
			}
		}
	}()
	return func() { cancel(); <-done }
}

// cluster is an API server and etcd.
type cluster struct {
	t          *testing.T
	url        string
	kubeconfig string
	client     *http.Client
}

const token = "the-token-of-the-administrator"

func startCluster(t *testing.T) *cluster {
	t.Helper()
	work := t.TempDir()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	c := &cluster{t: t, url: "https://" + freeAddress(t), kubeconfig: filepath.Join(work, "kubeconfig"),
		client: &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}}} //nolint:gosec // it signs its certificate itself
	for path, text := range map[string]string{
		"service-account.key": string(pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: der})),
		"tokens.csv":          token + ",admin,admin,system:masters\n",
		"kubeconfig": string(c.text(object{"apiVersion": "v1", "kind": "Config", "current-context": "test",
			"clusters": []object{{"name": "test", "cluster": object{"server": c.url, "insecure-skip-tls-verify": true}}},
			"users":    []object{{"name": "test", "user": object{"token": token}}},
			"contexts": []object{{"name": "test", "context": object{"cluster": "test", "user": "test"}}}})),
	} {
		if err := os.WriteFile(filepath.Join(work, path), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	etcd, peers := "http://"+freeAddress(t), "http://"+freeAddress(t)
	c.run("etcd", "--data-dir", filepath.Join(work, "etcd"), "--listen-client-urls", etcd, "--advertise-client-urls", etcd,
		"--listen-peer-urls", peers, "--initial-advertise-peer-urls", peers, "--initial-cluster", "default="+peers)
	_, port, _ := net.SplitHostPort(strings.TrimPrefix(c.url, "https://"))
	c.run(os.Getenv("E2E_APISERVER"), "--etcd-servers", etcd, "--bind-address", "127.0.0.1", "--secure-port", port, "--cert-dir", filepath.Join(work, "certificates"),
		"--token-auth-file", filepath.Join(work, "tokens.csv"), "--authorization-mode", "RBAC", "--service-cluster-ip-range", "10.0.0.0/24",
		"--service-account-issuer", "https://kubernetes.default.svc", "--service-account-key-file", filepath.Join(work, "service-account.key"),
		"--service-account-signing-key-file", filepath.Join(work, "service-account.key"))
	c.await("/readyz")
	return c
}

func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// run starts a program that ends with the test.
func (c *cluster) run(program string, args ...string) {
	c.t.Helper()
	var out bytes.Buffer
	cmd := exec.Command(program, args...)
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		c.t.Fatalf("%s: %v", program, err)
	}
	c.t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		if c.t.Failed() {
			c.t.Logf("%s:\n%s", program, out.Bytes()[max(0, out.Len()-4000):])
		}
	})
}

// await asks until the answer is 200.
func (c *cluster) await(path string) {
	c.t.Helper()
	for end := time.Now().Add(2 * time.Minute); ; time.Sleep(200 * time.Millisecond) {
		status, text := c.do(http.MethodGet, path, "")
		if status == http.StatusOK {
			return
		}
		if time.Now().After(end) {
			c.t.Fatalf("%s: %d %s", path, status, text)
		}
	}
}

// namespace creates a namespace with what its controllers would put into it.
func (c *cluster) namespace(name string) {
	c.t.Helper()
	c.must(http.MethodPost, "/api/v1/namespaces", `{"metadata": {"name": "`+name+`", "labels": {"pod-security.kubernetes.io/enforce": "restricted"}}}`)
	c.must(http.MethodPost, "/api/v1/namespaces/"+name+"/serviceaccounts", `{"metadata": {"name": "default"}}`)
	_, _ = c.do(http.MethodPost, "/apis/scheduling.k8s.io/v1/priorityclasses", `{"metadata": {"name": "critical"}, "value": 1000}`)
}

func (c *cluster) helm(args ...string) {
	c.t.Helper()
	out, err := exec.Command("go", append([]string{"tool", "helm", "--kubeconfig", c.kubeconfig}, args...)...).CombinedOutput()
	if err != nil || strings.Contains(strings.ToLower(string(out)), "would violate") {
		c.t.Fatalf("helm %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	c.t.Logf("helm %s\n%s", strings.Join(args, " "), out)
}

func (c *cluster) must(method, path, body string) string {
	c.t.Helper()
	status, text := c.do(method, path, body)
	if status < 200 || status > 299 {
		c.t.Errorf("%s %s: %d %s", method, path, status, text)
	}
	return text
}

// do sends a request with a body in JSON or YAML.
func (c *cluster) do(method, path, body string) (status int, text string) {
	converted, err := yaml.YAMLToJSON([]byte(body))
	if err != nil {
		return 0, err.Error()
	}
	r, err := http.NewRequestWithContext(context.Background(), method, c.url+path, bytes.NewReader(converted))
	if err != nil {
		return 0, err.Error()
	}
	r.Header.Set("Authorization", "Bearer "+token)
	r.Header.Set("Content-Type", "application/json")
	if method == http.MethodPatch {
		r.Header.Set("Content-Type", "application/merge-patch+json")
	}
	answer, err := c.client.Do(r)
	if err != nil {
		return 0, err.Error()
	}
	defer answer.Body.Close()
	all, err := io.ReadAll(answer.Body)
	if err != nil {
		return 0, err.Error()
	}
	return answer.StatusCode, string(all)
}

func (c *cluster) decode(text string, into any) {
	c.t.Helper()
	if err := json.Unmarshal([]byte(text), into); err != nil {
		c.t.Error(fmt.Errorf("%w: %s", err, text))
	}
}

func (c *cluster) text(of any) []byte {
	text, err := json.Marshal(of)
	if err != nil {
		panic(err) // it was JSON before
	}
	return text
}
