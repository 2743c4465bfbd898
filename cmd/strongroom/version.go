package main

import (
	_ "embed"
	"regexp"
	"runtime/debug"
)

// version is the newest one in CHANGELOG.md. For a pre-release, the linker sets another one.
var version = "0.20.0"

// archived is the commit of a source archive: git archive puts it into the
// file. A build without Git can write one there.
//
//go:embed commit.txt
var archived string

// commit returns the first 12 digits of the commit that the binary was built from, with
// the suffix -dirty if files had been changed, or "unknown".
func commit() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return commitOf(nil, archived)
	}
	return commitOf(info.Settings, archived)
}

func commitOf(build []debug.BuildSetting, archived string) string {
	found, dirty := commitForm.FindString(archived), ""
	for _, s := range build {
		switch {
		case s.Key == "vcs.revision":
			found = commitForm.FindString(s.Value)
		case s.Key == "vcs.modified" && s.Value == "true":
			dirty = "-dirty"
		}
	}
	if found == "" {
		return "unknown"
	}
	return found[:12] + dirty
}

var commitForm = regexp.MustCompile(`^[0-9a-f]{12,64}\b`)
