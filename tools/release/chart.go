package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

const chartDir = "deploy/helm/strongroom"

var versionInChart = regexp.MustCompile(`(?m)^(version|appVersion): .*$`)

// writeChart writes the Helm chart in the format of helm package, with the version of
// the release. It replaces symbolic links in the chart by the files that they name.
func (r *release) writeChart() error {
	var entries []entry
	root := filepath.Join(r.source, chartDir)
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasPrefix(d.Name(), ".") {
			return err
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, path)
		if name == "Chart.yaml" {
			content = versionInChart.ReplaceAll(content, []byte("$1: "+r.version))
		}
		entries = append(entries, entry{name: "strongroom/" + filepath.ToSlash(name), mode: 0o644, content: content})
		return err
	})
	if err != nil {
		return err
	}
	return r.writeTarGz("strongroom-"+r.version+".tgz", entries)
}
