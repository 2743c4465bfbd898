// Package metrics has the two kinds of numbers that Strongroom publishes.
//
// The roll-ups are what getEncryptionMetricsSummary answers from. They are
// durable and exact. An operation with its own audit entry is counted from the
// audit trail. The position up to which the trail is counted is written in the
// same transaction as the sums, so neither a crash nor a repeated transaction
// counts an operation twice or loses it. Only operations that changed nothing,
// and so have no entry, wait in memory. While the store accepts writes, they
// wait for at most 1 s. There is one exception: an operation that fails because
// the outcome of its commit is unknown counts as failed, and once more if it was
// committed. Otherwise it might not count at all.
//
// The metrics are what Prometheus scrapes. They are in memory, per process,
// with labels from closed sets and settings only.
//
// No number here identifies a person. Devices are counted by a keyed hash, so
// neither the table nor a scrape tells which devices they are, and nobody can
// choose deviceIds that distort the count.
//
// workpool.go and tally.go have parts of Metrics and of the summary, so they
// and the files of these refer to each other.
package metrics
