package place

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/google/go-tpm/tpm2"
	"github.com/google/go-tpm/tpm2/transport"

	"strongroom/internal/tpm"
)

// TPM keeps a witness in files of this machine, and counts it in a TPM 2.0. The
// content of the file names the count, so a file from before the last count is
// refused even if somebody put it back together with the database.
//
// The count is an NV counter. The TPM only ever raises it: a counter that is deleted
// and defined again begins above all counters that the TPM ever had.
type TPM struct {
	File
	Device string // device, or Unix socket of swtpm
	Index  uint32 // of the counter in non-volatile memory
	Auth   Secret // authorization value of the counter
}

// counterSize is the size of an NV counter, in bytes (TPM 2.0 part 2, section 13.4).
const counterSize = 8

// DefaultIndex is an NV index in the range of the owner.
const DefaultIndex = 0x01800a5e

// String is the path of the file and the index.
func (t TPM) String() string { return fmt.Sprintf("%s (TPM counter 0x%08x)", t.Path, t.Index) }

// Count returns the counter, or 0 if the TPM does not have it.
func (t TPM) Count(ctx context.Context) (count int64, err error) { return t.with(ctx, t.read) }

// Raise adds 1 to the counter, and creates it if the TPM does not have it. It
// returns the count.
func (t TPM) Raise(ctx context.Context) (count int64, err error) {
	return t.with(ctx, func(tpm transport.TPM, auth tpm2.TPM2BAuth) (int64, error) {
		name, err := t.name(tpm)
		if errors.Is(err, ErrNone) {
			name, err = t.define(tpm, auth)
		}
		if err != nil {
			return 0, err
		}
		index := tpm2.TPMHandle(t.Index)
		_, err = tpm2.NVIncrement{
			AuthHandle: tpm2.AuthHandle{Handle: index, Name: name, Auth: tpm2.PasswordAuth(auth.Buffer)},
			NVIndex:    tpm2.NamedHandle{Handle: index, Name: name},
		}.Execute(tpm)
		if err != nil {
			return 0, t.explain("raising the counter", err)
		}
		return t.read(tpm, auth)
	})
}

// turn is held while this process uses a TPM.
var turn = make(chan struct{}, 1)

// with opens the TPM and calls fn. The driver cannot be interrupted, so if the TPM hangs,
// with returns but leaves one goroutine until the TPM answers. Other calls wait for it.
func (t TPM) with(ctx context.Context, fn func(transport.TPM, tpm2.TPM2BAuth) (int64, error)) (count int64, err error) {
	hangs := func() error { return away("the TPM %s did not answer in time: %w", t.Device, ctx.Err()) }
	select {
	case turn <- struct{}{}:
	case <-ctx.Done():
		return 0, hangs()
	}
	type answer struct {
		count int64
		err   error
	}
	done := make(chan answer, 1)
	go func() {
		defer func() { <-turn }()
		count, err := t.use(fn)
		done <- answer{count, err}
	}()
	select {
	case is := <-done:
		return is.count, is.err
	case <-ctx.Done():
		return 0, hangs()
	}
}

func (t TPM) use(fn func(transport.TPM, tpm2.TPM2BAuth) (int64, error)) (int64, error) {
	auth, err := t.Auth()
	if err != nil {
		return 0, fmt.Errorf("reading the authorization value: %w", err)
	}
	opened, err := tpm.Open(t.Device)
	if err != nil {
		return 0, fmt.Errorf("opening the TPM %s: %w", t.Device, err)
	}
	defer func() { _ = opened.Close() }() // each command is complete
	return fn(opened, tpm2.TPM2BAuth{Buffer: []byte(auth)})
}

func (t TPM) read(tpm transport.TPM, auth tpm2.TPM2BAuth) (int64, error) {
	name, err := t.name(tpm)
	if errors.Is(err, ErrNone) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	index := tpm2.TPMHandle(t.Index)
	is, err := tpm2.NVRead{
		AuthHandle: tpm2.AuthHandle{Handle: index, Name: name, Auth: tpm2.PasswordAuth(auth.Buffer)},
		NVIndex:    tpm2.NamedHandle{Handle: index, Name: name},
		Size:       counterSize,
	}.Execute(tpm)
	if errors.Is(err, tpm2.TPMRCNVUninitialized) { // a crash between its definition and its first use
		return 0, nil
	}
	if err != nil {
		return 0, t.explain("reading the counter", err)
	}
	if n := len(is.Data.Buffer); n != counterSize {
		return 0, fmt.Errorf("reading the counter 0x%08x in the TPM: the TPM answers with %d bytes, want %d; check the TPM, and what is between it and this process", t.Index, n, counterSize)
	}
	return int64(binary.BigEndian.Uint64(is.Data.Buffer)), nil //nolint:gosec // a counter that is raised once a minute
}

// name returns the name of the counter, which covers its attributes.
func (t TPM) name(tpm transport.TPM) (tpm2.TPM2BName, error) {
	is, err := tpm2.NVReadPublic{NVIndex: tpm2.TPMHandle(t.Index)}.Execute(tpm)
	if errors.Is(err, tpm2.TPMRCHandle) {
		return tpm2.TPM2BName{}, ErrNone
	}
	if err != nil {
		return tpm2.TPM2BName{}, t.explain("looking for the counter", err)
	}
	public, err := is.NVPublic.Contents()
	if err != nil {
		return tpm2.TPM2BName{}, err
	}
	if public.Attributes.NT != tpm2.TPMNTCounter || !public.Attributes.AuthWrite || !public.Attributes.AuthRead {
		return tpm2.TPM2BName{}, fmt.Errorf("index 0x%08x of the TPM is not a counter of a witness; name another one with ?index=", t.Index)
	}
	return is.NVName, nil
}

func (t TPM) define(tpm transport.TPM, auth tpm2.TPM2BAuth) (tpm2.TPM2BName, error) {
	_, err := tpm2.NVDefineSpace{
		AuthHandle: tpm2.AuthHandle{Handle: tpm2.TPMRHOwner, Auth: tpm2.PasswordAuth(nil)},
		Auth:       auth,
		PublicInfo: tpm2.New2B(tpm2.TPMSNVPublic{
			NVIndex:    tpm2.TPMHandle(t.Index),
			NameAlg:    tpm2.TPMAlgSHA256,
			Attributes: tpm2.TPMANV{NT: tpm2.TPMNTCounter, AuthWrite: true, AuthRead: true, NoDA: true},
			DataSize:   counterSize,
		}),
	}.Execute(tpm)
	if err != nil {
		return tpm2.TPM2BName{}, t.explain("creating the counter", err)
	}
	return t.name(tpm)
}

// explain says what an operator can do.
func (t TPM) explain(what string, err error) error {
	what = fmt.Sprintf("%s 0x%08x in the TPM", what, t.Index)
	switch {
	case errors.Is(err, tpm2.TPMRCNVRate), errors.Is(err, tpm2.TPMRCRetry):
		return away("%s: the TPM asks to wait: %w", what, err)
	case errors.Is(err, tpm2.TPMRCAuthFail), errors.Is(err, tpm2.TPMRCBadAuth):
		return fmt.Errorf("%s: the authorization value is wrong; check --witness-secret, or if the counter is being created, create it with the owner's password as docs/how-to/witness.md shows: %w", what, err)
	case errors.Is(err, tpm2.TPMRCNVSpace):
		return fmt.Errorf("%s: the TPM has no room left: %w", what, err)
	}
	return fmt.Errorf("%s: %w", what, err)
}
