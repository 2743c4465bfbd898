package place

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgproto3"
)

// Postgres keeps a witness in a table of another PostgreSQL database. Several
// instances may share it.
type Postgres struct {
	url    string
	shown  string
	secret Secret
	turn   chan struct{} // held by the one call that uses conn
	conn   *pgx.Conn
}

// NewPostgres returns the witness in a database. Its URL must not contain a password.
// Without one, a passfile gives it.
func NewPostgres(text string, password Secret) (*Postgres, error) {
	if _, err := pgx.ParseConfig(text); err != nil {
		return nil, errors.New("the URL of the PostgreSQL database cannot be read")
	}
	shown := text
	if u, err := url.Parse(text); err == nil {
		// PGPASSWORD, or the service of PGSERVICE, may have the password of the store's
		// database. An empty password wins over both, but not over a passfile, which names
		// the server.
		own := u.Query()
		own.Set("password", "")
		u.RawQuery = own.Encode()
		text = u.String()
		u.RawQuery = ""
		shown = u.Redacted()
	}
	return &Postgres{url: text, shown: shown, secret: password, turn: make(chan struct{}, 1)}, nil
}

// String is the URL without its parameters.
func (p *Postgres) String() string { return p.shown }

// Shared is true: all instances use one database.
func (*Postgres) Shared() bool { return true }

const (
	sqlTableOfStore = `SELECT to_regclass('audit_log') IS NOT NULL`
	sqlTable        = `SELECT to_regclass('strongroom_witness') IS NOT NULL`
	sqlCreate       = `CREATE TABLE IF NOT EXISTS strongroom_witness (
	home TEXT NOT NULL, part TEXT NOT NULL, version BIGINT NOT NULL, note BYTEA NOT NULL, PRIMARY KEY (home, part))`
	sqlDurable = `SELECT set_config('synchronous_commit', 'on', true) WHERE current_setting('synchronous_commit') IN ('off', 'local')`
	sqlRead    = `SELECT note, version::text FROM strongroom_witness WHERE home = $1 AND part = $2`
	sqlInsert  = `INSERT INTO strongroom_witness (home, part, version, note) VALUES ($1, $2, 1, $3) ON CONFLICT DO NOTHING`
	sqlUpdate  = `UPDATE strongroom_witness SET version = version + 1, note = $3 WHERE home = $1 AND part = $2 AND version::text = $4`
)

// Read reads a row. Its version counts the writes.
func (p *Postgres) Read(ctx context.Context, k Key) (text []byte, version string, err error) {
	err = p.with(ctx, func(ctx context.Context, c *pgx.Conn) error {
		return c.QueryRow(ctx, sqlRead, k.Home, k.Part).Scan(&text, &version)
	})
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, "", ErrNone
	}
	return text, version, err
}

// Write writes a row, if its version is still the same.
func (p *Postgres) Write(ctx context.Context, k Key, text []byte, version string) error {
	return p.with(ctx, func(ctx context.Context, c *pgx.Conn) error {
		return pgx.BeginFunc(ctx, c, func(tx pgx.Tx) error {
			if _, err := tx.Exec(ctx, sqlDurable); err != nil {
				return err
			}
			statement, args := sqlInsert, []any{k.Home, k.Part, text}
			if version != "" {
				statement, args = sqlUpdate, append(args, version)
			}
			done, err := tx.Exec(ctx, statement, args...)
			if err == nil && done.RowsAffected() == 0 {
				err = ErrChanged
			}
			return err
		})
	})
}

const connectTimeout = 5 * time.Second

// maxMessage bounds a message of the server: a note in hexadecimal digits, as the simple
// protocol sends it, and its version. Without it, pgx takes 1 GiB.
const maxMessage = 2*maxBytes + 4<<10

// with runs fn on the connection, which it makes if there is none.
func (p *Postgres) with(ctx context.Context, fn func(context.Context, *pgx.Conn) error) (err error) {
	ctx, cancel := context.WithTimeout(ctx, connectTimeout)
	defer cancel()
	select {
	case p.turn <- struct{}{}:
	case <-ctx.Done():
		return away("the connection is in use: %w", ctx.Err())
	}
	defer func() { <-p.turn }()
	if p.conn == nil || p.conn.IsClosed() {
		if p.conn, err = p.connect(ctx); err != nil {
			return explain(err)
		}
	}
	err = explain(fn(ctx, p.conn))
	if err != nil && p.conn.IsClosed() {
		err = away("the connection to the PostgreSQL server was lost: %w", err)
	}
	if IsAway(err) {
		_ = p.conn.Close(context.WithoutCancel(ctx)) // the next call makes a new one
	}
	return err
}

func (p *Postgres) connect(ctx context.Context) (*pgx.Conn, error) {
	cfg, err := pgx.ParseConfig(p.url)
	if err != nil {
		return nil, errors.New("the URL of the PostgreSQL database cannot be read")
	}
	password, err := p.secret()
	if err != nil {
		return nil, fmt.Errorf("reading the password: %w", err)
	}
	if password != "" {
		cfg.Password = password
	}
	cfg.RuntimeParams["application_name"] = "strongroom witness"
	cfg.ConnectTimeout = connectTimeout
	cfg.BuildFrontend = func(r io.Reader, w io.Writer) *pgproto3.Frontend {
		f := pgproto3.NewFrontend(r, w)
		f.SetMaxBodyLen(maxMessage)
		return f
	}
	c, err := pgx.ConnectConfig(ctx, cfg)
	if err != nil {
		return nil, err
	}
	if err := prepare(ctx, c); err != nil {
		_ = c.Close(context.WithoutCancel(ctx)) // the reported error is the first one
		return nil, err
	}
	return c, nil
}

// prepare creates the table if there is none. It refuses the database of a store: a
// restore of it would put the witness back too.
func prepare(ctx context.Context, c *pgx.Conn) error {
	var ofStore, there bool
	if err := c.QueryRow(ctx, sqlTableOfStore).Scan(&ofStore); err != nil {
		return err
	}
	if ofStore {
		return errors.New("this is a database of Strongroom itself, and a restore of it would put the witness back too; give another database, on another server if possible")
	}
	if err := c.QueryRow(ctx, sqlTable).Scan(&there); err != nil || there {
		return err
	}
	_, err := c.Exec(ctx, sqlCreate)
	return err
}

// explain says whether an error may end by itself.
func explain(err error) error {
	var refused *pgconn.PgError
	switch {
	case err == nil, errors.Is(err, pgx.ErrNoRows), errors.Is(err, ErrChanged):
		return err
	case errors.As(err, &refused):
		switch refused.Code[:min(2, len(refused.Code))] { // a server that is not PostgreSQL may send none
		case "08", "25", "53", "57", "58", "40": // connection, read-only, resources, shutdown, disk, conflict
			return away("the PostgreSQL server answers: %s (SQLSTATE %s)", refused.Message, refused.Code)
		}
		return fmt.Errorf("the PostgreSQL server answers: %s (SQLSTATE %s)", refused.Message, refused.Code)
	}
	var connect *pgconn.ConnectError
	if errors.As(err, &connect) || errors.Is(err, context.DeadlineExceeded) || pgconn.Timeout(err) || pgconn.SafeToRetry(err) {
		return away("the PostgreSQL server cannot be reached: %s", strings.Join(strings.Fields(err.Error()), " "))
	}
	return err
}
