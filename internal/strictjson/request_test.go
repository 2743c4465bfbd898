package strictjson

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/iotest"

	"strongroom/internal/domain"
)

func TestRequestTakesOnlyPlainJSON(t *testing.T) {
	accepted := map[string][2]string{
		"plain":          {"application/json"},
		"in UTF-8":       {"application/json; charset=utf-8"},
		"in quotes":      {`Application/JSON; charset="UTF-8"`},
		"not compressed": {"application/json", "identity"},
	}
	refused := map[string][2]string{
		"no type":          {},
		"text":             {"text/plain"},
		"a form":           {"application/x-www-form-urlencoded"},
		"multipart":        {"multipart/form-data; boundary=x"},
		"another JSON":     {"application/graphql-response+json"},
		"a prefix":         {"application/jsonx"},
		"UTF-16":           {"application/json; charset=utf-16"},
		"a broken type":    {"application/json; charset"},
		"compressed":       {"application/json", "gzip"},
		"two types in one": {"application/json, text/plain"},
	}
	try := func(header [2]string) *domain.Error {
		r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(`{}`))
		for i, name := range []string{"Content-Type", "Content-Encoding"} {
			if header[i] != "" {
				r.Header.Set(name, header[i])
			}
		}
		_, err := Request(httptest.NewRecorder(), r, 100)
		return err
	}
	for name, header := range accepted {
		if err := try(header); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, header := range refused {
		if err := try(header); err == nil || err.Code != domain.CodeUnsupportedMedia {
			t.Errorf("%s: got %v, want %s", name, err, domain.CodeUnsupportedMedia)
		}
	}
}

func TestRequestSaysWhyABodyIsRefused(t *testing.T) {
	const limit = 32
	for name, tc := range map[string]struct {
		body io.Reader
		want domain.Code
	}{
		"as long as allowed": {strings.NewReader(`{}` + strings.Repeat(" ", limit-2)), ""},
		"a byte too long":    {strings.NewReader(`{}` + strings.Repeat(" ", limit-1)), domain.CodePayloadTooLarge},
		"empty":              {http.NoBody, domain.CodeBadRequest},
		"malformed":          {bytes.NewReader([]byte{'{', 0xff}), domain.CodeBadRequest},
		"cut off":            {iotest.ErrReader(errors.New("hunter2")), domain.CodeBadRequest},
	} {
		r := httptest.NewRequest(http.MethodPost, "/", tc.body)
		r.Header.Set("Content-Type", "application/json")
		_, err := Request(httptest.NewRecorder(), r, limit)
		var got domain.Code
		if err != nil {
			got = err.Code
			if strings.Contains(err.Message, "hunter2") {
				t.Errorf("%s: the cause is shown: %s", name, err.Message)
			}
		}
		if got != tc.want {
			t.Errorf("%s: got %q, want %q", name, got, tc.want)
		}
	}
}
