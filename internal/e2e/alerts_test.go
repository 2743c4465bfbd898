package e2e

import (
	"encoding/json"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/goccy/go-yaml"
)

// series are the series of scrapes: the metric's name and its labels.
type series []map[string]string

const metricName = "__name__"

var (
	sampleLine = regexp.MustCompile(`(?m)^(\w+)(?:\{(.*)\})? \S+$`)
	labelValue = regexp.MustCompile(`(\w+)="((?:[^"\\]|\\.)*)"`)
)

func parseScrape(text string) (all series) {
	for _, line := range sampleLine.FindAllStringSubmatch(text, -1) {
		one := map[string]string{metricName: line[1]}
		for _, l := range labelValue.FindAllStringSubmatch(line[2], -1) {
			one[l[1]] = l[2]
		}
		all = append(all, one)
	}
	return all
}

// question is where a query is asked, and what else its answer is used for.
type question struct{ where, expr, labels string }

func questions(t *testing.T) (all []question) {
	t.Helper()
	read := func(name string, unmarshal func([]byte, any) error, into any) {
		text, err := os.ReadFile("../../deploy/" + name)
		if err == nil {
			err = unmarshal(text, into)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	var rules struct {
		Groups []struct {
			Rules []struct {
				Alert, Expr string
				Annotations map[string]string
			}
		}
	}
	read("prometheus/strongroom.rules.yaml", func(b []byte, v any) error { return yaml.Unmarshal(b, v) }, &rules)
	for _, g := range rules.Groups {
		for _, r := range g.Rules { // a recording rule has no alert
			all = append(all, question{r.Alert, r.Expr, r.Annotations["summary"]})
		}
	}
	var dashboard struct {
		Panels []struct {
			Title   string
			Targets []struct{ Expr, LegendFormat string }
		}
	}
	read("grafana/strongroom.json", json.Unmarshal, &dashboard)
	for _, p := range dashboard.Panels {
		for _, q := range p.Targets {
			all = append(all, question{p.Title, q.Expr, q.LegendFormat})
		}
	}
	return all
}

var (
	selector  = regexp.MustCompile(`\b((?:strongroom|process|go)_[a-z0-9_]+)(?:\{([^}]*)\})?`)
	matcher   = regexp.MustCompile(`(\w+)(=~|!~|!=|=)"([^"]*)"`)
	grouping  = regexp.MustCompile(`\b(?:by|on|without) \(([^)]*)\)`)
	shown     = regexp.MustCompile(`\{\{ ?(?:\$labels\.)?(\w+) ?\}\}`)
	ofScrapes = []string{"job", "instance", "le"} // labels that Prometheus adds, and that of buckets
)

// check holds a question against what a scrape has: each metric with the
// labels that are asked of it, each value of theirs, and the labels by which
// the answer is put together or shown.
func (all series) check(t *testing.T, q question) {
	t.Helper()
	labels := slices.Clone(ofScrapes)
	for _, s := range selector.FindAllStringSubmatch(q.expr, -1) {
		if !slices.ContainsFunc(all, func(one map[string]string) bool { return one[metricName] == s[1] }) {
			t.Errorf("%s: nothing has the metric %s", q.where, s[1])
			continue
		}
		for _, one := range all {
			if one[metricName] == s[1] {
				for label := range one {
					labels = append(labels, label)
				}
			}
		}
		for _, m := range matcher.FindAllStringSubmatch(s[2], -1) {
			if slices.Contains(ofScrapes, m[1]) {
				continue
			}
			for _, value := range alternatives(m[2], m[3]) {
				if !all.has(s[1], m[1], value) {
					t.Errorf("%s: no %s has %s=%q", q.where, s[1], m[1], value)
				}
			}
		}
	}
	for _, g := range grouping.FindAllStringSubmatch(q.expr, -1) {
		for label := range strings.SplitSeq(g[1], ",") {
			if label = strings.TrimSpace(label); !slices.Contains(labels, label) {
				t.Errorf("%s: no series of the query has the label %s", q.where, label)
			}
		}
	}
	for _, s := range shown.FindAllStringSubmatch(q.labels, -1) {
		if !slices.Contains(labels, s[1]) {
			t.Errorf("%s: shows the label %s, which no series of the query has", q.where, s[1])
		}
	}
}

// alternatives are the values that a matcher names, as expressions.
func alternatives(operator, value string) []string {
	if operator == "=" || operator == "!=" {
		return []string{regexp.QuoteMeta(value)}
	}
	if strings.ContainsAny(value, "()") {
		return []string{value}
	}
	return strings.Split(value, "|")
}

func (all series) has(metric, label, value string) bool {
	whole := regexp.MustCompile("^(?:" + value + ")$")
	return slices.ContainsFunc(all, func(one map[string]string) bool {
		return one[metricName] == metric && whole.MatchString(one[label])
	})
}

// The services have a store of each kind, tokens, TLS, checkpoints and a verified backup,
// so every metric exists.
func TestMetricsOfAlertsAndPanelsAreScraped(t *testing.T) {
	t.Parallel()
	key := filepath.Join(t.TempDir(), "checkpoint.key")
	if out, err := exec.Command(binary(t), "audit", "checkpoint-key", "create", key).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	device := start(t, "--checkpoint-key", "file:"+key, "--checkpoint-sink", "file:"+key+".signed", "--checkpoint-interval", "10m")
	device.mustRoot(nil, "backup", key+".backup", "--data-dir", device.dataDir)
	device.mustRoot(nil, "backup", "verify", key+".backup", "--data-dir", device.dataDir, "--note")
	await(t, "the service knows that a backup was verified", 20*time.Second, func() bool {
		return strings.Contains(device.operator("/metrics"), "strongroom_backup_last_verified_age_seconds ")
	})
	certificates, provider := newCertificates(t), newProvider(t)
	secured, _ := certificates.serve(provider.flags()...)
	shared := startCluster(t, 1).all()[0]
	var text string
	for _, i := range []*instance{device, secured, shared} {
		scrape := i.operator("/metrics")
		checkMetrics(t, scrape)
		text += scrape
	}
	all := parseScrape(text)
	for _, want := range []string{
		`strongroom_key_set_keys{issuer="` + tokenIssuer + `"} 1`,
		`strongroom_token_cache_lookups_total{result="hit"} 0`,
		`strongroom_store_connections_max 16`,
	} {
		if !strings.Contains(text, "\n"+want+"\n") {
			t.Errorf("the scrapes lack %s", want)
		}
	}
	ends := regexp.MustCompile(`(?m)^strongroom_tls_certificate_not_after_seconds (\S+)$`).FindStringSubmatch(text)
	if ends == nil {
		t.Fatal("the metrics do not say when the certificate expires")
	}
	if at, err := strconv.ParseFloat(ends[1], 64); err != nil || math.Abs(at-float64(time.Now().Add(80*24*time.Hour).Unix())) > 600 {
		t.Errorf("the certificate of 80 days expires at %s", ends[1])
	}
	asked := questions(t)
	for _, q := range asked {
		all.check(t, q)
	}
	if len(asked) < 100 {
		t.Errorf("only %d questions were found", len(asked))
	}
}

func TestAScrapeCountsTheOperationsOfADevice(t *testing.T) {
	i := start(t, "--replay-protection")
	k := i.mustIssue(generate, "phone")
	i.mustIssue(generate, "phone")
	i.expect("set", i.try("setTransactionPin", k, "493817"), "true")
	i.expect("right", i.try("verifyTransactionPin", k, "493817"), "true")
	i.expect("wrong", i.try("verifyTransactionPin", k, "111111"), "false")
	ciphertext := encrypt(t, k, "493817")
	for _, want := range []string{"true", "CIPHERTEXT_REUSED"} {
		a, err := i.submit("verifyTransactionPin", k.ID, ciphertext)
		i.expect("the same ciphertext", word("verifyTransactionPin", a, err), want)
	}
	scrape := i.operator("/metrics")
	for _, want := range []string{
		`strongroom_operations_total{operation="generateClientEncryptionKey",outcome="ok"} 2`,
		`strongroom_operations_total{operation="verifyTransactionPin",outcome="CIPHERTEXT_REUSED"} 1`,
		`strongroom_operations_total{operation="verifyTransactionPin",outcome="mismatch"} 1`,
		`strongroom_operations_total{operation="verifyTransactionPin",outcome="ok"} 2`,
		`strongroom_operation_seconds_count{operation="verifyTransactionPin"} 4`,
		`strongroom_tries_total{type="TRANSACTION_PIN",verdict="match"} 2`,
		`strongroom_tries_total{type="TRANSACTION_PIN",verdict="mismatch"} 1`,
		`strongroom_oaep_variant_total{variant="sha256"} 4`,
		`strongroom_oaep_variant_total{variant="sha1"} 0`,
		`strongroom_lane_work_seconds_count{work="decrypt"} 4`,
		`strongroom_lane_work_seconds_count{work="argon2id"} 4`,
		`strongroom_lane_wait_seconds_count{lanes="credentials"} 8`,
		`strongroom_lane_wait_seconds_count{lanes="keys"} 1`, // there is no pool here
		`strongroom_key_pool_misses_total 1`,
		`strongroom_key_cache_entries 1`,
		`strongroom_key_cache_lookups_total{result="hit"} 3`,
		`strongroom_http_requests_total{route="/graphql",status="2xx"} 7`,
		`strongroom_document_cache_lookups_total{result="hit"} 4`,
		`strongroom_document_cache_lookups_total{result="miss"} 3`, // generate, set, verify
		`strongroom_root_key_up 1`,
		`strongroom_store_up 1`,
	} {
		if !strings.Contains(scrape, "\n"+want+"\n") {
			t.Errorf("the scrape lacks %s", want)
		}
	}
	if t.Failed() {
		t.Log(scrape)
	}
}
