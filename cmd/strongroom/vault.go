package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"runtime/debug"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"golang.org/x/text/unicode/norm"

	"strongroom/internal/cli"
	"strongroom/internal/config"
	"strongroom/internal/crypto/devicekey"
	"strongroom/internal/domain"
	"strongroom/internal/metrics"
	"strongroom/internal/operatorapi"
	"strongroom/internal/ownfile"
	"strongroom/internal/service"
	"strongroom/internal/vault"
)

// instance is an open store with its use cases.
type instance struct {
	*service.Service
	store  engine
	meters *metrics.Metrics
}

// forOperators returns the use cases for the admin API and the console.
func (v *instance) forOperators() operatorapi.UseCases {
	return operatorapi.UseCases{Inventory: v, Guesses: v, Status: v, Trail: v, Rotation: v, Webhook: v, Custody: v}
}

// openVault opens the store that the settings name. With begin, it creates a store that
// does not exist. Commands other than serve do not pass begin: with a mistyped path they
// would create an empty store and a root key, and report that it is empty.
func openVault(ctx context.Context, s *config.Settings, log *slog.Logger, begin bool) (*instance, error) {
	open := openThere
	if begin {
		open = awaitStore
	}
	st, err := open(ctx, s, log)
	if err != nil {
		return nil, err
	}
	v := &instance{store: st, meters: newMeters()}
	watchStore(v.meters, st)
	var schema int64
	if schema, _, err = st.SchemaVersion(ctx); err == nil {
		v.Service, err = openService(ctx, s, v, log, begin, schema)
	}
	if err != nil {
		return nil, errors.Join(err, st.Close())
	}
	return v, nil
}

// Close closes the store. Nothing uses the vault any more.
func (v *instance) Close() error { return v.store.Close() }

func newMeters() *metrics.Metrics {
	registry := prometheus.NewRegistry()
	registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	meters := metrics.New(registry)
	meters.Build(version, commit())
	return meters
}

func openService(ctx context.Context, s *config.Settings, v *instance, log *slog.Logger, begin bool, schema int64) (*service.Service, error) {
	variants, err := devicekey.ParseVariants(s.OAEP)
	if err != nil {
		return nil, err
	}
	algorithms, err := devicekey.ParseAlgorithms(s.KeyAlgorithms)
	if err != nil {
		return nil, err
	}
	cfg := service.Config{
		Store:     v.meters.Store(v.store),
		Writers:   v.store.Writers(),
		ChainOf:   chainOf(v.store),
		DeadNodes: deadNodes(v.store),
		RootKeys:  rootKeys(s, begin, log),
		Settings: vault.Settings{
			Algorithms:      algorithms,
			KeyBits:         s.RSABits,
			KeyTTL:          s.KeyTTL,
			RotationGrace:   s.RotationGrace,
			Variants:        variants,
			PurposeRequired: s.CiphertextPurpose == "required",
			Verifier:        cli.VerifierParams(s),
			Attempts:        s.AttemptPolicy(),

			ProofRequired:    s.DeviceProof == "required",
			ReplayProtection: s.ReplayProtection,
			History:          s.CredentialHistory,

			OverwriteRequiresCurrent: s.OverwriteRequiresCurrent,
			OverwriteMaxAuthAge:      s.OverwriteMaxAuthAge,

			CallerRates:     s.RateLimitCaller,
			AddressRates:    s.RateLimitAddress,
			RatesReportOnly: s.RateLimitReportOnly,

			EnforceKeyGenerationLimit: s.EnforceKeyGenerationLimit,
			KeyCounterInStore:         s.LimitScope == "cluster",
			CountGenerationsOnly:      s.KeyGenerationLimitCounts == "generations",
			KeyCounterEntries:         s.KeyCounterEntries,
			MaxDevices:                s.MaxDevicesPerAccount,
			DecryptionFailures:        s.DecryptionFailuresMax,
			HelperEnabled:             s.Helper,

			IssuerURL:        s.IssuerURL(),
			ReceiptAudience:  cmp.Or(s.ReceiptAudience, s.IssuerURL()),
			ReceiptTTL:       s.ReceiptTTL,
			ReceiptsOfVerify: s.Receipts,
		},
		Cell:       s.Cell,
		MaxWaiting: s.MaxWaiting,
		Workers:    runtime.GOMAXPROCS(0),
		KeyPool:    s.KeyPool,
		KeyCache:   s.KeyCache,

		SigningKeyTTL:  s.SigningKeyTTL,
		AuditRetention: s.AuditRetention,
		SchemaVersion:  schema,

		Log:     log,
		Metrics: v.meters,
		Rested:  debug.FreeOSMemory,
	}
	if begin {
		if err := addServed(&cfg, s, log); err != nil {
			return nil, err
		}
	}
	return service.Open(ctx, cfg)
}

// addServed adds what only a server needs. Other commands take the account mode from the
// store, set no credentials, and neither sign checkpoints nor send events.
func addServed(cfg *service.Config, s *config.Settings, log *slog.Logger) (err error) {
	cfg.Mode = s.Accounts
	if cfg.Blocklist, err = openBlocklist(s); err != nil {
		return err
	}
	if cfg.Checkpoints, err = checkpoints(s); err != nil {
		return err
	}
	if cfg.Witness, err = openWitness(s); err != nil {
		return err
	}
	cfg.Webhook, err = openWebhook(s, cfg.Metrics, log)
	return err
}

// openBlocklist returns which passcodes and PINs cannot be set, nil for no limit. A list
// file is used in addition to the rules.
func openBlocklist(s *config.Settings) (*domain.Blocklist, error) {
	if !s.Blocklist && s.BlocklistFile == "" {
		return nil, nil
	}
	if s.BlocklistFile == "" {
		return domain.NewBlocklist(nil)
	}
	f, _, err := ownfile.Open(s.BlocklistFile) // anyone who can empty it can allow what it refuses
	if err != nil {
		return nil, fmt.Errorf("blocklist-file: %w", err)
	}
	defer f.Close()
	list, err := domain.NewBlocklist(norm.NFC.Reader(f)) // as passcodes are when they are set
	if err != nil {
		return nil, fmt.Errorf("blocklist-file: %w", err)
	}
	return list, nil
}
