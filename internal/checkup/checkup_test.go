package checkup

import (
	"errors"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"strongroom/internal/admin"
	"strongroom/internal/domain"
)

var now = time.Date(2026, 11, 24, 3, 0, 0, 0, time.UTC)

const rsaIssued = `strongroom_keys_issued_total{algorithm="RSA-OAEP-256"}`

// sound is an instance about which there is nothing to say.
func sound() Instance {
	i := Instance{URL: "https://vault-1:8081", Health: admin.Health{Version: "0.9.0", InstanceTime: now, StoreTime: now}, Asked: now, Answered: now.Add(time.Millisecond),
		Metrics: map[string]float64{
			"strongroom_tls_certificate_not_after_seconds": float64(now.Add(90 * 24 * time.Hour).Unix()), "strongroom_backup_last_verified_age_seconds": 3600,
			"strongroom_checkpoint_age_seconds": 60, "strongroom_witness_age_seconds": 1,
			`strongroom_http_connections{listener="api"}`: 10, `strongroom_http_connections_max{listener="api"}`: 4096,
			`strongroom_http_connections{listener="operator"}`: 2, `strongroom_http_connections_max{listener="operator"}`: 64,
			"strongroom_disk_free_bytes": 50 << 30, "strongroom_disk_size_bytes": 100 << 30, rsaIssued: 5,
		}}
	i.Ready.Status = "ready"
	return i
}

func TestEachProblemIsReportedWithARemedy(t *testing.T) {
	for name, tc := range map[string]struct {
		change func(i *Instance)
		check  string
		state  State
		text   string
	}{
		"it does not answer": {func(i *Instance) { i.Err = errors.New("no route to host") }, "server", Bad, "no route to host"},
		"it drains":          {func(i *Instance) { i.Ready.Status = "draining" }, "readiness", Bad, "draining"},
		"a root key does not open": {func(i *Instance) {
			i.Ready.RootKeys = append(i.Ready.RootKeys, struct {
				Provider string
				Opens    bool
				Reason   string
			}{"vault", false, "denied"})
		}, "root key", Bad, "vault does not open the data keys (denied)"},
		"its clock is behind": {func(i *Instance) {
			i.Health.InstanceTime, i.Health.StoreTime = now.Add(-5*time.Second), now.Add(-5*time.Second)
		}, "clock", Bad, "differ by 5s"},
		"its clock is ahead":            {func(i *Instance) { i.Health.InstanceTime, i.Health.StoreTime = now.Add(time.Hour), now.Add(time.Hour) }, "clock", Bad, "differ by 1h0m0s"},
		"the database's clock is ahead": {func(i *Instance) { i.Health.StoreTime = now.Add(3 * time.Second) }, "clock", Bad, "differ by 3s"},
		"a slow answer is no skew": {func(i *Instance) {
			i.Answered = now.Add(time.Minute)
			i.Health.InstanceTime = now.Add(59 * time.Second)
			i.Health.StoreTime = i.Health.InstanceTime
		}, "clock", OK, "agree"},
		"the certificate ends":              {metric("strongroom_tls_certificate_not_after_seconds", float64(now.Add(10*24*time.Hour).Unix())), "certificate", Warning, "another 10 days"},
		"the certificate ends today":        {metric("strongroom_tls_certificate_not_after_seconds", float64(now.Add(5*time.Hour).Unix())), "certificate", Bad, "another 5 hours"},
		"the certificate has ended":         {metric("strongroom_tls_certificate_not_after_seconds", float64(now.Add(-time.Hour).Unix())), "certificate", Bad, "has expired"},
		"no backup was verified":            {without("strongroom_backup_last_verified_age_seconds"), "backup", Warning, "No backup"},
		"the backup is old":                 {metric("strongroom_backup_last_verified_age_seconds", 9*86400), "backup", Warning, "9 days old"},
		"no checkpoints":                    {without("strongroom_checkpoint_age_seconds"), "checkpoints", Warning, "No checkpoints"},
		"checkpoints stopped":               {metric("strongroom_checkpoint_age_seconds", 2*86400), "checkpoints", Bad, "2 days old"},
		"no witness":                        {without("strongroom_witness_age_seconds"), "witness", Warning, "no witness"},
		"the witness is away":               {metric("strongroom_witness_age_seconds", 90), "witness", Bad, "1m30s ago"},
		"the disk fills":                    {metric("strongroom_disk_free_bytes", 10<<30), "disk", Warning, "10240 of 102400 MiB"},
		"the disk is almost full":           {metric("strongroom_disk_free_bytes", 1<<29), "disk", Bad, "512 of 102400 MiB"},
		"the database is on another server": {without("strongroom_disk_free_bytes"), "disk", OK, "on another server"},
		"counts are not written":            {metric("strongroom_audit_lag_seconds", 600), "audit trail", Bad, "10m0s"},
		"a row was edited":                  {metric("strongroom_tampering_total", 2), "edited rows", Bad, "2 times"},
		"connections are few":               {metric(`strongroom_http_connections{listener="api"}`, 4000), "capacity", Warning, "4000 of 4096 connections to the API"},
		"operators' connections are few":    {metric(`strongroom_http_connections{listener="operator"}`, 60), "capacity", Warning, "60 of 64 connections to the operator listener"},
		"events were set aside":             {metric("strongroom_webhook_dead_letters", 3), "webhook", Warning, "3 events"},
		"only HPKE, and RSA is used":        {rsaKeys(3, false, nil), "key algorithms", Warning, "use it (active keys: 3)."},
		"only HPKE, and RSA is used much":   {rsaKeys(200_000, true, nil), "key algorithms", Warning, "use it (active keys: at least 200000)."},
		"only HPKE, and RSA is not counted": {rsaKeys(0, false, errors.New("no database")), "key algorithms", Warning, "could not be counted: no database."},
		"only HPKE, and RSA is not used":    {rsaKeys(0, false, nil), "key algorithms", OK, "no device uses it"},
		"a posture check is off": {func(i *Instance) {
			i.Posture = []domain.PostureCheck{{Name: "known-callers", Required: true, State: domain.CheckOff}, {Name: "x", State: domain.CheckOff}}
		}, "posture", Warning, "off: known-callers."},
		"an instance is older": {func(i *Instance) { i.Health.Version = "0.8.0" }, "version", Warning, "0.8.0 (https://vault-2:8081), 0.9.0 (https://vault-1:8081, this command)"},
	} {
		t.Run(name, func(t *testing.T) {
			other := sound()
			other.URL = "https://vault-2:8081"
			tc.change(&other)
			for _, f := range Of([]Instance{sound(), other}, "0.9.0", now) {
				concerned := f.Check == tc.check && (f.Where == other.URL || f.Where == "all")
				switch {
				case concerned && (f.State != tc.state || !strings.Contains(f.Text, order(tc.text))):
					t.Errorf("%+v, want %s and %q", f, tc.state, tc.text)
				case !concerned && f.State != OK:
					t.Errorf("%+v, although nothing is wrong with it", f)
				case concerned && f.Check == "root key" && !strings.Contains(f.Remedy, "just rotated"):
					t.Errorf("%+v: after a rotation a restart is the remedy", f)
				case (f.State == OK) != (f.Remedy == ""):
					t.Errorf("%+v: only a state other than OK must have a remedy", f)
				}
			}
		})
	}
}

// rsaKeys makes a server offer no RSA, and its database have n active keys of RSA.
func rsaKeys(n int64, more bool, err error) func(*Instance) {
	return func(i *Instance) {
		delete(i.Metrics, rsaIssued)
		i.RSAKeys.Selected, i.RSAKeys.SelectedMore, i.RSAKeysErr = n, more, err
	}
}

// order is the text with the instances of one version in their order.
func order(text string) string {
	return strings.Replace(text, "https://vault-1:8081, this command", "this command, https://vault-1:8081", 1)
}

func metric(name string, value float64) func(*Instance) {
	return func(i *Instance) { i.Metrics[name] = value }
}

func without(name string) func(*Instance) { return func(i *Instance) { delete(i.Metrics, name) } }

// A metric that is renamed, or a page that is moved, would make findings wrong in silence.
func TestTheMetricsAndPagesExist(t *testing.T) {
	read := func(path string) string {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	source, metrics := read("checkup.go"), read("../../docs/reference/metrics.md")
	for _, m := range regexp.MustCompile(`"(strongroom_[a-z_]+)"`).FindAllStringSubmatch(source, -1) {
		if !strings.Contains(metrics, "`"+m[1]+"`") {
			t.Errorf("there is no metric %s", m[1])
		}
	}
	pages := regexp.MustCompile(`"([a-z/-]+\.md)(?:#([a-z]+))?"`).FindAllStringSubmatch(source, -1)
	for _, m := range pages {
		if page := read("../../docs/" + m[1]); m[2] != "" && !strings.Contains(strings.ToLower(page), "\n## "+m[2]+"\n") {
			t.Errorf("docs/%s has no section %s", m[1], m[2])
		}
	}
	if len(pages) < 10 {
		t.Errorf("%d pages were looked at", len(pages))
	}
}

func TestMetricsAreReadByLabelsAndAddedUp(t *testing.T) {
	got, err := Metrics(strings.NewReader("# TYPE a counter\na{x=\"1\"} 2\na{x=\"2\"} 3\n# TYPE b gauge\nb 0.5\n# TYPE h histogram\nh_bucket{le=\"+Inf\"} 1\nh_sum 1\nh_count 1\n"))
	if err != nil || got["a"] != 5 || got[`a{x="1"}`] != 2 || got["b"] != 0.5 {
		t.Errorf("%v, %v", got, err)
	}
	if _, err := Metrics(strings.NewReader("<html>")); err == nil {
		t.Error("a page of something else was read")
	}
}
