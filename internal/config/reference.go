package config

import (
	"fmt"
	"strings"
)

// Reference is the table of all settings in Markdown, as
// docs/reference/settings.md shows it. The YAML key is the flag without its dashes.
func Reference() string {
	var b strings.Builder
	b.WriteString("| Setting | Environment | Default | Allowed | Meaning |\n|---|---|---|---|---|\n")
	for _, s := range settings {
		fmt.Fprintf(&b, "| `--%s` | `%s` | %s | %s | %s |\n",
			s.name, env(s.name), referenceDefault(s), strings.ReplaceAll(s.allowed(), "|", `\|`), s.Get("help"))
	}
	return b.String()
}

func referenceDefault(s setting) string {
	text := "none"
	if s.Get("std") != "" {
		text = "`" + s.Get("std") + "`"
	}
	switch hardened := s.Get("hardened"); hardened {
	case "":
	case ask:
		text += "; hardened: must be set explicitly"
	default:
		text += "; hardened: `" + hardened + "`"
	}
	return text
}

// PostureReference is the table of the parts of the posture in Markdown, as
// docs/how-to/harden.md shows it.
func PostureReference() string {
	var b strings.Builder
	b.WriteString("| Check | Required by --hardened | Settings | What an attacker gains if it is off |\n|---|---|---|---|\n")
	for _, p := range new(Settings).Posture() {
		demanded := "no"
		if p.Demanded {
			demanded = "yes"
		}
		fmt.Fprintf(&b, "| `%s` | %s | `--%s` | %s |\n", p.Name, demanded, strings.Join(p.Settings, "`, `--"), p.Gain)
	}
	return b.String()
}
