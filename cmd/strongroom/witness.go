package main

import (
	"fmt"
	"log/slog"
	"path/filepath"

	"strongroom/internal/config"
	"strongroom/internal/ownfile"
	"strongroom/internal/service"
)

// witness finds out where the witness is kept. The default place may not be
// writable, as below systemd's StateDirectory: then there is none, unless
// nothing else would show that the database was put back and the posture is
// hardened.
func witness(s *config.Settings, log *slog.Logger) (service.Witness, error) {
	path, own := s.WitnessFile()
	w := service.Witness{Path: path, Accept: s.AcceptRestored}
	if path == "" {
		return w, nil
	}
	err := ownfile.CheckWritable(filepath.Dir(path))
	switch {
	case err == nil:
		return w, nil
	case !own:
		return w, fmt.Errorf("witness: %w", err)
	case s.Hardened && s.CheckpointSink == (config.CheckpointSink{}):
		return w, fmt.Errorf("witness: --hardened needs a witness or checkpoints, and %s cannot be written: %w; "+
			"give --witness FILE on another disk than the database, or --checkpoint-sink, or --witness none", path, err)
	}
	log.Warn("no witness of the database is kept, so a start on an older copy of it is not detected; see --witness", "witness", path, "error", err)
	return service.Witness{Accept: s.AcceptRestored}, nil
}
