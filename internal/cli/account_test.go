package cli

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"strongroom/internal/config"
	"strongroom/internal/crypto/transfer"
	"strongroom/internal/domain"
)

// An account is sealed to the key in this file.
func TestAMoveKeyThatOthersCanChangeIsRefused(t *testing.T) {
	file := filepath.Join(t.TempDir(), "target.key")
	if err := os.WriteFile(file, []byte("strongroom-move-1:AAAA\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if text, err := readMoveKey(file); err != nil || string(text) != "strongroom-move-1:AAAA\n" {
		t.Errorf("read %q, %v", text, err)
	}
	if err := os.Chmod(file, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := readMoveKey(file); err == nil || !strings.Contains(err.Error(), "chmod go-w") {
		t.Errorf("got %v", err)
	}
}

// confirmedMoves are moves whose sealed accounts are there, or gone.
type confirmedMoves struct {
	Moves
	gone bool
}

func (confirmedMoves) Mode() domain.Mode { return domain.ModeDevice }

func (m confirmedMoves) ConfirmMove(context.Context, domain.Account, []byte, domain.Act) (domain.ActResult, error) {
	return domain.ActResult{RequestID: "r", Repeated: m.gone}, nil
}

func TestAConfirmationSaysOnlyWhatItDid(t *testing.T) {
	for gone, want := range map[bool]string{
		false: "Confirmed. The sealed copy was deleted here. This database continues to refuse the account. Request r in the audit trail.\n",
		true:  "The confirmation is valid. The sealed copy was already deleted, so nothing was changed. This database continues to refuse the account.\n",
	} {
		var out, errs strings.Builder
		p := &Program{Stdout: &out, Stderr: &errs, OpenVault: func(context.Context, *config.Settings, *slog.Logger, bool) (*Vault, error) {
			return &Vault{Moves: confirmedMoves{gone: gone}, Close: func() error { return nil }}, nil
		}}
		args := []string{"account", "confirm", "--device", "phone-1", "--confirmation", "AAAA", "--reason", "it has arrived", "--data-dir", t.TempDir()}
		if code := p.Run(t.Context(), args); code != ExitOK || out.String() != want {
			t.Errorf("exit code %d: %s%s", code, out.String(), errs.String())
		}
	}
}

// receivedMoves are moves in which an account was received.
type receivedMoves struct{ Moves }

func (receivedMoves) ReceiveAccount(context.Context, []byte, string, domain.Act) (domain.MovedAccount, error) {
	return domain.MovedAccount{Account: domain.Account{Mode: domain.ModeDevice, Subject: "phone 1"}, Keys: []string{"eu1-a"}, Confirmation: []byte{0, 0, 0}, ActResult: domain.ActResult{Repeated: true}}, nil
}

// A line that names no cell of the proxy would make it refuse the account.
func TestReceivePrintsLinesForTheProxyOnlyWithTheCell(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, []byte(movedParcel), 0o600); err != nil {
		t.Fatal(err)
	}
	const first, last = "The account was already received (move 0, SHA-256 ). Nothing was changed.\n", "\nConfirmation for the source:\nAAAA\n"
	for cell, want := range map[string]string{
		"":    "\nFor lines for moved.map, run the same command again with --in-cell and the tag of this cell.\n",
		"eu2": "\nLines for moved.map:\nphone%201 eu2\neu1-a eu2\n",
	} {
		var out, errs strings.Builder
		p := &Program{Stdout: &out, Stderr: &errs, OpenVault: func(context.Context, *config.Settings, *slog.Logger, bool) (*Vault, error) {
			return &Vault{Moves: receivedMoves{}, Close: func() error { return nil }}, nil
		}}
		args := []string{"account", "receive", file, "--from", file, "--reason", "the other cell is full", "--data-dir", t.TempDir()}
		if cell != "" {
			args = append(args, "--in-cell", cell)
		}
		if code := p.Run(t.Context(), args); code != ExitOK || out.String() != first+want+last {
			t.Errorf("with the cell %q, exit code %d: %s%s", cell, code, out.String(), errs.String())
		}
	}
}

// With an invalid tag, the proxy could not use the printed lines. A file that account move
// did not write may be endless. So both are refused before the database is opened.
func TestReceiveRefusesAnInvalidCellTagAndAnyOtherFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, []byte(movedParcel), 0o600); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	other, endless := filepath.Join(dir, "other"), filepath.Join(dir, "endless")
	if err := errors.Join(os.WriteFile(other, nil, 0o600), os.WriteFile(endless, []byte(movedParcel), 0o600), os.Truncate(endless, 1<<40)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		file, cell, want string
		code             int
	}{
		{file, "EU 2", "--in-cell must be the tag of this cell", ExitUsage},
		{file, "closed-eu2", "--in-cell must be the tag of this cell", ExitUsage},
		{"/dev/zero", "eu2", "/dev/zero is not a regular file; name a file", 1},
		{other, "eu2", other + " is not a file that account move wrote", 1},
		{endless, "eu2", endless + " is larger than 256 MiB, so account move did not write it", 1},
	} {
		var out, errs strings.Builder
		p := &Program{Stdout: &out, Stderr: &errs, OpenVault: func(context.Context, *config.Settings, *slog.Logger, bool) (*Vault, error) {
			t.Errorf("with %s and %q the database was opened", c.file, c.cell)
			return &Vault{Moves: receivedMoves{}, Close: func() error { return nil }}, nil
		}}
		args := []string{"account", "receive", c.file, "--from", file, "--in-cell", c.cell, "--reason", "the other cell is full", "--data-dir", t.TempDir()}
		if code := p.Run(t.Context(), args); code != c.code || !strings.Contains(errs.String(), c.want) {
			t.Errorf("with %s and %q, exit code %d: %s%s", c.file, c.cell, code, out.String(), errs.String())
		}
	}
}

const movedParcel = transfer.ParcelStart + "sealed"

// movedMoves move accounts out, and count them.
type movedMoves struct {
	Moves
	moved *int
}

func (movedMoves) Mode() domain.Mode { return domain.ModeDevice }

func (m movedMoves) MoveAccount(context.Context, domain.Account, string, domain.Act) (domain.MovedAccount, error) {
	*m.moved++
	return domain.MovedAccount{Parcel: []byte(movedParcel)}, nil
}

// An account that has moved out is refused until the target has its file. And root could
// replace a device such as /dev/null, for all programs.
func TestAnAccountMovesOutOnlyIfItsFileCanBeWritten(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	key, empty, link := file("key", "strongroom-move-1:AAAA\n"), file("empty.move", ""), filepath.Join(dir, "stdout")
	same, other := file("same.move", movedParcel), file("other.move", transfer.ParcelStart+"other")
	if err := os.Symlink("/dev/null", link); err != nil {
		t.Fatal(err)
	}
	const before, after = "nothing was changed", "the account has moved out, but"
	for output, refusal := range map[string]string{
		link: before, filepath.Join(dir, "missing", "a.move"): before, dir: before, key: before,
		other: after, same: "", empty: "", filepath.Join(dir, "new.move"): "",
	} {
		moved := 0
		var out, errs strings.Builder
		p := &Program{Stdout: &out, Stderr: &errs, OpenVault: func(context.Context, *config.Settings, *slog.Logger, bool) (*Vault, error) {
			return &Vault{Moves: movedMoves{moved: &moved}, Close: func() error { return nil }}, nil
		}}
		code := p.Run(t.Context(), []string{"account", "move", "--device", "phone-1", "--to", key, "--output", output, "--reason", "full", "--data-dir", dir})
		if (moved == 0) != (refusal == before) || (code == ExitOK) != (refusal == "") || !strings.Contains(errs.String(), refusal) {
			t.Errorf("%s: moved %d times, exit code %d: %s%s", output, moved, code, out.String(), errs.String())
		}
	}
	if text, err := os.ReadFile(other); err != nil || string(text) != transfer.ParcelStart+"other" {
		t.Errorf("the file of another move was replaced by %q, %v", text, err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link was replaced: %v, %v", info, err)
	}
}

// fullDisk are moves whose database cannot be written.
type fullDisk struct{ Moves }

func (fullDisk) MoveKey(context.Context) (string, error) {
	return "", &domain.Error{Code: domain.CodeOverloaded, Message: "Send the request again shortly.", Cause: errors.New("the disk is full")}
}

// The refusal for clients does not say what an operator can do.
func TestACommandSaysWhyTheDatabaseCannotServe(t *testing.T) {
	var out, errs strings.Builder
	p := &Program{Stdout: &out, Stderr: &errs, OpenVault: func(context.Context, *config.Settings, *slog.Logger, bool) (*Vault, error) {
		return &Vault{Moves: fullDisk{}, Close: func() error { return nil }}, nil
	}}
	const want = "strongroom: the database cannot serve: the disk is full\n"
	if code := p.Run(t.Context(), []string{"account", "key", "--data-dir", t.TempDir()}); code != ExitFailed || errs.String() != want {
		t.Errorf("exit code %d: %s, want %s", code, errs.String(), want)
	}
}
