package operator

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"strongroom/internal/domain"
)

// A page of the trail reads only as many entries as it shows, if every entry of the index
// matches. A filter that is taken for such a one by mistake finds too little.
func TestOnlyTheFieldsOfAnIndexMatchEveryEntry(t *testing.T) {
	index := []string{"AccountID", "AccountHash", "From", "To"}
	kind := reflect.TypeFor[domain.EntryFilter]()
	for i := range kind.NumField() {
		var f domain.EntryFilter
		switch field := reflect.ValueOf(&f).Elem().Field(i); field.Kind() {
		case reflect.String:
			field.SetString("x")
		case reflect.Slice:
			field.SetBytes([]byte("x"))
		default:
			field.Set(reflect.ValueOf(time.Unix(1, 0)))
		}
		if name := kind.Field(i).Name; everyEntry(f) != slices.Contains(index, name) {
			t.Errorf("with a filter by %s, everyEntry is %v", name, everyEntry(f))
		}
	}
}
