package main

import (
	"archive/tar"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"time"
)

// entry is a file of an archive or, if its name ends in a slash, a directory.
type entry struct {
	name    string
	mode    int64
	content []byte
	uid     int // and gid
}

// writeTar writes entries as a tar file with the same bytes on every machine.
func writeTar(to io.Writer, date time.Time, entries []entry) error {
	w := tar.NewWriter(to)
	for _, e := range entries {
		h := &tar.Header{Name: e.name, Mode: e.mode, Size: int64(len(e.content)), Uid: e.uid, Gid: e.uid, ModTime: date, Typeflag: tar.TypeReg, Format: tar.FormatPAX}
		if e.name[len(e.name)-1] == '/' {
			h.Typeflag = tar.TypeDir
		}
		if err := w.WriteHeader(h); err != nil {
			return err
		}
		if _, err := w.Write(e.content); err != nil {
			return err
		}
	}
	return w.Close()
}

// writeArchives writes an archive for each platform, for machines without packages.
func (r *release) writeArchives() error {
	for _, p := range r.platforms {
		entries, err := r.archived(p)
		if err != nil {
			return err
		}
		if err := r.writeTarGz(r.name(p)+".tar.gz", entries); err != nil {
			return err
		}
	}
	return nil
}

func (r *release) writeTarGz(name string, entries []entry) error {
	f, err := os.Create(filepath.Join(r.out, name))
	if err != nil {
		return err
	}
	z, err := gzip.NewWriterLevel(f, gzip.BestCompression)
	if err != nil {
		return err
	}
	return errors.Join(writeTar(z, r.date, entries), z.Close(), f.Close())
}

// archived returns the files of a platform's archive, all in one directory.
func (r *release) archived(p platform) ([]entry, error) {
	type file struct{ name, from string }
	all := []file{
		{"LICENSE", filepath.Join(r.source, "LICENSE")},
		{licencesFile, filepath.Join(r.stage, licencesFile)},
		{"session.sh", filepath.Join(r.source, "examples/session.sh")},
	}
	for _, path := range sortedValues(completions) {
		all = append(all, file{"share/" + path[len("usr/share/"):], filepath.Join(r.stage, path)})
	}
	pages, err := filepath.Glob(filepath.Join(r.stage, "usr/share/man/man1/*"))
	if err != nil {
		return nil, err
	}
	for _, page := range pages { // sorted
		all = append(all, file{"share/man/man1/" + filepath.Base(page), page})
	}
	if p.os == "linux" {
		all = append(all, file{"strongroom.service", filepath.Join(r.source, "deploy/systemd/strongroom.service")},
			file{"sysusers.conf", filepath.Join(r.source, "deploy/packages/sysusers.conf")},
			file{"tmpfiles.conf", filepath.Join(r.source, "deploy/packages/tmpfiles.conf")})
	}
	binary, err := os.ReadFile(r.binary(p))
	if err != nil {
		return nil, err
	}
	dir := r.name(p) + "/"
	entries := []entry{{name: dir + "strongroom", mode: 0o755, content: binary}}
	for _, f := range all {
		content, err := os.ReadFile(f.from)
		if err != nil {
			return nil, err
		}
		mode := int64(0o644)
		if filepath.Ext(f.name) == ".sh" {
			mode = 0o755
		}
		entries = append(entries, entry{name: dir + f.name, mode: mode, content: content})
	}
	return entries, nil
}
