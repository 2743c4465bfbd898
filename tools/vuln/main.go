// Command vuln fails if the code of the repository calls a function with a known
// vulnerability that accepted.txt does not name. It runs govulncheck with the Go
// vulnerability database. By default the database comes as a Go module, so that a
// mirror of modules is enough. The flag -db takes a URL instead.
//
// The standard library is that of the Go on this machine. A vulnerability that a newer
// Go has fixed is only a warning: the code needs no change, but this machine's Go is too
// old to build releases.
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
	"maps"
	"os"
	"os/exec"
	"path/filepath"
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
	var out bytes.Buffer
	govulncheck := scan.Command(ctx, "-C", "..", "-db", db, "-format", "json", "./...")
	govulncheck.Stdout = &out
	if err := govulncheck.Start(); err == nil {
		err = govulncheck.Wait()
	}
	if err != nil {
		return fmt.Errorf("govulncheck: %w", err)
	}
	found, uncalled, err := read(&out)
	if err != nil {
		return fmt.Errorf("reading what govulncheck found: %w", err)
	}
	fmt.Printf("%d known vulnerabilities in functions that are called, %d more in modules that are required\n", len(found), uncalled)
	return judge(found, accepted, time.Now())
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

// vulnerability is one that the code calls.
type vulnerability struct{ summary, module, fixed, call string }

// fixedBy returns the version of Go that fixed a vulnerability of the standard library, or
// "".
func (v vulnerability) fixedBy() string {
	fixed, ok := strings.CutPrefix(v.fixed, "v")
	if !ok || v.module != "stdlib" {
		return ""
	}
	return "go" + fixed
}

// read returns the vulnerabilities with a called function, by id, and the number of others.
func read(r io.Reader) (called map[string]vulnerability, uncalled int, err error) {
	called = map[string]vulnerability{}
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
			return nil, 0, err
		}
		summaries[m.OSV.ID] = m.OSV.Summary
		f := m.Finding
		if len(f.Trace) == 0 {
			continue
		}
		all[f.OSV] = true
		if at, from := f.Trace[0], f.Trace[len(f.Trace)-1]; at.Function != "" {
			called[f.OSV] = vulnerability{summaries[f.OSV], at.Module, f.Fixed,
				fmt.Sprintf("%s.%s, from %s.%s", at.Package, at.Function, from.Package, from.Function)}
		}
	}
	return called, len(all) - len(called), nil
}

// judge prints every vulnerability that was found, and fails if one is not accepted today.
func judge(found map[string]vulnerability, accepted map[string]acceptance, now time.Time) error {
	var refused []string
	old, newest := 0, ""
	for _, id := range slices.Sorted(maps.Keys(found)) {
		v, a := found[id], accepted[id]
		state := "NOT ACCEPTED"
		switch {
		case v.fixedBy() != "":
			old++
			if newest == "" || version.Compare(v.fixedBy(), newest) > 0 {
				newest = v.fixedBy()
			}
			state = "fixed by " + v.fixedBy() + ": a warning"
		case a.reason == "":
			refused = append(refused, id)
		case now.After(a.until.AddDate(0, 0, 1)):
			state = "NO LONGER ACCEPTED since " + a.until.Format(time.DateOnly)
			refused = append(refused, id)
		default:
			state = fmt.Sprintf("accepted until %s: %s", a.until.Format(time.DateOnly), a.reason)
		}
		fmt.Printf("%s: %s\n\tfixed in %s %s; called: %s\n\t%s\n", id, v.summary, v.module, v.fixed, v.call, state)
	}
	for _, id := range slices.Sorted(maps.Keys(accepted)) {
		if _, ok := found[id]; !ok {
			fmt.Printf("%s is accepted and was not found: remove its line from tools/vuln/accepted.txt\n", id)
		}
	}
	if old > 0 {
		fmt.Printf("WARNING: binaries of this machine's Go have %d known vulnerabilities. Build releases with %s or newer\n", old, newest)
	}
	if len(refused) > 0 {
		return fmt.Errorf("known vulnerabilities: %s. Upgrade the module or Go, or accept them in tools/vuln/accepted.txt with a reason and a last day",
			strings.Join(refused, ", "))
	}
	return nil
}
