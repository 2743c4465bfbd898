package rootkey

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-tpm/tpm2"
	"github.com/google/go-tpm/tpm2/transport"

	"strongroom/internal/crypto/seal"
	"strongroom/internal/tpm"
	"strongroom/internal/witness/place/placetest"
)

// inTPM runs commands in a TPM.
func inTPM(t *testing.T, socket string, fn func(transport.TPM) error) {
	t.Helper()
	opened, err := tpm.Open(socket)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = opened.Close() }()
	if err := fn(opened); err != nil {
		t.Fatal(err)
	}
}

// extend changes a PCR, as another boot would.
func extend(t *testing.T, socket string, pcr tpm2.TPMHandle) {
	t.Helper()
	inTPM(t, socket, func(opened transport.TPM) error {
		_, err := tpm2.PCRExtend{PCRHandle: tpm2.AuthHandle{Handle: pcr, Auth: tpm2.PasswordAuth(nil)},
			Digests: tpm2.TPMLDigestValues{Digests: []tpm2.TPMTHA{{HashAlg: tpm2.TPMAlgSHA256, Digest: bytes.Repeat([]byte{7}, 32)}}}}.Execute(opened)
		return err
	})
}

// evict removes a persistent object.
func evict(t *testing.T, socket string, handle tpm2.TPMHandle) {
	t.Helper()
	inTPM(t, socket, func(opened transport.TPM) error {
		object, err := tpm2.ReadPublic{ObjectHandle: handle}.Execute(opened)
		if err != nil {
			return err
		}
		_, err = tpm2.EvictControl{Auth: tpm2.TPMRHOwner, ObjectHandle: tpm2.NamedHandle{Handle: handle, Name: object.Name}, PersistentHandle: handle}.Execute(opened)
		return err
	})
}

func TestATPMKeyOpensOnTheSameTPMOnly(t *testing.T) {
	dir := t.TempDir()
	socket, stop := placetest.TPM(t, dir)
	auth := secretFile(t, "an authorization value")
	urls := []string{
		"tpm:" + socket,
		"tpm:" + socket + "?handle=0x81000101&pcrs=7,11",
		"tpm:" + socket + "?handle=0x81000102&auth-file=" + auth,
		"tpm:" + socket + "?handle=0x81000103&pcrs=23&auth-file=" + auth,
	}
	var wraps [][]byte
	ids := map[string]bool{}
	for _, url := range urls {
		failsWith(t, unwrap(t, url, nil), Missing, "no object at 0x81")
		if err := Create(t.Context(), url); err != nil {
			t.Fatalf("%s: %v", url, err)
		}
		if err := Create(t.Context(), url); !errors.Is(err, fs.ErrExist) {
			t.Errorf("creating it again: got %v, want fs.ErrExist", err)
		}
		wraps = append(wraps, mustWrap(t, url))
		ids[mustOpen(t, url).ID()] = true
	}
	if len(ids) != len(urls) {
		t.Errorf("%d keys have %d ids", len(urls), len(ids))
	}
	stop()
	failsWith(t, unwrap(t, urls[0], wraps[0]), Unreachable, "check the kernel log")
	again, _ := placetest.TPM(t, dir)
	other, _ := placetest.TPM(t, t.TempDir())
	for i, url := range urls {
		if err := unwrap(t, strings.Replace(url, socket, again, 1), wraps[i]); err != nil {
			t.Errorf("after a restart of the TPM: %v", err)
		}
		failsWith(t, unwrap(t, strings.Replace(url, socket, other, 1), wraps[i]), Missing, "no object at 0x81")
	}
	if err := Create(t.Context(), "tpm:"+other); err != nil {
		t.Fatal(err)
	}
	if err := unwrap(t, "tpm:"+other, wraps[0]); !errors.Is(err, seal.ErrSeal) {
		t.Errorf("the key of another TPM: got %v, want ErrSeal", err)
	}
}

func TestATPMKeyOpensOnlyWithThePCRsOfItsCreation(t *testing.T) {
	socket, _ := placetest.TPM(t, t.TempDir())
	url := "tpm:" + socket + "?pcrs=7,11"
	if err := Create(t.Context(), url); err != nil {
		t.Fatal(err)
	}
	wrapped := mustWrap(t, url)
	for what, other := range map[string]string{"without PCRs": "tpm:" + socket, "with another PCR": "tpm:" + socket + "?pcrs=7"} {
		t.Log(what)
		failsWith(t, unwrap(t, other, wrapped), Disabled, "not as they were")
	}
	extend(t, socket, 8) // of no matter
	if err := unwrap(t, url, wrapped); err != nil {
		t.Error(err)
	}
	extend(t, socket, 11)
	failsWith(t, unwrap(t, url, wrapped), Disabled, "start with another root key of the database")
}

// tries returns how many wrong authorization values the TPM counts.
func tries(t *testing.T, socket string) (n uint32) {
	t.Helper()
	inTPM(t, socket, func(opened transport.TPM) error {
		out, err := tpm2.GetCapability{Capability: tpm2.TPMCapTPMProperties, Property: uint32(tpm2.TPMPTLockoutCounter), PropertyCount: 1}.Execute(opened)
		if err != nil {
			return err
		}
		all, err := out.CapabilityData.Data.TPMProperties()
		if err != nil || len(all.TPMProperty) != 1 {
			t.Fatalf("the TPM does not say how many wrong values it counts: %v", err)
		}
		n = all.TPMProperty[0].Value
		return nil
	})
	return n
}

// A TPM locks itself after some wrong values. The health check of a server must not do
// that.
func TestAWrongAuthorizationValueIsTriedOnce(t *testing.T) {
	socket, _ := placetest.TPM(t, t.TempDir())
	url := "tpm:" + socket + "?auth-file="
	file := secretFile(t, "right")
	if err := Create(t.Context(), url+file); err != nil {
		t.Fatal(err)
	}
	wrapped := mustWrap(t, url+file)
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("wrong-hunter2")
	for range 5 {
		err := unwrap(t, url+file, wrapped)
		failsWith(t, err, Denied, "check auth-file")
		if strings.Contains(err.Error(), "hunter2") {
			t.Error("the message has the value")
		}
		if Passing(err) || !WrongSecret(err) || !WrongSecret(errors.Join(errors.New("another key"), err)) {
			t.Error("a start would try again")
		}
	}
	write("wrong-hunter2\n")
	failsWith(t, unwrap(t, url+file, wrapped), Denied, "was not tried again")
	failsWith(t, unwrap(t, url+secretFile(t, "wrong-hunter2"), wrapped), Denied, "was not tried again")
	if n := tries(t, socket); n != 1 {
		t.Errorf("the TPM got the wrong value %d times", n)
	}
	for range 5 { // no value is a wrong one too
		failsWith(t, unwrap(t, "tpm:"+socket, wrapped), Denied, "check auth-file")
	}
	if n := tries(t, socket); n != 2 { // swtpm locks itself after 3
		t.Errorf("the TPM counts %d wrong values, want 2", n)
	}
	write("right")
	if err := unwrap(t, url+file, wrapped); err != nil {
		t.Error(err)
	}

	// Another object at the same handle may have this value.
	write("wrong-hunter2")
	evict(t, socket, defaultTPMHandle)
	if err := Create(t.Context(), url+file); err != nil {
		t.Fatal(err)
	}
	mustOpen(t, url+file)
}

func TestWrongAuthorizationValuesLockTheTPM(t *testing.T) {
	socket, _ := placetest.TPM(t, t.TempDir())
	url := "tpm:" + socket + "?auth-file="
	right := secretFile(t, "right")
	if err := Create(t.Context(), url+right); err != nil {
		t.Fatal(err)
	}
	wrapped := mustWrap(t, url+right)
	var err error
	for i := range 10 {
		if err = unwrap(t, url+secretFile(t, fmt.Sprint("wrong ", i)), wrapped); ReasonOf(err) != Denied {
			break
		}
	}
	failsWith(t, err, Disabled, "tpm2_dictionarylockout")
	failsWith(t, unwrap(t, url+right, wrapped), Disabled, "tpm2_dictionarylockout")
}

func TestTPMErrorsAreExplained(t *testing.T) {
	socket, _ := placetest.TPM(t, t.TempDir())
	url := "tpm:" + socket
	if err := Create(t.Context(), url); err != nil {
		t.Fatal(err)
	}
	wrapped := mustWrap(t, url)
	evict(t, socket, defaultTPMHandle)
	failsWith(t, unwrap(t, url, wrapped), Missing, "the TPM has no object at 0x81018a5e")

	inTPM(t, socket, func(opened transport.TPM) error { // a key of another program
		made, err := tpm2.CreatePrimary{PrimaryHandle: tpm2.TPMRHOwner, InPublic: tpm2.New2B(tpm2.ECCSRKTemplate)}.Execute(opened)
		if err != nil {
			return err
		}
		_, err = tpm2.EvictControl{Auth: tpm2.TPMRHOwner, ObjectHandle: tpm2.NamedHandle{Handle: made.ObjectHandle, Name: made.Name}, PersistentHandle: defaultTPMHandle}.Execute(opened)
		return errors.Join(err, func() error { _, err := tpm2.FlushContext{FlushHandle: made.ObjectHandle}.Execute(opened); return err }())
	})
	failsWith(t, unwrap(t, url, wrapped), Invalid, "of another kind")
	inTPM(t, socket, func(opened transport.TPM) error {
		_, err := tpm2.HierarchyChangeAuth{AuthHandle: tpm2.TPMRHOwner, NewAuth: tpm2.TPM2BAuth{Buffer: []byte("owner")}}.Execute(opened)
		return err
	})
	failsWith(t, Create(t.Context(), url+"?handle=0x81000101"), Denied, "the owner's password of the TPM must be empty")
	failsWith(t, unwrap(t, "tpm:"+filepath.Join(t.TempDir(), "tpmrm0"), wrapped), Missing, "has a TPM 2.0")
	failsWith(t, unwrap(t, "tpm:"+secretFile(t, "a file"), wrapped), Invalid, "name a device")
	failsWith(t, unwrap(t, url+"?auth-file=/no/such/file", wrapped), Missing, "auth-file: /no/such/file")
	for bad, part := range map[string]string{
		"tpm:tpmrm0": "absolute path", "tpm:?handle=0x40000001": "persistent handle", "tpm:?pcrs=24": "0 to 23",
		"tpm:?pcrs=": "one value", "tpm:?auth-file=a": "absolute path", "tpm:?key=1": `unknown parameter "key"`,
	} {
		if err := Check(bad); err == nil || !strings.Contains(err.Error(), part) || !strings.Contains(err.Error(), "the form is tpm:") {
			t.Errorf("%s: %v", bad, err)
		}
	}
}

// betweenTPM is a wire to a TPM that can be listened to, held and cut.
func betweenTPM(t *testing.T, socket string) (place string, heard *bytes.Buffer, hold chan struct{}) {
	t.Helper()
	dir, err := os.MkdirTemp("", "wire")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	l, err := net.Listen("unix", filepath.Join(dir, "s"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	heard, hold = &bytes.Buffer{}, make(chan struct{})
	go func() {
		for {
			near, err := l.Accept()
			if err != nil {
				return
			}
			far, err := net.Dial("unix", socket)
			if err != nil {
				return
			}
			<-hold
			go func() { _, _ = io.Copy(far, near); _ = far.Close() }()
			_, _ = io.Copy(near, io.TeeReader(far, heard))
			_ = near.Close()
		}
	}()
	return filepath.Join(dir, "s"), heard, hold
}

// A server checks its root keys at an interval. A TPM that hangs must not take a file
// descriptor each time.
func TestATPMThatHangsIsWaitedForOnce(t *testing.T) {
	silent := filepath.Join(t.TempDir(), "tpm")
	l, err := net.Listen("unix", silent)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	for range 3 {
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		_, err := Open(ctx, "tpm:"+silent)
		failsWith(t, err, Timeout, "did not answer in time")
		cancel()
	}
	var conns []net.Conn
	for deadline := time.Now().Add(time.Second); ; {
		_ = l.(*net.UnixListener).SetDeadline(deadline)
		conn, err := l.Accept()
		if err != nil {
			break
		}
		conns = append(conns, conn)
	}
	if len(conns) != 1 {
		t.Errorf("%d uses wait for the TPM, want 1", len(conns))
	}
	for _, conn := range conns {
		_ = conn.Close() // then the driver gets an answer
	}
}

// The key must not be readable on the bus between the processor and the TPM.
func TestATPMKeyIsNeverInPlaintextOnTheBus(t *testing.T) {
	socket, _ := placetest.TPM(t, t.TempDir())
	wire, heard, hold := betweenTPM(t, socket)
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	_, err := Open(ctx, "tpm:"+wire)
	failsWith(t, err, Timeout, "did not answer in time")
	close(hold)
	if err := Create(t.Context(), "tpm:"+wire); err != nil {
		t.Fatal(err)
	}
	mustOpen(t, "tpm:"+wire)

	var secret []byte // by a session that is not encrypted
	inTPM(t, socket, func(opened transport.TPM) error {
		object, err := tpm2.ReadPublic{ObjectHandle: defaultTPMHandle}.Execute(opened)
		if err != nil {
			return err
		}
		out, err := tpm2.Unseal{ItemHandle: tpm2.AuthHandle{Handle: defaultTPMHandle, Name: object.Name, Auth: tpm2.PasswordAuth(nil)}}.Execute(opened)
		if err == nil {
			secret = out.OutData.Buffer
		}
		return err
	})
	if len(secret) != seal.RootKeySize {
		t.Fatalf("the object has %d bytes", len(secret))
	}
	if heard.Len() == 0 || bytes.Contains(heard.Bytes(), secret) {
		t.Errorf("%d bytes were seen on the wire, and the key may be among them", heard.Len())
	}
}

// A TPM leaves PCRs that it does not have out of a policy. A key that is bound to them
// would be bound to nothing.
func TestBindingAKeyToMissingPCRsIsRefused(t *testing.T) {
	dir := t.TempDir()
	socket, stop := placetest.TPM(t, dir)
	inTPM(t, socket, func(opened transport.TPM) error { // TPM2_PCR_Allocate: SHA-384 only
		command, err := hex.DecodeString("80020000002b0000012b4000000c00000009400000090000000000" + "00000002" + "000b03000000" + "000c03ffffff")
		if err != nil {
			return err
		}
		answer, err := opened.Send(command)
		if err == nil && (len(answer) < 10 || binary.BigEndian.Uint32(answer[6:]) != 0) {
			t.Fatalf("the TPM refused: %x", answer)
		}
		return err
	})
	stop()
	socket, _ = placetest.TPM(t, dir)
	failsWith(t, Create(t.Context(), "tpm:"+socket+"?pcrs=7"), Invalid, "no PCR 7 in its SHA-256 bank")
	if err := Create(t.Context(), "tpm:"+socket); err != nil {
		t.Errorf("without PCRs: %v", err)
	}
}

// An HMAC key of another program has the same type as a sealed object.
func TestAnHMACKeyInATPMIsRefusedAsRootKey(t *testing.T) {
	socket, _ := placetest.TPM(t, t.TempDir())
	inTPM(t, socket, func(opened transport.TPM) error {
		made, err := tpm2.CreatePrimary{PrimaryHandle: tpm2.TPMRHOwner, InPublic: tpm2.New2B(tpm2.TPMTPublic{
			Type: tpm2.TPMAlgKeyedHash, NameAlg: tpm2.TPMAlgSHA256,
			ObjectAttributes: tpm2.TPMAObject{FixedTPM: true, FixedParent: true, SensitiveDataOrigin: true, UserWithAuth: true, SignEncrypt: true},
			Parameters: tpm2.NewTPMUPublicParms(tpm2.TPMAlgKeyedHash, &tpm2.TPMSKeyedHashParms{Scheme: tpm2.TPMTKeyedHashScheme{Scheme: tpm2.TPMAlgHMAC,
				Details: tpm2.NewTPMUSchemeKeyedHash(tpm2.TPMAlgHMAC, &tpm2.TPMSSchemeHMAC{HashAlg: tpm2.TPMAlgSHA256})}}),
		})}.Execute(opened)
		if err != nil {
			return err
		}
		_, err = tpm2.EvictControl{Auth: tpm2.TPMRHOwner, ObjectHandle: tpm2.NamedHandle{Handle: made.ObjectHandle, Name: made.Name}, PersistentHandle: defaultTPMHandle}.Execute(opened)
		return err
	})
	failsWith(t, unwrap(t, "tpm:"+socket, nil), Invalid, "of another kind")
}
