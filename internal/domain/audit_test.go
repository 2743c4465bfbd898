package domain

import (
	"bytes"
	"reflect"
	"slices"
	"testing"
)

func TestTheHashOfAnEntryCoversEveryField(t *testing.T) {
	for _, f := range reflect.VisibleFields(reflect.TypeFor[Entry]()) {
		if slices.Contains([]string{"Hash", "About", "Tampered"}, f.Name) {
			continue
		}
		var e Entry
		switch field := reflect.ValueOf(&e).Elem().FieldByIndex(f.Index); f.Type.Kind() {
		case reflect.String:
			field.SetString("x")
		case reflect.Int64:
			field.SetInt(1000) // a microsecond, of a duration
		case reflect.Bool:
			field.SetBool(true)
		case reflect.Slice:
			field.SetBytes([]byte("x"))
		default:
			field.Set(reflect.ValueOf(FromMicros(1)))
		}
		if bytes.Equal(e.Canonical(), Entry{}.Canonical()) {
			t.Errorf("Canonical does not contain %s", f.Name)
		}
	}
}
