// Package receipt signs and redeems receipts, which prove a passcode or PIN to a
// backend: a JWS with the claims of one successful attempt.
//
// internal/vault decides that an attempt gets a receipt, and enters it in the
// transaction of the verdict. This package does everything after that. The threats are
// a receipt that the service did not issue, and one that is redeemed twice.
package receipt

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/metrics"
	"strongroom/internal/record"
)

// typeReceipt is the typ of receipts. No other signed value has it (RFC 8725, 3.11).
const typeReceipt = "strongroom-receipt+jwt"

// Claims are the claims of a receipt (RFC 7519). docs/api.md describes them.
type Claims struct {
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
	Confirmation  *Confirmation         `json:"cnf,omitempty"`
	MustChange    bool                  `json:"mustChange,omitempty"` // the credential is marked: its user must change it
}

// Confirmation names the key that the request proved (RFC 9449, 6.1).
type Confirmation struct {
	Thumbprint string `json:"jkt"`
}

// Config configures [New]. Every field is required.
type Config struct {
	Mode      domain.Mode // of the store's accounts
	Records   *record.Records
	Guard     Guard
	Issuer    Issuer
	IssuerURL string // the iss of everything that is signed
	Log       *slog.Logger
	Metrics   *metrics.Metrics
	Refused   func(context.Context, domain.Code) // counts a refused request
}

// Guard detects that the store was put back to an earlier state: [rollback.Store].
type Guard interface {
	Seen() bool // a rollback was detected: nothing may be served
}

// Issuer signs for the service: [issuer.Issuer].
type Issuer interface {
	// Sign returns payload as a JWS in compact serialization, with this typ.
	Sign(typ string, payload []byte) (string, error)
	// Verify returns the payload of such a JWS if the service signed it. ok is
	// false for any other text.
	Verify(ctx context.Context, typ, text string) (payload []byte, ok bool, err error)
}

// Receipts signs and redeems receipts. It is safe for concurrent use.
type Receipts struct{ cfg Config }

// New returns Receipts.
func New(cfg Config) *Receipts { return &Receipts{cfg} }

// Detail is how entries name a receipt. They have no [domain.Entry.Record],
// because a receipt has no row.
func (c Claims) Detail() string {
	return domain.ReceiptDetail{ID: c.ID, Type: c.Type, TxnHash: c.TxnHash}.String()
}

// Sign returns a receipt whose entry was committed, and when it expires.
func (v *Receipts) Sign(c Claims) (text string, expires time.Time, err error) {
	var payload bytes.Buffer
	to := json.NewEncoder(&payload)
	to.SetEscapeHTML(false)
	if err := to.Encode(c); err != nil {
		return "", time.Time{}, fmt.Errorf("encoding a receipt: %v", err)
	}
	if text, err = v.cfg.Issuer.Sign(typeReceipt, bytes.TrimSpace(payload.Bytes())); err != nil {
		return "", time.Time{}, err
	}
	v.cfg.Metrics.Receipt(metrics.ReceiptIssued)
	return text, time.Unix(c.ExpiresAt, 0), nil
}
