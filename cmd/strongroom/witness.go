package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"strongroom/internal/cli"
	"strongroom/internal/config"
	"strongroom/internal/domain"
	"strongroom/internal/ownfile"
	"strongroom/internal/tpm"
	"strongroom/internal/witness"
	"strongroom/internal/witness/place"
)

// openWitness decides where the witness is kept. It does not call a server.
func openWitness(s *config.Settings) (w witness.Settings, err error) {
	w = witness.Settings{Accept: s.AcceptRestored, CountEvery: s.Witness.Every}
	path, own := s.WitnessPath()
	file := place.File{Path: path}
	switch s.Witness.Kind {
	case config.WitnessNone:
		return w, nil
	case config.WitnessHTTP:
		w.Place = place.NewHTTP(s.Witness.URL, witnessSecret(s.WitnessSecret))
		return w, nil
	case config.WitnessPostgres:
		w.Place, err = place.NewPostgres(s.Witness.URL.String(), witnessSecret(s.WitnessSecret))
		return w, err
	case config.WitnessTPM:
		w.Place = place.TPM{File: file, Device: cmp.Or(s.Witness.Device, tpm.DefaultDevice), Index: cmp.Or(s.Witness.Index, place.DefaultIndex),
			Auth: witnessSecret(s.WitnessSecret)}
	default:
		w.Place = file
	}
	if own && !s.Hardened {
		w.SetAside = file.SetAside // so that a start works after the data directory was deleted
	}
	w.Unkept, err = checkWitnessFile(s, path, own)
	return w, err
}

// lockWitness locks the file of the witness against another server. Nothing is locked if
// instances can share the witness, or if none can be written.
func lockWitness(s *config.Settings) (io.Closer, error) {
	none := io.NopCloser(nil)
	switch s.Witness.Kind {
	case config.WitnessNone, config.WitnessHTTP, config.WitnessPostgres:
		return none, nil
	}
	path, own := s.WitnessPath()
	if unkept, err := checkWitnessFile(s, path, own); err != nil || unkept != nil {
		return none, err
	}
	lock, err := place.File{Path: path}.Lock()
	if err != nil {
		return nil, fmt.Errorf("witness: %w", err)
	}
	return lock, nil
}

// checkWitnessFile fails if no witness file can be written at path. At the default place
// (own) this can be normal, as with systemd's StateDirectory. Then it returns the reason
// as unkept, and there is no witness. With --hardened the start is refused instead,
// unless checkpoints are configured.
func checkWitnessFile(s *config.Settings, path string, own bool) (unkept, err error) {
	if !own {
		// The root of a mounted volume is often writable for everybody, but a new directory
		// in it is not. A missing volume still has no parent, and a lost witness is refused later.
		_ = os.Mkdir(filepath.Dir(path), 0o700)
	}
	if unkept = ownfile.CheckDirOf(path); unkept == nil {
		unkept = ownfile.CheckWritable(filepath.Dir(path))
	}
	switch {
	case unkept == nil:
		return nil, nil
	case !own:
		return nil, fmt.Errorf("witness: %w", unkept)
	case s.Hardened && s.CheckpointSink == (config.CheckpointSink{}):
		return nil, cli.ExitError{Code: cli.ExitUsage, Cause: fmt.Errorf("witness: --hardened needs a witness or checkpoints, and %s cannot be written: %w; "+
			"give --witness FILE on another disk than the database, or --checkpoint-sink, or --witness none", path, unkept)}
	}
	return unkept, nil
}

// backups is what the backup commands do with a store.
type backups struct {
	*instance
	settings *config.Settings
}

// EndedKeys implements [cli.Backups]. A command takes the witness from the environment
// or the settings file, or its default place.
func (b backups) EndedKeys(ctx context.Context) domain.EndedKeys {
	at, err := openWitness(b.settings)
	if err != nil {
		return domain.EndedKeys{Witness: "of the settings", Problem: err.Error()}
	}
	return b.Service.EndedKeys(ctx, at)
}

// WitnessState implements [cli.Backups].
func (b backups) WitnessState(ctx context.Context) domain.WitnessState {
	at, err := openWitness(b.settings)
	if err != nil {
		return domain.WitnessState{Witness: "of the settings", Problem: err.Error()}
	}
	return b.Service.WitnessState(ctx, at)
}

const maxWitnessSecret = 8 << 10

// witnessSecret reads the secret of the witness.
func witnessSecret(from config.KeySource) place.Secret {
	return func() (string, error) {
		switch {
		case from.Env != "":
			value := os.Getenv(from.Env)
			if value == "" {
				return "", fmt.Errorf("witness-secret: environment variable %s is not set", from.Env)
			}
			return value, nil
		case from.File == "":
			return "", nil
		}
		f, _, err := ownfile.OpenSecret(from.File)
		if err != nil {
			return "", fmt.Errorf("witness-secret: %w", err)
		}
		defer f.Close()
		text, err := io.ReadAll(io.LimitReader(f, maxWitnessSecret))
		if err != nil {
			return "", fmt.Errorf("witness-secret: %w", err)
		}
		secret := strings.TrimRight(string(text), "\r\n")
		if secret == "" || strings.ContainsAny(secret, "\r\n") {
			return "", errors.New("witness-secret: the file must have one line")
		}
		return secret, nil
	}
}
