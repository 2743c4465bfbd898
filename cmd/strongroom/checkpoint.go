package main

import (
	"os"

	"strongroom/internal/audit"
	"strongroom/internal/config"
	"strongroom/internal/trail"
)

// checkpoints returns how a server signs checkpoints; the zero value if it does not.
func checkpoints(s *config.Settings) (trail.Checkpoints, error) {
	if s.CheckpointInterval == 0 {
		return trail.Checkpoints{}, nil
	}
	signer, err := audit.FindSigner(s.CheckpointKey.Env, s.CheckpointKey.File)
	c := trail.Checkpoints{Signer: signer, Every: s.CheckpointInterval}
	switch to := s.CheckpointSink; {
	case to.File != "":
		c.Sink = audit.FileSink(to.File)
		c.Kept = func(home string) (audit.Kept, error) {
			return audit.KeptInFile(to.File, home, audit.OwnVerifier(signer))
		}
	case to.URL != "":
		c.Sink = audit.HTTPSink(to.URL)
	default:
		c.Sink = audit.WriterSink(os.Stdout)
	}
	return c, err
}
