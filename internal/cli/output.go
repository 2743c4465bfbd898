package cli

import (
	"fmt"
	"io"
	"strings"
)

// output remembers the first error of a write, because the commands that print text do
// not check for errors.
type output struct {
	io.Writer
	err error
}

func (o *output) Write(part []byte) (int, error) {
	n, err := o.Writer.Write(part)
	if err != nil && o.err == nil {
		o.err = err
	}
	return n, err
}

// Fd lets a table find out how wide the terminal is.
func (o *output) Fd() uintptr {
	if file, ok := o.Writer.(interface{ Fd() uintptr }); ok {
		return file.Fd()
	}
	return ^uintptr(0) // no file
}

// counted is a number with its noun.
func counted[N int | int64](n N, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprint(n, " ", many)
}

// complete fails if a part of the output of a command was lost, for example on a full
// disk. For commands that verify, exit code 1 would mean damage.
func (o *output) complete(command string) error {
	if o.err == nil {
		return nil
	}
	code := ExitFailed
	if strings.Contains(command, "verify") {
		code = AuditUnreadable
	}
	return ExitError{code, fmt.Errorf("the output is incomplete: %w", o.err)}
}
