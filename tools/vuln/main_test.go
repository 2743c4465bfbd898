package main

import (
	"os"
	"strings"
	"testing"
	"time"
)

const output = `{"config":{}}
{"osv":{"id":"GO-1","summary":"a contained one"}}
{"finding":{"osv":"GO-1","fixed_version":"v1.2.0","trace":[{"module":"m"}]}}
{"finding":{"osv":"GO-1","fixed_version":"v1.2.0","trace":[{"module":"m","package":"m/p","function":"F"}]}}
{"osv":{"id":"GO-2"}}
{"finding":{"osv":"GO-2","trace":[{"module":"n","package":"n/p"}]}}
`

func TestOnlyAcceptedVulnerabilitiesPass(t *testing.T) {
	found, others, err := read(strings.NewReader(output))
	if err != nil || len(found) != 1 || found["GO-1"].summary != "a contained one" || others != 1 {
		t.Fatalf("%v, %d, %v", found, others, err)
	}
	for list, passes := range map[string]bool{
		"":                               false,
		"GO-2 2026-03-01 another":        false,
		"GO-1 2026-03-01 why":            true,
		"# words\n\nGO-1 2026-02-27 why": false, // ended yesterday
		"GO-1 2026-02-28 why":            true,  // the last day
	} {
		accepted, err := parse(strings.NewReader(list))
		if err != nil {
			t.Fatal(err)
		}
		err = judge(found, accepted, "go1.26.9", time.Date(2026, 2, 28, 12, 0, 0, 0, time.UTC))
		if (err == nil) != passes {
			t.Errorf("%q: %v", list, err)
		}
	}
}

func TestALineWithoutADateOrAReasonIsRefused(t *testing.T) {
	for _, list := range []string{"GO-1", "GO-1 because", "GO-1 2026-02-30 why", "GO-1 2026-02-27"} {
		if _, err := parse(strings.NewReader(list)); err == nil {
			t.Errorf("%q is accepted", list)
		}
	}
}

func TestVulnerabilitiesThatTheGoOfReleasesFixedPass(t *testing.T) {
	for fixed, passes := range map[string]bool{"v1.25.12": true, "v1.26.9": true, "v1.26.10": false, "v1.27.1": false, "": false} {
		found := map[string]vulnerability{"GO-1": {module: "stdlib", fixed: fixed}}
		if err := judge(found, nil, "go1.26.9", time.Now()); (err == nil) != passes {
			t.Errorf("fixed in %q: %v", fixed, err)
		}
	}
	found := map[string]vulnerability{"GO-1": {module: "golang.org/x/net", fixed: "v0.1.0"}}
	if judge(found, nil, "go1.26.9", time.Now()) == nil {
		t.Error("a vulnerability of a module passes because of the version of Go")
	}
}

func TestTheImageIsBuiltWithTheGoOfReleases(t *testing.T) {
	released, err := toolchain("../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("../../deploy/compose/Dockerfile")
	if err != nil {
		t.Fatal(err)
	}
	if from := "FROM golang:" + strings.TrimPrefix(released, "go") + "-"; !strings.Contains(string(text), from) {
		t.Errorf("deploy/compose/Dockerfile has no line that begins with %q", from)
	}
}
