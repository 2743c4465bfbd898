package rootkey

import (
	"context"
	"crypto/fips140"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/google/go-tpm/tpm2"
	"github.com/google/go-tpm/tpm2/transport"

	"strongroom/internal/crypto/seal"
	"strongroom/internal/ownfile"
	"strongroom/internal/tpm"
)

// sealedByTPM are root keys that a TPM 2.0 seals: 32 random bytes in an object of the
// TPM. Only this TPM can unseal them, if the PCRs and the authorization value are correct.
// Then the bytes are used in this process, as those of a file. Few TPMs offer symmetric
// encryption (TPM2_EncryptDecrypt2), and none an authenticated mode, so the key cannot
// stay in the TPM.
var sealedByTPM = provider{
	form: "tpm:[DEVICE][?handle=0x81018a5e&pcrs=7,11&auth-file=FILE]",
	check: func(rest string) error {
		_, err := parseTPMName(rest)
		if err == nil && fips140.Enforced() {
			return errors.New("sessions with a TPM need AES-CFB, which is off with GODEBUG=fips140=only")
		}
		return err
	},
	open:   openTPM,
	create: createTPM,
}

// defaultTPMHandle is in the owner's range of persistent handles, 0x81000000 to
// 0x817fffff (TCG registry of reserved TPM 2.0 handles).
const defaultTPMHandle tpm2.TPMHandle = 0x81018a5e

// askTPM is the timeout of one use. TPMs take up to 1 s for a command.
const askTPM = 15 * time.Second

// tpmName is a parsed URL.
type tpmName struct {
	url    string // of the root key
	device string
	handle tpm2.TPMHandle
	pcrs   []uint // of the SHA-256 bank
	auth   string // file of the authorization value; "": none
}

func parseTPMName(rest string) (n tpmName, err error) {
	device, query, _ := strings.Cut(rest, "?")
	n = tpmName{url: "tpm:" + rest, device: device, handle: defaultTPMHandle}
	if device == "" {
		n.device = tpm.DefaultDevice
	}
	if !filepath.IsAbs(n.device) {
		return n, errors.New("not the absolute path of a device, with parameters")
	}
	values, err := parameters(query)
	if err != nil {
		return n, err
	}
	for name, value := range values {
		if len(value) != 1 || value[0] == "" {
			return n, fmt.Errorf("the parameter %q must have one value", name)
		}
		if err := n.set(name, value[0]); err != nil {
			return n, err
		}
	}
	return n, nil
}

func (n *tpmName) set(name, value string) error {
	switch name {
	case "handle":
		handle, err := strconv.ParseUint(value, 0, 32)
		if err != nil || handle < 0x81000000 || handle > 0x817fffff {
			return errors.New("handle must be a persistent handle of the owner, 0x81000000 to 0x817fffff")
		}
		n.handle = tpm2.TPMHandle(handle)
	case "pcrs":
		for text := range strings.SplitSeq(value, ",") {
			pcr, err := strconv.ParseUint(text, 10, 8)
			if err != nil || pcr > 23 {
				return errors.New("pcrs must be numbers from 0 to 23, such as 7,11")
			}
			n.pcrs = append(n.pcrs, uint(pcr))
		}
		slices.Sort(n.pcrs)
	case "auth-file":
		if n.auth = value; !filepath.IsAbs(value) {
			return errors.New("auth-file must be an absolute path")
		}
	default:
		return fmt.Errorf("unknown parameter %q", name)
	}
	return nil
}

func openTPM(ctx context.Context, rest string) (seal.RootKey, error) {
	n, err := parseTPMName(rest)
	if err != nil {
		return nil, err
	}
	var root seal.RootKey
	err = n.use(ctx, func(t transport.TPM, auth []byte) (err error) {
		root, err = n.unseal(t, auth)
		return err
	})
	if err != nil {
		return nil, err
	}
	return root, nil
}

func createTPM(ctx context.Context, rest string) error {
	n, err := parseTPMName(rest)
	if err != nil {
		return err
	}
	return n.use(ctx, n.seal)
}

// tpmTurns has, for each device, a channel of one element that a use fills while it runs.
var tpmTurns sync.Map // of chan struct{}

// use opens the TPM and calls fn. The driver cannot be interrupted, so if the TPM hangs,
// use returns but leaves one goroutine until the TPM answers. Other uses wait for that
// goroutine. Otherwise each check of a server would leave another one.
func (n tpmName) use(ctx context.Context, fn func(t transport.TPM, auth []byte) error) error {
	auth, err := n.authValue()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, askTPM)
	defer cancel()
	place, _ := tpmTurns.LoadOrStore(n.device, make(chan struct{}, 1))
	turn, _ := place.(chan struct{})
	select {
	case turn <- struct{}{}:
	case <-ctx.Done():
		return n.hangs(ctx)
	}
	opened, err := tpm.Open(n.device)
	if err != nil {
		<-turn
		return n.unopened(err)
	}
	done := make(chan error, 1)
	go func() {
		defer func() { _ = opened.Close(); <-turn }()
		done <- fn(opened, auth)
	}()
	select {
	case err := <-done:
		return n.explain(err)
	case <-ctx.Done():
		return n.hangs(ctx)
	}
}

// hangs returns the error for a TPM that has not answered when ctx ended.
func (n tpmName) hangs(ctx context.Context) error {
	if errors.Is(ctx.Err(), context.Canceled) {
		return ctx.Err()
	}
	return &Error{n.url, Timeout, "check the kernel log for the TPM (dmesg | grep -i tpm)", errors.New("the TPM did not answer in time")}
}

// authValue reads the authorization value, without a line end. It is nil if there is none.
func (n tpmName) authValue() ([]byte, error) {
	if n.auth == "" {
		return nil, nil
	}
	f, _, err := ownfile.OpenSecret(n.auth)
	if err != nil {
		return nil, &Error{n.url, ReasonOf(err), "check the file of auth-file", fmt.Errorf("auth-file: %w", pathFirst(err))}
	}
	defer func() { _ = f.Close() }()
	text, err := io.ReadAll(io.LimitReader(f, 1<<10))
	auth := strings.TrimRight(string(text), "\r\n")
	if err != nil || auth == "" || len(auth) > 32 {
		return nil, &Error{n.url, Invalid, "write 1 to 32 bytes to the file of auth-file", errors.New("the authorization value cannot be used")}
	}
	return []byte(auth), nil
}

// tpmRefused has the marks of the authorization values that a TPM refused in this process:
// an HMAC of the object's name and the value. They are not tried again, because repeated
// checks by a server would lock the TPM.
var tpmRefused sync.Map // of struct{}, by the mark

// tpmMarkKey is the key of the marks. It is random for each process.
var tpmMarkKey = sync.OnceValue(func() []byte { return []byte(rand.Text()) })

func tpmMark(object tpm2.TPM2BName, auth []byte) string {
	h := hmac.New(sha256.New, tpmMarkKey())
	h.Write(object.Buffer) // of a fixed length; another object has another name
	h.Write(auth)
	return string(h.Sum(nil))
}

// unseal reads the key from its object, over an encrypted session.
func (n tpmName) unseal(t transport.TPM, auth []byte) (seal.RootKey, error) {
	object, err := tpm2.ReadPublic{ObjectHandle: n.handle}.Execute(t)
	if err != nil {
		return nil, err
	}
	public, err := object.OutPublic.Contents()
	if err != nil || public.Type != tpm2.TPMAlgKeyedHash || public.ObjectAttributes.SignEncrypt || public.ObjectAttributes.Decrypt {
		return nil, &Error{n.url, Invalid, "name the handle of a sealed root key; root-key create makes one", fmt.Errorf("the object at %#x is of another kind", uint32(n.handle))}
	}
	mark := tpmMark(object.Name, auth)
	if _, is := tpmRefused.Load(mark); is {
		return nil, &Error{n.url, Denied, wrongTPMAuth, wrongSecret{errors.New("the TPM refused this authorization value before; it was not tried again, because the TPM locks itself after some wrong values")}}
	}
	salt, flush, err := primary(t, tpm2.TPMRHNull)
	if err != nil {
		return nil, err
	}
	defer flush()
	options := []tpm2.AuthOption{tpm2.Auth(auth), tpm2.Salted(salt.handle, salt.public), tpm2.AESEncryption(128, tpm2.EncryptOut)}
	session := tpm2.HMAC(tpm2.TPMAlgSHA256, 16, options...)
	if len(n.pcrs) > 0 {
		session = tpm2.Policy(tpm2.TPMAlgSHA256, 16, n.policy(auth), options...)
	}
	out, err := tpm2.Unseal{ItemHandle: tpm2.AuthHandle{Handle: n.handle, Name: object.Name, Auth: session}}.Execute(t)
	if isWrongTPMAuth(err) {
		tpmRefused.Store(mark, struct{}{})
	}
	if err != nil {
		return nil, err
	}
	root, err := seal.NewLocalRoot(out.OutData.Buffer)
	if err != nil {
		return nil, &Error{n.url, Invalid, "name the handle of a sealed root key; root-key create makes one", fmt.Errorf("the object at %#x %w", uint32(n.handle), err)}
	}
	return root, nil
}

// seal creates a new key, and a persistent object in the TPM that contains it.
func (n tpmName) seal(t transport.TPM, auth []byte) error {
	if _, err := (tpm2.ReadPublic{ObjectHandle: n.handle}).Execute(t); err == nil {
		return fmt.Errorf("%s: %w", n.url, fs.ErrExist)
	} else if !errors.Is(err, tpm2.TPMRCHandle) {
		return err
	}
	if err := n.checkPCRs(t); err != nil {
		return err
	}
	parent, flush, err := primary(t, tpm2.TPMRHOwner)
	if err != nil {
		return err
	}
	defer flush()
	policy, err := n.policyDigest(t, auth)
	if err != nil {
		return err
	}
	secret := make([]byte, seal.RootKeySize)
	defer clear(secret)
	_, _ = rand.Read(secret)
	blob, err := tpm2.Create{
		ParentHandle: tpm2.AuthHandle{Handle: parent.handle, Name: parent.name,
			Auth: tpm2.HMAC(tpm2.TPMAlgSHA256, 16, tpm2.Salted(parent.handle, parent.public), tpm2.AESEncryption(128, tpm2.EncryptIn))},
		InSensitive: tpm2.TPM2BSensitiveCreate{Sensitive: &tpm2.TPMSSensitiveCreate{
			UserAuth: tpm2.TPM2BAuth{Buffer: auth}, Data: tpm2.NewTPMUSensitiveCreate(&tpm2.TPM2BSensitiveData{Buffer: secret})}},
		InPublic: tpm2.New2B(tpm2.TPMTPublic{
			Type: tpm2.TPMAlgKeyedHash, NameAlg: tpm2.TPMAlgSHA256, AuthPolicy: policy,
			// With PCRs, only the policy gives access. If there is an authorization value,
			// wrong ones count for the TPM's protection against guessing.
			ObjectAttributes: tpm2.TPMAObject{FixedTPM: true, FixedParent: true, UserWithAuth: len(n.pcrs) == 0, NoDA: len(auth) == 0},
		}),
	}.Execute(t)
	if err != nil {
		return err
	}
	loaded, err := tpm2.Load{ParentHandle: tpm2.NamedHandle{Handle: parent.handle, Name: parent.name}, InPrivate: blob.OutPrivate, InPublic: blob.OutPublic}.Execute(t)
	if err != nil {
		return err
	}
	defer func() { _, _ = tpm2.FlushContext{FlushHandle: loaded.ObjectHandle}.Execute(t) }()
	_, err = tpm2.EvictControl{Auth: tpm2.TPMRHOwner, ObjectHandle: tpm2.NamedHandle{Handle: loaded.ObjectHandle, Name: loaded.Name}, PersistentHandle: n.handle}.Execute(t)
	if errors.Is(err, tpm2.TPMRCNVDefined) { // another process has just created it
		return fmt.Errorf("%s: %w", n.url, fs.ErrExist)
	}
	return err
}

// checkPCRs refuses PCRs that the TPM does not have. The TPM would omit them from the
// policy without an error, so the key would be bound to nothing.
func (n tpmName) checkPCRs(t transport.TPM) error {
	for _, pcr := range n.pcrs {
		is, err := tpm2.PCRRead{PCRSelectionIn: selection(pcr)}.Execute(t)
		if err != nil {
			return err
		}
		if len(is.PCRValues.Digests) != 1 {
			return &Error{n.url, Invalid, "turn the SHA-256 bank on with tpm2_pcrallocate or in the firmware and restart the machine, or leave pcrs out", fmt.Errorf("the TPM has no PCR %d in its SHA-256 bank", pcr)}
		}
	}
	return nil
}

func selection(pcrs ...uint) tpm2.TPMLPCRSelection {
	return tpm2.TPMLPCRSelection{PCRSelections: []tpm2.TPMSPCRSelection{{Hash: tpm2.TPMAlgSHA256, PCRSelect: tpm2.PCClientCompatible.PCRs(pcrs...)}}}
}

// primaryKey is a storage key of the TPM.
type primaryKey struct {
	handle tpm2.TPMHandle
	name   tpm2.TPM2BName
	public tpm2.TPMTPublic
}

// primary creates the storage key of a hierarchy. To encrypt only the traffic, use the
// null hierarchy: the owner's hierarchy needs the owner's password.
func primary(t transport.TPM, hierarchy tpm2.TPMHandle) (k primaryKey, flush func(), err error) {
	made, err := tpm2.CreatePrimary{PrimaryHandle: hierarchy, InPublic: tpm2.New2B(tpm2.ECCSRKTemplate)}.Execute(t)
	if err != nil {
		return k, nil, err
	}
	flush = func() { _, _ = tpm2.FlushContext{FlushHandle: made.ObjectHandle}.Execute(t) }
	public, err := made.OutPublic.Contents()
	if err != nil {
		flush()
		return k, nil, err
	}
	return primaryKey{made.ObjectHandle, made.Name, *public}, flush, nil
}

// policy requires the PCR values at the time of its creation and, if there is one, the
// authorization value.
func (n tpmName) policy(auth []byte) tpm2.PolicyCallback {
	return func(t transport.TPM, session tpm2.TPMISHPolicy, _ tpm2.TPM2BNonce) error {
		if _, err := (tpm2.PolicyPCR{PolicySession: session, Pcrs: selection(n.pcrs...)}).Execute(t); err != nil || len(auth) == 0 {
			return err
		}
		_, err := tpm2.PolicyAuthValue{PolicySession: session}.Execute(t)
		return err
	}
}

func (n tpmName) policyDigest(t transport.TPM, auth []byte) (tpm2.TPM2BDigest, error) {
	if len(n.pcrs) == 0 {
		return tpm2.TPM2BDigest{}, nil
	}
	trial, end, err := tpm2.PolicySession(t, tpm2.TPMAlgSHA256, 16, tpm2.Trial())
	if err != nil {
		return tpm2.TPM2BDigest{}, err
	}
	defer func() { _ = end() }()
	if err := n.policy(auth)(t, trial.Handle(), trial.NonceTPM()); err != nil {
		return tpm2.TPM2BDigest{}, err
	}
	digest, err := tpm2.PolicyGetDigest{PolicySession: trial.Handle()}.Execute(t)
	if err != nil {
		return tpm2.TPM2BDigest{}, err
	}
	return digest.PolicyDigest, nil
}

// unopened explains why the device cannot be opened.
func (n tpmName) unopened(err error) error {
	cause := pathFirst(err)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return &Error{n.url, Missing, "check that this machine has a TPM 2.0 and that a container gets the device (--device " + n.device + ")", cause}
	case errors.Is(err, fs.ErrPermission):
		return &Error{n.url, Denied, "add the user of the service to the group of the device, such as: usermod -aG tss strongroom", cause}
	case errors.Is(err, syscall.EBUSY):
		return &Error{n.url, Unavailable, "use " + tpm.DefaultDevice + ", which several processes can share", cause}
	}
	if errors.Is(err, tpm.ErrNoDevice) {
		return &Error{n.url, Invalid, "name a device, such as " + tpm.DefaultDevice, cause}
	}
	return &Error{n.url, Unreachable, "check the TPM", cause}
}

func isWrongTPMAuth(err error) bool {
	return errors.Is(err, tpm2.TPMRCAuthFail) || errors.Is(err, tpm2.TPMRCBadAuth)
}

const wrongTPMAuth = "the authorization value is wrong: check auth-file; to create a key, the owner's password of the TPM must be empty. Correct it before you restart: the TPM locks itself after some wrong values"

// explain turns an error of the TPM into one that says what an operator can do.
func (n tpmName) explain(err error) error {
	fails := func(reason Reason, remedy string) error {
		return &Error{n.url, reason, remedy, errors.New(oneLine(err.Error()))}
	}
	var told *Error
	switch {
	case err == nil, errors.As(err, &told), errors.Is(err, fs.ErrExist):
		return err
	case errors.Is(err, tpm2.TPMRCHandle):
		return fails(Missing, fmt.Sprintf("the TPM has no object at %#x: correct the handle; if the TPM was cleared or replaced, start with another root key of the database", uint32(n.handle)))
	case errors.Is(err, tpm2.TPMRCPolicyFail), errors.Is(err, tpm2.TPMRCPCRChanged), errors.Is(err, tpm2.TPMRCAuthUnavailable):
		return fails(Disabled, "the PCRs are not as they were when the key was created, or pcrs and auth-file are not as they were given then: firmware, boot loader or Secure Boot may have changed; start with another root key of the database, then create a new key at another handle and run root-key rotate")
	case isWrongTPMAuth(err):
		return &Error{n.url, Denied, wrongTPMAuth, wrongSecret{errors.New(oneLine(err.Error()))}}
	case errors.Is(err, tpm2.TPMRCLockout):
		return fails(Disabled, "the TPM locked itself after wrong authorization values: wait, or run tpm2_dictionarylockout --clear-lockout")
	case errors.Is(err, tpm2.TPMRCNVSpace):
		return fails(Unavailable, "the TPM has no room left: remove an object that is not needed with tpm2_evictcontrol")
	case errors.Is(err, tpm2.TPMRCObjectMemory), errors.Is(err, tpm2.TPMRCSessionMemory), errors.Is(err, tpm2.TPMRCRetry), errors.Is(err, tpm2.TPMRCTesting):
		return fails(Unavailable, "the TPM is busy: use "+tpm.DefaultDevice+", which several processes can share")
	}
	return fails(Unreachable, "check the kernel log for the TPM (dmesg | grep -i tpm)")
}
