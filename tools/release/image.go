package main

import (
	"bytes"
	"encoding/pem"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"
	"golang.org/x/crypto/x509roots/fallback/bundle"
)

// The user of the image is a number, so that Kubernetes can see that it is not root.
const (
	imageUser = 65532
	imageData = "/var/lib/strongroom"
)

// writeImages writes the image of both architectures as an OCI layout, and for each
// architecture a file for docker load.
func (r *release) writeImages() error {
	index := mutate.IndexMediaType(empty.Index, types.OCIImageIndex)
	for _, p := range r.linux() {
		image, err := r.image(p)
		if err != nil {
			return err
		}
		index = mutate.AppendManifests(index, mutate.IndexAddendum{Add: image,
			Descriptor: v1.Descriptor{Platform: &v1.Platform{OS: p.os, Architecture: p.arch}}})
		tag, err := name.NewTag("strongroom:" + r.version)
		if err != nil {
			return err
		}
		if err := tarball.WriteToFile(filepath.Join(r.out, r.name(p)+".docker.tar"), tag, image); err != nil {
			return err
		}
	}
	return r.writeLayout(index)
}

// writeLayout writes an OCI layout with only this index, named by the version.
func (r *release) writeLayout(index v1.ImageIndex) error {
	dir := filepath.Join(r.stage, "layout")
	top := mutate.AppendManifests(mutate.IndexMediaType(empty.Index, types.OCIImageIndex), mutate.IndexAddendum{Add: index,
		Descriptor: v1.Descriptor{Annotations: map[string]string{"org.opencontainers.image.ref.name": r.version}}})
	if _, err := layout.Write(dir, top); err != nil {
		return err
	}
	var entries []entry
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		inside, err := filepath.Rel(dir, path)
		entries = append(entries, entry{name: inside, mode: 0o644, content: content})
		return err
	})
	if err != nil {
		return err
	}
	f, err := os.Create(filepath.Join(r.out, "strongroom_"+r.version+"_image.oci.tar"))
	if err != nil {
		return err
	}
	if err := writeTar(f, r.date, entries); err != nil {
		return err
	}
	return f.Close()
}

func (r *release) image(p platform) (v1.Image, error) {
	base, err := r.baseEntries()
	if err != nil {
		return nil, err
	}
	binary, err := os.ReadFile(r.binary(p))
	if err != nil {
		return nil, err
	}
	image := mutate.ConfigMediaType(mutate.MediaType(empty.Image, types.OCIManifestSchema1), types.OCIConfigJSON)
	for _, layer := range []struct {
		what    string
		entries []entry
	}{
		{"certificate authorities, user, directories, licences", base},
		{"strongroom " + r.version, []entry{{name: "strongroom", mode: 0o755, content: binary}}},
	} {
		if image, err = r.addLayer(image, layer.what, layer.entries); err != nil {
			return nil, err
		}
	}
	config, err := image.ConfigFile()
	if err != nil {
		return nil, err
	}
	config = config.DeepCopy()
	config.OS, config.Architecture, config.Created = p.os, p.arch, v1.Time{Time: r.date}
	config.Config = r.imageConfig()
	return mutate.ConfigFile(image, config)
}

func (r *release) addLayer(image v1.Image, what string, entries []entry) (v1.Image, error) {
	var b bytes.Buffer
	if err := writeTar(&b, r.date, entries); err != nil {
		return nil, err
	}
	open := func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(b.Bytes())), nil }
	layer, err := tarball.LayerFromOpener(open, tarball.WithMediaType(types.OCILayer))
	if err != nil {
		return nil, err
	}
	return mutate.Append(image, mutate.Addendum{Layer: layer, MediaType: types.OCILayer, History: v1.History{Created: v1.Time{Time: r.date}, CreatedBy: what}})
}

// imageConfig makes the API listen on every address of the container. The operator
// listener stays on loopback by default. The data is in a directory below the volume: the
// volume may belong to root, but the service creates its own directory in it.
func (r *release) imageConfig() v1.Config {
	return v1.Config{
		User:         "65532:65532",
		Entrypoint:   []string{"/strongroom"},
		Cmd:          []string{"serve"},
		WorkingDir:   "/",
		Env:          []string{"PATH=/", "STRONGROOM_DATA_DIR=" + imageData + "/data", "STRONGROOM_LISTEN=0.0.0.0:8080"},
		Volumes:      map[string]struct{}{imageData: {}},
		ExposedPorts: map[string]struct{}{"8080/tcp": {}, "8081/tcp": {}},
		StopSignal:   "SIGTERM",
		Healthcheck:  &v1.HealthConfig{Test: []string{"CMD", "/strongroom", "healthcheck"}, Interval: 10 * time.Second, Timeout: 6 * time.Second, StartPeriod: time.Minute, Retries: 3},
		Labels: map[string]string{
			"org.opencontainers.image.title":       "Strongroom",
			"org.opencontainers.image.description": "Credential vault behind a mobile app: device keys, passcodes and transaction PINs",
			"org.opencontainers.image.version":     r.version,
			"org.opencontainers.image.revision":    r.commit,
			"org.opencontainers.image.created":     r.date.Format(time.RFC3339),
			"org.opencontainers.image.licenses":    "Apache-2.0",
		},
	}
}

// baseEntries returns all files of the image except the binary. The certificate
// authorities are for identity providers and other servers with https.
func (r *release) baseEntries() ([]entry, error) {
	var authorities bytes.Buffer
	for root := range bundle.Roots() {
		if err := pem.Encode(&authorities, &pem.Block{Type: "CERTIFICATE", Bytes: root.Certificate}); err != nil {
			return nil, err
		}
	}
	own, err := os.ReadFile(filepath.Join(r.source, "LICENSE"))
	if err != nil {
		return nil, err
	}
	others, err := os.ReadFile(filepath.Join(r.stage, licencesFile))
	if err != nil {
		return nil, err
	}
	entries := []entry{
		{name: "etc/group", mode: 0o644, content: []byte("root:x:0:\nstrongroom:x:65532:\n")},
		{name: "etc/passwd", mode: 0o644, content: []byte("root:x:0:0:root:/:/nonexistent\nstrongroom:x:65532:65532:Strongroom:" + imageData + ":/nonexistent\n")},
		{name: "etc/ssl/certs/ca-certificates.crt", mode: 0o644, content: authorities.Bytes()},
		{name: "licences/LICENSE", mode: 0o644, content: own},
		{name: "licences/" + licencesFile, mode: 0o644, content: others},
		{name: "var/lib/strongroom/", mode: 0o700, uid: imageUser},
	}
	var all []entry
	for _, dir := range []string{"etc/", "etc/ssl/", "etc/ssl/certs/", "licences/", "var/", "var/lib/"} {
		all = append(all, entry{name: dir, mode: 0o755})
	}
	return append(all, entries...), nil
}
