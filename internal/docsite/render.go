package docsite

import (
	"bytes"
	"fmt"
	"io/fs"
	"path"
	"strconv"
	"strings"
	"unicode"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
)

// page is a rendered document.
type page struct {
	title    string
	body     string
	sections []section
}

// section is what the search finds: a heading and the text below it.
type section struct {
	Page  string `json:"page"`  // title
	At    string `json:"at"`    // path from the root of the site
	Title string `json:"title"` // of the section
	Text  string `json:"text"`
}

// markdown is what GitHub shows: tables, headings with the same anchors, and HTML,
// which our own documents use for more anchors.
var markdown = goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithParserOptions(parser.WithAutoHeadingID()),
	goldmark.WithRendererOptions(html.WithUnsafe()))

func render(tree fs.FS, name string, content []byte) page {
	root := markdown.Parser().Parse(text.NewReader(content), parser.WithContext(parser.NewContext(parser.WithIDs(anchors{}))))
	var elsewhere []*ast.Link
	_ = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) { // the function below never fails
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Link:
			n.Destination = []byte(target(tree, name, string(n.Destination)))
			if bytes.HasPrefix(n.Destination, []byte(inSource)) {
				elsewhere = append(elsewhere, n)
			}
		case *ast.Image:
			n.Destination = []byte(target(tree, name, string(n.Destination)))
		}
		return ast.WalkContinue, nil
	})
	for _, link := range elsewhere {
		unlink(link)
	}
	p := page{}
	p.collect(root, content, address(name))
	var body bytes.Buffer
	if err := markdown.Renderer().Render(&body, content, root); err != nil { // unreachable: it writes to memory
		panic(err)
	}
	p.body = scrollable.Replace(body.String())
	return p
}

// scrollable lets keyboard users scroll code and tables that are wider than the screen.
var scrollable = strings.NewReplacer("<pre>", `<pre tabindex="0">`, "<table>", `<table tabindex="0">`)

// inSource begins the destination of a link to a file that is not part of the site.
const inSource = "source:"

// target is where a link of a document leads on the site.
func target(tree fs.FS, from, to string) string {
	if strings.Contains(to, ":") || strings.HasPrefix(to, "#") {
		return to
	}
	file, anchor, _ := strings.Cut(to, "#")
	file = path.Join(path.Dir(from), file)
	if _, err := fs.Stat(tree, file); err != nil {
		return inSource + file
	}
	if anchor != "" {
		anchor = "#" + anchor
	}
	return strings.Repeat("../", strings.Count(address(from), "/")) + address(file) + anchor
}

// unlink puts the text of a link in its place, and the path of the file behind it.
func unlink(n *ast.Link) {
	parent := n.Parent()
	for child := n.FirstChild(); child != nil; child = n.FirstChild() {
		parent.InsertBefore(parent, n, child)
	}
	file := bytes.TrimPrefix(n.Destination, []byte(inSource))
	parent.ReplaceChild(parent, n, ast.NewString(fmt.Appendf(nil, " (%s in the source)", file)))
}

// collect finds the title and the sections.
func (p *page) collect(root ast.Node, source []byte, at string) {
	for n := root.FirstChild(); n != nil; n = n.NextSibling() {
		words := strings.Join(strings.Fields(plain(n, source)), " ")
		if h, ok := n.(*ast.Heading); ok {
			id, _ := h.AttributeString("id")
			if p.title == "" {
				p.title = words
			}
			p.sections = append(p.sections, section{p.title, at + "#" + string(id.([]byte)), words, ""})
		} else if last := len(p.sections) - 1; last >= 0 {
			p.sections[last].Text += words + " "
		}
	}
}

// plain is the text of a node and all below it.
func plain(n ast.Node, source []byte) string {
	var b strings.Builder
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) { // never fails
		switch n := n.(type) {
		case *ast.Text:
			if entering {
				b.Write(n.Value(source))
				if n.SoftLineBreak() || n.HardLineBreak() {
					b.WriteByte(' ')
				}
			}
		case *ast.String:
			if entering {
				b.Write(n.Value)
			}
		case *ast.CodeBlock, *ast.FencedCodeBlock:
			if entering {
				b.Write(n.Lines().Value(source))
			}
		default:
			if n.Type() == ast.TypeBlock && !entering {
				b.WriteByte(' ')
			}
		}
		return ast.WalkContinue, nil
	})
	return b.String()
}

// anchors are the ids of the headings of one page, as GitHub makes them.
type anchors map[string]bool

func (a anchors) Generate(heading []byte, _ ast.NodeKind) []byte {
	id := strings.Map(func(r rune) rune {
		switch {
		case unicode.IsLetter(r), unicode.IsDigit(r), r == '-', r == '_':
			return unicode.ToLower(r)
		case r == ' ':
			return '-'
		}
		return -1
	}, string(heading))
	unique := id
	for n := 1; a[unique]; n++ {
		unique = id + "-" + strconv.Itoa(n)
	}
	a[unique] = true
	return []byte(unique)
}

func (a anchors) Put(id []byte) { a[string(id)] = true }
