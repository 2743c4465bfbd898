package postgres

import (
	"context"
	"errors"
	"slices"
	"sort"
	"strconv"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/store"
	"strongroom/internal/store/sqltx"
)

// On Citus, tables are distributed by account, and the trail by chain (see
// deploy/citus). Citus refuses WITH RECURSIVE, and some kinds of statements cost
// more there, so a few methods differ. A transaction that writes on two nodes needs
// a two-phase commit. So each node has chains of its own, and an entry about an
// account goes into a chain on the account's node.

// citus is what a store knows about the nodes of its database; nil: it is a plain
// PostgreSQL. It is read once: after shards were moved, some transactions write on
// two nodes until the process starts again.
type citus struct {
	shards []shard     // by their ranges of hashes
	nodes  int         // how many nodes have shards, at least 1
	names  []string    // by node
	groups []int64     // likewise: their group numbers in Citus
	direct []*endpoint // likewise; nil: the coordinator serves the node's accounts
}

// shard is where accounts and chains with hashes from least on are stored.
type shard struct {
	least int64
	node  int // from 0
}

// Statements about Citus.
const (
	sqlIsCitus = `
		SELECT count(*) FROM pg_catalog.pg_extension WHERE extname = 'citus'`

	sqlShards = `
		SELECT CAST(s.shardminvalue AS BIGINT), CAST(p.groupid AS BIGINT), n.nodename || ':' || CAST(n.nodeport AS TEXT)
		FROM pg_catalog.pg_dist_shard s JOIN pg_catalog.pg_dist_placement p ON p.shardid = s.shardid
		JOIN pg_catalog.pg_dist_node n ON n.groupid = p.groupid AND CAST(n.noderole AS TEXT) = 'primary'
		WHERE CAST(s.logicalrelid AS OID) = CAST(to_regclass('attempts') AS OID) AND s.shardminvalue IS NOT NULL
		ORDER BY 1`

	// The nodes that have accounts and whose copy of the coordinator's metadata is current.
	sqlListed = `
		SELECT n.nodename || ':' || CAST(n.nodeport AS TEXT) FROM pg_catalog.pg_dist_node n
		WHERE CAST(n.noderole AS TEXT) = 'primary' AND n.isactive AND n.hasmetadata AND n.metadatasynced AND EXISTS (
			SELECT 1 FROM pg_catalog.pg_dist_placement p JOIN pg_catalog.pg_dist_shard s ON s.shardid = p.shardid
			WHERE p.groupid = n.groupid AND CAST(s.logicalrelid AS OID) = CAST(to_regclass('attempts') AS OID))`
)

// learnCitus finds out whether the database is distributed, and how.
func learnCitus(t *tx) (*citus, error) {
	is, err := sqltx.One(t, sqltx.Row.Integer, sqlIsCitus)
	if err != nil || is == 0 {
		return nil, err
	}
	return shardsOf(t)
}

func shardsOf(t *tx) (*citus, error) {
	c := &citus{}
	var err error
	c.shards, err = sqltx.All(t, func(r sqltx.Row) shard {
		least, group, name := r.Integer(), r.Integer(), r.Text()
		n := slices.Index(c.groups, group)
		if n < 0 {
			n, c.groups, c.names = len(c.groups), append(c.groups, group), append(c.names, name)
		}
		return shard{least, n}
	}, sqlShards)
	c.nodes = max(1, len(c.groups))
	return c, err
}

const sqlHasVerdicts = `
		SELECT CAST(count(*) AS BIGINT) FROM (SELECT 1 FROM audit_verdict ORDER BY chain, seq LIMIT 1) AS v`

// wantNoPackedVerdicts refuses a distributed database with verdicts in audit_verdict,
// which is read on a plain PostgreSQL only: its trail would seem to be cut off.
func (s *Store) wantNoPackedVerdicts(ctx context.Context) error {
	return s.view(ctx, func(t *tx) error {
		if n, err := sqltx.One(t, sqltx.Row.Integer, sqlHasVerdicts); err != nil || n == 0 {
			return err
		}
		return errPackedOnCitus
	})
}

var errPackedOnCitus = errors.New("verdicts in audit_verdict are not read on Citus, and this trail has some: " +
	"distribute a new database, and move the accounts to it (docs/how-to/cells.md)")

// node is where a value of the distribution column is stored.
func (c *citus) node(value string) int {
	hash := int64(hashText(value))
	i := sort.Search(len(c.shards), func(i int) bool { return c.shards[i].least > hash })
	if i == 0 { // the tables are not distributed
		return 0
	}
	return c.shards[i-1].node
}

// ChainOf is the name of the chain of a writer of a process. On Citus it is one
// that is stored on the writer's node.
func (s *Store) ChainOf(process string, writer int) string {
	name := process + "/" + strconv.Itoa(writer)
	if s.citus == nil {
		return name
	}
	return s.citus.on(writer/cap(s.turns.free), name)
}

// on returns a name that is stored on the node: this name, perhaps with a number
// appended.
func (c *citus) on(node int, name string) string {
	for n, found := 0, name; n < mostNames; n++ {
		if c.node(found) == node {
			return found
		}
		found = name + "." + strconv.Itoa(n)
	}
	return name
}

// Distributed reports whether the database is spread over nodes.
func (s *Store) Distributed() bool { return s.citus != nil }

// DeadNodes names the nodes of Citus on which the row of an account cannot be read
// now. A database that is not distributed has none. An error means that the
// coordinator does not answer.
func (s *Store) DeadNodes(ctx context.Context) (dead []string, err error) {
	if s.citus == nil {
		return nil, nil
	}
	asked := time.Now()
	var listed []string
	err = s.view(ctx, func(t *tx) (err error) {
		if len(s.citus.direct) == 0 {
			t.Now()
			return t.alive()
		}
		listed, err = sqltx.All(t, sqltx.Row.Text, sqlListed)
		return err
	})
	if err != nil {
		return nil, err
	}
	s.noteListed(ctx, listed, asked) // before the reads: those of dead nodes take seconds
	for n, name := range s.citus.names {
		account := s.citus.on(n, "node")
		err := s.view(ctx, func(t *tx) error {
			_, err := t.Attempts(account, domain.Passcode)
			return err
		})
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil && !errors.Is(err, store.ErrNotFound) {
			dead = append(dead, name)
		}
	}
	return dead, nil
}

// mostNames is how many names ChainOf tries. Half of the names or more fail if a
// node has few shards.
const mostNames = 10_000

// near notes the account that a transaction is about: the first one that it names.
func (t *tx) near(account string) {
	if t.account == "" {
		t.account = account
	}
}

// nearby is the first number of the writers on the account's node.
func (t *tx) nearby() int {
	if t.s.citus == nil || t.account == "" {
		return 0
	}
	return t.s.citus.node(t.account) * cap(t.s.turns.free)
}

// Guarded is that of [store.AttemptCounters].
func (t *tx) Guarded(account string, ct domain.CredentialType) (*domain.Attempts, *domain.Credential, error) {
	t.near(account)
	t.local = t.s.citus != nil && t.account == account
	a, c, err := t.Tx.Guarded(account, ct)
	if t.local && a != nil {
		t.found = append(t.found, counter{account, ct})
	}
	return a, c, err
}

// ActiveKey is that of [store.Keys].
func (t *tx) ActiveKey(account, device string) (domain.DeviceKey, error) {
	t.near(account)
	return t.Tx.ActiveKey(account, device)
}

// sqlAccountOfKey is the first half of sqltx.sqlKey, which would query all shards.
const sqlAccountOfKey = `
		SELECT account_id FROM key_account WHERE tenant = $1 AND key_id = $2`

// Key is that of [store.Keys], on Citus in two round trips.
func (t *tx) Key(id string) (domain.DeviceKey, error) {
	if t.s.citus == nil {
		return t.Tx.Key(id)
	}
	final := t.final
	t.final = false
	account, err := sqltx.One(t, sqltx.Row.Text, sqlAccountOfKey, domain.Tenant, id)
	if err != nil {
		return domain.DeviceKey{}, err
	}
	t.final = final
	t.near(account)
	return t.KeyOf(account, id)
}

// sqlIsHead fails like sqlAppendNext if the newest entry of a chain does not
// have the hash $3.
const sqlIsHead = `
		SELECT 1 / count(*) FROM (
			SELECT hash FROM audit_log WHERE tenant = $1 AND chain = $2 ORDER BY seq DESC LIMIT 1) AS h
		WHERE hash = $3`

// onCitus appends an entry whose chain was not read. It uses two statements,
// which Citus plans once each. Citus would plan the parts of sqlAppendNext
// separately.
func (t *tx) onCitus(e domain.Entry) []*request {
	head := &request{sql: sqlIsHead, args: []any{domain.Tenant, e.Chain, e.Prev}}
	if t.direct() {
		t.headless = true
		head.sql, head.each = sqlNewestIs, func(sqltx.Row) { t.headless = false }
	}
	return []*request{
		head,
		{sql: sqltx.AppendEntry, args: sqltx.EntryValues(e)},
	}
}

// Chains is that of [store.Trail].
func (t *tx) Chains() ([]string, error) {
	if t.s.citus != nil {
		return t.Tx.Chains()
	}
	return t.chains()
}

// Heads is that of [store.Trail].
func (t *tx) Heads(since time.Time) ([]domain.Entry, error) {
	switch {
	case t.s.citus == nil && since.IsZero():
		return t.heads()
	case t.s.citus == nil:
		return t.headsSince(since)
	case since.IsZero():
		return t.Tx.Heads(since)
	}
	return sqltx.All(t, sqltx.ScanEntry, sqlEntryHeadsSince, domain.Tenant, domain.Micros(since))
}

// hashText is PostgreSQL's hash of a text (hash_bytes, which is Bob Jenkins's
// lookup3). Citus finds the shard by it. A wrong value would cost time only.
func hashText(s string) int32 {
	word := func(i int) uint32 {
		var w uint32
		for n := range 4 {
			if i+n < len(s) {
				w |= uint32(s[i+n]) << (8 * n)
			}
		}
		return w
	}
	rot := func(x uint32, k int) uint32 { return x<<k | x>>(32-k) }
	a := 0x9e3779b9 + uint32(len(s)) + 3923095 //nolint:gosec // G115: a hash
	b, c := a, a
	i := 0
	for ; len(s)-i >= 12; i += 12 {
		a, b, c = a+word(i), b+word(i+4), c+word(i+8)
		for n, k := range [6]int{4, 6, 8, 16, 19, 4} {
			switch n % 3 {
			case 0:
				a = (a - c) ^ rot(c, k)
				c += b
			case 1:
				b = (b - a) ^ rot(a, k)
				a += c
			default:
				c = (c - b) ^ rot(b, k)
				b += a
			}
		}
	}
	a, b, c = a+word(i), b+word(i+4), c+word(i+8)<<8 // the lowest byte is for the length
	for n, k := range [7]int{14, 11, 25, 16, 4, 14, 24} {
		switch n % 3 {
		case 0:
			c = (c ^ b) - rot(b, k)
		case 1:
			a = (a ^ c) - rot(c, k)
		default:
			b = (b ^ a) - rot(a, k)
		}
	}
	return int32(c) //nolint:gosec // G115: a hash
}
