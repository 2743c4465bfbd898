package config

import (
	"bytes"
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The Helm chart takes each setting under its YAML key, and refuses all other names and
// those that it sets itself.
func TestTheChartTakesEachSettingOnce(t *testing.T) {
	const chart = "../../deploy/helm/strongroom/"
	text, err := os.ReadFile(chart + "values.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	var schema struct {
		Properties struct {
			Settings struct{ Properties map[string]any }
		}
	}
	if err := json.Unmarshal(text, &schema); err != nil {
		t.Fatal(err)
	}
	var taken []string
	for name := range schema.Properties.Settings.Properties {
		taken = append(taken, name)
	}
	helpers, err := os.ReadFile(chart + "templates/_helpers.tpl")
	if err != nil {
		t.Fatal(err)
	}
	_, helpers, _ = bytes.Cut(helpers, []byte(`define "strongroom.secretFiles"`))
	helpers, _, _ = bytes.Cut(helpers, []byte(`define "strongroom.databaseEnv"`))
	var own []string
	for _, m := range regexp.MustCompile(`(?m)^([a-z-]+): |^(root-key):$|setting: ([a-z-]+),`).FindAllSubmatch(helpers, -1) {
		own = append(own, string(slices.Concat(m[1], m[2], m[3])))
	}
	slices.Sort(own)
	taken = append(taken, slices.Compact(own)...)
	slices.Sort(taken)
	var want []string
	for _, s := range settings {
		want = append(want, s.name)
	}
	slices.Sort(want)
	if diff := cmp.Diff(want, taken); diff != "" {
		t.Errorf("settings of values.schema.json and of _helpers.tpl together (-want +got):\n%s", diff)
	}
}
