package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"time"

	"github.com/alecthomas/kong"

	"strongroom/internal/audit"
	"strongroom/internal/backup"
	"strongroom/internal/config"
	"strongroom/internal/crypto/seal"
	"strongroom/internal/process"
)

// Exit codes of backup verify.
const (
	BackupGood       = 0
	BackupDamaged    = 1
	BackupUnreadable = 2
)

type backupVerifyCmd struct {
	kong.Plugins
	Path string `arg:"" help:"Backup to check."`
	reading
	Note bool `help:"Record the success in the database (--database), whose service then shows the age of this backup as strongroom_backup_last_verified_age_seconds."`
}

// Run checks a backup that it unpacks into a private directory. It changes nothing else,
// except with --note.
func (c backupVerifyCmd) Run(ctx context.Context, p *Program) (err error) {
	s, err := p.settings()
	if err != nil {
		return ExitError{BackupUnreadable, err}
	}
	go process.PaceCollector(ctx)
	o, err := c.open(ctx, p, c.Path, filepath.Dir(c.Path))
	if err != nil {
		return backupError(ctx, err)
	}
	defer func() { err = errors.Join(err, o.Close()) }()
	tellManifest(p.Stdout, o.Manifest)
	report, err := p.checkBackup(ctx, s, o)
	if err != nil {
		return backupError(ctx, err)
	}
	fmt.Fprintf(p.Stdout, "Good: the root key opens it, and the trail is intact: %s.\n", agreeing(report))
	if !c.Note {
		return nil
	}
	if err := p.noteVerified(ctx, o.Manifest.Store, report.Heads); err != nil {
		return ExitError{BackupUnreadable, fmt.Errorf("the backup is good, and recording that failed: %w", err)}
	}
	fmt.Fprintln(p.Stdout, "Recorded in the database.")
	return nil
}

// checkBackup checks an unpacked database, and the trail in it. It fails with
// [backup.ErrDamaged] or [backup.ErrUnreadable].
func (p *Program) checkBackup(ctx context.Context, s *config.Settings, o *backup.Opened) (report audit.Report, err error) {
	on := *s
	on.Database = config.Database{Path: o.Database}
	if err := o.CheckFile(ctx, func(ctx context.Context) error { return p.migrateCopy(ctx, &on) }); err != nil {
		return report, err
	}
	v, err := p.OpenVault(ctx, &on, slog.New(slog.DiscardHandler), false)
	switch {
	case errors.Is(err, seal.ErrDamaged):
		return report, fmt.Errorf("%w: %w", backup.ErrDamaged, err)
	case err != nil:
		return report, fmt.Errorf("%w: %w", backup.ErrUnreadable, err)
	}
	report, err = v.Trail.VerifyTrail(ctx, func(at audit.Progress) { tellProgress(p.Stderr, at) })
	if err = errors.Join(err, v.Close()); err != nil {
		return report, fmt.Errorf("%w: %w", backup.ErrUnreadable, err)
	}
	for _, problem := range report.Problems {
		fmt.Fprintf(p.Stdout, "DAMAGED  %s\n", problem)
	}
	if len(report.Problems) > 0 {
		return report, fmt.Errorf("%w: its audit trail or its records were changed before the backup was made, or in it", backup.ErrDamaged)
	}
	return report, nil
}

// migrateCopy migrates an unpacked database to the schema of this binary.
func (p *Program) migrateCopy(ctx context.Context, s *config.Settings) (err error) {
	st, err := p.OpenSchema(ctx, s, false)
	if err != nil {
		return err
	}
	return errors.Join(st.Migrate(ctx), st.Close())
}

// backupError gives an error of a check its exit code.
func backupError(ctx context.Context, err error) error {
	switch {
	case errors.Is(err, backup.ErrDamaged):
		return ExitError{BackupDamaged, err}
	case ctx.Err() != nil:
		return ExitError{BackupUnreadable, backup.ErrInterrupted}
	}
	return ExitError{BackupUnreadable, err}
}

// noteVerified records in the database that a backup of it was verified.
func (p *Program) noteVerified(ctx context.Context, store string, heads []audit.Head) error {
	return p.withVault(ctx, func(v *Vault) error { return v.Backups.NoteVerified(ctx, store, heads, time.Now()) })
}
