package service

// turns decide whose request is next. The rule is that of fair queuing: callers
// take turns, one request each. A request's turn is the present one and one more
// for each other request of its caller that is under way, so the first of a
// caller goes before the tenth of another, even if it came later. The present turn
// moves on by one when as many requests have left as there are callers.
//
// A request keeps its turn for all its pieces of work. One that has reserved a
// try therefore goes before newcomers of the same turn and of later ones. No
// request waits for ever: the present turn never goes back, and reaches its own.
//
// Each request counts the same, whatever its work takes. The caller's lock
// guards it all.
type turns struct {
	now    float64
	shares map[[16]byte]*share // of callers that have requests inside: never more than those
	takers int                 // shares with requests that have a turn
}

// share is one caller's part of the lanes.
type share struct {
	caller [16]byte
	inside int // requests that entered as this caller's
	turned int // requests that have a turn as this caller's
}

func (t *turns) inside(caller [16]byte) int {
	if s := t.shares[caller]; s != nil {
		return s.inside
	}
	return 0
}

func (t *turns) share(caller [16]byte) *share {
	s := t.shares[caller]
	if s == nil {
		s = &share{caller: caller}
		if t.shares == nil {
			t.shares = map[[16]byte]*share{}
		}
		t.shares[caller] = s
	}
	return s
}

// take gives a request its turn.
func (t *turns) take(k *ticket, caller [16]byte) {
	s := t.share(caller)
	if s.turned == 0 {
		t.takers++
	}
	k.of, k.turn = s, t.now+float64(s.turned)
	s.turned++
}

func (t *turns) leave(k *ticket) {
	k.by.inside--
	t.forget(k.by)
	if k.of == nil {
		return
	}
	t.now += 1 / float64(t.takers)
	if k.of.turned--; k.of.turned == 0 {
		t.takers--
	}
	t.forget(k.of)
}

func (t *turns) forget(s *share) {
	if s.inside == 0 && s.turned == 0 {
		delete(t.shares, s.caller)
	}
}
