package place

import (
	"context"
	"encoding/binary"
	"fmt"
	"net"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-tpm/tpm2"
	"github.com/google/go-tpm/tpm2/transport"
)

func undefine(t *testing.T, p TPM) {
	t.Helper()
	_, err := p.with(t.Context(), func(tpm transport.TPM, _ tpm2.TPM2BAuth) (int64, error) {
		name, err := p.name(tpm)
		if err != nil {
			return 0, err
		}
		_, err = tpm2.NVUndefineSpace{AuthHandle: tpm2.TPMRHOwner, NVIndex: tpm2.NamedHandle{Handle: tpm2.TPMHandle(p.Index), Name: name}}.Execute(tpm)
		return 0, err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// An index of another program is left alone.
func TestAnIndexThatIsNoCounterIsRefused(t *testing.T) {
	p := counted(t)
	_, err := p.with(t.Context(), func(tpm transport.TPM, auth tpm2.TPM2BAuth) (int64, error) {
		_, err := tpm2.NVDefineSpace{AuthHandle: tpm2.TPMRHOwner, Auth: auth, PublicInfo: tpm2.New2B(tpm2.TPMSNVPublic{
			NVIndex: tpm2.TPMHandle(p.Index), NameAlg: tpm2.TPMAlgSHA256,
			Attributes: tpm2.TPMANV{NT: tpm2.TPMNTOrdinary, AuthWrite: true, AuthRead: true, NoDA: true}, DataSize: 8})}.Execute(tpm)
		return 0, err
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Raise(t.Context()); err == nil || !strings.Contains(err.Error(), "is not a counter") {
		t.Errorf("it is raised: %v", err)
	}
}

// A TPM that hangs must not stop the process from ending.
func TestATPMThatHangsIsAway(t *testing.T) {
	silent := filepath.Join(t.TempDir(), "tpm")
	listener, err := net.Listen("unix", silent)
	if err != nil {
		t.Fatal(err)
	}
	p := TPM{Device: silent, Index: DefaultIndex, Auth: func() (string, error) { return "", nil }}
	for range 2 {
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		began := time.Now()
		if _, err := p.Count(ctx); !IsAway(err) {
			t.Errorf("got %v, want that it is away", err)
		}
		if took := time.Since(began); took > 5*time.Second {
			t.Errorf("it took %v", took)
		}
		cancel()
	}
	conn, err := listener.Accept() // then the driver gets its answer
	if err != nil {
		t.Fatal(err)
	}
	_, _ = conn.Close(), listener.Close()
	turn <- struct{}{} // the goroutine has ended
	<-turn
}

// short is a TPM that answers with fewer bytes of a counter than it was asked for.
type short struct {
	t    *testing.T
	data []byte
}

func (s short) Send(command []byte) ([]byte, error) {
	switch code := tpm2.TPMCC(binary.BigEndian.Uint32(command[6:])); code {
	case tpm2.TPMCCNVReadPublic:
		public := tpm2.New2B(tpm2.TPMSNVPublic{NVIndex: DefaultIndex, NameAlg: tpm2.TPMAlgSHA256,
			Attributes: tpm2.TPMANV{NT: tpm2.TPMNTCounter, AuthWrite: true, AuthRead: true}, DataSize: counterSize})
		return respond(tpm2.TPMSTNoSessions, tpm2.Marshal(public), tpm2.Marshal(tpm2.TPM2BName{Buffer: []byte("name")})), nil
	case tpm2.TPMCCNVRead:
		read := tpm2.Marshal(tpm2.TPM2BMaxNVBuffer{Buffer: s.data})
		return respond(tpm2.TPMSTSessions, binary.BigEndian.AppendUint32(nil, uint32(len(read))), read, []byte{0, 0, 1, 0, 0}), nil // a session that goes on
	default:
		s.t.Fatalf("command %v", code)
		return nil, nil
	}
}

func respond(tag tpm2.TPMST, parts ...[]byte) []byte {
	body := slices.Concat(parts...)
	header := binary.BigEndian.AppendUint16(nil, uint16(tag))
	header = binary.BigEndian.AppendUint32(header, uint32(10+len(body)))
	return slices.Concat(header, make([]byte, 4), body)
}

// A process must not end because of what a TPM, or something in its place, answers.
func TestAShortAnswerOfATPMIsAnError(t *testing.T) {
	p := TPM{Index: DefaultIndex}
	if count, err := p.read(short{t, []byte{0, 0, 0, 0, 0, 0, 1, 2}}, tpm2.TPM2BAuth{}); err != nil || count != 258 {
		t.Fatalf("a complete answer: %d, %v", count, err)
	}
	for _, n := range []int{0, 4, 7, 9} {
		if _, err := p.read(short{t, make([]byte, n)}, tpm2.TPM2BAuth{}); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("answers with %d bytes, want 8", n)) {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
}
