package domain

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// MaxBlocklist bounds the entries of a [Blocklist], some 60 bytes each in
// memory.
const MaxBlocklist = 1_000_000

// Blocklist forbids secrets that people choose so often that an attacker would try
// them first. It has built-in rules, which need no list, and a list that the
// operator supplies. docs/policy.md has the counts. It is immutable and safe for
// concurrent use.
type Blocklist struct {
	listed map[string]struct{} // public words, unlike the secrets that are looked up
}

// NewBlocklist reads a list with one secret per line, in UTF-8. It trims no spaces and
// ignores empty lines and a byte order mark at the beginning. The caller must have
// normalised the list to NFC, like passcodes. If list is nil, only the rules apply. Errors
// name the line and never quote it.
func NewBlocklist(list io.Reader) (*Blocklist, error) {
	b := &Blocklist{listed: map[string]struct{}{}}
	if list == nil {
		return b, nil
	}
	lines, n := bufio.NewScanner(list), 0
	for lines.Scan() {
		n++
		entry := lines.Bytes()
		if n == 1 {
			entry = bytes.TrimPrefix(entry, []byte("\ufeff"))
		}
		switch {
		case len(entry) > MaxPasscode:
			return nil, fmt.Errorf("line %d: longer than %d bytes, which no passcode is", n, MaxPasscode)
		case !utf8.Valid(entry):
			return nil, fmt.Errorf("line %d: not UTF-8", n)
		case len(entry) == 0:
			continue
		}
		b.listed[string(entry)] = struct{}{}
		if len(b.listed) > MaxBlocklist {
			return nil, fmt.Errorf("line %d: more than %d entries", n, MaxBlocklist)
		}
	}
	switch err := lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return nil, fmt.Errorf("line %d: longer than %d bytes, which no passcode is", n+1, MaxPasscode)
	case err != nil:
		return nil, fmt.Errorf("after line %d: %w", n, err)
	}
	return b, nil
}

// Forbids reports whether the secret, which [CheckPolicy] has passed, may not
// be set. Rules and list are the same for both types: a common PIN is a common
// passcode too. No copy of the secret is made.
func (b *Blocklist) Forbids(secret Secret) bool {
	if _, ok := b.listed[string(secret)]; ok { // looked up without a copy
		return true
	}
	if !allDigits(secret) {
		return repeated(secret, 4)
	}
	if len(secret) < MinTransactionPIN {
		return false
	}
	for _, rule := range digitRules {
		if rule.broken(secret) {
			return true
		}
	}
	return false
}

// digitRules are the rules for secrets that contain only digits. Each gets four
// digits or more.
var digitRules = []struct {
	name   string
	broken func(digits []byte) bool
}{
	{"repeat", func(d []byte) bool { return repeated(d, len(d)) }},
	{"groups", grouped},
	{"run", run},
	{"date", date},
	{"year", year},
	{"keypad", keypad},
}

func allDigits(s []byte) bool {
	for _, b := range s {
		if b < '0' || b > '9' {
			return false
		}
	}
	return true
}

// repeated: one pattern of at most longest characters, over and over: 1111,
// 1212, 123123, abab.
func repeated(s []byte, longest int) bool {
	for p := 1; p <= len(s)/2; p++ {
		if len(s)%p == 0 && bytes.Equal(s[p:], s[:len(s)-p]) {
			return utf8.RuneCount(s[:p]) <= longest
		}
	}
	return false
}

// grouped: equal digits in groups of one length: 1122, 112233, 111222.
func grouped(d []byte) bool {
	for size := 2; size <= len(d)/2; size++ {
		if len(d)%size != 0 {
			continue
		}
		whole := true
		for i := range d {
			whole = whole && d[i] == d[i-i%size]
		}
		if whole {
			return true
		}
	}
	return false
}

// run: the same step from digit to digit, with 0 after 9: 1234, 9876, 2468, 7890.
func run(d []byte) bool {
	step := (10 + d[1] - d[0]) % 10
	for i := 1; i < len(d); i++ {
		if (10+d[i]-d[i-1])%10 != step {
			return false
		}
	}
	return true
}

// The years that people have in mind: those of their lives, and a few more.
// Later ones are rarer than other digits.
const firstYear, lastYear = 1900, 2029

func isYear(y int) bool { return y >= firstYear && y <= lastYear }

func year(d []byte) bool { return len(d) == 4 && isYear(number(d)) }

// date: day and month in either order, with a year of two or four digits
// behind or before them; and month and year where the year has four.
func date(d []byte) bool {
	switch len(d) {
	case 4:
		return dayAndMonth(d)
	case 6:
		return dayAndMonth(d[:4]) || isDay(number(d[2:4]), number(d[4:])) || // DDMMYY, MMDDYY; YYMMDD
			isMonth(number(d[:2])) && isYear(number(d[2:])) || isYear(number(d[:4])) && isMonth(number(d[4:]))
	case 8:
		return dayAndMonth(d[:4]) && isYear(number(d[4:])) ||
			isYear(number(d[:4])) && isDay(number(d[4:6]), number(d[6:]))
	}
	return false
}

func dayAndMonth(d []byte) bool {
	a, b := number(d[:2]), number(d[2:])
	return isDay(a, b) || isDay(b, a)
}

func isMonth(m int) bool { return m >= 1 && m <= 12 }

// isDay accepts 29 February in every year, because two digits of a year do not
// show whether it is a leap year.
func isDay(month, day int) bool {
	days := [...]int{31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31}
	return isMonth(month) && day >= 1 && day <= days[month-1]
}

func number(d []byte) int {
	n := 0
	for _, b := range d {
		n = 10*n + int(b-'0')
	}
	return n
}

// keypad: what a finger draws on the keypad: along its border (1236, 12369874),
// line after line (147258, 147258369), a line with the 0 below (2580, 0147), and
// the corners of a square (1379, 2684, 1254).
func keypad(d []byte) bool {
	return alongBorder(d) || lineAfterLine(d) || lineWithZero(d) || square(d)
}

// alongBorder: each key is the next one round the border, always the same way.
func alongBorder(d []byte) bool {
	place := [...]int{-1, 0, 1, 2, 7, -1, 3, 6, 5, 4} // of each digit in 1 2 3 6 9 8 7 4
	way := 0
	for i := 1; i < len(d); i++ {
		a, b := place[d[i-1]-'0'], place[d[i]-'0']
		step := (8 + b - a) % 8
		if a < 0 || b < 0 || step != 1 && step != 7 || way != 0 && step != way {
			return false
		}
		way = step
	}
	return true
}

// keypadLine: three keys in a row, a column or a diagonal, from either end.
func keypadLine(d []byte) bool {
	switch string(d) {
	case "123", "456", "789", "147", "258", "369", "159", "357",
		"321", "654", "987", "741", "852", "963", "951", "753":
		return true
	}
	return false
}

func lineAfterLine(d []byte) bool {
	for i := 0; i+3 <= len(d); i += 3 {
		if !keypadLine(d[i : i+3]) {
			return false
		}
	}
	return len(d)%3 == 0
}

// lineWithZero: a column and the 0 below, which is also where the thumb goes
// from the columns beside it.
func lineWithZero(d []byte) bool {
	switch string(d) {
	case "1470", "2580", "3690", "7410", "8520", "9630", "0147", "0258", "0369", "0741", "0852", "0963":
		return true
	}
	return false
}

// square: the corners of the keypad in any order, and those of a smaller square
// as one goes round it.
func square(d []byte) bool {
	if len(d) != 4 {
		return false
	}
	keys := 0
	for _, b := range d {
		keys |= 1 << (b - '0')
	}
	if keys == 1<<1|1<<3|1<<7|1<<9 {
		return true
	}
	for _, round := range [...]string{"1254", "2365", "4587", "5698", "2684"} {
		at := strings.IndexByte(round, d[0])
		if at < 0 {
			continue
		}
		a, b, c := round[(at+1)%4], round[(at+2)%4], round[(at+3)%4]
		if d[2] == b && (d[1] == a && d[3] == c || d[1] == c && d[3] == a) {
			return true
		}
	}
	return false
}
