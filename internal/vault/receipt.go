package vault

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/metrics"
	"strongroom/internal/record"
)

// receiptType is the typ of receipts. No other signed value has it (RFC 8725, 3.11).
const receiptType = "strongroom-receipt+jwt"

// Receipts issues receipts, which prove a right passcode or PIN to others, and
// redeems them.
type Receipts struct{ *gate }

// receipt is one that an attempt is for.
type receipt struct {
	txn    []byte // SHA-256 of the canonical transaction; nil: there is none
	claims claims // set by the transaction that settles the verdict
}

// claims are the claims of a receipt (RFC 7519). docs/api.md describes them.
type claims struct {
	Issuer        string                `json:"iss"`
	Audience      string                `json:"aud"`
	Subject       string                `json:"sub"`
	SubjectIssuer string                `json:"sub_iss,omitempty"` // of a token that named the subject
	Device        string                `json:"device"`
	KeyID         string                `json:"keyId"`
	ID            string                `json:"jti"`
	IssuedAt      int64                 `json:"iat"`
	ExpiresAt     int64                 `json:"exp"`
	Type          domain.CredentialType `json:"passwordAuthType"`
	TxnHash       string                `json:"txn_hash,omitempty"`
	Methods       []string              `json:"amr"` // RFC 8176
	Confirmation  *confirmation         `json:"cnf,omitempty"`
}

// confirmation names the key that the request proved (RFC 9449, 6.1).
type confirmation struct {
	Thumbprint string `json:"jkt"`
}

// Authentication methods of a receipt (RFC 8176).
const (
	methodPIN         = "pin"
	methodSoftwareKey = "swk"
	methodHardwareKey = "hwk"
)

// enter enters a receipt in the transaction that settles its verdict. So a crash
// leaves both or none, and an attempt never has two: it is settled once, and a
// receipt is signed and answered only after the commit. A transaction that runs
// again replaces the claims, and keeps the id.
func (v *Receipts) enter(tx *record.Tx, o *operation, t attempt, r *receipt) {
	id := r.claims.ID
	if id == "" {
		id = domain.NewID()
	}
	account, now := o.about.Account, tx.Now()
	r.claims = claims{Issuer: v.cfg.IssuerURL, Audience: v.cfg.ReceiptAudience, Subject: account.Subject, SubjectIssuer: account.Issuer,
		Device: t.key.DeviceID, KeyID: t.key.ID, ID: id, IssuedAt: now.Unix(), ExpiresAt: now.Unix() + int64(v.cfg.ReceiptTTL/time.Second),
		Type: t.Type, Methods: []string{methodPIN}}
	if r.txn != nil {
		r.claims.TxnHash = base64.RawURLEncoding.EncodeToString(r.txn)
	}
	if proven := o.caller.Thumbprint; proven != "" {
		method := methodSoftwareKey // without attestation only a token can say more
		if o.caller.HardwareKey {
			method = methodHardwareKey
		}
		r.claims.Methods = append(r.claims.Methods, method)
		r.claims.Confirmation = &confirmation{proven}
	}
	e := o.note(domain.EventReceiptIssued, "ok")
	e.Reason = r.claims.detail()
	tx.Enter(e)
}

// detail is how entries name a receipt. They have no [domain.Entry.Record],
// because a receipt has no row.
func (c claims) detail() string {
	return domain.ReceiptDetail{ID: c.ID, Type: c.Type, TxnHash: c.TxnHash}.String()
}

// sign returns a receipt that was entered, and when it expires.
func (v *Receipts) sign(r *receipt) (text string, expires time.Time, err error) {
	var payload bytes.Buffer
	to := json.NewEncoder(&payload)
	to.SetEscapeHTML(false)
	if err := to.Encode(r.claims); err != nil {
		return "", time.Time{}, fmt.Errorf("encoding a receipt: %v", err)
	}
	if text, err = v.cfg.Issuer.Sign(receiptType, bytes.TrimSpace(payload.Bytes())); err != nil {
		return "", time.Time{}, err
	}
	v.cfg.Metrics.Receipt(metrics.ReceiptIssued)
	return text, time.Unix(r.claims.ExpiresAt, 0), nil
}
