//go:build cgo && linux

package helper

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"time"

	"golang.org/x/sys/unix"

	"strongroom/internal/pkcs11"
	"strongroom/internal/process"
)

// leave is how long a call of the module may delay the end of the process.
const leave = 2 * time.Second

// Main answers requests until standard input closes, and returns the exit code.
func Main() int {
	process.Harden() // a module that crashes must not leave a core dump with the PIN
	out, err := answers()
	if err != nil {
		return 1
	}
	requests := make(chan []byte)
	go read(os.Stdin, requests)
	t := token{tell: func(a pkcs11.Answer) error { return write(out, a) }}
	defer t.close()
	for line := range requests {
		answer := t.answer(line)
		clear(line)
		err := write(out, answer)
		clear(answer.Data)
		if err != nil {
			return 1
		}
	}
	return 0
}

func write(out io.Writer, a pkcs11.Answer) error {
	line, err := json.Marshal(a)
	if err != nil {
		return err
	}
	line = append(line, '\n')
	defer clear(line)
	_, err = out.Write(line)
	return err
}

// answers returns the standard output, for answers. It redirects the descriptors 1 and 2
// to /dev/null, so that output of the module does not mix with answers.
func answers() (*os.File, error) {
	fd, err := unix.FcntlInt(1, unix.F_DUPFD_CLOEXEC, 3)
	if err != nil {
		return nil, err
	}
	nowhere, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		return nil, err
	}
	err = errors.Join(unix.Dup3(int(nowhere.Fd()), 1, 0), unix.Dup3(int(nowhere.Fd()), 2, 0), nowhere.Close())
	return os.NewFile(uintptr(fd), "answers"), err
}

// read sends the lines of r to lines. When r ends, the process ends, even if the module
// never returns.
func read(r io.Reader, lines chan<- []byte) {
	in := bufio.NewReaderSize(r, pkcs11.MaxLine)
	for {
		line, err := in.ReadSlice('\n')
		if err != nil {
			break // the end, or a line that is too long
		}
		lines <- bytes.Clone(line)
		clear(line)
	}
	time.AfterFunc(leave, func() { os.Exit(1) })
	close(lines)
}

func (t *token) answer(line []byte) pkcs11.Answer {
	var r pkcs11.Request
	err := json.Unmarshal(line, &r)
	defer clear(r.Data)
	if err != nil || r.Version != pkcs11.Version {
		return failed(&pkcs11.Failure{Code: pkcs11.Protocol, Detail: "the helper is of another release than the program that started it"})
	}
	a, err := t.do(r)
	if err != nil {
		return failed(err)
	}
	return a
}

func failed(err error) pkcs11.Answer {
	if f, is := errors.AsType[*pkcs11.Failure](err); is {
		return pkcs11.Answer{Failure: f}
	}
	return pkcs11.Answer{Failure: &pkcs11.Failure{Code: pkcs11.DeviceFailure, Detail: err.Error()}}
}
