// Command strongroom is the credential vault: the server, and the commands that
// maintain its database. This package only connects the packages below internal.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"golang.org/x/term"

	strongroom "strongroom"
	"strongroom/internal/cli"
	"strongroom/internal/config"
	"strongroom/internal/docsite"
	"strongroom/internal/process"
)

func main() {
	debug.SetTraceback("single") // a crash prints one goroutine, not all that hold secrets
	for _, err := range process.Harden() {
		slog.Warn("process not hardened", "error", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, syscall.SIGTERM, os.Interrupt)
	if !signal.Ignored(syscall.SIGHUP) { // as with nohup
		signal.Notify(signals, syscall.SIGHUP)
	}
	go stopAt(signals, cancel)
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// stopAt calls stop at the first signal, and ends the process at the second one. Its exit
// code is the one that a shell gives a process that the signal ended: no command has it. A
// lost terminal can send SIGHUP twice, so a second one has no effect.
func stopAt(signals <-chan os.Signal, stop func()) {
	<-signals
	stop()
	for s := range signals {
		if number, ok := s.(syscall.Signal); ok && number != syscall.SIGHUP {
			os.Exit(128 + int(number))
		}
	}
}

// run runs one command and returns its exit code. When ctx is done, a server
// drains and any other command gives up.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	if err := config.CheckFIPS(); err != nil {
		fmt.Fprintln(stderr, "strongroom:", err)
		return cli.ExitUsage
	}
	p := &cli.Program{
		Version: version, Commit: commit(), Stdin: os.Stdin, Terminal: term.IsTerminal(int(os.Stdin.Fd())), Stdout: stdout, Stderr: stderr,
		WriteDocs: writeDocs, Serve: runServer, CheckServe: checkServe, OpenVault: openCommandVault, OpenSchema: openSchema,
	}
	return p.Run(ctx, args)
}

// openCommandVault opens the vault for a command.
func openCommandVault(ctx context.Context, s *config.Settings, log *slog.Logger, begin bool) (*cli.Vault, error) {
	v, err := openVault(ctx, s, log, begin)
	if err != nil {
		return nil, err
	}
	return &cli.Vault{Admin: adminHandler(s, v, log), Trail: v, Signing: v, RootKeys: v, DataKeys: v, Moves: v, Records: v, Backups: backups{v, s}, Mode: v.Mode(), Close: v.Close}, nil
}

func writeDocs(dir string) error {
	site, err := docsite.New(strongroom.Documents)
	if err != nil {
		return err
	}
	return site.Write(dir)
}

func openSchema(ctx context.Context, s *config.Settings, create bool) (cli.Schema, error) {
	how := existing
	if create {
		how = created
	}
	return openStore(ctx, s, how, slog.New(slog.NewTextHandler(os.Stderr, nil)))
}

// checkServe refuses settings that are valid one by one but that serve would refuse.
// It returns the URL to which traces are sent, "" if none are. It makes no connections.
func checkServe(s *config.Settings) (collector string, err error) {
	if err := errors.Join(checkReceiver(s), checkRootKeys(s)); err != nil {
		return "", err
	}
	t, err := openTraces(s, slog.New(slog.DiscardHandler))
	if err != nil {
		return "", err
	}
	closeTraces(t, s)
	return t.Endpoint(), nil
}
