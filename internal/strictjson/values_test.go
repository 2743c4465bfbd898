package strictjson

import (
	"slices"
	"testing"
)

func TestOnlyAListOfStringsIsOne(t *testing.T) {
	members, err := Object([]byte(`{"none":null,"empty":[],"two":["a","b"],"one":"a","number":[1],"null":[null,"a"],"object":{}}`))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string][]string{"missing": nil, "none": nil, "empty": {}, "two": {"a", "b"}} {
		if got, ok := Strings(members[name]); !ok || !slices.Equal(got, want) {
			t.Errorf("%s: %v %t", name, got, ok)
		}
	}
	for _, name := range []string{"one", "number", "null", "object"} {
		if got, ok := Strings(members[name]); ok {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestBase64URLHasOneForm(t *testing.T) {
	for text, want := range map[string]bool{"": true, "_-8": true, "/+8": false, "_-8=": false, "_-9": false, "_-\n8": false, "_-8\r\n": false, "_": false} {
		if data, ok := Base64URL(text); ok != want || ok && text != "" && string(data) != "\xff\xef" {
			t.Errorf("%q: %x %t", text, data, ok)
		}
	}
}
