package graph

import (
	"strings"
	"sync"

	"github.com/hashicorp/golang-lru/v2/simplelru"
	"github.com/vektah/gqlparser/v2/ast"
)

// document is a parsed document. After its validation it is never written to
// again, so many requests can execute it at the same time.
type document struct {
	text string
	*ast.QueryDocument
	uses map[*ast.VariableDefinition]use // where each variable is used; nil: not validated yet
}

// Limits on the cached documents. An app sends few: one or two for each
// operation that it uses, in each of its versions.
const (
	maxDocuments     = 256
	maxDocumentText  = 4 << 10 // bytes of one; a longer one is parsed for each request
	maxDocumentBytes = 2 << 20 // bytes of memory for all
)

// weight is the most memory that a valid document takes, in bytes. A syntax
// tree is tens of times as large as its text.
func weight(text string) int { return 1<<10 + 64*len(text) }

// documents is the cache of valid documents, by their text, so that each is
// parsed and validated once. Variables and everything else that depends on the
// request are checked for each request. It is safe for concurrent use.
//
// The key is the text itself, not a hash: with a hash collision, one client
// would execute what another one sent.
type documents struct {
	mu     sync.Mutex
	byText *simplelru.LRU[string, *document] // guarded by mu
	bytes  int                               // guarded by mu; by weight
}

func newDocuments() *documents {
	d := &documents{}
	d.byText, _ = simplelru.NewLRU(maxDocuments, func(text string, _ *document) { d.bytes -= weight(text) }) // fails only for sizes below 1
	return d
}

// keepable reports whether a text may stay in memory after its request. It must
// not if a client could have put a secret into it: into a string, which needs
// quotes, or into a comment.
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

// put keeps a valid document. If there is no room, it removes the documents
// that were not used for longest.
func (d *documents) put(doc *document) {
	if !keepable(doc.text) {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.byText.Contains(doc.text) {
		return // another request has put it
	}
	d.bytes += weight(doc.text)
	d.byText.Add(doc.text, doc)
	for d.bytes > maxDocumentBytes {
		d.byText.RemoveOldest()
	}
}
