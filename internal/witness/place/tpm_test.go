package place

import (
	"strings"
	"testing"

	"github.com/google/go-tpm/tpm2"
	"github.com/google/go-tpm/tpm2/transport"
)

func undefine(t *testing.T, p TPM) {
	t.Helper()
	err := p.with(func(tpm transport.TPM, _ tpm2.TPM2BAuth) error {
		name, err := p.name(tpm)
		if err != nil {
			return err
		}
		_, err = tpm2.NVUndefineSpace{AuthHandle: tpm2.TPMRHOwner, NVIndex: tpm2.NamedHandle{Handle: tpm2.TPMHandle(p.Index), Name: name}}.Execute(tpm)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// An index of another program is left alone.
func TestAnIndexThatIsNoCounterIsRefused(t *testing.T) {
	p := counted(t)
	err := p.with(func(tpm transport.TPM, auth tpm2.TPM2BAuth) error {
		_, err := tpm2.NVDefineSpace{AuthHandle: tpm2.TPMRHOwner, Auth: auth, PublicInfo: tpm2.New2B(tpm2.TPMSNVPublic{
			NVIndex: tpm2.TPMHandle(p.Index), NameAlg: tpm2.TPMAlgSHA256,
			Attributes: tpm2.TPMANV{NT: tpm2.TPMNTOrdinary, AuthWrite: true, AuthRead: true, NoDA: true}, DataSize: 8})}.Execute(tpm)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Raise(t.Context()); err == nil || !strings.Contains(err.Error(), "is not a counter") {
		t.Errorf("it is raised: %v", err)
	}
}
