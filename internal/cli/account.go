package cli

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/alecthomas/kong"

	"strongroom/internal/crypto/transfer"
	"strongroom/internal/domain"
	"strongroom/internal/ownfile"
	"strongroom/internal/table"
)

// Moves is what the account commands do.
type Moves interface {
	Mode() domain.Mode
	MoveKey(ctx context.Context) (string, error)
	MoveAccount(ctx context.Context, name domain.Account, to string, act domain.Act) (domain.MovedAccount, error)
	ReceiveAccount(ctx context.Context, parcel []byte, from string, act domain.Act) (domain.MovedAccount, error)
	ConfirmMove(ctx context.Context, name domain.Account, confirmation []byte, act domain.Act) (domain.ActResult, error)
}

type movesCmd struct {
	Key     moveKeyCmd     `cmd:"" help:"Print this database's public key for account moves. Other databases use it to seal accounts for this one, and to verify accounts that come from it."`
	Move    moveCmd        `cmd:"" help:"Move an account out: seal it to another database and refuse it here from now on. Run it again to write the file again."`
	Receive moveReceiveCmd `cmd:"" help:"Receive an account that another database has moved out. A repeat changes nothing."`
	Confirm moveConfirmCmd `cmd:"" help:"Delete the sealed account from the database that moved it out. Needs the confirmation that receive printed."`
}

type moveKeyCmd struct{ kong.Plugins }

// Run prints the public key.
func (moveKeyCmd) Run(ctx context.Context, p *Program) error {
	return p.withVault(ctx, func(v *Vault) error {
		key, err := v.Moves.MoveKey(asOperator(ctx))
		if err != nil {
			return plainRefusal(err)
		}
		fmt.Fprintln(p.Stdout, key)
		return nil
	})
}

// movedName names an account that may have left.
type movedName struct {
	Account nonEmpty `xor:"who" required:"" placeholder:"ID" help:"Account by its subject: the sub claim of its tokens, or its name in the gateway's header."`
	Device  nonEmpty `xor:"who" required:"" placeholder:"DEVICEID" help:"Account of this device, in device mode."`
	Issuer  string   `placeholder:"URL" help:"Issuer of the account's tokens. Required in jwt mode."`
}

func (n movedName) name(mode domain.Mode) (domain.Account, error) {
	issuer, subject, err := account{Account: n.Account, Device: n.Device, Issuer: n.Issuer}.name(mode)
	switch {
	case err != nil:
		return domain.Account{}, ExitError{ExitUsage, err}
	case mode == domain.ModeJWT && issuer == "":
		return domain.Account{}, usageError("--issuer is required: the database has accounts of mode jwt")
	case mode == domain.ModeDevice && n.Device == "":
		return domain.Account{}, usageError("the database has accounts of mode device: use --device, not --account")
	}
	return domain.Account{Issuer: issuer, Subject: subject}, nil
}

type moveCmd struct {
	kong.Plugins
	movedName
	To     string `required:"" type:"existingfile" placeholder:"FILE" help:"File with the public key of the target, as account key prints it there."`
	Output string `required:"" placeholder:"FILE" help:"File for the sealed account. Only the target can open it. A file with other content is not replaced."`
	Reason reason `required:"" placeholder:"TEXT" help:"Reason, recorded in the audit trail."`
}

// Run moves an account out.
func (c moveCmd) Run(ctx context.Context, p *Program) error {
	to, err := readMoveKey(c.To)
	if err != nil {
		return fmt.Errorf("reading the public key of the target: %w", err)
	}
	if err := checkOutput(c.Output); err != nil {
		return fmt.Errorf("--output: %w; nothing was changed", err)
	}
	return p.withVault(ctx, func(v *Vault) error {
		name, err := c.name(v.Moves.Mode())
		if err != nil {
			return err
		}
		moved, err := v.Moves.MoveAccount(asOperator(ctx), name, string(to), domain.Act{Reason: string(c.Reason)})
		if err != nil {
			return refusalOf(err, map[string]string{"to": "--to " + c.To})
		}
		if err := checkReplaced(c.Output, moved.Parcel); err != nil {
			return err
		}
		if err := ownfile.Replace(c.Output, moved.Parcel, nil); err != nil {
			return fmt.Errorf("the account has moved out, but its file cannot be written; run the same command again: %w", err)
		}
		if moved.Repeated {
			fmt.Fprintf(p.Stdout, "The account had already moved out (move %d, SHA-256 %x). The same sealed copy was written to the file. Nothing in the database was changed.\n",
				moved.Move.Number, moved.Move.SHA256)
			return nil
		}
		fmt.Fprintf(p.Stdout, "Moved out (move %d, SHA-256 %x). This database refuses the account from now on and keeps the sealed copy until account confirm. Request %s in the audit trail.\n",
			moved.Move.Number, moved.Move.SHA256, moved.RequestID)
		return nil
	})
}

// refusalOf is plainRefusal, with the flag or file in place of the argument that is wrong.
func refusalOf(err error, names map[string]string) error {
	if refusal, ok := errors.AsType[*domain.Error](err); ok && names[refusal.Field] != "" {
		return errors.New(names[refusal.Field] + strings.TrimPrefix(refusal.Message, refusal.Field))
	}
	return plainRefusal(err)
}

// checkOutput refuses a path where the file of an account cannot be written, before the
// account moves out. It also refuses a device, a link such as /dev/stdout, and a file of
// something else, because the file would replace it.
func checkOutput(path string) error {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s is not a regular file; name a file", path)
	case info.Size() > 0:
		if err := checkMoveFile(path); err != nil {
			return err
		}
	}
	return ownfile.CheckWritable(filepath.Dir(path))
}

// checkReplaced refuses a file that is not empty and not the same sealed copy, which a
// repeated command writes again. The file of another account may be the only copy of it.
func checkReplaced(path string, parcel []byte) error {
	is, err := os.ReadFile(path) //nolint:gosec // the operator names the file
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case len(is) > 0 && !bytes.Equal(is, parcel):
		return fmt.Errorf("the account has moved out, but %s is the file of another move; run the same command again with a new --output", path)
	}
	return nil
}

// checkMoveFile refuses a file that account move did not write, before the account moves.
// [checkReplaced] compares the rest after it.
func checkMoveFile(path string) error {
	f, err := os.Open(path) //nolint:gosec // the operator names the file
	if err != nil {
		return err
	}
	defer f.Close()
	is, err := beginsParcel(f)
	if err == nil && !is {
		err = fmt.Errorf("%s exists and is not the file of a moved account; name a new file", path)
	}
	return err
}

// beginsParcel reads the beginning of a file, and reports whether account move wrote it.
func beginsParcel(f io.Reader) (bool, error) {
	begin := make([]byte, len(transfer.ParcelStart))
	_, err := io.ReadFull(f, begin)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) { // a shorter file
		return false, nil
	}
	return string(begin) == transfer.ParcelStart, err
}

// mostParcel is more than the file of an account with the most keys, in bytes. Only a
// genuine file can be opened, but all of it is read first.
const mostParcel = 256 << 20

// readParcel reads a file that account move wrote. It reads only the beginning of any
// other file, which may be larger than the memory.
func readParcel(path string) ([]byte, error) {
	f, err := ownfile.OpenRegular(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	is, err := beginsParcel(f)
	if err != nil {
		return nil, err
	}
	if !is {
		return nil, fmt.Errorf("%s is not a file that account move wrote", path)
	}
	info, err := f.Stat()
	if err == nil && info.Size() > mostParcel {
		err = fmt.Errorf("%s is larger than %d MiB, so account move did not write it", path, mostParcel>>20)
	}
	if err != nil {
		return nil, err
	}
	rest, err := io.ReadAll(io.LimitReader(f, mostParcel))
	return append([]byte(transfer.ParcelStart), rest...), err
}

// readMoveKey reads the public key of another database, and refuses a file that others
// can change: they could have an account sealed to their own key, or forge one.
func readMoveKey(path string) ([]byte, error) {
	f, _, err := ownfile.Open(path)
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(io.LimitReader(f, mostKeyText))
	return text, errors.Join(err, f.Close())
}

const mostKeyText = 64 << 10 // bytes

type moveReceiveCmd struct {
	kong.Plugins
	File   string `arg:"" type:"existingfile" help:"File that account move wrote."`
	From   string `required:"" type:"existingfile" placeholder:"FILE" help:"File with the public key of the source, as account key prints it there."`
	InCell string `name:"in-cell" placeholder:"TAG" help:"Print the account's lines for moved.map, with this tag of this cell."`
	Reason reason `required:"" placeholder:"TEXT" help:"Reason, recorded in the audit trail."`
}

// Run receives an account.
func (c moveReceiveCmd) Run(ctx context.Context, p *Program) error {
	from, err := readMoveKey(c.From)
	if err != nil {
		return fmt.Errorf("reading the public key of the source: %w", err)
	}
	if c.InCell != "" && !domain.IsCell(c.InCell) {
		return usageError("--in-cell must be the tag of this cell (its setting --cell): 1 to 8 characters of a-z and 0-9")
	}
	parcel, err := readParcel(c.File)
	if err != nil {
		return fmt.Errorf("reading the sealed account: %w", err)
	}
	return p.withVault(ctx, func(v *Vault) error {
		moved, err := v.Moves.ReceiveAccount(asOperator(ctx), parcel, string(from), domain.Act{Reason: string(c.Reason)})
		if err != nil {
			return refusalOf(err, map[string]string{"file": c.File, "from": "--from " + c.From})
		}
		if moved.Repeated {
			fmt.Fprintf(p.Stdout, "The account was already received (move %d, SHA-256 %x). Nothing was changed.\n", moved.Move.Number, moved.Move.SHA256)
		} else {
			fmt.Fprintf(p.Stdout, "Received (move %d, SHA-256 %x). This database answers for the account from now on. Keys that still work: %d. Request %s in the audit trail.\n",
				moved.Move.Number, moved.Move.SHA256, len(moved.Keys), moved.RequestID)
			if moved.Ended > 0 {
				fmt.Fprintf(p.Stdout, "Keys that ended: %d. Their devices get new keys at their next request.\n", moved.Ended)
			}
		}
		if moved.Restored {
			fmt.Fprintf(p.Stdout, "\nWarning: this database was restored from a backup, so it may not know later moves of the account. Look for account.moved and account.received of this account in the audit trails of the other databases. "+
				"If the entry with the highest number is above %d and says that the account is in another database, erase the account here, or it has two attempt counters. See docs/how-to/cells.md.\n", moved.Move.Number)
		}
		if c.InCell == "" {
			fmt.Fprintln(p.Stdout, "\nFor lines for moved.map, run the same command again with --in-cell and the tag of this cell.")
		} else {
			fmt.Fprintln(p.Stdout, "\nLines for moved.map:")
			for _, line := range mapNames(moved) {
				fmt.Fprintln(p.Stdout, line, table.Cell(c.InCell))
			}
		}
		fmt.Fprintf(p.Stdout, "\nConfirmation for the source:\n%s\n", base64.RawStdEncoding.EncodeToString(moved.Confirmation))
		return nil
	})
}

// mapNames returns the names by which a proxy finds a moved account, encoded as in
// deploy/cells. Only in device mode do key ids lead to an account.
func mapNames(moved domain.MovedAccount) []string {
	encode := func(name string) string { return strings.ReplaceAll(url.QueryEscape(name), "+", "%20") }
	switch a := moved.Account; a.Mode {
	case domain.ModeJWT:
		return []string{encode(a.Issuer + " " + a.Subject)}
	case domain.ModeDevice:
		return append([]string{encode(a.Subject)}, moved.Keys...)
	default:
		return []string{encode(a.Subject)}
	}
}

type moveConfirmCmd struct {
	kong.Plugins
	movedName
	Confirmation string `required:"" placeholder:"TEXT" help:"Confirmation that account receive printed at the target."`
	Reason       reason `required:"" placeholder:"TEXT" help:"Reason, recorded in the audit trail."`
}

// Run confirms.
func (c moveConfirmCmd) Run(ctx context.Context, p *Program) error {
	text := strings.NewReplacer("-", "+", "_", "/").Replace(c.Confirmation) // up to 0.15.2, it could begin like a flag
	confirmation, err := base64.RawStdEncoding.DecodeString(text)
	if err != nil {
		return usageError("--confirmation must be the text that account receive printed")
	}
	return p.withVault(ctx, func(v *Vault) error {
		name, err := c.name(v.Moves.Mode())
		if err != nil {
			return err
		}
		result, err := v.Moves.ConfirmMove(asOperator(ctx), name, confirmation, domain.Act{Reason: string(c.Reason)})
		if err == nil && result.Repeated {
			fmt.Fprintln(p.Stdout, "The confirmation is valid. The sealed copy was already deleted, so nothing was changed. This database continues to refuse the account.")
			return nil
		}
		return p.said("Confirmed. The sealed copy was deleted here. This database continues to refuse the account.", result, err)
	})
}
