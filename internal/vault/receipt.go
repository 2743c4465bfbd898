package vault

import (
	"encoding/base64"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/receipt"
	"strongroom/internal/record"
)

// wantedReceipt is the receipt that an attempt gets if it matches.
type wantedReceipt struct {
	txn        []byte         // SHA-256 of the canonical transaction; nil: there is none
	mustChange bool           // the credential that matched must be changed
	claims     receipt.Claims // set by the transaction that settles the verdict
}

// Authentication methods of a receipt (RFC 8176).
const (
	methodPIN         = "pin"
	methodSoftwareKey = "swk"
	methodHardwareKey = "hwk"
)

// enterReceipt enters a receipt in the transaction that settles its verdict. So a
// crash leaves both or none, and an attempt never has two: it is settled once, and
// a receipt is signed and answered only after the commit. A transaction that runs
// again replaces the claims, and keeps the id.
func (v *Credentials) enterReceipt(tx *record.Tx, o *operation, t attempt, r *wantedReceipt) {
	id := r.claims.ID
	if id == "" {
		id = domain.NewID()
	}
	account, now := o.about.Account, tx.Now()
	r.claims = receipt.Claims{Issuer: v.cfg.IssuerURL, Audience: v.cfg.ReceiptAudience, Subject: account.Subject, SubjectIssuer: account.Issuer,
		Device: t.key.DeviceID, KeyID: t.key.ID, ID: id, IssuedAt: now.Unix(), ExpiresAt: now.Unix() + int64(v.cfg.ReceiptTTL/time.Second),
		Type: t.Type, Methods: []string{methodPIN}, MustChange: r.mustChange}
	if r.txn != nil {
		r.claims.TxnHash = base64.RawURLEncoding.EncodeToString(r.txn)
	}
	if proven := o.caller.Thumbprint; proven != "" {
		method := methodSoftwareKey // without attestation only a token can say more
		if o.caller.HardwareKey {
			method = methodHardwareKey
		}
		r.claims.Methods = append(r.claims.Methods, method)
		r.claims.Confirmation = &receipt.Confirmation{Thumbprint: proven}
	}
	e := o.note(domain.EventReceiptIssued, "ok")
	e.Reason = r.claims.Detail()
	tx.Enter(e)
}
