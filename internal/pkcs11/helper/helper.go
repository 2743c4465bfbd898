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

// leave is how long a call of the module may hold up the end of the process.
const leave = 2 * time.Second

// Main answers requests until standard input closes, and returns the exit code.
func Main() int {
	process.Harden() // a module that fails must leave no core dump with the PIN
	out, err := answers()
	if err != nil {
		return 1
	}
	requests := make(chan []byte)
	go read(os.Stdin, requests)
	var t token
	defer t.close()
	for line := range requests {
		answer, err := json.Marshal(t.answer(line))
		clear(line)
		if err != nil {
			return 1
		}
		_, err = out.Write(append(answer, '\n'))
		clear(answer)
		if err != nil {
			return 1
		}
	}
	return 0
}

// answers is the standard output. What the module prints there goes nowhere.
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

// read passes on the lines of r. When r ends, so does the process, also if the module
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
