package main

import (
	"encoding/json"
	"path/filepath"
)

// The provenance is an in-toto statement in the SLSA format, without times, so that it is
// the same in every build of the release. The signature of SHA256SUMS covers it.
type (
	statement struct {
		Type          string     `json:"_type"`
		Subject       []resource `json:"subject"`
		PredicateType string     `json:"predicateType"`
		Predicate     predicate  `json:"predicate"`
	}
	resource struct {
		Name   string            `json:"name,omitempty"`
		URI    string            `json:"uri,omitempty"`
		Digest map[string]string `json:"digest,omitempty"`
	}
	predicate struct {
		BuildDefinition buildDefinition `json:"buildDefinition"`
		RunDetails      runDetails      `json:"runDetails"`
	}
	buildDefinition struct {
		BuildType            string            `json:"buildType"`
		ExternalParameters   map[string]string `json:"externalParameters"`
		ResolvedDependencies []resource        `json:"resolvedDependencies"`
	}
	runDetails struct {
		Builder map[string]string `json:"builder"`
	}
)

const buildType = "urn:strongroom:make-release:v1"

func (r *release) writeProvenance() error {
	subjects, err := r.sums()
	if err != nil {
		return err
	}
	s := statement{
		Type:          "https://in-toto.io/Statement/v1",
		PredicateType: "https://slsa.dev/provenance/v1",
		Predicate: predicate{
			BuildDefinition: buildDefinition{
				BuildType:          buildType,
				ExternalParameters: map[string]string{"command": "make release VERSION=" + r.version, "version": r.version},
				ResolvedDependencies: []resource{
					{Name: "source", Digest: map[string]string{"gitCommit": r.commit}},
					{Name: "go", URI: "pkg:golang/toolchain@" + r.goVers},
				},
			},
			RunDetails: runDetails{Builder: map[string]string{"id": buildType}},
		},
	}
	for _, f := range subjects {
		s.Subject = append(s.Subject, resource{Name: f.name, Digest: map[string]string{"sha256": f.sum}})
	}
	for _, name := range []string{"go.sum", "tools/go.sum"} { // the digests of all modules
		sum, err := sha256Of(filepath.Join(r.source, name))
		if err != nil {
			return err
		}
		dependencies := &s.Predicate.BuildDefinition.ResolvedDependencies
		*dependencies = append(*dependencies, resource{Name: name, Digest: map[string]string{"sha256": sum}})
	}
	text, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return err
	}
	return writeFile(filepath.Join(r.out, "strongroom_"+r.version+"_provenance.intoto.json"), append(text, '\n'))
}
