package config

import (
	"errors"
	"reflect"
	"strings"

	"github.com/alecthomas/kong"
)

// Flags collects the settings that were given as flags, by name, for [Load]. Kong
// only recognizes the flags. [Load] parses the values, in the same way as those of the
// environment and the file, and decides which source wins.
type Flags map[string]string

// fileFlag is the only flag here that is not a setting.
type fileFlag struct {
	Config string `name:"config" form:"FILE" help:"Settings file (YAML)."`
}

// ServeFlags are the flags of a command that takes every setting.
func ServeFlags() kong.Plugins { return kong.Plugins{new(fileFlag), new(Settings)} }

// StoreFlags are the flags of a command that only opens the store.
func StoreFlags() kong.Plugins { return kong.Plugins{new(fileFlag), new(StoreSettings)} }

// Apply makes Flags a [kong.Option]. After kong has built its model, Apply makes every
// flag that is a setting hand its text to f.
func (f Flags) Apply(k *kong.Kong) error {
	return kong.PostBuild(func(k *kong.Kong) error {
		return kong.Visit(k.Model, func(node kong.Visitable, next kong.Next) error {
			if flag, ok := node.(*kong.Flag); ok {
				f.claim(flag)
			}
			return next(nil)
		})
	}).Apply(k)
}

// AdminTokenFlags are the flags of a command that changes admin tokens.
func AdminTokenFlags() kong.Plugins { return append(StoreFlags(), new(AdminTokenSettings)) }

func (f Flags) claim(flag *kong.Flag) {
	i := indexOf(flag.Name)
	switch {
	case flag.PlaceHolder != "": // the command's own, such as --issuer of an account, which only has the name of a setting
		return
	case i >= 0:
		flag.PlaceHolder = placeholder(settings[i])
		flag.Help = strings.TrimSuffix(flag.Help, ".") + " (" + defaultText(settings[i]) + ", $" + env(flag.Name) + ")."
	case flag.Name == FileFlag:
		flag.PlaceHolder = "FILE"
		flag.Help = strings.TrimSuffix(flag.Help, ".") + " ($" + env(flag.Name) + ")."
	default:
		return
	}
	flag.Mapper = capture{f, flag.Target.Kind() == reflect.Bool, i >= 0 && settings[i].isList()}
}

func defaultText(s setting) string {
	text := "default " + s.Get("std")
	if s.Get("std") == "" {
		text = "default none"
	}
	if fips := s.Get("fips"); fips != "" {
		text += ", in FIPS mode " + fips
	}
	switch hardened := s.Get("hardened"); hardened {
	case "":
	case ask:
		text += ", hardened: must be set explicitly"
	default:
		text += ", hardened " + hardened
	}
	return text
}

func placeholder(s setting) string {
	switch {
	case s.Get("oneof") != "":
		return strings.Join(strings.Fields(s.Get("oneof")), "|")
	case s.isList():
		return "LIST"
	case s.kind == reflect.TypeFor[int]():
		return "N"
	case s.Get("form") != "":
		return strings.ReplaceAll(s.Get("form"), " or ", "|")
	}
	return "DURATION"
}

// capture is the mapper that keeps a flag's text and leaves its field alone.
type capture struct {
	into   Flags
	flag   bool // the value is optional
	repeat bool // each use adds to the list
}

func (c capture) IsBool() bool { return c.flag }

func (c capture) Decode(ctx *kong.DecodeContext, _ reflect.Value) error {
	text := "true"
	if !c.flag || ctx.Scan.Peek().Type == kong.FlagValueToken {
		if err := ctx.Scan.PopValueInto("value", &text); err != nil {
			return errors.New("needs a value")
		}
	}
	if earlier, given := c.into[ctx.Value.Name]; given && c.repeat {
		text = earlier + "," + text
	}
	c.into[ctx.Value.Name] = text
	return nil
}
