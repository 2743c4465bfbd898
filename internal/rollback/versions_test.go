package rollback

import (
	"testing"

	"strongroom/internal/domain"
)

// An authorization counts guesses at the credential that its entry names, in the
// same row as a verify.
func TestAnAuthorizationIsCountedInTheRowOfItsCredential(t *testing.T) {
	for _, c := range domain.CredentialTypes {
		e := domain.Entry{Record: "attempts/row", Account: []byte("account"), Operation: domain.OpAuthorize, Reason: string(c)}
		verify := e
		if verify.Operation, verify.Reason = domain.OpVerifyPasscode, ""; c == domain.TransactionPIN {
			verify.Operation = domain.OpVerifyPIN
		}
		if got, want := countedBy(e), countedBy(verify); got != want || got == (place{}) {
			t.Errorf("%s: %+v, and a verify %+v", c, got, want)
		}
	}
}
