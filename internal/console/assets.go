package console

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"path"
	"strconv"
	"strings"
)

var (
	//go:embed web
	web embed.FS

	//go:embed third_party/uplot.js third_party/uplot.css third_party/uplot.LICENSE
	thirdParty embed.FS

	//go:embed templates
	pages embed.FS
)

const assetsPath = "/assets/"

// asset is a file that never changes under its name, which holds a hash of its
// content: whoever has it may keep it.
type asset struct {
	name      string // without the hash
	mediaType string
	gzipped   []byte
}

// forStrangers is what the sign-in page needs.
var forStrangers = []string{"style.css", "favicon.svg", "console.js"}

// loadAssets reads the files, by the paths at which they are served.
func loadAssets() map[string]*asset {
	all := map[string]*asset{}
	names := map[string]string{} // in use by scripts
	for _, name := range []string{"favicon.svg", "style.css", "charts.js", "console.js"} {
		content := must(web.ReadFile("web/" + name))
		for plain, hashed := range names {
			content = bytes.ReplaceAll(content, []byte("'./"+plain+"'"), []byte("'./"+hashed+"'"))
		}
		names[name] = path.Base(add(all, name, content))
	}
	for _, name := range []string{"uplot.js", "uplot.css", "uplot.LICENSE"} {
		add(all, name, must(thirdParty.ReadFile("third_party/"+name)))
	}
	return all
}

func add(all map[string]*asset, name string, content []byte) (at string) {
	hash := sha256.Sum256(content)
	extension := path.Ext(name)
	at = assetsPath + strings.TrimSuffix(name, extension) + "." + hex.EncodeToString(hash[:6]) + extension
	all[at] = &asset{name, mediaTypes[extension], compress(content)}
	return at
}

// mediaTypes are not asked of the machine, which may have others.
var mediaTypes = map[string]string{".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8",
	".svg": "image/svg+xml", ".LICENSE": "text/plain; charset=utf-8"}

// url is where the file of this name is, for templates.
func (c *Console) url(name string) (string, error) {
	for at, a := range c.assets {
		if a.name == name {
			return at, nil
		}
	}
	return "", fmt.Errorf("no asset %s", name)
}

func (a *asset) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Type", a.mediaType)
	h.Set("Cache-Control", "private, max-age=31536000, immutable")
	h.Set("Vary", "Accept-Encoding")
	if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		h.Set("Content-Encoding", "gzip")
		h.Set("Content-Length", strconv.Itoa(len(a.gzipped)))
		_, _ = w.Write(a.gzipped)
		return
	}
	_, _ = io.Copy(w, must(gzip.NewReader(bytes.NewReader(a.gzipped))))
}

func compress(content []byte) []byte {
	var out bytes.Buffer
	w := must(gzip.NewWriterLevel(&out, gzip.BestCompression))
	_, _ = w.Write(content) // to memory
	_ = w.Close()
	return out.Bytes()
}

func (c *Console) answerJSON(w http.ResponseWriter, status int, v any) {
	text, err := json.Marshal(v)
	if err != nil { // unreachable: texts and numbers
		panic(fmt.Errorf("encoding an answer: %T", err))
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(text)
}

// must is for what is in the binary.
func must[T any](v T, err error) T {
	if err != nil {
		panic(fmt.Errorf("console: %w", err))
	}
	return v
}
