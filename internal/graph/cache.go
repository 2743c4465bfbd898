package graph

import (
	linked "container/list"
	"strings"
	"sync"

	"github.com/vektah/gqlparser/v2/ast"
)

// document is a document that has been read. Once validated it is never
// written to again, so that any number of requests may execute it at once.
type document struct {
	text string
	*ast.QueryDocument
	uses map[*ast.VariableDefinition]use // where each variable goes; nil: not validated yet
}

// Bounds on the documents that are kept. An app sends few: one or two for each
// operation that it uses, in each of its versions that is about.
const (
	maxDocuments     = 256
	maxDocumentText  = 4 << 10 // bytes of one; a longer one is read anew each time
	maxDocumentBytes = 2 << 20 // of memory, of all
)

// weight is the memory that a valid document takes at most, in bytes. A syntax
// tree is tens of times as large as its text.
func weight(text string) int { return 1<<10 + 64*len(text) }

// documents are the valid documents met lately, by their text: the same text
// need not be parsed and validated again. What depends on more than the text,
// its variables above all, is checked for each request. It is safe for
// concurrent use.
//
// The key is the text itself and not a hash of it: two texts with one hash
// would have one client execute what another sent.
type documents struct {
	mu     sync.Mutex
	byText map[string]*linked.Element // of *document
	recent linked.List                // the most recently used first
	bytes  int                        // by weight
}

// keepable says whether a text may stay in memory after its request. It may
// not if a client could have put a secret into it, and values that are not
// names or numbers can only be written in quotes. Comments can hold anything.
func keepable(text string) bool {
	return len(text) <= maxDocumentText && strings.IndexByte(text, '"') < 0 && strings.IndexByte(text, '#') < 0
}

// get returns the document of this text, or nil.
func (d *documents) get(text string) *document {
	d.mu.Lock()
	defer d.mu.Unlock()
	element := d.byText[text]
	if element == nil {
		return nil
	}
	d.recent.MoveToFront(element)
	return element.Value.(*document)
}

// put keeps a valid document, at the cost of those that were not used for
// longest.
func (d *documents) put(doc *document) {
	if !keepable(doc.text) {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.byText[doc.text] != nil {
		return // another request was faster
	}
	if d.byText == nil {
		d.byText = map[string]*linked.Element{}
	}
	d.byText[doc.text] = d.recent.PushFront(doc)
	d.bytes += weight(doc.text)
	for d.bytes > maxDocumentBytes || d.recent.Len() > maxDocuments {
		oldest := d.recent.Remove(d.recent.Back()).(*document)
		delete(d.byText, oldest.text)
		d.bytes -= weight(oldest.text)
	}
}
