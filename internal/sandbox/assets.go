package sandbox

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"path"
	"strconv"
	"strings"
)

const assetsPath = "/sandbox/assets/"

var (
	//go:embed web
	web embed.FS

	// What others wrote is compressed already: it is the larger part.
	//go:embed third_party/*.gz
	thirdParty embed.FS
)

// asset is a file that never changes under its name, which holds a hash of its
// content: whoever has it may keep it.
type asset struct {
	name, mediaType string
	gzipped         []byte
}

// assets are the files by their plain names.
type assets map[string]*asset

// The order matters: a script comes after those that it imports, since their
// hashed names go into it.
var ours = []string{"favicon.svg", "frame.css", "style.css", "strongroom.js", "ui.js", "mistakes.js", "client.js", "doctor.js", "graphiql.js", "explorer.css"}

func loadAssets() assets {
	all := assets{}
	for _, name := range []string{"graphiql.js", "graphiql.css", "licences.txt"} {
		gzipped := must(thirdParty.ReadFile("third_party/" + name + ".gz"))
		all.add("vendor-"+name, gzipped)
	}
	for _, name := range ours {
		content := must(web.ReadFile("web/" + name))
		if strings.HasSuffix(name, ".js") {
			for known, a := range all {
				content = bytes.ReplaceAll(content, []byte("'./"+known+"'"), []byte("'./"+a.name+"'"))
			}
		}
		all.add(name, compress(content))
	}
	return all
}

func (all assets) add(name string, gzipped []byte) {
	hash := sha256.Sum256(gzipped)
	extension := path.Ext(name)
	all[name] = &asset{strings.TrimSuffix(name, extension) + "." + hex.EncodeToString(hash[:6]) + extension, mediaTypes[extension], gzipped}
}

// mediaTypes are not asked of the machine, which may have others.
var mediaTypes = map[string]string{
	".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8", ".svg": "image/svg+xml", ".txt": "text/plain; charset=utf-8",
}

// url is where an asset is, for templates.
func (all assets) url(name string) (string, error) {
	a := all[name]
	if a == nil {
		return "", fmt.Errorf("no asset %s", name)
	}
	return assetsPath + a.name, nil
}

func (a *asset) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Type", a.mediaType)
	h.Set("Cache-Control", "public, max-age=31536000, immutable")
	h.Add("Vary", "Accept-Encoding")
	if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		h.Set("Content-Encoding", "gzip")
		h.Set("Content-Length", strconv.Itoa(len(a.gzipped)))
		_, _ = w.Write(a.gzipped)
		return
	}
	plain := must(gzip.NewReader(bytes.NewReader(a.gzipped)))
	_, _ = io.Copy(w, plain)
}

func compress(content []byte) []byte {
	var out bytes.Buffer
	w := must(gzip.NewWriterLevel(&out, gzip.BestCompression))
	_, _ = w.Write(content) // to memory
	_ = w.Close()
	return out.Bytes()
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(fmt.Errorf("sandbox: %w", err))
	}
	return v
}
