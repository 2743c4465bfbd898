package cli

import (
	"fmt"
	"strings"

	"github.com/alecthomas/kong"
)

type completionCmd struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"Shell: bash, zsh or fish."`
}

// Run prints a script for the shell. It knows the commands of this version.
func (c completionCmd) Run(p *Program, k *kong.Kong) error {
	script := map[string]func(*kong.Node) string{"bash": bashCompletion, "zsh": zshCompletion, "fish": fishCompletion}[c.Shell]
	fmt.Fprint(p.Stdout, script(k.Model.Node))
	return nil
}

// word is a command or a flag that can come next.
type word struct{ text, help string }

func nextWords(node *kong.Node) (words []word) {
	for _, child := range shownBelow(node) {
		words = append(words, word{child.Name, child.Help})
	}
	for _, flag := range flagsOf(node) {
		words = append(words, word{"--" + flag.Name, flag.Help})
	}
	return words
}

// brief returns the first sentence of a help text, quoted for a shell.
func (w word) brief() string {
	text, _, _ := strings.Cut(w.help, ". ")
	text, _, _ = strings.Cut(strings.TrimSuffix(text, "."), " (default ")
	return quoted(text)
}

// quoted quotes a text for a shell.
func quoted(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

// paths returns all commands without the program's name, such as "root-key create".
func paths(root *kong.Node) (found []string) {
	_ = eachCommand(root, func(node *kong.Node) error {
		if node.Parent != nil {
			found = append(found, node.Path())
		}
		return nil
	})
	return found
}

// patterns returns all commands for the case statement of bash and zsh.
func patterns(root *kong.Node) string {
	var all []string
	for _, path := range paths(root) {
		all = append(all, quoted(path))
	}
	return strings.Join(all, "|")
}

func bashCompletion(root *kong.Node) string {
	var b strings.Builder
	b.WriteString("# bash completion of strongroom\n_strongroom() {\n\tlocal command= word words=\n")
	b.WriteString("\tfor word in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n\t\tcase \"${command:+$command }$word\" in\n")
	fmt.Fprintf(&b, "\t\t%s) command=\"${command:+$command }$word\" ;;\n\t\tesac\n\tdone\n\tcase \"$command\" in\n", patterns(root))
	_ = eachCommand(root, func(node *kong.Node) error {
		fmt.Fprintf(&b, "\t%s) words='", quoted(node.Path()))
		for _, w := range nextWords(node) {
			b.WriteString(w.text + " ")
		}
		b.WriteString("' ;;\n")
		return nil
	})
	b.WriteString("\tesac\n\tCOMPREPLY=($(compgen -W \"$words\" -- \"${COMP_WORDS[COMP_CWORD]}\"))\n}\n")
	b.WriteString("complete -o default -F _strongroom strongroom\n") // default: complete file names if nothing matches
	return b.String()
}

func zshCompletion(root *kong.Node) string {
	var b strings.Builder
	b.WriteString("#compdef strongroom\n_strongroom() {\n\tlocal command= word\n\tlocal -a next\n")
	b.WriteString("\tfor word in \"${(@)words[2,CURRENT-1]}\"; do\n\t\tcase \"${command:+$command }$word\" in\n")
	fmt.Fprintf(&b, "\t\t(%s)) command=\"${command:+$command }$word\" ;;\n\t\tesac\n\tdone\n\tcase \"$command\" in\n", patterns(root))
	_ = eachCommand(root, func(node *kong.Node) error {
		fmt.Fprintf(&b, "\t(%s) next=(\n", quoted(node.Path()))
		for _, w := range nextWords(node) {
			fmt.Fprintf(&b, "\t\t'%s:'%s\n", w.text, w.brief()) // no command or flag contains a colon
		}
		b.WriteString("\t) ;;\n")
		return nil
	})
	b.WriteString("\tesac\n\t_describe 'strongroom' next || _files\n}\n")
	b.WriteString("if [ \"$funcstack[1]\" = _strongroom ]; then _strongroom \"$@\"; else compdef _strongroom strongroom; fi\n")
	return b.String()
}

func fishCompletion(root *kong.Node) string {
	var b strings.Builder
	b.WriteString("# fish completion of strongroom\nfunction __strongroom_command\n\tset -l path\n\tfor word in (commandline -opc)[2..]\n\t\tswitch \"$path $word\"\n\t\t\tcase")
	for _, path := range paths(root) {
		b.WriteString(" " + quoted(" "+path))
	}
	b.WriteString("\n\t\t\t\tset path \"$path $word\"\n\t\tend\n\tend\n\ttest \"$path\" = \"$argv[1]\"\nend\n")
	_ = eachCommand(root, func(node *kong.Node) error {
		at := ""
		if node.Parent != nil {
			at = " " + node.Path()
		}
		for _, child := range shownBelow(node) {
			fmt.Fprintf(&b, "complete -c strongroom -f -n \"__strongroom_command '%s'\" -a %s -d %s\n", at, child.Name, word{help: child.Help}.brief())
		}
		for _, flag := range flagsOf(node) {
			value := " -r"
			if flag.IsBool() {
				value = ""
			}
			fmt.Fprintf(&b, "complete -c strongroom%s -n \"__strongroom_command '%s'\" -l %s -d %s\n", value, at, flag.Name, word{help: flag.Help}.brief())
		}
		return nil
	})
	return b.String()
}
