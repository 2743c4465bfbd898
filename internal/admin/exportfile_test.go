package admin

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"strongroom/internal/domain"
)

func TestAnExportedAccountIsOneObjectWithAllPagesOfTheTrail(t *testing.T) {
	export := accountExport(domain.AccountExport{AccountInfo: domain.AccountInfo{Account: domain.Account{ID: id, Subject: "a\u202e\x07\U000e0001}\n"}}})
	for name, pages := range map[string][][]int64{"no entry": {nil}, "one page": {{9, 8}}, "three pages, one of them without a match": {{9, 8}, nil, {7}}} {
		read := 0
		var got bytes.Buffer
		err := WriteAccountFile(&got, export, func(after string) (AuditPage, error) {
			if after != strings.Repeat("x", read) || read > 0 && got.Len() == 0 {
				t.Errorf("%s: page %d is read after %q with %d bytes written", name, read, after, got.Len())
			}
			page := AuditPage{}
			for _, seq := range pages[read] {
				page.Items = append(page.Items, Entry{Seq: seq, Reason: "a\u202e"})
			}
			if read++; read < len(pages) {
				page.Next = strings.Repeat("x", read)
			}
			return page, nil
		})
		if err != nil || strings.ContainsAny(got.String(), "\u202e\x07\U000e0001") {
			t.Errorf("%s: %v, %q", name, err, got.String())
		}
		var file struct {
			AccountExport
			Entries []Entry `json:"entries"`
		}
		in := json.NewDecoder(&got)
		in.DisallowUnknownFields()
		if err := in.Decode(&file); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		var want, seqs []int64
		for _, page := range pages {
			want = append(want, page...)
		}
		for _, e := range file.Entries {
			seqs = append(seqs, e.Seq)
		}
		if diff := cmp.Diff(want, seqs) + cmp.Diff(export, file.AccountExport); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestNothingOfAnExportIsWrittenBeforeTheTrailAnswers(t *testing.T) {
	var got bytes.Buffer
	gone := errors.New("the database is gone")
	if err := WriteAccountFile(&got, AccountExport{}, func(string) (AuditPage, error) { return AuditPage{}, gone }); !errors.Is(err, gone) || got.Len() > 0 {
		t.Errorf("%v after %q", err, got.String())
	}
	err := WriteAccountFile(&got, AccountExport{}, func(after string) (AuditPage, error) {
		if after != "" {
			return AuditPage{}, gone
		}
		return AuditPage{List: List[Entry]{Next: "x"}}, nil
	})
	if !errors.Is(err, gone) || json.Valid(got.Bytes()) {
		t.Errorf("a partial export is valid JSON: %v, %s", err, got.String())
	}
}
