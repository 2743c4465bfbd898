package domain

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func rulesOnly(t *testing.T) *Blocklist {
	t.Helper()
	b, err := NewBlocklist(nil)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestTheBlocklistForbidsCommonPatternsAndNoSimilarSecrets(t *testing.T) {
	b := rulesOnly(t)
	for _, c := range []struct{ what, forbidden, allowed string }{
		{"one digit", "1111 00000 777777 999999999999", "4441 7077"},
		{"a repeated pattern", "1213121312131213 1212 6969 123123 45674567 123456123456", "12312 1212123"},
		{"groups of equal digits", "1122 2211 112233 111222 11223344 111122223333", "4413 1112233 144333"},
		{"runs of any step", "1234 4321 7890 0987 2468 1357 3690 0505 24680 13579 567890123", "1235 1246 12345679"},
		{"days and months", "0101 3112 1231 2902 0229", "3113 3002 0431 3104 0001 1300"},
		{"years", "1900 1984 2029", "1899 2030"},
		{"dates with two digits of the year", "311299 123199 991231 290201", "313199 993112"},
		{"months with a year", "121984 198412", "131984 131884 188413"},
		{"whole dates", "31121984 12311984 19841231", "31131984 31121884 18841231 19843112"},
		{"lines with the 0", "2580 0852 1470 0741 7410 3690 0963 0258", "5280 8250"},
		{"one line after another", "147258 789456 159753 147258369 321654987", "147268 1472583 123457"},
		{"along the border of the keypad", "1236 3214 9874 12369 1236987 12369874", "1235 12365 1232 2589 1245"},
		{"corners of squares", "1379 1397 9713 1254 5214 2684 4268 8965", "1256 2514 1245 1378"},
		{"passcodes of one short pattern", "aaaa abab abcdabcd ééééé ἀβἀβ", "abcdeabcde aaab 1a1b abcab"},
	} {
		t.Run(c.what, func(t *testing.T) {
			for _, s := range strings.Fields(c.forbidden) {
				if !b.Forbids(Secret(s)) {
					t.Errorf("%s is allowed", s)
				}
			}
			for _, s := range strings.Fields(c.allowed) {
				if b.Forbids(Secret(s)) {
					t.Errorf("%s is forbidden", s)
				}
			}
		})
	}
}

// forbidden counts the PINs of so many digits that the rules forbid, in all
// and by each rule.
func forbidden(b *Blocklist, digits int) (total int, by map[string]int) {
	by = map[string]int{}
	pin := bytes.Repeat([]byte("0"), digits)
	for {
		for _, rule := range digitRules {
			if rule.broken(pin) {
				by[rule.name]++
			}
		}
		if b.Forbids(pin) {
			total++
		}
		last := len(bytes.TrimRight(pin, "9")) - 1
		if last < 0 {
			return total, by
		}
		pin[last]++
		copy(pin[last+1:], "000000000000")
	}
}

// docs/policy.md has these numbers, and strongroom policy odds counts with the
// totals.
func TestTheRulesForbidAboutATenthOfAllPINs(t *testing.T) {
	type counts struct {
		Total int
		By    map[string]int
	}
	for digits, want := range map[int]counts{
		4: {1025, map[string]int{"repeat": 100, "groups": 100, "run": 100, "date": 588, "year": 130, "keypad": 92}},
		5: {116, map[string]int{"repeat": 10, "run": 100, "keypad": 16}},
		6: {87829, map[string]int{"repeat": 1090, "groups": 1090, "run": 100, "date": 85504, "keypad": 272}},
	} {
		total, by := forbidden(rulesOnly(t), digits)
		if diff := cmp.Diff(want, counts{total, by}); diff != "" {
			t.Errorf("%d digits (-want +got):\n%s", digits, diff)
		}
	}
}

func TestAListForbidsItsLinesExactly(t *testing.T) {
	longest := strings.Repeat("k", MaxPasscode-1) + "l"
	b, err := NewBlocklist(strings.NewReader("5683\r\ncorrect horse\n\n spaced \n# no comment\n" + longest + "\nnaïve"))
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []string{"5683", "correct horse", " spaced ", "# no comment", "naïve", longest, "1234"} {
		if !b.Forbids(Secret(s)) {
			t.Errorf("%q is allowed", s)
		}
	}
	for _, s := range []string{"5684", "5683\r", "Correct Horse", "correct", "spaced", "# no", "naive", "", "111"} {
		if b.Forbids(Secret(s)) {
			t.Errorf("%q is forbidden", s)
		}
	}
}

// Some editors put a byte order mark before the first line.
func TestAByteOrderMarkDoesNotHideTheFirstEntry(t *testing.T) {
	b, err := NewBlocklist(strings.NewReader("\ufeff5683\n\ufeff4937\n"))
	if err != nil {
		t.Fatal(err)
	}
	if !b.Forbids(Secret("5683")) {
		t.Error("the first entry is not forbidden")
	}
	if b.Forbids(Secret("4937")) {
		t.Error("a mark in another line is ignored too, so the line is not compared exactly")
	}
}

func TestABadListIsRefusedWithItsLineNumberAndNoContent(t *testing.T) {
	lines := manyLines(MaxBlocklist)
	for _, c := range []struct{ name, list, want string }{
		{"too long", "5683\n" + strings.Repeat("k", MaxPasscode+1), "line 2: longer than 128 bytes, which no passcode is"},
		{"far too long", "5683\n\n" + strings.Repeat("k", 1<<20), "line 3: longer than 128 bytes, which no passcode is"},
		{"not UTF-8", "5683\nk\xff\n", "line 2: not UTF-8"},
		{"too many", lines + "one more", "line 1000001: more than 1000000 entries"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := NewBlocklist(strings.NewReader(c.list)); err == nil || err.Error() != c.want {
				t.Errorf("error is %v, want %s", err, c.want)
			}
		})
	}
	if _, err := NewBlocklist(strings.NewReader(lines)); err != nil {
		t.Errorf("the maximum number of entries: %v", err)
	}
}

func manyLines(n int) string {
	var lines strings.Builder
	for i := range n {
		fmt.Fprintln(&lines, i)
	}
	return lines.String()
}

// A copy would outlive the wiping of the secret.
func TestLookingUpASecretMakesNoCopy(t *testing.T) {
	b, err := NewBlocklist(strings.NewReader("5683\ncorrect horse battery staple, and then some more of it\n"))
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []string{"7391", "48151623", "another horse battery staple, and then some more of it", "correct horse battery staple, and then some more of it"} {
		secret := Secret(s)
		if n := testing.AllocsPerRun(100, func() { b.Forbids(secret) }); n != 0 {
			t.Errorf("%g allocations for a secret of %d bytes", n, len(s))
		}
	}
}
