package sqltx

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"slices"
	"strings"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/store"
)

// Nine of ten entries are verdicts, and many of their columns always have the same
// value. So they have a table of their own, audit_verdict, which takes a third of
// the bytes. It has ids in binary form, and the number of the chain in audit_chain
// instead of its name. It does not have the hash of the entry before, which is read
// from that entry. That entry is always in the store: see [Tx.DeleteEntries].

// Verdicts is how an engine uses audit_verdict.
type Verdicts struct {
	// Hidden says that the engine neither reads nor writes it.
	Hidden bool
	// Form returns the newest form that all running processes read. 0: none, so verdicts
	// are written to audit_log. The length of a verdict's hash tells which form it has.
	Form func() int64
	// Least returns the least number that a new chain may get. nil: 1.
	Least func() (int64, error)
}

const (
	// chainNumber is the number of the chain $2.
	chainNumber = `(SELECT n.number FROM audit_chain n WHERE n.tenant = $1 AND n.name = $2)`

	// headHash and ofNumber, with the number of the chain $2 between them, are the hash of
	// its newest entry.
	headHash = `(SELECT h.hash FROM (
			SELECT * FROM (SELECT l.seq, l.hash FROM audit_log l
				WHERE l.tenant = $1 AND l.chain = $2 ORDER BY l.seq DESC LIMIT 1) AS e
			UNION ALL
			SELECT * FROM (SELECT CAST(v.seq AS BIGINT) AS seq, v.hash FROM audit_verdict v
				WHERE v.chain = CAST(`
	ofNumber = ` AS BIGINT) ORDER BY v.seq DESC LIMIT 1) AS p) AS h ORDER BY h.seq DESC LIMIT 1)`

	sqlChainNumber = `
		SELECT CAST(number AS BIGINT) FROM audit_chain WHERE tenant = $1 AND name = $2`

	sqlChainForm = `
		SELECT CAST(form AS BIGINT) FROM audit_chain WHERE tenant = $1 AND name = $2`

	// ChainsOfVerdicts are chains without an entry in audit_log. Every chain begins there,
	// so they were forged.
	ChainsOfVerdicts = `
		SELECT c.name FROM audit_chain c WHERE c.tenant = $1
			AND COALESCE((SELECT v.seq FROM audit_verdict v WHERE v.chain = c.number ORDER BY v.seq DESC LIMIT 1), 0) <> 0
			AND COALESCE((SELECT 1 FROM audit_log l WHERE l.tenant = $1 AND l.chain = c.name ORDER BY l.seq DESC LIMIT 1), 0) = 0`

	// sqlNextVerdicts is one step of a walk over the numbers in audit_verdict: the first
	// from $2 on, and 1 if a chain has it. DISTINCT would read every verdict, and for EXISTS
	// PostgreSQL would read all of audit_chain.
	sqlNextVerdicts = `
		SELECT CAST(v.chain AS BIGINT), CAST(COALESCE((SELECT 1 FROM audit_chain n WHERE n.tenant = $1 AND n.number = v.chain), 0) AS BIGINT)
		FROM audit_verdict v WHERE v.chain >= CAST($2 AS BIGINT) ORDER BY v.chain LIMIT 1`

	// sqlNumberChain gives a chain the next number, which is at least $3, and the form $4. It
	// gives none if the next one would not fit.
	sqlNumberChain = `
		INSERT INTO audit_chain (tenant, name, number, form)
		SELECT $1, $2, CASE WHEN max(n.number) >= CAST($3 AS BIGINT) THEN max(n.number) + 1 ELSE CAST($3 AS BIGINT) END, CAST($4 AS BIGINT)
		FROM audit_chain n WHERE n.tenant = $1 HAVING COALESCE(max(n.number), 0) < 2147483647
		ON CONFLICT (tenant, name) DO UPDATE SET form = excluded.form`

	// The last value is the hash of the entry before. If that one is missing, it is
	// another hash, which the verdict does not fit.
	verdictValues = ` CAST(v.seq AS BIGINT), CAST(v.second AS BIGINT), CAST(v.micros AS BIGINT), CAST(v.account AS BIGINT), v.data, v.hash,
			COALESCE((SELECT p.hash FROM audit_verdict p WHERE p.chain = v.chain AND p.seq = CAST(v.seq AS BIGINT) - 1),
				(SELECT l.hash FROM audit_log l WHERE l.seq < v.seq AND l.tenant = `

	// Verdicts of the chain $2, each with the hash of the entry before.
	verdictsOfChain = `
		SELECT` + verdictValues + `$1 AND l.chain = $2 ORDER BY l.seq DESC LIMIT 1), v.hash)
		FROM audit_verdict v WHERE v.chain = ` + chainNumber

	sqlLastVerdict = verdictsOfChain + ` ORDER BY v.seq DESC LIMIT 1`

	sqlEachVerdict = verdictsOfChain + ` AND v.seq >= $3 ORDER BY v.seq LIMIT $4`

	sqlHashOfVerdict = `
		SELECT CAST(v.seq AS BIGINT), v.hash FROM audit_verdict v WHERE v.chain = ` + chainNumber + ` AND v.seq >= CAST($3 AS BIGINT)
		ORDER BY v.seq LIMIT 2`

	// AppendVerdict adds a verdict to the chain with the number $1. It fails if the chain
	// already has a verdict with this seq.
	AppendVerdict = `
		INSERT INTO audit_verdict (chain, seq, second, micros, account, data, hash)
		VALUES (CAST($1 AS BIGINT), CAST($2 AS BIGINT), $3, $4, $5, $6, $7)`

	// AppendNextVerdict adds a verdict if the newest entry of its chain is the one that it
	// follows, by its hash. The chain has the number $10.
	AppendNextVerdict = `
		INSERT INTO audit_verdict (chain, seq, second, micros, account, data, hash)
		SELECT CAST($10 AS BIGINT), CAST($3 AS BIGINT), $4, $5, $6, $7, $8 WHERE ` + headHash + `$10` + ofNumber + ` = $9`

	sqlInsertVerdict = `
		INSERT INTO audit_verdict (chain, seq, second, micros, account, data, hash)
		SELECT n.number, CAST($3 AS BIGINT), $4, $5, $6, $7, $8 FROM audit_chain n WHERE n.tenant = $1 AND n.name = $2
			AND COALESCE((SELECT l.seq FROM audit_log l WHERE l.tenant = $1 AND l.chain = $2 AND l.seq >= CAST($3 AS BIGINT)
				ORDER BY l.seq LIMIT 1) <> CAST($3 AS BIGINT), TRUE)
		ON CONFLICT (chain, seq) DO NOTHING`

	sqlDeleteVerdicts = `
		DELETE FROM audit_verdict WHERE chain = ` + chainNumber + ` AND seq >= $3 AND seq <= $4`

	// VerdictColumns are the columns that ScanVerdict reads, of a verdict v and its
	// chain c.
	VerdictColumns = `c.name,` + verdictValues + `$1 AND l.chain = c.name ORDER BY l.seq DESC LIMIT 1), v.hash)`

	// What the searches of verdicts by time have in common. The name is read for each
	// verdict, so that a planner without statistics has no other order to begin with.
	// A verdict of a chain without a name was forged.
	verdicts = `
		SELECT v.name,` + verdictValues + `$1 AND l.chain = v.name ORDER BY l.seq DESC LIMIT 1), v.hash)` + verdictsInTime
	verdictsInTime = `
		FROM (SELECT o.*, COALESCE((SELECT c.name FROM audit_chain c WHERE c.tenant = $1 AND c.number = o.chain), '') AS name
			FROM audit_verdict o WHERE o.second >= $2 AND o.second <= $4) AS v
		WHERE (v.second, v.micros) >= ($2, $3) AND (v.second, v.micros, v.name, v.seq) < ($4, $5, $6, $7)`
	newestVerdicts = ` ORDER BY v.second DESC, v.micros DESC, v.name DESC, v.seq DESC LIMIT $8`

	sqlVerdicts = verdicts + newestVerdicts

	sqlOldestVerdict = `
		SELECT CAST(v.second AS BIGINT), CAST(v.micros AS BIGINT) FROM audit_verdict v
		WHERE v.second >= $1 ORDER BY v.second, v.micros LIMIT 1`

	// Few other accounts have the same first bytes, by which the index finds the verdicts.
	sqlVerdictsOfAccount = verdicts + ` AND v.account = $9 AND substr(v.data, 33, 12) = $10` + newestVerdicts

	sqlVerdictBehind = `
		SELECT CAST(v.second AS BIGINT), CAST(v.micros AS BIGINT), v.name, CAST(v.seq AS BIGINT)` + verdictsInTime + `
		ORDER BY v.second DESC, v.micros DESC, v.name DESC, v.seq DESC LIMIT 1 OFFSET $8`

	sqlVerdictsOfRequest = verdicts + ` AND substr(v.data, 1, 16) = $9
			AND (v.second, v.micros, v.name, v.seq) >= ($10, $11, $12, $13)` + newestVerdicts
)

func (t facts) ChainNumber(chain string) (int64, error) {
	return One(t.db, Row.Integer, sqlChainNumber, domain.Tenant, chain)
}

func (t facts) ChainForm(chain string) (int64, error) {
	return One(t.db, Row.Integer, sqlChainForm, domain.Tenant, chain)
}

func (t facts) ShortVerdicts() bool {
	return !t.verdicts.Hidden && t.verdicts.Form() >= store.ShortForm
}

func (t facts) UnnamedVerdicts(limit int) (numbers []int64, err error) {
	for from := int64(math.MinInt64); len(numbers) < limit && !t.verdicts.Hidden; from++ {
		named := false
		from, err = One(t.db, func(r Row) int64 {
			number := r.Integer()
			named = r.Integer() == 1
			return number
		}, sqlNextVerdicts, domain.Tenant, from)
		if errors.Is(err, store.ErrNotFound) {
			break
		}
		if err != nil {
			return nil, err
		}
		if !named {
			numbers = append(numbers, from)
		}
		if from == math.MaxInt64 {
			break
		}
	}
	return numbers, nil
}

func (t facts) NumberChain(chain string) error {
	least := int64(1)
	if t.verdicts.Least != nil {
		var err error
		if least, err = t.verdicts.Least(); err != nil {
			return err
		}
	}
	n, err := t.db.Exec(sqlNumberChain, domain.Tenant, chain, least, store.ShortForm)
	if err != nil || n > 0 {
		return err
	}
	form, err := t.ChainForm(chain)
	if errors.Is(err, store.ErrNotFound) || err == nil && form != store.ShortForm {
		return errNoNumber
	}
	return err
}

var errNoNumber = errors.New("table audit_chain: a chain has the number 2147483647 or a greater one, so no new chain can get a number; someone edited the row: " +
	"run strongroom audit verify, which reports the chain's former number as one that no chain has, and set the row back to that number")

// ErrEditedVerdict: a verdict has bytes that Strongroom never writes.
var ErrEditedVerdict = errors.New("a verdict of the audit trail was edited: run strongroom audit verify")

// packed returns the arguments of sqlInsertVerdict if e goes to audit_verdict, or nil.
func (t facts) packed(e domain.Entry) []any {
	if t.verdicts.Hidden {
		return nil
	}
	args := VerdictValues(e)
	if args == nil || t.verdicts.Form() < 1 {
		return nil
	}
	return args
}

// VerdictValues returns the tenant, the name of the chain, and the columns of a verdict
// except the number of the chain. It returns nil if the entry belongs in audit_log.
func VerdictValues(e domain.Entry) []any {
	v, is := packVerdict(e)
	if !is {
		return nil
	}
	return []any{domain.Tenant, e.Chain, v.seq, v.second, v.micros, v.account, v.data, v.hash}
}

// insertVerdict gives the chain a number if it has none.
func (t facts) insertVerdict(chain string, args []any) error {
	n, err := t.db.Exec(sqlInsertVerdict, args...)
	if err != nil || n > 0 {
		return err
	}
	if err := t.NumberChain(chain); err != nil {
		return err
	}
	return ExecOne(t.db, sqlInsertVerdict, args...)
}

// scanVerdict reads a row of audit_verdict of a chain.
func scanVerdict(chain string, r Row) domain.Entry {
	v := verdict{r.Integer(), r.Integer(), r.Integer(), r.Integer(), r.Blob(), r.Blob()}
	return v.entry(chain, r.Blob())
}

// ScanVerdict reads a row of audit_verdict after the name of its chain.
func ScanVerdict(r Row) domain.Entry { return scanVerdict(r.Text(), r) }

// verdictRange are the first arguments of all searches of verdicts by time.
func verdictRange(from time.Time, below domain.EntryPosition, limit int) []any {
	e := entryRange(from, below, limit)
	least, micros := verdictTime(domain.Micros(from))
	top, topMicros := verdictTime(e[2].(int64))
	return []any{domain.Tenant, least, micros, top, topMicros, e[3], e[4], e[5]}
}

// verdict is an entry as audit_verdict has it.
type verdict struct {
	seq            int64
	second, micros int64 // of the time: see verdictTime
	account        int64 // the first four bytes of Account
	data           []byte
	hash           []byte
}

// Where the parts of data with a fixed size are. Statements use the first and the
// third. After them come:
//
//	size    what
//	   1    verdictKind
//	varint  Version
//	varint  Duration, µs
//	varint  Outcome, its size and the text; none if it is the usual one
//	varint  the tag of the cell in KeyID, its size and the text
//	varint  Reason, its size and the text; only with kindReason
//	varint  Before, its size and the bytes
//	  rest  Digest
const (
	atRequestID  = 0
	atKeyID      = 16
	atAccount    = 32 // from its fifth byte on
	atDevice     = 44
	atRecord     = 60
	atKind       = 76
	accountBytes = 16
	prefixBytes  = 4
)

// The bits of verdictKind: the number of the operation in verdictOperations, and
// what is set.
const (
	kindOperation = 0x0f
	kindMismatch  = 0x10 // credential.mismatch, and not credential.verified
	kindFailed    = 0x20
	kindNoDevice  = 0x40
	kindReason    = 0x80 // only of short verdicts
)

// verdictOperations never change their places.
var verdictOperations = []domain.Operation{"", domain.OpVerifyPasscode, domain.OpVerifyPIN, domain.OpAuthorize, domain.OpSetPasscode, domain.OpSetPIN}

const verdictActor = "caller"

// verdictEpoch is 2000-01-01 UTC in seconds since 1970: so seconds fit in 31 bits
// until 2068.
const verdictEpoch = 946_684_800

// verdictTime splits microseconds since 1970 into seconds since [verdictEpoch] and
// the rest.
func verdictTime(us int64) (second, micros int64) {
	second, micros = us/1_000_000, us%1_000_000
	if micros < 0 {
		second, micros = second-1, micros+1_000_000
	}
	return second - verdictEpoch, micros
}

// packVerdict converts an entry. It refuses an entry that is not a verdict, or
// that would not decode to the same entry. Such an entry belongs in audit_log.
func packVerdict(e domain.Entry) (verdict, bool) {
	v, ok := encodeVerdict(e)
	return v, ok && bytes.Equal(v.decode(e.Chain, e.Prev).Canonical(), e.Canonical())
}

func encodeVerdict(e domain.Entry) (verdict, bool) {
	second, micros := verdictTime(domain.Micros(e.Time))
	cell, key := domain.CutCell(e.KeyID)
	requestID, okRequest := domain.ParseID(e.RequestID)
	keyID, okKey := domain.ParseID(key)
	recordID, okRecord := domain.ParseID(strings.TrimPrefix(e.Record, domain.RecordAttempts+"/"))
	operation := slices.Index(verdictOperations, e.Operation)
	switch {
	case !e.Event.IsVerdict(), operation < 0,
		!okRequest, !okKey, !okRecord, len(e.Hash) == 0,
		len(e.Account) != accountBytes, len(e.Device) != accountBytes && len(e.Device) != 0,
		e.Seq < 1, e.Seq > math.MaxInt32, second < 0, second > math.MaxInt32:
		return verdict{}, false
	}
	kind := byte(operation) //nolint:gosec // G115: a small table
	if e.Event == domain.EventCredentialMismatch {
		kind |= kindMismatch
	}
	if e.Failed {
		kind |= kindFailed
	}
	device := e.Device
	if len(device) == 0 {
		kind |= kindNoDevice
		device = noDevice
	}
	outcome := e.Outcome
	if outcome == usualOutcome(e.Event) {
		outcome = ""
	}
	parts := [][]byte{[]byte(outcome), []byte(cell)}
	if e.Reason != "" && len(e.Hash) == domain.ShortHash {
		kind, parts = kind|kindReason, append(parts, []byte(e.Reason))
	}
	parts = append(parts, e.Before)
	d := slices.Concat(requestID[:], keyID[:], e.Account[prefixBytes:], device, recordID[:], []byte{kind})
	d = binary.AppendUvarint(d, uint64(e.Version))                 //nolint:gosec // G115: it must come back
	d = binary.AppendUvarint(d, uint64(e.Duration.Microseconds())) //nolint:gosec // G115: as above
	for _, part := range parts {
		d = append(binary.AppendUvarint(d, uint64(len(part))), part...)
	}
	return verdict{e.Seq, second, micros, accountPrefix(e.Account), append(d, e.Digest...), e.Hash}, true
}

// entry is the inverse of packVerdict. A row that packVerdict never makes was edited: it
// comes back without its hash, so that every check refuses it. That includes other
// encodings of the same entry: the hash covers the entry, but statements find the row by
// its columns.
func (v verdict) entry(chain string, prev []byte) domain.Entry {
	e := v.decode(chain, prev)
	again, ok := encodeVerdict(e)
	if !ok || again.seq != v.seq || again.second != v.second || again.micros != v.micros || again.account != v.account || !bytes.Equal(again.data, v.data) {
		e.Hash = nil
	}
	return e
}

// noDevice replaces an empty Device in data.
var noDevice = make([]byte, accountBytes)

func usualOutcome(e domain.Event) string {
	if e == domain.EventCredentialMismatch {
		return "mismatch"
	}
	return "ok"
}

// decode is the inverse of encodeVerdict. What encodeVerdict never makes comes back
// without its hash.
func (v verdict) decode(chain string, prev []byte) domain.Entry {
	e := domain.Entry{Chain: chain, Seq: v.seq, Time: domain.FromMicros((v.second+verdictEpoch)*1_000_000 + v.micros), Actor: verdictActor,
		Event: domain.EventCredentialVerified, Count: 1, Prev: prev}
	d := v.data
	if len(d) <= atKind || int(d[atKind]&kindOperation) >= len(verdictOperations) || v.micros >= 1_000_000 {
		return e
	}
	kind, rest := d[atKind], fields{rest: d[atKind+1:]}
	rest.bad = kind&kindNoDevice != 0 && !bytes.Equal(d[atDevice:atRecord], noDevice)
	e.RequestID, e.KeyID = domain.FormatID([16]byte(d[atRequestID:])), domain.FormatID([16]byte(d[atKeyID:]))
	e.Account = append(binary.BigEndian.AppendUint32(nil, uint32(v.account)), d[atAccount:atDevice]...) //nolint:gosec // G115: as above
	if kind&kindNoDevice == 0 {
		e.Device = slices.Clone(d[atDevice:atRecord])
	}
	e.Record = domain.RecordAttempts + "/" + domain.FormatID([16]byte(d[atRecord:]))
	if kind&kindMismatch != 0 {
		e.Event = domain.EventCredentialMismatch
	}
	e.Failed, e.Operation = kind&kindFailed != 0, verdictOperations[kind&kindOperation]
	e.Version, e.Duration = rest.number(), time.Duration(rest.number())*time.Microsecond
	if e.Outcome = string(rest.part()); e.Outcome == "" {
		e.Outcome = usualOutcome(e.Event)
	}
	e.KeyID = domain.InCell(string(rest.part()), e.KeyID)
	if kind&kindReason != 0 {
		e.Reason = string(rest.part())
	}
	e.Before, e.Digest = rest.part(), rest.last()
	if !rest.bad {
		e.Hash = v.hash
	}
	return e
}

// fields reads the parts of data that have no fixed size.
type fields struct {
	rest []byte
	bad  bool // the rest is not what encodeVerdict writes
}

// mostNumber is the longest duration in µs.
const mostNumber = math.MaxInt64 / 1000

func (f *fields) number() int64 {
	n, size := binary.Uvarint(f.rest)
	if size <= 0 || n > mostNumber {
		f.bad, f.rest = true, nil
		return 0
	}
	f.rest = f.rest[size:]
	return int64(n)
}

func (f *fields) part() []byte {
	size := f.number()
	if size > int64(len(f.rest)) {
		f.bad, f.rest = true, nil
		return nil
	}
	part := f.rest[:size]
	f.rest = f.rest[size:]
	return append([]byte(nil), part...) // an empty one is nil
}

func (f *fields) last() []byte { return append([]byte(nil), f.rest...) }

// accountPrefix is the part of a keyed hash of an account in the column account.
func accountPrefix(account []byte) int64 {
	if len(account) < prefixBytes {
		return 0
	}
	return int64(int32(binary.BigEndian.Uint32(account))) //nolint:gosec // G115: two's complement is the form
}

// VerdictSecond is a time in the column second.
func VerdictSecond(at time.Time) int64 {
	second, _ := verdictTime(domain.Micros(at))
	return second
}
