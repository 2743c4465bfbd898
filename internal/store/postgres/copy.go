package postgres

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"strconv"
	"strings"

	"strongroom/internal/domain"
	"strongroom/internal/store"
	"strongroom/internal/store/sqltx"
)

var _ store.CopyTarget = (*Store)(nil)

const (
	sqlReplaceSetting = `
		UPDATE setting SET value = $4 WHERE tenant = $1 AND name = $2 AND value = $3`

	sqlDeleteSetting = `
		DELETE FROM setting WHERE tenant = $1 AND name = $2 AND value = $3`
)

var errDuplicate = errors.New("the target already has one of them, which the copy did not write")

// AddRows is that of [store.CopyTarget]. It uses COPY, in the binary form that a
// [store.Row] already has.
func (s *Store) AddRows(ctx context.Context, t store.Table, rows []store.Row, was, is []byte) error {
	if s.citus != nil && t.Name == "audit_verdict" && len(rows) > 0 {
		return errPackedOnCitus
	}
	query, data := copyStatement(t), copyData(t, rows)
	return s.update(ctx, func(tx *tx) error {
		if err := tx.replaceMark(was, is); err != nil || len(rows) == 0 {
			return err
		}
		if err := tx.makePartitions(t, rows); err != nil {
			return err
		}
		return tx.copyFrom(query, data)
	})
}

func (t *tx) replaceMark(was, is []byte) error {
	if is == nil {
		return sqltx.ExecOne(t, sqlDeleteSetting, domain.Tenant, store.CopyMark, was)
	}
	return sqltx.ExecOne(t, sqlReplaceSetting, domain.Tenant, store.CopyMark, was, is)
}

// copyFrom runs a COPY in a transaction that has begun.
func (t *tx) copyFrom(query string, data []byte) error {
	if err := t.alive(); err != nil {
		return err
	}
	ctx, cancel := bounded(t.ctx)
	defer cancel()
	t.conn.store.stats.roundTrips.Add(1)
	t.conn.store.stats.statements.Add(1)
	_, err := t.conn.pg.CopyFrom(ctx, bytes.NewReader(data), query)
	if codeOf(err) == "23505" {
		t.err = errDuplicate
		return t.err
	}
	return t.fail(err)
}

func copyStatement(t store.Table) string {
	return strings.Join([]string{"COPY", t.Name, "(" + sqltx.ColumnNames(t.Columns) + ")", "FROM STDIN BINARY"}, " ")
}

// copyData is rows in PostgreSQL's binary COPY format: a header, each row as
// the number of its columns and each column after its length, and a trailer.
func copyData(t store.Table, rows []store.Row) []byte {
	b := append([]byte("PGCOPY\n\xff\r\n\x00"), make([]byte, 8)...) // no flags, no extension
	for _, row := range rows {
		b = binary.BigEndian.AppendUint16(b, uint16(len(t.Columns))) //nolint:gosec // G115: few
		for _, v := range row {
			b = binary.BigEndian.AppendUint32(b, uint32(len(v))) //nolint:gosec // G115: no engine holds a longer value
			b = append(b, v...)
		}
	}
	return append(b, 0xff, 0xff)
}

// copyPage is how many rows one statement reads. A statement must stay short, and
// a bucket can have 64 KiB.
const copyPage = 250

// EachRow is that of [store.CopyTarget]. It reads pages on one snapshot. Once fn has
// a row, a transaction that the server refuses does not run again: fn would see the
// row twice.
func (s *Store) EachRow(ctx context.Context, t store.Table, after store.Row, fn func(store.Row) error) error {
	return s.view(ctx, func(tx *tx) error {
		// Begun before the first page: start may send a statement twice, and fn
		// must not see a row twice.
		_ = tx.Now()
		return tx.eachRow(t, after, fn)
	})
}

// eachRow reads a table page by page.
func (t *tx) eachRow(table store.Table, after store.Row, fn func(store.Row) error) error {
	for {
		last, n, err := t.eachOfPage(table, after, fn)
		if err != nil || n < copyPage {
			return err
		}
		after = last
	}
}

// eachOfPage calls fn with the rows of one page, as they arrive, and returns
// the key of the last one and how many there were.
func (t *tx) eachOfPage(table store.Table, after store.Row, fn func(store.Row) error) (last store.Row, n int, err error) {
	each := func(r sqltx.Row) {
		values := r.(*cells).values
		n++
		t.passedOn = true
		if err == nil {
			err = fn(values)
		}
		if n == copyPage {
			for _, v := range values[:table.Keys] {
				last = append(last, bytes.Clone(v))
			}
		}
	}
	query := sqltx.SelectTable(table, after) + " LIMIT $" + strconv.Itoa(len(after)+1)
	if sending := t.Query(each, query, append(table.Values(after), copyPage)...); sending != nil {
		return nil, n, sending
	}
	return last, n, err
}
