package console

import (
	"embed"
	"fmt"

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

// forStrangers are the assets that the sign-in page needs.
var forStrangers = []string{"style.css", "favicon.svg", "console.js"}

func loadAssets() *assets.Set {
	all := assets.New(assetsPath, "private")
	for _, name := range []string{"favicon.svg", "style.css", "charts.js", "console.js"} { // a script comes after those that it imports
		all.Add(name, must(web.ReadFile("web/"+name)))
	}
	for _, name := range []string{"uplot.js", "uplot.css", "uplot.LICENSE"} {
		all.Add(name, must(thirdParty.ReadFile("third_party/"+name)))
	}
	return all
}

// must returns v. An error is a bug, because the files are in the binary.
func must[T any](v T, err error) T {
	if err != nil {
		panic(fmt.Errorf("console: %w", err))
	}
	return v
}
