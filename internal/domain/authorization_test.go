package domain

import "testing"

func TestAReceiptDetailIsParsedAsItWasWritten(t *testing.T) {
	for text, d := range map[string]ReceiptDetail{
		"jti abc; passwordAuthType PASSCODE":                      {ID: "abc", Type: Passcode},
		"jti abc; passwordAuthType TRANSACTION_PIN; txn_hash x_-": {ID: "abc", Type: TransactionPIN, TxnHash: "x_-"},
	} {
		read, ok := ParseReceiptDetail(text)
		if d.String() != text || read != d || !ok {
			t.Errorf("%q is written as %q and read as %+v, %v", text, d, read, ok)
		}
	}
	for _, text := range []string{"", "jti", "asked", "txn_hash jti", "jti ; txn_hash x"} {
		if d, ok := ParseReceiptDetail(text); ok {
			t.Errorf("%q is read as %+v", text, d)
		}
	}
}
