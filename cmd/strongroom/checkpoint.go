package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/alecthomas/kong"
	"golang.org/x/mod/sumdb/note"
	"time"

	"strongroom/internal/audit"
	"strongroom/internal/config"
	"strongroom/internal/domain"
	"strongroom/internal/ownfile"
	"strongroom/internal/service"
)

type auditCheckpointCmd struct {
	kong.Plugins
	// Its value is in the process's flags.
	CheckpointKey string `name:"checkpoint-key" help:"Where the key that signs checkpoints is found."`
}

// Run makes a checkpoint and prints it.
func (auditCheckpointCmd) Run(ctx context.Context, p *process) (err error) {
	s, err := p.settings()
	if err != nil {
		return err
	}
	signer, err := checkpointKey(s.CheckpointKey)
	if err != nil {
		return err
	}
	v, err := openVault(ctx, s, p.logger(s), false)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, v.Close()) }()
	signed, err := v.Checkpoint(asOperator(domain.WithCaller(ctx, domain.Caller{RequestID: domain.NewRequestID(time.Now())})), signer)
	if err != nil {
		return err
	}
	_, err = p.stdout.Write(signed)
	return err
}

type checkpointKeyCmd struct {
	Create checkpointKeyCreateCmd `cmd:"" help:"Make a new key pair: the private key in a new file that only its owner can read, the verifier key printed."`
}

type checkpointKeyCreateCmd struct {
	Path string `arg:"" help:"The file to make. One that exists is never touched."`
}

// signerName is what the signatures of checkpoints say whose they are. The key
// tells one store from another.
const signerName = "strongroom"

func (c checkpointKeyCreateCmd) Run(p *process) error {
	private, verifier, err := note.GenerateKey(rand.Reader, signerName)
	if err != nil {
		return err
	}
	// The verifier key stands below the private one, so that it is never lost.
	err = createPrivateFile(c.Path, private+"\n"+verifier+"\n")
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s exists and was not touched; name a new file", c.Path)
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(p.stdout, "Made %s. Use it with --checkpoint-key file:%s.\n"+
		"Keep the verifier key apart from this machine, with the checkpoints; audit verify takes it as --verifier-key:\n%s\n", c.Path, c.Path, verifier)
	return nil
}

func createPrivateFile(path, text string) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600) //nolint:gosec // the operator names the file
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return errors.Join(err, os.Remove(path))
	}
	return nil
}

// checkpointKey finds the key that the settings name.
func checkpointKey(from config.CheckpointKey) (note.Signer, error) {
	switch {
	case from.Env != "":
		return signerOf(os.Getenv(from.Env), "environment variable "+from.Env)
	case from.File == "":
		return nil, errors.New("checkpoint-key: give the key that signs; strongroom audit checkpoint-key create PATH makes one")
	}
	text, err := readPrivateFile(from.File)
	if err != nil {
		return nil, fmt.Errorf("checkpoint-key: %w", err)
	}
	return signerOf(text, from.File)
}

func signerOf(text, where string) (note.Signer, error) {
	words := strings.Fields(text)
	if len(words) > 0 {
		if signer, err := note.NewSigner(words[0]); err == nil {
			return signer, nil
		}
	}
	return nil, fmt.Errorf("checkpoint-key: %s holds no such key; strongroom audit checkpoint-key create PATH makes one", where) // and not what it holds
}

// readPrivateFile reads a small file that only its owner can reach.
func readPrivateFile(path string) (string, error) {
	f, _, err := ownfile.OpenSecret(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, 4096))
	return string(text), err
}

// checkpoints is what the settings want of a server.
func checkpoints(s *config.Settings) (service.Checkpoints, error) {
	if s.CheckpointInterval == 0 {
		return service.Checkpoints{}, nil
	}
	signer, err := checkpointKey(s.CheckpointKey)
	c := service.Checkpoints{Signer: signer, Every: s.CheckpointInterval}
	switch to := s.CheckpointSink; {
	case to.File != "":
		c.Sink = audit.FileSink(to.File)
		c.Last = func() (audit.Checkpoint, bool, error) {
			return audit.LastInFile(to.File, audit.OwnVerifier(signer))
		}
	case to.URL != "":
		c.Sink = audit.HTTPSink(to.URL)
	default:
		c.Sink = audit.WriterSink(os.Stdout)
	}
	return c, err
}
