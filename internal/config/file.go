package config

import (
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Check returns why the text is not a valid value of the setting, or nil.
func Check(name, text string) error {
	i := indexOf(name)
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

// MakeAbsolute makes the paths in values of settings absolute. Then they name the same
// files in each working directory: a systemd unit runs in /. Invalid values stay as they
// are.
func MakeAbsolute(values map[string]string) {
	for _, s := range settings {
		if text := values[s.name]; text != "" {
			values[s.name] = s.absolute(text)
		}
	}
}

// absolute returns the value of the setting with absolute paths.
func (s setting) absolute(text string) string {
	form := s.Get("form")
	switch {
	case form == "PATH" || form == "DIR":
		return absolute(text)
	case strings.HasPrefix(form, "PATH|URL"):
		return eachAbsolute("", strings.Split(text, ","))
	case strings.HasPrefix(form, "file:PATH"), strings.HasPrefix(form, "sqlite:PATH"):
		return eachAbsolute(form[:strings.Index(form, ":")+1], []string{text})
	case s.kind == reflect.TypeFor[RootKeys]():
		var keys RootKeys
		if keys.UnmarshalText([]byte(text)) == nil {
			return eachAbsolute("file:", keys)
		}
	case s.kind == reflect.TypeFor[Witness]():
		if w, err := parseWitness(text); err == nil && w.Kind == WitnessFile {
			return absolute(w.Path)
		} else if err == nil && w.Kind == WitnessTPM {
			return "tpm:" + absolute(w.Path) + strings.TrimPrefix(text, "tpm:"+w.Path)
		}
	}
	return text
}

// eachAbsolute joins the items. In those with the prefix, what follows is a path, which it
// makes absolute. URLs stay as they are.
func eachAbsolute(prefix string, items []string) string {
	joined := make([]string, len(items))
	for i, item := range items {
		path, is := strings.CutPrefix(strings.TrimSpace(item), prefix)
		if is && path != "" && !strings.Contains(path, "://") {
			item = prefix + absolute(path)
		}
		joined[i] = item
	}
	return strings.Join(joined, ",")
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

// bare matches texts that need no quotes in YAML, except words such as null.
var bare = regexp.MustCompile(`^[a-zA-Z0-9/.][a-zA-Z0-9/._+-]*(:[a-zA-Z0-9/.][a-zA-Z0-9/._+-]*)*$`)

func scalarOf(text string) string {
	if bare.MatchString(text) {
		file, _ := parseFile([]byte("cell: " + text)) // any setting
		if file.values["cell"] == text {
			return text
		}
	}
	return strconv.Quote(text)
}
