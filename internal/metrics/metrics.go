// Package metrics keeps the two kinds of numbers Strongroom gives out.
//
// The roll-ups are what getEncryptionMetricsSummary answers from. They are
// durable and exact: an operation that has an audit entry of its own is folded
// from the audit trail, and how far the trail is folded is written in the same
// transaction as the sums, so that neither a kill nor a repeated transaction
// can count it twice or lose it. Only operations that changed nothing, and so
// have no entry, wait in memory, for at most a second.
//
// The metrics are what Prometheus scrapes: in memory, per process, with labels
// from closed sets only.
//
// What it defends: no number here names a person. Devices are counted by a
// keyed hash, so that neither the table nor a scrape tells who was there, and
// so that nobody can choose deviceIds that spoil the count.
//
// workpool.go and tally.go each have one part of Metrics and of the summary, so they
// and the files of these refer to each other.
package metrics
