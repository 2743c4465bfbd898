package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"
)

// A real Prometheus scrapes three services at work: each panel of the dashboard has
// something to show. Grafana itself is not part of it.
func TestThePanelsOfTheDashboardHaveData(t *testing.T) {
	t.Parallel()
	need(t, "prometheus")
	const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
	receiver := &sink{t: t, secret: secret, address: "127.0.0.1:0", refuses: true}
	receiver.up()
	t.Cleanup(receiver.down)
	device := startWith(t, []string{"HOOK_SECRET=" + secret, "STRONGROOM_KEY_POOL=2"}, "--replay-protection",
		"--rate-limit-caller", "1000/1s", "--webhook-url", "http://"+receiver.address, "--webhook-secret", "env:HOOK_SECRET", "--webhook-allow", "127.0.0.1")
	provider := newProvider(t)
	certificates := newCertificates(t)
	secured, host := certificates.serve(provider.flags()...)
	https, token := certificates.client(), provider.token("alice", nil)
	shared := startCluster(t, 1).all()[0]
	m := watch(t, "500ms", "", map[string]*instance{"strongroom/device": device, "strongroom/secured": secured, "strongroom/shared": shared})
	await(t, "Prometheus scrapes all of them", 5*time.Second, func() bool {
		up, err := m.query(`up == 1`)
		return err == nil && len(up) == 3
	})
	activity := func(n int) {
		for _, i := range []*instance{device, shared} {
			k := i.mustIssue(generate, fmt.Sprint("phone", n))
			i.mustIssue(rotate, fmt.Sprint("tablet", n))
			i.try(setPIN, k, "493817")
			i.try(verifyPIN, k, "493817")
			i.try(verifyPIN, k, "111111")
			_, _ = i.submit(verifyPIN, k.ID, "AAAA")
		}
		if status := secured.enters("/metrics", "wrong"); status != http.StatusUnauthorized {
			t.Errorf("a wrong token: status %d", status)
		}
		for range 2 {
			r, err := http.NewRequest(http.MethodPost, "https://"+host+"/graphql", strings.NewReader(`{"query":"{ __typename }"}`))
			if err != nil {
				t.Fatal(err)
			}
			r.Header.Set("Authorization", "Bearer "+token)
			r.Header.Set("Content-Type", "application/json")
			resp, err := https.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			resp.Body.Close()
		}
	}
	for n := range 3 {
		activity(n)
		time.Sleep(time.Second) // the data are over time
	}

	text, err := os.ReadFile("../../deploy/grafana/strongroom.json")
	if err != nil {
		t.Fatal(err)
	}
	var dashboard struct {
		Panels []struct {
			Title   string
			Targets []struct{ Expr, LegendFormat string }
		}
	}
	if err := json.Unmarshal(text, &dashboard); err != nil {
		t.Fatal(err)
	}
	variables := strings.NewReplacer("$__rate_interval", "1m", "$job", "strongroom", "$instance", ".+")
	asked := 0
	for _, panel := range dashboard.Panels {
		for _, target := range panel.Targets {
			asked++
			expr := variables.Replace(target.Expr)
			got, err := m.query(expr)
			if err != nil {
				t.Errorf("%s: %s: %v", panel.Title, expr, err)
				continue
			}
			if strings.HasPrefix(target.LegendFormat, "refused {{record}}") {
				continue // it hides what is 0, and no row was edited
			}
			if len(got) == 0 || got[0].Value[1] == "NaN" && len(got) == 1 {
				t.Errorf("%s has nothing to show: %s", panel.Title, expr)
			}
		}
	}
	if asked < 100 {
		t.Errorf("the dashboard asks only %d questions", asked)
	}
	rules, err := m.query(`count({__name__=~"strongroom:.+"})`)
	if err != nil || len(rules) != 1 || fmt.Sprint(rules[0].Value[1]) != "15" {
		t.Errorf("the recording rules give %v, %v; want 15 series", rules, err)
	}
}
