package graph

import (
	"net/http"
	"testing"

	"strongroom/internal/domain"
)

// FuzzRequest sends any bytes as the body of a request. Whatever they are, the
// answer is JSON, an error has a known code and a message, only a refusal has
// no data, and nothing panics. Sent again, when its document may be a kept one,
// it is answered alike.
func FuzzRequest(f *testing.F) {
	for _, table := range []map[string]bad{badValues, badDocuments} {
		for _, tc := range table {
			f.Add([]byte(encode(f, tc.query, tc.variables)))
		}
	}
	for _, body := range []string{``, `{}`, `[]`, `{"query":"{__typename}"}`, `{"query":"` + "\xff" + `"}`,
		`{"query":"query A{__typename} query B{__typename}","operationName":"B","variables":null,"extensions":{}}`,
		`{"query":"mutation($i:ClientIdentityInput!){generateClientEncryptionKey(input:$i){keyId}}","variables":{"i":{"deviceId":"d"}}}`} {
		f.Add([]byte(body))
	}
	statuses := map[int]bool{http.StatusOK: true, http.StatusBadRequest: true, http.StatusRequestEntityTooLarge: true}
	codes := map[domain.Code]bool{domain.CodeBadRequest: true, domain.CodeBadUserInput: true, domain.CodeGraphQLInvalid: true,
		domain.CodePayloadTooLarge: true, domain.CodeOperationDisabled: true}
	f.Fuzz(func(t *testing.T, body []byte) {
		for _, media := range []string{mediaJSON, mediaResponse} {
			s := newStand(media == mediaJSON)
			got := s.do(t, request(string(body), media))
			if !statuses[got.Status] || (got.Data == nil) != (len(got.Errors) > 0) {
				t.Fatalf("%d %s", got.Status, got.Text)
			}
			if again := s.do(t, request(string(body), media)); again.Status != got.Status || again.Text != got.Text {
				t.Fatalf("%d %s\nand the second time\n%d %s", got.Status, got.Text, again.Status, again.Text)
			}
			for _, e := range got.Errors {
				if code, _ := e.Extensions["code"].(string); !codes[domain.Code(code)] || e.Message == "" {
					t.Fatalf("%d %s\n%s", got.Status, got.Text, s.log)
				}
			}
			if reached := len(s.calls) > 0; reached && len(s.refused) > 0 {
				t.Fatalf("executed and refused: %s", got.Text)
			}
		}
	})
}
