package sqlite

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// A durable commit costs an fsync, for one update or for fifty. So updates that
// wait for each other share one. The goroutine that has the turn runs its own
// update first and then, in the same transaction, the waiting updates in order of
// arrival. After the commit all of them get their answers. An update that nobody
// waits behind commits at once, so sharing never makes it wait.
//
// The goroutine runs the others' updates itself, because waking their goroutines
// one by one would cost up to a fifth of their work. Each update is in a
// savepoint, so that its failure undoes its own writes only. If SQLite gives up
// the whole transaction because of one update, the others run again without it.
// If one panics, the state of SQLite is unknown: nothing is committed, the
// connection is discarded, and the others run again. The one that panicked runs
// again when its own goroutine has the turn, and panics there.
//
// An update sees the writes of those before it in the transaction. So its error
// too is returned only after the commit: until then, the writes that caused it
// may be undone.

// Bounds of a shared transaction, so that the first update in it does not wait
// long for its answer, and the WAL does not grow by much at once.
const (
	maxBatch     = 64
	maxBatchTime = 5 * time.Millisecond
)

// Under load there is always a waiting update, and the write lock would be free
// only for microseconds. So once every yieldAfter it stays free for longer than
// another process waits between two attempts.
const (
	yieldAfter = time.Second
	yieldPause = 2 * busyPoll
)

// writer lends the one write connection, in order of arrival.
type writer struct {
	open   func() (*conn, error)
	files  *files
	now    func() time.Time
	closed chan struct{}
	grown  chan struct{} // gets an element when the WAL should be checkpointed
	most   int           // how many updates may share a transaction

	mu    sync.Mutex
	gone  bool      // guarded by mu: closed for new waiters
	taken bool      // guarded by mu: a goroutine has the turn
	queue []*waiter // guarded by mu: in order of arrival
	busy  time.Time // guarded by mu: since when the turn was taken without a pause

	// Only the goroutine that has the turn uses these.
	conn  *conn // nil: none is open
	pages int   // written since the last checkpoint was requested

	// failing is set if the last write ended in an error of the engine. A full
	// disk shows only when something is written, so Ping then writes.
	failing atomic.Bool

	// full is set if the disk failed a write, perhaps because it was full. The next write
	// must pass haveRoom first, at most every roomEvery.
	full   atomic.Bool
	noRoom time.Time // when haveRoom failed last; only the goroutine that has the turn uses it

	// Committed transactions and the updates in them.
	commits, updates atomic.Uint64
	watch            func(updates int, took time.Duration) // called for each commit; may be nil
}

func newWriter(open func() (*conn, error), f *files, now func() time.Time) *writer {
	return &writer{open: open, files: f, now: now,
		closed: make(chan struct{}), grown: make(chan struct{}, 1), most: maxBatch}
}

// waiter is an update that waits for its turn, or until another goroutine has run
// it.
type waiter struct {
	ctx  context.Context
	fn   func(*tx) error // nil: it wants the connection outside any transaction
	solo bool            // it must run on its own goroutine
	told chan struct{}   // gets an element when its turn has come or its update has ended
	over bool            // the update has ended, with err
	err  error
}

func newWaiter(ctx context.Context, fn func(*tx) error) *waiter {
	return &waiter{ctx: ctx, fn: fn, told: make(chan struct{}, 1)}
}

func (m *waiter) end(err error) { m.over, m.err = true, err }

// enter waits until it is m's turn or its update has ended. If it returns an
// error, neither will happen.
func (w *writer) enter(m *waiter) error {
	if err := m.ctx.Err(); err != nil {
		return err
	}
	if turn, err := w.line(m); turn || err != nil {
		return err
	}
	select {
	case <-m.told:
	case <-m.ctx.Done():
		if w.quit(m) {
			return waiting(m.ctx)
		}
		<-m.told // its update is running, or its turn came at the same moment
	}
	return nil
}

// line takes the turn, or queues for it.
func (w *writer) line(m *waiter) (turn bool, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case w.gone:
		return false, errClosed
	case !w.taken:
		w.taken, w.busy = true, time.Now()
		return true, nil
	}
	w.queue = append(w.queue, m)
	return false, nil
}

// quit leaves the queue, if m is in it.
func (w *writer) quit(m *waiter) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	i := slices.Index(w.queue, m)
	if i >= 0 {
		w.queue = slices.Delete(w.queue, i, i+1)
	}
	return i >= 0
}

// requeue puts waiters that were taken from the queue back to its front.
func (w *writer) requeue(back []*waiter) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.gone {
		w.queue = slices.Concat(back, w.queue)
		return
	}
	for _, m := range back {
		m.end(errClosed)
		m.told <- struct{}{}
	}
}

// pass gives the turn to the next.
func (w *writer) pass() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.queue) == 0 {
		w.taken = false
		return
	}
	w.pop().told <- struct{}{}
}

// follower takes the next waiter from the queue if it has an update to run, or
// returns nil.
func (w *writer) follower() *waiter {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.queue) == 0 || w.queue[0].fn == nil || w.queue[0].solo {
		return nil
	}
	return w.pop()
}

// pop takes the next waiter from the queue. The caller holds mu.
func (w *writer) pop() *waiter {
	next := w.queue[0]
	w.queue[0], w.queue = nil, w.queue[1:]
	return next
}

// update runs fn in a transaction of its own or shared with others.
func (w *writer) update(ctx context.Context, fn func(*tx) error) error {
	me := newWaiter(ctx, fn)
	if err := w.enter(me); err != nil {
		return w.files.lossOr(err)
	}
	for !me.over {
		w.lead(me)
	}
	return me.err
}

// lead runs the update of me, which has the turn, and the updates of others. It
// commits and passes the turn on. But if another update made the transaction
// fail, me has not ended and keeps the turn, to lead again.
func (w *writer) lead(me *waiter) {
	var followers []*waiter
	passed := false
	defer func() {
		if !passed { // a panic, or the end of the goroutine
			_ = w.conn.end(sqlRollback)
			w.conn.broken = true // as after a follower's panic
			w.requeue(followers)
			w.pass()
		}
	}()
	err := w.first(me)
	for start := time.Now(); err == nil && len(followers)+1 < w.most && time.Since(start) < maxBatchTime; {
		next := w.follower()
		if next == nil {
			break
		}
		followers = append(followers, next)
		if lost := w.part(next); lost != nil {
			passed = true
			w.lose(followers, lost)
			return
		}
	}
	if err == nil {
		err = w.commit(followers)
	}
	passed = true
	me.end(err)
	w.pass()
}

// first begins a transaction and runs the update of m in it. If that fails, it
// rolls back.
func (w *writer) first(m *waiter) error {
	if err := m.ctx.Err(); err != nil {
		return err
	}
	w.yieldWriteLock()
	if err := w.connect(m.ctx); err != nil {
		return w.files.lossOr(err)
	}
	if err := begin(m.ctx, w.conn, sqlBeginImmediate); err != nil {
		return w.files.lossOr(err)
	}
	err := cmp.Or(w.files.check(), w.checkRoom())
	if err == nil {
		err = w.run(m)
	}
	if err != nil {
		_ = w.conn.end(sqlRollback) // the reported error is its cause
	}
	return err
}

// yieldWriteLock leaves the write lock to other processes for a moment, if the
// turn in this process was taken without a pause for more than yieldAfter.
func (w *writer) yieldWriteLock() {
	w.mu.Lock()
	due := time.Since(w.busy) > yieldAfter
	w.mu.Unlock()
	if !due {
		return
	}
	time.Sleep(yieldPause)
	w.mu.Lock()
	w.busy = time.Now()
	w.mu.Unlock()
}

// connect makes sure that there is a connection that works.
func (w *writer) connect(ctx context.Context) (err error) {
	if w.conn != nil && w.conn.broken {
		_ = w.conn.close() // it is discarded, and so is its error
		w.conn = nil
	}
	if w.conn == nil {
		w.conn, err = open(ctx, w.open)
	}
	return err
}

// run calls the function of m in the open transaction.
func (w *writer) run(m *waiter) error {
	t := newTx(m.ctx, w.conn, w.closed, w.now())
	defer t.end() // also when fn panics
	err := t.outcome(m.fn(t))
	if err == nil {
		err = t.alive()
	}
	if err == nil && !w.conn.inTransaction() {
		err = errLost
	}
	if t.failed {
		w.fail(err)
	}
	return err
}

// fail notes that the engine failed a write with err.
func (w *writer) fail(err error) {
	w.failing.Store(true)
	var met *fault
	if errors.As(err, &met) && met.disk {
		w.full.Store(true)
	}
}

// roomEvery is how long writes are refused after there was no room.
const roomEvery = 250 * time.Millisecond

// checkRoom returns errFull if the disk was full and still is.
func (w *writer) checkRoom() error {
	switch {
	case !w.full.Load():
		return nil
	case time.Since(w.noRoom) < roomEvery:
		return errFull
	}
	if !w.files.haveRoom() {
		w.noRoom = time.Now()
		return errFull
	}
	w.full.Store(false)
	return nil
}

// errLost: statements that followed would each commit on their own.
var errLost = errors.New("the transaction was ended inside its function")

// errPanicked ends a transaction in which another's update panicked.
var errPanicked = errors.New("panic in another's update")

// part runs the update of m in the open transaction and notes its outcome. It
// returns an error only if the transaction is lost: SQLite ended it, or cannot
// undo the part, or m panicked.
func (w *writer) part(m *waiter) error {
	if m.err = m.ctx.Err(); m.err != nil {
		return nil
	}
	if _, err := w.conn.exec(sqlPart); err != nil {
		return explain(err)
	}
	m.err = errPanicked
	func() {
		defer func() { _ = recover() }() // it panics again on its own goroutine
		m.err = w.run(m)
	}()
	if errors.Is(m.err, errPanicked) {
		m.solo, w.conn.broken = true, true
		return errPanicked
	}
	if m.err != nil {
		if _, err := w.conn.exec(sqlUndoPart); err != nil {
			return cmp.Or(m.err, explain(err))
		}
	}
	_, err := w.conn.exec(sqlKeepPart)
	return explain(err)
}

// lose ends a transaction that the last of the followers made fail. The others
// run again. The last one runs again only if it panicked: it must panic on its
// own goroutine.
func (w *writer) lose(followers []*waiter, err error) {
	_ = w.conn.end(sqlRollback) // if SQLite has not done so
	if last := followers[len(followers)-1]; !last.solo {
		followers = followers[:len(followers)-1]
		last.end(err)
		last.told <- struct{}{}
	}
	w.requeue(followers)
}

// commit commits and answers the followers. If it fails, all of them get its
// error.
func (w *writer) commit(followers []*waiter) error {
	start := time.Now()
	err := w.conn.commit()
	took := time.Since(start)
	if err == nil {
		w.failing.Store(false)
	} else {
		err = fmt.Errorf("committing: %w", explain(err))
		w.fail(err)
	}
	updates := 1
	for _, m := range followers {
		if m.err == nil {
			updates++
		}
		m.end(cmp.Or(err, m.err))
		m.told <- struct{}{}
	}
	if err == nil {
		w.count(updates, took)
	}
	w.watchLog()
	return err
}

// count counts a commit, its time, and the updates in it.
func (w *writer) count(updates int, took time.Duration) {
	w.commits.Add(1)
	w.updates.Add(uint64(updates)) //nolint:gosec // at least one
	if w.watch != nil {
		w.watch(updates, took)
	}
}

// watchLog asks for a checkpoint when the WAL has grown enough.
func (w *writer) watchLog() {
	if w.pages += w.conn.pagesWritten(); w.pages < checkpointAfter {
		return
	}
	w.pages = 0
	select {
	case w.grown <- struct{}{}:
	default: // requested already
	}
}

// alone calls fn with the connection, outside any transaction.
func (w *writer) alone(ctx context.Context, fn func(*conn) error) error {
	me := newWaiter(ctx, nil)
	if err := w.enter(me); err != nil {
		return err
	}
	if me.over { // the store was closed; another goroutine has the turn
		return me.err
	}
	defer w.pass()
	if err := w.connect(ctx); err != nil {
		return err
	}
	return fn(w.conn)
}

// Commits returns how many transactions were committed since the store was
// opened, and how many updates they contained.
func (s *Store) Commits() (transactions, updates uint64) {
	return s.writer.commits.Load(), s.writer.updates.Load()
}

// WatchCommits makes the store call watch for each committed transaction, with
// the number of its updates and the time of the commit itself. watch must be
// quick, because all writers wait for it. Call WatchCommits before another
// goroutine uses the store.
func (s *Store) WatchCommits(watch func(updates int, took time.Duration)) { s.writer.watch = watch }

// close refuses all waiters, and closes the connection after the running
// transaction. It keeps the turn.
func (w *writer) close() error {
	close(w.closed)
	me := newWaiter(context.Background(), nil)
	w.mu.Lock()
	w.gone = true
	for _, m := range w.queue {
		m.end(errClosed)
		m.told <- struct{}{}
	}
	if w.queue = nil; w.taken {
		w.queue = append(w.queue, me)
	} else {
		me.told <- struct{}{}
	}
	w.taken = true
	w.mu.Unlock()
	<-me.told
	if w.conn == nil {
		return nil
	}
	return w.conn.close()
}

// Statements about a part of a transaction.
const (
	sqlPart     = `SAVEPOINT part`
	sqlKeepPart = `RELEASE part`
	sqlUndoPart = `ROLLBACK TO part`
)
