package config

import (
	"fmt"
	"strings"
)

// Reference is the table of all settings in Markdown, as docs/operation.md
// shows it. The YAML key is the flag without its dashes.
func Reference() string {
	var b strings.Builder
	b.WriteString("| Setting | Environment | Default | Allowed | Meaning |\n|---|---|---|---|---|\n")
	for _, s := range settings {
		fmt.Fprintf(&b, "| `--%s` | `%s` | `%s` | %s | %s |\n",
			s.name, env(s.name), s.Get("std"), strings.ReplaceAll(s.allowed(), "|", `\|`), s.Get("help"))
	}
	return b.String()
}
