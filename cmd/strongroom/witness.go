package main

import (
	"fmt"
	"path/filepath"

	"strongroom/internal/cli"
	"strongroom/internal/config"
	"strongroom/internal/ownfile"
	"strongroom/internal/witness"
)

// openWitness decides where the witness is kept. The default place may not be writable,
// as with systemd's StateDirectory. Then there is no witness. With --hardened the
// start is refused instead, unless checkpoints are configured.
func openWitness(s *config.Settings) (w witness.Settings, err error) {
	path, own := s.WitnessFile()
	w.Accept = s.AcceptRestored
	if path == "" {
		return w, nil
	}
	if w.Path, err = filepath.Abs(path); err != nil {
		return w, fmt.Errorf("witness: %w", err)
	}
	dir := filepath.Dir(w.Path)
	if err = ownfile.CheckDirOf(w.Path); err == nil {
		err = ownfile.CheckWritable(dir)
	}
	switch {
	case err == nil:
		return w, nil
	case !own:
		return w, fmt.Errorf("witness: %w", err)
	case s.Hardened && s.CheckpointSink == (config.CheckpointSink{}):
		return w, cli.ExitError{Code: cli.ExitUsage, Cause: fmt.Errorf("witness: --hardened needs a witness or checkpoints, and %s cannot be written: %w; "+
			"give --witness FILE on another disk than the database, or --checkpoint-sink, or --witness none", path, err)}
	}
	w.Unkept = err
	return w, nil
}
