package chart

import (
	"strings"
	"testing"

	core "k8s.io/api/core/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/pod-security-admission/api"
	"k8s.io/pod-security-admission/policy"
	"sigs.k8s.io/yaml"
)

// The API server enforces Pod Security with the same code.
func TestPodsAreRestricted(t *testing.T) {
	evaluator, err := policy.NewEvaluator(policy.DefaultChecks(), nil)
	if err != nil {
		t.Fatal(err)
	}
	restricted := api.LevelVersion{Level: api.LevelRestricted, Version: api.LatestVersion()}
	forbidden := func(spec *core.PodSpec) string {
		result := policy.AggregateCheckResults(evaluator.EvaluatePod(restricted, &meta.ObjectMeta{}, spec))
		return result.ForbiddenDetail()
	}
	pods := 0
	for name, text := range values(t) {
		got, err := render(t, text)
		if err != nil {
			t.Fatal(err)
		}
		for _, document := range strings.Split(got, "\n---\n") {
			var with struct {
				Kind string
				Spec struct{ Template *core.PodTemplateSpec }
			}
			if err := yaml.Unmarshal([]byte(document), &with); err != nil {
				t.Fatal(err)
			}
			if with.Spec.Template == nil {
				continue
			}
			pods++
			spec := &with.Spec.Template.Spec
			if why := forbidden(spec); why != "" {
				t.Errorf("%s, %s: %s", name, with.Kind, why)
			}
			root := int64(0)
			spec.SecurityContext.RunAsUser = &root
			if forbidden(spec) == "" {
				t.Errorf("%s, %s: a pod of root is not refused", name, with.Kind)
			}
		}
	}
	if pods != 8 { // of the six sets, and the Jobs of two
		t.Errorf("%d pods", pods)
	}
}
