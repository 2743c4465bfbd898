package config

import (
	"encoding"
	"errors"
	"fmt"
	"math"
	"net"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"strongroom/internal/domain"
)

// setting is one field of [Settings], read from its tags:
//
//	name   flag and YAML key; the environment variable follows from it
//	std    default, in the form that a flag would take; DATA-DIR stands for that setting
//	help   one or two sentences for --help and the reference
//	form   what a value looks like
//	oneof  the allowed values      setof  the allowed members of a list
//	min, max  bounds, both allowed      zero  0 is allowed too, and what it means
type setting struct {
	reflect.StructTag
	name  string
	index []int
	kind  reflect.Type
}

var settings = fieldsOf(reflect.TypeFor[Settings]())

func fieldsOf(t reflect.Type) []setting {
	var out []setting
	for _, f := range reflect.VisibleFields(t) {
		if !f.Anonymous {
			out = append(out, setting{f.Tag, f.Tag.Get("name"), f.Index, f.Type})
		}
	}
	return out
}

// env is the environment variable of a setting.
func env(name string) string {
	return envPrefix + strings.ToUpper(strings.ReplaceAll(name, "-", "_"))
}

const envPrefix = "STRONGROOM_"

// allowed says what a value may be, to follow "must be".
func (s setting) allowed() string {
	get := s.Get
	switch {
	case get("oneof") != "":
		return orList(strings.Fields(get("oneof")))
	case get("setof") != "":
		all := strings.Fields(get("setof"))
		return "a list of " + strings.Join(all, ", ") + "; " + all[0] + " always among them"
	case s.kind == reflect.TypeFor[bool]():
		return "true or false"
	case s.kind == reflect.TypeFor[int]():
		return "a whole number from " + get("min") + " to " + get("max")
	case s.kind == reflect.TypeFor[[]time.Duration]():
		return fmt.Sprintf("a list of 1 to %d durations from %s to %s", maxLockouts, get("min"), get("max"))
	case s.kind == reflect.TypeFor[time.Duration]() && get("zero") != "":
		return "0 (" + get("zero") + ") or a duration from " + get("min") + " to " + get("max")
	case s.kind == reflect.TypeFor[time.Duration]():
		return "a duration from " + get("min") + " to " + get("max")
	}
	return get("form")
}

func orList(words []string) string {
	last := len(words) - 1
	if last == 0 {
		return words[0]
	}
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// maxLockouts bounds the ladder: each step is one guess more before the lock
// for good.
const maxLockouts = 10

var errNotAllowed = errors.New("not allowed")

// set parses text into the setting's field. Its error says what is wrong in
// words that may follow the setting's name.
func (s setting) set(into *Settings, text string) error {
	err := s.parse(reflect.ValueOf(into).Elem().FieldByIndex(s.index).Addr().Interface(), text)
	if errors.Is(err, errNotAllowed) {
		return errors.New("must be " + s.allowed())
	}
	return err
}

func (s setting) parse(field any, text string) (err error) {
	if list := s.Get("oneof"); list != "" && !slices.Contains(strings.Fields(list), text) {
		if s.kind == reflect.TypeFor[domain.Mode]() && (text == "jwt" || text == "gateway") {
			return errors.New("must be device: jwt and gateway are not in this version")
		}
		return errNotAllowed
	}
	switch field := field.(type) {
	case *string:
		*field = text
		return s.checkText(text)
	case *domain.Mode:
		*field = domain.Mode(text)
	case *bool:
		if text != "true" && text != "false" {
			return errNotAllowed
		}
		*field = text == "true"
	case *int:
		*field, err = s.integer(text)
	case *time.Duration:
		*field, err = s.duration(text)
	case *[]time.Duration:
		*field, err = s.durations(text)
	case *[]string:
		*field, err = s.subset(text)
	case encoding.TextUnmarshaler:
		return field.UnmarshalText([]byte(text))
	}
	return err
}

func (s setting) checkText(text string) error {
	if text == "" || strings.ContainsRune(text, 0) || (s.Get("form") == "HOST:PORT" && !isAddress(text)) {
		return errNotAllowed
	}
	return nil
}

func isAddress(text string) bool {
	_, port, err := net.SplitHostPort(text)
	if err != nil {
		return false
	}
	_, err = strconv.ParseUint(port, 10, 16)
	return err == nil
}

// anyPort reports whether the system chooses the port of an address.
func anyPort(address string) bool {
	_, port, _ := net.SplitHostPort(address)
	n, err := strconv.Atoi(port)
	return err == nil && n == 0
}

func (s setting) integer(text string) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || (s.Get("min") != "" && (n < bound(s.Get("min")) || n > bound(s.Get("max")))) {
		return 0, errNotAllowed
	}
	return n, nil
}

func (s setting) duration(text string) (time.Duration, error) {
	d, err := parseDuration(text)
	if err == nil && d == 0 && s.Get("zero") != "" {
		return 0, nil
	}
	if err != nil || d < span(s.Get("min")) || d > span(s.Get("max")) {
		return 0, errNotAllowed
	}
	return d, nil
}

func (s setting) durations(text string) ([]time.Duration, error) {
	items := strings.Split(text, ",")
	if len(items) > maxLockouts {
		return nil, errNotAllowed
	}
	var out []time.Duration
	for _, item := range items {
		d, err := s.duration(strings.TrimSpace(item))
		if err != nil {
			return nil, err
		}
		out = append(out, d)
	}
	return out, nil
}

// subset reads a list of members of setof, each at most once and the first of
// setof among them, and puts it in the order of setof: an order that operators
// could choose would change how long a refusal takes.
func (s setting) subset(text string) ([]string, error) {
	all := strings.Fields(s.Get("setof"))
	given := map[string]bool{}
	for item := range strings.SplitSeq(text, ",") {
		item = strings.TrimSpace(item)
		if !slices.Contains(all, item) || given[item] {
			return nil, errNotAllowed
		}
		given[item] = true
	}
	if !given[all[0]] {
		return nil, errNotAllowed
	}
	return slices.DeleteFunc(all, func(v string) bool { return !given[v] }), nil
}

// parseDuration reads a Go duration, or a whole number of days with the suffix
// d. Numbers without a unit are refused, all but 0: is 30 seconds or minutes?
func parseDuration(text string) (time.Duration, error) {
	days, isDays := strings.CutSuffix(text, "d")
	if !isDays {
		return time.ParseDuration(text)
	}
	const day = 24 * time.Hour
	n, err := strconv.ParseUint(days, 10, 64)
	if err != nil || n > uint64(math.MaxInt64/day) {
		return 0, errNotAllowed
	}
	return time.Duration(n) * day, nil
}

// bound and span read a bound from a tag; a bad one is a programmer's mistake
// that any test meets.
func bound(tag string) int {
	n, err := strconv.Atoi(tag)
	if err != nil {
		panic("config: bad bound " + tag)
	}
	return n
}

func span(tag string) time.Duration {
	d, err := parseDuration(tag)
	if err != nil {
		panic("config: bad bound " + tag)
	}
	return d
}

// Database says where the records are kept: one SQLite file.
type Database struct {
	Path string
}

// UnmarshalText reads the form sqlite:PATH.
func (d *Database) UnmarshalText(text []byte) error {
	scheme, path, _ := strings.Cut(string(text), ":")
	if scheme == "postgres" || scheme == "postgresql" {
		return errors.New("must be sqlite:PATH: PostgreSQL is not in this version")
	}
	// The driver would read parameters behind a question mark, and open a
	// database that no restart finds again for the two special names.
	if scheme != "sqlite" || path == "" || strings.ContainsAny(path, "?#\x00") ||
		strings.HasPrefix(path, "file:") || strings.HasPrefix(path, ":memory:") {
		return errors.New("must be sqlite:PATH, where PATH is a plain file name without ? and #")
	}
	d.Path = path
	return nil
}

// RootKey says where the root key is found. Exactly one field is set.
type RootKey struct {
	File string // path of a file
	Env  string // name of an environment variable
}

var envName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// UnmarshalText reads the forms file:PATH and env:NAME. The key itself is
// refused by its form: it must not stand in a flag or a settings file.
func (k *RootKey) UnmarshalText(text []byte) error {
	scheme, rest, _ := strings.Cut(string(text), ":")
	switch {
	case scheme == "file" && rest != "" && !strings.ContainsRune(rest, 0):
		*k = RootKey{File: rest}
	case scheme == "env" && envName.MatchString(rest):
		*k = RootKey{Env: rest}
	default:
		return errors.New("must be file:PATH or env:NAME, never the key itself")
	}
	return nil
}
