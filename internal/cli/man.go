package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

type manCmd struct {
	Dir string `arg:"" help:"Directory to write to. It is created if it does not exist."`
}

// Run writes the pages, from the same texts as --help.
func (c manCmd) Run(p *Program, k *kong.Kong) error {
	if err := os.MkdirAll(c.Dir, 0o755); err != nil { //nolint:gosec // pages for all users
		return err
	}
	return eachCommand(k.Model.Node, func(node *kong.Node) error {
		return os.WriteFile(filepath.Join(c.Dir, pageName(node)+".1"), []byte(manPage(node, p.Version)), 0o644) //nolint:gosec // as above
	})
}

// shownBelow returns the commands below a command that are not hidden.
func shownBelow(node *kong.Node) []*kong.Node {
	return slices.DeleteFunc(slices.Clone(node.Children), func(child *kong.Node) bool { return child.Hidden })
}

// eachCommand calls do for a command and for all below it that are not hidden.
func eachCommand(node *kong.Node, do func(*kong.Node) error) error {
	err := do(node)
	for _, child := range shownBelow(node) {
		err = errors.Join(err, eachCommand(child, do))
	}
	return err
}

func pageName(node *kong.Node) string { return strings.ReplaceAll(node.FullPath(), " ", "-") }

func manPage(node *kong.Node, version string) string {
	var b strings.Builder
	fmt.Fprintf(&b, ".TH %s 1 \"\" \"strongroom %s\" \"Strongroom\"\n", roff(strings.ToUpper(pageName(node))), version)
	first, _, _ := strings.Cut(node.Help, ". ")
	fmt.Fprintf(&b, ".SH NAME\n%s \\- %s\n", roff(pageName(node)), roff(strings.TrimSuffix(first, ".")))
	fmt.Fprintf(&b, ".SH SYNOPSIS\n.B %s\n%s\n", roff(node.FullPath()), roff(strings.TrimSpace(strings.TrimPrefix(node.Summary(), node.Path()))))
	fmt.Fprintf(&b, ".SH DESCRIPTION\n%s\n", roff(node.Help))
	if len(node.Children) > 0 {
		b.WriteString(".SH COMMANDS\n")
		for _, child := range shownBelow(node) {
			fmt.Fprintf(&b, ".TP\n.BR %s (1)\n%s\n", roff(pageName(child)), roff(child.Help))
		}
	}
	if len(node.Positional) > 0 {
		b.WriteString(".SH ARGUMENTS\n")
		for _, arg := range node.Positional {
			fmt.Fprintf(&b, ".TP\n.I %s\n%s\n", roff(arg.Summary()), roff(arg.Help))
		}
	}
	b.WriteString(".SH OPTIONS\n")
	for _, flag := range flagsOf(node) {
		fmt.Fprintf(&b, ".TP\n.B %s\n%s\n", roff(flag.String()), roff(flag.Help))
	}
	if node.Parent != nil {
		fmt.Fprintf(&b, ".SH SEE ALSO\n.BR %s (1)\n", roff(pageName(node.Parent)))
	}
	return b.String()
}

// flagsOf returns the flags that a command takes, those of all commands last.
func flagsOf(node *kong.Node) (flags []*kong.Flag) {
	for _, group := range node.AllFlags(true) {
		flags = append(group, flags...)
	}
	return flags
}

// roff escapes a text for troff.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(text)
	if strings.HasPrefix(text, ".") || strings.HasPrefix(text, "'") {
		text = `\&` + text
	}
	return text
}
