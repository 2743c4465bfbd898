package main

import (
	"maps"
	"slices"
	"time"

	"strongroom/internal/auth"
	"strongroom/internal/metrics"
	"strongroom/internal/process"
	"strongroom/internal/server"
	"strongroom/internal/store/postgres"
	"strongroom/internal/store/sqlite"
)

// watchStore adds the metrics of a store that has just been opened.
func watchStore(m *metrics.Metrics, st engine) {
	switch st := st.(type) {
	case *sqlite.Store:
		st.WatchCommits(m.Committed)
		m.WatchStore(func() (state metrics.StoreState) {
			state.Commits, state.Updates = st.Commits()
			return state
		})
		m.WatchDisk(func() (free, size uint64, err error) { return process.Disk(st.Path()) })
	case *postgres.Store:
		st.WatchCommits(func(took time.Duration) { m.Committed(1, took) })
		m.WatchStore(func() metrics.StoreState {
			stats := st.Stats()
			state := metrics.StoreState{Commits: stats.Commits, Updates: stats.Commits, Repeats: stats.Repeats}
			state.Busy, state.Idle, state.Max = st.Connections()
			return state
		})
	}
}

// watchEdge adds the metrics of the listeners, of authentication and, if there is one,
// of the TLS certificate.
func watchEdge(m *metrics.Metrics, callers auth.Authenticator, proofs *auth.DPoP, operators *auth.Operators, srv *server.Server) {
	sets, cached := operators.KeySets, func() (hits, misses uint64) { return 0, 0 }
	if tokens, ok := callers.(*auth.JWT); ok {
		cached = tokens.CacheLookups
		sets = func() []auth.KeySetState { return slices.Concat(tokens.KeySets(), operators.KeySets()) }
	}
	if len(sets()) > 0 {
		m.WatchTokens(func() []metrics.KeySet { return keySets(sets()) }, cached)
	}
	m.WatchRefusedTokens(metrics.ListenerOperator, operators.Refusals)
	m.WatchRefusedTokens(metrics.ListenerAPI, func() map[string]uint64 {
		refused := map[string]uint64{}
		if tokens, ok := callers.(interface{ Refusals() map[string]uint64 }); ok {
			maps.Copy(refused, tokens.Refusals())
		}
		if proofs != nil {
			maps.Copy(refused, proofs.Refusals())
		}
		return refused
	})
	m.WatchConnections(metrics.ListenerAPI, func() metrics.ConnectionState {
		api, _ := srv.Load()
		return metrics.ConnectionState(api)
	})
	m.WatchConnections(metrics.ListenerOperator, func() metrics.ConnectionState {
		_, operator := srv.Load()
		return metrics.ConnectionState(operator)
	})
	if _, ok := srv.CertificateNotAfter(); ok {
		m.WatchCertificate(func() time.Time {
			end, _ := srv.CertificateNotAfter()
			return end
		})
	}
}

// keySets removes repeated issuers: callers and operators can have the same issuer, but
// a label value must be unique.
func keySets(states []auth.KeySetState) (sets []metrics.KeySet) {
	for _, s := range states {
		if !slices.ContainsFunc(sets, func(o metrics.KeySet) bool { return o.Issuer == s.Issuer }) {
			sets = append(sets, metrics.KeySet(s))
		}
	}
	return sets
}
