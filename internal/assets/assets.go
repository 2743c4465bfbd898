// Package assets serves the scripts, styles and pictures of our web pages, which
// are embedded in the binary. The path of each file contains a hash of its
// content, so browsers can cache it, and a new version has another path.
package assets

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"path"
	"strconv"
	"strings"
	"sync"
)

// Set is the files below one path. Add all files before the first request: it is
// safe for concurrent use only while nothing is added.
type Set struct {
	root  string
	cache string           // "public" or "private"
	files map[string]*File // by the path at which each is served
}

// File is one file, and serves it.
type File struct {
	Name string // without the hash

	mediaType, cacheControl string
	gzipped                 func() []byte // compresses the file on its first request: most starts serve none
}

// New returns an empty set below root, which ends with a slash. cache says who
// may keep the files: "public", or "private" for browsers only.
func New(root, cache string) *Set { return &Set{root, cache, map[string]*File{}} }

// Add adds a file. A script can import another script of the set as './NAME', if
// that script was added before.
func (s *Set) Add(name string, content []byte) {
	if path.Ext(name) == ".js" {
		for at, f := range s.files {
			content = bytes.ReplaceAll(content, []byte("'./"+f.Name+"'"), []byte("'./"+path.Base(at)+"'"))
		}
	}
	s.add(name, content, sync.OnceValue(func() []byte { return compress(content) }))
}

// AddGzipped adds a file that is compressed already.
func (s *Set) AddGzipped(name string, gzipped []byte) {
	s.add(name, gzipped, func() []byte { return gzipped })
}

func (s *Set) add(name string, hashed []byte, gzipped func() []byte) {
	hash := sha256.Sum256(hashed)
	extension := path.Ext(name)
	at := s.root + strings.TrimSuffix(name, extension) + "." + hex.EncodeToString(hash[:6]) + extension
	s.files[at] = &File{name, mediaTypes[extension], s.cache + ", max-age=31536000, immutable", gzipped}
}

// mediaTypes by extension. Package mime would also use the tables of the machine.
var mediaTypes = map[string]string{".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8",
	".svg": "image/svg+xml", ".txt": "text/plain; charset=utf-8", ".LICENSE": "text/plain; charset=utf-8"}

// All returns the files by the paths at which they are served. Do not change the map.
func (s *Set) All() map[string]*File { return s.files }

// URL returns the path at which the file of this name is served, for templates. It
// fails if there is no such file.
func (s *Set) URL(name string) (string, error) {
	for at, f := range s.files {
		if f.Name == name {
			return at, nil
		}
	}
	return "", fmt.Errorf("no asset %s", name)
}

func (f *File) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Type", f.mediaType)
	h.Set("Cache-Control", f.cacheControl)
	h.Add("Vary", "Accept-Encoding")
	if takesGzip(r.Header.Get("Accept-Encoding")) {
		h.Set("Content-Encoding", "gzip")
		h.Set("Content-Length", strconv.Itoa(len(f.gzipped())))
		_, _ = w.Write(f.gzipped())
		return
	}
	plain, err := gzip.NewReader(bytes.NewReader(f.gzipped()))
	if err != nil { // unreachable: it is in the binary
		panic(fmt.Errorf("asset %s: %w", f.Name, err))
	}
	_, _ = io.Copy(w, plain) //nolint:gosec // it is in the binary
}

// takesGzip reports whether a client takes gzip, by its header Accept-Encoding
// (RFC 9110, 12.5.3). With q=0 it refuses it.
func takesGzip(accepted string) bool {
	for coding := range strings.SplitSeq(strings.ToLower(accepted), ",") {
		name, weight, weighted := strings.Cut(coding, ";")
		if strings.TrimSpace(name) == "gzip" {
			q, err := strconv.ParseFloat(strings.TrimPrefix(strings.TrimSpace(weight), "q="), 64)
			return !weighted || err == nil && q > 0
		}
	}
	return false
}

func compress(content []byte) []byte {
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil { // unreachable: the level is valid
		panic(err)
	}
	_, _ = w.Write(content) // to memory
	_ = w.Close()
	return out.Bytes()
}
