package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"time"

	"strongroom/internal/config"
	"strongroom/internal/crypto/seal"
	"strongroom/internal/domain"
	"strongroom/internal/record"
	"strongroom/internal/rootkey"
)

// The pauses between attempts to reach a root key at the start. Each is twice the last.
const (
	firstPause   = time.Second
	longestPause = 30 * time.Second
)

// askRootKey is the timeout of one request to a root key's provider.
const askRootKey = 15 * time.Second

// rootKeys returns the configured root keys. With serve, a new database may be begun,
// and the start waits for providers that cannot be reached.
func rootKeys(s *config.Settings, serve bool, log *slog.Logger) record.RootKeys {
	urls := make([]string, len(s.RootKeys))
	for i, url := range s.RootKeys {
		urls[i] = rootkey.Absolute(url)
	}
	keys := record.RootKeys{URLs: urls, Open: openRootKey, OnlyWraps: rootkey.IsRecovery,
		Reason: func(err error) string { return string(rootkey.ReasonOf(err)) }}
	if !serve {
		return keys
	}
	keys.Create = createRootKey
	pause := firstPause
	keys.Wait = func(ctx context.Context, reasons error) error {
		switch {
		case rootkey.Passing(reasons):
		case rootkey.WrongSecret(reasons): // a restart would try it again, until the provider locks itself
			return &domain.SettingError{Err: reasons}
		default:
			return reasons
		}
		log.Warn("waiting for a root key: the service starts when one of them answers", "error", reasons, "next_try", pause)
		select {
		case <-ctx.Done():
			return reasons
		case <-time.After(pause):
		}
		pause = min(2*pause, longestPause)
		return nil
	}
	return keys
}

// checkRootKeys refuses URLs of root keys that this binary does not understand.
func checkRootKeys(s *config.Settings) error {
	for _, url := range s.RootKeys {
		if err := rootkey.Check(url); err != nil {
			return fmt.Errorf("root-key: %w", err)
		}
	}
	return nil
}

func openRootKey(ctx context.Context, url string) (seal.RootKey, error) {
	ctx, cancel := context.WithTimeout(ctx, askRootKey)
	defer cancel()
	return rootkey.Open(ctx, url)
}

// createRootKey creates the root key file of a new database, unless it exists. An
// operator creates the keys of other providers.
func createRootKey(ctx context.Context, url string) error {
	if rootkey.Scheme(url) != "file" {
		return nil
	}
	if err := rootkey.Create(ctx, url); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil
}
