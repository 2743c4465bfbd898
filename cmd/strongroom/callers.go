package main

import (
	"fmt"
	"log/slog"
	"os"

	"strongroom/internal/auth"
	"strongroom/internal/config"
	"strongroom/internal/console"
	"strongroom/internal/domain"
	"strongroom/internal/tokenfile"
)

// openOperators opens the authentication of operators. The caller closes it.
func openOperators(s *config.Settings, log *slog.Logger) (*auth.Operators, error) {
	cfg := auth.OperatorsConfig{TokenFile: s.AdminTokenFile, Logger: log}
	if s.AdminTokenIsOwn() {
		if err := tokenfile.MakeAdmin(s.AdminTokenFile); err != nil {
			return nil, err
		}
	}
	if s.AdminOIDCIssuer != "" {
		cfg.OIDC = &auth.OIDCConfig{
			Issuer:     s.AdminOIDCIssuer,
			KeySet:     s.AdminOIDCKeySet,
			Audience:   s.AdminOIDCAudience,
			Algorithms: s.JWTAlgorithms,
			NameClaim:  s.AdminOIDCNameClaim,
			RoleClaim:  s.AdminOIDCRoleClaim,
			Viewers:    s.AdminOIDCViewers,
			Operators:  s.AdminOIDCOperators,
		}
		client, err := consoleClient(s)
		if err != nil {
			return nil, err
		}
		cfg.OIDC.Client = client
	}
	o, err := auth.OpenOperators(cfg)
	if err == nil {
		o.Start()
	}
	return o, err
}

// consoleClient returns the console's OAuth client at the operators' provider, or nil
// if none is configured.
func consoleClient(s *config.Settings) (*auth.OIDCClient, error) {
	if s.AdminOIDCClientID == "" {
		return nil, nil
	}
	c := &auth.OIDCClient{ID: s.AdminOIDCClientID, SecretFile: s.AdminOIDCClientSecret.File, Callback: s.AdminURL + console.CallbackPath}
	if name := s.AdminOIDCClientSecret.Env; name != "" {
		if c.Secret = os.Getenv(name); c.Secret == "" {
			return nil, fmt.Errorf("admin-oidc-client-secret: the environment variable %s is not set, or empty", name)
		}
	}
	return c, nil
}

// openProofs returns the verifier of DPoP proofs, nil if they are off.
func openProofs(s *config.Settings, log *slog.Logger) (*auth.DPoP, error) {
	if s.DeviceProof == "off" {
		return nil, nil
	}
	return auth.NewDPoP(auth.DPoPConfig{PublicURL: s.PublicURL, Logger: log})
}

// authenticator returns the authentication of callers for the configured account
// mode. stop ends its background work and waits for it.
func authenticator(s *config.Settings, proofs *auth.DPoP, log *slog.Logger) (callers auth.Authenticator, stop func(), err error) {
	switch s.Accounts {
	case domain.ModeDevice:
		return auth.Device(proofs), func() {}, nil
	case domain.ModeJWT:
		j, err := auth.NewJWT(auth.JWTConfig{
			Issuers:       s.JWTIssuers,
			KeySets:       s.JWTKeySets,
			Audiences:     s.JWTAudiences,
			Algorithms:    s.JWTAlgorithms,
			RequireScopes: s.RequireScopes,
			Proofs:        proofs,
			Logger:        log,
		})
		if err != nil {
			return nil, nil, err
		}
		j.Start()
		return j, j.Close, nil
	case domain.ModeGateway:
		g, err := auth.NewGateway(auth.GatewayConfig{
			AccountHeader:      s.GatewayAccountHeader,
			TokenFile:          s.GatewayTokenFile,
			ClientCertificates: s.GatewayClientCA != "",
			ClientNames:        s.GatewayClientNames,
			RequireScopes:      s.RequireScopes,
			Proofs:             proofs,
			Logger:             log,
		})
		if err != nil {
			return nil, nil, err
		}
		return g, func() {}, nil
	}
	return nil, nil, fmt.Errorf("accounts: there is no mode %q", s.Accounts)
}
