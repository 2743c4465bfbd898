package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

const licencesFile = "THIRD_PARTY_LICENCES.txt"

var licenceName = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|patents|authors-licen[cs]e)([.-].*)?$`)

// writeLicences collects the licences of everything that a binary contains: Go, the
// modules of the linked packages, and third-party files in the source.
func (r *release) writeLicences() error {
	texts := map[string][]byte{}
	root, err := r.text("go", "env", "GOROOT")
	if err != nil {
		return err
	}
	if texts["Go "+r.goVers+": LICENSE"], err = os.ReadFile(filepath.Join(root, "LICENSE")); err != nil {
		return err
	}
	for _, p := range r.platforms {
		if err := r.moduleLicences(p, texts); err != nil {
			return err
		}
	}
	if err := r.embeddedLicences(texts); err != nil {
		return err
	}
	var all bytes.Buffer
	fmt.Fprintf(&all, "Strongroom %s contains software of others. These are their licences.\n", r.version)
	for _, of := range slices.Sorted(maps.Keys(texts)) {
		fmt.Fprintf(&all, "\n%s\n%s\n\n%s\n", strings.Repeat("=", 78), of, bytes.TrimSpace(texts[of]))
	}
	return writeFile(filepath.Join(r.stage, licencesFile), all.Bytes())
}

// moduleLicences adds, for each linked package, the licence files of its directory and
// of the directories above it, up to its module's. It fails if a module has none.
func (r *release) moduleLicences(p platform, texts map[string][]byte) error {
	list, err := command(r.source, p.env(), "go", "list", "-deps", "-f",
		"{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}}\t{{.Dir}}\t{{$.Dir}}{{end}}{{end}}", "./cmd/strongroom")
	if err != nil {
		return err
	}
	has := map[string]bool{}
	for line := range strings.Lines(string(list)) {
		part := strings.Split(strings.TrimSpace(line), "\t")
		if len(part) != 3 {
			continue
		}
		module, root := part[0], part[1]
		for dir := part[2]; strings.HasPrefix(dir, root); dir = filepath.Dir(dir) {
			found, err := licencesIn(dir)
			if err != nil {
				return err
			}
			for name, text := range found {
				inside, err := filepath.Rel(root, filepath.Join(dir, name))
				if err != nil {
					return err
				}
				texts[module+": "+inside] = text
				has[module] = true
			}
		}
		has[module] = has[module] || false
	}
	for module, ok := range has {
		if !ok {
			return fmt.Errorf("%s has no licence file", module)
		}
	}
	return nil
}

func licencesIn(dir string) (map[string][]byte, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	found := map[string][]byte{}
	for _, e := range entries {
		if e.Type().IsRegular() && licenceName.MatchString(e.Name()) && filepath.Ext(e.Name()) != ".go" {
			if found[e.Name()], err = os.ReadFile(filepath.Join(dir, e.Name())); err != nil {
				return nil, err
			}
		}
	}
	return found, nil
}

var embeddedName = regexp.MustCompile(`(?i)licen[cs]es?(\.txt\.gz)?$`)

// embeddedLicences adds the licences of the scripts for browsers, which are in
// directories named third_party.
func (r *release) embeddedLicences(texts map[string][]byte) error {
	return filepath.WalkDir(filepath.Join(r.source, "internal"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Base(filepath.Dir(path)) != "third_party" || !embeddedName.MatchString(d.Name()) {
			return err
		}
		text, err := readPlain(path)
		if err != nil {
			return err
		}
		inside, err := filepath.Rel(r.source, path)
		texts["Pages for browsers: "+strings.TrimSuffix(inside, ".gz")] = text
		return err
	})
}

// readPlain reads a file, which may be compressed.
func readPlain(path string) ([]byte, error) {
	text, err := os.ReadFile(path)
	if err != nil || filepath.Ext(path) != ".gz" {
		return text, err
	}
	z, err := gzip.NewReader(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(z)
}
