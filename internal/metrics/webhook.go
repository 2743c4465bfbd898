package metrics

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// webhookOutcomes are what can become of an attempt to deliver an event.
var webhookOutcomes = []string{"delivered", "refused", "status", "timeout", "connection", "tls", "forbidden"}

type webhookMetrics struct {
	time                  prometheus.Histogram
	waiting, oldest, dead prometheus.Gauge
}

// WebhookAttempt counts an attempt to deliver an event, by an outcome of
// package webhook.
func (m *Metrics) WebhookAttempt(outcome string, took time.Duration) {
	m.webhook.inc(outcome)
	m.webhooks.time.Observe(took.Seconds())
}

// Outbox tells how many events wait, how old the oldest is (0: none waits),
// and how many were set aside.
func (m *Metrics) Outbox(waiting int64, oldest time.Duration, dead int64) {
	m.webhooks.waiting.Set(float64(waiting))
	m.webhooks.oldest.Set(oldest.Seconds())
	m.webhooks.dead.Set(float64(dead))
}
