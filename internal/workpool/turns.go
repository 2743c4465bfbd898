package workpool

// turns decide which request is next. The rule is fair queuing: callers take
// turns, one request each. A request's turn is the present turn, plus one for
// each other request of its caller that is under way. So the first request of one
// caller runs before the tenth of another, even if it came later. The present
// turn advances by one when as many requests have left as there are callers.
//
// A request keeps its turn for all its pieces of work. So a request that has
// reserved an attempt runs before new requests of the same turn and of later ones. No
// request waits forever, because the present turn only increases and reaches the
// turn of each request.
//
// Each request counts the same, however long its work takes. The lock of the code
// that calls turns guards it.
type turns struct {
	now    float64
	shares map[[16]byte]*share // only of callers that have requests inside
	takers int                 // number of shares with requests that have a turn
}

// share is one caller's part of the pool.
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
func (t *turns) take(k *Ticket, caller [16]byte) {
	s := t.share(caller)
	if s.turned == 0 {
		t.takers++
	}
	k.of, k.turn = s, t.now+float64(s.turned)
	s.turned++
}

func (t *turns) leave(k *Ticket) {
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
