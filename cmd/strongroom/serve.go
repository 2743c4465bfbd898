package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"time"

	"strongroom/internal/admin"
	"strongroom/internal/auth"
	"strongroom/internal/backup"
	"strongroom/internal/cli"
	"strongroom/internal/config"
	"strongroom/internal/domain"
	"strongroom/internal/graph"
	"strongroom/internal/process"
	"strongroom/internal/rest"
	"strongroom/internal/server"
)

// runServer serves until ctx is done and the requests in flight have ended. The data
// directory and the file of the witness are locked before anything in them is used and
// unlocked at the end, so that two servers never use one of them at the same time.
func runServer(ctx context.Context, s *config.Settings, log *slog.Logger) (err error) {
	if err := startFIPS(log); err != nil {
		return err
	}
	traces, err := openTraces(s, log)
	if err != nil {
		return err
	}
	defer closeTraces(traces, s) // runs last: nothing else waits for it
	dir, err := server.OpenDataDir(s.DataDir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, dir.Close()) }()
	if err := checkDatabaseFile(s.Database.Path); err != nil {
		return fmt.Errorf("database: %w", err)
	}
	removeLeftovers(s, log)
	lock, err := lockWitness(s)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	operators, err := openOperators(s, log)
	if err != nil {
		return err
	}
	defer operators.Close()
	proofs, err := openProofs(s, log)
	if err != nil {
		return err
	}
	callers, stopCallers, err := authenticator(s, proofs, log)
	if err != nil {
		return err
	}
	defer stopCallers()
	redeemers, err := auth.Redeemers(callers, s.ReceiptTokenFile, log)
	if err != nil {
		return err
	}
	if err := operators.Separate(redeemers); err != nil {
		return err
	}
	v, err := openVault(ctx, s, log, true)
	if err != nil {
		return unlessStopped(ctx, err)
	}
	defer func() { err = errors.Join(err, v.Close()) }()
	if err := begin(ctx, v); err != nil {
		return unlessStopped(ctx, err)
	}
	if s.DeviceProofNonce {
		proofs.NeedNonces(auth.NewNonces(v.NonceKeys()))
	}
	defer leaveRoomBesideWorkers()()
	process.LimitMemory(s.MemoryLimit, log)
	go process.PaceCollector(ctx)
	warnOfPosture(log, s)
	edge := serverConfig(s, v, callers, operators, log)
	edge.Redeemers = redeemers
	pages, err := openConsole(s, v, operators, log)
	if err != nil {
		return err
	}
	defer pages.Close() // before the store
	edge.Console = pages
	edge.Nonce = proofs.Nonce
	edge.Traces = traces
	srv, err := server.Listen(edge)
	if err != nil {
		return err
	}
	watchEdge(v.meters, callers, proofs, operators, srv)
	v.Start()
	debug.FreeOSMemory() // only the start needed it
	err = srv.Serve(ctx)
	// ctx is done by now, but what is still in memory must be written to the database.
	stopping, cancel := context.WithTimeout(context.WithoutCancel(ctx), backgroundTimeout)
	defer cancel()
	err = errors.Join(err, v.Stop(stopping))
	log.Info("stopped")
	return err
}

// unlessStopped returns the error of a start, unless a signal has stopped the start.
func unlessStopped(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return cli.ExitError{Code: cli.ExitOK, Cause: errors.New("stopped before the service was ready")}
	}
	return err
}

// removeLeftovers removes what a killed backup or restore left beside a SQLite database. A
// restore that was killed at its end leaves a second link to the database. A database with
// two links is refused.
func removeLeftovers(s *config.Settings, log *slog.Logger) {
	if s.Database.URL != "" {
		return
	}
	removed, err := backup.RemoveLeftovers(filepath.Dir(s.Database.Path))
	for _, dir := range removed {
		log.Warn("removed a directory that an interrupted backup or restore left", "directory", dir)
	}
	if err != nil {
		log.Warn("the directory that an interrupted backup or restore left beside the database cannot be removed", "error", err)
	}
}

// backgroundTimeout is how long a stop waits for background work, after the last request.
// Supervisors that wait 10 s longer than for the requests must not end the process first.
const backgroundTimeout = 5 * time.Second

// begin does what must be done before the first request.
func begin(ctx context.Context, v *instance) error {
	if err := v.CheckWitness(ctx); err != nil {
		return err
	}
	if err := v.TakeUpPlan(ctx); err != nil {
		return err
	}
	if _, err := v.CountVerifiers(ctx); err != nil {
		return err
	}
	return v.TendSigningKeys(ctx)
}

// leaveRoomBesideWorkers gives the Go runtime a processor for each worker, also for
// those that generate key pairs, and one more. The kernel shares the cores among them, by
// the priorities of their threads. Otherwise a request that needs 10 µs would wait for a
// worker to be preempted. The returned function takes the processors back.
func leaveRoomBesideWorkers() (restore func()) {
	before := runtime.GOMAXPROCS(0)
	runtime.GOMAXPROCS(2*before + 1)
	return func() { runtime.GOMAXPROCS(before) }
}

// otherFiles is how many files are kept for everything except the API's connections and
// those to PostgreSQL: the operator listener, connections that are being refused, the
// database, outgoing connections.
const otherFiles = 300

func serverConfig(s *config.Settings, v *instance, callers auth.Authenticator, operators *auth.Operators, log *slog.Logger) server.Config {
	cfg := server.Config{
		Listen:      s.Listen,
		AdminListen: s.AdminListen,
		GraphQL: graph.Handler(graph.Config{UseCases: v, Introspection: s.Introspection, LookedUp: v.meters.DocumentCache, Log: log,
			Routed: s.Cell != "" && s.Accounts == domain.ModeDevice}),
		REST:            rest.Handler(rest.Config{UseCases: v, Log: log}),
		Redeem:          rest.RedeemHandler(rest.Config{UseCases: v, Log: log}),
		KeySet:          v.KeySet,
		Metrics:         v.meters.Handler(),
		Admin:           adminHandler(s, v, log),
		Authenticator:   callers,
		Operators:       operators,
		TLS:             tlsFiles(s),
		TrustedProxies:  s.TrustedProxies,
		CORSOrigins:     s.CORSOrigins,
		DrainDelay:      s.DrainDelay,
		Ready:           v.Ready,
		RootKeys:        v.CheckedRootKeys,
		DeadNodes:       v.DeadNodes,
		Refused:         v.Refused,
		RefusedCaller:   v.RefusedCaller,
		OperatorRefused: v.OperatorRefused,
		Answered:        v.meters.HTTPRequest,
		Logger:          log,
		LogSample:       s.RequestLogSample,
		ShutdownTimeout: s.ShutdownTimeout,

		// Or a client that opens connections could keep out operators, and the service
		// from its own files.
		MaxConnections:           max(16, process.MaxFiles()-otherFiles-s.DatabaseMaxConnections),
		MaxConnectionsPerAddress: s.MaxConnectionsPerAddress,
	}
	if s.Introspection {
		cfg.SDL = graph.SDL()
	}
	if s.Sandbox {
		addSandbox(&cfg, s, v, log)
	}
	return cfg
}

// adminHandler is the admin API of an open vault.
func adminHandler(s *config.Settings, v *instance, log *slog.Logger) http.Handler {
	return admin.Handler(admin.Config{UseCases: v.forOperators(), Posture: s.Posture(), Mode: v.Mode(), Version: version, Refused: v.OperatorRefused, Log: log, Origin: s.AdminURL})
}

// tlsFiles returns nil for plain HTTP.
func tlsFiles(s *config.Settings) *server.TLS {
	if s.TLSCert == "" {
		return nil
	}
	files := &server.TLS{Cert: s.TLSCert, Key: s.TLSKey, ClientCA: s.TLSClientCA, Operator: s.AdminTLS}
	if s.Accounts == domain.ModeGateway {
		files.GatewayCA = s.GatewayClientCA
	}
	return files
}
