package main

import (
	"context"
	"encoding/hex"
	"io"
	"log/slog"
	"runtime/debug"
	"strings"

	strongroom "strongroom"
	"strongroom/internal/admin"
	"strongroom/internal/audit"
	"strongroom/internal/auth"
	"strongroom/internal/config"
	"strongroom/internal/console"
	"strongroom/internal/docsite"
	"strongroom/internal/domain"
)

// openConsole returns the operators' web console.
func openConsole(s *config.Settings, v *instance, operators *auth.Operators, log *slog.Logger) (*console.Console, error) {
	sessions := auth.NewSessions(operators, strings.HasPrefix(s.AdminURL, "https:"))
	cfg := console.Config{UseCases: v.forOperators(), Sessions: sessions, Verify: v.verifyForConsole, Latencies: v.meters.Latencies, Tampered: v.meters.Tampered,
		Posture: s.Posture(), Mode: v.Mode(), Version: version, Refused: v.OperatorRefused, Log: log, Origin: s.AdminURL,
		Docs: docsite.Handler("/docs/", strongroom.Documents)}
	cfg.ExportAccount = func(ctx context.Context, w io.Writer, accountID string, act domain.Act) error {
		return admin.ExportAccount(ctx, cfg.UseCases, w, accountID, act)
	}
	if s.AdminOIDCClientID != "" {
		flow, err := auth.NewCodeFlow(operators, sessions)
		if err != nil {
			return nil, err
		}
		cfg.Provider = flow
	}
	return console.New(cfg), nil
}

// verifyForConsole verifies the trail and adds the time of each problem, so that
// the console can link to the entries around it.
func (v *instance) verifyForConsole(ctx context.Context, progress func(console.Progress)) (console.Report, error) {
	defer debug.FreeOSMemory() // a verification needs much memory, and the server keeps running
	found, err := v.VerifyTrail(ctx, func(p audit.Progress) {
		progress(console.Progress(p))
	})
	if err != nil {
		return console.Report{}, err
	}
	report := console.Report{Entries: found.Entries, Rows: found.Rows, Cuts: len(found.Cuts)}
	for _, h := range found.Heads {
		report.Heads = append(report.Heads, console.Head{Chain: h.Chain, Seq: h.Seq, Hash: hex.EncodeToString(h.Hash)})
	}
	for _, p := range found.Problems {
		place := console.Problem{Chain: p.Chain, Seq: p.Seq, Record: p.Record, What: p.What, Own: p.Own()}
		if p.Record == "" || p.Seq > 0 {
			if e, err := v.EntryAt(ctx, p.Chain, p.Seq); err == nil { // else the chain ends before it
				place.At = e.Time
			}
		}
		report.Problems = append(report.Problems, place)
	}
	return report, nil
}
