package main

import (
	"bytes"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/goreleaser/nfpm/v2"
	_ "github.com/goreleaser/nfpm/v2/deb" // registers itself
	"github.com/goreleaser/nfpm/v2/files"
	_ "github.com/goreleaser/nfpm/v2/rpm" // registers itself
)

func sortedValues(m map[string]string) []string { return slices.Sorted(maps.Values(m)) }

// writePackages writes the Debian and RPM packages.
func (r *release) writePackages() error {
	for _, p := range r.linux() {
		for _, format := range []string{"deb", "rpm"} {
			if err := r.writePackage(p, format); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *release) writePackage(p platform, format string) error {
	contents, err := r.packaged(p, format)
	if err != nil {
		return err
	}
	info := nfpm.WithDefaults(&nfpm.Info{
		Name: "strongroom", Arch: p.arch, Platform: p.os, Version: r.version, Section: "net", Priority: "optional",
		Maintainer: "Strongroom maintainers", Vendor: "Strongroom", License: "Apache-2.0", MTime: r.date,
		Description: "Credential vault behind a mobile app\n" +
			"Strongroom issues key pairs to devices, and verifies passcodes and\n" +
			"transaction PINs under an exact guess limit.",
		DisableGlobbing: true, // file names are not patterns
		Overridables: nfpm.Overridables{
			Contents: contents,
			Umask:    0o022,
			Scripts: nfpm.Scripts{
				PostInstall: filepath.Join(r.source, "deploy/packages/postinstall.sh"),
				PreRemove:   filepath.Join(r.source, "deploy/packages/preremove.sh"),
				PostRemove:  filepath.Join(r.source, "deploy/packages/postremove.sh"),
			},
			RPM: nfpm.RPM{BuildHost: "localhost", Summary: "Credential vault behind a mobile app"},
		},
	})
	if format == "deb" {
		info.Depends, info.Recommends = []string{"passwd"}, []string{"ca-certificates"}
	} else {
		info.Depends, info.Recommends = []string{"/usr/sbin/useradd"}, []string{"ca-certificates"}
	}
	packager, err := nfpm.Get(format)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	if err := packager.Package(info, &b); err != nil {
		return err
	}
	return writeFile(filepath.Join(r.out, packager.ConventionalFileName(info)), b.Bytes())
}

// packaged returns the files of a package.
func (r *release) packaged(p platform, format string) (files.Contents, error) {
	unit, err := r.packagedUnit()
	if err != nil {
		return nil, err
	}
	source := func(path string) string { return filepath.Join(r.source, path) }
	licence, text := "usr/share/doc/strongroom/copyright", source("deploy/packages/copyright")
	if format == "rpm" {
		licence, text = "usr/share/licenses/strongroom/LICENSE", source("LICENSE")
	}
	from := map[string]string{
		"usr/bin/strongroom":                                    r.binary(p),
		"usr/lib/systemd/system/strongroom.service":             unit,
		"usr/lib/sysusers.d/strongroom.conf":                    source("deploy/packages/sysusers.conf"),
		"usr/lib/tmpfiles.d/strongroom.conf":                    source("deploy/packages/tmpfiles.conf"),
		"etc/strongroom/strongroom.yaml":                        source("deploy/packages/strongroom.yaml"),
		"usr/share/doc/strongroom/session.sh":                   source("examples/session.sh"),
		licence:                                                 text,
		filepath.Join("usr/share/doc/strongroom", licencesFile): filepath.Join(r.stage, licencesFile),
	}
	err = filepath.WalkDir(filepath.Join(r.stage, "usr"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		to, err := filepath.Rel(r.stage, path)
		from[to] = path
		return err
	})
	var contents files.Contents
	for _, to := range slices.Sorted(maps.Keys(from)) {
		c := &files.Content{Source: from[to], Destination: "/" + to, FileInfo: &files.ContentFileInfo{Mode: 0o644, Owner: "root", Group: "root", MTime: r.date}}
		switch to {
		case "usr/bin/strongroom":
			c.FileInfo.Mode = 0o755
		case "usr/share/doc/strongroom/session.sh":
			c.FileInfo.Mode = 0o755
		case "etc/strongroom/strongroom.yaml":
			c.Type = files.TypeConfigNoReplace
		}
		contents = append(contents, c)
	}
	return contents, err
}

// packagedUnit writes the systemd unit with the path of a packaged binary.
func (r *release) packagedUnit() (path string, err error) {
	text, err := os.ReadFile(filepath.Join(r.source, "deploy/systemd/strongroom.service"))
	if err != nil {
		return "", err
	}
	path = filepath.Join(r.stage, "strongroom.service")
	return path, writeFile(path, bytes.ReplaceAll(text, []byte("/usr/local/bin/"), []byte("/usr/bin/")))
}
