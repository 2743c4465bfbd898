package metrics

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// webhookOutcomes are the outcomes of an attempt to deliver an event.
var webhookOutcomes = []string{"delivered", "refused", "status", "timeout", "connection", "tls", "forbidden"}

// webhookMetrics are the metrics of event delivery.
type webhookMetrics struct {
	attempts             *prometheus.CounterVec
	attemptTime          prometheus.Histogram
	events, oldest, dead prometheus.Gauge
}

func newWebhookMetrics(in factory) webhookMetrics {
	attempts := in.counterVec("webhook_attempts_total", "Attempts to deliver an event by outcome: delivered, refused (permanently: a dead letter), status, timeout, connection, tls or forbidden (an address that is not allowed).", "outcome")
	startAtZero(attempts, webhookOutcomes...)
	return webhookMetrics{
		attempts:    attempts,
		attemptTime: in.histogram("webhook_attempt_seconds", "Time of one attempt to deliver an event.", 0.001, 16),
		events:      in.gauge("webhook_waiting", "Queued events of all instances, counted up to 100000 every 15 s."),
		oldest:      in.gauge("webhook_oldest_seconds", "Age of the oldest queued event; 0: the queue is empty."),
		dead:        in.gauge("webhook_dead_letters", "Dead letters: events that were not delivered and are kept, counted up to 100000."),
	}
}

// WebhookAttempt counts an attempt to deliver an event. outcome is an outcome of
// package webhook.
func (m *webhookMetrics) WebhookAttempt(outcome string, took time.Duration) {
	m.attempts.WithLabelValues(outcome).Inc()
	m.attemptTime.Observe(took.Seconds())
}

// Outbox sets the number of waiting events, the age of the oldest (0: none), and
// the number of dead letters.
func (m *webhookMetrics) Outbox(waiting int64, oldest time.Duration, dead int64) {
	m.events.Set(float64(waiting))
	m.oldest.Set(oldest.Seconds())
	m.dead.Set(float64(dead))
}
