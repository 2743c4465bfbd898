package assets

import (
	"net/http/httptest"
	"testing"
)

func TestAFileIsCompressedOnlyForClientsThatTakeGzip(t *testing.T) {
	s := New("/assets/", "public")
	s.Add("page.js", []byte("let it = 1;"))
	at, err := s.URL("page.js")
	if err != nil {
		t.Fatal(err)
	}
	for accepted, want := range map[string]bool{
		"gzip": true, "br, GZIP": true, "gzip;q=0.5, br": true, "deflate, gzip ; q=1": true,
		"": false, "br": false, "gzip;q=0": false, "gzip; q=0.000, br": false, "gzip;q=none": false, "notgzip": false,
	} {
		r, w := httptest.NewRequest("GET", at, nil), httptest.NewRecorder()
		r.Header.Set("Accept-Encoding", accepted)
		s.All()[at].ServeHTTP(w, r)
		if plain := w.Body.String() == "let it = 1;"; plain == want || (w.Header().Get("Content-Encoding") == "gzip") != want {
			t.Errorf("%q: Content-Encoding %q, plain: %t", accepted, w.Header().Get("Content-Encoding"), plain)
		}
	}
}
