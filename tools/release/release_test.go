package main

import (
	"archive/tar"
	"compress/gzip"
	"crypto/rand"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"aead.dev/minisign"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
)

const repository = "../.."

// made is a release whose binary is only a few bytes. Everything else is real.
func made(t *testing.T) *release {
	t.Helper()
	dir := t.TempDir()
	source, err := filepath.Abs(repository)
	if err != nil {
		t.Fatal(err)
	}
	r := &release{version: "0.9.0-rc.1", commit: strings.Repeat("0123abcd", 5), date: time.Unix(1_700_000_000, 0).UTC(), goVers: "go1.26.8",
		source: source, stage: filepath.Join(dir, "stage"), out: filepath.Join(dir, "dist"), platforms: platforms[:1]}
	put := func(path string, content []byte) {
		if err := writeFile(filepath.Join(r.stage, path), content); err != nil {
			t.Fatal(err)
		}
	}
	put("linux_amd64/strongroom", []byte("binary"))
	put(licencesFile, []byte("licences"))
	put("usr/share/man/man1/strongroom.1.gz", []byte("page"))
	for _, path := range completions {
		put(path, []byte("completion"))
	}
	for _, do := range []func() error{func() error { return emptyDir(r.out) }, r.writeArchives, r.writePackages, r.writeImages, r.writeChart, r.writeProvenance, func() error { return r.writeSums(nil) }} {
		if err := do(); err != nil {
			t.Fatal(err)
		}
	}
	return r
}

func TestTwoBuildsOfOneReleaseAreIdentical(t *testing.T) {
	one, other := made(t), made(t)
	a, err := os.ReadFile(filepath.Join(one.out, sumsFile))
	if err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(filepath.Join(other.out, sumsFile))
	if err != nil {
		t.Fatal(err)
	}
	if string(a) != string(b) {
		t.Errorf("one release\n%s\nand the other\n%s", a, b)
	}
	if n := strings.Count(string(a), "\n"); n != 7 {
		t.Errorf("%d files, want 7:\n%s", n, a)
	}
}

func TestAChangedByteFailsTheDocumentedCheck(t *testing.T) {
	r := &release{version: "0.9.0", commit: strings.Repeat("0123abcd", 5), out: t.TempDir()}
	file := filepath.Join(r.out, "strongroom_0.9.0_linux_amd64.tar.gz")
	if err := os.WriteFile(file, []byte("archive"), 0o600); err != nil {
		t.Fatal(err)
	}
	public, private, err := minisign.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	keyFile := filepath.Join(t.TempDir(), "key")
	text, err := private.MarshalText()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(keyFile, text, 0o600); err != nil {
		t.Fatal(err)
	}
	key, err := readKey(keyFile, "")
	if err != nil {
		t.Fatal(err)
	}
	if err := r.writeSums(key); err != nil {
		t.Fatal(err)
	}
	list, signature := read(t, r.out, sumsFile), read(t, r.out, sumsFile+".minisig")
	if !minisign.Verify(public, list, signature) || !strings.Contains(string(signature), "trusted comment: strongroom 0.9.0, commit 0123abcd") {
		t.Errorf("the signature is not good:\n%s", signature)
	}
	check := func() error {
		cmd := exec.Command("sha256sum", "--check", "--strict", "--ignore-missing", sumsFile)
		cmd.Dir = r.out
		return cmd.Run()
	}
	if err := check(); err != nil {
		t.Errorf("the files as they were made: %v", err)
	}
	if err := os.WriteFile(file, []byte("archivf"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := check(); err == nil {
		t.Error("a changed file was not noticed")
	}
	list[0] ^= 1
	if minisign.Verify(public, list, signature) {
		t.Error("a changed list was not noticed")
	}
}

func read(t *testing.T, dir, name string) []byte {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// The image has what is named here, and neither a shell nor a file that root must write.
func TestTheImageHasTheBinaryAndNoShell(t *testing.T) {
	r := made(t)
	image, err := tarball.ImageFromPath(filepath.Join(r.out, r.name(platforms[0])+".docker.tar"), nil)
	if err != nil {
		t.Fatal(err)
	}
	config, err := image.ConfigFile()
	if err != nil {
		t.Fatal(err)
	}
	if c := config.Config; c.User != "65532:65532" || c.Healthcheck == nil || c.Labels["org.opencontainers.image.revision"] != r.commit {
		t.Errorf("user %q, health check %v, labels %v", c.User, c.Healthcheck, c.Labels)
	}
	var programs []string
	files := tar.NewReader(mutate.Extract(image))
	for {
		h, err := files.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if h.Typeflag == tar.TypeReg && h.Mode&0o111 != 0 {
			programs = append(programs, h.Name)
		}
		if !h.ModTime.Equal(r.date) || h.Mode&0o002 != 0 {
			t.Errorf("%s: time %v, mode %o", h.Name, h.ModTime, h.Mode)
		}
	}
	if len(programs) != 1 || programs[0] != "strongroom" {
		t.Errorf("programs %v, want strongroom alone", programs)
	}
}

// Helm refuses a chart with links that lead out of it.
func TestTheChartHasTheReleaseVersionAndContainsLinkedFiles(t *testing.T) {
	r := made(t)
	f, err := os.Open(filepath.Join(r.out, "strongroom-0.9.0-rc.1.tgz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for in := tar.NewReader(z); ; {
		h, err := in.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(in)
		if err != nil || h.Typeflag != tar.TypeReg {
			t.Errorf("%s: type %c, %v", h.Name, h.Typeflag, err)
		}
		files[h.Name] = string(text)
	}
	if chart := files["strongroom/Chart.yaml"]; strings.Count(chart, "ersion: 0.9.0-rc.1\n") != 2 {
		t.Errorf("its version differs from the release:\n%s", chart)
	}
	if rules := string(read(t, repository, "deploy/prometheus/strongroom.rules.yaml")); files["strongroom/files/strongroom.rules.yaml"] != rules {
		t.Error("the rules differ from those of deploy/prometheus")
	}
}

// A package has no script that could remove data: the words for it are not in them.
func TestPackageScriptsRemoveNothing(t *testing.T) {
	removes := regexp.MustCompile(`\b(rm|rmdir|unlink|shred|userdel|deluser|find|truncate)\b|systemd-tmpfiles`)
	err := filepath.WalkDir(filepath.Join(repository, "deploy/packages"), func(path string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".sh" {
			return err
		}
		text, err := os.ReadFile(path)
		for line := range strings.Lines(string(text)) {
			if !strings.HasPrefix(line, "#") && removes.MatchString(line) {
				t.Errorf("%s: %s", path, line)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestAReleaseVersionMustMatchTheSource(t *testing.T) {
	source := t.TempDir()
	if err := writeFile(filepath.Join(source, "cmd/strongroom/version.go"), []byte("package main\n\nvar version = \"0.9.0\"\n")); err != nil {
		t.Fatal(err)
	}
	for version, want := range map[string]string{"0.9.0": "", "0.9.0-rc.1": "", "0.9.1": "has \"0.9.0\"", "v0.9.0": "must have a form", "": "must have a form"} {
		r := &release{version: version, commit: strings.Repeat("0", 40), source: source}
		if err := r.checkVersion(); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", version, err, want)
		}
	}
}

func TestADirectoryWithOtherFilesIsNotEmptied(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"strongroom_0.8.0_linux_amd64.tar.gz", sumsFile, "thesis.pdf"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := emptyDir(dir); err == nil || !strings.Contains(err.Error(), "thesis.pdf") {
		t.Errorf("%v", err)
	}
	if _, err := os.Stat(filepath.Join(dir, "thesis.pdf")); err != nil {
		t.Error(err)
	}
}

// The test's own binary has modules, too.
func TestTheBillOfMaterialsListsLinkedModulesAndPackages(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	r := made(t)
	if err := os.Remove(r.binary(platforms[0])); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(self, r.binary(platforms[0])); err != nil {
		t.Fatal(err)
	}
	if err := r.writeSBOMs(); err != nil {
		t.Fatal(err)
	}
	bom := string(read(t, r.out, r.name(platforms[0])+".cdx.json"))
	for _, want := range []string{`"purl": "pkg:golang/std@1.26.8"`, `"purl": "pkg:golang/aead.dev/minisign@v`, `"purl": "pkg:npm/graphiql@3`, `"purl": "pkg:npm/uplot@1`} {
		if !strings.Contains(bom, want) {
			t.Errorf("the bill of materials lacks %s", want)
		}
	}
}
