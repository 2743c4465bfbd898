package metrics

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// webhookOutcomes are the outcomes of an attempt to deliver an event.
var webhookOutcomes = []string{"delivered", "refused", "status", "timeout", "connection", "tls", "forbidden"}

// webhookMetrics are the metrics of event delivery.
type webhookMetrics struct {
	attempts             *resolved[string]
	attemptTime          prometheus.Histogram
	events, oldest, dead prometheus.Gauge
}

func newWebhookMetrics(in factory) webhookMetrics {
	attempts := resolve(in.counterVec("webhook_attempts_total", "Attempts to deliver an event by outcome: delivered, refused (for good: a dead letter), status, timeout, connection, tls or forbidden (its address is one that it may not have).", "outcome"),
		func(outcome string) []string { return []string{outcome} })
	attempts.start(webhookOutcomes...)
	return webhookMetrics{
		attempts:    attempts,
		attemptTime: in.histogram("webhook_attempt_seconds", "Time of one attempt to deliver an event.", 0.001, 16),
		events:      in.gauge("webhook_waiting", "Events of all instances that wait to be delivered, counted up to 100000, as of the last quarter of a minute."),
		oldest:      in.gauge("webhook_oldest_seconds", "Age of the oldest event that waits to be delivered; 0: none waits."),
		dead:        in.gauge("webhook_dead_letters", "Events that were set aside and neither sent again nor forgotten, counted up to 100000."),
	}
}

// WebhookAttempt counts an attempt to deliver an event, by an outcome of
// package webhook.
func (m *webhookMetrics) WebhookAttempt(outcome string, took time.Duration) {
	m.attempts.inc(outcome)
	m.attemptTime.Observe(took.Seconds())
}

// Outbox sets the number of waiting events, the age of the oldest (0: none), and
// the number of dead letters.
func (m *webhookMetrics) Outbox(waiting int64, oldest time.Duration, dead int64) {
	m.events.Set(float64(waiting))
	m.oldest.Set(oldest.Seconds())
	m.dead.Set(float64(dead))
}
