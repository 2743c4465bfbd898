//go:build unix

package argon2

import (
	"bufio"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"
)

// BenchmarkPeers compares with libraries in C and with Node's, as far as they
// are here. What is missing is named. To have all of them, on Debian:
//
//	apt-get install gcc libargon2-dev nodejs npm
//	npm install --prefix /tmp/peers argon2 @node-rs/argon2
//	PEERS=/tmp/peers go test ./internal/crypto/argon2 -run '^$' -bench Peers
//
// The source of libargon2 comes with the npm package argon2; it is built for
// this very processor, which is more than any package of it does.
func BenchmarkPeers(b *testing.B) {
	all := ours(b)
	for _, p := range peers {
		if c, err := p.begin(b); err != nil {
			b.Logf("SKIPPED: %s: %v", p.name, err)
		} else {
			all = append(all, c)
		}
	}
	compare(b, all)
}

// peer is an implementation that runs in a process of its own.
type peer struct {
	name    string
	command func(b *testing.B) (*exec.Cmd, error)
}

var peers = []peer{
	{"libargon2", func(b *testing.B) (*exec.Cmd, error) {
		return build(b, "-largon2")
	}},
	{"libargon2-native", func(b *testing.B) (*exec.Cmd, error) {
		modules, err := nodeModules("argon2")
		if err != nil {
			return nil, err
		}
		library := filepath.Join(modules, "argon2", "argon2")
		flags := []string{"-march=native", "-I" + library + "/include", "-DARGON2_NO_THREADS"}
		for _, source := range []string{"argon2.c", "core.c", "encoding.c", "opt.c", "blake2/blake2b.c"} {
			flags = append(flags, filepath.Join(library, "src", source))
		}
		return build(b, flags...)
	}},
	{"npm-argon2", node("argon2")},
	{"npm-node-rs", node("@node-rs/argon2")},
}

// build compiles peer.c with some flags more.
func build(b *testing.B, flags ...string) (*exec.Cmd, error) {
	program := filepath.Join(b.TempDir(), "peer")
	arguments := append([]string{"-O3", "-o", program, "testdata/peer.c"}, flags...)
	if out, err := exec.Command("cc", arguments...).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w: %.200s", err, out)
	}
	return exec.Command(program), nil
}

func node(name string) func(*testing.B) (*exec.Cmd, error) {
	return func(*testing.B) (*exec.Cmd, error) {
		modules, err := nodeModules(name)
		if err != nil {
			return nil, err
		}
		return exec.Command("node", "testdata/peer.cjs", filepath.Dir(modules), name), nil
	}
}

// nodeModules is where npm has put a package.
func nodeModules(name string) (string, error) {
	modules := filepath.Join(os.Getenv("PEERS"), "node_modules")
	_, err := os.Stat(filepath.Join(modules, name))
	return modules, err
}

func (p peer) begin(b *testing.B) (contender, error) {
	cmd, err := p.command(b)
	if err != nil {
		return contender{}, err
	}
	for _, n := range []int{benchTime, benchMemory, benchLanes} {
		cmd.Args = append(cmd.Args, strconv.Itoa(n))
	}
	cmd.Args = append(cmd.Args, string(benchSecret), string(benchSalt))
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return contender{}, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return contender{}, err
	}
	if err := cmd.Start(); err != nil {
		return contender{}, err
	}
	b.Cleanup(func() {
		in.Close()
		cmd.Wait()
	})

	var m Matrix
	want := hex.EncodeToString(m.IDKey(benchSecret, benchSalt, benchTime, benchMemory, benchLanes, 32))
	m.Release()
	lines := bufio.NewReader(out)
	return contender{p.name, func() time.Duration {
		io.WriteString(in, "\n")
		var took time.Duration
		var tag string
		if _, err := fmt.Fscanln(lines, &took, &tag); err != nil || tag != want {
			b.Fatalf("%s: tag %q, want %s, %v", p.name, tag, want, err)
		}
		return took
	}}, nil
}
