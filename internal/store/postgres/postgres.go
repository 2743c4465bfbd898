// Package postgres keeps Strongroom's records in a PostgreSQL database, which any
// number of instances share.
//
// The idea: instances share nothing but the database, so the database must keep
// every promise of [store.Store]. Every Update is a SERIALIZABLE transaction: it
// has the effect of running alone, or none. So no promise depends on which rows a
// statement locks, and other engines that speak PostgreSQL's protocol keep the
// promises in the same way. The price is that a transaction may be refused and
// run again. Within a process, transactions that would meet queue before they
// start (see turns).
//
// The threats, and what is done about each:
//
//   - A crash or a failover undoes a commit that was acknowledged: a server
//     with synchronous_commit off is refused, a transaction turns it on for
//     itself, and a commit that a standby did not confirm is reported as
//     unknown.
//   - A change is made twice: a transaction whose commit has an unknown
//     outcome is never repeated.
//   - The database is stolen: it holds sealed values only, but see
//     [Store.Scrub].
//   - Someone changes the schema: triggers, rules, functions and operators are
//     refused.
//   - A role that may create objects in a schema of the search path makes an
//     operator that matches a statement better than the server's own:
//     statements cast their operands, so that the server's own match exactly.
//   - A server or network hangs: every statement, lock, wait and round trip
//     has a time limit.
//   - An error text names hosts, users or SQL: see explain.
//
// Portable SQL: statements use only what CockroachDB, YugabyteDB and Citus accept
// too, so that these distributed databases can hold this schema. Tests check the
// rules below, and run each operation with each of its statements refused by 40001.
// The contract was run on Citus, and on no other (see citus.go). CockroachDB and
// YugabyteDB have schemas of their own, made from the migrations (deploy/cockroach,
// deploy/yugabyte).
//
//   - No advisory locks, LISTEN or NOTIFY, temporary tables, cursors,
//     triggers, DO blocks, sequences (except the one in goose's table of
//     versions), foreign keys, columns of arrays or JSON, or server-side
//     functions. Statements that only Citus or a table with partitions
//     gets are an exception.
//   - No row locks (FOR UPDATE): isolation is SERIALIZABLE, which each
//     engine implements in its own way. After SQLSTATE 40001 and 40P01 the
//     transaction runs again.
//   - No state in a session but statements prepared by name, and those only
//     on direct connections (see naming); no SET except set_config local to
//     the transaction. So a PgBouncer in transaction mode can be used.
//   - Types are TEXT, BIGINT, INTEGER, BYTEA and BOOLEAN. Columns are NOT
//     NULL. They have no defaults, except some that a migration added.
//   - tenant is the first column of every primary key except that of
//     audit_verdict. The account is the second one if there is one. Citus
//     distributes the tables by it.
//   - Indexes are plain, or partial with conditions of comparisons and
//     length(). Conflicts are handled by ON CONFLICT.
//   - Texts compare byte by byte, by COLLATE "C" in the schema. CockroachDB
//     compares them so by default and does not accept the clause in a
//     column.
//   - No quotient of integers is stored: CockroachDB gives a fraction.
package postgres

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"strongroom/internal/store"
	"strongroom/internal/store/sqltx"
)

// Config says which database to open and how.
type Config struct {
	// URL of the database: postgres://USER@HOST:PORT/DATABASE?sslmode=…, with the
	// parameters of libpq, among them passfile, service, sslrootcert, several
	// hosts and target_session_attrs (default read-write).
	URL string
	// MaxConnections is how many connections this handle opens at most; 0 means
	// [DefaultMaxConnections]. At most three quarters of them write at a time.
	MaxConnections int
	// Once makes Open fail after the first attempt to connect. It is for a caller
	// that retries by itself. Without it, Open waits 3 s for a server that is starting
	// or has no connection left.
	Once bool
	// Now is the clock of [store.Tx]; nil is the server's. Only tests set it.
	Now func() time.Time
	// Log gets warnings: every role may create objects in the schema, another process
	// migrates, a node of Citus is not used directly, transaction ids run out, or a process
	// started while the clocks were ahead. nil: nothing is logged.
	Log *slog.Logger
}

// DefaultMaxConnections is the default of Config.MaxConnections. More do not make
// a server with a few cores faster.
const DefaultMaxConnections = 16

// Store is the engine. Its methods keep the promises of [store.Store]; it is
// safe for concurrent use.
type Store struct {
	*endpoint                 // the server of the URL
	connect   *pgx.ConnConfig // of one connection outside the pool
	now       func() time.Time
	log       *slog.Logger
	turns     *turns
	citus     *citus       // nil: the database is not distributed
	ahead     atomic.Int64 // ns by which the clock of the server of the URL is ahead of this machine's
	stats     counters
	failing   atomic.Bool  // the last commit ended in an error
	idsWarned atomic.Int64 // Unix time of the last log line about transaction ids; 0: none
	opened    atomic.Bool  // transactions now wait while the server is unreachable
	watch     func(took time.Duration)

	disk     atomic.Pointer[diskError] // the last one; nil: none yet
	verdicts verdictForm

	numbers sync.Map // the numbers of the chains that it appends to, by name: string to int64

	closing sync.Once
	closed  chan struct{}
}

var _ store.Store = (*Store)(nil)

// Open connects to the database and refuses one that cannot keep the records.
// Each error says what the operator can do. Open accepts a schema that is older
// than this binary, or missing, so that [Store.Migrate] can be called; until then
// transactions fail and Ping returns [store.ErrSchemaOutdated]. A newer schema is
// refused with [store.ErrSchemaNewer].
func Open(ctx context.Context, cfg Config) (*Store, error) {
	pc, err := poolConfig(cfg)
	if err != nil {
		return nil, fmt.Errorf("opening the database: %w", err)
	}
	s := &Store{connect: pc.ConnConfig, now: cfg.Now, log: cmp.Or(cfg.Log, slog.New(slog.DiscardHandler)),
		turns: newTurns(max(1, int(pc.MaxConns)*3/4)), closed: make(chan struct{})}
	pc.ConnConfig.OnNotice = s.onNotice
	if s.endpoint, err = newEndpoint(ctx, pc, ""); err != nil {
		return nil, fmt.Errorf("opening the database: %w", badURL(err))
	}
	s.opened.Store(!cfg.Once)
	if err := s.inspect(ctx); err != nil {
		_ = s.Close() // the reported error is the first one
		return nil, fmt.Errorf("opening the database: %w", err)
	}
	s.opened.Store(true)
	if revoke := s.AnyoneCreates(ctx); revoke != "" {
		s.log.WarnContext(ctx, "every role may create objects in the schema of the database, and so could change what statements do: revoke this privilege", "run", revoke)
	}
	s.openNodes(ctx, cfg)
	return s, nil
}

const (
	connectTimeout = 5 * time.Second
	acquireWait    = 3 * time.Second // for a connection; callers wait longer
)

func poolConfig(cfg Config) (*pgxpool.Config, error) {
	pc, err := pgxpool.ParseConfig(cfg.URL)
	if err != nil {
		return nil, badURL(err)
	}
	pc.MaxConns = DefaultMaxConnections
	if cfg.MaxConnections > 0 {
		pc.MaxConns = int32(min(cfg.MaxConnections, 1<<15))
	}
	pc.MinConns = min(2, pc.MaxConns)
	pc.MaxConnLifetime = time.Hour // so that new servers behind an address get their share
	pc.MaxConnLifetimeJitter = 10 * time.Minute
	pc.MaxConnIdleTime = 5 * time.Minute
	pc.HealthCheckPeriod = 15 * time.Second
	// A dead connection shows at the first statement, which is then sent over
	// another one. A ping before each use would cost a round trip.
	pc.ShouldPing = func(context.Context, pgxpool.ShouldPingParams) bool { return false }
	pc.AfterConnect = inTime(namingOf(cfg.URL).prepare)
	cc := pc.ConnConfig
	cc.ConnectTimeout = connectTimeout
	cc.DefaultQueryExecMode = pgx.QueryExecModeExec // for migrations; nothing else goes this way
	cc.StatementCacheCapacity, cc.DescriptionCacheCapacity = 0, 0
	cc.RuntimeParams["client_encoding"] = "UTF8" // texts are sent so; PgBouncer accepts this parameter
	if !saysWhichServer(cfg.URL) {
		cc.ValidateConnect = pgconn.ValidateConnectTargetSessionAttrsReadWrite
	}
	if cc.RuntimeParams["application_name"] == "" && os.Getenv("PGAPPNAME") == "" {
		cc.RuntimeParams["application_name"] = "strongroom" // PgBouncer accepts this parameter
	}
	return pc, nil
}

// inTime limits what is done first on a new connection. The pool sets no limit, and the
// connection counts against MaxConnections meanwhile.
func inTime(first func(context.Context, *pgx.Conn) error) func(context.Context, *pgx.Conn) error {
	return func(ctx context.Context, c *pgx.Conn) error {
		ctx, cancel := context.WithTimeout(ctx, connectTimeout)
		defer cancel()
		return first(ctx, c)
	}
}

// saysWhichServer reports whether the operator chose the kind of server.
func saysWhichServer(address string) bool {
	u, err := url.Parse(address)
	return err == nil && u.Query().Has("target_session_attrs") || os.Getenv("PGTARGETSESSIONATTRS") != ""
}

// warned is where onNotice leaves the last warning of a connection, and undone
// where it leaves one that says that another transaction was in the way.
const warned, undone = "warned", "undone"

// idsWarnEvery is how often the store logs that transaction ids run out.
const idsWarnEvery = time.Hour

// onNotice keeps warnings. Those that matter come with a commit: this server made
// it and its standbys did not confirm, or a node of Citus refused it.
//
// It logs that transaction ids run out. PostgreSQL then sends a warning with the first
// write of each transaction, and later refuses all writes. Only the name of the
// function in the server identifies this warning in every language.
func (s *Store) onNotice(c *pgconn.PgConn, n *pgconn.Notice) {
	if n.SeverityUnlocalized != "WARNING" {
		return
	}
	if n.Routine == "GetNewTransactionId" || n.Routine == "GetNewMultiXactId" {
		now, last := time.Now().Unix(), s.idsWarned.Load()
		if now-last >= int64(idsWarnEvery.Seconds()) && s.idsWarned.CompareAndSwap(last, now) {
			s.log.Warn("the database server runs out of transaction ids and will refuse all writes: see docs/how-to/postgresql.md#transaction-ids-run-out")
		}
	}
	c.CustomData()[warned] = n.Code
	if undoes(n.Code) {
		c.CustomData()[undone] = n.Code
	}
}

func (s *Store) newTx(ctx context.Context, begin string) *tx {
	t := &tx{s: s, ctx: ctx, begin: begin}
	t.Tx = sqltx.New(t, &texts, sqltx.Verdicts{Hidden: s.citus != nil, Form: t.verdictForm, Least: t.leastNumber})
	return t
}

// Close ends all connections. Transactions in progress fail at their next step.
// Close waits for them, so do not call it inside one.
func (s *Store) Close() error {
	s.closing.Do(func() { close(s.closed) })
	for _, e := range s.endpoints() {
		e.pool.Close()
	}
	return nil
}

func (s *Store) isClosed() bool {
	select {
	case <-s.closed:
		return true
	default:
		return false
	}
}

// Ping reports whether the store can serve reads and take writes now: it reads a
// snapshot, and checks that the schema is the one that this binary knows, that
// commits are durable, and that the server is no standby. After a commit that
// failed it also writes a row and commits it, to notice that a full disk has room
// again. It waits for its turn like any transaction, so limit it with ctx.
func (s *Store) Ping(ctx context.Context) error {
	have, known, err := s.SchemaVersion(ctx)
	if err != nil {
		return err
	}
	// A schema that became newer since this handle was opened is accepted: a
	// migration only adds (docs/scaling.md), so that instances of the previous
	// version work until they are replaced.
	if err := store.CheckNotOutdated(have, known); err != nil {
		return err
	}
	if last := s.disk.Load(); last != nil && time.Since(last.at) < diskCalm {
		return last.explained
	}
	return s.touch(ctx, known)
}

// diskError is an error by which the server says that its disk takes no writes.
type diskError struct {
	at        time.Time
	explained error
}

// diskCalm is how long after such an error Ping reports it. Its own write proves
// nothing: on a full disk, a write that fits into existing pages succeeds.
const diskCalm = 3 * time.Second

// touch attempts a write. A standby refuses the statement even if it finds no row
// to change.
func (s *Store) touch(ctx context.Context, known int64) error {
	version := int64(-1)
	if s.failing.Load() {
		version = known
	}
	return s.update(ctx, func(t *tx) error {
		_, err := t.Exec(sqlTouch, version)
		return err
	})
}

// Scrub does nothing. PostgreSQL keeps overwritten and deleted values in its
// tables until VACUUM, and in the write-ahead log, its archive and standbys as
// long as those are kept. A client cannot change that. An erased private key
// stays there, sealed under the root key.
func (s *Store) Scrub(ctx context.Context) error {
	if s.isClosed() {
		return errClosed
	}
	return ctx.Err()
}

// Writers is how many Updates of this handle can run at the same time, on Citus for
// each node. [store.Clock].Writer returns numbers below it.
func (s *Store) Writers() int {
	if s.citus != nil {
		return cap(s.turns.free) * s.citus.nodes
	}
	return cap(s.turns.free)
}

// WatchCommits makes the store call watch for each committed transaction, with
// the time of its last round trip, including the writes sent with COMMIT. Several
// goroutines call watch at a time. Call WatchCommits before another goroutine
// uses the store.
func (s *Store) WatchCommits(watch func(took time.Duration)) { s.watch = watch }

// Stats is what the store has done since it was opened.
type Stats struct {
	Commits    uint64 // Updates that were committed
	Repeats    uint64 // runs repeated because of another transaction or a lost connection
	Statements uint64 // including BEGIN, COMMIT and the settings
	RoundTrips uint64
}

type counters struct{ commits, repeats, statements, roundTrips atomic.Uint64 }

// Stats returns what the store has done since it was opened.
func (s *Store) Stats() Stats {
	return Stats{s.stats.commits.Load(), s.stats.repeats.Load(), s.stats.statements.Load(), s.stats.roundTrips.Load()}
}
