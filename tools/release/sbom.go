package main

import (
	"bytes"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	cdx "github.com/CycloneDX/cyclonedx-go"
)

// writeSBOMs writes a bill of materials for each binary, from the build information in the
// binary.
func (r *release) writeSBOMs() error {
	browser, err := r.browserComponents()
	if err != nil {
		return err
	}
	for _, p := range r.platforms {
		bom, err := r.sbom(p, browser)
		if err != nil {
			return err
		}
		var b bytes.Buffer
		if err := cdx.NewBOMEncoder(&b, cdx.BOMFileFormatJSON).SetPretty(true).EncodeVersion(bom, cdx.SpecVersion1_6); err != nil {
			return err
		}
		if err := writeFile(filepath.Join(r.out, r.name(p)+".cdx.json"), b.Bytes()); err != nil {
			return err
		}
	}
	return nil
}

// name returns the name of all files of a platform, without their extensions.
func (r *release) name(p platform) string { return "strongroom_" + r.version + "_" + p.String() }

func (r *release) sbom(p platform, more []cdx.Component) (*cdx.BOM, error) {
	info, err := buildinfo.ReadFile(r.binary(p))
	if err != nil {
		return nil, err
	}
	sum, err := sha256Of(r.binary(p))
	if err != nil {
		return nil, err
	}
	self := cdx.Component{BOMRef: "strongroom", Type: cdx.ComponentTypeApplication, Name: "strongroom", Version: r.version,
		Description: "Credential vault, for " + p.os + "/" + p.arch,
		Hashes:      &[]cdx.Hash{{Algorithm: cdx.HashAlgoSHA256, Value: sum}},
		Licenses:    &cdx.Licenses{{License: &cdx.License{ID: "Apache-2.0"}}}}
	components := []cdx.Component{goComponent("std", strings.TrimPrefix(r.goVers, "go"), "")}
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		components = append(components, goComponent(m.Path, m.Version, m.Sum))
	}
	components = append(components, more...)
	refs := make([]string, len(components))
	for i, c := range components {
		refs[i] = c.BOMRef
	}
	bom := cdx.NewBOM()
	bom.SerialNumber = "urn:uuid:" + uuidOf(sum)
	bom.Metadata = &cdx.Metadata{Timestamp: r.date.Format(time.RFC3339), Component: &self}
	bom.Components = &components
	bom.Dependencies = &[]cdx.Dependency{{Ref: self.BOMRef, Dependencies: &refs}}
	return bom, nil
}

func goComponent(path, version, sum string) cdx.Component {
	url := "pkg:golang/" + path + "@" + version
	c := cdx.Component{BOMRef: url, Type: cdx.ComponentTypeLibrary, Name: path, Version: version, PackageURL: url}
	if sum != "" {
		c.Properties = &[]cdx.Property{{Name: "go:sum", Value: sum}}
	}
	return c
}

var (
	npmHeading   = regexp.MustCompile(`(?m)^(@?[A-Za-z0-9_./-]+) ([0-9][0-9A-Za-z.-]*) \(([^)]+)\)$`)
	uplotHeading = regexp.MustCompile(`uPlot \(v([0-9.]+)\)`)
)

// browserComponents returns the scripts in the pages for browsers, from the licence files
// that are served with them.
func (r *release) browserComponents() ([]cdx.Component, error) {
	list, err := readPlain(filepath.Join(r.source, "internal/sandbox/third_party/licences.txt.gz"))
	if err != nil {
		return nil, err
	}
	plot, err := os.ReadFile(filepath.Join(r.source, "internal/console/third_party/uplot.js"))
	if err != nil {
		return nil, err
	}
	version := uplotHeading.FindSubmatch(plot)
	found := npmHeading.FindAllSubmatch(list, -1)
	if version == nil || found == nil {
		return nil, fmt.Errorf("the names of the scripts for browsers were not found")
	}
	components := []cdx.Component{npmComponent("uplot", string(version[1]), "MIT")}
	for _, m := range found {
		components = append(components, npmComponent(string(m[1]), string(m[2]), string(m[3])))
	}
	return components, nil
}

func npmComponent(name, version, licence string) cdx.Component {
	url := "pkg:npm/" + strings.Replace(name, "@", "%40", 1) + "@" + version
	return cdx.Component{BOMRef: url, Type: cdx.ComponentTypeLibrary, Name: name, Version: version, PackageURL: url,
		Licenses: &cdx.Licenses{{License: &cdx.License{Name: licence}}}}
}

// uuidOf returns a UUID of version 8 from a checksum, so that the same bytes get the same
// UUID.
func uuidOf(sum string) string {
	b := []byte(sum[:32])
	b[12], b[16] = '8', 'a'
	return fmt.Sprintf("%s-%s-%s-%s-%s", b[:8], b[8:12], b[12:16], b[16:20], b[20:])
}

func sha256Of(path string) (string, error) {
	content, err := os.ReadFile(path)
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:]), err
}
