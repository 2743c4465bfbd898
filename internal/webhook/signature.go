package webhook

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"strongroom/internal/ownfile"
)

// Secret is a key that events are signed with. It redacts itself if it is
// printed or logged.
type Secret struct{ key []byte }

func (Secret) String() string { return "(a webhook secret)" }

// GoString is String.
func (s Secret) GoString() string { return s.String() }

// LogValue is String.
func (s Secret) LogValue() slog.Value { return slog.StringValue(s.String()) }

// Secrets returns the secrets that an event is signed with now, newest first.
// It must be safe for concurrent use.
type Secrets func() []Secret

const (
	secretPrefix = "whsec_"
	mostSecrets  = 4

	// The length of a secret, in bytes, as in Standard Webhooks 1.0.
	leastSecret, longestSecret = 24, 64
)

// ParseSecrets reads 1 to 4 secrets in the form of Standard Webhooks, whsec_
// and base64, one on each line, newest first. It skips empty lines and lines
// that begin with #. Errors name the line, but not its content.
func ParseSecrets(text []byte) ([]Secret, error) {
	var all []Secret
	line := 0
	for content := range bytes.Lines(text) {
		line++
		content = bytes.TrimSpace(content)
		if len(content) == 0 || content[0] == '#' {
			continue
		}
		encoded, ours := bytes.CutPrefix(content, []byte(secretPrefix))
		key, err := base64.StdEncoding.Strict().DecodeString(string(encoded))
		if !ours || err != nil || len(key) < leastSecret || len(key) > longestSecret {
			return nil, fmt.Errorf("line %d: a secret is whsec_ and the base64 of %d to %d random bytes; make one: "+
				"echo whsec_$(openssl rand -base64 32)", line, leastSecret, longestSecret)
		}
		all = append(all, Secret{key})
	}
	switch {
	case len(all) == 0:
		return nil, errors.New("it has no secret; make one: echo whsec_$(openssl rand -base64 32)")
	case len(all) > mostSecrets:
		return nil, fmt.Errorf("it has more than %d secrets: remove those that no receiver uses", mostSecrets)
	}
	return all, nil
}

// sign returns the value of the header webhook-signature: one signature for
// each secret, so that a receiver that has any of them can verify the event.
func sign(secrets []Secret, id string, at time.Time, body []byte) string {
	var all []string
	for _, s := range secrets {
		mac := hmac.New(sha256.New, s.key)
		mac.Write([]byte(id + "." + strconv.FormatInt(at.Unix(), 10) + "."))
		mac.Write(body)
		all = append(all, "v1,"+base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	}
	return strings.Join(all, " ")
}

// secretFile has the secrets of a file, and reads it again when it changes. If
// the new content cannot be read, the last valid secrets stay in use.
type secretFile struct {
	path string
	log  *slog.Logger

	mu        sync.Mutex
	secrets   []Secret
	looked    time.Time
	seen      fs.FileInfo // of the file that these secrets were read from
	complaint string      // why the file could not be read at the last check; "" if it could
}

const (
	lookAtFile     = 2 * time.Second
	mostSecretFile = 16 << 10 // bytes
)

// FileSecrets returns the secrets of a file, and fails if it cannot read
// them. Each use of the secrets checks whether the file has changed, at most
// once every 2 s.
func FileSecrets(path string, log *slog.Logger) (Secrets, error) {
	f := &secretFile{path: path, log: log}
	var err error
	if f.secrets, f.seen, err = f.read(); err != nil {
		return nil, err
	}
	return f.fresh, nil
}

func (f *secretFile) fresh() []Secret {
	f.mu.Lock()
	defer f.mu.Unlock()
	if time.Since(f.looked) < lookAtFile {
		return f.secrets
	}
	f.looked = time.Now()
	info, err := os.Stat(f.path)
	if err == nil && os.SameFile(info, f.seen) && info.Size() == f.seen.Size() && info.ModTime().Equal(f.seen.ModTime()) {
		f.complaint = ""
		return f.secrets
	}
	var secrets []Secret
	if err == nil {
		secrets, info, err = f.read()
	}
	if err != nil { // the file is read again at each check, because a chmod changes neither size nor time
		if f.complaint != err.Error() {
			f.complaint = err.Error()
			f.log.Error("the webhook secret file cannot be read; its last valid secrets stay in use", "error", err)
		}
		return f.secrets
	}
	f.secrets, f.seen, f.complaint = secrets, info, ""
	f.log.Info("the webhook secret file was read again", "secrets", len(secrets))
	return f.secrets
}

func (f *secretFile) read() ([]Secret, fs.FileInfo, error) {
	file, info, err := ownfile.OpenSecret(f.path)
	if err != nil {
		return nil, nil, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, mostSecretFile+1))
	defer clear(text)
	if err != nil {
		return nil, nil, err
	}
	if len(text) > mostSecretFile {
		return nil, nil, fmt.Errorf("%s: the file is larger than %d bytes; keep only the secrets in it", f.path, mostSecretFile)
	}
	secrets, err := ParseSecrets(text)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", f.path, err)
	}
	return secrets, info, nil
}
