package postgres

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/store"
	"strongroom/internal/store/sqltx"
)

// audit_verdict is partitioned by the numbers of the chains. In each month, chains get
// numbers from a new range. So a partition contains the verdicts of the processes that
// began in one month, and a prune drops it whole. If the table were partitioned by time,
// it could have no unique key over chain and seq, and the newest verdict of a chain could
// be in any partition.
//
// The first partition is the table of version 0.9.0, with the chains that began before
// there were partitions. It always exists, because copied databases can have such chains
// too.

const (
	// numbersOfMonth is how many numbers a month has. Months are counted from January
	// 2000, so the numbers last until 2170.
	numbersOfMonth = 1 << 20

	// firstMonth has the lowest numbers outside the first partition. It is January 2025,
	// before there were partitions. No chain had so high a number then.
	firstMonth     = 25 * 12
	firstPartition = "audit_verdict_before"
)

// partition is a partition of audit_verdict. The first one has the month 0.
type partition struct{ month int64 }

func partitionOf(number int64) partition {
	if month := number / numbersOfMonth; month >= firstMonth {
		return partition{month}
	}
	return partition{}
}

func (p partition) name() string {
	if p.month < firstMonth {
		return firstPartition
	}
	return fmt.Sprintf("audit_verdict_%d_%02d", 2000+p.month/12, 1+p.month%12)
}

var partitionName = regexp.MustCompile(`^audit_verdict_(2\d\d\d)_(0[1-9]|1[0-2])$`)

// partitionNamed is the inverse of name. Operators may have attached partitions with
// other names, which Strongroom does not drop.
func partitionNamed(name string) (p partition, is bool) {
	if found := partitionName.FindStringSubmatch(name); found != nil {
		year, _ := strconv.ParseInt(found[1], 10, 64)
		month, _ := strconv.ParseInt(found[2], 10, 64)
		p.month = (year-2000)*12 + month - 1
	}
	return p, p.name() == name
}

// numbers returns the bounds of its chains' numbers: at least least, and less than end.
func (p partition) numbers() (least, end int64) {
	if p.month < firstMonth {
		return 0, firstMonth * numbersOfMonth
	}
	return p.month * numbersOfMonth, (p.month + 1) * numbersOfMonth
}

const (
	// Whether the table has partitions, which only PostgreSQL has, and whether the
	// partition $1 exists.
	sqlHasPartition = `
		SELECT c.relkind = 'p', EXISTS (SELECT 1 FROM pg_catalog.pg_class p WHERE p.relnamespace = c.relnamespace AND p.relname = $1)
		FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
		WHERE n.nspname = current_schema() AND c.relname = 'audit_verdict'`

	// Only one transaction at a time creates a partition.
	sqlLockPartitions = `
		SELECT CAST(pg_advisory_xact_lock(CAST(7031990 AS BIGINT)) AS TEXT)`

	// Whether the partition $1 exists now. A query of the catalog would say whether it
	// existed when the transaction took its snapshot.
	sqlPartitionIsMade = `
		SELECT to_regclass(quote_ident(CAST(current_schema() AS TEXT)) || '.' || $1) IS NOT NULL`

	// The schema of the table. Another one in the search path may have partitions of the
	// same names.
	sqlSchema = `
		SELECT quote_ident(CAST(current_schema() AS TEXT))`

	sqlPartitions = `
		SELECT CAST(p.relname AS TEXT) FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
			JOIN pg_catalog.pg_inherits i ON i.inhparent = c.oid JOIN pg_catalog.pg_class p ON p.oid = i.inhrelid
		WHERE n.nspname = current_schema() AND c.relname = 'audit_verdict'`

	sqlNewestNumber = `
		SELECT CAST(n.number AS BIGINT) FROM audit_chain n WHERE n.tenant = $1 ORDER BY n.number DESC LIMIT 1`

	sqlChainsOfPartition = `
		SELECT name FROM audit_chain WHERE tenant = $1 AND number >= $2 AND number < $3 ORDER BY number`

	// The newest verdict of each chain of a partition.
	sqlNewestOfPartition = `
		SELECT ` + sqltx.VerdictColumns + ` FROM (
			SELECT tenant, name, number FROM audit_chain WHERE tenant = $1 AND number >= $2 AND number < $3) AS c` + newestVerdict

	// The first chain keeps its row, which has the form of verdicts.
	sqlForgetChains = `
		DELETE FROM audit_chain WHERE tenant = $1 AND number >= $2 AND number < $3 AND name <> $4`

	// Transactions of other sessions that began more than $1 µs before this one. It does not
	// find those of other users. If they use the table, the lock of the drop waits for them:
	// pg_dump locks all tables when it begins.
	sqlRunSince = `
		SELECT count(*) FROM pg_catalog.pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
			AND xact_start < now() - CAST($1 AS DOUBLE PRECISION) * INTERVAL '1 microsecond'`

	sqlLockTimeout = `SELECT set_config('lock_timeout', $1, true)`
)

// leastNumber returns the least number that a chain may get now. It creates the partition
// for it if there is none.
func (t *tx) leastNumber() (int64, error) {
	t.numbers = true
	p := monthOf(t.earlierNow())
	if p.month < firstMonth {
		return 1, t.err
	}
	least, _ := p.numbers()
	if t.month == p.month {
		return least, nil
	}
	are, err := t.makePartition(p)
	if err != nil || !are {
		return 1, err
	}
	t.month = p.month
	return least, nil
}

// earlierNow is the earlier one of the clocks of the store and of this machine. The next
// chain gets a number after the highest one. So if one chain began under a clock that is
// years ahead, all later chains would be in its partition until then.
func (t *tx) earlierNow() time.Time {
	now := t.Now()
	if machine := time.Now(); t.s.now == nil && machine.Before(now) {
		return machine
	}
	return now
}

func monthOf(now time.Time) partition {
	now = now.UTC()
	return partition{int64(now.Year()-2000)*12 + int64(now.Month()) - 1}
}

// makePartition creates a partition if it does not exist. It reports false on an engine
// whose table has no partitions.
//
// It creates a table and attaches it. CREATE TABLE ... PARTITION OF would wait for every
// transaction that uses audit_verdict, and make all later ones wait.
func (t *tx) makePartition(p partition) (are bool, err error) {
	exists := false
	err = t.Query(func(r sqltx.Row) {
		are, _ = r.Flag()
		exists, _ = r.Flag()
	}, sqlHasPartition, p.name())
	if err != nil || exists || !are {
		return are, err
	}
	if err := t.Query(func(sqltx.Row) {}, sqlLockPartitions); err != nil {
		return false, err
	}
	exists, err = sqltx.One(t, sqltx.IsTrue, sqlPartitionIsMade, p.name())
	if err != nil || exists {
		return true, err
	}
	least, end := p.numbers()
	for _, statement := range []string{
		fmt.Sprintf("CREATE TABLE %s (LIKE audit_verdict)", p.name()),
		fmt.Sprintf("ALTER TABLE audit_verdict ATTACH PARTITION %s FOR VALUES FROM (%d) TO (%d)", p.name(), least, end),
	} {
		if _, err := t.Exec(statement); err != nil {
			return false, err
		}
	}
	return true, nil
}

// makePartitions creates the partitions for rows that are about to be copied, also those
// for chains without verdicts: the next chain may get the number after theirs.
func (t *tx) makePartitions(table store.Table, rows []store.Row) error {
	column, is := numberColumns[table.Name]
	if !is {
		return nil
	}
	made := map[partition]bool{{}: true}
	for _, row := range rows {
		p := partitionOf(int64(int32(binary.BigEndian.Uint32(row[column])))) //nolint:gosec // G115: it is a signed number
		if made[p] {
			continue
		}
		if _, err := t.makePartition(p); err != nil {
			return err
		}
		made[p] = true
	}
	return nil
}

// numberColumns are the columns with numbers of chains.
var numberColumns = map[string]int{"audit_chain": 2, "audit_verdict": 0}

// Partitions is that of [store.Trail].
func (t *tx) Partitions() (all []store.Partition, err error) {
	names, err := sqltx.All(t, sqltx.Row.Text, sqlPartitions)
	if err != nil || len(names) == 0 {
		return nil, err
	}
	newest, err := sqltx.All(t, sqltx.Row.Integer, sqlNewestNumber, domain.Tenant)
	if err != nil || len(newest) == 0 {
		return nil, err
	}
	if p := partitionOf(newest[0]); p.month > monthOf(t.earlierNow().AddDate(0, 0, 1)).month { // a day: clocks differ a little
		t.s.log.Warn("a process started while the clocks were ahead: until that month, retention deletes the verdicts of all later processes one by one", "partition", p.name())
	}
	slices.Sort(names)
	if i := slices.Index(names, firstPartition); i > 0 {
		names = slices.Insert(slices.Delete(names, i, i+1), 0, firstPartition)
	}
	for _, name := range names {
		p, is := partitionNamed(name)
		least, end := p.numbers()
		if !is || newest[0] < end { // version 0.9.0 gives its next chain the number after the newest
			continue
		}
		chains, err := sqltx.All(t, sqltx.Row.Text, sqlChainsOfPartition, domain.Tenant, least, end)
		if err != nil {
			return nil, err
		}
		all = append(all, store.Partition{Name: name, Chains: chains})
	}
	return all, nil
}

// dropWait is how long a drop waits for the transactions that use the table. All later ones
// wait meanwhile.
const dropWait = 200 * time.Millisecond

// MoveNext is that of [store.Trail]. It is not done together with the drop: a transaction
// with an older snapshot sees a dropped partition as empty, but not the rows that were
// written with the drop.
func (t *tx) MoveNext(of store.Partition, upTo map[string]int64) (bool, error) {
	p, is := partitionNamed(of.Name)
	if !is {
		return false, nil
	}
	newest, err := t.newestOf(p)
	if err != nil || len(newest) == 0 && p.month < firstMonth {
		return false, err
	}
	for _, e := range newest {
		if last, known := upTo[e.Chain]; !known || e.Seq > last+1 {
			return false, nil
		}
	}
	for _, e := range newest {
		if e.Seq <= upTo[e.Chain] {
			continue
		}
		if err := sqltx.MoveVerdict(t, e); err != nil {
			return false, err
		}
	}
	return true, nil
}

// newestOf returns the newest verdict of each chain of a partition.
func (t *tx) newestOf(p partition) (newest []domain.Entry, err error) {
	least, end := p.numbers()
	err = t.Query(func(r sqltx.Row) { newest = append(newest, sqltx.ScanVerdict(r)) }, sqlNewestOfPartition, domain.Tenant, least, end)
	return newest, err
}

// DropPartition is that of [store.Trail].
func (t *tx) DropPartition(gone store.Partition, upTo map[string]int64, moved time.Duration) (bool, error) {
	p, is := partitionNamed(gone.Name)
	if !is {
		return false, nil
	}
	if earlier, err := sqltx.One(t, sqltx.Row.Integer, sqlRunSince, moved.Microseconds()); err != nil || earlier > 0 {
		return false, cmp.Or[error](err, errInUse)
	}
	newest, err := t.newestOf(p)
	if err != nil {
		return false, err
	}
	for _, e := range newest {
		if last, known := upTo[e.Chain]; !known || e.Seq > last {
			return false, nil
		}
	}
	if err := t.Query(func(sqltx.Row) {}, sqlLockTimeout, dropWait.String()); err != nil {
		return false, err
	}
	if p.month < firstMonth {
		_, err = t.Exec("TRUNCATE " + firstPartition)
		return err == nil, err
	}
	schema, err := sqltx.One(t, sqltx.Row.Text, sqlSchema)
	if err != nil {
		return false, err
	}
	home, err := t.Setting(store.HomeSetting)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return false, err
	}
	least, end := p.numbers()
	if _, err = t.Exec(fmt.Sprintf("DROP TABLE IF EXISTS %s.%s", schema, p.name())); err == nil { // another prune may have dropped it
		_, err = t.Exec(sqlForgetChains, domain.Tenant, least, end, string(home))
	}
	return err == nil, err
}
