package main

import (
	"context"
	"log/slog"
	"time"

	"strongroom/internal/config"
	"strongroom/internal/trace"
)

// openTraces opens the tracer that the OTEL_… environment variables configure. It
// reports an invalid variable like an invalid setting.
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

// lastTraces is how long a stop waits at most until the last spans are sent.
const lastTraces = 3 * time.Second

func closeTraces(t *trace.Tracer, s *config.Settings) {
	ctx, cancel := context.WithTimeout(context.Background(), min(lastTraces, s.ShutdownTimeout))
	defer cancel()
	t.Close(ctx)
}
