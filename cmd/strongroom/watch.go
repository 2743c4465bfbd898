package main

import (
	"time"

	"strongroom/internal/auth"
	"strongroom/internal/metrics"
	"strongroom/internal/server"
	"strongroom/internal/store/postgres"
	"strongroom/internal/store/sqlite"
)

// watchStore has the meters tell of an engine that has just been opened.
func watchStore(m *metrics.Meters, st engine) {
	switch st := st.(type) {
	case *sqlite.Store:
		st.WatchCommits(m.Committed)
		m.WatchStore(func() (state metrics.StoreState) {
			state.Commits, state.Updates = st.Commits()
			return state
		})
	case *postgres.Store:
		m.WatchStore(func() metrics.StoreState {
			stats := st.Stats()
			state := metrics.StoreState{Commits: stats.Commits, Updates: stats.Commits, Repeats: stats.Repeats}
			state.Busy, state.Idle, state.Max = st.Connections()
			return state
		})
	}
}

// watchEdge has them tell of how callers are known and of the certificate,
// where there is such a thing.
func watchEdge(m *metrics.Meters, callers auth.Authenticator, srv *server.Server) {
	if tokens, ok := callers.(*auth.JWT); ok {
		m.WatchTokens(func() (sets []metrics.KeySet) {
			for _, s := range tokens.KeySets() {
				sets = append(sets, metrics.KeySet(s))
			}
			return sets
		}, tokens.CacheLookups)
	}
	if _, ok := srv.CertificateNotAfter(); ok {
		m.WatchCertificate(func() time.Time {
			end, _ := srv.CertificateNotAfter()
			return end
		})
	}
}
