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
	"strongroom/internal/record"
	"strongroom/internal/rootkey"
)

// The pauses of a start whose root keys cannot be reached.
const (
	firstPause   = time.Second
	longestPause = 30 * time.Second
)

// askRootKey bounds one look at a root key's provider.
const askRootKey = 15 * time.Second

// rootKeys are the root keys of the settings. serve says that the service starts: it
// may begin a new database, and waits for providers that are away.
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
		if !rootkey.Passing(reasons) {
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

// createRootKey makes the file of a new database's root key. Keys of other providers
// are made by an operator.
func createRootKey(ctx context.Context, url string) error {
	if rootkey.Scheme(url) != "file" {
		return nil
	}
	if err := rootkey.Create(ctx, url); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil
}
