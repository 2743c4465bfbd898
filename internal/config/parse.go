package config

import (
	"encoding"
	"errors"
	"fmt"
	"iter"
	"math"
	"net"
	"net/netip"
	"net/url"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"strongroom/internal/domain"
)

// setting is one field of [Settings], read from its tags:
//
//	name   flag and YAML key; the environment variable follows from it
//	std    default, in the form that a flag takes; DATA-DIR stands for that setting
//	help   short text for --help and the reference
//	form   what a value looks like
//	oneof  the allowed values      someof  the allowed members of a list
//	setof  the same, but the first one must be in the list
//	min, max  bounds, inclusive         zero  what 0 means, which is allowed too
//	hardened  default with --hardened; "ask": none, the setting must be given
//	fips   default in FIPS mode, which overrides hardened
//	why    with "ask": what the default would do, and how to keep it on purpose
//
// A text or list whose std is empty may be empty.
type setting struct {
	reflect.StructTag
	name  string
	index []int
	kind  reflect.Type
}

const (
	hardenedName = "hardened" // the setting that turns on the defaults of the tag hardened
	jwksName     = "jwt-jwks" // one key set for each issuer
	ask          = "ask"
)

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

// isList reports whether the setting can have several values.
func (s setting) isList() bool { return s.kind.Kind() == reflect.Slice }

// env returns the environment variable of a setting.
func env(name string) string {
	return envPrefix + strings.ToUpper(strings.ReplaceAll(name, "-", "_"))
}

const envPrefix = "STRONGROOM_"

// allowed describes the valid values, as the end of a sentence with "must be".
func (s setting) allowed() string {
	get := s.Get
	switch {
	case get("oneof") != "":
		return orList(strings.Fields(get("oneof")))
	case get("setof") != "":
		all := strings.Fields(get("setof"))
		return "a list of " + strings.Join(all, ", ") + ", each at most once; " + all[0] + " must be in it"
	case get("someof") != "":
		return "a list of " + strings.Join(strings.Fields(get("someof")), ", ") + ", each at most once"
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
	case get("form") == "HOST:PORT":
		return "HOST:PORT with a port from 0 to 65535"
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

// maxLockouts bounds the number of lockouts: each is one more guess before the
// permanent lock.
const maxLockouts = 10

var (
	errNotAllowed = errors.New("not allowed")
	errControl    = errors.New("must not contain control characters, such as a line break at its end")
)

// set parses text into the setting's field. Its error can follow the setting's name
// in a sentence.
func (s setting) set(into *Settings, text string) error {
	err := s.parse(reflect.ValueOf(into).Elem().FieldByIndex(s.index).Addr().Interface(), text)
	if errors.Is(err, errNotAllowed) {
		return errors.New("must be " + s.allowed())
	}
	return err
}

func (s setting) parse(field any, text string) (err error) {
	if list := s.Get("oneof"); list != "" && !slices.Contains(strings.Fields(list), text) {
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
		*field, err = s.list(text)
	case encoding.TextUnmarshaler:
		return field.UnmarshalText([]byte(text))
	}
	return err
}

func (s setting) checkText(text string) error {
	if text == "" && s.Get("std") == "" {
		return nil
	}
	if strings.ContainsFunc(text, unicode.IsControl) {
		return errControl
	}
	if text == "" || (s.Get("form") == "HOST:PORT" && !isAddress(text)) {
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
	d, err := ParseDuration(text)
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

// list reads a list of texts: members of setof or someof, if the tag is there.
func (s setting) list(text string) ([]string, error) {
	if s.Get("setof") != "" {
		return s.subset(text)
	}
	if text == "" && s.Get("std") == "" {
		return nil, nil
	}
	some := strings.Fields(s.Get("someof"))
	var out []string
	for item := range strings.SplitSeq(text, ",") {
		item = strings.TrimSpace(item)
		again := slices.Contains(out, item) && s.name != jwksName // issuers can share a key set
		if item == "" || again || len(some) > 0 && !slices.Contains(some, item) {
			return nil, errNotAllowed
		}
		if strings.ContainsFunc(item, unicode.IsControl) {
			return nil, errControl
		}
		out = append(out, item)
	}
	return out, nil
}

// subset reads a list of members of setof, each at most once. The first of setof
// must be in it. The result is in the order of setof: if operators could choose the
// order, it would change how long a refusal takes.
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

// ParseDuration reads a Go duration, or a whole number of days with the suffix d. A
// number without a unit is refused, except 0: 30 could mean seconds or minutes.
func ParseDuration(text string) (time.Duration, error) {
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

// bound and span read a bound from a tag. They panic on an invalid one, which is a
// programmer's mistake.
func bound(tag string) int {
	n, err := strconv.Atoi(tag)
	if err != nil {
		panic("config: bad bound " + tag)
	}
	return n
}

func span(tag string) time.Duration {
	d, err := ParseDuration(tag)
	if err != nil {
		panic("config: bad bound " + tag)
	}
	return d
}

// Database says where the records are kept. Exactly one field is set.
type Database struct {
	Path string // of one SQLite file
	URL  string // of a PostgreSQL database; it may contain a password
}

// UnmarshalText reads the forms sqlite:PATH and postgres://…
func (d *Database) UnmarshalText(text []byte) error {
	scheme, path, _ := strings.Cut(string(text), ":")
	if scheme == "postgres" || scheme == "postgresql" {
		*d = Database{URL: string(text)}
		return checkPostgres(d.URL)
	}
	if strings.ContainsFunc(path, unicode.IsControl) {
		return errControl
	}
	// The SQLite driver reads parameters after a question mark or in a name that
	// begins with file:, and :memory: is a database that is lost at the next restart.
	if scheme != "sqlite" || path == "" || strings.ContainsAny(path, "?#") ||
		strings.HasPrefix(path, "file:") || strings.HasPrefix(path, ":memory:") {
		return errors.New("must be sqlite:PATH (a file name without ? and #) or postgres://USER@HOST/DATABASE")
	}
	*d = Database{Path: path}
	return nil
}

// checkPostgres checks only the form of the URL. The driver checks the parameters,
// except those of the connection pool, which are settings of ours.
func checkPostgres(text string) error {
	u, err := url.Parse(text)
	if err != nil || strings.ContainsRune(text, 0) || u.Opaque != "" || !strings.HasPrefix(text, u.Scheme+"://") {
		return errors.New("must be a URL of the form postgres://USER@HOST:PORT/DATABASE?sslmode=verify-full")
	}
	for name := range u.Query() {
		if strings.HasPrefix(name, "pool_") {
			return errors.New("must not set the connection pool; use database-max-connections")
		}
	}
	return nil
}

// Secret reports whether the URL contains a password. Then it must not be given as a
// flag, because every user of the machine can read the flags of a process.
func (d Database) Secret() bool {
	u, err := url.Parse(d.URL)
	if d.URL == "" || err != nil {
		return false
	}
	return hasPassword(u) || hasParameter(u, "password") || hasParameter(u, "sslpassword")
}

// hasParameter reports whether the query of a URL has a parameter, in upper or lower case.
// PostgreSQL knows only lower case, but other users could read the value in any case.
func hasParameter(u *url.URL, name string) bool {
	for is := range u.Query() {
		if strings.EqualFold(is, name) {
			return true
		}
	}
	return false
}

func hasPassword(u *url.URL) bool {
	_, has := u.User.Password()
	return has
}

// secret reports whether text, as a value of this setting, contains a password.
func (s setting) secret(text string) bool {
	into := new(Settings)
	if s.set(into, text) != nil {
		return false
	}
	v, mayBe := reflect.ValueOf(into).Elem().FieldByIndex(s.index).Interface().(interface{ Secret() bool })
	return mayBe && v.Secret()
}

// RootKeys are the URLs of root keys. Any one that wraps the keyset opens it. A URL
// names a provider and a key, and contains no secret.
type RootKeys []string

// rootKeySchemes are the providers of root keys. Package rootkey checks what follows the
// scheme, and whether this binary supports the provider.
var rootKeySchemes = []string{"file", "env", "systemd-credential", "vault", "pkcs11", "tpm", "awskms", "gcpkms", "azurekeyvault", "age-identity"}

// UnmarshalText reads one or more URLs, separated by commas. A comma begins a new
// URL only if a scheme follows, because URLs may contain commas themselves. A key
// given in place of its URL is refused, because it has no known scheme.
func (k *RootKeys) UnmarshalText(text []byte) error {
	*k = nil
	for part := range strings.SplitSeq(string(text), ",") {
		switch n := len(*k); {
		case isRootKey(strings.TrimSpace(part)):
			*k = append(*k, strings.TrimSpace(part))
		case n > 0 && part != "":
			(*k)[n-1] += "," + part
		default:
			return errNotRootKey
		}
	}
	for i, url := range *k {
		if slices.Contains((*k)[:i], url) {
			return errors.New("must not name a root key twice")
		}
	}
	return nil
}

var errNotRootKey = errors.New("must be a URL such as file:PATH, env:NAME, systemd-credential:NAME, vault:…, pkcs11:… or tpm:…, never the key itself")

func isRootKey(text string) bool {
	scheme, rest, _ := strings.Cut(text, ":")
	switch {
	case rest == "" || !slices.Contains(rootKeySchemes, scheme) || strings.ContainsFunc(text, unicode.IsControl):
		return false
	case scheme == "env":
		return envName.MatchString(rest)
	}
	return true
}

// Rests returns what follows the scheme in the URLs of one provider: the paths of
// files, or the names of environment variables.
func (k RootKeys) Rests(scheme string) []string {
	var rests []string
	for _, url := range k {
		if rest, ok := strings.CutPrefix(url, scheme+":"); ok {
			rests = append(rests, rest)
		}
	}
	return rests
}

// Providers returns the schemes of the URLs, each once.
func (k RootKeys) Providers() []string {
	var all []string
	for _, url := range k {
		if scheme, _, _ := strings.Cut(url, ":"); !slices.Contains(all, scheme) {
			all = append(all, scheme)
		}
	}
	return all
}

// String returns the URLs in the form that a flag takes.
func (k RootKeys) String() string { return strings.Join(k, ",") }

// KeySource is where a key or a secret is read from. At most one field is set. The zero
// value means that there is none.
type KeySource struct {
	File string // path of a file
	Env  string // name of an environment variable
}

var envName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// UnmarshalText reads the forms file:PATH and env:NAME, or an empty text.
func (k *KeySource) UnmarshalText(text []byte) error {
	scheme, rest, _ := strings.Cut(string(text), ":")
	switch {
	case len(text) == 0:
		*k = KeySource{}
	case scheme == "file" && strings.ContainsFunc(rest, unicode.IsControl):
		return errControl
	case scheme == "file" && rest != "":
		*k = KeySource{File: rest}
	case scheme == "env" && envName.MatchString(rest):
		*k = KeySource{Env: rest}
	default:
		return errors.New("must be file:PATH or env:NAME, never the value itself")
	}
	return nil
}

// CheckpointSink is where checkpoints are written. At most one field is set.
type CheckpointSink struct {
	File   string // path of a file
	Stdout bool
	URL    string // it may contain a password
}

// UnmarshalText reads the forms file:PATH, stdout and https://… (http only for
// a loopback host), or an empty text.
func (c *CheckpointSink) UnmarshalText(text []byte) error {
	path, isFile := strings.CutPrefix(string(text), "file:")
	switch {
	case len(text) == 0:
		*c = CheckpointSink{}
	case strings.ContainsFunc(path, unicode.IsControl):
		return errControl
	case isFile && path != "":
		*c = CheckpointSink{File: path}
	case string(text) == "stdout":
		*c = CheckpointSink{Stdout: true}
	case isDiscoverable(string(text)):
		*c = CheckpointSink{URL: string(text)}
	default:
		return errors.New("must be file:PATH, stdout or an https URL (http only for a loopback host)")
	}
	return nil
}

// Secret reports whether the URL contains a password, or a query that may contain one.
func (c CheckpointSink) Secret() bool {
	u, err := url.Parse(c.URL)
	if c.URL == "" || err != nil {
		return false
	}
	return hasPassword(u) || u.RawQuery != ""
}

// Networks is a list of IP networks.
type Networks []netip.Prefix

// UnmarshalText reads networks in CIDR form, or single addresses, separated
// by commas.
func (n *Networks) UnmarshalText(text []byte) error {
	var out Networks
	for item := range items(text) {
		p, err := netip.ParsePrefix(item)
		if a, single := netip.ParseAddr(item); single == nil {
			p, err = a.Prefix(a.BitLen())
		}
		if err != nil || p != p.Masked() || p.Addr().Is4In6() {
			return errors.New("must be networks such as 10.0.0.0/8, separated by commas, without bits set after the prefix, and IPv4 not written as IPv6")
		}
		out = append(out, p)
	}
	*n = out
	return nil
}

// Origins is a list of web origins (RFC 6454), as browsers send them.
type Origins []string

// UnmarshalText reads origins, separated by commas.
func (o *Origins) UnmarshalText(text []byte) error {
	var out Origins
	for item := range items(text) {
		if !isOrigin(item) {
			return errors.New("must be origins such as https://app.example.com, separated by commas: lower case, without path, * or the scheme's default port")
		}
		out = append(out, item)
	}
	*o = out
	return nil
}

// isDiscoverable reports whether a URL may be called: it is https, or http for a
// loopback host. The key set of such an issuer can be discovered.
func isDiscoverable(issuer string) bool {
	u, err := url.Parse(issuer)
	if err != nil || u.Host == "" {
		return false
	}
	return u.Scheme == "https" || u.Scheme == "http" && IsThisMachine(u.Hostname())
}

// isPublicURL reports whether text can be the base of the URLs that clients call.
func isPublicURL(text string) bool {
	return isDiscoverable(text) && !strings.ContainsAny(text, "?#@")
}

// isOrigin reports whether text is an origin as browsers write it.
func isOrigin(text string) bool {
	u, err := url.Parse(text)
	return err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Hostname() != "" && !strings.Contains(u.Host, "*") &&
		u.Scheme+"://"+u.Host == text && strings.ToLower(text) == text && !strings.HasSuffix(u.Host, ":") &&
		(u.Scheme != "https" || u.Port() != "443") && (u.Scheme != "http" || u.Port() != "80")
}

// Rates is the number of requests that are allowed in each of several windows.
type Rates []domain.Rate

// maxRates bounds the windows of one [Rates].
const maxRates = 4

// UnmarshalText reads rates such as 5/1m,20/1d.
func (r *Rates) UnmarshalText(text []byte) error {
	var out Rates
	for item := range items(text) {
		limit, window, _ := strings.Cut(item, "/")
		n, err := strconv.Atoi(limit)
		d, badWindow := ParseDuration(window)
		if err != nil || badWindow != nil || n < 1 || n > 1_000_000 || d < time.Second || d > 31*24*time.Hour || len(out) == maxRates {
			return fmt.Errorf("must be at most %d rates such as 5/1m,20/1d: 1 to 1000000 requests in a window of 1s to 31d", maxRates)
		}
		out = append(out, domain.Rate{Limit: n, Window: d})
	}
	*r = out
	return nil
}

// items returns the items of a comma-separated list. An empty text has none.
func items(text []byte) iter.Seq[string] {
	return func(yield func(string) bool) {
		for item := range strings.SplitSeq(string(text), ",") {
			if item = strings.TrimSpace(item); (item != "" || len(text) > 0) && !yield(item) {
				return
			}
		}
	}
}
