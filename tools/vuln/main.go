// Command vuln fails if a binary in bin contains a function with a known vulnerability
// that accepted.txt does not name. It runs govulncheck on the binaries: the linker leaves
// out what nothing calls, and reading a binary takes seconds where following the calls in
// the sources takes a minute. By default the Go vulnerability database comes as a Go
// module, so that a mirror of modules is enough. The flag -db takes a URL instead.
//
// The standard library is that of the Go on this machine. A vulnerability that the
// toolchain of go.mod has fixed is only a warning: releases are built with that one.
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"go/version"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"

	"golang.org/x/vuln/scan"
)

func main() {
	db := flag.String("db", "", "URL of the vulnerability database, such as https://vuln.go.dev; by default the newest golang.org/x/vulndb of the module proxy")
	flag.Parse()
	if err := run(context.Background(), *db); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, db string) error {
	file, err := os.Open("vuln/accepted.txt")
	if err != nil {
		return err
	}
	defer file.Close()
	accepted, err := parse(file)
	if err != nil {
		return err
	}
	if db == "" {
		if db, err = module(ctx); err != nil {
			if os.Getenv("CI") == "true" {
				return err
			}
			fmt.Fprintf(os.Stderr, "SKIPPED: search for known vulnerabilities: %v\n", err)
			return nil
		}
	}
	released, err := toolchain("../go.mod")
	if err != nil {
		return err
	}
	if version.Compare(runtime.Version(), released) > 0 {
		fmt.Printf("WARNING: the standard library of %s, which make release uses, is not examined: this machine's Go is newer\n", released)
	}
	found := map[string]vulnerability{}
	for _, binary := range []string{"strongroom", "strongroom-pkcs11"} {
		path := filepath.Join("..", "bin", binary)
		if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) && binary != "strongroom" {
			continue // make build leaves it out without a C compiler
		}
		contained, others, err := examine(ctx, db, path)
		if err != nil {
			return fmt.Errorf("bin/%s: %w", binary, err)
		}
		fmt.Printf("bin/%s: %d known vulnerabilities in functions that it contains, %d more in modules that it needs\n", binary, len(contained), others)
		maps.Copy(found, contained)
	}
	return judge(found, accepted, released, time.Now())
}

var toolchainLine = regexp.MustCompile(`(?m)^toolchain (go\S+)$`)

// toolchain returns the Go that builds releases.
func toolchain(path string) (string, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	line := toolchainLine.FindSubmatch(text)
	if line == nil {
		return "", fmt.Errorf("%s: no line \"toolchain go1.x.y\"", path)
	}
	return string(line[1]), nil
}

// examine lists the vulnerabilities of a binary as read does.
func examine(ctx context.Context, db, path string) (contained map[string]vulnerability, others int, err error) {
	var out bytes.Buffer
	govulncheck := scan.Command(ctx, "-db", db, "-format", "json", "-mode", "binary", path)
	govulncheck.Stdout = &out
	err = govulncheck.Start()
	if err == nil {
		err = govulncheck.Wait()
	}
	if err != nil {
		return nil, 0, fmt.Errorf("govulncheck: %w", err)
	}
	return read(&out)
}

// module downloads the newest database that the module proxy has, and returns its URL.
func module(ctx context.Context) (string, error) {
	download := exec.CommandContext(ctx, "go", "mod", "download", "-json", "golang.org/x/vulndb@latest")
	download.Env = append(os.Environ(), "GOFLAGS=-mod=mod")
	text, err := download.Output()
	var at struct{ Version, Dir, Error string }
	if json.Unmarshal(text, &at) != nil || at.Dir == "" {
		return "", fmt.Errorf("golang.org/x/vulndb cannot be downloaded: %s", strings.TrimSpace(fmt.Sprint(at.Error, " ", err)))
	}
	fmt.Println("vulnerability database", at.Version)
	return "file://" + filepath.ToSlash(filepath.Join(at.Dir, "data", "osv")), nil
}

// acceptance says why a vulnerability is accepted, and for how long.
type acceptance struct {
	until  time.Time
	reason string
}

// parse reads lines of an id, a date and a reason. Lines that begin with # are comments.
func parse(r io.Reader) (map[string]acceptance, error) {
	all := map[string]acceptance{}
	for lines := bufio.NewScanner(r); lines.Scan(); {
		line := strings.TrimSpace(lines.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		id, rest, _ := strings.Cut(line, " ")
		day, reason, _ := strings.Cut(strings.TrimSpace(rest), " ")
		until, err := time.Parse(time.DateOnly, day)
		if reason = strings.TrimSpace(reason); err != nil || reason == "" {
			return nil, fmt.Errorf("accepted.txt: %q: a line is an id, the last day in the form 2006-01-02, and a reason", line)
		}
		all[id] = acceptance{until, reason}
	}
	return all, nil
}

// vulnerability is one in a function that a binary contains.
type vulnerability struct{ summary, module, fixed, function string }

// fixedBy returns the version of Go that fixed a vulnerability of the standard library, or
// "".
func (v vulnerability) fixedBy() string {
	fixed, ok := strings.CutPrefix(v.fixed, "v")
	if !ok || v.module != "stdlib" {
		return ""
	}
	return "go" + fixed
}

// read returns the vulnerabilities with a function in the binary, by id, and the number of
// others.
func read(r io.Reader) (contained map[string]vulnerability, others int, err error) {
	contained = map[string]vulnerability{}
	summaries, all := map[string]string{}, map[string]bool{}
	for messages := json.NewDecoder(r); ; {
		var m struct {
			OSV     struct{ ID, Summary string }
			Finding struct {
				OSV   string
				Fixed string `json:"fixed_version"`
				Trace []struct{ Module, Package, Function string }
			}
		}
		if err := messages.Decode(&m); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, 0, fmt.Errorf("reading what govulncheck found: %w", err)
		}
		summaries[m.OSV.ID] = m.OSV.Summary
		f := m.Finding
		if len(f.Trace) == 0 {
			continue
		}
		all[f.OSV] = true
		if at := f.Trace[0]; at.Function != "" {
			contained[f.OSV] = vulnerability{summaries[f.OSV], at.Module, f.Fixed, at.Package + "." + at.Function}
		}
	}
	return contained, len(all) - len(contained), nil
}

// judge prints every vulnerability that was found. It fails if the Go of releases has not
// fixed one, and it is not accepted today.
func judge(found map[string]vulnerability, accepted map[string]acceptance, released string, now time.Time) error {
	var refused []string
	old := 0
	for _, id := range slices.Sorted(maps.Keys(found)) {
		v, a := found[id], accepted[id]
		state := "NOT ACCEPTED"
		switch {
		case v.fixedBy() != "" && version.Compare(v.fixedBy(), released) <= 0:
			old++
			state = "fixed by " + v.fixedBy() + ": a warning"
		case a.reason == "":
			refused = append(refused, id)
		case now.After(a.until.AddDate(0, 0, 1)):
			state = "NO LONGER ACCEPTED since " + a.until.Format(time.DateOnly)
			refused = append(refused, id)
		default:
			state = fmt.Sprintf("accepted until %s: %s", a.until.Format(time.DateOnly), a.reason)
		}
		fmt.Printf("%s: %s\n\tfixed in %s %s; contained: %s\n\t%s\n", id, v.summary, v.module, v.fixed, v.function, state)
	}
	for _, id := range slices.Sorted(maps.Keys(accepted)) {
		if _, ok := found[id]; !ok {
			fmt.Printf("%s is accepted and was not found: remove its line from tools/vuln/accepted.txt\n", id)
		}
	}
	if old > 0 {
		fmt.Printf("WARNING: binaries of this machine's Go have %d known vulnerabilities. %s, which make release uses, has none of them\n", old, released)
	}
	if len(refused) > 0 {
		return fmt.Errorf("known vulnerabilities: %s. Upgrade the module, or the toolchain in go.mod, or accept them in tools/vuln/accepted.txt with a reason and a last day",
			strings.Join(refused, ", "))
	}
	return nil
}
