// Package cli has the commands of strongroom: their arguments, and the tables and
// progress that they print. A command parses, calls a use case, and prints.
//
// It does not open databases or servers itself. Package main does, for serve and for the
// other commands, in the functions of [Program].
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"time"

	"golang.org/x/mod/sumdb/note"

	"strongroom/internal/audit"
	"strongroom/internal/config"
	"strongroom/internal/domain"
	"strongroom/internal/fill"
	"strongroom/internal/ownfile"
	"strongroom/internal/server"
	"strongroom/internal/store"
	"strongroom/internal/trail"
)

// Program is what commands use besides their own arguments.
type Program struct {
	Version, Commit string
	Stdin           io.Reader
	Stdout, Stderr  io.Writer
	Terminal        bool // Stdin is a terminal, so a person can answer

	// WriteDocs writes the documentation as a web site into a directory.
	WriteDocs func(dir string) error
	// Serve runs the service until ctx is done and the requests in flight have
	// ended.
	Serve func(ctx context.Context, s *config.Settings, log *slog.Logger) error
	// CheckServe refuses settings that are valid one by one but that serve would
	// refuse. It returns the URL to which traces are sent, "" if none are.
	CheckServe func(s *config.Settings) (collector string, err error)
	// OpenVault opens the vault that the settings name. It creates a new one only
	// with begin. The caller calls [Vault.Close].
	OpenVault func(ctx context.Context, s *config.Settings, log *slog.Logger, begin bool) (*Vault, error)
	// OpenSchema opens the database that the settings name. It creates a new one
	// only with create. The caller closes it.
	OpenSchema func(ctx context.Context, s *config.Settings, create bool) (Schema, error)

	flags   config.Flags
	serving bool // the command is serve
}

// Exit codes of all commands, except audit verify, and backup verify and restore if the
// backup is the problem: these have their own codes, see [AuditIntact] and [BackupGood].
const (
	ExitOK     = 0
	ExitFailed = 1
	ExitUsage  = 2 // nothing was done; a retry fails too, until a flag or a setting is changed
)

// ExitError is an error with an exit code. If Cause is nil, nothing is printed, because
// the command has already reported the problem.
type ExitError struct {
	Code  int
	Cause error
}

func (e ExitError) Error() string { return fmt.Sprint(e.Cause) }

func (e ExitError) Unwrap() error { return e.Cause }

func usageError(text string) error { return ExitError{ExitUsage, errors.New(text)} }

// Vault is an open vault, as the commands use it.
type Vault struct {
	Admin    http.Handler // the admin API
	Trail    Trail
	Signing  SigningKeys
	RootKeys RootKeys
	DataKeys DataKeys
	Moves    Moves
	Records  Records
	Backups  Backups
	Mode     domain.Mode // of the accounts in the database
	Close    func() error
}

// Trail has the use cases of the audit commands.
type Trail interface {
	VerifyTrail(ctx context.Context, progress func(audit.Progress)) (audit.Report, error)
	VerifyTrailHeld(ctx context.Context, file io.Reader, by note.Verifier, progress func(audit.Progress)) (audit.Report, *audit.Held, error)
	CheckArchives(report *audit.Report, files io.Reader) error
	Checkpoint(ctx context.Context, signer note.Signer) ([]byte, error)
	ExportTrail(ctx context.Context, to *audit.Export, follow bool) error
	PruneTrail(ctx context.Context, what trail.Pruning) (trail.Pruned, error)
}

// Records has the use cases of bench: a database of synthetic devices.
type Records interface {
	Fill(ctx context.Context, f fill.Amounts, progress func(what string, done, of int64)) error
	// Filled returns how many devices Fill made.
	Filled(ctx context.Context) (devices int, err error)
}

// Backups has the use cases of the backup and restore commands.
type Backups interface {
	// NoteVerified records that a backup of the store home, whose trail ends with these
	// heads, was verified at the time now.
	NoteVerified(ctx context.Context, home string, heads []audit.Head, now time.Time) error
	// Replay applies the newer entries in exports and archives of the trail to a restored
	// database. It fails before any change if they do not continue the backup's trail.
	Replay(ctx context.Context, files []io.Reader, act domain.Act) (domain.Replayed, error)
	// DeclareRestore begins a new epoch of the restored store, and records why.
	DeclareRestore(ctx context.Context, what domain.Restore, act domain.Act) (domain.Restore, error)
	// WitnessState returns the state of the witness, for which a restore is declared.
	WitnessState(ctx context.Context) domain.WitnessState
	// EndedKeys returns which keys have ended, as far as the witness knows.
	EndedKeys(ctx context.Context) domain.EndedKeys
}

// Schema is a database, as migrate uses it.
type Schema interface {
	// SchemaVersion returns the version of the schema in the database, 0 for
	// none, and the newest version that this binary knows.
	SchemaVersion(ctx context.Context) (have, known int64, err error)
	// Migrate brings the schema to the version that this binary knows.
	Migrate(ctx context.Context) error
	// CheckSchema fails if the schema differs from what its version number says.
	CheckSchema(ctx context.Context) error
	View(ctx context.Context, fn func(tx store.Tx) error) error
	Close() error
}

// codeOf returns the exit code of an error.
func codeOf(err error) int {
	var own ExitError
	var problems config.Problems
	var setting *domain.SettingError
	switch {
	case errors.As(err, &own):
		return own.Code
	case errors.As(err, &problems), errors.As(err, &setting):
		return ExitUsage
	}
	return ExitFailed
}

// settings returns the settings from flags, environment and file, for a command that
// only opens the database.
func (p *Program) settings() (*config.Settings, error) {
	s, err := config.LoadStore(p.flags, os.Environ())
	if err == nil {
		ownfile.TrustOwnerOf(s.DataDir) // root may run commands on the data of another user
	}
	return s, err
}

// logger writes to standard error as the settings say.
func (p *Program) logger(s *config.Settings) *slog.Logger {
	options := &slog.HandlerOptions{Level: s.LogLevel}
	if s.LogFormat == "json" {
		return slog.New(server.LogRequestID(slog.NewJSONHandler(p.Stderr, options)))
	}
	return slog.New(server.LogRequestID(slog.NewTextHandler(p.Stderr, options)))
}

// withVault opens the vault, calls do, and closes the vault.
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
