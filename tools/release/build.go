package main

import (
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// platform is what a binary runs on.
type platform struct{ os, arch string }

// platforms are the platforms of the binaries. Windows is not supported, because file
// owners, modes and locks protect a root key, and they work differently there.
var platforms = []platform{{"linux", "amd64"}, {"linux", "arm64"}, {"darwin", "amd64"}, {"darwin", "arm64"}}

// linux returns the platforms of packages and images.
func (r *release) linux() []platform {
	return slices.DeleteFunc(slices.Clone(r.platforms), func(p platform) bool { return p.os != "linux" })
}

func (p platform) String() string { return p.os + "_" + p.arch }

// env returns Go settings that do not depend on the machine.
func (p platform) env() []string {
	return []string{"GOOS=" + p.os, "GOARCH=" + p.arch, "CGO_ENABLED=0", "GOFLAGS=", "GOEXPERIMENT=", "GOFIPS140=off",
		"GOAMD64=v1", "GOARM64=v8.0", "GOWORK=off"}
}

func (r *release) binary(p platform) string {
	return filepath.Join(r.stage, p.String(), "strongroom")
}

// build builds the binaries. They are static. Only the data for debuggers is stripped:
// panics and profiles still name functions and lines.
func (r *release) build() error {
	for _, p := range r.platforms {
		_, err := command(r.source, p.env(), "go", "build", "-trimpath", "-buildvcs=false",
			"-ldflags=-s -w -X main.version="+r.version, "-o", r.binary(p), "./cmd/strongroom")
		if err != nil {
			return err
		}
	}
	return nil
}

// completions has the path of each shell's script in a Linux system.
var completions = map[string]string{
	"bash": "usr/share/bash-completion/completions/strongroom",
	"zsh":  "usr/share/zsh/site-functions/_strongroom",
	"fish": "usr/share/fish/vendor_completions.d/strongroom.fish",
}

// writePages runs the binary for this machine to write its man pages and completions.
func (r *release) writePages() error {
	here := platform{runtime.GOOS, runtime.GOARCH}
	if !slices.Contains(r.platforms, here) {
		return fmt.Errorf("%s: none of the binaries runs on this machine", here)
	}
	man := filepath.Join(r.stage, "usr/share/man/man1")
	if _, err := command(r.stage, nil, r.binary(here), "man", man); err != nil {
		return err
	}
	for shell, path := range completions {
		script, err := command(r.stage, nil, r.binary(here), "completion", shell)
		if err != nil {
			return err
		}
		if err := writeFile(filepath.Join(r.stage, path), script); err != nil {
			return err
		}
	}
	pages, err := filepath.Glob(filepath.Join(man, "*.1"))
	if err != nil {
		return err
	}
	for _, page := range pages {
		if err := compress(page); err != nil {
			return err
		}
	}
	return nil
}

// compress replaces a file by its gzip.
func compress(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var b strings.Builder
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return err
	}
	if _, err := z.Write(text); err != nil {
		return err
	}
	if err := z.Close(); err != nil {
		return err
	}
	if err := os.WriteFile(path+".gz", []byte(b.String()), 0o644); err != nil {
		return err
	}
	return os.Remove(path)
}

func writeFile(path string, content []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, content, 0o644)
}
