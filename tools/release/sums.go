package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"aead.dev/minisign"
)

const sumsFile = "SHA256SUMS"

type summed struct{ name, sum string }

// sums returns the checksums of all files of the release, sorted by name.
func (r *release) sums() ([]summed, error) {
	entries, err := os.ReadDir(r.out)
	if err != nil {
		return nil, err
	}
	var all []summed
	for _, e := range entries {
		sum, err := sha256Of(filepath.Join(r.out, e.Name()))
		if err != nil {
			return nil, err
		}
		all = append(all, summed{e.Name(), sum})
	}
	return all, nil
}

// writeSums writes the checksums in the format of sha256sum, and signs them if there is
// a key. The comment, which names the release, is signed too.
func (r *release) writeSums(key *minisign.PrivateKey) error {
	all, err := r.sums()
	if err != nil {
		return err
	}
	var b bytes.Buffer
	for _, f := range all {
		fmt.Fprintf(&b, "%s  %s\n", f.sum, f.name)
	}
	path := filepath.Join(r.out, sumsFile)
	if err := writeFile(path, b.Bytes()); err != nil || key == nil {
		return err
	}
	signed := minisign.NewReader(&b)
	if _, err := signed.Read(make([]byte, b.Len())); err != nil {
		return err
	}
	return writeFile(path+".minisig", signed.SignWithComments(*key, "strongroom "+r.version+", commit "+r.commit, "minisign signature of "+sumsFile))
}

// readKey reads the secret key. It returns nil if there is no path.
func readKey(path, passwordFile string) (*minisign.PrivateKey, error) {
	if path == "" {
		return nil, nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var key minisign.PrivateKey
	if !minisign.IsEncrypted(text) {
		err = key.UnmarshalText(text)
		return &key, err
	}
	password, err := os.ReadFile(passwordFile)
	if err != nil {
		return nil, fmt.Errorf("the key has a password: set its file with PASSWORD_FILE=…: %w", err)
	}
	if key, err = minisign.DecryptKey(strings.TrimRight(string(password), "\r\n"), text); err != nil {
		return nil, fmt.Errorf("%s: %w: is the password right?", path, err)
	}
	return &key, nil
}
