package main

import (
	"context"
	"log/slog"
	"time"

	"strongroom/internal/config"
	"strongroom/internal/trace"
)

// openTraces makes the tracer that the environment asks for. A variable that
// cannot be used is a setting that cannot be used.
func openTraces(s *config.Settings, log *slog.Logger) (*trace.Tracer, error) {
	database := "sqlite"
	if s.Database.URL != "" {
		database = "postgresql"
	}
	t, err := trace.Open(trace.Config{Version: version, Database: database, Log: log})
	if err != nil {
		return nil, config.Problems{err.Error()}
	}
	if t.Endpoint() != "" {
		log.Info("traces are sent", "endpoint", t.Endpoint())
	}
	return t, nil
}

// lastTraces is how long a stop waits at most for what takes the last spans.
const lastTraces = 5 * time.Second

func closeTraces(t *trace.Tracer, s *config.Settings) {
	ctx, cancel := context.WithTimeout(context.Background(), min(lastTraces, s.ShutdownTimeout))
	defer cancel()
	t.Close(ctx)
}
