package cli

import "testing"

func TestNumbersAreWrittenToThreeDigits(t *testing.T) {
	for chance, want := range map[float64]string{
		1: "1", 0.9: "1.1", 0.1: "10", 1. / 99.4: "99", 1. / 123: "123", 1. / 12_345: "12,300", 1e-7: "10,000,000",
	} {
		if got := oneIn(chance); got != want {
			t.Errorf("%g: %s, want %s", chance, got, want)
		}
	}
}
