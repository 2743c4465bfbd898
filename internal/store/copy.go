package store

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"strongroom/internal/domain"
)

// A copy from one engine to another copies rows unchanged, with one exception. SQLite can
// store only the modulus of a public key, and then the copy gets the whole key. Sealed
// values stay sealed: associated data names no table and no engine.

// Kind is what a column holds.
type Kind int

// The kinds of columns, and how a [Row] holds them.
const (
	Text    Kind = iota // its bytes: UTF-8 without NUL
	Bytes               // as they are
	Integer             // eight bytes, big-endian two's complement
	Flag                // one byte, 0 or 1
	Small               // an integer in four bytes
)

// Column is one column of a table, of the same name in every engine.
type Column struct {
	Name string
	Kind Kind
}

// Table is one table, the same in every engine.
type Table struct {
	Name    string
	Columns []Column
	Keys    int // how many of the first columns are the primary key, in this order
}

// Key is the columns of the primary key.
func (t Table) Key() []Column { return t.Columns[:t.Keys] }

// Tables are all tables, in an order in which they can be filled. The settings
// come last: without them there is no keyset, so a partial copy cannot be taken
// for a whole store.
var Tables = []Table{
	table("account", text("tenant", "id"),
		text("mode", "issuer", "subject"), integers("created_at")),
	table("device_key", text("tenant", "account_id", "id"),
		text("device_id", "state", "algorithm", "app_version", "jkt"),
		integers("version", "bits", "created_at", "expires_at", "ended_at", "grace_until"),
		blobs("mac", "public_key", "sealed")),
	table("key_account", text("tenant", "key_id"),
		text("account_id")),
	table("key_generation", slices.Concat(text("tenant"), blobs("device")),
		integers("count", "reset_at")),
	table("key_use", text("tenant", "account_id", "key_id"), integers("used_at")),
	table("receipt", slices.Concat(text("tenant"), blobs("key")),
		text("request_id"), integers("done_at"), blobs("digest")),
	table("ciphertext", slices.Concat(text("tenant", "account_id", "key_id"), blobs("digest"))),
	table("ciphertext_chunk", slices.Concat(text("tenant", "account_id", "key_id"), integers("chunk")), blobs("digests")),
	table("credential", text("tenant", "account_id", "type"),
		text("id"), integers("version", "created_at", "updated_at"), blobs("sealed")),
	table("credential_previous", slices.Concat(text("tenant", "account_id", "type"), integers("version")),
		text("id"), integers("created_at", "updated_at"), blobs("sealed")),
	table("attempts", text("tenant", "account_id", "type"),
		text("id", "recent", "pending", "verified_by", "devices"),
		integers("version", "failures", "locked_until", "verified_at", "locked_to"), flags("permanent"), blobs("mac")),
	table("audit_log", slices.Concat(text("tenant", "chain"), integers("seq")),
		text("request_id", "actor", "event", "outcome", "operation", "key_id", "record", "reason"),
		integers("time", "count", "duration", "version"), flags("failed"),
		blobs("account", "device", "before", "digest", "prev", "hash")),
	table("audit_chain", text("tenant", "name"), smalls("number", "form")),
	table("audit_verdict", smalls("chain", "seq"), smalls("second", "micros", "account"), blobs("data", "hash")),
	table("outbox", outboxKey, outboxEvent, integers("time"), blobs("data", "mac")),
	table("outbox_lane", text("tenant", "account_id"), integers("last_seq")),
	table("outbox_dead", outboxKey, outboxEvent, text("reason"), integers("time", "dead_at"), blobs("data", "mac")),
	table("signing_key", slices.Concat(text("tenant"), integers("number")),
		text("id", "algorithm"), integers("version", "created_at", "active_from", "erased_at"), blobs("mac", "public_key", "sealed")),
	table("redemption", text("tenant", "id"), integers("expires_at")),
	table("bucket", slices.Concat(text("tenant"), integers("width", "start"), text("instance")),
		integers("operations", "failures", "duration"), blobs("devices", "durations")),
	table("setting", text("tenant", "name"), blobs("value")),
}

var (
	outboxKey   = slices.Concat(text("tenant", "account_id"), integers("seq"))
	outboxEvent = text("id", "event")
)

func table(name string, key []Column, rest ...[]Column) Table {
	return Table{name, slices.Concat(append([][]Column{key}, rest...)...), len(key)}
}

func text(names ...string) []Column     { return columns(Text, names) }
func blobs(names ...string) []Column    { return columns(Bytes, names) }
func integers(names ...string) []Column { return columns(Integer, names) }
func smalls(names ...string) []Column   { return columns(Small, names) }
func flags(names ...string) []Column    { return columns(Flag, names) }

func columns(kind Kind, names []string) []Column {
	all := make([]Column, len(names))
	for i, name := range names {
		all[i] = Column{name, kind}
	}
	return all
}

// Row is a row of a [Table]: a value for each column, or only for those of the
// primary key, in the form of its [Kind]. A value of another form is one that the
// engine holds although the table does not allow it.
type Row [][]byte

// Value is the i-th value as an argument of a statement: a string, []byte, int64
// or bool.
func (t Table) Value(r Row, i int) any {
	switch v := r[i]; t.Columns[i].Kind {
	case Text:
		return string(v)
	case Integer:
		return int64(binary.BigEndian.Uint64(v)) //nolint:gosec // G115: two's complement is the form
	case Small:
		return int64(int32(binary.BigEndian.Uint32(v))) //nolint:gosec // G115: as above
	case Flag:
		return v[0] != 0
	default:
		return v
	}
}

// Values are the values of the primary key, as [Table.Value] gives them.
func (t Table) Values(key Row) []any {
	values := make([]any, len(key))
	for i := range key {
		values[i] = t.Value(key, i)
	}
	return values
}

// check refuses a row that some engine cannot hold.
func (t Table) check(r Row) error {
	for i, c := range t.Columns {
		what := ""
		switch {
		case c.Kind == Text && !utf8.Valid(r[i]):
			what = "text that is not UTF-8"
		case c.Kind == Text && bytes.IndexByte(r[i], 0) >= 0:
			what = "text with a NUL in it"
		case c.Kind == Flag && (len(r[i]) != 1 || r[i][0] > 1):
			what = "a flag that is neither 0 nor 1"
		case c.Kind == Integer && len(r[i]) != 8, c.Kind == Small && len(r[i]) != 4:
			what = "what is not an integer"
		}
		if what != "" {
			return fmt.Errorf("table %s, row %s: column %s holds %s, which strongroom never writes: find out who did",
				t.Name, t.name(r), c.Name, what)
		}
	}
	return nil
}

// name names a row by its key, safely for a terminal.
func (t Table) name(r Row) string {
	var parts []string
	for i, c := range t.Key() {
		switch c.Kind {
		case Text:
			parts = append(parts, strconv.QuoteToASCII(string(r[i])))
		case Integer, Small:
			parts = append(parts, fmt.Sprint(t.Value(r, i)))
		default:
			parts = append(parts, hex.EncodeToString(r[i]))
		}
	}
	return "(" + strings.Join(parts, ", ") + ")"
}

// rowReader is either side of a copy.
type rowReader interface {
	// EachRow calls fn for every row of a table whose key comes after the given
	// one (nil: for every row), in order of the primary key, until fn fails.
	// Texts and bytes compare byte by byte. The row is valid until fn returns; fn
	// must not use this side.
	EachRow(ctx context.Context, t Table, after Row, fn func(Row) error) error
}

// CopySource is a store that is read whole. No other process writes to it
// meanwhile. It is not safe for concurrent use.
type CopySource interface {
	rowReader
	// Setting is that of [Settings], and LastEntry that of [Trail].
	Setting(name string) ([]byte, error)
	LastEntry(chain string) (domain.Entry, error)
}

// CopyTarget is a store that a copy is made into.
type CopyTarget interface {
	rowReader
	// Update is that of [Store].
	Update(ctx context.Context, fn func(Tx) error) error
	// AddRows adds rows to a table and changes the setting [CopyMark] from was to
	// is, or removes it if is is nil, in one transaction. It fails with
	// ErrConflict if the setting is not was.
	AddRows(ctx context.Context, t Table, rows []Row, was, is []byte) error
}

// CopyMark is the name of a setting. A store has it while a copy into it is not
// finished. Such a store must not be used.
const CopyMark = "copy"

// CheckCopied refuses a store with an unfinished copy.
func CheckCopied(s interface {
	Setting(name string) ([]byte, error)
}) error {
	_, err := s.Setting(CopyMark)
	switch {
	case errors.Is(err, ErrNotFound):
		return nil
	case err == nil:
		return errors.New("this database holds a copy that is not finished: run the same strongroom copy again, which continues where it stopped; " +
			"if strongroom restore was interrupted, drop it, create it again, and restore again")
	}
	return err
}

// The service's names of the settings that identify a store.
const (
	settingKeyset = "keyset"
	// HomeSetting holds the name of the first chain of the trail.
	HomeSetting = "audit_chain"
)

// CopyProgress reports on a table: once when it begins, after each page, and
// once when it is done.
type CopyProgress struct {
	Table     string
	Comparing bool  // false: it is being copied
	Rows      int64 // in the target, or compared so far
	New       int64 // of Rows, those that this run copied or compared
	Done      bool
}

// TableDigest describes a table's content, equal on both sides.
type TableDigest struct {
	Table  string
	Rows   int64
	SHA256 [sha256.Size]byte // over all rows in order of their keys, see digest
}

// Copy copies every table from one store into another, page by page, and then
// reads both whole and compares them. The target must be empty, or hold an
// interrupted copy of the same source, which Copy then continues. Until both
// sides were found equal, the target has a mark (see [CheckCopied]).
func Copy(ctx context.Context, from CopySource, to CopyTarget, progress func(CopyProgress)) ([]TableDigest, error) {
	c := copying{from: from, to: to, progress: progress}
	if err := c.begin(ctx); err != nil {
		return nil, err
	}
	for _, t := range Tables {
		if err := c.table(ctx, t); err != nil {
			return nil, err
		}
	}
	var all []TableDigest
	for _, t := range Tables {
		d, err := c.compare(ctx, t)
		if err != nil {
			return nil, err
		}
		all = append(all, d)
	}
	return all, c.add(ctx, Tables[0], nil, nil)
}

type copying struct {
	from     CopySource
	to       CopyTarget
	progress func(CopyProgress)
	mark     copyMark
	stored   []byte // the mark that the target has
}

// copyMark is the value of [CopyMark], as JSON.
type copyMark struct {
	Chain  string                `json:"chain"` // the first chain of the source, which identifies the source
	Seq    int64                 `json:"seq"`   // of the last entry of that chain: the source must not be used between two runs
	Hash   []byte                `json:"hash"`
	Tables map[string]copiedRows `json:"tables"`
}

type copiedRows struct {
	Rows int64 `json:"rows"`
	Last Row   `json:"last"` // the key of the last one
}

// begin marks the target, or finds the mark of an interrupted copy in it.
func (c *copying) begin(ctx context.Context) error {
	fresh, err := c.newMark()
	if err != nil {
		return err
	}
	value, err := json.Marshal(fresh)
	if err != nil {
		return err
	}
	err = c.to.Update(ctx, func(tx Tx) error {
		c.stored, err = tx.Setting(CopyMark)
		if !errors.Is(err, ErrNotFound) {
			return err
		}
		if err := wantEmpty(tx, fresh.Chain); err != nil {
			return err
		}
		c.stored = value
		return tx.PutSetting(CopyMark, value)
	})
	if err != nil {
		return err
	}
	if err := json.Unmarshal(c.stored, &c.mark); err != nil {
		return errors.New("the mark of an interrupted copy in the target cannot be read: " + beginAnew)
	}
	if c.mark.Tables == nil {
		c.mark.Tables = map[string]copiedRows{}
	}
	switch {
	case c.mark.Chain != fresh.Chain:
		return errors.New("the target holds an interrupted copy of another database: " + beginAnew)
	case c.mark.Seq != fresh.Seq || !bytes.Equal(c.mark.Hash, fresh.Hash):
		return errors.New("the source was used since the copy was interrupted: " + beginAnew)
	}
	return nil
}

const beginAnew = "empty the target (drop its database and create it again), then begin anew"

func (c *copying) newMark() (copyMark, error) {
	chain, err := c.from.Setting(HomeSetting)
	if errors.Is(err, ErrNotFound) {
		return copyMark{}, errors.New("the source is empty: there is nothing to copy")
	}
	if err != nil {
		return copyMark{}, err
	}
	head, err := c.from.LastEntry(string(chain))
	if err != nil {
		return copyMark{}, fmt.Errorf("reading the head of the source's audit trail: %v", err)
	}
	return copyMark{string(chain), head.Seq, head.Hash, map[string]copiedRows{}}, nil
}

// wantEmpty refuses a target that is in use. It reads what the first start on a
// store writes. So if a copy and a first start run at the same time, only one
// of them succeeds.
func wantEmpty(tx Tx, chain string) error {
	_, err := tx.Setting(settingKeyset)
	if err == nil {
		if theirs, err := tx.Setting(HomeSetting); err == nil && string(theirs) == chain {
			return errors.New("the target holds a finished copy of this database already: nothing was changed")
		}
		return errors.New("the target is a database in use: copy goes into an empty one only")
	}
	if !errors.Is(err, ErrNotFound) {
		return err
	}
	chains, err := tx.Chains()
	if err == nil && len(chains) > 0 {
		err = errors.New("the target holds an audit trail without a keyset: copy goes into an empty database only")
	}
	return err
}

// pageBytes is about how many bytes one transaction writes to the target.
const pageBytes = 1 << 20

// table copies the rows of one table that the target lacks.
func (c *copying) table(ctx context.Context, t Table) error {
	var page []Row
	size, earlier := 0, c.mark.Tables[t.Name].Rows
	flush := func(done bool) error {
		if len(page) > 0 {
			is, err := c.mark.after(t, page)
			if err != nil {
				return err
			}
			if err := c.add(ctx, t, page, is); err != nil {
				return err
			}
		}
		page, size = page[:0], 0
		rows := c.mark.Tables[t.Name].Rows
		c.progress(CopyProgress{Table: t.Name, Rows: rows, New: rows - earlier, Done: done})
		return nil
	}
	c.progress(CopyProgress{Table: t.Name, Rows: earlier})
	err := c.from.EachRow(ctx, t, c.mark.Tables[t.Name].Last, func(r Row) error {
		if err := t.check(r); err != nil {
			return err
		}
		if isMark(t, r) {
			return nil
		}
		r = r.clone()
		page, size = append(page, r), size+r.size()
		if size < pageBytes {
			return nil
		}
		return flush(false)
	})
	if err != nil {
		return err
	}
	return flush(true)
}

// after is the mark after a page is in the target.
func (m *copyMark) after(t Table, page []Row) ([]byte, error) {
	m.Tables[t.Name] = copiedRows{m.Tables[t.Name].Rows + int64(len(page)), page[len(page)-1][:t.Keys]}
	return json.Marshal(m)
}

func (c *copying) add(ctx context.Context, t Table, page []Row, is []byte) error {
	err := c.to.AddRows(ctx, t, page, c.stored, is)
	switch {
	case errors.Is(err, ErrConflict):
		return errors.New("somebody else writes to the target: another copy, perhaps")
	case err != nil && len(page) > 0:
		return fmt.Errorf("table %s, %d rows from %s: %w", t.Name, len(page), t.name(page[0]), err)
	case err != nil:
		return err
	}
	c.stored = is
	return nil
}

// compare reads a table on both sides, at the same time.
func (c *copying) compare(ctx context.Context, t Table) (TableDigest, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	report := func(rows int64) { c.progress(CopyProgress{Table: t.Name, Comparing: true, Rows: rows, New: rows}) }
	report(0)
	var theirs TableDigest
	failed := make(chan error, 1)
	go func() {
		var err error
		if theirs, err = digest(ctx, t, c.to, func(int64) {}); err != nil {
			cancel()
		}
		failed <- err
	}()
	ours, err := digest(ctx, t, c.from, report)
	if err != nil {
		cancel()
	}
	if failure := <-failed; err == nil || errors.Is(err, context.Canceled) {
		err = cmp.Or(failure, err)
	}
	if err != nil {
		return ours, err
	}
	if ours != theirs {
		return ours, fmt.Errorf("table %s differs: %d rows with SHA-256 %x in the source, %d with %x in the target; somebody else wrote to one of them: %s",
			t.Name, ours.Rows, ours.SHA256, theirs.Rows, theirs.SHA256, beginAnew)
	}
	c.progress(CopyProgress{Table: t.Name, Comparing: true, Rows: ours.Rows, New: ours.Rows, Done: true})
	return ours, nil
}

// compareReport is the number of rows between two reports of a comparison.
const compareReport = 10_000

// digest hashes the values of all rows, each after its length in four bytes. All
// rows of a table have the same number of values, so different tables never hash
// the same bytes.
func digest(ctx context.Context, t Table, side rowReader, report func(rows int64)) (TableDigest, error) {
	d, h := TableDigest{Table: t.Name}, sha256.New()
	var buf []byte
	err := side.EachRow(ctx, t, nil, func(r Row) error {
		if isMark(t, r) {
			return nil
		}
		if d.Rows++; d.Rows%compareReport == 0 {
			report(d.Rows)
		}
		buf = hashRow(h, buf, r)
		return ctx.Err()
	})
	h.Sum(d.SHA256[:0])
	return d, err
}

func hashRow(h hash.Hash, buf []byte, r Row) []byte {
	buf = buf[:0]
	for _, v := range r {
		buf = binary.BigEndian.AppendUint32(buf, uint32(len(v))) //nolint:gosec // G115: no engine holds a longer value
		buf = append(buf, v...)
	}
	_, _ = h.Write(buf) // never fails
	return buf
}

// isMark reports whether a row is the mark, which is not part of the copy.
func isMark(t Table, r Row) bool {
	return t.Name == Tables[len(Tables)-1].Name && string(r[t.Keys-1]) == CopyMark
}

func (r Row) size() (n int) {
	for _, v := range r {
		n += len(v)
	}
	return n
}

func (r Row) clone() Row {
	all, one := make(Row, len(r)), make([]byte, 0, r.size())
	for i, v := range r {
		start := len(one)
		one = append(one, v...)
		all[i] = one[start:len(one):len(one)]
	}
	return all
}
