package admin

import (
	"bytes"
	"context"
	"encoding/json"
	"io"

	"strongroom/internal/domain"
	"strongroom/internal/operatorapi"
)

// WriteAccountFile writes the JSON of "admin account export" to w: the members
// of e, and a last member "entries" with the account's entries in the audit
// trail, newest first. page returns the entries after a position; "" is the
// first page. They are written page by page, because there may be many. If the
// first page fails, nothing is written.
func WriteAccountFile(w io.Writer, e AccountExport, page func(after string) (AuditPage, error)) error {
	entries, err := page("")
	if err != nil {
		return err
	}
	head, err := json.MarshalIndent(e, "", "  ")
	if err != nil {
		return err
	}
	var part bytes.Buffer
	part.Write(Printable(bytes.TrimSuffix(head, []byte("\n}"))))
	part.WriteString(",\n  \"entries\": [")
	for separator := ""; ; {
		for _, entry := range entries.Items {
			text, err := json.MarshalIndent(entry, "    ", "  ")
			if err != nil {
				return err
			}
			part.WriteString(separator + "\n    ")
			part.Write(Printable(text))
			separator = ","
		}
		if entries.Next == "" {
			part.WriteString("\n  ]\n}\n")
		}
		if _, err := part.WriteTo(w); err != nil || entries.Next == "" {
			return err
		}
		if entries, err = page(entries.Next); err != nil {
			return err
		}
	}
}

// ExportAccount performs the export and writes its result like
// [WriteAccountFile]. It pauses between the pages, as the API does.
func ExportAccount(ctx context.Context, use operatorapi.UseCases, w io.Writer, accountID string, act domain.Act) error {
	export, err := use.ExportAccount(ctx, accountID, act)
	if err != nil {
		return err
	}
	turn := newPace()
	return WriteAccountFile(w, accountExport(export), func(after string) (page AuditPage, err error) {
		_, err = turn.read(ctx, func() (any, error) {
			entries, next, searched, err := use.Audit(ctx, domain.EntryFilter{AccountID: accountID}, domain.Page{After: after, Limit: maxLimit})
			page = AuditPage{listOf(entries, next, entry), shown(searched)}
			return nil, err
		})
		return page, err
	})
}
