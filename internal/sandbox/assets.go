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

	// Third-party files are stored compressed, because they are the larger part.
	//go:embed third_party/*.gz
	thirdParty embed.FS
)

// The order matters: a script must come after those that it imports, because it
// contains their hashed names.
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

// must returns v. An error is a bug, because the files are in the binary.
func must[T any](v T, err error) T {
	if err != nil {
		panic(fmt.Errorf("sandbox: %w", err))
	}
	return v
}
