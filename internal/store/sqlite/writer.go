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

// A durable commit costs an fsync, whether it holds one update or fifty. So
// updates that wait for each other share one: the goroutine that has the turn runs
// its own update first and then, in the same transaction, the waiting updates
// in the order of arrival. Then it commits, and only then all of them are
// answered. An update that nobody waits behind commits at once: sharing
// never costs it a wait.
//
// It runs them itself, because waking their goroutines one after the other
// would cost up to a fifth of their work. Each is in a savepoint, so that
// its failure undoes what it wrote and nothing else. If SQLite gives up the whole
// transaction on account of one, the others run again without it. If one panics,
// nobody knows what state SQLite is in: nothing is committed, the connection is
// abandoned, the others run again, and so does that one when its own goroutine
// has the turn, to panic there.
//
// An update sees what those before it in the transaction wrote. If it fails on
// account of that, its error too is told only after the commit, because until
// then what it saw may never have been.

// Bounds of a shared transaction, so that the first in it does not wait long
// for its answer and the log does not grow by much at once.
const (
	maxBatch     = 64
	maxBatchTime = 5 * time.Millisecond
)

// Under load there is always somebody who waits, and the write lock would be
// free for microseconds only. Once in mannersAfter it is left free for longer
// than another process takes to look again.
const (
	mannersAfter = time.Second
	mannersPause = 2 * busyPoll
)

// writer lends the one write connection, in the order of arrival.
type writer struct {
	open   func() (*conn, error)
	files  *files
	now    func() time.Time
	closed chan struct{}
	full   chan struct{} // gets an element when the WAL should be checkpointed
	most   int           // updates in a transaction

	mu    sync.Mutex
	gone  bool      // guarded by mu: closed, for those who come
	taken bool      // guarded by mu: somebody has the turn
	queue []*waiter // guarded by mu: who comes next
	busy  time.Time // guarded by mu: since when there has always been somebody

	// Only the goroutine that has the turn uses these.
	conn  *conn // nil: none is open
	pages int   // written since the last checkpoint was asked for

	// failing is set while the last write ended in an error of the engine. A
	// full disk shows only when something is written, so Ping then writes.
	failing atomic.Bool

	// Committed transactions and the updates in them.
	commits, updates atomic.Uint64
	watch            func(updates int, took time.Duration) // told of each; may be nil
}

func newWriter(open func() (*conn, error), f *files, now func() time.Time) *writer {
	return &writer{open: open, files: f, now: now,
		closed: make(chan struct{}), full: make(chan struct{}, 1), most: maxBatch}
}

// waiter is an update that waits for its turn, or for another goroutine to run
// it.
type waiter struct {
	ctx  context.Context
	fn   func(*tx) error // nil: it wants the connection outside any transaction
	solo bool            // it must run on its own goroutine
	told chan struct{}   // gets an element when either has come
	over bool            // the update has ended, with err
	err  error
}

func newWaiter(ctx context.Context, fn func(*tx) error) *waiter {
	return &waiter{ctx: ctx, fn: fn, told: make(chan struct{}, 1)}
}

func (m *waiter) end(err error) { m.over, m.err = true, err }

// enter waits until it is m's turn or its update is over. If it returns an
// error, neither will ever be.
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

// requeue puts those back, at the front, who had been taken from the queue.
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

// follower takes the next from the queue if it has an update to be run, or
// returns nil.
func (w *writer) follower() *waiter {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.queue) == 0 || w.queue[0].fn == nil || w.queue[0].solo {
		return nil
	}
	return w.pop()
}

// pop takes the next from the queue. The caller holds mu.
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

// lead runs the update of me, who has the turn, and those of others, commits
// and passes the turn on. But if the transaction was lost on account of
// another, me is not over and keeps the turn, to lead again.
func (w *writer) lead(me *waiter) {
	var followers []*waiter
	passed := false
	defer func() {
		if !passed { // a panic, or the end of the goroutine
			_ = w.conn.end(sqlRollback)
			w.conn.broken = true // as after another's panic
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

// first begins a transaction and runs the update of m in it. If that fails the
// transaction is rolled back.
func (w *writer) first(m *waiter) error {
	if err := m.ctx.Err(); err != nil {
		return err
	}
	w.mind()
	if err := w.connect(m.ctx); err != nil {
		return w.files.lossOr(err)
	}
	if err := begin(m.ctx, w.conn, sqlBeginImmediate); err != nil {
		return w.files.lossOr(err)
	}
	err := w.files.check()
	if err == nil {
		err = w.run(m)
	}
	if err != nil {
		_ = w.conn.end(sqlRollback) // the cause of it is the one to report
	}
	return err
}

// mind leaves the write lock to other processes for a moment if this one has
// not been without a writer for long.
func (w *writer) mind() {
	w.mu.Lock()
	rude := time.Since(w.busy) > mannersAfter
	w.mu.Unlock()
	if !rude {
		return
	}
	time.Sleep(mannersPause)
	w.mu.Lock()
	w.busy = time.Now()
	w.mu.Unlock()
}

// connect sees to it that there is a connection, and that it is a sound one.
func (w *writer) connect(ctx context.Context) (err error) {
	if w.conn != nil && w.conn.broken {
		_ = w.conn.close() // it is being abandoned: there is nobody to tell
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
		w.failing.Store(true)
	}
	return err
}

// errLost: what follows would each commit on its own.
var errLost = errors.New("the transaction was ended inside its function")

// errPanicked ends a transaction in which another's update panicked.
var errPanicked = errors.New("panic in another's update")

// part runs the update of m in the open transaction and notes its outcome. It
// returns an error only if the transaction is lost: SQLite has ended it by
// itself, or cannot undo the part, or m panicked.
func (w *writer) part(m *waiter) error {
	if m.err = m.ctx.Err(); m.err != nil {
		return nil
	}
	if _, err := w.conn.exec(sqlPart); err != nil {
		return explain(err)
	}
	m.err = errPanicked
	func() {
		defer func() { _ = recover() }() // it will panic again where it belongs
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

// lose ends a transaction that the last of the followers has brought down. The
// others run again, and that one too if it has to panic.
func (w *writer) lose(followers []*waiter, err error) {
	_ = w.conn.end(sqlRollback) // if SQLite has not done so
	if last := followers[len(followers)-1]; !last.solo {
		followers = followers[:len(followers)-1]
		last.end(err)
		last.told <- struct{}{}
	}
	w.requeue(followers)
}

// commit commits and tells the followers. If it fails, that is what they are
// told, whatever the outcome of their updates was.
func (w *writer) commit(followers []*waiter) error {
	start := time.Now()
	err := w.conn.end(sqlCommit)
	took := time.Since(start)
	w.failing.Store(err != nil)
	if err != nil {
		err = fmt.Errorf("committing: %w", explain(err))
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

// count counts a commit that took so long, and the updates in it.
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
	case w.full <- struct{}{}:
	default: // asked for already
	}
}

// alone calls fn with the connection, outside any transaction.
func (w *writer) alone(ctx context.Context, fn func(*conn) error) error {
	if err := w.enter(newWaiter(ctx, nil)); err != nil {
		return err
	}
	defer w.pass()
	if err := w.connect(ctx); err != nil {
		return err
	}
	return fn(w.conn)
}

// Commits returns how many transactions were committed since the store was
// opened, and how many updates were in them.
func (s *Store) Commits() (transactions, updates uint64) {
	return s.writer.commits.Load(), s.writer.updates.Load()
}

// WatchCommits has watch be told of each transaction that is committed from now
// on: how many updates were in it, and how long the commit itself took. It must
// be quick: everybody who writes waits for it. Call WatchCommits before there
// is a second goroutine that uses the store.
func (s *Store) WatchCommits(watch func(updates int, took time.Duration)) { s.writer.watch = watch }

// close sends everybody away who waits, and closes the connection when the
// transaction under way has ended. It keeps the turn.
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
