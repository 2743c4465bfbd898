package graph

import (
	"strings"
	"sync"

	"github.com/hashicorp/golang-lru/v2/simplelru"
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
	byText *simplelru.LRU[string, *document] // guarded by mu
	bytes  int                               // guarded by mu; by weight
}

func newDocuments() *documents {
	d := &documents{}
	d.byText, _ = simplelru.NewLRU(maxDocuments, func(text string, _ *document) { d.bytes -= weight(text) }) // fails for sizes below 1 only
	return d
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
	doc, _ := d.byText.Get(text)
	return doc
}

// put keeps a valid document, at the cost of those that were not used for
// longest.
func (d *documents) put(doc *document) {
	if !keepable(doc.text) {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.byText.Contains(doc.text) {
		return // another request was faster
	}
	d.bytes += weight(doc.text)
	d.byText.Add(doc.text, doc)
	for d.bytes > maxDocumentBytes {
		d.byText.RemoveOldest()
	}
}
