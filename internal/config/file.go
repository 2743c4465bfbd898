package config

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Check returns why the text is not a valid value of the setting, or nil.
func Check(name, text string) error {
	i := slices.IndexFunc(settings, func(s setting) bool { return s.name == name })
	if i < 0 {
		return fmt.Errorf("there is no setting %s", name)
	}
	return settings[i].set(new(Settings), text)
}

// Commented returns a settings file with these values, in the order of [Settings]. A
// comment above each explains it. The suggested settings follow as comments, with
// their defaults.
func Commented(values map[string]string, suggested ...string) string {
	var given, others strings.Builder
	for _, s := range settings {
		text, ok := values[s.name]
		switch {
		case ok:
			fmt.Fprintf(&given, "%s%s: %s\n\n", comment(s.Get("help")), s.name, scalarOf(text))
		case slices.Contains(suggested, s.name):
			fmt.Fprintf(&others, "%s# %s: %s\n\n", comment(s.Get("help")), s.name, scalarOf(s.Get("std")))
		}
	}
	if others.Len() > 0 {
		given.WriteString("# Not set:\n\n" + others.String())
	}
	return strings.TrimSuffix(given.String(), "\n")
}

// comment formats a text as a YAML comment, in lines of at most 100 bytes.
func comment(text string) string {
	var b strings.Builder
	line := "#"
	for _, word := range strings.Fields(text) {
		if len(line)+1+len(word) > 100 {
			b.WriteString(line + "\n")
			line = "#"
		}
		line += " " + word
	}
	return b.String() + line + "\n"
}

// bare matches texts that need no quotes in YAML.
var bare = regexp.MustCompile(`^[a-zA-Z0-9/.][a-zA-Z0-9/._+-]*(:[a-zA-Z0-9/.][a-zA-Z0-9/._+-]*)*$`)

func scalarOf(text string) string {
	if bare.MatchString(text) {
		return text
	}
	return strconv.Quote(text)
}
