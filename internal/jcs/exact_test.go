package jcs

import (
	"strings"
	"testing"
)

func TestDifferentNumbersNeverShareACanonicalForm(t *testing.T) {
	for _, same := range [][2]string{
		{"12.50", "12.5"}, {"12.5", "12.5"}, {"0.10", "0.1"}, {"1250e-2", "12.5"}, {"-0", "0"}, {"0e999999999999999999999", "0"}, {"-0.000", "0"},
		{"9007199254740992", "9007199254740992"}, {"1e21", "1e+21"}, {"100000000000000000000", "100000000000000000000"},
		{"0.000001", "0.000001"}, {"1E-7", "1e-7"}, {"5e-324", "5e-324"}, {"1.7976931348623157e308", "1.7976931348623157e+308"},
	} {
		got, err := Exact([]byte(`{"amount":[{"of":` + same[0] + `}]}`))
		if want := `{"amount":[{"of":` + same[1] + `}]}`; err != nil || string(got) != want {
			t.Errorf("%s: %s, %v; want %s", same[0], got, err, want)
		}
	}
	for _, other := range []string{
		"9007199254740993", "-9007199254740993", "0.1000000000000000055511151231257827", "1e-400", "1e-999999999999999999999", "12.500000000000000001",
		"123456789012345678901234567890", "1e400", "1e999999999999999999999", "5.1e-324",
		"0." + strings.Repeat("0", 400) + "1",
	} {
		if got, err := Exact([]byte(`{"amount":[{"of":` + other + `}]}`)); err == nil || strings.Contains(err.Error(), other) {
			t.Errorf("%s: %s, %v", other, got, err)
		}
	}
}

// FuzzExact compares with arithmetic on whole decimals.
func FuzzExact(f *testing.F) {
	for _, number := range []string{"0", "12.50", "9007199254740993", "1e23", "-1.5e-7"} {
		f.Add(number)
	}
	f.Fuzz(func(t *testing.T, number string) {
		got, err := Exact([]byte(`{"n":` + number + `}`))
		if err != nil {
			return
		}
		again, err := Exact(got)
		if err != nil || string(again) != string(got) {
			t.Errorf("%s is %s, and that is %s, %v", number, got, again, err)
		}
	})
}
