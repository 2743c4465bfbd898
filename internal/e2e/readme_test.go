package e2e

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// block is one fenced block of a document.
type block struct {
	heading string // the last heading before it, without its #s
	lang    string
	text    string
}

// blocks reads the fenced blocks of a document of the repository.
func blocks(t *testing.T, path string) []block {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../..", path))
	if err != nil {
		t.Fatal(err)
	}
	var found []block
	heading, open := "", false
	for line := range strings.Lines(string(text)) {
		fence, fenced := strings.CutPrefix(strings.TrimSpace(line), "```")
		switch {
		case fenced && !open:
			found = append(found, block{heading: heading, lang: fence})
			open = true
		case fenced:
			open = false
		case open:
			found[len(found)-1].text += line
		case strings.HasPrefix(line, "#"):
			heading = strings.TrimSpace(strings.TrimLeft(line, "#"))
		}
	}
	return found
}

// TestReadmeSessionsPrintTheDocumentedOutput pastes each whole shell block that a block of
// output follows. It also uses interactive shells, where an exclamation mark recalls
// history and # begins no comment.
func TestReadmeSessionsPrintTheDocumentedOutput(t *testing.T) {
	need(t, "sh", "curl", "openssl", "sed")
	doc := blocks(t, "README.md")
	for _, shell := range [][]string{{"sh"}, {"bash", "--norc", "-i"}, {"zsh", "-f", "-i"}} {
		if _, err := exec.LookPath(shell[0]); err != nil {
			t.Logf("this machine has no %s", shell[0])
			continue
		}
		t.Run(shell[0], func(t *testing.T) {
			i := start(t, "--rsa-bits", "3072") // as by default
			sessions := 0
			for n := range len(doc) - 1 {
				if doc[n].lang == "sh" && doc[n+1].lang == "text" {
					sessions++
					compare(t, paste(t, i, shell, doc[n].text), doc[n+1].text)
				}
			}
			if sessions < 2 {
				t.Errorf("the README holds %d sessions with their output", sessions)
			}
			i.auditIntact()
		})
	}
}

func TestTheHPKESessionPrintsTheDocumentedOutput(t *testing.T) {
	need(t, "sh", "curl", "sed")
	i := start(t, "--key-algorithms", "HPKE-XWING,RSA-OAEP-256")
	doc := blocks(t, "docs/how-to/hpke-keys.md")
	for n := range len(doc) - 1 {
		if doc[n].lang == "sh" && doc[n+1].lang == "text" {
			compare(t, paste(t, i, []string{"sh"}, doc[n].text), doc[n+1].text)
			return
		}
	}
	t.Error("the page has no session with its output")
}

// paste gives text to a shell that starts in an empty directory, and returns
// what it printed. The address that serve listens on by default is replaced.
func paste(t *testing.T, i *instance, shell []string, text string) string {
	t.Helper()
	const byDefault = "http://127.0.0.1:8080"
	if !strings.Contains(text, byDefault) {
		t.Errorf("the session does not call %s", byDefault)
	}
	var out, log bytes.Buffer
	cmd := exec.Command(shell[0], shell[1:]...)
	cmd.Dir, cmd.Env = t.TempDir(), append(cleanEnv(), "HISTFILE=")
	cmd.Stdin = strings.NewReader(strings.ReplaceAll(text, byDefault, i.base))
	cmd.Stdout, cmd.Stderr = &out, &log
	if err := cmd.Run(); err != nil {
		t.Errorf("%v\n%s%s", err, log.String(), out.String())
	}
	return out.String()
}

// compare holds what was printed against what the document says, line by line, without
// the spaces at the end of a line, which fill an answer.
func compare(t *testing.T, got, want string) {
	t.Helper()
	printed, said := strings.Split(strings.TrimSpace(got), "\n"), strings.Split(strings.TrimSpace(want), "\n")
	if len(printed) != len(said) {
		t.Fatalf("%d lines were printed, the document says %d:\n%s", len(printed), len(said), got)
	}
	for n, line := range said {
		if !regexp.MustCompile("^" + printable(line) + " *$").MatchString(printed[n]) {
			t.Errorf("line %d of the output\n     is: %s\nsays it: %s", n+1, printed[n], line)
		}
	}
}

// printable is a pattern of the output that matches a document's text. There, … stands
// for a value that differs each time. On a slow machine, a lock of 1800 s can have a
// little less time left.
func printable(text string) string {
	return strings.NewReplacer("…", ".+", `Seconds":1800`, `Seconds":1(?:800|7[89]\d)`).Replace(regexp.QuoteMeta(text))
}

func TestTheOtherExamplesRun(t *testing.T) {
	need(t, "sh", "curl", "openssl", "sed")
	i := start(t)
	for _, example := range []struct {
		args []string
		want []string
	}{
		{[]string{"rest.sh", i.base}, []string{
			`"algorithm":"RSA-OAEP-256"`, `{"statusCode":400,"message":"deviceId must not be empty.","error":"Bad Request"}`,
			`{"data":{"setUserPasscode":true}}`, `{"data":{"verifyUserPasscode":true}}`}},
		{[]string{"lock.sh", i.base, i.dataDir, binary(t)}, []string{
			`"code":"CREDENTIAL_LOCKED","lockScope":"ACCOUNT","retryAfterSeconds":1800`, "Unlocked.", `{"data":{"verifyTransactionPin":true}}`}},
	} {
		out, err := exec.Command("../../examples/"+example.args[0], example.args[1:]...).CombinedOutput()
		if err != nil {
			t.Errorf("%s: %v\n%s", example.args[0], err, out)
		}
		for _, want := range example.want {
			if !regexp.MustCompile(printable(want)).Match(out) {
				t.Errorf("%s lacks %s:\n%s", example.args[0], want, out)
			}
		}
	}
	i.auditIntact()
}

// snippets is how the snippets of docs/api.md become programs that take the
// public key and the secret as arguments and print the ciphertext. Those of
// platforms that do not run on a server are not among them.
var snippets = []struct {
	heading       string
	tool          string
	run           []string // the last is the file
	before, after string
}{
	{"openssl", "openssl", []string{"sh", "snippet.sh"}, `printf '%s' "$1" >public.pem; secret=$2` + "\n", `printf '%s' "$encrypted"`},
	{"Node.js", "node", []string{"node", "snippet.mjs"}, "const [publicKey, secret] = process.argv.slice(2)\n", "process.stdout.write(encrypted)"},
	{"JavaScript (WebCrypto)", "node", []string{"node", globalCrypto, "snippet.mjs"}, "const [publicKey, secret] = process.argv.slice(2)\n", "process.stdout.write(encrypted)"},
	{"Java", "javac", []string{"java", "Snippet.java"},
		"import java.nio.charset.*; import java.security.*; import java.security.spec.*; import java.util.*;\n" +
			"import javax.crypto.*; import javax.crypto.spec.*;\n" +
			"class Snippet { public static void main(String[] a) throws Exception { String publicKey = a[0], secret = a[1];\n",
		"System.out.print(encrypted); } }"},
	{"Go", "go", []string{"go", "run", "snippet.go"},
		`package main; import ("crypto/rand"; "crypto/rsa"; "crypto/sha256"; "crypto/x509"; "encoding/base64"; "encoding/pem"; "fmt"; "os")
func main() { if err := encrypt(os.Args[1], os.Args[2]); err != nil { panic(err) } }
func encrypt(publicKey, secret string) error {
`, "fmt.Print(encrypted)\nreturn nil }"},
}

func TestDocumentedSnippetsEncryptCorrectly(t *testing.T) {
	doc := blocks(t, "docs/api.md")
	i := start(t, "--oaep", "sha256") // snippets must use only this variant
	k := i.mustIssue(generate, "phone")
	const secret = "correct horse battery staple"
	i.expect("set", i.try("setUserPasscode", k, secret), "true")
	for _, s := range snippets {
		t.Run(s.heading, func(t *testing.T) {
			need(t, s.tool)
			text := ""
			for _, b := range doc {
				if b.heading == s.heading {
					text = b.text
				}
			}
			if text == "" {
				t.Fatal("docs/api.md has no such snippet")
			}
			dir, file := t.TempDir(), s.run[len(s.run)-1]
			if err := os.WriteFile(filepath.Join(dir, file), []byte(s.before+text+s.after), 0o600); err != nil {
				t.Fatal(err)
			}
			var log bytes.Buffer
			cmd := exec.Command(s.run[0], append(s.run[1:], k.PEM, secret)...)
			cmd.Dir, cmd.Stderr = dir, &log
			ciphertext, err := cmd.Output()
			if err != nil {
				t.Fatalf("%v\n%s", err, log.String())
			}
			a, err := i.submit("verifyUserPasscode", k.ID, string(ciphertext))
			if got := word("verifyUserPasscode", a, err); got != "true" {
				t.Errorf("verify: %s", got)
			}
		})
	}
}
