// Package strongroom holds the documents of the source tree, which the binary serves as
// web pages.
package strongroom

import "embed"

// Documents are the pages in Markdown and their images, by their paths in the source tree.
//
//go:embed README.md CHANGELOG.md SECURITY.md CONTRIBUTING.md docs
var Documents embed.FS
