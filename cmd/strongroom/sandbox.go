package main

import (
	"log/slog"

	"strongroom/internal/config"
	"strongroom/internal/crypto/devicekey"
	"strongroom/internal/domain"
	"strongroom/internal/sandbox"
	"strongroom/internal/server"
)

// addSandbox puts GraphiQL and the pages for app engineers on the public
// listener.
func addSandbox(cfg *server.Config, s *config.Settings, v *instance, log *slog.Logger) {
	variants, _ := devicekey.ParseVariants(s.OAEP) // openService has checked both
	algorithms, _ := devicekey.ParseAlgorithms(s.KeyAlgorithms)
	attempts := s.AttemptsMax
	if s.Accounts != domain.ModeDevice {
		attempts = s.AttemptPolicy().DeviceMax // the page acts as one device of its account
	}
	pages := sandbox.New(sandbox.Config{
		UseCases: v, Log: log,
		Mode: s.Accounts, AccountHeader: s.GatewayAccountHeader, Attempts: attempts,
		Variants: variants, Introspection: s.Introspection, Algorithms: algorithms,
		PurposeRequired: s.CiphertextPurpose == "required",
	})
	cfg.Explorer = pages.Explorer()
	cfg.Pages = map[string]server.Page{}
	for path, p := range pages.Pages() {
		cfg.Pages[path] = server.Page(p)
	}
}
