package postgres

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"

	"strongroom/internal/store"
)

// ErrForeignSchema: someone put triggers or rules on Strongroom's tables, or functions
// or operators into its schema. No version of Strongroom has any.
var ErrForeignSchema = errors.New("database holds a trigger, rule, function or operator that strongroom did not make, in the schema of its tables: " +
	"if it belongs to another program, move it to another schema; otherwise find out who made it, drop it, and run strongroom audit verify")

var (
	errTxDone     = errors.New("transaction has ended")
	errClosed     = errors.New("store is closed")
	errBusy       = unavailable("the database is busy: every connection that this instance may use is in use (see --database-max-connections)")
	errContended  = unavailable("the database is busy: other transactions kept changing the same records, or a transaction has been open for a long time on the same server")
	errLost       = unavailable("the connection to the database was lost")
	errUnknown    = unknown("the connection to the database, or a standby's confirmation, was lost during a commit: the outcome of the commit is unknown")
	errRolledBack = errors.New("the database rolled the transaction back")
	errNames      = errors.New("the connection pooler does not keep prepared statements: remove default_query_exec_mode from the database URL")
	errPooling    = unavailable("PgBouncer allows no transactions: set pool_mode = transaction or session for this database in its configuration")
	errInUse      = unavailable("a transaction that began earlier still runs: its snapshot may contain the removed entries")
	errTableInUse = unavailable("a long transaction, for example of pg_dump or audit verify, uses a table that the migration changes: it must end first")
	errReadOnly   = unavailable("the database is read-only: it is a standby, or was made read-only")

	errForeignDatabase = errors.New("the database holds tables of another program: give strongroom a database or schema of its own")
)

// unavailable is an error after which the caller should try again.
type unavailable string

func (u unavailable) Error() string { return string(u) }

// Is makes it a [store.ErrUnavailable].
func (u unavailable) Is(target error) bool { return target == store.ErrUnavailable }

// codeOf is the SQLSTATE of an error of the server, or "" for another error.
func codeOf(err error) string {
	if refusal, ok := errors.AsType[*pgconn.PgError](err); ok {
		return refusal.Code
	}
	return ""
}

// explain returns the meaning of an error of the server or the connection, for
// the operator. It passes on nothing of the original text, which can name hosts,
// users and SQL. Errors of the caller's context are returned unchanged.
func explain(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	var refusal *pgconn.PgError
	var connecting *pgconn.ConnectError
	switch {
	case errors.As(err, &refusal) && strings.Contains(refusal.Message, "statement pooling mode"): // of PgBouncer
		return errPooling
	case errors.As(err, &refusal):
		return explainCode(refusal.Code)
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, errProtocol):
		return errProtocol
	case errors.As(err, &connecting):
		return explainConnecting(err)
	}
	return errLost
}

// explainConnecting explains a failed attempt to connect that the server did not
// refuse by an error of its own.
func explainConnecting(err error) error {
	switch text := err.Error(); {
	case strings.Contains(text, "read only connection"), strings.Contains(text, "server is in hot standby mode"):
		return errReadOnly
	case strings.Contains(text, "x509: "), strings.Contains(text, "tls: "), strings.Contains(text, "refused TLS"):
		return errors.New("the database server cannot be reached with TLS: check sslmode, sslrootcert and the server's certificate")
	}
	return unavailable("the database server cannot be reached: check that it runs, and host and port")
}

func explainCode(code string) error {
	if text, ok := codes[code]; ok {
		return text
	}
	if text, ok := codes[code[:min(2, len(code))]]; ok {
		return text
	}
	return fmt.Errorf("the database failed (SQLSTATE %s)", code)
}

// codes is the meaning of a SQLSTATE, or of a whole class of them.
var codes = map[string]error{
	"08":    errLost,
	"22012": store.ErrConflict, // see sqlAdvanceAttempts
	"22021": store.ErrNotText,
	"23505": store.ErrConflict,
	"25006": errReadOnly,
	"26000": errNames,
	"42P05": errNames,
	"25P03": unavailable("the transaction was ended: it paused for too long"),
	"25P04": unavailable("the transaction was ended: it took longer than the transaction_timeout of the server"),
	"28":    errors.New("the database server refused the user or the password: check the user, the passfile or PGPASSWORD, and the server's pg_hba.conf"),
	"2BP01": errors.New("a view or another object of the database depends on a table that strongroom drops: drop that object, or make it depend on the table audit_verdict instead"),
	"3D000": errors.New("the database does not exist: create it, owned by the user of strongroom"),
	"3F000": errors.New("the schema does not exist: create it, owned by the user of strongroom"),
	"40001": errContended,
	"40P01": errContended,
	"42501": errors.New("the user of strongroom may not do this: it must own the schema and its tables"),
	"42P01": store.ErrSchemaOutdated,
	"42703": store.ErrSchemaOutdated,
	"53":    unavailable("the database server has too few resources: its log says which"),
	"53100": unavailable("the disk of the database server is full"),
	"53200": unavailable("the database server has no memory left, or no room for locks: if its log has the hint to raise " +
		"max_pred_locks_per_transaction or max_locks_per_transaction, do that"),
	"53300": unavailable("the database server has no connection left: lower --database-max-connections, or raise its max_connections"),
	"54000": unavailable("the database server refuses this write because of one of its limits: its log says which; if its transaction ids ran out, " +
		"see docs/how-to/postgresql.md#transaction-ids-run-out"),
	"55P03": unavailable("the database is busy: a lock was waited for too long"),
	"57014": unavailable("the database is busy: a statement took too long"),
	"57P":   errLost,
	"57P01": errLost,
	"57P02": errLost,
	"57P03": unavailable("the database server is starting up or shutting down"),
	"58":    unavailable("the database server failed to read or write its disk"),
	"XX001": errors.New("the database is damaged: stop the service and restore a backup"),
	"XX002": errors.New("the database is damaged: stop the service and restore a backup"),
}

// retryable reports whether the server undid the transaction because of another
// one, so that a further run may succeed.
func retryable(err error) bool {
	return isRefusal(err) && undoes(codeOf(err))
}

// undoes reports whether a code means that another transaction was in the way.
func undoes(code string) bool { return code == "40001" || code == "40P01" }

// nodeFailed reports whether the coordinator of Citus says that a node did not
// commit. Warnings before it say why: the node refused, or did not answer.
func nodeFailed(err error) bool {
	return isRefusal(err) && codeOf(err) == "XX000"
}

// leavesOpen reports whether a refusal of COMMIT does not say that it had no effect.
// A PgBouncer may report a lost server as a refusal after it had passed on COMMIT.
// CockroachDB answers 40003 if it cannot find out whether it committed.
func leavesOpen(err error) bool {
	return connectionFailed(codeOf(err)) || codeOf(err) == "40003"
}

// unknown is the error of a commit whose outcome is unknown.
type unknown string

func (u unknown) Error() string { return string(u) }

// Is makes it a [store.ErrUnknown].
func (u unknown) Is(target error) bool { return target == store.ErrUnknown }

// isRefusal reports whether the server refused the statement and keeps the
// session, so that the statement had no effect. After FATAL the effect is
// unknown.
func isRefusal(err error) bool {
	var refusal *pgconn.PgError
	if !errors.As(err, &refusal) {
		return false
	}
	severity := refusal.SeverityUnlocalized
	if severity == "" {
		severity = refusal.Severity
	}
	return severity == "ERROR"
}

// lost reports whether the connection is gone for a reason outside the
// transaction: not because the server forbade a step, or the caller's time was
// over.
func lost(c *conn, err error) bool {
	if err == nil || c == nil || !c.pg.IsClosed() || errors.Is(err, context.DeadlineExceeded) {
		return false
	}
	code := codeOf(err)
	return code == "" || connectionFailed(code)
}

// connectionFailed reports whether a code is about the connection or a shutdown.
func connectionFailed(code string) bool {
	return strings.HasPrefix(code, "08") || strings.HasPrefix(code, "57P")
}

// badURL says why a URL was not understood, without repeating the URL.
func badURL(err error) error {
	if file, ok := errors.AsType[*fs.PathError](err); ok {
		return fmt.Errorf("the database URL names a file that cannot be used: %w", file)
	}
	return errors.New("the database URL is not understood: it must be postgres://USER@HOST:PORT/DATABASE?sslmode=verify-full, " +
		"with a passfile, service or PGPASSFILE where a password is needed")
}
