package main

import (
	"context"
	"fmt"
	"log/slog"
	"net/netip"
	"os"

	"strongroom/internal/config"
	"strongroom/internal/metrics"
	"strongroom/internal/outbox"
	"strongroom/internal/service"
	"strongroom/internal/webhook"
)

// openWebhook returns where a server sends events: nowhere if no receiver is configured.
func openWebhook(s *config.Settings, meters *metrics.Metrics, log *slog.Logger) (*service.Webhook, error) {
	if s.WebhookURL.URL == nil {
		return &service.Webhook{}, nil
	}
	if err := checkReceiver(s); err != nil {
		return nil, err
	}
	secrets, err := webhookSecrets(s.WebhookSecret, log)
	if err != nil {
		return nil, fmt.Errorf("webhook-secret: %w", err)
	}
	sender := webhook.New(webhook.Config{
		URL:     s.WebhookURL.URL,
		Guard:   guard(s),
		Secrets: secrets,
		Timeout: s.WebhookTimeout,
		GiveUp:  s.WebhookGiveUp,
		Agent:   "Strongroom/" + version,
		Log:     log,
		Observe: meters.WebhookAttempt,
	})
	return &service.Webhook{
		Events: s.WebhookEvents,
		Send:   func(ctx context.Context, q *outbox.Outbox) { sender.Run(ctx, q) },
		Status: sender.Status,
	}, nil
}

func guard(s *config.Settings) webhook.Guard {
	return webhook.Guard{Hosts: s.WebhookHosts(), Networks: s.WebhookNetworks()}
}

// checkReceiver refuses a receiver whose IP address is not allowed. A host name is
// resolved and checked only when it is called.
func checkReceiver(s *config.Settings) error {
	if s.WebhookURL.URL == nil {
		return nil
	}
	host := s.WebhookURL.Hostname()
	if address, err := netip.ParseAddr(host); err == nil && guard(s).Check(host, address) != nil {
		return config.Problems{"webhook-url: the address is private, local or reserved; if that is intended, allow it with webhook-allow"}
	}
	return nil
}

func webhookSecrets(from config.KeySource, log *slog.Logger) (webhook.Secrets, error) {
	if from.File != "" {
		return webhook.FileSecrets(from.File, log)
	}
	secrets, err := webhook.ParseSecrets([]byte(os.Getenv(from.Env)))
	if err != nil {
		return nil, fmt.Errorf("environment variable %s: %w", from.Env, err)
	}
	return func() []webhook.Secret { return secrets }, nil
}
