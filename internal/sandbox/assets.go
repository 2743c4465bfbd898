package sandbox

import (
	"embed"
	"fmt"

	"strongroom/internal/assets"
)

const assetsPath = "/sandbox/assets/"

var (
	//go:embed web
	web embed.FS

	// What others wrote is compressed already: it is the larger part.
	//go:embed third_party/*.gz
	thirdParty embed.FS
)

// The order matters: a script comes after those that it imports, since their
// hashed names go into it.
var ours = []string{"favicon.svg", "frame.css", "style.css", "strongroom.js", "ui.js", "story.js", "mistakes.js", "client.js", "pay.js", "doctor.js", "graphiql.js", "explorer.css"}

func loadAssets() *assets.Set {
	all := assets.New(assetsPath, "public")
	for _, name := range []string{"graphiql.js", "graphiql.css", "licences.txt"} {
		all.AddGzipped("vendor-"+name, must(thirdParty.ReadFile("third_party/"+name+".gz")))
	}
	for _, name := range ours {
		all.Add(name, must(web.ReadFile("web/"+name)))
	}
	return all
}

// must is for what is in the binary.
func must[T any](v T, err error) T {
	if err != nil {
		panic(fmt.Errorf("sandbox: %w", err))
	}
	return v
}
