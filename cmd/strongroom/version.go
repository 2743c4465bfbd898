package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

const version = "0.4.0"

type versionCmd struct{}

func (versionCmd) Run(p *process) error {
	fmt.Fprintf(p.stdout, "strongroom %s%s %s %s/%s\n", version, revision(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return nil
}

// revision is the commit that the binary was built from, where it knows.
func revision() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			return "+" + s.Value[:min(12, len(s.Value))]
		}
	}
	return ""
}
