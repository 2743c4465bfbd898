package audit

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/mod/sumdb/note"

	"strongroom/internal/ownfile"
)

// signerName is the name in the signatures of checkpoints. The key tells one
// store from another.
const signerName = "strongroom"

// CreateSigner makes a key pair that signs checkpoints, in a new file that only
// its owner can read, and returns the verifier key. An existing file is never
// changed: the error matches fs.ErrExist.
func CreateSigner(path string) (verifier string, err error) {
	private, verifier, err := note.GenerateKey(rand.Reader, signerName)
	if err != nil {
		return "", err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600) //nolint:gosec // the operator names the file
	if err != nil {
		return "", err
	}
	// The verifier key is on the line after the private key, so that it is never
	// lost.
	_, err = f.WriteString(private + "\n" + verifier + "\n")
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return "", errors.Join(err, os.Remove(path))
	}
	return verifier, nil
}

// FindSigner returns the key that signs checkpoints, from the environment
// variable env or, if that is empty, from file.
func FindSigner(env, file string) (note.Signer, error) {
	switch {
	case env != "":
		return signerOf(os.Getenv(env), "environment variable "+env)
	case file == "":
		return nil, errors.New("checkpoint-key: give the key that signs; strongroom audit checkpoint-key create PATH makes one")
	}
	f, _, err := ownfile.OpenSecret(file)
	if err != nil {
		return nil, fmt.Errorf("checkpoint-key: %w", err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, 4096))
	if err != nil {
		return nil, fmt.Errorf("checkpoint-key: %w", err)
	}
	return signerOf(string(text), file)
}

func signerOf(text, where string) (note.Signer, error) {
	words := strings.Fields(text)
	if len(words) > 0 {
		if signer, err := note.NewSigner(words[0]); err == nil {
			return signer, nil
		}
	}
	return nil, fmt.Errorf("checkpoint-key: %s holds no such key; strongroom audit checkpoint-key create PATH makes one", where) // without its content, which may be a secret
}
