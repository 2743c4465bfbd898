package cli

import (
	"context"
	"errors"
	"io"
	"net/http"

	"golang.org/x/mod/sumdb/note"

	"strongroom/internal/audit"
	"strongroom/internal/service"
	"strongroom/internal/store"
)

// Vault is an open vault, by what the commands do with it.
type Vault struct {
	Admin   http.Handler // the admin API
	Trail   Trail
	Records Records
	Close   func() error
}

// Trail is what the audit commands do with the audit trail.
type Trail interface {
	VerifyTrail(ctx context.Context, progress func(audit.Progress)) (audit.Report, error)
	VerifyTrailHeld(ctx context.Context, file io.Reader, by note.Verifier, progress func(audit.Progress)) (audit.Report, *audit.Held, error)
	CheckArchives(report *audit.Report, files io.Reader) error
	Checkpoint(ctx context.Context, signer note.Signer) ([]byte, error)
	ExportTrail(ctx context.Context, to *audit.Export, follow bool) error
	PruneTrail(ctx context.Context, what service.Pruning) (service.Pruned, error)
}

// Records is what bench does with a database of synthetic devices.
type Records interface {
	Fill(ctx context.Context, f service.Filling, progress func(what string, done, of int64)) error
	// Filled returns how many devices Fill made.
	Filled(ctx context.Context) (devices int, err error)
}

// Schema is what migrate does with a database.
type Schema interface {
	// SchemaVersion returns the version of the schema that is there, 0 for
	// none, and the one that this binary knows.
	SchemaVersion(ctx context.Context) (have, known int64, err error)
	// Migrate brings the schema to the version that this binary knows.
	Migrate(ctx context.Context) error
	// CheckSchema refuses a schema that is not the one of its version.
	CheckSchema(ctx context.Context) error
	View(ctx context.Context, fn func(tx store.Tx) error) error
	Close() error
}

// withVault opens the vault for a command, and closes it.
func (p *Program) withVault(ctx context.Context, do func(*Vault) error) (err error) {
	s, err := p.settings()
	if err != nil {
		return err
	}
	v, err := p.OpenVault(ctx, s, p.logger(s), false)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, v.Close()) }()
	return do(v)
}
