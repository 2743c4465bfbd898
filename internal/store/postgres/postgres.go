// Package postgres keeps Strongroom's records in a PostgreSQL database, which
// any number of instances share.
//
// The idea: instances share nothing but the database, so every promise of
// [store.Store] must be the database's. Every Update is a SERIALIZABLE
// transaction: as if it had run alone, or not at all. So no promise rests on
// which rows a statement happens to lock, and an engine that is not PostgreSQL
// but speaks its language keeps them by the same word. What it costs is that a
// transaction may be refused and run again; in this process those that would
// meet queue before they start (see turns).
//
// The threats: an answer given for a commit that a crash or a failover undoes
// (a server whose synchronous_commit is off is refused, and so is a commit that
// a standby did not confirm); a commit done twice (one whose outcome is unknown
// is never repeated); a stolen database (nothing but sealed values is stored,
// but see [Store.Scrub]); somebody who changes the schema (triggers and rules
// are refused); a server or network that hangs (every statement, lock, wait and
// round trip has its end); and an error text that tells the outside of hosts,
// users or SQL (see explain).
//
// Portable SQL. So that databases which speak PostgreSQL's language and spread
// their rows over many machines can carry this schema, statements keep to what
// CockroachDB, YugabyteDB and Citus take too. It is a rule that tests hold, not
// something that was tried on those:
//
//   - No advisory locks, LISTEN or NOTIFY, temporary tables, cursors, triggers,
//     DO blocks, sequences (but for the one in goose's table of versions),
//     foreign keys, arrays, JSON types or server-side functions.
//   - No row locks (FOR UPDATE): isolation is SERIALIZABLE, for which each has
//     its own means. SQLSTATE 40001 and 40P01 are answered by another run.
//   - Nothing is kept in a session: no prepared statements by name, no SET but
//     set_config local to the transaction. So a PgBouncer in transaction mode
//     may stand between.
//   - Types are TEXT, BIGINT, BYTEA and BOOLEAN; columns are NOT NULL and have
//     no defaults.
//   - tenant is the first column of every key, the account the second where
//     there is one. Citus can partition by it all tables but account and
//     key_account, which are looked up by another name and must be reference
//     tables there.
//   - Indexes are plain or partial, by conditions of comparisons and length();
//     conflicts are met by ON CONFLICT.
//   - Texts compare byte by byte, by COLLATE "C" in the schema. CockroachDB
//     compares them so by itself, and does not take the clause in a column: the
//     scripts must go there without it.
package postgres

import (
	"context"
	"fmt"
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
	// URL of the database: postgres://USER@HOST:PORT/DATABASE?sslmode=…, with
	// what libpq understands behind the question mark, among it passfile,
	// service, sslrootcert, several hosts and target_session_attrs (read-write
	// unless it says otherwise).
	URL string
	// MaxConnections bounds the connections of this handle; 0 means
	// [DefaultMaxConnections]. Three quarters of them may write at once.
	MaxConnections int
	// Once makes Open fail after the first attempt to connect. It is for a caller
	// that retries by itself. Without it, Open waits 3 s for a server that is starting
	// or has no connection left.
	Once bool
	// Now is the clock of [store.Tx]; nil is the server's. Only tests set it.
	Now func() time.Time
}

// DefaultMaxConnections is how many connections a handle opens at most unless
// it is told otherwise. More do not make a server of a few cores faster.
const DefaultMaxConnections = 16

// Store is the engine. Its methods keep the promises of [store.Store]; it is
// safe for concurrent use.
type Store struct {
	pool    *pgxpool.Pool
	connect *pgx.ConnConfig // of one connection outside the pool
	now     func() time.Time
	turns   *turns
	room    *room
	stats   counters
	failing atomic.Bool // the last commit ended in an error
	opened  atomic.Bool // transactions now wait while the server is unreachable
	watch   func(took time.Duration)

	disk atomic.Pointer[diskError] // the last one; nil: none yet

	closing sync.Once
	closed  chan struct{}
}

var _ store.Store = (*Store)(nil)

// Open connects to the database and refuses what it could not keep records in:
// each error says what the operator can do about it. A schema that is older
// than this binary (none at all among them) is opened, so that [Store.Migrate]
// can be called; until then transactions fail and Ping says
// [store.ErrSchemaOutdated]. A newer one is refused with [store.ErrSchemaNewer].
func Open(ctx context.Context, cfg Config) (*Store, error) {
	pc, err := poolConfig(cfg)
	if err != nil {
		return nil, fmt.Errorf("opening the database: %w", err)
	}
	pool, err := pgxpool.NewWithConfig(ctx, pc)
	if err != nil {
		return nil, fmt.Errorf("opening the database: %w", badURL(err))
	}
	s := &Store{pool: pool, connect: pc.ConnConfig, now: cfg.Now,
		turns: newTurns(max(1, int(pc.MaxConns)*3/4)), room: newRoom(int(pc.MaxConns)), closed: make(chan struct{})}
	s.opened.Store(!cfg.Once)
	if err := s.inspect(ctx); err != nil {
		_ = s.Close() // the reason to give up is the one to report
		return nil, fmt.Errorf("opening the database: %w", err)
	}
	s.opened.Store(true)
	return s, nil
}

const (
	connectTimeout = 5 * time.Second
	acquireWait    = 3 * time.Second // for a connection: less than a caller waits
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
	// another one: asking first would cost a round trip each time.
	pc.ShouldPing = func(context.Context, pgxpool.ShouldPingParams) bool { return false }
	cc := pc.ConnConfig
	cc.ConnectTimeout = connectTimeout
	cc.DefaultQueryExecMode = pgx.QueryExecModeExec // for migrations; nothing else goes this way
	cc.StatementCacheCapacity, cc.DescriptionCacheCapacity = 0, 0
	cc.OnNotice = onNotice
	if !saysWhichServer(cfg.URL) {
		cc.ValidateConnect = pgconn.ValidateConnectTargetSessionAttrsReadWrite
	}
	if cc.RuntimeParams["application_name"] == "" && os.Getenv("PGAPPNAME") == "" {
		cc.RuntimeParams["application_name"] = "strongroom" // one of those that PgBouncer knows
	}
	return pc, nil
}

// saysWhichServer reports whether the operator has chosen what kind of server
// will do.
func saysWhichServer(address string) bool {
	u, err := url.Parse(address)
	return err == nil && u.Query().Has("target_session_attrs") || os.Getenv("PGTARGETSESSIONATTRS") != ""
}

// warned is where onNotice leaves the last warning of a connection.
const warned = "warned"

// onNotice keeps warnings. The one that matters comes with a commit that is
// done on this server and not confirmed by its standbys.
func onNotice(c *pgconn.PgConn, n *pgconn.Notice) {
	if n.SeverityUnlocalized == "WARNING" {
		c.CustomData()[warned] = n.Code
	}
}

func (s *Store) newTx(ctx context.Context, begin string) *tx {
	t := &tx{s: s, ctx: ctx, begin: begin}
	t.Tx = sqltx.New(t, &texts)
	return t
}

// Close ends all connections. Transactions under way fail at their next step;
// Close waits for them, so it must not be called inside one.
func (s *Store) Close() error {
	s.closing.Do(func() { close(s.closed) })
	s.pool.Close()
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

// Ping reports whether the store can serve reads and take writes now: a
// snapshot can be read, the schema is the one this binary knows, commits are
// durable, and the server is no standby. After a commit that failed it also
// writes a row and commits it, which is how it notices that a full disk has
// room again. It waits for its turn like any transaction: bound it with ctx.
func (s *Store) Ping(ctx context.Context) error {
	have, known, err := s.SchemaVersion(ctx)
	if err != nil {
		return err
	}
	// A schema that has become newer since this handle was opened is no reason to
	// stop: a migration only adds (docs/scaling.md), so that the instances of
	// the version before go on until they are replaced.
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

// diskCalm is how long after such an error the store is taken for well again.
// The probe's own write is no measure: on a full disk those that fit into pages
// that are there still succeed.
const diskCalm = 3 * time.Second

// touch tries to write. A standby refuses the statement even where it finds no
// row to change.
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

// Scrub does nothing. PostgreSQL keeps what was overwritten or deleted in its
// tables until VACUUM, and in the write-ahead log, its archive and standbys for
// as long as those are kept: none of it is within a client's reach, and a
// database shared by instances must not be stopped for it. An erased private
// key stays sealed there, under the root key.
func (s *Store) Scrub(ctx context.Context) error {
	if s.isClosed() {
		return errClosed
	}
	return ctx.Err()
}

// Writers is how many Updates of this handle can run at the same time: their
// numbers, which [store.Tx] tells, are below it.
func (s *Store) Writers() int { return cap(s.turns.free) }

// WatchCommits has watch be told of each transaction that is committed from now
// on, and how long its last round trip took, with the writes that went along.
// It is called by many at once. Call WatchCommits before there is a second
// goroutine that uses the store.
func (s *Store) WatchCommits(watch func(took time.Duration)) { s.watch = watch }

// Stats is what the store has done since it was opened.
type Stats struct {
	Commits    uint64 // Updates that were committed
	Repeats    uint64 // runs that had to begin anew, for the sake of another or for a lost connection
	Statements uint64 // BEGIN, COMMIT and the settings among them
	RoundTrips uint64
}

type counters struct{ commits, repeats, statements, roundTrips atomic.Uint64 }

// Stats returns what the store has done since it was opened.
func (s *Store) Stats() Stats {
	return Stats{s.stats.commits.Load(), s.stats.repeats.Load(), s.stats.statements.Load(), s.stats.roundTrips.Load()}
}
