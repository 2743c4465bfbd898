package store

import "context"

// Session lets an engine keep what it acquired for one Update of a request until
// the next one. A verification needs this: it reserves an attempt in one Update
// and writes the verdict in another one, which must not fail because no
// connection is left.
//
// A session travels in the context, so that it passes through everything that
// wraps a [Store]. The Updates of one session must run one after the other.
type Session struct{ kept Kept }

// Kept is what an engine keeps between the Updates of a session.
type Kept interface {
	// Release gives it back.
	Release()
}

type sessionKey struct{}

// WithSession returns a context whose Updates belong to one session. Call End
// after the last of them has returned.
func WithSession(ctx context.Context) (context.Context, *Session) {
	s := &Session{}
	return context.WithValue(ctx, sessionKey{}, s), s
}

// SessionFrom returns the session of ctx, or nil.
func SessionFrom(ctx context.Context) *Session {
	s, _ := ctx.Value(sessionKey{}).(*Session)
	return s
}

// Kept returns what an engine keeps in the session, or nil.
func (s *Session) Kept() Kept { return s.kept }

// Keep is for engines. It keeps something until End.
func (s *Session) Keep(k Kept) { s.kept = k }

// End gives back what the session keeps. A later Update acquires it again. On a
// nil session End does nothing.
func (s *Session) End() {
	if s != nil && s.kept != nil {
		s.kept.Release()
		s.kept = nil
	}
}

type backgroundKey struct{}

// InBackground returns a context for work that no request waits for. An engine
// that is short of connections leaves at least one to requests.
func InBackground(ctx context.Context) context.Context {
	return context.WithValue(ctx, backgroundKey{}, true)
}

// IsBackground reports whether ctx is for work that no request waits for.
func IsBackground(ctx context.Context) bool {
	return ctx.Value(backgroundKey{}) != nil
}
