package console

import (
	"embed"
	"encoding/json"
	"fmt"
	"net/http"

	"strongroom/internal/assets"
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

// forStrangers is what the sign-in page needs.
var forStrangers = []string{"style.css", "favicon.svg", "console.js"}

func loadAssets() *assets.Set {
	all := assets.New(assetsPath, "private")
	for _, name := range []string{"favicon.svg", "style.css", "charts.js", "console.js"} { // a script after those that it imports
		all.Add(name, must(web.ReadFile("web/"+name)))
	}
	for _, name := range []string{"uplot.js", "uplot.css", "uplot.LICENSE"} {
		all.Add(name, must(thirdParty.ReadFile("third_party/"+name)))
	}
	return all
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
