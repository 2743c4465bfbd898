package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"slices"
	"strings"
	"time"

	"strongroom/internal/config"
	"strongroom/internal/fill"
	"strongroom/internal/server"
)

// costs are settings that the measured server and the floors share. The fields are only
// for the help texts: the values are in the program's flags.
type costs struct {
	KeyAlgorithms string `name:"key-algorithms" aliases:"key-algorithm" help:"Algorithm of the devices' keys, also as --key-algorithm."`
	RSABits       int    `name:"rsa-bits" help:"Modulus size of the devices' keys."`
	Argon2Memory  int    `name:"argon2-memory" help:"Memory of one Argon2id hash in KiB."`
	Argon2Time    int    `name:"argon2-time" help:"Passes of one Argon2id hash."`

	Verifier         string `name:"verifier" help:"Algorithm that hashes passcodes and PINs."`
	PBKDF2Iterations int    `name:"pbkdf2-iterations" help:"Iterations of one PBKDF2 hash."`
}

type benchFillCmd struct {
	Dir        string `arg:"" help:"Data directory: a new one, or one that this command created."`
	Devices    int    `default:"10000" help:"Number of devices, each with a key, both credentials and their attempt counters. They share one key pair."`
	Entries    int64  `name:"audit-entries" default:"0" help:"Number of entries in the audit trail; at least three per device."`
	Operations int64  `default:"0" help:"Number of operations to add to the metrics roll-ups, spread over three years."`
	costs
}

// Run fills the directory and prints what it contains.
func (c benchFillCmd) Run(ctx context.Context, p *Program) error {
	if c.Devices < 1 || c.Devices > 100_000_000 || c.Entries < 0 || c.Operations < 0 {
		return usageError("--devices must be 1 to 100000000, and --audit-entries and --operations at least 0")
	}
	s, err := p.benchSettings(c.Dir)
	if err != nil {
		return err
	}
	start := time.Now()
	if err := p.fill(ctx, s, fill.Amounts{Devices: c.Devices, Entries: c.Entries, Operations: c.Operations}); err != nil {
		return err
	}
	info, err := os.Stat(s.Database.Path)
	if err != nil {
		return err
	}
	devices, err := p.filled(ctx, c.Dir)
	fmt.Fprintf(p.Stdout, "%s in %s, %.1f MiB, in %.0f s. Measure with: strongroom bench --filled %s\n",
		counted(devices, "device", "devices"), s.Database.Path, float64(info.Size())/(1<<20), time.Since(start).Seconds(), c.Dir)
	return err
}

// benchSettings returns the settings for a data directory that bench may use. They take
// only the cost of a verification from the environment: bench must never use a real
// database that a variable names.
func (p *Program) benchSettings(dir string) (*config.Settings, error) {
	flags := config.Flags{}
	var environ []string
	for _, name := range []string{"key-algorithms", "rsa-bits", "verifier", "argon2-memory", "argon2-time", "pbkdf2-iterations"} {
		if text, given := p.flags[name]; given {
			flags[name] = text
		}
		variable := "STRONGROOM_" + strings.ToUpper(strings.ReplaceAll(name, "-", "_"))
		if text, given := os.LookupEnv(variable); given {
			environ = append(environ, variable+"="+text)
		}
	}
	if dir != "" {
		flags["data-dir"] = dir
	}
	s, _, err := config.Load(flags, environ)
	return s, err
}

// fill fills the data directory of s, which must be new or filled already.
func (p *Program) fill(ctx context.Context, s *config.Settings, f fill.Amounts) (err error) {
	if f.New, err = isNew(s.DataDir); err != nil {
		return err
	}
	dir, err := server.OpenDataDir(s.DataDir)
	if err != nil {
		return fmt.Errorf("%s is in use or belongs to another user; give a directory that does not exist yet", s.DataDir)
	}
	defer func() { err = errors.Join(err, dir.Close()) }()
	v, err := p.OpenVault(ctx, s, slog.New(slog.DiscardHandler), f.New)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, v.Close()) }()
	var said time.Time
	return v.Records.Fill(ctx, f, func(what string, done, of int64) {
		if done == of || time.Since(said) >= time.Second {
			said = time.Now()
			fmt.Fprintf(p.Stderr, "filling: %d of %d %s\n", done, of, what)
		}
	})
}

// isNew reports whether bench may create a database in a directory. If the directory has
// a database already, fill itself checks that bench fill created it.
func isNew(dir string) (bool, error) {
	files, err := os.ReadDir(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist) || err == nil && len(files) == 0:
		return true, nil
	case err != nil:
		return false, err
	case !slices.ContainsFunc(files, func(f fs.DirEntry) bool { return f.Name() == "strongroom.db" }):
		return false, fmt.Errorf("%s contains files that strongroom bench did not create; give a directory that does not exist yet", dir)
	}
	return false, nil
}

// filled returns how many devices bench fill made in a directory. It fails on any other
// database.
func (p *Program) filled(ctx context.Context, dir string) (devices int, err error) {
	s, err := p.benchSettings(dir)
	if err != nil {
		return 0, err
	}
	if _, err := os.Stat(s.Database.Path); err != nil {
		return 0, fmt.Errorf("there is no database in %s; create one with: strongroom bench fill %s", dir, dir)
	}
	v, err := p.OpenVault(ctx, s, slog.New(slog.DiscardHandler), false)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, v.Close()) }()
	if devices, err = v.Records.Filled(ctx); errors.Is(err, fill.ErrNotFilled) {
		err = fmt.Errorf("strongroom bench fill did not create the database in %s, and bench does not change it; give a directory that it created", dir)
	}
	if err == nil && devices == 0 {
		err = fmt.Errorf("the database in %s has no complete devices: strongroom bench fill was interrupted; run it again with the same --devices", dir)
	}
	return devices, err
}
