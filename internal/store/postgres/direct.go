package postgres

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"strongroom/internal/domain"
	"strongroom/internal/store"
	"strongroom/internal/store/sqltx"
)

// On Citus, an Update about one account connects directly to the node that stores the
// account. Each node knows where all tables are, so a statement about another node
// works there too and only costs more. Tables of the coordinator do not exist on the
// nodes: an Update that needs one runs again on the coordinator. The coordinator can
// serve all Updates, so it replaces a node that cannot be reached.

// endpoint is a server that the store connects to: the server of the URL, or a node of
// Citus.
type endpoint struct {
	pool *pgxpool.Pool
	room *room
	name string // HOST:PORT of the node; "": this is the server of the URL

	away atomic.Pointer[time.Time] // no connection is attempted before this time; nil: the last one worked
	gone atomic.Bool               // the coordinator no longer lists the node at this address
	seen atomic.Pointer[time.Time] // when the coordinator was last asked, and listed it
	said atomic.Pointer[string]    // the logged reason why it is away; nil: none was logged
}

func newEndpoint(ctx context.Context, pc *pgxpool.Config, name string) (*endpoint, error) {
	pool, err := pgxpool.NewWithConfig(ctx, pc)
	e, now := &endpoint{pool: pool, room: newRoom(int(pc.MaxConns)), name: name}, time.Now()
	e.seen.Store(&now)
	return e, err
}

// endpoints are all servers that the store connects to.
func (s *Store) endpoints() []*endpoint {
	all := []*endpoint{s.endpoint}
	if s.citus != nil {
		all = append(all, s.citus.direct...)
	}
	return slices.DeleteFunc(all, func(e *endpoint) bool { return e == nil })
}

// awayFor is how long the coordinator replaces a node after an attempt to connect failed.
const awayFor = 10 * time.Second

// listedFor is how long a node is used after the coordinator listed it. A node that was
// removed from the cluster still serves connections, with outdated metadata. If shards
// have moved since, it writes to their old places, and the writes are lost.
const listedFor = 30 * time.Second

// ready reports whether the node may be used, and a connection attempted. After a
// failure, one transaction attempts it every awayFor.
func (e *endpoint) ready() bool {
	now, away := time.Now(), e.away.Load()
	if e.gone.Load() || now.Sub(*e.seen.Load()) > listedFor {
		return false
	}
	next := now.Add(awayFor)
	return away == nil || !now.Before(*away) && e.away.CompareAndSwap(away, &next)
}

// openNodes prepares direct connections to the nodes of Citus, and logs which of them
// do not work.
func (s *Store) openNodes(ctx context.Context, cfg Config) {
	if s.citus == nil {
		return
	}
	s.citus.direct = make([]*endpoint, len(s.citus.names))
	var all sync.WaitGroup
	for n, name := range s.citus.names {
		group := s.citus.groups[n]
		if group == coordinatorGroup {
			continue
		}
		e, err := s.openNode(ctx, cfg, name, group)
		if err != nil {
			s.log.WarnContext(ctx, notDirect, "node", name, "reason", badURL(err))
			continue
		}
		s.citus.direct[n] = e
		all.Go(func() {
			if c, _ := s.acquireDirectly(ctx, e); c != nil {
				c.release()
			}
		})
	}
	all.Wait()
}

// noteListed notes which nodes the coordinator listed when it was asked. A failover may have
// moved one to another address, or an operator may be about to remove it.
func (s *Store) noteListed(ctx context.Context, names []string, asked time.Time) {
	for _, e := range s.citus.direct {
		if e == nil {
			continue
		}
		gone := !slices.Contains(names, e.name)
		if !gone {
			e.seen.Store(&asked)
		}
		switch before := e.gone.Swap(gone); {
		case gone && !before:
			s.log.WarnContext(ctx, notDirect, "node", e.name, "reason", notListed)
		case before && !gone:
			s.log.InfoContext(ctx, directAgain, "node", e.name)
		}
	}
}

// coordinatorGroup is the group of the coordinator, which may store shards too.
const coordinatorGroup = 0

const (
	notDirect   = "requests for accounts on this node of Citus go through the coordinator, which needs more CPU: see docs/how-to/citus.md"
	directAgain = "requests for accounts on this node of Citus go directly to it again"
	notListed   = "the coordinator lists no node with accounts and current metadata at this address: if the node has a new address, restart the instance"
)

// openNode makes the pool of a node, with the settings of the URL except host and port.
func (s *Store) openNode(ctx context.Context, cfg Config, name string, group int64) (*endpoint, error) {
	u, err := url.Parse(cfg.URL)
	if err != nil {
		return nil, err
	}
	q := u.Query()
	q.Del("host")
	q.Del("port")
	colon := strings.LastIndexByte(name, ':')
	u.Host, u.RawQuery = net.JoinHostPort(name[:colon], name[colon+1:]), q.Encode()
	cfg.URL = u.String()
	pc, err := poolConfig(cfg)
	if err != nil {
		return nil, err
	}
	if pc.ConnConfig.Password == "" { // the passfile has no line for the node
		pc.ConnConfig.Password = s.connect.Password
	}
	for i, name := range []string{"statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout"} {
		pc.ConnConfig.RuntimeParams[name] = limits[i].String()
	}
	pc.ConnConfig.RuntimeParams["enable_seqscan"], pc.ConnConfig.RuntimeParams["jit"] = "off", "off"
	pc.ConnConfig.RuntimeParams["client_min_messages"] = "warning" // else a role setting can hide those that onNotice keeps
	pc.ConnConfig.OnNotice = s.onNotice
	pc.MinConns = 0
	names := pc.AfterConnect
	pc.AfterConnect = inTime(func(ctx context.Context, c *pgx.Conn) error {
		if err := s.checkNode(ctx, c, group); err != nil {
			return err
		}
		return names(ctx, c)
	})
	return newEndpoint(ctx, pc, name)
}

// unfit is the reason why a server is not used as a node.
type unfit string

func (u unfit) Error() string { return string(u) }

// sqlNode returns the version of Citus, the node's clock and group, how many shards of a
// table it knows, and how many of the store's tables the node has without the
// coordinator, for example after strongroom migrate was run there.
const sqlNode = `
		SELECT citus_version(), ` + sqlNow + `, (SELECT CAST(groupid AS BIGINT) FROM pg_catalog.pg_dist_local_group),
			(SELECT count(*) FROM pg_catalog.pg_dist_shard WHERE CAST(logicalrelid AS OID) = CAST(to_regclass('attempts') AS OID)),
			(SELECT count(*) FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
				WHERE n.nspname = current_schema() AND c.relname = ANY($1)
				AND NOT EXISTS (SELECT 1 FROM pg_catalog.pg_dist_partition p WHERE CAST(p.logicalrelid AS OID) = c.oid))`

// mostSkew is how far the clocks of the nodes may differ. Locks end by these clocks, and
// searches of the trail allow for a difference of one minute.
const mostSkew = 10 * time.Second

// checkNode refuses a server that is not this node, or cannot be used directly. Each
// new connection is checked.
func (s *Store) checkNode(ctx context.Context, c *pgx.Conn, group int64) error {
	tables := make([]string, len(store.Tables))
	for i, t := range store.Tables {
		tables[i] = t.Name
	}
	var version string
	var clock, is, shards, own int64
	var durable server
	if err := c.QueryRow(ctx, sqlNode, tables).Scan(&version, &clock, &is, &shards, &own); err != nil {
		return err
	}
	skew := time.Until(domain.FromMicros(clock)) - time.Duration(s.ahead.Load())
	if err := c.QueryRow(ctx, sqlServer).Scan(&durable.schema, &durable.encoding, &durable.ofClient, &durable.commit, &durable.flushesToDisk); err != nil {
		return err
	}
	if err := durable.check(); err != nil {
		return unfit(err.Error())
	}
	switch {
	case is != group:
		return unfit(fmt.Sprintf("the server at this address is node group %d, not %d", is, group))
	case shards == 0:
		return unfit("the node does not know where the tables are: run SELECT start_metadata_sync_to_all_nodes() on the coordinator")
	case skew.Abs() > mostSkew:
		return unfit("the node's clock differs from the coordinator's by " + skew.Round(time.Second).String() + ": synchronize both with NTP")
	case own > 0:
		return unfit("the node has tables of Strongroom that the coordinator does not know: drop them")
	case leaksPlans(version):
		name, _, _ := strings.Cut(version, " on ")
		return unfit(name + " never frees the plans of direct connections: " +
			"use 13.5.0, 14.3.0 or later")
	}
	return nil
}

var versionOfCitus = regexp.MustCompile(`^Citus (\d+)\.(\d+)(?:\.(\d+))?`)

// leaking has, for each affected branch of Citus, the first release that plans a statement
// on the node's own shards at each execution and never frees the plans. The fix,
// https://github.com/citusdata/citus/pull/8824, is in 13.5.0 and 14.3.0. Later releases of
// the affected branches may contain it: update the map when they are known.
var leaking = map[string]int{"12.1": 11, "13.0": 6, "13.1": 2, "13.2": 1, "13.3": 0, "13.4": 0, "14.0": 0, "14.1": 0, "14.2": 0}

// leaksPlans reports whether the memory of a direct connection would grow without
// limit, by the result of citus_version(). If the result has no version, it returns true.
func leaksPlans(version string) bool {
	found := versionOfCitus.FindStringSubmatch(version)
	if found == nil {
		return true
	}
	first, leaks := leaking[found[1]+"."+found[2]]
	release, _ := strconv.Atoi(found[3]) // a development version has none
	return leaks && release >= first
}

// destination is the server that the transaction should use.
func (t *tx) destination() *endpoint {
	if t.turn == nil || t.turn.central || !t.local || len(t.s.citus.direct) == 0 {
		return t.s.endpoint
	}
	if e := t.s.citus.direct[t.s.citus.node(t.account)]; e != nil && e.ready() {
		return e
	}
	return t.s.endpoint
}

// acquireDirectly lends a connection to a node. It returns neither a connection nor an
// error if the coordinator must replace the node.
func (s *Store) acquireDirectly(ctx context.Context, e *endpoint) (*conn, error) {
	c, err := s.acquire(ctx, e)
	switch {
	case err == nil:
		if e.away.Swap(nil) != nil && e.said.Swap(nil) != nil {
			s.log.InfoContext(ctx, directAgain, "node", e.name)
		}
		return c, nil
	case errors.Is(err, errBusy), errors.Is(err, errClosed), ctx.Err() != nil:
		return nil, err
	}
	next := time.Now().Add(awayFor)
	e.away.Store(&next)
	reason := err.Error()
	if before := e.said.Swap(&reason); before == nil || *before != reason {
		s.log.WarnContext(ctx, notDirect, "node", e.name, "reason", reason)
	}
	return nil, nil
}

// notHere reports whether the transaction failed because a node cannot run a statement.
// Then a further run uses the coordinator.
func (t *tx) notHere(err error) bool {
	if t.direct() && slices.Contains(notOnNodes, codeOf(err)) {
		t.turn.central = true
		return true
	}
	return false
}

// notOnNodes are the errors of a statement that only the coordinator can run.
var notOnNodes = []string{"42P01", "0A000", "55000"}

// direct reports whether the transaction runs on a direct connection to a node.
func (t *tx) direct() bool { return t.conn != nil && t.conn.from.name != "" }

// Citus caches the plan of a statement about the node's own shards only if the statement
// has one table and no WITH. The writes of a verify depend on rows that the transaction has
// read. So on a direct connection, the transaction checks these rows itself, and the
// statements need no WITH. This is safe: all statements see the same snapshot, and if
// another transaction changes such a row meanwhile, the write fails with 40001.

// counter identifies an attempt counter.
type counter struct {
	account string
	of      domain.CredentialType
}

// advanced is the request that writes a later version of a counter.
func (t *tx) advanced(a domain.Attempts) *request {
	r := &request{sql: sqlAdvanceAttempts, args: sqltx.AttemptsValues(a)}
	if t.direct() && slices.Contains(t.found, counter{a.AccountID, a.Type}) {
		r.sql = sqltx.AdvanceAttempts
	}
	return r
}

// ReserveAttempt is that of [store.AttemptCounters].
func (t *tx) ReserveAttempt(a domain.Attempts, keyID string) error {
	if !t.direct() || a.Version == 1 || t.key.ID != keyID || t.key.AccountID != a.AccountID {
		return t.Tx.ReserveAttempt(a, keyID)
	}
	if !t.key.Usable(domain.ForVerify, t.Now()) {
		t.err = store.ErrKeyNotUsable
		return t.err
	}
	return t.later(t.advanced(a))
}

// sqlNewestIs is sqlIsHead without a nested query. If the chain has no entry, it does not
// fail. Then somebody has removed all entries, and the Update returns errHeadless.
const sqlNewestIs = `
		SELECT 1 / CASE WHEN hash = $3 THEN 1 ELSE 0 END FROM audit_log
		WHERE tenant = $1 AND chain = $2 ORDER BY seq DESC LIMIT 1`

var errHeadless = errors.New("an entry was appended to a chain of the audit trail whose other entries are gone: run strongroom audit verify")

// KeyOf is that of [store.Keys].
func (t *tx) KeyOf(account, id string) (domain.DeviceKey, error) {
	k, err := t.Tx.KeyOf(account, id)
	if t.local && err == nil {
		t.key = k
	}
	return k, err
}
